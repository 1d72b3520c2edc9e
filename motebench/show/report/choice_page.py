"""The page of a choice: its candidates, tables and charts in one file that loads nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from motebench.advise.choice.explorer import NumberedTexts
from motebench.base.files.access import FileKind, write
from motebench.base.units import format_value
from motebench.documents.choice import PUBLIC_KEY
from motebench.show.report import charts
from motebench.show.report.assembly import as_json, asset, bundle, policy, scope, script, templates
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
_LEVELS = ("good", "none", "bad", "worst")
"""The severity of a security status, by its tier (`motebench.documents.choice.StatusEntry`)."""
_FIGURES = ("life", "latency", "flash", "ram")
_PARTS = ("cipher", "element", "transmit", "receive", "download", "sleep")


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
    drawings = charts.choice_kinds()
    shown, about = _told_once(document, pictures)
    data = {
        "drawings": {name: drawings[name] for name in shown},
        "rows": shown,
        "table": numbered_table(document),
        "marks": {},
        "explorer": model,
    }
    scripts = [script("theme.js"), script("button.js"), scope(_SCRIPTS), bundle()]
    style = asset("report.css")
    environment = templates()
    environment.filters.update(level=level)
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
        if alike(rows):
            count = len({row["label"] for row in rows})
            about[name] += f" The best {count} differ by less than 1 %: one line stands for all of them."
            shown[name] = [row for row in rows if row["label"] == rows[0]["label"]]
    return shown, about


def _share_words(document: Mapping[str, Any], best: int) -> str:
    """The share of the cipher in the energy of the ``best`` first candidates, if it is very small."""
    best = min(best, len(document["candidates"]))
    share = cipher_share(document, best)
    if share is None or share >= _SMALL:
        return ""
    of = f"any of the best {best} candidates" if best > 1 else "the only candidate"
    work = "computing" if document["question"]["need"] in PUBLIC_KEY else "the cipher"
    return (
        f"With {of} {work} is at most {share * 100:.2g} % of the energy: what decides is the number of bytes on "
        "air, then flash and RAM."
    )


def numbered_table(document: Mapping[str, Any]) -> dict[str, Any]:
    """``texts``: all texts. ``candidates`` and ``rejected``: one list each, whose texts are indices into ``texts``."""
    texts = NumberedTexts()
    candidates = [_candidate(entry, texts) for entry in document["candidates"]]
    rejected = [
        [
            texts(str(entry["scheme"])),
            texts(str(entry["implementation"])),
            [[texts(str(broken["limit"])), texts(str(broken["words"]))] for broken in entry["broken"]],
        ]
        for entry in document["rejected"]
    ]
    return {"texts": texts.texts, "candidates": candidates, "rejected": rejected}


def _candidate(entry: Mapping[str, Any], texts: NumberedTexts) -> list[Any]:
    sent = entry["sent"]
    more = [(name, figure(entry[name])) for name in _FIGURES]
    more += [(f"{name} energy", figure(entry["energy"].get(name))) for name in _PARTS if entry["energy"].get(name)]
    if sent["frames"]:
        more.append(("on air", f"{sent['time_on_air_ms']:.5g} ms"))
    if sent["received_bytes"]:
        air = f", {sent['received_on_air_ms']:.5g} ms on air" if sent["received_on_air_ms"] else ""
        more.append(("received", f"{sent['received_bytes']:,} B{air}"))
    more.append(("source", _source(entry["latency"])))
    return [
        entry["rank"],
        1 if entry["tied"] else 0,
        texts(str(entry["scheme"])),
        texts(str(entry["implementation"])),
        texts(level(entry["status"]["tier"])),
        *(_typical(entry[name]) for name in _FIGURES),
        sent["total_bytes"],
        _typical(entry["energy"].get("cipher")),
        [texts(str(line)) for line in (*entry["why"], *entry["status"]["words"])],
        [[texts(name), texts(text)] for name, text in more if text],
    ]


def level(tier: int) -> str:
    """The severity of a status of this tier."""
    return _LEVELS[tier] if 0 <= tier < len(_LEVELS) else "none"


def _typical(found: Mapping[str, Any] | None) -> float | None:
    return None if found is None else float(f"{found['typical']:.6g}")


def _source(latency: Mapping[str, Any] | None) -> str:
    if latency is None:
        return ""
    cases = []
    for each in latency["source"]:
        where = each.get("file") or f"run {each.get('run')}"
        cases.append(f"{each['operation']} of {each['input_bytes']} B, {where} {each['target']}")
    note = f", {latency['note']}" if latency["note"] else ""
    return f"{latency['evidence']}{note}: {'; '.join(cases)}"


def figure(found: Mapping[str, Any] | None) -> str:
    """A number with its bounds; empty if unknown."""
    if found is None:
        return ""
    low, typical, high = (_number(found[end], found["unit"]) for end in ("low", "typical", "high"))
    return typical if found["low"] == found["high"] else f"{typical} ({low} to {high})"


def _number(value: float, unit: str) -> str:
    if unit == "B":
        return f"{value:,.0f} B"
    return format_value(value * 1e9, "ns") if unit == "s" else format_value(value, unit)


def cipher_share(document: Mapping[str, Any], best: int) -> float | None:
    """The largest share of the cipher in the energy from one message to the next, of the ``best`` first candidates;
    None if one of them has no energy, or no part other than the cipher."""
    shares = []
    for entry in document["candidates"][:best]:
        typical = {name: part["typical"] for name, part in entry["energy"].items() if part}
        whole = sum(typical.values())
        if "cipher" not in typical or len(typical) < 2 or whole <= 0:
            return None
        shares.append(typical["cipher"] / whole)
    return max(shares, default=None)


def alike(rows: Sequence[Mapping[str, Any]], within: float = 0.01) -> bool:
    """Whether the lines of a chart cover each other: the same positions, and values that differ by less."""
    lines: dict[str, dict[float, float]] = {}
    for row in rows:
        lines.setdefault(str(row["label"]), {})[row["x"]] = row["v"]
    first, *others = lines.values() or [{}]
    return bool(others) and all(
        line.keys() == first.keys() and all(abs(v - first[x]) <= within * abs(first[x]) for x, v in line.items())
        for line in others
    )


WIDTH, ROW, LEFT, RIGHT = 640, 30, 8, 8
"""Pixels of the drawing: its width, the height of a row, margins."""


def tornado(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Bars, one for each input: where each begins and ends on a logarithmic axis; None if nobody asked for them."""
    if found is None or not found["inputs"]:
        return None
    values = [found["typical"]]
    rows = []
    for entry in found["inputs"]:
        ends = [end["criterion"] or end["criterion_of_first"] for end in (entry["low"], entry["high"])]
        known = [end for end in ends if end]
        values += known
        rows.append((entry, ends, known))
    low, high = math.log(min(values)), math.log(max(values))
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return round(LEFT + (math.log(value) - low) / span * (WIDTH - LEFT - RIGHT), 1)

    middle = place(found["typical"])
    bars = []
    for entry, ends, known in rows:
        begin, end = (place(value) for value in (min([*known, found["typical"]]), max([*known, found["typical"]])))
        bars.append(
            {
                "entry": entry,
                "x": begin,
                "width": max(round(end - begin, 1), 2.0),
                "ends": [spelt(value, found["unit"]) if value else "not possible" for value in ends],
                "factor": f"{entry['factor']:.3g}" if entry["factor"] else "",
            }
        )
    return {
        "bars": bars,
        "middle": middle,
        "width": WIDTH,
        "row": ROW,
        "typical": spelt(found["typical"], found["unit"]),
    }


def spelt(value: float, unit: str) -> str:
    """A criterion in words."""
    if unit == "years":
        return f"{value:.3g} years"
    return format_value(value * 1e9, "ns") if unit == "s" else format_value(value, unit)
