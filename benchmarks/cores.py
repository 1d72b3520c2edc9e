"""motebench on 1 and 2 cores against ``openssl speed -multi``, alternated in one run.

    .venv/bin/python benchmarks/cores.py
    chrt -f 1 .venv/bin/python benchmarks/cores.py --pause 4

The second line gives both programs every core they ask for, on a machine with other work; the
system leaves 5 % of the time to the rest.

A repetition asks for the throughput on one core and on two: `openssl speed` twice and motebench
once, in random order. Speedups are compared. Exit status 1 if one of motebench's differs from
`openssl speed`'s by more than that from itself, 3 if none does but the machine was too noisy to see
5 %. ``--pause`` leaves the machine to others for so many seconds after each call.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import time
from statistics import median

from common import machine, median_rows, motebench, need, say
from turns import NOISY, Beside, Triple, in_turn, report

ROWS = (("AES-128-CBC", "aes-128-cbc", "encrypt"), ("SHA256", "sha256", "digest"))
SIZE = 16384
CORES = (1, 2)
LIMIT = 0.05
RESULT = re.compile(r"^\+F:\d+:[^:\n]+:(\d+(?:\.\d+)?)$", re.MULTILINE)


def openssl(evp: str, cores: int) -> float:
    """Bytes a second of so many processes together: the last line, the sum over the processes."""
    command = [
        "openssl",
        "speed",
        "-mr",
        "-seconds",
        "1",
        "-bytes",
        str(SIZE),
        "-multi",
        str(cores),
        "-evp",
        evp,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = RESULT.findall(done.stdout)
    if not found:
        raise SystemExit(f"openssl speed of {evp} gave {done.stdout!r}, {done.stderr!r}")
    return float(found[-1])


def ours(scheme: str, operation: str, folder: str, budget: str) -> dict[int, float]:
    """Bytes a second by number of cores, from a run of that one case; without disturbed ones."""
    options = (
        "--scheme",
        scheme,
        "--operation",
        operation,
        "--implementation",
        "openssl",
        "--size",
        str(SIZE),
    )
    document = motebench(
        "run", *options, "--cpu", "all", "--budget", budget, "--quiet", folder=folder
    )
    return {
        int(row["cores"]): float(row["median"])
        for row in median_rows(document, "throughput")
        if row["quotable"]
    }


def speedup(rates: dict[int, float]) -> float:
    """Throughput on two cores by that on one."""
    return rates[CORES[1]] / rates[CORES[0]]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--budget", default="2s")
    parser.add_argument("--pause", type=float, default=0.0)
    chosen = parser.parse_args()
    need("openssl", "openssl")
    head = machine()
    readings: dict[str, list[tuple[dict[int, float], ...]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(chosen.repetitions):
            for evp, scheme, operation in ROWS:

                def theirs(evp: str = evp) -> dict[int, float]:
                    rates = {}
                    for count in CORES:
                        rates[count] = openssl(evp, count)
                        time.sleep(chosen.pause)
                    return rates

                def mine(scheme: str = scheme, operation: str = operation) -> dict[int, float]:
                    rates = ours(scheme, operation, folder, chosen.budget)
                    time.sleep(chosen.pause)
                    return rates

                rates = in_turn(theirs, mine)
                if set(CORES) <= set(rates[2]):
                    readings.setdefault(evp, []).append(rates)
                say(f"{evp}: openssl {rates[0]} and {rates[1]}, motebench {rates[2]}")
    if len(readings) < len(ROWS):
        say("the machine was too busy: no throughput of motebench on all cores may be quoted")
        return NOISY
    lines = []
    for evp, taken in readings.items():
        beside = Beside(tuple(Triple(*map(speedup, rates)) for rates in taken), LIMIT)
        medians = [
            median(triple[place][count] for triple in taken) / 1e9
            for place in (0, 2)
            for count in CORES
        ]
        columns = [
            *(f"{rate:.3f}" for rate in medians),
            *(f"{value:.3f}" for value in beside.medians()),
        ]
        lines.append(([evp, str(len(taken)), *columns], beside))
    print(f"{head}\n\nThroughput in GB/s\n")
    columns = ["cipher", "repetitions", "openssl, 1", "openssl, 2", "motebench, 1", "motebench, 2"]
    return report([*columns, "speedup, openssl", "speedup, motebench"], lines, left=1, limit=LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
