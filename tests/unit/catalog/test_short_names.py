"""Names as people say them: boards, families of ciphers, and what is not here."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.catalog import resolve, schemes
from motebench.catalog.devices import DEVICES, MissingBoards, devices
from motebench.catalog.lookup import meant_by
from motebench.targets.registry import called_target, open_target


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("uno", "atmega328p"),
        ("Pico", "rp2040-xip"),
        ("nano33ble", "nrf52840"),
        ("Nano-33-BLE", "nrf52840"),
        ("wio-e5", "stm32wle5"),
        ("mega", "atmega2560"),
        ("ATmega328P", "atmega328p"),
    ],
)
def test_a_device_is_found_by_the_name_that_people_type(name: str, device: str) -> None:
    assert DEVICES.find(name).id == device


def test_no_short_name_means_two_devices_or_is_the_id_of_another() -> None:
    words = [word for device in devices().values() for word in (device.id, *device.aliases)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("pico", "sim:rp2040-xip"),
        ("sim:uno", "sim:atmega328p"),
        ("samd21g18a+no-cache", "sim:samd21g18a+no-cache"),
        ("host", "host"),
        ("serial:/dev/ttyACM0,uno", "serial:/dev/ttyACM0,uno"),
        ("nothing", "nothing"),
    ],
)
def test_a_target_is_found_by_the_name_of_its_board(name: str, target: str) -> None:
    assert called_target(name) == target


def test_targets_of_a_study_have_their_full_names() -> None:
    assert open_target("uno").name == "sim:atmega328p"


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("ecdsa", "ecdsa-p256-sha256"), ("Kyber-768", "ml-kem-768"), ("ascon", "ascon-aead128")],
)
def test_a_short_name_of_one_scheme_is_that_scheme(name: str, scheme: str) -> None:
    assert resolve(name).name == scheme


@pytest.mark.parametrize(
    ("name", "first"), [("aes", "aes-128-gcm"), ("AES-256", "aes-256-gcm"), ("kyber", "ml-kem-768")]
)
def test_a_short_name_of_several_schemes_lists_them(name: str, first: str) -> None:
    with pytest.raises(InputError, match="stands for several schemes") as raised:
        resolve(name)
    assert (raised.value.valid or "").startswith(first)


def test_every_member_of_a_short_name_is_a_scheme() -> None:
    assert set(meant_by("aes")) <= set(schemes())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bluepill", "name 'stm32f103'"),
        ("black pill", "name 'stm32f407'"),
        ("esp32", "Xtensa"),
    ],
)
def test_a_board_that_is_not_here_is_told_with_what_is_missing(name: str, words: str) -> None:
    for find in (DEVICES.find, open_target):
        with pytest.raises(InputError) as raised:
            find(name)
        assert words in (raised.value.hint or "")


def test_the_nearest_devices_are_there_and_no_device_is_said_to_be_missing() -> None:
    from motebench.base.files import toml
    from motebench.base.paths import catalog_dir

    file = toml.validate(toml.load(catalog_dir() / "policies" / "boards.toml"), MissingBoards)
    assert {each.nearest for each in file.missing if each.nearest} <= set(devices())
    known = {word for device in devices().values() for word in (device.id, *device.aliases)}
    assert not known & {name for each in file.missing for name in each.names}
