"""motebench beside ``openssl speed -evp``, cell by cell, in turns of a tenth of a second.

    .venv/bin/python benchmarks/openssl_speed.py

A repetition visits every cell in a new random order. There it starts `openssl speed -seconds N`
twice and a probe of motebench, all on one processor, and lets the three work in turns of a tenth of
a second, in random order, until the N seconds are over; a program that has no turn is stopped. All
three divide their work by their own processor time, so they do not notice. The two readings of
`openssl speed` beside each other (A/A) say what the machine allowed to see. Exit status 1 if a cell
differs by more than its A/A, 3 if none does but the machine was too noisy to see 3 % in some.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import time
from collections import defaultdict
from dataclasses import dataclass

from common import machine, need, say
from turns import FEWEST, Beside, Held, Triple, on_one_processor, report

from motebench.base.model import Operation
from motebench.catalog import schemes
from motebench.measuring.work.jobs import input_seed, symmetric
from motebench.targets.base import Session
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Fill, Job

SIZES = (16, 64, 256, 1024, 8192, 16384)
LIMIT = 0.03
TURN = 0.1
"""Seconds of a turn."""
BATCH = 0.002
"""Seconds of a batch of motebench, as in a run."""
BATCHES = 5
"""Batches of a request."""
TIMEOUT = 60.0
LEGACY = ("-provider", "legacy", "-provider", "default")
BEGUN = re.compile(r"^\+DT:")
RESULT = re.compile(r"^\+F:\d+:([^:\n]+):(\d+(?:\.\d+)?)$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """Operation that both programs time: a name of openssl's, and the scheme and operation of
    motebench that equal it.
    """

    evp: str
    scheme: str
    operation: str
    options: tuple[str, ...] = ()


ROWS = (
    Row("AES-128-CBC", "aes-128-cbc", "encrypt"),
    Row("AES-256-GCM", "aes-256-gcm", "encrypt-new-key"),
    Row("AES-256-GCM", "aes-256-gcm", "encrypt"),
    Row("ChaCha20-Poly1305", "chacha20-poly1305", "encrypt"),
    Row("DES-EDE3-CBC", "3des-cbc", "encrypt"),
    Row("BF-CBC", "blowfish-128-cbc", "encrypt", LEGACY),
    Row("SHA256", "sha256", "digest"),
)

Cell = tuple[Row, int]


def openssl(row: Row, size: int, seconds: int) -> Held:
    """`openssl speed` in one cell, stopped where its loop begins."""
    options = ["-mr", "-seconds", str(seconds), "-bytes", str(size), *row.options, "-evp", row.evp]
    return Held(["openssl", "speed", *options], BEGUN)


def reported(program: Held, row: Row) -> float:
    """Bytes a second that `openssl speed` reports at its end."""
    text = program.end()
    found = RESULT.findall(text)
    if len(found) != 1 or found[0][0].lower() != row.evp.lower() or float(found[0][1]) <= 0:
        raise SystemExit(f"{' '.join(program.command)} gave {text!r}")
    return float(found[0][1])


class Probe:
    """motebench in one cell: a fresh probe, and the requests of a run."""

    def __init__(self, row: Row, size: int) -> None:
        self._session: Session = this_machine().open("openssl")
        scheme = schemes()[row.scheme]
        fill = Fill(input_seed(row.scheme), size)
        self._job: Job = symmetric(
            scheme, self._session.offers()[row.scheme], Operation(row.operation), fill
        )
        self._batch, self._size = 1, size
        self._operations, self._seconds = 0, 0.0
        # The length of a batch: a short one is lost in the cost of the clock
        while self._seconds < BATCH:
            self._batch, self._operations, self._seconds = 4 * self._batch, 0, 0.0
            self._ask()
        self._batch = max(1, round(BATCH * self._operations / self._seconds))
        self._operations, self._seconds = 0, 0.0

    def _ask(self) -> None:
        """Some batches more."""
        cpu = self._session.hello.cpu
        warm = 1 + self._batch // 4
        timing = self._session.measure(
            self._job, batch=self._batch, count=BATCHES, warm=warm, timeout=TIMEOUT
        )
        if timing.cpu is None or cpu is None:
            raise SystemExit("the probe does not read its processor time")
        self._operations += self._batch * len(timing.cpu)
        self._seconds += sum(reading - cpu.overhead for reading in timing.cpu) / cpu.hz

    def turn(self, seconds: float) -> None:
        """Batches for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._ask()

    def end(self) -> float:
        """Bytes a second of processor time."""
        self._session.close()
        return self._size * self._operations / self._seconds


def triple(row: Row, size: int, seconds: int) -> Triple:
    """Readings of both programs in turns."""
    probe = Probe(row, size)
    programs = [openssl(row, size, seconds), openssl(row, size, seconds)]
    working_in_turns: list[Held | Probe] = [*programs, probe]
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end - 3 * TURN:
            for working in random.sample(working_in_turns, 3):
                working.turn(TURN)
        theirs, again = (reported(program, row) for program in programs)
    finally:
        for program in programs:
            program.kill()
    return Triple(theirs, again, probe.end())


def like_for_like(rows: list[Row], seconds: int) -> list[Row]:
    """The rows to count: of two operations for one name, the one that this version of `openssl
    speed` times.

    Versions of OpenSSL 3.0 differ in what they time for GCM: the Update call alone, or key set-up
    and a whole message. At 16 B the two are far apart, which settles for all sizes which one it is.
    """
    best: dict[str, tuple[float, Row]] = {}
    for row in rows:
        off = 1.0
        if sum(row.evp == entry.evp for entry in rows) > 1:
            say(f"{row.evp} {row.operation}: is this what openssl speed times?")
            ratio = triple(row, SIZES[0], seconds).ratio
            off = max(ratio, 1 / ratio)
        if row.evp not in best or off < best[row.evp][0]:
            best[row.evp] = off, row
    return [row for _, row in best.values()]


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--repetitions", type=int, default=9, help=f"at least {FEWEST}, for intervals of 95 %%"
    )
    parser.add_argument("--seconds", type=int, default=3, help="of a cell in each repetition")
    parser.add_argument("--rows", default="", help="only names of openssl that contain this")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    chosen = parser.parse_args()
    need("openssl", "openssl")
    head = machine()
    processor = on_one_processor()
    rows = like_for_like(
        [row for row in ROWS if chosen.rows.lower() in row.evp.lower()], chosen.seconds
    )
    cells: list[Cell] = [(row, size) for row in rows for size in chosen.sizes]
    triples: dict[Cell, list[Triple]] = defaultdict(list)
    for repetition in range(chosen.repetitions):
        for row, size in random.sample(cells, len(cells)):
            say(
                f"repetition {repetition + 1} of {chosen.repetitions}: {row.evp} {row.operation} "
                f"{size} B"
            )
            triples[row, size].append(triple(row, size, chosen.seconds))
    version = subprocess.run(
        ["openssl", "version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    print(
        f"{version}; {head}; {chosen.repetitions} repetitions of {chosen.seconds} s, on "
        f"processor {processor}\n"
    )
    lines = []
    for row, size in cells:
        beside = Beside(tuple(triples[row, size]), LIMIT)
        rates = (f"{rate / 1e6:.2f}" for rate in beside.medians())
        lines.append(([row.evp, row.operation, str(size), *rates], beside))
    return report(
        ["openssl", "motebench", "B", "openssl MB/s", "motebench MB/s"], lines, left=2, limit=LIMIT
    )


if __name__ == "__main__":
    raise SystemExit(main())
