"""motebench's Java probe against a JMH benchmark of the same calls, cell by cell, alternated in one run.

    .venv/bin/python benchmarks/jmh_speed.py

Needs a JDK of at least 17 and Maven, which builds `benchmarks/jmh` into `build/jmh`. A repetition visits every cell in
a new random order and asks both programs there, one straight after the other, in alternating order, each in virtual
machines of its own (JMH in one, motebench in two, the fewest of a run). A cell agrees if the median over the
repetitions of motebench's time divided by JMH's is within 5 % of 1. Exit status 1 if one does not.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import median

from common import HERE, machine, median_rows, motebench, say, table

WITHIN = 0.05
JAR = HERE.parent / "build" / "jmh" / "motebench-jmh.jar"
# Averages over a tenth of a second, and the median of them: what a batch of ours is, an average over some calls with
# all that happens between them (garbage collection, and whoever else had the processor). A median of single calls
# would leave that out and be shorter.
ITERATIONS = ("-f", "1", "-bm", "avgt", "-tu", "ns", "-wi", "60", "-w", "100ms", "-i", "40", "-r", "100ms")
# What the launcher of the probe gives its virtual machine.
OPTIONS = "-XX:+UnlockDiagnosticVMOptions"


@dataclass(frozen=True)
class Cell:
    """One call of a cipher on so many bytes."""

    implementation: str
    algorithm: str
    bits: int
    size: int

    @property
    def scheme(self) -> str:
        """As motebench names it."""
        return f"{self.algorithm.lower()}-{self.bits}-cbc"


CELLS = [
    Cell(implementation, algorithm, bits, size)
    for implementation, algorithm in (("sunjce", "AES"), ("bouncycastle", "Twofish"))
    for bits in (128, 256)
    for size in (4096, 16384)
]


def build() -> None:
    """The benchmark's jar, by Maven."""
    say("building benchmarks/jmh")
    done = subprocess.run(
        ["mvn", "-q", "-B", "-f", str(HERE / "jmh" / "pom.xml"), "package"], capture_output=True, text=True, check=False
    )
    if done.returncode or not JAR.exists():
        raise SystemExit(f"benchmarks/jmh could not be built:\n{done.stdout}{done.stderr}")


def jmh(cell: Cell, folder: str) -> float:
    """Nanoseconds a call: the median of JMH's iterations, each the average of many calls, as a batch of ours is."""
    result = Path(folder) / "jmh.json"
    parameters = [f"implementation={cell.implementation}", f"algorithm={cell.algorithm}"]
    parameters += [f"bits={cell.bits}", f"size={cell.size}"]
    options = list(chain.from_iterable(("-p", each) for each in parameters))
    command = ["java", "-jar", str(JAR), *ITERATIONS, "-jvmArgs", OPTIONS, *options, "-rf", "json", "-rff", str(result)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"JMH ended with {done.returncode}: {done.stdout}{done.stderr}")
    (found,) = json.loads(result.read_text())
    result.unlink()
    metric = found["primaryMetric"]
    if metric["scoreUnit"] != "ns/op":
        raise SystemExit(f"JMH measured in {metric['scoreUnit']}")
    return float(median(chain.from_iterable(metric["rawData"])))


def ours(cell: Cell, folder: str) -> float:
    """Nanoseconds an operation, from a run of that one case."""
    options = ("--scheme", cell.scheme, "--operation", "encrypt", "--implementation", cell.implementation)
    limits = ("--size", str(cell.size), "--warmup", "10s", "--invocations", "2", "--quiet")
    (found,) = median_rows(motebench("run", *options, *limits, folder=folder), "time")
    return float(found["median"])


def measure(repetitions: int) -> dict[Cell, list[tuple[float, float]]]:
    """Pairs (JMH, motebench) of nanoseconds, by cell."""
    pairs: dict[Cell, list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(repetitions):
            for cell in random.sample(CELLS, len(CELLS)):
                say(f"repetition {repetition + 1} of {repetitions}: {cell.implementation} {cell.scheme} {cell.size} B")
                if repetition % 2:
                    mine, theirs = ours(cell, folder), jmh(cell, folder)
                else:
                    theirs, mine = jmh(cell, folder), ours(cell, folder)
                pairs[cell].append((theirs, mine))
                say(f"  JMH {theirs:.1f} ns, motebench {mine:.1f} ns, {100 * (mine / theirs - 1):+.1f} %")
    return pairs


def main() -> int:
    """Measure, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=5)
    chosen = parser.parse_args()
    build()
    head = machine()
    pairs = measure(chosen.repetitions)
    lines, agreeing = [], 0
    for cell in CELLS:
        theirs, mine = (median(column) for column in zip(*pairs[cell], strict=True))
        off = median(our / their for their, our in pairs[cell]) - 1
        agreeing += abs(off) <= WITHIN
        verdict = "yes" if abs(off) <= WITHIN else "no"
        lines.append(
            [cell.implementation, cell.scheme, str(cell.size), f"{theirs:.1f}", f"{mine:.1f}", f"{100 * off:+.1f} %"]
        )
        lines[-1].append(verdict)
    print(f"{head}; medians of {chosen.repetitions} repetitions\n")
    print(table(["library", "scheme", "B", "JMH ns", "motebench ns", "ratio", "within 5 %"], lines, left=2))
    print(f"\n{agreeing} of {len(CELLS)} cells are within 5 %")
    return 0 if agreeing == len(CELLS) else 1


if __name__ == "__main__":
    raise SystemExit(main())
