"""Replies of probes, checked: from the maps of the protocol (``docs/reference/probe-protocol.md``)
to the types of `messages`.

A reply comes from outside: every field is checked for presence, type and range. A reply that fails
a check raises `ProbeFailure` of kind ``lost`` and never becomes a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from motebench.base.model import FailureKind, Operation
from motebench.base.paths import setup_line
from motebench.targets.wire.messages import (
    PROTOCOL,
    Clock,
    FileTiming,
    Hello,
    Memory,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)

T = TypeVar("T")
D = TypeVar("D")
Reply = Mapping[object, object]
"""A reply as it was decoded; nothing in it has been checked."""
_SENT_KINDS = {
    "unsupported": FailureKind.UNSUPPORTED,
    "too-big": FailureKind.TOO_BIG,
    "error": FailureKind.ERROR,
    "wrong-answer": FailureKind.WRONG_ANSWER,
    "bad-request": FailureKind.ERROR,
}
"""Kinds of failures by their names in a reply."""
_INPUTS = {"fill": "the message", "data": "the message", "aad_fill": "the additional data"}
"""Inputs by their keys in a request; a probe says which one is too long by its key."""
_U32 = 2**32 - 1
_U64 = 2**64 - 1
_NS = 2**62
"""Largest time in ns: more than a century."""
_LEAST_FRAME = 512
"""Bytes of a frame that every probe takes."""
_MOST_TICKS = 1e15
"""Largest overhead of a clock in ticks."""
_LONGEST = 4096
_MOST_NAMES = 4096
_OUTPUT: dict[str, str] = {
    Operation.SIGN: "signature",
    Operation.KEYGEN: "private",
    Operation.AGREE: "secret",
    Operation.ENCAPSULATE: "ciphertext",
    Operation.DECAPSULATE: "secret",
}
_PUBLIC = "public"
"""The output of a computation of a public key."""


def _output_of(operation: str) -> str:
    """The key of the first output; the second one is ``tag``, ``secret`` or ``public``."""
    return _OUTPUT.get(operation, "out")


def _lost(message: str) -> ProbeFailure:
    return ProbeFailure(FailureKind.LOST, f"invalid reply from the probe: {message}")


def result_of(message: Mapping[object, object]) -> Reply:
    """The result in a message of a probe. ProbeFailure if it holds a failure instead, or
    neither.
    """
    result, failure = message.get("ok"), message.get("err")
    if isinstance(result, Mapping) and failure is None:
        return result
    if isinstance(failure, Mapping) and result is None:
        kind, text = failure.get("kind"), failure.get("text")
        if isinstance(kind, str) and isinstance(text, str) and kind in _SENT_KINDS:
            cause = text[:2000] or kind
            if kind == "too-big" and cause.isidentifier():
                cause = f"{_INPUTS.get(cause, cause)} does not fit into the probe's memory"
            raise ProbeFailure(_SENT_KINDS[kind], cause)
    raise ProbeFailure(
        FailureKind.LOST, "invalid reply from the probe: neither a result nor a failure"
    )


def _get(reply: Reply, key: str, kind: type[T]) -> T:
    if key not in reply:
        raise _lost(f"no {key!r}")
    return _checked(reply[key], key, kind)


def _get_or(reply: Reply, key: str, kind: type[T], default: D) -> T | D:
    """The same, or ``default`` where the reply does not have the key."""
    value = reply.get(key, default)
    return default if value is default else _checked(value, key, kind)


def _checked(value: object, key: str, kind: type[T]) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _lost(f"{key!r} is {type(value).__name__}, not {kind.__name__}")
    return value


def _uint(reply: Reply, key: str, top: int = _U64) -> int:
    return _within(_get(reply, key, int), key, top)


def _uint_or_none(reply: Reply, key: str, top: int = _U64) -> int | None:
    value = _get_or(reply, key, int, None)
    return None if value is None else _within(value, key, top)


def _within(value: int, key: str, top: int) -> int:
    if not 0 <= value <= top:
        raise _lost(f"{key!r} is {value}, not in 0..{top}")
    return value


def _uints(reply: Reply, key: str, count: int) -> tuple[int, ...]:
    values: list[object] = _get(reply, key, list)
    if len(values) != count:
        raise _lost(f"{key!r} has {len(values)} entries, not {count}")
    return tuple(_unsigned(value, key) for value in values)


def _unsigned(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _U64:
        raise _lost(f"{key!r} holds {repr(value)[:60]}, not an unsigned integer")
    return value


def _uints_or_none(reply: Reply, key: str, count: int) -> tuple[int, ...] | None:
    return None if reply.get(key) is None else _uints(reply, key, count)


def _pair(reply: Reply, key: str) -> tuple[int, int]:
    first, second = _uints(reply, key, 2)
    return first, second


def _text(reply: Reply, key: str) -> str:
    return _clean(_get(reply, key, str))


def _clean(text: str) -> str:
    """The text of a probe as one safe line, for terminals, reports and the store."""
    return "".join(char if char.isprintable() else " " for char in text[:_LONGEST])


def _names(reply: Reply, key: str) -> frozenset[str]:
    names = _get(reply, key, list)
    if len(names) > _MOST_NAMES or not all(isinstance(name, str) for name in names):
        raise _lost(f"{key!r} is not a list of up to {_MOST_NAMES} names")
    return frozenset(name[:_LONGEST] for name in names)


def _clock(value: object, key: str) -> Clock:
    if not isinstance(value, Mapping):
        raise _lost(f"{key!r} is not a map")
    overhead = value.get("overhead", 0)
    if isinstance(overhead, bool) or not isinstance(overhead, int | float):
        raise _lost(f"{key}.overhead is not a number")
    if not 0 <= overhead <= _MOST_TICKS:
        raise _lost(f"{key}.overhead is {overhead}")
    return Clock(_text(value, "name"), _uint(value, "hz"), _resolution(value), float(overhead))


def _resolution(clock: Reply) -> int:
    return _within(_get_or(clock, "resolution", int, 0), "resolution", _U64)


def _other_version(reply: Reply, proto: int) -> str:
    """The hint for a probe of another version, which may be a program or firmware."""
    device = reply.get("device")
    if isinstance(device, str) and device:
        whose, remedy = (
            f"the firmware of the board ({_clean(device)[:64]})",
            "upload it again: motebench flash",
        )
    else:
        whose, remedy = "the probe", f"rebuild it: {setup_line()}"
    return (
        f"{whose} speaks version {proto} of the probe protocol, this motebench version "
        f"{PROTOCOL}: {remedy}"
    )


def parse_hello(reply: Reply) -> Hello:
    """Check the reply to ``hello``."""
    proto = _uint(reply, "proto")
    if proto != PROTOCOL:
        raise ProbeFailure(FailureKind.UNSUPPORTED, _other_version(reply, proto))
    counter, cpu = reply.get("counter"), reply.get("cpu")
    clock = _clock(reply.get("clock"), "clock")
    if clock.hz == 0:
        raise _lost("clock.hz is 0")
    if cpu is not None and _uint(cpu if isinstance(cpu, Mapping) else {}, "hz") == 0:
        raise _lost("cpu.hz is 0")
    max_frame = _uint(reply, "max_frame", _U32)
    # A board whose frames take the RAM that the code leaves
    if max_frame < _LEAST_FRAME and reply.get("device"):
        left = f"{max_frame} B of RAM are left for messages, and a probe needs {_LEAST_FRAME}"
        raise ProbeFailure(FailureKind.TOO_BIG, left)
    if max_frame < _LEAST_FRAME:
        raise _lost(f"max_frame is {max_frame}, less than {_LEAST_FRAME}")
    loop = _get_or(reply, "loop", float, None)
    if loop is not None and not 0 <= loop <= _MOST_TICKS:
        raise _lost(f"'loop' is {loop}")
    return Hello(
        probe=_text(reply, "probe"),
        implementation=_text(reply, "impl"),
        version=_text(reply, "version"),
        compiler=_text(reply, "compiler"),
        flags=_text(reply, "flags"),
        arch=_text(reply, "arch"),
        clock=clock,
        counter=None if counter is None else _clock(counter, "counter"),
        cpu=None if cpu is None else _clock(cpu, "cpu"),
        max_frame=max_frame,
        max_data=_uint(reply, "max_data"),
        does=_names(reply, "does"),
        jit=bool(_get_or(reply, "jit", bool, False)),
        cpu_features=_clean(_get_or(reply, "cpu_features", str, "")),
        loop=loop,
        device=_clean(_get_or(reply, "device", str, ""))[:64],
        image=_get_or(reply, "image", bytes, b"")[:64],
    )


def _range(entry: Reply, key: str) -> tuple[int, int]:
    low, high = _pair(entry, key)
    if low > high:
        raise _lost(f"{key!r} is [{low}, {high}]")
    return low, high


def parse_list(reply: Reply) -> tuple[list[Offer], int | None]:
    """Check one page of ``list``: its offers, and where the next page starts."""
    offers = []
    listed = _get(reply, "schemes", list)
    if len(listed) > _MOST_NAMES:
        raise _lost(f"'schemes' has {len(listed)} entries, at most {_MOST_NAMES} in a page")
    for entry in listed:
        if not isinstance(entry, Mapping):
            raise _lost("an entry of 'schemes' is not a map")
        kem = "pair" in entry
        needs_seed = _get_or(entry, "needs_seed", bool, None)
        offers.append(
            Offer(
                scheme=_text(entry, "name"),
                operations=_names(entry, "ops"),
                key=_range(entry, "key"),
                nonce=(0, 0) if kem else _range(entry, "nonce"),
                tag=(0, 0) if kem else _range(entry, "tag"),
                block=max(1, _uint(entry, "block", _U32)),
                stream=bool(_get(entry, "stream", bool)),
                pair=_pair(entry, "pair") if kem else (0, 0),
                outputs=_pair(entry, "outputs") if kem else (0, 0),
                seeds=needs_seed is not None,
                needs_seed=bool(needs_seed),
            )
        )
    return offers, _uint_or_none(reply, "next", _U32)


def parse_answer(reply: Reply, operation: str, *, public: bool = False) -> ProbeAnswer:
    """Check the reply to ``compute`` of that operation; ``public``: of a public key."""
    if _get_or(reply, "rejected", bool, False):
        return ProbeAnswer(rejected=True)
    name = _PUBLIC if public else _output_of(operation)
    out = _get_or(reply, name, bytes, None)
    length = _uint_or_none(reply, "len")
    if out is not None:
        length = len(out)
    elif length is None:
        raise _lost(f"neither {name!r} nor 'len'")
    return ProbeAnswer(
        rejected=False,
        out=out,
        tag=_get_or(reply, "tag", bytes, b""),
        length=length,
        crc=_uint(reply, "crc", _U32),
        secret=_second(reply, name, "ciphertext", "secret"),
        public=_second(reply, name, "private", "public"),
    )


def _second(reply: Reply, name: str, first: str, second: str) -> bytes:
    """The output ``second`` of a KEM where ``name``, the first output, is ``first``; else there is
    none."""
    output: bytes = _get_or(reply, second, bytes, b"") if name == first else b""
    return output


def _reference(reply: Reply, count: int) -> tuple[int, ...] | None:
    """Ticks of the reference loop; None if the probe does not time it."""
    loops = _uints_or_none(reply, "reference_loop", count)
    if loops is not None and not all(0 < ticks <= _MOST_TICKS for ticks in loops):
        raise _lost(
            f"'reference_loop' holds {min(loops)} to {max(loops)} ticks, not 1 to {_MOST_TICKS:.0g}"
        )
    return loops


def parse_timing(
    reply: Reply, count: int, operation: str, span: tuple[float, float] | None = None
) -> Timing:
    """Check the reply to ``measure`` of that operation with ``count`` batches. ``span``: when it
    was under way."""
    name = _output_of(operation)
    return Timing(
        ticks=_uints(reply, "ticks", count),
        counts=_uints_or_none(reply, "counts", count),
        cpu=_uints_or_none(reply, "cpu", count),
        crc=_uint(reply, "crc", _U32),
        length=_uint(reply, "len"),
        out=_get_or(reply, name, bytes, None),
        secret=_second(reply, name, "ciphertext", "secret"),
        public=_second(reply, name, "private", "public"),
        alloc=_uints_or_none(reply, "alloc", count),
        preempted=_uints_or_none(reply, "preempted", count),
        reference_loop=_reference(reply, count),
        process=None if reply.get("process") is None else _pair(reply, "process"),
        before=_uint_or_none(reply, "before"),
        after=_uint_or_none(reply, "after"),
        span=span,
    )


def parse_each(reply: Reply, count: int, span: tuple[float, float] | None = None) -> Timing:
    """Check the reply to ``measure-each`` of ``count`` inputs: one reading of each, and no
    output.
    """
    return Timing(_uints(reply, "ticks", count), None, None, crc=0, length=0, out=None, span=span)


def parse_memory(reply: Reply) -> Memory:
    """Check the reply to ``memory``."""
    heap = _uint_or_none(reply, "heap")
    if "stack" in reply:
        stack, static = _uint(reply, "stack", _U32), _uint(reply, "static", _U32)
        return Memory(
            heap=heap, stack=stack, static=static, state=_uint_or_none(reply, "state", _U32)
        )
    floor, peak = _uint(reply, "floor"), _uint(reply, "peak")
    if not 0 < floor <= peak:
        raise _lost(f"floor {floor} and peak {peak} do not fit together")
    return Memory(floor, peak, heap, _uint_or_none(reply, "total"))


def parse_file(reply: Reply) -> FileTiming:
    """Check the reply to ``file``."""
    if _get_or(reply, "rejected", bool, False):
        return FileTiming(rejected=True)
    names = ("elapsed", "user", "system", "read", "written", "peak")
    elapsed, user, system, read, written, peak = (_uint(reply, name, _NS) for name in names)
    result = _get_or(reply, "result", bytes, b"")
    return FileTiming(False, elapsed, user, system, read, written, peak, result)
