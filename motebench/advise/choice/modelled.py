"""Offers that are modelled: engines of a device from its data sheet, and a secure element from its
file.

Engines: cycles of a block, and a driver that is assumed. Blocks of a message: CTR (SP 800-38A) one
for each 16 bytes; CBC one more for its padding; CMAC (SP 800-38B) one for each 16 bytes, at least
one; CCM (SP 800-38C, no additional data) two for each 16 bytes, the first block of its MAC, and one
that hides the MAC; a hash with the padding of its standard. Engines for public keys: cycles of the
operation, and the processor's hash of what is signed.

Secure elements: wake, bus, their own time, and a driver that is assumed. The processor waits awake
meanwhile. It hashes what is signed, except for schemes that hash the message themselves in two
passes (Ed25519). The element draws the current of its bus while it wakes and talks, and its own
while it computes. Messages go to it in pieces (AES, MACs, hashes), so their cost depends on the
length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Literal

from motebench.advise.choice.candidate import Offers, Point, SchemeOffer
from motebench.advise.choice.estimates import cost
from motebench.advise.choice.question import PUBLIC_KEY, Need, Role
from motebench.advise.radio.link import EnergyPart
from motebench.base.files import toml
from motebench.base.model import Evidence, Kind, Operation
from motebench.base.paths import catalog_dir
from motebench.base.quantities import Interval
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.currents import Drawn, element_current
from motebench.catalog.devices import Accelerator, Device, KeyEngine
from motebench.catalog.libraries import Maturity, maturity_of
from motebench.catalog.parts import Element, Task
from motebench.catalog.quantities import Bounds, State
from motebench.catalog.schema import Record, Source
from motebench.documents.choice import ReferenceOrigin

_BLOCK, _HASH_BLOCK = 16, 64
_HASH = "sha2"
"""Algorithm of engines that compute digests."""
_HASHING = (Need.HASH, Need.UPDATE)
_WITH_KEYS = (Need.SIGNATURE, Need.UPDATE)
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
    """Assumed cost of the software around an engine: cycles for a block and for a message,
    bytes.
    """

    block_cycles: Bounds
    message_cycles: Bounds
    flash_bytes: Bounds
    ram_bytes: Bounds
    source: Source


class _DriversFile(Record):
    driver: ChipDriver
    element_driver: ChipDriver


@cache
def driver(table: Literal["driver", "element_driver"] = "driver") -> ChipDriver:
    """``catalog/policies/hardware.toml``: of an engine on the chip, or of a secure element."""
    file = toml.validate(toml.load(catalog_dir() / "policies" / "hardware.toml"), _DriversFile)
    return file.driver if table == "driver" else file.element_driver


def cycles(engine: Accelerator, bits: int, mode: str, size: int) -> Interval:
    """Cycles of a message of ``size`` bytes in a mode, with a key of ``bits``."""
    around = driver()
    block = around.block_cycles.interval + Interval.exact(float(engine.block_cycles[str(bits)]))
    return block * float(BLOCKS[mode](size)) + around.message_cycles.interval


def of_engines(
    device: Device, need: Need, role: Role | None, others: Sequence[SchemeOffer], message_bytes: int
) -> Offers:
    """Offers of each scheme that an engine of the device serves in hardware: block by block, or
    with public keys; none without engines. ``others``: other offers, for hashes.
    """
    offers: list[SchemeOffer] = []
    engines: list[Accelerator | KeyEngine] = []
    for engine in device.accelerators:
        hashes = engine.algorithm == _HASH
        if (need in PUBLIC_KEY and not hashes) or (hashes and need not in _HASHING):
            continue
        made = _hash_offers if hashes else _offers
        offers += made(device, engine, message_bytes)
        engines.append(engine)
    for key_engine in device.key_engines if need in _WITH_KEYS else ():
        if made_offers := list(_key_offers(device, key_engine, role, others)):
            offers += made_offers
            engines.append(key_engine)
    notes = tuple(
        f"hardware/{engine.id}: modelled from "
        f"{engine.source}{' (unverified)' if engine.unverified else ''}, with an "
        "assumed driver (catalog/policies/hardware.toml)"
        for engine in engines
    )
    return Offers(tuple(offers), notes)


def _key_offers(
    device: Device, engine: KeyEngine, role: Role | None, others: Sequence[SchemeOffer]
) -> Iterator[SchemeOffer]:
    """Offers of each scheme whose operations for that role the engine computes."""
    around, needed = driver(), _WANTED.get(role, ())
    for name in dict.fromkeys(name for entry in engine.operations for name in entry.schemes):
        cycles_of = {
            entry.operation: entry.cycles.interval
            for entry in engine.operations
            if name in entry.schemes
        }
        hashed = _hashing(name, others)
        if not needed or not cycles_of.keys() >= set(needed) or hashed is None:
            continue
        points = {}
        for operation in needed:
            busy = cycles_of[operation] + around.message_cycles.interval
            points[operation.value, _DIGESTED] = Point(
                busy * (1 / device.clock_hz) + hashed[0],
                _driver_memory(around.flash_bytes.interval + hashed[1]),
                _origin(device, engine.id, name, operation, _DIGESTED),
            )
        yield SchemeOffer(name, f"hardware/{engine.id}", Evidence.MODELLED, points)


def _driver_memory(flash: Interval) -> dict[str, Interval]:
    none = Interval.exact(0.0)
    ram = driver().ram_bytes.interval
    return {"flash": flash, "static_ram": ram, "stack": none, "state": none}


def _hash_offers(device: Device, engine: Accelerator, message_bytes: int) -> Iterator[SchemeOffer]:
    """Digests by an engine that computes blocks of 64 bytes."""
    around = driver()
    sizes = {*range(_LONGEST_STEP + 1), *range(message_bytes, message_bytes + _HASH_BLOCK + 1)}
    for scheme in schemes().values():
        if scheme.algorithm != engine.algorithm or scheme.kind is not Kind.HASH:
            continue
        own = engine.block_cycles.get(str(scheme.bits))
        blocks = algorithm_of(scheme).input_block_of(scheme)
        if own is None or blocks is None or scheme.name != f"sha{scheme.bits}":
            continue
        block = around.block_cycles.interval + Interval.exact(float(own))
        points = {
            (Operation.DIGEST.value, size): Point(
                (block * float(blocks.calls(size)) + around.message_cycles.interval)
                * (1 / device.clock_hz),
                _driver_memory(around.flash_bytes.interval),
                _origin(device, engine.id, scheme.name, Operation.DIGEST, size),
            )
            for size in sorted(sizes)
        }
        yield SchemeOffer(scheme.name, f"hardware/{engine.id}", Evidence.MODELLED, points)


def _offers(device: Device, engine: Accelerator, message_bytes: int) -> Iterator[SchemeOffer]:
    memory = _driver_memory(driver().flash_bytes.interval)
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
                _origin(device, engine.id, scheme.name, operation, size),
            )
            for size in sorted(sizes)
        }
        yield SchemeOffer(scheme.name, f"hardware/{engine.id}", Evidence.MODELLED, points)


def _origin(
    device: Device, engine: str, scheme: str, operation: Operation, size: int
) -> ReferenceOrigin:
    return ReferenceOrigin(
        file=f"catalog/devices/{device.id}.toml",
        target=device.id,
        scheme=scheme,
        implementation=f"hardware/{engine}",
        operation=operation,
        input_bytes=size,
        compiler=None,
        cycles=None,
    )


PART = "element"
_BITS_A_BYTE = 9
"""Bits for a byte on I2C, with the acknowledgement (UM10204, 3.1.5)."""
_ADDRESSES = 2
"""Bytes of the bus address for each command: one to write it, one to read the answer."""
_DIGESTED = 32
"""Bytes that results of signatures are of."""
_LONGEST_BY_BYTE = 256
"""Longest message that is computed byte by byte, for questions about other lengths
(sensitivity).
"""
_LENGTHS = tuple(range(512, 65536 + 1, 512))
_SLACK = 80
"""Bytes of padding, nonce and tag that a MAC reads in addition to the message."""
_WANTED = {
    Role.SIGN: (Operation.SIGN,),
    Role.VERIFY: (Operation.VERIFY,),
    None: (Operation.KEYGEN, Operation.AGREE),
}
_MESSAGES: Mapping[Need, tuple[Operation, ...]] = {
    Need.AEAD: (Operation.ENCRYPT_MESSAGE, Operation.MAC),
    Need.ENCRYPTION: (Operation.ENCRYPT_MESSAGE,),
    Need.MAC: (Operation.MAC,),
    Need.HASH: (Operation.DIGEST,),
}


def of_element(
    element: Element,
    device: Device,
    need: Need,
    role: Role | None,
    others: Sequence[SchemeOffer],
    message_bytes: int = 0,
) -> Offers:
    """Offers of every scheme that the element serves in this role. ``others``: other offers, for
    hashes.
    """
    needed = _WANTED.get(role, ()) if need in (Need.SIGNATURE, Need.UPDATE, Need.AGREEMENT) else ()
    names = dict.fromkeys(name for task in element.operations for name in task.schemes)
    offers = []
    for name in names:
        tasks = [
            task for operation in needed if (task := element.task(name, operation)) is not None
        ]
        if tasks and len(tasks) == len(needed):
            offers.append(_offer(element, device, name, tasks, others))
        offers += [
            _by_length(element, device, name, task, message_bytes, beside=need is Need.AEAD)
            for operation in _MESSAGES.get(need, ())
            if (task := element.task(name, operation)) is not None
        ]
    doubt = "; unverified or assumed where its file says so" if _unverified(element) else ""
    note = (
        f"{element.implementation}: modelled from catalog/elements/{element.id}.toml "
        f"({element.source}{doubt}), with an assumed driver (catalog/policies/hardware.toml); the "
        f"processor waits awake{_said(element)}"
    )
    if not offers:
        return Offers(
            (),
            (
                f"{element.implementation} does nothing for this need here; its sleep current "
                "counts",
            ),
        )
    drawn = (
        *element_current(element, State.ACTIVE).notes,
        *element_current(element, State.STANDBY).notes,
    )
    return Offers(tuple(offers), (note, *drawn))


def _unverified(element: Element) -> bool:
    return element.unverified or any(
        figure.unverified for figure in (*element.currents, *element.operations)
    )


def _said(element: Element) -> str:
    return f". {element.note}" if element.note else ""


def operations(element: Element, device: Device, others: Sequence[SchemeOffer]) -> Offers:
    """Operations of the element with public keys, each by itself. ``others``: other offers of the
    device, for hashes.

    Keys of sessions are the processor's: what it does with them goes through no bus.
    """
    lasting = [task for task in element.operations if not task.by_length]
    names = dict.fromkeys(name for task in lasting for name in task.schemes)
    offers = [
        replace(
            _offer(
                element, device, name, [task for task in lasting if name in task.schemes], others
            ),
            beside=(),
        )
        for name in names
    ]
    return Offers(
        tuple(offers),
        (f"{element.implementation}: modelled from catalog/elements/{element.id}.toml",),
    )


def part_of(element: Element, tasks: Sequence[Task], size: int = 0) -> EnergyPart:
    """Current of the element for these operations on ``size`` bytes, from waking to the last
    answer.
    """
    talking = element_current(element, State.STANDBY)
    bus, charge, seconds = (Interval.exact(0.0) for _ in range(3))
    states = [
        element_current(element, state) for state in dict.fromkeys(task.state for task in tasks)
    ]
    for task in tasks:
        own = task.work(size).seconds
        bus = bus + _bus(element, task, size)
        charge = charge + own * element_current(element, task.state).amps
        seconds = seconds + own
    charge, seconds = charge + bus * talking.amps, seconds + bus
    # Bounds of the charge are kept: those of time and of the mean current follow from them.
    amps = Interval(*(part / seconds.typical for part in (charge.low, charge.typical, charge.high)))
    notes = dict.fromkeys(note for drawn in (*states, talking) for note in drawn.notes)
    return EnergyPart(PART, seconds.typical, replace(states[0], amps=amps, notes=tuple(notes)))


def asleep(element: Element) -> Drawn:
    """Current of the sleeping element, which flows all the time."""
    return element_current(element, State.SLEEP)


def _bus(element: Element, task: Task, size: int = 0) -> Interval:
    """Seconds from sleep to the last byte, without those that the element computes; to the first if
    these contain the time on the bus."""
    if task.over_bus:
        return element.bus.wake_seconds.interval
    work = task.work(size)
    bits = float(_BITS_A_BYTE * (work.written + work.read + _ADDRESSES * work.commands))
    hz = element.bus.hz
    return element.bus.wake_seconds.interval + Interval(
        bits / hz.maximum, bits / hz.typical, bits / hz.minimum
    )


def _memory(flash: Interval) -> dict[str, Interval]:
    none = Interval.exact(0.0)
    return {
        "flash": flash,
        "static_ram": driver("element_driver").ram_bytes.interval,
        "stack": none,
        "state": none,
    }


def _by_length(
    element: Element, device: Device, name: str, task: Task, message_bytes: int, *, beside: bool
) -> SchemeOffer:
    """An offer whose cost depends on the length: of short messages, of the one that is asked for,
    and of long ones.

    ``beside``: a MAC is asked for beside a cipher of the element, whose driver is counted there.
    """
    near = range(message_bytes, message_bytes + _SLACK + 1)
    memory = _memory(driver("element_driver").flash_bytes.interval)
    if beside and task.operation is Operation.MAC:
        memory = dict.fromkeys(memory, Interval.exact(0.0))
    points = {
        (task.operation.value, size): Point(
            _bus(element, task, size) + task.work(size).seconds,
            memory,
            _element_origin(element, device, name, task, size),
        )
        for size in sorted({*range(_LONGEST_BY_BYTE + 1), *near, *_LENGTHS})
    }
    return SchemeOffer(
        name,
        element.implementation,
        Evidence.MODELLED,
        points,
        beside_of=lambda size: (part_of(element, [task], size),),
    )


def _offer(
    element: Element,
    device: Device,
    name: str,
    tasks: Sequence[Task],
    others: Sequence[SchemeOffer],
) -> SchemeOffer:
    around = driver("element_driver")
    hashed = _hashing(name, others)
    points = {}
    for task in tasks:
        size = _DIGESTED if task.operation in (Operation.SIGN, Operation.VERIFY) else 0
        seconds, flash = _bus(element, task) + task.work().seconds, around.flash_bytes.interval
        if size and hashed:
            seconds, flash = seconds + hashed[0], flash + hashed[1]
        points[task.operation.value, size] = Point(
            seconds, _memory(flash), _element_origin(element, device, name, task, size)
        )
    return SchemeOffer(
        name, element.implementation, Evidence.MODELLED, points, beside=(part_of(element, tasks),)
    )


def _hashing(name: str, others: Sequence[SchemeOffer]) -> tuple[Interval, Interval] | None:
    """Seconds and flash of the processor's hash of a short message, over all implementations for
    products.
    """
    scheme = schemes()[name]
    if scheme.algorithm not in ("ecdsa", "rsa"):
        return None
    digest = name.rpartition("-")[2]
    costs = [
        digest_cost
        for offer in others
        if offer.scheme == digest and maturity_of(offer.implementation, digest) < Maturity.RESEARCH
        if (digest_cost := cost(offer, Operation.DIGEST, _DIGESTED)) is not None
    ]
    if not costs:
        return None
    sizes = [
        digest_cost.memory["flash"] for digest_cost in costs if "flash" in digest_cost.memory
    ] or [Interval.exact(0.0)]
    return _over([digest_cost.seconds for digest_cost in costs]), _over(sizes)


def _over(values: Sequence[Interval]) -> Interval:
    return Interval(
        min(value.low for value in values),
        median(value.typical for value in values),
        max(value.high for value in values),
    )


def _element_origin(
    element: Element, device: Device, name: str, task: Task, size: int
) -> ReferenceOrigin:
    return ReferenceOrigin(
        file=f"catalog/elements/{element.id}.toml",
        target=device.id,
        scheme=name,
        implementation=element.implementation,
        operation=task.operation,
        input_bytes=size,
        compiler=None,
        cycles=None,
    )
