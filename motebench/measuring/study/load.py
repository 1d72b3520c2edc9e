"""Studies read from a file, from options or from a store: names resolved, user code read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from motebench.base.errors import InputError, is_unicode, visible
from motebench.base.files import toml
from motebench.base.model import Kind, Operation, Scheme
from motebench.base.naming import did_you_mean, is_pattern, split_alias
from motebench.base.paths import studies_dir
from motebench.catalog import Schemes
from motebench.measuring.study.model import STORED, WITH_AAD, Group, Sampling, Study, WholeFile
from motebench.measuring.study.question import Boards, Question, at_boards, named_boards
from motebench.targets.code.building import UserCode, split_flags
from motebench.targets.code.workspace import KINDS, GivenCode, Workspace, add_code
from motebench.targets.registry import open_target, split_names
from motebench.targets.settings import everywhere

BY_CODE = "code-*"
"""Placeholder for the schemes of user code, which are known only after its files are read."""

WhereInBlock = Callable[[str], str | None]
"""Position of a key of the block, for error messages."""


Where = Callable[[int, str], str | None]
"""Position of key ``name`` of group ``index``, for error messages."""


@dataclass(frozen=True, slots=True)
class Options:
    """A study given by options instead of a file. Entries may hold several values separated by
    commas.
    """

    schemes: tuple[str, ...] = ()
    implementations: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    placements: int | None = None
    operations: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    aad: tuple[str, ...] = ()
    cores: Literal["all"] | tuple[int, ...] = ()
    code: tuple[str, ...] = ()
    kat: tuple[str, ...] = ()
    code_name: str | None = None
    code_flags: str | None = None
    without_kat: bool = False
    files: tuple[str, ...] = ()
    file_sizes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


def from_file(path: Path, fleet: Boards | None = None) -> Question:
    """The study in a TOML file. InputError with file, line and key if it is invalid."""
    document = toml.load(path)
    study = toml.validate(document, Study)
    _nothing_empty(document)

    def where(group: int, key: str) -> str | None:
        return document.where(("measure", group, key))

    settled, workspace = _settled(study, where, path.parent, fleet)
    places = tuple(where(index, "implementations") for index in range(len(settled.measure)))
    boards = named_boards(settled, fleet)
    return Question(settled, document.text, path.stem, workspace, places=places, boards=boards)


def _nothing_empty(document: toml.TomlDocument) -> None:
    """InputError for an empty array, which would mean the default values, like a missing key."""
    for number, block in enumerate(document.data["measure"]):
        for key in (key for key, value in block.items() if value == []):
            raise InputError(
                f"{key} is empty",
                where=document.where(("measure", number, key)),
                valid="at least one, or no such key",
            )


def find_study(name: str) -> Path:
    """The path, or else the study of that name that comes with motebench."""
    path = Path(name)
    if path.exists() or path.name != name:
        return path
    paths = {study.stem: study for study in studies_dir().glob("*.toml")}
    if name not in paths and not path.suffix:
        raise _no_study(name, paths)
    return paths.get(name, path)


def _no_study(name: str, studies: Iterable[str]) -> InputError:
    """The mistake: a word that is neither a file nor a study, but perhaps a scheme."""
    from motebench.catalog import schemes

    hint = did_you_mean(name, studies)
    if Path(f"{name}.toml").exists():
        hint = f"did you mean {name}.toml?"
    elif is_pattern(name) or name.casefold() in {scheme.casefold() for scheme in schemes()}:
        hint = f"a scheme is an option: motebench run --scheme {name}"
    return InputError(
        f"there is neither a file nor a study {name!r}",
        where="STUDY",
        valid=f"a TOML file, or one of the studies {', '.join(sorted(studies))}",
        hint=hint or "`motebench list studies` says what each study measures",
    )


def from_text(text: str, name: str) -> Question:
    """A study that was stored with a run: its names are resolved already."""
    study = Study.model_validate_json(text, context=STORED)
    workspace = Workspace()
    for group in study.measure:
        workspace, _ = read_code(workspace, group, Path(), str)
    return Question(study, text, name, workspace)


_OPTION_OF = {
    "schemes": "--scheme",
    "implementations": "--implementation",
    "targets": "--target",
    "operations": "--operation",
    "sizes": "--size",
    "aad": "--aad",
    "files": "--file",
    "file_sizes": "--file-size",
    "code": "--code",
    "kat": "--kat",
    "code_flags": "--code-flags",
    "without_kat": "--without-kat",
    "code_name": "--code-name",
    "cores": "--cpu",
    "placements": "--placements",
}
"""Option of each key of a block, for messages."""


def from_options(
    options: Options, sampling: Sampling, whole_file: WholeFile, fleet: Boards | None = None
) -> Question:
    """The study that the options describe."""
    try:
        group = Group.model_validate(_block_of(options))
    except ValidationError as error:
        raise _mistake(error) from None
    study = Study(title="from options", measure=(group,), sampling=sampling, whole_file=whole_file)
    settled, workspace = _settled(
        study, lambda _, key: _OPTION_OF.get(key, "--exclude"), Path(), fleet
    )
    boards = named_boards(settled, fleet)
    places = (_OPTION_OF["implementations"],)
    return Question(settled, to_toml(settled), "options", workspace, places=places, boards=boards)


_CODE_KEYS = ("code", "kat", "code_name", "code_flags", "without_kat")


def _block_of(options: Options) -> dict[str, object]:
    """The ``[[measure]]`` block that the options describe, as its file would have it."""
    block: dict[str, object] = {"schemes": _split(options.schemes) or ("*",)}
    for key in ("implementations", "targets", "operations", "sizes", "aad", "file_sizes"):
        split = split_names if key == "targets" else _split
        if values := split(getattr(options, key)):
            block[key] = values
    for key in ("placements", "cores", "files"):
        if value := getattr(options, key):
            block[key] = value
    if any(getattr(options, key) for key in _CODE_KEYS):
        block |= {"code": options.code, "kat": options.kat, "without_kat": options.without_kat}
        block |= {"code_name": options.code_name or "", "code_flags": options.code_flags or ""}
        block |= {"schemes": _split(options.schemes) or (BY_CODE,)}
    if options.excludes:
        block["exclude"] = [{"schemes": [pattern]} for pattern in _split(options.excludes)]
    return block


def _mistake(error: ValidationError) -> InputError:
    """The first mistake in options, with the option that has it."""
    first = error.errors(include_url=False)[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, ValueError) and cause.args and isinstance(cause.args[0], InputError):
        return _at(cause.args[0], _OPTION_OF.get(key))
    if key == "operations":
        return _no_operation(str(first["input"]), _OPTION_OF[key])
    return InputError(first["msg"].removeprefix("Value error, "), where=_OPTION_OF.get(key))


def _split(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _no_operation(name: str, where: str | None) -> InputError:
    names = [operation.value for operation in Operation]
    return InputError(
        f"unknown operation {name!r}",
        where=where,
        valid=", ".join(names),
        hint=did_you_mean(name, names),
    )


def _settled(
    study: Study, where: Where, folder: Path, fleet: Boards | None = None
) -> tuple[Study, Workspace]:
    """Aliases replaced, names checked, user code read; relative paths start at the study's
    folder.
    """
    groups, workspace = [], Workspace()
    for index, given in enumerate(study.measure):
        on_boards = given.model_copy(
            update={"targets": at_boards(given.targets, fleet, where(index, "targets"))}
        )
        workspace, group = with_code(workspace, on_boards, folder, partial(where, index))
        schemes = workspace.schemes
        _operations_fit(schemes, group, where(index, "operations"))
        _aad_fits(schemes, group, where(index, "aad"))
        _sizes_fit(schemes, group, where(index, "sizes"))
        for target in group.targets:
            open_target(target, where=where(index, "targets"))
        if group.placements:
            everywhere(group.targets, group.placements, where(index, "placements"))
        _labels_differ(group, where(index, "implementations"))
        changes: dict[str, object] = {
            "schemes": tuple(_scheme_names(schemes, group.schemes, where(index, "schemes"))),
            "files": tuple(_file(folder, file, where(index, "files")) for file in group.files),
            "exclude": tuple(
                exclude.model_copy(
                    update={
                        "schemes": tuple(
                            _scheme_names(schemes, exclude.schemes, where(index, "exclude"))
                        )
                    }
                )
                for exclude in group.exclude
            ),
        }
        groups.append(group.model_copy(update=changes))
    return study.model_copy(update={"measure": tuple(groups)}), workspace


def read_code(
    workspace: Workspace, group: Group, folder: Path, where: WhereInBlock
) -> tuple[Workspace, list[UserCode]]:
    """The workspace with the code of a block, and that code; its paths are relative to ``folder``.

    InputError for what cannot be used.
    """
    schemes = workspace.schemes
    declared = [
        name for name in group.schemes if name in schemes and schemes[name].kind in KINDS.values()
    ]
    try:
        flags = split_flags(group.code_flags)
    except ValueError as error:
        raise InputError(
            f"{group.code_flags!r}: {error}",
            where=where("code_flags"),
            valid="flags, as in a shell",
        ) from None
    codes: list[UserCode] = []
    for path in group.code:
        given = GivenCode(
            folder / path,
            kats=[folder / kat for kat in group.kat],
            declared=declared,
            flags=flags,
            unproved=group.without_kat,
            name=group.code_name,
            where=where("code"),
        )
        workspace, code = add_code(workspace, given)
        codes.append(code)
    return workspace, codes


def with_code(
    workspace: Workspace, group: Group, folder: Path, where: WhereInBlock
) -> tuple[Workspace, Group]:
    """The workspace with the code of a block, and the block with resolved paths and names."""
    if not group.code:
        alone = next(
            (
                key
                for key in ("kat", "code_name", "code_flags", "without_kat")
                if getattr(group, key)
            ),
            None,
        )
        if alone is not None:
            raise InputError(
                "this option needs user code", where=where(alone), valid="together with --code"
            )
        return workspace, group
    workspace, codes = read_code(workspace, group, folder, where)
    own = [name for code in codes for name in code.schemes.values()]
    named = [name for given in group.schemes for name in (own if given == BY_CODE else [given])]
    changes: dict[str, object] = {
        "code": tuple(str((folder / path).absolute()) for path in group.code),
        "kat": tuple(str((folder / path).absolute()) for path in group.kat),
        "schemes": tuple(dict.fromkeys(named)),
    }
    if "implementations" not in group.model_fields_set:
        changes["implementations"] = tuple(dict.fromkeys(code.name for code in codes))
    return workspace, group.model_copy(update=changes)


def _at(error: InputError, where: str | None) -> InputError:
    return InputError(error.what, where=where, valid=error.valid, hint=error.hint)


def _scheme_names(schemes: Schemes, patterns: Iterable[str], where: str | None) -> Iterable[str]:
    for pattern in patterns:
        try:
            if not is_pattern(pattern):
                yield schemes.resolve(pattern).name
                continue
            matched = schemes.match(pattern)
        except InputError as error:
            raise _at(error, where) from None
        by_name = any(
            scheme in matched for scheme in schemes.values() if _fits(scheme.name, pattern)
        )
        # A pattern that matches only aliases is replaced by the schemes, because cases have names
        # of the catalog.
        yield from [pattern] if by_name else [scheme.name for scheme in matched]


def _fits(name: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(name, pattern)


def _operations_fit(schemes: Schemes, group: Group, where: str | None) -> None:
    """An operation that no selected scheme has is a mistake, not an empty result."""
    chosen = [scheme for pattern in group.schemes for scheme in _lookup(schemes, pattern)]
    for operation in group.operations:
        if chosen and not any(operation in scheme.operations for scheme in chosen):
            possible = sorted(
                {
                    possible_operation.value
                    for scheme in chosen
                    for possible_operation in scheme.operations
                }
            )
            raise InputError(
                f"none of the schemes has the operation {operation.value!r}",
                where=where,
                valid=", ".join(possible),
            )


def _aad_fits(schemes: Schemes, group: Group, where: str | None) -> None:
    """Additional data that no case would use are a mistake."""
    chosen = [scheme for pattern in group.schemes for scheme in _lookup(schemes, pattern)]
    operations = group.operations or WITH_AAD
    if (
        group.aad
        and chosen
        and not any(s.kind is Kind.AEAD and set(operations) & set(WITH_AAD) for s in chosen)
    ):
        valid = "an AEAD scheme, with " + ", ".join(operation.value for operation in WITH_AAD)
        raise InputError("no operation here takes additional data", where=where, valid=valid)


def _sizes_fit(schemes: Schemes, group: Group, where: str | None) -> None:
    """Sizes of inputs that no case would have are a mistake."""
    chosen = [scheme for pattern in group.schemes for scheme in _lookup(schemes, pattern)]
    operations = {
        op
        for scheme in chosen
        for op in scheme.operations
        if not group.operations or op in group.operations
    }
    if group.sizes and operations and not any(operation.sized for operation in operations):
        raise InputError(
            "no operation here takes an input of a chosen size",
            where=where,
            valid="operations on messages: encrypt-message, digest, mac, sign, verify",
        )


def _lookup(schemes: Schemes, pattern: str) -> list[Scheme]:
    try:
        return schemes.match(pattern) if is_pattern(pattern) else [schemes.resolve(pattern)]
    except InputError:
        return []  # reported with its own place


def _labels_differ(group: Group, where: str | None) -> None:
    labels = [split_alias(entry)[0] for entry in group.implementations]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise InputError(
            f"two implementations have the name {twice[0]!r}",
            where=where,
            valid="a different name for one of them: NAME=IMPLEMENTATION",
        )


def _file(folder: Path, name: str, where: str | None) -> str:
    path = folder / name
    if not is_unicode(str(path)):
        raise InputError(
            f"{visible(str(path))}: the path is not UTF-8, so results cannot contain it",
            where=where,
            hint="a link of another name to it will do",
        )
    if not path.is_file():
        problem = "is not a file" if path.exists() else "there is no such file"
        raise InputError(
            f"{name!r}: {problem}",
            where=where,
            valid="the path of a file, relative to the study's folder",
        )
    if path.stat().st_size == 0:
        raise InputError(
            f"the file {name!r} is empty", where=where, valid="a file of 1 byte or more"
        )
    return str(path)


def _with_unit(key: str, value: object) -> object:
    if key == "precision" and isinstance(value, float):
        return f"{value * 100:g}%"
    return f"{value:g}s" if key in ("budget", "batch", "timeout", "warmup") else value


_LISTS = (
    "schemes",
    "implementations",
    "targets",
    "operations",
    "sizes",
    "aad",
    "code",
    "kat",
    "files",
    "file_sizes",
)
_VALUES = ("placements", "cores", "code_name", "code_flags", "without_kat")


def to_toml(study: Study) -> str:
    """The study as an equivalent file."""
    lines = [f"title = {json.dumps(study.title)}"]
    for group in study.measure:
        lines += ["", "[[measure]]"]
        lines += [f"{key} = {_listed(values)}" for key in _LISTS if (values := getattr(group, key))]
        lines += [
            f"{key} = {json.dumps(value)}" for key in _VALUES if (value := getattr(group, key))
        ]
        for exclude in group.exclude:
            lines += ["", "[[measure.exclude]]", f"schemes = {_listed(exclude.schemes)}"]
    sampling = study.sampling.model_dump(exclude_none=True, exclude_unset=True)
    instruments = sampling.pop("instruments", {})
    lines += _table("sampling", {key: _with_unit(key, value) for key, value in sampling.items()})
    if instruments:
        lines += ["", "[sampling.instruments]"]
        lines += [
            f"{json.dumps(target)} = {json.dumps(name)}" for target, name in instruments.items()
        ]
    lines += _table(
        "whole_file", study.whole_file.model_dump(exclude_unset=True, exclude_none=True)
    )
    return "\n".join(lines) + "\n"


def _listed(values: Iterable[object]) -> str:
    return "[" + ", ".join(json.dumps(value) for value in values) + "]"


def _table(name: str, values: Mapping[str, object]) -> list[str]:
    """Lines of a table; none where it is empty."""
    if not values:
        return []
    return ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())]
