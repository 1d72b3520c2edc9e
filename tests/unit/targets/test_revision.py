"""Commits of folders of code: what differs from them as git says it, and nothing of a hostile
repository is run.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from motebench import version
from motebench.targets import revision
from motebench.targets.code.folder import read

API = "#define CRYPTO_BYTES 32\n"
SOURCE = (
    "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long n) { return "
    "0; }\n"
)


def git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    line = ["git", "-C", str(folder), *settings, *words]
    return subprocess.run(
        line, check=True, capture_output=True, text=True, env=environment
    ).stdout.strip()


def written(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "api.h").write_text(API)
    (folder / "hash.c").write_text(SOURCE)
    return folder


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A folder of code in the middle of a repository, as it was committed."""
    folder = written(tmp_path / "repository" / "sub [d] *dir" / "hash")
    (tmp_path / "repository" / "README").write_text("text\n")
    (folder / "notes.txt").symlink_to("../../README")
    git(tmp_path / "repository", "init", "-q")
    git(tmp_path / "repository", "add", "-A")
    git(tmp_path / "repository", "commit", "-q", "-m", "first")
    return folder


def facts(folder: Path) -> dict[str, Any]:
    return revision.code_revision(read(folder))


def test_a_folder_as_it_was_committed_has_its_commit_and_no_changes(code: Path) -> None:
    (code.parent.parent / "README").write_text("another text, outside of the code\n")
    (code.parent.parent / "new").write_text("the same\n")
    found = facts(code)
    assert found == {
        "repository": str(code.parent.parent),
        "commit": git(code, "rev-parse", "HEAD"),
        "changed_files": 0,
        "changed": [],
    }


def test_changed_missing_staged_and_new_files_differ(code: Path) -> None:
    (code / "api.h").write_text(API + "\n")
    git(code, "add", "api.h")  # git diff says nothing of it
    (code / "notes.txt").unlink()
    (code / "deep").mkdir()
    (code / "deep" / "new.h").write_text("")
    found = facts(code)
    assert (found["changed_files"], found["changed"]) == (3, ["api.h", "deep/new.h", "notes.txt"])


def test_only_content_counts_and_not_when_it_was_written(code: Path) -> None:
    os.utime(code / "hash.c", (1, 1))
    (code / "hash.c").chmod(0o755)
    # As a checkout with core.autocrlf
    (code / "api.h").write_bytes(API.replace("\n", "\r\n").encode())
    assert facts(code)["changed_files"] == 0


def test_what_git_ignores_does_not_count_unless_it_is_code(code: Path) -> None:
    (code / ".gitignore").write_text("*.o\ngenerated.*\n")
    git(code, "add", "-A")
    git(code, "commit", "-q", "-m", "ignores")
    for name in ("hash.o", "generated.txt", "generated.c"):
        (code / name).write_text("")
    (code.parent.parent / ".git" / "info" / "exclude").write_text("*.swp\n")
    (code / "hash.swp").write_text("")
    assert facts(code)["changed"] == ["generated.c"]


def test_the_whole_repository_may_be_the_folder_and_its_history_is_no_code(tmp_path: Path) -> None:
    folder = written(tmp_path / "all")
    before = read(folder).digest
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    assert read(folder).digest == before
    assert facts(folder)["changed_files"] == 0


def test_without_a_repository_or_a_commit_it_is_said(tmp_path: Path) -> None:
    folder = written(tmp_path / "alone")
    assert facts(folder) == {"unknown": "it is in no git repository"}
    git(folder, "init", "-q")
    found = facts(folder)
    assert "commit" not in found and "no commit" in found["unknown"]


