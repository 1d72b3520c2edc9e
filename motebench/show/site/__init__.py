"""The explorer: pages of all runs of a store, served to a browser (`motebench serve`).

Here are its addresses: the parameters of each view, what a query string says, and the address of a
query. ``pages.py`` has what a page shows, ``app.py`` requests and answers. Starlette and uvicorn
are an extra, which only ``app.py`` imports.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Protocol
from urllib.parse import urlencode

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean, is_pattern, split_list
from motebench.base.quantities import quantity, unit
from motebench.base.units import METRICS, metric_words, parse_percent, parse_size
from motebench.catalog import resolve
from motebench.catalog.proof import device_of
from motebench.documents.choice import ChoiceEntry, ConnectionEntry
from motebench.results.selection import ResultFilter
from motebench.store.search import StoredNames, StoreFilter

_LONGEST = 500
"""Characters of the value of a parameter."""
_MOST_PAGES = 10_000_000
_LISTED = 20
"""Valid names in a message."""
_PERIOD = 30
"""Days of a period without a first day."""

PARAMETERS = {
    "case": "Number of a case in the store.",
    "q": "Words in the name, study, command, tags, notes or cases of a run.",
    "scheme": "Schemes: names or patterns, with commas between them.",
    "implementation": "Implementations: names or patterns, with commas between them.",
    "target": "Targets: names or patterns, with commas between them.",
    "device": "Devices of the catalog that targets name, with commas between them.",
    "operation": "Operations, with commas between them.",
    "size": "Sizes of the input, with commas between them: 16, 1 KiB.",
    "version": "Versions of motebench that made the run.",
    "since": "First day on which a run began: 2026-01-31.",
    "until": "Last day on which a run began.",
    "from": "First day of a period: 2026-03-01.",
    "to": "Last day of the period.",
    "tag": "A tag of the run.",
    "metric": "Metrics, with commas between them; of results one.",
    "memory": "The metric of memory in the picture.",
    "below": "Most of the metric: 10 ms, 2 KiB, 50000; of the newest result of each case.",
    "above": "Least of the metric.",
    "a": "Side A: a run, a group, or RUN:IMPLEMENTATION.",
    "b": "Side B, which is compared with A.",
    "margin": "Ignore differences up to this many percent.",
    "across": "yes: compare runs of different environments, too.",
    "sort": "A metric, or ratio: the best of B first.",
    "page": "Number of the page, from 1.",
    "format": "html, or a file of the page: json, csv, svg; file is one HTML file.",
}
"""Every parameter with its meaning."""
_CASES = ("scheme", "implementation", "operation", "size")
_RUNS = ("q", *_CASES, "target", "device", "version", "since", "until", "tag")


@dataclass(frozen=True, slots=True)
class SiteView:
    """A kind of page: its path, title, meaning and parameters."""

    path: str
    title: str
    about: str
    parameters: tuple[str, ...]
    document: str
    """Name of the JSON document."""
    files: tuple[str, ...] = ("csv", "json")
    """Formats beside the page."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Meanings of parameters that only this view has."""

    def meaning(self, parameter: str) -> str:
        """The meaning of a parameter, or of the format."""
        return self.meanings.get(parameter) or PARAMETERS[parameter]


