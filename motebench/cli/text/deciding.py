"""Keys and nonces of a choice, and which input decides, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from motebench.base.units import format_value
from motebench.cli.text.rows import print_rows


def show_keys(found: Mapping[str, Any]) -> None:
    """Print the keys and nonces of a candidate."""
    if not found["facts"]:
        return
    click.echo(f"\nkeys and nonces of {found['scheme']}, over {found['years']:.3g} years ({found['basis']})")
    for fact in found["facts"]:
        click.echo(f"    {fact['words']}")
        click.echo(f"        {fact['formula']}; {fact['source']}{', unverified' if fact['unverified'] else ''}")


def show_checklist(provisions: Sequence[Mapping[str, Any]]) -> None:
    """Print the provisions of a checklist: what is answered, and what remains."""
    if not provisions:
        return
    answered = sum(entry["answer"] is not None for entry in provisions)
    unseen = "; unverified: read them in the document" if any(entry["unverified"] for entry in provisions) else ""
    click.echo(f"\nchecklist: the choice answers {answered} of {len(provisions)} provisions as far as it goes{unseen}")
    for entry in provisions:
        click.echo(f"    {entry['clause']} ({entry['level']}): {entry['requirement']}")
        if entry["answer"] is not None:
            click.echo(f"        answered: {entry['answer']}")
        click.echo(f"        {'still yours' if entry['answer'] is not None else 'open'}: {entry['remains']}")


def show_sensitivity(found: Mapping[str, Any]) -> None:
    """Print the effect of each input, and where the first place changes."""
    of = f"{found['criterion']} of {found['first']}: {_spelt(found['typical'], found['unit'])}"
    click.echo(f"\nwhich input decides ({of}; one input varied at a time)\n")
    print_rows([_row(entry, found) for entry in found["inputs"]])
    changed = [entry for entry in found["inputs"] if entry["changes"]]
    for entry in changed:
        for end in (entry["low"], entry["high"]):
            if end["first"] != found["first"]:
                click.echo(f"{entry['words']} {end['words']}: first is {end['first'] or 'no candidate'}")
    click.echo("\nwhere the first place changes")
    for flip in found["flips"]:
        click.echo(f"    {flip['words']}")
    if not found["flips"]:
        click.echo("    nowhere in these ranges:")
        for line in found["looked"]:
            click.echo(f"    {line}")


def _row(entry: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    low, high = entry["low"], entry["high"]
    ends = [_spelt(end["criterion"], found["unit"]) for end in (low, high)]
    return {
        "input": entry["words"],
        "from": low["words"],
        "to": high["words"],
        found["criterion"]: f"{ends[0]} to {ends[1]}",
        "factor": "-" if entry["factor"] is None else f"{entry['factor']:.3g}",
        "first": "changes" if entry["changes"] else "stays",
    }


def _spelt(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return (
        f"{value:.3g} y"
        if unit == "years"
        else format_value(value * 1e9, "ns")
        if unit == "s"
        else format_value(value, unit)
    )
