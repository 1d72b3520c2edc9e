"""Views of the explorer over many runs: differences, histories, maps, trade-offs."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
import site_store
from click.testing import CliRunner
from starlette.testclient import TestClient

from motebench.cli.commands import choose
from motebench.cli.commands.serve import OptionsChooser
from motebench.documents import schema
from motebench.results.comparison import compare_stored, document
from motebench.results.selection import ResultFilter
from motebench.show.site.app import application
from motebench.show.site.views import Site
from motebench.show.site.views import across as views_of_many_runs
from motebench.show.site.views import comparison as views_of_comparisons
from motebench.show.site.views import runs as views_of_runs
from motebench.show.site.views.comparison import KINDS
from motebench.store import Store

HERE = "http://127.0.0.1:8642"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(site_store.make(tmp_path_factory.mktemp("views") / "m.db"))


@pytest.fixture(scope="module")
def client(place: str) -> TestClient:
    return TestClient(application(Site(place)), base_url=HERE)


def table_of(client: TestClient, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text)))


class _Rows(HTMLParser):
    """Texts of the cells of each row of the tables of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data


# The difference of two runs


def test_a_difference_has_kinds_with_the_largest_change_first(client: TestClient) -> None:
    page = client.get("/diff?a=1&b=12").text
    assert "From month-01 to month-12" in page
    assert "2 slower, 1 faster" in page and "1 bigger, 0 smaller" in page
    rows = [row for row in _Rows(page).rows if row and row[0].startswith(("ascon", "aes"))]
    assert [(row[0].split()[0], row[1].removesuffix("simulated"), row[5]) for row in rows] == [
        ("aes-128-gcm", "time", "slower"),
        ("ascon-aead128", "cycles", "slower"),
        ("ascon-aead128", "cycles", "faster"),
        ("ascon-aead128", "flash added", "larger"),
    ]
    assert "gcc 12.2" in page and "gcc 13.2" in page


def test_the_files_of_a_difference_are_those_of_compare(client: TestClient, place: str) -> None:
    metrics = tuple(name for kind in KINDS for name in kind.metrics)
    comparison = compare_stored(
        ("1", "12"),
        run="latest",
        stores=(place, place),
        selection=ResultFilter(metrics=metrics),
        margin=None,
        across=False,
    )
    entry = client.get("/diff.json?a=1&b=12").json()
    jsonschema.validate(entry, schema("comparison"))
    verdicts = [(pair.metric, pair.verdict) for pair in document(comparison).comparisons]
    assert [(pair["metric"], pair["verdict"]) for pair in entry["comparisons"]] == verdicts
    rows = table_of(client, "/diff.csv?a=1&b=12")
    assert [(row["metric"], row["verdict"]) for row in rows] == verdicts
    assert len(verdicts) == 21


def test_a_difference_as_one_file_loads_nothing(client: TestClient) -> None:
    answer = client.get("/diff.file?a=1&b=12")
    assert answer.headers["content-disposition"] == 'attachment; filename="motebench.html"'
    text = answer.text
    assert "From month-01 to month-12" in text and "<style>" in text
    assert not any(part in text for part in ("<link", "<form", '<a href="/', "src="))
    assert "Content-Security-Policy" in text


def test_runs_without_a_change_have_no_tables(client: TestClient) -> None:
    page = client.get("/diff?a=1&b=6").text
    assert "0 slower, 0 faster" in page and "<table" not in page


