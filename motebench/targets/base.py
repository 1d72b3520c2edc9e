"""The contract between targets and the code that uses them: places, sessions with probes, targets.

A place is where something is measured: this machine, another one, a simulator, a board on a serial
port. A target is a place with everything that can be started there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from motebench.base.model import Evidence, FailureKind, Scheme
from motebench.targets.wire.messages import (
    FileTiming,
    Hello,
    Job,
    Memory,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)

if TYPE_CHECKING:
    from motebench.catalog.devices import Device
    from motebench.targets.code.building import UserCode


class Sharing(Enum):
    """Operations that may run at a place at the same time."""

    PARALLEL = "parallel"
    """All processors at once, one operation each: none disturbs another."""
    IN_TURN = "in turn"
    """Operations one at a time; those of several implementations take turns."""
    ONE_FIRMWARE = "one firmware"
    """One scheme of one implementation at a time; changing it takes seconds."""


class Conditions:
    """The measures of a place that make the rounds of a run comparable. This base class takes
    none."""

    def next_round(self) -> None:
        """Called at the start of a round in which this place measures."""

    def round_ended(self) -> str:
        """Called at the end of a round, when no probe works: why its times must not be quoted, in
        words; empty if nothing is known against them."""
        return ""

    def stolen(self, *, pinned: bool) -> Callable[[], float] | None:
        """A function that returns the seconds that a hypervisor took since its last call; None if
        that is unknown.

        ``pinned``: only from the core of the round; else from any.
        """
        del pinned
        return None

    def notes(self) -> list[str]:
        """Notes for readers of the run."""
        return []

    def facts(self) -> dict[str, object]:
        """Facts for the run's record at its end; may be empty."""
        return {}


HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
"""Hash functions that every place computes without a probe."""


class Disk(Protocol):
    """A folder of a place. Paths are the place's. Every method raises ProbeFailure if it cannot do
    its work."""

    def generated(self, size: int) -> str:
        """A file of ``size`` random bytes, made there once."""
        ...

    def named(self, path: str) -> str:
        """A file that the user named."""
        ...

    def output(self, name: str) -> str:
        """A path for an output."""
        ...

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        ...

    def same(self, first: str, second: str) -> bool:
        """True if two files have the same content."""
        ...

    def digest(self, path: str, name: str) -> bytes | None:
        """The digest of a file by one of `HASHES`; None if no program there computes it."""
        ...

    def remove(self, path: str) -> None:
        """Remove an output, if it is there."""
        ...

    def notes(self) -> list[str]:
        """Notes for readers of the run: the folder of the files, and how they were read."""
        ...

    def close(self) -> None:
        """Remove everything."""
        ...


USUAL_SIZES = (16, 1024, 16384)
"""Default input sizes in bytes: one block, a packet, a part of a file."""


class Place:
    """The contract of every place; a kind of place overrides the differences: machines in
    `host.machine`, boards in `board.board`."""

    name: str
    """The name of its target, as in studies: ``host``, ``sim:atmega2560``."""
    evidence: Evidence = Evidence.MEASURED
    """The evidence of its numbers: ``measured`` or ``simulated``."""
    exact: bool = False
    """True if every reading of a case is the same to the last cycle: only the operation runs on a
    small core.
    """
    metric: str = "time"
    """The quantity that its clock gives: ``time``, or ``instructions`` where an emulator counts
    those and nothing is timed."""
    sharing: Sharing = Sharing.IN_TURN
    apart: str = ""
    """Hardware that this place measures on: a host or a port. Places with different hardware are
    measured in parallel, one thread for each, and never while this machine measures itself. Empty:
    this machine.
    """
    fast: bool = True
    """True if it computes thousands of known answers in seconds: user code must then pass all of
    them, elsewhere a sample.
    """
    board: bool = False
    """True if it has a `device`, also while none answers."""
    batches: bool = True
    """True if operations are timed in batches within a process; elsewhere each is a whole process,
    on files.
    """

    @property
    def device(self) -> Device | None:
        """The board's device in the catalog; None for a machine."""
        return None

    def expected(self) -> Device | None:
        """The device, without asking the board if it is known already."""
        return self.device

    @property
    def usual_sizes(self) -> tuple[int, ...]:
        """Default input sizes in bytes."""
        return USUAL_SIZES

    def usual(self, implementation: str) -> bool:
        """True if the implementation is measured here by default."""
        del implementation
        return True

    def environment(self) -> dict[str, Any]:
        """Facts that a run records, in addition to this machine's; empty if the place is this
        machine.

        For a board its device and port; for another machine at least ``host``, its facts
        (`motebench.targets.machine`).
        """
        raise NotImplementedError

    def disk(self, folder: str | None) -> Disk:
        """A disk for whole files, in ``folder`` there, which the user chose. ProbeFailure: there is
        none."""
        del folder
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"whole files are not measured on {self.name}")

    def close(self) -> None:
        """Close the connection, if it is open; later requests open it again."""

    def clock(self) -> tuple[float, str]:
        """The relative tolerance of its clock's rate, with a note."""
        return 0.0, ""

    def check_core(self, cpu: str | int) -> None:
        """InputError if ``cpu`` (``auto``, ``none`` or a number) is a core that cannot be used
        here."""

    def cores(self) -> Sequence[int]:
        """The cores on which processes can be kept, in the order in which several of them are
        taken; empty if none can be chosen."""
        return ()

    def cores_shared(self, count: int) -> str:
        """A note for readers on the first ``count`` of `cores`: that some are threads of one
        physical core. May be empty."""
        del count
        return ""

    def on_core(self, core: int) -> AbstractContextManager[None]:
        """Programs that start in this context stay on that core, which is one of `cores`."""
        raise NotImplementedError(f"{self.name} has no core {core} to choose")

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """Conditions of one run. ``cpu``: the core as configured. ``seed``: that of all random
        choices.
        """
        del cpu, seed
        return Conditions()


