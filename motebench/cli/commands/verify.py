"""``motebench verify``: known answers, without timing anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.base.errors import ExitCode
from motebench.base.shapes import as_document
from motebench.cli.options import (
    BoardOptions,
    OwnCode,
    json_option,
    own_code_options,
    print_json,
    settings_options,
)
from motebench.documents.checks import FailedEntry, VerificationEntry


@click.command("verify")
@click.option(
    "--target", "targets", multiple=True, metavar="NAME", help="Targets.  [default: host]"
)
@click.option(
    "--implementation", "implementations", multiple=True, metavar="PATTERN", help="Implementations."
)
@click.option(
    "--scheme", "schemes", multiple=True, metavar="PATTERN", help="Schemes: names or globs."
)
@click.option(
    "--vectors",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Known answers instead of the catalog's: motebench or Wycheproof JSON, NIST .rsp.",
)
@click.option(
    "--timeout",
    metavar="TIME",
    help="Time limit of a request to a probe.  [default: 20s, boards 5min]",
)
@own_code_options
@click.option("--all", "every", is_flag=True, help="Also list every scheme that passes.")
@settings_options
@json_option
def command(own: OwnCode, settings: BoardOptions, **options: Any) -> int:
    """Run known answers; report passed, partly, failed and not applicable per implementation.

    Exit code 0 if nothing failed, 3 if something failed, 2 if nothing was checked.
    """
    from motebench.base.units import parse_duration
    from motebench.measuring.verify.verification import exit_code, verify

    seconds = parse_duration(options["timeout"], where="--timeout") if options["timeout"] else None
    targets = settings.of(options["targets"])
    workspace, named, _ = own.named(options["schemes"])
    implementations = options["implementations"] or named
    document = verify(
        workspace, targets, implementations, options["schemes"], options["vectors"], seconds
    )
    if options["as_json"]:
        print_json(document)
    else:
        show(document, every=options["every"])
    code = exit_code(document)
    if code is ExitCode.USAGE:
        hint = "" if options["every"] else "\n  hint: motebench verify --all says why"
        click.echo(f"motebench: nothing was checked: no known answer is applicable{hint}", err=True)
    return code


# The answer as text

_SHOWN_FAILURES = 20
_COLUMNS = ("implementation", "target", "version", "passed", "partly", "failed", "not_applicable")


def show(verification: VerificationEntry, *, every: bool) -> None:
    """The document as text."""
    from motebench.cli.text.layout import print_rows

    print_rows(
        [{key: getattr(row, key) for key in _COLUMNS} for row in verification.implementations]
    )
    for row in verification.implementations:
        name = row.implementation
        if row.problem:
            click.echo(f"\n{name}: {row.problem}")
        if every:
            click.echo(f"\n{name}, by scheme:")
            print_rows(
                [
                    {"scheme": scheme, **as_document(counts)}
                    for scheme, counts in row.schemes.items()
                ]
            )
        for failure in row.failures[:_SHOWN_FAILURES]:
            _show_failure(name, failure)
        if len(row.failures) > _SHOWN_FAILURES:
            click.echo(
                f"\n... and {len(row.failures) - _SHOWN_FAILURES} more failures; --json shows all"
            )
        if row.reasons and (every or verification.vectors != "catalog"):
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
