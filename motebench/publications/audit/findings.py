"""Findings of a check, the rule behind each check, and the rows of tables that checks look at.

A rule has a formula and where it comes from. A row is cells with the same labels, with their names
for readers, the algorithm that a label means, and how far means scatter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from statistics import median

from motebench.base import quantities as dimensions
from motebench.catalog.lookup import algorithms
from motebench.catalog.published import Cell, Statistic, Table
from motebench.catalog.schema import Algorithm
from motebench.documents.papers import CellEntry, Certainty, FindingEntry, Weight

_UNSAID = {
    "time": dimensions.Unit(Fraction(1), dimensions.TIME),
    "cycles": dimensions.Unit(Fraction(1), dimensions.CYCLES),
}


_SHOWN = ("algorithm", "mode", "key_bits", "operation", "input_bytes", "part")


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
        texts = []
        for name in self._shown:
            text = cell.label(name)
            if text and name not in without:
                block = f"block {text}" if name == "part" else text
                texts.append(size_text(int(text)) if name == "input_bytes" else block)
        return " ".join(texts)

    def of(self, cell: Cell) -> str:
        """The labels, with metric and statistic where the table has several."""
        texts = [self.labels(cell)]
        if self._metric:
            texts.append(cell.metric)
        if self._statistic:
            texts.append(str(cell.statistic))
        return " ".join(filter(None, texts)) or f"line {cell.line}"

    def entry(self, cell: Cell, computed: str) -> CellEntry:
        """The cell in a finding."""
        return CellEntry(
            cell=self.of(cell), line=cell.line, printed=cell.number.text, computed=computed
        )


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


NO_WORK = re.compile(
    r"\b(?:life\w*|battery|autonom\w*|interval|period|standby|idle|sleep\w*|until|between|"
    r"lebens\w*)\b"
)
"""Words of times that are not those of an operation."""


def unit_of(cell: Cell) -> dimensions.Unit | None:
    """Unit of a cell; a time without one has its own dimensionless unit. None for an unknown
    unit.
    """
    if cell.unit_printed:
        return dimensions.unit(cell.unit_printed)
    return _UNSAID.get(cell.metric)


def groups(table: Table) -> list[CellGroup]:
    """The rows of a table, metric by metric, in its order."""
    by_row: dict[tuple[tuple[tuple[str, str], ...], str], dict[str, Cell]] = {}
    for cell in table.cells:
        key = tuple(sorted(cell.labels.items())), cell.metric
        by_row.setdefault(key, {}).setdefault(cell.statistic, cell)
    return [CellGroup(labels, metric, cells) for (labels, metric), cells in by_row.items()]


def by_metric(table: Table) -> dict[str, list[CellGroup]]:
    """The groups by metric."""
    by_name: dict[str, list[CellGroup]] = {}
    for group in groups(table):
        by_name.setdefault(group.metric, []).append(group)
    return by_name


def without(cell: Cell, *names: str) -> tuple[tuple[str, str], ...]:
    """The labels of a cell but these, as a key."""
    return tuple(sorted((name, text) for name, text in cell.labels.items() if name not in names))


_OTHER_NAMES = {
    "tdes": "3des",
    "tripledes": "3des",
    "des3": "3des",
    "desede": "3des",
    "tdea": "3des",
    "arc4": "rc4",
    "arcfour": "rc4",
    "arc2": "rc2",
    "rijndael": "aes",
    "xchacha": "xchacha20-poly1305",
    "xchacha20": "xchacha20-poly1305",
    "chacha": "chacha20",
    "salsa": "salsa20",
    "sha": "sha2",
    "sha256": "sha2",
    "sha512": "sha2",
    "ascon": "ascon-aead128",
}
_LEAST_LETTERS = 3


def plain(text: str) -> str:
    """Letters and digits alone, in small letters."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@cache
def _by_name() -> dict[str, str]:
    names = {
        plain(word): id_
        for id_, algorithm in algorithms().items()
        for word in (id_, algorithm.name)
    }
    return {**_OTHER_NAMES, **names}


