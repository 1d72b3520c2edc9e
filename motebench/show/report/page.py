"""The report of a run: its template, drawings and data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from motebench.base.files.access import FileKind, check, write
from motebench.base.naming import baseline, probe_key, split_probe_key
from motebench.base.shapes import part
from motebench.documents.result import Result
from motebench.results.presentation import beside
from motebench.results.presentation.provenance import origin_line, provenance
from motebench.results.presentation.public_keys import category_of, category_words
from motebench.results.presentation.recorded import RunSettings, SkippedCombination, probes_of
from motebench.results.presentation.rows import (
    MANAGED,
    Row,
    operation_words,
    places_words,
    rows_of,
    run_words,
    scope_words,
    spread_words,
)
from motebench.results.presentation.security import SchemeStatus, day_of, statuses
from motebench.show.report import variants, view
from motebench.show.report.answers import answers, head_to_head, marks, rule, run_warnings
from motebench.show.report.assembly import as_json, asset, policy, scope, script, templates
from motebench.show.report.variants import readable
from motebench.targets.machine import host_of

_SCRIPTS = (
    "data.js",
    "numbers.js",
    "rows.js",
    "pages.js",
    "table.js",
    "hover.js",
    "charts/scales.js",
    "charts/canvas.js",
    "charts/pictures.js",
    "charts/look.js",
    "charts/special.js",
    "charts/kinds.js",
    "charts/controls.js",
    "charts/drawing.js",
)
"""Scripts of the page in order: each uses the definitions of the previous ones."""
_SIZES = {"flash", "flash_net", "static_ram", "static_ram_net", "stack"}
_TITLES = {
    "ranking": "Ranking",
    "tradeoff": "Size against speed",
    "throughput": "Throughput",
    "variants": "Variants",
    "pairs": "Encrypt and decrypt",
    "public-key": "Public key",
    "cores": "Several cores",
    "placements": "Places of the code",
    "boards": "Targets beside each other",
    "files": "Whole files",
    "samples": "Samples",
    "warmup": "Warm-up",
    "memory": "Memory",
    "managed": "Managed memory",
    "measurements": "All cases",
    "security": "Security",
    "failures": "Failures",
    "environment": "Environment",
    "method": "Method",
}
"""Names of the sections by anchor, in reading order."""
MAX_SAMPLES = 20_000
"""Samples in a page."""
_LEFT_OUT = 100
"""Combinations that were left out, and are named one by one."""


def write_page(result: Result, path: Path, *, force: bool | None, where: str) -> Path:
    """Render the run and write it to ``path`` (`output.write`). InputError if that is not
    possible.
    """
    check(path, FileKind.HTML, force=force, where=where)
    return write(path, render(result), FileKind.HTML, force=force, where=where)


def render(result: Result, security: Sequence[SchemeStatus] | None = None) -> str:
    """Page as text. ``security``: entries instead of the catalog's, which are the default."""
    page = _Page(result, rows_of(result), security)
    samples, thinned = view.samples(page.rows, MAX_SAMPLES)
    scripts = [script("theme.js"), script("button.js"), scope(_SCRIPTS)]
    style = asset("report.css")
    return _template().render(
        csp=policy(scripts, style),
        style=Markup(style),  # noqa: S704 - our own file
        scripts=[Markup(text) for text in scripts],  # noqa: S704 - our own files, checked in script
        data=Markup(as_json(page.data(samples))),  # noqa: S704 - escaped in as_json
        thinned=thinned,
        security=page.security,
        verdicts=page.verdicts,
        **page.of_run(),
        **page.of_rows(),
    )


