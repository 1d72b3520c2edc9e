"""Rules for every test: the duration of a test says nothing about its subject. Tests marked
``long`` run with ``MOTEBENCH_LONG=1`` only."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator

import postgres_server
import pytest
from hypothesis import HealthCheck, settings

from motebench.cli.commands.choose import _AnswerMemory

settings.register_profile("motebench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("motebench")
_CACHE = tempfile.TemporaryDirectory(prefix="motebench-cache-")
os.environ["MOTEBENCH_CACHE"] = _CACHE.name  # not the user's
# Output is captured: no terminal is as wide as the one that pytest writes to
os.environ.pop("COLUMNS", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="A skipped test is a failure: this machine has it all.",
    )


def _is_left_out(item: pytest.Item) -> bool:
    names = ("absent",) if os.environ.get("MOTEBENCH_LONG") else ("absent", "long")
    return any(item.get_closest_marker(name) for name in names)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests unless they are requested, and tests of absent texts."""
    left_out = [item for item in items if _is_left_out(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _skip_reasons(config: pytest.Config) -> Counter[str]:
    """Number of skipped tests, by reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter is not None else []
    return Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Make the session fail for skipped tests, with ``--no-skips``."""
    if session.config.getoption("--no-skips") and _skip_reasons(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the capabilities that this machine lacks, with the number of tests that each one
    skips."""
    reasons = _skip_reasons(config)
    if reasons:
        terminalreporter.section("what this machine lacks")
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count:5} skipped: {reason}")
        if config.getoption("--no-skips"):
            terminalreporter.line("--no-skips: this fails the session", red=True)


@pytest.fixture(autouse=True)
def _answers_are_made_anew(request: pytest.FixtureRequest) -> Iterator[None]:
    """Clear caches before each test, because tests replace functions that cached answers follow
    from.

    The patch is not that of the test, which has to be undone before other fixtures end.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "remembered" not in request.fixturenames:
            patch.setattr(_AnswerMemory, "recall", lambda _: None)
        yield


@pytest.fixture(scope="session")
def _postgresql() -> Iterator[postgres_server.Server]:
    with postgres_server.running(durable=False) as server:
        yield server


@pytest.fixture
def postgresql(request: pytest.FixtureRequest) -> postgres_server.Server:
    """A PostgreSQL server of the tests' own. Without its programs the test is skipped: their Debian
    package would start a server for the whole machine, so tools/setup.sh does not install it."""
    reason = postgres_server.missing()
    if reason is not None:
        pytest.skip(reason)
    server: postgres_server.Server = request.getfixturevalue("_postgresql")
    return server
