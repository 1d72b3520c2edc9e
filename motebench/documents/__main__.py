"""``python -m motebench.documents``: writes the JSON Schemas from the classes of documents."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from motebench.base.shapes import keys
from motebench.documents.checks import DoctorEntry, StoreCheckEntry, VerificationEntry
from motebench.documents.choice import ChoiceEntry, ConnectionEntry
from motebench.documents.comparison import (
    ChangesEntry,
    CollectionEntry,
    ComparisonEntry,
    GateEntry,
)
from motebench.documents.costs import (
    AirtimeEntry,
    BatteryEntry,
    EnergyEntry,
    ProtocolsEntry,
    SigningEntry,
)
from motebench.documents.known import (
    CoverageReportEntry,
    KnownCostsEntry,
    ReferenceCheckEntry,
    ReferenceEntry,
)
from motebench.documents.leak import LeakEntry, LeakPlanEntry, SecretFlowEntry
from motebench.documents.listing import BoardsEntry, ListEntry
from motebench.documents.meter import InstrumentsEntry, KnownLoadEntry, MeterEntry
from motebench.documents.papers import AuditEntry, ReplicationEntry, ReplicationPlanEntry
from motebench.documents.result import PlanEntry, ProvenanceEntry, Result, ResultsEntry, RunsEntry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DOCUMENTS: dict[str, Any] = {
    "result": Result,
    "results": ResultsEntry,
    "comparison": ComparisonEntry,
    "changes": ChangesEntry,
    "gate": GateEntry,
    "collection": CollectionEntry,
    "choice": ChoiceEntry,
    "connection": ConnectionEntry,
    "audit": AuditEntry,
    "airtime": AirtimeEntry,
    "energy": EnergyEntry,
    "cost": KnownCostsEntry,
    "coverage": CoverageReportEntry,
    "battery": BatteryEntry,
    "protocol": ProtocolsEntry,
    "list": ListEntry,
    "fleet": BoardsEntry,
    "leak": LeakEntry,
    "leak-plan": LeakPlanEntry,
    "secret-flow": SecretFlowEntry,
    "verification": VerificationEntry,
    "signing": SigningEntry,
    "meter": MeterEntry,
    "known-load": KnownLoadEntry,
    "instruments": InstrumentsEntry,
    "plan": PlanEntry,
    "runs": RunsEntry,
    "provenance": ProvenanceEntry,
    "reference": ReferenceEntry,
    "reference-check": ReferenceCheckEntry,
    "replication": ReplicationEntry,
    "replication-plan": ReplicationPlanEntry,
    "doctor": DoctorEntry,
    "store-check": StoreCheckEntry,
}
NAMES = tuple(_DOCUMENTS)


class _Shapes(GenerateJsonSchema):
    """Classes as objects with the keys that their documents have, and no others."""

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> dict[str, Any]:
        schema_found = super().dataclass_schema(schema)
        shape: Any = schema["cls"]
        texts = descriptions(shape)
        properties = {}
        for name, left_out in keys(shape):
            part = schema_found["properties"][name]
            if left_out and "anyOf" in part:
                part = next(option for option in part["anyOf"] if option.get("type") != "null")
            properties[name] = {**part, "description": texts[name]} if name in texts else part
        optional = {
            part.name
            for part in fields(shape)
            if not {"left_out", "later"}.isdisjoint(part.metadata)
        }
        return {
            "type": "object",
            "description": inspect.cleandoc(shape.__doc__ or ""),
            "additionalProperties": False,
            "required": [name for name in properties if name not in optional],
            "properties": properties,
            **(shape.rules() if hasattr(shape, "rules") else {}),
        }


def generate(name: str) -> dict[str, Any]:
    """The schema of the documents of that name."""
    shape = _DOCUMENTS[name]
    (version,) = (
        str(field.default).removeprefix(f"motebench-{name}-")
        for field in fields(shape)
        if field.name == "schema"
    )
    head = {"$id": f"urn:motebench:{name}:{version}", "title": f"motebench {name} document"}
    whole = TypeAdapter(shape).json_schema(schema_generator=_Shapes)
    parts = whole.pop("$defs", {})
    enumerations = {key: part for key, part in parts.items() if "enum" in part}
    shapes = {
        _name(key): _finished(part, enumerations)
        for key, part in parts.items()
        if key not in enumerations
    }
    return {
        "$schema": DIALECT,
        **head,
        **_finished(whole, enumerations),
        "$defs": dict(sorted(shapes.items())),
    }


def text(name: str) -> str:
    """The schema as its file has it."""
    return json.dumps(generate(name), indent=2, ensure_ascii=False) + "\n"


def descriptions(shape: type) -> dict[str, str]:
    """The docstrings of the attributes of a class and of our classes that it inherits from, each on
    one line, by the name of the attribute.
    """
    texts: dict[str, str] = {}
    for cls in reversed(shape.__mro__):
        if cls.__module__.partition(".")[0] != "motebench":
            continue
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
        assert isinstance(tree, ast.ClassDef)
        for before, after in pairwise(tree.body):
            if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
                continue
            if isinstance(before, ast.AnnAssign | ast.Assign):
                targets = before.targets if isinstance(before, ast.Assign) else [before.target]
                texts[ast.unparse(targets[0])] = " ".join(str(after.value.value).split())
    return texts


def _name(shape: str) -> str:
    return shape.removesuffix("Entry").lower()


def _finished(schema: Any, enumerations: dict[str, Any]) -> Any:
    """A schema without what pydantic adds for itself: titles and defaults; with enumerations in
    their places.
    """
    if isinstance(schema, list):
        return [_finished(part, enumerations) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        rest = {key: part for key, part in schema.items() if key != "$ref"}
        return (
            {"enum": enumerations[name]["enum"], **rest}
            if name in enumerations
            else {"$ref": f"#/$defs/{_name(name)}", **rest}
        )
    finished = {
        key: {name: _finished(inner, enumerations) for name, inner in part.items()}
        if key == "properties"
        else _finished(part, enumerations)
        for key, part in schema.items()
        if key not in ("title", "default") and (key, part) != ("additionalProperties", True)
    }
    if "const" in finished:
        finished.pop("enum", None)  # pydantic before 2.10 repeats the word there
    match finished.get("anyOf"):
        case [{"type": str(kind), **rest}, {"type": "null"}] if "enum" not in rest:
            del finished["anyOf"]
            return {"type": [kind, "null"], **rest, **finished}
    return finished


if __name__ == "__main__":
    for name in NAMES:
        path = Path(__file__).parent / "json" / f"{name}.schema.json"
        path.write_text(text(name), encoding="utf-8")
        print(path)
