"""Results of the Python API: plain data, rows for data frames, and tables for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from motebench.api.arguments import Sizes, Texts, names_arguments, result_filter
from motebench.base.errors import InputError, SetupError
from motebench.base.shapes import as_document, plain

if TYPE_CHECKING:
    import pandas as pd

    from motebench.advise.choice.choice_document import ShortAnswer
    from motebench.advise.choice.question import Chosen
    from motebench.base.model import Run
    from motebench.documents.choice import ChoiceEntry, FigureEntry
    from motebench.documents.comparison import ComparisonEntry
    from motebench.documents.result import Result
    from motebench.results.comparison import Comparison
    from motebench.results.selection import ChosenCases

Document = dict[str, Any]
Rows = list[dict[str, Any]]


class TabularResult:
    """The base of all results: rows as plain data, as a data frame and as a table."""

    def rows(self) -> Rows:
        """One dict for each row, all with the same keys."""
        raise NotImplementedError

    def frame(self) -> pd.DataFrame:
        """The rows as a pandas data frame. SetupError if pandas is not installed; `rows` does not
        need it.
        """
        try:
            import pandas as pd
        except ImportError:
            raise SetupError(
                "data frames need pandas, which is not installed",
                hint="pip install pandas; or rows()",
            ) from None
        return pd.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        raise NotImplementedError


class StoredRun(TabularResult):
    """A stored run."""

    def __init__(self, run: Run, store: str, chosen: ChosenCases | None = None) -> None:
        self._run = run
        self._store = store
        self._chosen = chosen

    @property
    def stored(self) -> Run:
        """Stored data of the run: cases, series and samples, as in `motebench.base.model`."""
        return self._run

    @property
    def id(self) -> int:
        """Number of the run in the store."""
        return self._run.info.id

    @property
    def name(self) -> str:
        """Name of the run."""
        return self._run.info.name

    @property
    def store(self) -> str:
        """The store of the run: a path or an SQLAlchemy URL."""
        return self._store

    @property
    def status(self) -> str:
        """``finished``, ``interrupted`` or ``running``."""
        return self._run.info.status

    @property
    def environment(self) -> Document:
        """The machine, system, probes and libraries of the run; docs/reference/results.md lists the
        keys.
        """
        facts: Document = plain(self._result.environment)
        return facts

    @property
    def failures(self) -> Rows:
        """The cases that gave no number, with kind and message."""
        return [as_document(failure) for failure in self._result.failures]

    def document(self, *, samples: bool = False) -> Document:
        """The result document of docs/reference/results.md, as ``motebench show --json`` prints it.
        ``samples``: with the value of each sample."""
        return as_document(self._with_samples if samples else self._result)

    def rows(self) -> Rows:
        """One dict per metric of each case: the case, ``unit``, ``evidence``, ``n``, ``median``
        with ``ci_low`` and ``ci_high``, and the other keys of a measurement in
        docs/reference/results.md. ``file`` is None except for whole files."""
        return [{**as_document(entry), "file": entry.file} for entry in self._part.measurements]

    @names_arguments
    def select(
        self,
        schemes: Texts = (),
        implementations: Texts = (),
        operations: Texts = (),
        sizes: Sizes = (),
        metrics: Texts = (),
        sort: str | None = None,
    ) -> StoredRun:
        """Part of the run: ``rows``, ``frame``, ``export`` and ``plot`` then contain only the
        selected cases; document and report stay those of the whole run. Names, aliases and patterns
        are those of ``motebench show``. ``sort``: a metric, best first. InputError, with the valid
        names, for a name that selects nothing.
        """
        selection = result_filter(schemes, implementations, operations, sizes, metrics, sort)
        return StoredRun(self._run, self._store, selection.of(self._result))

    def plot(
        self, path: str | Path, *, by: Literal["size"] | None = None, force: bool = False
    ) -> Path:
        """Draw one metric, the time unless `select` chose another, to a file: ``.svg``, ``.pdf`` or
        ``.png``. by: ``"size"`` draws lines over the size of the input. InputError as for
        ``motebench plot``."""
        from motebench.results.presentation.panels import panels_of
        from motebench.show.plot import caption_of, write_picture

        drawn = panels_of(self._with_samples, self._choice, by_size=_by_size(by), where="metrics")
        info = self._run.info
        caption = caption_of(info.name, info.started, info.version, drawn.rows)
        return write_picture(drawn, caption, Path(path), force=force, where="path")

    def report(self, path: str | Path) -> Path:
        """Write the HTML report. InputError if ``path`` cannot be written, or is a file of another
        kind.
        """
        from motebench.show.report.page import write_page

        path = Path(path)
        write_page(self._with_samples, path, force=None, where="path")
        return path

    def export(self, form: str, *, by: Literal["size"] | None = None) -> str:
        """The run in a format of ``motebench export``: ``csv``, ``markdown``, ``latex`` and so on.
        by: ``"size"`` gives a column for each size of the input."""
        from motebench.show.export import export, export_by_size, formats

        if form not in formats():
            raise InputError(f"unknown format {form!r}", where="form", valid=", ".join(formats()))
        if _by_size(by):
            return export_by_size(self._result, self._choice, form, where="by")
        return export(self._part, form)

    @cached_property
    def _result(self) -> Result:
        from motebench.results.document import result

        return result(self._run)

    @property
    def _choice(self) -> ChosenCases:
        from motebench.results.selection import EVERY_CASE

        return self._chosen or EVERY_CASE

    @property
    def _part(self) -> Result:
        """The result, of the chosen cases and metrics alone."""
        from motebench.results.selection import selected

        return selected(self._result, self._choice)

    @property
    def _with_samples(self) -> Result:
        from motebench.results.document import result

        return result(self._run, samples=True)

    def __repr__(self) -> str:
        cases = len(self._run.results)
        return f"<motebench run {self.name!r}: {self.status}, {cases} cases, in {self._store}>"

    def _repr_html_(self) -> str:
        from motebench.base.units import metric_words
        from motebench.results.presentation.rows import operation_words, rows_of, size_words

        shown = [
            {
                "scheme": row.scheme,
                "implementation": row.implementation,
                "target": row.target,
                "operation": operation_words(row.operation),
                "input": size_words(row.size) if row.takes_input else "",
                "metric": metric_words(row.metric),
                "median": row.text,
                "interval": row.spread,
                "n": row.n,
                "evidence": row.evidence,
            }
            for row in rows_of(self._part)
            if not row.is_curve
        ]
        failed = [
            f"{item.scheme} {item.implementation}: {item.message}" for item in self._result.failures
        ]
        return html_table(f"run {self.name}, {self.status}", shown, failed)


def _by_size(by: object) -> bool:
    if by not in (None, "size"):
        raise InputError(f"{by!r} is not an arrangement of columns", where="by", valid="'size'")
    return by is not None


class ComparisonResult(TabularResult):
    """B compared with A: ratios are B / A."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def document(self, fail_if_slower: float | None = None) -> Document:
        """The comparison document of docs/reference/results.md.

        ``fail_if_slower``: the fraction by which B may be slower.
        """
        return as_document(self._entry(fail_if_slower))

    def _entry(self, fail_if_slower: float | None = None) -> ComparisonEntry:
        from motebench.results.comparison import document

        return document(self._comparison, fail_if_slower)

    def rows(self) -> Rows:
        """One dict per pair: the case, both medians, ``ratio`` with its interval, ``p_adjusted``
        and ``verdict``, and the other keys of a comparison in docs/reference/results.md."""
        return [{**as_document(pair), "file": pair.file} for pair in self._entry().comparisons]

    def slower_than(self, fraction: float) -> Rows:
        """The rows where B is certainly slower than A by more than ``fraction`` (0.05 is 5 %)."""
        return [
            as_document(pair)
            for pair in self._entry(fraction).comparisons
            if pair.slower_than_allowed
        ]

    def __repr__(self) -> str:
        return (
            f"<motebench comparison of {self._comparison.b.label!r} with "
            f"{self._comparison.a.label!r}>"
        )

    def _repr_html_(self) -> str:
        names = [
            "scheme",
            "implementation_a",
            "implementation_b",
            "operation",
            "input_bytes",
            "metric",
            "ratio",
        ]
        names += ["ci_low", "ci_high"]
        shown = [
            {**{name: _short(entry.get(name)) for name in names}, "verdict": entry["verdict"]}
            for entry in self.rows()
        ]
        return html_table(
            f"A: {self._comparison.a.label}; B: {self._comparison.b.label}; ratio: B / A", shown
        )


