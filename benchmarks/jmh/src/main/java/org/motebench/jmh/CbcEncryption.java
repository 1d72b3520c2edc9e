package org.motebench.jmh;

import java.security.Provider;
import java.security.Security;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** More of a long CBC message, in place: what motebench's operation {@code encrypt} is. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CbcEncryption {
    private static final int BLOCK = 16;

    @Param({"sunjce", "bouncycastle"})
    public String implementation;

    /** The names JCE has for them. */
    @Param({"AES", "Twofish"})
    public String algorithm;

    @Param({"128", "256"})
    public int bits;

    @Param({"4096", "16384"})
    public int size;

    private Cipher cipher;
    private byte[] data;

    @Setup
    public void begin() throws Exception {
        Provider provider = implementation.equals("sunjce") ? Security.getProvider("SunJCE") : new BouncyCastleProvider();
        cipher = Cipher.getInstance(algorithm + "/CBC/NoPadding", provider);
        byte[] key = new byte[bits / 8];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (17 * i + 1);
        }
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, algorithm), new IvParameterSpec(new byte[BLOCK]));
        data = new byte[size];
    }

    @Benchmark
    public int encrypt() throws Exception {
        return cipher.update(data, 0, size, data, 0);
    }
}
