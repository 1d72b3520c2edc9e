"""``motebench leak``: does the time of an operation depend on a secret?"""

from __future__ import annotations

from typing import Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import code_options, json_option, print_json, settings_options, with_settings


@click.command("leak")
@click.option("--implementation", metavar="NAME", help="The implementation.  [default: that of --code]")
@click.option("--target", default="host", show_default=True, metavar="NAME", help="The target.")
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="Schemes.  [default: the plain ciphers]")
@click.option("--operation", "operations", multiple=True, metavar="NAME", help="Operations.  [default: by scheme]")
@click.option("--size", default="16", show_default=True, metavar="SIZE", help="Length of the message.")
@click.option(
    "--samples", type=click.IntRange(min=2, max=1_000_000),
    help="Inputs for each secret.  [default: 300 on boards, 20000 on hosts]",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Seed of the random inputs."
)
@code_options
@settings_options
@json_option
def command(**options: Any) -> int:
    """Test whether the time of an operation depends on keys, messages, forged tags, bad padding, ciphertexts or coins.

    On boards every cycle is counted: two inputs that differ in cycles prove a leak, and are shown. On a host a
    statistical test gives the probability of error. Exit code 8 if there is a leak, 3 if there is no conclusion.
    """
    from motebench.cli.options import named_code, one_of
    from motebench.cli.text import leak as text
    from motebench.measuring.leak.examination import LeakRequest, examine, exit_code

    workspace, implementations, schemes = named_code(options, options["schemes"])
    targets = with_settings([options["target"]], options)
    if len(targets) != 1:
        raise InputError("leak examines one target at a time", where="--target", valid=" or ".join(targets))
    request = LeakRequest(
        target=targets[0],
        implementation=one_of(options["implementation"], implementations, "--implementation"),
        schemes=options["schemes"] or schemes,
        operations=options["operations"],
        size=options["size"],
        samples=options["samples"],
        seed=options["seed"],
    )
    document = examine(workspace, request)
    if options["as_json"]:
        print_json(document)
    else:
        text.show(document)
    return exit_code(document)
