/*
 * A toy that stands in for a library, and misbehaves where a test asks for it. It protects nothing.
 *
 * The cipher: byte i of a message is xored with key[i % 16] + i. Its tag, 4 to 16 bytes: byte j is
 * the sum of the plaintext bytes at j, j + 16, ... plus key[j] plus the lengths of AAD and
 * plaintext. The digest is that tag with a zero key. The signature is the digest with the public
 * key added; the public key is the private one with every bit flipped; private keys count up from
 * 1.
 *
 * The KEM (kem.c): a private key is its seed and the public key; byte i of the public key is byte i
 * % 16 of the seed xor 0x5A, plus i. A ciphertext is the 16 drawn bytes xor the first bytes of the
 * public key, then plus its last ones. The secret is made of the drawn bytes and the public key; of
 * a ciphertext that does not fit, of the seed and the ciphertext.
 *
 *   fake-ok           behaves
 *   fake-aead         behaves, with a tag
 *   fake-hash         behaves: digest
 *   fake-sign         behaves: keygen, sign, verify
 *   fake-kem          behaves: keygen, encapsulate, decapsulate
 *   fake-slow         behaves, and sleeps in every iteration
 *   fake-crash        aborts
 *   fake-hang         never comes back
 *   fake-garbage      writes bytes that are no frames to the stream, and never comes back
 *   fake-wrong        flips a bit of the result
 *   fake-error        reports an error
 *   fake-flaky-crc    gives another result every time
 *
 * MOTEBENCH_FAKE_AFTER: iterations (chunks of a file) of a job that are still good (default 0; 3
 * for fake-wrong, so that a single computation is right and a measurement is not).
 * MOTEBENCH_FAKE_SLEEP_US: microseconds of sleep in each iteration of fake-slow (default 20000).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kem.h"
#include "motebench/adapter.h"
#include "motebench/port.h"
#include "support/driver.h"

enum { KEY = 16, WRONG_AFTER = 3, SLEEP_US = 20000 };
enum { OK, AEAD, HASH, SIGN, KEM, SLOW, CRASH, HANG, GARBAGE, WRONG, FAULTY, FLAKY };

#define CIPHER_OPS                                                                                 \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) | MB_CAN(MB_ENCRYPT_MESSAGE) | \
     MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))
#define CIPHER(label, what)    \
    {.name = (label),          \
     .operations = CIPHER_OPS, \
     .can_stream = 1,          \
     .key_min = KEY,           \
     .key_max = KEY,           \
     .nonce_max = KEY,         \
     .block = 1,               \
     .native = (what)}

static const mb_scheme SCHEMES[] = {
    CIPHER("fake-ok", OK),
    {.name = "fake-aead",
     .operations = CIPHER_OPS,
     .can_stream = 1,
     .key_min = KEY,
     .key_max = KEY,
     .nonce_min = 8,
     .nonce_max = KEY,
     .tag_min = 4,
     .tag_max = KEY,
     .block = 1,
     .native = AEAD},
    {.name = "fake-hash",
     .operations = MB_CAN(MB_DIGEST),
     .can_stream = 1,
     .block = 1,
     .native = HASH},
    {.name = "fake-sign",
     .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY),
     .can_stream = 1,
     .key_min = KEY,
     .key_max = KEY,
     .block = 1,
     .native = SIGN},
    {.name = "fake-kem",
     .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED,
     .key_min = FAKE_PUBLIC,
     .key_max = FAKE_PRIVATE,
     .public_bytes = FAKE_PUBLIC,
     .private_bytes = FAKE_PRIVATE,
     .ciphertext_bytes = FAKE_CIPHERTEXT,
     .secret_bytes = FAKE_SECRET,
     .block = 1,
     .native = KEM},
    CIPHER("fake-slow", SLOW),
    CIPHER("fake-crash", CRASH),
    CIPHER("fake-hang", HANG),
    CIPHER("fake-garbage", GARBAGE),
    CIPHER("fake-wrong", WRONG),
    CIPHER("fake-error", FAULTY),
    CIPHER("fake-flaky-crc", FLAKY),
};

typedef struct state {
    uint8_t key[KEY];
    uint64_t position;   /* bytes of the message so far */
    uint8_t sum[KEY];    /* of its plaintext */
    uint64_t iterations; /* of the job */
} state;

