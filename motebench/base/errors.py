"""The errors that a user can correct, the exit codes that scripts can rely on, and texts from other
sources made safe to show.

Exit codes are part of the interface and documented in ``docs/reference/terms.md``.
"""

from __future__ import annotations

import re
from enum import IntEnum

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters except tab and newline."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class ExitCode(IntEnum):
    """Exit codes of the ``motebench`` command."""

    OK = 0
    """Done."""
    INTERNAL = 1
    """A defect in motebench; please report it."""
    USAGE = 2
    """Bad input: an option, a study, a name, a file; output that cannot be written. `verify`:
    nothing could be checked."""
    FAILURES = 3
    """Done, but some cases or known answers failed; they are listed. `leak`: no conclusion about a
    secret. `reference check`: something changed. `compare --fail-if-slower`, `gate`: a case of A
    failed in B, or cannot be decided. `audit --fail-on`: the audit has a finding of that weight.
    """
    SLOWER = 4
    """`compare --fail-if-slower`, `gate`: a case is slower than allowed."""
    INCOMPARABLE = 5
    """The environments of two compared runs differ, or this environment differs from that of the
    run to resume."""
    STORE = 6
    """The store cannot be read or written, or its server stays away; nothing already stored is
    lost."""
    SETUP = 7
    """A program, library or device that is needed is missing."""
    LEAK = 8
    """`leak`: a time depends on a secret."""
    NOTHING = 9
    """`choose`: no candidate keeps all limits."""
    INTERRUPTED = 130
    """Interrupted by Ctrl-C, SIGTERM, SIGHUP or SIGQUIT; everything measured until then is stored,
    and `run --resume` continues."""


def _short(text: str, most: int = 1000) -> str:
    """Quoted text may have any length and any characters; a message may not."""
    text = visible(text)
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-100:]}"


class MotebenchError(Exception):
    """Error that the user can correct.

    what: one sentence that says what is wrong. where: file, line and key
    (``study.toml:7: schemes``), or the option. valid: the accepted values; of a long list, the
    message shows the beginning. hint: what to do next.
    """

    exit_code = ExitCode.USAGE

    def __init__(
        self,
        problem: str,
        *,
        where: str | None = None,
        valid: str | None = None,
        hint: str | None = None,
        exit_code: ExitCode | None = None,
    ) -> None:
        super().__init__(_short(problem))
        self.what = _short(problem)
        self.where = where and _short(where, 3000)
        self.valid = valid and _short(valid, 3000)
        self.hint = hint and _short(hint)
        if exit_code is not None:
            self.exit_code = exit_code

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        if self.valid:
            lines.append(f"  valid: {shortened(self.valid)}")
        return "\n".join(lines)


class InputError(MotebenchError):
    """A study, an option, a name or a vector file is invalid."""


class AbsentError(InputError):
    """A target has a valid name and cannot be used now: its port is not there, is in use, or may
    not be opened.
    """


class NotFoundError(InputError):
    """The store has no run or case of that name or number."""


class StoreError(MotebenchError):
    """The store cannot be opened, read or written."""

    exit_code = ExitCode.STORE
    passing = False
    """True if the same may work later: the store is locked, away, or not there."""

    @classmethod
    def for_now(cls, problem: str, *, where: str, hint: str) -> StoreError:
        """An error that may pass."""
        error = cls(problem, where=where, hint=hint)
        error.passing = True
        return error


class SetupError(MotebenchError):
    """A program, library or build product is missing."""

    exit_code = ExitCode.SETUP


class IncomparableError(MotebenchError):
    """Two sets of results that must not be compared unless the user allows it."""

    exit_code = ExitCode.INCOMPARABLE


def printable(text: str) -> str:
    """The text as one line, with a replacement character for each unprintable one."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def is_unicode(text: str) -> bool:
    """True if results can contain the text: it has no surrogates, which stand for bytes of a path
    or an argument that are not UTF-8.
    """
    return _SURROGATE.search(text) is None


def visible(text: str) -> str:
    """The text with control characters as escapes, so that they do not reach the terminal; lines
    and tabs stay.
    """
    if text.isprintable():  # nearly every text, and quicker than the searches
        return text
    text = text.replace("\r\n", "\n")
    return _SURROGATE.sub("\ufffd", CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text))


def shortened(listed: str, most: int = 190) -> str:
    """A list with commas, cut after an entry if it is longer than ``most`` characters; it ends with
    the number of omitted entries."""
    if len(listed) <= most:
        return listed
    entries = listed.split(", ")
    shown = 1
    while shown < len(entries) and len(", ".join(entries[: shown + 1])) <= most:
        shown += 1
    # A group in braces is whole or not there.
    while shown > 1 and ", ".join(entries[:shown]).count("{") > ", ".join(entries[:shown]).count(
        "}"
    ):
        shown -= 1
    left = len(entries) - shown
    return f"{', '.join(entries[:shown])}, ... ({left} more)" if left else listed
