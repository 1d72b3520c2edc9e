"""A shell that waits for the end of this process cleans up when it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from motebench.base.process import TemporaryFolder, end_programs, in_parallel, program
from motebench.targets.firmware.limits import run_limited

LIMIT = 60.0

FOLDER = """
import sys, time
from motebench.base.process import TemporaryFolder, end_programs, in_parallel, program
folder = TemporaryFolder(sys.argv[1])
(folder.path / "key").write_text("secret")
print(folder.path, flush=True)
time.sleep(600)
"""
COMPILER = """
import sys
from pathlib import Path
from motebench.targets.firmware.limits import run_limited
part = Path(sys.argv[1]) / "part"
part.write_text("half")
shell = ["/bin/sh", "-c", 'echo $$ >"$0"; sleep 600; exit 0', f"{sys.argv[1]}/pid"]
run_limited(shell, leaves=part)
"""

STARTING = """
import os, signal, subprocess, sys, tempfile
from pathlib import Path
tempfile.tempdir = sys.argv[1]
from motebench.targets.wire import stream
start = subprocess.Popen
def killed_at_the_start(command, **how):
    if command[0] != "probe":
        return start(command, **how)
    print(len(list(Path(sys.argv[1]).iterdir())), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
subprocess.Popen = killed_at_the_start
stream.ProcessStream(["probe"], alone=True)
"""


def until(happened: Callable[[], object], what: str) -> None:
    end = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


@pytest.fixture
def started(tmp_path: Path):
    processes = []

    def start(program: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, str(tmp_path)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_temporary_folder_is_removed_though_its_owner_is_killed(
    started, tmp_path: Path, number
) -> None:
    process = started(FOLDER)
    path = Path(process.stdout.readline().strip())
    assert path.parent == tmp_path and path.stat().st_mode & 0o777 == 0o700
    process.send_signal(number)
    until(lambda: not path.exists(), "the folder is gone")


def test_a_compiler_ends_with_who_started_it_and_leaves_nothing(started, tmp_path: Path) -> None:
    process = started(COMPILER)
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip(), "it runs")
    pid = int((tmp_path / "pid").read_text())
    process.kill()
    process.wait()
    try:
        until(lambda: ended(pid) and not (tmp_path / "part").exists(), "the compiler ended")
    finally:
        if not ended(pid):
            os.kill(pid, signal.SIGKILL)


def test_in_the_end_nothing_waits_any_more(tmp_path: Path) -> None:
    folder = TemporaryFolder(tmp_path)
    shell = folder._cleanup._shell
    folder.close()
    assert shell is not None and shell.returncode is not None
    assert not list(tmp_path.iterdir())
    part = tmp_path / "kept"
    part.write_text("whole")
    assert run_limited(["/bin/true"], leaves=part).returncode == 0
    assert part.exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        TemporaryFolder(tmp_path / "not there")


def test_the_folder_of_user_code_goes_even_if_the_kill_comes_while_it_is_started(
    started: Callable[[str], subprocess.Popen[str]], tmp_path: Path
) -> None:
    process = started(STARTING)
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n", "user code has no folder of its own"
    assert process.wait(LIMIT) == -signal.SIGKILL
    until(lambda: not list(tmp_path.iterdir()), "the folder is still there")


def test_an_interrupt_while_the_folder_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Path.mkdir

    def interrupted(path: Path, mode: int = 0o777) -> None:
        made(path, mode)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "mkdir", interrupted)
    with pytest.raises(KeyboardInterrupt):
        TemporaryFolder(tmp_path)
    assert not list(tmp_path.iterdir())


WORK = (
    'trap "" TERM; (trap "" TERM; exec sleep 600) & echo "$! $$" >"$0.new"; mv "$0.new" "$0"; '
    "wait; wait"
)
"""A program with a child; neither wants to end."""


def pids_of(path: Path) -> list[int]:
    until(path.exists, "it runs")
    return list(map(int, path.read_text().split()))


def test_a_program_ends_with_its_children_when_its_context_fails(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    with pytest.raises(KeyboardInterrupt), program(["/bin/sh", "-c", WORK, str(path)]):
        pids = pids_of(path)
        raise KeyboardInterrupt
    assert len(pids) == 2 and all(map(ended, pids))


def test_programs_of_other_threads_end_as_if_they_had_been_interrupted(tmp_path: Path) -> None:
    paths = [tmp_path / "one", tmp_path / "two"]

    def work(path: Path) -> None:
        with program(["/bin/sh", "-c", WORK, str(path)]) as running:
            running.wait()

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(work, path) for path in paths]
        pids = [pid for path in paths for pid in pids_of(path)]
        while not all(future.done() for future in futures):
            end_programs()
            time.sleep(0.01)
        for future in futures:
            with pytest.raises(KeyboardInterrupt):
                future.result()
    assert all(map(ended, pids))


def test_an_interrupt_ends_what_is_done_in_parallel_and_begins_nothing_more(tmp_path: Path) -> None:
    begun = []

    def work(number: int) -> None:
        begun.append(number)
        if number == 0:
            pids_of(tmp_path / "pids")
            raise KeyboardInterrupt
        with program(["/bin/sh", "-c", WORK, str(tmp_path / "pids")]) as running:
            running.wait()

    with pytest.raises(KeyboardInterrupt):
        list(in_parallel(work, range(9), 2))
    assert sorted(begun)[:2] == [0, 1] and len(begun) <= 3
    assert all(map(ended, pids_of(tmp_path / "pids")))


def test_a_failure_beside_it_does_not_end_a_program(tmp_path: Path) -> None:
    done = []

    def work(number: int) -> None:
        if number == 0:
            until((tmp_path / "begun").exists, "it runs")
            raise ValueError
        with program(["/bin/sh", "-c", f"touch '{tmp_path}/begun'; sleep 0.2"]) as running:
            done.append(running.wait())

    with pytest.raises(ValueError):
        list(in_parallel(work, range(2), 2))
    assert done == [0]


def test_a_program_that_cannot_be_started_is_an_error_of_the_shell() -> None:
    with program(["/nonexistent"], streams=(None, None, subprocess.DEVNULL)) as running:
        assert running.wait() == 127
