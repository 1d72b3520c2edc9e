"""Radios other than LoRaWAN: times of public specifications, edges of frames, energy, and the text
that names them.
"""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import motebench
from motebench.advise.radio.links import KINDS, LinkRequest, radio_link
from motebench.advise.radio.packets import packet_us
from motebench.base.errors import InputError
from motebench.catalog.devices import DEVICES, usual_radio
from motebench.catalog.radios import RADIOS
from motebench.cli.app import app

TEXTS = (
    "ble:1m",
    "ble:2m,dle=27,mtu=23",
    "ble:s8,mic,interval=4s",
    "thread",
    "thread:header=40",
    "zigbee",
    "lora:SF9BW125,band=eu868",
    "lora:SF7BW250,cr=4/8,implicit,nocrc,header=9",
    "fsk:50kbps,preamble=4,sync=2",
    "nbiot",
    "ltem",
    "wifi:dtim10",
)


def of(text: str, **changes: object):
    return radio_link(text, LinkRequest(**changes))  # type: ignore[arg-type]


def ask(*words: str):
    return CliRunner().invoke(app, words)


# Bluetooth Core 5.4, volume 6, part B: 2.1 and 2.2, and 4.5.10, whose shortest and longest times of
# a data packet are 328 and 2120 us (1M), 2704 and 17040 us (coded); payloads with a MIC of 4.
@pytest.mark.parametrize(
    ("phy", "payload", "microseconds"),
    [
        ("1m", 0, 80),
        ("1m", 37, 376),
        ("1m", 27 + 4, 328),
        ("1m", 251 + 4, 2120),
        ("2m", 251 + 4, 1064),
        ("s8", 27 + 4, 2704),
        ("s8", 251 + 4, 17040),
        ("s2", 251 + 4, 4542),
    ],
)
def test_packets_of_ble_last_as_long_as_its_specification_says(phy, payload, microseconds):
    assert packet_us(phy, payload) == microseconds


def test_an_advertisement_is_sent_on_three_channels_and_carries_27_bytes_behind_its_company():
    sent = of("ble:1m,adv").send(27)
    assert (sent.frames, round(sent.seconds * 1e6)) == (1, 3 * 376)
    assert not of("ble:1m,adv").send(28).fits


def test_a_notification_has_seven_bytes_of_headers_and_each_packet_its_own_poll():
    link = of("ble:1m,dle=27")
    assert link.longest == 20  # 27 without 4 of L2CAP and 3 of ATT (volume 3, parts A and F)
    assert [link.send(length).frames for length in (0, 20, 21, 47, 48)] == [1, 1, 2, 2, 3]
    one, three = link.send(20), link.send(48)
    assert three.parts[1].seconds == pytest.approx(3 * one.parts[1].seconds)


def test_a_longer_connection_interval_draws_less_between_messages():
    (often,), (rarely,) = of("ble:1m,interval=1s").idle(), of("ble:1m,interval=4s").idle()
    assert often.amps.typical == pytest.approx(4 * rarely.amps.typical)
    assert of("ble:1m,adv").idle() == ()


# IEEE 802.15.4-2020: 127 bytes and 6 around them at 250 kbit/s are 4.256 ms; 127 without 11 are the
# MAC's payload. Zigbee with network security: at most 82 bytes of application in a frame.
@pytest.mark.parametrize(("text", "longest"), [("802154", 116), ("thread", 88), ("zigbee", 82)])
def test_a_full_frame_of_802154_lasts_4256_microseconds(text, longest):
    link = of(text)
    assert link.longest == longest
    sent = link.send(longest)
    assert (sent.frames, sent.air_bytes) == (1, 133)
    assert sent.seconds == pytest.approx(4.256e-3, rel=1e-9)


def test_6lowpan_fragments_end_at_multiples_of_eight_bytes():
    # RFC 4944, 5.3: 106 bytes of room; the first fragment has 4 + 18 of headers and 80 of payload,
    # the others 5 of header and 96.
    link = of("thread")
    assert [link.send(length).frames for length in (88, 89, 176, 177, 272, 273)] == [
        1,
        2,
        2,
        3,
        3,
        4,
    ]
    assert link.edge(89) == 176


def test_aps_splits_zigbee_messages_with_two_more_bytes_in_each_frame():
    link = of("zigbee")
    assert [link.send(length).frames for length in (82, 83, 160, 161)] == [1, 2, 2, 3]


# Semtech's calculator (SX1276, explicit header, CRC, 4/5, 8 symbols): 20 bytes at SF9/125 kHz last
# 185.344 ms. FSK: 5 of preamble, 3 of sync word, length and CRC of 2 around 20 bytes at 50 kbit/s.
@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("lora:SF9BW125", 185.344),
        ("fsk:50kbps", 31 * 8 / 50),
        ("fsk:100kbps,preamble=4,sync=2", 29 * 8 / 100),
    ],
)
def test_plain_lora_and_fsk_have_no_bytes_but_those_that_are_named(text, milliseconds):
    assert of(text).send(20).seconds * 1000 == pytest.approx(milliseconds)


def test_a_header_of_the_users_own_protocol_counts_in_every_packet():
    assert of("lora:SF9BW125,header=9").send(11).seconds == of("lora:SF9BW125").send(20).seconds
    assert of("lora:SF9BW125,header=9").longest == 246


def test_the_duty_cycle_of_a_named_band_limits_plain_lora():
    link = of("lora:SF9BW125,band=eu868")
    (pace,) = link.paces(link.send(20))
    assert pace.seconds == pytest.approx(0.185344 / 0.01)
    (wide,) = of("lora:SF9BW125,band=eu868/869.4-869.65").paces(link.send(20))
    assert wide.seconds == pytest.approx(0.185344 / 0.1)
    assert "add band=" in " ".join(of("lora:SF9BW125").notes())


def test_a_modem_has_the_published_energy_and_pays_for_further_bytes():
    link = of("nbiot")
    (part,) = link.send(200).parts
    figure = RADIOS.find("nrf9160").messages[0]
    assert part.energy_j.typical == pytest.approx(figure.joules.typical)
    assert part.energy_j.low == pytest.approx(figure.joules.minimum)
    longer = link.send(300).parts[0].energy_j.typical - part.energy_j.typical
    assert longer == pytest.approx(100 * figure.joules_per_byte.typical)
    assert link.send(20).parts[0].energy_j == link.send(200).parts[0].energy_j


@given(st.sampled_from(TEXTS), st.integers(0, 2000))
def test_more_bytes_never_cost_less_and_bounds_enclose_them(text, length):
    link = of(text, fragment=True)
    short, long = link.send(length), link.send(length + 1)
    assert short.frames <= long.frames
    assert short.seconds <= long.seconds * (1 + 1e-12)
    for part in long.parts:
        assert part.energy_j.low <= part.energy_j.typical <= part.energy_j.high
    assert sum(p.energy_j.typical for p in short.parts) <= sum(
        p.energy_j.typical for p in long.parts
    ) * (1 + 1e-12)
    edge = link.edge(length)
    if edge is not None:
        assert length <= edge
        assert link.send(edge).frames == short.frames < link.send(edge + 1).frames


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("ble:3m", "unknown setting '3m' of ble"),
        ("ble:2m,adv", "legacy advertising is 1M, not 2m"),
        ("ble:1m,dle=300", "dle=300 is not possible"),
        ("ble:1m,interval=1ms", "a connection event each 0.001 s is not possible"),
        ("lora", "lora needs spreading factor and bandwidth"),
        ("lora:SF9BW126", "has no bandwidth of 126 kHz"),
        ("lora:SF9BW125,cr=5/6", "unknown coding rate '5/6'"),
        ("lora:SF9BW125,band=eu868/1-2", "has no sub-band '1-2'"),
        ("fsk:9Mbps", "fsk needs its bit rate"),
        ("fsk:900kbps", "is not possible"),
        ("thread:header=x", "header=x is not possible"),
        ("wifi:dtim7", "unknown setting 'dtim7' of wifi"),
        ("sigfox", "unknown radio 'sigfox'"),
        ("", "unknown radio ''"),
    ],
)
def test_text_that_names_no_radio_says_what_is_valid(text, wrong):
    error = ask("airtime", "--link", text, "--app-payload", "20").exception
    assert isinstance(error, InputError)
    assert wrong in error.what


