"""Known answers of LMS, HSS and XMSS as published (tests of ACVP, files of Botan), and signatures made of any message.

Botan: ``hss_lms_verify.vec``, ``hss_lms_invalid.vec`` and ``xmss_verify.vec`` in ``src/tests/data/pubkey``, which have
``name = value`` lines in blocks. Signatures are made for implementations that only verify.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import shake_256

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.fields import Node
from motebench.catalog.vectors.keys import test_key
from motebench.catalog.vectors.model import Validity, Vector
from motebench.catalog.vectors.slh_dsa import SlhSigner, slh_set
from motebench.catalog.vectors.stateful import SignedMessage, lms_set, sign_lms, sign_xmss, xmss_set

_LINE = re.compile(r"^(\w+)\s*=\s*(.*)$")
_BOTAN = re.compile(r"^PublicKey\s*=", re.MULTILINE)
_SIGNATURE = re.compile(r"^(?:Invalid)?Signature\s*=", re.MULTILINE)
_GROUPS = (("sha256", 32), ("sha256", 24), ("shake", 32), ("shake", 24))
_TREE_TYPES = {
    5 * group + 5 + number: (family, size, height)
    for group, (family, size) in enumerate(_GROUPS)
    for number, height in enumerate((5, 10, 15, 20, 25))
}
"""Hash, bytes of a node and height by the type of a tree (RFC 8554, table 2; SP 800-208, section 4)."""
_DIGITS = (1, 2, 4, 8)


def passed(test: Node) -> Validity:
    """What an ACVP test of verification says must happen."""
    value = test.value.get("testPassed")
    if not isinstance(value, bool):
        raise test.fail("testPassed", "missing or not true or false", "true or false")
    return Validity.VALID if value else Validity.INVALID


def lms_verify(group: Node, test: Node) -> Vector:
    """A test of ACVP's LMS sigVer."""
    key: bytes = group.hex("publicKey")
    return _verify(_lms_scheme(key), key, test.hex("message"), test.hex("signature"), passed(test))


def _lms_scheme(key: bytes, below: bytes = b"") -> str:
    """The scheme of a key of one tree, or of two if the key of the lower one is given; empty if there is none."""
    found = [_tree(each) for each in (key, below) if each]
    if None in found:
        return ""
    (family, size, height, digits), *rest = [each for each in found if each is not None]
    if any((family, size, digits) != (other[0], other[1], other[3]) for other in rest):
        return ""
    heights = "-".join(f"h{each}" for each in (height, *(other[2] for other in rest)))
    return f"lms-{family}-m{size}-{heights}-w{digits}"


def _tree(key: bytes) -> tuple[str, int, int, int] | None:
    found = _TREE_TYPES.get(int.from_bytes(key[:4], "big"))
    digits = int.from_bytes(key[4:8], "big") - 1
    if found is None or digits // 4 != _GROUPS.index(found[:2]):
        return None
    return (*found, _DIGITS[digits % 4])


def _hss_scheme(key: bytes, signature: bytes) -> str:
    """The scheme of a key of HSS: two levels, and the type of the lower one, are only in signatures."""
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
    # A signature that is too short for a second tree must be rejected by any scheme with this tree at the top.
    return _lms_scheme(top, below if _tree(below) else top).replace("lms", "hss", 1)


def is_botan(content: str) -> bool:
    """Whether a text has public keys and signatures as files of Botan have them."""
    return _BOTAN.search(content) is not None and _SIGNATURE.search(content) is not None


def parse_botan(content: str, file: str) -> list[Vector]:
    """The vectors of a file. InputError with the line for anything invalid."""
    found: list[Vector] = []
    record: dict[str, str] = {}
    source = f"Botan, {file.rsplit('/', 1)[-1]}"
    for number, text in enumerate([*content.splitlines(), ""], start=1):
        line = text.partition("#")[0].strip()
        where = f"{file}: line {number}"
        if line:
            pair = _LINE.match(line)
            if pair is None or pair[1] in record:
                raise InputError(f"{line[:40]!r} is not 'name = value', or stands twice", where=where)
            record[pair[1]] = pair[2]
        elif record and not text.lstrip().startswith("#"):
            found.append(replace(_of_record(record, where), id=f"{len(found) + 1}", source=source))
            record = {}
    return found


def _of_record(record: dict[str, str], where: str) -> Vector:
    invalid = "InvalidSignature" in record
    name = "InvalidSignature" if invalid else "Signature"
    values = {}
    for each in ("PublicKey", "Msg", name):
        try:
            values[each] = bytes.fromhex(record[each])
        except KeyError:
            raise InputError(f"the record has no {each}", where=where, valid=f"PublicKey, Msg and {name}") from None
        except ValueError:
            raise InputError(f"{each}: {record[each][:20]!r} is not hexadecimal", where=where) from None
    key, signature = values["PublicKey"], values[name]
    named = record.get("Params", "").lower().replace("_", "-")
    scheme = f"xmss-{named}" if named else _hss_scheme(key, signature)
    if scheme.startswith("hss-shake") and signature[:4] == bytes(4):  # one level: that tree alone is a scheme
        scheme, key, signature = scheme.replace("hss", "lms", 1), key[4:], signature[4:]
    return _verify(scheme, key, values["Msg"], signature, Validity.INVALID if invalid else Validity.VALID)


def _verify(scheme: str, key: bytes, message: bytes, signature: bytes, result: Validity) -> Vector:
    words = "" if scheme else "the catalog has no scheme with these types of trees and chains"
    return Vector("", scheme, Operation.VERIFY, key=key, data=message, tag=signature, tag_bytes=len(signature),
                  result=result, not_applicable=words)  # fmt: skip


