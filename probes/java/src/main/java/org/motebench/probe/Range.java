package org.motebench.probe;

/** Lengths in bytes, both ends included. */
public record Range(int low, int high) {
    public static final Range NONE = new Range(0, 0);

    public static Range of(int length) {
        return new Range(length, length);
    }

    public boolean holds(long value) {
        return value >= low && value <= high;
    }
}
