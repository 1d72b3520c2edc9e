"""``motebench replicate --dry-run``: what a replication would measure, for people."""

from __future__ import annotations

from types import SimpleNamespace

from motebench.cli.commands.replicate import _plan_lines


def test_a_plan_for_people_has_no_time_that_is_only_modelled() -> None:
    part = SimpleNamespace(name="own", about="x", cases=12, samples=8, seconds=1061.0)
    plan = SimpleNamespace(
        key="jose-2023",
        slowdown=2.5,
        seconds=1061.0,
        parts=[part],
        unused=(),
        problems=(),
        seconds_extra=0.0,
    )
    assert list(_plan_lines(plan)) == [  # type: ignore[arg-type]
        "jose-2023: 12 cases; work takes 2.5 times as long here as on an idle machine",
        "  own (x): 12 cases, 8 samples each",
    ]
