"""mote/p256: numbers modulo p and modulo n, and points, against Python's integers on every core."""

from __future__ import annotations

import pytest

from motebench.targets.firmware.sources import core_dir
from tests.support.small_programs import MACHINES, built, run

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
R = 2**256
PROGRAM = """
#include "p256_field.h"
#include "p256_group.h"

/* Two of the first numbers are p - 1, and n - 1. */
static void below(uint32_t r[8], const uint32_t MOTE_FLASH *modulus, int largest)
{
    number(r);
    if (largest)
        for (int i = 0; i < 8; i++)
            r[i] = modulus[i] - (i == 0);
    else if (!mote_p256_is_below(r, modulus))
        r[7] = draw() >> 1;
}

static void of_prime(uint32_t a[8], uint32_t b[8])
{
    uint32_t r[8];
    print(a);
    print(b);
    mote_p256_add(r, a, b);
    print(r);
    mote_p256_subtract(r, a, b);
    print(r);
    mote_p256_halve(r, a);
    print(r);
    mote_p256_multiply(r, a, b);
    print(r);
    mote_p256_square(r, a);
    print(r);
    /* The result is an operand. */
    mote_p256_multiply(b, a, b);
    print(b);
    mote_p256_add(a, a, a);
    print(a);
}

static void of_order(uint32_t a[8], uint32_t b[8])
{
    uint32_t r[8];
    print(a);
    print(b);
    mote_p256_scalar_multiply(r, a, b);
    print(r);
    mote_p256_scalar_add(r, a, b);
    print(r);
}

static void of_inverses(uint32_t a[8])
{
    uint32_t r[8];
    print(a);
    mote_p256_invert(r, a);
    print(r);
    mote_p256_scalar_invert(r, a);
    print(r);
}

/* Any numbers will do: the formulas are those of polynomials. */
static void of_points(uint32_t a[8], uint32_t b[8])
{
    mote_p256_jacobian twice;
    mote_p256_affine other;
    uint32_t x[8], y[8];
    for (int i = 0; i < 8; i++) {
        twice.x[i] = other.y[i] = a[i];
        twice.y[i] = b[i];
        twice.z[i] = a[i] ^ (i == 0);
        other.x[i] = b[i] ^ (i == 0);
    }
    print(twice.x);
    print(twice.y);
    print(twice.z);
    print(other.x);
    print(other.y);
    mote_p256_double(&twice, &twice);
    print(twice.x);
    print(twice.y);
    print(twice.z);
    mote_p256_add_affine(&twice, &other, x, y);
    print(twice.x);
    print(twice.y);
    print(twice.z);
}

int main(void)
{
    begin();
    for (long i = 0; i < CASES; i++) {
        uint32_t a[8], b[8];
        below(a, mote_p256_p, i < 2);
        below(b, mote_p256_p, i == 0);
        if (i % 4 == 3)
            of_points(a, b);
        of_prime(a, b);
        below(a, mote_p256_n, i < 2);
        below(b, mote_p256_n, i == 0);
        if (i % 8 == 1)
            of_inverses(a);
        of_order(a, b);
        printf("\\n");
    }
    end();
    return 0;
}
"""
SOURCES = ["p256_field.c", "p256_group.c", "p256_inverse.c"]
PLAIN = pow(R, -1, P)


def after_doubling(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Guide to Elliptic Curve Cryptography, algorithm 3.21, with Z halved; numbers without R."""
    slope = 3 * (x - z * z) * (x + z * z) * pow(2, -1, P)
    new_x = slope * slope - 2 * x * y * y
    return new_x % P, (slope * (x * y * y - new_x) - y**4) % P, y * z % P


def after_addition(first: tuple[int, int, int], second: tuple[int, int]) -> tuple[int, int, int]:
    """The same, algorithm 3.22."""
    x, y, z = first
    other = second[0] * z * z - x
    slope = second[1] * z**3 - y
    new_x = slope * slope - other**3 - 2 * x * other * other
    return new_x % P, (slope * (x * other * other - new_x) - y * other**3) % P, z * other % P


def check_points(numbers: list[int]) -> None:
    x, y, z, other_x, other_y, *results = [number * PLAIN % P for number in numbers]
    twice = after_doubling(x, y, z)
    assert tuple(results[:3]) == twice
    assert tuple(results[3:]) == after_addition(twice, (other_x, other_y))


@pytest.mark.parametrize("cases", [400, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("core", ["host", "avr", *MACHINES])
def test_numbers_and_points_agree_with_integers(tmp_path, core, cases):
    code = core_dir() / "ciphers" / "p256"
    lines = run(*built(tmp_path, core, PROGRAM, code, SOURCES, cases)).splitlines()
    assert len(lines) == cases
    points = inverses = 0
    for line in lines:
        numbers = [int(text, 16) for text in line.split()]
        if len(numbers) == 24:
            check_points(numbers[:11])
            points += 1
        order = numbers[-4:]
        if len(numbers) == 16:
            a, *results = numbers[9:12]
            assert results == [R * R * pow(a, -1, P) % P, pow(a, -1, N)], line
            numbers = numbers[:9]
            inverses += 1
        else:
            numbers = numbers[-13:-4]
        a, b, *results = numbers
        product = a * b * PLAIN % P
        half, square = a * pow(2, -1, P) % P, a * a * PLAIN % P
        expected = [(a + b) % P, (a - b) % P, half, product, square, product, 2 * a % P]
        assert results == expected, line
        a, b, *results = order
        assert results == [a * b * pow(R, -1, N) % N, (a + b) % N], line
    assert points == cases // 4 and inverses == cases // 8
