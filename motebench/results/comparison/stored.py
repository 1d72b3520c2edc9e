"""Comparing two names in their stores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.results.comparison.groups import known_spread
from motebench.results.comparison.matching import DEFAULT_METRICS, compare, side
from motebench.results.comparison.model import Comparison, Side
from motebench.store import Store
from motebench.store.checking import LATEST


def compare_stored(
    names: tuple[str, str],
    *,
    run: str,
    stores: tuple[str, str],
    metrics: Sequence[str],
    margin: float | None,
    across: bool,
) -> Comparison:
    """The comparison of what two names mean, each in its store: runs, groups of runs, or implementations of ``run``,
    where ``latest`` is the newest run that has them.

    margin: the relative difference that is not called; None: from runs of one thing here, where there are such.
    InputError for a name that means nothing; IncomparableError for two environments, unless ``across``.
    """
    wanted = tuple(metrics) or DEFAULT_METRICS
    with ExitStack() as stack:
        opened = {place: stack.enter_context(Store.open(place, create=False)) for place in dict.fromkeys(stores)}
        asked = list(zip(names, stores, strict=True))
        within = {place: _within(opened[place], [name for name, at in asked if at == place], run) for place in opened}
        a, b = (_side(opened[place], name, within[place]) for name, place in asked)
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
        elsewhere = store.newest_with([name])
        raise InputError(
            f"{name!r} is neither a run, nor a group of runs, nor an implementation of run {within.label}",
            valid=f"{error.valid or 'a run'}; or one of {', '.join(within.implementations)}",
            hint=f"{name} is in run {elsewhere}: add --run {elsewhere}, or write {elsewhere}:{name}"
            if elsewhere
            else did_you_mean(name, [*within.implementations, *(info.name for info in store.runs())])
            or "motebench list runs",
        ) from None


def _within(store: Store, names: Sequence[str], run: str) -> str:
    """The run that names of implementations are looked up in: of ``latest`` the newest that has all of them."""
    alone = [name for name in names if ":" not in name and not _is_run(store, name)]
    if run.lower() not in LATEST or not alone:
        return run
    found = {name: store.newest_with([name]) for name in alone}
    known = [name for name in alone if found[name] is not None]
    together = store.newest_with(known) if known else None
    if known and together is None:
        raise InputError(
            f"no run has both {known[0]!r} and {known[1]!r}",
            valid="two implementations of one run, or RUN:IMPLEMENTATION twice",
            hint="write " + " and ".join(f"{found[name]}:{name}" for name in known),
        )
    return run if together is None else str(together)


def _is_run(store: Store, name: str) -> bool:
    try:
        side(store, name)
    except InputError:
        return False
    return True
