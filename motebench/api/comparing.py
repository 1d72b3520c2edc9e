"""Comparing from Python."""

from __future__ import annotations

from motebench.api.answers import ComparisonResult, StoredRun
from motebench.api.arguments import Path, Texts, fraction, names_arguments, texts
from motebench.api.measuring import STORE


@names_arguments
def compare(
    a: StoredRun | str,
    b: StoredRun | str,
    *,
    run: StoredRun | str = "latest",
    metrics: Texts = (),
    margin: float | str | None = None,
    across_environments: bool = False,
    store: Path | None = None,
    store_b: Path | None = None,
) -> ComparisonResult:
    """Compare B with A, with the test that compares them.

    a, b: runs, or names: of a run, of a group of runs (or several with commas, or a pattern), of an implementation of
    ``run``, or ``RUN:IMPLEMENTATION``. metrics: time and instructions unless given. margin: the relative difference
    that is not called, as a fraction or ``"2%"``. across_environments: runs of different machines are compared all the
    same. store: where names are looked up, that of ``run`` if it is one, else motebench.db; store_b: of B, if
    elsewhere.

    Raises InputError for a name that means nothing, IncomparableError for two environments.
    """
    from motebench.results.comparison import DEFAULT_METRICS, compare_stored

    if store is None:
        store = run.store if isinstance(run, StoredRun) else STORE
    where_a = a.store if isinstance(a, StoredRun) else str(store)
    where_b = b.store if isinstance(b, StoredRun) else str(store if store_b is None else store_b)
    found = compare_stored(
        (_name(a), _name(b)),
        run=_name(run),
        stores=(where_a, where_b),
        metrics=texts(metrics, "metrics") or DEFAULT_METRICS,
        margin=fraction(margin, "margin"),
        across=across_environments,
    )
    return ComparisonResult(found)


def _name(side: StoredRun | str) -> str:
    return side.name if isinstance(side, StoredRun) else side
