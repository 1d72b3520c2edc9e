"""The combs of core/ciphers/p256/p256_group.c, to standard output: points of the base point as
words.
"""

from __future__ import annotations

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
X = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
Y = 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5
SPACING = 16

Point = tuple[int, int]


def add(a: Point, b: Point) -> Point:
    """The sum of two points, of which neither the sum nor one of them is at infinity."""
    slope = (
        (3 * a[0] ** 2 - 3) * pow(2 * a[1], -1, P)
        if a == b
        else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    )
    x = (slope**2 - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(factor: int, point: Point) -> Point:
    """A multiple of a point by a factor that is not 0."""
    total = None
    for bit in bin(factor)[:1:-1]:
        if bit == "1":
            total = point if total is None else add(total, point)
        point = add(point, point)
    assert total is not None
    return total


def words(number: int) -> str:
    """A coordinate with Montgomery's factor, as eight words of C."""
    value = number * 2**256 % P
    return ", ".join(f"0x{value >> 32 * place & 0xFFFFFFFF:08x}" for place in range(8))


def main() -> None:
    """Print the four combs of eight points."""
    for comb in range(4):
        for index in range(8):
            factor = 2**192 + sum(
                (1 if index >> tooth & 1 else -1) << 64 * tooth for tooth in range(3)
            )
            x, y = times(factor << SPACING * comb, (X, Y))
            print(f"    {{{{{words(x)}}},\n     {{{words(y)}}}}},")


if __name__ == "__main__":
    main()
