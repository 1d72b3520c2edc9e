"""Last pass of a lane with an instrument: the energy of each case."""

from __future__ import annotations

from collections.abc import Mapping

from motebench.base.model import Case, CaseResult
from motebench.measuring.plan.schedule import started
from motebench.measuring.run.active import Activation
from motebench.measuring.run.book import Book
from motebench.measuring.run.context import LaneContext
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.work.readings import CaseEnergy, Meter
from motebench.targets.wire.messages import ProbeFailure


class EnergyPass:
    """Reads the energy of every case that gave times, after the rounds."""

    def __init__(self, context: LaneContext, book: Book, activation: Activation) -> None:
        self._context, self._book, self._activation = context, book, activation

    def read(self, meters: Mapping[str, Meter], earlier: Mapping[Case, CaseResult]) -> None:
        """``meters``: by target. ``earlier``: results that the run had before it was resumed."""
        context = self._context
        ended = {case for case, result in earlier.items() if result.failure or _has_energy(result)} | self._book.gone
        cases = [
            case
            for case in context.plan.cases
            if case.target in meters and case not in ended and not (case.operation.on_file or case.cores)
        ]
        # A board has one firmware at a time: its cases are measured one after the other.
        for number, case in enumerate(sorted(cases, key=started)):
            context.interrupt.check()
            context.progress.metering(f"{case.scheme} {case.provider} {case.operation.value}", number, len(cases))
            with context.pool.round():
                energy = self._energy(meters[case.target], case)
                context.interrupt.check()  # a probe that an interruption ended has not failed
                self._book.keep_energy(case, energy)

    def _energy(self, meter: Meter, case: Case) -> CaseEnergy:
        context = self._context
        try:
            session = context.pool.session(case.target, case.provider, case.scheme)
            item = self._activation.activate(case, None)
            if isinstance(item, TimedCase) and item.jit:
                item.warm_up(session, context.consensus)
        except ProbeFailure as failure:
            return CaseEnergy([], [], (failure.kind, f"energy: {failure.message}"))
        return meter.measure(session, case, context.plan.question.workspace.schemes[case.scheme])


def _has_energy(result: CaseResult) -> bool:
    return any(series.metric == "energy" for series in result.series)
