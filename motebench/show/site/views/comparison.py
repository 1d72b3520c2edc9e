"""Pages of comparisons: verdicts on B against A, and the difference of two runs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from motebench.base.errors import InputError
from motebench.documents.comparison import PairEntry
from motebench.results.comparison import compare_stored, document
from motebench.results.comparison.model import Comparison, Pair
from motebench.results.presentation.rows import case_words, share_words
from motebench.show.site import VIEWS, SiteQuery, margin_of, result_filter, store_filter
from motebench.show.site.views import (
    MOST_CHOICES,
    Site,
    SitePage,
    form_content,
    json_text,
    page_numbers,
    table_text,
)

LINES = 150
"""Rows of a page of a comparison."""


def compare(site: Site, query: SiteQuery) -> SitePage:
    """Verdicts on B against A; without both, the form alone."""
    with site.open() as store:
        names = site.names(store)
        newest = store.runs_page(store_filter(SiteQuery(VIEWS["runs"], {}), names), 0, MOST_CHOICES)
    sides = (query.get("a"), query.get("b"))
    content: dict[str, Any] = {"sides": sides, "newest": newest.runs, **form_content(query, names)}
    if not all(sides):
        return SitePage(
            "compare.html.j2",
            "Compare",
            {**content, "comparison": None},
            {"json": _no_sides, "csv": _no_sides},
        )
    comparison = compare_stored(
        (sides[0], sides[1]),
        run="latest",
        stores=(site.store, site.store),
        selection=result_filter(query),
        margin=margin_of(query),
        across=query.get("across") == "yes",
    )
    entry = document(comparison)
    start = query.start(LINES)
    return SitePage(
        "compare.html.j2",
        f"{comparison.b.label} against {comparison.a.label}",
        {
            **content,
            "comparison": comparison,
            "pairs": comparison.pairs[start : start + LINES],
            "counts": Counter(pair.word for pair in comparison.pairs),
            "means": entry.geometric_means,
            "pages": page_numbers(query, "/compare", len(comparison.pairs), LINES),
        },
        {
            "json": lambda: json_text(entry),
            "csv": lambda: table_text(PairEntry, entry.comparisons),
        },
    )


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
    if verdict.low is None or verdict.high is None:
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
