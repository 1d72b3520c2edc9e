"""Comment, picture and report of metrics about two commits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from motebench.base.model import (
    Case,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    Run,
    Sample,
    Series,
)
from motebench.documents.comparison import (
    FunctionBytesEntry,
    FunctionCyclesEntry,
    GateAnswer,
    GateEntry,
)
from motebench.measuring.gate import Commit, GateOutcome, GateRequest
from motebench.measuring.request import Measured
from motebench.results.comparison import Comparison, compare_stored
from motebench.results.comparison.model import Unmatched
from motebench.results.groups import GroupSession
from motebench.results.selection import ResultFilter
from motebench.show.gate import comment, gate_document, gate_metrics, picture
from motebench.store import Store

HOSTILE = "[x](javascript:alert(1)) @everyone <img src=x> | `code` **b**"
SPECK = Case("speck-64-128-ecb", "code/speck", Operation.ENCRYPT, 64, "host", "code/speck")
BOARD = replace(SPECK, target="sim:atmega328p")
COMMITS = (Commit("main", "a" * 40, HOSTILE), Commit("HEAD", "b" * 40, "second"))


def series(metric: str, unit: str, evidence: Evidence) -> Series:
    return Series(metric, unit, 1.0, 0.0, "clock", evidence)


def outcome(
    tmp_path: Path, times: tuple[float, float], cycles: tuple[int, int], runs: int = 6
) -> GateOutcome:
    """A gate whose runs took these times in ns, 0.1 % apart, and counted these cycles."""
    groups = ("base", "head")
    session = GroupSession(groups, runs, 7)
    place = str(tmp_path / "gate.db")
    with Store.open(place, create=True) as store:
        for turn in session.turns():
            side = groups.index(turn.group)
            run = store.create_run(
                turn.name, "", {"group": session.settings(turn)}, {}, 1, "1", [SPECK, BOARD]
            )
            for number in range(12):
                value = times[side] * (1 + 0.001 * turn.number + 0.0001 * (number % 3))
                store.add_samples(
                    run, SPECK, [(series("time", "ns", Evidence.MEASURED), Sample(number, value))]
                )
            counted = (
                series("cycles", "count", Evidence.SIMULATED),
                series("time", "ns", Evidence.SIMULATED),
            )
            store.add_samples(run, BOARD, [(of, Sample(0, float(cycles[side]))) for of in counted])
            for case in (SPECK, BOARD):
                store.finish_case(run, case, [])
            store.finish_run(run, "finished")
        stored: list[Run] = [store.load_run(turn.name) for turn in session.turns()]
    return GateOutcome(
        GateRequest("main", "HEAD", lambda *_: pytest.fail("asked"), 0.01),
        COMMITS,
        groups,
        (),
        Path("speck"),
        7,
        Measured(stored, session),
        compared(place, ()),
        None,
        compared(place, ("cycles",)),
        (FunctionCyclesEntry(**BOARD.entry(), function="block|`", base=None, head=10),),
        (
            FunctionBytesEntry(
                scheme=BOARD.scheme,
                implementation=BOARD.implementation,
                target=BOARD.target,
                memory="flash",
                function="table",
                base=64,
                head=None,
            ),
        ),
        (),
        (),
    )


def compared(place: str, metrics: tuple[str, ...]) -> Comparison:
    selection = ResultFilter(metrics=metrics)
    return compare_stored(
        ("base", "head"),
        run="latest",
        stores=(place, place),
        selection=selection,
        margin=None,
        across=False,
    )


@pytest.fixture
def slower(tmp_path: Path) -> GateEntry:
    return gate_document(outcome(tmp_path, (1000.0, 1100.0), (5000, 5150)))


def test_a_slower_head_is_said_with_difference_interval_and_verdict(slower: GateEntry) -> None:
    text = comment(slower)
    assert text.startswith("### motebench: 2 cases are certainly slower by more than 1 %\n")
    (host,) = (
        line
        for line in text.splitlines()
        if line.startswith("| speck-64-128-ecb encrypt 64 B host |")
    )
    assert "**slower**, not allowed" in host
    assert "+10.0 % (+" in host
    (board,) = (
        line for line in text.splitlines() if "| cycles | 5,000 | 5,150 | +150, +3.00 % |" in line
    )
    assert "**slower**, not allowed" in board
    assert "sim:atmega328p | time" not in text, "the time of a board is its cycles"
    assert "6 runs of each commit, in turn, in random order (seed 7)" in text


def test_a_gate_of_several_looks_says_so(tmp_path: Path) -> None:
    found = outcome(tmp_path, (1000.0, 1000.0), (5000, 5000))
    words = "gate looks after 5, 10 and 20 runs and ends when nothing is open"
    assert words in comment(gate_document(replace(found, looks=(5, 10, 20))))
    assert words not in comment(gate_document(replace(found, looks=(6,))))


def test_functions_are_new_or_gone(slower: GateEntry) -> None:
    text = comment(slower)
    assert "| `block\\|'` | new | 10 | +10 |" in text
    assert "| `table` | 64 | gone | -64 |" in text


def test_texts_of_others_mean_nothing_in_a_comment(slower: GateEntry) -> None:
    text = comment(slower)
    assert "<img" not in text
    assert "@everyone" not in text
    assert "\\[x\\](javascript:alert(1))" in text


def test_equal_builds_pass(tmp_path: Path) -> None:
    entry = gate_document(outcome(tmp_path, (1000.0, 1000.0), (5000, 5000)))
    assert entry.answer == GateAnswer.PASSED
    text = comment(entry)
    assert text.startswith("### motebench: nothing is slower by more than 1 %\n")
    assert "| cycles | 5,000 | 5,000 | 0, 0 % | equal |" in text


def test_too_few_runs_leave_a_case_open_and_say_how_many_would_do(tmp_path: Path) -> None:
    found = outcome(tmp_path, (1000.0, 1011.0), (5000, 5000), runs=3)
    entry = gate_document(found)
    assert entry.answer == GateAnswer.UNDECIDED
    assert entry.runs_needed == 7
    assert comment(entry).startswith("### motebench: undecided: ")


def test_a_head_that_fails_is_undecided(tmp_path: Path) -> None:
    found = outcome(tmp_path, (1000.0, 1000.0), (5000, 5000))
    failure = Failure.of_case(SPECK, FailureKind.BUILD, "no |\n table")
    found = replace(
        found,
        comparison=None,
        counts=None,
        reason="nothing in common",
        failures=(("head", failure),),
    )
    text = comment(gate_document(found))
    assert "### motebench: undecided: nothing in common" in text
    assert "| speck-64-128-ecb encrypt 64 B host | head | build | no \\| table |" in text


def test_a_case_that_was_disturbed_is_not_passed_over(tmp_path: Path) -> None:
    found = outcome(tmp_path, (1000.0, 1000.0), (5000, 5000))
    assert found.comparison is not None
    lost = Unmatched(**SPECK.identity(), reason="time of code/speck is disturbed")
    found = replace(found, comparison=replace(found.comparison, only_in_a=(lost,)))
    entry = gate_document(found)
    assert entry.answer == GateAnswer.UNDECIDED
    assert (
        "| speck-64-128-ecb encrypt 64 B host | both | not compared | time of code/speck is"
        in comment(entry)
    )


def test_the_picture_has_two_bars_a_row_and_escaped_texts(slower: GateEntry) -> None:
    drawn = ElementTree.fromstring(picture(slower))
    bars = [rect for rect in drawn.findall("{*}rect") if rect.get("height") == "10"]
    assert len(bars) == 4
    assert any("<img" in (text.text or "") for text in drawn.findall("{*}text"))


def test_metrics_have_the_head_and_the_ratio(slower: GateEntry) -> None:
    text = gate_metrics(slower)
    labels = '{scheme="speck-64-128-ecb",implementation="code/speck",target="sim:atmega328p"'
    assert f"motebench_cycles{labels}" in text
    assert any(
        line.endswith(" 1.03")
        for line in text.splitlines()
        if line.startswith("motebench_cycles_ratio")
    )
    assert "aaaa" not in text, "labels are those of the next pipeline, too"
