"""Ways out of a question that admits nothing: other forms, and limits that give way."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from choice_candidates import GOOD, judged, question

from motebench.advise.choice import ways
from motebench.advise.choice.candidate import Broken, Judged
from motebench.advise.choice.question import (
    ChoiceQuestion,
    CostLimits,
    MessageForm,
    Need,
    Relaxed,
    Way,
)
from motebench.advise.choice.ways import (
    changes,
    fewest,
    forms,
    held_back,
    nearest,
    needed,
    recommending,
    relaxations,
)
from motebench.advise.radio.lorawan import link
from motebench.advise.radio.message import Nonce
from motebench.catalog.libraries import Maturity
from motebench.catalog.policies import policy
from motebench.catalog.radios import RADIOS, REGIONS

CARRIED, COUNTER = Nonce.CARRIED, Nonce.COUNTER


@pytest.mark.parametrize(
    ("form", "need", "options"),
    [
        (
            MessageForm(CARRIED),
            Need.AEAD,
            ["--nonce counter", "--tag 8", "--nonce counter --tag 8"],
        ),
        (
            MessageForm(CARRIED, 9),
            Need.MAC,
            ["--nonce counter", "--tag 8", "--nonce counter --tag 8"],
        ),
        (MessageForm(CARRIED, 8), Need.AEAD, ["--nonce counter"]),
        (MessageForm(COUNTER, 16), Need.AEAD, ["--tag 8"]),
        (MessageForm(CARRIED), Need.ENCRYPTION, ["--nonce counter"]),
        (MessageForm(COUNTER, 4), Need.AEAD, []),
        (MessageForm(CARRIED), Need.HASH, []),
        (MessageForm(CARRIED), Need.SIGNATURE, []),
    ],
)
def test_other_forms_have_a_nonce_from_a_counter_and_a_shorter_tag(form, need, options) -> None:
    made = list(forms(form, need))
    assert [option for option, _ in made] == options
    for option, other in made:
        assert (other.nonce is COUNTER) is ("counter" in option or form.nonce is COUNTER)
        assert other.tag_bytes == (8 if "--tag" in option else form.tag_bytes)


def radio(rate: int) -> Any:
    return link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), rate)


def test_rates_and_fragments_are_changes_where_there_is_a_radio() -> None:
    counted = MessageForm(COUNTER, 8)
    assert list(changes(question(form=counted))) == []
    asked = question(form=counted, link=radio(3))
    made = dict(changes(asked))
    assert list(made) == ["--dr 4", "--dr 5", "--dr 6", "--dr 7", "--fragment"]
    assert made["--fragment"].scene.link == replace(asked.scene.link, fragment=True)
    assert made["--dr 5"].scene.link is not None and not made["--dr 5"].scene.link.fragment
    whole = replace(radio(7), fragment=True)
    assert list(changes(question(form=counted, link=whole))) == []


def test_of_one_option_only_the_first_change_that_is_recommended_is_a_way() -> None:
    asked = question(form=MessageForm(CARRIED), link=radio(3))
    tried: list[ChoiceQuestion] = []

    def leading(changed: ChoiceQuestion) -> Judged | None:
        tried.append(changed)
        if changed.form.nonce is COUNTER or changed.scene.link != asked.scene.link:
            return judged()
        return judged(standing=replace(GOOD, tier=1))

    found = recommending(asked, leading)
    assert [way.option for way in found] == ["--nonce counter", "--dr 4", "--fragment"]
    assert len(tried) == 4  # the shorter tag was tried in vain
    assert recommending(asked, lambda _: None) == ()


def test_a_candidate_is_held_back_with_what_admits_a_better_one() -> None:
    poor = judged("xtea-eax by a", standing=replace(GOOD, words=("old", "weak")))
    poor = replace(poor, broken=(Broken("x", "y"),))
    better = judged("aes-128-ccm by b")
    back = held_back(poor, [Way("--dr 4", better), Way("--tag 8", better)])
    assert back.broken == (
        Broken("x", "y"),
        Broken(
            "recommended",
            "old; weak: less recommended than aes-128-ccm, which --dr 4 or --tag 8 admits",
        ),
    )


@pytest.mark.parametrize(
    ("value", "unit", "result"),
    [
        (1000.2, "B", 1001.0),
        (1000.0, "B", 1000.0),
        (0.00123456, "s", 0.001235),
        (123_456.0, "s", 123_500.0),
        (1.5, "s", 1.5),
        (0.3, "s", 0.3),
        (0.0, "s", 0.0),
        (None, "s", 0.0),
        (9999.5, "s", 10_000.0),
    ],
)
def test_a_relaxed_limit_is_rounded_up_to_four_digits(value, unit, result) -> None:
    assert needed(Broken("x", "y", 1.0, value, unit)) == pytest.approx(result, rel=1e-12)


Trying = Callable[..., ChoiceQuestion | None]


@pytest.fixture
def given_way(monkeypatch: pytest.MonkeyPatch) -> Trying:
    """The question that admits a candidate with these limits; None if there is none."""

    def tried(asked: ChoiceQuestion, *broken: Broken, then: tuple[Any, ...] = ()) -> Any:
        made = judged(broken=broken)
        rounds = iter([*then, ()])
        monkeypatch.setattr(ways, "candidates", lambda offers, asked: [judged("x25519"), made])
        monkeypatch.setattr(
            ways,
            "judge",
            lambda item, _: replace(item, broken=next(rounds)) if item is made else item,
        )
        found = nearest([made], asked, lambda _: judged())
        return (found[0].question, found[0].broken) if found else None

    return tried


def limit(name: str, option: str, value: float | None = None, unit: str = "") -> Broken:
    return Broken(name, "why", 1.0, value, unit, option)


def test_limits_of_costs_give_way_as_far_as_needed(given_way) -> None:
    asked = question(limits=CostLimits(10, 20, 0.5))
    flash = limit("flash", "--flash", 1000.5, "B")
    admitting, broken = given_way(asked, flash)
    assert admitting.limits == CostLimits(1001, 20, 0.5) and broken == (flash,)
    admitting, _ = given_way(asked, limit("ram", "--ram", 77, "B"))
    assert admitting.limits == CostLimits(10, 77, 0.5)
    admitting, _ = given_way(asked, limit("latency", "--max-latency", 0.75, "s"))
    assert admitting.limits == CostLimits(10, 20, 0.75)
    # Nothing is known of the share of flash.
    admitting, _ = given_way(asked, limit("flash", "--flash"))
    assert admitting.limits == CostLimits(None, 20, 0.5)
    of_device = replace(asked, limits=replace(asked.limits, of_device=frozenset({"ram"})))
    assert given_way(of_device, limit("ram", "--ram", 77, "B")) is None
    assert given_way(of_device, flash) is not None


def test_limits_that_come_to_light_later_give_way_too(given_way) -> None:
    asked = question(limits=CostLimits(10, 20))
    flash, ram = limit("flash", "--flash", 30, "B"), limit("ram", "--ram", 40, "B")
    admitting, broken = given_way(asked, flash, then=((ram,),))
    assert admitting.limits == CostLimits(30, 40) and broken == (flash, ram)
    # Four more rounds, and no fifth
    assert given_way(asked, flash, then=((ram,),) * 4) is not None
    assert given_way(asked, flash, then=((ram,),) * 5) is None


def test_limits_of_the_radio_give_way_by_time_rate_or_fragments(given_way) -> None:
    asked = question(link=radio(3), every_s=10.0)
    for name in ("duty-cycle", "fair-use", "interval"):
        admitting, _ = given_way(asked, limit(name, "--every", 12.3456, "s"))
        assert admitting.scene.every_s == pytest.approx(12.35)
    admitting, _ = given_way(asked, limit("payload", "--fragment", 99, "B"))
    assert admitting.scene.link == replace(asked.scene.link, fragment=True)
    admitting, _ = given_way(asked, limit("dwell-time", "--dr", 1.0, "s"))
    assert admitting.scene.link == next(iter(asked.scene.link.faster()))[1]
    fastest = question(link=[quicker for _, quicker in asked.scene.link.faster()][-1])
    assert given_way(fastest, limit("dwell-time", "--dr", 1.0, "s")) is None
    assert given_way(question(), limit("payload", "--fragment", 99, "B")) is None


def test_demands_give_way_by_their_options(given_way) -> None:
    demands = {
        "until": datetime.date(2040, 1, 1),
        "constant_time": True,
        "protect_key": True,
        "strength_bits": 192,
    }
    asked = question(demands=demands, form=MessageForm(tag_bytes=4))
    cases: list[tuple[str, float | None, dict[str, Any]]] = [
        ("--policy legacy", None, {"policy": policy("legacy")}),
        ("--need encryption", None, {"need": Need.ENCRYPTION}),
        ("--until", None, {"until": None}),
        ("--constant-time", None, {"constant_time": False}),
        ("--protect-key", None, {"protect_key": False}),
        ("--include research", None, {"research": True}),
        ("--strength", 128.0, {"strength_bits": 128}),
    ]
    for option, value, changed in cases:
        admitting, _ = given_way(asked, limit("x", option, value))
        assert admitting.demands == replace(asked.demands, **changed), option
        assert admitting.form == asked.form
    assert given_way(asked, limit("x", "--strength")) is None
    assert given_way(asked, limit("x", "--nothing")) is None
    admitting, _ = given_way(asked, limit("x", "--tag 12"))
    assert (admitting.form.tag_bytes, admitting.demands) == (12, asked.demands)
    admitting, _ = given_way(asked, limit("x", "--tag"))
    assert admitting.form.tag_bytes is None


def rejected(name: str, *broken: Broken, **of_standing: Any) -> Judged:
    return judged(name, broken=broken, standing=replace(GOOD, **of_standing))


@pytest.fixture
def admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever gives way admits its candidate."""

    def candidates(offers: Any, _: Any) -> list[Judged]:
        return [replace(judged(), offers=offers)]

    monkeypatch.setattr(ways, "candidates", candidates)
    monkeypatch.setattr(ways, "judge", lambda item, _: item)


