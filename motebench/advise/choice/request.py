"""From the question to the choice: fill in defaults, find results, choose candidates from them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from motebench.advise.choice import elements, hardware, publickeys, results
from motebench.advise.choice.alternatives import alternatives
from motebench.advise.choice.checklists import checked, checklist
from motebench.advise.choice.choosing import Answer, ChoiceQuestion, choose
from motebench.advise.choice.document import document
from motebench.advise.choice.having import owned, without
from motebench.advise.choice.held import NONE, digests
from motebench.advise.choice.judging import PUBLIC_KEY, ROLES, Demands, Need, Role
from motebench.advise.choice.limits import CostLimits
from motebench.advise.choice.model import SchemeOffer
from motebench.advise.choice.policies import choice, policy
from motebench.advise.choice.ranking import weights
from motebench.advise.choice.scene import Scene
from motebench.advise.choice.sensitivity import sensitivity
from motebench.advise.choice.sketching import MessageForm
from motebench.advise.radio.delivery import Link
from motebench.advise.radio.message import Nonce
from motebench.advise.reference.table import references
from motebench.base.errors import InputError
from motebench.base.model import Run
from motebench.base.naming import chooses, did_you_mean, split_list
from motebench.catalog.batteries import Battery
from motebench.catalog.currents import Drawn, active, given_sleep, sleep_currents
from motebench.catalog.devices import Device, devices
from motebench.catalog.elements import ELEMENTS, Element
from motebench.catalog.policies import profiles

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRequest:
    """What is asked. Of the fields that are None, the rest of the question settles what holds.

    message_bytes: before encryption; of the image that an update brings; 0 where a need has no message. role: which
    part of a scheme with public keys the device does. every_s: seconds from one message to the next. link: how it
    goes out; None: not by radio. sleep_amps: of everything that sleeps, instead of the files' currents. until: the
    last day of service, for verdicts that are announced. research: also implementations that are not for products.
    flash, ram: bytes, and max_latency_s: seconds of the processor, at most. rank: what decides, or weights, as in
    ``life=3,flash=1``. equal: the share of the criterion below which candidates are equal. element: a secure element
    beside the processor. schemes, implementations: patterns of those that are candidates. has: code that the product
    has already, or its secure element. sensitivity: also which input decides. run: a stored run beside the reference
    results; store: where it is, for the origin of its numbers.
    """

    device: Device
    message_bytes: int
    every_s: float | None = None
    link: Link | None = None
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
    run: Run | None = None
    store: str = ""
    has: Sequence[str] = ()
    sensitivity: bool = False
    checklist: str | None = None
    element: Element | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer, its offers, and notes on where the numbers come from."""

    answer: Answer
    offers: Sequence[SchemeOffer]
    notes: Sequence[str]
    sensitivity: bool = False
    """Whether the document says which input decides."""
    has: tuple[str, ...] = ()
    """Code that the product has already."""
    checklist: str | None = None

    def document(self) -> Document:
        """As plain data: ``documents/json/choice.schema.json``."""
        hints = alternatives(self.offers, self.answer.question, self.answer, self.has)
        deciding = sensitivity(self.answer, self.offers) if self.sensitivity else None
        provisions = tuple(checked(self.checklist, self.answer)) if self.checklist else ()
        return document(self.answer, hints, self.notes, deciding, self.has, provisions)


def answer(request: ChoiceRequest) -> Chosen:
    """Choose. InputError for an impossible question, or without results; "no candidate left" is an answer."""
    request = _with_element(_named(request))
    check(request)
    if request.checklist is not None:
        checklist(request.checklist)
    question = _question(request)
    offers, notes = _offers(request)
    has = owned(split_list(request.has), offers)
    offers = without(offers, has)
    found = choose(offers, question)
    if not found.ranked and not found.rejected:
        raise InputError(
            f"no scheme with results gives {question.demands.need.value}", where="--need",
            hint="use other results (--results RUN), or wider patterns for --scheme and --implementation",
        )  # fmt: skip
    notes = [*notes, *_current_notes(question.scene), *has.words]
    return Chosen(found, offers, notes, request.sensitivity, tuple(sorted(has.codes)), request.checklist)


