/*
 * The schemes on offer: products of small tables, each row kept only if the library can fetch it at
 * run time.
 *
 * Names to the left are those of the catalog, names to the right those OpenSSL knows the algorithm
 * by.
 */
#include <stdio.h>

#include "openssl_adapter.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_SCHEMES 320

static struct row {
    mb_scheme scheme;
    mbo_detail detail;
} rows[MAX_SCHEMES];
static size_t row_count;
static int overflow;

#define CIPHER_OPS                                                                                 \
    (MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_ENCRYPT) | MB_CAN(MB_DECRYPT) | MB_CAN(MB_ENCRYPT_MESSAGE) | \
     MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY))

/* Parts of the name and of the key length that say the key size. */
enum {
    NAMED = 1,   /* scheme name has the bits: aes-128 */
    FETCHED = 2, /* so has OpenSSL's: AES-128 */
    RC2_BITS = 4 /* the effective key length has to be set beside the length */
};

/* Block ciphers; bits in key bits as stored (DES with its parity bits), block in bytes. */
static const struct cipher {
    const char *name, *fetch;
    uint16_t bits[3];
    uint8_t block, flags;
} ciphers[] = {
    {"aes", "AES", {128, 192, 256}, 16, NAMED | FETCHED},
    {"camellia", "CAMELLIA", {128, 192, 256}, 16, NAMED | FETCHED},
    {"aria", "ARIA", {128, 192, 256}, 16, NAMED | FETCHED},
    {"seed", "SEED", {128}, 16, 0},
    {"des", "DES", {64}, 8, 0},
    {"3des", "DES-EDE3", {192}, 8, 0},
    {"blowfish", "BF", {128, 256, 448}, 8, NAMED},
    {"rc2", "RC2", {40, 64, 128}, 8, NAMED | RC2_BITS},
    {"cast-128", "CAST5", {128}, 8, 0},
    {"idea", "IDEA", {128}, 8, 0},
    {"rc5-128", "RC5", {128}, 8, 0},
};

/*
 * Modes. nonce_max 0: the nonce is one block if has_nonce, else there is none. bulk: bytes that
 * long messages come in multiples of, 0 for the cipher's block. Nonces and tags: SP 800-38C, SP
 * 800-38D, RFC 7253; OpenSSL takes GCM nonces up to 128 bytes.
 */
static const struct mode {
    const char *name, *fetch;
    mbo_style style;
    uint8_t has_nonce, bulk, stream, key_factor;
    uint16_t nonce_min, nonce_max, tag_min, tag_max;
} modes[] = {
    {"ecb", "ECB", MBO_PADDED, 0, 0, 1, 1, 0, 0, 0, 0},
    {"cbc", "CBC", MBO_PADDED, 1, 0, 1, 1, 0, 0, 0, 0},
    {"cfb", "CFB", MBO_PLAIN, 1, 1, 1, 1, 0, 0, 0, 0},
    {"cfb8", "CFB8", MBO_PLAIN, 1, 1, 1, 1, 0, 0, 0, 0},
    {"ofb", "OFB", MBO_PLAIN, 1, 1, 1, 1, 0, 0, 0, 0},
    {"ctr", "CTR", MBO_PLAIN, 1, 1, 1, 1, 0, 0, 0, 0},
    {"xts", "XTS", MBO_XTS, 1, 1, 0, 2, 0, 0, 0, 0},
    {"gcm", "GCM", MBO_AEAD, 1, 1, 1, 1, 1, 128, 4, 16},
    {"ccm", "CCM", MBO_CCM, 1, 1, 0, 1, 7, 13, 4, 16},
    {"ocb", "OCB", MBO_AEAD, 1, 0, 1, 1, 1, 15, 1, 16},
};

/* Schemes without a mode. */
static const struct stream {
    const char *name, *fetch;
    mbo_style style;
    uint8_t key, no_resync;
    uint16_t nonce_min, nonce_max, tag;
} streams[] = {
    {"rc4-40", "RC4", MBO_PLAIN, 5, 1, 0, 0, 0},
    {"rc4-128", "RC4", MBO_PLAIN, 16, 1, 0, 0, 0},
    /* 12: RFC 8439 from block 0; 16: counter before it */
    {"chacha20", "ChaCha20", MBO_PLAIN, 32, 0, 12, 16, 0},
    {"chacha20-poly1305", "ChaCha20-Poly1305", MBO_AEAD, 32, 0, 12, 12, 16},
};

