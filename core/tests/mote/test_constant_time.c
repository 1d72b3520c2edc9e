/*
 * Claims of constant time, put to valgrind's memcheck: keys, messages and what is made of them are
 * marked as undefined, and memcheck reports every branch and every address that depends on
 * undefined bytes. That covers what the compiler made of the code on this machine, and nothing
 * about instructions whose time depends on what they work on.
 */
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "../../mote/modes/gmac.h"
#include "aeads.h"
#include "mote/curve25519.h"
#include "mote/ed25519.h"
#include "mote/hmac.h"
#include "mote/ml_kem.h"
#include "mote/p256.h"
#include "mote/small_curves.h"

enum { LEN = 150, NONCE = 255, STATE = 16384 };

static const mote_mode *const MODES[] = {
    &mote_ecb, &mote_cbc, &mote_cfb, &mote_cfb8, &mote_ofb, &mote_ctr};

static uint8_t data[LEN], key[256], digest[MOTE_DIGEST_MAX], nonce[NONCE];
static uint64_t state[STATE / 8], schedule[STATE / 8];

static void make_secret(void)
{
    fill(data, sizeof data);
    fill(key, sizeof key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof data);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(schedule, sizeof schedule);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(state, sizeof state);
}

static void in_mode(const mote_block_cipher *cipher, const mote_mode *mode)
{
    const size_t len = LEN / cipher->block_len * (size_t)cipher->block_len;
    mote_chain chain;
    make_secret();
    cipher->set_key(schedule, key);
    mote_chain_start(&chain, cipher, schedule, nonce);
    mode->encrypt(&chain, data, data, mode->whole_blocks ? len : LEN);
    if (mode->inverts && cipher->set_decrypt_key != NULL)
        cipher->set_decrypt_key(schedule, key);
    mote_chain_start(&chain, cipher, schedule, nonce);
    mode->decrypt(&chain, data, data, mode->whole_blocks ? len : LEN);
    mote_wipe(&chain, sizeof chain);
}

static void in_gmac(const mote_block_cipher *cipher)
{
    mote_gmac gmac;
    make_secret();
    cipher->set_key(schedule, key);
    mote_gmac_bind(&gmac, cipher, schedule);
    mote_gmac_start(&gmac, nonce);
    mote_gmac_update(&gmac, data, LEN);
    mote_gmac_finish(&gmac, digest);
    mote_wipe(&gmac, sizeof gmac);
}

static void block_cipher(const mote_block_cipher *cipher)
{
    for (size_t i = 0; i < sizeof MODES / sizeof MODES[0]; i++)
        in_mode(cipher, MODES[i]);
    if (cipher->block_len == MOTE_BLOCK_MAX)
        in_gmac(cipher);
}

static void stream_cipher(const mote_stream_cipher *cipher)
{
    make_secret();
    cipher->set_key(state, key);
    cipher->start(state, nonce, cipher->nonce_max);
    cipher->process(state, data, data, LEN / 2);
    cipher->process(state, data + LEN / 2, data + LEN / 2, LEN - LEN / 2);
}

static void hash(const mote_hash *h)
{
    make_secret();
    h->start(state);
    h->update(state, data, LEN);
    h->finish(state, digest);
    if (h->block_len > 0) {
        mote_hmac hmac;
        mote_hmac_set_key(&hmac, h, state, key, h->block_len + 1u);
        mote_hmac_start(&hmac);
        mote_hmac_update(&hmac, data, LEN);
        mote_hmac_finish(&hmac, digest);
    }
}

static void aead(aead_subject *s)
{
    mote_aead_message message = {
        .nonce = nonce,
        .aad = nonce,
        .nonce_len = s->aead->nonce_min,
        .tag_len = s->tag_max,
        .aad_len = 37,
        .message_len = LEN};
    uint8_t tags[2][32];
    make_secret();
    aead_set_key(s, key);
    s->aead->start(s->state.at, &message);
    s->aead->encrypt(s->state.at, data, data, LEN);
    s->aead->tag(s->state.at, tags[0]);
    message.nonce_len = s->aead->nonce_max;
    s->aead->start(s->state.at, &message);
    s->aead->decrypt(s->state.at, data, data, LEN);
    s->aead->tag(s->state.at, tags[1]);
    /* True if a tag was right is for everybody to know, and nothing else of it. */
    uint8_t differs = mote_differs(tags[0], tags[1], message.tag_len);
    (void)VALGRIND_MAKE_MEM_DEFINED(&differs, sizeof differs);
    EXPECT(differs <= 1);
    (void)VALGRIND_MAKE_MEM_DEFINED(s->state.at, s->state.len);
    (void)VALGRIND_MAKE_MEM_DEFINED(s->schedule.at, s->schedule.len);
}