@pytest.mark.parametrize("address", ["/diff", "/diff?a=1"])
def test_a_difference_without_sides_is_a_form(client: TestClient, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 200 and '<input name="b"' in page.text
    answer = client.get(address, params={**dict.fromkeys(["a"], "1"), "format": "json"})
    assert answer.status_code == 400
    assert json.loads(answer.text)["error"]["what"] == "a comparison needs two sides"


# The history of a case


def history_of(client: TestClient, query: str) -> list[dict[str, str]]:
    return table_of(client, f"/history.csv?{query}")


ASCON = "scheme=ascon-aead128&implementation=mote/ascon&target=sim:samd21g18a"


def test_a_history_has_the_medians_of_its_runs_and_its_change_point(client: TestClient) -> None:
    rows = history_of(client, f"{ASCON}&metric=cycles")
    assert len(rows) == site_store.MONTHS
    expected = [12000.0] * 8 + [13200.0] * 4
    assert [float(row["median"]) for row in reversed(rows)] == expected
    assert [row["run"] for row in rows if row["new_level"] == "True"] == ["9"]
    assert {row["compiler"] for row in rows[:4]} == {"gcc 13.2"}
    assert rows[0]["started"].startswith("2026-12-15")
    page = client.get(f"/history?{ASCON}&metric=cycles").text
    assert page.count("change point</span>") == 1 and "+10 %" in page
    assert "compiler gcc 13.2" in page and page.count('<a href="/runs/') >= 2 * len(rows)


def test_a_history_of_noisy_times_finds_the_level_and_no_other(client: TestClient) -> None:
    rows = history_of(client, "scheme=aes-128-gcm&implementation=openssl&metric=time")
    assert [row["run"] for row in rows if row["new_level"] == "True"] == ["9"]


def test_few_noisy_runs_show_no_change_point(client: TestClient) -> None:
    few = "scheme=aes-128-gcm&implementation=openssl&metric=time&since=2026-07-01"
    rows = history_of(client, few)
    assert len(rows) == 6 and not any(row["new_level"] == "True" for row in rows)
    assert "Fewer than 8 runs show no change point" in client.get(f"/history?{few}").text


def test_a_history_is_grouped_by_version_and_compiler(client: TestClient) -> None:
    page = client.get(f"/history?{ASCON}&metric=cycles").text
    table = page[page.index("By version and compiler") : page.index("Runs, the newest first")]
    rows = [[" ".join(cell.split()) for cell in row] for row in _Rows(table).rows[1:]]
    assert [row[1:5] for row in rows] == [
        ["gcc 12.2", "8", "2026-01-15 to 2026-08-15", "12.00 kcycles"],
        ["gcc 13.2", "4", "2026-09-15 to 2026-12-15", "13.20 kcycles"],
    ]


def test_a_history_by_the_number_of_a_case_is_the_same(client: TestClient) -> None:
    number = client.get(f"/results.json?{ASCON}&metric=cycles").json()["measurements"]
    assert len(number) == site_store.MONTHS
    link = next(
        part for part in client.get("/runs/3/cases/13").text.split('"') if "/history?case=" in part
    )
    assert link.startswith("/history?case=13")
    ours = history_of(client, "case=13&metric=cycles")
    assert ours == history_of(client, f"{ASCON}&metric=cycles")


def test_several_cases_are_offered_for_a_history(client: TestClient) -> None:
    page = client.get("/history?scheme=ascon-aead128").text
    assert "Choose a case" in page and page.count('<li><a href="/history?') == 3
    error = client.get("/history.json?scheme=ascon-aead128").json()["error"]
    assert error["what"] == "3 cases fit"
    assert client.get("/history.json?scheme=nothing").status_code == 404
    assert "No measured case fits" in client.get("/history?scheme=nothing").text


def test_the_picture_of_a_history_is_a_file(client: TestClient) -> None:
    answer = client.get(f"/history.svg?{ASCON}&metric=cycles")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    root = ElementTree.fromstring(answer.text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert answer.text.count('class="mark') == site_store.MONTHS
    assert "<a " not in answer.text and "style" not in answer.text


@pytest.mark.parametrize(
    ("query", "status"), [("case=999999", 404), ("case=x", 404), ("metric=speed&case=1", 400)]
)
def test_a_history_that_is_not_there_is_told(client: TestClient, query: str, status: int) -> None:
    assert client.get(f"/history?{query}").status_code == status


def test_a_simulated_number_says_how_well_its_simulator_is_proven(client: TestClient) -> None:
    page = client.get("/runs/3/cases/13").text
    assert "within 0.08 % (median) of times published of an Arduino MKR Zero" in page
    assert "docs/evidence/simulators.md, SAMD21" in page


# The map of devices and schemes


def test_a_cell_of_the_map_has_the_best_of_the_newest_results(client: TestClient) -> None:
    rows = table_of(client, "/map.csv?metric=cycles")
    assert [
        (row["scheme"], row["target"], row["implementation"], row["median"]) for row in rows
    ] == [
        ("aes-128-ccm", "sim:samd21g18a", "mote/ccm", "31000.0"),
        ("aes-128-gcm", "sim:samd21g18a", "mote/gcm", "30000.0"),
        ("ascon-aead128", "sim:atmega328p", "mote/ascon", "90000.0"),
        ("ascon-aead128", "sim:samd21g18a", "mote/bi32", "8000.0"),
    ]
    assert {row["run"] for row in rows} == {"12"}


def test_each_number_of_the_map_links_to_its_result(client: TestClient) -> None:
    page = client.get("/map?metric=cycles").text
    cells = re.findall(r'<td class="h(\d)"><a href="([^"]+)">([^<]+)</a>', page)
    assert [text for _, _, text in cells] == ["31,000", "30,000", "90,000", "8,000"]
    for _, link, text in cells:
        median = client.get(link.replace("?", ".json?")).json()["measurements"][0]["median"]
        assert f"{median:,.0f}" == text
    assert [level for level, _, _ in cells] == ["3", "3", "5", "0"]


def test_the_map_of_cycles_per_byte_divides_by_the_input(client: TestClient) -> None:
    rows = table_of(client, "/map.csv?metric=cycles_per_byte&scheme=ascon*")
    assert [float(row["per_byte"]) for row in rows] == [90000 / 64, 8000 / 64]
    assert "Cycles per byte" in client.get("/map?metric=cycles_per_byte").text
    document = client.get("/map.json?metric=cycles_per_byte").json()
    jsonschema.validate(document, schema("results"))
    assert document["total"] == 4


def test_the_map_is_a_picture_with_the_same_numbers(client: TestClient) -> None:
    text = client.get("/map.svg?metric=cycles").text
    ElementTree.fromstring(text)
    assert [number in text for number in ("31,000", "30,000", "90,000", "8,000")] == [True] * 4


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("metric=energy", 200, "No result of this metric fits"),
        ("metric=speed", 400, "is not one metric"),
        ("metric=cycles&scheme=nothing", 200, "No result of this metric fits"),
        ("metric=time&device=atmega328p", 200, "No result of this metric fits"),
    ],
)
def test_a_map_without_results_says_so(
    client: TestClient, query: str, status: int, words: str
) -> None:
    answer = client.get(f"/map?{query}")
    assert (answer.status_code, words in answer.text) == (status, True)


