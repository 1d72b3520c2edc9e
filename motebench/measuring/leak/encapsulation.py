"""Secrets of a key encapsulation: coins, ciphertexts, and private keys.

The implementation itself encapsulates. A ciphertext that was changed must take the time of a good one, or it says what
implicit rejection hides (FIPS 203, 6.3). Private keys share one public matrix: FIPS 203, algorithm
13, from the seed of the matrix on. The matrix is sampled until there are enough coefficients, so another matrix takes
another time, and it is public. Keys with one matrix differ in what is secret, and in what the secret decides.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from motebench.base.model import FailureKind, Operation, Scheme
from motebench.measuring.leak import inputs
from motebench.measuring.leak.inputs import Input, NotVaried, Variation, Varied, pooled
from motebench.measuring.work.jobs import by_seed, derived, encapsulated, public_key
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, Offer, ProbeFailure

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


POOL = 128
"""Number of random inputs that are made before noisy readings."""
_NO_COINS = "the implementation draws its coins itself"
_SEEDS = (
    "its private keys are seeds: another seed gives another public matrix, whose sampling takes another time for each"
)
_STRUCTURE = "its private keys have a structure, and motebench cannot make keys that share their public part"
_OPEN = "the scheme may reject a changed ciphertext openly, so that it was changed is no secret"


def of_kem(
    session: Session, scheme: Scheme, offer: Offer, job: Job, *, seed: int, timeout: float, exact: bool
) -> tuple[list[Variation], list[NotVaried]]:
    """The secrets of a job of a KEM. ProbeFailure if the implementation cannot make the inputs."""
    if job.operation == Operation.ENCAPSULATE.value:
        return _of_coins(session, scheme, offer, job, timeout)
    maker = _Maker(session, scheme, offer, job, timeout)
    source = random.Random(f"{seed} kem")

    def prepared(draw: Callable[[random.Random], Job]) -> Callable[[random.Random], Job]:
        return draw if exact else pooled([draw(source) for _ in range(POOL)])

    good = prepared(maker.good)
    found, left = [Variation(Varied.CIPHERTEXT, job, good)], []
    assert scheme.kem is not None
    if scheme.kem.implicit_rejection:
        found.append(_of_changed(job, maker, source))
    else:
        left.append(NotVaried(Varied.CHANGED, _OPEN))
    if scheme.algorithm != "ml-kem":
        left.append(NotVaried(Varied.KEY, _STRUCTURE))
    elif by_seed(scheme, offer):
        left.append(NotVaried(Varied.KEY, _SEEDS))
    else:
        tried = [Input("secret all zero", maker.keyed(source, zero=True))]
        found.append(Variation(Varied.KEY_CIPHERTEXT, job, prepared(maker.keyed), tried))
    return found, left


def _of_coins(
    session: Session, scheme: Scheme, offer: Offer, job: Job, timeout: float
) -> tuple[list[Variation], list[NotVaried]]:
    assert scheme.kem is not None
    length = scheme.kem.encapsulate_seed
    if not offer.seeds or not length:
        return [], [NotVaried(Varied.COINS, _NO_COINS)]
    tried = [Input(name, replace(job, seed=coins)) for name, coins in inputs.patterns(length).items()]
    first = replace(job, seed=derived(f"seed {scheme.name}", length))
    try:
        session.compute(first, timeout=timeout)
    except ProbeFailure as failure:
        if failure.kind is not FailureKind.UNSUPPORTED:
            raise
        return [], [NotVaried(Varied.COINS, f"{_NO_COINS}: {failure.message}")]
    return [
        Variation(Varied.COINS, first, lambda source: replace(job, seed=source.randbytes(length)), tried)
    ], []  # fmt: skip


class _Maker:
    """Makes jobs of ``decapsulate`` like one that is there."""

    def __init__(self, session: Session, scheme: Scheme, offer: Offer, job: Job, timeout: float) -> None:
        self._session, self._scheme, self._offer, self._job, self._timeout = session, scheme, offer, job, timeout
        self._public = public_key(scheme, offer)

    def good(self, source: random.Random) -> Job:
        """Another ciphertext for the same key."""
        return self._for(self._public, self._job.key, source)

    def keyed(self, source: random.Random, *, zero: bool = False) -> Job:
        """Another key with the same public matrix, and a ciphertext for it."""

        matrix, noise, rejection = self._public[-SEED:], source.randbytes(SEED), source.randbytes(SEED)
        private, public = pair(self._scheme, matrix, noise, rejection, zero=zero)
        return self._for(public, private, source)

    def changed(self, source: random.Random) -> Job:
        """The ciphertext with one byte changed, anywhere."""
        place = source.randrange(len(self._job.ciphertext))
        return self.at(place, source.randrange(1, 256))

    def at(self, place: int, change: int) -> Job:
        """The ciphertext with that byte changed."""
        out = bytearray(self._job.ciphertext)
        out[place] ^= change
        return self.of(bytes(out))

    def of(self, ciphertext: bytes) -> Job:
        """That ciphertext: its secret is not known."""
        return replace(self._job, ciphertext=ciphertext, answer=b"")

    def _for(self, public: bytes, private: bytes, source: random.Random) -> Job:
        assert self._scheme.kem is not None
        asked = Job(self._scheme.name, Operation.ENCAPSULATE.value, key=public)
        coins = source.randbytes(self._scheme.kem.encapsulate_seed)
        made = encapsulated(asked, coins, self._offer, self._session, self._timeout)
        if made.out is None:
            raise ProbeFailure(FailureKind.TOO_BIG, "the ciphertext does not fit a reply")
        return replace(self._job, key=private, ciphertext=made.out, answer=made.secret)


def _of_changed(job: Job, maker: _Maker, source: random.Random) -> Variation:
    length = len(job.ciphertext)
    last = length - 1
    tried = [
        Input("good", job),
        Input("another good one", maker.good(source)),
        Input("first bit changed", maker.at(0, 0x80)),
        Input("middle byte changed", maker.at(last // 2, 0xFF)),
        Input("last bit changed", maker.at(last, 0x01)),
        Input("all zero", maker.of(bytes(length))),
        Input("all ones", maker.of(b"\xff" * length)),
        Input("random bytes", maker.of(source.randbytes(length))),
    ]
    return Variation(Varied.CHANGED, maker.changed(source), maker.changed, tried, chosen=0)
