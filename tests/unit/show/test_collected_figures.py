"""Figures of a collection beside the published ones: which deviations say nothing exact."""

from __future__ import annotations

import pytest

from motebench.documents.comparison import CollectedEntry, CollectedFigureEntry
from motebench.show.collection import varied

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
