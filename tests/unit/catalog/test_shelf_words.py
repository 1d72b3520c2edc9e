"""Names and single entries of the catalog without reading all of its files: the same as of the
whole.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.catalog import algorithm_of, lookup, named, schemes
from motebench.catalog.devices import DEVICES, devices
from motebench.catalog.parts import KINDS, shelf
from motebench.catalog.proof import device_of
from motebench.catalog.protocols import PROTOCOLS, every


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_the_ids_and_aliases_of_all_entries(kind: str) -> None:
    entries = shelf(kind).all()
    assert shelf(kind).words() == {
        *entries,
        *(alias for entry in entries.values() for alias in entry.aliases),
    }


def test_profiles_of_protocols_are_words_too() -> None:
    assert PROTOCOLS.words(array="profiles") == set(every())
    assert PROTOCOLS.words() == set(PROTOCOLS.all())


def test_an_own_file_stands_for_the_one_it_replaces(tmp_path: Path) -> None:
    folder = tmp_path / "batteries"
    folder.mkdir()
    (folder / "cr2032.toml").write_text('aliases = ["coin", 3]\nprofiles = [{ id = "x" }, 4]\n')
    (folder / "mine.toml").write_text('aliases = "no list"\n')
    words = shelf("battery").words(tmp_path)
    assert {"cr2032", "coin", "mine"} <= words and "x" not in words
    (folder / "mine.toml").write_text("no toml")
    with pytest.raises(InputError, match=r"mine\.toml"):
        shelf("battery").words(tmp_path)


def test_single_schemes_are_those_of_the_whole_catalog() -> None:
    assert named(["no-such", *schemes(), "no-such"]) == [
        (scheme, algorithm_of(scheme)) for scheme in schemes().values()
    ]


def test_a_device_is_read_from_its_own_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "devices"
    folder.mkdir()
    shipped = lookup.catalog_dir() / "devices" / "nrf52840.toml"
    (folder / "mine.toml").write_text(shipped.read_text().replace('"nrf52840"', '"mine"', 1))
    (folder / "broken.toml").write_text("no toml")
    monkeypatch.setenv("MOTEBENCH_CATALOG", str(tmp_path))
    mine = device_of("sim:mine+clang")
    assert mine is not None and mine.id == "mine"
    assert device_of("sim:nrf52840") == DEVICES.read(shipped)
    assert device_of("host") is None and device_of("sim:no-such") is None
    with pytest.raises(InputError, match=r"broken\.toml"):
        devices()


def test_one_scheme_reads_the_file_of_its_algorithm(monkeypatch: pytest.MonkeyPatch) -> None:
    paths: list[str] = []
    load = toml.load
    monkeypatch.setattr(toml, "load", lambda path: (paths.append(path.name), load(path))[1])
    lookup._algorithm.cache_clear()
    assert [scheme.name for scheme, _ in named(["ml-kem-768", "ed25519"])] == [
        "ml-kem-768",
        "ed25519",
    ]
    assert paths == ["ml-kem.toml", "ed25519.toml"]
