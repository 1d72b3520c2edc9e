"""A fleet as in a lab: ARM machines behind two lab hosts, each with a worker, in network namespaces
of their own.

A lab host is a namespace with a cable to this computer, on which the scheduler and the study run.
Workers are killed, the scheduler is killed, cables are unplugged: nothing may be lost, nothing may
come twice. It needs root.
"""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from conftest import need_simulator
from machines import Unavailable
from machines.cable import Cable
from machines.lab import Lab
from machines.machine import Linux

from motebench.base.model import FailureKind, Run
from motebench.catalog.devices import devices
from motebench.measuring.fleet import serving as keys
from motebench.measuring.fleet.file import load
from motebench.store import Store
from motebench.targets.host.cross_machines import cross_probes
from motebench.targets.setup.building import build_cross, cross_buildable
from tests.integration.cli.test_endings import until
from tests.integration.conftest import as_from_a_terminal

pytest.importorskip("distributed")
pytestmark = pytest.mark.long
OWN = "mote/aes-small"
LIMIT = 600.0
"""Time limit in seconds for steps that take a few on an idle computer."""
AWAY = 30.0
"""Seconds for which a link is cut."""
NAMES = ("lab1", "lab2")
BOARDS = ("ssh:pi1", "ssh:pi2")
OK, FAILED = 0, 3


class LabHost:
    """A namespace with a Linux board in it."""

    def __init__(self, name: str, cable: Cable, board: Linux) -> None:
        self.name, self.cable, self.board = name, cable, board


@pytest.fixture(scope="module")
def lab_hosts(lab: Lab) -> Iterator[dict[str, LabHost]]:
    """lab1 with the board pi1, lab2 with pi2. Probes for them are built."""
    if OWN not in cross_probes("aarch64"):
        if OWN not in cross_buildable(()):
            pytest.skip("probes for aarch64 cannot be built here")
        build_cross("aarch64", [OWN])
    with ExitStack() as running:
        found = {}
        try:
            for name in NAMES:
                cable = running.enter_context(closing(Cable()))
                board = running.enter_context(
                    Linux(lab, name.replace("lab", "pi"), link=cable, memory_mib=256)
                )
                found[name] = LabHost(name, cable, board)
        except Unavailable as missing:
            pytest.skip(str(missing))
        yield found


