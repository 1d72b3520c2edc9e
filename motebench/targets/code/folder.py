"""The contents of a folder of code, read from its files: nothing is compiled here.

The interface is that of NIST's call for lightweight algorithms (2018, section 2.3) and of SUPERCOP:
``api.h`` with the sizes, ``crypto_aead_encrypt`` and ``crypto_aead_decrypt``, ``crypto_hash``; or
``crypto_kem_*``, ``crypto_sign_*``, which may have a prefix, as in PQClean; or
``crypto_scalarmult``, ``crypto_dh``; or ``crypto_cipher_*`` of
``core/code/include/crypto_cipher.h``. NIST's benchmark has the functions of an AEAD or a hash in a
structure instead (``core/code/include/lwc_crypto_aead.h``).
"""

from __future__ import annotations

import ast
import errno
import hashlib
import operator
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from motebench.base.errors import InputError, is_unicode, printable
from motebench.base.quantities import Arithmetic, ExpressionError, parsed
from motebench.targets.code import tree
from motebench.targets.firmware.toolchain import CXX_SOURCES
from motebench.targets.wire.messages import ProbeFailure

API = "api.h"
SOURCES = (".c", ".S", ".s", *CXX_SOURCES)
AEAD_SIZES = ("CRYPTO_KEYBYTES", "CRYPTO_NPUBBYTES", "CRYPTO_ABYTES")
HASH_SIZES = ("CRYPTO_BYTES",)
KEM_SIZES = (
    "CRYPTO_PUBLICKEYBYTES",
    "CRYPTO_SECRETKEYBYTES",
    "CRYPTO_CIPHERTEXTBYTES",
    "CRYPTO_BYTES",
)
SIGN_SIZES = ("CRYPTO_PUBLICKEYBYTES", "CRYPTO_SECRETKEYBYTES", "CRYPTO_BYTES")
CIPHER_SIZES = ("CRYPTO_KEYBYTES", "CRYPTO_BLOCKBYTES", "CRYPTO_STATEBYTES")
CIPHER_NONCE = "CRYPTO_NONCEBYTES"
SIZES = {
    "kem": KEM_SIZES,
    "sign": SIGN_SIZES,
    "scalarmult": ("CRYPTO_BYTES", "CRYPTO_SCALARBYTES"),
    "dh": SIGN_SIZES,
    "aead": AEAD_SIZES,
    "hash": HASH_SIZES,
    "cipher": CIPHER_SIZES,
}
"""The sizes of each kind."""
KEYED = ("kem", "sign")
"""Kinds whose keys come in pairs."""
AGREED = {
    "scalarmult": ("CRYPTO_BYTES", "CRYPTO_SCALARBYTES"),
    "dh": ("CRYPTO_PUBLICKEYBYTES", "CRYPTO_SECRETKEYBYTES"),
}
"""Kinds that agree on a secret, with the sizes of public and private keys."""
CATALOG_ONLY = (*AGREED, "cipher")
"""Kinds that must be a scheme of the catalog, whose known answers they pass."""
_FUNCTIONS = {
    "kem": re.compile(rb"crypto_kem_enc\b"),
    "sign": re.compile(rb"crypto_sign_keypair\b"),
    "scalarmult": re.compile(rb"\bcrypto_scalarmult_base\b"),
    "dh": re.compile(rb"\bcrypto_dh_keypair\b"),
    "aead": re.compile(rb"\b(?:crypto_aead_encrypt|lwc_aead_cipher)\b"),
    "hash": re.compile(rb"\b(?:crypto_hash\b(?!\.h)|lwc_hash_ctx\b)"),
    "cipher": re.compile(rb"\bcrypto_cipher_encrypt\b"),
}
_DECRYPTS = re.compile(rb"\bcrypto_cipher_decrypt\b")
_OWN_RANDOM = re.compile(rb"\bstatic\s+(?:inline\s+)?\w+\s+randombytes\s*\([^;{}]*\)\s*\{")
_MOST_FILES, _MOST_BYTES = 2000, 64 << 20
_LIMITS = {
    "CRYPTO_KEYBYTES": 1024,
    "CRYPTO_NPUBBYTES": 1024,
    "CRYPTO_ABYTES": 64,
    "CRYPTO_BYTES": 1024,
    "CRYPTO_BLOCKBYTES": 1024,
    "CRYPTO_STATEBYTES": 16384,
    "CRYPTO_SCALARBYTES": 1024,
    "CRYPTO_PUBLICKEYBYTES": 1024,
    "CRYPTO_SECRETKEYBYTES": 1024,
    CIPHER_NONCE: 64,
}
_LONGEST_KEY = 65535
"""Bytes of keys, ciphertexts and signatures: the probe counts these with 16 bits, a pair of keys
together.
"""
_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]*?)[ \t]*(?://.*|/\*.*)?$", re.MULTILINE
)
_GIT = ".git"
_OTHERS = (".ino", ".rs")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]+\b")
_EXPRESSION = re.compile(r"[0-9a-fA-FxX()+*/\s-]+")
_DEEPEST, _LONGEST = 8, 1000
_ALL_SIZES = (
    *(*AEAD_SIZES, *HASH_SIZES, "CRYPTO_NSECBYTES", *CIPHER_SIZES[1:], CIPHER_NONCE),
    *("CRYPTO_SCALARBYTES", "CRYPTO_PUBLICKEYBYTES", "CRYPTO_SECRETKEYBYTES"),
)
_VALID = (
    f"a folder with {API} and C, C++ or assembly files that define crypto_aead_encrypt, "
    "crypto_hash, crypto_kem_enc, crypto_sign_keypair, crypto_scalarmult, crypto_dh or "
    "crypto_cipher_encrypt"
)


