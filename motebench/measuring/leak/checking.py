"""Findings of a leak test: one for each secret of each operation, and why a secret cannot be
varied.

Where every cycle is counted, two inputs that differ in cycles prove a leak; elsewhere statistics
decide.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Protocol

from motebench.base.model import Case, Failure, FailureKind, Kind, Operation, Scheme
from motebench.documents.leak import LeakVerdict
from motebench.measuring.leak import inputs
from motebench.measuring.leak.inputs import (
    Input,
    NotVaried,
    Variation,
    Varied,
    accepted_by,
    of_kem,
    pooled,
    rejections,
    variations,
)
from motebench.measuring.leak.statistical import Suspicion, Taken, suspect, unheard
from motebench.measuring.verify.admission import refusal
from motebench.measuring.work import jobs
from motebench.targets.base import Session, Target
from motebench.targets.code.building import UserCode
from motebench.targets.registry import open_target
from motebench.targets.settings import changed, parse
from motebench.targets.wire.messages import Job, Offer, ProbeFailure

_ATTEMPTS = ("ml-dsa", "fn-dsa", "falcon")
"""Algorithms whose signing repeats until a signature fits."""
_SCALARS = ("ed25519", "ecdsa")
"""Algorithms whose private keys are bytes that can be drawn."""
_RSA_KEYS = 8
"""Keys of RSA that are made: each takes a search for primes."""
_OWN_SECONDS = 600.0
_ATTEMPTS_WORDS = (
    "signing repeats until a signature fits, and the number of attempts and each challenge decide "
    "its time: public by design, and no two messages, keys or coins share them. `motebench "
    "signing` shows the time of an attempt"
)
_KEYGEN_WORDS = (
    "key generation draws its key itself, or from a seed that decides the public part too: a "
    "search for primes, or the sampling of a public matrix, takes another time for each"
)


def secrets(
    session: Session,
    scheme: Scheme,
    offer: Offer,
    job: Job,
    *,
    seed: int,
    timeout: float,
    exact: bool,
) -> tuple[list[Variation], list[NotVaried]]:
    """Secrets of the job that can be varied, and those that cannot. Where readings are noisy (not
    ``exact``), costly inputs are made before the first of them. ProbeFailure from the session."""
    operation = Operation(job.operation)
    if operation is Operation.KEYGEN:
        return [], [NotVaried(Varied.KEY, _KEYGEN_WORDS)]
    if scheme.kind is Kind.KEM:
        return of_kem(session, scheme, offer, job, seed=seed, timeout=timeout, exact=exact)
    if scheme.kind is Kind.SIGNATURE and operation is Operation.SIGN:
        return _of_signing(session, scheme, offer, job, seed)
    return [
        *variations(scheme, job),
        *rejections(session, scheme, offer, job, seed=seed, timeout=timeout),
    ], []


def _of_signing(
    session: Session, scheme: Scheme, offer: Offer, job: Job, seed: int
) -> tuple[list[Variation], list[NotVaried]]:
    if scheme.algorithm in _ATTEMPTS:
        return [], [NotVaried(Varied.BOTH, _ATTEMPTS_WORDS)]
    varied = variations(scheme, job)
    if scheme.algorithm in _SCALARS:
        return [_of_scalars(scheme, job), *varied], []
    if scheme.algorithm == "rsa" and Operation.KEYGEN.value in offer.operations:
        try:
            return [_of_made_keys(session, scheme, job, seed), *varied], []
        except ProbeFailure as failure:
            return varied, [NotVaried(Varied.KEY, f"it makes no keys: {failure.message}")]
    return varied, [
        NotVaried(Varied.KEY, "its keys have a structure, and the implementation makes none here")
    ]


def _of_scalars(scheme: Scheme, job: Job) -> Variation:
    length = len(job.key)
    tried = [
        Input(name, replace(job, key=key))
        for name, key in inputs.keys(scheme.algorithm, length).items()
    ]

    def drawn(source: random.Random) -> Job:
        return replace(job, key=inputs.random_key(scheme.algorithm, length, source))

    return Variation(Varied.KEY, job, drawn, tried)


def _of_made_keys(session: Session, scheme: Scheme, job: Job, seed: int) -> Variation:
    """Keys that the implementation makes: it draws them, so they are others each time; the output
    has their bytes.
    """
    make = Job(scheme.name, Operation.KEYGEN.value)
    made = [session.compute(make, timeout=_OWN_SECONDS).out or b"" for _ in range(_RSA_KEYS)]
    drawn = pooled([replace(job, key=key) for key in made])
    return Variation(Varied.KEY, drawn(random.Random(seed)), drawn)


_AGAIN = 3
"""Number of times that the two inputs of a pair are measured again, in turn, before they count as a
proof."""


@dataclass(frozen=True, slots=True)
class CycleSpread:
    """Cycles over many inputs: ``low`` and ``high`` are the inputs with the fewest and the most.

    ``repeats``: the same input took the same cycles each time; if not, something other than the
    input decides. ``refused``: special inputs that the implementation refuses, with its message.
    ``accepted``: cycles of the input that is timed for comparison only.
    """

    varied: Varied
    samples: int
    fewest: int
    most: int
    distinct: int
    low: Input
    high: Input
    repeats: bool
    refused: dict[str, str]
    accepted: int | None = None

    @property
    def constant(self) -> bool:
        """True if all inputs took the same cycles."""
        return self.fewest == self.most

    @property
    def leaks(self) -> bool:
        """True if two inputs differ in cycles each time they are measured."""
        return not self.constant and self.repeats


def examine(
    session: Session,
    variation: Variation,
    *,
    samples: int,
    seed: int,
    timeout: float,
    taken: Taken = unheard,
) -> CycleSpread:
    """Count the cycles of ``samples`` inputs: the special ones first, then random ones.
    ProbeFailure if a random input fails."""
    source = random.Random(f"{seed} {variation.varied}")
    specials, refused = accepted_by(session, variation.specials, timeout)
    randoms = (Input("random", variation.draw(source)) for _ in range(samples))
    inputs = islice(chain((Input("first", variation.job),), specials, randoms), samples)
    counted = []
    for number, item in enumerate(inputs):
        taken(number, samples)
        counted.append((cycles(session, item.job, timeout), item))
    low, high = (choose(counted, key=lambda pair: pair[0]) for choose in (min, max))
    again = [
        cycles(session, item.job, timeout) == count
        for _ in range(_AGAIN)
        for count, item in (low, high)
    ]
    accepted = None if variation.accepted is None else cycles(session, variation.accepted, timeout)
    distinct = len({count for count, _ in counted})
    return CycleSpread(
        variation.varied,
        len(counted),
        low[0],
        high[0],
        distinct,
        low[1],
        high[1],
        all(again),
        refused,
        accepted,
    )


def cycles(session: Session, job: Job, timeout: float) -> int:
    """Cycles of one operation, without the harness overhead."""
    hello = session.hello_of(job.scheme)
    counter = hello.counter
    timing = session.measure(job, batch=1, count=1, warm=0, timeout=timeout)
    if counter is None or timing.counts is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "the board does not count cycles")
    return round(timing.counts[0] - counter.overhead)


@dataclass(frozen=True, slots=True)
class LeakQuestion:
    """The question of an examination. Sizes in bytes, ``timeout`` in seconds for one request."""

    implementation: str
    schemes: Sequence[Scheme]
    operations: Sequence[Operation]
    size: int
    samples: int
    seed: int
    timeout: float = 300.0
    code: UserCode | None = None
    """The user code, if the implementation is user code."""


@dataclass(frozen=True, slots=True)
class WithoutCache:
    """Cycles of the same two inputs with the cache of the flash off."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LeakFinding:
    """The result of varying one secret of one operation: counted cycles, or statistics."""

    scheme: str
    operation: Operation
    input_bytes: int
    result: CycleSpread | Suspicion
    without_cache: WithoutCache | None = None

    @property
    def varied(self) -> Varied:
        """Name of the secret."""
        return self.result.varied

    @property
    def leaks(self) -> bool:
        """True if the time depends on the secret, as far as the readings show."""
        return self.result.leaks

    @property
    def verdict(self) -> LeakVerdict:
        """The verdict as text."""
        if self.leaks:
            return LeakVerdict.LEAKS
        if isinstance(self.result, CycleSpread):
            return LeakVerdict.CONSTANT if self.result.constant else LeakVerdict.UNSTEADY
        return LeakVerdict.NOTHING if self.result.fit else LeakVerdict.UNFIT


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A secret of an examined operation that was not varied, and why."""

    scheme: str
    operation: Operation
    varied: Varied
    reason: str


def usual_operations(scheme: Scheme) -> tuple[Operation, ...]:
    """The default operations of a scheme: those that a run measures, key set-up, long messages of
    AEADs, padding.
    """
    setup = (Operation.KEY_SETUP,) if Operation.KEY_SETUP in scheme.operations else ()
    padding = (Operation.DECRYPT_MESSAGE,) if scheme.mode == "cbc" else ()
    long = (Operation.ENCRYPT, Operation.DECRYPT) if scheme.kind is Kind.AEAD else ()
    measured = (
        operation for operation in scheme.default_operations if operation is not Operation.VERIFY
    )
    return (*setup, *long, *measured, *padding)


def cases_of(target: Target, offers: Mapping[str, Offer], question: LeakQuestion) -> list[Case]:
    """The operations to examine, by scheme: those that are offered."""
    return [
        _case(target, question, scheme, offers[scheme.name], operation)
        for scheme in question.schemes
        for operation in question.operations or usual_operations(scheme)
        if operation.value in offers[scheme.name].operations
    ]


def _case(
    target: Target, question: LeakQuestion, scheme: Scheme, offer: Offer, operation: Operation
) -> Case:
    size = question.size if operation.sized else 0
    if operation in (Operation.ENCRYPT, Operation.DECRYPT) and offer.block > 1:
        size = max(offer.block, size // offer.block * offer.block)
    return Case(
        scheme.name, question.implementation, operation, size, target.name, question.implementation
    )


def not_admitted(
    target: Target, session: Session, question: LeakQuestion, scheme: str
) -> Failure | None:
    """Failure for which a scheme is not examined, with its known answers or otherwise; None if it
    can be examined."""
    try:
        return refusal(
            session,
            scheme,
            target=target,
            implementation=question.implementation,
            code=question.code,
        )
    except ProbeFailure as failure:
        return Failure(scheme, question.implementation, target.name, failure.kind, failure.message)


class SecretListener(Protocol):
    """Hears how far a case is."""

    def reading(self, varied: Varied, secrets: tuple[int, int], readings: tuple[int, int]) -> None:
        """Readings of a secret are about to be taken. Both tuples: how many are done, of how
        many.
        """
        ...


def findings_of(
    target: Target, session: Session, question: LeakQuestion, case: Case, listener: SecretListener
) -> Iterator[LeakFinding | LeftOut]:
    """The result of varying each secret of a case. ProbeFailure if something cannot be examined."""
    scheme = next(scheme for scheme in question.schemes if scheme.name == case.scheme)
    offer, operation = session.offers()[scheme.name], case.operation
    job = jobs.build(case, scheme, offer, session, question.timeout)
    samples, seed, timeout = question.samples, question.seed, question.timeout
    exact = target.place.exact
    possible, left = secrets(session, scheme, offer, job, seed=seed, timeout=timeout, exact=exact)
    if left and not possible:
        reasons = "; ".join(f"{item.varied.value}: {item.reason}" for item in left)
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"nothing to vary: {reasons}")
    for item in left:
        yield LeftOut(scheme.name, operation, item.varied, item.reason)
    for number, variation in enumerate(possible):
        taken = partial(_tell, listener, variation.varied, (number, len(possible)))
        if exact:
            spread = examine(
                session, variation, samples=samples, seed=seed, timeout=timeout, taken=taken
            )
            without = _without_cache(target, question, spread)
            yield LeakFinding(scheme.name, operation, case.input_bytes, spread, without)
        else:
            suspicion = suspect(
                session, variation, samples=samples, seed=seed, timeout=timeout, taken=taken
            )
            yield LeakFinding(scheme.name, operation, case.input_bytes, suspicion)


def _tell(
    listener: SecretListener, varied: Varied, secrets: tuple[int, int], done: int, total: int
) -> None:
    listener.reading(varied, secrets, (done, total))


def _without_cache(
    target: Target, question: LeakQuestion, spread: CycleSpread
) -> WithoutCache | None:
    """The same pair on a board with the cache of the flash off, if a leak was found with the cache
    on.
    """
    board = parse(target.name)
    if not spread.leaks or board is None or not board[0].cache or board[1].no_cache:
        return None
    (name,) = changed([target.name], None, True)
    code = {} if question.code is None else {question.code.name: question.code}
    session = open_target(name, code=code).open(question.implementation)
    try:
        return WithoutCache(
            *(cycles(session, job, question.timeout) for job in (spread.low.job, spread.high.job))
        )
    finally:
        session.close()


def usual_schemes(offered: Sequence[Scheme]) -> list[Scheme]:
    """The default schemes of an implementation: for block ciphers ECB only, not every mode."""
    plain = [scheme for scheme in offered if scheme.mode == "ecb"]
    return plain or list(offered)
