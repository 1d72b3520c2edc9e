"""One computation and the answer it must give. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

from motebench.base.model import Operation
from motebench.targets.wire.messages import Job


@dataclass(frozen=True, slots=True)
class Step:
    """One computation and the answer it must give.

    ``out``, and the second output ``tag``, ``secret`` or ``public``, are None where any is right. ``prefix``: only the
    first bytes must match. ``unlike``: the output must be another one of the same length. ``rejected``: the right
    answer is a rejection. ``may_reject``: a rejection is right as well. ``may_refuse``: the input has a length that the
    scheme does not have, so that ``unsupported`` is a rejection as well.
    """

    job: Job
    operation: Operation
    out: bytes | None = None
    tag: bytes | None = None
    prefix: bool = False
    rejected: bool = False
    may_reject: bool = False
    may_refuse: bool = False
    secret: bytes | None = None
    public: bytes | None = None
    unlike: bytes | None = None

    @property
    def second(self) -> bytes:
        """The second output; empty if there is none, or any is right."""
        return self.tag or self.secret or self.public or b""
