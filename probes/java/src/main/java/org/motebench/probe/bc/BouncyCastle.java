package org.motebench.probe.bc;

import static org.motebench.probe.jce.CipherAlgorithm.Kind.AEAD;
import static org.motebench.probe.jce.CipherAlgorithm.Kind.LAGGING_AEAD;
import static org.motebench.probe.jce.CipherAlgorithm.Kind.PLAIN;
import static org.motebench.probe.jce.CipherAlgorithm.Kind.WHOLE_AEAD;
import static org.motebench.probe.jce.CipherAlgorithm.Repeat.ALWAYS;
import static org.motebench.probe.jce.CipherAlgorithm.Repeat.DECRYPT_ONLY;

import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.crypto.spec.IvParameterSpec;
import org.bouncycastle.jcajce.spec.AEADParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.motebench.probe.Library;
import org.motebench.probe.Range;
import org.motebench.probe.Scheme;
import org.motebench.probe.jce.CipherAlgorithm;
import org.motebench.probe.jce.Parameters;
import org.motebench.probe.jce.Schemes;

/** {@code bouncycastle}: Bouncy Castle, through its JCE provider. */
public final class BouncyCastle {
    private static final Parameters IV = (nonce, tag) -> new IvParameterSpec(nonce);
    private static final Parameters NONE = (nonce, tag) -> null;
    private static final Parameters AEAD_NONCE = (nonce, tag) -> new AEADParameterSpec(nonce, 8 * tag);

