"""Groups of runs: the fastest and the next by the verdicts of `motebench compare`, and how far runs
differ.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import motebench
from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.base.shapes import as_document
from motebench.cli.app import app
from motebench.cli.text.brief import brief
from motebench.results.comparison import Side, compare
from motebench.results.document import result
from motebench.results.presentation.leads import lead, with_its_digits
from motebench.results.presentation.provenance import provenance
from motebench.results.presentation.rows import Row, rows_of, run_notes, share_words
from motebench.results.together import together
from motebench.show.report.answers import answers, rule, run_warnings
from motebench.show.report.page import render

NAMES = "abcd"


def a_run(number: int, centres: Mapping[str, float], seed: int, notes: Sequence[str] = ()) -> Run:
    """A run in which the machine has a speed of its own, and each implementation a little of its
    own.
    """
    rng = random.Random(seed)
    machine = rng.lognormvariate(0, 0.02)
    results = []
    for size, (name, centre) in itertools.product((64, 1024), centres.items()):
        own = centre * size * machine * rng.lognormvariate(0, 0.003)
        samples = tuple(Sample(n, own * rng.lognormvariate(0, 0.001)) for n in range(12))
        series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
        case = Case("aes-128-gcm", name, Operation.ENCRYPT_MESSAGE, size, "host", name)
        results.append(
            CaseResult(
                case, (series,), finished=True, notes=tuple(f"{name}: {text}" for text in notes)
            )
        )
    started = f"2026-11-22T10:{number:02}:00+00:00"
    info = RunInfo(
        number, f"base-{number}", "", started, started, "finished", "0.1.0", 1, notes=tuple(notes)
    )
    return Run(info, tuple(results), ())


def group(centres: Mapping[str, float], runs: int = 5, seed: int = 1) -> list[Run]:
    return [a_run(number, centres, 1000 * seed + number) for number in range(1, runs + 1)]


def times(runs: Mapping[str, list[Run]]) -> list[Row]:
    return [row for row in rows_of(together(runs)) if row.metric == "time"]


FAST = {"a": 1.3, "b": 1.0, "c": 2.0, "d": 1.001}


def test_a_report_and_compare_say_the_same_of_every_pair_of_a_group() -> None:
    runs = group(FAST)
    rows = {row.id: row for row in times({"base": runs})}
    compared = 0
    for one, other in itertools.combinations(NAMES, 2):
        sides = (Side(runs[0], name, tuple(runs), "base") for name in (one, other))
        for pair in compare(*sides, metrics=("time",)).pairs:
            a, b = rows[pair.a.case.id], rows[pair.b.case.id]
            verdict = b.verdict(a)
            assert verdict is not None
            assert (verdict.outcome, verdict.ratio, verdict.adjusted, verdict.low) == (
                pair.verdict.outcome,
                pair.verdict.ratio,
                pair.verdict.adjusted,
                pair.verdict.low,
            )
            compared += 1
    assert compared == 12


def test_the_fastest_and_the_next_are_named_with_ratio_and_interval() -> None:
    whole = together({"base": group({"a": 1.3, "b": 1.0, "c": 2.0})})
    text = " ".join(" ".join(brief(whole)).split())
    assert "5 runs, base, finished" in text
    assert re.search(r"at every size b, 1\.\d+( to 1\.\d+)? times as fast as a\.", text)
    assert "none is named" not in text and "too few samples" not in text
    assert (
        "Spread between runs: " in text
        and "the standard deviation of the medians of 5 runs." in text
    )
    assert "motebench compare base:b base:a" in text
    (answer,) = answers(rows_of(whole), {})
    assert (answer.best.label, answer.certain) == ("aes-128-gcm · b", True)
    assert "times (1." in answer.lead and answer.lead.endswith("as fast as aes-128-gcm · a")
    assert answer.value.endswith("between runs)")


def told_apart(rows: Sequence[Row]) -> bool:
    pairs = [(a, b) for a, b in itertools.combinations(rows, 2) if a.size == b.size]
    return any(lead(a, b) or lead(b, a) for a, b in pairs)


def test_equal_implementations_are_seldom_told_apart() -> None:
    groups = (group(dict.fromkeys(NAMES, 1.0), seed=n) for n in range(10))
    assert sum(told_apart(times({"x": runs})) for runs in groups) <= 1


def test_groups_that_were_not_made_in_turn_keep_the_assumed_margin() -> None:
    old, new = (
        [a_run(n, {"a": level}, n) for n in of]
        for level, of in ((1.0, range(1, 6)), (1.06, range(6, 11)))
    )
    apart = {
        row.id.implementation: row for row in times({"old": old, "new": new}) if row.size == 64
    }
    found = apart["new:a"].verdict(apart["old:a"])
    assert found is not None and found.margin > 0
    # The same runs in turn.
    turned = [
        replace(run, info=replace(run.info, started=f"2026-11-22T{10 + 2 * n}"))
        for n, run in enumerate(old)
    ]
    others = [
        replace(run, info=replace(run.info, started=f"2026-11-22T{11 + 2 * n}"))
        for n, run in enumerate(new)
    ]
    rows = {
        row.id.implementation: row
        for row in times({"old": turned, "new": others})
        if row.size == 64
    }
    verdict = rows["new:a"].verdict(rows["old:a"])
    assert verdict is not None and verdict.margin == 0
    assert rows["old:a"].rounds == (0, 2, 4, 6, 8) and rows["new:a"].rounds == (1, 3, 5, 7, 9)


def test_the_spread_of_each_row_is_in_the_document_and_beside_it() -> None:
    found = together({"base": group(FAST)})
    (row, *_) = times({"base": group(FAST)})
    assert 0.005 < (row.run_spread or 0) < 0.05
    assert row.spread == f"({share_words(row.run_spread or 0)} between runs)"
    assert [(of.name, of.group) for of in found.run.runs] == [
        (f"base-{n}", "base") for n in range(1, 6)
    ]
    assert "spread between runs" in render(found, security=())
    alone = as_document(result(group(FAST)[0]))
    assert "runs" not in alone["run"] and "run_spread" not in alone["measurements"][0]


def test_warnings_that_differ_in_figures_alone_are_one_with_a_count() -> None:
    once = {2: ["once"]}
    texts = {
        n: [f"lost {n} of 12 readings", "the same in all", *once.get(n, [])] for n in range(1, 6)
    }
    whole = together({"base": [a_run(n, FAST, n, texts[n]) for n in texts]})
    assert run_notes(whole.run)[1:] == [
        "lost 1 of 12 readings (and alike, 5 times in 5 runs)",
        "the same in all",
        "once (in 1 of 5 runs)",
    ]
    warnings = [text for text in run_warnings(whole, rows_of(whole)) if "cases" in text]
    assert [text for text in warnings if "lost" in text] == [
        f"2 of 8 cases: {name}: lost 1 of 12 readings." for name in NAMES
    ]
    assert len(warnings) == 3 * len(NAMES)


def test_the_rule_and_the_provenance_name_the_runs() -> None:
    whole = together({"base": group(FAST)})
    assert "medians of the runs" in rule(rows_of(whole))
    assert (
        provenance(whole)
        .words[0]
        .startswith("Runs base-1, base-2, base-3, base-4 and base-5, finished, measured")
    )


@pytest.mark.parametrize(
    ("values", "texts"),
    [((8.1, 1.2, 300.0), ("8.1", "1.2", "300")), ((2.31, 2.12, 2.52), ("2.3", "2.1", "2.5"))],
)
def test_an_interval_that_carries_no_digit_is_not_rounded_to_nothing(
    values: tuple[float, float, float], texts: tuple[str, str, str]
) -> None:
    assert with_its_digits(*values) == texts


def test_a_stored_group_is_shown_by_its_name(tmp_path: Path) -> None:
    store = tmp_path / "m.db"
    case = {
        "implementations": "mote/xtea",
        "targets": "sim:atmega328p",
        "sizes": 16,
        "operations": "encrypt",
    }
    motebench.measure_runs("xtea-ecb", **case, runs=2, name="base", store=store)
    named = {
        "--brief": "2 runs, base",
        "--details": "2 runs, base",
        "--provenance": "base-1",
        "--json": "base-1",
    }
    for option, name in named.items():
        done = CliRunner().invoke(app, ["show", "base", option, "--store", str(store)])
        assert done.exit_code == 0, done.output
        assert name in done.output
