"""The types of comparing: sides, pairs and their verdicts, unmatched cases; margins, and cases that
stay open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from motebench.base.identity import CaseId
from motebench.base.model import Run, RunInfo
from motebench.base.units import Better, metric
from motebench.documents.comparison import SoftwareEntry
from motebench.results.places import proven
from motebench.results.row import MeasurementRow
from motebench.results.selection import EVERY_CASE, ChosenCases
from motebench.stats import (
    ALPHA,
    MARGIN_PAIRED,
    MARGIN_UNPAIRED,
    Between,
    ComparisonVerdict,
    GeometricMean,
    Outcome,
    RunSpread,
    holm,
)
from motebench.stats.runs import FEWEST_RUNS, POWER, detectable, runs_needed
from motebench.targets.machine import Difference


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a run or several, or one implementation in them.

    runs: all of them if there are several, ``run`` is the first. name: as the user wrote it.
    chosen: the cases that are compared.
    """

    run: Run
    implementation: str | None = None
    runs: tuple[Run, ...] = ()
    name: str | None = None
    chosen: ChosenCases = EVERY_CASE

    @property
    def every(self) -> tuple[Run, ...]:
        """The runs of this side."""
        return self.runs or (self.run,)

    @property
    def several(self) -> bool:
        """True if the run is the random unit."""
        return len(self.every) > 1

    @property
    def label(self) -> str:
        """The name as a user would write it."""
        name = self.name or self.run.info.name
        return f"{name}:{self.implementation}" if self.implementation else name

    @property
    def implementations(self) -> list[str]:
        """The implementations of this side."""
        if self.implementation:
            return [self.implementation]
        return sorted({result.case.implementation for run in self.every for result in run.results})


@dataclass(frozen=True, slots=True)
class Pair:
    """One metric of one case on both sides, and the verdict. Medians are of the samples that were
    compared.
    """

    a: MeasurementRow
    b: MeasurementRow
    median_a: float
    median_b: float
    verdict: ComparisonVerdict
    between: Between | None = None
    """The spread between single runs of this case, if known."""
    machine: float = 0.0
    """Difference of two single runs that the machine may have caused, as the loop beside each
    reading shows.
    """

    @property
    def word(self) -> str:
        """The verdict on B as a word: ``faster``, ``slower``, ``smaller``, ``fewer``, ...,
        ``not distinguishable``.
        """
        outcome = self.verdict.outcome
        if not self.verdict.different:
            return outcome.value
        entry = metric(self.a.metric)
        lower = outcome is Outcome.LOWER
        if entry.better is Better.NEITHER:
            return outcome.value
        if entry.unit == "B":
            return "smaller" if lower else "larger"
        if entry.unit == "instructions":
            return "fewer" if lower else "more"
        return "faster" if lower == (entry.better is Better.LOWER) else "slower"

    @property
    def proven(self) -> bool:
        """True if neither side follows from cycles that are not proven on silicon."""
        return proven(self.a) and proven(self.b)

    def p_slower(self, allowed: float) -> float | None:
        """p of the hypothesis that B is slower (for memory: larger) than A by at most ``allowed``
        (0.03: 3 %).

        None if no test was made, or if neither direction of the metric is better. Two single runs
        of the same thing differ by chance, which their samples do not show. If the spread of runs
        is known, p is the larger of the samples' and the spread's; otherwise the margin is added to
        what is allowed.
        """
        better = metric(self.a.metric).better
        if better is Better.NEITHER:
            return None
        upwards = better is Better.LOWER
        if self.between is None or self.verdict.shift is None:
            return self.verdict.beyond(
                (1 + allowed) * (1 + self.verdict.margin) - 1, upwards=upwards
            )
        within = self.verdict.beyond((1 + allowed) * (1 + self.machine) - 1, upwards=upwards)
        log = self.verdict.shift.estimate if upwards else -self.verdict.shift.estimate
        return None if within is None else max(within, self.between.above(log, math.log1p(allowed)))

    def p_not_slower(self, allowed: float) -> float | None:
        """p of the hypothesis that B is slower than A by ``allowed`` or more; None as for
        `p_slower`, and of counts.

        Of two single runs the same chance is allowed for as in `p_slower`.
        """
        better, shift = metric(self.a.metric).better, self.verdict.shift
        if better is Better.NEITHER:
            return None
        upwards, limit = better is Better.LOWER, math.log1p(allowed)
        if shift is None:
            return self._p_over_places(limit, upwards=upwards)
        chance = math.log1p(self.verdict.margin if self.between is None else self.machine)
        within = shift.below(limit - chance) if upwards else shift.above(chance - limit)
        if self.between is None:
            return within
        log = shift.estimate if upwards else -shift.estimate
        return max(within, self.between.above(-log, -limit))

    def _p_over_places(self, limit: float, *, upwards: bool) -> float | None:
        """1 if code at some place is slower than the limit, else 0; None for code at one place."""
        if self.verdict.span is None or min(self.verdict.span) <= 0:
            return None
        low, high = self.verdict.span
        return float(math.log(high if upwards else 1 / low) > limit)


