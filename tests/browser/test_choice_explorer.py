"""The sliders of the page of a choice: the page computes what ``choose`` computes."""

from __future__ import annotations

import importlib.util
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from motebench.advise.choice.choice_document import choice_entry
from motebench.advise.choice.choosing import answer, choose
from motebench.advise.choice.explorer import explorer, lengths
from motebench.advise.choice.pictures import pictures
from motebench.advise.choice.question import PUBLIC_KEY, Chosen, Need, Role
from motebench.advise.choice.request import ChoiceRequest
from motebench.advise.choice.ways import changes
from motebench.advise.energy.consumption import link
from motebench.advise.reference import table
from motebench.base.errors import InputError
from motebench.catalog.devices import devices
from motebench.catalog.parts import BATTERIES, ELEMENTS
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.show.report.choice_page import write_choice

pytestmark = pytest.mark.browser


def sensor(**changes: object) -> ChoiceRequest:
    found = ChoiceRequest(
        device=devices()["samd21g18a"],
        message_bytes=24,
        every_s=600.0,
        link=link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3),
        battery=BATTERIES.find("ls14500", None),
        research=True,
    )
    return replace(found, **changes)


def written(chosen: Chosen, path: Path) -> Path:
    model = explorer(chosen)
    return write_choice(choice_entry(chosen), pictures(chosen), path, model=model)


def settings(chosen: Chosen, count: int, criteria: tuple[str, ...]) -> list[dict]:
    """Random positions of all sliders."""
    chance = random.Random(17)
    question = chosen.question
    longest = min(100, question.scene.link.longest - 40 if question.scene.link else 100)
    need = question.demands.need
    places = lengths(question) if need in PUBLIC_KEY else range(1, longest + 1)
    flash, ram, time = (
        ((3.5, 5), (2.8, 4.5), (-2, 2)) if need in PUBLIC_KEY else ((3, 4.5), (2.3, 4), (-4, -1))
    )
    found = []
    for _ in range(count):
        order = {
            name: float(chance.randint(1, 9))
            for name in chance.sample(criteria, chance.choice((1, 1, 2, 3)))
        }
        found.append(
            {
                "length": chance.choice(places),
                "every": 10 ** chance.uniform(2, 4.9) * (100 if need in PUBLIC_KEY else 1),
                "flash": chance.choice(
                    (question.limits.flash, round(10 ** chance.uniform(*flash)))
                ),
                "ram": chance.choice((question.limits.ram, round(10 ** chance.uniform(*ram)))),
                "latency": chance.choice((None, 10 ** chance.uniform(*time))),
                "strength": chance.choice(
                    (0, 112, 128, 256) if need not in PUBLIC_KEY else (0, 112, 128, 192)
                ),
                "equal": chance.choice((0.0, 0.01, 0.1)),
                "order": order,
            }
        )
    return found


def by_python(chosen: Chosen, setting: dict) -> list[list] | None:
    """The ranked candidates of the whole choice: names, rank, and typical figures with the bounds
    of life.
    """
    question = chosen.question
    limits = replace(
        question.limits,
        flash=setting["flash"],
        ram=setting["ram"],
        latency_s=setting["latency"],
    )
    asked = replace(
        question,
        scene=replace(
            question.scene, message_bytes=setting["length"], every_s=setting["every"], known={}
        ),
        demands=replace(question.demands, strength_bits=setting["strength"]),
        limits=limits,
        order=setting["order"],
        equal=setting["equal"],
    )
    try:
        found = choose(chosen.offers, asked)
    except InputError:
        return None
    first = found.ranked[0].candidate if found.ranked else None
    if first is not None and first.standing.tier and any(changes(asked)):
        # The page cannot try other options, so it leaves a less recommended one unchosen.
        return []
    rows = []
    for entry in found.ranked:
        one = entry.candidate
        life = one.life.value if one.life else None
        figures = [life.low, life.typical, life.high] if life else []
        figures += [
            one.energy_j.typical if one.energy_j else 0.0,
            one.latency.value.typical if one.latency else 0.0,
        ]
        figures += [each.value.typical if each else 0.0 for each in (one.flash, one.ram)]
        rows.append([one.scheme, one.implementation, entry.rank, [*figures, one.sent.total_bytes]])
    return rows


BY_PAGE = """
const typical = (figure) => (figure ? figure[1] : 0);
return motebenchExplorer.answer(arguments[0]).ranked.map((one) => [one.scheme, one.implementation,
    one.rank,
  [...(one.life ?? []), typical(one.energy), typical(one.latency), typical(one.flash),
      typical(one.ram), one.sent]]);
"""