# Speed against memory


def test_the_front_of_a_trade_off_is_what_nothing_beats(client: TestClient) -> None:
    rows = table_of(client, "/tradeoff.csv")
    speeds = [row for row in rows if row["metric"] == "cycles"]
    assert [(row["implementation"], row["front"]) for row in speeds] == [
        ("mote/bi32", "True"),
        ("mote/ascon", "True"),
        ("mote/gcm", "False"),
        ("mote/ccm", "False"),
    ]
    metrics = {row["metric"] for row in rows}
    assert metrics == {"cycles", "flash_net", "static_ram_net", "stack"}
    assert {row["target"] for row in rows} == {"sim:samd21g18a"}
    jsonschema.validate(client.get("/tradeoff.json").json(), schema("results"))


def test_a_trade_off_has_a_mark_and_a_row_for_each_implementation(client: TestClient) -> None:
    page = client.get("/tradeoff?memory=stack").text
    assert page.count('class="mark') == 4 and page.count("hollow") == 2
    names = [row[1] for row in _Rows(page).rows[1:]]
    assert names == ["mote/bi32", "mote/ascon", "mote/gcm", "mote/ccm"]
    ElementTree.fromstring(client.get("/tradeoff.svg?memory=stack").text)


def test_a_target_without_sizes_has_speeds_alone(client: TestClient) -> None:
    page = client.get("/tradeoff?target=host")
    assert page.status_code == 200 and "openssl" in page.text and "<figure" not in page.text
    assert client.get("/tradeoff.svg?target=host").status_code == 404
    assert client.get("/tradeoff?memory=time").status_code == 400
    assert "No result fits" in client.get("/tradeoff?target=nothing").text


