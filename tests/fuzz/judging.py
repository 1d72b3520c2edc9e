"""Runner of hostile command lines, and the rules that every one of them must keep."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from folder import Maker
from lines import Line

from motebench.base.errors import ExitCode

MOST_SECONDS = 30
"""Limit of processor time, and of waiting on a quiet machine; on a busy one `_BUSY` times as
long.
"""
_BUSY = 4
MOST_MEMORY = 2 * 2**30
_MOST_SAID = 20_000
_CODES = {int(each) for each in ExitCode} - {int(ExitCode.INTERNAL)}
_SAYS_WHY = {
    int(ExitCode.USAGE),
    int(ExitCode.INCOMPARABLE),
    int(ExitCode.STORE),
    int(ExitCode.SETUP),
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]|\x1b(?!\[[0-9;]*m)")
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Outcome:
    """Result of a command line. ``wrong``: the rules that it broke."""

    code: int
    seconds: float
    peak: int
    out: str
    err: str
    wrong: tuple[str, ...]


def _print(path: Path) -> str:
    """Fingerprint of a file, to see whether it is still the same."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return f"link {path.readlink()}"
    if not stat.S_ISREG(found.st_mode) or found.st_size > 2**24:
        return f"{stat.S_IFMT(found.st_mode)} {found.st_size if stat.S_ISREG(found.st_mode) else 0}"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _prints(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): _print(path) for path in folder.rglob("*")}


class Judge:
    """Carries out lines, one after the other. A context: its processes end with it."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._maker = Maker(place)
        folder = Path(__file__).parent
        told = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("MOTEBENCH_", "PYTEST_"))
        }
        paths = [str(folder), *filter(None, [told.get("PYTHONPATH")])]
        told |= {
            "LIAR": f"{sys.executable} {folder / 'liar.py'}",
            "PYTHONPATH": os.pathsep.join(paths),
        }
        self._launcher = subprocess.Popen(
            [sys.executable, folder / "launcher.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=told,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._launcher.stdin and self._launcher.stdout
        self._launcher.stdin.close()
        self._launcher.stdout.close()
        self._launcher.wait(60)

    def carried_out(self, line: Line) -> Outcome:
        """Result of the command line, run in a new folder."""
        folder, logs = self._place / "in", self._place / "logs"
        for each in (folder, logs):
            shutil.rmtree(each, ignore_errors=True)
        logs.mkdir()
        self._maker.folder(folder, line.things)
        before = _prints(folder)
        assert self._launcher.stdin and self._launcher.stdout
        request = {
            "arguments": line.arguments,
            "folder": str(folder),
            "logs": str(logs),
            "streams": dict(line.streams),
            "environment": dict(line.environment),
            "fresh": line.fresh,
            "seconds": MOST_SECONDS * _BUSY,
        }
        self._launcher.stdin.write(json.dumps(request) + "\n")
        self._launcher.stdin.flush()
        found: dict[str, Any] = json.loads(self._launcher.stdout.readline())
        out, err = (_said(logs / name) for name in ("stdout", "stderr"))
        wrong = _judged(line, found, out, err) + _lost(line, before, _prints(folder))
        if found["code"] == 0 and not out and not err and not (set(_prints(folder)) - set(before)):
            changed = any(_prints(folder)[name] != old for name, old in before.items())
            if not changed and not _went_elsewhere(line):
                wrong.append("exit code 0, and nothing was written")
        return Outcome(found["code"], found["seconds"], found["peak"], out, err, tuple(wrong))


def _said(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "backslashreplace") if path.exists() else ""


def _went_elsewhere(line: Line) -> bool:
    """True if the output went where it cannot be read, as the arguments demand."""
    places = {place for _, place in line.streams} | {
        each for each in line.arguments if each.startswith("/dev/")
    }
    return bool(places & {"/dev/null", "/dev/zero", "/dev/stdout", "gone"})


def _judged(line: Line, found: dict[str, Any], out: str, err: str) -> list[str]:
    wrong = []
    code = found["code"]
    if found["hung"]:
        wrong.append(f"more than {MOST_SECONDS * _BUSY} s")
    elif code not in _CODES:
        wrong.append(f"exit code {code}")
    if found["processor"] > MOST_SECONDS:
        wrong.append(f"{found['processor']:.0f} s of processor time")
    if found["peak"] > MOST_MEMORY:
        wrong.append(f"{found['peak'] >> 20} MiB of memory")
    if "Traceback (most" in err or "motebench: defect" in err or "Exception ignored" in err:
        wrong.append("a traceback or a defect")
    if "Warning:" in err:
        wrong.append("a warning of Python")
    if len(err) > _MOST_SAID:
        wrong.append(f"{len(err)} characters on standard error")
    wide = ("PYTHONIOENCODING", "utf-16") in line.environment
    if not wide and any(_CONTROL.search(each.replace("\r", "")) for each in (out, err)):
        wrong.append("control characters")
    if code in _SAYS_WHY and not err and "stderr" not in dict(line.streams):
        wrong.append("no word about why")
    return wrong


def _lost(line: Line, before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Files that were there and are not, or are others."""
    ours = {name for name in before if not name.endswith(_BESIDE) or name in dict(line.things)}
    return [
        f"{name!r} was changed"
        for name in sorted(ours - set(line.changes))
        if after.get(name) != before[name] and not name.startswith("m.db-")
    ]
