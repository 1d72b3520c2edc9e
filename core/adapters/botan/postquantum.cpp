/*
 * ML-KEM, ML-DSA and SLH-DSA, which Botan has from 3.6 on. Keys are decoded and checked in `open`;
 * private keys of ML-DSA are seeds, those of the others whole. Contexts are always empty: the
 * library has no parameter for them.
 *
 * Timed: ENCAPSULATE: PK_KEM_Encryptor::encrypt; DECAPSULATE: PK_KEM_Decryptor::decrypt,
 * both without a derivation function; KEYGEN: the constructor that makes a key, from the seed if
 * the job has one; SIGN and VERIFY as for other signatures (sign.cpp), deterministic unless
 * MOTEBENCH_BOTAN_HEDGED is in the environment.
 */
#include "botan_adapter.hpp"

#include <botan/build.h>
#if defined(BOTAN_HAS_ML_KEM) && defined(BOTAN_HAS_ML_DSA)

#include <botan/ml_dsa.h>
#include <botan/ml_kem.h>
#include <botan/pubkey.h>
#include <botan/slh_dsa.h>

#include <cstdlib>
#include <cstring>
#include <optional>

namespace motebench::botan {

namespace {

constexpr size_t SECRET = 32;
constexpr size_t KEM_SEED = 64;
constexpr size_t DSA_SEED = 32;

std::span<const uint8_t> bytes_of(const uint8_t *data, size_t len)
{
    return {data, len};
}

/* Hands out the bytes of a seed in place of random ones. */
class Given final : public Botan::RandomNumberGenerator {
public:
    explicit Given(std::span<const uint8_t> seed) : seed_(seed) {}

    bool accepts_input() const override { return false; }
    std::string name() const override { return "given"; }
    void clear() override { next_ = 0; }
    bool is_seeded() const override { return true; }

private:
    void fill_bytes_with_input(std::span<uint8_t> output, std::span<const uint8_t>) override
    {
        if (output.size() > seed_.size() - next_)
            throw std::invalid_argument("the library asks for more bytes than the seed has");
        std::memcpy(output.data(), seed_.data() + next_, output.size());
        next_ += output.size();
    }

    std::span<const uint8_t> seed_;
    size_t next_ = 0;
};

void check_seed(const mb_job &job, size_t len)
{
    if (job.seed_len != 0 && job.seed_len != len)
        throw Unsupported("a seed has " + std::to_string(len) + " bytes");
}

void give_second(mb_job &job, std::span<const uint8_t> bytes)
{
    if (bytes.size() > job.public_out_cap)
        throw std::length_error("output does not fit");
    std::memcpy(job.public_out, bytes.data(), bytes.size());
    job.public_out_len = bytes.size();
}

/* --- ML-KEM --- */

class GenerateKem final : public Work {
public:
    GenerateKem(const mb_job &job, Botan::KyberMode mode) : mode_(mode)
    {
        check_seed(job, KEM_SEED);
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        const mb_status status = repeat(n, [&] {
            if (job.seed_len > 0)
                key_.emplace(bytes_of(job.seed, job.seed_len), mode_);
            else
                key_.emplace(rng(), mode_);
        });
        const auto whole = key_->private_key_bits_with_format(Botan::MlPrivateKeyFormat::Expanded);
        give(job, whole.data(), whole.size());
        give_second(job, key_->public_key_bits());
        return status;
    }

private:
    Botan::KyberMode mode_;
    std::optional<Botan::ML_KEM_PrivateKey> key_;
};

/* FIPS 203, 7.2 and 7.3: a modulus, hash or length that is wrong is rejected. */
class Rejected final : public Work {
public:
    mb_status run(mb_job &job, uint32_t) override
    {
        job.out_len = 0;
        return MB_REJECTED;
    }
};

class Encapsulate final : public Work {
public:
    Encapsulate(const mb_job &job, Botan::KyberMode mode)
        : key_(bytes_of(job.key, job.key_len), mode), encryptor_(key_, "Raw")
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        const mb_status status = repeat(n, [&] {
            if (job.seed_len > 0) {
                Given coins(bytes_of(job.seed, job.seed_len));
                made_.emplace(encryptor_.encrypt(coins, 0));
            } else {
                made_.emplace(encryptor_.encrypt(rng(), 0));
            }
        });
        give(job, made_->encapsulated_shared_key().data(), made_->encapsulated_shared_key().size());
        give_second(job, made_->shared_key());
        return status;
    }

private:
    Botan::ML_KEM_PublicKey key_;
    Botan::PK_KEM_Encryptor encryptor_;
    std::optional<Botan::KEM_Encapsulation> made_;
};

class Decapsulate final : public Work {
public:
    Decapsulate(const mb_job &job, Botan::KyberMode mode)
        : key_(bytes_of(job.key, job.key_len), mode), decryptor_(key_, rng(), "Raw")
    {
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&] {
            const auto secret = decryptor_.decrypt(bytes_of(job.ciphertext, job.ciphertext_len), 0);
            give(job, secret.data(), secret.size());
        });
    }

