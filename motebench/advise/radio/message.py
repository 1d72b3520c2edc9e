"""The effect of a cipher on a message: its length with padding, nonce and tag.

Padding: PKCS#7 (RFC 5652, 6.3). Initialisation vectors made by encrypting a counter: NIST SP
800-38A, appendix C. Shorter tags: NIST SP 800-38D 5.2.1.2 (GCM and GMAC), SP 800-38C appendix A
(CCM), SP 800-232 (Ascon-AEAD128: 32 bits at least), RFC 2104 section 5 (HMAC).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from motebench.base.errors import InputError
from motebench.base.model import Kind, Scheme

_GCM_TAGS = (4, 8, 12, 13, 14, 15, 16)
_TAGS = {
    "gcm": _GCM_TAGS,
    "gmac": _GCM_TAGS,
    "ccm": (4, 6, 8, 10, 12, 14, 16),
    "ocb": tuple(range(1, 17)),
}
_SHORTEST_TAG = 4
_TRUNCATED = {"ascon-aead128": tuple(range(_SHORTEST_TAG, 17))}
"""AEADs without a mode whose standard allows shorter tags."""
GHASH_MODES = ("gcm", "gmac")
"""Modes whose tag is a GHASH, hidden by the nonce."""
_CAREFUL_TAG = 8
"""Bytes of tag below which SP 800-38C, SP 800-38D and SP 800-232 ask for an analysis of the risk.
"""
_GCM_KEPT = 12
"""Bytes of tag below which the revision of SP 800-38D is to withdraw GCM."""
_GCM_CHECKS = {
    4: ((2**5, 22), (2**6, 20), (2**7, 18), (2**8, 15), (2**9, 13), (2**10, 11)),
    8: ((2**11, 32), (2**13, 29), (2**15, 26), (2**17, 23), (2**19, 20), (2**21, 17)),
}
"""SP 800-38D, appendix C: by bytes of tag, the longest ciphertext with additional data (bytes) and
the binary logarithm of how many messages may be checked under one key."""
_ENCRYPTING = (Kind.CIPHER, Kind.STREAM, Kind.AEAD)


class Nonce(StrEnum):
    """Way of the nonce or initialisation vector to the receiver."""

    CARRIED = "carried"
    """Nonce that is sent with each message."""
    COUNTER = "counter"
    """Nonce that both sides derive from values that the frame carries anyway, such as LoRaWAN's
    address and frame counter.
    """


class Padding(StrEnum):
    """Padding of other lengths for modes that need whole blocks."""

    PKCS7 = "pkcs7"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Protected:
    """An encrypted message; all lengths in bytes, ``total`` is the length to send."""

    scheme: str
    plaintext_bytes: int
    padding_bytes: int
    nonce_bytes: int
    tag_bytes: int
    notes: tuple[str, ...] = ()

    @property
    def added_bytes(self) -> int:
        """Bytes that the cipher adds."""
        return self.padding_bytes + self.nonce_bytes + self.tag_bytes

    @property
    def total_bytes(self) -> int:
        """Bytes to send."""
        return self.plaintext_bytes + self.added_bytes


def protect(
    scheme: Scheme,
    plaintext_bytes: int,
    *,
    nonce: Nonce = Nonce.CARRIED,
    padding: Padding = Padding.PKCS7,
    tag_bytes: int | None = None,
    mac: Scheme | None = None,
) -> Protected:
    """The lengths of a message of ``plaintext_bytes`` under a scheme.

    A MAC alone adds its tag to the plaintext, and its nonce if it has one; with ``mac``, a cipher
    without authentication gets that tag over its ciphertext. ``tag_bytes`` shortens the tag as far
    as the mode's standard allows. InputError for schemes that do not protect messages and for
    impossible lengths.
    """
    if plaintext_bytes < 0:
        raise InputError(
            f"{plaintext_bytes} bytes is not a possible length", valid="0 bytes or more"
        )
    if scheme.kind is not Kind.MAC and scheme.kind not in _ENCRYPTING:
        raise InputError(
            f"{scheme.name} ({scheme.kind.value}) does not protect a message,",
            where="--scheme",
            valid="a scheme of kind cipher, stream, aead or mac",
        )
    tagged = scheme
    if mac is not None:
        if mac.kind is not Kind.MAC or scheme.kind not in (Kind.CIPHER, Kind.STREAM):
            raise InputError(
                f"{mac.name} cannot be added to {scheme.name}",
                where="--mac",
                valid="a scheme of kind mac, together with a --scheme of kind cipher or stream",
            )
        tagged = mac
    tag = _tag(tagged, tag_bytes)
    notes = [*_notes(scheme, nonce, tagged), *_tag_notes(tagged, tag, plaintext_bytes)]
    return Protected(
        scheme=scheme.name if mac is None else f"{scheme.name} + {mac.name}",
        plaintext_bytes=plaintext_bytes,
        padding_bytes=_padding(scheme, plaintext_bytes, padding),
        nonce_bytes=scheme.nonce_bytes + (mac.nonce_bytes if mac else 0)
        if nonce is Nonce.CARRIED
        else 0,
        tag_bytes=tag,
        notes=tuple(notes),
    )


def _padding(scheme: Scheme, plaintext_bytes: int, padding: Padding) -> int:
    block = scheme.block_bytes
    if not block:
        if scheme.mode == "xts" and plaintext_bytes < 16:
            raise InputError(
                f"{scheme.name} needs messages of at least 16 bytes", valid="16 bytes or more"
            )
        return 0
    if padding is Padding.PKCS7:
        return block - plaintext_bytes % block
    if plaintext_bytes % block:
        raise InputError(
            f"{scheme.name} without padding needs whole blocks; {plaintext_bytes} bytes are not",
            where="--padding",
            valid=f"multiples of {block} bytes",
        )
    return 0


def _tag(scheme: Scheme, requested: int | None) -> int:
    full = scheme.tag_bytes
    if requested is None or requested == full:
        return full
    allowed = _tags(scheme)
    if requested not in allowed:
        lengths = (
            f"{', '.join(map(str, allowed))} bytes"
            if allowed
            else f"{full} bytes"
            if full
            else "no tag"
        )
        raise InputError(
            f"{scheme.name} has no tag of {requested} bytes", where="--tag", valid=lengths
        )
    return requested


def _tags(scheme: Scheme) -> tuple[int, ...]:
    if scheme.mode in _TAGS:
        return _TAGS[scheme.mode]
    if scheme.kind is Kind.MAC or scheme.mode == "eax":
        return tuple(range(_SHORTEST_TAG, scheme.tag_bytes + 1))
    return _TRUNCATED.get(scheme.name, ())


def _tag_notes(tagged: Scheme, tag_bytes: int, length: int) -> list[str]:
    """Consequences of a shorter tag, beyond its chance of being guessed."""
    if not 0 < tag_bytes < tagged.tag_bytes:
        return []
    notes = []
    if tag_bytes < _CAREFUL_TAG:
        notes.append(
            f"a tag of fewer than {_CAREFUL_TAG * 8} bits needs an analysis of the risk of "
            "forgeries"
        )
    if tagged.mode in GHASH_MODES:
        blocks, name = -(-length // 16) + 1, tagged.mode.upper()
        notes.append(
            f"{name} with a short tag: a try at a forgery succeeds with up to {blocks} x "
            f"2^-{tag_bytes * 8} for {blocks} blocks, and successes reveal the key of the tag"
        )
        if tag_bytes in _GCM_CHECKS:
            notes.append(_checks(name, tag_bytes, length))
        if tag_bytes < _GCM_KEPT:
            few = f"fewer than {_GCM_KEPT * 8} bits"
            notes.append(f"NIST plans to withdraw {name} tags of {few} (revision of SP 800-38D)")
    return notes


def _checks(name: str, tag_bytes: int, length: int) -> str:
    """Limit of SP 800-38D, appendix C, on a tag of GCM or GMAC of that length, as a sentence."""
    rows = _GCM_CHECKS[tag_bytes]
    row_found = next((row for row in rows if length <= row[0]), None)
    if row_found is None:
        return (
            f"SP 800-38D, appendix C, allows {name} tags of {tag_bytes} bytes for at most "
            f"{rows[-1][0]:,} bytes"
        )
    longest, exponent = row_found
    return (
        f"SP 800-38D, appendix C: at most 2^{exponent} messages are checked under one key, if "
        f"ciphertext and additional data have up to {longest:,} bytes"
    )


def _notes(scheme: Scheme, nonce: Nonce, tagged: Scheme) -> list[str]:
    notes = []
    if scheme.kind in (Kind.CIPHER, Kind.STREAM) and tagged is scheme:
        notes.append("nothing protects against changes: add a MAC, or take a scheme of kind aead")
    if nonce is Nonce.COUNTER and scheme.mode in ("cbc", "cfb", "cfb8"):
        notes.append(
            f"{scheme.mode} needs an unpredictable IV: the counter has to be encrypted first, "
            "one block more"
        )
    if tagged.mode == "gmac":
        notes.append(
            (
                "a nonce that comes twice under one key gives away the key of the tag, and with it "
                "every forgery"
            )
            + (": the counter must survive a reset" if nonce is Nonce.COUNTER else "")
        )
    if nonce is Nonce.COUNTER and scheme.nonce_bytes and scheme.kind in _ENCRYPTING:
        notes.append(
            "a counter that restarts under the same key reveals the messages: it must survive a "
            "reset"
        )
    if scheme.mode == "ecb":
        notes.append("equal blocks stay equal")
    return notes
