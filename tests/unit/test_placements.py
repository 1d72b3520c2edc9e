"""Code at several places: names of targets, and the range of what was measured there."""

from __future__ import annotations

from typing import Any

import pytest

from motebench.cli.text.brief import brief
from motebench.cli.text.placements import placement_lines
from motebench.errors import InputError
from motebench.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.naming import unplaced
from motebench.report.page import render
from motebench.results import document
from motebench.targets.registry import open_target
from motebench.targets.settings import everywhere

BOARD = "sim:nrf52840"


def result(target: str, cycles: float, *, evidence: Evidence = Evidence.SIMULATED) -> CaseResult:
    case = Case("aes-128-ecb", "mote/aes", Operation.ENCRYPT, 64, target, "mote/aes")
    series = tuple(
        Series(metric, unit, scale, 0.0, "counter", evidence, tuple(Sample(place, cycles) for place in range(2)))
        for metric, unit, scale in (("time", "ns", 10.0), ("cycles", "cycles", 1.0))
    )
    return CaseResult(case, series, finished=True)


def run(*results: CaseResult) -> dict[str, Any]:
    info = RunInfo(1, "r", "", "2026-01-01T00:00:00+00:00", None, "finished", "0", 1, {"study": "s"})
    return document(Run(info, results), samples=True)


def places(*cycles: float, board: str = BOARD) -> list[CaseResult]:
    names = [board, *(f"{board}+place={number}" for number in range(1, len(cycles)))]
    return [result(name, count) for name, count in zip(names, cycles, strict=True)]


def test_a_number_of_places_is_that_many_targets_the_first_as_it_was():
    assert everywhere([BOARD], 3) == (BOARD, f"{BOARD}+place=1", f"{BOARD}+place=2")
    assert everywhere([f"{BOARD}+no-cache"], 2) == (f"{BOARD}+no-cache", f"{BOARD}+no-cache+place=1")
    names = everywhere(["sim:cortex-m4-nows", "sim:stm32l4+wait-states=0"], 16)
    assert len(set(names)) == 32
    assert {unplaced(name) for name in names} == {"sim:cortex-m4-nows", "sim:stm32l4+wait-states=0"}
    assert all(open_target(name).name == name for name in names)


@pytest.mark.parametrize("name", ["host", "sim:atmega2560", f"{BOARD}+place=1", "sim:nobody"])
def test_only_code_of_simulated_boards_that_has_a_place_is_moved(name):
    with pytest.raises(InputError) as caught:
        everywhere([BOARD, name], 2)
    assert caught.value.where == "--placements" and name in caught.value.what
    assert BOARD in (caught.value.valid or "") and "sim:atmega2560" not in (caught.value.valid or "")


@pytest.mark.parametrize("name", ["sim:atmega2560+place=1", f"{BOARD}+place=0", f"{BOARD}+place=16", f"{BOARD}+place"])
def test_other_places_do_not_exist(name):
    with pytest.raises(InputError):
        open_target(name)


def test_the_range_is_over_the_places_and_belongs_to_the_board():
    entries = run(*places(1000, 1100, 1040, 980))["placements"]
    assert [entry["metric"] for entry in entries] == ["time", "cycles"]
    time, cycles = entries
    assert cycles["target"] == BOARD and cycles["places"] == 4 and cycles["unit"] == "cycles"
    assert (cycles["least"], cycles["median"], cycles["most"]) == (980, 1020, 1100)
    assert cycles["spread"] == pytest.approx(120 / 1020) == time["spread"]
    assert (time["least"], time["most"]) == (9800, 11000)


def test_places_are_not_compared_with_each_other_but_the_boards_with_the_usual_one():
    assert "ratios" not in run(*places(1000, 1100))
    both = run(*places(1000, 1100), *places(500, 510, board="sim:stm32l4"))
    assert [(entry["target"], entry["to"]) for entry in both["ratios"]] == [("sim:stm32l4", BOARD)]
    alone = run(*places(1000, 1100)[1:], *places(500, 500, board="sim:stm32l4")[1:])
    assert [(entry["target"], entry["to"]) for entry in alone["ratios"]] == [
        ("sim:stm32l4+place=1", f"{BOARD}+place=1")
    ]


def test_one_place_or_measured_times_have_no_range():
    assert "placements" not in run(result(BOARD, 1000))
    measured = [result(name, 1000, evidence=Evidence.MEASURED) for name in (BOARD, f"{BOARD}+place=1")]
    assert "placements" not in run(*measured)


def test_the_table_has_a_line_for_each_case_and_the_others_have_the_usual_place_only():
    shown = run(*places(1000, 1100, 1040, 980))
    head, line = placement_lines(shown, 100)
    assert head.split() == ["scheme", "operation", "by", "places", "median", "least", "most", "range"]
    assert line.split()[:5] == ["aes-128-ecb", "encrypt", "64", "B", "mote/aes"]
    assert line.split()[5:] == ["4", "1,020", "980", "1,100", "11.8", "%"]
    narrow = list(placement_lines(shown, 72))
    assert max(map(len, narrow)) <= 72 and "places" not in narrow[0]
    text = "\n".join(brief(shown))
    assert line in text and "place=" not in text
    assert not list(placement_lines(run(*places(1000, 1000)[:1]), 100))
    page = render(shown)
    assert "Places of the code" in page and '<td class="num">11.8 %</td>' in page
    assert "Places of the code" not in render(run(*places(1000, 1000)[:1]))
    (_, same) = placement_lines(run(*places(1000, 1000)), 100)
    assert same.endswith(" 0 %")
