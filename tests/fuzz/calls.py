"""Calls of the command within this process, and the rules that each must keep."""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import ExitCode
from motebench.cli.app import run_app

EXAMPLES = int(os.environ.get("MOTEBENCH_FUZZ", "0"))
"""Examples of each property; 0 for the short form, which `make test` takes."""
SLOW_EXAMPLES = min(EXAMPLES, 400) // 4
"""The same where an example takes seconds."""
MOST_SECONDS = 60
"""Time limit far above the duration of any call on a busy machine."""


@dataclass(frozen=True)
class Result:
    """Exit code and output of one call."""

    code: int
    out: str
    err: str


class TooSlow(BaseException):
    """No `Exception`, so that nothing of the program catches it."""


def _too_slow(*_: object) -> None:
    raise TooSlow(f"more than {MOST_SECONDS} s")


def call(*arguments: str | Path) -> Result:
    """Call the command and check the common rules: a documented exit code other than 1, no
    traceback, an end in time.
    """
    before = sys.argv, sys.stdout, sys.stderr
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)
    )
    sys.argv, sys.stdout, sys.stderr = ["motebench", *map(str, arguments)], out, err
    old = signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        with warnings.catch_warnings():
            # Numbers that overflow are no results.
            warnings.simplefilter("error", RuntimeWarning)
            code = run_app()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        sys.argv, sys.stdout, sys.stderr = before
    result = Result(int(code), *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]
    assert result.code in {int(each) for each in ExitCode} - {1}, (
        arguments,
        result.code,
        result.err,
    )
    assert "Traceback" not in result.err
    assert "Warning" not in result.err, result.err
    return result
