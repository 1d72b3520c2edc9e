"""Documents, their schemas, rows and exports are made of the same classes."""

from __future__ import annotations

import copy
import csv
import io
import json
import math
import re
import sqlite3
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import click
import jsonschema
import pytest
from click.testing import CliRunner
from result_documents import document

from motebench.advise.reference.make import Change, ReferenceUnit, checked
from motebench.advise.reference.table import ReferenceCase
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
from motebench.base.shapes import LATER, LEFT_OUT, NEVER, as_document, keys
from motebench.cli.app import app
from motebench.documents import __main__ as schemas
from motebench.documents import schema
from motebench.documents.result import Measurement
from motebench.measuring.plan.cases import Skipped
from motebench.measuring.plan.plan import Plan, plan_document
from motebench.measuring.study.model import PRESETS
from motebench.results.document import result
from motebench.results.groups import GroupSession
from motebench.results.presentation.rows import Row
from motebench.results.together import runs_document
from motebench.show.export import export
from motebench.store import Store

FOLDER = Path(schemas.__file__).parent / "json"
CASE = Case("sha256", "sunjce", Operation.DIGEST, 64, "host", "sunjce")
OTHER = Case("sha256", "openssl", Operation.DIGEST, 64, "host", "openssl")


def run(*results):
    return Run(
        RunInfo(1, "r", "", "2026-11-22T10:00:00+00:00", None, "running", "0.1.0", 1),
        tuple(results),
        (),
    )


def in_invocations(case=CASE):
    """Seven processes with ten batches each, the same time in all."""
    samples = tuple(Sample(at, 1000.0 + at % 7, 10, 0, 0.0, at // 10) for at in range(70))
    return CaseResult(case, (Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples),))


def in_rounds(case=OTHER):
    samples = tuple(Sample(at, 1000.0 + at % 7) for at in range(12))
    return CaseResult(case, (Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples),))


def assert_fits(name, found):
    """The document is of that name, and as its schema says."""
    assert found["schema"].startswith(f"motebench-{name}-")
    jsonschema.Draft202012Validator(schema(name)).validate(found)


@pytest.mark.parametrize("name", schemas.NAMES)
def test_the_files_are_what_the_classes_say(name):
    assert (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8") == schemas.text(name), (
        "python -m motebench.documents writes them anew"
    )


def test_every_schema_has_its_class():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        f"{name}.schema.json" for name in schemas.NAMES
    )


PAGE = (FOLDER.parents[2] / "docs" / "reference" / "documents.md").read_text(encoding="utf-8")
SECTIONS = {
    part.partition("\n")[0]: part
    for part in PAGE.partition("<!-- made: documents -->")[2].split("\n## ")
}


def test_the_page_has_a_section_for_every_document():
    assert set(schemas.NAMES) == set(SECTIONS) - {"", "Shared parts"}
    for name in schemas.NAMES:
        constant = schema(name)["properties"]["schema"]["const"]
        assert SECTIONS[name].startswith(f"{name}\n\n`{constant}`: `motebench "), name


def keys_on_page(text):
    """The keys that a part of the page names, with those of a case if it refers to them."""
    (case,) = re.findall(r"^\*\*caseid\*\*: .*?(?=^\*\*)", PAGE, re.M | re.S)
    return set(re.findall(r"`([^`]+)`", text + (case if "[caseid]" in text else "")))


@pytest.mark.parametrize("name", schemas.NAMES)
def test_the_page_has_every_key_of_a_document(name):
    found = schema(name)
    linked = re.findall(r"\]\(#([a-z-]+)\)", SECTIONS[name].partition("With the parts of")[2])
    assert set(found["properties"]) - {"schema"} <= keys_on_page(SECTIONS[name].split("\n**")[0])
    parts = {}
    for section in (name, *linked, "Shared parts"):
        head, *rest = re.split(r"\n\*\*(\w+)\*\*: ", SECTIONS[section])
        parts = {section: head, **dict(zip(rest[::2], rest[1::2], strict=True)), **parts}
    assert found["$defs"].keys() <= parts.keys()
    for part, body in found["$defs"].items():
        missing = set(body.get("properties", {})) - {"schema"} - keys_on_page(parts[part])
        assert missing == set(), part


def test_the_page_names_every_command_that_prints_json():
    context = click.Context(app)
    commands = {name: app.get_command(context, name) for name in app.list_commands(context)}
    printing = {
        name
        for name, command in commands.items()
        if any("--json" in each.opts for each in command.params)
    }
    heads = " ".join(SECTIONS[name].split("\n\n")[1] for name in schemas.NAMES)
    assert printing - {"describe"} <= set(re.findall(r"`motebench ([a-z]+)", heads))


