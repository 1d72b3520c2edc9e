"""The processes of a fleet: the scheduler, and a worker on each lab host, which trust only certificates of the fleet.

Dask is configured here, before anything of it starts: a failed worker's task is never repeated behind our back (the
process that runs the study resumes it), no web pages are served, and a link may be cut for a minute.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError, SetupError
from motebench.base.process import cores as processors
from motebench.measuring.fleet.file import Fleet
from motebench.measuring.fleet.keys import SCHEDULER, files

if TYPE_CHECKING:
    from distributed import Security

_AGAIN_SECONDS = 2.0
_CONNECT_SECONDS = 30.0
_SETTINGS: dict[str, Any] = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-ttl": "120s",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.low-level-log-length": 1000,
    "distributed.admin.tick.limit": "60s",
    "distributed.comm.timeouts.tcp": "90s",
    "distributed.comm.timeouts.connect": "20s",
    "distributed.logging": {"distributed": "error", "tornado": "critical", "bokeh": "critical"},
}


def configure() -> None:
    """Load Dask with our settings. SetupError if it is not installed."""
    try:
        import dask

        dask.config.set(_SETTINGS)
        import distributed  # noqa: F401
    except ImportError:
        raise SetupError("Dask distributed is not installed", hint="pip install 'motebench[fleet]'") from None


def security(fleet: Fleet, member: str) -> Security | None:
    """Certificates of a member, and that of the CA that every other side must have; None on one machine alone."""
    from distributed import Security

    if fleet.tls is None:
        return None
    own = files(fleet.tls, member)
    sides = {
        f"tls_{side}_{what}": str(path)
        for side in ("client", "scheduler", "worker")
        for what, path in (("cert", own.certificate), ("key", own.key))
    }
    return Security(require_encryption=True, tls_ca_file=str(own.ca), tls_min_version=771, **sides)


def address_of(fleet: Fleet) -> str:
    """Where the scheduler of a fleet is. InputError if it has none."""
    if fleet.scheduler is None:
        raise InputError(
            "the fleet has no scheduler", where=str(fleet.path),
            valid='[scheduler] with address = "tls://HOST:PORT" and tls = "FOLDER"',
        )  # fmt: skip
    return fleet.scheduler.address


def schedule(fleet: Fleet, say: Callable[[str], None]) -> None:
    """Run the scheduler until the process is ended. ``say`` hears where it is."""
    address = address_of(fleet)
    configure()
    asyncio.run(_schedule(address, security(fleet, SCHEDULER), say))


async def _schedule(address: str, secured: Security | None, say: Callable[[str], None]) -> None:
    from distributed import Scheduler

    kind, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    options: dict[str, Any] = {"host": host.strip("[]"), "port": int(port), "protocol": kind, "security": secured}
    try:
        async with Scheduler(**options, dashboard=False, dashboard_address="127.0.0.1:0") as scheduler:
            say(f"scheduler at {scheduler.address}")
            await scheduler.finished()
    except OSError as error:
        raise SetupError(f"{address} cannot be used: {error.strerror or error}", where="scheduler.address") from None


def resources(fleet: Fleet, at: str) -> dict[str, float]:
    """What a lab host has: each of its boards once, and processors for simulated ones. InputError for no such host."""
    if at not in fleet.hosts:
        from motebench.base.naming import did_you_mean

        raise InputError(
            f"the fleet has no lab host {at!r}", where="--at", valid=", ".join(fleet.hosts) or "a table [host.NAME]",
            hint=did_you_mean(at, fleet.hosts),
        )  # fmt: skip
    cores = fleet.hosts[at]
    boards = {resource(board.target): 1.0 for board in fleet.boards.values() if board.at == at}
    return {**boards, CORES: float(processors() if cores is None else cores)}


CORES = "cores"


def resource(target: str) -> str:
    """The worker resource of a board."""
    return f"board:{target}"


def work(fleet: Fleet, at: str, say: Callable[[str], None]) -> None:
    """Measure for studies until the process is ended; connect again when a connection is lost, which ``say`` hears."""
    from motebench.targets.wire.stream import end_probes

    address, has = address_of(fleet), resources(fleet, at)
    configure()
    secured = security(fleet, at)
    try:
        while True:
            asyncio.run(_work(address, secured, at, has, say))
            end_probes()  # what still measures is not wanted any more
    finally:
        end_probes()


async def _work(
    address: str, secured: Security | None, at: str, has: dict[str, float], say: Callable[[str], None]
) -> None:
    """One connection to the scheduler, from its beginning to its end."""
    from distributed import Worker

    threads = max(1, round(sum(has.values())))
    alone = {"host": "127.0.0.1"} if secured is None else {}
    try:
        async with Worker(
            address, name=f"{at} {secrets.token_hex(4)}", nthreads=threads, resources=has, security=secured,
            dashboard=False, dashboard_address="127.0.0.1:0", memory_limit=0,
            death_timeout=_CONNECT_SECONDS, **alone,
        ) as worker:  # fmt: skip
            say(f"worker of {at} at {worker.address}")
            await worker.finished()
    except (OSError, TimeoutError) as error:
        say(f"no scheduler at {address}: {error}; trying again")
    await asyncio.sleep(_AGAIN_SECONDS)
