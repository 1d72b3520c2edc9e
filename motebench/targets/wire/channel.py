"""Requests and replies over one stream: numbered, with time limits, and on a serial line repeated
until one arrives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from motebench.base.model import FailureKind
from motebench.targets.wire import frames
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import Stream

_PATIENCE = 0.25
"""Seconds without a reply after which a serial line is suspected; doubled each time, up to
``_MOST_PATIENCE``."""
_MOST_PATIENCE = 8.0
_CALM = 0.1
"""Seconds of silence after a damaged frame before the line is suspected."""
_AROUND_PAYLOAD = 5
"""Bytes of a frame in addition to its payload: check, stuffing, delimiters."""
_TRIES = 24
"""Attempts before a request fails: frames may be damaged more often than not."""


@dataclass(frozen=True, slots=True)
class _Sent:
    number: int
    payload: bytes
    arrival: float
    """The earliest time at which the probe can have the request, by the stream's clock."""


class Channel:
    """One request at a time over a stream that loses nothing. Each has a new number, counted from
    ``number``.

    ``byte_seconds``: transport time of a byte; 0 if negligible.
    """

    lossy = False
    retired = False
    """True if another probe has replaced the one at the other end: no more requests are allowed."""
    span: tuple[float, float] | None = None
    """Times of the last reply in seconds: the earliest arrival of its request, and its latest
    departure."""

    def __init__(self, stream: Stream, number: int = 0, byte_seconds: float = 0.0) -> None:
        self._stream = stream
        self._number = number
        self._receiver = frames.Receiver()
        self._byte_seconds = byte_seconds

    def ask(self, request: Mapping[str, object], timeout: float) -> frames.ReceivedMessage:
        """The reply to the request. ProbeFailure of kind ``timeout``, or of the kind that the end
        of the stream has."""
        deadline = self._stream.now() + timeout
        reply = self._await([self._send(request, deadline)], deadline)
        if reply is None:
            raise self._late(timeout)
        return reply[1]

    def size(self, request: Mapping[str, object]) -> int:
        """Size of the next request in bytes, as it counts against the probe's ``max_frame``."""
        return frames.payload_bytes({"id": self._next(), **request})

    def close(self) -> None:
        """End the probe."""
        self._stream.close()

    def _next(self) -> int:
        return self._number % 0xFFFFFFFF + 1

    def _send(self, request: Mapping[str, object], deadline: float) -> _Sent:
        self._number = self._next()
        message = {"id": self._number, **request}
        frame = frames.encode(message)
        arrival = self._stream.now() + len(frame) * self._byte_seconds
        self._stream.send(frame, deadline)
        return _Sent(self._number, frames.payload_of(message), arrival)

    def _await(
        self, waiting: Sequence[_Sent], until: float
    ) -> tuple[_Sent, frames.ReceivedMessage] | None:
        """First reply to any of these requests, and its request; None if the time is up."""
        while True:
            data = self._stream.receive(self._patience(until))
            if data is None:
                return None
            if not data:
                raise self._stream.exit_reason()
            came = self._stream.now()
            for message in self._receiver.feed(data):
                for sent in waiting:
                    if message.get("id") == sent.number and self._whole(message, sent):
                        left = came - (len(message.payload) + _AROUND_PAYLOAD) * self._byte_seconds
                        self.span = sent.arrival, left
                        return sent, message
            if self._stream.now() >= until:  # a line that never stops sending
                return None

    def _patience(self, until: float) -> float:
        return until

    def _whole(self, message: frames.ReceivedMessage, sent: _Sent) -> bool:
        good = message.answers(sent.payload)
        if good is None:
            return not self.lossy
        if not good:
            self._receiver.dropped += 1
        return good

    def _late(self, timeout: float) -> ProbeFailure:
        noise = f"; {self._receiver.dropped} damaged frames came" if self._receiver.dropped else ""
        return ProbeFailure(FailureKind.TIMEOUT, f"no answer within {timeout:.3g} s{noise}")


class LossyChannel(Channel):
    """Channel over a line that loses, damages, doubles and delays bytes.

    Every reply must prove itself by its sum. While none comes, pings tell a probe that works from
    one that waits: if it answers a ping first, the request or its reply was lost, and the request
    is sent again under a new number. The reply to the old one, should it still come, is then
    nobody's.
    """

    lossy = True
    _seen = 0
    """Number of damaged frames before the current wait."""
    _idle = True
    """True while no request waits for its reply."""

    def ask(self, request: Mapping[str, object], timeout: float) -> frames.ReceivedMessage:
        """The reply; see `Channel`. Kind ``lost`` if the probe answers pings but never the
        request."""
        deadline = self._stream.now() + timeout
        self._idle = False
        for _ in range(_TRIES):
            reply = self._once(self._send(request, deadline), deadline)
            if reply is not None:
                self._idle = True
                return reply
            if self._stream.now() >= deadline:
                raise self._late(timeout)
        raise ProbeFailure(
            FailureKind.LOST,
            f"the board answers, but no complete reply came in {_TRIES} tries; "
            f"{self._receiver.dropped} damaged frames",
        )

    def close(self) -> None:
        """Close the port without a reset, unless a reply may still come: then the next opening
        resets the board.
        """
        if not self._idle:
            self._stream.close()

    def _once(self, sent: _Sent, deadline: float) -> frames.ReceivedMessage | None:
        """The reply to this request; None if it is certain that none will come, or at the
        deadline."""
        patience, waiting = _PATIENCE, [sent]
        while self._stream.now() < deadline:
            self._seen = self._receiver.dropped
            reply = self._await(waiting, min(deadline, self._stream.now() + patience))
            if reply is not None:
                return reply[1] if reply[0] is sent else None
            patience = min(2 * patience, _MOST_PATIENCE)
            waiting.append(self._send({"do": "ping"}, deadline))
        return None

    def _patience(self, until: float) -> float:
        damaged = self._receiver.dropped > self._seen
        return min(until, self._stream.now() + _CALM) if damaged else until
