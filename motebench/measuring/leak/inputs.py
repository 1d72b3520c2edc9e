"""Inputs that vary at random while all others stay the same, and special values with separate paths in code.

Random inputs practically never reach the special values: weak and semi-weak keys of DES (NIST SP 800-67 rev. 2, 3.4.2);
scalars and points of X25519 (RFC 7748, 5); points of small order (Bernstein, *Curve25519: new Diffie-Hellman speed
records*, PKC 2006). Private keys of P-256 are in the range 1 to n - 1 (NIST SP 800-56A rev. 3, 5.6.1.2; n: NIST SP
800-186, 3.2.1.3).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from motebench.base.model import Kind, Operation, Scheme
from motebench.targets.wire.messages import Fill, Job, fill

_DES_WEAK = ("0101010101010101", "fefefefefefefefe", "e0e0e0e0f1f1f1f1", "1f1f1f1f0e0e0e0e")
_DES_SEMI_WEAK = (
    "01fe01fe01fe01fe", "fe01fe01fe01fe01", "1fe01fe00ef10ef1", "e01fe01ff10ef10e", "01e001e001f101f1",
    "e001e001f101f101", "1ffe1ffe0efe0efe", "fe1ffe1ffe0efe0e", "011f011f010e010e", "1f011f010e010e01",
    "e0fee0fef1fef1fe", "fee0fee0fef1fef1",
)  # fmt: skip
_P25519 = 2**255 - 19
_CURVE_BYTES = 32
_P256 = ("ecdh", "ecdsa")
"""Algorithms whose private keys are numbers below the order of P-256."""
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def patterns(length: int) -> dict[str, bytes]:
    """Special values of any secret of that length (not 0), by name."""
    top, ones = b"\x80" + bytes(length - 1), b"\xff" * length
    found = {
        "all zero": bytes(length),
        "all ones": ones,
        "first bit alone": top,
        "last bit alone": bytes(length - 1) + b"\x01",
        "all but the first bit": b"\x7f" + ones[1:],
        "all but the last bit": ones[1:] + b"\xfe",
        "two bits": bytes(length - 1) + b"\x81",
        "one byte repeated": b"\xa5" * length,
        "every other bit": b"\x55" * length,
    }
    return _distinct(found)


def keys(algorithm: str, length: int) -> dict[str, bytes]:
    """Special keys of that length (not 0): patterns, and known special keys of the algorithm."""
    found = patterns(length)
    if algorithm in ("des", "3des"):
        for kind, listed in (("weak", _DES_WEAK), ("semi-weak", _DES_SEMI_WEAK)):
            found |= {f"{kind} {key}": bytes.fromhex(key) * (length // 8) for key in listed}
    if algorithm == "x25519":
        middle = bytes(_CURVE_BYTES - 2)
        found |= {
            "one": b"\x01" + middle + b"\x00",
            "smallest after clamping": bytes(_CURVE_BYTES - 1) + b"\x40",
            "largest after clamping": b"\xf8" + b"\xff" * (_CURVE_BYTES - 2) + b"\x7f",
        }
    if algorithm in _P256:
        found = {name: key for name, key in found.items() if 0 < int.from_bytes(key, "big") < _P256_ORDER}
        found["order minus one"] = (_P256_ORDER - 1).to_bytes(length, "big")
    return _distinct(found)


def random_key(algorithm: str, length: int, source: random.Random) -> bytes:
    """A random key of that length which the algorithm takes."""
    if algorithm in _P256:
        return source.randrange(1, _P256_ORDER).to_bytes(length, "big")
    return source.randbytes(length)


def points(algorithm: str) -> dict[str, bytes]:
    """Public keys of a peer by name, some of small order; empty for other schemes."""
    if algorithm != "x25519":
        return {}
    numbers = {"u = 0": 0, "u = 1": 1, "u = 9": 9, "u = p-1": _P25519 - 1, "u = p": _P25519, "u = 2^255-1": 2**255 - 1}
    return {name: number.to_bytes(_CURVE_BYTES, "little") for name, number in numbers.items()}


def _distinct(found: dict[str, bytes]) -> dict[str, bytes]:
    """The same without values that occur under another name."""
    seen: dict[bytes, str] = {}
    for name, value in found.items():
        seen.setdefault(value, name)
    return {name: value for value, name in seen.items()}


_KEYED = (Kind.CIPHER, Kind.STREAM, Kind.AEAD, Kind.MAC, Kind.AGREEMENT)
"""Kinds of schemes whose keys are bytes that can be drawn: any, or those in a range (`special.random_key`)."""
_OF_THE_KEY = (Operation.KEY_SETUP, Operation.AGREE)
"""Operations without a message."""
FIXED = 2
"""Number of random inputs that are also tried as fixed ones, in addition to the special ones."""


class Varied(StrEnum):
    """The input that varies."""

    KEY = "key"
    MESSAGE = "message"
    BOTH = "key and message"
    PEER = "peer's key"
    """The peer's public key: not secret, but chosen by a peer who may learn something of the own key from the time."""
    TAG = "forged tag"
    """A forged tag: a forger must not learn how much of it is right."""
    BAD_PADDING = "bad padding"
    """Bad padding: its position is secret."""
    PADDING = "padding, good or bad"
    """Good and bad padding: whether it is good is the answer of a padding oracle."""
    COINS = "coins"
    """The seed of an encapsulation: its secret follows from it."""
    CIPHERTEXT = "ciphertext"
    """Good ciphertexts of one key: each has another secret."""
    CHANGED = "ciphertext, good or changed"
    """Good and changed ciphertexts: implicit rejection hides which it is."""
    KEY_CIPHERTEXT = "key and ciphertext"
    """Private keys of a KEM, each with a good ciphertext."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input, with its name."""

    name: str
    job: Job


