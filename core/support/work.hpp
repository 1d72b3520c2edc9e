/*
 * Adapters in C++: what the C contract (motebench/adapter.h) looks like from C++.
 *
 * An adapter lists its schemes as Offers, each with a function that opens a job and gives a Work:
 * the object that does the job's operation and is destroyed when the job is closed. No exception
 * leaves it: each becomes an mb_status, and its text is what mb_adapter.error gives.
 */
#ifndef MOTEBENCH_SUPPORT_WORK_HPP
#define MOTEBENCH_SUPPORT_WORK_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "motebench/adapter.h"

namespace motebench {

/* Thrown for a length or parameter that is not offered: MB_UNSUPPORTED. */
class Unsupported : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/*
 * The loop that is timed: `once`, which does the operation once and gives nothing or an mb_status,
 * n times (not 0), until it fails; inlined, as MB_REPEAT of driver.h is. For Work::run.
 */
template <typename Once> inline mb_status repeat(uint32_t n, Once once)
{
    mb_status status = MB_OK;
    do {
        if constexpr (std::is_void_v<std::invoke_result_t<Once>>)
            once();
        else
            status = once();
    } while (--n > 0 && status == MB_OK);
    return status;
}

/*
 * One job from open to close. Functions mean what those of mb_adapter mean; failures may be
 * exceptions as well.
 */
class Work {
public:
    Work() = default;
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;
    virtual ~Work() = default;

    virtual void start(mb_job &job);
    virtual mb_status run(mb_job &job, uint32_t n) = 0;
    /* Called for schemes with can_stream only; `out_len` is 0 before. */
    virtual void update(mb_job &job, const uint8_t *in, size_t in_len, uint8_t *out,
                        size_t &out_len);
    virtual mb_status final(mb_job &job, uint8_t *out, size_t &out_len);
};

/*
 * A scheme and how to open a job of it. `open` is called with an operation that is offered and with
 * lengths inside the scheme's ranges. `public_key` writes the public key of job.key to job.out;
 * empty where there are no public keys.
 */
struct Offer {
    std::string name;
    mb_scheme scheme;
    std::function<std::unique_ptr<Work>(const mb_job &)> open;
    std::function<void(mb_job &)> public_key;
};

/* Rows of the table; all lengths in bytes. */
mb_scheme cipher_scheme(size_t key, size_t nonce_min, size_t nonce_max, size_t block,
                        bool can_stream);
mb_scheme aead_scheme(mb_scheme cipher, size_t tag_min, size_t tag_max);
mb_scheme digest_scheme(size_t len);
mb_scheme mac_scheme(size_t len);
mb_scheme rsa_scheme(size_t bits);
mb_scheme ecdsa_p256_scheme();
mb_scheme ed25519_scheme();
mb_scheme x25519_scheme();

inline bool is_decryption(mb_operation op)
{
    return op == MB_DECRYPT || op == MB_DECRYPT_MESSAGE;
}

/* Tag length of a job: what it asks for, the longest where the operation has no tag. */
size_t tag_length(const mb_job &job);

/* Copies a result to job.out and sets job.out_len; std::length_error if it does not fit. */
void give(mb_job &job, const uint8_t *result, size_t len);

/* --- what an adapter defines --- */

/* Name and version of the library as it is at run time. */
std::string library_version();
/* Everything the library offers; called once. */
std::vector<Offer> library_offers();
/* Status for an exception of the library during `op`: MB_ERROR unless the adapter knows better. */
mb_status library_status(const std::exception &error, mb_operation op);

/* --- the functions of mb_adapter, which the adapter puts into mb_the_adapter --- */

mb_status init() noexcept;
const char *version() noexcept;
size_t scheme_count() noexcept;
const mb_scheme *scheme_at(size_t i) noexcept;
mb_status open(mb_job *job) noexcept;
mb_status start(mb_job *job) noexcept;
mb_status run(mb_job *job, uint32_t n) noexcept;
mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                 size_t *out_len) noexcept;
mb_status final_(mb_job *job, uint8_t *out, size_t *out_len) noexcept;
void close(mb_job *job) noexcept;
mb_status public_key(mb_job *job) noexcept;
const char *error() noexcept;
void idle(mb_job *job) noexcept;

constexpr mb_adapter make_adapter(const char *implementation)
{
    mb_adapter adapter{};
    adapter.implementation = implementation;
    adapter.scheme_count = scheme_count;
    adapter.scheme_at = scheme_at;
    adapter.ctx_size = sizeof(Work *);
    adapter.init = init;
    adapter.version = version;
    adapter.open = open;
    adapter.start = start;
    adapter.run = run;
    adapter.update = update;
    adapter.final = final_;
    adapter.close = close;
    adapter.public_key = public_key;
    adapter.error = error;
    adapter.idle = idle;
    return adapter;
}

} // namespace motebench

#endif
