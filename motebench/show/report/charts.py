"""The charts of a run and of a choice: one function per chart, each a Vega-Lite drawing of rows that the page fills in.

A drawing knows nothing of the data but column names. The page (``assets/charts/``) chooses the rows - one operation,
size, target and evidence at a time - and hands them over as the data set ``rows``. Colours are CSS variables, so that
light, dark and print need no second drawing. Series differ by colour and shape (scheme) and by dash and filling
(implementation), never by colour alone.
"""

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


def of_rows() -> alt.Chart:
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
    rows = of_rows().transform_filter("datum.head").encode(alt.Y("label:N").sort(None).axis(None))
    # Texts do not react to the mouse, so that they never hide the mark below them.
    room = alt.ExprRef(expr="max(100, width - 110)")
    left = rows.mark_text(align="left", baseline="bottom", dy=-1, tooltip=None, fontWeight=500, limit=room)
    right = rows.mark_text(align="right", baseline="bottom", dy=-1, tooltip=None, fill="var(--ink-2)")
    return [
        left.encode(x=alt.value(0), text="label:N"),
        right.encode(x=alt.value(alt.ExprRef(expr="width")), text="text:N"),
    ]


_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 4], [12, 3]]


def _variant(plain: float, variant: float) -> Any:
    """One value for implementations, another for their variants."""
    return alt.when("datum.variant").then(alt.value(variant)).otherwise(alt.value(plain))


def throughput_by_size() -> ChartKind:
    """Lines over the input size, both axes logarithmic, with the interval of each median."""
    sizes = alt.X("size:Q").scale(type="log", base=2, nice=False, padding=14)
    sizes = sizes.axis(labelExpr=AXIS_LABELS["bytes"], title="Input size", grid=False, labelOverlap="greedy")
    value = alt.Y("v:Q").scale(type="log", nice=False, padding=14).title("")
    value = value.axis(
        labelExpr=AXIS_LABELS["throughput"], title="Throughput (higher is better)", labelOverlap="greedy"
    )
    dash = alt.StrokeDash("dash:O").scale(domain=list(range(len(_DASHES))), range=_DASHES).legend(None)
    base = of_rows().encode(x=sizes, y=value, color=color())
    # Variants are thin and small beside the implementation they are made of, with dashes of their own.
    line = base.mark_line().encode(detail="label:N", strokeDash=dash, strokeWidth=_variant(2.2, 1.1))
    interval = base.mark_rule(strokeWidth=5, opacity=0.3).encode(y=alt.Y("lo:Q"), y2="hi:Q")
    point = base.mark_point(strokeWidth=1.8, opacity=1).encode(
        fill=fill(), shape=alt.Shape("shape:N").scale(None), size=_variant(64, 20)
    )
    return ChartKind("throughput", finish(alt.layer(line, interval, point), 400))


def ranking() -> ChartKind:
    """One bar per scheme and implementation, best first, with the interval of the median across its end."""
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("v:Q").scale(zero=True, nice=True).axis(value_axis("plain"))
    bar = of_rows().mark_bar(size=11, cornerRadiusEnd=3, yOffset=BAR, strokeWidth=1.5)
    bar = bar.encode(y=y, x=x, fill=fill(), stroke=alt.Stroke("color:N").scale(None))
    whisker = of_rows().mark_rule(strokeWidth=2, yOffset=BAR, stroke="var(--ink)").encode(y=y, x="lo:Q", x2="hi:Q")
    caps = [
        of_rows().mark_tick(size=11, thickness=2, yOffset=BAR, color="var(--ink)").encode(y=y, x=f"{end}:Q")
        for end in ("lo", "hi")
    ]
    layers = alt.layer(bar, whisker, *caps, *line_labels())
    return ChartKind("ranking", finish(layers, alt.Step(ROW_STEP)))


def size_against_speed() -> ChartKind:
    """A mark per scheme and implementation: what it takes of a memory against its time, both logarithmic."""
    x = alt.X("x:Q").scale(type="log", nice=False, padding=24)
    x = x.axis(labelExpr=AXIS_LABELS["bytes"], title="", labelOverlap="greedy", tickCount=6)
    y = alt.Y("v:Q").scale(type="log", nice=False, padding=24)
    y = y.axis(labelExpr=AXIS_LABELS["plain"], title="", labelOverlap="greedy", tickCount=6)
    point = of_rows().mark_point(size=80, strokeWidth=1.8, opacity=1)
    point = point.encode(x=x, y=y, color=color(), fill=fill(), shape=alt.Shape("shape:N").scale(None))
    # Names lie on the side with more room. They are clipped, so that a long one does not press the chart together.
    sides: tuple[tuple[str, Any, int], ...] = (("!datum.late", "left", 9), ("datum.late", "right", -9))
    words = [
        of_rows()
        .transform_filter(f"datum.front && {condition}")
        .mark_text(align=align, dx=dx, dy=-9, clip=True)
        .encode(x=x, y=y, text="text:N")
        for condition, align, dx in sides
    ]
    return ChartKind("tradeoff", finish(alt.layer(point, *words), 400))


