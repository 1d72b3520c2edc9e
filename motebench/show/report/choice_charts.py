"""The drawings of a choice; see ``charts.py`` for how they get their rows."""

from __future__ import annotations

from typing import Any

import altair as alt

from motebench.show.report import charts, drawing

_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3]]
_CELL = 30
_SPLIT_TITLE = "Energy from one message to the next (lower is better)"
_YEARS = "format(datum.value, '.3~g')"


def _energy_split() -> dict[str, Any]:
    spec = charts.parts().spec
    for layer in spec["layer"]:
        axis = layer.get("encoding", {}).get("x", {}).get("axis")
        if axis:
            axis.update(
                labelExpr=drawing.AXIS_LABELS["energy"], title="Energy from one message to the next (lower is better)"
            )
    return spec


def _life(title: str, *, log: bool) -> dict[str, Any]:
    scale: dict[str, Any] = {"type": "log"} if log else {"zero": False}
    x = (
        alt.X("x:Q")
        .scale(nice=False, padding=10, **scale)
        .axis(title=title, grid=False, labelOverlap="greedy", format=",.6~g")
    )
    y = (
        alt.Y("v:Q")
        .scale(zero=True, nice=True)
        .axis(labelExpr=_YEARS, title="Battery life in years (higher is better)")
    )
    dash = alt.StrokeDash("dash:O").scale(domain=list(range(len(_DASHES))), range=_DASHES).legend(None)
    band = drawing.base().transform_filter("datum.band").mark_area(opacity=0.14, tooltip=None, line=False)
    band = band.encode(x=x, y=alt.Y("lo:Q"), y2="hi:Q", fill=alt.Fill("color:N").scale(None))
    line = drawing.base().mark_line(strokeWidth=2, tooltip=None).encode(
        x=x, y=y, color=drawing.color(), detail="label:N", strokeDash=dash
    )  # fmt: skip
    point = drawing.base().mark_point(size=26, filled=True, opacity=0.9)
    point = point.encode(x=x, y=y, color=drawing.color(), shape=alt.Shape("shape:N").scale(None))
    return drawing.finish(alt.layer(band, line, point), 360)


def _pareto() -> dict[str, Any]:
    x = alt.X("x:Q").scale(type="log", nice=False, padding=24)
    x = x.axis(
        labelExpr=drawing.AXIS_LABELS["bytes"], title="Flash (lower is better)", labelOverlap="greedy", tickCount=6
    )
    y = alt.Y("v:Q").scale(type="log", nice=False, padding=24)
    y = y.axis(
        labelExpr=drawing.AXIS_LABELS["energy"], title="Energy of a message, sleep apart (lower is better)",
        labelOverlap="greedy", tickCount=6,
    )  # fmt: skip
    point = drawing.base().mark_point(size=80, strokeWidth=1.8, opacity=1).encode(
        x=x, y=y, color=drawing.color(), fill=drawing.fill(), shape=alt.Shape("shape:N").scale(None)
    )  # fmt: skip
    words = (
        drawing.base().transform_filter("datum.front").mark_text(align="left", dx=10, dy=-8, tooltip=None, clip=True)
    )
    words = words.encode(x=x, y=y, text="text:N")
    return drawing.finish(alt.layer(point, words), 400)


def _heat() -> dict[str, Any]:
    axis: dict[str, Any] = {"domain": False, "ticks": False, "grid": False, "title": ""}
    x = alt.X("device:N").sort(None).axis(orient="top", labelAngle=0, labelLimit=160, **axis)
    y = alt.Y("scheme:N").sort(None).axis(labelLimit=240, labelFontSize=12.5, **axis)
    cell = drawing.base().mark_rect(fill="var(--c1)", stroke="var(--card)", strokeWidth=2)
    cell = cell.encode(x=x, y=y, fillOpacity=alt.FillOpacity("shade:Q").scale(None))
    words = drawing.base().mark_text(tooltip=None).encode(x=x, y=y, text="text:N")
    return drawing.finish(alt.layer(cell, words), alt.Step(_CELL))


def kinds() -> dict[str, dict[str, Any]]:
    """Every drawing by name, ready for JSON."""
    return {
        "split": _energy_split(),
        "life-by-size": _life("Bytes of the message, before encryption", log=False),
        "life-by-rate": _life("Messages a day", log=True),
        "pareto": _pareto(),
        "heat": _heat(),
    }
