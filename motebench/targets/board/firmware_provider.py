"""The implementations for boards by name, each with its schemes and firmware for each scheme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from motebench.base.model import FailureKind, Operation
from motebench.base.naming import COMPILER, VARIANT
from motebench.catalog import schemes
from motebench.catalog.devices import Device
from motebench.targets.base import Session
from motebench.targets.code.building import BOARD_LEVEL, HOST_LEVEL, UserCode
from motebench.targets.code.session import CodeSession, with_keys
from motebench.targets.firmware import FirmwareImage, build, empty, offered, offers_of, own_implementations
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, named
from motebench.targets.host.this_machine import ThisMachine, this_machine
from motebench.targets.wire.messages import Offer, ProbeFailure

LEVELS = ("Os", "O1", "O2", "O3")
"""Optimisation levels: variants of every implementation on a board; the first is that of the plain name."""

_NEEDS_RANDOMNESS = {Operation.KEYGEN.value, Operation.ENCAPSULATE.value}
"""Boards have no source of it: they do these from seeds or not at all."""


def on_board(offer: Offer) -> Offer:
    """What a board offers of what the same source offers on the host."""
    if offer.seeds:
        return replace(offer, stream=False, needs_seed=True)
    return replace(offer, stream=False, operations=offer.operations - _NEEDS_RANDOMNESS)


class FirmwareProvider(Protocol):
    """One implementation for boards. Cheap to make; firmware is built on demand."""

    def offers(self, board: Session | None = None) -> Mapping[str, Offer]:
        """The schemes that it offers, by name. ProbeFailure if they are unknown.

        ``board``: a session with it, which makes the test keys of user code that this machine cannot be built for.
        """
        ...

    @property
    def asked_of(self) -> tuple[str, ...]:
        """The implementation of this host whose probe lists the schemes; empty if no probe is needed for that."""
        ...

    def host(self) -> Session:
        """The same source as a program for this machine."""
        ...

    def image(self, device: Device, scheme: str, script: Path | None = None) -> FirmwareImage:
        """The firmware that offers ``scheme``; with a ``script`` (`write_script`) one that runs alone.

        ProbeFailure of kind ``unsupported``, ``build`` or ``too-big``.
        """
        ...

    def empty(self, device: Device, scheme: str) -> FirmwareImage:
        """The same firmware with a no-op cipher. Called after `image`."""
        ...


@dataclass(frozen=True)
class OwnFirmware:
    """An implementation of which there is source, by a compiler at a level of optimisation: motebench's own, or of a
    pinned library.

    ``portable``: without assembly.
    """

    implementation: str
    level: str = LEVELS[0]
    portable: bool = False
    compiler: str = DEFAULT_COMPILER

    def offers(self, board: Session | None = None) -> Mapping[str, Offer]:
        """The schemes that the same source lists on the host; firmware would list the same."""
        del board
        session = self.host()
        try:
            return {name: on_board(offer) for name, offer in session.offers().items()}
        finally:
            session.close()

    @property
    def asked_of(self) -> tuple[str, ...]:
        """See `FirmwareProvider`."""
        return (offers_of(self.implementation),)

    def host(self) -> Session:
        """See `FirmwareProvider`."""
        return this_machine().open(offers_of(self.implementation))

    def empty(self, device: Device, scheme: str) -> FirmwareImage:
        """See `FirmwareProvider`."""
        return empty(device, schemes()[scheme], self.level, self.compiler)

    def image(self, device: Device, scheme: str, script: Path | None = None) -> FirmwareImage:
        """The firmware; see `FirmwareProvider`."""
        if scheme not in schemes():
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"no firmware for {scheme!r}")
        chosen = (schemes()[scheme], self.level, self.portable, script, self.compiler)
        return build(device, self.implementation, *chosen)


@dataclass(frozen=True)
class UserFirmware:
    """User code, by a compiler at a level of optimisation."""

    code: UserCode
    level: str = BOARD_LEVEL
    compiler: str = DEFAULT_COMPILER

    def offers(self, board: Session | None = None) -> Mapping[str, Offer]:
        """The schemes in its files."""
        offers = {name: on_board(offer) for name, offer in self.code.offers().items()}
        return with_keys(self.code, offers, self.host, board)

    @property
    def asked_of(self) -> tuple[str, ...]:
        """Empty: its files list the schemes."""
        return ()

    def host(self) -> Session:
        """See `FirmwareProvider`."""
        return CodeSession(self.code, HOST_LEVEL, ThisMachine())

    def image(self, device: Device, scheme: str, script: Path | None = None) -> FirmwareImage:
        """The firmware; see `FirmwareProvider`."""
        return self.code.firmware(device, scheme, self.level, self.compiler, script)

    def empty(self, device: Device, scheme: str) -> FirmwareImage:
        """See `FirmwareProvider`."""
        return self.code.empty(device, scheme, self.level, self.compiler)


def firmware_providers(device: Device, code: Mapping[str, UserCode] | None = None) -> dict[str, FirmwareProvider]:
    """Everything that boards with this device can be given, by the name that studies use. ``code``: user code by name.

    What another compiler would make is among it wherever it is known by name: that it is not installed, or builds for
    other machines, is a failure of its cases.
    """
    found: dict[str, FirmwareProvider] = {}
    ours = (*own_implementations(), *offered(device.architecture))
    for compiler in (DEFAULT_COMPILER, *named()):
        by = "" if compiler == DEFAULT_COMPILER else f"{COMPILER}{compiler}"
        for level in LEVELS:
            variant = ("" if level == LEVELS[0] else f"{VARIANT}{level}") + by
            found |= {f"{name}{variant}": OwnFirmware(name, level, compiler=compiler) for name in ours}
            found |= {f"{name}{variant}": UserFirmware(each, level, compiler) for name, each in (code or {}).items()}
    return found
