"""The result document itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from motebench.base.files.access import FileKind

FORM = FileKind.JSON


def render(document: Mapping[str, Any]) -> str:
    """Indented JSON; it conforms to ``documents/json/result.schema.json``."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
