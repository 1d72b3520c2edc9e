"""A session with one probe: requests, checked replies, and a fresh probe after a failure.

The clock of the probe is compared with this machine's from outside: a request cannot take the probe
longer than its whole duration, including frames and waiting. If a program of this machine reports
more, its clock is wrong. A board has its own clock: its deviation is reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from motebench.base.model import FailureKind
from motebench.targets.base import Session
from motebench.targets.wire.channel import Channel
from motebench.targets.wire.messages import (
    EACH,
    PROTOCOL,
    TURNS,
    FileTiming,
    Hello,
    Job,
    Memory,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)
from motebench.targets.wire.replies import (
    Reply,
    parse_answer,
    parse_each,
    parse_file,
    parse_hello,
    parse_list,
    parse_memory,
    parse_timing,
    result_of,
)
from motebench.targets.wire.stream import Stream

T = TypeVar("T")
_HELLO_SECONDS = 15.0
"""Seconds for a board to send its hello and its list of schemes."""
PROGRAM_SECONDS = 20.0
"""The same for a program of this machine: a virtual machine needs a second, and more on a busy
machine."""
_MAX_SCHEMES = 100_000
_FATAL = (FailureKind.CRASH, FailureKind.TIMEOUT, FailureKind.LOST)
CLOCK_TOLERANCE, CLOCK_STEP = 0.01, 5e-3
"""Relative and absolute (seconds) difference that is allowed between clocks of one machine."""
LEAST_DEVIATION = 0.02
"""Smallest relative difference of a board's clock that is reported: this machine's clock and the
line cause as much."""
_LONG_SECONDS = 1.0
"""Seconds of the longer request for comparing a board's clock; the line's delays are some
milliseconds."""
_PACE_TRIES = 3
_MAX_BATCH = 2**30


class ProbeSession:
    """Session (`motebench.targets.base.Session`) over any byte stream.

    ``connect`` opens a stream to a fresh probe; ``check`` raises ProbeFailure if it is not the one
    that was meant. After a crash, a time-out or a lost reply the stream is closed, and the next
    request opens a new one. ``channel`` says how frames go over it. ``starting``: seconds for a
    fresh probe to say who it is, and for what it offers.
    """

    def __init__(
        self,
        connect: Callable[[], Stream],
        *,
        check: Callable[[Hello], None] | None = None,
        channel: Callable[[Stream], Channel] = Channel,
        starting: float | None = None,
    ) -> None:
        self._connect = connect
        self._check = check
        self._make_channel = channel
        self._starting = _HELLO_SECONDS if starting is None else starting
        self._channel: Channel | None = None
        self._offers: dict[str, Offer] | None = None
        self._generation = 0
        self._hello = self._greet()

    @property
    def hello(self) -> Hello:
        """The hello of the probe."""
        return self._hello

    def hello_of(self, scheme: str) -> Hello:
        """The same for every scheme."""
        del scheme
        return self._hello

    @property
    def jit(self) -> bool:
        """True if the probe has a just-in-time compiler, as it reports."""
        return self._hello.jit

    @property
    def generation(self) -> int:
        """Number of probes that this session has started; one that ended counts as replaced at
        once."""
        return self._generation + (self._channel is None or self._channel.retired)

    def offers(self) -> dict[str, Offer]:
        """The schemes on offer by name; requested once."""
        if self._offers is None:
            offers: dict[str, Offer] = {}
            start: int | None = 0
            while start is not None:
                page, following = self._ask(
                    {"do": "list", "from": start}, self._starting, parse_list
                )
                offers.update((offer.scheme, offer) for offer in page)
                if following is not None and not start < following <= _MAX_SCHEMES:
                    raise self._end(
                        ProbeFailure(FailureKind.LOST, f"page {following} follows page {start}")
                    )
                start = following
            self._offers = offers
        return self._offers

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        """Do the operation once."""
        fields = job.fields()
        if brief:
            fields["brief"] = True
        if public:
            fields["public"] = True
        request = {"do": "compute", **fields}
        return self._ask(
            request, timeout, lambda reply: parse_answer(reply, job.operation, public=public)
        )

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """Made by the probe itself."""
        return self.compute(job, timeout=timeout).out or b""

    def measure(
        self,
        job: Job,
        *,
        batch: int,
        count: int,
        warm: int,
        timeout: float,
        reference: bool = False,
    ) -> Timing:
        """Time ``count`` batches of ``batch`` iterations."""
        request = {"do": "measure", **job.fields(), "batch": batch, "count": count, "warm": warm}
        if job.turns:
            turns = [other.fields() for other in job.turns]
            request |= {"do": TURNS, "turns": len(turns), "inputs": turns}
        if reference and not self._hello.device:  # the time of a board is counted in cycles
            request["reference_loop"] = True

        def timing(reply: Reply) -> Timing:
            span = None if self._channel is None else self._channel.span
            return parse_timing(reply, count, job.operation, span)

        return self._ask(request, timeout, timing)

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Time each of these jobs once, after all are prepared."""
        request = {
            "do": EACH,
            "count": len(jobs),
            "evict": evict,
            "inputs": [job.fields() for job in jobs],
        }

        def timing(reply: Reply) -> Timing:
            span = None if self._channel is None else self._channel.span
            return parse_each(reply, len(jobs), span)

        return self._ask(request, timeout, timing)

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Peak memory of the operation."""
        return self._ask({"do": "memory", **job.fields()}, timeout, parse_memory)

    def file(
        self,
        job: Job,
        *,
        source: str,
        destination: str,
        chunk: int,
        cold: bool,
        sync: bool,
        timeout: float,
    ) -> FileTiming:
        """Process a whole file."""
        request = {"do": "file", **job.fields(), "in": source, "out": destination}
        return self._ask(
            {**request, "chunk": chunk, "cold": cold, "sync": sync}, timeout, parse_file
        )

    def close(self) -> None:
        """End the probe."""
        if self._channel is not None and not self._channel.retired:
            self._channel.close()
        self._channel = None

    def _greet(self) -> Hello:
        self._channel = self._make_channel(self._connect())
        self._generation += 1
        hello = self._exchange({"do": "hello", "proto": PROTOCOL}, self._starting, parse_hello)
        if self._check is not None:
            try:
                self._check(hello)
            except ProbeFailure:
                self.close()
                raise
        return hello

    def _ask(self, request: Mapping[str, object], timeout: float, parse: Callable[[Reply], T]) -> T:
        if self._channel is None or self._channel.retired:
            self._hello = self._greet()
        assert self._channel is not None
        size = self._channel.size(request)
        if size > self._hello.max_frame:
            raise ProbeFailure(
                FailureKind.TOO_BIG,
                f"a request of {size} B is longer than the probe's limit "
                f"({self._hello.max_frame} B)",
            )
        return self._exchange(request, timeout, parse)

    def _exchange(
        self, request: Mapping[str, object], timeout: float, parse: Callable[[Reply], T]
    ) -> T:
        assert self._channel is not None
        try:
            return parse(result_of(self._channel.ask(request, timeout)))
        except ProbeFailure as failure:
            raise self._end(failure) from None
        except BaseException:
            # Interrupted half-way: the pending reply must not meet the next request.
            self.close()
            raise

    def _end(self, failure: ProbeFailure) -> ProbeFailure:
        if failure.kind in _FATAL or failure.ended:
            self.close()
        return failure


def reported_seconds(timing: Timing, hz: int) -> float:
    """Seconds that a request took by the probe's clock, as far as it reports them."""
    return ((timing.before or 0) + sum(timing.ticks) + (timing.after or 0)) / hz


