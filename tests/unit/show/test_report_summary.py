"""Sentences follow from the data, and claim no more than the data show."""

import random
import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest
from result_documents import read

from motebench.results.presentation.leads import differ, lead, too_few
from motebench.results.presentation.rows import percent, rows_of
from motebench.results.presentation.schemes import SchemeStatus, day_of, statuses
from motebench.show.report import view
from motebench.show.report.answers import answers, head_to_head, marks, run_warnings

SAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "support" / "report_sample.py"))
case, document, measurement = SAMPLE["case"], SAMPLE["document"], SAMPLE["measurement"]


def _times(centre, n=20, seed=1):
    rng = random.Random(seed)
    return [centre * (1 + rng.uniform(-0.005, 0.005)) for _ in range(n)]


def _rows(*entries):
    made = []
    for place, (scheme, who, centre, n) in enumerate(entries):
        made.append(measurement(case(scheme, who, "agree", 0), "time", _times(centre, n, place)))
    return rows_of(read(document(made)))


def _answer(rows, verdicts=None):
    (found,) = answers(rows, verdicts or {})
    return found


def test_the_fastest_is_named_with_interval_and_lead():
    found = _answer(_rows(("a", "x", 100.0, 20), ("b", "y", 150.0, 20)))
    assert found.question == "agree on a secret" and found.certain
    assert found.best.label == "a \u00b7 x" and found.value.startswith("100 ns \u00b1")
    assert found.lead == "1.50 times (1.49 to 1.50) as fast as b \u00b7 y"


def test_equal_results_are_not_ranked():
    found = _answer(_rows(("a", "x", 100.0, 20), ("b", "y", 100.02, 20), ("c", "z", 300.0, 20)))
    assert not found.certain
    assert re.fullmatch(
        r"not distinguishable from [ab] \u00b7 [xy]; 3.00 times \(2.99 to 3.01\) as fast as c "
        r"\u00b7 z",
        found.lead,
    )


def test_too_few_samples_claim_nothing():
    found = _answer(_rows(("a", "x", 100.0, 4), ("b", "y", 900.0, 4)))
    assert "too few samples" in found.lead and not found.certain


def _with_disturbed(*who, processor=(), spread=0):
    """The times 100, 200, ... of these implementations, of which the last is disturbed, and their
    processor times.
    """
    entries = [
        measurement(case("a", name, "agree", 0), "time", [100.0 * place] * 20)
        for place, name in enumerate(who, 1)
    ]
    entries[-1]["quotable"] = False
    entries += [
        measurement(case("a", name, "agree", 0), "cpu_time", [value] * 20)
        for name, value in zip(who, processor, strict=False)
    ]
    return rows_of(read(document(entries)))


def test_none_is_named_while_one_that_may_be_the_fastest_is_disturbed():
    found = _answer(_with_disturbed("x", "y", "z"))
    assert (found.best.label, found.value, found.certain) == ("None is named", "", False)
    assert found.lead == "a \u00b7 z is disturbed and may be the fastest"
    # Nor the only one that is left
    assert _answer(_with_disturbed("x", "z")).best.label == "None is named"


def test_processor_times_are_told_as_such_where_one_is_disturbed():
    found = _answer(_with_disturbed("x", "y", "z", processor=(100.0, 200.0, 50.0)))
    assert found.lead.endswith(
        "; by processor time a \u00b7 z takes the least, 0.5 times that of a \u00b7 x"
    )
    missing = _answer(_with_disturbed("x", "y", "z", processor=(100.0, 200.0)))
    assert "processor" not in missing.lead


def test_pairs_say_how_many_of_their_cases_are_disturbed_and_have_no_mean_then():
    entries = []
    for operation, fine in (("agree", True), ("encrypt", False), ("decrypt", True)):
        for place, name in enumerate("xy", 1):
            entry = measurement(case("a", name, operation, 0), "time", [100.0 * place] * 20)
            entries.append({**entry, "quotable": fine or name == "x"})
    (pair,) = head_to_head(rows_of(read(document(entries))))
    assert (
        "Of 3 cases that both have, x is faster in 2, y in 0, 1 is disturbed and not compared"
        in pair.text
    )
    assert "no mean while some are disturbed" in pair.text
    (pair,) = head_to_head(
        [row for row in rows_of(read(document(entries))) if row.operation == "encrypt"]
    )
    assert pair.text == "Of 1 case that both have, none can be compared: every one is disturbed."


