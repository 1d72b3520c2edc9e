"""Leaks with noisy readings: fixed inputs against random ones, in random order, as dudect does it.

There are up to three arms, which differ in what the caches hold when an input is timed. In the
first, each input is computed right before: early exits, and instructions whose time depends on
their operands, show with the least noise, but a look-up in a table finds its entry in the caches.
In the second, many inputs are prepared before any of them is timed: a look-up with a fixed input
finds what an earlier one left, a random one often does not. In the third, other data also go
through the caches before each: the number of different entries that an operation looks up shows.

Every reading has its label before it is taken, and the loop that takes readings knows no labels: it
processes one prepared input after another. The control is part of the same readings. Each class has
two labels: those of a fixed input stand for equal bytes, those of random inputs for two ways to the
same distribution. If two labels of one class differ, something other than the input decides, and
there is no conclusion.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from motebench.documents.leak import LeakCaches
from motebench.measuring.leak.inputs import Input, Variation, Varied, accepted_by, anew
from motebench.stats.leak import FEWEST, Floats, Judgement, LeakShift, judge, shift
from motebench.targets.base import Session
from motebench.targets.wire.messages import EACH, MOST_EACH, Job

Taken = Callable[[int, int], None]
"""Listener for the number of readings of a secret that were taken, and of all; called before more
are taken.
"""
_BLOCK = 1000
"""Number of inputs that are prepared before they are measured one after another."""
_DECOY_BYTES = 32
_MOST_AT_ONCE, _FEWEST_AT_ONCE = 256, 16
"""Number of inputs of a request that prepares them all before it times the first."""
_AROUND_JOB, _AROUND_REQUEST = 256, 1024
"""Bytes of a job and of a request in addition to its inputs, at most."""
_SHARE_OF_TIMEOUT = 0.1
"""A request should take at most this part of its time limit."""


def unheard(done: int, total: int) -> None:
    """The `Taken` that does nothing."""
    del done, total


DRAWN, PLACEBO = 0, 1
"""Labels of random inputs: drawn for their reading; or stored like fixed ones, with a decoy of
zeros.
"""


@dataclass(frozen=True, slots=True)
class LeakArm:
    """Result of one arm. Times are in ns; differences are a fixed input's time minus that of random
    ones. ``accepted``: the difference of the input that is timed for comparison only.
    """

    caches: LeakCaches
    median: float
    judgement: Judgement
    accepted: LeakShift | None = None

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Sorts arms: leaks first, then an arm without conclusion, then the smallest p."""
        judgement = self.judgement
        return (
            not judgement.leaks,
            judgement.fit,
            (judgement.leak if judgement.fit else judgement.control).p,
        )


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The result of the readings of one secret.

    ``samples``: readings of each arm. ``fixed``: the fixed inputs, in the order of each judgement.
    ``refused``: special inputs that the implementation refuses, with its message. ``left_out``: why
    there is only the arm that computes each input before it is timed.
    """

    varied: Varied
    samples: int
    fixed: tuple[Input, ...]
    arms: tuple[LeakArm, ...]
    refused: dict[str, str]
    left_out: str | None = None

    @property
    def leaks(self) -> bool:
        """True if a fixed input takes another time than random ones in some arm."""
        return any(arm.judgement.leaks for arm in self.arms)

    @property
    def fit(self) -> bool:
        """True if equal inputs take equal times in every arm, as far as the readings show."""
        return all(arm.judgement.fit for arm in self.arms)

    @property
    def ranked(self) -> list[LeakArm]:
        """The arms, that which decides first."""
        return sorted(self.arms, key=lambda arm: arm.rank)


@dataclass(frozen=True, slots=True)
class Slot:
    """A planned reading: its label and its input."""

    label: int
    job: Job


def suspect(
    session: Session,
    variation: Variation,
    *,
    samples: int,
    seed: int,
    timeout: float,
    taken: Taken = unheard,
) -> Suspicion:
    """Take ``samples`` readings in each arm, half of them of random inputs. ProbeFailure from the
    session.
    """
    source = random.Random(f"{seed} {variation.varied}")
    specials, refused = accepted_by(session, variation.specials, timeout)
    chosen = [
        Input(f"random {number + 1}", variation.draw(source)) for number in range(variation.chosen)
    ]
    fixed = (*specials, *chosen)
    at_once, left_out = _inputs_at_once(session, variation)
    caches = tuple(LeakCaches) if left_out is None else (LeakCaches.OWN,)
    question = _Readings(session, variation, fixed, samples, source, timeout, caches, taken)
    arms = [question.arm(caches[0], _BLOCK)]
    # Each input is computed three times: timed, and twice to prove its output.
    within = max(1, int(timeout * _SHARE_OF_TIMEOUT * 1e9 / 3 / max(arms[0].median, 1.0)))
    arms += [question.arm(name, min(at_once, within)) for name in caches[1:]]
    return Suspicion(variation.varied, samples, fixed, tuple(arms), refused, left_out)


def _inputs_at_once(session: Session, variation: Variation) -> tuple[int, str | None]:
    """Number of inputs that fit a request, and the reason why they cannot be prepared before they
    are timed (then the number is 0); None if they can."""
    hello = session.hello_of(variation.job.scheme)
    if EACH not in hello.does:
        return 0, f"{hello.probe} cannot prepare several inputs before it times them"
    job = anew(variation.job, bytes(_DECOY_BYTES))
    length = _AROUND_JOB + sum(
        len(value) for value in job.fields().values() if isinstance(value, bytes)
    )
    count = min(_MOST_AT_ONCE, MOST_EACH, (hello.max_frame - _AROUND_REQUEST) // length)
    if count < _FEWEST_AT_ONCE:
        return 0, f"fewer than {_FEWEST_AT_ONCE} inputs of this length fit a request"
    return count, None


@dataclass(frozen=True, slots=True)
class _Readings:
    """Readings of one secret, in the form that every arm needs."""

    session: Session
    variation: Variation
    fixed: tuple[Input, ...]
    samples: int
    source: random.Random
    timeout: float
    caches: tuple[LeakCaches, ...]
    taken: Taken

    def arm(self, caches: LeakCaches, block_length: int) -> LeakArm:
        """Readings with these contents of the caches. ``block_length``: inputs that are prepared
        before they are timed one after another.
        """
        variation = self.variation
        inputs = [item.job for item in self.fixed] + (
            [variation.accepted] if variation.accepted else []
        )
        labels = schedule(len(inputs), self.samples, self.source)
        prepared = prepare(variation, inputs, labels, self.source)
        readings: list[list[float]] = [[] for _ in range(2 + 2 * len(inputs))]
        done, total = self.caches.index(caches) * len(labels), len(self.caches) * len(labels)
        while block := list(islice(prepared, block_length)):
            self.taken(done, total)
            done += len(block)
            for slot, value in zip(block, self._taken(caches, block), strict=True):
                readings[slot.label].append(value)
        classes = [np.asarray(values, float) for values in readings]
        pairs = list(zip(classes[::2], classes[1::2], strict=True))
        random_inputs, compared = pairs[0], pairs[1 : len(self.fixed) + 1]
        clock = self.session.hello_of(variation.job.scheme).clock
        step = max(clock.resolution, 1) * 1e9 / clock.hz
        pooled = np.concatenate(random_inputs)
        accepted = _both(pooled, pairs[-1], step) if variation.accepted else None
        judgement = judge(random_inputs, compared, step=step, arms=len(self.caches))
        return LeakArm(caches, float(np.median(pooled)), judgement, accepted)

    def _taken(self, caches: LeakCaches, block: Sequence[Slot]) -> list[float]:
        """The time of each input of a block in ns."""
        session, timeout = self.session, self.timeout
        clock = session.hello_of(self.variation.job.scheme).clock
        if caches is LeakCaches.OWN:
            alone = [
                session.measure(slot.job, batch=1, count=1, warm=0, timeout=timeout)
                for slot in block
            ]
            ticks = [timing.ticks[0] for timing in alone]
        else:
            evict = caches is LeakCaches.EMPTIED
            together = session.measure_each(
                [slot.job for slot in block], evict=evict, timeout=timeout
            )
            ticks = list(together.ticks)
        return [(value - clock.overhead) * 1e9 / clock.hz for value in ticks]


def fewest_samples(inputs: int) -> int:
    """Fewest readings for that many fixed inputs."""
    return 2 * inputs * FEWEST


def schedule(inputs: int, samples: int, source: random.Random) -> list[int]:
    """The label of each reading: half of them random inputs, the others the fixed inputs in equal
    parts.

    Labels 2 and 3 are of the first fixed input, 4 and 5 of the next, and so on.
    """
    fixed = 2 * inputs
    labels = [
        (DRAWN, PLACEBO)[number // 2 % 2] if number % 2 else 2 + number // 2 % fixed
        for number in range(samples)
    ]
    source.shuffle(labels)
    return labels


def prepare(
    variation: Variation, fixed: Sequence[Job], labels: Sequence[int], source: random.Random
) -> Iterator[Slot]:
    """Inputs of these labels. Every input is prepared in the same way, whatever its label is."""
    for label in labels:
        drawn, decoy = variation.draw(source), source.randbytes(_DECOY_BYTES)
        inputs = [*fixed, drawn]
        job = drawn if label == DRAWN else inputs[label // 2 - 1]
        yield Slot(label, anew(job, bytes(_DECOY_BYTES) if label == PLACEBO else decoy))


def _both(reference: Floats, halves: tuple[Floats, Floats], step: float) -> LeakShift:
    return shift(reference, np.concatenate(halves), step=step)
