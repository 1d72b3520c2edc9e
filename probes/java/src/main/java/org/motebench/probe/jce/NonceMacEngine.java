package org.motebench.probe.jce;

import java.security.GeneralSecurityException;
import java.security.Provider;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.motebench.probe.Engine;
import org.motebench.probe.Failure;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;

/**
 * MACs with a nonce through javax.crypto.Mac: a message begins with Mac.init(key, nonce).
 *
 * <p>A nonce may not come twice in a row under one key, so it is counted up from message to message; the first of a run
 * always has the nonce of the job. Where key set-up is timed two keys take turns, as in {@link CipherEngine}.
 */
final class NonceMacEngine extends Engine {
    private final Provider provider;
    private final String algorithm;
    private final int nonceLength;
    private Mac mac;
    private SecretKeySpec key;
    private SecretKeySpec otherKey;
    private byte[] nonce;
    private boolean begun;
    private int starts;

    NonceMacEngine(Job job, Provider provider, String algorithm, int nonceLength) {
        super(job);
        this.provider = provider;
        this.algorithm = algorithm;
        this.nonceLength = nonceLength;
    }

    @Override
    public void open() throws Exception {
        byte[] other = job.key.clone();
        other[0] ^= 2;
        mac = Mac.getInstance(algorithm, provider);
        key = new SecretKeySpec(job.key, "AES");
        otherKey = new SecretKeySpec(other, "AES");
        nonce = job.operation == Operation.KEY_SETUP ? new byte[nonceLength] : job.nonce;
        if (nonce.length != nonceLength) {
            throw new Failure(Failure.UNSUPPORTED, "a nonce has " + nonceLength + " bytes");
        }
    }

    @Override
    public void start() throws Exception {
        begun = false;
        byte[] before = nonce.clone(); // so that the message before has another nonce than the job
        before[0] ^= (byte) (1 + (starts++ & 1));
        init(key, before);
    }

    private void init(SecretKeySpec with, byte[] iv) throws GeneralSecurityException {
        mac.init(with, new IvParameterSpec(iv));
    }

    @Override
    public void run(int n) throws Exception {
        if (job.operation == Operation.KEY_SETUP) {
            for (int i = 0; i < n; i++) {
                init((i & 1) == 0 ? otherKey : key, nonce);
            }
            job.outLength = 0;
            return;
        }
        byte[] iv = nonce.clone();
        for (int i = 0; i < n; i++) {
            init(key, iv);
            mac.update(job.in, 0, job.inLength);
            mac.doFinal(job.out, 0);
            count(iv);
        }
        job.outLength = mac.getMacLength();
    }

    /** The next nonce: big-endian, at its end. */
    private static void count(byte[] nonce) {
        for (int i = nonce.length - 1; i >= 0 && ++nonce[i] == 0; i--) {
            continue;
        }
    }

    @Override
    public Piece update(byte[] in, int length) throws Exception {
        begin();
        mac.update(in, 0, length);
        return Piece.EMPTY;
    }

    @Override
    public Piece finish() throws Exception {
        begin();
        begun = false;
        return Piece.of(mac.doFinal());
    }

    private void begin() throws GeneralSecurityException {
        if (!begun) {
            init(key, nonce);
        }
        begun = true;
    }
}
