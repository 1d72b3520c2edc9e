"""The terminal table: results in plain units, grouped by operation and input size, failures below.

On a terminal it is drawn with lines and colour (unless ``NO_COLOR`` is set), otherwise as plain aligned text. Every
table fits into 80 columns as long as names are of the usual length; longer names are folded, never cut.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from motebench.identity import CaseId
from motebench.model import Evidence
from motebench.texts import printable

if TYPE_CHECKING:
    from rich.console import Console

    from motebench.presentation.rows import Row

_MAIN = ("time", "throughput")
_EXTRA = (
    "energy", "energy_net", "energy_per_byte", "power", "cycles", "ticks", "cpu_load", "peak_rss_net", "flash", "stack",
)  # fmt: skip
"""Shown beside them as far as the width allows, the first soonest."""
_EXTRA_ON_FILES = ("cpu_load", "peak_rss")
_DETAILS = (
    "cycles", "ticks", "cpu_time", "user_time", "system_time", "cpu_load", "process_load",
    "peak_rss", "peak_rss_net", "allocated", "heap", "heap_total",
    "flash", "flash_net", "static_ram", "static_ram_net", "state", "stack",
    "energy", "energy_per_byte", "power", "energy_net", "energy_net_per_byte", "power_net", "current",
)  # fmt: skip
"""With details, in as many tables as the width asks for."""
_SHORT = {"cpu_load": "load", "allocated": "allocated ↓"}
_ARROWS = {"lower": " ↓", "higher": " ↑", "neither": ""}
_PIPED_WIDTH = 160
_GAP = 2

Cases = Sequence[tuple[tuple[str, str], Mapping[str, "Row"]]]
_Key = tuple[CaseId, str]


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    cells: tuple[str, ...]
    right: bool = True
    best: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    optional: bool = False

    @property
    def width(self) -> int:
        return max(map(len, (self.head, *self.cells)))


def print_table(
    document: Mapping[str, Any], file: IO[str] | None = None, *, width: int | None = None, details: bool = False
) -> None:
    """Print a result document (see ``schemas/result.schema.json``) to ``file``, standard output if None.

    ``width`` in columns overrides that of the terminal. With ``details`` a second table per group has processor time
    and memory.
    """
    from rich.console import Console

    out = file or sys.stdout
    terminal = bool(getattr(out, "isatty", lambda: False)())
    plain = None if terminal else io.StringIO()
    console = Console(
        file=plain or out,
        width=width or (None if terminal else _PIPED_WIDTH),
        highlight=False,
        markup=False,
        emoji=False,
    )
    _print(console, document, details)
    if plain is not None:
        # Padding is for the eye; a file does not want blanks at the ends of its lines.
        out.write("".join(f"{line.rstrip()}\n" for line in plain.getvalue().splitlines()))


def _print(console: Console, document: Mapping[str, Any], details: bool) -> None:
    from motebench.presentation.rows import rows_of
    from motebench.presentation.warmup import footnote

    # A warm-up is a development in order, for the report to draw; no single number stands for it.
    every = rows_of(document)
    rows = [row for row in every if not row.is_curve]
    run = document["run"]
    words = [f"run {run.get('id', '?')}", run.get("status")]
    _say(console, f"{run.get('study') or run.get('name') or 'run'}: {', '.join(str(word) for word in words if word)}")
    _results(console, rows, details)
    console.print()
    if rows:
        _say(
            console, "↓ lower is better, ↑ higher is better. Medians; ± is half the width of the interval around them."
        )
    else:
        _say(console, "No case gave a number.")
    if rows and console.is_terminal and not console.no_color:
        _say(console, "Green: the best median, and medians that are not distinguishable from it.")
    if any(row.is_floor for row in rows):
        _say(console, "floor: the time of the same process with an empty file.")
    if any(row.is_copy for row in rows) and any(row.on_file and not row.is_copy for row in rows):
        _say(console, "copy: the time of a plain copy of the same file, read and written: what the disk takes.")
    if any(not row.quotable for row in rows):
        _say(
            console,
            "~ (disturbed): no result, do not quote it. The process lost the processor in so many readings that "
            "too few undisturbed ones are left; its processor time is shown beside it. Run again on a quiet machine.",
            "bold red",
        )
    left_out = sum(row.disturbed for row in rows if row.quotable and row.metric == "time")
    if left_out:
        _say(console, f"{left_out} readings are left out because the process lost the processor.")
    if dependent := sum(row.dependent for row in rows if row.metric == "time"):
        said = f"In {dependent} cases samples depend on the previous ones: ± is wider for it"
        _say(console, f"{said}, and shows its confidence if that is less than 95 %.")
    if any(row.outliers for row in rows):
        _say(console, "n (+k): k of the n samples are outliers; they are kept in every statistic.")
    for note in _assumed(rows):
        _say(console, f"modelled: {note}")
    warmed = footnote(every)
    if warmed:
        _say(console, warmed)
    for note in damage(run.get("notes") or ()):
        _say(console, note, "red")
    failures = document.get("failures", ())
    targets = {row.target for row in rows} | {str(failure.get("target") or "") for failure in failures}
    _failures(console, failures, len(targets - {""}) > 1)


def damage(notes: Iterable[Any]) -> list[str]:
    """Those notes of a run that say what of the store could not be read."""
    return [str(note) for note in notes if str(note).startswith("store: ")]


def _assumed(rows: Sequence[Row]) -> list[str]:
    """What modelled numbers rest on, beyond what is noted of the measurements they are made from; each once."""
    measured = {note for row in rows if row.evidence != Evidence.MODELLED for note in row.notes}
    modelled = (note for row in rows if row.evidence == Evidence.MODELLED for note in row.notes)
    return [note for note in dict.fromkeys(modelled) if note not in measured]


def _say(console: Console, text: str, style: str = "") -> None:
    # Control characters in names or messages must not reach the terminal; long lines are the terminal's to fold.
    console.print(printable(text), style=style or None, soft_wrap=True)


def _results(console: Console, rows: Sequence[Row], details: bool) -> None:
    from motebench.presentation.rows import operation_words, size_words

    several_targets = len({row.target for row in rows}) > 1
    groups: dict[tuple[CaseId, str], list[Row]] = {}
    for row in rows:
        if row.public_key and row.metric == "throughput":
            continue  # bytes a second say little of an operation whose time hardly depends on its input
        groups.setdefault((row.without("scheme", "implementation"), row.evidence), []).append(row)
    floors: dict[_Key, Row] = {_floor_key(row): row for row in rows if row.is_floor and row.metric == "time"}
    floors |= {_copy_key(row): row for row in rows if row.is_copy and row.metric == "time"}
    beside = {(row.operation, row.target, row.evidence) for row in rows if not row.is_floor}
    for (case, evidence), members in groups.items():
        first = members[0]
        operation, size = first.operation, first.size
        if first.is_floor and (operation, case.target, evidence) in beside:
            continue  # shown beside the others
        words = operation_words(operation)
        parts = [
            operation if words in (operation, f"{operation} (long message)") else f"{operation} ({words})",
            size_words(size) if size or (first.takes_input and not first.on_file) else "",
            first.beside_words,
            f"on {case.target}" if several_targets else "",
            evidence,
        ]
        console.print()
        _say(console, ", ".join(part for part in parts if part), "bold")
        cases = _cases(members)
        _show(console, _main_columns(cases, console.width, floors))
        for columns in _detailed(cases, console.width) if details else ():
            _show(console, columns)


def _detailed(cases: Cases, width: int) -> list[list[_Column]]:
    """The details as tables that fit into the width."""
    tables: list[list[_Column]] = []
    for column in (_metric(cases, name) for name in _DETAILS if _has(cases, name)):
        if not tables or _width([*tables[-1], column]) > width:
            tables.append(_names(cases))
        tables[-1].append(column)
    return tables


def _width(columns: Sequence[_Column]) -> int:
    return sum(column.width + _GAP for column in columns) - _GAP


def _floor_key(row: Row) -> _Key:
    return row.without("input_bytes", "file"), row.evidence


def _copy_key(row: Row) -> _Key:
    return row.without("scheme", "implementation", "operation"), row.evidence


def _floor_columns(cases: Cases, floors: Mapping[_Key, Row]) -> list[_Column]:
    """What the process costs by itself and what the disk costs, where that was measured."""
    times = [line.get("time") for _, line in cases]
    out = []
    for head, key in (("floor ↓", _floor_key), ("copy ↓", _copy_key)):
        found = [floors.get(key(row)) if row and not (row.is_floor or row.is_copy) else None for row in times]
        if any(found):
            cells = tuple(row.text if row else "n/a" for row in found)
            out.append(_Column(head, cells, optional=head.startswith("copy")))
    return out


def _cases(rows: Sequence[Row]) -> Cases:
    """Scheme and implementation with their metrics; implementations of one scheme next to each other."""
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        found.setdefault((row.scheme, row.implementation), {})[row.metric] = row
    return sorted(found.items(), key=lambda item: item[0])


def _has(cases: Cases, name: str) -> bool:
    return any(name in line for _, line in cases)


def _names(cases: Cases) -> list[_Column]:
    return [
        _Column("scheme", tuple(scheme for (scheme, _), _ in cases), right=False),
        _Column("by", tuple(implementation for (_, implementation), _ in cases), right=False),
    ]


def _metric(cases: Cases, name: str, *, optional: bool = False) -> _Column:
    from motebench.presentation.rows import METRIC_WORDS

    found = [line.get(name) for _, line in cases]
    better = next((row.better for row in found if row), "neither")
    return _Column(
        _SHORT.get(name) or METRIC_WORDS.get(name, name) + _ARROWS.get(better, ""),
        tuple(row.text if row else "n/a" for row in found),
        best=_leaders(found) if better != "neither" else frozenset(),
        lost=_lost(found),
        optional=optional,
    )


def _leaders(found: Sequence[Row | None]) -> frozenset[int]:
    """Places of the best median and of all that cannot be told from it; none where nothing is told apart."""
    from motebench.presentation.pairing import differ

    rows = [(place, row) for place, row in enumerate(found) if row is not None and row.quotable]
    if len(rows) < 2:
        return frozenset()
    _, best = min(rows, key=lambda item: -item[1].median if item[1].better == "higher" else item[1].median)
    leaders = frozenset(place for place, row in rows if not differ(best, row))
    return leaders if len(leaders) < len(rows) else frozenset()


def _lost(found: Sequence[Row | None]) -> frozenset[int]:
    """Places of what nobody should quote."""
    return frozenset(place for place, row in enumerate(found) if row is not None and not row.quotable)


def _main_columns(cases: Cases, width: int, floors: Mapping[_Key, Row]) -> list[_Column]:
    columns = _names(cases)
    extra = _EXTRA_ON_FILES if any(row.on_file for _, line in cases for row in line.values()) else _EXTRA
    leading = next((name for name in _MAIN if _has(cases, name)), None)
    for name in _MAIN:
        if _has(cases, name):
            columns.append(_metric(cases, name))
        if name == leading:
            spreads = (line[name].spread if name in line else "" for _, line in cases)
            columns.append(
                _Column("±", tuple(text.removeprefix("±").replace("no interval", "none") for text in spreads))
            )
    columns += _floor_columns(cases, floors)
    if any(not row.quotable for _, line in cases for row in line.values()) and _has(cases, "cpu_time"):
        columns.append(_metric(cases, "cpu_time"))
    columns += [_metric(cases, name, optional=True) for name in extra if _has(cases, name)]
    columns.append(_Column("n", tuple(_count(line) for _, line in cases)))
    while _width(columns) > width:
        optional = [column for column in columns if column.optional]
        if not optional:
            break
        columns.remove(optional[-1])
    return columns


def _count(line: Mapping[str, Row]) -> str:
    row = line.get("time") or next(iter(line.values()))
    return f"{row.n} (+{row.outliers})" if row.outliers else str(row.n)


def _show(console: Console, columns: Sequence[_Column]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    lines = box.SIMPLE_HEAD if console.is_terminal else None
    table = Table(
        box=lines, show_edge=False, pad_edge=False, padding=(0, _GAP if lines is None else 1, 0, 0), header_style=""
    )
    for column in columns:
        table.add_column(
            column.head,
            justify="right" if column.right else "left",
            no_wrap=column.right,
            overflow="fold",
        )
    for place in range(len(columns[0].cells)):
        table.add_row(*(Text(printable(column.cells[place]), style=_style(column, place)) for column in columns))
    console.print(table)


def _style(column: _Column, place: int) -> str:
    return "bold green" if place in column.best else "dim red" if place in column.lost else ""


def _failures(console: Console, failures: Sequence[Mapping[str, Any]], several_targets: bool) -> None:
    if not failures:
        return
    from motebench.presentation.rows import case_words

    console.print()
    _say(console, f"{len(failures)} {'case' if len(failures) == 1 else 'cases'} failed", "bold red")
    for failure in failures:
        where = case_words(CaseId.of(failure), target=several_targets)
        _say(console, f"  {failure.get('kind', 'error')}: {where}: {failure.get('message', '')}")
        if failure.get("vector"):
            _say(console, f"    known answer: {failure['vector']}")
