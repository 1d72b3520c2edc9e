"""Views of the explorer over many runs: differences, histories, maps, trade-offs."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

import jsonschema
import pytest
import site_store
from starlette.testclient import TestClient

from motebench.documents import schema
from motebench.results.comparison import compare_stored, document
from motebench.results.selection import ResultFilter
from motebench.show.site.app import application
from motebench.show.site.views import Site
from motebench.show.site.views.comparison import KINDS

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
    assert not any(part in text for part in ("<script", "<link", "<form", '<a href="/', "src="))
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
