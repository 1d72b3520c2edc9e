"""Errors of `motebench leak` on a host: false alarms, leaks that it misses, differences that it
shows.

    .venv/bin/python benchmarks/leaks.py

Readings are simulated, of a law that is known, and then real ones of this machine: code that looks
up a secret in tables of three sizes, code in constant time, and code to which a known time is
added, by the bytes of the input (a leak) or by its label (an artefact of the harness). Exit status
1 if false alarms are more, or intervals cover less often, than is stated.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from common import machine, table
from numpy.typing import NDArray
from scipy.signal import lfilter

from motebench.base.model import Case, Operation
from motebench.catalog import schemes
from motebench.documents.leak import LeakCaches
from motebench.measuring.leak import statistical
from motebench.measuring.leak.inputs import Variation, Varied, rejections, variations
from motebench.measuring.leak.statistical import DRAWN, Slot, Suspicion, prepare, suspect
from motebench.measuring.work import jobs
from motebench.stats.leak import CONFIDENCE, SURE, UNFIT, Judgement, judge
from motebench.targets.base import Session
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Job, ProbeFailure, Timing

Source = np.random.Generator
Floats = NDArray[np.float64]
Noise = Callable[[Source, Floats], Floats]
"""Readings of operations that take so many ns more than usual."""
LEVEL = 0.05
TRUE = 10.0


def interrupted(source: Source, more: Floats) -> Floats:
    """Readings in whole ns; 2 % of them are late by some 10 us."""
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


def examination(
    source: Source, noise: Noise, step: float, samples: int, inputs: int, leak: float
) -> Judgement:
    """One of simulated readings, the first fixed input of which takes ``leak`` ns more."""
    labels = np.concatenate(
        [np.arange(samples // 2) % 2, 2 + np.arange(samples // 2) % (2 * inputs)]
    )
    source.shuffle(labels)
    readings = noise(source, leak * ((labels == 2) | (labels == 3)))
    classes = [readings[labels == number] for number in range(2 + 2 * inputs)]
    pairs = list(zip(classes[::2], classes[1::2], strict=True))
    return judge(pairs[0], pairs[1:], step=step)


def percent(share: float) -> str:
    """Percentage for a table."""
    return f"{100 * share:.2f} %"


def beyond(count: int, total: int, share: float) -> bool:
    """True if the share is exceeded by more than chance makes of it: five standard errors."""
    return bool(count > share * total + 5 * (total * share * (1 - share)) ** 0.5)


def false_alarms(draws: int) -> bool:
    """A/A: nothing depends on anything. The answer: whether the rates are kept."""
    source, kept, rows = np.random.default_rng(1), True, []
    for name, (noise, step) in NOISES.items():
        found = [examination(source, noise, step, 1000, 4, 0) for _ in range(draws)]
        leak, control = (
            sum(getattr(one, side).p <= LEVEL for one in found) for side in ("leak", "control")
        )
        unfit, leaks = sum(not one.fit for one in found), sum(one.leaks for one in found)
        rates = ((leak, LEVEL), (control, LEVEL), (unfit, UNFIT), (leaks, SURE))
        kept &= not any(beyond(count, draws, rate) for count, rate in rates)
        rows.append(
            [
                name,
                str(draws),
                percent(leak / draws),
                percent(control / draws),
                str(unfit),
                str(leaks),
            ]
        )
    print("\nFalse alarms of simulated examinations in which nothing depends on the input\n")
    heads = [
        "noise",
        "examinations",
        f"leak p <= {LEVEL}",
        f"control p <= {LEVEL}",
        "unfit",
        "leaks",
    ]
    print(table(heads, rows))
    return kept


def differences(draws: int) -> bool:
    """Bias and coverage of the difference shown. The answer: whether the intervals cover as often
    as stated.
    """
    source, kept, rows = np.random.default_rng(2), True, []
    for name, (noise, step) in NOISES.items():
        found = [examination(source, noise, step, 4000, 4, TRUE) for _ in range(draws)]
        shown = [(one.difference, TRUE if one.chosen == 0 else 0.0) for one in found]
        first = [difference.estimate for difference, true in shown if true]
        bias = float(np.mean([difference.estimate - true for difference, true in shown]))
        covered = sum(difference.low <= true <= difference.high for difference, true in shown)
        kept &= not beyond(draws - covered, draws, 1 - CONFIDENCE)
        rows.append(
            [
                name,
                str(draws),
                f"{TRUE:g} ns",
                percent(len(first) / draws),
                f"{np.mean(first):.2f} ns",
                f"{bias:+.2f} ns",
                percent(covered / draws),
            ]
        )
    print(f"\nThe difference shown: bias, and coverage of its {100 * CONFIDENCE:g} % interval\n")
    print(
        table(
            [
                "noise",
                "examinations",
                "true",
                "right input chosen",
                "mean shown",
                "bias",
                "covered",
            ],
            rows,
        )
    )
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
        """Time the job with the planted effect."""
        timing = self.session.measure(job, batch=batch, count=count, warm=warm, timeout=timeout)
        return replace(timing, ticks=tuple(value + self.extra(job) for value in timing.ticks))

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Time the jobs, each with its planted effect."""
        timing = self.session.measure_each(jobs, evict=evict, timeout=timeout)
        return replace(
            timing,
            ticks=tuple(
                value + self.extra(job) for value, job in zip(timing.ticks, jobs, strict=True)
            ),
        )


