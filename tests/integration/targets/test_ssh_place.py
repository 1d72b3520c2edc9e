"""``ssh:`` without a network: requests to a board, its valid answers, and the files left on it."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from code_folders import submission
from fake_board import FakeBoard
from quiet_cores import quiet_cores

from motebench.base.errors import MotebenchError, SetupError
from motebench.base.model import Evidence, FailureKind, Operation, Run
from motebench.base.paths import probe_dirs, probes_in
from motebench.measuring.request import Start, carry_out
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.show.listing.described import describe
from motebench.targets.base import Target
from motebench.targets.host.cross_machines import cross_machines
from motebench.targets.registry import open_target
from motebench.targets.ssh import place as ssh
from motebench.targets.ssh.connection import BoardFacts, SshConnection
from motebench.targets.ssh.link import Unreachable
from motebench.targets.ssh.name import SshAddress
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.cli.test_endings import LIMIT, until

NAME = "ssh:me@board"


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBoard]:
    """A board of this machine's architecture, for which its probes are built."""
    built = probes_in(probe_dirs())
    if "mote/xtea" not in built:
        pytest.skip("no probe for mote/xtea is built: make setup")
    if platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip(f"no machine of core/ports/posix/machines is {platform.machine()}")
    folder = tmp_path / "board"
    folder.mkdir()
    fake = FakeBoard(folder)
    monkeypatch.setenv("MOTEBENCH_SSH", str(fake.ssh))
    monkeypatch.setattr(ssh, "cross_probes", lambda machine: {"mote/xtea": built["mote/xtea"]})
    yield fake
    fake.until_empty()


def ended(target: Target) -> None:
    place = target.place
    assert isinstance(place, ssh.SshMachine)
    place.connection.close()


def measured(tmp_path: Path, *targets: str, all_cores: bool = False) -> Run:
    spelt = Options(
        targets=targets,
        sizes=("64",),
        schemes=("xtea-cbc",),
        operations=("encrypt",),
        implementations=("mote/xtea",),
        cores="all" if all_cores else (),
    )
    question = from_options(
        spelt, Sampling.model_validate({"preset": "fast", "budget": "1s"}), WholeFile()
    )
    (run,) = carry_out(tmp_path / "runs.db", Start(question)).runs
    return run


def test_a_run_measures_there_and_leaves_nothing(board: FakeBoard, tmp_path: Path) -> None:
    run = measured(tmp_path, NAME)
    ((case, series),) = [(result.case, result.series) for result in run.results]
    assert (case.target, case.provider) == (NAME, "mote/xtea") and not run.failures
    (time_,) = [item for item in series if item.metric == "time"]
    assert time_.evidence is Evidence.MEASURED and time_.samples
    facts = run.info.environment["machines"][NAME]
    assert facts["machine"] in ("x86_64", "aarch64") and facts["host"]["kernel"]
    assert all(
        "BatchMode=yes" in said and " -l me -- board sh -c " in said for said in board.said()
    )


@pytest.mark.long
def test_user_code_with_musl_runs_in_its_sandbox(board: FakeBoard, tmp_path: Path) -> None:
    """musl's C library uses other system calls than that of this machine: the sandbox must allow
    them.
    """
    spelt = Options(
        code=(str(submission(tmp_path)),),
        targets=(NAME,),
        sizes=("16",),
        operations=("encrypt-message",),
    )
    question = from_options(
        spelt, Sampling.model_validate({"preset": "fast", "budget": "1s"}), WholeFile()
    )
    (run,) = carry_out(tmp_path / "runs.db", Start(question)).runs
    (result,) = run.results
    assert result.finished and result.failure is None and not run.failures, result.failure


def test_the_probe_is_sent_once_and_answers_as_here(board: FakeBoard) -> None:
    target = open_target(NAME)
    calls = []
    for _ in range(2):
        session = target.open("mote/xtea")
        assert session.hello.implementation == "mote/xtea" and "xtea-cbc" in session.offers()
        session.close()
        calls.append(len(board.said()))
    assert calls[1] == calls[0] + 1, "the second probe takes one session"
    ended(target)


def test_a_login_that_prints_and_a_shell_without_tools_do_no_harm(board: FakeBoard) -> None:
    board.login("echo Welcome; printf '\\033[2Jno newline'; echo warning >&2")
    for tool in ("gzip", "sha256sum", "taskset"):
        board.tool(tool, "exit 1")
    board.tool("command", "exit 1")
    connection = SshConnection(SshAddress("board"))
    assert connection.run("echo a; printf b") == b"a\nb"
    assert connection.call("exit 3") == (b"", 3)
    connection.close()


