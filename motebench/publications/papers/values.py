"""Values that claims speak of: of a published table, or of our own results, in one form."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import Evidence
from motebench.base.naming import chooses
from motebench.base.shapes import part
from motebench.base.units import MAIN, METRICS, format_size, format_value, metric
from motebench.catalog import schemes
from motebench.catalog.published import Cell as Number
from motebench.catalog.published import Statistic, Table, read_tables
from motebench.documents.result import Measurement, Result
from motebench.publications.papers.checks import Names, Selector
from motebench.publications.papers.claims import WITHOUT, ClaimsFile, PaperSubject
from motebench.stats import (
    ALPHA,
    EQUIVALENT,
    FEWEST_EQUAL,
    ComparisonVerdict,
    compare_groups,
    compare_paired,
    compare_unpaired,
    pairs_for,
)
from motebench.stats.shape import Bounded
from motebench.targets.machine import host_of

_PLAIN = {"encrypt-message": "encrypt", "decrypt-message": "decrypt", "encrypt-new-key": "encrypt"}
_IN_FLASH = "-flash"
STATIC = ("flash", "static_ram", "flash_net", "static_ram_net")
"""Metrics of a whole firmware: the same for every operation and size."""
GROWING = (*MAIN, "peak_rss", "peak_rss_net")
"""Metrics that are a constant part and one that grows with the size."""
COUNTED = ("allocated", "state")
"""Metrics that a runtime or a probe counts: values that repeat have no noise."""


@dataclass(frozen=True, slots=True)
class ClaimSamples:
    """The values behind a measured one, and the round or the process of each. ``units``: each is
    the median of a process. ``starts``: the first round or process of each look but the first, in
    rising order."""

    values: tuple[float, ...]
    places: tuple[int, ...]
    units: bool = False
    starts: tuple[int, ...] = ()

    @property
    def repeats(self) -> bool:
        """True if all are alike, and there are enough to say so."""
        return len(self.values) >= FEWEST_EQUAL and min(self.values) == max(self.values)

    @property
    def looks(self) -> tuple[int, ...]:
        """The look that each value is of."""
        return tuple(bisect_right(self.starts, place) for place in self.places)

    def within(self, looks: Collection[int]) -> tuple[float, ...]:
        """Values of these looks."""
        return tuple(
            value for value, look in zip(self.values, self.looks, strict=True) if look in looks
        )


@dataclass(frozen=True, slots=True)
class ClaimRatio(Bounded):
    """A quotient of two values, its interval at the level of their family. ``least``, ``most``: its
    interval at the level of a comparison alone."""

    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """One value. ``size``: bytes as the paper names them; ``measured_size``: those that were used,
    with ``--scale``.

    ``value``: in the unit of the metric. Its interval is what printing left out, if published; else
    that of the median. ``samples``: of a measured value that has noise. ``level``: of a comparison
    with another value that contradicts a claim, which one of a family may do by chance; ``alone``:
    of one that agrees, as all must. ``resolution``: the difference that is not told apart.
    ``case``: measured. ``model``: what the board says that it is. ``uses``: the instructions for
    ciphers that it may have been computed with. ``stands_for``: devices of the paper; empty: any.
    ``printed``: the number as the paper prints it, with its unit. ``there``: of a value at another
    size than the published one, the value at that, by a line through the sizes that were measured;
    None where that is not known.
    """

    subject: str
    operation: str
    size: int
    device: str
    mode: str
    implementation: str
    metric: str
    value: Bounded
    evidence: Evidence
    source: str
    measured_size: int = 0
    scheme: str = ""
    samples: ClaimSamples | None = None
    level: float = ALPHA
    alone: float = ALPHA
    resolution: float = EQUIVALENT
    case: CaseId | None = None
    model: str = ""
    uses: frozenset[str] = frozenset()
    stands_for: Names = ()
    printed: str = ""
    there: Bounded | None = None

    @property
    def scaled(self) -> bool:
        """True if it was measured at another size than the published one."""
        return bool(self.measured_size) and self.measured_size != self.size

    def over(self, other: ClaimValue) -> Bounded:
        """The quotient with its interval: of the samples at `level`; without samples of the
        farthest ends.
        """
        if self.samples is None or other.samples is None or self.metric != other.metric:
            return self.value.over(other.value)
        counted = self.metric in COUNTED
        exact = counted and self.samples.repeats and other.samples.repeats
        pairs = pairs_for(1, self.level) if self.source == other.source else math.inf
        verdict = _compared(other.samples, self.samples, exact=exact, pairs=pairs)
        if verdict.ratio is None:
            return Bounded(self.value.over(other.value).value)
        return ClaimRatio(
            verdict.ratio,
            *_ends(verdict.bounds(self.level)),
            *_ends(verdict.bounds(max(self.level, self.alone))),
        )

    @property
    def words(self) -> str:
        """The value with its unit, in the paper's own digits where it printed them."""
        return self.printed or format_value(self.value.value, metric(self.metric).unit, 4)

    def part(self, name: str) -> str | int:
        """A dimension by its name in claims."""
        value: str | int = getattr(self, name)
        return value


