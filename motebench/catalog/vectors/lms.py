"""Signatures of LMS and HSS (RFC 8554, SP 800-208) for implementations that only verify.

The trees are not made: the nodes beside the path are drawn as if they were hashes, so that a tree of any height costs
the one leaf that signs. Such a signature is right under its public key, and verifying it is the same work as verifying
any other. The keys are published and sign each message with the same leaf: they are of no use for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256, shake_256

from motebench.catalog.vectors.chains import Signed, expected_steps, typical

_NAME = re.compile(r"(lms|hss)-(sha256|shake)-m(24|32)-h(\d+)(?:-h(\d+))?-w([1248])")
_MESSAGE, _KEY, _LEAF, _NODE = b"\x81\x81", b"\x80\x80", b"\x82\x82", b"\x83\x83"
_Hash = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class LmsSet:
    """``heights`` of the trees, the top one first; ``w`` bits of a digit; ``n`` bytes of a hash."""

    hss: bool
    shake: bool
    n: int
    heights: tuple[int, ...]
    w: int

    @property
    def digits(self) -> int:
        """Digits of a hash."""
        return 8 * self.n // self.w

    @property
    def shift(self) -> int:
        """Bits by which the checksum is shifted (RFC 8554, appendix B)."""
        return {1: 8 if self.n == 24 else 7, 2: 6, 4: 4, 8: 0}[self.w]

    @property
    def chains(self) -> int:
        """p of RFC 8554: digits of a hash and of its checksum."""
        return self.digits + (16 - self.shift) // self.w

    @property
    def steps(self) -> float:
        """Mean steps of verification."""
        return len(self.heights) * expected_steps(self.digits, self.w, self.shift)


def lms_set(scheme: str) -> LmsSet | None:
    """The parameters that a scheme's name says; None if it is another algorithm's."""
    found = _NAME.fullmatch(scheme)
    if found is None:
        return None
    kind, family, n, top, bottom, w = found.groups()
    heights = (int(top),) if bottom is None else (int(top), int(bottom))
    return LmsSet(kind == "hss", family == "shake", int(n), heights, int(w))


def lms_digits(params: LmsSet, hashed: bytes) -> list[int]:
    """The digits of a hash and of its checksum: where each chain begins (RFC 8554, sections 3.1.3 and 4.4)."""
    most = (1 << params.w) - 1

    def split(data: bytes) -> list[int]:
        return [byte >> at & most for byte in data for at in range(8 - params.w, -1, -params.w)]

    first = split(hashed)
    checksum = sum(most - digit for digit in first) << params.shift
    return (first + split(checksum.to_bytes(2, "big")))[: params.chains]


def sign_lms(params: LmsSet, label: str, message: bytes, *, typical_steps: bool = False) -> Signed:
    """The key depends on set and label alone (of HSS, that of the top level). ``typical_steps``: with a randomiser that
    makes the steps of verification close to their mean."""
    aim = params.steps / len(params.heights) if typical_steps else None
    if not params.hss:
        return _tree(params, 0, label, message, aim)
    levels = len(params.heights)
    prefix = levels.to_bytes(4, "big")
    below, steps = b"", 0
    for level in range(levels - 1, 0, -1):
        signed = _tree(params, level, label, message, aim)
        below, steps = signed.public + signed.signature + below, steps + signed.steps
        message = signed.public
    top = _tree(params, 0, label, message, None if aim is None else params.steps - steps)
    whole = (levels - 1).to_bytes(4, "big") + top.signature + below
    return Signed(prefix + top.public, whole, steps + top.steps)


def _tree(params: LmsSet, level: int, label: str, message: bytes, aim: float | None) -> Signed:
    n, height, most = params.n, params.heights[level], (1 << params.w) - 1

    def drawn(what: str, length: int) -> bytes:
        return shake_256(f"{label} level {level} {what}".encode()).digest(length)

    digest: _Hash = (
        (lambda data: shake_256(data).digest(n)) if params.shake else (lambda data: sha256(data).digest()[:n])
    )
    identifier, leaf = drawn("identifier", 16), int.from_bytes(drawn("leaf", 4), "big") % (1 << height)
    prefix = identifier + leaf.to_bytes(4, "big")

    def randomiser_of(number: int) -> bytes:
        return shake_256(drawn("randomiser", n) + bytes([number] * (number > 0)) + message).digest(n)

    def starts_of(number: int) -> list[int]:
        return lms_digits(params, digest(prefix + _MESSAGE + randomiser_of(number) + message))

    number = typical(aim, lambda number: sum(most - start for start in starts_of(number)))
    randomiser, starts = randomiser_of(number), starts_of(number)
    values, ends = [], []
    for index, start in enumerate(starts):
        value = drawn(f"chain {index}", n)
        head = prefix + index.to_bytes(2, "big")
        for step in range(most):
            if step == start:
                values.append(value)
            value = digest(head + bytes([step]) + value)
        if start == most:
            values.append(value)
        ends.append(value)
    number = (1 << height) + leaf
    node = digest(identifier + number.to_bytes(4, "big") + _LEAF + digest(prefix + _KEY + b"".join(ends)))
    path = [drawn(f"path {at}", n) for at in range(height)]
    for other in path:
        pair = other + node if number & 1 else node + other
        number >>= 1
        node = digest(identifier + number.to_bytes(4, "big") + _NODE + pair)
    group = 2 * params.shake + (n == 24)
    tree_type = (4 + 5 * group + height // 5).to_bytes(4, "big")
    chain_type = (1 + 4 * group + {1: 0, 2: 1, 4: 2, 8: 3}[params.w]).to_bytes(4, "big")
    one_time = chain_type + randomiser + b"".join(values)
    signature = prefix[16:] + one_time + tree_type + b"".join(path)
    return Signed(tree_type + chain_type + identifier + node, signature, sum(most - start for start in starts))
