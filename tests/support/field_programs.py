"""Field arithmetic of our curves: C programs that sum up the results of biased numbers, and the
same sums of Python's integers.

A program prints the sums of all functions after each block of cases. A wrong result changes its
sum for good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from tests.support.small_programs import BiasedNumbers

P25519 = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
R = 2**256
UNDO, UNDO_N = pow(R, -1, P), pow(R, -1, N)
HALF = pow(2, -1, P)
Results = list[int]
"""Results of one case, by function; the ones that take long are last, and not in every case."""

MAIN = """
int main(void)
{
    begin();
    for (long i = 0; i < CASES; i++) {
        one_case(i, i % RARE == 0);
        if ((i + 1) % BLOCK == 0)
            print_sums(FUNCTIONS);
    }
    end();
    return 0;
}
"""

CURVE25519 = (
    """
#include "field.h"

enum { FUNCTIONS = 14 };

static void store(uint8_t at, const mote_f25519 *a)
{
    uint8_t bytes[32];
    mote_f25519 copy = *a;
    mote_f25519_store(bytes, &copy);
    take(at, bytes);
}

static void one_case(long i, int rare)
{
    mote_f25519 a, b, r;
    number(a.w);
    number(b.w);
    if (i == 0)
        memset(&a, 0xff, sizeof a);
    if (i <= 1)
        memset(&b, 0xff, sizeof b);
    mote_f25519_add(&r, &a, &b);
    store(0, &r);
    mote_f25519_subtract(&r, &a, &b);
    store(1, &r);
    mote_f25519_multiply(&r, &a, &b);
    store(2, &r);
    mote_f25519_multiply_add(&r, &a, &b);
    store(3, &r);
    r = a;
    mote_f25519_square(&r, &r, 1);
    store(4, &r);
    mote_f25519_square(&r, &b, 2);
    store(5, &r);
    mote_f25519_select(&r, &a, &b, b.w[1] & 1);
    store(6, &r);
    mote_f25519_load(&r, (const uint8_t *)a.w);
    store(7, &r);
    mote_f25519_subtract(&r, &a, &b);
    mote_f25519_add(&r, &r, &b);
    mote_f25519_subtract(&r, &r, &a);
    take_word(8, mote_f25519_is_zero(&a) + 2u * mote_f25519_is_zero(&r));
    r = a; /* the result is an operand */
    mote_f25519_multiply(&r, &r, &r);
    store(9, &r);
    if (rare) {
        mote_f25519_invert(&r, &a);
        store(10, &r);
        mote_f25519_root_power(&r, &a);
        store(11, &r);
        if (mote_f25519_is_zero(&b))
            b.w[0]++;
        const uint8_t square = mote_f25519_root(&r, &a, &b);
        take_word(12, square);
        mote_f25519_square(&r, &r, 1);
        mote_f25519_multiply(&r, &r, &b);
        if (square)
            store(13, &r);
    }
}
"""
    + MAIN
)


def curve25519_case(draw: BiasedNumbers, i: int, rare: bool) -> Results:
    a, b = draw.number(), draw.number()
    a = R - 1 if i == 0 else a
    b = R - 1 if i <= 1 else b
    square = a * a % P25519
    results = [
        (a + b) % P25519,
        (a - b) % P25519,
        a * b % P25519,
        (121665 * a + b) % P25519,
        square,
        pow(b, 4, P25519),
        (b if b >> 32 & 1 else a) % P25519,
        a % 2**255 % P25519,
        (a % P25519 == 0) + 2,
        square,
    ]
    if rare:
        b = b + 1 if b % P25519 == 0 else b
        quotient = a * pow(b, -1, P25519) % P25519
        has_root = pow(quotient, (P25519 - 1) // 2, P25519) <= 1
        results += [pow(a, P25519 - 2, P25519), pow(a, (P25519 - 5) // 8, P25519), int(has_root)]
        results += [a % P25519] if has_root else []
    return results


P256 = (
    """
#include "p256_field.h"
#include "p256_group.h"

enum { FUNCTIONS = 24 };

/* Two of the first numbers are the largest ones. */
static void below(uint32_t r[8], const uint32_t MOTE_FLASH *modulus, int largest)
{
    number(r);
    if (largest)
        for (int i = 0; i < 8; i++)
            r[i] = modulus[i] - (i == 0);
    else if (!mote_p256_is_below(r, modulus))
        r[7] = draw() >> 1;
}

