package org.motebench.probe.jce;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import org.motebench.probe.Failure;
import org.motebench.probe.Job;

/** Keys of one algorithm from and to the formats of the protocol. */
public interface KeyFormat {
    PrivateKey privateKey(byte[] bytes) throws Exception;

    PublicKey publicKey(byte[] bytes) throws Exception;

    /** The key of the other side of an agreement. {@link org.motebench.probe.Rejected} if these bytes are no public key. */
    default PublicKey peerKey(byte[] bytes) throws Exception {
        return publicKey(bytes);
    }

    byte[] bytes(PrivateKey key) throws Exception;

    byte[] bytes(PublicKey key) throws Exception;

    /** Makes new keys of this algorithm and size. */
    KeyPairGenerator generator() throws Exception;

    /** Bytes of the seed that key generation takes; 0: it takes none. */
    default int seedLength() {
        return 0;
    }

    /** Makes the keys of this seed, as long as {@link #seedLength} says. */
    default KeyPairGenerator generator(byte[] seed) throws Exception {
        throw new Failure(Failure.UNSUPPORTED, "seed: the implementation takes none");
    }

    /** Generator of the keys of a job: from its seed, if it has one. */
    default KeyPairGenerator generator(Job job) throws Exception {
        if (job.seed.length == 0) {
            return generator();
        }
        if (job.seed.length != seedLength()) {
            throw new Failure(Failure.UNSUPPORTED, "seed: not " + seedLength() + " bytes");
        }
        return generator(job.seed);
    }

    /** The public key that belongs to a private one, in the format of the protocol. */
    byte[] derive(byte[] privateKey) throws Exception;

    default byte[] privateBytes(KeyPair pair) throws Exception {
        return bytes(pair.getPrivate());
    }
}
