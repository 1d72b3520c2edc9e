package org.motebench.probe.jce;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.SecretKeySpec;
import org.motebench.probe.Engine;
import org.motebench.probe.Failure;
import org.motebench.probe.Job;
import org.motebench.probe.Operation;
import org.motebench.probe.Rejected;

/**
 * Ciphers and AEADs through javax.crypto.Cipher.
 *
 * <p>JCE cannot load a nonce alone: a message begins with Cipher.init(key, nonce), the key being an object made before.
 * Many ciphers forbid to begin with key and nonce of the message before, so the nonce is counted up from message to
 * message; the first of a run always has the nonce of the job. And some ciphers notice that a key is the one they have
 * and leave out the key schedule, so wherever key set-up is timed two keys take turns, the job's own first.
 */
final class CipherEngine extends Engine {
    private final CipherAlgorithm algorithm;
    private final boolean encrypting;
    private final boolean changing;
    private Cipher cipher;
    private SecretKeySpec key;
    private SecretKeySpec otherKey;
    private byte[] otherKeyBytes;
    private byte[] nonce;
    private int tagLength;
    private byte[] message;
    private int messageLength;
    /** A second message under the next nonce, for ciphers that do not decrypt the same one twice. */
    private byte[] nextNonce;
    private byte[] nextMessage;
    private int starts;
    private byte[] fileOut = Job.EMPTY;
    private boolean fileBegun;

    CipherEngine(Job job, CipherAlgorithm algorithm) {
        super(job);
        this.algorithm = algorithm;
        this.encrypting = !job.operation.isDecryption();
        this.changing = algorithm.repeat() == CipherAlgorithm.Repeat.NEVER
                || algorithm.repeat() == CipherAlgorithm.Repeat.DECRYPT_ONLY && encrypting;
    }

    @Override
    public void open() throws Exception {
        Operation operation = job.operation;
        boolean checking = operation == Operation.DECRYPT_MESSAGE;
        cipher = algorithm.cipher(!operation.isBulk());
        key = secret(job.key);
        otherKeyBytes = job.key.clone();
        otherKeyBytes[0] ^= 2; // not the parity bit of DES
        otherKey = secret(otherKeyBytes);
        nonce = operation.usesNonce() ? job.nonce : new byte[algorithm.nonceBytes()];
        tagLength = tagLength(checking);
        message = job.in;
        messageLength = job.inLength;
        if (checking && algorithm.isAead()) { // JCE wants the tag behind the ciphertext
            message = Arrays.copyOf(job.in, job.inLength + job.tag.length);
            System.arraycopy(job.tag, 0, message, job.inLength, job.tag.length);
            messageLength = message.length;
        }
        if (checking && changing) {
            prepareNextMessage();
        }
    }

    private int tagLength(boolean checking) throws Failure {
        if (!algorithm.isAead()) {
            return 0;
        }
        if (job.operation == Operation.KEY_SETUP) { // no message, but JCE wants to know
            return job.scheme.tag().high();
        }
        int length = checking ? job.tag.length : job.tagLength;
        if (length % 2 != 0 && job.scheme.name().endsWith("-ccm")) { // SP 800-38C, A.1
            throw new Failure(Failure.UNSUPPORTED, "a tag of CCM has an even number of bytes");
        }
        return length;
    }

    private SecretKeySpec secret(byte[] bytes) {
        return new SecretKeySpec(bytes, algorithm.keyAlgorithm());
    }

    private void init(SecretKeySpec with, byte[] iv) throws GeneralSecurityException, Failure {
        int mode = encrypting ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        cipher.init(mode, with, algorithm.parameters().of(iv, tagLength));
    }

    private void prepareNextMessage() throws GeneralSecurityException, Failure {
        nextNonce = nonce.clone();
        count(nextNonce);
        Cipher helper = algorithm.cipher(true);
        byte[] plain;
        try {
            helper.init(Cipher.DECRYPT_MODE, key, algorithm.parameters().of(nonce, tagLength));
            addAad(helper);
            plain = helper.doFinal(message, 0, messageLength);
        } catch (BadPaddingException | IllegalBlockSizeException rejected) {
            return; // the run ends with its first iteration
        }
        helper.init(Cipher.ENCRYPT_MODE, key, algorithm.parameters().of(nextNonce, tagLength));
        addAad(helper);
        nextMessage = helper.doFinal(plain);
    }

