"""``python -m motebench.catalog [FOLDER]``: check the catalog; exit code 0 if it is right, else 1."""

from __future__ import annotations

import sys
from pathlib import Path

from motebench.base.paths import catalog_dir
from motebench.catalog.lint import lint


def main(arguments: list[str]) -> int:
    """Check a catalog folder, by default the one in use."""
    folder = Path(arguments[0]) if arguments else catalog_dir()
    findings = lint(folder)
    for finding in findings:
        print(finding, file=sys.stderr)
    if findings:
        print(f"{len(findings)} finding{'s' if len(findings) > 1 else ''}", file=sys.stderr)
        return 1
    count = len(list((folder / "algorithms").glob("*.toml")))
    print(f"{count} algorithm files are in order")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
