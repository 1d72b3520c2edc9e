"""Several boards in one study: each alone with its own cases, in parallel, and one that fails costs
its own.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from pathlib import Path

import piped_place
import pytest
from conftest import probe_of

from motebench.base.errors import SetupError
from motebench.base.model import FailureKind, Run
from motebench.measuring.request import Resume, Start, carry_out
from motebench.measuring.run.records import Silent
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.targets.base import Target, TargetRequest
from motebench.targets.host.machine import Program
from motebench.targets.host.programs import machine_target
from motebench.targets.registry import KINDS, TargetKind
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import Stream


class Board(piped_place.PipedMachine):
    """Fake board: its requests, and when it fails, are class attributes."""

    busy: dict[str, set[int]] = {}  # noqa: RUF012 - threads that used each board
    breaks: dict[str, Exception] = {}  # noqa: RUF012 - what a board raises once the run is planned
    planned = threading.Event()

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, folder)
        self.apart = name

    def connect(self, program: Program) -> Stream:
        if self.planned.is_set():
            self.busy.setdefault(self.name, set()).add(threading.get_ident())
            if self.name in self.breaks:
                raise self.breaks[self.name]
        return super().connect(program)


class Watching(Silent):
    """Observer that reports when the plan is made."""

    def planned(self, plan: object) -> None:
        Board.planned.set()


class Observer:
    def run(self, turn: object, place: int, of: int):  # type: ignore[no-untyped-def]
        import contextlib

        return contextlib.nullcontext(Watching())


def open_kind(asked: TargetRequest) -> Target:
    return machine_target(Board(asked.name, Path(asked.name.partition(":")[2])), asked.code)


def names() -> dict[str, str]:
    return {}


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Targets: three boards with one probe each."""
    monkeypatch.setitem(KINDS, "board:", TargetKind(__name__))
    monkeypatch.setattr(Board, "busy", {})
    monkeypatch.setattr(Board, "breaks", {})
    monkeypatch.setattr(Board, "planned", threading.Event())
    built = probe_of("mote/xtea")
    for name in "abc":
        (tmp_path / name).mkdir()
        shutil.copy(built, tmp_path / name / "probe-xtea")
    return [f"board:{tmp_path / name}" for name in "abc"]


def measured(tmp_path: Path, targets: list[str], **sampling: object) -> Run:
    spelt = Options(
        targets=tuple(targets),
        schemes=("xtea-cbc", "xtea-ecb"),
        operations=("encrypt",),
        sizes=("64",),
    )
    chosen = Sampling.model_validate({"preset": "fast", "budget": "1s", **sampling})
    question = from_options(spelt, chosen, WholeFile())
    (run,) = carry_out(tmp_path / "runs.db", Start(question, name="it", seed=1), Observer()).runs
    return run


def test_each_board_has_a_thread_of_its_own_and_every_case_its_number(
    tmp_path: Path, boards: list[str]
) -> None:
    run = measured(tmp_path, boards)
    assert len(run.results) == 6 and all(
        result.finished and result.series for result in run.results
    )
    users = list(Board.busy.values())
    assert (
        len(users) == 3
        and all(len(threads) == 1 for threads in users)
        and len(set.union(*users)) == 3
    )
    rounds = [
        [sample.round for sample in series.samples]
        for result in run.results
        for series in result.series
        if series.metric == "time"
    ]
    assert all(numbers == list(range(len(numbers))) for numbers in rounds), (
        "nothing is lost, nothing is doubled"
    )


def test_a_board_that_fails_costs_its_own_cases_and_resuming_completes(
    tmp_path: Path, boards: list[str]
) -> None:
    Board.breaks[boards[1]] = SetupError("the board is gone", hint="look after it")
    run = measured(tmp_path, boards)
    kinds = {
        target: {
            result.failure and result.failure.kind
            for result in run.results
            if result.case.target == target
        }
        for target in boards
    }
    assert kinds == {boards[0]: {None}, boards[1]: {FailureKind.LOST}, boards[2]: {None}}
    assert all(
        "the board is gone" in result.failure.message for result in run.results if result.failure
    )
    Board.breaks.clear()
    (again,) = carry_out(tmp_path / "runs.db", Resume("it")).runs
    assert all(result.finished and result.failure is None for result in again.results)
    before = {result.case: result.series for result in run.results if result.finished}
    assert all(
        result.series == before[result.case] for result in again.results if result.case in before
    )


def test_a_board_that_is_not_there_costs_its_own_cases(
    tmp_path: Path, boards: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(self: Board) -> dict[str, str]:
        if self.name == boards[0]:
            raise SetupError("no board answers", hint="is it on?")
        return piped_place.PipedMachine.probes(self)  # type: ignore[return-value]

    monkeypatch.setattr(Board, "probes", nobody)
    run = measured(tmp_path, boards)
    assert {result.case.target for result in run.results} == set(boards[1:])
    (lost,) = run.failures
    assert (lost.target, lost.kind) == (
        boards[0],
        FailureKind.LOST,
    ) and "no board answers: is it on?" in lost.message
    with pytest.raises(SetupError, match="no board answers"):
        measured(tmp_path / "b", boards[:1])


def test_an_error_of_motebench_itself_is_raised_after_the_other_boards_are_done(
    tmp_path: Path, boards: list[str]
) -> None:
    Board.breaks[boards[0]] = ZeroDivisionError("a defect")
    with pytest.raises(ZeroDivisionError):
        measured(tmp_path, boards)
    assert not isinstance(ZeroDivisionError("x"), ProbeFailure)


def test_ctrl_c_ends_every_board_in_order(
    tmp_path: Path, boards: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from motebench.measuring.run import records

    taken = []

    def interrupted(self: records.StoredRecords, *given: object) -> None:
        taken.append(given)
        real(self, *given)  # type: ignore[arg-type]
        if len(taken) == 1:  # of the first round: no board has taken all of its own 20
            signal_self()

    def signal_self() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    real = records.StoredRecords.samples
    monkeypatch.setattr(records.StoredRecords, "samples", interrupted)
    # Ignored where tests run in the background
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run = measured(tmp_path, boards, budget="1h", min_samples=20, max_samples=20)
    finally:
        signal.signal(signal.SIGINT, before)
    assert run.info.status == "interrupted" and any(not result.finished for result in run.results)
    monkeypatch.setattr(records.StoredRecords, "samples", real)
    (again,) = carry_out(tmp_path / "runs.db", Resume("it")).runs
    assert again.info.status == "finished" and all(result.finished for result in again.results)
