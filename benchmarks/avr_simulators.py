"""Simulated cycles a second: motebench-sim-avr against the plain program `simavr`, on the same
firmware.

    .venv/bin/python benchmarks/avr_simulators.py

A firmware that runs alone (`motebench firmware --alone`) does 3DES on messages of 512 bytes and
writes what it counted. simavr runs it twice and motebench-sim-avr once in each repetition, in
random order; seconds are those of the processor, start and loading included. Exit status 1 if the
text differs, or motebench-sim-avr simulates fewer cycles a second.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from common import command, machine, need, say, table
from turns import FEWEST, HEAD, MET, MISSED, Beside, Triple, in_turn

DEVICE, CLOCK = "atmega2560", "16000000"
CASE = ("--implementation", "mote/des", "--scheme", "3des-ecb", "--size", "512")
LIMIT = 0.03
_CYCLES = re.compile(r"after (\d+) cycles")
_COLOURS = re.compile(rb"\x1b\[\d*m")


def _timed(words: list[str]) -> tuple[bytes, float]:
    """Output of a program on both channels, and its processor time in seconds."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT
        )
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        said.seek(0)
        return said.read(), usage.ru_utime + usage.ru_stime


def _lines(said: bytes) -> list[bytes]:
    """The lines of the firmware; simavr colours them, and shows the end of a line as a dot."""
    plain = _COLOURS.sub(b"", said)
    return [line.rstrip(b".") for line in plain.splitlines() if b"output" in line]


def main() -> int:
    """Run both in turn, print the table, judge."""
    from motebench.catalog.devices import programmable
    from motebench.targets.board.simulated import simulation

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--runs", type=int, default=FEWEST, help=f"at least {FEWEST}, for intervals of 95 %%"
    )
    parser.add_argument(
        "--messages",
        type=int,
        default=8,
        help="operations in the firmware, about 1.7 million cycles each",
    )
    options = parser.parse_args()
    need("simavr", "simavr")
    need("avr-gcc", "gcc-avr and avr-libc")
    head, mega, our_text = machine(), 0.0, b""
    triples: list[Triple] = []
    with tempfile.TemporaryDirectory() as folder:
        elf = Path(folder) / "alone.elf"
        operations = ",".join(["encrypt"] * options.messages)
        arguments = (
            "firmware",
            "--target",
            f"sim:{DEVICE}",
            *CASE,
            "--alone",
            "--operation",
            operations,
            "-o",
            str(elf),
        )
        subprocess.run(command(*arguments), check=True)
        ours = simulation(programmable()[DEVICE], elf)
        theirs = ["simavr", "-m", DEVICE, "-f", CLOCK, str(elf)]
        for run in range(options.runs):
            say(f"run {run + 1} of {options.runs}")
            (text, seconds), (_, again), (our_text, our_seconds) = in_turn(
                partial(_timed, theirs), partial(_timed, ours)
            )
            counted = _CYCLES.search(our_text.decode(errors="replace"))
            if _lines(our_text) != _lines(text) or counted is None or not _lines(our_text):
                raise SystemExit("the two programs do not say the same")
            mega = int(counted[1]) / 1e6
            triples.append(Triple(mega / seconds, mega / again, mega / our_seconds))
    beside = Beside(tuple(triples), LIMIT)
    rates = (f"{rate:.1f}" for rate in beside.medians())
    print(f"{head}; {options.runs} runs of {mega:.1f} million cycles\n")
    columns = ["device", "simavr, MHz", "motebench-sim-avr, MHz", *HEAD[:2]]
    print(table(columns, [[DEVICE, *rates, *beside.cells()[:2]]]))
    print(f"\nboth programs say the same {len(_lines(our_text))} lines")
    return MET if beside.ratio.median >= 1 else MISSED


if __name__ == "__main__":
    raise SystemExit(main())
