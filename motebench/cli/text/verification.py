"""The document of a verification as text."""

from __future__ import annotations

import click

from motebench.base.shapes import as_document
from motebench.documents.checks import FailedEntry, VerificationEntry

_SHOWN_FAILURES = 20
_COLUMNS = ("implementation", "target", "version", "passed", "partly", "failed", "not_applicable")


def show(found: VerificationEntry, *, every: bool) -> None:
    """The document as text."""
    from motebench.cli.text.layout import print_rows

    print_rows([{key: getattr(row, key) for key in _COLUMNS} for row in found.implementations])
    for row in found.implementations:
        name = row.implementation
        if row.problem:
            click.echo(f"\n{name}: {row.problem}")
        if every:
            click.echo(f"\n{name}, by scheme:")
            print_rows([{"scheme": scheme, **as_document(counts)} for scheme, counts in row.schemes.items()])
        for failure in row.failures[:_SHOWN_FAILURES]:
            _show_failure(name, failure)
        if len(row.failures) > _SHOWN_FAILURES:
            click.echo(f"\n... and {len(row.failures) - _SHOWN_FAILURES} more failures; --json shows all")
        if row.reasons and (every or found.vectors != "catalog"):
            click.echo(f"\n{name}, not checked or partly checked, because:")
            for reason, count in sorted(row.reasons.items(), key=lambda item: -item[1]):
                click.echo(f"  {count:6}  {reason}")


def _show_failure(name: str, failure: FailedEntry) -> None:
    click.echo(f"\nfailed: {name} {failure.scheme} {failure.operation} ({failure.kind})")
    click.echo(f"  vector:   {failure.vector} ({failure.source})")
    if failure.detail:
        click.echo(f"  {failure.detail}")
    if failure.expected:
        click.echo(f"  expected: {failure.expected}\n  got:      {failure.got}")
