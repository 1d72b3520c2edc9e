"""Two commits measured in turn: the answer, its exit code and files, and a repository that stays as
it was.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import planted
import pytest

from motebench.catalog.devices import DEVICES
from motebench.store import Store
from tests.integration.conftest import Motebench, Result, as_from_a_terminal, need_simulator

CODE = (
    "--code",
    "speck",
    "--scheme",
    "speck-64-128-ecb",
    "--operation",
    "encrypt",
    "--size",
    "64",
    "--quiet",
)
BOARD = (*CODE, "--target", "sim:atmega328p")
Call = Callable[..., Result]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Commits: `same` changes a comment, `slower` plants extra rounds."""
    top = planted.make(tmp_path / "repository")
    for tag, extra in (("first", 0), ("same", 0), ("slower", 22)):
        planted.commit(top, extra, f"{tag} <b>|*")
        planted.git(top, "tag", tag)
    return top


@pytest.fixture
def gate(motebench: Motebench, repository: Path, tmp_path: Path) -> Call:
    """Calls the command in the repository, with a store beside it; nothing may be left in the
    repository.
    """

    def call(*arguments: str) -> Result:
        before = state(repository)
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "motebench",
                "gate",
                *arguments,
                "--store",
                str(tmp_path / "gate.db"),
            ],
            cwd=repository,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200"},
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert "defect" not in done.stderr, done.stderr
        assert state(repository) == before
        return Result(done.returncode, done.stdout, done.stderr)

    return call


def state(repository: Path) -> tuple[str, ...]:
    """State that the gate must not change: branch, files, index and work trees."""
    asked = (
        ("status", "--porcelain"),
        ("symbolic-ref", "HEAD"),
        ("worktree", "list"),
        ("for-each-ref",),
    )
    return tuple(planted.git(repository, *words) for words in asked)


def test_a_planted_slowdown_on_a_board_is_exact_and_by_function(gate: Call, tmp_path: Path) -> None:
    need_simulator(DEVICES.find("atmega328p"))
    files = {name: tmp_path / name for name in ("comment.md", "gate.svg", "metrics.txt")}
    options = zip(
        ("--comment", "--picture", "--openmetrics"), map(str, files.values()), strict=True
    )
    found = gate("first", "slower", *BOARD, "--json", *(word for pair in options for word in pair))
    assert found.code == 4
    document = found.json
    assert (document["answer"], document["runs"]) == ("slower", 1)
    (cycles,) = (pair for pair in document["counts"]["comparisons"] if pair["metric"] == "cycles")
    assert cycles["test"] == "exact"
    more = cycles["median_b"] - cycles["median_a"]
    by_function = {entry["function"]: entry for entry in document["function_cycles"]}
    assert (
        sum((entry["head"] or 0) - (entry["base"] or 0) for entry in by_function.values())
        == more
        > 0
    )
    assert set(by_function) == {"crypto_cipher_encrypt", "word_at"}, (
        "what the probe calls while it waits is none of it"
    )
    assert (
        by_function["crypto_cipher_encrypt"]["head"] > by_function["crypto_cipher_encrypt"]["base"]
    )
    assert not any(name.startswith("mb_") for name in by_function)
    larger = {(entry["memory"], entry["function"]) for entry in document["function_bytes"]}
    assert ("flash", "crypto_cipher_encrypt") in larger
    text = files["comment.md"].read_text()
    assert text.startswith("### motebench: a case is certainly slower by more than 1 %")
    assert "&lt;b&gt;\\|\\*" in text, "the subject of a commit means nothing in Markdown"
    assert f"{cycles['median_b']:,.0f}" in text
    picture = ElementTree.fromstring(files["gate.svg"].read_text())
    assert len(picture.findall("{*}rect")) == 3 + 2 * len(document["counts"]["comparisons"])
    assert files["metrics.txt"].read_text().endswith("# EOF\n")


def test_a_changed_comment_is_no_slowdown_and_what_is_not_committed_is_not_measured(
    gate: Call, repository: Path
) -> None:
    need_simulator(DEVICES.find("atmega328p"))
    (repository / "speck" / "cipher.c").write_text("nonsense\n")
    found = gate("first", "same", *BOARD, "--json", "--fail-if-slower", "0.001%")
    assert found.code == 0
    assert (found.json["answer"], found.json["function_cycles"], found.json["function_bytes"]) == (
        "passed",
        [],
        [],
    )
    assert found.json["uncommitted"] == ["M speck/cipher.c"]


def test_code_that_does_not_build_in_the_head_is_undecided(gate: Call, repository: Path) -> None:
    need_simulator(DEVICES.find("atmega328p"))
    (repository / "speck" / "cipher.c").write_text(
        "int crypto_cipher_encrypt(void) { return nothing; }\n"
    )
    planted.git(repository, "commit", "--all", "--quiet", "--message", "broken")
    found = gate("first", *BOARD, "--json")
    assert found.code == 3
    assert found.json["comparison"] is None
    assert {(entry["commit"], entry["kind"]) for entry in found.json["failures"]} == {
        ("head", "build")
    }


def test_a_study_of_the_repository(gate: Call, repository: Path) -> None:
    need_simulator(DEVICES.find("atmega328p"))
    (repository / "study.toml").write_text(
        'title = "speck"\n[[measure]]\nschemes = ["speck-64-128-ecb"]\ncode = ["speck"]\n'
        'targets = ["sim:atmega328p"]\noperations = ["encrypt"]\nsizes = ["16"]\n'
        '[[measure]]\nschemes = ["sha256"]\ntargets = ["host"]\nsizes = ["16"]\n'
    )
    planted.git(repository, "add", "study.toml")
    planted.git(repository, "commit", "--quiet", "--message", "a study")
    found = gate("same", "HEAD", "--study", "study.toml", "--quiet", "--json")
    assert found.code == 4
    assert {pair["scheme"] for pair in found.json["comparison"]["comparisons"]} == {
        "speck-64-128-ecb"
    }


def test_ctrl_c_leaves_nothing_behind(repository: Path, tmp_path: Path) -> None:
    before = state(repository)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = ("gate", "first", "slower", *CODE[:-1], "--store", str(tmp_path / "gate.db"))
    process = subprocess.Popen(
        [sys.executable, "-m", "motebench", *command],
        cwd=repository,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=as_from_a_terminal,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    assert process.stderr is not None
    assert any(line.startswith("run ") for line in process.stderr)
    assert any(scratch.glob(".motebench-*/head/speck"))
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    assert state(repository) == before
    assert not any(scratch.glob(".motebench-*/head"))


def test_runs_on_this_machine_take_turns(gate: Call, tmp_path: Path) -> None:
    found = gate("first", "same", *CODE, "--fast", "--budget", "100ms", "--runs", "2", "--json")
    assert found.code in (0, 3, 4), found.err
    assert (found.json["runs"], found.json["counts"], found.json["looks"]) == (2, None, [2])
    with Store.open(tmp_path / "gate.db", create=False) as store:
        names = [info.name for info in store.runs()]
    base, head = (found.json[side]["group"] for side in ("base", "head"))
    assert [{*names[at : at + 2]} for at in (0, 2)] == [
        {f"{base}-{n}", f"{head}-{n}"} for n in (1, 2)
    ]
