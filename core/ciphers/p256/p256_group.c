/*
 * Points of P-256. Doubling is 3.21 of Guide to Elliptic Curve Cryptography (Hankerson, Menezes,
 * Vanstone) with Z halved: X, Y and Z come without the factors 4, 8 and 2. Addition is 3.22.
 */
#include "p256_group.h"

#include <stdbool.h>
#include <string.h>

enum {
    ODD = 8,      /* points of a window of four bits: 1, 3 to 15 times */
    COMBS = 4,    /* 16 bits apart */
    COLUMNS = 16, /* of each comb */
};

static const uint32_t MOTE_FLASH curve_b[8] = {
    0x29c4bddf, 0xd89cdf62, 0x78843090, 0xacf005cd, 0xf7212ed6, 0xe5a220ab, 0x04874834, 0xdc30061d};

/*
 * The combs: (2^192 + 2^128 c + 2^64 b + a) 2^(16 comb) times the base point, where a, b and c are
 * 1 where the bit of the index is 1, -1 where it is 0. Made by tools/p256_table.py.
 */
typedef struct affine_words { uint32_t x[8], y[8]; } affine_words;
static const affine_words MOTE_FLASH combs[COMBS * 8] = {
    {{0x670844e0, 0x52d8a7c9, 0xef68a29d, 0x00e33bdc, 0x4bdb7361, 0x0f3d2848, 0x91c5304d,
      0x5222c821},
     {0xdf73fc25, 0xea6d2944, 0x0255c81b, 0xa04c0f55, 0xefe488a8, 0x29acdc97, 0x80a560de,
      0xbe2e158f}},
    {{0x2b13e673, 0xfc8511ee, 0xd103ed24, 0xffc58dee, 0xea7e99b8, 0x1022523a, 0x4afc8a17,
      0x8f43ea39},
     {0xc5f33d0b, 0x8f4e2dbc, 0xd0aa1681, 0x3bc099fa, 0x79ff9df1, 0xffbb7b41, 0xd58b57c4,
      0x180de09d}},
    {{0x8bd1cda5, 0x56430752, 0x8e05eda5, 0x1807577f, 0x956896e9, 0x099c699b, 0xf1f0efb5,
      0x83d6093d},
     {0xed97061c, 0xef5af17e, 0x030d4c3c, 0x35b977b8, 0x49229439, 0x81fa75a2, 0xa0b6d35d,
      0xf5a22070}},
    {{0x74f81cf1, 0x814c5365, 0x0120065b, 0xe30baff7, 0x15132621, 0x80ae1256, 0x36a80788,
      0x16d2b8cb},
     {0xecc50bca, 0x33d14697, 0x17aedd21, 0x19a9dfb0, 0xedc3f766, 0x523fbcc7, 0xb2cf5afd,
      0x9c4de6dd}},
    {{0xcf0d9f6d, 0x5305a9e6, 0x81a9b021, 0x5839172f, 0x75c687cf, 0xcca7a4dd, 0x844be22f,
      0x36d59b3e},
     {0x111a53e9, 0xcace7e62, 0xf063f3a1, 0x91c843d4, 0x0da812da, 0xbf77e5f0, 0x437f3176,
      0x0e64af9c}},
    {{0xcf07517d, 0xdbd568bb, 0xba6830b9, 0x2f1afba2, 0xe6c4c2a6, 0x15b6807c, 0xe4966aef,
      0x91c7eabc},
     {0xd6b2b6e6, 0x716dea1b, 0x19f85b4b, 0x248c43d1, 0x4a315e2a, 0x16dcfd60, 0xc72b3d0b,
      0x15fdd303}},
    {{0x42b7dfd5, 0xe40bf9f4, 0x2d934f2a, 0x673689f3, 0x30a6f50b, 0x8314beb4, 0x976ec64e,
      0xd17af2bc},
     {0x1ee7ddf1, 0x39f66c4f, 0x68ea373c, 0x7f68e18b, 0x53d0b186, 0x5166c1f2, 0x7be58f14,
      0x95dda601}},
    {{0x42913074, 0x0d5ae356, 0x48a542b1, 0x55491b27, 0xb310732a, 0x469ca665, 0x5f1a4cc1,
      0x29591d52},
     {0xb84f983f, 0xe76f5b6b, 0x9f5f84e1, 0xbe7eef41, 0x80baa189, 0x1200d496, 0x18ef332c,
      0x6376551f}},
    {{0xa0cf2a60, 0x716a131b, 0xd73e9f7f, 0xc4b28b8f, 0xecda039b, 0x9d701e9f, 0x113be564,
      0x5a53bce0},
     {0x2c6a1a74, 0x81d8e13c, 0x5fab4ded, 0x20ad3176, 0xbe1f317f, 0xd2dfdd9e, 0x3f203408,
      0x72c479ae}},
    {{0xa271449a, 0x061e8041, 0xbee25a60, 0x90debebd, 0x980a84c2, 0x43879d6e, 0x120732a4,
      0x474895c9},
     {0x6f733bd9, 0x93866f31, 0x98d57052, 0x0ae4fe2a, 0x45c3a453, 0x37c4c754, 0x885fd2c7,
      0x55be778c}},
    {{0x21e72751, 0xa95fa0a9, 0x5fb0f501, 0x1a21825b, 0x24a58594, 0xd62d8de4, 0x5c5426b6,
      0xd328e53a},
     {0xa6d77759, 0xd29204e6, 0x70f63559, 0x58202b29, 0x1a588728, 0x5cb70874, 0x93835d5a,
      0x7a291685}},
    {{0x7206cfa7, 0xf46e58c1, 0xacc7943a, 0x48019f8f, 0x7c51adc3, 0x72c32bd5, 0xeb447ce7,
      0x12337f5f},
     {0xe140d79e, 0x74cf7363, 0xcb11ecbd, 0x2798fc68, 0x56a57c37, 0xf1a1fd5d, 0xfd25e4a2,
      0x0cc2ac48}},
    {{0xc7ef418d, 0xecd440ee, 0x8b0db916, 0x40c31176, 0x45fa643d, 0x6a16c028, 0x088da48a,
      0xe845e7ce},
     {0x2b9c8597, 0x746270a2, 0x7d9bcca0, 0x7243751e, 0xf9f1af57, 0x6eba4e1f, 0x6e4f3702,
      0x27ac551e}},
    {{0xd6ae07b0, 0xf7f7a33b, 0xa71f4ba0, 0xd2973a8c, 0x775dad7a, 0x945e2405, 0x28799154,
      0x836c634c},
     {0xd542f1f9, 0xbbe69c99, 0x5942e376, 0xd5520207, 0x48e3beb0, 0x298d5693, 0x946e17fd,
      0x41c8be29}},
    {{0x1145f5e1, 0xbfcb9497, 0x0b15fb95, 0x482b3b45, 0x54165ca2, 0x1b8d3b1f, 0x6e4906cb,
      0xb4ddb9e5},
     {0x7eed1f05, 0xf4e2c211, 0xf08cc5d0, 0xc6f02cb7, 0x76dcdeb8, 0xe80620bf, 0x9578cc66,
      0x1a6484c9}},
    {{0x0fea91e5, 0x85ff4f35, 0xaf91bda6, 0x32954682, 0x8eeaafca, 0xfe1f173d, 0x2da4161b,
      0x5badab63},
     {0xbf84e659, 0x2107bc51, 0xad86caa0, 0xf4368698, 0x6e9fbe0e, 0x84ad8cf4, 0xb45a2551,
      0xf7f134ad}},
    {{0x7c4e54f5, 0xb9e5cbc0, 0xe1410e34, 0xc53a1a17, 0xec454425, 0x3e199130, 0x1700902e,
      0xb029c97e},
     {0x786423b6, 0x2de66e11, 0xb41a95be, 0x262dc914, 0x0451b683, 0x51766abd, 0x85bb6fb1,
      0x55ad5f34}},
    {{0x9066cb79, 0x074f4f1c, 0x30c8b94e, 0x1ab31bd6, 0xd74275b3, 0x6d3f012f, 0x9ddcce40,
      0xa214d0b1},
     {0xd165050a, 0x24aedf74, 0xe0e5dc3e, 0x95f17ece, 0xd9224456, 0x6ada9cda, 0x2dd60eea,
      0x1fadb2d1}},
    {{0xe20cfb9b, 0xa3d83091, 0xba76e0cb, 0xae79c975, 0xc8858a6e, 0xa5f2a588, 0x874a3168,
      0xe897a5f4},
     {0x7d48f096, 0xf6c1ef40, 0xc35b132c, 0x1f9c516b, 0x53c479fd, 0xe1040f91, 0x9df06743,
      0x060e881f}},
    {{0x52a90e51, 0x09e0ad72, 0x38c50a96, 0xb7e66ea3, 0x7d997770, 0xab32ad05, 0x445671cb,
      0x0ceaffe2},
     {0x5d37cc99, 0xdfbe753c, 0xe0fea2d5, 0x95d068cc, 0x4dd77cb6, 0x1e37cdda, 0x55530688,
      0x88c5a4bb}},
    {{0x0c7744f1, 0x3413f033, 0xbc816702, 0x23c05c89, 0x1192b5ac, 0x2322ee9a, 0x373180bb,
      0x0c1636a0},
     {0xbdde0207, 0x0fe2f3d4, 0xc23578d8, 0x0e1a093a, 0x0c888ead, 0x06e5f0d1, 0x52a2b660,
      0x9ca285a5}},
    {{0xce923964, 0xdae76995, 0xa34c7993, 0xcc96493a, 0xea73d9e7, 0xd19b5144, 0x311e6e34,
      0x04a5c263},
     {0xd9a2a443, 0x7db5b32b, 0x2cfd960c, 0x3754bd33, 0x0a430f15, 0x0c5bcc98, 0xd9a94574,
      0x5651201f}},
    {{0xfc0418fe, 0xebdd8921, 0x34e20036, 0x37015b39, 0xdf03a353, 0xcf4fcd8f, 0xf12cab16,
      0xdc2de6e1},
     {0xd071df14, 0x9c17cc1a, 0x63415530, 0xd7c5e6a3, 0x68f3fb1e, 0xb5301660, 0x18269301,
      0xb5f70bc9}},
    {{0x79ec1a0f, 0x2d8daefd, 0xceb39c97, 0x3bbcd6fd, 0x58f61a95, 0xf5575ffc, 0xadf7b420,
      0xdbd986c4},
     {0x15f39eb7, 0x81aa8814, 0xb98d976c, 0x6ee2fcf5, 0xcf2f717d, 0x5465475d, 0x6860bbd0,
      0x8e24d3c4}},
    {{0x74b3b2b5, 0x349d63fe, 0xe3643fda, 0x0455ffff, 0xb5554b65, 0x13078808, 0x7aef08a2,
      0x70617828},
     {0x4b19cb81, 0xba122484, 0x9ec65bb4, 0xa14d037b, 0x3e95e388, 0x5b48ef68, 0xa9b3ec25,
      0x8b773836}},
    {{0x2fe5b0c0, 0xfb69ea68, 0x28ae8ead, 0x11411e27, 0x22a17fa4, 0x46f7861a, 0x8e0a2b46,
      0x2d46e989},
     {0x9e09f032, 0x477da4c2, 0xfc369acd, 0x3ba21660, 0x7b689343, 0xc8699cc6, 0x0894efff,
      0x603f8177}},
    {{0x9a053ae6, 0x6d94d5b3, 0xb34174e5, 0x2ef99da1, 0x1cd3c6a5, 0xf23d766a, 0xc3bfc938,
      0xc0a94b4a},
     {0x7527a76d, 0x2cf2038e, 0xf82ecb1a, 0x114f7164, 0xf8cdfcf5, 0x1c74af3b, 0x314d984d,
      0x10295c08}},
    {{0xd6d17ebf, 0xbe0dee24, 0x4b22a7f7, 0x745c4ca7, 0x692980d4, 0x5e2bda17, 0xa522844e,
      0xdc04a3fa},
     {0xe72fd0cd, 0x960d7da9, 0x4c79a612, 0xca50bb85, 0xa34c6590, 0x4e75e17c, 0xbd21d868,
      0xda0a7bbf}},
    {{0xa32a3534, 0xaa0e7e8e, 0xeee98ca9, 0x35989737, 0x2b24fb98, 0x3e6b5744, 0x1c036833,
      0x4171b92a},
     {0x04ce6029, 0x24ceea75, 0x247378cf, 0x2f9288d8, 0x76738cf7, 0xff809156, 0x7a393c21,
      0xd4cea73c}},
    {{0x8f7afb46, 0xa33282e2, 0xae457ee9, 0x81410b2c, 0xb94f9def, 0xb23d45cb, 0xb0426903,
      0x03d1533e},
     {0x26071972, 0x539c2d8f, 0x9c939f4f, 0xd993ee4f, 0x9598d171, 0x309bfae0, 0xb4379e17,
      0x509a4fc9}},
    {{0x35b74ec6, 0x52d6dcc5, 0x52ceaf16, 0x2b6ff7c9, 0x2f906ed7, 0x5343f995, 0x3e298b6a,
      0x3ea6bab0},
     {0x5b08aa26, 0x9be35ac2, 0x6d8b0592, 0x1307a29b, 0xed88f422, 0x09f4c192, 0xa3fe4249,
      0x8877e81f}},
    {{0x32237e81, 0x8de08805, 0x874dfaee, 0xf43684ec, 0x88bef633, 0xfdba26b9, 0x5d2a9c91,
      0xac299404},
     {0xa96659e1, 0xeea6a5a0, 0xd25ec31a, 0xe74a555d, 0xd7d5a482, 0x8663b8f1, 0x1b5845e4,
      0x50b490d7}},
};

