"""One verdict for every table and sentence of a run: that of `motebench compare`, in one family."""

import itertools
import random
import runpy
from pathlib import Path

import pytest
from result_documents import read

from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.results.comparison import Side, compare
from motebench.results.document import result
from motebench.results.presentation.leads import (
    Lead,
    beside_best,
    differ,
    lead,
    times,
    times_over,
    with_its_digits,
)
from motebench.results.presentation.rows import rows_of
from motebench.results.verdicts import RunVerdicts, family_size, without_noise

SAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "support" / "report_sample.py"))
NAMES = "abcdefghij"


def a_run(centres, rounds=20, noise=0.02, seed=1):
    """A run of one scheme by several implementations: times around each centre, at several
    sizes.
    """
    rng = random.Random(seed)
    results = []
    for size, by_name in centres.items():
        for name, centre in by_name.items():
            samples = tuple(Sample(n, centre * rng.lognormvariate(0, noise)) for n in range(rounds))
            series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
            case = Case("aes-128-cbc", name, Operation.ENCRYPT_MESSAGE, size, "host", name)
            results.append(CaseResult(case, (series,), finished=True))
    return Run(
        RunInfo(1, "r", "s", "2026-01-01T00:00:00", None, "finished", "0", 1), tuple(results)
    )


def times_of(run):
    return [row for row in rows_of(result(run, samples=True)) if row.metric == "time"]


def test_summary_and_compare_say_the_same_of_every_pair():
    rng = random.Random(5)
    run = a_run(
        {
            size: {name: size * rng.choice((1, 1.01, 1.02, 1.1)) for name in NAMES[:5]}
            for size in (16, 64, 256)
        }
    )
    by_case = {row.id: row for row in times_of(run)}
    compared = 0
    for one, other in itertools.combinations(NAMES[:5], 2):
        for pair in compare(Side(run, one), Side(run, other), metrics=("time",)).pairs:
            a, b = by_case[pair.a.case.id], by_case[pair.b.case.id]
            assert b.verdict(a).outcome is pair.verdict.outcome
            assert (b.verdict(a).adjusted, b.verdict(a).ratio) == (
                pair.verdict.adjusted,
                pair.verdict.ratio,
            )
            assert (lead(a, b) is not None) == pair.verdict.different
            compared += 1
    assert compared == 30


def test_many_equal_implementations_are_seldom_told_apart():
    wrongly = sum(
        any(
            differ(a, b) for race in races(run).values() for a, b in itertools.combinations(race, 2)
        )
        for run in (
            a_run({size: dict.fromkeys(NAMES, 100) for size in range(1, 7)}, 12, seed=n)
            for n in range(20)
        )
    )
    assert wrongly <= 2, (
        "each run has 270 comparisons; at the level of each alone most runs would have a false one"
    )


def races(run):
    found = {}
    for row in times_of(run):
        found.setdefault(row.size, []).append(row)
    return found


def test_the_verdict_the_other_way_round_is_its_inverse():
    run = a_run({16: {"x": 100, "y": 200, "z": 101}})
    rows = {row.implementation: row for row in times_of(run)}
    there, back = rows["y"].verdict(rows["x"]), rows["x"].verdict(rows["y"])
    assert (there.outcome.value, back.outcome.value) == ("higher", "lower")
    assert back.ratio == pytest.approx(1 / there.ratio) and back.low == pytest.approx(
        1 / there.high
    )
    assert back.adjusted == there.adjusted


def test_what_is_not_shown_has_a_mark_and_no_ratio():
    run = a_run({16: {"x": 100, "y": 100.1, "z": 300}})
    assert beside_best(times_of(run))[:2] in (["1.00", "="], ["=", "1.00"])
    few = a_run({16: {"x": 100, "y": 101}}, rounds=6)
    assert sorted(beside_best(times_of(few))) == ["1.00", "?"]


