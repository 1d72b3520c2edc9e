"""Selection of results: the schemes, implementations, operations, sizes and metrics that a reader
asks for, for tables, comparisons, exports and pictures.

Each name must fit something that the run has, so that a typing mistake is not an empty table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TypeVar

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.naming import chooses, did_you_mean, is_pattern, split_list, squeezed
from motebench.base.units import Better, format_size, metric, metric_words, parse_size
from motebench.documents.result import Measurement, Placement, Ratio, Result
from motebench.results.results import CURVE

WHOLE = ("", "*")
"""The scheme of a failure of a whole implementation, and the implementation of one that concerns
all.
"""


@dataclass(frozen=True, slots=True)
class ChosenCases:
    """The cases and metrics of a selection by the names that results have. None: every one."""

    schemes: frozenset[str] | None = None
    implementations: frozenset[str] | None = None
    operations: frozenset[str] | None = None
    sizes: frozenset[int] | None = None
    metrics: tuple[str, ...] = ()
    """Metrics in the order of the selection; empty: every one."""
    sort: str | None = None
    """The metric by which rows are ordered, the best first."""

    def keeps(self, case: CaseId) -> bool:
        """True if the case is chosen. A failure of all operations, all sizes or a whole
        implementation is chosen with each of its cases.
        """
        return (
            (case.scheme in WHOLE or _within(case.scheme, self.schemes))
            and _within(case.implementation, self.implementations)
            and (case.operation is None or _within(str(case.operation), self.operations))
            and (case.input_bytes is None or _within(case.input_bytes, self.sizes))
        )

    def keeps_metric(self, name: str) -> bool:
        """True if the metric is chosen."""
        return not self.metrics or name in self.metrics


EVERY_CASE = ChosenCases()


def _within(value: object, chosen: Collection[object] | None) -> bool:
    return chosen is None or value in chosen


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """A selection as a user writes it; empty: everything.

    sort: the metric by which rows are ordered. python: errors name arguments of the Python API, not
    options.
    """

    schemes: tuple[str, ...] = ()
    implementations: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    sort: str | None = None
    python: bool = False

    def __bool__(self) -> bool:
        """True if something is selected or ordered."""
        return bool(self.filters or self.sort)

    @property
    def filters(self) -> dict[str, tuple[str, ...]]:
        """The words of each filter that is given, by its name in messages."""
        given = {
            "schemes": self.schemes,
            "implementations": self.implementations,
            "operations": self.operations,
            "sizes": self.sizes,
            "metrics": self.metrics,
        }
        return {
            self._where(name): tuple(split_list(given_words))
            for name, given_words in given.items()
            if given_words
        }

    def _where(self, name: str) -> str:
        return name if self.python else f"--{name.removesuffix('s')}"

    def of(self, result: Result) -> ChosenCases:
        """Chosen cases of a run. InputError, with the run's names, for a name that fits nothing,
        and if no case remains.
        """
        measured = [
            *(entry.id for entry in result.measurements),
            *(failure.id for failure in result.failures),
        ]
        return self.among(measured, dict.fromkeys(entry.metric for entry in result.measurements))

    def among(self, cases: Sequence[CaseId], metrics: Iterable[str]) -> ChosenCases:
        """Chosen ones of these cases and metrics. InputError as for `of`."""
        names = list(metrics)
        self._check_given()
        chosen = ChosenCases(
            schemes=self._chosen(
                "schemes", self.schemes, (case.scheme for case in cases), _fits_scheme
            ),
            implementations=self._chosen(
                "implementations",
                self.implementations,
                (case.implementation for case in cases),
                _fits_implementation,
            ),
            operations=self._chosen(
                "operations",
                self.operations,
                (str(case.operation) for case in cases if case.operation),
                _fits,
            ),
            sizes=self._sizes(cases),
            metrics=self._metrics(names),
            sort=self._sort(names),
        )
        left = [
            case
            for case in cases
            if chosen.keeps(case) and (case.scheme not in WHOLE or chosen.implementations)
        ]
        if self.filters and not left:
            raise self._nothing(chosen, cases)
        return chosen

    def _check_given(self) -> None:
        """InputError for a filter that is given and names nothing."""
        empty = next((name for name, given_words in self.filters.items() if not given_words), None)
        if empty is not None:
            raise InputError(
                "no name is given",
                where=empty,
                valid="names, with commas between them",
                hint=f"without {empty}, everything is taken",
            )

    def _chosen(
        self,
        name: str,
        texts: Iterable[str],
        names: Iterable[str],
        fits: Callable[[str, str], bool],
    ) -> frozenset[str] | None:
        entries = [entry for entry in dict.fromkeys(names) if entry not in WHOLE]
        given = split_list(texts)
        if not given:
            return None
        chosen: set[str] = set()
        for word in given:
            exact = {entry for entry in entries if entry == word}
            fitting = exact or {entry for entry in entries if fits(entry, word)}
            if not fitting:
                raise self._unknown(name, word, sorted(entries))
            chosen |= fitting
        return frozenset(chosen)

    def _sizes(self, cases: Iterable[CaseId]) -> frozenset[int] | None:
        given = split_list(self.sizes)
        if not given:
            return None
        sizes = sorted({case.input_bytes for case in cases if case.input_bytes is not None})
        chosen = {word: parse_size(word, where=self._where("sizes")) for word in given}
        for word, size in chosen.items():
            if size not in sizes:
                raise self._unknown(
                    "sizes", word, [format_size(number) for number in sizes], hint=False
                )
        return frozenset(chosen.values())

    def _metrics(self, metrics: Sequence[str]) -> tuple[str, ...]:
        chosen: dict[str, None] = {}
        for word in split_list(self.metrics):
            names = metrics_named(word, metrics)
            if not names:
                raise self._unknown("metrics", word, metrics)
            chosen |= dict.fromkeys(names)
        return tuple(chosen)

    def _sort(self, metrics: Sequence[str]) -> str | None:
        """The metric to sort by: one that has a best value."""
        if self.sort is None:
            return None
        sortable = [name for name in metrics if metric(name).better is not Better.NEITHER]
        names = metrics_named(self.sort, sortable)
        if len(names) != 1:
            raise InputError(
                f"this run has no metric {self.sort!r} to sort by",
                where="sort" if self.python else "--sort",
                valid=", ".join(sortable),
                hint=did_you_mean(self.sort, _with_words(sortable)),
            )
        return names[0]

    def _unknown(
        self, name: str, word: str, valid: Sequence[str], *, hint: bool = True
    ) -> InputError:
        shown = _with_words(valid) if name == "metrics" else valid
        several = name != "metrics" and any(entry.startswith(word) for entry in valid)
        near = did_you_mean(word, shown)
        if near is None and several:
            near = f"for several, a pattern in quotes: '{word}*'"
        return InputError(
            f"no result has the {name.removesuffix('s')} {word!r}",
            where=self._where(name),
            valid=", ".join(valid) or None,
            hint=near if hint else None,
        )

    def _nothing(self, chosen: ChosenCases, cases: Sequence[CaseId]) -> InputError:
        """The mistake that no case fits all filters, and the filter to leave out."""
        alone = {
            self._where("schemes"): replace(chosen, schemes=None),
            self._where("implementations"): replace(chosen, implementations=None),
            self._where("operations"): replace(chosen, operations=None),
            self._where("sizes"): replace(chosen, sizes=None),
        }
        counts = {
            name: len({case for case in cases if less.keeps(case) and case.scheme not in WHOLE})
            for name, less in alone.items()
            if name in self.filters
        }
        hints = [
            f"without {name}: {count} {'case' if count == 1 else 'cases'}"
            for name, count in counts.items()
            if count
        ]
        given = ", ".join(f"{name} {','.join(texts)}" for name, texts in self.filters.items())
        return InputError(
            f"no result fits {given}", hint="; ".join(hints) or "leave out one of these"
        )


def metrics_named(word: str, metrics: Iterable[str]) -> list[str]:
    """The metrics that a word means: a name (``static_ram_net``), a name in tables (``RAM added``),
    or a pattern.
    """
    names = list(metrics)
    if is_pattern(word):
        return [name for name in names if fnmatchcase(name, word)]
    squeezed_word = squeezed(word)
    return [
        name for name in names if squeezed_word in (squeezed(name), squeezed(metric_words(name)))
    ]


def _with_words(names: Iterable[str]) -> list[str]:
    """Names of metrics, and their names in tables."""
    return list(dict.fromkeys(text for name in names for text in (name, metric_words(name))))


def _fits(name: str, word: str) -> bool:
    return fnmatchcase(name, word)


def _fits_scheme(name: str, word: str) -> bool:
    """True if a pattern, an alias or a short name means the scheme."""
    return fnmatchcase(name, word) if is_pattern(word) else name == _resolved(word)


def _resolved(word: str) -> str | None:
    from motebench.catalog import resolve

    try:
        return resolve(word).name
    except InputError:
        return None


def _fits_implementation(name: str, word: str) -> bool:
    """True if a name or pattern means the implementation; of several groups of runs, whose names
    stand before it, each group's.
    """
    _, colon, plain = name.partition(":")
    return chooses(word, name) or bool(colon and chooses(word, plain))


def selected(result: Result, chosen: ChosenCases) -> Result:
    """Chosen part of a run, in the chosen order. Numbers and ratios stay unchanged."""
    measurements = _chosen_entries(result.measurements, chosen)
    if chosen.sort is not None:
        measurements = ordered(measurements, costs_of(result.measurements, chosen.sort))
    scales = chosen.keeps_metric("time") or chosen.keeps_metric("throughput")
    return replace(
        result,
        measurements=tuple(measurements),
        failures=tuple(filter(chosen.keeps, result.failures)),
        ratios=tuple(_chosen_entries(result.ratios, chosen)),
        placements=tuple(_chosen_entries(result.placements, chosen)),
        scaling=tuple(filter(chosen.keeps, result.scaling)) if scales else (),
    )


OfMetric = TypeVar("OfMetric", Measurement, Ratio, Placement)


def _chosen_entries(entries: Iterable[OfMetric], chosen: ChosenCases) -> list[OfMetric]:
    return [entry for entry in entries if chosen.keeps(entry) and chosen.keeps_metric(entry.metric)]


Costs = Mapping[CaseId, float]
"""Costs by case: the lower the better."""


def costs_of(measurements: Iterable[Measurement], name: str) -> Costs:
    """The costs of cases by a metric. What cannot be quoted comes last."""
    return {entry.id: cost_of(entry) for entry in measurements if entry.metric == name}


def cost_of(entry: Measurement | None) -> float:
    """Sort key: the lower the better; missing and disturbed values come last."""
    if entry is None or not entry.quotable or not math.isfinite(entry.median):
        return math.inf
    return -entry.median if entry.better == Better.HIGHER else entry.median


def ordered(measurements: Sequence[Measurement], costs: Costs) -> list[Measurement]:
    """Measurements with the best of the same work first; operations, inputs and targets in the
    order they come.
    """
    work: dict[CaseId, int] = {}
    for entry in measurements:
        work.setdefault(entry.without("scheme", "implementation"), len(work))
    return sorted(
        measurements,
        key=lambda entry: (
            work[entry.without("scheme", "implementation")],
            costs.get(entry.id, math.inf),
        ),
    )


def no_curves(chosen: ChosenCases, where: str) -> ChosenCases:
    """The same. InputError if a development in order is chosen, which no table and no bar can
    show.
    """
    if CURVE in chosen.metrics:
        raise InputError(
            f"{metric_words(CURVE)} is a development in order: no single number stands for it",
            where=where,
            hint="motebench report draws it, motebench export --format json has every value",
        )
    return chosen
