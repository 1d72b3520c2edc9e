"""Papers whose measurements motebench repeats: the algorithms, modes and key sizes that each evaluated, and its
library.

One folder per paper, ``catalog/papers/<key>/paper.toml``; ``docs/catalog.md`` describes the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.lookup import schemes
from motebench.catalog.schema import Record, Text


class Evaluated(Record):
    """One algorithm as a paper evaluated it.

    ``algorithm`` and ``mode`` are the paper's words, ``key_bits`` the sizes it names (RSA: of the modulus). ``schemes``
    are the catalog's schemes that correspond, ``used`` the implementations here that are the paper's own library or its
    successor; empty where it used its own code. ``note``: what the paper leaves open.
    """

    algorithm: Text
    mode: str
    key_bits: list[int]
    schemes: list[Text]
    used: list[Text]
    note: str = ""


class Formula(Record):
    """A formula of a paper, as printed: ``expression`` over the amounts that ``docs/catalog.md`` lists.

    ``called``: the paper's name for the result, ``unit`` what the result is in fact. ``wrong``: why it is not the
    quantity that the name says; ``{at_volts}`` stands for the value of an amount.
    """

    called: Text
    where: Text
    expression: Text
    unit: Text
    wrong: Text


class Paper(Record):
    """A paper: where it was published, what it measured, on which hardware and with which library."""

    key: Text
    title: Text
    year: int
    source: Text
    platform: Text
    library: Text
    evaluated: list[Evaluated]
    formula: tuple[Formula, ...] = ()


def paper_files(catalog: Path) -> list[Path]:
    """Every ``paper.toml`` below a catalog folder, by key."""
    return sorted((catalog / "papers").glob("*/paper.toml"))


def read_paper(path: Path) -> Paper:
    """One paper, its schemes checked against the catalog. InputError with file, line and key."""
    document = toml.load(path)
    paper = toml.validate(document, Paper)
    if paper.key != path.parent.name:
        raise InputError(
            "key differs from the name of the folder", where=document.where(("key",)), valid=path.parent.name
        )
    for index, entry in enumerate(paper.evaluated):
        for name in entry.schemes:
            if name not in schemes():
                raise InputError(
                    f"unknown scheme {name!r}",
                    where=document.where(("evaluated", index, "schemes")),
                    hint=did_you_mean(name, schemes()),
                )
    return paper


@cache
def papers() -> Mapping[str, Paper]:
    """Every paper by key."""
    return MappingProxyType({paper.key: paper for paper in map(read_paper, paper_files(catalog_dir()))})


def paper(key: str) -> Paper:
    """The paper of that key. InputError that lists the keys if there is none."""
    found = papers().get(key)
    if found is None:
        raise InputError(
            f"unknown paper {key!r}",
            where="--paper",
            valid=", ".join(papers()),
            hint=did_you_mean(key, papers()),
        )
    return found
