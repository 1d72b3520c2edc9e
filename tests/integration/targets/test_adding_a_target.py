"""A kind of target is one module and one line in the registry: `piped_place` is measured on like
any other.
"""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import code_folders as folders
import held_board
import pytest
from conftest import probe_of

from motebench.base.model import Evidence, Run
from motebench.base.naming import probe_key
from motebench.base.paths import data_root
from motebench.measuring.plan.plan import find_targets, make_plan
from motebench.measuring.request import Start, carry_out
from motebench.measuring.run.records import Silent
from motebench.measuring.run.run import BegunRun, Runner
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.store import Store
from motebench.targets.registry import KINDS, TargetKind, open_target, split_names


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the other machine, with one probe."""
    monkeypatch.setitem(KINDS, "piped:", TargetKind("piped_place"))
    folder = tmp_path / "there"
    folder.mkdir()
    shutil.copy(probe_of("mote/xtea"), folder / "probe-xtea")
    return folder


def simulator_there() -> bool:
    return (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()


def measured(tmp_path: Path, there: Path, **options: object) -> Run:
    spelt = Options(targets=(f"piped:{there}",), sizes=("64",), **options)  # type: ignore[arg-type]
    sampling = Sampling.model_validate({"preset": "fast", "budget": "500ms"})
    question = from_options(spelt, sampling, WholeFile())
    (run,) = carry_out(tmp_path / "runs.db", Start(question)).runs
    return run


def test_it_offers_what_is_there(there: Path) -> None:
    target = open_target(f"piped:{there}")
    assert target.implementations() == ["xtea"]
    session = target.open("xtea")
    assert session.hello.implementation == "mote/xtea"
    session.close()
    assert split_names([f"piped:{there},host"]) == (f"piped:{there}", "host")


def test_a_run_measures_there_and_records_that_machine_beside_this_one(
    tmp_path: Path, there: Path
) -> None:
    name = f"piped:{there}"
    run = measured(tmp_path, there, schemes=("xtea-cbc",), operations=("encrypt",))
    ((case, series),) = [(result.case, result.series) for result in run.results]
    assert (case.target, case.provider) == (name, "xtea") and not run.failures
    (time,) = [item for item in series if item.metric == "time"]
    assert time.evidence is Evidence.MEASURED and time.samples
    environment = run.info.environment
    assert environment["machines"] == {
        name: {
            "host": {
                "kernel": f"{platform.system()} {platform.release()}",
                "architecture": platform.machine(),
            }
        }
    }
    assert environment["host"]["cores"] and probe_key(name, "xtea") in environment["probes"]
    assert "placement" not in environment["end"], "this machine pinned nothing"


def test_user_code_is_built_here_moved_there_and_asked_all_its_known_answers(
    tmp_path: Path, there: Path
) -> None:
    folder = folders.submission(tmp_path)
    run = measured(tmp_path, there, code=(str(folder),), operations=("encrypt-message",))
    assert [result.case.provider for result in run.results] == ["code/ref"] and not run.failures
    assert all(result.failure is None and result.series for result in run.results)
    assert [path for path in there.iterdir() if path.name != "probe-xtea"], (
        "its program was moved there"
    )
    assert any(
        "known answers of" in note and f"asked on piped:{there}" in note for note in run.info.notes
    )


def test_whole_files_are_a_failure_there_and_no_number(tmp_path: Path, there: Path) -> None:
    spelt = Options(schemes=("xtea-cbc",), targets=(f"piped:{there}",), file_sizes=("1KiB",))
    question = from_options(
        spelt, Sampling.model_validate({"preset": "fast"}), WholeFile(folder=str(tmp_path))
    )
    (run,) = carry_out(tmp_path / "runs.db", Start(question)).runs
    told = [result.failure.message for result in run.results if result.failure]
    assert told and all("whole files are not measured on piped:" in message for message in told)


def test_boards_at_several_places_are_measured_in_parallel_and_give_the_cycles_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("avr-gcc") is None or not simulator_there():
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")
    monkeypatch.setitem(KINDS, "held:", TargetKind("held_board"))
    spelt = Options(
        schemes=("xtea-ecb", "xtea-cbc"),
        implementations=("mote/xtea",),
        sizes=("16",),
        operations=("encrypt",),
        targets=("held:a", "held:b", f"sim:{held_board.DEVICE}"),
    )
    question = from_options(spelt, Sampling.model_validate({"preset": "fast"}), WholeFile())
    # The dry first look at each board, for the plan, is one after the other: they must not meet
    # then.
    monkeypatch.setattr(held_board.HeldBoard, "held", ["held:a", "held:b"])
    plan = make_plan(find_targets(question))
    monkeypatch.setattr(held_board.HeldBoard, "held", [])
    with Store.open(tmp_path / "runs.db", create=True) as store:
        run_id = store.create_run(
            name=None,
            study_text="",
            settings={},
            environment={},
            seed=1,
            version="x",
            cases=plan.cases,
        )
        assert not Runner(plan, BegunRun(run_id, 1), store, Silent()).run()
        run = store.load_run(run_id)
    assert [(result.finished, result.failure) for result in run.results] == [(True, None)] * 6
    cycles = {
        (result.case.scheme, result.case.target): {
            sample.raw
            for series in result.series
            if series.metric == "cycles"
            for sample in series.samples
        }
        for result in run.results
    }
    for scheme in ("xtea-ecb", "xtea-cbc"):
        (of_one,) = {frozenset(cycles[scheme, target]) for target in spelt.targets}
        assert len(of_one) == 1
