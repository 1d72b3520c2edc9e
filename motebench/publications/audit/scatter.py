"""How well a mean is known: its standard error, from the spread beside it."""

from __future__ import annotations

import math

from motebench.catalog.published import Cell, Statistic, Table
from motebench.publications.audit.found import groups

SURE = 4.5
"""Standard errors by which two means must differ: by chance once in 150,000 comparisons."""
_UNCENTRED = (0.97, 1.5)
_WILD = 0.25
_FEW = 50
_CAREFUL = 3.0


class Scatter:
    """Relative standard errors of the means of a table; None where it has no spread or no number of readings.

    A "variance" that is a mean of squares (variance / mean^2 near 1 in the whole table) is centred first.
    """

    def __init__(self, table: Table) -> None:
        self._found: dict[tuple[int, str, str], float] = {}
        squares: dict[str, list[float]] = {}
        rows = []
        for group in groups(table):
            cell, spread = group.central, group["variance"] or group["sd"] or group["sem"]
            if cell and spread and cell.number.value > 0 and spread.number.value >= 0:
                power = 1 if spread.statistic is Statistic.VARIANCE else 2
                square = float(spread.number) ** power / float(cell.number) ** 2
                rows.append((cell, spread.statistic, square))
                squares.setdefault(cell.metric, []).append(square)
        for cell, statistic, square in rows:
            n = table.repetitions or table.readings.get(cell.line)
            of_metric = squares[cell.metric]
            near_one = sum(_UNCENTRED[0] < each < _UNCENTRED[1] for each in of_metric)
            uncentred = len(of_metric) >= 5 and near_one >= 0.7 * len(of_metric)
            centred = max(0.0, square - 1) if uncentred else square
            if statistic is Statistic.SEM:
                self._found[self._key(cell)] = math.sqrt(centred)
            elif n and n > 1:
                # The spread of a few readings with a long tail says too little of itself.
                wild = _CAREFUL if centred > _WILD and n < _FEW else 1.0
                self._found[self._key(cell)] = wild * math.sqrt(centred / n)

    @staticmethod
    def _key(cell: Cell) -> tuple[int, str, str]:
        return cell.line, cell.metric, cell.label("operation")

    def of(self, *cells: Cell) -> float | None:
        """Relative standard error of the ratio of two means, or of one mean."""
        known = [self._found.get(self._key(cell)) for cell in cells]
        if any(each is None for each in known):
            return None
        return math.sqrt(sum((each or 0.0) ** 2 for each in known))

    def less(self, one: Cell, two: Cell) -> bool:
        """Whether the first mean is below the second by more than their errors, as far as these are known."""
        errors = [(self.of(cell) or 0.0) * float(cell.number) for cell in (one, two)]
        return float(two.number) - float(one.number) > SURE * math.hypot(*errors)