class _Page:
    """Variables of the page's template, from the result of a run."""

    def __init__(
        self, result: Result, every: Sequence[Row], security: Sequence[SchemeStatus] | None
    ) -> None:
        self._result, self._every, self._run = result, every, result.run
        self._environment = result.environment
        self.rows = [row for row in every if not row.is_curve]
        self.security = self._statuses() if security is None else security
        self.verdicts = {name: status for status in self.security for name in status.schemes}

    def _statuses(self) -> Sequence[SchemeStatus]:
        """Security statuses of the schemes by the catalog, on the day of the run."""
        names = [row.scheme for row in self.rows if not row.is_copy]
        names += [
            entry.scheme
            for entry in self._result.failures
            if entry.scheme and entry.operation != "copy-file"
        ]
        return statuses(names, day_of(self._run.started))

    def data(self, samples: object) -> dict[str, Any]:
        """Data for the scripts of the page."""
        schemes = dict.fromkeys(row.scheme for row in self._every)
        return {
            "look": view.look_of(self.rows),
            "marks": {
                name: [[m.level, m.words] for m in marks(name, self.verdicts.get(name))]
                for name in schemes
            },
            "words": view.words(),
            "table": view.packed_rows(self._every),
            "samples": samples,
            "curves": beside.curves(self._every),
        }

    def of_run(self) -> dict[str, Any]:
        """Facts of the run for the page: question, settings, environment, failures."""
        run, environment, rows = self._run, self._environment, self.rows
        settings = RunSettings.of(run.settings)
        study = settings.study_text or run.study_text
        # The question repeats the study file, with every default.
        elsewhere = ("study_text", "skipped", "question") if study else ("study_text", "skipped")
        taking_part = self._taking_part()
        return {
            "run": run,
            "run_words": run_words(run),
            "question": view.question(run, rows),
            "about": settings.description,
            "when": view.span(run.started, run.finished or ""),
            "places": view.places(environment, rows),
            "settings": {key: value for key, value in run.settings.items() if key not in elsewhere},
            "left_out": _left_out(settings.skipped),
            "study_text": study,
            "environment": environment,
            "probes": _probes(taking_part),
            "taking_part": len(taking_part),
            "asked_too": len(probes_of(environment)) - len(taking_part),
            "changed": _changed(environment),
            "provenance": provenance(self._result).words,
            "origin": origin_line(self._result),
            "clocks": view.clocks({"probes": taking_part}),
            "failures": view.failures(self._result.failures),
            "failed": len(self._result.failures),
            "choose": view.choose_commands(environment, run.id, rows),
        }

    def _taking_part(self) -> dict[str, Mapping[str, object]]:
        """Probes of the measured or failed cases; all probes if these have other names."""
        every = probes_of(self._environment)
        measured = {
            probe_key(row.target, name)
            for row in self._every
            for name in (row.implementation, row.plain)
        }
        failed = {probe_key(entry.target, entry.implementation) for entry in self._result.failures}
        taking_part = {name: facts for name, facts in every.items() if name in measured | failed}
        return taking_part or dict(every)

    def of_rows(self) -> dict[str, Any]:
        """Facts of the measurements for the page."""
        result, rows = self._result, self.rows
        timed = [row for row in rows if row.metric in ("time", "cycles")]
        families = variants.families(rows, self._environment)
        return {
            "rows": rows,
            "rule": rule(rows),
            "scope": scope_words(rows),
            "apart": spread_words([row for row in rows if row.metric == "time"]),
            "placed": places_words(rows),
            "exact": bool(rows) and all(row.exact for row in timed),
            "facts": view.facts(rows, len(result.failures)),
            "answers": answers(rows, self.verdicts),
            "duels": head_to_head(rows),
            "warnings": run_warnings(result, rows),
            "unsteady": beside.unsteady(self._every),
            "families": families,
            "boards": beside.boards_tables(result, rows),
            "cores": beside.cores_table(result, rows),
            "placements": beside.places_lines(result),
            "several_targets": len({row.target for row in rows}) > 1,
            "added": any(row.metric in view.ADDED for row in rows),
            "whole_files": view.whole_files(rows),
            "public_key": view.public_key_table(rows),
            "key_sizes": view.key_sizes(rows),
            "public_key_operations": [
                (name, operation_words(name)) for name in view.public_key_operations(rows)
            ],
            "sections": _sections(self._every, self.security, result, bool(families)),
        }


