"""The document of a verification as text."""

from __future__ import annotations

from typing import Any

import click

_SHOWN_FAILURES = 20


def show(document: dict[str, Any], *, every: bool) -> None:
    """The document as text."""
    from motebench.cli.text.rows import print_rows

    keys = ("implementation", "target", "version", "passed", "partly", "failed", "not_applicable")
    print_rows([{key: row[key] for key in keys} for row in document["implementations"]])
    for row in document["implementations"]:
        name = row["implementation"]
        if row["problem"]:
            click.echo(f"\n{name}: {row['problem']}")
        if every:
            click.echo(f"\n{name}, by scheme:")
            print_rows([{"scheme": scheme, **counts} for scheme, counts in row["schemes"].items()])
        for failure in row["failures"][:_SHOWN_FAILURES]:
            click.echo(f"\nfailed: {name} {failure['scheme']} {failure['operation']} ({failure['kind']})")
            click.echo(f"  vector:   {failure['vector']} ({failure['source']})")
            if failure["detail"]:
                click.echo(f"  {failure['detail']}")
            if failure["expected"]:
                click.echo(f"  expected: {failure['expected']}\n  got:      {failure['got']}")
        if len(row["failures"]) > _SHOWN_FAILURES:
            click.echo(f"\n... and {len(row['failures']) - _SHOWN_FAILURES} more failures; --json shows all")
        if row["reasons"] and (every or document["vectors"] != "catalog"):
            click.echo(f"\n{name}, not checked or partly checked, because:")
            for reason, count in sorted(row["reasons"].items(), key=lambda item: -item[1]):
                click.echo(f"  {count:6}  {reason}")