static const affine_words MOTE_FLASH base = {
    {0x18a9143c, 0x79e730d4, 0x5fedb601, 0x75ba95fc, 0x77622510, 0x79fb732b, 0xa53755c6,
     0x18905f76},
    {0xce95560a, 0xddf25357, 0xba19e45c, 0x8b4ab8e4, 0xdd21f325, 0xd2e88688, 0x25885d85,
     0x8571ff18}};

/* Words, which memcpy of small libraries copies byte by byte. */
static inline void copy(uint32_t *r, const uint32_t *a, uint8_t words)
{
    while (words-- > 0)
        *r++ = *a++;
}

static void set_one(uint32_t r[8])
{
    for (uint8_t i = 0; i < 8; i++)
        r[i] = mote_p256_one[i];
}

void mote_p256_curve(uint32_t r[8], const uint32_t x[8])
{
    uint32_t t[8], b[8];
    for (uint8_t i = 0; i < 8; i++)
        b[i] = curve_b[i];
    mote_p256_square(t, x);
    mote_p256_multiply(t, t, x);
    for (uint8_t i = 0; i < 3; i++)
        mote_p256_subtract(t, t, x);
    mote_p256_add(r, t, b);
}

uint32_t mote_p256_on_curve(const mote_p256_affine *a)
{
    uint32_t right[8], left[8];
    mote_p256_curve(right, a->x);
    mote_p256_square(left, a->y);
    mote_p256_subtract(left, left, right);
    return mote_p256_is_zero(left);
}

