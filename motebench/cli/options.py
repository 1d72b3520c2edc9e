"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
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


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    import json

    click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
