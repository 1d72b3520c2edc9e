"""Several runs of one study as text."""

from __future__ import annotations

from statistics import median

import click

from motebench.base.metrics import MAIN
from motebench.base.model import Run
from motebench.base.units import format_value
from motebench.cli.text.rows import print_rows
from motebench.results.comparison.groups import spread_of, summary


def show(groups: dict[str, list[Run]]) -> None:
    """The time of every case of every group, and how far its runs lie apart."""
    rows = []
    for name, runs in groups.items():
        for row in summary(runs, MAIN):
            found = spread_of(row)
            case = row.case
            rows.append(
                {
                    "group": name,
                    "scheme": case.scheme,
                    "by": case.implementation,
                    "operation": case.operation.value,
                    "input": case.input_words() if case.operation.sized else "-",
                    row.metric: format_value(median(row.values.values()), row.unit),
                    "spread of runs": "-" if found is None else f"{100 * found:.2f} %",
                    "runs": len(row.values),
                }
            )
    print_rows(rows)
    if rows:
        click.echo("\ntime: the median of the medians of the runs; spread: their standard deviation")
