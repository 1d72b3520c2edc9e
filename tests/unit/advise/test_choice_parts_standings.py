"""Standing of schemes and code on 1 November 2026: tier, strength, announced verdicts, broken
limits."""

from __future__ import annotations

import datetime
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from choice_candidates import question

from motebench.advise.choice import standings
from motebench.advise.choice.candidate import NONE, SchemeOffer, Standing
from motebench.advise.choice.question import Need
from motebench.advise.choice.standings import Standings
from motebench.advise.reference.table import ShownFlow
from motebench.base.model import Evidence
from motebench.catalog.libraries import Maturity, maturity_of

CIPHERS = ["aes-128-ccm", "xtea-eax", "3des-eax", "present-80-eax", "camellia-128-ccm"]
SIGNATURES = ["ed25519", "ml-dsa-44", "ml-dsa-87", "rsa-2048-pkcs1-sha256"]


def offer(scheme: str, by: str = "mote/x") -> SchemeOffer:
    return SchemeOffer(scheme, by, Evidence.SIMULATED)


def standing(
    *schemes: str, need: Need = Need.AEAD, rule: str = "current", by: str = "mote/x", **demands: Any
) -> Standing:
    asked = question(need=need, rule=rule, demands=demands).demands
    names = [*CIPHERS, *SIGNATURES, *schemes]
    return Standings(asked, names).standing([offer(scheme, by) for scheme in schemes])


def limits(made: Standing) -> list[tuple[str, str]]:
    """Broken limits of the scheme, without that of the code's maturity."""
    return [(limit.limit, limit.option) for limit in made.broken if limit.limit != "maturity"]


@pytest.mark.parametrize(
    ("scheme", "tier", "bits"),
    [
        ("aes-128-ccm", 0, 128),
        ("camellia-128-ccm", 1, 128),
        ("xtea-eax", 1, 128),
        ("present-80-eax", 2, 80),
        ("3des-eax", 3, 112),
    ],
)
def test_tiers_follow_from_verdicts_strength_and_blocks(scheme, tier, bits) -> None:
    made = standing(scheme)
    assert (made.tier, made.strength_bits) == (tier, bits)


def test_the_reasons_of_a_tier_are_its_words() -> None:
    assert standing("aes-128-ccm").words == ("AES: approved since 2001-11-26, NIST",)
    assert standing("camellia-128-ccm").words[0].endswith(" (a listing, no recommendation)")
    assert standing("xtea-eax").words == (
        "XTEA: no body has judged it",
        "blocks of 64 bits",
    )
    verdict, weak, short = standing("present-80-eax").words
    assert verdict.endswith(", but the mode eax is neither NIST's nor of an RFC")
    assert weak.startswith("80 bits are fewer than the 112 of NIST SP 800-131A")
    assert short == "blocks of 64 bits"


def test_two_schemes_have_the_worse_standing_of_both() -> None:
    made = standing("aes-128-ccm", "3des-eax")
    assert (made.tier, made.strength_bits) == (3, 112)
    assert standing("aes-128-ccm", "aes-128-ccm").words == standing("aes-128-ccm").words
    assert ("policy", "--policy legacy") in limits(made)
    assert limits(standing("3des-eax", rule="legacy")) == []


def test_announced_verdicts_are_named_and_drafts_of_public_keys_lower_nothing() -> None:
    made = standing("rsa-2048-pkcs1-sha256", need=Need.SIGNATURE)
    assert (made.tier, made.later) == (0, False)
    assert "; deprecated for signing from 2031-01-01 on, NIST (draft)" in made.words[0]
    later = standing("ml-dsa-44", need=Need.SIGNATURE)
    assert (later.later, later.group, later.strength_bits) == (True, 0.5, 128)
    assert standing("ml-dsa-87", need=Need.SIGNATURE).strength_bits == 256
    assert not standing("ml-dsa-44", need=Need.UPDATE).later
    assert not standing("ml-dsa-87", need=Need.SIGNATURE, rule="cnsa2").later


def test_the_end_of_service_breaks_what_is_withdrawn_until_then() -> None:
    def broken(year: int, month: int = 1, day: int = 1) -> list[tuple[str, str]]:
        until = datetime.date(year, month, day)
        return limits(standing("ed25519", need=Need.SIGNATURE, until=until))

    assert broken(2035, 12, 31) == []
    assert broken(2036) == [("until", "--until")]
    made = standing("ed25519", need=Need.SIGNATURE, until=datetime.date(2040, 1, 1))
    (limit,) = [limit for limit in made.broken if limit.limit == "until"]
    assert limit.words.startswith("Ed25519: disallowed ")
    assert limit.words.endswith("(draft), and the service is to last until 2040-01-01")


def test_policies_reject_what_their_body_has_not_approved() -> None:
    assert limits(standing("xtea-eax", rule="nist")) == [("policy", "--policy current")]
    assert limits(standing("aes-128-ccm", rule="nist")) == []
    assert limits(standing("ed25519", need=Need.SIGNATURE, rule="cnsa2")) == [
        ("policy", "--policy current")
    ]


