"""Sentences against the catalog, and against arithmetic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from motebench.advise.radio.airtime import Modulation, lora
from motebench.base import dimensions
from motebench.base.errors import InputError
from motebench.catalog.radios import RADIOS
from motebench.catalog.schema import Algorithm, AlgorithmKind, KeyRange, Verdict, first_day
from motebench.documents.audit import CellEntry
from motebench.publications.audit.found import CheckFindings, number
from motebench.publications.audit.known import algorithm
from motebench.publications.audit.statements.model import (
    AirtimeStepsStatement,
    ComputedStatement,
    FactStatement,
    FormulaStatement,
    PaperStatement,
    StatedAirtime,
    StatusStatement,
    StrengthStatement,
)

_MODES: Mapping[str, tuple[str, str]] = {
    "ecb": ("yes", "yes"), "cbc": ("no", "yes"), "cfb": ("no", "yes"), "ofb": ("no", "no"), "ctr": ("yes", "yes"),
}  # fmt: skip
"""Whether blocks can be encrypted, and decrypted, independently: NIST SP 800-38A, 6.1 to 6.5."""
_SP_800_38A = "NIST SP 800-38A, 6.1 to 6.5"


def _add(
    found: CheckFindings, statement: PaperStatement, what: str, cells: tuple[CellEntry, ...] = (), source: str = ""
) -> None:
    note = f"; {statement.note}" if statement.note else ""
    found.add(
        statement.matters, statement.sure, statement.where, f"{what}{note}", cells, quote=statement.quote,
        reference=source or None,
    )  # fmt: skip


def fact(found: CheckFindings, statement: FactStatement) -> None:
    """A fact against the catalog, or against what is known."""
    known, source = statement.known, statement.source or ""
    if known is None:
        known, source = _known(statement)
    if known is None:
        return
    found.looks += 1
    if not _agrees(statement.value, known):
        shown = ", ".join(map(str, known)) if isinstance(known, tuple) else str(known)
        value = ", ".join(map(str, statement.value)) if isinstance(statement.value, tuple) else statement.value
        _add(found, statement, f"{statement.attribute} of {statement.subject} is said to be {value}; it is {shown}",
             source=source)  # fmt: skip


def _agrees(value: object, known: object) -> bool:
    allowed = known if isinstance(known, tuple) else (known,)
    stated = value if isinstance(value, tuple) else (value,)
    return all(_one_of(each, allowed) for each in stated)


def _one_of(value: object, allowed: tuple[object, ...]) -> bool:
    for each in allowed:
        bounds = re.fullmatch(r"(\d+) to (\d+)", str(each))
        if str(value).casefold() == str(each).casefold():
            return True
        if bounds and str(value).isdigit() and int(bounds[1]) <= int(str(value)) <= int(bounds[2]):
            return True
    return False


def _known(statement: FactStatement) -> tuple[str | tuple[str, ...] | None, str]:
    """The catalog's value of an attribute, and its source; None if it has none."""
    attribute = statement.attribute
    if statement.subject.lower().removesuffix(" mode") in _MODES and attribute.startswith("parallel"):
        both = _MODES[statement.subject.lower().removesuffix(" mode")]
        return both["decryption" in attribute], _SP_800_38A
    of = algorithm(statement.subject)
    if of is None:
        return None, ""
    source = of.specifications[0].identifier
    found = _attribute(of, statement.subject, attribute)
    return found, source


def _attribute(of: Algorithm, subject: str, attribute: str) -> str | tuple[str, ...] | None:
    if attribute == "key bits":
        if of.kind is AlgorithmKind.HASH:
            return "none: a hash has no key"
        if isinstance(of.key_bits, KeyRange):
            return f"{of.key_bits.min} to {of.key_bits.max}"
        sizes = tuple(str(bits) for bits in of.key_bits)
        # DES keys are written with their parity bits.
        return (*sizes, "64") if of.id == "des" else sizes
    if attribute == "block bits":
        return tuple(str(bits) for bits in of.block_bits)
    if attribute == "kind":
        return of.kind.value
    if attribute == "rounds":
        if isinstance(of.rounds, int):
            return str(of.rounds)
        bits = re.search(r"(\d+)$", subject)
        return str(of.rounds[bits[1]]) if of.rounds and bits and bits[1] in of.rounds else None
    if attribute == "authenticated":
        return "yes" if of.kind is AlgorithmKind.AEAD else "no"
    return None


def strength(found: CheckFindings, statement: StrengthStatement) -> None:
    """Which of two has more bits of strength by the catalog."""
    found.looks += 1
    more, than = _bits(statement.more), _bits(statement.than)
    if more is None or than is None:
        return
    if more[0] <= than[0]:
        _add(found, statement, f"{statement.more} has {more[0]} bits of strength and {statement.than} has {than[0]}",
             source=f"{more[1]}; {than[1]}")  # fmt: skip