@pytest.mark.parametrize("name", schemas.NAMES)
def test_the_schemas_are_valid_and_closed(name):
    found = schema(name)
    jsonschema.Draft202012Validator.check_schema(found)
    for part in (found, *found["$defs"].values()):
        if "properties" in part:
            assert part["additionalProperties"] is False
            assert set(part["required"]) <= set(part["properties"])


@pytest.mark.parametrize("name", schemas.NAMES)
def test_every_document_names_its_schema_and_version_first(name):
    found = schema(name)
    assert next(iter(found["properties"])) == "schema"
    assert found["properties"]["schema"]["const"] == found["$id"].replace("urn:", "").replace(
        ":", "-"
    )


SENSOR = (
    "battery",
    "--battery",
    "cr2032",
    "--every",
    "1h",
    "--device",
    "samd21g18a",
    "--cycles",
    "48000",
)
LORA = ("airtime", "--sf", "7", "--bw", "125", "--payload", "24", "--json")


@pytest.mark.parametrize(
    "arguments",
    [
        LORA,
        (*LORA, "--scheme", "aes-128-gcm"),
        ("airtime", "--lorawan", "EU868", "--dr", "0", "--app-payload", "51", "--json"),
        (
            "airtime",
            "--lorawan",
            "EU868",
            "--dr",
            "5",
            "--app-payload",
            "1000",
            "--fragment",
            "--json",
        ),
        ("airtime", "--lorawan", "EU868", "--dr", "7", "--app-payload", "51", "--json"),
        ("airtime", "--lorawan", "US915", "--dr", "3", "--app-payload", "51", "--json"),
        ("energy", "--device", "raspberry-pi-3b-plus", "--time", "2s", "--size", "1MB", "--json"),
        ("energy", "--time", "1us", "--current", "20mA", "--voltage", "5V", "--json"),
        (*SENSOR, "--json"),
        (
            *SENSOR,
            "--lorawan",
            "EU868",
            "--dr",
            "5",
            "--message",
            "24",
            "--scheme",
            "aes-128-gcm",
            "--json",
        ),
        (*SENSOR[:5], "--sleep-current", "5uA", "--json"),
        ("instruments", "--json"),
        *(
            ("list", what, "--json")
            for what in ("algorithms", "papers", "devices", "radios", "regions", "batteries")
        ),
        *(
            ("list", what, "--json")
            for what in ("studies", "targets", "schemes", "implementations")
        ),
        ("list", "schemes", "--paper", "lino-2022", "--json"),
        ("reference", "show", "--target", "sim:atmega2560", "--scheme", "speck-64-128-*", "--json"),
    ],
    ids=" ".join,
)
def test_what_commands_print_is_what_their_schema_says(arguments):
    printed = CliRunner().invoke(app, arguments)
    assert printed.exit_code == 0, printed.output
    assert_fits(arguments[0], json.loads(printed.stdout))


def test_a_check_of_a_store(tmp_path):
    store = tmp_path / "s.db"
    with Store.open(str(store), create=True):
        pass
    asked = ("doctor", "--store", str(store), "--json")
    assert_fits("store-check", json.loads(CliRunner().invoke(app, asked).stdout))
    with sqlite3.connect(store) as database:
        database.execute("insert into notes (id, run_id, text) values (1, 7, 'of no run')")
    found = json.loads(CliRunner().invoke(app, asked).stdout)
    assert len(found["findings"]) == 1
    assert_fits("store-check", found)


def test_a_list_of_runs(tmp_path):
    store = tmp_path / "s.db"
    with Store.open(str(store), create=True) as opened:
        opened.create_run(
            name="r",
            study_text="",
            settings={"study": "t"},
            environment={},
            seed=1,
            version="0.1.0",
            cases=[CASE],
        )
    found = json.loads(
        CliRunner().invoke(app, ("list", "runs", "--store", str(store), "--json")).stdout
    )
    assert_fits("list", found)
    (row,) = found["rows"]
    assert (found["what"], row["name"], row["study"], row["command"]) == ("runs", "r", "t", None)


def test_a_plan():
    failure = Failure.of_case(CASE, FailureKind.CRASH, "it fell")
    skipped = Skipped("sha1", "openssl", "host", "unknown there")
    plan = Plan(None, PRESETS["fast"], (OTHER,), (failure,), (skipped,), {}, {})
    once, thrice = (as_document(plan_document(plan, runs)) for runs in (1, 3))
    assert_fits("plan", once)
    assert once["cases"] == [{**OTHER.entry(), "places": 1}]
    assert once["failures"] == [as_document(failure)]
    assert thrice["seconds_at_most"] == pytest.approx(3 * once["seconds_at_most"], abs=0.3)


