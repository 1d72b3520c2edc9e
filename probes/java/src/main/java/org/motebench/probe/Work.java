package org.motebench.probe;

import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * A job read from a request, with the engine that does it. Runs it from a fresh start, with the tag set apart and the
 * CRC of what came out. The buffers are kept from request to request.
 */
final class Work {
    private static final long MIB = 1 << 20;
    private static final int DEFAULT_TAG = 16;

    /** Input as it was given, and output; grown when needed. */
    static final class Buffers {
        byte[] in = Job.EMPTY;
        byte[] out = Job.EMPTY;

        void reserve(int length) {
            if (in.length < length) {
                in = new byte[length];
            }
            if (out.length < length + Job.SLACK) {
                out = new byte[length + Job.SLACK];
            }
        }

        /** Gives the memory back, as after one request that was too big. */
        void free() {
            in = Job.EMPTY;
            out = Job.EMPTY;
        }
    }

    /** Longest data: input, output and what a library copies have to fit the heap. */
    static int maxData() {
        long room = Runtime.getRuntime().maxMemory() / 8;
        return (int) (Math.max(1, Math.min(room / MIB, 256)) * MIB);
    }

    private final Library library;
    private final Buffers buffers;
    private final Job job = new Job();
    private Engine engine;
    private byte[] second = Job.EMPTY;
    private boolean rejects;

    Work(Library library, Buffers buffers) {
        this.library = library;
        this.buffers = buffers;
    }

    Job job() {
        return job;
    }

    /** Scheme and key alone. */
    void readKey(Request request) throws Failure {
        String name = request.text("scheme");
        job.scheme = library.schemes().stream().filter(each -> each.name().equals(name)).findFirst()
                .orElseThrow(() -> new Failure(Failure.UNSUPPORTED, "scheme: not offered"));
        job.key = request.bytes("key");
    }

    /** Everything but the data. */
    void readJob(Request request, Operation operation) throws Failure {
        readKey(request);
        Scheme scheme = job.scheme;
        job.operation = operation;
        if (!scheme.operations().contains(operation)) {
            throw new Failure(Failure.UNSUPPORTED, "op: not offered for this scheme");
        }
        job.nonce = request.bytes("nonce");
        job.aad = request.bytes("aad");
        job.tag = request.bytes("tag");
        job.signature = request.bytes("signature");
        job.peer = request.bytes("peer");
        job.ciphertext = request.bytes("ciphertext");
        job.context = operation.takesContext() ? request.bytes("context") : Job.EMPTY;
        job.seed = operation.takesSeed() ? request.bytes("seed") : Job.EMPTY;
        job.tagLength = tagLength(request);
        boolean keyed = operation != Operation.KEYGEN && operation != Operation.DIGEST;
        if (keyed && !scheme.key().holds(job.key.length)) {
            throw new Failure(Failure.UNSUPPORTED, "key: the scheme does not support this length");
        }
        if (operation.usesNonce() && !scheme.nonce().holds(job.nonce.length)) {
            throw new Failure(Failure.UNSUPPORTED, "nonce: the scheme does not support this length");
        }
        // A scheme that has contexts says in `nonce` how long they may be.
        if (operation.takesContext() && !scheme.nonce().holds(job.context.length)) {
            throw new Failure(Failure.UNSUPPORTED, "context: a length that the scheme does not take");
        }
        if (job.seed.length > 0 && !scheme.seeds()) {
            throw new Failure(Failure.UNSUPPORTED, "seed: the implementation takes none");
        }
        boolean tagged = operation.usesNonce() && scheme.tag().high() > 0;
        if (operation.usesNonce() && !tagged && job.aad.length > 0) {
            throw new Failure(Failure.UNSUPPORTED, "aad: the scheme has no additional data");
        }
    }

    private int tagLength(Request request) throws Failure {
        Range tags = job.scheme.tag();
        long wanted = request.uint("tag_len", 0, 0xFFFF, DEFAULT_TAG);
        if (!job.operation.usesNonce() || tags.high() == 0) {
            return 0;
        }
        if (request.has("tag_len") && !tags.holds(wanted)) {
            throw new Failure(Failure.UNSUPPORTED, "tag_len: the scheme does not support this length");
        }
        return (int) Math.max(tags.low(), Math.min(tags.high(), wanted));
    }

