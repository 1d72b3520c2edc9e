"""Sentences of a paper against the numbers of its tables, the catalog and arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from motebench.advise.radio.airtime import Modulation, lora
from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.catalog.published import Cell, Statistic, Table
from motebench.catalog.radios import RADIOS
from motebench.catalog.schema import Algorithm, AlgorithmKind, KeyRange, SecurityVerdict, first_day
from motebench.documents.papers import CellEntry, Certainty, Weight
from motebench.publications.audit.findings import CellNames, CheckFindings, algorithm, number, size_text, without
from motebench.publications.audit.statements import (
    AirtimeStepsStatement,
    AnnouncedStatement,
    ComputedStatement,
    FactStatement,
    FormulaStatement,
    LevelStatement,
    OrderStatement,
    PaperStatement,
    RatioStatement,
    Selection,
    SpreadStatement,
    StatedAirtime,
    StatusStatement,
    StrengthStatement,
)

_LEAST_ALGORITHMS = 4
_LEAST_SIZES = 2
_FLAT = 1.1
"""Largest memory over the smallest, below which it does not depend on the cipher."""


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


def contradict(
    findings: CheckFindings,
    statement: PaperStatement,
    what: str,
    cells: Sequence[CellEntry] = (),
    source: str = "",
) -> None:
    """Add a finding against a statement, with the weight that the statement gives it."""
    note = f"; {statement.note}" if statement.note else ""
    findings.add(
        statement.matters, statement.sure, statement.where, f"{what}{note}", cells,
        quote=statement.quote, reference=source or None,
    )  # fmt: skip


def _some(cells: list[Cell], statement: PaperStatement) -> list[Cell]:
    if not cells:
        raise InputError(f"the statement {statement.quote!r} selects no cell", where=statement.where)
    return cells


def ratio(check: CheckFindings, tables: Sequence[Table], statement: RatioStatement) -> None:
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
    check.looks += len(pairs)
    ratios = [(float(a.number.value / b.number.value), a, b) for a, b in pairs if b.number.value]
    out = [each for each in ratios if not _within(each[0], statement.low, statement.high)]
    if out:
        values = sorted(each[0] for each in ratios)
        out.sort(key=lambda each: each[0])
        shown = out if len(out) <= 6 else [*out[:3], *out[-3:]]
        contradict(
            check, statement,
            f"the sentence says {_bounds(statement.low, statement.high)}; the ratio is {number(values[0], 3)} to "
            f"{number(values[-1], 3)}, outside in {len(out)} of {len(ratios)} pairs",
            [_entry(tables, a, f"{number(value, 3)} x {b.number.text}") for value, a, b in shown],
        )  # fmt: skip


def spread(check: CheckFindings, tables: Sequence[Table], statement: SpreadStatement) -> None:
    """The largest difference over one label."""
    by_group: dict[object, list[Cell]] = {}
    for cell in _some(selected(tables, statement.cells), statement):
        by_group.setdefault((cell.table, cell.metric, without(cell, statement.over)), []).append(cell)
    positive = ([cell for cell in cells if cell.number.value > 0] for cells in by_group.values())
    several = [sorted(cells, key=lambda cell: cell.number.value) for cells in positive if len(cells) > 1]
    check.looks += len(several)
    differ = [(float(cells[-1].number.value / cells[0].number.value) - 1, cells[0], cells[-1]) for cells in several]
    differ.sort(key=lambda each: -each[0])
    if differ and not _within(differ[0][0], statement.low, statement.high):
        high = statement.high or 0
        above = sum(each[0] > high for each in differ)
        contradict(
            check, statement,
            f"the sentence says {_bounds(statement.low, statement.high)}; the largest difference is "
            f"{differ[0][0]:.1%}, and {above} of {len(differ)} groups are above {high:.1%}",
            [_entry(tables, most, f"{value:+.1%} against {least.number.text}") for value, least, most in differ[:5]
             if value > high],
        )  # fmt: skip


def level(check: CheckFindings, tables: Sequence[Table], statement: LevelStatement) -> None:
    """Cells within bounds."""
    cells = _some(selected(tables, statement.cells), statement)
    check.looks += len(cells)
    out = [cell for cell in cells if not _within(float(cell.number), statement.low, statement.high)]
    if out:
        values = [float(cell.number) for cell in cells]
        contradict(
            check, statement,
            f"the sentence says {_bounds(statement.low, statement.high)}; the cells are {number(min(values))} to "
            f"{number(max(values))}, outside in {len(out)} of {len(cells)}",
            [_entry(tables, cell, _bounds(statement.low, statement.high)) for cell in out[:6]],
        )  # fmt: skip


def order(check: CheckFindings, tables: Sequence[Table], statement: OrderStatement) -> None:
    """An order against the cells that it is about, if there are any."""
    cells = [
        cell for cell in selected(tables, {"metric": statement.metric, **statement.cells})
        if (not statement.device or cell.label("device") == statement.device)
    ]  # fmt: skip
    pairs = list(_pairs(cells, statement))
    check.looks += len(pairs)
    # Rounding alone cannot decide an order.
    wrong = [(less, than) for less, than in pairs if less.number.low > than.number.high]
    if wrong:
        wrong.sort(key=lambda pair: float(pair[1].number.value - pair[0].number.value))
        contradict(
            check, statement,
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


def announced(check: CheckFindings, tables: Sequence[Table], statement: AnnouncedStatement) -> None:
    """What was announced against the labels of the tables."""
    cells = _some(selected(tables, statement.cells), statement)
    have = list(dict.fromkeys(cell.label(statement.label) for cell in cells if cell.label(statement.label)))
    check.looks += len(statement.values)
    missing = [_spoken(value, statement) for value in statement.values if value not in have]
    extra = [value for value in have if value not in statement.values] if statement.all else []
    if missing:
        values = ", ".join(_spoken(value, statement) for value in have)
        contradict(
            check, statement,
            f"no number is reported for {', '.join(missing)} ({statement.label}); the tables have {values}",
        )  # fmt: skip
    if extra:
        contradict(check, statement, f"the tables also have {', '.join(extra)} ({statement.label})")


def _spoken(value: str, statement: AnnouncedStatement) -> str:
    return size_text(int(value)) if statement.label == "input_bytes" and value.isdigit() else value


def flat(tables: Sequence[Table]) -> CheckFindings:
    """Memory that is the same for every algorithm and size: it is not that of the algorithm."""
    check = CheckFindings("same-information")
    for table in tables:
        for metric, cells in _memory(table).items():
            algorithms = {cell.label("algorithm") for cell in cells}
            sizes = {cell.size for cell in cells if cell.size}
            if len(algorithms) >= _LEAST_ALGORITHMS and len(sizes) >= _LEAST_SIZES:
                check.looks += len(cells)
                _flat_metric(check, table, metric, f"{len(algorithms)} algorithms and {len(sizes)} sizes", cells)
    return check


def _memory(table: Table) -> dict[str, list[Cell]]:
    """The central values of the metrics that are in bytes."""
    by_metric: dict[str, list[Cell]] = {}
    for cell in table.cells:
        unit = dimensions.unit(cell.unit_printed)
        if cell.statistic.central and unit and unit.dimension == dimensions.DATA and cell.number.value > 0:
            by_metric.setdefault(cell.metric, []).append(cell)
    return by_metric


def _flat_metric(check: CheckFindings, table: Table, metric: str, variety: str, cells: list[Cell]) -> None:
    low, high = min(cell.number.value for cell in cells), max(cell.number.value for cell in cells)
    sds = [float(cell.number) for cell in table.cells if cell.metric == metric and cell.statistic is Statistic.SD]
    if high / low < _FLAT and sds:
        check.add(
            Weight.MINOR, Certainty.LIKELY, table.name,
            f"{metric} is {number(float(low))} to {number(float(high))} for {variety}: a range of "
            f"{float(high / low) - 1:.1%}, and single readings vary by "
            f"{number(sorted(sds)[len(sds) // 2], 2)} (sd). It is the memory of the process, not of the cipher",
        )  # fmt: skip


_MODES: Mapping[str, tuple[str, str]] = {
    "ecb": ("yes", "yes"), "cbc": ("no", "yes"), "cfb": ("no", "yes"), "ofb": ("no", "no"), "ctr": ("yes", "yes"),
}  # fmt: skip
"""Whether blocks can be encrypted, and decrypted, independently: NIST SP 800-38A, 6.1 to 6.5."""
_SP_800_38A = "NIST SP 800-38A, 6.1 to 6.5"


def fact(check: CheckFindings, statement: FactStatement) -> None:
    """A fact against the catalog, or against what is known."""
    known, source = statement.known, statement.source or ""
    if known is None:
        known, source = _known(statement)
    if known is None:
        return
    check.looks += 1
    if not _agrees(statement.value, known):
        shown = ", ".join(map(str, known)) if isinstance(known, tuple) else str(known)
        value = ", ".join(map(str, statement.value)) if isinstance(statement.value, tuple) else statement.value
        contradict(
            check, statement,
            f"{statement.attribute} of {statement.subject} is said to be {value}; it is {shown}", source=source,
        )  # fmt: skip


def _agrees(value: object, known: object) -> bool:
    allowed = known if isinstance(known, tuple) else (known,)
    stated = value if isinstance(value, tuple) else (value,)
    return all(_one_of(each, allowed) for each in stated)


def _one_of(value: object, allowed: tuple[object, ...]) -> bool:
    for each in allowed:
        bounds = re.fullmatch(r"(\d+) to (\d+)", str(each))
        if str(value).casefold() == str(each).casefold():
            return True
        if bounds and str(value).isdigit() and int(bounds[1]) <= int(str(value)) <= int(bounds[2]):
            return True
    return False


def _known(statement: FactStatement) -> tuple[str | tuple[str, ...] | None, str]:
    """The catalog's value of an attribute, and its source; None if it has none."""
    attribute = statement.attribute
    if statement.subject.lower().removesuffix(" mode") in _MODES and attribute.startswith("parallel"):
        both = _MODES[statement.subject.lower().removesuffix(" mode")]
        return both["decryption" in attribute], _SP_800_38A
    of = algorithm(statement.subject)
    if of is None:
        return None, ""
    source = of.specifications[0].identifier
    return _attribute(of, statement.subject, attribute), source


