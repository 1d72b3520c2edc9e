"""Leaks where every cycle is counted: two inputs that differ in cycles prove a leak."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import chain, islice

from motebench.base.model import FailureKind
from motebench.measuring.leak.inputs import Input, Variation, Varied
from motebench.measuring.leak.refusals import accepted_by
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, ProbeFailure

_AGAIN = 3
"""How often the two inputs of a pair are measured again, in turn, before they count as a proof."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Cycles over many inputs: ``low`` and ``high`` are the inputs with the fewest and the most.

    ``repeats``: the same input took the same cycles each time; if not, something other than the input decides.
    ``refused``: special inputs that the implementation refuses, with its message. ``accepted``: cycles of the input
    that is timed for comparison only.
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
        """Whether all inputs took the same cycles."""
        return self.fewest == self.most

    @property
    def leaks(self) -> bool:
        """Whether two inputs differ in cycles each time they are measured."""
        return not self.constant and self.repeats


def examine(session: Session, variation: Variation, *, samples: int, seed: int, timeout: float) -> Spread:
    """Count the cycles of ``samples`` inputs: the special ones first, then random ones. ProbeFailure if a random input
    fails."""
    source = random.Random(f"{seed} {variation.varied}")
    specials, refused = accepted_by(session, variation.specials, timeout)
    randoms = (Input("random", variation.draw(source)) for _ in range(samples))
    inputs = islice(chain((Input("first", variation.job),), specials, randoms), samples)
    taken = [(cycles(session, item.job, timeout), item) for item in inputs]
    low, high = (choose(taken, key=lambda pair: pair[0]) for choose in (min, max))
    again = [cycles(session, item.job, timeout) == count for _ in range(_AGAIN) for count, item in (low, high)]
    accepted = None if variation.accepted is None else cycles(session, variation.accepted, timeout)
    distinct = len({count for count, _ in taken})
    return Spread(
        variation.varied, len(taken), low[0], high[0], distinct, low[1], high[1], all(again), refused, accepted
    )


def cycles(session: Session, job: Job, timeout: float) -> int:
    """Cycles of one operation, without the harness overhead."""
    hello = session.hello_of(job.scheme)
    counter = hello.counter
    timing = session.measure(job, batch=1, count=1, warm=0, timeout=timeout)
    if counter is None or timing.counts is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "the board does not count cycles")
    return round(timing.counts[0] - counter.overhead)