class Fleet:
    """The processes of a fleet, and studies on it."""

    def __init__(self, folder: Path, hosts: dict[str, LabHost], lab: Lab) -> None:
        self.folder, self._hosts = folder, hosts
        self._environment = {**os.environ, "NO_COLOR": "1", "MOTEBENCH_SSH": str(lab.ssh)}
        near = hosts["lab1"].cable.near
        with socket.socket() as free:
            free.bind((near, 0))
            address = f"tls://{near}:{free.getsockname()[1]}"
        self.file = folder / "fleet.toml"
        self.file.write_text(
            '[board.pi1]\ntarget = "ssh:pi1"\nat = "lab1"\n[board.pi2]\ntarget = "ssh:pi2"\nat = '
            '"lab2"\n'
            '[board.uno]\ntarget = "sim:atmega328p"\n[board.mega]\ntarget = "sim:atmega2560"\n'
            "[host.lab1]\ncores = 1\n[host.lab2]\ncores = 1\n[scheduler]\naddress = "
            f'"{address}"\ntls = "keys"\n'
        )
        keys.make(folder / "keys", load(self.file).hosts)
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def start(self, *names: str) -> None:
        """Start the scheduler or workers, and wait until they are there."""
        for name in names:
            words = (
                ["scheduler", str(self.file)]
                if name == "scheduler"
                else ["worker", str(self.file), "--at", name]
            )
            inside = self._hosts[name].cable.inside if name in self._hosts else []
            self.processes[name] = self._motebench(["fleet", *words], inside)
        for name in names:
            self.said(name, "scheduler at" if name == "scheduler" else f"worker of {name} at")

    def said(self, name: str, words: str) -> None:
        """Wait until a process says so."""
        stream = self.processes[name].stderr
        assert stream is not None
        assert any(words in line for line in stream), f"{name} ended"

    def kill(self, name: str) -> None:
        """Kill a process, as if its computer lost its power."""
        self.processes[name].kill()
        self.processes[name].wait(LIMIT)

    def run(self, *words: str, alone: bool = False) -> subprocess.Popen[str]:
        """``motebench run`` with this fleet, or without any."""
        return self._motebench(["run", *words, *(() if alone else ("--fleet", str(self.file)))], [])

    def ended(self, process: subprocess.Popen[str], code: int) -> str:
        """Standard error of a run; the run must end with ``code``."""
        told, said = process.communicate(timeout=LIMIT)
        assert "Traceback" not in said and "defect" not in said, said
        assert process.returncode == code, f"{told}{said}"
        return said

    def samples(self, *targets: str) -> int:
        """Number of samples of these targets in the store."""
        question = (
            "SELECT count(*) FROM samples JOIN series ON samples.series_id = series.id JOIN cases "
            f"ON series.case_id = cases.id WHERE target IN ({','.join('?' * len(targets))})"
        )
        try:
            with closing(
                sqlite3.connect(f"file:{self.folder / 'motebench.db'}?mode=ro", uri=True)
            ) as database:
                return int(database.execute(question, targets).fetchone()[0])
        except sqlite3.OperationalError:  # not there yet
            return 0

    def begun(self, process: subprocess.Popen[str], count: int, *targets: str) -> None:
        """Wait until a run has stored so many samples of each of these targets."""
        until(
            lambda: (
                all(self.samples(target) >= count for target in targets)
                or process.poll() is not None
            ),
            f"{count} samples of {targets}",
            LIMIT,
        )
        assert process.poll() is None, process.communicate()

    def stored(self) -> Run:
        """The run ``it``, in which each case has each round once."""
        with Store.open(self.folder / "motebench.db", create=False) as store:
            run = store.load_run("it")
        for result in run.results:
            for series in result.series:
                rounds = [sample.round for sample in series.samples]
                assert len(rounds) == len(set(rounds)), f"{result.case} {series.metric}"
        return run

    def close(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()

    def _motebench(self, words: list[str], inside: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*inside, sys.executable, "-m", "motebench", *words],
            cwd=self.folder,
            env=self._environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=as_from_a_terminal,
        )


@pytest.fixture
def fleet(tmp_path: Path, lab: Lab, lab_hosts: dict[str, LabHost]) -> Iterator[Fleet]:
    """Scheduler and workers are not started yet. At the end the boards are as they were."""
    boards = [host.board for host in lab_hosts.values()]
    before = [board.files() for board in boards]
    found = Fleet(tmp_path, lab_hosts, lab)
    try:
        yield found
    finally:
        found.close()
    for board, files in zip(boards, before, strict=True):
        until(
            lambda board=board: not board.programs(),
            "nothing of motebench runs",
            LIMIT,
            board.programs,
        )  # type: ignore[misc]
        until(
            lambda board=board, files=files: board.files() == files,
            "nothing is left",
            LIMIT,
            board.files,
        )  # type: ignore[misc]


def asked(*targets: str, budget: str) -> list[str]:
    """The words of a study: on Linux boards it takes the whole budget."""
    words = [word for target in targets for word in ("--target", target)]
    words += [
        "--implementation",
        OWN,
        "--scheme",
        "aes-128-ctr,aes-128-cbc",
        "--operation",
        "encrypt,decrypt",
    ]
    if not all(target.startswith("sim:") for target in targets):
        words += ["--precision", "0.01%"]
    return [*words, "--size", "16,64", "--budget", budget, "--name", "it"]


def all_finished(run: Run, *targets: str) -> None:
    """Assert that every case of these targets is finished."""
    for target in targets:
        found = [result for result in run.results if result.case.target == target]
        assert found and all(result.finished and result.failure is None for result in found), target


