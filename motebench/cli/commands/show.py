"""``motebench show``: a stored run as a table."""

from __future__ import annotations

from typing import Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import host_device, host_option, json_option, print_json, store_option


@click.command("show")
@click.argument("run", default="latest")
@click.option("--sort", metavar="METRIC", help="Order each table by this metric, the best first: time, energy, ...")
@click.option("--details", is_flag=True, help="Also show processor time, cycles and memory.")
@click.option("--brief", is_flag=True, help="Sentences and one short table, in place of every number.")
@click.option("--samples", is_flag=True, help="With --json: include every sample's value.")
@host_option
@store_option
@json_option
def command(run: str, **options: Any) -> None:
    """Show a stored RUN (its number, its name, or `latest`) as tables."""
    from motebench.results.document import result
    from motebench.store import Store

    if options["sort"] and (options["brief"] or options["as_json"]):
        raise InputError("--sort orders the tables: it has no effect on --brief or --json", where="--sort")
    host = host_device(options)
    with Store.open(options["store"], create=False) as store:
        shown = result(store.load_run(run), samples=options["samples"] or not options["as_json"], host=host)
    if options["as_json"]:
        print_json(shown)
        return
    if options["brief"]:
        from motebench.cli.text.run import show_brief

        show_brief(shown, store=options["store"], run=None if run == "latest" else run)
        return
    from motebench.cli.text.table import print_table

    print_table(shown, details=options["details"], sort=options["sort"])
