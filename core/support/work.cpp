/* The functions of mb_adapter for adapters in C++: dispatch, common checks, exceptions. */
#include "support/work.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

namespace motebench {

namespace {

char last_error[256];
std::string version_text;
std::vector<Offer> offers;

mb_status fail(mb_status status, const char *text)
{
    std::snprintf(last_error, sizeof last_error, "%s", text);
    return status;
}

/* Calls `what`, which gives an mb_status, and makes one of whatever it throws. */
template <typename What> mb_status guarded(mb_operation op, What what) noexcept
{
    try {
        return what();
    } catch (const Unsupported &e) {
        return fail(MB_UNSUPPORTED, e.what());
    } catch (const std::bad_alloc &) {
        return fail(MB_TOO_BIG, "no memory");
    } catch (const std::length_error &e) {
        return fail(MB_TOO_BIG, e.what());
    } catch (const std::exception &e) {
        return fail(library_status(e, op), e.what());
    } catch (...) {
        return fail(MB_ERROR, "the library threw something that is no std::exception");
    }
}

Work *&work_of(mb_job *job)
{
    return *static_cast<Work **>(job->ctx);
}

const Offer &offer_of(const mb_job *job)
{
    return *static_cast<const Offer *>(job->scheme->param);
}

bool inside(size_t value, size_t low, size_t high)
{
    return value >= low && value <= high;
}

bool is_cipher_operation(mb_operation op)
{
    return op == MB_ENCRYPT || op == MB_DECRYPT || op == MB_ENCRYPT_MESSAGE ||
           op == MB_DECRYPT_MESSAGE || op == MB_ENCRYPT_NEW_KEY;
}

void check(const mb_job &job)
{
    const mb_scheme &scheme = *job.scheme;
    if ((scheme.operations & MB_CAN(job.op)) == 0)
        throw Unsupported("operation is not offered for this scheme");
    if (job.op != MB_KEYGEN && job.op != MB_DIGEST &&
        !inside(job.key_len, scheme.key_min, scheme.key_max))
        throw Unsupported("key length is not offered");
    if ((is_cipher_operation(job.op) || job.op == MB_MAC) &&
        !inside(job.nonce_len, scheme.nonce_min, scheme.nonce_max))
        throw Unsupported("nonce length is not offered");
    if (!is_cipher_operation(job.op))
        return;
    if (scheme.tag_max > 0 ? !inside(tag_length(job), scheme.tag_min, scheme.tag_max)
                           : job.aad_len > 0)
        throw Unsupported("tag length or associated data are not offered");
    if ((job.op == MB_ENCRYPT || job.op == MB_DECRYPT) && job.in_len % scheme.block != 0)
        throw Unsupported("input is not a multiple of what the library takes at a time");
}

/*
 * A message whose tag is wrong is wiped. Padding has no such thing: the time must not tell whether
 * it is good.
 */
void forget_output(mb_job &job)
{
    if (job.op == MB_DECRYPT_MESSAGE && job.scheme->tag_max > 0)
        std::memset(job.out, 0, std::min(job.in_len, job.out_cap));
    job.out_len = 0;
}

bool can_stream(const mb_job &job)
{
    const unsigned operations =
        MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_DIGEST) |
        MB_CAN(MB_MAC) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);
    return job.scheme->can_stream && (operations & MB_CAN(job.op)) != 0;
}

/* The compiler takes it for an operation, and keeps the loop. */
class NoOp final : public Work {
public:
    mb_status run(mb_job &job, uint32_t n) override
    {
        return repeat(n, [&job] { __asm__ volatile("" : : "r"(&job) : "memory"); });
    }
};

uint16_t bytes(size_t value)
{
    return static_cast<uint16_t>(value);
}

mb_scheme signature_scheme(size_t key_min, size_t key_max, size_t tag_min, size_t tag_max,
                           bool streams)
{
    mb_scheme s{};
    s.operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);
    s.can_stream = streams;
    s.key_min = bytes(key_min);
    s.key_max = bytes(key_max);
    s.tag_min = bytes(tag_min);
    s.tag_max = bytes(tag_max);
    s.block = 1;
    return s;
}

} // namespace

void Work::start(mb_job &) {}

void Work::update(mb_job &, const uint8_t *, size_t, uint8_t *, size_t &)
{
    throw Unsupported("this scheme cannot be streamed");
}

mb_status Work::final(mb_job &, uint8_t *, size_t &)
{
    throw Unsupported("this scheme cannot be streamed");
}

mb_scheme cipher_scheme(size_t key, size_t nonce_min, size_t nonce_max, size_t block, bool streams)
{
    mb_scheme s{};
    s.operations =
        MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) |
        MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY);
    s.can_stream = streams;
    s.key_min = s.key_max = bytes(key);
    s.nonce_min = bytes(nonce_min);
    s.nonce_max = bytes(nonce_max);
    s.block = bytes(block);
    return s;
}

