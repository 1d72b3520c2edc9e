"""PRESENT, Piccolo, LED, TWINE and CLEFIA: what was published, and modes of operation computed from
the specifications.

Written down as the papers define the ciphers, nibble by nibble where they do, without any table
that joins steps. They must give the published answers. Bytes are in the order in which the papers
print blocks and keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from motebench.base.model import Scheme
from vectorsources.modes import Cipher, computed, published
from vectorsources.writing import Collection

_PRESENT_80, _PRESENT_128 = (
    "PRESENT paper (CHES 2007), appendix I",
    "Poschmann: Lightweight Cryptography, thesis, 2009",
)
_PRESENT_TESTS = "PRESENT-128 tests of rvkat, which begin with Poschmann's"
_PICCOLO, _LED = (
    "Piccolo paper (CHES 2011), appendix",
    "LED paper, IACR ePrint 2012/600, appendix A",
)
_TWINE, _CLEFIA = "TWINE paper (SAC 2012), appendix", "RFC 6114, appendix A"
_SPECIFICATIONS = {
    "present": "the PRESENT paper",
    "piccolo": "the Piccolo paper",
    "led": "the LED paper",
    "twine": "the TWINE paper",
    "clefia": "RFC 6114",
}
_COUNT = "000102030405060708090a0b0c0d0e0f"
_CLEFIA_KEY = "ffeeddccbbaa99887766554433221100f0e0d0c0b0a090807060504030201000"
# scheme, key, IV, plaintext, ciphertext, source
_PUBLISHED = [
    ("present-80-ecb", "00" * 10, "", "00" * 8, "5579c1387b228445", _PRESENT_80),
    ("present-80-ecb", "ff" * 10, "", "00" * 8, "e72c46c0f5945049", _PRESENT_80),
    ("present-80-ecb", "00" * 10, "", "ff" * 8, "a112ffc72f68417b", _PRESENT_80),
    ("present-80-ecb", "ff" * 10, "", "ff" * 8, "3333dcd3213210d2", _PRESENT_80),
    ("present-128-ecb", "00" * 16, "", "00" * 8, "96db702a2e6900af", _PRESENT_128),
    ("present-128-ecb", "ff" * 16, "", "00" * 8, "13238c710272a5d8", _PRESENT_TESTS),
    ("present-128-ecb", "00" * 16, "", "ff" * 8, "3c6019e5e5edd563", _PRESENT_TESTS),
    ("present-128-ecb", "ff" * 16, "", "ff" * 8, "628d9fbd4218e5b4", _PRESENT_TESTS),
    (
        "present-128-ecb",
        "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        "",
        "da0e854a1e8d03e0",
        "0123456789abcdef",
        _PRESENT_TESTS,
    ),
    (
        "piccolo-80-ecb",
        "00112233445566778899",
        "",
        "0123456789abcdef",
        "8d2bff9935f84056",
        _PICCOLO,
    ),
    (
        "piccolo-128-ecb",
        "00112233445566778899aabbccddeeff",
        "",
        "0123456789abcdef",
        "5ec42cea657b89ff",
        _PICCOLO,
    ),
    ("led-64-ecb", "00" * 8, "", "00" * 8, "39c2401003a0c798", _LED),
    ("led-64-ecb", "0123456789abcdef", "", "0123456789abcdef", "a003551e3893fc58", _LED),
    ("led-128-ecb", "00" * 16, "", "00" * 8, "3decb2a0850cdba1", _LED),
    ("led-128-ecb", "0123456789abcdef" * 2, "", "0123456789abcdef", "d6b824587f014fc2", _LED),
    ("twine-80-ecb", "00112233445566778899", "", "0123456789abcdef", "7c1f0f80b1df9c28", _TWINE),
    (
        "twine-128-ecb",
        "00112233445566778899aabbccddeeff",
        "",
        "0123456789abcdef",
        "979ff9b379b5a9b8",
        _TWINE,
    ),
    ("clefia-128-ecb", _CLEFIA_KEY[:32], "", _COUNT, "de2bf2fd9b74aacdf1298555459494fd", _CLEFIA),
    ("clefia-192-ecb", _CLEFIA_KEY[:48], "", _COUNT, "e2482f649f028dc480dda184fde181ad", _CLEFIA),
    ("clefia-256-ecb", _CLEFIA_KEY, "", _COUNT, "a1397814289de80c10da46d1fa48b38a", _CLEFIA),
]

_PRESENT_S = [int(digit, 16) for digit in "c56b90ad3ef84712"]
_PICCOLO_S = [int(digit, 16) for digit in "e4b238091a7f6c5d"]
_PICCOLO_M = ((2, 3, 1, 1), (1, 2, 3, 1), (1, 1, 2, 3), (3, 1, 1, 2))
_LED_A = ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (4, 1, 2, 2))
_TWINE_S = [int(digit, 16) for digit in "c0fa2b9583d71e64"]
_TWINE_SHUFFLE = (5, 0, 1, 4, 7, 12, 3, 8, 13, 6, 9, 2, 15, 10, 11, 14)
_CLEFIA_SS = [
    [int(digit, 16) for digit in digits]
    for digits in ("e6ca872fb14059d3", "640d2ba39cef8751", "b85ea64cf72310d9", "a26d345e0789bfc1")
]
_CLEFIA_S1 = bytes.fromhex(
    "6cdac3e94e9d0a3db836b43813340cd9bf74948fb79ce5dc9e07494f982cb093"
    "12ebcdb392e74160e321273be619d20e"
    "9111c73f2a8ea1bc2bc8c50f5bf3878bfbf5de20c6a784ced86551c9a4ef4353"
    "255d9b31e83e0dd780ff698aba0b735c"
    "6e541562f6353052a316d32832faaa5ecfeaed783358097b63c0c1461edfa999"
    "5504c486397782ec4018909759dd831f"
    "9a370624647ca556480885d06126ca6f7e6ab671a07005d1458c231cf0ee89ad"
    "7a4bc22fdb5a4d7667172df4cbb14aa8"
    "b522473ad5104c72cc00f9e0fde2feaef85fabf11b4281d6be4429a657b9aff2"
    "d47566bb689f5002013c7f8d1a88bdac"
    "f7e47996a2fc6db26b03e12e7d14951d"
)
_CLEFIA_M = (
    ((1, 2, 4, 6), (2, 1, 6, 4), (4, 6, 1, 2), (6, 4, 2, 1)),
    ((1, 8, 2, 10), (8, 1, 10, 2), (2, 10, 1, 8), (10, 2, 8, 1)),
)


def collect(schemes: Sequence[Scheme], into: Collection) -> None:
    """Published answers, then computed ones for every mode of these ciphers in ``schemes``."""
    groups = {scheme.name: scheme.algorithm for scheme in schemes}
    for vector in published(_PUBLISHED, schemes, cipher_of):
        into.add(groups[vector.scheme], [vector])
    for each in schemes:
        if specification := _SPECIFICATIONS.get(each.algorithm):
            into.add(each.algorithm, computed(each, cipher_of, specification))


def cipher_of(scheme: Scheme, key: bytes) -> Cipher:
    """The block cipher of the scheme's algorithm under ``key``."""
    block: dict[str, Callable[[bytes, bytes], bytes]] = {
        "present": present,
        "piccolo": piccolo,
        "led": led,
        "twine": twine,
        "clefia": clefia,
    }
    return Cipher(16 if scheme.algorithm == "clefia" else 8, partial(block[scheme.algorithm], key))


