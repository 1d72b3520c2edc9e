"""What the data say, in sentences. No difference is claimed that the data do not show (`pairing.differ`)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.environment import noise_sources
from motebench.identity import CaseId
from motebench.invocations import CHANGED, SLOWER
from motebench.presentation.pairing import Relation, relate
from motebench.presentation.rows import CONFIDENCE, Row, listed, operation_words, size_words
from motebench.presentation.security import Status
from motebench.presentation.warmup import note_of
from motebench.stats.dependence import DEPENDENT
from motebench.units import format_value

_MAX_SIZES = 2
_LEVELS = (SLOWER, CHANGED)
DISTURBED_WORDS = " readings disturbed, "
"""In notes of `motebench.results`, which are summed up here."""
_MAX_NAMES = 20
"""Implementations that are laid beside each other, every one with every other."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence; ``headline`` is its subject, shown first, ``evidence`` where its numbers come from."""

    headline: str
    text: str
    evidence: str = "measured"


def rule(rows: Sequence[Row]) -> str:
    """When two results count as different, as `pairing.differ` decides it for these rows."""
    if any(row.rounds or row.invocations for row in rows):
        from motebench.stats import ALPHA

        of_processes = any(row.batches is not None for row in rows)
        welch = ", or Welch's t-test where one side has invocations" if of_processes else ""
        return f"a Wilcoxon signed-rank test on the pairs of each round{welch} says so (p below {ALPHA:g})"
    return "their intervals do not overlap"


def _better_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -row.median if row.better == "higher" else row.median)


def ratio(best: Row, other: Row) -> float | None:
    """How many times better ``best`` is; None where a median is not positive."""
    if best.median <= 0 or other.median <= 0:
        return None
    return best.median / other.median if best.better == "higher" else other.median / best.median


def times(value: float) -> str:
    """A ratio for people: ``1.31 times``; close to 1 in percent."""
    if value < 1.1:
        return f"{(value - 1) * 100:.1f} %"
    return f"{value:.3g} times" if value < 1000 else f"{value:,.0f} times"


def _main_metric(rows: Sequence[Row]) -> str:
    return "throughput" if any(row.metric == "throughput" for row in rows) else "time"


def _with_interval(row: Row) -> str:
    if row.ci_low is None or row.ci_high is None:
        return f"{row.text} (no interval: {row.n} samples are too few)"
    return f"{row.text} ({format_value(row.ci_low, row.unit)} to {format_value(row.ci_high, row.unit)})"


def _sizes_to_tell(sizes: Sequence[int]) -> list[int]:
    ordered = sorted(sizes)
    return ordered if len(ordered) <= _MAX_SIZES else [ordered[0], ordered[-1]]


def _without_variants(rows: Sequence[Row]) -> list[Row]:
    """Variants have a section of their own; here they would be compared with what they are made of once more. Nor is
    what was disturbed compared with anything."""
    plain = {row.implementation for row in rows}
    return [row for row in rows if row.quotable and not (row.is_variant and row.plain in plain)]


def fastest(rows: Sequence[Row], against: Mapping[str, str] | None = None) -> list[Finding]:
    """Per operation, at its smallest and its largest input: who is fastest, and who cannot be told from it.

    ``against`` has the verdict of each scheme that is advised against; a winner among them is told with it.
    """
    groups: dict[tuple[CaseId, str], list[Row]] = defaultdict(list)
    for row in _without_variants(rows):
        if row.metric in ("time", "throughput") and not row.is_copy and not row.is_floor:
            groups[row.without("scheme", "implementation", "input_bytes"), row.evidence].append(row)
    several_targets = len({row.target for row in rows}) > 1
    found = []
    for (of, evidence), members in groups.items():
        metric = "time" if members[0].public_key else _main_metric(members)
        for size in _sizes_to_tell(sorted({row.size for row in members if row.metric == metric})):
            ranked = _better_first([row for row in members if row.metric == metric and row.size == size])
            if len(ranked) < 2:
                continue
            where = operation_words(ranked[0].operation)
            if size and not ranked[0].public_key:
                where += f", {size_words(size)}".replace(" ", "\u00a0").replace(",\u00a0", ", ", 1)
            if several_targets:
                where += f", on {of.target}"
            text = _race(ranked)
            verdict = (against or {}).get(ranked[0].scheme)
            if verdict:
                text += f" But {ranked[0].scheme} is {verdict}."
            found.append(Finding(where, text, evidence))
    return found


