"""Commits as folders: what they hold, and that nothing of them is left, whatever happens."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import planted
import pytest

from motebench.base.errors import InputError
from motebench.measuring.gate import Repository


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with two commits, whose hook must not run."""
    repository = planted.make(tmp_path / "repository")
    planted.commit(repository, 0, "first")
    planted.commit(repository, 3, "second")
    hook = repository / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\ntouch ../hooked hooked\n")
    hook.chmod(0o755)
    return repository


def test_each_folder_has_the_files_of_its_commit(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # as in a hook of another repository
    repository = Repository(top / "speck")
    commits = repository.commit("HEAD^", "BASE"), repository.commit("HEAD", "HEAD")
    assert [commit.subject for commit in commits] == ["first", "second"]
    with repository.trees(commits) as trees:
        texts = [(tree / "speck" / "cipher.c").read_text() for tree in trees]
        assert not any(list(tree.parent.rglob("hooked")) for tree in trees)
    assert texts == [planted.source(0, "first"), planted.source(3, "second")]
    assert len({len(str(tree)) for tree in trees}) == 1, "code that contains its path has one size"


def left(top: Path) -> list[Path]:
    return sorted((top / ".git" / "worktrees").glob("*"))


def test_nothing_is_left_after_an_error(top: Path) -> None:
    repository = Repository(top)
    commits = repository.commit("HEAD^", "BASE"), repository.commit("HEAD", "HEAD")
    with pytest.raises(KeyboardInterrupt), repository.trees(commits) as trees:
        raise KeyboardInterrupt
    assert not any(tree.exists() for tree in trees)
    assert left(top) == []


def test_nothing_is_left_after_a_kill(top: Path) -> None:
    script = (
        "import os; from pathlib import Path\n"
        "from motebench.measuring.gate import Repository\n"
        f"at = Repository(Path({str(top)!r}))\n"
        "with at.trees([at.commit('HEAD^', ''), at.commit('HEAD', '')]) as trees:\n"
        "    print(*trees, sep='\\n', flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    trees = [Path(line) for line in done.stdout.splitlines()]
    assert len(trees) == 2, done.stderr
    for _ in range(600):  # the shell that cleans up works after the end of the process
        if not left(top) and not any(tree.exists() for tree in trees):
            return
        time.sleep(0.05)
    pytest.fail(f"left: {left(top)}, {trees}")


def test_a_path_leads_to_the_same_place_from_any_folder(top: Path) -> None:
    assert Repository(top / "speck").inside(Path("cipher.c"), "--code") == Path("speck/cipher.c")
    with pytest.raises(InputError, match="is not in the repository"):
        Repository(top).inside(Path("../elsewhere"), "--code")
