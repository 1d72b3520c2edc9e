"""motebench on 1 and 2 cores against ``openssl speed -multi``, alternated in one run.

    .venv/bin/python benchmarks/cores.py
    chrt -f 1 .venv/bin/python benchmarks/cores.py --pause 4

The second line gives both programs every core they ask for, on a machine with other work; the system leaves 5 % of
the time to the rest.

A repetition asks both programs for the throughput on one core and on two, in alternating order. A cipher agrees if the
median over the repetitions of motebench's speedup divided by openssl's is within 5 % of 1. Exit status 1 if one does
not. ``--pause`` leaves the machine to others for so many seconds after each call.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import time
from statistics import median

from common import machine, median_rows, motebench, say, table

ROWS = (("AES-128-CBC", "aes-128-cbc", "encrypt"), ("SHA256", "sha256", "digest"))
SIZE = 16384
CORES = (1, 2)
WITHIN = 0.05
RESULT = re.compile(r"^\+F:\d+:[^:\n]+:(\d+(?:\.\d+)?)$", re.MULTILINE)


def openssl(evp: str, cores: int) -> float:
    """Bytes a second of so many processes together: the last line, the sum of what the processes said."""
    command = ["openssl", "speed", "-mr", "-seconds", "1", "-bytes", str(SIZE), "-multi", str(cores), "-evp", evp]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = RESULT.findall(done.stdout)
    if not found:
        raise SystemExit(f"openssl speed of {evp} gave {done.stdout!r}, {done.stderr!r}")
    return float(found[-1])


def ours(scheme: str, operation: str, folder: str, budget: str) -> dict[int, float]:
    """Bytes a second by number of cores, from a run of that one case; without what must not be quoted."""
    options = ("--scheme", scheme, "--operation", operation, "--implementation", "openssl", "--size", str(SIZE))
    document = motebench("run", *options, "--cpu", "all", "--budget", budget, "--quiet", folder=folder)
    return {int(row["cores"]): float(row["median"]) for row in median_rows(document, "throughput") if row["quotable"]}


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--budget", default="2s")
    parser.add_argument("--pause", type=float, default=0.0)
    asked = parser.parse_args()
    found: dict[str, list[tuple[dict[int, float], dict[int, float]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(asked.repetitions):
            for evp, scheme, operation in ROWS:
                theirs: dict[int, float] = {}
                mine: dict[int, float] = {}
                for program in ("openssl", "motebench")[:: 1 if repetition % 2 else -1]:
                    if program == "motebench":
                        mine = ours(scheme, operation, folder, asked.budget)
                        time.sleep(asked.pause)
                        continue
                    for count in CORES:
                        theirs[count] = openssl(evp, count)
                        time.sleep(asked.pause)
                if set(CORES) <= set(mine):
                    found.setdefault(evp, []).append((theirs, mine))
                say(f"{evp}: openssl {theirs}, motebench {mine}")
    lines, good = [], len(found) == len(ROWS)
    for evp, pairs in found.items():
        ratio = median(mine[2] / mine[1] / (theirs[2] / theirs[1]) for theirs, mine in pairs)
        good &= abs(ratio - 1) <= WITHIN
        cells = [median(side[count] for side in sides) for sides in zip(*pairs, strict=True) for count in CORES]
        speedups = [median(side[2] / side[1] for side in sides) for sides in zip(*pairs, strict=True)]
        rates = [f"{cell / 1e9:.3f} GB/s" for cell in cells]
        lines.append([evp, *rates, *(f"{each:.3f}" for each in speedups), f"{ratio:.3f}", str(len(pairs))])
    heads = ["cipher", "openssl, 1", "openssl, 2", "motebench, 1", "motebench, 2", "speedup, openssl",
             "speedup, motebench", "ratio", "repetitions"]  # fmt: skip
    print(machine())
    print(table(heads, lines))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
