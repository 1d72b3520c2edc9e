package org.motebench.probe;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of a request, checked when they are read. */
final class Request {
    private final Map<String, Object> fields;

    Request(Map<String, Object> fields) {
        this.fields = fields;
    }

    boolean has(String key) {
        return fields.containsKey(key);
    }

    String text(String key) throws Failure {
        if (fields.get(key) instanceof String text) {
            return text;
        }
        throw bad(key, "missing, or not text");
    }

    byte[] bytes(String key) throws Failure {
        if (!has(key)) {
            return Job.EMPTY;
        }
        if (fields.get(key) instanceof byte[] bytes) {
            return bytes;
        }
        throw bad(key, "not a byte string");
    }

    boolean flag(String key) throws Failure {
        if (!has(key)) {
            return false;
        }
        if (fields.get(key) instanceof Boolean flag) {
            return flag;
        }
        throw bad(key, "not a boolean");
    }

    long uint(String key, long low, long high, long otherwise) throws Failure {
        return has(key) ? uint(key, fields.get(key), low, high) : otherwise;
    }

    /** The entries of an array of exactly {@code count} unsigned integers. */
    long[] uints(String key, int count) throws Failure {
        if (!(fields.get(key) instanceof List<?> list) || list.size() != count) {
            throw bad(key, "not an array of " + count + " unsigned integers");
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = uint(key, list.get(i), 0, Long.MAX_VALUE);
        }
        return values;
    }

    /** The entries of an array of exactly {@code count} maps. */
    List<Request> requests(String key, int count) throws Failure {
        if (!(fields.get(key) instanceof List<?> list) || list.size() != count) {
            throw bad(key, "not an array of " + count + " maps");
        }
        List<Request> requests = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof Map<?, ?> map)) {
                throw bad(key, "not an array of " + count + " maps");
            }
            Map<String, Object> entries = new HashMap<>();
            map.forEach((name, value) -> entries.put(String.valueOf(name), value));
            requests.add(new Request(entries));
        }
        return requests;
    }

    private static long uint(String key, Object value, long low, long high) throws Failure {
        if (value instanceof Long number) {
            if (number < 0) {
                throw bad(key, "not an unsigned integer");
            }
            if (number < low || number > high) {
                throw bad(key, "out of range");
            }
            return number;
        }
        boolean tooLarge = value instanceof BigInteger big && big.signum() > 0;
        throw bad(key, tooLarge ? "out of range" : "not an unsigned integer");
    }

    static Failure bad(String key, String why) {
        return new Failure(Failure.BAD_REQUEST, key + ": " + why);
    }
}