typedef struct kem {
    const char *name;
    size_t k;
    int (*keygen)(uint8_t *public_key, uint8_t *private_key, const uint8_t seed[64]);
    int (*encapsulate)(uint8_t *ciphertext, uint8_t secret[32], const uint8_t *public_key,
                       const uint8_t coins[32]);
    int (*decapsulate)(uint8_t secret[32], const uint8_t *ciphertext, const uint8_t *private_key);
} kem;

static const kem KEMS[] = {
    {"small ml-kem-512", 2, mote_ml_kem_small_512_keygen, mote_ml_kem_small_512_encapsulate,
     mote_ml_kem_small_512_decapsulate},
    {"ml-kem-512", 2, mote_ml_kem_512_keygen, mote_ml_kem_512_encapsulate,
     mote_ml_kem_512_decapsulate},
    {"ml-kem-768", 3, mote_ml_kem_768_keygen, mote_ml_kem_768_encapsulate,
     mote_ml_kem_768_decapsulate},
    {"ml-kem-1024", 4, mote_ml_kem_1024_keygen, mote_ml_kem_1024_encapsulate,
     mote_ml_kem_1024_decapsulate},
};

/*
 * The seed of keys, coins, and s and z of the private key are secret. The seed of the matrix, which
 * is hashed from that of the keys, is declared public by the code.
 */
static void key_encapsulation(const kem *k)
{
    static uint8_t public_key[1568], private_key[3168], ciphertext[1568];
    const size_t len = 384 * k->k;
    uint8_t secrets[2][32];
    fill(data, sizeof data);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, 64);
    EXPECT(k->keygen(public_key, private_key, data) == 0);
    (void)VALGRIND_MAKE_MEM_DEFINED(public_key, sizeof public_key);
    (void)VALGRIND_MAKE_MEM_DEFINED(private_key, sizeof private_key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, 32);
    int rejected = k->encapsulate(ciphertext, secrets[0], public_key, data);
    EXPECT(rejected == 0);
    (void)VALGRIND_MAKE_MEM_DEFINED(ciphertext, sizeof ciphertext);
    for (uint8_t changed = 0; changed < 2; changed++) {
        ciphertext[7] ^= changed;
        (void)VALGRIND_MAKE_MEM_UNDEFINED(private_key, len);
        (void)VALGRIND_MAKE_MEM_UNDEFINED(private_key + 2 * len + 64, 32);
        rejected = k->decapsulate(secrets[1], ciphertext, private_key);
        EXPECT(rejected == 0);
        uint8_t differs = mote_differs(secrets[0], secrets[1], 32);
        (void)VALGRIND_MAKE_MEM_DEFINED(&differs, sizeof differs);
        EXPECT(differs == changed);
    }
}

static void all_of(const mote_implementation *impl)
{
    for (uint8_t i = 0; i < impl->block_count; i++) {
        about(impl, impl->blocks[i].name, "");
        block_cipher(&impl->blocks[i]);
    }
    for (uint8_t i = 0; i < impl->stream_count; i++) {
        about(impl, impl->streams[i].name, "");
        stream_cipher(&impl->streams[i]);
    }
    for (uint8_t i = 0; i < impl->hash_count; i++) {
        about(impl, impl->hashes[i].name, "");
        hash(&impl->hashes[i]);
    }
    aead_subject s;
    for (size_t i = 0; aead_at(i, &s); i++) {
        if (s.implementation == impl)
            aead(&s);
        aead_free(&s);
    }
}

