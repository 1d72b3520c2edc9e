"""The contract between targets and everything that uses them."""

from __future__ import annotations

from typing import Any, Protocol

from motebench.model import Evidence, FailureKind
from motebench.wire.messages import Answer, FileTiming, Hello, Job, Memory, Offer, Timing

OF_THE_SCHEME = (FailureKind.UNSUPPORTED, FailureKind.BUILD, FailureKind.TOO_BIG)
"""Kinds of failure that say nothing about the other schemes of an implementation."""


class Session(Protocol):
    """A conversation with one probe. Every call raises ``ProbeFailure`` instead of returning half an answer.

    A session survives failures of kind ``unsupported``, ``too-big``, ``error`` and ``wrong-answer``; after ``crash``,
    ``timeout`` or ``lost`` the next call starts a fresh probe. Time limits are in seconds.
    """

    @property
    def hello(self) -> Hello:
        """Who answers."""
        ...

    def hello_of(self, scheme: str) -> Hello:
        """Who answers requests about that scheme: a board has a firmware for each."""
        ...

    @property
    def jit(self) -> bool:
        """The speed of the probe depends on how long it has run (see `Hello`)."""
        ...

    @property
    def generation(self) -> int:
        """Counts the probes this session has started: a new one knows nothing of what the last one did."""
        ...

    def offers(self) -> dict[str, Offer]:
        """The schemes the implementation offers, by name."""
        ...

    def compute(self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0) -> Answer:
        """Do the operation once. ``public``: the public key that belongs to ``job.key`` instead."""
        ...

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """A signature that fits ``job``, which signs. A board does not make it itself: it may take minutes."""
        ...

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        """Time ``count`` batches of ``batch`` iterations after ``warm`` untimed ones."""
        ...

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Peak memory of the operation; meaningful as the first job of a fresh session."""
        ...

    def file(
        self, job: Job, *, source: str, destination: str, chunk: int, cold: bool, sync: bool, timeout: float
    ) -> FileTiming:
        """Process a whole file."""
        ...

    def close(self) -> None:
        """End the probe. The session must not be used afterwards."""
        ...


class Target(Protocol):
    """One thing that can be measured on right now."""

    @property
    def name(self) -> str:
        """As written in studies: ``host``."""
        ...

    @property
    def exact(self) -> bool:
        """Every reading of a case is the same to the last cycle: there is nothing but the operation on a small core."""
        ...

    @property
    def evidence(self) -> Evidence:
        """What its numbers are: ``measured`` or ``simulated``."""
        ...

    @property
    def one_image(self) -> bool:
        """It holds one scheme of one implementation at a time, and changing that takes seconds."""
        ...

    def describe(self) -> dict[str, Any]:
        """What a run records of it beside the machine and the probes; empty if nothing."""
        ...

    def implementations(self) -> list[str]:
        """Names of the implementations it can offer, without starting anything expensive."""
        ...

    def open(self, implementation: str) -> Session:
        """Start a fresh probe. Raises ``ProbeFailure`` if it cannot be had."""
        ...
