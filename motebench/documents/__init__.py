"""Documents that commands print with ``--json``: one class for each document, and all its parts.

``python -m motebench.documents`` writes the JSON Schemas in ``motebench/documents/json/`` from
these classes.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the documents of that name, such as ``result``; `schemas.NAMES`
    has all names.
    """
    file = resources.files("motebench.documents") / "json" / f"{name}.schema.json"
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded
