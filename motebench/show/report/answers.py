"""The answers of a run in sentences: the fastest of each operation with its lead and the objections
to its scheme, pairs of implementations, and what limits trust in the numbers.

A difference is claimed only if a verdict shows it (`motebench.results.verdicts`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

from motebench.base.model import Kind, Scheme
from motebench.base.shapes import part
from motebench.catalog import schemes as known_schemes
from motebench.catalog.proof import unproven_words
from motebench.documents.result import Result
from motebench.results.invocations import CHANGED, SLOWER
from motebench.results.presentation.beside import note_of
from motebench.results.presentation.leads import (
    Lead,
    by_processor_time,
    differ,
    lead,
    processor_words,
    times,
    too_few,
)
from motebench.results.presentation.rows import (
    CONFIDENCE,
    LOWERED,
    PROFILED,
    Row,
    again,
    disturbance,
    listed,
    machine_words,
    operation_words,
    run_notes,
    same_notes,
    size_words,
)
from motebench.results.presentation.schemes import SchemeStatus, category_of, category_words
from motebench.results.slow_phases import SLOW
from motebench.stats import ALPHA, geometric_mean
from motebench.stats.compare import BENJAMINI_HOCHBERG
from motebench.stats.dependence import DEPENDENT
from motebench.targets.machine import noise_sources

WEAK_BITS = 112
"""Security strength below which NIST SP 800-131A Rev. 2 disallows protection."""
_LOUD = {"none": 0, "good": 0, "bad": 1, "worst": 2}
_FIRST = (
    "encrypt-message",
    "encrypt",
    "digest",
    "mac",
    "sign",
    "verify",
    "agree",
    "encapsulate",
    "decapsulate",
    "keygen",
    "encrypt-file",
)
"""Operations in the order of their interest to readers; the others follow."""

_SIMILAR = 1.1
"""A lead that exceeds another by less than this factor is shown once."""


@dataclass(frozen=True, slots=True)
class SchemeMark:
    """A few words after a scheme's name; ``level`` is their severity: ``good``, ``none``, ``bad``
    or ``worst``.
    """

    level: str
    words: str


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A row as ``scheme · implementation`` with the objections to its scheme."""

    label: str
    marks: tuple[SchemeMark, ...]


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """The fastest at one operation and one size: ``best`` if ``certain``, else one of several; none
    where a disturbed one may be faster.

    ``value`` has its unit and interval. ``lead`` is the lead as text. ``sound`` is the best one
    with fewer objections than ``best``, and how far behind it is; None if there is none. ``also``
    describes another size.
    """

    question: str
    best: RatedRow
    value: str
    lead: str
    certain: bool
    sound: RatedRow | None
    behind: str
    also: str
    evidence: str


NONE_NAMED = "None is named"
"""Words in place of the fastest, if a disturbed one may be it."""


def without_variants(rows: Sequence[Row]) -> list[Row]:
    """Variants have their own section; here they would be compared with their implementation
    again.
    """
    plain = {row.implementation for row in rows}
    return [row for row in rows if not (row.is_variant and row.plain in plain)]


def answers(rows: Sequence[Row], verdicts: Mapping[str, SchemeStatus]) -> list[ReportAnswer]:
    """One answer per operation, target, evidence and other dimensions of a case, in the order of
    interest to readers.

    The largest size gives the answer; the smallest is added if another implementation wins there.
    ``verdicts``: the security status by scheme.
    """
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in without_variants(rows):
        if not row.is_copy and not row.is_floor:
            groups[row.without("scheme", "implementation", "input_bytes"), row.evidence].append(row)
    several = len({row.target for row in rows}) > 1
    operations = list(_FIRST)
    placed: list[tuple[int, ReportAnswer]] = []
    for (case, _), members in groups.items():
        races = _races(members)
        if not races:
            continue
        sizes = sorted(races)
        answer = _answer(races[sizes[-1]], verdicts)
        if len(sizes) > 1:
            answer = replace(answer, also=_also(races[sizes[0]], races[sizes[-1]]))
        where = f", on {case.target}" if several else ""
        beside = f", {members[0].beside_words}" if members[0].beside_words else ""
        answer = replace(answer, question=f"{answer.question}{beside}{where}")
        name = str(case.operation)
        placed.append((operations.index(name) if name in operations else len(operations), answer))
    return [answer for _, answer in sorted(placed, key=lambda entry: entry[0])]


