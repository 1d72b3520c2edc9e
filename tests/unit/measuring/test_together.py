"""Several runs as one result document, and as one report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import motebench
from motebench.base.errors import InputError
from motebench.base.model import (
    Case,
    CaseResult,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    Run,
    RunInfo,
    Sample,
    Series,
)
from motebench.base.shapes import as_document
from motebench.cli.app import app
from motebench.documents import schema
from motebench.results.together import together
from motebench.show.report.page import render

CASE = Case("sha256", "openssl", Operation.DIGEST, 64, "host", "openssl")
ENVIRONMENT = {
    "host": {"cpu_model": "toy"},
    "probes": {"openssl": {"version": "3.0"}, "sim:x mote/a": {}},
}


def result(ns: float, case: Case = CASE, **more) -> CaseResult:
    """Nine readings around ``ns``."""
    samples = tuple(Sample(at, ns + at - 4) for at in range(9))
    return CaseResult(
        case, (Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples),), **more
    )


def run(number: int, *results: CaseResult, status: str = "finished", **more) -> Run:
    started = f"2026-11-22T10:{number:02}:00+00:00"
    info = RunInfo(
        number,
        f"base-{number}",
        "",
        started,
        started,
        status,
        "0.1.0",
        1,
        environment=ENVIRONMENT,
        **more,
    )
    return Run(info, results, ())


def documented(groups) -> dict:
    found = as_document(together(groups))
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    return found


def test_values_are_medians_of_runs():
    found = documented(
        {"base": [run(n, result(1000 + 10 * n, finished=True)) for n in range(1, 8)]}
    )
    time = next(item for item in found["measurements"] if item["metric"] == "time")
    assert time["values"] == [1010, 1020, 1030, 1040, 1050, 1060, 1070]
    assert (time["n"], time["median"], time["rounds"]) == (7, 1040, [0, 1, 2, 3, 4, 5, 6])
    assert time["ci_low"] is not None, "seven runs have an interval"
    assert time["implementation"] == "openssl"
    told = found["run"]
    assert (told["name"], told["status"], told["started"]) == (
        "base",
        "finished",
        "2026-11-22T10:01:00+00:00",
    )
    assert told["cases"] == {"finished": 7, "failed": 0, "pending": 0}
    assert "each value is the median of a run" in told["notes"][0]
    assert "base-1, base-2" in told["notes"][0]


def test_groups_stand_before_implementations():
    old, new = (
        [run(n, result(ns)) for n in ns_of] for ns, ns_of in ((1000, (1, 3)), (500, (2, 4)))
    )
    found = documented({"old": old, "new": new})
    medians = {
        item["implementation"]: item["median"]
        for item in found["measurements"]
        if item["metric"] == "time"
    }
    assert medians == {"old:openssl": 1000, "new:openssl": 500}
    assert set(found["environment"]["probes"]) == {
        "old:openssl",
        "sim:x old:mote/a",
        "new:openssl",
        "sim:x new:mote/a",
    }
    page = render(together({"old": old, "new": new}))
    assert "old:openssl" in page
    assert "new:openssl" in page


def test_what_failed_in_some_runs_names_them():
    crash = Failure.of_case(CASE, FailureKind.CRASH, "it fell")
    failed = CaseResult(CASE, failure=crash)
    found = documented({"base": [run(1, result(1000)), run(2, failed), run(3, failed)]})
    (failure,) = found["failures"]
    assert failure["message"] == "base-2, base-3: it fell"
    everywhere = documented({"base": [run(1, failed), run(2, failed)]})
    assert [item["message"] for item in everywhere["failures"]] == ["it fell"]


def test_notes_and_doubts_of_single_runs_are_kept():
    disturbed = result(1000)
    (series,) = disturbed.series
    marked = tuple(replace(sample, disturbed="lost the processor") for sample in series.samples)
    disturbed = replace(disturbed, series=(replace(series, samples=marked),), notes=("busy",))
    found = documented({"base": [run(1, result(1000)), run(2, disturbed, notes=("loaded",))]})
    time = next(item for item in found["measurements"] if item["metric"] == "time")
    assert (time["disturbed"], time["quotable"]) == (9, False)
    assert "base-2: busy" in time["notes"]
    assert "base-2: loaded" in found["run"]["notes"]


def test_runs_that_measured_in_other_ways_have_no_report():
    counted = result(1000)
    simulated = replace(counted, series=(replace(counted.series[0], evidence=Evidence.SIMULATED),))
    with pytest.raises(InputError, match="all runs of a group must measure in the same way"):
        together({"base": [run(1, counted), run(2, simulated)]})


def test_a_report_of_a_stored_group(tmp_path: Path):
    store, page = tmp_path / "m.db", tmp_path / "r.html"
    case = {
        "implementations": "mote/xtea",
        "targets": "sim:atmega328p",
        "sizes": 16,
        "operations": "encrypt",
    }
    motebench.measure_runs("xtea-ecb", **case, runs=2, name="base", store=store)
    done = CliRunner().invoke(app, ["report", "base", "--store", str(store), "--output", str(page)])
    assert done.exit_code == 0, done.output
    assert "base-1, base-2" in page.read_text()
