"""Comparison of the implementations, and what limits trust in the numbers, in sentences.

A difference is claimed only if the data show it (`pairing.differ`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from motebench.base.shapes import part
from motebench.documents.result import Result
from motebench.results.invocations import CHANGED, SLOWER
from motebench.results.presentation.pairing import Relation, relate
from motebench.results.presentation.rows import CONFIDENCE, LOWERED, Row, again, disturbance
from motebench.results.presentation.warmup import note_of
from motebench.show.report.answers import times, without_variants
from motebench.stats.dependence import DEPENDENT
from motebench.targets.machine import noise_sources

_LEVELS = (SLOWER, CHANGED)
DISTURBED_WORDS = " readings disturbed, "
"""Text in notes of `motebench.results.results`, which are summed up here."""
_MAX_NAMES = 20
"""Implementations among which pairs are looked for."""
_MAX_PAIRS = 6
"""Most pairs of implementations that are compared; `motebench compare` takes any two."""


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """One sentence; ``headline`` is its subject, shown first, ``evidence`` where its numbers come from."""

    headline: str
    text: str
    evidence: str = "measured"


def rule(rows: Sequence[Row]) -> str:
    """The rule by which two of these results count as different (`pairing.differ`)."""
    if any(row.rounds or row.invocations for row in rows):
        from motebench.stats import ALPHA

        of_processes = any(row.batches is not None for row in rows)
        welch = ", or Welch's t-test where one side has invocations" if of_processes else ""
        few = "; where too few pairs are left for it, where their intervals lie apart"
        return f"a Wilcoxon signed-rank test on the pairs of each round{welch} says so (p below {ALPHA:g}){few}"
    return "their intervals do not overlap"


def head_to_head(rows: Sequence[Row]) -> list[ReportSentence]:
    """For the pairs of implementations with the most cases in common: which one is faster how often, and by
    how much."""
    cells: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    for row in without_variants(rows):
        if row.metric == "time" and not row.is_copy and not row.is_floor and row.median > 0:
            cells[row.evidence, row.without("implementation")][row.implementation] = row
    # Pairs grow by the square: of many implementations those with the most cases.
    held = Counter(name for cell in cells.values() for name in cell)
    names = set(sorted(held, key=lambda name: (-held[name], name))[:_MAX_NAMES])
    pairs: dict[tuple[str, str, str], list[tuple[Row, Row]]] = defaultdict(list)
    for (evidence, _), cell in cells.items():
        for one, other in combinations(sorted(names & cell.keys()), 2):
            pairs[evidence, one, other].append((cell[one], cell[other]))
    most = sorted(pairs, key=lambda pair: (-len(pairs[pair]), pair))
    found = [_pair(one, other, pairs[evidence, one, other], evidence) for evidence, one, other in most[:_MAX_PAIRS]]
    if left := len(most) - len(found):
        pair = "pair" if left == 1 else "pairs"
        found.append(ReportSentence(f"{left} more {pair}", "motebench compare takes any two implementations."))
    if few := len(held) - len(names):
        text = f"{few} implementations with fewer cases are left out here; motebench compare takes any two."
        found.append(ReportSentence("Others", text))
    return found


def _pair(one: str, other: str, pairs: Sequence[tuple[Row, Row]], evidence: str) -> ReportSentence:
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
    return ReportSentence(f"{one} against {other}", text, evidence)


def run_warnings(result: Result, rows: Sequence[Row]) -> list[str]:
    """What a reader must know before trusting the numbers: the run's state, the machine, few samples, wide
    intervals."""
    timed = [row for row in rows if row.metric == "time"]
    warnings = [
        *_state_words(result.run.status),
        *_machine_words(result.environment, rows),
        *(_sentence(note) for note in result.run.notes),
        *_noted_words(timed),
        *_warmup_words(timed),
        *disturbed_words(timed),
        *dependent_words(timed),
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
    words = [_sentence(advice.what, advice.why) for advice in noise_sources(environment)]
    machines = part(environment, "machines")
    for name in machines:
        advices = noise_sources(part(machines, name))
        words += [_sentence(f"on {name}: {advice.what}", advice.why) for advice in advices]
    return words


def _noted_words(timed: Sequence[Row]) -> list[str]:
    """Notes of cases with their counts, but those that have sentences of their own."""
    notes = Counter(note for row in timed for note in dict.fromkeys(row.notes) if not _has_sentence(note, row))
    return [f"{count} of {len(timed)} cases: {note}." for note, count in notes.items()]


def _has_sentence(note: str, row: Row) -> bool:
    """Whether a note is about no interval, no steady state, changes after it or disturbed or dependent readings."""
    return (
        note == note_of(row)
        or note.endswith("too few for an interval")
        or note.startswith((*_LEVELS, DEPENDENT))
        or DISTURBED_WORDS in note
    )


def _warmup_words(timed: Sequence[Row]) -> list[str]:
    words = []
    unsteady = sum(bool(note_of(row)) for row in timed)
    if unsteady:
        words.append(
            f"{unsteady} of {len(timed)} cases got to no steady state while warming up: "
            "their samples may hold some of the warm-up."
        )
    changed = sum(any(note.startswith(_LEVELS) for note in row.notes) for row in timed)
    if changed:
        words.append(
            f"{changed} of {len(timed)} cases changed their speed after they had been steady, in some invocations: "
            "the section on warm-up names them."
        )
    return words


def _interval_words(timed: Sequence[Row]) -> list[str]:
    words = []
    thin = sum(row.half_width is None and row.quotable and not row.exact for row in timed)
    if thin:
        words.append(f"{thin} of {len(timed)} times have too few samples for an interval.")
    wide = sum((row.half_width or 0) > 0.05 for row in timed)
    if wide:
        words.append(f"{wide} of {len(timed)} times have an interval wider than ±5 %.")
    return words


def _evidence_words(rows: Sequence[Row]) -> list[str]:
    by_metric: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_metric[row.metric].add(row.evidence)
    mixed = sorted({kind for kinds in by_metric.values() if len(kinds) > 1 for kind in kinds})
    if not mixed:
        return []
    return [f"This run holds numbers of different evidence ({', '.join(mixed)}); charts show one at a time."]


def disturbed_words(timed: Sequence[Row]) -> list[str]:
    """How many times were disturbed, and the consequences."""
    out = []
    lost = [row for row in timed if not row.quotable]
    if lost:
        cause = disturbance(lost)
        closer = "; the processor time of the same readings is closer to the time of the operation"
        out.append(
            f"{len(lost)} of {len(timed)} times are disturbed: {cause} in so many "
            "readings that too few others are left. They are shown as ~ (disturbed), are not compared, and should not "
            f"be quoted{'' if cause == LOWERED else closer}. {again(lost)}"
        )
    mended = [row for row in timed if row.quotable and row.disturbed]
    if mended:
        readings = sum(row.disturbed for row in mended)
        out.append(
            f"In {len(mended)} of {len(timed)} cases, {readings} readings are left out because {disturbance(mended)}."
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
