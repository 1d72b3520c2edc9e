"""``motebench audit``: whether published numbers agree with each other, with the text and with known facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import json_option, print_json

if TYPE_CHECKING:
    from fractions import Fraction


@click.command("audit")
@click.argument("of", metavar="PAPER|FILE.csv")
@click.option(
    "--fail-on",
    type=click.Choice(["material", "minor", "note"]),
    help="Exit code 3 if there is a finding of this weight or more.",
)
@click.option(
    "--repetitions", type=click.IntRange(2, 10**9), metavar="N", help="Of a CSV file: readings behind each mean."
)
@click.option(
    "--resolution",
    multiple=True,
    metavar="METRIC=STEP",
    help="Of a CSV file: smallest step of one reading, in the unit of the column.",
)
@json_option
def command(
    of: str, fail_on: str | None, repetitions: int | None, resolution: tuple[str, ...], as_json: bool
) -> ExitCode:
    """Check published tables without measuring: a paper of the catalog, or a CSV file of your own."""
    from motebench.cli.text.audit import show
    from motebench.documents.papers import Weight
    from motebench.publications.audit.auditing import audit

    document = audit(of, repetitions, _steps(resolution))
    if as_json:
        print_json(document)
    else:
        show(document)
    if fail_on and any(Weight(each.weight).rank <= Weight(fail_on).rank for each in document.findings):
        return ExitCode.FAILURES
    return ExitCode.OK


def _steps(given: tuple[str, ...]) -> dict[str, Fraction]:
    """``time=0.01`` by metric."""
    from motebench.catalog.published import printed

    found: dict[str, Fraction] = {}
    for text in given:
        metric, equals, step = text.rpartition("=")
        if not equals or not metric.strip():
            raise InputError(f"{text!r} has no metric and step", where="--resolution", valid="time=0.01")
        number = printed(step.strip(), where="--resolution")
        if number.value <= 0:
            raise InputError(f"{text!r} has no step above 0", where="--resolution", valid="time=0.01")
        found[metric.strip()] = number.value
    return found