@dataclass(frozen=True, slots=True)
class Variation:
    """A job and the input that varies.

    ``draw``: a new random input. ``specials``: inputs that are all tried. ``chosen``: number of random inputs that are
    also tried as fixed ones. ``accepted``: an input that is timed for comparison only, since its result is no secret.
    """

    varied: Varied
    job: Job
    draw: Callable[[random.Random], Job]
    specials: Sequence[Input] = ()
    chosen: int = FIXED
    accepted: Job | None = None


@dataclass(frozen=True, slots=True)
class NotVaried:
    """A secret that is not varied, and why."""

    varied: Varied
    reason: str


def pooled(jobs: list[Job]) -> Callable[[random.Random], Job]:
    """Draws from inputs that are made already."""
    return lambda source: source.choice(jobs)


def data_of(job: Job) -> bytes:
    """The message of a job as bytes."""
    return fill(job.data.seed, job.data.length) if isinstance(job.data, Fill) else job.data


def anew(job: Job, decoy: bytes = b"") -> Job:
    """The same input, copied to separate memory."""
    return replace(
        job,
        key=bytes(bytearray(job.key)),
        data=bytes(bytearray(data_of(job))),
        tag=bytes(bytearray(job.tag)),
        peer=bytes(bytearray(job.peer)),
        ciphertext=bytes(bytearray(job.ciphertext)),
        seed=bytes(bytearray(job.seed)),
        decoy=decoy,
    )


def variations(scheme: Scheme, job: Job) -> list[Variation]:
    """The secrets of the job that can be varied; empty if it has none, or none that may be any bytes.

    Module `secrets` has the keys of signatures, and KEMs; `rejections` the inputs that a
    decryption rejects.
    """
    fixed = replace(job, data=data_of(job))
    operation = Operation(job.operation)
    if operation in (Operation.VERIFY, Operation.KEYGEN):
        return []
    key = scheme.kind in _KEYED and bool(job.key)
    message = operation not in _OF_THE_KEY and bool(fixed.data)
    found = []
    if key:
        found.append(_of_keys(scheme, fixed))
    if message:
        found.append(_of_messages(fixed))
    if key and message:
        found.append(_of_both(fixed))
    if operation is Operation.AGREE and points(scheme.algorithm):
        found.append(_of_peers(scheme, fixed))
    return found


def _of_keys(scheme: Scheme, job: Job) -> Variation:
    length = len(job.key)
    named = keys(scheme.algorithm, length)
    tried = [Input(name, replace(job, key=key)) for name, key in named.items()]
    return Variation(
        Varied.KEY, job, lambda source: replace(job, key=random_key(scheme.algorithm, length, source)), tried
    )


def _of_messages(job: Job) -> Variation:
    length = len(data_of(job))
    tried = [Input(name, replace(job, data=data)) for name, data in patterns(length).items()]
    return Variation(Varied.MESSAGE, job, lambda source: replace(job, data=source.randbytes(length)), tried)


def _of_peers(scheme: Scheme, job: Job) -> Variation:
    length = len(job.peer)
    tried = [Input(name, replace(job, peer=point)) for name, point in points(scheme.algorithm).items()]
    return Variation(Varied.PEER, job, lambda source: replace(job, peer=source.randbytes(length)), tried)


def _of_both(job: Job) -> Variation:
    of_key, of_data = len(job.key), len(data_of(job))

    def drawn(source: random.Random) -> Job:
        return replace(job, key=source.randbytes(of_key), data=source.randbytes(of_data))

    tried = [
        Input(f"key all {one}, message all {two}", replace(job, key=first * of_key, data=second * of_data))
        for one, first in (("zero", b"\x00"), ("ones", b"\xff"))
        for two, second in (("zero", b"\x00"), ("ones", b"\xff"))
    ]
    return Variation(Varied.BOTH, job, drawn, tried)
