"""``ssh:`` on ARM machines with Linux: what is measured there, what is left there, and what faults
cost.

The machines run under QEMU (`tests/machines`). Links are cut by a proxy, but in the test that says
otherwise.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from code_folders import submission
from conftest import Boards, Booted, Motebench
from machines import Unavailable
from machines.cable import Cable
from machines.lab import Lab, new_key
from machines.machine import Linux

from motebench.targets.host.cross_machines import cross_probes
from motebench.targets.setup.building import build_cross, cross_buildable
from tests.integration.cli.test_endings import samples, until
from tests.integration.conftest import as_from_a_terminal
from tests.integration.measuring.test_kill_resume import kill_resume  # noqa: F401 - a fixture

pytestmark = pytest.mark.long
OWN = "mote/aes-small"
SHORT = (
    "--implementation",
    OWN,
    "--scheme",
    "aes-128-ctr",
    "--operation",
    "encrypt",
    "--size",
    "16,64",
    "--budget",
    "2s",
)
LONG = (
    "--implementation",
    OWN,
    "--scheme",
    "aes-128-ctr,aes-128-cbc",
    "--operation",
    "encrypt,decrypt",
    "--size",
    "16,64",
    "--precision",
    "0.01%",
)
LIMIT = 600.0
"""Time limit in seconds for steps that take a few on an idle computer."""
BETWEEN = 30.0
"""Seconds for which a link is held."""
OK, FAILED = 0, 3


@pytest.fixture(scope="module")
def ssh(lab: Lab) -> Iterator[None]:
    """motebench uses the keys and the configuration of the lab. Probes for the machines are
    built.
    """
    for machine in ("aarch64", "armv6", "armv7"):
        if OWN not in cross_probes(machine):
            if OWN not in cross_buildable(()):
                pytest.skip(f"probes for {machine} cannot be built here")
            build_cross(machine, [OWN])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOTEBENCH_SSH", str(lab.ssh))
        yield


@pytest.fixture(scope="module")
def victim(booted: Booted, ssh: None) -> Iterator[Linux]:
    """A machine for faults that a restart mends."""
    with booted("victim") as machine:
        yield machine


@pytest.fixture
def clean(victim: Linux) -> Iterator[Linux]:
    """The same. At the end it is as it was: no file, no process more."""
    before = victim.files()
    yield victim
    victim.link.release()
    until(lambda: not victim.programs(), "nothing of motebench runs", LIMIT, victim.programs)
    until(
        lambda: victim.files() == before,
        "nothing of motebench is left",
        LIMIT,
        lambda: victim.files() - before,
    )


Runs = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path, ssh: None) -> Iterator[Runs]:
    """Starts ``motebench run`` in the test's folder; its store is ``motebench.db`` there."""
    with ExitStack() as running:

        def run(*what: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [sys.executable, "-m", "motebench", "run", *what],
                cwd=tmp_path,
                env={**os.environ, "NO_COLOR": "1"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                preexec_fn=as_from_a_terminal,
            )
            running.callback(process.communicate)
            running.callback(process.kill)
            return process

        yield run


def begun(process: subprocess.Popen[str], store: Path, count: int = 5) -> None:
    """Wait until it has stored some samples."""
    until(lambda: samples(store) >= count or process.poll() is not None, "samples are there", LIMIT)
    assert process.poll() is None, process.communicate()[0]


def ended(process: subprocess.Popen[str], code: int) -> str:
    """Output of the command, which must end with ``code``."""
    said, _ = process.communicate(timeout=LIMIT)
    assert "Traceback" not in said and "defect" not in said, said
    assert process.returncode == code, said
    return said


def times(document: dict[str, Any]) -> list[float]:
    """Medians in ns."""
    found = [entry["median"] for entry in document["measurements"] if entry["metric"] == "time"]
    assert found
    return found


def exported(folder: Path) -> dict[str, Any]:
    """The document of the run ``run``."""
    command = [sys.executable, "-m", "motebench", "export", "run", "--format", "json"]
    document: dict[str, Any] = json.loads(
        subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
    )
    return document


# --- what works ---------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", ["", "+armv7", "+armv6"])
def test_probes_answer_there_as_they_must(clean: Linux, motebench: Motebench, machine: str) -> None:
    done = motebench(
        "verify",
        "--target",
        f"ssh:victim{machine}",
        "--implementation",
        OWN,
        "--json",
        timeout=LIMIT,
    )
    assert done.code == OK, done.err
    (entry,) = done.json["implementations"]
    assert entry["passed"] > 700 and entry["failed"] == 0 and entry["problem"] is None


def test_a_run_says_where_it_was(clean: Linux, motebench: Motebench) -> None:
    done = motebench("run", "--target", "ssh:victim", *SHORT, "--json", timeout=LIMIT)
    assert done.code == OK, done.err
    facts = json.dumps(done.json)
    assert "linux,dummy-virt" in facts and "aarch64" in facts
    assert "ssh:victim" in facts and "6.1." in facts


def test_a_slow_network_is_in_no_number(clean: Linux, motebench: Motebench) -> None:
    clean.link.delay = 0.1
    try:
        done = motebench("run", "--target", "ssh:victim", *SHORT, "--json", timeout=LIMIT)
    finally:
        clean.link.delay = 0.0
    assert done.code == OK, done.err
    assert all(0 < time_ < 50e6 for time_ in times(done.json)), (
        "an operation of microseconds, a network of 100 ms"
    )


def test_user_code_is_built_here_and_measured_there(
    clean: Linux, motebench: Motebench, tmp_path: Path
) -> None:
    folder = submission(tmp_path)
    asked = (
        "--code",
        str(folder),
        "--size",
        "16,64",
        "--operation",
        "encrypt-message",
        "--budget",
        "2s",
    )
    done = motebench("run", "--target", "ssh:victim", *asked, "--json", timeout=LIMIT)
    assert done.code == OK, done.err
    assert len(times(done.json)) == 2 and not done.json["failures"]
    assert {entry["target"] for entry in done.json["measurements"]} == {"ssh:victim"}
    wrong = submission(tmp_path / "other", wrong=241)
    done = motebench(
        "run", "--target", "ssh:victim", "--code", str(wrong), *asked[2:], "--json", timeout=LIMIT
    )
    assert done.code == FAILED and not done.json["measurements"], done.err
    assert {entry["kind"] for entry in done.json["failures"]} == {"wrong-answer"}, done.json[
        "failures"
    ]


# --- what does not: before anything is measured -------------------------------------------------


def test_another_architecture_is_refused(clean: Linux, motebench: Motebench) -> None:
    done = motebench("run", "--target", "ssh:victim+riscv64", *SHORT, timeout=LIMIT)
    assert done.code not in (OK, FAILED)
    assert "riscv64" in done.err and "aarch64" in done.err, done.err


def test_an_unknown_host_is_not_trusted(clean: Linux, lab: Lab, motebench: Motebench) -> None:
    known = lab.known_hosts.read_text()
    lab.known_hosts.write_text("")
    try:
        done = motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT)
        assert (
            done.code not in (OK, FAILED) and "not known" in done.err and "ssh victim" in done.err
        ), done.err
        other = lab.folder / "other_key"
        new_key(other)
        lab.trust(clean.link.host, clean.link.port, other)
        done = motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT)
        assert done.code not in (OK, FAILED) and "ssh-keygen -R" in done.err, done.err
    finally:
        lab.known_hosts.write_text(known)
        lab.trust(clean.link.host, clean.link.port, clean.host_key)


