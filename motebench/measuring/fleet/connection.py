"""The connection of a study to the scheduler of its fleet: made again when it was lost."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from motebench.base.errors import SetupError
from motebench.measuring.fleet import serving
from motebench.measuring.fleet.file import Fleet
from motebench.measuring.fleet.keys import CLIENT
from motebench.measuring.fleet.parcel import identity
from motebench.measuring.fleet.task import scheduler_facts

if TYPE_CHECKING:
    from distributed import Client, Future

_FIRST_SECONDS, _AGAIN_SECONDS = 20, 5
_LOST = ("KilledWorker", "NoValidWorkerError", "CommClosedError", "ClosedClientError")
"""Errors of Dask, by name: its modules are loaded late."""


class Away(Exception):  # noqa: N818 - what happened, not a defect
    """The scheduler, or the worker of a task, is gone."""


class Connection:
    """Open from `open` to `close`. ``told`` is called with what workers log on ``topic``, in a thread of Dask."""

    def __init__(self, fleet: Fleet, topic: str, told: Callable[[tuple[float, bytes]], None]) -> None:
        self._fleet, self._topic, self._hears = fleet, topic, told
        self._lock = threading.Lock()
        self._client: Client | None = None

    def open(self) -> None:
        """Connect. SetupError if there is no scheduler, or one that was not started by this version of motebench."""
        serving.configure()
        self._client = self._connected(_FIRST_SECONDS)

    def close(self) -> None:
        """The tasks that were not awaited end."""
        if self._client is not None:
            self._client.close(timeout=5)

    def workers(self, resource: str) -> Sequence[str]:
        """Workers that have a resource now; none while the scheduler is away."""
        try:
            known = self._there().scheduler_info(n_workers=-1).get("workers", {})
        except Exception as error:
            if isinstance(as_away(error), Away):
                return ()
            raise
        return [address for address, facts in known.items() if facts.get("resources", {}).get(resource, 0) > 0]

    def submit(self, work: Callable[..., Any], *given: Any, needs: dict[str, float], **options: Any) -> Future:
        """A task that Dask does not repeat, and that is told of from now on. `Away` if the scheduler is."""
        try:
            client = self._there()
            client.subscribe_topic(self._topic, self._hears)  # a scheduler that was started anew does not know it
            return client.submit(work, *given, resources=needs, pure=False, retries=0, **options)
        except Exception as error:
            raise as_away(error) from None

    def result(self, future: Future) -> Any:
        """The result of a task. `Away` if its worker or the scheduler is; else what the task raised."""
        try:
            return future.result()
        except Exception as error:
            raise as_away(error) from None

    def cancel(self, future: Future) -> None:
        """The task is no longer wanted."""
        with contextlib.suppress(Exception):  # where the connection is gone, the task ends with it
            future.cancel()

    def _there(self) -> Client:
        """The client, connected. `Away` if it is not: Dask tries for a while, then we do, whenever it is asked."""
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
            client = Client(address, security=secured, timeout=seconds, set_as_default=False, name="motebench")
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
                f"the scheduler at {address} has motebench {facts.get('identity')}, here is {identity()}: version and "
                "sources must be the same", hint="motebench fleet scheduler FILE, with this version",
            )  # fmt: skip
        return client


def _no_scheduler(address: str, error: Exception) -> SetupError:
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return SetupError(
        f"no scheduler of this fleet answers at {address}: {reason}", where="scheduler.address",
        hint="motebench fleet scheduler FILE starts it; both need keys of one `motebench fleet keys`",
    )  # fmt: skip


def as_away(error: Exception) -> Exception:
    """`Away`, if this error of Dask means that; else the error as it is."""
    if isinstance(error, Away):
        return error
    if isinstance(error, OSError | TimeoutError | CancelledError) or type(error).__name__ in _LOST:
        return Away("its worker was lost")
    return error
