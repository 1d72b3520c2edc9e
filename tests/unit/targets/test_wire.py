"""Frames, the fill stream, and replies from a hostile probe."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.base.model import FailureKind
from motebench.targets.wire import frames, messages, replies
from motebench.targets.wire.messages import fill

scalars = st.one_of(
    st.integers(0, 2**64 - 1),
    st.booleans(),
    st.text(max_size=20),
    st.binary(max_size=300),
    st.none(),
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4), max_leaves=8)
maps = st.dictionaries(st.text(max_size=8), values, max_size=6)


@given(maps, st.binary(max_size=50))
def test_a_message_survives_noise_before_it(message: dict[str, Any], noise: bytes) -> None:
    receiver = frames.Receiver()
    stream = noise.replace(b"\0", b"\1") + frames.encode(message)
    got = [item for byte in stream for item in receiver.feed(bytes([byte]))]
    assert got[-1] == message
    assert len(got) == 1


@given(maps, st.data())
def test_a_damaged_frame_never_becomes_a_message(
    message: dict[str, Any], data: st.DataObject
) -> None:
    frame = bytearray(frames.encode(message))
    index = data.draw(st.integers(1, len(frame) - 2))
    frame[index] ^= data.draw(st.integers(1, 255))
    got = list(frames.Receiver().feed(bytes(frame)))
    # CRC-16 finds every error burst of up to 16 bits; a new zero byte may only shorten the frame.
    assert message not in got
    assert list(frames.Receiver().feed(bytes(frame) + frames.encode(message)))[-1] == message


def test_crc_is_the_one_specified() -> None:
    assert frames.binascii.crc_hqx(b"123456789", 0xFFFF) == 0x29B1


def test_an_endless_frame_is_dropped_without_keeping_it() -> None:
    receiver = frames.Receiver(limit=1000)
    for _ in range(100):
        assert list(receiver.feed(b"\1" * 100)) == []
    assert list(receiver.feed(frames.encode({"id": 1}))) == [{"id": 1}]
    assert receiver.dropped == 1


def test_random_bytes_do_nothing() -> None:
    rng = random.Random(1)
    receiver = frames.Receiver()
    for _ in range(2000):
        assert list(receiver.feed(rng.randbytes(64) + b"\0")) == []


def test_deep_nesting_is_refused() -> None:
    deep: Any = 1
    for _ in range(50):
        deep = [deep]
    assert frames.decode(frames.encode({"a": deep})[1:-1]) is None


def test_fill_begins_as_specified() -> None:
    assert fill(1, 8).hex() == "2101c54fd1d01ab2"


@given(st.integers(1, 2**32 - 1), st.integers(0, 3000))
def test_fill_is_xorshift32(seed: int, length: int) -> None:
    state, expected = seed, bytearray()
    for _ in range(length):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        expected.append(state & 0xFF)
    assert fill(seed, length) == bytes(expected)


def test_fill_refuses_its_fixed_point() -> None:
    with pytest.raises(ValueError, match="seed 0"):
        fill(0, 4)


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
    "does": ["hello"],
}


def test_hello_is_understood() -> None:
    assert replies.parse_hello(HELLO).clock.overhead == 20.0
    assert replies.parse_hello(HELLO).loop is None
    assert replies.parse_hello({**HELLO, "loop": 20.5}).loop == 20.5


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("proto", "1"),
        ("probe", 1),
        ("clock", None),
        ("max_frame", 16),
        ("max_frame", True),
        ("does", "hello"),
        ("clock", {"name": "c", "hz": 0, "resolution": 1, "overhead": 1}),
        ("clock", {"name": "c", "hz": 1, "resolution": 1, "overhead": float("nan")}),
        ("clock", {"name": "c", "hz": 1, "resolution": 1, "overhead": -1}),
        ("cpu", {"name": "c", "hz": 0, "resolution": 1, "overhead": 1}),
        ("cpu", []),
        ("counter", 3),
        ("loop", -1.0),
        ("loop", float("nan")),
        ("loop", 3),
        ("loop", "fast"),
    ],
)
def test_a_bad_hello_is_lost(key: str, value: object) -> None:
    with pytest.raises(messages.ProbeFailure) as caught:
        replies.parse_hello({**HELLO, key: value})
    assert caught.value.kind is FailureKind.LOST


def test_code_that_leaves_a_board_no_room_for_messages_is_too_big() -> None:
    with pytest.raises(messages.ProbeFailure, match="450 B of RAM are left for messages") as caught:
        replies.parse_hello({**HELLO, "max_frame": 450, "device": "attiny3217"})
    assert caught.value.kind is FailureKind.TOO_BIG


def test_another_protocol_version_is_unsupported() -> None:
    with pytest.raises(messages.ProbeFailure) as caught:
        replies.parse_hello({"proto": 1})
    assert caught.value.kind is FailureKind.UNSUPPORTED
    assert (
        "the probe speaks version 1" in caught.value.message
        and "make setup" in caught.value.message
    )


def test_a_board_with_firmware_of_another_version_is_to_be_flashed() -> None:
    with pytest.raises(
        messages.ProbeFailure,
        match=r"atmega2560.*version 1.*version 2: upload it again: motebench flash",
    ) as caught:
        replies.parse_hello({"proto": 1, "device": "atmega2560"})
    assert caught.value.kind is FailureKind.UNSUPPORTED


TIMING: dict[str, Any] = {
    "ticks": [1, 2],
    "counts": [3, 4],
    "cpu": [5, 6],
    "crc": 7,
    "len": 8,
    "before": 9,
    "after": 10,
}


@pytest.mark.parametrize(
    ("operation", "reply", "out", "second"),
    [
        ("encrypt-message", {"out": b"c", "tag": b"t"}, b"c", {"tag": b"t"}),
        ("digest", {"out": b"d"}, b"d", {}),
        ("sign", {"signature": b"s"}, b"s", {}),
        ("agree", {"secret": b"s"}, b"s", {}),
        ("keygen", {"private": b"k"}, b"k", {}),
        ("keygen", {"private": b"k", "public": b"p"}, b"k", {"public": b"p"}),
        ("encapsulate", {"ciphertext": b"c", "secret": b"s"}, b"c", {"secret": b"s"}),
        ("encapsulate", {"len": 7, "secret": b"s"}, None, {"secret": b"s"}),
        ("decapsulate", {"secret": b"s"}, b"s", {}),
    ],
)
def test_outputs_have_the_names_of_their_kind(
    operation: str, reply: dict[str, Any], out: bytes, second: dict
) -> None:
    answer = replies.parse_answer({**reply, "crc": 3}, operation)
    assert (answer.out, answer.length) == (out, reply.get("len", len(out or b"")))
    assert {name: getattr(answer, name) for name in ("tag", "secret", "public")} == {
        "tag": b"",
        "secret": b"",
        "public": b"",
        **second,
    }


@pytest.mark.parametrize("operation", ["sign", "agree", "keygen", "encapsulate", "decapsulate"])
def test_an_output_under_another_name_is_lost(operation: str) -> None:
    with pytest.raises(messages.ProbeFailure, match="neither") as caught:
        replies.parse_answer({"out": b"o", "crc": 3}, operation)
    assert caught.value.kind is FailureKind.LOST


def test_the_public_key_of_a_private_one_is_called_so() -> None:
    assert replies.parse_answer({"public": b"p", "crc": 3}, "sign", public=True).out == b"p"


def test_a_kem_lists_the_sizes_of_its_keys_and_outputs() -> None:
    entry = {"name": "toy", "ops": ["encapsulate"], "key": [24, 40], "block": 1, "stream": False}
    sizes = {"pair": [24, 40], "outputs": [32, 12]}
    (offer,), _ = replies.parse_list({"schemes": [{**entry, **sizes, "needs_seed": False}]})
    assert (offer.pair, offer.outputs, offer.seeds, offer.needs_seed) == (
        (24, 40),
        (32, 12),
        True,
        False,
    )
    (offer,), _ = replies.parse_list({"schemes": [{**entry, **sizes}]})
    assert (offer.seeds, offer.needs_seed) == (False, False)
    for lacking in (entry, {**entry, "pair": [24, 40]}, {**entry, **sizes, "outputs": [1]}):
        with pytest.raises(messages.ProbeFailure):
            replies.parse_list({"schemes": [lacking]})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ticks", [1]),
        ("ticks", [1, -2]),
        ("ticks", [1, 2.0]),
        ("ticks", [True, 1]),
        ("ticks", 3),
        ("crc", 2**32),
        ("crc", None),
        ("len", "8"),
        ("counts", [1, 2, 3]),
        ("reference_loop", [5]),
        ("reference_loop", [5, 5, 5]),
        ("reference_loop", [5, -5]),
        ("reference_loop", [5, 0]),
        ("reference_loop", [5, 2**60]),
        ("reference_loop", [5, 5.0]),
        ("reference_loop", True),
        ("out", "text"),
        ("before", -1),
        ("before", 1.0),
        ("after", "soon"),
        ("after", 2**64),
    ],
)
def test_a_bad_timing_never_becomes_a_number(key: str, value: object) -> None:
    assert replies.parse_timing(TIMING, 2, "encrypt").ticks == (1, 2)
    with pytest.raises(messages.ProbeFailure) as caught:
        replies.parse_timing({**TIMING, key: value}, 2, "encrypt")
    assert caught.value.kind is FailureKind.LOST


def test_the_reference_loop_is_there_where_the_probe_timed_it() -> None:
    assert replies.parse_timing(TIMING, 2, "encrypt").reference_loop is None
    assert replies.parse_timing(
        {**TIMING, "reference_loop": [11, 12]}, 2, "encrypt"
    ).reference_loop == (11, 12)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "ticks",
                "crc",
                "len",
                "out",
                "tag",
                "schemes",
                "next",
                "floor",
                "peak",
                "elapsed",
                "rejected",
                "proto",
                "clock",
                "ciphertext",
                "secret",
                "private",
                "public",
            ]
        ),
        values,
        max_size=8,
    )
)
def test_no_reply_raises_anything_but_a_probe_failure(reply: dict[str, Any]) -> None:
    parsers = [
        replies.parse_hello,
        replies.parse_list,
        lambda item: replies.parse_answer(item, "encapsulate"),
        lambda item: replies.parse_timing(item, 2, "keygen"),
        replies.parse_memory,
        replies.parse_file,
    ]
    for parse in parsers:
        try:
            parse(reply)
        except messages.ProbeFailure as failure:
            assert failure.message
