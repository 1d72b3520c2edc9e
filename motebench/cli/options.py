"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_STORE = "motebench.db"


def store_option(function: F) -> F:
    """``--store``: where results are kept."""
    return click.option(
        "--store",
        envvar="MOTEBENCH_STORE",
        default=DEFAULT_STORE,
        show_default=True,
        metavar="URL",
        help="Where results are kept: a file, or an SQLAlchemy URL. Also MOTEBENCH_STORE.",
    )(function)


def json_option(function: F) -> F:
    """``--json``: machine-readable output."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")(function)


def flash_options(function: F) -> F:
    """``--wait-states``, ``--no-cache``: the flash of simulated boards."""
    function = click.option(
        "--no-cache", is_flag=True, help="Simulated boards: switch the cache of the flash off, where there is one."
    )(function)
    return click.option(
        "--wait-states", type=click.Choice(["0", "1"]), help="Simulated boards: wait states of the flash."
    )(function)


def with_flash(targets: Iterable[str], options: Mapping[str, Any]) -> tuple[str, ...]:
    """Targets, each written by itself or several with commas between, as ``flash_options`` want them."""
    from motebench.targets.settings import changed

    names = [part.strip() for entry in targets for part in entry.split(",") if part.strip()]
    wait_states = options["wait_states"]
    return changed(names or ["host"], None if wait_states is None else int(wait_states), options["no_cache"])


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    import json

    click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
