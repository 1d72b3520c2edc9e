"""Requests and replies of the probe protocol as types; `motebench.targets.wire.replies` makes them
of maps.

Some fields never travel; the host adds them: ``answer`` of a `Job`, ``process`` and ``own_keys`` of
an `Offer`, ``span`` of a `Timing`, flash and net sizes of a `Memory`, and the sources of a
`FileTiming`. The fill stream gives the same pseudo-random input on every target, so that inputs
need not be transferred.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from motebench.base.errors import ExitCode, MotebenchError, visible
from motebench.base.model import FailureKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROTOCOL = 2
EACH = "measure-each"
"""The request that times many inputs, all prepared before the first is timed; not every probe knows
it.
"""
TURNS = "measure-turns"
"""The request that times batches of inputs that take turns; not every probe knows it."""
MOST_EACH = 1024
"""Largest number of inputs of that request."""


class ProbeFailure(MotebenchError):  # noqa: N818 - a failure is a result with a kind, the field's word for it
    """A request without an answer: its kind, and an explanation. ``ended``: the probe ended, too.

    The text may come from a probe or a compiler, so control characters are escaped. ``message`` is
    all of it.
    """

    exit_code = ExitCode.FAILURES

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
    """Computation to do or to time. ``data`` and ``aad`` are the bytes themselves or a `Fill`.

    ``data``: message, plaintext, or ciphertext of a cipher. ``tag``: of an AEAD, to be checked;
    ``signature``: to be verified. ``peer``: the other side's public key; ``ciphertext``: of a KEM.
    ``context``: what a signature binds beside the message. ``seed``: what key generation or
    encapsulation else draws at random; user code that signs takes that from ``aad``.

    ``answer``: the one right first output, where it is known; it is not sent. ``inverse``: a
    decryption whose input is what the opposite operation makes of ``data``. ``reject``: it must
    reject its tag or padding, and is timed doing so. ``decoy``: bytes that are sent and that no
    probe reads. ``turns``: jobs of the same lengths, whose inputs take the place of this one's in
    turn, one for each iteration that is timed; for probes that know `TURNS`. ``secret``: places of
    secret bytes, for firmware that marks them (``core/probe/marks.h``).
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
    turns: tuple[Job, ...] = ()
    secret: bytes = b""

    def fields(self) -> dict[str, object]:
        """The job as protocol fields; empty ones are left out."""
        out: dict[str, object] = {"scheme": self.scheme, "op": self.operation}
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
        if self.secret:
            out["secret"] = self.secret
        return out


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock or counter of the target: ticks a second (0: follows the core clock), step and cost
    in ticks."""

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
    """The probe becomes faster while it runs: it is kept running, and warmed up before samples
    count."""
    cpu_features: str = ""
    """The processor features that the library uses, as the library names them."""
    loop: float | None = None
    """Clock ticks of one iteration of the timed loop if the operation does nothing; not
    subtracted."""
    device: str = ""
    """Firmware only: the device for which it was built."""
    image: bytes = b""
    """Firmware only: its unique identity."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer of an implementation for one scheme. Ranges in bytes, both ends included.

    ``process``: every operation is a process of its own, so that only whole files can be timed.
    ``pair`` and ``outputs``: sizes of a KEM, public and private key, ciphertext and secret.
    ``seeds``: key generation and encapsulation take a seed; ``needs_seed``: they need one.
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
    """Private and public key of user code, for schemes without a test key in the catalog."""


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """Result of one computation. ``out`` is None if the reply had only its length and CRC.

    ``out``: the first output, whatever it is: text, digest, signature, private key, ciphertext,
    secret. The second is the ``tag`` of an AEAD, the ``secret`` beside the ciphertext of a KEM, or
    the ``public`` key beside its private key.
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

    When the request was worked on is no part of what it measured: two timings that differ in
    nothing else are equal.
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
    reference_loop: tuple[int, ...] | None = None
    """Ticks of the reference loop beside each batch."""
    process: tuple[int, int] | None = None
    """Processor time of all threads of the process, and elapsed time, in ns, from the first
    iteration to the last."""
    before: int | None = field(default=None, compare=False)
    """Ticks from the request to the first batch; None if the probe does not report them."""
    after: int | None = field(default=None, compare=False)
    """Ticks from the last batch to the reply."""
    span: tuple[float, float] | None = field(default=None, compare=False)
    """The earliest arrival of the request, and the latest departure of the reply: seconds of the
    stream's clock."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of one operation, in bytes.

    A process says its peak resident memory before (``floor``) and after (``peak``) the operation,
    and, where known, what is on the ``heap`` and what a managed runtime has claimed in ``total``. A
    board says how deep the ``stack`` was below the probe, its ``static`` RAM, and the ``state``
    that the implementation asked for; ``flash`` is known to who built the firmware, and so is what
    it takes more than an empty one (``flash_net``, ``static_net``). Code of the user has ``text``,
    ``data`` and ``bss`` in its objects.
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
    text: int | None = None
    data: int | None = None
    bss: int | None = None


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


_MASK = 0xFFFFFFFF


def _step(state: int) -> int:
    """One step of xorshift32 (Marsaglia, Journal of Statistical Software 8(14), 2003, triple 13,
    17, 5)."""
    state ^= (state << 13) & _MASK
    state ^= state >> 17
    return state ^ ((state << 5) & _MASK)


def _apply(columns: list[int], states: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The linear map over GF(2) with these images of the 32 unit vectors, on every state: four
    byte-wise tables."""
    import numpy as np

    out = np.zeros_like(states)
    for byte in range(4):
        table = np.zeros(256, dtype=np.uint32)
        for bit in range(8):
            table[1 << bit : 2 << bit] = table[: 1 << bit] ^ np.uint32(columns[8 * byte + bit])
        out ^= table[(states >> np.uint32(8 * byte)) & np.uint32(0xFF)]
    return out


def _compose(columns: list[int]) -> list[int]:
    """The map applied twice."""
    import numpy as np

    return [int(column) for column in _apply(columns, np.array(columns, dtype=np.uint32))]


@lru_cache(maxsize=4)
def fill(seed: int, length: int) -> bytes:
    """``length`` bytes of the fill stream: the low byte of each state after ``seed``.

    A step is linear over GF(2), so n known states give the next n by one map. Raises ValueError for
    seed 0, which is a fixed point.
    """
    import numpy as np

    if not 0 < seed <= _MASK:
        raise ValueError(f"seed {seed} is not in 1..2^32-1")
    columns = [_step(1 << bit) for bit in range(32)]
    states = np.array([_step(seed)], dtype=np.uint32)
    while len(states) < length:
        states = np.concatenate([states, _apply(columns, states)])
        columns = _compose(columns)
    return (states[:length] & np.uint32(0xFF)).astype(np.uint8).tobytes()
