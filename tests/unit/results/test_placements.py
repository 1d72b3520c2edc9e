"""Code at several places: names of targets, and the range of what was measured there."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

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
from motebench.base.naming import unplaced
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.proof import MARK, one_place_words, proof_words
from motebench.cli.text.brief import brief
from motebench.cli.text.line_tables import placement_lines
from motebench.cli.text.table import print_table
from motebench.measuring.plan.cases import expand
from motebench.measuring.study.load import (
    Options,
    find_study,
    from_file,
    from_options,
    from_text,
    to_toml,
)
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.measuring.study.question import at_places, on_targets, with_placements
from motebench.results import document as computed
from motebench.results.places import DEPENDS, over_places
from motebench.results.presentation.leads import beside_best, differ, lead, times, times_over
from motebench.results.presentation.rows import rows_of
from motebench.results.selection import ChosenCases
from motebench.show.export import export, export_by_size, formats
from motebench.show.report.page import render
from motebench.stats import ComparisonVerdict, Outcome
from motebench.targets.registry import open_target
from motebench.targets.settings import USUAL_PLACES, everywhere, moved
from motebench.targets.wire.messages import Offer

BOARD = "sim:nrf52840"


def result(target: str, cycles: float, *, evidence: Evidence = Evidence.SIMULATED) -> CaseResult:
    case = Case("aes-128-ecb", "mote/aes", Operation.ENCRYPT, 64, target, "mote/aes")
    series = tuple(
        Series(
            metric,
            unit,
            scale,
            0.0,
            "counter",
            evidence,
            tuple(Sample(place, cycles) for place in range(2)),
        )
        for metric, unit, scale in (("time", "ns", 10.0), ("cycles", "cycles", 1.0))
    )
    return CaseResult(case, series, finished=True)


def run(*results: CaseResult) -> dict[str, Any]:
    info = RunInfo(
        1, "r", "", "2026-01-01T00:00:00+00:00", None, "finished", "0", 1, {"study": "s"}
    )
    return computed.result(Run(info, results), samples=True)


def places(*cycles: float, board: str = BOARD) -> list[CaseResult]:
    names = [board, *(f"{board}+place={number}" for number in range(1, len(cycles)))]
    return [result(name, count) for name, count in zip(names, cycles, strict=True)]


def test_a_number_of_places_is_that_many_targets_the_first_as_it_was():
    assert everywhere([BOARD], 3, None) == (BOARD, f"{BOARD}+place=1", f"{BOARD}+place=2")
    assert everywhere([f"{BOARD}+no-cache"], 2, None) == (
        f"{BOARD}+no-cache",
        f"{BOARD}+no-cache+place=1",
    )
    names = everywhere(["sim:cortex-m4-nows", "sim:stm32l4+wait-states=0"], 16, None)
    assert len(set(names)) == 32
    assert {unplaced(name) for name in names} == {"sim:cortex-m4-nows", "sim:stm32l4+wait-states=0"}
    assert all(open_target(name).name == name for name in names)


@pytest.mark.parametrize("name", ["host", "sim:atmega2560", f"{BOARD}+place=1", "sim:nobody"])
def test_only_code_of_simulated_boards_that_has_a_place_is_moved(name):
    with pytest.raises(InputError) as caught:
        everywhere([BOARD, name], 2, "--placements")
    assert caught.value.where == "--placements" and name in caught.value.what
    assert BOARD in (caught.value.valid or "") and "sim:atmega2560" not in (
        caught.value.valid or ""
    )


@pytest.mark.parametrize(
    "name", ["sim:atmega2560+place=1", f"{BOARD}+place=0", f"{BOARD}+place=16", f"{BOARD}+place"]
)
def test_other_places_do_not_exist(name):
    with pytest.raises(InputError):
        open_target(name)


STUDY = '[[measure]]\nschemes = ["sha256"]\ntargets = ["{}"]\nplacements = {}\n'


def asked(tmp_path, board=BOARD, count="3"):
    path = tmp_path / "s.toml"
    path.write_text(STUDY.format(board, count))
    return from_file(path)


def targets(question):
    return [group.targets for group in at_places(question).study.measure]


def test_a_block_of_a_study_says_at_how_many_places_its_boards_have_their_code(tmp_path):
    question = asked(tmp_path)
    assert targets(question) == [everywhere([BOARD], 3, None)]
    again = at_places(question)
    assert at_places(from_text(again.study.model_dump_json(), "stored")).study == again.study
    assert "placements = 3" in to_toml(question.study)
    assert targets(on_targets(question, ["sim:stm32l4"], "--target")) == [
        everywhere(["sim:stm32l4"], 3, None)
    ]
    assert targets(with_placements(question, 2, "--placements")) == [everywhere([BOARD], 2, None)]
    spelt = from_options(
        Options(schemes=("sha256",), targets=(BOARD,), placements=2), Sampling(), WholeFile()
    )
    assert targets(spelt) == [everywhere([BOARD], 2, None)] and "placements = 2" in spelt.text


@pytest.mark.parametrize("count", ["0", "17", "-1", "true", '"many"', "[2]", "2.5"])
def test_a_number_of_places_out_of_range_is_told_with_file_line_and_key(tmp_path, count):
    with pytest.raises(InputError) as caught:
        asked(tmp_path, count=count)
    assert caught.value.where == f"{tmp_path / 's.toml'}:4: measure[0].placements"


@pytest.mark.parametrize("board", ["host", "sim:atmega2560", f"{BOARD}+place=1"])
def test_a_block_whose_code_cannot_be_moved_is_told_with_file_line_and_key(tmp_path, board):
    with pytest.raises(InputError) as caught:
        asked(tmp_path, board)
    assert caught.value.where == f"{tmp_path / 's.toml'}:4: measure[0].placements"
    assert board in caught.value.what and BOARD in (caught.value.valid or "")


def test_options_that_do_not_fit_a_study_with_places_are_told_by_their_names(tmp_path):
    with pytest.raises(InputError) as caught:
        on_targets(asked(tmp_path), ["sim:atmega2560"], "--target")
    assert caught.value.where == "--target"
    with pytest.raises(InputError) as caught:
        with_placements(from_file(find_study("lino-2022")), 2, "--placements")
    assert caught.value.where == "--placements" and "host" in caught.value.what


def test_a_board_that_is_excluded_is_so_at_every_place(tmp_path):
    offer = Offer("sha256", frozenset({"digest"}), (0, 0), (0, 0), (0, 0), 64, stream=True)
    path = tmp_path / "s.toml"
    for left_out, left in ((BOARD, 0), (f"{BOARD}+place=1", 2)):
        excluded = f'sizes = [16]\n[[measure.exclude]]\ntargets = ["{left_out}"]\n'
        path.write_text(STUDY.format(BOARD, 3) + excluded)
        study = at_places(from_file(path)).study
        offers = {name: {"mote/sha-256": {"sha256": offer}} for name in study.measure[0].targets}
        assert len(list(expand(study, schemes(), offers, {}))) == left


def test_the_range_is_over_the_places_and_belongs_to_the_board():
    entries = run(*places(1000, 1100, 1040, 980)).placements
    assert [entry.metric for entry in entries] == ["time", "cycles"]
    time, cycles = entries
    assert cycles.target == BOARD and cycles.places == 4 and cycles.unit == "cycles"
    assert (cycles.least, cycles.median, cycles.most) == (980, 1020, 1100)
    assert cycles.spread == pytest.approx(120 / 1020) == time.spread
    assert (time.least, time.most) == (9800, 11000)


USUALLY_MOVED = ("samd21g18a", "nrf52840", "stm32l4", "stm32wl", "rp2040-xip", "nrf52840+no-cache")
NOT_MOVED = (
    "atmega2560",
    "rp2040",
    "rp2350-hazard3",
    "rp2350-m33",
    "cortex-m4-nows",
    "samd21g18a+wait-states=0",
    "rp2040-xip+no-cache",
)


def test_boards_whose_flash_waits_or_has_a_cache_are_measured_at_several_places_by_themselves():
    for board in USUALLY_MOVED:
        assert everywhere([f"sim:{board}"], None, None) == everywhere(
            [f"sim:{board}"], USUAL_PLACES, None
        )
    names = ("host", *(f"sim:{board}" for board in NOT_MOVED))
    assert everywhere(names, None, None) == names


def test_one_place_and_a_named_place_are_what_was_asked_for():
    assert everywhere([BOARD, "host"], 1, "--placements") == (BOARD, "host")
    named = (BOARD, f"{BOARD}+place=2")
    assert everywhere(named, None, None) == named
    assert len(everywhere([*named, "sim:stm32l4"], None, None)) == 2 + USUAL_PLACES


def test_a_question_with_its_places_stays_as_it_is():
    question = from_options(Options(schemes=("sha256",), targets=(BOARD,)), Sampling(), WholeFile())
    placed = at_places(question)
    assert targets(question) == [everywhere([BOARD], USUAL_PLACES, None)]
    assert at_places(placed).study == placed.study


def test_a_case_is_one_row_of_the_usual_place_with_its_range():
    shown = run(*places(1000, 1100, 980))
    rows = {row.metric: row for row in shown.measurements}
    assert {row.target for row in shown.measurements} == {BOARD} and len(rows) == len(
        shown.measurements
    )
    cycles = rows["cycles"]
    assert (cycles.median, cycles.places, cycles.places_least, cycles.places_most) == (
        1000,
        3,
        980,
        1100,
    )
    assert rows["throughput"].places_least == pytest.approx(64 / 11000e-9)
    assert shown.run.cases.finished == 1
    assert (
        row := {row.metric: row for row in run(result(BOARD, 1000)).measurements}["cycles"]
    ).places == 1
    assert row.places_least is None and row.places_most is None


def test_without_the_usual_place_each_other_place_is_a_row():
    shown = run(*places(1000, 1100, 980)[1:])
    assert len({row.target for row in shown.measurements}) == 2 and shown.run.cases.finished == 2


def failed(target: str, kind: FailureKind) -> CaseResult:
    case = Case("aes-128-ecb", "mote/aes", Operation.ENCRYPT, 64, target, "mote/aes")
    return CaseResult(case, (), failure=Failure.of_case(case.id, kind, "no"))


def test_a_failure_at_every_place_is_there_once_and_gaps_that_do_not_fit_are_none():
    names = (BOARD, f"{BOARD}+place=1")
    (failure,) = run(*(failed(name, FailureKind.CRASH) for name in names)).failures
    assert failure.target == BOARD
    fits = run(result(BOARD, 1000), failed(names[1], FailureKind.TOO_BIG))
    assert not fits.failures and fits.run.cases.finished == 1 and not fits.run.cases.failed
    broken = run(result(BOARD, 1000), failed(names[1], FailureKind.WRONG_ANSWER))
    assert [one.target for one in broken.failures] == [names[1]] and broken.run.cases.failed == 1


def of(implementation: str, *cycles: float) -> list[CaseResult]:
    return [
        replace(one, case=replace(one.case, implementation=implementation, provider=implementation))
        for one in places(*cycles)
    ]


def test_a_lead_of_two_implementations_has_the_range_over_the_places_of_both():
    rows = rows_of(run(*of("a", 1000, 1100), *of("b", 2200, 2000)))
    best, other = (row for row in rows if row.metric == "cycles")
    ahead = lead(best, other)
    assert ahead is not None and (ahead.ratio, ahead.low, ahead.high) == pytest.approx(
        (2.2, 2000 / 1100, 2.2)
    )
    assert times(ahead) == "1.82 to 2.2 times as fast as" and times_over([ahead]) == times(ahead)
    assert beside_best([best, other]) == ["1.00", "1.82 to 2.20"]


def test_implementations_whose_ranges_overlap_are_not_ranked():
    shown = run(*of("a", 1000, 1100), *of("b", 1050, 1040))
    best, other = (row for row in rows_of(shown) if row.metric == "cycles")
    verdict = other.verdict(best)
    assert verdict is not None and not verdict.different and verdict.note == DEPENDS
    assert lead(best, other) is None and beside_best([best, other]) == ["1.00", "="]
    assert "a and b are not distinguishable" in " ".join("\n".join(brief(shown)).split())
    apart = [row for row in rows_of(run(*of("a", 1000), *of("b", 1050))) if row.metric == "cycles"]
    assert differ(*apart), "at one place every difference is real"


EXACT = ComparisonVerdict(Outcome.HIGHER, 1.05, None, None, 1.0, None, "exact", 2, 2, 0.0)


def test_runs_of_one_implementation_are_compared_place_by_place():
    slower = over_places(EXACT, {0: 100, 1: 200}, {0: 105, 1: 208}, same_code=True)
    assert slower.different and slower.span == pytest.approx((1.04, 1.05))
    assert slower.beyond(0.03) == 0.0 and slower.beyond(0.045) == 1.0
    mixed = over_places(EXACT, {0: 100, 1: 200}, {0: 105, 1: 198}, same_code=True)
    assert not mixed.different and mixed.note == DEPENDS
    assert over_places(EXACT, {0: 100, 1: 200}, {0: 105}, same_code=True) == EXACT
    assert over_places(EXACT, {0: 100}, {0: 105}) == EXACT


def test_the_summary_and_the_table_show_the_range_beside_the_figure():
    shown = run(*places(1000, 1100, 1040, 980))
    text = " ".join("\n".join(brief(shown)).split())
    assert (
        "10.0 µs (9.80 to 11.0)" in text
        and "The code lay at 4 places" in text
        and "place=" not in text
    )
    out = io.StringIO()
    print_table(shown, out)
    assert (
        "over 4 places" in out.getvalue()
        and "9.80 to 11.0" in out.getvalue()
        and "+place" not in out.getvalue()
    )


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_tables_of_exports_have_the_range_in_one_row(form):
    text = export(run(*places(1000, 1100, 980)), form)
    assert "(980 to 1,100 over 3 places)" in text.replace("\\", "") and "place=" not in text


def test_every_output_marks_cycles_that_are_not_proven():
    shown = run(result("sim:rp2040-xip", 1000), result("sim:nrf52840", 900))
    marks = {
        (row.target, row.proven)
        for row in shown.measurements
        if row.metric in ("time", "cycles", "energy")
    }
    assert marks == {("sim:rp2040-xip", False), ("sim:nrf52840", True)}
    out = io.StringIO()
    print_table(shown, out)
    texts = [
        "\n".join(brief(shown)),
        out.getvalue(),
        render(shown),
        export(shown, "markdown"),
        export(shown, "latex"),
    ]
    assert all(f"sim:rp2040-xip ({MARK})" in text.replace("\\", "") for text in texts)
    assert all(f"sim:nrf52840 ({MARK})" not in text for text in texts)


MARKED = {
    "bencher": f'sim:rp2040-xip ({MARK})": {{',
    "badge": f"rp2040-xip, {MARK}",
    "badge-svg": f"rp2040-xip, {MARK}",
    "csv": ",False,",
    "github-action-benchmark": f"n = 2, {MARK}",
    "google-benchmark": f'"label": "{MARK}"',
    "json": '"proven": false',
    "latex": rf"sim:rp2040-xip ({MARK})",
    "markdown": f"sim:rp2040-xip ({MARK})",
    "openmetrics": 'proven="false"',
}
"""Mark of each format for a figure of a board that is not proven."""


@pytest.mark.parametrize("form", formats())
def test_every_format_marks_cycles_that_are_not_proven(form):
    """A new format is to be added above. The same figures of a board that is proven have no
    mark.
    """
    unproven, proven = (
        export(run(result(f"sim:{board}", 1000)), form) for board in ("rp2040-xip", "nrf52840")
    )
    assert MARKED[form] in unproven.replace("\\", "") and MARKED[form] not in proven
    assert MARK not in proven


@pytest.mark.parametrize("form", ["csv", "latex", "markdown"])
def test_every_format_of_columns_marks_cycles_that_are_not_proven(form):
    def exported(board):
        return export_by_size(
            run(result(f"sim:{board}", 1000)), ChosenCases(), form, where="--by"
        ).replace("\\", "")

    mark = ",False," if form == "csv" else f"on sim:rp2040-xip ({MARK})"
    assert mark in exported("rp2040-xip") and mark not in exported("nrf52840")


def test_a_range_over_places_is_the_range_of_a_benchmark_of_bencher():
    (measures,) = json.loads(export(run(*places(1000, 1100, 980)), "bencher")).values()
    assert measures["latency"] == {"value": 10_000, "lower_value": 9_800, "upper_value": 11_000}


def test_boards_say_in_their_own_description_what_is_not_proven_and_how_far_places_move_them():
    assert [name for name, device in devices().items() if device.unproven] == [
        "rp2040-xip",
        "sam3x8e",
        "stm32f103",
        "stm32l4",
        "stm32wl",
    ]
    for name, device in devices().items():
        assert (device.code_places is not None) == (device.mcu != "" and moved(f"sim:{name}")), name
    (words,) = one_place_words([BOARD, "sim:atmega2560", "host"])
    assert words.startswith(f"{BOARD}: ") and "up to 19 %" in words


def test_places_are_not_compared_with_each_other_but_the_boards_with_the_usual_one():
    assert not run(*places(1000, 1100)).ratios
    both = run(*places(1000, 1100), *places(500, 510, board="sim:stm32l4"))
    assert [(entry.target, entry.to) for entry in both.ratios] == [("sim:stm32l4", BOARD)]
    alone = run(*places(1000, 1100)[1:], *places(500, 500, board="sim:stm32l4")[1:])
    assert [(entry.target, entry.to) for entry in alone.ratios] == [
        ("sim:stm32l4+place=1", f"{BOARD}+place=1")
    ]


def test_one_place_or_measured_times_have_no_range():
    assert not run(result(BOARD, 1000)).placements
    measured = [
        result(name, 1000, evidence=Evidence.MEASURED) for name in (BOARD, f"{BOARD}+place=1")
    ]
    assert not run(*measured).placements


def test_the_table_has_a_line_for_each_case_and_the_others_have_the_usual_place_only():
    shown = run(*places(1000, 1100, 1040, 980))
    head, line = placement_lines(shown, 100)
    assert head.split() == [
        "scheme",
        "operation",
        "by",
        "places",
        "median",
        "least",
        "most",
        "range",
    ]
    assert line.split()[:5] == ["aes-128-ecb", "encrypt", "64", "B", "mote/aes"]
    assert line.split()[5:] == ["4", "1,020", "980", "1,100", "11.8", "%"]
    narrow = list(placement_lines(shown, 72))
    assert max(map(len, narrow)) <= 72 and "places" not in narrow[0]
    assert not list(placement_lines(run(*places(1000, 1000)[:1]), 100))
    page = render(shown)
    assert "Places of the code" in page and '<td class="num">11.8 %</td>' in page
    assert "Places of the code" not in render(run(*places(1000, 1000)[:1]))
    (_, same) = placement_lines(run(*places(1000, 1000)), 100)
    assert same.endswith(" 0 %")


def test_each_simulated_board_says_how_well_it_is_proven_as_the_docs_do():
    page = Path("docs/evidence/simulators.md").read_text(encoding="utf-8")
    simulated = {name: device for name, device in devices().items() if device.mcu}
    assert len(simulated) > 10
    for name, device in simulated.items():
        assert (device.proven is None) == (device.unproven is not None), name
        if device.proven is None:
            assert proof_words(f"sim:{name}").startswith(MARK)
            continue
        figures = re.findall(r"[0-9.]+ %", device.proven.how)
        assert all(figure in page for figure in figures), name
        assert f"# {device.proven.source.section}\n" in page, name
        assert proof_words(f"sim:{name}+wait-states=0").startswith(device.proven.how)
    assert proof_words("host") == proof_words("serial:/dev/ttyACM0,board=uno") == ""
