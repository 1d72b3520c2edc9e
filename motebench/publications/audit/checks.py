"""All checks of a table."""

from __future__ import annotations

from dataclasses import replace

from motebench.catalog.published import Cell, Table
from motebench.publications.audit import copies, grid, products, scaling, spread, structure
from motebench.publications.audit.found import CheckFindings


def check_table(table: Table) -> list[CheckFindings]:
    """What every check finds in a table."""
    return [
        spread.sd_of_variance(table),
        *(found for part in _by_readings(table) for found in _of_readings(part)),
        copies.repeated_labels(table),
        copies.repeated_rows(table),
        copies.repeated_series(table),
        copies.equal_neighbours(table),
        copies.digit_slips(table),
        copies.constant_columns(table),
        *scaling.falling(table),
        scaling.common(table),
        scaling.exact(table),
        *structure.rounds(table),
        *structure.directions(table),
        products.products(table),
        products.same_information(table),
    ]


def _of_readings(table: Table) -> list[CheckFindings]:
    """The checks that need the number of readings, or profit from it."""
    return [
        *spread.second_moments(table),
        spread.standard_errors(table),
        *spread.bounds(table),
        grid.means(table),
        *grid.variances(table),
    ]


def _by_readings(table: Table) -> list[Table]:
    """The table itself, or a part of it for each number of readings, where its lines differ in it."""
    if not table.readings:
        return [table]
    parts: dict[int | None, list[Cell]] = {}
    for cell in table.cells:
        parts.setdefault(table.readings.get(cell.line), []).append(cell)
    return [replace(table, cells=tuple(cells), repetitions=n, readings={}) for n, cells in parts.items()]
