"""Offers of a secure element beside the processor, modelled from its file: wake, bus, its own time, and a driver that
is assumed.

The processor waits awake meanwhile. It hashes what is signed, except for schemes that hash the message themselves in
two passes (Ed25519). The element draws the current of its bus while it wakes and talks, and its own while it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from motebench.catalog import schemes
from motebench.catalog.devices import Device
from motebench.catalog.elements import Element, Task
from motebench.catalog.libraries import Maturity, maturity_of
from motebench.catalog.quantities import State
from motebench.choice.bounds import cost
from motebench.choice.hardware import driver
from motebench.choice.judging import Need, Role
from motebench.choice.model import Offer, Point
from motebench.choice.results import Offers
from motebench.documents.choice import ReferenceOrigin
from motebench.energy.budget import Part
from motebench.energy.currents import Drawn, element_current
from motebench.interval import Interval, total
from motebench.model import Evidence, Operation

PART = "element"
_BITS_A_BYTE = 9
"""Of I2C, with the acknowledgement (UM10204, 3.1.5)."""
_ADDRESSES = 2
"""Bytes of the bus address for each command: one to write it, one to read the answer."""
_DIGESTED = 32
"""Bytes that results of signatures are of."""
_WANTED = {
    Role.SIGN: (Operation.SIGN,),
    Role.VERIFY: (Operation.VERIFY,),
    None: (Operation.KEYGEN, Operation.AGREE),
}


def of_element(element: Element, device: Device, need: Need, role: Role | None, there: Sequence[Offer]) -> Offers:
    """Offers of every scheme that the element serves in this role. ``there``: other offers, for hashes."""
    wanted = _WANTED.get(role, ()) if need in (Need.SIGNATURE, Need.UPDATE, Need.AGREEMENT) else ()
    names = dict.fromkeys(name for task in element.operations for name in task.schemes)
    found = []
    for name in names:
        tasks = [task for operation in wanted if (task := element.task(name, operation)) is not None]
        if tasks and len(tasks) == len(wanted):
            found.append(_offer(element, device, name, tasks, there))
    doubt = "; unverified or assumed where its file says so" if element.unverified else ""
    note = (
        f"{element.implementation}: modelled from catalog/elements/{element.id}.toml ({element.source}{doubt}), with "
        "an assumed driver (catalog/policies/hardware.toml); the processor waits awake"
    )
    if not found:
        return Offers((), (f"{element.implementation} does nothing for this need here; its sleep current counts",))
    drawn = (*element_current(element, State.ACTIVE).notes, *element_current(element, State.STANDBY).notes)
    return Offers(tuple(found), (note, *drawn))


def operations(element: Element, device: Device, there: Sequence[Offer]) -> Offers:
    """All operations of the element, each by itself. ``there``: other offers of the device, for hashes."""
    names = dict.fromkeys(name for task in element.operations for name in task.schemes)
    found = [
        replace(
            _offer(element, device, name, [task for task in element.operations if name in task.schemes], there),
            beside=(),
        )
        for name in names
    ]
    return Offers(tuple(found), (f"{element.implementation}: modelled from catalog/elements/{element.id}.toml",))


def part_of(element: Element, tasks: Sequence[Task]) -> Part:
    """What the element draws for these operations, from waking to the last answer."""
    bus, own = total(_bus(element, task) for task in tasks), total(task.seconds.interval for task in tasks)
    talking, working = element_current(element, State.STANDBY), element_current(element, State.ACTIVE)
    charge, seconds = bus * talking.amps + own * working.amps, bus + own
    # Bounds of the charge are kept: those of time and of the mean current follow from them.
    amps = Interval(*(part / seconds.typical for part in (charge.low, charge.typical, charge.high)))
    return Part(PART, seconds.typical, replace(working, amps=amps, notes=(*working.notes, *talking.notes)))


def asleep(element: Element) -> Drawn:
    """What the element draws all the time."""
    return element_current(element, State.SLEEP)


def _bus(element: Element, task: Task) -> Interval:
    """Seconds from sleep to the last byte, without those that the element computes."""
    bits = float(_BITS_A_BYTE * (task.written + task.read + _ADDRESSES * task.commands))
    hz = element.bus.hz
    return element.bus.wake_seconds.interval + Interval(bits / hz.maximum, bits / hz.typical, bits / hz.minimum)


def _offer(element: Element, device: Device, name: str, tasks: Sequence[Task], there: Sequence[Offer]) -> Offer:
    around = driver("element_driver")
    hashed = _hashing(name, there)
    points = {}
    for task in tasks:
        size = _DIGESTED if task.operation in (Operation.SIGN, Operation.VERIFY) else 0
        seconds, flash = _bus(element, task) + task.seconds.interval, around.flash_bytes.interval
        if size and hashed:
            seconds, flash = seconds + hashed[0], flash + hashed[1]
        memory = {
            "flash": flash,
            "static_ram": around.ram_bytes.interval,
            "stack": Interval.exact(0.0),
            "state": Interval.exact(0.0),
        }
        points[task.operation.value, size] = Point(seconds, memory, _origin(element, device, name, task, size))
    return Offer(name, element.implementation, Evidence.MODELLED, points, beside=(part_of(element, tasks),))


def _hashing(name: str, there: Sequence[Offer]) -> tuple[Interval, Interval] | None:
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
