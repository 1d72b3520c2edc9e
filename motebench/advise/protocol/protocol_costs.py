"""Costs of protocols as a document: messages, operations, energy, latency, years of life."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.modelled import asleep, part_of
from motebench.advise.energy.battery import life, raising
from motebench.advise.energy.consumption import cipher, notes
from motebench.advise.protocol.steps import DeviceResults, Flown, Timed, compute_time, fly
from motebench.advise.radio.link import EnergyPart, RadioLink
from motebench.advise.radio.lorawan import LorawanLink
from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.quantities import Interval, total
from motebench.base.units import DAY_S
from motebench.catalog.currents import (
    Drawn,
    active,
    given_sleep,
    own_current,
    remarks_on,
    sleep_currents,
)
from motebench.catalog.devices import Device
from motebench.catalog.parts import Battery, Element
from motebench.catalog.protocolfile import Published
from motebench.catalog.protocols import Exchange, NamedValue, Settings, every, exchange
from motebench.documents.costs import (
    AirEntry,
    FieldEntry,
    OperationEntry,
    ProtocolEntry,
    ProtocolSentEntry,
    ProtocolsEntry,
    RepeatedEntry,
)
from motebench.results import formulas

_BASELINES = {"handshake": "lorawan-join", "message": "lorawan-data"}
"""Exchange that a LoRaWAN device does anyway, by purpose."""


@dataclass(frozen=True, slots=True)
class ProtocolQuestion:
    """Question about protocols under settings, on a device with a radio and a battery, as far as
    given.

    settings: by name, or by ``protocol:name`` for one of them. every_s: seconds from one exchange
    to the next. sleep_amps: of everything that sleeps, in place of the files'. element: a secure
    element beside the processor. implementations: patterns; empty: the most mature one. research:
    also implementations that are not for products. baseline: LoRaWAN's own protection beside the
    others.
    """

    protocols: Sequence[NamedValue]
    settings: Settings
    device: Device | None = None
    link: RadioLink | None = None
    every_s: float | None = None
    battery: Battery | None = None
    sleep_amps: float | None = None
    element: Element | None = None
    implementations: Sequence[str] = ()
    research: bool = False
    baseline: bool = True


@dataclass(frozen=True, slots=True)
class CostedExchange:
    """A protocol with its costs, and the consumers of current behind its energy."""

    entry: ProtocolEntry
    parts: tuple[EnergyPart, ...]


def costed(question: ProtocolQuestion) -> tuple[CostedExchange, ...]:
    """The protocols of a question in its order, without a baseline. InputError as for `costs`."""
    chosen = _exchanges(question)
    library = _results(question, chosen)
    return tuple(
        _costed(named, computed, question, library, is_requested=True) for named, computed in chosen
    )


def costs(question: ProtocolQuestion) -> ProtocolsEntry:
    """The answer. InputError for settings that no protocol has, for unknown currents, and for an
    exchange that takes longer than its interval."""
    _check_settings(question)
    chosen = _exchanges(question)
    baselines = _baselines(question)
    library = _results(question, (*chosen, *baselines))
    if library is not None:
        _check_patterns(library)
    entries = [
        _costed(named, computed, question, library, is_requested=True).entry
        for named, computed in chosen
    ]
    left_out = []
    for named, computed in baselines:
        try:
            other = _costed(named, computed, question, library, is_requested=False)
            entries.append(other.entry)
        except InputError as error:
            left_out.append(f"without {named.id}: {error.what}")
    link, drawn = question.link, _drawn(question)
    return ProtocolsEntry(
        device=question.device.id if question.device else None,
        link=link.name if link else None,
        region=link.region.id if isinstance(link, LorawanLink) else None,
        data_rate=link.rate.dr if isinstance(link, LorawanLink) else None,
        protocols=tuple(entries),
        notes=tuple(
            dict.fromkeys(
                [
                    *(library.notes if library else ()),
                    *left_out,
                    *_air_notes(question),
                    *drawn,
                    *(note for named in question.protocols for note in _apart(named, question)),
                ]
            )
        ),
    )


def _settings(named: NamedValue, question: ProtocolQuestion) -> dict[str, int | str]:
    """Settings of the profile, then the user's general ones that this protocol has, then the user's
    for this protocol alone.
    """
    has = _has(named)
    of_all = {name: value for name, value in question.settings.items() if name in has}
    ids = (named.protocol.id, named.id)
    own = {
        name.partition(":")[2]: value
        for name, value in question.settings.items()
        if ":" in name and name.partition(":")[0].casefold() in ids
    }
    return {**named.settings, **of_all, **own}


def _apart(named: NamedValue, question: ProtocolQuestion) -> Iterator[str]:
    """Settings in which a protocol differs from the nearest published figures of its profile."""
    protocol, settings = named.protocol, _settings(named, question)
    given: dict[str, int | str] = {
        **{parameter.name: parameter.default for parameter in protocol.parameters},
        **{choice.name: choice.default for choice in protocol.choices},
        **settings,
    }
    differing = [
        (_unlike(entry, given), entry)
        for entry in protocol.published
        if entry.bytes
        and all(entry.settings.get(name) == value for name, value in named.settings.items())
    ]
    if not named.settings or not differing:
        return
    others, entry = min(differing, key=lambda pair: len(pair[0]))
    # The identity of a shared key makes no difference where none is sent.
    base = exchange(protocol, settings).messages
    counting = {
        name: value
        for name, value in others.items()
        if exchange(protocol, {**settings, name: value}).messages != base
    }
    if counting:
        mine = ", ".join(f"{name}={given.get(name)}" for name in counting)
        theirs = " ".join(f"--set {name}={value}" for name, value in counting.items())
        yield (
            f"{named.id} has {mine}, unlike {entry.source.document} ({entry.source.section}): "
            f"{theirs} compares with it"
        )


def _unlike(entry: Published, given: Settings) -> dict[str, int | str]:
    """Settings of a published figure that are not the ``given`` ones."""
    return {
        name: value for name, value in entry.settings.items() if str(given.get(name)) != str(value)
    }


def _has(named: NamedValue) -> set[str]:
    return {setting.name for setting in named.protocol.parameters} | {
        setting.name for setting in named.protocol.choices
    }


def _exchanges(question: ProtocolQuestion) -> list[tuple[NamedValue, Exchange]]:
    """Requested protocols, as exchanges of messages."""
    return [
        (named, exchange(named.protocol, _settings(named, question)))
        for named in question.protocols
    ]


def _results(
    question: ProtocolQuestion, exchanges: Sequence[tuple[NamedValue, Exchange]]
) -> DeviceResults | None:
    """The results of the device for the operations of the exchanges; None without a device."""
    if question.device is None:
        return None
    return DeviceResults.of(
        question.device,
        [operation for _, computed in exchanges for operation in computed.operations],
        question.implementations,
        research=question.research,
        element=question.element,
    )


def _check_settings(question: ProtocolQuestion) -> None:
    """InputError for settings that no protocol has, and for those of protocols that were not
    requested.
    """
    names = {name for named in question.protocols for name in _has(named)}
    ids = {name: None for named in question.protocols for name in (named.id, named.protocol.id)}
    for setting in question.settings:
        protocol, colon, _ = setting.partition(":")
        if colon and protocol.casefold() not in ids:
            valid = ", ".join(ids)
            raise InputError(
                f"protocol {protocol!r} is not in this comparison", where="--set", valid=valid
            )
        if not colon and setting not in names:
            raise InputError(
                f"no setting is called {setting!r} in "
                f"{', '.join(named.id for named in question.protocols)}",
                where="--set",
                valid=", ".join(sorted(names)),
                hint=did_you_mean(setting, names),
            )


def _check_patterns(library: DeviceResults) -> None:
    if library.patterns and not any(list(library.only(offer.scheme)) for offer in library.offers):
        names = sorted({offer.implementation for offer in library.offers if offer.points})
        raise InputError(
            f"no results of {', '.join(library.patterns)}",
            where="--implementation",
            valid=", ".join(names) or "none",
        )


def _baselines(question: ProtocolQuestion) -> list[tuple[NamedValue, Exchange]]:
    """LoRaWAN's own protection, for each requested purpose."""
    if not isinstance(question.link, LorawanLink) or not question.baseline:
        return []
    ids = {named.id for named in question.protocols}
    baselines = dict.fromkeys(
        _BASELINES[p] for p in (n.protocol.purpose for n in question.protocols) if p in _BASELINES
    )
    by_name = every()
    named = [by_name[name] for name in baselines if name not in ids]
    return [
        (baseline, exchange(baseline.protocol, _settings(baseline, question))) for baseline in named
    ]


