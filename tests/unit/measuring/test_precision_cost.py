"""Cost of precision, by the spread of an earlier run whose readings follow a known distribution."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from motebench.base.errors import StoreError
from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.cli.text.progress import precision_words
from motebench.measuring.plan import precision_cost
from motebench.measuring.plan.plan import Plan, PrecisionCosts, plan_document
from motebench.measuring.plan.precision_cost import costs_of, has_price, known_run
from motebench.measuring.study.model import PRESETS
from motebench.store import Store

CASES = tuple(
    Case("toy", f"i{number}", Operation.ENCRYPT, 16, "host", f"i{number}") for number in range(8)
)
ONE = 0.01
"""Seconds from one reading of the earlier run to the next."""


class At:
    class place:
        exact = False
        evidence = Evidence.MEASURED


def plan(*cases: Case, **policy: Any) -> Plan:
    targets: Any = {"host": At()}
    return Plan(
        cast("Any", None), replace(PRESETS["normal"], **policy), cases or CASES, (), (), targets, {}
    )


def run(spread: float, count: int = 40, seed: int = 1) -> Run:
    """Readings in ns, normal around 1000 with that relative standard deviation."""
    drawn = random.Random(seed)
    results = []
    for place, case in enumerate(CASES):
        samples = tuple(
            Sample(number, drawn.gauss(1000, 1000 * spread), at=ONE * (number * len(CASES) + place))
            for number in range(count)
        )
        series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
        results.append(CaseResult(case, (series,), finished=True))
    info = RunInfo(
        1, "before", "", "", None, "finished", "", 0, {"policy": PRESETS["normal"].plain()}
    )
    return Run(info, tuple(results))


def seconds(found: PrecisionCosts | None) -> dict[float, float | None]:
    assert found is not None
    return {cost.precision: cost.seconds for cost in found.costs}


@pytest.mark.parametrize("spread", [0.02, 0.05])
@pytest.mark.parametrize("seed", range(5))
def test_the_time_is_right_within_a_factor_of_2(spread: float, seed: int) -> None:
    # The median of n normal readings has a standard error of sqrt(pi / 2) times that of their mean
    # (Kendall and Stuart, vol. 1, 14.6), and 1.96 of it are half an interval of 95 %.
    told = seconds(costs_of(plan(), run(spread, seed=seed)))
    for precision in (0.05, 0.02, 0.01):
        needed = max(20.0, (1.96 * 1.2533 * spread / precision) ** 2)
        right = needed * len(CASES) * ONE
        assert right / 2 < (told[precision] or 0) < 2 * right


def test_the_precision_of_the_plan_is_among_them_and_costs_rise() -> None:
    told = seconds(costs_of(plan(precision=0.03), run(0.1)))
    assert list(told) == [0.05, 0.03, 0.02, 0.01]
    times = [time or 0 for time in told.values()]
    assert times == sorted(times) and times[0] < times[-1]


def test_longer_batches_take_as_much_longer() -> None:
    usual, long = (
        seconds(costs_of(plan(batch=batch), run(0.02)))[0.01] for batch in (0.002, 0.009)
    )
    # 5 ms before each batch are not timed
    assert usual is not None and long == pytest.approx(2 * usual)


def test_what_more_samples_do_not_give_has_no_time() -> None:
    found = costs_of(plan(max_samples=100), run(0.07))
    assert seconds(found)[0.01] is None
    words = precision_words(plan(max_samples=100), found, "motebench.db")
    assert words.startswith("by the spread in run before, ±5 % takes ") and "--budget" in words
    assert ", ±1 % cannot be reached with 100 readings of a case" in words
    entry = plan_document(plan(), 3, found)
    assert entry.precisions_by == "before"
    assert [cost.seconds is None for cost in entry.precisions] == [False, False, True]


def test_without_a_first_reading_it_is_not_known_and_said_so(tmp_path: Path) -> None:
    assert known_run(tmp_path / "none.db", plan()) is None
    with Store.open(tmp_path / "empty.db", create=True):
        pass
    assert known_run(tmp_path / "empty.db", plan()) is None
    words = precision_words(plan(), None, "motebench.db")
    assert words.startswith(
        "what ±1 % costs is not known before a first reading: at least 20 readings of each case"
    )
    assert plan_document(plan()).precisions == () and plan_document(plan()).precisions_by is None


def test_a_file_that_is_no_store_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("text")
    with pytest.raises(StoreError):
        known_run(tmp_path / "text.db", plan())


@pytest.mark.parametrize(
    ("stored", "environment", "known"),
    [
        (run(0.02), {}, True),
        (run(0.02, count=11), {}, False),  # too few to know a spread
        (replace(run(0.02), results=run(0.02).results[1:]), {}, False),
        (run(0.02), {"host": {"cpu_model": "another"}}, False),
    ],
)
def test_only_a_run_of_all_cases_on_this_machine_counts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stored: Run,
    environment: dict[str, Any],
    known: bool,
) -> None:
    with Store.open(tmp_path / "x.db", create=True):
        pass
    stored = replace(stored, info=replace(stored.info, environment=environment))
    monkeypatch.setattr(precision_cost, "describe_machine", lambda: {})
    monkeypatch.setattr(Store, "newest_with", lambda self, names: 1)
    monkeypatch.setattr(Store, "load_run", lambda self, reference: stored)
    assert (known_run(tmp_path / "x.db", plan()) is not None) == known


def test_numbers_that_are_exact_or_of_a_fixed_number_of_processes_have_no_price() -> None:
    assert has_price(plan())
    assert not has_price(plan(replace(CASES[0], operation=Operation.KEYGEN)))
    assert not has_price(plan(replace(CASES[0], operation=Operation.DIGEST_FILE)))
    exact: Any = type(
        "Exact", (), {"place": type("Place", (), {"exact": True, "evidence": Evidence.SIMULATED})}
    )
    assert not has_price(replace(plan(), targets={"host": exact}))