#if !MOTE_P256_ASSEMBLY
void mote_p256_double(mote_p256_jacobian *r, const mote_p256_jacobian *a)
{
    uint32_t slope[8], t[8], u[8];
    mote_p256_square(t, a->z);
    mote_p256_subtract(u, a->x, t);
    mote_p256_add(t, a->x, t);
    mote_p256_multiply(t, t, u);
    mote_p256_halve(slope, t);
    mote_p256_add(slope, slope, t); /* 3 (X - Z^2) (X + Z^2) / 2 */
    mote_p256_multiply(r->z, a->y, a->z);
    mote_p256_square(t, a->y);
    mote_p256_multiply(u, a->x, t); /* X Y^2 */
    mote_p256_square(t, t);         /* Y^4 */
    mote_p256_square(r->x, slope);
    mote_p256_subtract(r->x, r->x, u);
    mote_p256_subtract(r->x, r->x, u);
    mote_p256_subtract(u, u, r->x);
    mote_p256_multiply(u, u, slope);
    mote_p256_subtract(r->y, u, t);
}

void mote_p256_finish_addition(mote_p256_jacobian *r, uint32_t x[8], uint32_t y[8])
{
    uint32_t square[8], cube[8];
    mote_p256_subtract(x, x, r->x);
    mote_p256_subtract(y, y, r->y);
    mote_p256_multiply(r->z, r->z, x);
    mote_p256_square(square, x);
    mote_p256_multiply(cube, square, x);
    mote_p256_multiply(square, square, r->x);
    mote_p256_multiply(r->y, r->y, cube);
    mote_p256_square(r->x, y);
    mote_p256_subtract(r->x, r->x, cube);
    mote_p256_subtract(r->x, r->x, square);
    mote_p256_subtract(r->x, r->x, square);
    mote_p256_subtract(square, square, r->x);
    mote_p256_multiply(cube, square, y);
    mote_p256_subtract(r->y, cube, r->y);
}
#endif

