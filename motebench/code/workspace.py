"""The names that commands and runs understand: the schemes of the catalog, and user code with its own schemes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from motebench.catalog import USER_CODE, Schemes, schemes
from motebench.code import answers, sandbox
from motebench.code.building import Code
from motebench.code.folder import Folder, printable, read, slug
from motebench.errors import InputError
from motebench.model import Kind, Scheme
from motebench.naming import plain
from motebench.vectors.model import Vector

PREFIX = "code/"
KINDS = {"aead": Kind.AEAD, "hash": Kind.HASH}
KINDS_BACK = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True)
class Workspace:
    """Schemes and user code by name. Immutable: `add_code` returns a new one.

    ``schemes``: those of the catalog, then those of user code. ``code``: user code by the name of the implementation.
    """

    schemes: Schemes = field(default_factory=schemes)
    code: Mapping[str, Code] = field(default_factory=lambda: MappingProxyType({}))

    def code_of(self, implementation: str) -> Code | None:
        """The user code of an implementation or its variant; None if the implementation is not user code."""
        return self.code.get(plain(implementation))


def add_code(
    workspace: Workspace,
    path: Path,
    *,
    kats: Sequence[Path] = (),
    declared: Sequence[str] = (),
    flags: tuple[str, ...] = (),
    unproved: bool = False,
    name: str = "",
    where: str | None = "--code",
) -> tuple[Workspace, Code]:
    """Read a folder of user code. The workspace with it, and the code.

    kats: its known answers, instead of those found beside it. declared: schemes of the catalog that it is said to
    compute; the others are called after the folder. name: called so instead of after any folder, so that two folders
    can be one implementation in two runs. InputError for what cannot be used.
    """
    folder = read(path, where)
    sandbox.warn()
    files = _answer_files(folder, kats)
    there = workspace.schemes
    named = {KINDS_BACK[there[name].kind]: there[name] for name in declared if name in there}
    found: dict[str, str] = {}
    known: dict[str, list[Vector]] = {}
    new: list[Scheme] = []
    for kind in ("aead", "hash"):
        if not (folder.has_aead if kind == "aead" else folder.has_hash):
            continue
        scheme = named.get(kind)
        if scheme is None:
            scheme = _scheme(kind, folder, name or _after(folder, None if kats else files.get(kind)))
            new.append(scheme)
        _fits(scheme, folder, where)
        found[kind] = scheme.name
        if kind in files:
            known[scheme.name] = answers.load(files[kind], folder, kind, scheme.name)
    if declared and not any(name in found.values() for name in declared):
        raise InputError(
            f"{printable(str(path))} computes no {' and no '.join(declared)}",
            where="--scheme",
            valid=f"a scheme of kind {' or '.join(found)}, or no --scheme",
        )
    code_name = PREFIX + slug(name) if name else _free(folder, workspace.code)
    code = Code(code_name, folder, found, known, files, flags, unproved)
    codes = MappingProxyType({**workspace.code, code.name: code})
    return Workspace(there.plus(new) if new else there, codes), code


def _free(folder: Folder, taken: Mapping[str, Code]) -> str:
    """A unique name: the folder's name, preceded by as many parent folders as needed."""
    parts = [slug(part) for part in folder.path.parts[1:]] or ["folder"]
    for count in range(1, len(parts) + 1):
        name = PREFIX + "-".join(parts[-count:])
        if name not in taken or taken[name].folder.path == folder.path:
            return name
    return PREFIX + folder.digest[:16]


def _answer_files(folder: Folder, kats: Sequence[Path]) -> dict[str, Path]:
    if kats:
        return {answers.kind_of(path): path for path in kats}
    kinds = (("aead", folder.has_aead), ("hash", folder.has_hash))
    return {kind: found for kind, there in kinds if there and (found := answers.beside(folder, kind))}


def _after(folder: Folder, known: Path | None) -> str:
    """The name of the folder that has the known answers, which all implementations of a scheme share."""
    return (folder.path if known is None else known.parent).name


def _scheme(kind: str, folder: Folder, name: str) -> Scheme:
    """A scheme of that name, with the sizes of api.h."""
    sizes = folder.sizes
    return Scheme(
        f"code-{slug(name).lower()}-{kind}",
        USER_CODE,
        KINDS[kind],
        key_bytes=sizes["CRYPTO_KEYBYTES"] if kind == "aead" else 0,
        nonce_bytes=sizes["CRYPTO_NPUBBYTES"] if kind == "aead" else 0,
        tag_bytes=sizes["CRYPTO_ABYTES" if kind == "aead" else "CRYPTO_BYTES"],
    )


def _fits(scheme: Scheme, folder: Folder, where: str | None) -> None:
    """A scheme of the catalog must have the sizes of api.h."""
    sizes = folder.sizes
    told = {"tag_bytes": "CRYPTO_BYTES"}
    if scheme.kind is Kind.AEAD:
        told = {"key_bytes": "CRYPTO_KEYBYTES", "nonce_bytes": "CRYPTO_NPUBBYTES", "tag_bytes": "CRYPTO_ABYTES"}
    for key, name in told.items():
        if sizes[name] != getattr(scheme, key):
            what = key.replace("_bytes", "")
            raise InputError(
                f"{printable(str(folder.path))}/api.h: {name} is {sizes[name]}, {scheme.name} has a {what} of "
                f"{getattr(scheme, key)} B",
                where=where,
            )
