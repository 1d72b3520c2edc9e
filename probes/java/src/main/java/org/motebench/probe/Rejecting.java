package org.motebench.probe;

/** An engine whose every run must reject a tag or padding: that is what is timed, and there is no output. */
final class Rejecting extends Engine {
    private final Engine engine;

    Rejecting(Job job, Engine engine) {
        super(job);
        this.engine = engine;
    }

    @Override
    public void open() throws Exception {
        engine.open();
    }

    @Override
    public void start() throws Exception {
        engine.start();
    }

    @Override
    public void run(int n) throws Exception {
        try {
            engine.run(n);
        } catch (Rejected rejected) {
            job.outLength = 0;
            return;
        }
        throw new Failure(Failure.WRONG_ANSWER, "reject: accepted a tag or padding that must be rejected");
    }
}