def _ends(ends: tuple[float | None, float | None]) -> tuple[float | None, float | None]:
    """The interval; an end that no test rejects is nowhere, unless neither is known."""
    low, high = ends
    return (
        (None, None)
        if low is None and high is None
        else (low or 0.0, math.inf if high is None else high)
    )


def _compared(a: ClaimSamples, b: ClaimSamples, *, exact: bool, pairs: float) -> ComparisonVerdict:
    """B against A: by the rounds or processes that both have if these are ``pairs`` at least; else
    as two sets, since a busy machine disturbs other rounds of each.

    Sets have the looks alone that both were measured in: the machine has another speed in each.
    """
    left, right = (dict(zip(side.places, side.values, strict=True)) for side in (a, b))
    common = sorted(left.keys() & right.keys()) if a.units == b.units else []
    if len(common) >= pairs:
        return compare_paired(
            [left[place] for place in common], [right[place] for place in common], exact=exact
        )
    shared = set(a.looks) & set(b.looks) if pairs < math.inf else set()
    sets = [side.within(shared) if shared else side.values for side in (a, b)]
    if a.units or b.units:
        return compare_groups(*sets, exact=exact)
    return compare_unpaired(*sets, margin=0.0, exact=exact)


def stands_for(own: Collection[str], named: Collection[str]) -> bool:
    """True if values that stand for these devices of a paper alone (none: for any) count where
    others are named.
    """
    return not own or not set(own).isdisjoint(named)


def label(group: Mapping[str, str | int], cells: Iterable[ClaimValue] = ()) -> str:
    """The words for what a group of cells has in common.

    A smaller size that stands for one of the paper is named first, because the values belong to it.
    """
    used = {cell.measured_size for cell in cells if cell.measured_size}
    return ", ".join(
        _size(value, used) if isinstance(value, int) else value for value in group.values() if value
    )


def _size(printed: int, used: set[int]) -> str:
    if not used or used == {printed}:
        return format_size(printed)
    return f"{' and '.join(format_size(size) for size in sorted(used))} for {format_size(printed)}"


def library(implementation: str) -> str:
    """Common name of implementations of several ciphers: the library, where its tables lie, and the
    variant. ``mbedtls/des-flash@O2`` gives ``mbedtls-flash@O2``.

    ``mbedtls/des-flash@O2`` gives ``mbedtls-flash@O2``.
    """
    name, mark, variant = implementation.partition("@")
    return f"{name.partition('/')[0]}{_IN_FLASH if name.endswith(_IN_FLASH) else ''}{mark}{variant}"


def chosen(cells: Iterable[ClaimValue], only: Selector, *, ours: bool = False) -> list[ClaimValue]:
    """The cells that a selector means. Devices are names of the paper: they choose nothing among
    ``ours``.
    """
    return [cell for cell in cells if _has(cell, only, ours=ours) and _fits(cell, only)]


def _has(cell: ClaimValue, only: Selector, *, ours: bool) -> bool:
    """True if a cell has one of the values that a selector names."""
    named: tuple[tuple[Collection[object], object], ...] = (
        (only.subjects, cell.subject),
        (only.operations, cell.operation),
        (only.sizes, cell.size),
        (() if ours else only.devices, cell.device),
        (() if only.metric is None else (only.metric,), cell.metric),
    )
    return all(not values or value in values for values, value in named)


def _fits(cell: ClaimValue, only: Selector) -> bool:
    """True if implementation and mode of a cell fit the patterns of a selector."""
    implementation = not only.implementations or any(
        chooses(pattern, cell.implementation) for pattern in only.implementations
    )
    return implementation and (
        not only.modes or any(fnmatchcase(cell.mode, pattern) for pattern in only.modes)
    )


def mode_of(scheme: str) -> str:
    """Mode of a scheme of the catalog; empty without one."""
    entry = schemes().get(scheme)
    return (entry.mode or "") if entry is not None else ""


