"""What holds for every test: how long a test takes says nothing about what it tests, and user code that one test made
known is not there for the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from motebench.catalog import lookup
from motebench.code import bench

settings.register_profile("motebench", deadline=None)
settings.load_profile("motebench")


@pytest.fixture(autouse=True)
def _no_user_code() -> Iterator[None]:
    yield
    for known in (lookup._BROUGHT, bench._CODES):
        known.clear()
    lookup.schemes.cache_clear()
    lookup._names.cache_clear()