VIEWS = {
    "runs": SiteView("/", "Runs", "The runs of the store.", (*_RUNS, "page"), "list"),
    "results": SiteView(
        "/results",
        "Results",
        "One metric of all cases that fit, over all runs.",
        (*_RUNS, "metric", "below", "above", "sort", "page"),
        "results",
        meanings={"sort": "least or most: the newest result of each case by its value."},
    ),
    "run": SiteView(
        "/runs/{run}",
        "Run",
        "The report of a run, or of all runs of a group.",
        (*_CASES, "metric", "sort"),
        "result",
        ("csv", "json", "file", "js"),
    ),
    "result": SiteView(
        "/runs/{run}/cases/{case}",
        "Result",
        "One metric of one case with its samples.",
        ("metric",),
        "result",
        ("csv", "json", "svg"),
    ),
    "compare": SiteView(
        "/compare",
        "Compare",
        "Verdicts on B against A.",
        ("a", "b", *_CASES, "metric", "margin", "across", "sort", "page"),
        "comparison",
    ),
    "history": SiteView(
        "/history",
        "History",
        "One metric of one case over runs, with change points, by version and compiler.",
        ("case", *_CASES, "target", "version", "since", "until", "tag", "metric"),
        "results",
        ("csv", "json", "svg"),
    ),
    "map": SiteView(
        "/map",
        "Map",
        "Schemes against devices: the best of the newest results, one metric.",
        (*_RUNS[1:], "metric"),
        "results",
        ("csv", "json", "svg"),
    ),
    "tradeoff": SiteView(
        "/tradeoff",
        "Trade-off",
        "Speed against memory of the newest results on one target.",
        (*_RUNS[1:], "memory"),
        "results",
        ("csv", "json", "svg"),
    ),
    "changes": SiteView(
        "/changes",
        "Changes",
        "The newest result of each case in a period against the newest before it.",
        ("from", "to", *_CASES, "target", "device", "version", "tag", "metric", "margin", "across"),
        "changes",
    ),
    "difference": SiteView(
        "/diff",
        "Difference",
        "All that got slower, bigger or hungrier from A to B, the largest change first.",
        ("a", "b", *_CASES, "margin", "across"),
        "comparison",
        ("csv", "json", "file"),
    ),
}


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """The given parameters of a view, none of them empty."""

    view: SiteView
    values: Mapping[str, str]

    @classmethod
    def of(cls, view: SiteView, pairs: Iterable[tuple[str, str]]) -> SiteQuery:
        """A query string. Values of one name are joined with commas. InputError for an unknown
        parameter and a value that is too long.
        """
        values: dict[str, str] = {}
        for name, text in pairs:
            if name not in view.parameters and name != "format":
                raise InputError(
                    f"unknown parameter {name!r}",
                    valid=", ".join((*view.parameters, "format")),
                    hint=did_you_mean(name, view.parameters),
                )
            value = text.strip()
            if name in values and value and name not in ("q", "page", "format"):
                value = f"{values[name]},{value}"
            if len(value) > _LONGEST:
                raise InputError(
                    f"the value of {name} is too long",
                    where=name,
                    valid=f"up to {_LONGEST} characters",
                )
            if value and name != "format":
                values[name] = value
        return cls(view, values)

    def get(self, name: str) -> str:
        """The value of a parameter; empty without one."""
        return self.values.get(name, "")

    def words(self, name: str) -> tuple[str, ...]:
        """The names in the value of a parameter."""
        return tuple(split_list([self.get(name)]))

    @property
    def page(self) -> int:
        """Number of the page, from 1. InputError for any other value."""
        text = self.get("page") or "1"
        number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 8 else 0
        if not 1 <= number <= _MOST_PAGES:
            raise InputError(f"{text!r} is not a page", where="page", valid="a number from 1")
        return number

    def start(self, most: int) -> int:
        """Place of the first line of the page, from 0, in a list with ``most`` lines a page."""
        return (self.page - 1) * most

    @property
    def filtered(self) -> bool:
        """True if a parameter other than the page is given."""
        return bool(self.values.keys() - {"page"})

    def address(self, path: str, **changed: object) -> str:
        """The address of this query at a path with some parameters changed; None leaves one
        out.
        """
        values: dict[str, object] = {**self.values, "page": None, **changed}
        pairs = {name: str(value) for name, value in values.items() if value not in (None, "")}
        return address(path, pairs)


def address(path: str, values: Mapping[str, object]) -> str:
    """A path with its query string; signs of patterns and lists stay readable."""
    text = urlencode([(name, str(value)) for name, value in values.items()], safe=",*:/@")
    return f"{path}?{text}" if text else path


def store_filter(query: SiteQuery, names: StoredNames) -> StoreFilter:
    """The filter of the store that a query means. InputError for an invalid size or day."""
    return StoreFilter(
        schemes=tuple(_scheme(word, names) for word in query.words("scheme")),
        implementations=query.words("implementation"),
        targets=_targets(query, names.targets),
        operations=query.words("operation"),
        sizes=tuple(parse_size(word, where="size") for word in query.words("size")),
        versions=query.words("version"),
        since=day_of(query, "since"),
        until=day_of(query, "until"),
        tag=query.get("tag"),
        words=tuple(query.get("q").split()),
    )


def _scheme(word: str, names: StoredNames) -> str:
    """The name of a scheme by an alias; other words stay."""
    if word in names.schemes or is_pattern(word):
        return word
    try:
        return resolve(word).name
    except InputError:
        return word


def _targets(query: SiteQuery, stored: Sequence[str]) -> tuple[str, ...] | None:
    """The stored targets that fit the targets and devices of a query; None: every one."""
    targets, device_words = query.words("target"), query.words("device")
    if not (targets or device_words):
        return None
    fitting = [
        target
        for target in stored
        if not targets or any(target == word or fnmatchcase(target, word) for word in targets)
    ]
    return tuple(target for target in fitting if not device_words or _device(target, device_words))


