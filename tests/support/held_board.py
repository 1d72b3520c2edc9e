"""A kind of target for tests: real boards as far as the schedule can tell, which hold one firmware
at a time.
"""

from __future__ import annotations

from threading import Barrier

from motebench.catalog.devices import programmable
from motebench.targets.base import Sharing, Target, TargetRequest
from motebench.targets.board.board import board_target
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware import FirmwareImage
from motebench.targets.session import ProbeSession
from motebench.targets.settings import BoardSettings

DEVICE = "atmega2560"


class HeldBoard(Simulation):
    """A simulated board that is reached like a real one. The first two to be started wait for each
    other.
    """

    sharing = Sharing.ONE_FIRMWARE
    meeting = Barrier(2)
    held: list[str] = []  # noqa: RUF012 - the boards that were started, of all
    """Names of the started instruments."""

    def __init__(self, name: str) -> None:
        super().__init__(programmable()[DEVICE], BoardSettings())
        self.name = self.apart = name

    def start(self, image: FirmwareImage) -> ProbeSession:
        if self.name not in self.held:
            self.held.append(self.name)
            self.meeting.wait(60)
        return super().start(image)


def names() -> dict[str, str]:
    return {}


def open_kind(asked: TargetRequest) -> Target:
    return board_target(HeldBoard(asked.name), asked.code)
