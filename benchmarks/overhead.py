"""Meters against known quantities.

    .venv/bin/python benchmarks/overhead.py

Each line holds a quantity that is known in another way beside what motebench reads for it. Exit
status 1 if one is further off than its line allows.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from common import machine, median_rows, motebench, say, table

from motebench.base.model import Operation
from motebench.catalog import schemes
from motebench.measuring.work.jobs import input_seed, symmetric
from motebench.targets.base import Session
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Fill, Job

MIB = 1 << 20
REPEATS = 9
LIMIT_SECONDS = 60.0
FILE_BYTES = 64 * MIB
CHUNK = 65536


@dataclass(frozen=True)
class Line:
    """Known quantity, its reading, and the allowed relative error."""

    what: str
    unit: str
    known: float
    read: float
    low: float
    high: float

    @property
    def off(self) -> float:
        """Deviation as a fraction of the known quantity."""
        return self.read / self.known - 1

    @property
    def good(self) -> bool:
        """True if the value is within its limit."""
        return self.low <= self.off <= self.high

    def cells(self) -> list[str]:
        """The row of the table."""
        allowed = f"{100 * self.low:+g} to {100 * self.high:+g} %"
        off = f"{100 * self.off:+.2f} %"
        return [
            self.what,
            self.unit,
            f"{self.known:.6g}",
            f"{self.read:.6g}",
            off,
            allowed,
            "yes" if self.good else "no",
        ]


def job(session: Session, scheme: str, operation: Operation, size: int) -> Job:
    """The job that a run would ask for."""
    found = schemes()[scheme]
    return symmetric(found, session.offers()[scheme], operation, Fill(input_seed(scheme), size))


def median_of(read: Callable[[], float]) -> float:
    """The median of several readings."""
    return median(read() for _ in range(REPEATS))


def against_outside(session: Session) -> list[Line]:
    """One long batch: the probe's clocks against this process's clock around the whole request.

    What the request costs beside the batch (its proof, its way) is what it costs with a batch of
    one; it is subtracted.
    """
    work = job(session, "sha256", Operation.DIGEST, 1024)
    hello = session.hello

    def timed(batch: int) -> tuple[float, float, float, float]:
        begun = time.monotonic()
        timing = session.measure(work, batch=batch, count=1, warm=0, timeout=LIMIT_SECONDS)
        outside = time.monotonic() - begun
        counts = (
            timing.counts[0] / hello.counter.hz
            if timing.counts and hello.counter and hello.counter.hz
            else 0.0
        )
        cpu = timing.cpu[0] / hello.cpu.hz if timing.cpu and hello.cpu else 0.0
        return outside, timing.ticks[0] / hello.clock.hz, counts, cpu

    rest = median_of(lambda: timed(1)[0])
    times, counters, loads = [], [], []
    outside = []
    for _ in range(REPEATS):
        whole, ticks, counts, cpu = timed(500_000)
        outside.append(whole - rest)
        times.append(ticks / (whole - rest))
        counters.append(counts / ticks)
        loads.append(cpu / ticks)
    seconds = median(outside)
    lines = [
        Line(
            "a batch of 500 000, clock outside the probe",
            "s",
            seconds,
            seconds * median(times),
            -0.01,
            0.01,
        )
    ]
    if median(counters) > 0:
        lines.append(
            Line(
                "the same, time-stamp counter at its rate",
                "s",
                seconds,
                seconds * median(counters),
                -0.01,
                0.01,
            )
        )
    if median(loads) > 0:
        lines.append(Line("cpu_load of one busy thread", "", 1.0, median(loads), -0.05, 0.005))
    return lines


def additive(session: Session) -> Line:
    """Time is additive: ten batches of n against one of 10 n."""
    work = job(session, "aes-128-cbc", Operation.ENCRYPT, 1024)
    one, ten = [], []
    for _ in range(REPEATS):
        one.append(
            sum(session.measure(work, batch=3000, count=10, warm=300, timeout=LIMIT_SECONDS).ticks)
        )
        ten.append(
            session.measure(work, batch=30_000, count=1, warm=300, timeout=LIMIT_SECONDS).ticks[0]
        )
    return Line(
        "ten batches of 3000 against one of 30 000",
        "ms",
        median(ten) / 1e6,
        median(one) / 1e6,
        -0.02,
        0.02,
    )


def smallest(session: Session) -> Line:
    """The overhead that is subtracted, against the times of 1 to 8 iterations extrapolated to
    none.
    """
    work = job(session, "aes-128-cbc", Operation.ENCRYPT, 16)
    counts = range(1, 9)
    ticks = [
        median(
            session.measure(work, batch=batch, count=999, warm=1000, timeout=LIMIT_SECONDS).ticks
        )
        for batch in counts
    ]
    mean_x, mean_y = sum(counts) / len(counts), sum(ticks) / len(ticks)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(counts, ticks, strict=True)) / sum(
        (x - mean_x) ** 2 for x in counts
    )
    overhead = mean_y - slope * mean_x
    # Compared as batch times of the length that runs use (2 ms), where alone the overhead is
    # subtracted.
    batch_ns = 2e6
    stated = session.hello.clock.overhead
    return Line(
        f"2 ms less the clock's own time: extrapolated {overhead:.0f} ns, stated {stated:g} ns",
        "ms",
        (batch_ns - overhead) / 1e6,
        (batch_ns - stated) / 1e6,
        -0.001,
        0.001,
    )


def peak_memory() -> list[Line]:
    """Peak memory rises by the buffers of a job: its input and its output, which the probe
    touches.
    """
    lines = []
    for size in (16 * MIB, 64 * MIB):
        peaks = []
        for length in (size, MIB):
            session = this_machine().open("openssl")
            peaks.append(session.memory(job(session, "sha256", Operation.DIGEST, length)).peak)
            session.close()
        what = f"peak_rss: {size // MIB} MiB in and out against 1 MiB in and out"
        lines.append(
            Line(what, "MiB", 2 * (size / MIB - 1), (peaks[0] - peaks[1]) / MIB, -0.02, 0.02)
        )
    return lines


def copy_file(folder: str) -> Line:
    """copy-file with a warm cache and no flush, against the same loop of read and write calls
    here.
    """
    source, copy = Path(folder) / "input", Path(folder) / "copy"
    source.write_bytes(bytes(FILE_BYTES))
    document = motebench(
        "run",
        "--scheme",
        "aes-128-cbc",
        "--implementation",
        "openssl",
        "--file",
        str(source),
        "--cache",
        "warm",
        "--no-sync",
        "--quiet",
        folder=folder,
    )
    (mine,) = [
        row for row in median_rows(document, "throughput") if row["operation"] == "copy-file"
    ]

    def once() -> float:
        copy.unlink(missing_ok=True)
        begun = time.monotonic()
        with source.open("rb", buffering=0) as read, copy.open("wb", buffering=0) as write:
            while chunk := read.read(CHUNK):
                write.write(chunk)
        return FILE_BYTES / (time.monotonic() - begun) / 1e6

    once()
    return Line(
        "copy-file of 64 MiB, warm, no flush",
        "MB/s",
        median_of(once),
        mine["median"] / 1e6,
        -0.25,
        0.25,
    )


def main() -> int:
    """Measure, print the table, judge."""
    head = machine()
    session = this_machine().open("openssl")
    try:
        say("clocks")
        lines = [*against_outside(session), additive(session), smallest(session)]
    finally:
        session.close()
    say("memory")
    lines += peak_memory()
    say("files")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        lines.append(copy_file(str(Path(folder).absolute())))
    print(f"{head}\n")
    columns = ["known", "unit", "known value", "motebench", "off", "allowed", "good"]
    print(table(columns, [line.cells() for line in lines], left=2))
    return 0 if all(line.good for line in lines) else 1


if __name__ == "__main__":
    raise SystemExit(main())
