"""Pages of the explorer as HTML, without a server: their makers, their templates, their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import jinja2

from motebench.base.units import format_value
from motebench.show.report import CHARTS, STYLE, asset, page, scope, templates
from motebench.show.site import VIEWS, SiteQuery, address
from motebench.show.site.figures import group_mark, svg
from motebench.show.site.views import Site, SitePage, across, comparison, runs

FILES = {
    STYLE: "text/css",
    "theme.js": "text/javascript",
    "button.js": "text/javascript",
    "site.js": "text/javascript",
    "charts.js": "text/javascript",
    "htmx.min.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
"""Every file that pages load, with its type. No other file is ever read for a request."""
FILTERS: dict[str, Callable[..., Any]] = {
    **page.FILTERS,
    "ratio_words": comparison.ratio_words,
    "change_words": comparison.change_words,
    "level_of": comparison.level_of,
    "refused": comparison.refused,
    "value_of": runs.value_of,
    "value": lambda number, unit: format_value(number, unit, 4),
    "capital": lambda text: text[:1].upper() + text[1:],
    "svg": svg,
    "group_mark": group_mark,
}
"""Filters of the templates."""
MAKERS: dict[str, Callable[[Site, Mapping[str, str], SiteQuery], SitePage]] = {
    "runs": lambda site, _, query: runs.runs(site, query),
    "results": lambda site, _, query: runs.results(site, query),
    "compare": lambda site, _, query: comparison.compare(site, query),
    "history": lambda site, _, query: across.history(site, query),
    "map": lambda site, _, query: across.device_map(site, query),
    "tradeoff": lambda site, _, query: across.tradeoff(site, query),
    "changes": lambda site, _, query: comparison.changes(site, query),
    "difference": lambda site, _, query: comparison.difference(site, query),
    "result": lambda site, at, query: runs.case(site, at["run"], at["case"], query),
    "run": lambda site, at, query: runs.run(site, at["run"], query),
}
"""The maker of each view, by the parts of its path and its query."""


def file_text(name: str) -> str:
    """The text of one of ``FILES``."""
    return scope(CHARTS) if name == "charts.js" else asset(name)


@cache
def _environment() -> jinja2.Environment:
    environment = templates(FILTERS)
    environment.globals.update(address=address)
    return environment


def html(
    template: str,
    title: str,
    here: str,
    files: Iterable[str],
    content: dict[str, Any],
    shared: Mapping[str, str],
) -> str:
    """A page as text. ``here``: its path; ``files``: the formats of the files that it links to;
    ``shared``: the query of their addresses.
    """
    links = {
        form: address("/runs" if here == "/" else here, {**shared, "format": form})
        for form in files
    }
    made = {"status": 200, "views": VIEWS, **content}
    return _environment().get_template(template).render(made, title=title, path=here, links=links)