/* Any numbers will do: the formulas are those of polynomials. */
static void points(const uint32_t a[8], const uint32_t b[8])
{
    mote_p256_jacobian sum;
    mote_p256_affine other;
    uint32_t x[8], y[8];
    for (int i = 0; i < 8; i++) {
        sum.x[i] = other.y[i] = a[i];
        sum.y[i] = b[i];
        sum.z[i] = a[i] ^ (i == 0);
        other.x[i] = b[i] ^ (i == 0);
    }
    mote_p256_double(&sum, &sum);
    take(18, sum.x);
    take(19, sum.y);
    take(20, sum.z);
    mote_p256_add_affine(&sum, &other, x, y);
    take(21, sum.x);
    take(22, sum.y);
    take(23, sum.z);
}

static void one_case(long i, int rare)
{
    uint32_t a[8], b[8], c[8], d[8], r[8];
    uint8_t bytes[32];
    below(a, mote_p256_p, i < 2);
    below(b, mote_p256_p, i == 0);
    below(c, mote_p256_n, i < 2);
    below(d, mote_p256_n, i == 0);
    mote_p256_add(r, a, b);
    take(0, r);
    mote_p256_subtract(r, a, b);
    take(1, r);
    mote_p256_halve(r, a);
    take(2, r);
    mote_p256_multiply(r, a, b);
    take(3, r);
    mote_p256_square(r, a);
    take(4, r);
    memcpy(r, a, sizeof r); /* the result is an operand */
    mote_p256_multiply(r, r, b);
    mote_p256_add(r, r, r);
    take(5, r);
    memcpy(r, a, sizeof r);
    if (mote_p256_is_zero(r) == 0)
        mote_p256_negate_if(r, 0 - (b[0] & 1));
    take(6, r);
    mote_p256_to_montgomery(r, a);
    take(7, r);
    mote_p256_from_montgomery(r, a);
    take(8, r);
    mote_p256_scalar_multiply(r, c, d);
    take(9, r);
    mote_p256_scalar_add(r, c, d);
    take(10, r);
    if (mote_p256_is_zero(c) == 0)
        mote_p256_scalar_negate(r, c);
    take(11, r);
    mote_p256_scalar_reduce(r, a);
    take(12, r);
    mote_p256_store(bytes, a);
    take(13, bytes);
    mote_p256_load(r, bytes);
    mote_p256_select(r, b, 0 - (a[0] & 1));
    take(14, r);
    if (rare) {
        mote_p256_invert(r, a);
        take(15, r);
        mote_p256_scalar_invert(r, c);
        take(16, r);
        mote_p256_root(r, a);
        take(17, r);
        points(a, b);
    }
}
"""
    + MAIN
)


def after_doubling(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Guide to Elliptic Curve Cryptography, algorithm 3.21, with Z halved; numbers without R."""
    slope = 3 * (x - z * z) * (x + z * z) * HALF
    new_x = slope * slope - 2 * x * y * y
    return new_x % P, (slope * (x * y * y - new_x) - y**4) % P, y * z % P


def after_addition(first: tuple[int, int, int], second: tuple[int, int]) -> tuple[int, int, int]:
    """The same, algorithm 3.22."""
    x, y, z = first
    other = second[0] * z * z - x
    slope = second[1] * z**3 - y
    new_x = slope * slope - other**3 - 2 * x * other * other
    return new_x % P, (slope * (x * other * other - new_x) - y * other**3) % P, z * other % P


def _points(a: int, b: int) -> Iterator[int]:
    x, y, z, other_x = (number * UNDO % P for number in (a, b, a ^ 1, b ^ 1))
    doubled = after_doubling(x, y, z)
    for number in (*doubled, *after_addition(doubled, (other_x, x))):
        yield number * R % P


def _below(draw: BiasedNumbers, modulus: int, *, largest: bool) -> int:
    value = draw.number()
    if largest:
        return modulus - 1
    return value if value < modulus else value % 2**224 + (draw.word() >> 1 << 224)


