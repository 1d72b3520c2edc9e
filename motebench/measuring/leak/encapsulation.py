"""Secrets of a key encapsulation: coins, ciphertexts, and private keys.

The implementation itself encapsulates. A ciphertext that was changed must take the time of a good one, or it says what
implicit rejection hides (FIPS 203, 6.3). Private keys share one public matrix (`motebench.measuring.leak.ml_kem_keys`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from motebench.base.model import FailureKind, Operation, Scheme
from motebench.measuring.leak import special
from motebench.measuring.leak.inputs import Input, NotVaried, Variation, Varied, pooled
from motebench.measuring.work.jobs import encapsulated
from motebench.measuring.work.keys import by_seed, derived, public_key
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, Offer, ProbeFailure

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
    tried = [Input(name, replace(job, seed=coins)) for name, coins in special.patterns(length).items()]
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
        from motebench.measuring.leak.ml_kem_keys import SEED, pair

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
