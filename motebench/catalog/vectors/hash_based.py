"""Hash-based signatures: known answers of LMS, HSS and XMSS as published (tests of ACVP, files of
Botan), and signatures of any message, made for implementations that only verify.

Botan: ``hss_lms_verify.vec``, ``hss_lms_invalid.vec`` and ``xmss_verify.vec`` in
``src/tests/data/pubkey``, which have ``name = value`` lines in blocks. Made: LMS, HSS and XMSS by
`stateful`, and SLH-DSA (FIPS 205), whose whole signatures take some seconds for sets with small
ones.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import shake_256

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.encodings import Node
from motebench.catalog.vectors.keys import test_key
from motebench.catalog.vectors.model import Validity, Vector
from motebench.catalog.vectors.stateful import (
    SignedMessage,
    base16,
    expected_steps,
    left_of,
    lms_set,
    sign_lms,
    sign_xmss,
    xmss_set,
)

_LINE = re.compile(r"^(\w+)\s*=\s*(.*)$")
_BOTAN = re.compile(r"^PublicKey\s*=", re.MULTILINE)
_SIGNATURE = re.compile(r"^(?:Invalid)?Signature\s*=", re.MULTILINE)
_GROUPS = (("sha256", 32), ("sha256", 24), ("shake", 32), ("shake", 24))
_TREE_TYPES = {
    5 * group + 5 + number: (family, size, height)
    for group, (family, size) in enumerate(_GROUPS)
    for number, height in enumerate((5, 10, 15, 20, 25))
}
"""Hash, bytes of a node and height by the type of a tree (RFC 8554, table 2; SP 800-208, section
4).
"""
_DIGITS = (1, 2, 4, 8)


def passed(test: Node) -> Validity:
    """Result that an ACVP test of verification expects."""
    value = test.value.get("testPassed")
    if not isinstance(value, bool):
        raise test.fail("testPassed", "missing or not true or false", "true or false")
    return Validity.VALID if value else Validity.INVALID


def lms_verify(group: Node, test: Node) -> Vector:
    """A test of ACVP's LMS sigVer."""
    key: bytes = group.hex("publicKey")
    return _verify(_lms_scheme(key), key, test.hex("message"), test.hex("signature"), passed(test))


def _lms_scheme(key: bytes, below: bytes = b"") -> str:
    """Scheme of a key of one tree, or of two if the key of the lower one is given; empty for an
    unknown one.
    """
    trees = [_tree(entry) for entry in (key, below) if entry]
    if None in trees:
        return ""
    (family, size, height, digits), *rest = [entry for entry in trees if entry is not None]
    if any((family, size, digits) != (other[0], other[1], other[3]) for other in rest):
        return ""
    heights = "-".join(f"h{entry}" for entry in (height, *(other[2] for other in rest)))
    return f"lms-{family}-m{size}-{heights}-w{digits}"


def _tree(key: bytes) -> tuple[str, int, int, int] | None:
    family = _TREE_TYPES.get(int.from_bytes(key[:4], "big"))
    digits = int.from_bytes(key[4:8], "big") - 1
    if family is None or digits // 4 != _GROUPS.index(family[:2]):
        return None
    return (*family, _DIGITS[digits % 4])


def _hss_scheme(key: bytes, signature: bytes) -> str:
    """The scheme of a key of HSS: two levels, and the type of the lower one, are only in
    signatures.
    """
    levels, top = int.from_bytes(key[:4], "big"), key[4:]
    if levels == 1:
        return _lms_scheme(top).replace("lms", "hss", 1)
    tree = _tree(top)
    if levels != 2 or tree is None:
        return ""
    _, size, height, digits = tree
    chains = {32: (265, 133, 67, 34), 24: (200, 101, 51, 26)}[size][_DIGITS.index(digits)]
    first = 4 + 12 + size * (1 + chains + height)
    below = signature[first : first + 24 + size]
    # A signature that is too short for a second tree must be rejected by any scheme with this tree
    # at the top.
    return _lms_scheme(top, below if _tree(below) else top).replace("lms", "hss", 1)


