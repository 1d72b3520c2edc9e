"""Several runs of one study: their order, their names, which of them a side means, and what is said
of them.
"""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from scipy.stats import t

from motebench.base.errors import InputError
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
from motebench.base.paths import PROBE_PREFIX
from motebench.base.shapes import as_document
from motebench.documents import schema
from motebench.results.comparison import Side, compare, document, side
from motebench.results.comparison.model import found_by, left_open
from motebench.results.groups import (
    GROUP,
    Build,
    GroupSession,
    Turn,
    group_of,
    parse_builds,
    session_of,
)
from motebench.results.together import in_turn, known_spread, members, summary
from motebench.stats import MARGIN_UNPAIRED, Between, RunSpread
from motebench.store import Store
from motebench.targets.registry import open_target

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
OTHERS = tuple(replace(AES, input_bytes=size) for size in (64, 256, 1024, 8192))
HOST = {"cpu_model": "Z80", "kernel": "Linux 6.1"}


# The order


@pytest.mark.parametrize("groups", [("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d")])
def test_each_block_of_turns_has_every_group_once(groups):
    turns = GroupSession(groups, 6, 1).turns()
    blocks = [turns[at : at + len(groups)] for at in range(0, len(turns), len(groups))]
    assert len(blocks) == 6
    assert all({turn.group for turn in block} == {*groups} for block in blocks)


def test_one_group_is_in_order_and_every_run_has_its_own_seed():
    session = GroupSession(("base",), 3, 2**63 - 2)
    assert [turn.name for turn in session.turns()] == ["base-1", "base-2", "base-3"]
    seeds = [session.seed_of(turn) for turn in session.turns()]
    assert len(set(seeds)) == 3
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_settings_bring_the_session_back():
    session = GroupSession(
        ("old", "new"), 5, 7, {"old": Build("probes", "/a"), "new": Build("probes", "/b")}
    )
    turn = session.turns()[3]
    settings = {"group": session.settings(turn)}
    assert session_of(settings) == (session, turn)
    assert group_of(settings) == turn.group
    assert (session_of({}), group_of({})) == (None, None)


# Builds


def probes(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / f"{PROBE_PREFIX}{name}").write_text("#!/bin/sh\n")
        (folder / f"{PROBE_PREFIX}{name}").chmod(0o755)
    return folder


def test_builds_are_folders_of_probes_or_of_code(tmp_path):
    old, new = probes(tmp_path / "old", "x"), probes(tmp_path / "new", "x")
    found = parse_builds([f"old={old}", f"new={new}"])
    assert found == {"old": Build("probes", str(old)), "new": Build("probes", str(new))}
    assert found["new"].probes == [new]
    for folder in (old, new):
        (folder / "api.h").write_text("")
    code = parse_builds([f"a={old}", f"b={new}"])
    assert {build.kind for build in code.values()} == {"code"}
    assert code["a"].probes is None


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (["old=OLD"], "only one build"),
        (["old=OLD", "old=NEW"], "two builds have the label 'old'"),
        (["old", "new=NEW"], "is not a build"),
        (["=OLD", "new=NEW"], "is not a build"),
        (["a,b=OLD", "new=NEW"], "cannot be the name of a group"),
        (["a*=OLD", "new=NEW"], "cannot be the name of a group"),
        (["old=OLD", "new=NOWHERE"], "is not a folder"),
        (["old=OLD", "new=EMPTY"], "neither probes nor api.h"),
        (["old=OLD", "new=CODE"], "another is a folder of code"),
    ],
)
def test_builds_that_cannot_be_measured_in_turn(tmp_path, entries, said):
    probes(tmp_path / "OLD", "x")
    probes(tmp_path / "NEW", "x")
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "CODE").mkdir()
    (tmp_path / "CODE" / "api.h").write_text("")
    with pytest.raises(InputError, match=said) as caught:
        parse_builds([entry.replace("=", f"={tmp_path}/") for entry in entries])
    assert caught.value.where == "--alternate"
    assert caught.value.valid


def test_a_build_has_its_own_probes_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setenv("MOTEBENCH_PROBES", str(probes(tmp_path / "usual", "x", "y")))
    build = probes(tmp_path / "build", "x")
    assert open_target("host", probes=[build]).implementations() == ["x"]
    assert {"x", "y"} <= set(open_target("host").implementations())


