"""Runs that other machines send to the explorer (`motebench push`): the sender and the receiver.

What is sent is a store of its own, one SQLite file with the runs. The receiver trusts nothing of
it: it is opened, checked and read as any other store (``motebench.store``), each run must be whole
and have a document, and only then all are stored in one transaction, or none.
"""

from __future__ import annotations

import asyncio
import hmac
import http.client
import ipaddress
import json
import os
import ssl
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from motebench.base.errors import InputError, MotebenchError, StoreError, visible
from motebench.base.model import Run, RunKind
from motebench.base.process import TemporaryFolder
from motebench.base.shapes import as_document
from motebench.base.units import format_size
from motebench.results.document import result
from motebench.results.keeping import join
from motebench.results.leaks import leak_document, printed
from motebench.store import Store, schema
from motebench.store.opening import examine

PATH = "/upload"
TYPE = "application/vnd.sqlite3"
MOST_BYTES = 100 * 2**20
"""Largest upload: a run of a million samples has about 40 MB."""
VARIABLE = "MOTEBENCH_UPLOAD_TOKEN"
"""Environment variable that may hold the token."""
_SHORTEST, _LONGEST = 16, 200
"""Characters of a token."""
_MOST_RUNS = 200
_AT_ONCE = 4
"""Uploads that are received at a time."""
_RECEIVING_SECONDS = 600.0
_MINUTE = 60.0
_MOST_WRONG, _MOST_UPLOADS = 10, 120
"""Wrong tokens, and uploads, of one address in a minute."""
_MOST_ADDRESSES = 1000
_CONNECT_SECONDS, _ANSWER_SECONDS = 20.0, 900.0
_LONGEST_ANSWER = 2**20
_UNUSABLE, _UNFIT = "the upload cannot be used", HTTPStatus.UNPROCESSABLE_ENTITY


class RefusedError(InputError):
    """An upload that is not taken; ``status``: of the answer, ``wait``: seconds after which it may
    be, 0 if that does not matter.
    """

    def __init__(
        self,
        problem: str,
        status: int,
        *,
        valid: str | None = None,
        hint: str | None = None,
        wait: int = 0,
    ) -> None:
        super().__init__(problem, where="upload", valid=valid, hint=hint)
        self.status, self.wait = int(status), wait


def token_of(file: str | None) -> str | None:
    """The token in the first line of a file, or else in the environment; None if neither is
    given. InputError if it cannot be read, or is none.
    """
    if file is None:
        text, where = os.environ.get(VARIABLE), VARIABLE
        if text is None:
            return None
    else:
        where = "--upload-token"
        try:
            with Path(file).open(encoding="ascii") as opened:
                text = opened.readline(_LONGEST + 2)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not ASCII"
            raise InputError(
                f"cannot read {visible(file)}: {reason}", where=where, valid="a file with a token"
            ) from None
    token = text.strip()
    if not (_SHORTEST <= len(token) <= _LONGEST and token.isascii() and token.isprintable()):
        raise InputError(
            "this is not a token",
            where=where,
            valid=f"{_SHORTEST} to {_LONGEST} printable characters of ASCII",
            hint="openssl rand -hex 32 > FILE makes one",
        )
    return token


# The receiver