def _costed(
    named: NamedValue,
    exchange: Exchange,
    question: ProtocolQuestion,
    library: DeviceResults | None,
    *,
    is_requested: bool,
) -> CostedExchange:
    timed = (
        library.timed(exchange.operations)
        if library
        else [Timed(work, None) for work in exchange.operations]
    )
    seconds, complete = compute_time(timed)
    flown = fly(exchange, question.link) if question.link else None
    parts = _parts(question, seconds, flown, timed)
    compute = seconds if any(timed_work.seconds is not None for timed_work in timed) else None
    repeated, warnings = _repeated(question, parts)
    entry = ProtocolEntry(
        id=named.id,
        name=named.name,
        purpose=named.protocol.purpose,
        baseline=named.protocol.baseline,
        asked=is_requested,
        settings=dict(exchange.settings),
        messages=_messages(exchange, flown),
        sent_bytes=exchange.sent_by("device"),
        received_bytes=exchange.sent_by("peer"),
        operations=tuple(_operation(timed_work) for timed_work in timed),
        compute_s=compute,
        complete=complete and library is not None,
        air=_air(flown),
        energy_j=_energies(parts),
        latency_s=_latency(compute, flown),
        repeated=repeated,
        published=_published(named),
        warnings=(
            *_lacking(timed, library),
            *(flown.warnings if flown else ()),
            *_limits(question, flown),
            *warnings,
        ),
    )
    return CostedExchange(entry, tuple(parts))


