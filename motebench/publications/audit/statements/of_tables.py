"""Sentences about the numbers of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from motebench.base.errors import InputError
from motebench.catalog.published import Cell, Statistic, Table
from motebench.documents.audit import CellEntry, Certainty, Weight
from motebench.publications.audit.found import CellNames, CheckFindings, number, size_text, without
from motebench.publications.audit.statements.model import (
    AnnouncedStatement,
    LevelStatement,
    OrderStatement,
    PaperStatement,
    RatioStatement,
    Selection,
    SpreadStatement,
)


def selected(tables: Sequence[Table], selection: Selection) -> list[Cell]:
    """The cells that a selection means; only means, medians and single values unless it names a statistic."""
    return [cell for table in tables for cell in table.cells if _is(cell, selection)]


def _is(cell: Cell, selection: Selection) -> bool:
    if "statistic" not in selection and not cell.statistic.central:
        return False
    own = {"table": cell.table, "metric": cell.metric, "statistic": str(cell.statistic)}
    return all(
        own.get(name, cell.label(name)) in ((wanted,) if isinstance(wanted, str) else wanted)
        for name, wanted in selection.items()
    )


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _bounds(low: float | None, high: float | None) -> str:
    if low is None:
        return f"at most {number(high or 0)}"
    return f"at least {number(low)}" if high is None else f"{number(low)} to {number(high)}"


def _entry(tables: Sequence[Table], cell: Cell, computed: str) -> CellEntry:
    table = next(each for each in tables if each.name == cell.table)
    entry = CellNames(table).entry(cell, computed)
    return CellEntry(cell=f"{cell.table}: {entry.cell}", line=cell.line, printed=entry.printed, computed=computed)


def _add(found: CheckFindings, statement: PaperStatement, what: str, cells: Sequence[CellEntry] = ()) -> None:
    note = f"; {statement.note}" if statement.note else ""
    found.add(statement.matters, statement.sure, statement.where, f"{what}{note}", cells, quote=statement.quote)


def _some(cells: list[Cell], statement: PaperStatement) -> list[Cell]:
    if not cells:
        raise InputError(f"the statement {statement.quote!r} selects no cell", where=statement.where)
    return cells


def ratio(found: CheckFindings, tables: Sequence[Table], statement: RatioStatement) -> None:
    """Ratios of pairs of cells."""
    above = _some(selected(tables, statement.of), statement)
    names = {*statement.of, *statement.to} - {"metric", "statistic", "table"}
    below = {
        (without(cell, *names), cell.metric, cell.statistic): cell
        for cell in _some(selected(tables, statement.to), statement)
    }
    pairs = [
        (cell, other) for cell in above if (other := below.get((without(cell, *names), cell.metric, cell.statistic)))
    ]
    found.looks += len(pairs)
    ratios = [(float(a.number.value / b.number.value), a, b) for a, b in pairs if b.number.value]
    out = [each for each in ratios if not _within(each[0], statement.low, statement.high)]
    if out:
        values = sorted(each[0] for each in ratios)
        out.sort(key=lambda each: each[0])
        shown = out if len(out) <= 6 else [*out[:3], *out[-3:]]
        _add(
            found, statement,
            f"the sentence says {_bounds(statement.low, statement.high)}; the ratio is {number(values[0], 3)} to "
            f"{number(values[-1], 3)}, outside in {len(out)} of {len(ratios)} pairs",
            [_entry(tables, a, f"{number(value, 3)} x {b.number.text}") for value, a, b in shown],
        )  # fmt: skip


def spread(found: CheckFindings, tables: Sequence[Table], statement: SpreadStatement) -> None:
    """The largest difference over one label."""
    by_group: dict[object, list[Cell]] = {}
    for cell in _some(selected(tables, statement.cells), statement):
        by_group.setdefault((cell.table, cell.metric, without(cell, statement.over)), []).append(cell)
    positive = ([cell for cell in cells if cell.number.value > 0] for cells in by_group.values())
    several = [sorted(cells, key=lambda cell: cell.number.value) for cells in positive if len(cells) > 1]
    found.looks += len(several)
    differ = [(float(cells[-1].number.value / cells[0].number.value) - 1, cells[0], cells[-1]) for cells in several]
    differ.sort(key=lambda each: -each[0])
    if differ and not _within(differ[0][0], statement.low, statement.high):
        high = statement.high or 0
        above = sum(each[0] > high for each in differ)
        _add(
            found, statement,
            f"the sentence says {_bounds(statement.low, statement.high)}; the largest difference is "
            f"{differ[0][0]:.1%}, and {above} of {len(differ)} groups are above {high:.1%}",
            [_entry(tables, most, f"{value:+.1%} against {least.number.text}") for value, least, most in differ[:5]
             if value > high],
        )  # fmt: skip


def level(found: CheckFindings, tables: Sequence[Table], statement: LevelStatement) -> None:
    """Cells within bounds."""
    cells = _some(selected(tables, statement.cells), statement)
    found.looks += len(cells)
    out = [cell for cell in cells if not _within(float(cell.number), statement.low, statement.high)]
    if out:
        values = [float(cell.number) for cell in cells]
        _add(
            found, statement,
            f"the sentence says {_bounds(statement.low, statement.high)}; the cells are {number(min(values))} to "
            f"{number(max(values))}, outside in {len(out)} of {len(cells)}",
            [_entry(tables, cell, _bounds(statement.low, statement.high)) for cell in out[:6]],
        )  # fmt: skip


def order(found: CheckFindings, tables: Sequence[Table], statement: OrderStatement) -> None:
    """An order against the cells that it is about, if there are any."""
    cells = [
        cell for cell in selected(tables, {"metric": statement.metric, **statement.cells})
        if (not statement.device or cell.label("device") == statement.device)
    ]  # fmt: skip
    pairs = list(_pairs(cells, statement))
    found.looks += len(pairs)
    # Rounding alone cannot decide an order.
    wrong = [(less, than) for less, than in pairs if less.number.low > than.number.high]
    if wrong:
        wrong.sort(key=lambda pair: float(pair[1].number.value - pair[0].number.value))
        _add(
            found, statement,
            f"{len(wrong)} of {len(pairs)} pairs of cells have the opposite order",
            [_entry(tables, less, f"more than {than.number.text} of {than.label(statement.along)} "
                    f"{than.label('key_bits')} {than.label('operation')}".rstrip()) for less, than in wrong[:8]],
        )  # fmt: skip


_KINDS = {"sign": "encrypt", "verify": "decrypt"}


def _pairs(cells: list[Cell], statement: OrderStatement) -> Iterator[tuple[Cell, Cell]]:
    """Cells of the two sides at the same labels; of key sizes, each with each; signing stands beside encryption."""
    sides: dict[object, tuple[list[Cell], list[Cell]]] = {}
    for cell in cells:
        labels = dict(without(cell, statement.along, "key_bits", "mode", "operation"))
        operation = cell.label("operation")
        key = cell.table, tuple(sorted(labels.items())), _KINDS.get(operation, operation)
        side = 0 if cell.label(statement.along) in statement.less else 1
        if side == 0 or cell.label(statement.along) in statement.than:
            sides.setdefault(key, ([], []))[side].append(cell)
    for less, than in sides.values():
        yield from ((one, two) for one in less for two in than)


def announced(found: CheckFindings, tables: Sequence[Table], statement: AnnouncedStatement) -> None:
    """What was announced against the labels of the tables."""
    cells = _some(selected(tables, statement.cells), statement)
    have = list(dict.fromkeys(cell.label(statement.label) for cell in cells if cell.label(statement.label)))
    found.looks += len(statement.values)
    missing = [_spoken(value, statement) for value in statement.values if value not in have]
    extra = [value for value in have if value not in statement.values] if statement.all else []
    if missing:
        _add(found, statement, f"no number is reported for {', '.join(missing)} ({statement.label}); the tables have "
             f"{', '.join(_spoken(value, statement) for value in have)}")  # fmt: skip
    if extra:
        _add(found, statement, f"the tables also have {', '.join(extra)} ({statement.label})")


def _spoken(value: str, statement: AnnouncedStatement) -> str:
    return size_text(int(value)) if statement.label == "input_bytes" and value.isdigit() else value


def flat(tables: Sequence[Table]) -> CheckFindings:
    """Memory that is the same for every algorithm and size: it is not that of the algorithm."""
    from motebench.base import dimensions

    found = CheckFindings("same-information")
    for table in tables:
        by_metric: dict[str, list[Cell]] = {}
        for cell in table.cells:
            of = dimensions.unit(cell.unit_printed)
            if cell.statistic.central and of and of.dimension == dimensions.DATA and cell.number.value > 0:
                by_metric.setdefault(cell.metric, []).append(cell)
        for metric, cells in by_metric.items():
            algorithms = {cell.label("algorithm") for cell in cells}
            sizes = {cell.size for cell in cells if cell.size}
            if len(algorithms) < 4 or len(sizes) < 2:
                continue
            found.looks += len(cells)
            low, high = min(c.number.value for c in cells), max(c.number.value for c in cells)
            sds = [float(c.number) for c in table.cells if c.metric == metric and c.statistic is Statistic.SD]
            if high / low < 1.1 and sds:
                found.add(
                    Weight.MINOR, Certainty.LIKELY, table.name,
                    f"{metric} is {number(float(low))} to {number(float(high))} for {len(algorithms)} algorithms and "
                    f"{len(sizes)} sizes: a range of {float(high / low) - 1:.1%}, and single readings vary by "
                    f"{number(sorted(sds)[len(sds) // 2], 2)} (sd). It is the memory of the process, not of the cipher",
                )  # fmt: skip
    return found