/* Hashes; len in bytes. `mac` and `rsa` say where else the hash is offered. */
static const struct hash {
    const char *name, *fetch;
    uint16_t len;
    uint8_t extendable, mac, rsa;
} hashes[] = {
    {"md5", "MD5", 16, 0, 1, 0},
    {"sha1", "SHA1", 20, 0, 1, 1},
    {"sha224", "SHA2-224", 28, 0, 1, 0},
    {"sha256", "SHA2-256", 32, 0, 1, 1},
    {"sha384", "SHA2-384", 48, 0, 1, 1},
    {"sha512", "SHA2-512", 64, 0, 1, 1},
    {"sha512-256", "SHA2-512/256", 32, 0, 0, 0},
    {"sha3-224", "SHA3-224", 28, 0, 0, 0},
    {"sha3-256", "SHA3-256", 32, 0, 1, 0},
    {"sha3-384", "SHA3-384", 48, 0, 0, 0},
    {"sha3-512", "SHA3-512", 64, 0, 0, 0},
    {"shake128", "SHAKE-128", 32, 1, 0, 0},
    {"shake256", "SHAKE-256", 64, 1, 0, 0},
    {"blake2s-256", "BLAKE2S-256", 32, 0, 0, 0},
    {"blake2b-512", "BLAKE2B-512", 64, 0, 0, 0},
    {"ripemd160", "RIPEMD160", 20, 0, 0, 0},
};

static const uint16_t rsa_bits[] = {1024, 2048, 3072, 4096};

/* The next free row with its names, or NULL. `add` takes it if its algorithm is there. */
static struct row *draft(const mb_kind *kind, int (*available)(const mbo_detail *detail),
                         const char *fetch)
{
    if (row_count == MAX_SCHEMES) {
        overflow = 1;
        return NULL;
    }
    rows[row_count] = (struct row){.detail = {.kind = kind, .available = available}};
    snprintf(rows[row_count].detail.fetch, sizeof rows[row_count].detail.fetch, "%s", fetch);
    return &rows[row_count];
}

static void add(struct row *row)
{
    if (!row->detail.available(&row->detail))
        return;
    row->scheme.name = row->detail.name;
    row->scheme.param = &row->detail;
    row_count++;
}

static void add_block_cipher(const struct cipher *cipher, uint16_t bits, const struct mode *mode)
{
    struct row *row = draft(&mbo_cipher_kind, mbo_cipher_available, "");
    char size[8];

    if (row == NULL)
        return;
    snprintf(size, sizeof size, "-%u", (unsigned)bits);
    snprintf(row->detail.name, sizeof row->detail.name, "%s%s-%s", cipher->name,
             cipher->flags & NAMED ? size : "", mode->name);
    snprintf(row->detail.fetch, sizeof row->detail.fetch, "%s%s-%s", cipher->fetch,
             cipher->flags & FETCHED ? size : "", mode->fetch);
    row->detail.style = mode->style;
    row->detail.bits = cipher->flags & RC2_BITS ? bits : 0;
    row->scheme.operations = mode->style == MBO_CCM ? CIPHER_OPS & ~MB_CAN(MB_DECRYPT) : CIPHER_OPS;
    row->scheme.can_stream = mode->stream;
    row->scheme.key_min = row->scheme.key_max = (uint16_t)(bits / 8 * mode->key_factor);
    row->scheme.nonce_min =
        mode->nonce_max == 0 && mode->has_nonce ? cipher->block : mode->nonce_min;
    row->scheme.nonce_max =
        mode->nonce_max == 0 && mode->has_nonce ? cipher->block : mode->nonce_max;
    row->scheme.tag_min = mode->tag_min;
    row->scheme.tag_max = mode->tag_max;
    row->scheme.block = mode->bulk == 0 ? cipher->block : mode->bulk;
    add(row);
}

static void add_stream(const struct stream *stream)
{
    struct row *row = draft(&mbo_cipher_kind, mbo_cipher_available, stream->fetch);

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "%s", stream->name);
    row->detail.style = stream->style;
    row->detail.no_resync = stream->no_resync;
    row->scheme = (mb_scheme){
        .operations = CIPHER_OPS,
        .can_stream = 1,
        .block = 1,
        .key_min = stream->key,
        .key_max = stream->key,
        .nonce_min = stream->nonce_min,
        .nonce_max = stream->nonce_max,
        .tag_min = stream->tag,
        .tag_max = stream->tag,
    };
    add(row);
}

static void add_hash(const struct hash *hash)
{
    struct row *row = draft(&mbo_digest_kind, mbo_digest_available, hash->fetch);

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "%s", hash->name);
    row->detail.out_len = hash->len;
    row->detail.extendable = hash->extendable;
    row->scheme = (mb_scheme){
        .operations = MB_CAN(MB_DIGEST),
        .can_stream = 1,
        .block = 1,
        .tag_min = hash->len,
        .tag_max = hash->len};
    add(row);
}

