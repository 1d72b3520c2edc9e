"""Recorder of an instrument: a thread reads samples while batches run, and writes them to the file
at once.

Only energy of the batch is counted. A request computes more than its batch: the probe checks the
operation before and after. Its reply says in ticks how long it worked before the first batch and
after the last (``docs/reference/probe-protocol.md``, measure), and how long the batch took. The
rest of the time on this machine's clock is the transport of request and reply. The batch may be
anywhere within it, so it is placed in the middle, and its ends may be off by half of the rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from motebench.base.errors import InputError, MotebenchError
from motebench.base.model import FailureKind
from motebench.measuring.instruments.base import Clock, Instrument, InstrumentLost
from motebench.measuring.instruments.recording import (
    BATCH,
    COMPLETE,
    Recording,
    Window,
    absurd,
    end_line,
    head_line,
    sample_line,
    window_line,
)
from motebench.targets.wire.messages import ProbeFailure, Timing


@dataclass(frozen=True, slots=True)
class Placed:
    """A batch from ``t0`` to ``t1`` in seconds of the clock of the stream; each end may be off by
    ``edge_s``.

    ``beside_s``: how long the same request computed something other than the batch.
    """

    t0: float
    t1: float
    edge_s: float
    beside_s: float

    @property
    def seconds(self) -> float:
        """Duration of the batch."""
        return self.t1 - self.t0


def place(timing: Timing, hz: int) -> Placed:
    """The only batch of a request to a probe whose clock has ``hz`` ticks per second.

    ProbeFailure of kind ``unsupported`` if the probe does not report when its batch ran: then no
    energy is known.
    """
    if timing.before is None or timing.after is None or timing.span is None:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            "the probe does not report when its batch began and ended ('before' and 'after' of "
            "measure): its checks would count as energy of the operation",
        )
    if len(timing.ticks) != 1:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            "an instrument needs one batch per request, because gaps would count too",
        )
    before, seconds, after = timing.before / hz, timing.ticks[0] / hz, timing.after / hz
    if seconds <= 0:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, "the batch is shorter than a tick of the probe's clock"
        )
    way_there, left = timing.span
    spare = (left - after) - (way_there + before) - seconds
    t0 = way_there + before + spare / 2
    return Placed(t0, t0 + seconds, abs(spare) / 2, before + after)


@dataclass
class _Held:
    """The data of a window (see `Window`), and the window itself when it is over."""

    iterations: int = 0
    work_s: float | None = None
    beside_s: float = 0.0
    window: Window | None = None


class Recorder:
    """Records an instrument from `start` to `stop`. If an instrument is lost, the samples before
    stay.

    path: a new file that gets every line as soon as it is known. InputError if it exists.
    clock: that of the streams to the probe, so that it is known which samples belong to a batch.
    """

    def __init__(
        self,
        instrument: Instrument,
        about: Mapping[str, object],
        path: Path | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._instrument = instrument
        self._clock = clock
        self.recording = Recording(instrument.info, dict(about))
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._over = threading.Event()
        self._lost: str | None = None
        self._file = _create(path) if path else None
        self._thread = (
            None
            if instrument.info.rate_hz is None
            else threading.Thread(target=self._run, daemon=True)
        )
        self._begun = 0.0

    def start(self) -> None:
        """Begin; returns when the first sample has arrived, or the instrument is lost."""
        self._write(head_line(self.recording.info, self.recording.about))
        self._begun = self._clock()
        self._instrument.start(self.now)
        if self._thread is not None:
            self._thread.start()
            while not self.recording.samples and self._lost is None:
                time.sleep(0.01)

    def now(self) -> float:
        """Seconds since the recording began."""
        return self._clock() - self._begun

    @property
    def lost(self) -> str | None:
        """Reason why the instrument stopped answering; None while it answers."""
        return self._lost

    @contextmanager
    def window(self, name: str, *, later: bool = False) -> Iterator[_Held]:
        """A context whose duration becomes a window of that name; it gives an object for the data
        of the window.

        An instrument read by hand is read before and after. If the body raises, there is no window.
        With ``later``, the caller adds the window, or not.
        """
        held = _Held()
        t0 = self._border(shared=True)
        yield held
        t1 = self._border()
        held.window = Window(name, t0, t1, held.iterations, 0.0, held.work_s, held.beside_s)
        if not later:
            self.add(held.window)

    def batch(self, placed: Placed, iterations: int) -> None:
        """A window of that many operations, at the time that the probe reports."""
        self.add(
            Window(
                BATCH, placed.t0 - self._begun, placed.t1 - self._begun, iterations, placed.edge_s
            )
        )

    def add(self, window: Window) -> None:
        """Keep a window."""
        with self._lock:
            self.recording.windows.append(window)
            self._write(window_line(window))

    def idle(self, name: str, seconds: float) -> None:
        """A window without work on this side; shorter if the instrument is lost."""
        with self.window(name):
            self._over.wait(seconds)

    def stop(self, interrupted: str | None = None) -> Recording:
        """End the recording, and write how it ended."""
        if self._thread is not None and interrupted is None and self._lost is None:
            # One more sample, so that the last window has both edges.
            time.sleep(min(2 * self.recording.info.period_s + self.recording.info.timing_s, 5.0))
        self._stopping.set()
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(10.0)
        self._instrument.stop()
        self.recording.ended = self._lost or interrupted or COMPLETE
        if self._file is not None:
            self._write(end_line(self.recording.ended))
            self._file.close()
            self._file = None
        return self.recording

    def _border(self, *, shared: bool = False) -> float:
        if self._thread is not None:
            return self.now()
        # By hand, a window begins with the reading that ended the previous one.
        if not (shared and self.recording.windows):
            self._take()
        if self._lost is not None:
            raise InstrumentLost(self._lost)
        return self.recording.samples[-1].t

    def _run(self) -> None:
        while not self._stopping.is_set() and self._lost is None:
            self._take()
        self._over.set()

    def _take(self) -> None:
        try:
            for sample in self._instrument.read():
                problem = absurd(sample.watts)
                if problem:
                    raise InstrumentLost(problem)
                if self.recording.samples and sample.t <= self.recording.samples[-1].t:
                    raise InstrumentLost("its time goes backwards")
                with self._lock:
                    self.recording.samples.append(sample)
                    self._write(sample_line(sample))
        except MotebenchError as error:
            self._lost = error.what
        except OSError as error:
            self._lost = f"does not answer any more: {error.strerror or error}"
        except Exception as error:  # a driver has its own exceptions
            self._lost = f"its driver failed: {type(error).__name__}: {error}"

    def _write(self, line: str) -> None:
        if self._file is not None:
            self._file.write(line)
            self._file.flush()


def _create(path: Path) -> IO[str]:
    try:
        return path.open("x", encoding="utf-8")
    except FileExistsError:
        raise InputError(
            "exists; a recording is never written over",
            where=str(path),
            hint="another name for --record",
        ) from None