def test_a_table_of_many_points_has_the_front_and_the_fastest(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = client.get("/tradeoff").text
    assert "left out of the table" not in whole
    monkeypatch.setattr(views_of_many_runs, "MOST_POINTS", 1)
    page = client.get("/tradeoff").text
    front = whole.count(">front</span>")
    rows = [row for row in _Rows(page).rows if row and row[0].startswith(("ascon", "aes"))]
    assert front == page.count(">front</span>") == len(rows)
    assert "left out of the table" in page
    assert client.get("/tradeoff.csv").text.count("\n") > 4 * len(rows)


# All views


@pytest.mark.parametrize(
    "address", ["/diff?a=1&b=12", "/history?case=13", "/map", "/map?metric=cycles", "/tradeoff"]
)
def test_a_view_is_small_and_asks_for_nothing_else(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200 and len(answer.content) < 300_000
    scripts = re.findall(r"<script([^>]*)>", answer.text)
    assert len(scripts) == 4 and all(" src=" in attributes for attributes in scripts)
    assert " style=" not in answer.text and " onclick" not in answer.text


def test_a_store_without_runs_has_every_view(tmp_path: Path) -> None:
    with Store.open(tmp_path / "m.db", create=True):
        pass
    client = TestClient(application(Site(str(tmp_path / "m.db"))), base_url=HERE)
    for address in ("/diff", "/changes", "/history", "/map", "/tradeoff"):
        assert client.get(address).status_code == 200, address


# The form of choose


@pytest.fixture(scope="module")
def choosing(place: str) -> TestClient:
    return TestClient(application(Site(place, OptionsChooser(place))), base_url=HERE)


NOT_ASKED = ("details", "show", "form", "report", "force", "store", "own", "as_json")
QUESTION = "device=samd21g18a&message=64&every=10min&battery=cr2032&scheme=ascon*,aes-128-gcm"


def test_a_field_for_each_option_that_asks(choosing: TestClient) -> None:
    page = choosing.get("/choose").text
    names = set(re.findall(r'<(?:input|select)[^>]* name="([^"]+)"', page))
    options = {
        option.opts[0].removeprefix("--")
        for option in choose.command.params
        if option.name
        not in ("details", "show", "form", "report", "force", "store", "own", "as_json")
    }
    assert names == options and len(names) > 30
    described = choosing.get("/openapi.json").json()["paths"]["/choose"]["get"]["parameters"]
    assert {entry["name"] for entry in described} == {*options, "format"}
    assert {entry["description"] for entry in described} > {"A device of the catalog."}


def test_the_table_of_an_answer_has_no_empty_column(choosing: TestClient) -> None:
    page = choosing.get("/choose?device=samd21g18a&message=64&scheme=aes-128-gcm").text
    heads = next(row for row in _Rows(page).rows if row)
    assert "Latency" in heads and "Life years" not in heads


def test_the_answers_of_the_form_are_those_of_the_command(choosing: TestClient) -> None:
    words = ["--device", "samd21g18a", "--message", "64", "--every", "10min", "--battery", "cr2032"]
    words += ["--scheme", "ascon*", "--scheme", "aes-128-gcm"]
    printed = CliRunner().invoke(choose.command, [*words, "--json"], catch_exceptions=False)
    document = choosing.get(f"/choose.json?{QUESTION}").json()
    assert document == json.loads(printed.stdout)
    jsonschema.validate(document, schema("choice"))
    assert len(document["candidates"]) > 2
    rows = table_of(choosing, f"/choose.csv?{QUESTION}")
    assert [(row["scheme"], row["implementation"]) for row in rows] == [
        (entry["scheme"], entry["implementation"]) for entry in document["candidates"]
    ]
    page = choosing.get(f"/choose?{QUESTION}").text
    table = [row for row in _Rows(page).rows if row]
    assert {"Rank", "Scheme", "Life years", "Latency", "Flash", "RAM"} <= set(table[0])
    first = dict(zip(table[0], table[1], strict=True))
    assert re.fullmatch(r"[\d.]+ (\u00b5s|ms)", first["Latency"])
    assert re.fullmatch(r"[\d,]+ B", first["Flash"])
    assert first["Sent"] == f"{rows[0]['sent_bytes']} B"
    assert [row[2] for row in table[1:]] == [row["scheme"] for row in rows[:20]]
    markdown = choosing.get(f"/choose.md?{QUESTION}")
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert markdown.text.startswith("# Decision: ")


def test_a_connection_has_its_own_document(choosing: TestClient) -> None:
    question = "device=nrf52840&message=40&every=30min&need=connection&link=thread"
    document = choosing.get(f"/choose.json?{question}").json()
    jsonschema.validate(document, schema("connection"))
    rows = table_of(choosing, f"/choose.csv?{question}")
    assert [row["id"] for row in rows] == [way["id"] for way in document["ways"]]
    assert len(rows) > 1


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("device=nothing&message=64", "device", "unknown device"),
        ("device=samd21g18a&message=many", "message", "is not a size"),
        ("device=samd21g18a&message=64&battery=--help", "battery", "unknown battery"),
        ("device=samd21g18a&message=64&dr=3", "dr", "needs --lorawan"),
        ("device=samd21g18a&message=64&need=nothing", "need", "nothing"),
        ("device=samd21g18a", "message", "must be given"),
        ("message=64", "device", "Missing option"),
        ("device=samd21g18a&message=64&fragment=maybe", "fragment", "is not yes"),
    ],
)
def test_what_cannot_be_asked_is_told_beside_the_form(
    choosing: TestClient, query: str, field: str, words: str
) -> None:
    answer = choosing.get(f"/choose?{query}")
    assert answer.status_code == 400
    problem = answer.text[answer.text.index('role="alert"') :]
    assert words in problem and f"<b>{field}</b>" in problem
    assert f'name="{field}"' in answer.text
    error = choosing.get(f"/choose.json?{query}").json()["error"]
    assert words in error["what"] and f"--{field}" in (error["where"] or error["what"])


