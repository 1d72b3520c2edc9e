/*
 * Hashes and MACs: CalculateDigest is timed, and SetKey of a MAC as KEY_SETUP. GMAC is GCM without
 * a text: Resynchronize, Update, TruncatedFinal.
 */
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <cryptopp/aes.h>
#include <cryptopp/blake2.h>
#include <cryptopp/cmac.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hmac.h>
#include <cryptopp/md5.h>
#include <cryptopp/ripemd.h>
#include <cryptopp/sha.h>
#include <cryptopp/sha3.h>
#include <cryptopp/shake.h>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

/* A MAC is a HashTransformation too. */
class Hash final : public Work {
public:
    explicit Hash(std::unique_ptr<CryptoPP::HashTransformation> hash) : hash_(std::move(hash)) {}

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = hash_->DigestSize();
        return repeat(n, [&] { hash_->CalculateDigest(job.out, job.in, job.in_len); });
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        hash_->Update(in, in_len);
    }

    mb_status final(mb_job &, uint8_t *out, size_t &out_len) override
    {
        hash_->Final(out);
        out_len = hash_->DigestSize();
        return MB_OK;
    }

private:
    std::unique_ptr<CryptoPP::HashTransformation> hash_;
};

class MacKey final : public Work {
public:
    explicit MacKey(std::unique_ptr<CryptoPP::MessageAuthenticationCode> mac) : mac_(std::move(mac))
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = 0;
        return repeat(n, [&] { mac_->SetKey(job.key, job.key_len); });
    }

private:
    std::unique_ptr<CryptoPP::MessageAuthenticationCode> mac_;
};

class Gmac final : public Work {
public:
    explicit Gmac(const mb_job &job)
    {
        gcm_.SetKeyWithIV(job.key, job.key_len, job.nonce, job.nonce_len);
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = job.scheme->tag_max;
        return repeat(n, [&] {
            gcm_.Resynchronize(job.nonce, static_cast<int>(job.nonce_len));
            gcm_.Update(job.in, job.in_len);
            gcm_.TruncatedFinal(job.out, job.out_len);
        });
    }

    void start(mb_job &job) override
    {
        gcm_.Resynchronize(job.nonce, static_cast<int>(job.nonce_len));
    }

    void update(mb_job &, const uint8_t *in, size_t in_len, uint8_t *, size_t &) override
    {
        gcm_.Update(in, in_len);
    }

    mb_status final(mb_job &job, uint8_t *out, size_t &out_len) override
    {
        out_len = job.scheme->tag_max;
        gcm_.TruncatedFinal(out, out_len);
        return MB_OK;
    }

private:
    CryptoPP::GCM<CryptoPP::AES>::Encryption gcm_;
};

class GmacKey final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        job.out_len = 0;
        return repeat(n, [&] { gcm_.SetKeyWithIV(job.key, job.key_len, ZEROS, sizeof ZEROS); });
    }

private:
    static constexpr uint8_t ZEROS[12] = {}; /* the library sets no key of GCM without a nonce */
    CryptoPP::GCM<CryptoPP::AES>::Encryption gcm_;
};

template <typename H> void add_hash(Offers &offers, const std::string &name)
{
    offers.push_back({name,
                      digest_scheme(H().DigestSize()),
                      [](const mb_job &) { return std::make_unique<Hash>(std::make_unique<H>()); },
                      {}});
}

template <typename H> void add_with_mac(Offers &offers, const std::string &name)
{
    add_hash<H>(offers, name);
    const auto open = [](const mb_job &job) -> WorkPtr {
        static const uint8_t no_key[1] = {0};
        auto mac = std::make_unique<CryptoPP::HMAC<H>>();
        mac->SetKey(job.key_len > 0 ? job.key : no_key, job.key_len);
        if (job.op == MB_KEY_SETUP)
            return std::make_unique<MacKey>(std::move(mac));
        return std::make_unique<Hash>(std::move(mac));
    };
    offers.push_back({"hmac-" + name, mac_scheme(H::DIGESTSIZE), open, {}});
}

void add_cmac(Offers &offers, size_t key)
{
    const auto open = [](const mb_job &job) -> WorkPtr {
        auto mac = std::make_unique<CryptoPP::CMAC<CryptoPP::AES>>();
        mac->SetKey(job.key, job.key_len);
        if (job.op == MB_KEY_SETUP)
            return std::make_unique<MacKey>(std::move(mac));
        return std::make_unique<Hash>(std::move(mac));
    };
    mb_scheme scheme = mac_scheme(16);
    scheme.key_min = scheme.key_max = static_cast<uint16_t>(key);
    offers.push_back({"aes-" + std::to_string(8 * key) + "-cmac", scheme, open, {}});
}

void add_gmac(Offers &offers, size_t key)
{
    const auto open = [](const mb_job &job) -> WorkPtr {
        if (job.op == MB_KEY_SETUP)
            return std::make_unique<GmacKey>();
        return std::make_unique<Gmac>(job);
    };
    mb_scheme scheme = mac_scheme(16);
    scheme.key_min = scheme.key_max = static_cast<uint16_t>(key);
    scheme.nonce_min = scheme.nonce_max = 12;
    offers.push_back({"aes-" + std::to_string(8 * key) + "-gmac", scheme, open, {}});
}

} // namespace

void add_digests(Offers &offers)
{
    for (const size_t key : {16, 24, 32})
        add_cmac(offers, key);
    for (const size_t key : {16, 24, 32})
        add_gmac(offers, key);
    add_with_mac<CryptoPP::Weak::MD5>(offers, "md5");
    add_with_mac<CryptoPP::SHA1>(offers, "sha1");
    add_with_mac<CryptoPP::SHA224>(offers, "sha224");
    add_with_mac<CryptoPP::SHA256>(offers, "sha256");
    add_with_mac<CryptoPP::SHA384>(offers, "sha384");
    add_with_mac<CryptoPP::SHA512>(offers, "sha512");
    add_hash<CryptoPP::SHA3_224>(offers, "sha3-224");
    add_with_mac<CryptoPP::SHA3_256>(offers, "sha3-256");
    add_hash<CryptoPP::SHA3_384>(offers, "sha3-384");
    add_hash<CryptoPP::SHA3_512>(offers, "sha3-512");
    add_hash<CryptoPP::SHAKE128>(offers, "shake128"); /* 32 bytes unless told otherwise */
    add_hash<CryptoPP::SHAKE256>(offers, "shake256"); /* 64 */
    add_hash<CryptoPP::BLAKE2s>(offers, "blake2s-256");
    add_hash<CryptoPP::BLAKE2b>(offers, "blake2b-512");
    add_hash<CryptoPP::RIPEMD160>(offers, "ripemd160");
}

} // namespace motebench::cryptopp
