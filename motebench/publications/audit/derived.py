"""Columns and rows that are computed from others: sums, differences, means, shares, ratios,
speed-ups, overheads, values relative to a row, growth.

A formula is not taken from a header: it is one that most rows fulfil to the last printed digit,
more closely than chance allows. Rows that do not fulfil it are findings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from statistics import geometric_mean, harmonic_mean, median

from motebench.base import quantities as dimensions
from motebench.catalog.published import Printed
from motebench.documents.papers import CellEntry, Certainty, Weight
from motebench.publications.audit.columns import ColumnRole, english, parts
from motebench.publications.audit.findings import CheckFindings, number

_MOST_COLUMNS, _MOST_ROWS = 16, 200
_LEAST_ROWS = 3
_AGREE = 0.65
_CHANCE = 3.0
"""Decimal exponent of the chance that a formula fits by accident, for columns whose header says
"computed".
"""
_CHANCE_UNNAMED = 6.0
_FEW_PERCENT = 0.05
_PER_TIME = re.compile(
    r"\b(?:per|pro|par|por|al|je) (day|tag|jour|dia|hour|stunde|heure|hora|minute|second)\b"
)
_PERIODS = {
    "day": 86400,
    "tag": 86400,
    "jour": 86400,
    "dia": 86400,
    "hour": 3600,
    "stunde": 3600,
    "heure": 3600,
    "hora": 3600,
    "minute": 60,
    "second": 1,
}
_KINDS = {
    "total": "sum",
    "sum": "sum",
    "overall": "sum",
    "mean": "mean",
    "difference": "difference",
    "diff": "difference",
    "delta": "difference",
    "speedup": "ratio",
    "ratio": "ratio",
    "relative": "ratio",
    "normalized": "ratio",
    "normalised": "ratio",
    "share": "ratio",
    "percentage": "ratio",
    "factor": "ratio",
    "slowdown": "ratio",
    "efficiency": "ratio",
    "cv": "ratio",
    "rsd": "ratio",
    "overhead": "change",
    "improvement": "change",
    "reduction": "change",
    "saving": "change",
    "savings": "change",
    "increase": "change",
    "decrease": "change",
    "growth": "change",
    "change": "change",
    "gain": "change",
    "vs": "ratio",
    "versus": "ratio",
    "faster": "ratio",
    "slower": "ratio",
}
"""The kind of formula that a word of a header names."""
_NAMED = 3.0
"""Weight of a formula's name in the header, as an exponent of chance."""
_WHOLE = -1.5
"""The exponent of chance from which a formula of all rows explains a column that is named as
computed.
"""
_SLIPS = (
    (1000.0, "1000"),
    (1024.0, "1024"),
    (8.0, "8 (bits for bytes)"),
    (1e6, "10^6"),
    (100.0, "100"),
    (60.0, "60"),
)


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A row of numbers by column, each with its unit. ``summary``: ``sum``, ``mean``, ... of the
    rows above.
    """

    line: int
    label: str
    numbers: Mapping[int, tuple[Printed, str]]
    summary: str = ""
    group: int = 0


@dataclass(frozen=True, slots=True)
class ColumnTable:
    """A table by columns, as it stands on the page."""

    name: str
    headers: tuple[str, ...]
    roles: tuple[ColumnRole, ...]
    rows: tuple[NumberRow, ...]

    @property
    def measures(self) -> bool:
        """True if it has a column of numbers that are no labels."""
        return any(
            self.roles[place].kind in ("number", "derived")
            for row in self.rows
            for place in row.numbers
        )


@dataclass(frozen=True, slots=True)
class _RoundedNumber:
    """Range of a number by its rounding, in base units, and how it stands on the page."""

    low: float
    high: float
    text: str

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class _Computed:
    """Result of a formula in a row: bounds, the computation in printed numbers, and the difference
    that would be noticed."""

    low: float
    high: float
    text: str
    scale: float

    def times(self, factor: float) -> _Computed:
        """The same in another unit."""
        return _Computed(self.low * factor, self.high * factor, self.text, self.scale * factor)


_Formula = Callable[[int], _Computed | None]
"""Result of a formula in a row, by the row's number; None where a number is absent."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Formula for a column: its words, its columns, and its values."""

    text: str
    columns: frozenset[int]
    give: _Formula
    linear: bool = False
    """True if sums alone are in it, so that rounding is all that can differ."""
    kind: str = "ratio"