def _times(a: int, b: int, polynomial: int) -> int:
    """A product in the field of ``polynomial``."""
    result, top = 0, 1 << polynomial.bit_length() - 1
    while b:
        result ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
        a ^= polynomial if a & top else 0
    return result


_product = cache(_times)


def _matrix(rows: Sequence[Sequence[int]], column: Sequence[int], polynomial: int) -> list[int]:
    result = [0] * len(rows)
    for i, row in enumerate(rows):
        for factor, value in zip(row, column, strict=True):
            result[i] ^= _product(factor, value, polynomial)
    return result


def _nibbles(data: bytes) -> list[int]:
    return [int(digit, 16) for digit in data.hex()]


def _bytes(nibbles: Sequence[int]) -> bytes:
    return bytes.fromhex("".join(f"{nibble:x}" for nibble in nibbles))


def present(key: bytes, block: bytes) -> bytes:
    """One block, by sections 3 and appendix II of the paper: bit by bit."""
    bits, register, state = 8 * len(key), int.from_bytes(key, "big"), int.from_bytes(block, "big")
    for counter in range(1, 32):
        state ^= register >> bits - 64
        state = sum(_PRESENT_S[state >> i & 15] << i for i in range(0, 64, 4))
        state = sum((state >> i & 1) << (63 if i == 63 else 16 * i % 63) for i in range(64))
        register = (register << 61 | register >> bits - 61) & (1 << bits) - 1
        for at in (bits - 4, bits - 8)[: 1 if bits == 80 else 2]:
            register = register & ~(15 << at) | _PRESENT_S[register >> at & 15] << at
        register ^= counter << (15 if bits == 80 else 62)
    return (state ^ register >> bits - 64).to_bytes(8, "big")


