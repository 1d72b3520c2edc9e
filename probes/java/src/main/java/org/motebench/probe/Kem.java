package org.motebench.probe;

/** Sizes of a key encapsulation mechanism in bytes. {@code seeds}: key generation and encapsulation take a seed. */
public record Kem(int publicKey, int privateKey, int ciphertext, int secret, boolean seeds) {}
