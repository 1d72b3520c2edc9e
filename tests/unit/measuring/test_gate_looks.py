"""End of a gate: its looks, their share of the level, and the time that decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from motebench.base.model import Case, Evidence, Operation, Run, Sample, Series
from motebench.measuring import request
from motebench.measuring.gate import LOOKS, GateRequest, _Seen
from motebench.measuring.measure import RunEnd
from motebench.measuring.request import Unobserved
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, Study, WholeFile
from motebench.results.groups import GroupSession, Turn
from motebench.stats import ALPHA
from motebench.store import Store

SPECK = Case("speck-64-128-ecb", "code/speck", Operation.ENCRYPT, 64, "host", "code/speck")
GROUPS = ("base", "head")
OPTIONS = Options(schemes=("aes-128-ctr",))
READINGS = 12
Slowdown = Callable[[int], float]
"""The time of the head divided by that of the base, by the number of the run."""


def runs_of(
    place: Path, number: int, slowdown: Slowdown, disturbed: Sequence[str] = ()
) -> list[Run]:
    """Runs of each commit in a store. ``disturbed``: names of runs during which other programs had
    the processor, which made their elapsed time three times as long.
    """
    session = GroupSession(GROUPS, number, 7)
    with Store.open(place, create=True) as store:
        for turn in session.turns():
            settings = {"group": session.settings(turn)}
            run = store.create_run(turn.name, "", settings, {}, 1, "1", [SPECK])
            busy = turn.name in disturbed
            value = 1000.0 * (slowdown(turn.number) if turn.group == "head" else 1.0)
            for place_of in range(READINGS):
                reading = value * (1 + 0.0001 * (place_of % 3))
                time = Sample(place_of, reading * (3 if busy else 1), disturbed="busy" * busy)
                store.add_samples(run, SPECK, [(series("time"), time)])
                store.add_samples(run, SPECK, [(series("cpu_time"), Sample(place_of, reading))])
            store.finish_case(run, SPECK, [])
            store.finish_run(run, "finished")
        return [store.load_run(turn.name) for turn in session.turns()]


def series(metric: str) -> Series:
    return Series(metric, "ns", 1.0, 0.0, "clock", Evidence.MEASURED)


def seen(place: Path, looks: tuple[int, ...] = LOOKS, metrics: tuple[str, ...] = ()) -> _Seen:
    wish = GateRequest("main", "HEAD", lambda *_: pytest.fail("asked"), 0.01, metrics=metrics)
    return _Seen(str(place), GROUPS, wish, looks)


def wavering(mean: float, spread: float) -> Slowdown:
    """A slowdown that is by so much more in one run, less in the next."""
    return lambda number: mean + (spread if number % 2 else -spread)


@pytest.mark.parametrize(
    ("mean", "spread", "decided"),
    [(1.10, 0.002, True), (1.0, 0.001, True), (1.012, 0.01, False)],
    ids=["slower", "equal", "open"],
)
def test_the_gate_ends_at_its_first_look_where_nothing_is_open(
    tmp_path: Path, mean: float, spread: float, decided: bool
) -> None:
    place = tmp_path / "gate.db"
    runs = runs_of(place, LOOKS[0], wavering(mean, spread))
    assert seen(place).decided(LOOKS[0], runs) is decided


@pytest.mark.parametrize(("looks", "number"), [(LOOKS, 4), ((5,), 5)], ids=["between", "last"])
def test_it_does_not_look_between_its_looks_nor_end_before_the_last(
    tmp_path: Path, looks: tuple[int, ...], number: int
) -> None:
    place = tmp_path / "gate.db"
    runs = runs_of(place, number, wavering(1.1, 0.002))
    assert not seen(place, looks).decided(number, runs)


def test_the_levels_of_all_looks_are_together_that_of_one(tmp_path: Path) -> None:
    place = tmp_path / "gate.db"
    runs = runs_of(place, 2, wavering(1.1, 0.002))
    levels = []
    for number in LOOKS:
        comparison, _, _ = seen(place).compared(number, runs)
        assert comparison is not None
        levels.append(comparison.alpha)
    assert sum(levels) == pytest.approx(ALPHA)
    assert sorted(levels) == levels
    only, _, _ = seen(place, (2,)).compared(2, runs)
    assert only is not None
    assert only.alpha == ALPHA


def test_a_difference_that_one_look_would_call_is_open_at_the_first_of_several(
    tmp_path: Path,
) -> None:
    place = tmp_path / "gate.db"
    runs = runs_of(place, 5, wavering(1.034, 0.012))
    several, _, _ = seen(place).compared(5, runs)
    once, _, _ = seen(place, (5,)).compared(5, runs)
    assert several is not None
    assert once is not None
    assert len(once.slower_than(0.01)) == 1
    assert several.slower_than(0.01) == []


def test_processor_time_decides_where_other_programs_disturbed_a_run(tmp_path: Path) -> None:
    place = tmp_path / "gate.db"
    runs = runs_of(place, 5, wavering(1.1, 0.002), disturbed=["base-1", "base-2", "base-3"])
    comparison, _, notes = seen(place).compared(5, runs)
    assert comparison is not None
    assert [pair.a.metric for pair in comparison.pairs] == ["cpu_time"]
    assert len(comparison.slower_than(0.01)) == 1
    assert notes == ("other programs disturbed the time of 3 of 10 runs: processor time decides",)


def test_a_metric_that_the_user_names_decides_all_the_same(tmp_path: Path) -> None:
    place = tmp_path / "gate.db"
    runs = runs_of(place, 5, wavering(1.1, 0.002), disturbed=["head-3"])
    comparison, _, notes = seen(place, metrics=("time",)).compared(5, runs)
    assert comparison is not None
    assert [pair.a.metric for pair in comparison.pairs] == ["time"]
    assert notes == ()


@pytest.mark.parametrize(
    ("target", "looks"),
    [("host", LOOKS), ("sim:samd21g18a", (1,)), ("emu:aarch64", (1,)), ("host,emu:aarch64", LOOKS)],
)
def test_one_run_is_enough_where_everything_is_counted(target: str, looks: tuple[int, ...]) -> None:
    wish = GateRequest("main", "HEAD", lambda *_: pytest.fail("asked"), 0.01)
    assert wish.looks(study(target)) == looks


def test_runs_that_the_user_names_are_one_look() -> None:
    wish = GateRequest("main", "HEAD", lambda *_: pytest.fail("asked"), 0.01, runs=8)
    assert wish.looks(study("host")) == (8,)


def study(targets: str) -> Study:
    options = replace(OPTIONS, targets=tuple(targets.split(",")))
    return from_options(options, Sampling(), WholeFile()).study


def test_a_session_ends_after_the_block_of_turns_with_which_it_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = GroupSession(GROUPS, 6, 7)
    asked: list[tuple[int, int]] = []

    def of_turn(opened: Store, _session: GroupSession, turn: Turn, *_: object) -> Turn:
        settings = {"group": session.settings(turn)}
        opened.finish_run(opened.create_run(turn.name, "", settings, {}, 1, "1", []), "finished")
        return turn

    def enough(runs_each: int, runs: Sequence[Run]) -> bool:
        asked.append((runs_each, len(runs)))
        return runs_each == 4

    with Store.open(tmp_path / "gate.db", create=True) as store:
        monkeypatch.setattr(request, "_task_of", of_turn)
        monkeypatch.setattr(
            request, "measure", lambda _, turn, __: RunEnd(store.load_run(turn.name), False)
        )
        ended = request._take_turns(
            store, session, from_options(OPTIONS, Sampling(), WholeFile()), Unobserved(), enough
        )
    assert asked == [(1, 2), (2, 4), (3, 6), (4, 8)]
    assert {name: len(runs) for name, runs in ended.groups.items()} == {"base": 4, "head": 4}
    assert not ended.interrupted