@pytest.mark.parametrize("name", ["catalog", "report", "store", "json", "details"])
def test_options_that_name_files_are_no_parameters(choosing: TestClient, name: str) -> None:
    answer = choosing.get(f"/choose?device=samd21g18a&message=64&{name}=/etc/passwd")
    assert answer.status_code == 400 and "unknown parameter" in answer.text


def test_the_form_alone_asks_nothing(choosing: TestClient, client: TestClient) -> None:
    assert choosing.get("/choose").status_code == 200
    assert choosing.get("/choose.json").status_code == 400
    assert client.get("/choose").status_code == 404
    assert 'href="/choose"' not in client.get("/").text


def test_an_answer_of_today_is_kept(choosing: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = choosing.get(f"/choose.md?{QUESTION}").text

    def broken(*_: object) -> None:
        raise AssertionError("asked again")

    monkeypatch.setattr(choose, "message_choice", broken)
    assert choosing.get(f"/choose.md?{QUESTION}").text == first


# Results by their value


@pytest.mark.parametrize(
    ("query", "implementations"),
    [
        ("metric=cycles&sort=least&target=sim:*", ["bi32", "ascon", "gcm", "ccm", "ascon"]),
        ("metric=cycles&sort=most", ["ascon", "ccm", "gcm", "ascon", "bi32"]),
        ("metric=cycles&below=13200", ["bi32", "ascon"]),
        ("metric=cycles&above=30000&below=50000", ["gcm", "ccm"]),
        ("metric=flash_net&below=3%20KiB", ["ascon", "ascon"]),
        ("metric=flash_net&below=2.2kB", ["ascon"]),
        ("below=1us", ["openssl"]),
        ("below=0.0001%20ms", []),
        ("below=200us", ["openssl", "bi32"]),
        ("above=5ms", ["ascon"]),
        ("sort=least&until=2026-06-30&below=0.55us", ["openssl"]),
        ("metric=stack&sort=most&page=2", []),
    ],
)
def test_results_are_chosen_and_ordered_by_their_value(
    client: TestClient, query: str, implementations: list[str]
) -> None:
    rows = table_of(client, f"/results.csv?{query}")
    assert [row["implementation"].rpartition("/")[2] for row in rows] == implementations
    page = client.get(f"/results?{query}").text
    assert "The newest result of each case that has nothing beside its input" in page
    all_pages = query.replace("&page=2", "")
    total = client.get(f"/results.json?{all_pages}").json()["total"]
    assert total == len(table_of(client, f"/results.csv?{all_pages}"))


def test_cycles_below_a_time_lead_to_their_result(client: TestClient) -> None:
    page = client.get("/results?below=200us&target=sim:*").text
    assert "8.00 kcycles" in page and "<small>166.7 µs</small>" in page
    (link,) = re.findall(r'<th scope="row"><a href="([^"]+)"', page)
    assert link.endswith("?metric=cycles") and client.get(link).status_code == 200


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("below=fast", "not a quantity"),
        ("below=2KiB", "no limit of time"),
        ("metric=flash_net&above=1ms", "no limit of"),
        ("sort=first", "least, most"),
    ],
)
def test_limits_that_are_none_of_a_metric(client: TestClient, query: str, words: str) -> None:
    answer = client.get(f"/results?{query}")
    assert answer.status_code == 400 and words in answer.text