def _race(ranked: Sequence[Row]) -> str:
    best, rest = ranked[0], ranked[1:]
    head = f"{best.scheme} by {best.implementation}"
    if best.ci_low is None or all(row.ci_low is None for row in rest):
        return (
            f"{head} has the best median, {best.text}, but there are too few samples to distinguish it from the others."
        )
    relations = [relate(best, row) for row in rest]
    equal = [row for row, found in zip(rest, relations, strict=True) if found is not Relation.DIFFERENT]
    if equal:
        others = listed([f"{row.scheme} by {row.implementation} ({row.text})" for row in equal[:3]])
        more = f" and {len(equal) - 3} more" if len(equal) > 3 else ""
        few = Relation.TOO_FEW in relations
        why = "there are too few samples to tell it from" if few else "is not distinguishable from"
        return f"{head} has the best median, {_with_interval(best)}, but {why} {others}{more}."
    factor = ratio(best, rest[0])
    if factor is None:
        lead = ", ahead of"
    else:
        lead = f", {times(factor)} as fast as" if factor >= 1.1 else f", {times(factor)} faster than"
    return f"{head} is fastest with {_with_interval(best)}{lead} {rest[0].scheme} by {rest[0].implementation}."


def head_to_head(rows: Sequence[Row]) -> list[Finding]:
    """Per pair of implementations: over all cases both have, who is faster how often, and the geometric mean."""
    cells: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    rows = _without_variants(rows)
    for row in rows:
        if row.metric == "time" and not row.is_copy and not row.is_floor:
            key = (row.evidence, row.without("implementation"))
            cells[key][row.implementation] = row
    held = Counter(name for cell in cells.values() for name in cell)
    every = sorted({row.implementation for row in rows if not row.is_copy})
    # Pairs grow by the square: of many implementations those with the most cases.
    names = sorted(sorted(every, key=lambda name: (-held[name], name))[:_MAX_NAMES])
    found = []
    for evidence in sorted({row.evidence for row in rows}):
        for place, one in enumerate(names):
            for other in names[place + 1 :]:
                pairs = [
                    (cell[one], cell[other])
                    for key, cell in cells.items()
                    if key[0] == evidence and one in cell and other in cell
                ]
                pairs = [(a, b) for a, b in pairs if a.median > 0 and b.median > 0]
                if pairs:
                    found.append(_pair(one, other, pairs, evidence))
    if len(every) > len(names):
        left = len(every) - len(names)
        text = f"{left} implementations with fewer cases are left out here; motebench compare takes any two."
        found.append(Finding("Others", text))
    return found


def _pair(one: str, other: str, pairs: Sequence[tuple[Row, Row]], evidence: str) -> Finding:
    relations = [relate(a, b) for a, b in pairs]
    apart = [pair for pair, found in zip(pairs, relations, strict=True) if found is Relation.DIFFERENT]
    won = sum(a.median < b.median for a, b in apart)
    lost = sum(a.median > b.median for a, b in apart)
    mean = math.exp(math.fsum(math.log(b.median / a.median) for a, b in pairs) / len(pairs))
    leader, behind, wins, losses = (one, other, won, lost) if mean >= 1 else (other, one, lost, won)
    mean = max(mean, 1 / mean)
    undecided = relations.count(Relation.TOO_FEW)
    equal = len(pairs) - won - lost - undecided
    cases = "case" if len(pairs) == 1 else "cases"
    few = f", {undecided} {'has' if undecided == 1 else 'have'} too few samples to decide" if undecided else ""
    text = (
        f"Of {len(pairs)} {cases} that both have, {leader} is faster in {wins}, {behind} in {losses}{few}, "
        f"and {equal} {'is' if equal == 1 else 'are'} not distinguishable. "
    )
    if wins == losses == 0:
        text += "No difference is shown."
    elif mean < 1.0005:
        text += "In the geometric mean they are equal."
    else:
        how = "as fast as" if mean >= 1.1 else "faster than"
        text += f"In the geometric mean {leader} is {times(mean)} {how} {behind}."
    return Finding(f"{one} against {other}", text, evidence)