# Sides


def crash(case):
    return Failure.of_case(case, FailureKind.CRASH, "signal 11")


def a_run(
    number,
    level,
    *,
    name=None,
    group=None,
    cases=(AES,),
    host=HOST,
    started=None,
    status="finished",
    failed=(),
):
    rng = random.Random(number)
    results = [
        CaseResult(
            case,
            (
                Series(
                    "time",
                    "ns",
                    1.0,
                    0.0,
                    "clock",
                    Evidence.MEASURED,
                    tuple(Sample(i, level * (1 + 0.001 * rng.random())) for i in range(9)),
                ),
            ),
            finished=True,
        )
        for case in cases
    ]
    results += [CaseResult(case, failure=crash(case)) for case in failed]
    settings = (
        {"group": GroupSession((group,), 5, 1).settings(Turn(group, number))} if group else {}
    )
    info = RunInfo(
        number,
        name or f"run-{number}",
        "",
        started or f"2026-11-20T00:00:{number:02}",
        None,
        status,
        "0.1.0",
        1,
        settings,
        {"host": host},
    )
    return Run(info, tuple(results))


def two_sides(a, b, *, turns=True, **more):
    """Sides of runs with these levels, made in turn or one after the other."""
    at = [0, 1, 1, 0] * 20 if turns else [0] * len(a) + [1] * len(b)
    levels = [list(a), list(b)]
    runs: list[list[Run]] = [[], []]
    for number, which in enumerate(at):
        if levels[which]:
            runs[which].append(a_run(number + 1, levels[which].pop(0), **more))
    return [
        Side(found[0], None, tuple(found), name)
        for found, name in zip(runs, ("old", "new"), strict=True)
    ]


def test_the_run_is_the_random_unit():
    found = compare(*two_sides([100, 101, 102, 100, 101], [103, 104, 105, 103, 104]))
    (pair,) = found.pairs
    assert (pair.verdict.n_a, pair.verdict.n_b) == (5, 5)
    assert pair.word == "slower"
    assert found.of_runs
    assert (found.margin, found.margin_source) == (0.0, "none")
    # Nine samples a run agree to 0.1 %; what counts is that the runs differ by 1 %.
    overlap = compare(*two_sides([100, 101, 102, 100, 101], [101, 102, 103, 101, 102]))
    assert overlap.pairs[0].word == "not distinguishable"


def test_runs_that_were_not_in_turn_keep_the_assumed_margin():
    levels = [100, 100.1, 99.9, 100, 100.1], [101, 101.1, 100.9, 101, 101.1]
    assert compare(*two_sides(*levels)).pairs[0].word == "slower"
    after = compare(*two_sides(*levels, turns=False))
    assert after.pairs[0].word == "not distinguishable"
    assert (after.margin, after.margin_source, after.in_turn) == (MARGIN_UNPAIRED, "assumed", False)


def test_in_turn():
    def runs(*numbers):
        return [a_run(number, 100) for number in numbers]

    assert in_turn(runs(1, 4, 5, 8, 9), runs(2, 3, 6, 7, 10))
    assert in_turn(runs(1, 3), runs(2, 4))
    assert not in_turn(runs(1, 2, 3), runs(4, 5, 6))
    assert not in_turn(runs(1, 2, 3, 9), runs(4, 5, 6, 7))


def test_in_turn_within_one_second():
    def runs(*numbers, name="x"):
        return [
            a_run(number, 100, name=f"{name}-{number}", started="2026-11-20T10:00:00+00:00")
            for number in numbers
        ]

    assert in_turn(runs(1, 4, 5), runs(2, 3, 6)), "within one store the numbers tell"
    assert not in_turn(runs(1, 2, name="main"), runs(1, 2, name="branch")), (
        "two stores number their runs apart"
    )
    assert in_turn(runs(1, 2), runs(1, 2)), "two implementations of the same runs"