def is_botan(content: str) -> bool:
    """True if a text has public keys and signatures as files of Botan have them."""
    return _BOTAN.search(content) is not None and _SIGNATURE.search(content) is not None


def parse_botan(content: str, file: str) -> list[Vector]:
    """The vectors of a file. InputError with the line for anything invalid."""
    vectors: list[Vector] = []
    record: dict[str, str] = {}
    source = f"Botan, {file.rsplit('/', 1)[-1]}"
    for number, text in enumerate([*content.splitlines(), ""], start=1):
        line = text.partition("#")[0].strip()
        where = f"{file}: line {number}"
        if line:
            pair = _LINE.match(line)
            if pair is None or pair[1] in record:
                raise InputError(
                    f"{line[:40]!r} is not 'name = value', or stands twice", where=where
                )
            record[pair[1]] = pair[2]
        elif record and not text.lstrip().startswith("#"):
            vectors.append(
                replace(_of_record(record, where), id=f"{len(vectors) + 1}", source=source)
            )
            record = {}
    return vectors


def _of_record(record: dict[str, str], where: str) -> Vector:
    invalid = "InvalidSignature" in record
    name = "InvalidSignature" if invalid else "Signature"
    values = {}
    for record_key in ("PublicKey", "Msg", name):
        try:
            values[record_key] = bytes.fromhex(record[record_key])
        except KeyError:
            raise InputError(
                f"the record has no {record_key}", where=where, valid=f"PublicKey, Msg and {name}"
            ) from None
        except ValueError:
            raise InputError(
                f"{record_key}: {record[record_key][:20]!r} is not hexadecimal", where=where
            ) from None
    key, signature = values["PublicKey"], values[name]
    named = record.get("Params", "").lower().replace("_", "-")
    scheme = f"xmss-{named}" if named else _hss_scheme(key, signature)
    # One level: that tree alone is a scheme
    if scheme.startswith("hss-shake") and signature[:4] == bytes(4):
        scheme, key, signature = scheme.replace("hss", "lms", 1), key[4:], signature[4:]
    return _verify(
        scheme, key, values["Msg"], signature, Validity.INVALID if invalid else Validity.VALID
    )


def _verify(scheme: str, key: bytes, message: bytes, signature: bytes, result: Validity) -> Vector:
    reason = "" if scheme else "the catalog has no scheme with these types of trees and chains"
    return Vector(
        "",
        scheme,
        Operation.VERIFY,
        key=key,
        data=message,
        tag=signature,
        tag_bytes=len(signature),
        result=result,
        not_applicable=reason,
    )


_MESSAGES = (bytes(range(33)), b"")
_LOW = 4
"""Height of the highest tree of SLH-DSA that is made at once: that of the sets that sign fast."""


def can_sign(scheme: str) -> bool:
    """True if `signed` makes signatures of a scheme."""
    return any(parameters_of(scheme) is not None for parameters_of in (lms_set, xmss_set, slh_set))


@lru_cache(maxsize=64)
def signed(scheme: str, message: bytes) -> SignedMessage:
    """A signature of a message without context, always the same, to measure ``verify`` with.

    Those of LMS, HSS and XMSS take steps close to the mean of all messages. Those of SLH-DSA are
    deterministic, by the catalog's keys. InputError for other schemes.
    """
    slh = slh_set(scheme)
    if slh is not None:
        return SlhSigner(slh, test_key(scheme)).sign(message)
    return _stateful(scheme, message, typical_steps=True)


def signed_fast(scheme: str, message: bytes) -> SignedMessage:
    """Signature with the steps of its message; keys of SLH-DSA are those of `made_vectors`: signing
    takes milliseconds.
    """
    return _stateful(scheme, message) if slh_set(scheme) is None else _fast(scheme).sign(message)


def steps_expected(scheme: str) -> float:
    """Steps of chains that verification takes, the mean over all messages. InputError for other
    schemes.
    """
    parameters = lms_set(scheme) or xmss_set(scheme) or slh_set(scheme)
    if parameters is None:
        raise _other(scheme)
    return parameters.steps


