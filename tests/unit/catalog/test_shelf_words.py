"""Names on a shelf without reading its entries whole: the same as of the entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.catalog.parts import KINDS, shelf
from motebench.catalog.protocols import PROTOCOLS, every


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_the_ids_and_aliases_of_all_entries(kind: str) -> None:
    entries = shelf(kind).all()
    assert shelf(kind).words() == {*entries, *(alias for entry in entries.values() for alias in entry.aliases)}


def test_profiles_of_protocols_are_words_too() -> None:
    assert PROTOCOLS.words(of="profiles") == set(every())
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
