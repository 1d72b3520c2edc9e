package org.motebench.probe.bc;

import java.security.Provider;
import java.util.List;
import org.bouncycastle.crypto.digests.AsconHash256;
import org.bouncycastle.crypto.digests.AsconXof128;
import org.bouncycastle.crypto.engines.AsconAEAD128;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.jcajce.provider.digest.BCMessageDigest;
import org.bouncycastle.jcajce.provider.symmetric.util.BaseBlockCipher;
import org.bouncycastle.jcajce.provider.symmetric.util.BaseStreamCipher;

/**
 * What Bouncy Castle has but does not register with JCE: its engines in its own JCE classes, under names of ours.
 */
final class Unregistered extends Provider {
    private static final long serialVersionUID = 1L;

    static final String ASCON_AEAD128 = "ASCON-AEAD128";
    static final String ASCON_HASH256 = "ASCON-HASH256";
    static final String ASCON_XOF128 = "ASCON-XOF128";
    static final String SALSA20_12 = "SALSA20-12";

    Unregistered(String version) {
        super("MotebenchBC", version, "Engines of Bouncy Castle that its provider does not register");
        add("Cipher", ASCON_AEAD128, AsconAead128Cipher.class);
        add("Cipher", SALSA20_12, Salsa2012Cipher.class);
        add("MessageDigest", ASCON_HASH256, AsconHash256Digest.class);
        add("MessageDigest", ASCON_XOF128, AsconXof128Digest.class);
    }

    private void add(String type, String name, Class<?> implementation) {
        putService(new Service(this, type, name, implementation.getName(), List.of(), null));
    }

    /** Ascon-AEAD128 of NIST SP 800-232: nonces of 16 bytes. */
    public static final class AsconAead128Cipher extends BaseBlockCipher {
        public AsconAead128Cipher() {
            super(new AsconAEAD128(), true, 16);
        }
    }

    /** Salsa20/12: nonces of 8 bytes. */
    public static final class Salsa2012Cipher extends BaseStreamCipher {
        public Salsa2012Cipher() {
            super(new Salsa20Engine(12), 8);
        }
    }

    /** Ascon-Hash256 of NIST SP 800-232. */
    public static final class AsconHash256Digest extends BCMessageDigest {
        public AsconHash256Digest() {
            super(new AsconHash256());
        }
    }

    /** Ascon-XOF128 of NIST SP 800-232. */
    public static final class AsconXof128Digest extends BCMessageDigest {
        public AsconXof128Digest() {
            super(new AsconXof128());
        }
    }
}
