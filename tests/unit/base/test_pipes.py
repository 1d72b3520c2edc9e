"""Named pipes: what comes through them is read and written; where nobody is at the other end, that
is said.
"""

from __future__ import annotations

import os
import threading

import pytest

from motebench.base.errors import InputError
from motebench.base.files import access
from motebench.base.files.access import FileKind, write
from motebench.base.files.toml import load as load_toml
from motebench.catalog.vectors.files import load as load_vectors
from motebench.measuring.instruments import recording


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    monkeypatch.setattr(access, "WAIT_SECONDS", 0.05)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_nothing_comes(pipe):
    for load in (load_toml, load_vectors):
        with pytest.raises(InputError, match="a pipe that delivered no data"):
            load(pipe)
    with pytest.raises(OSError, match="a pipe that delivered no data"):
        recording.load(pipe)


def test_nobody_reads(pipe):
    with pytest.raises(InputError, match=r"cannot write .*: a pipe without a reader"):
        write(pipe, "<!doctype html>", FileKind.HTML)
    assert pipe.is_fifo()


def test_something_comes(pipe, monkeypatch):
    monkeypatch.setattr(access, "WAIT_SECONDS", 60.0)
    text = 'title = "x"\n' * 1 + "# " + "y" * 200_000 + "\n"
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    assert load_toml(pipe).text == text
    writer.join()


def test_somebody_reads(pipe, monkeypatch):
    monkeypatch.setattr(access, "WAIT_SECONDS", 60.0)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    page = "<!doctype html>" + "x" * 200_000
    write(pipe, page, FileKind.HTML)
    reader.join()
    assert got == [page]
