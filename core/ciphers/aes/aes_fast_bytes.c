/*
 * aes-fast on machines of 8 bits: the sixteen bytes of the state in variables, so that as many as
 * can stay in registers; ShiftRows costs nothing.
 */
#include "aes_fast.h"

#if MOTE_SMALL

#include "aes_bytes.h"
#include "mote/assembly.h"
#include "mote/flash.h"

/* aes_fast_avr.S uses the tables too. */
#if MOTE_ASSEMBLY_AVR
#define sbox mote_aes_fast_sbox
#define inverse_sbox mote_aes_fast_inverse_sbox
#define TABLE                                                     \
    extern const uint8_t MOTE_FLASH sbox[256], inverse_sbox[256]; \
    const uint8_t MOTE_FLASH
#else
#define TABLE static const uint8_t MOTE_FLASH
#endif

/*
 * On an AVR the tables begin at multiples of 256, so that the value looked up is the low byte of
 * the address.
 */
#ifdef __AVR__
#define PAGE __attribute__((aligned(256)))
#define PAGE_OF(table) ((uint8_t)((uint16_t)(table) >> 8))
#define LOOK_UP(page, value) \
    (*(const uint8_t MOTE_FLASH *)((uint16_t)((uint16_t)(page) << 8 | (uint8_t)(value))))
typedef uint8_t page;
#else
#define PAGE
#define PAGE_OF(table) (table)
#define LOOK_UP(page, value) ((page)[(uint8_t)(value)])
typedef const uint8_t MOTE_FLASH *page;
#endif

#define X(value) value
TABLE sbox[256] PAGE = {
#include "aes_sbox.inc"
};
TABLE inverse_sbox[256] PAGE = {
#include "aes_inverse_sbox.inc"
};
#undef X

#if !MOTE_ASSEMBLY_AVR

#define MIX_COLUMN(a0, a1, a2, a3)                          \
    do {                                                    \
        uint8_t first = a0;                                 \
        uint8_t sum = a0 ^ a1 ^ a2 ^ a3;                    \
        a0 ^= (uint8_t)(mote_aes_double(a0 ^ a1) ^ sum);    \
        a1 ^= (uint8_t)(mote_aes_double(a1 ^ a2) ^ sum);    \
        a2 ^= (uint8_t)(mote_aes_double(a2 ^ a3) ^ sum);    \
        a3 ^= (uint8_t)(mote_aes_double(a3 ^ first) ^ sum); \
    } while (0)

/* A product with 4 x^2 + 5 makes a following MixColumns its own inverse. */
#define MIX_COLUMN_BACK(a0, a1, a2, a3)                           \
    do {                                                          \
        uint8_t even = mote_aes_double(mote_aes_double(a0 ^ a2)); \
        uint8_t odd = mote_aes_double(mote_aes_double(a1 ^ a3));  \
        a0 ^= even;                                               \
        a2 ^= even;                                               \
        a1 ^= odd;                                                \
        a3 ^= odd;                                                \
        MIX_COLUMN(a0, a1, a2, a3);                               \
    } while (0)

#define ADD_KEY_COLUMN(a0, a1, a2, a3, key) \
    do {                                    \
        a0 ^= (key)[0];                     \
        a1 ^= (key)[1];                     \
        a2 ^= (key)[2];                     \
        a3 ^= (key)[3];                     \
    } while (0)

#define FOR_COLUMNS(what)      \
    what(a0, a1, a2, a3, 0);   \
    what(a4, a5, a6, a7, 4);   \
    what(a8, a9, a10, a11, 8); \
    what(a12, a13, a14, a15, 12)

/*
 * The first row stays, the third changes in pairs; the others go round by one place, to the left or
 * the right.
 */
#define SUBSTITUTE_ROW(b0, b1, b2, b3)    \
    do {                                  \
        uint8_t first = LOOK_UP(box, b0); \
        b0 = LOOK_UP(box, b1);            \
        b1 = LOOK_UP(box, b2);            \
        b2 = LOOK_UP(box, b3);            \
        b3 = first;                       \
    } while (0)
