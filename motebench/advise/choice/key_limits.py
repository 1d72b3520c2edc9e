"""Limits of keys, nonces and tags as plain formulas, each with its source.

[limits]: draft-irtf-cfrg-aead-limits (Usage Limits on AEAD Algorithms), single key. Lengths L are in blocks of 16
bytes, p is the advantage that is allowed to an attacker.
"""

from __future__ import annotations

import math

ADVANTAGE = 2.0**-50
"""The advantage to which messages under one key are limited: that of the examples in [limits], 5."""
SMALL_BLOCK_CALLS = 2**20
"""Blocks under one key of a cipher with blocks of 64 bits: SP 800-67 Rev. 2, 3.3, which says so of TDEA."""
GCM_RANDOM = 2**32
"""Messages under one key with random nonces: SP 800-38D, 8.3."""
ASCON_BYTES = 2**54
"""Bytes under one key of Ascon-AEAD128: SP 800-232."""


def gcm_messages(blocks: int, advantage: float = ADVANTAGE) -> float:
    """Messages of that length under one key: q <= (p^(1/2) 2^(129/2) - 1) / (L + 1), [limits] 5.1.1."""
    return (math.sqrt(advantage) * 2**64.5 - 1) / (blocks + 1)


def ccm_messages(blocks: int, advantage: float = ADVANTAGE) -> float:
    """Messages of that length under one key: q <= sqrt(p) 2^63 / L, [limits] 5.3.1."""
    return math.sqrt(advantage) * 2.0**63 / max(blocks, 1)


def birthday_messages(calls: int, block_bits: int, advantage: float = ADVANTAGE) -> float:
    """Messages of so many calls of the block cipher: the advantage of s calls is at most s^2 / 2^(n + 1)."""
    return math.sqrt(advantage * 2.0 ** (block_bits + 1)) / calls


def gmac_messages(advantage: float = ADVANTAGE) -> float:
    """Messages under one key: one call of the cipher hides each, (q + 1)^2 / 2^129 <= p; forgeries apart."""
    return birthday_messages(1, 128, advantage) - 1


def collision(count: float, bits: int) -> float:
    """The probability that two of ``count`` random values of so many bits are equal: 1 - e^(-n (n - 1) / 2^(b + 1))."""
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


def within(tries: float, one: float) -> float:
    """The probability that one of so many tries succeeds: 1 - (1 - p)^v."""
    return -math.expm1(tries * math.log1p(-one)) if one < 1 else 1.0


def worn_out(cycles: float, slots: int, writes_a_year: float) -> float:
    """Years until the cells that keep a counter are worn out: each write uses the next of the slots."""
    return cycles * slots / writes_a_year
