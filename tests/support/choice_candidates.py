"""Candidates, judged candidates and questions of the choice, made up for tests of its parts."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from motebench.advise.choice.candidate import (
    Candidate,
    Estimate,
    Judged,
    OnAir,
    SchemeOffer,
    SentBytes,
    Standing,
    TimeShare,
)
from motebench.advise.choice.question import (
    ChoiceQuestion,
    CostLimits,
    Demands,
    MessageForm,
    Need,
    Scene,
)
from motebench.base.model import Evidence
from motebench.base.quantities import UNCHANGED, Interval
from motebench.catalog import schemes
from motebench.catalog.currents import Drawn
from motebench.catalog.devices import devices
from motebench.catalog.libraries import Maturity
from motebench.catalog.policies import policy

DAY = datetime.date(2026, 11, 1)
SILENT = OnAir(0, 0.0, (), ())
GOOD = Standing(0, ("good",), 128, "a claim", Maturity.MAINTAINED, ("made",))


def around(typical: float, part: float = 0.0) -> Interval:
    """A figure with bounds that lie a share of it apart."""
    return Interval(typical * (1 - part), typical, typical * (1 + part))


def drawn(amps: float, volts: float = 3.0, part: float = 0.0) -> Drawn:
    return Drawn(around(amps, part), volts, "a test")


def candidate(
    *names: str,
    latency: Interval | None = None,
    flash: Interval | None = None,
    ram: Interval | None = None,
    sent: SentBytes | None = None,
    **changes: Any,
) -> Candidate:
    """A candidate of the catalog's schemes: "aes-128-ccm by a". Each has its figures."""
    offers = []
    for name in names or ("aes-128-ccm by a",):
        scheme, _, by = name.partition(" by ")
        offers.append(SchemeOffer(scheme, by or "a", Evidence.SIMULATED))
    latency = around(1e-3) if latency is None else latency

    def estimate(value: Interval | None, unit: str) -> Estimate | None:
        return None if value is None else Estimate(value, unit, Evidence.SIMULATED)

    made = Candidate(
        offers=tuple(offers),
        head=schemes()[offers[0].scheme],
        sent=sent or SentBytes(24, 0, 12, 16),
        standing=GOOD,
        latency=estimate(latency, "s"),
        flash=estimate(around(1000.0) if flash is None else flash, "B"),
        ram=estimate(around(100.0) if ram is None else ram, "B"),
        lacking=(),
        shares=(TimeShare(latency, UNCHANGED),),
    )
    return replace(made, **changes)


def judged(
    *names: str, years: Interval | None = None, joules: float = 1.0, **changes: Any
) -> Judged:
    """A judged candidate that breaks nothing; ``changes`` are of it or of its candidate."""
    own = {field.name for field in fields(Judged)} - {field.name for field in fields(Candidate)}
    made = candidate(*names, **{key: value for key, value in changes.items() if key not in own})
    figures = {
        "air": SILENT,
        "energy": {"cipher": Estimate(around(joules), "J", Evidence.MODELLED)},
        "life": None if years is None else Estimate(years, "years", Evidence.MODELLED),
        "broken": (),
        "doubts": (),
        "unsure": (),
        "warnings": (),
        **{key: value for key, value in changes.items() if key in own},
    }
    parts = {field.name: getattr(made, field.name) for field in fields(Candidate)}
    return Judged(**parts, **figures)


def question(
    order: dict[str, float] | None = None,
    *,
    need: Need = Need.AEAD,
    rule: str = "current",
    limits: CostLimits | None = None,
    equal: float = 0.0,
    demands: dict[str, Any] | None = None,
    form: MessageForm | None = None,
    **scene: Any,
) -> ChoiceQuestion:
    fields_of_scene = {"message_bytes": 24, **scene}
    return ChoiceQuestion(
        scene=Scene(devices()["samd21g18a"], **fields_of_scene),
        demands=Demands(need, policy(rule), DAY, **(demands or {})),
        limits=limits or CostLimits(),
        form=form or MessageForm(),
        order=order or {"latency": 1.0},
        equal=equal,
    )


def names_of(candidates: Sequence[Any]) -> list[str]:
    return [entry.implementation for entry in candidates]
