"""Pages of comparisons: verdicts on B against A, the difference of two runs, and the changes of a
period.
"""

from __future__ import annotations

import json
import math
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import RunKind
from motebench.base.shapes import keys, plain
from motebench.base.units import METRICS
from motebench.documents.comparison import (
    ChangeCountEntry,
    ChangesEntry,
    PairEntry,
    PeriodChangeEntry,
    TooManyEntry,
)
from motebench.results.comparison import Side, Unmatched, compare_stored, document
from motebench.results.comparison import compare as compare_sides
from motebench.results.comparison.document import only_entry, pair_entry
from motebench.results.comparison.matching import one_family
from motebench.results.comparison.model import Comparison, Pair
from motebench.results.presentation.rows import case_words, share_words
from motebench.results.selection import ResultFilter, metrics_named
from motebench.results.together import known_spread
from motebench.show.export.csv import csv_text
from motebench.show.site import (
    SiteQuery,
    address,
    day_before,
    margin_of,
    period_of,
    refuse_unknown,
    result_filter,
    store_filter,
)
from motebench.show.site.views import (
    MOST_CHOICES,
    Site,
    SitePage,
    built,
    form_content,
    json_text,
    number_of,
    page_numbers,
    part_of_run,
    table_text,
)
from motebench.stats import RunSpread
from motebench.stats.compare import BENJAMINI_HOCHBERG
from motebench.store import Store
from motebench.store.search import CasePair, RunSummary, StoreFilter

LINES = 150
"""Rows of a page of a comparison."""


@dataclass(frozen=True, slots=True)
class DifferenceKind:
    """A kind of differences: its name, the names of changes for the worse and for the better, and
    its metrics.
    """

    name: str
    worse: str
    better: str
    metrics: tuple[str, ...]


KINDS = (
    DifferenceKind("Speed", "slower", "faster", ("time", "cycles", "instructions")),
    DifferenceKind(
        "Memory",
        "bigger",
        "smaller",
        (
            "flash_net",
            "flash",
            "static_ram_net",
            "static_ram",
            "stack",
            "state",
            "heap",
            "allocated",
            "peak_rss_net",
        ),
    ),
    DifferenceKind("Energy", "hungrier", "thriftier", ("energy", "energy_net")),
)
"""Kinds of a page of differences. Metrics that follow from these are left out."""


@dataclass(frozen=True, slots=True)
class KindOfDifferences:
    """The pairs of a kind: changed ones, the largest change for the worse first, and the number of
    others.
    """

    kind: DifferenceKind
    worse: tuple[Pair, ...]
    better: tuple[Pair, ...]
    others: int


def compare(site: Site, query: SiteQuery) -> SitePage:
    """Verdicts on B against A; without both, the form alone."""
    comparison, content = _compared(site, query, result_filter(query))
    if comparison is None:
        return _form_alone("compare.html.j2", "Compare", content)
    entry = document(comparison)
    start = query.start(LINES)
    return SitePage(
        "compare.html.j2",
        f"{comparison.b.label} against {comparison.a.label}",
        {
            **content,
            "pairs": comparison.pairs[start : start + LINES],
            "counts": Counter(pair.word for pair in comparison.pairs),
            "means": entry.geometric_means,
            "sides": {name: query.get(name) for name in ("a", "b")},
            "pages": page_numbers(query, "/compare", len(comparison.pairs), LINES),
        },
        {
            "json": lambda: json_text(entry),
            "csv": lambda: table_text(PairEntry, entry.comparisons),
        },
    )


def difference(site: Site, query: SiteQuery) -> SitePage:
    """The changes from A to B by kind; without both sides, the form alone."""
    metrics = tuple(name for kind in KINDS for name in kind.metrics)
    selection = replace(result_filter(query), metrics=metrics)
    comparison, content = _compared(site, query, selection)
    if comparison is None:
        return _form_alone("difference.html.j2", "Difference", content)
    entry = document(comparison)
    kinds = [_of_kind(kind, comparison.pairs) for kind in KINDS]
    return SitePage(
        "difference.html.j2",
        f"From {comparison.a.label} to {comparison.b.label}",
        {
            **content,
            "kinds": [kind for kind in kinds if kind.worse or kind.better or kind.others],
            "most": LINES,
            "again": _command(query, metrics),
        },
        {
            "json": lambda: json_text(entry),
            "csv": lambda: table_text(PairEntry, entry.comparisons),
            "file": lambda: "",
        },
    )


