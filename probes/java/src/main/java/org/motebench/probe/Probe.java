package org.motebench.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.motebench.probe.wire.Frames;

/** Answers requests, one at a time, in the order they came (docs/reference/probe-protocol.md, "Requests and replies"). */
final class Probe {
    static final String NAME = "motebench-java 0.1.0";
    private static final int PROTOCOL = 2;
    private static final int PAGE = 500;
    private static final int LONGEST_TEXT = 1000;

    /** One kind of request. */
    private interface Handler {
        Map<String, Object> handle(Request request) throws Exception;
    }

    private final Library library;
    private final Frames frames;
    private final Work.Buffers buffers = new Work.Buffers();
    private final Clocks clocks = new Clocks();
    private final Map<String, Map<String, Object>> clockFacts = clocks.describe();
    private final Map<String, Handler> handlers = new LinkedHashMap<>();

    Probe(Library library, Frames frames) {
        this.library = library;
        this.frames = frames;
        Measurement measurement = new Measurement(library, buffers, clocks);
        handlers.put("hello", this::hello);
        handlers.put("list", this::list);
        handlers.put("compute", this::compute);
        handlers.put("measure", measurement::measure);
        handlers.put("measure-turns", measurement::measureTurns);
        handlers.put("memory", measurement::memory);
        handlers.put("file", request -> new WholeFile(library, buffers).process(request));
    }

    /** Answers until the stream ends. */
    void serve() throws IOException, InterruptedException {
        Incoming incoming = new Incoming(frames);
        Map<String, Object> message;
        while ((message = incoming.next()) != null) {
            byte[] reply = answer(message);
            if (reply != null) {
                frames.send(reply);
            }
        }
    }

    /** The payload that answers a message, or null for one without a usable id. */
    byte[] answer(Map<String, Object> message) {
        if (!(message.get("id") instanceof Long id) || id < 0) {
            return null;
        }
        byte[] payload;
        try {
            payload = Frames.payload(Map.of("id", id, "ok", handle(new Request(message))));
            if (Frames.fits(payload)) {
                return payload;
            }
            payload = failure(id, Failure.TOO_BIG, "the reply does not fit a frame");
        } catch (Failure failure) {
            payload = failure(id, failure.kind(), failure.getMessage());
        } catch (OutOfMemoryError problem) {
            buffers.free();
            payload = failure(id, Failure.TOO_BIG, "the Java heap is too small: " + problem.getMessage());
        } catch (Exception | LinkageError | StackOverflowError problem) {
            payload = failure(id, Failure.ERROR, describe(problem));
        }
        return payload;
    }

    private Map<String, Object> handle(Request request) throws Exception {
        Handler handler = handlers.get(request.text("do"));
        if (handler == null) {
            throw new Failure(Failure.UNSUPPORTED, "do: this probe does not know this request");
        }
        try {
            return handler.handle(request);
        } catch (Rejected rejected) {
            throw new Failure(Failure.ERROR, "rejected");
        }
    }

    private static byte[] failure(long id, String kind, String text) {
        String words = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        return Frames.payload(Map.of("id", id, "err", Map.of("kind", kind, "text", words)));
    }

    /** The library's own words: the exception and what caused it. */
    private static String describe(Throwable problem) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = problem; each != null; each = each.getCause()) {
            text.append(text.isEmpty() ? "" : ", because of ").append(each.getClass().getSimpleName());
            if (each.getMessage() != null) {
                text.append(": ").append(each.getMessage());
            }
        }
        return text.toString();
    }

    private Map<String, Object> hello(Request request) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("proto", PROTOCOL);
        reply.put("probe", NAME);
        reply.put("impl", library.name());
        reply.put("version", library.version());
        reply.put("compiler", ProcessInfo.virtualMachine());
        reply.put("flags", ProcessInfo.flags());
        reply.put("arch", ProcessInfo.architecture());
        reply.put("clock", clockFacts.get("clock"));
        reply.put("counter", null);
        reply.put("cpu", clockFacts.get("cpu"));
        reply.put("max_frame", Frames.MAX_FRAME);
        reply.put("max_data", Work.maxData());
        reply.put("does", List.copyOf(handlers.keySet()));
        reply.put("jit", true);
        reply.put("cpu_features", (library.intrinsic() ? ProcessInfo.intrinsics()
                : "ciphers and hashes are Java code that uses no cryptographic instructions;") + " "
                + ProcessInfo.vectors());
        return reply;
    }

    private Map<String, Object> list(Request request) throws Failure {
        List<Scheme> all = library.schemes();
        int from = (int) request.uint("from", 0, all.size(), 0);
        int end = Math.min(all.size(), from + PAGE);
        List<Object> entries = new ArrayList<>();
        for (Scheme scheme : all.subList(from, end)) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", scheme.name());
            entry.put("ops", scheme.operations().stream().map(Operation::text).toList());
            entry.put("key", range(scheme.key()));
            Kem kem = scheme.kem();
            if (kem == null) {
                entry.put("nonce", range(scheme.nonce()));
                entry.put("tag", range(scheme.tag()));
            } else {
                entry.put("pair", new long[] {kem.publicKey(), kem.privateKey()});
                entry.put("outputs", new long[] {kem.ciphertext(), kem.secret()});
            }
            if (scheme.seeds()) {
                entry.put("needs_seed", false);
            }
            entry.put("block", scheme.block());
            entry.put("stream", scheme.stream());
            entries.add(entry);
        }
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("schemes", entries);
        if (end < all.size()) {
            reply.put("next", end);
        }
        return reply;
    }

    private static long[] range(Range range) {
        return new long[] {range.low(), range.high()};
    }

    private Map<String, Object> compute(Request request) throws Exception {
        Work work = new Work(library, buffers);
        boolean brief = request.flag("brief");
        if (request.flag("public")) {
            work.readKey(request);
            byte[] key = work.job().key;
            if (!work.job().scheme.key().holds(key.length)) {
                throw new Failure(Failure.UNSUPPORTED, "key: the scheme does not support this length");
            }
            buffers.reserve(0);
            work.job().out = buffers.out;
            work.job().give(work.job().scheme.maker().publicKey(key));
            return result(work, brief);
        }
        work.read(request);
        try {
            work.open();
            work.run(1);
        } catch (Rejected rejected) {
            return Map.of("rejected", true);
        }
        return result(work, brief);
    }

    private static Map<String, Object> result(Work work, boolean brief) {
        Map<String, Object> reply = new LinkedHashMap<>();
        int around = 96 + work.second().length;
        work.put(reply, brief || work.job().outLength > Frames.MAX_FRAME - around);
        reply.put("crc", work.crc());
        return reply;
    }
}
