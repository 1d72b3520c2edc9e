/*
 * Adapter of a library: the functions that the library must provide to be measured.
 *
 * The probe owns every buffer and calls the adapter in this order:
 *
 *   open -> (start -> run)* -> close                 computing, timing
 *   open -> start -> update* -> final -> close       whole files
 *
 * Only `run` is timed, and `run` does nothing but the operation, `n` times. Anything that a user of
 * the library would do once per key belongs in `open`; once per message, in `start`, unless the
 * operation says that it is part of what is measured (see mb_operation).
 */
#ifndef MOTEBENCH_ADAPTER_H
#define MOTEBENCH_ADAPTER_H

#include <stddef.h>
#include <stdint.h>

#include "motebench/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the C probe, and of motebench's own implementations. */
#define MB_VERSION "0.1.0"

/* 1: a microcontroller, without files and with little memory. */
#if defined(__AVR__) || (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M') || \
    (defined(__riscv) && !defined(__linux__))
#define MB_BOARD 1
#else
#define MB_BOARD 0
#endif

/*
 * 1: messages may be streamed, as whole files are: `update` and `final` are called. Small devices
 * have no files.
 */
#ifndef MB_STREAMING
#if MB_BOARD
#define MB_STREAMING 0
#else
#define MB_STREAMING 1
#endif
#endif
#if MB_STREAMING
#define MB_IF_STREAMING(function) (function)
#else
#define MB_IF_STREAMING(function) NULL
#endif

/*
 * 1: signatures, agreement and KEMs. The firmware of a small device has what its scheme needs: the
 * build says 1 for these.
 */
#ifndef MB_PUBLIC_KEY
#if MB_BOARD
#define MB_PUBLIC_KEY 0
#else
#define MB_PUBLIC_KEY 1
#endif
#endif

/* Result of a call. Everything below MB_OK becomes a failure of the kind named in the protocol. */
typedef enum mb_status {
    MB_REJECTED = 1, /* a tag, padding or signature did not verify: an answer, not a failure */
    MB_OK = 0,
    MB_UNSUPPORTED = -1, /* this scheme, operation, size or parameter is not offered */
    MB_ERROR = -2,       /* the library reported an error */
    MB_TOO_BIG = -3      /* does not fit into the memory there is */
} mb_status;

/*
 * Operations. "Keyed" means that the key schedule was done in `open`.
 *
 * ENCRYPT, DECRYPT           keyed, message started: `in_len` bytes more of a long message, without
 *                            padding, tag or nonce set-up. in == out (in place). Modes that cannot
 *                            be continued (CCM, XTS) process one whole message or data unit of
 *                            in_len bytes per iteration instead.
 * ENCRYPT_MESSAGE            keyed: load the nonce, take the AAD, process all of `in`, finish; an
 *                            AEAD writes its tag to `tag_out`; ECB and CBC add PKCS#7 padding
 *                            (out_len = (in_len / block + 1) * block).
 * DECRYPT_MESSAGE            the reverse; checks `tag` or the padding: MB_REJECTED where it does
 *                            not fit.
 * ENCRYPT_NEW_KEY            key set-up, then as ENCRYPT_MESSAGE.
 * KEY_SETUP                  the key schedule and nothing else that the library lets one leave out.
 * DIGEST, MAC                one whole message: begin, all of `in`, result in `out`. MAC is keyed;
 *                            some take a nonce.
 * SIGN                       keyed: hash `message` and sign; signature in `out`.
 * VERIFY                     keyed: hash `message` and verify `signature`; MB_REJECTED if it is
 *                            wrong.
 * KEYGEN                     a new private key in `out`, in the scheme's private format; of a KEM
 *                            also its public key in `public_out`.
 * AGREE                      keyed (private key): shared secret with the public key `peer`, to
 *                            `out`.
 * ENCAPSULATE                keyed (public key): ciphertext in `out`, shared secret in
 *                            `secret_out`.
 * DECAPSULATE                keyed (private key): shared secret of `ciphertext` in `out`.
 *                            MB_REJECTED only where the scheme rejects explicitly; ML-KEM gives
 *                            another secret instead.
 */