@dataclass(frozen=True, slots=True)
class _Fit:
    """Fit of a formula: rows that agree, rows that do not, and the exponent of the chance of it."""

    candidate: _Candidate
    agree: tuple[int, ...]
    differ: tuple[int, ...]
    exponent: float


class _NumberColumns:
    """Numbers of the rows except sums and means, by column, with the intervals of their
    rounding.
    """

    def __init__(self, table: ColumnTable) -> None:
        self.table = table
        self.rows = [row for row in table.rows if not row.summary][:_MOST_ROWS]
        self.places = [
            place
            for place in range(len(table.headers))
            if any(place in row.numbers for row in self.rows)
        ][:_MOST_COLUMNS]
        self._zeros = {
            place: _common_zeros(
                [row.numbers[place][0] for row in table.rows if place in row.numbers]
            )
            for place in self.places
        }
        self._all: dict[int, list[_RoundedNumber | None]] = {}
        self.rough = False
        """Whether zeros at the end of a whole number are taken for mere places, but for two digits.
        """
        self.units = {place: self._unit(place) for place in self.places}

    def _unit(self, place: int) -> dimensions.Unit | None:
        """Unit of a column; None if it has none, or several."""
        units = {row.numbers[place][1] for row in self.table.rows if place in row.numbers}
        unit = dimensions.unit(units.pop()) if len(units) == 1 else None
        per = _PER_TIME.search(english(self.table.headers[place]))
        if per is None or (unit is not None and unit.dimension[0] < 0):
            return unit
        # "Energy per day (mJ)"
        time = _PERIODS[per[1]]
        unit = unit or dimensions.Unit(Fraction(1), dimensions.NONE)
        return dimensions.Unit(
            unit.factor / time,
            tuple(a - b for a, b in zip(unit.dimension, dimensions.TIME, strict=True)),
        )

    def dimension(self, place: int) -> dimensions.Dimension:
        """The dimension of a column; none for one without a unit."""
        unit = self.units[place]
        return unit.dimension if unit else dimensions.NONE

    def factor(self, place: int) -> float:
        """Value of 1 of the column, in base units."""
        unit = self.units[place]
        return float(unit.factor) if unit else 1.0

    def value(self, row: NumberRow, place: int, raw: bool = False) -> _RoundedNumber | None:
        """The bounds of a number, in base units or as printed."""
        given = row.numbers.get(place)
        if given is None:
            return None
        printed, _ = given
        zeros = max(self._zeros[place], _own_zeros(printed) if self.rough else 0)
        half = float(printed.half) * 10 ** (zeros if printed.value.denominator == 1 else 0)
        factor = 1.0 if raw else self.factor(place)
        unit = self.units[place]
        if (
            unit
            and unit.dimension == dimensions.DATA
            and printed.value.denominator == 1
            and not self._zeros[place]
        ):
            half = 0.0 if printed.half == Fraction(1, 2) and unit.factor <= 1 else half
        elif self.table.roles[place].kind in ("label", "readings", "size"):
            half = 0.0
        middle = float(printed)
        return _RoundedNumber((middle - half) * factor, (middle + half) * factor, printed.text)

    def at(self, index: int, place: int, raw: bool = False) -> _RoundedNumber | None:
        """The same by the number of the row."""
        return self.value(self.rows[index], place, raw) if 0 <= index < len(self.rows) else None

    def all(self, place: int) -> list[_RoundedNumber | None]:
        """The numbers of a column, as printed if it has no unit."""
        if place not in self._all:
            raw = self.units[place] is None
            self._all[place] = [self.at(index, place, raw) for index in range(len(self.rows))]
        return self._all[place]


def _own_zeros(printed: Printed) -> int:
    """Zeros at the end of a whole number after its first two digits."""
    text = str(abs(printed.value.numerator)) if printed.half == Fraction(1, 2) else "1"
    return max(0, min(len(text) - len(text.rstrip("0")), len(text) - 2))


def _common_zeros(numbers: Sequence[Printed]) -> int:
    """Zeros at the end of all whole numbers of a column: they may be mere places."""
    whole = [
        str(abs(number.value.numerator))
        for number in numbers
        if number.value.denominator == 1 and number.value
    ]
    nominal = all(len(text.rstrip("0")) == 1 for text in whole)
    if len(set(whole)) < 2 or len(whole) < len(numbers) or nominal:
        return 0
    return min(len(text) - len(text.rstrip("0")) for text in whole)


# Formulas


