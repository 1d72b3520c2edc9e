"""False alarms and misses of the script that the GitHub action and the GitLab job call.

    .venv/bin/python benchmarks/gate.py --target sim:samd21g18a --size 64 --extra 0,5,30 --times 20
    .venv/bin/python benchmarks/gate.py --target host --size 4KiB --extra 0,690 --times 20 --
    --budget 1s

Makes a repository with a cipher in C (``tests/support/planted.py``). The second commit changes a
comment and plants so many extra rounds in each message. Calls ``integrations/ci.py`` on both
commits as often as ``--times`` says, and counts its answers. What comes after ``--`` are options of
``motebench gate``.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
ANSWERS = {0: "passed", 3: "undecided", 4: "slower"}


def difference(folder: Path) -> float | None:
    """The difference that the gate found for the last case, in per cent; None where it found
    none.
    """
    comparison = json.loads((folder / "gate.json").read_text(encoding="utf-8"))["comparison"]
    ratio = comparison["comparisons"][-1]["ratio"] if comparison else None
    return None if ratio is None else 100 * (ratio - 1)


def call(repository: Path, base: str, head: str, options: list[str]) -> tuple[str, float | None]:
    """The answer of the script on two commits, and the difference."""
    folder = Path(tempfile.mkdtemp(dir=repository.parent))
    variables = {
        "MOTEBENCH_COMMAND": f"{sys.executable} -m motebench",
        "PYTHONPATH": str(ROOT),
        "MOTEBENCH_CODE": "speck",
        "MOTEBENCH_SCHEME": "speck-64-128-ecb",
        "MOTEBENCH_OPERATION": "encrypt",
        "MOTEBENCH_BASE": base,
        "MOTEBENCH_HEAD": head,
        "MOTEBENCH_OPTIONS": shlex.join(options),
        "MOTEBENCH_FOLDER": str(folder),
    }
    command = [sys.executable, str(ROOT / "integrations" / "ci.py")]
    done = subprocess.run(
        command,
        cwd=repository,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in ANSWERS:
        sys.exit(done.stderr)
    return ANSWERS[done.returncode], difference(folder)


def main() -> int:
    """Count answers."""
    import planted

    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="sim:samd21g18a")
    parser.add_argument("--size", default="64")
    parser.add_argument(
        "--extra", default="0,5,30", help="extra rounds a message, one planted commit for each"
    )
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    options = ["--target", given.target, "--size", given.size, "--quiet", *given.options]
    with tempfile.TemporaryDirectory() as folder:
        repository = planted.make(Path(folder) / "repository")
        base = planted.commit(repository, 0, "base")
        heads = {
            extra: planted.commit(repository, extra, f"head {extra}")
            for extra in map(int, given.extra.split(","))
        }
        print(
            f"{given.target}, {given.size}, motebench gate {shlex.join(given.options)}; load "
            f"{os.getloadavg()[0]:.1f}"
        )
        for extra, head in heads.items():
            begun, answers, found = time.monotonic(), Counter[str](), []
            for _ in range(given.times):
                answer, ratio = call(repository, base, head, options)
                answers[answer] += 1
                found += [] if ratio is None else [ratio]
            seconds = (time.monotonic() - begun) / given.times
            said = ", ".join(f"{count} {answer}" for answer, count in sorted(answers.items()))
            spread = f"{min(found):+.1f} to {max(found):+.1f} %" if found else "no difference"
            print(
                f"{extra:5} extra rounds: {said}; {spread}; {seconds:.0f} s each; load "
                f"{os.getloadavg()[0]:.1f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
