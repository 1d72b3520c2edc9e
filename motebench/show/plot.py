"""Pictures of a run as files: SVG, PDF and PNG, bars or lines with the intervals of their medians.

A picture stands alone: axes have units, panels name evidence and target, notes below the title say
what marks mean.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from motebench.base.errors import InputError, SetupError, printable
from motebench.base.files.access import FileKind, write
from motebench.base.naming import did_you_mean
from motebench.base.paths import in_checkout
from motebench.base.units import Better, format_size, metric
from motebench.results.presentation.panels import Panel, PanelSet
from motebench.results.presentation.rows import Row

try:
    import altair as alt
except ModuleNotFoundError:  # `form_of` says so
    alt = None  # type: ignore[assignment]

MOST_MARKS, MOST_PANELS = 150, 24
"""Largest number of bars or points, and of panels: more are unreadable, and a vector file above 300
kB.
"""
_COLOURS = ("#0072b2", "#d55e00", "#00875f", "#b0529a", "#a87400", "#2a93c9", "#626a73", "#7a2048")
"""The colours of reports on paper."""
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3], [1, 4])
_INK, _GREY, _PAPER = "#1b1f24", "#5b636d", "#ffffff"
_FONT = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
_BAR_STEP, _WIDTH, _LINE_HEIGHT = 24, 430, 300
_WRAP, _TITLE_WRAP = 104, 62
"""Characters of a line of notes, and of the title of a panel."""
_LOGARITHMIC = 20
"""Ratio of the values from which on an axis of lines is logarithmic."""


_DRAW = """\
import sys, vl_convert
form, version = sys.argv[1:]
options = {"scale": 2} if form == "png" else {}
drawn = getattr(vl_convert, f"vegalite_to_{form}")(sys.stdin.read(), vl_version=version, **options)
sys.stdout.buffer.write(drawn.encode() if isinstance(drawn, str) else drawn)
"""
"""Program that draws in a separate process: where addresses or memory are short, the script engine
of vl-convert ends its process.
"""
_SECONDS = 300


def _version() -> str:
    return ".".join(str(alt.SCHEMA_VERSION).lstrip("v").split(".")[:2])


FORMS = {".svg": FileKind.SVG, ".pdf": FileKind.PDF, ".png": FileKind.PNG}
"""Formats by the ending of the file's name."""


def form_of(path: Path, *, where: str) -> FileKind:
    """The format that the name of a file asks for. InputError for another ending, SetupError where
    the packages that draw are not installed."""
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise InputError(
            f"{path.name!r} is not the name of a picture",
            where=where,
            valid="a name that ends in " + ", ".join(FORMS),
            hint=did_you_mean(path.suffix.lower(), FORMS),
        )
    if alt is None or importlib.util.find_spec("vl_convert") is None:
        raise SetupError(
            "pictures need the packages of the extra 'plot', altair and vl-convert-python; not "
            "all are installed",
            where=where,
            hint=f"{_install()}; without a file, motebench plot draws in the terminal",
        )
    return form


def _install() -> str:
    """The command that installs the extra. The name motebench is on no package index."""
    return (
        "make setup"
        if in_checkout()
        else f"{sys.executable} -m pip install altair vl-convert-python"
    )


def write_picture(
    drawn: PanelSet, caption: str, path: Path, *, force: bool | None, where: str
) -> Path:
    """Write the picture; returns its path. ``caption``: the run, for the notes. InputError if it
    has too many marks, or the file cannot be written."""
    form = form_of(path, where=where)
    for count, most, things in (
        (len(drawn.rows), MOST_MARKS, "values"),
        (len(drawn.panels), MOST_PANELS, "operations and sizes"),
    ):
        if count > most:
            raise InputError(
                f"{count} {things} are too many for one picture",
                where=where,
                valid=f"at most {most}",
                hint="choose: --scheme, --implementation, --operation, --size",
            )
    spec = json.dumps(drawing(drawn, caption), allow_nan=False)
    return write(path, _drawn(spec, form), form, force=force, where=where)


def _drawn(spec: str, form: FileKind) -> bytes:
    """The bytes of the picture. SetupError if it cannot be drawn here."""
    command = [sys.executable, "-P", "-c", _DRAW, form.name.lower(), _version()]
    try:
        done = subprocess.run(
            command, input=spec.encode(), capture_output=True, check=False, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"the picture cannot be drawn: {error}") from error
    if done.returncode or not done.stdout:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [""]
        raise SetupError(
            f"the picture cannot be drawn: vl-convert ended with {done.returncode}: "
            f"{printable(last[0])}",
            hint="it needs GiB of addresses (ulimit -v); without --output, motebench plot draws "
            "in the terminal",
        )
    return done.stdout


