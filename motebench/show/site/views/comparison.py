"""Pages of comparisons: verdicts on B against A, and the difference of two runs."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from motebench.base.errors import InputError
from motebench.documents.comparison import PairEntry
from motebench.results.comparison import compare_stored, document
from motebench.results.comparison.model import Comparison, Pair
from motebench.results.presentation.rows import case_words, share_words
from motebench.results.selection import ResultFilter
from motebench.show.site import SiteQuery, margin_of, result_filter
from motebench.show.site.views import (
    MOST_CHOICES,
    Site,
    SitePage,
    form_content,
    json_text,
    page_numbers,
    table_text,
)
from motebench.store.search import StoreFilter

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
