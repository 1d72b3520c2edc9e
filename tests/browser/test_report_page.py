"""The report as a reader meets it: opened from disk in Chromium."""

from __future__ import annotations

from itertools import pairwise

import pytest
from selenium.webdriver.common.action_chains import ActionChains

pytestmark = pytest.mark.browser

SIZES = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
MARKS = """return [...document.querySelectorAll("figure[data-chart]")].map((figure) =>
  [figure.dataset.chart, figure.querySelectorAll("svg .mark-symbol path, svg .mark-rect path").length])"""


def _texts(page, chart):
    return page.js(f"return [...document.querySelectorAll('#{chart} .mark-text text')].map(t => t.textContent)")


def _choose(page, chart, dimension, text):
    page.js(
        """const figure = document.querySelector(`figure[data-chart="${arguments[0]}"]`);
        const select = figure.querySelector(`select[data-dimension="${arguments[1]}"]`);
        const option = [...select.options].find((o) => o.textContent === arguments[2]);
        figure.dataset.ready = "";
        select.value = option.value;
        select.selectedIndex = option.index;
        select.dispatchEvent(new Event("change"));""",
        chart, dimension, text,
    )  # fmt: skip
    page.wait(f"return document.querySelector('figure[data-chart=\"{chart}\"]').dataset.ready !== ''")


def test_opens_without_a_complaint_and_asks_nobody_for_anything(quickstart):
    page = quickstart.open()
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def test_every_chart_has_marks(quickstart):
    drawn = dict(quickstart.open().js(MARKS))
    assert set(drawn) == {"throughput", "ranking", "pairs", "public-key", "files", "samples", "memory"}
    assert min(drawn.values()) >= 4
    # 9 scheme and implementation pairs at 6 sizes.
    assert drawn["throughput"] == 9 * 6


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
@pytest.mark.parametrize("kind", ["sample_document", "hostile_document", "variants_document"])
def test_never_scrolls_sideways(report, sample, kind, width):
    content, room = report(sample[kind]()).open(width).js(SIZES)
    assert content <= room


def test_the_ranking_is_best_first_and_follows_the_choice(quickstart):
    page = quickstart.open()
    labels = [text for text in _texts(page, "ranking") if " · " in text]
    assert labels[0] == "aes-256-gcm · openssl"
    _choose(page, "ranking", "metric", "time")
    assert any(text.startswith("3.8") and "µs" in text for text in _texts(page, "ranking"))
    _choose(page, "ranking", "operation", "hash")
    labels = [text for text in _texts(page, "ranking") if " · " in text]
    assert labels == ["sha256 · openssl", "sha256 · libgcrypt"]
    assert "Hash" in page.js("return document.querySelector('#ranking figcaption').textContent")


def test_the_legend_hides_and_shows_lines(quickstart):
    page = quickstart.open()
    count = "return document.querySelectorAll('#throughput .mark-symbol path').length"
    press = "[...document.querySelectorAll('#throughput .chip')].find(c => c.dataset.key === 's:aes-128-cbc')"
    page.js(f"document.querySelector('#throughput figure').dataset.ready = ''; {press}.click()")
    page.wait(f"{count} === 7 * 6")
    assert page.js(f"return {press}.getAttribute('aria-pressed')") == "false"
    page.js(f"{press}.click()")
    page.wait(f"{count} === 9 * 6")


def test_pointing_at_a_mark_shows_every_statistic(quickstart):
    page = quickstart.open()
    mark = page.js(
        """const mark = document.querySelector("#ranking .mark-rect path");
        mark.scrollIntoView({ block: "center", behavior: "instant" });
        return mark;"""
    )
    ActionChains(page.browser).move_to_element(mark).perform()
    text = page.wait("const tip = document.getElementById('tip'); return tip.hidden ? '' : tip.textContent")
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


