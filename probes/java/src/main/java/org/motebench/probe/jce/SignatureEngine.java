package org.motebench.probe.jce;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.function.Function;
import org.motebench.probe.Engine;
import org.motebench.probe.Failure;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;
import org.motebench.probe.Rejected;

/** Key generation, signing and verifying through java.security.Signature. */
final class SignatureEngine extends Engine {
    private final Provider provider;
    private final String algorithm;
    private final Function<byte[], AlgorithmParameterSpec> parameters;
    private final KeyFormat format;
    private Signature signature;
    private KeyPairGenerator generator;
    private KeyPair pair;
    private byte[] signed;

    /** {@code parameters}: those of the algorithm for a context, or null for none. */
    SignatureEngine(
            Job job, Provider provider, String algorithm, Function<byte[], AlgorithmParameterSpec> parameters,
            KeyFormat format) {
        super(job);
        this.provider = provider;
        this.algorithm = algorithm;
        this.parameters = parameters;
        this.format = format;
    }

    @Override
    public void open() throws Exception {
        if (job.operation == Operation.KEYGEN) {
            generator = format.generator(job);
            return;
        }
        signature = Signature.getInstance(algorithm, provider);
        AlgorithmParameterSpec specification = parameters.apply(job.context);
        if (specification != null) {
            signature.setParameter(specification);
        }
        if (job.operation == Operation.SIGN) {
            signature.initSign(format.privateKey(job.key));
        } else {
            signature.initVerify(format.publicKey(job.key));
        }
    }

    @Override
    public void run(int n) throws Exception {
        switch (job.operation) {
            case KEYGEN -> {
                for (int i = 0; i < n; i++) {
                    pair = generator.generateKeyPair();
                }
            }
            case SIGN -> {
                for (int i = 0; i < n; i++) {
                    signature.update(job.in, 0, job.inLength);
                    signed = signature.sign();
                }
            }
            case VERIFY -> verify(n);
            default -> throw new IllegalStateException(job.operation.text());
        }
    }

    private void verify(int n) throws Rejected, SignatureException {
        for (int i = 0; i < n; i++) {
            signature.update(job.in, 0, job.inLength);
            check();
        }
        job.outLength = 0;
    }

    /** Malformed signatures are reported by an exception, wrong ones by false: both are rejections. */
    private void check() throws Rejected {
        boolean good;
        try {
            good = signature.verify(job.signature);
        } catch (SignatureException malformed) {
            good = false;
        }
        if (!good) {
            throw new Rejected();
        }
    }

    @Override
    public void collect() throws Exception {
        if (job.operation == Operation.KEYGEN) {
            job.give(format.privateBytes(pair));
        } else if (job.operation == Operation.SIGN) {
            job.give(signed);
        }
    }

    @Override
    public Piece update(byte[] in, int length) throws Exception {
        signature.update(in, 0, length);
        return Piece.EMPTY;
    }

    @Override
    public Piece finish() throws Exception {
        if (job.operation == Operation.SIGN) {
            return Piece.of(signature.sign());
        }
        if (job.operation != Operation.VERIFY) {
            throw new Failure(Failure.UNSUPPORTED, "op: not a whole-file operation");
        }
        check();
        return Piece.EMPTY;
    }
}
