"""Files of a release, in ``dist/``: sdist, wheels, list of parts, hashes. ``make dist``
calls it.

    python tools/build_dist.py [--only sdist,pure,x86_64,aarch64] [FOLDER]

Wheels are built from the sdist, so that it is whole. Equal sources give equal files, to the byte.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import prebuilt
import sbom

ROOT = Path(__file__).resolve().parents[1]
PURE, SDIST = "pure", "sdist"
KINDS = (SDIST, PURE, *prebuilt.TARGETS)
SUMS = "SHA256SUMS"


def build(folder: Path, kinds: tuple[str, ...] = KINDS) -> list[Path]:
    """Build these kinds into a folder; the files. CalledProcessError if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": _epoch()}
    environment.pop("MOTEBENCH_WHEEL", None)
    with tempfile.TemporaryDirectory() as work:
        sdist = _hatch(ROOT, SDIST, Path(work) / "sdist", environment)
        made = [folder / sdist.name] if SDIST in kinds else []
        for path in made:
            path.write_bytes(sdist.read_bytes())
        with tarfile.open(sdist) as archive:
            archive.extractall(work)
        tree = Path(work) / sdist.name.removesuffix(".tar.gz")
        for kind in kinds:
            if kind != SDIST:
                more = {} if kind == PURE else {"MOTEBENCH_WHEEL": kind}
                wheel = _hatch(tree, "wheel", Path(work) / kind, {**environment, **more})
                made.append(folder / wheel.name)
                made[-1].write_bytes(wheel.read_bytes())
        parts = folder / f"{tree.name}.cdx.json"
        parts.write_text(sbom.text(tree), encoding="utf-8")
    made.append(parts)
    (folder / SUMS).write_text("".join(_sums(made)), encoding="utf-8")
    return made


def _epoch() -> str:
    """Time of all files in the archives: that of the commit; without git, that of hatchling."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    done = subprocess.run(
        ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "1580601600"


def _hatch(tree: Path, target: str, folder: Path, environment: Mapping[str, str]) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=tree, env=environment, check=True, stdout=sys.stderr)
    (made,) = folder.iterdir()
    return made


def _sums(paths: list[Path]) -> Iterator[str]:
    for path in sorted(paths):
        yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--only", default=",".join(KINDS), help=f"some of {','.join(KINDS)}")
    given = parser.parse_args()
    kinds = tuple(given.only.split(","))
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"--only: unknown {', '.join(sorted(unknown))}; valid: {', '.join(KINDS)}")
    for path in build(given.folder, kinds):
        print(f"{path.stat().st_size / 1e6:.2f} MB  {path}")


if __name__ == "__main__":
    main()
