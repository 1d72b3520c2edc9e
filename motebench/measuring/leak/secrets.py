"""The secrets of one operation: those that can be varied, and the reasons for those that cannot."""

from __future__ import annotations

import random
from dataclasses import replace

from motebench.base.model import Kind, Operation, Scheme
from motebench.measuring.leak import inputs
from motebench.measuring.leak.encapsulation import of_kem
from motebench.measuring.leak.inputs import Input, NotVaried, Variation, Varied, pooled, variations
from motebench.measuring.leak.rejections import rejections
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, Offer, ProbeFailure

_ATTEMPTS = ("ml-dsa", "fn-dsa", "falcon")
"""Algorithms whose signing repeats until a signature fits."""
_SCALARS = ("ed25519", "ecdsa")
"""Algorithms whose private keys are bytes that can be drawn."""
_RSA_KEYS = 8
"""Keys of RSA that are made: each takes a search for primes."""
_OWN_SECONDS = 600.0
_ATTEMPTS_WORDS = (
    "signing repeats until a signature fits, and the number of attempts and each challenge decide its time: public by "
    "design, and no two messages, keys or coins share them. `motebench signing` shows the time of an attempt"
)
_KEYGEN_WORDS = (
    "key generation draws its key itself, or from a seed that decides the public part too: a search for primes, or the "
    "sampling of a public matrix, takes another time for each"
)


def secrets(
    session: Session, scheme: Scheme, offer: Offer, job: Job, *, seed: int, timeout: float, exact: bool
) -> tuple[list[Variation], list[NotVaried]]:
    """What can be varied in the job. Where readings are noisy (not ``exact``), costly inputs are made before the first
    of them. ProbeFailure from the session."""
    operation = Operation(job.operation)
    if operation is Operation.KEYGEN:
        return [], [NotVaried(Varied.KEY, _KEYGEN_WORDS)]
    if scheme.kind is Kind.KEM:
        return of_kem(session, scheme, offer, job, seed=seed, timeout=timeout, exact=exact)
    if scheme.kind is Kind.SIGNATURE and operation is Operation.SIGN:
        return _of_signing(session, scheme, offer, job, seed)
    return [*variations(scheme, job), *rejections(session, scheme, offer, job, seed=seed, timeout=timeout)], []


def _of_signing(
    session: Session, scheme: Scheme, offer: Offer, job: Job, seed: int
) -> tuple[list[Variation], list[NotVaried]]:
    if scheme.algorithm in _ATTEMPTS:
        return [], [NotVaried(Varied.BOTH, _ATTEMPTS_WORDS)]
    found = variations(scheme, job)
    if scheme.algorithm in _SCALARS:
        return [_of_scalars(scheme, job), *found], []
    if scheme.algorithm == "rsa" and Operation.KEYGEN.value in offer.operations:
        try:
            return [_of_made_keys(session, scheme, job, seed), *found], []
        except ProbeFailure as failure:
            return found, [NotVaried(Varied.KEY, f"it makes no keys: {failure.message}")]
    return found, [NotVaried(Varied.KEY, "its keys have a structure, and the implementation makes none here")]


def _of_scalars(scheme: Scheme, job: Job) -> Variation:
    length = len(job.key)
    tried = [Input(name, replace(job, key=key)) for name, key in inputs.keys(scheme.algorithm, length).items()]

    def drawn(source: random.Random) -> Job:
        return replace(job, key=inputs.random_key(scheme.algorithm, length, source))

    return Variation(Varied.KEY, job, drawn, tried)


def _of_made_keys(session: Session, scheme: Scheme, job: Job, seed: int) -> Variation:
    """Keys that the implementation makes: it draws them, so they are others each time; the output has their bytes."""
    make = Job(scheme.name, Operation.KEYGEN.value)
    made = [session.compute(make, timeout=_OWN_SECONDS).out or b"" for _ in range(_RSA_KEYS)]
    drawn = pooled([replace(job, key=key) for key in made])
    return Variation(Varied.KEY, drawn(random.Random(seed)), drawn)
