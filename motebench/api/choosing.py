"""Choosing a cipher, for Python and for the command line: errors name options, `motebench.api`
makes them arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, TypeVar

from motebench.api.answers import ChoiceResult, StoredRun
from motebench.api.arguments import Path, Texts, bytes_of, frequency, quantity, seconds, texts
from motebench.base.errors import InputError

if TYPE_CHECKING:
    from motebench.advise.choice.question import Need
    from motebench.catalog.shelf import EntryT, Shelf

EnumT = TypeVar("EnumT", bound=StrEnum)

LONGEST_MESSAGE = 2**24
LONGEST_IMAGE = 2**28


def choose(
    device: str,
    message: int | None = None,
    *,
    every: float | str | None = None,
    lorawan: str | None = None,
    dr: int | None = None,
    link: str | None = None,
    radio: str | None = None,
    power: float | None = None,
    transmissions: float = 1.0,
    fragment: bool = False,
    network: str | None = None,
    battery: str | None = None,
    converter: str | None = None,
    clock: float | str | None = None,
    voltage: float | str | None = None,
    sleep_current: float | str | None = None,
    need: str = "aead",
    role: str | None = None,
    until: str | None = None,
    strength: int = 0,
    policy: str = "current",
    constant_time: bool = False,
    research: bool = False,
    equal: float | None = None,
    flash: int | str | None = None,
    ram: int | str | None = None,
    max_latency: float | str | None = None,
    rank: str | None = None,
    nonce: str | None = None,
    tag_bytes: int | None = None,
    schemes: Texts = (),
    implementations: Texts = (),
    has: Texts = (),
    sensitivity: bool = False,
    checklist: str | None = None,
    element: str | None = None,
    element_off: bool = False,
    protect_key: bool = False,
    results: StoredRun | Sequence[StoredRun] | None = None,
    catalog: Path | None = None,
) -> ChoiceResult:
    """Choose a cipher for a device that sends messages. docs/explain/choice.md explains limits,
    status, order and ties.

    device, radio (the device's own, or a usual one, unless given), lorawan (a region), battery:
    names of the catalog, or of files in the folder ``catalog``. link: another radio than LoRaWAN,
    ``"ble:1m"``, ``"thread"``, ``"lora:SF9BW125"``. message: bytes before encryption. every: from
    one message to the next, and max_latency: of the processor, at most, in seconds or as
    ``"10min"``. dr: data rate of the region. power: dBm; the highest that
    is allowed unless given. transmissions: how often each frame is sent. fragment: messages may be
    sent in several frames. network: whose own rules hold beside the region's. sleep_current:
    amperes or ``"5uA"``. clock, voltage: of the device, in Hz and V or as ``"8MHz"``, ``"3.3V"``.
    converter: between battery and device, ``"tps62740"``, ``"90%,360nA"`` or ``"linear,1.6uA"``.

    need: ``"aead"``, ``"encryption"``, ``"mac"``, ``"hash"``, ``"signature"``, ``"agreement"``,
    ``"kem"`` or ``"update"``, whose ``message`` is the length of the image. role: what the device
    does with a signature or a KEM: ``"sign"``, ``"verify"``, ``"encapsulate"``, ``"decapsulate"``.
    until: the last day of service, as ``"2041"`` or ``"2041-06-30"``. strength: bits at least.
    policy: which security status is admitted. research: also implementations that are not for
    products. equal: the share of what decides, 0 to 1, by which equal candidates may differ; 0.01
    unless given. flash, ram: at most, in bytes or as ``"16 KiB"``; the device's own unless given.
    rank: what decides, or weights: ``"life=3,flash=1"``. nonce: ``"carried"`` or ``"counter"``.
    tag_bytes: a shorter tag. schemes, implementations: patterns of the candidates. has: code that
    the product has already: ``"lorawan,sha256"``. sensitivity: the document also says which input
    decides. checklist: it also lists the provisions of ``"etsi-en-303-645"`` or ``"cra"``. element:
    a secure element on the board, ``"atecc608b"``. element_off: its supply is switched off between
    uses. protect_key: the key must not be readable, so it is in the element. results: a run of
    yours beside the reference results, or the runs of a group, as `measure_runs` returns them.

    Raises InputError for what cannot be asked. Where nothing keeps all limits,
    `ChoiceResult.chosen` is None.
    """
    from motebench.advise.choice.choosing import answer
    from motebench.advise.choice.question import Need, Role
    from motebench.advise.choice.request import ChoiceRequest, last_day
    from motebench.advise.radio.links import LinkRequest, asked
    from motebench.advise.radio.message import Nonce
    from motebench.catalog.currents import operated
    from motebench.catalog.devices import DEVICES
    from motebench.catalog.parts import BATTERIES, ELEMENTS, behind, converter_of

    own = None if catalog is None else FilePath(catalog)
    runs = [results] if isinstance(results, StoredRun) else list(results or ())
    needed = _one_of(Need, need, "--need")
    length = _length(message, needed)
    volts = quantity(voltage, "V", "--voltage")
    chosen_device = operated(
        DEVICES.find(device, own, where="--device"), frequency(clock, "--clock"), volts
    )
    around = LinkRequest(
        device=chosen_device,
        radio=radio,
        power_dbm=power,
        transmissions=transmissions,
        fragment=fragment,
        own=own,
    )
    air = asked(around, link=link, lorawan=lorawan, dr=dr, network=network)

    def named(name: str | None, shelf: Shelf[EntryT], where: str) -> EntryT | None:
        return None if name is None else shelf.find(name, own, where=where)

    powered = named(battery, BATTERIES, "--battery")
    if converter is not None:
        if powered is None:
            raise InputError("there is no battery", where="--converter", hint="add --battery")
        powered = behind(powered, converter_of(converter, own), chosen_device, volts)

    request = ChoiceRequest(
        device=chosen_device,
        message_bytes=length,
        every_s=seconds(every, "--every"),
        link=air,
        battery=powered,
        sleep_amps=quantity(sleep_current, "A", "--sleep-current"),
        need=needed,
        role=_one_of_or_none(Role, role, "--role"),
        until=last_day(until, where="--until"),
        policy=policy,
        strength_bits=strength,
        constant_time=constant_time,
        research=research,
        equal=_share(equal),
        flash=bytes_of(flash, "--flash"),
        ram=bytes_of(ram, "--ram"),
        max_latency_s=seconds(max_latency, "--max-latency"),
        rank=rank,
        nonce=_one_of_or_none(Nonce, nonce, "--nonce"),
        tag_bytes=tag_bytes,
        schemes=texts(schemes, "--scheme"),
        implementations=texts(implementations, "--implementation"),
        has=texts(has, "--has"),
        sensitivity=sensitivity,
        checklist=checklist,
        element=named(element, ELEMENTS, "--with"),
        element_off=element_off,
        protect_key=protect_key,
        runs=[run.stored for run in runs],
        store=runs[0].store if runs else "",
    )
    return ChoiceResult(answer(request))


def _share(given: float | None) -> float | None:
    if given is None or (not isinstance(given, bool) and 0 <= given < 1):
        return given
    raise InputError(f"{given!r} is not a share", where="--equal", valid="from 0 to below 1")


def _one_of(kind: type[EnumT], given: str, where: str) -> EnumT:
    try:
        return kind(given)
    except ValueError:
        valid = ", ".join(member.value for member in kind)
        raise InputError(f"{given!r} is not known", where=where, valid=valid) from None


def _one_of_or_none(kind: type[EnumT], text: str | None, where: str) -> EnumT | None:
    return None if text is None else _one_of(kind, text, where)


def _length(message: int | None, need: Need) -> int:
    """Bytes of a message or an image; 0 for a need without one. InputError for an invalid
    length.
    """
    from motebench.advise.choice.question import Need

    if message is None:
        if need not in (Need.AGREEMENT, Need.KEM):
            valid = "bytes of a message, or of the image of an update"
            raise InputError("must be given", where="--message", valid=valid)
        return 0
    most = LONGEST_IMAGE if need is Need.UPDATE else LONGEST_MESSAGE
    if isinstance(message, bool) or not isinstance(message, int) or not 0 <= message <= most:
        wrong = f"{message!r} is not a length of a message in bytes"
        raise InputError(wrong, where="--message", valid=f"0 to {most}")
    return message