mb_scheme aead_scheme(mb_scheme cipher, size_t tag_min, size_t tag_max)
{
    cipher.tag_min = bytes(tag_min);
    cipher.tag_max = bytes(tag_max);
    return cipher;
}

mb_scheme digest_scheme(size_t len)
{
    mb_scheme s{};
    s.operations = MB_CAN(MB_DIGEST);
    s.can_stream = 1;
    s.tag_min = s.tag_max = bytes(len);
    s.block = 1;
    return s;
}

mb_scheme mac_scheme(size_t len)
{
    mb_scheme s = digest_scheme(len);
    s.operations = MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_MAC);
    s.key_max = 256;
    return s;
}

/* An RSAPublicKey is longer than its modulus, an RSAPrivateKey about 4.6 times as long. */
mb_scheme rsa_scheme(size_t bits)
{
    return signature_scheme(bits / 8, bits, bits / 8, bits / 8, true);
}

/* DER of two 256-bit integers: 8 to 72 bytes (RFC 3279). */
mb_scheme ecdsa_p256_scheme()
{
    return signature_scheme(32, 65, 8, 72, true);
}

/* RFC 8032 reads the message twice, so it is not streamed. */
mb_scheme ed25519_scheme()
{
    return signature_scheme(32, 32, 64, 64, false);
}

mb_scheme x25519_scheme()
{
    mb_scheme s = signature_scheme(32, 32, 0, 0, false);
    s.operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE);
    return s;
}

size_t tag_length(const mb_job &job)
{
    switch (job.op) {
    case MB_DECRYPT_MESSAGE:
        return job.tag_len;
    case MB_ENCRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY:
        return job.tag_out_len;
    default:
        return job.scheme->tag_max;
    }
}

void give(mb_job &job, const uint8_t *result, size_t len)
{
    if (len > job.out_cap)
        throw std::length_error("output does not fit");
    if (len > 0)
        std::memcpy(job.out, result, len);
    job.out_len = len;
}

mb_status init() noexcept
{
    return guarded(MB_OPERATION_COUNT, [] {
        version_text = library_version();
        offers = library_offers();
        for (Offer &offer : offers) {
            offer.scheme.name = offer.name.c_str();
            offer.scheme.param = &offer;
        }
        return MB_OK;
    });
}

const char *version() noexcept
{
    return version_text.c_str();
}

size_t scheme_count() noexcept
{
    return offers.size();
}

const mb_scheme *scheme_at(size_t i) noexcept
{
    return i < offers.size() ? &offers[i].scheme : nullptr;
}

mb_status open(mb_job *job) noexcept
{
    static const uint8_t nothing[1] = {0};
    last_error[0] = '\0';
    return guarded(job->op, [job] {
        check(*job);
        if (job->in == nullptr)
            job->in = nothing;
        work_of(job) = offer_of(job).open(*job).release();
        return MB_OK;
    });
}

mb_status start(mb_job *job) noexcept
{
    return guarded(job->op, [job] {
        work_of(job)->start(*job);
        return MB_OK;
    });
}

mb_status run(mb_job *job, uint32_t n) noexcept
{
    mb_status status = guarded(job->op, [job, n] { return work_of(job)->run(*job, n); });
    if (status != MB_OK)
        forget_output(*job);
    return status;
}

mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                 size_t *out_len) noexcept
{
    *out_len = 0;
    if (!can_stream(*job))
        return fail(MB_UNSUPPORTED, "this operation cannot be streamed");
    return guarded(job->op, [=] {
        work_of(job)->update(*job, in, in_len, out, *out_len);
        return MB_OK;
    });
}

mb_status final_(mb_job *job, uint8_t *out, size_t *out_len) noexcept
{
    *out_len = 0;
    if (!can_stream(*job))
        return fail(MB_UNSUPPORTED, "this operation cannot be streamed");
    mb_status status = guarded(job->op, [=] { return work_of(job)->final(*job, out, *out_len); });
    if (status != MB_OK)
        *out_len = 0;
    return status;
}

void close(mb_job *job) noexcept
{
    delete work_of(job);
    work_of(job) = nullptr;
}

mb_status public_key(mb_job *job) noexcept
{
    last_error[0] = '\0';
    job->out_len = 0;
    return guarded(MB_SIGN, [job] {
        const Offer &offer = offer_of(job);
        if (!offer.public_key)
            throw Unsupported("this scheme has no public keys");
        if (!inside(job->key_len, job->scheme->key_min, job->scheme->key_max))
            throw Unsupported("key length is not offered");
        offer.public_key(*job);
        return MB_OK;
    });
}

void idle(mb_job *job) noexcept
{
    static NoOp no_op;
    static Work *work = &no_op;
    *job = mb_job{};
    job->op = MB_KEY_SETUP;
    job->ctx = &work;
}

const char *error() noexcept
{
    return last_error[0] != '\0' ? last_error : nullptr;
}

} // namespace motebench