def _bits(name: str) -> tuple[int, str] | None:
    """Bits of strength: of the size in the name, else the largest."""
    of = algorithm(name)
    if of is None or not of.security.bits:
        return None
    size = re.search(r"(\d+)$", name)
    bits = of.security.bits.get(size[1]) if size else None
    return bits or max(of.security.bits.values()), str(of.security.source)


def status(found: CheckFindings, statement: StatusStatement) -> None:
    """What standards bodies said of it on that day."""
    of = algorithm(statement.subject)
    if of is None:
        return
    found.looks += 1
    against = [each for each in of.statuses_on(first_day(statement.on)) if each.verdict.weight >= Verdict.LEGACY.weight]
    if against:
        said = "; ".join(f"{each.body}: {each.label}" for each in against)
        _add(found, statement, f"by {statement.on} standards bodies had advised against {of.name} ({said})",
             source="; ".join(str(each.source) for each in against))  # fmt: skip


def _given(statement: ComputedStatement) -> dict[str, tuple[Fraction, dimensions.Dimension]]:
    given = {}
    for name, text in statement.given.items():
        if isinstance(text, StatedAirtime):
            given[name] = on_air(text), dimensions.TIME
        else:
            value, unit = dimensions.quantity(text, where=f"{statement.where}: {name}")
            given[name] = value, unit.dimension
    return given


def on_air(of: StatedAirtime) -> Fraction:
    """Seconds on air, exact: 8 symbols of preamble, explicit header, CRC, coding rate 4/5."""
    radio = RADIOS.find(of.radio, None)
    return lora(Modulation(of.sf, Fraction(of.bandwidth_khz)), of.bytes, radio).time_ms / 1000


def compute(found: CheckFindings, statement: ComputedStatement) -> None:
    """An expression over stated quantities."""
    given = _given(statement)
    value, dimension = dimensions.evaluate(statement.expression, given, where=statement.where)
    unit = dimensions.unit(statement.unit)
    if unit is None or unit.dimension != dimension:
        raise InputError(f"{statement.expression!r} is not in {statement.unit}", where=statement.where)
    found.looks += 1
    result = float(value / unit.factor)
    low, high = statement.low, statement.high
    if (low is not None and result < low) or (high is not None and result > high):
        shown = "; ".join(
            f"{name} = {text if isinstance(text, str) else f'{number(float(on_air(text)))} s'}"
            for name, text in statement.given.items()
        )
        of = "" if statement.unit == "1" else f" {statement.unit}"
        _add(found, statement, f"{statement.says}; {statement.expression} = {number(result)}{of} ({shown})")


def formula(found: CheckFindings, statement: FormulaStatement) -> None:
    """The dimension of a formula."""
    given = {}
    for name, text in statement.units.items():
        of = dimensions.unit(text)
        if of is None:
            raise InputError(f"unknown unit {text!r}", where=f"{statement.where}: {name}")
        given[name] = of.factor, of.dimension
    factor, dimension = dimensions.evaluate(statement.expression, given, where=statement.where)
    said = dimensions.unit(statement.unit)
    if said is None:
        raise InputError(f"unknown unit {statement.unit!r}", where=statement.where)
    found.looks += 1
    if dimension == said.dimension:
        return
    result = dimensions.Unit(factor, dimension)
    also = ""
    if statement.same_as:
        other, other_dimension = dimensions.evaluate(statement.same_as, given, where=statement.where)
        if other_dimension == dimension:
            also = f"; it is {number(float(factor / other))} times {statement.same_as}"
    _add(
        found, statement,
        f"{statement.called} = {statement.expression} is {result.spoken}, and {statement.unit} is {said.spoken}{also}",
    )  # fmt: skip


def steps(found: CheckFindings, statement: AirtimeStepsStatement) -> None:
    """How many of the steps of one byte change the time on air."""
    times = [
        on_air(StatedAirtime(sf=statement.sf, bytes=length)) for length in range(statement.low, statement.high + 1)
    ]
    changes = sum(one != two for one, two in pairwise(times))
    count = len(times) - 1
    found.looks += count
    if changes < statement.least * count:
        _add(
            found, statement,
            f"one byte more changes the time on air in {changes} of {count} steps from {statement.low} to "
            f"{statement.high} bytes at SF{statement.sf}: the payload grows in whole groups of symbols",
            source="Semtech SX1276/77/78/79 data sheet, 4.1.1.7",
        )  # fmt: skip