def _sum(values: Sequence[_RoundedNumber], divisor: int = 1) -> _Computed:
    low, high = (
        sum(value.low for value in values) / divisor,
        sum(value.high for value in values) / divisor,
    )
    least = max(min(abs(value.middle) for value in values), (low + high) / 20)
    if divisor > 1:
        least = max(value.middle for value in values) - min(value.middle for value in values)
    text = (
        " + ".join(value.text for value in values)
        if len(values) <= 6
        else f"the sum of {len(values)}"
    )
    return _Computed(low, high, f"({text}) / {divisor}" if divisor > 1 else text, least)


def _quotient(left: _RoundedNumber, right: _RoundedNumber, power: float = 1.0) -> _Computed | None:
    if right.low <= 0 or left.high < 0:
        return None
    low, high = max(left.low, 0.0) / right.high * power, left.high / right.low * power
    times = f" x {power:g}" if power != 1 else ""
    return _Computed(low, high, f"{left.text} / {right.text}{times}", (low + high) / 4)


def _product(left: _RoundedNumber, right: _RoundedNumber) -> _Computed | None:
    if left.low < 0 or right.low < 0:
        return None
    low, high = left.low * right.low, left.high * right.high
    return _Computed(low, high, f"{left.text} x {right.text}", (low + high) / 4)


def _change(
    left: _RoundedNumber, right: _RoundedNumber, *, first: bool = False, power: float = 1.0
) -> _Computed | None:
    """(one - two) / two; ``first``: / one."""
    base = left if first else right
    if base.low <= 0:
        return None
    other, sign = (right, -1.0) if first else (left, 1.0)
    ends = [(other.low / base.high - 1) * sign * power, (other.high / base.low - 1) * sign * power]
    scale = abs(sum(ends) / 2)
    return _Computed(
        min(ends),
        max(ends),
        f"({left.text} - {right.text}) / {base.text}" + (f" x {power:g}" if power != 1 else ""),
        scale,
    )


def _share(left: _RoundedNumber, all_: Sequence[_RoundedNumber], power: float) -> _Computed | None:
    rest_low, rest_high = (
        sum(getattr(value, end) for value in all_ if value is not left) for end in ("low", "high")
    )
    if left.low < 0 or left.low + rest_high <= 0 or left.high + rest_low <= 0:
        return None
    low, high = (
        left.low / (left.low + rest_high) * power,
        left.high / (left.high + rest_low) * power,
    )
    total = number(sum(value.middle for value in all_), 6)
    shown = f"{total}" if len(all_) > 3 else "(" + " + ".join(value.text for value in all_) + ")"
    return _Computed(
        low,
        high,
        f"{left.text} / {shown}" + (f" x {power:g}" if power != 1 else ""),
        (low + high) / 4,
    )


def _part(left: _RoundedNumber, right: _RoundedNumber, power: float) -> _Computed | None:
    return _share(left, (left, right), power)


