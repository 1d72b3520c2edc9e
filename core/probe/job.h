/* Job of an adapter in the probe's buffers, made from a request. */
#ifndef MOTEBENCH_JOB_H
#define MOTEBENCH_JOB_H

#include "names.h"
#include "probe.h"

/* An optional boolean of a request, false where it is absent. */
bool mb_request_bool(mb_item request, mb_text key, bool *value, mb_reply *reply);

/* An optional unsigned integer in low..high; `value` keeps what it had where the key is absent. */
bool mb_request_uint(mb_item request, mb_text key, uint32_t low, uint32_t high, uint32_t *value,
                     mb_reply *reply);

/*
 * Bytes of the longest readings of one batch in a reply (integers of 9 bytes), and of everything
 * around them: keys, heads, CRC, length.
 */
enum { MB_BATCH_BYTES = 9 * MB_READINGS, MB_AROUND_BYTES = MB_READINGS > 3 ? 140 : 96 };

/* Bytes of the keys and heads of two outputs in a reply. */
enum { MB_KEYS_BYTES = 32 };

static inline bool mb_is_kem(const mb_scheme *scheme)
{
    return MB_PUBLIC_KEY && (scheme->operations & MB_KEM_OPERATIONS) != 0;
}

static inline bool mb_takes_seed(const mb_scheme *scheme)
{
    return MB_PUBLIC_KEY && (scheme->operations & MB_TAKES_SEED) != 0;
}

/* Bytes that the output may be longer than the input: padding or a tag. */
static inline size_t mb_longer_bytes(const mb_scheme *scheme)
{
    return scheme->block > scheme->tag_max ? scheme->block : scheme->tag_max;
}

/* A job and what is needed to begin it again. */
typedef struct mb_work {
    mb_job job;
    size_t batches;       /* how many readings are to be kept: said before the job is read */
    const uint8_t *input; /* stays as it is, while `job.in` may be worked on in place */
    /* Length wanted of the second output: the tag; secret or public key of a KEM. */
    size_t second_len;
#ifdef MB_GUARDED
    uint32_t given; /* CRC-32 of what the code must leave as it is */
#endif
    bool inverse; /* the data is for the opposite operation */
    /* Encrypt, decrypt: the work is done in the output buffer, on a copy of the input. */
    bool in_place;
    bool is_open;
} mb_work;

/* Parts of the request that are read. */
typedef enum mb_reads {
    MB_READ_ALL, /* everything */
    MB_READ_KEY, /* scheme and key only: for public keys */
    MB_READ_FILE /* the data is in a file: all but data and fill */
} mb_reads;

/*
 * Read the job: find the scheme, check lengths, copy key, nonce, AAD, tag and input into aligned
 * buffers, make the fill. Calls nothing of the library. On small devices bytes stay in the request,
 * which is not read again. `op` is what to do (the request's "op" is read by the caller where it
 * differs).
 */
bool mb_work_read(mb_item request, mb_reads reads, const mb_operation *op, mb_work *work,
                  mb_reply *reply);

/*
 * For "inverse": put what the opposite operation makes of the data, and its tag, in the place of
 * the input.
 */
bool mb_work_invert(mb_work *work, mb_reply *reply);

/* Bytes of output that an operation needs at most: what small devices reserve. */
size_t mb_out_bytes(const mb_job *job, mb_operation op);

#ifdef MB_GUARDED
/*
 * User code: the output of a job lies between guards, bytes that nothing may write to, and its
 * inputs must stay as they are. Both are checked when the job ends, outside of what is timed. GUARD
 * bytes before the output, and as many behind the longest.
 */
enum { MB_GUARD = MB_ALIGNMENT == 1 ? 4 : MB_ALIGNMENT };

/* Put the guards around the output, as long as the operation may make it, and note the inputs. */
void mb_work_guard(mb_work *work);
#else
enum { MB_GUARD = 0 };
#endif

/* Open the job at the adapter: the key set-up. */
bool mb_work_open(mb_work *work, mb_reply *reply);
void mb_work_close(mb_work *work);

/*
 * Pass `good` on, unless the stack ran into memory that is not its own, or user code wrote where
 * nothing is its own: that is a failure, whatever came out.
 */
bool mb_work_sound(const mb_work *work, bool good, mb_reply *reply);

/* The same, and close. */
bool mb_work_end(mb_work *work, bool good, mb_reply *reply);

/* Put the input back and begin a new message. Nothing of it is timed. */
mb_status mb_work_restart(mb_work *work);

/* Restart, and do the operation `n` times; output lengths are checked. */
mb_status mb_work_run(mb_work *work, uint32_t n);

/*
 * Result of the adapter's `run`: `status`, unless the lengths of the output are wrong. Cuts off a
 * tag that follows the output.
 */
mb_status mb_work_checked(mb_work *work, mb_status status);

/*
 * True if there is a second output: the tag of a whole message, the secret beside a ciphertext, the
 * public key of a pair.
 */
bool mb_work_has_second(const mb_work *work);

/*
 * Put the output under `key`, unless that is NULL, and the second one under its own into a reply.
 */
void mb_work_put(const mb_work *work, mb_text key, mb_map *map);

/* CRC-32 of the output followed by the second one. */
uint32_t mb_work_crc(const mb_work *work);

/* True if two runs rightly differ. */
bool mb_work_is_random(const mb_work *work);

#ifdef MB_PREEMPTIBLE
/*
 * Inputs that take turns, instead of one that stays the same: `run` is timed in the place of the
 * adapter's. `begin` is called when the job is open, `end` puts its own input back.
 */
typedef struct mb_turns {
    bool (*begin)(const mb_work *work, mb_reply *reply);
    mb_status (*run)(mb_job *job, uint32_t n);
    void (*end)(mb_work *work);
} mb_turns;

/* The `measure` request; `turns` may be NULL. */
bool mb_measure(mb_item request, const mb_turns *turns, mb_reply *reply);
#endif

#endif