@cache
def algorithm(text: str) -> Algorithm | None:
    """The algorithm of the catalog that a paper's name (``AES-CBC``, ``3DES``, ``TDES``) means;
    None if none does.
    """
    names = _by_name()
    name = plain(text)
    if len(name) < _LEAST_LETTERS:
        return None
    if name in names:
        return algorithms().get(names[name])
    first = plain(re.split(r"[-_ /(]", text.strip().lower())[0])
    without_bits = re.sub(r"(128|192|256|2048|4096|1024)(bits?)?$", "", first)
    return algorithms().get(names.get(without_bits, names.get(first, "")))


SURE = 4.5
"""Standard errors by which two means must differ: by chance once in 150,000 comparisons."""
_UNCENTRED = (0.97, 1.5)
_WILD = 0.25
_FEW = 50
_CAREFUL = 3.0


class Scatter:
    """Relative standard errors of the means of a table; None where it has no spread or no number of
    readings.

    A "variance" that is a mean of squares (variance / mean^2 near 1 in the whole table) is centred
    first, by the divisor that its column shows; no row then scatters less than half as much as is
    usual at its size.
    """

    def __init__(self, table: Table) -> None:
        self._errors: dict[tuple[int, str, str], float] = {}
        by_metric: dict[str, list[tuple[Cell, Statistic, float]]] = {}
        for cell, statistic, square in _relative_squares(table):
            by_metric.setdefault(cell.metric, []).append((cell, statistic, square))
        for squares in by_metric.values():
            near_one = sum(_UNCENTRED[0] < square < _UNCENTRED[1] for _, _, square in squares)
            uncentred = len(squares) >= 5 and near_one >= 0.7 * len(squares)
            centre = _Centre(table, squares) if uncentred else None
            for cell, statistic, square in squares:
                centred = centre.of(cell, square) if centre else square
                n = table.repetitions or table.readings.get(cell.line)
                if statistic is Statistic.SEM:
                    self._errors[self._key(cell)] = math.sqrt(centred)
                elif n and n > 1:
                    # The spread of a few readings with a long tail says too little of itself.
                    wild = _CAREFUL if centred > _WILD and n < _FEW else 1.0
                    self._errors[self._key(cell)] = wild * math.sqrt(centred / n)

    @staticmethod
    def _key(cell: Cell) -> tuple[int, str, str]:
        return cell.line, cell.metric, cell.label("operation")

    def of(self, *cells: Cell) -> float | None:
        """Relative standard error of the ratio of two means, or of one mean."""
        errors = [self._errors.get(self._key(cell)) for cell in cells]
        if any(error is None for error in errors):
            return None
        return math.sqrt(sum((error or 0.0) ** 2 for error in errors))

    def less(self, first: Cell, second: Cell) -> bool:
        """True if the first mean is below the second by more than their errors, as far as these are
        known.
        """
        errors = [(self.of(cell) or 0.0) * float(cell.number) for cell in (first, second)]
        return float(second.number) - float(first.number) > SURE * math.hypot(*errors)

    def apart(self, first: Cell, second: Cell) -> float | None:
        """Standard errors by which the second mean is above the first; None where one of them is
        not known.
        """
        errors = [self.of(cell) for cell in (first, second)]
        if errors[0] is None or errors[1] is None:
            return None
        error = math.hypot(errors[0] * float(first.number), errors[1] * float(second.number))
        return (float(second.number) - float(first.number)) / error if error else math.inf


_KINDS = {"sign": "encrypt", "verify": "decrypt"}


