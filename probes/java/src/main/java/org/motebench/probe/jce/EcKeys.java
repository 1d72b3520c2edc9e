package org.motebench.probe.jce;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import javax.crypto.KeyAgreement;
import org.motebench.probe.Failure;
import org.motebench.probe.Rejected;

/** Keys on P-256: a 32-byte big-endian scalar, a 65-byte uncompressed point. */
record EcKeys(Provider provider) implements KeyFormat {
    private static final int COORDINATE = 32;
    private static final ECGenParameterSpec CURVE = new ECGenParameterSpec("secp256r1");

    private ECParameterSpec curve() throws Exception {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", provider);
        parameters.init(CURVE);
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    private KeyFactory factory() throws Exception {
        return KeyFactory.getInstance("EC", provider);
    }

    @Override
    public PrivateKey privateKey(byte[] bytes) throws Exception {
        if (bytes.length != COORDINATE) {
            throw new Failure(Failure.UNSUPPORTED, "key: not a scalar of 32 bytes");
        }
        return factory().generatePrivate(new ECPrivateKeySpec(new BigInteger(1, bytes), curve()));
    }

    private static boolean isPoint(byte[] bytes) {
        return bytes.length == 1 + 2 * COORDINATE && bytes[0] == 4;
    }

    @Override
    public PublicKey peerKey(byte[] bytes) throws Exception {
        if (!isPoint(bytes)) {
            throw new Rejected();
        }
        return publicKey(bytes);
    }

    @Override
    public PublicKey publicKey(byte[] bytes) throws Exception {
        if (!isPoint(bytes)) {
            throw new Failure(Failure.UNSUPPORTED, "key: not an uncompressed point of 65 bytes");
        }
        BigInteger x = new BigInteger(1, bytes, 1, COORDINATE);
        BigInteger y = new BigInteger(1, bytes, 1 + COORDINATE, COORDINATE);
        return factory().generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve()));
    }

    @Override
    public byte[] bytes(PrivateKey key) {
        return fixed(((ECPrivateKey) key).getS());
    }

    @Override
    public byte[] bytes(PublicKey key) {
        ECPoint point = ((ECPublicKey) key).getW();
        return Der.join(new byte[] {4}, fixed(point.getAffineX()), fixed(point.getAffineY()));
    }

    private static byte[] fixed(BigInteger value) {
        byte[] bytes = value.toByteArray();
        byte[] out = new byte[COORDINATE];
        int length = Math.min(bytes.length, COORDINATE);
        System.arraycopy(bytes, bytes.length - length, out, COORDINATE - length, length);
        return out;
    }

    @Override
    public KeyPairGenerator generator() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider);
        generator.initialize(CURVE);
        return generator;
    }

    /**
     * JCE has no call for this. Agreement with the base point gives the x of the public point; of the two points with
     * this x the right one verifies what the private key signs.
     */
    @Override
    public byte[] derive(byte[] bytes) throws Exception {
        PrivateKey key = privateKey(bytes);
        ECParameterSpec curve = curve();
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", provider);
        agreement.init(key);
        agreement.doPhase(factory().generatePublic(new ECPublicKeySpec(curve.getGenerator(), curve)), true);
        BigInteger x = new BigInteger(1, agreement.generateSecret());
        BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger square = x.pow(3).add(curve.getCurve().getA().multiply(x)).add(curve.getCurve().getB()).mod(p);
        // p is 3 modulo 4, so this power is a root
        BigInteger y = square.modPow(p.add(BigInteger.ONE).shiftRight(2), p);
        Signature signature = Signature.getInstance("SHA256withECDSA", provider);
        signature.initSign(key);
        byte[] signed = signature.sign();
        for (BigInteger root : new BigInteger[] {y, p.subtract(y)}) {
            PublicKey candidate = factory().generatePublic(new ECPublicKeySpec(new ECPoint(x, root), curve));
            signature.initVerify(candidate);
            if (signature.verify(signed)) {
                return bytes(candidate);
            }
        }
        throw new Failure(Failure.ERROR, "no public key verifies the signatures of this private key");
    }
}