def test_without_git_the_commit_is_known_and_what_differs_is_not(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = git(code, "rev-parse", "HEAD")
    monkeypatch.setattr("shutil.which", lambda name: None)
    found = facts(code)
    assert found["commit"] == commit and "changed_files" not in found
    assert found["unknown"].endswith("git is not installed")


def test_a_worktree_and_names_by_sha256(tmp_path: Path, code: Path) -> None:
    root = code.parent.parent
    git(root, "worktree", "add", "-q", "../other", "-b", "topic")
    other = root.parent / "other" / "sub [d] *dir" / "hash"
    (other / "hash.c").write_text(SOURCE + "\n")
    assert facts(other)["changed"] == ["hash.c"] and facts(code)["changed"] == []
    folder = written(tmp_path / "long")
    git(folder, "init", "-q", "--object-format=sha256")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    found = facts(folder)
    assert len(found["commit"]) == 64 and found["changed_files"] == 0


def test_nothing_that_a_hostile_repository_names_is_run(code: Path, tmp_path: Path) -> None:
    root, trace = code.parent.parent, tmp_path / "was-run"
    script = tmp_path / "script.sh"
    script.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{trace}'\ncat\n")
    script.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.external",
        "diff.evil.textconv",
        "core.sshCommand",
        "core.gitProxy",
        "core.pager",
        "core.alternateRefsCommand",
        "gpg.program",
    ):
        git(root, "config", key, str(script))
    git(root, "config", "filter.evil.required", "true")
    git(root, "config", "remote.origin.url", f"ext::{script}")
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "core.repositoryformatversion", "1")
    git(root, "config", "extensions.partialClone", "origin")
    git(root, "config", "alias.ls-tree", f"!{script}")
    git(root, "config", "core.hooksPath", str(tmp_path / "hooks"))
    hooks = [tmp_path / "hooks", root / ".git" / "hooks"]
    for folder in hooks:
        folder.mkdir(exist_ok=True)
        for name in (
            "post-index-change",
            "fsmonitor-watchman",
            "pre-commit",
            "post-checkout",
            "reference-transaction",
        ):
            (folder / name).write_bytes(script.read_bytes())
            (folder / name).chmod(0o755)
    (root / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (code / "hash.c").write_text(SOURCE + "// changed\n")
    (code / "new.txt").write_text("")
    # The trap works: git itself runs it in this folder.
    subprocess.run(
        ["git", "-C", str(root), "status", "--porcelain"], check=False, capture_output=True
    )
    assert trace.exists()
    trace.unlink()

    assert facts(code)["changed"] == ["hash.c", "new.txt"]
    assert not trace.exists()

    # Nor is anything fetched that the repository lacks.
    blob = git(root, "rev-parse", "HEAD^{tree}")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    trace.unlink(missing_ok=True)
    found = facts(code)
    assert "changed" not in found and "differ" in found["unknown"]
    assert not trace.exists()


def test_pipes_in_the_place_of_gits_files_are_not_waited_for(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git_folder = code.parent.parent / ".git"
    exclude = git_folder / "info" / "exclude"
    exclude.unlink(missing_ok=True)
    os.mkfifo(exclude)
    (code / "new.txt").write_text("")
    assert facts(code)["changed"] == ["new.txt"]
    monkeypatch.setattr(revision, "_SECONDS", 0.5)
    os.mkfifo(code.parent / ".gitignore")
    assert "commit" in facts(code)
    (git_folder / "HEAD").unlink()
    os.mkfifo(git_folder / "HEAD")
    assert "no commit" in facts(code)["unknown"]


def test_a_head_that_leads_elsewhere_is_no_commit(code: Path) -> None:
    head = code.parent.parent / ".git" / "HEAD"
    head.write_text("ref: refs/heads/loop\n")
    (head.parent / "refs" / "heads" / "loop").write_text("ref: refs/heads/loop\n")
    assert version.head(code.parent.parent) is None
    head.write_text("ref: ../../sub [d] *dir/hash/api.h\n")
    assert version.head(code.parent.parent) is None


def test_a_pinned_source_is_named_where_the_program_says_its_version() -> None:
    known = revision.pinned_facts("sim:atmega328p", "bearssl/aes-small@O2", "BearSSL 0.6")
    assert (
        known["source"]["file"].startswith("bearssl_0.6") and len(known["source"]["sha256"]) == 64
    )
    assert revision.pinned_facts("sim:atmega328p", "bearssl/aes-small", "BearSSL 0.5") == {}
    assert revision.pinned_facts("host", "openssl", "OpenSSL 3.0.15") == {}
    assert revision.pinned_facts("host", "mote/aes", "1") == {}
