"""Runs command lines, each in a process of its own with limits: a request is a line of JSON, and so
is the answer.

It has everything imported and forks, so that a call takes milliseconds. What the interpreter does
when it starts (closed streams, locales) needs a real start: ``fresh``.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

MOST_ADDRESSES = 4 * 2**30
"""Bytes of address space; the caller judges the limit of used memory."""
MOST_FILE = 2**30
_SETTLE = 0.002


def _open_streams(streams: dict[str, str], folder: Path) -> None:
    """Put standard streams where they belong; ``closed`` leaves none."""
    places = {
        "stdin": (0, os.O_RDONLY, "/dev/null"),
        "stdout": (1, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, str(folder / "stdout")),
        "stderr": (2, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, str(folder / "stderr")),
    }
    for name, (number, flags, usual) in places.items():
        place = streams.get(name, usual)
        if place == "closed":
            os.close(number)
            continue
        if place == "gone":
            # A pipe that nobody reads any more.
            there, handle = os.pipe()
            os.close(there)
        else:
            handle = os.open(place, flags, 0o600)
        if handle != number:
            os.dup2(handle, number)
            os.close(handle)


def _child(request: dict[str, Any]) -> int:
    os.setsid()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL if request["fresh"] else signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    arguments = [os.fsencode(each) for each in request["arguments"]]
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    _open_streams(request["streams"], Path(request["logs"]))
    if request["fresh"]:
        os.execv(sys.executable, [os.fsencode(sys.executable), b"-m", b"motebench", *arguments])
    from motebench.cli.app import run_app

    sys.argv = ["motebench", *request["arguments"]]
    try:
        code = int(run_app())
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    return code


def _waited(child: int, seconds: float) -> tuple[int, resource.struct_rusage, bool]:
    """Status, the resources of the process and its children, and True if it had to be ended."""
    until = time.monotonic() + seconds
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return status, usage, False
        if time.monotonic() > until:
            _end(child)
            _, status, usage = os.wait4(child, 0)
            return status, usage, True
        time.sleep(_SETTLE)


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _carried_out(request: dict[str, Any]) -> dict[str, Any]:
    began = time.monotonic()
    child = os.fork()
    if not child:
        code = 1
        try:
            code = _child(request)
        finally:
            os._exit(code)
    status, used, hung = _waited(child, request["seconds"])
    _end(child)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "peak": used.ru_maxrss * 1024,
        "hung": hung,
        "processor": used.ru_utime + used.ru_stime,
        "seconds": time.monotonic() - began,
    }


def main() -> None:
    """Answer requests until the end of the input."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import importlib
    import pkgutil

    import sqlalchemy.dialects.sqlite  # noqa: F401

    import motebench

    for found in pkgutil.walk_packages(motebench.__path__, "motebench."):
        if not found.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(found.name)
    requests = os.dup(0)
    answers = os.dup(1)
    with os.fdopen(requests) as lines, os.fdopen(answers, "w") as out:
        for line in lines:
            out.write(json.dumps(_carried_out(json.loads(line))) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
