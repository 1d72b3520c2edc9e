package org.motebench.probe.wire;

/** Consistent Overhead Byte Stuffing (Cheshire and Baker, IEEE/ACM Transactions on Networking, 1999). */
final class Cobs {
    private static final int LONGEST = 0xFF;

    private Cobs() {}

    /** Most bytes that {@code length} bytes become. */
    static int encodedBound(int length) {
        return length + length / 254 + 1;
    }

    /** Stuffs {@code length} bytes of {@code in} into {@code out} at {@code at}; the position behind the last byte. */
    static int encode(byte[] in, int length, byte[] out, int at) {
        int code = at;
        int next = at + 1;
        for (int i = 0; i < length; i++) {
            if (next - code == LONGEST) {
                out[code] = (byte) LONGEST;
                code = next++;
            }
            if (in[i] == 0) {
                out[code] = (byte) (next - code);
                code = next++;
            } else {
                out[next++] = in[i];
            }
        }
        out[code] = (byte) (next - code);
        return next;
    }

    /** Undoes the stuffing in place; the length of what comes out, or -1 if the bytes are damaged. */
    static int decode(byte[] data, int length) {
        int from = 0;
        int to = 0;
        while (from < length) {
            int code = data[from++] & 0xFF;
            int run = code - 1;
            if (code == 0 || run > length - from) {
                return -1;
            }
            for (int i = 0; i < run; i++) {
                if (data[from] == 0) {
                    return -1;
                }
                data[to++] = data[from++];
            }
            if (code != LONGEST && from < length) {
                data[to++] = 0;
            }
        }
        return to;
    }
}