#define SUBSTITUTE_EVEN_ROWS()            \
    do {                                  \
        a0 = LOOK_UP(box, a0);            \
        a4 = LOOK_UP(box, a4);            \
        a8 = LOOK_UP(box, a8);            \
        a12 = LOOK_UP(box, a12);          \
        uint8_t other = LOOK_UP(box, a2); \
        a2 = LOOK_UP(box, a10);           \
        a10 = other;                      \
        other = LOOK_UP(box, a6);         \
        a6 = LOOK_UP(box, a14);           \
        a14 = other;                      \
    } while (0)

#define LOAD(b0, b1, b2, b3, i)                                         \
    uint8_t b0 = in[i], b1 = in[i + 1], b2 = in[i + 2], b3 = in[i + 3]; \
    ADD_KEY_COLUMN(b0, b1, b2, b3, key + i)
#define STORE(b0, b1, b2, b3, i)  \
    out[i] = b0 ^ key[i];         \
    out[i + 1] = b1 ^ key[i + 1]; \
    out[i + 2] = b2 ^ key[i + 2]; \
    out[i + 3] = b3 ^ key[i + 3]

void mote_aes_fast_encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const mote_aes_schedule *s = schedule;
    const uint8_t *key = s->keys;
    const page box = PAGE_OF(sbox);
    uint8_t round = s->rounds;
    FOR_COLUMNS(LOAD);
    for (;;) {
        SUBSTITUTE_EVEN_ROWS();
        SUBSTITUTE_ROW(a1, a5, a9, a13);
        SUBSTITUTE_ROW(a15, a11, a7, a3);
        key += 16;
        round--;
        if (round == 0) {
            break;
        }
#define MIX_AND_ADD(b0, b1, b2, b3, i) \
    MIX_COLUMN(b0, b1, b2, b3);        \
    ADD_KEY_COLUMN(b0, b1, b2, b3, key + i)
        FOR_COLUMNS(MIX_AND_ADD);
    }
    FOR_COLUMNS(STORE);
}

void mote_aes_fast_decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const mote_aes_schedule *s = schedule;
    const page box = PAGE_OF(inverse_sbox);
    uint8_t round = s->rounds;
    const uint8_t *key = s->keys + 16 * round;
    FOR_COLUMNS(LOAD);
    for (;;) {
        SUBSTITUTE_EVEN_ROWS();
        SUBSTITUTE_ROW(a13, a9, a5, a1);
        SUBSTITUTE_ROW(a3, a7, a11, a15);
        key -= 16;
        round--;
        if (round == 0) {
            break;
        }
#define ADD_AND_MIX(b0, b1, b2, b3, i)       \
    ADD_KEY_COLUMN(b0, b1, b2, b3, key + i); \
    MIX_COLUMN_BACK(b0, b1, b2, b3)
        FOR_COLUMNS(ADD_AND_MIX);
    }
    FOR_COLUMNS(STORE);
}

void mote_aes_fast_set_key(void *schedule, const uint8_t *key, uint8_t key_len)
{
    mote_aes_schedule *s = schedule;
    const page box = PAGE_OF(sbox);
    uint8_t words = key_len / 4;
    s->rounds = (uint8_t)(words + 6);
    uint8_t *next = s->keys;
    for (uint8_t i = key_len; i > 0; i--) {
        *next++ = *key++;
    }
    const uint8_t *before = s->keys; /* the word key_len bytes before the next */
    uint8_t a0 = next[-4], a1 = next[-3], a2 = next[-2], a3 = next[-1];
    uint8_t constant = 1;
    uint8_t position = 0; /* the next word's, in a group of key_len bytes */
    for (uint8_t left = (uint8_t)(4 * (s->rounds + 1) - words); left > 0; left--) {
        if (position == 0) {
            SUBSTITUTE_ROW(a0, a1, a2, a3);
            a0 ^= constant;
            constant = mote_aes_double(constant);
            position = words;
        } else if (position == 4 && words == 8) {
            a0 = LOOK_UP(box, a0);
            a1 = LOOK_UP(box, a1);
            a2 = LOOK_UP(box, a2);
            a3 = LOOK_UP(box, a3);
        }
        position--;
        ADD_KEY_COLUMN(a0, a1, a2, a3, before);
        before += 4;
        *next++ = a0;
        *next++ = a1;
        *next++ = a2;
        *next++ = a3;
    }
}

#endif
#endif
