"""One HTML file that shows a result document; it opens from disk and loads nothing from the network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write(
    document: Mapping[str, Any], path: Path | str, *, force: bool | None = False, where: str = "--output"
) -> Path:
    """Write the report of a result document (see ``documents/json/result.schema.json``) to ``path``; returns that path.

    The file is replaced in one step, so a reader never sees half of it. InputError, which names ``where``, if it cannot
    be written, or if what is there is no HTML page; ``force`` replaces that too, but never a store.
    """
    from motebench.show.report.page import write_page

    return write_page(document, Path(path), force=force, where=where)
