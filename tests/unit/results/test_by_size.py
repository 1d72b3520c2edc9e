"""Tables by size: what stands in which column, in which unit, and what marks a figure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_sample import case, document, measurement
from result_documents import read

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import Failure, FailureKind
from motebench.base.units import common_scale
from motebench.cli.text.forms import show_by_size
from motebench.results.presentation.by_size import sizes_tables
from motebench.results.selection import EVERY_CASE, ChosenCases, ResultFilter
from motebench.show.export import export_by_size

LEVELS = {"slow": (200.0, 4e3, 3e6), "fast": (100.0, 2e3, 1e6)}
SIZES = (16, 64, 1024)
NOISE = (0.99, 0.995, 1.0, 1.0, 1.005, 1.01, 1.0, 0.998)


def timed(implementation, size, level, **more):
    where = case("aes-128-gcm", implementation, "encrypt", size)
    return {**measurement(where, "time", [level * factor for factor in NOISE]), **more}


@pytest.fixture
def run():
    entries = [
        timed(name, *pair)
        for name, levels in LEVELS.items()
        for pair in zip(SIZES, levels, strict=True)
    ]
    key = measurement(case("aes-128-gcm", "fast", "key-setup", 0), "time", [50.0] * 8)
    return read(document([*entries, key]))


def lines(table):
    return {(line.implementation, line.operation): table.texts(line) for line in table.lines}


def test_a_row_has_the_figures_of_each_size_in_one_unit(run):
    (table,) = sizes_tables(run, EVERY_CASE)
    assert table.heads == ["no input", "16 B", "64 B", "1 KiB"]
    assert table.title == "time (µs), measured, on host, lower is better"
    assert lines(table)[("slow", "encrypt")] == ["n/a", "0.2000", "4.000", "3,000"]
    assert lines(table)[("fast", "key-setup")] == ["0.05000", "n/a", "n/a", "n/a"]


def test_the_best_at_the_largest_size_comes_first(run):
    (table,) = sizes_tables(run, ChosenCases(sort="time", operations=frozenset(["encrypt"])))
    assert [line.implementation for line in table.lines] == ["fast", "slow"]


def test_figures_have_the_digits_of_their_interval():
    entry = {**timed("x", 16, 262.4), "ci_low": 102.0, "ci_high": 422.0}
    (table,) = sizes_tables(read(document([entry])), EVERY_CASE)
    assert lines(table)[("x", "encrypt")] == ["260"]
    assert any("±61 %" in note for note in table.notes)


def test_disturbed_and_failed_cases_are_marked(run):
    lost = replace(run.measurements[0], quotable=False, disturbed=5)
    failed = CaseId("aes-128-gcm", "fast", "encrypt", 1024, "host")
    left = tuple(entry for entry in run.measurements[1:] if entry.id != failed)
    failures = (Failure.of_case(failed, FailureKind.TIMEOUT, "too slow"),)
    (table,) = sizes_tables(replace(run, measurements=(lost, *left), failures=failures), EVERY_CASE)
    assert lines(table)[("slow", "encrypt")][1].startswith("~")
    assert lines(table)[("fast", "encrypt")][3] == "timeout"
    assert "disturbed, not to be quoted (1 of 6)" in table.notes[0]


def test_counts_are_whole_and_several_metrics_are_several_tables():
    where = case("sha256", "tiny", "digest", 64, target="board")
    entries = [
        measurement(where, name, [12345.0] * 2, evidence="simulated")
        for name in ("cycles", "flash_net")
    ]
    tables = sizes_tables(read(document(entries)), ChosenCases(metrics=("flash_net", "cycles")))
    assert [table.measure for table in tables] == ["flash added (B)", "cycles"]
    assert [table.texts(line) for table in tables for line in table.lines] == [
        ["12,345"],
        ["12,345"],
    ]
    assert all(table.notes == ["Exact: the simulator gave equal readings."] for table in tables)


def test_ranges_over_places_of_the_code_are_told():
    where = case("sha256", "tiny", "digest", 64, target="board")
    entry = {
        **measurement(where, "cycles", [1000.0] * 2, evidence="simulated"),
        "places": 8,
        "places_least": 990.0,
        "places_most": 1030.0,
    }
    (table,) = sizes_tables(read(document([entry])), EVERY_CASE)
    assert "at 8 places, figures are -1.0 to +3.0 % from these." in table.notes[-1]


@pytest.mark.parametrize(
    ("values", "unit", "factor", "name"),
    [
        ([150e3, 3e6], "ns", 1e3, "µs"),
        ([10.0, 5e6], "ns", 1e3, "µs"),
        ([300.0], "B", 1.0, "B"),
        ([0.0], "ns", 1.0, "ns"),
        ([2e-6], "J", 1e-6, "µJ"),
        ([0.5], "1", 1.0, "1"),
    ],
)
def test_one_unit_for_all(values, unit, factor, name):
    scale = common_scale(values, unit)
    assert (scale.factor, scale.unit) == (factor, name)


def test_latex_is_one_float_with_a_label(run):
    text = export_by_size(run, EVERY_CASE, "latex", where="--by")
    assert (
        text.count(r"\begin{table}")
        == text.count(r"\end{table}")
        == text.count(r"\begin{tabular}{lllrrrr}")
        == 1
    )
    assert r"\label{tab:quickstart-7-time-measured}" in text
    assert r"\multicolumn{4}{c}{Time ($\mu$s)} \\" in text
    assert r"aes-128-gcm & slow & encrypt & n/a & 0.2000 & 4.000 & 3,000 \\" in text
    assert "longtable" not in text


def test_csv_has_medians_and_kinds_of_failures(run):
    failed = Failure.of_case(
        CaseId("aes-128-gcm", "slow", "encrypt", 16, "host"), FailureKind.CRASH, "signal 11"
    )
    left = replace(run, measurements=run.measurements[1:], failures=(failed,))
    text = export_by_size(left, EVERY_CASE, "csv", where="--by").splitlines()
    assert (
        text[0]
        == "scheme,implementation,target,operation,metric,unit,evidence,proven,no input,16 B,64 "
        "B,1024 B"
    )
    assert "aes-128-gcm,slow,host,encrypt,time,ns,measured,True,,crash,4000.0,3000000.0" in text


def test_a_format_without_columns_says_which_have_them(run):
    with pytest.raises(InputError) as error:
        export_by_size(run, EVERY_CASE, "json", where="--by")
    assert error.value.valid == "csv, latex, markdown"


def test_the_terminal_shows_failures_below(run, capsys):
    failed = Failure.of_case(
        CaseId("aes-128-gcm", "slow", "encrypt", 16, "host"), FailureKind.CRASH, "signal 11"
    )
    show_by_size(replace(run, failures=(failed,)), ResultFilter(implementations=("slow",)))
    text = capsys.readouterr().out
    assert "time (µs), measured, on host" in text and "fast" not in text
    assert text.splitlines()[-2:] == [
        "1 case failed",
        "  crash: aes-128-gcm slow encrypt 16 B on host: signal 11",
    ]
