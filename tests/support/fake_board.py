"""A board behind SSH for tests without a network: a program in place of ``ssh`` that starts shells
of this machine.

Like ``ssh`` it hands on what is said, so that the shell goes on for a while when it is killed.
``said`` keeps the arguments of every call.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

_LIMIT = 120.0
"""Seconds after which something is left for good."""

_SSH = """#!{python} -IS
import os, subprocess, sys, threading, time
folder = {folder!r}
with open(f"{{folder}}/said", "a") as said:
    said.write(" ".join(sys.argv[1:]) + "\\n")
if os.path.exists(f"{{folder}}/refuses"):
    sys.exit(sys.stderr.write(open(f"{{folder}}/refuses").read()) and 255)
home, login = f"{{folder}}/home", f"{{folder}}/login"
path = f"{{folder}}/tools:{{os.environ['PATH']}}"
there = dict(os.environ, PATH=path, HOME=home, XDG_RUNTIME_DIR="")
words = f". {{login}}\\n{{sys.argv[-1]}}" if os.path.exists(login) else sys.argv[-1]
board = subprocess.Popen(["/bin/sh", "-c", words], cwd=home, env=there, start_new_session=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def copy(source, sink):
    try:
        while data := os.read(source, 65536):
            while os.path.exists(f"{{folder}}/holds"):
                time.sleep(0.02)
            while data:
                data = data[os.write(sink, data):]
    except OSError:
        pass
def requests():
    copy(0, board.stdin.fileno())
    board.stdin.close()
threading.Thread(target=requests, daemon=True).start()
copy(board.stdout.fileno(), 1)
os.close(1)
status = board.wait()
os._exit(255 if status < 0 else status)
"""


class FakeBoard:
    """Fake board. ``tools``: programs that shadow those of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("home", "tools", "tmp"):
            (folder / name).mkdir()
        # Every folder of temporary files is this board's own.
        self.tool("mktemp", f'exec /usr/bin/env -i /bin/mktemp -d "{folder}/tmp/${{2##*/}}"')
        self.ssh = folder / "ssh"
        self.ssh.write_text(_SSH.format(folder=str(folder), python=sys.executable))
        self.ssh.chmod(0o755)

    def tool(self, name: str, script: str) -> None:
        """The program of that name there."""
        path = self.folder / "tools" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def login(self, script: str) -> None:
        """Set the commands that every login runs first."""
        (self.folder / "login").write_text(f"{script}\n")

    def refuse(self, words: str) -> None:
        """ssh says this and logs in no more."""
        (self.folder / "refuses").write_text(words)

    def hold(self) -> None:
        """The network keeps all data from now on, and loses none."""
        (self.folder / "holds").touch()

    def release(self) -> None:
        """All data arrive."""
        (self.folder / "holds").unlink()

    def said(self) -> list[str]:
        """The arguments of each call so far."""
        return (self.folder / "said").read_text().splitlines()

    def until_empty(self) -> None:
        """Wait until motebench has left the board. A connection ends with its holder."""
        end = time.monotonic() + _LIMIT
        while left := self.left():
            assert time.monotonic() < end, f"something is left on the board: {left}"
            gc.collect()
            time.sleep(0.05)

    def left(self) -> list[str]:
        """Folders of probes that are there now."""
        return [path.name for path in (self.folder / "tmp").iterdir()]