def test_runs_of_groups():
    session = GroupSession(("base",), 2, 1)
    found = as_document(runs_document(session, {"base": [run(in_rounds()), run(in_rounds())]}))
    assert_fits("runs", found)
    assert found["order"] == ["base-1", "base-2"]
    (case,) = found["groups"][0]["cases"]
    assert (case["runs"], len(case["medians"])) == (2, 2)


def test_changes_of_reference_results():
    kept = ReferenceCase("speck-64-128-ecb", "mote/speck", "encrypt", 16, {"cycles": 7})
    failed = replace(kept, values={}, failure="crash", message="it fell")
    changes = [
        Change("sim:atmega2560", kept.key, kept, failed),
        Change("sim:atmega2560", kept.key, None, kept),
    ]
    found = as_document(checked([ReferenceUnit("sim:atmega2560", "mote/speck")], changes))
    assert_fits("reference-check", found)
    assert [(change["kept"] and change["kept"]["cycles"]) for change in found["changes"]] == [
        7,
        None,
    ]
    assert found["changes"][0]["now"]["failure"] == "crash: it fell"


def test_descriptions_are_the_docstrings_of_the_fields_inherited_ones_too():
    found = schema("result")["$defs"]["measurement"]["properties"]
    assert "additional data" in found["aad_bytes"]["description"].lower()
    assert found["variance"]["description"] == "Sample variance, divisor n-1."


def test_documents_from_before_batches_were_known_are_accepted():
    found = document(run(in_rounds()))
    older = copy.deepcopy(found)
    for entry in older["measurements"]:
        del entry["batches"], entry["course"]
    assert len(older["measurements"]) == len(found["measurements"]) > 0
    validator = jsonschema.Draft202012Validator(schema("result"))
    assert list(validator.iter_errors(found)) == []
    assert list(validator.iter_errors(older)) == []


@pytest.mark.parametrize("key", ["disturbed", "target", "lag1", "aad_bytes"])
def test_other_keys_must_be_there(key):
    found = document(run(in_rounds()))
    del found["measurements"][0][key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema("result")).validate(found)


@dataclass(frozen=True, slots=True)
class Inner:
    number: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    LEADING = ("last",)

    parts: tuple[Inner, ...]
    word: Operation
    mine: str = field(default="", metadata=NEVER)
    here: str | None = field(default=None, metadata=LATER)
    file: str | None = field(default=None, metadata=LEFT_OUT)
    last: int = 0


def test_a_class_becomes_plain_data():
    found = as_document(Shape(parts=(Inner(math.nan), Inner(1.5)), word=Operation.SIGN))
    assert list(found.items()) == [
        ("last", 0),
        ("parts", [{"number": None}, {"number": 1.5}]),
        ("word", "sign"),
        ("here", None),
    ]
    assert type(found["word"]) is str


def test_a_row_of_tables_has_all_that_a_measurement_has():
    assert {each.name for each in fields(Row)} - {each.name for each in fields(Measurement)} == {
        "index",
        "verdicts",
    }


def test_the_failure_of_the_document_is_the_failure_of_the_run():
    failure = Failure.of_case(CASE, FailureKind.CRASH, "it fell")
    found = document(run(CaseResult(CASE, failure=failure)))
    assert found["failures"] == [as_document(failure)]
    assert list(found["failures"][0]) == [name for name, _ in keys(Failure) if name != "file"]


def test_csv_has_every_key_of_a_measurement_but_the_samples():
    found = document(run(in_invocations(), in_rounds()), samples=True)
    rows = list(
        csv.DictReader(
            io.StringIO(export(result(run(in_invocations(), in_rounds()), samples=True), "csv"))
        )
    )
    for entry, row in zip(found["measurements"], rows, strict=True):
        assert set(entry) - {"values", "rounds", "invocations"} <= set(row)
        assert row["effective_n"] == str(entry["effective_n"])
    course = found["measurements"][0]["course"]
    assert {(row["implementation"], row["batches"], row["course"]) for row in rows} == {
        ("sunjce", str(found["measurements"][0]["batches"]), course),
        ("openssl", "", ""),
    }


@pytest.mark.parametrize(
    ("form", "head", "line"),
    [
        ("markdown", "| n | source | batches | course |", "| 7 | clock | {batches} | {course} |"),
        ("latex", r"$n$ & Batches & Course \\", r"& 7 & {batches} & {course} \\"),
    ],
)
def test_tables_show_batches_and_course_where_values_are_of_invocations(form, head, line):
    shown = document(run(in_invocations(), in_rounds()))
    first = shown["measurements"][0]
    assert first["batches"] > 0
    assert first["course"]
    found = export(result(run(in_invocations(), in_rounds())), form)
    assert head in found
    assert line.format(**first) in found
    assert "atches" not in export(result(run(in_rounds())), form)