def test_one_run_is_not_compared_with_several():
    a, b = two_sides([100, 101, 102], [100, 101, 102])
    with pytest.raises(InputError, match="old is 3") as caught:
        compare(a, Side(a_run(90, 100)))
    assert "--runs 5" in caught.value.hint
    with pytest.raises(InputError, match="are the same"):
        compare(a, replace(b, runs=(*b.runs, a.runs[1])))


def test_what_fails_in_one_run_of_a_group_is_said():
    a, b = two_sides([100, 101, 102], [100, 101, 102])
    broken = a_run(77, 100, cases=(), failed=(AES,))
    found = compare(a, replace(b, runs=(*b.runs, broken)))
    (item,) = found.only_in_a
    assert item.failed
    assert "failed in some runs of new: crash" in item.reason
    assert found.pairs[0].verdict.n_b == 3


def test_what_runs_leave_undecided_and_how_many_would_decide():
    noisy = [100, 102, 98, 101, 99]
    found = compare(*two_sides(noisy, [1.03 * level for level in noisy], cases=(AES, *OTHERS)))
    left = left_open(found, 0.01)
    assert len(left) == 5
    assert found.slower_than(0.01) == []
    assert all(item.more is not None and 10 < item.more < 60 for item in left)
    least = found_by(found, 0.01)
    assert least is not None
    assert 0.05 < least < 0.12
    plain = as_document(document(found, 0.01))
    assert plain["left_open"] == 5
    assert plain["comparisons"][0]["more_runs"] == left[0].more
    assert plain["found_from"] == least
    assert (plain["unit"], len(plain["a"]["runs"])) == ("run", 5)


def test_what_is_surely_slower_and_what_surely_not_is_decided():
    calm = [100, 100.1, 99.9, 100.05, 99.95]
    slower = compare(*two_sides(calm, [1.05 * level for level in calm]))
    assert len(slower.slower_than(0.01)) == 1
    assert left_open(slower, 0.01) == []
    same = compare(*two_sides(calm, calm))
    assert (same.slower_than(0.01), left_open(same, 0.01)) == ([], [])


def test_two_single_runs_of_unknown_spread_are_left_open_near_the_limit():
    one, other = Side(a_run(1, 100)), Side(a_run(2, 100))
    (left,) = left_open(compare(one, other), 0.01)
    assert left.more is None, (
        "2 % between two runs of one thing are assumed: 1 % cannot be excluded"
    )
    assert left_open(compare(one, other), 0.5) == []


def test_turns_of_a_block_are_in_random_order_and_stay_so():
    session = GroupSession(("old", "new"), 40, 7)
    blocks = [[turn.group for turn in session.turns()[at : at + 2]] for at in range(0, 80, 2)]
    assert all(sorted(block) == ["new", "old"] for block in blocks)
    forward = [block[0] == "old" for block in blocks]
    assert 10 < sum(forward) < 30
    repeats = sum(one == other for one, other in itertools.pairwise(forward))
    assert 9 < repeats < 30, "no period of four turns"
    stored = {GROUP: session.settings(session.turns()[5])}
    found = session_of(stored)
    assert (
        found is not None and found[0].turns() == session.turns() and found[1] == session.turns()[5]
    )


def test_a_session_of_an_older_version_goes_on_in_its_order():
    session = GroupSession(("old", "new"), 2, 7)
    settings = session.settings(session.turns()[0])
    settings["session"] = {
        key: value for key, value in settings["session"].items() if key != "drawn"
    }
    found = session_of({GROUP: settings})
    assert found is not None
    assert [turn.group for turn in found[0].turns()] == ["old", "new", "new", "old"]


@pytest.mark.parametrize("allowed", [None, 0.01])
@pytest.mark.parametrize("several", [False, True])
def test_the_document_is_what_its_schema_says(allowed, several):
    jsonschema.Draft202012Validator.check_schema(schema("comparison"))
    sides = (
        two_sides([100, 101, 102], [103, 101, 102])
        if several
        else (Side(a_run(1, 100)), Side(a_run(2, 101)))
    )
    found = as_document(document(compare(*sides, margin=None), allowed))
    jsonschema.Draft202012Validator(schema("comparison")).validate(found)
    entry = schema("comparison")["$defs"]["pair"]
    assert set(found) == set(schema("comparison")["properties"])
    assert set(found["comparisons"][0]) == set(entry["required"])


