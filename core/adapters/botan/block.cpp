/*
 * ECB: Botan has no such mode, and BlockCipher::encrypt_n is its interface to many blocks at once.
 *
 * Timed: ENCRYPT, DECRYPT: encrypt_n, decrypt_n in place. Messages: the library's PKCS#7
 * padding on the last block beside it. Botan 3 keeps that padding to itself, so messages are not
 * offered there.
 */
#include <botan/block_cipher.h>
#if __has_include(<botan/mode_pad.h>)
#include <botan/mode_pad.h>
#endif

#include <cstring>

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

class Block final : public Work {
public:
    Block(const mb_job &job, const std::string &name)
        : cipher_(Botan::BlockCipher::create_or_throw(name))
    {
        block_ = cipher_->block_size();
        cipher_->set_key(job.key, job.key_len);
    }

    void start(mb_job &) override { held_.clear(); }

    mb_status run(mb_job &job, uint32_t n) override
    {
        const size_t blocks = job.in_len / block_;
        job.out_len = job.in_len;
        switch (job.op) {
        case MB_KEY_SETUP:
            job.out_len = 0;
            return repeat(n, [&] { cipher_->set_key(job.key, job.key_len); });
        case MB_ENCRYPT:
            return repeat(n, [&] { cipher_->encrypt_n(job.out, job.out, blocks); });
        case MB_DECRYPT:
            return repeat(n, [&] { cipher_->decrypt_n(job.out, job.out, blocks); });
        default:
            return messages(job, n);
        }
    }

#if __has_include(<botan/mode_pad.h>)
    /* The last whole block waits for `final` when decrypting: padding is in it. */
    void update(mb_job &job, const uint8_t *in, size_t in_len, uint8_t *out,
                size_t &out_len) override
    {
        held_.insert(held_.end(), in, in + in_len);
        const size_t keep = job.op == MB_DECRYPT_MESSAGE ? 1 : 0;
        const size_t blocks = held_.size() > keep ? (held_.size() - keep) / block_ : 0;
        if (job.op == MB_DECRYPT_MESSAGE)
            cipher_->decrypt_n(held_.data(), out, blocks);
        else
            cipher_->encrypt_n(held_.data(), out, blocks);
        out_len = blocks * block_;
        held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(out_len));
    }

    mb_status final(mb_job &job, uint8_t *out, size_t &out_len) override
    {
        if (job.op == MB_DECRYPT_MESSAGE)
            return decrypt(held_.data(), held_.size(), out, out_len) ? MB_OK : MB_REJECTED;
        encrypt(held_.data(), held_.size(), out, out_len);
        return MB_OK;
    }

private:
    mb_status messages(mb_job &job, uint32_t n)
    {
        switch (job.op) {
        case MB_ENCRYPT_MESSAGE:
            return repeat(n, [&] { encrypt(job.in, job.in_len, job.out, job.out_len); });
        case MB_ENCRYPT_NEW_KEY:
            return repeat(n, [&] {
                cipher_->set_key(job.key, job.key_len);
                encrypt(job.in, job.in_len, job.out, job.out_len);
            });
        default:
            return repeat(n, [&] {
                return decrypt(job.in, job.in_len, job.out, job.out_len) ? MB_OK : MB_REJECTED;
            });
        }
    }

    void encrypt(const uint8_t *in, size_t len, uint8_t *out, size_t &out_len)
    {
        const size_t full = len - len % block_;
        cipher_->encrypt_n(in, out, full / block_);
        last_.assign(in + full, in + len);
        padding_.add_padding(last_, len - full, block_);
        cipher_->encrypt_n(last_.data(), out + full, 1);
        out_len = full + block_;
    }

    bool decrypt(const uint8_t *in, size_t len, uint8_t *out, size_t &out_len)
    {
        if (len == 0 || len % block_ != 0)
            return false;
        cipher_->decrypt_n(in, out, len / block_);
        const size_t kept = padding_.unpad(out + len - block_, block_);
        out_len = len - block_ + kept;
        return kept < block_;
    }

    Botan::PKCS7_Padding padding_;
    Botan::secure_vector<uint8_t> last_;
#else
private:
    mb_status messages(mb_job &, uint32_t)
    {
        throw Unsupported("this version of the library cannot pad single blocks");
    }
#endif
    std::unique_ptr<Botan::BlockCipher> cipher_;
    size_t block_ = 0;
    std::vector<uint8_t> held_;
};

} // namespace

WorkPtr open_block(const mb_job &job, const std::string &cipher)
{
    return std::make_unique<Block>(job, cipher);
}

} // namespace motebench::botan
