/*
 * GCM, CCM, EAX, ChaCha20-Poly1305, XChaCha20-Poly1305.
 *
 * Timed: ENCRYPT, DECRYPT: ProcessData in place; CCM: Resynchronize, SpecifyDataLengths,
 * ProcessData, for it cannot be continued. Messages: EncryptAndAuthenticate and DecryptAndVerify.
 * KEY_SETUP: as in plain.cpp.
 */
#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

class Aead final : public Work {
public:
    Aead(const mb_job &job, MakeCipher make, const Settings &settings)
        : keyed_(job, make, settings, tag_length(job)), tag_len_(tag_length(job)),
          cipher_(dynamic_cast<CryptoPP::AuthenticatedSymmetricCipher &>(keyed_.cipher()))
    {
    }

    void start(mb_job &job) override
    {
        begun_ = false;
        if (job.op != MB_ENCRYPT && job.op != MB_DECRYPT)
            return;
        keyed_.set_key();
        begin(job, job.in_len);
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = job.in_len;
        switch (job.op) {
        case MB_KEY_SETUP:
            job.out_len = 0;
            return repeat(n, [&] { keyed_.set_key(); });
        case MB_ENCRYPT:
        case MB_DECRYPT:
            return bulk(job, n);
        case MB_ENCRYPT_MESSAGE:
            return repeat(n, [&] { encrypt(job); });
        case MB_ENCRYPT_NEW_KEY:
            return repeat(n, [&] {
                keyed_.set_key();
                encrypt(job);
            });
        default:
            return repeat(n, [&] { return decrypt(job) ? MB_OK : MB_REJECTED; });
        }
    }

    void update(mb_job &job, const uint8_t *in, size_t in_len, uint8_t *out,
                size_t &out_len) override
    {
        begin_stream(job);
        cipher_.ProcessData(out, in, in_len);
        out_len = in_len;
    }

    mb_status final(mb_job &job, uint8_t *, size_t &) override
    {
        begin_stream(job);
        if (job.op == MB_DECRYPT_MESSAGE)
            return cipher_.TruncatedVerify(job.tag, job.tag_len) ? MB_OK : MB_REJECTED;
        cipher_.TruncatedFinal(job.tag_out, tag_len_);
        job.tag_out_len = tag_len_;
        return MB_OK;
    }

private:
    void begin(const mb_job &job, uint64_t len)
    {
        keyed_.begin();
        if (cipher_.NeedsPrespecifiedDataLengths())
            cipher_.SpecifyDataLengths(job.aad_len, len);
        if (job.aad_len > 0)
            cipher_.Update(job.aad, job.aad_len);
    }

    void begin_stream(const mb_job &job)
    {
        if (!begun_)
            begin(job, job.total_len);
        begun_ = true;
    }

    mb_status bulk(mb_job &job, uint32_t n)
    {
        if (cipher_.NeedsPrespecifiedDataLengths())
            return repeat(n, [&] {
                begin(job, job.in_len);
                cipher_.ProcessData(job.out, job.out, job.in_len);
            });
        return repeat(n, [&] { cipher_.ProcessData(job.out, job.out, job.in_len); });
    }

    void encrypt(mb_job &job)
    {
        cipher_.EncryptAndAuthenticate(
            job.out, job.tag_out, tag_len_, job.nonce, static_cast<int>(job.nonce_len), job.aad,
            job.aad_len, job.in, job.in_len);
        job.tag_out_len = tag_len_;
    }

    bool decrypt(mb_job &job)
    {
        return cipher_.DecryptAndVerify(
            job.out, job.tag, job.tag_len, job.nonce, static_cast<int>(job.nonce_len), job.aad,
            job.aad_len, job.in, job.in_len);
    }

    Keyed keyed_;
    size_t tag_len_;
    CryptoPP::AuthenticatedSymmetricCipher &cipher_; /* of keyed_ */
    bool begun_ = false;
};

} // namespace

WorkPtr open_aead(const mb_job &job, MakeCipher make, const Settings &settings)
{
    return std::make_unique<Aead>(job, make, settings);
}

} // namespace motebench::cryptopp
