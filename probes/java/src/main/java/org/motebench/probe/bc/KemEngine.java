package org.motebench.probe.bc;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import org.bouncycastle.jcajce.SecretKeyWithEncapsulation;
import org.bouncycastle.jcajce.spec.KEMExtractSpec;
import org.bouncycastle.jcajce.spec.KEMGenerateSpec;
import org.motebench.probe.Engine;
import org.motebench.probe.Failure;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;
import org.motebench.probe.Rejected;
import org.motebench.probe.jce.GivenRandom;
import org.motebench.probe.jce.KeyFormat;

/**
 * A key encapsulation mechanism by javax.crypto.KeyGenerator, as Bouncy Castle offers it for every Java: one call of
 * generateKey encapsulates or decapsulates. Without a key derivation function, the key is the secret. Keys are decoded,
 * and checked, before.
 */
final class KemEngine extends Engine {
    private static final String RAW = "RAW";

    private final Provider provider;
    private final String algorithm;
    private final KeyFormat format;
    private KeyPairGenerator generator;
    private KeyPair pair;
    private KeyGenerator secrets;
    private SecretKey secret;

    KemEngine(Job job, Provider provider, String algorithm, KeyFormat format) {
        super(job);
        this.provider = provider;
        this.algorithm = algorithm;
        this.format = format;
    }

    @Override
    public void open() throws Exception {
        if (job.operation == Operation.KEYGEN) {
            generator = format.generator(job);
            return;
        }
        int secretBits = 8 * job.scheme.kem().secret();
        AlgorithmParameterSpec asked;
        SecureRandom random = new SecureRandom();
        if (job.operation == Operation.ENCAPSULATE) {
            if (job.seed.length > 0) {
                random = coins();
            }
            asked = new KEMGenerateSpec.Builder(format.publicKey(job.key), RAW, secretBits).withNoKdf().build();
        } else {
            asked = new KEMExtractSpec.Builder(privateKey(), job.ciphertext, RAW, secretBits).withNoKdf().build();
        }
        secrets = KeyGenerator.getInstance(algorithm, provider);
        secrets.init(asked, random);
    }

    private SecureRandom coins() throws Failure {
        if (job.seed.length != job.scheme.kem().secret()) {
            throw new Failure(Failure.UNSUPPORTED, "seed: not " + job.scheme.kem().secret() + " bytes");
        }
        return new GivenRandom(job.seed);
    }

    /** A ciphertext of another length, and a private key that fails its check, are rejected. */
    private PrivateKey privateKey() throws Exception {
        if (job.ciphertext.length != job.scheme.kem().ciphertext()) {
            throw new Rejected();
        }
        try {
            return format.privateKey(job.key);
        } catch (IllegalArgumentException invalid) {
            throw new Rejected();
        }
    }

    @Override
    public void run(int n) {
        if (job.operation == Operation.KEYGEN) {
            for (int i = 0; i < n; i++) {
                pair = generator.generateKeyPair();
            }
            return;
        }
        for (int i = 0; i < n; i++) {
            secret = secrets.generateKey();
        }
    }

    @Override
    public void collect() throws Exception {
        if (job.operation == Operation.KEYGEN) {
            job.give(format.privateBytes(pair));
            job.second = format.bytes(pair.getPublic());
        } else if (job.operation == Operation.ENCAPSULATE) {
            job.give(((SecretKeyWithEncapsulation) secret).getEncapsulation());
            job.second = secret.getEncoded();
        } else {
            job.give(secret.getEncoded());
        }
    }
}
