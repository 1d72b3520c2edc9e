"""Costs of signing where the number of attempts depends on the message: a set of messages is
signed. Verifying hash-based signatures takes steps of hash chains in their place. Key generation of
RSA searches for primes: a set of keys is generated, and its candidates are not known.

Each message is signed several times, and the fastest counts: the work is always the same, and what
disturbs only adds. If an implementation is deterministic, the attempts of
each message are known (``catalog/attempts``). A line through times and attempts then gives the cost
of an attempt and of what is done once, and with the expected attempts a mean that hardly depends on
the set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Literal, TypedDict

from motebench.base.errors import InputError
from motebench.base.model import Evidence, FailureKind, Operation, Scheme
from motebench.base.naming import chooses, split_list
from motebench.catalog import schemes
from motebench.catalog.vectors.hash_based import can_sign, signed_fast, steps_expected
from motebench.catalog.vectors.keys import MESSAGE_BYTES, attempts, public_key, with_attempts
from motebench.documents.costs import SigningEntry, SigningRow
from motebench.measuring.verify.admission import gate
from motebench.measuring.work.jobs import private_key
from motebench.stats.distributions import student_quantile
from motebench.targets.base import Session, Target
from motebench.targets.registry import EVERY, chosen_implementations, open_target
from motebench.targets.wire.messages import Fill, Job, ProbeFailure, fill

_READINGS = 5
"""Signatures of each message on a host; simulated boards repeat to the cycle."""
_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """Straight line, ``beside + slope * attempts``; ``off``: the largest relative distance of a
    point from it.
    """

    beside: float
    slope: float
    off: float


class TimesSummary(TypedDict):
    """The keys of a `SigningRow` that follow from times and attempts."""

    mean: float
    median: float
    p99: float
    longest: float
    attempts: float | None
    per_attempt: float | None
    beside: float | None
    normalised: float | None
    unexplained: float | None


def line(counts: Sequence[int], times: Sequence[float]) -> AttemptLine:
    """Least squares. ValueError if all counts are equal."""
    x, y = fmean(counts), fmean(times)
    spread = math.fsum((count - x) ** 2 for count in counts)
    if spread == 0:
        raise ValueError("all messages take the same number of attempts")
    slope = (
        math.fsum((count - x) * (time - y) for count, time in zip(counts, times, strict=True))
        / spread
    )
    beside = y - slope * x
    off = max(
        abs(time / (beside + slope * count) - 1) for count, time in zip(counts, times, strict=True)
    )
    return AttemptLine(beside, slope, off)


def nearest_rank(times: Sequence[float], share: float) -> float:
    """The smallest time that at least this share of them does not exceed."""
    return sorted(times)[max(math.ceil(share * len(times)) - 1, 0)]


def measure(
    targets: Sequence[str],
    implementations: Sequence[str],
    patterns: Sequence[str],
    count: int,
    first: int,
    report: Callable[[str], None],
    *,
    keygen: bool = False,
) -> SigningEntry:
    """Sign ``count`` messages from seed ``first`` on, or generate as many keys. InputError for
    schemes and seeds that are not there."""
    names = _searching(patterns) if keygen else _signing(patterns)
    rows: list[SigningRow] = []
    failures: list[str] = []
    selected, measured = (
        split_list(implementations) or [EVERY],
        [schemes()[scheme] for scheme in names],
    )
    for name in targets or ("host",):
        target = open_target(name, where="--target")
        try:
            for implementation in chosen_implementations(target, selected, measured):
                session = target.open(implementation)
                try:
                    for scheme in _offered(session, names, keygen=keygen):
                        report(
                            f"{scheme} by {implementation} on {name}: {count} "
                            f"{'keys' if keygen else 'messages'}"
                        )
                        try:
                            rows.append(
                                _measured(
                                    target,
                                    implementation,
                                    session,
                                    scheme,
                                    count,
                                    first,
                                    keygen=keygen,
                                )
                            )
                        except ProbeFailure as failure:
                            case = f"{scheme} {implementation} on {name}"
                            failures.append(f"{case}: {failure.kind.value}: {failure.message}")
                finally:
                    session.close()
        finally:
            target.place.close()
    return SigningEntry(rows=tuple(rows), failures=tuple(failures))


def _searching(patterns: Sequence[str]) -> list[str]:
    """Schemes whose keys take a search for primes. InputError if none matches."""
    chosen = _matching([name for name in schemes() if searches_primes(name)], patterns)
    if not chosen:
        raise InputError(
            "no scheme whose keys take a search for primes matches", where="--scheme", valid="rsa-*"
        )
    return chosen


def _signing(patterns: Sequence[str]) -> list[str]:
    """Schemes whose attempts or steps are known. InputError if none matches."""
    names = with_attempts()
    chosen = _matching([*names, *filter(can_sign, schemes())] if patterns else names, patterns)
    if not chosen:
        valid = f"{', '.join(names)}; lms-*, hss-*, xmss-*, xmssmt-*, slh-dsa-* to verify"
        raise InputError(
            "no scheme whose attempts are known matches", where="--scheme", valid=valid
        )
    return chosen


def _matching(names: Iterable[str], patterns: Sequence[str]) -> list[str]:
    return [
        name
        for name in names
        if not patterns or any(chooses(part, name) for part in split_list(patterns))
    ]


def _offered(session: Session, names: Sequence[str], *, keygen: bool) -> list[str]:
    """Schemes, of the given ones, that the implementation offers, with generation of keys if that
    is measured.
    """
    offers = session.offers()
    offered = [name for name in names if name in offers]
    return [
        name for name in offered if not keygen or Operation.KEYGEN.value in offers[name].operations
    ]


def _measured(
    target: Target,
    implementation: str,
    session: Session,
    scheme: str,
    count: int,
    first: int,
    *,
    keygen: bool,
) -> SigningRow:
    measured = _generated if keygen else _verified if can_sign(scheme) else _one
    return measured(target, implementation, session, schemes()[scheme], count, first)


def searches_primes(scheme: str) -> bool:
    """True if its keys are a random number of candidates away: RSA."""
    return scheme.startswith("rsa-")


def _generated(
    target: Target, implementation: str, session: Session, scheme: Scheme, count: int, first: int
) -> SigningRow:
    """Keys, each generated once: how long it takes is random, so the fastest of several would not
    be the same work.
    """
    if failure := gate(session, scheme.name, target=target.name, implementation=implementation):
        raise ProbeFailure(failure.kind, failure.message)
    job = Job(scheme.name, Operation.KEYGEN.value)
    session.compute(job, timeout=_SECONDS)  # what is done once for a process
    times = [_timed(session, scheme, job, 1)[0] for _ in range(count)]
    return _row(
        _Subject(target, implementation, session, scheme, first), "keygen", times, None, None
    )


def mean_interval(times: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean by Student's t, of at least two times."""
    half = student_quantile(len(times) - 1, 0.975) * stdev(times) / math.sqrt(len(times))
    return fmean(times) - half, fmean(times) + half


