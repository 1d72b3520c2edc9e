"""The choice for a connection: credentials, handshake and messages in one question.

`connect` costs each way of ``catalog/policies/connections.toml`` by the models of protocols, adds a
year of handshakes and messages, leaves out what cannot keep a secret or authenticate for as long as
asked, and puts the rest in order of life, energy or bytes.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.candidate import NONE, SchemeOffer
from motebench.advise.choice.decision import span_words
from motebench.advise.choice.names import (
    bounded,
    percent,
    rounded,
    words_of_battery,
    words_of_device,
)
from motebench.advise.choice.question import Demands, Need
from motebench.advise.choice.standings import Standings
from motebench.advise.energy.battery import life
from motebench.advise.protocol.protocol_costs import (
    CostedExchange,
    ProtocolQuestion,
    asleep_currents,
    costed,
)
from motebench.advise.radio.link import EnergyPart, RadioLink
from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.base.quantities import Interval, total
from motebench.catalog import schemes
from motebench.catalog.devices import Device
from motebench.catalog.parts import Battery
from motebench.catalog.policies import (
    CertificateSize,
    ConnectionWay,
    CredentialKind,
    connections,
    policy,
)
from motebench.catalog.protocols import NamedValue, find
from motebench.documents.choice import (
    CREDENTIALS,
    ConnectionEntry,
    ConnectionQuestionEntry,
    ConnectionWayEntry,
    DecisionAlternative,
    DecisionEntry,
    DecisionFigure,
)
from motebench.results import formulas

# The question


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionRequest:
    """Request for a connection. Seconds from one message to the next, and from one handshake to the
    next. until: last day of service, for authentication. secret_until: last day on which a record
    of today must be secret. intermediates: certificates in a chain beside the peer's own.
    """

    device: Device
    message_bytes: int
    every_s: float
    handshake_every_s: float
    credentials: Sequence[str] = CREDENTIALS
    link: RadioLink | None = None
    battery: Battery | None = None
    sleep_amps: float | None = None
    policy: str = "current"
    until: datetime.date | None = None
    secret_until: datetime.date | None = None
    intermediates: int = 0


@dataclass(frozen=True, slots=True)
class _Costed:
    """A way with one kind of credentials, its costs, and the limits that it breaks."""

    way: ConnectionWay
    credentials: str
    handshake: CostedExchange
    message: CostedExchange
    broken: tuple[str, ...]
    opened_later: bool
    """True if a quantum computer opens a record of it while it must be secret."""
    life_years: Interval | None
    warnings: tuple[str, ...]
    messages_a_year: float
    handshakes_a_year: float

    @property
    def id(self) -> str:
        """Way and credentials."""
        return f"{self.way.id}:{self.credentials}"

    @property
    def handshake_bytes(self) -> int:
        """Bytes of a handshake in both directions."""
        return self.handshake.entry.sent_bytes + self.handshake.entry.received_bytes

    @property
    def message_bytes(self) -> int:
        """Bytes of a message with its record, in both directions."""
        return self.message.entry.sent_bytes + self.message.entry.received_bytes

    @property
    def bytes_a_year(self) -> float:
        """Bytes of a year in both directions."""
        return (
            self.handshake_bytes * self.handshakes_a_year
            + self.message_bytes * self.messages_a_year
        )

    @property
    def joules_a_year(self) -> Interval | None:
        """Joules of a year without sleep; None where no current is known."""
        spent, sent = _joules(self.handshake), _joules(self.message)
        if spent is None or sent is None:
            return None
        return spent * self.handshakes_a_year + sent * self.messages_a_year

    @property
    def handshake_share(self) -> float | None:
        """Share of handshakes in the energy of a year."""
        spent, whole = _joules(self.handshake), self.joules_a_year
        if spent is None or whole is None or not whole.typical:
            return None
        return spent.typical * self.handshakes_a_year / whole.typical

    @property
    def complete(self) -> bool:
        """True if every operation has a result."""
        return self.handshake.entry.complete and self.message.entry.complete

    @property
    def cost(self) -> float:
        """The figure that decides: less is better."""
        if self.life_years is not None:
            return 1 / self.life_years.typical
        joules = self.joules_a_year
        return joules.typical if joules is not None else self.bytes_a_year


def _joules(exchange: CostedExchange) -> Interval | None:
    energies = list(exchange.entry.energy_j.values())
    return total(energies) if energies else None


_EQUAL = 0.01
"""Share of the cost below which ways are equal: bytes of a year decide between them."""


def connect(request: ConnectionRequest) -> ConnectionEntry:
    """The answer. InputError for unknown credentials, and for a message or handshake that the radio
    cannot carry."""
    ways = _ranked(_all_costed(request))
    keeping = [way for way in ways if not way.broken]
    return ConnectionEntry(
        question=_question(request),
        chosen=keeping[0].id if keeping else None,
        decision=_decision(request, ways),
        ways=tuple(_way_entry(way) for way in ways),
        notes=tuple(dict.fromkeys(_notes(request, ways))),
    )


def _all_costed(request: ConnectionRequest) -> list[_Costed]:
    for name in request.credentials:
        if name not in CREDENTIALS:
            raise InputError(
                f"unknown credentials {name!r}", where="--credentials", valid=", ".join(CREDENTIALS)
            )
    pairs = [
        (way, kind)
        for way in connections().ways
        for kind in way.credentials
        if kind in request.credentials
    ]
    messages = sorted({way.message for way, _ in pairs})
    named = [_handshake(way, kind, request.intermediates) for way, kind in pairs]
    payloads = [_of_message(name, request.message_bytes) for name in messages]
    question = ProtocolQuestion(
        protocols=[*named, *payloads],
        settings={},
        device=request.device,
        link=request.link,
        battery=request.battery,
        sleep_amps=request.sleep_amps,
        baseline=False,
    )
    exchanges = costed(question)
    by_message = dict(zip(messages, exchanges[len(named) :], strict=True))
    limits = _Limits(request)
    sleeping = asleep_currents(question) if request.battery is not None else []
    answers = []
    for (way, kind), handshake in zip(pairs, exchanges, strict=False):
        message = by_message[way.message]
        answer = _Costed(
            way,
            kind,
            handshake,
            message,
            tuple(limits.broken(way)),
            limits.opened(way),
            None,
            (),
            formulas.YEAR_S / request.every_s,
            formulas.YEAR_S / request.handshake_every_s,
        )
        if request.battery is not None:
            share = request.every_s / request.handshake_every_s
            parts = [*message.parts, *_scaled(handshake.parts, share)]
            try:
                lived = life(request.battery, sleeping, parts, request.every_s)
            except InputError as error:
                answer = replace(answer, broken=(*answer.broken, error.what))
            else:
                answer = replace(answer, life_years=lived.years, warnings=lived.warnings)
        answers.append(_paced(answer, request))
    return answers


def _scaled(parts: Sequence[EnergyPart], share: float) -> Iterator[EnergyPart]:
    """The parts of a handshake that fall on one message."""
    for part in parts:
        yield replace(part, name=f"handshake {part.name}", times=part.times * share)


def _paced(answer: _Costed, request: ConnectionRequest) -> _Costed:
    """The same with the limits of the radio's band on a year of handshakes and messages."""
    link = request.link
    if link is None or link.band is None:
        return answer
    on_air = (
        _sent_s(answer.handshake) * answer.handshakes_a_year
        + _sent_s(answer.message) * answer.messages_a_year
    )
    if on_air / formulas.YEAR_S <= link.band.duty_cycle:
        return answer
    reason = (
        f"{percent(on_air / formulas.YEAR_S)} of the time on air, and {link.band.name} MHz allows "
        f"{percent(link.band.duty_cycle)}"
    )
    return replace(answer, broken=(*answer.broken, reason))