class ChoiceResult(TabularResult):
    """The chosen cipher, with the ranked and the rejected candidates."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen = chosen

    @cached_property
    def _entry(self) -> ChoiceEntry:
        from motebench.advise.choice.choice_document import choice_entry

        return choice_entry(self._chosen)

    @property
    def short(self) -> ShortAnswer:
        """The decision, as the terminal shows it, without the entries of all candidates."""
        from motebench.advise.choice.choice_document import short_answer

        return short_answer(self._chosen)

    @property
    def entry(self) -> ChoiceEntry:
        """The choice document with its types, as in `motebench.documents.choice`."""
        return self._entry

    @property
    def chosen(self) -> str | None:
        """``SCHEME by IMPLEMENTATION`` of the first candidate; None if no candidate keeps all
        limits.
        """
        first = self._chosen.first
        return f"{first.scheme} by {first.implementation}" if first else None

    @property
    def rejected(self) -> Rows:
        """Candidates that break a limit, with the limits under ``broken``."""
        return [as_document(candidate) for candidate in self._entry.rejected]

    def document(self) -> Document:
        """The choice document of docs/explain/choice.md, as ``choose --json`` prints it."""
        return as_document(self._entry)

    def rows(self) -> Rows:
        """One dict per candidate, best first.

        ``life_years``, ``latency_s``, ``flash_bytes``, ``ram_bytes`` are typical values, None if
        unknown; ``sent_bytes`` is the message with nonce and tag, ``time_on_air_ms`` 0 without a
        radio.
        """
        return [
            {
                "rank": candidate.rank,
                "tied": candidate.tied,
                "scheme": candidate.scheme,
                "implementation": candidate.implementation,
                "life_years": _typical(candidate.life),
                "latency_s": _typical(candidate.latency),
                "flash_bytes": _typical(candidate.flash),
                "ram_bytes": _typical(candidate.ram),
                "sent_bytes": candidate.sent.total_bytes,
                "time_on_air_ms": candidate.sent.time_on_air_ms,
                "pareto": candidate.pareto,
            }
            for candidate in self._entry.candidates
        ]

    def report(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the HTML page with its charts. InputError if ``path`` cannot be written, or,
        without ``force``, is a file of another kind."""
        from motebench.advise.choice.explorer import exploration
        from motebench.advise.choice.pictures import pictures
        from motebench.show.report.choice_page import write_choice

        model, drawn = exploration(self._chosen), pictures(self._chosen)
        return write_choice(self._entry, drawn, Path(path), model=model, force=force)

    def __repr__(self) -> str:
        return f"<motebench choice: {self.chosen or 'nothing keeps all limits'}>"

    def _repr_html_(self) -> str:
        shown = [{name: _short(value) for name, value in row.items()} for row in self.rows()]
        return html_table(
            f"choice: {self.chosen or 'nothing keeps all limits'}", shown, self._entry.nearest
        )


def _typical(figure: FigureEntry | None) -> float | None:
    return None if figure is None else float(figure.typical)


def _short(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else value


_SHOWN = 100
"""Rows that a notebook shows; `rows` has all."""


def html_table(
    caption: str, rows: Sequence[Mapping[str, object]], remarks: Sequence[str] = ()
) -> str:
    """An HTML table of rows that share their keys, with a caption above and remarks below. Every
    text is escaped.
    """
    heads = "".join(
        f"<th>{escape(name.replace('_', ' '))}</th>" for name in (rows[0] if rows else ())
    )
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row.values())}</tr>"
        for row in rows[:_SHOWN]
    )
    more = [f"and {len(rows) - _SHOWN} rows more"] if len(rows) > _SHOWN else []
    below = "".join(f"<p>{escape(remark)}</p>" for remark in (*more, *remarks))
    head = f"<thead><tr>{heads}</tr></thead>"
    return f"<table><caption>{escape(caption)}</caption>{head}<tbody>{lines}</tbody></table>{below}"
