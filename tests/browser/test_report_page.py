"""The report as a reader meets it: opened from disk in Chromium."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from result_documents import read
from selenium.webdriver.common.action_chains import ActionChains

from motebench.results.presentation.rows import rows_of

pytestmark = pytest.mark.browser

SIZES = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
MARKS = """return [...document.querySelectorAll("figure[data-chart]")].map((figure) =>
  [figure.dataset.chart,
      figure.querySelectorAll("svg .mark-symbol path, svg .mark-rect path").length])"""


def _texts(page, chart):
    return page.js(
        f"return [...document.querySelectorAll('#{chart} .mark-text text')].map(t => t.textContent)"
    )


def _choose(page, chart, dimension, text):
    page.js(
        """const figure = document.querySelector(`figure[data-chart="${arguments[0]}"]`);
        const select = figure.querySelector(`select[data-dimension="${arguments[1]}"]`);
        const option = [...select.options].find((o) => o.textContent === arguments[2]);
        figure.dataset.ready = "";
        select.value = option.value;
        select.selectedIndex = option.index;
        select.dispatchEvent(new Event("change"));""",
        chart,
        dimension,
        text,
    )
    page.wait(
        f"return document.querySelector('figure[data-chart=\"{chart}\"]').dataset.ready !== ''"
    )


def test_opens_without_a_complaint_and_asks_nobody_for_anything(quickstart):
    page = quickstart.open()
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def test_every_chart_has_marks(quickstart):
    drawn = dict(quickstart.open().js(MARKS))
    assert set(drawn) == {
        "throughput",
        "ranking",
        "pairs",
        "public-key",
        "files",
        "samples",
        "memory",
    }
    assert min(drawn.values()) >= 4
    # Whole messages come first: 2 schemes by 2 implementations at 6 sizes.
    assert drawn["throughput"] == 4 * 6


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
@pytest.mark.parametrize(
    "kind", ["sample_document", "hostile_document", "variants_document", "board_document"]
)
def test_never_scrolls_sideways(report, sample, kind, width):
    content, room = report(sample[kind]()).open(width).js(SIZES)
    assert content <= room


def test_the_ranking_is_best_first_and_follows_the_choice(quickstart):
    page = quickstart.open()
    _choose(page, "ranking", "operation", "encrypt (long message)")
    labels = [text for text in _texts(page, "ranking") if " · " in text]
    assert labels[0] == "aes-256-gcm · openssl"
    _choose(page, "ranking", "metric", "time")
    assert any(text.startswith("3.8") and "µs" in text for text in _texts(page, "ranking"))
    _choose(page, "ranking", "operation", "hash")
    labels = [text for text in _texts(page, "ranking") if " · " in text]
    assert labels == ["sha256 · openssl", "sha256 · libgcrypt"]
    assert "Hash" in page.js("return document.querySelector('#ranking figcaption').textContent")


def test_lines_are_taken_away_and_added(quickstart):
    page = quickstart.open()
    _choose(page, "throughput", "operation", "encrypt (long message)")
    count = "return document.querySelectorAll('#throughput .mark-symbol path').length"
    add = "document.querySelector('#throughput .legend select')"
    assert page.js(f"return {add}.disabled"), "eight lines are as many as can be told apart"
    page.js("document.querySelector('#throughput .chip').click()")
    page.wait(f"{count} === 7 * 6")
    page.js(f"{add}.selectedIndex = 1; {add}.dispatchEvent(new Event('change'))")
    page.wait(f"{count} === 8 * 6")
    looks = page.js(
        """return [...document.querySelectorAll("#throughput .mark-line path")]
          .map((line) =>
              `${line.getAttribute("stroke")} ${line.getAttribute("stroke-dasharray")}`)"""
    )
    assert len(set(looks)) == 8


def test_pointing_at_a_mark_shows_every_statistic(quickstart):
    page = quickstart.open()
    text = page.point("document.querySelector('#ranking .mark-rect path')")
    for word in (
        "aes-256-gcm",
        "Median",
        "Interval",
        "Outliers",
        "Mean",
        "Std dev",
        "Variance",
        "Min",
        "Max",
        "measured",
    ):
        assert word in text
    page.js("dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
    assert page.js("return document.getElementById('tip').hidden")


def test_pointing_near_a_mark_is_enough(quickstart):
    page = quickstart.open()
    assert "Median" in page.point("document.querySelector('#throughput .mark-symbol path')", 14, 12)
    ActionChains(page.browser).move_to_element(
        page.js("return document.querySelector('#throughput h2')")
    ).perform()
    assert page.js("return document.getElementById('tip').hidden")


def test_numbers_are_worded_as_everywhere_else(quickstart, sample):
    shown = quickstart.open().js(
        """document.querySelector("#measurements .pager select").selectedIndex = 2;
        document.querySelector("#measurements .pager select").dispatchEvent(new Event("change"));
        return [...document.querySelectorAll("#all td[data-v]")]
          .map((cell) => [cell.dataset.label, cell.querySelector("b").textContent])"""
    )
    texts = {(row.metric, row.text) for row in rows_of(read(sample["sample_document"]()))}
    labels = {"Time": "time", "Throughput": "throughput"}
    shown = [(labels[label], text) for label, text in shown if label in labels]
    assert len(shown) > 100 and set(shown) <= texts


def test_the_table_sorts_by_the_number_behind_the_text(quickstart):
    page = quickstart.open()
    press = """const head = document.querySelector("#all .sort[data-column=time]");
        head.click();
        const time = document.querySelector("#all .sort[data-column=time]");
        return time.parentElement.getAttribute("aria-sort");"""
    values = """return [...document.querySelectorAll("#all tbody td[data-label=Time]")]
        .map((cell) => Number(cell.dataset.v))"""
    assert page.js(press) == "ascending"
    up = page.js(values)
    assert up == sorted(up) and len(up) == 25
    assert page.js(press) == "descending"
    down = page.js(values)
    assert down == sorted(down, reverse=True) and down[0] > up[-1], (
        "all pages are sorted, not this one"
    )


def test_a_filter_means_what_it_says(quickstart):
    page = quickstart.open()
    page.js(
        """const choose = (name, text) => {
          const select = document.querySelector(`select[data-filter="${name}"]`);
          select.selectedIndex = [...select.options].findIndex((option) =>
              option.textContent === text);
          select.dispatchEvent(new Event("change"));
        };
        choose("scheme", "sha256"); choose("implementation", "libgcrypt");"""
    )
    lines = page.js(
        "return [...document.querySelectorAll('#all tbody tr')].map((line) => line.textContent)"
    )
    # The scheme and nothing that has its name in it, such as rsa-2048-pss-sha256.
    assert len(lines) == 6 and all("sha256" in line and "rsa" not in line for line in lines)
    page.js(
        """const box = document.getElementById("filter");
        box.value = "1 KiB"; box.dispatchEvent(new Event("input"));"""
    )
    assert page.js("return document.querySelectorAll('#all tbody tr').length") == 1
    said = page.js(
        "return document.querySelector('#measurements .pager [role=status]').textContent"
    )
    assert said.startswith("1 cases, of ")


def test_a_long_table_is_read_by_pages(quickstart):
    page = quickstart.open()
    first = "return document.querySelector('#all tbody tr').textContent"
    before = page.js(first)
    page.js("document.querySelector('[aria-label=\"Next page\"]').click()")
    assert page.js(first) != before
    assert page.js(
        "return document.querySelector('#measurements .pager [role=status]').textContent"
    ).startswith("26 to 50")
    page.js("document.querySelector('[aria-label=\"Previous page\"]').click()")
    assert page.js(first) == before


def test_a_case_opens_with_every_statistic_of_every_metric(quickstart):
    page = quickstart.open()
    page.js("document.querySelector('#all .toggle').click()")
    heads = page.js(
        "return [...document.querySelectorAll('#all .more th')].map((head) => head.textContent)"
    )
    assert heads == [
        "Metric",
        "Median",
        "Interval",
        "n",
        "Outliers",
        "Mean",
        "Std dev",
        "Variance",
        "Min",
        "Max",
        "Evidence",
        "Source",
    ]
    assert page.js("return document.querySelectorAll('#all .more tbody tr').length") >= 5


def test_the_csv_holds_every_metric_of_the_cases_that_match_with_full_numbers(quickstart):
    page = quickstart.open()
    page.js(
        """window.saved = null;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; });
            return "#csv"; };
        const box = document.getElementById("filter");
        box.value = "x25519 openssl"; box.dispatchEvent(new Event("input"));
        document.getElementById("csv").click();"""
    )
    lines = page.wait("return window.saved").strip().split("\r\n")
    assert lines[0].startswith(
        '"Scheme","Implementation","Operation","Input","Metric","Median","Unit"'
    )
    cells = [line.strip('"').split('","') for line in lines[1:]]
    assert {cell[4] for cell in cells} >= {"time", "cycles", "cpu_time"}
    (time,) = [cell for cell in cells if cell[4] == "time"]
    assert (
        time[0] == "x25519" and time[6] == "ns" and float(time[5]) == pytest.approx(39_000, rel=0.1)
    )


@pytest.mark.parametrize(
    "kind", ["sample_document", "many_cases_document", "board_document", "variants_document"]
)
def test_stays_small_in_the_browser(report, sample, kind):
    page = report(sample[kind]()).open()
    assert page.js("return document.querySelectorAll('*').length") < 5_000
    assert page.js("return document.documentElement.scrollHeight") < 15_000


@pytest.mark.parametrize("size", [(1400, 900), (390, 844)])
def test_the_first_screen_has_the_question_an_answer_and_what_limits_it(report, sample, size):
    page = report(sample["board_document"]()).open(size[0])
    places = page.js(
        """return ["h1", ".answers .best b", ".answers .verdict", ".answers .value"]
          .map((name) => document.querySelector(name).getBoundingClientRect().bottom)"""
    )
    assert max(places) < size[1]
    assert page.js("return document.querySelector('.facts').textContent").count("exact")


def test_exact_results_have_no_intervals_and_no_distribution(report, sample):
    page = report(sample["board_document"]()).open()
    assert page.messages() == []
    text = page.js("return document.body.innerText")
    assert "\u00b10 %" not in text and "Distribution" not in text
    names = page.js(
        "return [...document.querySelectorAll('figure[data-chart]')].map((figure) => "
        "figure.dataset.chart)"
    )
    assert names == ["ranking", "tradeoff", "throughput", "pairs"]
    assert page.js("return document.querySelectorAll('#tradeoff .mark-symbol path').length") > 10


def test_names_in_a_chart_do_not_lie_over_each_other(report, sample):
    page = report(sample["board_document"]()).open()
    boxes = page.js(
        """return [...document.querySelectorAll("#tradeoff .mark-text text")].filter((word) =>
            word.textContent)
          .map((word) => word.getBoundingClientRect()).map((box) => [box.left, box.right, box.top,
              box.bottom])"""
    )
    assert len(boxes) >= 2
    for (left, right, top, bottom), (
        other_left,
        other_right,
        other_top,
        other_bottom,
    ) in combinations(boxes, 2):
        gaps = (other_left - right, left - other_right, other_top - bottom, top - other_bottom)
        assert max(gaps) > 0


def test_the_theme_button_changes_the_charts_too(quickstart):
    page = quickstart.open()
    ink = """return [getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector("#ranking .mark-text text")).fill]"""
    light = page.js(ink)
    press = (
        "const button = document.getElementById('theme'); button.click(); return "
        "document.documentElement.dataset.theme"
    )
    assert [page.js(press), page.js(press)] == ["light", "dark"]
    dark = page.js(ink)
    assert dark[0] != light[0] and dark[1] != light[1]
    assert page.js(press) == "auto"
    assert page.js(ink) == light


def test_follows_the_theme_of_the_system(quickstart):
    body = "return getComputedStyle(document.body).backgroundColor"
    assert quickstart.open(dark=True).js(body) != quickstart.open(dark=False).js(body)


def test_nothing_hostile_runs(report, sample):
    page = report(sample["hostile_document"]()).open()
    assert page.messages() == []
    assert page.js("return document.images.length") == 0
    assert page.js("return document.title").startswith(sample["HOSTILE"][:20])
    assert "{{7*7}}" in page.js("return document.querySelector('h1').textContent")
    assert page.requests() == [page.path.as_uri()]


def test_an_injected_script_would_not_run(quickstart):
    page = quickstart.open()
    page.js(
        "const s = document.createElement('script'); s.textContent = 'window.injected = 1'; "
        "document.body.append(s)"
    )
    assert page.js("return window.injected") is None


def test_hundreds_of_cases_are_shown_in_part_and_in_full_on_request(report, sample):
    page = report(sample["many_cases_document"]()).open()
    bars = """return [...document.querySelectorAll("#ranking .mark-text text")]
        .filter((text) => text.textContent.includes(" · ")).length"""
    assert page.js(bars) == 10
    assert "10 of 90 shown" in page.js(
        "return document.querySelector('#ranking figcaption').textContent"
    )
    page.js("document.querySelector('#ranking figcaption button').click()")
    page.wait(f"{bars} === 90")
    assert page.messages() == []


def test_a_single_case_and_failures_alone_are_shown(report, sample):
    single = report(sample["document"](sample["sample_document"]()["measurements"][:5])).open(375)
    assert single.messages() == []
    assert dict(single.js(MARKS))["ranking"] >= 1
    bad = report(sample["document"]([], sample["failures"]())).open(375)
    assert bad.messages() == []
    assert bad.js("return document.querySelectorAll('#failures .findings > li').length") == 3
    content, room = bad.js(SIZES)
    assert content <= room


def test_prints_in_light_without_controls(quickstart):
    page = quickstart.open(dark=True)
    page.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    assert page.js("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.js(
        "return [...document.querySelectorAll('.controls, .bar')].every(n => "
        "getComputedStyle(n).display === 'none')"
    )
    pdf = page.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    assert pdf.startswith("JVBER")


def test_everything_that_answers_has_a_name_and_headings_are_in_order(quickstart):
    page = quickstart.open()
    nameless = page.js(
        """const parts = 'button, select, input, a, [role="img"], [role="region"]';
        return [...document.querySelectorAll(parts)]
          .filter((node) =>
          !node.textContent.trim() && !node.getAttribute("aria-label")
              && !node.labels?.[0]?.textContent.trim())
          .map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    levels = page.js(
        "return [...document.querySelectorAll('h1,h2,h3')].map(h => Number(h.tagName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