@dataclass(frozen=True, eq=False)
class CodeFolder:
    """Folder of code. ``digest`` covers names and contents of all its files, so that results
    identify the code.

    ``files``: contents by path in the folder, including sub-folders. ``sources``: the files to
    compile, which are in the folder itself. ``sizes``: those of api.h, in bytes. ``ignored``: names
    of sources in other languages. ``shared``: the common files of its tree, of which a KEM or
    signature uses what it needs. ``common``: sets of the folders that they are in, to be tried in
    order. ``flags``: what the makefiles of its tree define, or SUPERCOP does. ``operation``: in
    SUPERCOP, the kind that its place says.
    """

    path: Path
    digest: str
    files: Mapping[str, bytes]
    sources: tuple[Path, ...]
    sizes: Mapping[str, int]
    ignored: tuple[str, ...] = ()
    shared: Mapping[Path, bytes] = field(default_factory=dict)
    common: tuple[tuple[Path, ...], ...] = ()
    flags: tuple[str, ...] = ()
    operation: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of algorithms in the folder: ``kem`` or ``sign``, else ``aead``, ``hash`` or both,
        else ``scalarmult`` or ``dh``, else ``cipher``."""
        present = tuple(kind for kind in SIZES if self._has(kind))
        if present and present[0] in (*KEYED, *AGREED):
            return present[:1]
        return (
            present
            if present == ("cipher",)
            else tuple(kind for kind in present if kind != "cipher")
        )

    @property
    def draws(self) -> bool:
        """True if a header defines its own randombytes, whose state goes on from call to call,
        so that a seed of ours changes nothing (CROSS).
        """
        return any(
            _OWN_RANDOM.search(text) for name, text in self.files.items() if name.endswith(".h")
        )

    @property
    def decrypts(self) -> bool:
        """True if the cipher has decryption, too."""
        return any(_DECRYPTS.search(self.files[path.name]) for path in self.sources)

    def _has(self, kind: str) -> bool:
        names = {path.name for path in self.sources}
        if kind in KEYED:  # a header may give the functions of the interface other names
            names |= {name for name in self.files if name.endswith(".h") and "/" not in name}
        named = any(
            _FUNCTIONS[kind].search(text) for name, text in self.files.items() if name in names
        )
        named = named or kind == self.operation
        return named and all(size in self.sizes for size in SIZES[kind])


def path_text(name: str) -> str:
    """The name of a file as path_text text; it may contain any bytes."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return printable(text)


