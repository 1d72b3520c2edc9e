"""Requests and replies over a line that loses, damages, doubles and delays bytes: the right answer
or a failure.
"""

from __future__ import annotations

import binascii
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motebench.base.model import FailureKind
from motebench.targets.session import ProbeSession
from motebench.targets.wire import channel, frames
from motebench.targets.wire.channel import LossyChannel
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.unit.targets.test_session import HELLO

JOB = Job("s", "encrypt", key=b"k" * 16, data=b"d" * 16)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """The line is memory: what does not come at once never comes."""
    monkeypatch.setattr(channel, "_PATIENCE", 0.002)
    monkeypatch.setattr(channel, "_MOST_PATIENCE", 0.01)
    monkeypatch.setattr(channel, "_CALM", 0.0)


def sealed(request: dict[str, Any], payload: bytes, **outcome: Any) -> bytes:
    """The payload of a reply, with its sum."""
    body = frames.payload_of({"id": request["id"], **outcome})
    total = binascii.crc32(body[1:], binascii.crc32(payload))
    return bytes([body[0] + 1]) + body[1:] + frames.payload_of({"sum": total})[1:]


def framed(payload: bytes) -> bytes:
    from cobs import cobs

    check = binascii.crc_hqx(payload, 0xFFFF).to_bytes(2, "big")
    return b"\0" + cobs.encode(payload + check) + b"\0"


