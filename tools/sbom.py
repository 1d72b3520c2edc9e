"""List of the parts of motebench (CycloneDX 1.6, JSON): Python packages as pinned, and libraries'
sources as pinned.

``python tools/sbom.py`` prints it; wheels carry it (PEP 770). It is the same to the byte at every
call.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

_PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PURLS = {"pypi": "pypi", "crates": "cargo", "debian": "deb/debian"}
"""Kinds of package URLs, by ``registry`` of a source.toml."""


def text(root: Path) -> str:
    """The document, of a checkout or an unpacked sdist."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.search(
        r'^__version__ = "(.+)"$', (root / "motebench/version.py").read_text(encoding="utf-8"), re.M
    )
    assert found is not None
    components = [*_packages(root, project), *_sources(root)]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "motebench",
                "name": "motebench",
                "version": found[1],
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": components,
        "dependencies": [
            {
                "ref": "motebench",
                "dependsOn": [
                    item["bom-ref"] for item in components if item["scope"] == "required"
                ],
            }
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _packages(root: Path, project: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Python packages. ``optional``: those that only extras, tests, or other packages need."""
    needed = {_normal(match[0]) for line in project["dependencies"] if (match := _NAME.match(line))}
    for name, version in _PIN.findall((root / "constraints.txt").read_text(encoding="utf-8")):
        purl = f"pkg:pypi/{_normal(name)}@{quote(version)}"
        scope = "required" if _normal(name) in needed else "optional"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "scope": scope,
            "purl": purl,
        }


def _sources(root: Path) -> Iterator[dict[str, Any]]:
    """Libraries whose sources are fetched when they are first named, each with the hash of its
    archive.
    """
    for path in sorted(root.glob("core/*/*/source.toml")):
        source = tomllib.loads(path.read_text(encoding="utf-8"))
        package, release = source["package"], source["release"]
        # Its release is Debian's, and the name of the file has the version
        if source["registry"] == "debian":
            release = source["file"].removeprefix(f"{package}_").partition(".orig")[0]
        yield {
            "type": "library",
            "bom-ref": f"source:{path.parent.name}:{source['version']}",
            "name": source["library"],
            "version": source["version"],
            "scope": "optional",
            "hashes": [{"alg": "SHA-256", "content": source["sha256"]}],
            "licenses": [{"expression": source["licence"]}],
            "purl": f"pkg:{_PURLS[source['registry']]}/{package}@{quote(release)}",
            "externalReferences": [{"type": "website", "url": source["url"]}],
        }


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.stdout.write(text(Path(__file__).resolve().parents[1]))