static size_t scheme_count(void)
{
    return sizeof SCHEMES / sizeof SCHEMES[0];
}

static const mb_scheme *scheme_at(size_t i)
{
    return &SCHEMES[i];
}

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    return "fake 1";
}

static const char *error(void)
{
    return "the fake was asked to fail";
}

static void set_key(mb_job *job)
{
    state *s = job->ctx;
    memset(s->key, 0, sizeof s->key);
    if (job->op != MB_KEYGEN && job->op != MB_DIGEST && job->scheme->native != KEM)
        memcpy(s->key, job->key, KEY);
}

static void close_job(mb_job *job)
{
    (void)job;
}

static mb_status start(mb_job *job)
{
    state *s = job->ctx;
    s->position = 0;
    memset(s->sum, 0, sizeof s->sum);
    return MB_OK;
}

static mb_status open_job(mb_job *job)
{
    set_key(job);
    return start(job);
}

static void apply(state *s, const uint8_t *in, size_t len, uint8_t *out, bool decrypt)
{
    for (size_t i = 0; i < len; i++, s->position++) {
        uint8_t stream = (uint8_t)(s->key[s->position % KEY] + s->position);
        uint8_t before = in[i], after = before ^ stream;
        size_t at = s->position % KEY;
        s->sum[at] = (uint8_t)(s->sum[at] + (decrypt ? after : before));
        out[i] = after;
    }
}

static void absorb(state *s, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < len; i++, s->position++)
        s->sum[s->position % KEY] = (uint8_t)(s->sum[s->position % KEY] + in[i]);
}

static void finish_sum(const state *s, size_t aad_len, uint8_t sum[KEY])
{
    for (size_t j = 0; j < KEY; j++)
        sum[j] = (uint8_t)(s->sum[j] + s->key[j] + aad_len + s->position);
}

static bool decrypts(const mb_job *job)
{
    return job->op == MB_DECRYPT || job->op == MB_DECRYPT_MESSAGE;
}

/* The end of a message of any kind; `out` takes what is no tag. */
static mb_status finish(mb_job *job, uint8_t *out, size_t *out_len)
{
    state *s = job->ctx;
    uint8_t sum[KEY];
    *out_len = 0;
    if (job->op == MB_VERIFY || job->op == MB_SIGN) {
        for (size_t j = 0; j < KEY; j++)
            s->key[j] = job->op == MB_SIGN ? (uint8_t)~job->key[j] : job->key[j];
    }
    finish_sum(s, job->aad_len, sum);
    if (job->op == MB_DIGEST || job->op == MB_SIGN) {
        memcpy(out, sum, KEY);
        *out_len = KEY;
    } else if (job->op == MB_VERIFY) {
        return job->signature_len == KEY && memcmp(sum, job->signature, KEY) == 0
                   ? MB_OK
                   : MB_REJECTED;
    } else if (job->scheme->native == AEAD && job->op == MB_DECRYPT_MESSAGE) {
        return job->tag_len >= 4 && job->tag_len <= KEY && memcmp(sum, job->tag, job->tag_len) == 0
                   ? MB_OK
                   : MB_REJECTED;
    } else if (job->scheme->native == AEAD) {
        memcpy(job->tag_out, sum, job->tag_out_len);
    }
    return MB_OK;
}

static void sleep_us(long us)
{
    struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    (void)nanosleep(&t, NULL);
}

static long knob(const char *name, long standard)
{
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : standard;
}

