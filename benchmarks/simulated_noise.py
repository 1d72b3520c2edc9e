"""Claims of the statistics, checked on simulated noise: coverage of intervals, false alarms of
comparisons, and their power.

    .venv/bin/python benchmarks/simulated_noise.py

Every table is drawn anew from its seed; no clock is read. Coverage: how often the interval of the
median holds the true one, beside the confidence that it says it reaches. False alarms: how often a
thing is called different from itself, at a nominal 1 %. What is promised for dependent noise
(`motebench.stats.dependence.Hidden`) is the last line of both. Power: how often a slowdown is
found, beside the rank test alone. Exit status 1 if independent noise breaks the nominal figures,
any noise the promised ones, or the power is more than 5 points below that of the rank test.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import numpy as np
from common import say, table
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, wilcoxon

from motebench.stats import (
    ALPHA,
    Outcome,
    compare_groups,
    compare_paired,
    compare_unpaired,
    describe,
)
from motebench.stats.dependence import Hidden

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

SIZES = (8, 12, 20, 40, 100)
SPREAD = 0.01
"""Standard deviation of the noise, as a share of the time."""


def normal(rng: np.random.Generator, n: int) -> Floats:
    """Independent, normal."""
    return rng.standard_normal(n)


def heavy(rng: np.random.Generator, n: int) -> Floats:
    """Independent, Student's t with two degrees of freedom: no variance."""
    return rng.standard_t(2, n)


def skewed(rng: np.random.Generator, n: int) -> Floats:
    """Independent noise, lognormal with its median at 0, like that of interrupts."""
    out: Floats = np.exp(rng.standard_normal(n)) - 1
    return out


def outliers(rng: np.random.Generator, n: int) -> Floats:
    """Normal, and one sample in ten is interrupted: 30 standard deviations later on average."""
    out: Floats = rng.standard_normal(n) + np.where(
        rng.random(n) < 0.1, rng.exponential(30, n), 0.0
    )
    return out


