"""``motebench push``: stored runs sent to the explorer of another machine."""

from __future__ import annotations

import click

from motebench.base.errors import InputError
from motebench.cli.options import store_option, upload_token_option


@click.command("push")
@click.argument("run", required=False)
@click.argument("url", required=False)
@upload_token_option("The token of the server.")
@click.option(
    "--plain-http",
    is_flag=True,
    help="Send to another machine without encryption: the token can be read on the way.",
)
@store_option
def command(
    store: str, run: str | None, url: str | None, upload_token: str | None, plain_http: bool
) -> None:
    """Send a stored RUN, or all runs of a group or pattern, to `motebench serve` at URL.

    The server stores all of them or none. A run that it has already is not stored again.
    """
    from motebench.show.site.upload import VARIABLE, push, token_of
    from motebench.store import Store

    if run is None or url is None:
        missing = "RUN" if run is None else "URL"
        raise InputError(f"{missing} is missing", where=missing, hint="motebench push RUN URL")
    token = token_of(upload_token)
    if token is None:
        raise InputError(
            "no token is given",
            where="--upload-token",
            valid=f"a file that holds the token of the server, or {VARIABLE}",
        )
    with Store.open(store, create=False) as source:
        stored = push(source, run, url, token, plain=plain_http)
    for entry in stored:
        renamed = f" as {entry.here}" if entry.here != entry.name else ""
        state = "stored" if entry.copied else "is there already"
        click.echo(f"{entry.name}: {state}{renamed}", err=True)
