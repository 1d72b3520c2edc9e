"""A badge of one number, as a static SVG that needs no service."""

from __future__ import annotations

from html import escape

from motebench.base.files.access import FileKind
from motebench.documents.result import Result
from motebench.show.export._common import badge_words

FORM = FileKind.SVG
_LETTER, _SIDE, _HEIGHT = 6.6, 6, 20
"""Pixels: of a letter on average, beside a text, of the badge."""


def render(result: Result) -> str:
    """Badge of the only case of the result. InputError for several cases."""
    label, message = badge_words(result)
    left, right = (round(_LETTER * len(text)) + 2 * _SIDE for text in (label, message))
    title = escape(f"{label}: {message}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" '
        f'role="img" aria-label="{title}"><title>{title}</title>',
        f'<rect width="{left + right}" height="{_HEIGHT}" rx="3" fill="#444d56"/>',
        (
            f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v{_HEIGHT - 6}a3 3 0 0 1-3 '
            f'3h-{right - 3}z" fill="#0b62c4"/>'
        ),
        (
            '<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" '
            'text-anchor="middle">'
        ),
        _text(label, left / 2, left),
        _text(message, left + right / 2, right),
        "</g></svg>\n",
    ]
    return "".join(parts)


def _text(text: str, middle: float, width: int) -> str:
    """A text that has the width of its part, whatever the font."""
    return f'<text x="{middle:g}" y="14" textLength="{width - 2 * _SIDE}">{escape(text)}</text>'
