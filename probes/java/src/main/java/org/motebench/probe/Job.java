package org.motebench.probe;

/**
 * Inputs and outputs of an operation. Bulk operations work in place, so that {@code in} is then
 * {@code out}. AEAD encryption writes the tag behind the ciphertext in {@code out}, and {@code
 * outLength} counts both until {@link Work} sets the tag apart. {@code out} has room for the input
 * and {@link #SLACK} bytes.
 */
public final class Job {
    public static final byte[] EMPTY = new byte[0];
    /** Room behind the input for padding, tag, key or signature; the longest of SLH-DSA has 49,856 bytes. */
    public static final int SLACK = 65536;

    public Scheme scheme;
    public Operation operation;
    public byte[] key = EMPTY;
    public byte[] nonce = EMPTY;
    public byte[] aad = EMPTY;
    /** The tag that a decryption checks. */
    public byte[] tag = EMPTY;
    /** The signature to verify. */
    public byte[] signature = EMPTY;
    /** The other side's public key. */
    public byte[] peer = EMPTY;
    /** The ciphertext of a key encapsulation mechanism. */
    public byte[] ciphertext = EMPTY;
    /** Context string that a signature binds beside the message. */
    public byte[] context = EMPTY;
    /** Random bytes for key generation or encapsulation; empty: the library draws its own. */
    public byte[] seed = EMPTY;
    public byte[] in = EMPTY;
    public int inLength;
    public byte[] out = EMPTY;
    public int outLength;
    /** The second output of a key encapsulation mechanism: the secret of ENCAPSULATE, the public key of KEYGEN. */
    public byte[] second = EMPTY;
    /** Length of the tag wanted from encryption; 0 where the scheme has none. */
    public int tagLength;

    /** Gives a result that the library returned as an array of its own. */
    public void give(byte[] result) {
        System.arraycopy(result, 0, out, 0, result.length);
        outLength = result.length;
    }
}
