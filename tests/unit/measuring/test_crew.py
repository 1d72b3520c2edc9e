"""Entries of workers: each taken once and in order, whatever is lost, late or told twice."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.measuring.fleet.crew import Away, Crew
from motebench.measuring.fleet.file import Fleet, FleetBoard
from motebench.measuring.fleet.task import Done, Parcel, Refused, after, unfinished
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.context import Interrupt
from motebench.measuring.run.lane import LaneTask
from motebench.measuring.run.records import LaneEntry, RunState
from motebench.measuring.study.model import PRESETS, Study
from motebench.measuring.study.question import Question

TARGET = "sim:atmega328p"
ONE, TWO = (Case(f"aes-{size}-ecb", "x", Operation.ENCRYPT, 16, TARGET, "x") for size in (128, 256))
TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)


def sample(case: Case, number: int) -> LaneEntry:
    return LaneEntry("samples", (case, [(TIME, Sample(number, 100.0 + number))]))


def finish(case: Case) -> LaneEntry:
    return LaneEntry("finish", (case, []))


def work() -> LaneTask:
    study = Study.model_validate(
        {"measure": [{"schemes": ["aes-128-ecb", "aes-256-ecb"], "targets": [TARGET]}]}
    )
    question = Question(study, "", "s")
    plan = Plan(question, PRESETS["fast"], (ONE, TWO), (), (), {TARGET: cast("Any", None)}, {})
    return LaneTask(plan, {}, 0, 1, 10.0)


class Future:
    """A task of a worker that does what ``script`` says, in a thread of its own as Dask's."""

    def __init__(self, script: Callable[[Future], Any]) -> None:
        self.status, self._result, self._error = "pending", None, cast("BaseException | None", None)
        self._thread = threading.Thread(target=self._run, args=(script,))
        self._thread.start()

    def _run(self, script: Callable[[Future], Any]) -> None:
        try:
            self._result = script(self)
            self.status = "finished" if self._result is not None else "lost"
        except Exception as error:
            self._error, self.status = error, "error"

    def done(self) -> bool:
        return self.status != "pending"

    def result(self) -> Any:
        return self._result

    def exception(self) -> BaseException | None:
        return self._error

    def cancel(self) -> None:
        self._thread.join(10)


class Client:
    """Workers that do one script after the other, each with what it was asked. In place of a
    `Connection`.
    """

    def __init__(
        self, *scripts: Callable[[Client, str, Parcel], Any], workers: bool = True, away: int = 0
    ) -> None:
        self.crew: Crew
        self.scripts, self.there, self.away = list(scripts), workers, away
        self.parcels: list[Parcel] = []

    def submit(self, function: Any, parcel: Parcel, *, key: str, needs: dict[str, float]) -> Future:
        assert needs == {f"board:{TARGET}": 1.0}
        if self.away:
            self.away -= 1
            raise Away("no scheduler answers")
        self.parcels.append(pickle.loads(pickle.dumps(parcel)))
        script = self.scripts.pop(0)
        return Future(lambda _: script(self, key, parcel))

    def result(self, future: Future) -> Any:
        return future.result()

    def cancel(self, future: Future) -> None:
        future.cancel()

    def workers(self, name: str) -> list[str]:
        return ["a"] if self.there and name == f"board:{TARGET}" else []

    def tell(self, key: str, execution: str, *entries: tuple[int | None, LaneEntry]) -> None:
        for number, entry in entries:
            self.crew._told((0.0, pickle.dumps((key, execution, number, entry))))


def carried(client: Client, patience: float = 0.0) -> list[LaneEntry]:
    fleet = Fleet(Path("f"), {"a": FleetBoard(target=TARGET, at="lab1")}, hosts={"lab1": 1})
    crew = client.crew = Crew(fleet, patience)
    crew._connection = cast("Any", client)
    told: list[LaneEntry] = []
    crew.carry(work(), told.append, Interrupt())
    return told


WHOLE = (sample(ONE, 0), sample(TWO, 0), finish(ONE), finish(TWO))


def test_entries_come_as_they_are_made_and_those_that_were_missed_with_the_result() -> None:
    told = RunState(1, 2, 0.5, 1.0, 2.0)

    def script(client: Client, key: str, parcel: Parcel) -> Done:
        client.tell(
            key, "e", (0, WHOLE[0]), (None, LaneEntry("sampled", (ONE, told))), (2, WHOLE[2])
        )
        return Done("e", WHOLE)

    found = carried(Client(script))
    assert [entry for entry in found if entry.of_records] == list(WHOLE)
    assert sum(entry.call == "sampled" for entry in found) == 1


def test_what_a_lost_worker_left_is_done_by_another_and_nothing_twice() -> None:
    def dies(client: Client, key: str, parcel: Parcel) -> None:
        client.tell(key, "first", *enumerate([sample(ONE, 0), sample(TWO, 0), finish(ONE)]))
        client.late = (key, "first", (3, sample(TWO, 1)))  # type: ignore[attr-defined]

    def resumes(client: Client, key: str, parcel: Parcel) -> Done:
        client.tell(*client.late)  # type: ignore[attr-defined]
        rest = (sample(TWO, parcel.first_round), finish(TWO))
        client.tell(key, "second", *enumerate(rest))
        return Done("second", rest)

    client = Client(dies, resumes)
    found = carried(client)
    assert found == [sample(ONE, 0), sample(TWO, 0), finish(ONE), sample(TWO, 1), finish(TWO)]
    again = client.parcels[1]
    assert (
        again.first_round == 1 and again.earlier[ONE].finished and not again.earlier[TWO].finished
    )
    assert [each.raw for each in again.earlier[TWO].series[0].samples] == [100.0]


