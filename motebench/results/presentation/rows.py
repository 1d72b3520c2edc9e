"""The measurements of a run as rows with text for readers, and what the data show about two of
them.

Rows have a stable order, and no numbers that are not finite.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.model import EMPTY_FILE, SLOWED, Evidence, Kind, Operation
from motebench.base.naming import is_variant, plain
from motebench.base.units import METRICS, Better, format_size, format_value, format_within
from motebench.documents.result import Measurement, Result, RunEntry
from motebench.results.slow_phases import SLOW
from motebench.results.verdicts import RunVerdicts
from motebench.stats import ComparisonVerdict
from motebench.stats.dependence import DEPENDENT
from motebench.stats.shift import CHANGING

OPERATIONS = {
    "encrypt": "encrypt (long message)",
    "decrypt": "decrypt (long message)",
    "encrypt-message": "encrypt one message",
    "decrypt-message": "decrypt one message",
    "encrypt-new-key": "encrypt with a new key",
    "key-setup": "set up a key",
    "digest": "hash",
    "mac": "authenticate (MAC)",
    "keygen": "make a key",
    "sign": "sign",
    "verify": "verify",
    "agree": "agree on a secret",
    "encapsulate": "encapsulate a secret",
    "decapsulate": "decapsulate a secret",
    "encrypt-file": "encrypt a file",
    "decrypt-file": "decrypt a file",
    "digest-file": "hash a file",
    "mac-file": "authenticate a file",
    "sign-file": "sign a file",
    "verify-file": "verify a file",
    "copy-file": "plain copy",
}
"""Operations in plain words, in the order of reports."""

PUBLIC_KEY = ("keygen", "sign", "verify", "agree", "encapsulate", "decapsulate")
MANAGED = ("allocated", "heap", "heap_total")
"""Metrics of managed runtimes, which have their own heap."""
CONFIDENCE = 0.95
"""The coverage of intervals, unless they state another."""
WORTH_SHOWING = 0.5
"""Least coverage of an interval that is shown."""
CURVES = ("warmup_time",)
"""Metrics whose values are a development in order: their median and interval mean nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Measurement):
    """One measurement, with text for readers. Numbers are in ``unit``; NaN and None if they are not
    finite.
    """

    index: int
    verdicts: RunVerdicts | None = field(default=None, repr=False, compare=False)
    """Verdicts on the rows of the run, by their index."""

    def verdict(self, best: Row) -> ComparisonVerdict | None:
        """The verdict on this row against ``best`` of the same run; None where they cannot be
        compared.
        """
        return None if self.verdicts is None else self.verdicts.of(best.index, self.index)

    @property
    def label(self) -> str:
        """Scheme and implementation; a plain copy has no scheme."""
        if self.is_copy:
            return "plain copy"
        return f"{self.scheme} · {self.implementation}"

    @property
    def is_copy(self) -> bool:
        """True if it is the plain copy of a file, which has no scheme and no implementation."""
        return self.operation == "copy-file"

    @property
    def is_floor(self) -> bool:
        """True if it is an empty file, which shows the cost of the process without data."""
        return self.file == EMPTY_FILE and self.size == 0

    @property
    def is_curve(self) -> bool:
        """True if the values are a development in order, whose median means nothing."""
        return self.metric in CURVES

    @property
    def plain(self) -> str:
        """The implementation without its variant: ``openssl`` of ``openssl@no-aes``."""
        return plain(self.implementation)

    @property
    def is_variant(self) -> bool:
        """True if it is a variant of an implementation, or from another compiler."""
        return is_variant(self.implementation)

    @property
    def size(self) -> int:
        """Bytes of the input; 0 without one."""
        return self.input_bytes or 0

    @property
    def beside_words(self) -> str:
        """Inputs in addition to the size: the file, or additional data."""
        return self.file or beside_words(self)

    @property
    def case(self) -> tuple[CaseId, str]:
        """Key that all rows of one case share: the case, and the evidence."""
        return self.id, self.evidence

    @property
    def text(self) -> str:
        """The median in a readable unit with the digits that its interval carries, marked if it is
        not quotable.
        """
        text = format_within(self.median, self.unit, self.ci_low, self.ci_high)
        if self.unit == "cycles" and self.ends:
            # a range in whole cycles needs a median in whole cycles
            text = f"{self.median:,.0f} cycles"
        return text if self.quotable else unquotable(text)

    @property
    def half_width(self) -> float | None:
        """Half the interval's width relative to the median, as a fraction; None without an
        interval.
        """
        if self.ci_low is None or self.ci_high is None or not self.median or not self.quotable:
            return None
        if self.confidence is not None and self.confidence < WORTH_SHOWING:
            return None
        return (self.ci_high - self.ci_low) / 2 / abs(self.median)

    @property
    def ranks(self) -> bool:
        """True if it can be ahead of others: it has an interval, or is quotable and has a spread of
        runs.
        """
        return self.half_width is not None or (self.quotable and self.run_spread is not None)

    @property
    def spread(self) -> str:
        """``±0.4 %``, or ``no interval``; ``±0.4 % at 80 %`` if the samples do not reach 95 %; of
        code at several places its range: ``(182 to 196 over 4 places)``; of a group
        ``(0.8 % between runs)``."""
        if self.ends:
            return f"({self.ends} over {self.places} places)"
        if self.run_spread is not None:
            return "±0 %" if self.exact else f"({share_words(self.run_spread)} between runs)"
        text = percent(self.half_width)
        short = (
            self.half_width is not None
            and self.confidence is not None
            and self.confidence < CONFIDENCE
        )
        return f"{text} at {100 * (self.confidence or 0):.0f} %" if short else text

    @property
    def exact(self) -> bool:
        """True if every reading is the same because a simulator counts: the values have no
        spread.
        """
        return self.evidence == "simulated" and self.min == self.max

    @property
    def ends(self) -> str:
        """Least and most over places of the code, without the unit if it is that of the median:
        ``182 to 196``. Empty for one place.
        """
        if self.places_least is None or self.places_most is None:
            return ""
        low, high = self.places_least, self.places_most
        if self.unit == "cycles":
            return f"{low:,.0f} to {high:,.0f}"
        texts = [format_value(value, self.unit) for value in (low, self.median, high)]
        units = {text.partition(" ")[2] for text in texts}
        low_text, _, high_text = (
            (text.partition(" ")[0] for text in texts) if len(units) == 1 else texts
        )
        return f"{low_text} to {high_text}"

    @property
    def alone(self) -> bool:
        """True if the median needs no interval beside it: it is exact, and of one place of the
        code.
        """
        return self.exact and not self.ends

    @property
    def dependent(self) -> bool:
        """True if samples depend on the previous ones, and the interval is wider for it."""
        return any(note.startswith(DEPENDENT) for note in self.notes)

    @property
    def machine_moved(self) -> bool:
        """True if the machine certainly changed its speed meanwhile, and the interval is wider for
        it.
        """
        return any(note.startswith(SLOW) for note in self.notes)

    @property
    def public_key(self) -> bool:
        """True for operations of signatures, key agreement and key encapsulation."""
        return self.operation in PUBLIC_KEY

    @property
    def takes_input(self) -> bool:
        """True if the size of the input is a parameter of the case."""
        return self.operation in list(Operation) and Operation(self.operation).sized

    @property
    def on_file(self) -> bool:
        """True if it is a whole-file operation."""
        return self.operation.endswith("-file")


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def same_notes(notes: Iterable[str]) -> list[tuple[str, int, bool]]:
    """Notes that differ in figures alone as one: the first of them, how many there are, and whether
    all are equal.
    """
    alike: dict[str, list[str]] = {}
    for note in notes:
        alike.setdefault(_FIGURE.sub("#", note), []).append(note)
    return [
        (notes_alike[0], len(notes_alike), len({*notes_alike}) == 1)
        for notes_alike in alike.values()
    ]


