"""Requests and replies of the probe protocol as checked types.

A reply comes from outside: every field is checked for presence, type and range before it becomes one of these types.
A reply that fails a check raises `ProbeFailure` of kind ``lost`` and never becomes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from motebench.base.errors import visible
from motebench.base.model import FailureKind
from motebench.targets.wire.names import PUBLIC, output_of

PROTOCOL = 2
_U32 = 2**32 - 1
_U64 = 2**64 - 1
_NS = 2**62
"""Largest time in ns: more than a century."""
_MOST_TICKS = 1e15
"""Largest overhead of a clock in ticks."""
_LONGEST = 4096
_MOST_NAMES = 4096


class ProbeFailure(Exception):  # noqa: N818 - a failure is a result with a kind, the field's word for it
    """A request without an answer: its kind, and an explanation. ``ended``: the probe ended, too.

    The text may come from a probe or a compiler, so control characters are escaped.
    """

    def __init__(self, kind: FailureKind, message: str, *, ended: bool = False) -> None:
        self.message = visible(message)
        super().__init__(self.message)
        self.kind = kind
        self.ended = ended


@dataclass(frozen=True, slots=True)
class Fill:
    """``length`` bytes of the fill stream (xorshift32) from ``seed``, made on the target."""

    seed: int
    length: int


_BYTES = ("key", "nonce", "tag", "signature", "peer", "ciphertext", "context", "seed")
"""Inputs of a `Job` that are always bytes, by the names that they have in a request."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be computed or timed. ``data`` and ``aad`` are the bytes themselves or a `Fill`.

    ``data``: message, plaintext, or ciphertext of a cipher. ``tag``: of an AEAD, to be checked; ``signature``: to be
    verified. ``peer``: the other side's public key; ``ciphertext``: of a KEM. ``context``: what a signature binds
    beside the message. ``seed``: what key generation or encapsulation else draws at random.

    ``answer``: the one right first output, where it is known; it is not sent. ``inverse``: a decryption whose input is
    what the opposite operation makes of ``data``. ``reject``: it must reject its tag or padding, and is timed doing so.
    ``decoy``: bytes that are sent and that no probe reads.
    """

    scheme: str
    operation: str
    key: bytes = b""
    nonce: bytes = b""
    aad: bytes | Fill = b""
    data: bytes | Fill = b""
    tag: bytes = b""
    tag_bytes: int = 16
    inverse: bool = False
    reject: bool = False
    decoy: bytes = b""
    signature: bytes = b""
    peer: bytes = b""
    ciphertext: bytes = b""
    context: bytes = b""
    seed: bytes = b""
    answer: bytes = b""

    def fields(self) -> dict[str, Any]:
        """The job as protocol fields; empty ones are left out."""
        out: dict[str, Any] = {"scheme": self.scheme, "op": self.operation}
        for name in _BYTES:
            if value := getattr(self, name):
                out[name] = value
        if isinstance(self.aad, Fill):
            out["aad_fill"] = [self.aad.seed, self.aad.length]
        elif self.aad:
            out["aad"] = self.aad
        if isinstance(self.data, Fill):
            out["fill"] = [self.data.seed, self.data.length]
        elif self.data:
            out["data"] = self.data
        if self.tag_bytes != 16:
            out["tag_len"] = self.tag_bytes
        if self.inverse:
            out["inverse"] = True
        if self.reject:
            out["reject"] = True
        if self.decoy:
            out["decoy"] = self.decoy
        return out


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock or counter of the target: ticks a second (0: follows the core clock), step and cost in ticks."""

    name: str
    hz: int
    resolution: int
    overhead: float


