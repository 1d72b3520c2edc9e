"""The version and the commit: as git says, in every layout of a checkout, and without starting
git.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from motebench import version
from motebench.cli import main
from motebench.cli.app import app


def git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    line = ["git", "-C", str(folder), *settings, *words]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_the_commit_of_a_branch_packed_detached_and_of_a_worktree(checkout: Path) -> None:
    first = git(checkout, "rev-parse", "HEAD")[:12]
    assert version.commit(checkout) == first
    git(checkout, "pack-refs", "--all")
    assert version.commit(checkout) == first
    git(checkout, "worktree", "add", "-q", "../other", "-b", "topic/other")
    other = checkout.parent / "other"
    git(other, "commit", "-q", "--allow-empty", "-m", "second")
    assert version.commit(other) == git(other, "rev-parse", "HEAD")[:12] != first
    git(checkout, "checkout", "-q", "--detach")
    assert version.commit(checkout) == first


def test_no_checkout_a_new_one_and_a_damaged_one_have_no_commit(
    tmp_path: Path, checkout: Path
) -> None:
    assert version.commit(tmp_path) is None
    git(tmp_path, "init", "-q", "new")
    assert version.commit(tmp_path / "new") is None
    (checkout / ".git" / "HEAD").write_bytes(b"\xff\x1b[2J")
    assert version.commit(checkout) is None
    (checkout / ".git" / "HEAD").write_text("ref: refs/heads/\x1b[2J", encoding="utf-8")
    assert version.commit(checkout) is None


def test_the_command_says_it_in_both_ways(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["motebench", "--version"])
    main()
    alone = capsys.readouterr().out
    app.main(["--version"], prog_name="motebench", standalone_mode=False)
    assert alone == capsys.readouterr().out == f"{version.described()}\n"
