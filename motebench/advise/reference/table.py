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
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from motebench.base.errors import InputError
from motebench.base.model import FailureKind, Operation
from motebench.base.naming import EMULATED, SIMULATED
from motebench.base.paths import catalog_dir
from motebench.base.units import METRICS
from motebench.catalog.devices import Device, devices
from motebench.documents.known import FlowResult

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


# Flow of secrets

FLOWS = "secret-flow"
"""Folder of the results of following secrets, in that of the reference results."""
_CLEAN = "no secret reaches time on this path"
_VERSION = re.compile(r"\d+\.\d+\.\d+")


_FLOW_COLUMNS = tuple(item.name for item in fields(FlowResult))
_FLOW_NUMBERS = frozenset(item.name for item in fields(FlowResult) if item.type == "Count")


def flow_key(result: FlowResult) -> Key:
    """The case of a result."""
    return result.scheme, result.implementation, result.operation, result.input_bytes


def flow_file(target: str) -> Path:
    """The table of the flow of secrets on a target."""
    return folder() / FLOWS / f"{target.removeprefix(SIMULATED)}.csv"


def followed_targets() -> list[str]:
    """Targets on which secrets were followed."""
    return list(_followed(folder()))


class _Flows(Mapping[tuple[str, str], tuple[FlowResult, ...]]):
    """Results by scheme and implementation, each parsed on use: a question needs a few of them."""

    def __init__(self, path: Path, rows: Mapping[tuple[str, str], Sequence[list[str]]]) -> None:
        self._path, self._rows = path, rows

    def __getitem__(self, key: tuple[str, str]) -> tuple[FlowResult, ...]:
        where = f"{self._path}: {' '.join(key)}"
        results = tuple(_flow_result(row, where) for row in self._rows[key])
        if len({flow_key(result) for result in results}) < len(results):
            raise InputError("a case appears twice", where=where)
        return results

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def flows(target: str) -> Mapping[tuple[str, str], tuple[FlowResult, ...]]:
    """Results of following secrets on a target, by scheme and implementation; empty where none were
    followed. InputError for a damaged table, or on use of a damaged row.
    """
    return _flows(flow_file(target))


@cache
def _flows(path: Path) -> Mapping[tuple[str, str], tuple[FlowResult, ...]]:
    try:
        lines = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return MappingProxyType({})
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from None
    if tuple(next(lines, ())) != _FLOW_COLUMNS:
        raise InputError(
            "the columns are not those of a flow of secrets",
            where=f"{path}:1",
            valid=",".join(_FLOW_COLUMNS),
        )
    rows: dict[tuple[str, str], list[list[str]]] = {}
    for row in lines:
        if len(row) != len(_FLOW_COLUMNS):
            raise InputError(
                f"the row has {len(row)} columns",
                where=f"{path}:{lines.line_num}",
                valid=f"{len(_FLOW_COLUMNS)} columns",
            )
        rows.setdefault((row[0], row[1]), []).append(row)
    return _Flows(path, rows)


def _flow_result(row: Sequence[str], where: str) -> FlowResult:
    cells = dict(zip(_FLOW_COLUMNS, row, strict=True))
    if any(not cells[name].isdecimal() for name in _FLOW_NUMBERS):
        raise InputError("a cell is not a number", where=where, valid="whole numbers")
    if cells["operation"] not in _OPERATIONS:
        raise InputError(f"unknown operation {cells['operation']!r}", where=where)
    numbers: dict[str, Any] = {name: int(cells[name]) for name in _FLOW_NUMBERS}
    result = FlowResult(**(cells | numbers))
    if bool(result.failure) == bool(result.inputs) or result.errors < result.addresses:
        raise InputError("the row contradicts itself", where=where)
    return result


def write_flows(target: str, results: Iterable[FlowResult]) -> Path:
    """Replace the table of the flow of secrets on a target. Returns its file."""
    path = flow_file(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_FLOW_COLUMNS)
    for result in sorted(results, key=flow_key):
        table.writerow(asdict(result).values())
    part = path.with_name(f".{path.name}.part")
    part.write_text(text.getvalue(), encoding="utf-8")
    part.replace(path)
    _flows.cache_clear()
    _followed.cache_clear()
    return path


