"""Time by the number of workers: reference results of simulated boards by 1 worker and by more.

    .venv/bin/python benchmarks/workers.py --sample 60 --workers 1 2 --repeat 3

`reference check` measures the same implementations with each number of workers, in turn, several
times: by processes (`--workers k`), and by a fleet of k workers on this machine that compute one
board each at a time (`--fleet`). With k workers, everything may use k processors alone (CPU
affinity), so k = 1 is one processor too. The first pass builds the firmware and is not counted. The
table has medians of elapsed time, of the processor time of all processes, and of the share of these
k processors that other programs took. *Speed-up / k* is the time by 1 worker, divided by k times
the time by k. Exit status 1 if it is below 0.9. On a busy machine the numbers mean nothing: look at
the last column.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from common import command, machine, say, table

GOAL = 0.9
TARGET = "sim:samd21g18a"
KINDS = ("processes", "fleet")


@dataclass(frozen=True)
class Took:
    """Seconds of one pass: elapsed, of processors, and the share of its processors that others
    took.
    """

    elapsed: float
    processors: float
    others: float


def main() -> int:
    """Measure in turn, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=60, help="implementations (default 60)")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, len(os.sched_getaffinity(0))])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--target", default=TARGET)
    parser.add_argument("--kind", choices=KINDS, action="append", help="default: both")
    given = parser.parse_args()
    counts = sorted({1, *given.workers})
    if counts[-1] > len(os.sched_getaffinity(0)):
        raise SystemExit(
            f"{counts[-1]} workers need as many processors; here are {len(os.sched_getaffinity(0))}"
        )
    check = command("reference", "check", "--target", given.target, "--sample", str(given.sample))
    head, found = machine(), dict[tuple[str, int], list[Took]]()
    say("building firmware")
    _take([*check, "--workers", str(counts[-1])], counts[-1], [])
    for number in range(given.repeat):
        for kind in given.kind or KINDS:
            for count in counts if number % 2 else reversed(counts):
                say(f"{kind}, {count} workers, {number + 1} of {given.repeat}")
                found.setdefault((kind, count), []).append(_once(check, kind, count))
    print(
        f"{head}\n\n{given.sample} implementations on {given.target}, {given.repeat} times each\n"
    )
    lines, good = [], True
    for kind, count in sorted(found, reverse=True, key=lambda each: (each[0], -each[1])):
        passes = found[kind, count]
        alone = median(each.elapsed for each in found[kind, 1])
        elapsed = median(each.elapsed for each in passes)
        efficiency = alone / elapsed / count
        good &= efficiency >= GOAL
        numbers = (
            f"{elapsed:.1f}",
            f"{median(each.processors for each in passes):.1f}",
            f"{efficiency:.2f}",
        )
        lines.append([kind, str(count), *numbers, f"{median(each.others for each in passes):.0%}"])
    columns = (
        "by",
        "workers",
        "elapsed, s",
        "processor time, s",
        "speed-up / k",
        "taken by others",
    )
    print(table(columns, lines))
    return int(not good)


def _once(check: list[str], kind: str, count: int) -> Took:
    if kind == "processes":
        return _take([*check, "--workers", str(count)], count, [])
    with tempfile.TemporaryDirectory() as folder, _fleet(Path(folder), count) as (file, pids):
        return _take([*check, "--fleet", str(file)], count, pids)


def _take(words: list[str], count: int, pids: list[int]) -> Took:
    """Run a command on the first ``count`` processors. ``pids``: processes that work for it,
    besides its own.
    """
    chosen = sorted(os.sched_getaffinity(0))[:count]
    before, busy, begun = _spent(pids), _busy(chosen), time.monotonic()
    done = subprocess.Popen(
        [*_on(chosen), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.stdout is not None
    said = done.stdout.read()
    _, status, usage = os.wait4(done.pid, 0)
    elapsed = time.monotonic() - begun
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(words)} failed:\n{said[-2000:]}")
    own = usage.ru_utime + usage.ru_stime + _spent(pids) - before
    return Took(elapsed, own, max(0.0, _busy(chosen) - busy - own) / (elapsed * count))


def _on(chosen: list[int]) -> list[str]:
    """Prefix of a command that may use these processors alone."""
    return ["taskset", "--cpu-list", ",".join(map(str, chosen))]


def _spent(pids: list[int]) -> float:
    """Seconds of processor time of these processes and of their children that ended."""
    found = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found += sum(map(int, fields[11:15]))
    return found / os.sysconf("SC_CLK_TCK")


def _busy(chosen: list[int]) -> float:
    """Seconds that these processors were not idle since the system started; steal of a hypervisor
    counts.
    """
    lines = [line.split() for line in Path("/proc/stat").read_text().splitlines()]
    wanted = {f"cpu{number}" for number in chosen}
    found = sum(sum(map(int, (*line[1:4], *line[6:9]))) for line in lines if line[0] in wanted)
    return found / os.sysconf("SC_CLK_TCK")


@contextmanager
def _fleet(folder: Path, count: int) -> Iterator[tuple[Path, list[int]]]:
    """A scheduler and workers on the first ``count`` processors: their file and their process
    ids.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hosts = [f"lab{number}" for number in range(count)]
    file = folder / "fleet.toml"
    file.write_text(
        '[board.one]\ntarget = "sim:atmega328p"\n'
        + "".join(f"[host.{host}]\ncores = 1\n" for host in hosts)
        + f'[scheduler]\naddress = "tcp://127.0.0.1:{port}"\n'
    )
    chosen = sorted(os.sched_getaffinity(0))[:count]
    running: list[subprocess.Popen[str]] = []
    try:
        for words in (
            ["scheduler", str(file)],
            *(["worker", str(file), "--at", host] for host in hosts),
        ):
            process = subprocess.Popen(
                [*_on(chosen), *command("fleet", *words)], stderr=subprocess.PIPE, text=True
            )
            running.append(process)
            assert process.stderr is not None
            if not any(" at " in line for line in process.stderr):
                raise SystemExit(f"motebench fleet {words[0]} ended")
        yield file, [process.pid for process in running]
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
        for process in reversed(running):
            process.wait(60)


if __name__ == "__main__":
    sys.exit(main())
