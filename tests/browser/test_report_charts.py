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
        select.selectedIndex = [...select.options].findIndex((option) =>
            option.textContent === arguments[2]);
        select.dispatchEvent(new Event("change"));""",
        chart,
        dimension,
        value,
    )
    page.wait(f"return document.querySelector('#{chart} figure').dataset.ready !== ''")


def test_the_warm_up_begins_with_what_a_compiler_made_most_of(page):
    assert page.messages() == []
    assert _marks(page, "warmup") == 100
    caption = page.js("return document.querySelector('#warmup figcaption').textContent")
    assert caption.startswith("sunjce · aes-128-cbc")
    assert "64 B" in caption and "steady from number 61 on; the first took 90" in caption
    texts = page.js(
        "return [...document.querySelectorAll('#warmup svg text')].map((node) => node.textContent)"
    )
    assert texts.count("steady from here") == 1


def test_a_case_that_did_not_get_steady_has_no_beginning_of_the_steady_state(page):
    _choose(page, "warmup", "scheme", "sha256")
    assert "no steady state within 5 s" in page.js(
        "return document.querySelector('#warmup figcaption').textContent"
    )
    texts = page.js(
        "return [...document.querySelectorAll('#warmup svg text')].map((node) => node.textContent)"
    )
    assert "steady from here" not in texts and _marks(page, "warmup") == 100


def test_pointing_at_a_batch_shows_its_number_and_time(page):
    text = page.point("document.querySelectorAll('#warmup svg .mark-symbol path')[20]")
    assert "Batch21: 13." in text and "µs" in text
    assert "Mean" not in text


def test_variants_have_a_line_of_their_own_kind(page):
    names = page.js(
        "return [...document.querySelectorAll('#throughput .chip')].map((chip) => chip.dataset.key)"
    )
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
    cells = page.js(
        "return [...document.querySelectorAll('#variants tbody tr')].map((r) => "
        "r.cells[3].innerText)"
    )
    assert len(cells) == 4
    assert re.match("(4.99|5.00) \u00d7\n4.9\\d to 5.0\\d \u00d7", cells[0])
    assert cells[2].startswith("not distinguishable\n")


def test_a_mark_on_the_bar_is_the_process_alone(page):
    texts = page.js(
        "return [...document.querySelectorAll('#files .mark-text text')].map((node) => "
        "node.textContent)"
    )
    assert any(text.endswith("(floor 9.20 ms)") for text in texts)
    widths = page.js(
        """return [...document.querySelectorAll("#files svg .mark-rect path")]
          .map((node) => node.getBoundingClientRect().width)"""
    )
    # Processor and waiting of two bars, and one mark.
    assert len([width for width in widths if width >= 4]) == 4
    assert len([width for width in widths if 0 < width < 4]) == 1
    heads = page.js(
        "return [...document.querySelectorAll('#files thead th')].map((node) => node.textContent)"
    )
    assert heads == ["Case", "Elapsed", "Plain copy", "Process alone"]


PAINTED = """const marks = "#ranking .mark-rect path, #throughput .mark-symbol path";
return [...document.querySelectorAll(marks)]
  .map((mark) => [mark.datum.label.split(" \u00b7 ")[1].split(" ")[0],
      mark.getAttribute("stroke")])"""


def test_one_colour_means_one_implementation_and_the_legend_names_it(page):
    colours = {}
    for implementation, colour in page.js(PAINTED):
        colours.setdefault(implementation, set()).add(colour)
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == len(colours) == 4
    legend = dict(
        page.js(
            """return [...document.querySelectorAll("#colours [data-implementation]")]
              .map((entry) => [entry.textContent,
                  entry.querySelector("path").getAttribute("stroke")])"""
        )
    )
    assert {name: {legend[name]} for name in colours} == colours


def test_every_chart_says_what_it_shows(page):
    said = page.js(
        """return [...document.querySelectorAll("figure .chart svg")]
          .map((svg) => [svg.getAttribute("role"), svg.getAttribute("aria-label")])"""
    )
    assert len(said) == 7 and all(role == "img" and len(words) > 40 for role, words in said)
    ranking = page.js("return document.querySelector('#ranking svg').getAttribute('aria-label')")
    assert (
        "4 entries, first aes-128-cbc \u00b7 openssl" in ranking
        and "last aes-128-cbc \u00b7 openssl@baseline" in ranking
    )


def test_factors_of_bars_are_those_of_the_verdicts(page):
    texts = page.js(
        "return [...document.querySelectorAll('#ranking .mark-text text')].map((node) => "
        "node.textContent)"
    )
    lead = page.js("return document.querySelector('.answers .lead').textContent")
    assert lead.startswith("6.0 %") and any(text.endswith("(1.06 \u00d7)") for text in texts)


@pytest.mark.parametrize("kind", ["sample_document", "variants_document", "board_document"])
def test_no_text_of_a_chart_lies_over_another_on_a_telephone(report, sample, kind):
    page = report(sample[kind]()).open(width=390)
    over = page.js(
        """const found = [];
        for (const svg of document.querySelectorAll("figure .chart svg")) {
          const edge = svg.getBoundingClientRect();
          const boxes = [...svg.querySelectorAll("text")].filter((text) => text.textContent)
            .map((text) => [text.textContent, text.getBoundingClientRect()]);
          boxes.forEach(([words, a], i) => {
            if (a.left < edge.left - 1 || a.right > edge.right + 1) found.push(words);
            for (const [others, b] of boxes.slice(i + 1)) {
              const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
              const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
              if (across > 1 && down > 4) found.push(`${words} / ${others}`);
            }
          });
        }
        return found;"""
    )
    assert over == []


def test_every_axis_has_ticks(page):
    counts = page.js(
        """return [...document.querySelectorAll("figure .role-axis")]
          .map((axis) => axis.querySelectorAll("text:not(.title)").length)"""
    )
    assert len(counts) >= 8 and min(counts) >= 2


def test_what_is_disturbed_is_hollow_last_and_without_many_digits(report, sample):
    made = sample["document"](sample["sample_document"]()["measurements"])
    for row in made["measurements"]:
        if row["scheme"] == "sha256" and row["implementation"] == "openssl":
            row["quotable"] = False
    page = report(made).open()
    _choose(page, "ranking", "operation", "hash")
    marks = page.js(
        """return [...document.querySelectorAll("#ranking .mark-rect path")]
          .map((mark) => [mark.datum.label, mark.getAttribute("fill"),
              mark.getAttribute("stroke-dasharray")])"""
    )
    assert [label for label, _, _ in marks] == ["sha256 \u00b7 libgcrypt", "sha256 \u00b7 openssl"]
    assert marks[1][1:] == ["none", "4 3"] and marks[0][2] is None
    texts = page.js(
        "return [...document.querySelectorAll('#ranking .mark-text text')].map((node) => "
        "node.textContent)"
    )
    assert re.fullmatch(r"~(\d\.\d|\d\d|\d\d0) .B/s \(disturbed\)", texts[-1])
    assert "disturbed, not ranked" in page.js(
        "return document.querySelector('#ranking figcaption').textContent"
    )
    assert page.js("return document.querySelectorAll('#ranking .whisker').length") == 1


def test_memory_is_what_the_cipher_adds(report, sample):
    page = report(sample["board_document"]()).open()
    memories = page.js(
        "return [...document.querySelectorAll('#tradeoff [data-dimension=memory] "
        "option')].map((o) => o.textContent)"
    )
    assert memories[0] == "flash added" and "firmware flash" not in memories
