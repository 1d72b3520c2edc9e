"""The names that commands and runs understand: the schemes of the catalog, and user code with its
own schemes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.model import Encapsulated, Kind, Scheme, Signed
from motebench.base.naming import plain
from motebench.catalog import USER_CODE, Schemes, schemes
from motebench.catalog.vectors.keys import public_key, test_key
from motebench.catalog.vectors.model import Vector
from motebench.targets.code import answers, guards
from motebench.targets.code.building import UserCode
from motebench.targets.code.folder import (
    AGREED,
    CATALOG_ONLY,
    CIPHER_NONCE,
    KEYED,
    CodeFolder,
    path_text,
    read,
    slug,
)

PREFIX = "code/"
KINDS = {
    "aead": Kind.AEAD,
    "hash": Kind.HASH,
    "kem": Kind.KEM,
    "sign": Kind.SIGNATURE,
    "scalarmult": Kind.AGREEMENT,
    "dh": Kind.AGREEMENT,
    "cipher": Kind.CIPHER,
}
_UNCOMPRESSED = 4
SEED_BYTES = 64
"""Bytes of randomness that key generation and encapsulation are given on boards; more follows a
generator.
"""


@dataclass(frozen=True)
class Workspace:
    """Schemes and user code by name. Immutable: `add_code` returns a new workspace.

    ``schemes``: those of the catalog, then those of user code. ``code``: user code by the name of
    the implementation.
    """

    schemes: Schemes = field(default_factory=schemes)
    code: Mapping[str, UserCode] = field(default_factory=lambda: MappingProxyType({}))

    def code_of(self, implementation: str) -> UserCode | None:
        """The user code of an implementation or its variant; None if the implementation is not user
        code.
        """
        return self.code.get(plain(implementation))


@dataclass(frozen=True, slots=True)
class GivenCode:
    """Folder of user code, with the user's declarations.

    ``kats``: its known answers, instead of those found beside it. ``declared``: schemes of the
    catalog that it is said to compute; the others are called after the folder. ``name``: called so
    instead of after any folder, so that two folders can be one implementation in two runs.
    ``where``: the option or key, for messages.
    """

    path: Path
    kats: Sequence[Path] = ()
    declared: Sequence[str] = ()
    flags: tuple[str, ...] = ()
    unproved: bool = False
    name: str = ""
    where: str | None = "--code"


def add_code(workspace: Workspace, given: GivenCode) -> tuple[Workspace, UserCode]:
    """Read a folder of user code; return the workspace with it, and the code. InputError for
    unusable code.
    """
    folder = read(given.path, given.where, given.flags)
    guards.warn()
    files = _answer_files(folder, given.kats)
    catalog = _declared(workspace.schemes, given, folder.kinds)
    schemes: dict[str, Scheme] = {}
    vectors: dict[str, list[Vector]] = {}
    for kind in folder.kinds:
        scheme = schemes[kind] = _scheme_of(kind, folder, catalog.get(kind), files, given)
        if kind in files:
            vectors[scheme.name] = answers.load(files[kind], folder, kind, scheme.name)
    names = {kind: scheme.name for kind, scheme in schemes.items()}
    if given.declared and not any(name in names.values() for name in given.declared):
        raise InputError(
            f"{path_text(str(given.path))} computes no {' and no '.join(given.declared)}",
            where="--scheme",
            valid=f"a scheme of kind {' or '.join(names)}, or no --scheme",
        )
    code_name = PREFIX + slug(given.name) if given.name else _free(folder, workspace.code)
    code = UserCode(
        code_name,
        folder,
        names,
        vectors,
        files,
        given.flags,
        given.unproved,
        next((seed for kind in catalog if (seed := _seed_bytes(catalog[kind], folder))), 0),
    )
    codes = MappingProxyType({**workspace.code, code.name: code})
    new = [scheme for kind, scheme in schemes.items() if kind not in catalog]
    return Workspace(workspace.schemes.plus(new) if new else workspace.schemes, codes), code


def _declared(schemes: Schemes, given: GivenCode, kinds: Sequence[str]) -> dict[str, Scheme]:
    """Catalog schemes that the user declared for the code, by kind of code."""
    named = [schemes[name] for name in given.declared if name in schemes]
    return {kind: scheme for kind in kinds for scheme in named if _is_of(scheme, kind)}


def _is_of(scheme: Scheme, kind: str) -> bool:
    """True if code of that kind can compute the scheme."""
    return scheme.kind is KINDS[kind] or (kind == "cipher" and scheme.kind is Kind.STREAM)


def _scheme_of(
    kind: str,
    folder: CodeFolder,
    declared: Scheme | None,
    files: Mapping[str, Path],
    given: GivenCode,
) -> Scheme:
    """The scheme that the code computes: the declared one, or a new one called after the folder."""
    if declared is not None:
        _fits(declared, folder, kind, given.where)
        return declared
    if kind in CATALOG_ONLY:
        title, valid = (
            ("a cipher", "aes-128-ecb, aes-128-ctr, ...")
            if kind == "cipher"
            else ("a key agreement", ", ".join(_agreements(folder, kind)) or "none of these sizes")
        )
        raise InputError(
            f"{path_text(str(given.path))} is {title}: it must pass known answers of one in the "
            "catalog",
            where="--scheme",
            valid=f"the scheme of the catalog that it computes: {valid}",
            hint="motebench list schemes",
        )
    return _scheme(
        kind, folder, given.name or _after(folder, None if given.kats else files.get(kind))
    )


def _free(folder: CodeFolder, taken: Mapping[str, UserCode]) -> str:
    """A unique name: the folder's name, preceded by as many parent folders as needed."""
    parts = [slug(part) for part in folder.path.parts[1:]] or ["folder"]
    for count in range(1, len(parts) + 1):
        name = PREFIX + "-".join(parts[-count:])
        if name not in taken or taken[name].folder.path == folder.path:
            return name
    return PREFIX + folder.digest[:16]


