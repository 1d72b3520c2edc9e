"""Leak tests as runs: what is stored, what is shown of it again, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from dataclasses import replace
from functools import partial

import jsonschema
import leak_runs
import pytest
from click.testing import CliRunner
from leak_runs import Heard, constant, keyed, plan_of, stored

from motebench.base.errors import ExitCode, InputError, StoreError
from motebench.base.model import KIND, LeakRecord, Operation, RunKind
from motebench.base.shapes import as_document
from motebench.catalog import schemes
from motebench.cli.app import app
from motebench.documents import schema
from motebench.documents.leak import LeakVerdict
from motebench.measuring.leak import examination
from motebench.measuring.leak.checking import LeakFinding, WithoutCache, examine
from motebench.measuring.leak.inputs import Varied, variations
from motebench.measuring.leak.statistical import fewest_samples, suspect
from motebench.measuring.request import Resume, carry_out
from motebench.results.comparison import compare_stored
from motebench.results.document import result
from motebench.results.leaks import FOLLOWED, exit_code, leak_document, leak_test_of, printed
from motebench.results.selection import ResultFilter
from motebench.show.export import export_leak
from motebench.show.report.page import render_leak
from motebench.store import Store
from motebench.targets.wire.messages import Fill, Job


@pytest.fixture
def place(tmp_path):
    return tmp_path / "m.db"


def verdicts(document):
    return {
        (entry.scheme, entry.operation, entry.varied): entry.verdict for entry in document.findings
    }


def typed(place, *arguments):
    return CliRunner().invoke(app, [*arguments, "--store", str(place)])


def test_a_leak_test_is_stored_and_shown_again(place):
    heard = Heard()
    run = stored(place, plan_of(keyed), name="toy leaks", heard=heard)
    assert (run.info.kind, run.info.status, run.info.settings[KIND]) == (
        RunKind.LEAK,
        "finished",
        "leak test",
    )
    assert heard.checked == list(leak_runs.SCHEMES)
    assert {
        (state.case.scheme, state.case.operation, state.finished) for state in heard.states
    } == {
        ("aes-128-ecb", "key-setup", 0),
        ("aes-128-ecb", "encrypt", 1),
        ("xtea-ecb", "key-setup", 2),
        ("xtea-ecb", "encrypt", 3),
    }
    with Store.open(place, create=False) as store:
        document = leak_test_of(store, "toy leaks")
        assert leak_test_of(store, "latest") == document
    assert document == leak_document(run)
    assert (document.implementation, document.target, document.samples) == ("toy", "sim:toy", 20)
    assert (document.environment.version, document.environment.compiler) == ("toy 1.2", "cc 9")
    assert document.environment.host == {"cpu_model": "a processor"}
    assert verdicts(document) == {
        (scheme, operation, varied): LeakVerdict.CONSTANT
        if varied == "message"
        else LeakVerdict.LEAKS
        for scheme in leak_runs.SCHEMES
        for operation, varied in [
            ("key-setup", "key"),
            *(("encrypt", varied) for varied in ("key", "message", "key and message")),
        ]
    }
    for entry in document.findings:
        assert (entry.example is None) == (entry.verdict == LeakVerdict.CONSTANT)
        if entry.example:
            keys = [bytes.fromhex(side.key) for side in (entry.example.fewest, entry.example.most)]
            assert [entry.cycles.fewest, entry.cycles.most] == [
                100 + leak_runs.weight(key) for key in keys
            ]
    assert exit_code(document) is ExitCode.LEAK


@pytest.mark.parametrize("exact", [True, False], ids=["board", "host"])
@pytest.mark.parametrize("cost", [constant, keyed])
def test_the_document_is_as_its_schema_says(place, exact, cost):
    plan = plan_of(
        cost, exact=exact, samples=20 if exact else fewest_samples(30), names=["aes-128-ecb"]
    )
    document = leak_document(stored(place, plan))
    plain = as_document(document)
    jsonschema.Draft202012Validator(schema("leak")).validate(plain)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert all(("cycles" in entry) == exact for entry in plain["findings"])
    assert json.loads(export_leak(document, "json")[0]) == plain
    shown = typed(place, "show")
    assert shown.exit_code == 0 and all(
        str(entry.verdict) in shown.output for entry in document.findings
    )
    assert json.loads(typed(place, "show", "--json").output) == plain


@pytest.mark.parametrize("exact", [True, False], ids=["board", "host"])
def test_a_result_with_all_that_it_may_have_comes_back(place, exact):
    """Inputs that were refused, the input that is for comparison only, a board without its
    cache.
    """
    session = leak_runs.ToySession(keyed)
    job = Job("aes-128-ecb", "encrypt", key=bytes(range(16)), data=Fill(3, 16))
    item = next(
        item for item in variations(schemes()["aes-128-ecb"], job) if item.varied is Varied.KEY
    )
    item = replace(item, accepted=item.job)
    look = partial(examine, samples=20) if exact else partial(suspect, samples=fewest_samples(30))
    spread = replace(look(session, item, seed=1, timeout=1.0), refused={"all zeros": "no"})
    entry = examination._entry(
        LeakFinding("aes-128-ecb", Operation.ENCRYPT, 16, spread, WithoutCache(7, 8))
    )
    plan = plan_of(constant, names=["aes-128-ecb"])
    run = stored(place, replace(plan, cases=plan.cases[:1]))
    with Store.open(place, create=False) as store:
        store.add_leak(run.info.id, plan.cases[0], LeakRecord("all", as_document(entry)))
        document = leak_document(store.load_run(1))
    assert document.findings[-1] == entry
    jsonschema.Draft202012Validator(schema("leak")).validate(as_document(document))
    shown = typed(place, "show").output
    assert (
        "refused by the implementation, so not timed: all zeros: no" in shown
        and "the right tag" in shown
    )
    assert ("without the cache of the flash they take 7 and 8 cycles" in shown) == exact
    assert "all zeros: no" in render_leak(document)


def test_a_scheme_with_wrong_answers_is_one_failure_and_the_others_are_examined(place):
    document = leak_document(stored(place, plan_of(constant), but=["aes-128-ecb"]))
    (failure,) = document.failures
    assert (failure.scheme, failure.operation, failure.kind, failure.vector) == (
        "aes-128-ecb",
        None,
        "wrong-answer",
        "tc 7",
    )
    assert {entry.scheme for entry in document.findings} == {"xtea-ecb"}
    assert (document.run.cases.failed, document.run.cases.finished) == (2, 2)
    assert exit_code(document) is ExitCode.FAILURES


def test_after_an_interrupt_what_was_found_is_there(place):
    jobs = []

    def until_the_third(job):
        jobs.append((job.scheme, job.operation))
        if ("xtea-ecb", "encrypt") in jobs:
            raise KeyboardInterrupt
        return 100.0

    document = leak_document(stored(place, plan_of(until_the_third), name="cut"))
    assert document.run.status == "interrupted"
    assert (document.run.cases.finished, document.run.cases.pending) == (3, 1)
    assert {(entry.scheme, entry.operation) for entry in document.findings} == {
        ("aes-128-ecb", "key-setup"),
        ("aes-128-ecb", "encrypt"),
        ("xtea-ecb", "key-setup"),
    }
    assert exit_code(document) is ExitCode.INTERRUPTED
    shown = typed(place, "show", "cut")
    assert (
        shown.exit_code == 0
        and "1 operation was not examined: the run is interrupted" in shown.output
    )


def test_an_exit_code_says_leak_before_failure(place):
    leaking = leak_document(stored(place, plan_of(keyed), but=["xtea-ecb"]))
    assert leaking.failures and exit_code(leaking) is ExitCode.LEAK
    assert exit_code(leak_document(stored(place, plan_of(constant)))) is ExitCode.OK


def test_cycles_that_do_not_repeat_are_no_success(place):
    times = iter(range(100, 100_000))
    document = leak_document(stored(place, plan_of(lambda _: next(times), names=["aes-128-ecb"])))
    assert set(verdicts(document).values()) == {LeakVerdict.UNSTEADY}
    assert exit_code(document) is ExitCode.FAILURES
    assert "measured again, the same input took different cycles" in render_leak(document)


# In a table, a page and a file


def test_the_page_has_every_verdict_and_the_inputs_that_differ(place):
    document = leak_document(stored(place, plan_of(keyed), but=["xtea-ecb"]))
    page = render_leak(document)
    assert "its time depends on 3 of 4 secrets" in page
    assert page.count("xtea-ecb") and "failed: xtea-ecb (wrong-answer): wrong" in page
    for entry in document.findings:
        assert f"<td>{entry.varied}</td>" in page
        if entry.example:
            assert entry.example.most.key in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_what_a_page_shows_is_escaped(place):
    stored(place, plan_of(constant, names=["aes-128-ecb"]))
    typed(place, "runs", "note", "1", "<script>alert(1)</script>")
    with Store.open(place, create=False) as store:
        page = render_leak(leak_document(store.load_run(1)))
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_csv_has_a_row_for_each_arm_and_each_failure(place):
    plan = plan_of(keyed, exact=False, samples=fewest_samples(30), names=["aes-128-ecb"])
    document = leak_document(stored(place, plan, but=[]))
    rows = list(csv.DictReader(io.StringIO(export_leak(document, "csv")[0])))
    assert [(row["operation"], row["varied"]) for row in rows] == [
        (entry.operation, entry.varied) for entry in document.findings for _ in entry.arms
    ]
    for row, arm in zip(
        rows, [arm for entry in document.findings for arm in entry.arms], strict=True
    ):
        assert float(row["p"]) == arm.test.p and float(row["difference_ns"]) == arm.difference.ns
    failed = leak_document(stored(place, plan_of(keyed), but=leak_runs.SCHEMES))
    rows = list(csv.DictReader(io.StringIO(export_leak(failed, "csv")[0])))
    assert [(row["scheme"], row["kind"], row["verdict"]) for row in rows] == [
        (name, "wrong-answer", "") for name in leak_runs.SCHEMES
    ]


def test_a_format_of_measurements_is_refused(place):
    stored(place, plan_of(constant, names=["aes-128-ecb"]))
    refused = typed(place, "export", "--format", "latex")
    assert isinstance(refused.exception, InputError) and "csv, json" in str(refused.exception)


@pytest.mark.parametrize("option", [["--sort", "time"], ["--details"], ["--brief"], ["--samples"]])
def test_options_of_measurements_are_refused(place, option):
    stored(place, plan_of(constant, names=["aes-128-ecb"]))
    refused = typed(place, "show", *option)
    assert isinstance(refused.exception, InputError) and option[0] in str(refused.exception)


# Beside measurements


def test_commands_on_values_say_that_a_leak_test_has_none(place):
    stores = (str(place), str(place))
    sides = {
        "run": "latest",
        "stores": stores,
        "selection": ResultFilter(),
        "margin": None,
        "across": False,
    }
    run = stored(place, plan_of(constant, names=["aes-128-ecb"]), name="a")
    stored(place, plan_of(keyed, names=["aes-128-ecb"]), name="b")
    with pytest.raises(InputError, match="run a is a leak test: it has verdicts"):
        result(run)
    with pytest.raises(InputError, match="run a is a leak test: it has verdicts"):
        compare_stored(("a", "b"), **sides)
    with pytest.raises(InputError, match="leak test, which cannot be resumed"):
        carry_out(str(place), Resume("a"))


def test_a_list_of_runs_says_what_each_is(place):
    stored(place, plan_of(constant, names=["aes-128-ecb"]), name="tested")
    with Store.open(place, create=False) as store:
        store.create_run("measured", "", {}, {}, 1, "0.1.0", [])
    listed = json.loads(typed(place, "list", "runs", "--json").output)
    assert {row["name"]: row["kind"] for row in listed["rows"]} == {
        "tested": "leak test",
        "measured": "measurement",
    }
    assert "leak test" in typed(place, "list", "runs").output
    assert [
        row["name"]
        for row in json.loads(typed(place, "list", "runs", "--scheme", "aes-*", "--json").output)[
            "rows"
        ]
    ] == ["tested"]


def test_runs_keeps_leak_tests_in_order(place, tmp_path):
    stored(place, plan_of(keyed, names=["aes-128-ecb"]), name="first")
    for arguments in (
        ["rename", "first", "second"],
        ["note", "second", "with the fan off"],
        ["tag", "second", "paper"],
    ):
        assert typed(place, "runs", *arguments).exit_code == 0
    other = tmp_path / "other.db"
    assert typed(other, "runs", "merge", str(place)).exit_code == 0
    assert "is here already" in typed(other, "runs", "merge", str(place)).output
    with Store.open(place, create=False) as mine, Store.open(other, create=False) as copied:
        before, after = leak_test_of(mine, "second"), leak_test_of(copied, "second")
        assert before == after and before.run.notes == ("with the fan off",)
    # Tagged: stays
    assert typed(other, "runs", "prune", "--keep-last", "0", "--yes").exit_code == 0
    assert typed(other, "runs", "rm", "second", "--yes").exit_code == 0
    with Store.open(other, create=False) as copied:
        assert copied.runs() == []


# Stores that were changed


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        '{"reason": 5}',
        '{"scheme": "s", "operation": "encrypt", "input_bytes": 16, "varied": "key", "verdict": '
        '"fine", "leaks": false,'
        '"refused": {}, "arms": [], "arms_left_out": null}',
    ],
)
def test_a_result_that_is_none_is_left_out_with_a_note(place, content):
    stored(place, plan_of(keyed, names=["aes-128-ecb"]))
    with sqlite3.connect(place) as raw:
        raw.execute("UPDATE leaks SET content = ? WHERE id = 1", (content,))
    raw.close()
    with Store.open(place, create=False) as store:
        document = leak_document(store.load_run(1))
    assert len(document.findings) == 3
    (note,) = document.run.notes
    assert "varying key of aes-128-ecb toy key-setup on sim:toy is malformed; left out" in note


@pytest.mark.parametrize("scope", ['{"target": 5}', '"none"', "{}"])
def test_a_scope_that_is_none_is_refused(place, scope):
    stored(place, plan_of(keyed, names=["aes-128-ecb"]))
    with sqlite3.connect(place) as raw:
        raw.execute("UPDATE runs SET settings = json_set(settings, '$.leak', json(?))", (scope,))
    raw.close()
    with (
        Store.open(place, create=False) as store,
        pytest.raises(StoreError, match="lack the question"),
    ):
        leak_document(store.load_run(1))


def followed(place, count, file="<a>.c"):
    """A document with an operation whose secrets reach time at so many places."""
    test = leak_document(stored(place, plan_of(constant, names=["aes-128-ecb"])))
    finding = {
        "kind": "branch", "error": True, "times": 2, "cycles": 3, "secrets": ["key"],
        "through": ["outer", "inner"],
    }  # fmt: skip
    places = [
        {"function": f"f{number}", "file": file, "line": number, "address": f"{number:#x}",
         "instruction": "bne 0x10"}
        for number in range(1, count + 1)
    ]  # fmt: skip
    content = {
        "scheme": "aes-128-ecb", "operation": "encrypt", "input_bytes": 16, "secrets": ["key"],
        "inputs": 2, "refused": {}, "findings_lost": 0,
        "verdict": "reaches it here" if count else "no secret reaches time on this path",
        "findings": [{**finding, "at": at} for at in places], "declassified": [],
        "coverage": None,
    }  # fmt: skip
    run_id = test.run.id
    with Store.open(place, create=False) as store:
        run = store.load_run(run_id)
    scope = {**run.info.settings["leak"], "flow": True, "public": ["g"]}
    info = replace(run.info, settings={**run.info.settings, "leak": scope})
    records = (LeakRecord(FOLLOWED, content), LeakRecord(FOLLOWED, {**content, "inputs": "many"}))
    results = (replace(run.results[0], leaks=records),)
    return replace(run, info=info, results=results)


@pytest.mark.parametrize(
    ("count", "code"), [(0, ExitCode.OK), (1, ExitCode.LEAK), (60, ExitCode.LEAK)]
)
def test_the_page_of_followed_secrets_folds_what_is_much(place, count, code):
    document = leak_document(followed(place, count))
    assert exit_code(document) is code
    plain = as_document(printed(document))
    jsonschema.Draft202012Validator(schema("secret-flow")).validate(plain)
    assert plain["public"] == ["g"]
    page = render_leak(document)
    assert page.count("<summary>error: branch") == count
    assert page.count("<details open><summary>error: branch") == min(count, 5)
    assert page.count("&lt;a&gt;.c:1<") == (1 if count else 0)
    assert ("No finding." in page) == (not count)
    rows = list(csv.DictReader(io.StringIO(export_leak(document, "csv")[0])))
    assert [row["through"] for row in rows if row["kind"] == "branch"] == ["outer > inner"] * count


def test_a_malformed_result_of_followed_secrets_is_left_out_with_a_note(place):
    document = leak_document(followed(place, 1))
    assert len(printed(document).cases) == 1
    assert any("malformed" in note for note in document.run.notes)


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("core/ciphers/aes/aes_small.c", 1),
        ("../../../../../../../etc/passwd", 0),
        ("constraints.txt", 0),
        ("a\0.c", 0),
        ("x" * 5000 + ".c", 0),
    ],
)
def test_a_page_shows_lines_of_sources_of_motebench_alone(place, file, shown):
    """A store may come from elsewhere."""
    page = render_leak(leak_document(followed(place, 1, file)))
    assert page.count("<pre tabindex") == shown
