"""The page of a choice: its tables and pictures in one file that loads nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from motebench import __version__
from motebench.output import Form, write
from motebench.report import choice_charts
from motebench.report.assembly import as_json, asset, bundle, policy, script, templates
from motebench.units import format_value

_TITLES = {
    "split": "Energy of a message",
    "life-by-size": "Life by size of the message",
    "life-by-rate": "Life by rate",
    "pareto": "Flash against energy",
    "heat": "Devices against ciphers",
}
_ABOUT = {
    "split": "From one message to the next, best candidates first: computing, transmitting, listening, sleeping. Where "
    "computing cannot be seen, it does not matter: bytes on air do.",
    "life-by-size": "Typical life of the best candidates, one implementation of each scheme. Steps come from the "
    "radio, which sends whole symbols; a line ends where the encrypted message fits no frame. The band is the "
    "uncertainty of rank 1, nearly all of it from battery and currents, which all candidates share.",
    "life-by-rate": "The same against messages a day, at the requested size. A line ends at the duty cycle.",
    "pareto": "Candidates that no other candidate beats in energy, time, flash and RAM at once are on the front. The "
    "chart shows two of the four. Rejected candidates are crosses. Both axes are logarithmic.",
    "heat": "What computing one message costs with the fastest implementation of each scheme, radio apart. The "
    "stronger a colour, the slower, logarithmic. Status and limits are not shown here: see the tables.",
}


def write_choice(
    document: Mapping[str, Any], pictures: Mapping[str, Sequence[Mapping[str, Any]]], path: Path, *, force: bool = False
) -> Path:
    """Write the page of a choice document, with rows for its pictures. InputError if that is not possible."""
    return write(path, render(document, pictures), Form.HTML, force=force, where="--report")


def render(document: Mapping[str, Any], pictures: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The page as text."""
    drawings = choice_charts.kinds()
    data = {"drawings": {name: drawings[name] for name in pictures}, "rows": pictures}
    scripts = [script("theme.js"), bundle(), script("page.js"), script("choice.js")]
    style = asset("report.css")
    environment = templates()
    environment.filters.update(figure=_figure)
    sections = {name: _TITLES[name] for name in pictures}
    return environment.get_template("choice.html.j2").render(
        csp=policy(scripts, style),
        style=Markup(style),  # noqa: S704 - our own file
        scripts=[Markup(one) for one in scripts],  # noqa: S704 - our own files, checked in script
        data=Markup(as_json(data)),  # noqa: S704 - escaped in as_json
        choice=document,
        question=document["question"],
        pictures=sections,
        about=_ABOUT,
        version=__version__,
    )


def _figure(figure: Mapping[str, Any] | None) -> str:
    """A number, and its bounds in a line of their own."""
    if figure is None:
        return "not known"
    low, typical, high = (_number(figure[end], figure["unit"]) for end in ("low", "typical", "high"))
    return typical if figure["low"] == figure["high"] else f"{typical}\n({low} to {high})"


def _number(value: float, unit: str) -> str:
    if unit == "B":
        return f"{value:,.0f} B"
    return format_value(value * 1e9, "ns") if unit == "s" else format_value(value, unit)
