"""Several cores: processes that work at once, the window in which all of them do, and what their
rates add up to.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import Case, Evidence, FailureKind, Kind, Operation, Run, RunInfo, Scheme
from motebench.cli.text.line_tables import scaling_table
from motebench.measuring.plan.cases import core_counts
from motebench.measuring.run import timed_case
from motebench.measuring.run.timed_case import FEWEST, CommonWindow, CoresCase, Worked, common
from motebench.measuring.study.load import Options, from_options, from_text
from motebench.measuring.study.model import Group, Sampling, WholeFile
from motebench.measuring.work.proof import Consensus
from motebench.results.document import result, scaling
from motebench.targets.host.pinning import in_order, shared
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.wire.messages import Clock, Hello, Offer, ProbeFailure, Timing

BATCH = 0.002


def process(
    begin: float, batches: int = 20, *, slack: float = 0.0, lost: tuple[int, ...] = ()
) -> Worked:
    """A process whose first batch begins then, or up to ``slack`` seconds later."""
    times = (BATCH,) * batches
    return Worked(
        begin - 0.001, begin + sum(times) + slack + 0.001, 0.001, 0.001, times, frozenset(lost)
    )


# The window


def test_processes_that_begin_together_share_all_of_their_time() -> None:
    found = common([process(1.0), process(1.0)])
    assert isinstance(found, CommonWindow) and found.quiet
    assert (found.begin, found.end) == (pytest.approx(1.0), pytest.approx(1.04))
    assert [len(inside) for inside in found.inside] == [20, 20]


def test_batches_outside_the_common_time_do_not_count() -> None:
    found = common([process(1.0), process(1.0101)])
    assert isinstance(found, CommonWindow)
    assert (found.begin, found.end) == (pytest.approx(1.0101), pytest.approx(1.04))
    assert found.inside == (range(6, 20), range(0, 14))


def test_a_batch_counts_only_if_it_certainly_lies_inside() -> None:
    found = common([process(1.0, slack=0.003), process(1.0)])
    assert isinstance(found, CommonWindow)
    # The first one may have begun 3 ms later: what it did before and after is uncertain by as much.
    assert found.begin == pytest.approx(1.003)
    assert found.inside[0] == range(2, 18)
    assert found.inside[1] == range(2, 20)


@pytest.mark.parametrize("late", [0.025, 0.04, 5.0])
def test_processes_that_hardly_overlap_give_no_window(late: float) -> None:
    found = common([process(1.0), process(1.0 + late)])
    assert isinstance(found, str) and "worked together for" in found


def test_two_processes_one_after_the_other_have_no_common_time() -> None:
    assert (
        common([process(1.0), process(2.0)]) == "all processes worked together for 0 % of the time"
    )


def test_a_slow_link_leaves_no_certainty() -> None:
    assert isinstance(common([process(1.0, slack=0.5), process(1.0, slack=0.5)]), str)


def test_the_longest_part_without_a_lost_processor_counts() -> None:
    found = common([process(1.0, lost=(3,)), process(1.0, lost=(15, 16))])
    assert isinstance(found, CommonWindow) and found.quiet
    assert found.inside == (range(4, 15), range(4, 15))


def test_if_every_part_is_disturbed_all_of_it_counts_and_is_marked() -> None:
    found = common([process(1.0, lost=tuple(range(0, 20, FEWEST))), process(1.0)])
    assert isinstance(found, CommonWindow) and not found.quiet
    assert found.inside[1] == range(20)


def test_batches_that_are_too_long_for_the_window_give_none() -> None:
    slow = Worked(1.0, 1.06, 0.0, 0.0, (0.03, 0.03))
    found = common([slow, process(1.0, batches=30)])
    assert isinstance(found, str) and f"{FEWEST} are needed" in found


# The case


HELLO = Hello(
    "probe",
    "fast",
    "1",
    "cc",
    "",
    "x86_64",
    Clock("monotonic", 10**9, 1, 0.0),
    None,
    Clock("cpu", 10**9, 1, 0.0),
    65536,
    2**30,
    frozenset({"measure"}),
)


class Probe:
    """A probe at one of the cores, whose batches begin when a test says and last as long as it
    says.
    """

    generation = 1
    hello = HELLO

    def __init__(self, place: Place, core: int) -> None:
        self.place, self.core = place, core

    def hello_of(self, scheme: str) -> Hello:
        return HELLO

    def compute(self, job: object, **_: Any) -> Any:
        return SimpleNamespace(rejected=False, crc=7)

    def measure(
        self, job: object, *, batch: int, count: int, warm: int, timeout: float, **_: Any
    ) -> Timing:
        each = self.place.seconds * batch * (1 + self.place.slower * self.core)
        begin = self.place.begins(self.core)
        ticks = (round(each * 1e9),) * count
        cpu = tuple(
            tick if place not in self.place.lost else tick // 3 for place, tick in enumerate(ticks)
        )
        span = (begin, begin + sum(ticks) * 1e-9)
        crc = self.place.crc if self.core == self.place.wrong else 7
        return Timing(ticks, None, cpu, crc, 16, None, before=0, after=0, span=span)

    def close(self) -> None:
        self.place.open -= 1


class Place:
    """A place with cores, and a pool of it."""

    def __init__(self, count: int = 2) -> None:
        self.count, self.seconds, self.slower, self.open, self.now = count, 1e-6, 0.0, 0, 100.0
        self.lost: frozenset[int] = frozenset()
        self.late, self.wrong, self.crc = 0.0, -1, 7
        self.asked: list[int] = []
        self.core = -1

    def place(self, target: str) -> Place:
        return self

    def cores(self) -> list[int]:
        return list(range(self.count))

    def on_core(self, core: int) -> Any:
        self.core = core
        return nullcontext()

    def fresh(self, target: str, implementation: str) -> Probe:
        self.open += 1
        self.asked.append(self.core)
        return Probe(self, self.core)

    def begins(self, core: int) -> float:
        return self.now + self.late * core


SCHEME = Scheme("sha256", "sha", Kind.HASH, tag_bytes=32)
OFFER = Offer("sha256", frozenset({"digest"}), (0, 0), (0, 0), (0, 0), 1, True)


def case_on(count: int) -> CoresCase:
    case = Case("sha256", "fast", Operation.DIGEST, 1024, "host", "fast", cores=count)
    return CoresCase(case, SCHEME, OFFER, Evidence.MEASURED, BATCH, 60.0, 1.0)


def sampled(item: CoresCase, place: Place) -> list[Any]:
    return item.visit(place, Consensus())  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_rates_of_all_cores_add_up(count: int) -> None:
    place, item = Place(4), case_on(count)
    found = {series.metric: (series, raw, batch) for series, raw, batch in sampled(item, place)}
    series, raw, batch = found["time"]
    assert (raw - series.overhead) * series.scale / batch == pytest.approx(1000 / count), (
        "ns for one operation of all"
    )
    _, spent, _ = found["cpu_time"]
    assert spent / batch == pytest.approx(1000), (
        "of processor time each operation takes all the same"
    )
    assert batch == item.batch * timed_case.BATCHES_TOGETHER * count
    assert item.values == [pytest.approx(1000 / count)] and item.marks == [""]
    assert place.asked == list(range(count)) and place.open == 0


def test_a_slower_core_adds_its_own_rate() -> None:
    place, item = Place(), case_on(2)
    place.slower = 0.25
    sampled(item, place)
    assert item.values == [pytest.approx(1000 / (1 + 1 / 1.25))]


def test_without_enough_overlap_there_is_no_sample_and_then_a_failure() -> None:
    place, item = Place(), case_on(2)
    place.late = 10.0
    assert sampled(item, place) == [] and item.values == []
    assert item.notes == [
        "1 samples were not used: all processes worked together for 0 % of the time"
    ]
    with pytest.raises(ProbeFailure) as caught:
        for _ in range(5):
            sampled(item, place)
    assert (
        caught.value.kind is FailureKind.ERROR and "no sample in 5 rounds" in caught.value.message
    )
    assert place.open == 0
    place.late = 0.0
    assert sampled(item, place), "a later visit may have one"


def test_processes_without_the_processor_throughout_mark_the_sample() -> None:
    place, item = Place(), case_on(2)
    place.lost = frozenset(range(0, 40, 3))
    assert sampled(item, place)
    assert item.values == [] and "without the processor" in item.marks[0]


def test_the_output_of_every_process_is_checked() -> None:
    place, item = Place(), case_on(2)
    place.wrong, place.crc = 1, 8
    with pytest.raises(ProbeFailure) as caught:
        sampled(item, place)
    assert caught.value.kind is FailureKind.WRONG_ANSWER
    assert place.open == 0


def test_a_place_with_fewer_cores_is_refused() -> None:
    with pytest.raises(ProbeFailure, match="only 2 cores"):
        sampled(case_on(4), Place())


def test_requests_go_out_at_the_same_time() -> None:
    place, item = Place(), case_on(2)
    begun: list[float] = []
    original = Probe.measure

    class Waits(Probe):
        def measure(
            self, job: object, *, batch: int, count: int, warm: int, timeout: float, **_: Any
        ) -> Timing:
            if count > 1:
                begun.append(time.monotonic())
                deadline = time.monotonic() + 30
                while len(begun) < 2:
                    assert time.monotonic() < deadline, (
                        "the second request waits for the answer to the first"
                    )
                    time.sleep(0.001)
            return original(self, job, batch=batch, count=count, warm=warm, timeout=timeout)

    place.fresh = lambda target, implementation: Waits(place, place.core)  # type: ignore[method-assign]
    assert sampled(item, place)


# What is asked, and what comes of it


@pytest.mark.parametrize(
    ("there", "counts"),
    [(1, (1,)), (2, (1, 2)), (3, (1, 2, 3)), (4, (1, 2, 4)), (6, (1, 2, 4, 6)), (0, (1,))],
)
def test_all_cores_are_powers_of_two_and_all(there: int, counts: tuple[int, ...]) -> None:
    assert core_counts(there) == counts


def test_one_thread_of_each_core_comes_before_the_second(tmp_path: Path) -> None:
    class Four(LinuxSystem):
        def allowed_cores(self) -> frozenset[int]:
            return frozenset(range(4))

    for core in range(4):
        file = tmp_path / f"sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list"
        file.parent.mkdir(parents=True)
        file.write_text("0,2\n" if core % 2 == 0 else "1,3\n")
    four = Four(tmp_path)
    assert in_order(four) == [1, 2, 3, 0]
    assert shared(four, 2) == ""
    assert shared(four, 3) == "these 3 logical processors are threads of 2 physical cores"
    assert shared(four, 4) == "these 4 logical processors are threads of 2 physical cores"


def test_a_study_says_on_how_many_cores() -> None:
    question = from_options(Options(schemes=("sha256",), cores="all"), Sampling(), WholeFile())
    assert question.study.measure[0].cores == "all"
    assert 'cores = "all"' in question.text
    assert Group.model_validate({"schemes": ["sha256"], "cores": [1, 2]}).cores == (1, 2)
    stored = question.study.model_dump_json()
    assert from_text(stored, "again").study.measure[0].cores == "all"


@pytest.mark.parametrize("wrong", [[0], [-1], [100000], "some", ["1.5"], {"a": 1}])
def test_numbers_of_cores_that_cannot_be_are_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="cores"):
        Group.model_validate({"schemes": ["sha256"], "cores": wrong})


def test_files_are_for_one_process() -> None:
    with pytest.raises(InputError, match="cores and files are mutually exclusive"):
        from_options(
            Options(schemes=("sha256",), file_sizes=("1KiB",), cores="all"), Sampling(), WholeFile()
        )


CASE = CaseId("sha256", "fast", "digest", 1024, "host")


def test_the_speedup_is_the_ratio_of_throughputs_with_its_interval() -> None:
    spread = [0.99, 1.0, 1.01, 1.0, 0.995, 1.005, 1.0, 1.002]
    times = [
        (replace(CASE, cores=count), [1000 / rate * each for each in spread], True)
        for count, rate in ((1, 1.0), (2, 1.9), (4, 2.5))
    ]
    found = scaling(times)
    assert [entry.cores for entry in found] == [2, 4]
    assert found[0].speedup == pytest.approx(1.9, rel=0.01) and found[
        0
    ].efficiency == pytest.approx(0.95, rel=0.01)
    assert found[0].ci_low is not None and found[0].ci_high is not None
    assert found[0].ci_low < 1.9 < found[0].ci_high


def test_there_is_no_speedup_without_one_core_or_of_what_cannot_be_quoted() -> None:
    values = [1000.0 + place for place in range(8)]
    assert scaling([(replace(CASE, cores=2), values, True)]) == ()
    assert (
        scaling([(replace(CASE, cores=1), values, False), (replace(CASE, cores=2), values, True)])
        == ()
    )
    assert scaling([(CASE, values, True)]) == ()


def test_the_table_of_a_run_without_cores_is_empty() -> None:
    run = Run(RunInfo(1, "r", "", "2026-11-20", None, "finished", "0.1.0", 1), ())
    assert list(scaling_table(result(run), [], 80)) == []
