"""``motebench leak``: does the time of an operation depend on a secret?"""

from __future__ import annotations

from typing import Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import BoardOptions, OwnCode, json_option, own_code_options, print_json, settings_options
from motebench.documents.leak import CountedEntry, ExampleEntry, LeakEntry, LeakJudgedEntry


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
@own_code_options
@settings_options
@json_option
def command(own: OwnCode, settings: BoardOptions, **options: Any) -> int:
    """Test whether the time of an operation depends on keys, messages, forged tags, bad padding, ciphertexts or coins.

    On boards every cycle is counted: two inputs that differ in cycles prove a leak, and are shown. On a host a
    statistical test gives the probability of error. Exit code 8 if there is a leak, 3 if there is no conclusion.
    """
    from motebench.cli.options import one_of
    from motebench.measuring.leak.examination import LeakRequest, examine, exit_code

    workspace, implementations, schemes = own.named(options["schemes"])
    targets = settings.of([options["target"]])
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
        show(document)
    return exit_code(document)


# The answer as text

_LONGEST, _SHOWN = 160, 32
"""Hexadecimal digits of the longest value that is printed whole, and those that are printed of a longer one."""

_ARMS = "the caches hold what the timed input needs, data of other inputs, or neither; --json has all arms"


def show(found: LeakEntry) -> None:
    """The document as text."""
    from motebench.cli.text.layout import print_rows
    from motebench.stats.leak import SURE

    click.echo(
        f"{found.implementation} on {found.target}: {found.method}, {found.evidence}, "
        f"{found.samples} inputs for each secret"
    )
    print_rows([_row(entry) for entry in found.findings])
    for entry in found.findings:
        _show_more(entry)
    judged = [entry for entry in found.findings if isinstance(entry, LeakJudgedEntry)]
    if judged:
        click.echo(
            f"\nA row shows the arm of the test that says most: {_ARMS}. A leak is called at an error probability of "
            f'{SURE:g}, for all tests of all arms. "No difference found" is no proof that there is none: it may be '
            "smaller than what would have been seen."
        )
    for reason in dict.fromkeys(entry.arms_left_out for entry in judged if entry.arms_left_out):
        click.echo(
            f"\nEvery input was computed right before it was timed, so a look-up in a table may not be found: {reason}"
        )
    for left in found.left_out:
        click.echo(f"\n{left.scheme} {left.operation}, {left.varied}: not varied: {left.reason}")
    for failure in found.failures:
        what = f"{failure.scheme} {failure.operation or ''}".strip()
        click.echo(f"\nfailed: {what} ({failure.kind}): {failure.message}")


def _row(entry: CountedEntry | LeakJudgedEntry) -> dict[str, Any]:
    row = {
        "scheme": entry.scheme,
        "operation": entry.operation,
        "bytes": entry.input_bytes or None,
        "varied": entry.varied,
    }
    if isinstance(entry, CountedEntry):
        cycles = entry.cycles
        counted = {"fewest": cycles.fewest, "most": cycles.most, "distinct": cycles.distinct}
        return {**row, **counted, "spread": cycles.most - cycles.fewest, "verdict": entry.verdict}
    arm = entry.arms[0]
    difference = arm.difference
    return {
        **row,
        "caches hold": arm.caches,
        "median": f"{arm.median_ns:.4g} ns",
        "stands out": difference.input.name,
        "difference": f"{difference.ns:+.3g} ns",
        "95 %": f"{difference.low_ns:+.3g} to {difference.high_ns:+.3g} ns",
        "p": f"{arm.test.p:.2g}",
        "control p": f"{arm.control.p:.2g}",
        "would be seen": f"{arm.would_be_seen_ns:.2g} ns",
        "verdict": entry.verdict,
    }


def _show_more(entry: CountedEntry | LeakJudgedEntry) -> None:
    """What does not fit a row: an example pair, inputs that were refused, the input that is for comparison only."""
    what = f"{entry.scheme} {entry.operation}, {entry.varied}"
    if isinstance(entry, CountedEntry):
        if entry.example:
            click.echo(f"\n{entry.scheme} {entry.operation}, varied {entry.varied}: an example pair")
            _show_example(entry.example)
        if entry.accepted_cycles is not None:
            click.echo(
                f"\n{what}: the right tag takes {entry.accepted_cycles} cycles; whether a tag is right is no secret"
            )
    elif side := entry.arms[0].accepted:
        click.echo(
            f"\n{what}: the right tag less a forged one: {side.ns:+.3g} ns "
            f"({side.low_ns:+.3g} to {side.high_ns:+.3g} ns); whether a tag is right is no secret"
        )
    for words in dict.fromkeys(entry.refused.values()):
        names = ", ".join(name for name, said in entry.refused.items() if said == words)
        click.echo(f"\n{what}: refused by the implementation, so not timed: {names}: {words}")


def _short(digits: str) -> str:
    if len(digits) <= _LONGEST:
        return digits
    return f"{digits[:_SHOWN]}... ({len(digits) // 2} bytes: --json)"


def _show_example(example: ExampleEntry) -> None:
    for side in (example.fewest, example.most):
        given = {"key": side.key, "nonce": side.nonce, "message": side.message, "peer": side.peer, "tag": side.tag,
                 "ciphertext": side.ciphertext, "coins": side.coins}  # fmt: skip
        parts = [f"{name} {_short(digits)}" for name, digits in given.items() if digits]
        click.echo(f"  {side.cycles} cycles: {side.name}: {', '.join(parts)}")
    if not example.repeats:
        click.echo(
            "  measured again, the same input took different cycles: the input is not the only cause, "
            "so no leak is shown"
        )
    without = example.without_cache
    if without and without.fewest == without.most:
        click.echo(
            f"  without the cache of the flash both take {without.most} cycles: the cache causes the difference, "
            "as for look-ups in tables; a part without a cache does not have this leak"
        )
    elif without:
        click.echo(f"  without the cache of the flash they take {without.fewest} and {without.most} cycles")