def _answer_files(folder: CodeFolder, kats: Sequence[Path]) -> dict[str, Path]:
    if folder.kinds[0] in KEYED:
        (kind,) = folder.kinds
        if len(kats) > 1:
            raise InputError(
                f"{len(kats)} files of known answers",
                where="--kat",
                valid="one, with records of pk and sk",
            )
        file = kats[0] if kats else answers.beside(folder, kind)
        return {} if file is None else {kind: file}
    if folder.kinds[0] in CATALOG_ONLY:
        if kats:
            raise InputError(
                "known answers of ciphers and key agreements are those of the catalog",
                where="--kat",
                valid="--scheme alone",
            )
        return {}
    if kats:
        return {answers.kind_of(path): path for path in kats}
    return {kind: path for kind in folder.kinds if (path := answers.beside(folder, kind))}


def _after(folder: CodeFolder, answers: Path | None) -> str:
    """Name of the folder with the known answers, which all implementations of a scheme share.

    Without them that of the scheme's folder in trees like PQClean's:
    ``crypto_kem/<scheme>/<implementation>``.
    """
    if answers is None and folder.path.parent.parent.name in ("crypto_kem", "crypto_sign"):
        return folder.path.parent.name
    return (folder.path if answers is None else answers.parent).name


def _scheme(kind: str, folder: CodeFolder, name: str) -> Scheme:
    """A scheme of that name, with the sizes of api.h."""
    sizes = folder.sizes
    if kind in KEYED:
        return _keyed(kind, folder, f"code-{slug(name).lower()}-{kind}")
    return Scheme(
        f"code-{slug(name).lower()}-{kind}",
        USER_CODE,
        KINDS[kind],
        key_bytes=sizes["CRYPTO_KEYBYTES"] if kind == "aead" else 0,
        nonce_bytes=sizes["CRYPTO_NPUBBYTES"] if kind == "aead" else 0,
        tag_bytes=sizes["CRYPTO_ABYTES" if kind == "aead" else "CRYPTO_BYTES"],
    )


