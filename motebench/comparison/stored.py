"""Comparing two names in their stores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from motebench.comparison.groups import known_spread
from motebench.comparison.matching import DEFAULT_METRICS, compare, side
from motebench.comparison.model import Comparison, Side
from motebench.errors import InputError
from motebench.store import Store


def compare_stored(
    names: tuple[str, str],
    *,
    run: str,
    stores: tuple[str, str],
    metrics: Sequence[str],
    margin: float | None,
    across: bool,
) -> Comparison:
    """The comparison of what two names mean, each in its store: runs, groups of runs, or implementations of ``run``.

    margin: the relative difference that is not called; None: from runs of one thing here, where there are such.
    InputError for a name that means nothing; IncomparableError for two environments, unless ``across``.
    """
    wanted = tuple(metrics) or DEFAULT_METRICS
    with ExitStack() as stack:
        opened = {place: stack.enter_context(Store.open(place, create=False)) for place in dict.fromkeys(stores)}
        a, b = (_side(opened[place], name, run) for name, place in zip(names, stores, strict=True))
        alone = margin is None and not (a.several or b.several or a.run.info == b.run.info)
        spreads = known_spread(list(opened.values()), a.run.info.environment, wanted) if alone else {}
        return compare(a, b, metrics=wanted, margin=margin, across_environments=across, spreads=spreads)


def _side(store: Store, name: str, run: str) -> Side:
    """The side of a run, or else of an implementation of ``run``."""
    try:
        return side(store, name)
    except InputError as error:
        within = side(store, run)
        if name in within.implementations:
            return side(store, f"{within.name or within.run.info.name}:{name}")
        here = ", ".join(within.implementations)
        raise InputError(
            f"{name!r} is neither a run, nor a group of runs, nor an implementation of run {within.label}",
            valid=f"{error.valid or 'a run'}; or one of {here}",
            hint="motebench list runs",
        ) from None
