"""Leaks where readings are noisy: a fixed input against random ones, in random order, as dudect does it.

Several fixed inputs are tried, because one may happen to take the mean time. As a control, random inputs are divided at
random into two classes: where even these differ, the machine or the probe is not fit to tell anything.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from motebench.leak.inputs import Variation, Varied
from motebench.stats.leak import Welch, welch
from motebench.targets.base import Session
from motebench.wire.messages import Job

FIXED = 4
"""Fixed inputs that are tried, each against random ones."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What the readings say. Times are in ns; differences are a fixed input's time less that of random ones.

    ``worst``: of the fixed inputs the one that stands out most, ``fixed``; ``control``: random inputs against random
    ones.
    """

    varied: Varied
    samples: int
    median: float
    worst: Welch
    fixed: Job
    control: Welch

    @property
    def noisy(self) -> bool:
        """Even equal classes differ: nothing can be told."""
        return self.control.different

    @property
    def leaks(self) -> bool:
        """A fixed input takes another time than random ones."""
        return self.worst.different and not self.noisy


def suspect(session: Session, variation: Variation, *, samples: int, seed: int, timeout: float) -> Suspicion:
    """Take ``samples`` readings, half of them of fixed inputs. ProbeFailure as the session has it.

    ``samples`` is large enough for each fixed input to have the fewest readings of a test.
    """
    source = random.Random(f"{seed} {variation.varied}")
    fixed = [variation.drawn(source) for _ in range(FIXED)]
    classes: list[list[float]] = [[] for _ in range(FIXED)]
    others: list[float] = []
    for _ in range(samples):
        # Which input comes next is not to be guessed by anything that learns from what came before.
        which = source.randrange(2 * FIXED)
        # All the same is done before each reading, whatever it is of: how long the probe was idle shows in its times.
        drawn = variation.drawn(source)
        job = variation.with_secrets_of(fixed[which] if which < FIXED else drawn)
        (classes[which] if which < FIXED else others).append(_ns(session, job, timeout))
    sides: tuple[list[float], list[float]] = ([], [])
    for value in others:
        sides[source.randrange(2)].append(value)
    tests = [welch(others, readings, tests=FIXED) for readings in classes]
    found = [(test.p, -abs(test.t), number, test) for number, test in enumerate(tests) if test is not None]
    control = welch(*sides)
    assert found and control is not None
    _, _, number, worst = min(found)
    middle = sorted(others)[len(others) // 2]
    return Suspicion(variation.varied, samples, middle, worst, fixed[number], control)


def _ns(session: Session, job: Job, timeout: float) -> float:
    clock = session.hello_of(job.scheme).clock
    timing = session.measure(job, batch=1, count=1, warm=0, timeout=timeout)
    return (timing.ticks[0] - clock.overhead) * 1e9 / clock.hz
