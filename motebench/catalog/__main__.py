"""Checks of every catalog file, and of the relations between them.

``python -m motebench.catalog [FOLDER]``: one line per finding on standard error, exit status 1 if
there are any.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.files.toml import KeyPath, TomlDocument
from motebench.base.model import Scheme
from motebench.base.naming import squeezed
from motebench.base.paths import catalog_dir
from motebench.catalog.cores import LinuxCore
from motebench.catalog.devices import DEVICES, MissingBoards
from motebench.catalog.libraries import LIBRARIES
from motebench.catalog.lookup import placeholders, schemes_of
from motebench.catalog.parts import BATTERIES, CONVERTERS, ELEMENTS
from motebench.catalog.policies import (
    ChoicePolicy,
    Claims,
    ConnectionPolicy,
    Policy,
    Profiles,
)
from motebench.catalog.protocols import PROTOCOLS
from motebench.catalog.published import paper_files, read_paper, read_tables
from motebench.catalog.radios import RADIOS, REGIONS, Networks
from motebench.catalog.schema import (
    Algorithm,
    AlgorithmKind,
    DataLimits,
    KeyRange,
    Record,
    SchemeRule,
    first_day,
    selects,
)

_KEYLESS = (AlgorithmKind.HASH,)
_OWN_SIZES = (AlgorithmKind.KEM,)
_POLICIES: dict[str, type[Record]] = {
    "data-limits.toml": DataLimits,
    "boards.toml": MissingBoards,
    "choice.toml": ChoicePolicy,
    "connections.toml": ConnectionPolicy,
    "constant-time.toml": Claims,
    "lorawan-networks.toml": Networks,
    "profiles.toml": Profiles,
}
"""Files of the folder ``policies`` that one model describes, beside those of ``bodies``."""


@dataclass(frozen=True)
class _File:
    document: TomlDocument
    algorithm: Algorithm
    schemes: list[Scheme]


def lint(catalog: Path) -> list[str]:
    """Every finding in a catalog folder, one message each, with file and line; empty if there is
    none.
    """
    findings: list[str] = []
    files: list[_File] = []
    folder = catalog / "algorithms"
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        findings.append(f"{folder}: there are no algorithm files")
    for path in paths:
        try:
            document = toml.load(path)
        except InputError as error:
            findings.append(str(error))
            continue
        checked = toml.check(document, Algorithm)
        if isinstance(checked, list):
            findings += [str(problem) for problem in checked]
            continue
        try:
            files.append(_File(document, checked, schemes_of(checked)))
        except ValueError:
            findings += [f"{document.where(path)}: {text}" for path, text in _blame(checked)]
    for file in files:
        findings += [f"{file.document.where(path)}: {text}" for path, text in _check_file(file)]
    findings += _check_names(files)
    findings += _check_policies(catalog / "policies")
    findings += _check_papers(catalog)
    findings += _check_shelves(catalog)
    findings += _check_cores(
        catalog / "cores", {scheme.name for file in files for scheme in file.schemes}
    )
    return findings


def _check_shelves(catalog: Path) -> Iterator[str]:
    for shelf in (DEVICES, RADIOS, REGIONS, BATTERIES, ELEMENTS, CONVERTERS, LIBRARIES, PROTOCOLS):
        for path in shelf.files(catalog):
            try:
                shelf.read(path)
            except InputError as error:
                yield str(error)


def _check_cores(folder: Path, schemes: set[str]) -> Iterator[str]:
    for path in sorted(folder.glob("*.toml")):
        document = toml.load(path)
        core = toml.check(document, LinuxCore)
        if isinstance(core, list):
            yield from (str(problem) for problem in core)
            continue
        if core.id != path.stem:
            yield f"{document.where(('id',))}: the id is {core.id!r}, but the file is {path.name}"
        for index, speed in enumerate(core.speeds):
            if speed.scheme not in schemes:
                where = document.where(("speeds", index, "scheme"))
                yield f"{where}: there is no scheme {speed.scheme!r}"


def _check_papers(catalog: Path) -> Iterator[str]:
    for path in paper_files(catalog):
        try:
            read_paper(path)
            read_tables(path.parent)
        except InputError as error:
            yield str(error)


def _blame(algorithm: Algorithm) -> Iterator[tuple[KeyPath, str]]:
    """The rules and aliases of a file that make it impossible to derive its schemes."""
    for alias, target in algorithm.aliases.items():
        try:
            placeholders(alias)
            placeholders(target)
        except ValueError as error:
            yield ("aliases", alias), str(error)
    for index, rule in enumerate(algorithm.schemes):
        try:
            schemes_of(algorithm.model_copy(update={"schemes": (rule,), "aliases": {}}))
        except ValueError as error:
            yield ("schemes", index), str(error)


def _check_file(file: _File) -> Iterator[tuple[KeyPath, str]]:
    algorithm = file.algorithm
    if algorithm.id != file.document.path.stem:
        yield ("id",), f"the id is {algorithm.id!r}, but the file is {file.document.path.name}"
    if algorithm.kind is AlgorithmKind.BLOCK_CIPHER and not algorithm.block_bits:
        yield (), "a block cipher needs block_bits"
    if algorithm.kind in _KEYLESS and algorithm.key_bits:
        yield ("key_bits",), "a hash has no key"
    yield from _check_sizes(file)
    yield from _check_selectors(file)
    yield from _check_status(file)
    yield from _check_aliases(file)
    yield from _check_usual(file)


def _check_sizes(file: _File) -> Iterator[tuple[KeyPath, str]]:
    """Sizes of schemes must be sizes of the algorithm, and the algorithm's sizes must be
    plausible.
    """
    algorithm = file.algorithm
    for index, rule in enumerate(algorithm.schemes):
        here: KeyPath = ("schemes", index)
        for key, problem in (*_key_sizes(algorithm, rule), *_other_sizes(algorithm, rule)):
            yield (*here, key), problem
        if algorithm.kind not in (*_KEYLESS, *_OWN_SIZES) and not rule.key_bits and not rule.sizes:
            yield here, f"a {algorithm.kind} needs key_bits"
        if len(set(rule.modes)) != len(rule.modes):
            yield (*here, "modes"), "a mode is listed twice"


def _key_sizes(algorithm: Algorithm, rule: SchemeRule) -> Iterator[tuple[str, str]]:
    keys = algorithm.key_bits
    for bits in rule.key_bits:
        if bits not in keys:
            yield (
                "key_bits",
                f"{bits} is not among the key_bits of {algorithm.name} ({_spell(keys)})",
            )
        if rule.key_bytes is None and bits % 8:
            yield "key_bits", f"{bits} bits are not a whole number of bytes; give key_bytes"


def _other_sizes(algorithm: Algorithm, rule: SchemeRule) -> Iterator[tuple[str, str]]:
    if rule.block_bits and rule.block_bits not in algorithm.block_bits:
        yield "block_bits", f"{rule.block_bits} is not among the block_bits of {algorithm.name}"
    if rule.nonce_bits and rule.nonce_bits not in algorithm.nonce_bits:
        yield "nonce_bits", f"{rule.nonce_bits} is not among the nonce_bits of {algorithm.name}"
    for bits in rule.tag_bits:
        if algorithm.tag_bits and bits not in algorithm.tag_bits:
            yield "tag_bits", f"{bits} is not among the tag_bits of {algorithm.name}"


def _spell(keys: KeyRange | tuple[int, ...]) -> str:
    return f"{keys.min} to {keys.max}" if isinstance(keys, KeyRange) else ", ".join(map(str, keys))


def _check_selectors(file: _File) -> Iterator[tuple[KeyPath, str]]:
    algorithm = file.algorithm
    tables: list[tuple[KeyPath, dict[str, int]]] = [
        (("security", "bits"), algorithm.security.bits),
        (("security", "category"), algorithm.security.category),
    ]
    if isinstance(algorithm.rounds, dict):
        tables.append((("rounds",), algorithm.rounds))
    for path, table in tables:
        for selector in table:
            if not any(selects(selector, scheme) for scheme in file.schemes):
                yield (*path, selector), f"{selector!r} selects no scheme of {algorithm.name}"
        for scheme in file.schemes:
            hits = [selector for selector in table if selects(selector, scheme)]
            if len(hits) > 1:
                yield (
                    (*path, hits[1]),
                    f"{scheme.name} is selected by both {hits[0]!r} and {hits[1]!r}",
                )
                break
    for index, entry in enumerate(algorithm.status):
        for selector in entry.schemes:
            if not any(selects(selector, scheme) for scheme in file.schemes):
                yield (
                    ("status", index, "schemes"),
                    f"{selector!r} selects no scheme of {algorithm.name}",
                )


def _check_status(file: _File) -> Iterator[tuple[KeyPath, str]]:
    entries = file.algorithm.status
    for index, (before, after) in enumerate(itertools.pairwise(entries), start=1):
        if first_day(after.date) < first_day(before.date):
            yield (
                ("status", index, "date"),
                f"{after.date} stands after {before.date}; the oldest comes first",
            )
    for index, entry in enumerate(entries):
        if entry.since.year < file.algorithm.year:
            yield (
                ("status", index, "date"),
                f"{entry.date} is before the year of the algorithm, {file.algorithm.year}",
            )


def _check_usual(file: _File) -> Iterator[tuple[KeyPath, str]]:
    names = {scheme.name for scheme in schemes_of(file.algorithm)}
    for short, members in file.algorithm.usual.items():
        if short != squeezed(short):
            yield (
                ("usual", short),
                "short names are in lower case without spaces, hyphens and underscores",
            )
        for member in members:
            if member not in names:
                yield ("usual", short), f"{member} is not a scheme of this file"


def _check_aliases(file: _File) -> Iterator[tuple[KeyPath, str]]:
    for alias, target in file.algorithm.aliases.items():
        if alias != alias.casefold():
            yield (
                ("aliases", alias),
                "aliases are written in lower case; names are found in any case",
            )
        alone = file.algorithm.model_copy(update={"aliases": {alias: target}})
        if not any(scheme.aliases for scheme in schemes_of(alone)):
            yield ("aliases", alias), f"no scheme of {file.algorithm.name} is called {target!r}"


def _check_names(files: list[_File]) -> list[str]:
    """Names and aliases of all schemes together must be unique."""
    owners: dict[str, str] = {}
    findings = []
    for file in files:
        for scheme in file.schemes:
            for name, path in [
                (scheme.name, ("schemes",)),
                *((alias, ("aliases",)) for alias in scheme.aliases),
            ]:
                if name in owners:
                    findings.append(
                        f"{file.document.where(path)}: {name!r} is already a name of {owners[name]}"
                    )
                owners.setdefault(name, scheme.name)
    return findings


def _check_policies(folder: Path) -> Iterator[str]:
    files: dict[Path, type[Record]] = {folder / name: model for name, model in _POLICIES.items()}
    files |= dict.fromkeys(sorted((folder / "bodies").glob("*.toml")), Policy)
    for path, model in files.items():
        try:
            checked = toml.check(toml.load(path), model)
        except InputError as error:
            yield str(error)
            continue
        if isinstance(checked, list):
            yield from map(str, checked)


def main(arguments: list[str]) -> int:
    """Check a catalog folder, by default the one in use."""
    folder = Path(arguments[0]) if arguments else catalog_dir()
    findings = lint(folder)
    for finding in findings:
        print(finding, file=sys.stderr)
    if findings:
        print(f"{len(findings)} finding{'s' if len(findings) > 1 else ''}", file=sys.stderr)
        return 1
    count = len(list((folder / "algorithms").glob("*.toml")))
    print(f"{count} algorithm files are in order")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