def drawing(drawn: PanelSet, caption: str) -> dict[str, Any]:
    """The picture as Vega-Lite."""
    panels = [
        _lines(panel, drawn) if panel.lines else _bars(panel, drawn) for panel in drawn.panels
    ]
    notes = [
        line for text in (caption, *drawn.lines_notes, *drawn.notes) for line in _wrapped(text)
    ]
    metric_title = metric(drawn.metric).words
    title = alt.TitleParams(
        text=metric_title[:1].upper() + metric_title[1:],
        subtitle=notes,
        anchor="start",
        offset=14,
        fontSize=16,
        subtitleFontSize=11,
        subtitleColor=_GREY,
        color=_INK,
        subtitlePadding=6,
    )
    whole = alt.vconcat(*panels, spacing=26).resolve_scale(
        color="shared", x="independent", y="independent"
    )
    spec: dict[str, Any] = whole.properties(title=title).to_dict()
    spec["config"] = _config()
    spec["padding"] = 12
    return spec


def _config() -> dict[str, Any]:
    return {
        "background": _PAPER,
        "font": _FONT,
        "aria": False,
        "view": {"stroke": None},
        "axis": {
            "labelColor": _INK,
            "titleColor": _INK,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "gridColor": "#e3e6ea",
            "domainColor": "#9aa2ab",
            "tickColor": "#9aa2ab",
            "labelPadding": 5,
        },
        "legend": {
            "labelFontSize": 11,
            "titleFontSize": 11,
            "labelLimit": 0,
            "symbolStrokeWidth": 2,
            "symbolOpacity": 1,
        },
        "text": {"fontSize": 11, "color": _INK},
    }


def _wrapped(text: str, width: int = _WRAP) -> list[str]:
    return textwrap.wrap(printable(text), width) or [""]


def _axis_title(drawn: PanelSet, *, log: bool = False) -> str:
    """``time (µs), lower is better``."""
    entry = metric(drawn.metric)
    unit = "" if drawn.scale.unit in ("1", entry.words) else f" ({drawn.scale.unit})"
    direction = "" if entry.better is Better.NEITHER else f", {entry.better.value} is better"
    return f"{entry.words}{unit}{direction}{', logarithmic' if log else ''}"


def _colour(drawn: PanelSet, legend: alt.Legend | None) -> alt.Color:
    """The colour of the implementation, the same in every panel."""
    return alt.Color("implementation:N", title="implementation", legend=legend).scale(
        _colour_scale(drawn)
    )


def _values(panel: Panel, drawn: PanelSet) -> list[dict[str, Any]]:
    """A row of data for each mark, in the unit of the axis."""
    factor = drawn.scale.factor
    rows = []
    for place, row in enumerate(panel.rows):
        low, high = _ends(row)
        rows.append(
            {
                "label": f"{place}",
                "scheme": printable(row.scheme),
                "implementation": printable(row.implementation),
                "series": printable(f"{row.scheme} {row.implementation}"),
                "size": row.size,
                "value": row.median / factor,
                "low": None if low is None else low / factor,
                "high": None if high is None else high / factor,
                "end": max(row.median, high or row.median) / factor,
                "quotable": row.quotable,
                "text": row.text if row.alone or not row.quotable else f"{row.text} {row.spread}",
            }
        )
    return rows


def _ends(row: Row) -> tuple[float | None, float | None]:
    """The range over places of the code, or the interval; none for a value that is exact or must
    not be quoted."""
    if row.places_least is not None and row.places_most is not None:
        return row.places_least, row.places_most
    if row.exact or row.half_width is None:
        return None, None
    return row.ci_low, row.ci_high


def _name(panel: Panel, row: Row) -> str:
    """Words beside a bar."""
    if row.is_copy:
        return "plain copy"
    return printable(
        row.implementation if panel.one_scheme else f"{row.scheme}  {row.implementation}"
    )


def _bars(panel: Panel, drawn: PanelSet) -> alt.LayerChart | alt.FacetChart:
    values = _values(panel, drawn)
    base = alt.Chart(alt.InlineData(values=values))
    names = json.dumps([_name(panel, row) for row in panel.rows])
    y = (
        alt.Y("label:N")
        .sort(None)
        .axis(
            title=None,
            labelExpr=f"{names}[toNumber(datum.value)]",
            labelLimit=0,
            ticks=False,
            domain=False,
        )
    )
    # Room for the text behind the longest bar.
    longest = max((entry["end"] for entry in values), default=0.0) or 1.0
    room = 1 + max(len(entry["text"]) for entry in values) * 6.2 / _WIDTH
    x = alt.X("value:Q", title=_axis_title(drawn)).scale(domain=[0, longest * room], nice=False)
    x = x.axis(tickCount=6, format=",.6~g")
    bar = base.mark_bar(height=13, strokeWidth=1.4).encode(
        y=y,
        x=x,
        color=_colour(drawn, None),
        stroke=alt.Stroke("implementation:N", legend=None).scale(_colour_scale(drawn)),
        fillOpacity=alt.condition("datum.quotable", alt.value(1), alt.value(0)),
        strokeDash=alt.condition("datum.quotable", alt.value([1, 0]), alt.value([3, 2])),
    )
    interval = base.transform_filter("datum.low != null").mark_rule(color=_INK, strokeWidth=1.4)
    caps = [
        base.transform_filter("datum.low != null")
        .mark_tick(color=_INK, thickness=1.4, height=8)
        .encode(y=y, x=alt.X(f"{end}:Q"))
        for end in ("low", "high")
    ]
    text = base.mark_text(align="left", dx=6).encode(y=y, x=alt.X("end:Q"), text="text:N")
    layers = alt.layer(bar, interval.encode(y=y, x=alt.X("low:Q"), x2="high:Q"), *caps, text)
    return layers.properties(width=_WIDTH, height=alt.Step(_BAR_STEP), title=_panel_title(panel))


