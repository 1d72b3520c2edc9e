"""Makes texts from other sources safe to show."""

from __future__ import annotations

import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters except tab and newline."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def printable(text: str) -> str:
    """The text as one line, with a replacement character for each unprintable one."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def visible(text: str) -> str:
    """The text with control characters as escapes, so that they do not reach the terminal; lines and tabs stay."""
    text = text.replace("\r\n", "\n")
    return _SURROGATE.sub("\ufffd", CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text))


def shortened(listed: str, most: int = 190) -> str:
    """A list with commas, cut after an entry if it is longer than ``most`` characters; it ends with the number of
    omitted entries."""
    if len(listed) <= most:
        return listed
    entries = listed.split(", ")
    shown = 1
    while shown < len(entries) and len(", ".join(entries[: shown + 1])) <= most:
        shown += 1
    # A group in braces is whole or not there.
    while shown > 1 and ", ".join(entries[:shown]).count("{") > ", ".join(entries[:shown]).count("}"):
        shown -= 1
    left = len(entries) - shown
    return f"{', '.join(entries[:shown])}, ... ({left} more)" if left else listed
