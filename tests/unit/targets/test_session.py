"""A session against a stream that lies, stalls and breaks: never a wrong number, never a hang."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from motebench.base.model import FailureKind
from motebench.targets.session import ProbeSession
from motebench.targets.wire import frames
from motebench.targets.wire.messages import Job, ProbeFailure

HELLO: dict[str, Any] = {
    "proto": 2,
    "probe": "p 1",
    "impl": "x",
    "version": "1",
    "compiler": "c",
    "flags": "",
    "arch": "a",
    "clock": {"name": "c", "hz": 10**9, "resolution": 1, "overhead": 20.0},
    "counter": None,
    "cpu": None,
    "max_frame": 1024,
    "max_data": 4096,
    "does": ["hello", "list", "compute", "measure"],
}
ENTRY = {
    "ops": ["encrypt"],
    "key": [16, 16],
    "nonce": [16, 16],
    "tag": [0, 0],
    "block": 16,
    "stream": True,
}
JOB = Job("s", "encrypt", key=b"k" * 16, data=b"d" * 16)

Answer = Callable[[dict[Any, Any]], bytes | None]


def ok(request: dict[Any, Any], **result: Any) -> bytes:
    return frames.encode({"id": request["id"], "ok": result})


class FakeStream:
    """Answers each request with the bytes that ``answer`` gives; None ends the stream."""

    opened = 0

    def __init__(self, answer: Answer) -> None:
        type(self).opened += 1
        self._answer = answer
        self._receiver = frames.Receiver()
        self._pending: list[bytes] = []
        self._ended = False

    def now(self) -> float:
        return time.monotonic()

    def send(self, data: bytes, deadline: float) -> None:
        for request in self._receiver.feed(data):
            reply = ok(request, **HELLO) if request["do"] == "hello" else self._answer(request)
            if reply is None:
                self._ended = True
            elif reply:
                self._pending.append(reply)

    def receive(self, deadline: float) -> bytes | None:
        if self._pending:
            return self._pending.pop(0)
        if self._ended:
            return b""
        time.sleep(max(0.0, min(0.01, deadline - time.monotonic())))
        return None

    def exit_reason(self) -> ProbeFailure:
        return ProbeFailure(FailureKind.CRASH, "gone")

    def close(self) -> None:
        self._ended = True


def session(answer: Answer) -> ProbeSession:
    FakeStream.opened = 0
    return ProbeSession(lambda: FakeStream(answer))


def failure_of(answer: Answer) -> ProbeFailure:
    with pytest.raises(ProbeFailure) as caught:
        session(answer).compute(JOB, timeout=0.05)
    return caught.value


def test_an_answer_gets_through() -> None:
    answer = session(lambda request: ok(request, out=b"x", crc=1)).compute(JOB)
    assert (answer.out, answer.crc, answer.rejected) == (b"x", 1, False)


def test_noise_and_damage_before_the_answer_do_not_matter() -> None:
    rng = random.Random(3)

    def noisy(request: dict[Any, Any]) -> bytes:
        damaged = bytearray(ok(request, out=b"wrong", crc=2))
        damaged[5] ^= 0x40
        return rng.randbytes(100) + b"\0" + bytes(damaged) + b"\0\0" + ok(request, out=b"x", crc=1)

    assert session(noisy).compute(JOB).out == b"x"


def test_an_answer_to_another_request_is_not_taken() -> None:
    def stale(request: dict[Any, Any]) -> bytes:
        return frames.encode({"id": request["id"] - 1, "ok": {"out": b"old", "crc": 0}}) + ok(
            request, out=b"x", crc=1
        )

    assert session(stale).compute(JOB).out == b"x"


def test_an_answer_twice_counts_once() -> None:
    channel = session(lambda request: ok(request, out=bytes([request["id"]]), crc=1) * 2)
    first, second = channel.compute(JOB).out, channel.compute(JOB).out
    assert first != second


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (lambda request: b"", FailureKind.TIMEOUT),
        (lambda request: None, FailureKind.CRASH),
        (lambda request: ok(request), FailureKind.LOST),
        (lambda request: ok(request, out="text", crc=1), FailureKind.LOST),
        (lambda request: ok(request, out=b"x", crc=-1), FailureKind.LOST),
        (lambda request: frames.encode({"id": request["id"]}), FailureKind.LOST),
        (lambda request: frames.encode({"id": request["id"], "ok": [1]}), FailureKind.LOST),
        (lambda request: frames.encode({"id": request["id"], "err": "no"}), FailureKind.LOST),
        (
            lambda request: frames.encode(
                {"id": request["id"], "err": {"kind": "nonsense", "text": ""}}
            ),
            FailureKind.LOST,
        ),
        (
            lambda request: frames.encode(
                {"id": request["id"], "err": {"kind": "error", "text": "e"}}
            ),
            FailureKind.ERROR,
        ),
        (
            lambda request: frames.encode(
                {"id": request["id"], "err": {"kind": "too-big", "text": "e"}}
            ),
            FailureKind.TOO_BIG,
        ),
        (lambda request: b"\1" * 10_000, FailureKind.TIMEOUT),
    ],
)
def test_every_way_of_not_answering_has_its_kind(reply: Answer, kind: FailureKind) -> None:
    assert failure_of(reply).kind is kind


def test_after_a_crash_the_next_request_meets_a_fresh_probe() -> None:
    replies = iter([None, "answer"])
    channel = session(
        lambda request: None if next(replies) is None else ok(request, out=b"x", crc=1)
    )
    with pytest.raises(ProbeFailure):
        channel.compute(JOB)
    assert channel.compute(JOB).out == b"x"
    assert FakeStream.opened == 2


def test_a_failure_that_was_sent_keeps_the_probe() -> None:
    channel = session(
        lambda request: frames.encode(
            {"id": request["id"], "err": {"kind": "unsupported", "text": "no"}}
        )
    )
    for _ in range(2):
        with pytest.raises(ProbeFailure):
            channel.compute(JOB)
    assert FakeStream.opened == 1


def test_a_request_longer_than_the_probe_takes_is_not_sent() -> None:
    asked: list[Any] = []
    channel = session(lambda request: asked.append(request) or ok(request, out=b"x", crc=1))
    with pytest.raises(ProbeFailure) as caught:
        channel.compute(Job("s", "encrypt", data=bytes(2000)))
    assert caught.value.kind is FailureKind.TOO_BIG
    assert not asked


def test_pages_of_a_list_are_joined() -> None:
    def pages(request: dict[Any, Any]) -> bytes:
        start = request["from"]
        rest = {"next": start + 1} if start < 2 else {}
        return ok(request, schemes=[{"name": f"s{start}", **ENTRY}], **rest)

    assert list(session(pages).offers()) == ["s0", "s1", "s2"]


def test_a_list_without_end_is_refused() -> None:
    channel = session(lambda request: ok(request, schemes=[], next=request["from"]))
    with pytest.raises(ProbeFailure) as caught:
        channel.offers()
    assert caught.value.kind is FailureKind.LOST


def test_fewer_ticks_than_asked_for_are_no_measurement() -> None:
    channel = session(lambda request: ok(request, ticks=[1], crc=1, len=1))
    with pytest.raises(ProbeFailure) as caught:
        channel.measure(JOB, batch=1, count=2, warm=0, timeout=1)
    assert caught.value.kind is FailureKind.LOST
