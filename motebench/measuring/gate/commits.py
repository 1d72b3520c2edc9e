"""Commits of a user's repository as folders: git work trees in a temporary folder, which leave
nothing behind.

The user's own files, index and branch stay as they are. No hook of the repository runs.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import InputError, SetupError, visible
from motebench.base.process import Cleanup, TemporaryFolder

SHORT = 10
"""Digits of a commit's name in messages and in names of runs."""
SIDES = ("base", "head")
"""Folders of the two commits: names of one length, because code may contain the path of its file.
"""
_GONE = "; ".join(f'git -C "$1" worktree remove --force "${place}"' for place in (2, 3))
_LISTED = 10
_OF_A_HOOK = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
)
"""Variables that name a repository, as git sets them for its hooks."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: as the user wrote it, its full name, and its subject."""

    asked: str
    name: str
    subject: str

    @property
    def short(self) -> str:
        """The beginning of its name."""
        return self.name[:SHORT]


class Repository:
    """The git repository around a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        done = self._git("rev-parse", "--show-toplevel")
        top = done.stdout.strip()
        if done.returncode or not top:
            raise InputError(
                f"{visible(str(folder))} is not in the work tree of a git repository: "
                f"{_words(done)}",
                where="BASE",
                hint="call motebench gate in your repository, with the commits that it has",
            )
        self.top = Path(top)

    def commit(self, spelling: str, where: str) -> Commit:
        """Commit of a name. InputError for an unknown one."""
        done = (
            None
            if spelling.startswith("-")
            else self._git("rev-parse", "--verify", "--quiet", f"{spelling}^{{commit}}")
        )
        if done is None or done.returncode:
            shallow = self._git("rev-parse", "--is-shallow-repository").stdout.strip() == "true"
            raise InputError(
                f"{visible(spelling)!r} is not a commit of {visible(str(self.top))}",
                where=where,
                valid="a commit, a branch or a tag that this clone has",
                hint="the clone is shallow: `git fetch --unshallow`, or in CI fetch-depth: 0 "
                "(GitHub), "
                "GIT_DEPTH: 0 (GitLab)"
                if shallow
                else "`git log --oneline --all` lists the commits; "
                "`git fetch` gets those of the server",
            )
        name = done.stdout.strip()
        return Commit(spelling, name, self._git("log", "-1", "--format=%s", name).stdout.strip())

    def uncommitted(self) -> tuple[str, ...]:
        """Changes that no commit has, as ``git status`` writes them: at most 10, then how many
        more.
        """
        done = self._git("status", "--porcelain", "--untracked-files=no")
        lines = [visible(line.strip()) for line in done.stdout.splitlines()]
        more = len(lines) - _LISTED
        return (*lines[:_LISTED], *([f"and {more} more"] if more > 0 else []))

    def inside(self, path: Path, where: str) -> Path:
        """The path from the top of the repository. InputError if it lies elsewhere."""
        absolute = Path(os.path.realpath(self._folder / path))
        if not absolute.is_relative_to(os.path.realpath(self.top)):
            raise InputError(
                f"{visible(str(path))} is not in the repository {visible(str(self.top))}",
                where=where,
                valid="a path in the repository, which both commits have",
            )
        return absolute.relative_to(os.path.realpath(self.top))

    @contextmanager
    def trees(self, commits: Sequence[Commit]) -> Iterator[tuple[Path, ...]]:
        """Files of both commits, in folders that are removed at the end, also if this process is
        killed.
        """
        with TemporaryFolder() as folder:
            trees = tuple(folder / side for side in SIDES)
            cleanup = Cleanup(_GONE, str(self.top), *map(str, trees))
            try:
                for commit, tree in zip(commits, trees, strict=True):
                    made = self._git(
                        "worktree", "add", "--quiet", "--detach", str(tree), commit.name
                    )
                    if made.returncode:
                        raise InputError(
                            f"git cannot check out {commit.short}: {_words(made)}",
                            where=commit.asked,
                        )
                yield trees
            finally:
                for tree in trees:
                    self._git("worktree", "remove", "--force", str(tree))
                cleanup.cancel()

    def _git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A call of git; in a hook, git's variables would name the repository of the hook."""
        environment = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
        command = ["git", "-C", str(self._folder), "-c", "core.hooksPath=/dev/null", *arguments]
        try:
            return subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                stdin=subprocess.DEVNULL,
                env={**environment, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            )
        except FileNotFoundError:
            raise SetupError("git is not installed", hint="sudo apt install git") from None
        except ValueError as error:  # a zero byte in an argument
            raise InputError(f"git cannot take {visible(arguments[-1])!r}: {error}") from None


def _words(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    return visible(lines[-1]) if lines else f"git ends with status {done.returncode}"
