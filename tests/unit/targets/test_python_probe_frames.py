"""Frames, CBOR and the fill stream of probes/python, which has code of its own for them, against
motebench's.
"""

from __future__ import annotations

import math
import struct
import tracemalloc
from typing import Any

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from motebench_probe import cbor, frames
from motebench_probe.fill import fill

from motebench.targets.wire import frames as host_frames
from motebench.targets.wire import messages as host_fill

numbers = st.integers(-(2**64), 2**64 - 1)
scalars = st.one_of(
    numbers,
    st.booleans(),
    st.text(max_size=300),
    st.binary(max_size=300),
    st.none(),
    st.floats(allow_nan=False),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
maps = st.dictionaries(st.text(max_size=8), scalars, max_size=30)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


@given(values)
def test_what_it_writes_others_read(value: Any) -> None:
    assert cbor2.loads(cbor.dumps(value)) == value


@given(values)
def test_it_reads_what_others_write_unless_it_is_too_deep(value: Any) -> None:
    if depth(value) <= cbor.MAX_DEPTH:
        assert cbor.loads(cbor2.dumps(value)) == value
        assert cbor.loads(cbor2.dumps(value, canonical=True)) == value
    else:
        with pytest.raises(cbor.Malformed):
            cbor.loads(cbor2.dumps(value))


# RFC 8949, appendix A: every example of a part of CBOR that the protocol uses.
EXAMPLES = [
    ("00", 0),
    ("17", 23),
    ("1818", 24),
    ("1903e8", 1000),
    ("1a000f4240", 1000000),
    ("1b000000e8d4a51000", 10**12),
    ("1bffffffffffffffff", 2**64 - 1),
    ("20", -1),
    ("3903e7", -1000),
    ("3bffffffffffffffff", -(2**64)),
    ("f93c00", 1.0),
    ("f97bff", 65504.0),
    ("fa47c35000", 100000.0),
    ("fb3ff199999999999a", 1.1),
    ("f90001", 2.0**-24),
    ("f97c00", math.inf),
    ("f4", False),
    ("f5", True),
    ("f6", None),
    ("40", b""),
    ("4401020304", b"\1\2\3\4"),
    ("60", ""),
    ("62c3bc", "ü"),
    ("64f0908591", "𐅑"),
    ("80", []),
    ("8301820203820405", [1, [2, 3], [4, 5]]),
    ("a0", {}),
    ("a26161016162820203", {"a": 1, "b": [2, 3]}),
    ("826161a161626163", ["a", {"b": "c"}]),
]


@pytest.mark.parametrize(("encoded", "value"), EXAMPLES)
def test_examples_of_the_rfc(encoded: str, value: Any) -> None:
    got = cbor.loads(bytes.fromhex(encoded))
    assert got == value and type(got) is type(value)


@pytest.mark.parametrize(
    "encoded",
    [
        "",
        "18",
        "19 01",
        "1b 00000000000000",
        "1c",
        "1f",
        "41",
        "61",
        "61ff",
        "81",
        "a1",
        "a161",
        "a16161",
        "a10101",
        "5f4101ff",
        "7f6161ff",
        "9f01ff",
        "bf616101ff",
        "c000",
        "f7",
        "f0",
        "f818",
        "f9 3c",
        "fa 47c350",
        "fb 3ff1",
        "ff",
        "0000",
        "5b ffffffffffffffff",
        "7b ffffffffffffffff",
        "9b ffffffffffffffff",
        "bb ffffffffffffffff",
        "81 81 81 81 81 81 00",
    ],
)
def test_other_bytes_are_malformed(encoded: str) -> None:
    with pytest.raises(cbor.Malformed):
        cbor.loads(bytes.fromhex(encoded))


@given(st.binary(max_size=200))
def test_any_bytes_are_an_item_or_malformed(data: bytes) -> None:
    try:
        value = cbor.loads(data)
    except cbor.Malformed:
        return
    again = cbor.loads(cbor.dumps(value))
    # repr: NaN is not equal to itself.
    assert repr(again) == repr(value)


@given(maps, st.data())
def test_a_cut_item_is_malformed(value: dict[str, Any], data: st.DataObject) -> None:
    whole = cbor.dumps(value)
    with pytest.raises(cbor.Malformed):
        cbor.loads(whole[: data.draw(st.integers(0, len(whole) - 1))])


@pytest.mark.parametrize("major", [0x5B, 0x7B, 0x9B, 0xBB])
def test_a_length_that_lies_takes_no_memory(major: int) -> None:
    tracemalloc.start()
    with pytest.raises(cbor.Malformed):
        cbor.loads(bytes([major]) + struct.pack(">Q", 1 << 40) + bytes(100))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000


def test_of_equal_keys_the_first_counts() -> None:
    assert cbor.loads(bytes.fromhex("a2616101616102")) == {"a": 1}


@pytest.mark.parametrize("number", [2**64, -(2**64) - 1])
def test_numbers_beyond_64_bits_are_not_written(number: int) -> None:
    with pytest.raises(cbor.Malformed):
        cbor.dumps(number)


@given(maps)
def test_frames_are_those_of_motebench(message: dict[str, Any]) -> None:
    assert list(host_frames.Receiver().feed(frames.encode(cbor.dumps(message)))) == [message]
    assert list(frames.Receiver().feed(host_frames.encode(message))) == [message]


@given(maps, st.binary(max_size=50), st.integers(1, 40))
def test_a_message_survives_noise_before_it_and_any_cut(
    message: dict[str, Any], noise: bytes, step: int
) -> None:
    stream = noise.replace(b"\0", b"\1") + frames.encode(cbor.dumps(message))
    receiver = frames.Receiver()
    got = [
        item for at in range(0, len(stream), step) for item in receiver.feed(stream[at : at + step])
    ]
    assert got == [message]


@given(maps, st.data())
def test_a_damaged_frame_never_becomes_a_message(
    message: dict[str, Any], data: st.DataObject
) -> None:
    frame = bytearray(frames.encode(cbor.dumps(message)))
    frame[data.draw(st.integers(1, len(frame) - 2))] ^= data.draw(st.integers(1, 255))
    receiver = frames.Receiver()
    assert message not in list(receiver.feed(bytes(frame)))
    assert list(receiver.feed(frames.encode(cbor.dumps(message))))[-1] == message


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_foreign_bytes_do_nothing(pieces: list[bytes]) -> None:
    receiver = frames.Receiver()
    for piece in pieces:
        assert list(receiver.feed(piece)) == []
    assert list(receiver.feed(frames.encode(cbor.dumps({"id": 1}))))[-1] == {"id": 1}


@pytest.mark.parametrize(
    "payload", [b"", b"\0", cbor.dumps([1]), cbor.dumps("text"), cbor.dumps(7)]
)
def test_a_well_framed_item_that_is_no_map_is_dropped(payload: bytes) -> None:
    assert list(frames.Receiver().feed(frames.encode(payload))) == []


def test_an_endless_frame_is_dropped_without_keeping_it() -> None:
    receiver = frames.Receiver()
    tracemalloc.start()
    for _ in range(40):
        assert list(receiver.feed(b"\1" * (1 << 17))) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * frames.MAX_FRAME
    assert list(receiver.feed(frames.encode(cbor.dumps({"id": 1})))) == [{"id": 1}]


def test_the_longest_frame_is_taken_and_a_longer_one_is_not() -> None:
    room = (
        frames.MAX_FRAME - frames.CHECK_BYTES - len(cbor.dumps({"d": bytes(1 << 16)})) + (1 << 16)
    )
    for size, taken in ((room, 1), (room + 1, 0)):
        # No zero bytes: stuffing is then longest.
        assert (
            len(list(frames.Receiver().feed(frames.encode(cbor.dumps({"d": b"\1" * size})))))
            == taken
        )


LENGTHS = st.one_of(
    st.integers(0, 3000),
    st.sampled_from([65535, 65536, 65537, 2**21 - 1, 2**21, 2**21 + 1, 2**21 + 65537]),
)


@given(st.integers(1, 2**32 - 1), LENGTHS)
def test_the_fill_stream_is_that_of_motebench(seed: int, length: int) -> None:
    assert fill(seed, length) == host_fill.fill(seed, length)


def test_the_fill_stream_is_in_memory_once() -> None:
    size = 16 << 20
    tracemalloc.start()
    made = fill(1, size)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(made) == size
    # The buffer has room to grow, which nothing touches.
    assert peak < 1.75 * size
