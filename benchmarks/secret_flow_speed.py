"""Speed of simulators that follow where secrets flow, and of the same simulators when they do not.

    .venv/bin/python benchmarks/secret_flow_speed.py [--than OTHER/build/simulators]

Each case is the operation of an implementation, computed again and again on a simulated board, by
the firmware that marks its secrets. Seconds are those of the processor. `followed` must reach the
figure of the last column. With ``--than``, the simulators of another build run the same without
following: their speeds stand beside each other, the better of several turns. Exit status 1 if a
speed is below what is wanted, or one that does not follow is more than 1 % below the other build's.
"""

from __future__ import annotations

import argparse
import math
import resource
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from common import say, table

from motebench.base.model import Case, Operation
from motebench.base.process import TemporaryFolder
from motebench.catalog import schemes
from motebench.measuring.images import provider_of
from motebench.measuring.leak.flow import marked
from motebench.measuring.work import jobs
from motebench.targets.board.simulated import simulation
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware import FirmwareImage, FirmwareRole
from motebench.targets.registry import open_target
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Job
from motebench.targets.wire.stream import SimulatorStream

WANTED = 30.0
"""Millions of cycles a second while secrets are followed."""
CASES = (
    ("sim:samd21g18a", "mote/aes-ct", "aes-128-gcm", Operation.ENCRYPT_MESSAGE, 256),
    ("sim:samd21g18a", "mote/x25519", "x25519", Operation.AGREE, 0),
    ("sim:rp2040", "mote/sha-256", "sha256", Operation.DIGEST, 8192),
    ("sim:cortex-m3-nows", "mote/x25519", "x25519", Operation.AGREE, 0),
    ("sim:nrf52840", "mote/x25519", "x25519", Operation.AGREE, 0),
    ("sim:rp2350-hazard3", "mote/x25519", "x25519", Operation.AGREE, 0),
    ("sim:rp2350-hazard3", "mote/sha-256", "sha256", Operation.DIGEST, 8192),
    ("sim:atmega2560", "mote/x25519", "x25519", Operation.AGREE, 0),
    ("sim:atmega328p", "mote/sha-256", "sha256", Operation.DIGEST, 512),
    ("sim:atmega4809", "mote/aes-small", "aes-128-ecb", Operation.ENCRYPT, 256),
)
SHORT = ("mote/sha-256", "sha256", Operation.DIGEST, 0)
"""An operation that takes next to nothing."""
CYCLES = 40_000_000
"""Cycles of the operation in each turn."""
TURNS = 3
TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Work:
    """A job on a board, and the cycles of its operation."""

    firmware: FirmwareImage
    simulator: Sequence[str]
    job: Job
    cycles: int

    def seconds(self, command: Sequence[str], count: int, *, marks: bool) -> float:
        """Processor time of that many of them."""
        job = self.job if marks else replace(self.job, secret=b"")
        return run(self.firmware, [*command, *self.simulator[1:]], job, count)


def run(firmware: FirmwareImage, command: Sequence[str], job: Job, count: int) -> float:
    """Processor time of a simulator for that many jobs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    session = ProbeSession(lambda: SimulatorStream(list(command)), check=firmware.expect)
    try:
        for _ in range(count):
            session.compute(job, brief=True, timeout=600)
    finally:
        session.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def work_of(
    name: str, implementation: str, scheme_name: str, operation: Operation, size: int
) -> Work:
    """An operation on a board."""
    scheme, target = schemes()[scheme_name], open_target(name)
    device = target.place.device
    assert device is not None
    session = target.open(implementation)
    try:
        case = Case(scheme_name, implementation, operation, size, name, implementation)
        job = jobs.build(case, scheme, session.offers()[scheme_name], session, 600)
        counts = session.measure(job, batch=1, count=1, warm=0, timeout=600).counts
        assert counts is not None
    finally:
        session.close()
    firmware = provider_of(Workspace(), device, implementation).image(
        device, scheme_name, FirmwareRole(marks=True)
    )
    return Work(firmware, simulation(device, firmware.path), marked(scheme, job), counts[0])


def speeds(
    name: str, implementation: str, scheme_name: str, operation: Operation, size: int, than: Path
) -> tuple[float, float, float]:
    """Millions of cycles a second: followed, not followed, and of the other build.

    Seconds beside the operation (requests, the pattern in free RAM) are those of as many short
    digests, and taken off.
    """
    with TemporaryFolder() as folder:
        work = work_of(name, implementation, scheme_name, operation, size)
        short = work_of(name, *SHORT)
        program = work.simulator[0]
        other = str(than / Path(program).name) if than != Path() else program
        kinds = (
            ([program, "--secret-flow", str(folder / "table")], True),
            ([program], False),
            ([other], False),
        )
        count = max(2, CYCLES // work.cycles)
        best = [[math.inf, math.inf] for _ in kinds]
        for _ in range(TURNS):
            for number, (command, marks) in enumerate(kinds):
                for which, each in enumerate((work, short)):
                    seconds = each.seconds(command, count, marks=marks)
                    best[number][which] = min(best[number][which], seconds)
    millions = count * (work.cycles - short.cycles) / 1e6
    followed, off, of_other = (millions / (whole - beside) for whole, beside in best)
    return followed, off, of_other


def main() -> int:
    """Measure all cases, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--than", type=Path, default=Path(), help="simulators of another build")
    than = parser.parse_args().than
    rows, good = [], True
    for case in CASES:
        followed, off, other = speeds(*case, than)
        good = good and followed >= WANTED
        if than != Path():
            good = good and off >= other * (1 - TOLERANCE)
        rows.append(
            (
                case[0],
                f"{case[1]} {case[2]} {case[3].value}",
                f"{followed:.0f}",
                f"{off:.0f}",
                f"{other:.0f}" if than != Path() else "-",
                f"{WANTED:.0f}",
            )
        )
    say("Millions of cycles a second of processor time")
    head = ("target", "case", "followed", "not followed", "other build", "wanted")
    print(table(head, rows, left=2))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
