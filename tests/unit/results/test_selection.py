"""Selection: what a name fits, what is left of a run, and what a mistake is answered with."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from report_sample import case, document, measurement
from result_documents import read

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import Failure, FailureKind
from motebench.cli.text.table import print_table
from motebench.results.presentation.rows import rows_of
from motebench.results.selection import ResultFilter, selected

CYCLES = {"evidence": "simulated", "source": "model"}
SCHEMES = {
    "aes-128-gcm": {"mote/aes": 9000.0, "mote/aes@O2": 8000.0},
    "ascon-aead128": {"mote/ascon": 7000.0},
}


def _entries():
    for scheme, levels in SCHEMES.items():
        for implementation, level in levels.items():
            for size in (16, 1024):
                where = case(
                    scheme, implementation, "encrypt-message", size, target="sim:samd21g18a"
                )
                cycles = level + 100 * size
                yield measurement(where, "cycles", [cycles] * 2, **CYCLES)
                yield measurement(where, "time", [cycles / 0.048] * 2, **CYCLES)
                yield measurement(
                    where, "static_ram_net", [8.0 if "gcm" in scheme else 0.0], **CYCLES
                )


@pytest.fixture(scope="module")
def run():
    failed = CaseId("aes-128-gcm", "tiny", "encrypt-message", 1024, "sim:samd21g18a")
    failures = (
        Failure.of_case(failed, FailureKind.TOO_BIG, "no room"),
        Failure("*", "mbedtls", "sim:samd21g18a", FailureKind.BUILD, "no probe"),
    )
    return replace(read(document(list(_entries()))), failures=failures)


def chosen(run, **words):
    return selected(run, ResultFilter(**words).of(run))


def names(result, key):
    return list(dict.fromkeys(getattr(entry, key) for entry in result.measurements))


@pytest.mark.parametrize("word", ["ascon-aead128", "ascon", "ascon-*", "Ascon-AEAD128"])
def test_a_scheme_is_named_as_everywhere(run, word):
    assert names(chosen(run, schemes=(word,)), "scheme") == ["ascon-aead128"]


def test_only_a_pattern_with_a_mark_means_variants(run):
    assert names(chosen(run, implementations=("mote/*",)), "implementation") == [
        "mote/aes",
        "mote/ascon",
    ]
    assert names(chosen(run, implementations=("mote/*@*",)), "implementation") == ["mote/aes@O2"]


def test_an_implementation_is_found_behind_the_name_of_its_group(run):
    grouped = tuple(
        replace(entry, implementation=f"old:{entry.implementation}") for entry in run.measurements
    )
    of_groups = replace(run, measurements=grouped)
    assert names(chosen(of_groups, implementations=("mote/ascon",)), "implementation") == [
        "old:mote/ascon"
    ]


@pytest.mark.parametrize("word", ["static_ram_net", "RAM added", "ram-added", "static_ram_*"])
def test_a_metric_is_named_by_its_name_or_its_name_in_tables(run, word):
    assert names(chosen(run, metrics=(word,)), "metric") == ["static_ram_net"]


def test_lists_have_commas_and_sizes_have_units(run):
    found = chosen(run, sizes=("1 KiB",), metrics=("cycles,time",))
    assert names(found, "input_bytes") == [1024] and set(names(found, "metric")) == {
        "cycles",
        "time",
    }


def test_numbers_stay_what_they_are(run):
    found = chosen(run, schemes=("ascon",), sizes=("16",), metrics=("cycles",))
    assert [entry.median for entry in found.measurements] == [8600.0]


def test_failures_stay_with_their_cases_and_those_of_whole_implementations_with_all(run):
    assert {
        failure.implementation for failure in chosen(run, schemes=("aes-128-gcm",)).failures
    } == {"tiny", "mbedtls"}
    assert {failure.implementation for failure in chosen(run, sizes=("16",)).failures} == {
        "mbedtls"
    }
    assert not chosen(run, implementations=("mote/ascon",)).failures


@pytest.mark.parametrize(
    ("words", "where", "parts"),
    [
        ({"schemes": ("ascn",)}, "--scheme", ["no result has the scheme 'ascn'", "ascon-aead128"]),
        ({"schemes": ("aes-128-cbc",)}, "--scheme", ["aes-128-gcm"]),
        ({"implementations": ("mote/aess",)}, "--implementation", ["'mote/aes'"]),
        ({"operations": ("encrypt",)}, "--operation", ["'encrypt-message'"]),
        ({"sizes": ("17",)}, "--size", ["16 B, 1 KiB"]),
        ({"sizes": ("1k",)}, "--size", ["kB or KiB"]),
        ({"metrics": ("cycle",)}, "--metric", ["'cycles'", "static_ram_net"]),
        ({"metrics": ("ram addet",)}, "--metric", ["'RAM added'"]),
        ({"sort": "energy"}, "--sort", ["no metric 'energy' to sort by", "cycles"]),
        ({"schemes": ("x",), "python": True}, "schemes", ["aes-128-gcm"]),
    ],
)
def test_a_name_that_fits_nothing_lists_what_is_there(run, words, where, parts):
    with pytest.raises(InputError) as error:
        ResultFilter(**words).of(run)
    assert error.value.where == where and error.value.exit_code == 2
    assert all(part in str(error.value) for part in parts)


def test_filters_that_leave_nothing_say_which_one_is_too_many(run):
    with pytest.raises(InputError) as error:
        ResultFilter(schemes=("ascon",), implementations=("mote/aes",), sizes=("16",)).of(run)
    text = str(error.value)
    assert "no result fits --scheme ascon, --implementation mote/aes, --size 16" in text
    assert "without --scheme: 1 case; without --implementation: 1 case" in text
    assert "without --size" not in text


def test_the_best_of_the_same_work_comes_first(run):
    found = chosen(run, metrics=("static_ram_net",), sort="time")
    assert [(entry.input_bytes, entry.implementation) for entry in found.measurements] == [
        (size, name) for size in (16, 1024) for name in ("mote/ascon", "mote/aes@O2", "mote/aes")
    ]


def printed(run, **words):
    out = io.StringIO()
    print_table(run, out, selection=ResultFilter(**words), width=80)
    return out.getvalue()


def test_columns_are_those_that_are_asked_for_in_their_order(run):
    head = printed(run, metrics=("RAM added,cycles",)).splitlines()[3]
    assert head.split() == [
        "scheme",
        "by",
        "RAM",
        "added",
        "↓",
        "±",
        "x",
        "best",
        "cycles",
        "↓",
        "n",
    ]


def test_boards_show_cycles_in_narrow_tables(run):
    head = next(line for line in printed(run).splitlines() if line.startswith("scheme"))
    assert "cycles ↓" in head and len(head) <= 80


def test_rows_are_ordered_by_a_metric_that_is_not_shown(run):
    lines = printed(run, metrics=("static_ram_net",), sort="cycles", sizes=("16",)).splitlines()
    assert [line.split()[1] for line in lines[4:7]] == ["mote/ascon", "mote/aes@O2", "mote/aes"]


def test_a_development_is_no_column(run):
    warm = measurement(
        case("aes-128-gcm", "mote/aes", "encrypt-message", 16), "warmup_time", [9.0, 8.0]
    )
    with pytest.raises(InputError, match="development in order"):
        printed(read(document([warm])), metrics=("warmup_time",))


def test_a_part_of_a_table_says_what_the_whole_says():
    """Verdicts are of the family of all comparisons in the run, whatever is shown of it."""
    levels = [100.0 + 0.15 * number for number in range(12)]
    entries = [
        measurement(
            case("sha256", f"i{number}", "digest", 64),
            "time",
            [level + 0.4 * (k % 5) for k in range(8)],
        )
        for number, level in enumerate(levels)
    ]
    run = read(document(entries))
    rows = {row.implementation: row for row in rows_of(run)}
    whole = rows["i1"].verdict(rows["i0"])
    text = printed(run, implementations=("i0,i1",))
    line = next(line for line in text.splitlines() if line.startswith("sha256  i1"))
    assert whole is not None and ("?" in line or "=" in line) == (not whole.different)
