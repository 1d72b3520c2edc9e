"""Rows and remarks of a leak test with a reader's words, for terminals and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from motebench.documents.leak import (
    CodePlaceEntry,
    CountedEntry,
    ExampleEntry,
    FlowCaseEntry,
    FlowFindingEntry,
    LeakEntry,
    LeakJudgedEntry,
    TimedInputEntry,
)
from motebench.stats.leak import SURE

_ARMS = (
    "the caches hold what the timed input needs, data of other inputs, or neither; JSON has all "
    "arms"
)


def method_words(document: LeakEntry) -> str:
    """Implementation, target and method of an examination, as a sentence."""
    return (
        f"{document.implementation} on {document.target}: {document.method}, {document.evidence}, "
        f"{document.samples} inputs for each secret"
    )


def leak_row(entry: CountedEntry | LeakJudgedEntry) -> dict[str, str | int | None]:
    """A secret of an operation as cells by their headings; the last one is the verdict."""
    row: dict[str, str | int | None] = {
        "scheme": entry.scheme,
        "operation": entry.operation,
        "bytes": entry.input_bytes or None,
        "varied": entry.varied,
    }
    if isinstance(entry, CountedEntry):
        cycles = entry.cycles
        counted = {"fewest": cycles.fewest, "most": cycles.most, "distinct": cycles.distinct}
        return {**row, **counted, "spread": cycles.most - cycles.fewest, "verdict": entry.verdict}
    arm = entry.arms[0]
    difference = arm.difference
    return {
        **row,
        "caches hold": arm.caches,
        "median": f"{arm.median_ns:.4g} ns",
        "stands out": difference.input.name,
        "difference": f"{difference.ns:+.3g} ns",
        "95 %": f"{difference.low_ns:+.3g} to {difference.high_ns:+.3g} ns",
        "p": f"{arm.test.p:.2g}",
        "control p": f"{arm.control.p:.2g}",
        "would be seen": f"{arm.would_be_seen_ns:.2g} ns",
        "verdict": entry.verdict,
    }


def example_words(example: ExampleEntry) -> Iterator[str]:
    """Remarks on the pair of an example."""
    if not example.repeats:
        yield (
            "measured again, the same input took different cycles: the input is not the only "
            "cause, so no leak is shown"
        )
    without = example.without_cache
    if without and without.fewest == without.most:
        yield (
            f"without the cache of the flash both take {without.most} cycles: the cache causes the "
            "difference, as for look-ups in tables; a part without a cache does not have this leak"
        )
    elif without:
        yield f"without the cache of the flash they take {without.fewest} and {without.most} cycles"


def parts_of(side: TimedInputEntry) -> dict[str, str]:
    """The parts that an input has, in hexadecimal digits."""
    parts = {
        "key": side.key,
        "nonce": side.nonce,
        "message": side.message,
        "peer": side.peer,
        "tag": side.tag,
        "ciphertext": side.ciphertext,
        "coins": side.coins,
    }
    return {name: digits for name, digits in parts.items() if digits}


def entry_remarks(entry: CountedEntry | LeakJudgedEntry) -> Iterator[str]:
    """Remarks that do not fit a row: the input that is for comparison only, and inputs that were
    refused.
    """
    subject = f"{entry.scheme} {entry.operation}, {entry.varied}"
    if isinstance(entry, CountedEntry):
        if entry.accepted_cycles is not None:
            yield (
                f"{subject}: the right tag takes {entry.accepted_cycles} cycles; whether a tag "
                "is right is no secret"
            )
    elif side := entry.arms[0].accepted:
        yield (
            f"{subject}: the right tag less a forged one: {side.ns:+.3g} ns "
            f"({side.low_ns:+.3g} to {side.high_ns:+.3g} ns); whether a tag is right is no secret"
        )
    for reason in dict.fromkeys(entry.refused.values()):
        names = ", ".join(name for name, message in entry.refused.items() if message == reason)
        yield f"{subject}: refused by the implementation, so not timed: {names}: {reason}"


def remarks(document: LeakEntry) -> Iterator[str]:
    """Remarks for a reader of all rows: the method, secrets that were not varied, failures,
    notes.
    """
    judged = [entry for entry in document.findings if isinstance(entry, LeakJudgedEntry)]
    if judged:
        yield (
            f"A row shows the arm of the test that says most: {_ARMS}. A leak is called at an "
            "error probability of "
            f'{SURE:g}, for all tests of all arms. "No difference found" is no proof that there '
            "is none: it may be "
            "smaller than what would have been seen."
        )
    for reason in dict.fromkeys(entry.arms_left_out for entry in judged if entry.arms_left_out):
        yield (
            "Every input was computed right before it was timed, so a look-up in a table may "
            f"not be found: {reason}"
        )
    for left in document.left_out:
        yield f"{left.scheme} {left.operation}, {left.varied}: not varied: {left.reason}"
    for failure in document.failures:
        subject = f"{failure.scheme} {failure.operation or ''}".strip()
        yield f"failed: {subject} ({failure.kind}): {failure.message}"
    if pending := document.run.cases.pending:
        were = "operation was" if pending == 1 else "operations were"
        yield f"{pending} {were} not examined: the run is {document.run.status}"
    yield from document.run.notes


def verdict_counts(entries: Sequence[CountedEntry | LeakJudgedEntry]) -> dict[str, int]:
    """Number of secrets by verdict."""
    verdicts = [str(entry.verdict) for entry in entries]
    return {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}


# Flow of secrets


def flow_row(case: FlowCaseEntry) -> dict[str, str]:
    """An operation whose secrets were followed, as cells by their headings."""
    errors = sum(finding.error for finding in case.findings)
    coverage = case.coverage
    return {
        "scheme": case.scheme,
        "operation": case.operation,
        "bytes": str(case.input_bytes or "-"),
        "secret": ", ".join(case.secrets),
        "inputs": str(case.inputs),
        "lines run": f"{coverage.ran} of {coverage.lines}" if coverage else "not known on hosts",
        "errors": str(errors),
        "notes": str(len(case.findings) - errors),
        "verdict": case.verdict,
    }


def flow_lines(case: FlowCaseEntry) -> Iterator[str]:
    """Remarks on the verdict of a case, before its findings."""
    subject = f"{case.scheme} {case.operation}"
    for public in case.declassified:
        yield (
            f"{subject}: declared public by {public.declared}: {place_words(public.at)}, "
            f"{public.times} times"
        )
    if case.coverage and case.coverage.not_covered:
        gaps = "; ".join(
            f"{gap.function} ({gap.file}): {ranges(gap.lines)}" for gap in case.coverage.not_covered
        )
        yield f"{subject}: not covered: lines of this code that did not run: {gaps}"
    for reason in dict.fromkeys(case.refused.values()):
        names = ", ".join(name for name, message in case.refused.items() if message == reason)
        yield f"{subject}: refused by the implementation: {names}: {reason}"
    if case.findings_lost:
        yield f"{subject}: {case.findings_lost} more findings had no room in the answer"


def finding_row(finding: FlowFindingEntry) -> dict[str, str]:
    """A finding as cells by their headings."""
    return {
        "": "error" if finding.error else "note",
        "what": finding.kind,
        "where": place_words(finding.at),
        "instruction": finding.at.instruction or "-",
        "times": str(finding.times),
        "cycles": "-" if finding.cycles is None else str(finding.cycles),
        "from": ", ".join(finding.secrets) or "-",
        "through": " > ".join(finding.through) or "-",
    }


def place_words(place: CodePlaceEntry) -> str:
    """Function, source line and address."""
    line = "" if place.file is None else f" {place.file}"
    line += "" if place.line is None else f":{place.line}"
    return f"{place.function or '?'}{line} ({place.address})"


def ranges(numbers: Sequence[int]) -> str:
    """Numbers in their order, those in a row as a range."""
    starts = [numbers[0], *(after for before, after in pairwise(numbers) if after != before + 1)]
    ends = [*(before for before, after in pairwise(numbers) if after != before + 1), numbers[-1]]
    return ", ".join(
        str(start) if start == end else f"{start}-{end}"
        for start, end in zip(starts, ends, strict=True)
    )
