"""Lanes carried out in this process: one in its own thread, several in a thread each."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from motebench.errors import MotebenchError
from motebench.runner.interrupt import Interrupt
from motebench.runner.lane import Lane, Work
from motebench.runner.progress import Progress
from motebench.runner.proof import Consensus
from motebench.runner.records import Entry, Forwarded, Records
from motebench.targets.stream import end_probes

_LOOK_SECONDS = 0.2


class Executor(Protocol):
    """Carries out lanes, several at once; only the calling thread touches ``records`` and ``progress``."""

    def carry_out(self, works: Sequence[Work], records: Records, progress: Sequence[Progress]) -> None:
        """Returns when all have ended. KeyboardInterrupt, after all have ended, where the run is interrupted.

        ``progress``: what each lane tells how far it is.
        """
        ...


class Here:
    """The executor of this process."""

    def __init__(self, interrupt: Interrupt, consensus: Consensus) -> None:
        self._interrupt, self._consensus = interrupt, consensus

    def carry_out(self, works: Sequence[Work], records: Records, progress: Sequence[Progress]) -> None:
        """See `Executor`."""
        if len(works) == 1:
            Lane(works[0], records, progress[0], self._interrupt, self._consensus).run()
            return
        entries: queue.SimpleQueue[tuple[int, Entry]] = queue.SimpleQueue()
        with ThreadPoolExecutor(len(works), thread_name_prefix="lane") as pool:
            futures = [pool.submit(self._lane, work, number, entries) for number, work in enumerate(works)]
            interrupted = False
            while True:
                ended = all(future.done() for future in futures)
                try:
                    _take(entries, records, progress, wait=not ended)
                except KeyboardInterrupt:
                    interrupted = True
                except BaseException:
                    self._interrupt.end()
                    end_probes()
                    raise
                if ended and entries.empty():
                    break
                if self._interrupt.came:  # a board may compute for minutes, and its thread would wait for it
                    end_probes()
        if self._interrupt.came or interrupted:
            raise KeyboardInterrupt
        for future in futures:
            future.result()

    def _lane(self, work: Work, number: int, entries: queue.SimpleQueue[tuple[int, Entry]]) -> None:
        """A board that fails costs its own cases."""
        sink = Forwarded(lambda entry: entries.put((number, entry)))
        lane = Lane(work, sink, sink, self._interrupt, self._consensus)
        try:
            lane.run()
        except KeyboardInterrupt:
            if not self._interrupt.came:
                raise
        except MotebenchError as error:
            lane.fail_rest(error)


def _take(
    entries: queue.SimpleQueue[tuple[int, Entry]], records: Records, progress: Sequence[Progress], *, wait: bool
) -> None:
    try:
        number, entry = entries.get(timeout=_LOOK_SECONDS) if wait else entries.get_nowait()
    except queue.Empty:
        return
    entry.apply(records, progress[number])