def _compared(
    site: Site, query: SiteQuery, selection: ResultFilter
) -> tuple[Comparison | None, dict[str, Any]]:
    """The comparison that a query means, None without both sides, and the content of its form."""
    with site.open() as store:
        names = site.names(store)
        newest = store.runs_page(StoreFilter(), 0, MOST_CHOICES, contents=False)
    a, b = query.get("a"), query.get("b")
    comparison = None
    if a and b:
        comparison = compare_stored(
            (a, b),
            run="latest",
            stores=(site.store, site.store),
            selection=selection,
            margin=margin_of(query),
            across=query.get("across") == "yes",
        )
    content = {"comparison": comparison, "newest": newest.runs, **form_content(query, names)}
    return comparison, content


def _form_alone(template: str, title: str, content: dict[str, Any]) -> SitePage:
    return SitePage(template, title, content, {"json": _no_sides, "csv": _no_sides})


def _of_kind(kind: DifferenceKind, pairs: Sequence[Pair]) -> KindOfDifferences:
    of_kind = [pair for pair in pairs if pair.a.metric in kind.metrics]
    by_level: dict[str, list[Pair]] = {"good": [], "bad": [], "": []}
    for pair in sorted(of_kind, key=_change, reverse=True):
        by_level[level_of(pair)].append(pair)
    return KindOfDifferences(
        kind, tuple(by_level["bad"]), tuple(by_level["good"]), len(by_level[""])
    )


def _command(query: SiteQuery, metrics: Sequence[str]) -> str:
    """The command that gives the same verdicts."""
    call = ["motebench", "compare", query.get("a"), query.get("b"), "--metric", ",".join(metrics)]
    for name in ("scheme", "implementation", "operation", "size", "margin"):
        call += [f"--{name}", query.get(name)] if query.get(name) else []
    return shlex.join(call + ["--across-environments"] * (query.get("across") == "yes"))


def _change(pair: Pair) -> float:
    """Distance of a ratio from 1, on a logarithmic scale."""
    ratio = pair.verdict.ratio
    return abs(math.log(ratio)) if ratio else math.inf


def _no_sides() -> str:
    raise InputError(
        "a comparison needs two sides",
        where="a, b",
        valid="runs, groups, or RUN:IMPLEMENTATION",
        hint="/compare?a=1&b=2",
    )


def ratio_words(pair: Pair) -> str:
    """The ratio of a pair with its interval."""
    verdict = pair.verdict
    if verdict.ratio is None:
        return "-"
    if verdict.low is None or verdict.high is None or verdict.low == verdict.high:
        return f"{verdict.ratio:.4g}"
    return f"{verdict.ratio:.4g} ({verdict.low:.4g} to {verdict.high:.4g})"


def change_words(pair: Pair) -> str:
    """The difference of a pair in percent."""
    ratio = pair.verdict.ratio
    return "" if ratio is None else f"{'+' if ratio >= 1 else '-'}{share_words(abs(ratio - 1))}"


def level_of(pair: Pair) -> str:
    """The mark of a verdict: ``good``, ``bad``, or none."""
    return {"faster": "good", "smaller": "good", "fewer": "good"}.get(
        pair.word, "bad" if pair.word in ("slower", "larger", "more") else ""
    )


def refused(comparison: Comparison) -> list[tuple[str, str]]:
    """Cases of one side alone, or that cannot be compared, with the reason."""
    sides = (*comparison.only_in_a, *comparison.only_in_b)
    return [(case_words(item), item.reason) for item in sides][:LINES]


# The changes of a period


