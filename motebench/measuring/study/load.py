"""Reading a study from a file or from command-line options, and resolving its names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

from pydantic import ValidationError

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.model import Kind, Operation, Scheme
from motebench.base.naming import did_you_mean, is_pattern, split_alias
from motebench.base.paths import studies_dir
from motebench.catalog import Schemes
from motebench.measuring.study.model import STORED, WITH_AAD, Group, Sampling, Study, WholeFile
from motebench.measuring.study.user_code import BY_CODE, read_code, with_code
from motebench.targets.code.workspace import Workspace
from motebench.targets.registry import open_target, split_names
from motebench.targets.settings import everywhere

Where = Callable[[int, str], str | None]
"""Position of key ``name`` of group ``index``, for error messages."""


class Boards(Protocol):
    """Boards with names of their own: a `motebench.measuring.fleet.file.Fleet`."""

    def targets(self, names: Iterable[str], where: str | None = None) -> tuple[str, ...]:
        """The targets that names of boards, groups and targets mean."""
        ...

    def named(self, targets: Iterable[str]) -> dict[str, str]:
        """The names of boards, by target."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """A study with resolved names, its original text, and the schemes and code behind the names.

    command: the command line that asks; None where it is asked in another way. places: where the implementations of
    each group are named, for messages.
    """

    study: Study
    text: str
    name: str
    workspace: Workspace = field(default_factory=Workspace)
    command: str | None = None
    places: tuple[str | None, ...] = ()
    boards: Mapping[str, str] = field(default_factory=dict)
    """Names of boards in a fleet file, by target."""


@dataclass(frozen=True, slots=True)
class Options:
    """A study given by options instead of a file. Entries may hold several values separated by commas."""

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

    def where(group: int, key: str) -> str | None:
        return document.where(("measure", group, key))

    settled, workspace = _settled(study, where, path.parent, fleet)
    places = tuple(where(index, "implementations") for index in range(len(settled.measure)))
    boards = named_boards(settled, fleet)
    return Question(settled, document.text, path.stem, workspace, places=places, boards=boards)


def named_boards(study: Study, fleet: Boards | None) -> dict[str, str]:
    """The names of the fleet's boards that a study measures, by target."""
    return fleet.named(target for group in study.measure for target in group.targets) if fleet else {}


def find_study(name: str) -> Path:
    """The path, or else the study of that name that comes with motebench."""
    path = Path(name)
    if path.exists() or path.name != name:
        return path
    known = {study.stem: study for study in studies_dir().glob("*.toml")}
    if name not in known and not path.suffix:
        raise _no_study(name, known)
    return known.get(name, path)


def _no_study(name: str, known: Iterable[str]) -> InputError:
    """The mistake: a word that is neither a file nor a study, but perhaps a scheme."""
    from motebench.catalog import schemes

    hint = did_you_mean(name, known)
    if Path(f"{name}.toml").exists():
        hint = f"did you mean {name}.toml?"
    elif is_pattern(name) or name.casefold() in {each.casefold() for each in schemes()}:
        hint = f"a scheme is an option: motebench run --scheme {name}"
    return InputError(
        f"there is neither a file nor a study {name!r}",
        where="STUDY",
        valid=f"a TOML file, or one of the studies {', '.join(sorted(known))}",
        hint=hint or "`motebench list studies` says what each study measures",
    )


def with_sampling(question: Question, sampling: Sampling, whole_file: Mapping[str, object] | None = None) -> Question:
    """The same question, looked at for as long as ``sampling`` says; what it does not set stays the study's.

    ``whole_file``: keys of `WholeFile` that change.
    """
    study = question.study
    changes = {
        "sampling": study.sampling.model_copy(update=sampling.model_dump(exclude_unset=True)),
        "whole_file": study.whole_file.model_copy(update=whole_file or {}),
    }
    return replace(question, study=study.model_copy(update=changes))


def with_instruments(question: Question, values: Sequence[str]) -> Question:
    """The same question, metered: by one instrument, or each of its targets by the one of an entry ``TARGET=NAME``."""
    targets = {target: target for group in question.study.measure for target in group.targets}
    targets |= {name: target for target, name in question.boards.items()}
    found: dict[str, str] = {}
    for value in values:
        named = max((each for each in targets if value.startswith(f"{each}=")), key=len, default="")
        target = targets.get(named, "")
        if not target and len(values) > 1:
            raise InputError(
                f"{value!r} does not say which target it reads", where="--instrument",
                valid=f"TARGET=NAME, of the targets {', '.join(sorted(targets))}",
            )  # fmt: skip
        if target in found:
            raise InputError(f"two instruments read {target}", where="--instrument", valid="one for each target")
        found[target] = value.removeprefix(f"{named}=") if target else value
    if not found:
        return question
    alone = found.get("")
    changes: dict[str, object] = {"instrument": alone, "instruments": None if alone else found}
    sampling = question.study.sampling.model_copy(update=changes)
    return replace(question, study=question.study.model_copy(update={"sampling": sampling}))


