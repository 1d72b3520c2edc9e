"""The terminal table: results in plain units, grouped by operation and input size, failures below.

On a terminal it has colour (unless ``NO_COLOR`` is set). Every table fits into 80 columns as long
as names are of the usual length; longer names are folded, never cut.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING

import click

from motebench.base.errors import printable
from motebench.base.identity import CaseId
from motebench.base.model import CLOCK, Evidence, Failure
from motebench.base.naming import SERIAL
from motebench.base.units import metric_words
from motebench.catalog.proof import marked, unproven_words
from motebench.cli.text.layout import (
    TextColumn,
    coloured,
    painted,
    table_lines,
    table_width,
    width_of,
)
from motebench.cli.text.line_tables import board_lines, placement_lines, scaling_table

if TYPE_CHECKING:
    from motebench.documents.result import Result
    from motebench.results.presentation.rows import Row
    from motebench.results.selection import ChosenCases, Costs, ResultFilter

_MAIN = ("time", "instructions", "throughput")
_EXTRA = (
    "energy",
    "energy_net",
    "energy_per_byte",
    "power",
    "cycles",
    "hash_share",
    "ticks",
    "cpu_load",
    "peak_rss_net",
    "flash_net",
    "static_ram_net",
    "stack",
)
"""Additional columns as far as the width allows, most important first."""
_EXTRA_ON_FILES = ("cpu_load", "peak_rss")
_DETAILS = (
    "cycles",
    "input_cycles",
    "hash_share",
    "ticks",
    "cpu_time",
    "user_time",
    "system_time",
    "cpu_load",
    "process_load",
    "peak_rss",
    "peak_rss_net",
    "allocated",
    "heap",
    "heap_total",
    "flash",
    "flash_net",
    "static_ram",
    "static_ram_net",
    "code_text",
    "code_data",
    "code_bss",
    "code_total",
    "state",
    "stack",
    "energy",
    "energy_per_byte",
    "power",
    "energy_net",
    "energy_net_per_byte",
    "power_net",
    "current",
)
"""Columns with details, in as many tables as the width needs."""
_ARROWS = {"lower": " ↓", "higher": " ↑", "neither": ""}
_PIPED_WIDTH = 160
_KEY_SIZES = 8
"""Schemes whose sizes of keys are printed below the tables."""

Cases = Sequence[tuple[tuple[str, str], Mapping[str, "Row"]]]
Key = tuple[CaseId, str]


@dataclass(frozen=True, slots=True)
class RatioNote:
    """The metric of a column of ratios, whether they are to the best of the ``whole`` table,
    whether it leaves out disturbed lines (``without``), and whether it has the ``marks`` = and
    ?."""

    metric: str
    whole: bool
    without: bool
    marks: bool


@dataclass(frozen=True, slots=True)
class TableColumn(TextColumn):
    """Column of results. ``best``, ``lost``: places of the best lines, and of the disturbed ones.
    ``ratio``: of a column of ratios, for the line below the tables.
    """

    right: bool = True
    best: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    optional: bool = False
    ratio: RatioNote | None = None

    def shown(self, *, colour: bool) -> TextColumn:
        """Column as printed."""
        cells = [
            painted(text, style) if colour and (style := self._style(place)) else text
            for place, text in enumerate(map(printable, self.cells))
        ]
        return TextColumn(self.head, cells, self.right)

    def _style(self, place: int) -> str:
        return "good" if place in self.best else "lost" if place in self.lost else ""


@dataclass(frozen=True, slots=True)
class _ResultPage:
    """Stream that a result is printed to, with its columns; ``colour``: whether it takes colour."""

    out: IO[str]
    width: int
    colour: bool

    def say(self, text: str = "", style: str = "") -> None:
        """Print a line, which the terminal folds."""
        # Control characters in names or messages must not reach the terminal.
        line = printable(text)
        click.echo(painted(line, style) if style and self.colour else line, self.out)

    def show(self, columns: Sequence[TableColumn]) -> None:
        """Print a table."""
        shown = [column.shown(colour=self.colour) for column in columns]
        for line in table_lines(shown, self.width, bold=self.colour):
            click.echo(line, self.out)


def detailed(cases: Cases, width: int) -> list[list[TableColumn]]:
    """The details as tables that fit into the width."""
    tables: list[list[TableColumn]] = []
    for column in (_metric(cases, name) for name in _DETAILS if _has(cases, name)):
        if not tables or table_width([*tables[-1], column]) > width:
            tables.append(_names(cases))
        tables[-1].append(column)
    return tables


def floor_key(row: Row) -> Key:
    """Properties that a case shares with the same operation on an empty file."""
    return row.without("input_bytes", "file"), row.evidence


def copy_key(row: Row) -> Key:
    """Properties that a case shares with the plain copy of its file."""
    return row.without("scheme", "implementation", "operation"), row.evidence


def _floor_columns(cases: Cases, floors: Mapping[Key, Row]) -> list[TableColumn]:
    """The cost of the process itself and the cost of the disk, if they were measured."""
    times = [line.get("time") for _, line in cases]
    out = []
    for head, key in (("floor ↓", floor_key), ("copy ↓", copy_key)):
        floor_rows = [
            floors.get(key(row)) if row and not (row.is_floor or row.is_copy) else None
            for row in times
        ]
        if any(floor_rows):
            cells = tuple(row.text if row else "n/a" for row in floor_rows)
            out.append(TableColumn(head, cells, optional=head.startswith("copy")))
    return out


def _ratio_column(cases: Cases, name: str | None, *, whole: bool) -> list[TableColumn]:
    """Ratios of the lines to the best of their scheme; of the ``whole`` table where it was sorted,
    or where each scheme has one line. Empty where there is one line to compare, or the metric has
    no ratio."""
    if name is None:
        return []
    from motebench.results.presentation.leads import beside_best

    whole = whole or len({scheme for (scheme, _), _ in cases}) == len(cases)
    groups: dict[str, dict[int, Row]] = {}
    for place, ((scheme, _), line) in enumerate(cases):
        row = line.get(name)
        if row is not None and row.quotable and row.median > 0 and not row.is_copy:
            groups.setdefault("" if whole else scheme, {})[place] = row
    ratios: dict[int, str] = {}
    for rows in groups.values():
        ratios |= zip(rows, beside_best(list(rows.values())), strict=False)
    if not ratios:
        return []
    cells = tuple(ratios.get(place, "n/a") for place in range(len(cases)))
    without = bool(_lost([line.get(name) for _, line in cases]))
    return [
        TableColumn(
            "x best", cells, ratio=RatioNote(name, whole, without, bool({"=", "?"} & {*cells}))
        )
    ]


def _ratio_words(notes: Collection[RatioNote]) -> str:
    """References of the ratios of all tables, each once."""
    from motebench.results.presentation.leads import BESIDE_BEST, WITHOUT_DISTURBED

    texts = []
    for name in dict.fromkeys(note.metric for note in notes):
        whole = {note.whole for note in notes if note.metric == name}
        subject = "of the table" if whole == {True} else "implementation of the scheme"
        also = (
            ", or of the table where it is sorted or each scheme has one line"
            if len(whole) == 2
            else ""
        )
        texts.append(f"{metric_words(name)} against the best {subject}{also}")
    without = {note.without for note in notes}
    if True in without:
        texts.append(f"{'where one is disturbed, ' if False in without else ''}{WITHOUT_DISTURBED}")
    return "; ".join([*texts, *([BESIDE_BEST] if any(note.marks for note in notes) else [])])


def _has(cases: Cases, name: str) -> bool:
    return any(name in line for _, line in cases)


def _names(cases: Cases) -> list[TableColumn]:
    return [
        TableColumn("scheme", tuple(scheme for (scheme, _), _ in cases), right=False),
        TableColumn("by", tuple(implementation for (_, implementation), _ in cases), right=False),
    ]


def _metric(cases: Cases, name: str, *, optional: bool = False) -> TableColumn:
    metric_rows = [line.get(name) for _, line in cases]
    better = next((row.better for row in metric_rows if row), "neither")
    return TableColumn(
        metric_words(name) + _ARROWS.get(better, ""),
        tuple(row.text if row else "n/a" for row in metric_rows),
        best=_leaders(metric_rows) if better != "neither" else frozenset(),
        lost=_lost(metric_rows),
        optional=optional,
    )


def _leaders(line: Sequence[Row | None]) -> frozenset[int]:
    """Indices of the best median and of all that are not distinguishable from it; none if nothing
    is distinguishable, or a disturbed one may be better."""
    from motebench.results.presentation.leads import differ

    rows = [(place, row) for place, row in enumerate(line) if row is not None and row.quotable]
    if len(rows) < 2 or _lost(line):
        return frozenset()
    _, best = min(
        rows, key=lambda item: -item[1].median if item[1].better == "higher" else item[1].median
    )
    leaders = frozenset(place for place, row in rows if not differ(best, row))
    return leaders if len(leaders) < len(rows) else frozenset()


def _lost(rows: Sequence[Row | None]) -> frozenset[int]:
    """Indices of values that must not be quoted."""
    return frozenset(
        place for place, row in enumerate(rows) if row is not None and not row.quotable
    )


def main_columns(
    cases: Cases, width: int, floors: Mapping[Key, Row], chosen: ChosenCases
) -> list[TableColumn]:
    """Columns that fit into the width, or those of the chosen metrics. ``chosen.sort``: a metric
    that the lines have.
    """
    count = TableColumn("n", tuple(_count(line, chosen.metrics or _MAIN) for _, line in cases))
    if chosen.metrics:
        return [*_names(cases), *_leading_columns(cases, chosen.metrics, chosen.sort), count]
    columns = [
        *_names(cases),
        *_leading_columns(cases, _MAIN, chosen.sort),
        *_floor_columns(cases, floors),
        *_extra_columns(cases, chosen.sort),
        count,
    ]
    while table_width(columns) > width:
        optional = [column for column in columns if column.optional]
        if not optional:
            break
        columns.remove(optional[-1])
    return columns


def _counts(cases: Cases) -> bool:
    """True if a board counts its cycles, which then say more than its throughput."""
    rows = [line["cycles"] for _, line in cases if "cycles" in line]
    return any(row.evidence == Evidence.SIMULATED or row.target.startswith(SERIAL) for row in rows)


def _leading_columns(cases: Cases, names: Sequence[str], sort: str | None) -> list[TableColumn]:
    """Columns of these metrics; the spread and the ratios of the first of them, or the ratios of
    the metric that orders the lines.
    """
    columns: list[TableColumn] = []
    present = [name for name in names if _has(cases, name)]
    counts = names is _MAIN and _counts(cases)
    for name in present:
        columns.append(_metric(cases, name, optional=counts and name == "throughput"))
        if name == present[0]:
            columns.append(_spread_column([line.get(name) for _, line in cases]))
            columns += _ratio_column(cases, sort or name, whole=sort is not None)
    return columns if present else _ratio_column(cases, sort, whole=True)


def _spread_column(rows: Sequence[Row | None]) -> TableColumn:
    """Half the widths of intervals; of code at several places, the range over them; of a group, the
    spread of runs.
    """
    if any(row is not None and row.run_spread is not None for row in rows):
        return TableColumn("spread of runs", tuple(map(_apart, rows)))
    texts = (row.ends or row.spread if row is not None else "" for row in rows)
    cells = tuple(text.removeprefix("±").replace("no interval", "none") for text in texts)
    present = [row for row in rows if row is not None]
    counts = {row.places for row in present if row.ends}
    if not counts:
        return TableColumn("±", cells)
    places = f"over {max(counts)} places"
    return TableColumn(places if all(row.ends for row in present) else f"± or {places}", cells)


def _apart(row: Row | None) -> str:
    """Spread between the runs of a group."""
    from motebench.results.presentation.rows import share_words

    return "n/a" if row is None or row.run_spread is None else share_words(row.run_spread)


def _extra_columns(cases: Cases, sort: str | None) -> list[TableColumn]:
    """Columns of processor time beside disturbed times, of the metric that orders the lines, and of
    metrics that a narrow table leaves out.
    """
    rows = [row for _, line in cases for row in line.values()]
    extra = sorted(
        _EXTRA_ON_FILES if any(row.on_file for row in rows) else _EXTRA,
        key=lambda name: name != sort,
    )
    always = _always(cases, rows)
    extra = [name for name in extra if name not in always]
    if sort is not None and sort not in (*_MAIN, *extra, *always):
        always.append(sort)
    columns = [_metric(cases, name) for name in always if _has(cases, name)]
    return columns + [
        _metric(cases, name, optional=name != sort) for name in extra if _has(cases, name)
    ]


def _always(cases: Cases, rows: Sequence[Row]) -> list[str]:
    """The metrics that a narrow table keeps."""
    lost = ["cpu_time"] if any(not row.quotable for row in rows) else []
    return [*lost, "cycles"] if _counts(cases) else lost


def _count(line: Mapping[str, Row], names: Sequence[str]) -> str:
    row = next((line[name] for name in names if name in line), None) or next(iter(line.values()))
    return f"{row.n} (+{row.outliers})" if row.outliers else str(row.n)


def print_table(
    result: Result,
    file: IO[str] | None = None,
    *,
    width: int | None = None,
    details: bool = False,
    selection: ResultFilter | None = None,
) -> None:
    """Print the result of a run to ``file``, standard output if None.

    ``width`` in columns overrides that of the terminal. With ``details`` a second table per group
    has processor time and memory. ``selection``: the cases and metrics that are shown, and their
    order. InputError for a name that fits nothing.
    """
    out = file or sys.stdout
    _print(
        _ResultPage(out, width or width_of(out) or _PIPED_WIDTH, coloured(out)),
        result,
        details,
        selection,
    )


def _print(
    page: _ResultPage, result: Result, details: bool, selection: ResultFilter | None
) -> None:
    from motebench.results.presentation.beside import footnote
    from motebench.results.presentation.rows import rows_of, run_notes, run_words
    from motebench.results.selection import EVERY_CASE, costs_of, no_curves, selected

    chosen = no_curves(selection.of(result), "--metric") if selection else EVERY_CASE
    # Verdicts are those of the whole run, whatever of it is shown.
    whole = rows_of(result)
    every = [row for row in whole if chosen.keeps(row)]
    # A warm-up is a development in order, which the report draws; no single number represents it.
    rows = [row for row in every if not row.is_curve and chosen.keeps_metric(row.metric)]
    result = selected(result, chosen)
    run = result.run
    page.say(f"{run.study or run.name}: {run_words(run)}, {run.status}")
    costs = None if chosen.sort is None else costs_of(whole, chosen.sort)
    ratios = _results(page, rows, details, chosen, costs)
    _side_tables(page, result, rows, details)
    _explain(page, rows, ratios)
    if warmed := footnote(every):
        page.say(warmed)
    _notes(page, run_notes(run))
    _failures(page, result.failures, {row.target for row in rows})


def _explain(page: _ResultPage, rows: Sequence[Row], ratios: str) -> None:
    """Print the facts that a reader of tables must know: signs, reservations, sizes of keys,
    assumptions."""
    for line in _legend(rows, ratios, coloured=page.colour):
        page.say(line)
    for line, style in _reservations(rows):
        page.say(line, style)
    for line in (*_key_sizes(rows), *(f"modelled: {note}" for note in _assumed(rows))):
        page.say(line)


def _notes(page: _ResultPage, notes: Sequence[str]) -> None:
    """Notes of a run that doubt its numbers."""
    for note in of_clock(notes):
        page.say(note, "doubt")
    for note in damage(notes):
        page.say(note, "bad")


def _side_tables(page: _ResultPage, result: Result, rows: Sequence[Row], details: bool) -> None:
    """Print tables of targets beside each other, with details places of code, numbers of cores."""
    from motebench.results.presentation.beside import CORES_HEADING, PLACES_HEADING

    for heading, *lines in board_lines(result, rows, page.width):
        page.say()
        page.say(heading, "title")
        for line in lines:
            page.say(line)
    if details and (lines := list(placement_lines(result, page.width))):
        page.say()
        page.say(PLACES_HEADING, "title")
        for line in lines:
            page.say(line)
    page.say()
    if lines := list(scaling_table(result, rows, page.width)):
        page.say(CORES_HEADING, "title")
        for line in lines:
            page.say(line)
        page.say(
            "On several cores, time is that of one operation of all cores together, not of one "
            "of them.",
        )


def _legend(rows: Sequence[Row], ratios: str, *, coloured: bool) -> Iterator[str]:
    """The meaning of marks, colours and columns that the tables have."""
    if rows:
        yield f"↓ lower is better, ↑ higher is better. {_figures(rows)}."
    else:
        yield "No case gave a number."
    yield from _of_boards(rows)
    if ratios:
        yield f"x best: {ratios}."
    if rows and coloured:
        yield "Green: the best median, and medians that are not distinguishable from it."
    if any(row.is_floor for row in rows):
        yield "floor: the time of the same process with an empty file."
    if any(row.is_copy for row in rows) and any(row.on_file and not row.is_copy for row in rows):
        yield (
            "copy: the time of a plain copy of the same file, read and written: what the disk "
            "takes."
        )
    if any(row.metric == "instructions" for row in rows):
        yield (
            "instructions: exact counts of an emulated processor. They are neither time nor cycles."
        )


def _figures(rows: Sequence[Row]) -> str:
    """Meaning of the figures and of the column beside them."""
    if any(row.run_spread is not None for row in rows):
        return "Medians of the medians of runs; spread of runs: the standard deviation of these"
    return "Medians; ± is half the width of the interval around them"


def _of_boards(rows: Sequence[Row]) -> Iterator[str]:
    """Ranges over places of the code, and boards whose cycles are not proven."""
    from motebench.results.presentation.rows import places_words

    if placed := places_words(rows):
        yield placed
    yield from unproven_words(dict.fromkeys(row.target for row in rows))


def _key_sizes(rows: Sequence[Row]) -> Iterator[str]:
    """Post-quantum category and sizes of each scheme with public keys, where there are few."""
    from motebench.results.presentation.schemes import sizes_of_schemes

    every = sizes_of_schemes(sorted({row.scheme for row in rows if row.public_key}))
    yield from (sizes.words for sizes in every[:_KEY_SIZES])
    if len(every) > _KEY_SIZES:
        yield (
            f"... {len(every) - _KEY_SIZES} more schemes: motebench describe scheme NAME has "
            "their sizes"
        )


def _reservations(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Disturbed, dependent and outlying samples, each sentence with a style."""
    from motebench.results.presentation.rows import LOWERED, again, disturbance

    if lost := [row for row in rows if not row.quotable]:
        cause = disturbance(lost)
        beside = "" if cause == LOWERED else "; its processor time is shown beside it"
        few = (
            f"{cause[0].upper()}{cause[1:]} in so many readings that too few undisturbed ones "
            f"are left{beside}."
        )
        yield f"~ (disturbed): no result, do not quote it. {few} {again(lost)}", "alarm"
    if left_out := sum(row.disturbed for row in rows if row.quotable and row.metric == "time"):
        yield f"{left_out} readings are left out because {disturbance(rows)}.", ""
    if dependent := sum(row.dependent for row in rows if row.metric == "time"):
        wider = f"In {dependent} cases samples depend on the previous ones: ± is wider for it"
        yield f"{wider}, and shows its confidence if that is less than 95 %.", ""
    yield from _moved(rows)
    if any(row.outliers for row in rows):
        yield "n (+k): k of the n samples are outliers; they are kept in every statistic.", ""


