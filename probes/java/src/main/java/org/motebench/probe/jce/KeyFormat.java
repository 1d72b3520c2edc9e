package org.motebench.probe.jce;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;

/** Keys of one algorithm from and to the formats of the protocol. */
interface KeyFormat {
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

    /** The public key that belongs to a private one, in the format of the protocol. */
    byte[] derive(byte[] privateKey) throws Exception;

    default byte[] privateBytes(KeyPair pair) throws Exception {
        return bytes(pair.getPrivate());
    }
}
