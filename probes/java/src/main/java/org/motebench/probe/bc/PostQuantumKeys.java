package org.motebench.probe.bc;

import java.io.IOException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.function.Function;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.motebench.probe.Rejected;
import org.motebench.probe.jce.GivenRandom;
import org.motebench.probe.jce.KeyFormat;

/**
 * Keys of one parameter set as the standard writes them, to and from the structures that JCE takes. Public keys that the
 * library does not take (a wrong length, a coefficient above the modulus), and private ones of a KEM, are rejected.
 */
record PostQuantumKeys<S extends AsymmetricKeyParameter, P extends AsymmetricKeyParameter>(
        Provider provider, String algorithm, AlgorithmParameterSpec set, int seedLength, Function<byte[], S> readPrivate,
        Function<byte[], P> readPublic, Function<S, byte[]> privateBytes, Function<S, byte[]> publicOfPrivate,
        Function<P, byte[]> publicBytes) implements KeyFormat {

    private KeyFactory factory() throws Exception {
        return KeyFactory.getInstance(algorithm, provider);
    }

    @Override
    public PrivateKey privateKey(byte[] bytes) throws Exception {
        return factory().generatePrivate(
                new PKCS8EncodedKeySpec(PrivateKeyInfoFactory.createPrivateKeyInfo(readPrivate.apply(bytes)).getEncoded()));
    }

    @Override
    public PublicKey publicKey(byte[] bytes) throws Exception {
        try {
            return factory().generatePublic(new X509EncodedKeySpec(
                    SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(readPublic.apply(bytes)).getEncoded()));
        } catch (IllegalArgumentException | InvalidKeySpecException | ArrayIndexOutOfBoundsException invalid) {
            throw new Rejected();
        }
    }

    @SuppressWarnings("unchecked")
    private S parameters(PrivateKey key) throws IOException {
        return (S) PrivateKeyFactory.createKey(key.getEncoded());
    }

    @Override
    public byte[] bytes(PrivateKey key) throws IOException {
        return privateBytes.apply(parameters(key));
    }

    @Override
    @SuppressWarnings("unchecked")
    public byte[] bytes(PublicKey key) throws IOException {
        return publicBytes.apply((P) PublicKeyFactory.createKey(key.getEncoded()));
    }

    @Override
    public KeyPairGenerator generator() throws Exception {
        return KeyPairGenerator.getInstance(algorithm, provider);
    }

    @Override
    public KeyPairGenerator generator(byte[] seed) throws Exception {
        KeyPairGenerator generator = generator();
        generator.initialize(set, new GivenRandom(seed));
        return generator;
    }

    @Override
    public byte[] derive(byte[] privateKey) throws Exception {
        return publicOfPrivate.apply(parameters(privateKey(privateKey)));
    }
}
