"""The comparison as one JSON document: ``schemas/comparison.schema.json``, explained in ``docs/results.md``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from motebench.comparison.deciding import Open, found_by, left_open
from motebench.comparison.model import Comparison, Pair, Side, Unmatched
from motebench.results import plain
from motebench.stats.family import BENJAMINI_HOCHBERG, HOLM

SCHEMA = "motebench-comparison-1"


def document(comparison: Comparison, allowed: float | None = None) -> dict[str, Any]:
    """The comparison as plain data that JSON can hold. ``allowed`` is the threshold of ``--fail-if-slower``."""
    slower = None if allowed is None else comparison.slower_than(allowed)
    left = [] if allowed is None else left_open(comparison, allowed)
    out = {
        "schema": SCHEMA,
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "paired": comparison.paired,
        "unit": "run" if comparison.of_runs else "sample",
        "in_turn": comparison.in_turn,
        "margin": comparison.margin,
        "margin_source": comparison.margin_source,
        "spreads": [
            {
                "metric": name,
                "sd": spread.sd,
                "degrees_of_freedom": spread.degrees,
                "runs": spread.runs,
                "groups": spread.groups,
                "cases": spread.cases,
            }
            for name, spread in comparison.spreads.items()
        ],
        "environment_differences": [
            {"fact": item.name, "a": item.left, "b": item.right} for item in comparison.environment
        ],
        "software_differences": list(comparison.software),
        "adjustment": BENJAMINI_HOCHBERG,
        "comparisons": [_pair_data(pair, slower, left) for pair in comparison.pairs],
        "geometric_means": [
            {
                "metric": name,
                "evidence": evidence,
                "ratio": mean.ratio,
                "ci_low": mean.low,
                "ci_high": mean.high,
                "confidence": mean.confidence,
                "cases": mean.cases,
                "method": mean.method,
            }
            for (name, evidence), mean in comparison.means.items()
        ],
        "only_in_a": [_case_data(item) for item in comparison.only_in_a],
        "only_in_b": [_case_data(item) for item in comparison.only_in_b],
        "fail_if_slower": allowed,
        "slower": None if slower is None else len(slower),
        "slower_adjustment": None if slower is None else HOLM,
        "slower_undecided": None if slower is None else len(comparison.undecided()),
        "left_open": None if slower is None else len(left),
        "found_from": None if allowed is None else found_by(comparison, allowed),
    }
    done: dict[str, Any] = plain(out)
    return done


def _side(of: Side) -> dict[str, Any]:
    info = of.run.info
    return {
        "run": info.id,
        "name": of.name or info.name,
        "implementation": of.implementation,
        "started": info.started,
        "runs": [
            {"run": run.info.id, "name": run.info.name, "started": run.info.started, "notes": list(run.info.notes)}
            for run in of.every
        ],
    }


def _pair_data(pair: Pair, slower: Sequence[Pair] | None, left: Sequence[Open]) -> dict[str, Any]:
    verdict, where = pair.verdict, pair.a.case.entry()
    return {
        "scheme": where.pop("scheme"),
        "implementation_a": where.pop("implementation"),
        "implementation_b": pair.b.case.implementation,
        **where,
        "metric": pair.a.metric,
        "unit": pair.a.unit,
        "better": pair.a.better,
        "evidence": pair.a.evidence.value,
        "n_a": verdict.n_a,
        "n_b": verdict.n_b,
        "median_a": pair.median_a,
        "median_b": pair.median_b,
        "ratio": verdict.ratio,
        "ci_low": verdict.low,
        "ci_high": verdict.high,
        "confidence": verdict.confidence,
        "margin": verdict.margin,
        "p": verdict.p,
        "p_adjusted": verdict.adjusted,
        "test": verdict.test,
        "verdict": pair.word,
        "equivalent": verdict.equivalent,
        "needed": verdict.needed,
        "inflation": verdict.inflation,
        "note": verdict.note,
        "slower_than_allowed": None if slower is None else any(pair is one for one in slower),
        "left_open": None if slower is None else any(pair is item.pair for item in left),
        "more_runs": next((item.more for item in left if item.pair is pair), None),
    }


def _case_data(item: Unmatched) -> dict[str, Any]:
    return {
        **item.entry(),
        "reason": item.reason,
    }


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document."""
    file = resources.files("motebench") / "schemas" / "comparison.schema.json"
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded
