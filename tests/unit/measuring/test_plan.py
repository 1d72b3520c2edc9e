"""Defaults of a study, and the words for a plan and a run."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation
from motebench.catalog.devices import programmable
from motebench.cli.text.progress import Terminal, left_out, plan_lines, rest_words
from motebench.measuring.plan.plan import Plan, find_targets, make_plan, plan_document
from motebench.measuring.run.book import Book, least, precision_of
from motebench.measuring.run.context import Budget
from motebench.measuring.run.precision import Precisions
from motebench.measuring.run.records import RunState, WholeProgress
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import PRESETS, Sampling, WholeFile, policy_of
from motebench.stats import converged, describe
from motebench.targets.base import USUAL_SIZES, Sharing
from motebench.targets.registry import open_target, usual_implementations

SIM = Case("aes-128-ccm", "mote/aes-fast", Operation.ENCRYPT_MESSAGE, 16, "sim", "mote/aes-fast")


class Place:
    device = None

    def __init__(self, evidence: Evidence, *, exact: bool = True) -> None:
        self.evidence, self.exact = evidence, exact
        self.sharing, self.apart = Sharing.IN_TURN, ""


class At:
    def __init__(self, evidence: Evidence, *, exact: bool = True) -> None:
        self.place = Place(evidence, exact=exact)


def plan(evidence: Evidence, *cases: Case, exact: bool = True, **more: Any) -> Plan:
    targets: Any = {"sim": At(evidence, exact=exact)}
    return Plan(cast("Any", None), PRESETS["normal"], cases or (SIM,), (), (), targets, {}, **more)


def asked(**options: Any) -> Plan:
    spelt = Options(**{key: (value,) for key, value in options.items()})
    return make_plan(find_targets(from_options(spelt, Sampling(), WholeFile()), dry=True))


# What is usual


def test_the_first_command_that_anybody_types_has_a_small_plan_without_failures() -> None:
    found = asked(schemes="aes-128-gcm")
    assert not found.failures
    assert {case.input_bytes for case in found.cases} == set(USUAL_SIZES)
    assert {case.operation for case in found.cases} == {
        Operation.ENCRYPT_MESSAGE,
        Operation.DECRYPT_MESSAGE,
    }
    names = {case.implementation for case in found.cases}
    assert "openssl" in names and not any("/" in name for name in names)
    assert len(found.cases) <= 60


def test_a_default_size_that_a_library_cannot_take_is_a_line_and_no_failure() -> None:
    if "botan" not in usual_implementations(open_target("host")):
        pytest.skip("Botan is not built")
    found = asked(schemes="aes-128-gcm", implementations="botan", operations="encrypt")
    assert not found.failures and [case.input_bytes for case in found.cases] == [1024, 16384]
    (line,) = left_out(found, brief=True)
    assert "16 B is not a multiple of the 64-byte block" in line and "aes-128-gcm botan" in line
    named = asked(
        schemes="aes-128-gcm", implementations="botan", operations="encrypt", sizes="16,1KiB"
    )
    assert [failure.input_bytes for failure in named.failures] == [16]


def test_other_languages_and_sources_for_boards_are_told_and_not_measured() -> None:
    found = asked(schemes="aes-128-gcm")
    others = found.unasked.get("host", ())
    assert not {"openssl", "mbedtls"} & set(others)
    if others:
        assert any("--implementation '*' adds them" in line for line in plan_lines(found))


@pytest.mark.parametrize(
    ("device", "sizes"),
    [("atmega328p", (16, 64)), ("atmega2560", (16, 64, 256)), ("samd21g18a", (16, 64, 256))],
)
def test_the_usual_sizes_of_a_board_leave_room_in_its_ram(
    device: str, sizes: tuple[int, ...]
) -> None:
    assert open_target(f"sim:{device}").place.usual_sizes == sizes
    assert max(sizes) * 32 <= programmable()[device].ram_bytes


# Readings that repeat


def enough(of: Plan, case: Case, values: list[float]) -> bool:
    return precision_of(of, case, values, Precisions(of.policy.precision)).reached


def test_two_equal_readings_of_a_simulator_are_enough() -> None:
    simulated = plan(Evidence.SIMULATED)
    assert least(simulated, SIM, [5.0]) == 2
    assert not enough(simulated, SIM, [5.0])
    assert enough(simulated, SIM, [5.0, 5.0])
    assert not enough(simulated, SIM, [5.0, 6.0]), "what differs has noise"
    assert least(simulated, SIM, [5.0, 6.0]) == PRESETS["normal"].min_samples


def test_hardware_needs_the_samples_of_an_interval() -> None:
    board = plan(Evidence.MEASURED)
    assert least(board, SIM, [5.0, 5.0]) == 6
    assert not enough(board, SIM, [5.0] * 5) and enough(board, SIM, [5.0] * 6)


def test_equal_readings_have_an_interval_only_where_there_is_no_noise() -> None:
    exact = describe([7.0, 7.0], simulated=True)
    assert (exact.ci_low, exact.ci_high, exact.confidence, exact.precision) == (7.0, 7.0, 1.0, 0.0)
    assert describe([7.0, 7.0]).ci_low is None
    assert describe([7.0, 8.0], simulated=True).ci_low is None
    assert describe([7.0], simulated=True).ci_low is None
    assert not converged([7.0, 7.0], 0.5)


# Samples that verdicts need


def compared(count: int, preset: str = "normal", **sampling: Any) -> Plan:
    """The plan of one operation by so many implementations."""
    chosen = Sampling(preset=cast("Any", preset), **sampling)
    question: Any = SimpleNamespace(study=SimpleNamespace(sampling=chosen))
    cases = tuple(replace(SIM, implementation=f"i{number}") for number in range(count))
    targets: Any = {"sim": At(Evidence.MEASURED, exact=False)}
    return Plan(question, policy_of(chosen), cases, (), (), targets, {}).with_needed_samples()


def test_a_family_gets_the_samples_that_its_smallest_p_needs() -> None:
    assert compared(5).policy.min_samples == 20, "ten comparisons need 11 pairs"
    many = compared(120)
    need = many.verdict_need
    assert need is not None and (need.comparisons, need.samples, need.lacking) == (7140, 21, "")
    assert many.policy.min_samples == 21
    assert many.of(many.cases[:3]).policy.min_samples == 21, (
        "a lane is judged in the family of the whole run"
    )


def test_a_quick_look_and_a_number_of_the_study_stay_and_say_what_verdicts_need() -> None:
    quick, own = compared(10, "fast"), compared(10, min_samples=6)
    assert quick.policy.min_samples == 12 and own.policy.min_samples == 6
    assert any(
        line.startswith(
            "to call one small difference among 45, 14 samples of each case are needed, at least "
            "1 s"
        )
        and line.endswith("; 12 are planned")
        for line in plan_lines(quick)
    )
    assert own.verdict_need is not None and own.verdict_need.lacking == "6 are planned"
    assert not any("small difference" in line for line in plan_lines(compared(6, "fast")))


def test_a_budget_that_is_too_short_for_verdicts_is_told_with_what_they_need() -> None:
    short = compared(120, budget="1s")
    assert short.policy.min_samples == 20
    (line,) = [line for line in plan_lines(short) if "small difference" in line]
    assert not any("small difference" in other for other in plan_lines(short, compared=False))
    assert "21 samples of each case are needed, at least 22 s; the budget has 1 s" in line
    document = plan_document(short)
    assert (document.samples, document.comparisons, document.samples_needed) == (20, 7140, 21)
    assert document.seconds_needed == pytest.approx(21.5, abs=1)


def test_numbers_without_noise_need_no_samples_for_verdicts() -> None:
    exact = plan(Evidence.SIMULATED, SIM, replace(SIM, implementation="b"))
    assert exact.verdict_need is None and plan_document(exact).samples_needed is None


# What is told


def test_a_plan_is_told_in_words() -> None:
    cases = [replace(SIM, input_bytes=size) for size in (16, 1024)]
    lines = list(plan_lines(plan(Evidence.SIMULATED, *cases)))
    assert (
        lines[0] == "2 cases: aes-128-ccm by mote/aes-fast, encrypt-message, 16 B and 1 KiB, on sim"
    )
    assert lines[1].startswith("each case is simulated twice")
    hellos: Any = {}
    measured = list(plan_lines(plan(Evidence.MEASURED, *cases, exact=False, hellos=hellos), runs=3))
    assert measured[0].endswith(", 3 runs of them")
    assert measured[1].startswith(
        "measuring takes 1 to 30 s, by the noise of the machine; known answers"
    )


def test_the_time_of_long_inputs_is_not_known_before() -> None:
    long = plan(Evidence.MEASURED, replace(SIM, input_bytes=10 * 2**30), exact=False, hellos={})
    line = list(plan_lines(long))[1]
    assert (
        "one operation on 10 GiB may last longer than a usual batch" in line
        and "about 0 s" not in line
    )
    assert plan_document(long).seconds_at_least is None
    usual = plan(Evidence.MEASURED, SIM, exact=False, hellos={})
    assert plan_document(usual).seconds_at_least is not None
    assert plan(Evidence.SIMULATED, replace(SIM, input_bytes=2**30)).longest_input == 0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_log_names_each_phase_counts_it_and_estimates_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    terminal = Terminal(quiet=False, now=clock)
    with terminal.run(None, 1, 1) as told:
        told.planned(plan(Evidence.MEASURED, exact=False))
        for done in range(3):
            told.building(f"firmware {done}", done, 3)
            clock.now += 6
        told.checking("a b", 0, 2)
        told.checking("a c", 1, 2)
        told.checking("a c", 2, 2)
        clock.now += 10
        told.sampled(SIM, RunState(1, 4, 0.25, 10.0, 60.0, (20.0, 50.0)))
        clock.now += 1
        told.sampled(SIM, RunState(2, 4, 0.3, 11.0, 60.0))
    lines = capsys.readouterr().err.splitlines()[2:]
    assert lines == [
        "building firmware, 0 of 3 done: firmware 0",
        "building firmware, 1 of 3 done: firmware 1",
        "building firmware, 2 of 3 done: firmware 2",
        "checking known answers, 0 of 2 done: a b",
        "measuring, 1 of 4 cases finished; 10 s so far, about 32 s left",
    ]
    assert terminal.took_words() == "29 s: building firmware 18 s, measuring 11 s"


def test_a_run_that_takes_longer_than_was_said_says_why() -> None:
    clock = Clock()
    terminal = Terminal(quiet=True, now=clock)
    with terminal.run(None, 1, 1) as told:
        told.planned(plan(Evidence.MEASURED, exact=False))
        told.checking("a b", 1, 1)
        clock.now += 10
    assert terminal.late_words() is None
    with terminal.run(None, 1, 1) as told:
        told.checking("a b", 1, 1)
        clock.now += 103
    words = terminal.late_words()
    assert words is not None and "measuring took 113 s, more than the 10 s of its budget" in words


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (None, ""),
        ((10.0, 40.0), "about 20 s left"),  # within a factor of 2, whichever comes
        ((0.0, 29.0), "at most 29 s left"),
        ((1.0, 29.0), "at most 29 s left"),
        ((29.0, 29.0), "about 29 s left"),
    ],
)
def test_the_rest_is_a_figure_within_a_factor_of_2_or_a_bound(rest, words: str) -> None:
    assert rest_words(RunState(0, 9, 0.5, 5.0, 34.0, rest)) == words


class Lane:
    """A lane of three cases whose readings take a second each by a simulated clock."""

    def __init__(self, plan: Plan) -> None:
        self.budget, self.states = Budget(plan), []
        self.seconds = 0.0
        self.budget.seconds = self.budget.charged = lambda: self.seconds  # type: ignore[method-assign]
        context: Any = SimpleNamespace(plan=plan, records=None, progress=None, budget=self.budget)
        self.book = Book(context, plan.budget)
        self.book.open({}, lambda case, _: cast(Any, SimpleNamespace(values=[], taken=0)))

    def round(self) -> list[RunState]:
        """Every case is read once more."""
        states = []
        for item in self.book.active.values():
            self.seconds += 1
            cast(Any, item).values.append(1.0 + len(item.values) % 2)
            item.taken += 1
            states.append(self.book._state())
        return states


def test_what_is_left_never_exceeds_the_limit_and_is_no_guess() -> None:
    cases = [replace(SIM, input_bytes=size) for size in (16, 32, 64)]
    limited = replace(
        plan(Evidence.MEASURED, *cases, exact=False), policy=replace(PRESETS["normal"], budget=70.0)
    )
    lane = Lane(limited)
    assert [state.rest for state in lane.round()] == [None, None, (0.0, 67.0)], (
        "each case is read, whatever the limit"
    )
    for _ in range(2, 30):
        for state in lane.round():
            if state.seconds >= 70:
                assert state.rest is None and rest_words(state) == ""
                continue
            assert state.rest is not None and state.rest[1] == 70.0 - state.seconds
            # To 20 samples of each case; not known before memory has been read, and then the pace
            # was seen.
            left = max(60.0 - state.seconds, 0.0) if state.seconds >= 31 else 0.0
            assert state.rest[0] == pytest.approx(left, abs=1e-9), state.seconds


def test_lanes_have_left_what_the_longest_of_them_has() -> None:
    told: list[RunState] = []
    progress: Any = SimpleNamespace(sampled=lambda case, state: told.append(state))
    whole = WholeProgress(progress, 6, 100.0, lambda: 30.0)
    whole.lane(0).sampled(SIM, RunState(0, 3, 0.5, 10.0, 50.0, (5.0, 20.0)))
    assert told[-1].rest == (5.0, 70.0), "another lane follows"
    whole.lane(1).sampled(SIM, RunState(0, 3, 0.5, 10.0, 50.0, (9.0, 12.0)))
    assert told[-1].rest == (9.0, 20.0)
    whole.lane(1).sampled(SIM, RunState(0, 3, 0.6, 10.0, 50.0))
    assert told[-1].rest is None


def test_one_failure_is_told_once_and_not_for_every_size(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Terminal(quiet=False, now=Clock()).run(None, 1, 1) as told:
        for size in (16, 64):
            told.failed(
                Failure.of_case(replace(SIM, input_bytes=size), FailureKind.TOO_BIG, "too large")
            )
    assert capsys.readouterr().err.count("too-big: too large") == 1
