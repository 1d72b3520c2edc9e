/* X25519. What is timed: AGREE: PK_Key_Agreement::derive_key without a derivation function; KEYGEN: the key's constructor. */
#include <botan/curve25519.h>
#include <botan/pubkey.h>

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

constexpr size_t LENGTH = 32;

Botan::Curve25519_PrivateKey key_of(const mb_job &job)
{
    return Botan::Curve25519_PrivateKey(Botan::secure_vector<uint8_t>(job.key, job.key + job.key_len));
}

class Agree final : public Work {
public:
    explicit Agree(const mb_job &job) : key_(key_of(job)), agreement_(key_, rng(), "Raw")
    {
        if (job.in_len != LENGTH)
            throw Unsupported("a public key has 32 bytes");
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        Botan::secure_vector<uint8_t> secret;
        for (uint32_t i = 0; i < n; i++)
            secret = agreement_.derive_key(0, job.in, job.in_len, nullptr, 0).bits_of();
        give(job, secret.data(), secret.size());
        return MB_OK;
    }

private:
    Botan::Curve25519_PrivateKey key_;
    Botan::PK_Key_Agreement agreement_;
};

class Generate final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        for (uint32_t i = 0; i + 1 < n; i++)
            Botan::Curve25519_PrivateKey{rng()};
        write_private(job, Botan::Curve25519_PrivateKey(rng()));
        return MB_OK;
    }
};

} // namespace

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
