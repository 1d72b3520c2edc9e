"""Places to measure: this machine, another one, a simulator, a board on a serial port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from typing import TYPE_CHECKING, Any

from motebench.base.model import Evidence, FailureKind
from motebench.targets.wire.messages import ProbeFailure

if TYPE_CHECKING:
    from motebench.catalog.devices import Device
    from motebench.targets.host.disk import Disk


class Sharing(Enum):
    """What may run at a place at the same time."""

    PARALLEL = "parallel"
    """As many operations as there are processors: none disturbs another."""
    IN_TURN = "in turn"
    """One operation at a time; those of several implementations take turns."""
    ONE_FIRMWARE = "one firmware"
    """One scheme of one implementation at a time; changing it takes seconds."""


class Conditions:
    """The measures of a place that make the rounds of a run comparable. This base class takes none."""

    def next_round(self) -> None:
        """Called at the start of a round in which this place measures."""

    def round_ended(self) -> str:
        """Called at the end of a round, when no probe works: why its times must not be quoted, in words; empty if
        nothing is known against them."""
        return ""

    def stolen(self, *, pinned: bool) -> Callable[[], float] | None:
        """A function that returns the seconds that a hypervisor took since its last call; None if that is unknown.

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


USUAL_SIZES = (16, 1024, 16384)
"""Default input sizes in bytes: one block, a packet, a part of a file."""


class Place:
    """The contract of every place; a kind of place overrides the differences: machines in `host.machine`,
    boards in `board.board`."""

    name: str
    """The name of its target, as in studies: ``host``, ``sim:atmega2560``."""
    evidence: Evidence = Evidence.MEASURED
    """The evidence of its numbers: ``measured`` or ``simulated``."""
    exact: bool = False
    """Whether every reading of a case is the same to the last cycle: only the operation runs on a small core."""
    metric: str = "time"
    """What its clock gives: ``time``, or ``instructions`` where an emulator counts those and nothing is timed."""
    sharing: Sharing = Sharing.IN_TURN
    apart: str = ""
    """The hardware of its own that it measures on: a host or a port. Places that differ in it are measured in parallel,
    one thread for each, and never while this machine measures itself. Empty: this machine."""
    fast: bool = True
    """Whether it computes thousands of known answers in seconds: user code must then pass all of them, elsewhere a
    sample."""
    batches: bool = True
    """Whether operations are timed in batches within a process; elsewhere each is a whole process, on files."""

    @property
    def device(self) -> Device | None:
        """The board's device in the catalog; None for a machine."""
        return None

    @property
    def usual_sizes(self) -> tuple[int, ...]:
        """Default input sizes in bytes."""
        return USUAL_SIZES

    def usual(self, implementation: str) -> bool:
        """Whether the implementation is measured here by default."""
        del implementation
        return True

    def environment(self) -> dict[str, Any]:
        """Facts that a run records, in addition to this machine's; empty if the place is this machine.

        For a board its device and port; for another machine at least ``host``, its facts (`motebench.targets.machine`).
        """
        raise NotImplementedError

    def disk(self, folder: str | None) -> Disk:
        """A disk for whole files, in ``folder`` there, which the user chose. ProbeFailure: there is none."""
        del folder
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"whole files are not measured on {self.name}")

    def close(self) -> None:
        """End the connection to it, if there is one; what needs it again opens it again."""

    def clock(self) -> tuple[float, str]:
        """The relative tolerance of its clock's rate, with a note."""
        return 0.0, ""

    def check_core(self, cpu: str | int) -> None:
        """InputError if ``cpu`` (``auto``, ``none`` or a number) is a core that cannot be used here."""

    def cores(self) -> Sequence[int]:
        """The cores on which processes can be kept, in the order in which several of them are taken; empty if none can
        be chosen."""
        return ()

    def cores_shared(self, count: int) -> str:
        """What readers should know of the first ``count`` of `cores`: that some are threads of one physical core. May
        be empty."""
        del count
        return ""

    def on_core(self, core: int) -> AbstractContextManager[None]:
        """Programs that start in this context stay on that core, which is one of `cores`."""
        raise NotImplementedError(f"{self.name} has no core {core} to choose")

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """The conditions of one run. ``cpu``: the core as configured. ``seed``: that of all random choices."""
        del cpu, seed
        return Conditions()
