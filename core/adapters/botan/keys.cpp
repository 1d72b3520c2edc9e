/*
 * Keys from and to the formats of mb_job.
 *
 * The library's encodings of the keys alone (without their algorithm) are these already: PKCS#1 for
 * RSA, the point for ECDSA, 32 bytes for the public keys of RFC 8032 and 7748, an OCTET STRING of
 * 32 bytes for their private keys.
 */
#include <botan/auto_rng.h>
#include <botan/ecdsa.h>
#include <botan/ed25519.h>
#include <botan/rsa.h>
#include <botan/version.h>
#if BOTAN_VERSION_MAJOR >= 3
#include <botan/ec_apoint.h>
#include <botan/ec_scalar.h>
#endif

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

constexpr size_t SCALAR = 32;
constexpr size_t POINT = 65;

Botan::AlgorithmIdentifier rsa_identifier()
{
    return Botan::AlgorithmIdentifier("RSA", Botan::AlgorithmIdentifier::USE_NULL_PARAM);
}

template <typename Key> std::unique_ptr<Key> sized(std::unique_ptr<Key> key, size_t bits)
{
    if (key->get_n().bits() != bits)
        throw Unsupported("the length of the key's modulus is not that of the scheme");
    return key;
}

} // namespace

Botan::EC_Group p256()
{
#if BOTAN_VERSION_MAJOR >= 3
    return Botan::EC_Group::from_name("secp256r1");
#else
    return Botan::EC_Group("secp256r1");
#endif
}

Botan::BigInt p256_scalar(const mb_job &job)
{
    if (job.key_len != SCALAR)
        throw Unsupported("a private key has 32 bytes");
    const Botan::BigInt scalar(job.key, job.key_len);
    if (scalar.is_zero()) /* which asks the constructors of keys for a random one */
        throw std::invalid_argument("the private key is 0");
    return scalar;
}

Botan::RandomNumberGenerator &rng()
{
    static Botan::AutoSeeded_RNG generator;
    return generator;
}

SignatureKeys rsa_keys(size_t bits, const std::string &padding)
{
    return {
        [bits](const mb_job &job) {
            const Botan::secure_vector<uint8_t> der(job.key, job.key + job.key_len);
            return sized(std::make_unique<Botan::RSA_PrivateKey>(rsa_identifier(), der), bits);
        },
        [bits](const mb_job &job) {
            const std::vector<uint8_t> der(job.key, job.key + job.key_len);
            return sized(std::make_unique<Botan::RSA_PublicKey>(rsa_identifier(), der), bits);
        },
        [bits] { return std::make_unique<Botan::RSA_PrivateKey>(rng(), bits); },
        padding,
        false,
    };
}

SignatureKeys ecdsa_p256_keys()
{
    return {
        [](const mb_job &job) {
#if BOTAN_VERSION_MAJOR >= 3
            return std::make_unique<Botan::ECDSA_PrivateKey>(
                p256(), Botan::EC_Scalar::from_bigint(p256(), p256_scalar(job)));
#else
            return std::make_unique<Botan::ECDSA_PrivateKey>(rng(), p256(), p256_scalar(job));
#endif
        },
        [](const mb_job &job) {
            if (job.key_len != POINT || job.key[0] != 4)
                throw Unsupported("a public key is an uncompressed point of 65 bytes");
            const Botan::EC_Group group = p256();
#if BOTAN_VERSION_MAJOR >= 3
            return std::make_unique<Botan::ECDSA_PublicKey>(
                group, Botan::EC_AffinePoint(group, std::span(job.key, job.key_len)));
#else
            return std::make_unique<Botan::ECDSA_PublicKey>(
                group, group.OS2ECP(job.key, job.key_len));
#endif
        },
        [] { return std::make_unique<Botan::ECDSA_PrivateKey>(rng(), p256()); },
#if BOTAN_VERSION_MAJOR >= 3
        "SHA-256",
#else
        "EMSA1(SHA-256)",
#endif
        true,
    };
}

SignatureKeys ed25519_keys()
{
    return {
        [](const mb_job &job) {
            return std::make_unique<Botan::Ed25519_PrivateKey>(
                Botan::secure_vector<uint8_t>(job.key, job.key + job.key_len));
        },
        [](const mb_job &job) {
            return std::make_unique<Botan::Ed25519_PublicKey>(job.key, job.key_len);
        },
        [] { return std::make_unique<Botan::Ed25519_PrivateKey>(rng()); },
        "Pure",
        false,
    };
}

void write_private(mb_job &job, const Botan::Private_Key &key)
{
    Botan::secure_vector<uint8_t> bytes;
    if (const auto *ec = dynamic_cast<const Botan::EC_PrivateKey *>(&key))
#if BOTAN_VERSION_MAJOR >= 3
        bytes = ec->private_value().serialize<Botan::secure_vector<uint8_t>>(SCALAR);
#else
        bytes = Botan::BigInt::encode_1363(ec->private_value(), SCALAR);
#endif
    else
        bytes = key.private_key_bits();
    if (key.algo_name() != "RSA" && bytes.size() > SCALAR)
        bytes.erase(bytes.begin(), bytes.end() - SCALAR);
    give(job, bytes.data(), bytes.size());
}

void write_public(mb_job &job, const Botan::Private_Key &key)
{
    const std::vector<uint8_t> bytes = key.public_key_bits();
    give(job, bytes.data(), bytes.size());
}

} // namespace motebench::botan