class _Formulas:
    """The formulas that a column could be computed by."""

    def __init__(self, columns: _NumberColumns, target: int) -> None:
        self.columns, self.target = columns, target
        self.name = columns.table.headers
        self.others = [place for place in columns.places if place != target]
        kinds = ("number", "derived", "size")
        self.numbers = [place for place in self.others if columns.table.roles[place].kind in kinds]
        self.bare = columns.units[target] is None
        plain = columns.dimension(target) == dimensions.NONE
        # A percentage may stand without its sign.
        self.powers = ((1.0, 100.0) if self.bare else (1.0,)) if plain else ()

    def candidates(self) -> Iterator[_Candidate]:
        """All formulas, the simple ones first."""
        yield from self._sums()
        yield from self._pairs()
        yield from self._reciprocals()
        yield from self._by_rows()

    def _sums(self) -> Iterator[_Candidate]:
        bare = self.bare
        alike = [
            place
            for place in self.numbers
            if self.columns.dimension(place) == self.columns.dimension(self.target)
            and (self.columns.units[place] is None) == bare
        ]
        before = [place for place in alike if place < self.target]
        for places in self._sets(alike, before):
            names = " + ".join(self.name[place] for place in places)
            # A sum of some of the columns is none that a "total" means.
            kind = "sum" if len(places) in (len(alike), len(before)) else "part"
            yield _Candidate(
                names, frozenset(places), self._summing(places, 1), linear=True, kind=kind
            )
            yield _Candidate(
                f"the mean of {names.replace(' + ', ', ')}",
                frozenset(places),
                self._summing(places, len(places)),
                kind="mean",
            )
        for left, right in permutations(alike, 2):
            yield _Candidate(
                f"{self.name[left]} - {self.name[right]}",
                frozenset((left, right)),
                self._subtracting(left, right),
                linear=True,
                kind="difference",
            )

    def _sets(self, alike: Sequence[int], before: Sequence[int]) -> list[tuple[int, ...]]:
        """Sets of columns that a column can be the sum of: all, pairs, threes, and its
        neighbours.
        """
        sets = {tuple(alike)} if len(alike) > 1 else set()
        if len(alike) <= 9:
            sets |= {*combinations(alike, 2), *combinations(alike, 3)}
        after = [place for place in alike if place > self.target]
        sets |= {tuple(before[at:]) for at in range(len(before) - 1)}
        sets |= {tuple(after[: at + 2]) for at in range(len(after) - 1)}
        return sorted(sets, key=lambda places: (len(places), places))

    def _summing(self, places: Sequence[int], divisor: int) -> _Formula:
        def give(index: int) -> _Computed | None:
            values = [self.columns.at(index, place) for place in places]
            present = [value for value in values if value is not None]
            return _sum(present, divisor) if len(present) == len(values) else None

        return give

    def _subtracting(self, left: int, right: int) -> _Formula:
        def give(index: int) -> _Computed | None:
            a, b = self.columns.at(index, left), self.columns.at(index, right)
            if a is None or b is None:
                return None
            least = min(abs(a.middle - b.middle), abs(b.middle))
            return _Computed(a.low - b.high, a.high - b.low, f"{a.text} - {b.text}", least)

        return give

    def _reciprocals(self) -> Iterator[_Candidate]:
        """Operations in a time from the time of one operation."""
        for place in self.numbers:
            pair = self.columns.dimension(place), self.columns.dimension(self.target)
            if pair in (
                (dimensions.TIME, dimensions.FREQUENCY),
                (dimensions.FREQUENCY, dimensions.TIME),
            ):
                yield _Candidate(
                    f"1 / {self.name[place]}", frozenset((place,)), self._inverse(place)
                )

    def _inverse(self, place: int) -> _Formula:
        def give(index: int) -> _Computed | None:
            value = self.columns.at(index, place)
            if value is None or value.low <= 0:
                return None
            low, high = 1 / value.high, 1 / value.low
            return _Computed(low, high, f"1 / {value.text}", (low + high) / 4)

        return give

    def _pairs(self) -> Iterator[_Candidate]:
        dimension = self.columns.dimension
        for left in self.others:
            for right in self.others:
                if left == right:
                    continue
                alike = dimension(left) == dimension(right)
                quotient = tuple(
                    a - b for a, b in zip(dimension(left), dimension(right), strict=True)
                )
                names, pair = (self.name[left], self.name[right]), frozenset((left, right))
                if alike:
                    yield from self._alike(left, right)
                elif self.bare or quotient == dimension(self.target):
                    yield _Candidate(
                        " / ".join(names), pair, self._pair(left, right, _quotient, raw=self.bare)
                    )
                if left < right:
                    product = tuple(
                        a + b for a, b in zip(dimension(left), dimension(right), strict=True)
                    )
                    if product == dimension(self.target) and (not self.bare or not alike):
                        yield _Candidate(" x ".join(names), pair, self._pair(left, right, _product))

    def _alike(self, left: int, right: int) -> Iterator[_Candidate]:
        """Ratios of two columns that measure the same."""
        a, b, pair = self.name[left], self.name[right], frozenset((left, right))
        for power in self.powers:
            yield _Candidate(
                f"{a} / {b}", pair, self._pair(left, right, partial(_quotient, power=power))
            )
            yield _Candidate(
                f"({a} - {b}) / {b}",
                pair,
                self._pair(left, right, partial(_change, first=False, power=power)),
                kind="change",
            )
            yield _Candidate(
                f"({a} - {b}) / {a}",
                pair,
                self._pair(left, right, partial(_change, first=True, power=power)),
                kind="change",
            )
            yield _Candidate(
                f"{a} / ({a} + {b})", pair, self._pair(left, right, partial(_part, power=power))
            )

    def _pair(
        self,
        left: int,
        right: int,
        formula: Callable[[_RoundedNumber, _RoundedNumber], _Computed | None],
        *,
        raw: bool = False,
    ) -> _Formula:
        def give(index: int) -> _Computed | None:
            a, b = self.columns.at(index, left, raw), self.columns.at(index, right, raw)
            return formula(a, b) if a is not None and b is not None else None

        return give

    def _by_rows(self) -> Iterator[_Candidate]:
        """Formulas over several rows of a column."""
        if not self.powers:
            return
        groups: dict[int, list[int]] = {}
        for index, row in enumerate(self.columns.rows):
            groups.setdefault(row.group, []).append(index)
        blocks = [groups, *self._blocks()]
        for place in self.others:
            for members in blocks:
                yield from self._relative(place, members)
            for power in self.powers:
                yield from self._steps(place, power)

    def _blocks(self) -> Iterator[dict[int, list[int]]]:
        """Rows by the first label of the row, as merged cells group them."""
        labels = [
            place
            for place, role in enumerate(self.columns.table.roles)
            if role.kind in ("label", "size")
        ]
        first: dict[str, int] = {}
        if len(labels) > 1:
            members: dict[int, list[int]] = {}
            for index, row in enumerate(self.columns.rows):
                key = row.label.split(" ")[0]
                members.setdefault(first.setdefault(key, len(first)), []).append(index)
            if 1 < len(members) < len(self.columns.rows):
                yield members

    def _relative(self, place: int, groups: Mapping[int, list[int]]) -> Iterator[_Candidate]:
        """Shares of a column, and values relative to one of its rows, in each group."""
        name = self.name[place]
        group_of = {index: members for members in groups.values() for index in members}
        longest = max(map(len, groups.values()))

        def share(index: int, power: float) -> _Computed | None:
            values = [self.columns.at(other, place) for other in group_of[index]]
            present = [value for value in values if value is not None]
            own = self.columns.at(index, place)
            at = group_of[index].index(index)
            if own is None or len(present) < len(values) or len(present) < 2:
                return None
            return _share(present[at], present, power)

        for power in self.powers:
            yield _Candidate(
                f"{name} / sum of {name}", frozenset((place,)), partial(share, power=power)
            )
            for rank in range(min(longest, 12)):
                yield from self._to_row(place, group_of, rank, power)

    def _to_row(
        self, place: int, group_of: Mapping[int, list[int]], rank: int, power: float
    ) -> Iterator[_Candidate]:
        name = self.name[place]
        firsts = {members[rank] for members in group_of.values() if rank < len(members)}
        base = (
            self.columns.rows[min(firsts)].label
            if len(firsts) == 1
            else f"row {rank + 1} of its group"
        )

        def give(
            index: int,
            relate: Callable[[_RoundedNumber, _RoundedNumber], _Computed | None],
            *,
            ratio: bool,
        ) -> _Computed | None:
            members = group_of[index]
            if rank >= len(members):
                return None
            if members[rank] == index:
                # The row itself stands for the whole, and shows by that which one it is.
                return _Computed(power, power, f"{power:g}", 0.0) if ratio else None
            own, other = self.columns.at(index, place), self.columns.at(members[rank], place)
            return relate(own, other) if own is not None and other is not None else None

        kinds: tuple[
            tuple[str, Callable[[_RoundedNumber, _RoundedNumber], _Computed | None]], ...
        ] = (
            (f"{name} / that of {base}", lambda a, b: _quotient(a, b, power)),
            (f"{name} of {base} / {name}", lambda a, b: _quotient(b, a, power)),
            (f"change of {name} from {base}", lambda a, b: _change(a, b, power=power)),
            (
                f"saving of {name} against {base}",
                lambda a, b: _change(b, a, first=True, power=power),
            ),
        )
        for text, relate in kinds:
            kind = "ratio" if " / " in text else "change"
            yield _Candidate(
                text,
                frozenset((place,)),
                partial(give, relate=relate, ratio=kind == "ratio"),
                kind=kind,
            )

    def _steps(self, place: int, power: float) -> Iterator[_Candidate]:
        """Growth from row to row."""
        name = self.name[place]

        def give(
            index: int, relate: Callable[[_RoundedNumber, _RoundedNumber], _Computed | None]
        ) -> _Computed | None:
            own, before = self.columns.at(index, place), self.columns.at(index - 1, place)
            return relate(own, before) if own is not None and before is not None else None

        kinds: tuple[
            tuple[str, Callable[[_RoundedNumber, _RoundedNumber], _Computed | None]], ...
        ] = (
            (f"growth of {name} from the row before", lambda a, b: _change(a, b, power=power)),
            (
                f"fall of {name} from the row before",
                lambda a, b: _change(b, a, first=True, power=power),
            ),
            (f"{name} / that of the row before", lambda a, b: _quotient(a, b, power)),
        )
        for text, relate in kinds:
            kind = "ratio" if " / " in text else "change"
            yield _Candidate(text, frozenset((place,)), partial(give, relate=relate), kind=kind)