@dataclass(frozen=True, slots=True)
class _ReportRace:
    """Rows that do the same work: the ranked ones, the best first, and those whose readings were
    disturbed. ``processor``: their processor times, the least first, if some are disturbed and all
    have one.
    """

    ranked: list[Row]
    disturbed: list[Row]
    processor: list[Row]

    @property
    def best(self) -> Row:
        """Row with the best median of the ranked ones; a disturbed one if no row is ranked."""
        return (self.ranked or self.disturbed)[0]

    @property
    def not_named(self) -> str:
        """Reason why none is named, and the implementations with the least processor time; empty
        where none is disturbed.
        """
        if not self.disturbed:
            return ""
        names = [row.label for row in self.disturbed]
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        verb = "is" if len(names) == 1 else "are"
        clauses = [f"{listed(names[:2])}{more} {verb} disturbed and may be the fastest"]
        return "; ".join(
            filter(None, (*clauses, processor_words(self.processor, lambda row: row.label)))
        )


def _races(members: Sequence[Row]) -> dict[int, _ReportRace]:
    """Competing rows by size; only sizes where two or more can be ranked, or would be if none was
    disturbed.
    """
    metric = _metric(members)
    sizes: dict[int, list[Row]] = defaultdict(list)
    for row in members:
        if row.metric == metric:
            sizes[row.size].append(row)
    races: dict[int, _ReportRace] = {}
    for size, rows in sizes.items():
        disturbed = [row for row in rows if not row.quotable]
        if len(rows) > 1:
            processor = by_processor_time(rows, members) if disturbed else []
            races[size] = _ReportRace(
                _better_first([row for row in rows if row.quotable]), disturbed, processor
            )
    return races


def _metric(members: Sequence[Row]) -> str:
    """The metric of the comparison: cycles of a simulated board, else throughput if there is any,
    else time.
    """
    names = {row.metric for row in members}
    if "cycles" in names and all(row.exact for row in members if row.metric in ("cycles", "time")):
        return "cycles"
    return "throughput" if "throughput" in names and not members[0].public_key else "time"


def _better_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -row.median if row.better == "higher" else row.median)


def _answer(race: _ReportRace, verdicts: Mapping[str, SchemeStatus]) -> ReportAnswer:
    best = race.best
    text, certain = _lead(race)
    question = operation_words(best.operation)
    if best.size and not best.public_key:
        question += f", {size_words(best.size)}".replace(" ", "\u00a0").replace(",\u00a0", ", ", 1)
    if race.disturbed:
        return ReportAnswer(
            question,
            RatedRow(NONE_NAMED, ()),
            "",
            race.not_named,
            False,
            None,
            "",
            "",
            best.evidence,
        )
    named = _named(best, verdicts)
    sound = _sounder(race.ranked, named, verdicts)
    return ReportAnswer(
        question=question,
        best=named,
        value=_value(best),
        lead=text,
        certain=certain,
        sound=_named(sound, verdicts) if sound else None,
        behind=_behind(best, sound) if sound else "",
        also="",
        evidence=best.evidence,
    )


def _named(row: Row, verdicts: Mapping[str, SchemeStatus]) -> RatedRow:
    return RatedRow(row.label, marks(row.scheme, verdicts.get(row.scheme)))


def _value(row: Row) -> str:
    if row.exact:
        text = f"{row.median:,.0f} cycles" if row.metric == "cycles" else row.text
        return text if row.alone else f"{text} {row.spread}"
    return f"{row.text} {row.spread}" if row.ranks else f"{row.text} (no interval)"


