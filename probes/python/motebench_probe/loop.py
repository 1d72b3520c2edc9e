"""The main loop: frames in, one reply for each, frames out, until the stream ends."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from motebench_probe import adapters, cbor, errors, frames, orphan
from motebench_probe.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Adapter

_READ = 1 << 16
_TEXT = 400
"""Longest text of a failure, in characters."""


def answer(adapter: Adapter, request: dict[str, Any]) -> bytes | None:
    """Payload of the reply; None for a request without a number, whose reply could not be
    matched.
    """
    number = request.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        return None
    try:
        payload = cbor.dumps({"id": number, "ok": _handle(adapter, request)})
        if len(payload) + frames.CHECK_BYTES > frames.MAX_FRAME:
            raise Failure(errors.TOO_BIG, "the reply does not fit a frame")
    except Failure as failure:
        payload = _refusal(number, failure.kind, failure.text)
    except errors.Rejected:
        payload = cbor.dumps({"id": number, "ok": {"rejected": True}})
    except MemoryError:
        payload = _refusal(number, errors.TOO_BIG, "the interpreter has no memory for it")
    except NotImplementedError as problem:
        payload = _refusal(number, errors.UNSUPPORTED, errors.describe(problem))
    # Whatever a library raises is its error; the next request may well succeed.
    except Exception as problem:
        payload = _refusal(number, errors.ERROR, errors.describe(problem))
    return payload


def _refusal(number: int, kind: str, text: str) -> bytes:
    return cbor.dumps({"id": number, "err": {"kind": kind, "text": text[:_TEXT]}})


def _handle(adapter: Adapter, request: dict[str, Any]) -> dict[str, Any]:
    from motebench_probe.handlers import HANDLERS

    do = request.get("do")
    if not isinstance(do, str):
        raise Failure(errors.BAD_REQUEST, "do: missing, or not text")
    handler = HANDLERS.get(do)
    if handler is None:
        raise Failure(errors.UNSUPPORTED, "do: this probe does not know this request")
    return handler(adapter, request)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def serve(adapter: Adapter, source: int, sink: int) -> int:
    """Answer requests from one file descriptor on another. The exit status: 0 at the end of the
    stream.
    """
    receiver = frames.Receiver()
    while data := os.read(source, _READ):
        for request in receiver.feed(data):
            reply = answer(adapter, request)
            if reply is None:
                continue
            try:
                _write(sink, frames.encode(reply))
            except BrokenPipeError:
                return 1
    return 0


def _implementations() -> list[str]:
    """The folders of adapters."""
    return sorted(
        entry.name
        for entry in os.scandir(adapters.__path__[0])
        if entry.is_dir() and entry.name[0] != "_"
    )


def _without(implementation: str, problem: ImportError) -> str:
    """Message on a library that is not there, or too old for the functions that the adapter calls.
    Packages and implementations have the same names."""
    return (
        f"no library for {implementation}: {problem}; for this interpreter: "
        f"{sys.executable} -m pip install '{implementation}'; for motebench's own: make setup"
    )


def main(arguments: list[str]) -> int:
    """``IMPLEMENTATION``: be the probe of that adapter on standard input and output."""
    valid = _implementations()
    if len(arguments) != 1 or arguments[0] not in valid:
        print(
            f"usage: python probes/python IMPLEMENTATION; valid: {', '.join(valid)}",
            file=sys.stderr,
        )
        return 2
    try:
        adapter: Adapter = import_module(f"{adapters.__name__}.{arguments[0]}").ADAPTER
    except ImportError as problem:
        print(_without(arguments[0], problem), file=sys.stderr)
        return 1
    # Nothing but frames may reach the stream, whatever a library prints.
    sink = os.dup(1)
    os.dup2(2, 1)
    orphan.end_with_parent(0)
    return serve(adapter, 0, sink)