typedef enum mb_operation {
    MB_KEY_SETUP,
    MB_ENCRYPT,
    MB_DECRYPT,
    MB_ENCRYPT_MESSAGE,
    MB_DECRYPT_MESSAGE,
    MB_ENCRYPT_NEW_KEY,
    MB_DIGEST,
    MB_MAC,
    MB_KEYGEN,
    MB_SIGN,
    MB_VERIFY,
    MB_AGREE,
    MB_ENCAPSULATE,
    MB_DECAPSULATE,
    MB_OPERATION_COUNT
} mb_operation;

#define MB_CAN(op) ((uint16_t)(1u << (op)))

/*
 * Beside the operations of a scheme: KEYGEN and ENCAPSULATE take a `seed`. The second: they need
 * one, because nothing here draws random numbers; without a seed they return MB_UNSUPPORTED.
 */
#define MB_TAKES_SEED ((uint16_t)0x4000)
#define MB_NEEDS_SEED ((uint16_t)0xC000)

/* The operations of a KEM, of which KEYGEN gives both keys. */
#define MB_KEM_OPERATIONS (MB_CAN(MB_ENCAPSULATE) | MB_CAN(MB_DECAPSULATE))

/*
 * One scheme as this adapter offers it. Key, nonce and tag lengths are ranges in bytes, both ends
 * included. A signature scheme has the range of its contexts in the place of nonces, and of its
 * signatures in the place of tags; a KEM has the sizes of its keys and outputs there.
 */
typedef struct mb_scheme {
    const char *name;          /* as in the catalog: "aes-128-cbc" */
    uint16_t operations;       /* MB_CAN(...) | ..., MB_TAKES_SEED */
    uint8_t can_stream;        /* 1: update/final work, so whole files can be processed */
    uint16_t key_min, key_max; /* of private and public keys, where there are both */
    union { uint16_t nonce_min, context_min, public_bytes; };
    union { uint16_t nonce_max, context_max, private_bytes; };
    union { uint16_t tag_min, ciphertext_bytes; };
    union { uint16_t tag_max, secret_bytes; };
    uint16_t block; /* ENCRYPT/DECRYPT input must be a multiple of it; 1: any length */
    /*
     * 1: the tag follows the ciphertext in one string. DECRYPT_MESSAGE finds it behind its `in_len`
     * bytes of input, ENCRYPT_MESSAGE and ENCRYPT_NEW_KEY leave it behind their output and count it
     * in `out_len`. 2, of signatures: VERIFY has twice the room in `out`.
     */
    uint8_t joined;
    uint16_t native;   /* adapter's own use */
    const void *param; /* adapter's own use */
} mb_scheme;

/*
 * One job: inputs and outputs of an operation. Pointers stay valid and unchanged from `open` to
 * `close`, except that update/final take their own.
 *
 * One place has a name for each kind of scheme that uses it: the tag of a cipher is where the
 * signature of a signature scheme is.
 *
 *                 key     nonce    aad  in          tag        out  tag_out
 *   cipher, AEAD  key     nonce    aad  in          tag        out  tag_out
 *   digest, MAC   key     nonce         message                out
 *   signature     key     context  aad  message     signature  out
 *   agreement     key                   peer                   out
 *   ENCAPSULATE   key     seed                                 out  secret_out
 *   DECAPSULATE   key                   ciphertext             out
 *   KEYGEN                seed                                 out  public_out, of a KEM
 *
 * context: of Ed25519ctx, ML-DSA; empty where the scheme has none. seed: the coins of ENCAPSULATE
 * and KEYGEN, for known answers; empty: the library draws them. peer: the other side's public key.
 * aad of SIGN: what user code draws (core/code/keys.c); libraries have none.
 * Of a KEM, ENCAPSULATE puts the ciphertext into `out`. A pre-hash variant is a scheme of its own,
 * with the same job.
 *
 * Keys: symmetric keys raw; RSA PKCS#1 DER (RSAPrivateKey to sign, RSAPublicKey to
 * verify); ECDSA P-256 a 32-byte big-endian scalar to sign, a 65-byte uncompressed point to verify,
 * signatures DER (RFC 3279); Ed25519 a 32-byte seed, a 32-byte public key, 64-byte signatures (RFC
 * 8032); X25519 32-byte strings (RFC 7748).
 *
 * `out_cap` is at least: for ENCRYPT, DECRYPT in_len; whole messages in_len + the larger of the
 * scheme's block and tag_max; KEY_SETUP, DIGEST, MAC, SIGN tag_max; KEYGEN key_max; VERIFY tag_max,
 * to work in, or 0 if that is above 512; with `joined` SIGN and VERIFY in_len + tag_max; AGREE
 * in_len + 64; public_key key_max; of a KEM what the scheme says of the output. On a host it is
 * in_len + 8192 and more.
 */