def test_a_key_that_is_refused_says_what_to_do(clean: Linux, motebench: Motebench) -> None:
    done = motebench("run", "--target", "ssh:stranger@victim", *SHORT, timeout=LIMIT)
    assert done.code not in (OK, FAILED) and "ssh-copy-id" in done.err, done.err


def test_a_board_that_is_off_says_so(clean: Linux, motebench: Motebench) -> None:
    clean.link.down()
    try:
        done = motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT)
    finally:
        clean.link.up()
    assert done.code not in (OK, FAILED) and "no SSH server answers" in done.err, done.err


def test_a_full_disk_is_passed_by_and_named_when_all_is_full(
    clean: Linux, motebench: Motebench
) -> None:
    clean.fill_disk()
    try:
        assert motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT).code == OK, (
            "/dev/shm has room"
        )
        clean.run("mount -o remount,size=64k /dev/shm")
        done = motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT)
        assert done.code not in (OK, FAILED) and "/tmp has less than" in done.err, done.err
    finally:
        clean.run("mount -o remount,size=50% /dev/shm")
        clean.free_disk()


def test_folders_that_start_no_program_are_passed_by(clean: Linux, motebench: Motebench) -> None:
    clean.forbid_programs("/tmp")
    assert motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT).code == OK
    clean.forbid_programs("/var/tmp", "/dev/shm", "/run", "/home")
    done = motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT)
    clean.reboot()  # in order: what was removed a moment before a power failure is there again
    assert done.code not in (OK, FAILED) and "noexec" in done.err, done.err


