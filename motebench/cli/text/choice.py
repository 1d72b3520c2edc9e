"""The choice as text: ranked and rejected candidates, keys and nonces, provisions, and which input
decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from motebench.base.units import format_value, life_unit
from motebench.cli.text.layout import bounded, print_rows
from motebench.documents.choice import (
    PUBLIC_KEY,
    CandidateEntry,
    ChoiceEntry,
    ConnectionEntry,
    ConnectionWayEntry,
    FigureEntry,
    KeysEntry,
    Proposal,
    ProvisionEntry,
    QuestionEntry,
    ReferenceOrigin,
    RejectedEntry,
    RunOrigin,
    SensitiveInput,
    SensitivityEntry,
    timing_words,
)
from motebench.show.decision import screen

if TYPE_CHECKING:
    from motebench.advise.choice.choice_document import ShortAnswer

_TIERS = {1: "not recommended", 2: "advised against", 3: "broken or withdrawn"}
_UNMEASURED = "none"
"""The implementation of schemes without results on the device."""


def show(choice: ShortAnswer) -> None:
    """Print the decision on one screen, followed by other requested parts."""
    for line in screen(choice.decision):
        click.echo(line)
    if choice.sensitivity:
        _show_sensitivity(choice.sensitivity)
    _show_checklist(choice.checklist)


def show_connection(answer: ConnectionEntry, *, details: bool) -> None:
    """Print the decision for a connection; ``details``: all ways with their figures and limits."""
    if not details:
        for line in screen(answer.decision):
            click.echo(line)
        return
    click.echo(answer.decision.question)
    click.echo("")
    print_rows([_way_row(way) for way in answer.ways])
    for way in answer.ways:
        for reason in way.broken:
            click.echo(f"  {way.id}: {reason}")
    for note in answer.notes:
        click.echo(f"from: {note}")


def _way_row(way: ConnectionWayEntry) -> dict[str, Any]:
    return {
        "way": way.id,
        "handshake": f"{way.handshake_bytes:,} B",
        "frames": way.handshake_frames,
        "time": bounded(way.handshake_s, "s") if way.handshake_s else None,
        "message": f"{way.message_bytes} B",
        "kB a year": f"{float(f'{way.bytes_a_year / 1000:.3g}'):,.10g}",
        "J a year": f"{way.energy_a_year_j.typical:.3g}" if way.energy_a_year_j else None,
        "life": _life_of(way.life_years.typical) if way.life_years else None,
        "limits": "breaks" if way.broken else "keeps" if way.complete else "keeps, lower bound",
    }


def show_details(choice: ChoiceEntry, count: int) -> None:
    """Print the whole answer for people; ``count`` candidates and rejected ones, 0 for all."""
    click.echo(_heading(choice.question))
    if choice.candidates:
        _show_candidates(choice, count)
    else:
        _show_nothing(choice)
    for line in [*choice.remarks, *choice.alternatives]:
        click.echo(f"\n{line}")
    if choice.keys:
        _show_keys(choice.keys[0])
    if choice.sensitivity:
        _show_sensitivity(choice.sensitivity)
    _show_checklist(choice.checklist)
    _show_rejected(choice.rejected, count)
    click.echo("")
    for note in choice.notes:
        click.echo(f"from: {note}")


def _show_candidates(choice: ChoiceEntry, count: int) -> None:
    shown = choice.candidates[: count or None]
    click.echo(f"choice: {choice.chosen}")
    click.echo(f"WARNING: {choice.caution}\n" if choice.caution else "")
    rows = [_row(entry, choice.question.need) for entry in shown]
    filled = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    print_rows([{name: row[name] for name in filled} for row in rows])
    _more(len(choice.candidates) - len(shown), "candidates")
    click.echo("")
    _show_reasons(shown)


def _show_nothing(choice: ChoiceEntry) -> None:
    """Print the reason why nothing is chosen, the options that admit a recommended candidate, and
    the nearest candidates.
    """
    unmeasured = all(entry.implementation == _UNMEASURED for entry in choice.rejected)
    lacking = "choice: none. No scheme that serves this need has results on this device."
    if choice.ways:
        click.echo(
            f"{lacking} Other ways:"
            if unmeasured
            else "choice: none. Nothing that is recommended keeps all limits. These options admit "
            "it:"
        )
        for way in choice.ways:
            click.echo(f"  {way.words}")
        if choice.nearest:
            click.echo("The nearest, and the limits that would have to be relaxed:")
            for line in choice.nearest:
                click.echo(f"  {line}")
    elif choice.nearest:
        click.echo(
            "choice: none. No candidate keeps all limits. The nearest, and the limits that would "
            "have to be relaxed:"
        )
        for line in choice.nearest:
            click.echo(f"  {line}")
    elif unmeasured:
        click.echo(lacking)
    else:
        click.echo("choice: none. No candidate keeps all limits, and no option admits one.")


def _show_reasons(shown: Sequence[CandidateEntry]) -> None:
    """Reasons for each rank. What a candidate has in common with one above is not repeated."""
    printed: set[str] = set()
    for entry in shown:
        tie = " (tied)" if entry.tied else ""
        click.echo(f"{entry.rank}{tie} {entry.scheme} by {entry.implementation}")
        lines = [*entry.why, *_known(entry)]
        for line in lines:
            if line not in printed:
                click.echo(f"    {line}")
        printed.update(lines)


def _heading(question: QuestionEntry) -> str:
    need, length = question.need, f"{question.message_bytes:,} bytes"
    parts = (
        []
        if need in ("agreement", "kem")
        else [f"image of {length}" if need == "update" else length]
    )
    if question.every_s:
        parts.append(f"every {question.every_s:,.10g} s")
    if question.link:
        modulation = f" ({question.modulation})" if question.modulation else ""
        parts.append(f"{question.radio} {question.link}{modulation}")
    if question.battery:
        parts.append(question.battery)
    role = f" ({question.role})" if question.role and need != "update" else ""
    parts.append(f"need {need}{role}, policy {question.policy}")
    return f"{question.device}: {', '.join(parts)}"


def _row(entry: CandidateEntry, need: str) -> dict[str, Any]:
    energy, sent = entry.energy, entry.sent
    symmetric = need not in PUBLIC_KEY
    return {
        "rank": f"{entry.rank}{'=' if entry.tied else ''}",
        "scheme": entry.scheme,
        "implementation": entry.implementation,
        "maturity": entry.status.maturity,
        "status": _TIERS.get(entry.status.tier),
        "life": _life(entry.life),
        "latency": bounded(entry.latency, "ns", 1e9) if entry.latency else None,
        "flash with mode" if symmetric else "flash": _short(entry.flash),
        "RAM": _short(entry.ram),
        "sent": f"{sent.total_bytes:,} B" if symmetric or sent.total_bytes else None,
        "on_air": _on_air(sent.time_on_air_ms) if sent.frames else None,
        "received": f"{sent.received_bytes:,} B" if sent.received_bytes else None,
        "received on air": _on_air(sent.received_on_air_ms) if sent.received_on_air_ms else None,
        "cipher" if symmetric else "compute": _short(energy.get("cipher")),
        **{
            name: _short(energy.get(name))
            for name in ("element", "transmit", "receive", "download", "sleep")
        },
        "pareto": "*" if entry.pareto else None,
    }


def _on_air(milliseconds: float) -> str:
    return f"{milliseconds:.5g} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:,.1f} s"


_SHORT_UNITS = {"years": "y", "days": "d", "hours": "h", "minutes": "min"}


def _life(figure: FigureEntry | None) -> str | None:
    if figure is None:
        return None
    unit, count = life_unit(figure.typical)
    low, typical, high = (end * count for end in (figure.low, figure.typical, figure.high))
    return f"{typical:.3g} {_SHORT_UNITS[unit]} ({low:.3g} to {high:.3g})"


def _short(figure: FigureEntry | None) -> str | None:
    if figure is None:
        return None
    if figure.unit == "B":
        same = figure.low == figure.high
        return f"{figure.typical:,.0f} B" if same else f"{figure.low:,.0f} to {figure.high:,.0f} B"
    factor, unit = (1e9, "ns") if figure.unit == "s" else (1.0, figure.unit)
    return format_value(figure.typical * factor, unit)


def _known(entry: CandidateEntry) -> list[str]:
    """Facts of a candidate, and the origin of its numbers."""
    status = entry.status
    bits = "strength unknown" if status.strength_bits is None else f"{status.strength_bits} bits"
    timing = timing_words(status.constant_time, status.secret_flow)
    lines = [f"{'; '.join(status.words)}; {bits}; {timing or 'constant time: no claim'}"]
    lines += status.made_by
    latency = entry.latency
    assert latency is not None  # a candidate without a time is rejected
    notes = [f"latency: {latency.note}"] if latency.note else []
    sources = "; ".join(map(_origin, latency.source))
    return [*lines, *entry.sent.notes, *notes, f"{latency.evidence}: {sources}"]


def _origin(source: ReferenceOrigin | RunOrigin) -> str:
    """Origin of a number."""
    size = f" of {source.input_bytes} B" if source.input_bytes else ""
    if isinstance(source, RunOrigin):
        return f"{source.operation}{size}, run {source.run} on {source.target}"
    cycles = f": {source.cycles:,} cycles" if source.cycles else ""
    return f"{source.operation}{size}{cycles}, {source.file} {source.target}"


def _show_rejected(rejected: Sequence[RejectedEntry], count: int) -> None:
    unknown = [entry for entry in rejected if entry.implementation == _UNMEASURED]
    rejected = [entry for entry in rejected if entry.implementation != _UNMEASURED]
    if unknown:
        _show_unknown(unknown, count)
    if not rejected:
        return
    click.echo(f"\nrejected: {len(rejected)}")
    shown = rejected[: count or None]
    for entry in shown:
        reasons = "; ".join(f"{broken.limit}: {broken.words}" for broken in entry.broken)
        click.echo(f"  {entry.scheme} by {entry.implementation} - {reasons}")
    _more(len(rejected) - len(shown), "rejected")


def _show_unknown(unknown: Sequence[RejectedEntry], count: int) -> None:
    """Print the schemes without results on the device: those with the least to send or receive, of
    each algorithm and strength.
    """
    least: dict[tuple[Any, ...], RejectedEntry] = {}
    for entry in sorted(unknown, key=lambda entry: (_moved(entry), entry.scheme)):
        status = entry.status
        name = status.words[0].partition(":")[0] if status.words else entry.scheme
        least.setdefault((status.tier, name, status.strength_bits), entry)
    entries = sorted(
        least.values(),
        key=lambda entry: (len(entry.broken), entry.status.tier, _moved(entry), entry.scheme),
    )
    schemes = (
        "1 scheme"
        if len(unknown) == 1
        else f"{len(unknown)} schemes; of each algorithm and strength the shortest"
    )
    click.echo(f"\nno result on this device: {schemes}:")
    for entry in entries[: count or None]:
        sent, reason = entry.sent, next(item for item in entry.broken if item.limit == "result")
        name = reason.words.partition("; ")[2]
        times = ((sent.time_on_air_ms, "send"), (sent.received_on_air_ms, "receive"))
        air = [
            f"{_on_air(milliseconds)} on air to {verb}"
            for milliseconds, verb in times
            if milliseconds
        ]
        more = [item.limit for item in entry.broken if item.limit != "result"]
        click.echo(
            f"  {entry.scheme}: {name}"
            + "".join(f", {text}" for text in air)
            + (f"; also breaks: {', '.join(more)}" if more else "")
        )
    _more(len(entries) - len(entries[: count or None]), "of them")


def _moved(entry: Proposal) -> int:
    """Bytes that are sent or received."""
    return entry.sent.total_bytes + entry.sent.received_bytes


def _more(count: int, noun: str) -> None:
    if count > 0:
        click.echo(f"... and {count} {noun} more: --show 0 prints all")


def _show_keys(keys: KeysEntry) -> None:
    """Print the keys and nonces of a candidate."""
    if not keys.facts:
        return
    click.echo(f"\nkeys and nonces of {keys.scheme}, over {keys.years:.3g} years ({keys.basis})")
    for fact in keys.facts:
        click.echo(f"    {fact.words}")
        click.echo(
            f"        {fact.formula}; {fact.source}{', unverified' if fact.unverified else ''}"
        )


def _show_checklist(provisions: Sequence[ProvisionEntry]) -> None:
    """Print the provisions of a checklist: answered ones, and remaining work."""
    if not provisions:
        return
    answered = sum(entry.answer is not None for entry in provisions)
    unseen = (
        "; unverified: read them in the document"
        if any(entry.unverified for entry in provisions)
        else ""
    )
    click.echo(
        f"\nchecklist: the choice answers {answered} of {len(provisions)} provisions as far as "
        f"it goes{unseen}"
    )
    for entry in provisions:
        click.echo(f"    {entry.clause} ({entry.level}): {entry.requirement}")
        if entry.answer is not None:
            click.echo(f"        answered: {entry.answer}")
        click.echo(
            f"        {'still yours' if entry.answer is not None else 'open'}: {entry.remains}"
        )


def _show_sensitivity(sensitivity: SensitivityEntry) -> None:
    """Print the effect of each input, and where the first place changes."""
    subject = (
        f"{sensitivity.criterion} of {sensitivity.first}: "
        f"{_spelt(sensitivity.typical, sensitivity.unit)}"
    )
    click.echo(f"\nwhich input decides ({subject}; one input varied at a time)\n")
    print_rows([_input_row(entry, sensitivity) for entry in sensitivity.inputs])
    changed = [entry for entry in sensitivity.inputs if entry.changes]
    for entry in changed:
        for end in (entry.low, entry.high):
            if end.first != sensitivity.first:
                click.echo(f"{entry.words} {end.words}: first is {end.first or 'no candidate'}")
    click.echo("\nwhere the first place changes")
    for flip in sensitivity.flips:
        click.echo(f"    {flip.words}")
    if not sensitivity.flips:
        click.echo("    nowhere in these ranges:")
        for line in sensitivity.looked:
            click.echo(f"    {line}")


def _input_row(entry: SensitiveInput, sensitivity: SensitivityEntry) -> dict[str, Any]:
    low, high = entry.low, entry.high
    ends = [_spelt(end.criterion, sensitivity.unit) for end in (low, high)]
    return {
        "input": entry.words,
        "from": low.words,
        "to": high.words,
        sensitivity.criterion: f"{ends[0]} to {ends[1]}",
        "factor": "-" if entry.factor is None else f"{entry.factor:.3g}",
        "first": "changes" if entry.changes else "stays",
    }


def _life_of(years: float) -> str:
    unit, count = life_unit(years)
    return f"{years * count:.3g} {_SHORT_UNITS[unit]}"


def _spelt(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return (
        _life_of(value)
        if unit == "years"
        else format_value(value * 1e9, "ns")
        if unit == "s"
        else format_value(value, unit)
    )
