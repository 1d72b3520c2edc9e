"""Result of the gate for readers: its document, a comment in Markdown, a picture, and metrics as
OpenMetrics.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape

from motebench.base.identity import CaseId
from motebench.base.naming import unplaced
from motebench.base.units import format_value, format_within, metric_words
from motebench.documents.comparison import (
    CommitEntry,
    ComparisonEntry,
    FunctionBytesEntry,
    FunctionCyclesEntry,
    GateAnswer,
    GateEntry,
    GateFailureEntry,
    PairEntry,
)
from motebench.measuring.gate import SHORT, GateOutcome
from motebench.results.comparison import Comparison
from motebench.results.comparison import document as compared
from motebench.results.document import result
from motebench.show.export._common import input_words, machine_words, software_words
from motebench.show.export.openmetrics import MetricSample, exposition
from motebench.stats import ALPHA
from motebench.version import described

_ROWS = 40
"""Rows of a table in a comment; the JSON document has all."""
_FUNCTIONS = 10


def gate_document(outcome: GateOutcome) -> GateEntry:
    """The document of a gate."""
    first = result(outcome.measured.runs[0])
    commits = [
        CommitEntry(asked=commit.asked, commit=commit.name, subject=commit.subject, group=group)
        for commit, group in zip(outcome.commits, outcome.groups, strict=True)
    ]
    allowed = outcome.request.allowed
    answer = outcome.answer
    return GateEntry(
        answer=answer,
        reason=outcome.why_undecided if answer is GateAnswer.UNDECIDED else None,
        runs_needed=outcome.runs_needed,
        base=commits[0],
        head=commits[1],
        uncommitted=outcome.uncommitted,
        code=str(outcome.code),
        allowed=allowed,
        runs=outcome.runs,
        looks=outcome.looks,
        seed=outcome.seed,
        version=described(),
        machine=machine_words(first),
        compilers=tuple(software_words(first)),
        comparison=_document(outcome.comparison, allowed),
        counts=_document(outcome.counts, None),
        function_cycles=outcome.cycles,
        function_bytes=outcome.bytes,
        failures=tuple(
            GateFailureEntry(
                **failure.identity(), commit=side, kind=failure.kind.value, message=failure.message
            )
            for side, failure in outcome.failures
        ),
        notes=outcome.notes,
    )


def _document(comparison: Comparison | None, allowed: float | None) -> ComparisonEntry | None:
    return None if comparison is None else compared(comparison, allowed)


# The comment


def comment(entry: GateEntry) -> str:
    """Document as Markdown for a pull request: the answer, each row with its verdict, and its
    evidence.
    """
    lines = [f"### motebench: {answer_words(entry)}", ""]
    lines += [f"`{_code(entry.code)}`: {_side(entry.base)} → {_side(entry.head)}", ""]
    if entry.comparison is not None:
        lines += _timed(entry.comparison, entry.counts)
    if entry.counts is not None:
        lines += _counted(entry.counts, entry.comparison)
    lines += _failed(entry)
    lines += _functions(entry)
    return "\n".join([*lines, *_rests_on(entry)]) + "\n"


def answer_words(entry: GateEntry) -> str:
    """The answer in a sentence."""
    allowed = f"more than {_percent(entry.allowed)}"
    if entry.answer == GateAnswer.SLOWER:
        slower = entry.comparison.slower if entry.comparison is not None else None
        cases = "a case is" if slower == 1 else f"{slower} cases are"
        return f"{cases} certainly slower by {allowed}"
    if entry.answer == GateAnswer.UNDECIDED:
        more = (
            f"; about {entry.runs_needed} runs of each commit would decide"
            if entry.runs_needed
            else ""
        )
        return f"undecided: {entry.reason}{more}"
    return f"nothing is slower by {allowed}"


def looks_words(entry: GateEntry) -> str:
    """Clause on the looks of the gate; empty where it looks once."""
    if len(entry.looks) < 2:
        return ""
    numbers = f"{', '.join(map(str, entry.looks[:-1]))} and {entry.looks[-1]}"
    return (
        f"the gate looks after {numbers} runs and ends when nothing is open; the chance of a false "
        "alarm in all looks together is at most 1 %"
    )


def _side(commit: CommitEntry) -> str:
    subject = f" ({_text(commit.subject)})" if commit.subject else ""
    return f"`{commit.commit[:SHORT]}`{subject}"


def _percent(part: float) -> str:
    return f"{100 * part:g} %"


def difference_words(pair: PairEntry) -> str:
    """The difference of the head in per cent with its interval, or its range over places of the
    code.
    """
    if pair.ratio is None:
        return "-"
    ends = (pair.ci_low, pair.ci_high)
    if pair.places_low is not None and pair.places_high is not None:
        ends = (pair.places_low, pair.places_high)
    exact = ends[0] is None or ends[1] is None or ends[0] == ends[1] == pair.ratio
    text = _signed(pair.ratio, 2 if exact or not pair.n_a else 1)
    if exact or ends[0] is None or ends[1] is None:
        return text
    return f"{text} ({_signed(ends[0], 1)} to {_signed(ends[1], 1)})"


def _signed(ratio: float, digits: int) -> str:
    rounded = round(100 * (ratio - 1), digits) + 0.0
    return "0 %" if ratio == 1 else f"{rounded:+.{digits}f} %"


def verdict_words(pair: PairEntry) -> str:
    """Verdict on a row, and whether the gate forbids it or cannot decide."""
    word = _verdict(pair)
    if pair.slower_than_allowed:
        return f"**{word}**, not allowed"
    return f"{word}, left open" if pair.left_open else word


def _verdict(pair: PairEntry) -> str:
    """The verdict; counts without a difference are equal."""
    equal = pair.evidence == "simulated" and pair.median_a == pair.median_b
    return "equal" if equal and {pair.places_low, pair.places_high} <= {None, 1.0} else pair.verdict


def _timed(comparison: ComparisonEntry, counts: ComparisonEntry | None) -> list[str]:
    """Rows whose verdicts are statistical."""
    counted = (
        {(pair.id, pair.metric) for pair in counts.comparisons} if counts is not None else set()
    )
    rows = [pair for pair in comparison.comparisons if not _in_counts(pair, counted)]
    if not rows:
        return []
    several = comparison.unit == "run"
    sure = next((row.confidence for row in rows if row.confidence is not None), 1 - ALPHA)
    interval = f"{100 * sure:.4g} % interval{' over runs' if several else ''}"
    lines = [
        f"| case | metric | base | head | difference ({interval}) | verdict |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for pair in rows[:_ROWS]:
        base, head = (_value(value, pair) for value in (pair.median_a, pair.median_b))
        cells = (
            _text(case_words(pair)),
            metric_words(pair.metric),
            base,
            head,
            difference_words(pair),
            verdict_words(pair),
        )
        lines.append(_row(cells))
    return [*lines, *_more(len(rows)), ""]


def _in_counts(pair: PairEntry, counted: Collection[tuple[CaseId, str]]) -> bool:
    """True if a table of counts has the row; the time of a board is its cycles."""
    return (pair.id, pair.metric) in counted or (
        pair.metric == "time" and (pair.id, "cycles") in counted
    )


def _value(value: float | None, pair: PairEntry) -> str:
    return "-" if value is None else format_within(value, pair.unit, None, None, 4)


def _counted(counts: ComparisonEntry, comparison: ComparisonEntry | None) -> list[str]:
    """Rows of boards: counts, so that every difference is one."""
    gate = (
        {(pair.id, pair.metric): pair for pair in comparison.comparisons}
        if comparison is not None
        else {}
    )
    lines = [
        (
            "| case, counted exactly | metric | base | head | difference (range over places of the "
            "code) | verdict |"
        ),
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for pair in counts.comparisons[:_ROWS]:
        same = gate.get((pair.id, "time")) if pair.metric == "cycles" else None
        verdict = verdict_words(gate.get((pair.id, pair.metric)) or same or pair)
        sides = (_whole(pair.median_a), _whole(pair.median_b))
        difference = f"{_less(pair.median_a, pair.median_b)}, {difference_words(pair)}"
        lines.append(
            _row((_text(case_words(pair)), metric_words(pair.metric), *sides, difference, verdict))
        )
    return [*lines, *_more(len(counts.comparisons)), ""]


def _whole(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _less(base: float | None, head: float | None) -> str:
    return "-" if base is None or head is None else f"{head - base:+,.0f}" if head != base else "0"


def _failed(entry: GateEntry) -> list[str]:
    """Lines on cases without a number, and on those that cannot be compared although both commits
    have a number."""
    failed_ids = {failure.id for failure in entry.failures}
    only = (
        ()
        if entry.comparison is None
        else (*entry.comparison.only_in_a, *entry.comparison.only_in_b)
    )
    rest = [item for item in only if item.id not in failed_ids]
    if not entry.failures and not rest:
        return []
    lines = ["| failed | commit | kind | message |", "| --- | --- | --- | --- |"]
    for item in rest[:_ROWS]:
        lines.append(
            _row((_text(case_words(item)), "both", "not compared", _text(item.reason[:300])))
        )
    for failure in entry.failures[:_ROWS]:
        lines.append(
            _row(
                (
                    _text(case_words(failure)),
                    failure.commit,
                    failure.kind,
                    _text(failure.message[:300]),
                )
            )
        )
    return [*lines, *_more(len(entry.failures)), ""]


def _functions(entry: GateEntry) -> list[str]:
    """The functions that differ, folded away."""
    lines: list[str] = []
    groups: dict[str, list[FunctionCyclesEntry | FunctionBytesEntry]] = {}
    for cycles in entry.function_cycles:
        groups.setdefault(f"cycles, {case_words(cycles)}", []).append(cycles)
    for memory in entry.function_bytes:
        groups.setdefault(f"{memory.memory} (B), {case_words(memory)}", []).append(memory)
    for title, functions in groups.items():
        lines += [f"| {_text(title)} | base | head | difference |", "| --- | --- | --- | --- |"]
        for function in functions[:_FUNCTIONS]:
            base = "new" if function.base is None else _whole(function.base)
            head = "gone" if function.head is None else _whole(function.head)
            change = _less(function.base or 0, function.head or 0)
            lines.append(_row((f"`{_code(function.function)}`", base, head, change)))
        more = len(functions) - _FUNCTIONS
        lines += [*([f"and {more} more in the JSON document"] if more > 0 else []), ""]
    if not lines:
        return []
    return ["<details><summary>By function</summary>", "", *lines, "</details>", ""]


def _more(count: int) -> list[str]:
    return ["", f"and {count - _ROWS} more rows in the JSON document"] if count > _ROWS else []


def _rests_on(entry: GateEntry) -> Iterator[str]:
    """Basis of the numbers: runs, machine, comparison and version."""
    runs = "1 run" if entry.runs == 1 else f"{entry.runs} runs"
    comparison = entry.comparison
    yield (
        f"<sub>{runs} of each commit, in turn, in random order (seed {entry.seed}); "
        f"{_text(entry.machine)}."
    )
    if looks := looks_words(entry):
        yield f"{looks[0].upper()}{looks[1:]}."
    if comparison is not None and any(pair.test != "exact" for pair in comparison.comparisons):
        rows = len(comparison.comparisons)
        yield (
            f"Verdicts hold for all {rows} rows together: {comparison.adjustment}; of the gate: "
            "Holm."
        )
        if comparison.found_from is not None:
            yield (
                f"These runs find a slowdown of {_percent(round(comparison.found_from, 3))} 95 "
                "times in 100."
            )
    if any(
        pair.evidence == "simulated"
        for pair in (entry.counts.comparisons if entry.counts is not None else ())
    ):
        yield "Simulated boards count cycles, without noise."
    for sentence in (*entry.compilers, *entry.notes):
        yield f"{_text(sentence)}."
    if entry.uncommitted:
        count = len(entry.uncommitted)
        yield f"The work tree has {count} uncommitted changes, which are not measured."
    yield f"{_text(entry.version)}</sub>"


def case_words(case: CaseId) -> str:
    """A case for a reader: scheme, operation, input, target."""
    target = unplaced(case.target)
    parts = [case.scheme, case.operation, input_words(case) if case.operation else None, target]
    return " ".join(word for word in parts if word and word != "-")


def _row(cells: Sequence[str]) -> str:
    """A row of cells that are Markdown already."""
    return f"| {' | '.join(cells)} |"


_MARKDOWN = str.maketrans(
    {mark: f"\\{mark}" for mark in "\\`*_[]|#~"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
)


def _text(text: str) -> str:
    """Text of others in one line of Markdown, with no meaning in it: no links, no names of people,
    no HTML.
    """
    return " ".join(text.split()).translate(_MARKDOWN).replace("@", "@\u200b")


def _code(text: str) -> str:
    return " ".join(text.split()).replace("`", "'").replace("|", "\\|")


# The picture

_WIDTH, _LEFT, _BAR, _GAP, _HEAD = 980, 390, 11, 16, 64
_VERDICT = 320
"""Pixels for a value after its bar, and for the verdict."""
_COLOURS = {"base": "#7a8594", "head": "#1f6feb", "slower": "#c62828", "faster": "#2e7d32"}


def picture(entry: GateEntry) -> str:
    """The document as SVG: two bars a row, of the base and of the head, each row in its own
    scale.
    """
    pairs = _drawn(entry)
    height = _HEAD + len(pairs) * (2 * _BAR + _GAP) + 16
    title = f"{entry.code}: {answer_words(entry)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 '
        f'{_WIDTH} {height}" role="img" aria-label="{escape(title)}" font-family="system-ui, '
        'sans-serif" font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>',
        (
            '<text x="12" y="22" font-size="15" font-weight="600" '
            f'fill="#1b1f24">{escape(title)}</text>'
        ),
    ]
    for at, (side, commit) in enumerate((("base", entry.base), ("head", entry.head))):
        x = 12 + 400 * at
        parts.append(f'<rect x="{x}" y="36" width="12" height="12" fill="{_COLOURS[side]}"/>')
        name = f"{side}: {commit.commit[:SHORT]} {commit.subject[:40]}"
        parts.append(f'<text x="{x + 18}" y="46" fill="#1b1f24">{escape(name)}</text>')
    for place, pair in enumerate(pairs):
        parts.append(_bars(pair, _HEAD + place * (2 * _BAR + _GAP)))
    return "".join([*parts, "</svg>\n"])


def _drawn(entry: GateEntry) -> list[PairEntry]:
    pairs: dict[tuple[CaseId, str], PairEntry] = {}
    for comparison in (entry.comparison, entry.counts):
        for pair in comparison.comparisons if comparison is not None else ():
            pairs[pair.id, pair.metric] = pair
    cycles = {key for key in pairs if key[1] == "cycles"}
    return [pair for key, pair in pairs.items() if key in cycles or not _in_counts(pair, cycles)][
        :_ROWS
    ]


def _bars(pair: PairEntry, y: int) -> str:
    label = f"{case_words(pair)}, {metric_words(pair.metric)}"
    most = max(pair.median_a or 0.0, pair.median_b or 0.0) or 1.0
    longest = _WIDTH - _LEFT - _VERDICT
    parts = [
        (
            f'<text x="{_LEFT - 8}" y="{y + _BAR + 4}" text-anchor="end" '
            f'fill="#1b1f24">{escape(_cut(label))}</text>'
        )
    ]
    for at, (side, value) in enumerate((("base", pair.median_a), ("head", pair.median_b))):
        top = y + at * _BAR
        width = longest * (value or 0.0) / most
        parts.append(
            f'<rect x="{_LEFT}" y="{top}" width="{width:.1f}" height="{_BAR - 1}" '
            f'fill="{_COLOURS[side]}"/>'
        )
        amount = "-" if value is None else format_value(value, pair.unit, 4)
        parts.append(
            f'<text x="{_LEFT + width + 5:.1f}" y="{top + 9}" font-size="10" '
            f'fill="#1b1f24">{escape(amount)}</text>'
        )
    colour = _COLOURS.get(
        "slower" if pair.verdict in ("slower", "larger") else pair.verdict, "#57606a"
    )
    judgement = ", ".join(
        word for word in (difference_words(pair), _verdict(pair)) if word not in ("-", "0 %")
    )
    parts.append(
        f'<text x="{_WIDTH - 12}" y="{y + _BAR + 4}" text-anchor="end" '
        f'fill="{colour}">{escape(judgement)}</text>'
    )
    return "".join(parts)


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


# Metrics


def gate_metrics(entry: GateEntry) -> str:
    """Medians and ratios of the head to the base as OpenMetrics: a report that GitLab shows beside
    a merge request.
    """
    samples: list[MetricSample] = []
    for pair in _drawn(entry):
        samples.append(MetricSample.of(pair, pair.metric, pair.unit, pair.median_b))
        samples.append(MetricSample.of(pair, f"{pair.metric}_ratio", "1", pair.ratio))
    return exposition(samples)
