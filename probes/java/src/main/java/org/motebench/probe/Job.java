package org.motebench.probe;

/**
 * What is to be done: inputs and outputs of an operation. Bulk operations work in place, so that {@code in} is then
 * {@code out}. AEAD encryption writes the tag behind the ciphertext in {@code out}, and {@code outLength} counts both
 * until {@link Work} sets the tag apart. {@code out} has room for the input and {@link #SLACK} bytes.
 */
public final class Job {
    public static final byte[] EMPTY = new byte[0];
    /** Room behind the input for padding, tag, or a key. */
    public static final int SLACK = 8192;

    public Scheme scheme;
    public Operation operation;
    public byte[] key = EMPTY;
    public byte[] nonce = EMPTY;
    public byte[] aad = EMPTY;
    public byte[] tag = EMPTY;
    public byte[] in = EMPTY;
    public int inLength;
    public byte[] out = EMPTY;
    public int outLength;
    /** Length of the tag wanted from encryption; 0 where the scheme has none. */
    public int tagLength;

    /** Gives a result that the library returned as an array of its own. */
    public void give(byte[] result) {
        System.arraycopy(result, 0, out, 0, result.length);
        outLength = result.length;
    }
}
