"""Progress of a leak test: what is said of a secret, and the time that is left, by a clock of the
test's own.
"""

from __future__ import annotations

import pytest

from motebench.base.model import Case, Operation
from motebench.cli.text.progress import LeakObserver, leak_progress, rest_of_secrets
from motebench.measuring.leak.examination import LeakState
from motebench.measuring.leak.inputs import Varied

CASE = Case("aes-128-ecb", "toy", Operation.ENCRYPT, 16, "host", "toy")
SECRETS = (Varied.KEY, Varied.MESSAGE, Varied.BOTH)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def tell(observer: LeakObserver, clock: Clock, took: list[float]) -> None:
    """Each secret of an operation is read in ten parts, and takes so many seconds."""
    for number, seconds in enumerate(took):
        for part in range(10):
            secrets, readings = (number, len(took)), (part * 100, 1000)
            observer.reading(LeakState(CASE, 1, 4, SECRETS[number], secrets, readings))
            clock.seconds += seconds / 10


@pytest.mark.parametrize(
    ("starts", "now", "secrets", "rest"),
    [
        ([0.0], 5.0, 3, None),  # nothing was seen yet
        ([0.0, 10.0], 10.0, 3, 20.0),
        ([0.0, 10.0], 14.0, 3, 16.0),
        ([0.0, 10.0, 22.0], 22.0, 3, 11.0),
        ([0.0, 10.0, 22.0], 60.0, 3, 0.0),  # never less than nothing
        ([0.0, 10.0, 40.0], 40.0, 4, None),  # secrets differ by more than a factor of 2
    ],
)
def test_the_rest_is_told_by_the_secrets_before(starts, now, secrets, rest):
    assert rest_of_secrets(starts, now, secrets) == rest


def test_lines_name_each_secret_and_no_time_before_one_is_done(capsys):
    clock = Clock()
    with leak_progress(quiet=False, now=clock) as observer:
        tell(observer, clock, [20.0, 20.0])
    lines = capsys.readouterr().err.splitlines()
    begin = "examining, 1 of 4 operations done: aes-128-ecb encrypt 16 B, "
    assert lines[0] == f"{begin}key: secret 1 of 2, 0 % of its readings"
    assert not any("left" in line for line in lines if ", key:" in line)
    assert (
        f"{begin}message: secret 2 of 2, 0 % of its readings; about 20 s left for this operation"
        in lines
    )
    assert (
        f"{begin}message: secret 2 of 2, 60 % of its readings; about 8 s left for this operation"
        in lines
    )
    # A line every few seconds, not for each reading.
    assert 6 <= len(lines) <= 10


def test_a_new_operation_begins_anew(capsys):
    clock = Clock()
    with leak_progress(quiet=False, now=clock) as observer:
        tell(observer, clock, [20.0, 20.0])
        capsys.readouterr()
        tell(observer, clock, [1.0])
    assert "left" not in capsys.readouterr().err


def test_quiet_says_nothing(capsys):
    clock = Clock()
    with leak_progress(quiet=True, now=clock) as observer:
        observer.asking("toy on host", 0, 1)
        observer.checking("aes-128-ecb", 0, 1)
        tell(observer, clock, [20.0, 20.0])
    assert capsys.readouterr().err == ""
