"""Offers of a device's own engines, modelled from its data sheet: cycles of a block, and a driver that is assumed.

Blocks of a message: CTR (SP 800-38A) one for each 16 bytes; CBC one more for its padding; CMAC (SP 800-38B) one for
each 16 bytes, at least one; CCM (SP 800-38C, no additional data) two for each 16 bytes, the first block of its MAC, and
one that hides the MAC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

from motebench.advise.choice.model import Point, SchemeOffer
from motebench.advise.choice.results import Offers
from motebench.base.files import toml
from motebench.base.interval import Interval
from motebench.base.model import Evidence, Operation, Scheme
from motebench.base.paths import catalog_dir
from motebench.catalog import schemes
from motebench.catalog.devices import Accelerator, Device
from motebench.catalog.quantities import Bounds
from motebench.catalog.schema import Record, Source
from motebench.documents.choice import ReferenceOrigin

_BLOCK = 16
_LONGEST_STEP = 256
"""Sizes up to this are computed one by one; beyond them, those that are asked for."""


def _ceil(size: int) -> int:
    return -(-size // _BLOCK)


BLOCKS: dict[str, Callable[[int], int]] = {
    "ctr": _ceil,
    "cbc": lambda size: size // _BLOCK + 1,
    "ccm": lambda size: 2 * _ceil(size) + 2,
    "cmac": lambda size: max(_ceil(size), 1),
}
"""Calls of the block cipher for a message of so many bytes, by mode."""


class ChipDriver(Record):
    """What software around an engine is assumed to take: cycles for a block and for a message, bytes."""

    block_cycles: Bounds
    message_cycles: Bounds
    flash_bytes: Bounds
    ram_bytes: Bounds
    source: Source


class _DriversFile(Record):
    driver: ChipDriver
    element_driver: ChipDriver


@cache
def driver(of: Literal["driver", "element_driver"] = "driver") -> ChipDriver:
    """``catalog/policies/hardware.toml``: of an engine on the chip, or of a secure element."""
    found = toml.validate(toml.load(catalog_dir() / "policies" / "hardware.toml"), _DriversFile)
    return found.driver if of == "driver" else found.element_driver


def cycles(engine: Accelerator, bits: int, mode: str, size: int) -> Interval:
    """Cycles of a message of ``size`` bytes in a mode, with a key of ``bits``."""
    around = driver()
    block = around.block_cycles.interval + Interval.exact(float(engine.block_cycles[str(bits)]))
    return block * float(BLOCKS[mode](size)) + around.message_cycles.interval


def of_device(device: Device, message_bytes: int) -> Offers:
    """Offers of each scheme that an engine of the device serves in hardware, block by block; none without engines."""
    found = [offer for engine in device.accelerators for offer in _offers(device, engine, message_bytes)]
    notes = tuple(
        f"hardware/{engine.id}: modelled from {engine.source}{' (unverified)' if engine.unverified else ''}, with an "
        "assumed driver (catalog/policies/hardware.toml)"
        for engine in device.accelerators
    )
    return Offers(tuple(found), notes)


def _offers(device: Device, engine: Accelerator, message_bytes: int) -> Iterator[SchemeOffer]:
    around = driver()
    ram = around.ram_bytes.interval
    memory = {
        "flash": around.flash_bytes.interval,
        "static_ram": ram,
        "stack": Interval.exact(0.0),
        "state": Interval.exact(0.0),
    }
    sizes = {*range(_LONGEST_STEP + 1), *range(message_bytes, message_bytes + 4 * _BLOCK + 1)}
    for scheme in schemes().values():
        if scheme.algorithm != engine.algorithm or str(scheme.bits) not in engine.block_cycles:
            continue
        if scheme.mode not in BLOCKS:
            continue
        operation = Operation.MAC if scheme.mode == "cmac" else Operation.ENCRYPT_MESSAGE
        points = {
            (operation.value, size): Point(
                cycles(engine, scheme.bits or 0, scheme.mode, size) * (1 / device.clock_hz),
                memory,
                _origin(device, engine, scheme, operation, size),
            )
            for size in sorted(sizes)
        }
        yield SchemeOffer(scheme.name, f"hardware/{engine.id}", Evidence.MODELLED, points)


def _origin(device: Device, engine: Accelerator, scheme: Scheme, operation: Operation, size: int) -> ReferenceOrigin:
    return ReferenceOrigin(
        file=f"catalog/devices/{device.id}.toml",
        target=device.id,
        scheme=scheme.name,
        implementation=f"hardware/{engine.id}",
        operation=operation,
        input_bytes=size,
        compiler=None,
        cycles=None,
    )
