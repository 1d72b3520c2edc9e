"""What a check gives back, and how cells are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from motebench.base import dimensions
from motebench.catalog.published import Cell, Table
from motebench.documents.audit import CellEntry, Certainty, FindingEntry, Weight
from motebench.publications.audit.rules import RULES

_UNSAID = {
    "time": dimensions.Unit(Fraction(1), dimensions.TIME), "cycles": dimensions.Unit(Fraction(1), dimensions.CYCLES),
}  # fmt: skip
_SHOWN = ("algorithm", "mode", "key_bits", "operation", "input_bytes", "part")


@dataclass(slots=True)
class CheckFindings:
    """How often a check could look, and what it found."""

    check: str
    looks: int = 0
    findings: list[FindingEntry] = field(default_factory=list)

    def add(
        self,
        weight: Weight,
        certainty: Certainty,
        where: str,
        what: str,
        cells: Sequence[CellEntry] = (),
        *,
        quote: str | None = None,
        reference: str | None = None,
    ) -> None:
        """One more finding."""
        rule = RULES[self.check]
        self.findings.append(
            FindingEntry(
                check=self.check,
                weight=weight,
                certainty=certainty,
                where=where,
                what=what,
                quote=quote,
                cells=tuple(cells),
                formula=rule.formula,
                reference=reference or rule.reference,
            )
        )


def number(value: float, digits: int = 4) -> str:
    """A number for readers: four significant digits, no exponent where it can be avoided."""
    if value == 0:
        return "0"
    if 1e-4 <= abs(value) < 1e7:
        rounded = float(f"{value:.{digits}g}")
        return f"{rounded:.10f}".rstrip("0").rstrip(".") if abs(rounded) < 1e6 else f"{rounded:.0f}"
    return f"{value:.{digits}g}"


def size_text(size: int) -> str:
    """An input size in decimal units, as papers print it."""
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


class CellNames:
    """Names of the cells of a table: without labels that are the same everywhere."""

    def __init__(self, table: Table) -> None:
        values: dict[str, set[str]] = {}
        for cell in table.cells:
            for name in (*_SHOWN, *cell.labels):
                values.setdefault(name, set()).add(cell.label(name))
        metrics = {cell.metric for cell in table.cells}
        statistics = {cell.statistic for cell in table.cells}
        self._shown = [name for name in values if len(values[name]) > 1 or name == "algorithm"]
        self._metric = len(metrics) > 1
        self._statistic = len(statistics) > 1

    def labels(self, cell: Cell, without: Iterable[str] = ()) -> str:
        """``AES CBC 128 decrypt 1 GB``."""
        words = []
        for name in self._shown:
            text = cell.label(name)
            if text and name not in without:
                words.append(
                    size_text(int(text)) if name == "input_bytes" else f"block {text}" if name == "part" else text
                )
        return " ".join(words)

    def of(self, cell: Cell) -> str:
        """The labels, with metric and statistic where the table has several."""
        words = [self.labels(cell)]
        if self._metric:
            words.append(cell.metric)
        if self._statistic:
            words.append(str(cell.statistic))
        return " ".join(filter(None, words)) or f"line {cell.line}"

    def entry(self, cell: Cell, computed: str) -> CellEntry:
        """The cell in a finding."""
        return CellEntry(cell=self.of(cell), line=cell.line, printed=cell.number.text, computed=computed)


@dataclass(frozen=True, slots=True)
class CellGroup:
    """The statistics of one metric of one row."""

    labels: tuple[tuple[str, str], ...]
    metric: str
    cells: dict[str, Cell]

    def __getitem__(self, statistic: str) -> Cell | None:
        return self.cells.get(statistic)

    @property
    def central(self) -> Cell | None:
        """Mean, median or single value."""
        return next((cell for cell in self.cells.values() if cell.statistic.central), None)


def unit_of(cell: Cell) -> dimensions.Unit | None:
    """The unit of a cell; a time without one is a time in units of its own. None if it is not known."""
    if cell.unit_printed:
        return dimensions.unit(cell.unit_printed)
    return _UNSAID.get(cell.metric)


def groups(table: Table) -> list[CellGroup]:
    """The rows of a table, metric by metric, in its order."""
    found: dict[tuple[tuple[tuple[str, str], ...], str], dict[str, Cell]] = {}
    for cell in table.cells:
        key = tuple(sorted(cell.labels.items())), cell.metric
        found.setdefault(key, {}).setdefault(cell.statistic, cell)
    return [CellGroup(labels, metric, cells) for (labels, metric), cells in found.items()]


def by_metric(table: Table) -> dict[str, list[CellGroup]]:
    """The groups by metric."""
    found: dict[str, list[CellGroup]] = {}
    for group in groups(table):
        found.setdefault(group.metric, []).append(group)
    return found


def without(cell: Cell, *names: str) -> tuple[tuple[str, str], ...]:
    """The labels of a cell but these, as a key."""
    return tuple(sorted((name, text) for name, text in cell.labels.items() if name not in names))
