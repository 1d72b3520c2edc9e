"""Special inputs that an implementation refuses: weak keys, points of small order."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.base.model import FailureKind
from motebench.measuring.leak.inputs import Input
from motebench.targets.base import Session
from motebench.targets.wire.messages import ProbeFailure

_REFUSAL = (FailureKind.ERROR, FailureKind.UNSUPPORTED, FailureKind.WRONG_ANSWER)
"""Kinds of failure that may be the answer to one input; all others end the examination."""


def accepted_by(session: Session, inputs: Sequence[Input], timeout: float) -> tuple[list[Input], dict[str, str]]:
    """The inputs that can be timed, and the names of the others with the message of the implementation.

    ProbeFailure if the probe dies on an input, or accepts one that it must reject.
    """
    taken, refused = [], {}
    for item in inputs:
        try:
            session.measure(item.job, batch=1, count=1, warm=0, timeout=timeout)
            taken.append(item)
        except ProbeFailure as failure:
            if failure.kind not in _REFUSAL or item.job.reject:
                raise
            refused[item.name] = failure.message
    return taken, refused
