package org.motebench.probe.bc;

import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.SLHDSAPublicKeyParameters;
import org.bouncycastle.jcajce.spec.ContextParameterSpec;
import org.bouncycastle.jcajce.spec.MLDSAParameterSpec;
import org.bouncycastle.jcajce.spec.MLKEMParameterSpec;
import org.bouncycastle.jcajce.spec.SLHDSAParameterSpec;
import org.motebench.probe.Kem;
import org.motebench.probe.Operation;
import org.motebench.probe.Range;
import org.motebench.probe.Scheme;
import org.motebench.probe.jce.KeyFormat;
import org.motebench.probe.jce.Schemes;

/** ML-KEM, ML-DSA and SLH-DSA of Bouncy Castle. Signatures are deterministic: the library draws bytes only if asked to. */
final class PostQuantum {
    private static final int SECRET = 32;
    private static final Function<byte[], AlgorithmParameterSpec> CONTEXT =
            context -> context.length == 0 ? null : new ContextParameterSpec(context);

    private PostQuantum() {}

    static void add(List<Scheme> schemes, Provider provider) {
        // FIPS 203, table 3: sizes of the keys and the ciphertext.
        mlKem(schemes, provider, MLKEMParameters.ml_kem_512, 800, 1632, 768);
        mlKem(schemes, provider, MLKEMParameters.ml_kem_768, 1184, 2400, 1088);
        mlKem(schemes, provider, MLKEMParameters.ml_kem_1024, 1568, 3168, 1568);
        // FIPS 204, table 2: sizes of the keys and the signature.
        mlDsa(schemes, provider, MLDSAParameters.ml_dsa_44, 1312, 2560, 2420);
        mlDsa(schemes, provider, MLDSAParameters.ml_dsa_65, 1952, 4032, 3309);
        mlDsa(schemes, provider, MLDSAParameters.ml_dsa_87, 2592, 4896, 4627);
        // FIPS 205, table 2: n, and the size of the signature.
        slhDsa(schemes, provider, SLHDSAParameters.sha2_128s, 16, 7856);
        slhDsa(schemes, provider, SLHDSAParameters.sha2_128f, 16, 17088);
        slhDsa(schemes, provider, SLHDSAParameters.sha2_192s, 24, 16224);
        slhDsa(schemes, provider, SLHDSAParameters.sha2_192f, 24, 35664);
        slhDsa(schemes, provider, SLHDSAParameters.sha2_256s, 32, 29792);
        slhDsa(schemes, provider, SLHDSAParameters.sha2_256f, 32, 49856);
        slhDsa(schemes, provider, SLHDSAParameters.shake_128s, 16, 7856);
        slhDsa(schemes, provider, SLHDSAParameters.shake_128f, 16, 17088);
        slhDsa(schemes, provider, SLHDSAParameters.shake_192s, 24, 16224);
        slhDsa(schemes, provider, SLHDSAParameters.shake_192f, 24, 35664);
        slhDsa(schemes, provider, SLHDSAParameters.shake_256s, 32, 29792);
        slhDsa(schemes, provider, SLHDSAParameters.shake_256f, 32, 49856);
    }

    private static void mlKem(
            List<Scheme> schemes, Provider provider, MLKEMParameters set, int publicKey, int privateKey, int ciphertext) {
        String algorithm = set.getName();
        KeyFormat format = new PostQuantumKeys<>(provider, algorithm, MLKEMParameterSpec.fromName(algorithm), 2 * SECRET,
                bytes -> new MLKEMPrivateKeyParameters(set, bytes), bytes -> new MLKEMPublicKeyParameters(set, bytes),
                MLKEMPrivateKeyParameters::getEncoded, MLKEMPrivateKeyParameters::getPublicKey,
                MLKEMPublicKeyParameters::getEncoded);
        schemes.add(new Scheme(algorithm.toLowerCase(Locale.ROOT),
                EnumSet.of(Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE),
                new Range(publicKey, privateKey), Range.NONE, Range.NONE, 1, false,
                Schemes.maker(format, job -> new KemEngine(job, provider, algorithm, format)),
                new Kem(publicKey, privateKey, ciphertext, SECRET), true));
    }

    private static void mlDsa(
            List<Scheme> schemes, Provider provider, MLDSAParameters set, int publicKey, int privateKey, int signature) {
        String algorithm = set.getName();
        KeyFormat format = new PostQuantumKeys<>(provider, algorithm, MLDSAParameterSpec.fromName(algorithm), SECRET,
                bytes -> new MLDSAPrivateKeyParameters(set, bytes), bytes -> new MLDSAPublicKeyParameters(set, bytes),
                MLDSAPrivateKeyParameters::getEncoded, MLDSAPrivateKeyParameters::getPublicKey,
                MLDSAPublicKeyParameters::getEncoded);
        schemes.add(Schemes.withContext(algorithm.toLowerCase(Locale.ROOT), new Range(publicKey, privateKey), signature,
                provider, algorithm, CONTEXT, format));
    }

    private static void slhDsa(List<Scheme> schemes, Provider provider, SLHDSAParameters set, int n, int signature) {
        String name = "slh-dsa-" + set.getName().replace('_', '-');
        String algorithm = name.toUpperCase(Locale.ROOT);
        KeyFormat format = new PostQuantumKeys<>(provider, algorithm, SLHDSAParameterSpec.fromName(algorithm), 3 * n,
                bytes -> new SLHDSAPrivateKeyParameters(set, bytes), bytes -> new SLHDSAPublicKeyParameters(set, bytes),
                SLHDSAPrivateKeyParameters::getEncoded, SLHDSAPrivateKeyParameters::getEncodedPublicKey,
                SLHDSAPublicKeyParameters::getEncoded);
        schemes.add(Schemes.withContext(name, new Range(2 * n, 4 * n), signature, provider, algorithm, CONTEXT, format));
    }
}
