"""Recorded answers of ``stats`` to made-up samples: any number that changes shows."""

from __future__ import annotations

import re

import pytest
import stats_answers

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")
_CLOSE = 2e-6
"""The recording has seven digits."""


@pytest.fixture(scope="module")
def recorded():
    lines = stats_answers.RECORDING.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" = ", 1) for line in lines)


def numbers(text):
    return [float(number) for number in _NUMBER.findall(text)]


def skeleton(text):
    return _NUMBER.sub("#", text)


@pytest.mark.parametrize("area", stats_answers.AREAS)
def test_numbers_are_those_that_were_recorded(area, recorded):
    answers = stats_answers.answers(area)
    assert len(answers) >= 3
    before = {name: recorded[name] for name in answers}
    assert {name: skeleton(text) for name, text in answers.items()} == {
        name: skeleton(text) for name, text in before.items()
    }
    assert {name: numbers(text) for name, text in answers.items()} == {
        name: pytest.approx(numbers(text), rel=_CLOSE, abs=1e-12) for name, text in before.items()
    }


def test_every_recorded_answer_is_asked_for(recorded):
    names = [name for area in stats_answers.AREAS for name in stats_answers.answers(area)]
    assert sorted(names) == sorted(recorded)