/* The private key and what comes of it are secret; the other side's key is not. */
static void agreement(void)
{
    uint8_t private_key[32], peer[32] = {9}, secret[32];
    const unsigned long before = VALGRIND_COUNT_ERRORS;
    fill(private_key, sizeof private_key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(private_key, sizeof private_key);
    (void)mote_x25519(secret, private_key, peer);
    mote_x25519_public(secret, private_key);
    (void)mote_x25519_small(secret, private_key, peer);
    mote_x25519_small_public(secret, private_key);
    if (!CHECK(VALGRIND_COUNT_ERRORS == before))
        (void)fprintf(stderr, "mote/x25519: valgrind says above what leaks\n");
}

/* The private key is secret, and what it is expanded to; public key and signature are not. */
static void signature(void)
{
    uint8_t private_key[32], signed_by[MOTE_ED25519_SIGNATURE];
    mote_ed25519_signer signer;
    const unsigned long before = VALGRIND_COUNT_ERRORS;
    fill(private_key, sizeof private_key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(private_key, sizeof private_key);
    mote_ed25519_expand(&signer, private_key);
    (void)VALGRIND_MAKE_MEM_DEFINED(signer.public_key, sizeof signer.public_key);
    mote_ed25519_sign(signed_by, &signer, private_key, sizeof private_key);
    mote_ed25519_small_expand(&signer, private_key);
    (void)VALGRIND_MAKE_MEM_DEFINED(signer.public_key, sizeof signer.public_key);
    mote_ed25519_small_sign(signed_by, &signer, private_key, sizeof private_key);
    if (!CHECK(VALGRIND_COUNT_ERRORS == before))
        (void)fprintf(stderr, "mote/ed25519: valgrind says above what leaks\n");
    (void)VALGRIND_MAKE_MEM_DEFINED(signed_by, sizeof signed_by);
    (void)VALGRIND_MAKE_MEM_DEFINED(private_key, sizeof private_key);
    EXPECT(mote_ed25519_verify(signed_by, signer.public_key, private_key, 32) == 0);
}

typedef struct p256 {
    const char *name;
    int (*keygen)(uint8_t key[32], uint8_t point[65], const uint8_t random[32]);
    int (*agree)(uint8_t secret[32], const uint8_t key[32], const uint8_t *peer, size_t peer_len);
    int (*sign)(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32]);
} p256;

static const p256 P256[] = {
    {"p256", mote_p256_keygen, mote_p256_agree, mote_p256_sign},
    {"p256-small", mote_p256_small_keygen, mote_p256_small_agree, mote_p256_small_sign},
};

/* Random bytes and private key are secret; what the code declares is not (mote/public.h). */
static void prime_curve(const p256 *curve)
{
    uint8_t random[32], key[32], point[65], secret[32], digest_of[32], signed_by[64];
    const unsigned long before = VALGRIND_COUNT_ERRORS;
    fill(random, sizeof random);
    fill(digest_of, sizeof digest_of);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(random, sizeof random);
    EXPECT(curve->keygen(key, point, random) == 0);
    (void)VALGRIND_MAKE_MEM_DEFINED(point, sizeof point);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    EXPECT(curve->agree(secret, key, point, sizeof point) == 0);
    EXPECT(curve->sign(signed_by, key, digest_of) == 0);
    EXPECT(mote_p256_verify(point, sizeof point, digest_of, signed_by) == 0);
    if (!CHECK(VALGRIND_COUNT_ERRORS == before))
        (void)fprintf(stderr, "mote/%s: valgrind says above what leaks\n", curve->name);
}

int main(void)
{
    check_begin();
    if (!CHECK(RUNNING_ON_VALGRIND))
        (void)fprintf(stderr, "start this with valgrind: without it nothing is checked\n");
    fill(nonce, sizeof nonce);
    for (size_t i = 0; implementations[i] != NULL; i++) {
        const mote_implementation *impl = implementations[i];
        const bool leaks = strcmp(impl->name, "toy-leak") == 0; /* proves that leaks are seen */
        if (!impl->constant_time)
            continue;
        const unsigned long before = VALGRIND_COUNT_ERRORS;
        all_of(impl);
        const unsigned long found = VALGRIND_COUNT_ERRORS - before;
        about(impl,
              leaks ? "a leak that should be seen"
                    : "constant time is claimed; valgrind says above what leaks",
              "");
        EXPECT(leaks ? found > 0 : found == 0);
    }
    for (size_t i = 0; i < sizeof KEMS / sizeof KEMS[0]; i++) {
        const unsigned long before = VALGRIND_COUNT_ERRORS;
        key_encapsulation(&KEMS[i]);
        if (!CHECK(VALGRIND_COUNT_ERRORS == before))
            (void)fprintf(stderr, "mote/ml-kem: %s: valgrind says above what leaks\n",
                          KEMS[i].name);
    }
    agreement();
    signature();
    for (size_t i = 0; i < sizeof P256 / sizeof P256[0]; i++)
        prime_curve(&P256[i]);
    return check_end();
}
