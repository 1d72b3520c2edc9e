"""Way from a request to a job: every field checked, by name, before a library sees it."""

from __future__ import annotations

import os
from zlib import crc32

from motebench_probe import errors
from motebench_probe.errors import Failure
from motebench_probe.fill import fill
from motebench_probe.schemes import (
    IN_PLACE,
    OUTPUTS,
    PLAIN,
    RANDOM,
    SEEDED,
    TAG_MAKING,
    WITH_NONCE,
    Job,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Adapter, Scheme
    from motebench_probe.tasks import Task

    Request = dict[str, Any]

_MIB = 1 << 20
_DEFAULT_TAG = 16
_U32 = 2**32 - 1
_WITH_CONTEXT = frozenset({"sign", "verify"})
_OPPOSITE = {"decrypt": "encrypt", "decrypt-message": "encrypt-message"}


def max_data() -> int:
    """Longest input, in bytes: an eighth of the memory, at most 256 MiB, since every output is a
    new object.
    """
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        memory = 0
    return max(16 * _MIB, min(256 * _MIB, memory // 8))


def text(request: Request, key: str) -> str:
    """A text that must be there."""
    value = request.get(key)
    if not isinstance(value, str):
        raise Failure(errors.BAD_REQUEST, f"{key}: missing, or not text")
    return value


def boolean(request: Request, key: str) -> bool:
    """An optional boolean, false where it is absent."""
    value = request.get(key, False)
    if not isinstance(value, bool):
        raise Failure(errors.BAD_REQUEST, f"{key}: not a boolean")
    return value


def uint(request: Request, key: str, low: int, high: int, default: int) -> int:
    """An optional number in ``low`` to ``high``."""
    value = request.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Failure(errors.BAD_REQUEST, f"{key}: not an unsigned integer")
    if not low <= value <= high:
        raise Failure(errors.BAD_REQUEST, f"{key}: out of range")
    return value


def _raw(request: Request, key: str) -> bytes:
    value = request.get(key, b"")
    if not isinstance(value, bytes):
        raise Failure(errors.BAD_REQUEST, f"{key}: not a byte string")
    return value


def _data(request: Request) -> bytes:
    wanted = request.get("fill")
    if wanted is None:
        return _raw(request, "data")
    if not isinstance(wanted, list) or len(wanted) != 2:
        raise Failure(errors.BAD_REQUEST, "fill: not [seed, length]")
    ends = {"seed": wanted[0], "length": wanted[1]}
    seed = uint(ends, "seed", 1, _U32, 0)
    length = uint(ends, "length", 0, 2**64 - 1, 0)
    if length > max_data():
        raise Failure(errors.TOO_BIG, "fill: longer than max_data")
    return fill(seed, length)


def scheme_of(adapter: Adapter, request: Request) -> Scheme:
    """The scheme that the request names."""
    scheme = adapter.schemes().get(text(request, "scheme"))
    if scheme is None:
        raise Failure(errors.UNSUPPORTED, "scheme: not offered")
    return scheme


def _check_length(what: str, length: int, bounds: tuple[int, int]) -> None:
    if not bounds[0] <= length <= bounds[1]:
        raise Failure(errors.UNSUPPORTED, f"{what}: the scheme does not support this length")


def _tag_len(request: Request, scheme: Scheme, op: str) -> int:
    low, high = scheme.tag
    wanted = uint(request, "tag_len", 0, 65535, _DEFAULT_TAG)
    if op not in WITH_NONCE or high == 0:
        return 0
    if "tag_len" in request:
        _check_length("tag_len", wanted, scheme.tag)
    return max(low, min(high, wanted))


def read_job(adapter: Adapter, request: Request, op: str | None = None) -> Job:
    """Job of a request. A request with ``op`` (whole files) names the operation there, and has no
    data.
    """
    scheme = scheme_of(adapter, request)
    do = text(request, "op") if op is None else op
    if do not in scheme.ops:
        raise Failure(errors.UNSUPPORTED, "op: not offered for this scheme")
    job = Job(
        scheme,
        do,
        key=_raw(request, "key"),
        nonce=_raw(request, "nonce"),
        aad=_raw(request, "aad"),
        data=_data(request) if op is None else b"",
        tag=_raw(request, "tag"),
        tag_len=_tag_len(request, scheme, do),
        signature=_raw(request, "signature"),
        peer=_raw(request, "peer"),
        ciphertext=_raw(request, "ciphertext"),
        context=_raw(request, "context") if do in _WITH_CONTEXT else b"",
        seed=_raw(request, "seed") if do in SEEDED else b"",
    )
    job.total = len(job.data)
    if do not in ("keygen", "digest"):
        _check_length("key", len(job.key), scheme.key)
    if do in WITH_NONCE or (do == "mac" and scheme.nonce[1]):
        _check_length("nonce", len(job.nonce), scheme.nonce)
    _check_length("context", len(job.context), scheme.context if do in _WITH_CONTEXT else (0, 0))
    if job.seed and not scheme.seeds:
        raise Failure(errors.UNSUPPORTED, "seed: the implementation takes none")
    if do in IN_PLACE and len(job.data) % scheme.block:
        raise Failure(errors.UNSUPPORTED, "data: not a multiple of the block length")
    return job


def invert(adapter: Adapter, request: Request, job: Job) -> Job:
    """Job for ``inverse``: its input, and its tag, are the output of the opposite operation on its
    data.
    """
    if not boolean(request, "inverse"):
        return job
    if job.op not in _OPPOSITE:
        raise Failure(errors.BAD_REQUEST, "inverse: only for decrypt and decrypt-message")
    opposite = _OPPOSITE[job.op]
    if opposite not in job.scheme.ops:
        raise Failure(errors.UNSUPPORTED, "inverse: the opposite operation is not offered")
    op, job.op = job.op, opposite
    job.data, job.tag = once(open_task(adapter, job))
    job.op = op
    return job


def open_task(adapter: Adapter, job: Job) -> Task:
    """The library made ready for the job."""
    return adapter.family(job.scheme.family).open_task(job)


def rejects(request: Request, batch: int, warm: int) -> bool:
    """Every iteration must reject. A run ends with its first rejection: a longer batch would time
    one all the same.
    """
    asked = boolean(request, "reject")
    if asked and (batch != 1 or warm > 1):
        raise Failure(errors.BAD_REQUEST, "reject: needs a batch of 1, and warm of at most 1")
    return asked


def once(task: Task) -> tuple[bytes, bytes]:
    """Outputs of one iteration from a fresh start."""
    task.start()
    task.run(1)
    return task.result()


def crc_of(out: bytes, second: bytes) -> int:
    """CRC-32 of the output followed by the second one."""
    return crc32(second, crc32(out))


def outputs(job: Job, out: bytes, second: bytes) -> dict[str, bytes]:
    """Outputs under their names; the second only if the operation has one."""
    name, other = OUTPUTS.get(job.op, PLAIN)
    twofold = job.scheme.kem if job.op in SEEDED else job.op in TAG_MAKING and job.scheme.tag[1] > 0
    return {name: out, other: second} if twofold else {name: out}


def is_random(job: Job) -> bool:
    """Two results rightly differ."""
    return job.op in RANDOM and not job.seed


def read_key(scheme: Scheme, request: Request) -> Job:
    """Job for public keys: scheme and private key only."""
    return Job(scheme, "public", key=_raw(request, "key"))