def _one(
    target: Target, implementation: str, session: Session, scheme: Scheme, count: int, first: int
) -> SigningRow:
    table = attempts(scheme.name)
    assert table is not None
    last = first + count - 1
    if last > len(table.of_seed):
        raise InputError(
            f"the attempts of message {last} are unknown",
            where="--first, --messages",
            valid=f"messages 1 to {len(table.of_seed)}",
        )
    if failure := gate(session, scheme.name, target=target.name, implementation=implementation):
        raise ProbeFailure(failure.kind, failure.message)
    exact = target.place.exact
    jobs = [_job(session, scheme, seed) for seed in range(first, first + count)]
    drawn = (
        session.compute(jobs[0], timeout=_SECONDS).crc
        != session.compute(jobs[0], timeout=_SECONDS).crc
    )
    times = [_time(session, scheme, job, 1 if exact or drawn else _READINGS) for job in jobs]
    counts = None if drawn else table.of_seed[first - 1 : last]
    return _row(
        _Subject(target, implementation, session, scheme, first),
        "sign",
        times,
        counts,
        table.expected,
    )


def _verified(
    target: Target, implementation: str, session: Session, scheme: Scheme, count: int, first: int
) -> SigningRow:
    """Verifying hash-based signatures, which are made here."""
    if failure := gate(session, scheme.name, target=target.name, implementation=implementation):
        raise ProbeFailure(failure.kind, failure.message)
    exact = target.place.exact
    counts, times = [], []
    for seed in range(first, first + count):
        made = signed_fast(scheme.name, fill(seed, MESSAGE_BYTES))
        data = Fill(seed, MESSAGE_BYTES)
        job = Job(
            scheme.name,
            Operation.VERIFY.value,
            key=made.public,
            data=data,
            signature=made.signature,
        )
        if session.compute(job, timeout=_SECONDS).rejected:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER, f"the signature of message {seed} does not verify"
            )
        counts.append(made.steps)
        times.append(_timed(session, scheme, job, 1 if exact else _READINGS)[0])
    expected = steps_expected(scheme.name)
    return _row(
        _Subject(target, implementation, session, scheme, first), "verify", times, counts, expected
    )


