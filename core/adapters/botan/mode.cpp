/*
 * CBC, CFB, XTS and the AEADs: Botan's Cipher_Mode.
 *
 * Timed:
 *   ENCRYPT, DECRYPT   process in place. XTS: start (which encrypts the tweak) and process, a data
 *                      unit. CCM and OCB: start and finish, a whole message with its tag, because
 *                      CCM gives nothing out before its end and OCB takes many blocks at a time
 *                      (AES: 256 bytes) otherwise; they have no DECRYPT, for there is no right tag
 *                      to check.
 *   ..._MESSAGE        start, finish on a vector, which is filled with the input before; the
 *                      associated data, if any.
 *   KEY_SETUP          set_key, with all the mode derives from the key (GCM: the hash key).
 */
#include <botan/aead.h>

#include <algorithm>
#include <cstring>

#include "botan_adapter.hpp"

namespace motebench::botan {

namespace {

constexpr size_t XTS_BLOCK = 16;

bool whole(Style style)
{
    return style == Style::whole_aead || style == Style::ccm;
}

bool is_bulk(mb_operation op)
{
    return op == MB_ENCRYPT || op == MB_DECRYPT || op == MB_KEY_SETUP;
}

/* The mode with its parameters as the library's names have them. */
std::string full_name(const mb_job &job, const std::string &mode, Style style)
{
    const std::string tag = std::to_string(tag_length(job));
    switch (style) {
    case Style::cbc:
        return mode + (is_bulk(job.op) ? "/NoPadding" : "/PKCS7");
    case Style::ccm: /* SP 800-38C A.1: the length takes what the nonce leaves of 15 bytes */
        return mode + "(" + tag + "," +
               std::to_string(job.op == MB_KEY_SETUP ? 2 : 15 - job.nonce_len) + ")";
    case Style::continued_aead:
    case Style::whole_aead:
        return mode.find('/') == std::string::npos ? mode : mode + "(" + tag + ")";
    default:
        return mode;
    }
}

class Mode final : public Work {
public:
    Mode(const mb_job &job, const std::string &name, Style style) : style_(style)
    {
        const bool decrypts = is_decryption(job.op);
        try {
            mode_ = Botan::Cipher_Mode::create_or_throw(
                full_name(job, name, style), decrypts ? DECRYPTION : ENCRYPTION);
        } catch (const Botan::Invalid_Argument &e) {
            throw Unsupported(e.what()); /* a tag length */
        }
        aead_ = dynamic_cast<Botan::AEAD_Mode *>(mode_.get());
        if (job.op != MB_KEY_SETUP && !mode_->valid_nonce_length(job.nonce_len))
            throw Unsupported("nonce length is not offered");
        if (style == Style::xts && job.op != MB_KEY_SETUP && !job.scheme->can_stream &&
            job.in_len < XTS_BLOCK)
            throw Unsupported("XTS needs at least 16 bytes");
        mode_->set_key(job.key, job.key_len);
    }

    void start(mb_job &job) override
    {
        mode_->reset();
        buffer_.clear();
        begun_ = false;
        if (job.op == MB_KEY_SETUP)
            return;
        if (job.op == MB_ENCRYPT || job.op == MB_DECRYPT) {
            buffer_.assign(job.out, job.out + job.in_len);
            begin(job);
            if (whole(style_) || style_ == Style::xts)
                mode_->reset();
        }
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        switch (job.op) {
        case MB_KEY_SETUP:
            job.out_len = 0;
            return repeat(n, [&] { mode_->set_key(job.key, job.key_len); });
        case MB_ENCRYPT:
        case MB_DECRYPT:
            if (whole(style_) || (style_ == Style::xts && job.in_len % XTS_BLOCK != 0))
                return bulk_whole(job, n);
            return bulk(job, n);
        case MB_DECRYPT_MESSAGE:
            return decrypt(job, n);
        default:
            return encrypt(job, n);
        }
    }

    void update(mb_job &job, const uint8_t *in, size_t in_len, uint8_t *out,
                size_t &out_len) override
    {
        begin_stream(job);
        const size_t unit = granularity();
        const size_t keep = mode_->minimum_final_size();
        const size_t total = buffer_.size() + in_len;
        size_t todo = total > keep ? std::min(total - keep, job.out_cap) : 0;
        todo -= todo % unit;
        const size_t held = std::min(todo, buffer_.size());
        const size_t taken = todo - held;
        std::copy_n(buffer_.begin(), held, out);
        std::copy_n(in, taken, out + held);
        if (todo > 0)
            mode_->process(out, todo);
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(held));
        buffer_.insert(buffer_.end(), in + taken, in + in_len);
        out_len = todo;
    }

