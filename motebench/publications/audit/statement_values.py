"""Sentences of a paper against the numbers of its tables, the catalog and arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, zip_longest
from statistics import NormalDist

from motebench.advise.radio.airtime import Modulation, lora
from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.catalog.published import Cell, Statistic, Table
from motebench.catalog.radios import RADIOS
from motebench.catalog.schema import Algorithm, AlgorithmKind, KeyRange, SecurityVerdict, first_day
from motebench.documents.papers import CellEntry, Certainty, Weight
from motebench.publications.audit.findings import (
    CellNames,
    CheckFindings,
    Scatter,
    algorithm,
    number,
    plain,
    size_text,
    without,
)
from motebench.publications.audit.statements import (
    AirtimeStepsStatement,
    AnnouncedStatement,
    BlocksStatement,
    BoundedStatement,
    ClocksStatement,
    ComputedStatement,
    FactStatement,
    FormulaStatement,
    InverseStatement,
    JudgedStatement,
    LevelStatement,
    OrderStatement,
    PaperStatement,
    PayloadStatement,
    RatioStatement,
    Selection,
    SpreadStatement,
    StatedAirtime,
    StatedCell,
    StatusStatement,
    StrengthStatement,
)
from motebench.publications.papers.checks import bounds

_LEAST_ALGORITHMS = 4
_LEAST_SIZES = 2
_FLAT = 1.1
"""Largest memory over the smallest, below which it does not depend on the cipher."""


def selected(tables: Sequence[Table], selection: Selection) -> list[Cell]:
    """The cells that a selection means; only means, medians and single values unless it names a
    statistic.
    """
    return [cell for table in tables for cell in table.cells if _is(cell, selection)]


def _is(cell: Cell, selection: Selection) -> bool:
    if "statistic" not in selection and not cell.statistic.central:
        return False
    own = {"table": cell.table, "metric": cell.metric, "statistic": str(cell.statistic)}
    return all(
        own.get(name, cell.label(name)) in ((accepted,) if isinstance(accepted, str) else accepted)
        for name, accepted in selection.items()
    )


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _bounds(low: float | None, high: float | None) -> str:
    if low is None:
        return f"at most {number(high or 0)}"
    return f"at least {number(low)}" if high is None else f"{number(low)} to {number(high)}"


def _entry(tables: Sequence[Table], cell: Cell, computed: str) -> CellEntry:
    table = next(candidate for candidate in tables if candidate.name == cell.table)
    entry = CellNames(table).entry(cell, computed)
    return CellEntry(
        cell=f"{cell.table}: {entry.cell}", line=cell.line, printed=entry.printed, computed=computed
    )


def contradict(
    findings: CheckFindings,
    statement: PaperStatement,
    sentence: str,
    cells: Sequence[CellEntry] = (),
    *,
    source: str = "",
    basis: Sequence[CellEntry] = (),
) -> None:
    """Add a finding against a statement, with the weight that the statement gives it."""
    note = f"; {statement.note}" if statement.note else ""
    findings.add(
        statement.matters,
        statement.sure,
        statement.where,
        f"{sentence}{note}",
        cells,
        quote=statement.quote,
        reference=source or None,
    )
    findings.rest(basis)


def _some(cells: list[Cell], statement: PaperStatement) -> list[Cell]:
    if not cells:
        raise InputError(
            f"the statement {statement.quote or ''!r} selects no cell", where=statement.where
        )
    return cells


def _limits(statement: BoundedStatement, unit: str = "1") -> tuple[float | None, float | None]:
    """Bounds of a statement. InputError for words without bounds in this unit."""
    try:
        return statement.limits(unit)
    except ValueError as error:
        raise InputError(str(error), where=f"{statement.where}: said") from None


def _reading(statement: BoundedStatement, low: float | None, high: float | None) -> str:
    """The bounds for readers: ``the sentence says 3, read as 2.5 to 3.5``."""
    wording = f"{statement.said}, read as " if statement.said else ""
    return f"the sentence says {wording}{_bounds(low, high)}"


def ratio(check: CheckFindings, tables: Sequence[Table], statement: RatioStatement) -> None:
    """Ratios of pairs of cells."""
    above = _some(selected(tables, statement.of), statement)
    names = {*statement.of, *statement.to} - {"metric", "statistic", "table"}
    below = {
        (without(cell, *names), cell.metric, cell.statistic): cell
        for cell in _some(selected(tables, statement.to), statement)
    }
    pairs = [
        (cell, other)
        for cell in above
        if (other := below.get((without(cell, *names), cell.metric, cell.statistic)))
    ]
    check.looks += len(pairs)
    low, high = _limits(statement)
    pairs = [(a, b) for a, b in pairs if b.number.low > 0]
    out = [(a, b) for a, b in pairs if not _reaches(_quotient(a, b), low, high)]
    if out:
        values = sorted(_times(a, b) for a, b in pairs)
        out.sort(key=lambda pair: _times(*pair))
        contradict(
            check,
            statement,
            f"{_reading(statement, low, high)}; the ratio is {number(values[0], 3)} to "
            f"{number(values[-1], 3)}, outside in {len(out)} of {len(pairs)} pairs",
            [_entry(tables, a, f"{number(_times(a, b), 3)} x {b.number.text}") for a, b in out],
            basis=[_entry(tables, b, "") for _, b in out],
        )


def _times(above: Cell, below: Cell) -> float:
    return float(above.number.value / below.number.value)


def _quotient(above: Cell, below: Cell) -> tuple[float, float]:
    """Least and largest ratio within the rounding of both numbers."""
    return float(above.number.low / below.number.high), float(above.number.high / below.number.low)


def _reaches(interval: tuple[float, float], low: float | None, high: float | None) -> bool:
    """True if some of an interval is within bounds."""
    return (low is None or interval[1] >= low) and (high is None or interval[0] <= high)


def spread(check: CheckFindings, tables: Sequence[Table], statement: SpreadStatement) -> None:
    """The largest difference over one label."""
    ends = _ends(_some(selected(tables, statement.cells), statement), statement.over)
    check.looks += len(ends)
    low, high = (None, _limits(statement)[1]) if statement.said else _limits(statement)
    above = [
        (most, least)
        for most, least in ends
        if high is not None and _quotient(most, least)[0] - 1 > high
    ]
    below = low is not None and bool(ends) and _quotient(*ends[0])[1] - 1 < low
    if above or below:
        count = f", and {len(above)} of {len(ends)} groups are above {high:.1%}" if above else ""
        shown = above or ends[:1]
        contradict(
            check,
            statement,
            f"{_reading(statement, low, high)}; the largest difference is "
            f"{_times(*ends[0]) - 1:.1%}{count}",
            [
                _entry(tables, most, f"{_times(most, least) - 1:+.1%} against {least.number.text}")
                for most, least in shown
            ],
            basis=[_entry(tables, least, "") for _, least in shown],
        )


def _ends(cells: Iterable[Cell], over: str) -> list[tuple[Cell, Cell]]:
    """The largest and the least cell of each group over a label, the widest group first."""
    by_group: dict[object, list[Cell]] = {}
    for cell in cells:
        if cell.number.low > 0:
            by_group.setdefault((cell.table, cell.metric, without(cell, over)), []).append(cell)
    several = [
        sorted(same, key=lambda cell: cell.number.value)
        for same in by_group.values()
        if len(same) > 1
    ]
    return sorted(((same[-1], same[0]) for same in several), key=lambda pair: -_times(*pair))


def level(check: CheckFindings, tables: Sequence[Table], statement: LevelStatement) -> None:
    """Cells within bounds."""
    cells = _some(selected(tables, statement.cells), statement)
    check.looks += len(cells)
    low, high = statement.low, statement.high
    if statement.said:
        low, high = _limits(statement, cells[0].unit)
        out = [cell for cell in cells if not _reaches(_meant(cell), low, high)]
    else:
        out = [
            cell
            for cell in cells
            if not _reaches((float(cell.number.low), float(cell.number.high)), low, high)
        ]
    if out:
        values = [float(cell.value if statement.said else cell.number.value) for cell in cells]
        contradict(
            check,
            statement,
            f"{_reading(statement, low, high)}; the cells are {number(min(values))} to "
            f"{number(max(values))}, outside in {len(out)} of {len(cells)}",
            [_entry(tables, cell, _bounds(low, high)) for cell in out],
        )


def _meant(cell: Cell) -> tuple[float, float]:
    """Range that the rounding of a cell leaves open, in the intended unit."""
    scale = cell.value / cell.number.value if cell.number.value else Fraction(1)
    return float(cell.number.low * scale), float(cell.number.high * scale)


_CHANCE = 0.01
"""Probability with which chance alone reverses a pair of means somewhere among all pairs of a
sentence."""


def order(check: CheckFindings, tables: Sequence[Table], statement: OrderStatement) -> None:
    """An order against the cells that it is about, if there are any.

    Neither rounding nor the spread of the readings, where it is printed, can decide an order.
    """
    cells = [
        cell
        for cell in selected(tables, {"metric": statement.metric, **statement.cells})
        if (not statement.device or cell.label("device") == statement.device)
    ]
    pairs = list(_pairs(cells, statement))
    check.looks += len(pairs)
    opposite = _opposite(tables, pairs)
    limit = NormalDist().inv_cdf(1 - _CHANCE / max(len(pairs), 2))
    wrong = [pair for pair in opposite if pair.errors > limit]
    within = [pair for pair in opposite if pair.errors <= limit]
    shown = sorted(
        wrong or within, key=lambda pair: pair.than.number.value - pair.less.number.value
    )
    entries = [_entry(tables, pair.less, pair.text(statement)) for pair in shown]
    basis = [_entry(tables, pair.than, "") for pair in shown]
    if wrong:
        rest = f"; {len(within)} more have it within the spread of their readings" if within else ""
        contradict(
            check,
            statement,
            f"{len(wrong)} of {len(pairs)} pairs of cells have the opposite order of "
            f"{statement.metric}{rest}",
            entries,
            basis=basis,
        )
    elif within:
        quiet = statement.model_copy(update={"matters": Weight.NOTE, "sure": Certainty.POSSIBLE})
        contradict(
            check,
            quiet,
            f"the tables do not tell {len(within)} of {len(pairs)} pairs apart by "
            f"{statement.metric}: they have the opposite order, within the spread of their "
            f"readings (at most {number(max(pair.errors for pair in within), 2)} standard errors)",
            entries,
            basis=basis,
        )


@dataclass(frozen=True, slots=True)
class _OppositePair:
    """Two cells in the opposite order, and by how many standard errors; infinitely many where these
    are not known.
    """

    less: Cell
    than: Cell
    errors: float

    def text(self, statement: OrderStatement) -> str:
        """The order for readers."""
        errors = f"; {number(self.errors, 2)} standard errors" if self.errors < 10 else ""
        return f"more than {self.than.number.text} of {_of_side(self.than, statement)}{errors}"


def _opposite(tables: Sequence[Table], pairs: Iterable[tuple[Cell, Cell]]) -> list[_OppositePair]:
    """The pairs that have the opposite order by more than their rounding."""
    scatters = {table.name: Scatter(table) for table in tables}
    opposite = []
    for less, than in pairs:
        if less.number.low > than.number.high:
            errors = scatters[less.table].apart(than, less)
            opposite.append(_OppositePair(less, than, math.inf if errors is None else errors))
    return opposite


def _of_side(cell: Cell, statement: OrderStatement) -> str:
    return " ".join(
        filter(None, (cell.label(name) for name in (statement.along, "key_bits", "operation")))
    )


_KINDS = {"sign": "encrypt", "verify": "decrypt"}


def _pairs(cells: list[Cell], statement: OrderStatement) -> Iterator[tuple[Cell, Cell]]:
    """Cells of the two sides with the same labels; of key sizes, each with each; signing stands
    beside encryption.
    """
    sides: dict[object, tuple[list[Cell], list[Cell]]] = {}
    for cell in cells:
        labels = dict(without(cell, statement.along, "key_bits", "mode", "operation"))
        operation = cell.label("operation")
        key = cell.table, tuple(sorted(labels.items())), _KINDS.get(operation, operation)
        side = 0 if cell.label(statement.along) in statement.less else 1
        if side == 0 or cell.label(statement.along) in statement.than:
            sides.setdefault(key, ([], []))[side].append(cell)
    for less, than in sides.values():
        yield from ((low_cell, high_cell) for low_cell in less for high_cell in than)


def announced(check: CheckFindings, tables: Sequence[Table], statement: AnnouncedStatement) -> None:
    """Compare the announced values with the labels of the tables."""
    cells = _some(selected(tables, statement.cells), statement)
    have = list(
        dict.fromkeys(cell.label(statement.label) for cell in cells if cell.label(statement.label))
    )
    check.looks += len(statement.values)
    missing = [_spoken(value, statement) for value in statement.values if value not in have]
    extra = [value for value in have if value not in statement.values] if statement.all else []
    if missing:
        values = ", ".join(_spoken(value, statement) for value in have)
        contradict(
            check,
            statement,
            f"no number is reported for {', '.join(missing)} ({statement.label}); the tables "
            f"have {values}",
        )
    if extra:
        contradict(check, statement, f"the tables also have {', '.join(extra)} ({statement.label})")


def _spoken(value: str, statement: AnnouncedStatement) -> str:
    return size_text(int(value)) if statement.label == "input_bytes" and value.isdigit() else value


def flat(tables: Sequence[Table]) -> CheckFindings:
    """Find memory that is the same for every algorithm and size: it is not that of the
    algorithm.
    """
    check = CheckFindings("same-information")
    for table in tables:
        for metric, cells in _memory(table).items():
            algorithms = {cell.label("algorithm") for cell in cells}
            sizes = {cell.size for cell in cells if cell.size}
            if len(algorithms) >= _LEAST_ALGORITHMS and len(sizes) >= _LEAST_SIZES:
                check.looks += len(cells)
                _flat_metric(
                    check,
                    table,
                    metric,
                    f"{len(algorithms)} algorithms and {len(sizes)} sizes",
                    cells,
                )
    return check


def _memory(table: Table) -> dict[str, list[Cell]]:
    """The central values of the metrics that are in bytes."""
    by_metric: dict[str, list[Cell]] = {}
    for cell in table.cells:
        unit = dimensions.unit(cell.unit_printed)
        if (
            cell.statistic.central
            and unit
            and unit.dimension == dimensions.DATA
            and cell.number.value > 0
        ):
            by_metric.setdefault(cell.metric, []).append(cell)
    return by_metric


def _flat_metric(
    check: CheckFindings, table: Table, metric: str, variety: str, cells: list[Cell]
) -> None:
    low, high = min(cell.number.value for cell in cells), max(cell.number.value for cell in cells)
    sds = [
        float(cell.number)
        for cell in table.cells
        if cell.metric == metric and cell.statistic is Statistic.SD
    ]
    if high / low < _FLAT and sds:
        check.add(
            Weight.MINOR,
            Certainty.LIKELY,
            table.name,
            f"{metric} is {number(float(low))} to {number(float(high))} for {variety}: a range of "
            f"{float(high / low) - 1:.1%}, and single readings vary by "
            f"{number(sorted(sds)[len(sds) // 2], 2)} (sd). It is the memory of the process, not "
            "of the cipher",
        )


_MODES: Mapping[str, tuple[str, str]] = {
    "ecb": ("yes", "yes"),
    "cbc": ("no", "yes"),
    "cfb": ("no", "yes"),
    "ofb": ("no", "no"),
    "ctr": ("yes", "yes"),
}
"""True if blocks can be encrypted, and decrypted, independently: NIST SP 800-38A, 6.1 to 6.5."""
_SP_800_38A = "NIST SP 800-38A, 6.1 to 6.5"


def fact(check: CheckFindings, statement: FactStatement) -> None:
    """Compare a fact with the catalog, or with known facts."""
    right, source = statement.known, statement.source or ""
    exact = right is not None
    if right is None:
        right, source = _known(statement)
    if right is None:
        return
    check.looks += 1
    if not _agrees(statement.value, right, exact=exact):
        shown = ", ".join(map(str, right)) if isinstance(right, tuple) else str(right)
        value = (
            ", ".join(map(str, statement.value))
            if isinstance(statement.value, tuple)
            else statement.value
        )
        contradict(
            check,
            statement,
            f"{statement.attribute} of {statement.subject} is said to be {value}; it is {shown}",
            source=source,
        )


def _agrees(value: object, expected: object, *, exact: bool) -> bool:
    allowed = expected if isinstance(expected, tuple) else (expected,)
    stated = value if isinstance(value, tuple) else (value,)
    return all(_one_of(item, allowed, exact=exact) for item in stated)


def _one_of(value: object, allowed: tuple[object, ...], *, exact: bool) -> bool:
    """``exact``: the case of letters counts, as in ``%m`` and ``%M``."""
    for candidate in allowed:
        bounds = re.fullmatch(r"(\d+) to (\d+)", str(candidate))
        if str(value) == str(candidate) or (
            not exact and str(value).casefold() == str(candidate).casefold()
        ):
            return True
        if bounds and str(value).isdigit() and int(bounds[1]) <= int(str(value)) <= int(bounds[2]):
            return True
    return False


def _known(statement: FactStatement) -> tuple[str | tuple[str, ...] | None, str]:
    """Value of an attribute in the catalog, and its source; None without one."""
    attribute = statement.attribute
    if statement.subject.lower().removesuffix(" mode") in _MODES and attribute.startswith(
        "parallel"
    ):
        both = _MODES[statement.subject.lower().removesuffix(" mode")]
        return both["decryption" in attribute], _SP_800_38A
    entry = algorithm(statement.subject)
    if entry is None:
        return None, ""
    source = entry.specifications[0].identifier
    return _attribute(entry, statement.subject, attribute), source


def _attribute(algorithm: Algorithm, subject: str, attribute: str) -> str | tuple[str, ...] | None:
    """Attribute of an algorithm in the catalog; None for an unknown name."""
    if attribute == "key bits":
        return _key_bits(algorithm)
    if attribute == "block bits":
        return tuple(str(bits) for bits in algorithm.block_bits)
    if attribute == "kind":
        return algorithm.kind.value
    if attribute == "rounds":
        return _rounds(algorithm, subject)
    if attribute == "authenticated":
        return "yes" if algorithm.kind is AlgorithmKind.AEAD else "no"
    return None


def _key_bits(algorithm: Algorithm) -> str | tuple[str, ...]:
    if algorithm.kind is AlgorithmKind.HASH:
        return "none: a hash has no key"
    if isinstance(algorithm.key_bits, KeyRange):
        return f"{algorithm.key_bits.min} to {algorithm.key_bits.max}"
    sizes = tuple(str(bits) for bits in algorithm.key_bits)
    # DES keys are written with their parity bits.
    return (*sizes, "64") if algorithm.id == "des" else sizes


def _rounds(algorithm: Algorithm, subject: str) -> str | None:
    if isinstance(algorithm.rounds, int):
        return str(algorithm.rounds)
    bits = re.search(r"(\d+)$", subject)
    return (
        str(algorithm.rounds[bits[1]])
        if algorithm.rounds and bits and bits[1] in algorithm.rounds
        else None
    )


def strength(check: CheckFindings, statement: StrengthStatement) -> None:
    """Compare the bits of strength of both subjects by the catalog."""
    check.looks += 1
    more, than = _bits(statement.more), _bits(statement.than)
    if more is None or than is None:
        return
    if more[0] <= than[0]:
        contradict(
            check,
            statement,
            f"{statement.more} has {more[0]} bits of strength and {statement.than} has {than[0]}",
            source=f"{more[1]}; {than[1]}",
        )


def _bits(name: str) -> tuple[int, str] | None:
    """Bits of strength: of the size in the name, else the largest."""
    entry = algorithm(name)
    if entry is None or not entry.security.bits:
        return None
    size = re.search(r"(\d+)$", name)
    bits = entry.security.bits.get(size[1]) if size else None
    return bits or max(entry.security.bits.values()), str(entry.security.source)


def status(check: CheckFindings, statement: StatusStatement) -> None:
    """Compare the statement with the verdicts of standards bodies on that day."""
    entry = algorithm(statement.subject)
    if entry is None:
        return
    check.looks += 1
    against = [
        verdict
        for verdict in entry.statuses_on(first_day(statement.on))
        if verdict.verdict.weight >= SecurityVerdict.LEGACY.weight
    ]
    if against:
        verdicts = "; ".join(f"{verdict.body}: {verdict.label}" for verdict in against)
        contradict(
            check,
            statement,
            f"by {statement.on} standards bodies had advised against {entry.name} ({verdicts})",
            source="; ".join(str(verdict.source) for verdict in against),
        )


_Quantity = tuple[Fraction, dimensions.Dimension]


def _given(
    tables: Sequence[Table], statement: ComputedStatement
) -> tuple[dict[str, _Quantity], dict[str, Cell]]:
    """The quantities of an expression, and the cells among them."""
    given: dict[str, _Quantity] = {}
    cells: dict[str, Cell] = {}
    for name, text in statement.given.items():
        where = f"{statement.where}: {name}"
        if isinstance(text, StatedAirtime):
            given[name] = on_air(text), dimensions.TIME
        elif isinstance(text, StatedCell):
            cells[name] = _one_cell(tables, text, where)
            unit_of_cell = dimensions.unit(cells[name].unit)
            if unit_of_cell is None:
                raise InputError(f"the unit {cells[name].unit!r} is not known", where=where)
            given[name] = cells[name].value * unit_of_cell.factor, unit_of_cell.dimension
        else:
            value, unit = dimensions.quantity(text, where=where)
            given[name] = value, unit.dimension
    return given, cells


def _one_cell(tables: Sequence[Table], stated: StatedCell, where: str) -> Cell:
    chosen = selected(tables, stated.cell)
    if len(chosen) != 1:
        raise InputError(
            f"{len(chosen)} cells have these labels",
            where=where,
            valid="labels of one cell",
            hint="the columns of the table are labels; name more or fewer of them",
        )
    return chosen[0]


def on_air(airtime: StatedAirtime) -> Fraction:
    """Seconds on air, exact: 8 symbols of preamble, explicit header, CRC, coding rate 4/5."""
    radio = RADIOS.find(airtime.radio, None)
    return (
        lora(Modulation(airtime.sf, Fraction(airtime.bandwidth_khz)), airtime.bytes, radio).time_ms
        / 1000
    )


def compute(check: CheckFindings, tables: Sequence[Table], statement: ComputedStatement) -> None:
    """An expression over stated quantities."""
    given, cells = _given(tables, statement)
    value, dimension = dimensions.evaluate(statement.expression, given, where=statement.where)
    unit = dimensions.unit(statement.unit)
    if unit is None or unit.dimension != dimension:
        raise InputError(
            f"{statement.expression!r} is not in {statement.unit}", where=statement.where
        )
    check.looks += 1
    result = float(value / unit.factor)
    low, high = _limits(statement, statement.unit)
    if _within(result, low, high):
        return
    shown = "; ".join(
        f"{name} = {_stated(text, cells.get(name))}" for name, text in statement.given.items()
    )
    shown_unit = "" if statement.unit == "1" else f" {statement.unit}"
    contradict(
        check,
        statement,
        f"{statement.says}; {statement.expression} = {number(result)}{shown_unit} ({shown})",
        [_entry(tables, cell, name) for name, cell in cells.items()],
    )


def _stated(given: str | StatedAirtime | StatedCell, cell: Cell | None) -> str:
    """A quantity of an expression for readers."""
    if isinstance(given, StatedAirtime):
        return f"{number(float(on_air(given)))} s"
    return f"{cell.number.text} {cell.unit}" if cell else str(given)


def formula(check: CheckFindings, statement: FormulaStatement) -> None:
    """The dimension of a formula."""
    given = {}
    for name, text in statement.units.items():
        unit = dimensions.unit(text)
        if unit is None:
            raise InputError(f"unknown unit {text!r}", where=f"{statement.where}: {name}")
        given[name] = unit.factor, unit.dimension
    factor, dimension = dimensions.evaluate(statement.expression, given, where=statement.where)
    stated = dimensions.unit(statement.unit)
    if stated is None:
        raise InputError(f"unknown unit {statement.unit!r}", where=statement.where)
    check.looks += 1
    if statement.alternating and dimension == dimensions.POWER and statement.unit.endswith("W"):
        contradict(
            check,
            statement,
            f"{statement.called} = {statement.expression} multiplies volts and amperes of "
            "alternating current: that is an apparent power in volt-amperes (VA); "
            f"{statement.unit} needs the power factor, which is not stated",
            source="IEEE Std 1459-2010, 3.1.1",
        )
        return
    if dimension == stated.dimension:
        return
    result = dimensions.Unit(factor, dimension)
    also = ""
    if statement.same_as:
        other, other_dimension = dimensions.evaluate(
            statement.same_as, given, where=statement.where
        )
        if other_dimension == dimension:
            also = f"; it is {number(float(factor / other))} times {statement.same_as}"
    contradict(
        check,
        statement,
        f"{statement.called} = {statement.expression} is {result.spoken}, and {statement.unit} is "
        f"{stated.spoken}{also}",
    )


def steps(check: CheckFindings, statement: AirtimeStepsStatement) -> None:
    """Count the steps of one byte that change the time on air."""
    times = [
        on_air(StatedAirtime(sf=statement.sf, bytes=length))
        for length in range(statement.low, statement.high + 1)
    ]
    changes = sum(before != after for before, after in pairwise(times))
    count = len(times) - 1
    check.looks += count
    if changes < statement.least * count:
        contradict(
            check,
            statement,
            f"one byte more changes the time on air in {changes} of {count} steps from "
            f"{statement.low} to {statement.high} bytes at SF{statement.sf}: the payload grows in "
            "whole groups of symbols",
            source="Semtech SX1276/77/78/79 data sheet, 4.1.1.7",
        )


def inverse(check: CheckFindings, statement: InverseStatement) -> None:
    """The steps of decryption against those that undo the encryption."""
    forward, back = (
        _unrolled(steps, statement.where) for steps in (statement.forward, statement.back)
    )
    needed = [_undone(step, statement) for step in reversed(forward)]
    check.looks += len(needed)
    wrong = [
        (at, step, own)
        for at, (step, own) in enumerate(zip_longest(needed, back, fillvalue="nothing"), 1)
        if step != own
    ]
    if wrong:
        at, step, own = wrong[0]
        contradict(
            check,
            statement,
            f"this does not undo the encryption: {len(wrong)} of {max(len(needed), len(back))} "
            f"steps differ, the first is step {at}, {own}, where {step} is needed",
            [CellEntry(cell=f"step {at}", printed=own, computed=step) for at, step, own in wrong],
            source="the inverse of a sequence is the inverse of each step, in reverse order",
        )


_LOOP = re.compile(r"for (\w+) = (\d{1,3}) to (\d{1,3})", re.ASCII)
_STEP = re.compile(r"(\w+)(?:\((\w*)\))?", re.ASCII)


def _unrolled(steps: Sequence[str], where: str) -> list[str]:
    """Steps with their loops carried out. InputError for a loop without an end, or a step that is
    none.
    """
    done: list[str] = []
    at = 0
    while at < len(steps):
        loop = _LOOP.fullmatch(steps[at])
        if loop is None:
            if not _STEP.fullmatch(steps[at]):
                raise InputError(
                    f"{steps[at]!r} is not a step",
                    where=where,
                    valid="SubBytes, AddRoundKey(3), for round = 1 to 9, end",
                )
            done.append(steps[at])
            at += 1
            continue
        end = next((place for place in range(at, len(steps)) if steps[place] == "end"), None)
        if end is None:
            raise InputError(f"{steps[at]!r} has no end", where=where, valid="end")
        first, last = int(loop[2]), int(loop[3])
        for value in range(first, last + 1) if first <= last else range(first, last - 1, -1):
            done += [
                step.replace(f"({loop[1]})", f"({value})")
                for step in _unrolled(steps[at + 1 : end], where)
            ]
        at = end + 1
    return done


def _undone(step: str, statement: InverseStatement) -> str:
    """The step that undoes a step. InputError if the statement does not name it."""
    name, bracket, rest = step.partition("(")
    if name not in statement.inverses:
        raise InputError(
            f"no inverse of {name!r} is given",
            where=f"{statement.where}: inverses",
            valid=", ".join(statement.inverses),
        )
    return f"{statement.inverses[name]}{bracket}{rest}"


def clocks(check: CheckFindings, statement: ClocksStatement) -> None:
    """Compare a ratio of speeds with that of the clocks, which explains it for one core only."""
    first, second = (
        dimensions.quantity(side.clock, where=f"{statement.where}: {side.device}")[0]
        for side in (statement.of, statement.to)
    )
    check.looks += 1
    try:
        low, high = bounds(statement.said)
    except ValueError as error:
        raise InputError(str(error), where=f"{statement.where}: said") from None
    value = float(first / second)
    same_core = plain(statement.of.core) == plain(statement.to.core)
    agrees = low <= value <= high
    if agrees and same_core:
        return
    reason = (
        f"that is the ratio of the clocks alone ({number(value, 3)})"
        if agrees
        else (
            f"the clocks have a ratio of {number(value, 3)}, which does not explain "
            f"{statement.said}"
        )
    )
    cores = (
        ""
        if same_core
        else f": {statement.of.core} ({statement.of.device}) and {statement.to.core} "
        f"({statement.to.device}) do not "
        "do the same work in a clock, and cores, caches and instructions for ciphers differ too"
    )
    contradict(
        check,
        statement,
        f"{reason}{cores}",
        source="Patterson and Hennessy 2020, Computer Organization and Design, 1.6: time = "
        "instructions x "
        "clocks per instruction / clock",
    )


def payload(check: CheckFindings, statement: PayloadStatement) -> None:
    """Compare an amount of data with the capacity of a packet of the radio."""
    radio = RADIOS.find(statement.radio, None)
    check.looks += 1
    most = radio.max_payload_bytes
    if statement.bytes > most:
        packets = -(-statement.bytes // most)
        contradict(
            check,
            statement,
            f"a packet of {radio.name} holds at most {most} bytes, so {statement.bytes} bytes "
            f"are {packets} packets at "
            "least, each with its own preamble and header; LoRaWAN allows 242 bytes at most",
            source=str(radio.source),
        )


def blocks(check: CheckFindings, statement: BlocksStatement) -> None:
    """An input that is not whole blocks of a block cipher: padding, or a mode without it, belongs
    to the method.
    """
    longer: dict[int, list[str]] = {}
    for name in statement.algorithms:
        entry = algorithm(name)
        if entry is None or not entry.block_bits or entry.kind is not AlgorithmKind.BLOCK_CIPHER:
            raise InputError(
                f"{name!r} is not a block cipher of the catalog", where=statement.where
            )
        check.looks += 1
        block = max(entry.block_bits) // 8
        if statement.bytes % block:
            longer.setdefault(-(-statement.bytes // block) * block, []).append(entry.name)
    if not longer:
        return
    sizes = "; ".join(f"{', '.join(names)}: {size} bytes" for size, names in sorted(longer.items()))
    air = ""
    if statement.sf is not None:
        own, most = (
            on_air(StatedAirtime(sf=statement.sf, bytes=size, radio=statement.radio))
            for size in (statement.bytes, max(longer))
        )
        air = (
            f"; at SF{statement.sf} {max(longer)} bytes take {float(most / own) - 1:.1%} more "
            "time on air"
        )
    contradict(
        check,
        statement,
        f"{statement.bytes} bytes are not whole blocks, and neither padding nor a mode without it "
        f"is stated; with whole blocks the output is longer ({sizes}{air})",
        source="NIST SP 800-38A, appendix A",
    )


def judged(check: CheckFindings, statements: Iterable[JudgedStatement]) -> None:
    """Subjects that have the same of an attribute and are judged differently for it."""
    by_value: dict[tuple[str, str | tuple[str, ...]], list[JudgedStatement]] = {}
    for statement in statements:
        entry = algorithm(statement.subject)
        value = _attribute(entry, statement.subject, statement.attribute) if entry else None
        if value is None:
            raise InputError(
                f"the catalog has no {statement.attribute} of {statement.subject}",
                where=statement.where,
            )
        check.looks += 1
        by_value.setdefault((statement.attribute, value), []).append(statement)
    for (attribute, value), same in by_value.items():
        others = [statement for statement in same if statement.verdict != same[0].verdict]
        if others:
            first = same[0]
            shown = ", ".join(value) if isinstance(value, tuple) else value
            names = ", ".join(dict.fromkeys(statement.subject for statement in same))
            contradict(
                check,
                first,
                f"{names} have the same {attribute} ({shown}), and {first.subject} is called "
                f"{first.verdict} for it",
                [
                    CellEntry(
                        cell=f"{statement.where}: {statement.subject}",
                        printed=f'"{statement.quote}"',
                        computed=statement.verdict,
                    )
                    for statement in others
                ],
            )
