/*
 * X25519 and Diffie-Hellman on P-256. Timed: AGREE: PK_Key_Agreement::derive_key without a
 * derivation function, which checks that a point of P-256 is on the curve; KEYGEN: the key's
 * constructor, and writing the key.
 */
#include <botan/ecdh.h>
#include <botan/pubkey.h>
#include <botan/version.h>
#if BOTAN_VERSION_MAJOR >= 3
#include <botan/x25519.h>
#else
#include <botan/curve25519.h>
#endif

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

#if BOTAN_VERSION_MAJOR >= 3
using PrivateX25519 = Botan::X25519_PrivateKey;
#else
using PrivateX25519 = Botan::Curve25519_PrivateKey;
#endif

constexpr size_t LENGTH = 32;

PrivateX25519 key_of(const mb_job &job)
{
    return PrivateX25519(Botan::secure_vector<uint8_t>(job.key, job.key + job.key_len));
}

class Agree final : public Work {
public:
    explicit Agree(const mb_job &job) : key_(key_of(job)), agreement_(key_, rng(), "Raw")
    {
        if (job.peer_len != LENGTH)
            throw Unsupported("a public key has 32 bytes");
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            const auto secret =
                agreement_.derive_key(0, job.peer, job.peer_len, nullptr, 0).bits_of();
            give(job, secret.data(), secret.size());
        });
    }

private:
    PrivateX25519 key_;
    Botan::PK_Key_Agreement agreement_;
};

class Generate final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] { write_private(job, PrivateX25519(rng())); });
    }
};

constexpr size_t POINT = 65;
constexpr uint8_t UNCOMPRESSED = 4;

Botan::ECDH_PrivateKey ecdh_key_of(const mb_job &job)
{
    const Botan::EC_Group group = p256();
    const Botan::BigInt scalar = p256_scalar(job);
    if (scalar >= group.get_order())
        throw std::invalid_argument("the private key is not below the curve's order");
#if BOTAN_VERSION_MAJOR >= 3
    return Botan::ECDH_PrivateKey(group, Botan::EC_Scalar::from_bigint(group, scalar));
#else
    return Botan::ECDH_PrivateKey(rng(), group, scalar);
#endif
}

class AgreeEcdh final : public Work {
public:
    explicit AgreeEcdh(const mb_job &job) : key_(ecdh_key_of(job)), agreement_(key_, rng(), "Raw")
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        if (job.peer_len != POINT || job.peer[0] != UNCOMPRESSED)
            return MB_REJECTED;
        return repeat(n, [&] {
            const auto secret =
                agreement_.derive_key(0, job.peer, job.peer_len, nullptr, 0).bits_of();
            give(job, secret.data(), secret.size());
        });
    }

private:
    Botan::ECDH_PrivateKey key_;
    Botan::PK_Key_Agreement agreement_;
};

class GenerateEcdh final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] { write_private(job, Botan::ECDH_PrivateKey(rng(), p256())); });
    }
};

} // namespace

WorkPtr open_ecdh(const mb_job &job)
{
    rng(); /* seeded here, so that it is not timed */
    if (job.op == MB_KEYGEN)
        return std::make_unique<GenerateEcdh>();
    return std::make_unique<AgreeEcdh>(job);
}

void ecdh_public(mb_job &job)
{
    write_public(job, ecdh_key_of(job));
}

WorkPtr open_x25519(const mb_job &job)
{
    rng(); /* seeded here, so that it is not timed */
    if (job.op == MB_KEYGEN)
        return std::make_unique<Generate>();
    return std::make_unique<Agree>(job);
}

void x25519_public(mb_job &job)
{
    write_public(job, key_of(job));
}

} // namespace motebench::botan
