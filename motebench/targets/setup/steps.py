"""Steps of a build while it runs: which one, since when, and how long the same one took before on
this machine.
"""

from __future__ import annotations

import json
import logging
import os
import re
import select
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from motebench.base.files.access import replace

LOGGER, EXTRA = "motebench.build", "build_step"
"""Name of the logger of steps, whose records have the level DEBUG; and the attribute of a record
that has the step."""
_ALIKE = 2
"""Earlier times of a step count if the longest is at most so many times the shortest."""
_KEPT = 5
"""Times that are kept of a step."""
_LOOK_SECONDS = 1.0
_TAIL = 4096
_SHARE = re.compile(rb"^\[\s*(\d{1,3})%\]", re.MULTILINE)
"""Progress lines of CMake's makefiles: the share of the targets that is done."""


@dataclass(frozen=True, slots=True)
class BuildStep:
    """Progress of a build.

    what: the build, with its verb. step: what it does now; empty before the first step. number: of
    the step. seconds: since the build began. before: seconds that this step took earlier; None if
    that is not known. share: of the step that is done, in percent. over: the build has ended.
    """

    what: str
    step: str = ""
    number: int = 0
    seconds: float = 0.0
    before: float | None = None
    share: int | None = None
    over: bool = False

    def __str__(self) -> str:
        step = f": {self.step}" if self.step else ""
        return ", ".join([f"{self.what}{step}", *self.details(), f"{self.seconds:.0f} s so far"])

    def details(self) -> list[str]:
        """Further facts of the step: its share and its earlier time, if known."""
        share = [] if self.share is None else [f"{self.share} %"]
        return share + ([] if self.before is None else [f"which took {self.before:.0f} s before"])


class StepMemory:
    """Times of steps on this machine, in a file of the folder of builds."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def before(self, key: str) -> float | None:
        """Seconds that the step took; None if it never ran here, or took now this long and now
        that.
        """
        times = self._times().get(key, [])
        return median(times) if times and max(times) <= _ALIKE * min(times) else None

    def keep(self, took: Mapping[str, float]) -> None:
        """Remember the steps of a build that went well. What cannot be written is forgotten."""
        if not took:
            return
        times = self._times()
        for key, seconds in took.items():
            times[key] = [*times.get(key, []), round(seconds, 1)][-_KEPT:]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace(self._path, json.dumps(times, indent=1, sort_keys=True).encode())
        except OSError:
            return

    def _times(self) -> dict[str, list[float]]:
        try:
            document = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        entries = document.items() if isinstance(document, dict) else ()
        return {
            key: times
            for key, times in entries
            if isinstance(times, list) and times and all(map(_is_time, times))
        }


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and 0 <= value < 1e9


@dataclass
class StepBook:
    """Hears which steps a build begins, and says how far it is. ``now``: a clock, in seconds."""

    what: str
    memory: StepMemory
    now: Callable[[], float] = time.monotonic
    took: dict[str, float] = field(default_factory=dict)
    """Seconds of the steps that have ended, by key."""

    def __post_init__(self) -> None:
        self._began = self._since = self.now()
        self._key, self._words, self._number = "", "", 0

    def begins(self, line: str) -> BuildStep:
        """A step begins: its key, and words for readers."""
        self._ended()
        self._key, _, self._words = line.partition(" ")
        self._number += 1
        return self.state()

    def state(self, share: int | None = None, *, over: bool = False) -> BuildStep:
        """Progress of the build."""
        if over:
            self._ended()
        before = self.memory.before(self._key) if self._key else None
        seconds = self.now() - self._began
        return BuildStep(self.what, self._words, self._number, seconds, before, share, over)

    def _ended(self) -> None:
        now = self.now()
        if self._key and self._key != "-":
            self.took[self._key] = now - self._since
        self._since = now


def watch(process: subprocess.Popen[bytes], book: StepBook, log: Path) -> None:
    """Tell of each line that a build prints, and every second, until it ends. ``log``: of its
    tools.
    """
    assert process.stdout is not None
    descriptor, text, from_here = process.stdout.fileno(), b"", 0
    try:
        _tell(book.state())
        while process.poll() is None or select.select([descriptor], [], [], 0)[0]:
            if not select.select([descriptor], [], [], _LOOK_SECONDS)[0]:
                _tell(book.state(_share(log, from_here)))
                continue
            more = os.read(descriptor, 65536)
            if not more:
                break
            *lines, text = (text + more).split(b"\n")
            for line in lines:
                from_here = _length(log)
                _tell(book.begins(line.decode("utf-8", "replace")))
        process.wait()
    finally:
        _tell(book.state(over=True))


@contextmanager
def waited_for(subject: str, step: str) -> Iterator[None]:
    """Tell every second that work elsewhere goes on, of which only the end is seen."""
    began, over = time.monotonic(), threading.Event()

    def tell() -> None:
        while not over.wait(_LOOK_SECONDS):
            _tell(BuildStep(subject, step, 1, time.monotonic() - began))

    _tell(BuildStep(subject))
    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        _tell(BuildStep(subject, step, 1, time.monotonic() - began, over=True))


def _length(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _share(log: Path, from_here: int) -> int | None:
    """The share that the tools of a step printed last, which write behind ``from_here``; None if
    they print none.
    """
    try:
        with log.open("rb") as file:
            file.seek(max(from_here, _length(log) - _TAIL))
            shares: Sequence[bytes] = _SHARE.findall(file.read())
    except OSError:
        return None
    return int(shares[-1]) if shares else None


def _tell(step: BuildStep) -> None:
    """The command line shows it, on a terminal as a line that changes."""
    logging.getLogger(LOGGER).debug(step, extra={EXTRA: step})
