"""``motebench list``: entries of the catalog, of this machine or of a store."""

from __future__ import annotations

from typing import Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import catalog_option, json_option, print_json, refuse, store_option
from motebench.documents.listing import WHAT


@click.command("list", options_metavar="[OPTIONS]")
@click.argument("kind", type=click.Choice(WHAT), metavar="WHAT")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--details",
    is_flag=True,
    help="Every value of each entry.",
)
@click.option(
    "--scheme",
    "pattern",
    metavar="PATTERN",
    help="Only schemes that match; of runs: that measured them.",
)
@click.option(
    "--implementation", metavar="NAME", help="Only schemes that this implementation offers here."
)
@click.option(
    "--paper", metavar="KEY", help="Only schemes that this paper evaluates, with the paper's names."
)
@click.option("--available", is_flag=True, help="Only schemes that an implementation here offers.")
@click.option("--target", metavar="PATTERN", help="Only runs that measured on it.")
@click.option("--tag", metavar="TAG", help="Only runs that have this tag.")
@click.option("--since", metavar="TIME", help="Only runs since then: 2026-01-31, or an age, 7d.")
@catalog_option
@store_option
@json_option
def command(kind: str, names: tuple[str, ...], **options: Any) -> None:
    """List entries of the catalog, what this machine offers, or the runs in the store.

    WHAT is algorithms, schemes, implementations, targets, studies, runs, papers, devices, radios,
    regions, batteries or protocols.
    With names, list only these, with details; NAME may be a pattern in quotes: 'aes-*'.
    """
    from motebench.base.naming import is_pattern
    from motebench.show.listing import ListingFilter, listing

    _check(kind, options)
    keys = (
        "pattern",
        "implementation",
        "paper",
        "available",
        "own",
        "store",
        "target",
        "tag",
        "since",
    )
    entry = listing(kind, ListingFilter(names, **{key: options[key] for key in keys}))
    if options["as_json"]:
        print_json(entry)
        return
    from motebench.cli.text.catalog import show

    show(entry, details=options["details"] or (bool(names) and not any(map(is_pattern, names))))
    if not entry.rows:
        click.echo(f"no {kind}", err=True)


def _check(kind: str, options: dict[str, Any]) -> None:
    """InputError for an option that has no effect on what is listed."""
    hint = f"a name or a pattern chooses: motebench list {kind} 'a*'"
    for name, kinds in _OPTIONS.items():
        if kind not in kinds:
            refuse(
                (name,),
                f"{{option}} has no effect on {kind}",
                valid=f"with {', '.join(kinds)}",
                hint=hint,
            )
    if options["paper"] and (
        options["pattern"] or options["implementation"] or options["available"]
    ):
        raise InputError(
            "--paper lists what the paper evaluates: other filters have no effect",
            where="--paper",
            valid="--paper alone",
        )


_OWN = ("devices", "radios", "regions", "batteries", "protocols")
_OPTIONS = {
    "pattern": ("schemes", "runs"),
    "implementation": ("schemes",),
    "paper": ("schemes",),
    "available": ("schemes",),
    "target": ("runs",),
    "tag": ("runs",),
    "since": ("runs",),
    "store": ("runs",),
    "own": _OWN,
}
"""Kinds of rows that an option has an effect on."""