def _attribute(of: Algorithm, subject: str, attribute: str) -> str | tuple[str, ...] | None:
    """An attribute of an algorithm as the catalog has it; None if it has none of that name."""
    if attribute == "key bits":
        return _key_bits(of)
    if attribute == "block bits":
        return tuple(str(bits) for bits in of.block_bits)
    if attribute == "kind":
        return of.kind.value
    if attribute == "rounds":
        return _rounds(of, subject)
    if attribute == "authenticated":
        return "yes" if of.kind is AlgorithmKind.AEAD else "no"
    return None


def _key_bits(of: Algorithm) -> str | tuple[str, ...]:
    if of.kind is AlgorithmKind.HASH:
        return "none: a hash has no key"
    if isinstance(of.key_bits, KeyRange):
        return f"{of.key_bits.min} to {of.key_bits.max}"
    sizes = tuple(str(bits) for bits in of.key_bits)
    # DES keys are written with their parity bits.
    return (*sizes, "64") if of.id == "des" else sizes


def _rounds(of: Algorithm, subject: str) -> str | None:
    if isinstance(of.rounds, int):
        return str(of.rounds)
    bits = re.search(r"(\d+)$", subject)
    return str(of.rounds[bits[1]]) if of.rounds and bits and bits[1] in of.rounds else None