/* r = r + a; of equal or opposite points Z becomes 0. */
static void add_affine(mote_p256_jacobian *r, const mote_p256_affine *a)
{
    uint32_t x[8], y[8];
    mote_p256_square(x, r->z);
    mote_p256_multiply(y, x, r->z);
    mote_p256_multiply(x, x, a->x);
    mote_p256_multiply(y, y, a->y);
    mote_p256_finish_addition(r, x, y);
}

/* What mote_p256_finish_addition wants of r + a, where a_y is y of a or of its negative. */
static void differences(mote_p256_jacobian *r, const mote_p256_addend *a, const uint32_t a_y[8],
                        uint32_t x[8], uint32_t y[8])
{
    mote_p256_square(x, r->z);
    mote_p256_multiply(y, x, r->z);
    mote_p256_multiply(x, x, a->point.x);
    mote_p256_multiply(y, y, a_y);
    mote_p256_multiply(r->x, r->x, a->zz);
    mote_p256_multiply(r->y, r->y, a->zzz);
    mote_p256_multiply(r->z, r->z, a->point.z);
}

static void make_addend(mote_p256_addend *r, const mote_p256_jacobian *a)
{
    r->point = *a;
    mote_p256_square(r->zz, a->z);
    mote_p256_multiply(r->zzz, r->zz, a->z);
}

