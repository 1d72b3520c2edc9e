"""One HTML file that shows a run; it opens from disk and loads nothing from the network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motebench.documents.result import Result


def write(
    result: Result, path: Path | str, *, force: bool | None = False, where: str = "--output"
) -> Path:
    """Write the report of a run to ``path``; returns that path.

    The file is replaced in one step, so a reader never sees half of it. InputError, which names
    ``where``, if it cannot be written, or if what is there is no HTML page; ``force`` replaces that
    too, but never a store.
    """
    from motebench.show.report.page import write_page

    return write_page(result, Path(path), force=force, where=where)
