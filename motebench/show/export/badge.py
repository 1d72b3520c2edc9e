"""A badge of one number, as the JSON that shields.io reads
(https://shields.io/badges/endpoint-badge), and the words of every badge: one case, one number, and
where the number comes from.
"""

from __future__ import annotations

import json

from motebench.base.errors import InputError
from motebench.base.files.access import FileKind
from motebench.base.model import Evidence
from motebench.base.units import format_within
from motebench.catalog.proof import MARK
from motebench.documents.result import Measurement, Result
from motebench.show.export._common import input_words

FORM = FileKind.JSON
_FIRST = ("cycles", "time", "instructions")
"""Metrics of which a case shows the first: cycles of boards, which the clock does not change."""


def render(result: Result) -> str:
    """Badge of the only case of the result. InputError for several cases."""
    label, message = badge_words(result)
    badge = {"schemaVersion": 1, "label": label, "message": message, "color": "blue"}
    return json.dumps(badge, indent=2, ensure_ascii=False) + "\n"


def badge_words(result: Result) -> tuple[str, str]:
    """Label and message. InputError if the result has not one case, or no number of it that may be
    quoted.
    """
    cases = list(dict.fromkeys(entry.id for entry in result.measurements))
    if len(cases) != 1:
        raise InputError(
            f"a badge holds one number, and {len(cases)} cases are chosen",
            where="--format",
            valid="one case: --scheme, --implementation, --operation, --size",
            hint="motebench show lists the cases of a run",
        )
    entry = _chosen(result.measurements)
    if not entry.quotable:
        raise InputError(
            f"{entry.metric} of {entry.scheme} is disturbed, so that a badge must not say it",
            where="--format",
            valid="a result that is not disturbed",
            hint="run again on a quieter machine",
        )
    parts = (entry.scheme, entry.operation, input_words(entry))
    return " ".join(word for word in parts if word and word != "-"), _message(entry)


def _chosen(entries: tuple[Measurement, ...]) -> Measurement:
    by_metric = {entry.metric: entry for entry in entries}
    if len(by_metric) == 1:
        return entries[0]
    measured_cycles = "cycles" in by_metric and by_metric["cycles"].evidence == Evidence.MEASURED
    names = [
        name for name in _FIRST if name in by_metric and not (name == "cycles" and measured_cycles)
    ]
    if not names:
        raise InputError(
            f"a badge holds one number, and {len(by_metric)} metrics are chosen",
            where="--metric",
            valid=", ".join(by_metric),
        )
    return by_metric[names[0]]


def _message(entry: Measurement) -> str:
    """The number with its evidence: ``1.93 kcycles, sim:samd21g18a``;
    ``262 ns, measured on host``.
    """
    value = format_within(entry.median, entry.unit, entry.ci_low, entry.ci_high)
    simulated = entry.evidence == Evidence.SIMULATED
    place = entry.target if simulated else f"{Evidence(entry.evidence).value} on {entry.target}"
    return f"{value}, {place}" + ("" if entry.proven else f", {MARK}")