def test_the_radio_on_the_chip_is_meant_only_for_what_it_can_do():
    nrf52840 = DEVICES.find("nrf52840")
    assert usual_radio(nrf52840, "ble") == usual_radio(nrf52840, "ieee802154") == "nrf52840"
    assert usual_radio(nrf52840, "lora") == "sx1276"
    assert usual_radio(DEVICES.find("stm32wle5"), "fsk") == "stm32wle5"
    with pytest.raises(InputError, match="has no ble"):
        of("ble:1m", radio="sx1276")


def test_airtime_says_frames_edge_and_energy_of_any_radio():
    answer = ask("airtime", "--link", "thread", "--app-payload", "89", "--json")
    document = json.loads(answer.stdout)
    link = document["link"]
    assert (link["frames"], link["longest_frame_payload_bytes"]) == (2, 88)
    assert link["same_frames_up_to_bytes"] == 176
    assert link["energy_j"]["low"] <= link["energy_j"]["typical"] <= link["energy_j"]["high"]
    text = ask("airtime", "--link", "thread", "--app-payload", "89").stdout
    assert "89 bytes in 2 frames" in text
    assert "176 bytes take as many frames, 177 do not" in text


def test_a_cipher_adds_its_bytes_to_a_message_of_any_radio():
    words = ("--link", "zigbee", "--app-payload", "60", "--scheme", "aes-128-ccm", "--json")
    document = json.loads(ask("airtime", *words).stdout)
    assert document["payload_bytes"] == 60 + 12 + 16
    assert document["link"]["frames"] == 2
    assert document["message"]["added_ms"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_choose_answers_for_every_radio(kind):
    settings = {"lora": ":SF9BW125,band=eu868", "fsk": ":50kbps"}.get(kind, "")
    choice = motebench.choose(
        "nrf52840", 24, every="30min", link=f"{kind}{settings}", battery="ls14500"
    )
    assert choice.chosen is not None
    question = choice.document()["question"]
    assert question["link"]
    assert question["lorawan"] is None


def test_choose_says_the_frames_that_a_protection_adds():
    answer = ask("choose", "--device", "nrf52840", "--message", "20", "--link", "ble:1m,dle=27")
    assert re.search(r"3 frames\s+instead of 1, one\s+takes 20 B", answer.stdout)
    answer = ask("choose", "--device", "nrf52840", "--message", "20", "--link", "thread")
    assert re.search(r"one\s+frame\s+up\s+to\s+88\s+B", answer.stdout)


def test_a_battery_feeds_the_connection_that_is_kept():
    words = (
        "battery",
        "--battery",
        "cr2032",
        "--every",
        "1h",
        "--device",
        "nrf52840",
        "--message",
        "20",
    )
    often, rarely = (
        json.loads(ask(*words, "--link", f"ble:1m,interval={interval}", "--json").stdout)
        for interval in ("100ms", "4s")
    )
    assert often["life_years"]["typical"] < rarely["life_years"]["typical"]
    assert often["link"] == "BLE 1M, packets of 251 B"


def test_lorawan_and_another_radio_exclude_each_other():
    both = ("--lorawan", "EU868", "--dr", "3", "--link", "thread")
    error = ask("choose", "--device", "nrf52840", "--message", "20", *both).exception
    assert isinstance(error, InputError)
    assert "mutually exclusive" in error.what


def test_a_handshake_goes_over_any_radio():
    words = ("protocol", "edhoc-suite2-static-dh", "--device", "nrf52840", "--json")
    thread, modem = (
        json.loads(ask(*words, "--link", link).stdout)["protocols"][0]
        for link in ("thread", "nbiot")
    )
    assert thread["air"]["frames"] >= 3
    assert thread["air"]["windows_s"] == 0
    assert modem["energy_j"]["transmit"]["typical"] > thread["energy_j"]["transmit"]["typical"]