def test_a_winner_that_is_advised_against_stands_beside_the_best_that_is_not():
    rows = _rows(("a", "x", 100.0, 20), ("b", "y", 150.0, 20))
    bad = SchemeStatus("A", ("a",), "broken")
    found = _answer(rows, {"a": bad})
    assert [(mark.level, mark.words) for mark in found.best.marks] == [("worst", "broken")]
    assert (
        found.sound.label == "b \u00b7 y" and found.behind == "1.50 times (1.49 to 1.50) the time"
    )
    assert _answer(rows, {"b": bad}).sound is None


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        ("aes-128-ecb", ["ECB: equal blocks show"]),
        ("aes-128-cbc", ["not authenticated"]),
        ("aes-128-gcm", ["approved"]),
        ("present-80-ecb", ["80 bits of strength", "ECB: equal blocks show"]),
        ("des-cbc", ["withdrawn", "56 bits of strength", "not authenticated"]),
        ("no-such", ["status not known"]),
    ],
)
def test_no_scheme_is_crowned_without_what_speaks_against_it(scheme, words):
    (status,) = statuses([scheme], day_of("2026-03-04"))
    assert [mark.words for mark in marks(scheme, status)] == words


def test_cycles_of_a_simulator_have_no_interval_and_one_is_enough():
    rows = rows_of(read(SAMPLE["board_document"](implementations=2, sizes=(16,))))
    found = answers(rows, {})[0]
    assert found.value.endswith(" cycles") and "\u00b1" not in found.value and found.certain
    assert not any("\u00b1" in row.text for row in rows if row.exact)
    told = run_warnings(read(SAMPLE["board_document"]()), rows)
    assert told == [], "neither the machine nor modelled energies limit trust in exact cycles"


def test_the_smallest_size_is_told_where_somebody_else_wins_there():
    def made(who, size, ns):
        return measurement(case("a", who, "encrypt", size), "time", _times(ns))

    slow_start = [
        made("x", 16, 100.0),
        made("y", 16, 300.0),
        made("x", 4096, 9000.0),
        made("y", 4096, 3000.0),
    ]
    assert _answer(rows_of(read(document(slow_start)))).also.startswith("at 16 B, a \u00b7 x is ")
    same = [
        made("x", 16, 100.0),
        made("y", 16, 300.0),
        made("x", 4096, 3000.0),
        made("y", 4096, 9000.0),
    ]
    assert _answer(rows_of(read(document(same)))).also == ""


def test_nothing_is_said_to_differ_without_samples():
    a, b = _rows(("a", "x", 100.0, 20), ("a", "y", 101.5, 20))
    assert differ(a, b)
    ends = (("x", 1.0, 2.0), ("z", 2.1, 4.0))
    plain = [measurement(case("a", who, "agree", 0), "time", [1.0] * 9) for who, _, _ in ends]
    found = zip(plain, ends, strict=True)
    bare = read(
        document(
            [{**row, "ci_low": low, "ci_high": high, "values": []} for row, (_, low, high) in found]
        )
    )
    x, z = rows_of(bare)
    assert not differ(x, z) and too_few(x, z) and lead(x, z) is None


def test_implementations_are_counted_case_by_case():
    rows = _rows(
        ("a", "x", 100.0, 20),
        ("a", "y", 200.0, 20),
        ("b", "x", 50.0, 20),
        ("b", "y", 50.0, 20),
        ("c", "x", 1.0, 20),
    )
    (finding,) = head_to_head(rows)
    assert finding.headline == "x against y"
    assert (
        "Of 2 cases that both have, x is faster in 1, y in 0, and 1 is not distinguishable."
        in finding.text
    )
    assert finding.text.endswith("The geometric mean shows neither ahead."), (
        "2 and 1 times are 0.6 to 5 on two cases"
    )


def test_different_evidence_is_never_compared():
    mixed = [
        measurement(case("a", "x", "agree", 0), "time", _times(100.0)),
        measurement(case("a", "y", "agree", 0), "time", _times(200.0), evidence="modelled"),
    ]
    rows = rows_of(read(document(mixed)))
    assert answers(rows, {}) == [] and head_to_head(rows) == []
    assert any(
        "different evidence (measured, modelled)" in line
        for line in run_warnings(read(document(mixed)), rows)
    )


