"""Runs sent to the explorer: who may, how much, what is refused, and that all or nothing is
stored."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner
from starlette.testclient import TestClient

from motebench.base.errors import ExitCode, InputError, MotebenchError, StoreError
from motebench.base.model import (
    KIND,
    Case,
    Evidence,
    LeakRecord,
    Operation,
    RunKind,
    Sample,
    Series,
)
from motebench.cli.app import app
from motebench.results.groups import GroupSession, Turn
from motebench.show.site import upload
from motebench.show.site.app import HEADERS, application, bound
from motebench.show.site.upload import PATH, TYPE, Inbox, push, token_of
from motebench.show.site.views import Site
from motebench.store import Store, schema

HERE = "http://127.0.0.1:8642"
TOKEN = "correct-horse-battery-staple"
OTHER_TOKEN = "correct-horse-battery-stable"
CASE = Case("sha256", "openssl", Operation.DIGEST, 64, "host", "openssl")
TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)


def measured(store: Store, name: str, *, level: float = 100.0, **settings: Any) -> int:
    run = store.create_run(name, "", settings, {"host": {"os": "Debian"}}, 1, "0.1.0", [CASE])
    for number in range(3):
        store.add_samples(run, CASE, [(TIME, Sample(number, level + number))])
    store.finish_case(run, CASE)
    store.add_note(run, f"note of {name}")
    store.finish_run(run, "finished")
    return run


@pytest.fixture
def place(tmp_path: Path) -> str:
    """The store of the server, with one run."""
    path = str(tmp_path / "server.db")
    with Store.open(path, create=True) as store:
        measured(store, "own", level=50.0)
    return path


@pytest.fixture
def theirs(tmp_path: Path) -> str:
    """The store of a sender: ``mine``, and ``going``, which has not ended."""
    path = str(tmp_path / "sender.db")
    with Store.open(path, create=True) as store:
        measured(store, "mine")
        store.create_run("going", "", {}, {}, 1, "0.1.0", [CASE])
    return path


def client_of(place: str, **options: Any) -> TestClient:
    inbox = Inbox(place, TOKEN, **options)
    return TestClient(
        application(Site(place), inbox=inbox), base_url=HERE, raise_server_exceptions=False
    )


def body_of(path: str | Path) -> bytes:
    """The bytes of a store that is closed, whose log is empty."""
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
    raw.close()
    return Path(path).read_bytes()


@pytest.fixture
def body(tmp_path: Path) -> bytes:
    """An upload of one run, ``mine``."""
    path = tmp_path / "packed.db"
    with Store.open(path, create=True) as store:
        measured(store, "mine")
    return body_of(path)


def sent(client: TestClient, content: bytes, token: str = TOKEN, **headers: str) -> Any:
    given = {"authorization": f"Bearer {token}", "content-type": TYPE, **headers}
    return client.post(PATH, content=content, headers=given)


def names(place: str) -> list[str]:
    with Store.open(place, create=False) as store:
        return [info.name for info in store.runs()]


def everything(place: str) -> list[str]:
    with sqlite3.connect(place) as raw:
        dump = list(raw.iterdump())
    raw.close()
    return dump


# What is stored


def test_a_run_that_is_sent_is_as_it_was(place: str, body: bytes, tmp_path: Path) -> None:
    client = client_of(place)
    answer = sent(client, body)
    assert answer.status_code == 200
    assert answer.json() == {"runs": [{"name": "mine", "here": "mine", "copied": True}]}
    with Store.open(place, create=False) as here, Store.open(tmp_path / "packed.db", create=False):
        run = here.load_run("mine", whole=True)
        assert [sample.raw for sample in run.results[0].series[0].samples] == [100, 101, 102]
        assert run.info.notes == ("note of mine",)
    assert "mine" in client.get("/").text


def test_the_same_run_is_not_stored_twice(place: str, body: bytes) -> None:
    client = client_of(place)
    assert sent(client, body).json()["runs"][0]["copied"] is True
    before = everything(place)
    assert sent(client, body).json()["runs"][0]["copied"] is False
    assert everything(place) == before


def test_another_run_of_a_name_that_is_taken_gets_a_number(place: str, tmp_path: Path) -> None:
    with Store.open(tmp_path / "p.db", create=True) as store:
        measured(store, "own")
    answer = sent(client_of(place), body_of(tmp_path / "p.db"))
    assert answer.json() == {"runs": [{"name": "own", "here": "own.2", "copied": True}]}


def test_all_runs_are_stored_or_none(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "p.db", create=True) as store:
        for name in ("one", "two", "three"):
            measured(store, name)
    body = body_of(tmp_path / "p.db")
    before = everything(place)
    copy = Store.copy_from

    def failing(self: Store, other: Store, run: int, name: str, settings: Any) -> int:
        if name == "three":
            raise StoreError("the disk is full", where="--store")
        return copy(self, other, run, name, settings)

    monkeypatch.setattr(Store, "copy_from", failing)
    answer = sent(client_of(place), body)
    assert (answer.status_code, "disk is full" in answer.text) == (500, True)
    assert everything(place) == before
    monkeypatch.undo()
    assert sent(client_of(place), body).status_code == 200
    assert names(place) == ["own", "one", "two", "three"]


def test_a_leak_test_can_be_sent(place: str, tmp_path: Path) -> None:
    with Store.open(tmp_path / "p.db", create=True) as store:
        run = store.create_run("leaks", "", {KIND: RunKind.LEAK}, {}, 1, "0.1.0", [CASE])
        store.add_leak(run, CASE, LeakRecord("key", {"verdict": 7}))
        store.finish_run(run, "finished")
    answer = sent(client_of(place), body_of(tmp_path / "p.db"))
    # Its content is not that of a leak test, and could not be shown.
    assert (answer.status_code, names(place)) == (422, ["own"])


# Who may send


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {OTHER_TOKEN}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN} {TOKEN}",
        "Bearer \xe9",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_only_the_token_opens(place: str, body: bytes, authorization: str, method: str) -> None:
    headers = {"authorization": authorization.encode("latin-1"), "content-type": TYPE.encode()}
    answer = client_of(place).request(method, PATH, content=body, headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "token is missing or wrong" in answer.json()["error"]["what"]
    assert TOKEN not in answer.text
    assert names(place) == ["own"]


def test_the_token_opens_however_its_scheme_is_written(place: str) -> None:
    answer = client_of(place).get(PATH, headers={"authorization": f"bearer {TOKEN}"})
    assert answer.json() == {"schema": schema.VERSION, "most_bytes": upload.MOST_BYTES}


def test_tokens_are_compared_in_constant_time(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(a: bytes, b: bytes) -> bool:
        compared.append((a, b))
        return a == b

    monkeypatch.setattr(upload.hmac, "compare_digest", compare)
    client_of(place).get(PATH, headers={"authorization": "Bearer guess"})
    assert compared == [(b"guess", TOKEN.encode())]


def test_a_server_without_a_token_takes_nothing(place: str, body: bytes) -> None:
    client = TestClient(application(Site(place)), base_url=HERE)
    answer = sent(client, body)
    assert (answer.status_code, "takes no runs" in answer.text) == (403, True)
    assert client.get(PATH).status_code == 403
    assert names(place) == ["own"]


def test_a_browser_gets_a_page(place: str) -> None:
    answer = client_of(place).get(PATH, headers={"accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["content-type"][:9]) == (401, "text/html")
    assert "token is missing or wrong" in answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_another_site_cannot_send(place: str, body: bytes) -> None:
    assert sent(client_of(place), body, host="evil.example").status_code == 421


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_nothing_else_is_done_there(place: str, method: str) -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert client_of(place).request(method, PATH, headers=headers).status_code == 405


# How much and how often


def test_an_upload_has_a_largest_size(place: str, body: bytes) -> None:
    client = client_of(place, most_bytes=len(body))
    assert sent(client, body).status_code == 200
    small = client_of(place, most_bytes=len(body) - 1)
    answer = sent(small, body)
    assert (answer.status_code, "too large" in answer.text) == (413, True)

    def parts() -> Iterator[bytes]:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    headers = {"authorization": f"Bearer {TOKEN}", "content-type": TYPE}
    answer = small.post(PATH, content=parts(), headers=headers)
    assert (answer.status_code, "too large" in answer.text) == (413, True)


def test_what_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    inbox, read = Inbox("none.db", TOKEN, most_bytes=2500), []

    async def parts() -> Any:
        for number in range(1000):
            read.append(number)
            yield bytes(1000)

    with pytest.raises(upload.RefusedError, match="too large"):
        asyncio.run(inbox.receive("1", TYPE, None, parts(), tmp_path / "sent"))
    assert len(read) == 3 and (tmp_path / "sent").stat().st_size <= 2500


def test_an_upload_that_takes_too_long_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "_RECEIVING_SECONDS", 0.01)

    async def parts() -> Any:
        yield b"x"
        await asyncio.sleep(3600)

    inbox = Inbox("none.db", TOKEN)
    with pytest.raises(upload.RefusedError, match="took longer") as caught:
        asyncio.run(inbox.receive("1", TYPE, None, parts(), tmp_path / "sent"))
    assert caught.value.status == 408


def test_wrong_tokens_are_limited_by_address() -> None:
    now = [0.0]
    inbox = Inbox("none.db", TOKEN, clock=lambda: now[0])
    for _ in range(upload._MOST_WRONG):
        with pytest.raises(upload.RefusedError, match="missing or wrong"):
            inbox.admit("10.0.0.1", "Bearer guess")
    with pytest.raises(upload.RefusedError, match="too many") as caught:
        inbox.admit("10.0.0.1", f"Bearer {TOKEN}")
    assert (caught.value.status, caught.value.wait) == (429, 60)
    inbox.admit("10.0.0.2", f"Bearer {TOKEN}")
    now[0] = 61.0
    inbox.admit("10.0.0.1", f"Bearer {TOKEN}")


def test_too_many_uploads_are_told_when_to_come_again(
    place: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "_MOST_UPLOADS", 2)
    client = client_of(place, clock=lambda: 5.0)
    assert [sent(client, body).status_code for _ in range(3)] == [200, 200, 429]
    assert int(sent(client, body).headers["retry-after"]) > 0


def test_addresses_are_forgotten_in_the_end() -> None:
    inbox = Inbox("none.db", TOKEN)
    for number in range(upload._MOST_ADDRESSES + 100):
        with pytest.raises(upload.RefusedError):
            inbox.admit(str(number), "")
    assert len(inbox._wrong._times) == upload._MOST_ADDRESSES


# What is refused

DAMAGES = {
    "rubbish": b"rubbish" * 1000,
    "nothing": b"",
    "half": None,
    "UPDATE meta SET value = '99' WHERE key = 'schema'": "schema version 99",
    "UPDATE meta SET value = 'x' WHERE key = 'schema'": "unreadable schema version",
    "DROP TABLE samples": "has no table samples",
    "DELETE FROM samples; DELETE FROM series; DELETE FROM notes; DELETE FROM cases; "
    "DELETE FROM runs": "no run",
    "UPDATE runs SET status = 'running'": "has not ended",
    "UPDATE runs SET settings = '{'": "settings",
    "UPDATE runs SET name = '../../etc/passwd'": "name",
    "UPDATE runs SET name = 'a' || char(10) || 'b'": "name",
    "UPDATE runs SET started = 'yesterday'": "started",
    "UPDATE cases SET operation = 'explode'": "operation",
    "UPDATE cases SET input_bytes = -1": "input_bytes",
    "UPDATE cases SET scheme = x'ff'": "scheme",
    "UPDATE series SET scale = 0": "scale",
    "UPDATE samples SET raw = 'fast' WHERE round = 1": "raw",
    "UPDATE samples SET raw = 9e999": "raw",
    "UPDATE samples SET series_id = 77": "damaged series",
    "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END": "trigger",
    "ALTER TABLE runs RENAME TO r; CREATE VIEW runs AS SELECT * FROM r": "view",
    "CREATE INDEX i ON runs (abs(id))": "computed",
}


def damaged(body: bytes, damage: str, folder: Path) -> bytes:
    kind = DAMAGES[damage]
    if isinstance(kind, bytes):
        return kind
    if kind is None:
        return body[: len(body) // 2]
    path = folder / "damaged.db"
    path.write_bytes(body)
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.executescript(damage)
    raw.close()
    return path.read_bytes()


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_not_whole_is_not_stored(
    place: str, body: bytes, damage: str, tmp_path: Path
) -> None:
    before = everything(place)
    answer = sent(client_of(place), damaged(body, damage, tmp_path))
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    expected = DAMAGES[damage]
    assert (expected if isinstance(expected, str) else "") in error["what"]
    assert tempfile.gettempdir() not in answer.text
    assert everything(place) == before


def test_another_type_is_refused(place: str, body: bytes) -> None:
    for kind in ("", "text/plain", "application/x-www-form-urlencoded"):
        answer = sent(client_of(place), body, **{"content-type": kind})
        assert answer.status_code == 415
    assert names(place) == ["own"]


def test_a_run_whose_names_are_scripts_is_text_on_pages(place: str, tmp_path: Path) -> None:
    script = "<script>alert(1)<"
    with Store.open(tmp_path / "p.db", create=True) as store:
        measured(store, script, command=script)
    client = client_of(place)
    assert sent(client, body_of(tmp_path / "p.db")).status_code == 200
    assert script not in client.get("/").text and "&lt;script&gt;" in client.get("/").text


def test_a_store_that_is_gone_takes_nothing(place: str, body: bytes) -> None:
    client = client_of(place)
    Path(place).rename(place + ".away")
    answer = sent(client, body)
    assert (answer.status_code, "there is no store" in answer.text) == (503, True)
    assert not Path(place).exists()


# The sender


@contextmanager
def serving(place: str, token: str | None = TOKEN) -> Iterator[str]:
    """The address of a server in a thread."""
    inbox = None if token is None else Inbox(place, token)
    config = uvicorn.Config(
        application(Site(place), inbox=inbox), log_level="critical", lifespan="off"
    )
    server = uvicorn.Server(config)
    with bound("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def pushed(path: str, reference: str, url: str, token: str = TOKEN, *, plain: bool = False) -> Any:
    with Store.open(path, create=False) as store:
        return push(store, reference, url, token, plain=plain)


def refusal(*arguments: Any, **options: Any) -> MotebenchError:
    with pytest.raises(MotebenchError) as caught:
        pushed(*arguments, **options)
    return caught.value


def test_push_sends_a_run_once(place: str, theirs: str) -> None:
    with serving(place) as url:
        (first,) = pushed(theirs, "mine", url)
        (second,) = pushed(theirs, "1", f"{url}/")
    assert (first.here, first.copied, second.copied) == ("mine", True, False)
    assert names(place) == ["own", "mine"]


def test_a_group_is_sent_as_a_whole(place: str, tmp_path: Path) -> None:
    session = GroupSession(("base",), 2, 1)
    with Store.open(tmp_path / "g.db", create=True) as store:
        for number in (1, 2):
            measured(store, f"base-{number}", group=session.settings(Turn("base", number)))
    with serving(place) as url:
        stored = pushed(str(tmp_path / "g.db"), "base", url)
    assert [entry.here for entry in stored] == ["base-1", "base-2"]


def test_what_the_server_refuses_is_told(
    place: str, theirs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(place) as url:
        wrong = refusal(theirs, "mine", url, OTHER_TOKEN)
        assert (wrong.exit_code, "token is missing or wrong" in str(wrong)) == (
            ExitCode.USAGE,
            True,
        )
        unknown = refusal(theirs, "nothing", url)
        assert "there is no run 'nothing'" in str(unknown)
        going = refusal(theirs, "going", url)
        assert "has not ended" in str(going)
        monkeypatch.setattr(Inbox, "limits", lambda _: {"schema": 5, "most_bytes": 10**9})
        older = refusal(theirs, "mine", url)
        assert "schema version 5" in str(older) and "upgrade motebench on the server" in str(older)
        monkeypatch.setattr(Inbox, "limits", lambda _: {"schema": schema.VERSION, "most_bytes": 10})
        large = refusal(theirs, "mine", url)
        assert "the server takes 10 B" in str(large)
    with serving(place, None) as url:
        assert "takes no runs" in str(refusal(theirs, "mine", url))
    assert names(place) == ["own"]


def test_a_server_that_is_not_there_is_told(theirs: str) -> None:
    with bound("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
    error = refusal(theirs, "mine", f"http://127.0.0.1:{port}")
    assert (error.exit_code, "refused" in str(error)) == (ExitCode.STORE, True)
    assert "motebench serve" in str(error)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello", "no explorer of motebench"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", "no explorer of motebench"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "no explorer of motebench"),
        (b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n\r\n", "no explorer"),
        (b"HTTP/1.1 500 No\r\ncontent-length: 2\r\n\r\n{}", "no explorer of motebench"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "cannot be reached"),
        (b"", "cannot be reached"),
    ],
)
def test_a_server_of_another_kind_is_told(theirs: str, answer: bytes, words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        error = refusal(theirs, "mine", f"http://127.0.0.1:{listening.getsockname()[1]}")
        thread.join()
    assert words in str(error)


def test_a_server_that_says_nothing_is_told(theirs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "_ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        error = refusal(theirs, "mine", f"http://127.0.0.1:{listening.getsockname()[1]}")
    assert "does not answer" in str(error)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "is not an address"),
        ("lab.example", "is not an address"),
        ("ftp://lab.example", "is not an address"),
        ("file:///etc/passwd", "is not an address"),
        ("http://", "is not an address"),
        ("http://[", "is not an address"),
        ("http://a:99999", "is not an address"),
        ("https://lab.example/?x=1", "is not an address"),
        ("https://ana:secret@lab.example", "name or password"),
        ("http://lab.example", "is another machine"),
        ("http://192.168.0.9:8642", "is another machine"),
        ("http://127.0.0.1.evil.example", "is another machine"),
    ],
)
def test_addresses_that_nothing_is_sent_to(theirs: str, url: str, words: str) -> None:
    error = refusal(theirs, "mine", url)
    assert isinstance(error, InputError) and words in str(error)
    assert "secret" not in str(error)


def test_another_machine_without_encryption_only_if_asked(
    theirs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def answered(place: Any, *_: Any) -> Any:
        asked.append(place.hostname)
        raise StoreError("enough", where="URL")

    monkeypatch.setattr(upload, "_asked", answered)
    assert "enough" in str(refusal(theirs, "mine", "http://192.168.0.9", plain=True))
    for url in ("http://localhost:1", "http://[::1]:1", "http://127.9.9.9", "https://lab.example"):
        refusal(theirs, "mine", url)
    assert asked == ["192.168.0.9", "localhost", "::1", "127.9.9.9", "lab.example"]


# The token and the command


def test_a_token_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(upload.VARIABLE, raising=False)
    assert token_of(None) is None
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\nanother line\n")
    assert token_of(str(file)) == TOKEN
    monkeypatch.setenv(upload.VARIABLE, OTHER_TOKEN)
    assert (token_of(None), token_of(str(file))) == (OTHER_TOKEN, TOKEN)


@pytest.mark.parametrize(
    "text", ["", "short", "x" * 500, "with a \x07 bell in the middle", "é" * 20]
)
def test_what_is_no_token(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        token_of(str(file))
    assert f"{text!r}" not in str(caught.value)
    with pytest.raises(InputError, match="cannot read"):
        token_of(str(tmp_path))


def test_the_command(place: str, theirs: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    with serving(place) as url:
        line = ["push", "mine", url, "--store", theirs, "--upload-token", str(file)]
        done = CliRunner().invoke(app, line)
        again = CliRunner().invoke(app, line)
    assert (done.exit_code, "mine: stored" in done.output) == (0, True)
    assert (again.exit_code, "mine: is there already" in again.output) == (0, True)
    assert TOKEN not in done.output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["push"], "RUN is missing"),
        (["push", "mine"], "URL is missing"),
        (["push", "mine", HERE], "no token is given"),
    ],
)
def test_what_the_command_lacks(
    theirs: str, line: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(upload.VARIABLE, raising=False)
    done = CliRunner().invoke(app, [*line, "--store", theirs])
    assert isinstance(done.exception, InputError) and words in str(done.exception)


def test_answers_have_no_token_in_the_description(place: str) -> None:
    assert TOKEN not in json.dumps(client_of(place).get("/openapi.json").json())
