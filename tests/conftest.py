"""What holds for every test: how long a test takes says nothing about what it tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("motebench", deadline=None)
settings.load_profile("motebench")
