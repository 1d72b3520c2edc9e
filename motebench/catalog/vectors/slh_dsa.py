"""Deterministic signatures of SLH-DSA (FIPS 205) for implementations that only verify.

Whole ones of sets with small signatures take some seconds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from motebench.catalog.vectors.stateful import SignedMessage, base16, expected_steps, left_of

_NAME = re.compile(r"slh-dsa-(sha2|shake)-(128s|128f|192s|192f|256s|256f)(?:-prehash-(\w+))?")
_WOTS, _WOTS_KEY, _TREE, _FORS, _FORS_ROOTS, _WOTS_PRF, _FORS_PRF = range(7)
_LAST = 15
_Where = Callable[[int, int], bytes]
"""The address of a node by its height and its place in the row."""
_IDENTIFIERS = {"sha256": 1, "sha512": 3, "shake128": 11, "shake256": 12}


@dataclass(frozen=True, slots=True)
class SlhSet:
    """FIPS 205, table 2: bytes of a hash, layers, height of a tree, height and number of FORS trees.

    ``prehash``: the hash function of HashSLH-DSA, or nothing.
    """

    shake: bool
    n: int
    d: int
    height: int
    a: int
    k: int
    prehash: str

    @property
    def chains(self) -> int:
        """Digits of a hash and of its checksum."""
        return 2 * self.n + 3

    @property
    def steps(self) -> float:
        """Mean steps of verification."""
        return self.d * expected_steps(2 * self.n, 4, 4)


_SETS = {
    "128s": (16, 7, 9, 12, 14), "128f": (16, 22, 3, 6, 33), "192s": (24, 7, 9, 14, 17), "192f": (24, 22, 3, 8, 33),
    "256s": (32, 8, 8, 14, 22), "256f": (32, 17, 4, 9, 35),
}  # fmt: skip


def slh_set(scheme: str) -> SlhSet | None:
    """The parameters that a scheme's name says; None if it is another algorithm's."""
    found = _NAME.fullmatch(scheme)
    if found is None:
        return None
    family, size, prehash = found.groups()
    return SlhSet(family == "shake", *_SETS[size], prehash or "")


class _Address:
    """Layer and tree stay; the rest is written for each hash (section 4.2)."""

    def __init__(self, layer: int, tree: int, shake: bool) -> None:
        self._head = (
            layer.to_bytes(4, "big") + tree.to_bytes(12, "big") if shake else bytes([layer]) + tree.to_bytes(8, "big")
        )
        self._type = 4 if shake else 1

    def of(self, kind: int, first: int, second: int = 0, third: int = 0) -> bytes:
        """The address as it is hashed."""
        words = first << 64 | second << 32 | third
        return self._head + kind.to_bytes(self._type, "big") + words.to_bytes(12, "big")


class SlhSigner:
    """Signs with a private key: secret seed, PRF key, public seed, each of n bytes, and what follows.

    Unless ``whole``, only the tree at the top is made; nodes beside the paths of all others are drawn, as in
    `motebench.catalog.vectors.stateful`, which is many times faster.
    """

    def __init__(self, params: SlhSet, private: bytes, *, whole: bool = True) -> None:
        self._set, self._whole, n = params, whole, params.n
        self._secret, self._prf, self._seed = (private[at : at + n] for at in range(0, 3 * n, n))
        self._f, self._h = self._functions()
        top = _Address(params.d - 1, 0, params.shake)
        self._top = self._leaves(top)
        self._root = self._tree(self._top, 0, lambda height, at: top.of(_TREE, 0, height, at))[1]

    @property
    def public(self) -> bytes:
        """The public key: seed and root."""
        return self._seed + self._root

    def _functions(self) -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
        """F (and PRF), and H (and T): of address and nodes (section 11)."""
        n, seed = self._set.n, self._seed

        def of(first: hashlib._Hash, data: bytes) -> bytes:
            copy = first.copy()
            copy.update(data)
            return copy.digest()[:n]

        if self._set.shake:
            return (lambda data: hashlib.shake_256(seed + data).digest(n),) * 2
        short = partial(of, hashlib.sha256(seed + bytes(64 - n)))
        return short, short if n == 16 else partial(of, hashlib.sha512(seed + bytes(128 - n)))

    def sign(self, message: bytes, context: bytes = b"") -> SignedMessage:
        """Algorithms 22 and 23, without randomness: its place has the public seed."""
        p = self._set
        text = bytes([bool(p.prehash), len(context)]) + context + _prehashed(p.prehash, message)
        randomiser = self._randomiser(text)
        digest = self._digest(randomiser, text)
        fors_bytes, tree_bits = (p.a * p.k + 7) // 8, p.height * (p.d - 1)
        tree_bytes = (tree_bits + 7) // 8
        rest = digest[fors_bytes:]
        tree = int.from_bytes(rest[:tree_bytes], "big") % (1 << tree_bits)
        leaf = int.from_bytes(rest[tree_bytes:], "big") % (1 << p.height)
        fors, node = self._fors(digest[:fors_bytes], _Address(0, tree, p.shake), leaf)
        parts, steps = [randomiser, fors], 0
        for layer in range(p.d):
            steps += left_of(node)
            signature, node = self._layer(node, layer, tree, leaf)
            parts.append(signature)
            tree, leaf = tree >> p.height, tree % (1 << p.height)
        return SignedMessage(self.public, b"".join(parts), steps)

    def _randomiser(self, text: bytes) -> bytes:
        import hmac

        n = self._set.n
        if self._set.shake:
            return hashlib.shake_256(self._prf + self._seed + text).digest(n)
        return hmac.digest(self._prf, self._seed + text, "sha256" if n == 16 else "sha512")[:n]

    def _digest(self, randomiser: bytes, text: bytes) -> bytes:
        p = self._set
        length = (p.a * p.k + 7) // 8 + (p.height * (p.d - 1) + 7) // 8 + (p.height + 7) // 8
        hashed = randomiser + self._seed + self._root + text
        if p.shake:
            return hashlib.shake_256(hashed).digest(length)
        function = hashlib.sha256 if p.n == 16 else hashlib.sha512
        seed = randomiser + self._seed + function(hashed).digest()
        return b"".join(function(seed + at.to_bytes(4, "big")).digest() for at in range(2))[:length]

    def _fors(self, digest: bytes, address: _Address, leaf: int) -> tuple[bytes, bytes]:
        """Algorithms 16 and 17: the signature, and the key that it belongs to."""
        p = self._set
        bits = int.from_bytes(digest, "big") >> (8 * len(digest) - p.a * p.k)
        parts, roots = [], []
        for tree in range(p.k):
            chosen = bits >> p.a * (p.k - 1 - tree) & ((1 << p.a) - 1)

            def where(height: int, at: int, tree: int = tree) -> bytes:
                return address.of(_FORS, leaf, height, (tree << p.a - height) + at)

            def secret(at: int, tree: int = tree) -> bytes:
                return self._f(address.of(_FORS_PRF, leaf, 0, (tree << p.a) + at) + self._secret)

            if self._whole:
                path, root = self._tree([self._f(where(0, at) + secret(at)) for at in range(1 << p.a)], chosen, where)
            else:
                path = self._drawn_path(where(0, chosen), p.a)
                root = self._climb(self._f(where(0, chosen) + secret(chosen)), chosen, path, where)
            parts += [secret(chosen), *path]
            roots.append(root)
        return b"".join(parts), self._h(address.of(_FORS_ROOTS, leaf) + b"".join(roots))

    def _tree(self, nodes: list[bytes], chosen: int, where: _Where) -> tuple[list[bytes], bytes]:
        """The path of a leaf, and the root."""
        path, height = [], 0
        while len(nodes) > 1:
            path.append(nodes[chosen ^ 1])
            height, chosen = height + 1, chosen >> 1
            nodes = [self._h(where(height, at) + nodes[2 * at] + nodes[2 * at + 1]) for at in range(len(nodes) // 2)]
        return path, nodes[0]

    def _climb(self, node: bytes, chosen: int, path: list[bytes], where: _Where) -> bytes:
        """The root that belongs to a leaf and its path."""
        for height, other in enumerate(path, start=1):
            pair = other + node if chosen & 1 else node + other
            chosen >>= 1
            node = self._h(where(height, chosen) + pair)
        return node

    def _drawn_path(self, label: bytes, height: int) -> list[bytes]:
        return [hashlib.shake_256(self._secret + bytes([at]) + label).digest(self._set.n) for at in range(height)]

    def _one_time(self, address: _Address, leaf: int, digits: list[int]) -> tuple[list[bytes], bytes]:
        """The values of all chains after ``digits`` steps, and the leaf: the hash of their ends."""
        values, ends = [], []
        for number, digit in enumerate(digits):
            value = self._f(address.of(_WOTS_PRF, leaf, number) + self._secret)
            steps = address.of(_WOTS, leaf, number)[:-1]
            for step in range(digit):
                value = self._f(steps + bytes([step]) + value)
            values.append(value)
            for step in range(digit, _LAST):
                value = self._f(steps + bytes([step]) + value)
            ends.append(value)
        return values, self._h(address.of(_WOTS_KEY, leaf) + b"".join(ends))

    def _leaves(self, address: _Address) -> list[bytes]:
        none = [0] * self._set.chains
        return [self._one_time(address, leaf, none)[1] for leaf in range(1 << self._set.height)]

    def _layer(self, node: bytes, layer: int, tree: int, chosen: int) -> tuple[bytes, bytes]:
        """Algorithms 9 and 10: the signature of a node by one tree, and that tree's root."""
        address = _Address(layer, tree, self._set.shake)

        def where(height: int, at: int) -> bytes:
            return address.of(_TREE, 0, height, at)

        values, leaf = self._one_time(address, chosen, base16(node))
        if self._whole or layer == self._set.d - 1:
            path, root = self._tree(self._top if layer == self._set.d - 1 else self._leaves(address), chosen, where)
        else:
            path = self._drawn_path(where(0, chosen), self._set.height)
            root = self._climb(leaf, chosen, path, where)
        return b"".join(values + path), root


def _prehashed(function: str, message: bytes) -> bytes:
    """The message, or its hash behind the identifier of the function (algorithm 23)."""
    if not function:
        return message
    identifier = bytes.fromhex("06096086480165030402") + bytes([_IDENTIFIERS[function]])
    if function.startswith("shake"):
        length = 32 if function == "shake128" else 64
        return identifier + hashlib.new(function.replace("shake", "shake_"), message).digest(length)  # type: ignore[call-arg]
    return identifier + hashlib.new(function, message).digest()
