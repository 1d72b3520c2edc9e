"""``motebench signing``: costs of signing, verifying or generating keys over a set."""

from __future__ import annotations

from typing import Any

import click

from motebench.base.errors import ExitCode
from motebench.base.units import format_value
from motebench.cli.options import Whole, json_option, print_json
from motebench.documents.costs import SigningEntry, SigningRow


@click.command("signing")
@click.option(
    "--target", "targets", multiple=True, metavar="NAME", help="Targets.  [default: host]"
)
@click.option(
    "--implementation", "implementations", multiple=True, metavar="PATTERN", help="Implementations."
)
@click.option(
    "--scheme",
    "schemes",
    multiple=True,
    metavar="PATTERN",
    help="Schemes: names or globs; hash-based ones only if named.  [default: ml-dsa-*]",
)
@click.option(
    "--operation",
    type=click.Choice(["sign", "keygen"]),
    default="sign",
    show_default=True,
    help="keygen: keys of RSA, a search for primes.",
)
@click.option(
    "--messages", type=Whole(), metavar="N", help="Messages or keys, 10 to 2000.  [default: 100]"
)
@click.option(
    "--first",
    type=Whole(),
    metavar="NUMBER",
    help="First message of the set, of 2000 for ML-DSA.  [default: 1]",
)
@json_option
def command(**options: Any) -> int:
    """Sign a set of messages: mean for the expected attempts, cost of an attempt, median and p99.

    For signatures that try again until one fits: ML-DSA. Hash-based signatures (LMS, HSS, XMSS,
    SLH-DSA) that you name are verified: steps of hash chains take the place of attempts.
    --operation keygen generates a set of RSA keys. Exit code 3 if something gave no number.
    """
    from motebench.base.errors import InputError
    from motebench.measuring.signing import measure

    count = 100 if options["messages"] is None else options["messages"]
    first = 1 if options["first"] is None else options["first"]
    if not 10 <= count <= 2000:
        raise InputError(
            f"{count} messages are too {'few' if count < 10 else 'many'}",
            where="--messages",
            valid="10 to 2000",
        )
    if first < 1:
        raise InputError(f"there is no message {first}", where="--first", valid="1 and above")
    keygen = options["operation"] == "keygen"
    if keygen and options["first"] is not None:
        raise InputError(
            "keys are drawn: they have no numbers",
            where="--first",
            valid="without --operation keygen",
        )
    document = measure(
        options["targets"],
        options["implementations"],
        options["schemes"],
        count,
        first,
        lambda text: click.echo(text, err=True),
        keygen=keygen,
    )
    if options["as_json"]:
        print_json(document)
    else:
        show(document)
    return ExitCode.FAILURES if document.failures or not document.rows else ExitCode.OK


# The answer as text


def show(signing: SigningEntry) -> None:
    """Print one block for each scheme of an implementation."""
    for row in signing.rows:
        _show(row)
    for failure in signing.failures:
        click.echo(f"failed: {failure}")
    if not signing.rows and not signing.failures:
        click.echo("No implementation offers one of these schemes.")


def _show_keys(row: SigningRow) -> None:
    """A set of keys: no attempts are known."""
    click.echo(f"{row.scheme} keygen by {row.implementation} on {row.target}, {row.evidence}")
    click.echo(f"  {row.messages} keys, each generated once; {row.version}")
    within = (
        f"{_time(row.mean_low)} to {_time(row.mean_high)} (95 %): a distribution, not one number"
    )
    p99 = "" if row.messages >= 100 else "the longest: fewer than 100 keys"
    values = (
        ("mean", row.mean, within),
        ("median", row.median, ""),
        ("p99", row.p99, p99),
        ("longest", row.longest, ""),
    )
    for name, seconds, remark in values:
        click.echo(f"  {name:<17} {_time(seconds):>8}  {remark}".rstrip())
    click.echo()


def _time(seconds: float | None) -> str:
    return "" if seconds is None else format_value(seconds * 1e9, "ns")


def _show(row: SigningRow) -> None:
    if row.operation == "keygen":
        _show_keys(row)
        return
    last = row.first + row.messages - 1
    click.echo(f"{row.scheme} by {row.implementation} on {row.target}, {row.evidence}")
    verified = row.operation == "verify"
    done, unit = ("verified", "step") if verified else ("signed and verified", "attempt")
    click.echo(f"  messages {row.first} to {last}, 32 B each, {done}; {row.version}")
    expected = f"{row.expected_attempts:.1f}" if verified else f"{row.expected_attempts:g}"
    if row.attempts is not None:
        counts = (
            f"{row.attempts:.{1 if verified else 2}f} on average in this set; {expected} expected"
        )
        click.echo(f"  {unit}s{' of chains' if verified else '         '}  {counts}")
    else:
        click.echo(f"  attempts          not known: random bytes are drawn; {expected} expected")
    values = (
        ("mean, normalised", row.normalised, f"with the expected {unit}s: compare this one"),
        (f"one {unit}", row.per_attempt, ""),
        (f"beside {unit}s", row.beside, "once for each signature"),
        ("mean", row.mean, "of this set"),
        ("median", row.median, ""),
        ("p99", row.p99, ""),
        ("longest", row.longest, ""),
    )
    for name, seconds, remark in values:
        if seconds is not None:
            cycles = format_value(seconds * row.clock_hz, "cycles") if row.clock_hz else ""
            click.echo(
                (
                    f"  {name:<17} {format_value(seconds * 1e9, 'ns'):>8}  {cycles:<13}  {remark}"
                ).rstrip()
            )
    if row.unexplained is not None:
        click.echo(
            f"  No message is more than {row.unexplained:.1%} from beside + {unit}s x one {unit}."
        )
    click.echo()
