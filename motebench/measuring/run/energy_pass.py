"""The last pass of a run with an instrument: the energy of each case."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from motebench.base.model import Case, CaseResult
from motebench.measuring.plan.plan import Plan
from motebench.measuring.plan.schedule import started
from motebench.measuring.run.active import Activation
from motebench.measuring.run.book import Book
from motebench.measuring.run.energy import CaseEnergy, Meter
from motebench.measuring.run.pool import Pool
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.visit import TimedCase
from motebench.measuring.work.proof import Consensus
from motebench.targets.wire.messages import ProbeFailure


class EnergyPass:
    """Reads the energy of every case that gave times, after the rounds."""

    def __init__(
        self, plan: Plan, pool: Pool, book: Book, progress: Progress, consensus: Consensus, activation: Activation
    ) -> None:
        self._plan, self._pool, self._book = plan, pool, book
        self._progress, self._consensus, self._activation = progress, consensus, activation

    def read(self, meters: Mapping[str, Meter], earlier: Mapping[Case, CaseResult], check: Callable[[], None]) -> None:
        """``meters``: by target. ``earlier``: what the run held before it was resumed. ``check``: raises when the run
        is to end."""
        known = {case for case, result in earlier.items() if result.failure or _has_energy(result)} | self._book.gone
        cases = [
            case
            for case in self._plan.cases
            if case.target in meters and case not in known and not (case.operation.on_file or case.cores)
        ]
        # A board has one firmware at a time: its cases are measured one after the other.
        for number, case in enumerate(sorted(cases, key=started)):
            check()
            self._progress.metering(f"{case.scheme} {case.provider} {case.operation.value}", number, len(cases))
            with self._pool.round():
                found = self._energy(meters[case.target], case)
                check()  # a probe that an interruption ended has not failed
                self._book.keep_energy(case, found)

    def _energy(self, meter: Meter, case: Case) -> CaseEnergy:
        try:
            session = self._pool.session(case.target, case.provider, case.scheme)
            item = self._activation.activate(case, None)
            if isinstance(item, TimedCase) and item.jit:
                item.warm_up(session, self._consensus)
        except ProbeFailure as failure:
            return CaseEnergy([], [], (failure.kind, f"energy: {failure.message}"))
        return meter.measure(session, case, self._plan.question.workspace.schemes[case.scheme])


def _has_energy(result: CaseResult) -> bool:
    return any(series.metric == "energy" for series in result.series)
