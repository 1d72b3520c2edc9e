"""Version of motebench, which the packaging reads from here, and the commit of the checkout that it runs from."""

from __future__ import annotations

import re
from pathlib import Path

__version__ = "0.1.0"
_SHOWN = 12
_HASH = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")


def commit(checkout: Path | None = None) -> str | None:
    """The commit of a checkout, usually of this one; None outside of one.

    Git's files are read (gitrepository-layout(5)): a process for it takes longer than all of `motebench --version`.
    """
    git = (checkout or Path(__file__).parent.parent) / ".git"
    try:
        if git.is_file():  # a worktree
            git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        name = head.removeprefix("ref: ")
        found = head if name == head else _of_branch(git, name)
    except (OSError, ValueError):
        return None
    return found[:_SHOWN] if found is not None and _HASH.fullmatch(found) else None


def _of_branch(git: Path, name: str) -> str | None:
    common = git / "commondir"
    shared = git / common.read_text(encoding="utf-8").strip() if common.is_file() else git
    if (shared / name).is_file():
        return (shared / name).read_text(encoding="utf-8").strip()
    lines = (shared / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.partition(" ")[0] for line in lines if line.endswith(f" {name}")), None)


def described() -> str:
    """Version and commit for people."""
    found = commit()
    return f"motebench {__version__}" + (f" (commit {found})" if found else "")