_MESSAGES = (bytes(range(33)), b"")
_LOW = 4
"""The height of the highest tree of SLH-DSA that is made at once: that of the sets that sign fast."""


def can_sign(scheme: str) -> bool:
    """Whether `signed` makes signatures of a scheme."""
    return any(known(scheme) is not None for known in (lms_set, xmss_set, slh_set))


@lru_cache(maxsize=64)
def signed(scheme: str, message: bytes) -> SignedMessage:
    """A signature of a message without context, always the same, to measure ``verify`` with.

    Those of LMS, HSS and XMSS take steps close to the mean of all messages. Those of SLH-DSA are deterministic, by the
    catalog's keys. InputError for other schemes.
    """
    slh = slh_set(scheme)
    if slh is not None:
        return SlhSigner(slh, test_key(scheme)).sign(message)
    return _stateful(scheme, message, typical_steps=True)


def signed_fast(scheme: str, message: bytes) -> SignedMessage:
    """A signature with the steps that the message takes; keys of SLH-DSA are those of `made_vectors`: signing
    takes milliseconds."""
    return _stateful(scheme, message) if slh_set(scheme) is None else _fast(scheme).sign(message)


def steps_expected(scheme: str) -> float:
    """Steps of chains that verification takes, the mean over all messages. InputError for other schemes."""
    found = lms_set(scheme) or xmss_set(scheme) or slh_set(scheme)
    if found is None:
        raise _other(scheme)
    return found.steps


@lru_cache(maxsize=4)
def _fast(scheme: str) -> SlhSigner:
    params = slh_set(scheme)
    if params is None:
        raise _other(scheme)
    return SlhSigner(params, shake_256(f"motebench {scheme}".encode()).digest(3 * params.n), whole=False)


def _stateful(scheme: str, message: bytes, *, typical_steps: bool = False) -> SignedMessage:
    label = f"motebench {scheme}"
    if (lms := lms_set(scheme)) is not None:
        return sign_lms(lms, label, message, typical_steps=typical_steps)
    if (xmss := xmss_set(scheme)) is not None:
        return sign_xmss(xmss, label, message, typical_steps=typical_steps)
    raise _other(scheme)


def _other(scheme: str) -> InputError:
    return InputError(f"no hash-based signatures of {scheme}", valid="schemes of LMS, HSS, XMSS and SLH-DSA")


def made_vectors(scheme: str, published: Sequence[Vector] = ()) -> tuple[Vector, ...]:
    """Known answers that are made when they are asked for: signatures are long, and would fill the catalog.

    ``published``: what the catalog has. Of a signature in it only what must be rejected is made, if signing takes long.
    ``test_hash_signatures.py`` has digests of those made, and says who else accepts them. Empty for other
    schemes.
    """
    if not can_sign(scheme):
        return ()
    slh, context, made = slh_set(scheme), b"", True
    known = [vector for vector in published if vector.operation is Operation.VERIFY]
    if slh is None:
        public = _stateful(scheme, b"").public
        texts = [(message, _stateful(scheme, message).signature) for message in _MESSAGES]
    elif known and slh.height > _LOW:
        made, public, texts = False, known[0].key, [(known[0].data, known[0].tag)]
    else:
        context = b"made"
        signer = _fast(scheme)
        public = signer.public
        texts = [(message, signer.sign(message, context).signature) for message in _MESSAGES]

    def verify(
        name: str, data: bytes, tag: bytes, result: Validity, key: bytes = public, bound: bytes = context
    ) -> Vector:
        return Vector(
            f"made: {name}", scheme, Operation.VERIFY, key=key, data=data, tag=tag, context=bound, result=result,
            source=f"computed from {'FIPS 205' if slh else 'SP 800-208'} by motebench's hash_signatures.py",
        )  # fmt: skip

    (message, right), bad = texts[0], Validity.INVALID
    found = [verify(f"{len(data)} bytes", data, tag, Validity.VALID) for data, tag in texts if made]
    found.append(verify("another message", message + b"!", right, bad))
    found += [
        verify(f"{name} changed", message, flipped(right, at), bad) for name, at in _places(scheme, len(right)).items()
    ]
    found.append(verify("public key changed", message, right, bad, flipped(public, len(public) - 1)))
    found.append(verify("type of the public key changed", message, right, bad, flipped(public, 3)))
    found += [
        verify(name, message, tag, bad)
        for name, tag in (("a byte short", right[:-1]), ("a byte long", right + b"\0"), ("empty", b""))
    ]
    if slh is not None:
        found.append(verify("another context", message, right, bad, bound=b"Made"))
    return tuple(found)


def flipped(data: bytes, at: int) -> bytes:
    """``data`` with the lowest bit of a byte changed."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _places(scheme: str, length: int) -> dict[str, int]:
    """Where a signature is changed: what each of its parts begins with, and its last byte."""
    places = {"last node of the path": length - 1, "middle": length // 2}
    if (lms := lms_set(scheme)) is not None:
        first = 4 if lms.hss else 0
        path = first + 8 + lms.n * (1 + lms.chains)
        places |= {"number of the leaf": first + 3, "leaf beyond the tree": first, "type of the chains": first + 7}
        places |= {"randomiser": first + 8, "first chain": first + 8 + lms.n, "type of the tree": path + 3}
        return places | ({"number of levels": 3} if lms.hss else {})
    if (xmss := xmss_set(scheme)) is not None:
        index = (xmss.height + 7) // 8 if xmss.layers else 4
        beyond = {"leaf beyond the tree": 0} if 8 * index > xmss.height + 7 or xmss.height % 8 else {}
        return places | beyond | {"number of the leaf": index - 1, "randomiser": index, "first chain": index + xmss.n}
    return places | {"randomiser": 0}
