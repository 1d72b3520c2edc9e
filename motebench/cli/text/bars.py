"""A run as bars in the terminal: one metric, the value with its unit and interval beside each
bar.
"""

from __future__ import annotations

import sys

import click

from motebench.base.errors import printable
from motebench.base.units import Better, format_size, metric
from motebench.cli.streams import takes_unicode
from motebench.cli.text.layout import TextColumn, coloured, table_lines, table_width, width_of
from motebench.results.presentation.panels import Panel, PanelSet
from motebench.results.presentation.rows import Row

_PIPED = 100
"""Columns in files and pipes."""
_SHORTEST, _LONGEST = 10, 60
"""Columns of the longest bar."""
_EIGHTHS = " ▏▎▍▌▋▊▉"


def show_bars(drawn: PanelSet) -> None:
    """Print the panels, each with its own scale."""
    entry = metric(drawn.metric)
    direction = "" if entry.better is Better.NEITHER else f", {entry.better.value} is better"
    click.echo(f"{entry.words}{direction}")
    for panel in drawn.panels:
        title = printable(panel.title)
        click.echo("\n" + (click.style(title, bold=True) if coloured(sys.stdout) else title))
        for line in _lines(panel):
            click.echo(line)
    click.echo("")
    for note in drawn.notes:
        click.echo(printable(note))


def _lines(panel: Panel) -> list[str]:
    labels = [tuple(map(printable, _label(panel, row))) for row in panel.rows]
    values = [
        row.text if row.alone or not row.quotable else f"{row.text} {row.spread}"
        for row in panel.rows
    ]
    columns = [TextColumn("", texts) for texts in zip(*labels, strict=True)]
    space = (width_of(sys.stdout) or _PIPED) - table_width(columns) - max(map(len, values)) - 4
    longest = max(_SHORTEST, min(space, _LONGEST))
    most = max(row.median for row in panel.rows)
    bars = [
        _bar(row.median / most if most > 0 else 0.0, longest, solid=row.quotable)
        for row in panel.rows
    ]
    return table_lines([*columns, TextColumn("", bars), TextColumn("", values)])


def _label(panel: Panel, row: Row) -> tuple[str, ...]:
    scheme = () if panel.one_scheme else ("plain copy" if row.is_copy else row.scheme,)
    size = (format_size(row.size),) if panel.lines else ()
    return (*scheme, row.implementation, *size)


def _bar(share: float, longest: int, *, solid: bool) -> str:
    """A bar that fills its share of the columns, to an eighth of one; hollow if its value must not
    be quoted.
    """
    share = max(0.0, share)
    if not takes_unicode(sys.stdout):
        return (("#" if solid else ".") * round(share * longest)).ljust(longest)
    if not solid:
        return ("░" * round(share * longest)).ljust(longest)
    whole, eighths = divmod(round(share * longest * 8), 8)
    return ("█" * whole + _EIGHTHS[eighths].strip()).ljust(longest)
