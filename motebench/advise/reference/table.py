"""The files of reference results: one table per target, with its provenance."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.metrics import METRICS
from motebench.base.model import FailureKind, Operation
from motebench.base.paths import catalog_dir

METRICS_KEPT = ("cycles", "stack", "state", "static_ram", "static_ram_net", "flash", "flash_net")
"""Whole numbers, in the unit of the metric."""
_KEY = ("scheme", "implementation", "operation", "input_bytes")
_COLUMNS = (*_KEY, *METRICS_KEPT, "failure", "message")

_OPERATIONS = frozenset(operation.value for operation in Operation) | {""}
_FAILURES = frozenset(kind.value for kind in FailureKind)

Key = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One case on one target: its metrics, or the failure. ``operation`` is empty if the whole scheme failed."""

    scheme: str
    implementation: str
    operation: str
    input_bytes: int
    values: Mapping[str, int] = field(default_factory=dict)
    failure: str = ""
    message: str = ""

    @property
    def key(self) -> Key:
        """The case of the entry."""
        return self.scheme, self.implementation, self.operation, self.input_bytes


@dataclass(frozen=True, slots=True)
class Reference:
    """The results of one target. ``provenance`` names the compiler, the firmware's flags and the version of
    motebench."""

    target: str
    provenance: Mapping[str, str]
    entries: Mapping[Key, Entry]


def folder() -> Path:
    """The folder of the files."""
    return catalog_dir() / "reference"


def file_of(target: str) -> Path:
    """The table of a target; a JSON file next to it has its provenance."""
    return folder() / f"{target.removeprefix('sim:')}.csv"


@cache
def references() -> Mapping[str, Reference]:
    """Every table by target. InputError with file and line if one is damaged."""
    found = (read(path) for path in sorted(folder().glob("*.csv")))
    return MappingProxyType({reference.target: reference for reference in found})


def read(path: Path) -> Reference:
    """One table with its provenance. InputError with file and line."""
    beside = path.with_suffix(".json")
    try:
        provenance = json.loads(beside.read_text(encoding="utf-8"))
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=str(beside)) from None
    if not isinstance(provenance, dict) or not all(isinstance(value, str) for value in provenance.values()):
        raise InputError("provenance is not a table of texts", where=str(beside))
    if "target" not in provenance:
        raise InputError("provenance names no target", where=str(beside))
    lines = csv.reader(io.StringIO(text))
    if tuple(next(lines, ())) != _COLUMNS:
        raise InputError("the columns are not those of reference results", where=f"{path}:1", valid=",".join(_COLUMNS))
    entries: dict[Key, Entry] = {}
    for row in lines:
        entry = _entry(row, f"{path}:{lines.line_num}")
        if entry.key in entries:
            raise InputError("this case appears twice", where=f"{path}:{lines.line_num}")
        entries[entry.key] = entry
    return Reference(provenance["target"], MappingProxyType(provenance), MappingProxyType(entries))


def _entry(row: list[str], where: str) -> Entry:
    if len(row) != len(_COLUMNS):
        raise InputError(f"the row has {len(row)} columns", where=where, valid=f"{len(_COLUMNS)} columns")
    cells = dict(zip(_COLUMNS, row, strict=True))
    if cells["operation"] not in _OPERATIONS:
        raise InputError(f"unknown operation {cells['operation']!r}", where=where, valid=", ".join(sorted(_OPERATIONS)))
    if cells["failure"] and cells["failure"] not in _FAILURES:
        raise InputError(f"unknown failure kind {cells['failure']!r}", where=where)
    try:
        values = {name: int(cells[name]) for name in METRICS_KEPT if cells[name]}
        size = int(cells["input_bytes"])
    except ValueError:
        raise InputError("a cell is not a number", where=where, valid="whole numbers") from None
    if size < 0 or any(value < 0 for value in values.values()):
        raise InputError("a number is negative", where=where)
    if bool(values) == bool(cells["failure"]):
        raise InputError("the row has both results and a failure, or neither", where=where)
    names = (cells["scheme"], cells["implementation"], cells["operation"])
    return Entry(*names, size, MappingProxyType(values), cells["failure"], cells["message"])


def write(target: str, provenance: Mapping[str, str], entries: Iterable[Entry]) -> Path:
    """Replace the table of a target. Returns its file."""
    path = file_of(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for entry in sorted(entries, key=lambda item: item.key):
        values = [entry.values.get(name, "") for name in METRICS_KEPT]
        table.writerow([*entry.key, *values, entry.failure, entry.message])
    for file, text in ((path, out.getvalue()), (path.with_suffix(".json"), _json({"target": target, **provenance}))):
        part = file.with_name(f".{file.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(file)
    references.cache_clear()
    return path


def _json(provenance: Mapping[str, str]) -> str:
    return json.dumps(dict(sorted(provenance.items())), indent=2, ensure_ascii=False) + "\n"


def units() -> dict[str, str]:
    """The unit of each stored metric."""
    return {name: METRICS[name].unit for name in METRICS_KEPT}
