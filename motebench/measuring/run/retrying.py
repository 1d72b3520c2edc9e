"""Which failures of a stored run are tried again when it is resumed."""

from __future__ import annotations

from motebench.base.model import Failure, Run
from motebench.store import Store


def to_retry(run: Run) -> list[Failure]:
    """Failures of a run whose cases may succeed when they are tried again (`FailureKind.of_surroundings`).

    A case that an instrument could not meter counts where it has no energy at all.
    """
    found = [result.failure for result in run.results if result.failure is not None]
    metered = {result.case.id for result in run.results if any(series.metric == "energy" for series in result.series)}
    timed = {result.case.id for result in run.results if result.finished} - metered
    found += [failure for failure in run.failures if failure.id in timed]
    return [failure for failure in found if failure.kind.of_surroundings]


def tried_again(store: Store, run: Run) -> Run:
    """The run without the failures that are tried again, in the store too."""
    again = to_retry(run)
    if not again:
        return run
    store.forget_failures(run.info.id, again)
    return store.load_run(run.info.id)
