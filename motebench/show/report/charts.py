"""The charts: one function per chart, each a Vega-Lite drawing of rows that the page fills in.

A drawing knows nothing of the data but column names. The page (``assets/charts/``) chooses the rows - one operation,
size, target and evidence at a time - and hands them over as the data set ``rows``. Colours are CSS variables, so that
light, dark and print need no second drawing. Series differ by colour and shape (scheme) and by dash and filling
(implementation), never by colour alone.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from motebench.show.report import drawing

_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 4], [12, 3]]


def _variant(plain: float, variant: float) -> Any:
    """One value for implementations, another for their variants."""
    return alt.when("datum.variant").then(alt.value(variant)).otherwise(alt.value(plain))


def throughput_by_size() -> drawing.ChartKind:
    """Lines over the input size, both axes logarithmic, with the interval of each median."""
    sizes = alt.X("size:Q").scale(type="log", base=2, nice=False, padding=14)
    sizes = sizes.axis(labelExpr=drawing.AXIS_LABELS["bytes"], title="Input size", grid=False, labelOverlap="greedy")
    value = alt.Y("v:Q").scale(type="log", nice=False, padding=14).title("")
    value = value.axis(
        labelExpr=drawing.AXIS_LABELS["throughput"], title="Throughput (higher is better)", labelOverlap="greedy"
    )
    dash = alt.StrokeDash("dash:O").scale(domain=list(range(len(_DASHES))), range=_DASHES).legend(None)
    base = drawing.base().encode(x=sizes, y=value, color=drawing.color())
    # Variants are thin and small beside the implementation they are made of, with dashes of their own.
    line = base.mark_line().encode(detail="label:N", strokeDash=dash, strokeWidth=_variant(2.2, 1.1))
    interval = base.mark_rule(strokeWidth=5, opacity=0.3).encode(y=alt.Y("lo:Q"), y2="hi:Q")
    point = base.mark_point(strokeWidth=1.8, opacity=1).encode(
        fill=drawing.fill(), shape=alt.Shape("shape:N").scale(None), size=_variant(64, 20)
    )
    return drawing.ChartKind("throughput", drawing.finish(alt.layer(line, interval, point), 400))


def ranking() -> drawing.ChartKind:
    """One bar per scheme and implementation, best first, with the interval of the median across its end."""
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("v:Q").scale(zero=True, nice=True).axis(drawing.value_axis("plain"))
    bar = drawing.base().mark_bar(size=11, cornerRadiusEnd=3, yOffset=drawing.BAR, strokeWidth=1.5)
    bar = bar.encode(y=y, x=x, fill=drawing.fill(), stroke=alt.Stroke("color:N").scale(None))
    whisker = (
        drawing.base()
        .mark_rule(strokeWidth=2, yOffset=drawing.BAR, stroke="var(--ink)")
        .encode(y=y, x="lo:Q", x2="hi:Q")
    )
    caps = [
        drawing.base()
        .mark_tick(size=11, thickness=2, yOffset=drawing.BAR, color="var(--ink)")
        .encode(y=y, x=f"{end}:Q")
        for end in ("lo", "hi")
    ]
    layers = alt.layer(bar, whisker, *caps, *drawing.line_labels())
    return drawing.ChartKind("ranking", drawing.finish(layers, alt.Step(drawing.ROW_STEP)))


def size_against_speed() -> drawing.ChartKind:
    """A mark per scheme and implementation: what it takes of a memory against its time, both logarithmic."""
    x = alt.X("x:Q").scale(type="log", nice=False, padding=24)
    x = x.axis(labelExpr=drawing.AXIS_LABELS["bytes"], title="", labelOverlap="greedy", tickCount=6)
    y = alt.Y("v:Q").scale(type="log", nice=False, padding=24)
    y = y.axis(labelExpr=drawing.AXIS_LABELS["plain"], title="", labelOverlap="greedy", tickCount=6)
    point = drawing.base().mark_point(size=80, strokeWidth=1.8, opacity=1)
    point = point.encode(x=x, y=y, color=drawing.color(), fill=drawing.fill(), shape=alt.Shape("shape:N").scale(None))
    # Names lie on the side with more room. They are clipped, so that a long one does not press the chart together.
    sides: tuple[tuple[str, Any, int], ...] = (("!datum.late", "left", 9), ("datum.late", "right", -9))
    words = [
        drawing.base()
        .transform_filter(f"datum.front && {condition}")
        .mark_text(align=align, dx=dx, dy=-9, clip=True)
        .encode(x=x, y=y, text="text:N")
        for condition, align, dx in sides
    ]
    return drawing.ChartKind("tradeoff", drawing.finish(alt.layer(point, *words), 400))


def encrypt_against_decrypt() -> drawing.ChartKind:
    """A pair of marks per scheme and implementation: one direction and the other, on a logarithmic axis."""
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("v:Q").scale(type="log", nice=False, padding=16)
    x = x.axis(drawing.value_axis("throughput", "Throughput (higher is better)"))
    span = drawing.base().mark_rule(strokeWidth=3, yOffset=drawing.BAR, opacity=0.45)
    span = span.encode(y=y, x=alt.X("min(v):Q"), x2="max(v):Q", color=drawing.color())
    interval = (
        drawing.base()
        .mark_rule(strokeWidth=9, yOffset=drawing.BAR, opacity=0.3)
        .encode(y=y, x="lo:Q", x2="hi:Q", color=drawing.color())
    )
    mark = drawing.base().mark_point(size=95, strokeWidth=2, yOffset=drawing.BAR, opacity=1)
    mark = mark.encode(y=y, x=x, color=drawing.color(), fill=drawing.fill(), shape=alt.Shape("shape:N").scale(None))
    layers = alt.layer(span, interval, mark, *drawing.line_labels())
    return drawing.ChartKind("pairs", drawing.finish(layers, alt.Step(drawing.ROW_STEP)))


def distribution() -> drawing.ChartKind:
    """Every sample as its distance from the median; quartiles as a band, outliers as crosses."""
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("d:Q").scale(nice=True).axis(drawing.value_axis("percent", "Distance from the median"))
    band = drawing.base().mark_bar(size=18, yOffset=drawing.BAR + 4, opacity=0.22, tooltip=None)
    band = band.encode(y=y, x=alt.X("q1:Q"), x2="q3:Q", fill=alt.Fill("color:N").scale(None))
    band = band.transform_filter("datum.q1 != null")
    jitter = alt.YOffset("jitter:Q").scale(domain=[-1.37, 0.53])
    usual = drawing.base().mark_circle(size=22, opacity=0.55).transform_filter("datum.d != null && !datum.out")
    usual = usual.encode(y=y, x=x, yOffset=jitter, color=drawing.color())
    outlier = drawing.base().mark_point(shape="cross", angle=45, size=60, filled=True, opacity=1)
    outlier = outlier.transform_filter("datum.d != null && datum.out")
    outlier = outlier.encode(y=y, x=x, yOffset=jitter, color=alt.value("var(--alarm)"))
    median = drawing.base().mark_tick(size=18, thickness=2, yOffset=drawing.BAR + 4, color="var(--ink)", tooltip=None)
    median = median.transform_filter("datum.q1 != null").encode(y=y, x=alt.X("zero:Q"))
    layers = alt.layer(band, usual, outlier, median, *drawing.line_labels())
    return drawing.ChartKind("samples", drawing.finish(layers, alt.Step(drawing.ROW_STEP + 8)))


def parts() -> drawing.ChartKind:
    """Stacked bars whose parts add up to a whole: memory before and added, or user, kernel and waiting time.

    Where a row has a ``floor``, a mark on its bar shows it.
    """
    y = alt.Y("label:N").sort(None).axis(None)
    x = alt.X("v:Q").stack("zero").scale(nice=True).axis(drawing.value_axis("plain"))
    bar = drawing.base().mark_bar(size=13, yOffset=drawing.BAR, stroke="var(--card)", strokeWidth=1)
    bar = bar.encode(y=y, x=x, fill=drawing.fill(), order="order:Q", detail="part:N")
    floor = drawing.base().mark_tick(size=15, thickness=3, yOffset=drawing.BAR, color="var(--ink)", tooltip=None)
    floor = floor.transform_filter("isValid(datum.floor)").encode(y=y, x=alt.X("floor:Q"))
    layers = alt.layer(bar, floor, *drawing.line_labels())
    return drawing.ChartKind("parts", drawing.finish(layers, alt.Step(drawing.ROW_STEP)))


def warmup() -> drawing.ChartKind:
    """The time of every batch in order, logarithmic; a band and a line for the steady state that followed.

    A row with ``begins`` marks the batch where the steady state was found to begin.
    """
    x = alt.X("at:Q").scale(nice=False, zero=False, padding=10)
    x = x.axis(title="Number of the batch", format=",d", grid=False, labelOverlap="greedy", tickMinStep=1)
    y = alt.Y("v:Q").scale(type="log", nice=False, padding=14)
    y = y.axis(
        labelExpr=drawing.AXIS_LABELS["time"], title="Time of one operation (lower is better)", labelOverlap="greedy"
    )
    steady = drawing.base().transform_filter("datum.steady")
    band = steady.mark_rect(opacity=0.3, fill="var(--good)", tooltip=None).encode(y=alt.Y("lo:Q"), y2="hi:Q")
    median = steady.mark_rule(stroke="var(--good)", strokeWidth=2, tooltip=None).encode(y=alt.Y("v:Q"))
    batches = drawing.base().transform_filter("isValid(datum.at)")
    line = batches.mark_line(strokeWidth=1, opacity=0.5, tooltip=None).encode(x=x, y=y, color=drawing.color())
    point = batches.mark_point(size=26, filled=True, opacity=0.85).encode(
        x=x, y=y, color=drawing.color(), shape=alt.Shape("shape:N").scale(None)
    )
    begins = drawing.base().transform_filter("isValid(datum.begins)").encode(x=alt.X("begins:Q"))
    begin = begins.mark_rule(strokeDash=[4, 3], stroke="var(--ink-2)", tooltip=None)
    sides: tuple[tuple[str, Any, int], ...] = (("datum.early", "left", 5), ("!datum.early", "right", -5))
    words = [
        begins.transform_filter(condition)
        .mark_text(align=align, dx=dx, dy=9, fill="var(--ink-2)", fontSize=12, tooltip=None)
        .encode(y=alt.value(0), text=alt.value("steady from here"))
        for condition, align, dx in sides
    ]
    # The steady state lies over the batches: it is what they are compared with.
    return drawing.ChartKind("warmup", drawing.finish(alt.layer(line, point, band, median, begin, *words), 320))


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