def security_warnings(listed: Sequence[Status]) -> list[str]:
    """One sentence for each algorithm that somebody advises against."""
    out = []
    for status in listed:
        if status.level in ("bad", "worst"):
            who = f" by {status.body}" if status.body else ""
            out.append(
                f"{status.algorithm} ({', '.join(status.schemes)}) is {status.words}{who}"
                f"{f', {status.date}' if status.date else ''}: {status.statement}"
            )
    return out


def run_warnings(document: Mapping[str, Any], rows: Sequence[Row]) -> list[str]:
    """What a reader must know before trusting the numbers: the run's state, the machine, thin or wide results."""
    out = []
    status = str(document["run"].get("status", ""))
    if status not in ("finished", "complete", "done", ""):
        out.append(f"The run is {status}: it holds what was measured until then.")
    out += [_sentence(advice.what, advice.why) for advice in noise_sources(document.get("environment") or {})]
    out += [_sentence(str(note)) for note in document["run"].get("notes") or ()]
    timed = [row for row in rows if row.metric == "time"]
    # What no interval, no steady state and changes after it mean is said below for all.
    noted = Counter(
        note
        for row in timed
        for note in dict.fromkeys(row.notes)
        if note != note_of(row)
        and not note.endswith("too few for an interval")
        and not note.startswith(_LEVELS)
        and DISTURBED_WORDS not in note
        and not note.startswith(DEPENDENT)
    )
    out += [f"{count} of {len(timed)} cases: {note}." for note, count in noted.items()]
    unsteady = sum(bool(note_of(row)) for row in timed)
    if unsteady:
        out.append(
            f"{unsteady} of {len(timed)} cases got to no steady state while warming up: "
            "their samples may hold some of the warm-up."
        )
    changed = sum(any(note.startswith(_LEVELS) for note in row.notes) for row in timed)
    if changed:
        out.append(
            f"{changed} of {len(timed)} cases changed their speed after they had been steady, in some invocations: "
            "the section on warm-up names them."
        )
    out += disturbed_words(timed)
    out += dependent_words(timed)
    thin = sum(row.half_width is None and row.quotable for row in timed)
    if thin:
        out.append(f"{thin} of {len(timed)} times have too few samples for an interval.")
    wide = sum((row.half_width or 0) > 0.05 for row in timed)
    if wide:
        out.append(f"{wide} of {len(timed)} times have an interval wider than ±5 %.")
    evidences = sorted({row.evidence for row in rows})
    if len(evidences) > 1:
        out.append(f"This run holds numbers of different evidence ({', '.join(evidences)}); charts show one at a time.")
    return list(dict.fromkeys(out))


def disturbed_words(timed: Sequence[Row]) -> list[str]:
    """How many times were disturbed, and what became of them."""
    out = []
    lost = [row for row in timed if not row.quotable]
    if lost:
        out.append(
            f"{len(lost)} of {len(timed)} times are disturbed: the process lost the processor in so many "
            "readings that too few others are left. They are shown as ~ (disturbed), are not compared, and should not "
            "be quoted; the processor time of the same readings is closer to the time of the operation. Measure again "
            "on a quiet machine."
        )
    mended = [row for row in timed if row.quotable and row.disturbed]
    if mended:
        readings = sum(row.disturbed for row in mended)
        out.append(
            f"In {len(mended)} of {len(timed)} cases, {readings} readings are left out because the process lost "
            "the processor."
        )
    return out


def dependent_words(timed: Sequence[Row]) -> list[str]:
    """How many times are worth fewer samples than they have."""
    found = [row for row in timed if row.dependent]
    if not found:
        return []
    short = sum((row.confidence or 0) < CONFIDENCE for row in found)
    reached = f"; {short} of them cannot reach 95 %, and say what they reach" if short else ""
    return [
        f"In {len(found)} of {len(timed)} cases samples depend on the previous ones, as on a machine whose speed "
        f"wanders: their intervals are wider for it{reached}."
    ]


def _sentence(what: str, why: str = "") -> str:
    text = f"{what}: {why}" if why else what
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
