package org.motebench.probe.jce;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;

/** Writes the DER (X.690) that stands around keys. */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;

    /** AlgorithmIdentifier of rsaEncryption (RFC 8017, A.1). */
    private static final byte[] RSA = {
        0x30, 0x0D, 0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    private Der() {}

    static byte[] integer(BigInteger value) {
        return element(INTEGER, value.toByteArray());
    }

    static byte[] sequence(byte[]... elements) {
        return element(SEQUENCE, join(elements));
    }

    /** PrivateKeyInfo (RFC 5208) around an RSAPrivateKey. */
    static byte[] rsaPrivateKeyInfo(byte[] key) {
        return sequence(VERSION_0, RSA, element(OCTET_STRING, key));
    }

    /** SubjectPublicKeyInfo (RFC 5280) around an RSAPublicKey. */
    static byte[] rsaPublicKeyInfo(byte[] key) {
        return sequence(RSA, element(BIT_STRING, join(new byte[1], key)));
    }

    static byte[] join(byte[]... pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int skip = length[0] == 0 ? 1 : 0;
            out.write(0x80 | length.length - skip);
            out.write(length, skip, length.length - skip);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