def test_too_many_results_are_not_ordered(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views_of_runs, "MOST_VALUED", 3)
    answer = client.get("/results?metric=cycles&sort=least")
    assert answer.status_code == 400 and "up to 3 cases" in answer.text
    assert client.get("/results?metric=cycles&sort=least&scheme=aes*").status_code == 200


# The changes of a period

SEPTEMBER = "from=2026-09-01&to=2026-09-30"


def test_changes_of_a_period_begin_with_the_largest(client: TestClient) -> None:
    page = client.get(f"/changes?{SEPTEMBER}").text
    assert "Changes from 2026-09-01 to 2026-09-30" in page
    assert "2 slower, 1 faster" in page and "1 bigger, 0 smaller" in page
    rows = [row for row in _Rows(page).rows if row and row[0].startswith(("ascon", "aes"))]
    assert [(row[0].split()[0], row[5]) for row in rows] == [
        ("aes-128-gcm", "slower"),
        ("ascon-aead128", "slower"),
        ("ascon-aead128", "faster"),
        ("ascon-aead128", "larger"),
    ]
    assert rows[1][6] == "compiler gcc 12.2 → gcc 13.2"
    assert 'href="/history?case=49&amp;metric=cycles"' in page


def test_too_many_changes_are_counted_by_board_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("motebench.show.site.views.comparison.MOST_COMPARED", 1)
    entry = client.get(f"/changes.json?{SEPTEMBER}").json()
    jsonschema.validate(entry, schema("changes"))
    assert entry["changes"] == []
    cases = {part["target"]: part["cases"] for part in entry["too_many"]}
    assert cases[site_store.SAMD] > 1
    page = client.get(f"/changes?{SEPTEMBER}").text
    assert "Too many cases to compare at once" in page
    assert "No case that fits" not in page
    assert "/changes?from=2026-09-01&amp;to=2026-09-30&amp;target=sim:samd21g18a" in page


def test_changes_are_counted_by_board_and_by_implementation(client: TestClient) -> None:
    entry = client.get(f"/changes.json?{SEPTEMBER}").json()
    jsonschema.validate(entry, schema("changes"))
    numbers = {
        (part["kind"], part["name"]): (part["worse"], part["better"], part["same"])
        for name in ("by_target", "by_implementation")
        for part in entry[name]
    }
    assert numbers["Speed", site_store.SAMD] == (1, 1, 2)
    assert numbers["Memory", site_store.SAMD] == (1, 0, 11)
    assert numbers["Speed", site_store.AVR] == (0, 0, 1)
    assert numbers["Speed", "host"] == (1, 0, 0)
    assert numbers["Speed", "mote/ascon 1.2"] == (1, 0, 0)
    page = client.get(f"/changes?{SEPTEMBER}").text
    rows = [row for row in _Rows(page).rows if row and row[0] == site_store.SAMD]
    assert rows[0][1:] == ["Speed", "1 slower", "1 faster", "2 same"]
    assert "/changes?from=2026-09-01&amp;to=2026-09-30&amp;target=sim:samd21g18a" in page


