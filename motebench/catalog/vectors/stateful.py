"""Stateful hash-based signatures (SP 800-208) for implementations that only verify.

XMSS and XMSS^MT: RFC 8391. LMS and HSS: RFC 8554.

The trees are not made: the nodes beside the path are drawn as if they were hashes, so that a tree
of any height costs the one leaf that signs. Such a signature is right under its public key, and
verifying it is the same work as verifying any other. The keys are published and sign each message
with the same leaf: they are of no use for anything else. The signed hash decides how many steps of
its hash chains verification takes: another number for each message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256, shake_256


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """A signature and its public key; ``steps`` of hash chains are left to whoever verifies it."""

    public: bytes
    signature: bytes
    steps: int


_TRIES = 256
"""Randomisers among which a typical one is looked for."""


def typical(aim: float | None, steps_of: Callable[[int], int]) -> int:
    """The number of the randomiser with which a message takes steps closest to ``aim``; 0 without
    one.
    """
    return 0 if aim is None else min(range(_TRIES), key=lambda number: abs(steps_of(number) - aim))


@cache
def expected_steps(digits: int, bits: int, shift: int) -> float:
    """The mean over all hashes of ``digits`` digits of that many bits, with the checksum's digits;
    ``shift``: bits by which the checksum is shifted in its 16."""
    most = (1 << bits) - 1
    chances = [1.0]  # of a sum of what is left of the chains of the hash, which is the checksum
    for _ in range(digits):
        window, following = 0.0, []
        for total in range(len(chances) + most):
            window += chances[total] if total < len(chances) else 0.0
            window -= chances[total - most - 1] if total > most else 0.0
            following.append(window / (most + 1))
        chances = following
    count = (16 - shift) // bits

    def left(checksum: int) -> int:
        field = checksum << shift
        return sum(most - (field >> 16 - bits * (at + 1) & most) for at in range(count))

    return sum(chance * (total + left(total)) for total, chance in enumerate(chances))


_NAME = re.compile(
    r"xmss-(sha2|shake256)-(\d+)-(192|256)|xmssmt-(sha2|shake256)-(\d+)-(\d+)-(192|256)"
)
_FIRST = {  # object identifiers: RFC 8391, section 8; SP 800-208, section 5
    (False, "sha2", 32): 0x01,
    (False, "sha2", 24): 0x0D,
    (False, "shake256", 32): 0x10,
    (False, "shake256", 24): 0x13,
    (True, "sha2", 32): 0x01,
    (True, "sha2", 24): 0x21,
    (True, "shake256", 32): 0x29,
    (True, "shake256", 24): 0x31,
}
_ONE = (10, 16, 20)
_SEVERAL = ((20, 2), (20, 4), (40, 2), (40, 4), (40, 8), (60, 3), (60, 6), (60, 12))
_LAST = 15
_F, _H, _MESSAGE, _PRF = range(4)
_OTS, _L_TREE, _TREE = range(3)


@dataclass(frozen=True, slots=True)
class XmssSet:
    """``height`` of all trees together; ``layers`` is 0 of XMSS."""

    family: str
    n: int
    height: int
    layers: int

    @property
    def trees(self) -> int:
        """Layers of trees: XMSS has one."""
        return self.layers or 1

    @property
    def tree_height(self) -> int:
        """Height of one tree."""
        return self.height // self.trees

    @property
    def chains(self) -> int:
        """Digits of a hash and of its checksum."""
        return 2 * self.n + 3

    @property
    def steps(self) -> float:
        """Mean steps of verification."""
        return self.trees * expected_steps(2 * self.n, 4, 4)

    @property
    def oid(self) -> int:
        """Object identifier in keys."""
        first = _FIRST[self.layers > 0, self.family, self.n]
        return first + (
            _SEVERAL.index((self.height, self.layers)) if self.layers else _ONE.index(self.height)
        )


def xmss_set(scheme: str) -> XmssSet | None:
    """The parameters that a scheme's name says; None if it is another algorithm's."""
    match = _NAME.fullmatch(scheme)
    if match is None:
        return None
    family, height, bits, mt_family, mt_height, layers, mt_bits = match.groups()
    if family:
        return XmssSet(family, int(bits) // 8, int(height), 0)
    return XmssSet(mt_family, int(mt_bits) // 8, int(mt_height), int(layers))


def base16(hashed: bytes) -> list[int]:
    """The digits of a hash and of its checksum: where each chain begins (RFC 8391, algorithms 1 and
    5).
    """
    digits = [digit for byte in hashed for digit in (byte >> 4, byte & 15)]
    checksum = sum(_LAST - digit for digit in digits)
    return [*digits, checksum >> 8 & 15, checksum >> 4 & 15, checksum & 15]


def left_of(hashed: bytes) -> int:
    """Steps of its chains that are left to whoever verifies a hash."""
    return sum(_LAST - digit for digit in base16(hashed))


class _Tree:
    """One layer: its one-time key, the path of its leaf, and its root."""

    def __init__(self, params: XmssSet, label: str, seed: bytes, layer: int, index: int) -> None:
        self._params, self._seed, self._label = params, seed, f"{label} layer {layer}"
        self._leaf = index % (1 << params.tree_height)
        tree = index >> params.tree_height
        self._place = layer.to_bytes(4, "big") + tree.to_bytes(8, "big")
        self._secrets = [self._drawn(f"chain {at}") for at in range(params.chains)]
        self.path = [self._drawn(f"path {at}") for at in range(params.tree_height)]
        self.root = self._root()

    def _drawn(self, purpose: str) -> bytes:
        return shake_256(f"{self._label} {purpose}".encode()).digest(self._params.n)

    def sign(self, node: bytes) -> bytes:
        """One-time signature and path."""
        digits = zip(self._secrets, base16(node), strict=True)
        values = [self._chain(at, value, 0, end) for at, (value, end) in enumerate(digits)]
        return b"".join(values + self.path)

    def _keyed(
        self, domain: int, kind: int, address: tuple[int, ...], parts: tuple[bytes, ...]
    ) -> bytes:
        """F or H (RFC 8391, algorithms 2 and 7): key and masks are those of the address."""
        head = self._place + b"".join(word.to_bytes(4, "big") for word in (kind, *address))

        def prf(part: int) -> bytes:
            return hashed(self._params, _PRF, self._seed + head + part.to_bytes(4, "big"))

        masked = b"".join(
            bytes(a ^ b for a, b in zip(part, prf(at), strict=True))
            for at, part in enumerate(parts, start=1)
        )
        return hashed(self._params, domain, prf(0) + masked)

    def _chain(self, number: int, value: bytes, begin: int, end: int) -> bytes:
        for step in range(begin, end):
            value = self._keyed(_F, _OTS, (self._leaf, number, step), (value,))
        return value

    def _root(self) -> bytes:
        nodes = [self._chain(at, value, 0, _LAST) for at, value in enumerate(self._secrets)]
        height = 0
        while len(nodes) > 1:  # the L-tree, algorithm 8
            pairs = [
                self._keyed(_H, _L_TREE, (self._leaf, height, at // 2), (nodes[at], nodes[at + 1]))
                for at in range(0, len(nodes) - 1, 2)
            ]
            nodes = pairs + nodes[2 * len(pairs) :]
            height += 1
        node = nodes[0]
        for height, other in enumerate(self.path):
            pair = (other, node) if self._leaf >> height & 1 else (node, other)
            node = self._keyed(_H, _TREE, (0, height, self._leaf >> height + 1), pair)
        return node


def hashed(params: XmssSet, domain: int, data: bytes) -> bytes:
    """The four functions of RFC 8391, section 5.1, and SP 800-208, sections 5.1 to 5.4."""
    text = domain.to_bytes(4 if params.n == 24 else params.n, "big") + data
    return (
        sha256(text).digest()[: params.n]
        if params.family == "sha2"
        else shake_256(text).digest(params.n)
    )


def sign_xmss(
    params: XmssSet, label: str, message: bytes, *, typical_steps: bool = False
) -> SignedMessage:
    """Key and leaf depend on set and label alone. ``typical_steps``: with a randomiser that makes
    the steps of verification close to their mean."""
    n = params.n
    index = int.from_bytes(shake_256(f"{label} index".encode()).digest(8), "big") % (
        1 << params.height
    )
    seed = shake_256(f"{label} seed".encode()).digest(n)
    trees = [
        _Tree(params, label, seed, layer, index >> layer * params.tree_height)
        for layer in range(params.trees)
    ]
    root = trees[-1].root

    def randomiser_of(number: int) -> bytes:
        return shake_256(
            f"{label} randomiser".encode() + bytes([number] * (number > 0)) + message
        ).digest(n)

    def node_of(number: int) -> bytes:
        return hashed(
            params, _MESSAGE, randomiser_of(number) + root + index.to_bytes(n, "big") + message
        )

    above = sum(left_of(tree.root) for tree in trees[:-1])
    number = typical(
        params.steps - above if typical_steps else None, lambda number: left_of(node_of(number))
    )
    randomiser, node = randomiser_of(number), node_of(number)
    parts, steps = [], 0
    for tree in trees:
        parts.append(tree.sign(node))
        steps += left_of(node)
        node = tree.root
    index_bytes = (params.height + 7) // 8 if params.layers else 4
    signature = index.to_bytes(index_bytes, "big") + randomiser + b"".join(parts)
    return SignedMessage(params.oid.to_bytes(4, "big") + root + seed, signature, steps)


_LMS_NAME = re.compile(r"(lms|hss)-(sha256|shake)-m(24|32)-h(\d+)(?:-h(\d+))?-w([1248])")
_LMS_MESSAGE, _KEY, _LEAF, _NODE = b"\x81\x81", b"\x80\x80", b"\x82\x82", b"\x83\x83"
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
    match = _LMS_NAME.fullmatch(scheme)
    if match is None:
        return None
    kind, family, n, top, bottom, w = match.groups()
    heights = (int(top),) if bottom is None else (int(top), int(bottom))
    return LmsSet(kind == "hss", family == "shake", int(n), heights, int(w))


def lms_digits(params: LmsSet, hashed: bytes) -> list[int]:
    """The digits of a hash and of its checksum: where each chain begins (RFC 8554, sections 3.1.3
    and 4.4).
    """
    most = (1 << params.w) - 1

    def split(data: bytes) -> list[int]:
        return [byte >> at & most for byte in data for at in range(8 - params.w, -1, -params.w)]

    first = split(hashed)
    checksum = sum(most - digit for digit in first) << params.shift
    return (first + split(checksum.to_bytes(2, "big")))[: params.chains]


def sign_lms(
    params: LmsSet, label: str, message: bytes, *, typical_steps: bool = False
) -> SignedMessage:
    """Signature of LMS or HSS. The key depends on set and label alone (of HSS, that of the top
    level). ``typical_steps``: with a randomiser that makes the steps of verification close to their
    mean.
    """
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
    return SignedMessage(prefix + top.public, whole, steps + top.steps)


def _tree(
    params: LmsSet, level: int, label: str, message: bytes, aim: float | None
) -> SignedMessage:
    n, height, most = params.n, params.heights[level], (1 << params.w) - 1

    def drawn(purpose: str, length: int) -> bytes:
        return shake_256(f"{label} level {level} {purpose}".encode()).digest(length)

    digest: _Hash = (
        (lambda data: shake_256(data).digest(n))
        if params.shake
        else (lambda data: sha256(data).digest()[:n])
    )
    identifier, leaf = (
        drawn("identifier", 16),
        int.from_bytes(drawn("leaf", 4), "big") % (1 << height),
    )
    prefix = identifier + leaf.to_bytes(4, "big")

    def randomiser_of(number: int) -> bytes:
        return shake_256(drawn("randomiser", n) + bytes([number] * (number > 0)) + message).digest(
            n
        )

    def starts_of(number: int) -> list[int]:
        return lms_digits(params, digest(prefix + _LMS_MESSAGE + randomiser_of(number) + message))

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
    node = digest(
        identifier + number.to_bytes(4, "big") + _LEAF + digest(prefix + _KEY + b"".join(ends))
    )
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
    return SignedMessage(
        tree_type + chain_type + identifier + node, signature, sum(most - start for start in starts)
    )
