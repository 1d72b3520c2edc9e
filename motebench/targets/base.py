"""The contract between targets and the code that uses them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from motebench.base.model import FailureKind
from motebench.targets.place import Place
from motebench.targets.wire.messages import FileTiming, Hello, Job, Memory, Offer, ProbeAnswer, ProbeFailure, Timing

if TYPE_CHECKING:
    from motebench.targets.code.building import Code

OF_THE_SCHEME = (FailureKind.UNSUPPORTED, FailureKind.BUILD, FailureKind.TOO_BIG, FailureKind.NO_ROOM)
"""Kinds of failure that concern one scheme and say nothing about the other schemes of an implementation."""


class Session(Protocol):
    """A conversation with one probe. Every call raises ``ProbeFailure`` instead of returning half an answer.

    After ``crash``, ``timeout`` or ``lost`` the next call starts a fresh probe; a session survives failures of other
    kinds. Time limits are in seconds.
    """

    @property
    def hello(self) -> Hello:
        """The hello of the probe."""
        ...

    def hello_of(self, scheme: str) -> Hello:
        """The hello of the probe for that scheme: a board has firmware for each."""
        ...

    @property
    def jit(self) -> bool:
        """Whether the speed of the probe depends on how long it has run (see `Hello`)."""
        ...

    @property
    def generation(self) -> int:
        """Number of probes that this session has started: a new probe has no state of the previous one."""
        ...

    def offers(self) -> dict[str, Offer]:
        """The schemes the implementation offers, by name."""
        ...

    def compute(self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0) -> ProbeAnswer:
        """Do the operation once. ``public``: the public key that belongs to ``job.key`` instead."""
        ...

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """A valid signature for ``job``. A board does not compute it itself, because it may take minutes."""
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
    """Something that can be started at a place: an installed probe, user code, firmware. Cheap to make."""

    def open(self) -> Session:
        """A session with it. ProbeFailure if it cannot be started."""
        ...


class Target:
    """A place where motebench can measure now, with everything that can be started there, by implementation."""

    def __init__(
        self,
        place: Place,
        offered: Callable[[], Mapping[str, Startable]],
        *,
        unbuilt: Callable[[], Collection[str]] = tuple,
        prepare: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        """``unbuilt``: the implementations that must be built first. ``prepare``: see the method."""
        self.place = place
        self._offered, self._unbuilt, self._prepare = offered, unbuilt, prepare

    @property
    def name(self) -> str:
        """The name in studies: ``host``."""
        return self.place.name

    def implementations(self) -> list[str]:
        """Names of the implementations that it offers, without starting anything expensive; some may have
        to be built."""
        return sorted(self._offered())

    def ready(self) -> list[str]:
        """The implementations that are measured by default: on a machine those that are built."""
        unbuilt = self._unbuilt()
        return [name for name in self.implementations() if name not in unbuilt]

    def prepare(self, implementations: Sequence[str]) -> None:
        """Build these together if necessary; `open` builds a single one. `open` reports failures."""
        if self._prepare is not None:
            self._prepare(implementations)

    def open(self, implementation: str) -> Session:
        """Start a fresh probe. ProbeFailure if that fails."""
        found = self._offered().get(implementation)
        if found is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"{self.name} has no implementation {implementation!r}")
        return found.open()


@dataclass(frozen=True)
class TargetRequest:
    """The request to open a target.

    ``name``: as in studies. ``where``: for error messages. ``probes``: folders of the probes of this machine, instead
    of the usual ones. ``code``: user code that can be measured there, by name.
    """

    name: str
    where: str | None = None
    probes: Sequence[Path] | None = None
    code: Mapping[str, Code] = field(default_factory=dict)