    /** A whole job with its data, inverted if asked. */
    void read(Request request) throws Exception {
        Operation operation = Operation.named(request.text("op"));
        if (operation == null) {
            throw new Failure(Failure.UNSUPPORTED, "op: unknown");
        }
        readJob(request, operation);
        readData(request);
        if (operation.isBulk() && job.inLength % job.scheme.block() != 0) {
            throw new Failure(Failure.UNSUPPORTED, "data: not a multiple of the block length");
        }
        if (request.flag("inverse")) {
            invert();
        }
    }

    private void readData(Request request) throws Failure {
        byte[] data = Job.EMPTY;
        long seed = 0;
        long length;
        if (request.has("fill")) {
            long[] fill = request.uints("fill", 2);
            seed = fill[0];
            length = fill[1];
            if (seed == 0 || seed > 0xFFFFFFFFL) {
                throw Request.bad("fill", "the seed is not in 1..4294967295");
            }
        } else {
            data = request.bytes("data");
            length = data.length;
        }
        if (length > maxData()) {
            throw new Failure(Failure.TOO_BIG, length + " B of input; this Java heap allows " + maxData() + " B");
        }
        job.inLength = (int) length;
        buffers.reserve(job.inLength);
        if (seed != 0) {
            Fill.fill((int) seed, buffers.in, job.inLength);
        } else {
            System.arraycopy(data, 0, buffers.in, 0, data.length);
        }
        assign();
    }

    private void assign() {
        job.out = buffers.out;
        job.in = job.operation.isBulk() ? buffers.out : buffers.in;
    }

    /** Makes the input of a decryption what the opposite operation makes of the data. */
    private void invert() throws Exception {
        Operation operation = job.operation;
        if (!operation.isDecryption()) {
            throw Request.bad("inverse", "only for decrypt and decrypt-message");
        }
        job.operation = operation == Operation.DECRYPT ? Operation.ENCRYPT : Operation.ENCRYPT_MESSAGE;
        assign();
        open();
        run(1);
        int length = job.outLength;
        if (buffers.in.length < length) {
            buffers.in = new byte[length];
        }
        System.arraycopy(buffers.out, 0, buffers.in, 0, length);
        job.inLength = length;
        buffers.reserve(length);
        job.tag = second;
        job.operation = operation;
        assign();
    }

    /** Every iteration from the next opening on must reject. */
    void expectRejection() {
        rejects = true;
    }

    /** Key set-up and whatever else precedes the operation. */
    void open() throws Exception {
        Engine maker = job.scheme.maker().engine(job);
        engine = rejects ? new Rejecting(job, maker) : maker;
        engine.open();
    }

    Engine engine() {
        return engine;
    }

    /** Restores the input and begins a new message; not timed. */
    void restart() throws Exception {
        if (job.operation.isBulk()) {
            System.arraycopy(buffers.in, 0, buffers.out, 0, job.inLength);
        }
        job.outLength = 0;
        engine.start();
    }

    /** The operation, n times from a fresh start, and its output. */
    void run(int n) throws Exception {
        restart();
        engine.run(n);
        collect();
    }

    /** Output of the last iteration, with the tag set apart. */
    void collect() throws Exception {
        job.second = Job.EMPTY;
        engine.collect();
        second = job.second;
        if (job.operation.givesTag() && job.tagLength > 0) {
            int end = job.outLength;
            job.outLength = end - job.tagLength;
            second = Arrays.copyOfRange(job.out, job.outLength, end);
        }
    }

    boolean hasTag() {
        return job.operation != null && job.operation.givesTag() && job.tagLength > 0;
    }

    /** A random result may be another one each time. */
    boolean isRandom() {
        return job.operation.isRandom() && job.seed.length == 0;
    }

    /** The tag, or the second output of a key encapsulation mechanism. */
    byte[] second() {
        return second;
    }

    byte[] output() {
        return Arrays.copyOf(job.out, job.outLength);
    }

    /** Puts both outputs under their names into a reply; a public key if no operation was done. */
    void put(Map<String, Object> reply, boolean brief) {
        if (brief) {
            reply.put("len", job.outLength);
        } else {
            reply.put(job.operation == null ? "public" : job.operation.output(), output());
        }
        if (hasTag() || second.length > 0) {
            reply.put(job.operation.secondOutput(), second);
        }
    }

    /** CRC-32 of the output followed by the second one. */
    long crc() {
        CRC32 crc = new CRC32();
        crc.update(job.out, 0, job.outLength);
        crc.update(second);
        return crc.getValue();
    }
}