def _sounder(
    ranked: Sequence[Row], best: RatedRow, verdicts: Mapping[str, SchemeStatus]
) -> Row | None:
    """The best row whose scheme has the fewest objections, if the winner has more."""
    loud = {row.scheme: loudness(marks(row.scheme, verdicts.get(row.scheme))) for row in ranked}
    least = min(loud.values())
    if loudness(best.marks) == least:
        return None
    return next(row for row in ranked if loud[row.scheme] == least)


def _behind(best: Row, other: Row) -> str:
    ahead = lead(best, other)
    if ahead is None:
        return (
            "too few samples to tell it from the first"
            if too_few(best, other)
            else "not distinguishable from it"
        )
    return times(ahead, f"the {'time' if best.better == 'higher' else best.metric}")


def _lead(race: _ReportRace) -> tuple[str, bool]:
    """The lead of the first as text, and whether it leads. None of the rows is disturbed."""
    best, rest = race.best, race.ranked[1:]
    if not best.exact and not (best.ranks and any(row.ranks for row in rest)):
        return (
            "has the best median; there are too few samples to distinguish it from the others",
            False,
        )
    equal = [row for row in rest if not differ(best, row)]
    if equal:
        others = listed([row.label for row in equal[:2]])
        more = f" and {len(equal) - 2} more" if len(equal) > 2 else ""
        few = any(too_few(best, row) for row in equal)
        why = "too few samples to tell it from" if few else "not distinguishable from"
        last = max(place for place, row in enumerate(rest) if not differ(best, row))
        behind = f"; {_faster(best, rest[last + 1])}" if last + 1 < len(rest) else ""
        return f"{why} {others}{more}{behind}", False
    return _faster(best, rest[0]), True


def _faster(best: Row, other: Row) -> str:
    ahead = lead(best, other)
    return f"ahead of {other.label}" if ahead is None else f"{times(ahead)} {other.label}"


def _also(smallest: _ReportRace, largest: _ReportRace) -> str:
    """Differences at the smallest size; empty if the same one wins with a similar lead."""
    at = size_words(smallest.best.size)
    if smallest.disturbed:
        return (
            ""
            if smallest.not_named == largest.not_named
            else f"at {at} none is named: {smallest.not_named}"
        )
    text, certain = _lead(smallest)
    if largest.disturbed:
        return f"at {at}, {smallest.best.label} is {text}" if certain else f"at {at}: {text}"
    if smallest.best.label == largest.best.label:
        if _similar(smallest, largest) and certain == _lead(largest)[1]:
            return ""
        return f"at {at}: {text}" if certain else f"at {at} {text}"
    if certain:
        return f"at {at}, {smallest.best.label} is {text}"
    return f"at {at}, {smallest.best.label} is first, but {text}"


def _similar(smallest: _ReportRace, largest: _ReportRace) -> bool:
    """True if the same row comes second with about the same lead."""
    if smallest.ranked[1].label != largest.ranked[1].label:
        return False
    leads = [lead(*race.ranked[:2]) for race in (smallest, largest)]
    ratios = sorted(1.0 if item is None else item.ratio for item in leads)
    return ratios[1] / ratios[0] < _SIMILAR


@cache
def _catalog() -> Mapping[str, Scheme]:
    return known_schemes()


def marks(name: str, status: SchemeStatus | None) -> tuple[SchemeMark, ...]:
    """Facts that a reader must know before choosing a scheme: objections, or else its security
    status; and the post-quantum category."""
    objections = _objections(name, status)
    if not objections and (status is None or status.verdict in ("none", "unknown")):
        objections.append(SchemeMark("none", "status not known"))
    elif not objections and status is not None:
        objections.append(SchemeMark(status.level, status.words))
    if category := category_words(category_of(name)):
        objections.append(SchemeMark("none", category))
    return tuple(objections)


def _objections(name: str, status: SchemeStatus | None) -> list[SchemeMark]:
    """Objections to a scheme."""
    scheme, objections = _catalog().get(name), []
    if status is not None and status.level in ("bad", "worst"):
        objections.append(SchemeMark(status.level, status.words))
    if status is not None and status.strength_bits is not None and status.strength_bits < WEAK_BITS:
        objections.append(SchemeMark("bad", f"{status.strength_bits} bits of strength"))
    if scheme is not None and scheme.mode == "ecb":
        objections.append(SchemeMark("worst", "ECB: equal blocks show"))
    elif scheme is not None and scheme.kind in (Kind.CIPHER, Kind.STREAM):
        objections.append(SchemeMark("bad", "not authenticated"))
    return objections


