"""The margin: the difference that is ignored, and its origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from motebench.results.row import MeasurementRow
from motebench.stats import MARGIN_PAIRED, MARGIN_UNPAIRED, Between, Spread


@dataclass(frozen=True)
class Margins:
    """The margin of each case.

    given: by the user, for all cases. chance_alone: the test covers all variation, so there is no margin. spreads: by
    metric, the spread of runs on this machine, if known.
    """

    given: float | None
    chance_alone: bool
    spreads: Mapping[str, Spread]
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

    def of(self, a: MeasurementRow, b: MeasurementRow) -> float:
        """The margin of a case: the larger of its own spread of runs and that of all cases, if known."""
        margin, source = self.general(a.metric)
        if source != "spread":
            return margin
        return max(self.spreads[a.metric].margin(row.case, self.alpha) for row in (a, b))

    def between(self, a: MeasurementRow, b: MeasurementRow) -> Between | None:
        """The spread between single runs of a case; None if the margin has another origin."""
        if self.general(a.metric)[1] != "spread":
            return None
        return max((self.spreads[a.metric].between(row.case) for row in (a, b)), key=lambda found: found.sd)
