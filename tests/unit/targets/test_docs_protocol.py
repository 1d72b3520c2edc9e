"""docs/reference/probe-protocol.md against the code that speaks it."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping

import pytest
from docs_pages import code, page, section, tables

from motebench.base.model import FailureKind
from motebench.targets.session import ProbeSession
from motebench.targets.wire import frames
from motebench.targets.wire.messages import PROTOCOL, Fill, Job, ProbeFailure, fill
from motebench.targets.wire.replies import parse_hello

PROTOCOL_PAGE = page("docs/reference/probe-protocol.md")

CLOCK = {"name": "clock", "hz": 10**9, "resolution": 1, "overhead": 1.5}
HELLO = {
    "proto": PROTOCOL,
    "probe": "p",
    "impl": "i",
    "version": "v",
    "compiler": "c",
    "flags": "f",
    "arch": "a",
    "clock": CLOCK,
    "counter": CLOCK,
    "cpu": CLOCK,
    "max_frame": 4096,
    "max_data": 4096,
    "does": ["hello"],
}


class Watched(Mapping):
    """A map that remembers which keys were asked for."""

    def __init__(self, content: Mapping) -> None:
        self.content = content
        self.asked: set[str] = set()

    def __getitem__(self, key: str):
        self.asked.add(key)
        return self.content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.content)

    def __len__(self) -> int:
        return len(self.content)


class Answering:
    """A stream that greets, and answers everything else with one error."""

    def __init__(self, kind: str = "unsupported") -> None:
        self.kind = kind
        self.requests: list[dict] = []
        self._receiver = frames.Receiver()
        self._replies = b""

    def now(self) -> float:
        return 0.0

    def send(self, data: bytes, deadline: float) -> None:
        for request in self._receiver.feed(data):
            self.requests.append(request)
            err = {"err": {"kind": self.kind, "text": "no"}}
            result = {"ok": HELLO} if request["do"] == "hello" else err
            self._replies += frames.encode({"id": request["id"], **result})

    def receive(self, deadline: float) -> bytes:
        data, self._replies = self._replies, b""
        return data

    def exit_reason(self) -> ProbeFailure:
        return ProbeFailure(FailureKind.LOST, "silence")

    def close(self) -> None:
        pass


def asked(stream: Answering) -> ProbeFailure | None:
    """Last item of a computation."""
    session = ProbeSession(lambda: stream)
    try:
        session.compute(Job("sha256", "digest"))
    except ProbeFailure as failure:
        return failure
    return None


def test_check_value_of_the_crc():
    (said,) = re.findall(r"check value of `123456789` is (0x[0-9A-F]{4})", PROTOCOL_PAGE)
    assert binascii.crc_hqx(b"123456789", 0xFFFF) == int(said, 16)


def test_crc_and_delimiters_are_those_of_the_frames():
    frame = frames.encode({"a": 1})
    assert frame[0] == frame[-1] == 0 and 0 not in frame[1:-1]
    assert frames.decode(frame[1:-1]) == {"a": 1}


def test_first_bytes_of_the_fill_stream():
    ((seed, said),) = re.findall(r"Seed (\d+) begins `([0-9a-f ]+)`", PROTOCOL_PAGE)
    expected = bytes.fromhex(said)
    assert fill(int(seed), len(expected)) == expected


def test_keys_of_hello():
    rows = tables(section(PROTOCOL_PAGE, "`hello`"))[0]
    documented = {key for row in rows for key in code(row["key"])}
    reply = Watched(HELLO)
    parse_hello(reply)
    assert reply.asked == documented == {*HELLO, "jit", "cpu_features", "loop", "device", "image"}


def test_keys_of_clocks():
    rows = {
        code(row["key"])[0]: row["meaning"] for row in tables(section(PROTOCOL_PAGE, "`hello`"))[0]
    }
    for key in ("clock", "counter", "cpu"):
        clock = Watched(CLOCK)
        parse_hello({**HELLO, key: clock})
        named = clock.asked & set(CLOCK)
        # An overhead and a resolution may be missing where the page does not name them.
        assert (
            set(re.findall(r"\b(name|hz|resolution|overhead)\b", rows[key].replace("`", "")))
            <= named
        )
    assert {"name", "hz", "resolution", "overhead"} <= set(code(rows["clock"]))


def test_version_of_the_protocol():
    assert re.findall(r"^# The probe protocol, version (\d+)$", PROTOCOL_PAGE, re.M) == [
        str(PROTOCOL)
    ]
    assert f"`proto` | uint | protocol version, {PROTOCOL} |" in PROTOCOL_PAGE


def test_requests_are_those_that_a_session_sends():
    documented = re.findall(r"^### `([a-z]+)`$", PROTOCOL_PAGE, re.M)
    stream = Answering()
    session = ProbeSession(lambda: stream)
    job = Job("sha256", "digest")
    calls = (
        session.offers,
        lambda: session.compute(job),
        lambda: session.measure(job, batch=1, count=1, warm=0, timeout=1, reference=True),
        lambda: session.memory(job),
        lambda: session.file(
            job, source="a", destination="b", chunk=1, cold=True, sync=True, timeout=1
        ),
    )
    for call in calls:
        with pytest.raises(ProbeFailure):
            call()
    assert [request["do"] for request in stream.requests] == documented
    for request in stream.requests:
        text = section(PROTOCOL_PAGE, f"`{request['do']}`")
        own = set(request) - {"id", "do", "scheme", "op"}
        assert own <= set(re.findall(r"[a-z_]+", " ".join(code(text)))), request


def test_keys_of_a_job():
    rows = tables(section(PROTOCOL_PAGE, "What a job says"))[0]
    documented = {key for row in rows for key in code(row["key"])}
    full = {
        "key": b"k",
        "nonce": b"n",
        "aad": b"a",
        "tag": b"t",
        "tag_bytes": 8,
        "inverse": True,
        "reject": True,
    }
    full |= dict.fromkeys(
        ("decoy", "signature", "peer", "ciphertext", "context", "seed", "secret"), b"x"
    )
    sent = set(Job("s", "o", data=b"d", **full).fields()) | set(
        Job("s", "o", data=Fill(1, 1), **full).fields()
    )
    sent |= set(Job("s", "o", aad=Fill(1, 1)).fields())
    assert sent == documented


def test_kinds_that_a_probe_may_send():
    text = section(PROTOCOL_PAGE, "Requests and replies")
    sent = [code(row["kind"])[0] for row in tables(text)[0]]
    never = code(re.search(r"The kinds (.*?) are never sent", text, re.S)[1])
    for kind in sent:
        failure = asked(Answering(kind))
        assert failure is not None and failure.kind is not FailureKind.LOST, kind
    for kind in never:
        failure = asked(Answering(kind))
        assert failure is not None and failure.kind is FailureKind.LOST, kind
    assert {kind.value for kind in FailureKind} == set(sent) - {"bad-request"} | set(never)


def test_the_smallest_frame_allowed():
    (least,) = re.findall(r"at least (\d+) \|$", PROTOCOL_PAGE, re.M)
    parse_hello({**HELLO, "max_frame": int(least)})
    with pytest.raises(ProbeFailure):
        parse_hello({**HELLO, "max_frame": int(least) - 1})
