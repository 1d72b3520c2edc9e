"""Leaks with noisy readings: fixed inputs against random ones, in random order, as dudect does it.

Every reading has its label before it is taken, and the loop that takes readings knows no labels: it processes one
prepared input after another. The control is part of the same readings. Each class has two labels: those of a fixed
input stand for equal bytes, those of random inputs for two ways to the same distribution. If two labels of one class
differ, something other than the input decides, and there is no conclusion.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from motebench.measuring.leak.inputs import Input, Variation, Varied, anew
from motebench.measuring.leak.rejections import accepted_by
from motebench.stats.leak import FEWEST, Floats, Judgement, LeakShift, judge, shift
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job

_BLOCK = 1000
"""Number of inputs that are prepared before they are measured one after another."""
_DECOY_BYTES = 32
DRAWN, PLACEBO = 0, 1
"""Labels of random inputs: drawn for their reading; or stored like fixed ones, with a decoy of zeros."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The result of the readings. Times are in ns; differences are a fixed input's time minus that of random ones.

    ``fixed``: the fixed inputs, in the order of ``judgement``. ``refused``: special inputs that the implementation
    refuses, with its message. ``accepted``: the difference of the input that is timed for comparison only.
    """

    varied: Varied
    samples: int
    median: float
    fixed: tuple[Input, ...]
    judgement: Judgement
    refused: dict[str, str]
    accepted: LeakShift | None = None

    @property
    def leaks(self) -> bool:
        """Whether a fixed input takes another time than random ones."""
        return self.judgement.leaks


@dataclass(frozen=True, slots=True)
class Slot:
    """A planned reading: its label and its input."""

    label: int
    job: Job


def suspect(session: Session, variation: Variation, *, samples: int, seed: int, timeout: float) -> Suspicion:
    """Take ``samples`` readings, half of them of random inputs. ProbeFailure from the session."""
    source = random.Random(f"{seed} {variation.varied}")
    specials, refused = accepted_by(session, variation.specials, timeout)
    chosen = [Input(f"random {number + 1}", variation.draw(source)) for number in range(variation.chosen)]
    fixed = (*specials, *chosen)
    kept = [item.job for item in fixed] + ([variation.accepted] if variation.accepted else [])
    labels = schedule(len(kept), samples, source)
    prepared = prepare(variation, kept, labels, source)
    readings: list[list[float]] = [[] for _ in range(2 + 2 * len(kept))]
    while block := list(islice(prepared, _BLOCK)):
        taken = [_ns(session, slot.job, timeout) for slot in block]
        for slot, value in zip(block, taken, strict=True):
            readings[slot.label].append(value)
    classes = [np.asarray(values, float) for values in readings]
    pairs = list(zip(classes[::2], classes[1::2], strict=True))
    random_inputs, compared = pairs[0], pairs[1 : len(fixed) + 1]
    clock = session.hello_of(variation.job.scheme).clock
    step = max(clock.resolution, 1) * 1e9 / clock.hz
    pooled = np.concatenate(random_inputs)
    accepted = _both(pooled, pairs[-1], step) if variation.accepted else None
    judgement = judge(random_inputs, compared, step=step)
    return Suspicion(variation.varied, samples, float(np.median(pooled)), fixed, judgement, refused, accepted)


def fewest_samples(inputs: int) -> int:
    """Fewest readings for that many fixed inputs."""
    return 2 * inputs * FEWEST


def schedule(inputs: int, samples: int, source: random.Random) -> list[int]:
    """The label of each reading: half of them random inputs, the others the fixed inputs in equal parts.

    Labels 2 and 3 are of the first fixed input, 4 and 5 of the next, and so on.
    """
    fixed = 2 * inputs
    labels = [(DRAWN, PLACEBO)[number // 2 % 2] if number % 2 else 2 + number // 2 % fixed for number in range(samples)]
    source.shuffle(labels)
    return labels


def prepare(variation: Variation, fixed: Sequence[Job], labels: Sequence[int], source: random.Random) -> Iterator[Slot]:
    """The inputs of these labels. Every input is prepared in the same way, whatever its label is."""
    for label in labels:
        drawn, decoy = variation.draw(source), source.randbytes(_DECOY_BYTES)
        kept = [*fixed, drawn]
        job = drawn if label == DRAWN else kept[label // 2 - 1]
        yield Slot(label, anew(job, bytes(_DECOY_BYTES) if label == PLACEBO else decoy))


def _both(reference: Floats, halves: tuple[Floats, Floats], step: float) -> LeakShift:
    return shift(reference, np.concatenate(halves), step=step)


def _ns(session: Session, job: Job, timeout: float) -> float:
    clock = session.hello_of(job.scheme).clock
    timing = session.measure(job, batch=1, count=1, warm=0, timeout=timeout)
    return (timing.ticks[0] - clock.overhead) * 1e9 / clock.hz
