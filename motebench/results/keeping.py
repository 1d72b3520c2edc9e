"""Upkeep of a store's runs: runs by name, groups renamed, stores joined, old runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from motebench.base.errors import InputError
from motebench.base.model import RunInfo
from motebench.base.naming import is_pattern
from motebench.results.groups import GROUP, check_group, group_of, session_of
from motebench.store import Store
from motebench.store.keeping import TAGS


def tags_of(info: RunInfo) -> list[str]:
    """The tags of a run."""
    return [str(tag) for tag in info.settings.get(TAGS) or ()]


def chosen(store: Store, references: Iterable[str]) -> list[int]:
    """Ids of the runs that these words mean, the oldest first: a number, a name, ``latest``, a
    group or a pattern.

    InputError for a word that means none.
    """
    infos = store.runs()
    run_ids: set[int] = set()
    for word in references:
        named = {info.id for info in infos if info.name == word}
        if not named and is_pattern(word):
            named = {info.id for info in infos if fnmatchcase(info.name, word)}
        run_ids |= (
            named
            or {info.id for info in infos if group_of(info.settings) == word}
            or {store.find(word)}
        )
    return sorted(run_ids)


def rename(store: Store, reference: str, name: str) -> list[tuple[str, str]]:
    """Rename a run, or a group with all its runs; returns old and new names. InputError for a name
    that is taken.

    A run of a group keeps its place there, so its name belongs to the group.
    """
    infos = store.runs()
    group = [info for info in infos if group_of(info.settings) == reference]
    if group and all(reference not in (info.name, str(info.id)) for info in infos):
        return _rename_group(store, infos, reference, name)
    run_id = store.find(reference)
    info = next((info for info in infos if info.id == run_id), None)
    of_group = group_of(info.settings) if info is not None else None
    if of_group is not None:
        raise InputError(
            f"the run is one of the group {of_group!r}, which finds its runs by their names",
            where="RUN",
            valid="a group, or a run that was made alone",
            hint=f"motebench runs rename {of_group} NEW renames all",
        )
    if name in {group_of(entry.settings) for entry in infos}:
        raise InputError(f"{name!r} is a group of runs", where="NAME", hint="give another name")
    store.rename({run_id: name}, {})
    return [(info.name if info is not None else str(run_id), name)]


def _rename_group(
    store: Store, infos: Sequence[RunInfo], group: str, name: str
) -> list[tuple[str, str]]:
    check_group(name, "NAME")
    if name in {info.name for info in infos} | {group_of(info.settings) for info in infos}:
        raise InputError(f"the store already has {name!r}", where="NAME", hint="give another name")
    names, settings, renamed = {}, {}, []
    for info in infos:
        changed = _with_groups(info, {group: name})
        if changed is None:
            continue
        settings[info.id] = changed
        if group_of(info.settings) == group:
            names[info.id] = f"{name}-{changed[GROUP]['number']}"
            renamed.append((info.name, names[info.id]))
    store.rename(names, settings)
    return renamed


def _with_groups(info: RunInfo, new: dict[str, str]) -> dict[str, Any] | None:
    """The settings of a run whose session has these groups, with their new names; None if it has
    none of them."""
    group = info.settings.get(GROUP)
    group_session = session_of(info.settings)
    if group is None or group_session is None or not set(group_session[0].groups) & set(new):
        return None
    session = dict(group["session"])
    session["groups"] = [new.get(name, name) for name in session["groups"]]
    session["builds"] = {new.get(name, name): build for name, build in session["builds"].items()}
    return {GROUP: {**group, "name": new.get(group["name"], group["name"]), "session": session}}


# Stores joined


def join(store: Store, other: Store, references: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Copy runs of another store, all of them without ``references``; yields each name there, its
    name here, and whether it was copied: a run that is here already is not, but its notes and tags
    are added.

    A name that another run here has gets a number: ``base.2``. A group is renamed as a whole.
    """
    ids = set(chosen(other, references)) if references else None
    infos = [info for info in other.runs() if ids is None or info.id in ids]
    mine = store.runs()
    copies = {info.id: _copy_here(store, mine, other, info) for info in infos}
    new = _groups_here(infos, copies)
    taken = {info.name for info in mine} | {str(group_of(info.settings)) for info in mine}
    for info in infos:
        copy = copies[info.id]
        if copy is not None:
            _add_remarks(store, copy, info)
            yield info.name, copy.name, False
            continue
        session = session_of(info.settings)
        if session is None:
            name, changed = _free(info.name, taken), {}
        else:
            group, number = session[1].group, session[1].number
            if f"{new.get(group, group)}-{number}" in taken:
                new.pop(group, None)
            for group_name in session[0].groups:
                if group_name not in new:
                    new[group_name] = _free_group(group_name, session[0].runs, taken)
            name, changed = f"{new[group]}-{number}", _with_groups(info, new) or {}
        store.copy_from(other, info.id, name, changed)
        taken.add(name)
        yield info.name, name, True


