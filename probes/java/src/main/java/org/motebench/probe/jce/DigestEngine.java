package org.motebench.probe.jce;

import java.security.MessageDigest;
import java.security.Provider;
import org.motebench.probe.Engine;
import org.motebench.probe.Job;

/** Hashes through java.security.MessageDigest. */
final class DigestEngine extends Engine {
    private final Provider provider;
    private final String algorithm;
    private MessageDigest digest;

    DigestEngine(Job job, Provider provider, String algorithm) {
        super(job);
        this.provider = provider;
        this.algorithm = algorithm;
    }

    @Override
    public void open() throws Exception {
        digest = MessageDigest.getInstance(algorithm, provider);
    }

    @Override
    public void start() {
        digest.reset();
    }

    @Override
    public void run(int n) throws Exception {
        int written = 0;
        int room = digest.getDigestLength();
        for (int i = 0; i < n; i++) {
            digest.update(job.in, 0, job.inLength);
            written = digest.digest(job.out, 0, room);
        }
        job.outLength = written;
    }

    @Override
    public Piece update(byte[] in, int length) {
        digest.update(in, 0, length);
        return Piece.EMPTY;
    }

    @Override
    public Piece finish() {
        return Piece.of(digest.digest());
    }
}