def _sent_s(exchange: CostedExchange) -> float:
    return sum(part.seconds * part.times for part in exchange.parts if part.name == "transmit")


def _handshake(way: ConnectionWay, kind: str, intermediates: int) -> NamedValue:
    base = find(way.protocol, None)
    settings = dict(way.settings)
    if way.protocol == "tls13" and way.authentication is not None:
        settings["auth"] = "rpk" if kind == "rpk" else "x509"
        if kind != "rpk":
            settings["intermediates"] = intermediates
    size = next((size for size in connections().certificates if size.id == kind), None)
    if size is not None:
        length = _certificate_bytes(size, way.authentication)
        settings.update(dict.fromkeys((*way.sent, *way.hashed), length))
    return NamedValue(f"{way.id}:{kind}", way.words, base.protocol, settings)


def _certificate_bytes(size: CertificateSize, scheme: str | None) -> int:
    """Length of a certificate whose key and signature are of a scheme."""
    signing = schemes()[scheme].signing if scheme is not None else None
    if signing is None or scheme == "ecdsa-p256-sha256":
        return size.bytes
    changed = signing.public - size.key_bytes + signing.signature - size.signature_bytes
    return size.bytes + changed


def _of_message(name: str, length: int) -> NamedValue:
    base = find(name, None)
    return replace(base, settings={**base.settings, "payload": length})