static _Noreturn void hang(void)
{
    for (;;)
        sleep_us(1000000);
}

static mb_status misbehave(mb_job *job)
{
    static const uint8_t garbage[] = {0, 3, 1, 2, 0, 0xFF, 0xA1, 'm', 'o', 't', 'e', 0, 0, 5};
    state *s = job->ctx;
    const unsigned what = job->scheme->native;
    if (what == SLOW)
        sleep_us(knob("MOTEBENCH_FAKE_SLEEP_US", SLEEP_US));
    if (s->iterations++ < (uint64_t)knob("MOTEBENCH_FAKE_AFTER", what == WRONG ? WRONG_AFTER : 0))
        return MB_OK;
    if (what == CRASH)
        abort();
    if (what == GARBAGE) {
        (void)mb_port_write(garbage, sizeof garbage);
        (void)mb_port_flush();
    }
    if (what == HANG || what == GARBAGE)
        hang();
    if (what == WRONG && job->out_len > 0)
        job->out[0] ^= 1;
    if (what == FLAKY && job->out_len > 0)
        job->out[0] = (uint8_t)s->iterations;
    return what == FAULTY ? MB_ERROR : MB_OK;
}

static mb_status once(mb_job *job)
{
    state *s = job->ctx;
    mb_status status = MB_OK;
    switch (job->op) {
    case MB_KEY_SETUP:
        set_key(job);
        job->out_len = 0;
        break;
    case MB_ENCRYPT:
    case MB_DECRYPT:
        apply(s, job->in, job->in_len, job->out, decrypts(job));
        job->out_len = job->in_len;
        break;
    case MB_ENCRYPT_MESSAGE:
    case MB_DECRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY: {
        size_t none;
        set_key(job);
        (void)start(job);
        apply(s, job->in, job->in_len, job->out, decrypts(job));
        job->out_len = job->in_len;
        status = finish(job, NULL, &none);
        break;
    }
    case MB_DIGEST:
    case MB_SIGN:
    case MB_VERIFY:
        (void)start(job);
        absorb(s, job->in, job->in_len);
        status = finish(job, job->out, &job->out_len);
        break;
    case MB_ENCAPSULATE:
    case MB_DECAPSULATE:
        status = fake_kem(job);
        break;
    case MB_KEYGEN: {
        static uint8_t made;
        if (job->scheme->native == KEM) {
            status = fake_kem(job);
            break;
        }
        memset(job->out, 0, KEY);
        job->out[0] = ++made;
        job->out_len = KEY;
        break;
    }
    case MB_MAC:
    case MB_AGREE:
    case MB_OPERATION_COUNT:
        return MB_UNSUPPORTED;
    }
    mb_status mood = misbehave(job);
    return mood != MB_OK ? mood : status;
}

MB_REPEAT(run, once)

static mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                        size_t *out_len)
{
    if (job->op == MB_ENCRYPT_MESSAGE || job->op == MB_DECRYPT_MESSAGE) {
        apply(job->ctx, in, in_len, out, decrypts(job));
        *out_len = in_len;
    } else {
        absorb(job->ctx, in, in_len);
        *out_len = 0;
    }
    return misbehave(job);
}

static mb_status public_key(mb_job *job)
{
    if (job->scheme->native == KEM)
        return fake_kem_public(job);
    if (job->scheme->native != SIGN)
        return MB_UNSUPPORTED;
    if (job->key_len != KEY)
        return MB_ERROR;
    for (size_t j = 0; j < KEY; j++)
        job->out[j] = (uint8_t)~job->key[j];
    job->out_len = KEY;
    return MB_OK;
}

const mb_adapter mb_the_adapter = {
    .implementation = "fake",
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .ctx_size = sizeof(state),
    .init = init,
    .version = version,
    .open = open_job,
    .start = start,
    .run = run,
    .update = update,
    .final = finish,
    .close = close_job,
    .public_key = public_key,
    .error = error,
};
