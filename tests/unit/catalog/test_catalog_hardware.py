"""Devices, radios, regions and batteries: what ships is right and sourced, and a user's files are
checked.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.base.units import parse_quantity
from motebench.catalog.devices import DEVICES, devices, programmable
from motebench.catalog.parts import BATTERIES
from motebench.catalog.quantities import State
from motebench.catalog.radios import RADIOS, REGIONS, networks
from motebench.catalog.shelf import FOLDERS

SHELVES = (DEVICES, RADIOS, REGIONS, BATTERIES)

PAPERS_DEVICES = {
    "raspberry-pi-3b",
    "raspberry-pi-3b-plus",
    "raspberry-pi-zero-w",
    "beaglebone-black",
    "atmega2560",
    "samd21g18a",
    "pc",
    "atmega328p",
}


def test_the_devices_of_the_papers_are_there():
    assert set(devices()) >= PAPERS_DEVICES
    assert {"atmega2560", "samd21g18a"} <= set(programmable())
    assert not set(programmable()) & {"raspberry-pi-3b", "pc"}


def test_currents_as_the_data_sheets_have_them():
    """Each from the table that the file names."""
    samd21 = next(
        draw for draw in devices()["samd21g18a"].currents if "while(1)" in (draw.mode or "")
    )
    assert (samd21.minimum, samd21.typical, samd21.maximum) == (0.00311, 0.00337, 0.00364)
    mega = devices()["atmega2560"].draws(State.ACTIVE, "chip")
    assert [
        (draw.clock_hz, draw.typical, draw.maximum) for draw in mega if draw.clock_hz == 8_000_000
    ] == [(8_000_000, 0.01, 0.014)]
    (power_down,) = (
        draw for draw in devices()["atmega328p"].currents if draw.mode == "power-down, watchdog on"
    )
    assert (power_down.typical, power_down.maximum) == (4.2e-6, 8e-6)
    assert devices()["raspberry-pi-3b"].draws(State.ACTIVE, "board")[0].typical == 0.85
    assert devices()["raspberry-pi-3b"].draws(State.ACTIVE, "chip") == []
    assert [(draw.power_dbm, draw.typical) for draw in RADIOS.find("sx1276").transmitting] == [
        (7, 0.02),
        (13, 0.029),
        (17, 0.087),
        (20, 0.12),
    ]


def test_every_figure_has_a_source():
    assert sum(len(device.currents) for device in devices().values()) > 50
    assert BATTERIES.all() and networks()
    for device in devices().values():
        assert device.source.document
        assert all(draw.source.document for draw in device.currents)
    for battery in BATTERIES.all().values():
        assert all(
            part.source.document
            for part in (battery.capacity, battery.self_discharge, battery.usable)
        )
    assert all(network.source.document for network in networks())


def test_regions_have_the_sub_band_of_their_default_channels():
    assert REGIONS.find("eu868").default_sub_band.name == "868-868.6"
    assert REGIONS.find("us915").default_sub_band is None


# Own files


@pytest.fixture
def own(tmp_path: Path) -> Path:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
    return tmp_path


def copied(own: Path, folder: str, name: str, new: str, *changes: tuple[str, str]) -> Path:
    text = (
        (catalog_dir() / folder / f"{name}.toml")
        .read_text()
        .replace(f'id = "{name}"', f'id = "{new}"')
    )
    for old, replacement in changes:
        assert old in text
        text = text.replace(old, replacement, 1)
    path = own / folder / f"{new}.toml"
    path.write_text(text)
    return path


def test_own_files_stand_beside_those_that_come_with_it(own):
    copied(own, "batteries", "cr2032", "my-cell", ('typical = "225 mAh"', 'typical = "230 mAh"'))
    assert BATTERIES.find("my-cell", own).capacity.typical == 0.23
    assert set(BATTERIES.all(own)) == {*BATTERIES.all(), "my-cell"}
    with pytest.raises(InputError, match="unknown battery 'my-cell'"):
        BATTERIES.find("my-cell")


def test_an_own_file_takes_the_place_of_one_of_the_same_name(own):
    shutil.copy(catalog_dir() / "batteries" / "cr2032.toml", own / "batteries")
    path = own / "batteries" / "cr2032.toml"
    path.write_text(path.read_text().replace('typical = "225 mAh"', 'typical = "221 mAh"'))
    assert BATTERIES.find("cr2032", own).capacity.typical == 0.221
    assert BATTERIES.find("cr2032").capacity.typical == 0.225


def test_own_files_named_by_the_environment(own, monkeypatch):
    copied(own, "devices", "atmega2560", "my-board")
    monkeypatch.setenv("MOTEBENCH_CATALOG", str(own))
    assert "my-board" in programmable()


@pytest.mark.parametrize("folder", ["missing", "empty"])
def test_a_folder_that_is_no_catalog_is_refused(tmp_path, folder):
    if folder == "empty":
        (tmp_path / folder).mkdir()
    with pytest.raises(InputError) as refused:
        devices(tmp_path / folder)
    assert refused.value.where == "--catalog"
    assert "devices/" in (refused.value.valid or "")


@pytest.mark.parametrize(
    ("shelf", "name", "old", "new", "key", "said"),
    [
        (
            BATTERIES,
            "cr2032",
            'typical = "225 mAh"',
            'typical = "0 mAh"',
            "capacity.typical",
            "greater than 0",
        ),
        (
            BATTERIES,
            "cr2032",
            'typical = "225 mAh"',
            'typical = "225"',
            "capacity.typical",
            "not a capacity",
        ),
        (
            BATTERIES,
            "cr2032",
            'typical = "225 mAh"',
            'typical = "225 mA"',
            "capacity.typical",
            "not a capacity",
        ),
        (
            BATTERIES,
            "cr2032",
            'typical = "225 mAh"',
            'typical = "-5 mAh"',
            "capacity.typical",
            "not a capacity",
        ),
        (
            BATTERIES,
            "cr2032",
            'typical = "225 mAh"',
            'typical = "25 mAh"',
            "capacity",
            "not in this order",
        ),
        (
            BATTERIES,
            "cr2032",
            "typical = 0.01",
            "typical = 1.5",
            "self_discharge.typical",
            "less than or equal to 1",
        ),
        (BATTERIES, "cr2032", "[limit]", "[limits]", "limits", "did you mean 'limit'?"),
        (
            DEVICES,
            "atmega2560",
            'typical = "20 mA"',
            "typical = 20",
            "currents[0].typical",
            "not a current",
        ),
        (
            DEVICES,
            "atmega2560",
            'state = "idle"',
            'state = "idel"',
            "currents[4].state",
            "did you mean 'idle'?",
        ),
        (
            DEVICES,
            "atmega2560",
            'maximum = "22.5 mA"',
            'maximum = "2 mA"',
            "currents[0]",
            "not in this order",
        ),
        (
            DEVICES,
            "atmega2560",
            'nominal = "5 V"',
            'nominal = "5 A"',
            "supply.nominal",
            "not a voltage",
        ),
        (
            RADIOS,
            "sx1276",
            "power_dbm = 7.0\n",
            "",
            "currents[3]",
            "power_dbm is required for the state transmit",
        ),
        (
            RADIOS,
            "sx1276",
            "[6, 7,",
            "[4, 7,",
            "spreading_factors[0]",
            "greater than or equal to 5",
        ),
        (REGIONS, "eu868", "dr = 1\n", "dr = 0\n", "", "two data rates have the same number"),
        (REGIONS, "eu868", "sf = 12\nband", "band", "data_rates[0]", "either sf and bandwidth_khz"),
        (
            REGIONS,
            "eu868",
            "duty_cycle = 0.01",
            "duty_cycle = 1.5",
            "sub_bands[1].duty_cycle",
            "less than or equal to 1",
        ),
        (
            REGIONS,
            "us915",
            "[sources.dwell_time]",
            "[sources.dwell]",
            "sources.dwell",
            "did you mean 'dwell_time'?",
        ),
    ],
)
def test_mistakes_are_reported_with_file_line_and_key(own, shelf, name, old, new, key, said):
    path = copied(own, shelf.folder, name, "mine", (old, new))
    with pytest.raises(InputError) as refused:
        shelf.find("mine", own)
    assert said in str(refused.value)
    where = refused.value.where or ""
    assert where.startswith(f"{path}:")
    assert where.endswith(key)


def test_the_id_is_the_name_of_the_file(own):
    path = copied(own, "batteries", "cr2032", "mine")
    path.rename(path.with_name("other.toml"))
    with pytest.raises(InputError, match="id differs from the name of the file"):
        BATTERIES.all(own)


# Quantities


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("3.37 mA", "A", 0.00337),
        ("0.2uA", "A", 2e-7),
        ("0.2 µA", "A", 2e-7),
        ("160 nA", "A", 1.6e-7),
        ("3.3 V", "V", 3.3),
        ("225 mAh", "Ah", 0.225),
        ("2.6 Ah", "Ah", 2.6),
    ],
)
def test_quantities(text, unit, value):
    assert parse_quantity(text, unit) == value


@pytest.mark.parametrize("text", ["", "3.3", "-1 mA", "3 mah", "3 V", "mA", "1e3 mA", "3 MA"])
def test_what_is_no_current(text):
    with pytest.raises(InputError, match="is not a current"):
        parse_quantity(text, "A")
