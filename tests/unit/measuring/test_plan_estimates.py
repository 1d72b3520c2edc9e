"""Estimated duration of runs whose just-in-time compiler starts and warms up several times."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from motebench.base.model import Case, Operation
from motebench.measuring.plan.plan import Plan
from motebench.measuring.study.model import PRESETS

CASE = Case("sha256", "sunjce", Operation.DIGEST, 64, "host", "sunjce")


class Hello:
    def __init__(self, jit: bool) -> None:
        self.jit = jit


def plan(*cases: Case, **policy: Any) -> Plan:
    hellos: Any = {"host": {"sunjce": Hello(True), "openssl": Hello(False)}}
    chosen = replace(PRESETS["normal"], **policy)
    return Plan(cast("Any", None), chosen, cases, (), (), {}, {}, hellos)


def test_each_invocation_starts_and_warms_up() -> None:
    other = replace(CASE, scheme="md5")
    six = plan(CASE, other)
    assert six.preparation == 6 * (2 * 2 * 5 + 0.5)
    assert plan(CASE, other, runtime="apart").preparation == 6 * (2 * 2 * 5 + 2 * 0.5)
    assert plan(CASE, other, invocations=12).preparation == 2 * six.preparation
    assert plan(CASE, replace(CASE, implementation="b")).preparation == 6 * (2 * 2 * 5 + 2 * 0.5)
    assert six.least == pytest.approx(6 * (2 * (1.1 + 40 * 0.002) + 0.5))


def test_what_needs_no_warm_up_takes_none() -> None:
    plain = replace(CASE, implementation="openssl", provider="openssl")
    whole = replace(CASE, operation=Operation.DIGEST_FILE, file="x")
    assert plan(plain).preparation == 0
    assert plan(whole).preparation == 0, "each pass over a file has a process of its own"
    assert not plan(whole).jit(whole)
    assert plan(plain).least < 1


def test_a_budget_that_was_set_is_the_whole_of_it() -> None:
    limited = plan(CASE, budget=2.0)
    assert limited.preparation == 0
    assert limited.least == 2.0
