"""Keys of ML-KEM that share one public matrix: FIPS 203, algorithm 13, from the seed of the matrix on.

The matrix is sampled until there are enough coefficients, so another matrix takes another time, and it is public. Keys
with one matrix differ in what is secret, and in what the secret decides.
"""

from __future__ import annotations

import hashlib
from functools import cache

from motebench.base.model import Scheme

Polynomial = list[int]
_Q, _N = 3329, 256
_RANKS = {512: (2, 3), 768: (3, 2), 1024: (4, 2)}
"""Rank of the matrix, and bound of a secret coefficient (eta 1): FIPS 203, table 2."""
SEED = 32
"""Bytes of each seed."""


def pair(scheme: Scheme, matrix: bytes, noise: bytes, rejection: bytes, *, zero: bool = False) -> tuple[bytes, bytes]:
    """Private and public key of seeds of 32 bytes: of the matrix (rho), of the noise (sigma), and z.

    ``zero``: all secret coefficients are 0. The key is as valid as another, and practically never drawn.
    """
    rank, eta = _RANKS[scheme.bits or 0]
    drawn = [_ntt(_small(noise, number, eta)) for number in range(2 * rank)]
    secret, error = drawn[:rank], drawn[rank:]
    if zero:
        secret = [[0] * _N for _ in secret]
    rows = _matrix(matrix, rank)
    sums = [_row(row, secret, start) for row, start in zip(rows, error, strict=True)]
    public = b"".join(map(_encoded, sums)) + matrix
    private = b"".join(map(_encoded, secret)) + public + hashlib.sha3_256(public).digest() + rejection
    return private, public


def _reversed(number: int) -> int:
    return int(f"{number:07b}"[::-1], 2)


_ZETAS = [pow(17, _reversed(number), _Q) for number in range(128)]
_GAMMAS = [pow(17, 2 * _reversed(number) + 1, _Q) for number in range(128)]


@cache
def _matrix(seed: bytes, rank: int) -> list[list[Polynomial]]:
    return [[_uniform(seed + bytes((column, row))) for column in range(rank)] for row in range(rank)]


def _uniform(seed: bytes) -> Polynomial:
    """Algorithm 7. The stream is longer than any that was ever needed; an exception if it is not."""
    stream = hashlib.shake_128(seed).digest(168 * 8)
    found = []
    for low, middle, high in zip(stream[::3], stream[1::3], stream[2::3], strict=True):
        found += [low | (middle & 15) << 8, middle >> 4 | high << 4]
    taken = [value for value in found if value < _Q][:_N]
    assert len(taken) == _N
    return taken


def _small(seed: bytes, number: int, eta: int) -> Polynomial:
    """Algorithm 8: differences of two sums of ``eta`` bits."""
    bits = int.from_bytes(hashlib.shake_256(seed + bytes((number,))).digest(64 * eta), "little")
    mask = (1 << eta) - 1
    parts = [bits >> eta * place & mask for place in range(2 * _N)]
    return [(plus.bit_count() - minus.bit_count()) % _Q for plus, minus in zip(parts[::2], parts[1::2], strict=True)]


def _ntt(values: Polynomial) -> Polynomial:
    """Algorithm 9."""
    out, number, length = list(values), 1, 128
    while length >= 2:
        for start in range(0, _N, 2 * length):
            for place in range(start, start + length):
                turned = _ZETAS[number] * out[place + length] % _Q
                out[place + length] = (out[place] - turned) % _Q
                out[place] = (out[place] + turned) % _Q
            number += 1
        length //= 2
    return out


def _row(row: list[Polynomial], secret: list[Polynomial], start: Polynomial) -> Polynomial:
    """A row of the matrix times the secret (algorithm 11), added to ``start``."""
    out = list(start)
    for a, b in zip(row, secret, strict=True):
        for place, gamma in zip(range(0, _N, 2), _GAMMAS, strict=True):
            out[place] += a[place] * b[place] + a[place + 1] * b[place + 1] * gamma
            out[place + 1] += a[place] * b[place + 1] + a[place + 1] * b[place]
    return [value % _Q for value in out]


def _encoded(values: Polynomial) -> bytes:
    """Twelve bits for each coefficient (algorithm 5)."""
    return sum(value << 12 * place for place, value in enumerate(values)).to_bytes(_N * 12 // 8, "little")