class _Centre:
    """Remainder of relative mean squares without the square of the mean."""

    def __init__(self, table: Table, squares: Sequence[tuple[Cell, Statistic, float]]) -> None:
        n = table.repetitions or 0
        least = n / (n - 1) if n > 1 else 1.0
        columns: dict[str, list[bool]] = {}
        for cell, _, square in squares:
            most = square * (1 + 2 * float(cell.number.half / cell.number.value))
            columns.setdefault(self._column(cell), []).append(most < least)
        # A sum of squares over n - 1 is nowhere below n / (n - 1) squares of the mean, but for
        # slips.
        self._taken = {
            column: least if sum(below) <= max(1, len(below) // 8) else 1.0
            for column, below in columns.items()
        }
        usual: dict[int | None, list[float]] = {}
        for cell, _, square in squares:
            usual.setdefault(cell.size, []).append(self._left(cell, square))
        self._usual = {size: median(values) for size, values in usual.items()}

    @staticmethod
    def _column(cell: Cell) -> str:
        return _KINDS.get(cell.label("operation"), cell.label("operation"))

    def _left(self, cell: Cell, square: float) -> float:
        return max(0.0, square - self._taken[self._column(cell)])

    def of(self, cell: Cell, square: float) -> float:
        """The squared spread of a row over its squared mean."""
        return max(self._left(cell, square), self._usual[cell.size] / 4)


def _relative_squares(table: Table) -> Iterator[tuple[Cell, Statistic, float]]:
    """The squared spread of each row over its squared mean, and the statistic of the spread."""
    for group in groups(table):
        cell, spread = group.central, group["variance"] or group["sd"] or group["sem"]
        if cell and spread and cell.number.value > 0 and spread.number.value >= 0:
            power = 1 if spread.statistic is Statistic.VARIANCE else 2
            yield cell, spread.statistic, float(spread.number) ** power / float(cell.number) ** 2


_GRIM = "Brown and Heathers 2017, Soc. Psychol. Personal. Sci. 8(4), 363-369"
_GRIMMER = (
    "Anaya 2016, PeerJ Preprints 4:e2400v1; Heathers et al. 2018 (SPRITE), PeerJ Preprints "
    "6:e26968v1"
)


@dataclass(frozen=True, slots=True)
class CheckRule:
    """Check of the audit: its computation and its source."""

    formula: str
    reference: str


RULES = {
    "sd-variance": CheckRule("sd = sqrt(variance), both with their rounding", "ISO 3534-1:2006"),
    "second-moment": CheckRule(
        "mean of squares = mean^2 + variance: variance / mean^2 >= 1 in every row",
        "ISO 3534-1:2006, moments",
    ),
    "mean-variance": CheckRule(
        "sum of squares / n >= mean^2 (Jensen)", "Jensen 1906, Acta Math. 30, 175-193"
    ),
    "divisor": CheckRule(
        "variance (n - 1) or variance n, in steps of the resolution squared, must be possible",
        _GRIMMER,
    ),
    "sem": CheckRule("standard error = sd / sqrt(n)", "JCGM 100:2008 (GUM), 4.2.3"),
    "sd-bound": CheckRule(
        "sd^2 <= (max - mean)(mean - min) n / (n - 1); readings >= 0: sd <= mean sqrt(n)",
        "Popoviciu 1935; Bhatia and Davis 2000, Am. Math. Mon. 107(4), 353-357",
    ),
    "range": CheckRule("minimum <= mean, median <= maximum", "definition"),
    "grim": CheckRule("mean n / resolution is a whole number, within rounding", _GRIM),
    "grimmer": CheckRule(
        "sum of squares of n whole numbers is whole, and as even or odd as their sum", _GRIMMER
    ),
    "repeated-label": CheckRule(
        "two rows have the same labels", "comparison of the printed labels"
    ),
    "repeated-row": CheckRule(
        "rows with different labels have equal numbers", "comparison of the printed numbers"
    ),
    "equal-cells": CheckRule(
        "chance = pairs x step / (spread of differences x sqrt(2 pi))", "normal density at 0"
    ),
    "digit-slip": CheckRule(
        "log10(cell) = row + column, by medians; one cell off by 1 or 2",
        "Tukey 1977, Exploratory Data Analysis, ch. 11",
    ),
    "falling-time": CheckRule(
        "time grows with input size", "a longer input contains the shorter one's work"
    ),
    "falling-throughput": CheckRule(
        "time = fixed + size / speed: size / time cannot fall",
        "Hockney and Jesshope 1988, Parallel Computers 2",
    ),
    "common-speed": CheckRule(
        "size / time, equal for different ciphers",
        "bottleneck law: Denning and Buzen 1978, ACM Comput. Surv. 10(3), 225-261",
    ),
    "too-exact": CheckRule(
        "time(k size) = k time(size) to the last digit; chance 1 / k each",
        "rounding of an unknown last digit is uniform",
    ),
    "constant-ratio": CheckRule(
        "a / b equal in every row, within rounding", "rounding intervals of both cells"
    ),
    "rounds": CheckRule(
        "time = a + b rounds: share of b = (t2 / t1 - 1) / (r2 / r1 - 1)",
        "rounds of FIPS 197 and FIPS 46-3",
    ),
    "key-size": CheckRule(
        "time(longer key) / time(shorter key) by rounds",
        "FIPS 197, section 5 (AES: 10, 12, 14 rounds)",
    ),
    "direction": CheckRule(
        "decryption / encryption; 1 for Feistel and stream ciphers",
        "FIPS 46-3: the same rounds in reverse order",
    ),
    "signature": CheckRule(
        "private / public operation ~ bits / 17 x 1.5; sign(2 bits) / sign(bits) ~ 2^3 = 8 (at "
        "most 8, at least 4)",
        "Menezes et al. 1996, Handbook of Applied Cryptography, 14.6",
    ),
    "product": CheckRule(
        "one column is a product of others (P = V I, E = P t, throughput = size / time)",
        "SI Brochure, 9th ed., 2.3.4",
    ),
    "derived": CheckRule(
        "one column from others in each row, with the rounding of every printed digit",
        "arithmetic of the printed numbers",
    ),
    "summary-row": CheckRule(
        "the sum or the mean of the rows above, with their rounding", "the printed numbers"
    ),
    "share": CheckRule("part / whole <= 100 %", "definition"),
    "swapped": CheckRule(
        "log10(cell) = row + column, by medians; two cells of a column fit each in the other's "
        "place",
        "Tukey 1977, Exploratory Data Analysis, ch. 11",
    ),
    "same-information": CheckRule(
        "column a = constant x column b, within rounding", "rounding intervals of both cells"
    ),
    "dimension": CheckRule(
        "both sides of a formula have the same dimension", "SI Brochure, 9th ed., 2.3.3 and 5.4"
    ),
    "statement": CheckRule(
        "the sentence, computed from the printed numbers", "the paper's own numbers"
    ),
    "statements": CheckRule(
        "two sentences that cannot both hold", "order and equality are transitive"
    ),
    "fact": CheckRule("a stated fact against the catalog", "motebench describe NAME"),
    "confounded": CheckRule(
        "each subject has one means, and subjects differ in it",
        "Montgomery 2017, Design and Analysis of Experiments",
    ),
    "announced": CheckRule(
        "what the method announces = what the tables have", "comparison of the labels"
    ),
    "inverse": CheckRule(
        "the steps of decryption are the inverses of those of encryption, the last first",
        "(f g)^-1 = g^-1 f^-1",
    ),
    "clock": CheckRule(
        "ratio of speeds = ratio of clocks, for one core only",
        "time = instructions x clocks per instruction / clock",
    ),
    "packet": CheckRule("data <= the largest payload of a packet", "data sheet of the radio"),
    "padding": CheckRule(
        "input bytes / block bytes is a whole number", "NIST SP 800-38A, appendix A"
    ),
    "judged": CheckRule(
        "what has the same property is judged alike for it", "motebench describe NAME"
    ),
    "other-sitting": CheckRule(
        "memory(larger input) >= memory(smaller input), by means and their standard errors",
        "a longer input needs no less memory",
    ),
    "step-slip": CheckRule(
        "size(more input) - size(less input) is the same for all, to one digit of one cell",
        "comparison of the printed numbers",
    ),
    "reference": CheckRule(
        "a table or figure that the text names exists and is about it", "comparison of the labels"
    ),
}


@dataclass(slots=True)
class CheckFindings:
    """Findings of a check, and the number of cells, rows or pairs that it could look at."""

    check: str
    looks: int = 0
    findings: list[FindingEntry] = field(default_factory=list)

    def add(
        self,
        weight: Weight,
        certainty: Certainty,
        where: str,
        sentence: str,
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
                what=sentence,
                quote=quote,
                cells=tuple(cells),
                formula=rule.formula,
                reference=reference or rule.reference,
            )
        )

    def rest(self, basis: Sequence[CellEntry]) -> None:
        """Cells that the last finding was computed from, and does not show."""
        self.findings[-1] = replace(self.findings[-1], basis=tuple(basis))


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