/* The odd multiples of a point, up to 15. */
static void make_odd(mote_p256_addend odd[ODD], const mote_p256_affine *a)
{
    mote_p256_jacobian sum;
    mote_p256_addend twice;
    uint32_t x[8], y[8];
    copy(sum.x, a->x, 8);
    copy(sum.y, a->y, 8);
    set_one(sum.z);
    odd[0].point = sum;
    set_one(odd[0].zz);
    set_one(odd[0].zzz);
    mote_p256_double(&sum, &sum);
    make_addend(&twice, &sum);
    sum = odd[0].point;
    for (uint8_t i = 1; i < ODD; i++) {
        differences(&sum, &twice, twice.point.y, x, y);
        mote_p256_finish_addition(&sum, x, y);
        make_addend(&odd[i], &sum);
    }
}

/* r = table[index] of ODD entries of `words` words; all are read. */
#define LOOK_UP(name, space)                                                                  \
    static void name(uint32_t *r, const uint32_t space *table, uint8_t words, uint8_t index)  \
    {                                                                                         \
        memset(r, 0, words * sizeof *r);                                                      \
        for (uint8_t i = 0; i < ODD; i++, table += words) {                                   \
            const uint32_t mask = 0 - ((((uint32_t)i ^ index) - 1) >> 31); /* if i = index */ \
            for (uint8_t k = 0; k < words; k++)                                               \
                r[k] |= table[k] & mask;                                                      \
        }                                                                                     \
    }

#if MOTE_P256_ASSEMBLY
#define look_up mote_p256_look_up
#define look_up_comb mote_p256_look_up
#else
LOOK_UP(look_up, )
#ifdef __AVR__
LOOK_UP(look_up_comb, MOTE_FLASH)
#else
#define look_up_comb look_up
#endif
#endif

/* Bits of half of an odd scalar: 4 from 4 i on. */
static uint8_t nibble(const uint32_t a[8], uint8_t i)
{
    return a[i / 8] >> i % 8 * 4 & 15;
}

/*
 * Half of k or of n - k, whichever is odd, without the lowest bit, that is known. All ones if it is
 * n - k. Every digit of an odd number may be odd, so that there is nothing to leave out.
 */
static uint32_t make_odd_scalar(uint32_t half[8], const uint32_t k[8])
{
    const uint32_t even = (k[0] & 1) - 1;
    mote_p256_scalar_negate(half, k);
    mote_p256_select(half, k, ~even);
    for (uint8_t i = 0; i < 7; i++)
        half[i] = half[i] >> 1 | half[i + 1] << 31;
    half[7] >>= 1;
    return even;
}