def _groups_here(infos: Sequence[RunInfo], copies: dict[int, RunInfo | None]) -> dict[str, str]:
    """Names here of the groups of which some run is here."""
    names = {}
    for info in infos:
        copy = copies[info.id]
        theirs, here = group_of(info.settings), None if copy is None else group_of(copy.settings)
        if theirs is not None and here is not None:
            names[theirs] = here
    return names


def _copy_here(
    store: Store, mine: Sequence[RunInfo], other: Store, info: RunInfo
) -> RunInfo | None:
    """The run of this store that is the same as one of another."""
    alike = [
        own
        for own in mine
        if (own.started, own.seed, own.version) == (info.started, info.seed, info.version)
    ]
    return next((own for own in alike if store.holds_same(own.id, other, info.id)), None)


def _add_remarks(store: Store, here: RunInfo, source: RunInfo) -> None:
    for note in source.notes:
        if note not in here.notes:
            store.add_note(here.id, note)
    if not set(tags_of(source)) <= set(tags_of(here)):
        store.set_tags(here.id, {*tags_of(here), *tags_of(source)})


def _free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(
        free_name for n in itertools.count(2) if (free_name := f"{name[:90]}.{n}") not in taken
    )


def _free_group(name: str, runs: int, taken: set[str]) -> str:
    """Unused name of a group, for which the names of its runs are unused, too."""

    def free(group: str) -> bool:
        return group not in taken and not any(
            f"{group}-{number}" in taken for number in range(1, runs + 1)
        )

    return next(
        free_name
        for n in itertools.count(1)
        if free(free_name := name if n == 1 else f"{name[:90]}.{n}")
    )


def same_store(first: str, second: str) -> bool:
    """True if two names are of one store, as far as names show it."""
    if first == second:
        return True
    try:
        return Path(first.removeprefix("sqlite:///")).samefile(second.removeprefix("sqlite:///"))
    except (OSError, ValueError):
        return False


# Old runs


def old(
    infos: Sequence[RunInfo], *, before: datetime | None, keep_last: int | None
) -> list[RunInfo]:
    """Runs that began before a time and are not among the newest ones; without a time, of any age.

    Runs made in one session count as one, as old as the newest of them. What has a tag, or is being
    written, stays, with its session.
    """
    sessions: dict[object, list[RunInfo]] = {}
    for info in infos:
        session = session_of(info.settings)
        key = info.id if session is None else (session[0].groups, session[0].seed)
        sessions.setdefault(key, []).append(info)
    newest_first = sorted(
        sessions.values(), key=lambda runs: max(info.id for info in runs), reverse=True
    )
    removed: list[RunInfo] = []
    for place, runs in enumerate(newest_first):
        stays = keep_last is not None and place < keep_last
        stays = stays or any(tags_of(info) or info.status == "running" for info in runs)
        if not stays and (before is None or all(began_before(info, before) for info in runs)):
            removed += runs
    return sorted(removed, key=lambda info: info.id)


def began_before(info: RunInfo, when: datetime) -> bool:
    """True if a run began before a time; False if its start is unknown."""
    if not info.started:
        return False
    started = datetime.fromisoformat(info.started)
    return (started if started.tzinfo else started.replace(tzinfo=when.tzinfo)) < when


def moment(text: str, now: datetime, *, where: str) -> datetime:
    """The time that a date (``2026-01-31``, in UTC) or an age (``30d``) means. InputError for
    anything else."""
    from motebench.base.units import parse_duration

    valid = "a date, 2026-01-31, a time in UTC, 2026-01-31T12:00, or an age: 30d, 12h"
    try:
        parsed = datetime.fromisoformat(text)
        return parsed if parsed.tzinfo else parsed.replace(tzinfo=now.tzinfo)
    except ValueError:
        pass
    try:
        return now - timedelta(seconds=parse_duration(text, where=where))
    except (InputError, OverflowError):
        raise InputError(
            f"{text[:60]!r} is neither a date nor an age", where=where, valid=valid
        ) from None
