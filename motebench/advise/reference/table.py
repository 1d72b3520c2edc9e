"""Files of reference results: a compressed table for each board, and its provenance with a
checksum.

``catalog/reference/BOARD.csv.gz`` has the cases. ``BOARD.json`` beside it has what a reader of a
change wants to see: target, compiler, flags, version of motebench, ``cases`` (their number),
``format`` (`FORMAT`) and ``sha256`` (of the table before it was compressed).
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.model import FailureKind, Operation
from motebench.base.naming import EMULATED, SIMULATED
from motebench.base.paths import catalog_dir
from motebench.base.units import METRICS

_OF_BOARDS = ("cycles", "stack", "state", "static_ram", "static_ram_net", "flash", "flash_net")
_OF_PROCESSORS = ("instructions",)
METRICS_KEPT = (*_OF_BOARDS, *_OF_PROCESSORS)
"""Metrics with whole numbers, in the unit of the metric: those of simulated boards, and of emulated
processors.
"""
FORMAT = 2
"""Version of the files: 1 was a table that was not compressed, without a checksum."""
_TABLE = ".csv.gz"
_MOST_BYTES = 64 << 20
"""The longest table that is read."""
_OF_FILE = ("cases", "format", "sha256")
"""Keys of the JSON file that say something of the table, not of its results."""
_KEY = ("scheme", "implementation", "operation", "input_bytes")

_OPERATIONS = frozenset(operation.value for operation in Operation) | {""}
_FAILURES = frozenset(kind.value for kind in FailureKind)

Key = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class ReferenceCase:
    """One case on one target: its metrics, or the failure. ``operation`` is empty if the whole
    scheme failed.
    """

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
    """The results of one target. ``provenance`` names the compiler, the firmware's flags and the
    version of motebench."""

    target: str
    provenance: Mapping[str, str]
    entries: Mapping[Key, ReferenceCase]


def folder() -> Path:
    """The folder of the files."""
    return catalog_dir() / "reference"


def file_of(target: str) -> Path:
    """The table of a target; a JSON file next to it has its provenance."""
    return folder() / name_of_table(target)


def name_of_table(target: str) -> str:
    """The name of that file in the folder."""
    return f"{target.removeprefix(SIMULATED).removeprefix(EMULATED)}{_TABLE}"


def _columns(target: str) -> tuple[str, ...]:
    """The columns of the table of a target."""
    metrics = _OF_PROCESSORS if target.startswith(EMULATED) else _OF_BOARDS
    return (*_KEY, *metrics, "failure", "message")


class _References(Mapping[str, Reference]):
    """Tables by target, each read on first use."""

    def __init__(self, targets: Mapping[str, Path]) -> None:
        self._targets = targets
        self._references: dict[str, Reference] = {}

    def __getitem__(self, target: str) -> Reference:
        if target not in self._references:
            self._references[target] = read(self._targets[target])
        return self._references[target]

    def __contains__(self, target: object) -> bool:
        return target in self._targets

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)


@cache
def references() -> Mapping[str, Reference]:
    """Tables by target. InputError with file and line for a damaged one, on its first use."""
    tables = sorted(folder().glob(f"*{_TABLE}"))
    return _References({_facts(table).target: table for table in tables})


def of_schemes(target: str, schemes: Sequence[str]) -> Reference:
    """The table of a target with the schemes of these patterns alone, which is quicker; without
    patterns, all of it.
    """
    return read(file_of(target), schemes) if schemes else references()[target]


def read(table: Path, schemes: Sequence[str] = ()) -> Reference:
    """One table with its provenance. InputError with file and line.

    ``schemes``: patterns of those that are read; empty: all. Of the others only the checksum of the
    table is checked.
    """
    is_asked = cache(
        lambda scheme: not schemes or any(fnmatchcase(scheme, pattern) for pattern in schemes)
    )
    facts = _facts(table)
    columns = _columns(facts.target)
    lines = csv.reader(io.StringIO(_text(table, facts)))
    if tuple(next(lines, ())) != columns:
        raise InputError(
            "the columns are not those of reference results",
            where=f"{table}:1",
            valid=",".join(columns),
        )
    entries: dict[Key, ReferenceCase] = {}
    for row in lines:
        if row and not is_asked(row[0]):
            continue
        entry = _entry(row, columns, lambda: f"{table}:{lines.line_num}")
        key = entry.key
        if key in entries:
            raise InputError("this case appears twice", where=f"{table}:{lines.line_num}")
        entries[key] = entry
    return Reference(facts.target, MappingProxyType(facts.provenance), MappingProxyType(entries))


@dataclass(frozen=True, slots=True)
class ReferenceOutcome:
    """Results of a scheme by an implementation: the number of cases, and the first failure of
    another.
    """

    cases: int = 0
    failure: str = ""
    message: str = ""


def outcomes(target: str) -> Mapping[tuple[str, str], ReferenceOutcome]:
    """Cases and failures of a target by scheme and implementation, without their metrics, which is
    quicker.
    """
    table = file_of(target)
    counted: dict[tuple[str, str], int] = {}
    failed: dict[tuple[str, str], tuple[str, str]] = {}
    for line in _text(table, _facts(table)).splitlines()[1:]:
        if line.endswith(",,"):  # neither a failure nor a message
            scheme, implementation, _ = line.split(",", 2)
            counted[scheme, implementation] = counted.get((scheme, implementation), 0) + 1
        else:
            *_, failure, message = row = next(csv.reader([line]))
            failed.setdefault((row[0], row[1]), (failure, message))
    return {
        key: ReferenceOutcome(counted.get(key, 0), *failed.get(key, ("", "")))
        for key in sorted({*counted, *failed})
    }


def _beside(table: Path) -> Path:
    return table.with_name(f"{table.name.removesuffix(_TABLE)}.json")


@dataclass(frozen=True, slots=True)
class _TableFacts:
    """JSON file beside a table. ``sha256``: as stated, of the table before it was compressed."""

    provenance: dict[str, str]
    sha256: object

    @property
    def target(self) -> str:
        """The target of the results."""
        return self.provenance["target"]


def _facts(table: Path) -> _TableFacts:
    """JSON file beside a table. InputError if it is malformed."""
    file = _beside(table)
    try:
        facts: object = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=str(file)) from None
    if not isinstance(facts, dict):
        raise InputError("provenance is not a table of texts", where=str(file))
    stated = {str(key): value for key, value in facts.items() if key not in _OF_FILE}
    provenance = {key: value for key, value in stated.items() if isinstance(value, str)}
    if len(provenance) < len(stated):
        raise InputError("provenance is not a table of texts", where=str(file))
    if "target" not in provenance:
        raise InputError("provenance names no target", where=str(file))
    if facts.get("format") != FORMAT:
        raise InputError(
            f"unknown format {facts.get('format')!r}",
            where=f"{file}: format",
            valid=str(FORMAT),
            hint="motebench reference update makes these files",
        )
    return _TableFacts(provenance, facts.get("sha256"))


def _text(table: Path, facts: _TableFacts) -> str:
    """Text of a table. InputError if its checksum does not match."""
    try:
        with gzip.open(table) as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be read: {error}", where=str(table)) from None
    if len(data) > _MOST_BYTES:
        raise InputError(
            "the table is too long", where=str(table), valid=f"at most {_MOST_BYTES >> 20} MiB"
        )
    if hashlib.sha256(data).hexdigest() != facts.sha256:
        raise InputError(
            "the table is not the one whose checksum is given",
            where=str(table),
            valid=f"sha256 of {_beside(table)}",
            hint="take both files from one version of motebench, or make them: motebench "
            "reference update",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"cannot be read: {error}", where=str(table)) from None


def _entry(row: list[str], columns: Sequence[str], where: Callable[[], str]) -> ReferenceCase:
    if len(row) != len(columns):
        raise InputError(
            f"the row has {len(row)} columns", where=where(), valid=f"{len(columns)} columns"
        )
    scheme, implementation, operation, length, *cells, failure, message = row
    if operation not in _OPERATIONS:
        raise InputError(
            f"unknown operation {operation!r}",
            where=where(),
            valid=", ".join(sorted(_OPERATIONS)),
        )
    if failure and failure not in _FAILURES:
        raise InputError(f"unknown failure kind {failure!r}", where=where())
    names = columns[len(_KEY) : -2]
    try:
        values = {name: int(cell) for name, cell in zip(names, cells, strict=True) if cell}
        size = int(length)
    except ValueError:
        raise InputError("a cell is not a number", where=where(), valid="whole numbers") from None
    if size < 0 or min(values.values(), default=0) < 0:
        raise InputError("a number is negative", where=where())
    if bool(values) == bool(failure):
        raise InputError("the row has both results and a failure, or neither", where=where())
    return ReferenceCase(
        scheme, implementation, operation, size, MappingProxyType(values), failure, message
    )


def write(target: str, provenance: Mapping[str, str], entries: Iterable[ReferenceCase]) -> Path:
    """Replace the table of a target. Returns its file. Equal results give equal bytes."""
    path = file_of(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    columns = _columns(target)
    table.writerow(columns)
    cases = sorted(entries, key=lambda item: item.key)
    for entry in cases:
        values = [entry.values.get(name, "") for name in columns if name in METRICS_KEPT]
        table.writerow([*entry.key, *values, entry.failure, entry.message])
    data = text.getvalue().encode("utf-8")
    facts = {
        **{key: value for key, value in provenance.items() if key not in _OF_FILE},
        "target": target,
        "format": FORMAT,
        "cases": len(cases),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    for file, content in (
        (path, gzip.compress(data, compresslevel=9, mtime=0)),
        (_beside(path), _json(facts).encode("utf-8")),
    ):
        part = file.with_name(f".{file.name}.part")
        part.write_bytes(content)
        part.replace(file)
    references.cache_clear()
    return path


def _json(facts: Mapping[str, object]) -> str:
    return json.dumps(dict(sorted(facts.items())), indent=2, ensure_ascii=False) + "\n"


def units() -> dict[str, str]:
    """The unit of each stored metric."""
    return {name: METRICS[name].unit for name in METRICS_KEPT}
