"""Writing an HTML report, and saying where it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


def write_report(shown: dict[str, Any], path: Path, *, force: bool | None, where: str) -> None:
    """Write the HTML report and say where. InputError if it cannot be written."""
    from motebench.show.report import write

    write(shown, path, force=force, where=where)
    click.echo(f"report: {path.resolve().as_uri()}", err=True)
