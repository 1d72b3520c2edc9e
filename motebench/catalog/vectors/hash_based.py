"""Known answers of LMS, HSS and XMSS as they are published: tests of ACVP, and files of Botan.

Botan: ``hss_lms_verify.vec``, ``hss_lms_invalid.vec`` and ``xmss_verify.vec`` in ``src/tests/data/pubkey``, which have
``name = value`` lines in blocks.
"""

from __future__ import annotations

import re
from dataclasses import replace

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.fields import Node
from motebench.catalog.vectors.model import Result, Vector

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


def passed(test: Node) -> Result:
    """What an ACVP test of verification says must happen."""
    value = test.value.get("testPassed")
    if not isinstance(value, bool):
        raise test.fail("testPassed", "missing or not true or false", "true or false")
    return Result.VALID if value else Result.INVALID


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
    return _verify(scheme, key, values["Msg"], signature, Result.INVALID if invalid else Result.VALID)


def _verify(scheme: str, key: bytes, message: bytes, signature: bytes, result: Result) -> Vector:
    words = "" if scheme else "the catalog has no scheme with these types of trees and chains"
    return Vector("", scheme, Operation.VERIFY, key=key, data=message, tag=signature, tag_bytes=len(signature),
                  result=result, not_applicable=words)  # fmt: skip
