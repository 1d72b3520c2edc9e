"""motebench beside ``openssl speed`` and liboqs' ``speed_kem``, for post-quantum schemes of the
same build.

    .venv/bin/python benchmarks/postquantum_speed.py --openssl PATH --speed-kem PATH

A round visits every set in a new random order and asks there the other program twice and motebench
once, in random order. ``openssl speed`` divides by processor time. ``speed_kem`` divides by elapsed
time; its times are multiplied by the share of it in which its process had the processor. Exit
status 1 if an operation differs from the other program by more than that from itself, 3 if none
does but the machine was too noisy to see 5 %.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from common import machine, median_rows, motebench, need, say
from turns import FEWEST, Beside, Triple, in_turn, report

LIMIT = 0.05
KEM = ("keygen", "encapsulate", "decapsulate")
SIGNATURE = ("keygen", "sign", "verify")
RATES = re.compile(r"^\+F[89]:\d+:([\d.]+):([\d.]+):([\d.]+)$", re.MULTILINE)
ROW = re.compile(r"^(keygen|encaps|decaps) *\| *\d+ *\| *[\d.]+ *\| *([\d.]+) ", re.MULTILINE)
OPENSSL = (
    "ML-KEM-512",
    "ML-KEM-768",
    "ML-KEM-1024",
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "SLH-DSA-SHA2-128f",
)
LIBOQS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")

Times = dict[str, float]
"""Microseconds by operation."""


@dataclass(frozen=True)
class Set:
    """A parameter set, the implementation that has it, and the other program's times of it."""

    name: str
    implementation: str
    theirs: Callable[[str], Times]

    @property
    def operations(self) -> tuple[str, ...]:
        """Operations that both programs time."""
        return KEM if self.name.startswith("ML-KEM") else SIGNATURE


def openssl(program: Path, name: str) -> Times:
    """Times of one set by `openssl speed`."""
    command = [str(program), "speed", "-mr", "-seconds", "1", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = RATES.search(done.stdout)
    if found is None:
        raise SystemExit(f"openssl speed {name} gave {done.stdout!r}, {done.stderr!r}")
    names = KEM if name.startswith("ML-KEM") else SIGNATURE
    return {
        operation: 1e6 / float(rate) for operation, rate in zip(names, found.groups(), strict=True)
    }


def speed_kem(program: Path, name: str) -> Times:
    """Times of one set by `speed_kem`, multiplied by the share of the elapsed time in which it had
    the processor.
    """
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([program, "-d", "1", name], capture_output=True, text=True, check=True)
    elapsed, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    share = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / elapsed
    found = dict(ROW.findall(done.stdout))
    return {operation: share * float(found[operation[:6]]) for operation in KEM}


def ours(item: Set, folder: str) -> Times:
    """Times by motebench: signing with ML-DSA is the mean for the expected number of attempts."""
    scheme = item.name.lower()
    attempts = scheme.startswith("ml-dsa")
    wanted = [operation for operation in item.operations if not (attempts and operation == "sign")]
    options = (
        "--scheme",
        scheme,
        "--implementation",
        item.implementation,
        "--size",
        "32",
        "--quiet",
    )
    document = motebench(
        "run", *options, "--operation", ",".join(wanted), "--budget", "5s", folder=folder
    )
    found = {row["operation"]: row["median"] / 1e3 for row in median_rows(document, "time")}
    if attempts:
        asked = ("--scheme", scheme, "--implementation", item.implementation, "--messages", "200")
        (row,) = motebench("signing", *asked, folder=folder)["rows"]
        found["sign"] = 1e6 * row["normalised"]
    return found


def measure(sets: list[Set], rounds: int) -> dict[tuple[Set, str], list[Triple]]:
    """Microseconds of both programs, by set and operation."""
    triples: dict[tuple[Set, str], list[Triple]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for item in random.sample(sets, len(sets)):
                say(f"round {number + 1} of {rounds}: {item.name} {item.implementation}")
                times = in_turn(partial(item.theirs, item.name), partial(ours, item, folder))
                for operation in item.operations:
                    triples[item, operation].append(Triple(*(taken[operation] for taken in times)))
    return triples


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--openssl", type=Path, help="the program of OpenSSL 4 that was built with the same options"
    )
    parser.add_argument(
        "--speed-kem", type=Path, help="the program of liboqs that was built with the same options"
    )
    parser.add_argument(
        "--rounds", type=int, default=9, help=f"at least {FEWEST}, for intervals of 95 %%"
    )
    parser.add_argument("--sets", default="", help="only names that contain this")
    chosen = parser.parse_args()
    if not (chosen.openssl or chosen.speed_kem):
        parser.error("give --openssl, --speed-kem, or both")
    sets = []
    if chosen.openssl:
        need(str(chosen.openssl), "it with `make setup WITH=openssl4`")
        sets += [
            Set(name, "openssl4", lambda name: openssl(chosen.openssl, name)) for name in OPENSSL
        ]
    if chosen.speed_kem:
        need(str(chosen.speed_kem), "it with `make setup WITH=liboqs`")
        sets += [
            Set(name, "liboqs", lambda name: speed_kem(chosen.speed_kem, name)) for name in LIBOQS
        ]
    sets = [item for item in sets if chosen.sets.lower() in item.name.lower()]
    head = machine()
    lines = []
    for (item, operation), triples in sorted(
        measure(sets, chosen.rounds).items(), key=lambda entry: sets.index(entry[0][0])
    ):
        beside = Beside(tuple(triples), LIMIT)
        program = "openssl speed" if item.implementation == "openssl4" else "speed_kem"
        lines.append(
            ([program, item.name, operation, *(f"{time:.2f}" for time in beside.medians())], beside)
        )
    print(f"{head}; {chosen.rounds} rounds\n")
    return report(
        ["program", "set", "operation", "its us", "motebench us"], lines, left=3, limit=LIMIT
    )


if __name__ == "__main__":
    raise SystemExit(main())