def p256_case(draw: BiasedNumbers, i: int, rare: bool) -> Results:
    a, b = _below(draw, P, largest=i < 2), _below(draw, P, largest=i == 0)
    c, d = _below(draw, N, largest=i < 2), _below(draw, N, largest=i == 0)
    product, scalar_sum = a * b * UNDO % P, (c + d) % N
    results = [
        (a + b) % P,
        (a - b) % P,
        a * HALF % P,
        product,
        a * a * UNDO % P,
        2 * product % P,
        -a % P if b & 1 else a,
        a * R % P,
        a * UNDO % P,
        c * d * UNDO_N % N,
        scalar_sum,
        N - c if c else scalar_sum,
        a % N,
        int.from_bytes(a.to_bytes(32, "little"), "big"),
        b if a & 1 else a,
    ]
    if rare:
        undone = a * UNDO % P
        results += [
            R * pow(undone, P - 2, P) % P,
            pow(c, N - 2, N),
            R * pow(undone, (P + 1) // 4, P) % P,
            *_points(a, b),
        ]
    return results


SMALL = (
    """
#include "numbers.h"

enum { FUNCTIONS = 18 };

static const uint16_t MOTE_FLASH sum_and_difference[] = {
    MOTE_ADD(2, 0, 1), MOTE_SUB(3, 0, 1), MOTE_MUL(0, 0, 1), 0};

static void set_prime(mote_prime *prime, const uint32_t words[8], uint32_t inverse)
{
    memcpy(&prime->p, words, 32);
    prime->multiply = mote_small_montgomery;
    prime->inverse = (mote_word)inverse;
}

static void below(uint32_t r[8], const mote_prime *prime, int largest)
{
    mote_number value;
    number(r);
    memcpy(&value, r, 32);
    if (largest) {
        memcpy(r, &prime->p, 32);
        r[0]--;
    } else if (!mote_small_is_below(&value, &prime->p)) {
        r[7] = draw() >> 2;
    }
}

static void modulo(uint8_t at, const mote_prime *prime, long i, int rare)
{
    mote_number v[4];
    uint32_t a[8], b[8];
    below(a, prime, i < 2);
    below(b, prime, i == 0);
    memcpy(&v[0], a, 32);
    memcpy(&v[1], b, 32);
    if (rare) {
        mote_small_invert(prime, &v[2], &v[0]);
        take(at, &v[2]);
    }
    mote_small_run(prime, v, sum_and_difference);
    take((uint8_t)(at + 1), &v[2]);
    take((uint8_t)(at + 2), &v[3]);
    take((uint8_t)(at + 3), &v[0]);
}

static void one_case(long i, int rare)
{
    static const uint32_t p[8] = {0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 1, 0xffffffff};
    static const uint32_t n[8] = {0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad,
                                  0xffffffff, 0xffffffff, 0, 0xffffffff};
    mote_prime prime;
    mote_number a, b, r;
    uint32_t words[8];
    uint8_t bytes[32];
    number(words);
    memcpy(&a, words, 32);
    number(words);
    memcpy(&b, words, 32);
    if (i == 0)
        memset(&a, 0xff, sizeof a);
    const mote_word ones = (mote_word)~(mote_word)0;
    const mote_word carry = mote_small_sum(&r, &a, &b, 0, ones);
    take(12, &r);
    const mote_word positive = mote_small_sum(&r, &a, &b, ones, ones);
    take(13, &r);
    take_word(14, carry + 2u * positive + 4u * mote_small_is_below(&a, &b) +
                      8u * mote_small_is_zero(&a) + 16u * mote_small_bit(&a, words[3] & 255));
    mote_small_store(bytes, &a, MOTE_HIGH_FIRST);
    take(15, bytes);
    mote_small_load(&r, bytes, MOTE_LOW_FIRST);
    take(16, &r);
    mote_small_set_25519(&prime);
    /* One factor may be any number. */
    memcpy(&r, &prime.p, 32);
    r.w[0] = (mote_word)(r.w[0] - 1 - words[0] % 200);
    prime.multiply(&prime, &r, &a, &r);
    take(17, &r);
    modulo(0, &prime, i, rare);
    set_prime(&prime, p, 1);
    modulo(4, &prime, i, rare);
    set_prime(&prime, n, 0xee00bc4f);
    modulo(8, &prime, i, rare);
}
"""
    + MAIN
)


def _modulo(draw: BiasedNumbers, modulus: int, undo: int, i: int, rare: bool) -> Iterator[int]:
    def below(largest: bool) -> int:
        value = draw.number()
        if largest:
            return modulus - 1
        return value if value < modulus else value % 2**224 + (draw.word() >> 2 << 224)

    a, b = below(i < 2), below(i == 0)
    # Products have the factor `undo`; pow() of Fermat's exponent takes modulus - 3 products.
    yield pow(a, modulus - 2, modulus) * pow(undo, modulus - 3, modulus) % modulus if rare else -1
    yield (a + b) % modulus
    yield (a - b) % modulus
    yield a * b * undo % modulus


def small_case(draw: BiasedNumbers, i: int, rare: bool) -> Results:
    a, b = draw.number(), draw.number()
    a = R - 1 if i == 0 else a
    bit = a >> (b >> 96 & 255) & 1
    difference = a - b
    flags = (a + b >= R) + 2 * (difference >= 0) + 4 * (difference < 0) + 8 * (a == 0) + 16 * bit
    backwards = int.from_bytes(a.to_bytes(32, "little"), "big")
    lowest = b % 2**32 % 200
    first = [
        (a + b) % R,
        difference % R,
        flags,
        backwards,
        backwards,
        a * (P25519 - 1 - lowest) % P25519,
    ]
    primes = ((P25519, 1), (P, UNDO), (N, UNDO_N))
    by_prime = [_modulo(draw, prime, undo, i, rare) for prime, undo in primes]
    return [*(value for results in by_prime for value in results), *first]


SCALAR_25519 = (
    """
#include "ed25519_scalar.h"

enum { FUNCTIONS = 4 };

static void one_case(long i, int rare)
{
    uint32_t words[16], other[8], third[8];
    mote_ed25519_scalar a, b, c, r;
    (void)rare;
    number(words);
    number(words + 8);
    number(other);
    number(third);
    if (i == 0)
        memset(words, 0xff, sizeof words);
    mote_ed25519_scalar_reduce(&r, (const uint8_t *)words);
    take(0, &r);
    mote_ed25519_scalar_load(&a, (const uint8_t *)words);
    memcpy(&b, other, 32);
    memcpy(&c, third, 32);
    mote_ed25519_scalar_multiply_add(&r, &a, &b, &c);
    take(1, &r);
    take_word(2, mote_ed25519_scalar_is_canonical(&b));
    b.w[15] &= 0x7fff;
    mote_ed25519_scalar_make_odd(&b);
    take(3, &b);
}
"""
    + MAIN
)


def scalar_25519_case(draw: BiasedNumbers, i: int, rare: bool) -> Results:
    low, high, b, c = (draw.number() for _ in range(4))
    a = R * R - 1 if i == 0 else low + R * high
    lowered = b % 2**255
    odd = lowered + (0 if lowered & 1 else L)
    return [a % L, (a % R * b + c) % L, int(b < L), odd]


@dataclass(frozen=True)
class FieldProgram:
    """Program of the folder `core/ciphers/<folder>`, and its cases in Python.

    ``rare``: one case in as many also has the functions that take hundreds of products.
    """

    folder: str
    files: tuple[str, ...]
    text: str
    case: Callable[[BiasedNumbers, int, bool], Results]
    rare: int


PROGRAMS = {
    "25519": FieldProgram(
        "curve25519", ("field.c", "field_root.c"), CURVE25519, curve25519_case, 200
    ),
    "p256": FieldProgram(
        "p256", ("p256_field.c", "p256_group.c", "p256_inverse.c"), P256, p256_case, 200
    ),
    "small": FieldProgram("small_curves", ("numbers.c",), SMALL, small_case, 5000),
    "scalar-25519": FieldProgram(
        "ed25519", ("ed25519_scalar.c", "../../mote/secret.c"), SCALAR_25519, scalar_25519_case, 1
    ),
}


@cache
def expected_sums(name: str, cases: int, rare: int, block: int) -> list[list[int]]:
    """The sums after each block."""
    draw, program = BiasedNumbers(), PROGRAMS[name]
    sums: list[int] = []
    blocks = []
    for i in range(cases):
        results = program.case(draw, i, i % rare == 0)
        sums += [0] * (len(results) - len(sums))
        for at, result in enumerate(results):
            if result >= 0:
                sums[at] = (3 * sums[at] + result) % R
        if (i + 1) % block == 0:
            blocks.append(list(sums))
    return blocks