def marking(*arguments: Any) -> Iterator[Slot]:
    """Slots of `prepare`, in which all but the drawn part is marked."""
    for slot in prepare(*arguments):
        fields = {name: getattr(slot.job, name) for name in Job.__dataclass_fields__}
        yield slot if slot.label == DRAWN else replace(slot, job=Marked(**fields))


def questions(session: Session, scheme: str) -> dict[Varied, Variation]:
    """Variations of a decryption, by the secret that varies."""
    found, offer = schemes()[scheme], session.offers()[scheme]
    case = Case(scheme, "openssl", Operation.DECRYPT_MESSAGE, 16, "host", "openssl")
    job = jobs.build(case, found, offer, session)
    every = [*variations(found, job), *rejections(session, found, offer, job, seed=1, timeout=60)]
    return {item.varied: item for item in every}


def on_this_machine(samples: int, times: int) -> None:
    """Real readings of OpenSSL's AES-128-GCM with instructions of the processor, with planted
    effects.
    """
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
        (
            "look-up: 20 ns if the first byte of the key is 0",
            Varied.KEY,
            lambda job: 20 * (job.key[0] == 0),
        ),
        (
            "look-up: 5 ns if the first byte of the key is 0",
            Varied.KEY,
            lambda job: 5 * (job.key[0] == 0),
        ),
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
        unfit, leaks = sum(not one.fit for one in found), sum(one.leaks for one in found)
        seen = float(np.median([one.arms[0].judgement.detectable for one in found]))
        rows.append([name, varied.value, str(times), str(leaks), str(unfit), f"{seen:.1f} ns"])
    session.close()
    print(f"\nReal readings of {samples} inputs, with a time that is added to some of them\n")
    print(table(["planted", "varied", "examinations", "leaks", "unfit", "would be seen"], rows))


TABLE = """\
enum { TABLE_BYTES = %d, LOOK_UPS = %d, LINE = 64 };
static unsigned char table[TABLE_BYTES];

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    const volatile unsigned char *entries = table;
    unsigned sum = 0;
    if (table[0] == 0)
        for (unsigned long at = 0; at < TABLE_BYTES; at++)
            table[at] = 1;
    for (unsigned i = 0; i < LOOK_UPS; i++) {
        unsigned long index = 0;
        for (unsigned byte = 0; byte < 3; byte++)
            index = index << 8 | in[(i + byte) %% inlen];
        sum += entries[(SECRET * index + i) * LINE %% TABLE_BYTES];
    }
    for (unsigned i = 0; i < 32; i++)
        out[i] = (unsigned char)(in[i %% inlen] + sum);
    return 0;
}
"""
"""A digest, to be timed and not to be trusted, that looks up its message in a table."""
TABLES = (
    ("4 KB", 1 << 12, 1),
    ("4 KB", 1 << 12, 16),
    ("256 KB", 1 << 18, 1),
    ("16 MB", 1 << 24, 1),
)
"""Name and bytes of the table, and look-ups of one digest."""