# Checks


def _distance(value: _RoundedNumber, computed: _Computed) -> float:
    """Distance of a number from the computed one, beyond the rounding of both."""
    return max(0.0, computed.low - value.high, value.low - computed.high)


def _agrees(value: _RoundedNumber, computed: _Computed) -> bool:
    return _distance(value, computed) <= 1e-9 * max(abs(value.middle), abs(computed.high))


def _fit(
    columns: _NumberColumns, target: int, candidate: _Candidate, slip: float = 1.0
) -> _Fit | None:
    """Fit of a formula to a column; None if it does not fit in most rows."""
    agree: list[int] = []
    differ: list[int] = []
    exponent = 0.0
    values = columns.all(target)
    middles = [value.middle for value in values if value is not None]
    spread = max(middles, default=0.0) - min(middles, default=0.0)
    named = columns.table.roles[target].kind == "derived"
    for index, value in enumerate(values):
        computed = candidate.give(index) if value is not None else None
        if value is None or computed is None:
            continue
        computed = computed.times(slip)
        if _agrees(value, computed):
            agree.append(index)
            exponent += _surprise(value, computed, spread, named=named)
        else:
            differ.append(index)
            if len(differ) > max(3, len(agree)):
                return None
    if len(agree) + len(differ) < 2 or len(agree) < _AGREE * (len(agree) + len(differ)):
        return None
    return _Fit(candidate, tuple(agree), tuple(differ), exponent)


