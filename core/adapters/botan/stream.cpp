/*
 * CTR, OFB and stream ciphers: Botan's StreamCipher.
 *
 * Timed: ENCRYPT, DECRYPT: cipher1 in place. Messages: set_iv and cipher; RC4 has no nonce
 * and starts over with its key, so its messages always load it. KEY_SETUP: set_key, with which
 * ChaCha, Salsa20 and CTR also make their first block of key stream.
 */
#include <botan/stream_cipher.h>

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

class Stream final : public Work {
public:
    Stream(const mb_job &job, const std::string &name)
        : cipher_(Botan::StreamCipher::create_or_throw(name))
    {
        if (job.op != MB_KEY_SETUP && job.nonce_len > 0 && !cipher_->valid_iv_length(job.nonce_len))
            throw Unsupported("nonce length is not offered");
        cipher_->set_key(job.key, job.key_len);
    }

    void start(mb_job &job) override
    {
        if (job.op != MB_KEY_SETUP)
            begin(job, false);
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = job.in_len;
        switch (job.op) {
        case MB_KEY_SETUP:
            job.out_len = 0;
            return repeat(n, [&] { cipher_->set_key(job.key, job.key_len); });
        case MB_ENCRYPT:
        case MB_DECRYPT:
            return repeat(n, [&] { cipher_->cipher1(job.out, job.in_len); });
        default:
            return repeat(n, [&] {
                begin(job, job.op == MB_ENCRYPT_NEW_KEY);
                cipher_->cipher(job.in, job.out, job.in_len);
            });
        }
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *out, size_t &out_len) override
    {
        cipher_->cipher(in, out, in_len);
        out_len = in_len;
    }

    mb_status final(mb_job &, uint8_t *, size_t &) override { return MB_OK; }

private:
    void begin(const mb_job &job, bool new_key)
    {
        if (new_key || job.nonce_len == 0)
            cipher_->set_key(job.key, job.key_len);
        if (job.nonce_len > 0)
            cipher_->set_iv(job.nonce, job.nonce_len);
    }

    std::unique_ptr<Botan::StreamCipher> cipher_;
};

} // namespace

WorkPtr open_stream(const mb_job &job, const std::string &cipher)
{
    return std::make_unique<Stream>(job, cipher);
}

} // namespace motebench::botan
