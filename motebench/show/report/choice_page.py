"""The page of a choice: its tables and charts in one file that loads nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from motebench.base.files.access import FileKind, write
from motebench.documents.choice import PUBLIC_KEY
from motebench.show.report import choice_charts, choice_table
from motebench.show.report.assembly import as_json, asset, bundle, policy, scope, script, templates
from motebench.show.report.tornado import tornado
from motebench.version import __version__

_SCRIPTS = ("data.js", "numbers.js", "pages.js", "hover.js", "explorer.js", "explorer_page.js", "choice.js")
_BEST = 16
"""Number of candidates for which the page states the share of the cipher."""
_ANSWERS = 3
"""Number of candidates whose reasons stand at the top."""
_SMALL = 0.01
"""Below this share of the energy, the cipher is invisible in a bar."""

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
    document: Mapping[str, Any],
    pictures: Mapping[str, Sequence[Mapping[str, Any]]],
    path: Path,
    *,
    model: Mapping[str, Any] | None = None,
    force: bool = False,
) -> Path:
    """Write the page of a choice document, with rows for its charts. ``model``: what its sliders compute with.
    InputError if that fails."""
    return write(path, render(document, pictures, model), FileKind.HTML, force=force, where="--report")


def render(
    document: Mapping[str, Any],
    pictures: Mapping[str, Sequence[Mapping[str, Any]]],
    model: Mapping[str, Any] | None = None,
) -> str:
    """The page as text."""
    drawings = choice_charts.kinds()
    shown, about = _told_once(document, pictures)
    data = {
        "drawings": {name: drawings[name] for name in shown},
        "rows": shown,
        "table": choice_table.table(document),
        "marks": {},
        "explorer": model,
    }
    scripts = [script("theme.js"), script("button.js"), scope(_SCRIPTS), bundle()]
    style = asset("report.css")
    environment = templates()
    environment.filters.update(level=choice_table.level)
    return environment.get_template("choice.html.j2").render(
        csp=policy(scripts, style),
        style=Markup(style),  # noqa: S704 - our own file
        scripts=[Markup(one) for one in scripts],  # noqa: S704 - our own files, checked in script
        data=Markup(as_json(data)),  # noqa: S704 - escaped in as_json
        choice=document,
        answers=_answers(document["candidates"]),
        question=document["question"],
        pictures={name: _TITLES[name] for name in shown},
        about=about,
        share=_share_words(document, _BEST),
        explorer=model is not None,
        tornado=tornado(document["sensitivity"]),
        version=__version__,
    )


def _answers(candidates: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The first candidates that are worth reading side by side: the best of each implementation."""
    found: dict[str, Mapping[str, Any]] = {}
    for entry in candidates:
        found.setdefault(str(entry["implementation"]), entry)
    return list(found.values())[:_ANSWERS]


def _told_once(
    document: Mapping[str, Any], pictures: Mapping[str, Sequence[Mapping[str, Any]]]
) -> tuple[dict[str, list[Mapping[str, Any]]], dict[str, str]]:
    """Charts, and the text of each. Bars and lines that look the same are combined, and the text says so."""
    shown = {name: list(rows) for name, rows in pictures.items()}
    about = dict(_ABOUT)
    bars = len({row["label"] for row in shown.get("split", ())})
    if bars > 1 and (said := _share_words(document, bars)):
        about["split"] = f"{said} The bar is that of rank 1; those of the others look the same."
        shown["split"] = [row for row in shown["split"] if row["label"] == shown["split"][0]["label"]]
    for name in ("life-by-size", "life-by-rate"):
        rows = shown.get(name, [])
        if choice_table.alike(rows):
            count = len({row["label"] for row in rows})
            about[name] += f" The best {count} differ by less than 1 %: one line stands for all of them."
            shown[name] = [row for row in rows if row["label"] == rows[0]["label"]]
    return shown, about


def _share_words(document: Mapping[str, Any], best: int) -> str:
    """The share of the cipher in the energy of the ``best`` first candidates, if it is very small."""
    best = min(best, len(document["candidates"]))
    share = choice_table.cipher_share(document, best)
    if share is None or share >= _SMALL:
        return ""
    of = f"any of the best {best} candidates" if best > 1 else "the only candidate"
    work = "computing" if document["question"]["need"] in PUBLIC_KEY else "the cipher"
    return (
        f"With {of} {work} is at most {share * 100:.2g} % of the energy: what decides is the number of bytes on "
        "air, then flash and RAM."
    )
