"""Signatures of XMSS and XMSS^MT (RFC 8391, SP 800-208) for implementations that only verify.

As in `motebench.catalog.vectors.lms`, the nodes beside the path are drawn, and keys are of no use for anything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256, shake_256

from motebench.catalog.vectors.chains import Signed, expected_steps, typical

_NAME = re.compile(r"xmss-(sha2|shake256)-(\d+)-(192|256)|xmssmt-(sha2|shake256)-(\d+)-(\d+)-(192|256)")
_FIRST = {  # object identifiers: RFC 8391, section 8; SP 800-208, section 5
    (False, "sha2", 32): 0x01, (False, "sha2", 24): 0x0D, (False, "shake256", 32): 0x10, (False, "shake256", 24): 0x13,
    (True, "sha2", 32): 0x01, (True, "sha2", 24): 0x21, (True, "shake256", 32): 0x29, (True, "shake256", 24): 0x31,
}  # fmt: skip
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
        return first + (_SEVERAL.index((self.height, self.layers)) if self.layers else _ONE.index(self.height))


def xmss_set(scheme: str) -> XmssSet | None:
    """The parameters that a scheme's name says; None if it is another algorithm's."""
    found = _NAME.fullmatch(scheme)
    if found is None:
        return None
    family, height, bits, mt_family, mt_height, layers, mt_bits = found.groups()
    if family:
        return XmssSet(family, int(bits) // 8, int(height), 0)
    return XmssSet(mt_family, int(mt_bits) // 8, int(mt_height), int(layers))


def base16(hashed: bytes) -> list[int]:
    """The digits of a hash and of its checksum: where each chain begins (RFC 8391, algorithms 1 and 5)."""
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

    def _drawn(self, what: str) -> bytes:
        return shake_256(f"{self._label} {what}".encode()).digest(self._params.n)

    def sign(self, node: bytes) -> bytes:
        """One-time signature and path."""
        each = zip(self._secrets, base16(node), strict=True)
        values = [self._chain(at, value, 0, end) for at, (value, end) in enumerate(each)]
        return b"".join(values + self.path)

    def _keyed(self, domain: int, kind: int, words: tuple[int, ...], parts: tuple[bytes, ...]) -> bytes:
        """F or H (RFC 8391, algorithms 2 and 7): key and masks are those of the address."""
        head = self._place + b"".join(word.to_bytes(4, "big") for word in (kind, *words))

        def prf(part: int) -> bytes:
            return hashed(self._params, _PRF, self._seed + head + part.to_bytes(4, "big"))

        masked = b"".join(
            bytes(a ^ b for a, b in zip(part, prf(at), strict=True)) for at, part in enumerate(parts, start=1)
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
    return sha256(text).digest()[: params.n] if params.family == "sha2" else shake_256(text).digest(params.n)


def sign_xmss(params: XmssSet, label: str, message: bytes, *, typical_steps: bool = False) -> Signed:
    """Key and leaf depend on set and label alone. ``typical_steps``: with a randomiser that makes the steps of
    verification close to their mean."""
    n = params.n
    index = int.from_bytes(shake_256(f"{label} index".encode()).digest(8), "big") % (1 << params.height)
    seed = shake_256(f"{label} seed".encode()).digest(n)
    trees = [_Tree(params, label, seed, layer, index >> layer * params.tree_height) for layer in range(params.trees)]
    root = trees[-1].root

    def randomiser_of(number: int) -> bytes:
        return shake_256(f"{label} randomiser".encode() + bytes([number] * (number > 0)) + message).digest(n)

    def node_of(number: int) -> bytes:
        return hashed(params, _MESSAGE, randomiser_of(number) + root + index.to_bytes(n, "big") + message)

    above = sum(left_of(tree.root) for tree in trees[:-1])
    number = typical(params.steps - above if typical_steps else None, lambda number: left_of(node_of(number)))
    randomiser, node = randomiser_of(number), node_of(number)
    parts, steps = [], 0
    for tree in trees:
        parts.append(tree.sign(node))
        steps += left_of(node)
        node = tree.root
    index_bytes = (params.height + 7) // 8 if params.layers else 4
    signature = index.to_bytes(index_bytes, "big") + randomiser + b"".join(parts)
    return Signed(params.oid.to_bytes(4, "big") + root + seed, signature, steps)