/* r = 16 r + (2 bits - 15) a; `odd` has the odd multiples of a. */
static void add_digit(mote_p256_jacobian *r, const mote_p256_addend odd[ODD], uint8_t bits,
                      bool last)
{
    const uint32_t negative = (uint32_t)(bits >> 3) - 1;
    mote_p256_addend addend;
    mote_p256_jacobian twice;
    uint32_t x[8], y[8];
    look_up(addend.point.x, odd[0].point.x, sizeof addend / 4, (uint8_t)(bits ^ negative) & 7);
    mote_p256_negate_if(addend.point.y, negative);
    for (uint8_t i = 0; i < 4; i++)
        mote_p256_double(r, r);
    /* 16 (n - 1) / 16 and -1 are the same: n - 2 doubles at its last digit, and nothing else does. */
    if (last)
        mote_p256_double(&twice, &addend.point);
    differences(r, &addend, addend.point.y, x, y);
    mote_p256_finish_addition(r, x, y);
    if (last) {
        const uint32_t same = mote_p256_is_zero(x) & mote_p256_is_zero(y);
        mote_p256_select(r->x, twice.x, same);
        mote_p256_select(r->y, twice.y, same);
        mote_p256_select(r->z, twice.z, same);
    }
}

void mote_p256_times(mote_p256_jacobian *r, const uint32_t k[8], const mote_p256_affine *a)
{
    mote_p256_addend odd[ODD], first;
    uint32_t half[8];
    const uint32_t negative = make_odd_scalar(half, k);
    make_odd(odd, a);
    look_up(first.point.x, odd[0].point.x, sizeof first / 4, nibble(half, 63));
    *r = first.point;
    for (uint8_t i = 63; i-- > 0;)
        add_digit(r, odd, nibble(half, i), i == 0);
    mote_p256_negate_if(r->y, negative);
}

/*
 * Which point of a comb the bits `at`, and 64, 128 and 192 bits further, take, -1 where a bit is 0;
 * all ones if it is its negative.
 */
static uint8_t comb_index(const uint32_t half[8], uint8_t at, uint32_t *negative)
{
    const uint32_t *word = half + at / 32;
    const uint8_t shift = at % 32;
    const uint32_t bits =
        (word[0] >> shift & 1) | (word[2] >> shift & 1) << 1 | (word[4] >> shift & 1) << 2;
    *negative = (word[6] >> shift & 1) - 1;
    return (uint8_t)((bits ^ *negative) & 7);
}

static void take_comb(mote_p256_affine *r, const uint32_t half[8], uint8_t comb, uint8_t column)
{
    uint32_t negative;
    const uint8_t index = comb_index(half, (uint8_t)(comb * COLUMNS + column), &negative);
    look_up_comb(r->x, combs[comb * 8].x, 16, index);
    mote_p256_negate_if(r->y, negative);
}

void mote_p256_base_times(mote_p256_jacobian *r, const uint32_t k[8])
{
    mote_p256_affine addend;
    uint32_t half[8];
    const uint32_t negative = make_odd_scalar(half, k);
    half[7] |= 0x80000000; /* k = 2 half - (2^256 - 1): every bit is 1 or -1 */
    for (uint8_t column = COLUMNS; column-- > 0;) {
        if (column != COLUMNS - 1)
            mote_p256_double(r, r);
        for (uint8_t comb = COMBS; comb-- > 0;) {
            take_comb(&addend, half, comb, column);
            if (column == COLUMNS - 1 && comb == COMBS - 1) {
                copy(r->x, addend.x, 8);
                copy(r->y, addend.y, 8);
                set_one(r->z);
            } else {
                add_affine(r, &addend);
            }
        }
    }
    mote_p256_negate_if(r->y, negative);
    if (mote_p256_is_zero(r->z)) { /* equal or opposite points in the last column */
        for (uint8_t i = 0; i < 8; i++) {
            addend.x[i] = base.x[i];
            addend.y[i] = base.y[i];
        }
        mote_p256_times(r, k, &addend);
    }
}

/* r = a, or its negative with that y. */
static void set_point(mote_p256_jacobian *r, const mote_p256_jacobian *a, const uint32_t a_y[8])
{
    copy(r->x, a->x, 8);
    copy(r->y, a_y, 8);
    copy(r->z, a->z, 8);
}

