"""``motebench describe``: one entry of the catalog with all that is known, and where each figure stands."""

from __future__ import annotations

from pathlib import Path

import click

from motebench.cli.options import catalog_option, json_option, print_json

KINDS = ("device", "radio", "region", "battery")


@click.command("describe")
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("name")
@catalog_option
@json_option
def command(kind: str, name: str, own: Path | None, as_json: bool) -> None:
    """Describe one device, radio, region or battery of the catalog, with its sources."""
    from motebench.catalog.entries import find
    from motebench.cli.text.entry import show

    entry = find(kind, name, own)
    if as_json:
        print_json(entry.model_dump(mode="json", exclude_none=True))
    else:
        show(entry)
