/*
 * Signatures: RSA, ECDSA, Ed25519.
 *
 * Timed: SIGN: PK_Signer::update and signature; VERIFY: PK_Verifier::update and
 * check_signature; both keep what they compute from the key once. KEYGEN: the constructor that
 * makes a key; the last key of a batch is written.
 */
#include <botan/pubkey.h>

#include <cstring>

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

Botan::Signature_Format format_of(const SignatureKeys &keys)
{
#if BOTAN_VERSION_MAJOR >= 3
    return keys.der ? Botan::Signature_Format::DerSequence : Botan::Signature_Format::Standard;
#else
    return keys.der ? Botan::DER_SEQUENCE : Botan::IEEE_1363;
#endif
}

class Sign final : public Work {
public:
    Sign(const mb_job &job, const SignatureKeys &keys)
        : key_(keys.read_private(job)), signer_(*key_, rng(), keys.padding, format_of(keys))
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            signature_ = signer_.sign_message(job.message, job.message_len, rng());
            give(job, signature_.data(), signature_.size());
        });
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        signer_.update(in, in_len);
    }

    mb_status final(mb_job &, uint8_t *out, size_t &out_len) override
    {
        signature_ = signer_.signature(rng());
        std::memcpy(out, signature_.data(), signature_.size());
        out_len = signature_.size();
        return MB_OK;
    }

private:
    std::unique_ptr<Botan::Private_Key> key_;
    Botan::PK_Signer signer_;
    std::vector<uint8_t> signature_;
};

class Verify final : public Work {
public:
    Verify(const mb_job &job, const SignatureKeys &keys)
        : key_(keys.read_public(job)), verifier_(*key_, keys.padding, format_of(keys))
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            return verifier_.verify_message(job.in, job.in_len, job.signature, job.signature_len)
                       ? MB_OK
                       : MB_REJECTED;
        });
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        verifier_.update(in, in_len);
    }

    mb_status final(mb_job &job, uint8_t *, size_t &) override
    {
        return verifier_.check_signature(job.signature, job.signature_len) ? MB_OK : MB_REJECTED;
    }

private:
    std::unique_ptr<Botan::Public_Key> key_;
    Botan::PK_Verifier verifier_;
};

class Generate final : public Work {
public:
    explicit Generate(const SignatureKeys &keys) : generate_(keys.generate) {}

    mb_status run(mb_job &job, uint32_t n) override
    {
        std::unique_ptr<Botan::Private_Key> key;
        const mb_status status = repeat(n, [&] { key = generate_(); });
        write_private(job, *key);
        return status;
    }

private:
    std::function<std::unique_ptr<Botan::Private_Key>()> generate_;
};

} // namespace

WorkPtr open_signature(const mb_job &job, const SignatureKeys &keys)
{
    rng(); /* seeded here, so that it is not timed */
    switch (job.op) {
    case MB_SIGN:
        return std::make_unique<Sign>(job, keys);
    case MB_VERIFY:
        return std::make_unique<Verify>(job, keys);
    default:
        return std::make_unique<Generate>(keys);
    }
}

} // namespace motebench::botan
