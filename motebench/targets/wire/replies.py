"""Replies of probes, checked: from the maps of the protocol (``docs/protocol.md``) to the types of
`messages`.

A reply comes from outside: every field is checked for presence, type and range. A reply that fails
a check raises `ProbeFailure` of kind ``lost`` and never becomes a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from motebench.base.model import FailureKind, Operation
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

_U32 = 2**32 - 1
_U64 = 2**64 - 1
_NS = 2**62
"""Largest time in ns: more than a century."""
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


def _get(reply: Mapping[Any, Any], key: str, kind: type, *, default: Any = ...) -> Any:
    value = reply.get(key, default)
    if value is ...:
        raise _lost(f"no {key!r}")
    if value is default and default is not ...:
        return value
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _lost(f"{key!r} is {type(value).__name__}, not {kind.__name__}")
    return value


def _uint(reply: Mapping[Any, Any], key: str, top: int = _U64, *, default: Any = ...) -> Any:
    value = _get(reply, key, int, default=default)
    if isinstance(value, int) and not 0 <= value <= top:
        raise _lost(f"{key!r} is {value}, not in 0..{top}")
    return value


def _uints(reply: Mapping[Any, Any], key: str, count: int, *, default: Any = ...) -> Any:
    value = _get(reply, key, list, default=default)
    if value is default and default is not ...:
        return None
    if len(value) != count:
        raise _lost(f"{key!r} has {len(value)} entries, not {count}")
    for entry in value:
        if not isinstance(entry, int) or isinstance(entry, bool) or not 0 <= entry <= _U64:
            raise _lost(f"{key!r} holds {repr(entry)[:60]}, not an unsigned integer")
    return tuple(value)


def _text(reply: Mapping[Any, Any], key: str) -> str:
    return _clean(_get(reply, key, str))


def _clean(text: str) -> str:
    """The text of a probe as one safe line, for terminals, reports and the store."""
    return "".join(char if char.isprintable() else " " for char in text[:_LONGEST])


def _names(reply: Mapping[Any, Any], key: str) -> frozenset[str]:
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
    return Clock(_text(value, "name"), _uint(value, "hz"), _uint(value, "resolution", default=0), float(overhead))


def _other_version(reply: Mapping[Any, Any], proto: int) -> str:
    """The hint for a probe of another version, which may be a program or firmware."""
    device = reply.get("device")
    if isinstance(device, str) and device:
        whose, remedy = f"the firmware of the board ({_clean(device)[:64]})", "upload it again: motebench flash"
    else:
        whose, remedy = "the probe", "rebuild it: make setup"
    return f"{whose} speaks version {proto} of the probe protocol, this motebench version {PROTOCOL}: {remedy}"


def parse_hello(reply: Mapping[Any, Any]) -> Hello:
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
    if max_frame < 512:
        raise _lost(f"max_frame is {max_frame}, less than 512")
    loop = _get(reply, "loop", float, default=None)
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
        jit=bool(_get(reply, "jit", bool, default=False)),
        cpu_features=_clean(_get(reply, "cpu_features", str, default="")),
        loop=loop,
        device=_clean(_get(reply, "device", str, default=""))[:64],
        image=_get(reply, "image", bytes, default=b"")[:64],
    )


def _range(entry: Mapping[Any, Any], key: str) -> tuple[int, int]:
    low, high = _uints(entry, key, 2)
    if low > high:
        raise _lost(f"{key!r} is [{low}, {high}]")
    return low, high


def parse_list(reply: Mapping[Any, Any]) -> tuple[list[Offer], int | None]:
    """Check one page of ``list``: its offers, and where the next page starts."""
    offers = []
    listed = _get(reply, "schemes", list)
    if len(listed) > _MOST_NAMES:
        raise _lost(f"'schemes' has {len(listed)} entries, at most {_MOST_NAMES} in a page")
    for entry in listed:
        if not isinstance(entry, Mapping):
            raise _lost("an entry of 'schemes' is not a map")
        kem = "pair" in entry
        needs_seed = _get(entry, "needs_seed", bool, default=None)
        offers.append(
            Offer(
                scheme=_text(entry, "name"),
                operations=_names(entry, "ops"),
                key=_range(entry, "key"),
                nonce=(0, 0) if kem else _range(entry, "nonce"),
                tag=(0, 0) if kem else _range(entry, "tag"),
                block=max(1, _uint(entry, "block", _U32)),
                stream=bool(_get(entry, "stream", bool)),
                pair=_uints(entry, "pair", 2) if kem else (0, 0),
                outputs=_uints(entry, "outputs", 2) if kem else (0, 0),
                seeds=needs_seed is not None,
                needs_seed=bool(needs_seed),
            )
        )
    return offers, _uint(reply, "next", _U32, default=None)


def parse_answer(reply: Mapping[Any, Any], operation: str, *, public: bool = False) -> ProbeAnswer:
    """Check the reply to ``compute`` of that operation; ``public``: of a public key."""
    if _get(reply, "rejected", bool, default=False):
        return ProbeAnswer(rejected=True)
    name = _PUBLIC if public else _output_of(operation)
    out = _get(reply, name, bytes, default=None)
    length = _uint(reply, "len", default=None)
    if out is None and length is None:
        raise _lost(f"neither {name!r} nor 'len'")
    return ProbeAnswer(
        rejected=False,
        out=out,
        tag=_get(reply, "tag", bytes, default=b""),
        length=len(out) if out is not None else length,
        crc=_uint(reply, "crc", _U32),
        secret=_second(reply, name, "ciphertext", "secret"),
        public=_second(reply, name, "private", "public"),
    )


def _second(reply: Mapping[Any, Any], name: str, first: str, second: str) -> bytes:
    """The output ``second`` of a KEM where ``name``, the first output, is ``first``; else there is
    none."""
    output: bytes = _get(reply, second, bytes, default=b"") if name == first else b""
    return output


def _reference(reply: Mapping[Any, Any], count: int) -> tuple[int, ...] | None:
    """Ticks of the reference loop, where the probe times it: a loop of no time is none."""
    loops: tuple[int, ...] | None = _uints(reply, "reference_loop", count, default=None)
    if loops is not None and not all(0 < ticks <= _MOST_TICKS for ticks in loops):
        raise _lost(f"'reference_loop' holds {min(loops)} to {max(loops)} ticks, not 1 to {_MOST_TICKS:.0g}")
    return loops


def parse_timing(
    reply: Mapping[Any, Any], count: int, operation: str, span: tuple[float, float] | None = None
) -> Timing:
    """Check the reply to ``measure`` of that operation with ``count`` batches. ``span``: when it
    was under way."""
    name = _output_of(operation)
    return Timing(
        ticks=_uints(reply, "ticks", count),
        counts=_uints(reply, "counts", count, default=None),
        cpu=_uints(reply, "cpu", count, default=None),
        crc=_uint(reply, "crc", _U32),
        length=_uint(reply, "len"),
        out=_get(reply, name, bytes, default=None),
        secret=_second(reply, name, "ciphertext", "secret"),
        public=_second(reply, name, "private", "public"),
        alloc=_uints(reply, "alloc", count, default=None),
        preempted=_uints(reply, "preempted", count, default=None),
        reference_loop=_reference(reply, count),
        process=_uints(reply, "process", 2, default=None),
        before=_uint(reply, "before", default=None),
        after=_uint(reply, "after", default=None),
        span=span,
    )


def parse_memory(reply: Mapping[Any, Any]) -> Memory:
    """Check the reply to ``memory``."""
    heap = _uint(reply, "heap", default=None)
    if "stack" in reply:
        stack, static = _uint(reply, "stack", _U32), _uint(reply, "static", _U32)
        return Memory(heap=heap, stack=stack, static=static, state=_uint(reply, "state", _U32, default=None))
    floor, peak = _uint(reply, "floor"), _uint(reply, "peak")
    if not 0 < floor <= peak:
        raise _lost(f"floor {floor} and peak {peak} do not fit together")
    return Memory(floor, peak, heap, _uint(reply, "total", default=None))


def parse_file(reply: Mapping[Any, Any]) -> FileTiming:
    """Check the reply to ``file``."""
    if _get(reply, "rejected", bool, default=False):
        return FileTiming(rejected=True)
    names = ("elapsed", "user", "system", "read", "written", "peak")
    elapsed, user, system, read, written, peak = (_uint(reply, name, _NS) for name in names)
    result = _get(reply, "result", bytes, default=b"")
    return FileTiming(False, elapsed, user, system, read, written, peak, result)