def from_text(text: str, name: str) -> Question:
    """A study that was stored with a run: its names are resolved already."""
    study = Study.model_validate_json(text, context=STORED)
    workspace = Workspace()
    for group in study.measure:
        workspace, _ = read_code(workspace, group, Path(), str)
    return Question(study, text, name, workspace)


def from_options(options: Options, sampling: Sampling, whole_file: WholeFile, fleet: Boards | None = None) -> Question:
    """The study that the options describe."""
    names = {"schemes": "--scheme", "implementations": "--implementation", "targets": "--target"}
    names |= {"operations": "--operation", "sizes": "--size", "aad": "--aad"}
    names |= {"files": "--file", "file_sizes": "--file-size", "code": "--code"}
    names |= {"kat": "--kat", "code_flags": "--code-flags", "without_kat": "--without-kat"}
    names |= {"code_name": "--code-name", "cores": "--cpu", "placements": "--placements"}
    data: dict[str, object] = {"schemes": _split(options.schemes) or ("*",)}
    for key in ("implementations", "targets", "operations", "sizes", "aad", "file_sizes"):
        split = split_names if key == "targets" else _split
        if values := split(getattr(options, key)):
            data[key] = values
    if options.placements:
        data["placements"] = options.placements
    if options.cores:
        data["cores"] = options.cores
    if options.files:
        data["files"] = options.files
    if options.code or options.kat or options.code_name or options.code_flags or options.without_kat:
        data |= {"code": options.code, "kat": options.kat, "without_kat": options.without_kat}
        data |= {"code_name": options.code_name or "", "code_flags": options.code_flags or ""}
        data |= {"schemes": _split(options.schemes) or (BY_CODE,)}
    if options.excludes:
        data["exclude"] = [{"schemes": [pattern]} for pattern in _split(options.excludes)]
    try:
        group = Group.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = str(first["loc"][0]) if first["loc"] else ""
        message = first["msg"].removeprefix("Value error, ")
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, ValueError) and cause.args and isinstance(cause.args[0], InputError):
            raise _at(cause.args[0], names.get(key)) from None
        if key == "operations":
            raise _no_operation(str(first["input"]), names[key]) from None
        raise InputError(message, where=names.get(key)) from None
    study = Study(title="from options", measure=(group,), sampling=sampling, whole_file=whole_file)
    settled, workspace = _settled(study, lambda _, key: names.get(key, "--exclude"), Path(), fleet)
    boards = named_boards(settled, fleet)
    return Question(settled, to_toml(settled), "options", workspace, places=(names["implementations"],), boards=boards)


