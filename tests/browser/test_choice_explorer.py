"""The sliders of the page of a choice: each looks up the answer at its stop."""

from __future__ import annotations

from pathlib import Path

import pytest
from choice_fixtures import made_up as made_up_answer
from choice_fixtures import sensor

from motebench.advise.choice.choice_document import choice_entry
from motebench.advise.choice.choosing import answer
from motebench.advise.choice.explorer import Exploration, exploration
from motebench.advise.choice.pictures import pictures
from motebench.advise.choice.question import Chosen
from motebench.advise.reference import table
from motebench.show.report.choice_page import write_choice

pytestmark = pytest.mark.browser

SAID = "return document.querySelector('#explorer .first').textContent"
MOVE = """const box = document.getElementById(arguments[0]);
box.value = arguments[1];
box.dispatchEvent(new Event(box.tagName === "SELECT" ? "change" : "input"));"""


def written(chosen: Chosen, path: Path) -> Path:
    return write_choice(choice_entry(chosen), pictures(chosen), path, model=exploration(chosen))


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    yield made_up_answer(tmp_path, monkeypatch)
    table.references.cache_clear()


def explored(chosen: Chosen) -> Exploration:
    found = exploration(chosen)
    assert found is not None
    return found


def test_every_stop_shows_its_answer(opened, made_up, tmp_path):
    found = explored(made_up)
    path = written(made_up, tmp_path / "choice.html")
    page = opened(path).open()
    for entry in found.inputs:
        for place, number in enumerate(entry.answers):
            page.js(MOVE, f"explore-{entry.name}", place)
            answer = found.answers[number]
            rows = page.js(
                "return [...document.querySelectorAll('#explorer tbody tr')].map((row) => "
                "[row.cells[0], row.cells[1], row.cells[2]].map((cell) => cell.textContent))"
            )
            assert page.js(SAID) == answer.words
            assert rows == [
                [one.rank or "\N{EN DASH}", one.scheme, one.implementation]
                for one in answer.candidates
            ]
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]
    assert path.stat().st_size < 1e6


def test_one_slider_moves_at_a_time_and_the_button_brings_the_answer_back(
    opened, made_up, tmp_path
):
    found = explored(made_up)
    page = opened(written(made_up, tmp_path / "choice.html")).open(width=390)
    page.wait("return document.getElementById('explorer').dataset.drawn === 'yes'")
    assert page.js("return document.documentElement.scrollWidth") <= 390
    before = page.js(SAID)
    first = made_up.ranked[0].candidate
    assert f"{first.scheme} by {first.implementation}" in before
    rate, length = (
        next(entry for entry in found.inputs if entry.name == name) for name in ("rate", "length")
    )
    page.js(MOVE, "explore-rate", 0)
    page.js(MOVE, "explore-length", len(length.stops) - 1)
    assert page.js(SAID) == found.answers[length.answers[-1]].words
    assert page.js("return document.getElementById('explore-rate').value") == str(rate.asked)
    page.js(
        "[...document.querySelectorAll('#explorer button')].find((one) => one.textContent === "
        "'As asked').click()"
    )
    assert page.js(SAID) == before


def test_a_printed_answer_has_its_inputs_and_room_for_the_reasons(opened, made_up, tmp_path):
    page = opened(written(made_up, tmp_path / "choice.html")).open(width=794)
    page.wait("return document.getElementById('explorer').dataset.drawn === 'yes'")
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    words = page.js("return document.querySelector('.sliders').innerText").split("\n")
    assert any(text.startswith("Rate ") and text != "Rate " for text in words)
    assert page.js(
        "return [...document.querySelectorAll('.sliders input')].every((box) => !box.offsetWidth)"
    )
    widths = page.js(
        "return [...document.querySelectorAll('#explorer tbody tr')].map((row) => "
        "[row.cells[0].offsetWidth, row.querySelector('.reason').offsetWidth])"
    )
    assert widths and all(reason > 2 * rank for rank, reason in widths)
    assert page.js("return document.documentElement.scrollWidth") <= 794
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_no_name_is_cut_within_a_word(opened, made_up, tmp_path):
    page = opened(written(made_up, tmp_path / "choice.html")).open()
    page.wait("return document.getElementById('explorer').dataset.drawn === 'yes'")
    assert page.js(
        "return [...document.querySelectorAll('.paged .name')].every((cell) => "
        "getComputedStyle(cell).overflowWrap === 'break-word')"
    )


def test_a_page_without_candidates_has_no_legend_of_colours(opened, tmp_path, monkeypatch):
    chosen = answer(sensor(flash=1))
    assert not chosen.ranked
    page = opened(written(chosen, tmp_path / "choice.html")).open()
    assert page.js("return document.querySelectorAll('.colours').length") == 0
    assert page.messages() == []


def test_the_page_of_a_product_is_small(tmp_path):
    chosen = answer(sensor(research=False))
    assert written(chosen, tmp_path / "choice.html").stat().st_size < 1e6
