package org.motebench.probe;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.motebench.probe.wire.Frames;

/** The requests {@code measure} and {@code memory}. */
final class Measurement {
    private static final int INTEGER_BYTES = 9;
    private static final int AROUND_BYTES = 128;
    private static final int MOST_TURNS = 64;

    private final Library library;
    private final Work.Buffers buffers;
    private final Clocks clocks;
    private final ReferenceLoop loop = new ReferenceLoop();
    /** Says what a request does beside its batches; batches are timed by {@code clocks}. */
    private final LongSupplier wall;

    /** Time of a request outside its batches: before the first, and after the last. */
    static final class Beside {
        private final LongSupplier clock;
        private final long begun;
        private long before = -1;
        private long ended;

        Beside(LongSupplier clock) {
            this.clock = clock;
            begun = clock.getAsLong();
        }

        void batchBegins() {
            if (before < 0) {
                before = clock.getAsLong() - begun;
            }
        }

        void batchEnded() {
            ended = clock.getAsLong();
        }

        void put(Map<String, Object> reply) {
            reply.put("before", before);
            reply.put("after", clock.getAsLong() - ended);
        }
    }

    Measurement(Library library, Work.Buffers buffers, Clocks clocks) {
        this(library, buffers, clocks, System::nanoTime);
    }

    Measurement(Library library, Work.Buffers buffers, Clocks clocks, LongSupplier wall) {
        this.library = library;
        this.buffers = buffers;
        this.clocks = clocks;
        this.wall = wall;
    }

    Map<String, Object> measure(Request request) throws Exception {
        return measure(request, List.of());
    }

    /** As {@code measure}, with the inputs of {@code inputs} in turn, one for each iteration that is timed. */
    Map<String, Object> measureTurns(Request request) throws Exception {
        int count = (int) request.uint("turns", 1, MOST_TURNS, 1);
        List<Work> turns = new ArrayList<>();
        for (Request input : request.requests("inputs", count)) {
            Work work = new Work(library, new Work.Buffers());
            work.read(input);
            turns.add(work);
        }
        return measure(request, turns);
    }

    private Map<String, Object> measure(Request request, List<Work> turns) throws Exception {
        Beside beside = new Beside(wall);
        int batch = (int) request.uint("batch", 1, Integer.MAX_VALUE, 1);
        int warm = (int) request.uint("warm", 0, Integer.MAX_VALUE, 0);
        long count = request.uint("count", 1, 0xFFFFFFFFL, 1);
        if (count > (Frames.MAX_FRAME - AROUND_BYTES) / (5 * INTEGER_BYTES)) {
            throw new Failure(Failure.TOO_BIG, "count: the readings do not fit a frame");
        }
        boolean reference = request.flag("reference_loop");
        Work work = new Work(library, buffers);
        work.read(request);
        if (rejects(request, batch, warm)) {
            work.expectRejection();
        }
        work.open();
        Engine turning = turns.isEmpty() ? null : new Turning(work.job(), turns);
        if (turning != null) {
            turning.open();
        }
        work.run(1);
        long crc = work.crc();
        int length = work.job().outLength;
        long othersBefore = ProcessInfo.otherThreadsTime();
        long ownBefore = clocks.ownTime();
        long before = System.nanoTime();
        long[] loops = reference ? new long[(int) count] : null;
        long[][] readings = time(work, turning, batch, warm, loops, new long[4][(int) count], beside);
        long elapsed = System.nanoTime() - before;
        long own = clocks.ownTime() - ownBefore;
        long[] process = {own + ProcessInfo.otherThreadsTime() - othersBefore, elapsed};
        work.run(1);
        if (!work.isRandom() && (work.crc() != crc || work.job().outLength != length)) {
            throw new Failure(Failure.WRONG_ANSWER, "the output changed between the first batch and the last");
        }
        Map<String, Object> reply = reply(work, readings, process);
        if (reference) {
            reply.put("reference_loop", loops);
        }
        beside.put(reply);
        return reply;
    }

    /** A run ends with its first rejection, so that a batch of more iterations would time one all the same. */
    private static boolean rejects(Request request, int batch, int warm) throws Failure {
        boolean asked = request.flag("reject");
        if (asked && (batch != 1 || warm > 1)) {
            throw Request.bad("reject", "needs a batch of 1, and warm of at most 1");
        }
        return asked;
    }

    private Map<String, Object> reply(Work work, long[][] readings, long[] process) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ticks", readings[0]);
        if (clocks.hasCpu()) {
            reply.put("cpu", readings[1]);
        }
        if (clocks.hasAllocated()) {
            reply.put("alloc", readings[2]);
        }
        if (preemptedIsKnown(readings[3])) {
            reply.put("preempted", readings[3]);
        }
        reply.put("process", process);
        reply.put("crc", work.crc());
        reply.put("len", work.job().outLength);
        if (work.isRandom()) {
            work.put(reply, false);
        }
        return reply;
    }

    private static boolean preemptedIsKnown(long[] preempted) {
        return Arrays.stream(preempted).allMatch(times -> times >= 0);
    }

    /**
     * Times batches into {@code readings}, those of {@code turning} if it is not null, and the quicker of two reference
     * loops, before and after a batch, into {@code loops}, if given.
     */
    private long[][] time(Work work, Engine turning, int batch, int warm, long[] loops, long[][] readings,
            Beside beside) throws Exception {
        Clocks.Reading reading = new Clocks.Reading();
        if (warm > 0) {
            work.run(warm);
        }
        for (int i = 0; i < readings[0].length; i++) {
            work.restart();
            if (turning != null) {
                turning.start();
            }
            long before = loops != null ? loop.time() : 0;
            long lost = ProcessInfo.preemptions();
            beside.batchBegins();
            clocks.time(turning != null ? turning : work.engine(), batch, reading);
            beside.batchEnded();
            long lostAfter = ProcessInfo.preemptions();
            readings[0][i] = reading.ticks;
            readings[1][i] = reading.cpu;
            readings[2][i] = reading.allocated;
            readings[3][i] = lost < 0 ? -1 : lostAfter - lost;
            if (loops != null) {
                loops[i] = Math.min(before, loop.time());
            }
        }
        return readings;
    }

    /**
     * Floor and peak are of the process with its virtual machine. The heap is Java's alone: what is alive on it with the
     * operation's objects, and what the virtual machine had claimed for it by then.
     */
    Map<String, Object> memory(Request request) throws Exception {
        Work work = new Work(library, buffers);
        work.read(request);
        // Pages that the probe itself touches must not count as the library's.
        Arrays.fill(buffers.out, (byte) 0);
        long floor = ProcessInfo.peakResident();
        work.open();
        work.run(1);
        long peak = ProcessInfo.peakResident();
        long total = Runtime.getRuntime().totalMemory();
        System.gc();
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("floor", Math.min(floor, peak));
        reply.put("peak", peak);
        reply.put("heap", ProcessInfo.heapUsed());
        reply.put("total", total);
        Reference.reachabilityFence(work);
        return reply;
    }
}
