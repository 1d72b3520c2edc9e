package org.motebench.probe;

/** The fill stream: the low bytes of xorshift32 (Marsaglia, Journal of Statistical Software 8(14), 2003). */
final class Fill {
    private Fill() {}

    static void fill(int seed, byte[] out, int length) {
        int state = seed;
        for (int i = 0; i < length; i++) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            out[i] = (byte) state;
        }
    }
}
