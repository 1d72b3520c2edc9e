"""The policies of `motebench choose`: ``catalog/policies/choice.toml`` and ``constant-time.toml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Self

from pydantic import Field, model_validator

from motebench import toml
from motebench.catalog.schema import Bits, Count, Identifier, Record, Source, Text, Verdict
from motebench.errors import InputError
from motebench.misspelt import did_you_mean
from motebench.model import Operation
from motebench.paths import catalog_dir


class Policy(Record):
    """Which security status a scheme may have; the file explains it."""

    id: Identifier
    statement: Text
    admits: tuple[Verdict, ...] = Field(min_length=1)
    body: Text | None = None
    wants: tuple[Verdict, ...] = ()
    modes: tuple[Text, ...] = ()
    source: Source | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.body is None) != (not self.wants):
            raise ValueError("body and wants must be given together")
        return self


class StandIn(Record):
    """A stand-in device: the results of ``target`` are used for a device without results. ``spread``: relative error of
    its cycles."""

    device: Identifier
    target: Text
    spread: Annotated[float, Field(gt=0, lt=1)]
    statement: Text
    source: Source


class Weak(Record):
    """A property with too few bits, and the number below which it is weak."""

    below_bits: Bits
    source: Source


class Pieces(Record):
    """Largest piece in bytes that implementations process at a time: when they encrypt a message, and when they hash
    one."""

    message_bytes: Count
    digest_bytes: Count
    source: Source

    def of(self, operation: str) -> int:
        """The piece of that operation."""
        return self.message_bytes if operation == Operation.ENCRYPT_MESSAGE else self.digest_bytes


class Recommending(Record):
    """Bodies whose verdicts recommend; others list."""

    bodies: tuple[Text, ...] = Field(min_length=1)
    source: Source


class Indifference(Record):
    """The share of a criterion below which two candidates are equal for the user."""

    share: Annotated[float, Field(ge=0, lt=1)]
    source: Source


class Choice(Record):
    """``catalog/policies/choice.toml``. ``small_block``: block lengths that are not recommended for new designs."""

    weak: Weak
    small_block: Weak
    recommending: Recommending
    indifference: Indifference
    pieces: Pieces
    policies: tuple[Policy, ...]
    stand_ins: tuple[StandIn, ...] = ()


class Claim(Record):
    """Implementations that are claimed to take constant time, and by whom."""

    implementations: tuple[Text, ...] = Field(min_length=1)
    statement: Text
    source: Source


class Claims(Record):
    """``catalog/policies/constant-time.toml``."""

    claims: tuple[Claim, ...]


@cache
def choice() -> Choice:
    """Policies and stand-ins."""
    return toml.validate(toml.load(catalog_dir() / "policies" / "choice.toml"), Choice)


@cache
def _claims() -> dict[str, Claim]:
    found = toml.validate(toml.load(catalog_dir() / "policies" / "constant-time.toml"), Claims)
    return {name: claim for claim in found.claims for name in claim.implementations}


def claim(implementation: str) -> Claim | None:
    """The claim of constant time of an implementation; None if there is none."""
    return _claims().get(implementation)


def policy(name: str) -> Policy:
    """The policy of that name. InputError that lists the known policies."""
    policies = {entry.id: entry for entry in choice().policies}
    found = policies.get(name.strip().casefold())
    if found is None:
        raise InputError(
            f"unknown policy {name!r}",
            where="--policy",
            valid="; ".join(f"{entry.id}: {entry.statement}" for entry in policies.values()),
            hint=did_you_mean(name, policies),
        )
    return found
