"""``motebench signing``: what signing, verifying or generating keys costs over a set."""

from __future__ import annotations

from typing import Any

import click

from motebench.base.errors import ExitCode
from motebench.cli.options import Whole, json_option, print_json


@click.command("signing")
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Targets.  [default: host]")
@click.option("--implementation", "implementations", multiple=True, metavar="PATTERN", help="Implementations.")
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="Schemes: names or globs.  [default: all]")
@click.option(
    "--operation",
    type=click.Choice(["sign", "keygen"]),
    default="sign",
    show_default=True,
    help="keygen: keys of RSA, a search for primes.",
)
@click.option("--messages", type=Whole(), metavar="N", help="Messages or keys, 10 to 2000.  [default: 100]")
@click.option("--first", type=Whole(), metavar="NUMBER", help="First message of the set.  [default: 1]")
@json_option
def command(**options: Any) -> int:
    """Sign a set of messages: mean for the expected attempts, cost of an attempt, median and p99.

    For signatures that try again until one fits: ML-DSA. Hash-based signatures (LMS, HSS, XMSS, SLH-DSA) that you name
    are verified: steps of hash chains take the place of attempts.
    --operation keygen generates a set of RSA keys. Exit code 3 if something gave no number.
    """
    from motebench.base.errors import InputError
    from motebench.cli.text import signing as text
    from motebench.measuring.signing import measure

    count = 100 if options["messages"] is None else options["messages"]
    first = 1 if options["first"] is None else options["first"]
    if not 10 <= count <= 2000:
        raise InputError(f"{count} messages", where="--messages", valid="10 to 2000")
    if first < 1:
        raise InputError(f"there is no message {first}", where="--first", valid="1 and above")
    keygen = options["operation"] == "keygen"
    if keygen and options["first"] is not None:
        raise InputError("keys are drawn: they have no numbers", where="--first", valid="without --operation keygen")
    document = measure(
        options["targets"], options["implementations"], options["schemes"], count, first,
        lambda words: click.echo(words, err=True), keygen=keygen,
    )  # fmt: skip
    if options["as_json"]:
        print_json(document)
    else:
        text.show(document)
    return ExitCode.FAILURES if document.failures or not document.rows else ExitCode.OK
