"""How often `motebench leak` is wrong on a host: false alarms, leaks that it misses, differences that it shows.

    .venv/bin/python benchmarks/leaks.py

Readings are simulated, of a law that is known, and then real ones of this machine, to which a known time is added: by
the bytes of the input (a leak) or by its label (an artefact of the harness). Exit status 1 if false alarms are more, or
intervals cover less often, than is stated.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from common import machine, table
from numpy.typing import NDArray
from scipy.signal import lfilter

from motebench.base.model import Case, Operation
from motebench.catalog import schemes
from motebench.measuring.leak import statistical
from motebench.measuring.leak.inputs import Variation, Varied, variations
from motebench.measuring.leak.rejections import rejections
from motebench.measuring.leak.statistical import DRAWN, Slot, Suspicion, prepare, suspect
from motebench.measuring.work import jobs
from motebench.stats.leak import CONFIDENCE, SURE, UNFIT, Judgement, judge
from motebench.targets.base import Session
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Job, Timing

Source = np.random.Generator
Floats = NDArray[np.float64]
Noise = Callable[[Source, Floats], Floats]
"""Readings of operations that take so many ns more than usual."""
LEVEL = 0.05
TRUE = 10.0


def interrupted(source: Source, more: Floats) -> Floats:
    """Whole ns; 2 % of the readings are late by some 10 us."""
    count = len(more)
    late = np.where(source.random(count) < 0.02, source.exponential(1e4, count), 0)
    return np.round(1000 + more + 15 * source.standard_normal(count) + late)


def heavy(source: Source, more: Floats) -> Floats:
    """Student's t with 1.5 degrees of freedom, which has no variance."""
    return 1000 + more + 15 * source.standard_t(1.5, len(more))


def coarse(source: Source, more: Floats) -> Floats:
    """A clock of 40 ns, read before and after."""
    begun = source.uniform(0, 40, len(more))
    return np.floor((begun + source.normal(1000 + more, 30)) / 40) * 40


def dependent(source: Source, more: Floats) -> Floats:
    """AR(1) with 0.99, and a drift of 100 ns."""
    steps: Floats = lfilter([1.0], [1.0, -0.99], source.standard_normal(len(more)))
    return np.round(1000 + more + 10 * steps + np.linspace(0, 100, len(more)))


NOISES: dict[str, tuple[Noise, float]] = {
    "interrupts": (interrupted, 1),
    "Student's t, 1.5": (heavy, 1),
    "clock of 40 ns": (coarse, 40),
    "AR(1), 0.99": (dependent, 1),
}


