"""Objections to single candidates, made up for each: limits of costs, tags, roles and blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from choice_candidates import around, candidate, drawn, judged, question

from motebench.advise.choice.candidate import Broken, Judged, OnAir, SchemeOffer, SentBytes
from motebench.advise.choice.judging import fixed_limits, judge, short_tag, within
from motebench.advise.choice.question import CostLimits, MessageForm, Need, Role
from motebench.advise.radio.link import EnergyPart
from motebench.base.model import Evidence
from motebench.base.quantities import Interval
from motebench.catalog import schemes
from motebench.catalog.parts import BATTERIES
from motebench.catalog.policies import policy

BATTERY = BATTERIES.find("ls14500", None)
YEAR_S = 365.25 * 86400


def limits_of(broken: tuple[Broken, ...]) -> list[str]:
    return [limit.limit for limit in broken]


def test_a_candidate_within_its_limits_breaks_none_and_doubts_nothing() -> None:
    limits = CostLimits(1000, 100, 1e-3)
    verdict = judge(candidate(), question(limits=limits))
    assert (verdict.broken, verdict.doubts, verdict.unsure, verdict.warnings) == ((), (), (), ())
    assert verdict.life is None and verdict.energy == {}


def test_a_typical_figure_above_its_limit_is_broken_with_numbers_and_option() -> None:
    limits = CostLimits(999, 99, 0.9e-3, frozenset({"ram"}))
    made = candidate(flash=Interval(999, 1000, 1100), ram=Interval(99.5, 100, 120))
    flash, ram, latency = judge(made, question(limits=limits)).broken
    assert flash == Broken(
        "flash",
        "1,000 B of flash, 1 B more than the 999 B allowed; only its lower bound, 999 B, would fit",
        999,
        1000,
        "B",
        "--flash",
    )
    assert ram == Broken(
        "ram", "100 B of RAM, 1 B more than the 99 B that the device has", 99, 100, "B", "--ram"
    )
    assert (latency.limit, latency.unit, latency.option) == ("latency", "s", "--max-latency")
    assert (latency.allowed, latency.value) == (0.9e-3, 1e-3)
    assert latency.words == ("1.00 ms of the processor's time, 100 µs more than the 900 µs allowed")


def test_a_limit_inside_the_bounds_is_a_doubt() -> None:
    made = candidate(flash=Interval(900, 1000, 1200), ram=Interval(100, 100, 101))
    on_its_edges = CostLimits(1000, 101)
    verdict = judge(made, question(limits=on_its_edges))
    assert verdict.broken == ()
    assert verdict.unsure == ("flash",)
    assert verdict.doubts == (
        "may not keep the limit of 1,000 B of flash: it takes 900 B to 1,200 B",
    )
    assert judge(made, question(limits=CostLimits(1200))).unsure == ()
    assert judge(made, question(limits=CostLimits(1199))).unsure == ("flash",)


def test_an_unknown_figure_breaks_a_limit_that_the_user_gave_and_no_other() -> None:
    unknown = replace(candidate(), flash=None, ram=None, latency=None)
    limits = CostLimits(5000, 300, 2e-3, frozenset({"ram"}))
    flash, latency = judge(unknown, question(limits=limits)).broken
    assert flash == Broken(
        "flash",
        "its share of flash is unknown, and at most 5,000 B are allowed",
        5000,
        None,
        "B",
        "--flash",
    )
    assert latency.words == (
        "its share of the processor's time is unknown, and at most 2.00 ms are allowed"
    )
    assert latency.unit == "s"


def test_what_failed_has_no_figure_that_could_break_a_limit() -> None:
    failed = SchemeOffer("aes-128-ccm", "a/aes", Evidence.SIMULATED, failure="it crashed")
    made = replace(candidate(), flash=None, offers=(failed,))
    assert judge(made, question(limits=CostLimits(10))).broken == ()
    # Its known figures still count
    assert limits_of(judge(made, question(limits=CostLimits(10, 10))).broken) == ["ram"]
    half = replace(candidate("aes-128-ctr", "hmac-sha256"), flash=None)
    half = replace(half, offers=(half.offers[0], failed))
    assert judge(half, question(limits=CostLimits(10))).broken == ()


def test_limits_that_come_later_are_judged_as_at_once() -> None:
    made = candidate(flash=Interval(900, 1000, 1200), ram=around(100))
    limits = CostLimits(1100, 50)
    before = replace(judge(made, question()), doubts=("of before",), broken=(Broken("x", "y"),))
    after = within(before, limits)
    assert limits_of(after.broken) == ["x", "ram"]
    assert after.doubts == (
        "may not keep the limit of 1,100 B of flash: it takes 900 B to 1,200 B",
        "of before",
    )
    assert after.unsure == ("flash",)


def test_a_tag_that_is_shorter_than_the_policy_wants_names_both_lengths() -> None:
    scheme, rule = schemes()["aes-128-gcm"], policy("bsi")  # 12 B
    assert short_tag(scheme, 12, rule) is None
    assert short_tag(scheme, 11, rule) == Broken(
        "policy",
        f"{rule.title} wants tags of 96 bits or more of aes-128-gcm, and this one has 88",
        option="--tag 12",
    )
    assert short_tag(schemes()["aes-128-ctr"], 0, rule) is None  # has no tag
    assert short_tag(scheme, 4, policy("current")) is None  # asks for no length
    assert short_tag(schemes()["ascon-aead128"], 4, rule) is None  # is not listed


def test_the_tag_is_that_of_the_mac_and_public_keys_have_none() -> None:
    short = SentBytes(24, 0, 12, 8)
    for names in (["aes-128-gcm"], ["aes-128-ctr", "aes-128-cmac"]):
        made = candidate(*names, sent=short)
        (limit,) = fixed_limits(made, question(rule="bsi"))
        assert (limit.limit, limit.option) == ("policy", "--tag 12")
        assert names[-1] in limit.words
    assert fixed_limits(candidate("aes-128-gcm", sent=short), question()) == ()
    signed = candidate("aes-128-gcm", sent=short)
    assert fixed_limits(signed, question(rule="bsi", need=Need.SIGNATURE)) == ()


def test_a_cipher_alone_protects_nothing_against_changes() -> None:
    bare = candidate("aes-128-ctr by a/aes", sent=SentBytes(24, 0, 12, 0))
    assert fixed_limits(bare, question()) == (
        Broken("need", "nothing protects the message against changes", option="--need encryption"),
    )
    assert fixed_limits(bare, question(need=Need.ENCRYPTION)) == ()
    assert fixed_limits(candidate("chacha20 by a/c"), question())[0].limit == "need"
    assert fixed_limits(candidate("aes-128-ctr", "hmac-sha256"), question()) == ()
    assert fixed_limits(candidate("aes-128-ccm"), question()) == ()


def test_what_a_candidate_lacks_and_what_its_parts_break_is_broken_in_this_order() -> None:
    made = candidate(lacking=("no result", "no other"))
    made = replace(
        made,
        standing=replace(made.standing, broken=(Broken("policy", "old"),)),
        sent=replace(made.sent, broken=(Broken("tag", "short"),)),
    )
    assert [(limit.limit, limit.words) for limit in fixed_limits(made, question())] == [
        ("result", "no result"),
        ("result", "no other"),
        ("policy", "old"),
        ("tag", "short"),
    ]


def test_a_stateful_signature_makes_no_signatures_of_messages() -> None:
    stateful = next(
        scheme.name for scheme in schemes().values() if scheme.signing and scheme.signing.stateful
    )
    made = candidate(stateful)
    signing = question(need=Need.SIGNATURE, form=MessageForm(role=Role.SIGN))
    checking = question(need=Need.SIGNATURE, form=MessageForm(role=Role.VERIFY))
    (limit,) = fixed_limits(made, signing)
    assert limit.limit == "need" and limit.words.startswith("stateful: each signature uses up")
    assert fixed_limits(made, checking) == ()
    assert fixed_limits(candidate("ed25519"), signing) == ()


def radio(seconds: float, times: float) -> OnAir:
    return OnAir(1, seconds, (EnergyPart("transmit", seconds, drawn(0.02), times),), ())


def test_a_device_that_is_busy_for_longer_than_the_interval_breaks_it() -> None:
    asked = question(every_s=7.0, active=drawn(0.01), battery=BATTERY, sleeping=(drawn(1e-6),))
    made = candidate(latency=around(1.0))
    asked.scene.known[made.sent.total_bytes, 0] = radio(2.0, 3.0)
    fits = judge(made, asked)
    assert fits.broken == () and fits.life is not None
    longer = judge(candidate(latency=around(1.5)), asked)
    assert longer.life is None
    assert longer.broken == (
        Broken(
            "interval",
            "it keeps the device busy for 7.5 s, and --every is 7 s",
            7.0,
            7.5,
            "s",
            "--every",
        ),
    )
    assert (
        limits_of(judge(made, replace(asked, scene=replace(asked.scene, every_s=None))).broken)
        == []
    )


def test_energy_is_that_of_the_cipher_of_each_part_on_air_and_of_sleep() -> None:
    asked = question(every_s=10.0, active=drawn(0.01, 2.0), sleeping=(drawn(1e-6), drawn(2e-6)))
    made = candidate(latency=Interval(0.5, 1.0, 2.0))
    asked.scene.known[made.sent.total_bytes, 0] = radio(2.0, 3.0)
    energy = judge(made, asked).energy
    assert list(energy) == ["cipher", "transmit", "sleep"]
    assert energy["cipher"].value == Interval(0.01, 0.02, 0.04)
    assert energy["transmit"].value.typical == pytest.approx(0.02 * 3.0 * 6.0)
    assert energy["sleep"].value.typical == pytest.approx(3e-6 * 3.0 * 10.0)
    assert {figure.evidence for figure in energy.values()} == {Evidence.MODELLED}
    # No sleep without an interval, and nothing without a current
    assert (
        "sleep" not in judge(made, replace(asked, scene=replace(asked.scene, every_s=None))).energy
    )
    assert judge(made, replace(asked, scene=replace(asked.scene, active=None))).energy == {}


def test_parts_of_one_name_are_added() -> None:
    part = EnergyPart("element", 1.0, drawn(0.01, 2.0))
    offer = SchemeOffer("aes-128-ctr", "element/x", Evidence.MODELLED, beside=(part,))
    made = replace(candidate("aes-128-ctr", "hmac-sha256"), offers=(offer, offer))
    energy = judge(made, question(active=drawn(0.01))).energy
    assert energy["element"].value.typical == pytest.approx(0.04)


def test_a_computation_that_takes_no_time_has_no_bounds_of_it() -> None:
    energy = judge(candidate(latency=around(0.0)), question(active=drawn(0.01))).energy
    assert energy["cipher"].value == Interval(0.0, 0.0, 0.0)


def lasting(scheme: str, message: int, every_s: float) -> Judged:
    made = candidate(scheme, sent=SentBytes(message, 0, 8, 8))
    return judge(made, question(every_s=every_s))


def test_a_key_of_short_blocks_lasts_as_long_as_its_data_limit() -> None:
    # 32 GiB (catalog/policies/data-limits.toml). A message of 24 B takes three blocks, each twice,
    # and two for nonce and length: 64 B a second
    (doubt,) = lasting("xtea-eax", 24, 1.0).doubts
    years = 2**35 / 64 / YEAR_S
    assert doubt == f"64-bit blocks: a key lasts {years:.3g} years of messages"
    assert years_of(lasting("xtea-eax", 24, 2.0)) == pytest.approx(2 * years, rel=0.005)
    assert years_of(lasting("xtea-eax", 25, 1.0)) == pytest.approx(years * 4 / 5, rel=0.005)


def years_of(verdict: Judged) -> float:
    """The life of a key in the only remark."""
    (doubt,) = verdict.doubts
    return float(doubt.split(" lasts ")[1].split()[0])


def test_a_cipher_without_a_tag_encrypts_each_block_once() -> None:
    def years(scheme: str, sent: SentBytes) -> float:
        made = candidate(scheme, sent=sent)
        return years_of(judge(made, question(every_s=1.0, need=Need.ENCRYPTION)))

    plain = years("xtea-ctr", SentBytes(24, 0, 8, 0))
    assert plain == pytest.approx(2 * years("xtea-eax", SentBytes(24, 0, 8, 8)), rel=0.005)
    assert years("xtea-cbc", SentBytes(17, 7, 8, 0)) == pytest.approx(plain, rel=0.005)


def test_a_key_that_lasts_a_century_needs_no_remark_and_blocks_of_aes_have_no_limit() -> None:
    assert lasting("xtea-eax", 24, 1e9).doubts == ()
    assert lasting("aes-128-ccm", 24, 600.0).doubts == ()
    assert lasting("chacha20-poly1305", 24, 600.0).doubts == ()


def test_a_key_that_ends_before_the_battery_breaks_the_data_limit() -> None:
    asked = question(every_s=1.0, active=drawn(1e-3), battery=BATTERY, sleeping=(drawn(1e-6),))
    verdict = judge(candidate("xtea-eax", sent=SentBytes(24, 0, 8, 8)), asked)
    assert verdict.life is not None and verdict.doubts == ()
    (limit,) = verdict.broken
    assert (limit.limit, limit.unit, limit.option) == ("data-limit", "years", "--every")
    assert limit.value == verdict.life.value.high and limit.allowed is not None
    assert limit.words == (
        f"64-bit blocks: one key lasts {limit.allowed:.3g} years, the battery up to "
        f"{limit.value:.3g}"
    )


def test_judged_candidates_of_these_tests_break_nothing() -> None:
    assert judged().broken == () and judged().energy_j == around(1.0)