    mb_status final(mb_job &job, uint8_t *out, size_t &out_len) override
    {
        begin_stream(job);
        const bool decrypts = job.op == MB_DECRYPT_MESSAGE;
        if (decrypts) {
            buffer_.insert(buffer_.end(), job.tag, job.tag + job.tag_len);
            if (style_ == Style::cbc && (buffer_.empty() || buffer_.size() % granularity() != 0))
                return MB_REJECTED;
        }
        mode_->finish(buffer_);
        out_len = decrypts ? buffer_.size() : split_tag(job);
        if (out_len > 0)
            std::memcpy(out, buffer_.data(), out_len);
        return MB_OK;
    }

private:
    void begin(const mb_job &job)
    {
        if (aead_ != nullptr && job.aad_len > 0) {
            mode_->reset(); /* EAX takes no AAD while it remembers the message before */
            aead_->set_associated_data(job.aad, job.aad_len);
        }
        mode_->start(job.nonce, job.nonce_len);
    }

    void begin_stream(const mb_job &job)
    {
        if (!begun_)
            begin(job);
        begun_ = true;
    }

    /* What `process` takes at a time; for CBC and CFB less than what it would like best. */
    size_t granularity() const
    {
        if (style_ == Style::cbc)
            return mode_->default_nonce_length(); /* a block */
        return style_ == Style::cfb ? 1 : mode_->update_granularity();
    }

    mb_status bulk(mb_job &job, uint32_t n)
    {
        job.out_len = job.in_len;
        if (style_ == Style::xts)
            return repeat(n, [&] {
                mode_->start(job.nonce, job.nonce_len);
                mode_->process(job.out, job.in_len);
            });
        return repeat(n, [&] { mode_->process(job.out, job.in_len); });
    }

    /* The output is copied from the library's vector once, after the loop. */
    mb_status bulk_whole(mb_job &job, uint32_t n)
    {
        const mb_status status = repeat(n, [&] {
            buffer_.resize(job.in_len); /* without the tag of the message before */
            mode_->start(job.nonce, job.nonce_len);
            mode_->finish(buffer_);
        });
        give(job, buffer_.data(), job.in_len);
        return status;
    }

    mb_status encrypt(mb_job &job, uint32_t n)
    {
        const bool new_key = job.op == MB_ENCRYPT_NEW_KEY;
        const mb_status status = repeat(n, [&] {
            if (new_key)
                mode_->set_key(job.key, job.key_len);
            begin(job);
            buffer_.assign(job.in, job.in + job.in_len);
            mode_->finish(buffer_);
        });
        give(job, buffer_.data(), split_tag(job));
        return status;
    }

    mb_status decrypt(mb_job &job, uint32_t n)
    {
        if (style_ == Style::cbc && (job.in_len == 0 || job.in_len % granularity() != 0))
            return MB_REJECTED;
        const mb_status status = repeat(n, [&] {
            begin(job);
            buffer_.assign(job.in, job.in + job.in_len);
            if (aead_ != nullptr)
                buffer_.insert(buffer_.end(), job.tag, job.tag + job.tag_len);
            mode_->finish(buffer_);
        });
        give(job, buffer_.data(), buffer_.size());
        return status;
    }

    /*
     * Moves the tag at the end of an encrypted message, if any, to tag_out; the length of the rest.
     */
    size_t split_tag(mb_job &job) const
    {
        job.tag_out_len = aead_ != nullptr ? aead_->tag_size() : 0;
        const size_t len = buffer_.size() - job.tag_out_len;
        if (job.tag_out_len > 0)
            std::memcpy(job.tag_out, buffer_.data() + len, job.tag_out_len);
        return len;
    }

    Style style_;
    std::unique_ptr<Botan::Cipher_Mode> mode_;
    Botan::AEAD_Mode *aead_ = nullptr; /* mode_, if it is one */
    Botan::secure_vector<uint8_t> buffer_;
    bool begun_ = false;
};

} // namespace

WorkPtr open_mode(const mb_job &job, const std::string &mode, Style style)
{
    return std::make_unique<Mode>(job, mode, style);
}

} // namespace motebench::botan
