"""Collection files: what is read, what is refused and where; folders and their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.base.paths import catalog_dir
from motebench.measuring.collection import (
    CollectionRequest,
    FolderCause,
    cell_field,
    collect,
    folders_of,
    read_collection,
)

HEAD = """\
name = "small"
title = "a small collection"
targets = ["sim:atmega2560"]
"""
FOLDERS = """
[[folders]]
match = ["{submission}/crypto_aead/{scheme}/{implementation}", "more/crypto_aead/*/*"]

[[folders.exclude]]
match = ["*/avx2"]
reason = "of x86"
"""
TABLE = """
[[tables]]
kind = "aead"
columns = { "variant" = "scheme", "enc" = "encrypt-message cycles mean" }
"""


def folders_with(line: str) -> str:
    """The same folders with another line."""
    return FOLDERS.replace("[[folders]]\n", f"[[folders]]\n{line}\n")


def read(folder: Path, text: str):
    """The collection of a file with this text."""
    path = folder / "small.toml"
    path.write_text(text)
    return read_collection(str(path))[0]


def line_of(text: str, part: str) -> int:
    """Number of the line that contains the part."""
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("name", sorted(p.stem for p in (catalog_dir() / "collections").iterdir()))
def test_collections_that_come_with_motebench_are_whole(name):
    collection, _ = read_collection(name)
    assert collection.name == name
    assert (collection.commit is None) == (name == "supercop")  # which is an archive
    assert all(
        target in collection.targets for table in collection.tables for target in table.published
    )


@pytest.mark.parametrize(
    "wrong, part, valid",
    [
        ('colour = "red"\n' + HEAD + FOLDERS, "colour", "title"),
        (HEAD.replace("small", "Big Name", 1) + FOLDERS, "name", "small letters"),
        (HEAD + 'commit = "cc2c"\nrepository = "https://x.example/y"' + FOLDERS, "commit", "40"),
        (HEAD + 'repository = "git@x.example:y"' + FOLDERS, "repository", "https://"),
        (HEAD + FOLDERS.replace("{scheme}", "{sceme}"), "match", "{scheme}"),
        (HEAD + FOLDERS.replace("more/", "../more/"), "match", "relative"),
        (HEAD + FOLDERS.replace("more/crypto_aead/*/*", "more/**/ref"), "match", "part"),
        (HEAD + FOLDERS.replace("more/crypto_aead/*/*", "more/**x/ref"), "match", "part"),
        (
            HEAD + FOLDERS.replace("more/crypto_aead/*/*", "more/{scheme}{submission}"),
            "match",
            "ea",
        ),
        (HEAD + FOLDERS.replace("more/crypto_aead/*/*", "a/{scheme}/{scheme}"), "match", "once"),
        (HEAD + FOLDERS.replace("more/crypto_aead/*/*", "."), "match", "relative"),
        (HEAD + FOLDERS.replace("more/crypto_aead/*/*", "./more/*"), "match", "relative"),
        (HEAD + FOLDERS.replace("more/crypto_aead/*/*", "more//*/"), "match", "relative"),
        (HEAD + folders_with('variants = ["O9"]'), "variants", "O3"),
        (HEAD + folders_with('variants = ["O2+"]'), "variants", "clang"),
        (HEAD + folders_with('variants = ["O2", "O2"]'), "variants", "once"),
        (HEAD.replace('"sim:atmega2560"', "") + FOLDERS, "targets", "at least 1 entry"),
        (HEAD + FOLDERS + TABLE.replace('"encrypt', '"{encrypt'), "columns", "brace alone"),
        (HEAD + FOLDERS + TABLE.replace('"enc"', '"e{size}:{size}"'), "columns", "once"),
        (HEAD + FOLDERS.replace('reason = "of x86"\n', ""), "reason", ""),
        (HEAD + FOLDERS + TABLE.replace('"aead"', '"aeda"'), "kind", "aead"),
        (HEAD + FOLDERS + TABLE.replace("cycles mean", "cycels"), "columns", "cycles"),
        (HEAD + FOLDERS + TABLE.replace("cycles mean", "cycles us"), "columns", "mean"),
        (HEAD + FOLDERS + TABLE.replace("encrypt-message", "encrypt-mesage"), "columns", "OPERAT"),
        (HEAD + FOLDERS + TABLE.replace('"variant" = "scheme", ', ""), "tables", "scheme"),
    ],
)
def test_mistakes_are_named_with_file_key_and_line(tmp_path, wrong, part, valid):
    with pytest.raises(InputError) as refused:
        read(tmp_path, wrong)
    message = str(refused.value)
    assert f"{tmp_path / 'small.toml'}:" in message
    assert part in message
    assert valid in message


def test_the_line_of_a_mistake_is_its_own(tmp_path):
    text = HEAD + FOLDERS + TABLE.replace("cycles mean", "cycels")
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    assert f"small.toml:{line_of(text, 'columns')}: tables[0].columns" in str(refused.value)
    assert "did you mean 'cycles'" in str(refused.value)


def test_a_repository_needs_its_commit(tmp_path):
    with pytest.raises(InputError, match="belong together"):
        read(tmp_path, HEAD + 'repository = "https://x.example/y"' + FOLDERS)


def test_an_unknown_name_is_answered_with_those_that_come_along():
    with pytest.raises(InputError) as refused:
        read_collection("pqm5")
    assert "pqm3, pqm4" in str(refused.value)


def test_cells_name_an_operation_a_metric_a_statistic_and_a_unit():
    cell = cell_field("encrypt-message time max us")
    assert (cell.operation, cell.metric, cell.statistic) == (
        Operation.ENCRYPT_MESSAGE,
        "time",
        "max",
    )
    assert cell.scale == 1000
    assert cell_field("* flash_net").operation is None
    assert cell_field("keygen hash_share %").scale == 0.01
    with pytest.raises(ValueError, match="%"):
        cell_field("keygen cycles %")


def folder(root: Path, path: str) -> None:
    """A folder with a file."""
    (root / path).mkdir(parents=True)
    (root / path / "api.h").write_text("")


def test_folders_have_the_names_that_the_pattern_gives_them(tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "ascon/crypto_aead/ascon128/ref")
    folder(tree, "more/crypto_aead/gimli/avx2")
    (tree / "ascon" / "crypto_aead" / "ascon128" / "README").write_text("no folder")
    collection = read(tmp_path, HEAD + FOLDERS)
    found = folders_of(collection, tree, ())
    assert [(found.path, dict(found.names), found.excluded) for found in found] == [
        (
            "ascon/crypto_aead/ascon128/ref",
            {"submission": "ascon", "scheme": "ascon128", "implementation": "ref"},
            "",
        ),
        (
            "more/crypto_aead/gimli/avx2",
            {"submission": "more", "scheme": "gimli", "implementation": "avx2"},
            "of x86",
        ),
    ]


def test_folders_without_files_and_links_that_lead_nowhere_are_folders_too(tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "own/crypto_aead/gimli/ref")
    (tree / "own/crypto_aead/gimli/empty").mkdir()
    (tree / "own/crypto_aead/gimli/gone").symlink_to("../nowhere")
    (tree / "own/crypto_aead/gimli/loop").symlink_to("loop")
    (tree / "own/crypto_aead/gimli/file").symlink_to("ref/api.h")
    found = folders_of(read(tmp_path, HEAD + FOLDERS), tree, ())
    names = [one.names["implementation"] for one in found]
    assert names == ["empty", "gone", "loop", "ref"]


def test_a_folder_without_api_h_stands_for_the_folders_below_that_have_one(tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "own/crypto_aead/gimli/author/ref")
    folder(tree, "own/crypto_aead/gimli/author/arm/small")
    folder(tree, "own/crypto_aead/ascon/author/ref")
    folder(tree, "own/crypto_aead/gimli/plain")
    folder(tree, "own/crypto_aead/gimli/plain/tests")
    collection = read(tmp_path, HEAD + FOLDERS)
    assert [found.label for found in folders_of(collection, tree, ())] == [
        "ascon/author/ref",
        "gimli/author/arm/small",
        "gimli/author/ref",
        "gimli/plain",
    ]
    (one,) = folders_of(collection, tree, ("gimli/author/ref",))
    assert one.path == "own/crypto_aead/gimli/author/ref"


def test_an_empty_folder_does_not_hide_the_same_folder_with_files(tmp_path):
    tree = tmp_path / "tree"
    (tree / "own/crypto_aead/gimli/ref").mkdir(parents=True)
    folder(tree, "more/crypto_aead/gimli/ref")
    (found,) = folders_of(read(tmp_path, HEAD + FOLDERS), tree, ())
    assert found.path == "more/crypto_aead/gimli/ref"


def test_of_trees_inside_each_other_the_first_pattern_counts(tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "own/crypto_aead/gimli/ref")
    folder(tree, "more/own/crypto_aead/gimli/ref")
    folders = FOLDERS.replace("more/crypto_aead/*/*", "more/*/crypto_aead/*/*")
    (found,) = folders_of(read(tmp_path, HEAD + folders), tree, ())
    assert found.path == "own/crypto_aead/gimli/ref"


def test_only_chooses_by_scheme_and_implementation_or_by_path(tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "a/crypto_aead/gimli/ref")
    folder(tree, "b/crypto_aead/ascon/ref")
    collection = read(tmp_path, HEAD + FOLDERS)
    assert [found.label for found in folders_of(collection, tree, ("gimli/*",))] == ["gimli/ref"]
    assert [found.label for found in folders_of(collection, tree, ("b/*",))] == ["ascon/ref"]
    with pytest.raises(InputError, match="matches nothing"):
        folders_of(collection, tree, ("nothing",))
    with pytest.raises(InputError, match=r"matches gimli/rev\n"):
        folders_of(collection, tree, ("gimli/rev", "ascon/*"))


def test_a_tree_without_such_folders_is_refused(tmp_path):
    with pytest.raises(InputError, match="no folder matches small"):
        folders_of(read(tmp_path, HEAD + FOLDERS), tmp_path, ())


def test_a_folder_whose_compiler_an_interruption_ended_is_left(monkeypatch, tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "own/crypto_aead/gimli/one")
    folder(tree, "own/crypto_aead/gimli/two")

    def ended(self, targets):
        self.interrupt.end()
        self.refused |= dict.fromkeys(targets, FolderCause("build", "the compiler was killed"))

    monkeypatch.setattr("motebench.measuring.collection._Folder._ask", ended)
    request = CollectionRequest(read(tmp_path, HEAD + FOLDERS), tree, jobs=2)
    collected = collect(tmp_path / "motebench.db", request, lambda *told: None, None)
    assert collected.left == 2
    assert {cause.kind for outcome in collected.outcomes for cause in outcome.causes} <= {"lost"}


def test_the_cause_of_a_refused_folder_says_what_is_valid(tmp_path):
    tree = tmp_path / "tree"
    folder(tree, "own/crypto_aead/gimli/large")
    place = tree / "own/crypto_aead/gimli/large"
    (place / "api.h").write_text(
        "#define CRYPTO_KEYBYTES 5000\n#define CRYPTO_NPUBBYTES 16\n#define CRYPTO_ABYTES 16\n"
    )
    (place / "encrypt.c").write_text("int crypto_aead_encrypt(void);\n")
    request = CollectionRequest(read(tmp_path, HEAD + FOLDERS), tree, jobs=1)
    (outcome,) = collect(tmp_path / "motebench.db", request, lambda *told: None, None).outcomes
    assert outcome.causes[0].message.endswith("CRYPTO_KEYBYTES is 5000; valid: up to 1024")
