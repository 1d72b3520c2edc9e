"""The page of a replication: one file that loads nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from motebench.base.files.access import FileKind, write
from motebench.base.metrics import METRICS
from motebench.base.units import format_size, format_value
from motebench.documents.replication import BoundedEntry, ClaimEntry, PaperEntry, ReplicationEntry, TableEntry
from motebench.publications.papers import drawing
from motebench.show.report.assembly import asset, policy, script, templates

_LEVELS = {"holds": "good", "does not hold": "worst", "cannot be told": ""}
_SIDES = (("published", "printed numbers"), ("replicated", "paper's method"), ("own", "our method"))
_PLOTS = 12
"""Tables of a paper that are drawn; the others are folded."""


def write_page(document: ReplicationEntry, path: Path, *, force: bool) -> Path:
    """Write the page. InputError if that is not possible."""
    return write(path, render(document), FileKind.HTML, force=force, where="--output")


def render(document: ReplicationEntry) -> str:
    """The page as text."""
    scripts = [script("theme.js"), script("button.js")]
    style = asset("report.css")
    environment = templates()
    environment.filters.update(size=format_size, level=_LEVELS.get, bounds=_bounds)
    environment.globals.update(value=_value, sides=_sides, counts=_counts, drawn=_drawn, on_air=_on_air)
    return environment.get_template("replication.html.j2").render(
        csp=policy(scripts, style),
        style=Markup(style),  # noqa: S704 - our own file
        scripts=[Markup(one) for one in scripts],  # noqa: S704 - our own files, checked in script
        papers=document.papers,
        version=document.version,
        plots=_PLOTS,
    )


def _sides(claim: ClaimEntry) -> list[tuple[str, Any]]:
    """Who judges, and the verdict, of the sides that there are."""
    return [(words, getattr(claim, side)) for side, words in _SIDES if getattr(claim, side) is not None]


def _counts(paper: PaperEntry) -> list[tuple[str, list[tuple[str, int]]]]:
    """For each side, how many claims have which verdict."""
    found = []
    for side, words in _SIDES:
        verdicts = [getattr(claim, side).verdict for claim in paper.claims if getattr(claim, side) is not None]
        if verdicts:
            found.append((words, [(verdict, verdicts.count(verdict)) for verdict in _LEVELS]))
    return found


def _value(found: BoundedEntry, table: TableEntry, *, ours: bool) -> str:
    """A value with its unit."""
    return format_value(found.value, METRICS[table.metric].unit if ours else table.unit, 4)


def _bounds(found: BoundedEntry | None) -> str:
    if found is None:
        return "-"
    if found.low is None or found.high is None or found.low <= 0 or found.high / found.low < 1.01:
        return f"{found.value:.3g}"
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})"


def _drawn(table: TableEntry) -> Markup:
    return Markup(drawing.ratios(table))  # noqa: S704 - made by us, texts are escaped there


def _on_air(paper: PaperEntry) -> Markup:
    return Markup(drawing.air(paper.air))  # noqa: S704 - made by us, texts are escaped there