def compare(page, chosen: Chosen, asked: list[dict]) -> set[str]:
    """Every candidate of every setting: place, rank, figures. Returns the schemes that were
    first.
    """
    firsts = set()
    for setting in asked:
        wanted = by_python(chosen, setting)
        if wanted is None:
            continue
        found = page.js(BY_PAGE, setting)
        assert [row[:3] for row in found] == [row[:3] for row in wanted], setting
        for own, other in zip(found, wanted, strict=True):
            assert own[3] == pytest.approx(other[3], rel=1e-9), (own[:2], setting)
        if wanted:
            firsts.add(wanted[0][0])
    return firsts


def test_the_page_never_puts_a_less_recommended_one_first(opened, tmp_path):
    """40 bytes and a tag of 16 do not fit a frame of DR0, those of XTEA with 8 do."""
    slow = link(RADIOS.find("stm32wle5", None), REGIONS.find("EU868", None), 0)
    every = {"device": devices()["stm32wle5"], "link": slow, "every_s": 1800.0, "research": False}
    chosen = answer(sensor(message_bytes=40, **every))
    assert chosen.first is None and chosen.ways[0].option == "--tag 8"
    shorter = answer(sensor(message_bytes=30, **every))
    page = opened(written(shorter, tmp_path / "choice.html")).open()
    limits = shorter.question.limits
    asked = {
        "length": 40,
        "every": 1800.0,
        "strength": 0,
        "latency": None,
        "flash": limits.flash,
        "ram": limits.ram,
        "equal": 0.01,
        "order": {"life": 1.0},
    }
    found = page.js(
        "const got = motebenchExplorer.answer(arguments[0]); return [got.ranked.length, got.ways]",
        asked,
    )
    assert found[0] == 0 and found[1][0] == "--tag 8"
    page = opened(written(chosen, tmp_path / "none.html")).open()
    assert "Nothing: no recommended candidate keeps all limits" in page.js(
        "return document.querySelector('h1').textContent"
    )


CRITERIA = ("life", "energy", "latency", "flash", "ram")


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    path = Path(__file__).parents[1] / "support" / "choice_fixtures.py"
    spec = importlib.util.spec_from_file_location("choice_fixtures", path)
    fixtures = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "choice_fixtures", fixtures)
    spec.loader.exec_module(fixtures)
    fixtures.own_place(tmp_path, monkeypatch)
    chance = random.Random(3)

    def cycles(least: int) -> dict[int, int]:
        return {
            size: least + round(size * least / 30) + chance.randint(0, 99)
            for size in fixtures.SIZES
        }

    schemes = [
        ("aes-128-ccm", "mbedtls/aes"),
        ("aes-256-gcm", "mbedtls/aes"),
        ("aes-128-cbc", "mote/aes-ct"),
        ("ascon-aead128", "mote/ascon"),
        ("chacha20-poly1305", "mbedtls/chacha20"),
        ("3des-eax", "libtomcrypt/3des"),
        ("xtea-eax", "mote/xtea"),
        ("chacha20", "mote/chacha20"),
        ("aes-128-ctr", "mote/aes-fast"),
    ]
    entries = [
        entry
        for scheme, by in schemes
        for entry in fixtures.message(
            scheme,
            by,
            cycles(chance.randint(20_000, 900_000)),
            stack=chance.randint(100, 900),
            flash=22_000 + chance.randint(0, 4_000),
            flash_net=chance.randint(500, 5_000),
        )
    ]
    for name in ("hmac-sha256", "hmac-sha512", "hmac-sha3-256"):
        net = chance.randint(1_000, 6_000)
        entries += fixtures.operation(
            "mac", name, f"mote/{name[5:]}", cycles(60_000), flash=20_000 + net, flash_net=net
        )
    fixtures.keep("sim:samd21g18a", entries)
    yield answer(sensor())
    table.references.cache_clear()


def test_the_page_computes_what_choose_computes(opened, made_up, tmp_path):
    path = written(made_up, tmp_path / "choice.html")
    page = opened(path).open()
    firsts = compare(page, made_up, settings(made_up, 20, CRITERIA))
    assert len(firsts) >= 3, "the settings have to move the answer"
    assert page.messages() == [] and page.requests() == [page.path.as_uri()]
    assert path.stat().st_size < 1.5e6


def test_the_page_of_a_product_is_small(tmp_path):
    chosen = answer(sensor(research=False))
    assert written(chosen, tmp_path / "choice.html").stat().st_size < 1.5e6


