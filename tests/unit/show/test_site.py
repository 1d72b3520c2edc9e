"""The explorer: each page, filter and format, hostile texts, other sites, and stores that cannot be
read.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sqlite3
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.base.naming import PLACE
from motebench.documents import schema
from motebench.results.slow_phases import LOOP
from motebench.results.together import result_of
from motebench.show.export import export
from motebench.show.report.page import render
from motebench.show.site import PARAMETERS, VIEWS
from motebench.show.site import app as site_app
from motebench.show.site.app import FILES, HEADERS, application, openapi
from motebench.show.site.views import Site, runs
from motebench.show.site.views.runs import LINES, ROWS
from motebench.store import Store, backend
from motebench.store.search import StoreFilter

HERE = "http://127.0.0.1:8642"
SCRIPT = "<script>alert(1)</script>"
HOST = {"host": {"cpu_model": f"Core {SCRIPT}", "os": "Debian"}}
GCM = Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl")
OTHER = Case("aes-128-gcm", "nettle", Operation.ENCRYPT_MESSAGE, 16, "host", "nettle")
SHA = Case("sha256", "openssl", Operation.DIGEST, 1024, "sim:samd21g18a", "openssl")
TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
BESIDE = Series(LOOP, "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
HOSTILE = Case(SCRIPT, "\"'><img src=x onerror=alert(2)>", Operation.DIGEST, 16, "host", "x")


def measured(
    store: Store, name: str, levels: dict[Case, float], *, seed: int = 1, **settings: Any
) -> int:
    """A run whose cases have twelve times around a level, in ns."""
    run = store.create_run(name, "title = 'x'\n", settings, HOST, seed, "0.1.0", levels)
    for case, level in levels.items():
        exact = case.target.startswith("sim:")
        evidence = Evidence.SIMULATED if exact else Evidence.MEASURED
        series = Series("time", "ns", 1.0, 0.0, "clock", evidence)
        for number in range(12):
            raw = level if exact else level * (1 + 0.001 * (number % 5))
            store.add_samples(run, case, [(series, Sample(number, raw, at=float(number)))])
        store.finish_case(run, case)
    store.finish_run(run, "finished")
    return run


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with runs ``one`` and ``two`` of equal cases, a failure, and a hostile run."""
    path = str(tmp_path_factory.mktemp("site") / "m.db")
    with Store.open(path, create=True) as store:
        command = "motebench run --scheme aes-128-gcm"
        first = measured(store, "one", {GCM: 500.0, OTHER: 700.0}, command=command)
        measured(store, "two", {GCM: 1000.0, OTHER: 700.0, SHA: 9000.0})
        hostile = measured(store, f"three {SCRIPT.replace('/', '')}", {HOSTILE: 100.0})
        store.add_note(first, "the fan was loud: 100 % & _more_")
        store.set_tags(first, ["nightly", "lab 2"])
        store.add_note(hostile, f"a note {SCRIPT}")
        failure = Failure.of_case(SHA.id, FailureKind.ERROR, f"no {SCRIPT}")
        store.add_failure(hostile, failure)
    return path


@pytest.fixture
def client(place: str) -> TestClient:
    return TestClient(application(Site(place)), base_url=HERE, raise_server_exceptions=False)