def _surprise(value: _RoundedNumber, computed: _Computed, spread: float, *, named: bool) -> float:
    """The exponent of the chance that a number agrees by accident: widths over the difference that
    would be noticed.
    """
    noticed = max(computed.scale, abs(value.middle) / 4) if named else computed.scale
    scale = min(noticed, max(spread, 0.05 * abs(value.middle)))
    width = value.high - value.low + computed.high - computed.low
    return math.log10(max(min(1.0, width / scale), 1e-4)) if scale > 0 else 0.0


def computed_columns(table: ColumnTable) -> CheckFindings:
    """Columns that are computed from others in most rows, and not in all."""
    check = CheckFindings("derived")
    columns = _NumberColumns(table)
    # Columns that are named as computed go first; what they explain is not said of their parts
    # again.
    named = [place for place in columns.places if table.roles[place].kind == "derived"]
    unnamed = [place for place in columns.places if table.roles[place].kind == "number"]
    told_of: set[tuple[int, frozenset[int]]] = set()
    for place in (*named, *reversed(unnamed)):
        best = _best_fit(columns, place, named=place in named)
        if best is not None:
            check.looks += len(best.agree) + len(best.differ)
            _say(check, columns, place, best, told_of)
        elif place in named:
            _slipped(check, columns, place)
    return check


def _best_fit(columns: _NumberColumns, place: int, *, named: bool) -> _Fit | None:
    """The formula that explains a column best; None if none does more closely than chance."""
    fits, tried = _fits(columns, place)
    header_words = re.findall(r"\w+", english(columns.table.headers[place]))
    kinds = {_KINDS[word] for word in header_words if word in _KINDS}
    if "/" in parts(columns.table.headers[place])[0]:
        kinds.add("ratio")
    limit = (_CHANCE if named else _CHANCE_UNNAMED) + math.log10(max(tried, 1))
    strong = [
        fit
        for fit in fits
        if len(fit.agree) >= _LEAST_ROWS
        and -fit.exponent >= limit - _NAMED * (named and fit.candidate.kind in kinds)
    ]
    whole = [
        fit
        for fit in fits
        if not fit.differ and (fit in strong or (named and fit.exponent < _WHOLE))
    ]
    return min(whole or strong, key=lambda fit: (len(fit.differ), fit.exponent), default=None)


def _fits(columns: _NumberColumns, place: int) -> tuple[list[_Fit], int]:
    """The formulas that fit to a column, and how many were tried."""
    tried = 0
    fits = []
    for candidate in _Formulas(columns, place).candidates():
        tried += 1
        if (fit := _fit(columns, place, candidate)) is not None:
            fits.append(fit)
    return fits, tried


