package org.motebench.probe;

/** A request that gets an error instead of a result: one of the kinds of the protocol, and the words for it. */
public final class Failure extends Exception {
    public static final String BAD_REQUEST = "bad-request";
    public static final String UNSUPPORTED = "unsupported";
    public static final String TOO_BIG = "too-big";
    public static final String ERROR = "error";
    public static final String WRONG_ANSWER = "wrong-answer";

    private static final long serialVersionUID = 1L;

    private final String kind;

    public Failure(String kind, String text) {
        super(text, null, false, false);
        this.kind = kind;
    }

    public String kind() {
        return kind;
    }
}
