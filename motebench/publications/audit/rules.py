"""The checks by name: the formula of each and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

_GRIM = "Brown and Heathers 2017, Soc. Psychol. Personal. Sci. 8(4), 363-369"
_GRIMMER = "Anaya 2016, PeerJ Preprints 4:e2400v1; Heathers et al. 2018 (SPRITE), PeerJ Preprints 6:e26968v1"


@dataclass(frozen=True, slots=True)
class Rule:
    """A check: what it computes, and who says so."""

    formula: str
    reference: str


RULES = {
    "sd-variance": Rule("sd = sqrt(variance), both with their rounding", "ISO 3534-1:2006"),
    "second-moment": Rule(
        "mean of squares = mean^2 + variance: variance / mean^2 >= 1 in every row", "ISO 3534-1:2006, moments"
    ),
    "mean-variance": Rule("sum of squares / n >= mean^2 (Jensen)", "Jensen 1906, Acta Math. 30, 175-193"),
    "divisor": Rule("variance (n - 1) or variance n, in steps of the resolution squared, must be possible", _GRIMMER),
    "sem": Rule("standard error = sd / sqrt(n)", "JCGM 100:2008 (GUM), 4.2.3"),
    "sd-bound": Rule(
        "sd^2 <= (max - mean)(mean - min) n / (n - 1); readings >= 0: sd <= mean sqrt(n)",
        "Popoviciu 1935; Bhatia and Davis 2000, Am. Math. Mon. 107(4), 353-357",
    ),
    "range": Rule("minimum <= mean, median <= maximum", "definition"),
    "grim": Rule("mean n / resolution is a whole number, within rounding", _GRIM),
    "grimmer": Rule("sum of squares of n whole numbers is whole, and as even or odd as their sum", _GRIMMER),
    "repeated-label": Rule("two rows have the same labels", "comparison of the printed labels"),
    "repeated-row": Rule("rows with different labels have equal numbers", "comparison of the printed numbers"),
    "equal-cells": Rule("chance = pairs x step / (spread of differences x sqrt(2 pi))", "normal density at 0"),
    "digit-slip": Rule(
        "log10(cell) = row + column, by medians; one cell off by 1 or 2",
        "Tukey 1977, Exploratory Data Analysis, ch. 11",
    ),
    "falling-time": Rule("time grows with input size", "a longer input contains the shorter one's work"),
    "falling-throughput": Rule(
        "time = fixed + size / speed: size / time cannot fall",
        "Hockney and Jesshope 1988, Parallel Computers 2",
    ),
    "common-speed": Rule(
        "size / time, equal for different ciphers",
        "bottleneck law: Denning and Buzen 1978, ACM Comput. Surv. 10(3), 225-261",
    ),
    "too-exact": Rule(
        "time(k size) = k time(size) to the last digit; chance 1 / k each",
        "rounding of an unknown last digit is uniform",
    ),
    "constant-ratio": Rule("a / b equal in every row, within rounding", "rounding intervals of both cells"),
    "rounds": Rule(
        "time = a + b rounds: share of b = (t2 / t1 - 1) / (r2 / r1 - 1)", "rounds of FIPS 197 and FIPS 46-3"
    ),
    "key-size": Rule("time(longer key) / time(shorter key) by rounds", "FIPS 197, section 5 (AES: 10, 12, 14 rounds)"),
    "direction": Rule(
        "decryption / encryption; 1 for Feistel and stream ciphers", "FIPS 46-3: the same rounds in reverse order"
    ),
    "signature": Rule(
        "private / public operation ~ bits / 17 x 1.5; sign(2 bits) / sign(bits) ~ 2^3 = 8 (at most 8, at least 4)",
        "Menezes et al. 1996, Handbook of Applied Cryptography, 14.6",
    ),
    "product": Rule(
        "one column is a product of others (P = V I, E = P t, throughput = size / time)",
        "SI Brochure, 9th ed., 2.3.4",
    ),
    "same-information": Rule("column a = constant x column b, within rounding", "rounding intervals of both cells"),
    "dimension": Rule("both sides of a formula have the same dimension", "SI Brochure, 9th ed., 2.3.3 and 5.4"),
    "statement": Rule("the sentence, computed from the printed numbers", "the paper's own numbers"),
    "statements": Rule("two sentences that cannot both hold", "order and equality are transitive"),
    "fact": Rule("a stated fact against the catalog", "motebench describe NAME"),
    "confounded": Rule(
        "each subject has one means, and subjects differ in it", "Montgomery 2017, Design and Analysis of Experiments"
    ),
    "announced": Rule("what the method announces = what the tables have", "comparison of the labels"),
    "reference": Rule("a table or figure that the text names exists and is about it", "comparison of the labels"),
}  # fmt: skip
