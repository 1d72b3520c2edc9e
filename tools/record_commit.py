"""Build hook of hatchling: a wheel records the commit that it is built from, for `motebench --version` and runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_RECORD = "commit.json"
_OF_WHEEL = f"motebench/_data/{_RECORD}"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """See the module. Without git, and outside of a checkout, nothing is recorded."""

    _made: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the record: made here, or that of the source distribution that a wheel is built from."""
        root, place = Path(self.root), Path(self.directory)
        if version == "editable":
            return
        given = root / _RECORD
        if not given.is_file():
            record = _record(root)
            if record is None:
                return
            place.mkdir(parents=True, exist_ok=True)
            given = place / _RECORD
            given.write_text(json.dumps(record), encoding="utf-8")
            self._made = given
        inside = _OF_WHEEL if self.target_name == "wheel" else _RECORD
        build_data["force_include"][str(given)] = inside

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made for the build."""
        del version, build_data, artifact_path
        if self._made is not None:
            self._made.unlink(missing_ok=True)


def _record(root: Path) -> dict[str, Any] | None:
    if not (root / ".git").exists():
        return None  # a repository around the sources is not theirs
    try:
        commit, status = _git(root, "rev-parse", "HEAD"), _git(root, "status", "--porcelain", "-z", "--no-renames")
    except (OSError, subprocess.SubprocessError) as error:
        print(f"the wheel records no commit: {error}", file=sys.stderr)
        return None
    return {"commit": commit.strip(), "changed": len([line for line in status.split("\0") if line])}


def _git(root: Path, *words: str) -> str:
    line = ["git", "--no-optional-locks", "-C", str(root), *words]
    return subprocess.run(line, check=True, capture_output=True, text=True, timeout=60).stdout
