"""The script of the GitHub action and the GitLab job, against a server that answers as the services
do.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from docs_pages import ROOT

from motebench.cli.app import app

GATE = """\
import json, pathlib, sys
arguments = sys.argv[1:]
pathlib.Path("called.json").write_text(json.dumps(arguments))
code = int(pathlib.Path("code").read_text())
if code in (0, 3, 4):
    comment = pathlib.Path(arguments[arguments.index("--comment") + 1])
    comment.write_text("### motebench: an answer\\n")
print("{}")
print("motebench: it went wrong ```", file=sys.stderr)
sys.exit(code)
"""
TOKEN = "s3cret"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("motebench_ci", ROOT / "integrations" / "ci.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


CI = load()


@dataclass
class Server:
    """Comments of one pull request, as both services keep them; ``refuses``: the status of
    everything that writes.
    """

    address: str = ""
    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    refuses: int = 0


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

        def answer(self, status: int, body: Any) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            page = int(dict(part.split("=") for part in query.split("&"))["page"])
            state.asked.append(("GET", path))
            self.answer(200, state.comments[(page - 1) * 100 : page * 100])

        def write(self) -> None:
            state.asked.append((self.command, self.path))
            state.tokens |= {
                self.headers.get("Authorization", ""),
                self.headers.get("PRIVATE-TOKEN", ""),
            } - {""}
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if state.refuses:
                return self.answer(state.refuses, {"message": "no"})
            if self.command == "POST":
                state.comments.append({"id": 1000 + len(state.comments), **body})
                return self.answer(201, state.comments[-1])
            (entry,) = (
                entry
                for entry in state.comments
                if str(entry["id"]) == self.path.rpartition("/")[2]
            )
            entry |= body
            return self.answer(200, entry)

        do_POST = do_PATCH = do_PUT = write

    service = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{service.server_port}"
    thread = threading.Thread(target=service.serve_forever)
    thread.start()
    yield state
    service.shutdown()
    thread.join()
    service.server_close()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.py").write_text(GATE)
    (tmp_path / "code").write_text("0")
    event = {"pull_request": {"number": 7, "base": {"sha": "b" * 40}}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    return tmp_path


def common(here: Path) -> dict[str, str]:
    return {
        "MOTEBENCH_COMMAND": f"{sys.executable} {here / 'gate.py'}",
        "MOTEBENCH_CODE": "lib/speck",
        "MOTEBENCH_TARGET": "sim:samd21g18a",
        "MOTEBENCH_OPTIONS": "--size '16,64' --fast",
        "MOTEBENCH_TOKEN": TOKEN,
        "MOTEBENCH_RUNS": "",
    }


@pytest.fixture
def github(here: Path, server: Server) -> dict[str, str]:
    return {
        **common(here),
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": server.address,
        "GITHUB_REPOSITORY": "me/cipher",
        "GITHUB_EVENT_PATH": str(here / "event.json"),
        "GITHUB_STEP_SUMMARY": str(here / "summary.md"),
        "GITHUB_OUTPUT": str(here / "output"),
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_RUN_ID": "5",
    }


@pytest.fixture
def gitlab(here: Path, server: Server) -> dict[str, str]:
    return {
        **common(here),
        "GITLAB_CI": "true",
        "CI_API_V4_URL": server.address,
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "8",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": "c" * 40,
        "CI_JOB_URL": "https://gitlab.example/1",
    }


def called(here: Path) -> list[str]:
    found: list[str] = json.loads((here / "called.json").read_text())
    return found


def test_the_gate_gets_the_base_of_the_pull_request_and_all_options(
    here: Path, github: dict[str, str]
) -> None:
    assert CI.main(github) == 0
    arguments = called(here)
    assert arguments[:3] == ["gate", "b" * 40, "HEAD"]
    assert arguments[3:10] == [
        "--code",
        "lib/speck",
        "--target",
        "sim:samd21g18a",
        "--size",
        "16,64",
        "--fast",
    ]
    command = app.get_command(click.Context(app), "gate")
    assert command is not None
    known = {word for param in command.params for word in param.opts}
    assert {word for word in arguments if word.startswith("--")} <= known
    assert {f"--{name}" for name in ("study", "operation")} <= known


@pytest.mark.parametrize("service", ["github", "gitlab"])
def test_there_is_one_comment_which_is_replaced(
    service: str, server: Server, request: pytest.FixtureRequest
) -> None:
    variables = request.getfixturevalue(service)
    server.comments += [{"id": number, "body": "a word of a person"} for number in range(150)]
    for _ in range(2):
        assert CI.main(variables) == 0
    (comment,) = server.comments[150:]
    assert comment["body"].startswith("<!-- motebench: lib/speck -->\n### motebench: an answer\n")
    (here,) = (
        {
            "github": "github.example/me/cipher/actions/runs/5",
            "gitlab": "gitlab.example/1/artifacts",
        }[service],
    )
    assert f"https://{here}" in comment["body"]
    writes = [method for method, _ in server.asked if method != "GET"]
    assert writes == ["POST", {"github": "PATCH", "gitlab": "PUT"}[service]]
    assert server.tokens == {f"Bearer {TOKEN}" if service == "github" else TOKEN}
    assert {path for method, path in server.asked if method == "POST"} == {
        {
            "github": "/repos/me/cipher/issues/7/comments",
            "gitlab": "/projects/3/merge_requests/8/notes",
        }[service]
    }


def test_comments_of_two_calls_stand_beside_each_other(
    server: Server, github: dict[str, str]
) -> None:
    for name in ("one", "two --> <b>"):
        CI.main({**github, "MOTEBENCH_NAME": name})
    assert [entry["body"].splitlines()[0] for entry in server.comments] == [
        "<!-- motebench: one -->",
        "<!-- motebench: two  b -->",
    ]


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_fork_without_the_right_to_write_gets_the_summary(
    status: int,
    here: Path,
    server: Server,
    github: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.refuses = status
    (here / "code").write_text("4")
    assert CI.main(github) == 4
    assert "### motebench: an answer" in (here / "summary.md").read_text()
    assert (here / "output").read_text() == "answer=slower\n"
    told = capsys.readouterr()
    assert "::warning title=motebench::the comment was not posted" in told.out
    assert TOKEN not in told.out + told.err


def test_a_server_that_cannot_be_reached_is_a_warning(github: dict[str, str]) -> None:
    assert CI.main({**github, "GITHUB_API_URL": "http://127.0.0.1:1"}) == 0


@pytest.mark.parametrize("code", [1, 2, 5, 6, 7, 130])
def test_a_gate_without_an_answer_says_why(
    code: int, here: Path, server: Server, github: dict[str, str]
) -> None:
    (here / "code").write_text(str(code))
    (here / "motebench-gate").mkdir()
    (here / "motebench-gate" / "comment.md").write_text("an answer of yesterday")
    assert CI.main(github) == code
    (comment,) = server.comments
    assert f"no answer (exit code {code})" in comment["body"]
    assert "motebench: it went wrong '''\n```" in comment["body"]
    assert "yesterday" not in comment["body"]


def test_undecided_is_a_warning_if_the_user_says_so(here: Path, github: dict[str, str]) -> None:
    (here / "code").write_text("3")
    assert CI.main(github) == 3
    assert CI.main({**github, "MOTEBENCH_UNDECIDED": "warn"}) == 0


@pytest.mark.parametrize(
    ("changes", "base"),
    [
        ({"MOTEBENCH_BASE": "v1"}, "v1"),
        ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": "", "CI_COMMIT_BEFORE_SHA": "d" * 40}, "d" * 40),
        ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": "", "CI_COMMIT_BEFORE_SHA": "0" * 40}, "HEAD^"),
    ],
)
def test_the_base_of_other_pipelines(
    here: Path, gitlab: dict[str, str], changes: dict[str, str], base: str
) -> None:
    CI.main({**gitlab, **changes})
    assert called(here)[1] == base


def test_elsewhere_there_are_only_files(here: Path, server: Server) -> None:
    assert CI.main(common(here)) == 0
    assert called(here)[1] == "HEAD^"
    assert server.asked == []


def test_the_action_hands_over_every_input() -> None:
    action = (ROOT / "integrations" / "github" / "action.yml").read_text()
    script = (ROOT / "integrations" / "ci.py").read_text()
    inputs = set(re.findall(r"^  ([a-z-]+):$", action.partition("outputs:")[0], re.MULTILINE))
    assert inputs == set(re.findall(r"inputs\.([a-z-]+)", action))
    for variable in re.findall(r"^        MOTEBENCH_([A-Z_]+):", action, re.MULTILINE):
        assert variable in script, variable
