"""Offers of a secure element beside the processor, modelled from its file: wake, bus, its own time, and a driver that
is assumed.

The processor waits awake meanwhile. It hashes what is signed, except for schemes that hash the message themselves in
two passes (Ed25519). The element draws the current of its bus while it wakes and talks, and its own while it computes.
Messages go to it in pieces (AES, MACs, hashes), so their cost depends on the length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from motebench.advise.choice.bounds import cost
from motebench.advise.choice.hardware import driver
from motebench.advise.choice.judging import Need, Role
from motebench.advise.choice.model import Point, SchemeOffer
from motebench.advise.choice.results import Offers
from motebench.advise.energy.budget import EnergyPart
from motebench.base.interval import Interval
from motebench.base.model import Evidence, Operation
from motebench.catalog import schemes
from motebench.catalog.currents import Drawn, element_current
from motebench.catalog.devices import Device
from motebench.catalog.elements import Element, Task
from motebench.catalog.libraries import Maturity, maturity_of
from motebench.catalog.quantities import State
from motebench.documents.choice import ReferenceOrigin

PART = "element"
_BITS_A_BYTE = 9
"""Of I2C, with the acknowledgement (UM10204, 3.1.5)."""
_ADDRESSES = 2
"""Bytes of the bus address for each command: one to write it, one to read the answer."""
_DIGESTED = 32
"""Bytes that results of signatures are of."""
_LONGEST_STEP = 256
"""Messages up to this length are computed byte by byte, so that other lengths can be asked for (sensitivity)."""
_LENGTHS = tuple(range(512, 65536 + 1, 512))
_SLACK = 80
"""Bytes that padding, nonce and tag add to what a MAC reads."""
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
    there: Sequence[SchemeOffer],
    message_bytes: int = 0,
) -> Offers:
    """Offers of every scheme that the element serves in this role. ``there``: other offers, for hashes."""
    wanted = _WANTED.get(role, ()) if need in (Need.SIGNATURE, Need.UPDATE, Need.AGREEMENT) else ()
    names = dict.fromkeys(name for task in element.operations for name in task.schemes)
    found = []
    for name in names:
        tasks = [task for operation in wanted if (task := element.task(name, operation)) is not None]
        if tasks and len(tasks) == len(wanted):
            found.append(_offer(element, device, name, tasks, there))
        found += [
            _by_length(element, device, name, task, message_bytes, beside=need is Need.AEAD)
            for operation in _MESSAGES.get(need, ())
            if (task := element.task(name, operation)) is not None
        ]
    doubt = "; unverified or assumed where its file says so" if _unverified(element) else ""
    note = (
        f"{element.implementation}: modelled from catalog/elements/{element.id}.toml ({element.source}{doubt}), with "
        f"an assumed driver (catalog/policies/hardware.toml); the processor waits awake{_said(element)}"
    )
    if not found:
        return Offers((), (f"{element.implementation} does nothing for this need here; its sleep current counts",))
    drawn = (*element_current(element, State.ACTIVE).notes, *element_current(element, State.STANDBY).notes)
    return Offers(tuple(found), (note, *drawn))


def _unverified(element: Element) -> bool:
    return element.unverified or any(known.unverified for known in (*element.currents, *element.operations))


def _said(element: Element) -> str:
    return f". {element.note}" if element.note else ""


def operations(element: Element, device: Device, there: Sequence[SchemeOffer]) -> Offers:
    """Operations of the element with public keys, each by itself. ``there``: other offers of the device, for hashes.

    Keys of sessions are the processor's: what it does with them goes through no bus.
    """
    lasting = [task for task in element.operations if not task.by_length]
    names = dict.fromkeys(name for task in lasting for name in task.schemes)
    found = [
        replace(
            _offer(element, device, name, [task for task in lasting if name in task.schemes], there),
            beside=(),
        )
        for name in names
    ]
    return Offers(tuple(found), (f"{element.implementation}: modelled from catalog/elements/{element.id}.toml",))


def part_of(element: Element, tasks: Sequence[Task], size: int = 0) -> EnergyPart:
    """What the element draws for these operations on ``size`` bytes, from waking to the last answer."""
    talking = element_current(element, State.STANDBY)
    bus, charge, seconds = (Interval.exact(0.0) for _ in range(3))
    states = [element_current(element, state) for state in dict.fromkeys(task.state for task in tasks)]
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
    """What the element draws all the time."""
    return element_current(element, State.SLEEP)


def _bus(element: Element, task: Task, size: int = 0) -> Interval:
    """Seconds from sleep to the last byte, without those that the element computes; to the first if these contain the
    time on the bus."""
    if task.over_bus:
        return element.bus.wake_seconds.interval
    work = task.work(size)
    bits = float(_BITS_A_BYTE * (work.written + work.read + _ADDRESSES * work.commands))
    hz = element.bus.hz
    return element.bus.wake_seconds.interval + Interval(bits / hz.maximum, bits / hz.typical, bits / hz.minimum)


def _memory(flash: Interval) -> dict[str, Interval]:
    none = Interval.exact(0.0)
    return {"flash": flash, "static_ram": driver("element_driver").ram_bytes.interval, "stack": none, "state": none}


def _by_length(
    element: Element, device: Device, name: str, task: Task, message_bytes: int, *, beside: bool
) -> SchemeOffer:
    """An offer whose cost depends on the length: of short messages, of the one that is asked for, and of long ones.

    ``beside``: a MAC is asked for beside a cipher of the element, whose driver is counted there.
    """
    asked = range(message_bytes, message_bytes + _SLACK + 1)
    memory = _memory(driver("element_driver").flash_bytes.interval)
    if beside and task.operation is Operation.MAC:
        memory = dict.fromkeys(memory, Interval.exact(0.0))
    points = {
        (task.operation.value, size): Point(
            _bus(element, task, size) + task.work(size).seconds, memory, _origin(element, device, name, task, size)
        )
        for size in sorted({*range(_LONGEST_STEP + 1), *asked, *_LENGTHS})
    }
    return SchemeOffer(
        name,
        element.implementation,
        Evidence.MODELLED,
        points,
        beside_of=lambda size: (part_of(element, [task], size),),
    )


def _offer(
    element: Element, device: Device, name: str, tasks: Sequence[Task], there: Sequence[SchemeOffer]
) -> SchemeOffer:
    around = driver("element_driver")
    hashed = _hashing(name, there)
    points = {}
    for task in tasks:
        size = _DIGESTED if task.operation in (Operation.SIGN, Operation.VERIFY) else 0
        seconds, flash = _bus(element, task) + task.work().seconds, around.flash_bytes.interval
        if size and hashed:
            seconds, flash = seconds + hashed[0], flash + hashed[1]
        points[task.operation.value, size] = Point(seconds, _memory(flash), _origin(element, device, name, task, size))
    return SchemeOffer(name, element.implementation, Evidence.MODELLED, points, beside=(part_of(element, tasks),))


def _hashing(name: str, there: Sequence[SchemeOffer]) -> tuple[Interval, Interval] | None:
    """Seconds and flash of the processor's hash of a short message, over all implementations for products."""
    scheme = schemes()[name]
    if scheme.algorithm not in ("ecdsa", "rsa"):
        return None
    wanted = name.rpartition("-")[2]
    costs = [
        found
        for offer in there
        if offer.scheme == wanted and maturity_of(offer.implementation) < Maturity.RESEARCH
        if (found := cost(offer, Operation.DIGEST, _DIGESTED)) is not None
    ]
    if not costs:
        return None
    sizes = [found.memory["flash"] for found in costs if "flash" in found.memory] or [Interval.exact(0.0)]
    return _over([found.seconds for found in costs]), _over(sizes)


def _over(values: Sequence[Interval]) -> Interval:
    return Interval(
        min(one.low for one in values), median(one.typical for one in values), max(one.high for one in values)
    )


def _origin(element: Element, device: Device, name: str, task: Task, size: int) -> ReferenceOrigin:
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
