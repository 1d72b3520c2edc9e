"""``motebench serve``: all runs of a store as pages in a browser."""

from __future__ import annotations

import click

from motebench.base.errors import SetupError
from motebench.cli.options import store_option


@click.command("serve")
@store_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen at. Whoever reaches another one than this can read the store.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8642,
    show_default=True,
    help="The port; 0: any that is free.",
)
@click.option("--open", "opens", is_flag=True, help="Open the first page in your browser.")
def command(store: str, host: str, port: int, opens: bool) -> None:
    """Show all runs of a store in a browser: filters, results, comparisons.

    The pages only read. Ctrl-C ends the server.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise SetupError(
            f"pages need the packages of the extra 'serve', starlette and uvicorn; not found: "
            f"{error.name}",
            hint="pip install 'FILE.whl[serve]', or make setup in a checkout",
        ) from None
    from motebench.show.site.app import application, bound, serve
    from motebench.show.site.views import Site
    from motebench.store import Store

    with Store.open(store, create=False):
        pass  # a mistake in the name is told here, not on a page
    with bound(host, port) as listening:
        at, number = listening.getsockname()[:2]
        url = f"http://{f'[{at}]' if ':' in at else at}:{number}/"
        click.echo(f"{store} is at {url} (Ctrl-C ends it)", err=True)
        if opens:
            import webbrowser

            webbrowser.open(url)
        serve(application(Site(store), host), listening)