def _colour_scale(drawn: PanelSet) -> alt.Scale:
    names = list(map(printable, drawn.implementations))
    return alt.Scale(
        domain=names, range=[_COLOURS[place % len(_COLOURS)] for place in range(len(names))]
    )


def _panel_title(panel: Panel) -> alt.TitleParams:
    return alt.TitleParams(
        text=_wrapped(panel.title, _TITLE_WRAP),
        anchor="start",
        frame="group",
        fontSize=12,
        fontWeight="bold",
        color=_INK,
        offset=8,
    )


def _lines(panel: Panel, drawn: PanelSet) -> alt.LayerChart | alt.FacetChart:
    values = _values(panel, drawn)
    base = alt.Chart(alt.InlineData(values=values))
    sizes = sorted({row.size for row in panel.rows})
    labels = json.dumps({str(size): format_size(size) for size in sizes})
    axis = alt.X("size:Q", title="size of the input")
    x = (
        axis.scale(type="log", base=2, nice=False, padding=14)
        if sizes[0] > 0
        else axis.scale(type="symlog", constant=8, nice=False, padding=14)
    )
    x = x.axis(
        values=sizes,
        labelExpr=f"{labels}[toString(datum.value)]",
        grid=False,
        labelOverlap="greedy",
    )
    ends = [
        end
        for entry in values
        for end in (entry["low"], entry["value"], entry["high"])
        if end is not None
    ]
    log = min(ends) > 0 and max(ends) / min(ends) > _LOGARITHMIC
    y = alt.Y("value:Q", title=_axis_title(drawn, log=log)).axis(
        format=",.6~g", tickCount=6, labelOverlap="greedy"
    )
    # A logarithmic axis that ends at a power of ten may be half empty.
    domain = [min(ends) / 1.25, max(ends) * 1.25]
    y = y.scale(type="log", domain=domain, nice=False) if log else y.scale(zero=True, nice=True)
    color = _colour(drawn, alt.Legend(orient="right"))
    names = list(map(printable, drawn.implementations))
    shapes = [_SHAPES[place // len(_COLOURS) % len(_SHAPES)] for place in range(len(names))]
    shape = alt.Shape("implementation:N", title="implementation").scale(domain=names, range=shapes)
    schemes = list(dict.fromkeys(printable(row.scheme) for row in drawn.rows))
    dashes = [_DASHES[place % len(_DASHES)] for place in range(len(schemes))]
    legend = alt.Legend(orient="right", symbolType="stroke") if len(schemes) > 1 else None
    dash = alt.StrokeDash("scheme:N", title="scheme", legend=legend).scale(
        domain=schemes, range=dashes
    )
    line = base.mark_line(strokeWidth=1.8).encode(
        x=x, y=y, color=color, strokeDash=dash, detail="series:N"
    )
    interval = base.transform_filter("datum.low != null").mark_rule(strokeWidth=1.4)
    caps = [
        base.transform_filter("datum.low != null")
        .mark_tick(orient="horizontal", thickness=1.4, width=8)
        .encode(x=x, y=alt.Y(f"{end}:Q"), color=color)
        for end in ("low", "high")
    ]
    point = base.mark_point(size=46, strokeWidth=1.6, opacity=1).encode(
        x=x,
        y=y,
        color=color,
        shape=shape,
        fill=alt.condition(
            "datum.quotable",
            alt.Fill("implementation:N", legend=None).scale(_colour_scale(drawn)),
            alt.value(_PAPER),
        ),
    )
    layers = alt.layer(
        line, interval.encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=color), *caps, point
    )
    return layers.properties(width=_WIDTH, height=_LINE_HEIGHT, title=_panel_title(panel))


def caption_of(name: str, started: str, version: str, rows: Sequence[Row]) -> str:
    """The run that is drawn, in a line."""
    several = any(row.n > 1 for row in rows)
    return (
        f"Run {name}, {started[:10]}, motebench {version}. {'Medians.' if several else ''}".strip()
    )
