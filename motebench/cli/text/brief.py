"""A run in short: the fastest implementations in sentences, how far to trust the numbers, one
narrow table, what to do next.

A difference is claimed only if a verdict shows it (`motebench.results.verdicts`).
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from motebench.base.model import Evidence, Failure, Kind
from motebench.base.units import MAIN
from motebench.catalog.proof import unproven_words
from motebench.cli.text.line_tables import board_lines, scaling_table, shown_tables
from motebench.cli.text.table import of_clock
from motebench.documents.result import Result, RunEntry
from motebench.results.presentation.beside import CORES_HEADING
from motebench.results.presentation.leads import (
    Lead,
    by_processor_time,
    differ,
    lead,
    processor_words,
    times_over,
    too_few,
)
from motebench.results.presentation.provenance import RunSettings
from motebench.results.presentation.rows import (
    Row,
    again,
    changing_words,
    disturbance,
    listed,
    machine_words,
    places_words,
    question_words,
    rows_of,
    run_notes,
    run_words,
    scope_words,
    size_words,
    spread_words,
)
from motebench.results.slow_phases import STUCK

_GAP = "  "
_HELD = "\N{NO-BREAK SPACE}"
_NUMBER = re.compile(r"(\d) ([a-zA-Zµ%])")
_WIDTH = 100
_BOARD_LINES = 20
"""Lines of a table with a column for each target."""
_MOST = 12
"""Largest number of sentences in a section; the tables have the rest."""

Paint = Callable[[str, str], str]
"""A text and the name of a style to the text in that style: ``title``, ``good``, ``bad``,
``doubt``.
"""


def plain(text: str, style: str) -> str:
    """Text without colour."""
    del style
    return text


@dataclass(frozen=True, slots=True)
class BriefReader:
    """Reader and terminal of the text: how motebench is called, options that the commands to try
    next need, how many columns there are, and how text is coloured. ``run``: the run, where it is
    not the newest of its store.
    """

    command: str = "motebench"
    options: str = ""
    run: str | None = None
    width: int = _WIDTH
    paint: Paint = plain


@dataclass(frozen=True, slots=True)
class _Race:
    """The implementations of one scheme in one operation at one size: the best, those that are not
    distinguishable from it, and the first that is, with the lead over it. ``decided``: none of them
    has too few samples. ``unranked``: disturbed ones, and those without an interval, any of which
    could be the fastest. ``processor``: who takes the least processor time then, as a clause."""

    size: int
    winners: tuple[str, ...]
    behind: str | None
    lead: Lead | None
    decided: bool
    unranked: tuple[str, ...]
    processor: str = ""

    @property
    def ranks(self) -> bool:
        """True if it says who is ahead, by the time or by processor time."""
        return bool(self.winners or self.processor)

    @property
    def fastest(self) -> str | None:
        """The one that is faster than all others; None where several may be."""
        return self.winners[0] if len(self.winners) == 1 and not self.unranked else None


def brief(result: Result, reader: BriefReader | str = BriefReader()) -> Iterator[str]:
    """The lines of a run with samples. ``reader``: or how motebench is called."""
    if isinstance(reader, str):
        reader = BriefReader(reader)
    every = rows_of(result)
    cases = [row for row in every if not (row.is_copy or row.is_floor)]
    rows = [row for row in cases if row.metric in MAIN]
    run, paint = result.run, reader.paint
    yield paint(f"{run.study or run.name}: {run_words(run)}, {run.status}", "title")
    yield from _fastest(cases, reader)
    yield from _copies(every)
    yield ""
    for text, style in _trust(result, rows, reader):
        for line in _wrapped(text, reader, ""):
            yield paint(line, style) if style else line
    if _of_one_core(rows, "instructions"):
        yield from _wrapped(
            "Instructions are counted by an emulator. They are neither time nor cycles.", reader, ""
        )
    yield from _shown_tables(result, cases, reader)
    yield from ("", paint("Next:", "title"), *_next(rows, reader, run))


def _fastest(cases: Sequence[Row], reader: BriefReader) -> Iterator[str]:
    """The sections that rank, each with its title."""
    timed, counted = _of_one_core(cases, "time"), _of_one_core(cases, "instructions")
    for title, answers in (
        ("Fastest, by the time of one operation:", _answers(timed, reader, every=cases)),
        (
            "Fastest scheme of its kind, each by its fastest implementation:",
            _schemes(timed, reader),
        ),
        (
            "Fewest instructions of one operation, counted:",
            _answers(counted, reader, "the instructions of"),
        ),
        (
            "Least energy of one operation, measured:",
            _answers(_energies(cases), reader, "the energy of"),
        ),
    ):
        if sentences := list(answers):
            yield from ("", reader.paint(title, "title"), *sentences)
    if _unranked([row for row in cases if row.metric in MAIN]):
        yield from ("", "Nothing can be ranked: too few undisturbed samples.")


def _of_one_core(rows: Iterable[Row], metric: str) -> list[Row]:
    return [row for row in rows if row.metric == metric and not row.cores]


def _copies(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        if row.is_copy and row.metric == "time" and row.quotable:
            size = size_words(row.size)
            yield from (
                "",
                f"A plain copy of {row.beside_words}, {size}, takes {row.text} {row.spread}.",
            )


def _shown_tables(result: Result, cases: Sequence[Row], reader: BriefReader) -> Iterator[str]:
    """Narrow tables, and those of targets and cores."""
    paint = reader.paint
    # The work of several cores together has no time of one operation.
    for table in shown_tables([row for row in cases if not row.cores], reader.width, paint):
        yield from ("", *table)
    for heading, *lines in board_lines(result, cases, reader.width, _BOARD_LINES):
        yield from ("", paint(heading, "title"), *lines)
    if lines := list(scaling_table(result, cases, reader.width)):
        yield from ("", paint(CORES_HEADING, "title"), *lines)


def _unranked(rows: Sequence[Row]) -> bool:
    """True if there is something to rank, and no samples to do it by."""
    subjects = _subjects(rows).values()
    several = [members for members in subjects if len({row.implementation for row in members}) > 1]
    return bool(several) and not any(
        race.ranks for members in several for race in _races(members, rows)
    )


def _energies(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.metric == "energy" and row.evidence == Evidence.MEASURED]


def _subjects(rows: Iterable[Row]) -> dict[tuple[str, ...], list[Row]]:
    """Rows by comparison: scheme, operation, additional data or file, target, evidence."""
    by_subject: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        by_subject[row.scheme, row.operation, row.beside_words, row.target, row.evidence].append(
            row
        )
    return by_subject


def _answers(
    rows: Sequence[Row], reader: BriefReader, comparison: str = "", every: Sequence[Row] = ()
) -> Iterator[str]:
    """Sentences for each scheme and operation; none if nothing can be ranked. ``comparison``: the
    compared quantity, if it is not the time. ``every``: rows of every metric.
    """
    several = len({row.target for row in rows}) > 1
    texts: list[str] = []
    all_races: list[_Race] = []
    for (scheme, operation, beside, target, _), members in _subjects(rows).items():
        races = _races(members, every)
        parts = [scheme, operation, beside, f"on {target}" if several else ""]
        if races:
            all_races += races
            texts.append(
                f"{', '.join(filter(None, parts))}: {'; '.join(_grouped(races, comparison))}."
            )
    if not any(race.ranks for race in all_races):
        return
    if len(texts) > _MOST:
        yield from _wrapped(_tally(all_races), reader)
    for text in texts[:_MOST]:
        yield from _wrapped(text, reader)
    if len(texts) > _MOST:
        yield f"{_GAP}... and {len(texts) - _MOST} more: {_call(reader, 'show')}"


def _tally(races: Sequence[_Race]) -> str:
    """Sentence on the number of comparisons in which each is the only fastest one."""
    won = Counter(race.fastest for race in races if race.fastest is not None)
    leaders = [f"{name} in {count}" for name, count in won.most_common(4)]
    tied = len(races) - won.total()
    rest = won.total() - sum(count for _, count in won.most_common(4))
    more = [
        *leaders,
        *([f"others in {rest}"] if rest else []),
        *([f"not one alone in {tied}"] if tied else []),
    ]
    return f"Of {len(races)} comparisons: {', '.join(more)}."


def _wrapped(text: str, reader: BriefReader, indent: str = _GAP) -> list[str]:
    """Lines of the reader's width; a number stays with its unit."""
    held = _NUMBER.sub(f"\\1{_HELD}\\2", text)
    after = indent + 2 * _GAP
    lines = textwrap.wrap(
        held, reader.width, initial_indent=indent, subsequent_indent=after, break_on_hyphens=False
    )
    return [line.replace(_HELD, " ") for line in lines]