def _left_out(skipped: Sequence[SkippedCombination]) -> tuple[int, str]:
    """Number of combinations that were left out, and the first of them, one a line."""
    lines = [f"{entry.words}: {entry.reason}" for entry in skipped[:_LEFT_OUT]]
    if len(skipped) > _LEFT_OUT:
        lines.append(f"and {len(skipped) - _LEFT_OUT} more; motebench show --json has all")
    return len(skipped), "\n".join(lines)


def _probes(
    probes: Mapping[str, Mapping[str, object]],
) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Facts of probes by their own answers, instructions by name: (implementation, names of equal
    ones, facts). First the facts that all share; then the rest of each; of a variant only the
    differences from its implementation.

    First what all say; then of each only the rest, and of a variant only what differs from its
    implementation.
    """
    common = _common_facts(list(probes.values()))
    out = [("", "", view.flatten(common))] if common else []
    for name, facts in probes.items():
        target, implementation = split_probe_key(name)
        plain = probe_key(target, baseline(implementation))
        like = plain if plain != name and plain in probes else ""
        same = {**common, **probes[like]} if like else common
        own = {
            key: value for key, value in facts.items() if not (key in same and same[key] == value)
        }
        if own.get("cpu_features"):
            own["cpu_features"] = readable(str(own["cpu_features"]))
        out.append((name, like, view.flatten(own)))
    return out


def _common_facts(probes: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Facts that several probes have in common, except their instructions."""
    first: Mapping[str, object] = probes[0] if len(probes) > 1 else {}
    common = {
        key: value
        for key, value in first.items()
        if all(key in facts and facts[key] == value for facts in probes)
    }
    common.pop("cpu_features", None)
    return common


def _changed(environment: Mapping[str, object]) -> dict[str, object]:
    """Facts of the machine that were different when the run ended, as they were then."""
    before, after = host_of(environment), host_of(part(environment, "end"))
    return {key: value for key, value in after.items() if value != before.get(key)}


def _sections(
    every: Sequence[Row], security: Sequence[SchemeStatus], result: Result, families: bool
) -> dict[str, str]:
    """Sections that this run has something for: anchor and name, in reading order."""
    rows = [row for row in every if not row.is_curve]
    metrics = {row.metric for row in rows}
    shown = {
        "ranking": bool(rows),
        "tradeoff": bool(_SIZES & metrics) and len({row.label for row in rows}) > 1,
        "throughput": len({row.size for row in rows if _is_bulk(row)}) > 1,
        "variants": families,
        "pairs": _in_both_directions(rows),
        "public-key": any(row.public_key for row in rows),
        "cores": any(row.cores for row in rows),
        "placements": bool(result.placements),
        "boards": bool(result.ratios),
        "files": any(row.on_file and row.metric == "time" for row in rows),
        "samples": any(map(_has_samples, rows)),
        "warmup": any(map(_has_warmup, every)),
        "memory": "peak_rss" in metrics,
        "managed": not metrics.isdisjoint(MANAGED),
        "measurements": bool(rows),
        "security": bool(security),
        "failures": bool(result.failures),
        "environment": bool(result.environment),
        "method": True,
    }
    return {name: title for name, title in _TITLES.items() if shown[name]}


def _is_bulk(row: Row) -> bool:
    return row.metric == "throughput" and not row.on_file and not row.public_key


def _has_warmup(row: Row) -> bool:
    return row.is_curve and bool(row.values)


def _has_samples(row: Row) -> bool:
    return row.metric == "time" and len(row.values) > 1 and not row.exact


def _in_both_directions(rows: Sequence[Row]) -> bool:
    """True if an implementation has the throughput of encryption and of decryption."""
    operations = {
        (row.scheme, row.implementation, row.operation)
        for row in rows
        if row.metric == "throughput"
    }
    return any(
        (scheme, who, operation.replace("encrypt", "decrypt", 1)) in operations
        for scheme, who, operation in operations
        if operation.startswith("encrypt")
    )


def _template() -> jinja2.Template:
    environment = templates()
    environment.filters.update(
        flatten=view.flatten,
        host_facts=view.host_facts,
        rate=view.rate,
        operation_words=operation_words,
        category=lambda name: category_words(category_of(name)),
    )
    return environment.get_template("page.html.j2")
