package org.motebench.probe.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes CBOR (RFC 8949) with the shortest heads: Map, List, long[], byte[], String, Long, Integer, Double, Boolean. */
final class CborWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private CborWriter() {}

    static byte[] bytes(Map<String, ?> message) {
        CborWriter writer = new CborWriter();
        writer.put(message);
        return writer.out.toByteArray();
    }

    private void put(Object value) {
        if (value == null) {
            out.write(0xF6);
        } else if (value instanceof Boolean flag) {
            out.write(flag ? 0xF5 : 0xF4);
        } else if (value instanceof Integer || value instanceof Long) {
            integer(((Number) value).longValue());
        } else if (value instanceof Double number) {
            out.write(0xFB);
            big(Double.doubleToLongBits(number), 8);
        } else if (value instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            head(3, bytes.length);
            out.writeBytes(bytes);
        } else if (value instanceof byte[] bytes) {
            head(2, bytes.length);
            out.writeBytes(bytes);
        } else if (value instanceof long[] numbers) {
            head(4, numbers.length);
            for (long number : numbers) {
                integer(number);
            }
        } else if (value instanceof List<?> list) {
            head(4, list.size());
            list.forEach(this::put);
        } else if (value instanceof Map<?, ?> map) {
            head(5, map.size());
            map.forEach((key, item) -> {
                put(key);
                put(item);
            });
        } else {
            throw new IllegalArgumentException("no CBOR for " + value.getClass());
        }
    }

    private void integer(long value) {
        if (value >= 0) {
            head(0, value);
        } else {
            head(1, -1 - value);
        }
    }

    private void head(int major, long value) {
        int size = value < 24 ? 0 : value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1L << 32 ? 4 : 8;
        int info = switch (size) {
            case 0 -> (int) value;
            case 1 -> 24;
            case 2 -> 25;
            case 4 -> 26;
            default -> 27;
        };
        out.write(major << 5 | info);
        big(value, size);
    }

    private void big(long value, int size) {
        for (int i = size - 1; i >= 0; i--) {
            out.write((int) (value >>> 8 * i));
        }
    }
}
