"""Rules that every answer of the choice keeps: many questions on all boards with results."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import pytest

import motebench
from motebench.base.errors import InputError
from motebench.catalog.radios import REGIONS
from motebench.documents.choice import CandidateEntry, ChoiceEntry

BOARDS = ("samd21g18a", "nrf52840", "stm32l4", "stm32wle5", "rp2040-xip", "atsaml21j18b")
SMALL = ("atmega328p", "atmega2560", "atmega4809", "attiny1614")
MORE = ("rp2040", "rp2350-hazard3", "attiny3226", "raspberry-pi-4b", "raspberry-pi-3b")
TAGS = (8, 16)
ROUNDING = 1e-9
Q = TypeVar("Q")


@cache
def _asked(given: tuple[tuple[str, Any], ...]) -> ChoiceEntry | None:
    try:
        return motebench.choose(**dict(given)).entry
    except InputError:
        return None


def asked(**given: Any) -> ChoiceEntry | None:
    """The answer; None if the question contradicts itself, or nothing has results."""
    return _asked(tuple(sorted(given.items())))


def edges(board: str, region: str, rates: Iterator[int] | range) -> Iterator[dict[str, Any]]:
    """Messages that fill a frame with a tag of 8 or 16 bytes, or are a byte longer."""
    known = {rate.dr: rate.max_payload_bytes for rate in REGIONS.find(region).data_rates}
    for dr, tag, more in itertools.product(rates, TAGS, (0, 1)):
        if dr in known and known[dr] > tag:
            yield {
                "device": board,
                "message": known[dr] - tag + more,
                "every": "6h",
                "lorawan": region,
                "dr": dr,
                "battery": "ls14500",
            }


def _first_is_recommended(entry: ChoiceEntry) -> None:
    if entry.chosen is None:
        return
    first = entry.candidates[0]
    assert first.status.tier == 0, (entry.question, entry.chosen)
    assert first.status.maturity != "research"


def _ties_are_within_the_share(entry: ChoiceEntry) -> None:
    share = 1 + entry.question.equal + ROUNDING
    for one in entry.candidates:
        if one.rank == 1:
            assert 1 / share <= one.worse.typical <= share, (entry.question, one.scheme, one.worse)
        assert one.tied == (sum(other.rank == one.rank for other in entry.candidates) > 1)
    for place, group in itertools.groupby(entry.candidates, key=lambda one: one.rank):
        ratios = [one.worse.typical for one in group]
        assert max(ratios) / min(ratios) <= share, (entry.question, place)


_NAMES = {
    "--nonce": "nonce",
    "--tag": "tag_bytes",
    "--dr": "dr",
    "--fragment": "fragment",
    "--need": "need",
    "--with": "element",
    "--policy": "policy",
    "--include": "research",
    "--flash": "flash",
    "--ram": "ram",
    "--max-latency": "max_latency",
    "--every": "every",
    "--device": "device",
    "--strength": "strength",
    "--message": "message",
}


def _changed(words: list[str]) -> dict[str, Any]:
    """The arguments that options stand for."""
    changed: dict[str, Any] = {}
    for place, word in enumerate(words):
        if word in _NAMES:
            value = (
                words[place + 1]
                if place + 1 < len(words) and not words[place + 1].startswith("--")
                else "True"
            )
            changed[_NAMES[word]] = (
                int(value) if value.isdigit() else True if value in ("True", "research") else value
            )
    return changed


def _ways_lead_somewhere(given: Mapping[str, Any], entry: ChoiceEntry) -> None:
    """Each way out gives the predicted choice, which is recommended."""
    for way in entry.ways:
        kept = dict(given)
        if "without --role" in way.option:
            del kept["role"]
        answer = asked(**{**kept, **_changed(way.option.split())})
        assert answer is not None and answer.chosen == f"{way.scheme} by {way.implementation}", (
            given,
            way,
        )
        _first_is_recommended(answer)


def _relaxed(line: str) -> dict[str, Any]:
    """Arguments of a line such as ``NAME: --flash to 2,200 B (now 600 B, 267 %); --policy legacy
    (...)``.
    """
    changed: dict[str, Any] = {}
    for part in re.split(r"; (?=--|without --)", line.partition(": ")[2]):
        option = part.partition(" (")[0]
        if option.startswith("without "):
            changed[
                {"--tag": "tag_bytes"}.get(
                    option.split()[1], option.split()[1].strip("-").replace("-", "_")
                )
            ] = None
        elif option.startswith("--fragment"):
            changed["fragment"] = True
        elif " to " in option:
            name, _, value = option.partition(" to ")
            text = re.sub(r",| bits| B| ", "", value).replace("µ", "u")
            changed[_NAMES[name]] = int(text) if text.isdigit() else text
        else:
            changed |= _changed(option.split())
    return changed


def _hints_lead_somewhere(given: Mapping[str, Any], entry: ChoiceEntry) -> None:
    """Each of the nearest keeps all limits with the options that its line names."""
    for line in entry.nearest:
        changed = _relaxed(line)
        answer = asked(
            **{name: value for name, value in {**given, **changed}.items() if value is not None}
        )
        assert answer is not None, (given, line)
        # With other code the hash of an update may be another one.
        if not answer.chosen:
            assert answer.ways, (given, line)
        named = {one.scheme.partition(" + ")[0] for one in answer.candidates}
        named |= {
            one.scheme.partition(" + ")[0]
            for one in answer.rejected
            if [broken.limit for broken in one.broken] == ["recommended"]
        }
        assert line.split()[0] in named, (given, line)


def asks(given: Mapping[str, Any]) -> bool:
    """True if the question has an answer, with or without a choice."""
    return asked(**given) is not None


def keeps_the_rules(given: Mapping[str, Any]) -> None:
    entry = asked(**given)
    if entry is None:
        return
    _first_is_recommended(entry)
    _ties_are_within_the_share(entry)
    _ways_lead_somewhere(given, entry)
    _hints_lead_somewhere(given, entry)


SOME = [
    *edges("stm32wle5", "EU868", range(0, 1)),
    {"device": "nrf52840", "message": 24},
    {"device": "stm32l4", "message": 64, "rank": "latency"},
    {"device": "atmega2560", "message": 24, "rank": "latency", "flash": 9000},
    {"device": "samd21g18a", "message": 24, "need": "mac", "every": "10min", "battery": "cr2032"},
    {
        "device": "samd21g18a",
        "message": 32,
        "need": "signature",
        "every": "1d",
        "battery": "cr2032",
    },
    {"device": "samd21g18a", "need": "agreement", "policy": "bsi", "until": "2041"},
    {"device": "samd21g18a", "message": 24, "flash": 600, "ram": 300, "max_latency": "100us"},
    {"device": "atmega328p", "need": "update", "message": 24576},
    {"device": "atmega328p", "need": "kem"},
    {"device": "atmega4809", "need": "kem", "policy": "bsi", "until": "2041"},
    {"device": "raspberry-pi-4b", "need": "kem", "flash": 8000},
    {"device": "attiny3224", "need": "kem", "role": "encapsulate", "policy": "nist"},
    {"device": "atmega328p", "need": "signature", "message": 51, "role": "sign", "ram": 2000},
    {
        "device": "samd21g18a",
        "message": 24,
        "constant_time": True,
        "policy": "cnsa2",
        "flash": 3000,
        "until": "2041",
    },
]


@pytest.mark.parametrize(
    "given", SOME, ids=lambda given: "-".join(str(value) for value in given.values())
)
def test_an_answer_keeps_the_rules(given):
    keeps_the_rules(given)


QUESTIONS = 3


def sampled(questions: list[Q], *seed: str) -> list[Q]:
    """A few of the questions, others for each seed: each takes seconds, and all of them hours."""
    return random.Random(" ".join(seed)).sample(questions, min(QUESTIONS, len(questions)))


@pytest.mark.long
@pytest.mark.parametrize("board", [*BOARDS, *SMALL])
@pytest.mark.parametrize("region", ["EU868", "US915"])
def test_answers_at_the_edges_of_frames_keep_the_rules(board, region):
    lengths = list(edges(board, region, range(0, 7)))
    assert lengths
    for given in sampled(lengths, board, region):
        keeps_the_rules(given)
        keeps_the_rules({**given, "nonce": "carried"})


@pytest.mark.long
@pytest.mark.parametrize("board", [*BOARDS, *SMALL])
@pytest.mark.parametrize("need", ["aead", "mac", "hash", "signature", "agreement", "kem"])
def test_answers_to_other_needs_keep_the_rules(board, need):
    given: dict[str, Any] = {"device": board, "need": need}
    if need not in ("agreement", "kem"):
        given["message"] = 32
    orders = sampled(
        list(itertools.product(("latency", "energy"), ("current", "nist", "bsi"))), board, need
    )
    assert len(orders) == QUESTIONS
    for rank, policy in orders:
        keeps_the_rules({**given, "rank": rank, "policy": policy})


LINKS = (
    {"lorawan": "EU868", "dr": 0},
    {"lorawan": "EU868", "dr": 5},
    {"lorawan": "US915", "dr": 1},
    {"link": "ble:1m"},
    {"link": "thread"},
    {"link": "zigbee"},
    {"link": "lora:SF9BW125"},
    {"link": "fsk:50kbps"},
    {"link": "nbiot"},
    {"link": "wifi"},
)
NEEDS = ("aead", "aead", "encryption", "mac", "hash", "signature", "agreement", "kem", "update")
OPTIONS = (
    ("rank", ("latency", "energy", "flash", "ram")),
    ("policy", ("nist", "bsi", "legacy", "cnsa2")),
    ("until", ("2029", "2032", "2041")),
    ("flash", (1500, 3000, 6000, 12_000, 30_000)),
    ("ram", (200, 600, 2000)),
    ("max_latency", ("200us", "5ms", "1s")),
    ("strength", (112, 192, 256)),
    ("equal", (0.0, 0.05)),
    ("constant_time", (True,)),
)
"""Options of which a question has each in one of four cases, with their values."""


def drawn(seed: int) -> dict[str, Any]:
    """A question as a user might ask it, drawn at random."""
    draw = random.Random(seed)
    need = draw.choice(NEEDS)
    given: dict[str, Any] = {"device": draw.choice((*BOARDS, *SMALL, *MORE)), "need": need}
    if need == "update":
        given["message"] = draw.choice((8192, 24_576, 102_400))
    elif need not in ("agreement", "kem"):
        given["message"] = draw.choice((1, 8, 12, 24, 32, 40, 51, 64, 100, 222, 1024))
    if need != "update" and draw.random() < 0.5:
        given |= draw.choice(LINKS) | {"every": draw.choice(("10s", "10min", "6h", "1d"))}
        if draw.random() < 0.7:
            given["battery"] = draw.choice(("cr2032", "ls14500", "aa-alkaline-x2"))
        if draw.random() < 0.3:
            given["fragment"] = True
    if need == "aead" and draw.random() < 0.3:
        given |= {"nonce": draw.choice(("carried", "counter")), "tag_bytes": draw.choice(TAGS)}
    if need in ("signature", "kem") and draw.random() < 0.5:
        roles = ("sign", "verify") if need == "signature" else ("encapsulate", "decapsulate")
        given["role"] = draw.choice(roles)
    for name, values in OPTIONS:
        if draw.random() < 0.25:
            given[name] = draw.choice(values)
    return given


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(at, marks=pytest.mark.long) for at in range(5, 500, 5))]
)
def test_questions_drawn_at_random_keep_the_rules(first):
    questions = [drawn(seed) for seed in range(first, first + 5)]
    assert any(map(asks, questions))
    for given in questions:
        keeps_the_rules(given)


# More of anything never worsens the answer


def _goodness(first: CandidateEntry) -> tuple[float, int, bool, bool]:
    unmaintained = first.status.maturity in ("outdated", "unmaintained")
    return first.status.tier, len(first.unsure), first.composed, unmaintained


def _time(first: CandidateEntry) -> float:
    assert first.latency is not None
    return first.latency.typical


def no_worse(before: ChoiceEntry | None, after: ChoiceEntry | None) -> None:
    """The second answer is as recommended, as certain and as maintained, and its time is longer by
    the share of equal ones at most.
    """
    if before is None or before.chosen is None:
        return
    assert after is not None and after.chosen is not None, before.question
    one, other = before.candidates[0], after.candidates[0]
    assert _goodness(other) <= _goodness(one), (before.question, after.question)
    if _goodness(other) == _goodness(one):
        longer = _time(other) / _time(one)
        assert longer <= 1 + before.question.equal + ROUNDING, (
            before.chosen,
            after.chosen,
            after.question.limits,
        )


def _rising(board: str, name: str, values: tuple[int, ...]) -> None:
    answers = [asked(device=board, message=24, rank="latency", **{name: value}) for value in values]
    assert answers[-1] is not None
    assert answers[-1].chosen is not None, "otherwise nothing is compared"
    for before, after in itertools.pairwise(answers):
        no_worse(before, after)


def test_more_flash_never_worsens_the_answer():
    _rising("atmega2560", "flash", (4000, 6000, 7500, 9000, 12_000, 16_000, 30_000))


@pytest.mark.long
@pytest.mark.parametrize("board", [*BOARDS, *SMALL])
def test_more_memory_never_worsens_the_answer(board):
    _rising(board, "flash", tuple(range(1000, 14_000, 400)))
    _rising(board, "ram", tuple(range(200, 1800, 100)))


@pytest.mark.parametrize("board", ["samd21g18a", pytest.param("nrf52840", marks=pytest.mark.long)])
def test_a_stricter_policy_or_a_longer_service_never_betters_the_answer(board):
    given = {"device": board, "message": 24, "rank": "latency"}
    for policy in ("nist", "bsi"):
        no_worse(asked(**given, policy=policy), asked(**given))
    for need in ("aead", "mac"):
        answers = [asked(**given, need=need, until=year) for year in ("2041", "2031")]
        for before, after in itertools.pairwise([*answers, asked(**given, need=need)]):
            no_worse(before, after)


@pytest.mark.parametrize("board", ["samd21g18a", pytest.param("stm32wle5", marks=pytest.mark.long)])
def test_a_longer_message_never_lasts_longer(board):
    lives = []
    for length in (8, 24, 40, 51):
        entry = asked(
            device=board, message=length, every="1h", lorawan="EU868", dr=5, battery="ls14500"
        )
        assert entry is not None and entry.candidates[0].life is not None
        lives.append(entry.candidates[0].life.typical)
    for shorter, longer in itertools.pairwise(lives):
        assert longer <= shorter * 1.01


@pytest.mark.parametrize(
    "board", ["samd21g18a", *(pytest.param(one, marks=pytest.mark.long) for one in SMALL)]
)
def test_code_that_is_there_never_costs_flash(board):
    given = {
        "device": board,
        "message": 24,
        "every": "10min",
        "lorawan": "EU868",
        "dr": 3,
        "battery": "ls14500",
    }
    alone, there = asked(**given), asked(**given, has="lorawan")
    assert alone is not None and there is not None
    sizes = [entry.candidates[0].flash for entry in (alone, there)]
    assert sizes[0] is not None and sizes[1] is not None and sizes[1].typical <= sizes[0].typical


def test_a_key_exchange_that_does_not_fit_names_the_least_memory_and_other_means():
    entry = asked(device="atmega328p", need="kem")
    assert entry is not None and entry.decision is not None and entry.chosen is None
    assert re.search(
        r"the smallest, ML-KEM-512 .*, takes [\d,]+ B of RAM, and the device has 2,048 B",
        entry.decision.decides[0],
    )
    options = [way.option for way in entry.ways]
    assert options == ["--need aead --message 24", "--device samd21g18a", "--need agreement"]


def test_no_agreement_is_a_way_out_where_its_secret_must_last():
    entry = asked(device="atmega328p", need="kem", policy="bsi", until="2041")
    assert entry is not None
    assert [way.option for way in entry.ways] == ["--need aead --message 24", "--device samd21g18a"]


def test_a_limit_of_memory_that_nobody_can_check_is_named_as_the_hindrance():
    entry = asked(device="raspberry-pi-4b", need="kem", flash=8000)
    assert entry is not None and entry.chosen is None and entry.nearest
    assert all("without --flash" in line for line in entry.nearest)


def test_no_hint_asks_for_more_memory_than_the_device_has():
    entry = asked(device="atmega328p", need="signature", message=51, role="sign", ram=2000)
    assert entry is not None and entry.chosen is None
    assert not [line for line in entry.nearest if "--ram" in line]


def test_no_way_out_is_a_weaker_scheme_beside_a_recommended_one():
    given = {"device": "stm32l4", "need": "signature", "message": 64, "until": "2041"}
    entry = asked(**given, implementations=("monocypher/*", "bearssl/*"))
    assert entry is not None and entry.decision is not None and entry.chosen is None
    options = [alternative.words for alternative in entry.decision.alternatives]
    assert options and not [words for words in options if "legacy" in words]


def test_a_message_too_long_for_a_radio_without_fragments_is_refused_with_the_length_it_takes():
    with pytest.raises(InputError) as refusal:
        motebench.choose(device="rp2040-xip", need="mac", message=222, link="802154", every="10min")
    assert refusal.value.where == "message"
    assert refusal.value.hint == "a message of at most 116 bytes, with nonce and tag"
