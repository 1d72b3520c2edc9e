"""Speed of simulators that follow where secrets flow, and their work when they do not.

    .venv/bin/python benchmarks/secret_flow_speed.py [--than OTHER/build/simulators]

Each case is the operation of an implementation, computed again and again on a simulated board, by
the firmware that marks its secrets. Seconds are those of the processor, the best of many short
turns. `followed` must reach the figure of the last column. With ``--than``, valgrind counts the
instructions of this machine for a job that is not followed, here and by the simulators of another
build: no clock disturbs that. Exit status 1 if a speed is below what is wanted, or the instructions
are over 1 % more.
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
    ("sim:atmega4809", "mote/aes-small", "aes-128-ecb", Operation.ENCRYPT, 1024),
)
SHORT = ("mote/sha-256", "sha256", Operation.DIGEST, 0)
"""An operation that takes next to nothing."""
CYCLES = 8_000_000
"""Cycles of the operation in each turn."""
TURNS = 12
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


def speeds(work: Work, short: Work) -> tuple[float, float]:
    """Millions of cycles a second: followed, and not followed.

    Seconds beside the operation (requests, the pattern in free RAM) are those of as many short
    digests, and taken off.
    """
    program = work.simulator[0]
    with TemporaryFolder() as folder:
        kinds = (([program, "--secret-flow", str(folder / "table")], True), ([program], False))
        count = max(2, CYCLES // work.cycles)
        best = [[math.inf, math.inf] for _ in kinds]
        for _ in range(TURNS):
            for number, (command, marks) in enumerate(kinds):
                for which, each in enumerate((work, short)):
                    seconds = each.seconds(command, count, marks=marks)
                    best[number][which] = min(best[number][which], seconds)
    millions = count * (work.cycles - short.cycles) / 1e6
    followed, off = (millions / (whole - beside) for whole, beside in best)
    return followed, off


def instructions(work: Work, program: Path) -> int:
    """Instructions of this machine for a job that is not followed."""

    def of(count: int, folder: Path) -> int:
        counts = folder / "counts"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", str(program)]
        work.seconds(command, count, marks=False)
        lines = counts.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("summary:"))

    with TemporaryFolder() as folder:
        return of(2, folder) - of(1, folder)


def main() -> int:
    """Measure all cases, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--than", type=Path, help="simulators of another build")
    than = parser.parse_args().than
    rows, good = [], True
    for case in CASES:
        work, short = work_of(*case), work_of(case[0], *SHORT)
        followed, off = speeds(work, short)
        good = good and followed >= WANTED
        row = [case[0], f"{case[1]} {case[2]} {case[3].value}", f"{followed:.0f}"]
        row += [f"{WANTED:.0f}", f"{off:.0f}", "-"]
        if than is not None:
            program = Path(work.simulator[0])
            more = instructions(work, program) / instructions(work, than / program.name) - 1
            good = good and more <= TOLERANCE
            row[-1] = f"{more:+.2%}"
        rows.append(row)
    say("Millions of cycles a second of processor time; instructions of this machine")
    head = ("target", "case", "followed", "wanted", "not followed", "instructions")
    print(table(head, rows, left=2))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