def check(request: ChoiceRequest) -> None:
    """InputError for what has no meaning for the need."""
    need, roles = request.need, ROLES.get(request.need, ())
    if request.role is not None and request.role not in roles:
        raise InputError(
            f"{need} has no role {request.role}", where="--role",
            valid=" or ".join(roles) if roles else "none: leave --role out",
            hint="roles belong to --need signature (sign, verify) and --need kem (encapsulate, decapsulate)",
        )  # fmt: skip
    if need not in PUBLIC_KEY:
        return
    for name, value in (("nonce", request.nonce), ("tag", request.tag_bytes)):
        if value is not None:
            raise InputError(
                f"nonces and tags belong to ciphers, and --need {need} has none", where=f"--{name}",
                valid=f"leave --{name} out", hint="--need aead encrypts messages",
            )  # fmt: skip
    if need in (Need.AGREEMENT, Need.KEM) and request.message_bytes:
        raise InputError(
            f"--need {need} has no message: keys and ciphertexts are what is sent", where="--message",
            valid="leave --message out", hint="--every is the time from one to the next",
        )  # fmt: skip
    if need is Need.UPDATE and not request.message_bytes:
        raise InputError("an image of 0 bytes is no update", where="--image", valid="--image 100KiB")
    if request.constant_time and publickeys.role_of(need, request.role) is Role.VERIFY:
        raise InputError(
            "checking a signature handles no secret", where="--constant-time", valid="leave --constant-time out"
        )


def _named(request: ChoiceRequest) -> ChoiceRequest:
    """With the scheme and the tag of a profile in place of its name."""
    names = split_list(request.schemes)
    named = [profiles()[name] for name in names if name in profiles()]
    tags = {one.tag_bytes for one in named}
    if not named:
        return request
    if len(named) < len(names) or len(tags) > 1 or request.tag_bytes not in (None, *tags):
        raise InputError(
            f"{named[0].id} is {named[0].scheme} with a tag of {named[0].tag_bytes} bytes, which holds for all schemes",
            where="--scheme", valid=f"--scheme {named[0].id} alone, or --scheme ... --tag {named[0].tag_bytes}",
        )  # fmt: skip
    return replace(request, schemes=tuple(one.scheme for one in named), tag_bytes=tags.pop())


def _with_element(request: ChoiceRequest) -> ChoiceRequest:
    """With the secure element that ``has`` names. InputError for two."""
    there = ELEMENTS.all()
    names = split_list(request.has)
    named = [there[name] for name in names if name in there]
    if not named:
        return request
    if len({one.id for one in (*named, request.element or named[0])}) > 1:
        raise InputError(
            "one secure element at a time",
            where="--has",
            valid=f"--with {named[0].id}, or another one of {', '.join(there)}",
        )
    return replace(request, element=named[0], has=tuple(name for name in names if name not in there))


def _question(request: ChoiceRequest) -> ChoiceQuestion:
    device, battery, drawn = request.device, request.battery, active(request.device)
    if battery is not None and request.every_s is None:
        raise InputError(
            "computing a battery's life needs the time between messages", where="--battery", hint="add --every 10min"
        )
    usual = "life" if battery else "energy" if drawn else "latency"
    order = weights(usual if request.rank is None else request.rank)
    if "life" in order and battery is None:
        raise InputError("ranking by life needs a battery", where="--rank", hint="add --battery cr2032 --every 10min")
    if drawn is None and (battery is not None or "energy" in order):
        raise InputError(
            f"the file of {device.id} has no current for state active", where="--device",
            hint="add [[currents]] in a file of your own (--catalog, see docs/catalog.md), or take --rank latency",
        )  # fmt: skip
    role = publickeys.role_of(request.need, request.role)
    scene = Scene(
        device=device,
        message_bytes=request.message_bytes,
        every_s=request.every_s,
        link=request.link,
        battery=battery,
        active=drawn,
        sleeping=_sleeping(request, drawn) if battery else (),
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
    )
    equal = choice().indifference.share if request.equal is None else request.equal
    # Every LoRaWAN frame contains a counter, which need not be sent a second time.
    nonce = request.nonce or (Nonce.COUNTER if request.link else Nonce.CARRIED)
    return ChoiceQuestion(scene, demands, _limits(request), MessageForm(nonce, request.tag_bytes, role), order, equal)


def _sleeping(request: ChoiceRequest, drawn: Drawn | None) -> tuple[Drawn, ...]:
    if request.sleep_amps is None:
        beside = () if request.element is None else (elements.asleep(request.element),)
        return (*sleep_currents(request.device, request.link.radio if request.link else None), *beside)
    radio = request.link.radio if request.link else None
    return (given_sleep(request.sleep_amps, request.device, radio, drawn.volts if drawn else 0.0),)


def _limits(request: ChoiceRequest) -> CostLimits:
    """The limit from the option; without the option, the size of the device. InputError if it exceeds that size."""
    device = request.device
    flash = (device.flash_bytes - device.boot_loader_bytes, request.flash)
    found: dict[str, int | None] = {}
    of_device = set()
    for name, (most, asked) in {"flash": flash, "ram": (device.ram_bytes, request.ram)}.items():
        if asked is not None and most > 0 and asked > most:
            raise InputError(
                f"this is more than {device.id} has: {most} bytes", where=f"--{name}", valid=f"at most {most} bytes"
            )
        found[name] = asked if asked is not None else most if most > 0 else None
        if asked is None and found[name] is not None:
            of_device.add(name)
    latency, every = request.max_latency_s, request.every_s
    if latency is not None and every is not None and latency > every:
        raise InputError(
            "the latency limit is longer than the time between messages",
            where="--max-latency",
            valid="at most the time of --every",
        )
    return CostLimits(found["flash"], found["ram"], latency, frozenset(of_device))


