"""Orchestrator, probe, virtual machine and simulator are killed at moments of runs of every kind;
then the run resumes.

No sample is lost or doubled, the store opens clean, no process and no temporary file stays, exit
codes are as the reference says. Random moments, more of them: ``benchmarks/kill_resume.py``.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import code_folders as folders
import pytest

from tests.integration.cli.test_endings import children, fields, samples, skip_without, ticks, until
from tests.integration.conftest import as_from_a_terminal, without_time
from tests.integration.measuring.test_kill_resume import kill_resume  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow
LONG = pytest.mark.long
LIMIT = 600.0

RUNS = {
    "host": (
        "--implementation",
        "openssl",
        "--scheme",
        "aes-128-ctr,sha256",
        "--size",
        "16",
        "--budget",
        "3s",
    ),
    "jvm": (
        "--implementation",
        "sunjce",
        "--scheme",
        "aes-128-ctr,aes-128-cbc",
        "--operation",
        "encrypt",
        "--size",
        "16",
        "--invocations",
        "3",
        "--warmup",
        "1s",
    ),
    "sim:atmega2560": (
        "--target",
        "sim:atmega2560",
        "--implementation",
        "mote/present",
        "--scheme",
        "present-80-ctr,present-80-cbc",
        "--operation",
        "encrypt",
        "--size",
        "64,1024",
    ),
    "sim:samd21g18a": (
        "--target",
        "sim:samd21g18a",
        "--implementation",
        "mote/present",
        "--scheme",
        "present-80-ctr,present-80-cbc",
        "--operation",
        "encrypt",
        "--size",
        "64,1024,4096",
    ),
    "code": ("--code", "CODE", "--size", "16", "--budget", "3s"),
    "files": (
        "--implementation",
        "openssl",
        "--scheme",
        "aes-128-cbc",
        "--operation",
        "encrypt-file",
        "--file-size",
        "1MB",
        "--budget",
        "2s",
    ),
    "command": (
        "--target",
        "command",
        "--scheme",
        "sha256",
        "--operation",
        "digest-file",
        "--file-size",
        "1MB",
        "--budget",
        "2s",
    ),
}
ENDED = (0, 3)
"""Exit codes of a run that came to its end: all well, or some cases failed."""


@dataclass
class World:
    """Folder with a store, and its processes. Each process carries ``mark`` in its environment."""

    folder: Path
    mark: str = field(default_factory=lambda: secrets.token_hex(8))
    seen: set[int] = field(default_factory=set)
    """Descendants that were there when a signal was sent; user code has an environment of its own.
    """

    def start(self, *what: str) -> subprocess.Popen[str]:
        (self.folder / "tmp").mkdir(exist_ok=True)
        environment = {
            **os.environ,
            "NO_COLOR": "1",
            "MARK": self.mark,
            "TMPDIR": str(self.folder / "tmp"),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "motebench", "run", *what, "--quiet"],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=as_from_a_terminal,
        )

    def left(self) -> list[int]:
        """Processes of this world that still exist."""
        found = [pid for pid in self.seen if fields(pid)]
        for path in Path("/proc").iterdir():
            if path.name.isdigit() and fields(int(path.name)):
                try:
                    environment = (path / "environ").read_bytes()
                except OSError:
                    continue
                found += [int(path.name)] * (self.mark.encode() in environment)
        return found

    def files(self) -> list[str]:
        """Files beside the store and the user code."""
        there = [
            path.name for path in self.folder.iterdir() if not path.name.startswith("motebench.db")
        ]
        return [name for name in there if name not in ("tmp", "given")] + [
            path.name for path in (self.folder / "tmp").iterdir()
        ]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    for pid in made.left():
        os.kill(pid, signal.SIGKILL)


def question(kind: str, folder: Path) -> list[str]:
    if kind.startswith("sim:"):
        skip_without(kind, "mote/present")
    elif kind in ("host", "jvm", "files"):
        skip_without("host", RUNS[kind][RUNS[kind].index("--implementation") + 1])
    code = ""
    if kind == "code":
        (folder / "given").mkdir()
        code = str(folders.submission(folder / "given"))
    return [code if word == "CODE" else word for word in RUNS[kind]]


def name_of(pid: int) -> str:
    """Name of the process for the kernel; empty if it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text()
    return ""