MOST_COMPARED = 5000
"""Cases that a page of changes compares: more take many seconds, and are only counted."""
INSTEAD = {
    "cycles": ("time",),
    "instructions": ("time", "cycles"),
    "flash": ("flash_net",),
    "static_ram": ("static_ram_net",),
}
"""Metrics that say nothing new where a case has one of these."""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A metric of a case before a period and in it: B against A, with their runs."""

    pair: Pair
    a: RunSummary
    b: RunSummary
    number: int
    """The number of the case in the run of B."""
    library: tuple[str | None, str | None]
    compiler: tuple[str | None, str | None]

    @property
    def history(self) -> str:
        """The address of the history of the case."""
        return address("/history", {"case": self.number, "metric": self.pair.a.metric})

    @property
    def builds(self) -> tuple[str, ...]:
        """Versions that differ between both runs."""
        facts = (
            ("library", self.library),
            ("compiler", self.compiler),
            ("motebench", (self.a.version, self.b.version)),
        )
        return tuple(
            f"{name} {old or 'not known'} → {new or 'not known'}"
            for name, (old, new) in facts
            if old != new
        )

    @property
    def implementation(self) -> str:
        """The implementation with the version that B has."""
        name, version = self.pair.b.case.implementation, self.library[1]
        return f"{name} {version}" if version else name


@dataclass(slots=True)
class ChangeCounts:
    """Numbers of changes for the worse and for the better, and of others, by kind and name."""

    worse: Counter[tuple[str, str]] = field(default_factory=Counter)
    better: Counter[tuple[str, str]] = field(default_factory=Counter)
    same: Counter[tuple[str, str]] = field(default_factory=Counter)

    def entries(self) -> tuple[ChangeCountEntry, ...]:
        """The numbers by kind, the name with most changes for the worse first."""
        kinds = [kind.name for kind in KINDS]
        names = {*self.worse, *self.better, *self.same}
        order = sorted(names, key=lambda key: (kinds.index(key[0]), -self.worse[key], key[1]))
        return tuple(
            ChangeCountEntry(
                kind=kind,
                name=name,
                worse=self.worse[kind, name],
                better=self.better[kind, name],
                same=self.same[kind, name],
            )
            for kind, name in order
        )


def changes(site: Site, query: SiteQuery) -> SitePage:
    """The newest result of each case in a period against the newest before it."""
    metrics = _metrics_of_changes(query)
    with site.open() as store:
        names = site.names(store)
        last_run = store.runs_page(StoreFilter(), 0, 1, contents=False).runs
        first, last = period_of(query, last_run[0].started[:10] if last_run else "")
        refuse_unknown(query, names)
        cases: list[CaseChange] = []
        comparisons = _Changes(site, store, query, metrics)
        if first:
            cases = comparisons.of(store_filter(query, names), first, last)
    kinds = [_kind_of_changes(kind, cases) for kind in KINDS]
    by_target, by_implementation = ChangeCounts(), ChangeCounts()
    for kind in KINDS:
        for case in (case for case in cases if case.pair.a.metric in kind.metrics):
            level = {"bad": "worse", "good": "better", "": "same"}[level_of(case.pair)]
            getattr(by_target, level)[kind.name, case.pair.b.case.target] += 1
            getattr(by_implementation, level)[kind.name, case.implementation] += 1
    entry = ChangesEntry(
        first_day=first,
        last_day=last,
        adjustment=BENJAMINI_HOCHBERG,
        changes=tuple(map(_change_entry, cases)),
        by_target=by_target.entries(),
        by_implementation=by_implementation.entries(),
        not_compared=tuple(map(only_entry, comparisons.refused)),
        too_many=tuple(
            TooManyEntry(target=target, cases=number)
            for target, number in sorted(comparisons.too_many.items())
        ),
    )
    content = form_content(query, names)
    return SitePage(
        "changes.html.j2",
        f"Changes from {first} to {last}" if first else "Changes",
        {
            **content,
            "given": {**query.values, "from": first, "to": last},
            "kinds": [entry for entry in kinds if entry["cases"]],
            "words": {kind.name: kind for kind in KINDS},
            "by_target": entry.by_target,
            "by_implementation": entry.by_implementation,
            "query": query,
            "most": LINES,
            "compared": len({case.number for case in cases}),
            "refused": [(case_words(item), item.reason) for item in comparisons.refused],
            "too_many": entry.too_many,
        },
        {
            "json": lambda: json_text(entry),
            "csv": lambda: _changes_text(entry.changes),
        },
    )


def _metrics_of_changes(query: SiteQuery) -> tuple[str, ...]:
    """The metrics that are compared: those of a query, or those of `KINDS`. InputError for what is
    none of `KINDS`.
    """
    usual = tuple(name for kind in KINDS for name in kind.metrics)
    metrics: list[str] = []
    for word in query.words("metric"):
        named = [name for name in metrics_named(word, METRICS) if name in usual]
        if not named:
            raise InputError(
                f"{word!r} is no metric of changes", where="metric", valid=", ".join(usual)
            )
        metrics += named
    return tuple(dict.fromkeys(metrics)) or usual


def _kind_of_changes(kind: DifferenceKind, cases: Sequence[CaseChange]) -> dict[str, Any]:
    """The content of a kind: its cases by level, the largest change first."""
    of_kind = [case for case in cases if case.pair.a.metric in kind.metrics]
    levels = {
        name: [case for case in of_kind if level_of(case.pair) == level]
        for name, level in (("worse", "bad"), ("better", "good"))
    }
    others = len(of_kind) - sum(map(len, levels.values()))
    return {"kind": kind, "cases": of_kind, "others": others, **levels}


def _changes_text(entries: Iterable[PeriodChangeEntry]) -> str:
    """Changes as CSV: the columns of pairs, then those of their runs."""
    of_pair = [name for name, _ in keys(PairEntry)]
    own = [name for name, _ in keys(PeriodChangeEntry) if name != "pair"]
    return csv_text(
        (*of_pair, *own),
        (
            [plain(getattr(entry.pair, name)) for name in of_pair]
            + [plain(getattr(entry, name)) for name in own]
            for entry in entries
        ),
    )


def _change_entry(change: CaseChange) -> PeriodChangeEntry:
    return PeriodChangeEntry(
        pair=pair_entry(change.pair),
        run_a=change.a.id,
        run_b=change.b.id,
        started_a=change.a.started,
        started_b=change.b.started,
        case_b=change.number,
        library_a=change.library[0],
        library_b=change.library[1],
        compiler_a=change.compiler[0],
        compiler_b=change.compiler[1],
    )


@dataclass(frozen=True, slots=True)
class _RunPair:
    """Two runs with the pairs of cases that are compared."""

    a: RunSummary
    b: RunSummary
    pairs: tuple[CasePair, ...]


@dataclass(slots=True)
class _Changes:
    """The comparisons of a page of changes: of pairs of runs, judged as one family."""

    site: Site
    store: Store
    query: SiteQuery
    metrics: tuple[str, ...]
    refused: list[Unmatched] = field(default_factory=list)
    too_many: Counter[str] = field(default_factory=Counter)
    """Cases of each target, if there are too many to compare."""
    spreads: dict[str, Mapping[str, RunSpread]] = field(default_factory=dict)

    def of(self, chosen: StoreFilter, first: str, last: str) -> list[CaseChange]:
        """The cases that have results before and in the period, the largest change first."""
        older = replace(chosen, since="", until=day_before(first))
        newer = replace(chosen, since=first, until=last)
        pairs = self.store.newest_pairs(older, newer)
        if len(pairs) > MOST_COMPARED:
            identities = self.store.identities(pair.id for pair in pairs)
            self.too_many = Counter(case.target for case in identities.values())
            return []
        cases: list[CaseChange] = []
        for runs in self._by_runs(self._of_one_compiler(pairs, older, newer)):
            cases += self._of_runs(runs)
        named = {(case.number, case.pair.a.metric) for case in cases}
        shown = [
            case
            for case in cases
            if not any(
                (case.number, other) in named for other in INSTEAD.get(case.pair.a.metric, ())
            )
        ]
        verdicts = one_family([case.pair for case in shown])
        judged = [replace(case, pair=pair) for case, pair in zip(shown, verdicts, strict=True)]
        return sorted(judged, key=lambda case: (not level_of(case.pair), -_change(case.pair)))

    def _of_one_compiler(
        self, pairs: Sequence[CasePair], older: StoreFilter, newer: StoreFilter
    ) -> list[CasePair]:
        """Pairs with an older result of the compiler of the newer one, where there is such: a store
        may have runs of several compilers in turn.
        """
        environments = self.site.environments(self.store)
        identities = self.store.identities(pair.id for pair in pairs)

        @cache
        def compiler(run: int, target: str, implementation: str) -> str | None:
            case = CaseId("", implementation, None, None, target)
            return built(environments.get(run, {}), case, "compiler")

        moved: set[tuple[int, str, str]] = set()
        for pair in pairs:
            case = identities[pair.id]
            names = (case.target, case.implementation)
            before, after = (compiler(run, *names) for run in (pair.older_run, pair.run))
            if before and after and before != after:
                moved.add((pair.run, *names))
        instead: dict[int, CasePair] = {}
        for run, target, implementation in moved:
            after = compiler(run, target, implementation)
            runs = [number for number in environments if number != run]
            alike = [name for name in runs if compiler(name, target, implementation) == after]
            if alike:
                of_case = replace(
                    newer, runs=(run,), targets=(target,), implementations=(implementation,)
                )
                of_compiler = replace(older, runs=tuple(alike))
                instead |= {pair.id: pair for pair in self.store.newest_pairs(of_compiler, of_case)}
        return [instead.get(pair.id, pair) for pair in pairs]

    def _by_runs(self, pairs: Iterable[CasePair]) -> list[_RunPair]:
        """Pairs of cases by their runs; leak tests have no numbers to compare."""
        groups: dict[tuple[int, int], list[CasePair]] = defaultdict(list)
        for pair in pairs:
            groups[pair.older_run, pair.run].append(pair)
        ids = tuple({run for runs in groups for run in runs})
        page = self.store.runs_page(StoreFilter(runs=ids), 0, len(ids), contents=False)
        measured = {run.id: run for run in page.runs if run.kind is not RunKind.LEAK}
        return [
            _RunPair(measured[a], measured[b], tuple(of_runs))
            for (a, b), of_runs in groups.items()
            if a in measured and b in measured
        ]

    def _of_runs(self, runs: _RunPair) -> list[CaseChange]:
        """The changes from one run to another."""
        comparison = self._compared(runs)
        if comparison is None:
            return []
        stored = self.store.identities(pair.id for pair in runs.pairs)
        numbers = {case: number for number, case in stored.items()}
        apart = comparison.environment if self.query.get("across") != "yes" else ()
        reason = f"{runs.a.name} and {runs.b.name} come from different environments: "
        reason += "; ".join(map(str, apart))
        sides = (*comparison.only_in_a, *comparison.only_in_b)
        refused = [item for item in sides if number_of(item, numbers) is not None]
        cases: list[CaseChange] = []
        old, new = (side.run.info.environment for side in (comparison.a, comparison.b))
        for pair in comparison.pairs:
            case = pair.b.case
            number = number_of(case.id, numbers)
            if number is None:
                continue
            if apart and not (pair.a.simulated and pair.b.simulated):
                refused.append(Unmatched(**case.identity(), reason=reason))
                continue
            library, compiler = (
                (built(old, pair.a.case, fact), built(new, case, fact))
                for fact in ("version", "compiler")
            )
            cases.append(CaseChange(pair, runs.a, runs.b, number, library, compiler))
        self.refused += dict.fromkeys(refused)
        return cases

    def _compared(self, runs: _RunPair) -> Comparison | None:
        """The comparison of two runs; None if they have none of these metrics in common."""
        older = frozenset(pair.older for pair in runs.pairs)
        newer = frozenset(pair.id for pair in runs.pairs)
        margin = margin_of(self.query)

        def make() -> Comparison | None:
            a = Side(part_of_run(self.store, runs.a.id, older))
            b = Side(part_of_run(self.store, runs.b.id, newer))
            try:
                return compare_sides(
                    a,
                    b,
                    metrics=self.metrics,
                    across_environments=True,
                    margin=margin,
                    spreads=self._spreads(a.run.info.environment) if margin is None else None,
                )
            except InputError:
                return None

        if "running" in (runs.a.status, runs.b.status):
            return make()
        ended = (runs.a.fingerprint, runs.b.fingerprint, self.store.state())
        return self.site.compared((*ended, older, newer, self.metrics, margin), make)

    def _spreads(self, environment: dict[str, Any]) -> Mapping[str, RunSpread]:
        """The spread of runs on a machine, as `compare` takes it."""
        key = json.dumps(environment, sort_keys=True, default=str)
        if key not in self.spreads:
            self.spreads[key] = known_spread([self.store], environment, self.metrics)
        return self.spreads[key]
