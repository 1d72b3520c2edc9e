"""An option that a command cannot use is an error that says why."""

from __future__ import annotations

import shlex
from importlib import import_module

import pytest
from click.testing import CliRunner

from motebench.base.errors import InputError

BATTERY = "battery --battery cr2032 --every 10min --device samd21g18a --cycles 1000"
PACKET = "airtime --sf 7 --bw 125 --payload 20"
CHOOSE = "choose --device samd21g18a --message 24"
RUN = "run --dry-run --scheme md5 --implementation mote/md5"


def refused(line: str) -> InputError | None:
    name, *arguments = shlex.split(line)
    module = import_module(f"motebench.cli.commands.{name.replace('list', 'list_')}")
    error = CliRunner().invoke(module.command, arguments, standalone_mode=False).exception
    if error is not None:
        assert isinstance(error, InputError), error
    return error


@pytest.mark.parametrize(
    ("line", "option", "words"),
    [
        (f"{PACKET} --padding pkcs7", "--padding", "needs --scheme"),
        (f"{PACKET} --nonce counter", "--nonce", "needs --scheme"),
        (f"{PACKET} --scheme aes-128-ccm --padding pkcs7", "--padding", "does not pad"),
        (f"{BATTERY} --radio sx1262", "--radio", "needs --lorawan"),
        (f"{BATTERY} --fragment", "--fragment", "needs --lorawan"),
        (f"{BATTERY} --tag 8", "--tag", "needs --lorawan"),
        (f"{BATTERY} --mac hmac-sha256", "--mac", "needs --lorawan"),
        (
            "battery --battery cr2032 --every 1h --sleep-current 5uA --clock 8MHz",
            "--clock",
            "needs",
        ),
        (
            "battery --battery cr2032 --every 1h --sleep-current 5uA --voltage 3V",
            "--voltage",
            "needs --device or --converter",
        ),
        (f"{CHOOSE} --converter tps62740", "--converter", "needs --battery"),
        ("protocol edhoc --clock 8MHz", "--clock", "needs --device"),
        ("protocol edhoc --voltage 3V", "--voltage", "needs --device"),
        ("protocol edhoc --device uno --converter 90%", "--converter", "needs --battery"),
        (
            "energy --time 1ms --current 4mA --voltage 3V --clock 8MHz",
            "--clock",
            "the time is given",
        ),
        ("protocol edhoc-suite0 --every 1d", "--every", "needs --device or --lorawan"),
        (f"{CHOOSE} --sleep-current 1uA", "--sleep-current", "needs --battery"),
        (f"{CHOOSE} --need hash --tag 8", "--tag", "--need hash has none"),
        (f"{CHOOSE} --need hash --nonce counter", "--nonce", "--need hash has none"),
        (f"{CHOOSE} --store x.db", "--store", "needs --results"),
        (f"{CHOOSE} --force", "--force", "needs --report"),
        ("cost x25519 samd21g18a --size 24", "--size", "takes a message"),
        ("export --format csv --force", "--force", "needs --output"),
        ("show --samples", "--samples", "needs --json"),
        ("show --brief --details", "--details", "mutually exclusive"),
        ("firmware --target sim:atmega2560 --output a.elf --size 16", "--size", "needs --alone"),
        (
            "firmware --target sim:atmega2560 --output a.elf --operation digest",
            "--operation",
            "needs --alone",
        ),
        ("compare 1 --paper temirbekova-2024 --margin 1%", "--margin", "no effect with --paper"),
        ("compare 1 --paper temirbekova-2024 --by size", "--by", "no effect with --paper"),
        ("reference show --sample 3", "--sample", "no effect on show"),
        ("reference show --workers 3", "--workers", "no effect on show"),
        ("reference update --scheme md5", "--scheme", "no effect on update"),
        ("reference check --seed 5", "--seed", "needs --sample"),
        ("replicate temirbekova-2024 --dry-run --force", "--force", "needs --output"),
        ("coverage --format csv --json", "--format", "mutually exclusive"),
        (f"{RUN} --cache warm", "--cache", "none is measured"),
        (f"{RUN} --no-sync", "--sync", "none is measured"),
        (f"{RUN} --target sim:atmega2560 --precision 1%", "--precision", "are all equal"),
        (f"{RUN} --target sim:atmega2560 --cpu 0", "--cpu", "do not depend on the core"),
        (f"{RUN} --target emu:aarch64 --no-pin", "--no-pin", "do not depend on the core"),
        ("run --dry-run --scheme x25519 --size 16", "--size", "takes an input of a chosen size"),
        ("list runs --available", "--available", "no effect on runs"),
    ],
)
def test_an_option_without_effect_is_refused_by_its_name(
    line: str, option: str, words: str
) -> None:
    error = refused(line)
    assert error is not None and error.where == option
    assert words in error.what


@pytest.mark.parametrize(
    "line",
    [
        f"{PACKET} --scheme aes-128-cbc --padding pkcs7 --nonce counter",
        "energy --time 1ms --device samd21g18a --clock 8MHz",
        "protocol edhoc-suite0 --device samd21g18a --every 1d",
        "cost ed25519 samd21g18a --size 64",
        "reference show --target sim:atmega4809 --scheme md5",
    ],
)
def test_the_same_options_are_taken_where_they_have_an_effect(line: str) -> None:
    assert refused(line) is None


def test_a_value_that_a_file_or_variable_gives_is_no_option_of_this_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MOTEBENCH_STORE", "somewhere.db")
    assert refused(CHOOSE) is None
