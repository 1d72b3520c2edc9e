package org.motebench.probe;

import java.util.Set;

/**
 * One scheme as a library offers it. {@code name} is the catalog's; bulk input must be a multiple of {@code block}
 * bytes; {@code stream}: whole files can be processed piece by piece; {@code kem}: the sizes of a key encapsulation
 * mechanism, null for all others; {@code seeds}: key generation and encapsulation take a seed.
 */
public record Scheme(
        String name, Set<Operation> operations, Range key, Range nonce, Range tag, int block, boolean stream,
        Maker maker, Kem kem, boolean seeds) {

    /** A scheme without seeds that is no key encapsulation mechanism. */
    public Scheme(
            String name, Set<Operation> operations, Range key, Range nonce, Range tag, int block, boolean stream,
            Maker maker) {
        this(name, operations, key, nonce, tag, block, stream, maker, null, false);
    }

    /** Maker of the library's engine for a scheme. */
    public interface Maker {
        /** An engine for the job, not yet opened. */
        Engine engine(Job job);

        /** The public key that belongs to a private one, in the formats of the protocol. */
        default byte[] publicKey(byte[] privateKey) throws Exception {
            throw new Failure(Failure.UNSUPPORTED, "public: the scheme has no public keys");
        }
    }
}
