"""What a worker does when it is asked. Dask calls these functions by their names."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from motebench.base.errors import MotebenchError
from motebench.measuring.fleet.file import Seen, look
from motebench.measuring.fleet.parcel import Done, Parcel, PlaceFacts, identity
from motebench.measuring.plan.offers import TargetOffers, ask
from motebench.measuring.run.context import Interrupt
from motebench.measuring.run.lane import Lane
from motebench.measuring.run.records import ForwardedRecords, LaneEntry
from motebench.measuring.study.load import from_text
from motebench.measuring.work.proof import Consensus
from motebench.targets.base import Place
from motebench.targets.registry import open_target

if TYPE_CHECKING:
    from distributed import Worker


T = TypeVar("T")
R = TypeVar("R")


class Abandoned(Interrupt):
    """The task is no longer wanted: the study was interrupted, or the scheduler cannot be reached."""

    def __init__(self, worker: Worker, key: str) -> None:
        super().__init__()
        self._worker, self._key = worker, key

    @property
    def came(self) -> bool:
        """See `Interrupt`."""
        task = self._worker.state.tasks.get(self._key)
        running = task is not None and task.state in ("executing", "long-running")
        return super().came or not running or self._worker.status.name != "running"


class Refused(Exception):  # noqa: N818 - what happened, not a defect
    """The worker refuses: the message says why. A plain text, so that any version can read it."""


def same_version(theirs: str, at: str) -> None:
    """Refused unless both sides are the same version of motebench and of the firmware."""
    if theirs != identity():
        raise Refused(
            f"lab host {at} has motebench {identity()} and the study {theirs}: version and sources must be the same"
        )


def seen(target: str) -> Seen:
    """Look at a board from this lab host."""
    return look(target)


def asked(question: str, name: str, target: str, *, dry: bool, theirs: str) -> tuple[PlaceFacts, TargetOffers]:
    """What the implementations of a target say of themselves; see `motebench.measuring.plan.offers.ask`."""
    at = _at()
    same_version(theirs, at)
    try:
        opened = open_target(target)
        try:
            answer = ask(opened, from_text(question, name), dry=dry)
            return PlaceFacts.of(opened.place, at), answer
        finally:
            opened.place.close()
    except MotebenchError as error:
        raise Refused(": ".join(filter(None, (error.what, error.hint)))) from None


def measure(parcel: Parcel) -> Done:
    """Carry out a lane; tell every entry at once, and give all of them back at the end."""
    from distributed import get_worker

    worker = get_worker()
    key = str(worker.get_current_task())
    execution = uuid.uuid4().hex
    same_version(parcel.identity, _at())
    entries: list[LaneEntry] = []

    def send(entry: LaneEntry) -> None:
        number = None
        if entry.of_records:
            number = len(entries)
            entries.append(entry)
        worker.log_event(parcel.topic, pickle.dumps((key, execution, number, entry)))

    sink = ForwardedRecords(send)
    interrupted, problem = False, None
    places: list[Place] = []
    try:
        work = parcel.work()
        places += [target.place for target in work.plan.targets.values()]
        # A worker runs as many tasks as it has processors for: each takes one.
        Lane(work, sink, sink, Abandoned(worker, key), Consensus(), threads=1).run()
    except KeyboardInterrupt:
        interrupted = True
    except MotebenchError as error:
        problem = ": ".join(filter(None, (error.what, error.hint)))
    finally:
        for place in places:
            place.close()
    return Done(execution, tuple(entries), interrupted, problem)


def unit_of(work: Callable[[T], R], unit: T, theirs: str) -> R:
    """The work of a unit, if both sides are the same version."""
    same_version(theirs, _at())
    return work(unit)


def scheduler_facts() -> dict[str, Any]:
    """What the scheduler is: asked before anything is sent to it."""
    import dask

    return {"identity": identity(), "allowed_failures": dask.config.get("distributed.scheduler.allowed-failures")}


def _at() -> str:
    """The lab host of this worker: its name, up to the number of its start."""
    from distributed import get_worker

    return str(get_worker().name).partition(" ")[0]
