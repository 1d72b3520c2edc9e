"""Settings of a simulated board, and their syntax."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.catalog.devices import devices
from motebench.targets.registry import open_target
from motebench.targets.settings import BoardSettings, changed, parse

SAMD21 = devices()["samd21g18a"]


@pytest.mark.parametrize(
    ("name", "settings", "arguments"),
    [
        ("sim:samd21g18a", BoardSettings(), ["--wait-states", "1"]),
        ("sim:samd21g18a+wait-states=0", BoardSettings(wait_states=0), ["--wait-states", "0"]),
        (
            "sim:samd21g18a+no-cache",
            BoardSettings(no_cache=True),
            ["--wait-states", "1", "--no-cache"],
        ),
        (
            "sim:samd21g18a+wait-states=0+no-cache",
            BoardSettings(0, True),
            ["--wait-states", "0", "--no-cache"],
        ),
    ],
)
def test_a_name_says_the_settings_and_they_make_the_name(name, settings, arguments):
    assert parse(name) == (SAMD21, settings)
    assert settings.name(SAMD21) == name
    assert settings.arguments(SAMD21) == arguments
    assert open_target(name).name == name


@pytest.mark.parametrize("core", ["cortex-m3-nows", "cortex-m4-nows"])
def test_ram_can_be_far_where_boards_with_that_core_have_such_ram(core):
    name, device = f"sim:{core}+far-ram", devices()[core]
    assert parse(name) == (device, BoardSettings(far_ram=True))
    assert BoardSettings(far_ram=True).name(device) == open_target(name).name == name
    assert BoardSettings(far_ram=True).arguments(device) == ["--far-ram"]
    assert BoardSettings().arguments(device) == []


def test_far_ram_is_refused_elsewhere_with_the_boards_that_have_it():
    with pytest.raises(InputError, match="sim:nrf52840 has no far RAM") as caught:
        open_target("sim:nrf52840+far-ram")
    assert caught.value.valid == "sim:cortex-m3-nows, sim:cortex-m4-nows"


def test_a_board_with_large_ram_is_the_device_with_more_of_it():
    name, device = "sim:cortex-m4-nows+far-ram+large-ram", devices()["cortex-m4-nows"]
    settings = BoardSettings(far_ram=True, large_ram=True)
    assert parse(name) == (device.model_copy(update={"ram_bytes": 1 << 20}), settings)
    assert settings.name(device) == open_target(name).name == name
    assert settings.arguments(device) == ["--far-ram", "--large-ram"]
    with pytest.raises(InputError, match="sim:cortex-m3-nows has no large RAM") as caught:
        open_target("sim:cortex-m3-nows+large-ram")
    assert caught.value.valid == "sim:cortex-m4-nows"


def test_what_a_device_has_anyway_is_not_part_of_the_name():
    assert parse("sim:samd21g18a+wait-states=1") == (SAMD21, BoardSettings())
    assert open_target("sim:samd21g18a+wait-states=1").name == "sim:samd21g18a"


def test_options_change_names():
    names = ("sim:samd21g18a", "sim:samd21g18a+no-cache")
    assert changed(names, 0, False) == (
        "sim:samd21g18a+wait-states=0",
        "sim:samd21g18a+wait-states=0+no-cache",
    )
    assert changed(names, 1, True) == ("sim:samd21g18a+no-cache",) * 2
    assert changed(("host", *names), None, False) == ("host", *names)


@pytest.mark.parametrize("name", ["host", "sim:atmega2560", "sim:cortex-m0-nows", "sim:nobody"])
@pytest.mark.parametrize(
    ("asked", "option"), [((0, False), "--wait-states"), ((None, True), "--no-cache")]
)
def test_where_there_is_no_such_flash_it_says_where_there_is(name, asked, option):
    with pytest.raises(InputError) as caught:
        changed([name], *asked)
    assert caught.value.where == option
    assert "sim:samd21g18a" in (caught.value.valid or "").split(", ")
    assert ("sim:rp2040-xip" in (caught.value.valid or "")) == (option == "--no-cache")
    assert name in caught.value.what


@pytest.mark.parametrize("word", ["wait-states=5", "wait-states=", "cache", "", "no-cache "])
def test_unknown_settings_name_those_there_are(word):
    with pytest.raises(InputError) as caught:
        open_target(f"sim:samd21g18a+{word}", where="--target")
    assert caught.value.where == "--target"
    assert "wait-states=0" in (caught.value.valid or "")


def test_settings_of_a_device_that_has_none_are_refused():
    with pytest.raises(InputError, match="has no setting for cache"):
        open_target("sim:atmega2560+no-cache")
