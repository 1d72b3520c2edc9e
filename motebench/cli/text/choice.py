"""The choice as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from motebench.cli.text.deciding import show_keys, show_sensitivity
from motebench.cli.text.rows import print_rows
from motebench.units import format_value


def show(found: Mapping[str, Any], count: int) -> None:
    """Print the answer for people; ``count`` candidates and rejected ones, 0 for all."""
    click.echo(_heading(found["question"]))
    shown = found["candidates"][: count or None]
    if shown:
        click.echo(f"choice: {found['chosen']}\n")
        rows = [_row(entry) for entry in shown]
        known = [name for name in rows[0] if any(row[name] is not None for row in rows)]
        print_rows([{name: row[name] for name in known} for row in rows])
        _more(len(found["candidates"]) - len(shown), "candidates")
        click.echo("")
        for entry in shown:
            tie = " (tied)" if entry["tied"] else ""
            click.echo(f"{entry['rank']}{tie} {entry['scheme']} by {entry['implementation']}")
            for line in [*entry["why"], *_known(entry)]:
                click.echo(f"    {line}")
    else:
        click.echo(
            "choice: none. No candidate keeps all limits. The nearest, and the limits that would have to be relaxed:"
        )
        for line in found["nearest"]:
            click.echo(f"  {line}")
    for line in [*found["remarks"], *found["alternatives"]]:
        click.echo(f"\n{line}")
    if found["keys"]:
        show_keys(found["keys"][0])
    if found["sensitivity"]:
        show_sensitivity(found["sensitivity"])
    _show_rejected(found["rejected"], count)
    click.echo("")
    for note in found["notes"]:
        click.echo(f"from: {note}")


def _heading(question: Mapping[str, Any]) -> str:
    parts = [f"{question['message_bytes']} bytes"]
    if question["every_s"]:
        parts.append(f"every {question['every_s']:g} s")
    if question["lorawan"]:
        parts.append(f"{question['radio']} {question['lorawan']} DR{question['data_rate']} ({question['modulation']})")
    if question["battery"]:
        parts.append(question["battery"])
    parts.append(f"need {question['need']}, policy {question['policy']}")
    return f"{question['device']}: {', '.join(parts)}"


def _row(entry: Mapping[str, Any]) -> dict[str, Any]:
    energy = entry["energy"]
    return {
        "rank": f"{entry['rank']}{'=' if entry['tied'] else ''}",
        "scheme": entry["scheme"],
        "implementation": entry["implementation"],
        "maturity": entry["status"]["maturity"],
        "life": _life(entry["life"]),
        "latency": _short(entry["latency"]),
        "flash with mode": _short(entry["flash"]),
        "ram": _short(entry["ram"]),
        "sent": f"{entry['sent']['total_bytes']} B",
        "on_air": f"{entry['sent']['time_on_air_ms']:.5g} ms" if entry["sent"]["frames"] else None,
        **{name: _short(energy.get(name)) for name in ("cipher", "transmit", "receive", "sleep")},
        "pareto": "*" if entry["pareto"] else None,
    }


def _life(figure: Mapping[str, Any] | None) -> str | None:
    return f"{figure['typical']:.3g} y ({figure['low']:.3g} to {figure['high']:.3g})" if figure else None


def _short(figure: Mapping[str, Any] | None) -> str | None:
    if figure is None:
        return None
    if figure["unit"] == "B":
        same = figure["low"] == figure["high"]
        return f"{figure['typical']:,.0f} B" if same else f"{figure['low']:,.0f} to {figure['high']:,.0f} B"
    factor, unit = (1e9, "ns") if figure["unit"] == "s" else (1.0, figure["unit"])
    return format_value(figure["typical"] * factor, unit)


def _known(entry: Mapping[str, Any]) -> list[str]:
    """What is known of it, and where its numbers come from."""
    status = entry["status"]
    bits = "strength unknown" if status["strength_bits"] is None else f"{status['strength_bits']} bits"
    lines = [f"{'; '.join(status['words'])}; {bits}; constant time: {status['constant_time'] or 'no claim'}"]
    lines += status["made_by"]
    latency = entry["latency"]
    sources = [
        f"{source['operation']} of {source['input_bytes']} B"
        + (f": {source['cycles']:,} cycles" if source.get("cycles") else "")
        + f", {source.get('file') or 'run {} on'.format(source.get('run'))} {source['target']}"
        for source in latency["source"]
    ]
    note = f" ({latency['note']})" if latency["note"] else ""
    return [*lines, *entry["sent"]["notes"], f"{latency['evidence']}{note}: {'; '.join(sources)}"]


def _show_rejected(rejected: Sequence[Mapping[str, Any]], count: int) -> None:
    if not rejected:
        return
    click.echo(f"\nrejected: {len(rejected)}")
    shown = rejected[: count or None]
    for entry in shown:
        reasons = "; ".join(f"{broken['limit']}: {broken['words']}" for broken in entry["broken"])
        click.echo(f"  {entry['scheme']} by {entry['implementation']} - {reasons}")
    _more(len(rejected) - len(shown), "rejected")


def _more(count: int, what: str) -> None:
    if count > 0:
        click.echo(f"... and {count} {what} more: --show 0 prints all")
