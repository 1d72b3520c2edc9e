"""The page of a choice: rows of its pictures, and a file that asks nobody for anything."""

from __future__ import annotations

import html
import json
import re

import pytest
from choice_fixtures import ask, keep, message, own_place

from motebench.advise.reference import table
from motebench.base.errors import InputError

SENSOR = (
    "--device samd21g18a --message 24 --every 10min --battery ls14500 --lorawan EU868 --dr 3 "
    "--nonce counter"
)


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)
    entries = [
        *message("aes-128-ccm", "mote/aes-ct", 48_000, flash=24_000, flash_net=4_000),
        *message("aes-128-ccm", "mote/aes-fast", 20_000, flash=29_000, flash_net=9_000),
        *message("ascon-aead128", "mote/ascon", 15_000, flash=23_000, flash_net=3_000),
        *message("3des-eax", "mote/des", 90_000, flash=25_000, flash_net=5_000),
    ]
    keep("sim:samd21g18a", entries)
    keep("sim:atmega2560", entries[:16])
    yield
    table.references.cache_clear()


def page(tmp_path, line):
    path = tmp_path / "choice.html"
    document = ask(line, "--report", str(path)).document
    text = path.read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]
    return document, text, json.loads(data)["rows"]


def test_rows_of_the_pictures(tmp_path):
    document, _, rows = page(tmp_path, SENSOR)
    assert list(rows) == ["split", "life-by-size", "life-by-rate", "pareto", "heat"]
    first = document["candidates"][0]
    parts = {
        row["part"]: row["v"] for row in rows["split"] if first["implementation"] in row["label"]
    }
    assert parts == {name: figure["typical"] for name, figure in first["energy"].items()}
    here = [row for row in rows["life-by-size"] if row["x"] == 24 and row["band"]]
    assert [(row["lo"], row["v"], row["hi"]) for row in here] == [
        tuple(first["life"][k] for k in ("low", "typical", "high"))
    ]
    lives = [row["v"] for row in rows["life-by-rate"] if row["band"]]
    assert lives == sorted(lives, reverse=True)
    kinds = {row["label"]: row["part"] for row in rows["pareto"]}
    assert (
        kinds["3des-eax · mote/des"] == "rejected"
        and kinds["ascon-aead128 · mote/ascon"] == "on the front"
    )


def test_the_heat_map_has_the_fastest_implementation_on_every_device(tmp_path):
    _, _, rows = page(tmp_path, SENSOR)
    by = {
        (row["device"], row["scheme"]): dict(map(tuple, row["tips"]))["by"] for row in rows["heat"]
    }
    assert by["samd21g18a", "aes-128-ccm"] == by["atmega2560", "aes-128-ccm"] == "mote/aes-fast"
    assert ("atmega328p", "aes-128-ccm") in by and ("atmega2560", "ascon-aead128") not in by


def test_without_a_battery_there_is_no_life(tmp_path):
    _, _, rows = page(tmp_path, "--device samd21g18a --message 24")
    assert list(rows) == ["split", "pareto", "heat"]


def test_the_page_loads_nothing_and_says_everything(tmp_path):
    document, text, _ = page(tmp_path, SENSOR)
    assert "default-src 'none'" in html.unescape(text[:3000])
    assert not re.search(r'(?:src|href)="(?!#)[^"]*"', text.split("<script", 1)[0])
    for entry in document["candidates"]:
        assert entry["implementation"] in text
    assert "Three-key TDEA" in text


def test_nothing_left_has_a_page_too(tmp_path):
    path = tmp_path / "none.html"
    found = ask(f"{SENSOR} --max-latency 1us", "--report", str(path))
    assert found.code == 9
    assert "Nothing: no candidate keeps all limits" in path.read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError) as caught:
        ask(SENSOR, "--report", str(tmp_path / "no" / "choice.html"))
    assert "no folder" in caught.value.what
