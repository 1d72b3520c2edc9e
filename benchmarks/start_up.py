"""Time of short commands: processor time of whole processes, user and system, the best of
several.

    .venv/bin/python benchmarks/start_up.py --times 8

The commands read a store that the benchmark makes: the quickstart study at lowered precision. Each
command is called once before it is timed, so that Python has its bytecode. Answers of ``choose``
are forgotten before each call, but for the last row, which asks again. Nothing is judged: goals are
beside the times.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
from pathlib import Path

from common import command, machine, motebench, say, table

AGAIN = " (again)"
"""End of a row whose answer is remembered."""
_LORAWAN = "--device samd21g18a --message 24 --lorawan EU868 --dr 5 --every 10min --battery cr2032"
COMMANDS: tuple[tuple[str, float | None], ...] = (
    ("--version", None),
    ("run --scheme aes-128-gcm --budget soon", 0.3),
    ("list runs", 0.3),
    ("list schemes", 0.5),
    ("reference show --target sim:samd21g18a --scheme aes-128-ccm", 0.5),
    ("show", 0.6),
    ("compare openssl mbedtls", 0.8),
    ("describe aes-128-gcm", 0.8),
    ("choose --device samd21g18a --message 24", 1.0),
    (f"choose --device samd21g18a --message 24{AGAIN}", 0.3),
    (f"choose {_LORAWAN}", 1.0),
    ("choose --device stm32l4 --need agreement --link ble:1m --every 1h --battery cr2032", 1.0),
    ("choose --device nrf52840 --need signature --message 32 --link thread --every 10min", 1.0),
    ("choose --device samd21g18a --need kem", 1.0),
    ("choose --device samd21g18a --need update --image 100KiB", 1.0),
    ("choose --device atmega328p --message 16 --link 802154 --every 1min", 1.0),
    ("choose --device raspberry-pi-4b --message 1024 --every 1min", 1.0),
)
"""Command lines with their goals in seconds; None: without one. The second is an argument error."""


def main() -> int:
    """Make the store, time every command, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--times", type=int, default=8, help="calls of each command; the best counts [%(default)s]"
    )
    times = parser.parse_args().times
    head, lines = machine(), []
    with tempfile.TemporaryDirectory() as folder:
        motebench("run", "quickstart", "--fast", folder=folder)
        for line, goal in COMMANDS:
            say(line)
            spent = [_seconds(line, folder) for _ in range(times + 1)][1:]
            lines.append([f"`{line}`", f"{min(spent):.2f}", "-" if goal is None else f"{goal:.1f}"])
    print(f"{head}\n")
    print(table(("command", "s", "goal, s"), lines))
    return 0


def _seconds(line: str, folder: str) -> float:
    """Processor time of one call, with that of its child processes."""
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    cache = Path(folder) / "cache"
    environment["MOTEBENCH_CACHE"] = str(cache)
    if not line.endswith(AGAIN):
        (cache / "answers.json").unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command(*line.removesuffix(AGAIN).split()),
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    raise SystemExit(main())