def test_what_a_power_failure_left_is_removed(
    clean: Linux, start: Runs, motebench: Motebench, tmp_path: Path
) -> None:
    process = start("--target", "ssh:victim", *LONG, "--budget", "10m")
    begun(process, tmp_path / "motebench.db", 1)
    clean.run("sync")
    clean.link.hold()
    clean.restart()
    process.kill()
    process.wait(LIMIT)
    clean.link.release()
    assert [path for path in clean.files() if ".motebench-" in path], "the folder was on the disk"
    # `clean` looks at the board
    assert motebench("run", "--target", "ssh:victim", *SHORT, timeout=LIMIT).code == OK


# --- what does not: in the middle ---------------------------------------------------------------


def test_a_link_that_is_held_costs_time_and_nothing_else(
    clean: Linux,
    start: Runs,
    tmp_path: Path,
    kill_resume: ModuleType,  # noqa: F811
) -> None:
    process, store = (
        start("--target", "ssh:victim", *LONG, "--budget", "60s", "--name", "run"),
        tmp_path / "motebench.db",
    )
    begun(process, store)
    before = kill_resume.look(store, "run")
    with clean.link.held():
        time.sleep(BETWEEN)
    ended(process, OK)
    now = kill_resume.look(store, "run")
    kill_resume.check_after(before, now)
    assert now.status == "finished" and set(now.states.values()) == {"finished"}


def test_a_cable_that_is_unplugged_costs_time_and_nothing_else(
    lab: Lab,
    ssh: None,
    boards: Boards,
    start: Runs,
    tmp_path: Path,
    kill_resume: ModuleType,  # noqa: F811
) -> None:
    """Network namespaces: packets are lost on the way. Skipped without root."""
    try:
        cable = Cable()
    except Unavailable as missing:
        pytest.skip(str(missing))
    with closing(cable):
        boards("cabled", link=cable)
        process = start("--target", "ssh:cabled", *LONG, "--budget", "90s", "--name", "run")
        begun(process, tmp_path / "motebench.db")
        with cable.held():
            time.sleep(BETWEEN)
        ended(process, OK)
        now = kill_resume.look(tmp_path / "motebench.db", "run")
        assert now.status == "finished" and set(now.states.values()) == {"finished"}


def test_a_connection_that_is_cut_is_made_again(
    clean: Linux,
    start: Runs,
    tmp_path: Path,
    kill_resume: ModuleType,  # noqa: F811
) -> None:
    process, store = (
        start("--target", "ssh:victim", *LONG, "--budget", "40s", "--name", "run"),
        tmp_path / "motebench.db",
    )
    begun(process, store)
    connections = clean.link.connections
    clean.link.cut()
    ended(process, OK)
    assert clean.link.connections > connections
    now = kill_resume.look(store, "run")
    assert now.status == "finished" and set(now.states.values()) == {"finished"}


