"""``motebench list``: what there is."""

from __future__ import annotations

from typing import Any

import click

from motebench.cli.options import catalog_option, json_option, print_json, store_option

WHAT = (
    "algorithms", "schemes", "implementations", "targets", "studies", "runs", "papers",
    "devices", "radios", "regions", "batteries",
)  # fmt: skip


@click.command("list")
@click.argument("what", type=click.Choice(WHAT))
@click.option("--scheme", "pattern", metavar="PATTERN", help="Only schemes that match.")
@click.option("--implementation", metavar="NAME", help="Only schemes that this implementation offers here.")
@click.option("--paper", metavar="KEY", help="Only schemes that this paper evaluates, with the paper's names.")
@click.option("--available", is_flag=True, help="Only schemes that an implementation here offers.")
@catalog_option
@store_option
@json_option
def command(what: str, **options: Any) -> None:
    """List entries of the catalog, what this machine offers, or the runs in the store."""
    from motebench.listing import Only, listing

    keys = ("pattern", "implementation", "paper", "available", "own", "store")
    rows = listing(what, Only(**{key: options[key] for key in keys}))
    if options["as_json"]:
        print_json(rows)
        return
    from motebench.cli.text.rows import print_rows

    print_rows(rows)
    if not rows:
        click.echo(f"no {what}", err=True)
