/* X25519. What is timed: AGREE: Agree, with its check of the peer's key; KEYGEN: GenerateKeyPair. */
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
        return repeat(n, [&] { return own_.Agree(job.out, job.key, job.peer) ? MB_OK : MB_REJECTED; });
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

} // namespace

void add_x25519(Offers &offers)
{
    offers.push_back({"x25519", x25519_scheme(), open_x25519, x25519_public});
}

} // namespace motebench::cryptopp
