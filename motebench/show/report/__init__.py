"""HTML pages: their templates, style and scripts, which a site serves as files, and which a page
that is one file has in it. Such a file opens from disk and loads nothing from the network.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

ASSETS = Path(__file__).parents[1] / "assets"
STYLE = "page.css"
CHARTS = (
    "data.js",
    "numbers.js",
    "rows.js",
    "pages.js",
    "table.js",
    "hover.js",
    "charts/scales.js",
    "charts/canvas.js",
    "charts/pictures.js",
    "charts/look.js",
    "charts/special.js",
    "charts/kinds.js",
    "charts/controls.js",
    "charts/drawing.js",
)
"""Scripts of the page of a run in order: each uses the definitions of the previous ones."""


@dataclass(frozen=True, slots=True)
class OneFile:
    """Contents of a page that is one file. ``first``: the script that runs before anything is
    drawn; ``policy``: only these scripts run and only this style counts; ``data``: JSON for
    scripts.
    """

    policy: str
    style: Markup
    first: Markup
    scripts: tuple[Markup, ...]
    data: Markup | None


def one_file(scripts: Sequence[str] = (), data: object = None) -> OneFile:
    """Contents of a page with these ``scripts``, which share one scope, and their ``data``."""
    from markupsafe import Markup

    first, *others = (inline(asset(name)) for name in ("theme.js", "button.js"))
    others += [scope(scripts)] if scripts else []
    style = asset(STYLE)
    return OneFile(
        _policy((first, *others), style),
        Markup(style),  # noqa: S704 - our own file
        Markup(first),  # noqa: S704 - our own file, checked in inline
        tuple(Markup(text) for text in others),  # noqa: S704 - our own files, checked in inline
        None if data is None else Markup(as_json(data)),  # noqa: S704 - escaped in as_json
    )


def as_json(data: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can end the element or open a
    comment.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def templates(filters: Mapping[str, Callable[..., Any]] | None = None) -> jinja2.Environment:
    """Environment of the templates of all pages; texts that they show are escaped. ``path`` is the
    address of a page of a site; ``alone`` the contents of one file.
    """
    import jinja2

    from motebench.version import __version__

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(version=__version__, alone=None, path="", sections={})
    environment.filters.update(filters or {})
    return environment


def asset(name: str) -> str:
    """The text of a file of pages."""
    return (ASSETS / name).read_text(encoding="utf-8")


def scope(names: Sequence[str]) -> str:
    """Scripts as one, in one scope: each uses the definitions of the previous ones."""
    parts = "\n".join(asset(name) for name in names)
    return inline(f'"use strict";\n(() => {{\n{parts}}})();\n')


def inline(script: str) -> str:
    """A script as it can stand between script tags; the policy's hash is of exactly this text."""
    script = script.replace("\r\n", "\n").replace("\r", "\n")
    # Both sequences only occur within strings, where the escape means the same character.
    return script.replace("</script", "\\x3c/script").replace("<!--", "\\x3c!--")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _policy(scripts: Sequence[str], style: str) -> str:
    """Content policy: only these scripts run and only this style counts; nothing is loaded from
    anywhere.
    """
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; base-uri 'none'; "
        "form-action 'none'"
    )
