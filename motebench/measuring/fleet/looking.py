"""Which boards of a fleet answer, and what they are."""

from __future__ import annotations

from dataclasses import dataclass

from motebench.base.errors import MotebenchError
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import ProbeFailure


@dataclass(frozen=True, slots=True)
class Seen:
    """A board that was looked at: its model, or why it does not answer."""

    model: str | None = None
    problem: str | None = None


def look(target: str) -> Seen:
    """Look at a board from here. Nothing is uploaded and nothing is measured."""
    try:
        place = open_target(target).place
        try:
            facts, device = place.environment(), place.device
        finally:
            place.close()
    except MotebenchError as error:
        return Seen(problem=": ".join(filter(None, (error.what, error.hint))))
    except ProbeFailure as failure:
        return Seen(problem=failure.message)
    host = facts.get("host")
    known = host if isinstance(host, dict) else {}
    model = device.name if device is not None else known.get("board") or known.get("cpu_model")
    return Seen(model=str(model) if model else place.name)
