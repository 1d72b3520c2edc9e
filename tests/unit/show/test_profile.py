"""Profiles as folded stacks, tables and flame graphs: every cycle is there, whatever the names."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from motebench.base.errors import InputError
from motebench.show.profile import (
    HARNESS,
    by_function,
    difference_rows,
    flame_graph,
    folded,
    profile_rows,
    read_folded,
    whole,
)
from motebench.targets.board.board import CallProfile

SVG = "{http://www.w3.org/2000/svg}"
STACKS = {("sign",): 100, ("sign", "hash"): 200, ("sign", "hash", "sign"): 50, (HARNESS,): 5}
LATER = {("sign",): 100, ("sign", "hash"): 90, ("sign", "mix"): 30, (HARNESS,): 5}


def widths(picture: str) -> dict[str, float]:
    """Widths of the frames by the function of their titles; equal names are added."""
    found: dict[str, float] = {}
    for group in ElementTree.fromstring(picture).iter(f"{SVG}g"):
        title, rectangle = group.find(f"{SVG}title"), group.find(f"{SVG}rect")
        assert title is not None and rectangle is not None
        name = str(title.text).split(":")[0]
        found[name] = found.get(name, 0.0) + float(rectangle.get("width", ""))
    return found


def test_whole_cycles_have_the_sum_of_the_measured_ones() -> None:
    thirds = {("a",): 10 / 3, ("b",): 10 / 3, ("a", "b"): 10 / 3}
    stacks = whole(CallProfile(thirds, harness=2.0))
    assert sum(stacks.values()) == 12
    assert sorted(stacks.values()) == [2, 3, 3, 4]


def test_folded_stacks_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "case.folded"
    file.write_text(folded(STACKS))
    assert "sign;hash;sign 50\n" in folded(STACKS)
    assert read_folded(file) == STACKS


@pytest.mark.parametrize("line", ["sign", "sign -5", "sign 1.5", "sign ٣", " 5"])
def test_a_line_that_is_no_folded_stack_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "case.folded"
    file.write_text(f"sign 5\n{line}\n")
    with pytest.raises(InputError, match="line 2"):
        read_folded(file)


def test_a_function_that_calls_itself_counts_once_in_its_total() -> None:
    costs = by_function(STACKS)
    assert (costs["sign"].own, costs["sign"].total) == (150, 350)
    assert (costs["hash"].own, costs["hash"].total) == (200, 250)
    assert [row["function"] for row in profile_rows(STACKS)] == ["hash", "sign", HARNESS]


def test_only_functions_that_differ_are_in_the_difference_the_largest_first() -> None:
    assert difference_rows(STACKS, LATER) == [
        {"function": "hash", "before": "200", "after": "90", "difference": "-110"},
        {"function": "sign", "before": "150", "after": "100", "difference": "-50"},
        {"function": "mix", "before": "-", "after": "30", "difference": "+30"},
    ]
    assert difference_rows(STACKS, STACKS) == []


def test_frames_are_as_wide_as_their_cycles() -> None:
    found = widths(flame_graph("case", {("a",): 300, ("b",): 100, ("a", "c"): 600}))
    assert found["a"] == pytest.approx(0.9 * 1180, abs=1)
    assert found["b"] == pytest.approx(0.1 * 1180, abs=1)
    assert found["c"] == pytest.approx(0.6 * 1180, abs=1)


def test_a_difference_is_red_for_more_and_blue_for_fewer_own_cycles() -> None:
    picture = flame_graph("case", LATER, STACKS)
    kinds = {}
    for group in ElementTree.fromstring(picture).iter(f"{SVG}g"):
        title, rectangle = group.find(f"{SVG}title"), group.find(f"{SVG}rect")
        assert title is not None and rectangle is not None
        kinds[str(title.text).split(":")[0]] = rectangle.get("class")
    assert kinds == {"sign": "same", "hash": "less4", "mix": "more2", HARNESS: "same"}
    assert "difference -160, its own -110" in picture


def test_names_of_others_stay_text_and_one_frame() -> None:
    name = "a;b\n\x1b[31m</title><script>alert(1)</script>&"
    stacks = whole(CallProfile({(name,): 7.0}))
    assert folded(stacks).count("\n") == 1 and ";" not in folded(stacks)
    picture = flame_graph(name, stacks)
    assert "<script" not in picture and "\x1b" not in picture
    assert len(list(ElementTree.fromstring(picture).iter(f"{SVG}g"))) == 1


def test_a_deep_recursion_is_drawn_in_part_and_said_so() -> None:
    deep = {("f",) * depth: 10 for depth in range(1, 2000)}
    picture = flame_graph("case", deep)
    assert float(ElementTree.fromstring(picture).get("height", "")) < 4000
    assert "cycles in frames too narrow or too deep to draw" in picture
    assert by_function(deep)["f"].total == sum(deep.values())


def test_a_profile_of_nothing_is_a_picture() -> None:
    assert ElementTree.fromstring(flame_graph("case", {})).tag == f"{SVG}svg"
