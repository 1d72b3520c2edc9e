"""``motebench verify``: known answers, without timing anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.base.errors import ExitCode
from motebench.cli.options import code_options, json_option, print_json, settings_options, with_settings


@click.command("verify")
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Targets.  [default: host]")
@click.option("--implementation", "implementations", multiple=True, metavar="PATTERN", help="Implementations.")
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="Schemes: names or globs.")
@click.option(
    "--vectors", type=click.Path(path_type=Path), metavar="FILE",
    help="Known answers to use instead of the catalog's: motebench JSON, Wycheproof JSON, NIST .rsp.",
)  # fmt: skip
@click.option("--timeout", metavar="TIME", help="Time limit of a request to a probe.  [default: 20s, boards 5min]")
@code_options
@click.option("--all", "every", is_flag=True, help="Also list every scheme that passes.")
@settings_options
@json_option
def command(**options: Any) -> int:
    """Run known answers; report passed, partly, failed and not applicable per implementation.

    Exit code 0 if nothing failed, 3 if something failed, 2 if nothing was checked.
    """
    from motebench.base.units import parse_duration
    from motebench.cli.options import named_code
    from motebench.cli.text import verification as text
    from motebench.measuring.verify.verification import exit_code, verify

    seconds = parse_duration(options["timeout"], where="--timeout") if options["timeout"] else None
    targets = with_settings(options["targets"], options)
    workspace, named, _ = named_code(options, options["schemes"])
    implementations = options["implementations"] or named
    document = verify(workspace, targets, implementations, options["schemes"], options["vectors"], seconds)
    if options["as_json"]:
        print_json(document)
    else:
        text.show(document, every=options["every"])
    code = exit_code(document)
    if code is ExitCode.USAGE:
        hint = "" if options["every"] else "\n  hint: motebench verify --all says why"
        click.echo(f"motebench: nothing was checked: no known answer is applicable{hint}", err=True)
    return code