class _Rate:
    """Events of each address within the last minute."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most, self._clock = most, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def add(self, address: str) -> None:
        """An event of an address."""
        times = self._times.setdefault(address, deque(maxlen=self._most))
        times.append(self._clock())
        self._times.move_to_end(address)
        while len(self._times) > _MOST_ADDRESSES:
            self._times.popitem(last=False)

    def wait(self, address: str) -> int:
        """Seconds until an address may have another event; 0 if it may now."""
        times = self._times.get(address, deque())
        if len(times) < self._most:
            return 0
        return max(0, round(times[0] + _MINUTE - self._clock() + 0.5))


@dataclass(frozen=True, slots=True)
class Stored:
    """A run that was sent: its name there, its name here, and False if it was here already."""

    name: str
    here: str
    copied: bool


class Inbox:
    """The receiver of one store: who may send, how much, and what becomes of it."""

    def __init__(
        self,
        store: str,
        token: str,
        *,
        most_bytes: int = MOST_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._token, self.most_bytes = store, token.encode(), most_bytes
        self._wrong, self._uploads = _Rate(_MOST_WRONG, clock), _Rate(_MOST_UPLOADS, clock)
        self._lock = threading.Lock()
        self._receiving = 0

    def admit(self, address: str, authorization: str) -> None:
        """RefusedError if a sender has not the token, or tried too often."""
        wait = self._wrong.wait(address)
        if wait:
            raise RefusedError(
                "too many wrong tokens from this address", HTTPStatus.TOO_MANY_REQUESTS, wait=wait
            )
        scheme, _, sent = authorization.partition(" ")
        # Compared whatever the scheme is, in a time that does not depend on the token.
        same = hmac.compare_digest(sent.strip().encode(), self._token)
        if not (same and scheme.lower() == "bearer"):
            self._wrong.add(address)
            raise RefusedError(
                "the token is missing or wrong",
                HTTPStatus.UNAUTHORIZED,
                hint="use the token that `motebench serve --upload-token` was started with",
            )

    def limits(self) -> dict[str, int]:
        """Limits that a sender may ask for before it sends."""
        return {"schema": schema.VERSION, "most_bytes": self.most_bytes}

    async def receive(
        self, address: str, kind: str, length: str | None, parts: AsyncIterable[bytes], path: Path
    ) -> None:
        """Write what is sent into a file. RefusedError for another type, too much of it, or too
        many uploads.
        """
        wait = self._uploads.wait(address)
        if wait or self._receiving >= _AT_ONCE:
            raise RefusedError("too many uploads", HTTPStatus.TOO_MANY_REQUESTS, wait=wait or 5)
        if kind.partition(";")[0].strip().lower() != TYPE:
            raise RefusedError(
                f"{visible(kind)[:100]!r} is not the type of an upload",
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                valid=TYPE,
            )
        if length is not None and length.isascii() and length.isdecimal():
            self._check_size(int(length[:20]))
        self._uploads.add(address)
        self._receiving += 1
        try:
            async with asyncio.timeout(_RECEIVING_SECONDS):
                size = 0
                with path.open("wb") as file:
                    async for part in parts:
                        size += len(part)
                        self._check_size(size)
                        file.write(part)
        except TimeoutError:
            raise RefusedError(
                f"the upload took longer than {_RECEIVING_SECONDS:.0f} s",
                HTTPStatus.REQUEST_TIMEOUT,
            ) from None
        finally:
            self._receiving -= 1

    def _check_size(self, size: int) -> None:
        if size > self.most_bytes:
            raise RefusedError(
                "the upload is too large",
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                valid=f"up to {format_size(self.most_bytes)}",
                hint="push fewer runs at a time",
            )

    def take(self, path: Path) -> list[Stored]:
        """Store all runs of a file that was sent, or none. RefusedError if one cannot be taken;
        StoreError if the store of the receiver cannot be written.
        """
        with self._lock:
            with _refusing(path):
                findings = examine(str(path)).findings
                if findings:
                    raise RefusedError(f"{_UNUSABLE}: {findings[0]}", _UNFIT)
                source = Store.open(path, create=False)
            with source:
                with _refusing(path):
                    _check(source)
                Store.open(self._store, create=False).close()  # it is not made anew if it is gone
                with Store.open(self._store, create=True) as store, store.together():
                    return [Stored(*entry) for entry in join(store, source, ())]


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Defects of an upload as refusals, without the names of files here."""
    try:
        yield
    except RefusedError:
        raise
    except MotebenchError as error:
        problem = error.what.replace(str(path), "that was sent").replace(str(path.parent), "")
        raise RefusedError(f"{_UNUSABLE}: {problem}", _UNFIT) from error


def _check(source: Store) -> None:
    """RefusedError or StoreError unless every run is whole, has ended, and has a document."""
    infos, unusable = source.survey()
    problem = str(unusable[0]) if unusable else None
    if not infos:
        problem = problem or "it has no run"
    elif len(infos) > _MOST_RUNS:
        problem = f"it has {len(infos)} runs, more than {_MOST_RUNS}"
    for info in infos if problem is None else ():
        if info.status == "running":
            problem = f"run {info.name} has not ended"
            break
        run = source.load_run(info.id, whole=True)
        try:
            _document(run)
        except Exception as error:  # whatever a hostile run makes of the code that shows it
            problem = f"run {info.name} cannot be shown: {type(error).__name__}"
            break
    if problem is not None:
        raise RefusedError(f"{_UNUSABLE}: {problem}", _UNFIT)


def _document(run: Run) -> None:
    entry = printed(leak_document(run)) if run.info.kind is RunKind.LEAK else result(run)
    json.dumps(as_document(entry), allow_nan=False)


# The sender


