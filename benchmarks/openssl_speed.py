"""motebench against ``openssl speed -evp``, cell by cell, alternated in one run.

    .venv/bin/python benchmarks/openssl_speed.py

A repetition visits every cell in a new random order and asks both programs there, one straight after the other, in
alternating order. A cell agrees if the median over the repetitions of motebench's throughput divided by openssl's is
within 3 % of 1. Exit status 1 if fewer than 90 % of the cells agree.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from common import machine, median_rows, motebench, say, table

SIZES = (16, 64, 256, 1024, 8192, 16384)
WITHIN = 0.03
SHARE = 0.90
LEGACY = ("-provider", "legacy", "-provider", "default")
RESULT = re.compile(r"\+F:\d+:([^:\n]+):(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Row:
    """What is asked of both programs: a name of openssl's, and the scheme and operation of motebench that equal it."""

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


def openssl(row: Row, size: int, seconds: int) -> float:
    """Bytes a second as `openssl speed` reports them."""
    done = subprocess.run(
        ["openssl", "speed", "-mr", "-seconds", str(seconds), "-bytes", str(size), *row.options, "-evp", row.evp],
        capture_output=True,
        text=True,
        check=True,
    )
    found = [line for line in done.stdout.splitlines() if not line.startswith("+H:")]
    matched = RESULT.fullmatch(found[0]) if len(found) == 1 else None
    if matched is None or matched[1].lower() != row.evp.lower() or float(matched[2]) <= 0:
        raise SystemExit(f"openssl speed of {row.evp} at {size} B gave {done.stdout!r}, {done.stderr!r}")
    return float(matched[2])


def ours(row: Row, size: int, folder: str) -> float:
    """Bytes a second as motebench reports them, from a run of that one case."""
    options = ("--scheme", row.scheme, "--operation", row.operation, "--implementation", "openssl")
    document = motebench("run", *options, "--size", str(size), "--budget", "2s", "--quiet", folder=folder)
    (found,) = median_rows(document, "throughput")
    return float(found["median"])


def measure(cells: list[Cell], repetitions: int, seconds: int) -> dict[Cell, list[tuple[float, float]]]:
    """Pairs (openssl, motebench) of bytes a second, by cell."""
    pairs: dict[Cell, list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(repetitions):
            order = random.sample(cells, len(cells))
            for row, size in order:
                say(f"repetition {repetition + 1} of {repetitions}: {row.evp} {row.operation} {size} B")
                if repetition % 2:
                    mine, theirs = ours(row, size, folder), openssl(row, size, seconds)
                else:
                    theirs, mine = openssl(row, size, seconds), ours(row, size, folder)
                pairs[row, size].append((theirs, mine))
    return pairs


def ratio(pairs: list[tuple[float, float]]) -> float:
    """motebench over openssl: the median of the pairs' own ratios, so that drift between repetitions cancels."""
    return median(mine / theirs for theirs, mine in pairs)


def like_for_like(pairs: dict[Cell, list[tuple[float, float]]]) -> set[Row]:
    """The rows to count: of two operations for one name, the one that this version of `openssl speed` times.

    Versions of OpenSSL 3.0 differ in what they time for GCM: the Update call alone, or key set-up and a whole message.
    At 16 B the two are far apart, which settles for all sizes which one it is.
    """
    best: dict[str, Row] = {}
    for row in {row for row, _ in pairs}:
        there = best.get(row.evp)
        off = max(ratio(pairs[row, SIZES[0]]), 1 / ratio(pairs[row, SIZES[0]]))
        if there is None or off < max(ratio(pairs[there, SIZES[0]]), 1 / ratio(pairs[there, SIZES[0]])):
            best[row.evp] = row
    return set(best.values())


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=1, help="per cell and repetition of openssl speed")
    parser.add_argument("--rows", default="", help="only names of openssl that contain this")
    chosen = parser.parse_args()
    rows = [row for row in ROWS if chosen.rows.lower() in row.evp.lower()]
    head = machine()
    pairs = measure([(row, size) for row in rows for size in SIZES], chosen.repetitions, chosen.seconds)
    counted = like_for_like(pairs)
    lines, agreeing, total = [], 0, 0
    for row in rows:
        for size in SIZES:
            found = pairs[row, size]
            off = ratio(found) - 1
            good = abs(off) <= WITHIN
            if row in counted:
                agreeing, total = agreeing + good, total + 1
            verdict = ("yes" if good else "no") if row in counted else "not counted"
            theirs, mine = (median(column) / 1e6 for column in zip(*found, strict=True))
            lines.append(
                [row.evp, row.operation, str(size), f"{theirs:.2f}", f"{mine:.2f}", f"{100 * off:+.1f} %", verdict]
            )
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{version}; {head}; medians of {chosen.repetitions} repetitions\n")
    print(table(["openssl", "motebench", "B", "openssl MB/s", "motebench MB/s", "ratio", "within 3 %"], lines, left=2))
    print(f"\n{agreeing} of {total} cells ({100 * agreeing / total:.0f} %) are within 3 %; goal: {100 * SHARE:.0f} %")
    return 0 if agreeing >= SHARE * total else 1


if __name__ == "__main__":
    raise SystemExit(main())
