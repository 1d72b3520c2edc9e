"""Encodings in files from untrusted sources: JSON, whose errors have a position and the valid
values, and DER.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from motebench.base.errors import InputError, visible
from motebench.base.files.access import open_to_read

MAX_FILE_BYTES = 64 * 2**20
"""Longest vector file that is read. The longest published ones are a few MiB."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_TEXT = 100_000

_Kind = TypeVar("_Kind", bound=object)
_NAMES: Mapping[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def kind_of(value: object) -> str:
    """The type of a JSON value as text."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, float):
        return "a number"
    return _NAMES.get(type(value), type(value).__name__)


def read_bytes(path: Path) -> bytes:
    """The content of a vector file. InputError if it is missing, unreadable or longer than 64
    MiB.
    """
    try:
        if path.is_dir():
            raise InputError(
                "this is a folder, not a file", where=str(path), valid="a file of vectors"
            )
        with open_to_read(path) as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        valid = "a file of known answers: motebench JSON, Wycheproof JSON, NIST .rsp, LWC .txt"
        raise InputError(
            f"cannot be read: {error.strerror or error}", where=str(path), valid=valid
        ) from None
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            "the file is longer than 64 MiB",
            where=str(path),
            valid="vector files up to 64 MiB",
            hint="split it",
        )
    return content


def parse_json(content: str, where: str) -> object:
    """The JSON value of ``content``. Raises InputError with line and column."""
    try:
        value: object = json.loads(content)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg}",
            where=f"{where}:{error.lineno}:{error.colno}",
            valid="one JSON document",
            hint="the file may be incomplete" if error.pos >= len(content) - 1 else None,
        ) from None
    except ValueError:
        raise InputError(
            "a number has too many digits", where=where, valid="whole numbers that fit 64 bits"
        ) from None
    except RecursionError:
        raise InputError(
            "nested too deeply", where=where, valid="objects and arrays a few deep"
        ) from None
    return value


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON object and its position: ``file: testGroups[3].tests[17] (tcId 42)``."""

    value: Mapping[str, object]
    file: str
    place: str = ""
    label: str = ""

    def where(self, key: str = "") -> str:
        """The position of a key as text."""
        parts = [part for part in (self.place, key) if part]
        label = f" ({self.label})" if self.label else ""
        return f"{self.file}: {'.'.join(parts)}{label}" if parts else f"{self.file}{label}"

    def fail(
        self, key: str, problem: str, valid: str | None = None, hint: str | None = None
    ) -> InputError:
        """The error to raise about ``key``."""
        return InputError(problem, where=self.where(key), valid=valid, hint=hint)

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def _get(self, key: str, kind: type[_Kind], default: _Kind | None = None) -> _Kind:
        """The value of a key, or the default where the key is absent. InputError if both are
        missing.
        """
        if key not in self.value:
            if default is None:
                raise self.fail(key, "missing", _NAMES[kind])
            return default
        value = self.value[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fail(key, f"this is {kind_of(value)}", _NAMES[kind])
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text, or ``default``."""
        text = self._get(key, str, default)
        if len(text) > _LONGEST_TEXT or _SURROGATE.search(text):
            raise self.fail(
                key, "this text is too long or not Unicode", f"up to {_LONGEST_TEXT} characters"
            )
        return visible(text)

    def number(
        self, key: str, default: int | None = None, *, low: int = 0, high: int = 2**31
    ) -> int:
        """A whole number in ``low..high``, or ``default``."""
        value = self._get(key, int, default)
        if key in self.value and not low <= value <= high:
            shown = value if abs(value) < 10**20 else "a number of many digits"
            raise self.fail(key, f"{shown} is out of range", f"a whole number in {low}..{high}")
        return value

    def hex(self, key: str, default: bytes | None = None) -> bytes:
        """Bytes written as hexadecimal digits, or ``default``."""
        if default is not None and key not in self.value:
            return default
        text = self._get(key, str)
        try:
            if any(char.isspace() for char in text):
                raise ValueError
            return bytes.fromhex(text)
        except ValueError:
            shown = text if len(text) <= 40 else text[:37] + "..."
            odd = " (an odd number of digits)" if len(text) % 2 else ""
            raise self.fail(
                key, f"{shown!r} is not hexadecimal{odd}", "pairs of the digits 0-9, a-f, A-F"
            ) from None

    def hex_or_none(self, key: str) -> bytes | None:
        """Bytes written as hexadecimal digits; None where the key is absent."""
        return self.hex(key) if key in self.value else None

    def node(self, key: str) -> Node:
        """An object inside this one."""
        return Node(
            self._get(key, dict),
            self.file,
            f"{self.place}.{key}" if self.place else key,
            self.label,
        )

    def nodes(self, key: str) -> list[Node]:
        """An array of objects."""
        values: Sequence[object] = self._get(key, list)
        nodes = []
        for index, value in enumerate(values):
            place = f"{self.place}.{key}[{index}]" if self.place else f"{key}[{index}]"
            if not isinstance(value, dict):
                raise InputError(
                    f"this is {kind_of(value)}", where=f"{self.file}: {place}", valid="an object"
                )
            nodes.append(Node(value, self.file, place))
        return nodes

    def labelled(self, label: str) -> Node:
        """The same object with a name for readers."""
        return Node(self.value, self.file, self.place, label)

    def only(self, keys: frozenset[str]) -> None:
        """Raise InputError for a key that is not one of ``keys``."""
        for key in self.value:
            if key not in keys:
                raise self.fail(str(key), "unknown key", ", ".join(sorted(keys)))


def object_of(path: Path) -> Node:
    """The JSON object that a file contains. InputError if it contains none."""
    value = parse_json(read_bytes(path).decode("utf-8", "replace"), str(path))
    if not isinstance(value, dict):
        raise InputError(f"this is {kind_of(value)}", where=str(path), valid="an object")
    return Node(value, str(path))


# DER (ITU-T X.690), the part that keys and signatures need: minimal writer, strict reader


_INTEGER, _BITS, _SEQUENCE = 0x02, 0x03, 0x30
# AlgorithmIdentifier {rsaEncryption, NULL}, RFC 8017 appendix C.
_RSA_ENCRYPTION = bytes.fromhex("300d06092a864886f70d0101010500")


def _element(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(length))) + length + content


def integer(value: int) -> bytes:
    """A non-negative INTEGER."""
    return _element(_INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def sequence(*parts: bytes) -> bytes:
    """A SEQUENCE of parts that are already DER."""
    return _element(_SEQUENCE, b"".join(parts))


def rsa_public(modulus: int, exponent: int) -> bytes:
    """RSAPublicKey (RFC 8017 A.1.1)."""
    return sequence(integer(modulus), integer(exponent))


def rsa_private(modulus: int, public: int, private: int, prime1: int, prime2: int) -> bytes:
    """RSAPrivateKey with two primes (RFC 8017 A.1.2)."""
    numbers = (
        0,
        modulus,
        public,
        private,
        prime1,
        prime2,
        private % (prime1 - 1),
        private % (prime2 - 1),
    )
    return sequence(*map(integer, (*numbers, pow(prime2, -1, prime1))))


def ecdsa_signature(r: int, s: int) -> bytes:
    """ECDSA-Sig-Value (RFC 3279 section 2.2.3)."""
    return sequence(integer(r), integer(s))


def read(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """Content of the first element, and the bytes after it. ValueError unless it is DER with this
    tag.
    """
    if len(data) < 2 or data[0] != tag:
        raise ValueError("unexpected element")
    size, start = data[1], 2
    if size & 0x80:
        count = size & 0x7F
        start += count
        size = int.from_bytes(data[2:start], "big")
        if not 1 <= count <= 4 or len(data) < start or size < 0x80 or data[2] == 0:
            raise ValueError("the length is not DER")
    if len(data) < start + size:
        raise ValueError("the data end too early")
    return data[start : start + size], data[start + size :]


def read_integer(data: bytes) -> tuple[int, bytes]:
    """Non-negative INTEGER and the bytes after it. ValueError unless it is minimal."""
    content, rest = read(data, _INTEGER)
    if (
        not content
        or content[0] & 0x80
        or (len(content) > 1 and content[0] == 0 and not content[1] & 0x80)
    ):
        raise ValueError("the integer is not a minimal non-negative one")
    return int.from_bytes(content, "big"), rest


def read_rsa_public(data: bytes) -> tuple[int, int]:
    """Modulus and exponent of an RSAPublicKey. ValueError unless it is exactly that."""
    content, rest = read(data, _SEQUENCE)
    modulus, tail = read_integer(content)
    exponent, tail = read_integer(tail)
    if rest or tail:
        raise ValueError("extra data after the key")
    return modulus, exponent


def read_rsa_subject(data: bytes) -> tuple[int, int]:
    """Modulus and exponent of a SubjectPublicKeyInfo for rsaEncryption. ValueError unless it is
    exactly that.
    """
    content, rest = read(data, _SEQUENCE)
    if rest or not content.startswith(_RSA_ENCRYPTION):
        raise ValueError("not a SubjectPublicKeyInfo of rsaEncryption")
    bits, rest = read(content[len(_RSA_ENCRYPTION) :], _BITS)
    if rest or bits[:1] != b"\x00":
        raise ValueError("the key is not whole bytes")
    return read_rsa_public(bits[1:])


def rsa_private_to_public(data: bytes) -> bytes:
    """The RSAPublicKey within an RSAPrivateKey. ValueError unless it is one with two primes."""
    content, _ = read(data, _SEQUENCE)
    version, tail = read_integer(content)
    if version != 0:
        raise ValueError("not an RSAPrivateKey with two primes")
    modulus, tail = read_integer(tail)
    exponent, _ = read_integer(tail)
    return rsa_public(modulus, exponent)