def _say(
    check: CheckFindings,
    columns: _NumberColumns,
    place: int,
    fit: _Fit,
    told_of: set[tuple[int, frozenset[int]]],
) -> None:
    """The rows that do not fulfil the formula of their column."""
    table = columns.table
    all_ = fit.candidate.columns | {place}
    rows = [
        index
        for index in fit.differ
        if (index, all_) not in told_of and _clear(columns, place, fit, index)
    ]
    told_of |= {(index, all_) for index in fit.differ}
    if not rows:
        return
    entries, far = [], False
    for index in rows:
        entry, off = _entry(columns, place, fit, index)
        entries.append(entry)
        far = far or off > _FEW_PERCENT
    total = len(fit.agree) + len(fit.differ)
    sure = table.roles[place].kind == "derived" or fit.candidate.linear
    labels = any(table.roles[column].kind in ("label", "size") for column in fit.candidate.columns)
    check.add(
        Weight.MATERIAL if far else Weight.MINOR,
        Certainty.CERTAIN if sure and not labels else Certainty.LIKELY,
        table.name,
        f"{table.headers[place]} = {fit.candidate.text} holds in {len(fit.agree)} of {total} "
        "rows and not in the "
        f"other{'s' if len(rows) > 1 else ''}: one of the numbers of the row is wrong",
        entries,
    )


def _clear(columns: _NumberColumns, place: int, fit: _Fit, index: int) -> bool:
    """True if a row is off by more than truncation, or a ratio of other readings, could make it."""
    columns.rough = True
    value, computed = (
        columns.at(index, place, columns.units[place] is None),
        fit.candidate.give(index),
    )
    columns.rough = False
    if value is None or computed is None:
        return False
    width = (value.high - value.low) / 2
    if not fit.candidate.linear:
        width = max(width, (computed.high - computed.low) / 2, 0.005 * abs(value.middle))
    return _distance(value, computed) > width


def _entry(columns: _NumberColumns, place: int, fit: _Fit, index: int) -> tuple[CellEntry, float]:
    """A row that is off, with its computation, and how far it is off."""
    row, computed = columns.rows[index], fit.candidate.give(index)
    value = columns.at(index, place, columns.units[place] is None)
    assert computed is not None and value is not None
    factor = 1.0 if columns.units[place] is None else columns.factor(place)
    printed, unit = row.numbers[place]
    middle = (computed.low + computed.high) / 2
    shown = number(middle / factor, max(4, printed.digits))
    off = abs(value.middle - middle) / max(abs(middle), 1e-300)
    name = " ".join(filter(None, (row.label, columns.table.headers[place])))
    symbol = f" {unit}" if unit else ""
    return CellEntry(
        cell=name,
        line=row.line,
        printed=printed.text,
        computed=f"{computed.text} = {shown}{symbol}",
    ), off


def _slipped(check: CheckFindings, columns: _NumberColumns, place: int) -> None:
    """A column that is computed in all rows, but for one factor that a wrong unit makes."""
    if columns.units[place] is None:
        return
    for candidate in _Formulas(columns, place).candidates():
        if candidate.linear or len(candidate.columns) < 2:
            continue
        for factor, text in _SLIPS:
            for slip in (factor, 1 / factor):
                fit = _fit(columns, place, candidate, slip)
                if (
                    fit
                    and not fit.differ
                    and len(fit.agree) >= _LEAST_ROWS
                    and -fit.exponent > _CHANCE_UNNAMED
                ):
                    check.looks += len(fit.agree)
                    check.add(
                        Weight.MATERIAL,
                        Certainty.LIKELY,
                        columns.table.name,
                        f"{columns.table.headers[place]} is {candidate.text} but for a factor of "
                        f"{text} in all {len(fit.agree)} rows: a unit is not what its header says",
                        [_entry(columns, place, fit, index)[0] for index in fit.agree[:4]],
                    )
                    return


_MEANS: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda values: sum(values) / len(values),
    "geometric mean": geometric_mean,
    "median": median,
    "minimum": min,
    "maximum": max,
    "sum": sum,
    "harmonic mean": harmonic_mean,
}


