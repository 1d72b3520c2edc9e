package org.motebench.probe.jce;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.RSAKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import org.motebench.probe.Failure;

/** RSA keys as PKCS#1 DER (RFC 8017, A.1), of one modulus size. */
record RsaKeys(Provider provider, int bits) implements KeyFormat {
    @Override
    public PrivateKey privateKey(byte[] bytes) throws Exception {
        return checked(factory().generatePrivate(new PKCS8EncodedKeySpec(Der.rsaPrivateKeyInfo(bytes))));
    }

    @Override
    public PublicKey publicKey(byte[] bytes) throws Exception {
        return checked(factory().generatePublic(new X509EncodedKeySpec(Der.rsaPublicKeyInfo(bytes))));
    }

    private KeyFactory factory() throws Exception {
        return KeyFactory.getInstance("RSA", provider);
    }

    private <K> K checked(K key) throws Failure {
        if (((RSAKey) key).getModulus().bitLength() != bits) {
            throw new Failure(Failure.UNSUPPORTED, "key: the length of its modulus is not that of the scheme");
        }
        return key;
    }

    @Override
    public byte[] bytes(PrivateKey key) {
        RSAPrivateCrtKey rsa = (RSAPrivateCrtKey) key;
        return Der.sequence(
                Der.integer(BigInteger.ZERO), Der.integer(rsa.getModulus()), Der.integer(rsa.getPublicExponent()),
                Der.integer(rsa.getPrivateExponent()), Der.integer(rsa.getPrimeP()), Der.integer(rsa.getPrimeQ()),
                Der.integer(rsa.getPrimeExponentP()), Der.integer(rsa.getPrimeExponentQ()),
                Der.integer(rsa.getCrtCoefficient()));
    }

    @Override
    public byte[] bytes(PublicKey key) {
        RSAPublicKey rsa = (RSAPublicKey) key;
        return Der.sequence(Der.integer(rsa.getModulus()), Der.integer(rsa.getPublicExponent()));
    }

    @Override
    public KeyPairGenerator generator() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", provider);
        generator.initialize(new RSAKeyGenParameterSpec(bits, RSAKeyGenParameterSpec.F4));
        return generator;
    }

    @Override
    public byte[] derive(byte[] privateKey) throws Exception {
        RSAPrivateCrtKey rsa = (RSAPrivateCrtKey) privateKey(privateKey);
        return Der.sequence(Der.integer(rsa.getModulus()), Der.integer(rsa.getPublicExponent()));
    }
}
