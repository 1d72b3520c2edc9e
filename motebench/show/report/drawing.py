"""What all charts share: the style of axes and texts, kinds of numbers, rows that the page fills in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt

ROW_STEP = 46
BAR = 8
"""How far below the middle of its row a mark is, so that it is just under its own label."""
_BYTES = (
    "datum.value >= 1048576 ? format(datum.value / 1048576, ',.4~g') + ' MiB' : "
    "datum.value >= 1024 ? format(datum.value / 1024, ',.4~g') + ' KiB' : format(datum.value, ',.4~g') + ' B'"
)
AXIS_LABELS = {
    "throughput": "datum.value == 0 ? '0' : replace(format(datum.value, '.3~s'), /([kMGT])?$/, ' $1') + 'B/s'",
    "time": "datum.value == 0 ? '0' : replace(format(datum.value * 1e-9, '.3~s'), /([nµm])?$/, ' $1') + 's'",
    "bytes": _BYTES,
    "plain": "format(datum.value, '.3~s')",
    "rate": "format(datum.value, ',.6~g')",
    "energy": "datum.value == 0 ? '0' : replace(format(datum.value, '.3~s'), /([kmµn])?$/, ' $1') + 'J'",
    "percent": "(datum.value > 0 ? '+' : '') + format(datum.value, '.2~f') + ' %'",
}
"""Axis labels by kind of number, as Vega expressions."""


@dataclass(frozen=True, slots=True)
class ChartKind:
    """A drawing: ``spec`` is Vega-Lite, ``axis`` the kind of number its value axis starts with."""

    name: str
    spec: dict[str, Any]


def _config() -> dict[str, Any]:
    text = {"labelColor": "var(--ink-2)", "titleColor": "var(--ink-2)", "labelFontSize": 12, "titleFontSize": 12}
    font = "ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif"
    return {
        "background": "transparent",
        "font": font,
        "aria": False,
        "view": {"stroke": "transparent"},
        "axis": {
            **text,
            "titleFontWeight": 500,
            "gridColor": "var(--grid)",
            "domainColor": "var(--axis)",
            "tickColor": "var(--axis)",
            "titlePadding": 10,
            "labelPadding": 6,
        },
        "text": {"fontSize": 12.5, "fill": "var(--ink)"},
    }


def finish(chart: alt.TopLevelMixin, height: int | alt.Step) -> dict[str, Any]:
    """The chart as Vega-Lite, as wide as its place."""
    spec: dict[str, Any] = chart.to_dict()
    spec["width"] = "container"
    spec["height"] = height if isinstance(height, int) else height.to_dict()
    spec["config"] = _config()
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    spec["padding"] = {"left": 2, "right": 8, "top": 6, "bottom": 2}
    return spec


def base() -> alt.Chart:
    """A chart of the rows that the page fills in."""
    return alt.Chart(alt.NamedData("rows"))


def color() -> alt.Color:
    """The colour that each row brings."""
    return alt.Color("color:N").scale(None)


def fill() -> alt.Fill:
    """The filling that each row brings."""
    return alt.Fill("fill:N").scale(None)


def value_axis(kind: str, title: str = "", **more: Any) -> alt.Axis:
    """An axis of that kind of number."""
    return alt.Axis(labelExpr=AXIS_LABELS[kind], title=title, tickCount=6, labelOverlap="greedy", **more)


def line_labels() -> list[alt.Chart]:
    """Two texts above each bar: what it is on the left, its value on the right."""
    rows = base().transform_filter("datum.head").encode(alt.Y("label:N").sort(None).axis(None))
    # Texts do not react to the mouse, so that they never hide the mark below them.
    room = alt.ExprRef(expr="max(100, width - 110)")
    left = rows.mark_text(align="left", baseline="bottom", dy=-1, tooltip=None, fontWeight=500, limit=room)
    right = rows.mark_text(align="right", baseline="bottom", dy=-1, tooltip=None, fill="var(--ink-2)")
    return [
        left.encode(x=alt.value(0), text="label:N"),
        right.encode(x=alt.value(alt.ExprRef(expr="width")), text="text:N"),
    ]
