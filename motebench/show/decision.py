"""The decision of a choice for readers: as text of one screen, and as Markdown for a review."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.documents.choice import DecisionEntry

ROWS, COLUMNS = 24, 80
_GUTTER = 9
_MORE = "--details, --report page.html, --format md, --json"
_LEAST = {"before": 2, "rests": 1, "decides": 3, "others": 2}
"""Items that a section keeps at least when the screen is full, the first to give way first."""


@dataclass(frozen=True, slots=True)
class DecisionPart:
    """Part of the decision with its heading. ``short``: the heading beside the text of a screen."""

    key: str
    short: str
    heading: str
    items: tuple[str, ...]


def parts(decision: DecisionEntry) -> list[DecisionPart]:
    """The parts that have something to say, in their order."""
    chosen = decision.verdict != "none"
    figures = "; ".join(f"{figure.name} {figure.words}" for figure in decision.figures)
    others = tuple(f"{other.words}: {other.price}" for other in decision.alternatives)
    named = {
        "take": ("take", "Take"),
        "too-slow": ("too slow", "Too slow"),
        "none": ("take", "Take"),
    }
    short, heading = named[decision.verdict]
    take = tuple(filter(None, (decision.take, decision.standing, figures)))
    decides = ("decides", "What decides") if chosen else ("breaks", "What breaks")
    ways = ("or", "Alternatives") if decision.verdict == "take" else ("ways", "Ways out")
    rests = "What it rests on, and what would change it"
    several = (
        DecisionPart("take", short, heading, take),
        DecisionPart("decides", *decides, decision.decides),
        DecisionPart("others", *ways, others),
        DecisionPart("rests", "rests on", rests, decision.rests_on),
        DecisionPart("before", "check", "To check before shipping", decision.before_shipping),
    )
    return [part for part in several if part.items]


def screen(decision: DecisionEntry) -> list[str]:
    """The decision in at most 24 lines of 80 columns. What matters least gives way, and the last
    line counts it."""
    shown = {part.key: list(part.items) for part in parts(decision)}
    hidden = 0
    lines = _lines(decision, shown, hidden)
    while len(lines) > ROWS and (key := _longest(shown)):
        shown[key].pop()
        hidden += 1
        lines = _lines(decision, shown, hidden)
    return lines if len(lines) <= ROWS else [*lines[: ROWS - 2], f"{'':{_GUTTER}}...", lines[-1]]


def _longest(shown: Mapping[str, list[str]]) -> str | None:
    """The part that has most items beyond those that it keeps; once no part has, beyond one."""
    for keeps in (_LEAST, dict.fromkeys(_LEAST, 1)):
        beyond = {key: len(shown.get(key, ())) - least for key, least in keeps.items()}
        key = max(beyond, key=lambda name: beyond[name])
        if beyond[key] > 0:
            return key
    return None


def _lines(decision: DecisionEntry, shown: dict[str, list[str]], hidden: int) -> list[str]:
    lines = textwrap.wrap(decision.question, COLUMNS, subsequent_indent=" " * _GUTTER)
    for part in parts(decision):
        for place, item in enumerate(shown[part.key]):
            head = f"{part.short if place == 0 else '':<{_GUTTER}}"
            wrapped = textwrap.wrap(
                item,
                COLUMNS,
                initial_indent=head if place == 0 else " " * _GUTTER,
                subsequent_indent=" " * (_GUTTER + 2 * (part.key != "take")),
                break_on_hyphens=False,
            )
            lines += wrapped
    remarks = f"{hidden} more remark{'s' if hidden != 1 else ''}: " if hidden else ""
    return [*lines, f"{'more':<{_GUTTER}}{remarks}{_MORE}"]


_SPECIAL = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>#|~"})


def markdown(decision: DecisionEntry, notes: tuple[str, ...] = ()) -> str:
    """The decision in Markdown for a design review, with the sources of its figures."""
    lines = [
        f"# Decision: {_escaped(decision.take)}",
        "",
        f"Question: {_escaped(decision.question)}.",
    ]
    if decision.standing:
        lines += ["", f"{_escaped(decision.standing)}."]
    if decision.figures:
        lines += ["", "| figure | typical (bounds) |", "| --- | --- |"]
        lines += [f"| {figure.name} | {_escaped(figure.words)} |" for figure in decision.figures]
    for part in parts(decision)[1:]:
        lines += ["", f"## {part.heading}", ""]
        lines += [f"- {_escaped(item)}" for item in part.items]
    if notes:
        lines += ["", "## Sources", "", *(f"- {_escaped(note)}" for note in notes)]
    return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)
