"""Where results go: to the store, or as entries to the thread or process that writes the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from motebench.base.model import Case, Failure
from motebench.measuring.run.progress import Progress
from motebench.store import Store
from motebench.store.store import Entries


class Records(Protocol):
    """Takes what a lane of a run finds."""

    def samples(self, case: Case, entries: Entries) -> None:
        """The readings of one visit, whole or not at all."""
        ...

    def mark(self, found: Sequence[tuple[Case, str, int]], reason: str) -> None:
        """Samples by case, metric and round must not be quoted, for that reason, unless they are marked already."""
        ...

    def finish(self, case: Case, notes: list[str]) -> None:
        """The case is finished."""
        ...

    def fail(self, case: Case, failure: Failure) -> None:
        """The case failed. Its samples stay."""
        ...

    def failure(self, failure: Failure) -> None:
        """A failure that leaves the results of the case as they are."""
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
        """Of the budget, spent by the longest lane of the stage."""

    def samples(self, case: Case, entries: Entries) -> None:
        """See `Records`."""
        self._store.add_samples(self._run, case, entries)

    def mark(self, found: Sequence[tuple[Case, str, int]], reason: str) -> None:
        """See `Records`."""
        self._store.mark_samples(self._run, found, reason)

    def finish(self, case: Case, notes: list[str]) -> None:
        """See `Records`."""
        self._store.finish_case(self._run, case, notes)

    def fail(self, case: Case, failure: Failure) -> None:
        """See `Records`."""
        self._store.fail_case(self._run, case, failure)

    def failure(self, failure: Failure) -> None:
        """See `Records`."""
        self._store.add_failure(self._run, failure)

    def note(self, text: str, case: Case | None = None) -> None:
        """See `Records`. A note on the run is stored once."""
        if case is not None:
            self._store.add_note(self._run, text, case)
        elif text not in self._noted:
            self._noted.add(text)
            self._store.add_note(self._run, text)

    def ended(self, target: str, facts: Mapping[str, object]) -> None:
        """See `Records`."""
        self.facts[target] = facts

    def charged(self, seconds: float) -> None:
        """See `Records`."""
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
        """Whether it must not be lost; else it only tells how far the run is."""
        return self.call in _OF_RECORDS


_OF_RECORDS = frozenset(name for name in vars(Records) if not name.startswith("_"))
_OF_PROGRESS = frozenset(name for name in vars(Progress) if not name.startswith("_"))


class ForwardedRecords:
    """`Records` and `Progress` of a lane that does not write itself: every call is sent as an entry."""

    def __init__(self, send: Callable[[LaneEntry], None]) -> None:
        self._send = send

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name not in _OF_RECORDS | _OF_PROGRESS:
            raise AttributeError(name)
        return lambda *arguments: self._send(LaneEntry(name, arguments))
