"""Cases that a run measures in parallel or in turns: from how each place can be shared."""

from __future__ import annotations

import pytest

from motebench.base.model import Case, Operation
from motebench.measuring.plan.cases import parts, stages
from motebench.targets.base import Place, Sharing

SHARING = {
    "host": Sharing.IN_TURN,
    "command": Sharing.IN_TURN,
    "sim:a": Sharing.PARALLEL,
    "sim:b": Sharing.PARALLEL,
    "serial:1": Sharing.ONE_FIRMWARE,
    "serial:2": Sharing.ONE_FIRMWARE,
}


def case(target: str, scheme: str, size: int = 16, implementation: str = "x") -> Case:
    return Case(scheme, implementation, Operation.ENCRYPT, size, target, implementation)


def told(*cases: Case) -> list[tuple[bool, list[str]]]:
    found = parts(cases, SHARING.__getitem__)
    return [
        (part.parallel, [f"{item.target} {item.scheme} {item.input_bytes}" for item in part.cases])
        for part in found
    ]


def test_simulated_boards_come_first_and_in_parallel_machines_last_and_interleaved() -> None:
    asked = [
        case(target, scheme)
        for scheme in ("aes", "des")
        for target in ("host", "sim:a", "command", "sim:b")
    ]
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


def place(target: str) -> Place:
    found = Place()
    found.sharing = SHARING.get(target, Sharing.IN_TURN)
    found.apart = target.partition(",")[0] if target.startswith(("serial:", "ssh:")) else ""
    return found


def staged(*targets: str) -> list[list[list[str]]]:
    """The targets of each lane, by stage; each target has two cases."""
    found = stages([case(target, scheme) for scheme in ("aes", "des") for target in targets], place)
    return [
        [list(dict.fromkeys(item.target for item in lane)) for lane in lanes] for lanes in found
    ]


def test_boards_are_lanes_of_one_stage_and_this_machine_measures_when_they_are_done() -> None:
    asked = staged("host", "serial:1", "sim:a", "serial:2", "ssh:pi", "command", "sim:b")
    assert asked == [
        [["sim:a", "sim:b"]],
        [["serial:1"], ["serial:2"], ["ssh:pi"]],
        [["host", "command"]],
    ]


def test_two_targets_on_one_board_share_its_lane() -> None:
    assert staged("ssh:pi", "ssh:pi,native", "ssh:other") == [
        [["ssh:pi", "ssh:pi,native"], ["ssh:other"]]
    ]


def test_a_machine_alone_is_one_lane() -> None:
    assert staged("host") == [[["host"]]]
    assert staged() == []


@pytest.mark.parametrize("target", SHARING)
def test_nothing_is_lost_and_nothing_is_measured_twice(target: str) -> None:
    asked = [
        case(target, scheme, size, name) for scheme in "abc" for size in (1, 2) for name in "xy"
    ]
    found = [item for part in parts(asked, SHARING.__getitem__) for item in part.cases]
    assert sorted(found, key=str) == sorted(asked, key=str)
