"""Planted slowdowns: how often they are found, and how often a false one is reported.

    .venv/bin/python benchmarks/slowdown.py

Asked is what ``motebench compare OLD NEW --fail-if-slower 1%`` asks, of several runs a side in
turn: is B slower by more than 1 %? Slowdowns of 0 and 1 % are none, so each one called is a false
alarm; 3 and 10 % should be found.

- *Simulated*: run medians with the noise of machines, 8 cases a comparison: 5 as before, one each
  slower by 1, 3 and 10 %. A false alarm is a comparison in which any of the first six is called.
- *Measured*: a small hash as user code, built with 0, 1, 3 and 10 % more work, measured in turn on
  this machine, alone and beside a busy loop. Every stretch of so many successive runs is a
  comparison; neighbouring ones overlap.

Exit status 1 if slowdowns of 3 % are found in fewer than 95 % of the simulated comparisons with as
many runs as motebench asks for, or false alarms come in more than 1 %.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from common import machine, motebench, say, table
from numpy.typing import NDArray

from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.results.comparison import Side, compare
from motebench.results.comparison.model import found_by
from motebench.results.groups import GroupSession
from motebench.stats.runs import runs_needed
from motebench.store import Store

Floats = NDArray[np.float64]
Noise = Callable[[np.random.Generator, int], Floats]
"""Logarithms of medians, by place in the session and case."""

ALLOWED = 0.01
PLANTED = (0.0, 0.0, 0.0, 0.0, 0.0, 0.01, 0.03, 0.10)
FOUND, FALSE = 0.95, 0.01
SAMPLES = 15
"""Samples of a simulated run."""
ALPHA = 0.01
SIZES = (5, 20, 50)
"""Runs a side of measured comparisons."""
ROUNDS = 2000
"""Rounds of the hash: 20 more are 1 % more work."""
SIDES = {"base": 0.0, "p0": 0.0, "p1": 0.01, "p3": 0.03, "p10": 0.10}

HASH = """\
#include <stdint.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    uint32_t a = 1, b = 2;
    for (unsigned long long i = 0; i < inlen; i++)
        a = (a << 5 | a >> 27) ^ in[i];
    for (int r = 0; r < ROUNDS; r++) {
        a = (a + 0x9e3779b9u) ^ b;
        b = (b << 7 | b >> 25) + a;
    }
    for (int i = 0; i < 32; i++) {
        out[i] = (unsigned char)(a >> (i % 4 * 8));
        a = a * 5 + b;
    }
    return 0;
}
"""


# Simulated


def medians(samples: Floats) -> Floats:
    """Medians over the samples, the last axis."""
    return np.asarray(np.median(samples, axis=-1), dtype=np.float64)


def offsets(rng: np.random.Generator, turns: int, spread: float) -> Floats:
    """Effects of a run on all its cases, and on each: half of the variance each."""
    part = spread / math.sqrt(2)
    return np.asarray(rng.normal(0, part, (turns, 1)) + rng.normal(0, part, (turns, len(PLANTED))))


def independent(spread: float) -> Noise:
    """Samples are independent and normal; each run has an offset."""
    return lambda rng, turns: (
        offsets(rng, turns, spread) + medians(rng.normal(0, 0.01, (turns, len(PLANTED), SAMPLES)))
    )


def heavy(rng: np.random.Generator, turns: int) -> Floats:
    """Samples with the tail of Student's t with 2 degrees of freedom, and one in ten far too
    long.
    """
    shape = (turns, len(PLANTED), SAMPLES)
    samples = 0.005 * rng.standard_t(2, shape) + np.where(
        rng.random(shape) < 0.1, rng.exponential(0.3, shape), 0
    )
    return offsets(rng, turns, 0.003) + medians(samples)


def wandering(rng: np.random.Generator, turns: int) -> Floats:
    """Samples of a run follow each other as AR(1) with 0.9; all cases of a run alike."""
    steps = rng.normal(0, 0.01 * math.sqrt(1 - 0.9**2), (turns, 1, SAMPLES))
    walk = np.zeros((turns, 1, SAMPLES))
    walk[..., 0] = rng.normal(0, 0.01, (turns, 1))
    for place in range(1, SAMPLES):
        walk[..., place] = 0.9 * walk[..., place - 1] + steps[..., place]
    return medians(walk + rng.normal(0, 0.002, (turns, len(PLANTED), SAMPLES)))


def stepping(rng: np.random.Generator, turns: int) -> Floats:
    """The clock has two levels, 2 % apart, and changes with one chance in five from run to run."""
    level = (rng.random() < 0.5) ^ (np.cumsum(rng.random(turns) < 0.2) % 2 == 1)
    return offsets(rng, turns, 0.003) + 0.02 * level[:, None]


def drifting(rng: np.random.Generator, turns: int) -> Floats:
    """The machine gets slower by 3 % over the session, steadily."""
    return offsets(rng, turns, 0.003) + 0.03 * np.linspace(0, 1, turns)[:, None]


MODELS: dict[str, Noise] = {
    "runs differ by 0.3 %": independent(0.003),
    "runs differ by 0.5 %": independent(0.005),
    "runs differ by 1.0 %": independent(0.010),
    "runs differ by 1.5 %": independent(0.015),
    "heavy tails": heavy,
    "AR(1) within runs": wandering,
    "frequency steps of 2 %": stepping,
    "drift of 3 %": drifting,
}
CASES = tuple(
    Case("sha256", "x", Operation.DIGEST, 64 + size, "host", "x") for size in range(len(PLANTED))
)


def run_of(place: int, logs: Floats) -> Run:
    """A run whose cases have these medians, as the store would give it."""
    results = tuple(
        CaseResult(
            case,
            (
                Series(
                    "time",
                    "ns",
                    1.0,
                    0.0,
                    "c",
                    Evidence.MEASURED,
                    (Sample(0, 1000 * math.exp(log)),),
                ),
            ),
            finished=True,
        )
        for case, log in zip(CASES, logs, strict=True)
    )
    return Run(RunInfo(place, f"r-{place}", "", f"{place:06}", None, "finished", "", 1), results)


def called(rng: np.random.Generator, noise: Noise, runs: int, in_turn: bool) -> NDArray[np.bool_]:
    """Cases that one comparison calls slower by more than the allowed difference."""
    turns = GroupSession(("a", "b"), runs, 0).turns()
    second = np.array([turn.group == "b" for turn in turns])
    if not in_turn:
        second = np.sort(second)
    logs = noise(rng, 2 * runs) + second[:, None] * np.log1p(PLANTED)
    made = [run_of(place, row) for place, row in enumerate(logs, 1)]
    a, b = (
        tuple(run for run, which in zip(made, second, strict=True) if which == side)
        for side in (False, True)
    )
    found = compare(Side(a[0], None, a, "a"), Side(b[0], None, b, "b"))
    slower = {pair.a.case for pair in found.slower_than(ALLOWED)}
    return np.array([case in slower for case in CASES])


def asked_for(noise: Noise) -> int:
    """Runs a side that motebench asks for, of a session long enough to know the spread."""
    rng = np.random.default_rng(0)
    logs = np.concatenate([noise(rng, 20) for _ in range(200)]).reshape(200, 20, -1)
    spread = float(np.sqrt(logs.var(axis=1, ddof=1).mean()))
    needed = runs_needed(spread, math.log(1.03 / (1 + ALLOWED)), alpha=ALPHA / len(CASES))
    return max(5, needed or 100)


def simulated(draws: int) -> bool:
    """Print the rates by kind of noise; whether the goal is met."""
    rows, good = [], True
    for name, noise in MODELS.items():
        enough = asked_for(noise)
        plans = [(5, True), (enough, True)] if enough > 5 else [(5, True)]
        if noise is drifting:
            plans.append((enough, False))
        for runs, in_turn in plans:
            say(f"{name}, {runs} runs a side")
            rng = np.random.default_rng(runs)
            hits = np.array([called(rng, noise, runs, in_turn) for _ in range(draws)])
            rates = {planted: float(hits[:, place].mean()) for place, planted in enumerate(PLANTED)}
            false = float(hits[:, [planted <= ALLOWED for planted in PLANTED]].any(axis=1).mean())
            if in_turn:
                # Two standard errors of a rate of 1 % (95 %) among so many draws are chance.
                good &= false <= FALSE + 2 * math.sqrt(FALSE * (1 - FALSE) / draws)
                good &= runs < enough or rates[0.03] >= FOUND - 2 * math.sqrt(
                    FOUND * (1 - FOUND) / draws
                )
            rows.append(
                [
                    name if in_turn else f"{name}, not in turn",
                    str(runs),
                    "asked for" if runs == enough else "",
                    *(f"{100 * rates[planted]:.1f} %" for planted in (0.03, 0.10)),
                    f"{100 * rates[0.01]:.1f} %",
                    f"{100 * false:.1f} %",
                ]
            )
    print(f"Simulated, {draws} comparisons each, 8 cases a comparison:\n")
    head = ["noise", "runs a side", "", "3 % found", "10 % found", "1 % called", "any false alarm"]
    print(table(head, rows, left=1), flush=True)
    return good


# Measured


@dataclass
class Tally:
    """Comparisons of one slowdown, and how many called it."""

    compared: int = 0
    slower: int = 0
    ratios: float = 0.0
    found_from: list[float] = field(default_factory=list)


@contextlib.contextmanager
def busy(wanted: bool) -> Iterator[None]:
    """A loop that takes a processor, meanwhile."""
    if not wanted:
        yield
        return
    loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        loop.kill()
        loop.wait()


def measured(runs: int, disturbed: bool, folder: Path, a_side: Sequence[int]) -> list[list[str]]:
    """Measure all builds in turn; the rows of the table."""
    folder.mkdir()
    builds = []
    for name, slowdown in SIDES.items():
        place = folder / name
        place.mkdir()
        (place / "api.h").write_text("#define CRYPTO_BYTES 32\n")
        (place / "hash.c").write_text(HASH.replace("ROUNDS", str(round(ROUNDS * (1 + slowdown)))))
        builds += ["--alternate", f"{name}={place}"]
    how = "beside a busy loop" if disturbed else "as the machine is"
    say(f"{len(SIDES)} builds, {runs} runs of each, {how}")
    words = ("--code-name", "hash", "--without-kat", "--size", "64", "--fast", "--quiet")
    with busy(disturbed):
        motebench("run", *words, "--runs", str(runs), *builds, folder=folder)
    with Store.open(folder / "motebench.db", create=False) as store:
        made = {
            name: [store.load_run(f"{name}-{number}") for number in range(1, runs + 1)]
            for name in SIDES
        }
    logs = [
        math.log(np.median([s.raw / s.batch for s in run.results[0].series[0].samples]))
        for run in made["base"]
    ]
    rows = []
    for size in a_side:
        for name, slowdown in list(SIDES.items())[1:]:
            tally = Tally()
            for first in range(runs - size + 1):
                a, b = (tuple(made[side][first : first + size]) for side in ("base", name))
                found = compare(Side(a[0], None, a, "a"), Side(b[0], None, b, "b"))
                tally.compared += 1
                tally.slower += bool(found.slower_than(ALLOWED))
                tally.found_from.append(found_by(found, ALLOWED) or math.nan)
                tally.ratios += math.log(found.pairs[0].verdict.ratio or math.nan)
            rows.append(
                [
                    how,
                    f"{100 * float(np.std(logs, ddof=1)):.1f} %",
                    f"{100 * slowdown:g} %",
                    f"{100 * math.expm1(tally.ratios / tally.compared):.1f} %",
                    str(size),
                    f"{100 * float(np.nanmedian(tally.found_from)):.1f} %",
                    f"{tally.slower} of {tally.compared}",
                ]
            )
    return rows


def main() -> int:
    """Simulate, measure, print both tables, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--draws", type=int, default=1000, help="simulated comparisons of each kind"
    )
    parser.add_argument("--runs", type=int, default=60, help="measured runs of each build")
    parser.add_argument("--only", choices=["simulated", "measured"])
    chosen = parser.parse_args()
    print(f"{machine()}\n")
    good = chosen.only == "measured" or simulated(chosen.draws)
    if chosen.only != "simulated":
        with tempfile.TemporaryDirectory() as folder:
            rows = [
                row
                for disturbed in (False, True)
                for row in measured(
                    chosen.runs,
                    disturbed,
                    Path(folder) / str(disturbed),
                    [size for size in SIZES if size <= chosen.runs],
                )
            ]
        print("\nMeasured, called slower by more than 1 %:\n")
        head = [
            "",
            "spread of runs",
            "planted",
            "seen",
            "runs a side",
            "found from, as motebench says",
            "called",
        ]
        print(table(head, rows))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
