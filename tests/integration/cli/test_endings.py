"""However motebench ends, nothing that it started goes on computing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from motebench.base.paths import probe_dirs, probes_in
from motebench.catalog.devices import programmable
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire import frames
from tests.integration.conftest import as_from_a_terminal, need_simulator

LIMIT = 60.0
"""Seconds after which a process counts as still running. The computations below would take longer
by far.
"""


COMPUTE = """
import sys
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Fill, Job
target, implementation, scheme = sys.argv[1:]
session = open_target(target, where="test").open(implementation)
session.hello_of(scheme)
print("begins", flush=True)
job = Job(scheme, "encrypt", key=bytes(16), nonce=bytes(16), data=Fill(1, 256))
session.measure(job, batch=10**9, count=1, warm=0, timeout=7200)
"""

ENDLESS = (
    "run",
    "--implementation",
    "openssl",
    "--scheme",
    "aes-128-ctr,sha256",
    "--budget",
    "2h",
    "--precision",
    "0.0001%",
)
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def fields(pid: int) -> list[str]:
    """Fields of proc_pid_stat(5) from the third on; empty for an ended process."""
    try:
        found = (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="utf-8", errors="replace")
            .rpartition(")")[2]
            .split()
        )
    except OSError:
        return []
    return found if found[0] not in "ZX" else []


def children(parent: int) -> set[int]:
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return {pid for pid in pids if (found := fields(pid)) and int(found[1]) == parent}


def ticks(pid: int) -> int:
    """Processor time that a process has taken."""
    found = fields(pid)
    return int(found[11]) + int(found[12]) if found else 0


def until(
    happened: Callable[[], object],
    what: str,
    limit: float = LIMIT,
    instead: Callable[[], object] = lambda: "",
) -> None:
    end = time.monotonic() + limit
    while not happened():
        assert time.monotonic() < end, f"not within {limit:g} s: {what} {instead()}"
        time.sleep(0.02)


def samples(store: Path) -> int:
    """Number of stored samples."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM samples").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


def gone(pids: set[int]) -> bool:
    return not any(fields(pid) for pid in pids)


def end(pids: set[int]) -> None:
    """Leave nothing behind that computes for hours."""
    for pid in pids:
        if fields(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts programs in a new folder; the remaining ones are killed at the end."""
    processes: list[subprocess.Popen[str]] = []
    seen: set[int] = set()

    def start(*command: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=pipe,
            stderr=pipe,
            text=True,
            preexec_fn=as_from_a_terminal,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        seen |= children(process.pid)
        process.kill()
        process.communicate()
    end(seen)


def skip_without(target: str, implementation: str) -> None:
    if target == "host" and implementation not in this_machine().implementations():
        pytest.skip(f"{implementation} is not built")
    if target != "host":
        need_simulator(programmable()[target.removeprefix("sim:")])


@pytest.mark.parametrize(
    ("target", "implementation", "scheme"),
    [
        ("host", "openssl", "aes-128-ctr"),
        ("host", "sunjce", "aes-128-ctr"),
        ("host", "pycryptodome", "aes-128-ctr"),
        ("host", "cryptography", "aes-128-ctr"),
        ("sim:atmega2560", "mote/aes-small", "aes-128-ctr"),
        ("sim:samd21g18a", "mote/aes-small", "aes-128-ctr"),
    ],
)
def test_no_probe_outlives_a_killed_orchestrator(
    started, target: str, implementation: str, scheme: str
) -> None:
    skip_without(target, implementation)
    orchestrator = started(sys.executable, "-c", COMPUTE, target, implementation, scheme)
    assert orchestrator.stdout.readline() == "begins\n", orchestrator.stderr.read()
    (probe,) = probes = children(orchestrator.pid)
    before = ticks(probe)
    until(lambda: ticks(probe) > before + 30, "the probe computes")
    orchestrator.kill()
    orchestrator.wait()
    try:
        until(lambda: gone(probes), f"{implementation} ended")
    finally:
        end(probes)


@pytest.mark.parametrize("number", ENDINGS, ids=lambda number: number.name)
def test_a_signal_ends_a_run_as_ctrl_c_does(
    started, tmp_path: Path, number: signal.Signals
) -> None:
    process = started(sys.executable, "-m", "motebench", *ENDLESS)
    until(lambda: samples(tmp_path / "motebench.db"), "the run is under way")
    probes = children(process.pid)
    process.send_signal(number)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert "interrupted; motebench run --resume" in said
    until(lambda: gone(probes), "the probe ended")


def test_sigquit_ends_what_a_shell_runs_in_the_background(started) -> None:
    ignoring = 'trap "" INT QUIT; exec "$0" -m motebench "$@"'
    process = started("sh", "-c", ignoring, sys.executable, *ENDLESS)
    until(lambda: children(process.pid), "the run is under way")
    process.send_signal(signal.SIGQUIT)
    _, said = process.communicate(timeout=LIMIT)
    assert (process.returncode, "interrupted" in said) == (130, True)


def test_a_signal_does_not_wait_for_simulated_boards(started) -> None:
    skip_without("sim:atmega2560", "bearssl/rsa")
    process = started(
        sys.executable,
        "-m",
        "motebench",
        "run",
        "--target",
        "sim:atmega2560",
        "--implementation",
        "bearssl/rsa",
        "--scheme",
        "rsa-2048-pkcs1-sha256",
        "--operation",
        "sign",
        "--timeout",
        "2h",
        "--budget",
        "2h",
    )
    # Building the firmware and, on a slow machine, a good part of a signature, which takes the
    # board minutes.
    until(
        lambda: any(ticks(pid) > 100 for pid in children(process.pid)),
        "the board signs",
        10 * LIMIT,
    )
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LIMIT)
    assert process.returncode == 130


def test_requests_before_the_end_of_the_input_are_answered() -> None:
    """By a probe whose input is a file or a pipe that was closed: its parent lives."""
    requests = b"".join(
        frames.encode({"id": number, "do": "hello", "proto": 2}) for number in (1, 2, 3)
    )
    built = probes_in(probe_dirs())
    for name in ("openssl", "sunjce", "pycryptodome"):
        done = subprocess.run(
            [str(built[name])], input=requests, capture_output=True, check=False, timeout=LIMIT
        )
        answered = [message["id"] for message in frames.Receiver().feed(done.stdout)]
        assert (name, done.returncode, answered) == (name, 0, [1, 2, 3])