def encrypt_against_decrypt() -> ChartKind:
    """A pair of marks per scheme and implementation: one direction and the other, on a logarithmic axis."""
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("v:Q").scale(type="log", nice=False, padding=16)
    x = x.axis(value_axis("throughput", "Throughput (higher is better)"))
    span = of_rows().mark_rule(strokeWidth=3, yOffset=BAR, opacity=0.45)
    span = span.encode(y=y, x=alt.X("min(v):Q"), x2="max(v):Q", color=color())
    interval = (
        of_rows().mark_rule(strokeWidth=9, yOffset=BAR, opacity=0.3).encode(y=y, x="lo:Q", x2="hi:Q", color=color())
    )
    mark = of_rows().mark_point(size=95, strokeWidth=2, yOffset=BAR, opacity=1)
    mark = mark.encode(y=y, x=x, color=color(), fill=fill(), shape=alt.Shape("shape:N").scale(None))
    layers = alt.layer(span, interval, mark, *line_labels())
    return ChartKind("pairs", finish(layers, alt.Step(ROW_STEP)))


def distribution() -> ChartKind:
    """Every sample as its distance from the median; quartiles as a band, outliers as crosses."""
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("d:Q").scale(nice=True).axis(value_axis("percent", "Distance from the median"))
    band = of_rows().mark_bar(size=18, yOffset=BAR + 4, opacity=0.22, tooltip=None)
    band = band.encode(y=y, x=alt.X("q1:Q"), x2="q3:Q", fill=alt.Fill("color:N").scale(None))
    band = band.transform_filter("datum.q1 != null")
    jitter = alt.YOffset("jitter:Q").scale(domain=[-1.37, 0.53])
    usual = of_rows().mark_circle(size=22, opacity=0.55).transform_filter("datum.d != null && !datum.out")
    usual = usual.encode(y=y, x=x, yOffset=jitter, color=color())
    outlier = of_rows().mark_point(shape="cross", angle=45, size=60, filled=True, opacity=1)
    outlier = outlier.transform_filter("datum.d != null && datum.out")
    outlier = outlier.encode(y=y, x=x, yOffset=jitter, color=alt.value("var(--alarm)"))
    median = of_rows().mark_tick(size=18, thickness=2, yOffset=BAR + 4, color="var(--ink)", tooltip=None)
    median = median.transform_filter("datum.q1 != null").encode(y=y, x=alt.X("zero:Q"))
    layers = alt.layer(band, usual, outlier, median, *line_labels())
    return ChartKind("samples", finish(layers, alt.Step(ROW_STEP + 8)))


def parts() -> ChartKind:
    """Stacked bars whose parts add up to a whole: memory before and added, or user, kernel and waiting time.

    Where a row has a ``floor``, a mark on its bar shows it.
    """
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("v:Q").stack("zero").scale(nice=True).axis(value_axis("plain"))
    bar = of_rows().mark_bar(size=13, yOffset=BAR, stroke="var(--card)", strokeWidth=1)
    bar = bar.encode(y=y, x=x, fill=fill(), order="order:Q", detail="part:N")
    floor = of_rows().mark_tick(size=15, thickness=3, yOffset=BAR, color="var(--ink)", tooltip=None)
    floor = floor.transform_filter("isValid(datum.floor)").encode(y=y, x=alt.X("floor:Q"))
    layers = alt.layer(bar, floor, *line_labels())
    return ChartKind("parts", finish(layers, alt.Step(ROW_STEP)))


def warmup() -> ChartKind:
    """The time of every batch in order, logarithmic; a band and a line for the steady state that followed.

    A row with ``begins`` marks the batch where the steady state was found to begin.
    """
    x = alt.X("at:Q").scale(nice=False, zero=False, padding=10)
    x = x.axis(title="Number of the batch", format=",d", grid=False, labelOverlap="greedy", tickMinStep=1)
    y = alt.Y("v:Q").scale(type="log", nice=False, padding=14)
    y = y.axis(labelExpr=AXIS_LABELS["time"], title="Time of one operation (lower is better)", labelOverlap="greedy")
    steady = of_rows().transform_filter("datum.steady")
    band = steady.mark_rect(opacity=0.3, fill="var(--good)", tooltip=None).encode(y=alt.Y("lo:Q"), y2="hi:Q")
    median = steady.mark_rule(stroke="var(--good)", strokeWidth=2, tooltip=None).encode(y=alt.Y("v:Q"))
    batches = of_rows().transform_filter("isValid(datum.at)")
    line = batches.mark_line(strokeWidth=1, opacity=0.5, tooltip=None).encode(x=x, y=y, color=color())
    point = batches.mark_point(size=26, filled=True, opacity=0.85).encode(
        x=x, y=y, color=color(), shape=alt.Shape("shape:N").scale(None)
    )
    begins = of_rows().transform_filter("isValid(datum.begins)").encode(x=alt.X("begins:Q"))
    begin = begins.mark_rule(strokeDash=[4, 3], stroke="var(--ink-2)", tooltip=None)
    sides: tuple[tuple[str, Any, int], ...] = (("datum.early", "left", 5), ("!datum.early", "right", -5))
    words = [
        begins.transform_filter(condition)
        .mark_text(align=align, dx=dx, dy=9, fill="var(--ink-2)", fontSize=12, tooltip=None)
        .encode(y=alt.value(0), text=alt.value("steady from here"))
        for condition, align, dx in sides
    ]
    # The steady state lies over the batches: it is what they are compared with.
    return ChartKind("warmup", finish(alt.layer(line, point, band, median, begin, *words), 320))


