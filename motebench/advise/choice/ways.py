"""Ways out of a question that admits nothing, or nothing recommended: other options, each tried
before it is named.

A limit that is relaxed is one that a candidate breaks, by as much as it needs. A change is one that
a designer can make without giving up a demand: the nonce from a counter, a shorter tag, a faster
data rate, several frames.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.candidate import Broken, Judged
from motebench.advise.choice.combining import candidates
from motebench.advise.choice.judging import judge
from motebench.advise.choice.names import percent
from motebench.advise.choice.question import ChoiceQuestion, MessageForm, Need, Relaxed, Way
from motebench.advise.radio.message import Nonce
from motebench.base.units import format_value
from motebench.catalog.libraries import library_of
from motebench.catalog.policies import choice, policy

SHORT_TAG = 8
"""Tag length in bytes that LoRaWAN devices often use: a forgery succeeds once in 2^64."""
_TAGGED = (Need.AEAD, Need.MAC)
_WITH_NONCE = (Need.AEAD, Need.ENCRYPTION, Need.MAC)

Leading = Callable[[ChoiceQuestion], Judged | None]
"""The first candidate of a question; None if no candidate keeps all limits."""


def forms(form: MessageForm, need: Need) -> Iterator[tuple[str, MessageForm]]:
    """Other forms of the message, by option: those of one option first."""
    carried = form.nonce is Nonce.CARRIED and need in _WITH_NONCE
    longer = (form.tag_bytes is None or form.tag_bytes > SHORT_TAG) and need in _TAGGED
    counted = replace(form, nonce=Nonce.COUNTER)
    if carried:
        yield "--nonce counter", counted
    if longer:
        yield f"--tag {SHORT_TAG}", replace(form, tag_bytes=SHORT_TAG)
    if carried and longer:
        yield f"--nonce counter --tag {SHORT_TAG}", replace(counted, tag_bytes=SHORT_TAG)


def changes(question: ChoiceQuestion) -> Iterator[tuple[str, ChoiceQuestion]]:
    """The questions that a designer can ask instead, by option: the form of the message, the rate,
    fragments."""
    link = question.scene.link
    for option, form in forms(question.form, question.demands.need):
        yield option, replace(question, form=form)
    if link is None:
        return
    for option, quicker in link.faster():
        yield option, question.with_scene(link=quicker)
    if not link.fragment and link.splits:
        yield "--fragment", question.with_scene(link=replace(link, fragment=True))


def recommending(question: ChoiceQuestion, leading: Leading) -> tuple[Way, ...]:
    """The changes whose first candidate is recommended: of the rates the slowest, of forms those
    with one option if there are any."""
    ways: list[Way] = []
    for option, changed in changes(question):
        name = option.split()[0]
        if any(way.option.startswith(name) for way in ways):
            continue
        first = leading(changed)
        if first is not None and first.standing.tier == 0:
            ways.append(Way(option, first))
    return tuple(ways)


def held_back(candidate: Judged, ways: Sequence[Way]) -> Judged:
    """A less recommended candidate as one that is not chosen, because ``ways`` admit a recommended
    one."""
    options = " or ".join(way.option for way in ways)
    reason = (
        f"{'; '.join(candidate.standing.words)}: less recommended than {ways[0].first.scheme}, "
        f"which {options} admits"
    )
    return replace(candidate, broken=(*candidate.broken, Broken("recommended", reason)))


# Limits that would have to give way


_ROUNDS = 5
"""Limits that come to light only when others are relaxed: a duty cycle once fragments are sent."""
_DIGITS = 4


def nearest(
    rejected: Sequence[Judged], question: ChoiceQuestion, leading: Leading, count: int = 5
) -> list[Relaxed]:
    """Rejected candidates that are nearest to being admitted, one of each scheme: recommended
    schemes first, then those that break the fewest limits, then by the excess, then the more mature
    ones, then supported branches of libraries, then the fastest of enough strength. What is relaxed
    was tried, and the relaxed question has a first candidate.

    A limit that no option can relax (a missing result, the size of the device) excludes a
    candidate.
    """

    def distance(candidate: Judged) -> tuple[float, ...]:
        # A limit without numbers (a policy, a claim) is a decision of the user: numeric limits are
        # relaxed first.
        excesses = [entry.excess for entry in candidate.broken]
        principles = sum(excess is None for excess in excesses)
        excess = sum(excess or 0.0 for excess in excesses)
        return (
            principles,
            candidate.standing.tier,
            len(excesses),
            excess,
            candidate.standing.maturity,
            any(_is_old(offer.implementation) for offer in candidate.offers),
            (candidate.standing.strength_bits or 0) < choice().enough.bits,
            candidate.latency.value.typical if candidate.latency else math.inf,
        )

    best: dict[str, Relaxed] = {}
    for candidate in sorted(rejected, key=distance):
        if candidate.scheme in best or any(not entry.option for entry in candidate.broken):
            continue
        relaxed = _relaxed(candidate, question, leading)
        if relaxed is not None:
            best[candidate.scheme] = relaxed
        if len(best) == count:
            break
    return list(best.values())


def _relaxed(candidate: Judged, question: ChoiceQuestion, leading: Leading) -> Relaxed | None:
    """The candidate with the question that admits it; None if no options do."""
    current, broken = candidate, list(candidate.broken)
    for _ in range(_ROUNDS):
        for entry in current.broken:
            changed = _given_way(question, entry)
            if changed is None:
                return None
            question = changed
        judged = [judge(item, question) for item in candidates(candidate.offers, question)]
        again = next((item for item in judged if item.name == candidate.name), None)
        if again is None:
            return None
        if not again.broken:
            first = leading(question)
            return Relaxed(candidate, tuple(broken), question, first) if first else None
        current = again
        broken += again.broken
    return None


def _is_old(implementation: str) -> bool:
    """True for code of a branch of its library that gets no corrections any more."""
    library = library_of(implementation)
    return library is not None and library.supported is not None


def needed(entry: Broken) -> float:
    """The value to which a limit has to be relaxed, rounded up so that the candidate keeps it."""
    value = entry.value or 0.0
    if entry.unit == "B":
        return float(math.ceil(value))
    scale = 10.0 ** (_DIGITS - 1 - math.floor(math.log10(value))) if value > 0 else 1.0
    return math.ceil(value * scale * (1 - 1e-12)) / scale


def _most(question: ChoiceQuestion, limit: str) -> float:
    """The most that a limit can be: memory that the device has."""
    device = question.scene.device
    sizes = {"flash": device.flash_bytes or math.inf, "ram": device.ram_bytes}
    return sizes.get(limit, math.inf)


def _given_way(question: ChoiceQuestion, entry: Broken) -> ChoiceQuestion | None:
    """The question with that limit relaxed; None if no option does that."""
    if entry.limit in ("flash", "ram", "latency"):
        if entry.limit in question.limits.of_device:
            return None
        limits = question.limits
        if entry.value is None:
            # Nothing is known of its share: only without the limit it can be a candidate.
            return replace(question, limits=limits.without(entry.limit))
        value = needed(entry)
        if value > _most(question, entry.limit):
            return None
        if entry.limit == "latency":
            return replace(question, limits=replace(limits, latency_s=value))
        size = int(value)
        limits = (
            replace(limits, flash=size) if entry.limit == "flash" else replace(limits, ram=size)
        )
        return replace(question, limits=limits)
    if entry.limit in _OF_SCENE:
        return _with_scene(question, entry)
    if entry.option.startswith("--tag"):
        length = entry.option.split()[1:]
        return replace(
            question, form=replace(question.form, tag_bytes=int(length[0]) if length else None)
        )
    return _with_demands(question, entry)


_OF_SCENE = ("payload", "dwell-time", "duty-cycle", "fair-use", "interval")


def _with_scene(question: ChoiceQuestion, entry: Broken) -> ChoiceQuestion | None:
    link = question.scene.link
    if entry.option == "--every":
        return question.with_scene(every_s=needed(entry))
    if link is None:
        return None
    if entry.limit == "payload":
        return question.with_scene(link=replace(link, fragment=True))
    faster = next(iter(link.faster()), None)
    return None if faster is None else question.with_scene(link=faster[1])


def _with_demands(question: ChoiceQuestion, entry: Broken) -> ChoiceQuestion | None:
    demands, option = question.demands, entry.option.split()
    match option:
        case ["--policy", name]:
            return replace(question, demands=replace(demands, policy=policy(name)))
        case ["--need", name]:
            return replace(question, demands=replace(demands, need=Need(name)))
        case ["--until"]:
            return replace(question, demands=replace(demands, until=None))
        case ["--constant-time"]:
            return replace(question, demands=replace(demands, constant_time=False))
        case ["--protect-key"]:
            return replace(question, demands=replace(demands, protect_key=False))
        case ["--include", "research"]:
            return replace(question, demands=replace(demands, research=True))
        case ["--strength"] if entry.value is not None:
            return replace(question, demands=replace(demands, strength_bits=int(entry.value)))
    return None


# Options as they are typed


@dataclass(frozen=True, slots=True)
class Relaxation:
    """An option of a relaxed question: ``typed`` as on the command line, or ``without`` it.

    ``size``: its number, of which a smaller one gives up less; 0 without a number. ``note``: the
    value of the question that was asked.
    """

    option: str
    typed: str
    size: float = 0.0
    note: str = ""

    @property
    def words(self) -> str:
        """The option with its note."""
        return f"{self.typed} ({self.note})" if self.note else self.typed


def relaxations(relaxed: Relaxed, original: ChoiceQuestion) -> list[Relaxation]:
    """The options that lead from the original question to the relaxed one, each once."""
    after = relaxed.question
    return [*_given_up(original, after), *_of_scene(original, after), *_enlarged(original, after)]


def _given_up(before: ChoiceQuestion, after: ChoiceQuestion) -> Iterator[Relaxation]:
    """Demands without a number."""
    old, new = before.demands, after.demands
    if new.policy.id != old.policy.id:
        yield Relaxation("--policy", f"--policy {new.policy.id}")
    if new.need is not old.need:
        yield Relaxation("--need", f"--need {new.need}")
    for option, dropped in (
        ("--until", old.until is not None and new.until is None),
        ("--constant-time", old.constant_time and not new.constant_time),
        ("--protect-key", old.protect_key and not new.protect_key),
    ):
        if dropped:
            yield _without(option)
    if new.research and not old.research:
        yield Relaxation("--include", "--include research")
    if after.form.tag_bytes is None and before.form.tag_bytes is not None:
        yield _without("--tag")
    elif after.form.tag_bytes != before.form.tag_bytes:
        yield Relaxation("--tag", f"--tag {after.form.tag_bytes}")


def _of_scene(before: ChoiceQuestion, after: ChoiceQuestion) -> Iterator[Relaxation]:
    """Settings of the radio."""
    old, new = before.scene.link, after.scene.link
    if old is None or new is None:
        return
    if new.fragment and not old.fragment:
        yield Relaxation("--fragment", "--fragment")
    for option, link in old.faster():
        if replace(link, fragment=new.fragment) == new:
            yield Relaxation(option.split()[0], option)


def _enlarged(before: ChoiceQuestion, after: ChoiceQuestion) -> Iterator[Relaxation]:
    """Limits with a number."""
    old, new = before.limits, after.limits
    for option, now, least, unit in (
        ("--strength", before.demands.strength_bits, after.demands.strength_bits, "bits"),
        ("--every", before.scene.every_s, after.scene.every_s, "s"),
        ("--flash", old.flash, new.flash, "B"),
        ("--ram", old.ram, new.ram, "B"),
        ("--max-latency", old.latency_s, new.latency_s, "s"),
    ):
        if now is None or least == now:
            continue
        if least is None:
            yield _without(option)
            continue
        share = abs(least - now) / now if now else math.inf
        shown = format_value(now * 1e9, "ns", _DIGITS) if unit == "s" else f"{now:,.6g} {unit}"
        note = f"now {shown}, {percent(share)}"
        # Less strength gives up more.
        size = -least if option == "--strength" else least
        typed = f"{option} {_typed(least, unit)}"
        yield Relaxation(option, typed, size, note if math.isfinite(share) else f"now {shown}")


def _without(option: str) -> Relaxation:
    return Relaxation(option, f"without {option}")


def _typed(value: float, unit: str) -> str:
    """A number as an option takes it."""
    if unit != "s":
        return f"{value:.0f}"
    for size, name in ((1.0, "s"), (1e-3, "ms")):
        if value >= size:
            return f"{value / size:.10g}{name}"
    return f"{value * 1e6:.10g}us"


def fewest(entries: Sequence[Relaxed], original: ChoiceQuestion) -> list[Relaxed]:
    """The relaxed questions that do not give up more than another one for the same first candidate,
    or another option beside it."""
    given_up = [
        {entry.option: entry.size for entry in relaxations(relaxed, original)}
        for relaxed in entries
    ]

    def needless(place: int) -> bool:
        own, first = given_up[place], entries[place].first.name
        return any(
            other.keys() <= own.keys()
            and all(other[option] <= own[option] for option in other)
            and (other.keys() < own.keys() or entries[at].first.name == first)
            and (at < place or other != own)
            for at, other in enumerate(given_up)
            if at != place
        )

    return [entry for place, entry in enumerate(entries) if not needless(place)]
