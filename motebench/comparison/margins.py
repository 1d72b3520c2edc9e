"""How far two sides may lie apart without being called different, and where that number comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from motebench.results import MeasurementRow
from motebench.stats import MARGIN_PAIRED, MARGIN_UNPAIRED, Between, Spread


@dataclass(frozen=True)
class Margins:
    """The margin of each case.

    given: by the user, for all cases. chance_alone: the test sees all there is to see, so there is no margin. spreads:
    by metric, how far single runs lie apart on this machine, where that is known.
    """

    given: float | None
    chance_alone: bool
    spreads: Mapping[str, Spread]
    alpha: float

    def general(self, name: str) -> tuple[float, str]:
        """Of a metric, and where it comes from (see `Comparison.margin_source`)."""
        if self.given is not None:
            return self.given, "given"
        if self.chance_alone:
            return MARGIN_PAIRED, "none"
        if name in self.spreads:
            return self.spreads[name].margin(alpha=self.alpha), "spread"
        return MARGIN_UNPAIRED, "assumed"

    def of(self, a: MeasurementRow, b: MeasurementRow) -> float:
        """Of a case: where the spread of runs is known, its own counts if it is larger than that of all."""
        margin, source = self.general(a.metric)
        if source != "spread":
            return margin
        return max(self.spreads[a.metric].margin(row.case, self.alpha) for row in (a, b))

    def between(self, a: MeasurementRow, b: MeasurementRow) -> Between | None:
        """How far two single runs of a case lie apart by chance; None where the margin does not come from that."""
        if self.general(a.metric)[1] != "spread":
            return None
        return max((self.spreads[a.metric].between(row.case) for row in (a, b)), key=lambda found: found.sd)
