"""The gate of a run: known answers first. A scheme that fails them is a failure, and its cases are not timed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from motebench.base.model import Case, Failure, FailureKind, Operation
from motebench.measuring.plan.schedule import LanePart, by_started, started
from motebench.measuring.run.book import Book
from motebench.measuring.run.context import LaneContext
from motebench.measuring.verify import gate
from motebench.measuring.verify.admission import AdmissionVerdict, admit
from motebench.measuring.verify.checking import STEP_SECONDS
from motebench.targets.code.folder import KEYED
from motebench.targets.wire.messages import ProbeFailure


def _checked(cases: Iterable[Case]) -> list[list[Case]]:
    """The cases by what is checked at once; a plain copy has no answers."""
    return by_started(case for case in cases if case.operation is not Operation.COPY_FILE)


def _named(cases: Sequence[Case]) -> str:
    """Name of a group of cases for readers."""
    return f"{cases[0].scheme} {cases[0].provider}"


class Gate:
    """Checks the answers of each part of a lane."""

    def __init__(self, context: LaneContext, book: Book) -> None:
        self._context, self._plan, self._pool, self._book = context, context.plan, context.pool, book
        self._total = len(_checked(book.active))
        self._built = self._done = 0

    def check(self, part: LanePart) -> None:
        """Fail the cases of the part that must not be timed. Firmware is built before, which is most of the work."""
        groups = _checked(part.cases)
        with self._pool.round():
            unbuilt = self._build_all(part, groups)
            self._admit_all(part, groups, unbuilt)
        if groups:
            self._tell_checking(groups[-1])

    def _build_all(self, part: LanePart, groups: Sequence[Sequence[Case]]) -> dict[int, Failure]:
        """Failures of the groups whose firmware cannot be built, by their place."""
        unbuilt: dict[int, Failure] = {}
        if not groups or not self._firmware(groups[0]):
            return unbuilt
        builds = self._context.each(partial(self._build, part), groups, parallel=part.parallel)
        with closing(builds) as results:
            self._tell_building(groups[0])
            for place, failure in enumerate(results):
                self._context.interrupt.check()
                self._built += 1
                if place + 1 < len(groups):
                    self._tell_building(groups[place + 1])
                if failure is not None:
                    unbuilt[place] = failure
        return unbuilt

    def _admit_all(self, part: LanePart, groups: Sequence[Sequence[Case]], unbuilt: Mapping[int, Failure]) -> None:
        """Known answers of each group that was built."""
        asked = [cases for place, cases in enumerate(groups) if place not in unbuilt]
        verdicts = self._context.each(partial(self._admit, part), asked, parallel=part.parallel)
        with closing(verdicts) as results:
            for place, cases in enumerate(groups):
                self._tell_checking(cases)
                verdict = AdmissionVerdict(unbuilt[place]) if place in unbuilt else next(results)
                self._context.interrupt.check()
                self._done += 1
                self._keep(verdict, cases)

    def _tell_building(self, cases: Sequence[Case]) -> None:
        self._context.progress.building(_named(cases), self._built, self._total)

    def _tell_checking(self, cases: Sequence[Case]) -> None:
        self._context.progress.checking(_named(cases), self._done, self._total)

    def _keep(self, verdict: AdmissionVerdict, cases: Sequence[Case]) -> None:
        for note in verdict.notes:
            self._book.note(note)
        refused = verdict.refused
        if refused is not None:
            for case in cases:
                self._book.fail(case, refused.kind, refused.message, refused.vector)
            return
        for case in cases:
            if case.input_bytes % verdict.step or case.aad_bytes % verdict.step:
                self._book.fail(case, FailureKind.CRASH, verdict.others)

    def _firmware(self, cases: Sequence[Case]) -> bool:
        """Whether something has to be built for each scheme."""
        return self._plan.targets[cases[0].target].place.device is not None

    def _build(self, part: LanePart, cases: Sequence[Case]) -> Failure | None:
        """Build the firmware of these cases and start it; why that cannot be done."""
        name, provider, scheme = started(cases[0])
        if self._context.interrupt.came:
            return None
        try:
            _ = self._pool.session(name, provider, scheme if part.parallel else "").hello_of(scheme)
        except ProbeFailure as failure:
            return Failure(scheme, provider, name, failure.kind, failure.message)
        return None

    def _admit(self, part: LanePart, cases: Sequence[Case]) -> AdmissionVerdict:
        """Whether these cases, which need the same program, may be timed."""
        name, provider, scheme = started(cases[0])
        if self._context.interrupt.came:
            return AdmissionVerdict(None)
        code = self._plan.question.workspace.code_of(provider)
        target = self._plan.targets[name]
        try:
            session = self._pool.session(name, provider, scheme if part.parallel else "")
            limit = self._plan.policy.timeout
            if code is None:
                seconds = limit if target.place.exact else STEP_SECONDS
                return AdmissionVerdict(gate(session, scheme, target=name, implementation=provider, seconds=seconds))
            slow = code.kind_of(scheme) in KEYED and target.place.exact
            seconds = limit if slow else min(STEP_SECONDS, limit)
            verdict = admit(code, session, scheme, target=target, implementation=provider, seconds=seconds)
            return replace(verdict, notes=(*code.remarks, *verdict.notes))
        except ProbeFailure as failure:
            return AdmissionVerdict(Failure(scheme, provider, name, failure.kind, failure.message))
