"""Values that claims speak of: of a published table, or of our own results, in one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from motebench.base.metrics import metric
from motebench.base.model import Evidence
from motebench.base.naming import chooses
from motebench.base.units import format_size, format_value
from motebench.catalog import schemes
from motebench.documents.result import Measurement, Result
from motebench.publications.papers.model import PaperSubject, Selector
from motebench.stats.shape import Bounded

_PLAIN = {"encrypt-message": "encrypt", "decrypt-message": "decrypt", "encrypt-new-key": "encrypt"}
_IN_FLASH = "-flash"
_STATIC = ("flash", "static_ram", "flash_net", "static_ram_net")
"""Metrics of a whole firmware: the same for every operation and size."""
LEAST = 4
"""Values whose range says something of their median: 1 - 2^(1-4) = 87.5 % of the time, where there is no interval."""


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """One value. ``size``: bytes as the paper names them; ``measured_size``: those that were used, with ``--scale``.

    ``value``: in the unit of the metric. Its interval is what printing left out, if published; else that of the median.
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

    @property
    def words(self) -> str:
        """The value with its unit."""
        return format_value(self.value.value, metric(self.metric).unit, 4)

    def part(self, name: str) -> Any:
        """A dimension by its name in claims."""
        return getattr(self, name)


def label(group: Mapping[str, Any], cells: Iterable[ClaimValue] = ()) -> str:
    """The words for what a group of cells has in common.

    A smaller size that stands for one of the paper is named first, because the values belong to it.
    """
    used = {cell.measured_size for cell in cells if cell.measured_size}
    words = [_size(value, used) if name == "size" else str(value) for name, value in group.items() if value]
    return ", ".join(words)


def _size(printed: int, used: set[int]) -> str:
    if not used or used == {printed}:
        return format_size(printed)
    return f"{' and '.join(format_size(size) for size in sorted(used))} for {format_size(printed)}"


def library(implementation: str) -> str:
    """What implementations of several ciphers have in common: the library, where its tables lie, and the variant.

    ``mbedtls/des-flash@O2`` gives ``mbedtls-flash@O2``.
    """
    name, mark, variant = implementation.partition("@")
    return f"{name.partition('/')[0]}{_IN_FLASH if name.endswith(_IN_FLASH) else ''}{mark}{variant}"


def chosen(cells: Iterable[ClaimValue], only: Selector, *, ours: bool = False) -> list[ClaimValue]:
    """The cells that a selector means. Devices are names of the paper: they choose nothing among ``ours``."""
    return [
        cell
        for cell in cells
        if (not only.subjects or cell.subject in only.subjects)
        and (not only.operations or cell.operation in only.operations)
        and (not only.sizes or cell.size in only.sizes)
        and (ours or not only.devices or cell.device in only.devices)
        and (only.metric is None or cell.metric == only.metric)
        and (not only.implementations or any(chooses(each, cell.implementation) for each in only.implementations))
        and (not only.modes or any(fnmatchcase(cell.mode, pattern) for pattern in only.modes))
    ]


def mode_of(scheme: str) -> str:
    """The mode of a scheme of the catalog; empty where it has none."""
    found = schemes().get(scheme)
    return (found.mode or "") if found is not None else ""


def operation_of(name: str) -> str:
    """``encrypt-file`` and ``encrypt-message`` are ``encrypt``."""
    return _PLAIN.get(name, name.removesuffix("-file"))


def interval_of(row: Measurement) -> Bounded:
    """The median with its interval; without one, the range where there are values enough; else nothing is known.

    Results of a simulator that always gives the same value are exact.
    """
    if row.ci_low is not None and row.ci_high is not None:
        return Bounded(row.median, row.ci_low, row.ci_high)
    if row.evidence == Evidence.SIMULATED.value and row.min == row.max:
        return Bounded.exact(row.median)
    return Bounded(row.median, row.min, row.max) if row.n >= LEAST else Bounded(row.median)


def own_cells(
    result: Result, subjects: Sequence[PaperSubject], sizes: Mapping[int, int] | None = None
) -> list[ClaimValue]:
    """The cells of a result that are of a subject. ``sizes``: the published size of each that was measured.

    A measurement that is not quotable is none, and neither is an empty file, which shows what a process costs.
    """
    found: dict[ClaimValue, None] = {}
    for row in result.measurements:
        if not row.quotable or (row.file is not None and not row.input_bytes):
            continue
        for subject in subjects:
            if row.scheme not in subject.schemes:
                continue
            if subject.implementations and not any(
                chooses(each, row.implementation) for each in subject.implementations
            ):
                continue
            whole = row.metric in _STATIC
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
            )
            found[cell] = None
    return list(found)
