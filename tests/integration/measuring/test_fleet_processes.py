"""A fleet of processes: two workers that authenticate each other, one killed in the middle; nothing
lost or doubled.
"""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from motebench.base.model import Run
from motebench.base.paths import data_root
from motebench.measuring.fleet import serving as keys
from motebench.measuring.fleet.file import load
from motebench.store import Store

pytest.importorskip("distributed")
CASES = (
    "--scheme xtea-ecb,speck-64-128-ecb,des-ecb --implementation mote/xtea,mote/speck,mote/des "
    "--operation encrypt"
)


def motebench(*words: str, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "motebench", *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )  # type: ignore[call-overload,no-any-return]


def said(process: subprocess.Popen[str], words: str) -> str:
    """The line of standard error with these words."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return line
    raise AssertionError(f"{process.args}: ended")


class Lab:
    """A scheduler and workers as processes of this machine."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.file = folder / "fleet.toml"
        self.file.write_text(
            '[board.uno]\ntarget = "sim:atmega328p"\nat = "lab1"\n'
            "[host.lab1]\ncores = 1\n[host.lab2]\ncores = 1\n"
            f'[scheduler]\naddress = "tls://127.0.0.1:{port}"\ntls = "keys"\n'
        )
        fleet = load(self.file)
        assert fleet.tls is not None
        keys.make(fleet.tls, fleet.hosts)
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            words = (
                ("scheduler", str(self.file))
                if name == "scheduler"
                else ("worker", str(self.file), "--at", name)
            )
            self.processes[name] = motebench("fleet", *words)
        for name in names:
            said(self.processes[name], f"{'scheduler' if name == 'scheduler' else name} at")

    def kill(self, name: str) -> None:
        self.processes[name].kill()
        self.processes[name].wait(30)

    def close(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    if (
        shutil.which("avr-gcc") is None
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")
    found = Lab(tmp_path)
    yield found
    found.close()


def stored(folder: Path) -> Run:
    with Store.open(folder / "runs.db", create=False) as store:
        return store.load_run("it")


def values(run: Run) -> dict[str, list[float]]:
    """The readings of each case; each round once."""
    found = {}
    for result in run.results:
        (cycles,) = [series for series in result.series if series.metric == "cycles"]
        rounds = [sample.round for sample in cycles.samples]
        assert len(rounds) == len(set(rounds)) and result.finished, f"{result.case}"
        found[str(result.case)] = [sample.raw for sample in cycles.samples]
    return found


def run_words(folder: Path, *targets: str) -> list[str]:
    asked = [word for target in targets for word in ("--target", target)]
    return [
        "run",
        *asked,
        *CASES.split(),
        "--size",
        "16,64",
        "--store",
        str(folder / "runs.db"),
        "--name",
        "it",
    ]


@pytest.mark.long
def test_a_worker_is_killed_in_the_middle_and_nothing_is_lost_or_doubled(
    tmp_path: Path, lab: Lab
) -> None:
    lab.start("scheduler", "lab1", "lab2")
    run = motebench(
        *run_words(tmp_path, "sim:atmega2560", "uno"), "--fleet", str(lab.file), "--json"
    )
    said(run, "known answers")
    lab.kill("lab2")
    out, err = run.communicate(timeout=400)
    assert run.returncode == 0, err
    assert json.loads(out)["run"]["settings"]["boards"] == {"sim:atmega328p": "uno"}
    far = values(stored(tmp_path))
    near = tmp_path / "near"
    near.mkdir()
    alone = motebench(*run_words(near, "sim:atmega2560", "sim:atmega328p"))
    assert alone.wait(400) == 0
    assert {case: set(raw) for case, raw in far.items()} == {
        case: set(raw) for case, raw in values(stored(near)).items()
    }


@pytest.mark.long
def test_a_board_whose_lab_host_is_gone_is_lost_and_resuming_completes(
    tmp_path: Path, lab: Lab
) -> None:
    lab.start("scheduler", "lab1", "lab2")
    run = motebench(*run_words(tmp_path, "uno"), "--fleet", str(lab.file))
    said(run, "known answers")
    lab.kill("lab1")
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=100)
    assert run.returncode == 130 and stored(tmp_path).info.status == "interrupted"
    lab.start("lab1")
    again = motebench(
        "run", "--resume", "it", "--fleet", str(lab.file), "--store", str(tmp_path / "runs.db")
    )
    _, err = again.communicate(timeout=400)
    assert again.returncode == 0, err
    assert all(len(raw) >= 2 for raw in values(stored(tmp_path)).values())


@pytest.mark.long
def test_reference_results_are_made_by_workers(lab: Lab) -> None:
    lab.start("scheduler", "lab1", "lab2")
    units = ("--target", "sim:atmega328p", "--implementation", "mote/xtea,mote/speck")
    check = motebench("reference", "check", *units, "--fleet", str(lab.file))
    out, err = check.communicate(timeout=400)
    assert check.returncode == 0 and "2 implementations checked: 0 cases changed" in out, err


@pytest.mark.long
def test_who_has_no_certificate_of_the_fleet_is_refused(tmp_path: Path, lab: Lab) -> None:
    lab.start("scheduler")
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(lab.file, other / "fleet.toml")
    keys.make(other / "keys", ["lab1", "lab2"])
    stranger = motebench("fleet", "boards", str(other / "fleet.toml"))
    _, err = stranger.communicate(timeout=120)
    assert stranger.returncode == 7 and "no scheduler of this fleet answers" in err
    worker = motebench("fleet", "worker", str(other / "fleet.toml"), "--at", "lab1")
    said(worker, "no scheduler at")
    worker.send_signal(signal.SIGTERM)
    worker.communicate(timeout=60)
    shown = motebench("fleet", "boards", str(lab.file), "--json")
    out, _ = shown.communicate(timeout=120)
    assert json.loads(out)["boards"][0]["reachable"] is None, "nobody measures at lab1"