private:
    Botan::ML_KEM_PrivateKey key_;
    Botan::PK_KEM_Decryptor decryptor_;
};

WorkPtr open_kem(const mb_job &job, Botan::KyberMode mode)
{
    rng(); /* seeded here, so that it is not timed */
    if (job.op == MB_KEYGEN)
        return std::make_unique<GenerateKem>(job, mode);
    try {
        if (job.op == MB_ENCAPSULATE) {
            check_seed(job, SECRET);
            return std::make_unique<Encapsulate>(job, mode);
        }
        if (job.key_len == job.scheme->private_bytes &&
            job.ciphertext_len == job.scheme->ciphertext_bytes)
            return std::make_unique<Decapsulate>(job, mode);
    } catch (const Botan::Exception &) { /* no key of this set */
    }
    return std::make_unique<Rejected>();
}

void kem_public(mb_job &job, Botan::KyberMode mode)
{
    write_public(job, Botan::ML_KEM_PrivateKey(bytes_of(job.key, job.key_len), mode));
}

Offer kem(const char *name, Botan::KyberMode::Mode mode, uint16_t public_bytes,
          uint16_t private_bytes, uint16_t ciphertext)
{
    mb_scheme scheme{};
    scheme.operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED;
    scheme.key_min = scheme.public_bytes = public_bytes;
    scheme.key_max = scheme.private_bytes = private_bytes;
    scheme.ciphertext_bytes = ciphertext;
    scheme.secret_bytes = SECRET;
    scheme.block = 1;
    return {name, scheme, [mode](const mb_job &job) { return open_kem(job, mode); },
            [mode](mb_job &job) { kem_public(job, mode); }};
}

/* --- signatures --- */

using KeyPtr = std::unique_ptr<Botan::Private_Key>;

struct Set {
    std::function<KeyPtr(const mb_job &)> read_private;
    std::function<std::unique_ptr<Botan::Public_Key>(const mb_job &)> read_public;
    std::function<KeyPtr(Botan::RandomNumberGenerator &)> generate;
    size_t seed;
};

class GenerateSigner final : public Work {
public:
    GenerateSigner(const mb_job &job, const Set &set) : generate_(set.generate)
    {
        check_seed(job, set.seed);
    }

    mb_status run(mb_job &job, uint32_t n) override
    {
        const mb_status status = repeat(n, [&] {
            if (job.seed_len > 0) {
                Given seed(bytes_of(job.seed, job.seed_len));
                key_ = generate_(seed);
            } else {
                key_ = generate_(rng());
            }
        });
        const auto bits = key_->private_key_bits();
        give(job, bits.data(), bits.size());
        return status;
    }

private:
    std::function<KeyPtr(Botan::RandomNumberGenerator &)> generate_;
    KeyPtr key_;
};

WorkPtr open_signer(const mb_job &job, const Set &set, size_t public_bytes, size_t private_bytes)
{
    rng();
    if (job.op == MB_KEYGEN)
        return std::make_unique<GenerateSigner>(job, set);
    if (job.context_len > 0)
        throw Unsupported("the library signs and verifies without a context only");
    if (job.op == MB_VERIFY && job.key_len != public_bytes)
        return std::make_unique<Rejected>();
    if (job.op == MB_SIGN && job.key_len != private_bytes)
        throw Unsupported("a private key of another length");
    const char *const how =
        std::getenv("MOTEBENCH_BOTAN_HEDGED") != nullptr ? "Randomized" : "Deterministic";
    return open_signature(
        job, {set.read_private, set.read_public, {}, job.op == MB_SIGN ? how : "", false});
}

