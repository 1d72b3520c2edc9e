"""Answers of `choose` word by word: choice, reasons, evidence, checks, and the limit of each
rejected candidate. On made-up results, so that only code and catalog can change them.
"""

from __future__ import annotations

import pytest
from choice_answers import SCENES, answer, recorded


def test_every_scene_is_recorded() -> None:
    assert list(recorded()) == list(SCENES)


@pytest.mark.parametrize("scene", SCENES)
def test_an_answer_says_what_it_said(scene: str) -> None:
    assert answer(*SCENES[scene]).splitlines() == recorded()[scene].splitlines()
