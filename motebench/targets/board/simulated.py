"""Simulated boards: a program simulates a device, with its serial line on standard input and
output.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motebench.base.errors import InputError
from motebench.base.model import Evidence, FailureKind
from motebench.base.naming import SIMULATED
from motebench.base.paths import data_root, prebuilt
from motebench.base.process import TemporaryFolder
from motebench.catalog.devices import Device, programmable
from motebench.catalog.proof import MARK
from motebench.targets.base import Sharing, Target, TargetRequest
from motebench.targets.board.board import BoardHost, CallPath, board_target
from motebench.targets.firmware import FirmwareImage, flash_of
from motebench.targets.firmware.architecture import architecture
from motebench.targets.firmware.forms import placed
from motebench.targets.session import ProbeSession
from motebench.targets.settings import BoardSettings, parse
from motebench.targets.setup import building
from motebench.targets.setup.building import build_program
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import SimulatorStream


@dataclass(frozen=True, slots=True)
class FlowFinding:
    """An instruction that depends on a secret, as the simulator reports it.

    ``error``: time can depend on it. ``origins``: a bit for each input of the job, as
    ``core/probe/marks.h`` numbers them. ``cycles``: between extremes; None: not known. ``chain``:
    addresses of the functions that the secret passed through.
    """

    kind: str
    error: bool
    address: int
    times: int
    origins: int
    cycles: int | None
    chain: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FlowMark:
    """Calls from one address that declare memory public, and bytes of all of them."""

    caller: int
    times: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FlowTable:
    """Table of ``--secret-flow``. ``ran``: addresses of the instructions that ran; ``lost``:
    findings and marks for which there was no room."""

    findings: tuple[FlowFinding, ...]
    public: tuple[FlowMark, ...]
    ran: frozenset[int]
    lost: int


def simulator_program(name: str) -> Path:
    """The path of the simulator for that architecture, once it is built; the installation may have
    brought it.
    """
    program = architecture(name).simulator.program
    return prebuilt(program) or data_root() / "build" / "simulators" / program


def simulator(device: Device) -> Path:
    """The program that simulates the device, built if necessary. ProbeFailure if that fails."""
    path = simulator_program(device.architecture)
    problem = None if path.exists() else build_program(building.SIMULATORS)
    if not path.exists():
        why = f": {problem}" if problem else ", because something that it needs is not installed"
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"{path.name} is not built{why}; motebench doctor"
        )
    return path


def simulation(device: Device, image: Path, settings: BoardSettings = BoardSettings()) -> list[str]:  # noqa: B008 - frozen
    """The command that simulates a firmware. ProbeFailure if the simulator is not built."""
    options = ["--mcu", device.mcu, "--clock", str(device.clock_hz), *settings.arguments(device)]
    return [str(simulator(device)), *options, str(image)]


class Simulation(BoardHost):
    """A place with boards of one device. Any number of boards in parallel."""

    evidence = Evidence.SIMULATED
    sharing = Sharing.PARALLEL

    def __init__(self, device: Device, settings: BoardSettings) -> None:
        self._device, self._settings = device, settings
        self.name = settings.name(device)

    @property
    def device(self) -> Device:
        """The simulated device."""
        return self._device

    def check(self) -> None:
        """ProbeFailure if the simulator is not built."""
        simulator(self.device)

    def environment(self) -> dict[str, Any]:
        """The device."""
        return {"device": self.device.id}

    def start(self, image: FirmwareImage) -> ProbeSession:
        """A new board with that firmware, its code at the place of the settings."""
        command = self._command(image)
        return ProbeSession(lambda: SimulatorStream(command), check=image.expect)

    def profile(
        self, image: FirmwareImage, use: Callable[[ProbeSession], object]
    ) -> dict[CallPath, int]:
        """Cycles of each path of calls while ``use`` makes its requests to a new board, greeting
        and waiting included.

        ProbeFailure of kind ``unsupported`` if the simulator of the board counts none.
        """
        if not architecture(self.device.architecture).simulator.profiles:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, f"the simulator of {self.name} does not count by function"
            )
        with TemporaryFolder() as folder:
            table = folder / "calls"
            command = self._command(image)
            command[1:1] = ["--calls", str(table)]
            session = ProbeSession(lambda: _TableStream(command), check=image.expect)
            try:
                use(session)
            finally:
                session.close()
            return _cycles(table)

    @property
    def follows(self) -> bool:
        """True if the simulator follows where secrets flow."""
        return architecture(self.device.architecture).simulator.secret_flow

    def follow(self, image: FirmwareImage, use: Callable[[ProbeSession], object]) -> FlowTable:
        """Flow of the secrets that the requests of ``use`` give to ``image``, which marks them.
        ProbeFailure if the simulator leaves no table.
        """
        with TemporaryFolder() as folder:
            table = folder / "flow"
            command = self._command(image)
            command[1:1] = ["--secret-flow", str(table)]
            session = ProbeSession(lambda: _TableStream(command), check=image.expect)
            try:
                use(session)
            finally:
                session.close()
            return _flow(table)

    def _command(self, image: FirmwareImage) -> list[str]:
        placed_image = placed(self.device, image, self._settings.place)
        command = simulation(self.device, placed_image.path, self._settings)
        if placed_image.flash > flash_of(self.device):
            command[1:1] = [
                "--flash",
                str(architecture(self.device.architecture).simulator.flash_bytes),
            ]
        return command


class _TableStream(SimulatorStream):
    """A simulated board that writes a table when its input ends, and is given the time for it."""

    _PATIENCE = 20.0


def _cycles(table: Path) -> dict[CallPath, int]:
    """Table of ``--calls``: cycles by path; equal names are added."""
    try:
        cycles: dict[CallPath, int] = {}
        for line in table.read_text(encoding="utf-8", errors="replace").splitlines():
            names, _, count = line.rpartition(" ")
            path = tuple(names.split(";"))
            cycles[path] = cycles.get(path, 0) + int(count)
    except (OSError, ValueError) as error:
        raise ProbeFailure(
            FailureKind.LOST, f"the simulator left no table of calls: {error}"
        ) from error
    return cycles


def _flow(table: Path) -> FlowTable:
    """Table of ``--secret-flow``; its lines: simulators/shadow/shadow.h."""
    findings, public, ran, lost = [], [], set(), 0
    try:
        for line in table.read_text(encoding="utf-8").splitlines():
            kind, *values = line.split("\t")
            if kind == "finding":
                findings.append(_finding(*values))
            elif kind == "public":
                public.append(FlowMark(int(values[0], 16), int(values[1]), int(values[2])))
            elif kind == "ran":
                ran.add(int(values[0], 16))
            elif kind == "lost":
                lost = int(values[0])
    except (OSError, ValueError, TypeError, IndexError) as error:
        raise ProbeFailure(
            FailureKind.LOST, f"the simulator left no table of where secrets flow: {error}"
        ) from error
    return FlowTable(tuple(findings), tuple(public), frozenset(ran), lost)


def _finding(
    kind: str, severity: str, address: str, times: str, origins: str, cycles: str, chain: str
) -> FlowFinding:
    return FlowFinding(
        kind=kind,
        error=severity == "error",
        address=int(address, 16),
        times=int(times),
        origins=int(origins),
        cycles=int(cycles) if cycles else None,
        chain=tuple(int(function, 16) for function in chain.split(",") if function),
    )


def names() -> dict[str, str]:
    """The available targets of this kind, each with a description."""
    return {f"{SIMULATED}{device.id}": _meaning(device) for device in programmable().values()}


def _meaning(device: Device) -> str:
    boards = f" ({', '.join(device.boards)})" if device.boards else ""
    return f"a simulated {device.name}{boards}{f', {MARK}' if device.unproven else ''}"


def open_kind(request: TargetRequest) -> Target | None:
    """Target that the request names; None if this kind has no such target."""
    try:
        parsed = parse(request.name)
    except InputError as error:
        raise InputError(
            error.what, where=request.where, valid=error.valid, hint=error.hint
        ) from None
    return board_target(Simulation(*parsed), request.code) if parsed else None