def _schemes(rows: Sequence[Row], reader: BriefReader) -> Iterator[str]:
    """Schemes of one kind against each other, each by its fastest implementation. What is broken or
    withdrawn is named and takes no part."""
    kinds, bad = _standing({row.scheme for row in rows})
    several = len({row.target for row in rows}) > 1
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if row.scheme in kinds:
            groups[
                kinds[row.scheme], row.operation, row.beside_words, row.target, row.evidence
            ].append(row)
    for (kind, operation, beside, target, _), members in list(groups.items())[:_MOST]:
        races = _races(_best_of_schemes([row for row in members if row.scheme not in bad]))
        if not any(race.ranks for race in races):
            continue
        text = ", ".join(filter(None, (kind, operation, beside, f"on {target}" if several else "")))
        out = sorted({f"{row.scheme} ({bad[row.scheme]})" for row in members if row.scheme in bad})
        aside = f"; not ranked: {listed(out)}" if out else ""
        yield from _wrapped(f"{text}: {'; '.join(_grouped(races))}{aside}.", reader)


def _best_of_schemes(rows: Iterable[Row]) -> list[Row]:
    """The fastest row of each scheme and size, as an implementation that is named after its scheme;
    and all that are not ranked, each of which could be the fastest."""
    best: dict[tuple[str, int], Row] = {}
    unranked: list[Row] = []
    for row in rows:
        if not row.ranks:
            unranked.append(row)
            continue
        fastest = best.get((row.scheme, row.size))
        if fastest is None or row.median < fastest.median:
            best[row.scheme, row.size] = row
    # One scheme alone is compared with nothing.
    sizes = Counter(size for _, size in {*best, *((row.scheme, row.size) for row in unranked)})
    several = [row for row in (*best.values(), *unranked) if sizes[row.size] > 1]
    return [replace(row, implementation=f"{row.scheme} ({row.implementation})") for row in several]


