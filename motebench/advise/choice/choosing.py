"""The choice from a request: its offers, the candidates made of them, judged and ranked.

Offers come from a run, the reference results, engines and a secure element. Code that a product has
already is not counted again in flash. What counts is the same code: of the same algorithm, by the
same implementation. Of a block cipher that is encryption, which every mode but ECB, CBC, OCB and
XTS takes alone; its size is that of the smallest firmware of the implementation in such a mode.
`choice_document.choice_entry` makes the document of the result.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from motebench.advise.choice import combining as public_keys
from motebench.advise.choice import measured, modelled
from motebench.advise.choice.candidate import (
    NONE,
    Broken,
    Judged,
    Offers,
    Origin,
    Point,
    SchemeOffer,
)
from motebench.advise.choice.combining import candidates
from motebench.advise.choice.judging import judge
from motebench.advise.choice.names import level_figures, level_words
from motebench.advise.choice.question import (
    PUBLIC_KEY,
    ChoiceQuestion,
    Chosen,
    Need,
    Scene,
    Way,
    role_of,
)
from motebench.advise.choice.ranking import rank, weights
from motebench.advise.choice.request import ChoiceRequest, question_of, settled
from motebench.advise.choice.variations import Trial, VariedQuestion
from motebench.advise.choice.ways import held_back, nearest, needed
from motebench.base.errors import InputError
from motebench.base.model import Kind, Scheme
from motebench.base.naming import VARIANT, chooses, did_you_mean, plain, split_list
from motebench.base.quantities import Interval
from motebench.base.units import format_value
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.currents import assumptions, remarks_on
from motebench.catalog.devices import Device, devices
from motebench.catalog.libraries import library_of
from motebench.catalog.parts import ELEMENTS
from motebench.catalog.policies import choice
from motebench.catalog.schema import AlgorithmKind
from motebench.documents.choice import ReferenceOrigin


def answer(request: ChoiceRequest) -> Chosen:
    """The answer to a request. InputError for an impossible question, or without results."""
    request = settled(request)
    chosen = _answered(request)
    if request.need not in PUBLIC_KEY and not request.protect_key:
        return chosen
    slow = _impatient(chosen.first, request.need)
    if chosen.ranked and not slow:
        return chosen
    others = [way for way in _other_means(request) if not _impatient(way.first, request.need)]
    return replace(chosen, ways=(*chosen.ways, *others), impatient=slow)


_AWAITED = (Need.SIGNATURE, Need.AGREEMENT, Need.KEM)
"""Needs whose result a user waits for; an update is checked once, in the background."""


def _impatient(first: Judged | None, need: Need) -> bool:
    """True if the first candidate takes longer than a user would wait."""
    if first is None or first.latency is None or need not in _AWAITED:
        return False
    return first.latency.value.typical > choice().patience.seconds


_PLANNED = Need.KEM
"""Need that takes the place of an agreement with two key pairs, which quantum computers break."""
_KEYED_BYTES = 24
"""Length of the message that the question for keys set in the factory has, because it needs one."""


def _other_means(request: ChoiceRequest) -> Iterator[Way]:
    """Other means to the same end that admit a recommended candidate: a KEM, or a secure element on
    the board; instead of a KEM keys that are set in the factory, a larger device, or an agreement.
    """
    questions: dict[str, ChoiceRequest] = {}
    if request.need is Need.AGREEMENT:
        questions[f"--need {_PLANNED}"] = replace(request, need=_PLANNED)
    if request.element is None and request.need is not Need.KEM:
        questions |= {
            f"--with {name}": replace(request, element=element)
            for name, element in ELEMENTS.all().items()
        }
    if request.need is Need.KEM:
        # No other need has the roles of a KEM.
        roleless = " without --role" if request.role else ""
        keyed = replace(request, need=Need.AEAD, role=None, message_bytes=_KEYED_BYTES)
        questions[f"--need aead --message {_KEYED_BYTES}{roleless}"] = keyed
        questions |= _larger_device(request)
        agreement = replace(request, need=Need.AGREEMENT, role=None)
        questions[f"--need agreement{roleless}"] = agreement
    for option, other in questions.items():
        try:
            first = _answered(other).first
        except InputError:
            continue
        if first is not None and not first.standing.tier:
            yield Way(option, first)


def _larger_device(request: ChoiceRequest) -> dict[str, ChoiceRequest]:
    """The same question on the smallest device with another architecture and more RAM, with results
    of its own if there is one."""
    own = request.device
    larger = [
        device
        for device in devices().values()
        if device.ram_bytes > own.ram_bytes
        and device.architecture.rstrip("xt") != own.architecture.rstrip("xt")
        and device.currents
        and measured.has_results(device)
    ]
    if not larger:
        return {}
    device = min(
        larger,
        key=lambda device: (not measured.has_own_results(device), device.ram_bytes, device.id),
    )
    return {f"--device {device.id}": replace(request, device=device)}


def _answered(request: ChoiceRequest) -> Chosen:
    question = question_of(request)
    available = offers_of(request)
    has = owned(split_list(request.has), available.offers)
    chosen = choose(without(available.offers, has), question)
    if not chosen.ranked and not chosen.rejected:
        raise InputError(
            f"no scheme with results gives {question.demands.need.value}",
            where="--need",
            hint="use other results (--results RUN), or wider patterns for --scheme and "
            "--implementation",
        )
    other_level = _other_level(chosen, request, has)
    return replace(
        chosen,
        notes=(
            *available.notes,
            *_current_notes(question.scene),
            *_element_notes(request),
            *has.words,
            *_level_notes(chosen.first, other_level),
        ),
        other_level=other_level,
        has=tuple(sorted(has.codes)),
        sensitivity=request.sensitivity,
        checklist=request.checklist,
    )


_OF_TIME = frozenset({"energy", "latency", "throughput"})
"""Criteria that follow the time of computing."""


def _levels_compete(request: ChoiceRequest) -> bool:
    """True if results at other optimisation levels are candidates: the user ranks by time or limits
    it, or names a level. Otherwise the level of all firmware stands."""
    ranked = request.rank is not None and not _OF_TIME.isdisjoint(weights(request.rank))
    named = any(VARIANT in pattern for pattern in request.implementations)
    return ranked or named or request.max_latency_s is not None


def _other_level(chosen: Chosen, request: ChoiceRequest, has: Has) -> Judged | None:
    """The first candidate built at another optimisation level, without code that is there; None
    without results of it."""
    first = chosen.first
    if first is None:
        return None
    judged = [*(entry.candidate for entry in chosen.ranked), *chosen.rejected]
    if not _levels_compete(request):
        offers = without(_at_other_levels(first, request), has)
        judged = [judge(made, chosen.question) for made in candidates(offers, chosen.question)]
    return next(
        (
            entry
            for entry in judged
            if entry.plain_name == first.plain_name and entry.name != first.name and entry.latency
        ),
        None,
    )


def _at_other_levels(first: Judged, request: ChoiceRequest) -> list[SchemeOffer]:
    """Results at other optimisation levels of the implementations of a candidate."""
    if not all(isinstance(origin, ReferenceOrigin) for origin in _origins(first)):
        return []
    names = None
    if not request.has and request.need not in PUBLIC_KEY:  # else of other schemes, too
        names = {offer.scheme for offer in first.offers}
    reference = measured.of_device(request.device, schemes=names, levels=True)
    libraries = {offer.library for offer in first.offers}
    offers: Sequence[SchemeOffer] = [
        offer
        for offer in (reference.offers if reference is not None else ())
        if offer.level and offer.library in libraries
    ]
    if request.need in PUBLIC_KEY:
        day = datetime.datetime.now(datetime.UTC).date()
        offers = public_keys.prepared(offers, request.need, request.role, day)
    return list(offers)


def _origins(first: Judged) -> Sequence[Origin]:
    return first.latency.origins if first.latency is not None else ()


def _level_notes(first: Judged | None, other: Judged | None) -> list[str]:
    """A note on the optimisation level that the first candidate was measured at, with the figures
    of the other one, or the command that measures it."""
    if first is None or first.latency is None:
        return []
    if other is not None:
        return [level_figures(first, other)]
    remarks = [
        level_words(
            origin.target,
            origin.implementation,
            origin.scheme,
            origin.operation,
            origin.input_bytes,
        )
        for origin in first.latency.origins
        if isinstance(origin, ReferenceOrigin)
    ]
    return list(dict.fromkeys(text for text in remarks if text is not None))


def choose(offers: Sequence[SchemeOffer], question: ChoiceQuestion) -> Chosen:
    """The choice among offers. InputError if the question contradicts itself. "No candidate left"
    is an answer.

    A less recommended candidate is not chosen while another form of the message, a faster rate or
    fragments admit a recommended one.
    """
    hindered = question.scene.hindered()
    if hindered is not None:
        raise _unsendable(offers, question, hindered)
    judged = [judge(candidate, question) for candidate in candidates(offers, question)]
    ranked = rank([entry for entry in judged if not entry.broken], question)
    rejected = [entry for entry in judged if entry.broken]
    if ranked and not ranked[0].candidate.standing.tier:
        return Chosen(question, tuple(offers), tuple(ranked), tuple(sorted(rejected, key=_place)))
    ways = Trial(offers, question, ()).ways(VariedQuestion(question))
    if ways:
        rejected += [held_back(entry.candidate, ways) for entry in ranked]
        ranked = []
    rejected.sort(key=_place)
    near = (
        ()
        if ranked
        else tuple(nearest(rejected, question, lambda question: _first_of(offers, question)))
    )
    return Chosen(question, tuple(offers), tuple(ranked), tuple(rejected), ways, near)


def _unsendable(
    offers: Sequence[SchemeOffer], question: ChoiceQuestion, hindered: Broken
) -> InputError:
    """The error of a question whose message cannot be sent even without a cipher, with options that
    were tried."""
    tried = [way.option for way in Trial(offers, question, ()).ways(VariedQuestion(question))]
    judged = [judge(candidate, question) for candidate in candidates(offers, question)]
    rare = [entry for entry in judged if {broken.option for broken in entry.broken} == {"--every"}]
    near = nearest(rare, question, lambda question: _first_of(offers, question), count=1)
    slower = [needed(broken) for relaxed in near for broken in relaxed.broken]
    if slower:
        tried.insert(0, f"--every {math.ceil(max(slower))}s")
    return InputError(
        f"even a message without a cipher breaks a limit: {hindered.words}",
        # Some radios send no message in several frames: nothing but its length helps.
        where=hindered.option.split()[0] if hindered.option else "--message",
        hint=", or ".join(tried) or _shorter_or_rarer(question, hindered),
    )


def _shorter_or_rarer(question: ChoiceQuestion, hindered: Broken) -> str:
    """Interval or length that the bare message needs, where no option admits a candidate."""
    if hindered.limit in ("duty-cycle", "fair-use"):
        return f"the message alone needs --every {math.ceil(hindered.value or 0)}s or more"
    longest = question.scene.link.longest if question.scene.link is not None else None
    if hindered.limit != "payload" or longest is None:
        return "a shorter message"
    return f"a message of at most {longest} bytes, with nonce and tag"


def _first_of(offers: Sequence[SchemeOffer], question: ChoiceQuestion) -> Judged | None:
    return Trial(offers, question, ()).answer(VariedQuestion(question)).first


def _place(rejected: Judged) -> tuple[int, int, int, str, str]:
    """Place in the list of rejected candidates: first those that keep all limits and are less
    recommended, then those not for products, last schemes without the needed protection.
    """
    limits = {entry.limit for entry in rejected.broken}
    group = -1 if "recommended" in limits else 2 if "need" in limits else int("maturity" in limits)
    return (
        group,
        len(rejected.offers),
        len(rejected.broken),
        rejected.scheme,
        rejected.implementation,
    )


def _element_notes(request: ChoiceRequest) -> list[str]:
    """The current of a secure element between uses, and whether it counts."""
    if request.element is None:
        return []
    amps = modelled.asleep(request.element).amps
    bounds = (
        f"{format_value(amps.typical, 'A')} ({format_value(amps.low, 'A')} to "
        f"{format_value(amps.high, 'A')})"
    )
    asleep = f"{request.element.implementation} draws {bounds} asleep"
    if request.element_off:
        return [
            (
                f"{asleep}, which is not counted: its supply is switched off; starting is taken to "
                "last as long as waking"
            )
        ]
    if request.sleep_amps is not None:
        return [f"{asleep}; --sleep-current is taken to contain it"]
    return [
        f"{asleep}, between uses too: --element-off leaves it out if its supply can be switched off"
    ]


def _current_notes(scene: Scene) -> list[str]:
    drawn = [*([scene.active] if scene.active else []), *scene.sleeping]
    drawn += [part.drawn for part in scene.parts()]
    notes = [*remarks_on(scene.device), *(note for current in drawn for note in current.notes)]
    if scene.active is not None:
        spread = assumptions().code_spread
        notes.append(
            "all code on the chip is taken to draw the same current where candidates are compared; "
            f"from an empty loop to CoreMark a data sheet has {spread * 100:g} % to either side of "
            "the mean (catalog/policies/energy.toml)"
        )
    return list(dict.fromkeys(notes))


# Offers


LORAWAN = "lorawan"
BROUGHT = ("aes-128", "aes-128-cmac")
"""LoRaWAN L2 1.0.4 (TS001-1.0.4), 4.3.3 and 4.4: AES-128 encrypts payloads, the integrity code is
AES-CMAC."""
_SAME = 0.05
"""Firmware of a block cipher alone differs by less from mode to mode: calls are laid out anew."""
_LORAWAN_WORDS = "LoRaWAN brings AES-128 encryption and AES-CMAC (TS001, 4.3.3 and 4.4)"
_ENCRYPTING = frozenset({"ctr", "ccm", "gcm", "eax", "cfb", "cfb8", "ofb", "cmac", "gmac"})
"""Modes that decrypt with the encryption of the block cipher."""
_INSIDE = {"chacha20-poly1305": "chacha20", "xchacha20-poly1305": "chacha20"}
"""AEADs, and the stream cipher that they contain."""


def offers_of(request: ChoiceRequest) -> Offers:
    """The results of the run, and the reference results for everything that the run does not
    contain.

    InputError without results, and if no results match the patterns of the request.
    """
    sources = _sources(request)
    preferred: dict[tuple[str, str], SchemeOffer] = {}
    for offer in (offer for source in sources for offer in source.offers):
        preferred.setdefault((offer.scheme, offer.implementation), offer)
    offers = list(preferred.values())
    if request.need in PUBLIC_KEY:
        day = datetime.datetime.now(datetime.UTC).date()
        offers = public_keys.prepared(offers, request.need, request.role, day)
    # The patterns are of signatures; the hash of an update follows from them.
    hashes = public_keys.digests(offers) if request.need is Need.UPDATE else []
    matching = _matching([offer for offer in offers if offer not in hashes], request)
    return Offers((*matching, *hashes), tuple(note for source in sources for note in source.notes))


def _sources(request: ChoiceRequest) -> list[Offers]:
    """Sources with results for the device, the preferred one first. InputError without any."""
    device, sources = request.device, []
    if request.runs:
        sources.append(_of_runs(request))
    reference = measured.of_device(device, levels=_levels_compete(request))
    if reference is not None:
        sources.append(_with_outdated(reference))
    role = role_of(request.need, request.role)
    measured_offers = [offer for source in sources for offer in source.offers if not offer.level]
    length = request.message_bytes
    if device.accelerators or device.key_engines:
        engines = modelled.of_engines(device, request.need, role, measured_offers, length)
        sources.append(engines)
        measured_offers += engines.offers
    if request.element is not None:
        sources.append(
            modelled.of_element(
                request.element, device, request.need, role, measured_offers, length
            )
        )
    if not any(source.offers for source in sources):
        raise _no_results(device)
    return sources


def _with_outdated(source: Offers) -> Offers:
    """The source with a mark on offers of a branch without support, if the supported branch of the
    library has results for the scheme."""
    libraries = [library_of(offer.implementation) for offer in source.offers]
    measured_schemes = {
        (library.id, offer.scheme)
        for offer, library in zip(source.offers, libraries, strict=True)
        if library is not None and not offer.failure
    }
    offers = tuple(
        replace(offer, outdated=True)
        if library is not None and (library.supported, offer.scheme) in measured_schemes
        else offer
        for offer, library in zip(source.offers, libraries, strict=True)
    )
    return replace(source, offers=offers)


def _of_runs(request: ChoiceRequest) -> Offers:
    runs, device = request.runs, request.device
    source = measured.of_runs(runs, device, request.store)
    if not source.offers:
        host = next(filter(None, (measured.stranger(run, device) for run in runs)), None)
        raise InputError(
            (
                f"{'run' if len(runs) == 1 else 'the group'} {measured.name_of_runs(runs)} has no "
                f"results for {device.id}"
            )
            + (f": its host is {host}, the device {device.architecture}" if host else ""),
            where="--results",
            valid="a run on the device itself as host, or on a board with this device",
        )
    return source


def _matching(offers: Sequence[SchemeOffer], request: ChoiceRequest) -> list[SchemeOffer]:
    """Offers that match the patterns of the request. InputError without any."""
    schemes, implementations = split_list(request.schemes), split_list(request.implementations)
    named = (
        ("scheme", request.schemes, schemes),
        ("implementation", request.implementations, implementations),
    )
    for name, given, read in named:
        if given and not read:
            raise InputError(
                "the value is empty",
                where=f"--{name}",
                valid="patterns such as 'aes-128-*' and 'mote/*'",
            )
    of_schemes = [offer for offer in offers if _fits(offer.scheme, schemes, fnmatchcase)]
    if not of_schemes:
        raise _no_match("scheme", request, schemes, (offer.scheme for offer in offers))
    matching = [
        offer for offer in of_schemes if _fits(offer.implementation, implementations, _chooses)
    ]
    if not matching:
        names = (offer.implementation for offer in of_schemes if offer.implementation != NONE)
        raise _no_match("implementation", request, implementations, names)
    return matching


def _fits(name: str, patterns: Sequence[str], matches: Callable[[str, str], bool]) -> bool:
    return not patterns or any(matches(name, pattern) for pattern in patterns)


def _chooses(implementation: str, pattern: str) -> bool:
    """True if a pattern selects an implementation; one without a level selects every level."""
    return chooses(pattern, implementation if VARIANT in pattern else plain(implementation))


def _no_match(
    option: str, request: ChoiceRequest, given: Sequence[str], available: Iterable[str]
) -> InputError:
    """InputError for an option that no result matches; ``available``: the names with results, after
    the options before it.
    """
    names = sorted(set(available))
    return InputError(
        f"no results of {request.device.id} match --{option} {','.join(given)}",
        where=f"--{option}",
        valid=f"{option}s with results: {', '.join(names)}",
        hint=_pattern(given, names) or "motebench reference show",
    )


def _pattern(given: Sequence[str], names: Sequence[str]) -> str | None:
    """The pattern that was meant: its words in their order, with anything between them."""
    for given_name in given:
        name_words = [word for word in re.split(r"[^a-z0-9]+", given_name.casefold()) if word]
        for pattern in (
            ("*".join(name_words) + "*", "*" + "*".join(name_words) + "*") if name_words else ()
        ):
            if any(fnmatchcase(name, pattern) for name in names):
                return f"did you mean '{pattern}'?"
    return did_you_mean(given[0], names) if given else None


def _no_results(device: Device) -> InputError:
    valid = ", ".join(measured.devices_with_results()) or "none: motebench reference update"
    command = f"motebench run --target sim:{device.id}" if device.mcu else "motebench run on it"
    return InputError(
        f"there are no results for {device.id}",
        where="--device",
        valid=f"with reference results: {valid}",
        hint=f"measure it: {command}, then choose --device {device.id} --results latest",
    )


@dataclass(frozen=True, slots=True)
class Has:
    """Code that the product has, by name, and remarks on it."""

    codes: frozenset[str]
    words: tuple[str, ...]


def owned(names: Sequence[str], offers: Sequence[SchemeOffer]) -> Has:
    """Code that these names mean. InputError with the valid ones for a name that no result of the
    device has code of."""
    by_name = {_folded(code): code for offer in offers for code in _codes(offer.scheme)}
    codes: set[str] = set()
    remarks = []
    for name in names:
        if _folded(name) == LORAWAN:
            codes.update(BROUGHT)
            remarks.append(_LORAWAN_WORDS)
        elif _folded(name) in by_name:
            codes.add(by_name[_folded(name)])
        else:
            raise InputError(
                f"no results are of code of {name!r}",
                where="--has",
                valid=", ".join([LORAWAN, *sorted(_parts(by_name.values()))]) + ", or a scheme",
                hint=did_you_mean(_folded(name), [LORAWAN, *by_name]),
            )
    return Has(frozenset(codes), tuple(remarks))


def _parts(codes: Iterable[str]) -> list[str]:
    """Schemes that are parts of others, in words: block ciphers by key length, hash functions,
    stream ciphers.
    """
    return [
        code
        for code in codes
        if (scheme := _scheme(code)) is None
        or (scheme.mode is None and scheme.kind in (Kind.HASH, Kind.STREAM))
    ]


def without(offers: Sequence[SchemeOffer], has: Has) -> list[SchemeOffer]:
    """The offers without the flash of code that is there."""
    if not has.codes:
        return list(offers)
    sizes = {
        offer.scheme + " " + offer.implementation: size
        for offer in offers
        if (size := _flash(offer)) is not None
    }
    encryption = _encryptions(offers)
    return [_credited(offer, has, sizes, encryption) for offer in offers]


def _credited(
    offer: SchemeOffer,
    has: Has,
    sizes: Mapping[str, Interval],
    encryption: Mapping[tuple[str, str], tuple[Interval, str]],
) -> SchemeOffer:
    name, by = offer.scheme, offer.implementation
    # The flash of a secure element's offer is its driver, which is no code of the algorithm.
    if _flash(offer) is None or offer.beside or offer.beside_of is not None:
        return offer
    if name in has.codes:
        return _less(offer, None, f"all of {name} by {by} is there already")
    for code in _codes(name)[1:]:
        if code not in has.codes:
            continue
        flash_and_code = encryption.get((code, by))
        if flash_and_code is None and f"{code} {by}" in sizes:
            flash_and_code = sizes[f"{code} {by}"], code
        if flash_and_code is not None:
            size, code_of = flash_and_code
            remark = (
                f"{code} by {by} is there already: {_spelt(size)} of flash that {code_of} takes "
                "are not counted"
            )
            return _less(offer, size, remark)
    return offer


def _less(offer: SchemeOffer, size: Interval | None, already: str) -> SchemeOffer:
    """The offer with less flash; ``size``: None: all of it."""

    def changed(point: Point) -> Point:
        flash = point.memory.get("flash")
        if flash is None:
            return point
        left = Interval.exact(0.0)
        if size is not None:
            ends = flash.low - size.high, flash.typical - size.typical, flash.high - size.low
            left = Interval(*(max(end, 0.0) for end in ends))
        return replace(point, memory={**point.memory, "flash": left})

    return replace(
        offer, points={key: changed(point) for key, point in offer.points.items()}, already=already
    )


def _encryptions(offers: Iterable[SchemeOffer]) -> dict[tuple[str, str], tuple[Interval, str]]:
    """The encryption of each block cipher by each implementation: its size, and the scheme whose
    firmware says so.

    Where firmware grows by the same in every mode, the implementation is the block cipher alone.
    Otherwise it brings its own modes; the smallest is used, and its mode taken to be between
    nothing and twice the probe's.
    """
    modes: dict[tuple[str, str], list[tuple[Interval, str]]] = {}
    for offer in offers:
        scheme, flash = _scheme(offer.scheme), _flash(offer)
        if scheme is not None and flash is not None and scheme.mode in _ENCRYPTING:
            modes.setdefault((_stem(scheme), offer.implementation), []).append(
                (flash, offer.scheme)
            )
    return {key: _encryption(of_modes) for key, of_modes in modes.items()}


def _encryption(sizes: Sequence[tuple[Interval, str]]) -> tuple[Interval, str]:
    flash, name = min(sizes, key=lambda pair: (pair[0].low, pair[1]))
    most = max(size.low for size, _ in sizes)
    if len(sizes) > 1 and most <= flash.low * (1 + _SAME):
        return Interval(flash.low, flash.low, most), name
    mode = flash.high - flash.low
    return Interval(max(flash.low - mode, 0.0), flash.low, flash.high), name


def _codes(name: str) -> tuple[str, ...]:
    """Names of the code that a scheme contains: itself, then its parts."""
    scheme = _scheme(name)
    if scheme is None:
        return (name,)
    if _blocks(scheme):
        return (name, _stem(scheme))
    if scheme.kind is Kind.MAC and name.startswith("hmac-"):
        return name, name.removeprefix("hmac-")
    return (name, _INSIDE[name]) if name in _INSIDE else (name,)


def _blocks(scheme: Scheme) -> bool:
    return scheme.mode is not None and algorithm_of(scheme).kind is AlgorithmKind.BLOCK_CIPHER


def _stem(scheme: Scheme) -> str:
    return scheme.name.removesuffix(f"-{scheme.mode}")


def _scheme(name: str) -> Scheme | None:
    return schemes().get(name)


def _flash(offer: SchemeOffer) -> Interval | None:
    return next(
        (point.memory["flash"] for point in offer.points.values() if "flash" in point.memory), None
    )


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _spelt(size: Interval) -> str:
    return (
        f"{size.typical:,.0f} B"
        if size.low == size.high
        else f"{size.low:,.0f} to {size.high:,.0f} B"
    )
