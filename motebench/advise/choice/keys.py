"""Keys and nonces of the first candidates: when to change a key, what a counter costs, how likely a
forgery is.

[limits]: draft-irtf-cfrg-aead-limits (Usage Limits on AEAD Algorithms), single key. Lengths L are
in blocks of 16 bytes, p is the advantage that is allowed to an attacker.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from motebench.advise.choice.candidate import Judged
from motebench.advise.choice.question import PUBLIC_KEY, ChoiceQuestion, Chosen, Need
from motebench.advise.radio.message import GHASH_MODES
from motebench.base.model import Scheme
from motebench.base.units import DAY_S, format_value, life_words
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.devices import CounterMemory
from motebench.catalog.lookup import block_bits_of
from motebench.documents.choice import KeyFact, KeysEntry
from motebench.results import formulas

ADVANTAGE = 2.0**-50
"""Largest advantage of an attacker for messages under one key: that of the examples in
[limits], 5.
"""
SMALL_BLOCK_CALLS = 2**20
"""Blocks under one key of a cipher with blocks of 64 bits: SP 800-67 Rev. 2, 3.3, which says so of
TDEA.
"""
GCM_RANDOM = 2**32
"""Messages under one key with random nonces: SP 800-38D, 8.3."""
ASCON_BYTES = 2**54
"""Bytes under one key of Ascon-AEAD128: SP 800-232."""


def gcm_messages(blocks: int, advantage: float = ADVANTAGE) -> float:
    """Messages of that length under one key: q <= (p^(1/2) 2^(129/2) - 1) / (L + 1), [limits]
    5.1.1.
    """
    return (math.sqrt(advantage) * 2**64.5 - 1) / (blocks + 1)


def ccm_messages(blocks: int, advantage: float = ADVANTAGE) -> float:
    """Messages of that length under one key: q <= sqrt(p) 2^63 / L, [limits] 5.3.1."""
    return math.sqrt(advantage) * 2.0**63 / max(blocks, 1)


def birthday_messages(calls: int, block_bits: int, advantage: float = ADVANTAGE) -> float:
    """Messages of so many calls of the block cipher: the advantage of s calls is at most s^2 / 2^(n
    + 1).
    """
    return math.sqrt(advantage * 2.0 ** (block_bits + 1)) / calls


def gmac_messages(advantage: float = ADVANTAGE) -> float:
    """Messages under one key: one call of the cipher hides each, (q + 1)^2 / 2^129 <= p; forgeries
    apart.
    """
    return birthday_messages(1, 128, advantage) - 1


def collision(count: float, bits: int) -> float:
    """The probability that two of ``count`` random values of so many bits are equal: 1 - e^(-n (n -
    1) / 2^(b + 1)).
    """
    return -math.expm1(-count * max(count - 1, 0.0) / 2.0 ** (bits + 1))


def gcm_forgery(blocks: int, tag_bits: int) -> float:
    """One try against GCM: at most L + 1 values of the key of the tag fit, (L + 1) / 2^t."""
    return min((blocks + 1) / 2.0**tag_bits, 1.0)


def poly1305_forgery(blocks: int) -> float:
    """One try against ChaCha20-Poly1305: (L + 1) / 2^103, [limits] 5.2.2."""
    return (blocks + 1) / 2.0**103


def guessed(tag_bits: int) -> float:
    """One try against a tag that can only be guessed: 2^-t."""
    return 2.0**-tag_bits


def within(tries: float, probability: float) -> float:
    """Probability that at least one of so many tries succeeds: 1 - (1 - p)^v."""
    return -math.expm1(tries * math.log1p(-probability)) if probability < 1 else 1.0


def worn_out(cycles: float, slots: int, writes_a_year: float) -> float:
    """Years until the cells that keep a counter are worn out: each write uses the next of the
    slots.
    """
    return cycles * slots / writes_a_year


COUNT = 3
"""Number of schemes in the document."""
_SERVICE_YEARS = 10.0
_RECORD_BYTES = 8
"""A counter of four bytes, and a check of it that finds a torn write."""
_ERASED_AT_ONCE = 2
"""Parts of the memory that are erased together and hold the counter in turns, so that one is always
valid.
"""
_RECORDS = 8
"""Records of a counter that are written in turns where single bytes are erased."""
_MARGIN = 2.0
_BLOCK = 16
_FOREVER_YEARS = 1000.0
_LIKELY = 1e-6
"""The probability of a forgery within a year above which the answer warns."""
_LIMITS_DRAFT = "draft-irtf-cfrg-aead-limits"


def keys(chosen: Chosen) -> list[KeysEntry]:
    """One entry for each of the first schemes; empty for hashes and public keys, and if no
    candidate keeps all limits."""
    if chosen.question.demands.need in (Need.HASH, *PUBLIC_KEY):
        return []
    by_scheme: dict[str, KeysEntry] = {}
    for ranked in chosen.ranked:
        if len(by_scheme) < COUNT and ranked.candidate.scheme not in by_scheme:
            by_scheme[ranked.candidate.scheme] = _entry(ranked.candidate, chosen.question)
    return list(by_scheme.values())


def cautions(entries: Sequence[KeysEntry]) -> list[str]:
    """Warnings about the keys of the first candidate: forgeries that are to be expected."""
    return [
        (
            f"WARNING: {fact.words}. Take a longer tag, or let the receiver give up after a few "
            "failures"
        )
        for entry in entries[:1]
        for fact in entry.facts
        if fact.kind == "forgery" and fact.value is not None and fact.value > _LIKELY
    ]


def _entry(candidate: Judged, question: ChoiceQuestion) -> KeysEntry:
    years, basis = _SERVICE_YEARS, "no battery is named"
    if candidate.life is not None:
        years, basis = candidate.life.value.typical, "the life of the battery"
    cipher, tagged = _schemes(candidate)
    facts: list[KeyFact] = []
    if question.scene.every_s is not None:
        day = DAY_S / question.scene.every_s
        if cipher is not None:
            facts += _changing(candidate, cipher, day)
            facts += _random(cipher, day * formulas.DAYS_A_YEAR * years)
            facts += _counting(question, day, years)
    if tagged is not None and candidate.sent.tag_bytes:
        facts.append(_forging(candidate, tagged))
    return KeysEntry(
        scheme=candidate.scheme,
        implementation=candidate.implementation,
        years=years,
        basis=basis,
        facts=tuple(facts),
    )


def _schemes(candidate: Judged) -> tuple[Scheme | None, Scheme | None]:
    """Schemes that take a nonce and make the tag; None where none does."""
    parts = [schemes().get(offer.scheme) for offer in candidate.offers]
    cipher = parts[0] if parts[0] is not None and parts[0].nonce_bytes else None
    return cipher, next(
        (part for part in reversed(parts) if part is not None and part.tag_bytes), None
    )


def _blocks(candidate: Judged) -> int:
    return -(-(candidate.sent.plaintext_bytes + candidate.sent.padding_bytes) // _BLOCK)


def _changing(candidate: Judged, cipher: Scheme, day: float) -> Iterator[KeyFact]:
    blocks, bits = _blocks(candidate), block_bits_of(algorithm_of(cipher), cipher)
    length = f"{candidate.sent.plaintext_bytes} B"
    at_advantage = "p = 2^-50"
    if cipher.mode == "gcm":
        most, formula, source = (
            gcm_messages(blocks),
            "q <= (sqrt(p) 2^64.5 - 1) / (L + 1)",
            _LIMITS_DRAFT,
        )
        source, unverified = f"{source}, AEAD_AES_128_GCM", False
    elif cipher.mode == "gmac":
        most, formula = gmac_messages(), "q <= sqrt(p 2^129) - 1"
        source, unverified = (
            "Iwata, Ohashi, Minematsu, CRYPTO 2012: authenticity of GCM, nonces of 96 bits",
            True,
        )
    elif cipher.mode == "ccm":
        most, formula = ccm_messages(blocks), "q <= sqrt(p) 2^63 / L"
        source, unverified = f"{_LIMITS_DRAFT}, AEAD_AES_128_CCM", False
    elif bits is not None and bits <= 64:
        # Authenticated modes encrypt each block twice; nonce and length take blocks, too.
        calls = _calls(candidate, cipher, bits)
        most, formula = SMALL_BLOCK_CALLS / calls, f"2^20 blocks / {calls} a message"
        source, unverified, at_advantage = (
            "NIST SP 800-67 Rev. 2, 3.3",
            True,
            "blocks repeat with 2^-25",
        )
    elif bits is not None:
        calls = _calls(candidate, cipher, bits)
        most = birthday_messages(calls, bits)
        formula = f"q <= sqrt(p 2^{bits + 1}) / {calls} calls a message"
        source, unverified = (
            "Bellare, Desai, Jokipii, Rogaway, FOCS 1997: blocks that do not repeat",
            True,
        )
    elif cipher.name.startswith("ascon"):
        size = candidate.sent.plaintext_bytes + cipher.nonce_bytes
        most, formula = ASCON_BYTES / size, f"2^54 B / {size} B a message"
        source, unverified, at_advantage = "NIST SP 800-232", True, "its own rule"
    else:
        yield KeyFact(
            kind="key-change",
            value=None,
            unit="days",
            formula="no limit but that nonces do not repeat",
            words=f"change the key: only before nonces of {cipher.nonce_bytes} bytes repeat",
            source=f"{_LIMITS_DRAFT}, AEAD_CHACHA20_POLY1305"
            if "poly1305" in cipher.name
            else "stream cipher",
            unverified=False,
        )
        return
    days = most / day
    text = (
        f"change the key after {_count(most)} messages of {length}, {_span(days)} at this rate "
        f"({at_advantage})"
    )
    yield KeyFact(
        kind="key-change",
        value=days,
        unit="days",
        words=text,
        formula=formula,
        source=source,
        unverified=unverified,
    )


def _calls(candidate: Judged, cipher: Scheme, bits: int) -> int:
    """Calls of the block cipher a message: each block once, twice in authenticated modes, and one
    for the nonce.
    """
    size = candidate.sent.plaintext_bytes + candidate.sent.padding_bytes
    return (2 if cipher.tag_bytes else 1) * (-(-size // (bits // 8)) + 1)


def _random(cipher: Scheme, messages: float) -> Iterator[KeyFact]:
    bits = cipher.nonce_bytes * 8
    chance = collision(messages, bits)
    text = (
        f"random nonces of {bits} bits: two of {_count(messages)} messages have the same one with "
        f"a probability of {_chance(chance)}"
    )
    source, unverified = "birthday bound", False
    if cipher.mode in GHASH_MODES:
        allowed = "keeps" if messages <= GCM_RANDOM else "breaks"
        text += f"; that {allowed} the limit of 2^32 messages a key"
        source, unverified = "birthday bound; NIST SP 800-38D, 8.3", True
    yield KeyFact(
        kind="random-nonce",
        value=chance,
        unit="probability",
        words=text,
        formula="1 - e^(-n (n - 1) / 2^(b + 1))",
        source=source,
        unverified=unverified,
    )


def _counting(question: ChoiceQuestion, day: float, years: float) -> Iterator[KeyFact]:
    memory = question.scene.device.counter_memory
    if memory is None:
        return
    slots = _slots(memory)
    block, always = 1, worn_out(memory.cycles, slots, day * formulas.DAYS_A_YEAR)
    while worn_out(memory.cycles, slots, day * formulas.DAYS_A_YEAR / block) < _MARGIN * years:
        block *= 2
    lasts = worn_out(memory.cycles, slots, day * formulas.DAYS_A_YEAR / block)
    text = (
        f"a counter that is kept in {memory.kind} at every message: "
        f"{day * formulas.DAYS_A_YEAR:,.0f} writes a year, worn out after {_years(always)}"
    )
    if block > 1:
        text += (
            f"; in blocks of {block} numbers, written ahead: {_years(lasts)}, and a reset loses "
            f"up to {block} numbers"
        )
    yield KeyFact(
        kind="counter",
        value=always,
        unit="years",
        words=text,
        formula=f"{memory.cycles:,} cycles x {slots} records / writes a year",
        source=str(memory.source),
        unverified=memory.unverified,
    )


def _slots(memory: CounterMemory) -> int:
    """Records of the counter that are written in turns, over two parts of which each is erased at
    once.
    """
    record = max(_RECORD_BYTES, memory.write_bytes)
    return max(_ERASED_AT_ONCE * memory.erase_bytes // record, _RECORDS)


def _forging(candidate: Judged, tagged: Scheme) -> KeyFact:
    bits, blocks = candidate.sent.tag_bytes * 8, _blocks(candidate)
    source, unverified = "a tag that can only be guessed", False
    if tagged.mode in GHASH_MODES:
        one_try, formula = gcm_forgery(blocks, bits), f"({blocks} + 1) / 2^{bits}"
        source, unverified = "NIST SP 800-38D, appendix C", True
    elif "poly1305" in tagged.name:
        one_try, formula, source = (
            poly1305_forgery(blocks),
            f"({blocks} + 1) / 2^103",
            _LIMITS_DRAFT,
        )
    else:
        one_try, formula = guessed(bits), f"2^-{bits}"
    if not candidate.air.seconds:
        return KeyFact(
            kind="forgery",
            value=one_try,
            unit="probability",
            words=f"one try at a forgery succeeds with {_chance(one_try)}",
            formula=formula,
            source=source,
            unverified=unverified,
        )
    tries = formulas.YEAR_S / candidate.air.seconds
    chance = within(tries, one_try)
    on_air = format_value(candidate.air.seconds * 1e9, "ns")
    text = (
        f"a forgery within a year: {_chance(chance)}, if an attacker fills the channel with "
        f"{_count(tries)} messages of {on_air} on air"
    )
    return KeyFact(
        kind="forgery",
        value=chance,
        unit="probability",
        words=text,
        formula=f"1 - (1 - {formula})^v, v = a year / time on air",
        source=source,
        unverified=unverified,
    )


def _chance(value: float) -> str:
    if value <= 0:
        return "0"
    return f"{value * 100:.2g} %" if value > 1e-3 else f"2^{math.log2(value):.0f}"


def _count(value: float) -> str:
    return f"{value:,.0f}" if value < 1e7 else f"2^{math.log2(value):.1f}"


def _span(days: float) -> str:
    if days < 1:
        return f"{days * 24:.3g} hours"
    if days < 730:
        return f"{days:,.3g} days" if days < 100 else f"{days:,.0f} days"
    return _years(days / formulas.DAYS_A_YEAR)


def _years(value: float) -> str:
    return f"more than {_FOREVER_YEARS:,.0f} years" if value > _FOREVER_YEARS else life_words(value)
