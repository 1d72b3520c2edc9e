/* X25519. What is timed: AGREE: PK_Key_Agreement::derive_key without a derivation function; KEYGEN: the key's
 * constructor, and writing the key. */
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
        if (job.peer_len != LENGTH)
            throw Unsupported("a public key has 32 bytes");
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            const auto secret = agreement_.derive_key(0, job.peer, job.peer_len, nullptr, 0).bits_of();
            give(job, secret.data(), secret.size());
        });
    }

private:
    Botan::Curve25519_PrivateKey key_;
    Botan::PK_Key_Agreement agreement_;
};

class Generate final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] { write_private(job, Botan::Curve25519_PrivateKey(rng())); });
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