def operation_of(name: str) -> str:
    """``encrypt-file`` and ``encrypt-message`` are ``encrypt``."""
    return _PLAIN.get(name, name.removesuffix("-file"))


def interval_of(row: Measurement) -> Bounded:
    """Median with its interval. Without an interval, a measured value may lie anywhere.

    Simulated values have no noise: their ends are those of all places of the code that were
    simulated. Counts that repeat are exact.
    """
    if row.ci_low is not None and row.ci_high is not None:
        return Bounded(row.median, row.ci_low, row.ci_high)
    repeats = row.metric in COUNTED and row.n >= FEWEST_EQUAL and row.min == row.max
    if repeats or row.evidence == Evidence.SIMULATED.value:
        return Bounded(row.median, row.min, row.max)
    return Bounded(row.median)


@dataclass(frozen=True, slots=True)
class LookStarts:
    """The first round and the first process of each look but the first."""

    rounds: tuple[int, ...] = ()
    invocations: tuple[int, ...] = ()


ONE_LOOK = LookStarts()


def _samples(row: Measurement, starts: LookStarts) -> ClaimSamples | None:
    """The values of a row, if the document has them and they were measured: simulated ones have no
    noise.
    """
    units = row.batches is not None
    places = row.invocations if units else row.rounds
    if row.evidence != Evidence.MEASURED.value or not row.values or len(places) != len(row.values):
        return None
    return ClaimSamples(row.values, places, units, starts.invocations if units else starts.rounds)


def _fact(result: Result, target: str, name: str) -> object:
    """Fact that a run has of a target's machine; None for a microcontroller, and where the run has
    none.
    """
    environment = result.environment
    local = target in ("host", "command")
    return host_of(environment if local else part(part(environment, "machines"), target)).get(name)


def _used(result: Result, row: Measurement) -> frozenset[str]:
    """The instructions for ciphers that a measurement may have used: the processor has them, or it
    is not known.
    """
    if _fact(result, row.target, "architecture") is None:
        return frozenset()
    flags = _fact(result, row.target, "cpu_flags")
    return frozenset(
        name
        for name, (schemes, without) in WITHOUT.items()
        if (not isinstance(flags, Sequence) or name in flags)
        and fnmatchcase(row.scheme, schemes)
        and not any(fnmatchcase(row.implementation, glob) for glob in without)
    )


def own_cells(
    result: Result,
    subjects: Sequence[PaperSubject],
    sizes: Mapping[int, int] | None = None,
    starts: LookStarts = ONE_LOOK,
    stands_for: Names = (),
) -> list[ClaimValue]:
    """The cells of a result that are of a subject. ``sizes``: the published size of each that was
    measured. ``stands_for``: the devices of the paper that they stand for.

    A measurement that is not quotable is none, and neither is an empty file, which shows what a
    process costs.
    """
    cells_found: dict[ClaimValue, None] = {}
    for row in result.measurements:
        if not row.quotable or (row.file is not None and not row.input_bytes):
            continue
        for subject in subjects:
            if row.scheme not in subject.schemes:
                continue
            if subject.implementations and not any(
                chooses(pattern, row.implementation) for pattern in subject.implementations
            ):
                continue
            whole = row.metric in STATIC
            cell = ClaimValue(
                subject=subject.name,
                operation="" if whole else operation_of(row.operation),
                size=0 if whole else (sizes or {}).get(row.input_bytes, row.input_bytes),
                device=row.target,
                mode=mode_of(row.scheme),
                implementation=row.implementation,
                metric=row.metric,
                value=interval_of(row),
                evidence=Evidence(row.evidence),
                source=result.run.name,
                measured_size=0 if whole else row.input_bytes,
                scheme=row.scheme,
                samples=_samples(row, starts),
                case=row.id,
                model=str(_fact(result, row.target, "board") or ""),
                uses=_used(result, row),
                stands_for=stands_for,
            )
            cells_found[cell] = None
    return at_published_sizes(list(cells_found))


def at_published_sizes(cells: Sequence[ClaimValue]) -> list[ClaimValue]:
    """The cells; those at smaller sizes with what a line through the least and the largest size
    gives at the published one, where there are two."""
    rows: dict[tuple[str, ...], list[ClaimValue]] = {}
    for cell in cells:
        rows.setdefault(_row(cell), []).append(cell)
    return [
        replace(cell, there=_on_line(rows[_row(cell)], cell.size))
        if cell.scaled and cell.metric in GROWING
        else cell
        for cell in cells
    ]


