"""Simulated boards: a program that stands in for a device, its serial line on standard input and output."""

from __future__ import annotations

from pathlib import Path

from motebench.catalog.devices import Device
from motebench.firmware import Image
from motebench.model import Evidence, FailureKind
from motebench.paths import data_root
from motebench.targets.session import ProbeSession
from motebench.targets.stream import ProcessStream
from motebench.wire.messages import ProbeFailure

SIMULATED = "sim:"
SIMULATORS = {"avr": "motebench-sim-avr", "armv6-m": "motebench-sim-cortexm"}


def simulator(device: Device) -> Path:
    """The program that simulates the device. ProbeFailure if it is not built."""
    path = data_root() / "build" / "simulators" / SIMULATORS[device.architecture]
    if not path.exists():
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"{path.name} is not built: make setup; motebench doctor")
    return path


class Simulation:
    """See `motebench.targets.board.Bench`. As many boards as asked for, side by side."""

    evidence = Evidence.SIMULATED
    one_image = False

    def __init__(self, device: Device) -> None:
        self.device = device
        self.name = f"{SIMULATED}{device.id}"

    def check(self) -> None:
        """ProbeFailure if the simulator is not built."""
        simulator(self.device)

    def start(self, image: Image) -> ProbeSession:
        """A board of its own with that firmware."""
        device = self.device
        command = [str(simulator(device)), "--mcu", device.mcu, "--clock", str(device.clock_hz), str(image.path)]
        return ProbeSession(lambda: ProcessStream(command), check=image.expect)
