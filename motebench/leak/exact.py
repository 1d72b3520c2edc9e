"""Leaks where every cycle is counted: two inputs that differ in cycles are the proof."""

from __future__ import annotations

import random
from dataclasses import dataclass

from motebench.leak.inputs import Variation, Varied
from motebench.model import FailureKind
from motebench.targets.base import Session
from motebench.wire.messages import Job, ProbeFailure

_AGAIN = 3
"""How often the two inputs of a pair are put again, in turn, before they are called a proof."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Cycles over many random inputs: ``low`` and ``high`` are inputs that took the fewest and the most.

    ``repeats``: the same input took the same cycles each time. Where it did not, something else than the input decides.
    """

    varied: Varied
    samples: int
    fewest: int
    most: int
    distinct: int
    low: Job
    high: Job
    repeats: bool

    @property
    def constant(self) -> bool:
        """All inputs took the same cycles."""
        return self.fewest == self.most


def examine(session: Session, variation: Variation, *, samples: int, seed: int, timeout: float) -> Spread:
    """Count the cycles of ``samples`` random inputs. ProbeFailure as the session has it."""
    source = random.Random(f"{seed} {variation.varied}")
    first = cycles(session, variation.job, timeout)
    low = high = (first, variation.job)
    seen = {first}
    for _ in range(samples - 1):
        job = variation.drawn(source)
        taken = cycles(session, job, timeout)
        seen.add(taken)
        if taken < low[0]:
            low = taken, job
        if taken > high[0]:
            high = taken, job
    again = [cycles(session, job, timeout) == taken for _ in range(_AGAIN) for taken, job in (low, high)]
    return Spread(variation.varied, samples, low[0], high[0], len(seen), low[1], high[1], all(again))


def cycles(session: Session, job: Job, timeout: float) -> int:
    """Cycles of one operation, without those of the reading itself."""
    hello = session.hello_of(job.scheme)
    counter = hello.counter
    timing = session.measure(job, batch=1, count=1, warm=0, timeout=timeout)
    if counter is None or timing.counts is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "the board does not count cycles")
    return round(timing.counts[0] - counter.overhead)
