"""Findings of a check, and the rule behind each check: its formula and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from motebench.documents.papers import CellEntry, Certainty, FindingEntry, Weight

_GRIM = "Brown and Heathers 2017, Soc. Psychol. Personal. Sci. 8(4), 363-369"
_GRIMMER = "Anaya 2016, PeerJ Preprints 4:e2400v1; Heathers et al. 2018 (SPRITE), PeerJ Preprints 6:e26968v1"


@dataclass(frozen=True, slots=True)
class CheckRule:
    """A check: what it computes, and who says so."""

    formula: str
    reference: str


RULES = {
    "sd-variance": CheckRule("sd = sqrt(variance), both with their rounding", "ISO 3534-1:2006"),
    "second-moment": CheckRule(
        "mean of squares = mean^2 + variance: variance / mean^2 >= 1 in every row", "ISO 3534-1:2006, moments"
    ),
    "mean-variance": CheckRule("sum of squares / n >= mean^2 (Jensen)", "Jensen 1906, Acta Math. 30, 175-193"),
    "divisor": CheckRule(
        "variance (n - 1) or variance n, in steps of the resolution squared, must be possible", _GRIMMER
    ),
    "sem": CheckRule("standard error = sd / sqrt(n)", "JCGM 100:2008 (GUM), 4.2.3"),
    "sd-bound": CheckRule(
        "sd^2 <= (max - mean)(mean - min) n / (n - 1); readings >= 0: sd <= mean sqrt(n)",
        "Popoviciu 1935; Bhatia and Davis 2000, Am. Math. Mon. 107(4), 353-357",
    ),
    "range": CheckRule("minimum <= mean, median <= maximum", "definition"),
    "grim": CheckRule("mean n / resolution is a whole number, within rounding", _GRIM),
    "grimmer": CheckRule("sum of squares of n whole numbers is whole, and as even or odd as their sum", _GRIMMER),
    "repeated-label": CheckRule("two rows have the same labels", "comparison of the printed labels"),
    "repeated-row": CheckRule("rows with different labels have equal numbers", "comparison of the printed numbers"),
    "equal-cells": CheckRule("chance = pairs x step / (spread of differences x sqrt(2 pi))", "normal density at 0"),
    "digit-slip": CheckRule(
        "log10(cell) = row + column, by medians; one cell off by 1 or 2",
        "Tukey 1977, Exploratory Data Analysis, ch. 11",
    ),
    "falling-time": CheckRule("time grows with input size", "a longer input contains the shorter one's work"),
    "falling-throughput": CheckRule(
        "time = fixed + size / speed: size / time cannot fall",
        "Hockney and Jesshope 1988, Parallel Computers 2",
    ),
    "common-speed": CheckRule(
        "size / time, equal for different ciphers",
        "bottleneck law: Denning and Buzen 1978, ACM Comput. Surv. 10(3), 225-261",
    ),
    "too-exact": CheckRule(
        "time(k size) = k time(size) to the last digit; chance 1 / k each",
        "rounding of an unknown last digit is uniform",
    ),
    "constant-ratio": CheckRule("a / b equal in every row, within rounding", "rounding intervals of both cells"),
    "rounds": CheckRule(
        "time = a + b rounds: share of b = (t2 / t1 - 1) / (r2 / r1 - 1)", "rounds of FIPS 197 and FIPS 46-3"
    ),
    "key-size": CheckRule(
        "time(longer key) / time(shorter key) by rounds", "FIPS 197, section 5 (AES: 10, 12, 14 rounds)"
    ),
    "direction": CheckRule(
        "decryption / encryption; 1 for Feistel and stream ciphers", "FIPS 46-3: the same rounds in reverse order"
    ),
    "signature": CheckRule(
        "private / public operation ~ bits / 17 x 1.5; sign(2 bits) / sign(bits) ~ 2^3 = 8 (at most 8, at least 4)",
        "Menezes et al. 1996, Handbook of Applied Cryptography, 14.6",
    ),
    "product": CheckRule(
        "one column is a product of others (P = V I, E = P t, throughput = size / time)",
        "SI Brochure, 9th ed., 2.3.4",
    ),
    "same-information": CheckRule(
        "column a = constant x column b, within rounding", "rounding intervals of both cells"
    ),
    "dimension": CheckRule("both sides of a formula have the same dimension", "SI Brochure, 9th ed., 2.3.3 and 5.4"),
    "statement": CheckRule("the sentence, computed from the printed numbers", "the paper's own numbers"),
    "statements": CheckRule("two sentences that cannot both hold", "order and equality are transitive"),
    "fact": CheckRule("a stated fact against the catalog", "motebench describe NAME"),
    "confounded": CheckRule(
        "each subject has one means, and subjects differ in it", "Montgomery 2017, Design and Analysis of Experiments"
    ),
    "announced": CheckRule("what the method announces = what the tables have", "comparison of the labels"),
    "reference": CheckRule("a table or figure that the text names exists and is about it", "comparison of the labels"),
}


@dataclass(slots=True)
class CheckFindings:
    """How often a check could look, and what it found."""

    check: str
    looks: int = 0
    findings: list[FindingEntry] = field(default_factory=list)

    def add(
        self,
        weight: Weight,
        certainty: Certainty,
        where: str,
        what: str,
        cells: Sequence[CellEntry] = (),
        *,
        quote: str | None = None,
        reference: str | None = None,
    ) -> None:
        """One more finding."""
        rule = RULES[self.check]
        self.findings.append(
            FindingEntry(
                check=self.check,
                weight=weight,
                certainty=certainty,
                where=where,
                what=what,
                quote=quote,
                cells=tuple(cells),
                formula=rule.formula,
                reference=reference or rule.reference,
            )
        )


def number(value: float, digits: int = 4) -> str:
    """A number for readers: four significant digits, no exponent where it can be avoided."""
    if value == 0:
        return "0"
    if 1e-4 <= abs(value) < 1e7:
        rounded = float(f"{value:.{digits}g}")
        return f"{rounded:.10f}".rstrip("0").rstrip(".") if abs(rounded) < 1e6 else f"{rounded:.0f}"
    return f"{value:.{digits}g}"


def size_text(size: int) -> str:
    """An input size in decimal units, as papers print it."""
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"
