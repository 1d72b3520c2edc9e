package org.motebench.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.motebench.probe.jce.SunJce;
import org.motebench.probe.wire.Frames;

/** Requests and their answers, over the wire. */
final class ProbeTest {
    private static Probe probe;

    @BeforeAll
    static void start() {
        probe = new Probe(SunJce.library(), new Frames(InputStream.nullInputStream(), new ByteArrayOutputStream()));
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static Map<String, Object> request(Object... pairs) {
        Map<String, Object> request = new LinkedHashMap<>(Map.of("id", 1L));
        for (int i = 0; i < pairs.length; i += 2) {
            request.put((String) pairs[i], pairs[i + 1]);
        }
        return request;
    }

    private static Map<String, Object> answer(Map<String, Object> request) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        new Frames(InputStream.nullInputStream(), sent).send(probe.answer(request));
        Map<String, Object> reply = new Frames(new ByteArrayInputStream(sent.toByteArray()), sent).receive();
        assertEquals(request.get("id"), reply.get("id"));
        return reply;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> ok(Object... pairs) throws IOException {
        Map<String, Object> reply = answer(request(pairs));
        assertTrue(reply.containsKey("ok"), reply.toString());
        return (Map<String, Object>) reply.get("ok");
    }

    private static Map<?, ?> error(Object... pairs) throws IOException {
        Map<String, Object> reply = answer(request(pairs));
        assertTrue(reply.containsKey("err"), reply.toString());
        return (Map<?, ?>) reply.get("err");
    }

    @Test
    void helloSaysWhoAnswers() throws IOException {
        Map<String, Object> hello = ok("do", "hello", "proto", 2L);
        assertEquals(2L, hello.get("proto"));
        assertEquals("sunjce", hello.get("impl"));
        assertEquals(Boolean.TRUE, hello.get("jit"));
        assertEquals(1_000_000_000L, ((Map<?, ?>) hello.get("clock")).get("hz"));
        assertTrue(((List<?>) hello.get("does")).contains("measure"));
    }

    /** Several requests, sent before the stream ended. */
    @Test
    void whatCameBeforeTheEndOfTheStreamIsAnswered() throws Exception {
        ByteArrayOutputStream asked = new ByteArrayOutputStream();
        Frames sender = new Frames(InputStream.nullInputStream(), asked);
        for (long id = 1; id <= 5; id++) {
            sender.send(Frames.payload(Map.of("id", id, "do", "hello", "proto", 2L)));
        }
        ByteArrayOutputStream replied = new ByteArrayOutputStream();
        Frames frames = new Frames(new ByteArrayInputStream(asked.toByteArray()), replied);
        new Probe(SunJce.library(), frames).serve();
        Frames receiver = new Frames(new ByteArrayInputStream(replied.toByteArray()), new ByteArrayOutputStream());
        for (long id = 1; id <= 5; id++) {
            assertEquals(id, receiver.receive().get("id"));
        }
        assertNull(receiver.receive());
    }

    /** Seed 1, as docs/reference/probe-protocol.md says. */
    @Test
    void theFillStream() {
        byte[] out = new byte[8];
        Fill.fill(1, out, out.length);
        assertArrayEquals(hex("2101c54fd1d01ab2"), out);
    }

    /** FIPS 180-4's example. */
    @Test
    void aDigest() throws IOException {
        Map<String, Object> reply = ok("do", "compute", "scheme", "sha256", "op", "digest", "data", hex("616263"));
        assertArrayEquals(hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
                (byte[]) reply.get("out"));
    }

    /** SP 800-38A, F.2.1: the first block. */
    @Test
    void aBlockBothWays() throws IOException {
        Object[] job = {"do", "compute", "scheme", "aes-128-cbc", "op", "encrypt",
            "key", hex("2b7e151628aed2a6abf7158809cf4f3c"), "nonce", hex("000102030405060708090a0b0c0d0e0f"),
            "data", hex("6bc1bee22e409f96e93d7e117393172a")};
        byte[] encrypted = (byte[]) ok(job).get("out");
        assertArrayEquals(hex("7649abac8119b246cee98e9b12e9197d"), encrypted);
        job[5] = "decrypt";
        job[11] = encrypted;
        assertArrayEquals(hex("6bc1bee22e409f96e93d7e117393172a"), (byte[]) ok(job).get("out"));
    }

    @Test
    void aWrongTagIsRejectedWithoutOutput() throws IOException {
        Map<String, Object> reply = ok("do", "compute", "scheme", "aes-128-gcm", "op", "decrypt-message",
                "key", new byte[16], "nonce", new byte[12], "data", new byte[16], "tag", new byte[16]);
        assertEquals(Map.of("rejected", true), reply);
    }

    @Test
    void aRejectionIsTimedWhereItIsExpected() throws IOException {
        Object[] job = {"do", "measure", "scheme", "aes-128-gcm", "op", "decrypt-message", "key", new byte[16],
            "nonce", new byte[12], "data", new byte[16], "tag", new byte[16], "reject", true, "batch", 1L, "count", 2L};
        Map<String, Object> reply = ok(job);
        assertEquals(2, ((List<?>) reply.get("ticks")).size());
        assertEquals(0L, reply.get("len"));
        job[17] = 2L;
        assertEquals("bad-request", error(job).get("kind"));
        Map<?, ?> accepted = error("do", "measure", "scheme", "aes-128-ecb", "op", "encrypt", "key", new byte[16],
                "data", new byte[16], "reject", true);
        assertEquals("wrong-answer", accepted.get("kind"));
        assertTrue(((String) accepted.get("text")).contains("accepted"), accepted.toString());
    }

    @Test
    void keySetUpOfAnAeadNeedsNoTag() throws IOException {
        Map<String, Object> reply = ok("do", "measure", "scheme", "aes-128-gcm", "op", "key-setup", "key", new byte[16],
                "batch", 3L, "count", 2L);
        assertEquals(2, ((List<?>) reply.get("ticks")).size());
        assertEquals(0L, reply.get("len"));
    }

    @Test
    void measuringGivesAsManyReadingsAsAsked() throws IOException {
        Map<String, Object> reply = ok("do", "measure", "scheme", "aes-128-cbc", "op", "encrypt", "key", new byte[16],
                "nonce", new byte[16], "fill", List.of(1L, 64L), "batch", 3L, "count", 5L, "warm", 2L);
        for (String readings : new String[] {"ticks", "cpu", "alloc"}) {
            assertEquals(5, ((List<?>) reply.get(readings)).size(), readings);
        }
        List<?> process = (List<?>) reply.get("process");
        assertTrue((long) process.get(0) > 0 && (long) process.get(1) > 0);
        assertEquals(64L, reply.get("len"));
        assertTrue(!reply.containsKey("reference_loop"));
    }

    @Test
    void inputsTakeTurns() throws IOException {
        Map<String, Object> first = Map.of("scheme", "aes-128-gcm", "op", "decrypt-message", "key", new byte[16],
                "nonce", new byte[12], "fill", List.of(2L, 64L), "inverse", true);
        Map<String, Object> second = new HashMap<>(first);
        second.put("fill", List.of(3L, 64L));
        Map<String, Object> forged = new HashMap<>(first);
        forged.remove("inverse");
        forged.put("tag", new byte[16]);
        Object[] job = {"do", "measure-turns", "scheme", "aes-128-gcm", "op", "decrypt-message", "key", new byte[16],
            "nonce", new byte[12], "fill", List.of(1L, 64L), "inverse", true, "batch", 3L, "count", 2L, "turns", 2L,
            "inputs", List.of(first, second)};
        Map<String, Object> reply = ok(job);
        assertEquals(2, ((List<?>) reply.get("ticks")).size());
        assertEquals(64L, reply.get("len"));
        job[21] = List.of(first, forged);
        assertEquals("error", error(job).get("kind"), "each input is used");
        job[21] = List.of(first);
        assertEquals("bad-request", error(job).get("kind"));
        job[21] = List.of(first, 1L);
        assertEquals("bad-request", error(job).get("kind"));
    }

    @Test
    void theReferenceLoopIsTimedBesideEachBatchWhereItIsAskedFor() throws IOException {
        Object[] job = {"do", "measure", "scheme", "sha256", "op", "digest", "fill", List.of(1L, 64L), "count", 3L,
            "reference_loop", true};
        List<?> loops = (List<?>) ok(job).get("reference_loop");
        assertEquals(3, loops.size());
        assertTrue(loops.stream().allMatch(ticks -> (long) ticks > 0), loops.toString());
        job[11] = 1L;
        assertEquals("bad-request", error(job).get("kind"));
    }

    /** A toy: keys and secrets are single bytes, the ciphertext is the seed, or a number that rises. */
    private static Library toyKem() {
        Scheme.Maker maker = job -> new Engine(job) {
            private byte drawn;

            @Override
            public void open() {}

            @Override
            public void run(int n) {
                for (int i = 0; i < n; i++) {
                    drawn = job.seed.length > 0 ? job.seed[0] : (byte) (drawn + 1);
                }
            }

            @Override
            public void collect() {
                job.give(job.operation == Operation.DECAPSULATE ? new byte[] {(byte) (job.ciphertext[0] ^ 5)}
                        : new byte[] {drawn, drawn});
                if (job.operation != Operation.DECAPSULATE) {
                    job.second = new byte[] {(byte) (drawn ^ 5)};
                }
            }
        };
        Set<Operation> operations = Set.of(Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE);
        return new Library("toy", "1", false, List.of(new Scheme("toy-kem", operations, new Range(1, 2), Range.NONE,
                Range.NONE, 1, false, maker, new Kem(1, 2, 2, 1), true)));
    }

    private static Map<?, ?> toy(Object... pairs) throws IOException {
        Probe toy = new Probe(toyKem(), new Frames(InputStream.nullInputStream(), new ByteArrayOutputStream()));
        Map<String, Object> request = request(pairs);
        request.put("scheme", "toy-kem");
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        new Frames(InputStream.nullInputStream(), sent).send(toy.answer(request));
        Map<?, ?> reply = new Frames(new ByteArrayInputStream(sent.toByteArray()), sent).receive();
        return (Map<?, ?>) reply.get("ok");
    }

    @Test
    void encapsulationHasTwoOutputs() throws IOException {
        Map<?, ?> reply = toy("do", "compute", "op", "encapsulate", "key", new byte[1], "seed",
                new byte[] {7});
        assertArrayEquals(new byte[] {7, 7}, (byte[]) reply.get("ciphertext"));
        assertArrayEquals(new byte[] {2}, (byte[]) reply.get("secret"));
        CRC32 crc = new CRC32();
        crc.update(new byte[] {7, 7, 2});
        assertEquals(crc.getValue(), reply.get("crc"));
        reply = toy("do", "compute", "op", "decapsulate", "key", new byte[2], "ciphertext",
                new byte[] {7, 7});
        assertArrayEquals(new byte[] {2}, (byte[]) reply.get("secret"));
        assertEquals(Set.of("secret", "crc"), reply.keySet());
        reply = toy("do", "measure", "op", "keygen", "batch", 2L);
        assertEquals(2L, reply.get("len"));
        assertTrue(reply.containsKey("private") && reply.containsKey("public"));
        reply = toy("do", "measure", "op", "keygen", "seed", new byte[1]);
        assertEquals(false, reply.containsKey("private"));
    }

    @Test
    void aKemListsItsSizes() throws IOException {
        Map<?, ?> reply = toy("do", "list", "from", 0L);
        Map<?, ?> entry = (Map<?, ?>) ((List<?>) reply.get("schemes")).get(0);
        assertEquals(List.of(1L, 2L), entry.get("pair"));
        assertEquals(List.of(2L, 1L), entry.get("outputs"));
        assertEquals(false, entry.get("needs_seed"));
        assertEquals(false, entry.containsKey("nonce") || entry.containsKey("tag"));
    }

    @Test
    void aSeedOrContextThatIsNotTakenIsNotIgnored() throws IOException {
        assertEquals("unsupported", error("do", "compute", "scheme", "ed25519", "op", "keygen", "seed", new byte[32])
                .get("kind"));
        assertEquals("unsupported", error("do", "compute", "scheme", "ed25519", "op", "sign", "key", new byte[32],
                "context", new byte[1]).get("kind"));
    }

    /** A library whose operation takes 500 ticks of a virtual clock. */
    private static Library slow(long[] now) {
        Scheme.Maker maker = job -> new Engine(job) {
            @Override
            public void open() {}

            @Override
            public void run(int n) {
                now[0] += 500L * n;
                job.outLength = 0;
            }
        };
        Range any = new Range(0, 64);
        return new Library("slow", "1", false,
                List.of(new Scheme("slow", Set.of(Operation.DIGEST), any, any, any, 1, false, maker)));
    }

    /** A batch of one is a third of the request: the rest is before and after it. */
    @ParameterizedTest
    @CsvSource({"1,0,1,500", "4,3,1,2000", "2,1,3,1000"})
    void measuringSaysWhatTheRequestDoesBesideItsBatches(long batch, long warm, long count, long before)
            throws Exception {
        long[] now = {0};
        Measurement measurement = new Measurement(slow(now), new Work.Buffers(), new Clocks(), () -> now[0]);
        Map<String, Object> reply = measurement.measure(new Request(request("scheme", "slow", "op", "digest",
                "fill", List.of(1L, 64L), "batch", batch, "warm", warm, "count", count)));
        assertEquals(before, reply.get("before"));
        assertEquals(500L, reply.get("after"));
        assertEquals(500L * (2 + warm + batch * count), now[0]);
    }

    /**
     * Java objects have a known size: an array of its length and a head of at most 24 bytes,
     * aligned to 8.
     */
    @Test
    void allocatedBytesAreThoseOfAKnownLoad() throws Exception {
        int each = 100_000;
        Clocks clocks = new Clocks();
        Clocks.Reading reading = new Clocks.Reading();
        Engine load = new Engine(new Job()) {
            private byte[] last;

            @Override
            public void open() {}

            @Override
            public void run(int n) {
                for (int i = 0; i < n; i++) {
                    last = new byte[each];
                }
                job.outLength = last.length;
            }
        };
        clocks.time(load, 10, reading);
        assertTrue(reading.allocated >= 10L * each && reading.allocated <= 10L * (each + 32) + 1000,
                reading.allocated + " B");
    }

    @Test
    void heapAndMemoryAreThere() throws IOException {
        Map<String, Object> reply = ok("do", "memory", "scheme", "sha256", "op", "digest", "fill", List.of(1L, 64L));
        assertTrue((long) reply.get("floor") <= (long) reply.get("peak"));
        assertTrue((long) reply.get("heap") > 0);
        assertTrue((long) reply.get("total") >= 1 << 20);
    }

    @ParameterizedTest
    @CsvSource({"dance,,unsupported", "compute,no-such-scheme,unsupported", "compute,,bad-request"})
    void whatCannotBeAnsweredHasAKind(String what, String scheme, String kind) throws IOException {
        Map<?, ?> error = scheme == null ? error("do", what, "op", "digest")
                : error("do", what, "scheme", scheme, "op", "digest");
        assertEquals(kind, error.get("kind"));
    }

    @Test
    void fieldsAreChecked() throws IOException {
        assertEquals("bad-request", error("do", 5L).get("kind"));
        assertEquals("bad-request",
                error("do", "compute", "scheme", "sha256", "op", "digest", "data", "text").get("kind"));
        assertEquals("bad-request",
                error("do", "compute", "scheme", "sha256", "op", "digest", "fill", List.of(0L, 5L)).get("kind"));
        assertEquals("unsupported", error("do", "compute", "scheme", "aes-128-cbc", "op", "encrypt", "key",
                new byte[5], "nonce", new byte[16], "data", new byte[16]).get("kind"));
        assertEquals("unsupported", error("do", "compute", "scheme", "aes-128-cbc", "op", "encrypt", "key",
                new byte[16], "nonce", new byte[16], "data", new byte[15]).get("kind"));
        assertEquals("too-big", error("do", "compute", "scheme", "sha256", "op", "digest", "fill",
                List.of(1L, 1L << 40)).get("kind"));
        assertEquals("bad-request", error("do", "measure", "scheme", "sha256", "op", "digest", "batch", 0L)
                .get("kind"));
    }

    @Test
    void aMessageWithoutAnIdHasNoAnswer() {
        assertNull(probe.answer(Map.of("do", "hello")));
        assertNull(probe.answer(Map.of("do", "hello", "id", "one")));
        assertNull(probe.answer(Map.of("do", "hello", "id", -1L)));
    }
}
