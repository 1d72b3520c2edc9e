"""Answers at the stops of the sliders: those of `choose` for the same question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from choice_fixtures import made_up, sensor

from motebench.advise.choice.choosing import answer, choose
from motebench.advise.choice.explorer import ExploredAnswer, exploration, moved
from motebench.advise.choice.question import Chosen, Need, Role
from motebench.advise.radio.lorawan import link
from motebench.advise.reference import table
from motebench.base.errors import InputError
from motebench.catalog.devices import devices
from motebench.catalog.radios import RADIOS, REGIONS


@pytest.fixture
def chosen(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chosen]:
    yield made_up(tmp_path, monkeypatch)
    table.references.cache_clear()


def ranks(answer: ExploredAnswer) -> list[tuple[str, str, str]]:
    return [(one.rank, one.scheme, one.implementation) for one in answer.candidates if one.rank]


def by_choose(chosen: Chosen, question: Any) -> tuple[list[tuple[str, str, str]], int]:
    """The first candidates, and how many keep all limits."""
    try:
        whole = choose(chosen.offers, question)
    except InputError:
        return [], 0
    first = [
        (
            f"{entry.rank}{'=' if entry.tied else ''}",
            entry.candidate.scheme,
            entry.candidate.implementation,
        )
        for entry in whole.ranked[:8]
    ]
    return first, len(whole.ranked)


def compare(chosen: Chosen) -> dict[str, set[str]]:
    """Every stop of every input beside `choose`; the schemes that are first, by input."""
    found = exploration(chosen)
    assert found is not None
    by_name = {name: stops for name, _, _, stops in moved(chosen.question, [1e-4, 10.0])}
    firsts: dict[str, set[str]] = {}
    for entry in found.inputs:
        questions = by_name[entry.name]
        if entry.name == "latency":
            continue
        assert list(questions) == list(entry.stops)
        for number, question in zip(entry.answers, questions.values(), strict=True):
            rows = ranks(found.answers[number])
            wanted, count = by_choose(chosen, question)
            assert rows == wanted, (entry.name, question)
            assert (f" {count} keep all limits." in found.answers[number].words) == bool(count)
            firsts.setdefault(entry.name, set()).update(row[1] for row in rows[:1])
    return firsts


def test_every_stop_has_the_answer_of_choose(chosen: Chosen) -> None:
    firsts = compare(chosen)
    assert set(firsts) == {"rate", "length", "flash", "ram", "strength", "order"}
    assert firsts["order"] == {"chacha20-poly1305", "ascon-aead128"}


def test_the_stop_of_the_question_has_its_answer(chosen: Chosen) -> None:
    found = exploration(chosen)
    assert found is not None
    asked = {entry.answers[entry.asked] for entry in found.inputs}
    assert len(asked) == 1
    first = chosen.ranked[0].candidate
    words = found.answers[asked.pop()].words
    assert words == (
        f"First: {first.scheme} by {first.implementation}. {len(chosen.ranked)} keep all limits."
    )


def test_a_limit_of_time_rejects_with_its_words(chosen: Chosen) -> None:
    found = exploration(chosen)
    assert found is not None
    (times,) = [entry for entry in found.inputs if entry.name == "latency"]
    assert times.stops[-1] == "no limit" and times.asked == len(times.stops) - 1
    least = found.answers[times.answers[0]]
    rejected = [one for one in least.candidates if not one.rank]
    assert rejected
    assert all("more than the" in one.reason for one in rejected)


def test_what_is_not_recommended_stays_out_while_an_option_admits_what_is() -> None:
    """40 bytes and a tag of 16 do not fit a frame of DR0, those of XTEA with 8 do."""
    slow = link(RADIOS.find("stm32wle5", None), REGIONS.find("EU868", None), 0)
    request = sensor(
        device=devices()["stm32wle5"], link=slow, every_s=1800.0, research=False, message_bytes=30
    )
    whole = answer(request)
    found = exploration(replace(whole, question=whole.question.with_scene(message_bytes=40)))
    assert found is not None
    (lengths,) = [entry for entry in found.inputs if entry.name == "length"]
    at = found.answers[lengths.answers[lengths.asked]]
    assert lengths.stops[lengths.asked] == "40 B"
    assert not at.candidates
    assert "--tag 8" in at.words


@pytest.mark.parametrize(
    ("need", "length", "changes"),
    [
        (Need.KEM, 0, {"role": Role.DECAPSULATE}),
        pytest.param(Need.UPDATE, 102_400, {"research": False}, marks=pytest.mark.long),
        pytest.param(
            Need.SIGNATURE, 24, {"role": Role.VERIFY, "research": False}, marks=pytest.mark.long
        ),
    ],
)
def test_questions_of_public_keys_have_the_answers_of_choose(
    need: Need, length: int, changes: dict[str, Any]
) -> None:
    at = link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3, fragment=True)
    request = sensor(need=need, message_bytes=length, every_s=1e6, link=at, **changes)
    firsts = compare(answer(request))
    assert "strength" in firsts
    assert ("length" in firsts) == (length > 0)