def _offers(request: ChoiceRequest) -> tuple[list[SchemeOffer], list[str]]:
    """The results of the run, and the reference results for everything that the run does not contain."""
    device, run, sources = request.device, request.run, []
    if run is not None:
        sources.append(results.of_run(run, device, request.store))
        if not sources[0].offers:
            host = results.stranger(run, device)
            raise InputError(
                f"run {run.info.name} has no results for {device.id}"
                + (f": its host is {host}, the device {device.architecture}" if host else ""), where="--results",
                valid="a run on the device itself as host, or on a board with this device",
            )  # fmt: skip
    reference = results.of_device(device)
    if reference is not None:
        sources.append(reference)
    if device.accelerators and request.need not in PUBLIC_KEY:
        sources.append(hardware.of_device(device, request.message_bytes))
    if request.element is not None:
        role = publickeys.role_of(request.need, request.role)
        there = [offer for source in sources for offer in source.offers]
        sources.append(elements.of_element(request.element, device, request.need, role, there, request.message_bytes))
    if not any(source.offers for source in sources):
        raise _no_results(device)
    found: dict[tuple[str, str], SchemeOffer] = {}
    for source in sources:
        for offer in source.offers:
            found.setdefault((offer.scheme, offer.implementation), offer)
    if request.need in PUBLIC_KEY:
        day = datetime.datetime.now(datetime.UTC).date()
        found = {
            (offer.scheme, offer.implementation): offer
            for offer in publickeys.prepared(list(found.values()), request.need, request.role, day)
        }
    schemes, implementations = split_list(request.schemes), split_list(request.implementations)
    named = (("scheme", request.schemes, schemes), ("implementation", request.implementations, implementations))
    for name, given, read in named:
        if given and not read:
            raise InputError("the value is empty", where=f"--{name}", valid="patterns such as 'aes-128-*' and 'mote/*'")
    offers = list(found.values())
    # The patterns are of signatures; the hash of an update follows from them.
    hashes = digests(offers) if request.need is Need.UPDATE else []
    offers = [offer for offer in offers if offer not in hashes]
    of_schemes = [one for one in offers if not schemes or any(fnmatchcase(one.scheme, each) for each in schemes)]
    if not of_schemes:
        raise _no_match("scheme", request, schemes, (offer.scheme for offer in offers))
    kept = [
        offer
        for offer in of_schemes
        if not implementations or any(chooses(each, offer.implementation) for each in implementations)
    ]
    if not kept:
        names = (offer.implementation for offer in of_schemes if offer.implementation != NONE)
        raise _no_match("implementation", request, implementations, names)
    return [*kept, *hashes], [note for source in sources for note in source.notes]


def _no_match(option: str, request: ChoiceRequest, given: Sequence[str], known: Iterable[str]) -> InputError:
    """No result matches the option; ``known``: the names that have results, after the options before it."""
    names = sorted(set(known))
    return InputError(
        f"no results of {request.device.id} match --{option} {','.join(given)}", where=f"--{option}",
        valid=f"{option}s with results: {', '.join(names)}", hint=_pattern(given, names) or "motebench reference show",
    )  # fmt: skip


def _pattern(given: Sequence[str], names: Sequence[str]) -> str | None:
    """The pattern that was meant: its words in their order, with anything between them."""
    for one in given:
        words = [word for word in re.split(r"[^a-z0-9]+", one.casefold()) if word]
        for pattern in ("*".join(words) + "*", "*" + "*".join(words) + "*") if words else ():
            if any(fnmatchcase(name, pattern) for name in names):
                return f"did you mean '{pattern}'?"
    return did_you_mean(given[0], names) if given else None


def _no_results(device: Device) -> InputError:
    known = {target.removeprefix("sim:") for target in references()}
    known |= {entry.device for entry in choice().stand_ins if entry.target in references()}
    valid = ", ".join(sorted(known & set(devices()))) or "none: motebench reference update"
    return InputError(
        f"there are no results for {device.id}", where="--device", valid=f"with reference results: {valid}",
        hint="measure the device with motebench run, then add --results latest",
    )  # fmt: skip


def _current_notes(scene: Scene) -> list[str]:
    drawn = [*([scene.active] if scene.active else []), *scene.sleeping]
    drawn += [part.drawn for part in scene.parts()]
    return list(dict.fromkeys(note for one in drawn for note in one.notes))
