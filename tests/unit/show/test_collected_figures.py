"""Figures of a collection beside the published ones: which deviations say nothing exact; causes of
those that are missing."""

from __future__ import annotations

import pytest

from motebench.documents.comparison import CollectedEntry, CollectedFigureEntry
from motebench.show.collection import listed_causes, varied

STEADY, RESTARTED = (100.0, 99.0, 101.0), (125.0, 100.0, 200.0)


def figure(statistic: str, published: float, ours: float) -> CollectedFigureEntry:
    return CollectedFigureEntry(
        column=f"sign {statistic}",
        operation="sign",
        input_bytes=None,
        aad_bytes=None,
        metric="cycles",
        statistic=statistic,
        unit="cycles",
        value=ours,
        published=published,
        deviation=ours / published - 1,
        uncertainty=None,
    )


@pytest.mark.parametrize(
    ("published", "ours", "operations"),
    [
        (STEADY, STEADY, set()),
        (RESTARTED, STEADY, {"sign"}),
        (STEADY, RESTARTED, {"sign"}),
    ],
)
def test_a_mean_of_executions_that_vary_is_marked(published, ours, operations):
    figures = map(figure, ("mean", "min", "max"), published, ours)
    entry = CollectedEntry(
        folder="a",
        names={},
        variant="O3",
        target="sim:cortex-m4-nows",
        state="measured",
        run="1",
        executions=4,
        figures=tuple(figures),
        causes=(),
    )
    assert varied(entry) == operations


def test_causes_that_differ_in_numbers_are_one():
    overflow = "stack overflow at address 0x{:08x} after {} cycles"
    causes = [
        ("too-big", "encrypt", "0 B", overflow.format(0x4B5C, 1200)),
        ("too-big", "encrypt", "16 B", overflow.format(0x4B5C, 3400)),
        ("error", "digest", None, "returned 1"),
        ("error", "digest", None, "gave 1"),
    ]
    assert listed_causes(causes) == [
        "too-big: encrypt of 0 B, encrypt of 16 B: stack overflow at address 0x00004b5c after 1200 "
        "cycles (other numbers alike)",
        "error: digest: returned 1",
        "error: digest: gave 1",
    ]
