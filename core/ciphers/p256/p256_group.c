/*
 * Points of P-256. Doubling is 3.21 of Guide to Elliptic Curve Cryptography (Hankerson, Menezes,
 * Vanstone) with Z halved: X, Y and Z come without the factors 4, 8 and 2. Addition is 3.22.
 */
#include "p256_group.h"

#include <stdbool.h>
#include <string.h>

#include "mote/public.h"

enum {
    ODD = 8, /* points of a window of four bits: 1, 3 to 15 times */
    BASE_ODD = 16,
    COMBS = 4,    /* 16 bits apart */
    COLUMNS = 16, /* of each comb */
};

static const uint32_t MOTE_FLASH curve_b[8] = {
    0x29c4bddf, 0xd89cdf62, 0x78843090, 0xacf005cd, 0xf7212ed6, 0xe5a220ab, 0x04874834, 0xdc30061d};

/*
 * The combs: (2^192 + 2^128 c + 2^64 b + a) 2^(16 comb) times the base point, where a, b and c are
 * 1 where the bit of the index is 1, -1 where it is 0. Made by tools/p256_table.py.
 */
static const mote_p256_affine MOTE_FLASH combs[COMBS * 8] = {
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

/* The odd multiples of the base point, from 1 to 31 times. */
static const mote_p256_affine MOTE_FLASH base_odd[BASE_ODD] = {
    {{0x18a9143c, 0x79e730d4, 0x5fedb601, 0x75ba95fc, 0x77622510, 0x79fb732b, 0xa53755c6,
      0x18905f76},
     {0xce95560a, 0xddf25357, 0xba19e45c, 0x8b4ab8e4, 0xdd21f325, 0xd2e88688, 0x25885d85,
      0x8571ff18}},
    {{0x4eebc127, 0xffac3f90, 0x087d81fb, 0xb027f84a, 0x87cbbc98, 0x66ad77dd, 0xb6ff747e,
      0x26936a3f},
     {0xc983a7eb, 0xb04c5c1f, 0x0861fe1a, 0x583e47ad, 0x1a2ee98e, 0x78820831, 0xe587cc07,
      0xd5f06a29}},
    {{0xc45c61f5, 0xbe1b8aae, 0x94b9537d, 0x90ec649a, 0xd076c20c, 0x941cb5aa, 0x890523c8,
      0xc9079605},
     {0xe7ba4f10, 0xeb309b4a, 0xe5eb882b, 0x73c568ef, 0x7e7a1f68, 0x3540a987, 0x2dd1e916,
      0x73a076bb}},
    {{0xa0173b4f, 0x0746354e, 0xd23c00f7, 0x2bd20213, 0x0c23bb08, 0xf43eaab5, 0xc3123e03,
      0x13ba5119},
     {0x3f5b9d4d, 0x2847d030, 0x5da67bdd, 0x6742f2f2, 0x77c94195, 0xef933bdc, 0x6e240867,
      0xeaedd915}},
    {{0x264e20e8, 0x75c96e8f, 0x59a7a841, 0xabe6bfed, 0x44c8eb00, 0x2cc09c04, 0xf0c4e16b,
      0xe05b3080},
     {0xa45f3314, 0x1eb7777a, 0xce5d45e3, 0x56af7bed, 0x88b12f1a, 0x2b6e019a, 0xfd835f9b,
      0x086659cd}},
    {{0x6245e404, 0xea7d260a, 0x6e7fdfe0, 0x9de40795, 0x8dac1ab5, 0x1ff3a415, 0x649c9073,
      0x3e7090f1},
     {0x2b944e88, 0x1a768561, 0xe57f61c8, 0x250f939e, 0x1ead643d, 0x0c0daa89, 0xe125b88e,
      0x68930023}},
    {{0x4b2ed709, 0xccc42563, 0x856fd30d, 0x0e356769, 0x559e9811, 0xbcbcd43f, 0x5395b759,
      0x738477ac},
     {0xc00ee17f, 0x35752b90, 0x742ed2e3, 0x68748390, 0xbd1f5bc1, 0x7cd06422, 0xc9e7b797,
      0xfbc08769}},
    {{0xbc60055b, 0x72bcd8b7, 0x56e27e4b, 0x03cc23ee, 0xe4819370, 0xee337424, 0x0ad3da09,
      0xe2aa0e43},
     {0x6383c45d, 0x40b8524f, 0x42a41b25, 0xd7663554, 0x778a4797, 0x64efa6de, 0x7079adf4,
      0x2042170a}},
    {{0xd53c5c9d, 0x97091dcb, 0xac0a177b, 0xf17624b6, 0x2cfe2dff, 0xb0f13975, 0x6c7a574e,
      0xc1a35c0a},
     {0x93e79987, 0x227d3146, 0xe89cb80e, 0x0575bf30, 0x0d1883bb, 0x2f4e247f, 0x3274c3d0,
      0xebd51226}},
    {{0xa5659ae8, 0xfea912ba, 0x25e1a16e, 0x68363aba, 0x752c41ac, 0xb8842277, 0x2897c3fc,
      0xfe545c28},
     {0xdc4c696b, 0x2d36e9e7, 0xfba977c5, 0x5806244a, 0xe39508c1, 0x85665e9b, 0x6d12597b,
      0xf720ee25}},
    {{0xc135b208, 0x562e4cec, 0x4783f47d, 0x74e1b265, 0x5a3f3b30, 0x6d2a506c, 0xc16762fc,
      0xecead9f4},
     {0xe286e5b9, 0xf29dd4b2, 0x83bb3c61, 0x1b0fadc0, 0x7fac29a4, 0x7a75023e, 0xc9477fa3,
      0xc086d5f1}},
    {{0x2de45068, 0xf4f87653, 0x9e2e1f6e, 0x37c7a7e8, 0xa3584069, 0xd0825fa2, 0x1727bf42,
      0xaf2cea7c},
     {0x9e4785a9, 0x0360a4fb, 0x27299f4a, 0xe5fda49c, 0x71ac2f71, 0x48068e13, 0x9077666f,
      0x83d0687b}},
    {{0xd837879f, 0xa4a319ac, 0xed6b67b0, 0x6fc1b49e, 0x32f1f3af, 0xe3959933, 0x65432a2e,
      0x966742eb},
     {0xb4966228, 0x4b8dc9fe, 0x43f43950, 0x96cc6312, 0xc9b731ee, 0x12068859, 0x56f79968,
      0x7b948dc3}},
    {{0x97e2feb4, 0x042c2af4, 0xaebf7313, 0xd36a42d7, 0x084ffdd7, 0x49d2c9eb, 0x2ef7c76a,
      0x9f8aa54b},
     {0x09895e70, 0x9200b7ba, 0xddb7fb58, 0x3bd0c66f, 0x78eb4cbb, 0x2d97d108, 0xd84bde31,
      0x2d431068}},
    {{0xcb66e132, 0x5e5db46a, 0x0d925880, 0xf1be963a, 0x0317b9e2, 0x944a7027, 0x48603d48,
      0xe266f959},
     {0x5c208899, 0x98db6673, 0xa2fb18a3, 0x90472447, 0x777c619f, 0x8a966939, 0x2a3be21b,
      0x3798142a}},
    {{0x6755ff89, 0xe2f73c69, 0x473017e6, 0xdd3cf7e7, 0x3cf7600d, 0x8ef5689d, 0xb1fc87b4,
      0x948dc4f8},
     {0x4ea53299, 0xd9e9fe81, 0x98eb6028, 0x2d921ca2, 0x0c9803fc, 0xfaecedfd, 0x4d7b4745,
      0xf38ae891}},
};

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

#if !MOTE_P256_ASSEMBLY && !MOTE_P256_THUMB_ASSEMBLY
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

void mote_p256_add_affine(mote_p256_jacobian *r, const mote_p256_affine *a, uint32_t x[8],
                          uint32_t y[8])
{
    uint32_t square[8], cube[8];
    mote_p256_square(x, r->z);
    mote_p256_multiply(y, x, r->z);
    mote_p256_multiply(x, x, a->x);
    mote_p256_multiply(y, y, a->y);
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

static void set_affine(mote_p256_jacobian *r, const mote_p256_affine *a)
{
    copy(r->x, a->x, 8);
    copy(r->y, a->y, 8);
    set_one(r->z);
}

/* r = (X, Y) with another Z, of which the inverse is given. */
static void scale(mote_p256_affine *r, const uint32_t inverse[8])
{
    uint32_t power[8];
    mote_p256_square(power, inverse);
    mote_p256_multiply(r->x, r->x, power);
    mote_p256_multiply(power, power, inverse);
    mote_p256_multiply(r->y, r->y, power);
}

/*
 * The odd multiples of a point, up to 15. All is computed as if the double of the point had Z = 1,
 * which is another curve, but its sums are the same. Each sum has Z = (X difference) Z of the sum
 * before, so that one inverse is enough.
 */
static void make_odd(mote_p256_affine odd[ODD], const mote_p256_affine *a)
{
    mote_p256_jacobian sum, twice;
    mote_p256_affine addend;
    uint32_t ratios[ODD][8], y[8], inverse[8];
    set_affine(&sum, a);
    mote_p256_double(&twice, &sum);
    copy(addend.x, twice.x, 8);
    copy(addend.y, twice.y, 8);
    odd[0] = *a;
    scale(&odd[0], twice.z);
    set_affine(&sum, &odd[0]);
    for (uint8_t i = 1; i < ODD; i++) {
        mote_p256_add_affine(&sum, &addend, ratios[i], y);
        copy(odd[i].x, sum.x, 8);
        copy(odd[i].y, sum.y, 8);
    }
    mote_p256_multiply(sum.z, sum.z, twice.z);
    mote_p256_invert(inverse, sum.z);
    for (uint8_t i = ODD - 1; i > 0; i--) {
        scale(&odd[i], inverse);
        mote_p256_multiply(inverse, inverse, ratios[i]);
    }
    odd[0] = *a;
}

/* r = table[index] of eight points; all are read. */
#define LOOK_UP(name, space)                                                                  \
    static void name(mote_p256_affine *r, const mote_p256_affine space *table, uint8_t index) \
    {                                                                                         \
        const uint32_t space *word = table->x;                                                \
        memset(r, 0, sizeof *r);                                                              \
        for (uint8_t i = 0; i < ODD; i++) {                                                   \
            const uint32_t mask = 0 - ((((uint32_t)i ^ index) - 1) >> 31); /* if i = index */ \
            for (uint8_t k = 0; k < 8; k++)                                                   \
                r->x[k] |= *word++ & mask;                                                    \
            for (uint8_t k = 0; k < 8; k++)                                                   \
                r->y[k] |= *word++ & mask;                                                    \
        }                                                                                     \
    }

#if MOTE_P256_ASSEMBLY
void mote_p256_look_up(mote_p256_affine *r, const mote_p256_affine *table, uint32_t index);
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
static void add_digit(mote_p256_jacobian *r, const mote_p256_affine odd[ODD], uint8_t bits,
                      bool last)
{
    const uint32_t negative = (uint32_t)(bits >> 3) - 1;
    mote_p256_affine addend;
    mote_p256_jacobian twice;
    uint32_t x[8], y[8];
    look_up(&addend, odd, (uint8_t)(bits ^ negative) & 7);
    mote_p256_negate_if(addend.y, negative);
    for (uint8_t i = 0; i < 4; i++)
        mote_p256_double(r, r);
    mote_p256_add_affine(r, &addend, x, y);
    /* Only n - 2 = 16 (n - 1) / 16 - 1 doubles, at its last digit: n - 1 is -1. */
    if (last) {
        const uint32_t same = mote_p256_is_zero(x) & mote_p256_is_zero(y);
        set_affine(&twice, &addend);
        mote_p256_double(&twice, &twice);
        mote_p256_select(r->x, twice.x, same);
        mote_p256_select(r->y, twice.y, same);
        mote_p256_select(r->z, twice.z, same);
    }
}

void mote_p256_times(mote_p256_jacobian *r, const uint32_t k[8], const mote_p256_affine *a)
{
    mote_p256_affine odd[ODD], first;
    uint32_t half[8];
    const uint32_t negative = make_odd_scalar(half, k);
    make_odd(odd, a);
    look_up(&first, odd, nibble(half, 63));
    set_affine(r, &first);
    for (uint8_t i = 63; i-- > 0;)
        add_digit(r, odd, nibble(half, i), i == 0);
    mote_p256_negate_if(r->y, negative);
}

/*
 * Index of the point of a comb for the bits `at`, and 64, 128 and 192 bits further, -1 where a bit
 * is 0; all ones if it is its negative.
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
    look_up_comb(r, &combs[comb * 8], index);
    mote_p256_negate_if(r->y, negative);
}

static void take_base(mote_p256_affine *r, uint8_t index)
{
    for (uint8_t i = 0; i < 8; i++) {
        r->x[i] = base_odd[index].x[i];
        r->y[i] = base_odd[index].y[i];
    }
}

void mote_p256_base_times(mote_p256_jacobian *r, const uint32_t k[8])
{
    mote_p256_affine addend;
    uint32_t half[8], x[8], y[8];
    const uint32_t negative = make_odd_scalar(half, k);
    half[7] |= 0x80000000; /* k = 2 half - (2^256 - 1): every bit is 1 or -1 */
    for (uint8_t column = COLUMNS; column-- > 0;) {
        if (column != COLUMNS - 1)
            mote_p256_double(r, r);
        for (uint8_t comb = COMBS; comb-- > 0;) {
            take_comb(&addend, half, comb, column);
            if (column == COLUMNS - 1 && comb == COMBS - 1) {
                set_affine(r, &addend);
            } else {
                mote_p256_add_affine(r, &addend, x, y);
            }
        }
    }
    mote_p256_negate_if(r->y, negative);
    /* Equal or opposite points in the last column, which a few numbers of all lead to: it shows. */
    uint32_t special = mote_p256_is_zero(r->z);
    MOTE_PUBLIC(special);
    if (special) {
        take_base(&addend, 0);
        mote_p256_times(r, k, &addend);
    }
}

/* r = r + a, any points, in a time that depends on them; *empty: r is at infinity. */
static void add_any(mote_p256_jacobian *r, const mote_p256_affine *a, bool *empty)
{
    uint32_t x[8], y[8];
    if (*empty) {
        set_affine(r, a);
        *empty = false;
        return;
    }
    mote_p256_add_affine(r, a, x, y);
    if (!mote_p256_is_zero(x))
        return;
    *empty = !mote_p256_is_zero(y);
    set_affine(r, a);
    mote_p256_double(r, r);
}

enum { DIGITS = 257 };

/*
 * Digits of k, 0 or odd and below 2^(width - 1), of which at most one of any `width` in a row is
 * not 0.
 */
static void make_naf(int8_t digits[DIGITS], const uint32_t k[8], uint8_t width)
{
    uint8_t carry = 0;
    memset(digits, 0, DIGITS);
    for (uint16_t i = 0; i < DIGITS;) {
        const uint8_t word = (uint8_t)(i / 32), shift = (uint8_t)(i % 32);
        uint32_t bits = i < 256 ? k[word] >> shift : 0;
        if (shift > 32 - width && word < 7)
            bits |= k[word + 1] << (32 - shift);
        if ((bits & 1) == carry) {
            i++;
            continue;
        }
        bits = (bits & (((uint32_t)1 << width) - 1)) + carry;
        carry = (uint8_t)(bits >> (width - 1) & 1);
        digits[i] = (int8_t)((int)bits - ((int)carry << width));
        i = (uint16_t)(i + width);
    }
}

void mote_p256_combine(mote_p256_jacobian *r, const uint32_t u[8], const uint32_t v[8],
                       const mote_p256_affine *a)
{
    mote_p256_affine odd[ODD], addend;
    int8_t digits[2][DIGITS];
    bool empty = true;
    make_odd(odd, a);
    make_naf(digits[0], u, 6);
    make_naf(digits[1], v, 5);
    for (uint16_t i = DIGITS; i-- > 0;) {
        if (!empty)
            mote_p256_double(r, r);
        for (uint8_t which = 0; which < 2; which++) {
            const int8_t digit = digits[which][i];
            const uint8_t index = (uint8_t)((digit < 0 ? -digit : digit) / 2);
            if (digit == 0)
                continue;
            if (which == 0) {
                take_base(&addend, index);
            } else {
                copy(addend.x, odd[index].x, 8);
                copy(addend.y, odd[index].y, 8);
            }
            mote_p256_negate_if(addend.y, digit < 0 ? 0xffffffff : 0);
            add_any(r, &addend, &empty);
        }
    }
    if (empty)
        memset(r, 0, sizeof *r);
}

void mote_p256_to_affine(mote_p256_affine *r, const mote_p256_jacobian *a)
{
    uint32_t inverse[8];
    mote_p256_invert(inverse, a->z);
    copy(r->x, a->x, 8);
    copy(r->y, a->y, 8);
    scale(r, inverse);
}
