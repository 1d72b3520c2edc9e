"""Pinned sources: manifests, hashes, lists of repositories, tables in flash. No network."""

from __future__ import annotations

import hashlib
import io
import tarfile

import pytest

from motebench.base.errors import InputError
from motebench.targets.firmware import sources
from motebench.targets.setup.vendor import source
from motebench.targets.setup.vendor import source as fetch
from motebench.targets.setup.vendor.source import FetchError, with_sources

MANIFEST = """\
name = "toy"
library = "Toy"
version = "1.0"
licence = "MIT"
url = "https://example.org/"
registry = "debian"
package = "toy"
release = "bookworm"
file = "toy_1.0.orig.tar.gz"
sha256 = "{sha256}"
includes = ["inc"]

[implementation.plain]
sources = [
    "src/*.c",
]
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A library in an archive of its own, and its manifest."""
    monkeypatch.setattr(source, "data_root", lambda: tmp_path)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        text = b"static const unsigned char S[2] = {1, 2};\n"
        entry = tarfile.TarInfo("toy-1.0/src/toy.c")
        entry.size = len(text)
        file.addfile(entry, io.BytesIO(text))
    content = archive.getvalue()
    path = tmp_path / "core" / "vendor" / "toy" / "source.toml"
    path.parent.mkdir(parents=True)
    path.write_text(MANIFEST.format(sha256=hashlib.sha256(content).hexdigest()))
    downloads = tmp_path / "build" / "vendor" / "downloads"
    downloads.mkdir(parents=True)
    return source.read_source(path), downloads, content


def test_every_manifest_is_read_and_names_its_folder():
    assert {"bearssl"} <= set(source.sources())
    for found in source.sources().values():
        for name, implementation in found.implementation.items():
            assert sources.wrapper(found, implementation.like or name).is_file()


def test_file_with_the_right_hash_is_unpacked_without_a_network(toy):
    found, downloads, content = toy
    (downloads / found.file).write_bytes(content)
    assert not found.fetched
    assert fetch.fetch(found) is True
    assert found.fetched
    assert [path.name for path in found.files(found.implementation["plain"])] == ["toy.c"]
    (downloads / found.file).unlink()
    assert fetch.fetch(found) is False


def test_other_hash_is_refused_and_names_both(toy, monkeypatch):
    found, downloads, _ = toy
    monkeypatch.setattr(fetch, "_from_debian", lambda _, path: path.write_bytes(b"not it"))
    with pytest.raises(FetchError) as caught:
        fetch.fetch(found)
    assert hashlib.sha256(b"not it").hexdigest() in str(caught.value)
    assert found.sha256 in str(caught.value)
    assert not (downloads / found.file).exists()
    assert not found.fetched


def test_damaged_file_is_fetched_anew(toy, monkeypatch):
    found, downloads, content = toy
    (downloads / found.file).write_bytes(content[:-1])
    monkeypatch.setattr(fetch, "_from_debian", lambda _, path: path.write_bytes(content))
    fetch.fetch(found)
    assert found.fetched


def test_other_pin_makes_what_is_unpacked_count_no_more(toy):
    found, downloads, content = toy
    (downloads / found.file).write_bytes(content)
    fetch.fetch(found)
    assert not found.model_copy(update={"sha256": "0" * 64}).fetched


def test_pattern_that_finds_no_file_is_an_error(toy):
    found, downloads, content = toy
    (downloads / found.file).write_bytes(content)
    fetch.fetch(found)
    with pytest.raises(InputError, match=r"has no src/\*\.asm"):
        found.files(source.PinnedImplementation(sources=("src/*.asm",)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('registry = "debian"', 'registry = "ftp"'), "registry"),
        (('sha256 = "', 'sha256 = "x'), "sha256"),
        (('name = "toy"', 'name = "other"'), "name differs from the name of the folder"),
        (
            ("[implementation.plain]", '[implementation.plain]\nlike = "nobody"'),
            "unknown implementation 'nobody'",
        ),
    ],
)
def test_wrong_manifest_is_refused(toy, change, words):
    path = source.vendor_dir() / "toy" / "source.toml"
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(InputError, match=words):
        source.read_source(path)


def test_sources_for_boards_only_have_no_probe_and_are_listed_by_another(toy, monkeypatch):
    path = source.vendor_dir() / "toy" / "source.toml"
    path.write_text(
        path.read_text().replace(
            "[implementation.plain]", '[implementation.plain]\nlisted_by = "mote/p256"'
        )
    )
    library = source.read_source(path)
    entry = library.implementation["plain"]
    monkeypatch.setattr(sources, "implementations", lambda: {"toy/plain": (library, entry)})
    assert not entry.has_probe
    assert sources.offers_of("toy/plain") == "mote/p256"
    assert sources.offers_of("toy/other") == "toy/other"


def test_implementation_that_lists_the_schemes_of_another_has_a_probe_and_the_same_offers():
    listed = [
        entry
        for library in source.sources().values()
        for entry in library.implementation.values()
        if entry.listed_by
    ]
    assert listed
    for entry in listed:
        library, _, name = entry.listed_by.partition("/")
        lister = source.sources()[library].implementation[name]
        assert lister.has_probe and lister.offers == entry.offers


def test_repositories_of_the_machine_become_those_of_sources():
    stanza = (
        "Types: deb\nURIs: http://mirror.example/debian\nSuites: trixie "
        "trixie-updates\nComponents: main\n"
    )
    made = with_sources(stanza, ".sources", "bookworm")
    assert made.count("Types: deb-src") == 2 and "Types: deb\n" not in made
    assert "Suites: trixie trixie-updates" in made and "Suites: bookworm" in made
    assert (
        with_sources(stanza.replace("trixie", "bookworm"), ".sources", "bookworm").count("Types:")
        == 1
    )


def test_repositories_in_lines_become_those_of_sources():
    lines = (
        "# deb x\ndeb [signed-by=/k] http://mirror.example/debian trixie main\ndeb-src "
        "http://mirror.example a b\n"
    )
    assert with_sources(lines, ".list", "bookworm").splitlines() == [
        "deb-src [signed-by=/k] http://mirror.example/debian trixie main",
        "deb-src [signed-by=/k] http://mirror.example/debian bookworm main",
    ]
    assert "bookworm" not in with_sources(lines, ".list", None)


def test_tables_are_declared_in_flash_and_used_as_before():
    text = (
        "static const uint8_t S[4];\nextern const unsigned char T[];\nconst uint32_t\nS[2][2] = "
        "{{S[1]}};\nx = S[0];\n"
    )
    assert source.in_flash(text, ["S", "T"], "here") == (
        "static const uint8_t MOTE_FLASH S[4];\nextern const unsigned char MOTE_FLASH T[];\n"
        "const uint32_t\nMOTE_FLASH S[2][2] = {{S[1]}};\nx = S[0];\n"
    )


def test_table_that_is_gone_is_an_error():
    with pytest.raises(InputError, match="'RCON'"):
        source.in_flash("static const int SBOX[4];", ["RCON"], "here")


def test_sources_are_unpacked_by_a_python_without_filters_too(toy, monkeypatch):
    pinned, downloads, content = toy
    (downloads / pinned.file).write_bytes(content)
    whole = tarfile.TarFile.extractall
    monkeypatch.delattr(tarfile, "data_filter")
    # As Python 3.11.2
    monkeypatch.setattr(tarfile.TarFile, "extractall", lambda self, path: whole(self, path))
    assert fetch.fetch(pinned) and (pinned.folder / "src" / "toy.c").is_file()
