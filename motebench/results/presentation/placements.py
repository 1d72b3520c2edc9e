"""How far the place of code moves results: a line for each case that was measured at several places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.naming import usual
from motebench.results.presentation.rows import Row, input_of

HEADING = "Cycles by the place of the code, simulated: no place is more right than another"


@dataclass(frozen=True, slots=True)
class Line:
    """A case: the number of places, and cycles over them as texts."""

    case: CaseId
    places: int
    median: str
    least: str
    most: str
    spread: str

    @property
    def input(self) -> str:
        """The input as text; empty if there is none."""
        return input_of(self.case)


def lines(document: Mapping[str, Any]) -> list[Line]:
    """The cases of a result document; none if nothing was measured at several places."""
    entries = [entry for entry in document.get("placements") or () if entry["metric"] == "cycles"]
    return [
        Line(
            case=CaseId.of(entry),
            places=entry["places"],
            median=_count(entry["median"]),
            least=_count(entry["least"]),
            most=_count(entry["most"]),
            spread=_percent(entry["spread"]),
        )
        for entry in entries
    ]


def at_usual_places(rows: Sequence[Row]) -> list[Row]:
    """Without the rows of a target whose code is elsewhere, where the same target has rows at the usual place."""
    names = usual(row.target for row in rows)
    return [row for row in rows if row.target in names]


def _count(cycles: float) -> str:
    return f"{cycles:,.0f}"


def _percent(spread: float) -> str:
    if 0 < spread < 0.0005:
        return "<0.1 %"
    return f"{100 * spread:.1f} %" if spread else "0 %"
