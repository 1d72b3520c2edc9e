package org.motebench.probe.bc;

import java.security.SecureRandom;
import java.util.EnumSet;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.pqc.crypto.xwing.XWingKEMExtractor;
import org.bouncycastle.pqc.crypto.xwing.XWingKEMGenerator;
import org.bouncycastle.pqc.crypto.xwing.XWingKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.xwing.XWingKeyPairGenerator;
import org.bouncycastle.pqc.crypto.xwing.XWingPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.xwing.XWingPublicKeyParameters;
import org.motebench.probe.Engine;
import org.motebench.probe.Failure;
import org.motebench.probe.Job;
import org.motebench.probe.Kem;
import org.motebench.probe.Operation;
import org.motebench.probe.Range;
import org.motebench.probe.Rejected;
import org.motebench.probe.Scheme;
import org.motebench.probe.jce.GivenRandom;
import org.motebench.probe.jce.Schemes;

/**
 * X-Wing (draft-connolly-cfrg-xwing-kem) by Bouncy Castle's own interface: its JCE provider does not have it. Keys are
 * decoded before, and the private one, a seed, is expanded. The library checks no lengths, so the engine does; it
 * throws an IllegalStateException where the secret of X25519 would be all zeros, which is rejected.
 */
final class XWing extends Engine {
    private static final int PUBLIC = 1216;
    private static final int PRIVATE = 32;
    private static final int CIPHERTEXT = 1120;
    private static final int SECRET = 32;
    private static final int COINS = 64; // of ML-KEM, then of X25519: section 5.4

    private XWingKeyPairGenerator generator;
    private XWingPublicKeyParameters publicKey;
    private XWingKEMGenerator encapsulation;
    private XWingKEMExtractor decapsulation;
    private AsymmetricCipherKeyPair pair;
    private SecretWithEncapsulation encapsulated;
    private byte[] secret;

    private XWing(Job job) {
        super(job);
    }

    static Scheme scheme() {
        Scheme.Maker maker = new Scheme.Maker() {
            @Override
            public Engine engine(Job job) {
                return new XWing(job);
            }

            @Override
            public byte[] publicKey(byte[] privateKey) throws Exception {
                // The library gives a public key with new pairs only. A pair of a seed is that of the private key.
                return ((XWingPublicKeyParameters) generator(of(privateKey, PRIVATE)).generateKeyPair().getPublic())
                        .getEncoded();
            }
        };
        return new Scheme("x-wing", EnumSet.of(Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE),
                new Range(PRIVATE, PUBLIC), Range.NONE, Range.NONE, 1, false, maker,
                new Kem(PUBLIC, PRIVATE, CIPHERTEXT, SECRET), true);
    }

    private static XWingKeyPairGenerator generator(SecureRandom random) {
        XWingKeyPairGenerator made = new XWingKeyPairGenerator();
        made.init(new XWingKeyGenerationParameters(random));
        return made;
    }

    /** These bytes in place of random ones. */
    private static SecureRandom of(byte[] seed, int length) throws Failure {
        if (seed.length != length) {
            throw new Failure(Failure.UNSUPPORTED, "seed: not " + length + " bytes");
        }
        return new GivenRandom(seed);
    }

    private SecureRandom random(int length) throws Failure {
        return job.seed.length == 0 ? new SecureRandom() : of(job.seed, length);
    }

    private static byte[] ofLength(byte[] bytes, int length) throws Rejected {
        if (bytes.length != length) {
            throw new Rejected();
        }
        return bytes;
    }

    @Override
    public void open() throws Exception {
        switch (job.operation) {
            case KEYGEN -> generator = generator(random(PRIVATE));
            case ENCAPSULATE -> {
                encapsulation = new XWingKEMGenerator(random(COINS));
                try {
                    publicKey = new XWingPublicKeyParameters(ofLength(job.key, PUBLIC));
                } catch (IllegalArgumentException invalid) { // a coefficient above the modulus
                    throw new Rejected();
                }
            }
            default -> {
                ofLength(job.ciphertext, CIPHERTEXT);
                decapsulation = new XWingKEMExtractor(new XWingPrivateKeyParameters(ofLength(job.key, PRIVATE)));
            }
        }
    }

    @Override
    public void run(int n) throws Rejected {
        try {
            for (int i = 0; i < n; i++) {
                switch (job.operation) {
                    case KEYGEN -> pair = generator.generateKeyPair();
                    case ENCAPSULATE -> encapsulated = encapsulation.generateEncapsulated(publicKey);
                    default -> secret = decapsulation.extractSecret(job.ciphertext);
                }
            }
        } catch (IllegalStateException allZeros) {
            throw new Rejected();
        }
    }

    @Override
    public void collect() throws Exception {
        switch (job.operation) {
            case KEYGEN -> {
                job.give(((XWingPrivateKeyParameters) pair.getPrivate()).getEncoded());
                job.second = ((XWingPublicKeyParameters) pair.getPublic()).getEncoded();
            }
            case ENCAPSULATE -> {
                job.give(encapsulated.getEncapsulation());
                job.second = encapsulated.getSecret();
            }
            default -> job.give(secret);
        }
    }
}