def test_a_disturbed_row_has_no_verdict():
    case, measurement = SAMPLE["case"], SAMPLE["measurement"]
    entries = [
        measurement(case("a", who, "encrypt", 16), "time", [centre] * 12)
        for who, centre in (("x", 1), ("y", 9))
    ]
    entries[1] |= {"quotable": False}
    x, y = rows_of(read(SAMPLE["document"](entries)))
    assert y.verdict(x) is None and lead(x, y) is None


@pytest.mark.parametrize(
    ("value", "low", "high", "texts"),
    [
        (2.31, 2.1, 2.5, ("2.3", "2.1", "2.5")),
        (1.3141, 1.3012, 1.3299, ("1.31", "1.30", "1.33")),
        (76673, 62000, 91000, ("80,000", "60,000", "90,000")),
        (2.0, 2.0, 2.0, ("2", "2", "2")),
        (1.4083, 1.4083, 1.4083, ("1.41", "1.41", "1.41")),
    ],
)
def test_numbers_have_the_digits_that_their_interval_carries(value, low, high, texts):
    assert with_its_digits(value, low, high) == texts


def test_leads_are_told_with_their_interval():
    assert times(Lead(2.31, 2.1, 2.5)) == "2.3 times (2.1 to 2.5) as fast as"
    assert times(Lead(1.032, 1.029, 1.035)) == "3.2 % (2.9 to 3.5 %) faster than"
    assert times(Lead(1.81, 1.81, 1.81)) == "1.81 times as fast as"
    assert (
        times(Lead(2.0, 1.9, 2.1).inverse, "the energy of")
        == "0.50 times (0.48 to 0.53) the energy of"
    )
    assert times_over([Lead(2, 1.9, 2.1), Lead(3, 2.9, 3.1)]) == "1.9 to 3.1 times as fast as"


def test_a_board_that_counts_and_repeats_has_no_noise():
    board, host = "serial:/dev/ttyACM0", "host"
    assert without_noise("cycles", *[(board, Evidence.MEASURED, [100.0] * 9)] * 2)
    assert not without_noise("cycles", *[(board, Evidence.MEASURED, [100.0])] * 2), (
        "one reading does not repeat"
    )
    assert not without_noise("energy", *[(board, Evidence.MEASURED, [100.0] * 9)] * 2)
    assert not without_noise("cycles", *[(host, Evidence.MEASURED, [100.0] * 9)] * 2)
    assert without_noise("energy", *[("sim:b", Evidence.MODELLED, [1.0])] * 2)
    assert not without_noise("energy", *[("sim:b", Evidence.MODELLED, [1.0, 2.0])] * 2)


@pytest.mark.parametrize(
    "rows", [{"s": 5}, {"s": 3, "t": 2, "u": 1}, {"s": 1, "t": 1}, {"s": 4, "t": 4}]
)
def test_the_number_of_comparisons_is_known_before_anything_is_measured(rows):
    # The scheme with the fewest implementations has the best one: that gives the most comparisons.
    fewest = min(rows, key=lambda scheme: rows[scheme])
    results = []
    for scheme, count in rows.items():
        for name in NAMES[:count]:
            case = Case(scheme, name, Operation.ENCRYPT_MESSAGE, 16, "host", name)
            times = (100 if scheme == fewest else 200) + NAMES.index(name)
            samples = tuple(Sample(n, times + n % 7) for n in range(20))
            series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
            results.append(CaseResult(case, (series,), finished=True))
    run = Run(RunInfo(1, "r", "s", "2026-01-01T00:00:00", None, "finished", "0", 1), tuple(results))
    verdicts = RunVerdicts(result(run, samples=True).measurements)
    judged = verdicts._family("time", "measured")
    assert family_size(item.case.id for item in results) == len(judged)


def test_cases_that_do_other_work_are_compared_with_nothing():
    alone = [Case("s", "a", Operation.ENCRYPT_MESSAGE, size, "host", "a").id for size in (16, 64)]
    assert family_size(alone) == 0
