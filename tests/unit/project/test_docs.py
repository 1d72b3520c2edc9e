"""The pages say what the code does: commands, options, study keys, tables, links, examples."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest
import reference
from docs_pages import (
    PAGES,
    REFERENCE,
    ROOT,
    anchors,
    cells,
    code,
    fences,
    option_words,
    page,
    prose_words,
    section,
    tables,
    words_of,
)

from motebench.advise.reference.table import references
from motebench.base.errors import ExitCode
from motebench.base.model import Kind, Operation
from motebench.cli.app import app
from motebench.measuring.study.model import PRESETS, Exclude, Group, Sampling, Study, WholeFile
from motebench.show.export import formats

GROUP = click.Context(app)
STUDY_FILES = page("docs/reference/study-files.md")
TERMS = page("docs/reference/terms.md")
COMMANDS = {name: app.get_command(GROUP, name) for name in app.list_commands(GROUP)}

# Options of other programs that the prose names.
FOREIGN = {
    "--reflink",
    "--sparse",
    "--adapter",
    "--benchmark_report_aggregates_only",
    "--strict",
    "--tests",
    "--count",
}


def options_of(command: click.Command) -> set[str]:
    return {
        word
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for word in (*parameter.opts, *parameter.secondary_opts)
    }


SIMULATOR = {
    word
    for path in ("simulators/common/command.c", "simulators/cortexm/sim_cortexm.c")
    for word in re.findall(r'"(--[a-z-]+)"', page(path))
}
ALL_OPTIONS = {word for command in COMMANDS.values() for word in options_of(command)} | {
    "--help",
    "-h",
}
ALL_OPTIONS |= options_of(app)


# Commands and options


def test_every_command_has_a_section_and_every_section_a_command():
    assert {f"motebench {name}" for name in COMMANDS} == set(
        re.findall(r"^### `(motebench .*)`$", REFERENCE, re.M)
    )


def test_contents_of_the_reference_name_every_command():
    contents = re.findall(r"\[(\w+)\]\(#motebench-(\w+)\)", REFERENCE.partition("## Commands")[0])
    assert sorted(contents) == sorted((name, name) for name in COMMANDS)


@pytest.mark.parametrize("path", reference.pages(), ids=lambda path: path.name)
def test_generated_parts_are_what_the_tool_makes(path):
    text = path.read_text(encoding="utf-8")
    assert reference.filled(text) == text, "python tools/reference.py"


def test_every_declaration_has_its_generated_part():
    parts = [part for path in reference.pages() for part in reference.parts(path.read_text())]
    commands = [name for kind, name in parts if kind == "command"]
    studies = [name for kind, name in parts if kind == "study"]
    assert sorted(commands) == sorted(COMMANDS)
    assert sorted(studies) == sorted(model.__name__ for model in MODELS.values())
    assert {kind for kind, _ in parts} == set(reference.MAKERS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_generated_part_has_every_option_of_its_command(name):
    (made,) = re.findall(rf"<!-- made: command {name} -->\n(.*?)<!-- end -->", REFERENCE, re.DOTALL)
    listed = [
        word
        for names in re.findall(r"^- ((?:`[^`]+`(?:, )?)+)", made, re.M)
        for word in code(names)
    ]
    also = re.findall(r"^\[Also\]\(.*?\): (.*)\.$", made, re.MULTILINE)
    named = listed + [word for line in also for word in code(line)]
    assert sorted(named) == sorted(options_of(COMMANDS[name]))


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_every_option_that_a_page_names_exists(path):
    assert option_words(page(path)) <= ALL_OPTIONS | FOREIGN | SIMULATOR


def test_options_of_the_simulator_are_in_its_table_and_the_reverse():
    (table,) = [rows for rows in tables(page("docs/explain/cortexm.md")) if "option" in rows[0]]
    assert {code(row["option"])[0].split()[0] for row in table} == SIMULATOR


def test_every_option_has_help():
    options = {
        (name, parameter.opts[-1]): parameter
        for name, command in COMMANDS.items()
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }
    assert len(options) > 300
    assert [option for option, parameter in options.items() if not parameter.help] == []


# Study files

MODELS = {
    "The study": Study,
    "`[[measure]]`": Group,
    "`[[measure.exclude]]`": Exclude,
    "`[sampling]`": Sampling,
    "`[whole_file]`": WholeFile,
}


@pytest.mark.parametrize("heading", MODELS)
def test_study_keys_are_documented_and_the_reverse(heading):
    documented = [
        key for row in tables(section(STUDY_FILES, heading))[0] for key in code(row["key"])
    ]
    assert documented == list(MODELS[heading].model_fields)


@pytest.mark.parametrize("heading", MODELS)
def test_examples_of_study_keys_are_accepted(heading):
    required = {"The study": {"measure": [{"schemes": ["*"]}]}, "`[[measure]]`": {"schemes": ["*"]}}
    rows = tables(section(STUDY_FILES, heading))[0]
    assert len(rows) == len(MODELS[heading].model_fields)
    for row in rows:
        (key,) = code(row["key"])
        (example,) = code(row["example"])
        value = tomllib.loads(f"value = {example}")["value"]
        model = MODELS[heading].model_validate({**required.get(heading, {}), key: value})
        assert key in model.model_fields_set


def test_required_study_keys_are_said_to_be_required():
    for heading, model in MODELS.items():
        rows = tables(section(STUDY_FILES, heading))[0]
        assert len(rows) == len(model.model_fields)
        for row in rows:
            (key,) = code(row["key"])
            assert (row["default"] == "required") == model.model_fields[key].is_required(), (
                f"{heading} {key}"
            )


# Tables


def test_operations_in_methods():
    table = tables(section(page("docs/explain/methods.md"), "What is timed"))[0]
    documented = {word for row in table for word in code(row["operation"])}
    assert documented == {operation.value for operation in Operation if not operation.on_file} | {
        "*-file"
    }


def test_presets_in_methods():
    table = tables(section(page("docs/explain/methods.md"), "Order and stopping"))[0]
    assert [code(row["preset"])[0] for row in table] == list(PRESETS)
    for row, policy in zip(table, PRESETS.values(), strict=True):
        assert row["precision"] == f"{policy.precision * 100:g} %"
        assert row["budget per case"] == f"{policy.case_budget:g} s"
        assert row["batch"] == f"{policy.batch * 1000:g} ms"
        assert row["fewest samples"] == str(policy.min_samples)
        assert row["memory samples"] == str(policy.memory_samples)


def test_kinds_of_schemes_are_named():
    text = section(TERMS, "Operations")
    assert {kind.value for kind in Kind} <= set(code(text))


def test_exit_codes_are_in_the_help():
    epilog = re.sub(r"\s+", " ", app.epilog or "")
    numbers = [number.value for number in ExitCode]
    assert [number for number in numbers if not re.search(rf"\b{number} \w", epilog)] == []


def test_export_formats_are_in_the_help():
    assert [name for name in formats() if name not in (COMMANDS["export"].help or "")] == []


def test_export_formats_are_in_the_page_of_exports():
    rows = tables(page("docs/reference/export.md"))[0]
    assert sorted(word for row in rows for word in code(row["format"])) == sorted(formats())


def test_environment_variables():
    files = [
        *(ROOT / "motebench").rglob("*.py"),
        *(ROOT / "core" / "ports").glob("*/architecture.toml"),
    ]
    sources = "".join(path.read_text() for path in files)
    read = set(re.findall(r"(?<!-D)MOTEBENCH_[A-Z_]+", sources)) | {"NO_COLOR"}
    assert {
        code(row["variable"])[0]
        for row in tables(section(page("docs/reference/environment.md"), "Environment variables"))[
            0
        ]
    } == read


# Links and names


def links() -> list[tuple[Path, str]]:
    found = []
    for path in PAGES:
        text = re.sub(r"^```.*?^```", "", page(path), flags=re.M | re.S)
        found += [(path, target) for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    return found


def test_every_relative_link_and_anchor_resolves():
    broken = []
    for path, target in links():
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (ROOT / path.parent / file).resolve() if file else ROOT / path
        if not there.exists() or (anchor and anchor not in anchors(there.read_text())):
            broken.append(f"{path}: {target}")
    assert broken == []


def test_pages_that_sources_name_exist():
    folders = ("motebench", "catalog", "core", "simulators", "probes", "integrations", "benchmarks")
    kinds = {".py", ".toml", ".c", ".h", ".java", ".js", ".json", ".md", ".S"}
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    texts = [path.read_text(encoding="utf-8") for path in files if path.suffix in kinds]
    named = {name for text in texts for name in re.findall(r"\bdocs/[a-z]+/[a-z-]+\.md", text)}
    assert len(named) > 20
    assert sorted(name for name in named if not (ROOT / name).is_file()) == []


def test_sections_that_sources_name_exist():
    folders = ("motebench", "catalog", "core", "simulators", "probes", "integrations")
    kinds = {".py", ".toml", ".c", ".h", ".java", ".js"}
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    texts = [path.read_text(encoding="utf-8") for path in files if path.suffix in kinds]
    cited = re.compile(r'document = "(docs/[a-z/-]+\.md)", section = "([^"]+)"')
    linked = re.compile(r"\b(docs/[a-z]+/[a-z-]+\.md)#([a-z0-9-]+)")
    sections = {found for text in texts for found in cited.findall(text)}
    links_of_sources = {found for text in texts for found in linked.findall(text)}
    assert len(sections) > 2
    missing = [f"{name}: {title}" for name, title in sections if f" {title}\n" not in page(name)]
    broken = [
        f"{name}#{slug}" for name, slug in links_of_sources if slug not in anchors(page(name))
    ]
    assert sorted(missing + broken) == []


def test_tables_of_evidence_say_where_they_come_from():
    tables_of_evidence = sorted((ROOT / "docs" / "evidence" / "tables").glob("*.txt"))
    assert len(tables_of_evidence) > 20
    pattern = re.compile(r"command: .+\n(?: +.+\n)*commit:  .+\ndate:    .+\nmachine: .+\n\n")
    assert [path.name for path in tables_of_evidence if not pattern.match(path.read_text())] == []
    linked = {target.rpartition("/")[2] for _, target in links() if "tables/" in target}
    assert {path.name for path in tables_of_evidence} == linked


def test_index_names_every_page():
    named = {target.partition("#")[0] for path, target in links() if path == Path("docs/index.md")}
    pages = {
        path.relative_to("docs")
        for path in PAGES
        if path.parts[0] == "docs" and path.name != "index.md"
    }
    assert {str(path) for path in pages if path.parts[0] != "decisions"} <= named
    assert "decisions/README.md" in named


def test_decisions_are_listed():
    named = {target for path, target in links() if path == Path("docs/decisions/README.md")}
    assert {path.name for path in PAGES if path.parent == Path("docs/decisions")} - {
        "README.md"
    } <= named


# Length. The largest total is a ratchet: it may be lowered.

MOST_WORDS = {"docs/use": 600, "docs/decisions": 150}
MOST_IN_README = 900
MOST_IN_ALL = 57_800


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_pages_are_no_longer_than_their_kind_may_be(path):
    limit = MOST_IN_README if path.name == "README.md" else MOST_WORDS.get(str(path.parent))
    if limit is not None and path != Path("docs/decisions/README.md"):
        assert len(prose_words(page(path))) <= limit


def test_all_pages_together_are_no_longer_than_before():
    docs = [page(path) for path in PAGES if path.parts[0] == "docs"]
    assert len(docs) > 80
    assert sum(len(words_of(text)) for text in docs) <= MOST_IN_ALL


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_make_targets_and_studies_that_a_page_names_exist(path):
    text = page(path)
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`make ([a-z]+)", text)) <= targets
    for block in fences(text):
        assert set(re.findall(r"^\s*make ([a-z]+)", block, re.M)) <= targets
    for study in re.findall(r"\bstudies/[a-z0-9-]+\.toml", text):
        assert (ROOT / study).is_file(), study


def test_cells_of_a_row_are_read_as_markdown_does():
    assert cells(r"| `a` | b \| c |") == ["`a`", "b | c"]


def test_heads_of_ciphers_have_no_measured_numbers():
    """Reference results and pages made from them have these; a comment would grow old."""
    sources = sorted((ROOT / "core" / "ciphers").rglob("*.c"))
    assert len(sources) > 50
    measured = re.compile(r"\d cycles|\d bytes of (flash|stack|state)|\d of stack|avr-gcc|gcc 1\d")
    heads = {str(path): path.read_text(encoding="utf-8").partition("*/")[0] for path in sources}
    joined = {name: re.sub(r"\s*\n \*\s*", " ", head) for name, head in heads.items()}
    assert [name for name, head in joined.items() if measured.search(head)] == []


def test_the_three_numbers_of_flash_are_those_of_the_reference_results():
    values = (
        references()["sim:atmega2560"]
        .entries["aes-128-ccm", "mote/aes-fast", "encrypt-message", 24]
        .values
    )
    every = [
        entry.values
        for entry in references()["sim:atmega2560"].entries.values()
        if "flash_net" in entry.values
    ]
    smallest = min(each["flash"] - each["flash_net"] for each in every)
    documented = {
        row["name"]: int(row["bytes"].replace(",", ""))
        for row in tables(section(page("docs/explain/boards.md"), "Memory"))[0]
    }
    assert documented == {
        "firmware flash (`flash`)": values["flash"],
        "flash added (`flash_net`)": values["flash_net"],
        "flash with mode (in `choose`)": values["flash"] - smallest,
    }