typedef struct mb_job {
    const mb_scheme *scheme;
    mb_operation op;
    const uint8_t *key;
    size_t key_len;
    union { const uint8_t *nonce, *context, *seed; };
    union { size_t nonce_len, context_len, seed_len; };
    const uint8_t *aad;
    size_t aad_len;
    union { const uint8_t *in, *message, *peer, *ciphertext; };
    union { size_t in_len, message_len, peer_len, ciphertext_len; };
    union { const uint8_t *tag, *signature; }; /* what DECRYPT_MESSAGE and VERIFY check */
    union { size_t tag_len, signature_len; };
    uint8_t *out;
    size_t out_cap, out_len; /* how long out_cap is: above */
    union { uint8_t *tag_out, *secret_out, *public_out; };
    union { size_t tag_out_cap, secret_out_cap, public_out_cap; };
    /* Preset: the tag length wanted, a KEM's size. */
    union { size_t tag_out_len, secret_out_len, public_out_len; };
    uint64_t total_len; /* length of the whole message, known before update (CCM needs it) */
    /* adapter's state, ctx_size bytes, aligned for any type, zeroed before open */
    void *ctx;
} mb_job;

typedef struct mb_adapter {
    const char *implementation; /* "openssl" */
    /* After `init`; schemes the library lacks at run time are left out. */
    size_t (*scheme_count)(void);
    const mb_scheme *(*scheme_at)(size_t i); /* what it points to may change with the next call */
    size_t ctx_size;
    /* Instead of ctx_size, of one scheme, or (NULL) the largest; may be NULL. */
    size_t (*state_size)(const mb_scheme *scheme);
    mb_status (*init)(void);      /* once, before anything else */
    const char *(*version)(void); /* "OpenSSL 3.0.19 27 Jan 2026" */
    mb_status (*open)(mb_job *job);
    mb_status (*start)(mb_job *job); /* begin a message; called before every `run`, untimed */
    /* The operation, n times (not 0); stops at the first failure. */
    mb_status (*run)(mb_job *job, uint32_t n);
    mb_status (*update)(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                        size_t *out_len);
    /* Padding, tag to tag_out or check, signature. */
    mb_status (*final)(mb_job *job, uint8_t *out, size_t *out_len);
    void (*close)(mb_job *job);
    /* Instead of open..close: public key of `key` to `out`; may be NULL. */
    mb_status (*public_key)(mb_job *job);
    mb_text (*error)(void); /* what the library says of the last failure, or NULL */
    /*
     * Makes a job with which `run` does all but the operation itself. What is around the operation
     * in `run` is then known, and subtracted from every reading, in place of the cost of an empty
     * call. May be NULL. Called before `open`.
     */
    void (*idle)(mb_job *job);
    /* Processor features that the library uses, in its own words; may be NULL. */
    const char *(*cpu_features)(void);
} mb_adapter;

/* Each probe program links exactly one adapter, which defines this. */
extern const mb_adapter mb_the_adapter;

#ifdef __cplusplus
}
#endif

#endif
