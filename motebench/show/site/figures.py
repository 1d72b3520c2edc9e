"""Pictures of the explorer: places of marks, ticks and lines, and their SVG.

A picture stands in its page or alone in a file. Its colours are attributes, which the style of a
page overrides, so that neither needs a style of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import jinja2
import numpy as np
from markupsafe import Markup

from motebench.base.units import format_value
from motebench.results.presentation.rows import Row
from motebench.show.report import templates
from motebench.stats.describe import outliers

MOST_MARKS = 2_000
"""Marks of a picture."""
WIDTH, HEIGHT = 760, 280
LEFT, RIGHT, TOP, BOTTOM = 104, 8, 12, 34
"""Room beside the marks."""
SHAPES = ("circle", "square", "diamond", "triangle")
COLOURS = ("#0072b2", "#d55e00", "#00875f", "#b0529a", "#a87400", "#2a93c9", "#626a73", "#7a2048")
"""Colours of groups in a file; a page has its own."""


@dataclass(frozen=True, slots=True)
class FigureMark:
    """A mark: its place, its text, the number of its group, and its address if it is a link."""

    x: float
    y: float
    text: str
    group: int = 0
    hollow: bool = False
    link: str = ""
    name: str = ""
    """Written beside it."""

    @property
    def shape(self) -> str:
        """The form of the mark, which tells groups apart without colours."""
        return SHAPES[self.group % len(SHAPES)]


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A rectangle of a map with its text. ``level``: strength of its colour, from 0 to 5."""

    x: float
    y: float
    width: float
    height: float
    level: int
    text: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFigure:
    """A picture in its own units, with ``label`` for those who do not see it.

    Ticks are places with their texts. ``rules``: lines across, each by its ends and its height.
    ``bars``: intervals, each by its place and its ends. ``seams``: dashed lines with a text.
    """

    label: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    bottom: int = BOTTOM
    x_ticks: Sequence[tuple[float, str]] = ()
    y_ticks: Sequence[tuple[float, str]] = ()
    x_title: str = ""
    y_title: str = ""
    marks: Sequence[FigureMark] = ()
    rules: Sequence[tuple[float, float, float]] = ()
    band: tuple[float, float] | None = None
    bars: Sequence[tuple[float, float, float]] = ()
    seams: Sequence[tuple[float, str]] = ()
    cells: Sequence[FigureCell] = ()
    thinned: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values and where it lies in a picture: ``start`` is the place of ``low``."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value."""
        low, high, at = self.low, self.high, value
        if self.logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(value)
        share = (at - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def padded(values: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis with some room beyond the values."""
    low, high = min(values), max(values)
    margin = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
    return low - margin, high + margin


def logarithmic_axis(values: Sequence[float], start: float, end: float) -> Axis:
    """A logarithmic axis of values above 0, with some room beyond them."""
    low, high = min(values), max(values)
    room = (high / low) ** 0.06 if high > low else 1.3
    return Axis(low / room, high * room, start, end, logarithmic=True)


def ticks(axis: Axis, unit: str, most: int = 5) -> list[tuple[float, str]]:
    """Places and texts of round values on an axis."""
    if axis.logarithmic:
        values = _powers(axis.low, axis.high, most)
        return [(axis(value), _round_text(value, unit, 3)) for value in values]
    spread = axis.high - axis.low
    step = 2.0 ** math.ceil(math.log2(spread / most)) if unit == "B" else _step(spread, most)
    return [
        (axis(value), _round_text(value, unit, _digits(value, spread)))
        for value in _multiples(axis.low, axis.high, step)
    ]


def _round_text(value: float, unit: str, digits: int) -> str:
    """A round value without zeros at its end: 2 KiB, 2.5 KiB."""
    number, gap, rest = format_value(value, unit, digits).partition(" ")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return number + gap + rest


def whole_ticks(first: int, last: int, most: int = 8) -> list[int]:
    """Round whole numbers of a range."""
    step = max(1, round(_step(max(1, last - first), most)))
    return list(range(math.ceil(first / step) * step, last + 1, step))


def _step(spread: float, most: int) -> float:
    """The least of 1, 2, 5, 10, ... that gives at most so many steps."""
    raw = spread / most
    power = float(10.0 ** math.floor(math.log10(raw)))
    return next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= raw)


def _multiples(low: float, high: float, step: float) -> list[float]:
    start = math.ceil(low / step)
    return [step * place for place in range(start, math.floor(high / step) + 1)]


def _powers(low: float, high: float, most: int) -> list[float]:
    """Values of 1, 2 and 5 times powers of ten, or of 1 alone if those are too many; round values
    of a short range.
    """
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        values = [factor * 10.0**exponent for exponent in exponents for factor in factors]
        values = [value for value in values if low <= value <= high]
        if len(values) <= most:
            break
    if len(values) < 2:
        return _multiples(low, high, _step(high - low, most))
    return values[:: math.ceil(len(values) / most)]


def _digits(value: float, spread: float) -> int:
    """Digits that keep two ticks apart."""
    if not value:
        return 3
    return max(3, min(9, math.ceil(math.log10(abs(value) / spread)) + 3))


# The samples of a result


def numbers_of(row: Row) -> Sequence[int]:
    """Number of the invocation or round of each sample."""
    return row.invocations or row.rounds or range(len(row.values))


def samples_figure(row: Row, label: str) -> SiteFigure | None:
    """Samples of a row over their rounds; None if there are fewer than two."""
    values = list(row.values)
    if len(values) < 2:
        return None
    numbers = numbers_of(row)
    step = max(1, math.ceil(len(values) / MOST_MARKS))
    ends = [*values, *(end for end in (row.ci_low, row.ci_high) if end is not None)]
    up = Axis(*padded(ends), HEIGHT - BOTTOM, TOP)
    across = Axis(min(numbers), max(numbers), LEFT + 10, WIDTH - 14)
    marked = outliers(np.array(values))
    beyond = {*marked.mild, *marked.severe}
    pairs = enumerate(zip(numbers, values, strict=False))
    band = None
    if row.ci_low is not None and row.ci_high is not None:
        band = (up(row.ci_high), round(max(1.0, up(row.ci_low) - up(row.ci_high)), 1))
    return SiteFigure(
        label=label,
        x_ticks=[
            (across(number), str(number)) for number in whole_ticks(min(numbers), max(numbers))
        ],
        y_ticks=ticks(up, row.unit),
        marks=[
            FigureMark(
                across(number),
                up(value),
                f"{number}: {format_value(value, row.unit, 5)}",
                hollow=place in beyond,
            )
            for place, (number, value) in pairs
            if place % step == 0
        ],
        rules=[(LEFT, WIDTH - RIGHT, up(row.median))],
        band=band,
        x_title="invocation" if row.invocations else "round",
        thinned=step > 1,
    )


# Drawing


@cache
def _template() -> jinja2.Template:
    environment = templates()
    environment.globals.update(colours=COLOURS)
    return environment.get_template("figure.svg.j2")


def svg(figure: SiteFigure, *, alone: bool = False) -> Markup:
    """The picture as SVG. ``alone``: as a file, with a ground."""
    return Markup(_template().render(figure=figure, alone=alone))  # noqa: S704 - escaped there


def group_mark(group: int) -> Markup:
    """The mark of a group alone, as it stands in pictures."""
    mark = FigureMark(8, 8, f"group {group + 1}", group)
    figure = SiteFigure(label=mark.text, width=16, height=16, left=0, bottom=-9, marks=[mark])
    return Markup('<span class="figure group">%s</span>') % svg(figure)


def figure_files(figure: SiteFigure | None) -> dict[str, Callable[[], str]]:
    """The maker of the file of a picture by its format; empty without a picture."""
    return {} if figure is None else {"svg": lambda: str(svg(figure, alone=True))}
