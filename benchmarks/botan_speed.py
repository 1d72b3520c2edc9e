"""motebench against ``botan speed``, row by row, alternated in one run.

    .venv/bin/python benchmarks/botan_speed.py

Needs the program ``botan`` (Debian: package ``botan``) of the very version that the probe is built with. A repetition
visits every row in a new random order; a visit asks ``botan speed`` for a short while many times, half of them before
and half after a motebench run of the same cases, and takes the median. A cell agrees if the median over the repetitions
of motebench's throughput divided by botan's is within 5 % of 1. Exit status 1 if fewer than 90 % of the cells agree.

``botan speed`` reads its clock around each single buffer, which belongs to what it reports. What that costs is measured
too, on a single block of AES, and taken off before cells are judged; both ratios are shown.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from common import machine, median_rows, motebench, say, table

SIZES = (1024, 4096, 16384)
WITHIN = 0.05
SHARE = 0.90


@dataclass(frozen=True)
class Row:
    """What is asked of both programs: a name of botan's, and the scheme and operation of motebench that equal it."""

    algorithm: str
    scheme: str
    operation: str
    event: str = "encrypt"
    """What botan calls it."""
    counted: bool = True
    """False for an operation that does less or more than botan's: shown only."""


CLOCK = Row("AES-128", "aes-128-ecb", "encrypt")
"""At one block a few nanoseconds of cipher, and a clock."""
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
    Row("AES-256/GCM", "aes-256-gcm", "encrypt", counted=False),
    Row("ChaCha20Poly1305", "chacha20-poly1305", "encrypt-message"),
    Row("ChaCha20Poly1305", "chacha20-poly1305", "encrypt", counted=False),
    Row("SHA-256", "sha256", "digest", "hash"),
    Row("SHA-3(256)", "sha3-256", "digest", "hash"),
    Row("BLAKE2b(512)", "blake2b-512", "digest", "hash"),
)

Cell = tuple[Row, int]
Pairs = dict[Cell, list[tuple[float, float]]]
"""Nanoseconds a buffer of botan and of motebench, by cell."""


def botan(row: Row, sizes: tuple[int, ...], msec: int) -> dict[int, float]:
    """Nanoseconds a buffer as one call of `botan speed` reports them, by size."""
    buffers = ",".join(map(str, sizes))
    arguments = ["botan", "speed", f"--msec={msec}", f"--buf-size={buffers}", "--format=json", row.algorithm]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    found = {
        entry["buf_size"]: entry["nanos"] / (entry["events"] / entry["buf_size"])
        for entry in json.loads(done.stdout)
        if entry["op"] == row.event and entry.get("events")
    }
    if set(found) != set(sizes):
        raise SystemExit(f"{' '.join(arguments)} gave {done.stdout!r}, {done.stderr!r}")
    return found


def ours(row: Row, sizes: tuple[int, ...], folder: str) -> dict[int, float]:
    """Nanoseconds a buffer as motebench reports them, by size, from a run of that one row."""
    options = ("--scheme", row.scheme, "--operation", row.operation, "--implementation", "botan")
    bytes_ = ",".join(map(str, sizes))
    document = motebench("run", *options, "--size", bytes_, "--budget", "3s", "--quiet", folder=folder)
    return {found["input_bytes"]: float(found["median"]) for found in median_rows(document, "time")}


def visit(row: Row, sizes: tuple[int, ...], chosen: argparse.Namespace, folder: str) -> dict[int, tuple[float, float]]:
    """Both programs on one row, by turns."""
    before = [botan(row, sizes, chosen.msec) for _ in range(chosen.calls)]
    mine = ours(row, sizes, folder)
    after = [botan(row, sizes, chosen.msec) for _ in range(chosen.calls)]
    return {size: (median(call[size] for call in before + after), mine[size]) for size in sizes}


def measure(rows: list[Row], chosen: argparse.Namespace) -> tuple[Pairs, float]:
    """All pairs, and what one reading of botan's clock costs, in nanoseconds."""
    pairs: Pairs = defaultdict(list)
    clock = []
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(chosen.repetitions):
            theirs, mine = visit(CLOCK, (16,), chosen, folder)[16]
            clock.append(theirs - mine)
            for row in random.sample(rows, len(rows)):
                say(f"repetition {repetition + 1} of {chosen.repetitions}: {row.algorithm} {row.operation}")
                for size, pair in visit(row, SIZES, chosen, folder).items():
                    pairs[row, size].append(pair)
    return pairs, median(clock)


def off(pairs: list[tuple[float, float]], clock: float) -> float:
    """motebench's throughput over botan's, less 1: the median of the pairs' own ratios, so that drift cancels."""
    return median((theirs - clock) / mine for theirs, mine in pairs) - 1


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--calls", type=int, default=5, help="of botan speed, before and again after each run")
    parser.add_argument("--msec", type=int, default=10, help="of each call and size")
    parser.add_argument("--rows", default="", help="only names of botan that contain this")
    chosen = parser.parse_args()
    rows = [row for row in ROWS if chosen.rows.lower() in row.algorithm.lower()]
    head = machine()
    pairs, clock = measure(rows, chosen)
    lines, agreeing, total = [], 0, 0
    for row in rows:
        for size in SIZES:
            found = pairs[row, size]
            rest = off(found, clock)
            verdict = "yes" if abs(rest) <= WITHIN else "no"
            if row.counted:
                agreeing, total = agreeing + (verdict == "yes"), total + 1
            theirs, mine = (1e3 * size / median(column) for column in zip(*found, strict=True))
            lines.append(
                [row.algorithm, row.event, row.operation, str(size), f"{theirs:.1f}", f"{mine:.1f}",
                 f"{100 * off(found, 0):+.1f} %", f"{100 * rest:+.1f} %", verdict if row.counted else "not counted"]
            )  # fmt: skip
    version = subprocess.run(["botan", "version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"Botan {version}; {head}; medians of {chosen.repetitions} repetitions\n")
    titles = ["botan", "op", "motebench", "B", "botan MB/s", "motebench MB/s", "ratio", "less its clock", "within 5 %"]
    print(table(titles, lines, left=3))
    print(f"\nbotan's clock costs {clock:.0f} ns a buffer")
    print(f"{agreeing} of {total} cells ({100 * agreeing / total:.0f} %) are within 5 %; goal: {100 * SHARE:.0f} %")
    return 0 if agreeing >= SHARE * total else 1


if __name__ == "__main__":
    raise SystemExit(main())