class Board:
    """Answers like a probe: what it measures depends on all of the request but its number."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.receiver = frames.Receiver()
        self.measured = 0

    def take(self, data: bytes) -> None:
        for request in self.receiver.feed(data):
            self.line.to_host(framed(self.answer(request, request.payload)))

    def answer(self, request: dict[str, Any], payload: bytes) -> bytes:
        if request.get("do") == "hello":
            return sealed(request, payload, ok=HELLO)
        if request.get("do") == "measure":
            self.measured += 1
            return sealed(request, payload, ok={"ticks": [right(request)], "crc": 1, "len": 16})
        return sealed(request, payload, err={"kind": "unsupported", "text": "no"})


def right(request: dict[str, Any]) -> int:
    return 1000 + binascii.crc32(
        frames.payload_of({key: request[key] for key in request if key != "id"})
    )


class Line:
    """A stream whose bytes meet ``noise`` on both ways. Waiting moves its clock, and takes no
    time.
    """

    def __init__(self, noise: Any = lambda data: data, board: type[Board] = Board) -> None:
        self.noise = noise
        self.board = board(self)
        self.pending = bytearray()
        self.closed = False
        self.t = 0.0

    def now(self) -> float:
        return self.t

    def send(self, data: bytes, deadline: float) -> None:
        self.board.take(self.noise(data))

    def to_host(self, data: bytes) -> None:
        self.pending += self.noise(data)

    def receive(self, deadline: float) -> bytes | None:
        if self.pending:
            data, self.pending = bytes(self.pending), bytearray()
            return data
        self.t = max(self.t + 1e-5, min(deadline, self.t + 0.001))
        return None

    def exit_reason(self) -> ProbeFailure:
        return ProbeFailure(FailureKind.LOST, "gone")

    def close(self) -> None:
        self.closed = True


class Noise:
    def __init__(self, seed: int, chance: float) -> None:
        self.random, self.chance = random.Random(seed), chance

    def __call__(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            what = self.random.random() / self.chance
            if what < 1:  # lost
                continue
            if what < 2:
                byte ^= 1 << self.random.randrange(8)
            out += bytes([byte]) * (2 if 2 <= what < 3 else 1)
            if 3 <= what < 4:
                out += self.random.randbytes(self.random.randrange(30))
        if self.random.random() < self.chance:
            out += data  # all of it again
        return bytes(out)


def session(line: Line) -> ProbeSession:
    return ProbeSession(lambda: line, channel=lambda stream: LossyChannel(stream, 12345))


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.sampled_from([0.0001, 0.0005, 0.001, 0.002]))
def test_whatever_the_line_does_an_answer_is_the_right_one(seed: int, chance: float) -> None:
    line = Line(Noise(seed, chance))
    try:
        board = session(line)
        for batch in (1, 2, 3):
            timing = board.measure(JOB, batch=batch, count=1, warm=0, timeout=5.0)
            asked = {"do": "measure", **JOB.fields(), "batch": batch, "count": 1, "warm": 0}
            assert timing.ticks == (right(asked),)
    except ProbeFailure as failure:
        assert failure.kind in (FailureKind.LOST, FailureKind.TIMEOUT)
    assert line.now() < 30


def test_a_clean_line_asks_once() -> None:
    line = Line()
    board = session(line)
    board.measure(JOB, batch=1, count=1, warm=0, timeout=1)
    assert line.board.measured == 1


def test_a_lost_reply_is_asked_for_again_and_counts_once() -> None:
    class Forgetful(Board):
        def answer(self, request, payload):
            answer = super().answer(request, payload)
            return b"" if self.measured == 1 and request.get("do") == "measure" else answer

    line = Line(board=Forgetful)
    assert len(session(line).measure(JOB, batch=1, count=1, warm=0, timeout=1).ticks) == 1
    assert line.board.measured == 2


def test_a_changed_reply_is_noticed_though_the_check_of_its_frame_fits() -> None:
    class Changed(Board):
        def answer(self, request, payload):
            answer = super().answer(request, payload)
            wrong = answer.replace(
                frames.payload_of({"ticks": [right(request)]})[1:],
                frames.payload_of({"ticks": [right(request) ^ 1]})[1:],
            )
            return answer if self.measured > 1 or request.get("do") != "measure" else wrong

    line = Line(board=Changed)
    timing = session(line).measure(JOB, batch=1, count=1, warm=0, timeout=1)
    asked = {"do": "measure", **JOB.fields(), "batch": 1, "count": 1, "warm": 0}
    assert timing.ticks == (right(asked),)
    assert line.board.measured == 2


def test_a_changed_request_is_noticed_though_the_check_of_its_frame_fits() -> None:
    class Misled(Board):
        """Measures with another batch than it was told, the first time."""

        def answer(self, request, payload):
            if request.get("do") == "measure" and not self.measured:
                request = {**request, "batch": 7}
                payload = frames.payload_of(request)
            return super().answer(request, payload)

    line = Line(board=Misled)
    timing = session(line).measure(JOB, batch=1, count=1, warm=0, timeout=1)
    asked = {"do": "measure", **JOB.fields(), "batch": 1, "count": 1, "warm": 0}
    assert timing.ticks == (right(asked),)


def test_a_reply_without_a_sum_is_nobodys() -> None:
    class Plain(Board):
        def answer(self, request, payload):
            return frames.payload_of({"id": request["id"], "ok": HELLO})

    talk_ = LossyChannel(Line(board=Plain))
    with pytest.raises(ProbeFailure) as caught:
        talk_.ask({"do": "hello", "proto": 2}, 0.1)
    assert caught.value.kind is FailureKind.TIMEOUT


def test_a_board_that_listens_and_never_answers_is_lost_long_before_the_time_is_up() -> None:
    class Deaf(Board):
        def answer(self, request, payload):
            return b"" if request.get("do") == "measure" else super().answer(request, payload)

    line = Line(board=Deaf)
    with pytest.raises(ProbeFailure) as caught:
        session(line).measure(JOB, batch=1, count=1, warm=0, timeout=300)
    assert caught.value.kind is FailureKind.LOST
    assert line.now() < 60


@pytest.mark.parametrize("chatter", [b"", b"\x55" * 100, b"\0\1\0" * 30, b"\0"])
def test_silence_and_endless_chatter_end_at_the_time_limit(chatter: bytes) -> None:
    class Chattering(Line):
        def receive(self, deadline):
            return super().receive(deadline) or chatter or None

    line = Chattering()
    line.board.take = lambda data: None
    with pytest.raises(ProbeFailure) as caught:
        LossyChannel(line).ask({"do": "hello", "proto": 2}, 0.1)
    assert caught.value.kind is FailureKind.TIMEOUT


def test_a_line_is_left_open_between_requests_and_closed_while_a_reply_may_come() -> None:
    line = Line()
    board = session(line)
    board.close()
    assert not line.closed
    line.board.take = lambda data: None
    with pytest.raises(ProbeFailure):
        board.measure(JOB, batch=1, count=1, warm=0, timeout=0.05)
    assert line.closed


class Timed(Line):
    """A line whose clock only frames move: 1 s to the board, 1 s back; the first reply to a
    measurement is lost.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.lost = list[float](), False

    def send(self, data: bytes, deadline: float) -> None:
        self.asked.append(self.t)
        self.t += 1.0
        self.board.take(data)

    def to_host(self, data: bytes) -> None:
        if self.board.measured == 1 and not self.lost:
            self.lost = True
        else:
            self.pending += data

    def receive(self, deadline: float) -> bytes | None:
        if not self.pending:
            self.t = deadline
            return None
        self.t += 1.0
        data, self.pending = bytes(self.pending), bytearray()
        return data


def test_a_reply_belongs_to_the_request_that_it_answers() -> None:
    """Of a measurement that was asked for twice only the second request and its reply say when it
    was.
    """
    line = Timed()
    timing = session(line).measure(JOB, batch=1, count=1, warm=0, timeout=60)
    assert line.board.measured == 2 and timing.span is not None
    assert timing.span == (line.asked[-1], line.asked[-1] + 2.0)


def test_what_bytes_take_on_a_line_is_no_part_of_the_span() -> None:
    line = Timed()
    line.board.measured = 5
    talk_ = LossyChannel(line, byte_seconds=0.01)
    reply = talk_.ask({"do": "measure", "batch": 1}, 60)
    there, left = talk_.span or (0.0, 0.0)
    assert there == pytest.approx(0.01 * len(frames.encode({"id": 1, "do": "measure", "batch": 1})))
    assert left == pytest.approx(2.0 - 0.01 * len(framed(reply.payload)))