def _standing(names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Kinds of the schemes in the catalog, and the reasons against a scheme today. A hybrid does
    the work of a KEM and of an agreement: it is a separate kind.
    """
    from motebench import catalog
    from motebench.catalog.schema import Structure
    from motebench.results.presentation.schemes import day_of, statuses

    by_name = catalog.schemes()
    kinds = {name: by_name[name].kind.value for name in names if name in by_name}
    entries = statuses(kinds, day_of(""))
    bad = {
        name: entry.words for entry in entries if entry.level == "worst" for name in entry.schemes
    }
    for name in kinds:
        if (
            by_name[name].kind is Kind.KEM
            and catalog.algorithm_of(by_name[name]).structure is Structure.COMPOSITION
        ):
            kinds[name] = "hybrid kem"
    bad |= {
        name: "equal blocks show"
        for name in kinds
        if by_name[name].mode == "ecb" and name not in bad
    }
    return kinds, bad


def _races(rows: Sequence[Row], every: Sequence[Row] = ()) -> list[_Race]:
    return [
        race for size in sorted({row.size for row in rows}) if (race := _race(rows, size, every))
    ]


def _race(rows: Sequence[Row], size: int, every: Sequence[Row]) -> _Race | None:
    """Ranking of comparable rows; None for fewer than two: both need an interval, or one was
    disturbed.
    """
    of_size = [row for row in rows if row.size == size]
    ranked = sorted((row for row in of_size if row.ranks), key=lambda row: row.median)
    unranked = tuple(sorted(row.implementation for row in of_size if not row.ranks))
    processor = _by_processor(of_size, every) if unranked else ""
    if len(ranked) < 2:
        disturbed = len(of_size) > 1 and not all(row.quotable for row in of_size)
        return _Race(size, (), None, None, False, unranked, processor) if disturbed else None
    return replace(_decided(size, ranked), unranked=unranked, processor=processor)


def _decided(size: int, ranked: Sequence[Row]) -> _Race:
    """The outcome among rows with an interval, the best first."""
    best = ranked[0]
    # If one is not distinguishable from the best, all between the two are not distinguishable from
    # it either.
    last = max(
        (place for place, row in enumerate(ranked[1:], 1) if not differ(best, row)), default=0
    )
    winners = tuple(sorted(row.implementation for row in ranked[: last + 1]))
    decided = not any(too_few(best, row) for row in ranked[1:])
    behind = ranked[last + 1] if last + 1 < len(ranked) else None
    ahead = None if behind is None else lead(best, behind)
    return _Race(size, winners, behind.implementation if behind else None, ahead, decided, ())


def _by_processor(rows: Sequence[Row], every: Sequence[Row]) -> str:
    return processor_words(by_processor_time(rows, every), lambda row: row.implementation)


def _grouped(races: Sequence[_Race], comparison: str = "") -> Iterator[str]:
    """One clause for all sizes with the same outcome."""
    outcomes: dict[tuple[Any, ...], list[_Race]] = defaultdict(list)
    for race in races:
        # None is named where some are not ranked, whoever is first of the others.
        key = race.unranked or (race.winners, race.behind, race.decided)
        outcomes[key, race.processor].append(race)
    sized = any(race.size for race in races) and len(races) > 1
    for same in outcomes.values():
        sizes = (
            "every size"
            if len(same) == len(races)
            else listed([size_words(race.size) for race in same])
        )
        yield f"at {sizes} {_outcome(same, comparison)}" if sized else _outcome(same, comparison)


def _outcome(same: Sequence[_Race], comparison: str) -> str:
    """The outcome that these races share."""
    first = same[0]
    leads = [
        race.lead.inverse if comparison else race.lead for race in same if race.lead is not None
    ]
    ahead = f", {times_over(leads, comparison or 'as fast as')} {first.behind}" if leads else ""
    if first.unranked:  # any of these could be the fastest
        return _without_fastest(first.unranked, first.processor)
    if len(first.winners) == 1:
        return f"{first.winners[0]}{ahead}"
    if first.decided:
        return f"{_short(first.winners)} are not distinguishable{ahead}"
    rest = f"; {first.behind} is behind" if first.behind else ""
    return f"too few samples to rank {_short(first.winners)}{rest}"


def _without_fastest(unranked: Sequence[str], processor: str) -> str:
    """Clause for rows that could not all be ranked: none is called the fastest, nor the first of
    the others.
    """
    verb = "is" if len(unranked) == 1 else "are"
    rest = f"; {processor}" if processor else ""
    return f"none is named, because {_short(unranked)} {verb} not ranked{rest}"


def _short(names: Sequence[str], most: int = 5) -> str:
    return listed(
        names if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} others"]
    )


def _trust(result: Result, rows: Sequence[Row], reader: BriefReader) -> Iterator[tuple[str, str]]:
    """Sentences on the cases that are as precise as required, and on disturbed, failed and missing
    ones; each with a style.
    """
    exact = [row for row in rows if row.evidence == Evidence.SIMULATED and row.half_width == 0]
    if exact:
        yield f"{len(exact)} of {len(rows)} cases are exact: the simulator gave equal readings.", ""
    noisy = [row for row in rows if row not in exact]
    goal = RunSettings.of(result.run.settings).precision
    yield from _certainty(noisy, goal)
    yield from _disturbed(noisy)
    if moved := machine_words(noisy):
        yield moved, "doubt"
    if changed := changing_words(rows):
        yield changed, "doubt"
    if scope := scope_words(noisy):
        yield scope, ""
    if placed := places_words(rows):
        yield placed, ""
    for sentence in unproven_words(dict.fromkeys(row.target for row in rows)):
        yield sentence, "doubt"
    yield from _of_run(result.run)
    yield from _failed(result.failures, bool(rows), reader)


def _of_run(run: RunEntry) -> Iterator[tuple[str, str]]:
    """Note of an interruption, and notes on the run's clock."""
    if run.cases.pending and run.status != "finished":
        yield f"{run.cases.pending} cases are not finished: the run was interrupted.", "doubt"
    for note in of_clock(run_notes(run)):
        yield note, "doubt"


def _certainty(rows: Sequence[Row], goal: float | None) -> Iterator[tuple[str, str]]:
    """Spread between the runs of a group; for one run, the precision of its cases."""
    if apart := spread_words(rows):
        yield apart, ""
    elif goal is not None and rows:
        yield from _precision(rows, goal)


def _precision(rows: Sequence[Row], goal: float) -> Iterator[tuple[str, str]]:
    """Number of medians that reach the precision of the study, and advice for the others."""
    good = [row for row in rows if row.quotable]
    widths = {id(row): float("inf") if row.half_width is None else row.half_width for row in good}
    wide = [row for row in good if widths[id(row)] > goal]
    reached = f"{len(good) - len(wide)} of {len(rows)} cases are as precise as was asked"
    yield f"{reached}: their median is known to ±{goal * 100:g} %.", "doubt" if wide else ""
    stuck = [row for row in wide if any(note.startswith(STUCK) for note in row.notes)]
    slow = [row for row in wide if row not in stuck]
    if slow:
        worst = max(slow, key=lambda row: widths[id(row)])
        named = (
            f"{len(slow)} would need more time for that; the widest: {_name(worst)}, "
            f"{worst.spread}."
        )
        yield f"{named} --budget gives more time.", ""
    if stuck:
        worst = max(stuck, key=lambda row: widths[id(row)])
        ends = f"{len(stuck)} ended where {STUCK}; the widest: {_name(worst)}, {worst.spread}."
        yield f"{ends} A quieter machine would help.", ""


def _disturbed(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Cases without a result, and readings that are left out of the others."""
    lost = [row for row in rows if not row.quotable]
    if lost:
        names = listed([_name(row) for row in lost[:3]]) + (" and others" if len(lost) > 3 else "")
        yield (
            f"{len(lost)} were disturbed too often, do not quote them: {names}. {again(lost)}",
            "bad",
        )
    good = [row for row in rows if row.quotable]
    left_out = sum(row.disturbed for row in good)
    if left_out:
        of_runs = any(row.run_spread is not None for row in good)
        taken = "" if of_runs else f" of {sum(row.n for row in good) + left_out}"
        yield f"{left_out}{taken} readings are left out: {disturbance(good)} then.", ""


def _failed(
    failures: Sequence[Failure], numbers: bool, reader: BriefReader
) -> Iterator[tuple[str, str]]:
    """Sentence for each reason of failures, however many cases it has."""
    if not failures:
        yield "No case failed." if numbers else "No case gave a number.", ""
        return
    reasons: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for failure in failures:
        reason = (failure.scheme, failure.implementation, str(failure.kind), failure.message)
        reasons[reason].append(str(failure.operation or ""))
    for (scheme, who, kind, message), operations in list(reasons.items())[:_MOST]:
        named = list(dict.fromkeys(filter(None, operations)))
        subject = " ".join(
            filter(None, (scheme, who, named[0] if len(operations) == 1 and named else ""))
        )
        count = f", {len(operations)} cases" if len(operations) > 1 else ""
        yield f"Failed: {subject}{count}: {kind}: {message}", "bad"
    if len(reasons) > _MOST:
        yield f"... and more, {len(failures)} failures in all: {_call(reader, 'show')}", "bad"
    if not numbers:
        yield "No case gave a number.", ""


def _name(row: Row) -> str:
    size = f" {size_words(row.size)}" if row.size else ""
    several = f" on {row.cores} cores" if row.cores > 1 else ""
    return f"{row.scheme} {row.implementation}{size}{several}"


def _call(reader: BriefReader, command: str) -> str:
    """A command line that shows this run."""
    parts = [reader.command, command, reader.run or "", reader.options]
    return " ".join(filter(None, parts))


def _can_choose(device: str) -> bool:
    """True if `motebench choose` knows the times and the current of the board, so that it can tell
    the cost of a message by radio.
    """
    from motebench.advise.choice.measured import has_results
    from motebench.catalog.devices import devices
    from motebench.catalog.quantities import State

    entry = devices().get(device)
    return entry is not None and bool(entry.draws(State.ACTIVE)) and has_results(entry)


def _next(rows: Sequence[Row], reader: BriefReader, run: RunEntry) -> list[str]:
    if not rows:
        return _steps(
            [
                (_call(reader, "show"), "every failure, with its reason in full"),
                (
                    f"{reader.command} doctor",
                    "what is installed here, what is missing, and the line that installs it",
                ),
                (f"{reader.command} list implementations", "what can be measured here"),
            ]
        )
    ordered = sorted(rows, key=lambda row: (-row.size, row.median))
    every = (
        dict.fromkeys(row.implementation for row in members)
        for members in _subjects(ordered).values()
    )
    names = next((list(group) for group in every if len(group) > 1), [])
    groups = list(dict.fromkeys(member.group for member in run.runs))
    if len(groups) > 1:
        sides, within = groups[:2], ""
    elif groups:
        sides, within = [f"{groups[0]}:{name}" for name in names[:2]], ""
    else:
        sides, within = names[:2], f"--run {reader.run}" if reader.run else ""
    compared = [reader.command, "compare", *sides, within, reader.options]
    tried = [
        (_call(reader, "show"), "every number of this run; --sort time, --details"),
        (" ".join(filter(None, compared)), "a test for each case: which is faster, and by how much")
        if len(sides) > 1
        else (f"{reader.command} list implementations", "what else can be measured here"),
        _from_here(ordered, reader),
    ]
    return _steps(tried)


def _steps(steps: Iterable[tuple[str, str]]) -> list[str]:
    """Commands, each with the description of its output below it."""
    return [line for text, why in steps for line in (f"{_GAP}{text}", f"{3 * _GAP}{why}")]


def _from_here(rows: Sequence[Row], reader: BriefReader) -> tuple[str, str]:
    """A choice for the board of this run and its kind of scheme; of other machines the way to
    boards.
    """
    boards = (
        (row, row.target.removeprefix("sim:").partition("+")[0])
        for row in rows
        if row.target.startswith("sim:")
    )
    row, board = next(((row, board) for row, board in boards if _can_choose(board)), (None, ""))
    question = None if row is None else question_words(row.scheme, rows)
    if question is None:
        return (
            f"{reader.command} list targets",
            "boards to measure the same on; simulated ones need no hardware",
        )
    return (
        f"{reader.command} choose --device {board} {question}",
        "what this board should take, and why not the others; --lorawan EU868 --dr 0 adds a radio",
    )
