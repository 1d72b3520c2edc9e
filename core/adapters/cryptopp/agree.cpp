/*
 * X25519 and Diffie-Hellman on P-256. Timed: AGREE: Agree, with its check of the peer's
 * key; KEYGEN: GenerateKeyPair.
 */
#include <cryptopp/eccrypto.h>
#include <cryptopp/oids.h>
#include <cryptopp/xed25519.h>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

constexpr size_t LENGTH = 32;

class Agree final : public Work {
public:
    explicit Agree(const mb_job &job) : own_(job.key)
    {
        if (job.peer_len != LENGTH)
            throw Unsupported("a public key has 32 bytes");
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = LENGTH;
        return repeat(n,
                      [&] { return own_.Agree(job.out, job.key, job.peer) ? MB_OK : MB_REJECTED; });
    }

private:
    CryptoPP::x25519 own_;
};

class Generate final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        uint8_t public_key[LENGTH];
        job.out_len = LENGTH;
        return repeat(n, [&] { domain_.GenerateKeyPair(rng(), job.out, public_key); });
    }

private:
    CryptoPP::x25519 domain_;
};

WorkPtr open_x25519(const mb_job &job)
{
    rng(); /* seeded here, so that it is not timed */
    if (job.op == MB_KEYGEN)
        return std::make_unique<Generate>();
    return std::make_unique<Agree>(job);
}

void x25519_public(mb_job &job)
{
    const CryptoPP::x25519 own(job.key);
    uint8_t public_key[LENGTH];
    own.GeneratePublicKey(rng(), job.key, public_key);
    give(job, public_key, sizeof public_key);
}

using Ecdh = CryptoPP::ECDH<CryptoPP::ECP>::Domain;

constexpr size_t SCALAR = 32;
constexpr size_t POINT = 65;
constexpr uint8_t UNCOMPRESSED = 4;

/* The library takes whatever private key it is given. */
void check_scalar(const mb_job &job, const Ecdh &domain)
{
    if (job.key_len != SCALAR)
        throw Unsupported("a private key has 32 bytes");
    const CryptoPP::Integer scalar(job.key, job.key_len);
    if (scalar.IsZero() || scalar >= domain.GetGroupParameters().GetSubgroupOrder())
        throw std::invalid_argument("the private key is not in the range of the curve's order");
}

class AgreeEcdh final : public Work {
public:
    explicit AgreeEcdh(const mb_job &job) : domain_(CryptoPP::ASN1::secp256r1())
    {
        check_scalar(job, domain_);
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        if (job.peer_len != POINT || job.peer[0] != UNCOMPRESSED)
            return MB_REJECTED;
        job.out_len = SCALAR;
        return repeat(n, [&] {
            return domain_.Agree(job.out, job.key, job.peer) ? MB_OK : MB_REJECTED;
        });
    }

private:
    Ecdh domain_;
};

class GenerateEcdh final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        uint8_t public_key[POINT];
        job.out_len = SCALAR;
        return repeat(n, [&] { domain_.GenerateKeyPair(rng(), job.out, public_key); });
    }

private:
    Ecdh domain_{CryptoPP::ASN1::secp256r1()};
};

WorkPtr open_ecdh(const mb_job &job)
{
    rng(); /* seeded here, so that it is not timed */
    if (job.op == MB_KEYGEN)
        return std::make_unique<GenerateEcdh>();
    return std::make_unique<AgreeEcdh>(job);
}

void ecdh_public(mb_job &job)
{
    const Ecdh domain(CryptoPP::ASN1::secp256r1());
    uint8_t public_key[POINT];
    check_scalar(job, domain);
    domain.GeneratePublicKey(rng(), job.key, public_key);
    give(job, public_key, sizeof public_key);
}

} // namespace

void add_ecdh(Offers &offers)
{
    offers.push_back({"ecdh-p256", x25519_scheme(), open_ecdh, ecdh_public});
}

void add_x25519(Offers &offers)
{
    offers.push_back({"x25519", x25519_scheme(), open_x25519, x25519_public});
}

} // namespace motebench::cryptopp
