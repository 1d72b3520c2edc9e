"""Recordings: the samples of an instrument, with the times of batches and idling. Saved as JSON
lines, checked when loaded.

The first line has the file's type, the instrument and the columns; then come samples (arrays),
windows and the end (objects). ``docs/explain/energy.md`` describes the format for authors of other
tools.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from motebench.base.errors import InputError
from motebench.base.files.access import open_to_read
from motebench.measuring.instruments.base import MOST_WATTS, Info, PowerSample, Shape

FORMAT = 1
COLUMNS = {"t_s": "s", "watts": "W", "volts": "V", "amps": "A", "lost": "1"}
"""Columns of samples, and their units."""
IDLE, BATCH, LOAD = "idle", "batch", "load"
WINDOWS = (IDLE, BATCH, LOAD)
COMPLETE = "complete"
ABOUT: Mapping[str, type] = {
    "target": str,
    "implementation": str,
    "version": str,
    "scheme": str,
    "operation": str,
    "input_bytes": int,
    "batch_iterations": int,
}
"""Keys with which a recording may describe itself, each also null; other keys are kept unchanged.
"""
_LONGEST_LINE, _LONGEST_TEXT = 2**20, 1000
_MOST_LINES = 20_000_000
_MOST = 1e15
"""Largest valid number of a recording."""
_VALID = "lines of JSON as docs/explain/energy.md describes them"


@dataclass(frozen=True, slots=True)
class Window:
    """A period with a name; for batches, with the number of operations.

    edge_s: how far each of its ends may be off. work_s: seconds of it in which these operations
    ran; None: all of it. beside_s: seconds of it in which the target computed something that is not
    counted.
    """

    name: str
    t0: float
    t1: float
    iterations: int = 0
    edge_s: float = 0.0
    work_s: float | None = None
    beside_s: float = 0.0

    @property
    def seconds(self) -> float:
        """Time that the operations ran, in seconds."""
        return self.t1 - self.t0 if self.work_s is None else self.work_s

    @property
    def beside(self) -> float:
        """The share of the target's work that is not counted."""
        return self.beside_s / (self.seconds + self.beside_s)


@dataclass
class Recording:
    """A stream with everything that is needed to recompute a result. ``ended`` is ``complete``, or
    the reason of an early end."""

    info: Info
    about: dict[str, object] = field(default_factory=dict)
    samples: list[PowerSample] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    ended: str = "the recording has no end"

    def named(self, name: str) -> list[Window]:
        """The windows of that name, in order."""
        return [window for window in self.windows if window.name == name]


def head_line(info: Info, about: Mapping[str, object]) -> str:
    """The first line."""
    head = {"motebench_recording": FORMAT, "instrument": asdict(info), "about": dict(about)}
    return _line({**head, "columns": list(COLUMNS), "units": list(COLUMNS.values())})


def sample_line(sample: PowerSample) -> str:
    """The line of a sample."""
    return _line([sample.t, sample.watts, sample.volts, sample.amps, sample.lost])


def window_line(window: Window) -> str:
    """The line of a window."""
    values = {
        "window": window.name,
        "t0": window.t0,
        "t1": window.t1,
        "iterations": window.iterations,
    }
    more = {"edge_s": window.edge_s, "work_s": window.work_s, "beside_s": window.beside_s}
    return _line({**values, **{key: value for key, value in more.items() if value}})


def end_line(ended: str) -> str:
    """The last line."""
    return _line({"end": ended})


def _line(content: object) -> str:
    return json.dumps(content, allow_nan=False, ensure_ascii=False) + "\n"


def save(recording: Recording, path: Path) -> None:
    """Write a whole recording. OSError if that fails."""
    lines = [head_line(recording.info, recording.about)]
    lines += [sample_line(sample) for sample in recording.samples]
    lines += [window_line(window) for window in recording.windows]
    path.write_text("".join([*lines, end_line(recording.ended)]), encoding="utf-8")


def load(path: Path) -> Recording:
    """Load a recording. InputError with file and line for an invalid one; OSError if there is
    none.
    """
    try:
        with TextIOWrapper(open_to_read(path), encoding="utf-8") as file:
            return _read(file, path)
    except UnicodeDecodeError:
        raise InputError(
            "is not a text file, so it is not a recording", where=str(path), valid=_VALID
        ) from None


