"""The report as a text: complete, self-contained, hostile input harmless."""

import json
import re
import runpy
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from result_documents import read

from motebench.base.errors import InputError
from motebench.results.presentation.rows import rows_of
from motebench.results.presentation.schemes import SchemeStatus, day_of, statuses
from motebench.show.report import as_json, page, view
from motebench.show.report.page import write_page

SAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "support" / "report_sample.py"))
case, document, measurement = SAMPLE["case"], SAMPLE["document"], SAMPLE["measurement"]
RC4 = SchemeStatus(
    "RC4",
    ("rc4-128",),
    "prohibited",
    scope="in TLS",
    date="2015-02",
    body="IETF",
    statement="Never negotiate it.",
)


class Elements(HTMLParser):
    """Every start tag with its attributes, and the text outside scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self._inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside = tag

    def handle_endtag(self, tag):
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data):
        if self._inside is None:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]


def data_of(text):
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def unpacked(column):
    if isinstance(column, list):
        return column
    runs = column["runs"]
    return [
        value for value, length in zip(runs[::2], runs[1::2], strict=True) for _ in range(length)
    ]


@pytest.fixture(scope="module")
def sample_page():
    return page.render(read(SAMPLE["sample_document"]()), [RC4])


def test_has_every_section_for_a_full_run(sample_page):
    ids = Elements(sample_page).ids()
    for section in (
        "summary",
        "ranking",
        "throughput",
        "pairs",
        "public-key",
        "files",
        "samples",
        "memory",
        "measurements",
        "security",
        "failures",
        "environment",
        "method",
    ):
        assert section in ids
    assert len(ids) == len(set(ids))


def test_every_link_within_the_page_leads_somewhere(sample_page):
    elements = Elements(sample_page)
    targets = [
        a["href"][1:]
        for tag, a in elements.tags
        if tag == "a" and a.get("href", "").startswith("#")
    ]
    assert targets and set(targets) <= set(elements.ids())


def test_loads_nothing(sample_page):
    for tag, attributes in Elements(sample_page).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "audio", "video")
        assert "src" not in attributes and "srcset" not in attributes
    style = re.search(r"<style>(.*?)</style>", sample_page, re.S)[1]
    assert "url(" not in style and "@import" not in style


def test_the_policy_forbids_the_network_and_foreign_scripts(sample_page):
    policy = next(
        a["content"] for tag, a in Elements(sample_page).tags if tag == "meta" and "http-equiv" in a
    )
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    scripts = [
        a
        for tag, a in Elements(sample_page).tags
        if tag == "script" and a.get("type") != "application/json"
    ]
    assert policy.count("sha256-") == len(scripts) + 1


@pytest.mark.parametrize(
    "kind", ["sample_document", "many_cases_document", "board_document", "variants_document"]
)
def test_is_small_enough_to_send(kind):
    text = page.render(read(SAMPLE[kind]()))
    assert len(text.encode()) < 1_500_000
    assert len(Elements(text).tags) < 2_500


def test_every_measurement_is_in_the_page_with_its_statistics(sample_page):
    table = data_of(sample_page)["table"]
    found = rows_of(read(SAMPLE["sample_document"]()))
    assert table["count"] == len(found)
    columns = {name: unpacked(column) for name, column in table["numbers"].items()}
    for place, row in enumerate(found):
        for name in ("median", "mean", "stddev", "min", "max", "ci_low"):
            value = columns[name][place]
            told = row.median if value == "" else value
            assert told == (
                None if getattr(row, name) is None else pytest.approx(getattr(row, name), rel=1e-8)
            )
    schemes = table["texts"]["scheme"]
    assert [schemes["of"][at] for at in unpacked(schemes["at"])] == [row.scheme for row in found]


def test_hostile_texts_stay_texts():
    text = page.render(read(SAMPLE["hostile_document"]()), [])
    elements = Elements(text)
    assert not [tag for tag, _ in elements.tags if tag == "img"]
    assert not [
        name for _, attributes in elements.tags for name in attributes if name.startswith("on")
    ]
    assert sum(tag == "script" for tag, _ in elements.tags) == 4
    assert "{{7*7}}" in elements.text and "49" not in elements.text.split("{{7*7}}")[0][-3:]
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]
    assert "<" not in data
    assert SAMPLE["HOSTILE"] in json.loads(data)["look"]["schemes"]


def test_json_for_a_script_element_survives_the_way():
    data = {"a": "</script><!--\u2028\u2029&'\"", "b": [1.5, None]}
    text = as_json(data)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == data


@pytest.mark.parametrize(
    "name", ["failures only", "one case", "no samples", "no interval", "nothing"]
)
def test_renders_what_is_there(name):
    full = SAMPLE["sample_document"](n=8)["measurements"]
    bare = [
        {key: value for key, value in row.items() if key != "values"} | {"variance": None}
        for row in full
    ]
    single = [
        {**row, "n": 1, "ci_low": None, "ci_high": None, "values": row["values"][:1]}
        for row in full
    ]
    rows, failed = {
        "failures only": ([], SAMPLE["failures"]()),
        "one case": (full[:5], []),
        "no samples": (bare, []),
        "no interval": (single, []),
        "nothing": ([], []),
    }[name]
    elements = Elements(page.render(read(SAMPLE["document"](rows, failed)), []))
    assert ("measurements" in elements.ids()) == bool(rows)
    assert ("failures" in elements.ids()) == bool(failed)
    assert ("samples" in elements.ids()) == (name == "one case")
    if not rows:
        assert "No case gave a number." in elements.text
    for failure in failed:
        assert failure["message"] in elements.text and failure["kind"] in elements.text


def test_failures_name_what_tells_cases_apart():
    first, *_ = SAMPLE["failures"]()
    failed = [{**first, "target": "board-b", "input_bytes": 16, "aad_bytes": 13, "file": "a.bin"}]
    text = Elements(page.render(read(SAMPLE["document"]([], failed)), [])).text
    assert "16 B + 13 B AAD (a.bin)" in text
    assert "board-b" in text


def test_only_what_changed_during_the_run_is_told_again():
    document = SAMPLE["document"]([], [])
    document["environment"]["end"] = {
        "host": {**document["environment"]["host"], "governor": "performance"}
    }
    text = Elements(page.render(read(document), [])).text
    assert text.count("powersave") >= 1 and text.count("governor performance") == 1
    assert text.count("glibc 2.36") == 1


def test_a_failure_of_a_whole_implementation_is_shown():
    failure = {
        "scheme": "sha256",
        "implementation": "openssl",
        "target": "host",
        "kind": "build",
        "message": "no compiler",
    }
    assert "no compiler" in Elements(page.render(read(SAMPLE["document"]([], [failure])), [])).text


def test_bad_algorithms_are_marked_wherever_they_stand(sample_page):
    text = Elements(sample_page).text
    assert "RC4 prohibited in TLS Never negotiate it." in text
    assert data_of(sample_page)["marks"]["rc4-128"] == [
        ["worst", "prohibited in TLS"],
        ["bad", "not authenticated"],
    ]


def test_the_catalog_knows_the_status_of_common_schemes():
    found = {
        name: status
        for status in statuses(
            ["aes-128-cbc", "3des-cbc", "no-such"], day_of("2026-03-04T00:00:00Z")
        )
        for name in status.schemes
    }
    assert found["aes-128-cbc"].level == "good" and found["aes-128-cbc"].block_bits == 128
    assert found["3des-cbc"].level == "worst" and found["3des-cbc"].block_bits == 64
    assert found["no-such"].verdict == "unknown"
    assert found["3des-cbc"].url.startswith("https://")


def test_writes_the_file_whole_or_not_at_all(tmp_path):
    document = read(SAMPLE["document"]([], []))
    path = tmp_path / "report.html"
    path.write_text("<!DOCTYPE html>old")
    assert write_page(document, path) == path
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match="no folder"):
        write_page(document, tmp_path / "nowhere" / "report.html")


@pytest.mark.parametrize(
    ("confidence", "said"), [(0.96, ""), (0.95, ""), (0.84, " at 84 %"), (0.5, " at 50 %")]
)
def test_an_interval_below_95_percent_says_so(confidence, said):
    from dataclasses import replace

    row = next(
        row
        for row in rows_of(read(SAMPLE["sample_document"]()))
        if row.metric == "time" and row.half_width
    )
    plain = replace(row, confidence=0.95).spread
    assert replace(row, confidence=confidence).spread == plain + said
    assert replace(row, confidence=0.3).spread == "no interval"


def test_every_implementation_has_a_colour_of_its_own():
    entries = [
        measurement(case("a", f"x{place:02d}", "agree", 0), "time", [1.0] * 8)
        for place in range(30)
    ]
    looks = view.look_of(rows_of(read(document(entries))))["implementations"]
    assert len({look["color"] for look in looks.values()}) == 30
    assert looks["x00"]["color"] == "var(--c0)" and looks["x00"]["shape"] != looks["x08"]["shape"]


def test_schemes_of_one_operation_have_dashes_of_their_own():
    entries = [
        measurement(case(scheme, "x", operation, 16), "time", [1.0] * 8)
        for scheme, operation in (("a", "encrypt"), ("b", "encrypt"), ("c", "digest"))
    ]
    assert view.look_of(rows_of(read(document(entries))))["schemes"] == {"a": 0, "b": 1, "c": 0}


def test_factors_say_what_the_verdicts_say():
    times = {
        "x": [100.0 + i % 3 for i in range(20)],
        "y": [150.0 + i % 3 for i in range(20)],
        "z": [100.0, 500.0],
    }
    entries = [
        measurement(case("a", who, "agree", 0), "time", values) for who, values in times.items()
    ]
    rows = rows_of(read(document(entries)))
    assert dict(zip([row.implementation for row in rows], view.factors(rows), strict=True)) == {
        "x": "",
        "y": "1.50",
        "z": "?",
    }


def test_operations_a_second_have_the_digits_of_their_time():
    (row,) = rows_of(
        read(document([measurement(case("a", "x", "agree", 0), "time", [78631.0] * 3)]))
    )
    assert view.rate(row) == "12,700/s"
    assert view.rate(replace(row, quotable=False)) == "~13,000/s (disturbed)"


def test_a_page_is_small():
    assert len(page.render(read(SAMPLE["board_document"](implementations=6)), [])) < 250_000
