package org.motebench.probe.jce;

import java.security.spec.AlgorithmParameterSpec;
import org.motebench.probe.Failure;

/** Form of an algorithm's nonce: the argument of Cipher.init beside the key. */
public interface Parameters {
    /** The parameters for one message, or null for an algorithm without; {@code tagLength} in bytes. */
    AlgorithmParameterSpec of(byte[] nonce, int tagLength) throws Failure;
}
