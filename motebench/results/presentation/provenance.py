"""The provenance of a run in sentences: what was measured, how it was built, where, and by which
motebench.

Only what the run kept is said; what it did not keep is said to be unknown.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from motebench.base.model import FailureKind, RunKind
from motebench.base.naming import probe_key, split_probe_key, usual
from motebench.base.shapes import part
from motebench.catalog.proof import marked
from motebench.documents.result import (
    BuiltProgramEntry,
    MeasuredCodeEntry,
    OwnRevisionEntry,
    PinnedSourceEntry,
    ProvenanceEntry,
    Result,
    RevisionEntry,
)
from motebench.results.presentation.rows import listed, number
from motebench.targets.machine import host_of

HERE = "here"
_MOST = 6
_SHOWN = 12
"""Digits of commits and checksums."""
_NOT_RECORDED = "this run did not record it"
_ANSWERS = "known answers"
_NO_ANSWERS = f"no {_ANSWERS}"
_KIND = "kind"


def provenance(result: Result) -> ProvenanceEntry:
    """Provenance of a run, or of a group of runs: of the first run at its start, and the load at
    the end.
    """
    run, environment = result.run, result.environment
    own = _own(part(environment, "motebench"), run.version)
    programs = tuple(_programs(result))
    code = tuple(_code(environment))
    machines = dict(_machines(environment))
    answers = tuple(_answers(result))
    command = run.settings.get("command")
    return ProvenanceEntry(
        run=run.id,
        name=run.name,
        started=run.started,
        finished=run.finished,
        status=run.status,
        command=command if isinstance(command, str) else None,
        motebench=own,
        programs=programs,
        code=code,
        machines=machines,
        known_answers=answers,
        words=(
            _measured(result),
            *map(_code_words, code),
            *_program_words(programs),
            *_machine_words(machines),
            f"By {own_words(own)}.",
            *answers,
        ),
    )


def origin_line(result: Result) -> str:
    """motebench and user code with their commits, in one line for pages and exports."""
    environment = result.environment
    own = _own(part(environment, "motebench"), result.run.version)
    codes = [
        f"{code.implementation}: {revision_words(code.revision)}" for code in _code(environment)
    ]
    return "; ".join([own_words(own), *codes])


def own_words(own: OwnRevisionEntry) -> str:
    """motebench with its commit: ``motebench 0.1.0 (wheel): commit ...``."""
    origin = f" ({own.origin})" if own.origin else ""
    return f"motebench {own.version}{origin}: {revision_words(own.revision)}"


def revision_words(revision: RevisionEntry) -> str:
    """Commit and its changed files, as a clause."""
    if revision.commit is None:
        return f"commit not known, {revision.unknown}"
    commit = f"commit {revision.commit[:_SHOWN]}"
    if revision.changed_files is None:
        return f"{commit}, not known {revision.unknown or 'which files differ from it'}"
    if not revision.changed_files:
        return f"{commit}, no file differs from it"
    few = revision.changed[:3]
    named = (
        f" ({', '.join(few)}{', ...' if revision.changed_files > len(few) else ''})" if few else ""
    )
    single = revision.changed_files == 1
    return (
        f"{commit}, {_counted(revision.changed_files, 'file')} {'differs' if single else 'differ'} "
        f"from it{named}"
    )


def _measured(result: Result) -> str:
    run, cases = result.run, [*result.measurements, *result.failures]
    verb = "examined" if run.settings.get(_KIND) == RunKind.LEAK else "measured"
    schemes = _some(dict.fromkeys(case.scheme for case in cases))
    names = _some(dict.fromkeys(case.implementation for case in cases))
    targets = _some(dict.fromkeys(marked(case.target) for case in cases))
    parts = [
        text for text in (schemes, names and f"by {names}", targets and f"on {targets}") if text
    ]
    when = f"from {run.started} to {run.finished}" if run.finished else f"from {run.started}"
    subject = f": {' '.join(parts)}" if parts else ""
    count = _counted(run.cases.finished, "case")
    runs = _some(member.name for member in run.runs)
    name = f"Runs {runs}" if runs else f"Run {run.id}, {run.name!r}"
    return f"{name}, {run.status}, {verb} {count}{subject}, {when}."


def _some(names: Iterable[str]) -> str:
    every = [name for name in names if name]
    more = len(every) - _MOST
    return listed([*every[:_MOST], f"{more} more"] if more > 0 else every) if every else ""


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _text(facts: Mapping[str, object], key: str) -> str | None:
    value = facts.get(key)
    return value if isinstance(value, str) and value else None


def revision(facts: Mapping[str, object]) -> RevisionEntry:
    """The commit that a run kept of user code or of motebench."""
    commit, names = _text(facts, "commit"), facts.get("changed")
    count = facts.get("changed_files")
    whole = count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None
    unknown = _text(facts, "unknown")
    return RevisionEntry(
        repository=_text(facts, "repository"),
        commit=commit,
        changed_files=None if commit is None else whole,
        changed=tuple(map(str, names)) if isinstance(names, list | tuple) else (),
        unknown=unknown or (_NOT_RECORDED if commit is None else None),
    )


def _own(facts: Mapping[str, object], version: str) -> OwnRevisionEntry:
    origin = _text(facts, "from")
    return OwnRevisionEntry(
        version=_text(facts, "version") or version,
        origin=origin if origin in ("checkout", "wheel") else None,
        revision=revision(facts),
    )


def _programs(result: Result) -> Iterable[BuiltProgramEntry]:
    """Programs of the results; all that were asked if their results are unknown."""
    probes = probes_of(result.environment)
    used = {
        probe_key(entry.target, entry.implementation)
        for entry in (*result.measurements, *result.failures)
    }
    for key, facts in probes.items():
        if key not in used and used & probes.keys():
            continue
        target, implementation = split_probe_key(key)
        source = part(facts, "source")
        keys = ("library", "version", "registry", "package", "release", "file", "sha256")
        yield BuiltProgramEntry(
            target=target,
            implementation=implementation,
            version=_text(facts, "version"),
            compiler=_text(facts, "compiler"),
            flags=_text(facts, "flags"),
            source=PinnedSourceEntry(**{name: str(source.get(name, "")) for name in keys})
            if source
            else None,
        )


def _program_words(programs: Sequence[BuiltProgramEntry]) -> Iterable[str]:
    """A sentence for each compiler with its flags; firmware of one board is built by one."""
    built: dict[tuple[str, str], list[BuiltProgramEntry]] = defaultdict(list)
    for program in programs:
        built[program.compiler or "", program.flags or ""].append(program)
    for (compiler, flags), members in built.items():
        by = f"by {compiler}" if compiler else "by a compiler that is not known"
        flagged = f" with {flags}" if flags else ", its flags are not known"
        names = dict.fromkeys(f"{item.implementation} {_version(item)}".strip() for item in members)
        yield f"Built {by}{flagged}: {_some(names)}."
    yield from dict.fromkeys(
        _source_words(item.source) for item in programs if item.source is not None
    )


def _version(program: BuiltProgramEntry) -> str:
    return f"({program.version})" if program.version else ""


def _source_words(source: PinnedSourceEntry) -> str:
    archive = f"{source.file} of {source.registry} {source.release}".strip()
    return f"{source.library} {source.version} is from {archive}, SHA-256 {source.sha256[:_SHOWN]}."


def _code(environment: Mapping[str, object]) -> Iterable[MeasuredCodeEntry]:
    codes = part(environment, "code")
    for name in codes:
        facts = part(codes, name)
        answers = part(facts, "known_answers")
        files = (part(answers, kind) for kind in answers)
        yield MeasuredCodeEntry(
            implementation=name,
            folder=_text(facts, "folder") or "",
            digest=_text(facts, "digest") or "",
            files=len(part(facts, "files")),
            flags=_text(facts, "flags") or "",
            schemes=tuple(str(value) for value in part(facts, "schemes").values()),
            known_answers={
                str(file.get("file", "")): str(file.get("sha256", "")) for file in files
            },
            revision=revision(part(facts, "revision")),
        )


def _code_words(code: MeasuredCodeEntry) -> str:
    folder = f"{code.implementation} is the folder {code.folder}"
    files = f"{_counted(code.files, 'file')} with SHA-256 {code.digest[:_SHOWN]}"
    return f"{folder}, {files}: {revision_words(code.revision)}."


def _machines(environment: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    if here := _machine(environment, part(environment, "end")):
        yield HERE, here
    machines, ended = part(environment, "machines"), part(part(environment, "end"), "machines")
    for target in machines:
        if text := _machine(part(machines, target), part(ended, target)):
            yield target, text
    boards = part(environment, "boards")
    for target in boards:
        if device := _text(part(boards, target), "device"):
            yield target, device


def _machine(environment: Mapping[str, object], end: Mapping[str, object]) -> str:
    host = host_of(environment)
    names = [
        _text(host, "cpu_model") or _text(host, "board"),
        _text(host, "os"),
        _text(host, "kernel"),
    ]
    threads = number(host.get("usable_threads"))
    names.insert(1, f"{threads:.0f} processors" if threads and threads > 1 else None)
    kind = _text(host, "virtualization")
    names.append(f"a virtual machine ({kind})" if kind and kind != "none" else None)
    for facts, when in ((host, "began"), (host_of(end), "ended")):
        load = facts.get("load")
        if isinstance(load, list | tuple) and load:
            names.append(f"load {load[0]} when the run {when}")
    return ", ".join(filter(None, names))


def _machine_words(machines: Mapping[str, str]) -> Iterable[str]:
    boards: dict[str, list[str]] = defaultdict(list)
    for target, description in machines.items():
        if target == HERE:
            yield f"On {description}."
        else:
            boards[description].append(marked(target))
    yield from (f"{_some(targets)}: {description}." for description, targets in boards.items())


def _answers(result: Result) -> Iterable[str]:
    """Sentences on the known answers that had to be right first, and on the cases that wrong ones
    excluded."""
    run = result.run
    verb = "examined" if run.settings.get(_KIND) == RunKind.LEAK else "timed"
    notes = list(dict.fromkeys(note for note in run.notes if _ANSWERS in note))
    if run.cases.finished:
        without = (
            "Where no note below says otherwise, each"
            if any(_NO_ANSWERS in note for note in notes)
            else "Each"
        )
        yield (
            f"{without} implementation had to compute {_ANSWERS} of each scheme on its target "
            f"before it was {verb}, "
            "the same ones in every run; what was not right is a failure and has no number."
        )
    yield from (f"{note}." for note in notes[:_MOST])
    if len(notes) > _MOST:
        yield f"{len(notes) - _MOST} more notes on {_ANSWERS}."
    wrong = [failure for failure in result.failures if failure.kind == FailureKind.WRONG_ANSWER]
    if wrong:
        named = _some(
            dict.fromkeys(f"{failure.scheme} by {failure.implementation}" for failure in wrong)
        )
        yield f"Wrong answers, so not {verb}: {named}."


# Plain data that a run keeps


@dataclass(frozen=True, slots=True)
class SkippedCombination:
    """A combination that was left out; ``words`` name it."""

    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings of the run that readers need; empty for missing or invalid ones."""

    boards: Mapping[str, str]
    """Names of targets in the fleet file, by target."""
    precision: float | None
    """Half the relative width of intervals that was required."""
    study_text: str
    description: str
    """The study's own."""
    skipped: tuple[SkippedCombination, ...]

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> RunSettings:
        """The settings as a store keeps them."""
        skipped = settings.get("skipped")
        entries = skipped if isinstance(skipped, list | tuple) else ()
        return cls(
            boards={target: str(name) for target, name in part(settings, "boards").items() if name},
            precision=number(part(settings, "policy").get("precision")),
            study_text=str(settings.get("study_text") or ""),
            description=_description(settings.get("question")),
            skipped=tuple(_skipped(entry) for entry in entries if isinstance(entry, Mapping)),
        )


def _skipped(entry: Mapping[str, object]) -> SkippedCombination:
    names = (entry.get(key) for key in ("scheme", "implementation", "operation", "target"))
    return SkippedCombination(
        " ".join(str(name) for name in names if name), str(entry.get("reason", ""))
    )


def _description(question: object) -> str:
    """Description of a study as JSON; empty without one."""
    try:
        study = json.loads(str(question or "{}"))
    except ValueError:
        return ""
    return str(study.get("description") or "").strip() if isinstance(study, dict) else ""


def probes_of(environment: Mapping[str, object]) -> dict[str, Mapping[str, object]]:
    """Facts of each probe, by its key (`motebench.base.naming.probe_key`); of code at several
    places, those of the default place.
    """
    recorded = {
        name: facts
        for name, facts in part(environment, "probes").items()
        if isinstance(facts, Mapping)
    }
    names = usual(split_probe_key(name)[0] for name in recorded)
    return {name: facts for name, facts in recorded.items() if split_probe_key(name)[0] in names}
