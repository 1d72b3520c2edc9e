"""Several cores of this machine: processes at once, each on a different core."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from quiet_cores import quiet_cores
from result_documents import document

from motebench.base.paths import probe_dirs, probes_in
from motebench.cli.app import app
from motebench.measuring.request import Start, carry_out
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.targets.host.this_machine import ThisMachine
from tests.integration.conftest import Motebench

CORES = len(os.sched_getaffinity(0))


@pytest.fixture(autouse=True)
def probes() -> None:
    if "mote/xtea" not in probes_in(probe_dirs()):
        pytest.skip("no probe for mote/xtea is built: make setup")
    if CORES < 2:
        pytest.skip("this machine has one core")


def test_a_run_on_one_and_two_cores_has_both_and_their_speedup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet_cores(monkeypatch)
    pinned: list[int] = []
    usual = ThisMachine.on_core
    monkeypatch.setattr(
        ThisMachine, "on_core", lambda self, core: pinned.append(core) or usual(self, core)
    )
    spelt = Options(
        schemes=("xtea-cbc",),
        implementations=("mote/xtea",),
        operations=("encrypt",),
        sizes=("1KiB",),
        cores="all",
    )
    sampling = Sampling.model_validate({"preset": "fast", "budget": "500ms"})
    (run,) = carry_out(tmp_path / "runs.db", Start(from_options(spelt, sampling, WholeFile()))).runs
    counts = {result.case.cores for result in run.results}
    assert {1, 2, CORES} <= counts and not run.failures
    assert [result.failure for result in run.results if result.failure is not None] == []
    assert set(pinned) == set(ThisMachine().cores()), "each core had a process"
    found = document(run)
    rows = {row["cores"]: row for row in found["measurements"] if row["metric"] == "throughput"}
    assert rows.keys() == counts and all(row["quotable"] for row in rows.values())
    metrics = {row["metric"] for row in found["measurements"]}
    assert {"time", "cpu_time"} <= metrics and "energy" not in metrics and "peak_rss" not in metrics
    assert {entry["cores"] for entry in found["scaling"]} == counts - {1}


def test_cpu_all_on_the_command_line(
    motebench: Motebench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet_cores(monkeypatch)
    monkeypatch.chdir(tmp_path)
    asked = (
        "run",
        "--scheme",
        "xtea-cbc",
        "--implementation",
        "mote/xtea",
        "--operation",
        "encrypt",
        "--size",
        "64",
        "--cpu",
        "all",
        "--precision",
        "5%",
        "--budget",
        "500ms",
    )
    done = CliRunner().invoke(app, asked, standalone_mode=False)
    assert done.return_value == 0, done.stderr
    assert "Throughput of all cores together" in done.stdout and "2 cores" in done.stdout
    document = motebench("show", "--json").json
    assert {entry["cores"] for entry in document["measurements"]} >= {1, 2}


@pytest.mark.parametrize("value", ["some", "1.5", "-1", "99999", ""])
def test_a_core_that_is_none_is_refused(motebench: Motebench, value: str) -> None:
    done = motebench("run", "--scheme", "sha256", "--cpu", value)
    assert done.code == 2
    assert "Traceback" not in done.err and "core" in done.err


def test_a_study_file_says_itself_on_how_many_cores(motebench: Motebench, tmp_path: Path) -> None:
    done = motebench("run", "quickstart", "--cpu", "all")
    assert done.code != 0
    assert 'cores = "all"' in done.err
    study = tmp_path / "study.toml"
    study.write_text(
        '[[measure]]\nschemes = ["xtea-cbc"]\nimplementations = ["mote/xtea"]\noperations = '
        '["encrypt"]\n'
        f'sizes = [64]\ncores = [1, {CORES + 1}]\n[sampling]\npreset = "fast"\nbudget = "1s"\n'
    )
    done = motebench("run", str(study), "--json")
    found = {failure["cores"]: failure["message"] for failure in json.loads(done.out)["failures"]}
    assert f"it has {CORES}" in found[CORES + 1]
