"""Simulated cycles a second: motebench-sim-avr against the plain program `simavr`, on the same firmware.

    .venv/bin/python benchmarks/avr_simulators.py

A firmware that runs alone (`motebench firmware --alone`) does 3DES on messages of 512 bytes and writes what it counted.
Each program runs it in turn; seconds are those of the processor, start and loading included. Exit status 1 if the text
differs, or motebench-sim-avr simulates fewer cycles a second (median of the ratios of neighbours below 1).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from common import command, machine, say, table

DEVICE, CLOCK = "atmega2560", "16000000"
CASE = ("--implementation", "mote/des", "--scheme", "3des-ecb", "--size", "512")
_CYCLES = re.compile(r"after (\d+) cycles")
_COLOURS = re.compile(rb"\x1b\[\d*m")


def _timed(words: list[str]) -> tuple[bytes, float]:
    """What a program says on both channels, and its processor time in seconds."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
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
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--messages", type=int, default=8, help="operations in the firmware, about 1.7 million cycles each"
    )
    options = parser.parse_args()
    head, ratios, lines = machine(), [], []
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
            pair = [_timed(words) for words in ((ours, theirs) if run % 2 else (theirs, ours))]
            (our_text, our_seconds), (their_text, their_seconds) = pair if run % 2 else pair[::-1]
            found = _CYCLES.search(our_text.decode(errors="replace"))
            if _lines(our_text) != _lines(their_text) or found is None or not _lines(our_text):
                raise SystemExit("the two programs do not say the same")
            mega = int(found[1]) / 1e6
            ratios.append(their_seconds / our_seconds)
            lines.append(
                [
                    str(run + 1),
                    f"{mega:.1f}",
                    f"{mega / our_seconds:.1f}",
                    f"{mega / their_seconds:.1f}",
                    f"{ratios[-1]:.3f}",
                ]
            )
    print(f"{head}\n")
    print(table(["run", "million cycles", "motebench-sim-avr, MHz", "simavr, MHz", "ratio"], lines, left=0))
    print(f"\nmedian ratio {median(ratios):.3f}; both programs say the same {len(_lines(our_text))} lines")
    return 0 if median(ratios) >= 1 else 1


if __name__ == "__main__":
    raise SystemExit(main())
