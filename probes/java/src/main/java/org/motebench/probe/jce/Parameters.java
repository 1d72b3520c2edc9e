package org.motebench.probe.jce;

import java.security.spec.AlgorithmParameterSpec;
import org.motebench.probe.Failure;

/** How an algorithm takes its nonce: what Cipher.init is given beside the key. */
public interface Parameters {
    /** The parameters for one message, or null for an algorithm without; {@code tagLength} in bytes. */
    AlgorithmParameterSpec of(byte[] nonce, int tagLength) throws Failure;
}