def test_a_program_is_checked_by_cksum_where_there_is_nothing_better(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = SshConnection(SshAddress("board"))
    facts = connection.facts
    assert {"gzip", "cksum", "sha256sum"} <= facts.tools
    monkeypatch.setitem(
        connection.__dict__, "facts", facts.__class__(**{**vars_of(facts), "tools": frozenset()})
    )
    content = os.urandom(5000)
    name = connection.send(content)
    assert connection.run(f"cat {connection.folder}/{name}") == content
    connection.close()


def vars_of(facts: object) -> dict[str, object]:
    return {name: getattr(facts, name) for name in type(facts).__dataclass_fields__}  # type: ignore[attr-defined]


def test_a_probe_that_hangs_is_killed_there(board: FakeBoard, tmp_path: Path) -> None:
    target = open_target(NAME)
    place = target.place
    assert isinstance(place, ssh.SshMachine)
    _ = place.machine
    name = place.connection.send(Path("/bin/sleep").read_bytes())
    stream = ssh.SshStream(place.connection, [name, "1000"], {})
    assert stream.receive(stream.now() + 0.1) is None
    running = f"pgrep -f {place.connection.folder}/{name} || true"
    until(lambda: place.connection.run(running), "it runs")
    stream.close()
    until(lambda: not place.connection.run(running), "it ended")
    ended(target)


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        ("kill -SEGV $$", FailureKind.CRASH, "SIGSEGV"),
        ("kill -KILL $$", FailureKind.CRASH, "too little memory"),
        ("echo 'no such thing' >&2; exit 4", FailureKind.CRASH, "status 4: no such thing"),
        ("exit 126", FailureKind.UNSUPPORTED, "not for this processor"),
    ],
)
def test_the_end_of_a_probe_is_told(
    board: FakeBoard, script: str, kind: FailureKind, words: str
) -> None:
    connection = SshConnection(SshAddress("board"))
    name = connection.send(f"#!/bin/sh\n{script}\n".encode())
    stream = ssh.SshStream(connection, [name], {})
    while stream.receive(stream.now() + LIMIT):
        pass
    failure = stream.exit_reason()
    assert failure.kind is kind and words in failure.message
    stream.close()
    connection.close()


def test_a_board_that_cannot_be_reached_is_an_error_with_a_hint(board: FakeBoard) -> None:
    board.refuse("me@board: Permission denied (publickey).\n")
    with pytest.raises(SetupError, match="ssh-copy-id me@board"):
        open_target(NAME).implementations()
    assert len(board.said()) == 1, "it is asked once"


def test_a_board_that_cannot_be_reached_costs_its_own_cases(
    board: FakeBoard, tmp_path: Path
) -> None:
    board.refuse("ssh: connect to host board port 22: No route to host\n")
    run = measured(tmp_path, NAME, "host")
    (result,) = run.results
    assert result.case.target == "host" and result.finished
    (failure,) = run.failures
    assert (failure.target, failure.kind) == (
        NAME,
        FailureKind.LOST,
    ) and "No route" in failure.message


def test_without_ssh_the_message_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTEBENCH_SSH", "ssh-that-is-not-here -F x")
    with pytest.raises(SetupError, match="ssh-that-is-not-here is not installed"):
        open_target(NAME).implementations()


def test_another_architecture_than_the_board_says_is_found_out(board: FakeBoard) -> None:
    board.tool("uname", 'case "$1" in -s) echo Linux riscv64 ;; *) echo 6.1 ;; esac')
    with pytest.raises(
        SetupError, match="says it is 'riscv64', but does not run programs for riscv64"
    ):
        open_target(NAME).implementations()
    board.tool("uname", 'case "$1" in -s) echo Linux vax ;; *) echo 6.1 ;; esac')
    with pytest.raises(SetupError, match="'vax'"):
        open_target(NAME).implementations()
    board.tool("uname", "echo Darwin arm64")
    with pytest.raises(SetupError, match="does not run Linux"):
        open_target(NAME).implementations()


def test_no_folder_with_room_names_each_and_why(board: FakeBoard) -> None:
    board.tool("df", "echo Filesystem; echo '/dev/x 1000 990 10 99% /'")
    with pytest.raises(SetupError, match="/tmp has less than 4 MiB of room"):
        open_target(NAME).implementations()