def loudness(marks: tuple[SchemeMark, ...]) -> int:
    """0 without an objection, 1 with a mild one, 2 if the scheme should not be used in new
    designs.
    """
    return max((_LOUD[mark.level] for mark in marks), default=0)


# Pairs of implementations, and what limits trust in the numbers


_LEVELS = (SLOWER, CHANGED)
DISTURBED_WORDS = " readings disturbed, "
"""Text in notes of `motebench.results.results`, which are summed up here."""
_MAX_NAMES = 20
"""Implementations among which pairs are looked for."""
_MAX_PAIRS = 6
"""Largest number of pairs of implementations that are compared; `motebench compare` takes any
two.
"""


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """One sentence; ``headline`` is its subject, shown first, ``evidence`` where its numbers come
    from.
    """

    headline: str
    text: str
    evidence: str = "measured"


def rule(rows: Sequence[Row]) -> str:
    """Rule by which two of these results count as different (`motebench.results.verdicts`)."""
    if rows and all(row.exact for row in rows if row.metric in ("time", "cycles")):
        return "their exact numbers do at every place of the code"
    if any(row.run_spread is not None for row in rows):
        return (
            "a test of the medians of the runs, each of which counts as one value and without the "
            "steady trend of the machine, says so, with p adjusted over all comparisons of the "
            f"group ({BENJAMINI_HOCHBERG}, {ALPHA:g}); intervals of ratios have {1 - ALPHA:.0%}"
        )
    of_processes = any(row.batches is not None for row in rows)
    welch = ", or Welch's t-test where one side has invocations" if of_processes else ""
    return (
        f"a Wilcoxon signed-rank test on the pairs of each round{welch} says so, with p adjusted "
        "over all comparisons "
        f"of the run ({BENJAMINI_HOCHBERG}, {ALPHA:g}); intervals of ratios have {1 - ALPHA:.0%}"
    )


def head_to_head(rows: Sequence[Row]) -> list[ReportSentence]:
    """Sentences for the pairs of implementations with the most cases in common: which one is faster
    how often, and by how much.
    """
    cells: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    for row in without_variants(rows):
        if row.metric == "time" and not row.is_copy and not row.is_floor and row.median > 0:
            cells[row.evidence, row.without("implementation")][row.implementation] = row
    # Pairs grow by the square: of many implementations those with the most cases.
    held = Counter(name for cell in cells.values() for name in cell)
    names = set(sorted(held, key=lambda name: (-held[name], name))[:_MAX_NAMES])
    pairs: dict[tuple[str, str, str], list[tuple[Row, Row]]] = defaultdict(list)
    for (evidence, _), cell in cells.items():
        for left_name, other in combinations(sorted(names & cell.keys()), 2):
            pairs[evidence, left_name, other].append((cell[left_name], cell[other]))
    most = sorted(pairs, key=lambda pair: (-len(pairs[pair]), pair))
    sentences = [
        _pair(left_name, other, pairs[evidence, left_name, other], evidence)
        for evidence, left_name, other in most[:_MAX_PAIRS]
    ]
    if left := len(most) - len(sentences):
        pair = "pair" if left == 1 else "pairs"
        sentences.append(
            ReportSentence(
                f"{left} more {pair}", "motebench compare takes any two implementations."
            )
        )
    if few := len(held) - len(names):
        text = (
            f"{few} implementations with fewer cases are left out here; motebench compare takes "
            "any two."
        )
        sentences.append(ReportSentence("Others", text))
    return sentences


