package org.motebench.probe;

/** A tag, padding or signature did not verify: an answer, not a failure. */
public final class Rejected extends Exception {
    private static final long serialVersionUID = 1L;

    public Rejected() {
        super("rejected", null, false, false);
    }
}
