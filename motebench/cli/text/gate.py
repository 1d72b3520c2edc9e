"""Result of the gate for a terminal."""

from __future__ import annotations

import click

from motebench.cli.text import comparison as text
from motebench.cli.text.layout import print_rows
from motebench.documents.gate import GateEntry
from motebench.measuring.gate.gate import GateOutcome
from motebench.show.gate import answer_words, case_words, looks_words

_FUNCTIONS = 20


def show(outcome: GateOutcome, entry: GateEntry) -> None:
    """The rows that decide, what boards count, the functions that differ, and the answer."""
    for side, commit in (("base", entry.base), ("head", entry.head)):
        click.echo(f"{side}: {commit.commit[:10]} {commit.subject}")
    click.echo()
    if outcome.comparison is not None:
        text.show(outcome.comparison, entry.allowed)
    if outcome.counts is not None:
        click.echo("\nboards, counted exactly")
        text.show(outcome.counts, None)
    rows = [
        {
            "function": difference.function,
            "of": f"cycles, {case_words(difference)}",
            "base": _number(difference.base),
            "head": _number(difference.head),
        }
        for difference in entry.function_cycles[:_FUNCTIONS]
    ]
    rows += [
        {
            "function": difference.function,
            "of": f"B of {difference.memory}, {case_words(difference)}",
            "base": _number(difference.base),
            "head": _number(difference.head),
        }
        for difference in entry.function_bytes[:_FUNCTIONS]
    ]
    if rows:
        click.echo("\nfunctions that differ")
        print_rows(rows, (), right=("base", "head"))
    for failure in entry.failures:
        click.echo(
            f"failed in the {failure.commit}: {case_words(failure)}: {failure.kind}: "
            f"{failure.message}"
        )
    for note in entry.notes:
        click.echo(note)
    if looks := looks_words(entry):
        click.echo(looks)
    if entry.uncommitted:
        click.echo(
            f"{len(entry.uncommitted)} uncommitted changes are not measured: commit them", err=True
        )
    click.echo(f"\n{answer_words(entry)}")


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