/* r = r + a, any points, in a time that depends on them; a_y as of `differences`. */
static void add_any(mote_p256_jacobian *r, const mote_p256_addend *a, const uint32_t a_y[8])
{
    uint32_t x[8], y[8];
    if (mote_p256_is_zero(r->z)) {
        set_point(r, &a->point, a_y);
        return;
    }
    differences(r, a, a_y, x, y);
    mote_p256_finish_addition(r, x, y);
    if (mote_p256_is_zero(x) && mote_p256_is_zero(y)) {
        set_point(r, &a->point, a_y);
        mote_p256_double(r, r);
    }
}

/* The same of a point of a comb. */
static void add_any_affine(mote_p256_jacobian *r, const mote_p256_affine *a)
{
    mote_p256_addend addend;
    mote_p256_jacobian before;
    set_point(&before, r, r->y);
    if (!mote_p256_is_zero(r->z))
        add_affine(r, a);
    if (mote_p256_is_zero(
            r->z)) { /* equal or opposite: once in 2^256 times; or r was at infinity */
        copy(addend.point.x, a->x, 8);
        set_one(addend.point.z);
        set_one(addend.zz);
        set_one(addend.zzz);
        *r = before;
        add_any(r, &addend, a->y);
    }
}

/* Digits of k, 0 or odd from -15 to 15, of which at most one in five is not 0. */
static void make_naf(int8_t digits[257], const uint32_t k[8])
{
    uint8_t carry = 0;
    memset(digits, 0, 257);
    for (uint16_t i = 0; i < 257;) {
        const uint8_t word = (uint8_t)(i / 32), shift = (uint8_t)(i % 32);
        uint32_t bits = i < 256 ? k[word] >> shift : 0;
        if (shift > 27 && word < 7)
            bits |= k[word + 1] << (32 - shift);
        if ((bits & 1) == carry) {
            i++;
            continue;
        }
        bits = (bits & 31) + carry;
        carry = (uint8_t)(bits >> 4 & 1);
        digits[i] = (int8_t)((int8_t)bits - (int8_t)(carry << 5));
        i = (uint16_t)(i + 5);
    }
}

static void add_naf_digit(mote_p256_jacobian *r, const mote_p256_addend odd[ODD], int8_t digit)
{
    const mote_p256_addend *addend = &odd[(digit < 0 ? -digit : digit) / 2];
    uint32_t y[8];
    copy(y, addend->point.y, 8);
    mote_p256_negate_if(y, digit < 0 ? 0xffffffff : 0);
    add_any(r, addend, y);
}

static void add_column(mote_p256_jacobian *r, const uint32_t half[8], uint8_t column,
                       uint32_t opposite)
{
    mote_p256_affine addend;
    uint32_t negative;
    for (uint8_t comb = 0; comb < COMBS; comb++) {
        const uint8_t index = comb_index(half, (uint8_t)(comb * COLUMNS + column), &negative);
        const affine_words MOTE_FLASH *point = &combs[comb * 8 + index];
        for (uint8_t i = 0; i < 8; i++) {
            addend.x[i] = point->x[i];
            addend.y[i] = point->y[i];
        }
        mote_p256_negate_if(addend.y, negative ^ opposite);
        add_any_affine(r, &addend);
    }
}

void mote_p256_combine(mote_p256_jacobian *r, const uint32_t u[8], const uint32_t v[8],
                       const mote_p256_affine *a)
{
    mote_p256_addend odd[ODD];
    int8_t digits[257];
    uint32_t half[8];
    const bool base = !mote_p256_is_zero(u);
    const uint32_t opposite = make_odd_scalar(half, u);
    half[7] |= 0x80000000;
    make_odd(odd, a);
    make_naf(digits, v);
    memset(r, 0, sizeof *r);
    bool empty = true;
    for (uint16_t i = 257; i-- > 0;) {
        if (!empty)
            mote_p256_double(r, r);
        if (digits[i] != 0)
            add_naf_digit(r, odd, digits[i]);
        if (base && i < COLUMNS)
            add_column(r, half, (uint8_t)i, opposite);
        empty = empty && mote_p256_is_zero(r->z);
    }
}

void mote_p256_to_affine(mote_p256_affine *r, const mote_p256_jacobian *a)
{
    uint32_t inverse[8], square[8];
    mote_p256_invert(inverse, a->z);
    mote_p256_square(square, inverse);
    mote_p256_multiply(r->x, a->x, square);
    mote_p256_multiply(square, square, inverse);
    mote_p256_multiply(r->y, a->y, square);
}
