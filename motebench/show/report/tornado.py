"""The effect of each input on a choice as bars around the answer, drawn without a script."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from motebench.base.units import format_value

WIDTH, ROW, LEFT, RIGHT = 640, 30, 8, 8
"""Pixels of the drawing: its width, the height of a row, margins."""


def tornado(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Bars, one for each input: where each begins and ends on a logarithmic axis; None if nobody asked for them."""
    if found is None or not found["inputs"]:
        return None
    values = [found["typical"]]
    rows = []
    for entry in found["inputs"]:
        ends = [end["criterion"] or end["criterion_of_first"] for end in (entry["low"], entry["high"])]
        known = [end for end in ends if end]
        values += known
        rows.append((entry, ends, known))
    low, high = math.log(min(values)), math.log(max(values))
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return round(LEFT + (math.log(value) - low) / span * (WIDTH - LEFT - RIGHT), 1)

    middle = place(found["typical"])
    bars = []
    for entry, ends, known in rows:
        begin, end = (place(value) for value in (min([*known, found["typical"]]), max([*known, found["typical"]])))
        bars.append(
            {
                "entry": entry,
                "x": begin,
                "width": max(round(end - begin, 1), 2.0),
                "ends": [spelt(value, found["unit"]) if value else "not possible" for value in ends],
                "factor": f"{entry['factor']:.3g}" if entry["factor"] else "",
            }
        )
    return {
        "bars": bars,
        "middle": middle,
        "width": WIDTH,
        "row": ROW,
        "typical": spelt(found["typical"], found["unit"]),
    }


def spelt(value: float, unit: str) -> str:
    """A criterion in words."""
    if unit == "years":
        return f"{value:.3g} years"
    return format_value(value * 1e9, "ns") if unit == "s" else format_value(value, unit)