class _Limits:
    """The demands on key agreement and authentication, each judged for its own time."""

    def __init__(self, request: ConnectionRequest) -> None:
        self._request = request
        names = [
            name
            for way in connections().ways
            for name in (way.agreement, way.authentication)
            if name is not None
        ]
        demands = Demands(
            need=Need.AGREEMENT,
            policy=policy(request.policy),
            day=datetime.datetime.now(datetime.UTC).date(),
            until=request.until,
        )
        self._service = Standings(demands, names)
        # A quantum computer opens what is recorded today: the far end of all announced dates.
        far = replace(demands, until=datetime.date.max)
        self._later = Standings(far, names)

    def broken(self, way: ConnectionWay) -> Iterator[str]:
        """The reasons against a way."""
        if way.authentication is not None:
            yield from self._reasons(self._service, way.authentication)
        if way.agreement is not None:
            for limit in self._service.standing((_offer(way.agreement),)).broken:
                if limit.limit == "policy":
                    yield limit.words
        if self.opened(way):
            yield (
                f"who records it today opens {way.agreement} with a quantum computer before "
                f"{self._request.secret_until}"
            )

    def opened(self, way: ConnectionWay) -> bool:
        """True if a quantum computer opens a recorded handshake while it must be secret: its
        agreement is classical, and no pre-shared key is in the secret.
        """
        demanded = self._request.secret_until is not None
        if not demanded or way.agreement is None or way.authentication is None:
            return False
        broken = self._later.standing((_offer(way.agreement),)).broken
        return any(limit.limit == "until" for limit in broken)

    def _reasons(self, standings: Standings, scheme: str) -> Iterator[str]:
        for limit in standings.standing((_offer(scheme),)).broken:
            yield limit.words


def _offer(scheme: str) -> SchemeOffer:
    return SchemeOffer(scheme, NONE, Evidence.MODELLED)


def _ranked(ways: Sequence[_Costed]) -> list[_Costed]:
    """Ways that keep all limits first: those with a result of every operation on the device, as the
    costs of others are lower bounds; then forward secret ones; equal ones by bytes."""

    def group(way: _Costed) -> tuple[bool, bool]:
        return not way.complete, not way.way.forward_secret

    keeping = sorted(
        (way for way in ways if not way.broken), key=lambda way: (group(way), way.cost)
    )
    ordered: list[_Costed] = []
    while keeping:
        first = keeping[0]
        equal = [
            way
            for way in keeping
            if group(way) == group(first) and way.cost <= first.cost * (1 + _EQUAL)
        ]
        best = min(equal, key=lambda way: way.bytes_a_year)
        ordered.append(best)
        keeping.remove(best)
    return [*ordered, *sorted((way for way in ways if way.broken), key=lambda way: way.cost)]


# The answer


def _question(request: ConnectionRequest) -> ConnectionQuestionEntry:
    return ConnectionQuestionEntry(
        device=request.device.id,
        message_bytes=request.message_bytes,
        every_s=request.every_s,
        handshake_every_s=request.handshake_every_s,
        credentials=tuple(request.credentials),
        intermediates=request.intermediates,
        link=request.link.name if request.link else None,
        battery=request.battery.id if request.battery else None,
        policy=request.policy,
        until=request.until.isoformat() if request.until else None,
        secret_until=request.secret_until.isoformat() if request.secret_until else None,
    )


