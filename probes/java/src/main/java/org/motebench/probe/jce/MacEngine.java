package org.motebench.probe.jce;

import java.security.Provider;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.motebench.probe.Engine;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;

/** MACs through javax.crypto.Mac; where key set-up is timed two keys take turns, as in {@link CipherEngine}. */
final class MacEngine extends Engine {
    private final Provider provider;
    private final String algorithm;
    private Mac mac;
    private SecretKeySpec key;
    private SecretKeySpec otherKey;

    MacEngine(Job job, Provider provider, String algorithm) {
        super(job);
        this.provider = provider;
        this.algorithm = algorithm;
    }

    @Override
    public void open() throws Exception {
        byte[] other = job.key.clone();
        other[0] ^= 2;
        mac = Mac.getInstance(algorithm, provider);
        key = new SecretKeySpec(job.key, algorithm);
        otherKey = new SecretKeySpec(other, algorithm);
        mac.init(key);
    }

    @Override
    public void start() {
        mac.reset();
    }

    @Override
    public void run(int n) throws Exception {
        if (job.operation == Operation.KEY_SETUP) {
            for (int i = 0; i < n; i++) {
                mac.init((i & 1) == 0 ? key : otherKey);
            }
            job.outLength = 0;
            return;
        }
        for (int i = 0; i < n; i++) {
            mac.update(job.in, 0, job.inLength);
            mac.doFinal(job.out, 0);
        }
        job.outLength = mac.getMacLength();
    }

    @Override
    public Piece update(byte[] in, int length) {
        mac.update(in, 0, length);
        return Piece.EMPTY;
    }

    @Override
    public Piece finish() {
        return Piece.of(mac.doFinal());
    }
}