def strength(check: CheckFindings, statement: StrengthStatement) -> None:
    """Which of two has more bits of strength by the catalog."""
    check.looks += 1
    more, than = _bits(statement.more), _bits(statement.than)
    if more is None or than is None:
        return
    if more[0] <= than[0]:
        contradict(
            check, statement,
            f"{statement.more} has {more[0]} bits of strength and {statement.than} has {than[0]}",
            source=f"{more[1]}; {than[1]}",
        )  # fmt: skip


def _bits(name: str) -> tuple[int, str] | None:
    """Bits of strength: of the size in the name, else the largest."""
    of = algorithm(name)
    if of is None or not of.security.bits:
        return None
    size = re.search(r"(\d+)$", name)
    bits = of.security.bits.get(size[1]) if size else None
    return bits or max(of.security.bits.values()), str(of.security.source)


def status(check: CheckFindings, statement: StatusStatement) -> None:
    """What standards bodies said of it on that day."""
    of = algorithm(statement.subject)
    if of is None:
        return
    check.looks += 1
    against = [
        each for each in of.statuses_on(first_day(statement.on)) if each.verdict.weight >= SecurityVerdict.LEGACY.weight
    ]
    if against:
        said = "; ".join(f"{each.body}: {each.label}" for each in against)
        contradict(check, statement, f"by {statement.on} standards bodies had advised against {of.name} ({said})",
             source="; ".join(str(each.source) for each in against))  # fmt: skip


