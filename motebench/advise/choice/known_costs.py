"""Known costs of a scheme on a device: every implementation with results, the fastest first.
Nothing is built or run.

Results are those that `motebench choose` goes by: the reference results of the device, or those of
its stand-in with bounds. Flash and RAM are without what the probe adds. RAM has the keys,
ciphertexts and signatures that the caller of the operation holds, because a part that has no room
for them has none for the operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice.candidate import Cost, SchemeOffer
from motebench.advise.choice.combining import held
from motebench.advise.choice.estimates import cost, with_length
from motebench.advise.choice.measured import devices_with_results, of_device
from motebench.advise.choice.names import level_words, other_level
from motebench.advise.choice.question import Role
from motebench.advise.reference.table import of_schemes, references
from motebench.base.errors import InputError
from motebench.base.model import Operation, Scheme
from motebench.base.quantities import Interval, total
from motebench.catalog import schemes, sizes_of
from motebench.catalog.currents import remarks_on
from motebench.catalog.devices import Device
from motebench.documents.known import KnownCostEntry, KnownCostsEntry, KnownFailureEntry

USUAL_BYTES = 64
"""The length of messages where none is named: the longest of a sensor that every board has results
of."""
_RAM = ("stack", "state", "static_ram", "buffers")
_ROLES = {
    Operation.SIGN: Role.SIGN,
    Operation.VERIFY: Role.VERIFY,
    Operation.ENCAPSULATE: Role.ENCAPSULATE,
    Operation.DECAPSULATE: Role.DECAPSULATE,
}


def known_costs(
    scheme: Scheme, device: Device, operations: Sequence[Operation] = (), size: int | None = None
) -> KnownCostsEntry:
    """The costs of a scheme on a device. InputError for a device without results, or an operation
    that the scheme does not have.

    operations: all by default. size: bytes of the message; of what takes none, and of public keys
    without it, as it was measured.
    """
    _check_operations(scheme, operations)
    offers = of_device(device, None, {scheme.name}, levels=True)
    if offers is None:
        raise _no_results(device)
    order = list(scheme.operations)
    selected = [name for name in order if not operations or name in operations]
    if size is not None and not any(operation.sized for operation in selected):
        raise InputError(
            f"no selected operation of {scheme.name} takes a message of a chosen length",
            where="--size",
            hint="leave --size out",
        )
    entries = [
        entry for offer in offers.offers for entry in _entries(offer, selected, device, size)
    ]
    entries.sort(
        key=lambda entry: (
            order.index(Operation(entry.operation)),
            entry.fits == "no",
            entry.seconds.typical,
        )
    )
    return KnownCostsEntry(
        scheme=scheme.name,
        device=device.id,
        clock_hz=device.clock_hz,
        flash_bytes=device.flash_bytes,
        ram_bytes=device.ram_bytes,
        sizes=_sizes(scheme),
        costs=tuple(entries),
        failures=tuple(_failures(offers.offers, entries)),
        notes=(*remarks_on(device), *offers.notes, *_level_notes(scheme, entries)),
    )


def _level_notes(scheme: Scheme, entries: Sequence[KnownCostEntry]) -> list[str]:
    """A note on the optimisation level of the fastest entry; none without one, and none if results
    of another level are among the entries."""
    names = {entry.implementation for entry in entries}
    remarks = [
        level_words(
            entry.target, entry.implementation, scheme.name, entry.operation, entry.input_bytes
        )
        for entry in entries[:1]
        if entry.source and not any(other_level(entry.implementation, name) for name in names)
    ]
    return [text for text in remarks if text is not None]


def known_already(names: Sequence[str], targets: Sequence[str]) -> tuple[str, str] | None:
    """The first scheme and device of a question that have reference results; None if there is
    none."""
    if not names:
        return None
    for target in targets:
        entries = of_schemes(target, names).entries.values() if target in references() else ()
        scheme = next(
            (entry.scheme for entry in entries if entry.scheme in names and entry.values), None
        )
        if scheme is not None:
            return scheme, target.removeprefix("sim:")
    return None


def _check_operations(scheme: Scheme, operations: Sequence[Operation]) -> None:
    for operation in operations:
        if operation not in scheme.operations:
            raise InputError(
                f"{scheme.name} has no operation {operation.value!r}",
                where="--operation",
                valid=", ".join(operation.value for operation in scheme.operations),
            )


def _failures(
    offers: Sequence[SchemeOffer], costs: Sequence[KnownCostEntry]
) -> Iterator[KnownFailureEntry]:
    """The implementations that have no result of an operation that others have, with the reason."""
    with_results = {(entry.implementation, entry.operation) for entry in costs}
    measured = {entry.operation for entry in costs}
    for offer in offers:
        complete = measured and all(
            (offer.implementation, operation) in with_results for operation in measured
        )
        if offer.failure and not complete:
            yield KnownFailureEntry(implementation=offer.implementation, reason=offer.failure)


def _sizes(scheme: Scheme) -> dict[str, int]:
    """Sizes of the scheme in bytes, without those that are 0."""
    private = next(
        (
            facts.private
            for facts in (scheme.kem, scheme.signing, scheme.agreement)
            if facts is not None
        ),
        None,
    )
    own = {
        "key": scheme.key_bytes,
        "nonce": scheme.nonce_bytes,
        "tag": scheme.tag_bytes,
        "private-key": private or 0,
    }
    return {name: count for name, count in {**sizes_of(scheme), **own}.items() if count}


def _entries(
    offer: SchemeOffer, operations: Sequence[Operation], device: Device, size: int | None
) -> Iterator[KnownCostEntry]:
    for operation in operations:
        sizes = offer.sizes(operation)
        if not sizes:
            continue
        length, cost = _cost(offer, operation, sizes, size)
        if cost is None:
            continue
        cost = replace(
            cost,
            memory={
                **cost.memory,
                "buffers": Interval.exact(float(_held(offer.scheme, operation))),
            },
        )
        origin = cost.origins[0]
        yield KnownCostEntry(
            operation=operation.value,
            implementation=offer.implementation,
            input_bytes=length,
            seconds=cost.seconds,
            cycles=_whole(cost.seconds * float(device.clock_hz)),
            flash_bytes=_size(cost.memory.get("flash")),
            ram_bytes=_size(_ram(cost)),
            stack_bytes=_size(cost.memory.get("stack")),
            fits=_fits(cost, device),
            evidence=cost.evidence.value,
            source=getattr(origin, "file", ""),
            target=origin.target,
            note="; ".join(note for note in (cost.note, cost.places) if note),
        )


def _held(name: str, operation: Operation) -> int:
    """Bytes of RAM that the caller of the operation holds in addition to messages."""
    scheme = schemes()[name]
    if operation is Operation.KEYGEN:
        own = scheme.kem or scheme.signing or scheme.agreement
        return own.public + (own.private or 0) if own is not None else 0
    return sum(held(scheme, _ROLES.get(operation))[1].values())


def _whole(interval: Interval) -> Interval:
    return Interval(*(float(round(end)) for end in (interval.low, interval.typical, interval.high)))


def _size(interval: Interval | None) -> Interval | None:
    return None if interval is None else _whole(interval)


def _ram(cost: Cost) -> Interval | None:
    parts = [cost.memory[name] for name in _RAM if name in cost.memory]
    return total(parts) if len(parts) == len(_RAM) else None


def _fits(cost: Cost, device: Device) -> str:
    sizes = ((cost.memory.get("flash"), device.flash_bytes), (_ram(cost), device.ram_bytes))
    if any(size is not None and size.low > most for size, most in sizes):
        return "no"
    return "yes" if all(size is not None and size.high <= most for size, most in sizes) else "maybe"


def _cost(
    offer: SchemeOffer, operation: Operation, sizes: Sequence[int], size: int | None
) -> tuple[int, Cost | None]:
    """Length, and its cost; None without a result for it."""
    if sizes[-1] == 0 or (size is None and USUAL_BYTES not in sizes):
        return sizes[-1], cost(offer, operation, sizes[-1])
    length = USUAL_BYTES if size is None else size
    if operation in (Operation.SIGN, Operation.VERIFY):
        return length, with_length(offer, operation, length)
    return length, cost(offer, operation, length)


def _no_results(device: Device) -> InputError:
    return InputError(
        f"there are no results for {device.id}",
        where="DEVICE",
        valid=f"with reference results: {', '.join(devices_with_results())}",
        hint="measure it: motebench run --help",
    )