def test_sliders_move_the_answer_and_the_button_brings_it_back(opened, made_up, tmp_path):
    page = opened(written(made_up, tmp_path / "choice.html")).open(width=390)
    page.wait("return document.getElementById('explorer').dataset.drawn === 'yes'")
    assert page.js("return document.documentElement.scrollWidth") <= 390
    before = page.js("return document.querySelector('#explorer .first').textContent")
    first = made_up.ranked[0].candidate
    assert f"{first.scheme} by {first.implementation}" in before
    page.js(
        """for (const [id, value] of [["weight-life", 0], ["weight-flash", 9], ["explore-length",
            900]]) {
          const input = document.getElementById(id);
          input.value = value;
          input.dispatchEvent(new Event("input"));
        }"""
    )
    page.wait(f"return document.querySelector('#explorer .first').textContent !== {before!r}")
    assert page.js("return document.querySelectorAll('#explorer svg circle.lead').length") == 1
    page.js(
        "[...document.querySelectorAll('#explorer button')].find((one) => one.textContent === "
        "'As asked').click()"
    )
    page.wait(f"return document.querySelector('#explorer .first').textContent === {before!r}")


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {"device": "nrf52840"},
        {"device": "atmega2560"},
        {"need": Need.MAC, "tag_bytes": 8},
        {"need": Need.ENCRYPTION, "has": ("lorawan",)},
    ],
)
def test_reference_results_give_the_same_in_the_page(opened, tmp_path, changes):
    device = devices()[changes.pop("device", "samd21g18a")]
    chosen = answer(sensor(device=device, **changes))
    path = written(chosen, tmp_path / "choice.html")
    page = opened(path).open()
    assert len(compare(page, chosen, settings(chosen, 20, CRITERIA))) >= 3


@pytest.mark.long
def test_a_length_beyond_what_was_measured_is_fixed(opened, tmp_path):
    chosen = answer(
        sensor(need=Need.HASH, message_bytes=65536, link=None, battery=None, every_s=None)
    )
    model = explorer(chosen)
    assert model is not None and model.scene.fixed
    page = opened(written(chosen, tmp_path / "choice.html")).open()
    asked = [{**one, "length": 65536, "every": None} for one in settings(chosen, 8, CRITERIA[1:])]
    assert compare(page, chosen, asked) == {"sha256"}
    assert page.js("return document.getElementById('explore-length')") is None


def asymmetric(need: Need, **changes: object) -> Chosen:
    at = link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3, fragment=True)
    length = {Need.UPDATE: 102_400, Need.SIGNATURE: 24}.get(need, 0)
    return answer(sensor(need=need, message_bytes=length, every_s=1e6, link=at, **changes))


@pytest.mark.parametrize(
    ("need", "changes"),
    [
        (Need.KEM, {"role": Role.DECAPSULATE}),
        pytest.param(Need.SIGNATURE, {}, marks=pytest.mark.long),
        pytest.param(
            Need.AGREEMENT, {"element": ELEMENTS.find("atecc608b", None)}, marks=pytest.mark.long
        ),
        pytest.param(
            Need.SIGNATURE, {"role": Role.VERIFY, "research": False}, marks=pytest.mark.long
        ),
        pytest.param(Need.KEM, {"research": False}, marks=pytest.mark.long),
        pytest.param(Need.UPDATE, {"research": False}, marks=pytest.mark.long),
    ],
)
def test_questions_of_public_keys_have_sliders(opened, tmp_path, need, changes):
    chosen = asymmetric(need, **changes)
    path = written(chosen, tmp_path / "choice.html")
    page = opened(path).open()
    asked = settings(chosen, 30, CRITERIA)
    answers = [by_python(chosen, one) for one in asked]
    assert len(compare(page, chosen, asked)) >= 2, "the settings have to move the answer"
    assert len([one for one in answers if one]) > 5 and len({len(one or ()) for one in answers}) > 1
    assert page.messages() == [] and path.stat().st_size < 1.8e6


@pytest.mark.long
def test_each_slider_of_an_update_moves_the_answer(opened, tmp_path):
    """Rate, strength, time, RAM and flash, one at a time."""
    chosen = asymmetric(Need.UPDATE)
    page = opened(written(chosen, tmp_path / "choice.html")).open()
    first = settings(chosen, 1, CRITERIA)[0]
    now = chosen.question.limits
    plain = {
        **first,
        "length": 102_400,
        "every": 1e6,
        "flash": now.flash,
        "ram": now.ram,
        "latency": None,
        "strength": 0,
        "equal": 0.01,
        "order": {"life": 1.0},
    }
    moved = [
        {**plain, **one}
        for one in ({"strength": 192}, {"latency": 0.5}, {"ram": 1000}, {"flash": 9000})
    ]
    moved.append({**plain, "every": 3000.0})
    answers = [by_python(chosen, one) for one in (plain, *moved)]
    compare(page, chosen, [plain, *moved])
    assert len(answers) == 6
    assert [one for one in answers[1:] if one == answers[0]] == []