def run_notes(run: RunEntry) -> list[str]:
    """The notes of a run; of a group each once, with the number of runs that have it or one like
    it.
    """
    names = frozenset(member.name for member in run.runs)
    if not names:
        return list(run.notes)
    every: list[str] = []
    for note in run.notes:
        text, count = _of_runs(note, names)
        every += [text] * (count or len(names))
    return [_with_count(*same, len(names)) for same in same_notes(every)]


def _with_count(note: str, count: int, equal: bool, runs: int) -> str:
    if equal:
        return note if count >= runs else f"{note} (in {count} of {runs} runs)"
    return f"{note} (and alike, {count} times in {runs} runs)"


def _of_runs(note: str, runs: frozenset[str]) -> tuple[str, int]:
    """A note without the names of runs before it, and how many these are:
    ``base-1, base-3: text``.
    """
    before, colon, text = note.partition(": ")
    named = before.split(", ")
    return (text, len(named)) if colon and runs.issuperset(named) else (note, 0)


def run_words(run: RunEntry) -> str:
    """The run by its number, or the group by its name and number of runs."""
    return f"{len(run.runs)} runs, {run.name}" if run.runs else f"run {run.id}"


PROFILED = "cycles by function: "
"""Beginning of the note of a case with a profile; functions follow, each with its own share."""
DISTURBED_NOTE = "readings disturbed"
"""Text that a note of a case with disturbed readings contains."""
LOWERED = "its clock was lowered"


