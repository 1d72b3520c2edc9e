"""Comparing runs and implementations: what is matched, what is refused, what is said."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from motebench.base.errors import ExitCode, IncomparableError, InputError
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
from motebench.documents.comparison import SoftwareEntry
from motebench.results.comparison import Side, compare, document, side
from motebench.stats import MARGIN_PAIRED, MARGIN_UNPAIRED
from motebench.store import Store

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
GCRYPT = replace(AES, implementation="libgcrypt", provider="libgcrypt")
HOST = {"cpu_model": "Z80", "kernel": "Linux 6.1", "governor": "performance"}


def series(
    metric="time",
    level=100.0,
    *,
    n=20,
    seed=0,
    evidence=Evidence.MEASURED,
    source="clock",
    noise=0.002,
):
    rng = random.Random(seed)
    samples = tuple(Sample(i, level * (1 + noise * rng.random())) for i in range(n))
    return Series(metric, "ns", 1.0, 0.0, source, evidence, samples)


def result(case, *found, **more):
    return CaseResult(case, found, finished=True, **more)


def a_run(number, *results, host=HOST, version="OpenSSL 3.0.1", failures=()):
    environment = {
        "host": host,
        "probes": {"openssl": {"version": version, "compiler": "gcc", "flags": "-O2"}},
    }
    environment["probes"]["libgcrypt"] = {"version": "1.10", "compiler": "gcc", "flags": "-O2"}
    info = RunInfo(
        number, f"run-{number}", "", "2026-11-20", None, "finished", "0.1.0", 1, {}, environment
    )
    return Run(info, results, tuple(failures))


def two_runs(level=100.0, metric="time", **second):
    one = a_run(1, result(AES, series(metric, 100.0, seed=7)))
    other = a_run(2, result(AES, series(metric, level, seed=8)), **second)
    return Side(one), Side(other)


@pytest.mark.parametrize(
    ("metric", "level", "word"),
    [
        ("time", 110.0, "slower"),
        ("time", 90.0, "faster"),
        ("time", 101.0, "not distinguishable"),
        ("cycles", 90.0, "faster"),
        ("cpu_time", 110.0, "slower"),
        ("peak_rss", 110.0, "larger"),
        ("peak_rss", 90.0, "smaller"),
    ],
)
def test_the_word_for_two_runs(metric, level, word):
    found = compare(*two_runs(level, metric), metrics=[metric])
    (pair,) = found.pairs
    assert pair.word == word
    assert pair.verdict.ratio == pytest.approx(level / 100, rel=0.002)
    assert pair.verdict.test == "Mann-Whitney U test"
    assert (found.paired, found.margin) == (False, MARGIN_UNPAIRED)


def test_derived_metrics_turn_around():
    found = compare(*two_runs(110.0), metrics=["time", "throughput"])
    time, rate = found.pairs
    assert (time.word, rate.word) == ("slower", "slower")
    assert rate.verdict.ratio == pytest.approx(1 / time.verdict.ratio)
    assert found.means["throughput", "measured"].ratio == pytest.approx(
        1 / found.means["time", "measured"].ratio
    )


def test_load_has_no_better_direction():
    one = a_run(1, result(AES, series("time", 100.0), series("cpu_time", 100.0, seed=3)))
    other = a_run(2, result(AES, series("time", 100.0), series("cpu_time", 50.0, seed=4)))
    (pair,) = compare(Side(one), Side(other), metrics=["cpu_load"]).pairs
    assert pair.word == "lower"
    assert pair.p_slower(0.01) is None
    assert not compare(Side(one), Side(other), metrics=["cpu_load"]).slower_than(0.01)


def test_implementations_of_one_run_are_paired_by_round():
    rng = random.Random(4)
    drift = [rng.uniform(0.5, 2.0) for _ in range(30)]
    fast = Series(
        "time",
        "ns",
        1.0,
        0.0,
        "c",
        Evidence.MEASURED,
        tuple(Sample(i, 100 * d) for i, d in enumerate(drift)),
    )
    slow = tuple(
        Sample(i, 101 * d * (1 + 0.001 * rng.random())) for i, d in enumerate(drift) if i != 3
    )
    run = a_run(1, result(AES, fast), result(GCRYPT, replace(fast, samples=slow)))
    found = compare(Side(run, "openssl"), Side(run, "libgcrypt"))
    (pair,) = found.pairs
    assert (found.paired, found.margin) == (True, MARGIN_PAIRED)
    # Drift of a factor of four, and still one percent is seen, because it hits both sides of a
    # round alike.
    assert pair.word == "slower"
    assert (pair.verdict.n_a, pair.verdict.n_b) == (29, 29), "only rounds that both have"
    assert pair.verdict.test == "Wilcoxon signed-rank test"
    assert found.software[0] == SoftwareEntry(
        implementation_a="openssl",
        implementation_b="libgcrypt",
        what="version",
        a="OpenSSL 3.0.1",
        b="1.10",
    )


def test_a_run_is_not_compared_with_itself():
    run = a_run(1, result(AES, series()), result(GCRYPT, series()))
    for implementation, valid in (
        (None, "two runs, or two implementations: run-1:libgcrypt, run-1:openssl"),
        ("openssl", "two runs, or two implementations: run-1:libgcrypt"),
    ):
        with pytest.raises(InputError, match="are the same") as caught:
            compare(Side(run, implementation), Side(run, implementation))
        assert caught.value.valid == valid


def test_different_environments_are_refused_unless_asked():
    sides = two_runs(host={**HOST, "governor": "powersave", "kernel": None})
    with pytest.raises(IncomparableError) as caught:
        compare(*sides)
    assert caught.value.exit_code == ExitCode.INCOMPARABLE
    assert "governor: performance against powersave" in str(caught.value)
    assert "kernel: Linux 6.1 against unknown" in str(caught.value)
    assert "--across-environments" in caught.value.hint
    found = compare(*sides, across_environments=True)
    assert {item.name for item in found.environment} == {"governor", "kernel"}
    assert {item.fact for item in document(found).environment_differences} == {"governor", "kernel"}


def test_other_library_versions_are_listed_and_compared():
    found = compare(*two_runs(version="OpenSSL 3.5"))
    assert [(item.what, item.a, item.b) for item in found.software] == [
        ("version", "OpenSSL 3.0.1", "OpenSSL 3.5")
    ]


def test_cases_that_one_side_only_has_are_listed_with_why():
    big, small = replace(AES, input_bytes=1024), replace(AES, input_bytes=8)
    failure = Failure.of_case(
        CaseId("aes-128-cbc", "openssl", "encrypt", 1024, "host"), FailureKind.CRASH, "signal 11"
    )
    one = a_run(1, result(AES, series()), result(big, series()))
    other = a_run(
        2, result(AES, series(seed=5)), CaseResult(big, failure=failure), result(small, series())
    )
    found = compare(Side(one), Side(other))
    assert [(item.input_bytes, item.reason) for item in found.only_in_a] == [
        (1024, "crash: signal 11")
    ]
    assert [(item.input_bytes, item.reason) for item in found.only_in_b] == [
        (8, "not measured in run-1")
    ]
    assert found.means["time", "measured"].cases == 1


def test_different_files_and_targets_are_different_cases():
    file = replace(AES, operation=Operation.ENCRYPT_FILE, file="/a")
    one = a_run(1, result(file, series()))
    for change in (
        {"file": "/b"},
        {"target": "board"},
        {"implementation": "other"},
        {"operation": Operation.DECRYPT_FILE},
    ):
        other = a_run(2, result(replace(file, **change), series()))
        with pytest.raises(InputError, match="no case in common"):
            compare(Side(one), Side(other))


def test_evidence_and_counters_are_never_mixed():
    one = a_run(1, result(AES, series(), series("cycles", source="tsc")))
    other = a_run(2, result(AES, series(seed=1), series("cycles", source="perf_event:cpu-cycles")))
    found = compare(Side(one), Side(other), metrics=["time", "cycles"])
    assert [pair.a.metric for pair in found.pairs] == ["time"]
    assert "counted by tsc" in found.only_in_a[0].reason
    simulated = a_run(3, result(AES, series(evidence=Evidence.SIMULATED)))
    with pytest.raises(InputError, match="measured on one side and simulated on the other"):
        compare(Side(one), Side(simulated))


def test_simulated_numbers_are_compared_exactly():
    one = a_run(1, result(AES, series("cycles", 1000.0, n=1, noise=0, evidence=Evidence.SIMULATED)))
    other = a_run(
        2, result(AES, series("cycles", 1001.0, n=1, noise=0, evidence=Evidence.SIMULATED))
    )
    (pair,) = compare(Side(one), Side(other), metrics=["cycles"]).pairs
    assert (pair.word, pair.verdict.ratio) == ("slower", 1.001)
    assert (
        compare(Side(one), Side(replace(one, info=other.info)), metrics=["cycles"]).pairs[0].word
        == "not distinguishable"
    )


def test_one_named_side_means_the_same_implementation_on_the_other():
    both = (result(AES, series()), result(GCRYPT, series()))
    one, other = a_run(1, *both), a_run(2, *both)
    found = compare(Side(one, "libgcrypt"), Side(other))
    assert [(p.a.case.implementation, p.b.case.implementation) for p in found.pairs] == [
        ("libgcrypt", "libgcrypt")
    ]
    crossed = compare(Side(one, "openssl"), Side(other, "libgcrypt"))
    assert [(p.a.case.implementation, p.b.case.implementation) for p in crossed.pairs] == [
        ("openssl", "libgcrypt")
    ]


def test_slower_than_allowed_needs_evidence_beyond_the_allowance():
    found = compare(*two_runs(105.0), metrics=["time", "throughput"], margin=0.0)
    assert {pair.a.metric for pair in found.slower_than(0.03)} == {"time", "throughput"}
    assert found.slower_than(0.0502) == []
    # Two single runs differ by what the machine did: the margin comes on top of what is allowed.
    assumed = compare(*two_runs(105.0), metrics=["time", "throughput"])
    assert {pair.a.metric for pair in assumed.slower_than(0.025)} == {"time", "throughput"}
    assert assumed.slower_than(0.03) == []
    assert compare(*two_runs(95.0)).slower_than(0.03) == []
    assert compare(*two_runs(110.0, "peak_rss"), metrics=["peak_rss"]).slower_than(0.03)


def family(slow, n=30, cases=200):
    """Two runs of many cases with noise of 1 %; the first ``slow`` of the second run take 8 %
    more.
    """
    sides = []
    for number, extra in ((1, 0.0), (2, 0.08)):
        found = []
        for at in range(cases):
            rng = random.Random(1000 * at + number)
            level = 100 * (1 + (extra if at < slow else 0))
            samples = tuple(Sample(i, level * (1 + 0.01 * rng.gauss(0, 1))) for i in range(n))
            one = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
            found.append(result(replace(AES, input_bytes=at + 1), one))
        sides.append(Side(a_run(number, *found)))
    return sides


def test_a_gate_controls_the_family():
    found = compare(*family(3), margin=0.0)
    assert {pair.a.case.input_bytes for pair in found.slower_than(0.02)} == {1, 2, 3}
    # Each by itself, some of two hundred equal cases would be called.
    assert sum((pair.p_slower(0.0) or 1) <= 0.01 for pair in found.pairs[3:]) > 0
    assert {pair.a.case.input_bytes for pair in found.slower_than(0.0)} == {1, 2, 3}


def test_a_table_of_many_cases_is_adjusted():
    found = compare(*family(0), margin=0.0)
    assert sum(pair.verdict.p <= 0.01 for pair in found.pairs) > 0, (
        "one threshold for all would call some"
    )
    assert not any(pair.verdict.different for pair in found.pairs)
    entry = document(found).comparisons[0]
    assert entry.p_adjusted >= entry.p


def test_a_gate_that_cannot_decide_says_so():
    found = [
        result(replace(case, input_bytes=at), series(n=10, seed=at + seed))
        for case, seed in ((AES, 0), (GCRYPT, 50))
        for at in range(1, 40)
    ]
    run = a_run(1, *found)
    compared = compare(Side(run, "openssl"), Side(run, "libgcrypt"))
    # One-sided, ten pairs cannot have less than 2^-10, and 1 % over 39 cases is less.
    open_ = compared.undecided()
    assert open_ and {needed for _, needed in open_} == {12}
    assert compare(*two_runs(105.0)).undecided() == []


def test_the_document():
    found = as_document(
        document(compare(*two_runs(110.0), metrics=["time", "cpu_time"]), allowed=0.03)
    )
    json.dumps(found, allow_nan=False)
    (entry,) = found["comparisons"]
    assert (entry["verdict"], entry["slower_than_allowed"], found["slower"]) == ("slower", True, 1)
    assert entry["ci_low"] < entry["ratio"] < entry["ci_high"]
    assert entry["median_b"] / entry["median_a"] == pytest.approx(entry["ratio"], rel=0.01)
    assert (found["a"]["name"], found["paired"], found["fail_if_slower"]) == ("run-1", False, 0.03)
    assert found["geometric_means"][0]["cases"] == 1
    plain = as_document(document(compare(*two_runs())))
    assert (plain["slower"], plain["comparisons"][0]["slower_than_allowed"]) == (None, None)


def test_unknown_metrics_are_named():
    with pytest.raises(InputError, match="'speed'") as caught:
        compare(*two_runs(), metrics=["speed"])
    assert "throughput" in caught.value.valid


def test_sides_as_users_write_them(tmp_path):
    with Store.open(tmp_path / "m.db", create=True) as store:
        store.create_run("base", "", {}, {}, 1, "0.1.0", [AES, GCRYPT])
        assert side(store, "base").label == "base"
        assert side(store, "1:libgcrypt").label == "base:libgcrypt"
        assert side(store, ":openssl").implementation == "openssl"
        with pytest.raises(InputError) as caught:
            side(store, "base:opnssl")
        assert caught.value.valid == "base:libgcrypt, base:openssl"
        with pytest.raises(InputError, match="no run 'bas'"):
            side(store, "bas:openssl")


def test_commits_that_differ_are_listed():
    one, other = two_runs()
    code = {"code": {"code/mine": {"revision": {"commit": "a" * 40, "changed_files": 0}}}}
    for of_run, commit in ((one, "b"), (other, "c")):
        of_run.run.info.environment.update(
            code, motebench={"commit": commit * 40, "changed_files": 0}
        )
    (found,) = compare(one, other).software
    assert (found.implementation_a, found.what) == ("motebench", "commit")
    assert found.a == "commit bbbbbbbbbbbb, no file differs from it" != found.b
