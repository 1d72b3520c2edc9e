"""The side of the process that runs a study: it gives lanes to workers, and takes every entry
exactly once.

An entry has the number of its place in the execution of its task. Entries are told as they are
made, and all of them come back with the result: what was missed is taken from there, what comes
twice is dropped. A task whose worker is lost is not repeated by Dask: what its entries leave is a
new task, as if the run had been interrupted and resumed. Late entries of the old task are of no
known execution, and dropped.

A lost connection to the scheduler is made again. A study takes the fleet's workers, and the
instruments of its boards.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from motebench.base.errors import InputError, SetupError
from motebench.base.model import Evidence, Failure, FailureKind
from motebench.measuring.fleet import serving
from motebench.measuring.fleet.file import Fleet
from motebench.measuring.fleet.serving import CLIENT
from motebench.measuring.fleet.task import (
    Done,
    Parcel,
    Refused,
    RemotePlace,
    after,
    asked,
    asked_of,
    identity,
    measure,
    scheduler_facts,
    seen,
    unfinished,
    unit_of,
)
from motebench.measuring.plan.offers import TargetOffers
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.context import Interrupt
from motebench.measuring.run.lane import LaneTask
from motebench.measuring.run.records import LaneEntry
from motebench.targets.base import Sharing, Target

if TYPE_CHECKING:
    from distributed import Client, Future

    from motebench.measuring.fleet.file import Seen
    from motebench.measuring.study.question import Question

_FIRST_SECONDS, _AGAIN_SECONDS = 20, 5
_LOST = ("KilledWorker", "NoValidWorkerError", "CommClosedError", "ClosedClientError")
"""Errors of Dask, by name: its modules are loaded late."""


class Away(SetupError):  # noqa: N818 - what happened, not a defect
    """The scheduler, or the worker of a task, is gone."""


class Connection:
    """Connection from `open` to `close`. ``told`` is called with the log entries of workers on
    ``topic``, in a thread of Dask.
    """

    def __init__(
        self, fleet: Fleet, topic: str, receive: Callable[[tuple[float, bytes]], None]
    ) -> None:
        self._fleet, self._topic, self._hears = fleet, topic, receive
        self._lock = threading.Lock()
        self._client: Client | None = None

    def open(self) -> None:
        """Connect. SetupError without a scheduler, or with a scheduler of another version of
        motebench.
        """
        serving.configure()
        self._client = self._connected(_FIRST_SECONDS)

    def close(self) -> None:
        """The tasks that were not awaited end."""
        if self._client is not None:
            self._client.close(timeout=5)

    def workers(self, resource: str) -> Sequence[str]:
        """Workers that have a resource now; none while the scheduler is away."""
        try:
            workers = self._there().scheduler_info(n_workers=-1).get("workers", {})
        except Exception as error:
            if isinstance(as_away(error), Away):
                return ()
            raise
        return [
            address
            for address, facts in workers.items()
            if facts.get("resources", {}).get(resource, 0) > 0
        ]

    def submit(
        self, work: Callable[..., Any], *given: Any, needs: dict[str, float], **options: Any
    ) -> Future:
        """Submit a task that Dask does not repeat, and watch it. `Away` without a scheduler."""
        try:
            client = self._there()
            # A scheduler that was started anew does not know it
            client.subscribe_topic(self._topic, self._hears)
            return client.submit(work, *given, resources=needs, pure=False, retries=0, **options)
        except Exception as error:
            raise as_away(error) from None

    def result(self, future: Future) -> Any:
        """Result of a task. `Away` if its worker or the scheduler is away; else the exception of
        the task.
        """
        try:
            return future.result()
        except Exception as error:
            raise as_away(error) from None

    def cancel(self, future: Future) -> None:
        """The task is no longer wanted."""
        with contextlib.suppress(Exception):  # where the connection is gone, the task ends with it
            future.cancel()

    def _there(self) -> Client:
        """Connected client. `Away` without a connection: Dask tries for a while, then each call
        here tries again.
        """
        with self._lock:
            client = self._client
            if client is not None and client.status == "connecting":
                raise Away("no scheduler answers")
            if client is None or client.status != "running":
                try:
                    client = self._client = self._connected(_AGAIN_SECONDS)
                except SetupError as error:
                    raise Away(error.what) from None
            return client

    def _connected(self, seconds: float) -> Client:
        from distributed import Client

        address = serving.address_of(self._fleet)
        secured = serving.security(self._fleet, CLIENT)
        try:
            client = Client(
                address, security=secured, timeout=seconds, set_as_default=False, name="motebench"
            )
        except (OSError, TimeoutError) as error:
            raise _no_scheduler(address, error) from None
        try:
            facts = client.run_on_scheduler(scheduler_facts)
        except (OSError, TimeoutError) as error:
            client.close(timeout=1)
            raise _no_scheduler(address, error) from None
        if facts.get("identity") != identity() or facts.get("allowed_failures") != 0:
            client.close()
            raise SetupError(
                f"the scheduler at {address} has motebench {facts.get('identity')}, here is "
                f"{identity()}: version and sources must be the same",
                hint="motebench fleet scheduler FILE, with this version",
            )
        return client


def _no_scheduler(address: str, error: Exception) -> SetupError:
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return SetupError(
        f"no scheduler of this fleet answers at {address}: {reason}",
        where="scheduler.address",
        hint="motebench fleet scheduler FILE starts it; both need keys of one `motebench "
        "fleet keys`",
    )


def as_away(error: Exception) -> Exception:
    """`Away`, if this error of Dask means a lost connection; else the unchanged error."""
    if isinstance(error, Away):
        return error
    if isinstance(error, OSError | TimeoutError | CancelledError) or type(error).__name__ in _LOST:
        return Away("its worker was lost")
    return error


T = TypeVar("T")
R = TypeVar("R")
_LOOK_SECONDS = 0.2
_ATTEMPTS = 3
"""Workers that a lane may lose."""


_Inbox = queue.SimpleQueue[tuple[str, int | None, LaneEntry]]
"""Entries that workers send: the execution of the task, the number of the entry (None: not kept),
the entry.
"""


class Crew:
    """The workers of a fleet. ``patience``: seconds that a board's lab host may be away."""

    def __init__(self, fleet: Fleet, patience: float = 90.0) -> None:
        self._fleet, self._patience = fleet, patience
        self._boards = {
            board.target: board.at for board in fleet.boards.values() if board.at is not None
        }
        self._topic = f"motebench-{uuid.uuid4().hex}"
        self._inboxes: dict[str, _Inbox] = {}
        self._connection = Connection(fleet, self._topic, self._told)

    def __enter__(self) -> Self:
        """Connect. SetupError without a scheduler, or with a scheduler of another version of
        motebench.
        """
        self._connection.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    # Planning

    def has(self, target: str) -> bool:
        """True if a target is connected to a lab host."""
        return target in self._boards

    def look(self, target: str) -> Seen | None:
        """Look at a board from its lab host; None if that has no worker."""
        name = serving.resource(target)
        if not self._connection.workers(name):
            return None
        return self._result(seen, target, needs={name: 1})  # type: ignore[no-any-return]

    def asked(self, question: Question, target: str, *, dry: bool) -> tuple[Target, TargetOffers]:
        """Place and offers of a target of a lab host. SetupError if the lab host has no worker."""
        name = serving.resource(target)
        if not self._connection.workers(name):
            raise SetupError(
                f"lab host {self._boards[target]} has no worker, so {target} cannot be measured",
                hint=f"motebench fleet worker FILE --at {self._boards[target]}, on that host",
            )
        facts, answer = self._result(
            asked,
            asked_of(question, target),
            question.name,
            target,
            dry=dry,
            theirs=identity(),
            needs={name: 1},
        )
        return Target(RemotePlace(facts), dict), answer

    def _result(self, work: Callable[..., Any], *given: Any, **options: Any) -> Any:
        try:
            future = self._connection.submit(work, *given, **options)
            try:
                return self._connection.result(future)
            finally:
                self._connection.cancel(future)
        except Refused as refused:
            raise SetupError(str(refused)) from None
        except (Away, RuntimeError) as error:
            raise SetupError(f"the worker was lost: {str(error).splitlines()[0][:200]}") from None

    # Measuring

    def split(self, plan: Plan) -> list[Plan]:
        """Parts of the lane that may be measured apart: each implementation of a simulated board
        alone.
        """
        groups: dict[tuple[str, ...], list[Any]] = {}
        for case in plan.cases:
            groups.setdefault(
                (case.target, case.provider) if self._simulated(plan, case.target) else (), []
            ).append(case)
        if set(groups) == {()}:
            return [plan]
        return [plan.of(cases) for cases in groups.values()]

    def takes(self, plan: Plan) -> bool:
        """True if a lane is for workers."""
        (target,) = plan.targets if len(plan.targets) == 1 else ("",)
        return bool(target) and (self.has(target) or self._simulated(plan, target))

    def carry(
        self, work: LaneTask, send: Callable[[LaneEntry], None], interrupt: Interrupt
    ) -> None:
        """Have a lane carried out; ``send`` gets its entries, each once and in order.
        KeyboardInterrupt where the run is interrupted."""
        target = next(iter(work.plan.targets))
        needs = {serving.resource(target) if self.has(target) else serving.CORES: 1.0}
        problem = ""
        for _ in range(_ATTEMPTS):
            if not self._wait_for(next(iter(needs)), interrupt):
                problem = "no worker can measure it"
                break
            outcome, problem = self._once(work, needs, send, interrupt)
            if not problem:
                return
            work = after(work, outcome)
            if not unfinished(work) or problem.startswith(_FINAL):
                break
        where = self._boards.get(target)
        for case in unfinished(work):
            message = (
                f"{f'lab host {where}' if where else 'a worker'}: {problem.removeprefix(_FINAL)}"
            )
            failure = Failure.of_case(case, FailureKind.LOST, message[:400])
            send(LaneEntry("fail", (case, failure)))
            send(LaneEntry("failed", (failure,)))

    def each(self, work: Callable[[T], R], units: Sequence[T]) -> Iterator[tuple[T, R]]:
        """Results of ``work`` for each unit, on any worker with a free processor, in the order of
        completion; another worker repeats the units of a lost one. SetupError without workers.
        ``work``: always the same for a unit.
        """
        if not self._wait_for(serving.CORES, Interrupt()):
            raise SetupError(
                "the fleet has no worker",
                hint="motebench fleet worker FILE --at NAME, on each lab host",
            )
        losses = dict.fromkeys(range(len(units)), 0)
        waiting = {place: self._unit(work, units[place]) for place in losses}
        try:
            while waiting:
                over = [
                    place for place, future in waiting.items() if future is None or future.done()
                ]
                if not over:
                    time.sleep(_LOOK_SECONDS)
                for place in over:
                    done, problem = self._outcome(waiting.pop(place))
                    if not problem:
                        yield units[place], done
                        continue
                    losses[place] += 1
                    again = not problem.startswith(_FINAL) and losses[place] < _ATTEMPTS
                    if not again or not self._wait_for(serving.CORES, Interrupt()):
                        message = problem.removeprefix(_FINAL)
                        raise SetupError(
                            f"{units[place]}: {message}", hint="look after the workers"
                        )
                    waiting[place] = self._unit(work, units[place])
        finally:
            for future in waiting.values():
                if future is not None:
                    self._connection.cancel(future)

    def _unit(self, work: Callable[[T], R], unit: T) -> Future | None:
        """The task of a unit; None if the scheduler is away."""
        try:
            return self._connection.submit(
                unit_of, work, unit, identity(), needs={serving.CORES: 1.0}
            )
        except Away:
            return None

    def _outcome(self, future: Future | None) -> tuple[Any, str]:
        """Result of a task that ended, or the reason for its absence, beginning with `_FINAL` if
        another worker would fail in the same way.
        """
        if future is None:
            return None, "no scheduler answers"
        try:
            if future.status != "finished":
                raise (
                    future.exception() if future.status == "error" else Away("its worker was lost")
                )
            return self._connection.result(future), ""
        except Exception as error:
            return None, _why(error)

    def _once(
        self,
        work: LaneTask,
        needs: dict[str, float],
        send: Callable[[LaneEntry], None],
        interrupt: Interrupt,
    ) -> tuple[list[LaneEntry], str]:
        """One task. What was recorded, and why it is not complete; an empty text if it is."""
        key = f"{self._topic}-{uuid.uuid4().hex}"
        inbox: _Inbox = queue.SimpleQueue()
        received = _Received(send)
        try:
            self._inboxes[key] = inbox
            future = self._connection.submit(
                measure, Parcel.of(work, self._topic), key=key, needs=needs
            )
        except Away as away:
            del self._inboxes[key]
            return received.entries, str(away)
        try:
            while not future.done() or not inbox.empty():
                if interrupt.came:
                    raise KeyboardInterrupt
                try:
                    whose, number, entry = inbox.get(timeout=_LOOK_SECONDS)
                except queue.Empty:
                    continue
                if not received.take(whose, number, entry):
                    return received.entries, "its worker was lost"
            interrupt.check()
            done: Done
            done, problem = self._outcome(future)
            return received.entries, problem or received.rest(done)
        finally:
            del self._inboxes[key]
            self._connection.cancel(future)

    def _told(self, event: tuple[float, bytes]) -> None:
        """An entry arrived, in Dask's own thread."""
        key, execution, number, entry = pickle.loads(event[1])  # noqa: S301 - from workers with our certificates
        inbox = self._inboxes.get(key)
        if inbox is not None:
            inbox.put((execution, number, entry))

    def _simulated(self, plan: Plan, target: str) -> bool:
        place = plan.targets[target].place
        return (
            place.sharing is Sharing.PARALLEL
            and place.evidence is Evidence.SIMULATED
            and not self.has(target)
        )

    def _wait_for(self, name: str, interrupt: Interrupt) -> bool:
        """Wait until a worker has a resource; False if none comes."""
        until = time.monotonic() + self._patience
        while not self._connection.workers(name):
            if interrupt.came:
                raise KeyboardInterrupt
            if time.monotonic() > until:
                return False
            time.sleep(_LOOK_SECONDS)
        return True


