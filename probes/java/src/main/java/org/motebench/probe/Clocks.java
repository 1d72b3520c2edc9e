package org.motebench.probe;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** The clocks of the virtual machine, with what reading them costs, measured at start-up. All tick in nanoseconds. */
final class Clocks {
    private static final long HZ = 1_000_000_000L;
    private static final int PAIRS = 501;
    /** Readings until the compiler has taken the clocks' code. */
    private static final int WARM = 20_000;

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final boolean cpu = threads.isCurrentThreadCpuTimeSupported();
    private final boolean allocated = threads.isThreadAllocatedMemorySupported();

    /** One batch: what the clocks showed. Reused, so that reading makes no garbage. */
    static final class Reading {
        long ticks;
        long cpu;
        long allocated;
    }

    Clocks() {
        if (allocated) {
            threads.setThreadAllocatedMemoryEnabled(true);
        }
        if (cpu) {
            threads.setThreadCpuTimeEnabled(true);
        }
    }

    boolean hasCpu() {
        return cpu;
    }

    boolean hasAllocated() {
        return allocated;
    }

    /** Processor time of the calling thread in ns; 0 where it cannot be read. */
    long ownTime() {
        return cpu ? threads.getCurrentThreadCpuTime() : 0;
    }

    /** Times n iterations; the wall clock is the innermost. */
    void time(Engine engine, int n, Reading reading) throws Exception {
        long allocatedBefore = allocated ? threads.getCurrentThreadAllocatedBytes() : 0;
        long cpuBefore = cpu ? threads.getCurrentThreadCpuTime() : 0;
        long before = System.nanoTime();
        engine.run(n);
        long after = System.nanoTime();
        reading.cpu = cpu ? threads.getCurrentThreadCpuTime() - cpuBefore : 0;
        reading.allocated = allocated ? threads.getCurrentThreadAllocatedBytes() - allocatedBefore : 0;
        reading.ticks = after - before;
    }

    /** Fields of hello for the clock and per-thread processor time (null if there is none). */
    Map<String, Map<String, Object>> describe() {
        Engine nothing = new Engine(new Job()) {
            @Override
            public void open() {}

            @Override
            public void run(int n) {}
        };
        long[] ticks = new long[PAIRS];
        long[] cpuTicks = new long[PAIRS];
        Reading reading = new Reading();
        for (int i = -WARM; i < PAIRS; i++) {
            try {
                time(nothing, 1, reading);
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
            ticks[Math.max(i, 0)] = reading.ticks;
            cpuTicks[Math.max(i, 0)] = reading.cpu;
        }
        Map<String, Map<String, Object>> clocks = new LinkedHashMap<>();
        clocks.put("clock", clock("System.nanoTime", System::nanoTime, ticks));
        clocks.put("cpu", cpu ? clock("ThreadMXBean.currentThreadCpuTime", threads::getCurrentThreadCpuTime, cpuTicks)
                : null);
        return clocks;
    }

    private static Map<String, Object> clock(String name, LongSupplier read, long[] pairs) {
        Arrays.sort(pairs);
        Map<String, Object> clock = new LinkedHashMap<>();
        clock.put("name", name);
        clock.put("hz", HZ);
        clock.put("resolution", resolution(read));
        clock.put("overhead", (double) pairs[pairs.length / 2]);
        return clock;
    }

    /** Smallest step between readings that differ. */
    private static long resolution(LongSupplier read) {
        long best = Long.MAX_VALUE;
        long last = read.getAsLong();
        for (int steps = 0, reads = 0; steps < PAIRS && reads < 100 * PAIRS; reads++) {
            long now = read.getAsLong();
            if (now > last) {
                best = Math.min(best, now - last);
                steps++;
            }
            last = now;
        }
        return best == Long.MAX_VALUE ? 1 : best;
    }
}
