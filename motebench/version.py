"""Version of motebench, which the packaging reads from here, and the commit that it was made
from.
"""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

__version__ = "0.1.0"
_SHOWN = 12
"""Digits of a commit that people read."""
RECORD = "commit.json"
"""File in the data of an installation: the commit that its wheel was built from."""
_HASH = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")
_LARGEST = 64 << 20
_LINKS = 5


def commit(checkout: Path | None = None) -> str | None:
    """The commit of a checkout, usually of this one; None outside of one."""
    hashed = head(checkout or Path(__file__).parent.parent)
    return None if hashed is None else hashed[:_SHOWN]


def head(checkout: Path) -> str | None:
    """The commit that is checked out in a folder with a ``.git``, with all its digits; None if that
    cannot be read.

    Git's files are read (gitrepository-layout(5)): a process for it takes longer than all of
    `motebench --version`.
    """
    try:
        git = git_folder(checkout)
        name = "HEAD"
        for _ in range(_LINKS):
            reference = _of_branch(git, name) if name != "HEAD" else _text(git / name).strip()
            if reference is None or not reference.startswith("ref: "):
                return reference if reference is not None and _HASH.fullmatch(reference) else None
            name = reference.removeprefix("ref: ")
    except (OSError, ValueError):
        pass
    return None


def git_folder(checkout: Path) -> Path:
    """The folder with git's files of a checkout, which may be a worktree or a submodule. OSError,
    ValueError.
    """
    git = checkout / ".git"
    return git.parent / _text(git).removeprefix("gitdir:").strip() if git.is_file() else git


def common_folder(git: Path) -> Path:
    """The folder that all worktrees share, with branches and objects. OSError, ValueError."""
    common = git / "commondir"
    return git / _text(common).strip() if common.is_file() else git


def _of_branch(git: Path, name: str) -> str | None:
    shared = common_folder(git)
    if (shared / name).is_file():
        return _text(shared / name).strip()
    lines = _text(shared / "packed-refs").splitlines()
    return next((line.partition(" ")[0] for line in lines if line.endswith(f" {name}")), None)


def _text(path: Path) -> str:
    """The text of a file that may be anything: a pipe is not waited for, and no more than 64 MiB
    are read.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is not a file")
        return file.read(_LARGEST).decode()


@dataclass(frozen=True, slots=True)
class BuiltFrom:
    """The commit that a wheel was built from, and the number of its files that were not as it has
    them; None where that is not known."""

    commit: str
    changed: int | None


def built_from(data: Path | None = None) -> BuiltFrom | None:
    """Commit that the wheel of this installation recorded; None for a checkout, or where none is
    recorded.
    """
    try:
        record = json.loads(_text((data or Path(__file__).parent / "_data") / RECORD))
        hashed, changed = record["commit"], record["changed"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not (isinstance(hashed, str) and _HASH.fullmatch(hashed)):
        return None
    return BuiltFrom(hashed, changed if isinstance(changed, int) else None)


def described() -> str:
    """Version and commit for people."""
    revision, wheel = commit(), built_from()
    if revision is None and wheel is not None:
        revision = wheel.commit[:_SHOWN] + (
            f", {wheel.changed} files changed" if wheel.changed else ""
        )
    return f"motebench {__version__}" + (f" (commit {revision})" if revision else "")
