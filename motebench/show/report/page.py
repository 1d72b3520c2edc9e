"""The report of a run: its template, drawings and data; each variant of an implementation compared
with the plain one, with the instructions it leaves unused; another compiler compared with the
default one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

import jinja2

from motebench.advise.reference.table import flows_of_target
from motebench.base.files.access import FileKind, check, write
from motebench.base.identity import CaseId
from motebench.base.naming import baseline, probe_key, split_probe_key
from motebench.base.paths import data_root
from motebench.base.shapes import part
from motebench.base.units import format_value, metric_words
from motebench.documents.leak import (
    CodePlaceEntry,
    CountedEntry,
    ExampleEntry,
    FlowVerdict,
    FollowedEntry,
    LeakEntry,
    LeakVerdict,
)
from motebench.documents.result import Result
from motebench.results.presentation import beside
from motebench.results.presentation.leaks import (
    entry_remarks,
    example_words,
    flow_row,
    leak_row,
    method_words,
    parts_of,
    ranges,
    remarks,
    verdict_counts,
)
from motebench.results.presentation.provenance import (
    RunSettings,
    SkippedCombination,
    origin_line,
    probes_of,
    provenance,
)
from motebench.results.presentation.rows import (
    MANAGED,
    Row,
    input_of,
    operation_words,
    places_words,
    rows_of,
    run_words,
    scope_words,
    size_words,
    spread_words,
)
from motebench.results.presentation.schemes import (
    SchemeStatus,
    category_of,
    category_words,
    day_of,
    statuses,
)
from motebench.show.report import CHARTS, one_file, templates, view
from motebench.show.report.answers import answers, head_to_head, marks, rule, run_warnings
from motebench.stats import Outcome
from motebench.targets.machine import host_of

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
    "profile": "Cycles by function",
    "measurements": "All cases",
    "security": "Security",
    "failures": "Failures",
    "environment": "Environment",
    "method": "Method",
}
"""Names of the sections by anchor, in reading order."""
MAX_SAMPLES = 20_000
"""Samples in a page."""
FILTERS: dict[str, Callable[..., Any]] = {
    "flatten": view.flatten,
    "host_facts": view.host_facts,
    "rate": view.rate,
    "input_of": input_of,
    "metric_words": metric_words,
    "operation_words": operation_words,
    "category": lambda name: category_words(category_of(name)),
    "level": lambda verdict: _LEAK_LEVELS.get(verdict, ""),
}
"""Filters of the templates of runs and leak tests."""
_LEFT_OUT = 100
"""Combinations that were left out, and are named one by one."""


def write_page(
    result: Result, path: Path | str, *, force: bool | None = False, where: str = "--output"
) -> Path:
    """Write the report of a run to ``path``; returns that path.

    The file is replaced in one step, so a reader never sees half of it. InputError, which names
    ``where``, if it cannot be written, or if what is there is no HTML page; ``force`` replaces that
    too, but never a store.
    """
    path = Path(path)
    check(path, FileKind.HTML, force=force, where=where)
    return write(path, render(result), FileKind.HTML, force=force, where=where)


def render(result: Result, security: Sequence[SchemeStatus] | None = None) -> str:
    """Page as text. ``security``: entries instead of the catalog's, which are the default."""
    page = RunPage(result, rows_of(result), security)
    alone = one_file(CHARTS, page.data())
    return _template("run.html.j2").render(page.content(), title=page.question, alone=alone)