def summary_rows(table: ColumnTable) -> CheckFindings:
    """Rows below others that say their sum or their mean."""
    check = CheckFindings("summary-row")
    columns = _NumberColumns(table)
    above: list[NumberRow] = []
    every: list[NumberRow] = []
    sums: list[NumberRow] = []
    before = ""
    for row in table.rows:
        if not row.summary:
            above = [row] if before else [*above, row]
            every.append(row)
        elif row.summary in _MEANS and len(above) > 1:
            _summary_row(check, columns, row, [above, every, [*sums]])
        if row.summary == "sum":
            sums.append(row)
        before = row.summary
    return check


def _summary_row(
    check: CheckFindings,
    columns: _NumberColumns,
    row: NumberRow,
    sets: Sequence[Sequence[NumberRow]],
) -> None:
    """Check whether each number of a row is the sum or the mean of a set of rows."""
    entries: list[CellEntry] = []
    looks = far = 0
    for place in columns.places:
        full = _summarised(columns, row, place, sets)
        value = columns.value(row, place) if full else None
        if value is None:
            continue
        looks += 1
        if not any(_summarises(row.summary, value, values) for values in full):
            printed, unit = row.numbers[place]
            middle = _middle(row.summary, full[0]) / columns.factor(place)
            far += abs(float(printed) - middle) > _FEW_PERCENT * abs(middle)
            shown = (
                f"{row.summary} of {len(full[0])} rows: {number(middle, max(4, printed.digits))}"
            )
            name = f"{row.label} {columns.table.headers[place]}"
            entries.append(
                CellEntry(
                    cell=name,
                    line=row.line,
                    printed=printed.text,
                    computed=f"{shown} {unit}".strip(),
                )
            )
    check.looks += looks
    # A mean of other rows, or of another kind, differs in every column.
    if entries and (len(entries) < looks or looks == 1):
        check.add(
            Weight.MATERIAL if far else Weight.MINOR,
            Certainty.CERTAIN if len(entries) < looks else Certainty.LIKELY,
            columns.table.name,
            f"the row {row.label or row.summary!r} is not the {row.summary} of the rows above in "
            f"{len(entries)} of {looks} columns",
            entries,
        )


def _summarised(
    columns: _NumberColumns, row: NumberRow, place: int, sets: Sequence[Sequence[NumberRow]]
) -> list[list[_RoundedNumber]]:
    """The numbers that a row may be the sum or the mean of; none in columns that are computed
    otherwise.
    """
    role = columns.table.roles[place]
    of_percent = role.kind == "derived" and role.unit == "%" and row.summary == "sum"
    value = columns.value(row, place)
    if (
        value is None
        or not (role.kind == "number" or of_percent)
        or (of_percent and abs(value.middle - 1) > 0.2)
    ):
        return []
    full = []
    for rows in sets:
        values = [columns.value(number, place) for number in rows]
        present = [number for number in values if number is not None]
        if len(present) == len(rows) > 1:
            full.append(present)
    return full


def _summarises(kind: str, value: _RoundedNumber, values: Sequence[_RoundedNumber]) -> bool:
    kinds = [kind, "geometric mean", "harmonic mean"] if kind == "mean" else [kind]
    for mean_kind in kinds:
        if mean_kind != kind and any(left.low <= 0 for left in values):
            continue
        mean = _MEANS[mean_kind]
        low, high = mean([left.low for left in values]), mean([left.high for left in values])
        # Truncation is no error of the sum.
        slack = (value.high - value.low) / 2
        if low - slack <= value.high and value.low <= high + slack:
            return True
    return False


def _middle(kind: str, values: Sequence[_RoundedNumber]) -> float:
    return _MEANS[kind]([value.middle for value in values])


def impossible_shares(table: ColumnTable) -> CheckFindings:
    """Savings of more than everything."""
    check = CheckFindings("share")
    for place, role in enumerate(table.roles):
        header = english(table.headers[place])
        if role.unit != "%" or not re.search(
            r"\b(?:reduction|savings?|saved|decrease|share)\b", header
        ):
            continue
        cells = [(row, row.numbers[place][0]) for row in table.rows if place in row.numbers]
        check.looks += len(cells)
        above = [(row, printed) for row, printed in cells if printed.low > 100]
        if above:
            check.add(
                Weight.MATERIAL,
                Certainty.CERTAIN,
                table.name,
                "no part is more than 100 % of its whole",
                [
                    CellEntry(
                        cell=f"{row.label} {table.headers[place]}",
                        line=row.line,
                        printed=printed.text,
                        computed="at most 100 %",
                    )
                    for row, printed in above
                ],
            )
    return check