def slug(name: str) -> str:
    """The folder's name, reduced to the characters that names of implementations allow."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "folder"


def read(path: Path, where: str | None = "--code", flags: Iterable[str] = ()) -> CodeFolder:
    """The contents of the folder. InputError if it cannot be read, or has nothing to measure.

    ``flags``: for the compiler, which computes the sizes of keys.
    """
    shown = path_text(str(path))
    path = Path(os.path.abspath(path))  # noqa: PTH100 - `..` has no name, and a link keeps its own
    if not is_unicode(str(path)):
        hint = "a link of another name to it will do"
        raise InputError(
            f"{shown}: the path is not UTF-8, so results cannot contain it", where=where, hint=hint
        )
    files = _files(path, shown, where)
    folder = _plain_folder(path, files, shown, where)
    keyed = next((kind for kind in KEYED if _is_keyed(folder, kind)), None)
    try:
        if keyed is not None:
            folder = _of_keys(folder, keyed, flags, shown, where)
        elif folder.operation:
            folder = _in_tree(folder, tree.supercop_flags(folder.operation, folder.sizes))
    except OSError as error:
        place = path_text(str(error.filename))
        raise InputError(f"{place} cannot be read: {error.strerror}", where=where) from None
    if not folder.kinds:
        raise InputError(_nothing(folder, shown), where=where, valid=_VALID)
    _check_sizes(folder, shown, where)
    return folder


def _files(path: Path, shown: str, where: str | None) -> dict[str, bytes]:
    """The contents of all files by path in the folder. InputError if it cannot be read."""
    try:
        if not path.is_dir():
            problem = "is not a folder" if path.exists() else "there is no such folder"
            if path.is_symlink() and not path.exists():
                problem = "the link leads nowhere"
            raise InputError(f"{shown}: {problem}", where=where, valid=_VALID)
        entries = sorted(_walk(path, shown, where))
        return {str(entry.relative_to(path)): contents(entry, _MOST_BYTES) for entry in entries}
    except OSError as error:
        place = path_text(str(error.filename or path))
        raise InputError(f"{place} cannot be read: {error.strerror}", where=where) from None


def _plain_folder(
    path: Path, files: Mapping[str, bytes], shown: str, where: str | None
) -> CodeFolder:
    """The folder with the sizes that the text of its headers has. InputError without ``api.h`` or
    sources.
    """
    if not files:
        raise InputError(f"{shown} is empty", where=where, valid=_VALID)
    if API not in files:
        raise InputError(f"{shown} has no {API}", where=where, valid=_VALID)
    others = [content for name, content in files.items() if name.endswith(".h") and name != API]
    headers = [content.decode("latin-1") for content in (*others, files[API])]
    entries = [path / name for name in files if "/" not in name]
    sources = tuple(entry for entry in entries if entry.suffix in SOURCES)
    ignored = tuple(path_text(entry.name) for entry in entries if entry.suffix in _OTHERS)
    if not sources:
        raise InputError(f"{shown} contains no C, C++ or assembly file", where=where, valid=_VALID)
    folder = CodeFolder(path, _digest(files), files, sources, _sizes(headers), ignored)
    return replace(folder, operation=_operation(path))


def _operation(path: Path) -> str:
    """The kind that a folder's place in SUPERCOP says; empty if it says none."""
    place = tree.supercop(path)
    return "" if place is None or place[1] not in SIZES else place[1]


def _is_keyed(folder: CodeFolder, kind: str) -> bool:
    """True if the folder is of a kind with keys in pairs: by its place in SUPERCOP, or its
    functions.
    """
    if folder.operation:
        return folder.operation == kind
    return any(_FUNCTIONS[kind].search(text) for text in folder.files.values())