def disturbance(rows: Iterable[Row]) -> str:
    """Cause of the disturbed readings of these rows, as a clause."""
    notes = [
        note
        for row in rows
        if row.disturbed or not row.quotable
        for note in row.notes
        if DISTURBED_NOTE in note
    ]
    slowed = sum(f": {SLOWED}" in note for note in notes)
    lost = "the process lost the processor"
    if not slowed:
        return lost
    return LOWERED if slowed == len(notes) else f"{lost} or {LOWERED}"


def changing_words(rows: Sequence[Row], most: int = 3) -> str:
    """Sentence on the rows whose time changes with their inputs from call to call; empty without
    such rows.
    """
    noted = [
        (row, note.removeprefix(CHANGING))
        for row in rows
        for note in row.notes
        if note.startswith(CHANGING)
    ]
    if not noted:
        return ""
    named = [
        (
            f"{row.operation} {size_words(row.size)} by {row.implementation} on {row.target}: "
            f"{note.split(': ')[0]}"
        )
        for row, note in noted[:most]
    ]
    more = [f"{len(noted) - most} more"] if len(noted) > most else []
    why = "the code remembers its input, or its time depends on it"
    return (
        f"{len(noted)} of {len(rows)} cases take another time {CHANGING}than with the same input, "
        f"and this time is shown: {why}. {'; '.join(named + more)}."
    )


def again(rows: Iterable[Row]) -> str:
    """Advice on rows with too many disturbed readings, as a sentence."""
    if disturbance(rows) == LOWERED:
        return "Mend power supply or cooling, and run again."
    return "Run again on a quiet machine."


def unquotable(text: str) -> str:
    """A number that must not be quoted, as text: ``~1.37 ms (disturbed)``."""
    return f"~{text} (disturbed)"


def share_words(share: float) -> str:
    """A share as text with two digits: ``0.81 %``, ``12 %``, ``120 %``."""
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.0f} %"


def percent(half: float | None) -> str:
    """An interval's half width as text: rounded up, with at most three digits."""
    if half is None:
        return "no interval"
    if half < 0.0005:
        return "±<0.1 %" if half > 0 else "±0 %"
    return f"±{half * 100:.1f} %" if half < 0.0995 else f"±{half * 100:.0f} %"