class RunPage:
    """The page of a run or group, in a report and in a site: the content of its template, and the
    data of its scripts.

    ``every``: rows of the run that the page shows; their verdicts are those of the whole run.
    ``security``: entries instead of the catalog's.
    """

    def __init__(
        self,
        result: Result,
        every: Sequence[Row],
        security: Sequence[SchemeStatus] | None = None,
    ) -> None:
        self._result, self._every, self._run = result, every, result.run
        self._environment = result.environment
        self.rows = [row for row in every if not row.is_curve]
        self.security = self._statuses() if security is None else security
        self._verdicts = {name: status for status in self.security for name in status.schemes}

    @cached_property
    def question(self) -> str:
        """The question of the run."""
        return view.question(self._run, self.rows)

    @cached_property
    def _samples(self) -> tuple[dict[int, list[float]], bool]:
        return view.samples(self.rows, MAX_SAMPLES)

    def content(self) -> dict[str, Any]:
        """Variables of the template."""
        return {
            "thinned": self._samples[1],
            "security": self.security,
            "secret_flows": self._secret_flows(),
            "verdicts": self._verdicts,
            **self._of_run(),
            **self._of_rows(),
        }

    def _statuses(self) -> Sequence[SchemeStatus]:
        """Security statuses of the schemes by the catalog, on the day of the run."""
        names = [row.scheme for row in self.rows if not row.is_copy]
        names += [
            entry.scheme
            for entry in self._result.failures
            if entry.scheme and entry.operation != "copy-file"
        ]
        return statuses(names, day_of(self._run.started))

    def _secret_flows(self) -> dict[str, str]:
        """Words on the secrets of the code, by target, of those that were followed."""
        codes: dict[str, list[tuple[str, str]]] = {}
        for row in self.rows:
            codes.setdefault(row.target, []).append((row.scheme, row.implementation))
        texts = {target: flows_of_target(target, keys) for target, keys in codes.items()}
        return {target: text for target, text in texts.items() if text}

    def data(self) -> dict[str, Any]:
        """Data for the scripts of the page, where rows are named by their place."""
        schemes = dict.fromkeys(row.scheme for row in self._every)
        places = {row.index: place for place, row in enumerate(self._every)}
        return {
            "look": view.look_of(self.rows),
            "marks": {
                name: [[m.level, m.words] for m in marks(name, self._verdicts.get(name))]
                for name in schemes
            },
            "words": view.words(),
            "table": view.packed_rows(self._every),
            "samples": {str(places[index]): values for index, values in self._samples[0].items()},
            "curves": [
                {**curve, "index": places[curve["index"]]} for curve in beside.curves(self._every)
            ],
        }

    def _of_run(self) -> dict[str, Any]:
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
            "question": self.question,
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

    def _of_rows(self) -> dict[str, Any]:
        """Facts of the measurements for the page."""
        result, rows = self._result, self.rows
        timed = [row for row in rows if row.metric in ("time", "cycles")]
        families = variant_families(rows, self._environment)
        profiles = view.profiles(rows)
        return {
            "rows": rows,
            "rule": rule(rows),
            "scope": scope_words(rows),
            "apart": spread_words([row for row in rows if row.metric == "time"]),
            "placed": places_words(rows),
            "exact": bool(rows) and all(row.exact for row in timed),
            "facts": view.facts(rows, len(result.failures)),
            "answers": answers(rows, self._verdicts),
            "duels": head_to_head(rows),
            "warnings": run_warnings(result, rows),
            "unsteady": beside.unsteady(self._every),
            "families": families,
            "boards": beside.boards_tables(result, rows),
            "cores": beside.cores_table(result, rows),
            "placements": beside.places_lines(result),
            "several_targets": len({row.target for row in rows}) > 1,
            "added": any(row.metric in view.ADDED for row in rows),
            "profiles": profiles,
            "whole_files": view.whole_files(rows),
            "public_key": view.public_key_table(rows),
            "key_sizes": view.key_sizes(rows),
            "public_key_operations": [
                (name, operation_words(name)) for name in view.public_key_operations(rows)
            ],
            "sections": _sections(
                self._every,
                self.security,
                result,
                families=bool(families),
                profiles=bool(profiles),
            ),
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
    every: Sequence[Row],
    security: Sequence[SchemeStatus],
    result: Result,
    *,
    families: bool,
    profiles: bool,
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
        "profile": profiles,
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


@cache
def _template(name: str) -> jinja2.Template:
    return templates(FILTERS).get_template(name)


# Variants

_LIBGCRYPT = re.compile(r"hwflist:(.*)", re.DOTALL)
_OPENSSL = re.compile(r"OPENSSL_(ia32|arm)cap=0x([0-9a-f]+)(?::0x([0-9a-f]+))?", re.IGNORECASE)
_BOTAN = re.compile(r"Botan::CPUID: (.*)")
_HOTSPOT = re.compile(r"\bUse(\w+)=(\w+)")
_AVX = ("AVX", "AVX2", "AVX512")
"""Names of the levels of HotSpot's option UseAVX, from 1."""
_LEVELS = ("1", "2", "3")
# OPENSSL_ia32cap(3), "the capability vector": bits of CPUID leaf 1 (EDX, then ECX) and of leaf 7
# (EBX, then ECX).
_X86 = (
    {
        26: "SSE2",
        32: "SSE3",
        33: "PCLMULQDQ",
        41: "SSSE3",
        54: "MOVBE",
        57: "AES-NI",
        60: "AVX",
        62: "RDRAND",
    },
    {
        3: "BMI1",
        5: "AVX2",
        8: "BMI2",
        16: "AVX512F",
        17: "AVX512DQ",
        18: "RDSEED",
        19: "ADX",
        21: "AVX512IFMA",
        29: "SHA",
        30: "AVX512BW",
        31: "AVX512VL",
        41: "VAES",
        42: "VPCLMULQDQ",
    },
)
# crypto/arm_arch.h of OpenSSL.
_ARM = ({0: "NEON", 2: "AES", 3: "SHA1", 4: "SHA256", 5: "PMULL", 6: "SHA512"},)
_SHOWN_FEATURES = 8
"""Cases of a family that a page shows: those with the largest effects."""
_LARGE_RATIO = 1.1
"""Ratio from which on it is shown as a multiple, below as a difference in percent."""
_MULTIPLE = "\u00d7"


@dataclass(frozen=True, slots=True)
class VariantRatio:
    """The time of a variant as a multiple of the plain implementation's; ``interval`` is empty if
    there is none.

    ``judged`` is false if samples are too few to say whether the two differ.
    """

    ratio: float
    text: str
    interval: str
    different: bool
    judged: bool = True


@dataclass(frozen=True, slots=True)
class VariantCase:
    """One case: the time of the plain implementation, and a cell (or None) per variant."""

    scheme: str
    operation: str
    size: str
    target: str
    evidence: str
    time: Row
    cells: tuple[VariantRatio | None, ...]


@dataclass(frozen=True, slots=True)
class ReportedVariant:
    """One variant: its name without the implementation, the instructions it leaves unused, its
    largest effect.
    """

    name: str
    without: tuple[str, ...]
    effect: str


@dataclass(frozen=True, slots=True)
class VariantFamily:
    """An implementation with its variants and every case that both were measured on."""

    implementation: str
    variants: tuple[ReportedVariant, ...]
    lines: tuple[VariantCase, ...]

    @property
    def main(self) -> tuple[VariantCase, ...]:
        """The lines with the largest effects, in the order of all lines."""

        def effect(line: VariantCase) -> float:
            return max(
                (abs(math.log(cell.ratio)) for cell in line.cells if cell and cell.ratio > 0),
                default=0.0,
            )

        most = sorted(self.lines, key=effect, reverse=True)[:_SHOWN_FEATURES]
        return tuple(line for line in self.lines if line in most)


def variant_families(rows: Sequence[Row], environment: Mapping[str, object]) -> list[VariantFamily]:
    """Families of implementations that were measured plain and as a variant, with the times of
    both.
    """
    times = {
        row.case: row
        for row in rows
        if row.metric == "time" and row.quotable and not row.is_floor and row.median > 0
    }
    probes = probes_of(environment)
    ratios: dict[str, dict[str, dict[tuple[Any, ...], VariantRatio]]] = {}
    for row in times.values():
        plain = times.get(_usual_case(row)) if row.is_variant else None
        if plain is not None:
            cells = ratios.setdefault(plain.implementation, {}).setdefault(row.implementation, {})
            cells[plain.case] = _variant_ratio(plain, row)
    return [_variant_family(name, cells, times, probes) for name, cells in sorted(ratios.items())]


def _usual_case(row: Row) -> tuple[CaseId, str]:
    return replace(row.id, implementation=baseline(row.implementation)), row.evidence


def _variant_ratio(plain: Row, variant: Row) -> VariantRatio:
    """The variant compared with the plain implementation, by the verdict of the run."""
    verdict = variant.verdict(plain)
    if verdict is None or verdict.ratio is None:
        return VariantRatio(variant.median / plain.median, "too few samples", "", False, False)
    interval, different = "", verdict.different
    if verdict.low is not None and verdict.high is not None and verdict.low < verdict.high:
        interval = _interval(verdict.low, verdict.high)
    judged = verdict.outcome is not Outcome.TOO_FEW
    text = (
        multiple(verdict.ratio)
        if different
        else "not distinguishable"
        if judged
        else "too few samples"
    )
    return VariantRatio(verdict.ratio, text, interval, different, judged)


def _percents(ratio: float) -> bool:
    return 1 / _LARGE_RATIO < ratio < _LARGE_RATIO


def multiple(ratio: float) -> str:
    """A ratio for people: ``5.31 x`` with a multiplication sign; close to 1 ``+4.2 %``."""
    if _percents(ratio):
        return f"{_percent(ratio)} %"
    return f"{_times(ratio)} {_MULTIPLE}"


def _percent(ratio: float) -> str:
    text = f"{(ratio - 1) * 100:+.1f}"
    if text in ("+0.0", "-0.0") and ratio != 1:
        text = f"{text[0]}<0.1"
    return text.replace("-", "\u2212")


def _times(ratio: float) -> str:
    return format_value(ratio, "1") if ratio < 1000 else f"{ratio:,.0f}"


def _interval(low: float, high: float) -> str:
    close = _percents(low) and _percents(high)
    return (
        f"{_percent(low)} to {_percent(high)} %"
        if close
        else f"{_times(low)} to {_times(high)} {_MULTIPLE}"
    )


def _variant_family(
    implementation: str,
    ratios: Mapping[str, Mapping[tuple[Any, ...], VariantRatio]],
    times: Mapping[tuple[Any, ...], Row],
    probes: Mapping[str, Mapping[str, object]],
) -> VariantFamily:
    names = sorted(ratios)
    lines = [
        VariantCase(
            row.scheme,
            operation_words(row.operation),
            f"{size_words(row.size)}{f', {row.beside_words}' if row.beside_words else ''}",
            row.target,
            row.evidence,
            row,
            tuple(ratios[name].get(row.case) for name in names),
        )
        for row in times.values()
        if row.implementation == implementation and any(row.case in ratios[name] for name in names)
    ]
    variants = [
        ReportedVariant(
            name[len(implementation) + 1 :],
            _unused(probes, implementation, name),
            _effect(ratios[name], times),
        )
        for name in names
    ]
    return VariantFamily(implementation, tuple(variants), tuple(lines))


def _unused(
    probes: Mapping[str, Mapping[str, object]], plain: str, variant: str
) -> tuple[str, ...]:
    """Instructions that the plain implementation says it uses and the variant does not."""
    with_it, other = (
        features(str(probes.get(name, {}).get("cpu_features") or "")) for name in (plain, variant)
    )
    return tuple(name for name in with_it if name not in other)


def _effect(
    cells: Mapping[tuple[Any, ...], VariantRatio], times: Mapping[tuple[Any, ...], Row]
) -> str:
    """The largest effects of a variant in both directions as text, and how many cases show none."""
    judged = {case: cell for case, cell in cells.items() if cell.judged}
    if not judged:
        return "too few samples"
    different = sorted(
        ((cell.ratio, case) for case, cell in judged.items() if cell.different), key=itemgetter(0)
    )
    effects = []
    if different and different[-1][0] > 1:
        effects.append(f"up to {_cell_words(judged[different[-1][1]], times[different[-1][1]])}")
    if different and different[0][0] < 1:
        effects.append(f"down to {_cell_words(judged[different[0][1]], times[different[0][1]])}")
    if equal := len(judged) - len(different):
        rest = f" in {equal} of {len(judged)} cases" if len(judged) > 1 else ""
        effects.append(f"not distinguishable{rest}")
    return "; ".join(effects)


def _cell_words(cell: VariantRatio, row: Row) -> str:
    how = f"{cell.text} time" if _percents(cell.ratio) else f"{cell.text} the time"
    size = f", {size_words(row.size)}" if row.size else ""
    return f"{how} ({row.scheme}, {operation_words(row.operation)}{size})"


def features(text: str) -> tuple[str, ...]:
    """Names of the instruction sets in what a library says it uses; empty where the text is of no
    form known here.

    Forms: libgcrypt's ``hwflist:intel-aesni:...:``, Botan's ``Botan::CPUID: sse2 ...``, OpenSSL's
    ``OPENSSL_ia32cap=0x...:0x...`` and ``OPENSSL_armcap=0x...``, whose bits are named as far as
    they mean instructions that OpenSSL's code asks for, and options of HotSpot such as
    ``UseAES=true UseAVX=2``.
    """
    if match := _OPENSSL.match(text):
        return tuple(_named_bits(match))
    if match := _LIBGCRYPT.fullmatch(text):
        return tuple(name.removeprefix("intel-") for name in match[1].strip().split(":") if name)
    if match := _BOTAN.fullmatch(text):
        return tuple(match[1].split())
    names: list[str] = []
    for name, value in _HOTSPOT.findall(text):
        if value == "true":
            names.append(name)
        elif name == "AVX" and value in _LEVELS:
            names += _AVX[: int(value)]
    return tuple(names)


def _named_bits(match: re.Match[str]) -> Iterator[str]:
    """The instructions that the words of OpenSSL's variable stand for."""
    tables = _X86 if match[1].lower() == "ia32" else _ARM
    for word, names in zip(match.groups()[1:], tables, strict=False):
        yield from (name for bit, name in names.items() if int(word or "0", 16) >> bit & 1)


def readable(text: str) -> str:
    """Text with names instead of codes; unchanged for unknown codes."""
    names = features(text)
    if not names or _HOTSPOT.search(text):
        return text
    return f"{', '.join(names)} ({text})" if _OPENSSL.match(text) else ", ".join(names)


# Leak tests


_LEAK_LEVELS: dict[str, str] = {
    LeakVerdict.LEAKS: "worst",
    LeakVerdict.CONSTANT: "good",
    FlowVerdict.REACHES: "worst",
    FlowVerdict.CLEAN: "good",
}
"""Marks of verdicts; the others say nothing for or against."""
_LEAK_NUMBERS = (
    "bytes",
    "fewest",
    "most",
    "distinct",
    "spread",
    "median",
    "difference",
    "p",
    "control p",
    "would be seen",
    "inputs",
    "errors",
    "notes",
)
_SOURCES = frozenset((".c", ".h", ".cc", ".cpp", ".hpp", ".S", ".inc"))
_BESIDE = 2
"""Source lines before and after that of a finding."""
_OPEN_FINDINGS = 5
"""Findings of a case that are shown unfolded."""


def write_leak_page(document: LeakEntry, path: Path, *, force: bool | None, where: str) -> Path:
    """Render the leak test and write it to ``path``. InputError if that is not possible."""
    check(path, FileKind.HTML, force=force, where=where)
    return write(path, render_leak(document), FileKind.HTML, force=force, where=where)


def render_leak(document: LeakEntry) -> str:
    """The page of a leak test as text."""
    title = f"{document.implementation} on {document.target}"
    content = leak_content(document)
    return _template("leak.html.j2").render(content, title=title, alone=one_file())


def leak_content(document: LeakEntry) -> dict[str, Any]:
    """Variables of the template of a leak test: verdicts, the inputs that show a leak, the
    machine.
    """
    examples = _leak_examples(document)
    remarks_of_all = [
        *(line for entry in document.findings for line in entry_remarks(entry)),
        *remarks(document),
    ]
    flows = document.flow.cases if isinstance(document, FollowedEntry) else ()
    verdicts = [str(case.verdict) for case in flows]
    return {
        "document": document,
        "flows": flows,
        "open": _OPEN_FINDINGS,
        "source_of": _source_of,
        "ranges": ranges,
        "answer": _leak_answer(document),
        "method": method_words(document),
        "when": view.span(document.run.started, document.run.finished or ""),
        "counts": {
            **verdict_counts(document.findings),
            **{verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)},
        },
        "tables": _leak_tables(document),
        "numbers": _LEAK_NUMBERS,
        "examples": examples,
        "parts_of": parts_of,
        "example_words": example_words,
        "remarks": remarks_of_all,
        "environment": view.flatten(document.environment.host),
        "origin": f"motebench {document.motebench}",
        "sections": {
            "verdicts": "Verdicts",
            **({"flows": "Where secrets reach time"} if flows else {}),
            **({"examples": "Inputs that differ"} if examples else {}),
            **({"remarks": "Remarks"} if remarks_of_all else {}),
            "environment": "Environment",
        },
    }