Offer signature(const std::string &name, const Set &set, uint16_t public_bytes,
                uint16_t private_bytes, uint16_t length)
{
    mb_scheme scheme{};
    scheme.operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | MB_TAKES_SEED;
    scheme.key_min = public_bytes < private_bytes ? public_bytes : private_bytes;
    scheme.key_max = public_bytes < private_bytes ? private_bytes : public_bytes;
    scheme.tag_min = scheme.tag_max = length;
    scheme.block = 1;
    return {name, scheme,
            [set, public_bytes, private_bytes](const mb_job &job) {
                return open_signer(job, set, public_bytes, private_bytes);
            },
            [set](mb_job &job) { write_public(job, *set.read_private(job)); }};
}

Offer ml_dsa(const char *name, Botan::DilithiumMode::Mode mode, uint16_t public_bytes,
             uint16_t length)
{
    const Set set = {
        [mode](const mb_job &job) {
            return std::make_unique<Botan::ML_DSA_PrivateKey>(bytes_of(job.key, job.key_len), mode);
        },
        [mode](const mb_job &job) {
            return std::make_unique<Botan::ML_DSA_PublicKey>(bytes_of(job.key, job.key_len), mode);
        },
        [mode](Botan::RandomNumberGenerator &random) {
            return std::make_unique<Botan::ML_DSA_PrivateKey>(random, mode);
        },
        DSA_SEED,
    };
    return signature(name, set, public_bytes, DSA_SEED, length);
}

/* Both hashes of a set: `size` is its n in bits and a letter. FIPS 205, table 2. */
void add_slh_dsa(std::vector<Offer> &offers, const char *size, uint16_t n, uint16_t length)
{
    for (const char *const hash : {"SHA2", "SHAKE"}) {
        const auto parameters =
            Botan::Sphincs_Parameters::create(std::string("SLH-DSA-") + hash + "-" + size);
        const Set set = {
            [parameters](const mb_job &job) {
                return std::make_unique<Botan::SLH_DSA_PrivateKey>(
                    bytes_of(job.key, job.key_len), parameters);
            },
            [parameters](const mb_job &job) {
                return std::make_unique<Botan::SLH_DSA_PublicKey>(
                    bytes_of(job.key, job.key_len), parameters);
            },
            [parameters](Botan::RandomNumberGenerator &random) {
                return std::make_unique<Botan::SLH_DSA_PrivateKey>(random, parameters);
            },
            3u * n,
        };
        const std::string name = std::string("slh-dsa-") +
                                 (hash[2] == 'A' && hash[3] == 'K' ? "shake-" : "sha2-") + size;
        offers.push_back(signature(
            name, set, static_cast<uint16_t>(2 * n), static_cast<uint16_t>(4 * n), length));
    }
}

} // namespace

void add_post_quantum(std::vector<Offer> &offers)
{
    /* FIPS 203, table 3 */
    offers.push_back(kem("ml-kem-512", Botan::KyberMode::ML_KEM_512, 800, 1632, 768));
    offers.push_back(kem("ml-kem-768", Botan::KyberMode::ML_KEM_768, 1184, 2400, 1088));
    offers.push_back(kem("ml-kem-1024", Botan::KyberMode::ML_KEM_1024, 1568, 3168, 1568));
    /* FIPS 204, table 2 */
    offers.push_back(ml_dsa("ml-dsa-44", Botan::DilithiumMode::ML_DSA_4x4, 1312, 2420));
    offers.push_back(ml_dsa("ml-dsa-65", Botan::DilithiumMode::ML_DSA_6x5, 1952, 3309));
    offers.push_back(ml_dsa("ml-dsa-87", Botan::DilithiumMode::ML_DSA_8x7, 2592, 4627));
    add_slh_dsa(offers, "128s", 16, 7856);
    add_slh_dsa(offers, "128f", 16, 17088);
    add_slh_dsa(offers, "192s", 24, 16224);
    add_slh_dsa(offers, "192f", 24, 35664);
    add_slh_dsa(offers, "256s", 32, 29792);
    add_slh_dsa(offers, "256f", 32, 49856);
}

} // namespace motebench::botan

#else

void motebench::botan::add_post_quantum(std::vector<Offer> &) {}

#endif