def kinds() -> dict[str, dict[str, Any]]:
    """Every drawing by name, ready for JSON."""
    made = (
        throughput_by_size(),
        ranking(),
        size_against_speed(),
        encrypt_against_decrypt(),
        distribution(),
        parts(),
        warmup(),
    )
    return {kind.name: kind.spec for kind in made}


_LIFE_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3]]
_CELL = 30
_SPLIT_TITLE = "Energy from one message to the next (lower is better)"
_YEARS = "format(datum.value, '.3~g')"


def _energy_split() -> dict[str, Any]:
    spec = parts().spec
    for layer in spec["layer"]:
        axis = layer.get("encoding", {}).get("x", {}).get("axis")
        if axis:
            axis.update(labelExpr=AXIS_LABELS["energy"], title="Energy from one message to the next (lower is better)")
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
    dash = alt.StrokeDash("dash:O").scale(domain=list(range(len(_LIFE_DASHES))), range=_LIFE_DASHES).legend(None)
    band = of_rows().transform_filter("datum.band").mark_area(opacity=0.14, tooltip=None, line=False)
    band = band.encode(x=x, y=alt.Y("lo:Q"), y2="hi:Q", fill=alt.Fill("color:N").scale(None))
    line = of_rows().mark_line(strokeWidth=2, tooltip=None).encode(
        x=x, y=y, color=color(), detail="label:N", strokeDash=dash
    )  # fmt: skip
    point = of_rows().mark_point(size=26, filled=True, opacity=0.9)
    point = point.encode(x=x, y=y, color=color(), shape=alt.Shape("shape:N").scale(None))
    return finish(alt.layer(band, line, point), 360)


def _pareto() -> dict[str, Any]:
    x = alt.X("x:Q").scale(type="log", nice=False, padding=24)
    x = x.axis(labelExpr=AXIS_LABELS["bytes"], title="Flash (lower is better)", labelOverlap="greedy", tickCount=6)
    y = alt.Y("v:Q").scale(type="log", nice=False, padding=24)
    y = y.axis(
        labelExpr=AXIS_LABELS["energy"], title="Energy of a message, sleep apart (lower is better)",
        labelOverlap="greedy", tickCount=6,
    )  # fmt: skip
    point = of_rows().mark_point(size=80, strokeWidth=1.8, opacity=1).encode(
        x=x, y=y, color=color(), fill=fill(), shape=alt.Shape("shape:N").scale(None)
    )  # fmt: skip
    words = of_rows().transform_filter("datum.front").mark_text(align="left", dx=10, dy=-8, tooltip=None, clip=True)
    words = words.encode(x=x, y=y, text="text:N")
    return finish(alt.layer(point, words), 400)


def _heat() -> dict[str, Any]:
    axis: dict[str, Any] = {"domain": False, "ticks": False, "grid": False, "title": ""}
    x = alt.X("device:N").sort(None).axis(orient="top", labelAngle=0, labelLimit=160, **axis)
    y = alt.Y("scheme:N").sort(None).axis(labelLimit=240, labelFontSize=12.5, **axis)
    cell = of_rows().mark_rect(fill="var(--c1)", stroke="var(--card)", strokeWidth=2)
    cell = cell.encode(x=x, y=y, fillOpacity=alt.FillOpacity("shade:Q").scale(None))
    words = of_rows().mark_text(tooltip=None).encode(x=x, y=y, text="text:N")
    return finish(alt.layer(cell, words), alt.Step(_CELL))


def choice_kinds() -> dict[str, dict[str, Any]]:
    """Every drawing by name, ready for JSON."""
    return {
        "split": _energy_split(),
        "life-by-size": _life("Bytes of the message, before encryption", log=False),
        "life-by-rate": _life("Messages a day", log=True),
        "pareto": _pareto(),
        "heat": _heat(),
    }
