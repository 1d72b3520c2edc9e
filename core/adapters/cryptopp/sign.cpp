/*
 * Signatures: what RSA, ECDSA and Ed25519 have in common.
 *
 * Timed: SIGN: SignMessage; VERIFY: VerifyMessage; for ECDSA also the conversion between r,
 * s and DER. KEYGEN: GenerateRandom and writing the key (see rsa.cpp, ecc.cpp).
 */
#include <cryptopp/osrng.h>

#include <algorithm>
#include <cstring>

#include "cryptopp_adapter.hpp"

extern "C" {
#include "support/der.h"
}

namespace motebench::cryptopp {

namespace {

constexpr size_t SCALAR = 32;
constexpr size_t DER_ROOM = 80;

/* r and s to DER at `out`; the length. */
size_t to_der(const uint8_t *rs, uint8_t *out)
{
    const mb_number numbers[2] = {{rs, SCALAR}, {rs + SCALAR, SCALAR}};
    return mb_der_write(out, DER_ROOM, numbers, 2);
}

/* False for what is no DER of two numbers of up to 256 bits. */
bool from_der(const uint8_t *der, size_t len, uint8_t *rs)
{
    mb_number numbers[2];
    if (!mb_der_read(der, len, numbers, 2) || numbers[0].len > SCALAR || numbers[1].len > SCALAR)
        return false;
    std::fill_n(rs, 2 * SCALAR, uint8_t{0});
    for (size_t i = 0; i < 2; i++)
        std::copy_n(numbers[i].at, numbers[i].len, rs + (i + 1) * SCALAR - numbers[i].len);
    return true;
}

class Sign final : public Work {
public:
    Sign(const mb_job &job, const SignatureKeys &keys)
        : signer_(keys.signer(job)), signature_(signer_->MaxSignatureLength()), der_(keys.der)
    {
        if (job.out_cap < std::max(signature_.size(), DER_ROOM))
            throw std::length_error("output does not fit");
    }

    void start(mb_job &job) override
    {
        if (job.scheme->can_stream)
            message_.reset(signer_->NewSignatureAccumulator(rng()));
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            const size_t len = signer_->SignMessage(rng(), job.in, job.in_len, signature_.data());
            job.out_len = write(len, job.out);
        });
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        message_->Update(in, in_len);
    }

    mb_status final(mb_job &, uint8_t *out, size_t &out_len) override
    {
        out_len = write(signer_->Sign(rng(), message_.release(), signature_.data()), out);
        return MB_OK;
    }

private:
    size_t write(size_t len, uint8_t *out) const
    {
        if (der_)
            return to_der(signature_.data(), out);
        std::memcpy(out, signature_.data(), len);
        return len;
    }

    std::unique_ptr<CryptoPP::PK_Signer> signer_;
    std::unique_ptr<CryptoPP::PK_MessageAccumulator> message_;
    std::vector<uint8_t> signature_;
    bool der_;
};

class Verify final : public Work {
public:
    Verify(const mb_job &job, const SignatureKeys &keys)
        : verifier_(keys.verifier(job)), der_(keys.der)
    {
    }

    void start(mb_job &job) override
    {
        if (job.scheme->can_stream)
            message_.reset(verifier_->NewVerificationAccumulator());
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            return take(job) && verifier_->VerifyMessage(job.in, job.in_len, signature_, len_)
                       ? MB_OK
                       : MB_REJECTED;
        });
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        message_->Update(in, in_len);
    }

    mb_status final(mb_job &job, uint8_t *, size_t &) override
    {
        if (!take(job))
            return MB_REJECTED;
        verifier_->InputSignature(*message_, signature_, len_);
        return verifier_->Verify(message_.release()) ? MB_OK : MB_REJECTED;
    }

private:
    /* RFC 8017 8.1.2, 8.2.2 and RFC 8032 5.1.7: exactly as long as signatures of this key are. */
    bool take(const mb_job &job)
    {
        signature_ = job.signature;
        len_ = job.signature_len;
        if (!der_)
            return len_ == verifier_->SignatureLength();
        signature_ = rs_;
        len_ = sizeof rs_;
        return from_der(job.signature, job.signature_len, rs_);
    }

    std::unique_ptr<CryptoPP::PK_Verifier> verifier_;
    std::unique_ptr<CryptoPP::PK_MessageAccumulator> message_;
    const uint8_t *signature_ = nullptr;
    size_t len_ = 0;
    uint8_t rs_[2 * SCALAR] = {0};
    bool der_;
};

class Generate final : public Work {
public:
    explicit Generate(const SignatureKeys &keys) : generate_(keys.generate) {}

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] { generate_(job); });
    }

private:
    std::function<void(mb_job &)> generate_;
};

} // namespace

CryptoPP::RandomNumberGenerator &rng()
{
    static CryptoPP::AutoSeededRandomPool generator;
    return generator;
}

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

void add_signature(Offers &offers, const std::string &name, const mb_scheme &scheme,
                   const SignatureKeys &keys)
{
    offers.push_back({name, scheme, [keys](const mb_job &job) { return open_signature(job, keys); },
                      keys.public_key});
}

} // namespace motebench::cryptopp