_FINAL = "\0"
"""Begins a problem that another worker would have too."""


def _why(error: Exception) -> str:
    """Reason why a task gave no result."""
    if isinstance(error, Refused):
        return f"{_FINAL}{error}"
    away = as_away(error)
    return str(away) if isinstance(away, Away) else f"{_FINAL}{type(error).__name__}: {error}"


class _Received:
    """Entries of one task that arrived, in their order; each goes to ``send`` at once."""

    def __init__(self, send: Callable[[LaneEntry], None]) -> None:
        self.entries: list[LaneEntry] = []
        self._send = send
        self._execution = ""

    def take(self, execution: str, number: int | None, entry: LaneEntry) -> bool:
        """Take an entry. False if another execution of the task sent it: the first worker was
        lost.
        """
        self._execution = self._execution or execution
        if execution != self._execution:
            return False
        if number is None:
            self._send(entry)
        elif number == len(self.entries):
            self._keep(entry)
        return True

    def rest(self, done: Done) -> str:
        """Take the rest of the task's result after the entries. Return why it is incomplete; empty
        if it is complete.
        """
        if self._execution and done.execution != self._execution:
            return "its worker was lost"
        for entry in done.entries[len(self.entries) :]:
            self._keep(entry)
        if done.problem:
            return _FINAL + done.problem
        return "its worker ended" if done.interrupted else ""

    def _keep(self, entry: LaneEntry) -> None:
        self.entries.append(entry)
        self._send(entry)


def crew_of(fleet: Fleet | None) -> AbstractContextManager[Crew | None]:
    """The workers of a fleet with a scheduler, as a context; None without one."""
    if fleet is None or fleet.scheduler is None:
        return nullcontext()

    return Crew(fleet)


def check_alone(fleet: Fleet | None, *, group: bool) -> None:
    """InputError if workers were to make several runs of a ``group``."""
    if group and fleet is not None and fleet.scheduler is not None:
        raise InputError(
            "several runs of one study are made by one process",
            where="--runs",
            valid="one run, or a fleet file without a scheduler",
        )


def instruments_of(question: Question, fleet: Fleet | None) -> list[str]:
    """The instruments that a fleet file names for the boards of the question: ``TARGET=INSTRUMENT``
    each.
    """
    if fleet is None:
        return []
    instruments = {
        board.target: board.instrument for board in fleet.boards.values() if board.instrument
    }
    return [
        f"{target}={instruments[target]}" for target in question.boards if target in instruments
    ]
