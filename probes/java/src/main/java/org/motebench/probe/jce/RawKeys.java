package org.motebench.probe.jce;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import org.motebench.probe.Failure;

/** Ed25519 and X25519 keys: 32 bytes (RFC 8032, RFC 7748), which JCE takes in the structures of RFC 8410. */
record RawKeys(Provider provider, NamedParameterSpec curve) implements KeyFormat {
    private static final int LENGTH = 32;
    private static final int PRIVATE_AT = 16;
    private static final byte[] BASE_POINT = Arrays.copyOf(new byte[] {9}, LENGTH);

    private boolean agrees() {
        return curve == NamedParameterSpec.X25519;
    }

    /** Last byte of the object identifier 1.3.101.110 (X25519) or 1.3.101.112 (Ed25519). */
    private byte identifier() {
        return (byte) (agrees() ? 110 : 112);
    }

    private KeyFactory factory() throws Exception {
        return KeyFactory.getInstance(curve.getName(), provider);
    }

    private static byte[] checked(byte[] bytes) throws Failure {
        if (bytes.length != LENGTH) {
            throw new Failure(Failure.UNSUPPORTED, "key: not 32 bytes");
        }
        return bytes;
    }

    @Override
    public PrivateKey privateKey(byte[] bytes) throws Exception {
        byte[] head = {0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, identifier(), 4, 0x22, 4, 0x20};
        return factory().generatePrivate(new PKCS8EncodedKeySpec(Der.join(head, checked(bytes))));
    }

    @Override
    public PublicKey publicKey(byte[] bytes) throws Exception {
        byte[] head = {0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, identifier(), 3, 0x21, 0};
        return factory().generatePublic(new X509EncodedKeySpec(Der.join(head, checked(bytes))));
    }

    @Override
    public byte[] bytes(PrivateKey key) {
        return Arrays.copyOfRange(key.getEncoded(), PRIVATE_AT, PRIVATE_AT + LENGTH);
    }

    @Override
    public byte[] bytes(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - LENGTH, encoded.length);
    }

    @Override
    public KeyPairGenerator generator() throws Exception {
        return KeyPairGenerator.getInstance(curve.getName(), provider);
    }

    /**
     * JCE has no call for this. X25519: agreement with the base point. Ed25519: a private key is 32 random bytes, so
     * the generator is given these as its random ones.
     */
    @Override
    public byte[] derive(byte[] bytes) throws Exception {
        if (agrees()) {
            KeyAgreement agreement = KeyAgreement.getInstance(curve.getName(), provider);
            agreement.init(privateKey(bytes));
            agreement.doPhase(publicKey(BASE_POINT), true);
            return agreement.generateSecret();
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance(curve.getName(), provider);
        generator.initialize(curve, new GivenRandom(checked(bytes)));
        KeyPair pair = generator.generateKeyPair();
        if (!Arrays.equals(bytes(pair.getPrivate()), bytes)) {
            throw new Failure(Failure.UNSUPPORTED, "public: the library does not derive public keys");
        }
        return bytes(pair.getPublic());
    }
}
