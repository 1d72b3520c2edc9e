"""The explorer as a folder: every link, what is beside the pages, and folders that are not
touched."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import sqlite3
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
from click.testing import CliRunner

from motebench.advise.reference.selection import Selection
from motebench.base.errors import InputError, StoreError
from motebench.base.identity import CaseId
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.cli.app import app
from motebench.documents import schema
from motebench.results.together import result_of
from motebench.show.export import export
from motebench.show.site import SiteQuery
from motebench.show.site import publish as publishing
from motebench.show.site.publish import (
    MARK,
    STORE,
    file_of,
    of_references,
    of_store,
    publish,
)
from motebench.show.site.views import SitePage
from motebench.store import Store
from motebench.store.opening import examine

SCRIPT = "<script>alert(1)</script>"
GCM = Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl")
OTHER = Case("aes-128-gcm", "nettle", Operation.ENCRYPT_MESSAGE, 16, "host", "nettle")
SHA = Case("sha256", "openssl", Operation.DIGEST, 1024, "sim:samd21g18a", "openssl")
HOSTILE = Case(SCRIPT, "\"'><img src=x onerror=alert(2)>", Operation.DIGEST, 16, "host", "x")


def measured(
    store: Store, name: str, levels: dict[Case, float], settings: dict[str, Any] | None = None
) -> int:
    host = {"host": {"cpu_model": f"Core {SCRIPT}"}}
    settings = settings or {"command": "motebench run"}
    run = store.create_run(name, "", settings, host, 1, "0.1.0", levels)
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
    path = str(tmp_path_factory.mktemp("publish") / "m.db")
    with Store.open(path, create=True) as store:
        measured(store, "one", {GCM: 500.0, OTHER: 700.0})
        measured(store, "two", {GCM: 1000.0, OTHER: 700.0, SHA: 9000.0})
        hostile = measured(store, f"three {SCRIPT.replace('/', '')}", {HOSTILE: 100.0})
        store.add_note(hostile, f"a note {SCRIPT}")
        store.set_tags(hostile, ["lab 2"])
        failure = Failure.of_case(SHA.id, FailureKind.ERROR, f"no {SCRIPT}")
        store.add_failure(hostile, failure)
    return path


@pytest.fixture(scope="module")
def site(place: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    publish(folder, of_store(place, []))
    return folder


class _Links(HTMLParser):
    """Elements of a page, and the addresses in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    @property
    def addresses(self) -> list[str]:
        names = ("href", "src", "action")
        return [
            str(attributes[name])
            for _, attributes in self.tags
            for name in names
            if name in attributes
        ]


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_link_is_relative_and_leads_to_a_file(site: Path) -> None:
    followed = 0
    for page in pages(site):
        for address in _Links(page.read_text(encoding="utf-8")).addresses:
            parts = urlsplit(address)
            if address.startswith("https://"):
                continue  # a standard
            assert not parts.scheme and not parts.netloc and not address.startswith("/"), address
            if not parts.path:
                continue  # a place of the same page
            target = (page.parent / unquote(parts.path)).resolve()
            assert target.is_relative_to(site.resolve()) and target.is_file(), (page, address)
            followed += 1
    assert len(pages(site)) > 20 and followed > 500


def test_links_drawn_at_random_lead_to_places_that_are_there(site: Path) -> None:
    """A quick form of the test of a whole site, which a benchmark makes (``published_site.py``)."""
    links = [
        (page, address)
        for page in pages(site)
        for address in _Links(page.read_text(encoding="utf-8")).addresses
        if not address.startswith("https://")
    ]
    anchored = 0
    for page, address in random.Random(1).sample(links, 100):
        parts = urlsplit(address)
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        assert target.is_file(), (page, address)
        if parts.fragment:
            tags = _Links(target.read_text(encoding="utf-8")).tags
            assert parts.fragment in [attributes.get("id") for _, attributes in tags], address
            anchored += 1
    assert anchored


def test_runs_without_a_target_in_common_are_not_read_to_compare_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "m.db")
    on_avr = replace(SHA, target="sim:atmega328p")
    with Store.open(path, create=True) as store:
        for name, case in (("arm", SHA), ("avr", on_avr), ("again", SHA)):
            measured(store, name, {case: 9000.0})
    compared: list[str] = []
    make = publishing.MAKERS["compare"]

    def noted(site: object, at: object, query: SiteQuery) -> SitePage:
        compared.append("-".join(query.values.values()))
        return make(site, at, query)  # type: ignore[arg-type]

    monkeypatch.setitem(publishing.MAKERS, "compare", noted)
    publish(tmp_path / "site", of_store(path, []))
    assert compared == ["", "1-3"]
    assert (tmp_path / "site" / "compare" / "1-3.html").is_file()