def _given(statement: ComputedStatement) -> dict[str, tuple[Fraction, dimensions.Dimension]]:
    given = {}
    for name, text in statement.given.items():
        if isinstance(text, StatedAirtime):
            given[name] = on_air(text), dimensions.TIME
        else:
            value, unit = dimensions.quantity(text, where=f"{statement.where}: {name}")
            given[name] = value, unit.dimension
    return given


def on_air(of: StatedAirtime) -> Fraction:
    """Seconds on air, exact: 8 symbols of preamble, explicit header, CRC, coding rate 4/5."""
    radio = RADIOS.find(of.radio, None)
    return lora(Modulation(of.sf, Fraction(of.bandwidth_khz)), of.bytes, radio).time_ms / 1000


def compute(check: CheckFindings, statement: ComputedStatement) -> None:
    """An expression over stated quantities."""
    given = _given(statement)
    value, dimension = dimensions.evaluate(statement.expression, given, where=statement.where)
    unit = dimensions.unit(statement.unit)
    if unit is None or unit.dimension != dimension:
        raise InputError(f"{statement.expression!r} is not in {statement.unit}", where=statement.where)
    check.looks += 1
    result = float(value / unit.factor)
    low, high = statement.low, statement.high
    if (low is not None and result < low) or (high is not None and result > high):
        shown = "; ".join(
            f"{name} = {text if isinstance(text, str) else f'{number(float(on_air(text)))} s'}"
            for name, text in statement.given.items()
        )
        of = "" if statement.unit == "1" else f" {statement.unit}"
        contradict(check, statement, f"{statement.says}; {statement.expression} = {number(result)}{of} ({shown})")


def formula(check: CheckFindings, statement: FormulaStatement) -> None:
    """The dimension of a formula."""
    given = {}
    for name, text in statement.units.items():
        of = dimensions.unit(text)
        if of is None:
            raise InputError(f"unknown unit {text!r}", where=f"{statement.where}: {name}")
        given[name] = of.factor, of.dimension
    factor, dimension = dimensions.evaluate(statement.expression, given, where=statement.where)
    said = dimensions.unit(statement.unit)
    if said is None:
        raise InputError(f"unknown unit {statement.unit!r}", where=statement.where)
    check.looks += 1
    if dimension == said.dimension:
        return
    result = dimensions.Unit(factor, dimension)
    also = ""
    if statement.same_as:
        other, other_dimension = dimensions.evaluate(statement.same_as, given, where=statement.where)
        if other_dimension == dimension:
            also = f"; it is {number(float(factor / other))} times {statement.same_as}"
    contradict(
        check, statement,
        f"{statement.called} = {statement.expression} is {result.spoken}, and {statement.unit} is {said.spoken}{also}",
    )  # fmt: skip


def steps(check: CheckFindings, statement: AirtimeStepsStatement) -> None:
    """How many of the steps of one byte change the time on air."""
    times = [
        on_air(StatedAirtime(sf=statement.sf, bytes=length)) for length in range(statement.low, statement.high + 1)
    ]
    changes = sum(one != two for one, two in pairwise(times))
    count = len(times) - 1
    check.looks += count
    if changes < statement.least * count:
        contradict(
            check, statement,
            f"one byte more changes the time on air in {changes} of {count} steps from {statement.low} to "
            f"{statement.high} bytes at SF{statement.sf}: the payload grows in whole groups of symbols",
            source="Semtech SX1276/77/78/79 data sheet, 4.1.1.7",
        )  # fmt: skip