def _way_entry(way: _Costed) -> ConnectionWayEntry:
    handshake = way.handshake.entry
    return ConnectionWayEntry(
        id=way.id,
        words=way.way.words,
        credentials=way.credentials,
        agreement=way.way.agreement,
        authentication=way.way.authentication,
        forward_secret=way.way.forward_secret,
        handshake_bytes=way.handshake_bytes,
        message_bytes=way.message_bytes,
        bytes_a_year=way.bytes_a_year,
        handshake_frames=handshake.air.frames if handshake.air else None,
        handshake_s=handshake.latency_s,
        handshake_j=_joules(way.handshake),
        message_j=_joules(way.message),
        energy_a_year_j=way.joules_a_year,
        handshake_share=way.handshake_share,
        life_years=way.life_years,
        complete=way.complete,
        broken=way.broken,
    )


def _kind(name: str) -> CredentialKind:
    return next(kind for kind in connections().credentials if kind.id == name)


def _name(way: _Costed) -> str:
    return f"{way.way.words}, {_kind(way.credentials).words}"


def _decision(request: ConnectionRequest, ways: Sequence[_Costed]) -> DecisionEntry:
    keeping = [way for way in ways if not way.broken]
    if not keeping:
        reasons = dict.fromkeys(reason for way in ways for reason in way.broken)
        return DecisionEntry(
            question=_question_words(request),
            verdict="none",
            take="no way keeps all limits",
            standing="",
            figures=(),
            decides=tuple(reasons),
            alternatives=tuple(_ways_out(request)),
            rests_on=(),
            before_shipping=(),
        )
    first = keeping[0]
    return DecisionEntry(
        question=_question_words(request),
        verdict="take",
        take=_name(first),
        standing=_standing(first),
        figures=tuple(_figures(first)),
        decides=tuple(_decides(request, first, ways)),
        alternatives=tuple(_alternatives(first, keeping)),
        rests_on=tuple(_rests(request, first)),
        before_shipping=(*first.warnings, *_kind(first.credentials).checks),
    )


def _question_words(request: ConnectionRequest) -> str:
    parts = [
        f"{request.message_bytes:,} B every {span_words(request.every_s)}",
        f"handshake every {span_words(request.handshake_every_s)}",
        *([request.link.name] if request.link else []),
        *([words_of_battery(request.battery)] if request.battery else []),
    ]
    demanded = [
        "need connection",
        f"credentials {', '.join(request.credentials)}",
        f"policy {request.policy}",
        *([f"until {request.until}"] if request.until else []),
        *([f"secret until {request.secret_until}"] if request.secret_until else []),
    ]
    return f"{words_of_device(request.device)}: {', '.join(parts)}; {', '.join(demanded)}"


def _standing(way: _Costed) -> str:
    agreement = way.way.agreement or "no key agreement"
    proof = way.way.authentication or "the pre-shared key"
    forward = "forward secret" if way.way.forward_secret else "not forward secret"
    return f"{way.id}; agreement {agreement}, authentication {proof}; {forward}"


def _figures(way: _Costed) -> Iterator[DecisionFigure]:
    if way.life_years is not None:
        yield DecisionFigure(name="life", words=bounded(way.life_years, "years"))
    joules = way.joules_a_year
    if joules is not None:
        yield DecisionFigure(name="energy a year", words=bounded(joules, "J"))
    air = way.handshake.entry.air
    frames = f" in {air.frames} frames" if air else ""
    seconds = way.handshake.entry.latency_s
    took = f", {bounded(seconds, 's')}" if seconds is not None else ""
    yield DecisionFigure(name="handshake", words=f"{way.handshake_bytes:,} B{frames}{took}")
    yield DecisionFigure(name="message", words=f"{way.message_bytes:,} B")