@lru_cache(maxsize=4)
def _fast(scheme: str) -> SlhSigner:
    params = slh_set(scheme)
    if params is None:
        raise _other(scheme)
    return SlhSigner(
        params, shake_256(f"motebench {scheme}".encode()).digest(3 * params.n), whole=False
    )


def _stateful(scheme: str, message: bytes, *, typical_steps: bool = False) -> SignedMessage:
    label = f"motebench {scheme}"
    if (lms := lms_set(scheme)) is not None:
        return sign_lms(lms, label, message, typical_steps=typical_steps)
    if (xmss := xmss_set(scheme)) is not None:
        return sign_xmss(xmss, label, message, typical_steps=typical_steps)
    raise _other(scheme)


def _other(scheme: str) -> InputError:
    return InputError(
        f"no hash-based signatures of {scheme}", valid="schemes of LMS, HSS, XMSS and SLH-DSA"
    )


def made_vectors(scheme: str, published: Sequence[Vector] = ()) -> tuple[Vector, ...]:
    """Known answers that are computed on demand: signatures are long, and would fill the catalog.

    ``published``: what the catalog has. Of a signature in it only what must be rejected is made, if
    signing takes long. ``test_hash_signatures.py`` has digests of those made, and says who else
    accepts them. Empty for other schemes.
    """
    if not can_sign(scheme):
        return ()
    slh, context, made = slh_set(scheme), b"", True
    usable = [vector for vector in published if vector.operation is Operation.VERIFY]
    if slh is None:
        public = _stateful(scheme, b"").public
        texts = [(message, _stateful(scheme, message).signature) for message in _MESSAGES]
    elif usable and slh.height > _LOW:
        made, public, texts = False, usable[0].key, [(usable[0].data, usable[0].tag)]
    else:
        context = b"made"
        signer = _fast(scheme)
        public = signer.public
        texts = [(message, signer.sign(message, context).signature) for message in _MESSAGES]

    def verify(
        name: str,
        data: bytes,
        tag: bytes,
        result: Validity,
        key: bytes = public,
        bound: bytes = context,
    ) -> Vector:
        return Vector(
            f"made: {name}",
            scheme,
            Operation.VERIFY,
            key=key,
            data=data,
            tag=tag,
            context=bound,
            result=result,
            source=f"computed from {'FIPS 205' if slh else 'SP 800-208'} by motebench's "
            "hash_signatures.py",
        )

    (message, right), bad = texts[0], Validity.INVALID
    vectors = [
        verify(f"{len(data)} bytes", data, tag, Validity.VALID) for data, tag in texts if made
    ]
    vectors.append(verify("another message", message + b"!", right, bad))
    vectors += [
        verify(f"{name} changed", message, flipped(right, at), bad)
        for name, at in _places(scheme, len(right)).items()
    ]
    vectors.append(
        verify("public key changed", message, right, bad, flipped(public, len(public) - 1))
    )
    vectors.append(
        verify("type of the public key changed", message, right, bad, flipped(public, 3))
    )
    vectors += [
        verify(name, message, tag, bad)
        for name, tag in (
            ("a byte short", right[:-1]),
            ("a byte long", right + b"\0"),
            ("empty", b""),
        )
    ]
    if slh is not None:
        vectors.append(verify("another context", message, right, bad, bound=b"Made"))
    return tuple(vectors)


