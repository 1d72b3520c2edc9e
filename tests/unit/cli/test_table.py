"""The terminal table: plain when piped, within the width, honest about direction, intervals and
failures.
"""

import io
import re
import runpy
from pathlib import Path

import pytest
from result_documents import read

from motebench.base.errors import InputError
from motebench.cli.text.table import print_table
from motebench.results.selection import ResultFilter

SAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "support" / "report_sample.py"))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def _piped(document, **options):
    out = io.StringIO()
    print_table(read(document), out, **options)
    return out.getvalue()


@pytest.fixture
def terminal(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return Terminal()


def test_piped_text_is_plain():
    text = _piped(SAMPLE["sample_document"]())
    assert "\x1b" not in text
    assert not set("│─┃━┌╭|") & set(text)
    assert all(line == line.rstrip() for line in text.splitlines())


def test_tables_fit_eighty_columns():
    text = _piped(SAMPLE["sample_document"](), width=80, details=True)
    tables = text.split("↓ lower is better")[0]
    assert max(map(len, tables.splitlines())) <= 80


def test_wide_output_has_more_columns():
    narrow, wide = (_piped(SAMPLE["sample_document"](), width=width) for width in (80, 160))
    heads = [
        next(line for line in text.splitlines() if line.startswith("scheme"))
        for text in (narrow, wide)
    ]
    assert "cycles ↓" not in heads[0] and "cycles ↓" in heads[1]


def test_groups_name_operation_size_and_evidence_and_rows_have_units():
    text = _piped(SAMPLE["sample_document"](), width=80)
    assert "encrypt, 16 KiB, measured" in text
    assert "encrypt-message (encrypt one message), 16 B, measured" in text
    assert "time ↓" in text and "throughput ↑" in text
    line = next(
        line
        for line in text.split("encrypt, 1 MiB")[1].splitlines()
        if line.startswith("aes-256-gcm")
    )
    assert " µs " in line and " GB/s" in line and " %" in line


def test_a_table_without_any_shown_metric_is_left_out():
    document = SAMPLE["sample_document"]()
    row = next(entry for entry in document["measurements"] if entry["metric"] == "time")
    modelled = {**row, "metric": "current", "unit": "A", "evidence": "modelled", "median": 0.02}
    document["measurements"].append(modelled)
    assert ", modelled\n" not in _piped(document, width=160)
    assert ", modelled\n" in _piped(document, width=160, details=True)


def test_implementations_of_a_scheme_are_next_to_each_other():
    block = (
        _piped(SAMPLE["sample_document"](), width=80).split("encrypt, 1 KiB")[1].split("\n\n")[0]
    )
    names = [line.split()[0] for line in block.splitlines()[2:]]
    assert names == sorted(names) and names.count("aes-128-cbc") == 2


def test_outliers_are_counted_beside_n():
    entry = SAMPLE["measurement"](
        SAMPLE["case"]("a", "x", "agree", 0), "time", [10.0] * 9 + [11.0, 10.1, 30.0]
    )
    text = _piped(SAMPLE["document"]([entry]))
    assert f"12 (+{entry['outliers']})" in text and entry["outliers"] > 0
    assert "kept in every statistic" in text


def test_too_few_samples_have_no_interval():
    entry = SAMPLE["measurement"](SAMPLE["case"]("a", "x", "agree", 0), "time", [10.0, 10.1, 10.2])
    assert "none" in next(
        line for line in _piped(SAMPLE["document"]([entry])).splitlines() if line.startswith("a ")
    )


def test_failures_are_listed_with_kind_message_and_vector():
    text = _piped(SAMPLE["document"]([], SAMPLE["failures"]()))
    assert "No case gave a number." in text and "3 cases failed" in text
    assert (
        "crash: blowfish-cbc openssl encrypt 256 B: the probe ended with signal 11 (SIGSEGV)"
        in text
    )
    assert "known answer: sp800-38c #2" in text


def test_details_add_processor_time_and_memory():
    assert "processor time" not in _piped(SAMPLE["sample_document"](), width=80)
    assert "processor time" in _piped(SAMPLE["sample_document"](), width=80, details=True)


def test_public_key_operations_have_no_throughput():
    block = _piped(SAMPLE["sample_document"]()).split("\nsign, 32 B")[1].split("\n\n")[0]
    assert "throughput" not in block and "time ↓" in block


def test_whole_files_stand_beside_the_process_alone_and_the_copy():
    block = (
        _piped(SAMPLE["variants_document"](), width=100).split("encrypt-file")[1].split("\n\n")[0]
    )
    head, line = block.splitlines()[1:3]
    assert re.search(r"floor ↓ +copy ↓", head)
    assert re.search(r" 7\d\.\d ms .* 9\.\d\d ms +33\.\d ms +6\.10 MiB ", line)


def test_warm_ups_are_no_rows_but_a_footnote():
    text = _piped(SAMPLE["variants_document"](), details=True)
    assert "warm" not in text.split("↓ lower is better")[0]
    assert (
        "sunjce: warmed up; no warm-up counts as a sample. 1 of 3 cases got to no steady state"
        in text
    )
    assert "warmed up" not in _piped(SAMPLE["sample_document"]())


def test_details_fold_into_several_tables():
    text = _piped(SAMPLE["variants_document"](), width=60, details=True)
    block = text.split("encrypt, 64 B")[1].split("\n\n")[0]
    assert (
        len(re.findall(r"^scheme ", block, re.MULTILINE)) >= 3
        and "allocated ↓" in block
        and "heap ↓" in block
    )


def test_failures_name_their_target_where_there_are_several():
    entry = SAMPLE["measurement"](SAMPLE["case"]("a", "x", "agree", 0), "time", [10.0] * 8)
    failure = {**SAMPLE["failures"]()[0], "target": "board"}
    alone, beside = ([entry], [entry, {**entry, "target": "board"}])
    assert "16 B on board: not offered" in _piped(SAMPLE["document"](beside, [failure]))
    assert "16 B on board: not offered" in _piped(SAMPLE["document"](alone, [failure]))
    here = {**failure, "target": entry["target"]}
    assert "16 B: not offered" in _piped(SAMPLE["document"](alone, [here]))


def test_failures_name_what_tells_cases_apart():
    more = {"input_bytes": 16, "aad_bytes": 13, "file": "a.bin"}
    text = _piped(SAMPLE["document"]([], [{**SAMPLE["failures"]()[0], **more}]))
    assert "16 B + 13 B AAD (a.bin): " in text


def test_a_terminal_gets_colour_for_the_best(terminal):
    print_table(read(SAMPLE["sample_document"]()), terminal, width=80)
    assert "\x1b[1;32m" in terminal.getvalue() and "\x1b[1mscheme" in terminal.getvalue()


def test_no_color_is_obeyed(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    print_table(read(SAMPLE["sample_document"]()), terminal, width=80)
    assert "\x1b[1;32m" not in terminal.getvalue() and "[32m" not in terminal.getvalue()


def test_names_cannot_steer_the_terminal():
    entry = SAMPLE["measurement"](
        SAMPLE["case"]("a\x1b[2Jb", "[red]x", "agree", 0), "time", [10.0] * 8
    )
    failure = {
        **SAMPLE["case"]("a", "x", "agree", 0),
        "kind": "error",
        "message": "bad\x1b]0;title\x07",
        "vector": None,
    }
    text = _piped(SAMPLE["document"]([entry], [failure]))
    assert "\x1b" not in text and "\x07" not in text and "[red]x" in text


def lines_of(text, scheme):
    return [line.split() for line in text.splitlines() if line.startswith(scheme)]


def timed(scheme, who, centre, metric="time", **changes):
    values = [centre * (1 + place / 10_000) for place in range(12)]
    return {
        **SAMPLE["measurement"](SAMPLE["case"](scheme, who, "encrypt", 16), metric, values),
        **changes,
    }


def test_a_line_says_how_many_times_the_best_of_its_scheme_it_is():
    text = _piped(
        SAMPLE["document"](
            [timed("a", "x", 100), timed("a", "y", 250), timed("b", "x", 40), timed("b", "y", 10)]
        )
    )
    ratios = {
        (line[0], line[1]): line[6] for scheme in "ab" for line in lines_of(text, f"{scheme} ")
    }
    assert ratios == {
        ("a", "x"): "1.00",
        ("a", "y"): "2.50",
        ("b", "x"): "4.00",
        ("b", "y"): "1.00",
    }
    assert "x best: time against the best implementation of the scheme." in text


def test_what_ratios_are_to_is_said_once_for_tables_with_and_without_marks():
    larger = {"input_bytes": 64}
    same = [timed("a", "x", 100, **larger), timed("a", "y", 100, **larger)]
    other = [timed("b", "x", 40, **larger), timed("b", "y", 10, **larger)]
    text = _piped(SAMPLE["document"]([timed("a", "x", 100), timed("a", "y", 250), *same, *other]))
    assert "=" in [line[6] for line in lines_of(text, "a ")]
    (words,) = [line for line in text.splitlines() if line.startswith("x best:")]
    assert (
        words.count("the best of the table") <= 1
        and words.count("implementation of the scheme") <= 1
    )
    assert words.count("= is not distinguishable") == 1


def test_what_ratios_are_to_is_said_once_for_tables_with_and_without_disturbed_lines():
    larger = {"input_bytes": 64}
    quiet = [
        timed("a", "x", 100, **larger),
        timed("a", "y", 250, **larger),
        timed("b", "x", 30, **larger),
    ]
    lost = [
        timed("a", "x", 100),
        timed("a", "y", 200),
        timed("a", "z", 50, quotable=False),
        timed("b", "x", 40),
    ]
    text = _piped(SAMPLE["document"]([*lost, *quiet]))
    (words,) = [line for line in text.splitlines() if line.startswith("x best:")]
    assert words == (
        "x best: time against the best implementation of the scheme; where one is disturbed, the "
        "best of those that are not disturbed; a disturbed one may be better."
    )
    one_each = [timed("a", "x", 100, input_bytes=256), timed("b", "x", 40, input_bytes=256)]
    text = _piped(SAMPLE["document"]([*quiet, *one_each]))
    assert (
        "x best: time against the best implementation of the scheme, or of the table where it is "
        "sorted or each scheme has one line."
    ) in text


def test_schemes_with_one_implementation_each_are_held_against_the_table():
    text = _piped(SAMPLE["document"]([timed("a", "x", 100), timed("b", "y", 40)]))
    assert [line[6] for line in (*lines_of(text, "a "), *lines_of(text, "b "))] == ["2.50", "1.00"]
    assert "x best: time against the best of the table." in text


def test_nothing_is_best_of_one_line_and_what_is_disturbed_has_no_ratio():
    assert "x best" not in _piped(SAMPLE["document"]([timed("a", "x", 100)]))
    text = _piped(
        SAMPLE["document"](
            [timed("a", "x", 100), timed("a", "y", 200), timed("a", "z", 50, quotable=False)]
        )
    )
    assert "1.00" in text and "2.00" in text and "n/a" in text
    assert "the best of those that are not disturbed; a disturbed one may be better" in " ".join(
        text.split()
    )


def test_no_line_is_coloured_as_the_best_while_one_is_disturbed(terminal):
    def coloured(*entries):
        out = Terminal()
        print_table(
            read(SAMPLE["document"]([timed("a", "x", 100), timed("a", "y", 200), *entries])),
            out,
            width=120,
        )
        return "\x1b[32m100" in out.getvalue() or "\x1b[1;32m100" in out.getvalue()

    assert coloured() and not coloured(timed("a", "z", 50, quotable=False))


def test_sorted_tables_have_the_best_first_and_ratios_of_that_metric():
    entries = [timed("a", "x", 300), timed("a", "y", 100), timed("b", "x", 200)]
    entries += [
        timed("a", "x", 3, "throughput"),
        timed("a", "y", 9, "throughput"),
        timed("b", "x", 6, "throughput"),
    ]
    text = _piped(SAMPLE["document"](entries), selection=ResultFilter(sort="throughput"))
    lines = [line.split() for line in text.splitlines() if line[:2] in ("a ", "b ")]
    assert [(line[0], line[1], line[6]) for line in lines] == [
        ("a", "y", "1.00"),
        ("b", "x", "1.50"),
        ("a", "x", "3.00"),
    ]


def test_a_metric_that_the_run_has_not_is_refused_with_those_it_has():
    with pytest.raises(InputError) as caught:
        _piped(SAMPLE["document"]([timed("a", "x", 300)]), selection=ResultFilter(sort="tine"))
    assert (
        "'tine'" in caught.value.what
        and caught.value.valid == "time"
        and "time" in (caught.value.hint or "")
    )
