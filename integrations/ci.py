#!/usr/bin/env python3
"""A step of the GitHub action and of the GitLab job: `motebench gate`, its comment, and its exit
code.

Everything that it is told comes from environment variables: `MOTEBENCH_*` from the user, the others
from the service. It needs only Python's standard library. ``docs/use/ci.md`` lists the variables.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSED, UNDECIDED, SLOWER = 0, 3, 4
_ANSWERED = (PASSED, UNDECIDED, SLOWER)
_SECONDS = 30.0
_PAGES = 30
_LONGEST = 60_000
"""Characters of a comment: GitHub takes 65,536."""
_VALUES = {
    "STUDY": "--study",
    "CODE": "--code",
    "SCHEME": "--scheme",
    "TARGET": "--target",
    "OPERATION": "--operation",
    "SIZE": "--size",
    "RUNS": "--runs",
    "FAIL_IF_SLOWER": "--fail-if-slower",
}
"""Variables that are values of options."""


@dataclass(frozen=True)
class Api:
    """The REST interface of a service: its address, and the headers that every request has."""

    address: str
    headers: Mapping[str, str]

    def ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        """The JSON that the service answers. OSError if it refuses or cannot be reached."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json", "User-Agent": "motebench"}
        request = urllib.request.Request(f"{self.address}{path}", data, headers, method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply:  # noqa: S310
            return json.loads(reply.read() or b"null")


@dataclass(frozen=True)
class Place:
    """Place of a comment: its list, the way to one comment of it, and the method that replaces
    one.
    """

    api: Api
    comments: str
    one: str
    replaces: str

    def put(self, marker: str, body: str) -> str:
        """Replace the comment that begins with the marker, or add one; says which."""
        known = next(
            (entry["id"] for entry in self._all() if str(entry.get("body", "")).startswith(marker)),
            None,
        )
        if known is not None:
            try:
                self.api.ask(self.replaces, self.one.format(known), {"body": body})
            except urllib.error.HTTPError as error:
                if error.code not in (403, 404):  # somebody else's comment, or one that is gone
                    raise
            else:
                return "updated"
        self.api.ask("POST", self.comments, {"body": body})
        return "posted"

    def _all(self) -> Iterator[Mapping[str, Any]]:
        for page in range(1, _PAGES + 1):
            entries = self.api.ask("GET", f"{self.comments}?per_page=100&page={page}")
            yield from entries
            if len(entries) < 100:
                return


class Service:
    """A place where jobs run; this one knows no merge request, no summary and no link."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables

    def base(self) -> str | None:
        """The commit to compare with, if the service says one."""
        return None

    def place(self) -> Place | None:
        """Place of a comment; None outside of a merge request, or without a token."""
        return None

    def link(self, folder: Path) -> str:
        """Link to the picture and the document for a reader, as Markdown."""
        return f"Picture and document: `{folder}`"

    def warn(self, words: str) -> None:
        """Print a warning beside the job."""
        print(f"warning: {words}", file=sys.stderr)

    def finish(self, body: str, answer: str) -> None:
        """Show the result in the service's own page of the job."""


class GitHub(Service):
    """A job of GitHub Actions."""

    def _event(self) -> dict[str, Any]:
        path = self.variables.get("GITHUB_EVENT_PATH")
        event: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8")) if path else {}
        return event

    def base(self) -> str | None:
        """Of a pull request, the commit where its branch begins; of a push, the commit before
        it.
        """
        event = self._event()
        asked = event.get("pull_request", {}).get("base", {}).get("sha") or event.get("before")
        return _beginning(asked)

    def place(self) -> Place | None:
        """The comments of the pull request."""
        number, token = (
            self._event().get("pull_request", {}).get("number"),
            self.variables.get("MOTEBENCH_TOKEN"),
        )
        if number is None or not token:
            return None
        address = self.variables.get("GITHUB_API_URL", "https://api.github.com")
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
        repository = f"/repos/{self.variables['GITHUB_REPOSITORY']}/issues"
        return Place(
            Api(address, headers),
            f"{repository}/{number}/comments",
            repository + "/comments/{}",
            "PATCH",
        )

    def link(self, folder: Path) -> str:
        """The artifacts of the run."""
        del folder
        run = "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}".format_map(
            _Known(self.variables)
        )
        return f"[Picture and JSON document]({run}#artifacts)"

    def warn(self, words: str) -> None:
        """An annotation."""
        print(f"::warning title=motebench::{words}")

    def finish(self, body: str, answer: str) -> None:
        """The summary of the job, and the output ``answer``."""
        for variable, text in (
            ("GITHUB_STEP_SUMMARY", body),
            ("GITHUB_OUTPUT", f"answer={answer}\n"),
        ):
            if path := self.variables.get(variable):
                with Path(path).open("a", encoding="utf-8") as file:
                    file.write(text)


class GitLab(Service):
    """A job of GitLab CI/CD."""

    def base(self) -> str | None:
        """Commit where the merge request begins, or the one before a push."""
        return _beginning(
            self.variables.get("CI_MERGE_REQUEST_DIFF_BASE_SHA")
            or self.variables.get("CI_COMMIT_BEFORE_SHA")
        )

    def place(self) -> Place | None:
        """The notes of the merge request."""
        number, token = (
            self.variables.get("CI_MERGE_REQUEST_IID"),
            self.variables.get("MOTEBENCH_TOKEN"),
        )
        if not number or not token:
            return None
        notes = "/projects/{CI_PROJECT_ID}/merge_requests/{CI_MERGE_REQUEST_IID}/notes".format_map(
            self.variables
        )
        return Place(
            Api(self.variables["CI_API_V4_URL"], {"PRIVATE-TOKEN": token}),
            notes,
            notes + "/{}",
            "PUT",
        )

    def link(self, folder: Path) -> str:
        """The artifacts of the job."""
        files = f"{self.variables.get('CI_JOB_URL', '')}/artifacts/file/{folder}"
        return f"[Picture]({files}/gate.svg), [JSON document]({files}/gate.json)"


class _Known(dict[str, str]):
    """Variables, of which those that are missing are empty."""

    def __missing__(self, key: str) -> str:
        return ""


def _beginning(asked: object) -> str | None:
    """Last common commit of the branch and ``asked``; ``asked`` itself if git finds none. None for
    the zeros that stand for no commit.
    """
    if not isinstance(asked, str) or not asked.strip("0"):
        return None
    found = subprocess.run(
        ["git", "merge-base", asked, "HEAD"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or asked


def arguments(variables: Mapping[str, str], base: str) -> list[str]:
    """The arguments of `motebench gate` that the variables say."""
    given = [base, variables.get("MOTEBENCH_HEAD") or "HEAD"]
    for name, option in _VALUES.items():
        if value := variables.get(f"MOTEBENCH_{name}", "").strip():
            given += [option, value]
    return [*given, *shlex.split(variables.get("MOTEBENCH_OPTIONS", ""))]


def measure(variables: Mapping[str, str], base: str, folder: Path) -> tuple[int, str]:
    """Exit code of the gate and its comment; without an answer, its standard error."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"--comment": "comment.md", "--picture": "gate.svg", "--openmetrics": "metrics.txt"}
    command = [
        *shlex.split(variables.get("MOTEBENCH_COMMAND", "motebench")),
        "gate",
        *arguments(variables, base),
    ]
    for option, name in files.items():
        (folder / name).unlink(missing_ok=True)
        command += [option, str(folder / name)]
    command += ["--json", "--store", str(folder / "motebench.db")]
    print(shlex.join(command), file=sys.stderr, flush=True)
    said: list[str] = []
    with (folder / "gate.json").open("wb") as document:
        process = subprocess.Popen(
            command, stdout=document, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        assert process.stderr is not None
        for line in process.stderr:
            sys.stderr.write(line)
            said.append(line)
        code = process.wait()
    comment = folder / "comment.md"
    if code in _ANSWERED and comment.exists():
        return code, comment.read_text(encoding="utf-8")
    last = "".join(said[-15:]).replace("```", "'''").strip()
    return code or 1, f"### motebench: no answer (exit code {code})\n\n```text\n{last}\n```\n"


def main(variables: Mapping[str, str]) -> int:
    """Measure, show the comment wherever it can be shown, and end as the gate does."""
    service = _service(variables)
    base = variables.get("MOTEBENCH_BASE") or service.base() or "HEAD^"
    folder = Path(variables.get("MOTEBENCH_FOLDER") or "motebench-gate")
    code, comment = measure(variables, base, folder)
    marker = (
        "<!-- motebench: "
        f"{_plain(variables.get('MOTEBENCH_NAME') or variables.get('MOTEBENCH_CODE') or '-')} -->"
    )
    body = f"{marker}\n{comment[:_LONGEST]}\n{service.link(folder)}\n"
    answer = {PASSED: "passed", UNDECIDED: "undecided", SLOWER: "slower"}.get(code, "error")
    service.finish(body, answer)
    _post(service, marker, body)
    if code == UNDECIDED and variables.get("MOTEBENCH_UNDECIDED", "fail") == "warn":
        service.warn("the gate cannot decide with so few runs: see the comment")
        return PASSED
    return code


def _service(variables: Mapping[str, str]) -> Service:
    kinds: dict[str, Callable[[Mapping[str, str]], Service]] = {
        "GITHUB_ACTIONS": GitHub,
        "GITLAB_CI": GitLab,
    }
    return next((kind for name, kind in kinds.items() if variables.get(name)), Service)(variables)


def _plain(name: str) -> str:
    """Name without characters that would end the marker."""
    return "".join(letter for letter in name if letter.isalnum() or letter in " ._/") or "-"


def _post(service: Service, marker: str, body: str) -> None:
    """A comment that cannot be posted is no failure of the code that was measured."""
    place = service.place()
    if place is None:
        print(
            "no comment: no pull or merge request, or no token; the summary and the files have it",
            file=sys.stderr,
        )
        return
    try:
        print(f"comment {place.put(marker, body)}", file=sys.stderr)
    except (OSError, ValueError) as error:
        service.warn(
            f"the comment was not posted ({error}): the token may not write, as in pull requests "
            "of forks"
        )


if __name__ == "__main__":
    sys.exit(main(os.environ))
