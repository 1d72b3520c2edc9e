"""Bytes that are not UTF-8 in names of stores, runs and files: an error that says where, and
nothing is made.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_runs_command import call, mistake

from motebench.base.errors import InputError, StoreError
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.store import Store

CAFE = "caf\udce9"
"""The argument whose last byte is 0xe9."""
RUN = ("run", "--scheme", "sha256", "--implementation", "openssl", "--size", "16", "--dry-run")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MOTEBENCH_STORE", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (("list", "runs", "--store", f"{CAFE}.db"), "--store"),
        ((*RUN, "--store", f"{CAFE}.db"), "--store"),
        ((*RUN, "--name", CAFE), "--name"),
        (("run", "--scheme", "sha256", "--file", f"{CAFE}.bin", "--dry-run"), "--file"),
        (("compare", "1", "2", "--store-b", CAFE), "--store-b"),
        (("show", CAFE), "RUN"),
        (("runs", "note", "1", CAFE), "[WORD]..."),
        (("doctor", "--store", "m.db", "--repair", CAFE), "--repair"),
    ],
)
def test_the_option_is_named(here: Path, line: tuple[str, ...], where: str) -> None:
    (here / f"{CAFE}.bin").write_bytes(b"x")
    before = sorted(here.iterdir())
    error = mistake(*line)
    assert error.where == where
    assert "UTF-8" in error.what
    str(error).encode()
    assert sorted(here.iterdir()) == before


def test_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTEBENCH_STORE", f"{CAFE}.db")
    assert mistake("show").where == "MOTEBENCH_STORE"


def test_files_that_are_only_written_may_have_any_name(here: Path) -> None:
    call("export", "-f", "csv", "--help")
    assert "there is no store" in mistake("export", "-f", "csv", "-o", f"{CAFE}.csv").what


def test_the_python_api_refuses_them_too(here: Path) -> None:
    (here / CAFE).write_bytes(b"x")
    with pytest.raises(StoreError, match="UTF-8"):
        Store.open(f"{CAFE}.db", create=True)
    with (
        Store.open("m.db", create=True) as store,
        pytest.raises(InputError, match="cannot be the name"),
    ):
        store.create_run(CAFE, "", {}, {}, 0, "0.1.0", [])
    with pytest.raises(InputError, match="UTF-8"):
        from_options(Options(schemes=("sha256",), files=(CAFE,)), Sampling(), WholeFile())