def _of_keys(
    folder: CodeFolder, kind: str, flags: Iterable[str], shown: str, where: str | None
) -> CodeFolder:
    """The folder of a KEM or signature, with the sizes that the compiler computes, and the common
    files of its tree. OSError if one cannot be read.
    """
    macros = _size_macros(folder, kind, shown, where)
    by_tree = tree.tree_flags(folder.path)
    if folder.operation:
        by_tree = tree.supercop_flags(folder.operation, {})
    sizes = {**folder.sizes, **_key_sizes(folder, kind, macros, (*by_tree, *flags))}
    if folder.operation:
        by_tree = tree.supercop_flags(folder.operation, sizes)
    return _in_tree(replace(folder, sizes=sizes), by_tree)


def _in_tree(folder: CodeFolder, flags: tuple[str, ...]) -> CodeFolder:
    """The folder with the common files and the macros of its tree. OSError if one cannot be
    read.
    """
    common = tree.common_folders(folder.path)
    places = list(dict.fromkeys(place for folders in common for place in folders))
    shared = {
        entry: contents(entry, _MOST_BYTES)
        for place in places
        for entry in sorted(place.iterdir())
        if entry.suffix in (*SOURCES, ".h") and entry.is_file()
    }
    # The first of several folders of common files keeps the digests of trees that have no other.
    named = {
        f"{tree.COMMON}{places.index(path.parent) or ''}/{path.name}": text
        for path, text in shared.items()
    }
    return replace(
        folder,
        shared=shared,
        common=common,
        digest=_digest({**folder.files, **named, **dict.fromkeys(flags, b"")}),
        flags=flags,
    )


def _headers(folder: CodeFolder) -> list[str]:
    """Names of the headers in the folder itself."""
    return [name for name in folder.files if name.endswith(".h") and "/" not in name]


def _text(folder: CodeFolder, name: str) -> str:
    return folder.files[name].decode("latin-1")


def _size_macros(folder: CodeFolder, kind: str, shown: str, where: str | None) -> dict[str, str]:
    """The sizes of a kind, each with its macro in the headers: PQClean puts a prefix before every
    name.
    """
    prefix = ""
    if not any(
        re.search(r"\bCRYPTO_PUBLICKEYBYTES\b", _text(folder, name)) for name in _headers(folder)
    ):
        prefixes = sorted(set(re.findall(r"\b(\w+?)CRYPTO_PUBLICKEYBYTES\b", _text(folder, API))))
        if len(prefixes) > 1:
            raise InputError(
                f"{shown}/{API} has the sizes of several schemes: {', '.join(prefixes)}",
                where=where,
            )
        prefix = prefixes[0] if prefixes else ""
    return {name: prefix + name for name in SIZES[kind]}


def _key_sizes(
    folder: CodeFolder, kind: str, macros: Mapping[str, str], flags: tuple[str, ...]
) -> dict[str, int]:
    """The sizes that the compiler computes; without one, those that the text of the headers has."""
    headers = _headers(folder)
    first = [
        API,
        *(name for name in headers if name != API and _FUNCTIONS[kind].search(folder.files[name])),
    ]
    try:
        defined = tree.sizes(folder.path, first, macros, flags)
    except ProbeFailure:
        defined = None  # the build will say why
    if defined is None:
        every = "\n".join(_text(folder, name) for name in headers)
        defined = _sizes([every, _text(folder, API)], macros.values())
    sizes = {name: defined.get(name, defined.get(macro)) for name, macro in macros.items()}
    return {name: size for name, size in sizes.items() if size is not None}


def _check_sizes(folder: CodeFolder, shown: str, where: str | None) -> None:
    """InputError for sizes that are no sizes, or longer than the probe can take."""
    kind, sizes = folder.kinds[0], folder.sizes
    if kind not in KEYED:
        for name, most in _LIMITS.items():
            if sizes.get(name, 0) > most:
                raise InputError(
                    f"{shown}/{API}: {name} is {sizes[name]}", where=where, valid=f"up to {most}"
                )
        for name in SIZES[kind] if kind in CATALOG_ONLY else ():
            if sizes[name] < 1:
                raise InputError(
                    f"{shown}/{API}: {name} is {sizes[name]}",
                    where=where,
                    valid=f"1 to {_LIMITS[name]}",
                )
        return
    for name in SIZES[kind]:
        if not 0 < sizes[name] <= _LONGEST_KEY:
            raise InputError(
                f"{shown}/{API}: {name} is {sizes[name]}", where=where, valid=f"1 to {_LONGEST_KEY}"
            )
    both = sizes["CRYPTO_PUBLICKEYBYTES"] + sizes["CRYPTO_SECRETKEYBYTES"]
    if kind == "sign" and both > _LONGEST_KEY:
        raise InputError(
            f"{shown}/{API}: both keys have {both} B",
            where=where,
            valid=f"up to {_LONGEST_KEY} together",
        )


