"""Mistakes of calling the gate: each is told before anything is measured, with what to do."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest
from test_mistakes import mistake

CODE = ("--code", "speck", "--scheme", "speck-64-128-ecb")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two commits, in whose folder the command is called."""
    top = planted.make(tmp_path / "repository")
    for tag in ("first", "second"):
        planted.commit(top, 0, tag)
        planted.git(top, "tag", tag)
    monkeypatch.chdir(top)
    monkeypatch.delenv("MOTEBENCH_STORE", raising=False)
    return top


@pytest.mark.parametrize(
    ("arguments", "what", "where"),
    [
        (("nowhere", *CODE), "'nowhere' is not a commit", "BASE"),
        (("first", "nowhere", *CODE), "'nowhere' is not a commit", "HEAD"),
        (("first", "first", *CODE), "the same commit", "HEAD"),
        (("first", "--code", "elsewhere"), "no folder 'elsewhere' in the head", "--code"),
        (("first", "--code", "/"), "is not in the repository", "--code"),
        (("first",), "no folder of code is given", "--code"),
        (("first", "--code", "speck", "--code", "other"), "one folder of code", "--code"),
        (("first", "--study", "s.toml", "--size", "16"), "mutually exclusive", "--size"),
        (("first", "--study", "s.toml"), "no file 's.toml' in the head", "--study"),
        (("first", *CODE, "--comment", "no/such/folder/c.md"), "there is no folder", "--comment"),
        (("first", *CODE, "--fail-if-slower", "much"), "is not a percentage", "--fail-if-slower"),
        (("first", *CODE, "--metric", "tempo"), "unknown metric 'tempo'", "--metric"),
    ],
)
def test_a_mistake_is_told(
    repository: Path, arguments: tuple[str, ...], what: str, where: str
) -> None:
    error = mistake("gate", *arguments)
    assert what in error.what
    assert error.where == where
    assert [text for text in (error.valid, error.hint) if text], "a way on"
    assert planted.git(repository, "status", "--porcelain") == "", "no store, no files"
    assert len(planted.git(repository, "worktree", "list").splitlines()) == 1


def test_a_folder_that_only_the_head_has(repository: Path) -> None:
    planted.commit(repository, 0, "third", folder="new")
    error = mistake("gate", "first", "--code", "new", "--scheme", "speck-64-128-ecb")
    assert "new does not exist in commit" in error.what
    assert error.where == "BASE"


def test_a_shallow_clone_says_how_to_get_the_base(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shallow = repository.parent / "shallow"
    planted.git(
        repository, "clone", "--quiet", "--depth", "1", f"file://{repository}", str(shallow)
    )
    monkeypatch.chdir(shallow)
    error = mistake("gate", "HEAD^", *CODE)
    assert error.hint is not None
    assert "fetch-depth: 0" in error.hint


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    error = mistake("gate", "main", *CODE)
    assert "not in the work tree of a git repository" in error.what
