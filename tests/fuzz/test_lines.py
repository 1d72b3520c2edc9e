"""Hostile command lines, drawn by chance, each in a process with limits: no defect, no hang, no
flood, nothing lost.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from calls import EXAMPLES
from judging import Judge
from lines import KINDS, Line

SEED = int(os.environ.get("MOTEBENCH_FUZZ_SEED", "1"))
SHORT = 3
"""Lines of each kind in the short form."""
LONG = 5 * EXAMPLES
"""Lines in all in the long form."""
_PARTS = 8


def drawn(part: int) -> list[Line]:
    """One of `_PARTS` parts of the lines that are drawn: as many of each kind."""
    each = -(-LONG // len(KINDS)) or SHORT
    found: list[Line] = []
    for kind in KINDS:
        lines = list(kind())
        found += random.Random(f"{SEED} {kind.__name__}").sample(lines, min(each, len(lines)))
    return found[part::_PARTS]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with Judge(tmp_path_factory.mktemp("lines")) as made:
        yield made


@pytest.mark.parametrize("part", range(_PARTS))
def test_hostile_lines(judge: Judge, part: int) -> None:
    wrong = []
    for line in drawn(part):
        found = judge.carried_out(line)
        if found.wrong:
            wrong.append(
                f"{line.name}\n  {'; '.join(found.wrong)}\n  {found.code}: {found.err[-500:]}"
            )
    assert not wrong, "\n".join(wrong)


def test_a_line_that_should_fail_does(judge: Judge) -> None:
    """The judge reports a failing line."""
    whole = judge.carried_out(Line(("show", "first", "--store", "m.db")))
    assert whole.code == 0 and not whole.wrong and "aes-128-cbc" in whole.out
    silent = judge.carried_out(
        Line(("show", "first", "--store", "m.db"), streams=(("stdout", "/proc/self/fd/2"),))
    )
    assert silent.code == 0 and "exit code 0, and nothing was written" in silent.wrong
    changed = judge.carried_out(
        Line(("report", "first", "--store", "m.db", "--force", "-o", "letter.txt"))
    )
    assert changed.code == 0 and "'letter.txt' was changed" in changed.wrong