static void add_hmac(const struct hash *hash)
{
    struct row *row = draft(&mbo_mac_kind, mbo_mac_available, "HMAC");

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "hmac-%s", hash->name);
    row->detail.hash = hash->fetch;
    row->detail.out_len = hash->len;
    row->scheme = (mb_scheme){
        .operations = MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_MAC),
        .can_stream = 1,
        .block = 1,
        .key_max = 256,
        .tag_min = hash->len,
        .tag_max = hash->len};
    add(row);
}

/* Lengths in bytes. */
static const struct mac {
    const char *name, *fetch, *inner;
    uint16_t key_min, key_max, len, nonce;
} macs[] = {
    {"aes-128-cmac", "CMAC", "AES-128-CBC", 16, 16, 16, 0},
    {"aes-192-cmac", "CMAC", "AES-192-CBC", 24, 24, 16, 0},
    {"aes-256-cmac", "CMAC", "AES-256-CBC", 32, 32, 16, 0},
    {"aes-128-gmac", "GMAC", "AES-128-GCM", 16, 16, 16, 12},
    {"aes-192-gmac", "GMAC", "AES-192-GCM", 24, 24, 16, 12},
    {"aes-256-gmac", "GMAC", "AES-256-GCM", 32, 32, 16, 12},
    {"kmac128", "KMAC-128", NULL, 4, 256, 32, 0},
    {"kmac256", "KMAC-256", NULL, 4, 256, 64, 0},
};

static void add_mac(const struct mac *mac)
{
    struct row *row = draft(&mbo_mac_kind, mbo_mac_available, mac->fetch);

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "%s", mac->name);
    row->detail.inner = mac->inner;
    row->detail.out_len = mac->len;
    row->scheme = (mb_scheme){
        .operations = MB_CAN(MB_KEY_SETUP) | MB_CAN(MB_MAC),
        .can_stream = 1,
        .block = 1,
        .key_min = mac->key_min,
        .key_max = mac->key_max,
        .nonce_min = mac->nonce,
        .nonce_max = mac->nonce,
        .tag_min = mac->len,
        .tag_max = mac->len};
    add(row);
}

#define SIGNATURE_OPS (MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY))

/* RFC 8017, 9.1.1: a PSS block holds the hash, a salt as long, and two bytes. */
static void add_rsa(uint16_t bits, mbo_padding padding, const struct hash *hash)
{
    struct row *row = draft(&mbo_signature_kind, mbo_key_available, "RSA");
    uint16_t bytes = bits / 8;

    if (row == NULL || (padding == MBO_PSS && bytes < 2 * hash->len + 2))
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "rsa-%u-%s-%s", (unsigned)bits,
             padding == MBO_PSS ? "pss" : "pkcs1", hash->name);
    row->detail.hash = hash->fetch;
    row->detail.padding = padding;
    row->detail.bits = bits;
    /*
     * Keys: an RSAPublicKey is longer than its modulus, an RSAPrivateKey about 4.6 times as long.
     */
    row->scheme = (mb_scheme){
        .operations = SIGNATURE_OPS,
        .can_stream = 1,
        .block = 1,
        .key_min = bytes,
        .key_max = bits,
        .tag_min = bytes,
        .tag_max = bytes};
    add(row);
}

/* Keys of 32 bytes, or points of 65 to verify ECDSA. */
static void add_curve(const mb_kind *kind, const char *name, const char *fetch, const char *hash,
                      mb_scheme scheme)
{
    struct row *row = draft(kind, mbo_key_available, fetch);

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "%s", name);
    row->detail.hash = hash;
    row->scheme = scheme;
    row->scheme.key_min = 32;
    row->scheme.block = 1;
    add(row);
}

static void add_curves(void)
{
    /* DER of two 256-bit integers: 8 to 72 bytes (RFC 3279). */
    add_curve(&mbo_signature_kind, "ecdsa-p256-sha256", "EC", "SHA2-256",
              (mb_scheme){.operations = SIGNATURE_OPS,
                          .can_stream = 1,
                          .key_max = 65,
                          .tag_min = 8,
                          .tag_max = 72});
    add_curve(
        &mbo_eddsa_kind, "ed25519", "ED25519", NULL,
        (mb_scheme){.operations = SIGNATURE_OPS, .key_max = 32, .tag_min = 64, .tag_max = 64});
    add_curve(&mbo_agreement_kind, "x25519", "X25519", NULL,
              (mb_scheme){.operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE), .key_max = 32});
    add_curve(&mbo_agreement_kind, "ecdh-p256", "EC", NULL,
              (mb_scheme){.operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE), .key_max = 32});
}

/* FIPS 203, table 3. */
static void add_ml_kem(const char *name, const char *fetch, uint16_t public_bytes,
                       uint16_t private_bytes, uint16_t ciphertext)
{
    struct row *row = draft(&mbo_kem_kind, mbo_pq_available, fetch);

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "%s", name);
    row->scheme = (mb_scheme){
        .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED,
        .block = 1,
        .key_min = public_bytes,
        .key_max = private_bytes,
        .public_bytes = public_bytes,
        .private_bytes = private_bytes,
        .ciphertext_bytes = ciphertext,
        .secret_bytes = 32};
    add(row);
}

