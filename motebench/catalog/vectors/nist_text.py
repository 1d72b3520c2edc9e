"""One record of a NIST file, and what the text around it says about the algorithm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.base.errors import InputError

_MODE = re.compile(r"\b((?:ecb|cbc|cfb|ofb|ctr|gcm|ccm|xts|ocb|eax)[a-z0-9]*(?:-siv)?|counter)\b")
_PLAIN_MODES = frozenset({"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "gcm", "ccm", "xts", "ocb", "eax"})
_MODES = {"counter": "ctr", "cfb128": "cfb", "cfb64": "cfb", "xtsgen": "xts", "ocb3": "ocb"}
# Unambiguous names come first, then names that also occur in remarks ("derived from the AESVS test data").
_ALGORITHMS = (
    ("chacha20-poly1305", ("chacha20poly1305", "chacha20-poly1305")),
    ("chacha20", ("chacha20", "chacha")),
    ("camellia", ("camellia",)),
    ("cast", ("cast5", "cast-128", "cast128")),
    ("blowfish", ("blowfish", "bf")),
    ("twofish", ("twofish",)),
    ("serpent", ("serpent",)),
    ("seed", ("seed",)),
    ("idea", ("idea",)),
    ("aria", ("aria",)),
    ("sm4", ("sm4",)),
    ("rc2", ("rc2",)),
    ("rc4", ("rc4", "arc4", "arcfour")),
    ("3des", ("tdes", "tdea", "3des", "tdes_values", "des-ede3")),
    ("aes", ("aes", "aesvs", "aes_values", "aes128", "aes192", "aes256")),
)


@dataclass(frozen=True, slots=True)
class Record:
    """One block of a NIST file with its values (upper-case names) and its surroundings."""

    fields: Mapping[str, str]
    file: str
    line: int
    number: int
    stem: str
    header: str
    groups: Mapping[str, str]
    direction: str
    flags: frozenset[str]

    @property
    def id(self) -> str:
        """A unique name in the file, easy to find there."""
        count = self.fields.get("COUNT")
        told = f"{self.direction.lower()} " if self.direction else ""
        return f"line {self.line}, {told}count {count}" if count else f"line {self.line}"

    @property
    def source(self) -> str:
        """The file of the record."""
        return self.file.rsplit("/", 1)[-1]

    @property
    def hints(self) -> frozenset[str]:
        """The text at the head of the file and in its name, in lower case."""
        return frozenset(re.split(r"[^a-z0-9_-]+", f"{self.header} {self.stem}".lower())) | frozenset(
            re.split(r"[^a-z0-9]+", f"{self.header} {self.stem}".lower())
        )

    @property
    def mode(self) -> str:
        """The catalog name of the mode of operation, or an empty text."""
        named = [word for word in re.split(r"[^a-z0-9]+", self.stem.lower()) if word in _PLAIN_MODES]
        if "siv" in self.stem.lower().split("-"):
            return "gcm-siv" if "gcm" in named else "siv"
        found = _MODE.search(self.header.lower())
        mode = named[0] if named else found[1] if found else ""
        return _MODES.get(mode, mode)

    @property
    def algorithm(self) -> str:
        """The catalog name of the block or stream cipher, or an empty text."""
        hints = self.hints
        for name, words in _ALGORITHMS:
            if hints.intersection(words):
                return name
        # CAVP's GCM, CCM and XTS files name only the mode; the programme tests these only with AES.
        return "aes" if self.mode in ("gcm", "ccm", "xts") else ""

    def has(self, name: str) -> bool:
        """Whether the record has a field."""
        return name in self.fields

    def fail(self, what: str, valid: str) -> InputError:
        """The error to raise about this record."""
        return InputError(what, where=f"{self.file}:{self.line}", valid=valid)

    def hex(self, *names: str, default: bytes | None = None) -> bytes:
        """The bytes of the first field that exists."""
        for name in names:
            if name in self.fields:
                text = self.fields[name]
                try:
                    if any(char.isspace() for char in text):
                        raise ValueError
                    return bytes.fromhex(text)
                except ValueError:
                    shown = text if len(text) <= 40 else text[:37] + "..."
                    raise self.fail(f"{name} = {shown!r} is not hexadecimal", "pairs of hexadecimal digits") from None
        if default is None:
            raise self.fail(f"no {' or '.join(names)}", "a record with all its fields")
        return default

    def integer(self, name: str, default: int | None = None) -> int:
        """A whole number from the record or its group."""
        text = self.fields.get(name, self.groups.get(name))
        if text is None:
            if default is None:
                raise self.fail(f"no {name}", "a record with all its fields")
            return default
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise self.fail(f"{name} = {text[:40]!r} is not a whole number", "0 to 999999999")
        return int(text)
