"""The report of a run: its template, drawings and data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from motebench.environment import host_of
from motebench.identity import CaseId
from motebench.naming import probe_key, split_probe_key, usual
from motebench.output import Form, check, write
from motebench.presentation import warmup
from motebench.presentation.rows import MANAGED, PUBLIC_KEY, Row, input_of, operation_words, rows_of
from motebench.presentation.security import Status, day_of, statuses
from motebench.report import charts, drawing, files, summary, variants, view
from motebench.report.assembly import as_json, asset, bundle, inline, policy, script, templates
from motebench.report.features import readable

_CHARTS = ("look.js", "special.js", "kinds.js", "controls.js", "drawing.js")
"""In one scope, in this order: each uses what those before it define."""
_RUN = ("id", "name", "study", "started", "finished", "status", "version", "seed")
_FAILURE = ("scheme", "implementation", "operation", "kind", "message", "vector")


def write_page(document: Mapping[str, Any], path: Path, *, force: bool | None, where: str) -> Path:
    """Render the document and write it to ``path`` (`motebench.output.write`). InputError if that is not possible."""
    check(path, Form.HTML, force=force, where=where)
    return write(path, render(document), Form.HTML, force=force, where=where)


def render(document: Mapping[str, Any], security: Sequence[Status] | None = None) -> str:
    """The page as text. ``security`` replaces what the catalog says (it is asked if None)."""
    every = rows_of(document)
    rows = [row for row in every if not row.is_curve]
    run = document["run"]
    settings = run.get("settings") or {}
    if security is None:
        names = [row.scheme for row in rows if not row.is_copy]
        names += [str(entry["scheme"]) for entry in document.get("failures", ()) if _of_scheme(entry)]
        security = statuses(names, day_of(str(run.get("started", ""))))
    study = str(settings.get("study_text") or run.get("study_text") or "")
    # What the study file says, the question says once more, with every default.
    told = ("study_text", "question") if study else ("study_text",)
    samples, thinned = view.samples_of(rows)
    curves = warmup.curves(every)
    environment = document.get("environment") or {}
    families = variants.families(rows, environment)
    against = {name: status.words for status in security if status.level in ("bad", "worst") for name in status.schemes}
    data = {
        "drawings": charts.kinds() if rows else {},
        "axes": drawing.AXIS_LABELS,
        "look": view.look_of(rows),
        "advised_against": against,
        "words": view.words(),
        "table": view.chart_rows(rows),
        "samples": samples,
        "curves": curves,
    }
    scripts = [script("theme.js"), *([bundle()] if rows else []), script("page.js"), _charts()]
    style = asset("report.css")
    template = _template()
    return template.render(
        csp=policy(scripts, style),
        style=Markup(style),  # noqa: S704 - our own file
        scripts=[Markup(one) for one in scripts],  # noqa: S704 - our own files, checked in script
        data=Markup(as_json(data)),  # noqa: S704 - escaped in as_json
        run={**dict.fromkeys(_RUN, ""), **run},
        when=view.span(str(run.get("started") or ""), str(run.get("finished") or "")),
        machine=_machine(environment),
        rule=summary.rule(rows),
        settings={key: value for key, value in settings.items() if key not in told},
        study_text=study,
        environment=environment,
        probes=_probes(environment.get("probes") or {}),
        changed=_changed(environment),
        failures=[_failure(entry) for entry in document.get("failures", ())],
        rows=rows,
        security=security,
        facts=view.facts(document, rows),
        findings=summary.fastest(rows, against),
        duels=summary.head_to_head(rows),
        warnings=summary.run_warnings(document, rows),
        bad=summary.security_warnings(security),
        verdicts={name: status for status in security for name in status.schemes},
        measurements=view.table_rows(every),
        unsteady=warmup.unsteady(every),
        families=families,
        several_targets=len({row.target for row in rows}) > 1,
        whole_files=files.table(rows),
        public_key=view.public_key_table(rows),
        public_key_operations=[(name, operation_words(name)) for name in PUBLIC_KEY],
        sections=_sections(every, security, document, bool(families)),
        thinned=thinned,
    )


def _failure(entry: Mapping[str, Any]) -> dict[str, Any]:
    case = CaseId.of(entry)
    input_words = input_of(case) or "\u2013"
    return {**dict.fromkeys(_FAILURE), **entry, "target": case.target, "input": input_words}


def _of_scheme(failure: Mapping[str, Any]) -> bool:
    return bool(failure.get("scheme")) and failure.get("operation") != "copy-file"


def _machine(environment: Mapping[str, Any]) -> str:
    """The processor and what lies between it and us, in a few words; empty if not known."""
    host = host_of(environment)
    words = [host.get("cpu_model") or host.get("board"), host.get("os")]
    return ", ".join(str(word) for word in words if word)


def _probes(probes: Mapping[str, Any]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What each probe says of itself, instructions by name: (implementation, what else it is as, facts).

    Of a variant only what differs from its implementation.
    """
    out = []
    for name, facts in probes.items():
        target, implementation = split_probe_key(name)
        plain = probe_key(target, usual(implementation))
        same = probes.get(plain) or {} if plain != name else {}
        told = {key: value for key, value in facts.items() if not (key in same and same[key] == value)}
        if told.get("cpu_features"):
            told["cpu_features"] = readable(str(told["cpu_features"]))
        out.append((name, plain if same else "", view.flatten(told)))
    return out


