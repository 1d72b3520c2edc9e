"""``motebench show --history``: the page of a history as text and as its files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from motebench.cli.app import app
from tests.support import site_store

CASE = ("--scheme", "ascon-aead128", "--implementation", "mote/ascon", "--target", site_store.SAMD)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site_store.make(tmp_path_factory.mktemp("store") / "site.db")


def show(store: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["show", *options, "--store", str(store)])


def test_a_history_lists_runs_builds_and_the_new_level(store: Path) -> None:
    done = show(store, "--history", *CASE, "--metric", "cycles")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    runs = [line for line in lines if "2026-" in line]
    assert len(runs) == site_store.MONTHS
    (level,) = (line for line in runs if "new level" in line)
    assert f"{site_store.FIRST_SLOWER} " in level
    assert "+10 %" in level
    assert "compiler gcc 13.2" in level
    assert [line.split("gcc ")[1].split()[:2] for line in lines[-2:]] == [
        ["12.2", "8"],
        ["13.2", "4"],
    ]


def test_its_files_are_those_of_the_page(store: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(show(store, "--history=csv", *CASE).stdout)))
    document = json.loads(show(store, "--history", "--json", *CASE).stdout)
    assert document["metric"] == "cycles"
    assert [float(row["median"]) for row in rows] == [13200.0] * 4 + [12000.0] * 8
    assert [entry["median"] for entry in document["measurements"]] == [
        float(row["median"]) for row in rows
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--history", "--scheme", "ascon-aead128"), "3 cases fit"),
        (("--history", *CASE, "--metric", "energy"), "no measured case"),
        (("--history", "--scheme", "ascon-aead129"), "did you mean 'ascon-aead128'"),
        (("3", "--history"), "RUN: --history"),
        (("--history", "--details"), "--details: --history"),
        (("--target", "host"), "needs --history"),
    ],
)
def test_mistakes_are_named(store: Path, options: tuple[str, ...], message: str) -> None:
    done = CliRunner().invoke(app, ["show", *options, "--store", str(store)])
    error = done.exception if done.exception and not done.output else done.output
    assert message in str(error)
