"""Way from the question to the choice: fill in defaults, find results, choose candidates from
them.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice import modelled
from motebench.advise.choice.question import (
    PUBLIC_KEY,
    ROLES,
    ChoiceQuestion,
    CostLimits,
    Demands,
    MessageForm,
    Need,
    Role,
    Scene,
    role_of,
)
from motebench.advise.choice.ranking import weights
from motebench.advise.radio.link import RadioLink
from motebench.advise.radio.message import Nonce
from motebench.base.errors import InputError
from motebench.base.model import Run
from motebench.base.naming import split_list
from motebench.catalog.currents import Drawn, active, given_sleep, own_current, sleep_currents
from motebench.catalog.devices import Device
from motebench.catalog.parts import ELEMENTS, Battery, Element
from motebench.catalog.policies import checklist, choice, policy, profiles
from motebench.catalog.schema import first_day


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRequest:
    """Request for a choice. A field that is None follows from the others.

    message_bytes: before encryption; of the image that an update brings; 0 where a need has no
    message. role: which part of a scheme with public keys the device does. every_s: seconds from
    one message to the next. link: how it goes out; None: not by radio. sleep_amps: of everything
    that sleeps, instead of the files' currents. until: the last day of service, for verdicts that
    are announced. research: also implementations that are not for products. flash, ram: bytes, and
    max_latency_s: seconds of the processor, at most. rank: what decides, or weights, as in
    ``life=3,flash=1``. equal: the share of the criterion below which candidates are equal. element:
    a secure element beside the processor, and element_off: whether its supply is switched off
    between uses. protect_key: whether the key must not be readable. schemes, implementations:
    patterns of those that are candidates. has: code that the product has already, or its secure
    element. sensitivity: also which input decides. run: a stored run beside the reference results;
    store: where it is, for the origin of its numbers.
    """

    device: Device
    message_bytes: int
    every_s: float | None = None
    link: RadioLink | None = None
    battery: Battery | None = None
    sleep_amps: float | None = None
    need: Need = Need.AEAD
    policy: str = "current"
    until: datetime.date | None = None
    strength_bits: int = 0
    constant_time: bool = False
    research: bool = False
    equal: float | None = None
    flash: int | None = None
    ram: int | None = None
    max_latency_s: float | None = None
    rank: str | None = None
    nonce: Nonce | None = None
    tag_bytes: int | None = None
    role: Role | None = None
    schemes: Sequence[str] = ()
    implementations: Sequence[str] = ()
    runs: Sequence[Run] = ()
    store: str = ""
    has: Sequence[str] = ()
    sensitivity: bool = False
    checklist: str | None = None
    element: Element | None = None
    element_off: bool = False
    protect_key: bool = False


def settled(request: ChoiceRequest) -> ChoiceRequest:
    """Request with profiles and secure elements in place of their names. InputError for an invalid
    combination.
    """
    request = _with_element(_named(request))
    check(request)
    if request.checklist is not None:
        checklist(request.checklist)
    return request


def check(request: ChoiceRequest) -> None:
    """InputError for options that do not apply to the need."""
    need, roles = request.need, ROLES.get(request.need, ())
    _check_keys(request)
    if request.role is not None and request.role not in roles:
        raise InputError(
            f"{need} has no role {request.role}",
            where="--role",
            valid=" or ".join(roles) if roles else "none: leave --role out",
            hint="roles belong to --need signature (sign, verify) and --need kem (encapsulate, "
            "decapsulate)",
        )
    if need not in PUBLIC_KEY:
        return
    for name, value in (("nonce", request.nonce), ("tag", request.tag_bytes)):
        if value is not None:
            raise InputError(
                f"nonces and tags belong to ciphers, and --need {need} has none",
                where=f"--{name}",
                valid=f"leave --{name} out",
                hint="--need aead encrypts messages",
            )
    if need in (Need.AGREEMENT, Need.KEM) and request.message_bytes:
        raise InputError(
            f"--need {need} has no message: only keys and ciphertexts are sent",
            where="--message",
            valid="leave --message out",
            hint="--every is the time from one to the next",
        )
    if need is Need.UPDATE and not request.message_bytes:
        raise InputError(
            "an image of 0 bytes is not an update", where="--image", valid="--image 100KiB"
        )
    if request.constant_time and role_of(need, request.role) is Role.VERIFY:
        raise InputError(
            "checking a signature handles no secret",
            where="--constant-time",
            valid="leave --constant-time out",
        )


def _check_keys(request: ChoiceRequest) -> None:
    """InputError for a secure element that is not there, and for a key that is not."""
    need = request.need
    if request.element_off and request.element is None:
        raise InputError(
            "there is no secure element", where="--element-off", hint="add --with atecc608b"
        )
    if request.protect_key and (need is Need.HASH or role_of(need, request.role) is Role.VERIFY):
        raise InputError(
            "no secret key is on the device",
            where="--protect-key",
            valid="leave --protect-key out",
            hint="checking signatures and hashing take none",
        )


def _named(request: ChoiceRequest) -> ChoiceRequest:
    """Request with the scheme and the tag of a profile in place of its name."""
    names = split_list(request.schemes)
    named = [profiles()[name] for name in names if name in profiles()]
    tags = {profile.tag_bytes for profile in named}
    if not named:
        return request
    if len(named) < len(names) or len(tags) > 1 or request.tag_bytes not in (None, *tags):
        raise InputError(
            f"{named[0].id} is {named[0].scheme} with a tag of {named[0].tag_bytes} bytes, which "
            "holds for all schemes",
            where="--scheme",
            valid=f"--scheme {named[0].id} alone, or --scheme ... --tag {named[0].tag_bytes}",
        )
    return replace(
        request, schemes=tuple(profile.scheme for profile in named), tag_bytes=tags.pop()
    )


def _with_element(request: ChoiceRequest) -> ChoiceRequest:
    """Request with the secure element that ``has`` names. InputError for two."""
    elements = ELEMENTS.all()
    names = split_list(request.has)
    named = [elements[name] for name in names if name in elements]
    if not named:
        return request
    if len({element.id for element in (*named, request.element or named[0])}) > 1:
        raise InputError(
            "one secure element at a time",
            where="--has",
            valid=f"--with {named[0].id}, or another one of {', '.join(elements)}",
        )
    return replace(
        request, element=named[0], has=tuple(name for name in names if name not in elements)
    )


def question_of(request: ChoiceRequest) -> ChoiceQuestion:
    """The question with a value for everything that the request leaves open. InputError if it
    contradicts itself."""
    order, drawn = _order(request), active(request.device)
    role = role_of(request.need, request.role)
    scene = Scene(
        device=request.device,
        message_bytes=request.message_bytes,
        every_s=request.every_s,
        link=request.link,
        battery=request.battery,
        active=drawn,
        sleeping=_sleeping(request, drawn) if request.battery else (),
        sends=role is not Role.VERIFY,
        receives=request.need in PUBLIC_KEY and role is not Role.SIGN,
    )
    demands = Demands(
        need=request.need,
        policy=policy(request.policy),
        day=datetime.datetime.now(datetime.UTC).date(),
        until=request.until,
        strength_bits=request.strength_bits,
        constant_time=request.constant_time,
        research=request.research,
        secret=role is not Role.VERIFY,
        sharing=bool(split_list(request.has)),
        protect_key=request.protect_key,
    )
    equal = choice().indifference.share if request.equal is None else request.equal
    # A counter that every frame contains need not be sent a second time.
    counted = request.link is not None and request.link.counted
    nonce = request.nonce or (Nonce.COUNTER if counted else Nonce.CARRIED)
    form = MessageForm(nonce, request.tag_bytes, role)
    return ChoiceQuestion(scene, demands, _limits(request), form, order, equal)


def _order(request: ChoiceRequest) -> dict[str, float]:
    """Criteria that decide, with their weights. InputError if it needs a battery, an interval or a
    current that is not there."""
    battery, drawn = request.battery, active(request.device)
    if battery is not None and request.every_s is None:
        raise InputError(
            "computing a battery's life needs the time between messages",
            where="--battery",
            hint="add --every 10min",
        )
    usual = "life" if battery else "energy" if drawn else "latency"
    order = weights(usual if request.rank is None else request.rank)
    if "life" in order and battery is None:
        raise InputError(
            "ranking by life needs a battery",
            where="--rank",
            hint="add --battery cr2032 --every 10min",
        )
    if drawn is None and (battery is not None or "energy" in order):
        raise InputError(
            f"the file of {request.device.id} has no current for state active",
            where="--device",
            hint="add [[currents]] in a file of your own (--catalog, see "
            "docs/reference/catalog.md), "
            "or take --rank latency",
        )
    return order


def _sleeping(request: ChoiceRequest, drawn: Drawn | None) -> tuple[Drawn, ...]:
    radio, alive = (request.link.radio, request.link.idle()) if request.link else (None, ())
    own = own_current(request.battery)
    if request.sleep_amps is None:
        is_on = request.element is not None and not request.element_off
        beside = (
            (modelled.asleep(request.element),) if request.element is not None and is_on else ()
        )
        return (*sleep_currents(request.device, radio), *beside, *own, *alive)
    volts = drawn.volts if drawn else 0.0
    return (given_sleep(request.sleep_amps, request.device, radio, volts), *own, *alive)


def _limits(request: ChoiceRequest) -> CostLimits:
    """The limit from the option; without the option, the size of the device. InputError if it
    exceeds that size."""
    device = request.device
    flash = (device.flash_bytes - device.boot_loader_bytes, request.flash)
    most_allowed: dict[str, int | None] = {}
    of_device = set()
    for name, (most, given) in {"flash": flash, "ram": (device.ram_bytes, request.ram)}.items():
        if given is not None and most > 0 and given > most:
            raise InputError(
                f"this is more than {device.id} has: {most} bytes",
                where=f"--{name}",
                valid=f"at most {most} bytes",
            )
        most_allowed[name] = given if given is not None else most if most > 0 else None
        if given is None and most_allowed[name] is not None:
            of_device.add(name)
    latency, every = request.max_latency_s, request.every_s
    if latency is not None and every is not None and latency > every:
        raise InputError(
            "the latency limit is longer than the time between messages",
            where="--max-latency",
            valid="at most the time of --every",
        )
    return CostLimits(most_allowed["flash"], most_allowed["ram"], latency, frozenset(of_device))


def last_day(text: str | None, where: str = "--until") -> datetime.date | None:
    """Last day of service: of the year if only that is given. InputError for an invalid day, or one
    that is over.
    """
    if text is None:
        return None
    try:
        day = first_day(text.strip())
    except ValueError as error:
        raise InputError(str(error), where=where, valid="2041, or 2041-06-30") from None
    last = datetime.date(day.year, 12, 31) if len(text.strip()) == len("2041") else day
    if last < datetime.datetime.now(datetime.UTC).date():
        raise InputError(f"{text} is over", where=where, valid="a later date than today")
    return last
