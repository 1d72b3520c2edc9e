"""Files of wheels beside the package: manual pages, scripts of shells, list of parts, schema of
studies.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import build_hook
import click
import jsonschema
import manual
import planted
import prebuilt
import pytest
import referencing
import sbom
import study_schema

from motebench import version
from motebench.base.paths import data_root, studies_dir
from motebench.cli.app import app
from motebench.targets.setup import needs

ROOT = data_root()
STUDIES = sorted(studies_dir().glob("*.toml"))


# The commit


@pytest.fixture
def image_sources(tmp_path: Path) -> Path:
    """Sources as an image has them: a checkout without the objects of git."""
    sources = tmp_path / "src"
    (sources / ".git" / "refs").mkdir(parents=True)
    (sources / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return sources


def test_a_build_without_the_objects_of_git_records_the_commit_that_it_is_told(
    image_sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build_hook._record(image_sources) is None
    monkeypatch.setenv("MOTEBENCH_COMMIT", "1f" * 20)
    record = build_hook._record(image_sources)
    assert record == {"commit": "1f" * 20, "changed": None}
    (image_sources / "commit.json").write_text(json.dumps(record))
    assert version.built_from(image_sources) == version.BuiltFrom("1f" * 20, None)


@pytest.mark.parametrize("given", ["main", "1f" * 19, "1F" * 20, "$(git rev-parse HEAD)"])
def test_a_commit_that_is_none_ends_the_build(
    image_sources: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("MOTEBENCH_COMMIT", given)
    with pytest.raises(ValueError, match="MOTEBENCH_COMMIT"):
        build_hook._record(image_sources)


def test_git_s_own_answer_comes_before_what_a_build_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = planted.make(tmp_path / "repository")
    commit = planted.commit(repository, 0, "first")
    monkeypatch.setenv("MOTEBENCH_COMMIT", "1f" * 20)
    assert build_hook._record(repository) == {"commit": commit, "changed": 0}


def test_the_image_takes_the_commit_as_an_argument_of_its_build() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    before, _, after = text.partition('ARG COMMIT=""\n')
    assert 'RUN MOTEBENCH_COMMIT="$COMMIT" pipx install /src' in after
    assert "--build-arg COMMIT=" in before


# Manual pages and scripts of shells


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    manual.write(folder)
    return folder


def test_every_command_has_a_page_with_every_option(share: Path) -> None:
    context = click.Context(app, None, "motebench")
    assert len(app.list_commands(context)) >= 25
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        text = (
            (share / "man" / "man1" / f"motebench-{name}.1")
            .read_text(encoding="utf-8")
            .replace("\\-", "-")
        )
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert all(option in text for option in parameter.opts), (name, parameter.name)
    whole = (share / "man" / "man1" / "motebench.1").read_text(encoding="utf-8").replace("\\-", "-")
    assert all(f"motebench-{name}" in whole for name in app.list_commands(context))


def test_pages_have_only_requests_that_are_meant(share: Path) -> None:
    known = {".TH", ".SH", ".PP", ".TP", ".nf", ".fi"}
    pages = list((share / "man" / "man1").iterdir())
    assert len(pages) >= 25
    for page in pages:
        lines = page.read_text(encoding="utf-8").splitlines()
        assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known, (
            page.name
        )
        assert lines.count(".nf") == lines.count(".fi") and "\b" not in page.read_text(
            encoding="utf-8"
        )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_what_the_command_prints(share: Path, shell: str) -> None:
    command = [sys.executable, "-m", "motebench", "completion", shell]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert any(
        path.is_file() and path.read_text(encoding="utf-8") == printed
        for path in share.rglob("*otebench*")
    )


# The list of parts


def test_the_list_of_parts_names_every_pin_and_every_source_with_its_hash() -> None:
    document = json.loads(sbom.text(ROOT))
    assert document == json.loads(sbom.text(ROOT)) and document["specVersion"] == "1.6"
    parts = document["components"]
    references = [part["bom-ref"] for part in parts]
    assert len(set(references)) == len(references)
    assert set(document["dependencies"][0]["dependsOn"]) <= set(references)
    pins = re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M
    )
    assert pins and {(part["name"], part["version"]) for part in parts} >= set(pins)
    hashes = {each["content"] for part in parts for each in part.get("hashes", ())}
    sources = list(ROOT.glob("core/*/*/source.toml"))
    assert (
        sources
        and {tomllib.loads(path.read_text(encoding="utf-8"))["sha256"] for path in sources}
        == hashes
    )


def test_the_packages_that_everything_needs_are_required_parts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[<>=!~\[; ]", line)[0].lower() for line in project["dependencies"]}
    parts = json.loads(sbom.text(ROOT))["components"]
    required = {part["name"].lower() for part in parts if part["scope"] == "required"}
    assert {name.replace("_", "-") for name in required} == {
        name.replace("_", "-") for name in names
    }


def test_the_list_of_parts_is_valid_cyclonedx() -> None:
    package = pytest.importorskip("cyclonedx.schema", reason="cyclonedx-python-lib has the schemas")
    folder = Path(package.__file__).parent / "_res"
    files = {
        name: json.loads((folder / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8"))
        for name in ("bom-1.6", "spdx", "jsf-0.82")
    }
    base = "http://cyclonedx.org/schema/"
    parts = [
        (f"{base}{name}.SNAPSHOT.schema.json", referencing.Resource.from_contents(of))
        for name, of in files.items()
    ]
    validator = jsonschema.Draft7Validator(
        files["bom-1.6"], registry=referencing.Registry().with_resources(parts)
    )
    document = json.loads(sbom.text(ROOT))
    validator.validate(document)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**document, "components": [{"name": "without a type"}]})


# Wheels for one architecture


def test_the_tag_of_a_wheel_names_its_architecture_and_others_are_refused() -> None:
    assert prebuilt.tag("aarch64").endswith(
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"
    )
    with pytest.raises(prebuilt.PrebuiltError, match="valid: x86_64, aarch64"):
        prebuilt.tag("sparc")


def test_every_simulator_of_an_architecture_is_in_a_wheel() -> None:
    files = ROOT.glob("core/ports/*/architecture.toml")
    programs = {
        tomllib.loads(path.read_text(encoding="utf-8"))["simulator"]["program"] for path in files
    }
    assert programs and programs == set(prebuilt.programs(ROOT))


# Studies in an editor


def test_the_schema_of_studies_is_what_the_model_says() -> None:
    assert study_schema.FILE.read_text(encoding="utf-8") == study_schema.text(), (
        "python tools/study_schema.py"
    )


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_a_study_names_the_schema_and_matches_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert (
        text.partition("\n")[0] == f"#:schema {study_schema.FILE.name}"
        and path.with_name(study_schema.FILE.name).is_file()
    )
    jsonschema.validate(tomllib.loads(text), json.loads(study_schema.text()))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"measure": []},
        {"measure": [{"schemes": ["sha256"], "size": ["16 B"]}]},
        {"measure": [{"schemes": ["sha256"]}], "sampling": {"preset": "quick"}},
        {"measure": [{"schemes": ["sha256"], "sizes": "16 B"}]},
    ],
)
def test_the_schema_refuses_what_is_no_study(wrong: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, json.loads(study_schema.text()))


# Tools


def test_the_lowest_cmake_is_that_of_the_build_files() -> None:
    files = [ROOT / folder / "CMakeLists.txt" for folder in ("core", "simulators")]
    wanted = {
        re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", path.read_text(encoding="utf-8"))
        for path in files
    }
    assert {match[1] for match in wanted if match} == {needs._MINIMA["cmake"]}
