"""Order, ties and bounds of ratios among candidates that are made up for each test."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from choice_candidates import GOOD, SILENT, around, drawn, judged, names_of, question

from motebench.advise.choice import ranking
from motebench.advise.choice.candidate import Judged, SchemeOffer, SentBytes, TimeShare
from motebench.advise.choice.question import Need
from motebench.advise.choice.ranking import (
    figure_of,
    leaders,
    lesser,
    magnitude,
    rank,
    weights,
    worse,
)
from motebench.advise.radio.link import EnergyPart
from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.base.quantities import UNCHANGED, Interval
from motebench.catalog.currents import Drawn
from motebench.catalog.libraries import Maturity
from motebench.catalog.parts import BATTERIES
from motebench.catalog.quantities import Supply


def timed(name: str, seconds: float, part: float = 0.0, **changes: Any) -> Judged:
    return judged(f"aes-128-ccm by {name}", latency=around(seconds, part), **changes)


def standing(**changes: Any) -> Any:
    return replace(GOOD, **changes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("life", {"life": 1.0}),
        ("latency=2, flash = 1", {"latency": 2.0, "flash": 1.0}),
        ("ram=1000000", {"ram": 1e6}),
        ("energy=0.5", {"energy": 0.5}),
    ],
)
def test_criteria_have_the_weights_of_the_text(text, expected) -> None:
    assert weights(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "speed", "flash=0", "flash=-1", "flash=1000001", "flash=nan", "flash=x", "ram,ram=2"],
)
def test_what_is_no_criterion_with_a_weight_is_refused(text) -> None:
    with pytest.raises(InputError, match="is not a criterion") as error:
        weights(text)
    assert error.value.where == "--rank"


def test_a_misspelt_criterion_is_suggested_and_a_wrong_weight_is_not() -> None:
    with pytest.raises(InputError, match="latency") as error:
        weights("latncy")
    assert error.value.hint and "latency" in error.value.hint
    with pytest.raises(InputError) as error:
        weights("latency=0")
    assert error.value.hint is None


def test_the_figure_of_each_criterion() -> None:
    made = judged(
        latency=around(1.0), flash=around(2.0), ram=around(3.0), years=around(4.0), joules=5.0
    )
    figures = {
        name: figure_of(made, name).typical  # type: ignore[union-attr]
        for name in ("latency", "throughput", "flash", "ram", "life", "energy")
    }
    assert figures == {
        "latency": 1.0,
        "throughput": 1.0,
        "flash": 2.0,
        "ram": 3.0,
        "life": 4.0,
        "energy": 5.0,
    }
    assert figure_of(replace(made, life=None), "life") is None
    assert figure_of(replace(made, energy={}), "energy") is None


def test_the_best_typical_figure_comes_first_with_its_ratio() -> None:
    entries = [timed("b", 3e-3), timed("a", 1e-3), timed("c", 2e-3)]
    ranked = rank(entries, question())
    assert names_of([entry.candidate for entry in ranked]) == ["a", "c", "b"]
    assert [entry.rank for entry in ranked] == [1, 2, 3]
    assert [entry.tied for entry in ranked] == [False] * 3
    assert [entry.worse.typical for entry in ranked] == pytest.approx([1.0, 2.0, 3.0])
    assert names_of(leaders(entries, question())) == ["a"]
    assert leaders([], question()) == [] and rank([], question()) == []


def test_candidates_within_the_indifference_share_a_rank() -> None:
    entries = [timed("c", 1.21e-3), timed("b", 1.1e-3), timed("a", 1e-3)]
    asked = question(equal=0.1)
    ranked = rank(entries, asked)
    assert [(entry.candidate.implementation, entry.rank, entry.tied) for entry in ranked] == [
        ("a", 1, True),
        ("b", 1, True),
        ("c", 3, False),
    ]
    assert names_of(leaders(entries, asked)) == ["a", "b"]
    assert [entry.rank for entry in rank(entries, question(equal=0.099))] == [1, 2, 3]
    assert len(rank(entries, asked, most=1)) == 1
    assert len(rank(entries, asked, most=2)) == 2
    assert [entry.rank for entry in rank(entries, asked, most=3)] == [1, 1, 3]


def test_a_long_life_is_better_and_a_short_time_is() -> None:
    long = timed("long", 9.0, years=around(5.0))
    short = timed("short", 1.0, years=around(2.0))
    assert names_of(leaders([short, long], question({"life": 1.0}))) == ["long"]
    assert names_of(leaders([short, long], question({"throughput": 1.0}))) == ["short"]


def test_weights_are_exponents_of_the_criteria() -> None:
    quick = timed("quick", 1.0, flash=around(4.0))
    small = timed("small", 2.0, flash=around(1.0))
    assert names_of(leaders([quick, small], question({"latency": 1, "flash": 1}))) == ["small"]
    assert names_of(leaders([quick, small], question({"latency": 3, "flash": 1}))) == ["quick"]
    ratio = worse(small, quick, question({"latency": 3, "flash": 1}))
    assert ratio.typical == pytest.approx((2**3 / 4) ** 0.25)
    assert ratio.low == pytest.approx(ratio.typical) == ratio.high


def test_groups_come_one_after_another_whatever_their_figures() -> None:
    composed = judged("aes-128-ctr by mac", "hmac-sha256 by mac", latency=around(1e-9))
    entries = [
        timed("withdrawn", 1e-9, standing=standing(tier=3)),
        timed("against", 1e-9, standing=standing(tier=2)),
        timed("later", 1e-9, standing=standing(later=True)),
        timed("unjudged", 1e-9, standing=standing(tier=1)),
        timed("unmaintained", 1e-9, standing=standing(maturity=Maturity.UNMAINTAINED)),
        timed("unsure", 1e-9, unsure=("flash",)),
        composed,
        timed("good", 1.0),
    ]
    ranked = [entry.candidate.implementation for entry in rank(entries, question())]
    assert ranked == [
        "good",
        "unmaintained",
        "mac",
        "unsure",
        "later",
        "unjudged",
        "against",
        "withdrawn",
    ]
    assert [entry.rank for entry in rank(entries, question())] == list(range(1, 9))
    assert names_of(leaders(entries, question())) == ["good"]


def test_two_schemes_are_a_group_only_where_one_would_do() -> None:
    composed = judged("aes-128-ctr by mac", "hmac-sha256 by mac", latency=around(1.0))
    single = timed("one", 2.0)
    assert names_of(leaders([composed, single], question())) == ["one"]
    assert names_of(leaders([composed, single], question(need=Need.ENCRYPTION))) == ["mac"]


def test_unmaintained_code_is_behind_unless_research_is_a_candidate() -> None:
    old = timed("old", 1.0, standing=standing(maturity=Maturity.UNMAINTAINED))
    new = timed("new", 2.0)
    assert names_of(leaders([old, new], question())) == ["new"]
    assert names_of(leaders([old, new], question(demands={"research": True}))) == ["old"]
    research = timed("research", 1.0, standing=standing(maturity=Maturity.RESEARCH))
    assert names_of(leaders([research, new], question())) == ["research"]


def test_an_unknown_figure_of_the_order_is_refused() -> None:
    unknown = replace(timed("x", 1.0), flash=None)
    with pytest.raises(InputError, match="flash of aes-128-ccm by x is unknown"):
        rank([timed("y", 1.0), unknown], question({"latency": 1.0, "flash": 1.0}))
    with pytest.raises(InputError, match="flash of"):
        leaders([unknown], question({"flash": 1.0}))
    assert len(rank([unknown], question())) == 1


EQUALS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"standing": standing(maturity=Maturity.REVIEWED)}, {}),
    ({}, {"standing": standing(constant_time=None)}),
    ({"flash": around(999.0)}, {}),
    ({"ram": around(99.0)}, {}),
    ({}, {"standing": standing(strength_bits=112)}),
    ({"latency": around(0.9e-3)}, {}),
    ({"flash": around(5000.0)}, {"standing": standing(constant_time=None)}),
    ({"ram": around(999.0), "flash": around(10.0)}, {"ram": around(1.0)}),
    ({"standing": standing(strength_bits=112), "ram": around(9.0)}, {}),
    ({"latency": around(9.0)}, {"standing": standing(strength_bits=None)}),
]


@pytest.mark.parametrize(("better", "poorer"), EQUALS)
def test_equals_are_ordered_by_maturity_claims_memory_strength_and_time(better, poorer) -> None:
    first, second = judged("aes-128-ccm by z", **better), judged("aes-128-ccm by a", **poorer)
    demands = question().demands
    assert lesser(first, demands) < lesser(second, demands)


def test_equals_without_any_difference_are_in_the_order_of_their_names() -> None:
    demands = question().demands
    first, second = judged("aes-128-ccm by a"), judged("aes-128-ccm by b")
    assert lesser(first, demands) < lesser(second, demands)
    assert lesser(judged("aes-128-ccm by b"), demands) < lesser(judged("aes-128-gcm by a"), demands)
    assert len(lesser(first, demands)) == len(ranking.DECIDERS)


def test_flash_comes_before_claims_where_the_product_has_code() -> None:
    small = judged("aes-128-ccm by a", flash=around(10.0), standing=standing(constant_time=None))
    claimed = judged("aes-128-ccm by b")
    apart, beside = question().demands, question(demands={"sharing": True}).demands
    assert lesser(claimed, apart) < lesser(small, apart)
    assert lesser(small, beside) < lesser(claimed, beside)
    assert lesser(claimed, apart)[1] == 0.0 and lesser(claimed, beside)[1] == 1000.0


def test_one_scheme_comes_before_two_and_a_mac_without_a_nonce_before_one_with() -> None:
    demands = question(need=Need.MAC).demands
    one = judged("aes-128-ccm by a")
    two = judged("aes-128-ctr by a", "hmac-sha256 by a")
    assert lesser(one, demands)[2] is False and lesser(two, demands)[2] is True
    assert lesser(judged("aes-128-gmac by a"), demands)[3] is True
    assert lesser(judged("hmac-sha256 by a"), demands)[3] is False
    assert lesser(one, demands)[3] is False  # no MAC: the nonce is no difference


def test_strength_beyond_what_is_enough_decides_nothing() -> None:
    enough = question().demands.enough_bits
    more = judged(standing=standing(strength_bits=enough + 64))
    assert lesser(more, question().demands)[8] == -enough
    wanted = question(demands={"strength_bits": enough + 32}).demands
    assert lesser(more, wanted)[8] == -(enough + 32)
    assert lesser(judged(standing=standing(strength_bits=None)), wanted)[8] == 0
    unknown = replace(judged(), flash=None, ram=None, latency=None)
    assert lesser(unknown, wanted)[6:8] == (math.inf, math.inf)
    assert lesser(unknown, wanted)[9] == math.inf


def test_lengths_of_public_keys_count_in_powers_of_two() -> None:
    assert magnitude(SentBytes(1000, 0, 12, 16)) == 0
    assert magnitude(SentBytes(0, 0, 0, 0, signature_bytes=63)) == 6
    assert magnitude(SentBytes(0, 0, 0, 0, signature_bytes=64)) == 7
    assert magnitude(SentBytes(0, 0, 0, 0, key_bytes=1)) == 1
    assert magnitude(SentBytes(0, 0, 0, 0, ciphertext_bytes=1)) == 1
    assert magnitude(SentBytes(0, 0, 0, 0, received_bytes=1)) == 1
    assert magnitude(SentBytes(60, 0, 0, 0, received_bytes=4)) == 7


def fronts(*entries: Judged) -> list[str]:
    ranked = rank(list(entries), question())
    return sorted(entry.candidate.implementation for entry in ranked if entry.front)


def test_the_front_has_what_no_other_beats_in_all_figures() -> None:
    base = {"latency": around(2.0), "flash": around(2.0), "ram": around(2.0), "joules": 2.0}

    def made(name: str, **changes: Any) -> Judged:
        return judged(f"aes-128-ccm by {name}", **{**base, **changes})

    assert fronts(made("a"), made("b", latency=around(3.0))) == ["a"]
    assert fronts(made("a"), made("b", latency=around(3.0), flash=around(1.0))) == ["a", "b"]
    assert fronts(made("a"), made("b", latency=around(3.0), ram=around(1.0))) == ["a", "b"]
    assert fronts(made("a"), made("b", latency=around(3.0), joules=1.0)) == ["a", "b"]
    assert fronts(made("a"), made("b")) == ["a", "b"]
    assert fronts(made("a"), made("b", joules=1.0), made("c", ram=around(1.0))) == ["b", "c"]
    # What is unknown of one candidate counts for none
    unknown = replace(made("b", latency=around(3.0)), ram=None)
    assert fronts(made("a"), unknown) == ["a"]
    assert fronts(made("a", ram=around(9.0)), unknown) == ["a"]


def test_own_bounds_widen_a_ratio_and_no_ratio_is_of_itself() -> None:
    a, b = timed("a", 2.0, flash=Interval(1, 2, 4)), timed("b", 1.0, flash=Interval(1, 1, 2))
    ratio = worse(a, b, question({"flash": 1.0}))
    assert (ratio.low, ratio.typical, ratio.high) == pytest.approx((0.5, 2.0, 4.0))
    assert worse(a, a, question({"flash": 1.0})) == Interval(1.0, 1.0, 1.0)


def test_the_bounds_of_the_chip_are_shared_by_all_times() -> None:
    def shared(name: str, seconds: float) -> Judged:
        shares = (TimeShare(around(seconds, 0.1), Interval(0.5, 1.0, 2.0)),)
        return replace(timed(name, seconds, 0.5), shares=shares)

    ratio = worse(shared("a", 2.0), shared("b", 1.0), question())
    assert (ratio.low, ratio.high) == pytest.approx((1.8 / 1.1, 2.2 / 0.9))
    assert ratio.typical == pytest.approx(2.0)
    alone = replace(shared("c", 2.0), shares=(TimeShare(around(2.0, 0.1), UNCHANGED),))
    ratio = worse(alone, shared("b", 1.0), question())
    assert (ratio.low, ratio.high) == pytest.approx((1.8 / 2.2, 2.2 / 0.45))


def on_air(name: str, seconds: float, joules: float, **changes: Any) -> Judged:
    part = EnergyPart("transmit", 0.5, drawn(0.02, 3.0, 0.5), 2.0)
    return timed(name, seconds, joules=joules, air=replace(SILENT, parts=(part,)), **changes)


def test_currents_that_all_share_do_not_widen_the_ratio_of_energies() -> None:
    asked = question({"energy": 1.0}, active=drawn(0.01, 2.0, 0.5))
    a = timed("a", 2.0, joules=0.04)
    b = timed("b", 1.0, joules=0.02)
    ratio = worse(a, b, asked)
    assert (ratio.low, ratio.typical, ratio.high) == pytest.approx((2.0, 2.0, 2.0))
    # An element beside the processor has bounds of its own
    beside = EnergyPart("element", 1.0, drawn(0.01, 2.0, 0.5))
    offer = SchemeOffer("aes-128-ccm", "element/x", Evidence.MODELLED, beside=(beside,))
    c = replace(timed("c", 1.0, joules=0.04), offers=(offer,))
    ratio = worse(c, b, asked)
    assert ratio.low == pytest.approx((0.03 + 0.01) / 0.03)
    assert ratio.high == pytest.approx((0.01 + 0.03) / 0.01)


def test_the_radio_that_all_share_brings_energies_together() -> None:
    asked = question({"energy": 1.0}, active=drawn(0.01, 2.0))
    for size in (24, asked.scene.message_bytes):
        asked.scene.known[size, 0] = on_air("x", 1.0, 1.0).air
    a, b = on_air("a", 2.0, 0.1), on_air("b", 1.0, 0.08)
    ratio = worse(a, b, asked)
    # 0.02 J a second for the cipher; 0.03 to 0.09 J for the radio
    assert ratio.low == pytest.approx((0.04 + 0.09) / (0.02 + 0.09))
    assert ratio.high == pytest.approx((0.04 + 0.03) / (0.02 + 0.03))
    assert ratio.typical == pytest.approx(0.1 / 0.08)


def test_a_modem_that_draws_more_for_a_longer_message_widens_the_ratio() -> None:
    def sent(name: str, amps: float, joules: float) -> Judged:
        part = EnergyPart("transmit", 1.0, drawn(amps, 3.0, 0.5))
        return timed(name, 1.0, joules=joules, air=replace(SILENT, parts=(part,)))

    asked = question({"energy": 1.0}, active=drawn(0.01, 2.0))
    short, long = sent("a", 0.01, 0.05), sent("b", 0.02, 0.08)
    asked.scene.known[asked.scene.message_bytes, 0] = short.air
    ratio = worse(long, short, asked)
    # 0.02 J for the cipher; 0.03 J for the radio of one, 0.06 J of the other, half to 1.5 times
    assert ratio.low == pytest.approx((0.02 + 0.03) / (0.02 + 0.015))
    assert ratio.typical == pytest.approx(0.08 / 0.05)
    assert ratio.high == pytest.approx((0.02 + 0.09) / (0.02 + 0.045))


def test_the_ratio_of_lives_is_that_of_the_mean_currents() -> None:
    battery = BATTERIES.find("ls14500", None)
    asked = question(
        {"life": 1.0}, battery=battery, every_s=10.0, active=drawn(0.01), sleeping=(drawn(1e-4),)
    )
    a = timed("a", 2.0, years=around(1.0))
    b = timed("b", 1.0, years=around(1.9))
    ratio = worse(a, b, asked)
    # 0.1 mA asleep, and 1 mA a second of work every ten; the cell loses little beside them
    assert ratio.low == pytest.approx(2.1 / 1.1, rel=0.02) == ratio.high
    assert ratio.typical == pytest.approx(1.9, rel=0.02)
    wide = replace(asked, scene=replace(asked.scene, sleeping=(drawn(1e-3, 3.0, 1.0),)))
    ratio = worse(a, b, wide)
    assert ratio.high == pytest.approx(2.0, rel=0.02)
    assert ratio.low == pytest.approx(4.0 / 3.0, rel=0.02)
    own = replace(a, shares=(TimeShare(Interval(1.0, 2.0, 4.0), UNCHANGED),))
    ratio = worse(own, b, asked)
    assert ratio.low == pytest.approx(1.0, rel=0.02)
    assert ratio.high == pytest.approx(4.1 / 1.1, rel=0.02)


def _supply(volts: float, least: int) -> Supply:
    return Supply.model_construct(minimum=least * volts, nominal=3 * volts, maximum=9 * volts)


def test_a_part_above_the_voltage_of_the_battery_draws_more_from_it() -> None:
    battery = BATTERIES.find("ls14500", None)
    plain = drawn(0.01)
    raised = replace(plain, supply=_supply(battery.voltage, 1))
    high = _supply(battery.voltage, 2)
    part = replace(plain, supply=high)

    def ratio(active: Drawn) -> float:
        a, b = timed("a", 2.0, years=around(1.0)), timed("b", 1.0, years=around(1.0))
        asked = question(
            *[{"life": 1.0}], battery=battery, every_s=10.0, active=active, sleeping=(drawn(1e-3),)
        )
        return worse(a, b, asked).high

    # 1 mA asleep; 1 mA a second of work every ten, or three times that
    assert ratio(plain) == pytest.approx(3 / 2, rel=0.02)
    assert ratio(raised) == pytest.approx(3 / 2, rel=0.02)
    assert ratio(part) == pytest.approx(7 / 4, rel=0.02)


def test_the_bounds_of_a_ratio_enclose_the_typical_one() -> None:
    a, b = timed("a", 5.0), timed("b", 1.0)
    apart = replace(a, shares=(TimeShare(around(2.0), UNCHANGED),))
    ratio = worse(apart, b, question())
    assert (ratio.low, ratio.typical, ratio.high) == pytest.approx((2.0, 5.0, 5.0))
    ratio = worse(b, apart, question())
    assert (ratio.low, ratio.typical, ratio.high) == pytest.approx((0.2, 0.2, 0.5))