def flipped(data: bytes, at: int) -> bytes:
    """``data`` with the lowest bit of a byte changed."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _places(scheme: str, length: int) -> dict[str, int]:
    """Offsets of the bytes that are changed in a signature, by name: the first of each part and the
    last of all."""
    places = {"last node of the path": length - 1, "middle": length // 2}
    if (lms := lms_set(scheme)) is not None:
        first = 4 if lms.hss else 0
        path = first + 8 + lms.n * (1 + lms.chains)
        places |= {
            "number of the leaf": first + 3,
            "leaf beyond the tree": first,
            "type of the chains": first + 7,
        }
        places |= {
            "randomiser": first + 8,
            "first chain": first + 8 + lms.n,
            "type of the tree": path + 3,
        }
        return places | ({"number of levels": 3} if lms.hss else {})
    if (xmss := xmss_set(scheme)) is not None:
        index = (xmss.height + 7) // 8 if xmss.layers else 4
        beyond = (
            {"leaf beyond the tree": 0} if 8 * index > xmss.height + 7 or xmss.height % 8 else {}
        )
        return (
            places
            | beyond
            | {"number of the leaf": index - 1, "randomiser": index, "first chain": index + xmss.n}
        )
    return places | {"randomiser": 0}


# Deterministic signatures of SLH-DSA (FIPS 205) for implementations that only verify


_NAME = re.compile(r"slh-dsa-(sha2|shake)-(128s|128f|192s|192f|256s|256f)(?:-prehash-(\w+))?")
_WOTS, _WOTS_KEY, _TREE, _FORS, _FORS_ROOTS, _WOTS_PRF, _FORS_PRF = range(7)
_LAST = 15
_Where = Callable[[int, int], bytes]
"""The address of a node by its height and its place in the row."""
_IDENTIFIERS = {"sha256": 1, "sha512": 3, "shake128": 11, "shake256": 12}


@dataclass(frozen=True, slots=True)
class SlhSet:
    """FIPS 205, table 2: bytes of a hash, layers, height of a tree, height and number of FORS
    trees.

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
    "128s": (16, 7, 9, 12, 14),
    "128f": (16, 22, 3, 6, 33),
    "192s": (24, 7, 9, 14, 17),
    "192f": (24, 22, 3, 8, 33),
    "256s": (32, 8, 8, 14, 22),
    "256f": (32, 17, 4, 9, 35),
}


def slh_set(scheme: str) -> SlhSet | None:
    """The parameters that a scheme's name says; None if it is another algorithm's."""
    match = _NAME.fullmatch(scheme)
    if match is None:
        return None
    family, size, prehash = match.groups()
    return SlhSet(family == "shake", *_SETS[size], prehash or "")


class _Address:
    """Layer and tree stay; the rest is written for each hash (section 4.2)."""

    def __init__(self, layer: int, tree: int, shake: bool) -> None:
        self._head = (
            layer.to_bytes(4, "big") + tree.to_bytes(12, "big")
            if shake
            else bytes([layer]) + tree.to_bytes(8, "big")
        )
        self._type = 4 if shake else 1

    def of(self, kind: int, first: int, second: int = 0, third: int = 0) -> bytes:
        """Encoding of the address for hashing."""
        numbers = first << 64 | second << 32 | third
        return self._head + kind.to_bytes(self._type, "big") + numbers.to_bytes(12, "big")


class SlhSigner:
    """Signer with a private key: secret seed, PRF key, public seed, each of n bytes, and the rest
    of the key.

    Unless ``whole``, only the tree at the top is made; nodes beside the paths of all others are
    drawn, as in `motebench.catalog.vectors.stateful`, which is many times faster.
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
                path, root = self._tree(
                    [self._f(where(0, at) + secret(at)) for at in range(1 << p.a)], chosen, where
                )
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
            nodes = [
                self._h(where(height, at) + nodes[2 * at] + nodes[2 * at + 1])
                for at in range(len(nodes) // 2)
            ]
        return path, nodes[0]

    def _climb(self, node: bytes, chosen: int, path: list[bytes], where: _Where) -> bytes:
        """The root that belongs to a leaf and its path."""
        for height, other in enumerate(path, start=1):
            pair = other + node if chosen & 1 else node + other
            chosen >>= 1
            node = self._h(where(height, chosen) + pair)
        return node

    def _drawn_path(self, label: bytes, height: int) -> list[bytes]:
        return [
            hashlib.shake_256(self._secret + bytes([at]) + label).digest(self._set.n)
            for at in range(height)
        ]

    def _one_time(
        self, address: _Address, leaf: int, digits: list[int]
    ) -> tuple[list[bytes], bytes]:
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
            path, root = self._tree(
                self._top if layer == self._set.d - 1 else self._leaves(address), chosen, where
            )
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
