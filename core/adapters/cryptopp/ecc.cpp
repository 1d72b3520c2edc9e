/*
 * ECDSA on P-256 and Ed25519. KEYGEN: GenerateRandom of the private key; ECDSA: and computing the
 * public one.
 */
#include <cryptopp/eccrypto.h>
#include <cryptopp/oids.h>
#include <cryptopp/sha.h>
#include <cryptopp/xed25519.h>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

using Ecdsa = CryptoPP::ECDSA<CryptoPP::ECP, CryptoPP::SHA256>;

constexpr size_t SCALAR = 32;
constexpr size_t POINT = 65;
constexpr unsigned CHECKS = 2; /* level of Validate: everything but slow tests of randomness */

Ecdsa::PrivateKey read_private(const mb_job &job)
{
    if (job.key_len != SCALAR)
        throw Unsupported("a private key has 32 bytes");
    Ecdsa::PrivateKey key;
    key.Initialize(CryptoPP::ASN1::secp256r1(), CryptoPP::Integer(job.key, job.key_len));
    return key;
}

Ecdsa::PublicKey read_public(const mb_job &job)
{
    if (job.key_len != POINT || job.key[0] != 4)
        throw Unsupported("a public key is an uncompressed point of 65 bytes");
    Ecdsa::PublicKey key;
    const CryptoPP::Integer x(job.key + 1, SCALAR), y(job.key + 1 + SCALAR, SCALAR);
    key.Initialize(CryptoPP::ASN1::secp256r1(), CryptoPP::ECP::Point(x, y));
    if (!key.Validate(rng(), CHECKS))
        throw std::invalid_argument("the public key is not a point of the curve");
    return key;
}

SignatureKeys ecdsa_keys()
{
    return {
        [](const mb_job &job) { return std::make_unique<Ecdsa::Signer>(read_private(job)); },
        [](const mb_job &job) { return std::make_unique<Ecdsa::Verifier>(read_public(job)); },
        [](mb_job &job) {
            Ecdsa::PrivateKey key;
            Ecdsa::PublicKey public_key;
            key.Initialize(rng(), CryptoPP::ASN1::secp256r1());
            key.MakePublicKey(public_key);
            uint8_t scalar[SCALAR];
            key.GetPrivateExponent().Encode(scalar, sizeof scalar);
            give(job, scalar, sizeof scalar);
        },
        [](mb_job &job) {
            Ecdsa::PublicKey key;
            read_private(job).MakePublicKey(key);
            uint8_t point[POINT] = {4};
            key.GetPublicElement().x.Encode(point + 1, SCALAR);
            key.GetPublicElement().y.Encode(point + 1 + SCALAR, SCALAR);
            give(job, point, sizeof point);
        },
        true,
    };
}

const CryptoPP::ed25519PrivateKey &private_of(const CryptoPP::ed25519Signer &signer)
{
    return dynamic_cast<const CryptoPP::ed25519PrivateKey &>(signer.GetPrivateKey());
}

SignatureKeys ed25519_keys()
{
    return {
        [](const mb_job &job) { return std::make_unique<CryptoPP::ed25519Signer>(job.key); },
        [](const mb_job &job) { return std::make_unique<CryptoPP::ed25519Verifier>(job.key); },
        [](mb_job &job) {
            CryptoPP::ed25519Signer signer;
            signer.AccessPrivateKey().GenerateRandom(rng(), CryptoPP::g_nullNameValuePairs);
            give(job, private_of(signer).GetPrivateKeyBytePtr(), SCALAR);
        },
        [](mb_job &job) {
            const CryptoPP::ed25519Signer signer(job.key);
            give(job, private_of(signer).GetPublicKeyBytePtr(), SCALAR);
        },
        false,
    };
}

} // namespace

void add_curves(Offers &offers)
{
    add_signature(offers, "ecdsa-p256-sha256", ecdsa_p256_scheme(), ecdsa_keys());
    add_signature(offers, "ed25519", ed25519_scheme(), ed25519_keys());
}

} // namespace motebench::cryptopp
