"""Steps of builds by a simulated clock: which one, and how long it took before, where that is
known.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from pathlib import Path

import pytest

from motebench.targets.setup import steps
from motebench.targets.setup.steps import StepBook, StepMemory, watch


class Clock:
    """Moves when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def memory(tmp_path: Path) -> StepMemory:
    return StepMemory(tmp_path / "build" / "times.json")


def test_what_never_ran_here_has_no_time(memory: StepMemory) -> None:
    clock = Clock()
    book = StepBook("building x", memory, clock)
    clock.seconds += 3
    step = book.begins("library/openssl compiling OpenSSL")
    assert (step.before, str(step)) == (None, "building x: compiling OpenSSL, 3 s so far")


@pytest.mark.parametrize(
    ("times", "before"),
    [([74.0], 74.0), ([60.0, 110.0, 80.0], 80.0), ([60.0, 121.0], None), ([0.0, 30.0], None)],
)
def test_a_time_is_said_where_earlier_ones_are_alike(memory: StepMemory, times, before) -> None:
    for seconds in times:
        memory.keep({"library/openssl": seconds})
    assert memory.before("library/openssl") == before
    assert memory.before("library/mbedtls") is None


def test_each_step_has_its_own_time(memory: StepMemory) -> None:
    clock = Clock()
    book = StepBook("building x", memory, clock)
    for line, seconds in (
        ("sources/openssl looking", 1),
        ("library/openssl compiling OpenSSL", 70),
        ("- probe", 4),
    ):
        book.begins(line)
        clock.seconds += seconds
    state = book.state(over=True)
    assert (state.number, state.seconds, state.over) == (3, 75, True)
    assert book.took == {"sources/openssl": 1, "library/openssl": 70}, (
        "what differs each time is not kept"
    )
    book.memory.keep(book.took)
    again = StepBook("building y", memory, clock)
    words = "building y: compiling OpenSSL, which took 70 s before, 0 s so far"
    assert str(again.begins("library/openssl compiling OpenSSL")) == words


@pytest.mark.parametrize(
    "text", ["", "[]", '{"a": 3}', '{"a": ["x"]}', '{"a": [true]}', '{"a": []}', "[" * 100_000]
)
def test_a_file_of_something_else_is_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "times.json"
    path.write_text(text)
    memory = StepMemory(path)
    assert memory.before("a") is None
    memory.keep({"a": 2.0})
    assert json.loads(path.read_text())["a"] == [2.0]


def test_what_a_build_prints_is_told_to_the_end(
    memory: StepMemory, tmp_path: Path, monkeypatch
) -> None:
    told: list[steps.BuildStep] = []
    monkeypatch.setattr(steps, "_LOOK_SECONDS", 0.01)
    log = tmp_path / "log"
    log.write_text("[ 99%] of an earlier step\n")
    script = f"""
        echo "library/a compiling A"
        echo "- compiling the probe"
        while [ ! -e "{tmp_path}/told" ]
        do echo "[ 40%] Building C object" >>"{log}"; sleep 0.02; done
    """

    def tell(step: steps.BuildStep) -> None:
        told.append(step)
        if step.share is not None:
            (tmp_path / "told").touch()

    monkeypatch.setattr(steps, "_tell", tell)
    book = StepBook("building", memory)
    with subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE) as process:
        watch(process, book, log)
    assert list(dict.fromkeys(step.step for step in told)) == [
        "",
        "compiling A",
        "compiling the probe",
    ]
    assert {step.share for step in told} == {None, 40}
    assert [step.over for step in told].count(True) == 1 and told[-1].over


@pytest.mark.parametrize("fails", [False, True])
def test_work_elsewhere_is_told_until_it_ends_however_it_ends(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    told: list[steps.BuildStep] = []
    twice = threading.Event()

    def tell(step: steps.BuildStep) -> None:
        told.append(step)
        if len(told) > 2:
            twice.set()

    monkeypatch.setattr(steps, "_tell", tell)
    monkeypatch.setattr(steps, "_LOOK_SECONDS", 0.01)
    with (
        contextlib.suppress(KeyboardInterrupt),
        steps.waited_for("building x on ssh:pi", "compiling there"),
    ):
        assert twice.wait(60)
        if fails:
            raise KeyboardInterrupt
    assert (told[0].number, told[1].step) == (0, "compiling there")
    assert [step.over for step in told] == [False] * (len(told) - 1) + [True]
