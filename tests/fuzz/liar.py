"""Probe that lies: ``liar.py HOW`` answers requests like a probe, except for HOW."""

from __future__ import annotations

import binascii
import hashlib
import os
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

import cbor2
from cobs import cobs

HELLO: dict[str, Any] = {
    "proto": 2,
    "probe": "liar 1",
    "impl": "liar",
    "version": "1",
    "compiler": "c",
    "flags": "f",
    "arch": "x86_64",
    "clock": {"name": "clock", "hz": 10**9, "resolution": 1, "overhead": 20.0},
    "counter": None,
    "cpu": {"name": "cpu", "hz": 10**9, "overhead": 1.0},
    "max_frame": 65536,
    "max_data": 65536,
    "does": ["list", "compute", "measure", "memory", "file"],
    "loop": 1.0,
}
SCHEME: dict[str, Any] = {
    "name": "sha256",
    "ops": ["digest"],
    "key": [0, 0],
    "nonce": [0, 0],
    "tag": [32, 32],
    "block": 1,
    "stream": True,
}


def frame(payload: bytes) -> bytes:
    """The payload as it goes over the line."""
    return (
        b"\0" + cobs.encode(payload + binascii.crc_hqx(payload, 0xFFFF).to_bytes(2, "big")) + b"\0"
    )


def write(content: bytes) -> None:
    """All of it to standard output."""
    while content:
        content = content[os.write(1, content[:65536]) :]


def endless(piece: bytes) -> None:
    """The same again and again."""
    while True:
        write(piece * 64)


_NAN, _INF = float("nan"), float("inf")
_ODD: tuple[Any, ...] = (
    None,
    "x",
    b"x",
    -1,
    2**63,
    _NAN,
    _INF,
    [],
    {},
    [[]],
    True,
    "\x1b[2J",
    "x" * 60_000,
)
HOW: dict[str, Callable[[dict[str, Any]], Any]] = {
    "nothing": lambda _: time.sleep(3600),
    "end": lambda _: os._exit(0),
    "crash": lambda _: os.abort(),
    "zeros": lambda _: endless(b"\0" * 1024),
    "noise": lambda _: endless(b"noise without end"),
    "frames": lambda _: endless(frame(cbor2.dumps({"id": 0, "ok": {}}))),
    "long": lambda _: endless(b"\x01" * 1024),
    "text": lambda _: write(b"Segmentation fault\n") or time.sleep(3600),
    "huge-array": lambda _: write(frame(b"\xa2bid\x01bok\x9b" + b"\xff" * 8)) or time.sleep(3600),
    "huge-text": lambda _: (
        write(frame(b"\xa2bid\x01bok\x7b" + b"\x7f" + b"\xff" * 7)) or time.sleep(3600)
    ),
    "nested": lambda _: (
        write(frame(b"\xa2bid\x01bok" + b"\x81" * 5000 + b"\0")) or time.sleep(3600)
    ),
    "stderr": lambda _: [os.write(2, b"\x1b[2J complaint \xff\n" * 4096) for _ in range(10**9)],
    "wrong-id": lambda request: {"id": request["id"] + 1, "ok": {}},
    "text-id": lambda _: {"id": "1", "ok": {}},
    "no-ok": lambda request: {"id": request["id"]},
    "both": lambda request: {"id": request["id"], "ok": {}, "err": {}},
    "err-number": lambda request: {"id": request["id"], "err": 5},
    "err-kind": lambda request: {"id": request["id"], "err": {"kind": [], "text": {}}},
    "err-long": lambda request: {
        "id": request["id"],
        "err": {"kind": "error", "text": "\x1b]0;x\x07" * 5000},
    },
    "empty": lambda request: {"id": request["id"], "ok": {}},
}
"""Functions that answer every request, by name."""
for _place, _value in enumerate(_ODD):
    HOW[f"ok-{_place}"] = lambda request, value=_value: {"id": request["id"], "ok": value}  # type: ignore[misc]


def _filled(seed: int, length: int) -> bytes:
    """The fill stream of docs/reference/probe-protocol.md."""
    out, state = bytearray(), seed
    for _ in range(length):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        out.append(state & 0xFF)
    return bytes(out)


def _honest(request: dict[str, Any]) -> dict[str, Any]:
    do = request.get("do")
    if do == "hello":
        return dict(HELLO)
    if do == "list":
        return {"schemes": [dict(SCHEME)]}
    data = _filled(*request["fill"]) if "fill" in request else request.get("data", b"")
    digest = hashlib.sha256(data).digest()
    done = {"crc": zlib.crc32(digest), "len": len(digest)}
    if do == "measure":
        taken = 1000 * request["batch"] + 20
        return {**done, "ticks": [taken] * request["count"], "cpu": [taken] * request["count"]}
    if do == "memory":
        return {"floor": 10**6, "peak": 2 * 10**6}
    return {**done, "out": digest}


def put(value: Any, path: list[str], new: Any) -> Any:
    """The value with something else at a place."""
    if not path:
        return new
    key: Any = int(path[0]) if isinstance(value, list) else path[0]
    value[key] = put(value[key], path[1:], new) if path[1:] else new
    return value


def answer(how: str, request: dict[str, Any]) -> Any:
    """The reply. ``DO:KEY.KEY:NUMBER`` is honest, but for that place of the reply to DO: one of the
    odd values.

    ``DO:silent`` answers everything but DO.
    """
    if how in HOW:
        return HOW[how](request)
    do, _, rest = how.partition(":")
    out: Any = _honest(request)
    if rest == "silent":
        return None if request.get("do") == do else {"id": request["id"], "ok": out}
    path, number = rest.split(":")
    if request.get("do") == do:
        out = put(out, path.split("."), _ODD[int(number)])
    return {"id": request["id"], "ok": out}


def lies() -> list[str]:
    """Every way to lie."""
    places = [("hello", key) for key in HELLO]
    places += [("hello", f"clock.{key}") for key in HELLO["clock"]] + [
        ("hello", f"cpu.{key}") for key in HELLO["cpu"]
    ]
    places += [("list", "schemes"), ("list", "next"), ("list", "schemes.0")]
    places += [("list", f"schemes.0.{key}") for key in SCHEME]
    places += [("measure", "ticks"), ("measure", "cpu"), ("measure", "crc"), ("measure", "len")]
    places += [
        ("measure", "ticks.0"),
        ("compute", "out"),
        ("compute", "crc"),
        ("memory", "peak"),
        ("memory", "floor"),
    ]
    silent = [f"{do}:silent" for do in ("hello", "list", "compute", "measure", "memory")]
    return [
        *HOW,
        *silent,
        *(f"{do}:{path}:{number}" for do, path in places for number in range(len(_ODD))),
    ]


def main() -> None:
    """Answer requests until the end of the input."""
    how, kept = sys.argv[1], b""
    while True:
        got = os.read(0, 65536)
        if not got:
            return
        *whole, kept = (kept + got).split(b"\0")
        for one in filter(None, whole):
            reply = answer(how, cbor2.loads(cobs.decode(one)[:-2]))
            if reply is not None:
                write(frame(cbor2.dumps(reply)))


if __name__ == "__main__":
    main()
