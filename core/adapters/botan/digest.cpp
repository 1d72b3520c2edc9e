/*
 * Hashes and MACs: update and final are timed, and set_key of a MAC as KEY_SETUP; of a MAC with a
 * nonce start, too.
 */
#include <botan/hash.h>
#include <botan/mac.h>

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

/* Both are Botan::Buffered_Computation. */
class Computation : public Work {
public:
    explicit Computation(std::unique_ptr<Botan::Buffered_Computation> computation)
        : what_(std::move(computation))
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        Botan::Buffered_Computation &what = *what_;
        job.out_len = what.output_length();
        return repeat(n, [&] {
            what.update(job.in, job.in_len);
            what.final(job.out);
        });
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        what_->update(in, in_len);
    }

    mb_status final(mb_job &, uint8_t *out, size_t &out_len) override
    {
        what_->final(out);
        out_len = what_->output_length();
        return MB_OK;
    }

private:
    std::unique_ptr<Botan::Buffered_Computation> what_;
};

/*
 * GMAC: its final erases the key, so that every message sets it again (GMAC::final_result calls
 * clear).
 */
class NonceMac final : public Work {
public:
    explicit NonceMac(std::unique_ptr<Botan::MessageAuthenticationCode> mac) : mac_(std::move(mac))
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        Botan::MessageAuthenticationCode &mac = *mac_;
        job.out_len = mac.output_length();
        return repeat(n, [&] {
            start(job);
            mac.update(job.in, job.in_len);
            mac.final(job.out);
        });
    }

    void update(mb_job &job, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        begin(job);
        mac_->update(in, in_len);
    }

    mb_status final(mb_job &job, uint8_t *out, size_t &out_len) override
    {
        begin(job);
        mac_->final(out);
        begun_ = false;
        out_len = mac_->output_length();
        return MB_OK;
    }

private:
    void begin(const mb_job &job)
    {
        if (!begun_)
            start(job);
        begun_ = true;
    }

    void start(const mb_job &job)
    {
        mac_->set_key(job.key, job.key_len);
        mac_->start(job.nonce, job.nonce_len);
    }

    std::unique_ptr<Botan::MessageAuthenticationCode> mac_;
    bool begun_ = false;
};

class MacKey final : public Work {
public:
    explicit MacKey(std::unique_ptr<Botan::MessageAuthenticationCode> mac) : mac_(std::move(mac)) {}

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = 0;
        return repeat(n, [&] { mac_->set_key(job.key, job.key_len); });
    }

private:
    std::unique_ptr<Botan::MessageAuthenticationCode> mac_;
};

} // namespace

WorkPtr open_digest(const mb_job &, const std::string &hash)
{
    return std::make_unique<Computation>(Botan::HashFunction::create_or_throw(hash));
}

WorkPtr open_gmac(const mb_job &job, const std::string &name)
{
    auto mac = Botan::MessageAuthenticationCode::create_or_throw(name);
    if (job.op == MB_KEY_SETUP)
        return std::make_unique<MacKey>(std::move(mac));
    return std::make_unique<NonceMac>(std::move(mac));
}

WorkPtr open_mac(const mb_job &job, const std::string &name)
{
    auto mac = Botan::MessageAuthenticationCode::create_or_throw(name);
    mac->set_key(job.key, job.key_len);
    if (job.op == MB_KEY_SETUP)
        return std::make_unique<MacKey>(std::move(mac));
    return std::make_unique<Computation>(std::move(mac));
}

} // namespace motebench::botan