@dataclass(frozen=True)
class _Subject:
    """Session of an implementation that signs, verifies or generates keys, and the seed of the
    first message."""

    target: Target
    implementation: str
    session: Session
    scheme: Scheme
    first: int


def _row(
    subject: _Subject,
    operation: Literal["sign", "verify", "keygen"],
    times: Sequence[float],
    counts: Sequence[int] | None,
    expected: float | None,
) -> SigningRow:
    low, high = mean_interval(times) if operation == "keygen" else (None, None)
    hello = subject.session.hello_of(subject.scheme.name)
    return SigningRow(
        scheme=subject.scheme.name,
        implementation=subject.implementation,
        target=subject.target.name,
        operation=operation,
        version=hello.version,
        evidence="simulated" if subject.target.place.evidence is Evidence.SIMULATED else "measured",
        clock_hz=hello.clock.hz if hello.device else None,
        messages=len(times),
        first=subject.first,
        expected_attempts=expected,
        mean_low=low,
        mean_high=high,
        **summary(times, counts, expected),
    )


def _job(session: Session, scheme: Scheme, seed: int) -> Job:
    key = private_key(scheme, session.offers()[scheme.name])
    return Job(scheme.name, Operation.SIGN.value, key=key, data=Fill(seed, MESSAGE_BYTES))


def _time(session: Session, scheme: Scheme, job: Job, readings: int) -> float:
    """Seconds of a signature, which is verified. ProbeFailure otherwise."""
    seconds, signature = _timed(session, scheme, job, readings)
    public = public_key(scheme.name)
    check = Job(scheme.name, Operation.VERIFY.value, key=public, data=job.data, signature=signature)
    if session.compute(check, timeout=_SECONDS).rejected:
        raise ProbeFailure(FailureKind.WRONG_ANSWER, "a signature that it made does not verify")
    return seconds


def _timed(session: Session, scheme: Scheme, job: Job, readings: int) -> tuple[float, bytes]:
    """Seconds of the fastest reading, and the output."""
    timing = session.measure(
        job, batch=1, count=readings, warm=0 if readings == 1 else 1, timeout=_SECONDS
    )
    clock = session.hello_of(scheme.name).clock
    return (min(timing.ticks) - clock.overhead) / clock.hz, timing.out or b""


def summary(
    times: Sequence[float], counts: Sequence[int] | None, expected: float | None
) -> TimesSummary:
    """Summary of a set of times. ``counts``: the attempts of each; None where they cannot be
    known.
    """
    fit = line(counts, times) if counts and len(set(counts)) > 1 else None
    return {
        "mean": fmean(times),
        "median": median(times),
        "p99": nearest_rank(times, 0.99),
        "longest": max(times),
        "attempts": fmean(counts) if counts else None,
        "per_attempt": fit.slope if fit else None,
        "beside": fit.beside if fit else None,
        "normalised": fit.beside + fit.slope * expected if fit and expected is not None else None,
        "unexplained": fit.off if fit else None,
    }