def test_verdicts_of_changes_are_those_of_compare(client: TestClient) -> None:
    """Both runs of the store that the period parts are compared by `compare`, too."""
    compared = client.get("/diff.json?a=8&b=9").json()["comparisons"]
    entry = client.get(f"/changes.json?{SEPTEMBER}").json()

    def verdicts(pairs: list[dict[str, object]]) -> dict[object, object]:
        names = ("target", "implementation_b", "metric")
        kept = ("median_a", "median_b", "ratio", "ci_low", "ci_high", "p", "margin", "verdict")
        return {
            tuple(pair[name] for name in names): [pair[name] for name in kept] for pair in pairs
        }

    assert verdicts([change["pair"] for change in entry["changes"]]) == verdicts(compared)
    rows = table_of(client, f"/changes.csv?{SEPTEMBER}")
    assert [(row["metric"], row["run_a"], row["run_b"]) for row in rows] == [
        (change["pair"]["metric"], "8", "9") for change in entry["changes"]
    ]


@pytest.mark.parametrize(
    ("query", "runs"),
    [
        ("from=2026-03-10&to=2026-03-20", ("2", "3")),
        ("from=2026-03-16&to=2026-04-30", ("3", "4")),
        ("from=2026-02-01&to=2026-08-31", ("1", "8")),
        ("to=2026-05-15", ("4", "5")),
        ("from=2026-12-15", ("11", "12")),
        ("", ("11", "12")),
    ],
)
def test_the_newest_results_of_both_sides_are_compared(
    client: TestClient, query: str, runs: tuple[str, str]
) -> None:
    rows = table_of(client, f"/changes.csv?{query}")
    assert {(row["run_a"], row["run_b"]) for row in rows} == {runs} and len(rows) == 21


@pytest.mark.parametrize(
    "query", ["from=2026-01-01&to=2026-02-01", "from=2026-03-16&to=2026-03-20", "from=2030-01-01"]
)
def test_a_period_without_two_sides_has_no_change(client: TestClient, query: str) -> None:
    assert table_of(client, f"/changes.csv?{query}") == []
    page = client.get(f"/changes?{query}")
    assert page.status_code == 200 and "No case that fits has results both before" in page.text


def test_filters_and_metrics_choose_changes(client: TestClient) -> None:
    for query, number in (
        ("target=host", 1),
        ("device=samd21g18a&metric=cycles", 4),
        ("scheme=ascon*&implementation=mote/bi32", 4),
        ("size=64&operation=encrypt-message&version=1.0", 21),
        ("metric=flash_net,stack", 10),
        ("tag=gcc13", 0),
    ):
        assert len(table_of(client, f"/changes.csv?{SEPTEMBER}&{query}")) == number, query
    assert len(table_of(client, "/changes.csv?from=2026-11-01&to=2026-11-30&tag=gcc13")) == 21


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("from=March", ["March", "is not a day", "2026-01-31"]),
        ("from=2026-02-30", ["is not a day"]),
        (
            "from=2026-03-02&to=2026-03-01",
            ["before it begins", "from=2026-03-01&amp;to=2026-03-02"],
        ),
        ("from=2026-03-01&from=2026-03-02", ["is not a day"]),
        ("target=sim:samd21", ["no result has the target", "sim:atmega328p", "did you mean"]),
        ("scheme=aes-512*", ["no result has the scheme", "ascon-aead128"]),
        ("device=esp32", ["no result has the device", "samd21g18a"]),
        ("operation=encrypt", ["no result has the operation", "encrypt-message"]),
        ("version=9", ["no result has the version"]),
        ("tag=none", ["no result has the tag", "gcc13"]),
        ("metric=beauty", ["no metric of changes", "flash_net"]),
        ("margin=much", ["margin"]),
        ("case=1", ["unknown parameter"]),
    ],
)
def test_what_a_period_cannot_be_is_said_with_what_it_can(
    client: TestClient, query: str, words: list[str]
) -> None:
    answer = client.get(f"/changes?{query}")
    assert answer.status_code == 400
    assert [word for word in words if word not in answer.text] == []


