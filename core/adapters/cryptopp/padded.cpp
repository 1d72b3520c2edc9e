/*
 * ECB and CBC. Timed: ENCRYPT, DECRYPT: ProcessData in place. Messages: Resynchronize
 * (CBC), and the library's way to pad: Put and MessageEnd of a StreamTransformationFilter, whose
 * output goes where it belongs without a copy of ours. The filter is made once. KEY_SETUP: as in
 * plain.cpp.
 */
#include <cryptopp/filters.h>
#include <cryptopp/simple.h>

#include <cstring>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

/* The place of the filter's output. The filter owns it. */
class Target final : public CryptoPP::Bufferless<CryptoPP::Sink> {
public:
    uint8_t *at = nullptr;
    size_t room = 0, len = 0;

    size_t Put2(const CryptoPP::byte *in, size_t in_len, int, bool) override
    {
        if (in_len > room - len)
            throw std::length_error("output does not fit");
        if (in_len > 0)
            std::memcpy(at + len, in, in_len);
        len += in_len;
        return 0;
    }
};

class Padded final : public Work {
public:
    Padded(const mb_job &job, MakeCipher make, const Settings &settings)
        : keyed_(job, make, settings), target_(new Target),
          filter_(keyed_.cipher(), target_, CryptoPP::StreamTransformationFilter::PKCS_PADDING)
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
                message(job);
            });
        default:
            if (job.op == MB_DECRYPT_MESSAGE &&
                (job.in_len == 0 || job.in_len % cipher.MandatoryBlockSize() != 0))
                return MB_REJECTED;
            return repeat(n, [&] {
                keyed_.begin();
                message(job);
            });
        }
    }

    void update(mb_job &job, const uint8_t *in, size_t in_len, uint8_t *out,
                size_t &out_len) override
    {
        total_ += in_len;
        target(out, job.out_cap);
        filter_.Put(in, in_len);
        out_len = target_->len;
    }

    mb_status final(mb_job &job, uint8_t *out, size_t &out_len) override
    {
        if (job.op == MB_DECRYPT_MESSAGE &&
            (total_ == 0 || total_ % keyed_.cipher().MandatoryBlockSize() != 0))
            return MB_REJECTED;
        target(out, job.out_cap);
        filter_.MessageEnd();
        out_len = target_->len;
        return MB_OK;
    }

private:
    void target(uint8_t *out, size_t room)
    {
        target_->at = out;
        target_->room = room;
        target_->len = 0;
    }

    void message(mb_job &job)
    {
        target(job.out, job.out_cap);
        filter_.Put(job.in, job.in_len);
        filter_.MessageEnd();
        job.out_len = target_->len;
    }

    Keyed keyed_;
    Target *target_;
    CryptoPP::StreamTransformationFilter filter_;
    uint64_t total_ = 0; /* streamed bytes */
};

} // namespace

WorkPtr open_padded(const mb_job &job, MakeCipher make, const Settings &settings)
{
    return std::make_unique<Padded>(job, make, settings);
}

} // namespace motebench::cryptopp
