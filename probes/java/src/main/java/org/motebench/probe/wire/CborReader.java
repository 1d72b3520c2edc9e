package org.motebench.probe.wire;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what the protocol allows of CBOR (RFC 8949): definite lengths, maps with text keys, no tags. Integers become
 * Long (BigInteger beyond its range), strings byte[] and String, arrays List, maps Map, floats Double.
 */
final class CborReader {
    private static final int DEEPEST = 8;

    /** The bytes are no item that the protocol allows. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String text) {
            super(text, null, false, false);
        }
    }

    private final byte[] data;
    private final int end;
    private int at;

    private CborReader(byte[] data, int length) {
        this.data = data;
        this.end = length;
    }

    /** The one map that the bytes hold. */
    static Map<String, Object> map(byte[] data, int length) throws Malformed {
        CborReader reader = new CborReader(data, length);
        Object item = reader.item(DEEPEST);
        if (reader.at != length) {
            throw new Malformed("bytes after the item");
        }
        if (!(item instanceof Map<?, ?>)) {
            throw new Malformed("not a map");
        }
        @SuppressWarnings("unchecked") // every map that item() makes has text keys
        Map<String, Object> map = (Map<String, Object>) item;
        return map;
    }

    private Object item(int depth) throws Malformed {
        if (depth == 0) {
            throw new Malformed("nested too deep");
        }
        int head = take(1)[0] & 0xFF;
        int major = head >> 5;
        int info = head & 0x1F;
        if (major == 7) {
            return simple(info);
        }
        long value = argument(info);
        switch (major) {
            case 0:
                return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
            case 1:
                return value >= 0 ? (Object) (-1 - value) : new BigInteger(Long.toUnsignedString(value)).not();
            case 2:
                return take(value);
            case 3:
                return text(take(value));
            case 4:
                return array(value, depth);
            case 5:
                return entries(value, depth);
            default:
                throw new Malformed("a tag");
        }
    }

    private long argument(int info) throws Malformed {
        if (info < 24) {
            return info;
        }
        if (info > 27) {
            throw new Malformed("an indefinite or reserved length");
        }
        long value = 0;
        for (byte part : take(1L << info - 24)) {
            value = value << 8 | part & 0xFF;
        }
        return value;
    }

    private Object simple(int info) throws Malformed {
        switch (info) {
            case 20:
                return Boolean.FALSE;
            case 21:
                return Boolean.TRUE;
            case 22:
                return null;
            case 26:
                return (double) Float.intBitsToFloat((int) argument(info));
            case 27:
                return Double.longBitsToDouble(argument(info));
            default:
                throw new Malformed("a simple value that the protocol does not have");
        }
    }

    /** The next bytes; a length is believed only as far as there are bytes. */
    private byte[] take(long length) throws Malformed {
        if (length < 0 || length > end - at) {
            throw new Malformed("ends too early");
        }
        byte[] piece = Arrays.copyOfRange(data, at, at + (int) length);
        at += (int) length;
        return piece;
    }

    private static String text(byte[] bytes) throws Malformed {
        try {
            return StandardCharsets.UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException problem) {
            throw new Malformed("text that is not UTF-8");
        }
    }

    private List<Object> array(long count, int depth) throws Malformed {
        if (count < 0 || count > end - at) {
            throw new Malformed("ends too early");
        }
        List<Object> list = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            list.add(item(depth - 1));
        }
        return list;
    }

    private Map<String, Object> entries(long count, int depth) throws Malformed {
        if (count < 0 || count > end - at) {
            throw new Malformed("ends too early");
        }
        Map<String, Object> map = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            if (!(item(depth - 1) instanceof String key)) {
                throw new Malformed("a key that is not text");
            }
            Object value = item(depth - 1);
            if (map.containsKey(key)) {
                throw new Malformed("a key twice");
            }
            map.put(key, value);
        }
        return map;
    }
}
