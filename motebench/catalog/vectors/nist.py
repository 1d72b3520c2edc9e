"""NIST CAVP files (.rsp, .txt) and files in their layout: ``name = value`` lines in blocks.

Block-cipher known-answer tests, XTS, GCM, CCM, OCB, SHA, SHA-3, SHAKE and HMAC. The layouts are
those of the Cryptographic Algorithm Validation Program's response files; the algorithm is named by
the comments at the head of the file (``# AESVS GFSbox test data for CBC``), or else by the name of
the file (``camellia-cbc.txt``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector, cipher_name, hash_name

_MODE = re.compile(r"\b((?:ecb|cbc|cfb|ofb|ctr|gcm|ccm|xts|ocb|eax)[a-z0-9]*(?:-siv)?|counter)\b")
_PLAIN_MODES = frozenset(
    {"ecb", "cbc", "cfb", "cfb8", "ofb", "ctr", "gcm", "ccm", "xts", "ocb", "eax"}
)
_MODES = {"counter": "ctr", "cfb128": "cfb", "cfb64": "cfb", "xtsgen": "xts", "ocb3": "ocb"}
# Unambiguous names come first, then names that also occur in remarks ("derived from the AESVS test
# data").
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
class NistRecord:
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
        direction = f"{self.direction.lower()} " if self.direction else ""
        return f"line {self.line}, {direction}count {count}" if count else f"line {self.line}"

    @property
    def source(self) -> str:
        """The file of the record."""
        return self.file.rsplit("/", 1)[-1]

    @property
    def hints(self) -> frozenset[str]:
        """The text at the head of the file and in its name, in lower case."""
        return frozenset(
            re.split(r"[^a-z0-9_-]+", f"{self.header} {self.stem}".lower())
        ) | frozenset(re.split(r"[^a-z0-9]+", f"{self.header} {self.stem}".lower()))

    @property
    def mode(self) -> str:
        """The catalog name of the mode of operation, or an empty text."""
        named = [
            word for word in re.split(r"[^a-z0-9]+", self.stem.lower()) if word in _PLAIN_MODES
        ]
        if "siv" in self.stem.lower().split("-"):
            return "gcm-siv" if "gcm" in named else "siv"
        match = _MODE.search(self.header.lower())
        mode = named[0] if named else match[1] if match else ""
        return _MODES.get(mode, mode)

    @property
    def algorithm(self) -> str:
        """The catalog name of the block or stream cipher, or an empty text."""
        hints = self.hints
        for name, terms in _ALGORITHMS:
            if hints.intersection(terms):
                return name
        # CAVP's GCM, CCM and XTS files name only the mode; the programme tests these only with AES.
        return "aes" if self.mode in ("gcm", "ccm", "xts") else ""

    def has(self, name: str) -> bool:
        """True if the record has a field."""
        return name in self.fields

    def has_one(self, *names: str) -> bool:
        """True if the record has one of these fields."""
        return any(map(self.has, names))

    def fail(self, problem: str, valid: str) -> InputError:
        """The error to raise about this record."""
        return InputError(problem, where=f"{self.file}:{self.line}", valid=valid)

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
                    raise self.fail(
                        f"{name} = {shown!r} is not hexadecimal", "pairs of hexadecimal digits"
                    ) from None
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


_HASH_OF_LENGTH = {20: "sha1", 28: "sha224", 32: "sha256", 48: "sha384", 64: "sha512"}
_OUTPUT_BYTES = {"shake128": 32, "shake256": 64}
_TRIPLE = 3


def not_for_us(record: NistRecord, reason: str, scheme: str = "") -> Vector:
    """A vector that is kept and counted, but that no implementation can compute."""
    return Vector(record.id, scheme, Operation.DIGEST, source=record.source, not_applicable=reason)


def _message(record: NistRecord, name: str, bits: int) -> bytes | None:
    """The first ``bits`` of a field, None unless they are whole bytes. Empty messages are written
    ``00``.
    """
    if bits % 8:
        return None
    data = record.hex(name)
    if len(data) < bits // 8:
        raise record.fail(
            f"{name} has {len(data)} bytes, but its length field says {bits} bits",
            "data of the stated length",
        )
    return data[: bits // 8]


def digest(record: NistRecord) -> Vector:
    """SHA-1, SHA-2, SHA-3 and SHAKE: ``Len``, ``Msg``, ``MD`` or ``Output``."""
    scheme = hash_name(record.header) or hash_name(record.stem)
    if not scheme:
        return not_for_us(record, "neither the head of the file nor its name names a hash function")
    bits = record.integer("LEN", record.integer("INPUT LENGTH", 8 * len(record.hex("MSG"))))
    data = _message(record, "MSG", bits)
    if data is None:
        return not_for_us(record, f"a message of {bits} bits is not whole bytes", scheme)
    # The first bytes of a longer SHAKE output are the shorter one (FIPS 202), so the size of the
    # scheme is enough.
    out = record.hex("MD", "OUTPUT")[: _OUTPUT_BYTES.get(scheme)]
    return Vector(
        record.id,
        scheme,
        Operation.DIGEST,
        data=data,
        expect_out=out,
        tag_bytes=len(out),
        source=record.source,
    )


def hmac(record: NistRecord) -> Vector:
    """HMAC: ``Key``, ``Msg``, and ``Mac`` (truncated to ``Tlen`` bytes) or ``MD``."""
    name = (
        hash_name(record.header)
        or hash_name(record.stem)
        or _HASH_OF_LENGTH.get(record.integer("L", 0), "")
    )
    if not name:
        return not_for_us(record, "neither the head of the file nor its name names a hash function")
    key, data, out = record.hex("KEY"), record.hex("MSG"), record.hex("MAC", "MD")
    if record.has("KLEN"):
        key = key[: record.integer("KLEN")]
    if record.has("LEN"):
        data = _message(record, "MSG", record.integer("LEN")) or b""
    return Vector(
        record.id,
        f"hmac-{name}",
        Operation.MAC,
        key=key,
        data=data,
        expect_out=out,
        tag_bytes=len(out),
        source=record.source,
    )


def _key(record: NistRecord) -> bytes:
    if record.has("KEYS"):
        return record.hex("KEYS") * _TRIPLE
    if record.has("KEY1"):
        return b"".join(record.hex(f"KEY{part}") for part in range(1, _TRIPLE + 1))
    return record.hex("KEY")


def _named(record: NistRecord, key: bytes) -> tuple[str, str]:
    """The scheme, or an empty text with the reason."""
    algorithm, mode = record.algorithm, record.mode
    if not algorithm:
        return "", "neither the head of the file nor its name names a cipher"
    if algorithm.startswith("chacha20") or algorithm == "rc4":
        mode = ""
    elif not mode:
        return "", "neither the head of the file nor its name names a mode of operation"
    if algorithm == "cast":
        if len(key) != 16:
            return "", f"CAST-128 with a key of {8 * len(key)} bits"
        return f"cast-128-{mode}", ""
    return cipher_name(algorithm, len(key), mode), ""


def cipher(record: NistRecord) -> Vector:
    """Block and stream ciphers: ``Key``, ``IV``, ``Plaintext``, ``Ciphertext``; XTS with ``i`` or a
    sequence number.
    """
    key = _key(record)
    scheme, reason = _named(record, key)
    if reason:
        return not_for_us(record, reason)
    if record.mode in ("cfb1", "cfbp1"):
        return not_for_us(record, "CFB with segments of one bit is not whole bytes", scheme)
    if record.integer("OFFSET", 0):
        return not_for_us(
            record, "key stream from the middle: what comes before is not given", scheme
        )
    plain, secret = record.hex("PLAINTEXT", "PT"), record.hex("CIPHERTEXT", "CT")
    if record.integer("DATAUNITLEN", 0) % 8:
        return not_for_us(
            record,
            f"a data unit of {record.integer('DATAUNITLEN')} bits is not whole bytes",
            scheme,
        )
    nonce = record.hex("IV", "I", "NONCE", default=b"")
    if record.has("DATAUNITSEQNUMBER"):
        nonce = record.integer("DATAUNITSEQNUMBER").to_bytes(16, "little")
    if record.has("INITIAL_BLOCK_COUNTER"):
        nonce = record.integer("INITIAL_BLOCK_COUNTER").to_bytes(4, "little") + nonce
    encrypt = record.direction != "DECRYPT"
    return Vector(
        record.id,
        scheme,
        Operation.ENCRYPT if encrypt else Operation.DECRYPT,
        key=key,
        nonce=nonce,
        data=plain if encrypt else secret,
        expect_out=secret if encrypt else plain,
        source=record.source,
    )


def _sealed(
    record: NistRecord, nonce: bytes, aad: bytes, plain: bytes | None, secret: bytes, tag: bytes
) -> Vector:
    """An AEAD vector: encryption if the plaintext is known, else a forgery that must be
    rejected.
    """
    key = record.hex("KEY")
    scheme, reason = _named(record, key)
    if reason:
        return not_for_us(record, reason)
    forged = plain is None
    return Vector(
        record.id,
        scheme,
        Operation.DECRYPT_MESSAGE if forged else Operation.ENCRYPT_MESSAGE,
        key=key,
        nonce=nonce,
        aad=aad,
        data=secret if plain is None else plain,
        tag=tag if forged else b"",
        expect_out=None if forged else secret,
        expect_tag=None if forged else tag,
        result=Validity.INVALID if forged else Validity.VALID,
        tag_bytes=len(tag),
        source=record.source,
    )


def aead(record: NistRecord) -> Vector:
    """GCM, OCB, ChaCha20-Poly1305: ``Key``, ``IV``, ``AAD``, ``PT``, ``CT``, ``Tag``. OCB has the
    tag in CT.
    """
    secret = record.hex("CT", "CIPHERTEXT")
    tag = record.hex("TAG", default=b"")
    if not record.has("TAG"):
        if len(secret) < 16:
            raise record.fail(
                "the ciphertext is shorter than a tag", "a ciphertext with its 16-byte tag"
            )
        secret, tag = secret[:-16], secret[-16:]
    failed = "FAIL" in record.flags or "ERROR" in record.fields.get("RESULT", "").upper()
    plain = None if failed else record.hex("PT", "PLAINTEXT")
    return _sealed(
        record, record.hex("IV", "NONCE"), record.hex("AAD", default=b""), plain, secret, tag
    )


def authenticated(record: NistRecord) -> Vector:
    """CCM: ``Adata``, ``Payload`` (``00`` if empty: see ``Alen``, ``Plen``, in bytes), ``CT`` with
    its tag.
    """
    secret, size = record.hex("CT"), record.integer("TLEN", 16)
    plain_bytes, aad_bytes = record.integer("PLEN"), record.integer("ALEN")
    aad = record.hex("ADATA", default=b"")[:aad_bytes]
    if len(secret) != plain_bytes + size:
        raise record.fail(
            f"CT has {len(secret)} bytes, not {plain_bytes} + {size}", "Plen + Tlen bytes"
        )
    failed = record.fields.get("RESULT", "pass").lower().startswith("fail")
    plain = None if failed else record.hex("PAYLOAD")[:plain_bytes]
    return _sealed(
        record, record.hex("NONCE"), aad, plain, secret[:plain_bytes], secret[plain_bytes:]
    )


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_ ]{0,99}")
_MOST_HEADER, _MOST_GROUPS = 50, 100
_STICKY = frozenset(
    {
        "KEY",
        "KEYS",
        "KEY1",
        "KEY2",
        "KEY3",
        "NONCE",
        "IV",
        "ALEN",
        "PLEN",
        "NLEN",
        "TLEN",
        "SEED",
        "COUNT",
    }
)
_VALID = "lines 'name = value', comments '# ...', groups '[...]' and empty lines"


@dataclass(slots=True)
class _State:
    """State of the reader: facts from earlier lines that hold for the following records."""

    header: list[str] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    direction: str = ""
    kept: dict[str, str] = field(default_factory=dict)


def _pair(line: str) -> tuple[str, str] | None:
    """Name and value of a line, in time proportional to its length."""
    name, equals, value = line.partition("=")
    name = name.strip()
    return (name, value.strip()) if equals and _NAME.fullmatch(name) else None


def _group(text: str) -> str:
    """The text between the brackets; empty if the line is not a group."""
    return text[1:-1].strip() if text.startswith("[") and text.endswith("]") else ""


def looks_like(content: str) -> bool:
    """True if a text has at least one ``name = value`` line near its head."""
    return any(
        _pair(line) for line in content[:20000].splitlines() if not line.lstrip().startswith("#")
    )


def parse(content: str, where: str, stem: str) -> list[Vector]:
    """The vectors of a file; ``stem`` is its name without folder and extension.

    InputError with the line for anything that does not match the layout.
    """
    vectors, used = [], set()
    for record in _records(content, where, stem):
        vector = _vector(record)
        if vector.id in used:
            raise record.fail(
                "the same record appears twice", "records that differ in group or count"
            )
        used.add(vector.id)
        vectors.append(vector)
    return vectors


def _records(content: str, where: str, stem: str) -> Iterator[NistRecord]:
    state, block, number = _State(), _Block(), 0
    for at, line in enumerate([*content.splitlines(), ""], 1):
        text = line.strip()
        if text.startswith("#"):
            if not number and not block.fields and len(state.header) < _MOST_HEADER:
                state.header.append(text.lstrip("# ")[:500])
            continue
        group = _group(text)
        if text and not group:
            block.add(line, f"{where}:{at}", at)
            continue
        if block.fields:
            if set(block.fields) <= _STICKY:
                state.kept.update(block.fields)
            else:
                number += 1
                fields = {**state.kept, **block.fields}
                yield NistRecord(
                    fields,
                    where,
                    block.start,
                    number,
                    stem,
                    " ".join(state.header),
                    dict(state.groups),
                    state.direction,
                    frozenset(block.flags),
                )
            block = _Block()
        if group:
            _note_group(state, group)
            if len(state.groups) > _MOST_GROUPS:
                raise InputError(
                    f"more than {_MOST_GROUPS} names in groups", where=f"{where}:{at}", valid=_VALID
                )


@dataclass
class _Block:
    """Lines without an empty one between: fields, flags, and the line on which the first field
    stands.
    """

    fields: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    start: int = 0

    def add(self, line: str, where: str, at: int) -> None:
        """One line, ``name = value`` or a flag. InputError for another one, and for a name given
        twice.
        """
        pair, flag = _pair(line), line.strip().upper()
        if pair:
            name = pair[0].upper()
            if name in self.fields:
                raise InputError(
                    f"{pair[0]!r} is given twice", where=where, valid="one value in a block"
                )
            self.start = self.start or at
            self.fields[name] = pair[1]
        elif flag in ("FAIL", "PASS"):
            self.flags.add(flag)
        else:
            raise InputError(
                f"{line.strip()[:60]!r} is not a line of a NIST response file",
                where=where,
                valid=_VALID,
            )


def _note_group(state: _State, text: str) -> None:
    if text.upper() in ("ENCRYPT", "DECRYPT"):
        state.direction = text.upper()
        state.kept.clear()
        return
    for part in text.split(","):
        name, _, value = part.partition("=")
        state.groups[name.strip().upper()] = value.strip()


def _vector(record: NistRecord) -> Vector:
    reader = _reader(record)
    if reader is not None:
        return reader(record)
    if record.has("MD") or record.has("OUTPUT"):
        return not_for_us(record, "a Monte Carlo chain of digests has no single input and output")
    return not_for_us(
        record, f"no operation here has the fields {', '.join(sorted(record.fields))}"
    )


def _reader(record: NistRecord) -> Callable[[NistRecord], Vector] | None:
    """Function that makes a vector of a record with these fields; None for unknown fields."""
    if record.has("MSG") and record.has("KEY") and record.has_one("MAC", "MD"):
        return hmac
    if record.has_one("MD", "OUTPUT"):
        return digest if record.has("MSG") else None
    if record.has("PAYLOAD") or "ccm" in record.hints:
        return authenticated
    if record.has("TAG") or "ocb" in record.hints:
        return aead
    return (
        cipher if record.has_one("PLAINTEXT", "PT") and record.has_one("CIPHERTEXT", "CT") else None
    )