def test_a_folder_where_nothing_can_be_written_names_it(board: FakeBoard) -> None:
    board.tool("mktemp", "exit 1")
    with pytest.raises(SetupError, match="/tmp cannot be written"):
        open_target(NAME).implementations()


def test_a_full_disk_is_told_as_that(board: FakeBoard) -> None:
    board.tool("gzip", "echo 'gzip: write error: No space left on device' >&2; exit 1")
    connection = SshConnection(SshAddress("board"))
    with pytest.raises(Unreachable, match="No space left") as caught:
        connection.send(os.urandom(1000))
    assert caught.value.kind is FailureKind.NO_ROOM
    assert connection.run("echo on") == b"on\n"
    connection.close()


@pytest.mark.parametrize(
    "script",
    [
        "yes | head -c 3000000",
        "printf '\\033]0;owned\\007'; echo $(id); exit",
        "head -c 100000 /dev/urandom; exit",
        "echo ../../etc/passwd; exit 255",
        "exit",
    ],
)
def test_a_board_that_lies_costs_a_message(board: FakeBoard, script: str) -> None:
    board.login(script)
    with pytest.raises(MotebenchError) as caught:
        open_target(NAME).implementations()
    assert all(line.isprintable() and len(line) < 600 for line in str(caught.value).splitlines())


def test_folders_of_keepers_that_are_gone_are_removed(board: FakeBoard) -> None:
    first = SshConnection(SshAddress("board"))
    first.open()
    mine = Path(first.folder).name[:-6]
    host = mine.rsplit("-", 2)[0]
    first.close()
    home = board.folder / "home"
    began = Path(f"/proc/{os.getpid()}/stat").read_text().rpartition(") ")[2].split()[19]
    folders = {
        f"{mine}abcdef": ("1 2", False),
        f"{mine}ghijkl": (f"{os.getpid()} x; rm -rf /", False),
        f"{mine}mnopqr": (f"{os.getpid()} {began}", True),
        f"{host}-00000000-abcdef": ("", False),  # the power failed before the file was written
        f"{host}0-00000000-abcdef": ("", True),  # of another host that has the same home
    }
    for name, (keeper, _) in folders.items():
        (home / name).mkdir()
        (home / name / "keeper").write_text(keeper and f"{keeper}\n")
    connection = SshConnection(SshAddress("board"))
    connection.open()
    connection.close()
    assert {name: (home / name).exists() for name in folders} == {
        name: stays for name, (_, stays) in folders.items()
    }