def nearest_of(*entries: Judged, count: int = 5, leading: Any = None) -> list[str]:
    leading = leading or (lambda _: judged())
    found = nearest(entries, question(), leading, count)
    return [relaxed.candidate.implementation for relaxed in found]


@pytest.mark.usefixtures("admitted")
def test_the_nearest_break_few_limits_by_little() -> None:
    flash = limit("flash", "--flash", 3.0, "B")
    far, near = (
        rejected("ascon-aead128 by far", flash),
        rejected("aes-128-ccm by near", limit("flash", "--flash", 2.0, "B")),
    )
    assert nearest_of(far, near) == ["near", "far"]
    two = rejected("aes-128-gcm by two", limit("ram", "--ram", 1.1, "B"), flash)
    assert nearest_of(two, far) == ["far", "two"]
    principle = rejected("aes-256-ccm by principle", Broken("policy", "old", option="--until"))
    assert nearest_of(principle, two) == ["two", "principle"]
    poor = rejected("xtea-eax by poor", flash, tier=1)
    assert nearest_of(poor, two) == ["two", "poor"]
    mature = rejected("aes-256-gcm by mature", flash, maturity=Maturity.REVIEWED)
    assert nearest_of(far, mature) == ["mature", "far"]


@pytest.mark.usefixtures("admitted")
def test_one_of_each_scheme_is_named_up_to_the_count() -> None:
    near, far = (limit("flash", "--flash", value, "B") for value in (2.0, 3.0))
    entries = [
        rejected("aes-128-ccm by a", near),
        rejected("aes-128-ccm by b", far),
        rejected("aes-128-gcm by c", far),
        rejected("ascon-aead128 by d", limit("flash", "--flash", 4.0, "B")),
    ]
    assert nearest_of(*entries) == ["a", "c", "d"]
    assert nearest_of(*entries, count=2) == ["a", "c"]


