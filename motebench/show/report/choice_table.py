"""The candidates of a choice and the rejected ones, in the form that the page's script reads: each text once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from motebench.advise.choice.explorer import NumberedTexts
from motebench.base.units import format_value

_LEVELS = ("good", "none", "bad", "worst")
"""The severity of a security status, by its tier (`motebench.documents.choice.StatusEntry`)."""
_FIGURES = ("life", "latency", "flash", "ram")
_PARTS = ("cipher", "element", "transmit", "receive", "download", "sleep")


def table(document: Mapping[str, Any]) -> dict[str, Any]:
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
