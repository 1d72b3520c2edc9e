"""The page of a choice, opened from disk in Chromium."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from motebench.advise.reference import table

pytestmark = pytest.mark.browser

SENSOR = (
    "--device samd21g18a --message 24 --every 10min --battery ls14500 --lorawan EU868 --dr 3 "
    "--nonce counter"
)


@pytest.fixture
def choice(opened, tmp_path, monkeypatch):
    path = Path(__file__).parents[1] / "support" / "choice_fixtures.py"
    spec = importlib.util.spec_from_file_location("choice_fixtures", path)
    fixtures = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "choice_fixtures", fixtures)
    spec.loader.exec_module(fixtures)
    fixtures.own_place(tmp_path, monkeypatch)
    fixtures.keep(
        "sim:samd21g18a",
        [
            *fixtures.message("aes-128-ccm", "mote/aes-ct", 48_000, flash=24_000, flash_net=4_000),
            *fixtures.message("ascon-aead128", "mote/ascon", 15_000, flash=23_000, flash_net=3_000),
            *fixtures.message("aes-128-gcm", "mote/aes-ct", 14_000, flash=23_020, flash_net=3_020),
            *fixtures.message("3des-eax", "mote/des", 90_000, flash=25_000, flash_net=5_000),
        ],
    )
    fixtures.ask(SENSOR, "--report", str(tmp_path / "choice.html"))
    yield opened(tmp_path / "choice.html")
    table.references.cache_clear()


@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_is_drawn_and_nothing_is_asked_for(choice, dark):
    page = choice.open(dark=dark)
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]
    drawn = page.js(
        """return [...document.querySelectorAll("figure[data-chart]")]
          .map((figure) => [figure.dataset.chart,
              figure.querySelectorAll("svg path").length > 3])"""
    )
    names = ["split", "life-by-size", "life-by-rate", "pareto", "heat"]
    assert drawn == [[name, True] for name in names]


def test_bars_that_look_the_same_are_one_with_a_sentence(choice):
    page = choice.open()
    assert (
        page.js("return document.querySelectorAll('#split svg .mark-text.role-mark text').length")
        == 2
    )
    said = page.js("return document.querySelector('#split .about').textContent")
    assert "% of the energy" in said and "the others look the same" in said


@pytest.mark.parametrize("width", [1280, 390])
def test_names_of_devices_and_ciphers_do_not_lie_over_each_other(choice, width):
    page = choice.open(width=width)
    boxes = page.js(
        """return [...document.querySelectorAll("figure[data-chart=heat] svg text")]
          .map((word) => [word.textContent, word.getBoundingClientRect()])
          .map(([text, box]) => [text, box.left, box.right, box.top, box.bottom])"""
    )
    assert len(boxes) > 5 and any(text == "samd21g18a, yours" for text, *_ in boxes)
    # Lines of one name may touch, by the room below its letters.
    over = [
        (a[0], b[0])
        for place, a in enumerate(boxes)
        for b in boxes[place + 1 :]
        if a[1] < b[2] and b[1] < a[2] and a[3] + 3 < b[4] and b[3] + 3 < a[4]
    ]
    assert over == []
    assert max(right for _, _, right, _, _ in boxes) <= width


def test_one_map_has_one_unit(choice):
    page = choice.open()
    cells = page.js(
        """return [...document.querySelectorAll(
          "figure[data-chart=heat] .mark-text.role-mark text")].map((word) => word.textContent)"""
    )
    assert cells and not [text for text in cells if not text.endswith("s")]


@pytest.mark.parametrize("name", ["split", "life-by-size", "life-by-rate", "pareto", "heat"])
def test_the_chosen_one_has_a_label_in_every_chart(choice, name):
    page = choice.open()
    texts = page.js(
        f"""return [...document.querySelectorAll("figure[data-chart={name}] svg text")]
          .map((word) => word.textContent)"""
    )
    assert len([text for text in texts if text.startswith("chosen")]) == 1


def test_the_first_screen_is_the_decision_with_bounds(choice):
    page = choice.open()
    parts = page.js(
        """return [...document.querySelectorAll("#answer .decision .ask")]
          .map((head) => [head.textContent, head.getBoundingClientRect().bottom])"""
    )
    assert parts[0][0] == "What decides" and len(parts) >= 4
    assert max(bottom for _, bottom in parts) < 900
    facts = page.js("return document.querySelector('#top').textContent")
    assert re.search(r"life\s+[\d.]+ years \([\d.]+ to [\d.]+\)", facts)


def test_it_fits_a_telephone(choice):
    page = choice.open(width=390)
    assert page.js("return document.documentElement.scrollWidth") <= 390


def test_pointing_at_a_bar_tells_its_energy(choice):
    page = choice.open()
    text = page.point(
        """[...document.querySelectorAll("#split svg .mark-rect path")]
          .sort((a, b) => b.getBBox().width - a.getBBox().width)[0]"""
    )
    assert "mJ" in text and "%" in text


def test_names_of_points_do_not_lie_over_each_other(choice):
    page = choice.open()
    names = page.js(
        """const chart = document.querySelector("figure[data-chart=pareto]");
        return [...chart.querySelectorAll(".mark-text.role-mark text")]
          .filter((word) => word.textContent).map((word) => word.textContent)"""
    )
    open_all(page)
    front = page.js(
        'return [...document.querySelectorAll("#candidates .why")].map((why) => why.textContent)'
    )
    assert sum("Pareto front" in why for why in front) == 2, (
        "both points are there, one just beside the other"
    )
    assert len(names) == 1


def open_all(page):
    page.js(
        """const closed = () =>
            document.querySelector('#candidates .toggle[aria-expanded="false"]');
        while (closed()) closed().click();"""
    )


def test_reasons_are_read_without_moving_the_table(choice):
    page = choice.open()
    open_all(page)
    seen = page.js(
        """return [...document.querySelectorAll("#candidates .why")].map((why) =>
          [why.getBoundingClientRect().right,
              why.closest(".scroll").getBoundingClientRect().right])"""
    )
    assert len(seen) == 3 and all(reason < table for reason, table in seen)
