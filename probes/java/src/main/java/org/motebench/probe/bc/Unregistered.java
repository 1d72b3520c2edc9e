package org.motebench.probe.bc;

import java.security.Provider;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.AsconCXof128;
import org.bouncycastle.crypto.digests.AsconHash256;
import org.bouncycastle.crypto.digests.AsconXof128;
import org.bouncycastle.crypto.engines.AsconAEAD128;
import org.bouncycastle.crypto.engines.Grain128AEADEngine;
import org.bouncycastle.crypto.engines.ISAPEngine;
import org.bouncycastle.crypto.engines.ISAPEngine.IsapType;
import org.bouncycastle.crypto.engines.RomulusEngine;
import org.bouncycastle.crypto.engines.RomulusEngine.RomulusParameters;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.engines.SparkleEngine;
import org.bouncycastle.crypto.engines.SparkleEngine.SparkleParameters;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.jcajce.provider.digest.BCMessageDigest;
import org.bouncycastle.jcajce.provider.symmetric.util.BaseBlockCipher;
import org.bouncycastle.jcajce.provider.symmetric.util.BaseStreamCipher;

/**
 * Engines that Bouncy Castle does not register with JCE: in its own JCE classes, under motebench's
 * names. Those of schemes are the schemes' own.
 */
final class Unregistered extends Provider {
    private static final long serialVersionUID = 1L;

    static final String ASCON_HASH256 = "ascon-hash256";
    static final String ASCON_XOF128 = "ascon-xof128";
    static final String ASCON_CXOF128 = "ascon-cxof128";
    static final String SALSA20_12 = "salsa20-12";

    Unregistered(String version) {
        super("MotebenchBC", version, "Engines of Bouncy Castle that its provider does not register");
        add("Cipher", SALSA20_12, Salsa2012Cipher::new);
        add("MessageDigest", ASCON_HASH256, () -> new PlainDigest(new AsconHash256()));
        add("MessageDigest", ASCON_XOF128, () -> new PlainDigest(new AsconXof128()));
        add("MessageDigest", ASCON_CXOF128, () -> new PlainDigest(new AsconCXof128(customization())));
        aead("ascon-aead128", 16, AsconAEAD128::new);
        aead("isap-k-128a", 16, () -> new ISAPEngine(IsapType.ISAP_K_128A));
        aead("isap-k-128", 16, () -> new ISAPEngine(IsapType.ISAP_K_128));
        aead("romulus-n", 16, () -> new RomulusEngine(RomulusParameters.RomulusN));
        aead("romulus-m", 16, () -> new RomulusEngine(RomulusParameters.RomulusM));
        aead("schwaemm128-128", 16, () -> new SparkleEngine(SparkleParameters.SCHWAEMM128_128));
        aead("schwaemm256-128", 32, () -> new SparkleEngine(SparkleParameters.SCHWAEMM256_128));
        aead("schwaemm192-192", 24, () -> new SparkleEngine(SparkleParameters.SCHWAEMM192_192));
        aead("schwaemm256-256", 32, () -> new SparkleEngine(SparkleParameters.SCHWAEMM256_256));
        aead("grain-128aead", 12, Grain128AEADEngine::new);
    }

    /** The customization string of the scheme: 10 11 ... 1f. */
    private static byte[] customization() {
        byte[] string = new byte[16];
        for (int i = 0; i < string.length; i++) {
            string[i] = (byte) (0x10 + i);
        }
        return string;
    }

    private void aead(String scheme, int nonce, Supplier<AEADCipher> engine) {
        add("Cipher", scheme, () -> new WholeCipher(engine.get(), nonce));
    }

    private void add(String type, String name, Supplier<Object> maker) {
        putService(new Service(this, type, name, maker.getClass().getName(), List.of(), null) {
            @Override
            public Object newInstance(Object parameter) {
                return maker.get();
            }
        });
    }

    /** An AEAD that is no mode of a block cipher, with nonces of one length. */
    private static final class WholeCipher extends BaseBlockCipher {
        WholeCipher(AEADCipher engine, int nonce) {
            super(engine, true, nonce);
        }
    }

    /** Salsa20/12: nonces of 8 bytes. */
    private static final class Salsa2012Cipher extends BaseStreamCipher {
        Salsa2012Cipher() {
            super(new Salsa20Engine(12), 8);
        }
    }

    private static final class PlainDigest extends BCMessageDigest {
        PlainDigest(Digest digest) {
            super(digest);
        }
    }
}