def test_the_board_is_clean_after_motebench_was_killed(board: FakeBoard, tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom pathlib import Path\n"
        "from motebench.targets.ssh.connection import SshConnection\n"
        "from motebench.targets.ssh.name import SshAddress\n"
        "from motebench.targets.ssh.place import SshStream\n"
        "connection = SshConnection(SshAddress('board'))\n"
        "name = connection.send(Path('/bin/sleep').read_bytes())\n"
        "stream = SshStream(connection, [name, '1000'], {})\n"
        "print(connection.folder, flush=True)\ntime.sleep(1000)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        folder = process.stdout.readline().strip()
        assert Path(folder).is_dir()
        os.kill(process.pid, signal.SIGKILL)

    def left() -> tuple[bool, bytes]:
        running = subprocess.run(["pgrep", "-f", folder], capture_output=True, check=False).stdout
        return Path(folder).exists(), running

    until(lambda: left() == (False, b""), "the board is clean")


def test_a_connection_that_ended_is_opened_again_and_the_request_sent_once_more(
    board: FakeBoard,
) -> None:
    target = open_target(NAME)
    session = target.open("mote/xtea")
    offered = session.offers()
    place = target.place
    assert isinstance(place, ssh.SshMachine)
    first = place.connection.folder
    place.connection._links[0]._process.kill()
    assert place.connection._links[0].dead.wait(LIMIT)
    session.close()
    assert target.open("mote/xtea").offers() == offered
    assert place.connection.folder != first and place.connection.opened == 2
    ended(target)


def test_a_board_that_does_not_come_back_fails_its_cases_at_once(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("motebench.targets.ssh.connection.RETURN_SECONDS", 0.0)
    target = open_target(NAME)
    session = target.open("mote/xtea")
    place = target.place
    assert isinstance(place, ssh.SshMachine)
    board.refuse("ssh: connect to host board port 22: Connection refused\n")
    place.connection._links[0]._process.kill()
    assert place.connection._links[0].dead.wait(LIMIT)
    session.close()
    with pytest.raises(ProbeFailure, match="did not come back") as caught:
        target.open("mote/xtea")
    assert caught.value.kind is FailureKind.LOST and caught.value.kind.of_surroundings
    asked = len(board.said())
    with pytest.raises(ProbeFailure):
        target.open("mote/xtea")
    assert len(board.said()) == asked, "it is not tried again"
    ended(target)


def test_a_probe_that_a_shutdown_ends_is_no_crash(board: FakeBoard) -> None:
    connection = SshConnection(SshAddress("board"))
    name = connection.send(b"#!/bin/sh\necho up\nread -r _; kill -TERM $$\n")
    stream = ssh.SshStream(connection, [name], {})
    assert stream.receive(stream.now() + LIMIT) == b"up\n"
    stream.send(b"go\n", stream.now() + LIMIT)
    connection._links[0]._process.kill()
    while stream.receive(stream.now() + LIMIT):
        pass
    assert isinstance(stream.exit_reason(), ssh.LinkLost)
    stream.close()
    connection.close()


def test_a_folder_that_was_removed_there_is_made_again(board: FakeBoard) -> None:
    target = open_target(NAME)
    session = target.open("mote/xtea")
    place = target.place
    assert isinstance(place, ssh.SshMachine)
    place.connection.run(f"rm -rf {place.connection.folder}")
    again = target.open("mote/xtea")
    assert "xtea-cbc" in again.offers()
    assert "xtea-cbc" in session.offers(), "the session that broke meanwhile went on as well"
    ended(target)


def test_several_cores_of_a_board_work_at_once(
    board: FakeBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet_cores(monkeypatch)
    there = len(os.sched_getaffinity(0))
    if there < 2:
        pytest.skip("this machine has one core")
    run = measured(tmp_path, NAME, all_cores=True)
    found = {result.case.cores: result for result in run.results}
    assert not run.failures and {1, 2, there} <= set(found)
    assert all(result.series and result.failure is None for result in found.values())


def test_time_limits_stand_still_while_the_network_holds_everything(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Together with the limit still shorter than the network is held, and long enough for a slow
    # machine to go on.
    monkeypatch.setattr(ssh, "_HANDED_ON_SECONDS", 4.0)
    target = open_target(NAME)
    session = target.open("mote/xtea")
    board.hold()
    threading.Timer(5.0, board.release).start()
    answer = session.compute(
        Job("xtea-ecb", Operation.ENCRYPT, data=bytes(8), key=bytes(16)), timeout=0.5
    )
    assert answer.out is not None and len(answer.out) == 8 and session.generation == 1
    ended(target)


def test_a_probe_that_takes_too_long_is_late_although_the_network_is_there(
    board: FakeBoard,
) -> None:
    connection = SshConnection(SshAddress("board"))
    name = connection.send(b"#!/bin/sh\nexec sleep 100\n")
    stream = ssh.SshStream(connection, [name], {})
    assert stream.receive(stream.now() + 0.5) is None  # and not the end of its output
    stream.close()
    connection.close()


def test_describe_asks_the_board_and_leaves(board: FakeBoard) -> None:
    facts = describe(None, NAME)
    assert (
        isinstance(facts, dict)
        and facts["target"] == NAME
        and "mote/xtea" in facts["implementations"]
    )
    assert facts["evidence"] == "measured" and not board.left()


@pytest.mark.parametrize(
    ("machine", "features", "fits"),
    [
        ("armv6l", "half thumb fastmult vfp edsp java tls", ["armv6"]),
        (
            "armv7l",
            "half thumb fastmult vfp edsp thumbee neon vfpv3 tls vfpd32",
            ["armv7", "armv6"],
        ),
        ("armv7l", "half thumb fastmult vfp edsp thumbee vfpv3 tls vfpd16", ["armv6"]),
        ("armv7l", "half thumb fastmult edsp", []),
        ("aarch64", "fp asimd evtstrm crc32 cpuid", ["aarch64", "armv7", "armv6"]),
        ("riscv64", "rv64imafdc zicntr zicsr", ["riscv64"]),
        ("riscv64", "rv64imafdc zba zbb zbs zkn", ["riscv64-crypto", "riscv64"]),
        ("mips", "", []),
    ],
)
def test_a_board_gets_what_fits_it_best(machine: str, features: str, fits: list[str]) -> None:
    facts = BoardFacts("Linux", machine, "6.1", 4, frozenset(features.split()), frozenset(), "")
    assert ssh._fitting(facts, cross_machines()) == fits