def _energies(parts: Sequence[EnergyPart]) -> dict[str, Interval]:
    """Joules by part, where the voltage is known."""
    energies: dict[str, Interval] = {}
    for part in parts:
        if part.drawn.volts:
            more = energies.get(part.name)
            energies[part.name] = part.energy_j if more is None else more + part.energy_j
    return energies


def _published(named: NamedValue) -> tuple[str, ...]:
    """Sources that the lengths of the protocol are checked against, under settings that do not
    contradict the profile.
    """
    return tuple(
        dict.fromkeys(
            str(published.source)
            for published in named.protocol.published
            if not published.unverified
            and all(
                published.settings.get(name, value) == value
                for name, value in named.settings.items()
            )
        )
    )


def _messages(exchange: Exchange, flown: Flown | None) -> tuple[ProtocolSentEntry, ...]:
    carried = flown.carried if flown else (None,) * len(exchange.messages)
    return tuple(
        ProtocolSentEntry(
            name=message.name,
            sender=message.sender,
            times=message.times,
            bytes=message.bytes,
            carried_bytes=message.carried_bytes,
            fields=tuple(
                FieldEntry(
                    name=part.name,
                    bytes=part.bytes,
                    layer=part.layer,
                    source=str(part.source),
                    unverified=part.unverified,
                )
                for part in message.parts
            ),
            frames=len(flight.frames) if flight else None,
            time_on_air_ms=float(flight.time_ms) if flight else None,
        )
        for message, flight in zip(exchange.messages, carried, strict=True)
    )


def _operation(timed: Timed) -> OperationEntry:
    work = timed.work
    return OperationEntry(
        statement=work.statement,
        scheme=work.scheme,
        operation=work.operation.value,
        count=work.count,
        bytes=work.bytes,
        aad_bytes=work.aad,
        source=str(work.source),
        implementation=timed.implementation,
        seconds=timed.seconds,
        note=timed.note,
    )


def _parts(
    question: ProtocolQuestion, seconds: Interval, flown: Flown | None, timed: Sequence[Timed] = ()
) -> list[EnergyPart]:
    """Consumers of current during the exchange."""
    parts: list[EnergyPart] = []
    drawn = active(question.device) if question.device else None
    if drawn is not None and seconds.typical > 0:
        stretch = Interval(seconds.low / seconds.typical, 1.0, seconds.high / seconds.typical)
        parts.append(cipher(seconds.typical, drawn, stretch))
    element = question.element
    if element is not None:
        done = [
            timed_work.work
            for timed_work in timed
            if timed_work.implementation == element.implementation
        ]
        tasks = [
            task
            for work in done
            if (task := element.task(work.scheme, work.operation)) is not None
            for _ in range(work.count)
        ]
        parts += [part_of(element, tasks)] if tasks else []
    if flown is not None and question.link is not None:
        parts += flown.parts(question.link)
    return parts


def _air(flown: Flown | None) -> AirEntry | None:
    if flown is None:
        return None
    return AirEntry(
        frames=flown.frames,
        empty_uplinks=flown.empty_uplinks,
        on_air_s=flown.air_s,
        windows_s=flown.windows_s,
        duty_wait_s=flown.duty_wait_s,
    )


