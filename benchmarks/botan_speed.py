"""motebench beside ``botan speed``, row by row.

    .venv/bin/python benchmarks/botan_speed.py

Needs the program ``botan`` (Debian: package ``botan``) of the very version that the probe is built
with. A repetition visits every row in a new random order; a visit asks ``botan speed`` for a short
while many times, half of them before and half after a motebench run of the same cases. The medians
of the odd calls and of the even ones are two readings of botan. Exit status 1 if a cell differs
from botan by more than botan from itself, 3 if none does but the machine was too noisy to see 5 %.

``botan speed`` reads its clock around each single buffer, which belongs to what it reports. What
that costs is measured too, on a single block of AES, and taken off botan's times. It divides by
elapsed time, and a run leaves out batches during which it lost the processor: so botan's times are
multiplied by the share of its time in which it ran and did not wait for a processor
(`/proc/PID/schedstat`).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from common import machine, median_rows, motebench, need, say
from turns import FEWEST, Beside, Triple, report

SIZES = (1024, 4096, 16384)
LIMIT = 0.05


@dataclass(frozen=True)
class Row:
    """Operation that both programs time: a name of botan's, and the scheme and operation of
    motebench that equal it.
    """

    algorithm: str
    scheme: str
    operation: str
    event: str = "encrypt"
    """Name of the operation in botan."""


CLOCK = Row("AES-128", "aes-128-ecb", "encrypt")
"""Row that shows the cost of the clock: one block takes a few nanoseconds of cipher."""
ROWS = (
    Row("AES-128", "aes-128-ecb", "encrypt"),
    Row("AES-128", "aes-128-ecb", "decrypt", "decrypt"),
    Row("CTR-BE(AES-128)", "aes-128-ctr", "encrypt"),
    Row("CTR-BE(Serpent)", "serpent-256-ctr", "encrypt"),
    Row("ChaCha(20)", "chacha20", "encrypt"),
    Row("Salsa20", "salsa20", "encrypt"),
    Row("AES-128/CBC", "aes-128-cbc", "encrypt-message"),
    Row("AES-128/CBC", "aes-128-cbc", "decrypt-message", "decrypt"),
    Row("Serpent/CBC", "serpent-256-cbc", "encrypt-message"),
    Row("Twofish/CBC", "twofish-256-cbc", "encrypt-message"),
    Row("AES-128/CCM", "aes-128-ccm", "encrypt"),
    Row("AES-256/XTS", "aes-256-xts", "encrypt"),
    Row("AES-256/GCM", "aes-256-gcm", "encrypt-message"),
    Row("ChaCha20Poly1305", "chacha20-poly1305", "encrypt-message"),
    Row("SHA-256", "sha256", "digest", "hash"),
    Row("SHA-3(256)", "sha3-256", "digest", "hash"),
    Row("BLAKE2b(512)", "blake2b-512", "digest", "hash"),
)

Cell = tuple[Row, int]


def botan(row: Row, sizes: tuple[int, ...], msec: int) -> dict[int, float]:
    """Nanoseconds a buffer as one call of `botan speed` reports them, by size."""
    buffers = ",".join(map(str, sizes))
    arguments = [
        "botan",
        "speed",
        f"--msec={msec}",
        f"--buf-size={buffers}",
        "--format=json",
        row.algorithm,
    ]
    output, share = running(arguments)
    found = {
        entry["buf_size"]: share * entry["nanos"] / (entry["events"] / entry["buf_size"])
        for entry in json.loads(output)
        if entry["op"] == row.event and entry.get("events")
    }
    if set(found) != set(sizes):
        raise SystemExit(f"{' '.join(arguments)} gave {output!r}")
    return found


def running(arguments: list[str]) -> tuple[str, float]:
    """The output of a program, and the part of its time in which it ran: the rest it waited for a
    processor.
    """
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        ran, waited = map(int, Path(f"/proc/{process.pid}/schedstat").read_text().split()[:2])
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    return output, ran / (ran + waited)


def ours(row: Row, sizes: tuple[int, ...], folder: str) -> dict[int, float]:
    """Nanoseconds a buffer as motebench reports them, by size, from a run of that one row."""
    options = ("--scheme", row.scheme, "--operation", row.operation, "--implementation", "botan")
    bytes_ = ",".join(map(str, sizes))
    document = motebench(
        "run", *options, "--size", bytes_, "--budget", "3s", "--quiet", folder=folder
    )
    return {found["input_bytes"]: float(found["median"]) for found in median_rows(document, "time")}


def visit(
    row: Row, sizes: tuple[int, ...], chosen: argparse.Namespace, folder: str
) -> dict[int, Triple]:
    """Readings of both programs on one row, by turns: nanoseconds a buffer, by size."""
    before = [botan(row, sizes, chosen.msec) for _ in range(chosen.calls)]
    mine = ours(row, sizes, folder)
    calls = before + [botan(row, sizes, chosen.msec) for _ in range(chosen.calls)]
    halves = calls[::2], calls[1::2]
    readings = {size: [median(call[size] for call in half) for half in halves] for size in sizes}
    return {size: Triple(theirs, again, mine[size]) for size, (theirs, again) in readings.items()}


def measure(rows: list[Row], chosen: argparse.Namespace) -> tuple[dict[Cell, list[Triple]], float]:
    """Readings of all triples, and the nanoseconds of one reading of botan's clock."""
    triples: dict[Cell, list[Triple]] = defaultdict(list)
    clock = []
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(chosen.repetitions):
            block = visit(CLOCK, (16,), chosen, folder)[16]
            clock.append((block.theirs + block.again) / 2 - block.ours)
            for row in random.sample(rows, len(rows)):
                say(
                    f"repetition {repetition + 1} of {chosen.repetitions}: {row.algorithm} "
                    f"{row.operation}"
                )
                for size, triple in visit(row, SIZES, chosen, folder).items():
                    triples[row, size].append(triple)
    return triples, median(clock)


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--repetitions", type=int, default=9, help=f"at least {FEWEST}, for intervals of 95 %%"
    )
    parser.add_argument(
        "--calls", type=int, default=4, help="of botan speed, before and again after each run"
    )
    parser.add_argument("--msec", type=int, default=60, help="of each call and size")
    parser.add_argument("--rows", default="", help="only names of botan that contain this")
    chosen = parser.parse_args()
    need("botan", "botan")
    rows = [row for row in ROWS if chosen.rows.lower() in row.algorithm.lower()]
    head = machine()
    triples, clock = measure(rows, chosen)
    lines = []
    for row in rows:
        for size in SIZES:
            times = [
                (one.theirs - clock, one.again - clock, one.ours) for one in triples[row, size]
            ]
            beside = Beside(
                tuple(Triple(*(1e3 * size / time for time in three)) for three in times), LIMIT
            )
            rates = (f"{rate:.1f}" for rate in beside.medians())
            lines.append(([row.algorithm, row.event, row.operation, str(size), *rates], beside))
    version = subprocess.run(
        ["botan", "version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    print(
        f"Botan {version}; {head}; {chosen.repetitions} repetitions; botan's clock, {clock:.0f} "
        "ns a buffer, is off\n"
    )
    titles = ["botan", "op", "motebench", "B", "botan MB/s", "motebench MB/s"]
    return report(titles, lines, left=3, limit=LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
