"""Effect of a machine's slow phases on single runs, without and with the reference loop, on
simulated noise.

    .venv/bin/python benchmarks/slow_phases.py

A case is read once a round, with independent noise of 1 %, on a machine whose speed moves. The loop
is read beside it, with noise of its own (0.5 %), and beside nine other cases of the run. Every
table is drawn anew from its seed; no clock is read.

Coverage: how often the 95 % interval of the median of a single run holds the time at the machine's
usual speed: at the median of 16 times the length of the run; after the step. As it was; widened;
and of readings that were each divided by the loop beside it, of code that feels all of the
machine's movement, and of code that waits for memory, whose phases are as large and come at other
times. Differences: how often two single runs of equal code, anywhere in one history, are called
different, at a nominal 1 %. Exit status 1 if the quiet machine's intervals are 3 % wider, or a
machine that moves is covered less than before.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable

import numpy as np
from common import say, table
from numpy.typing import NDArray
from scipy.signal import lfilter

from motebench.stats import MARGIN_UNPAIRED, compare_unpaired, describe
from motebench.stats.phases import LoopReadings, MachineCourse, SlowPhases, machine_margin, widened

Floats = NDArray[np.float64]
Machine = Callable[[np.random.Generator, int, int], Floats]
"""Logarithm of the time that all work takes, at each visit of a history of 16 runs of n visits; r
rounds a run.
"""

SIZES = (8, 12, 40, 100)
NOISE, LOOP, MOVES, CASES, LONGER = 0.01, 0.005, 0.02, 10, 16


def quiet(rng: np.random.Generator, n: int, rounds: int) -> Floats:
    """Noise-free machine."""
    del rng, rounds
    return np.zeros(LONGER * n)


def flicker(rng: np.random.Generator, n: int, rounds: int) -> Floats:
    """1/f noise of 2 % over the history."""
    del rounds
    waves = np.fft.rfft(rng.standard_normal(LONGER * n))
    waves[0] = 0
    waves[1:] /= np.sqrt(np.arange(1, waves.size))
    history: Floats = np.fft.irfft(waves, LONGER * n)
    return history * (MOVES / history.std())


def memory(rng: np.random.Generator, n: int, rounds: int) -> Floats:
    """AR(1) of 2 %, with a correlation of 0.9 from one round to the next."""
    rho = 0.9 ** (rounds / n)
    steps = rng.standard_normal(LONGER * n) * math.sqrt(1 - rho**2)
    steps[0] = rng.standard_normal()
    history: Floats = lfilter([1.0], [1.0, -rho], steps)
    return MOVES * history


def step(rng: np.random.Generator, n: int, rounds: int) -> Floats:
    """One step of 5 %, up or down, in the middle: the time after it is the usual one."""
    del rounds
    history: Floats = np.where(
        np.arange(LONGER * n) < LONGER * n / 2, 0.05 * rng.choice((-1, 1)), 0.0
    )
    return history


def bursts(rng: np.random.Generator, n: int, rounds: int) -> Floats:
    """Load that makes it 10 % slower, in phases of a fifth of a run, for a third of the time."""
    del rounds
    history, at = np.zeros(LONGER * n), rng.exponential(2 * n / 5)
    while at < history.size:
        lasts = rng.exponential(n / 5)
        history[int(at) : int(at + lasts)] = 0.1
        at += lasts + rng.exponential(2 * n / 5)
    return history


MACHINES: dict[str, Machine] = {
    "quiet": quiet,
    "1/f": flicker,
    "one step of 5 %": step,
    "AR(1), 0.9": memory,
    "bursts of load": bursts,
}


class SimulatedRun:
    """A case and its loops in a part of a history that begins at ``begin``; ``own``: phases of its
    memory.
    """

    def __init__(self, rng: np.random.Generator, history: Floats, begin: int, rounds: int) -> None:
        n = rounds * CASES
        speed = history[begin : begin + n]
        at = np.arange(rounds) * CASES + rng.integers(0, CASES, rounds)
        loops = np.exp(speed + LOOP * rng.standard_normal(n))
        others = np.setdiff1d(np.arange(n), at)
        course = MachineCourse(
            {
                "case": LoopReadings("probe", at.tolist(), loops[at].tolist()),
                "others": LoopReadings("probe", others.tolist(), loops[others].tolist()),
            }
        )
        self.at, self.loops = at, loops[at]
        self.values = np.exp(speed[at] + NOISE * rng.standard_normal(rounds))
        self.phases: SlowPhases = course.during("case")


def within(low: float | None, true: float, high: float | None) -> bool:
    """True if the interval holds the true value."""
    return low is not None and high is not None and low <= true <= high


def coverage(machine: Machine, rounds: int, trials: int, seed: int) -> list[float]:
    """Coverage as it was, widened, divided, and divided of code that waits for memory; width and
    marks.
    """
    rng, n = np.random.default_rng(seed), rounds * CASES
    sums = np.zeros(7)
    for _ in range(trials):
        history, other = machine(rng, n, rounds), machine(rng, n, rounds)
        # A step is in the run: a run that lies wholly before it sees nothing of it.
        begin = int(
            rng.integers(7.1 * n, 7.9 * n) if machine is step else rng.integers(0, (LONGER - 1) * n)
        )
        run = SimulatedRun(rng, history, begin, rounds)
        waits = np.exp(other[begin + run.at] + NOISE * rng.standard_normal(rounds))
        usual, others = (
            (math.exp(np.median(each)) if machine is not step else 1.0) for each in (history, other)
        )
        found = describe(run.values)
        assert found.ci_low is not None and found.ci_high is not None
        low, high = widened(found.ci_low, found.median, found.ci_high, run.phases.variance)
        divided, wrongly, plain = (
            describe(run.values / run.loops),
            describe(waits / run.loops),
            describe(waits),
        )
        sums += (
            within(found.ci_low, usual, found.ci_high),
            within(low, usual, high),
            within(divided.ci_low, 1.0, divided.ci_high),
            within(plain.ci_low, others, plain.ci_high),
            within(wrongly.ci_low, others / usual, wrongly.ci_high),
            math.log(high / low) / math.log(found.ci_high / found.ci_low),
            run.phases.slow > 0,
        )
    return [float(each) / trials for each in sums]


def differences(machine: Machine, rounds: int, trials: int, seed: int) -> list[float]:
    """Share of pairs of runs called different: no margin, the assumed margin, and each with the
    loop's.
    """
    rng, n = np.random.default_rng(seed), rounds * CASES
    sums = np.zeros(4)
    for _ in range(trials):
        history = machine(rng, n, rounds)
        a, b = (
            SimulatedRun(rng, history, int(rng.integers(0, (LONGER - 1) * n)), rounds)
            for _ in range(2)
        )
        reach = machine_margin(a.phases, b.phases, (a.loops.tolist(), b.loops.tolist()))
        margins = (0.0, MARGIN_UNPAIRED, reach, max(MARGIN_UNPAIRED, reach))
        sums += [
            compare_unpaired(a.values, b.values, margin=margin).different for margin in margins
        ]
    return [float(each) / trials for each in sums]


def main() -> int:
    """Print both tables; 1 if the loop does not reach its goal."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    covered, called, good = [], [], True
    for name, machine in MACHINES.items():
        for rounds in SIZES:
            before, after, divided, plain, wrongly, width, marked = coverage(
                machine, rounds, args.trials, args.seed
            )
            good = good and (width < 1.03 if machine is quiet else after >= before)
            shares = (before, after, divided, plain, wrongly, marked)
            covered.append(
                [name, str(rounds), *(f"{share:.1%}" for share in shares), f"{width:.2f}"]
            )
            found = differences(machine, rounds, args.trials, args.seed)
            called.append([name, str(rounds), *(f"{share:.1%}" for share in found)])
    say(
        f"Coverage of 95 % intervals, {args.trials} runs of {CASES} cases each, seed {args.seed}.\n"
    )
    head = [
        "machine",
        "n",
        "as it was",
        "widened",
        "divided",
        "memory",
        "memory, divided",
        "marked",
        "width",
    ]
    say(table(head, covered))
    say("\nPairs of single runs of equal code that are called different.\n")
    say(table(["machine", "n", "no margin", "margin 2 %", "loop", "loop or 2 %"], called))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