def _pair(
    first: str, second: str, every: Sequence[tuple[Row, Row]], evidence: str
) -> ReportSentence:
    pairs = [(a, b) for a, b in every if a.quotable and b.quotable]
    disturbed = len(every) - len(pairs)
    if not pairs:
        text = (
            f"Of {disturbed} {_cases(disturbed)} that both have, none can be compared: every one "
            "is disturbed."
        )
        return ReportSentence(f"{first} against {second}", text, evidence)
    won = sum(lead(a, b) is not None and a.median < b.median for a, b in pairs)
    lost = sum(lead(a, b) is not None and a.median > b.median for a, b in pairs)
    undecided = sum(too_few(a, b) for a, b in pairs)
    equal = len(pairs) - won - lost - undecided
    ahead = _mean_lead(pairs)
    leader, behind, wins, losses = (
        (second, first, lost, won)
        if ahead is not None and ahead.ratio < 1
        else (first, second, won, lost)
    )
    text = (
        f"Of {len(every)} {_cases(len(every))} that both have, {leader} is faster in {wins}, "
        f"{behind} in {losses}{_not_decided(undecided, disturbed)}, "
        f"and {equal} {'is' if equal == 1 else 'are'} not distinguishable. "
    )
    if wins == losses == 0:
        text += "No difference is shown."
    elif disturbed:
        text += "There is no mean while some are disturbed."
    else:
        text += _mean_words(ahead, leader, behind)
    return ReportSentence(f"{first} against {second}", text, evidence)


def _not_decided(undecided: int, disturbed: int) -> str:
    few = (
        f", {undecided} {'has' if undecided == 1 else 'have'} too few samples to decide"
        if undecided
        else ""
    )
    return few + (
        f", {disturbed} {'is' if disturbed == 1 else 'are'} disturbed and not compared"
        if disturbed
        else ""
    )


def _mean_words(ahead: Lead | None, leader: str, behind: str) -> str:
    if ahead is None:
        return "The geometric mean shows neither ahead."
    return (
        f"In the geometric mean {leader} is "
        f"{times(ahead if ahead.ratio >= 1 else ahead.inverse)} {behind}."
    )


def _cases(count: int) -> str:
    return "case" if count == 1 else "cases"


def _mean_lead(pairs: Sequence[tuple[Row, Row]]) -> Lead | None:
    """Ratio by which the first are faster in the geometric mean over the cases
    (`motebench.stats.geometric_mean`); None where its interval includes 1. Of one case: its own
    lead."""
    if len(pairs) == 1:
        return lead(*pairs[0])
    verdicts = [b.verdict(a) for a, b in pairs]
    mean = geometric_mean(
        [verdict.ratio for verdict in verdicts if verdict is not None and verdict.ratio is not None]
    )
    if mean is None or mean.low is None or mean.high is None or mean.low <= 1 <= mean.high:
        return None
    return Lead(mean.ratio, mean.low, mean.high)


def run_warnings(result: Result, rows: Sequence[Row]) -> list[str]:
    """Facts that a reader must know before trusting the numbers: the run's state, the machine, few
    samples, wide intervals."""
    timed = [row for row in rows if row.metric == "time"]
    warnings = [
        *_state_words(result.run.status),
        *unproven_words(dict.fromkeys(row.target for row in rows)),
        *_machine_words(result.environment, rows),
        *(_sentence(note) for note in run_notes(result.run)),
        *_noted_words(timed),
        *_warmup_words(timed),
        *disturbed_words(timed),
        *dependent_words(timed),
        *filter(None, (machine_words(timed),)),
        *_interval_words(timed),
        *_evidence_words(rows),
    ]
    return list(dict.fromkeys(warnings))


def _state_words(status: str) -> list[str]:
    if status in ("finished", "complete", "done", ""):
        return []
    return [f"The run is {status}: it holds what was measured until then."]


def _machine_words(environment: Mapping[str, object], rows: Sequence[Row]) -> list[str]:
    """Sources of noise on the machines of a run; none if nothing was measured by their clocks."""
    if rows and all(row.evidence != "measured" for row in rows):
        return []
    sentences = [_sentence(advice.what, advice.why) for advice in noise_sources(environment)]
    machines = part(environment, "machines")
    for name in machines:
        advices = noise_sources(part(machines, name))
        sentences += [_sentence(f"on {name}: {advice.what}", advice.why) for advice in advices]
    return sentences


