"""Receivers of a lane's events: progress for readers, records for the store.

A lane of another thread or process sends its calls of both as entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from motebench.base.model import Case, Failure

if TYPE_CHECKING:
    from motebench.measuring.plan.plan import Plan
    from motebench.store import Store
    from motebench.store.store import Entries


@dataclass(frozen=True, slots=True)
class RunState:
    """Progress of a run: cases finished of all, an estimate of the share of the work that is done
    (0 to 1), seconds of sampling so far and at most.

    rest: seconds that are left, at least and at most; None where that is not known.
    """

    finished: int
    total: int
    share: float
    seconds: float
    budget: float
    rest: tuple[float, float] | None = None


class Progress(Protocol):
    """Receiver of the events of a run. ``done`` of ``total`` are complete when it is called, and
    ``what`` comes next.
    """

    def asking(self, subject: str, done: int, total: int) -> None:
        """Report that an implementation is being asked for its offers; a board first gets firmware
        for that.
        """
        ...

    def planned(self, plan: Plan) -> None:
        """Report that the plan is complete."""
        ...

    def building(self, subject: str, done: int, total: int) -> None:
        """The firmware of one scheme is about to be built and started."""
        ...

    def checking(self, subject: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        ...

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""
        ...

    def metering(self, subject: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""
        ...

    def failed(self, failure: Failure) -> None:
        """A case failed; the run continues."""
        ...

    def waiting(self, sentence: str) -> None:
        """The run waits for something that went away, or goes on since it is back: one sentence."""
        ...


class Silent:
    """Ignores all events."""

    def asking(self, subject: str, done: int, total: int) -> None:
        """Report that an implementation is being asked for its offers; a board first gets firmware
        for that.
        """

    def planned(self, plan: Plan) -> None:
        """Report that the plan is complete."""

    def building(self, subject: str, done: int, total: int) -> None:
        """The firmware of one scheme is about to be built and started."""

    def checking(self, subject: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""

    def metering(self, subject: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""

    def failed(self, failure: Failure) -> None:
        """A case failed; the run continues."""

    def waiting(self, sentence: str) -> None:
        """The run waits for something that went away, or goes on since it is back: one sentence."""


class LaneProgress:
    """Progress of one of several lanes, as part of the whole."""

    def __init__(self, whole: WholeProgress, lane: int) -> None:
        self._whole, self._lane = whole, lane

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments: getattr(self._whole, name)(self._lane, *arguments)


class WholeProgress:
    """The progress of several lanes as that of one run of ``total`` cases and at most ``budget``
    seconds.

    ``now``: seconds of the run so far.
    """

    def __init__(
        self, progress: Progress, total: int, budget: float, now: Callable[[], float]
    ) -> None:
        self._progress, self._total, self._budget, self._now = progress, total, budget, now
        self._states: dict[int, RunState] = {}
        self._steps: dict[tuple[str, int], tuple[int, int]] = {}

    def lane(self, number: int) -> Progress:
        """Receiver of a lane's reports."""
        return LaneProgress(self, number)

    def over(self, number: int, total: int) -> None:
        """A lane of so many cases has ended."""
        self._states[number] = replace(
            self._states.get(number, RunState(0, total, 1.0, 0.0, 0.0)), share=1.0
        )

    def sampled(self, lane: int, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""
        self._states[lane] = state
        finished = sum(lane_state.finished for lane_state in self._states.values())
        done = sum(lane_state.share * lane_state.total for lane_state in self._states.values())
        share = min(1.0, done / max(self._total, 1))
        now = self._now()
        self._progress.sampled(
            case, RunState(finished, self._total, share, now, self._budget, self._rest(now))
        )

    def _rest(self, now: float) -> tuple[float, float] | None:
        """Seconds that the current lanes have left, at least and at most; lanes that follow have
        the rest of the whole budget. None if it is not known.
        """
        rests = [lane_state.rest for lane_state in self._states.values() if lane_state.share < 1]
        left = [rest for rest in rests if rest is not None]
        if len(left) < len(rests) or not left:
            return None
        least, most = max(rest[0] for rest in left), max(rest[1] for rest in left)
        if sum(lane_state.total for lane_state in self._states.values()) < self._total:
            most = self._budget - now
        return (min(least, most), most) if most > 0 else None

    def failed(self, lane: int, failure: Failure) -> None:
        """A case failed; the run continues."""
        del lane
        self._progress.failed(failure)

    def building(self, lane: int, subject: str, done: int, total: int) -> None:
        """The firmware of one scheme is about to be built and started."""
        self._progress.building(subject, *self._step("building", lane, done, total))

    def checking(self, lane: int, subject: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        self._progress.checking(subject, *self._step("checking", lane, done, total))

    def metering(self, lane: int, subject: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""
        self._progress.metering(subject, *self._step("metering", lane, done, total))

    def _step(self, phase: str, lane: int, done: int, total: int) -> tuple[int, int]:
        self._steps[phase, lane] = (done, total)
        counts = [count for (name, _), count in self._steps.items() if name == phase]
        return sum(count[0] for count in counts), sum(count[1] for count in counts)


class Records(Protocol):
    """Receiver of the results of a lane."""

    def samples(self, case: Case, entries: Entries) -> None:
        """Record the readings of one visit, completely or not at all."""
        ...

    def mark(self, places: Sequence[tuple[Case, str, int]], reason: str) -> None:
        """Samples by case, metric and round must not be quoted, for that reason, unless they are
        marked already.
        """
        ...

    def finish(self, case: Case, notes: list[str]) -> None:
        """The case is finished."""
        ...

    def fail(self, case: Case, failure: Failure) -> None:
        """The case failed. Its samples stay."""
        ...

    def failure(self, failure: Failure) -> None:
        """Record a failure that leaves the results of the case unchanged."""
        ...

    def note(self, text: str, case: Case | None = None) -> None:
        """A sentence for readers, on the run or a case."""
        ...

    def ended(self, target: str, facts: Mapping[str, object]) -> None:
        """A place has measured its cases under these conditions."""
        ...

    def charged(self, seconds: float) -> None:
        """The lane ended, after these seconds of its budget."""
        ...


class StoredRecords:
    """Writes to the store. Only the thread that opened the store uses it."""

    def __init__(self, store: Store, run_id: int) -> None:
        self._store, self._run = store, run_id
        self._noted: set[str] = set()
        self.facts: dict[str, Mapping[str, object]] = {}
        """Conditions at the end, by target."""
        self.seconds = 0.0
        """Seconds of the budget that the longest lane of the stage spent."""

    def samples(self, case: Case, entries: Entries) -> None:
        """Record the readings of one visit, completely or not at all."""
        self._store.add_samples(self._run, case, entries)

    def mark(self, places: Sequence[tuple[Case, str, int]], reason: str) -> None:
        """Samples by case, metric and round must not be quoted, for that reason, unless they are
        marked already.
        """
        self._store.mark_samples(self._run, places, reason)

    def finish(self, case: Case, notes: list[str]) -> None:
        """The case is finished."""
        self._store.finish_case(self._run, case, notes)

    def fail(self, case: Case, failure: Failure) -> None:
        """The case failed."""
        self._store.fail_case(self._run, case, failure)

    def failure(self, failure: Failure) -> None:
        """Record a failure that leaves the results of the case unchanged."""
        self._store.add_failure(self._run, failure)

    def note(self, text: str, case: Case | None = None) -> None:
        """A sentence for readers, on the run or a case. A note on the run is stored once."""
        if case is not None:
            self._store.add_note(self._run, text, case)
        elif text not in self._noted:
            self._noted.add(text)
            self._store.add_note(self._run, text)

    def ended(self, target: str, facts: Mapping[str, object]) -> None:
        """A place has measured its cases under these conditions."""
        self.facts[target] = facts

    def charged(self, seconds: float) -> None:
        """The lane ended, after these seconds of its budget."""
        self.seconds = max(self.seconds, seconds)


@dataclass(frozen=True, slots=True)
class LaneEntry:
    """A call of `Records` or `Progress` that another thread or process made."""

    call: str
    arguments: tuple[Any, ...]

    def apply(self, records: Records, progress: Progress) -> None:
        """Make the call."""
        getattr(records if self.call in _OF_RECORDS else progress, self.call)(*self.arguments)

    @property
    def of_records(self) -> bool:
        """True if the event must not be lost; others only tell the progress of the run."""
        return self.call in _OF_RECORDS


_OF_RECORDS = frozenset(name for name in vars(Records) if not name.startswith("_"))
_OF_PROGRESS = frozenset(name for name in vars(Progress) if not name.startswith("_"))


class ForwardedRecords:
    """`Records` and `Progress` of a lane that does not write itself: every call is sent as an
    entry.
    """

    def __init__(self, send: Callable[[LaneEntry], None]) -> None:
        self._send = send

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name not in _OF_RECORDS | _OF_PROGRESS:
            raise AttributeError(name)
        return lambda *arguments: self._send(LaneEntry(name, arguments))
