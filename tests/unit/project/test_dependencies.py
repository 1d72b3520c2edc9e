"""Lower bounds of packages are those that `make test-lowest` tests, and heavy ones are extras."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def bounds(requirements: list[str]) -> dict[str, tuple[int, ...]]:
    pairs = (requirement.partition(";")[0].split(">=") for requirement in requirements)
    return {plain(name): tuple(map(int, version.split("."))) for name, version in pairs}


def lowest() -> dict[str, tuple[int, ...]]:
    lines = (ROOT / "constraints-lowest.txt").read_text().splitlines()
    pins = (line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {
        plain(name): tuple(int(part) for part in version.split(".") if part.isdecimal())
        for name, version in pins
    }


def test_each_lower_bound_is_the_version_that_is_tested():
    pins = lowest()
    extras = PROJECT["optional-dependencies"]
    least = bounds(PROJECT["dependencies"] + extras["plot"] + extras["serve"])
    assert len(least) >= 10
    for name, bound in least.items():
        padded = bound + (0,) * (len(pins[name]) - len(bound))
        assert pins[name] == padded, name


def test_what_draws_and_what_tests_is_no_dependency():
    dependencies = bounds(PROJECT["dependencies"])
    assert not dependencies.keys() & {
        "altair",
        "vl-convert-python",
        "scipy",
        "pandas",
        "cryptography",
    }
    development = bounds(PROJECT["optional-dependencies"]["dev"])
    assert bounds(PROJECT["optional-dependencies"]["plot"]).items() <= development.items()


def test_the_workflow_tests_every_python_that_is_named():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    workflow = ROOT / ".github" / "workflows" / "test.yml"
    assert named == re.findall(r'"(3\.\d+)"', workflow.read_text())


def test_the_package_says_that_it_has_types():
    assert (ROOT / "motebench" / "py.typed").exists()


def test_no_text_installs_motebench_from_a_package_index():
    """The name is not published: somebody else could take it."""
    asks = re.compile(
        r"(?:pipx?3?|uvx?)(?: (?:install|tool|add|run))+ (?:-\S+ )*['\"]?motebench\b(?!-probe)"
    )
    texts = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("motebench/**/*.py"),
    ]
    assert not [str(path) for path in texts if asks.search(path.read_text())]
    assert asks.search("pip install motebench[plot]") and asks.search("uv tool install 'motebench'")