def _device(target: str, patterns: Sequence[str]) -> bool:
    device = device_of(target)
    return device is not None and any(fnmatchcase(device.id, pattern) for pattern in patterns)


def refuse_unknown(query: SiteQuery, names: StoredNames) -> None:
    """InputError for a name or a pattern that no case and no run of the store has."""
    devices = sorted({device.id for name in names.targets if (device := device_of(name))})
    stored: dict[str, Sequence[str]] = {
        "scheme": names.schemes,
        "implementation": names.implementations,
        "target": names.targets,
        "device": devices,
        "operation": names.operations,
        "version": names.versions,
        "tag": names.tags,
    }
    for parameter, entries in stored.items():
        for word in query.words(parameter):
            name = _scheme(word, names) if parameter == "scheme" else word
            if not any(fnmatchcase(entry, name) for entry in entries):
                more = len(entries) - _LISTED
                listed = ", ".join(entries[:_LISTED]) + (f" and {more} more" if more > 0 else "")
                raise InputError(
                    f"no result has the {parameter} {word!r}",
                    where=parameter,
                    valid=listed or "nothing: the store has none",
                    hint=did_you_mean(word, entries),
                )


def period_of(query: SiteQuery, newest: str) -> tuple[str, str]:
    """The first and the last day of a period: without a query the 30 days up to ``newest``.
    InputError for what is no day, and for a first day after the last.
    """
    last = day_of(query, "to") or newest
    first = day_of(query, "from")
    if not first and last:
        days = max(datetime.date.fromisoformat(last).toordinal() - _PERIOD + 1, 1)
        first = datetime.date.fromordinal(days).isoformat()
    if first > last and not query.get("to"):
        last = first
    if first > last:
        raise InputError(
            f"the period ends on {last}, before it begins on {first}",
            where="from, to",
            valid="a first day that is not after the last",
            hint=f"from={last}&to={first}",
        )
    return first, last


def day_before(day: str) -> str:
    """The day before; the first day there is has none, and stays."""
    number = datetime.date.fromisoformat(day).toordinal()
    return datetime.date.fromordinal(max(number - 1, 1)).isoformat()


def day_of(query: SiteQuery, name: str) -> str:
    """The day in a parameter; empty without one. InputError for anything else."""
    text = query.get(name)
    if not text:
        return ""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise InputError(f"{text!r} is not a day", where=name, valid="2026-01-31") from None


def result_filter(query: SiteQuery) -> ResultFilter:
    """The selection of cases and metrics of a run that a query means."""
    return ResultFilter(
        schemes=query.words("scheme"),
        implementations=query.words("implementation"),
        operations=query.words("operation"),
        sizes=query.words("size"),
        metrics=query.words("metric"),
        sort=query.get("sort") or None,
        python=True,
    )


def limit_of(query: SiteQuery, name: str, metric: str) -> float | None:
    """A limit in the unit of a metric; None without one. A number alone is in that unit. InputError
    for the unit of another quantity.
    """
    text = query.get(name)
    if not text:
        return None
    amount, given = quantity(text, where=name)
    own = unit(METRICS[metric].unit)
    if text.split()[-1][-1].isdecimal():
        return float(amount)
    if own is None or own.dimension != given.dimension:
        raise InputError(
            f"{text!r} is no limit of {metric_words(metric)}",
            where=name,
            valid=f"a number in {METRICS[metric].unit}, or with another unit of the same quantity",
        )
    return float(amount / own.factor)


def margin_of(query: SiteQuery) -> float | None:
    """The margin of a comparison as a share; None if none is given."""
    text = query.get("margin")
    return parse_percent(text, where="margin") if text else None


_FIELD_LABELS = {"lorawan": "LoRaWAN", "dr": "Data rate", "ram": "Most RAM", "flash": "Most flash"}


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """A field of the form: an option of the command. ``example``: what a value looks like."""

    name: str
    about: str
    example: str = ""
    choices: tuple[str, ...] = ()
    flag: bool = False
    several: bool = False
    usual: str = ""

    @property
    def label(self) -> str:
        """The name for a reader."""
        return _FIELD_LABELS.get(self.name) or self.name.replace("-", " ").capitalize()


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """A document with its decision, and one row for each candidate."""

    entry: ChoiceEntry | ConnectionEntry
    rows: Sequence[Mapping[str, object]]


class Chooser(Protocol):
    """Source of the answers of the form: the command `choose`."""

    @property
    def fields(self) -> Sequence[ChoiceField]:
        """The fields of the form."""
        ...

    def answer(self, values: Mapping[str, str]) -> ChoiceAnswer:
        """The answer of these values of fields. MotebenchError for what cannot be asked."""
        ...