def test_warnings_tell_of_the_machine_and_of_an_unfinished_run():
    rows = _rows(("a", "x", 100.0, 3), ("b", "x", 100.0, 20))
    told = " ".join(
        run_warnings(read(document([], status="interrupted", notes=["the budget was spent"])), rows)
    )
    for words in (
        "The run is interrupted",
        "virtual machine (kvm)",
        "powersave",
        "1 of 2 times",
        "The budget was spent.",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("half", "text"),
    [
        (None, "no interval"),
        (0.0, "±0 %"),
        (0.0002, "±<0.1 %"),
        (0.004, "±0.4 %"),
        (0.0995, "±10 %"),
        (0.25, "±25 %"),
    ],
)
def test_interval_in_words(half, text):
    assert percent(half) == text


def test_pairs_beyond_the_first_are_counted():
    entries = [("a", f"x{place}", 100.0 * (place + 1), 8) for place in range(5)]
    found = head_to_head(_rows(*entries))
    assert len(found) == 7 and found[-1].headline == "4 more pairs"


def test_samples_beyond_the_limit_are_thinned_but_keep_their_extremes():
    rows = _rows(("a", "x", 100.0, 50), ("b", "x", 100.0, 50))
    found, thinned = view.samples(rows, 40)
    assert thinned and sum(map(len, found.values())) <= 40
    for row in rows:
        kept = found[row.index]
        assert min(kept) == pytest.approx(row.min, rel=1e-5) and max(kept) == pytest.approx(
            row.max, rel=1e-5
        )


def test_the_head_says_that_a_simulator_is_exact_and_what_board_it_is():
    made = read(SAMPLE["board_document"]())
    rows = rows_of(made)
    assert "exact: a simulator counts cycles" in view.facts(rows, 0)
    assert view.places(made.environment, rows) == [
        "ATmega2560 (simulated), 16 MHz, avr-gcc 5.4.0, -Os"
    ]
    (line,) = view.choose_commands(made.environment, made.run.id, rows)
    assert line.startswith("motebench choose --device atmega2560 ") and "--results 7" in line
    key_exchange = [replace(row, scheme="ml-kem-512") for row in rows]
    (line,) = view.choose_commands(made.environment, made.run.id, key_exchange)
    assert "--need kem --every" in line and "--message" not in line


def test_a_run_from_options_asks_about_its_schemes():
    rows = _rows(("a", "x", 1.0, 6), ("b", "x", 1.0, 6))
    assert view.question(read(document([], study="from options")).run, rows) == "a and b on host"
    assert view.question(read(document([], study="Which hash?")).run, rows) == "Which hash?"
    assert view.question(read(document([], study="from options")).run, []) == "from options"


def test_failures_of_one_kind_stand_together():
    bad = [
        {**case("a", "x", "encrypt", size), "kind": "crash", "message": "signal 11"}
        for size in (16, 64, 256)
    ]
    (found,) = view.failures(read(document([], bad)).failures)
    assert found.count == 3 and found.cases.endswith(" and 1 more")


def test_environment_lines_carry_their_units():
    lines = dict(view.host_facts(SAMPLE["environment"]()["host"]))
    assert lines["memory"] == "8.00 GiB"
    assert lines["frequency limits: max"] == "3,900 MHz"
    assert lines["load"] == "0.31, 0.22, 0.18"
    assert "board" not in lines


def test_clock_costs_are_in_time_not_in_ticks():
    (line,) = view.clocks(
        {
            "probes": {
                "x": {
                    "clock": {"name": "tsc", "hz": 2_000_000_000, "resolution": 2, "overhead": 40.0}
                }
            }
        }
    )
    assert line == "x: tsc, smallest step 1.00 ns, one start and stop costs 20.0 ns."


def test_what_an_empty_iteration_costs_is_said_where_it_is_known():
    clock = {"name": "raw", "hz": 10**9, "resolution": 1, "overhead": 40.0}
    (line,) = view.clocks({"probes": {"x": {"clock": clock, "loop": 22.5}}})
    assert line.endswith(
        ", one start and stop costs 40.0 ns, an iteration that does nothing costs 22.5 ns."
    )


def test_when_the_run_was():
    assert (
        view.span("2026-03-04T09:12:31Z", "2026-03-04T09:13:24+00:00")
        == "2026-03-04 09:12:31 to 09:13:24 UTC"
    )
    assert (
        view.span("2026-03-04T23:59:00Z", "2026-03-05T00:01:00Z")
        == "2026-03-04 23:59:00 to 2026-03-05 00:01:00 UTC"
    )
    assert view.span("yesterday", "") == "yesterday"
