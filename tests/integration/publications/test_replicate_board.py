"""A published study of a board, again on a simulator: interrupted, taken up, as a document and a
page, judged.
"""

from __future__ import annotations

import itertools
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from motebench.base.model import Case
from motebench.catalog.devices import devices
from motebench.measuring.request import Turn
from motebench.measuring.run import context
from motebench.measuring.run.records import Progress, RunState, Silent
from motebench.publications.papers.document import document
from motebench.publications.papers.looks import outlined
from motebench.publications.papers.parts import InputScale
from motebench.publications.papers.replicate import carried_out, replicate
from tests.integration.conftest import Motebench, need_simulator

KEY = "nist-lwc-2023"
SMALL = InputScale(small=True)
BEFORE = 7
"""Samples after which the first try is interrupted."""


class Impatient(Silent):
    """Interrupts a run as Ctrl-C does, after some samples."""

    def __init__(self) -> None:
        self._left = BEFORE

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""
        super().sampled(case, state)
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt

    @contextmanager
    def run(self, turn: Turn | None, place: int, count: int) -> Iterator[Progress]:
        """Report the start of a run, the ``place``-th of ``count``; the returned observer gets its
        progress.
        """
        del turn, place, count
        yield self


def samples(store: Path) -> set[tuple[object, ...]]:
    """Every stored reading with its case."""
    with closing(sqlite3.connect(store)) as database:
        found = database.execute(
            "select run_id, scheme, implementation, operation, input_bytes, metric, round, "
            "position, raw from samples "
            "join series on series.id = series_id join cases on cases.id = case_id"
        ).fetchall()
    assert len(set(found)) == len(found)
    return set(found)


def test_an_interrupted_replication_is_taken_up_and_judged(
    motebench: Motebench, tmp_path: Path
) -> None:
    need_simulator(devices()["samd21g18a"])
    store = tmp_path / "motebench.db"
    with pytest.raises(KeyboardInterrupt):
        replicate(KEY, str(store), observer=Impatient())
    early = samples(store)
    assert early

    page = tmp_path / "page.html"
    done = motebench("replicate", KEY, "--resume", "--json", "-o", str(page))
    assert done.code == 0
    late = samples(store)
    assert early < late, "what was measured is kept"
    (paper,) = done.json["papers"]
    assert [run["status"] for run in paper["runs"]] == ["finished", "finished"]
    assert [run["name"] for run in paper["runs"]] == [f"{KEY}_paper", f"{KEY}_own"]
    assert [claim["published"]["verdict"] for claim in paper["claims"]] == ["holds"] * 3
    assert [claim["replicated"]["verdict"] for claim in paper["claims"]] == ["holds"] * 3
    assert {table["table"] for table in paper["tables"]} == {"aead", "hash"}
    assert "printed numbers" in page.read_text()

    again = motebench("replicate", KEY, "--resume", "--json")
    assert again.json["papers"][0]["claims"] == paper["claims"]
    assert samples(store) == late, "nothing is measured twice"

    shown = motebench("compare", "--paper", KEY, f"{KEY}_paper", "--json")
    (checked,) = shown.json["papers"]
    assert [claim["replicated"] for claim in checked["claims"]] == [
        claim["replicated"] for claim in paper["claims"]
    ]
    assert all(claim["own"] is None for claim in checked["claims"])


def test_a_reviewer_measures_a_bundle_again_with_one_command(
    motebench: Motebench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_simulator(devices()["samd21g18a"])
    bundle = tmp_path / "sent.zip"
    made = motebench("replicate", KEY, "--scale", "small", "--bundle", str(bundle), "--json")
    assert made.code == 0 and f"motebench replicate --rerun {bundle}" in made.err

    elsewhere = tmp_path / "reviewer"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    again = motebench(
        "replicate", "--rerun", str(bundle), "--store", str(elsewhere / "own.db"), "--json"
    )
    assert again.code == 0
    rerun = again.json["rerun"]
    verdicts = [
        claim[side]
        for claim in made.json["papers"][0]["claims"]
        for side in ("published", "replicated", "own")
    ]
    assert (
        rerun["same"] == sum(verdict is not None for verdict in verdicts) and rerun["changed"] == []
    )
    assert rerun["differing"] == []
    assert again.json["papers"][0]["scale"] == "small", "the request of the bundle"
    assert samples(elsewhere / "own.db"), "measured again, and not copied"

    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "sent"
    assert {path.name for path in folder.iterdir()} == {
        "README.txt",
        "page.html",
        "replication.json",
        "request.json",
        "motebench.db",
        "study",
        "SHA256SUMS",
    }
    assert samples(folder / "motebench.db") == samples(tmp_path / "motebench.db"), (
        "every sample, and of no other run"
    )
    measured = {path.name for path in (folder / "study" / "measured").iterdir()}
    assert measured == {f"{run['name']}.toml" for run in made.json["papers"][0]["runs"]}
    refused = motebench(
        "replicate", "--rerun", str(folder), "--store", str(folder / "motebench.db")
    )
    assert refused.code == 2 and "the store of the bundle" in refused.err


def test_what_does_not_fit_the_budget_is_said_and_resuming_takes_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_simulator(devices()["samd21g18a"])
    store = str(tmp_path / "motebench.db")
    seconds = itertools.count()
    monkeypatch.setattr(context, "_worked", lambda: float(next(seconds)))
    first = carried_out(outlined(KEY, (), SMALL), store, budget=200.0)
    assert any(first.waiting.values()) and samples(Path(store)), "some readings fit, some did not"
    for run in first.runs:
        assert run.run.cases.pending == len(first.waiting[run.run.name]), "none is dropped"
        named = [
            line
            for line in first.problems
            if "did not fit" in line and f"of {run.run.cases.pending}" in line
        ]
        if not run.run.cases.pending:
            assert named == []
    assert any(
        "did not fit into the time; --resume continues them" in problem
        for problem in first.problems
    )
    (found,) = document([first]).papers
    assert [run.waiting for run in found.runs] == [
        first.waiting[run.run.name] for run in first.runs
    ]
    early = samples(Path(store))

    again = carried_out(outlined(KEY, (), SMALL), store, resume=True)
    assert not any(again.waiting.values()) and not again.problems
    assert [run.run.name for run in again.runs] == [run.run.name for run in first.runs], (
        "the same runs"
    )
    assert all(run.run.status == "finished" and not run.run.cases.pending for run in again.runs)
    assert early < samples(Path(store)), "what was measured is kept"
    assert all(claims.replicated.verdict.value == "holds" for claims in again.told)


def test_a_budget_that_is_used_up_measures_nothing_and_says_so(tmp_path: Path) -> None:
    need_simulator(devices()["samd21g18a"])
    done = carried_out(outlined(KEY, (), SMALL), str(tmp_path / "motebench.db"), budget=0.0)
    assert all(line.endswith("samples: 0") for lines in done.waiting.values() for line in lines)
    assert len(done.problems) == len(done.runs) == 2
    assert {claims.replicated.verdict.value for claims in done.told} == {"cannot be told"}