def _row(cell: ClaimValue) -> tuple[str, ...]:
    """Properties that the sizes of a case have in common."""
    return cell.subject, cell.scheme, cell.operation, cell.device, cell.implementation, cell.metric


def _on_line(cells: Sequence[ClaimValue], size: int) -> Bounded | None:
    """The value at a size, with the farthest ends of the two that the line goes through."""
    least, most = (pick(cells, key=lambda cell: cell.measured_size) for pick in (min, max))
    if least.measured_size == most.measured_size or not (least.value.known and most.value.known):
        return None
    far = (size - most.measured_size) / (most.measured_size - least.measured_size)

    def at(near: float | None, start: float | None) -> float:
        """The line from a start through the value near to the size."""
        assert near is not None and start is not None
        return near + far * (near - start)

    value, low, high = (
        at(most.value.value, least.value.value),
        at(most.value.low, least.value.high),
        at(most.value.high, least.value.low),
    )
    return Bounded(value, low, high) if low > 0 else None


_MEAN = (Statistic.MEAN, Statistic.VALUE)
"""Statistics that are the value itself."""
_NS = 1e9


def published_cells(folder: Path, paper: ClaimsFile) -> list[ClaimValue]:
    """Every value of the tables that is of a subject and of a metric we know. InputError with file
    and line.
    """
    return [
        *(cell for table in read_tables(folder) for cell in _of_table(table, paper)),
        *_stated(paper),
    ]


def _stated(paper: ClaimsFile) -> list[ClaimValue]:
    """Values of the text; of a throughput also the time."""
    values = []
    for item in paper.stated:
        low, high = item.bounds
        value = Bounded((low + high) / 2, low, high)
        for subject in item.subjects:
            for device in item.devices:
                cell = ClaimValue(
                    subject=subject,
                    operation=item.operation,
                    size=item.size,
                    device=device,
                    mode="",
                    implementation="",
                    metric=item.metric,
                    value=value,
                    evidence=Evidence.PUBLISHED,
                    source=item.where,
                    measured_size=item.size,
                    printed=item.said,
                )
                values.append(cell)
                if item.metric == "throughput":
                    time = Bounded.exact(item.size * _NS).over(value)
                    values.append(replace(cell, metric="time", value=time, printed=""))
    return values


def _of_table(table: Table, paper: ClaimsFile) -> list[ClaimValue]:
    source = Path(table.source)
    values = []
    for number in table.cells:
        name = paper.metrics.get(number.metric)
        if name is None or number.statistic not in _MEAN:
            continue
        size = _published_size(number, paper)
        for subject in _subjects(number, paper.subject):
            values.append(
                ClaimValue(
                    subject=subject.name,
                    operation=number.label("operation"),
                    size=size,
                    device=number.label("device"),
                    mode=number.label("mode").lower(),
                    implementation=number.label("implementation"),
                    metric=name,
                    value=_value(number, METRICS[name].unit, f"{source}:{number.line}"),
                    evidence=Evidence.PUBLISHED,
                    source=source.stem,
                    measured_size=size,
                    printed=_printed(number),
                )
            )
    return values


def _printed(number: Number) -> str:
    """The number with its unit as they stand on the page, and the unit that is meant where it is
    another one.
    """
    text = f"{number.number.text} {number.unit_printed}"
    if number.unit == number.unit_printed:
        return text
    return f"{text} (read as {number.unit})"


def _published_size(number: Number, paper: ClaimsFile) -> int:
    for slip in paper.reread:
        if all(number.label(key) == value for key, value in slip.columns.items()):
            return slip.input_bytes
    return number.size or 0


def _subjects(number: Number, subjects: Sequence[PaperSubject]) -> list[PaperSubject]:
    return [
        subject
        for subject in subjects
        if subject.published
        and all(number.label(key) == value for key, value in subject.published.items())
    ]


def _value(number: Number, unit: str, where: str) -> Bounded:
    """Value in ``unit``, with the interval that rounding to the printed digits leaves open."""
    printed, own = dimensions.unit(number.unit), dimensions.unit(unit)
    if printed is None or own is None or printed.dimension != own.dimension:
        raise InputError(
            f"unit {number.unit!r} cannot be converted to {unit}",
            where=where,
            valid=f"a unit of {own.spoken if own else 'another metric'}",
        )
    factor, half = printed.factor / own.factor, number.number.half
    return Bounded(
        *(float(end * factor) for end in (number.value, number.value - half, number.value + half))
    )
