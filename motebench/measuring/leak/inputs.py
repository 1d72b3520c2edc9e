"""The inputs that vary at random while all others stay the same, and the special values that are tried as well."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from motebench.base.model import Kind, Operation, Scheme
from motebench.measuring.leak import special
from motebench.targets.wire.messages import Fill, Job, fill

_KEYED = (Kind.CIPHER, Kind.STREAM, Kind.AEAD, Kind.MAC, Kind.AGREEMENT)
"""Kinds of schemes whose keys are bytes that can be drawn: any, or those in a range (`special.random_key`)."""
_OF_THE_KEY = (Operation.KEY_SETUP, Operation.AGREE)
"""Operations without a message."""
FIXED = 2
"""Number of random inputs that are also tried as fixed ones, in addition to the special ones."""


class Varied(StrEnum):
    """The input that varies."""

    KEY = "key"
    MESSAGE = "message"
    BOTH = "key and message"
    PEER = "peer's key"
    """The peer's public key: not secret, but chosen by a peer who may learn something of the own key from the time."""
    TAG = "forged tag"
    """A forged tag: a forger must not learn how much of it is right."""
    BAD_PADDING = "bad padding"
    """Bad padding: its position is secret."""
    PADDING = "padding, good or bad"
    """Good and bad padding: whether it is good is the answer of a padding oracle."""
    COINS = "coins"
    """The seed of an encapsulation: its secret follows from it."""
    CIPHERTEXT = "ciphertext"
    """Good ciphertexts of one key: each has another secret."""
    CHANGED = "ciphertext, good or changed"
    """Good and changed ciphertexts: implicit rejection hides which it is."""
    KEY_CIPHERTEXT = "key and ciphertext"
    """Private keys of a KEM, each with a good ciphertext."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input, with its name."""

    name: str
    job: Job


@dataclass(frozen=True, slots=True)
class Variation:
    """A job and the input that varies.

    ``draw``: a new random input. ``specials``: inputs that are all tried. ``chosen``: number of random inputs that are
    also tried as fixed ones. ``accepted``: an input that is timed for comparison only, since its result is no secret.
    """

    varied: Varied
    job: Job
    draw: Callable[[random.Random], Job]
    specials: Sequence[Input] = ()
    chosen: int = FIXED
    accepted: Job | None = None


@dataclass(frozen=True, slots=True)
class NotVaried:
    """A secret that is not varied, and why."""

    varied: Varied
    reason: str


def pooled(jobs: list[Job]) -> Callable[[random.Random], Job]:
    """Draws from inputs that are made already."""
    return lambda source: source.choice(jobs)


def data_of(job: Job) -> bytes:
    """The message of a job as bytes."""
    return fill(job.data.seed, job.data.length) if isinstance(job.data, Fill) else job.data


def anew(job: Job, decoy: bytes = b"") -> Job:
    """The same input, copied to separate memory."""
    return replace(
        job,
        key=bytes(bytearray(job.key)),
        data=bytes(bytearray(data_of(job))),
        tag=bytes(bytearray(job.tag)),
        peer=bytes(bytearray(job.peer)),
        ciphertext=bytes(bytearray(job.ciphertext)),
        seed=bytes(bytearray(job.seed)),
        decoy=decoy,
    )


def variations(scheme: Scheme, job: Job) -> list[Variation]:
    """The secrets of the job that can be varied; empty if it has none, or none that may be any bytes.

    Module `secrets` has the keys of signatures, and KEMs; `rejections` the inputs that a
    decryption rejects.
    """
    fixed = replace(job, data=data_of(job))
    operation = Operation(job.operation)
    if operation in (Operation.VERIFY, Operation.KEYGEN):
        return []
    key = scheme.kind in _KEYED and bool(job.key)
    message = operation not in _OF_THE_KEY and bool(fixed.data)
    found = []
    if key:
        found.append(_of_keys(scheme, fixed))
    if message:
        found.append(_of_messages(fixed))
    if key and message:
        found.append(_of_both(fixed))
    if operation is Operation.AGREE and special.points(scheme.algorithm):
        found.append(_of_peers(scheme, fixed))
    return found


def _of_keys(scheme: Scheme, job: Job) -> Variation:
    length = len(job.key)
    named = special.keys(scheme.algorithm, length)
    tried = [Input(name, replace(job, key=key)) for name, key in named.items()]
    return Variation(
        Varied.KEY, job, lambda source: replace(job, key=special.random_key(scheme.algorithm, length, source)), tried
    )


def _of_messages(job: Job) -> Variation:
    length = len(data_of(job))
    tried = [Input(name, replace(job, data=data)) for name, data in special.patterns(length).items()]
    return Variation(Varied.MESSAGE, job, lambda source: replace(job, data=source.randbytes(length)), tried)


def _of_peers(scheme: Scheme, job: Job) -> Variation:
    length = len(job.peer)
    tried = [Input(name, replace(job, peer=point)) for name, point in special.points(scheme.algorithm).items()]
    return Variation(Varied.PEER, job, lambda source: replace(job, peer=source.randbytes(length)), tried)


def _of_both(job: Job) -> Variation:
    of_key, of_data = len(job.key), len(data_of(job))

    def drawn(source: random.Random) -> Job:
        return replace(job, key=source.randbytes(of_key), data=source.randbytes(of_data))

    tried = [
        Input(f"key all {one}, message all {two}", replace(job, key=first * of_key, data=second * of_data))
        for one, first in (("zero", b"\x00"), ("ones", b"\xff"))
        for two, second in (("zero", b"\x00"), ("ones", b"\xff"))
    ]
    return Variation(Varied.BOTH, job, drawn, tried)