def _changed(environment: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of the machine that were different when the run ended, as they were then."""
    before, after = host_of(environment), host_of(environment.get("end") or {})
    return {key: value for key, value in after.items() if value != before.get(key)}


def _sections(
    every: Sequence[Row], security: Sequence[Status], document: Mapping[str, Any], families: bool
) -> dict[str, str]:
    """Sections this document has something for: anchor and name, in reading order."""
    rows = [row for row in every if not row.is_curve]
    bulk = [row for row in rows if row.metric == "throughput" and not row.on_file and not row.public_key]
    operations = {(row.scheme, row.implementation, row.operation) for row in rows if row.metric == "throughput"}
    pairs = any(
        (scheme, who, what.replace("encrypt", "decrypt", 1)) in operations
        for scheme, who, what in operations
        if what.startswith("encrypt")
    )
    wanted = {
        "throughput": ("Throughput", len({row.size for row in bulk}) > 1),
        "ranking": ("Ranking", bool(rows)),
        "pairs": ("Encrypt and decrypt", pairs),
        "variants": ("Variants", families),
        "public-key": ("Public key", any(row.public_key for row in rows)),
        "files": ("Whole files", any(row.on_file and row.metric == "time" for row in rows)),
        "samples": ("Samples", any(row.metric == "time" and len(row.values) > 1 for row in rows)),
        "warmup": ("Warm-up", any(row.is_curve and row.values for row in every)),
        "memory": ("Memory", any(row.metric == "peak_rss" for row in rows)),
        "managed": ("Managed memory", any(row.metric in MANAGED for row in rows)),
        "security": ("Security", bool(security)),
        "measurements": ("Measurements", bool(rows)),
        "failures": ("Failures", bool(document.get("failures"))),
        "environment": ("Environment", bool(document.get("environment"))),
        "method": ("Method", True),
    }
    return {name: title for name, (title, shown) in wanted.items() if shown}


def _template() -> jinja2.Template:
    environment = templates()
    environment.filters.update(
        flatten=view.flatten,
        host_facts=view.host_facts,
        rate=view.rate,
        operation_words=operation_words,
    )
    environment.globals["clocks"] = view.clocks
    return environment.get_template("page.html.j2")


def _charts() -> str:
    parts = "\n".join(asset(f"charts/{name}") for name in _CHARTS)
    return inline(f'"use strict";\n(() => {{\n{parts}}})();\n')
