"""HTML files that show runs: each opens from disk and loads nothing from the network. Here are the
parts of them: templates, style, scripts and data.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2

_ASSETS = Path(__file__).parent / "assets"


def as_json(data: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can end the element or open a
    comment.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def templates(*folders: Path) -> jinja2.Environment:
    """Environment of the templates of these folders and of the report; texts that they show are
    escaped.
    """
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, _ASSETS]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(name: str) -> str:
    """The text of a file of the page."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def script(name: str) -> str:
    """A script of the page."""
    return inline(asset(name))


def scope(names: Sequence[str]) -> str:
    """Scripts of the page as one, in one scope: each uses the definitions of the previous ones."""
    parts = "\n".join(asset(name) for name in names)
    return inline(f'"use strict";\n(() => {{\n{parts}}})();\n')


def inline(script: str) -> str:
    """A script as it can stand between script tags; the policy's hash is of exactly this text."""
    script = script.replace("\r\n", "\n").replace("\r", "\n")
    # Both sequences only occur within strings, where the escape means the same character.
    return script.replace("</script", "\\x3c/script").replace("<!--", "\\x3c!--")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy(scripts: Sequence[str], style: str) -> str:
    """Content policy: only these scripts run and only this style counts; nothing is loaded from
    anywhere.
    """
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; base-uri 'none'; "
        "form-action 'none'"
    )