@dataclass(frozen=True, slots=True)
class ShownFlow:
    """Verdict on the secrets of a scheme of an implementation, and the board that showed it."""

    reaches: bool
    words: str


def shown_flow(device: Device, scheme: str, implementation: str) -> ShownFlow | None:
    """Verdict for a device: of its own board, or of another with its core. None if secrets were not
    followed through all operations, or if the verdict rests on addresses in another board's memory.
    """
    key = (scheme, implementation)
    for target in _boards_of(device):
        results = flows(target).get(key)
        if results is None:
            continue
        own = target == f"{SIMULATED}{device.id}"
        if own or not any(result.notes or result.addresses for result in results):
            return flow_verdict(target, results)
    return None


def _boards_of(device: Device) -> list[str]:
    """Boards with the core of a device on which secrets were followed, its own first."""
    own = f"{SIMULATED}{device.id}"
    same = [name for name, core in _followed(folder()).items() if core == _core_of(device)]
    return sorted(same, key=lambda name: name != own)


@cache
def _followed(place: Path) -> Mapping[str, tuple[str, str | None]]:
    """Cores by target of the results in a folder."""
    names = [path.stem for path in sorted((place / FLOWS).glob("*.csv"))]
    boards = devices()
    return {f"{SIMULATED}{name}": _core_of(boards[name]) for name in names if name in boards}


def _core_of(device: Device) -> tuple[str, str | None]:
    return device.architecture, device.core


def flow_verdict(target: str, results: Sequence[FlowResult]) -> ShownFlow | None:
    """Verdict of all operations; None if one was not followed, and no other has an error."""
    wrong = next((result for result in results if result.errors), None)
    if wrong is None and any(result.failure for result in results):
        return None
    place = f"{target}, {_built(wrong or results[0])}"
    if wrong is None:
        return ShownFlow(reaches=False, words=f"{_CLEAN} ({place})")
    return ShownFlow(reaches=True, words=f"a secret reaches time: {wrong.first} ({place})")


def flows_of_implementation(implementation: str) -> dict[str, str]:
    """Words on the secrets of an implementation, by target."""
    texts: dict[str, str] = {}
    for target in followed_targets():
        every = flows(target)
        results = {key[0]: every[key] for key in every if key[1] == implementation}
        if results:
            texts[target] = _together(results)
    return texts


def flows_of_scheme(scheme: str) -> dict[str, str]:
    """Words on the secrets of a scheme, by implementation."""
    by_code: dict[str, dict[str, tuple[FlowResult, ...]]] = {}
    for target in followed_targets():
        every = flows(target)
        for key in (key for key in every if key[0] == scheme):
            by_code.setdefault(key[1], {})[target] = every[key]
    return {name: _together(results) for name, results in sorted(by_code.items())}


def flows_of_target(target: str, codes: Iterable[tuple[str, str]]) -> str:
    """Words on the secrets of schemes and implementations on a target, by implementation; empty if
    none were followed.
    """
    every = flows(target)
    by_code: dict[str, tuple[FlowResult, ...]] = {}
    for key in dict.fromkeys(codes):
        if key in every:
            by_code[key[1]] = (*by_code.get(key[1], ()), *every[key])
    return _together(by_code)


def _together(by_subject: Mapping[str, Sequence[FlowResult]]) -> str:
    """Subjects with results that have the same words, then these words."""
    subjects: dict[str, list[str]] = {}
    for subject, results in by_subject.items():
        wrong = next((result for result in results if result.errors), None)
        failure = next((result.failure for result in results if result.failure), "")
        if wrong is not None:
            text = f"a secret reaches time: {wrong.first}"
        else:
            text = f"not followed: {failure}" if failure else _CLEAN
        subjects.setdefault(f"{text} ({_built(wrong or results[0])})", []).append(subject)
    return "; ".join(f"{', '.join(names)}: {text}" for text, names in subjects.items())


def _built(result: FlowResult) -> str:
    """Compiler and level."""
    name, _, version = result.compiler.partition(")")
    number = _VERSION.search(version) or _VERSION.search(name)
    compiler = "Clang" if "clang" in name.casefold() else "GCC"
    return f"{compiler} {number[0] if number else ''}, {result.flags.split(',')[0]}"
