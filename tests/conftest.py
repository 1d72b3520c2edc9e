"""What holds for every test: how long a test takes says nothing about what it tests. Tests marked
``long`` run with ``MOTEBENCH_LONG=1`` only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import postgres_server
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("motebench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("motebench")
_CACHE = tempfile.TemporaryDirectory(prefix="motebench-cache-")
os.environ["MOTEBENCH_CACHE"] = _CACHE.name  # not the user's
# Output is captured: no terminal is as wide as the one that pytest writes to
os.environ.pop("COLUMNS", None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it is asked for."""
    if os.environ.get("MOTEBENCH_LONG"):
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


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