@dataclass(frozen=True, slots=True)
class Unmatched(CaseId):
    """A case that only one side has, or that must not be compared, with the reason."""

    reason: str
    failed: bool = False
    """The other side measured it, and it failed."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing B with A."""

    a: Side
    b: Side
    paired: bool
    margin: float
    pairs: tuple[Pair, ...]
    only_in_a: tuple[Unmatched, ...] = ()
    only_in_b: tuple[Unmatched, ...] = ()
    environment: tuple[Difference, ...] = ()
    """Differences that make numbers incomparable; empty unless the user allowed them."""
    software: tuple[SoftwareEntry, ...] = ()
    """Differences of library versions, compilers and flags, which are often what the user compares.
    """
    means: Mapping[tuple[str, str], GeometricMean] = field(default_factory=dict)
    """Geometric mean of the ratios by metric and evidence."""
    spreads: Mapping[str, RunSpread] = field(default_factory=dict)
    """Spread of runs by metric: of both sides if they have several runs, else of all groups of this
    machine.
    """
    margin_source: str = "given"
    """Origin of ``margin``: ``given``, ``none``, ``assumed`` or ``spread`` of runs."""
    in_turn: bool = False
    """Several runs per side, which alternate."""
    alpha: float = ALPHA
    """The chance of one false call among all pairs, of each kind of call."""

    @property
    def runs(self) -> tuple[RunInfo, ...]:
        """Facts about the runs of both sides, each run once."""
        both = (run.info for side in (self.a, self.b) for run in side.every)
        return tuple({(info.name, info.started): info for info in both}.values())

    @property
    def of_runs(self) -> bool:
        """True if the run is the random unit, and not the sample."""
        return self.a.several

    def slower_than(self, allowed: float) -> list[Pair]:
        """Every pair in which B is slower than A by more than ``allowed``.

        The probability of even one false pair is at most `alpha` (Holm).
        """
        tested = [(pair, p) for pair in self.pairs if (p := pair.p_slower(allowed)) is not None]
        adjusted = holm([p for _, p in tested])
        return [pair for (pair, _), p in zip(tested, adjusted, strict=True) if p <= self.alpha]

    def undecided(self) -> list[tuple[Pair, int]]:
        """Pairs with too few samples for `slower_than` to name them ever, with the number of
        samples per side that could."""
        family = sum(pair.verdict.shift is not None for pair in self.pairs) or 1
        undecided = []
        for pair in self.pairs:
            shift = pair.verdict.shift
            # A gate is a one-sided test: it corresponds to a two-sided test at twice the level.
            needed = pair.verdict.needed
            if shift is not None:
                needed = shift.needed(2 * self.alpha / family)
            if needed is not None and metric(pair.a.metric).better is not Better.NEITHER:
                undecided.append((pair, needed))
        return undecided


# The margin (the difference that is ignored), and cases that too few runs leave open