def _moved(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Sentences on a machine that changed its speed, and on inputs that change."""
    from motebench.results.presentation.rows import changing_words, machine_words

    if moved := machine_words([row for row in rows if row.metric == "time"]):
        yield moved, ""
    if changed := changing_words([row for row in rows if row.metric in ("time", "instructions")]):
        yield changed, "doubt"


def damage(notes: Iterable[str]) -> list[str]:
    """Notes of a run on parts that could not be read from the store."""
    return [note for note in notes if note.startswith("store: ")]


def tell_damage(run: str, notes: Iterable[str]) -> None:
    """Print on standard error which parts of a run could not be read, if the output itself has no
    place for it.
    """
    for note in damage(notes):
        click.echo(f"motebench: run {run}: {note}", err=True)


def of_clock(notes: Iterable[str]) -> list[str]:
    """The notes of a run on the clock of its machines."""
    return [note for note in notes if note.startswith(CLOCK) or f": {CLOCK}" in note]


def _assumed(rows: Sequence[Row]) -> list[str]:
    """Basis of modelled numbers beside their measurements; each once."""
    measured = {note for row in rows if row.evidence != Evidence.MODELLED for note in row.notes}
    modelled = (note for row in rows if row.evidence == Evidence.MODELLED for note in row.notes)
    return [note for note in dict.fromkeys(modelled) if note not in measured]


def _results(
    page: _ResultPage, rows: Sequence[Row], details: bool, chosen: ChosenCases, costs: Costs | None
) -> str:
    """Print the tables; return the reference of their ratios, empty without ratios. ``costs``: the
    metrics that order the lines.
    """
    named = len({row.target for row in rows}) > 1 or any(not row.proven for row in rows)
    floors = _floors(rows)
    ratios: dict[RatioNote, None] = {}
    for (case, evidence), members in _groups(rows, chosen.metrics).items():
        by = chosen.sort if any(row.metric == chosen.sort for row in members) else None
        cases, shown = _cases(members, costs), replace(chosen, sort=by)
        if not details and not _has_metrics(main_columns(cases, sys.maxsize, floors, shown)):
            continue
        page.say()
        page.say(
            _title(members[0], f"on {marked(case.target)}" if named else "", evidence),
            "title",
        )
        columns = main_columns(cases, page.width, floors, shown)
        ratios |= dict.fromkeys(column.ratio for column in columns if column.ratio is not None)
        page.show(columns)
        for columns in detailed(cases, page.width) if details else ():
            page.show(columns)
    return _ratio_words(ratios)


def _has_metrics(columns: Sequence[TableColumn]) -> bool:
    """True if a table has more than names and a count: that of a modelled current alone has not."""
    return len(columns) > len(_names(())) + 1


def _groups(rows: Sequence[Row], metrics: Collection[str]) -> dict[tuple[CaseId, str], list[Row]]:
    """Rows of each table. ``metrics``: the requested ones, if any."""
    measured = {(row.operation, row.target, row.evidence) for row in rows if not row.is_floor}
    groups: dict[tuple[CaseId, str], list[Row]] = {}
    for row in rows:
        if row.public_key and row.metric == "throughput" and not metrics:
            # bytes a second say little of an operation whose time hardly depends on its input
            continue
        if row.is_floor and (row.operation, row.target, row.evidence) in measured:
            continue  # shown beside the others
        groups.setdefault((row.without("scheme", "implementation"), row.evidence), []).append(row)
    return groups


def _floors(rows: Sequence[Row]) -> dict[Key, Row]:
    """Times of empty files and of plain copies, by the properties that they share with other
    cases.
    """
    times = [row for row in rows if row.metric == "time"]
    floors = {floor_key(row): row for row in times if row.is_floor}
    return floors | {copy_key(row): row for row in times if row.is_copy}


def _title(row: Row, target: str, evidence: str) -> str:
    """The title of the table that a row stands in."""
    from motebench.results.presentation.rows import operation_words, size_words

    operation, description = row.operation, operation_words(row.operation)
    sized = row.size or (row.takes_input and not row.on_file)
    parts = [
        operation
        if description in (operation, f"{operation} (long message)")
        else f"{operation} ({description})",
        size_words(row.size) if sized else "",
        row.beside_words,
        target,
        evidence,
    ]
    return ", ".join(part for part in parts if part)


def _cases(rows: Sequence[Row], costs: Costs | None) -> Cases:
    """Scheme and implementation with their metrics; implementations of one scheme next to each
    other, or the best first."""
    by_case: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        by_case.setdefault((row.scheme, row.implementation), {})[row.metric] = row
    named = sorted(by_case.items(), key=lambda item: item[0])
    return named if costs is None else sorted(named, key=lambda item: _cost(item[1], costs))


def _cost(line: Mapping[str, Row], costs: Costs) -> float:
    return costs.get(next(iter(line.values())).id, math.inf)


def _failures(page: _ResultPage, failures: Sequence[Failure], targets: Collection[str]) -> None:
    """Print the failures. ``targets``: of the cases that gave numbers."""
    if not failures:
        return
    named = {*targets, *(failure.target for failure in failures)} - {""}
    from motebench.results.presentation.rows import case_words

    page.say()
    page.say(f"{len(failures)} {'case' if len(failures) == 1 else 'cases'} failed", "alarm")
    for failure in failures:
        where = case_words(failure, target=len(named) > 1)
        page.say(f"  {failure.kind}: {where}: {failure.message}")
        if failure.vector:
            page.say(f"    known answer: {failure.vector}")
