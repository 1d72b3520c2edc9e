"""A machine whose clock is lowered during a run: its times say so, wherever they are shown."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
from pathlib import Path

import pytest
import slowed_place
from conftest import probe_of

from motebench.base.model import Run
from motebench.cli.text.table import print_table
from motebench.measuring.request import Start, carry_out
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.results.document import result
from motebench.show.report.page import render
from motebench.store import Store
from motebench.targets.registry import KINDS, TargetKind

SLOW = "0x50005"


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(KINDS, "slowed:", TargetKind("slowed_place"))
    folder = tmp_path / "there"
    folder.mkdir()
    shutil.copy(probe_of("mote/xtea"), folder / "probe-xtea")
    return folder


def measured(tmp_path: Path, there: Path, samples: int) -> Run:
    spelt = Options(
        targets=(f"slowed:{there}",), schemes=("xtea-cbc",), operations=("encrypt",), sizes=("64",)
    )
    sampling = Sampling.model_validate(
        {
            "min_samples": samples,
            "max_samples": samples,
            "precision": "50%",
            "batch": "1ms",
            "cpu": "none",
            "budget": "1h",
        }
    )
    (run,) = carry_out(tmp_path / "runs.db", Start(from_options(spelt, sampling, WholeFile()))).runs
    return run


def marks(run: Run, metric: str) -> list[str]:
    return [
        sample.disturbed
        for result in run.results
        for series in result.series
        if series.metric == metric
        for sample in sorted(series.samples, key=lambda each: each.round)
    ]


def text_of(run: Run) -> str:
    out = io.StringIO()
    print_table(result(run), out)
    return out.getvalue()


def test_times_of_slowed_rounds_are_marked_and_measured_again(
    tmp_path: Path, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Before the first round, after it, and so on: slowed after the second round, and good again
    # after the third.
    monkeypatch.setattr(slowed_place.SlowedMachine, "flags", ("0x0", "0x0", SLOW, "0x50000"))
    run = measured(tmp_path, there, samples=12)
    found = marks(run, "cpu_time")
    slowed = ["slowed" in mark for mark in found]
    assert slowed[:5] == [False, True, True, False, False], (
        "that it was slowed earlier is no news later"
    )
    assert not any(slowed[3:])
    assert found[1] == "slowed: the firmware reports under-voltage, throttled"
    # A time that lost the processor, too, keeps that reason.
    assert all(mark for mark, slow in zip(marks(run, "time"), slowed, strict=True) if slow)
    end = run.info.environment["end"]["machines"][f"slowed:{there}"]
    assert end["conditions"]["throttling"] == {
        "before": [],
        "during": ["under-voltage", "throttled"],
        "after": [],
    }
    assert end["conditions"]["rounds_slowed"] == 2
    assert any("2 of" in note and "under-voltage" in note for note in run.info.notes)
    host = run.info.environment["machines"][f"slowed:{there}"]["host"]
    assert host["board"] == "Raspberry Pi 3 Model B Rev 1.2"


def test_a_run_that_was_slowed_throughout_has_no_time_to_quote(
    tmp_path: Path, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slowed_place.SlowedMachine, "flags", (SLOW,))
    run = measured(tmp_path, there, samples=7)
    assert marks(run, "cpu_time") and all(
        "under-voltage" in mark for mark in marks(run, "cpu_time")
    )
    (time,) = [row for row in result(run).measurements if row.metric == "time"]
    assert time.quotable is False
    with contextlib.closing(sqlite3.connect(tmp_path / "runs.db")) as database, database:
        # A time that was disturbed by other work, too, keeps that reason.
        database.execute(
            "update samples set disturbed = ? where disturbed <> ''", (marks(run, "cpu_time")[0],)
        )
    with Store.open(tmp_path / "runs.db", create=False) as store:
        only_slowed = store.load_run("latest")
    shown = " ".join(text_of(only_slowed).split())
    assert "(disturbed)" in shown and "Its clock was lowered in so many readings" in shown
    assert "Mend power supply or cooling" in shown and "quiet machine" not in shown
    assert (
        "clock: the times of" in shown
        and "rounds are marked: slowed: the firmware reports under-voltage" in shown
    )
    page = render(result(only_slowed))
    assert (
        "its clock was lowered in so many readings" in page
        and "Clock (kHz), temperature (°C) and load of" in page
    )