def push(store: Store, reference: str, url: str, token: str, *, plain: bool) -> list[Stored]:
    """Send the runs that a name means to the explorer at an address; returns what became of them.

    ``plain``: also without encryption to another machine. InputError for an address that cannot
    be, runs that have not ended, and what the receiver refuses; StoreError if it does not answer.
    """
    place = _place(url, plain=plain)
    headers = {"authorization": f"Bearer {token}", "accept": "application/json"}
    with TemporaryFolder() as folder:
        path = folder / "runs.db"
        with Store.open(path, create=True) as packed:
            names = [name for name, _, _ in join(packed, store, [reference])]
            running = [info.name for info in packed.runs() if info.status == "running"]
        if running:
            raise InputError(
                f"run {running[0]} has not ended",
                where="RUN",
                hint="push it when it has; `motebench list runs` shows which have",
            )
        limits = _asked(place, "GET", headers)
        size = path.stat().st_size
        _check_limits(limits, size, len(names))
        with path.open("rb") as body:
            sent = {**headers, "content-type": TYPE, "content-length": str(size)}
            answer = _asked(place, "POST", sent, body)
    try:
        return [
            Stored(str(entry["name"]), str(entry["here"]), entry["copied"] is True)
            for entry in answer["runs"]
        ]
    except (KeyError, TypeError):
        raise _foreign(place) from None


def _place(url: str, *, plain: bool) -> SplitResult:
    """The parts of the address of an explorer. InputError if it is none, or is not encrypted."""
    valid = "http://127.0.0.1:8642 or https://HOST"
    try:
        place = urlsplit(url)
        host, _ = place.hostname, place.port
    except ValueError:
        place, host = urlsplit(""), None
    if place.scheme not in ("http", "https") or not host or place.query or place.fragment:
        raise InputError(f"{visible(url)[:200]!r} is not an address", where="URL", valid=valid)
    if place.username or place.password:
        raise InputError(
            "the address has a name or password, which others could read in the list of processes",
            where="URL",
            valid=valid,
        )
    if place.scheme == "http" and not plain and not is_loopback(host):
        raise InputError(
            f"{host} is another machine, and http would send the token for everybody to read",
            where="URL",
            valid="https://HOST",
            hint="put a proxy with a certificate before the server, or use --plain-http in a "
            "network that you trust",
        )
    return place


def is_loopback(host: str) -> bool:
    """True for an address or name of this machine that no other machine reaches."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _check_limits(limits: Any, size: int, runs: int) -> None:
    version, most = (limits.get(name) for name in ("schema", "most_bytes"))
    if not (isinstance(version, int) and isinstance(most, int)):
        raise InputError("no explorer of motebench answers there", where="URL")
    if version < schema.VERSION:
        raise InputError(
            f"the server knows stores up to schema version {version}, and this motebench writes "
            f"version {schema.VERSION}",
            where="URL",
            hint="upgrade motebench on the server",
        )
    if size > most:
        raise InputError(
            f"{runs} runs have {format_size(size)}, and the server takes {format_size(most)}",
            where="RUN",
            hint="push fewer runs at a time",
        )


def _asked(place: SplitResult, method: str, headers: dict[str, str], body: Any = None) -> Any:
    """The answer of a server, decoded. Redirections are not followed: they would get the token."""
    host = str(place.hostname)
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    connection = kind(host, place.port, timeout=_CONNECT_SECONDS)
    try:
        connection.connect()
        if connection.sock is not None:
            connection.sock.settimeout(_ANSWER_SECONDS)
        # A server that refuses may do so before it has read everything.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request(method, f"{place.path.rstrip('/')}{PATH}", body, headers)
        answer = connection.getresponse()
        text = answer.read(_LONGEST_ANSWER)
    except (OSError, http.client.HTTPException) as error:
        raise _away(place, error) from error
    finally:
        connection.close()
    return _decoded(place, answer.status, text)


def _decoded(place: SplitResult, status: int, text: bytes) -> Any:
    try:
        document = json.loads(text)
        problem = document.get("error")
    except (ValueError, AttributeError, RecursionError):
        raise _foreign(place) from None
    if status == HTTPStatus.OK:
        return document
    if not isinstance(problem, dict):
        raise _foreign(place)
    reason, valid, hint = (problem.get(name) for name in ("what", "valid", "hint"))
    kind = StoreError if status >= HTTPStatus.INTERNAL_SERVER_ERROR else InputError
    raise kind(
        f"the server refuses ({status}): {reason}",
        where="URL",
        valid=str(valid) if valid else None,
        hint=str(hint) if hint else None,
    )


def _foreign(place: SplitResult) -> InputError:
    return InputError(
        f"no explorer of motebench answers at {place.netloc}",
        where="URL",
        hint="motebench serve --upload-token FILE starts one",
    )


def _away(place: SplitResult, error: Exception) -> StoreError:
    if isinstance(error, ssl.SSLError):
        reason = f"no encrypted connection: {getattr(error, 'verify_message', '') or error.reason}"
    elif isinstance(error, TimeoutError):
        reason = "it does not answer"
    else:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return StoreError.for_now(
        f"{place.netloc} cannot be reached: {reason}",
        where="URL",
        hint="is `motebench serve --upload-token FILE` running there?",
    )


def entries(stored: Sequence[Stored]) -> dict[str, Any]:
    """The answer to an upload."""
    return {"runs": [{"name": run.name, "here": run.here, "copied": run.copied} for run in stored]}
