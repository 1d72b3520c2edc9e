"""Plain data that a run keeps, read once: its settings, and the facts of its machines and
probes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.base.naming import split_probe_key, usual
from motebench.base.shapes import part
from motebench.results.presentation.rows import number


@dataclass(frozen=True, slots=True)
class SkippedCombination:
    """A combination that was left out; ``words`` name it."""

    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings of the run that readers need; empty for missing or invalid ones."""

    boards: Mapping[str, str]
    """Names of targets in the fleet file, by target."""
    precision: float | None
    """Half the relative width of intervals that was required."""
    study_text: str
    description: str
    """The study's own."""
    skipped: tuple[SkippedCombination, ...]

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> RunSettings:
        """The settings as a store keeps them."""
        skipped = settings.get("skipped")
        entries = skipped if isinstance(skipped, list | tuple) else ()
        return cls(
            boards={target: str(name) for target, name in part(settings, "boards").items() if name},
            precision=number(part(settings, "policy").get("precision")),
            study_text=str(settings.get("study_text") or ""),
            description=_description(settings.get("question")),
            skipped=tuple(_skipped(entry) for entry in entries if isinstance(entry, Mapping)),
        )


def _skipped(entry: Mapping[str, object]) -> SkippedCombination:
    names = (entry.get(key) for key in ("scheme", "implementation", "operation", "target"))
    return SkippedCombination(
        " ".join(str(name) for name in names if name), str(entry.get("reason", ""))
    )


def _description(question: object) -> str:
    """Description of a study as JSON; empty without one."""
    try:
        study = json.loads(str(question or "{}"))
    except ValueError:
        return ""
    return str(study.get("description") or "").strip() if isinstance(study, dict) else ""


def probes_of(environment: Mapping[str, object]) -> dict[str, Mapping[str, object]]:
    """Facts of each probe, by its key (`motebench.base.naming.probe_key`); of code at several
    places, those of the default place.
    """
    recorded = {
        name: facts
        for name, facts in part(environment, "probes").items()
        if isinstance(facts, Mapping)
    }
    names = usual(split_probe_key(name)[0] for name in recorded)
    return {name: facts for name, facts in recorded.items() if split_probe_key(name)[0] in names}