def examination(source: Source, noise: Noise, step: float, samples: int, inputs: int, leak: float) -> Judgement:
    """One of simulated readings, the first fixed input of which takes ``leak`` ns more."""
    labels = np.concatenate([np.arange(samples // 2) % 2, 2 + np.arange(samples // 2) % (2 * inputs)])
    source.shuffle(labels)
    readings = noise(source, leak * ((labels == 2) | (labels == 3)))
    classes = [readings[labels == number] for number in range(2 + 2 * inputs)]
    pairs = list(zip(classes[::2], classes[1::2], strict=True))
    return judge(pairs[0], pairs[1:], step=step)


def percent(share: float) -> str:
    """For a table."""
    return f"{100 * share:.2f} %"


def beyond(count: int, total: int, share: float) -> bool:
    """More than chance makes of that share: five standard errors."""
    return bool(count > share * total + 5 * (total * share * (1 - share)) ** 0.5)


def false_alarms(draws: int) -> bool:
    """A/A: nothing depends on anything. The answer: whether the rates are kept."""
    source, kept, rows = np.random.default_rng(1), True, []
    for name, (noise, step) in NOISES.items():
        found = [examination(source, noise, step, 1000, 4, 0) for _ in range(draws)]
        leak, control = (sum(getattr(one, side).p <= LEVEL for one in found) for side in ("leak", "control"))
        unfit, leaks = sum(not one.fit for one in found), sum(one.leaks for one in found)
        rates = ((leak, LEVEL), (control, LEVEL), (unfit, UNFIT), (leaks, SURE))
        kept &= not any(beyond(count, draws, rate) for count, rate in rates)
        rows.append([name, str(draws), percent(leak / draws), percent(control / draws), str(unfit), str(leaks)])
    print("\nFalse alarms of simulated examinations in which nothing depends on the input\n")
    heads = ["noise", "examinations", f"leak p <= {LEVEL}", f"control p <= {LEVEL}", "unfit", "leaks"]
    print(table(heads, rows))
    return kept


def differences(draws: int) -> bool:
    """Bias and coverage of the difference shown. The answer: whether the intervals cover as often as stated."""
    source, kept, rows = np.random.default_rng(2), True, []
    for name, (noise, step) in NOISES.items():
        found = [examination(source, noise, step, 4000, 4, TRUE) for _ in range(draws)]
        shown = [(one.difference, TRUE if one.chosen == 0 else 0.0) for one in found]
        first = [difference.estimate for difference, true in shown if true]
        bias = float(np.mean([difference.estimate - true for difference, true in shown]))
        covered = sum(difference.low <= true <= difference.high for difference, true in shown)
        kept &= not beyond(draws - covered, draws, 1 - CONFIDENCE)
        rows.append([name, str(draws), f"{TRUE:g} ns", percent(len(first) / draws), f"{np.mean(first):.2f} ns",
                     f"{bias:+.2f} ns", percent(covered / draws)])  # fmt: skip
    print(f"\nThe difference shown: bias, and coverage of its {100 * CONFIDENCE:g} % interval\n")
    print(table(["noise", "examinations", "true", "right input chosen", "mean shown", "bias", "covered"], rows))
    return kept


@dataclass(frozen=True, slots=True)
class Marked(Job):
    """An input that equals any other of its bytes."""


@dataclass
class Planted:
    """A session whose readings are longer by so many ns."""

    session: Session
    extra: Callable[[Job], int]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        """With what is planted."""
        timing = self.session.measure(job, batch=batch, count=count, warm=warm, timeout=timeout)
        return replace(timing, ticks=tuple(value + self.extra(job) for value in timing.ticks))


def marking(*arguments: Any) -> Iterator[Slot]:
    """The slots of `prepare`, in which all but what is drawn for its reading is marked."""
    for slot in prepare(*arguments):
        fields = {name: getattr(slot.job, name) for name in Job.__dataclass_fields__}
        yield slot if slot.label == DRAWN else replace(slot, job=Marked(**fields))


def questions(session: Session, scheme: str) -> dict[Varied, Variation]:
    """What of a decryption is varied."""
    found, offer = schemes()[scheme], session.offers()[scheme]
    case = Case(scheme, "openssl", Operation.DECRYPT_MESSAGE, 16, "host", "openssl")
    job = jobs.build(case, found, offer, session)
    every = [*variations(found, job), *rejections(session, found, offer, job, seed=1, timeout=60)]
    return {item.varied: item for item in every}


def on_this_machine(samples: int, times: int) -> None:
    """Real readings of OpenSSL's AES-128-GCM with instructions of the processor, and what is planted in them."""
    session = open_target("host").open("openssl")
    asked = questions(session, "aes-128-gcm")
    right = asked[Varied.TAG].accepted
    assert right is not None

    def early_exit(each: int) -> Callable[[Job], int]:
        def extra(job: Job) -> int:
            same = (place for place, byte in enumerate(job.tag) if byte != right.tag[place])
            return each * next(same, len(right.tag)) if job.reject else 0

        return extra

    planted: list[tuple[str, Varied, Callable[[Job], int]]] = [
        ("nothing", Varied.KEY, lambda _: 0),
        ("nothing", Varied.TAG, lambda _: 0),
        ("look-up: 20 ns if the first byte of the key is 0", Varied.KEY, lambda job: 20 * (job.key[0] == 0)),
        ("look-up: 5 ns if the first byte of the key is 0", Varied.KEY, lambda job: 5 * (job.key[0] == 0)),
        ("early exit of the tag: 1 ns for each right byte", Varied.TAG, early_exit(1)),
        ("harness: 1 ns for all that is kept", Varied.KEY, lambda job: isinstance(job, Marked)),
        ("harness: 3 ns for all that is kept", Varied.KEY, lambda job: 3 * isinstance(job, Marked)),
    ]
    rows = []
    for name, varied, extra in planted:
        statistical.prepare = marking if name.startswith("harness") else prepare  # type: ignore[assignment]
        found: list[Suspicion] = [
            suspect(Planted(session, extra), asked[varied], samples=samples, seed=seed, timeout=60)
            for seed in range(times)
        ]
        unfit, leaks = sum(not one.judgement.fit for one in found), sum(one.leaks for one in found)
        seen = float(np.median([one.judgement.detectable for one in found]))
        rows.append([name, varied.value, str(times), str(leaks), str(unfit), f"{seen:.1f} ns"])
    session.close()
    print(f"\nReal readings of {samples} inputs, with a time that is added to some of them\n")
    print(table(["planted", "varied", "examinations", "leaks", "unfit", "would be seen"], rows))


def main() -> int:
    """All parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5000, help="simulated examinations of each kind")
    parser.add_argument("--samples", type=int, default=20_000, help="real readings of an examination")
    parser.add_argument("--times", type=int, default=10, help="real examinations of each kind")
    options = parser.parse_args()
    print(machine())
    kept = false_alarms(options.draws)
    kept &= differences(options.draws)
    on_this_machine(options.samples, options.times)
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
