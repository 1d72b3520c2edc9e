"""A comparison as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import click

from motebench.base.model import Case
from motebench.base.units import carried_digits, format_size, format_value, metric_words
from motebench.catalog.proof import unproven_words
from motebench.cli.text.layout import print_rows
from motebench.results.comparison import Comparison, Pair, Unmatched
from motebench.results.comparison.model import Open, found_by, left_open
from motebench.results.presentation.by_size import NO_INPUT
from motebench.results.presentation.rows import beside_words, hidden_words
from motebench.stats import ALPHA, EQUIVALENT, Outcome
from motebench.stats.compare import BENJAMINI_HOCHBERG, HOLM, ComparisonVerdict

_LISTED = 10
_DEPENDS = " *"
"""Follows an interval that dependent samples made wider."""
_OVER_PLACES = " #"
"""Follows the range of a ratio over places of the code."""
_MANY = 100
"""A larger number of runs is not recommended."""


def show(comparison: Comparison, allowed: float | None, *, by_size: bool = False) -> None:
    """Comparison as text: differences of the environments, the numbers, left-out cases, the sum.
    ``by_size``: a column for each size of the input.
    """
    _show_sides(comparison)
    slower = None if allowed is None else comparison.slower_than(allowed)
    left = [] if allowed is None else left_open(comparison, allowed)
    if by_size:
        _show_by_size(comparison, slower or ())
    else:
        rows = [_row(pair, comparison, slower, left) for pair in comparison.pairs]
        less = [
            key
            for key in ("metric", "scheme", "operation", "input")
            if len({row[key] for row in rows}) == 1
        ]
        print_rows(rows, less, right=("A", "B", "ratio", "interval", "n"), colour=_colour)
    click.echo()
    for line in (
        *_places_words(comparison),
        *_width_words(comparison),
        *_means(comparison),
        _tests(comparison),
        *_spread_words(comparison),
    ):
        click.echo(line)
    _unmatched("only in A", comparison.only_in_a)
    _unmatched("only in B", comparison.only_in_b)
    if allowed is not None and slower is not None:
        _show_allowed(comparison, allowed, len(slower))
        for line in _power_words(comparison, allowed, left):
            click.echo(line)


def _show_sides(comparison: Comparison) -> None:
    """Print the names of both sides, and the differences of their machines and software."""
    a, b = comparison.a.label, comparison.b.label
    if comparison.of_runs:
        a, b = (f"{side.label}, {len(side.every)} runs" for side in (comparison.a, comparison.b))
    click.echo(f"A: {a}\nB: {b}\nratio: B / A; n: {_what_is_compared(comparison)}\n")
    for difference in comparison.environment:
        click.secho(f"environment differs: {difference}", fg="yellow")
    for change in [] if comparison.paired else comparison.software:
        names = (
            f"implementation_a {change.implementation_a}, implementation_b "
            f"{change.implementation_b}"
        )
        click.echo(f"software differs: {names}, what {change.what}, a {change.a}, b {change.b}")


def _means(comparison: Comparison) -> Iterator[str]:
    for (name, evidence), mean in comparison.means.items():
        interval = (
            "" if mean.low is None or mean.high is None else f" ({mean.low:.3f} to {mean.high:.3f})"
        )
        yield (
            f"geometric mean of {metric_words(name)} ({evidence}): {mean.ratio:.3f}{interval} "
            f"over {mean.cases} cases"
        )


def _tests(comparison: Comparison) -> str:
    """The tests that compared, the margin, and over how many comparisons p is adjusted."""
    pairs = comparison.pairs
    tests = sorted(
        {pair.verdict.test for pair in pairs if pair.verdict.test not in ("", "none")} or {"none"}
    )
    many = f"; p adjusted over {len(pairs)} comparisons ({BENJAMINI_HOCHBERG})"
    return f"test: {', '.join(tests)}{_margin_words(comparison)}{many if len(pairs) > 1 else ''}"


def _show_allowed(comparison: Comparison, allowed: float, slower: int) -> None:
    """Print the numbers of cases that are slower than allowed, and of undecided ones."""
    verdict = (
        f"{slower} of {len(comparison.pairs)} slower" if slower else "nothing is surely slower"
    )
    sure = f"chance of one false call among all: at most {ALPHA:.0%} ({HOLM})"
    click.secho(
        f"{verdict} than A by more than {allowed:.1%}; {sure}", fg="red" if slower else "green"
    )
    if undecided := comparison.undecided():
        most = max(needed for _, needed in undecided)
        click.secho(
            f"{len(undecided)} of {len(comparison.pairs)} cannot be decided: too few samples, up "
            f"to {most} are needed",
            fg="yellow",
        )


def _margin_words(comparison: Comparison) -> str:
    """Margin and its origin, as a clause; empty without one."""
    if not comparison.margin:
        return ""
    text = f"; differences within {comparison.margin:.1%} are not called"
    if comparison.margin_source == "spread":
        spread = next(iter(comparison.spreads.values()))
        return f"{text}: two runs of one thing differ by so much here, as {spread.runs} runs show"
    if comparison.margin_source == "assumed" and comparison.of_runs:
        return f"{text} (assumed: the runs were not made in turn, run --alternate does that)"
    if comparison.margin_source == "assumed":
        return f"{text} (assumed: run --runs 5 estimates it)"
    return text


def _spread_words(comparison: Comparison) -> list[str]:
    return [
        f"spread of runs, {metric_words(name)}: {spread.sd:.2%} "
        f"({spread.runs} runs, {spread.degrees} degrees of freedom)"
        for name, spread in comparison.spreads.items()
    ]


def _power_words(comparison: Comparison, allowed: float, left: Sequence[Open]) -> list[str]:
    """Slowdown that the runs could have found, and the number of runs that would decide the open
    cases."""
    lines = []
    if (least := found_by(comparison, allowed)) is not None:
        lines.append(f"these runs find a slowdown of {least:.1%} or more 95 times in 100")
    if left:
        counts = [item.more for item in left if item.more is not None and item.more <= _MANY]
        more = (
            f": {max(counts)} more runs a side would decide {len(counts)} of them" if counts else ""
        )
        lines.append(f"{len(left)} of {len(comparison.pairs)} cases are left open{more}")
        if any(item.pair.verdict.span for item in left):
            lines.append("where the code lies decides: --placements says over how many places")
        elif not comparison.spreads:
            lines.append(
                "how many runs they need is not known: motebench run --runs 5 shows how runs "
                "spread here"
            )
        elif len(counts) < len(left):
            lines.append(
                f"others are too near to {allowed:.1%}: more than {_MANY} runs would have to be "
                "added"
            )
    return lines


_MARKS = {Outcome.NOT_DISTINGUISHABLE: "=", Outcome.TOO_FEW: "?"}
"""Stand before a ratio that is no verdict."""
_SLOWER = "!"


def _show_by_size(comparison: Comparison, slower: Sequence[Pair]) -> None:
    """The ratios as tables with a column for each size of the input."""
    lines: dict[tuple[str, ...], dict[int, Pair]] = {}
    several = len({pair.a.case.target for pair in comparison.pairs}) > 1
    for pair in comparison.pairs:
        case = pair.a.case
        beside = beside_words(case.id)
        target = case.target if several else None
        operation = ", ".join(filter(None, (case.operation.value, beside, case.file, target)))
        by = () if comparison.a.implementation else (case.implementation,)
        key = (case.scheme, *by, operation, metric_words(pair.a.metric))
        lines.setdefault(key, {})[case.input_bytes if case.operation.sized else NO_INPUT] = pair
    sizes = sorted({size for pairs in lines.values() for size in pairs})
    heads = ["no input" if size == NO_INPUT else format_size(size) for size in sizes]
    names = ("scheme", *(() if comparison.a.implementation else ("by",)), "operation", "metric")
    rows = [
        dict(
            zip(
                (*names, *heads),
                (*key, *(_marked_ratio(pairs.get(size), slower) for size in sizes)),
                strict=True,
            )
        )
        for key, pairs in lines.items()
    ]
    print_rows(rows, right=heads)
    click.echo(
        "= not distinguishable, ? too few samples to tell"
        + (f", {_SLOWER} slower than allowed" * bool(slower))
    )


def _marked_ratio(pair: Pair | None, slower: Sequence[Pair]) -> str:
    if pair is None:
        return "n/a"
    mark = (
        _SLOWER if any(pair is other for other in slower) else _MARKS.get(pair.verdict.outcome, "")
    )
    return f"{mark} {_ratio(pair.verdict)[0]}".strip()


def _input_words(case: Case) -> str:
    return case.input_words() if case.operation.sized else "-"


def _ratio(verdict: ComparisonVerdict) -> tuple[str, str]:
    """The ratio and its interval, with the digits that the interval carries."""
    ratio = verdict.ratio
    low, high = verdict.span or (verdict.low, verdict.high)
    if ratio is None:
        return "-", "-"
    digits = 4 if verdict.span else carried_digits(ratio, low, high, 4)
    # One place for all three: ends of an interval around 1 begin with other powers of ten.
    places = max(0, digits - 1 - math.floor(math.log10(ratio))) if ratio > 0 else 3
    if low is None or high is None:
        return f"{ratio:.{places}f}", "-"
    value, first, last = (f"{round(number, places):.{places}f}" for number in (ratio, low, high))
    return value, f"{first} to {last}"


def _row(
    pair: Pair, comparison: Comparison, slower: Sequence[Pair] | None, left: Sequence[Open]
) -> dict[str, object]:
    case, verdict = pair.a.case, pair.verdict
    ratio, interval = _ratio(verdict)
    interval += _OVER_PLACES if verdict.span else _DEPENDS if verdict.inflation > 1 else ""
    row: dict[str, object] = {"scheme": case.scheme}
    if comparison.a.implementation is None:
        row["implementation"] = case.implementation
    row |= {
        "operation": case.operation.value,
        "input": _input_words(case),
        "metric": metric_words(pair.a.metric),
        "A": format_value(pair.median_a, pair.a.unit),
        "B": format_value(pair.median_b, pair.b.unit),
        "ratio": ratio,
        "interval": interval,
        "n": str(verdict.n_a) if verdict.n_a == verdict.n_b else f"{verdict.n_a}, {verdict.n_b}",
    }
    if slower is not None:
        is_open = any(item.pair is pair for item in left)
        row["allowed"] = (
            "no" if any(pair is other for other in slower) else "open" if is_open else "yes"
        )
    return row | {"verdict on B": _words(pair)}


def _what_is_compared(comparison: Comparison) -> str:
    """Unit that the number of a row counts."""
    if comparison.of_runs:
        return "runs"
    if any(row.batches is not None for pair in comparison.pairs for row in (pair.a, pair.b)):
        return "invocations"
    return "pairs, samples of the same round" if comparison.paired else "samples of A and of B"


def _places_words(comparison: Comparison) -> Iterator[str]:
    """The meaning of ranges over places of the code, and boards whose cycles are not proven."""
    if any(pair.verdict.span for pair in comparison.pairs):
        yield (
            f"{_OVER_PLACES.strip()} least and most ratio over the places of the code; the ratio "
            "is that of the usual place. Ratios on both sides of 1 rank nobody"
        )
    yield from unproven_words(pair.a.case.target for pair in comparison.pairs if not pair.proven)


def _width_words(comparison: Comparison) -> list[str]:
    """Reason why an interval of a ratio is wider than those that ``show`` has of the two
    medians."""
    pairs = [
        pair
        for pair in comparison.pairs
        if pair.verdict.low is not None and pair.verdict.test != "exact"
    ]
    if not pairs:
        return []
    sure = f"{100 * (1 - comparison.alpha):.4g} %"
    lines = [
        f"interval: {sure} for the ratio; ± in show is 95 % for one median alone, so it is narrower"
    ]
    lines += _independent_words(comparison, pairs)
    fewer = [
        pair for pair in pairs if pair.verdict.n_a < max(len(pair.a.values), len(pair.b.values))
    ]
    if comparison.paired and fewer:
        lines.append(
            f"in {len(fewer)} rows some samples have no partner of the same round, and take no part"
        )
    return [*lines, *_moved_words(pairs), *_dependent_words(comparison, pairs)]


def _independent_words(comparison: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """Worth of the interval of fewest readings if they depend on each other, which so few cannot
    show.
    """
    verdicts = [pair.verdict for pair in pairs if pair.verdict.confidence_dependent is not None]
    if not verdicts:
        return
    least = min(verdicts, key=lambda verdict: verdict.confidence_dependent or 0.0)
    units = "pairs" if comparison.paired else "samples"
    hidden = hidden_words(least.confidence_dependent or 0.0, min(least.n_a, least.n_b), units)
    yield f"  if readings are independent; {hidden}"


def _dependent_words(comparison: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """Sentences on the number of rows whose readings depend on previous ones, and the effective
    samples of the worst.
    """
    depends = [pair.verdict for pair in pairs if pair.verdict.inflation > 1]
    if not depends:
        return
    worst = max(depends, key=lambda verdict: verdict.inflation)
    units = "ratios" if comparison.paired else "samples"
    yield (
        f"{_DEPENDS.strip()} in {len(depends)} rows {units} depend on those before them, which "
        "widens the interval: "
        f"at the worst {worst.n_a} are worth {_few(worst.n_a / worst.inflation)}"
    )
    yield "  run again on a quieter machine, or with a larger --budget"


def _moved_words(pairs: Sequence[Pair]) -> list[str]:
    """Rows whose margin is larger because the machine changed its speed in or between two runs."""
    margins = [pair.machine for pair in pairs if 0 < pair.machine == pair.verdict.margin]
    if not margins:
        return []
    return [
        f"in {len(margins)} rows the machine changed its speed, as a fixed loop beside each "
        f"reading shows: differences within up to {max(margins):.1%} are not called there"
    ]


def _few(worth: float) -> str:
    return "less than one" if worth < 1 else f"{worth:.1f}"


def _colour(verdict: str) -> str | None:
    """Colour of a verdict on B."""
    good, bad = ("faster", "smaller"), ("slower", "larger")
    word = verdict.partition(" ")[0]
    return (
        "green"
        if word in good
        else "red"
        if word in bad
        else "yellow"
        if verdict.startswith("too few")
        else None
    )


def _words(pair: Pair) -> str:
    verdict = pair.verdict
    if verdict.note and verdict.note.startswith(pair.word):
        return verdict.note
    if verdict.note:
        return f"{pair.word} ({verdict.note})"
    close = verdict.equivalent and not verdict.different
    return f"{pair.word} (within {EQUIVALENT:.0%}, shown)" if close else pair.word


def _unmatched(title: str, items: Sequence[Unmatched]) -> None:
    if not items:
        return
    click.echo(f"{title}: {len(items)}")
    for item in items[:_LISTED]:
        size = (
            ""
            if item.bare and not item.input_bytes
            else f" {item.input_words(lambda size: f'{size} B')}"
        )
        click.echo(f"  {item.scheme} {item.implementation} {item.operation}{size}: {item.reason}")
    if len(items) > _LISTED:
        click.echo(f"  ... and {len(items) - _LISTED} more; --json has all")
