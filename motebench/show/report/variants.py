"""Each variant of an implementation compared with the plain one, with the instructions it leaves
unused; another compiler compared with the default one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.naming import baseline
from motebench.base.units import format_value
from motebench.results.presentation.recorded import probes_of
from motebench.results.presentation.rows import Row, operation_words, size_words
from motebench.stats import Outcome

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
_SHOWN = 8
"""Cases of a family that a page shows: those with the largest effects."""
_LARGE = 1.1
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

        most = sorted(self.lines, key=effect, reverse=True)[:_SHOWN]
        return tuple(line for line in self.lines if line in most)


def families(rows: Sequence[Row], environment: Mapping[str, object]) -> list[VariantFamily]:
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
            cells[plain.case] = compare(plain, row)
    return [_family(name, cells, times, probes) for name, cells in sorted(ratios.items())]


def _usual_case(row: Row) -> tuple[CaseId, str]:
    return replace(row.id, implementation=baseline(row.implementation)), row.evidence


def compare(plain: Row, variant: Row) -> VariantRatio:
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
    return 1 / _LARGE < ratio < _LARGE


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


def _family(
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
            _without(probes, implementation, name),
            _effect(ratios[name], times),
        )
        for name in names
    ]
    return VariantFamily(implementation, tuple(variants), tuple(lines))


def _without(
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
        effects.append(f"up to {_told(judged[different[-1][1]], times[different[-1][1]])}")
    if different and different[0][0] < 1:
        effects.append(f"down to {_told(judged[different[0][1]], times[different[0][1]])}")
    if equal := len(judged) - len(different):
        rest = f" in {equal} of {len(judged)} cases" if len(judged) > 1 else ""
        effects.append(f"not distinguishable{rest}")
    return "; ".join(effects)


def _told(cell: VariantRatio, row: Row) -> str:
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
