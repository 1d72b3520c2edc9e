"""One question for a connection: credentials, handshakes, and secrets that outlive the service."""

from __future__ import annotations

import datetime
import json

import pytest
from click.testing import CliRunner

from motebench.advise.choice.connection import ConnectionRequest, connect
from motebench.advise.radio.links import LinkRequest, radio_link
from motebench.base.errors import InputError
from motebench.catalog.devices import DEVICES
from motebench.catalog.parts import BATTERIES
from motebench.catalog.policies import connections
from motebench.cli.app import app

NRF52840 = DEVICES.find("nrf52840")
DAY, MONTH = 86400.0, 30 * 86400.0
ASKED = ("choose", "--device", "nrf52840", "--need", "connection", "--message", "40")


def answer(**changes: object):
    plain = {
        "device": NRF52840,
        "message_bytes": 40,
        "every_s": 1800.0,
        "handshake_every_s": MONTH,
        "link": radio_link("thread", LinkRequest(device=NRF52840)),
        "battery": BATTERIES.find("cr2032"),
    }
    return connect(ConnectionRequest(**{**plain, **changes}))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def usual():
    return answer()


def by_id(entry):
    return {way.id: way for way in entry.ways}


def test_a_year_is_the_sum_of_its_handshakes_and_messages(usual):
    year = 365.25 * DAY
    assert len(usual.ways) == 16
    for way in usual.ways:
        handshakes, messages = year / MONTH, year / 1800
        total = way.handshake_bytes * handshakes + way.message_bytes * messages
        assert way.bytes_a_year == pytest.approx(total, rel=1e-3)
        joules = way.handshake_j.typical * handshakes + way.message_j.typical * messages
        assert way.energy_a_year_j.typical == pytest.approx(joules, rel=1e-3)


# draft-ietf-cose-cbor-encoded-cert: the same certificate has 314 bytes as X.509 and 142 as C509.
# Two of them are sent in a handshake, and nothing else differs but the heads of their lengths.
def test_c509_saves_its_difference_in_both_certificates(usual):
    ways = by_id(usual)
    saved = ways["dtls13-ecdsa:x509"].handshake_bytes - ways["dtls13-ecdsa:c509"].handshake_bytes
    assert saved == 2 * (314 - 142)


# draft-ietf-iotops-security-protocol-comparison, 2.6: EDHOC with static keys named by kid sends 37,
# 45 and 19 bytes; with signatures 37, 102 and 77.
@pytest.mark.parametrize(
    ("way", "length"), [("edhoc-static-dh:rpk", 37 + 45 + 19), ("edhoc-signatures:rpk", 216)]
)
def test_handshakes_of_edhoc_have_their_published_length(usual, way, length):
    assert by_id(usual)[way].handshake_bytes == length


def test_rare_handshakes_leave_the_life_equal_and_frequent_ones_decide_it(usual):
    lives = [way.life_years.typical for way in usual.ways]
    assert max(lives) < 1.01 * min(lives)
    often = answer(handshake_every_s=1800.0)
    shares = [way.handshake_share for way in often.ways]
    assert min(shares) > 0.5
    assert by_id(often)["dtls13-ecdsa:x509"].life_years.typical < 0.9 * max(
        way.life_years.typical for way in often.ways
    )


def test_a_secret_that_must_last_needs_a_shared_key_or_a_post_quantum_agreement():
    entry = answer(secret_until=datetime.date(2045, 12, 31))
    keeping = [way for way in entry.ways if not way.broken]
    assert keeping
    without_shared_key = [way for way in keeping if way.credentials != "psk"]
    assert {way.agreement for way in without_shared_key} == {"x25519mlkem768"}
    # ECDSA may authenticate: nobody forges yesterday's signature.
    assert any(way.authentication == "ecdsa-p256-sha256" for way in keeping)
    assert any("quantum computer" in line for line in entry.decision.decides)


def test_a_long_service_needs_other_signatures_but_not_another_key_agreement():
    entry = answer(until=datetime.date(2045, 12, 31))
    keeping = {way.id for way in entry.ways if not way.broken}
    assert "dtls13-psk-ecdhe:psk" in keeping
    assert "dtls13-hybrid-mldsa:x509" in keeping
    assert "dtls13-ecdsa:x509" not in keeping


def test_ways_without_forward_secrecy_come_after_the_others(usual):
    for complete in (True, False):
        keeping = [
            way.forward_secret for way in usual.ways if not way.broken and way.complete is complete
        ]
        assert keeping == sorted(keeping, reverse=True)
    assert usual.chosen is not None
    alone = answer(credentials=("psk",))
    assert alone.chosen == "dtls13-psk-ecdhe:psk"


def test_nothing_is_chosen_where_every_way_breaks_a_limit_and_the_ways_out_were_tried():
    entry = answer(credentials=("rpk",), policy="bsi", until=datetime.date(2045, 12, 31))
    assert entry.chosen is None
    assert entry.decision.verdict == "none"
    assert entry.decision.decides
    assert {way.words for way in entry.decision.alternatives} <= {
        "--credentials psk,rpk,x509,c509",
        "without --until",
        "--policy current",
    }


def test_every_credential_of_the_policy_has_its_words_and_checks():
    file = connections()
    names = {kind.id for kind in file.credentials}
    assert {name for way in file.ways for name in way.credentials} == names
    assert all(kind.checks for kind in file.credentials)


def test_the_command_says_first_which_to_take_and_why():
    words = (
        "--every",
        "30min",
        "--link",
        "thread",
        "--battery",
        "cr2032",
        "--handshake",
        "1/month",
    )
    text = CliRunner().invoke(app, [*ASKED, *words]).stdout
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert "take     DTLS 1.3 with a pre-shared key and ECDHE" in text
    document = json.loads(CliRunner().invoke(app, [*ASKED, *words, "--json"]).stdout)
    assert document["question"]["handshake_every_s"] == MONTH
    assert document["chosen"] == document["ways"][0]["id"]
    details = CliRunner().invoke(app, [*ASKED, *words, "--details"]).stdout
    assert "dtls13-ecdsa:c509" in details


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--every", "1h", "--credentials", "pks"), "unknown credentials 'pks'"),
        (("--every", "1h", "--handshake", "1min"), "handshakes are more frequent than messages"),
        (("--every", "1h", "--rank", "flash"), "--rank has no meaning with --need connection"),
        ((), "--every must be given"),
        (("--every", "1h", "--secret-until", "2001"), "2001 is over"),
    ],
)
def test_what_no_connection_has_is_refused(words, wrong):
    error = CliRunner().invoke(app, [*ASKED, *words]).exception
    assert isinstance(error, InputError)
    assert wrong in error.what


def test_options_of_a_connection_need_that_question():
    words = ("choose", "--device", "nrf52840", "--message", "40", "--secret-until", "2045")
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, InputError)
    assert error.where == "--secret-until"


# ML-KEM does not fit the 2 KiB of RAM: what lacks it costs little, as nothing of it is counted.
def test_an_operation_without_a_result_is_no_reason_to_be_first():
    entry = answer(device=DEVICES.find("atmega328p"), link=None, battery=None)
    complete = [way.complete for way in entry.ways if not way.broken]
    assert complete == sorted(complete, reverse=True)
    assert by_id(entry)[entry.chosen].complete
    assert not by_id(entry)["dtls13-psk-hybrid:psk"].complete
