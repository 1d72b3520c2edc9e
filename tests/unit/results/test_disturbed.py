"""Readings during which the process had not the processor: found, left out, and never shown as a
plain result.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from result_documents import document

from motebench.advise.choice.measured import of_runs
from motebench.base.errors import InputError
from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.catalog.devices import devices, programmable
from motebench.cli.text.table import print_table
from motebench.documents import schema
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.work import readings
from motebench.measuring.work.readings import of_timing
from motebench.results.comparison.matching import compare
from motebench.results.comparison.model import Side
from motebench.results.document import result
from motebench.results.presentation.leads import differ
from motebench.results.presentation.rows import rows_of
from motebench.results.results import LEAST_QUIET
from motebench.show.export import export, formats
from motebench.show.report.page import write_page
from motebench.targets.board.board import nominal_clock
from motebench.targets.board.simulated import Simulation
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Clock, Hello, Timing

NS = 10**9
CLOCK = Clock("CLOCK_MONOTONIC_RAW", NS, 20, 30.0)
WHY = "without the processor for 94 % of the time (3 times)"
AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT_MESSAGE, 1024, "host", "openssl")
OTHER = Case("aes-128-cbc", "nettle", Operation.ENCRYPT_MESSAGE, 1024, "host", "nettle")
KEYGEN = Case("rsa-2048-pss-sha256", "openssl", Operation.KEYGEN, 0, "host", "openssl")


def hello(*, step: int = 30, jit: bool = False, cpu: bool = True) -> Hello:
    clock = Clock("CLOCK_THREAD_CPUTIME_ID", NS, step, 100.0) if cpu else None
    return Hello("p", "i", "v", "c", "f", "a", CLOCK, None, clock, 4096, 4096, frozenset(), jit=jit)


def timing(*pairs: tuple[float, float], preempted: tuple[int, ...] | None = None) -> Timing:
    """Batches by elapsed and processor time in ms."""
    ticks, cpu = (tuple(round(pair[which] * 1e6) for pair in pairs) for which in (0, 1))
    return Timing(ticks, None, cpu, 0, 0, None, preempted=preempted)


# Finding them


def test_a_batch_that_had_the_processor_is_not_disturbed() -> None:
    assert readings.marks(timing((2.0, 2.0), (2.0, 1.99), (2.0, 2.01)), hello()) == ["", "", ""]


def test_a_contended_batch_says_how_long_it_waited() -> None:
    found = readings.marks(timing((2.0, 2.0), (33.0, 2.0), preempted=(0, 3)), hello())
    assert found == ["", WHY]


def test_a_short_turn_of_another_process_counts() -> None:
    (found,) = readings.marks(timing((2.04, 2.0), preempted=(1,)), hello())
    assert found == "without the processor for 2.0 % of the time (once)"


def test_steps_of_a_coarse_clock_are_no_waiting() -> None:
    # Processor time in steps of 4 ms: a batch of 10 ms may show 8 ms and have had the processor all
    # along.
    assert readings.marks(timing((10.0, 8.0)), hello(step=4_000_000)) == [""]
    assert readings.marks(timing((40.0, 8.0)), hello(step=4_000_000)) != [""]


def test_a_runtime_waits_for_its_own_collector_undisturbed() -> None:
    paused = timing((10.0, 8.0), preempted=(0,))
    assert readings.marks(paused, hello(jit=True)) == [""]
    assert readings.marks(paused, hello()) != [""]
    assert readings.marks(timing((10.0, 8.0), preempted=(1,)), hello(jit=True)) != [""]


def test_without_a_clock_of_processor_time_preemptions_decide() -> None:
    blind = Timing((1, 1), None, None, 0, 0, None, preempted=(0, 2))
    assert readings.marks(blind, hello(cpu=False)) == ["", "lost the processor 2 times"]


def test_a_board_is_never_disturbed() -> None:
    assert readings.marks(Timing((5, 5), (5, 5), None, 0, 0, None), hello(cpu=False)) == ["", ""]


def test_stolen_time_counts_beyond_one_tick() -> None:
    quiet = timing((2.0, 2.0))
    one, more = readings.TICK, 3 * readings.TICK
    assert readings.marks(quiet, hello(), stolen=one, elapsed=0.02) == [""]
    assert readings.marks(quiet, hello(), stolen=more, elapsed=60.0) == [""]
    (found,) = readings.marks(quiet, hello(), stolen=more, elapsed=0.04)
    assert found.startswith("the hypervisor took the core away for up to 30 ms")


def test_the_reference_loop_is_a_series_of_its_own_one_reading_a_batch() -> None:
    seen = replace(timing((2.0, 2.0), (2.0, 2.0)), reference_loop=(14_000, 15_000))
    loops = [
        (series.raw_unit, series.overhead, raw, batch)
        for series, raw, batch in readings.of_timing(seen, 100, hello(), Evidence.MEASURED)
        if series.metric == "reference_loop"
    ]
    assert loops == [
        ("tick", hello().clock.overhead, 14_000, 1),
        ("tick", hello().clock.overhead, 15_000, 1),
    ]


# A visit


class Session:
    """Replays recorded batches (elapsed, processor time in ms)."""

    jit = False
    generation = 1

    def __init__(self, *batches: tuple[float, float]) -> None:
        self.batches = list(batches)
        self.warm: list[int] = []

    def hello_of(self, scheme: str) -> Hello:
        del scheme
        return hello()

    def measure(
        self, job: object, *, batch: int, count: int, warm: int, timeout: float, reference: bool
    ) -> Timing:
        assert reference
        self.warm.append(warm)
        return timing(*(self.batches.pop(0) for _ in range(count)))


class OnePool:
    def __init__(self, session: Session) -> None:
        self.one = session

    def session(self, *_: str) -> Session:
        return self.one


def a_visited(case: Case, *batches: tuple[float, float]) -> tuple[TimedCase, Session]:
    session = Session(*batches)
    made = TimedCase(case, None, None, Evidence.MEASURED, 0.002, 60.0, 5.0)  # type: ignore[arg-type]
    made.batch, made._job, made._crc, made._hello = 100, object(), 0, hello()  # type: ignore[assignment]
    for _ in batches:
        made.visit(OnePool(session), None)  # type: ignore[arg-type]
    return made, session


def test_a_disturbed_reading_is_none_of_the_samples_that_a_case_needs() -> None:
    made, _ = a_visited(AES, (2.0, 2.0), (33.0, 2.0), (2.1, 2.1))
    assert made.taken == 3
    assert made.values == pytest.approx([(2e6 - 30) / 100, (2.1e6 - 30) / 100])


def test_each_visit_has_its_own_marks() -> None:
    made, _ = a_visited(AES, (33.0, 2.0))
    assert made.marks == ["without the processor for 94 % of the time"]
    made, _ = a_visited(AES, (33.0, 2.0), (2.0, 2.0))
    assert made.marks == [""]


def test_where_the_work_is_random_every_reading_counts() -> None:
    made, _ = a_visited(KEYGEN, (2.0, 2.0), (33.0, 2.0))
    assert len(made.values) == 2 and made.marks != [""]


def test_batches_are_not_shortened_by_what_a_process_waited() -> None:
    made, session = a_visited(AES)
    # 1000 ns of work each; the first look at one iteration took 75 times as long.
    session.batches = [(0.075, 0.001), (4.8, 0.064), (2.0, 2.0), (2.0, 2.0)]
    made.batch = 0
    made.visit(OnePool(session), None)  # type: ignore[arg-type]
    assert made.batch == pytest.approx(2000, rel=0.15)


def test_a_process_is_warmed_up_for_five_milliseconds() -> None:
    _, session = a_visited(AES, (2.0, 2.0))
    # A batch of 100 lasts 2 ms.
    assert session.warm == [250]


# Results


def a_series(
    metric: str, quiet: int, lost: int, value: float = 18e3, contended: float = 1.37e6
) -> Series:
    samples = [Sample(place, value + place) for place in range(quiet)]
    samples += [Sample(quiet + place, contended + place, disturbed=WHY) for place in range(lost)]
    return Series(metric, "tick", 1.0, 0.0, CLOCK.name, Evidence.MEASURED, tuple(samples))


def a_run(*results: CaseResult, number: int = 1) -> Run:
    info = RunInfo(
        number, f"r{number}", "text", "2026-11-20T00:00:00+00:00", None, "finished", "0.1.0", 1
    )
    return Run(info, results)


def a_result(quiet: int, lost: int, case: Case = AES, value: float = 18e3) -> CaseResult:
    busy = Series(
        "cpu_time",
        "tick",
        1.0,
        0.0,
        "cpu",
        Evidence.MEASURED,
        tuple(Sample(i, value) for i in range(quiet + lost)),
    )
    return CaseResult(case, (a_series("time", quiet, lost, value), busy), finished=True)


def shown(*results: CaseResult, metric: str = "time") -> dict:
    found = document(a_run(*results))
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    return next(entry for entry in found["measurements"] if entry["metric"] == metric)


def test_disturbed_readings_are_left_out_where_six_others_are_left() -> None:
    entry = shown(a_result(LEAST_QUIET, 5))
    assert (entry["n"], entry["disturbed"], entry["quotable"]) == (6, 5, True)
    assert entry["max"] < 20e3
    assert f"5 of 11 readings disturbed, left out: {WHY}" in entry["notes"]


def test_with_too_few_others_it_cannot_be_quoted() -> None:
    entry = shown(a_result(LEAST_QUIET - 1, 7))
    assert (entry["n"], entry["disturbed"], entry["quotable"]) == (5, 7, False)
    assert shown(a_result(LEAST_QUIET - 1, 7), metric="throughput")["quotable"] is False
    assert shown(a_result(LEAST_QUIET - 1, 7), metric="cpu_load")["quotable"] is False, (
        "a part of that time"
    )
    assert shown(a_result(LEAST_QUIET - 1, 7), metric="cpu_time")["quotable"] is True


def test_contended_readings_alone_are_no_result() -> None:
    entry = shown(a_result(0, 8))
    assert (entry["n"], entry["disturbed"], entry["quotable"]) == (8, 8, False)


def test_nothing_is_chosen_where_the_work_is_random() -> None:
    few = CaseResult(KEYGEN, (a_series("time", 30, 3),), finished=True)
    assert (shown(few)["n"], shown(few)["quotable"]) == (33, True)
    many = CaseResult(KEYGEN, (a_series("time", 20, 5),), finished=True)
    assert (shown(many)["n"], shown(many)["quotable"]) == (25, False)


def test_the_table_does_not_show_a_contended_number_as_a_plain_result() -> None:
    out = io.StringIO()
    print_table(result(a_run(a_result(1, 8), a_result(12, 0, OTHER, 20e3))), out, width=120)
    lines = [line for line in out.getvalue().splitlines() if line.startswith("aes-128-cbc")]
    (lost,) = [line for line in lines if "openssl" in line]
    (good,) = [line for line in lines if "nettle" in line]
    assert "~18.0 µs (disturbed)" in " ".join(lost.split())
    assert "disturbed" not in good
    assert "processor time" in out.getvalue() and "do not quote it" in out.getvalue()


def test_the_table_says_how_many_readings_were_left_out() -> None:
    out = io.StringIO()
    print_table(result(a_run(a_result(9, 4))), out)
    assert "4 readings are left out because the process lost the processor." in out.getvalue()
    assert "~" not in out.getvalue()


def test_nothing_differs_from_what_was_disturbed() -> None:
    lost, good = (
        next(row for row in rows_of(result(a_run(case), samples=True)) if row.metric == "time")
        for case in (a_result(0, 12), a_result(12, 0, value=30e3))
    )
    assert not differ(lost, good) and lost.half_width is None


def test_what_was_disturbed_is_not_compared() -> None:
    quiet, lost = Side(a_run(a_result(12, 0))), Side(a_run(a_result(0, 12), number=2))
    with pytest.raises(
        InputError, match=r"time of openssl is disturbed \(12 of 12 readings disturbed"
    ):
        compare(quiet, lost)
    both = Side(a_run(a_result(0, 12), a_result(12, 0, OTHER), number=2))
    found = compare(Side(a_run(a_result(12, 0), a_result(12, 0, OTHER))), both)
    assert [pair.a.case.implementation for pair in found.pairs] == ["nettle"]
    assert ["disturbed" in item.reason for item in found.only_in_a] == [True]


@pytest.mark.parametrize("form", ["badge", "badge-svg"])
def test_no_badge_says_it(form: str) -> None:
    with pytest.raises(InputError, match="is disturbed"):
        export(result(a_run(a_result(0, 12))), form)


@pytest.mark.parametrize("form", [form for form in formats() if not form.startswith("badge")])
def test_no_export_has_it_as_a_plain_result(form: str) -> None:
    text = export(result(a_run(a_result(0, 12))), form)
    if form == "openmetrics":
        assert "motebench_time_nanoseconds" not in text
    elif form == "github-action-benchmark":
        assert not any(entry["name"].endswith("/time") for entry in json.loads(text))
    elif form == "bencher":
        assert [name for name, entry in json.loads(text).items() if "latency" in entry] == []
    elif form == "google-benchmark":
        (entry,) = json.loads(text)["benchmarks"]
        assert entry["error_occurred"] and entry["error_message"].startswith("disturbed: 12 of 12")
    elif form == "csv":
        head, first, *_ = [line.split(",") for line in text.splitlines()]
        assert dict(zip(head, first, strict=False))["quotable"] == "False"
    else:
        assert "disturbed" in text


def test_what_was_disturbed_is_no_candidate() -> None:
    device = devices()["pc"]
    found = of_runs([a_run(a_result(0, 12), a_result(12, 0, OTHER))], device, "motebench.db")
    by_name = {offer.implementation: offer for offer in found.offers}
    assert by_name["nettle"].points and not by_name["nettle"].failure
    assert not by_name["openssl"].points and str(by_name["openssl"].failure).startswith(
        "disturbed: 12 of 12 readings"
    )
    assert any("1 times of that run are disturbed" in note for note in found.notes)


def table_texts(table: dict[str, Any], name: str) -> list[str]:
    """A column of texts of the page's data."""
    of, at = table["texts"][name]["of"], table["texts"][name]["at"]
    if isinstance(at, dict):
        at = [
            value
            for value, length in zip(at["runs"][::2], at["runs"][1::2], strict=True)
            for _ in range(length)
        ]
    return [of[place] for place in at]


