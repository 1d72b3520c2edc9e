"""Papers that can be replicated, read from ``catalog/papers/<key>/claims.toml``."""

from __future__ import annotations

from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.lookup import schemes
from motebench.catalog.papers import paper
from motebench.publications.papers.model import ClaimsFile

FILE = "claims.toml"


def folder_of(key: str, catalog: Path | None = None) -> Path:
    """The folder of a paper."""
    return (catalog or catalog_dir()) / "papers" / key


def replicable(catalog: Path | None = None) -> list[str]:
    """Keys of the papers whose claims are written down."""
    return sorted(path.parent.name for path in ((catalog or catalog_dir()) / "papers").glob(f"*/{FILE}"))


def read_claims(key: str, catalog: Path | None = None) -> ClaimsFile:
    """The claims of a paper, checked. InputError with file, line and key; or that lists the keys there are."""
    known = replicable(catalog)
    if key not in known:
        if catalog is None:
            paper(key)  # a message of its own for a key that no paper has
        raise InputError(
            f"paper {key!r} has no claims to replicate", valid=", ".join(known), hint=did_you_mean(key, known)
        )
    document = toml.load(folder_of(key, catalog) / FILE)
    found = toml.validate(document, ClaimsFile)
    if found.paper != key:
        raise InputError("paper differs from the name of the folder", where=document.where(("paper",)), valid=key)
    for index, subject in enumerate(found.subject):
        for name in subject.schemes:
            if name not in schemes():
                raise InputError(
                    f"unknown scheme {name!r}",
                    where=document.where(("subject", index, "schemes")),
                    hint=did_you_mean(name, schemes()),
                )
    return found
