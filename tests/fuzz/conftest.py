"""Configuration: every test runs in a separate folder, where a defect shows."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MOTEBENCH_TRACEBACK", "1")
    monkeypatch.delenv("MOTEBENCH_STORE", raising=False)