/*
 * draft-ietf-tls-ecdhe-mlkem: each size is that of ML-KEM-768 and 32 bytes of X25519. The library
 * takes no seeds.
 */
static void add_hybrid(void)
{
    struct row *row = draft(&mbo_kem_kind, mbo_pq_available, "X25519MLKEM768");

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "x25519mlkem768");
    row->detail.hybrid = 1;
    row->scheme = (mb_scheme){
        .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS,
        .block = 1,
        .key_min = 1216,
        .key_max = 2432,
        .public_bytes = 1216,
        .private_bytes = 2432,
        .ciphertext_bytes = 1120,
        .secret_bytes = 64};
    add(row);
}

static void add_pq_signature(const char *name, const char *fetch, uint16_t public_bytes,
                             uint16_t private_bytes, uint16_t signature)
{
    struct row *row = draft(&mbo_pq_signature_kind, mbo_pq_available, fetch);

    if (row == NULL)
        return;
    snprintf(row->detail.name, sizeof row->detail.name, "%s", name);
    row->scheme = (mb_scheme){
        .operations = SIGNATURE_OPS | MB_TAKES_SEED,
        .block = 1,
        .key_min = public_bytes,
        .key_max = private_bytes,
        .context_max = 255,
        .tag_min = signature,
        .tag_max = signature};
    add(row);
}

/* Both hashes of an SLH-DSA set: `size` is its n in bits and a letter. FIPS 205, table 2. */
static void add_slh_dsa(const char *size, uint16_t n, uint16_t signature)
{
    static const char *const hashes[][2] = {{"sha2", "SHA2"}, {"shake", "SHAKE"}};
    char name[32], fetch[32];

    for (size_t h = 0; h < COUNT(hashes); h++) {
        snprintf(name, sizeof name, "slh-dsa-%s-%s", hashes[h][0], size);
        snprintf(fetch, sizeof fetch, "SLH-DSA-%s-%s", hashes[h][1], size);
        add_pq_signature(name, fetch, (uint16_t)(2 * n), (uint16_t)(4 * n), signature);
    }
}

static void add_post_quantum(void)
{
    add_ml_kem("ml-kem-512", "ML-KEM-512", 800, 1632, 768);
    add_ml_kem("ml-kem-768", "ML-KEM-768", 1184, 2400, 1088);
    add_ml_kem("ml-kem-1024", "ML-KEM-1024", 1568, 3168, 1568);
    add_hybrid();
    add_pq_signature("ml-dsa-44", "ML-DSA-44", 1312, 2560, 2420); /* FIPS 204, table 2 */
    add_pq_signature("ml-dsa-65", "ML-DSA-65", 1952, 4032, 3309);
    add_pq_signature("ml-dsa-87", "ML-DSA-87", 2592, 4896, 4627);
    add_slh_dsa("128s", 16, 7856);
    add_slh_dsa("128f", 16, 17088);
    add_slh_dsa("192s", 24, 16224);
    add_slh_dsa("192f", 24, 35664);
    add_slh_dsa("256s", 32, 29792);
    add_slh_dsa("256f", 32, 49856);
}

int mbo_table_build(void)
{
    row_count = 0;
    overflow = 0;
    for (size_t c = 0; c < COUNT(ciphers); c++)
        for (size_t b = 0; b < COUNT(ciphers[c].bits) && ciphers[c].bits[b] != 0; b++)
            for (size_t m = 0; m < COUNT(modes); m++)
                add_block_cipher(&ciphers[c], ciphers[c].bits[b], &modes[m]);
    for (size_t s = 0; s < COUNT(streams); s++)
        add_stream(&streams[s]);
    for (size_t h = 0; h < COUNT(hashes); h++) {
        add_hash(&hashes[h]);
        if (hashes[h].mac)
            add_hmac(&hashes[h]);
    }
    for (size_t m = 0; m < COUNT(macs); m++)
        add_mac(&macs[m]);
    for (size_t b = 0; b < COUNT(rsa_bits); b++)
        for (size_t h = 0; h < COUNT(hashes); h++)
            if (hashes[h].rsa) {
                add_rsa(rsa_bits[b], MBO_PKCS1, &hashes[h]);
                add_rsa(rsa_bits[b], MBO_PSS, &hashes[h]);
            }
    add_curves();
    add_post_quantum();
    return !overflow;
}

size_t mbo_table_count(void)
{
    return row_count;
}

const mb_scheme *mbo_table_at(size_t i)
{
    return i < row_count ? &rows[i].scheme : NULL;
}