def test_worker_is_killed_and_cable_of_the_other_unplugged(
    fleet: Fleet, lab_hosts: dict[str, LabHost]
) -> None:
    """While simulated boards are measured a worker is killed; while Linux boards are measured it is
    killed once more, and then the other lab host is not reached for 30 s."""
    for board in ("atmega328p", "atmega2560"):
        need_simulator(devices()[board])
    simulated = ("sim:atmega328p", "sim:atmega2560")
    fleet.start("scheduler", *NAMES)
    run = fleet.run(*asked("@all", budget="120s"))
    until(
        lambda: fleet.samples(*simulated) or run.poll() is not None,
        "simulated boards are measured",
        LIMIT,
    )
    fleet.kill("lab2")
    fleet.start("lab2")
    fleet.begun(run, 4, *BOARDS)
    fleet.kill("lab2")
    here = fleet.samples("ssh:pi2")
    fleet.start("lab2")
    with lab_hosts["lab1"].cable.held():
        time.sleep(AWAY)
    fleet.begun(run, here + 4, "ssh:pi2")
    fleet.ended(run, OK)
    found = fleet.stored()
    assert found.info.status == "finished"
    all_finished(found, *BOARDS, *simulated)
    machines = found.info.environment["machines"]
    assert {machines[board]["lab_host"] for board in BOARDS} == set(NAMES)
    assert all("linux,dummy-virt" in str(machines[board]) for board in BOARDS)
    (fleet.folder / "motebench.db").rename(fleet.folder / "fleet.db")
    fleet.ended(fleet.run(*asked(*simulated, budget="60s"), alone=True), OK)
    cycles = {
        result.case: {
            sample.raw
            for series in result.series
            for sample in series.samples
            if series.metric == "cycles"
        }
        for result in fleet.stored().results
    }
    for result in found.results:
        if result.case.target in simulated:
            (counted,) = [series for series in result.series if series.metric == "cycles"]
            assert {sample.raw for sample in counted.samples} == cycles[result.case], result.case


def test_lab_host_that_stays_away_costs_its_board(fleet: Fleet) -> None:
    fleet.start("scheduler", *NAMES)
    run = fleet.run(*asked(*BOARDS, budget="40s"))
    fleet.begun(run, 4, *BOARDS)
    fleet.kill("lab2")
    said = fleet.ended(run, FAILED)
    assert "lab2" in said and "--resume" in said, said
    before = fleet.stored()
    all_finished(before, "ssh:pi1")
    lost = [result for result in before.results if result.case.target == "ssh:pi2"]
    assert all(
        result.failure is not None and result.failure.kind is FailureKind.LOST for result in lost
    )
    assert any(result.series for result in lost), "what was measured is kept"
    fleet.start("lab2")
    fleet.ended(fleet.run("--resume=it"), OK)
    now = fleet.stored()
    all_finished(now, *BOARDS)
    kept = {
        (result.case, series.metric): series.samples
        for result in now.results
        for series in result.series
    }
    for result in before.results:
        for series in result.series:
            assert kept[result.case, series.metric][: len(series.samples)] == series.samples, (
                result.case
            )


def test_cable_of_a_board_is_unplugged_and_the_scheduler_starts_anew(
    fleet: Fleet, lab_hosts: dict[str, LabHost]
) -> None:
    fleet.start("scheduler", *NAMES)
    run = fleet.run(*asked(*BOARDS, budget="120s"))
    fleet.begun(run, 4, *BOARDS)
    with lab_hosts["lab1"].cable.apart():
        time.sleep(AWAY)
    fleet.begun(run, fleet.samples("ssh:pi1") + 4, "ssh:pi1")
    fleet.kill("scheduler")
    kept = {board: fleet.samples(board) for board in BOARDS}
    time.sleep(AWAY)
    fleet.start("scheduler")
    for board in BOARDS:
        fleet.begun(run, kept[board] + 4, board)
    fleet.ended(run, OK)
    all_finished(fleet.stored(), *BOARDS)