def memory(share: float) -> Draw:
    """Autoregressive of order 1 with that correlation, of variance 1."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        out = np.empty(n)
        out[0] = rng.standard_normal()
        for at, step in enumerate(rng.standard_normal(n - 1) * math.sqrt(1 - share**2), 1):
            out[at] = share * out[at - 1] + step
        return out

    return draw


def drift(rng: np.random.Generator, n: int) -> Floats:
    """Normal, with a slope of two standard deviations from begin to end, up or down; its median is
    in the middle.
    """
    out: Floats = rng.standard_normal(n) + np.linspace(-1, 1, n) * rng.choice((-1, 1))
    return out


def steps(rng: np.random.Generator, n: int) -> Floats:
    """A processor that changes between two frequencies, one sample in ten; the truth is the middle
    of both.
    """
    changes = rng.random(n) < 0.1
    level = (np.cumsum(changes) + rng.integers(0, 2)) % 2
    out: Floats = 3.0 * level - 1.5 + 0.5 * rng.standard_normal(n)
    return out


def pink(rng: np.random.Generator, n: int) -> Floats:
    """1 / f noise: a window of a record eight times as long, whose mean is the truth."""
    frequencies = np.arange(1, 4 * n + 1)
    waves = rng.standard_normal((2, frequencies.size)) / np.sqrt(frequencies)
    record = np.fft.irfft(np.concatenate(([0.0], waves[0] + 1j * waves[1])), 8 * n)
    out: Floats = record[:n] / record.std()
    return out


def one_step(rng: np.random.Generator, n: int) -> Floats:
    """One change of level by three standard deviations, anywhere; the truth is the middle of both
    levels.
    """
    before = np.arange(n) < rng.integers(1, n)
    out: Floats = rng.standard_normal(n) + rng.choice((-1, 1)) * np.where(before, 1.5, -1.5)
    return out


NOISE: dict[str, Draw] = {
    "normal": normal,
    "heavy tails (t, 2)": heavy,
    "skewed (lognormal)": skewed,
    "outliers, 10 %": outliers,
    "AR(1), 0.5": memory(0.5),
    "AR(1), 0.7": memory(0.7),
    "AR(1), 0.9": memory(0.9),
    "1/f": pink,
    "one step": one_step,
    "slow drift": drift,
    "frequency steps": steps,
}
INDEPENDENT = ("normal", "heavy tails (t, 2)", "skewed (lognormal)", "outliers, 10 %")
LOST = 0.05
"""Power that the look for dependence may cost."""


MEDIANS = {"outliers, 10 %": 0.135}
"""Medians of noise whose median is not 0."""


def times(values: Floats, ratio: float = 1.0) -> Floats:
    """Noise as times."""
    out: Floats = 100.0 * ratio * np.exp(SPREAD * values)
    return out


def allowed(share: float, draws: int) -> float:
    """Least share of so many draws that is not below ``share`` by more than chance."""
    return share - 4 * math.sqrt(share * (1 - share) / draws)


def coverage(draws: int) -> tuple[list[list[str]], bool]:
    """Coverage by noise and number of samples: how often the interval covers, and its stated
    confidence.
    """
    rows, kept = [], True
    for name, draw in NOISE.items():
        row = [name]
        for n in SIZES:
            rng = np.random.default_rng([1, n])
            covered, said, promised = 0, 0.0, 1.0
            for _ in range(draws):
                # The median of what is skewed or has outliers is not where its middle is.
                found = describe(100.0 + draw(rng, n) - MEDIANS.get(name, 0.0))
                assert found.ci_low is not None
                assert found.ci_high is not None
                assert found.confidence is not None
                assert found.confidence_dependent is not None
                covered += found.ci_low <= 100.0 <= found.ci_high
                said += found.confidence
                promised = min(
                    promised, 0.95 if name in INDEPENDENT else found.confidence_dependent
                )
            row.append(f"{100 * covered / draws:.1f} ({100 * said / draws:.0f})")
            kept = kept and covered / draws >= allowed(promised, draws)
        rows.append(row)
    return [
        *rows,
        ["`confidence_dependent`", *(_percent(Hidden.MEDIAN.confidence(n, 0.95)) for n in SIZES)],
    ], kept


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def false_alarms(draws: int) -> tuple[list[list[str]], bool]:
    """Share of pairs and two sets that are called different, by noise and number of samples, in
    percent.

    The noise of both sides is drawn apart, also that of a pair: what hits both sides of a pair
    alike cancels.
    """
    rows, kept = [], True
    for name, draw in NOISE.items():
        row = [name]
        for n in SIZES:
            rng = np.random.default_rng([2, n])
            wrong = [0, 0]
            for _ in range(draws):
                a, b = times(draw(rng, n)), times(draw(rng, n))
                wrong[0] += compare_paired(a.tolist(), b.tolist()).different
                wrong[1] += compare_unpaired(a.tolist(), b.tolist(), margin=0.0).different
            row.append(" / ".join(f"{100 * count / draws:.1f}" for count in wrong))
            for count, hidden in zip(wrong, (Hidden.PAIRS, Hidden.SETS), strict=True):
                promised = 0.985 if name in INDEPENDENT else hidden.confidence(n, 0.99)
                kept = kept and 1 - count / draws >= allowed(promised, draws)
        rows.append(row)
    most = [
        " / ".join(
            _percent(1 - hidden.confidence(n, 0.99)) for hidden in (Hidden.PAIRS, Hidden.SETS)
        )
        for n in SIZES
    ]
    return [*rows, ["1 - `confidence_dependent`", *most]], kept


def power(draws: int) -> tuple[list[list[str]], bool]:
    """Power by noise and slowdown: how often pairs and two sets find it, and how often the rank
    tests alone do.
    """
    rows, kept = [], True
    for name in INDEPENDENT:
        for slowdown in (0.01, 0.03):
            row = [name, f"{slowdown:.0%}"]
            for n in SIZES:
                rng = np.random.default_rng([3, n])
                found = np.zeros(4)
                for _ in range(draws):
                    a, b = times(NOISE[name](rng, n)), times(NOISE[name](rng, n), 1 + slowdown)
                    found += [
                        compare_paired(a.tolist(), b.tolist()).outcome is Outcome.HIGHER,
                        wilcoxon(np.log(b / a)).pvalue <= ALPHA,
                        compare_unpaired(a.tolist(), b.tolist(), margin=0.0).outcome
                        is Outcome.HIGHER,
                        mannwhitneyu(b, a).pvalue <= ALPHA,
                    ]
                shares = found / draws
                row.append(
                    " / ".join(
                        f"{_percent(mine)} ({_percent(rank)})"
                        for mine, rank in shares.reshape(2, 2)
                    )
                )
                lost = max(shares[1] - shares[0], shares[3] - shares[2])
                kept = kept and lost <= LOST + 2 * math.sqrt(LOST * (1 - LOST) / draws)
            rows.append(row)
    return rows, kept


def units(draws: int) -> list[list[str]]:
    """Runs, or starts of a virtual machine, that are faster or slower as a whole: false alarms and
    found differences.
    """
    rows = []
    for offset in (0.003, 0.01, 0.03):
        row = [f"{offset:.1%}"]
        for count in (3, 5, 6, 10):
            rng = np.random.default_rng([4, count])
            called = [0, 0, 0]
            for _ in range(draws):
                for at, slowdown in enumerate((0.0, 0.03, 0.10)):
                    a = [
                        float(np.median(times(heavy(rng, 12))))
                        * math.exp(offset * rng.standard_normal())
                        for _ in range(count)
                    ]
                    b = [
                        float(np.median(times(heavy(rng, 12), 1 + slowdown)))
                        * math.exp(offset * rng.standard_normal())
                        for _ in range(count)
                    ]
                    called[at] += compare_groups(a, b).different
            row.append(
                " / ".join(
                    f"{100 * number / draws:.1f}" if at == 0 else f"{100 * number / draws:.0f}"
                    for at, number in enumerate(called)
                )
            )
        rows.append(row)
    return rows


def main() -> int:
    """Draw, print the tables, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=2000, help="for each cell")
    draws = parser.parse_args().draws
    by_size = [f"n = {n}" for n in SIZES]
    say("coverage")
    covered, covers = coverage(draws)
    print(
        "Coverage of the 95 % interval of the median, in percent, and in brackets what it says; "
        f"{draws} draws a cell\n"
    )
    print(table(["noise", *by_size], covered))
    say("false alarms")
    alarms, keeps = false_alarms(draws)
    print(
        "\nCalled different from itself at a nominal 1 %, in percent: pairs / two sets without a "
        "margin\n"
    )
    print(table(["noise", *by_size], alarms))
    say("power")
    print(
        "\nSlowdowns found in noise of 1 %, in percent, and in brackets by the rank test alone: "
        "pairs / two sets\n"
    )
    found, finds = power(draws)
    print(table(["noise", "slowdown", *by_size], found, left=2))
    say("units")
    print(
        "\nUnits that differ as a whole by so much, in percent: called at 0 % / at 3 % / at 10 % "
        "slowdown\n"
    )
    print(table(["spread of units", *(f"{count} a side" for count in (3, 5, 6, 10))], units(draws)))
    return 0 if covers and keeps and finds else 1


if __name__ == "__main__":
    raise SystemExit(main())