def _noted_words(timed: Sequence[Row]) -> list[str]:
    """Notes of cases with their counts, except those that have sentences."""
    notes = [
        note
        for row in timed
        for note, _, _ in same_notes(row.notes)
        if not _has_sentence(note, row)
    ]
    return [
        f"{count} of {len(timed)} cases{'' if equal else ', for example'}: {note}."
        for note, count, equal in same_notes(notes)
    ]


def _has_sentence(note: str, row: Row) -> bool:
    """True if a note is about no interval, no steady state, changes after it, disturbed or
    dependent readings, or a profile.
    """
    return (
        note == note_of(row)
        or note.endswith("too few for an interval")
        or note.startswith((*_LEVELS, DEPENDENT, SLOW, PROFILED))
        or DISTURBED_WORDS in note
    )


def _warmup_words(timed: Sequence[Row]) -> list[str]:
    sentences = []
    unsteady = sum(bool(note_of(row)) for row in timed)
    if unsteady:
        sentences.append(
            f"{unsteady} of {len(timed)} cases got to no steady state while warming up: "
            "their samples may hold some of the warm-up."
        )
    changed = sum(any(note.startswith(_LEVELS) for note in row.notes) for row in timed)
    if changed:
        sentences.append(
            f"{changed} of {len(timed)} cases changed their speed after they had been steady, in "
            "some invocations: the section on warm-up names them."
        )
    return sentences


def _interval_words(timed: Sequence[Row]) -> list[str]:
    sentences = []
    thin = sum(not row.ranks and row.quotable and not row.exact for row in timed)
    if thin:
        sentences.append(f"{thin} of {len(timed)} times have too few samples for an interval.")
    wide = sum(row.run_spread is None and (row.half_width or 0) > 0.05 for row in timed)
    if wide:
        sentences.append(f"{wide} of {len(timed)} times have an interval wider than ±5 %.")
    return sentences


def _evidence_words(rows: Sequence[Row]) -> list[str]:
    by_metric: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_metric[row.metric].add(row.evidence)
    mixed = sorted({kind for kinds in by_metric.values() if len(kinds) > 1 for kind in kinds})
    if not mixed:
        return []
    return [
        (
            f"This run holds numbers of different evidence ({', '.join(mixed)}); charts show one "
            "at a time."
        )
    ]


def disturbed_words(timed: Sequence[Row]) -> list[str]:
    """Sentence on the number of disturbed times, with the consequences; empty without them."""
    out = []
    lost = [row for row in timed if not row.quotable]
    if lost:
        cause = disturbance(lost)
        closer = "; the processor time of the same readings is closer to the time of the operation"
        out.append(
            f"{len(lost)} of {len(timed)} times are disturbed: {cause} in so many readings that "
            "too few others are left. They are shown as ~ (disturbed), are not compared, and "
            f"should not be quoted{'' if cause == LOWERED else closer}. {again(lost)}"
        )
    mended = [row for row in timed if row.quotable and row.disturbed]
    if mended:
        readings = sum(row.disturbed for row in mended)
        out.append(
            f"In {len(mended)} of {len(timed)} cases, {readings} readings are left out because "
            f"{disturbance(mended)}."
        )
    return out


def dependent_words(timed: Sequence[Row]) -> list[str]:
    """Sentence on the number of times that are worth fewer samples than they have; empty without
    them.
    """
    dependent = [row for row in timed if row.dependent]
    if not dependent:
        return []
    short = sum((row.confidence or 0) < CONFIDENCE for row in dependent)
    reached = f"; {short} of them cannot reach 95 %, and say what they reach" if short else ""
    return [
        f"In {len(dependent)} of {len(timed)} cases samples depend on the previous ones, as on a "
        f"machine whose speed wanders: their intervals are wider for it{reached}."
    ]


def _sentence(statement: str, why: str = "") -> str:
    text = f"{statement}: {why}" if why else statement
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