def test_a_strength_below_the_demand_is_broken_with_both_numbers() -> None:
    assert limits(standing("aes-128-ccm", strength_bits=128)) == []
    made = standing("aes-128-ccm", strength_bits=129)
    (limit,) = [limit for limit in made.broken if limit.limit == "strength"]
    assert (limit.allowed, limit.value, limit.unit) == (129, 128, "bits")
    assert limit.words == "128 bits of strength, but --strength asks for 129"


def test_code_breaks_the_demands_on_keys_and_constant_time(monkeypatch) -> None:
    assert limits(standing("aes-128-ccm", protect_key=True)) == [("protect-key", "--protect-key")]
    assert limits(standing("aes-128-ccm", by="element/x", protect_key=True)) == []
    claims = {"a": SimpleNamespace(statement="none of its times"), "b": None}
    monkeypatch.setattr(standings, "claim", claims.get)
    made = standing("aes-128-ccm", by="b", constant_time=True)
    assert limits(made) == [("constant-time", "--constant-time")]
    assert limits(standing("aes-128-ccm", by="a", constant_time=True)) == []
    assert limits(standing("aes-128-ccm", by=NONE, constant_time=True, protect_key=True)) == []


def test_a_claim_of_constant_time_is_of_all_parts(monkeypatch) -> None:
    claims = {"a": SimpleNamespace(statement="no tables"), "b": SimpleNamespace(statement="none")}
    monkeypatch.setattr(standings, "claim", claims.get)

    def claimed(*makers: str, **demands: Any) -> str | None:
        made = Standings(question(demands=demands).demands, CIPHERS)
        return made.standing([offer("aes-128-ccm", by) for by in makers]).constant_time

    assert claimed("a") == "no tables"
    assert claimed("a", "b") == "no tables; none"
    assert claimed("a", "a") == "no tables"
    assert claimed("c") is None and claimed("a", "c") is None
    assert claimed("c", secret=False) == "not needed, checking a signature handles no secret"


def test_a_secret_that_reaches_time_refutes_a_claim(monkeypatch) -> None:
    claims = {name: SimpleNamespace(statement="no tables") for name in "abc"}
    monkeypatch.setattr(standings, "claim", claims.get)
    flows = {"a": ShownFlow(False, "none reaches"), "b": ShownFlow(True, "one reaches")}
    monkeypatch.setattr(standings, "shown_flow", lambda _, scheme, by: flows.get(by))
    asked = question(demands={"constant_time": True})

    def made(*makers: str) -> Standing:
        shown = Standings(asked.demands, CIPHERS, asked.scene.device)
        return shown.standing([offer("aes-128-ccm", by) for by in makers])

    assert (made("a").constant_time, made("a").timing) == ("no tables", "none reaches")
    assert limits(made("a")) == []
    assert (made("b").constant_time, made("b").timing) == (None, "one reaches")
    assert [(limit.limit, limit.words) for limit in made("b").broken] == [
        ("constant-time", "one reaches")
    ]
    assert made("a", "b").timing == "one reaches"
    assert made("a", "c").timing == "constant time by its authors: no tables"
    assert made("c").secret_flow is None and limits(made("c")) == []


def test_the_maturity_is_that_of_the_least_mature_part(monkeypatch) -> None:
    maturity = {"a": Maturity.MAINTAINED, "b": Maturity.RESEARCH, NONE: Maturity.REVIEWED}
    monkeypatch.setattr(standings, "maturity_of", lambda by, _: maturity[by])

    def made(*makers: str, **demands: Any) -> Standing:
        asked = question(demands=demands).demands
        return Standings(asked, CIPHERS).standing([offer("aes-128-ccm", by) for by in makers])

    assert made("a", "b").maturity is Maturity.RESEARCH
    assert [limit.limit for limit in made("a", "b").broken] == ["maturity"]
    assert made("a", "b", research=True).broken == ()
    assert made("a").broken == ()
    assert made("a").made_by == ("a: nothing is known of its maturity",)
    assert made("a", "a").made_by == made("a").made_by
    assert made(NONE).made_by == () and made(NONE).broken == ()
    (limit,) = made("b").broken
    assert (limit.words, limit.option) == ("b is research", "--include research")


def test_code_inside_counts_for_the_schemes_that_use_it() -> None:
    # The signatures hash by code of motebench's; key agreement is the library's alone.
    for name in ("micro-ecc/p256", "p256-cortex-m4/p256"):
        assert maturity_of(name, "ecdh-p256") is Maturity.UNMAINTAINED
        assert maturity_of(name, "ecdsa-p256-sha256") is Maturity.RESEARCH
    assert maturity_of("mlkem-native/ml-kem-mote-keccak", "ml-kem-512") is Maturity.RESEARCH
    assert maturity_of("mlkem-native/ml-kem", "ml-kem-512") is Maturity.REVIEWED


def test_standings_of_the_same_offers_are_computed_once() -> None:
    made = Standings(question().demands, CIPHERS)
    first = made.standing([offer("aes-128-ccm")])
    assert made.standing([offer("aes-128-ccm")]) is first
    assert made.standing([offer("aes-128-ccm", "other")]) is not first
    assert made.scheme("aes-128-ccm") is not None and made.scheme("no-such") is None
    assert replace(first, tier=1).group == 1.0