def _latency(compute: Interval | None, flown: Flown | None) -> Interval | None:
    if flown is None:
        return compute
    air = Interval.exact(flown.latency_s)
    return air if compute is None else compute + air


def _repeated(
    question: ProtocolQuestion, parts: Sequence[EnergyPart]
) -> tuple[RepeatedEntry | None, tuple[str, ...]]:
    """Energy of a year, and the life of a battery that feeds nothing else."""
    every_s, battery = question.every_s, question.battery
    powered = [part for part in parts if part.drawn.volts]
    if every_s is None or not powered:
        return None, ()
    times = formulas.YEAR_S / every_s
    entry = RepeatedEntry(
        every_s=every_s,
        a_year=times,
        energy_a_year_j=total(part.energy_j for part in powered) * times,
        battery=battery.id if battery else None,
        charge_share_a_year=None,
        life_years=None,
    )
    if battery is None:
        return entry, ()
    answer = life(battery, asleep_currents(question), parts, every_s)
    charge = total(part.charge_c * raising(battery, part.drawn) for part in parts).typical * times
    usable = battery.capacity.typical * formulas.HOUR_S * battery.usable.typical
    return replace(
        entry, charge_share_a_year=charge / usable, life_years=answer.years
    ), answer.warnings


def asleep_currents(question: ProtocolQuestion) -> list[Drawn]:
    """The currents that flow between exchanges."""
    radio, alive = (question.link.radio, question.link.idle()) if question.link else (None, ())
    own = own_current(question.battery)
    if question.sleep_amps is not None:
        return [given_sleep(question.sleep_amps, question.device, radio), *own, *alive]
    beside = [asleep(question.element)] if question.element is not None else []
    return [*sleep_currents(question.device, radio), *beside, *own, *alive]


def _lacking(timed: Sequence[Timed], library: DeviceResults | None) -> list[str]:
    """Operations without a result, by what is missing."""
    if library is None:
        return []
    counts: dict[str, int] = {}
    for timed_work in timed:
        if timed_work.seconds is None:
            text = f"{timed_work.work.scheme} {timed_work.work.operation.value}: {timed_work.note}"
            counts[text] = counts.get(text, 0) + timed_work.work.count
    if timed and not any(timed_work.seconds is not None for timed_work in timed):
        return [
            (
                "no operation has a result on this device, so no times: motebench choose lists the "
                "devices that have some"
            )
        ]
    return [
        f"{text} ({count}x); times and energy are lower bounds" for text, count in counts.items()
    ]


def _limits(question: ProtocolQuestion, flown: Flown | None) -> list[str]:
    """Limits that an exchange in this interval breaks."""
    every_s, link = question.every_s, question.link
    if flown is None or link is None or every_s is None:
        return []
    reasons = []
    band = link.band
    network = link.network if isinstance(link, LorawanLink) else None
    if band is not None and flown.sent_s / band.duty_cycle > every_s:
        reasons.append(f"an exchange every {every_s:g} s breaks the duty cycle of {band.name} MHz")
    if network is not None:
        a_day = max(DAY_S / every_s, 1.0)
        if flown.sent_s * a_day > network.uplink_s_per_day:
            sent = f"{flown.sent_s * a_day:.3g} s of uplinks a day"
            reasons.append(f"{sent}, and {network.name} allows {network.uplink_s_per_day:g} s")
        if (
            network.downlinks_per_day is not None
            and flown.downlinks * a_day > network.downlinks_per_day
        ):
            received = f"{flown.downlinks * a_day:.3g} downlinks a day"
            reasons.append(f"{received}, and {network.name} allows {network.downlinks_per_day}")
    return reasons


def _air_notes(question: ProtocolQuestion) -> list[str]:
    link = question.link
    if link is None:
        return []
    if not isinstance(link, LorawanLink):
        return [
            f"{link.name}: lost frames, and the peer's work are left out",
            *link.notes(),
        ]
    return [
        f"LoRaWAN {link.region.name} DR{link.rate.dr} ({link.rate.words}), class A: a downlink "
        "frame needs an uplink "
        "before it; losses, acknowledgements, and the peer's work and duty cycle are left out",
    ]


def _drawn(question: ProtocolQuestion) -> list[str]:
    """Notes on currents."""
    parts = _parts(question, Interval.exact(1.0), None)
    sleeping = (
        asleep_currents(question)
        if question.battery is not None and question.every_s is not None
        else []
    )
    return [
        *remarks_on(question.device),
        *notes(parts),
        *(note for drawn in sleeping for note in drawn.notes),
    ]
