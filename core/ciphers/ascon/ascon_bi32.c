/*
 * Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, on words of 32 bits.
 *
 * NIST SP 800-232 (not Ascon v1.2: words are little-endian, initial values differ). The even bits
 * of each 64-bit word are in one 32-bit word, the odd bits in another, so that a rotation of 64
 * bits is two of 32; words are taken apart when bytes go in, and put together when they come out.
 * No tables but 12 bytes of constants. Time and memory addresses do not depend on secrets.
 *
 * On a Cortex-M0+ ascon.c is the faster one: compilers turn 64 bits in six instructions there.
 */
#include "mote/bytes.h"
#include "mote/flash.h"

typedef struct ascon_state { uint32_t even[5], odd[5]; } ascon_state;

/* One half of the S-box layer (SP 800-232, section 3.3): all even bits, or all odd ones. */
static void substitute(uint32_t x[5], uint8_t constant)
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], t0, t1;
    x2 ^= constant;
    x0 ^= x4;
    x4 ^= x3;
    x2 ^= x1;
    t0 = x0;
    t1 = x1;
    x0 ^= ~x1 & x2;
    x1 ^= ~x2 & x3;
    x2 ^= ~x3 & x4;
    x3 ^= ~x4 & t0;
    x4 ^= ~t0 & t1;
    x[1] = x1 ^ x0;
    x[0] = x0 ^ x4;
    x[3] = x3 ^ x2;
    x[2] = ~x2;
    x[4] = x4;
}

/*
 * Of a word turned right by 2n bits the even ones are e turned by n, the odd ones o turned by n; by
 * 2n + 1 bits the even ones are o turned by n, the odd ones e turned by n + 1.
 */
static void permute(ascon_state *x, uint8_t rounds)
{
    /* Even bits of the round constants in the lower four bits, odd ones in the upper. */
    static const uint8_t MOTE_FLASH constants[12] = {
        0xcc, 0xc9, 0x9c, 0x99, 0xc6, 0xc3, 0x96, 0x93, 0x6c, 0x69, 0x3c, 0x39,
    };
    uint8_t i;
    for (i = (uint8_t)(12 - rounds); i < 12; i++) {
        uint32_t e, o;
        substitute(x->even, constants[i] & 0x0f);
        substitute(x->odd, constants[i] >> 4);
        e = x->even[0];
        o = x->odd[0];
        x->even[0] = e ^ mote_rotr32(o, 9) ^ mote_rotr32(e, 14);
        x->odd[0] = o ^ mote_rotr32(e, 10) ^ mote_rotr32(o, 14);
        e = x->even[1];
        o = x->odd[1];
        x->even[1] = e ^ mote_rotr32(o, 30) ^ mote_rotr32(o, 19);
        x->odd[1] = o ^ mote_rotr32(e, 31) ^ mote_rotr32(e, 20);
        e = x->even[2];
        o = x->odd[2];
        x->even[2] = e ^ o ^ mote_rotr32(e, 3);
        x->odd[2] = o ^ mote_rotr32(e, 1) ^ mote_rotr32(o, 3);
        e = x->even[3];
        o = x->odd[3];
        x->even[3] = e ^ mote_rotr32(e, 5) ^ mote_rotr32(o, 8);
        x->odd[3] = o ^ mote_rotr32(o, 5) ^ mote_rotr32(e, 9);
        e = x->even[4];
        o = x->odd[4];
        x->even[4] = e ^ mote_rotr32(o, 3) ^ mote_rotr32(o, 20);
        x->odd[4] = o ^ mote_rotr32(e, 4) ^ mote_rotr32(e, 21);
    }
}

/* The bits under the mask change places with those n places higher. */
static inline uint32_t exchange(uint32_t v, uint8_t n, uint32_t mask)
{
    const uint32_t t = (v ^ v >> n) & mask;
    return v ^ t ^ t << n;
}

/* Even bits to the lower half, odd ones to the upper; and back. */
static uint32_t apart(uint32_t v)
{
    v = exchange(v, 1, UINT32_C(0x22222222));
    v = exchange(v, 2, UINT32_C(0x0c0c0c0c));
    v = exchange(v, 4, UINT32_C(0x00f000f0));
    return exchange(v, 8, UINT32_C(0x0000ff00));
}

static uint32_t together(uint32_t v)
{
    v = exchange(v, 8, UINT32_C(0x0000ff00));
    v = exchange(v, 4, UINT32_C(0x00f000f0));
    v = exchange(v, 2, UINT32_C(0x0c0c0c0c));
    return exchange(v, 1, UINT32_C(0x22222222));
}

static void interleave(const uint8_t b[8], uint32_t *even, uint32_t *odd)
{
    const uint32_t low = apart(mote_load32le(b)), high = apart(mote_load32le(b + 4));
    *even = (low & 0xffff) | high << 16;
    *odd = low >> 16 | (high & UINT32_C(0xffff0000));
}

static void release(uint32_t even, uint32_t odd, uint8_t b[8])
{
    mote_store32le(b, together((even & 0xffff) | odd << 16));
    mote_store32le(b + 4, together(even >> 16 | (odd & UINT32_C(0xffff0000))));
}

static void absorb(ascon_state *x, uint8_t word, const uint8_t b[8])
{
    uint32_t even, odd;
    interleave(b, &even, &odd);
    x->even[word] ^= even;
    x->odd[word] ^= odd;
}

static void squeeze(const ascon_state *x, uint8_t word, uint8_t b[8])
{
    release(x->even[word], x->odd[word], b);
}

static void crypt_word(ascon_state *x, uint8_t word, const uint8_t in[8], uint8_t out[8],
                       uint8_t decrypting)
{
    uint32_t even, odd;
    interleave(in, &even, &odd);
    x->even[word] ^= even;
    x->odd[word] ^= odd;
    squeeze(x, word, out);
    if (decrypting) {
        x->even[word] = even;
        x->odd[word] = odd;
    }
}

#include "ascon_modes.h"

MOTE_IMPLEMENTATION(ascon_bi32) = {
    .name = "ascon-bi32", MOTE_AEADS(aeads), MOTE_HASHES(hashes), .constant_time = 1};