def _decides(request: ConnectionRequest, first: _Costed, ways: Sequence[_Costed]) -> Iterator[str]:
    share = first.handshake_share
    if share is not None:
        rare = share < _EQUAL
        yield (
            f"handshakes are {percent(share)} of the energy of a year without sleep"
            + (": credentials are a matter of operation, not of energy" if rare else "")
        )
    of_bytes = first.handshake_bytes * first.handshakes_a_year / first.bytes_a_year
    yield (
        f"handshakes are {percent(of_bytes)} of {_kilobytes(first.bytes_a_year)} a year; a "
        f"record adds {first.message_bytes - request.message_bytes} B to a message"
    )
    opened = [way for way in ways if way.opened_later]
    if opened:
        yield (
            f"{len(opened)} of {len(ways)} ways have a key agreement that a quantum computer opens "
            "later: a pre-shared key or ML-KEM must be in the secret"
        )
    aged = [way for way in ways if way.broken and not way.opened_later]
    if aged:
        yield f"{len(aged)} more ways break a limit: {aged[0].broken[0]}"
    if not first.way.forward_secret:
        yield "who reads the key later opens everything that was recorded: no forward secrecy"


def _kilobytes(count: float) -> str:
    return f"{float(f'{count / 1000:.3g}'):,.10g} kB"


def _alternatives(first: _Costed, keeping: Sequence[_Costed]) -> Iterator[DecisionAlternative]:
    """The best way of each other kind of credentials, and a cheaper one without forward
    secrecy."""
    seen = {first.credentials}
    for way in keeping[1:]:
        cheaper = not way.way.forward_secret and first.way.forward_secret and way.cost < first.cost
        if way.credentials in seen and not cheaper:
            continue
        seen.add(way.credentials)
        yield DecisionAlternative(words=_name(way), price=_price(way, first))


def _price(way: _Costed, first: _Costed) -> str:
    prices = []
    if way.life_years is not None and first.life_years is not None:
        change = way.life_years.typical / first.life_years.typical - 1
        prices.append(
            "equal life"
            if abs(change) < _EQUAL
            else f"{percent(abs(change))} {'longer' if change > 0 else 'shorter'} life"
        )
    else:
        times = way.cost / first.cost
        equal = abs(times - 1) < _EQUAL
        prices.append("equal cost" if equal else f"{rounded(times)} times the cost")
    prices.append(f"handshake of {way.handshake_bytes:,} B")
    if first.way.forward_secret and not way.way.forward_secret:
        prices.append("no forward secrecy")
    return "; ".join(prices)


def _rests(request: ConnectionRequest, first: _Costed) -> Iterator[str]:
    """Inputs that would change the answer: a handshake with every message, and lacking results."""
    if request.handshake_every_s > request.every_s:
        often = _ranked(_all_costed(replace(request, handshake_every_s=request.every_s)))
        best = next((way for way in often if not way.broken), None)
        if best is None:
            yield "a handshake with every message breaks a limit of each way"
        else:
            share = best.handshake_share
            beside = f", {percent(share)} of the energy" if share is not None else ""
            same = "stays first" if best.id == first.id else f"puts {_name(best)} first"
            yield f"a handshake with every message {same}{beside}"
    if not first.complete:
        yield "operations without a result on this device: its time and energy are lower bounds"


def _ways_out(request: ConnectionRequest) -> Iterator[DecisionAlternative]:
    """Other questions that have an answer; each was computed."""
    changes = {
        "--credentials psk,rpk,x509,c509": replace(request, credentials=CREDENTIALS),
        "without --until": replace(request, until=None),
        "--policy current": replace(request, policy="current"),
    }
    for option, changed in changes.items():
        if changed == request:
            continue
        admitted = [way for way in _ranked(_all_costed(changed)) if not way.broken]
        if admitted:
            yield DecisionAlternative(words=option, price=_name(admitted[0]))


def _notes(request: ConnectionRequest, ways: Sequence[_Costed]) -> Iterator[str]:
    for size in connections().certificates:
        if size.id in request.credentials:
            yield f"a certificate of {size.bytes} B ({size.id}): {size.source}"
    if request.link is not None:
        yield from request.link.notes()
    for way in ways:
        yield from (note for part in way.handshake.parts for note in part.drawn.notes)
