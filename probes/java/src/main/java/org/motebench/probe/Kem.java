package org.motebench.probe;

/** Sizes of a key encapsulation mechanism in bytes. */
public record Kem(int publicKey, int privateKey, int ciphertext, int secret) {}