@pytest.mark.usefixtures("admitted")
def test_what_no_option_admits_is_not_near() -> None:
    flash = limit("flash", "--flash", 2.0, "B")
    missing = rejected("aes-128-ccm by a", flash, Broken("result", "none"))
    assert nearest_of(missing) == []
    # The whole choice has to have a first candidate, too
    poor = rejected("xtea-eax by poor", flash, tier=1)
    assert nearest_of(poor, leading=lambda _: None) == []
    assert nearest_of(rejected("aes-128-ccm by a", flash), leading=lambda _: None) == []


def relaxed(asked: ChoiceQuestion, first: str = "aes-128-ccm by a") -> Relaxed:
    return Relaxed(judged(), (), asked, judged(first))


def test_options_of_a_relaxed_question_are_typed_as_they_stand() -> None:
    demands = {
        "until": datetime.date(2041, 12, 31),
        "constant_time": True,
        "protect_key": True,
        "strength_bits": 256,
    }
    asked = question(
        demands=demands,
        limits=CostLimits(flash=2000, ram=300, latency_s=0.5e-3),
        form=MessageForm(tag_bytes=4),
        every_s=10.0,
    )
    given_up = replace(
        asked,
        demands=replace(
            asked.demands,
            policy=policy("legacy"),
            until=None,
            constant_time=False,
            protect_key=False,
            research=True,
            strength_bits=128,
        ),
        limits=CostLimits(flash=None, ram=516, latency_s=18.13e-3),
        form=MessageForm(tag_bytes=12),
        scene=replace(asked.scene, every_s=39_020.0),
    )
    assert [entry.words for entry in relaxations(relaxed(given_up), asked)] == [
        "--policy legacy",
        "without --until",
        "without --constant-time",
        "without --protect-key",
        "--include research",
        "--tag 12",
        "--strength 128 (now 256 bits, 50 %)",
        "--every 39020s (now 10.00 s, 390,000 %)",
        "without --flash",
        "--ram 516 (now 300 B, 72 %)",
        "--max-latency 18.13ms (now 500.0 µs, 3,500 %)",
    ]
    short = replace(asked, limits=replace(asked.limits, latency_s=833.4e-6))
    assert relaxations(relaxed(short), asked)[0].typed == "--max-latency 833.4us"
    whole = replace(asked, form=MessageForm())
    assert [entry.words for entry in relaxations(relaxed(whole), asked)] == ["without --tag"]
    assert relaxations(relaxed(asked), asked) == []


def test_options_of_the_radio_are_typed_as_they_stand() -> None:
    slow = link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 0)
    asked = question(link=slow)
    faster = question(link=replace(dict(slow.faster())["--dr 3"], fragment=True))
    assert [entry.words for entry in relaxations(relaxed(faster), asked)] == [
        "--fragment",
        "--dr 3",
    ]


def test_what_gives_up_more_for_the_same_is_needless() -> None:
    def larger(flash: int, ram: int, first: str) -> Relaxed:
        limits = CostLimits(flash=flash, ram=ram)
        return relaxed(replace(asked, limits=limits), first)

    asked = question(limits=CostLimits(flash=1000, ram=100))
    least, same = larger(1000, 200, "aes-128-ccm by a"), larger(1000, 300, "aes-128-ccm by a")
    other, both = larger(1000, 300, "aes-128-gcm by b"), larger(2000, 200, "aes-128-gcm by b")
    flash = larger(2000, 100, "aes-128-gcm by b")
    assert fewest([least, same], asked) == [least]
    assert fewest([least, other], asked) == [least, other]
    assert fewest([least, both], asked) == [least]
    assert fewest([least, flash], asked) == [least, flash]
    assert fewest([least, least], asked) == [least]
