/*
 * Ciphers without padding and tag: CFB, OFB, CTR, XTS, stream ciphers; and the keys of all ciphers.
 *
 * Timed: ENCRYPT, DECRYPT: ProcessData in place; XTS: Resynchronize and ProcessData, one
 * data unit. Messages: Resynchronize and ProcessData; RC4 has no nonce, so its messages set the
 * key. KEY_SETUP: SetKey with the parameters that the cipher needs; Crypto++ sets no key of these
 * without an IV, which is therefore loaded as well.
 */
#include <cryptopp/argnames.h>

#include <algorithm>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

constexpr size_t XTS_BLOCK = 16;
constexpr uint8_t NO_NONCE[64] = {0}; /* KEY_SETUP is given none */

class Plain final : public Work {
public:
    Plain(const mb_job &job, MakeCipher make, const Settings &settings)
        : keyed_(job, make, settings)
    {
    }

    void start(mb_job &) override { keyed_.begin(); }

    mb_status run(mb_job &job, uint32_t n) override
    {
        CryptoPP::StreamTransformation &cipher = keyed_.cipher();
        job.out_len = job.in_len;
        switch (job.op) {
        case MB_KEY_SETUP:
            job.out_len = 0;
            return repeat(n, [&] { keyed_.set_key(); });
        case MB_ENCRYPT:
        case MB_DECRYPT:
            return repeat(n, [&] { cipher.ProcessData(job.out, job.out, job.in_len); });
        case MB_ENCRYPT_NEW_KEY:
            return repeat(n, [&] {
                keyed_.set_key();
                cipher.ProcessData(job.out, job.in, job.in_len);
            });
        default:
            return repeat(n, [&] {
                keyed_.begin();
                cipher.ProcessData(job.out, job.in, job.in_len);
            });
        }
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *out, size_t &out_len) override
    {
        keyed_.cipher().ProcessData(out, in, in_len);
        out_len = in_len;
    }

    mb_status final(mb_job &, uint8_t *, size_t &) override { return MB_OK; }

private:
    Keyed keyed_;
};

class Xts final : public Work {
public:
    Xts(const mb_job &job, MakeCipher make) : keyed_(job, make, {})
    {
        if (job.op != MB_KEY_SETUP && job.in_len < XTS_BLOCK)
            throw Unsupported("XTS needs at least 16 bytes");
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        const uint8_t *in = job.op == MB_ENCRYPT || job.op == MB_DECRYPT ? job.out : job.in;
        job.out_len = job.op == MB_KEY_SETUP ? 0 : job.in_len;
        switch (job.op) {
        case MB_KEY_SETUP:
            return repeat(n, [&] { keyed_.set_key(); });
        case MB_ENCRYPT_NEW_KEY:
            return repeat(n, [&] {
                keyed_.set_key();
                unit(in, job.in_len, job.out);
            });
        default:
            return repeat(n, [&] {
                keyed_.begin();
                unit(in, job.in_len, job.out);
            });
        }
    }

private:
    /* The last block and what is left over go through ProcessLastBlock together. */
    void unit(const uint8_t *in, size_t len, uint8_t *out)
    {
        const size_t rest = len % XTS_BLOCK == 0 ? 0 : XTS_BLOCK + len % XTS_BLOCK;
        const size_t full = len - rest;
        if (full > 0)
            keyed_.cipher().ProcessData(out, in, full);
        if (rest > 0)
            keyed_.cipher().ProcessLastBlock(out + full, rest, in + full, rest);
    }

    Keyed keyed_;
};

} // namespace

Keyed::Keyed(const mb_job &job, MakeCipher make, const Settings &settings, size_t tag)
    : cipher_(make(is_decryption(job.op))), key_(job.key), nonce_(job.nonce), key_len_(job.key_len),
      nonce_len_(job.nonce_len)
{
    namespace Name = CryptoPP::Name; /* false: no complaint about what a cipher does not look at */
    restarts_ = false;
    if (tag > 0) {
        parameters_(Name::IV(), static_cast<const CryptoPP::byte *>(nullptr), false); /* later */
    } else if (cipher_.key->IsResynchronizable()) {
        if (job.op == MB_KEY_SETUP) {
            nonce_ = NO_NONCE;
            nonce_len_ = std::min<size_t>(cipher_.key->DefaultIVLength(), sizeof NO_NONCE);
        }
        parameters_(Name::IV(), CryptoPP::ConstByteArrayParameter(nonce_, nonce_len_), false);
    } else {
        restarts_ = cipher_.data->MandatoryBlockSize() == 1;
    }
    if (settings.rounds > 0)
        parameters_(Name::Rounds(), settings.rounds, false);
    if (settings.effective_bits > 0)
        parameters_(Name::EffectiveKeyLength(), settings.effective_bits, false);
    if (settings.feedback > 0)
        parameters_(Name::FeedbackSize(), settings.feedback, false);
    if (tag > 0)
        parameters_(Name::DigestSize(), static_cast<int>(tag), false);
    set_key();
}

void Keyed::set_key()
{
    cipher_.key->SetKey(key_, key_len_, parameters_);
}

void Keyed::begin()
{
    if (restarts_)
        set_key();
    else if (cipher_.key->IsResynchronizable())
        cipher_.key->Resynchronize(nonce_, static_cast<int>(nonce_len_));
}

WorkPtr open_plain(const mb_job &job, MakeCipher make, const Settings &settings)
{
    return std::make_unique<Plain>(job, make, settings);
}

WorkPtr open_xts(const mb_job &job, MakeCipher make)
{
    return std::make_unique<Xts>(job, make);
}

} // namespace motebench::cryptopp
