"""The words of comparing: sides, pairs and their verdicts, and what could not be paired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motebench.environment import Difference
from motebench.metrics import Better, metric
from motebench.model import Run
from motebench.results import MeasurementRow
from motebench.stats import GeometricMean, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a run, or what one implementation did in it."""

    run: Run
    implementation: str | None = None

    @property
    def label(self) -> str:
        """As a user would write it."""
        name = self.run.info.name
        return f"{name}:{self.implementation}" if self.implementation else name

    @property
    def implementations(self) -> list[str]:
        """Implementations this side is about."""
        if self.implementation:
            return [self.implementation]
        return sorted({result.case.implementation for result in self.run.results})


@dataclass(frozen=True, slots=True)
class Pair:
    """One metric of one case on both sides, and the verdict. Medians are of the samples that were compared."""

    a: MeasurementRow
    b: MeasurementRow
    median_a: float
    median_b: float
    verdict: Verdict

    @property
    def word(self) -> str:
        """The verdict on B in a word: ``faster``, ``slower``, ``smaller``, ..., ``not distinguishable``."""
        outcome = self.verdict.outcome
        if outcome is Outcome.NOT_DISTINGUISHABLE:
            return outcome.value
        known = metric(self.a.metric)
        lower = outcome is Outcome.LOWER
        if known.better is Better.NEITHER:
            return outcome.value
        if known.unit == "B":
            return "smaller" if lower else "larger"
        return "faster" if lower == (known.better is Better.LOWER) else "slower"

    def slower_than(self, allowed: float) -> bool:
        """Whether B is slower than A by more than ``allowed`` (0.03: 3 %), and surely so.

        True where the verdict is ``slower`` (for memory ``larger``) and the whole interval lies beyond the allowance.
        """
        if self.word not in ("slower", "larger") or self.verdict.low is None or self.verdict.high is None:
            return False
        higher = metric(self.a.metric).better is Better.HIGHER
        surely = 1 / self.verdict.high if higher else self.verdict.low
        return surely > 1 + allowed


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A case that one side only has, or that must not be compared, and why."""

    scheme: str
    implementation: str
    operation: str
    input_bytes: int
    target: str
    file: str | None
    reason: str
    failed: bool = False
    """The other side tried, and failed."""
    aad_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparing B with A gave."""

    a: Side
    b: Side
    paired: bool
    margin: float
    pairs: tuple[Pair, ...]
    only_in_a: tuple[Unmatched, ...] = ()
    only_in_b: tuple[Unmatched, ...] = ()
    environment: tuple[Difference, ...] = ()
    """Facts that make numbers incomparable and differ; empty unless that was allowed."""
    software: tuple[Mapping[str, Any], ...] = ()
    """Library versions, compilers and flags that differ: what one often wants to compare."""
    means: Mapping[tuple[str, str], GeometricMean] = field(default_factory=dict)
    """Geometric mean of the ratios by metric and evidence."""

    def slower_than(self, allowed: float) -> list[Pair]:
        """Every pair in which B is surely slower than A by more than ``allowed``."""
        return [pair for pair in self.pairs if pair.slower_than(allowed)]