def test_an_older_result_of_the_same_compiler_is_compared(tmp_path: Path) -> None:
    """Two compilers in turn are no change; a new compiler is one."""
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        for name, compiler, cycles in (
            ("one", "gcc 12.2", 12000),
            ("two", "clang 14", 9000),
            ("three", "gcc 12.2", 12000),
        ):
            levels = {site_store.ASCON: {"cycles": float(cycles)}}
            environment = site_store.environment_of(compiler)
            site_store.add_run(store, name, levels, environment=environment)
    site_store.date(path, {"one": "2026-01-15", "two": "2026-02-15", "three": "2026-03-15"})
    client = TestClient(application(Site(str(path))), base_url=HERE)
    (row,) = table_of(client, "/changes.csv?from=2026-03-01&to=2026-03-31")
    assert (row["run_a"], row["run_b"], row["verdict"]) == ("1", "3", "not distinguishable")
    (row,) = table_of(client, "/changes.csv?from=2026-02-01&to=2026-02-28")
    assert (row["run_a"], row["run_b"], row["verdict"]) == ("1", "2", "faster")
    assert (row["compiler_a"], row["compiler_b"]) == ("gcc 12.2", "clang 14")


def test_times_of_different_machines_are_not_compared_unasked(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Store.open(path, create=True) as store:
        for name, processor in (("old", "Core"), ("new", "Xeon")):
            environment = site_store.environment_of("gcc 12.2")
            environment["host"] = {"cpu_model": processor, "os": "Debian"}
            levels = {site_store.ASCON: {"cycles": 12000.0}, site_store.HOST: {"time": 500.0}}
            site_store.add_run(store, name, levels, environment=environment)
    site_store.date(path, {"old": "2026-01-15", "new": "2026-02-15"})
    client = TestClient(application(Site(str(path))), base_url=HERE)
    entry = client.get("/changes.json?from=2026-02-01&to=2026-02-28").json()
    assert [change["pair"]["metric"] for change in entry["changes"]] == ["cycles"]
    (apart,) = entry["not_compared"]
    assert apart["target"] == "host" and "different environments" in apart["reason"]
    across = client.get("/changes.json?from=2026-02-01&to=2026-02-28&across=yes").json()
    assert len(across["changes"]) == 2 and across["not_compared"] == []


def test_changes_are_kept_until_the_store_changes(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = TestClient(application(Site(place)), base_url=HERE)
    first = client.get(f"/changes?{SEPTEMBER}").text

    def broken(*_: object, **__: object) -> None:
        raise AssertionError("compared again")

    monkeypatch.setattr(views_of_comparisons, "compare_sides", broken)
    assert client.get(f"/changes?{SEPTEMBER}").text == first


def test_a_store_without_runs_has_no_period(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    Store.open(path, create=True).close()
    client = TestClient(application(Site(path)), base_url=HERE)
    answer = client.get("/changes")
    assert answer.status_code == 200 and "The store has no run yet" in answer.text
    assert client.get("/changes.json").json()["changes"] == []


# Tables and files


@pytest.mark.parametrize(
    ("address", "columns"),
    [
        ("/results?metric=cycles&scheme=ascon*&since=2026-12-01", (0, 1)),
        ("/runs/12?metric=cycles", (0, 1)),
        ("/tradeoff?memory=stack", (0, 1)),
    ],
)
def test_the_table_of_a_page_is_what_its_file_has(
    client: TestClient, address: str, columns: tuple[int, int]
) -> None:
    path, _, query = address.partition("?")
    entries = table_of(client, f"{path}.csv?{query}")
    files = [(row["scheme"], row["implementation"]) for row in entries if row["metric"] == "cycles"]
    shown = [tuple(row[place] for place in columns) for row in _Rows(client.get(address).text).rows]
    assert len(files) > 2 and sorted(shown[1:]) == sorted(files)
    exported = set(entries[0])
    assert {"scheme", "implementation", "operation", "input_bytes", "target", "median"} <= exported


def test_tags_and_notes_of_runs_are_shown_and_found(client: TestClient) -> None:
    assert [row["run"] for row in table_of(client, "/runs.csv?q=newest+year")] == ["12"]
    assert len(table_of(client, "/runs.csv?tag=gcc13")) == 4
    assert len(table_of(client, "/map.csv?metric=cycles&tag=gcc13")) == 4
    page = client.get("/runs/12").text
    assert "The newest run of the year" in page and ">gcc13</a>" in page