class _Tags(HTMLParser):
    """Elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def table_of(client: TestClient, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text)))


def run_names(client: TestClient, query: str) -> list[str]:
    document = client.get(f"/runs.json{query}").json()
    jsonschema.validate(document, schema("list"))
    return [row["name"].partition(" ")[0] for row in document["rows"]]


PAGES = (
    "/",
    "/runs",
    "/results",
    "/results?metric=throughput",
    "/runs/1",
    "/runs/two",
    "/runs/3",
    "/runs/one,two",
    "/runs/1/cases/1",
    "/runs/1/cases/1?metric=throughput",
    "/compare",
    "/compare?a=1&b=2",
    "/compare?a=1:openssl&b=1:nettle",
    "/api",
)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_small_and_runs_only_files_of_its_own(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert SCRIPT not in answer.text and "<img" not in answer.text
    loaded = 0
    for tag, attributes in _Tags(answer.text).tags:
        assert "style" not in attributes and not [name for name in attributes if name[:2] == "on"]
        assert tag not in ("style", "iframe", "base", "object")
        address_of = attributes.get("src") or (tag == "link" and attributes.get("href")) or ""
        if tag == "script":
            assert address_of
        if address_of:
            # The data of charts are a file of the page; all others are of every page.
            common = address_of.replace(f"{address}?format=js", "/static/charts.js")
            assert common.startswith("/static/")
            loaded += len(client.get(address_of).content)
    assert len(answer.content) + loaded < 300_000


@pytest.mark.parametrize("address", PAGES)
def test_links_of_a_page_lead_somewhere(client: TestClient, address: str) -> None:
    links = {
        attributes["href"] or ""
        for tag, attributes in _Tags(client.get(address).text).tags
        if tag == "a"
    }
    assert len(links) > 4
    for link in links:
        if link.startswith(("#", "https://")):  # a place of the page, or a standard
            continue
        # A comparison of one side has no file: the other side must be given.
        no_file = link.startswith("/compare") and "format" in link and "b=" not in link
        assert client.get(link).status_code == (400 if no_file else 200), link


def test_every_answer_keeps_other_sites_out(client: TestClient) -> None:
    for address in ("/", "/nope", "/runs.json", "/static/page.css", "/runs/99"):
        headers = client.get(address).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    ("host", "mine"),
    [
        ("127.0.0.1:8642", True),
        ("localhost", True),
        ("LOCALHOST:1", True),
        ("[::1]:8642", True),
        ("evil.example:8642", False),
        ("127.0.0.1.evil.example", False),
        ("192.168.0.9:8642", False),
        ("", False),
        ("[", False),
    ],
)
def test_only_names_of_this_server_are_answered(client: TestClient, host: str, mine: bool) -> None:
    answer = client.get("/runs.json", headers={"host": host})
    assert (answer.status_code == 200) == mine
    if not mine:
        assert answer.status_code == 421 and "rows" not in answer.text


def test_a_server_that_others_reach_answers_for_numbers_and_its_own_name(place: str) -> None:
    client = TestClient(application(Site(place), "0.0.0.0"), base_url="http://192.168.0.9:8642")
    assert client.get("/runs.json").status_code == 200
    assert client.get("/runs.json", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_pages_only_read(client: TestClient, method: str) -> None:
    assert client.request(method, "/runs/1").status_code == 405


# Filters


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["three", "two", "one"]),
        ("?scheme=sha256", ["two"]),
        ("?scheme=SHA-256", ["two"]),
        ("?scheme=aes-*", ["two", "one"]),
        ("?scheme=sha256,aes-128-gcm", ["two", "one"]),
        ("?scheme=sha256&scheme=aes-128-gcm", ["two", "one"]),
        ("?implementation=nettle", ["two", "one"]),
        ("?implementation=nett%25", []),
        ("?target=sim:*", ["two"]),
        ("?target=host&scheme=sha256", []),
        ("?device=samd21g18a", ["two"]),
        ("?device=atmega*", []),
        ("?operation=digest", ["three", "two"]),
        ("?size=1+KiB", ["two"]),
        ("?size=1024,16", ["three", "two", "one"]),
        ("?version=0.1.0", ["three", "two", "one"]),
        ("?version=9", []),
        ("?tag=nightly", ["one"]),
        ("?tag=night", []),
        ("?tag=lab+2", ["one"]),
        ("?q=fan", ["one"]),
        ("?q=FAN+loud", ["one"]),
        ("?q=fan+quiet", []),
        ("?q=100+%25", ["one"]),
        ("?q=_more_", ["one"]),
        ("?q=xmorex", []),
        ("?q=samd21", ["two"]),
        ("?q=nightly", ["one"]),
        ("?q=%27+OR+1=1+--", []),
        ("?scheme=%27+OR+1=1+--", []),
        ("?since=2000-01-01&until=2999-01-01", ["three", "two", "one"]),
        ("?since=2999-01-01", []),
        ("?until=2000-01-01", []),
        ("?page=2", []),
    ],
)
def test_filters_of_runs(client: TestClient, query: str, names: list[str]) -> None:
    assert run_names(client, query) == names
    page = client.get(f"/{query}").text
    assert ("No run fits" in page or "has no run" in page) == (not names)


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/?page=0", 400, "is not a page"),
        ("/?page=9999999999999999999999", 400, "is not a page"),
        ("/?size=many", 400, "size"),
        ("/?since=yesterday", 400, "is not a day"),
        ("/?nope=1", 400, "unknown parameter"),
        ("/?q=" + "x" * 501, 400, "too long"),
        ("/?format=xml", 400, "unknown format"),
        ("/?format=svg", 400, "unknown format"),
        ("/results?metric=speed", 400, "is not one metric"),
        ("/runs/99", 404, "there is no run"),
        ("/runs/99.json", 404, "there is no run"),
        ("/runs/1/cases/99", 404, "has no measured case"),
        ("/runs/1/cases/x", 404, "is not a case"),
        ("/runs/1/cases/1?metric=flash", 400, "has no metric"),
        ("/runs/1?scheme=des", 400, "no result has the scheme"),
        ("/compare?a=1&b=1", 400, "are the same"),
        ("/compare?a=1&b=77", 400, "neither a run"),
        ("/compare.json?a=1", 400, "two sides"),
        ("/compare?a=1&b=2&margin=x", 400, "margin"),
        ("/nothing", 404, "no such page"),
        ("/static/app.py", 404, "no such page"),
        ("/static/..%2f..%2fapp.py", 404, "no such page"),
        ("/static/%2e%2e/page.css", 404, "no such page"),
        ("/static//etc/passwd", 404, "no such page"),
    ],
)
def test_a_mistake_is_told_on_a_page(
    client: TestClient, address: str, status: int, words: str
) -> None:
    answer = client.get(address)
    assert (answer.status_code, words in answer.text) == (status, True)
    assert "Traceback" not in answer.text


def test_a_mistake_in_json_is_a_document(client: TestClient) -> None:
    error = client.get("/runs/99?format=json").json()["error"]
    assert error["what"].startswith("there is no run '99'") and "one (1)" in error["valid"]


def test_a_form_with_empty_fields_gets_a_short_address(client: TestClient) -> None:
    answer = client.get("/?q=&scheme=sha256&page=", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?scheme=sha256")


def test_names_of_the_store_are_suggested(client: TestClient) -> None:
    tags = _Tags(client.get("/").text).tags
    values = {attributes.get("value") for tag, attributes in tags if tag == "option"}
    assert {"aes-128-gcm", "sha256", "nettle", "sim:samd21g18a", "samd21g18a", "nightly"} <= values


# Numbers: those of the other commands


def test_a_run_is_what_export_gives(client: TestClient, place: str) -> None:
    with Store.open(place, create=False) as store:
        result = result_of(store, "2", samples=False)
    for form in ("json", "csv"):
        expected = export(result, form)
        assert client.get(f"/runs/2.{form}").text == expected
        assert client.get(f"/runs/two?format={form}").text == expected
    jsonschema.validate(client.get("/runs/2.json").json(), schema("result"))


@pytest.mark.parametrize("reference", ["1", "2", "3", "one,two"])
def test_the_html_file_of_a_run_is_its_report(
    client: TestClient, place: str, reference: str
) -> None:
    with Store.open(place, create=False) as store:
        report = render(result_of(store, reference))
    answer = client.get(f"/runs/{reference}?format=file")
    assert answer.text == report and answer.headers["content-disposition"].startswith("attachment")
    charts = client.get(f"/runs/{reference}.js").text
    content = json.loads(charts.partition("=")[2].rpartition(";")[0])
    site = content.pop("site")
    assert content == json.loads(report.partition('id="data">')[2].partition("<")[0])
    assert bool(site) == reference.isdecimal()


def test_charts_of_a_filtered_run_have_its_cases_with_the_verdicts_of_the_run(
    client: TestClient,
) -> None:
    whole, part = (
        json.loads(client.get(f"/runs/2.js{query}").text.partition("=")[2].rpartition(";")[0])
        for query in ("", "?scheme=aes-128-gcm&metric=time")
    )
    texts = part["table"]["texts"]
    assert texts["scheme"]["of"] == ["aes-128-gcm"] and texts["metric"]["of"] == ["time"]
    assert sorted(part["samples"]) == ["0", "1"]
    factors = set(texts["factor"]["of"])
    assert len(factors) == 2 and factors <= set(whole["table"]["texts"]["factor"]["of"])


def test_a_filtered_run_has_the_same_numbers(client: TestClient) -> None:
    whole = table_of(client, "/runs/2.csv")
    part = table_of(client, "/runs/2.csv?implementation=nettle&metric=time")
    assert part == [
        row for row in whole if (row["implementation"], row["metric"]) == ("nettle", "time")
    ]
    assert len(part) == 1


def test_results_are_of_all_runs_the_newest_first(client: TestClient) -> None:
    rows = table_of(client, "/results.csv?scheme=aes-128-gcm&implementation=openssl")
    assert [(row["run"], float(row["median"])) for row in rows] == [("2", 1001.5), ("1", 500.75)]
    document = client.get("/results.json?implementation=openssl").json()
    jsonschema.validate(document, schema("results"))
    assert (document["total"], len(document["measurements"])) == (3, 3)


def test_results_have_the_numbers_of_their_runs(client: TestClient) -> None:
    ours = table_of(client, "/results.csv?metric=throughput")
    for row in ours:
        theirs = table_of(client, f"/runs/{row['run']}.csv?metric=throughput")
        assert {k: text for k, text in row.items() if k not in ("run", "run_name")} in theirs


def test_numbers_of_some_cases_are_those_of_the_whole_run(tmp_path: Path) -> None:
    """They depend on more than their case: on the course of the machine, and on the places of
    simulated code."""
    path = str(tmp_path / "m.db")
    places = [replace(SHA, target=f"{SHA.target}{PLACE}{number}") for number in (1, 2)]
    with Store.open(path, create=True) as store:
        run = store.create_run("one", "", {}, HOST, 1, "0.1.0", [GCM, OTHER, SHA, *places])
        for number in range(40):
            slow = 1.5 if number >= 20 else 1.0
            for case in (GCM, OTHER):
                visit = [
                    (series, Sample(number, level * slow, at=float(number)))
                    for series, level in ((TIME, 500.0 + number % 3), (BESIDE, 90.0 + number % 2))
                ]
                store.add_samples(run, case, visit)
        for level, case in enumerate((SHA, *places)):
            exact = replace(TIME, evidence=Evidence.SIMULATED)
            store.add_samples(run, case, [(exact, Sample(0, 9000.0 + 50 * level))])
        for case in (GCM, OTHER, SHA, *places):
            store.finish_case(run, case)
        store.finish_run(run, "finished")
    queries = ("implementation=nettle", "scheme=sha256", "")
    cold = [
        TestClient(application(Site(path)), base_url=HERE).get(f"/results.json?{query}").json()
        for query in queries
    ]
    client = TestClient(application(Site(path)), base_url=HERE)
    whole = client.get("/runs/1.json?metric=time").json()["measurements"]
    assert any(entry["machine_slower"] for entry in whole)
    assert any(entry["places"] == 3 for entry in whole)
    for query, document in zip(queries, cold, strict=True):
        assert document == client.get(f"/results.json?{query}").json()
        assert document["measurements"]


def test_one_result_has_every_sample(client: TestClient) -> None:
    document = client.get("/runs/1/cases/1.json").json()
    jsonschema.validate(document, schema("result"))
    (entry,) = document["measurements"]
    assert (entry["metric"], len(entry["values"])) == ("time", 12)
    samples = table_of(client, "/runs/1/cases/1.csv")
    assert [float(row["time_ns"]) for row in samples] == entry["values"]
    page = client.get("/runs/1/cases/1").text
    assert page.count("<circle") == 12
    assert "motebench run --scheme aes-128-gcm --implementation openssl" in page
    assert "Core &lt;script&gt;" in page


def test_a_case_that_failed_says_why(client: TestClient) -> None:
    page = client.get("/runs/3").text
    assert "no &lt;script&gt;" in page and "Failures" in page


def test_a_comparison_has_the_verdicts_of_compare(client: TestClient) -> None:
    document = client.get("/compare.json?a=1&b=2").json()
    jsonschema.validate(document, schema("comparison"))
    verdicts = {pair["implementation_a"]: pair["verdict"] for pair in document["comparisons"]}
    assert verdicts["openssl"] == "slower" and verdicts["nettle"] != "slower"
    page = client.get("/compare?a=1&b=2").text
    assert '<span class="verdict bad">slower</span>' in page and "1 slower" in page
    rows = table_of(client, "/compare.csv?a=1&b=2&sort=ratio")
    assert [row["implementation_b"] for row in rows] == ["nettle", "openssl"]


def test_runs_of_different_environments_are_compared_only_if_asked(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with Store.open(path, create=True) as store:
        measured(store, "one", {GCM: 500.0})
        facts = {"host": {**HOST["host"], "cpu_model": "another"}}
        run = store.create_run("two", "", {}, facts, 1, "0.1.0", [GCM])
        series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
        for number in range(12):
            store.add_samples(run, GCM, [(series, Sample(number, 400.0 + number))])
        store.finish_case(run, GCM)
        store.finish_run(run, "finished")
    client = TestClient(application(Site(path)), base_url=HERE)
    refused = client.get("/compare?a=1&b=2")
    assert refused.status_code == 409
    assert "/compare?a=1&amp;b=2&amp;across=yes" in refused.text
    assert "Different environments" in client.get("/compare?a=1&b=2&across=yes").text


def test_many_rows_come_a_page_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    cases = [Case("sha256", f"i{n}", Operation.DIGEST, 16, "host", "x") for n in range(LINES + 1)]
    with Store.open(path, create=True) as store:
        measured(store, "big", dict.fromkeys(cases[:1], 100.0))
        for number in range(ROWS):
            store.create_run(f"n{number}", "", {}, HOST, 1, "0.1.0", [GCM])
    client = TestClient(application(Site(path)), base_url=HERE)
    first = client.get("/").text
    assert "1 to 50 of 51 runs" in first and 'href="/?page=2"' in first
    second = client.get("/?page=2").text
    assert "51 to 51 of 51 runs" in second and "big" in second
    assert "1 case" in client.get("/results").text


def test_a_change_of_the_store_shows_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    with Store.open(path, create=True) as store:
        run = measured(store, "one", {GCM: 500.0})
        client = TestClient(application(Site(path)), base_url=HERE)
        assert "Seen later" not in client.get(f"/runs/{run}").text
        store.add_note(run, "seen later")
        store.set_tags(run, ["new"])
        page = client.get(f"/runs/{run}").text
        assert "Seen later" in page and ">new</a>" in page
        measured(store, "two", {SHA: 100.0})
    assert [row["name"] for row in client.get("/runs.json").json()["rows"]] == ["two", "one"]
    assert len(table_of(client, "/results.csv?scheme=sha256")) == 1


# Stores that cannot be read


def test_a_store_that_is_gone_is_told_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        measured(store, "one", {GCM: 500.0})
    client = TestClient(application(Site(str(path))), base_url=HERE)
    hidden = path.rename(tmp_path / "hidden.db")
    for address in ("/", "/results", "/runs/1", "/runs/1/cases/1", "/compare?a=1&b=2"):
        answer = client.get(address)
        assert (answer.status_code, "there is no store" in answer.text) == (503, True)
    assert client.get("/runs.json").json()["error"]["what"].startswith("there is no store")
    hidden.rename(path)
    assert client.get("/").status_code == 200


def test_a_locked_store_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "_BUSY_SECONDS", 0)
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        measured(store, "one", {GCM: 500.0})
    client = TestClient(application(Site(str(path))), base_url=HERE)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA locking_mode = EXCLUSIVE")
    writer.execute("BEGIN EXCLUSIVE")
    writer.execute("UPDATE runs SET seed = 2")
    answer = client.get("/")
    assert (answer.status_code, "another program is writing" in answer.text) == (503, True)
    writer.rollback()
    writer.close()
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE meta SET value = '99' WHERE key = 'schema'", "schema version 99"),
        ("DROP TABLE samples", "has no table samples"),
        ("UPDATE meta SET value = 'x' WHERE key = 'schema'", "unreadable schema version"),
        ("DROP TABLE meta", "not a motebench store"),
    ],
)
def test_a_newer_or_damaged_store_is_told(tmp_path: Path, damage: str, words: str) -> None:
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        measured(store, "one", {GCM: 500.0})
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    client = TestClient(application(Site(str(path))), base_url=HERE)
    answer = client.get("/")
    assert (answer.status_code, words in answer.text) == (500, True)
    assert "Traceback" not in answer.text


def test_a_file_of_rubbish_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(b"rubbish" * 1000)
    answer = TestClient(application(Site(str(path))), base_url=HERE).get("/")
    assert (answer.status_code, "not a motebench store" in answer.text) == (500, True)


def test_damaged_rows_are_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        measured(store, "one", {GCM: 500.0})
        measured(store, "two", {GCM: 500.0})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET version = x'00' WHERE id = 1")
        connection.execute("UPDATE runs SET settings = '{\"tags\": 7}' WHERE id = 2")
    client = TestClient(application(Site(str(path))), base_url=HERE, raise_server_exceptions=False)
    page = client.get("/").text
    assert "run 1: version" in page and "two" in page
    assert client.get("/runs/1").status_code == 500
    for address in ("/results", "/runs/2", "/?tag=x", "/?q=x", "/compare"):
        assert client.get(address).status_code == 200, address


def test_a_defect_gives_a_page_without_a_traceback(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(runs, "runs", broken)
    answer = client.get("/")
    assert answer.status_code == 500 and "a defect in motebench" in answer.text
    assert "secret words" not in answer.text and "Traceback" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


# Pieces


def test_the_description_of_the_interface_names_every_view(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert described == json.loads(json.dumps(openapi()))
    assert set(described["paths"]) == {view.path for view in VIEWS.values()}
    for view in VIEWS.values():
        assert set(view.parameters) <= set(PARAMETERS)
        assert view.document in described["components"]["schemas"]


def test_files_of_others_are_as_their_packages_have_them() -> None:
    folder = Path(site_app.__file__).parents[1] / "assets"
    entries = tomllib.loads((folder / "vendored.toml").read_text())
    assert entries.keys() == {name for name in FILES if name.endswith(".min.js")}
    for name, entry in entries.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == entry["sha256"]
        assert entry["licence"] and entry["version"]


def test_search_gives_nothing_where_no_target_fits(place: str) -> None:
    with Store.open(place, create=False) as store:
        assert store.runs_page(StoreFilter(targets=()), 0, 10).total == 0
        assert store.case_places(StoreFilter(targets=()), 0, 10) == (0, {})


def test_a_picture_needs_two_samples(client: TestClient) -> None:
    page = client.get("/runs/2/cases/5").text
    assert "<circle" in page and "9.000 µs" in page
