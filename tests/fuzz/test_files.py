"""Untrusted files: studies, vectors, known answers, recordings, and the replies of a probe."""

from __future__ import annotations

import binascii
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import pytest
from calls import EXAMPLES, call
from cobs import cobs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.catalog.vectors.files import load
from motebench.measuring.instruments import recording
from motebench.measuring.instruments.base import Info, Shape
from motebench.measuring.study.model import Study
from motebench.targets.code import answers
from motebench.targets.wire import messages, replies
from motebench.targets.wire.frames import Receiver, decode

LONG = EXAMPLES or 40
within_a_folder = settings(
    max_examples=LONG,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        [
            10**400,
            -1,
            2**63,
            2**64,
            1e308,
            "\ud800",
            "x" * 200_000,
            [],
            {},
            [[]],
            {"a": 1},
            [0] * 1000,
        ]
    ),
)
"""Values that some decoder can give."""

OWN = {
    "format": "motebench-vectors-1",
    "scheme": "aes-128-cbc",
    "source": "x",
    "vectors": [
        {
            "id": "1",
            "op": "encrypt",
            "key": "00" * 16,
            "nonce": "00" * 16,
            "data": "00" * 16,
            "out": "00" * 16,
            "tag_bytes": 16,
            "chain": 1,
            "comment": "c",
        },
    ],
}
WYCHEPROOF = {
    "algorithm": "AES-GCM",
    "testGroups": [
        {
            "type": "AeadTest",
            "tests": [
                {
                    "tcId": 1,
                    "comment": "",
                    "flags": ["x"],
                    "key": "00" * 16,
                    "iv": "00" * 12,
                    "aad": "",
                    "msg": "00",
                    "ct": "00",
                    "tag": "00" * 16,
                    "result": "valid",
                }
            ],
        },
        {
            "type": "RsassaPkcs1Generate",
            "sha": "SHA-256",
            "privateKey": {
                "modulus": "0f",
                "publicExponent": "03",
                "privateExponent": "03",
                "prime1": "03",
                "prime2": "05",
            },
            "tests": [{"tcId": 2, "msg": "00", "sig": "00", "result": "valid"}],
        },
        {
            "type": "EcdsaVerify",
            "sha": "SHA-256",
            "publicKey": {"curve": "secp256r1", "uncompressed": "04"},
            "tests": [{"tcId": 3, "msg": "00", "sig": "00", "result": "invalid"}],
        },
    ],
}
NIST = (
    "# AESVS GFSbox test data for CBC\n[ENCRYPT]\n\nCOUNT = 0\nKEY = {k}\nIV = {k}\nPLAINTEXT = "
    "{k}\nCIPHERTEXT = {k}\n"
)
NIST = NIST.format(k="00" * 16)
KAT = "Count = 1\nKey = 00\nNonce = 00\nPT = \nAD = \nCT = 00\n\n"
STUDY = {
    "title": "t",
    "measure": [
        {"schemes": ["sha256"], "implementations": ["openssl"], "sizes": ["64 B"], "aad": [0]}
    ],
    "sampling": {"preset": "fast", "budget": "1s", "precision": "1%", "min_samples": 12, "seed": 1},
    "whole_file": {"cache": "cold", "sync": True, "chunk": "64 KiB"},
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested data."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(place for key, part in parts for place in places(part, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Nested data with another value at a place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def changed(whole: Any, values: st.SearchStrategy[Any] = ODD) -> st.SearchStrategy[Any]:
    """The data with something else at one place, or with a key more."""
    return st.builds(put, st.just(whole), st.sampled_from(places(whole)), values)


def refused_or_read(read: Callable[[], Any]) -> Any:
    """The object that was read; None if an InputError says in short why not."""
    try:
        return read()
    except InputError as error:
        assert len(str(error)) < 5000
        return None


def test_the_files_that_are_changed_are_right(tmp_path: Path) -> None:
    for name, content in (
        ("own", json.dumps(OWN)),
        ("wycheproof", json.dumps(WYCHEPROOF)),
        ("nist", NIST),
    ):
        (tmp_path / name).write_text(content)
        assert load(tmp_path / name)
    Study.model_validate(STUDY)


@within_a_folder
@given(changed(OWN) | changed(WYCHEPROOF))
def test_vectors_in_json(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "v.json"
    path.write_text(json.dumps(data))
    refused_or_read(lambda: load(path))


PIECES = st.lists(
    st.sampled_from(
        [
            "COUNT = 0",
            "KEY = 00",
            "=",
            "[",
            "]",
            "[a=b]",
            " ",
            "\t" * 50_000,
            " " * 50_000,
            "\n",
            "#",
            "0" * 50_000,
            "IV = zz",
            "PT = 00",
            "CT = 00",
            "Tag = 00",
            "Plen = 999999999",
            "\u2028",
            "Alen = " + "9" * 5000,
            "a" * 50_000,
            "Count = 1",
            "Len = 7",
            "Msg = 00",
            "MD = 00",
            "\x00",
            "FAIL",
        ]
    ),
    max_size=12,
).map("\n".join)


@within_a_folder
@given(st.sampled_from([NIST, KAT, ""]), PIECES, st.integers(0, 200))
def test_vectors_and_known_answers_in_lines(
    tmp_path: Path, whole: str, piece: str, at: int
) -> None:
    path = tmp_path / "CBC.rsp"
    path.write_text(whole[:at] + piece + whole[at:])
    refused_or_read(lambda: load(path))
    refused_or_read(lambda: answers.kind_of(path))


@within_a_folder
@given(st.binary(max_size=200), st.sampled_from([b"", b"{", b"[", b"COUNT = 1\n"]))
def test_any_bytes_as_any_file(tmp_path: Path, content: bytes, head: bytes) -> None:
    path = tmp_path / "f"
    path.write_bytes(head + content)
    for read in (load, answers.kind_of, recording.load, toml.load):
        refused_or_read(lambda read=read: read(path))


def spelt(value: Any) -> str:
    """A value as TOML, as far as it has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(str(key))} = {spelt(part)}" for key, part in value.items())
            + "}"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(spelt, value))}]"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else str(value)
    return json.dumps(value) if isinstance(value, str) else str(value)


@within_a_folder
@given(changed(STUDY))
def test_studies(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "s.toml"
    text = (
        "\n".join(f"{key} = {spelt(part)}" for key, part in data.items())
        if isinstance(data, dict)
        else spelt(data)
    )
    path.write_text(text, encoding="utf-8", errors="replace")
    refused_or_read(lambda: toml.validate(toml.load(path), Study))


HEAD = json.loads(
    recording.head_line(Info("i", "m", Shape.POINT, 10.0, 0.01, "data sheet"), {"a": 1})
)
LINES: list[Any] = [HEAD, [0.0, 0.1, 3.3, 0.03, 0], [0.1, 0.1, 3.3, 0.03, 0]]
LINES += [
    {"window": "idle", "t0": 0.0, "t1": 0.05, "iterations": 0},
    {"window": "batch", "t0": 0.05, "t1": 0.1, "iterations": 5},
]
LINES += [{"end": "complete"}]


@within_a_folder
@given(
    changed(LINES),
    st.sampled_from(
        ["", "[" * 100_000, '{"window": ' + "9" * 5000 + "}", '{"end": 1e999}', "\x00"]
    ),
)
def test_recordings(tmp_path: Path, lines: Any, more: str) -> None:
    path = tmp_path / "r.jsonl"
    content = (
        [json.dumps(line) for line in lines] if isinstance(lines, list) else [json.dumps(lines)]
    )
    path.write_text("\n".join([*content, more]) + "\n")
    found = refused_or_read(lambda: recording.load(path))
    for sample in found.samples if found else ():
        assert math.isfinite(sample.t) and math.isfinite(sample.watts)
    call("meter", "--instrument", f"replay:{path}")
    call(
        "meter",
        "--instrument",
        f"replay:{path}",
        "--known-load",
        "100ohm",
        "--voltage",
        "3.3V",
        "--json",
    )


HELLO = {
    "id": 1,
    "proto": 2,
    "probe": "p",
    "impl": "i",
    "version": "1",
    "compiler": "c",
    "flags": "f",
    "arch": "a",
    "clock": {"name": "c", "hz": 10**9, "resolution": 1, "overhead": 20.0},
    "counter": None,
    "cpu": {"name": "c", "hz": 10**9},
    "max_frame": 4096,
    "max_data": 4096,
    "does": ["measure"],
    "loop": 1.0,
}
REPLY = {
    "id": 2, "ticks": [1, 2], "counts": [1, 2], "cpu": [1, 2], "crc": 1, "len": 1, "out": b"x",
    "private": b"k", "public": b"p", "ciphertext": b"c", "secret": b"s", "process": [1, 2],
    "floor": 1, "peak": 2, "heap": 3, "elapsed": 1, "user": 1, "system": 1, "read": 1,
    "written": 1, "next": None,
    "schemes": [{"name": "sha256", "ops": ["digest"], "key": [0, 0], "nonce": [0, 0],
    "tag": [32, 32], "block": 1,
                 "stream": True},
                {"name": "ml-kem-768", "ops": ["encapsulate"], "key": [1184, 2400],
                "pair": [1184, 2400],
                 "outputs": [1088, 32], "needs_seed": False, "block": 1, "stream": False}],
}  # fmt: skip
PARSERS: tuple[Callable[[Any], Any], ...] = (
    replies.parse_hello,
    replies.parse_list,
    lambda reply: replies.parse_answer(reply, "encapsulate"),
    lambda reply: replies.parse_timing(reply, 2, "keygen"),
    replies.parse_memory,
    replies.parse_file,
)


def framed(payload: bytes) -> bytes:
    return bytes(cobs.encode(payload + binascii.crc_hqx(payload, 0xFFFF).to_bytes(2, "big")))


ODD_CBOR = ODD.filter(lambda value: value != "\ud800") | st.sampled_from(
    [b"x", 2**4096, cbor2.CBORTag(35, "("), [[[[[[[]]]]]]]]
)


@settings(max_examples=LONG)
@given(changed(HELLO, ODD_CBOR) | changed(REPLY, ODD_CBOR))
def test_replies_of_a_probe(data: Any) -> None:
    found = decode(framed(cbor2.dumps(data)))
    refusals = []
    for parse in PARSERS if found is not None else ():
        try:
            parse(found)
        except messages.ProbeFailure as failure:
            refusals.append(failure.message)
    assert [message for message in refusals if not 0 < len(message) < 500] == []


@settings(max_examples=LONG)
@given(st.binary(max_size=300))
def test_any_bytes_from_a_probe(content: bytes) -> None:
    assert isinstance(decode(framed(content)), dict | None)
    assert len(list(Receiver().feed(content + b"\0"))) <= content.count(0) + 1


@pytest.mark.parametrize(
    "payload",
    [
        b"\xa1\x61a" + b"\x81" * 100_000 + b"\x00",  # nested
        b"\xa1\x61a\x9b" + b"\xff" * 8,  # longer than what comes
        b"\xa1\x61a\x5b" + b"\x7f" + b"\xff" * 7,
        b"\xa1\x61a\xc2\x59\xff\xff" + b"\xff" * 65535,  # an integer of half a million bits
        b"\xa1\x61a\xd8\x1c\x81\xd8\x1d\x00",  # a list that holds itself
        b"\xa1\x61a\xc4\x82\x1b" + b"\x7f" + b"\xff" * 7 + b"\x01",  # a decimal fraction
        b"\xa1\x61a\xd8\x23\x64(((a",  # a pattern
        b"\xbf\xff\xff",
        b"\xa1\x01\x01" * 3,
    ],
)
def test_messages_that_the_protocol_has_not(payload: bytes) -> None:
    assert decode(framed(payload)) is None


def test_no_terminal_obeys_the_error_of_a_probe() -> None:
    failure = messages.ProbeFailure(messages.FailureKind.ERROR, "\x1b]0;x\x07 said\nthe probe")
    assert failure.message == str(failure) == "\\x1b]0;x\\x07 said\nthe probe"
