"""Standard deviations and variances: whether they belong together, to their mean, and to possible
readings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, linear_regression, median

from motebench.base.errors import InputError
from motebench.catalog.published import Cell, Printed, Statistic, Table, printed
from motebench.documents.papers import CellEntry, Certainty, Weight
from motebench.publications.audit.findings import (
    CellGroup,
    CellNames,
    CheckFindings,
    by_metric,
    groups,
    number,
    size_text,
)

_LEAST_DIGITS = 4
"""Shorter numbers are near too many others."""


def _fits(text: str, low: float, high: float) -> bool:
    try:
        number = printed(text)
    except InputError:
        return False
    return float(number.low) <= high and float(number.high) >= low


def slip(number: Printed, low: float, high: float) -> str:
    """Slip that explains a number which should be from ``low`` to ``high``; empty if no single slip
    does.
    """
    text = number.text
    places = [index for index, sign in enumerate(text) if sign.isdigit()]
    if len(places) < _LEAST_DIGITS:
        return ""
    for index in places:
        if _fits(text[:index] + text[index + 1 :], low, high):
            return "one digit too many"
    for left, right in pairwise(places):
        swapped = list(text)
        swapped[left], swapped[right] = swapped[right], swapped[left]
        if text[left] != text[right] and _fits("".join(swapped), low, high):
            return "two digits are exchanged"
    for index in places:
        if any(
            _fits(f"{text[:index]}{digit}{text[index + 1 :]}", low, high) for digit in "0123456789"
        ):
            return "one digit differs"
    return ""


_FEW_PERCENT = 0.05
_LEAST_ROWS = 5
_MOST_RATIO = 1.5
"""Mean squares of readings that vary by less than 70 % are within this many squares of the mean."""
_SAME_STEP = 1e-9
_DIRECTIONS = {"sign": "encrypt", "verify": "decrypt"}
_SPREADS = (Statistic.VARIANCE, Statistic.SD, Statistic.SEM)


def _root(number: Printed) -> tuple[float, float]:
    low, high = number.wide
    return math.sqrt(max(0.0, float(low))), math.sqrt(max(0.0, float(high)))


def _apart(first: tuple[float, float], second: tuple[float, float]) -> bool:
    """True if two intervals have no point in common."""
    return first[0] > second[1] * (1 + _SAME_STEP) or second[0] > first[1] * (1 + _SAME_STEP)


def _interval(number: Printed) -> tuple[float, float]:
    return float(number.low), float(number.high)


def sd_of_variance(table: Table) -> CheckFindings:
    """Check whether each standard deviation is the root of the variance beside it."""
    check = CheckFindings("sd-variance")
    names = CellNames(table)
    by_cause: dict[tuple[str, Weight], list[CellEntry]] = {}
    rows = groups(table)
    for index, group in enumerate(rows):
        variance, sd = group["variance"], group["sd"]
        if not variance or not sd:
            continue
        check.looks += 1
        if not _apart(
            _root(variance.number), (float(sd.number.low), float(sd.number.high + sd.number.half))
        ):
            continue
        root = math.sqrt(max(0.0, float(variance.number)))
        weight = (
            Weight.MATERIAL if abs(_log(float(sd.number), root)) > _FEW_PERCENT else Weight.MINOR
        )
        cause = _cause(variance, sd, rows[max(0, index - 3) : index] + rows[index + 1 : index + 4])
        wrong = variance if cause.startswith("the variance has lost") else sd
        computed = (
            number(float(sd.number) ** 2)
            if wrong is variance
            else number(root, max(4, sd.number.digits))
        )
        by_cause.setdefault((cause, weight), []).append(names.entry(wrong, computed))
    for (cause, weight), cells in by_cause.items():
        check.add(
            weight,
            Certainty.CERTAIN,
            table.name,
            f"{len(cells)} of {check.looks} standard deviations "
            f"{'is' if len(cells) == 1 else 'are'} not the root of "
            f"{'its' if len(cells) == 1 else 'their'} variance" + (f": {cause}" if cause else ""),
            cells,
        )
    return check


def _log(numerator: float, denominator: float) -> float:
    return math.log(numerator / denominator) if numerator > 0 and denominator > 0 else math.inf


def _cause(variance: Cell, sd: Cell, near: list[CellGroup]) -> str:
    """Relation that turns the variance into the deviation or the other way round; empty if no
    simple one does."""
    if variance.number.value and _near(variance.number, sd.number):
        return "printed is the variance itself"
    if not _apart(_root(sd.number), _interval(variance.number)):
        return "the standard deviation and the variance are exchanged"
    for power in (2, 1, 3):
        scaled = variance.number.value / 10**power
        if abs(scaled - sd.number.value) <= sd.number.half + variance.number.half / 10**power:
            return f"printed is the variance divided by {10**power}"
    for power in (1, 2, 3, 4):
        low, high = _root(
            Printed("", variance.number.value / 10**power, variance.number.half / 10**power)
        )
        if not _apart((low, high), _interval(sd.number)):
            return "the variance has lost its decimal point"
    for group in near:
        other = group["sd"]
        if other and other.number.text == sd.number.text and sd.number.digits >= 3:
            return "printed is the one of another row"
    low, high = _root(variance.number)
    cause = slip(sd.number, low, high)
    if cause:
        return cause
    low, high = float(sd.number.low) ** 2, float(sd.number.high) ** 2
    cause = slip(variance.number, low, high)
    return f"in the variance {cause}" if cause else ""


def _near(first: Printed, second: Printed) -> bool:
    return not _apart(_interval(first), _interval(second))


_STEEPER = 3.5
"""Standard errors by which the growth of a spread differs from that of its mean."""
_LEAST_FACTOR = 1.8
"""Least factor between a spread and all others from which on it is no spread."""
_STEEP = 0.35
"""Scatter of the roots, relative to that of the numbers, below which these are variances."""


def variances_as_deviations(table: Table) -> CheckFindings:
    """Numbers below "standard deviation" that grow with the square of the mean, as variances do:
    one or all.
    """
    check = CheckFindings("sd-variance")
    names = CellNames(table)
    for rows in by_metric(table).values():
        pairs = [pair for group in rows if (pair := _mean_and_sd(group)) is not None]
        if len(pairs) < _LEAST_ROWS:
            continue
        check.looks += len(pairs)
        plain = [math.log(float(sd.number) / float(mean.number)) for mean, sd in pairs]
        roots = [math.log(math.sqrt(float(sd.number)) / float(mean.number)) for mean, sd in pairs]
        means = [math.log(float(mean.number)) for mean, _ in pairs]
        closer = _scattering(roots) < _STEEP * _scattering(plain)
        if max(means) - min(means) > math.log(5) and closer and _steeper(means, plain):
            check.add(
                Weight.MATERIAL,
                Certainty.LIKELY,
                table.name,
                f"the standard deviations of all {len(pairs)} rows grow with the square of the "
                "mean: they are "
                "variances by their growth; their roots are a constant part of the mean",
                [
                    names.entry(sd, f"root: {number(math.sqrt(float(sd.number)))}")
                    for _, sd in pairs[:6]
                ],
            )
        else:
            _lone_variances(check, table, names, pairs)
    return check


def _mean_and_sd(group: CellGroup) -> tuple[Cell, Cell] | None:
    """Mean and standard deviation of a row without a variance, both above 0."""
    mean, sd = group["mean"] or group["value"], group["sd"]
    if (
        mean is None
        or sd is None
        or group["variance"]
        or mean.number.value <= 0
        or sd.number.value <= 0
    ):
        return None
    return mean, sd


def _steeper(means: list[float], parts: list[float]) -> bool:
    """True if parts of the mean grow with the mean, by more than their own scatter can do."""
    slope, intercept = linear_regression(means, parts)
    rest = sum((part - intercept - slope * at) ** 2 for at, part in zip(means, parts, strict=True))
    middle = fmean(means)
    error = math.sqrt(rest / max(1, len(means) - 2) / sum((at - middle) ** 2 for at in means))
    return slope > _STEEPER * error


def _scattering(values: list[float]) -> float:
    middle = median(values)
    return median(abs(value - middle) for value in values) + 1e-3


def _lone_variances(
    check: CheckFindings, table: Table, names: CellNames, pairs: list[tuple[Cell, Cell]]
) -> None:
    """Find one standard deviation far from those of the other rows, whose root is among them."""
    parts = [float(sd.number) / float(mean.number) for mean, sd in pairs]
    rising = sorted(parts)
    for (mean, sd), here in zip(pairs, parts, strict=True):
        # The ends of the others: without this row itself.
        low = rising[1] if here == rising[0] else rising[0]
        high = rising[-2] if here == rising[-1] else rising[-1]
        root = math.sqrt(float(sd.number)) / float(mean.number)
        # Rows that agree closely leave less room for one that does not.
        factor = min(4.0, max(_LEAST_FACTOR, (high / low) ** 2))
        apart = here > factor * high or here < low / factor
        if high < 4 * low and apart and low / 1.3 <= root <= high * 1.3 and sd.number.digits > 1:
            check.add(
                Weight.MATERIAL,
                Certainty.LIKELY,
                table.name,
                "this standard deviation is a variance by its size: its root is the part of the "
                f"mean that those of the other rows are ({low:.2%} to {high:.2%})",
                [names.entry(sd, f"root: {number(math.sqrt(float(sd.number)))}")],
            )


@dataclass(frozen=True, slots=True)
class _DivisorRatio:
    """Ratio variance / mean^2 of one row, with the interval of its rounding."""

    group: CellGroup
    mean: Cell
    variance: Cell
    low: float
    high: float

    @property
    def middle(self) -> float:
        return float(self.variance.number) / float(self.mean.number) ** 2


def _ratios(rows: list[CellGroup]) -> Iterator[_DivisorRatio]:
    for group in rows:
        mean, spread = group["mean"] or group["value"], group["variance"] or group["sd"]
        if not mean or not spread or mean.number.low <= 0 or spread.number.low < 0:
            continue
        power = 1 if spread.statistic is Statistic.VARIANCE else 2
        yield _DivisorRatio(
            group,
            mean,
            spread if power == 1 else _squared(spread),
            float(spread.number.low) ** power / float(mean.number.high) ** 2,
            float(spread.number.high) ** power / float(mean.number.low) ** 2,
        )


def _squared(sd: Cell) -> Cell:
    from dataclasses import replace

    value, half = sd.number.value, sd.number.half
    return replace(sd, number=Printed(sd.number.text, value * value, 2 * value * half))


def second_moments(table: Table) -> list[CheckFindings]:
    """Check whether "variances" are means of uncentred squares; then also their divisor and their
    means.
    """
    moments, means, divisors = (
        CheckFindings("second-moment"),
        CheckFindings("mean-variance"),
        CheckFindings("divisor"),
    )
    for metric, rows in by_metric(table).items():
        ratios = list(_ratios(rows))
        if len(ratios) < _LEAST_ROWS:
            continue
        moments.looks += len(ratios)
        pattern = [ratio for ratio in ratios if ratio.high >= 1 and ratio.low <= _MOST_RATIO]
        # Centred readings would have to vary by 100 % in every row, and never by less, to look like
        # this.
        if len(pattern) < max(_LEAST_ROWS, 0.7 * len(ratios)) or median(_middles(pattern)) > 1.25:
            continue
        n = table.repetitions
        by_column: dict[str, str] = {}
        if n and n > 1:
            by_column = _divisors(divisors, table, pattern, n)
            _below_column(means, table, pattern, by_column, n)
        _not_centred(moments, table, metric, pattern, len(ratios), by_column)
        _outside(means, table, ratios)
    return [moments, means, divisors]


def _not_centred(
    check: CheckFindings,
    table: Table,
    metric: str,
    pattern: list[_DivisorRatio],
    rows: int,
    divisors: dict[str, str],
) -> None:
    names = CellNames(table)
    n = table.repetitions
    check.add(
        Weight.MATERIAL,
        Certainty.CERTAIN if len(pattern) >= 2 * _LEAST_ROWS else Certainty.LIKELY,
        table.name,
        f"the variance of {metric} is a mean of squares, not centred: variance / mean^2 is between "
        f"{number(min(_middles(pattern)))} and {number(max(_middles(pattern)))} in {len(pattern)} "
        f"of {rows} rows. Centred, the sd is not about 100 % of the mean but "
        f"{_centred_spreads(pattern, n, divisors)}",
        [
            names.entry(
                ratio.variance,
                f"sd {_ends([number(sd, 3) for sd in _sds(ratio, n, divisors)])} if centred",
            )
            for ratio in pattern[:6]
        ],
    )


def _centred_spreads(pattern: list[_DivisorRatio], n: int | None, divisors: dict[str, str]) -> str:
    """The median spread of each size and column, by the divisor of the column, or by both where
    that is not known.
    """
    groups_: dict[tuple[str, str], list[_DivisorRatio]] = {}
    for ratio in pattern:
        size = size_text(ratio.mean.size) if ratio.mean.size else ""
        groups_.setdefault((size, _column(ratio)), []).append(ratio)
    texts = []
    for (size, column), ratios in groups_.items():
        parts = [
            [sd / float(ratio.mean.number) for sd in _sds(ratio, n, divisors)] for ratio in ratios
        ]
        medians = [f"{median(values):.1%}" for values in zip(*parts, strict=True)]
        by = (
            f"by {divisors[column]}"
            if column in divisors
            else "by n - 1 and by n"
            if n and n > 1
            else ""
        )
        texts.append(
            " ".join(
                filter(None, (_ends(medians), f"({', '.join(filter(None, (size, column, by)))})"))
            )
        )
    return ", ".join(text.removesuffix(" ()") for text in texts) + " (medians)"


def _ends(ends: list[str]) -> str:
    return " to ".join(dict.fromkeys(ends))


def _column(ratio: _DivisorRatio) -> str:
    """Column of a row: signing stands beside encryption."""
    operation = ratio.mean.label("operation")
    return _DIRECTIONS.get(operation, operation)


def _sds(ratio: _DivisorRatio, n: int | None, divisors: dict[str, str]) -> list[float]:
    """The centred spread of a row: one value if the divisor is known or makes no difference."""
    by_less, by_n = _centred(ratio, n)
    divisor = divisors.get(_column(ratio)) if n and n > 1 else "n"
    return [by_less] if divisor == "n - 1" else [by_n] if divisor == "n" else [by_less, by_n]


def _middles(ratios: list[_DivisorRatio]) -> list[float]:
    return [ratio.middle for ratio in ratios]


def _centred(ratio: _DivisorRatio, n: int | None) -> tuple[float, float]:
    """The sample standard deviation that is left when the square of the mean is taken out: if the
    sum of squares was divided by n - 1, and if by n."""
    mean, square = float(ratio.mean.number), float(ratio.variance.number)
    correction = n / (n - 1) if n and n > 1 else 1.0
    by_less, by_n = square - mean * mean * correction, (square - mean * mean) * correction
    return math.sqrt(max(0.0, by_less)), math.sqrt(max(0.0, by_n))


def _outside(check: CheckFindings, table: Table, ratios: list[_DivisorRatio]) -> None:
    """Rows whose mean does not fit to a mean of squares."""
    names = CellNames(table)
    check.looks += len(ratios)
    below = [ratio for ratio in ratios if ratio.high < 1]
    if below:
        check.add(
            Weight.MATERIAL,
            Certainty.CERTAIN,
            table.name,
            f"{len(below)} means are larger than the root of their own mean square: mean or "
            "variance is not of these readings",
            [names.entry(ratio.mean, f"at most {number(_most(ratio))}") for ratio in below],
        )
    by_size: dict[int | None, list[_DivisorRatio]] = {}
    for ratio in ratios:
        by_size.setdefault(ratio.mean.size, []).append(ratio)
    for alike in by_size.values():
        usual = median(_scatter(ratio) for ratio in alike)
        for ratio in alike:
            here = _scatter(ratio)
            if (
                len(alike) >= _LEAST_ROWS
                and here > 0.3
                and here > 5 * usual
                and not _sd_fits(ratio)
            ):
                check.add(
                    Weight.MATERIAL,
                    Certainty.LIKELY,
                    table.name,
                    f"this row would vary by {here:.0%}, the others of its size by {usual:.0%} or "
                    "less: mean or variance is not of these readings",
                    [names.entry(ratio.mean, f"about {number(_most(ratio))}")],
                )


def _scatter(ratio: _DivisorRatio) -> float:
    """Spread of the readings of a row, relative to their mean."""
    return math.sqrt(max(0.0, ratio.middle - 1))


def _most(ratio: _DivisorRatio) -> float:
    return math.sqrt(float(ratio.variance.number.high))


def _sd_fits(ratio: _DivisorRatio) -> bool:
    """True if the sd beside it is near the mean, so that only the variance is wrong."""
    sd = ratio.group["sd"]
    if sd is None or ratio.variance.statistic is not Statistic.VARIANCE:
        return False
    near = 0.95 < float(sd.number) / float(ratio.mean.number) < _MOST_RATIO
    return near and _apart(_root(ratio.variance.number), _interval(sd.number))


def _divisors(
    check: CheckFindings, table: Table, pattern: list[_DivisorRatio], n: int
) -> dict[str, str]:
    """The divisor of the means of squares by operation, where the rows tell.

    A sum of squares over n - 1 is at least n / (n - 1) squares of the mean.
    """
    by_operation: dict[str, list[_DivisorRatio]] = {}
    by_column: dict[str, str] = {}
    for ratio in pattern:
        by_operation.setdefault(_column(ratio), []).append(ratio)
    divisors: dict[str, str] = {}
    cells: list[CellEntry] = []
    for operation, ratios in by_operation.items():
        check.looks += len(ratios)
        divisor, reason, shown = _divisor(table, ratios, n)
        if divisor:
            by_column[operation] = divisor
            divisors[f"{operation or 'all'}: {divisor}, {reason}"] = divisor
            cells += shown
    if len(set(divisors.values())) > 1:
        check.add(
            Weight.MINOR,
            Certainty.LIKELY,
            table.name,
            f"columns have different divisors, n = {n} ({'; '.join(divisors)})",
            cells,
        )
    return by_column


def _divisor(table: Table, ratios: list[_DivisorRatio], n: int) -> tuple[str, str, list[CellEntry]]:
    """The divisor of one operation, the reason, and cells that show it; empty if the rows do not
    tell.
    """
    names = CellNames(table)
    least = n / (n - 1)
    below = [ratio for ratio in ratios if ratio.high < least]
    if len(below) >= 3:
        cells = [names.entry(ratio.variance, f"ratio {ratio.middle:.5f}") for ratio in below[:3]]
        return "n", f"as {len(below)} rows are below {number(least, 5)}", cells
    close = [
        ratio
        for ratio in ratios
        if ratio.low <= least * 1.0015 and ratio.high >= least and ratio.middle > 1.008
    ]
    if len(close) < 3:
        return "", "", []
    return "n - 1", f"as the ratios begin at {number(least, 5)}", []


def _below_column(
    check: CheckFindings,
    table: Table,
    pattern: list[_DivisorRatio],
    divisors: dict[str, str],
    n: int,
) -> None:
    """Single rows below the least ratio that the divisor of their column allows."""
    names = CellNames(table)
    least = n / (n - 1)
    for ratio in pattern:
        if divisors.get(_column(ratio)) == "n - 1" and ratio.high < least:
            check.add(
                Weight.MINOR,
                Certainty.LIKELY,
                table.name,
                "this row alone is below the least ratio that its column has; a digit of the "
                "mean may differ",
                [names.entry(ratio.mean, f"at most {number(_most(ratio) / math.sqrt(least), 5)}")],
            )


def standard_errors(table: Table) -> CheckFindings:
    """Check whether a standard error is the standard deviation over the root of n."""
    check = CheckFindings("sem")
    names = CellNames(table)
    for group in groups(table):
        sem, sd = group["sem"], group["sd"]
        if not sem or not sd or not table.repetitions:
            continue
        check.looks += 1
        root = math.sqrt(table.repetitions)
        if _apart(
            _interval(sem.number), (float(sd.number.low) / root, float(sd.number.high) / root)
        ):
            check.add(
                Weight.MATERIAL,
                Certainty.CERTAIN,
                table.name,
                f"the standard error is not sd / sqrt({table.repetitions})",
                [names.entry(sem, number(float(sd.number) / root))],
            )
    return check


def bounds(table: Table) -> list[CheckFindings]:
    """Check whether readings can be that far apart, and whether means are between the extremes."""
    spread, order = CheckFindings("sd-bound"), CheckFindings("range")
    names = CellNames(table)
    below = [cell for cell in table.cells if cell.statistic in _SPREADS and cell.number.value < 0]
    if below:
        spread.looks += len(below)
        spread.add(
            Weight.MATERIAL,
            Certainty.CERTAIN,
            table.name,
            "a spread cannot be below 0",
            [names.entry(cell, "at least 0") for cell in below],
        )
    for group in groups(table):
        _between(order, table, names, group)
        _not_too_far(spread, table, names, group)
    return [spread, order]


def _between(check: CheckFindings, table: Table, names: CellNames, group: CellGroup) -> None:
    """Check whether mean and median are between minimum and maximum."""
    low, high = group["minimum"], group["maximum"]
    for inner in filter(None, (group["mean"], group["median"])):
        check.looks += bool(low) + bool(high)
        if (low and inner.number.high < low.number.low) or (
            high and inner.number.low > high.number.high
        ):
            ends = f"{low.number.text if low else '?'} to {high.number.text if high else '?'}"
            check.add(
                Weight.MATERIAL,
                Certainty.CERTAIN,
                table.name,
                f"the {inner.statistic} is outside the range",
                [names.entry(inner, ends)],
            )


def _not_too_far(check: CheckFindings, table: Table, names: CellNames, group: CellGroup) -> None:
    """Check whether readings with this mean can have this standard deviation."""
    mean, sd = group["mean"] or group["value"], group["sd"]
    if not sd or not mean:
        return
    most = _largest_sd(mean.number, _range(table, group), table.repetitions)
    if most is None:
        return
    check.looks += 1
    if float(sd.number.low) > most * (1 + _SAME_STEP):
        check.add(
            Weight.MATERIAL,
            Certainty.CERTAIN,
            table.name,
            "no readings with this mean have such a standard deviation"
            + (
                ": it may be a variance"
                if math.sqrt(max(0.0, float(sd.number.low))) <= most
                else ""
            ),
            [names.entry(sd, f"at most {number(most)}")],
        )


def _range(table: Table, group: CellGroup) -> tuple[float | None, float | None]:
    """The least and the largest reading that a row can have, by its extremes or by its metric; None
    if not known.
    """
    low, high = group["minimum"], group["maximum"]
    least, most = table.bounds.get(group.metric, (None, None))
    bottom = low.number.low if low else least
    top = high.number.high if high else most
    return None if bottom is None else float(bottom), None if top is None else float(top)


def _largest_sd(
    mean: Printed, ends: tuple[float | None, float | None], n: int | None
) -> float | None:
    """The largest standard deviation of n readings with that mean between those ends; None if there
    is no bound.
    """
    bottom, top = ends
    if bottom is not None and top is not None:
        if top <= bottom:
            return None
        correction = 2.0 if n is None else n / (n - 1) if n > 1 else 1.0
        near = min(max((top + bottom) / 2, float(mean.low)), float(mean.high))
        return math.sqrt(max(0.0, (top - near) * (near - bottom)) * correction)
    if n and n > 1 and mean.low >= 0 and (bottom is None or bottom >= 0):
        return float(mean.high) * math.sqrt(n)
    return None