def look_ups(counts: Sequence[int], times: int) -> bool:
    """Tables that a secret indexes, and the same code with an index that it does not. The answer:
    no false alarm.
    """
    rows, alarms = [], 0
    for name, size, count in TABLES:
        for secret in (True, False):
            with tempfile.TemporaryDirectory() as place:
                session, variation = digest(Path(place) / "table", size, count, secret=secret)
                for samples in counts:
                    found = [
                        suspect(session, variation, samples=samples, seed=seed, timeout=60)
                        for seed in range(times)
                    ]
                    arms = [
                        sum(one.arms[which].judgement.leaks for one in found)
                        for which in range(len(LeakCaches))
                    ]
                    leaks, unfit = (
                        sum(one.leaks for one in found),
                        sum(not one.fit for one in found),
                    )
                    alarms += 0 if secret else leaks
                    index = "secret" if secret else "public"
                    rows.append(
                        [
                            name,
                            str(count),
                            index,
                            str(samples),
                            str(times),
                            str(leaks),
                            *map(str, arms),
                            str(unfit),
                        ]
                    )
                session.close()
    print(
        "\nLook-ups in tables: how many examinations find a leak, in all and by what the caches "
        "hold\n"
    )
    heads = [
        "table",
        "look-ups",
        "index",
        "readings of an arm",
        "examinations",
        "leaks",
        *LeakCaches,
        "unfit",
    ]
    print(table(heads, rows))
    return alarms == 0


def digest(folder: Path, size: int, count: int, *, secret: bool) -> tuple[Session, Variation]:
    """Session with that code, and its message as the variation."""
    folder.mkdir()
    (folder / "api.h").write_text("#define CRYPTO_BYTES 32\n", encoding="utf-8")
    (folder / "hash.c").write_text(
        TABLE.replace("SECRET", str(int(secret))) % (size, count), encoding="utf-8"
    )
    workspace, code = add_code(Workspace(), GivenCode(folder, unproved=True))
    session = open_target("host", code=workspace.code).open(code.name)
    (name,) = code.schemes.values()
    scheme, offer = workspace.schemes[name], session.offers()[name]
    case = Case(name, code.name, Operation.DIGEST, 16, "host", code.name)
    (variation,) = variations(scheme, jobs.build(case, scheme, offer, session))
    return session, variation


CONSTANT = (
    ("mote/chacha20-poly1305", "chacha20-poly1305", Operation.ENCRYPT_MESSAGE),
    ("mote/aes-ct", "aes-128-ecb", Operation.ENCRYPT_MESSAGE),
    ("mote/ascon", "ascon-aead128", Operation.ENCRYPT_MESSAGE),
    ("openssl", "aes-128-gcm", Operation.ENCRYPT_MESSAGE),
)
"""Code without look-ups and branches that depend on a secret: claimed, and for our own code proven
by valgrind.
"""


def constant_time(samples: int, times: int) -> bool:
    """A/A on real code. The answer: no false alarm."""
    rows, alarms = [], 0
    for implementation, name, operation in CONSTANT:
        try:
            session = open_target("host").open(implementation)
        except ProbeFailure as failure:
            rows.append([implementation, name, failure.message, "", "", ""])
            continue
        scheme, offer = schemes()[name], session.offers()[name]
        job = jobs.build(
            Case(name, implementation, operation, 16, "host", implementation),
            scheme,
            offer,
            session,
        )
        found = [
            suspect(session, variation, samples=samples, seed=seed, timeout=60)
            for variation in variations(scheme, job)
            for seed in range(times)
        ]
        session.close()
        leaks, unfit = sum(one.leaks for one in found), sum(not one.fit for one in found)
        alarms += leaks
        rows.append([implementation, name, str(samples), str(len(found)), str(leaks), str(unfit)])
    print("\nCode in constant time: false alarms of all arms together\n")
    print(
        table(
            ["implementation", "scheme", "readings of an arm", "examinations", "leaks", "unfit"],
            rows,
        )
    )
    return alarms == 0


def main() -> int:
    """All parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--draws", type=int, default=5000, help="simulated examinations of each kind"
    )
    parser.add_argument(
        "--samples", type=int, default=20_000, help="real readings of an examination"
    )
    parser.add_argument("--times", type=int, default=10, help="real examinations of each kind")
    parser.add_argument(
        "--part",
        choices=("simulated", "look-ups", "constant", "added"),
        action="append",
        help="only this part",
    )
    options = parser.parse_args()
    parts = options.part or ["simulated", "look-ups", "constant", "added"]
    kept = True
    print(machine())
    if "simulated" in parts:
        kept &= false_alarms(options.draws)
        kept &= differences(options.draws)
    if "look-ups" in parts:
        kept &= look_ups(
            [options.samples // 10, options.samples // 3, options.samples], options.times
        )
    if "constant" in parts:
        kept &= constant_time(options.samples, options.times)
    if "added" in parts:
        on_this_machine(options.samples, options.times)
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
