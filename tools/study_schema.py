"""JSON Schema of study files, for editors: ``studies/study.schema.json``, from the model of a
study.

``python tools/study_schema.py`` writes it. Editors that know TOML (Taplo, Even Better TOML, Tombi)
read the line ``#:schema study.schema.json`` at the top of a study.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from motebench.measuring.study.model import Study

FILE = Path(__file__).resolve().parents[1] / "studies" / "study.schema.json"
_DIALECT = "http://json-schema.org/draft-07/schema#"
"""Taplo reads no newer one."""


class _Written(GenerateJsonSchema):
    """Schema of a person's input: sizes, times and percentages may be texts with units."""

    schema_dialect = _DIALECT

    def function_before_schema(
        self, schema: core_schema.BeforeValidatorFunctionSchema
    ) -> dict[str, Any]:
        if schema["function"]["function"].__qualname__.startswith("_reader."):
            return {"type": ["number", "string"]}
        return super().function_before_schema(schema)


def text() -> str:
    """The schema as its file has it."""
    found = Study.model_json_schema(schema_generator=_Written, ref_template="#/definitions/{model}")
    found["definitions"] = found.pop("$defs")
    head = {
        "$schema": _DIALECT,
        "title": "motebench study",
        "description": "Keys: docs/reference/commands.md, Study files",
    }
    return json.dumps({**head, **_shown(found)}, indent=2, ensure_ascii=False) + "\n"


def _shown(of: Any) -> Any:
    """The schema without defaults, and without the titles and descriptions that pydantic makes for
    programmers.
    """
    if isinstance(of, list):
        return [_shown(part) for part in of]
    if not isinstance(of, dict):
        return of
    found = {
        key: value for key, value in of.items() if key not in ("title", "description", "default")
    }
    for key, value in found.items():
        names = key in ("properties", "definitions")
        found[key] = (
            {name: _shown(part) for name, part in value.items()} if names else _shown(value)
        )
    return found


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
