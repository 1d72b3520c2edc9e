"""Places: where something is measured. This machine, another one, a simulator, a board behind a serial port."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any

from motebench.model import Evidence

if TYPE_CHECKING:
    from motebench.catalog.devices import Device


class Sharing(Enum):
    """What may run at a place at once."""

    PARALLEL = "parallel"
    """As much as there are processors for: none disturbs another."""
    IN_TURN = "in turn"
    """One operation at a time; those of several implementations take turns."""
    ONE_FIRMWARE = "one firmware"
    """One scheme of one implementation at a time; changing it takes seconds."""


class Conditions:
    """What a place does so that the rounds of a run can be compared. These do nothing."""

    def next_round(self) -> None:
        """A round begins in which something is measured here."""

    def stolen(self, *, pinned: bool) -> Callable[[], float] | None:
        """What tells how many seconds a hypervisor took since it was last asked; None where nothing can tell.

        ``pinned``: of the core of the round alone; else of any.
        """
        del pinned
        return None

    def notes(self) -> list[str]:
        """What a reader of the run should know."""
        return []

    def facts(self) -> dict[str, object]:
        """What the run records when it ends; empty if nothing."""
        return {}


USUAL_SIZES = (16, 1024, 16384)
"""Bytes of input where a study names no size: one block, a packet, a piece of a file."""


class Place:
    """The contract of every place; a kind of place overrides what differs. A machine's is `motebench.targets.machine`,
    a board's `motebench.targets.board`."""

    name: str
    """Of its target, as in studies: ``host``, ``sim:atmega2560``."""
    evidence: Evidence = Evidence.MEASURED
    """What its numbers are: ``measured`` or ``simulated``."""
    exact: bool = False
    """Every reading of a case is the same to the last cycle: there is nothing but the operation on a small core."""
    sharing: Sharing = Sharing.IN_TURN
    fast: bool = True
    """It does thousands of known answers in seconds: user code is asked all of them, elsewhere a sample."""
    batches: bool = True
    """Operations are timed in batches within a process; elsewhere each is a whole process, on files."""
    local_files: bool = False
    """Its programs read and write the files of this machine."""

    @property
    def device(self) -> Device | None:
        """The board's device in the catalog; None where it is a machine."""
        return None

    @property
    def usual_sizes(self) -> tuple[int, ...]:
        """Bytes of input where a study names no size."""
        return USUAL_SIZES

    def usual(self, implementation: str) -> bool:
        """Whether it is measured here where a study names no implementation."""
        del implementation
        return True

    def environment(self) -> dict[str, Any]:
        """What a run records of it, beside the machine that motebench runs on; empty where that is the place itself.

        Of a board its device and port; of another machine at least ``host``, its facts (`motebench.environment`).
        """
        raise NotImplementedError

    def clock(self) -> tuple[float, str]:
        """How far its clock may be from the rate that it is taken for, as a part of it, and a note that says so."""
        return 0.0, ""

    def check_core(self, cpu: str | int) -> None:
        """InputError if ``cpu`` (``auto``, ``none`` or a number) is a core that cannot be used here."""

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """The conditions of one run. ``cpu``: the core that was asked for. ``seed``: of everything that is drawn."""
        del cpu, seed
        return Conditions()
