"""The contract between targets and everything that uses them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from motebench.model import FailureKind
from motebench.targets.place import Place
from motebench.wire.messages import Answer, FileTiming, Hello, Job, Memory, Offer, ProbeFailure, Timing

if TYPE_CHECKING:
    from motebench.code.building import Code

OF_THE_SCHEME = (FailureKind.UNSUPPORTED, FailureKind.BUILD, FailureKind.TOO_BIG, FailureKind.NO_ROOM)
"""Kinds of failure that say nothing about the other schemes of an implementation."""


class Session(Protocol):
    """A conversation with one probe. Every call raises ``ProbeFailure`` instead of returning half an answer.

    After ``crash``, ``timeout`` or ``lost`` the next call starts a fresh probe; a session survives failures of other
    kinds. Time limits are in seconds.
    """

    @property
    def hello(self) -> Hello:
        """Who answers."""
        ...

    def hello_of(self, scheme: str) -> Hello:
        """Who answers requests about that scheme: a board has a firmware for each."""
        ...

    @property
    def jit(self) -> bool:
        """The speed of the probe depends on how long it has run (see `Hello`)."""
        ...

    @property
    def generation(self) -> int:
        """Counts the probes this session has started: a new one knows nothing of what the last one did."""
        ...

    def offers(self) -> dict[str, Offer]:
        """The schemes the implementation offers, by name."""
        ...

    def compute(self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0) -> Answer:
        """Do the operation once. ``public``: the public key that belongs to ``job.key`` instead."""
        ...

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """A signature that fits ``job``, which signs. A board does not make it itself: it may take minutes."""
        ...

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        """Time ``count`` batches of ``batch`` iterations after ``warm`` untimed ones."""
        ...

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Peak memory of the operation; meaningful as the first job of a fresh session."""
        ...

    def file(
        self, job: Job, *, source: str, destination: str, chunk: int, cold: bool, sync: bool, timeout: float
    ) -> FileTiming:
        """Process a whole file."""
        ...

    def close(self) -> None:
        """End the probe. The session must not be used afterwards."""
        ...


class Startable(Protocol):
    """What can be started at a place: an installed probe, user code, a firmware. Cheap to make."""

    def open(self) -> Session:
        """A session with it. ProbeFailure if it cannot be had."""
        ...


class Target:
    """One thing that can be measured on right now: a place, and what can be started there, by implementation."""

    def __init__(
        self,
        place: Place,
        offered: Callable[[], Mapping[str, Startable]],
        *,
        unbuilt: Callable[[], Collection[str]] = tuple,
        prepare: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        """``unbuilt``: those of the offered that have to be built first. ``prepare``: see the method."""
        self.place = place
        self._offered, self._unbuilt, self._prepare = offered, unbuilt, prepare

    @property
    def name(self) -> str:
        """As written in studies: ``host``."""
        return self.place.name

    def implementations(self) -> list[str]:
        """Names of the implementations it can offer, without starting anything expensive; some may have to be built."""
        return sorted(self._offered())

    def ready(self) -> list[str]:
        """Those that take part where nobody names an implementation: on a machine the ones that are built."""
        unbuilt = self._unbuilt()
        return [name for name in self.implementations() if name not in unbuilt]

    def prepare(self, implementations: Sequence[str]) -> None:
        """Have these built together, where they are not; `open` builds one. What fails in that, `open` says."""
        if self._prepare is not None:
            self._prepare(implementations)

    def open(self, implementation: str) -> Session:
        """Start a fresh probe. ProbeFailure if it cannot be had."""
        found = self._offered().get(implementation)
        if found is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"{self.name} has no implementation {implementation!r}")
        return found.open()


@dataclass(frozen=True)
class Asked:
    """What a target is opened with.

    ``name``: as in studies. ``where``: for error messages. ``probes``: folders of the probes of this machine, instead
    of the usual ones. ``code``: user code that can be measured there, by name.
    """

    name: str
    where: str | None = None
    probes: Sequence[Path] | None = None
    code: Mapping[str, Code] = field(default_factory=dict)