def _leak_answer(document: LeakEntry) -> str:
    """The verdict on the implementation in a few words."""
    if isinstance(document, FollowedEntry) and document.flow.cases:
        cases = document.flow.cases
        reached = sum(case.verdict == FlowVerdict.REACHES for case in cases)
        if reached:
            return (
                f"{document.implementation}: a secret reaches time in {reached} of {len(cases)} "
                f"operation{'' if len(cases) == 1 else 's'}"
            )
        return f"{document.implementation}: no secret reaches time on the paths that ran"
    leaks, total = sum(entry.leaks for entry in document.findings), len(document.findings)
    if leaks:
        return (
            f"{document.implementation} leaks: its time depends on {leaks} of {total} secrets "
            "that were varied"
        )
    if not total:
        return f"{document.implementation}: nothing was examined"
    if all(entry.verdict == LeakVerdict.CONSTANT for entry in document.findings):
        return f"{document.implementation} took the same cycles for all inputs"
    return f"{document.implementation}: no leak was found"


def _leak_tables(
    document: LeakEntry,
) -> Sequence[tuple[list[str], list[dict[str, str | int | None]]]]:
    """Rows with equal headings together, each table with its headings."""
    tables: dict[tuple[str, ...], list[dict[str, str | int | None]]] = {}
    flows = document.flow.cases if isinstance(document, FollowedEntry) else ()
    rows = [flow_row(case) for case in flows]
    if rows:
        tables[tuple(rows[0])] = [{**row} for row in rows]
    for entry in document.findings:
        row = leak_row(entry)
        tables.setdefault(tuple(row), []).append(row)
    return [(list(headings), rows) for headings, rows in tables.items()]


def _leak_examples(document: LeakEntry) -> list[tuple[CountedEntry, ExampleEntry]]:
    """The findings that have a pair of inputs with different cycles."""
    counted = [entry for entry in document.findings if isinstance(entry, CountedEntry)]
    return [(entry, entry.example) for entry in counted if entry.example is not None]


def _source_of(place: CodePlaceEntry) -> list[tuple[int, str]]:
    """Source lines around a place, with their numbers; empty if the source is not part of
    motebench.
    """
    root = data_root().resolve()
    if place.file is None or place.line is None:
        return []
    try:
        path = (root / place.file).resolve()
        if not path.is_relative_to(root) or path.suffix not in _SOURCES:
            return []  # a store may come from elsewhere
        lines = path.read_text(errors="replace").splitlines()
    except (OSError, ValueError):  # of a name that no file can have
        return []
    if not 1 <= place.line <= len(lines):
        return []
    first = max(1, place.line - _BESIDE)
    return list(enumerate(lines[first - 1 : place.line + _BESIDE], first))
