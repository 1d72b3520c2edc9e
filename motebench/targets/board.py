"""``sim:<device>``: a simulated board that runs the C probe as firmware."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from motebench.catalog import schemes
from motebench.catalog.devices import Device
from motebench.firmware import Image, build, own_implementations
from motebench.model import FailureKind
from motebench.naming import VARIANT
from motebench.paths import data_root
from motebench.targets.host import HostTarget
from motebench.targets.session import ProbeSession
from motebench.targets.stream import ProcessStream
from motebench.wire.messages import Answer, FileTiming, Hello, Job, Memory, Offer, ProbeFailure, Timing

LEVELS = ("Os", "O1", "O2", "O3")
"""Levels of optimisation: variants of every implementation on a board; the first is that of the plain name."""
SIMULATORS = {"avr": "motebench-sim-avr"}


def simulator(device: Device) -> Path:
    """The program that simulates the device. ProbeFailure if it is not built."""
    path = data_root() / "build" / "simulators" / SIMULATORS[device.architecture]
    if not path.exists():
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"{path.name} is not built: make setup; motebench doctor")
    return path


class SimulatedTarget:
    """See `motebench.targets.base.Target`."""

    exact = True

    def __init__(self, device: Device) -> None:
        self.device = device
        self.name = f"sim:{device.id}"

    def implementations(self) -> list[str]:
        """Own implementations, each at every level of optimisation."""
        return sorted(
            name if level == LEVELS[0] else f"{name}{VARIANT}{level}"
            for name in own_implementations()
            for level in LEVELS
        )

    def open(self, implementation: str) -> BoardSession:
        """A board for each scheme that is asked for, with the firmware that holds it."""
        name, _, level = implementation.partition(VARIANT)
        if name not in own_implementations() or (level and level not in LEVELS):
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"there is no {implementation!r} for {self.name}")
        simulator(self.device)
        return BoardSession(self.device, name, level or LEVELS[0])


class BoardSession:
    """See `motebench.targets.base.Session`. One simulated board per scheme, started when the scheme is first used.

    ``portable``: without assembly.
    """

    def __init__(self, device: Device, implementation: str, level: str, portable: bool = False) -> None:
        self._device, self._implementation, self._level, self._portable = device, implementation, level, portable
        self._boards: dict[str, ProbeSession] = {}
        self._images: dict[str, Image] = {}
        self._offers: dict[str, Offer] | None = None

    @property
    def hello(self) -> Hello:
        """What the board that was used last says; before, what that of the first scheme does."""
        board = next(reversed(self._boards.values()), None) or self._board(next(iter(self.offers())))
        return board.hello

    @property
    def generation(self) -> int:
        """Counts the boards that were started."""
        return sum(board.generation for board in self._boards.values())

    def offers(self) -> dict[str, Offer]:
        """As the same source says on the host: a firmware that only lists would say the same."""
        if self._offers is None:
            session = HostTarget().open(self._implementation)
            try:
                self._offers = {name: replace(offer, stream=False) for name, offer in session.offers().items()}
            finally:
                session.close()
        return self._offers

    def compute(self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0) -> Answer:
        """Do the operation once."""
        return self._board(job.scheme).compute(job, brief=brief, public=public, timeout=timeout)

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        """Time batches, exactly."""
        return self._board(job.scheme).measure(job, batch=batch, count=count, warm=warm, timeout=timeout)

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Stack, and what the firmware takes of flash and RAM."""
        memory = self._board(job.scheme).memory(job, timeout=timeout)
        image = self._images[job.scheme]
        return replace(memory, flash=image.flash)

    def file(
        self, job: Job, *, source: str, destination: str, chunk: int, cold: bool, sync: bool, timeout: float
    ) -> FileTiming:
        """A board has no files."""
        del job, source, destination, chunk, cold, sync, timeout
        raise ProbeFailure(FailureKind.UNSUPPORTED, "a board has no files")

    def close(self) -> None:
        """Switch the boards off."""
        for board in self._boards.values():
            board.close()
        self._boards.clear()

    def _board(self, scheme: str) -> ProbeSession:
        if scheme not in self._boards:
            if scheme not in schemes():
                raise ProbeFailure(FailureKind.UNSUPPORTED, f"no firmware for {scheme!r}")
            image = build(self._device, self._implementation, schemes()[scheme], self._level, self._portable)
            command = [str(simulator(self._device)), "--mcu", self._device.mcu]
            command += ["--clock", str(self._device.clock_hz), str(image.path)]
            self._images[scheme] = image
            self._boards[scheme] = ProbeSession(lambda: ProcessStream(command))
        return self._boards[scheme]