@dataclass(frozen=True, slots=True)
class Hello:
    """The hello: the probe, its implementation, its clocks and limits (sizes in bytes)."""

    probe: str
    implementation: str
    version: str
    compiler: str
    flags: str
    arch: str
    clock: Clock
    counter: Clock | None
    cpu: Clock | None
    max_frame: int
    max_data: int
    does: frozenset[str]
    jit: bool = False
    """The probe becomes faster while it runs: it is kept running, and warmed up before samples count."""
    cpu_features: str = ""
    """The processor features that the library uses, as the library names them."""
    loop: float | None = None
    """Clock ticks of one iteration of the timed loop if the operation does nothing; not subtracted."""
    device: str = ""
    """Firmware only: the device for which it was built."""
    image: bytes = b""
    """Firmware only: its unique identity."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One scheme as an implementation offers it. Ranges in bytes, both ends included.

    ``process``: every operation is a process of its own, so that only whole files can be timed. ``pair`` and
    ``outputs``: sizes of a KEM, public and private key, ciphertext and secret. ``seeds``: key generation and
    encapsulation take a seed; ``needs_seed``: they need one.
    """

    scheme: str
    operations: frozenset[str]
    key: tuple[int, int]
    nonce: tuple[int, int]
    tag: tuple[int, int]
    block: int
    stream: bool
    process: bool = False
    pair: tuple[int, int] = (0, 0)
    outputs: tuple[int, int] = (0, 0)
    seeds: bool = False
    needs_seed: bool = False
    own_keys: Callable[[], tuple[bytes, bytes]] | None = field(default=None, compare=False)
    """Of user code: a private and a public key, for schemes without a test key in the catalog."""


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """The result of one computation. ``out`` is None if only its length and CRC came back.

    ``out``: the first output, whatever it is: text, digest, signature, private key, ciphertext, secret. The second is
    the ``tag`` of an AEAD, the ``secret`` beside the ciphertext of a KEM, or the ``public`` key beside its private key.
    """

    rejected: bool
    out: bytes | None = None
    tag: bytes = b""
    length: int = 0
    crc: int = 0
    secret: bytes = b""
    public: bytes = b""


@dataclass(frozen=True, slots=True)
class Timing:
    """Raw clock ticks of each batch, with the CRC of the timed function's output.

    When the request was worked on is no part of what it measured: two timings that differ in nothing else are equal.
    """

    ticks: tuple[int, ...]
    counts: tuple[int, ...] | None
    cpu: tuple[int, ...] | None
    crc: int
    length: int
    out: bytes | None
    """The first output if it is random."""
    alloc: tuple[int, ...] | None = None
    """Bytes that a managed runtime allocated during each batch."""
    secret: bytes = b""
    """The secret of an encapsulation."""
    public: bytes = b""
    """The public key of a new private key of a KEM."""
    preempted: tuple[int, ...] | None = None
    """Involuntary context switches of the thread in each batch."""
    process: tuple[int, int] | None = None
    """Processor time of all threads of the process, and elapsed time, in ns, from the first iteration to the last."""
    before: int | None = field(default=None, compare=False)
    """Ticks from the request to the first batch; None if the probe does not report them."""
    after: int | None = field(default=None, compare=False)
    """Ticks from the last batch to the reply."""
    span: tuple[float, float] | None = field(default=None, compare=False)
    """The earliest arrival of the request, and the latest departure of the reply: seconds of the stream's clock."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of one operation, in bytes.

    A process says its peak resident memory before (``floor``) and after (``peak``) the operation, and, where known,
    what is on the ``heap`` and what a managed runtime has claimed in ``total``. A board says how deep the ``stack`` was
    below the probe, its ``static`` RAM, and the ``state`` that the implementation asked for; ``flash`` is known to who
    built the firmware, and so is what it takes more than an empty one (``flash_net``, ``static_net``).
    """

    floor: int | None = None
    peak: int | None = None
    heap: int | None = None
    total: int | None = None
    stack: int | None = None
    static: int | None = None
    state: int | None = None
    flash: int | None = None
    flash_net: int | None = None
    static_net: int | None = None


@dataclass(frozen=True, slots=True)
class FileTiming:
    """A whole-file operation: times in ns, sizes in bytes, ``result`` a tag, digest or signature.

    ``cpu_source`` and ``peak_source`` name where processor time and peak memory were read.
    """

    rejected: bool
    elapsed: int = 0
    user: int = 0
    system: int = 0
    read: int = 0
    written: int = 0
    peak: int = 0
    result: bytes = b""
    cpu_source: str = "process CPU time"
    peak_source: str = "VmHWM"


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
    found = _get(reply, key, list)
    if len(found) > _MOST_NAMES or not all(isinstance(name, str) for name in found):
        raise _lost(f"{key!r} is not a list of up to {_MOST_NAMES} names")
    return frozenset(name[:_LONGEST] for name in found)


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
    name = PUBLIC if public else output_of(operation)
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
    """The output ``second`` of a KEM where ``name``, the first output, is ``first``; else there is none."""
    found: bytes = _get(reply, second, bytes, default=b"") if name == first else b""
    return found


def parse_timing(reply: Mapping[Any, Any], count: int, operation: str) -> Timing:
    """Check the reply to ``measure`` of that operation with ``count`` batches."""
    name = output_of(operation)
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
        process=_uints(reply, "process", 2, default=None),
        before=_uint(reply, "before", default=None),
        after=_uint(reply, "after", default=None),
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
