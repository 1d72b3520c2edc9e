"""Warm-up, variants and whole files in the report, opened from disk in Chromium."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def page(report, sample):
    return report(sample["variants_document"]()).open()


def _marks(page, chart):
    return page.js(f"return document.querySelectorAll('#{chart} svg .mark-symbol path').length")


def _choose(page, chart, dimension, value):
    page.js(
        """const figure = document.querySelector(`#${arguments[0]} figure`);
        const select = figure.querySelector(`select[data-dimension="${arguments[1]}"]`);
        figure.dataset.ready = "";
        select.selectedIndex = [...select.options].findIndex((option) => option.textContent === arguments[2]);
        select.dispatchEvent(new Event("change"));""",
        chart, dimension, value,
    )  # fmt: skip
    page.wait(f"return document.querySelector('#{chart} figure').dataset.ready !== ''")


def test_the_warm_up_begins_with_what_a_compiler_made_most_of(page):
    assert page.messages() == []
    assert _marks(page, "warmup") == 100
    caption = page.js("return document.querySelector('#warmup figcaption').textContent")
    assert caption.startswith("sunjce · aes-128-cbc")
    assert "64 B" in caption and "steady from number 61 on; the first took 90" in caption
    texts = page.js("return [...document.querySelectorAll('#warmup svg text')].map((node) => node.textContent)")
    assert texts.count("steady from here") == 1


def test_a_case_that_did_not_get_steady_has_no_beginning_of_the_steady_state(page):
    _choose(page, "warmup", "scheme", "sha256")
    assert "no steady state within 5 s" in page.js("return document.querySelector('#warmup figcaption').textContent")
    texts = page.js("return [...document.querySelectorAll('#warmup svg text')].map((node) => node.textContent)")
    assert "steady from here" not in texts and _marks(page, "warmup") == 100


def test_pointing_at_a_batch_shows_its_number_and_time(page):
    text = page.point("document.querySelectorAll('#warmup svg .mark-symbol path')[20]")
    assert "Batch21: 13." in text and "µs" in text
    assert "Mean" not in text


def test_variants_have_a_line_of_their_own_kind(page):
    names = page.js("return [...document.querySelectorAll('#throughput .chip')].map((chip) => chip.dataset.key)")
    assert [name.split(" \u00b7 ")[1].split()[0] for name in names] == [
        "openssl",
        "sunjce",
        "openssl@no-aes",
        "openssl@baseline",
    ]
    widths = page.js(
        """return [...document.querySelectorAll("#throughput svg .mark-line path")]
          .map((path) => Number(path.getAttribute("stroke-width")))"""
    )
    assert sorted(widths) == [1.1, 1.1, 2.2, 2.2]


def test_the_table_of_variants_has_factors_with_intervals(page):
    cells = page.js("return [...document.querySelectorAll('#variants tbody tr')].map((r) => r.cells[3].innerText)")
    assert len(cells) == 4
    assert re.match("(4.99|5.00) \u00d7\n4.9\\d to 5.0\\d \u00d7", cells[0])
    assert cells[2].startswith("not distinguishable\n")


def test_a_mark_on_the_bar_is_the_process_alone(page):
    texts = page.js("return [...document.querySelectorAll('#files .mark-text text')].map((node) => node.textContent)")
    assert any(text.endswith("(floor 9.20 ms)") for text in texts)
    widths = page.js(
        """return [...document.querySelectorAll("#files svg .mark-rect path")]
          .map((node) => node.getBoundingClientRect().width)"""
    )
    # Processor and waiting of two bars, and one mark.
    assert len([width for width in widths if width >= 4]) == 4
    assert len([width for width in widths if 0 < width < 4]) == 1
    heads = page.js("return [...document.querySelectorAll('#files thead th')].map((node) => node.textContent)")
    assert heads == ["Case", "Elapsed", "Plain copy", "Process alone"]
