"""The tables of core/ciphers/ed25519/ed25519_tables.c, to standard output."""

from __future__ import annotations

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
Y = 4 * pow(5, -1, P) % P
SPACING = 16
"""Bits between one comb and the next (RFC 8032, section 5.1, has the constants)."""

Point = tuple[int, int]
NEUTRAL: Point = (0, 1)


def base() -> Point:
    """The base point: y = 4/5 and x even."""
    square = (Y * Y - 1) * pow(D * Y * Y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    return (x if x % 2 == 0 else P - x), Y


def add(a: Point, b: Point) -> Point:
    """The sum of two points."""
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P)
    return x % P, y % P


def times(factor: int, point: Point) -> Point:
    """A multiple of a point by a factor that is not negative."""
    total = NEUTRAL
    for bit in bin(factor)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


def words(number: int) -> str:
    """A number as eight words of C, on two lines."""
    texts = [f"0x{number >> 32 * place & 0xFFFFFFFF:08x}" for place in range(8)]
    return f"        {', '.join(texts[:4])},\n        {', '.join(texts[4:])},"


def table(factors: list[int]) -> str:
    """One table: the multiples of the base point by these factors."""
    lines = []
    for factor in factors:
        x, y = times(factor, base())
        lines += [words(number % P) for number in (y + x, y - x, 2 * D * x * y)]
    return "    {\n" + "\n".join(lines) + "\n    },"


def main() -> None:
    """Print the four combs, then the odd multiples."""
    signs = [
        sum((1 if index >> tooth & 1 else -1) << 64 * tooth for tooth in range(3))
        for index in range(8)
    ]
    combs = [table([2**192 + sign << SPACING * comb for sign in signs]) for comb in range(4)]
    odd = [table([factor << shift for factor in range(1, 16, 2)]) for shift in (0, 128)]
    size = "MOTE_ED25519_ENTRIES * MOTE_ED25519_FLAT"
    print("/* Made by tools/ed25519_table.py. */")
    print('#include "ed25519_tables.h"\n')
    for name, first, tables in (("combs", "MOTE_ED25519_COMBS", combs), ("odd", "2", odd)):
        print(f"const uint32_t MOTE_FLASH mote_ed25519_{name}[{first}][{size}] = {{")
        print("\n".join(tables) + "\n};\n")


if __name__ == "__main__":
    main()