def test_no_page_of_cases_reads_the_cases_of_its_run_again(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    cases_of = Store.cases_of

    def counted(store: Store, run_id: int) -> dict[int, CaseId]:
        read.append(run_id)
        return cases_of(store, run_id)

    monkeypatch.setattr(Store, "cases_of", counted)
    publish(tmp_path / "site", of_store(place, ["two"]))
    assert len(read) <= 3


def test_every_page_can_be_reached(site: Path) -> None:
    reached, left = set(), [site / "index.html"]
    while left:
        page = left.pop()
        if page in reached:
            continue
        reached.add(page)
        for address in _Links(page.read_text(encoding="utf-8")).addresses:
            path = (page.parent / unquote(urlsplit(address).path)).resolve()
            if path.suffix == ".html":
                left.append(path)
    # Pages of two runs are reached by the script, which knows the pairs; the page of a case without
    # a metric has the address of a server.
    apart = {
        page.resolve()
        for page in pages(site)
        if page.parent.name in ("compare", "diff") or page.stem.isdecimal()
    }
    assert {page.resolve() for page in pages(site)} - {page.resolve() for page in reached} <= apart
    assert "[1,2]" in (site / "data" / "index.js").read_text()


def test_pages_run_only_files_of_their_own(site: Path) -> None:
    assert len(list(pages(site))) > 5
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        assert SCRIPT not in text and "<img" not in text and "hx-" not in text
        tags = _Links(text).tags
        policies = [
            str(attributes["content"])
            for tag, attributes in tags
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        assert len(policies) == 1 and "unsafe" not in policies[0]
        assert "default-src 'none'" in policies[0]
        for tag, attributes in tags:
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            assert tag != "style"
            if tag == "script":
                assert attributes["src"]


def test_data_for_the_script_are_scripts_that_hold_nothing_else(site: Path) -> None:
    names = sorted(path.name for path in (site / "data").iterdir())
    assert names == ["index.js", "run-1.js", "run-2.js", "run-3.js"]
    for name in names:
        text = (site / "data" / name).read_text(encoding="utf-8")
        assert text.startswith('"use strict";\nmotebenchData(') and text.endswith(");\n")
        assert "<" not in text and "\u2028" not in text
        content = text.partition("(")[2].rpartition(")")[0]
        json.loads(f"[{content}]")


def test_names_of_files_are_plain(site: Path) -> None:
    names = [path.relative_to(site).as_posix() for path in site.rglob("*")]
    assert len(names) > 10
    assert [name for name in names if not re.fullmatch(r"[A-Za-z0-9./_-]+", name)] == []


def test_numbers_beside_the_pages_are_those_of_export(site: Path) -> None:
    with Store.open(site / STORE, create=False) as store:
        assert [info.name for info in store.runs()][:2] == ["one", "two"]
        result = result_of(store, "2", samples=False)
    for form in ("json", "csv"):
        assert (site / "runs" / f"2.{form}").read_text(encoding="utf-8") == export(result, form)
    jsonschema.validate(json.loads((site / "runs.json").read_text()), schema("list"))
    rows = list(csv.DictReader(io.StringIO((site / "results.csv").read_text())))
    times = [(row["run"], float(row["median"])) for row in rows if row["metric"] == "time"]
    assert sorted(times)[:2] == [("1", 500.75), ("1", 701.05)]
    assert examine(str(site / STORE)).findings == []
    assert sorted(path.name for path in site.glob("store*")) == [STORE]


def test_pages_are_those_of_a_server(site: Path) -> None:
    page = (site / "runs" / "2" / "4-time.html").read_text(encoding="utf-8")
    assert page.count("<circle") == 12 and "All metrics of this case" in page
    verdicts = (site / "compare" / "1-2.html").read_text(encoding="utf-8")
    assert '<span class="verdict bad">slower</span>' in verdicts


# The folder


def test_a_site_is_replaced_as_a_whole(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(folder, of_store(place, []))
    (folder / "old.txt").write_text("left over")
    publish(folder, of_store(place, ["one"]))
    assert not (folder / "old.txt").exists() and not (folder / "runs" / "2.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert oct(folder.stat().st_mode & 0o700) == "0o700" and (folder / MARK).is_file()


def test_an_empty_folder_becomes_a_site(place: str, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    done = publish(tmp_path / "site", of_store(place, ["one"]))
    files = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert (done.files, done.size) == (len(files), sum(path.stat().st_size for path in files))
    assert done.pages == len(pages(tmp_path / "site"))


def test_a_folder_of_others_stays_as_it_is(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "thesis.tex").write_text("months of work")
    file = tmp_path / "file"
    file.write_text("a file")
    link = tmp_path / "link"
    link.symlink_to(folder)
    for path in (folder, file, link, tmp_path / "no" / "site"):
        with pytest.raises(InputError) as caught:
            publish(path, of_store(place, []))
        assert caught.value.where == "DIR"
    assert (folder / "thesis.tex").read_text() == "months of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link", "papers"]


def test_what_fails_leaves_the_site_before_it(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    publish(folder, of_store(place, ["one"]))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for fill in (of_store(place, ["nothing"]), of_store(str(tmp_path / "none.db"), [])):
        with pytest.raises((InputError, StoreError)):
            publish(folder, fill)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publishing._Writer, "_script", full)
    with pytest.raises(InputError, match="No space left"):
        publish(folder, of_store(place, []))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_store_without_runs_is_not_published(tmp_path: Path) -> None:
    Store.open(tmp_path / "m.db", create=True).close()
    with pytest.raises(InputError, match="has no run"):
        publish(tmp_path / "site", of_store(str(tmp_path / "m.db"), []))


# Names


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/", "index.html"),
        ("/?page=2", "index-2.html"),
        ("/?page=1", "index.html"),
        ("/?tag=lab+2", "index.html?tag=lab+2"),
        ("/runs?format=csv", "runs.csv"),
        ("/results?scheme=a*", "results.html?scheme=a%2A"),
        ("/results?format=csv", "results.csv"),
        ("/results?format=json", None),
        ("/runs/3", "runs/3.html"),
        ("/runs/3?page=2", "runs/3-2.html"),
        ("/runs/3?format=json&page=2", "runs/3.json"),
        ("/runs/3/cases/7?metric=time", "runs/3/7-time.html"),
        ("/runs/3/cases/7?metric=time&format=svg", "runs/3/7-time.svg"),
        ("/runs/3/cases/7?metric=../../x", "runs/3/7.html"),
        ("/runs/../../etc/passwd", None),
        ("/runs/%2e%2e", None),
        ("/runs/name", None),
        ("/compare?a=1&b=2", "compare/1-2.html"),
        ("/compare?a=1&b=x", "compare.html?a=1&b=x"),
        ("/compare?a=1", "compare.html?a=1"),
        ("/map", "map.html"),
        ("/changes", "changes.html"),
        ("/changes?from=2026-03-01", "changes.html?from=2026-03-01"),
        ("/changes?format=csv", "changes.csv"),
        ("/map?metric=cycles", "map.html?metric=cycles"),
        ("/history", "history.html"),
        ("/history?case=1&metric=../x", "history/1.html"),
        ("/history?case=../x", "history.html?case=..%2Fx"),
        ("/api", None),
        ("/runs/3?format=js", "runs/3.js"),
        ("/static/page.css", "static/page.css"),
        ("/static/../app.py", None),
        ("/static/htmx.min.js.map", None),
    ],
)
def test_names_of_addresses(address: str, file: str | None) -> None:
    assert file_of(address) == file


# Reference results and the command


def test_a_large_run_has_one_page_and_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "MOST_CASES", 2)
    many = {replace(SHA, input_bytes=16 * number): 9.0 * number for number in range(1, 81)}
    path = str(tmp_path / "m.db")
    with Store.open(path, create=True) as store:
        measured(store, "large", many)
    publish(tmp_path / "site", of_store(path, []))
    names = sorted(file.name for file in (tmp_path / "site" / "runs").rglob("*"))
    assert names == ["1.csv", "1.html", "1.js"]
    text = (tmp_path / "site" / "runs" / "1.html").read_text("utf-8")
    assert "This run is large" in text
    assert 'data-run="1" action="../results.html"' in text
    assert "/runs/1/cases/" not in text and 'href="1/' not in text
    charts = (tmp_path / "site" / "runs" / "1.js").read_text("utf-8")
    assert charts.endswith("delete window.motebenchPage.site.cases;\n")
    assert ">JSON</a>" not in text
    data = (tmp_path / "site" / "data" / "run-1.js").read_text("utf-8")
    packed = json.loads(data.partition("motebenchData(1, ")[2].removesuffix(");\n"))
    assert len(packed["lines"]) > 80
    assert packed["texts"].count("sha256") == 1


def test_a_case_of_several_runs_has_a_history(site: Path) -> None:
    page = (site / "history" / "3.html").read_text("utf-8")
    assert "aes-128-gcm" in page
    assert page.count('<td class="when">') == 2
    for result in ("runs/1/1-time.html", "runs/2/3-time.html"):
        assert 'href="../../history/3.html"' in (site / result).read_text("utf-8")
    assert not (site / "history" / "5.html").exists()  # one run alone has it


def test_reference_results_are_a_site(tmp_path: Path) -> None:
    selection = Selection(
        ["sim:samd21g18a", "sim:atmega328p"], ["mote/*", "mote/*@O2"], ["ascon-aead128"]
    )
    publish(tmp_path / "site", of_references(selection))
    with Store.open(tmp_path / "site" / STORE, create=False) as store:
        names = [info.name for info in store.runs()]
        run = store.load_run(names[0], whole=True)
    assert len(names) == 2 and run.results
    stored = {
        (result.case.implementation, result.case.operation, result.case.input_bytes): {
            series.metric: series.samples[0].raw for series in result.series
        }
        for result in run.results
    }
    target = run.results[0].case.target
    for name, entry in selection.of(selection.references()):
        if name == target and entry.values and entry.operation:
            key = (entry.implementation, entry.operation, entry.input_bytes)
            assert stored[key] == entry.values
    page = (tmp_path / "site" / "runs" / "1.html").read_text(encoding="utf-8")
    assert "reference results: " in page and "simulated" in page
    assert "this run did not record it" not in page
    pages = [path.read_text("utf-8") for path in (tmp_path / "site" / "runs").glob("*.html")]
    for built in ("Built by arm-none-eabi-gcc .* with -Os, functions at", "-O2, .*mote/ascon@O2"):
        assert any(re.search(built, text) for text in pages), built
    assert any(
        "Secrets followed bit by bit on sim:samd21g18a (reference results): mote/ascon" in text
        for text in pages
    )


def test_a_folder_of_a_collection_has_a_command_of_its_own(tmp_path: Path) -> None:
    place = str(tmp_path / "collected.db")
    call = "motebench collection mine.toml --from tree --only 'a/*,b/*' --target=sim:x -q --again"
    own = Case("code-a", "code/ref", Operation.DIGEST, 16, "sim:samd21g18a+place=2", "code/ref")
    with Store.open(place, create=True) as store:
        measured(store, "a", {own: 1.0}, {"command": call, "collection": {"folder": "src/a [1]"}})
    publish(tmp_path / "site", of_store(place, []))
    only = "--only 'src/a [[]1]' --target sim:samd21g18a --again"
    texts = [page.read_text("utf-8") for page in (tmp_path / "site" / "runs" / "1").glob("*.html")]
    assert texts
    for text in texts:
        assert f"<code>motebench collection mine.toml --from tree {only}</code>" in unescape(text)


def test_the_command(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    line = ["publish", str(folder), "--store", place, "--run", "one"]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 0 and "pages" in done.output and (folder / "index.html").is_file()
    with sqlite3.connect(folder / STORE) as raw:
        assert raw.execute("SELECT name FROM runs").fetchall() == [("one",)]
    raw.close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--reference", "--run", "one"], "no effect on --reference"),
        (["--reference", "--store", "x.db"], "no effect on --reference"),
        (["--scheme", "aes*"], "needs --reference"),
        (["--reference", "--target", "nope"], "no reference results"),
        (["--reference", "--scheme", "nope"], "no reference result"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, options: list[str], words: str) -> None:
    done = CliRunner().invoke(app, ["publish", str(tmp_path / "site"), *options])
    assert isinstance(done.exception, InputError) and words in str(done.exception)
    assert not (tmp_path / "site").exists()