def _piccolo_f(word: int) -> int:
    column = [_PICCOLO_S[word >> shift & 15] for shift in (12, 8, 4, 0)]
    y = [_PICCOLO_S[value] for value in _matrix(_PICCOLO_M, column, 0x13)]
    return y[0] << 12 | y[1] << 8 | y[2] << 4 | y[3]


def _piccolo_keys(key: bytes) -> tuple[list[int], list[int]]:
    """Whitening keys and round keys, by section 3.3 of the paper."""
    k = [int.from_bytes(key[i : i + 2], "big") for i in range(0, len(key), 2)]
    last = 3 if len(k) == 5 else 7
    pairs = ((0, 1), (1, 0), (4, last), (last, 4))
    white, keys = [k[a] & 0xFF00 | k[b] & 0xFF for a, b in pairs], []
    for i in range(25 if len(k) == 5 else 31):
        c = i + 1
        constant = (c << 27 | c << 17 | c << 10 | c) ^ (0x0F1E2D3C if len(k) == 5 else 0x6547A98B)
        for half, value in enumerate((constant >> 16, constant & 0xFFFF)):
            if len(k) == 5:
                used = ((2, 3), (0, 1), (2, 3), (4, 4), (0, 1))[i % 5][half]
            else:
                used = (2 * i + half + 2) % 8
                if used == 0:
                    k = [k[at] for at in (2, 1, 6, 7, 0, 3, 4, 5)]
            keys.append(k[used] ^ value)
    return white, keys


def piccolo(key: bytes, block: bytes) -> bytes:
    """One block, by section 3 of the paper."""
    white, keys = _piccolo_keys(key)
    x = [int.from_bytes(block[i : i + 2], "big") for i in range(0, 8, 2)]
    x[0], x[2] = x[0] ^ white[0], x[2] ^ white[1]
    for i in range(0, len(keys), 2):
        x[1] ^= _piccolo_f(x[0]) ^ keys[i]
        x[3] ^= _piccolo_f(x[2]) ^ keys[i + 1]
        if i < len(keys) - 2:
            b = b"".join(word.to_bytes(2, "big") for word in x)
            moved = bytes(b[at] for at in (2, 7, 4, 1, 6, 3, 0, 5))
            x = [int.from_bytes(moved[at : at + 2], "big") for at in range(0, 8, 2)]
    x[0], x[2] = x[0] ^ white[2], x[2] ^ white[3]
    return b"".join(word.to_bytes(2, "big") for word in x)


