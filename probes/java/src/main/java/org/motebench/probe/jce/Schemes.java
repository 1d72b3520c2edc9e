package org.motebench.probe.jce;

import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.motebench.probe.Engine;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;
import org.motebench.probe.Range;
import org.motebench.probe.Scheme;

/** Rows of a table of schemes, for whatever JCE provider. */
public final class Schemes {
    private static final int LONGEST_HMAC_KEY = 256;
    private static final Set<Operation> CIPHER = EnumSet.range(Operation.KEY_SETUP, Operation.ENCRYPT_NEW_KEY);
    private static final Set<Operation> SIGNATURE = EnumSet.of(Operation.KEYGEN, Operation.SIGN, Operation.VERIFY);

    private Schemes() {}

    /** A cipher without authentication. */
    public static Scheme cipher(String name, CipherAlgorithm algorithm, int key, Range nonce, int block) {
        return new Scheme(name, CIPHER, Range.of(key), nonce, Range.NONE, block, true,
                job -> new CipherEngine(job, algorithm));
    }

    /**
     * An AEAD. Bulk decryption is not offered: JCE's ciphers keep back plaintext until they have seen the tag, all of
     * it or as much as the tag is long.
     */
    public static Scheme aead(String name, CipherAlgorithm algorithm, int key, Range nonce, Range tag, int block) {
        Set<Operation> operations = EnumSet.copyOf(CIPHER);
        operations.remove(Operation.DECRYPT);
        if (algorithm.kind() == CipherAlgorithm.Kind.LAGGING_AEAD) {
            operations.remove(Operation.ENCRYPT);
        }
        boolean stream = algorithm.kind() != CipherAlgorithm.Kind.WHOLE_AEAD;
        return new Scheme(name, operations, Range.of(key), nonce, tag, block, stream,
                job -> new CipherEngine(job, algorithm));
    }

    /** A hash of {@code length} bytes. */
    public static Scheme hash(String name, Provider provider, String algorithm, int length) {
        return new Scheme(name, EnumSet.of(Operation.DIGEST), Range.NONE, Range.NONE, Range.of(length), 1, true,
                job -> new DigestEngine(job, provider, algorithm));
    }

    /** HMAC with a hash of {@code length} bytes; JCE has no empty keys. */
    public static Scheme hmac(String name, Provider provider, String algorithm, int length) {
        return new Scheme(name, EnumSet.of(Operation.KEY_SETUP, Operation.MAC), new Range(1, LONGEST_HMAC_KEY),
                Range.NONE, Range.of(length), 1, true, job -> new MacEngine(job, provider, algorithm));
    }

    /** A MAC with keys of one length. */
    public static Scheme mac(String name, Provider provider, String algorithm, int keyLength, int length) {
        return new Scheme(name, EnumSet.of(Operation.KEY_SETUP, Operation.MAC), Range.of(keyLength), Range.NONE,
                Range.of(length), 1, true, job -> new MacEngine(job, provider, algorithm));
    }

    /** A MAC with a nonce in each message. */
    public static Scheme nonceMac(
            String name, Provider provider, String algorithm, int keyLength, int nonce, int length) {
        return new Scheme(name, EnumSet.of(Operation.KEY_SETUP, Operation.MAC), Range.of(keyLength), Range.of(nonce),
                Range.of(length), 1, true, job -> new NonceMacEngine(job, provider, algorithm, nonce));
    }

    /** RSA with PKCS#1 v1.5 and PSS, of all sizes; a PSS salt is as long as the hash. */
    public static void addRsa(List<Scheme> schemes, Provider provider) {
        Object[][] hashes = {{"SHA1", "SHA-1", 20}, {"SHA256", "SHA-256", 32}, {"SHA384", "SHA-384", 48},
            {"SHA512", "SHA-512", 64}};
        for (int bits : new int[] {1024, 2048, 3072, 4096}) {
            for (Object[] hash : hashes) {
                String name = ((String) hash[0]).toLowerCase(Locale.ROOT);
                String jceHash = (String) hash[1];
                int length = (int) hash[2];
                schemes.add(rsa("rsa-" + bits + "-pkcs1-" + name, bits, provider, hash[0] + "withRSA", null));
                if (bits / 8 >= 2 * length + 2) { // RFC 8017, 9.1.1: hash, salt and two bytes
                    schemes.add(rsa("rsa-" + bits + "-pss-" + name, bits, provider, "RSASSA-PSS", new PSSParameterSpec(
                            jceHash, "MGF1", new MGF1ParameterSpec(jceHash), length, 1)));
                }
            }
        }
    }

    private static Scheme rsa(
            String name, int bits, Provider provider, String algorithm, AlgorithmParameterSpec parameters) {
        // An RSAPublicKey is longer than its modulus, an RSAPrivateKey about 4.6 times as long.
        return signature(name, new Range(bits / 8, bits), Range.of(bits / 8), true, provider, algorithm,
                context -> parameters, new RsaKeys(provider, bits));
    }

    public static Scheme ecdsaP256Sha256(Provider provider) {
        // DER of two 256-bit integers: 8 to 72 bytes (RFC 3279)
        return signature("ecdsa-p256-sha256", new Range(32, 65), new Range(8, 72), true, provider, "SHA256withECDSA",
                context -> null, new EcKeys(provider));
    }

    public static Scheme ed25519(Provider provider) {
        return signature("ed25519", Range.of(32), Range.of(64), false, provider, "Ed25519",
                context -> null, new RawKeys(provider, NamedParameterSpec.ED25519));
    }

    private static Scheme signature(
            String name, Range key, Range tag, boolean stream, Provider provider, String algorithm,
            Function<byte[], AlgorithmParameterSpec> parameters, KeyFormat format) {
        return new Scheme(name, SIGNATURE, key, Range.NONE, tag, 1, stream,
                maker(format, job -> new SignatureEngine(job, provider, algorithm, parameters, format)));
    }

    /** A signature of one length that binds a context of at most 255 bytes; {@code parameters} of that context. */
    public static Scheme withContext(
            String name, Range key, int length, Provider provider, String algorithm,
            Function<byte[], AlgorithmParameterSpec> parameters, KeyFormat format) {
        return new Scheme(name, SIGNATURE, key, new Range(0, 255), Range.of(length), 1, true,
                maker(format, job -> new SignatureEngine(job, provider, algorithm, parameters, format)), null,
                format.seedLength() > 0);
    }

    public static Scheme x25519(Provider provider) {
        KeyFormat format = new RawKeys(provider, NamedParameterSpec.X25519);
        return new Scheme("x25519", EnumSet.of(Operation.KEYGEN, Operation.AGREE), Range.of(32), Range.NONE, Range.NONE,
                1, false, maker(format, job -> new AgreementEngine(job, provider, "X25519", format)));
    }

    /** Diffie-Hellman on P-256. */
    public static Scheme ecdhP256(Provider provider) {
        KeyFormat format = new EcKeys(provider);
        return new Scheme("ecdh-p256", EnumSet.of(Operation.KEYGEN, Operation.AGREE), Range.of(32), Range.NONE,
                Range.NONE, 1, false, maker(format, job -> new AgreementEngine(job, provider, "ECDH", format)));
    }

    /** Engines of a scheme, and public keys by its format. */
    public static Scheme.Maker maker(KeyFormat format, Scheme.Maker engines) {
        return new Scheme.Maker() {
            @Override
            public Engine engine(Job job) {
                return engines.engine(job);
            }

            @Override
            public byte[] publicKey(byte[] privateKey) throws Exception {
                return format.derive(privateKey);
            }
        };
    }
}