    private static final String[] MODES = {"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr"};
    private static final String[] WITH_EAX = {"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "eax"};
    private static final String[] WITH_GCM = {"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "gcm", "ccm"};
    private static final String[] ALL = {"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "gcm", "ccm", "ocb", "eax"};

    private final List<Scheme> schemes = new ArrayList<>();
    private final Provider provider = new BouncyCastleProvider();
    private final Provider unregistered = new Unregistered(provider.getVersionStr());

    private BouncyCastle() {}

    public static Library library() {
        BouncyCastle table = new BouncyCastle();
        table.blockCiphers();
        table.streamCiphers();
        table.aeads();
        table.hashes();
        Schemes.addRsa(table.schemes, table.provider);
        table.schemes.add(Schemes.ecdsaP256Sha256(table.provider));
        table.schemes.add(Schemes.ed25519(table.provider));
        table.schemes.add(Schemes.x25519(table.provider));
        table.schemes.add(Schemes.ecdhP256(table.provider));
        PostQuantum.add(table.schemes, table.provider);
        table.schemes.add(XWing.scheme());
        return new Library("bouncycastle", "Bouncy Castle " + table.provider.getVersionStr(), false, table.schemes);
    }

    private void blockCiphers() {
        for (int bits : new int[] {128, 192, 256}) {
            modes("aes-" + bits, "AES", bits, 16, ALL);
            modes("camellia-" + bits, "Camellia", bits, 16, ALL);
            modes("serpent-" + bits, "Serpent", bits, 16, ALL);
            modes("twofish-" + bits, "Twofish", bits, 16, ALL);
            modes("aria-" + bits, "ARIA", bits, 16, WITH_GCM);
            modes("lea-" + bits, "LEA", bits, 16, MODES);
            modes("rc6-" + bits, "RC6", bits, 16, MODES);
        }
        modes("seed", "SEED", 128, 16, ALL);
        modes("des", "DES", 64, 8, WITH_EAX);
        modes("3des", "DESede", 192, 8, WITH_EAX);
        for (int bits : new int[] {128, 256, 448}) {
            modes("blowfish-" + bits, "Blowfish", bits, 8, WITH_EAX);
        }
        for (int bits : new int[] {40, 64, 128}) { // effective key bits: as many as the key has
            modes("rc2-" + bits, "RC2", bits, 8, WITH_EAX);
        }
        modes("cast-128", "CAST5", 128, 8, WITH_EAX);
        modes("idea", "IDEA", 128, 8, WITH_EAX);
        modes("rc5-128", "RC5", 128, 8, WITH_EAX); // RC5-32 with 12 rounds
        modes("xtea", "XTEA", 128, 8, WITH_EAX);
    }

    private void modes(String name, String algorithm, int bits, int block, String[] modes) {
        for (String mode : modes) {
            schemes.add(mode(name + "-" + mode, algorithm, bits / 8, block, mode));
        }
    }

    private Scheme mode(String name, String algorithm, int key, int block, String mode) {
        String transformation = algorithm + "/" + mode.toUpperCase(Locale.ROOT) + "/";
        String plain = transformation + "NoPadding";
        String padded = transformation + "PKCS7Padding";
        switch (mode) {
            case "ecb":
                return Schemes.cipher(name, algorithm(plain, padded, algorithm, NONE, 0, PLAIN), key, Range.NONE, block);
            case "cbc":
                return Schemes.cipher(name, algorithm(plain, padded, algorithm, IV, block, PLAIN), key, Range.of(block),
                        block);
            case "cfb", "ofb", "ctr": // whole blocks only, until the end of the message
                return Schemes.cipher(name, algorithm(plain, plain, algorithm, IV, block, PLAIN), key, Range.of(block),
                        block);
            case "cfb8":
                return Schemes.cipher(name, algorithm(plain, plain, algorithm, IV, block, PLAIN), key, Range.of(block),
                        1);
            case "gcm":
                return aead(name, plain, algorithm, AEAD, key, new Range(1, 1024), new Range(4, 16), block);
            case "ccm": // nonce: what the length leaves of 15 bytes (SP 800-38C)
                return aead(name, plain, algorithm, WHOLE_AEAD, key, new Range(7, 13), new Range(4, 16), 1);
            case "ocb":
                return aead(name, plain, algorithm, AEAD, key, new Range(1, 15), new Range(8, 16), block);
            default: // EAX
                return aead(name, plain, algorithm, AEAD, key, new Range(1, 1024), new Range(4, block), block);
        }
    }

    private CipherAlgorithm algorithm(
            String bulk, String message, String key, Parameters parameters, int nonce, CipherAlgorithm.Kind kind) {
        CipherAlgorithm.Repeat repeat = kind == PLAIN ? ALWAYS : DECRYPT_ONLY;
        return new CipherAlgorithm(provider, bulk, message, key, parameters, nonce, repeat, kind);
    }

    private Scheme aead(
            String name, String transformation, String keyAlgorithm, CipherAlgorithm.Kind kind, int key, Range nonce,
            Range tag, int block) {
        return Schemes.aead(name, algorithm(transformation, transformation, keyAlgorithm, AEAD_NONCE, 12, kind), key,
                nonce, tag, block);
    }

    private void streamCiphers() {
        stream("rc4-40", provider, "ARC4", 5, 0);
        stream("rc4-128", provider, "ARC4", 16, 0);
        stream("salsa20", provider, "Salsa20", 32, 8);
        stream("salsa20-128", provider, "Salsa20", 16, 8);
        stream("salsa20-12", unregistered, Unregistered.SALSA20_12, 32, 8);
        stream("chacha20", provider, "ChaCha7539", 32, 12); // RFC 8439 from block 0; no counter can be given
    }

    private void stream(String name, Provider from, String algorithm, int key, int nonce) {
        CipherAlgorithm cipher = new CipherAlgorithm(from, algorithm, algorithm, algorithm, nonce == 0 ? NONE : IV,
                nonce, ALWAYS, PLAIN);
        schemes.add(Schemes.cipher(name, cipher, key, Range.of(nonce), 1));
    }

    /** The AEADs that are no modes of a block cipher; bulk: as much as the engine gives back at once. */
    private void aeads() {
        aead("chacha20-poly1305", provider, "ChaCha20-Poly1305", AEAD, 32, 12, 16, 64);
        aead("xchacha20-poly1305", provider, "XChaCha20-Poly1305", AEAD, 32, 24, 16, 64);
        lightweight("ascon-aead128", AEAD, 16, 16, 16, 16);
        lightweight("isap-k-128a", AEAD, 16, 16, 16, 18);
        lightweight("isap-k-128", AEAD, 16, 16, 16, 18);
        lightweight("romulus-n", LAGGING_AEAD, 16, 16, 16, 16);
        lightweight("romulus-m", WHOLE_AEAD, 16, 16, 16, 1);
        lightweight("schwaemm128-128", LAGGING_AEAD, 16, 16, 16, 16);
        lightweight("schwaemm256-128", LAGGING_AEAD, 16, 32, 16, 32);
        lightweight("schwaemm192-192", LAGGING_AEAD, 24, 24, 24, 24);
        lightweight("schwaemm256-256", LAGGING_AEAD, 32, 32, 32, 32);
        lightweight("grain-128aead", AEAD, 16, 12, 8, 1);
    }

    private void lightweight(String name, CipherAlgorithm.Kind kind, int key, int nonce, int tag, int bulk) {
        aead(name, unregistered, name, kind, key, nonce, tag, bulk);
    }

    private void aead(
            String name, Provider from, String algorithm, CipherAlgorithm.Kind kind, int key, int nonce, int tag,
            int bulk) {
        CipherAlgorithm cipher = new CipherAlgorithm(from, algorithm, algorithm, algorithm, AEAD_NONCE, nonce,
                DECRYPT_ONLY, kind);
        schemes.add(Schemes.aead(name, cipher, key, Range.of(nonce), Range.of(tag), bulk));
    }

    private void hashes() {
        Object[][] hashes = {
            {"md5", "MD5", 16}, {"sha1", "SHA-1", 20}, {"sha224", "SHA-224", 28}, {"sha256", "SHA-256", 32},
            {"sha384", "SHA-384", 48}, {"sha512", "SHA-512", 64}, {"sha512-256", "SHA-512/256", 32},
            {"sha3-224", "SHA3-224", 28}, {"sha3-256", "SHA3-256", 32}, {"sha3-384", "SHA3-384", 48},
            {"sha3-512", "SHA3-512", 64}, {"shake128", "SHAKE128-256", 32}, {"shake256", "SHAKE256-512", 64},
            {"blake2s-256", "BLAKE2S-256", 32}, {"blake2b-512", "BLAKE2B-512", 64}, {"ripemd160", "RIPEMD160", 20},
        };
        for (Object[] hash : hashes) {
            schemes.add(Schemes.hash((String) hash[0], provider, (String) hash[1], (int) hash[2]));
        }
        schemes.add(Schemes.hash("ascon-hash256", unregistered, Unregistered.ASCON_HASH256, 32));
        schemes.add(Schemes.hash("ascon-xof128", unregistered, Unregistered.ASCON_XOF128, 32));
        schemes.add(Schemes.hash("ascon-cxof128", unregistered, Unregistered.ASCON_CXOF128, 32));
        Object[][] macs = {
            {"hmac-md5", "HmacMD5", 16}, {"hmac-sha1", "HmacSHA1", 20}, {"hmac-sha224", "HmacSHA224", 28},
            {"hmac-sha256", "HmacSHA256", 32}, {"hmac-sha384", "HmacSHA384", 48}, {"hmac-sha512", "HmacSHA512", 64},
            {"hmac-sha3-256", "HmacSHA3-256", 32},
        };
        for (Object[] mac : macs) {
            schemes.add(Schemes.hmac((String) mac[0], provider, (String) mac[1], (int) mac[2]));
        }
        for (int keyLength : new int[] {16, 24, 32}) {
            schemes.add(Schemes.mac("aes-" + 8 * keyLength + "-cmac", provider, "AESCMAC", keyLength, 16));
            schemes.add(Schemes.nonceMac("aes-" + 8 * keyLength + "-gmac", provider, "AES-GMAC", keyLength, 12, 16));
        }
    }
}
