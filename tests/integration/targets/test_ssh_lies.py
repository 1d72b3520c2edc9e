"""A board that lies: whatever its login, its tools and its files say, this machine is not harmed.

Nothing from it becomes a path, a command or a colour of a terminal here, and it cannot fill memory
or disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_board import FakeBoard

from motebench.base.errors import MotebenchError
from motebench.targets.registry import open_target
from motebench.targets.ssh.connection import SshConnection
from motebench.targets.ssh.link import Unreachable
from motebench.targets.ssh.name import SshAddress

ESCAPES = "\\033]0;owned\\007\\033[2J\\033[31m"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
LIES = {
    "escape sequences": f"printf '{ESCAPES}'",
    "names that leave the folder": "echo ../../../etc/passwd; echo '/tmp/../../.motebench-abcdef'",
    "commands": "echo '$(touch OWNED)'; echo '`touch OWNED`'; echo '; touch OWNED'",
    "much": "head -c 3000000 /dev/zero | tr '\\\\0' x",
    "rubbish": "head -c 100000 /dev/urandom",
    "nothing": "exit 0",
}


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBoard]:
    """Board without probes: its output comes before that of any probe."""
    folder = tmp_path / "board"
    folder.mkdir()
    fake = FakeBoard(folder)
    monkeypatch.setenv("MOTEBENCH_SSH", str(fake.ssh))
    monkeypatch.chdir(tmp_path)
    yield fake
    # The board may still be removing its own folders, which os.walk passes over.
    assert not [path for path, folders, files in os.walk(tmp_path) if "OWNED" in (*folders, *files)]


@pytest.mark.parametrize("tool", ["uname", "mktemp"])
@pytest.mark.parametrize("lie", LIES)
def test_a_tool_that_lies_costs_a_message(board: FakeBoard, tool: str, lie: str) -> None:
    board.tool(tool, LIES[lie])
    with pytest.raises(MotebenchError) as caught:
        open_target("ssh:board").implementations()
    assert caught.value.exit_code == 7 and not CONTROL.search(str(caught.value))
    assert len(str(caught.value)) < 2000


def test_a_message_about_it_is_clean_in_a_terminal(board: FakeBoard, tmp_path: Path) -> None:
    board.tool("uname", LIES["escape sequences"])
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "motebench",
            "verify",
            "--target",
            "ssh:board",
            "--implementation",
            "mote/xtea",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 7 and "does not run Linux" in done.stderr, done
    assert not CONTROL.search(done.stdout + done.stderr)


def test_a_folder_with_a_strange_name_is_a_folder(board: FakeBoard) -> None:
    strange = board.folder / "home" / "a $(touch OWNED) `touch OWNED` ' \" ; touch OWNED"
    strange.mkdir()
    board.login(f"HOME={quoted(strange)}")
    board.tool("mktemp", 'exec /bin/mktemp "$@"')
    board.tool(
        "df", 'case "$*" in *OWNED*) free=99999 ;; *) free=9 ;; esac; echo "/dev/x 1 1 $free 1% /"'
    )
    connection = SshConnection(SshAddress("board"))
    name = connection.send(b"#!/bin/sh\necho ran\n")
    assert Path(connection.folder).parent == strange
    assert connection.run(quoted(Path(connection.folder) / name)) == b"ran\n"
    connection.close()
    assert list(strange.iterdir()) == []


def quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "'\\''") + "'"


@pytest.mark.parametrize("stream", ["&2", "&1"])
def test_a_login_that_never_stops_talking_fills_no_disk(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch, stream: str
) -> None:
    sizes = watched(monkeypatch)
    board.login(f"yes 'I am a board, and I say much.' >{stream} & sleep 1; kill $!")
    connection = SshConnection(SshAddress("board"))
    with contextlib.suppress(Unreachable):
        connection.run("sleep 3")
    assert sizes() <= 48 << 20, "16 MiB each of a connection, a session and what it is given"
    connection.close()


def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """The sizes of temporary files without a name that were opened since, together, when it is
    called.
    """
    opened: list[Any] = []
    real = tempfile.TemporaryFile

    def opening(*arguments: Any, **options: Any) -> Any:
        opened.append(file := real(*arguments, **options))
        descriptors.append(os.dup(file.fileno()))
        return file

    descriptors: list[int] = []
    monkeypatch.setattr(tempfile, "TemporaryFile", opening)
    return lambda: sum(os.fstat(descriptor).st_size for descriptor in descriptors)


def test_facts_of_a_board_are_clean(board: FakeBoard) -> None:
    for tool in ("cat", "grep", "uname"):
        board.tool(
            tool, f"printf 'a{ESCAPES}b\\n'; head -c 300000 /dev/urandom; exec /bin/{tool} \"$@\""
        )
    try:
        said = json.dumps(open_target("ssh:board").place.environment(), ensure_ascii=False)
    except MotebenchError as error:
        said = str(error)
    assert not CONTROL.search(said) and len(said) < 100_000
