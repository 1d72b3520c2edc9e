package org.motebench.probe.jce;

import static org.motebench.probe.jce.CipherAlgorithm.Kind.AEAD;
import static org.motebench.probe.jce.CipherAlgorithm.Kind.PLAIN;
import static org.motebench.probe.jce.CipherAlgorithm.Repeat.ALWAYS;
import static org.motebench.probe.jce.CipherAlgorithm.Repeat.DECRYPT_ONLY;
import static org.motebench.probe.jce.CipherAlgorithm.Repeat.NEVER;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.RC2ParameterSpec;
import org.motebench.probe.Failure;
import org.motebench.probe.Library;
import org.motebench.probe.Range;
import org.motebench.probe.Scheme;

/** {@code sunjce}: the providers that come with the JDK. */
public final class SunJce {
    private static final Parameters IV = (nonce, tag) -> new IvParameterSpec(nonce);
    private static final Parameters NONE = (nonce, tag) -> null;
    private static final Parameters GCM = (nonce, tag) -> new GCMParameterSpec(8 * tag, nonce);
    private static final String[] MODES = {"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr"};

    private final List<Scheme> schemes = new ArrayList<>();
    private final Provider ciphers = provider("SunJCE");

    private SunJce() {}

    public static Library library() {
        SunJce table = new SunJce();
        table.blockCiphers();
        table.streamCiphers();
        table.hashes();
        table.publicKeys();
        return new Library("sunjce", "SunJCE " + System.getProperty("java.version"), true, table.schemes);
    }

    private static Provider provider(String name) {
        Provider provider = Security.getProvider(name);
        if (provider == null) {
            throw new IllegalStateException("this Java does not have the provider " + name);
        }
        return provider;
    }

    private void blockCiphers() {
        for (int bits : new int[] {128, 192, 256}) {
            modes("aes-" + bits, "AES", bits, 16, IV, NONE);
            schemes.add(Schemes.aead("aes-" + bits + "-gcm",
                    algorithm("AES/GCM/NoPadding", "AES/GCM/NoPadding", "AES", GCM, 12, DECRYPT_ONLY, AEAD),
                    bits / 8, new Range(1, 1024), new Range(12, 16), 16));
        }
        modes("des", "DES", 64, 8, IV, NONE);
        modes("3des", "DESede", 192, 8, IV, NONE);
        for (int bits : new int[] {128, 256, 448}) {
            modes("blowfish-" + bits, "Blowfish", bits, 8, IV, NONE);
        }
        for (int bits : new int[] {40, 64, 128}) { // effective key bits, as many as the key has
            modes("rc2-" + bits, "RC2", bits, 8, (nonce, tag) -> new RC2ParameterSpec(bits, nonce),
                    (nonce, tag) -> new RC2ParameterSpec(bits));
        }
    }

    private void modes(String name, String algorithm, int bits, int block, Parameters withIv, Parameters withoutIv) {
        for (String mode : MODES) {
            boolean ecb = mode.equals("ecb");
            boolean padded = ecb || mode.equals("cbc");
            String transformation = algorithm + "/" + mode.toUpperCase(java.util.Locale.ROOT) + "/";
            int nonce = ecb ? 0 : block;
            // CFB and OFB give whole blocks only until the end of the message
            int bulk = mode.equals("cfb8") || mode.equals("ctr") ? 1 : block;
            schemes.add(Schemes.cipher(name + "-" + mode,
                    algorithm(transformation + "NoPadding", transformation + (padded ? "PKCS5Padding" : "NoPadding"),
                            algorithm, ecb ? withoutIv : withIv, nonce, ALWAYS, PLAIN),
                    bits / 8, Range.of(nonce), bulk));
        }
    }

    private CipherAlgorithm algorithm(
            String bulk, String message, String key, Parameters parameters, int nonce, CipherAlgorithm.Repeat repeat,
            CipherAlgorithm.Kind kind) {
        return new CipherAlgorithm(ciphers, bulk, message, key, parameters, nonce, repeat, kind);
    }

    private void streamCiphers() {
        for (int bits : new int[] {40, 128}) {
            schemes.add(Schemes.cipher("rc4-" + bits, algorithm("ARCFOUR", "ARCFOUR", "ARCFOUR", NONE, 0, ALWAYS, PLAIN),
                    bits / 8, Range.NONE, 1));
        }
        schemes.add(Schemes.cipher("chacha20",
                algorithm("ChaCha20", "ChaCha20", "ChaCha20", SunJce::chacha20, 12, NEVER, PLAIN), 32,
                new Range(12, 16), 1));
        schemes.add(Schemes.aead("chacha20-poly1305",
                algorithm("ChaCha20-Poly1305", "ChaCha20-Poly1305", "ChaCha20", IV, 12, NEVER, AEAD), 32, Range.of(12),
                Range.of(16), 1));
    }

    /** 12 bytes: RFC 8439 from block 0; 16: the block counter, four bytes little-endian, before them. */
    private static AlgorithmParameterSpec chacha20(byte[] nonce, int tag) throws Failure {
        if (nonce.length != 12 && nonce.length != 16) {
            throw new Failure(Failure.UNSUPPORTED, "nonce: neither 12 bytes nor a counter followed by 12 bytes");
        }
        int counter = nonce.length == 16 ? ByteBuffer.wrap(nonce).order(ByteOrder.LITTLE_ENDIAN).getInt() : 0;
        return new ChaCha20ParameterSpec(Arrays.copyOfRange(nonce, nonce.length - 12, nonce.length), counter);
    }

    private void hashes() {
        Provider sun = provider("SUN");
        Object[][] hashes = {
            {"md5", "MD5", 16}, {"sha1", "SHA-1", 20}, {"sha224", "SHA-224", 28}, {"sha256", "SHA-256", 32},
            {"sha384", "SHA-384", 48}, {"sha512", "SHA-512", 64}, {"sha512-256", "SHA-512/256", 32},
            {"sha3-224", "SHA3-224", 28}, {"sha3-256", "SHA3-256", 32}, {"sha3-384", "SHA3-384", 48},
            {"sha3-512", "SHA3-512", 64},
        };
        for (Object[] hash : hashes) {
            schemes.add(Schemes.hash((String) hash[0], sun, (String) hash[1], (int) hash[2]));
        }
        Object[][] macs = {
            {"hmac-md5", "HmacMD5", 16}, {"hmac-sha1", "HmacSHA1", 20}, {"hmac-sha224", "HmacSHA224", 28},
            {"hmac-sha256", "HmacSHA256", 32}, {"hmac-sha384", "HmacSHA384", 48}, {"hmac-sha512", "HmacSHA512", 64},
            {"hmac-sha3-256", "HmacSHA3-256", 32},
        };
        for (Object[] mac : macs) {
            schemes.add(Schemes.hmac((String) mac[0], ciphers, (String) mac[1], (int) mac[2]));
        }
    }

    private void publicKeys() {
        Provider rsa = provider("SunRsaSign");
        Provider curves = provider("SunEC");
        Schemes.addRsa(schemes, rsa);
        schemes.add(Schemes.ecdsaP256Sha256(curves));
        schemes.add(Schemes.ed25519(curves));
        schemes.add(Schemes.x25519(curves));
        schemes.add(Schemes.ecdhP256(curves));
    }
}