    private void addAad(Cipher to) {
        if (job.aad.length > 0) {
            to.updateAAD(job.aad);
        }
    }

    /** The next nonce: big-endian, at its end. */
    private static void count(byte[] nonce) {
        for (int i = nonce.length - 1; i >= 0 && ++nonce[i] == 0; i--) {
            continue;
        }
    }

    @Override
    public void start() throws Exception {
        if (changing && nonce.length > 0) { // so that key and nonce of the job are not those of the message before
            byte[] before = nonce.clone();
            before[nonce.length / 2] ^= (byte) (1 + (starts++ & 1)); // ChaCha20 may have a counter in front
            init(key, before);
        }
        if (job.operation.isBulk() && algorithm.kind() != CipherAlgorithm.Kind.WHOLE_AEAD) {
            init(key, nonce);
            addAad(cipher);
        }
    }

    @Override
    public void run(int n) throws Exception {
        switch (job.operation) {
            case ENCRYPT, DECRYPT -> {
                if (algorithm.kind() == CipherAlgorithm.Kind.WHOLE_AEAD) {
                    encryptMessages(n, job.inLength);
                    job.outLength = job.inLength;
                } else {
                    more(n);
                }
            }
            case ENCRYPT_MESSAGE -> encryptMessages(n, messageLength);
            case DECRYPT_MESSAGE -> decryptMessages(n);
            case ENCRYPT_NEW_KEY -> encryptWithNewKeys(n);
            case KEY_SETUP -> setUpKeys(n);
            default -> throw new IllegalStateException(job.operation.text());
        }
    }

    private void more(int n) throws GeneralSecurityException {
        byte[] data = job.out;
        int length = job.inLength;
        Cipher running = cipher;
        for (int i = 0; i < n; i++) {
            if (running.update(data, 0, length, data, 0) != length) {
                throw new GeneralSecurityException("an update returned a different length than its input");
            }
        }
        job.outLength = length;
    }

    private void encryptMessages(int n, int length) throws GeneralSecurityException, Failure {
        byte[] iv = nonce.clone();
        byte[] in = job.in;
        byte[] out = job.out;
        int written = 0;
        for (int i = 0; i < n; i++) {
            init(key, iv);
            addAad(cipher);
            written = cipher.doFinal(in, 0, length, out, 0);
            if (changing) {
                count(iv);
            }
        }
        job.outLength = written;
    }

    private void decryptMessages(int n) throws GeneralSecurityException, Failure, Rejected {
        int written = 0;
        try {
            for (int i = 0; i < n; i++) {
                boolean next = changing && (i & 1) == 1;
                init(key, next ? nextNonce : nonce);
                addAad(cipher);
                written = cipher.doFinal(next ? nextMessage : message, 0, messageLength, job.out, 0);
            }
        } catch (BadPaddingException | IllegalBlockSizeException problem) {
            throw new Rejected();
        }
        job.outLength = written;
    }

    private void encryptWithNewKeys(int n) throws GeneralSecurityException, Failure {
        int written = 0;
        for (int i = 0; i < n; i++) {
            init(secret((i & 1) == 0 ? job.key : otherKeyBytes), nonce);
            addAad(cipher);
            written = cipher.doFinal(job.in, 0, messageLength, job.out, 0);
        }
        job.outLength = written;
    }

    private void setUpKeys(int n) throws GeneralSecurityException, Failure {
        for (int i = 0; i < n; i++) {
            init((i & 1) == 0 ? key : otherKey, nonce);
        }
        job.outLength = 0;
    }

    @Override
    public Piece update(byte[] in, int length) throws Exception {
        if (!fileBegun) {
            beginFile();
        }
        int needed = cipher.getOutputSize(length);
        if (fileOut.length < needed) {
            fileOut = new byte[needed];
        }
        return new Piece(fileOut, cipher.update(in, 0, length, fileOut, 0));
    }

    @Override
    public Piece finish() throws Exception {
        if (!fileBegun) {
            beginFile();
        }
        fileBegun = false;
        try {
            boolean checking = algorithm.isAead() && !encrypting;
            return Piece.of(checking ? cipher.doFinal(job.tag) : cipher.doFinal());
        } catch (BadPaddingException | IllegalBlockSizeException problem) {
            throw new Rejected();
        }
    }

    private void beginFile() throws GeneralSecurityException, Failure {
        init(key, nonce);
        addAad(cipher);
        fileBegun = true;
    }
}
