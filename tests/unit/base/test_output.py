"""Files that users name: what may be replaced, what never is, and what cannot be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.files.access import FileKind, check, write

PAGE = "<!doctype html>\n<p>µ"


def test_a_new_file_and_one_of_its_kind_are_written(tmp_path):
    path = tmp_path / "a.html"
    assert write(path, PAGE, FileKind.HTML) == path
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    write(path, PAGE + "2", FileKind.HTML)
    assert path.read_text(encoding="utf-8") == PAGE + "2"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [part.name for part in tmp_path.iterdir()] == ["a.html"]


def test_an_empty_file_is_of_every_kind(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    write(path, "{}", FileKind.JSON)
    assert path.read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize(
    ("form", "content"),
    [
        (FileKind.HTML, b"dear diary"),
        (FileKind.JSON, b"<!doctype html>"),
        (FileKind.CSV, b"name,age\n"),
        (FileKind.ELF, b":100000000C9434000C9451"),
        (FileKind.HEX, b"\x7fELF"),
        (FileKind.MARKDOWN, b"import os"),
        (FileKind.LATEX, b"{}"),
    ],
)
def test_something_else_is_kept_unless_forced(tmp_path, form, content):
    path = tmp_path / "kept"
    path.write_bytes(content)
    with pytest.raises(
        InputError, match=f"exists and is another kind of file than {form.words}"
    ) as caught:
        write(path, "new", form)
    assert caught.value.hint == "--force replaces it"
    assert path.read_bytes() == content
    write(path, "new", form, force=True)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("force", [False, True, None])
@pytest.mark.parametrize("form", [FileKind.HTML, FileKind.BINARY])
def test_a_store_is_never_replaced(tmp_path, form, force):
    from motebench.store import Store

    path = tmp_path / "m.db"
    Store.open(path, create=True).close()
    before = path.read_bytes()
    link = tmp_path / "report.html"
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(InputError, match="never overwritten"):
            write(name, PAGE, form, force=force)
    assert path.read_bytes() == before


def test_what_lies_beside_a_store_is_kept_too(tmp_path):
    path = tmp_path / "m.db-wal"
    path.write_bytes(b"\x37\x7f\x06\x82")
    with pytest.raises(InputError, match="never overwritten"):
        write(path, b"", FileKind.BINARY, force=True)


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "there.html", tmp_path / "here.html"
    link.symlink_to(target)
    write(link, PAGE, FileKind.HTML)
    assert link.is_symlink() and target.read_text(encoding="utf-8") == PAGE


def test_a_device_that_is_full_says_so_and_stays_a_device():
    full = Path("/dev/full")
    with pytest.raises(InputError, match="No space left"):
        write(full, PAGE, FileKind.HTML, where="--report")
    assert stat.S_ISCHR(full.stat().st_mode)
    assert write(Path("/dev/null"), PAGE, FileKind.HTML) == Path("/dev/null")


def test_a_pipe_gets_the_bytes(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write(path, PAGE, FileKind.HTML)
    assert os.read(reader, 100) == PAGE.encode()
    os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_folders_and_missing_folders(tmp_path):
    with pytest.raises(InputError, match="cannot be written to"):
        check(tmp_path, FileKind.HTML)
    with pytest.raises(InputError, match="no folder"):
        check(tmp_path / "none" / "a.html", FileKind.HTML)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot write"):
        check(tmp_path / "file" / "a.html", FileKind.HTML)


def test_half_a_file_is_never_left(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    write(path, PAGE, FileKind.HTML)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write(path, PAGE + "2", FileKind.HTML)
    assert path.read_text(encoding="utf-8") == PAGE
    assert [part.name for part in tmp_path.iterdir()] == ["a.html"]


def test_what_is_no_character_is_written_as_an_escape(tmp_path):
    path = tmp_path / "a.json"
    write(path, '"\udc80"', FileKind.JSON, force=True)
    assert path.read_bytes() == rb'"\udc80"'


def test_standard_output_that_is_a_pipe_is_written_to():
    reading, writing = os.pipe()
    try:
        write(Path(f"/dev/fd/{writing}"), "<!doctype html>", FileKind.HTML)
        assert os.read(reading, 100) == b"<!doctype html>"
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("page.pdf", "a browser prints a page as PDF"),
        ("table.CSV", "a name of CSV"),
        ("-", "not a file name"),
    ],
)
def test_a_name_of_another_kind_is_refused(tmp_path, monkeypatch, name, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=words):
        write(Path(name), "<!doctype html>", FileKind.HTML)
    assert not list(tmp_path.iterdir())


def test_force_writes_to_a_name_of_another_kind(tmp_path):
    path = write(tmp_path / "table.csv", "<!doctype html>", FileKind.HTML, force=True)
    assert path.read_text() == "<!doctype html>"
