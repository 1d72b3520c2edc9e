package org.motebench.probe;

/**
 * Drives a library for one job: open once per key, then start and run any number of times, each run followed by collect;
 * or, for whole files, open, start, update as often as needed, finish. Only run is timed, and does nothing but the
 * operation. Any exception but {@link Rejected} and {@link Failure} is the library's error.
 */
public abstract class Engine {
    /** Bytes from an update or from the end of a message; the array may be longer and belongs to the engine. */
    public record Piece(byte[] bytes, int length) {
        public static final Piece EMPTY = new Piece(new byte[0], 0);

        public static Piece of(byte[] bytes) {
            return bytes == null ? EMPTY : new Piece(bytes, bytes.length);
        }
    }

    protected final Job job;

    protected Engine(Job job) {
        this.job = job;
    }

    /** Work done once per key; not timed. */
    public abstract void open() throws Exception;

    /** Work done once per message; not timed. */
    public void start() throws Exception {}

    /** The operation, n times. */
    public abstract void run(int n) throws Exception;

    /** Brings the result of the last iteration to the job's output; not timed. */
    public void collect() throws Exception {}

    /** More of a whole file. */
    public Piece update(byte[] in, int length) throws Exception {
        throw new Failure(Failure.UNSUPPORTED, "scheme: cannot be processed in pieces");
    }

    /** The end of a whole file: what is left of the output, or the digest, MAC or signature. */
    public Piece finish() throws Exception {
        throw new Failure(Failure.UNSUPPORTED, "scheme: cannot be processed in pieces");
    }
}