def led(key: bytes, block: bytes) -> bytes:
    """One block, by section 2 of the paper: the matrix four times a simple one."""
    state, keys = _nibbles(block), [_nibbles(key[i : i + 8]) for i in range(0, len(key), 8)]
    size, constant = 8 * len(key), 0
    for i in range(32 if size == 64 else 48):
        if i % 4 == 0:
            state = [a ^ b for a, b in zip(state, keys[i // 4 % len(keys)], strict=True)]
        constant = constant << 1 & 63 | (constant >> 5 ^ constant >> 4 ^ 1) & 1
        for row in range(4):
            state[4 * row] ^= row ^ (size >> 4 if row < 2 else size & 15)
            state[4 * row + 1] ^= constant >> 3 if row % 2 == 0 else constant & 7
        state = [_PRESENT_S[value] for value in state]
        state = [state[4 * row + (column + row) % 4] for row in range(4) for column in range(4)]
        for column in range(4):
            values = state[column::4]
            for _ in range(4):
                values = _matrix(_LED_A, values, 0x13)
            state[column::4] = values
    return _bytes([a ^ b for a, b in zip(state, keys[0], strict=True)])


def twine(key: bytes, block: bytes) -> bytes:
    """One block, by section 2 of the paper."""
    x, w, constant = _nibbles(block), _nibbles(key), 1
    used = (1, 3, 4, 6, 13, 14, 15, 16) if len(key) == 10 else (2, 3, 12, 15, 17, 18, 28, 31)
    for i in range(36):
        for j, at in enumerate(used):
            x[2 * j + 1] ^= _TWINE_S[x[2 * j] ^ w[at]]
        if i == 35:
            break
        moved = [0] * 16
        for source, to in enumerate(_TWINE_SHUFFLE):
            moved[to] = x[source]
        x = moved
        w[1] ^= _TWINE_S[w[0]]
        w[4] ^= _TWINE_S[w[16]]
        if len(key) == 16:
            w[23] ^= _TWINE_S[w[30]]
        w[7] ^= constant >> 3
        w[19] ^= constant & 7
        w = w[4:] + w[1:4] + w[:1]
        constant = _times(constant, 2, 0x43)
    return _bytes(x)


@cache
def _clefia_s0() -> list[int]:
    table = []
    for x in range(256):
        a, b = _CLEFIA_SS[0][x >> 4], _CLEFIA_SS[1][x & 15]
        table.append(
            _CLEFIA_SS[2][a ^ _times(2, b, 0x13)] << 4 | _CLEFIA_SS[3][_times(2, a, 0x13) ^ b]
        )
    return table


def _clefia_f(which: int, key: int, word: int) -> int:
    boxes = (_clefia_s0(), _CLEFIA_S1)
    column = [
        boxes[(i + which) % 2][value] for i, value in enumerate((key ^ word).to_bytes(4, "big"))
    ]
    return int.from_bytes(bytes(_matrix(_CLEFIA_M[which], column, 0x11D)), "big")


def _clefia_network(x: list[int], keys: Sequence[int]) -> list[int]:
    """GFN of sections 4.2.1 and 4.2.2, as many rounds as there are keys for."""
    half = len(x) // 2
    for i in range(0, len(keys), half):
        for j in range(half):
            x[2 * j + 1] ^= _clefia_f(j % 2, keys[i + j], x[2 * j])
        x = x[1:] + x[:1]
    return x[-1:] + x[:-1]


def _clefia_constants(value: int, count: int) -> list[int]:
    """CON of section 6.2."""
    constants = []
    for _ in range(count // 2):
        inverted = value ^ 0xFFFF
        constants.append((value ^ 0xB7E1) << 16 | (inverted << 1 | inverted >> 15) & 0xFFFF)
        constants.append((inverted ^ 0x243F) << 16 | (value << 8 | value >> 8) & 0xFFFF)
        value = (value ^ 0x1A831 if value & 1 else value) >> 1
    return constants


def _clefia_swap(words: Sequence[int]) -> list[int]:
    """DoubleSwap of section 4.4."""
    bits = "".join(f"{word:032b}" for word in words)
    bits = bits[7:64] + bits[121:128] + bits[:7] + bits[64:121]
    return [int(bits[i : i + 32], 2) for i in range(0, 128, 32)]


@cache
def _clefia_keys(key: bytes) -> tuple[list[int], list[int]]:
    """Whitening keys and round keys, by section 6."""
    k, short = (
        [int.from_bytes(key[i : i + 4], "big") for i in range(0, len(key), 4)],
        len(key) == 16,
    )
    if len(key) == 24:
        k += [k[0] ^ 0xFFFFFFFF, k[1] ^ 0xFFFFFFFF]
    first, steps, used = {16: (0x428A, 9, 24), 24: (0x7137, 11, 40), 32: (0xB5C0, 13, 40)}[len(key)]
    constants = _clefia_constants(first, used + 4 * steps)
    middle = _clefia_network([*k], constants[:used])
    halves, keys = [middle[:4], middle[4:]], []
    for i in range(steps):
        which = 0 if short else i // 2 % 2
        words = [a ^ b for a, b in zip(halves[which], constants[used + 4 * i :][:4], strict=True)]
        halves[which] = _clefia_swap(halves[which])
        if i % 2:
            other = k[:4] if short or which else k[4:]
            words = [a ^ b for a, b in zip(words, other, strict=True)]
        keys += words
    return (k if short else [a ^ b for a, b in zip(k[:4], k[4:], strict=True)]), keys


def clefia(key: bytes, block: bytes) -> bytes:
    """One block, by section 4 of RFC 6114."""
    white, keys = _clefia_keys(key)
    x = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 16, 4)]
    x[1], x[3] = x[1] ^ white[0], x[3] ^ white[1]
    x = _clefia_network(x, keys)
    x[1], x[3] = x[1] ^ white[2], x[3] ^ white[3]
    return b"".join(word.to_bytes(4, "big") for word in x)