def _read(file: TextIO, path: Path) -> Recording:
    text, number = _line_of(file, f"{path}:1"), 1
    if not text:
        raise InputError("is empty, so it is not a recording", where=str(path), valid=_VALID)
    recording, columns = _head(_parse(text, f"{path}:1"), f"{path}:1")
    text = _line_of(file, f"{path}:2")
    while text:
        number += 1
        where = f"{path}:{number}"
        if number > _MOST_LINES:
            raise InputError(
                f"has more than {_MOST_LINES} lines", where=where, valid="a shorter recording"
            )
        following = _line_of(file, f"{path}:{number + 1}")
        try:
            content = _parse(text, where)
        except InputError:
            if not following:
                recording.ended = "the last line is cut off"
                break
            raise
        if isinstance(content, list):
            _add_sample(recording, content, columns, where)
        elif "window" in content:
            recording.windows.append(_window(content, where))
        elif "end" in content:
            recording.ended = str(content["end"])[:_LONGEST_TEXT]
        else:
            raise InputError(
                "is not a sample, a window or an end",
                where=where,
                valid='[...], {"window": ...}, {"end": ...}',
            )
        text = following
    return recording


def _line_of(file: TextIO, where: str) -> str:
    """The next line; empty at the end."""
    text = file.readline(_LONGEST_LINE + 1)
    if len(text) > _LONGEST_LINE:
        raise InputError(
            "the line is too long", where=where, valid=f"lines of up to {_LONGEST_LINE} characters"
        )
    return text


def _parse(text: str, where: str) -> Any:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = str(error)[:200]
        if isinstance(error, json.JSONDecodeError):
            message = f"{error.msg} at column {error.colno}"
        elif isinstance(error, RecursionError):
            message = "it is nested too deeply"
        raise InputError(f"is not JSON: {message}", where=where, valid=_VALID) from None
    if not isinstance(content, list | dict):
        raise InputError(f"{text.strip()[:40]!r} is neither an array nor an object", where=where)
    return content


def _head(content: Any, where: str) -> tuple[Recording, list[str]]:
    if not isinstance(content, dict) or "motebench_recording" not in content:
        raise InputError(
            "is not a recording of an instrument",
            where=where,
            valid='{"motebench_recording": 1, ...}',
        )
    if content["motebench_recording"] != FORMAT:
        raise InputError(
            f"is a recording of format {str(content['motebench_recording'])[:40]}",
            where=where,
            valid=f"format {FORMAT}",
        )
    columns = _columns(content, where)
    about = content.get("about", {})
    if not isinstance(about, dict):
        raise InputError("'about' is not an object", where=where)
    _check_about(about, where)
    return Recording(_info(content.get("instrument"), where), about), columns


def _columns(content: dict[str, Any], where: str) -> list[str]:
    columns, units = content.get("columns"), content.get("units")
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        raise InputError("the key 'columns' is missing", where=where, valid=", ".join(COLUMNS))
    if not set(columns) <= set(COLUMNS) or len(set(columns)) < len(columns):
        raise InputError(
            f"columns {', '.join(columns)[:200]} are unknown", where=where, valid=", ".join(COLUMNS)
        )
    if "t_s" not in columns or not ("watts" in columns or {"volts", "amps"} <= set(columns)):
        raise InputError(
            "the columns do not give power over time",
            where=where,
            valid="t_s with watts, or t_s with volts and amps",
        )
    if units != [COLUMNS[name] for name in columns]:
        valid = ", ".join(COLUMNS[name] for name in columns)
        raise InputError(
            f"units {str(units)[:80]} do not match the columns", where=where, valid=valid
        )
    return columns


def _check_about(about: dict[str, object], where: str) -> None:
    for key, kind in ABOUT.items():
        value = about.get(key)
        if value is None:
            continue
        if kind is str and not (isinstance(value, str) and len(value) <= _LONGEST_TEXT):
            valid = f"up to {_LONGEST_TEXT} characters"
            raise InputError(f"{key} of 'about' is {_short(value)}", where=where, valid=valid)
        if kind is int and not (type(value) is int and 0 <= value < 2**63):
            raise InputError(
                f"{key} of 'about' is {_short(value)}",
                where=where,
                valid="a whole number, 0 or more",
            )


