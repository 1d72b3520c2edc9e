"""A kind of target for tests: a machine that says of itself that its clock is lowered, whenever a
test wants it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from piped_place import PipedMachine

from motebench.targets.base import Conditions, Target, TargetRequest
from motebench.targets.host.pinning import Pinning
from motebench.targets.host.programs import machine_target
from motebench.targets.machine.description import describe
from motebench.targets.machine.snapshot import Snapshot


class SlowedMachine(PipedMachine):
    """Slowed machine. ``flags``: the firmware's reports, reading after reading; the last one
    stays.
    """

    flags: tuple[str, ...] = ("0x0",)
    answered = 0

    def environment(self) -> dict[str, Any]:
        return {"host": describe(Snapshot(self._say))["host"]}

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        type(self).answered = 0
        return Pinning(cpu, seed, lambda _: None, Snapshot(self._say))

    def _say(self, script: str) -> bytes:
        full = "/proc/cpuinfo" in script
        flags = self.flags[min(self.answered, len(self.flags) - 1)]
        if not full:
            type(self).answered += 1
        board = "/proc/device-tree/model=Raspberry Pi 3 Model B Rev 1.2\n" if full else ""
        return f"{board}vcgencmd get_throttled=throttled={flags}\nend=\n".encode()


def names() -> dict[str, str]:
    return {}


def open_kind(asked: TargetRequest) -> Target:
    return machine_target(SlowedMachine(asked.name, Path(asked.name.partition(":")[2])), asked.code)