def check_in_time(timing: Timing, hz: int) -> None:
    """ProbeFailure of kind ``lost`` if a program of this machine reports a longer time than the
    whole request took."""
    if timing.span is None:
        return
    passed = timing.span[1] - timing.span[0]
    seconds = reported_seconds(timing, hz)
    if seconds > passed * (1 + CLOCK_TOLERANCE) + CLOCK_STEP:
        raise ProbeFailure(
            FailureKind.LOST,
            f"invalid reply from the probe: it reports {seconds:.4g} s for a request that took "
            f"{passed:.4g} s",
            ended=True,
        )


def pace(session: Session, job: Job, hz: int, *, seconds: float, timeout: float) -> float | None:
    """Seconds by a board's clock in one second by this machine's clock; None if it cannot be
    determined.

    Compared are a short request and one of a second or more, so that what the line takes of both
    cancels. Delays in one of them are taken out by repeating: the pace that is closest to 1 counts.
    ``seconds``: what one iteration takes. A request takes at most ``timeout``. ProbeFailure as
    `Session.measure`.
    """
    batch = max(1, min(_MAX_BATCH, math.ceil(_LONG_SECONDS / max(seconds, 1e-9))))
    if 4 * batch * seconds > timeout:
        return None
    paces: list[float] = []
    for _ in range(_PACE_TRIES):
        short = _both_clocks(session, job, hz, 1, timeout) if batch > 1 else (0.0, 0.0)
        long = _both_clocks(session, job, hz, batch, timeout)
        if short is None or long is None or long[1] <= short[1]:
            return None
        paces.append((long[0] - short[0]) / (long[1] - short[1]))
        if abs(paces[-1] - 1) < LEAST_DEVIATION / 2:
            break
    return min(paces, key=lambda pace: abs(pace - 1))


def _both_clocks(
    session: Session, job: Job, hz: int, batch: int, timeout: float
) -> tuple[float, float] | None:
    """Seconds of a request by the clock of the board, and by this machine's."""
    timing = session.measure(job, batch=batch, count=1, warm=0, timeout=timeout)
    return (
        None
        if timing.span is None
        else (reported_seconds(timing, hz), timing.span[1] - timing.span[0])
    )


def pace_note(pace: float, tolerance: float) -> str:
    """A note on a board whose clock deviates by more than ``tolerance`` and `LEAST_DEVIATION`
    allow; else empty."""
    if abs(pace - 1) <= max(LEAST_DEVIATION, 2 * tolerance):
        return ""
    return (
        f"the clock of the board does not run at its nominal rate: it counted {pace:.3g} s in 1 s "
        "of this machine, and time is off by as much; cycles are not"
    )
