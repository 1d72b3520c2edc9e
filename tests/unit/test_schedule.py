"""What a run measures together, and what at once: from how each place can be shared."""

from __future__ import annotations

import pytest

from motebench.model import Case, Operation
from motebench.runner.schedule import by_started, parts
from motebench.targets.place import Sharing

SHARING = {
    "host": Sharing.IN_TURN, "command": Sharing.IN_TURN, "sim:a": Sharing.PARALLEL, "sim:b": Sharing.PARALLEL,
    "serial:1": Sharing.ONE_FIRMWARE, "serial:2": Sharing.ONE_FIRMWARE,
}  # fmt: skip


def case(target: str, scheme: str, size: int = 16, implementation: str = "x") -> Case:
    return Case(scheme, implementation, Operation.ENCRYPT, size, target, implementation)


def told(*cases: Case) -> list[tuple[bool, list[str]]]:
    found = parts(cases, SHARING.__getitem__)
    return [
        (part.parallel, [f"{item.target} {item.scheme} {item.input_bytes}" for item in part.cases]) for part in found
    ]


def test_simulated_boards_come_first_and_in_parallel_machines_last_and_interleaved() -> None:
    asked = [case(target, scheme) for scheme in ("aes", "des") for target in ("host", "sim:a", "command", "sim:b")]
    assert told(*asked) == [
        (True, ["sim:a aes 16", "sim:b aes 16", "sim:a des 16", "sim:b des 16"]),
        (False, ["host aes 16", "command aes 16", "host des 16", "command des 16"]),
    ]


def test_a_board_has_its_firmwares_one_after_the_other() -> None:
    asked = [case("serial:1", scheme, size) for size in (16, 64) for scheme in ("aes", "des")]
    assert told(*asked, case("host", "aes")) == [
        (False, ["serial:1 aes 16", "serial:1 aes 64"]),
        (False, ["serial:1 des 16", "serial:1 des 64"]),
        (False, ["host aes 16"]),
    ]


def test_several_boards_have_theirs_in_parallel() -> None:
    asked = [case("serial:1", "aes"), case("serial:1", "des"), case("serial:1", "rc4"), case("serial:2", "des")]
    assert told(*asked) == [
        (True, ["serial:1 aes 16", "serial:2 des 16"]),
        (False, ["serial:1 des 16"]),
        (False, ["serial:1 rc4 16"]),
    ]
    (first, *_) = parts(asked, SHARING.__getitem__)
    assert [len({item.target for item in group}) for group in by_started(first.cases)] == [1, 1]


@pytest.mark.parametrize("target", SHARING)
def test_nothing_is_lost_and_nothing_is_measured_twice(target: str) -> None:
    asked = [case(target, scheme, size, name) for scheme in "abc" for size in (1, 2) for name in "xy"]
    found = [item for part in parts(asked, SHARING.__getitem__) for item in part.cases]
    assert sorted(found, key=str) == sorted(asked, key=str)
