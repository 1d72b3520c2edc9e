"""What is drawn at random while all else stays the same."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from enum import StrEnum

from motebench.model import Kind, Operation, Scheme
from motebench.wire.fill import fill
from motebench.wire.messages import Fill, Job

_KEYED = (Kind.CIPHER, Kind.STREAM, Kind.AEAD, Kind.MAC, Kind.AGREEMENT)
"""Kinds whose keys are any bytes of the right length."""
_OF_THE_KEY = (Operation.KEY_SETUP, Operation.AGREE)
"""Operations with no message."""


class Varied(StrEnum):
    """A secret that is drawn at random."""

    KEY = "key"
    MESSAGE = "message"
    BOTH = "key and message"


@dataclass(frozen=True, slots=True)
class Variation:
    """A job and what of it varies. ``job`` itself is the first input: its key and message are the fixed ones."""

    varied: Varied
    job: Job

    def drawn(self, source: random.Random) -> Job:
        """The job with a new random value of what varies, of the same length."""
        job = self.job
        if self.varied is not Varied.MESSAGE:
            job = replace(job, key=source.randbytes(len(job.key)))
        if self.varied is not Varied.KEY:
            job = replace(job, data=source.randbytes(len(data_of(job))))
        return job

    def with_secrets_of(self, other: Job) -> Job:
        """The job with another's key and message, in memory of their own."""
        return replace(self.job, key=bytes(bytearray(other.key)), data=bytes(bytearray(data_of(other))))


def data_of(job: Job) -> bytes:
    """The message of a job as bytes."""
    return fill(job.data.seed, job.data.length) if isinstance(job.data, Fill) else job.data


def variations(scheme: Scheme, job: Job) -> list[Variation]:
    """Which secrets of the job can be varied; none if it handles no secret, or none that can be any bytes.

    Keys of signatures have a structure and are expensive to make: there the message varies alone.
    """
    fixed = replace(job, data=data_of(job))
    operation = Operation(job.operation)
    if operation in (Operation.VERIFY, Operation.KEYGEN):
        return []
    key = scheme.kind in _KEYED and bool(job.key)
    message = operation not in _OF_THE_KEY and bool(fixed.data)
    chosen = [Varied.KEY] * key + [Varied.MESSAGE] * message + [Varied.BOTH] * (key and message)
    return [Variation(varied, fixed) for varied in chosen]
