"""Exports: read back by what would read them, with texts that try to break them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import (
    Case,
    CaseResult,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    Run,
    RunInfo,
    Sample,
    Series,
)
from motebench.base.shapes import as_document
from motebench.results.document import result
from motebench.show.export import export, formats

BADGES = ("badge", "badge-svg")
"""Formats of one number."""
HOSTILE = (
    "=cmd|'/C calc'!A0 $x_1^2 {50%} \\end{table} & #1 ~ <script>alert(1)</script> \"q\" `c` "
    "**b** [l](u)\n# head"
)


def series(metric, *raws, evidence=Evidence.MEASURED):
    return Series(
        metric,
        "ns",
        1.0,
        0.0,
        "CLOCK_X",
        evidence,
        tuple(Sample(i, raw) for i, raw in enumerate(raws)),
    )


SHUFFLED = (
    1003.0,
    1010.0,
    1001.0,
    1007.0,
    1000.0,
    1011.0,
    1004.0,
    1008.0,
    1002.0,
    1009.0,
    1005.0,
    1006.0,
)
"""1000 to 1011, each as if it did not depend on the one before."""


@pytest.fixture
def shown():
    aes = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 1024, "host", "openssl")
    keygen = Case("ed25519", "openssl", Operation.KEYGEN, 0, "host", "openssl")
    file = Case(
        "copy", "copy", Operation.COPY_FILE, 10**6, "host", "openssl", file="@/data/a,b.bin"
    )
    board = Case("aes-128-cbc", "tiny", Operation.ENCRYPT, 1024, "board", "tiny")
    results = (
        CaseResult(
            aes, (series("time", *SHUFFLED), series("cpu_time", *(raw - 10 for raw in SHUFFLED)))
        ),
        CaseResult(keygen, (series("time", 5e4),), notes=("too few", "time was up")),
        CaseResult(file, (series("time", 1e6, 1.1e6),)),
        CaseResult(board, (series("cycles", 5000.0, evidence=Evidence.SIMULATED),)),
    )
    failures = (
        Failure.of_case(
            CaseId("des-cbc", "openssl", "encrypt", 8, "host"),
            FailureKind.WRONG_ANSWER,
            HOSTILE,
            "tc 1",
        ),
        Failure("*", "mbedtls", "host", FailureKind.BUILD, "no probe"),
    )
    environment = {
        "host": {
            "cpu_model": "Z_80",
            "threads": 2,
            "governor": "powersave",
            "frequency_now": 2596000,
            "load": [0.1],
        },
        "probes": {"openssl": {"version": "OpenSSL 3", "compiler": "gcc"}},
    }
    info = RunInfo(
        1,
        "r_1",
        "",
        "2026-11-20T10:00:00+00:00",
        None,
        "finished",
        "0.1.0",
        1,
        {"study": HOSTILE},
        environment,
    )
    return result(Run(info, results, failures))


def test_every_module_is_a_format():
    for_tools = [
        "badge",
        "badge-svg",
        "bencher",
        "github-action-benchmark",
        "google-benchmark",
        "openmetrics",
    ]
    assert formats() == sorted([*for_tools, "csv", "json", "latex", "markdown"])
    with pytest.raises(KeyError):
        export(
            result(Run(RunInfo(1, "r", "", "2026-11-20", None, "interrupted", "0.1.0", 1), ())),
            "xml",
        )


@pytest.mark.parametrize("form", [form for form in formats() if form not in BADGES])
def test_a_run_without_results_is_no_trouble(form):
    info = RunInfo(1, "r", "", "2026-11-20", None, "interrupted", "0.1.0", 1)
    text = export(result(Run(info, ())), form)
    assert text.endswith("\n")


def test_json_is_the_document(shown):
    assert json.loads(export(shown, "json")) == as_document(shown)


def test_csv_is_one_table(shown):
    rows = list(csv.DictReader(io.StringIO(export(shown, "csv"))))
    assert len(rows) == len(shown.measurements) + len(shown.failures)
    assert all(None not in row and None not in row.values() for row in rows), (
        "every line has every column"
    )
    time = rows[0]
    assert (time["metric"], time["unit"], time["median"], time["n"], time["kind"]) == (
        "time",
        "ns",
        "1005.5",
        "12",
        "",
    )
    one = next(row for row in rows if row["scheme"] == "ed25519")
    assert (one["variance"], one["notes"]) == ("", "too few; time was up")
    failed = [row for row in rows if row["kind"]]
    assert {(row["kind"], row["metric"], row["median"]) for row in failed} == {
        ("build", "", ""),
        ("wrong-answer", "", ""),
    }
    assert {row["vector"] for row in failed} == {"", "tc 1"}


def test_csv_cells_are_no_formulas(shown):
    rows = list(csv.DictReader(io.StringIO(export(shown, "csv"))))
    assert next(row for row in rows if row["kind"] == "wrong-answer")["message"] == f"'{HOSTILE}"
    assert next(row for row in rows if row["scheme"] == "copy")["file"] == "'@/data/a,b.bin"
    for row in rows:
        for value in row.values():
            if value and value[0] in "=+-@\t\r":
                assert float(value) < 0


def test_markdown_tables_have_one_shape_and_failures(shown):
    text = export(shown, "markdown")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
    # time, throughput, cycles, cpu_time and cpu_load; simulated cycles apart from everything
    # measured.
    assert len(tables) == 5
    for table in tables:
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()} == {10}
    assert "## time (ns), measured, lower is better" in text
    assert "## cycles (cycles), simulated, lower is better" in text
    assert "1.006 µs" in text
    assert "1.002 .. 1.009 µs" in text
    assert "wrong-answer" in text and "mbedtls on host: build: no probe" in text


def test_markdown_keeps_texts_as_texts(shown):
    text = export(shown, "markdown")
    for markup in ("<script>", "**b**", "[l](u)", "`c`"):
        assert re.search(r"(?<!\\)" + re.escape(markup), text) is None
    assert len(re.findall(r"^#", text, re.M)) == len(re.findall(r"^##? ", text, re.M)) == 7


def test_latex_is_balanced_and_escaped(shown):
    text = export(shown, "latex")
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == 5
    assert text.count(r"\begin{itemize}") == text.count(r"\end{itemize}") == 1
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    # What remains after commands of ours and escapes must hold nothing special.
    rest = re.sub(r"\\(begin|end)\{(longtable|itemize)\}(\{[lr]+\})?", "", body)
    rest = re.sub(r"\\caption\{([^{}]*|\\[{}]|\{\})*\}\\label\{tab:[a-z0-9-]+\}\\\\", "", rest)
    rest = re.sub(r"\\paragraph\{Failures\}|\$(n|\\mu|\\pm)\$", "", rest)
    assert (
        rest.count(r"{\small\setlength{\tabcolsep}{4pt}")
        == len(re.findall(r"^}$", rest, re.M))
        == 1
    )
    rest = re.sub(r"^\{\\small\\setlength\{\\tabcolsep\}\{4pt\}$|^\}$", "", rest, flags=re.M)
    rest = re.sub(r"\\(item|toprule|midrule|bottomrule|endfirsthead|endhead|endfoot)\b", "", rest)
    rest = re.sub(r"\\text[a-z]+\{\}|\\\\$|\\[{}$&#%_]|^\s*\{\}", "", rest, flags=re.M)
    assert re.findall(r"[\\{}$#%_~^]", rest) == []
    rows = [line for line in body.splitlines() if line.endswith(r"\\") and "caption" not in line]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {6}
    assert r"Median ($\mu$s)" in text and " & 1.006 & 1.002 .. 1.009 & 12 " in text
    assert "no probe" in text


def test_google_benchmark(shown):
    found = json.loads(export(shown, "google-benchmark"))
    assert found["context"]["num_cpus"] == 2
    assert found["context"]["mhz_per_cpu"] == 2596
    assert found["context"]["cpu_scaling_enabled"] is True
    by_name = {entry["name"]: entry for entry in found["benchmarks"]}
    median = by_name["aes-128-cbc/encrypt/1024B/openssl/host_median"]
    assert median["run_name"] == "aes-128-cbc/encrypt/1024B/openssl/host"
    assert (median["run_type"], median["aggregate_name"], median["repetitions"]) == (
        "aggregate",
        "median",
        12,
    )
    assert (median["real_time"], median["cpu_time"], median["time_unit"]) == (1005.5, 995.5, "ns")
    assert median["bytes_per_second"] == pytest.approx(1024 / 1005.5e-9)
    assert "ed25519/keygen/openssl/host_median" in by_name
    assert "ed25519/keygen/openssl/host_stddev" not in by_name, "one sample has none"
    failed = [entry for entry in found["benchmarks"] if entry.get("error_occurred")]
    assert {entry["error_message"].split(":")[0] for entry in failed} == {"wrong-answer", "build"}
    assert all("real_time" not in entry for entry in failed)
    assert {entry["run_type"] for entry in found["benchmarks"]} == {"aggregate"}, (
        "compare.py reads times of others"
    )


def test_bencher(shown):
    found = json.loads(export(shown, "bencher"))
    aes = found["aes-128-cbc/encrypt/1024B/openssl/host"]
    assert set(aes) == {"latency", "throughput"}
    assert aes["latency"]["value"] == 1005.5
    assert aes["latency"]["lower_value"] < 1005.5 < aes["latency"]["upper_value"]
    assert found["ed25519/keygen/openssl/host"] == {"latency": {"value": 5e4}}
    for measures in found.values():
        for measure in measures.values():
            assert set(measure) <= {"value", "lower_value", "upper_value"}


def test_several_targets_take_a_column_in_latex(shown):
    first = shown.measurements[0]
    one = export(replace(shown, measurements=(first,)), "latex")
    two = export(replace(shown, measurements=(first, replace(first, target="board_1"))), "latex")
    assert r"lower is better, on host}\label{tab:" in one and r"\begin{longtable}{lllrrrr}" in one
    assert r"\begin{longtable}{llllrrrr}" in two
    assert (
        "Target & Scheme" in two
        and r"board\_1 & aes-128-cbc" in two
        and "host & aes-128-cbc" in two
    )


@pytest.mark.parametrize("form", ["latex", "markdown"])
def test_tables_say_what_an_interval_does_not_reach_and_what_was_disturbed(shown, form):
    time = next(
        entry for entry in shown.measurements if entry.metric == "time" and entry.ci_low is not None
    )
    weak = replace(time, confidence=0.81, disturbed=3)
    text = export(replace(shown, measurements=(weak,)), form).replace("\\", "")
    assert "at 81 %" in text
    assert "12, 3 disturbed" in text
    assert "load 0.1 when the run began" in text
    said = export(replace(shown, measurements=(replace(time, confidence=0.32),)), form)
    assert ".." not in said, "an interval of 32 % is no interval to print"
    assert "at 9" not in export(replace(shown, measurements=(time,)), form), (
        "95 % goes without saying"
    )


@pytest.mark.parametrize("form", ("markdown", "latex"))
def test_tables_call_a_metric_what_all_other_tables_call_it(form):
    case = Case("aes-128-cbc", "tiny", Operation.ENCRYPT, 1024, "board", "tiny")
    added = Series(
        "static_ram_net", "B", 1.0, 0.0, "linker", Evidence.SIMULATED, (Sample(0, 296.0),)
    )
    info = RunInfo(1, "n", "s", "2026-01-01", None, "finished", "1", 1, {}, {})
    text = export(result(Run(info, (CaseResult(case, (added,)),))), form)
    assert "RAM added (B)" in text and "static_ram" not in text


def test_openmetrics_has_a_gauge_for_each_metric_and_hostile_labels(shown):
    first = shown.measurements[0]
    text = export(
        replace(shown, measurements=(*shown.measurements, replace(first, scheme=HOSTILE))),
        "openmetrics",
    )
    assert text.endswith("# EOF\n")
    families = re.findall(r"^# TYPE (\S+) gauge$", text, re.M)
    assert {"motebench_time_nanoseconds", "motebench_cycles"} <= {*families}
    assert len(families) == len({*families})
    for line in text.splitlines():
        assert re.fullmatch(r'# .*|[a-z_:]+\{([a-z_]+="([^"\\]|\\.)*",?)*\} \S+', line), line
    assert 'motebench_cycles{scheme="aes-128-cbc",implementation="tiny"' in text
    assert 'c **b** [l](u)\\n# head"' in text.replace("`", "")


@pytest.mark.parametrize("form", BADGES)
def test_a_badge_says_one_number_with_its_evidence(shown, form):
    time, board = (
        next(e for e in shown.measurements if e.metric == name) for name in ("time", "cycles")
    )
    assert "1.01 µs, measured on host" in export(replace(shown, measurements=(time,)), form)
    assert "5.00 kcycles, board" in export(replace(shown, measurements=(board,)), form)
    hostile = export(
        replace(shown, measurements=(replace(time, scheme='<script>&"', target="<b>"),)), form
    )
    if form == "badge":
        badge = json.loads(hostile)
        assert (badge["schemaVersion"], badge["label"]) == (1, '<script>&" encrypt 1 KiB')
        assert {*badge} == {"schemaVersion", "label", "message", "color"}
    else:
        assert "<script>" not in hostile
        assert (
            ElementTree.fromstring(hostile).find("{*}title").text
            == '<script>&" encrypt 1 KiB: 1.01 µs, measured on <b>'
        )


@pytest.mark.parametrize("form", BADGES)
def test_a_badge_is_refused_where_it_would_not_be_one_number(shown, form):
    time = shown.measurements[0]
    for chosen in ((), shown.measurements, (replace(time, quotable=False),)):
        with pytest.raises(InputError, match="badge"):
            export(replace(shown, measurements=chosen), form)


def test_github_action_benchmark_has_what_is_better_smaller(shown):
    entries = {
        entry["name"]: entry for entry in json.loads(export(shown, "github-action-benchmark"))
    }
    aes = entries["aes-128-cbc/encrypt/1024B/openssl/host/time"]
    assert (aes["value"], aes["unit"], aes["extra"]) == (1005.5, "ns", "measured, n = 12")
    assert aes["range"].count(" .. ") == 1
    assert entries["aes-128-cbc/encrypt/1024B/tiny/board/cycles"]["value"] == 5000
    assert not any(name.endswith("/throughput") for name in entries)
    assert all(
        {*entry} <= {"name", "unit", "value", "range", "extra"} for entry in entries.values()
    )
