package org.motebench.probe.jce;

import java.security.SecureRandom;

/** Hands out given bytes in place of random ones, in their order, and again from the first. */
public final class GivenRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;
    private int next;

    public GivenRandom(byte[] bytes) {
        super(null, null);
        this.bytes = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] = bytes[next];
            next = (next + 1) % bytes.length;
        }
    }
}
