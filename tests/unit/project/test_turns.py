"""Shared parts of the benchmarks beside other programs: verdicts from recorded readings, and
programs that wait.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
STEADY = (1.0, 1.002, 0.999, 1.001, 0.998, 1.0, 1.001, 0.999, 1.002)


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import turns

    return turns


def beside(turns, ours, again, limit=0.03):
    triples = [
        turns.Triple(1.0, other, own * other**0.5) for own, other in zip(ours, again, strict=True)
    ]
    return turns.Beside(tuple(triples), limit)


@pytest.mark.parametrize(
    ("factor", "noise", "outcome"),
    [
        (1.0, 1, "does not differ"),
        (1.05, 1, "differs"),
        (0.9, 1, "differs"),
        (1.0, 30, "too noisy"),
        (1.04, 30, "too noisy"),
        (1.5, 30, "differs"),
    ],
)
def test_a_cell_differs_only_by_more_than_the_other_program_from_itself(
    turns, factor, noise, outcome
):
    again = [1 + noise * (value - 1) for value in STEADY]
    cell = beside(turns, [factor * value for value in reversed(STEADY)], again)
    assert cell.outcome.value == outcome
    assert cell.ratio.median == pytest.approx(factor)


def test_readings_without_an_interval_have_no_verdict(turns):
    assert beside(turns, [2.0] * 3, [1.0] * 3).outcome.value == "too noisy"


def test_noise_of_motebench_alone_is_no_agreement(turns):
    wide = [0.9, 1.1, 0.92, 1.08, 0.91, 1.09, 1.0, 0.9, 1.1]
    assert beside(turns, wide, STEADY).outcome.value == "too noisy"


def test_the_exit_status_tells_a_difference_from_a_noisy_machine(turns):
    same, noisy, differs = turns.Outcome.SAME, turns.Outcome.NOISY, turns.Outcome.DIFFERS
    assert turns.summary([same, same], 0.03)[1] == 0
    assert turns.summary([same, noisy], 0.03)[1] == 3
    assert turns.summary([same, noisy, differs], 0.03)[1] == 1


def test_each_program_is_asked_in_its_turn(turns):
    theirs = iter((1, 2))
    assert sorted(turns.in_turn(lambda: next(theirs), lambda: 3)[:2]) == [1, 2]


def test_a_held_program_begins_and_ends_when_it_may(turns):
    words = "import sys; print('begun', file=sys.stderr, flush=True); print('worked')"
    program = turns.Held([sys.executable, "-c", words], re.compile("^begun"))
    assert program.end() == "worked\nbegun\n"
    program.kill()


def test_a_program_that_fails_ends_the_benchmark(turns):
    with pytest.raises(SystemExit, match="ended with 5: broken"):
        turns.Held(
            [sys.executable, "-c", "import sys; print('broken', file=sys.stderr); sys.exit(5)"],
            re.compile("never"),
        )


def test_a_missing_program_is_named_and_ends_the_benchmark(turns, capsys):
    import common

    with pytest.raises(SystemExit) as ended:
        common.need("no-such-program", "the package of it")
    assert ended.value.code == common.LACKING
    assert "no-such-program" in capsys.readouterr().err
