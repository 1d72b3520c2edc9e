/*
 * RSA: keys as PKCS#1 DER (RFC 8017 A.1). KEYGEN: GenerateRandomWithKeySize, whose public exponent
 * is 17.
 */
#include <cryptopp/pssr.h>
#include <cryptopp/queue.h>
#include <cryptopp/rsa.h>
#include <cryptopp/sha.h>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

using PrivateKey = CryptoPP::RSA::PrivateKey;
using PublicKey = CryptoPP::RSA::PublicKey;

void check_size(const CryptoPP::Integer &modulus, size_t bits)
{
    if (modulus.BitCount() != bits)
        throw Unsupported("the length of the key's modulus is not that of the scheme");
}

PrivateKey read_private(const mb_job &job, size_t bits)
{
    CryptoPP::ByteQueue der;
    der.Put(job.key, job.key_len);
    PrivateKey key;
    key.BERDecodePrivateKey(der, false, der.MaxRetrievable());
    check_size(key.GetModulus(), bits);
    return key;
}

PublicKey read_public(const mb_job &job, size_t bits)
{
    CryptoPP::ByteQueue der;
    der.Put(job.key, job.key_len);
    PublicKey key;
    key.BERDecodePublicKey(der, false, der.MaxRetrievable());
    check_size(key.GetModulus(), bits);
    return key;
}

void write(mb_job &job, CryptoPP::ByteQueue &der)
{
    std::vector<uint8_t> bytes(der.MaxRetrievable());
    der.Get(bytes.data(), bytes.size());
    give(job, bytes.data(), bytes.size());
}

void generate(mb_job &job, size_t bits)
{
    PrivateKey key;
    key.GenerateRandomWithKeySize(rng(), static_cast<unsigned>(bits));
    CryptoPP::ByteQueue der;
    key.DEREncodePrivateKey(der);
    write(job, der);
}

template <typename Padding, typename H>
void add_scheme(Offers &offers, size_t bits, const char *name)
{
    using Scheme = CryptoPP::RSASS<Padding, H>;
    const SignatureKeys keys = {
        [bits](const mb_job &job) {
            return std::make_unique<typename Scheme::Signer>(read_private(job, bits));
        },
        [bits](const mb_job &job) {
            return std::make_unique<typename Scheme::Verifier>(read_public(job, bits));
        },
        [bits](mb_job &job) { generate(job, bits); },
        [bits](mb_job &job) {
            CryptoPP::ByteQueue der;
            PublicKey(read_private(job, bits)).DEREncodePublicKey(der);
            write(job, der);
        },
        false,
    };
    add_signature(offers, "rsa-" + std::to_string(bits) + name, rsa_scheme(bits), keys);
}

} // namespace

void add_rsa(Offers &offers)
{
    for (const size_t bits : {1024u, 2048u, 3072u, 4096u}) {
        add_scheme<CryptoPP::PKCS1v15, CryptoPP::SHA1>(offers, bits, "-pkcs1-sha1");
        add_scheme<CryptoPP::PKCS1v15, CryptoPP::SHA256>(offers, bits, "-pkcs1-sha256");
        add_scheme<CryptoPP::PKCS1v15, CryptoPP::SHA384>(offers, bits, "-pkcs1-sha384");
        add_scheme<CryptoPP::PKCS1v15, CryptoPP::SHA512>(offers, bits, "-pkcs1-sha512");
        add_scheme<CryptoPP::PSS, CryptoPP::SHA1>(offers, bits, "-pss-sha1");
        add_scheme<CryptoPP::PSS, CryptoPP::SHA256>(offers, bits, "-pss-sha256");
        add_scheme<CryptoPP::PSS, CryptoPP::SHA384>(offers, bits, "-pss-sha384");
        if (bits > 1024) /* RFC 8017 9.1.1: hash, salt and two bytes must fit */
            add_scheme<CryptoPP::PSS, CryptoPP::SHA512>(offers, bits, "-pss-sha512");
    }
}

} // namespace motebench::cryptopp
