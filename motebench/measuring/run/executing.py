"""Lanes carried out in this process: one in its own thread, several in a thread each."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from motebench.base.errors import MotebenchError
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.interrupt import Interrupt
from motebench.measuring.run.lane import Lane, LaneTask
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.records import ForwardedRecords, LaneEntry, Records
from motebench.measuring.work.proof import Consensus
from motebench.targets.wire.stream import end_probes

_LOOK_SECONDS = 0.2


class Executor(Protocol):
    """Carries out lanes, several at once; only the calling thread touches ``records`` and ``progress``."""

    def split(self, stage: Sequence[Plan]) -> list[Plan]:
        """The lanes of a stage, as it carries them out."""
        ...

    def carry_out(self, works: Sequence[LaneTask], records: Records, progress: Sequence[Progress]) -> None:
        """Returns when all have ended. KeyboardInterrupt, after all have ended, where the run is interrupted.

        ``progress``: what each lane tells how far it is.
        """
        ...


class Carrier(Protocol):
    """Has lanes carried out by other processes."""

    def split(self, plan: Plan) -> list[Plan]:
        """A lane, by what may be measured apart."""
        ...

    def takes(self, plan: Plan) -> bool:
        """Whether a lane is for other processes."""
        ...

    def carry(self, work: LaneTask, send: Callable[[LaneEntry], None], interrupt: Interrupt) -> None:
        """Have it carried out; ``send`` gets its entries, each once and in order. KeyboardInterrupt where the run is
        interrupted."""
        ...


class Here:
    """The executor of this process, which gives lanes to a ``carrier`` where that takes them.

    ``threads``: simulated boards at once in a lane; None: one per processor.
    """

    def __init__(
        self, interrupt: Interrupt, consensus: Consensus, carrier: Carrier | None = None, threads: int | None = None
    ) -> None:
        self._interrupt, self._consensus, self._carrier, self._threads = interrupt, consensus, carrier, threads

    def split(self, stage: Sequence[Plan]) -> list[Plan]:
        """See `Executor`."""
        return [part for lane in stage for part in (self._carrier.split(lane) if self._carrier else [lane])]

    def carry_out(self, works: Sequence[LaneTask], records: Records, progress: Sequence[Progress]) -> None:
        """See `Executor`."""
        if len(works) == 1 and not self._carried(works[0]):
            Lane(works[0], records, progress[0], self._interrupt, self._consensus, self._threads).run()
            return
        entries: queue.SimpleQueue[tuple[int, LaneEntry]] = queue.SimpleQueue()
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

    def _lane(self, work: LaneTask, number: int, entries: queue.SimpleQueue[tuple[int, LaneEntry]]) -> None:
        """A board that fails costs its own cases."""

        def send(entry: LaneEntry) -> None:
            entries.put((number, entry))

        if self._carrier is not None and self._carried(work):
            try:
                self._carrier.carry(work, send, self._interrupt)
            except KeyboardInterrupt:
                if not self._interrupt.came:
                    raise
            return
        sink = ForwardedRecords(send)
        lane = Lane(work, sink, sink, self._interrupt, self._consensus, self._threads)
        try:
            lane.run()
        except KeyboardInterrupt:
            if not self._interrupt.came:
                raise
        except MotebenchError as error:
            lane.fail_rest(error)

    def _carried(self, work: LaneTask) -> bool:
        return self._carrier is not None and self._carrier.takes(work.plan)


def _take(
    entries: queue.SimpleQueue[tuple[int, LaneEntry]], records: Records, progress: Sequence[Progress], *, wait: bool
) -> None:
    try:
        number, entry = entries.get(timeout=_LOOK_SECONDS) if wait else entries.get_nowait()
    except queue.Empty:
        return
    entry.apply(records, progress[number])