def _walk(path: Path, shown: str, where: str | None) -> list[Path]:
    """Every file of the folder and of its sub-folders, which may contain headers."""
    files: list[Path] = []
    total = 0
    for entry in path.rglob("*"):
        if _GIT in entry.relative_to(path).parts:
            continue  # it changes with every command of git, and is no code
        mode = _mode(entry)
        if stat.S_ISREG(mode):
            files.append(entry)
            total += entry.stat().st_size
        elif mode and not stat.S_ISDIR(mode):
            raise InputError(
                f"{path_text(str(entry))} is neither a file nor a folder, so a compiler could "
                "read it forever",
                where=where,
                valid=_VALID,
            )
        if len(files) > _MOST_FILES or total > _MOST_BYTES:
            raise InputError(
                f"{shown} contains more than {_MOST_FILES} files or {_MOST_BYTES >> 20} MiB",
                where=where,
                valid=_VALID,
            )
    return files


def _mode(entry: Path) -> int:
    """The type bits of the file, links followed; 0 for a broken link."""
    try:
        return entry.stat().st_mode
    except (FileNotFoundError, RuntimeError):
        return 0


def contents(path: Path, most: int) -> bytes:
    """The whole content of a regular file of at most that many bytes, whatever length the system
    reports. OSError if it is not."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a pipe must not be waited for
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most >> 20} MiB", str(path))
    return content


def _nothing(folder: CodeFolder, shown: str) -> str:
    texts = [folder.files[path.name] for path in folder.sources]
    for kind, sizes in SIZES.items():
        missing = [name for name in sizes if name not in folder.sizes]
        if missing and any(_FUNCTIONS[kind].search(text) for text in texts):
            return f"{shown}/{API} does not define {', '.join(missing)} as a number"
    return (
        f"no C, C++ or assembly file of {shown} names crypto_aead_encrypt, crypto_hash, "
        "crypto_kem_enc, crypto_sign_keypair, crypto_scalarmult_base, crypto_dh_keypair or "
        "crypto_cipher_encrypt"
    )


def _digest(files: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, content in files.items():
        whole.update(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest())
        whole.update(hashlib.sha256(content).digest())
    return whole.hexdigest()


def _sizes(texts: Iterable[str], names: Iterable[str] = _ALL_SIZES) -> dict[str, int]:
    """The sizes that headers define, api.h last: numbers, names of other sizes, and sums of
    these.
    """
    defined = {match[1]: match[2] for text in texts for match in _DEFINE.finditer(text)}
    sizes = {}
    for name in names:
        value = defined.get(name, "")
        for _ in range(_DEEPEST):
            value = _NAME.sub(
                lambda match: f"({defined.get(match[0], match[0])})", value[:_LONGEST]
            )
        if (number := _value(value)) is not None:
            sizes[name] = number
    return sizes


def _value(text: str) -> int | None:
    """The value of a constant expression of whole numbers; None if it is something else."""
    plain = _SUFFIX.sub(r"\1", text)
    if len(plain) > _LONGEST or not _EXPRESSION.fullmatch(plain):
        return None
    try:
        return _Constants().value(parsed(plain.strip()))
    except (ExpressionError, ZeroDivisionError, RecursionError):
        return None


class _Constants(Arithmetic[int]):
    """Whole numbers and the four operations of C."""

    operators: Mapping[type[ast.operator], Callable[[int, int], int]] = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.floordiv,
    }

    def number(self, value: int | float) -> int:
        if isinstance(value, float):
            raise self.refused(ast.Constant(value))
        return value
