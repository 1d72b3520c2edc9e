"""Build hook of hatchling: parts that are made when a wheel is built.

A wheel records the commit that it is built from, for `motebench --version` and runs. It carries
manual pages, scripts of shells and a list of its parts. ``MOTEBENCH_COMMIT`` names the commit where
git cannot: in an image, whose sources come without the objects of git. With
``MOTEBENCH_WHEEL=x86_64`` or ``aarch64`` it is for that architecture and has the simulators, built;
otherwise it is for every machine, and they are built where they are first needed. See
docs/decisions/wheels.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_RECORD = "commit.json"
_OF_WHEEL = f"motebench/_data/{_RECORD}"
_COMMIT = "MOTEBENCH_COMMIT"
_HASH = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that hatchling calls. Without git, and outside of a checkout, nothing is
    recorded.
    """

    _made: Path | None = None

    _parts: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the parts: the record of the commit to both kinds of distribution, all else to
        wheels.
        """
        if version == "editable":
            return
        self._add_record(build_data)
        if self.target_name == "wheel":
            self._parts = Path(tempfile.mkdtemp(prefix="motebench-wheel-"))
            self._add_parts(self._parts, build_data)

    def _add_record(self, build_data: dict[str, Any]) -> None:
        """Add the record, made here or taken from the source distribution that a wheel is built
        from.
        """
        root, place = Path(self.root), Path(self.directory)
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

    def _add_parts(self, folder: Path, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root / "tools"))
        import manual
        import prebuilt
        import sbom

        for path in manual.write(folder / "share"):
            build_data["shared_data"][str(path)] = str(path.relative_to(folder))
        parts = folder / "motebench.cdx.json"
        parts.write_text(sbom.text(root), encoding="utf-8")
        build_data["sbom_files"].append(str(parts))
        if architecture := os.environ.get("MOTEBENCH_WHEEL", ""):
            build_data["pure_python"] = False
            build_data["tag"] = prebuilt.tag(architecture)
            for program in prebuilt.build(root, architecture, folder / "build"):
                build_data["force_include"][str(program)] = (
                    f"motebench/_data/prebuilt/{program.name}"
                )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove files that were made for the build."""
        del version, build_data, artifact_path
        if self._made is not None:
            self._made.unlink(missing_ok=True)
        if self._parts is not None:
            shutil.rmtree(self._parts, ignore_errors=True)


def _record(root: Path) -> dict[str, Any] | None:
    """The commit of the sources and the number of files that differ from it, None where that is not
    known; None for no commit. ValueError if the variable names none.
    """
    given = os.environ.get(_COMMIT, "")
    if given and not _HASH.fullmatch(given):
        raise ValueError(
            f"{_COMMIT}: {given!r} is no commit; valid: what `git rev-parse HEAD` says"
        )
    return _by_git(root) or ({"commit": given, "changed": None} if given else None)


def _by_git(root: Path) -> dict[str, Any] | None:
    if not (root / ".git").exists():
        return None  # a repository around the sources is not theirs
    try:
        commit, status = (
            _git(root, "rev-parse", "HEAD"),
            _git(root, "status", "--porcelain", "-z", "--no-renames"),
        )
    except (OSError, subprocess.SubprocessError) as error:
        print(f"git names no commit: {error}", file=sys.stderr)
        return None
    return {"commit": commit.strip(), "changed": len([line for line in status.split("\0") if line])}


def _git(root: Path, *words: str) -> str:
    line = ["git", "--no-optional-locks", "-C", str(root), *words]
    return subprocess.run(line, check=True, capture_output=True, text=True, timeout=60).stdout