OF_THE_SCHEME = (
    FailureKind.UNSUPPORTED,
    FailureKind.BUILD,
    FailureKind.TOO_BIG,
    FailureKind.NO_ROOM,
)
"""Kinds of failure that concern one scheme and say nothing about the other schemes of an
implementation."""


class Session(Protocol):
    """A conversation with one probe. Every call raises ``ProbeFailure`` instead of returning half
    an answer.

    After ``crash``, ``timeout`` or ``lost`` the next call starts a fresh probe; a session survives
    failures of other kinds. Time limits are in seconds.
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
        """True if the speed of the probe depends on how long it has run (see `Hello`)."""
        ...

    @property
    def generation(self) -> int:
        """Number of probes that this session has started: a new probe has no state of the previous
        one."""
        ...

    def offers(self) -> dict[str, Offer]:
        """The schemes the implementation offers, by name."""
        ...

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        """Do the operation once. ``public``: the public key that belongs to ``job.key`` instead."""
        ...

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """A valid signature for ``job``. A board does not compute it itself, because it may take
        minutes."""
        ...

    def measure(
        self,
        job: Job,
        *,
        batch: int,
        count: int,
        warm: int,
        timeout: float,
        reference: bool = False,
    ) -> Timing:
        """Time ``count`` batches of ``batch`` iterations after ``warm`` untimed ones.
        ``reference``: also time the reference loop beside each batch; boards, emulators and old
        probes ignore it.
        """
        ...

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Time each of these jobs of one scheme and operation once, after all are prepared.

        ``evict``: other data go through the caches before each. ProbeFailure if the probe does not
        know `EACH`.
        """
        ...

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Peak memory of the operation; meaningful as the first job of a fresh session."""
        ...

    def file(
        self,
        job: Job,
        *,
        source: str,
        destination: str,
        chunk: int,
        cold: bool,
        sync: bool,
        timeout: float,
    ) -> FileTiming:
        """Process a whole file."""
        ...

    def close(self) -> None:
        """End the probe. The session must not be used afterwards."""
        ...


class Startable(Protocol):
    """Something that can be started at a place: an installed probe, user code, firmware. Cheap to
    make."""

    def open(self) -> Session:
        """A session with it. ProbeFailure if it cannot be started."""
        ...


class Target:
    """A place where motebench can measure now, with everything that can be started there, by
    implementation."""

    def __init__(
        self,
        place: Place,
        offered: Callable[[], Mapping[str, Startable]],
        *,
        unbuilt: Callable[[], Collection[str]] = tuple,
        prepare: Callable[[Sequence[str]], None] | None = None,
        may_offer: Callable[[str, Collection[Scheme]], bool] | None = None,
    ) -> None:
        """``unbuilt``: the implementations that must be built first. ``prepare``, ``may_offer``:
        see the methods."""
        self.place = place
        self._offered, self._unbuilt, self._prepare = offered, unbuilt, prepare
        self._may_offer = may_offer

    @property
    def name(self) -> str:
        """The name in studies: ``host``."""
        return self.place.name

    def implementations(self) -> list[str]:
        """Names of the implementations that it offers, without starting anything expensive; some
        may have to be built."""
        return sorted(self._offered())

    def ready(self) -> list[str]:
        """The implementations that are measured by default: on a machine those that are built."""
        unbuilt = self._unbuilt()
        return [name for name in self.implementations() if name not in unbuilt]

    def prepare(self, implementations: Sequence[str]) -> None:
        """Build these together if necessary; `open` builds a single one. `open` reports
        failures."""
        if self._prepare is not None:
            self._prepare(implementations)

    def may_offer(self, implementation: str, schemes: Collection[Scheme]) -> bool:
        """True if an implementation can have one of these schemes, or if that is unknown. Nothing
        is built or started.
        """
        return self._may_offer is None or self._may_offer(implementation, schemes)

    def startables(self) -> Mapping[str, Startable]:
        """Startables that `open` starts, by implementation."""
        return self._offered()

    def open(self, implementation: str) -> Session:
        """Start a fresh probe. ProbeFailure if that fails."""
        startable = self._offered().get(implementation)
        if startable is None:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, f"{self.name} has no implementation {implementation!r}"
            )
        return startable.open()


@dataclass(frozen=True)
class TargetRequest:
    """The request to open a target.

    ``name``: as in studies. ``where``: for error messages. ``probes``: folders of the probes of
    this machine, instead of the usual ones. ``code``: user code that can be measured there, by
    name.
    """

    name: str
    where: str | None = None
    probes: Sequence[Path] | None = None
    code: Mapping[str, UserCode] = field(default_factory=dict)