def _info(content: Any, where: str) -> Info:
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):
        raise InputError("the instrument has no name", where=where)
    keys = dict(content)
    try:
        shape = Shape(keys.pop("shape", None))
    except ValueError:
        raise InputError(
            "the shape of the instrument is missing", where=where, valid=", ".join(Shape)
        ) from None

    def check(
        names: Sequence[str], default: object, fits: Callable[[Any], bool], valid: str
    ) -> None:
        for name in names:
            if not fits(value := keys.setdefault(name, default)):
                raise InputError(
                    f"{name} of the instrument is {_short(value)}", where=where, valid=valid
                )

    check(("rate_hz", "accuracy"), None, _positive_or_none, "a number above 0, or null")
    check(("offset_w", "timing_s", "resolution_j"), 0.0, _not_negative, "a number, 0 or more")
    check(
        ("name", "measures", "accuracy_of"), "not said", _text, f"up to {_LONGEST_TEXT} characters"
    )
    for name in ("counts", "polled"):
        if not isinstance(keys.get(name, False), bool):
            raise InputError(
                f"{name} of the instrument is {_short(keys[name])}",
                where=where,
                valid="true or false",
            )
    try:
        return Info(shape=shape, **keys)
    except TypeError:
        extra = ", ".join(sorted(set(keys) - set(Info.__slots__)))[:200]
        raise InputError(f"the instrument has unknown keys: {extra}", where=where) from None


def _positive_or_none(value: Any) -> bool:
    return value is None or (_number(value) and value > 0)


def _not_negative(value: Any) -> bool:
    return _number(value) and bool(value >= 0)


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT


def _short(value: object) -> str:
    """A value of any kind, shortened for a message."""
    if isinstance(value, int) and abs(value) > 2**64:
        return "a number of many digits"
    return repr(value)[:60]


def _number(value: object) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and -_MOST <= value <= _MOST
    )


def _add_sample(recording: Recording, row: list[Any], columns: list[str], where: str) -> None:
    if len(row) != len(columns):
        raise InputError(
            f"has {len(row)} values for {len(columns)} columns",
            where=where,
            valid=", ".join(columns),
        )
    values = dict(zip(columns, row, strict=True))
    for name, value in values.items():
        if value is None and name in ("volts", "amps"):
            continue
        if not _number(value):
            raise InputError(f"{name} is {_short(value)}", where=where, valid="a finite number")
    lost = values.get("lost", 0)
    if lost < 0 or lost != int(lost):
        raise InputError(f"lost is {lost!r}", where=where, valid="a whole number, 0 or more")
    volts, amps = values.get("volts"), values.get("amps")
    watts = values.get("watts")
    if watts is None:
        if volts is None or amps is None:
            raise InputError(
                "the sample has no power", where=where, valid="watts, or volts and amps"
            )
        watts = volts * amps
    problem = absurd(watts)
    if problem:
        raise InputError(problem, where=where)
    if recording.samples and values["t_s"] <= recording.samples[-1].t:
        raise InputError(f"{values['t_s']} s is not after {recording.samples[-1].t} s", where=where)
    recording.samples.append(
        PowerSample(float(values["t_s"]), float(watts), volts, amps, int(lost))
    )


def absurd(watts: float) -> str | None:
    """Reason why a power cannot be a reading of an instrument; None if it can."""
    if not math.isfinite(watts):
        return f"a power of {watts} W is not a number"
    if abs(watts) > MOST_WATTS:
        return f"a power of {watts:g} W cannot be: it is more than {MOST_WATTS:g} W"
    return None


def _window(content: dict[str, Any], where: str) -> Window:
    name, t0, t1, iterations = (content.get(key) for key in ("window", "t0", "t1", "iterations"))
    if name not in WINDOWS:
        raise InputError(f"unknown window {_short(name)}", where=where, valid=", ".join(WINDOWS))
    if not (_number(t0) and _number(t1)):
        raise InputError("the window has no times", where=where, valid='"t0": 1.0, "t1": 2.0')
    start, end, count = float(t0 or 0), float(t1 or 0), iterations or 0
    if end <= start:
        raise InputError(f"the window ends at {end} s and begins at {start} s", where=where)
    if type(count) is not int or not (1 if name == BATCH else 0) <= count < 2**63:
        raise InputError(
            f"iterations are {_short(iterations)}",
            where=where,
            valid="a whole number, 1 or more for a batch",
        )
    edge, work, beside = (_seconds(content, key, where) for key in ("edge_s", "work_s", "beside_s"))
    return Window(name, start, end, count, edge, work or None, beside)


def _seconds(content: dict[str, Any], key: str, where: str) -> float:
    value = content.get(key, 0.0)
    if not _not_negative(value):
        raise InputError(
            f"{key} of the window is {_short(value)}", where=where, valid="seconds, 0 or more"
        )
    seconds: float = value
    return seconds