def number(value: object) -> float | None:
    """A finite number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _order(names: Iterable[str], ordered: Iterable[str]) -> dict[str, int]:
    first = {name: place for place, name in enumerate(ordered)}
    return {
        name: place
        for place, name in enumerate(
            sorted(set(names), key=lambda n: (first.get(n, len(first)), n))
        )
    }


def listed(entries: Sequence[str]) -> str:
    """List in words, of at least one word: ``a``, ``a and b``, ``a, b and c``."""
    return entries[0] if len(entries) == 1 else f"{', '.join(entries[:-1])} and {entries[-1]}"


def operation_words(operation: str) -> str:
    """Operation as text; an unknown name stays unchanged."""
    return OPERATIONS.get(operation, operation)


def size_words(size: int) -> str:
    """An input size as text."""
    return format_size(size) if size else "no input"


def beside_words(case: CaseId) -> str:
    """The other inputs of the operation, and the number of cores, as text; empty if there are
    none.
    """
    return ", ".join(
        f"on {dimension.words(number)}"
        if dimension.counts
        else f"{format_size(number)} of {dimension.word}"
        for dimension, number in case.beside()
    )


def input_of(case: CaseId) -> str:
    """The input of a case with its file, as text; empty if there is neither."""
    size = case.input_words() if case.input_bytes or any(case.beside()) else ""
    return " ".join(part for part in (size, f"({case.file})" if case.file else "") if part)


def case_words(case: CaseId, *, target: bool = True) -> str:
    """A case in a line of text: ``aes-128-gcm openssl encrypt-message 16 B + 13 B AAD on host``."""
    where = f"on {case.target}" if target and case.target else ""
    parts = (case.scheme, case.implementation, case.operation, input_of(case), where)
    return " ".join(part for part in parts if part)


def direction(metric: str) -> str:
    """Better direction, as text; empty if neither is better."""
    better = METRICS[metric].better if metric in METRICS else Better.NEITHER
    return "" if better is Better.NEITHER else f"{better.value} is better"


def machine_words(rows: Sequence[Row]) -> str:
    """Sentence on cases during which the machine changed its speed; empty without such cases."""
    moved = [row for row in rows if row.machine_moved and row.quotable]
    if not moved:
        return ""
    slower = max(row.machine_slower for row in moved)
    of_runs = any(row.run_spread is not None for row in moved)
    so = "the spread between runs holds it" if of_runs else "their intervals are wider for it"
    how = (
        f"was up to {100 * slower:.0f} % slower for a while" if slower else "did not keep its speed"
    )
    return (
        f"The machine {how} in {len(moved)} of {len(rows)} cases, as a fixed loop beside each "
        f"reading shows: {so}."
    )


def spread_words(rows: Sequence[Row]) -> str:
    """Spread between the runs of a group, as a sentence; empty for one run, and where every run
    counts the same.
    """
    spreads = [(row.run_spread, row) for row in rows if row.run_spread is not None and row.quotable]
    if not any(spread for spread, _ in spreads):
        return ""
    most, widest = max(spreads, key=lambda item: item[0])
    middle = statistics.median(spread for spread, _ in spreads)
    name = case_words(widest.id, target=False)
    few = min(row.n for _, row in spreads)
    return (
        f"Spread between runs: {share_words(middle)} in a typical case, {share_words(most)} at the "
        f"most ({name}): the standard deviation of the medians of {few} runs."
    )


def scope_words(rows: Sequence[Row]) -> str:
    """Scope of the intervals of measured times, as text; empty without such times."""
    if any(row.run_spread is not None for row in rows):
        return "Ratios are about these runs: one machine, one after another, one compiler."
    timed = [row for row in rows if row.metric == "time" and row.evidence == Evidence.MEASURED]
    if not timed:
        return ""
    text = (
        "Intervals are about the minutes of this run: warm caches, one key, one compiler."
        + _hidden_words(timed)
    )
    unquiet = any(row.machine_moved or row.disturbed for row in timed)
    return (
        f"{text} This machine was not quiet: run --runs 5 shows how far runs differ."
        if unquiet
        else text
    )


def _hidden_words(rows: Sequence[Row]) -> str:
    """Worth of the intervals of so few samples if these depend on each other, as a sentence; empty
    where nothing has an interval.
    """
    confidences = [
        (row.confidence_dependent, row.n)
        for row in rows
        if row.quotable and row.confidence_dependent is not None
    ]
    if not confidences:
        return ""
    least, n = min(confidences)
    sure = f"They hold for {100 * CONFIDENCE:.0f} % if readings are independent"
    return f" {sure}, {hidden_words(least, n, 'readings')}."


def hidden_words(share: float, n: int, noun: str) -> str:
    """Least confidence of an interval of n samples where they depend on each other, as a clause."""
    return (
        f"for {100 * share:.0f} % or more if they depend on each other in ways that {n} {noun} "
        "can hide"
    )


def places_words(rows: Iterable[Row]) -> str:
    """Sentence on ranges over places of the code; empty without such rows."""
    counts = sorted({row.places for row in rows if row.ends})
    if not counts:
        return ""
    number = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
    return (
        f"The code lay at {number} places: a figure is that of the usual place, beside it least "
        "and most over all. Implementations whose ranges overlap are not ranked."
    )


def rows_of(result: Result) -> list[Row]:
    """The measurements of a run that have a median, ordered by operation, size, scheme,
    implementation, metric.
    """
    entries = [entry for entry in result.measurements if math.isfinite(entry.median)]
    operations = _order((str(entry.operation) for entry in entries), OPERATIONS)
    metrics = _order((entry.metric for entry in entries), METRICS)

    def key(entry: Measurement) -> tuple[Any, ...]:
        return (operations[str(entry.operation)], *entry.order(), metrics[entry.metric])

    entries.sort(key=key)
    verdicts = RunVerdicts(entries, of_runs=bool(result.run.runs))
    names = frozenset(member.name for member in result.run.runs)
    return [_row(index, entry, verdicts, names) for index, entry in enumerate(entries)]


def _row(index: int, entry: Measurement, verdicts: RunVerdicts, runs: frozenset[str]) -> Row:
    """``runs``: names of the runs of a group, which may stand before notes."""
    numbers: dict[str, Any] = {
        field.name: getattr(entry, field.name) for field in fields(Measurement)
    }
    numbers["notes"] = tuple(dict.fromkeys(_of_runs(note, runs)[0] for note in entry.notes))
    numbers |= {name: number(numbers[name]) for name in _MAYBE}
    numbers |= {name: math.nan for name in _ALWAYS if not math.isfinite(numbers[name])}
    values = tuple(value for value in entry.values if math.isfinite(value))
    return Row(**{**numbers, "values": values}, index=index, verdicts=verdicts)


_MAYBE = (
    "places_least",
    "places_most",
    "ci_low",
    "ci_high",
    "confidence",
    "confidence_dependent",
    "variance",
    "stddev",
    "lag1",
    "halves",
    "run_spread",
)
_ALWAYS = ("mean", "min", "max", "effective_n")


_NEEDS = {
    Kind.AEAD: "aead",
    Kind.CIPHER: "encryption",
    Kind.STREAM: "encryption",
    Kind.MAC: "mac",
    Kind.HASH: "hash",
    Kind.SIGNATURE: "signature",
    Kind.AGREEMENT: "agreement",
    Kind.KEM: "kem",
}


def question_words(scheme: str, rows: Iterable[Row]) -> str | None:
    """The options of ``motebench choose`` that ask for a scheme of this kind and its shortest
    message in these rows; None if the catalog does not have it."""
    from motebench.catalog import schemes

    entry = schemes().get(scheme)
    if entry is None:
        return None
    need = f"--need {_NEEDS[entry.kind]}"
    # Keys and ciphertexts are what is sent: there is no message
    if entry.kind in (
        Kind.AGREEMENT,
        Kind.KEM,
    ):
        return need
    shortest = min((row.size for row in rows if row.size and row.scheme == scheme), default=24)
    return f"{need} --message {shortest}"