def _keyed(kind: str, folder: CodeFolder, name: str) -> Scheme:
    sizes = folder.sizes
    public, private = sizes["CRYPTO_PUBLICKEYBYTES"], sizes["CRYPTO_SECRETKEYBYTES"]
    result = sizes["CRYPTO_BYTES"]
    if kind == "sign":
        signed = Signed(public, public + private, result, keygen_seed=SEED_BYTES)
        return Scheme(name, USER_CODE, Kind.SIGNATURE, signing=signed)
    ciphertext = sizes["CRYPTO_CIPHERTEXTBYTES"]
    kem_sizes = Encapsulated(
        public, private, ciphertext, result, SEED_BYTES, SEED_BYTES, implicit_rejection=False
    )
    return Scheme(name, USER_CODE, Kind.KEM, kem=kem_sizes)


def _agreed_sizes(scheme: Scheme, kind: str) -> dict[str, tuple[str, int]]:
    """The same of a key agreement, whose test key has the sizes of every key."""
    point, private = public_key(scheme.name), len(test_key(scheme.name))
    # Code without the byte that says the form of a point (SEC 1, section 2.3.3)
    public = len(point) - (len(point) % 2 and point[0] == _UNCOMPRESSED)
    of_public, of_private = AGREED[kind]
    return {of_public: ("public key", public), of_private: ("private key", private)}


def _agreements(folder: CodeFolder, kind: str) -> list[str]:
    """The key agreements of the catalog whose sizes the folder has."""
    return [
        name
        for name, scheme in schemes().items()
        if scheme.kind is Kind.AGREEMENT
        and all(
            folder.sizes.get(size) == length
            for size, (_, length) in _agreed_sizes(scheme, kind).items()
        )
    ]


def _named_sizes(scheme: Scheme, kind: str) -> dict[str, tuple[str, int]]:
    """Sizes of a catalog scheme, each with its meaning, by their names in api.h."""
    if kem := scheme.kem:
        return {
            "CRYPTO_PUBLICKEYBYTES": ("public key", kem.public),
            "CRYPTO_SECRETKEYBYTES": ("private key", kem.private),
            "CRYPTO_CIPHERTEXTBYTES": ("ciphertext", kem.ciphertext),
            "CRYPTO_BYTES": ("secret", kem.secret),
        }
    if scheme.kind is Kind.AGREEMENT:
        return _agreed_sizes(scheme, kind)
    if (signing := scheme.signing) is not None:
        private = (
            {"CRYPTO_SECRETKEYBYTES": ("private key", signing.private)}
            if signing.private is not None
            else {}
        )
        return {
            "CRYPTO_PUBLICKEYBYTES": ("public key", signing.public),
            **private,
            "CRYPTO_BYTES": ("signature", signing.signature),
        }
    if scheme.kind is Kind.AEAD:
        return {
            "CRYPTO_KEYBYTES": ("key", scheme.key_bytes),
            "CRYPTO_NPUBBYTES": ("nonce", scheme.nonce_bytes),
            "CRYPTO_ABYTES": ("tag", scheme.tag_bytes),
        }
    if scheme.kind in (Kind.CIPHER, Kind.STREAM):
        nonce = {CIPHER_NONCE: ("nonce", scheme.nonce_bytes)} if scheme.nonce_bytes else {}
        return {"CRYPTO_KEYBYTES": ("key", scheme.key_bytes), **nonce}
    return {"CRYPTO_BYTES": ("tag", scheme.tag_bytes)}


def _seed_bytes(scheme: Scheme, folder: CodeFolder) -> int:
    """Bytes of a private key of the scheme if the code's are that seed, then the public key, as
    Ed25519 has them in SUPERCOP and NaCl; else 0.
    """
    signing = scheme.signing
    if signing is None or signing.private is None:
        return 0
    both = signing.private + signing.public
    return signing.private if folder.sizes.get("CRYPTO_SECRETKEYBYTES") == both else 0


def _fits(scheme: Scheme, folder: CodeFolder, kind: str, where: str | None) -> None:
    """A scheme of the catalog must have the sizes of api.h."""
    for name, (part, size) in _named_sizes(scheme, kind).items():
        given = folder.sizes.get(name, 0)
        seeded = name == "CRYPTO_SECRETKEYBYTES" and _seed_bytes(scheme, folder)
        if given != size and not seeded:
            raise InputError(
                f"{path_text(str(folder.path))}/api.h: {name} is {given}, {scheme.name} has a "
                f"{part} of {size} B",
                where=where,
            )
