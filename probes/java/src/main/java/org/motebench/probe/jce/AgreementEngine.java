package org.motebench.probe.jce;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import javax.crypto.KeyAgreement;
import org.motebench.probe.Engine;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;

/** Key generation and agreement through javax.crypto.KeyAgreement. */
final class AgreementEngine extends Engine {
    private final Provider provider;
    private final String algorithm;
    private final KeyFormat format;
    private KeyAgreement agreement;
    private PublicKey peer;
    private KeyPairGenerator generator;
    private KeyPair pair;

    AgreementEngine(Job job, Provider provider, String algorithm, KeyFormat format) {
        super(job);
        this.provider = provider;
        this.algorithm = algorithm;
        this.format = format;
    }

    @Override
    public void open() throws Exception {
        if (job.operation == Operation.KEYGEN) {
            generator = format.generator();
            return;
        }
        agreement = KeyAgreement.getInstance(algorithm, provider);
        agreement.init(format.privateKey(job.key));
        peer = format.peerKey(job.peer);
    }

    @Override
    public void run(int n) throws Exception {
        if (job.operation == Operation.KEYGEN) {
            for (int i = 0; i < n; i++) {
                pair = generator.generateKeyPair();
            }
            return;
        }
        for (int i = 0; i < n; i++) {
            agreement.doPhase(peer, true);
            job.outLength = agreement.generateSecret(job.out, 0);
        }
    }

    @Override
    public void collect() throws Exception {
        if (job.operation == Operation.KEYGEN) {
            job.give(format.privateBytes(pair));
        }
    }
}