@dataclass(frozen=True, slots=True)
class Open:
    """A case that is neither certainly slower than allowed nor certainly not slower.

    more: further runs per side that would decide with a probability of 95 %, if the true ratio is
    the observed one; None if it is too near to the allowed ratio, or if the spread is unknown.
    """

    pair: Pair
    more: int | None


def left_open(comparison: Comparison, allowed: float) -> list[Open]:
    """The cases left open about "slower by more than ``allowed``".

    The number of runs is for all cases together: they share the level (Bonferroni, Holm's first
    step).
    """
    slower, alpha = comparison.slower_than(allowed), comparison.alpha
    open_pairs = []
    for pair in comparison.pairs:
        p = pair.p_not_slower(allowed)
        if p is not None and p > alpha and not any(pair is other for other in slower):
            open_pairs.append(
                Open(pair, _more(comparison, pair, allowed, alpha / len(comparison.pairs)))
            )
    return open_pairs


def found_by(comparison: Comparison, allowed: float) -> float | None:
    """The slowdown that these runs find with a probability of 95 %: 0.03 is 3 %. None if the spread
    is unknown.
    """
    first, alpha = comparison.pairs[0], comparison.alpha
    if not comparison.of_runs:
        if first.between is None:
            return None
        return math.expm1(
            first.between.detectable(alpha / len(comparison.pairs), POWER) + math.log1p(allowed)
        )
    spread = comparison.spreads.get(first.a.metric)
    least = min(min(pair.verdict.n_a, pair.verdict.n_b) for pair in comparison.pairs)
    if spread is None or least < FEWEST_RUNS:
        return None
    shift = detectable(spread.sd, least, alpha=alpha / len(comparison.pairs))
    return None if shift is None else math.expm1(shift + _limit(first, allowed))


def _limit(pair: Pair, allowed: float) -> float:
    """The value that the logarithm of the ratio must exceed; groups that were not made in turn have
    a margin.
    """
    return math.log1p(allowed) + math.log1p(pair.verdict.margin)


def _more(comparison: Comparison, pair: Pair, allowed: float, alpha: float) -> int | None:
    spread, ratio = comparison.spreads.get(pair.a.metric), pair.verdict.ratio
    if spread is None or ratio is None:
        return None
    slowness = math.log(ratio) if pair.a.better == "lower" else -math.log(ratio)
    distance = abs(slowness - _limit(pair, allowed))
    needed = runs_needed(max(spread.of(pair.a.case), spread.of(pair.b.case)), distance, alpha=alpha)
    runs = min(pair.verdict.n_a, pair.verdict.n_b) if comparison.of_runs else 1
    return None if needed is None else max(1, needed - runs)


@dataclass(frozen=True)
class Margins:
    """The margin of each case.

    given: by the user, for all cases. chance_alone: the test covers all variation, so there is no
    margin. spreads: by metric, the spread of runs on this machine, if known.
    """

    given: float | None
    chance_alone: bool
    spreads: Mapping[str, RunSpread]
    alpha: float

    def general(self, name: str) -> tuple[float, str]:
        """The margin of a metric, and its origin (see `Comparison.margin_source`)."""
        if self.given is not None:
            return self.given, "given"
        if self.chance_alone:
            return MARGIN_PAIRED, "none"
        if name in self.spreads:
            return self.spreads[name].margin(alpha=self.alpha), "spread"
        return MARGIN_UNPAIRED, "assumed"

    def of(self, a: MeasurementRow, b: MeasurementRow, machine: float = 0.0) -> float:
        """Margin of a case: the given one, or the largest of its own spread of runs, that of all
        cases, if known, and the movement of the machine (``machine``).
        """
        margin, source = self.general(a.metric)
        if source == "spread":
            margin = max(self.spreads[a.metric].margin(row.case, self.alpha) for row in (a, b))
        return margin if source == "given" else max(margin, machine)

    def between(self, a: MeasurementRow, b: MeasurementRow) -> Between | None:
        """The spread between single runs of a case; None if the margin has another origin."""
        if self.general(a.metric)[1] != "spread":
            return None
        return max(
            (self.spreads[a.metric].between(row.case) for row in (a, b)),
            key=lambda spread: spread.sd,
        )
