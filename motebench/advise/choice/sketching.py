"""A candidate before it is sent: its message, and the time, flash and RAM that follow from the cost of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motebench.advise.choice.bounds import Cost
from motebench.advise.choice.judging import Role
from motebench.advise.choice.model import Broken, Estimate, Origin, SchemeOffer, SentBytes, Standing
from motebench.advise.radio.message import Nonce
from motebench.base.interval import Interval, total
from motebench.base.model import Evidence, Scheme


@dataclass(frozen=True, slots=True)
class MessageForm:
    """How a message is protected, independent of the scheme. ``role``: of the device, with public keys."""

    nonce: Nonce = Nonce.CARRIED
    tag_bytes: int | None = None
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Sketch:
    """A candidate for a message of one length, before it is sent: the same for every rate, radio and battery."""

    offers: tuple[SchemeOffer, ...]
    head: Scheme
    sent: SentBytes
    """Without frames and time on air."""
    standing: Standing
    latency: Estimate | None
    flash: Estimate | None
    ram: Estimate | None
    against: tuple[Broken, ...]
    """Broken limits that depend on nothing else."""


def sketch(
    offers: tuple[SchemeOffer, ...],
    head: Scheme,
    sent: SentBytes,
    standing: Standing,
    costs: Sequence[Cost],
    against: tuple[Broken, ...],
) -> Sketch:
    """The sketch from the cost of each part; without costs its figures are unknown."""
    latency = _latency(costs) if costs else None
    return Sketch(offers, head, sent, standing, latency, _flash(costs), _ram(costs), against)


def _latency(costs: Sequence[Cost]) -> Estimate:
    return Estimate(total(cost.seconds for cost in costs), "s", _weakest(costs), _origins(costs), _note(costs))


def _weakest(costs: Sequence[Cost]) -> Evidence:
    kinds = {cost.evidence for cost in costs}
    return kinds.pop() if len(kinds) == 1 else Evidence.MODELLED


def _origins(costs: Sequence[Cost]) -> tuple[Origin, ...]:
    return tuple(origin for cost in costs for origin in cost.origins)


def _note(costs: Sequence[Cost]) -> str:
    return "; ".join(dict.fromkeys(cost.note for cost in costs if cost.note))


def _flash(costs: Sequence[Cost]) -> Estimate | None:
    """Flash of two parts: at least that of the larger one, at most the sum (they may share code)."""
    known = [cost.memory["flash"] for cost in costs if "flash" in cost.memory]
    if not known or len(known) < len(costs):
        return None
    both = total(known)
    value = Interval(max(part.low for part in known), both.typical, both.high)
    return Estimate(value, "B", _weakest(costs), _origins(costs), _bounded(value, known))


def _ram(costs: Sequence[Cost]) -> Estimate | None:
    """State and static RAM of all parts, and the deepest stack, because the parts run one after another."""
    if costs and all("ram" in cost.memory for cost in costs):
        value = total(cost.memory["ram"] for cost in costs)
        return Estimate(
            value, "B", _weakest(costs), _origins(costs), "peak memory that the operation adds to its process"
        )
    if not costs or not all({"stack", "state"} <= set(cost.memory) for cost in costs):
        return None
    stacks = [cost.memory["stack"] for cost in costs]
    deepest = Interval(*(max(getattr(stack, end) for stack in stacks) for end in ("low", "typical", "high")))
    kept = [cost.memory[name] for cost in costs for name in ("state", "static_ram", "buffers") if name in cost.memory]
    value = total([deepest, *kept])
    return Estimate(value, "B", _weakest(costs), _origins(costs), _bounded(value, kept))


def _bounded(value: Interval, parts: Sequence[Interval]) -> str:
    if any(part.low != part.high for part in parts):
        return "bounds: what the mode takes, or the probe's own part of the firmware, is not known"
    return "bounds: what both parts share" if value.low != value.high else ""