def test_the_table_sorts_by_the_number_behind_the_text(quickstart):
    page = quickstart.open()
    press = """const buttons = [...document.querySelectorAll("#all .sort")];
        const head = buttons.find((button) => button.textContent === "Median");
        head.click();
        return head.parentElement.getAttribute("aria-sort");"""
    values = "return [...document.querySelectorAll('#all tbody tr')].map(r => Number(r.cells[5].dataset.v))"
    assert page.js(press) == "ascending"
    up = page.js(values)
    assert up == sorted(up) and len(set(up)) > 100
    assert page.js(press) == "descending"
    assert page.js(values) == sorted(up, reverse=True)


def test_the_filter_wants_every_word(quickstart):
    page = quickstart.open()
    page.js(
        """const box = document.getElementById("filter");
        box.value = "SHA256 libgcrypt cycles";
        box.dispatchEvent(new Event("input"));"""
    )
    shown = page.js(
        "return [...document.querySelectorAll('#all tbody tr')].filter(r => !r.hidden).map(r => r.textContent)"
    )
    # "sha256" is also part of the name of an RSA scheme: 6 digests and two signature operations (keygen has no size).
    assert len(shown) == 6 + 3
    assert all("sha256" in line and "libgcrypt" in line and "cycles" in line for line in shown)
    assert page.js("return document.getElementById('filter-count').textContent").startswith(f"{len(shown)} of ")


def test_the_csv_holds_the_rows_that_are_shown_with_full_numbers(quickstart):
    page = quickstart.open()
    page.js(
        """window.saved = null;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return "#csv"; };
        const box = document.getElementById("filter");
        box.value = "x25519 openssl time"; box.dispatchEvent(new Event("input"));
        document.getElementById("csv").click();"""
    )
    lines = page.wait("return window.saved").strip().split("\r\n")
    assert lines[0].startswith('"Scheme","Implementation","Operation"')
    assert all('"x25519"' in line for line in lines[1:]) and len(lines) >= 2
    assert float(lines[1].split(",")[5].strip('"')) == pytest.approx(39_000, rel=0.1)


def test_the_theme_button_changes_the_charts_too(quickstart):
    page = quickstart.open()
    ink = """return [getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector("#ranking .mark-text text")).fill]"""
    light = page.js(ink)
    press = (
        "const button = document.getElementById('theme'); button.click(); return document.documentElement.dataset.theme"
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
        "const s = document.createElement('script'); s.textContent = 'window.injected = 1'; document.body.append(s)"
    )
    assert page.js("return window.injected") is None


def test_hundreds_of_cases_are_shown_in_part_and_in_full_on_request(report, sample):
    page = report(sample["many_cases_document"]()).open()
    bars = """return [...document.querySelectorAll("#ranking .mark-text text")]
        .filter((text) => text.textContent.includes(" · ")).length"""
    assert page.js(bars) == 16
    assert "16 of 90 shown" in page.js("return document.querySelector('#ranking figcaption').textContent")
    page.js("document.querySelector('#ranking figcaption button').click()")
    page.wait(f"{bars} === 90")
    assert page.messages() == []


def test_a_single_case_and_failures_alone_are_shown(report, sample):
    single = report(sample["document"](sample["sample_document"]()["measurements"][:5])).open(375)
    assert single.messages() == []
    assert dict(single.js(MARKS))["ranking"] >= 1
    bad = report(sample["document"]([], sample["failures"]())).open(375)
    assert bad.messages() == []
    assert bad.js("return document.querySelectorAll('#failures tbody tr').length") == 3
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
        "return [...document.querySelectorAll('.controls, .bar')].every(n => getComputedStyle(n).display === 'none')"
    )
    pdf = page.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    assert pdf.startswith("JVBER")


def test_everything_that_answers_has_a_name_and_headings_are_in_order(quickstart):
    page = quickstart.open()
    nameless = page.js(
        """return [...document.querySelectorAll('button, select, input, a, [role="img"], [role="region"]')]
          .filter((node) =>
          !node.textContent.trim() && !node.getAttribute("aria-label") && !node.labels?.[0]?.textContent.trim())
          .map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    levels = page.js("return [...document.querySelectorAll('h1,h2,h3')].map(h => Number(h.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