def test_a_task_that_runs_a_second_time_is_dropped_and_resumed() -> None:
    def twice(client: Client, key: str, parcel: Parcel) -> Done:
        client.tell(key, "first", (0, sample(ONE, 0)))
        client.tell(key, "second", (0, sample(ONE, 0)), (1, finish(ONE)))
        return Done("second", (sample(ONE, 0), finish(ONE)))

    def resumes(client: Client, key: str, parcel: Parcel) -> Done:
        return Done("third", (finish(ONE), finish(TWO)))

    assert carried(Client(twice, resumes)) == [sample(ONE, 0), finish(ONE), finish(TWO)]


def lost(found: list[LaneEntry]) -> dict[Case, Failure]:
    return {entry.arguments[0]: entry.arguments[1] for entry in found if entry.call == "fail"}


def test_where_no_worker_comes_the_rest_is_lost_and_what_was_finished_stays() -> None:
    def dies(client: Client, key: str, parcel: Parcel) -> None:
        client.tell(key, "e", *enumerate([sample(ONE, 0), finish(ONE)]))
        client.there = False

    found = carried(Client(dies))
    assert found[:2] == [sample(ONE, 0), finish(ONE)] and set(lost(found)) == {TWO}
    failure = lost(found)[TWO]
    assert (
        failure.kind is FailureKind.LOST
        and "lab1" in failure.message
        and "no worker" in failure.message
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Refused("the versions differ"), "the versions differ"),
        (Done("e", (), problem="the board is gone"), "the board is gone"),
        (ValueError("a defect"), "ValueError: a defect"),
    ],
)
def test_a_problem_that_another_worker_would_have_too_is_told_at_once(
    answer: Any, said: str
) -> None:
    def script(client: Client, key: str, parcel: Parcel) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    client = Client(script)
    assert {failure.message.partition(": ")[2] for failure in lost(carried(client)).values()} == {
        said
    }
    assert len(client.parcels) == 1


def test_workers_that_are_lost_again_and_again_are_not_tried_for_ever() -> None:
    client = Client(*[lambda client, key, parcel: None] * 3)
    assert set(lost(carried(client))) == {ONE, TWO} and len(client.parcels) == 3


def test_scheduler_that_is_away_when_a_task_is_given_is_waited_for() -> None:
    client = Client(lambda client, key, parcel: Done("e", WHOLE), away=1)
    assert carried(client) == list(WHOLE) and len(client.parcels) == 1


def test_an_interruption_ends_the_task() -> None:
    interrupt = Interrupt()
    client = Client(lambda client, key, parcel: interrupt.end())
    client.crew = Crew(Fleet(Path("f"), {"a": FleetBoard(target=TARGET, at="lab1")}))
    client.crew._connection = cast("Any", client)
    with pytest.raises(KeyboardInterrupt):
        client.crew.carry(work(), lambda entry: None, interrupt)
    assert not client.crew._inboxes


def test_work_that_is_left_has_samples_marks_and_ends() -> None:
    left = after(
        work(),
        [sample(ONE, 0), sample(ONE, 3), LaneEntry("mark", ([(ONE, "time", 3)], "throttled"))],
    )
    assert left.first_round == 4 and unfinished(left) == [ONE, TWO]
    assert [(one.round, one.disturbed) for one in left.earlier[ONE].series[0].samples] == [
        (0, ""),
        (3, "throttled"),
    ]
    failure = Failure.of_case(TWO, FailureKind.CRASH, "it crashed")
    assert unfinished(after(left, [finish(ONE), LaneEntry("fail", (TWO, failure))])) == []


def test_a_parcel_asks_for_the_implementations_of_its_cases_alone() -> None:
    parcel = Parcel.of(work(), "topic")
    assert parcel.cases == (ONE, TWO) and '"implementations":["x"]' in parcel.question
    assert PRESETS["fast"] == parcel.policy


def test_a_worker_whose_compiler_is_another_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace
    from types import SimpleNamespace

    from motebench.base.errors import SetupError
    from motebench.measuring.fleet import task as parcels

    def built(compiler: str) -> Any:
        hellos = {
            TARGET: {
                "x": SimpleNamespace(version="1.0", compiler=compiler),
                "other": SimpleNamespace(),
            }
        }
        return replace(work().plan, hellos=hellos)

    sent = Parcel.of(replace(work(), plan=built("gcc 7")), "topic")
    monkeypatch.setattr(parcels, "find_targets", lambda question: question)
    monkeypatch.setattr(parcels, "make_plan", lambda targets: built("gcc 7"))
    assert sent.work().plan.cases == (ONE, TWO)
    monkeypatch.setattr(parcels, "make_plan", lambda targets: built("gcc 5"))
    with pytest.raises(
        SetupError, match=r"x on sim:atmega328p is 1\.0 by gcc 5 there, and 1\.0 by gcc 7"
    ):
        sent.work()
