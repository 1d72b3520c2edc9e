"""One thing by its name: the kinds that have this name, and all known facts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError
from motebench.base.naming import SERIAL, SSH
from motebench.base.shapes import as_document
from motebench.documents.listing import SchemeRow

if TYPE_CHECKING:
    from motebench.catalog.schema import Record

Facts = dict[str, Any]


def describe(kind: str | None, name: str, own: Path | None = None) -> Record | Facts:
    """The thing of that name: an entry of the catalog, or facts by their names, the first of which
    is its kind.

    kind: one of `KINDS`; None where the name alone tells. InputError for what there is not, and
    where things of several kinds have the name.
    """
    if kind is None:
        kind = _kind_of(name, own)
    return KINDS[kind](name, own)


def _kind_of(name: str, own: Path | None) -> str:
    from motebench.base.naming import squeezed
    from motebench.catalog.parts import KINDS as SHELVES

    names_by_kind = _names(own)
    kinds = [kind for kind, names in names_by_kind.items() if name.strip().casefold() in names]
    kinds = kinds or [kind for kind in SHELVES if squeezed(name) in names_by_kind[kind]]
    kinds = kinds or _by_short_name(name)
    if name.startswith((SERIAL, SSH)):
        kinds.append("target")
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        several = f"{', '.join(_article(kind) for kind in kinds[:-1])} and {_article(kinds[-1])}"
        raise InputError(
            f"{name} is {several}",
            hint="say which",
            valid=", ".join(f"describe {kind} {name}" for kind in kinds),
        )
    raise _nothing(name, {word for names in names_by_kind.values() for word in names})


def _nothing(name: str, names: set[str]) -> InputError:
    """The mistake: nothing has this name."""
    from motebench.base.naming import did_you_mean
    from motebench.catalog.devices import missing_board

    hint = (
        missing_board(name)
        or did_you_mean(name, names)
        or "`motebench list KIND` lists the names of a kind"
    )
    valid = f"the name of one of these kinds: {', '.join(KINDS)}"
    return InputError(f"unknown name {name!r}", hint=hint, valid=valid)


def _by_short_name(name: str) -> list[str]:
    """Kinds of things that users may mean by the name: one scheme, or an algorithm with several."""
    from motebench.catalog.lookup import algorithm_called, meant_by

    if len(meant_by(name)) == 1:
        return ["scheme"]
    return ["algorithm"] if algorithm_called(name) else []


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _names(own: Path | None) -> dict[str, set[str]]:
    """Names in lower case, with aliases, by kind. No probe is asked."""
    from motebench.base.paths import studies_dir
    from motebench.catalog import algorithms, papers, schemes
    from motebench.catalog.parts import KINDS as SHELVES
    from motebench.catalog.parts import shelf
    from motebench.catalog.policies import profiles
    from motebench.catalog.protocols import PROTOCOLS
    from motebench.targets.registry import target_names

    names_by_kind = {kind: shelf(kind).words(own) for kind in SHELVES}
    names_by_kind["protocol"] = PROTOCOLS.words(own, array="profiles")
    names_by_kind["scheme"] = {
        word for scheme in schemes().values() for word in (scheme.name, *scheme.aliases)
    } | set(profiles())
    names_by_kind["algorithm"] = set(algorithms())
    names_by_kind["implementation"] = set(_everywhere())
    names_by_kind["target"] = set(target_names())
    names_by_kind["study"] = {path.stem for path in studies_dir().glob("*.toml")}
    names_by_kind["paper"] = set(papers())
    return {kind: {name.casefold() for name in names} for kind, names in names_by_kind.items()}


def _everywhere() -> dict[str, dict[str, list[str]]]:
    """Every implementation without variants, and its variants by the targets that have them."""
    from motebench.base.naming import plain
    from motebench.targets.registry import open_target, target_names
    from motebench.targets.setup.building import known

    variants_by_target: dict[str, dict[str, list[str]]] = {name: {} for name in known()}
    for target in target_names():
        for name in open_target(target).implementations():
            base = plain(name)
            variants = variants_by_target.setdefault(base, {}).setdefault(target, [])
            if name != base:
                variants.append(name[len(base) :])
    return variants_by_target


def _entry(kind: str) -> Callable[[str, Path | None], Record | Facts]:
    def find(name: str, own: Path | None) -> Record:
        from motebench.catalog.parts import find

        return find(kind, name, own)

    return find


def _protocol(name: str, own: Path | None) -> Record:
    from motebench.catalog.protocols import find

    return find(name, own).protocol


def _algorithm(name: str, own: Path | None) -> Record:
    del own
    from motebench.base.naming import did_you_mean
    from motebench.catalog import algorithms
    from motebench.catalog.lookup import algorithm_called

    algorithm = algorithms().get(algorithm_called(name) or "")
    if algorithm is None:
        hint = did_you_mean(name, algorithms()) or "`motebench list algorithms` lists all"
        raise InputError(f"unknown algorithm {name!r}", valid=", ".join(algorithms()), hint=hint)
    return algorithm


def _scheme(name: str, own: Path | None) -> Facts:
    del own
    from motebench.advise.reference.table import flows_of_scheme
    from motebench.catalog import algorithm_of, notes, resolve, status
    from motebench.catalog.policies import profiles

    profile = profiles().get(name.strip().casefold())
    scheme = resolve(profile.scheme if profile else name)
    named = (
        [profile]
        if profile
        else [
            tag_profile for tag_profile in profiles().values() if tag_profile.scheme == scheme.name
        ]
    )
    algorithm = algorithm_of(scheme)
    (row,) = _rows("schemes", scheme.name)
    verdict = status(scheme, datetime.datetime.now(datetime.UTC).date())
    return {
        "kind": "scheme",
        **{("kind_of_scheme" if key == "kind" else key): value for key, value in row.items()},
        "algorithm": algorithm.name,
        "strength_bits": algorithm.strength_bits(scheme),
        "nist_category": algorithm.category(scheme),
        "bytes": _sizes(scheme.name),
        "note_of_the_algorithm": algorithm.note,
        "profiles": [f"{tag_profile.id}: {'. '.join(tag_profile.words)}" for tag_profile in named],
        "operations": [operation.value for operation in scheme.operations],
        "secret_flow": flows_of_scheme(scheme.name),
        "source_of_the_status": str(verdict.source) if verdict else None,
        "notes": notes(scheme),
    }


def _sizes(scheme: str) -> dict[str, int] | None:
    """The sizes of keys, signature and ciphertext; None for a scheme without public keys."""
    from motebench.results.presentation.schemes import sizes_of_schemes

    sizes = next(iter(sizes_of_schemes([scheme])), None)
    if sizes is None:
        return None
    return {name.replace(" ", "_"): size for name, size in sizes.parts if size is not None}


def _target(name: str, own: Path | None) -> Facts:
    del own
    from motebench.targets.registry import open_target, target_names

    target = open_target(name)
    name = target.name
    place = target.place
    try:
        return {
            "kind": "target",
            "target": name,
            "meaning": target_names().get(name),
            "device": place.device.id if place.device else None,
            "evidence": place.evidence.value,
            "implementations": target.implementations(),
        }
    finally:
        place.close()


def _implementation(name: str, own: Path | None) -> Facts:
    del own
    from motebench.advise.reference.table import flows_of_implementation
    from motebench.base.naming import did_you_mean, plain
    from motebench.catalog.policies import claim, slower_core_reasons
    from motebench.targets.registry import open_target
    from motebench.targets.setup.building import lacking

    every = _everywhere()
    base = plain(name)
    if base not in every:
        hint = (
            did_you_mean(base, every)
            or "`motebench list implementations` lists those of this machine"
        )
        raise InputError(f"unknown implementation {name!r}", hint=hint)
    host = open_target("host")
    rows = _rows("implementations", base) if base in host.ready() else []
    schemes = _rows_of_schemes(base) if rows else None
    claimed = claim(base)
    return {
        "kind": "implementation",
        "implementation": base,
        "targets": every[base],
        "version_here": rows[0]["version"] if rows else None,
        "missing_here": None if rows else lacking(base),
        "schemes_here": schemes,
        "operations_here": _operations_of(base) if rows else None,
        "constant_time_by_its_authors": None if claimed is None else claimed.statement,
        "secret_flow": flows_of_implementation(base),
        "slower_on_larger_cores": {
            reason.where: reason.words for reason in slower_core_reasons() if reason.concerns(base)
        },
    }


def _study(name: str, own: Path | None) -> Facts:
    del own
    (row,) = _rows("studies", name.strip().casefold())
    return {"kind": "study", **row, "start": f"motebench run {row['study']}"}


def _paper(name: str, own: Path | None) -> Record:
    del own
    from motebench.catalog import paper

    return paper(name)


def _rows(kind: str, name: str) -> list[Facts]:
    from motebench.show.listing import ListingFilter, listing

    return [as_document(row) for row in listing(kind, ListingFilter((name,))).rows]


def _rows_of_schemes(implementation: str) -> list[str]:
    from motebench.show.listing import ListingFilter, listing

    rows = listing("schemes", ListingFilter(implementation=implementation)).rows
    return [row.scheme for row in rows if isinstance(row, SchemeRow)]


def _operations_of(implementation: str) -> list[str]:
    """Operations of an implementation on this machine: it may verify and not sign."""
    from motebench.base.model import Operation
    from motebench.targets.host.introductions import Introductions
    from motebench.targets.registry import open_target

    target, introductions = open_target("host"), Introductions()
    try:
        introduction = introductions.of(target, implementation)
    finally:
        target.place.close()
    introductions.keep()
    offered = set().union(*introduction.operations.values())
    return [operation.value for operation in Operation if operation.value in offered]


KINDS: Mapping[str, Callable[[str, Path | None], Record | Facts]] = MappingProxyType(
    {
        "scheme": _scheme,
        "algorithm": _algorithm,
        "implementation": _implementation,
        "target": _target,
        "device": _entry("device"),
        "radio": _entry("radio"),
        "region": _entry("region"),
        "battery": _entry("battery"),
        "element": _entry("element"),
        "protocol": _protocol,
        "study": _study,
        "paper": _paper,
    }
)