def strike(
    world: World, process: subprocess.Popen[str], victim: str, number: signal.Signals
) -> None:
    """Send a signal to the orchestrator or to its last child; a stopped process continues a moment
    later.
    """
    while True:
        world.seen |= (below := children(process.pid))
        target = process.pid if victim == "orchestrator" else max(below, default=0)
        try:
            if target:
                os.kill(target, number)
                break
        except ProcessLookupError:
            pass
        assert process.poll() is None, "it ended before the moment came"
        time.sleep(0.001)
    if number == signal.SIGSTOP:
        time.sleep(0.5)
        os.kill(target, signal.SIGCONT)


def end(world: World, process: subprocess.Popen[str]) -> str:
    _, said = process.communicate(timeout=LIMIT)
    assert "Traceback" not in said and "defect" not in said, said
    until(lambda: not world.left(), "every process ended")
    until(lambda: not world.files(), "nothing lies around", instead=world.files)
    return said


@pytest.mark.parametrize(
    ("kind", "victim", "number", "after"),
    [
        ("host", "orchestrator", signal.SIGKILL, 5),
        pytest.param("host", "probe", signal.SIGTERM, 8, marks=LONG),
        pytest.param("host", "probe", signal.SIGSTOP, 8, marks=LONG),
        pytest.param("jvm", "orchestrator", signal.SIGKILL, 1, marks=LONG),
        pytest.param("jvm", "probe", signal.SIGKILL, 1, marks=LONG),
        ("sim:atmega2560", "orchestrator", signal.SIGKILL, 1),
        pytest.param("sim:samd21g18a", "orchestrator", signal.SIGTERM, 1, marks=LONG),
        ("code", "orchestrator", signal.SIGKILL, 5),
        pytest.param("code", "probe", signal.SIGQUIT, 5, marks=LONG),
        ("files", "orchestrator", signal.SIGKILL, 2),
        pytest.param("files", "orchestrator", signal.SIGSTOP, 2, marks=LONG),
        ("command", "orchestrator", signal.SIGKILL, 2),
        pytest.param("command", "orchestrator", signal.SIGHUP, 2, marks=LONG),
    ],
)
def test_killed_and_resumed(
    world: World,
    kill_resume: ModuleType,  # noqa: F811
    kind: str,
    victim: str,
    number: signal.Signals,
    after: int,
) -> None:
    store = world.folder / "motebench.db"
    asked = [*question(kind, world.folder), "--name", "run"]
    if not kind.startswith("sim:"):  # a simulator repeats exactly
        asked += ["--precision", "0.01%"]
    ended_by_it = victim == "orchestrator" and number != signal.SIGSTOP
    if ended_by_it and "--budget" in asked:
        asked += ["--budget", "2h"]  # it does not end by itself meanwhile
    process = world.start(*asked)
    until(lambda: samples(store) >= after or process.poll() is not None, "samples are there", LIMIT)
    strike(world, process, victim, number)
    end(world, process)
    if ended_by_it:
        assert process.returncode == (-number if number == signal.SIGKILL else 130)
    else:
        assert process.returncode in ENDED
    before = kill_resume.look(store, "run")
    assert before.count >= after
    if ended_by_it:
        without_time(store)
    resumed = world.start("--resume=run")
    end(world, resumed)
    now = kill_resume.look(store, "run")
    kill_resume.check_after(before, now)
    assert now.status == "finished" and "pending" not in now.states.values()
    assert resumed.returncode == (3 if "failed" in now.states.values() else 0)
    if kind != "command":
        assert now.finished


def test_a_simulator_that_is_killed_costs_its_cases_and_no_others(
    world: World,
    kill_resume: ModuleType,  # noqa: F811
) -> None:
    for name in ("mote/present", "bearssl/rsa"):
        skip_without("sim:atmega2560", name)
    process = world.start(
        "--target",
        "sim:atmega2560",
        "--implementation",
        "mote/present,bearssl/rsa",
        "--operation",
        "encrypt,sign",
        "--scheme",
        "present-80-ctr,rsa-1024-pkcs1-sha256",
        "--size",
        "16,32",
        "--name",
        "run",
    )

    def computing() -> list[int]:
        """Simulators that sign: nothing that PRESENT does takes so much processor time."""
        return [
            pid
            for pid in children(process.pid)
            if "motebench-sim" in name_of(pid) and ticks(pid) >= 20
        ]

    until(computing, "a simulator measures", LIMIT)
    os.kill(computing()[0], signal.SIGKILL)
    end(world, process)
    seen = kill_resume.look(world.folder / "motebench.db", "run")
    assert (process.returncode, seen.status) == (3, "finished")
    assert sorted(set(seen.states.values())) == ["failed", "finished"]
