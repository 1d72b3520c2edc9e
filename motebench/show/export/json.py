"""The result document itself."""

from __future__ import annotations

import json

from motebench.base.files.access import FileKind
from motebench.base.shapes import as_document
from motebench.documents.result import Result

FORM = FileKind.JSON


def render(result: Result) -> str:
    """Indented JSON; it conforms to ``documents/json/result.schema.json``."""
    return json.dumps(as_document(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