def test_the_page_strikes_what_cannot_be_quoted(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_page(result(a_run(a_result(0, 12), a_result(12, 0, OTHER)), samples=True), page)
    text = page.read_text(encoding="utf-8")
    table = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])["table"]
    who = [
        of
        for row, of in enumerate(table_texts(table, "implementation"))
        if row in table["unquotable"]
    ]
    assert who and set(who) == {"openssl"}
    assert "(disturbed)" in text and "1 of 2 times are disturbed" in text


def invoked(processes: int, lost: set[tuple[int, int]], batches: int = 4) -> CaseResult:
    """Processes that each give several batches; ``lost`` are those that were disturbed, by process
    and place.
    """
    places = [(process, place) for process in range(processes) for place in range(batches)]
    times = tuple(
        Sample(
            number,
            1.37e6 if place in lost else 18e3 + place[0],
            invocation=place[0],
            disturbed=WHY if place in lost else "",
        )
        for number, place in enumerate(places)
    )
    busy = tuple(
        Sample(number, 18e3 + place[0], invocation=place[0]) for number, place in enumerate(places)
    )
    series = [("time", times), ("cpu_time", busy)]
    found = tuple(
        Series(name, "tick", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
        for name, samples in series
    )
    return CaseResult(AES, found, finished=True)


def test_an_invocation_counts_by_its_undisturbed_batches() -> None:
    entry = shown(invoked(6, {(0, 0), (0, 1), (0, 2), (3, 1)}))
    assert (entry["n"], entry["disturbed"], entry["quotable"]) == (6, 4, True)
    assert entry["max"] < 19e3 and entry["batches"] == 1
    assert shown(invoked(6, {(0, 0)}), metric="cpu_load")["max"] == pytest.approx(1.0)


def test_invocations_without_an_undisturbed_batch_are_missed() -> None:
    whole = {(2, place) for place in range(4)}
    assert (shown(invoked(7, whole))["n"], shown(invoked(7, whole))["quotable"]) == (6, True)
    assert (shown(invoked(6, whole))["n"], shown(invoked(6, whole))["quotable"]) == (5, False)


# Counters and clocks


@pytest.mark.parametrize(
    ("counter", "metric"),
    [("tsc", "ticks"), ("cntvct_el0", "ticks"), ("perf_event:cpu-cycles:u", "cycles")],
)
def test_only_cycles_of_the_core_are_called_cycles(counter: str, metric: str) -> None:
    greeting = replace(hello(), counter=Clock(counter, 0, 1, 0.0))
    read = Timing((100,), (200,), None, 0, 0, None)
    assert [series.metric for series, _, _ in of_timing(read, 1, greeting, Evidence.MEASURED)] == [
        "time",
        metric,
    ]


def test_time_of_a_nominal_clock_has_its_uncertainty() -> None:
    read = Timing((1_000_030,), None, None, 0, 0, None)
    ((series, _, _),) = of_timing(read, 10, hello(), Evidence.MEASURED, tolerance=0.005)
    # A rectangular distribution of +-0.5 % around 100 us.
    assert series.type_b == pytest.approx(100_000 * 0.005 / 3**0.5)
    ((plain, _, _),) = of_timing(read, 10, hello(), Evidence.MEASURED)
    assert plain.type_b is None


@pytest.mark.parametrize(
    ("device", "tolerance", "words"),
    [
        (
            "atmega2560",
            0.005,
            "nominal 16 MHz: the clock of the board (a ceramic resonator of 16 MHz) may be off",
        ),
        ("samd21g18a", 0.001, "nominal 48 MHz"),
    ],
)
def test_a_real_board_says_that_its_clock_is_nominal(
    device: str, tolerance: float, words: str
) -> None:
    found, note = nominal_clock(devices()[device])
    assert found == tolerance and words in note
    assert Simulation(programmable()[device], BoardSettings()).clock() == (0.0, "")
