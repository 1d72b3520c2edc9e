"""The record of a decision, from candidates that are made up for each sentence."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

import pytest
from choice_candidates import GOOD, SILENT, around, drawn, judged, question

from motebench.advise.choice import decision as module
from motebench.advise.choice.candidate import NONE, Broken, Estimate, Judged, OnAir, SentBytes
from motebench.advise.choice.candidate import RankedCandidate as Ranked
from motebench.advise.choice.decision import decision, question_words, span_words
from motebench.advise.choice.names import bounded
from motebench.advise.choice.question import (
    ChoiceQuestion,
    Chosen,
    CostLimits,
    MessageForm,
    Need,
    Relaxed,
    Role,
    Way,
)
from motebench.advise.choice.reasons import RESEARCH_TOO, OtherAnswer
from motebench.advise.radio.lorawan import link
from motebench.base.model import Evidence
from motebench.base.quantities import Interval
from motebench.catalog.libraries import Maturity
from motebench.catalog.parts import BATTERIES
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.documents.choice import DecisionEntry


def placed(*entries: Judged | Ranked, **of_all: Any) -> tuple[Ranked, ...]:
    """Candidates in their order, each worse by another tenth."""
    return tuple(
        entry
        if isinstance(entry, Ranked)
        else Ranked(entry, number, False, around(1 + (number - 1) / 10), True)
        for number, entry in enumerate(entries, 1)
    )


def chosen(asked: ChoiceQuestion, *entries: Judged | Ranked, **changes: Any) -> Chosen:
    return Chosen(asked, (), placed(*entries), **{"rejected": (), **changes})


def decided(asked: ChoiceQuestion, *entries: Judged | Ranked, **changes: Any) -> DecisionEntry:
    others = changes.pop("others", ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "changing", lambda _: ("energy", "J", []))
        patch.setattr(module, "wired", lambda *_: ())
        patch.setattr(module, "cautions", lambda _: ())
        return decision(chosen(asked, *entries, **changes), (), others)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (86400, "1 d"),
        (172800, "2 d"),
        (90000, "25 h"),
        (3600, "1 h"),
        (5400, "90 min"),
        (60, "1 min"),
        (61, "61 s"),
        (0.5, "0.5 s"),
    ],
)
def test_spans_are_in_the_largest_unit_without_a_fraction(seconds, words) -> None:
    assert span_words(seconds) == words


def test_the_question_has_every_demand_and_limit_of_the_user() -> None:
    plain = "samd21g18a: 24 B; need aead, policy current"
    assert question_words(chosen(question())) == plain
    whole = question(
        limits=CostLimits(5000, 1000, 1.5e-3),
        demands={
            "until": datetime.date(2034, 1, 1),
            "strength_bits": 128,
            "constant_time": True,
            "protect_key": True,
            "research": True,
        },
        form=MessageForm(tag_bytes=8),
        message_bytes=2048,
        every_s=600.0,
        link=link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3),
        battery=BATTERIES.find("ls14500", None),
    )
    radio = whole.scene.link
    assert radio is not None
    assert question_words(chosen(whole, has=("aes", "sha256"))) == (
        f"samd21g18a: 2,048 B, every 10 min, {radio.name}, sx1276, ls14500; need aead, policy "
        "current, until 2034-01-01, 128 bits, constant time, protected key, research code too, "
        "flash up to 5,000 B, RAM up to 1,000 B, up to 1.50 ms, tag of 8 B, has aes, sha256"
    )
    size = replace(whole.limits, of_device=frozenset({"flash", "ram"}))
    assert " up to 5,000" not in question_words(chosen(replace(whole, limits=size)))


def test_the_question_has_the_role_and_no_length_where_keys_alone_matter() -> None:
    def words(need: Need, role: Role | None) -> str:
        return question_words(chosen(question(need=need, form=MessageForm(role=role))))

    assert words(Need.KEM, Role.DECAPSULATE) == (
        "samd21g18a; need kem (decapsulate), policy current"
    )
    assert words(Need.SIGNATURE, Role.SIGN) == (
        "samd21g18a: 24 B; need signature (sign), policy current"
    )
    assert words(Need.UPDATE, Role.VERIFY) == (
        "samd21g18a: image of 24 B; need update, policy current"
    )


def taken(asked: ChoiceQuestion, first: Judged) -> str:
    return decided(asked, first).take


def test_what_to_take_says_the_form_of_the_message_and_doubts() -> None:
    asked = question()
    assert taken(asked, judged()) == "AES-128-CCM by a, nonce of 12 B sent with it"
    counted = judged(sent=SentBytes(24, 0, 0, 8))
    assert taken(asked, counted) == (
        "AES-128-CCM by a, nonce from a counter that both sides keep, tag of 8 B"
    )
    radio = link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3)
    assert "nonce from the frame counter" in taken(question(link=radio), counted)
    assert taken(asked, judged(standing=replace(GOOD, tier=1))).endswith(
        "sent with it, without a recommendation"
    )
    for tier in (2, 3):
        assert taken(asked, judged(standing=replace(GOOD, tier=tier))).endswith(
            ", which is advised against"
        )
    two = judged("aes-128-ctr by a", "hmac-sha256 by a", sent=SentBytes(24, 0, 12, 32))
    assert ", encrypt-then-MAC with two keys, " in taken(asked, two)
    assert "encrypt-then-MAC" not in taken(question(need=Need.ENCRYPTION), two)
    digest = judged("sha256 by a", sent=SentBytes(24, 0, 0, 0))
    assert "nonce" not in taken(question(need=Need.HASH), digest)


def test_what_to_take_with_public_keys_says_what_the_device_does() -> None:
    def words(need: Need, role: Role, *names: str) -> str:
        sent = SentBytes(0, 0, 12, 4)
        return taken(question(need=need, form=MessageForm(role=role)), judged(*names, sent=sent))

    assert words(Need.SIGNATURE, Role.SIGN, "ed25519 by a") == "sign with Ed25519 by a"
    assert words(Need.SIGNATURE, Role.VERIFY, "ed25519 by a") == "check with Ed25519 by a"
    assert words(Need.KEM, Role.ENCAPSULATE, "ml-kem-512 by a").startswith("encapsulate with ")
    assert words(Need.KEM, Role.DECAPSULATE, "ml-kem-512 by a").startswith("decapsulate with ")
    update = words(Need.UPDATE, Role.VERIFY, "ed25519 by a", "sha256 by a")
    assert update == "check Ed25519 over SHA-256 of the image, by a"
    assert not words(Need.UPDATE, Role.VERIFY, "ed25519 by a").startswith("check")


def test_the_standing_says_what_is_announced_only_where_nothing_is_better() -> None:
    standing = replace(GOOD, words=("A: good; bad from 2030 on", "B: fine", "C: old"))
    assert decided(question(), judged(standing=standing)).standing == (
        "aes-128-ccm by a; A good; B fine; 128 bits; code maintained"
    )
    unknown = replace(standing, tier=1, strength_bits=None, maturity=Maturity.RESEARCH)
    assert decided(question(), judged(standing=unknown)).standing == (
        "aes-128-ccm by a; A good; bad from 2030 on; B fine; strength unknown; code research"
    )


def figures(asked: ChoiceQuestion, first: Judged) -> dict[str, str]:
    return {figure.name: figure.words for figure in decided(asked, first).figures}


def test_the_headline_figures_are_those_that_are_known() -> None:
    first = judged(latency=around(2e-3), flash=around(3000.0), ram=around(200.0), joules=0.5)
    assert list(figures(question(), first)) == ["energy", "time", "flash", "RAM", "sent"]
    assert figures(question(), first)["sent"] == "52 B"
    lasting = judged(years=around(3.0))
    assert next(iter(figures(question(), lasting))) == "life"
    assert "energy" not in figures(question(), lasting)
    bare = replace(first, latency=None, flash=None, ram=None, energy={}, sent=SentBytes(0, 0, 0, 0))
    assert figures(question(), bare) == {}
    assert "sent" not in figures(question(need=Need.HASH), first)
    assert "sent" not in figures(question(need=Need.UPDATE), first)


def test_the_figures_of_the_radio_have_frames_and_seconds() -> None:
    radio = link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3)
    asked = question(link=radio)
    sent = SentBytes(24, 0, 12, 16, received_bytes=99)
    one = judged(air=OnAir(1, 0.5, (), ()), sent=sent)
    assert figures(asked, one)["sent"].startswith("52 B, ")
    assert figures(asked, one)["sent"].endswith(" on air")
    assert figures(asked, one)["received"] == "99 B"
    two = judged(air=OnAir(2, 0.5, (), (), received_seconds=0.25), sent=sent)
    assert figures(asked, two)["sent"].endswith(" on air in 2 frames")
    assert figures(asked, two)["received"].startswith("99 B, 250 ms")
    assert "received" not in figures(question(), one)


def energies(**joules: float) -> dict[str, Estimate]:
    return {name: Estimate(around(value), "J", Evidence.MODELLED) for name, value in joules.items()}


def decides(asked: ChoiceQuestion, *entries: Judged | Ranked, **changes: Any) -> list[str]:
    return list(decided(asked, *entries, **changes).decides)


def test_shares_of_energy_are_named_by_size() -> None:
    def shares(**joules: float) -> str:
        return decides(question(), judged(energy=energies(**joules)))[0]

    assert shares(cipher=1.0, transmit=7.0, sleep=2.0) == (
        "sending is 70 % of the energy, sleep 20 %, computing 10 %"
    )
    assert shares(cipher=6.0, transmit=4.0) == "computing is 60 % of the energy, sending 40 %"
    assert shares(transmit=90.0, sleep=9.5, cipher=0.5).startswith("sending is 90 %")
    assert "listening" not in shares(transmit=99.5, receive=0.5)
    assert "listening 1.0 %" in shares(transmit=99.0, receive=1.0)
    for alone in ({"cipher": 1.0}, {"cipher": 0.0, "sleep": 0.0}):
        assert "energy" not in shares(**alone)


def test_computing_below_a_hundredth_decides_nothing_among_several() -> None:
    small = energies(transmit=99.5, cipher=0.5)
    first = judged("aes-128-ccm by a", energy=small)
    second = Ranked(judged("ascon-aead128 by b"), 1, True, around(1.0), True)
    equal = decides(question(), Ranked(first, 1, True, around(1.0), True), second)[0]
    assert equal.endswith(": the code decides nothing, 2 schemes and libraries are equal")
    assert "decides nothing" not in decides(question(), first)[0]
    large = judged("aes-128-ccm by a", energy=energies(transmit=99.0, cipher=1.0))
    assert (
        "decides nothing"
        not in decides(question(), Ranked(large, 1, True, around(1.0), True), second)[0]
    )


def test_bytes_that_the_scheme_adds_are_named() -> None:
    def added(*numbers: int, **more: int) -> str:
        # Nothing comes before them but what puts the first candidate first.
        return decides(question(), judged(sent=SentBytes(*numbers, **more)))[1]

    assert added(24, 0, 12, 16) == "28 of 52 bytes sent are nonce and tag (12 + 16 B)"
    assert added(24, 0, 0, 16) == "16 of 40 bytes sent are the tag"
    assert added(24, 8, 16, 0) == "24 of 48 bytes sent are padding and nonce (8 + 16 B)"
    assert added(24, 0, 0, 0, signature_bytes=64) == "64 of 88 bytes sent are the signature"
    assert "bytes sent" not in added(24, 0, 0, 0)
    silent = question(sends=False)
    assert "bytes sent" not in "".join(decides(silent, judged()))
    assert "bytes sent" not in "".join(decides(question(need=Need.KEM), judged("ml-kem-512")))


def test_bytes_have_a_share_of_the_energy_where_a_radio_sends_them() -> None:
    asked = question(active=drawn(0.01))
    bare = OnAir(1, 1.0, (module_part("transmit", 1.0),), ())
    asked.scene.known[24, 0] = bare
    first = judged(energy=energies(transmit=0.09, cipher=0.01))
    (text,) = [line for line in decides(asked, first) if "bytes sent" in line]
    # 0.06 J without protection
    assert text.endswith("(12 + 16 B), 30 % of the energy")
    silent = question(active=drawn(0.01))
    (text,) = [line for line in decides(silent, first) if "bytes sent" in line]
    assert text.endswith("(12 + 16 B)")


def module_part(name: str, seconds: float) -> Any:
    from motebench.advise.radio.link import EnergyPart

    return EnergyPart(name, seconds, drawn(0.02, 3.0))


def test_the_first_place_says_how_far_the_next_one_is() -> None:
    first, other = judged("aes-128-ccm by a"), judged("ascon-aead128 by b")
    lines = decides(question(), first, other)
    assert "time of the processor: next is Ascon-AEAD128 by b, 10 % worse" in lines
    assert "the only candidate" in decides(question(), first)
    same = judged("aes-256-ccm by a")
    assert "no other scheme or library keeps all limits" in decides(question(), first, same)
    against = judged("ascon-aead128 by b", standing=replace(GOOD, tier=1))
    assert "no other scheme or library keeps all limits" in decides(question(), first, against)


def test_a_tie_names_what_decides_and_within_what() -> None:
    first = Ranked(judged("aes-128-ccm by a"), 1, True, around(1.0), True)
    small = judged("ascon-aead128 by b", ram=around(999.0))
    tied = Ranked(small, 1, True, around(1.02), True)
    lines = decides(question(equal=0.05), first, tied)
    assert (
        "time of the processor is within 5 % with Ascon-AEAD128 by b: less RAM puts it first"
        in lines
    )
    lines = decides(question(), first, tied)
    assert any("is the same with Ascon-AEAD128" in line for line in lines)


def test_maintained_code_comes_first_though_old_code_is_quicker() -> None:
    old = judged("ascon-aead128 by b", standing=replace(GOOD, maturity=Maturity.UNMAINTAINED))
    entry = Ranked(old, 2, False, around(0.5), True)
    lines = decides(question(), judged(), entry)
    assert any(
        "maintained code first, then Ascon" in line and "50 % better" in line for line in lines
    )
    slower = Ranked(old, 2, False, around(1.5), True)
    assert any("next is Ascon" in line for line in decides(question(), judged(), slower))


def amount(worse: Interval, rank: int = 2, **order: float) -> str:
    entry = Ranked(judged("ascon-aead128 by b", years=around(1.0)), rank, False, worse, True)
    asked = question(order or {"latency": 1.0})
    lines = decides(asked, judged(years=around(1.0)), entry)
    (line,) = [line for line in lines if "next is" in line]
    return line.partition("Ascon-AEAD128 by b, ")[2]


def test_amounts_have_their_bounds_and_an_open_sign_is_said() -> None:
    assert amount(Interval(1.5, 1.5, 1.5)) == "50 % worse"
    assert amount(Interval(1.2, 1.5, 1.8)) == "50 % worse (20 to 80 %)"
    assert amount(Interval(0.9, 1.5, 1.8)) == "50 % worse, open which is better"
    assert amount(Interval(0.5, 0.5, 0.5)) == "50 % better"
    assert amount(Interval(0.2, 0.5, 0.6)) == "50 % better (40 to 80 %)"
    assert amount(Interval(1.0, 1.0, 1.0)) == "equal"
    # Of a life, the share that is lost
    assert amount(Interval(2.0, 2.0, 2.0), life=1.0) == "50 % worse"
    assert amount(Interval(2.0, 2.0, 2.0), throughput=1.0) == "50 % worse"
    assert amount(Interval(2.0, 2.0, 2.0), life=1.0, flash=1.0) == "100 % worse"


def test_the_crowd_counts_recommended_ones_and_what_rejects_others() -> None:
    def crowd(*entries: Judged, **changes: Any) -> str:
        lines = decides(question(), *entries, **changes)
        (line,) = [line for line in lines if "all limits" in line and "no other" not in line]
        return line

    good, poor = judged(), judged("xtea-eax by x", standing=replace(GOOD, tier=1))
    assert crowd(good) == "1 recommended candidate keeps all limits"
    assert crowd(good, judged("aes-128-ccm by a@O2")) == "1 recommended candidate keeps all limits"
    assert crowd(good, judged("aes-128-ccm by b"), poor) == (
        "2 recommended candidates keep all limits, 1 less recommended after them"
    )
    assert crowd(good, poor) == (
        "1 recommended candidate keeps all limits, 1 less recommended after it"
    )
    assert crowd(poor) == "nothing recommended keeps all limits; 1 other keeps them"
    other = judged("xtea-eax by y", standing=poor.standing)
    assert crowd(poor, other) == "nothing recommended keeps all limits; 2 others keep them"

    def broken(*limits: str, name: str = "aes-128-gcm by a", **changes: Any) -> Judged:
        made = judged(name, **changes)
        return replace(made, broken=tuple(Broken(limit, "why") for limit in limits))

    rejected = (
        broken("flash", "flash", "ram"),
        broken("flash", "result", name="aes-128-gcm by b"),
        broken("a", "b"),
        broken("flash", "need"),
        broken("flash", "maturity"),
        broken("flash", name=f"aes-128-gcm by {NONE}"),
        broken("flash", standing=replace(GOOD, tier=1)),
    )
    assert crowd(good, rejected=rejected).endswith(
        "; recommended ones rejected by flash (2), ram (1), no result (1)"
    )


def test_limits_that_reject_come_before_the_first_place_and_others_last() -> None:
    other = judged("ascon-aead128 by b")
    rejected = (replace(judged("aes-128-gcm by c"), broken=(Broken("flash", "too much"),)),)
    next_one = "time of the processor: next is Ascon-AEAD128 by b, 10 % worse"
    crowd = "2 recommended candidates keep all limits"
    rejecting = f"{crowd}; recommended ones rejected by flash (1)"
    small = question(limits=CostLimits(9999))
    assert decides(small, judged(), other, rejected=rejected)[:2] == [rejecting, next_one]
    # Without a limit that the user gave, the device's own are no reason of the question.
    plain = decides(question(), judged(), other, rejected=rejected)
    assert plain[0] == next_one and plain[-1] == rejecting
    # A limit that rejects nothing is none.
    kept = decides(small, judged(), other)
    assert kept[0] == next_one and kept[-1] == crowd
    listed = decides(question(rule="nist"), judged(), other, rejected=rejected)
    assert listed[:2] == [rejecting, next_one]


def alternatives(asked: ChoiceQuestion, *entries: Judged | Ranked, **changes: Any) -> list[Any]:
    found = decided(asked, *entries, **changes).alternatives
    return [(entry.words, entry.price) for entry in found]


def test_alternatives_have_a_price_in_what_differs() -> None:
    first = judged("aes-128-ccm by a", joules=1.0)
    other = judged(
        "ascon-aead128 by b",
        latency=around(2e-3),
        flash=around(5000.0),
        standing=replace(GOOD, constant_time=None, maturity=Maturity.RESEARCH),
        sent=SentBytes(24, 0, 16, 16, received_bytes=3),
    )
    entry = Ranked(other, 2, False, around(1.5), True)
    assert alternatives(question({"ram": 1.0}), first, entry) == [
        (
            "Ascon-AEAD128 by b",
            "RAM 50 % worse; 5,000 B of flash; 4 bytes more to send; 3 bytes more to receive; no "
            "claim of constant time; code research",
        )
    ]
    # Computing is not all of the energy, so that the time says something of its own
    first = judged("aes-128-ccm by a", energy=energies(cipher=1.0, sleep=1.0))
    (price,) = [price for _, price in alternatives(question({"ram": 1.0}), first, entry)]
    assert "; 2.0 times the time; " in price
    (price,) = [price for _, price in alternatives(question(), first, entry)]
    assert "times the time" not in price
    (price,) = [price for _, price in alternatives(question({"flash": 1.0}), first, entry)]
    assert "B of flash" not in price
    asked = question({"ram": 1.0}, demands={"secret": False})
    assert "constant time" not in alternatives(asked, first, entry)[0][1]
    back = alternatives(question({"ram": 1.0}), entry.candidate, judged("aes-128-gcm by c"))
    assert "a claim of constant time; code maintained" in back[0][1]
    assert "4 bytes fewer to send; 3 bytes fewer to receive" in back[0][1]


def test_differences_below_a_tenth_of_time_and_flash_have_no_price() -> None:
    first = judged(energy=energies(cipher=1.0, sleep=1.0))
    near = judged("ascon-aead128 by b", latency=around(1.09e-3), flash=around(1090.0))
    (price,) = [price for _, price in alternatives(question({"ram": 1.0}), first, near)]
    assert price == "RAM 10 % worse"
    less = judged("ascon-aead128 by b", latency=around(0.5e-3), flash=around(500.0))
    (price,) = [price for _, price in alternatives(question({"ram": 1.0}), first, less)]
    assert "0.50 times the time; 500 B of flash" in price


def test_a_post_quantum_signature_says_why_it_comes_later() -> None:
    later = judged("ml-dsa-44 by b", standing=replace(GOOD, later=True))
    (price,) = [price for _, price in alternatives(question(), judged("ed25519 by a"), later)]
    assert "post-quantum, which comes after classical signatures" in price
    both = alternatives(question(), later, replace(later, offers=judged("ml-dsa-65 by c").offers))
    (price,) = [price for _, price in both]
    assert "post-quantum" not in price


def test_a_maintained_rival_and_an_element_are_named_before_the_rest() -> None:
    research = replace(GOOD, maturity=Maturity.RESEARCH)
    first = judged("aes-128-ccm by a", standing=research)
    quick = judged("ascon-aead128 by b", standing=research)
    kept = judged("aes-128-gcm by c")
    element = judged("aes-128-gcm by element/x", standing=research)
    names = [words for words, _ in alternatives(question(), first, quick, kept, element)]
    assert len(names) == 2 and names[0] == "AES-128-GCM by c"
    assert "element" in names[1]
    names = [words for words, _ in alternatives(question(), first, quick)]
    assert names == ["Ascon-AEAD128 by b"]
    asked = question(demands={"secret": False})
    names = [words for words, _ in alternatives(asked, first, quick, kept, element)]
    assert names == ["AES-128-GCM by c", "Ascon-AEAD128 by b"]


def other(option: str, first: Judged, **changes: Any) -> OtherAnswer:
    return OtherAnswer(
        **{"question": question(), "offers": (), **changes}, option=option, first=first
    )


def test_a_slow_or_impossible_answer_has_its_ways() -> None:
    near = replace(judged("aes-128-gcm by b"), broken=(Broken("flash", "too much"),))
    less = judged("xtea-eax by c", standing=replace(GOOD, words=("old",), tier=1))
    less = replace(less, broken=(Broken("recommended", "why"),))
    missing = [judged(f"{name} by {NONE}") for name in ("ascon-aead128", "aes-128-ocb")]
    found = decided(question(), rejected=(near, less, *missing))
    assert (found.verdict, found.take) == ("none", "nothing: no candidate keeps all limits")
    assert found.decides == (
        "limits that reject the recommended candidate: flash (1)",
        "the nearest, AES-128-GCM by b, breaks flash: too much",
        "1 less recommended candidates would keep the limits, such as XTEA-EAX by c (old)",
        "without results on this device: AES-128-OCB, Ascon-AEAD128",
    )
    assert found.figures == found.rests_on == found.before_shipping == ()
    nothing = decided(question(), rejected=tuple(missing))
    assert nothing.take == "nothing: no scheme that serves this need has results on this device"


def test_the_ways_of_a_refusal_are_those_that_admit_something() -> None:
    near = replace(judged("aes-128-gcm by b"), broken=(Broken("flash", "too much"),))
    lasting = judged("aes-128-ccm by a", years=around(2.0))
    found = decided(question(), rejected=(near,), ways=(Way("--dr 4", lasting),))
    assert found.take == "nothing: no recommended candidate keeps all limits"
    ((way, price),) = [(entry.words, entry.price) for entry in found.alternatives]
    assert way == "--dr 4" and price.startswith("AES-128-CCM by a, 52 B sent, 2")
    quick = judged("aes-128-ccm by a", latency=around(2e-3))
    found = decided(question(), rejected=(near,), ways=(Way("--dr 4", quick),))
    assert found.alternatives[0].price == "AES-128-CCM by a, 52 B sent, 2.0 ms"
    limit = Broken("flash", "too much", 10, 20, "B", "--flash")
    # The way is named after the candidate that comes first with it.
    asked = question(limits=CostLimits(flash=10))
    admitting = question(limits=CostLimits(flash=20))
    relaxed = Relaxed(near, (limit,), admitting, judged("aes-128-ccm by c"))
    found = decided(asked, rejected=(near,), nearest=(relaxed,))
    assert [(entry.words, entry.price) for entry in found.alternatives] == [
        ("--flash 20 (now 10 B, 100 %)", "AES-128-CCM by c")
    ]
    found = decided(question(), rejected=(near,), nearest=(relaxed,), ways=(Way("--dr 4", quick),))
    assert [entry.words for entry in found.alternatives] == ["--dr 4"]


def test_checks_begin_with_warnings_and_end_with_constant_time() -> None:
    first = judged(
        doubts=("a doubt",),
        warnings=("one", "two"),
        sent=SentBytes(24, 0, 12, 16, notes=("a note",)),
        standing=replace(GOOD, constant_time=None),
    )
    checks = decided(question(), first).before_shipping
    assert checks[:4] == (
        "WARNING: one",
        "a doubt",
        "a note",
        "nonces of 12 B: none may come twice under one key",
    )
    assert checks[4] == "a: nothing is known of its support"
    assert checks[-2:] == (
        "WARNING: two",
        "constant time: no claim, so times may tell the key to who can measure them",
    )
    assert decided(question(), judged()).before_shipping[-1] == (
        "constant time by its authors: a claim"
    )
    open_ = decided(question(demands={"secret": False}), judged()).before_shipping
    assert not any(line.startswith("constant time") for line in open_)
    digest = decided(question(need=Need.HASH), judged("sha256 by a")).before_shipping
    assert not any(line.startswith("constant time") for line in digest)
    old = judged(standing=replace(GOOD, tier=2, words=("bad", "worse")))
    assert decided(question(), old).before_shipping[0] == (
        "WARNING: bad; worse; nothing recommended keeps the limits"
    )
    poor = judged(standing=replace(GOOD, tier=1))
    assert not any("WARNING" in line for line in decided(question(), poor).before_shipping)


def test_code_for_research_is_named_where_it_is_twice_as_fast() -> None:
    def rests(seconds: float, option: str = RESEARCH_TOO) -> list[str]:
        quick = judged("ascon-aead128 by b", latency=around(seconds))
        found = decided(question(), judged(), others=(other(option, quick),))
        return [line for line in found.rests_on if line.startswith("research code")]

    assert rests(0.5e-3) == [
        "research code is 2.0 times as fast, and not for products: ascon-aead128 by b"
    ]
    assert rests(0.51e-3) == [] and rests(0.1e-3, "--tag 8") == []
    quick = other(RESEARCH_TOO, judged("ascon-aead128 by b", latency=around(0.5e-3)))
    lines = decided(question(), judged(), others=(quick,)).rests_on
    assert len(lines) > 1 and lines[0].startswith("research code")  # what gives way comes later


def test_the_evidence_of_the_time_is_said() -> None:
    def rests(evidence: Evidence, **changes: Any) -> str:
        made = judged(**changes)
        assert made.latency is not None
        first = replace(made, latency=replace(made.latency, evidence=evidence))
        return decided(question(), first).rests_on[-1]

    assert rests(Evidence.SIMULATED, air=SILENT) == (
        "time and memory are of a simulated board; energy follows from currents of data sheets, "
        "one for all code"
    )
    assert rests(Evidence.MODELLED, energy={}) == "time is modelled, within its bounds"
    assert rests(Evidence.MEASURED, energy={}) == "time was measured"
    assert decided(question(), replace(judged(), latency=None)).rests_on == ()


@pytest.mark.parametrize(
    ("life", "text"),
    [
        (Interval(0.04, 0.05, 0.07), "18 days (15 to 26)"),
        (Interval(0.91, 1.7, 2.3), "1.7 years (0.91 to 2.3)"),
        (Interval(0.5, 0.95, 1.3), "350 days (180 to 470)"),
        (Interval.exact(0.05), "18.3 days"),
        (Interval.exact(7.5), "7.50 years"),
    ],
)
def test_a_life_and_its_bounds_have_the_unit_of_the_life(life: Interval, text: str) -> None:
    assert bounded(life, "years") == text