def test_a_board_that_restarts_is_measured_on(
    clean: Linux,
    start: Runs,
    tmp_path: Path,
    kill_resume: ModuleType,  # noqa: F811
) -> None:
    process, store = (
        start("--target", "ssh:victim", *LONG, "--budget", "90s", "--name", "run"),
        tmp_path / "motebench.db",
    )
    begun(process, store)
    clean.link.hold()  # without power it says no goodbye
    clean.restart()
    clean.link.release()
    ended(process, OK)
    now = kill_resume.look(store, "run")
    assert now.status == "finished" and set(now.states.values()) == {"finished"}


def test_a_board_that_stays_away_keeps_what_it_has(
    clean: Linux,
    start: Runs,
    tmp_path: Path,
    kill_resume: ModuleType,  # noqa: F811
) -> None:
    process, store = (
        start("--target", "ssh:victim", *LONG, "--budget", "30s", "--name", "run"),
        tmp_path / "motebench.db",
    )
    begun(process, store)
    clean.link.down()
    try:
        said = ended(process, FAILED)
    finally:
        clean.link.up()
    assert "did not come back" in said and "--resume" in said, said
    before = kill_resume.look(store, "run")
    assert "failed" in before.states.values() and before.count >= 5
    ended(start("--resume=run"), OK)
    now = kill_resume.look(store, "run")
    kill_resume.check_after(before, now)
    assert now.status == "finished" and set(now.states.values()) == {"finished"}


def test_a_clock_that_jumps_is_in_no_number(clean: Linux, start: Runs, tmp_path: Path) -> None:
    process = start("--target", "ssh:victim", *LONG, "--budget", "15s", "--name", "run")
    begun(process, tmp_path / "motebench.db")
    for seconds in (86400, -3 * 86400, 2 * 86400):
        clean.shift_clock(seconds)
    ended(process, OK)
    assert all(0 < time_ < 100e6 for time_ in times(exported(tmp_path)))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_board_is_clean_after_motebench_ended(
    clean: Linux, start: Runs, tmp_path: Path, number: signal.Signals
) -> None:
    process = start("--target", "ssh:victim", *LONG, "--budget", "10m")
    begun(process, tmp_path / "motebench.db")
    assert any("mote" in line for line in clean.programs())
    process.send_signal(number)
    process.wait(LIMIT)  # `clean` looks at the board


def test_the_board_is_clean_after_motebench_was_killed_and_the_link_was_away(
    clean: Linux, start: Runs, tmp_path: Path
) -> None:
    process = start("--target", "ssh:victim", *LONG, "--budget", "10m")
    begun(process, tmp_path / "motebench.db")
    clean.link.hold()
    process.kill()
    process.wait(LIMIT)
    # The link stays away: the keeper gives up by itself after five minutes without a sign of life.
    until(lambda: not clean.programs(), "nothing of motebench runs", LIMIT, clean.programs)


def test_when_one_of_two_boards_dies_the_other_goes_on(
    clean: Linux, boards: Boards, start: Runs, tmp_path: Path
) -> None:
    dying = boards("dying")
    targets = ("--target", "ssh:victim", "--target", "ssh:dying")
    process = start(*targets, *LONG, "--budget", "60s", "--name", "run")
    begun(process, tmp_path / "motebench.db", 10)
    dying.power_off()
    dying.link.down()
    dying.link.release()
    said = ended(process, FAILED)
    assert "ssh:dying" in said and "did not come back" in said, said
    document = exported(tmp_path)
    measured = [
        entry["metric"] for entry in document["measurements"] if entry["target"] == "ssh:victim"
    ]
    assert measured.count("time") == 8
    assert {entry["target"] for entry in document["failures"]} == {"ssh:dying"}
