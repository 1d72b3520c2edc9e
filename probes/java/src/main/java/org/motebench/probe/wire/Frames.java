package org.motebench.probe.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;

/**
 * Messages on a byte stream (docs/reference/probe-protocol.md, "Frames"): CBOR, CRC-16, COBS, zero-delimited. What does not decode is
 * dropped, and reading goes on at the next zero byte.
 */
public final class Frames {
    /** Longest payload and check taken or sent, in bytes. */
    public static final int MAX_FRAME = 1 << 20;

    private static final int CHECK_BYTES = 2;
    private static final int FIRST_BYTES = 4096;

    private final InputStream in;
    private final OutputStream out;
    private final byte[] chunk = new byte[1 << 16];
    private int chunkAt;
    private int chunkEnd;
    private byte[] piece = new byte[FIRST_BYTES];
    private int pieceLength;

    public Frames(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** The next message, or null at the end of the stream. */
    public Map<String, Object> receive() throws IOException {
        boolean overlong = false;
        pieceLength = 0;
        while (true) {
            if (chunkAt == chunkEnd) {
                chunkAt = 0;
                chunkEnd = in.read(chunk);
                if (chunkEnd <= 0) {
                    chunkEnd = 0;
                    return null;
                }
            }
            byte next = chunk[chunkAt++];
            if (next != 0) {
                overlong = overlong || !keep(next);
                continue;
            }
            Map<String, Object> message = overlong ? null : decode(piece, pieceLength);
            if (message != null) {
                return message;
            }
            overlong = false;
            pieceLength = 0;
        }
    }

    private boolean keep(byte next) {
        if (pieceLength == piece.length) {
            int most = Cobs.encodedBound(MAX_FRAME);
            if (pieceLength == most) {
                return false;
            }
            piece = Arrays.copyOf(piece, Math.min(2 * pieceLength, most));
        }
        piece[pieceLength++] = next;
        return true;
    }

    /** The map in what stood between two delimiters, or null if it is damaged; the bytes are used up. */
    static Map<String, Object> decode(byte[] data, int stuffed) {
        int length = Cobs.decode(data, stuffed);
        if (length <= CHECK_BYTES || length > MAX_FRAME) {
            return null;
        }
        int payload = length - CHECK_BYTES;
        int check = (data[payload] & 0xFF) << 8 | data[payload + 1] & 0xFF;
        if (Crc16.of(data, payload) != check) {
            return null;
        }
        try {
            return CborReader.map(data, payload);
        } catch (CborReader.Malformed problem) {
            return null;
        }
    }

    /** Payload of a message, to be sent if it {@link #fits}. */
    public static byte[] payload(Map<String, ?> message) {
        return CborWriter.bytes(message);
    }

    public static boolean fits(byte[] payload) {
        return payload.length + CHECK_BYTES <= MAX_FRAME;
    }

    /** Sends one frame. */
    public void send(byte[] payload) throws IOException {
        byte[] frame = encode(payload);
        out.write(frame, 0, frame.length);
        out.flush();
    }

    static byte[] encode(byte[] payload) {
        byte[] checked = Arrays.copyOf(payload, payload.length + CHECK_BYTES);
        int crc = Crc16.of(payload, payload.length);
        checked[payload.length] = (byte) (crc >> 8);
        checked[payload.length + 1] = (byte) crc;
        byte[] frame = new byte[Cobs.encodedBound(checked.length) + 2];
        int end = Cobs.encode(checked, checked.length, frame, 1);
        return Arrays.copyOf(frame, end + 1);
    }
}
