package org.motebench.probe.jce;

import java.security.GeneralSecurityException;
import java.security.Provider;
import javax.crypto.Cipher;

/**
 * A cipher as JCE knows it. {@code bulk} and {@code message} are transformations for long data and for whole messages
 * (they differ in padding only); {@code keyAlgorithm} is the name a key carries; {@code nonceBytes} a length of nonce
 * that is always taken.
 */
public record CipherAlgorithm(
        Provider provider, String bulk, String message, String keyAlgorithm, Parameters parameters, int nonceBytes,
        Repeat repeat, Kind kind) {

    /** Cases in which Cipher.init accepts the key and the nonce of the message before. */
    public enum Repeat {
        ALWAYS,
        /** Not to encrypt, because a nonce must not be used twice. */
        DECRYPT_ONLY,
        NEVER
    }

    /** The end of a message. */
    public enum Kind {
        PLAIN,
        AEAD,
        /** An AEAD that keeps a block back until it knows whether it is the last: bulk data are not offered. */
        LAGGING_AEAD,
        /** An AEAD that works on whole messages only, so that bulk data are whole messages too. */
        WHOLE_AEAD
    }

    boolean isAead() {
        return kind != Kind.PLAIN;
    }

    Cipher cipher(boolean forMessages) throws GeneralSecurityException {
        return Cipher.getInstance(forMessages ? message : bulk, provider);
    }
}