# Single runs, on a machine that is known


def test_single_runs_are_judged_by_the_spread_of_this_machine():
    runs = [a_run(n, level, group="g") for n, level in enumerate([100, 101, 99, 100.5, 99.5], 1)]
    sides = Side(a_run(20, 100)), Side(a_run(21, 103))
    assert compare(*sides).pairs[0].word == "slower"
    assumed = compare(*sides)
    assert (assumed.margin, assumed.margin_source) == (MARGIN_UNPAIRED, "assumed")
    from motebench.results.together import spread_between

    spread = spread_between([summary(runs, ("time",))])
    assert spread is not None
    found = compare(*sides, spreads={"time": spread})
    assert found.margin == pytest.approx(spread.margin())
    assert found.margin > 0.04
    assert found.margin_source == "spread"
    assert found.pairs[0].word == "not distinguishable"
    assert compare(*sides, spreads={"time": spread}, margin=0.001).margin_source == "given"
    assert document(found).spreads[0].degrees_of_freedom == 4


def test_a_gate_on_single_runs_asks_the_spread_of_runs():
    spread = RunSpread(0.005, 8, 10, 2, 4)
    for level, slower in ((102.5, False), (105.0, True)):
        sides = Side(a_run(20, 100, cases=(AES,))), Side(a_run(21, level, cases=(AES,)))
        found = compare(*sides, spreads={"time": spread})
        (pair,) = found.pairs
        expected = t.sf((math.log(pair.verdict.ratio) - math.log(1.01)) / (math.sqrt(2) * 0.005), 8)
        assert pair.p_slower(0.01) == pytest.approx(expected)
        assert bool(found.slower_than(0.01)) is slower
        assert found_by(found, 0.01) == pytest.approx(
            1.01 * math.exp(Between(math.sqrt(2) * 0.005, 8).detectable(0.01, 0.95)) - 1
        )


# In a store


def stored(store, name, level, *, group=None, number=1, host=HOST, status="finished"):
    settings = (
        {"group": GroupSession((group,), 5, 1).settings(Turn(group, number))} if group else {}
    )
    run_id = store.create_run(name, "", settings, {"host": host}, 1, "0.1.0", [AES])
    series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, ())
    for place in range(7):
        store.add_samples(run_id, AES, [(series, Sample(place, level + 0.01 * place))])
    store.finish_case(run_id, AES)
    store.finish_run(run_id, status)
    return run_id


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "m.db", create=True) as opened:
        for number, level in enumerate([100, 101, 99, 100.5], 1):
            stored(opened, f"base-{number}", level, group="base", number=number)
        stored(opened, "base-5", 100, group="base", number=5, status="interrupted")
        stored(opened, "alone", 100)
        yield opened


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("base", ["base-1", "base-2", "base-3", "base-4"]),
        ("base-[12]", ["base-1", "base-2"]),
        ("base-1, alone", ["base-1", "alone"]),
        ("alone,base,base-1", ["base-1", "base-2", "base-3", "base-4", "alone"]),
        ("base-5,alone", ["base-5", "alone"]),
    ],
)
def test_several_runs_as_users_write_them(store, reference, names):
    found = side(store, reference)
    assert [run.info.name for run in found.every] == names
    assert found.label == reference


def test_sides_that_mean_no_run(store):
    with pytest.raises(InputError, match="no run has this name") as caught:
        side(store, "bas?")
    assert "alone" in caught.value.valid
    with pytest.raises(InputError, match="'nothing'"):
        side(store, "alone,nothing")
    assert members(store, "alone") is None
    with pytest.raises(InputError, match="base:openssl"):
        side(store, "base:libgcrypt")
    assert side(store, "base:openssl").implementation == "openssl"


def test_the_spread_of_a_machine_comes_from_its_groups_alone(store):
    found = known_spread([store], {"host": HOST}, ("time",))
    assert found["time"].degrees == 3, "neither the interrupted run nor the one outside a group"
    assert found["time"].sd == pytest.approx(0.0085, rel=0.05)
    assert known_spread([store], {"host": {**HOST, "kernel": "Linux 6.2"}}, ("time",)) == {}
    assert math.isfinite(found["time"].margin())