def _split(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _no_operation(name: str, where: str | None) -> InputError:
    known = [operation.value for operation in Operation]
    return InputError(
        f"unknown operation {name!r}", where=where, valid=", ".join(known), hint=did_you_mean(name, known)
    )


def _settled(study: Study, where: Where, folder: Path, fleet: Boards | None = None) -> tuple[Study, Workspace]:
    """Aliases replaced, names checked, user code read; relative paths start at the study's folder."""
    groups, workspace = [], Workspace()
    for index, given in enumerate(study.measure):
        asked = given.model_copy(update={"targets": at_boards(given.targets, fleet, where(index, "targets"))})
        workspace, group = with_code(workspace, asked, folder, partial(where, index))
        known = workspace.schemes
        _operations_fit(known, group, where(index, "operations"))
        _aad_fits(known, group, where(index, "aad"))
        for target in group.targets:
            open_target(target, where=where(index, "targets"))
        if group.placements:
            everywhere(group.targets, group.placements, where(index, "placements"))
        _labels_differ(group, where(index, "implementations"))
        changes: dict[str, object] = {
            "schemes": tuple(_scheme_names(known, group.schemes, where(index, "schemes"))),
            "files": tuple(_file(folder, file, where(index, "files")) for file in group.files),
            "exclude": tuple(
                exclude.model_copy(
                    update={"schemes": tuple(_scheme_names(known, exclude.schemes, where(index, "exclude")))}
                )
                for exclude in group.exclude
            ),
        }
        groups.append(group.model_copy(update=changes))
    return study.model_copy(update={"measure": tuple(groups)}), workspace


def at_boards(names: tuple[str, ...], fleet: Boards | None, where: str | None) -> tuple[str, ...]:
    """Names of boards replaced by their targets."""
    if fleet is None:
        for name in names:
            if name.startswith("@"):
                raise InputError(
                    f"{name!r} is a group of boards, and there is no fleet", where=where, hint="--fleet FILE names it"
                )
        return names
    return fleet.targets(names, where)


def _at(error: InputError, where: str | None) -> InputError:
    return InputError(error.what, where=where, valid=error.valid, hint=error.hint)


def _scheme_names(known: Schemes, patterns: Iterable[str], where: str | None) -> Iterable[str]:
    for pattern in patterns:
        try:
            if not is_pattern(pattern):
                yield known.resolve(pattern).name
                continue
            matched = known.match(pattern)
        except InputError as error:
            raise _at(error, where) from None
        by_name = any(scheme in matched for scheme in known.values() if _fits(scheme.name, pattern))
        # A pattern that matches only aliases is replaced by the schemes, because cases have names of the catalog.
        yield from [pattern] if by_name else [scheme.name for scheme in matched]


def _fits(name: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(name, pattern)


def _operations_fit(known: Schemes, group: Group, where: str | None) -> None:
    """An operation that no selected scheme has is a mistake, not an empty result."""
    chosen = [scheme for pattern in group.schemes for scheme in _lookup(known, pattern)]
    for operation in group.operations:
        if chosen and not any(operation in scheme.operations for scheme in chosen):
            possible = sorted({each.value for scheme in chosen for each in scheme.operations})
            raise InputError(
                f"none of the schemes has the operation {operation.value!r}", where=where, valid=", ".join(possible)
            )


def _aad_fits(known: Schemes, group: Group, where: str | None) -> None:
    """Additional data that no case would use are a mistake."""
    chosen = [scheme for pattern in group.schemes for scheme in _lookup(known, pattern)]
    wanted = group.operations or WITH_AAD
    if group.aad and chosen and not any(s.kind is Kind.AEAD and set(wanted) & set(WITH_AAD) for s in chosen):
        valid = "an AEAD scheme, with " + ", ".join(operation.value for operation in WITH_AAD)
        raise InputError("no operation here takes additional data", where=where, valid=valid)


def _lookup(known: Schemes, pattern: str) -> list[Scheme]:
    try:
        return known.match(pattern) if is_pattern(pattern) else [known.resolve(pattern)]
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
    if not path.is_file():
        problem = "is not a file" if path.exists() else "there is no such file"
        raise InputError(
            f"{name!r}: {problem}", where=where, valid="the path of a file, relative to the study's folder"
        )
    if path.stat().st_size == 0:
        raise InputError(f"the file {name!r} is empty", where=where)
    return str(path)


def _with_unit(key: str, value: object) -> object:
    if key == "precision" and isinstance(value, float):
        return f"{value * 100:g}%"
    return f"{value:g}s" if key in ("budget", "batch", "timeout", "warmup") else value


def to_toml(study: Study) -> str:
    """The study as an equivalent file."""
    import json

    def listed(values: Iterable[object]) -> str:
        return "[" + ", ".join(json.dumps(value) for value in values) + "]"

    lines = [f"title = {json.dumps(study.title)}"]
    for group in study.measure:
        lines += ["", "[[measure]]"]
        for key in (
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
        ):
            if values := getattr(group, key):
                lines.append(f"{key} = {listed(values)}")
        if group.placements:
            lines.append(f"placements = {group.placements}")
        if group.cores:
            lines.append(f"cores = {json.dumps(group.cores)}")
        if group.code_name:
            lines.append(f"code_name = {json.dumps(group.code_name)}")
        if group.code_flags:
            lines.append(f"code_flags = {json.dumps(group.code_flags)}")
        if group.without_kat:
            lines.append("without_kat = true")
        for exclude in group.exclude:
            lines += ["", "[[measure.exclude]]", f"schemes = {listed(exclude.schemes)}"]
    sampling = study.sampling.model_dump(exclude_none=True, exclude_unset=True)
    instruments = sampling.pop("instruments", {})
    if sampling:
        lines += [
            "",
            "[sampling]",
            *(f"{key} = {json.dumps(_with_unit(key, value))}" for key, value in sampling.items()),
        ]
    if instruments:
        lines += ["", "[sampling.instruments]"]
        lines += [f"{json.dumps(target)} = {json.dumps(name)}" for target, name in instruments.items()]
    whole = study.whole_file.model_dump(exclude_unset=True, exclude_none=True)
    if whole:
        lines += ["", "[whole_file]", *(f"{key} = {json.dumps(value)}" for key, value in whole.items())]
    return "\n".join(lines) + "\n"
