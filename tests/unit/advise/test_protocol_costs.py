"""Costs of protocols against arithmetic that is written out here."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from motebench.advise.choice.candidate import Point, SchemeOffer
from motebench.advise.choice.modelled import part_of
from motebench.advise.protocol.protocol_costs import ProtocolQuestion, costs
from motebench.advise.protocol.steps import DeviceResults, compute_time, fly
from motebench.advise.radio.lorawan import link
from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.base.quantities import Interval
from motebench.catalog.devices import DEVICES
from motebench.catalog.parts import BATTERIES, ELEMENTS, Battery
from motebench.catalog.protocols import exchange, find
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.cli.app import app
from motebench.documents.choice import ReferenceOrigin
from motebench.documents.costs import ProtocolEntry, ProtocolsEntry

ORIGIN = ReferenceOrigin(
    file="f",
    target="t",
    scheme="s",
    implementation="i",
    operation="o",
    input_bytes=0,
    compiler=None,
    cycles=None,
)


def offer(scheme: str, implementation: str, **milliseconds: float) -> SchemeOffer:
    """Results by operation and size: ``digest_64=2`` is 2 ms."""
    points = {}
    for key, value in milliseconds.items():
        operation, _, size = key.rpartition("_")
        points[operation.replace("_", "-"), int(size)] = Point(
            Interval.exact(value / 1000), {}, ORIGIN
        )
    return SchemeOffer(scheme, implementation, Evidence.SIMULATED, points)


HASH = offer("sha256", "mbedtls/sha256", digest_16=1.0, digest_64=2.0, digest_256=5.0)
AES = offer("aes-128-ecb", "mbedtls/aes", key_setup_0=0.5, encrypt_16=0.25)


def eu868(dr: int = 3):
    return link(RADIOS.find("sx1276"), REGIONS.find("eu868"), dr, power_dbm=13, fragment=True)


def flown(name: str, dr: int = 3):
    named = find(name)
    return fly(exchange(named.protocol, named.settings), eu868(dr))


def test_a_join_takes_ten_calls_of_aes():
    # 3 for the MIC of 19 bytes, 2 to decrypt 32, 3 for the MIC of 29, 2 for the session keys: 10 x
    # 0.25 ms, and the key set-up.
    timed = DeviceResults((AES,)).timed(exchange(find("lorawan-join").protocol).operations)
    assert compute_time(timed) == (Interval.exact(pytest.approx(0.0030)), True)


def test_lorawan_s_own_protection_of_12_bytes():
    # One block of key stream; 16 of B0 + 9 + 12 = 37 bytes are 3 blocks, and the subkey: 5 calls.
    timed = DeviceResults((AES,)).timed(exchange(find("lorawan-data").protocol).operations)
    assert compute_time(timed)[0].typical == pytest.approx(5 * 0.00025)


def test_hmac_comes_from_the_hash_where_nothing_else_is():
    named = find("edhoc-suite0")
    work = [
        one
        for one in exchange(named.protocol, named.settings).operations
        if one.statement == "PRK_2e"
    ]
    (timed,) = DeviceResults((HASH,)).timed(work)
    # HMAC over 32 bytes under a set key: a digest of 32 bytes for the message, another one of the
    # inner digest. 32 bytes are one block with their padding, as 16 are: 1 ms.
    assert timed.seconds is not None
    assert timed.seconds.typical == pytest.approx(2 / 1000)
    assert timed.note == "from results of the hash function"


def test_an_operation_without_a_result_is_said_and_not_zero():
    named = find("edhoc-suite0")
    timed = DeviceResults((HASH,)).timed(exchange(named.protocol, named.settings).operations)
    lacking = [one for one in timed if one.seconds is None]
    assert {one.work.scheme for one in lacking} == {"x25519", "aes-128-ccm"}
    assert all(one.note == "no result on this device" for one in lacking)
    assert compute_time(timed)[1] is False


def test_implementations_for_products_come_first_and_others_are_offered():
    research = offer("x25519", "mote/x25519", agree_0=100.0)
    mature = offer("x25519", "monocypher/x25519", agree_0=400.0)
    named = find("edhoc-suite0")
    work = [
        one
        for one in exchange(named.protocol, named.settings).operations
        if one.operation == "agree"
    ]
    assert {one.implementation for one in DeviceResults((research, mature)).timed(work)} == {
        "monocypher/x25519"
    }
    (first, *_) = DeviceResults((research,)).timed(work)
    assert first.seconds is None and "--include research" in first.note
    assert DeviceResults((research,), research=True).timed(work)[0].implementation == "mote/x25519"
    chosen = DeviceResults((research, mature), patterns=("mote/*",)).timed(work)
    assert chosen[0].implementation == "mote/x25519"


def test_a_key_of_an_agreement_takes_at_most_an_agreement():
    named = find("edhoc-suite0")
    work = exchange(named.protocol, named.settings).operations
    timed = DeviceResults((offer("x25519", "bearssl/x25519", agree_0=200.0),)).timed(work)
    keygen = next(one for one in timed if one.work.operation == "keygen")
    assert keygen.seconds == Interval(0.0, 0.2, 0.2)


def test_a_join_over_the_air():
    # SF9/125 kHz: a symbol lasts 4.096 ms. 23 bytes up with CRC: 8 + ceil((184 - 36 + 28 + 16) /
    # 36) x 5 = 38 symbols, and 12.25 of preamble: 50.25 x 4.096 = 205.824 ms. 33 bytes down without
    # CRC: 8 + ceil((264 - 36 + 28) / 36) x 5 = 48, 60.25 x 4.096 = 246.784 ms, 5 s after the
    # uplink.
    found = flown("lorawan-join")
    assert [float(each.time_ms) for each in found.carried] == [205.824, 246.784]
    assert found.windows_s == 5.0
    assert found.duty_wait_s == 0.0
    assert found.latency_s == pytest.approx(0.205824 + 5 + 0.246784)


def test_edhoc_waits_for_the_duty_cycle():
    # Uplinks of 37 + 13 and 19 + 13 bytes, a downlink of 45 + 13. 50 bytes: 8 + ceil((400 - 36 +
    # 44) / 36) x 5 = 68, 80.25 x 4.096 = 328.704 ms. 1 % duty cycle: the next uplink begins 32.8704
    # s after this one did.
    found = flown("edhoc-suite2-static-dh")
    up, down, last = (float(each.time_ms) / 1000 for each in found.carried)
    assert up == pytest.approx(0.328704)
    # 58 bytes without CRC: 8 + ceil((464 - 36 + 28) / 36) x 5 = 73; 85.25 x 4.096 = 349.184 ms.
    assert down == pytest.approx(0.349184)
    # 32 bytes with CRC: 8 + ceil((256 - 36 + 44) / 36) x 5 = 48; 246.784 ms.
    assert last == pytest.approx(0.246784)
    assert found.duty_wait_s == pytest.approx(0.328704 / 0.01 - (0.328704 + 1 + 0.349184))
    assert found.latency_s == pytest.approx(32.8704 + 0.246784)
    assert (found.frames, found.empty_uplinks) == (3, 0)


def test_each_further_downlink_frame_needs_an_uplink():
    # DR0 takes 51 bytes in a frame. message_2 of 102 bytes goes out in fragments of 50 bytes with a
    # header of 1 each and a check of 4 in the last: 50 + 50 + 6, so 3 frames, of which the first
    # answers message_1.
    found = flown("edhoc-suite2-signatures", dr=0)
    by_name = {each.message.name: each.frames for each in found.carried}
    assert by_name["message_2"] == (51 + 13, 51 + 13, 7 + 13)
    # message_3 has 77 bytes: 50 + 31 with the check.
    assert by_name["message_3"] == (51 + 13, 32 + 13)
    assert found.empty_uplinks == 2
    assert found.frames == 1 + 3 + 2 + 2


def test_an_update_needs_an_uplink_for_each_of_its_frames():
    found = flown("suit-ecdsa", dr=3)
    downlinks = sum(len(each.frames) for each in found.carried)
    assert found.empty_uplinks == downlinks
    # 34,768 bytes: 114 a frame beside the header of a fragment, of 115; 4 bytes of check.
    assert len(found.carried[1].frames) == -(-(34768 + 4) // 114)


def ask(*names: str, battery: Battery | None = None, baseline: bool = True) -> ProtocolsEntry:
    device = DEVICES.find("samd21g18a")
    named = [find(name) for name in names]
    return costs(
        ProtocolQuestion(named, {}, device, eu868(), 30 * 86400.0, battery, baseline=baseline)
    )


def one(found: ProtocolsEntry, name: str) -> ProtocolEntry:
    return next(each for each in found.protocols if each.id == name)


def test_baselines_stand_beside_what_they_are_the_baseline_of():
    assert [each.id for each in ask("edhoc-suite0").protocols] == ["edhoc-suite0", "lorawan-join"]
    assert [each.id for each in ask("oscore").protocols] == ["oscore", "lorawan-data"]
    assert [each.id for each in ask("oscore", baseline=False).protocols] == ["oscore"]
    assert [each.id for each in ask("lorawan-data").protocols] == ["lorawan-data"]


def test_energy_of_a_join_by_hand():
    # 13 dBm of an SX1276 at 3.3 V for 205.824 ms; receiving for 246.784 ms.
    radio = RADIOS.find("sx1276")
    sending = next(draw for draw in radio.transmitting if draw.power_dbm == 13)
    found = one(ask("lorawan-join"), "lorawan-join")
    assert found.energy_j["transmit"].typical == pytest.approx(
        sending.typical * sending.voltage * 0.205824
    )
    receiving = next(draw for draw in radio.currents if draw.state == "receive")
    assert found.energy_j["receive"].typical == pytest.approx(
        receiving.typical * receiving.voltage * 0.246784
    )


def test_what_a_year_costs():
    found = one(ask("lorawan-join", battery=BATTERIES.find("cr2032")), "lorawan-join")
    assert found.repeated is not None
    assert found.repeated.a_year == pytest.approx(365.25 / 30)
    whole = sum(part.typical for part in found.energy_j.values())
    assert found.repeated.energy_a_year_j.typical == pytest.approx(whole * 365.25 / 30)
    assert (
        found.repeated.life_years is not None
        and found.repeated.life_years.low < found.repeated.life_years.high
    )


def test_times_of_the_catalog_s_results_are_used():
    # bearssl or another library has X25519 on the SAMD21; of an operation without results the
    # answer says so.
    found = one(ask("edhoc-suite0"), "edhoc-suite0")
    agreed = [each for each in found.operations if each.operation == "agree"]
    assert all(each.seconds is not None for each in agreed)
    assert not any(str(each.implementation).startswith("mote/") for each in agreed)
    assert found.complete


def test_suite_2_of_edhoc_takes_agreements_on_p256():
    found = one(ask("edhoc-suite2-static-dh"), "edhoc-suite2-static-dh")
    agreed = [each for each in found.operations if each.scheme == "ecdh-p256"]
    assert {each.operation for each in agreed} == {"keygen", "agree"}
    assert {str(each.implementation).partition("/")[0] for each in agreed} == {"mbedtls-3"}
    assert all(each.seconds is not None for each in agreed)
    assert found.complete


def test_settings_go_to_the_protocols_that_have_them():
    question = ProtocolQuestion([find("oscore"), find("dtls13-record")], {"payload": 30, "kid": 2})
    found = costs(question)
    assert [dict(each.settings)["payload"] for each in found.protocols] == [30, 30]
    with pytest.raises(InputError, match="no setting is called 'pay'"):
        costs(ProtocolQuestion([find("oscore")], {"pay": 1}))


def test_the_command_prints_fields_with_their_sources():
    answer = CliRunner().invoke(app, ["protocol", "edhoc-suite2-static-dh", "--fields"])
    assert answer.exit_code == 0, answer.output
    assert "message_2, from the peer, 45 B" in answer.output
    assert "head of Signature_or_MAC_2" in answer.output
    assert "RFC 9528, 5.3.2" in answer.output


def test_the_command_compares():
    words = [
        "protocol",
        "edhoc-suite0,dtls13-raw-keys",
        "--device",
        "samd21g18a",
        "--lorawan",
        "EU868",
        "--dr",
        "3",
    ]
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert "lorawan-join *" in answer.output
    assert "* what a LoRaWAN device does anyway" in answer.output


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["edhoc-suit0"], "unknown protocol 'edhoc-suit0'"),
        ([","], "no protocol is named"),
        (["edhoc", "--set", "suite"], "'suite' is not a setting"),
        (["edhoc", "--set", "suite=77"], "suite=77 is not possible"),
        (["edhoc", "--dr", "3"], "this option needs --lorawan"),
        (["edhoc", "--lorawan", "EU868"], "--dr must be given"),
        (["edhoc", "--battery", "cr2032"], "a life needs the time between exchanges"),
        (["edhoc", "--include", "research"], "this option needs --device"),
        (
            ["edhoc", "--device", "samd21g18a", "--implementation", "nobody/*"],
            "no results of nobody/*",
        ),
    ],
)
def test_what_the_command_refuses(words: list[str], what: str):
    answer = CliRunner().invoke(app, ["protocol", *words])
    assert isinstance(answer.exception, InputError), answer.output
    assert what in str(answer.exception)


def test_what_a_network_allows_is_compared_with_a_day_of_it():
    # The Things Network: 30 s of uplinks and 10 downlinks a day. An update of 34,768 bytes takes
    # hundreds of downlinks, however seldom it comes.
    link_ = link(
        RADIOS.find("sx1276"), REGIONS.find("eu868"), 3, power_dbm=13, fragment=True, network="ttn"
    )
    found = costs(ProtocolQuestion([find("suit-ecdsa")], {}, link=link_, every_s=365 * 86400.0))
    words = " ".join(found.protocols[0].warnings)
    assert "s of uplinks a day, and" in words and "downlinks a day, and" in words
    rare = costs(ProtocolQuestion([find("edhoc")], {}, link=link_, every_s=365 * 86400.0))
    assert rare.protocols[0].warnings == ()


def test_a_baseline_that_no_frame_can_carry_does_not_refuse_the_question():
    # US915 DR0 takes 11 bytes in a frame, and the baseline of messages has 12.
    link_ = link(RADIOS.find("sx1276"), REGIONS.find("us915"), 0, fragment=True)
    found = costs(ProtocolQuestion([find("oscore")], {}, link=link_))
    assert [each.id for each in found.protocols] == ["oscore"]
    assert any(note.startswith("without lorawan-data: ") for note in found.notes)


def test_documents_fit_their_schema():
    from jsonschema import ValidationError, validate

    from motebench.base.shapes import as_document
    from motebench.documents.__main__ import generate

    wide = as_document(ask("edhoc-suite0", "suit-lms", battery=BATTERIES.find("cr2032")))
    narrow = as_document(costs(ProtocolQuestion([find("oscore")], {})))
    for document in (wide, narrow):
        validate(document, generate("protocol"))
        with pytest.raises(ValidationError, match="'protocols' is a required property"):
            validate(
                {key: value for key, value in document.items() if key != "protocols"},
                generate("protocol"),
            )


def test_the_answer_names_the_traces_of_its_profile_alone():
    found = one(ask("edhoc-suite2-static-dh"), "edhoc-suite2-static-dh")
    assert any(words.startswith("RFC 9529, 3") for words in found.published)
    assert not any(words.startswith("RFC 9529, 2") for words in found.published)


def test_an_engine_of_the_device_computes_what_it_can():
    # The cycles of an STM32WLE5 have bounds, for they are not proven; its AES engine is modelled.
    device = DEVICES.find("stm32wle5")
    found = costs(
        ProtocolQuestion([find("lorawan-join"), find("edhoc-suite0")], {}, device, eu868())
    )
    join, edhoc = found.protocols
    assert {each.implementation for each in join.operations} == {"hardware/aes"}
    assert join.complete and join.compute_s is not None and join.compute_s.typical > 0
    assert "hardware/aes" in {each.implementation for each in edhoc.operations}
    assert any("within bounds" in note for note in found.notes)


def test_a_secure_element_computes_its_operations_and_draws_its_current():
    device, element = DEVICES.find("samd21g18a"), ELEMENTS.find("atecc608b")
    found = one(
        costs(ProtocolQuestion([find("suit-ecdsa")], {}, device, element=element)), "suit-ecdsa"
    )
    checked = next(each for each in found.operations if each.operation == "verify")
    assert checked.implementation == "element/atecc608b"
    assert found.energy_j["element"].typical == pytest.approx(
        part_of(element, element.operations[1:2]).energy_j.typical
    )


def test_a_device_without_any_result_has_no_time_of_0():
    found = costs(
        ProtocolQuestion([find("lorawan-join")], {}, DEVICES.find("raspberry-pi-zero-w"), eu868())
    )
    assert found.protocols[0].compute_s is None and not found.protocols[0].complete
    words = [
        "protocol",
        "lorawan-join",
        "--device",
        "raspberry-pi-zero-w",
        "--lorawan",
        "EU868",
        "--dr",
        "3",
    ]
    answer = CliRunner().invoke(app, words)
    assert "computing     no result" in answer.output


def test_a_setting_may_be_for_one_protocol():
    settings = {"edhoc-suite0:carrier": "coap", "tls13:carrier": "transport", "cid": 2}
    edhoc, dtls = costs(
        ProtocolQuestion([find("edhoc-suite0"), find("dtls13-psk")], settings)
    ).protocols
    assert edhoc.settings["carrier"] == "coap"
    assert (dtls.settings["carrier"], dtls.settings["cid"]) == ("transport", 2)
    with pytest.raises(InputError, match="protocol 'oscore' is not in this comparison"):
        costs(ProtocolQuestion([find("edhoc")], {"oscore:payload": 2}))
    with pytest.raises(InputError, match="edhoc has no setting 'payload'"):
        costs(ProtocolQuestion([find("edhoc")], {"edhoc:payload": 2}))


def test_a_join_in_a_region_whose_downlinks_have_other_data_rates():
    """US915: a frame of DR0 has at most 24 bytes; the join-accept of 33 comes at DR10 (SF10, 500
    kHz).
    """
    named = find("lorawan-join")
    slow = link(RADIOS.find("sx1276"), REGIONS.find("us915"), 0, power_dbm=20, fragment=True)
    request, accept = fly(exchange(named.protocol, named.settings), slow).carried
    assert (request.frames, accept.frames) == ((23,), (33,))
    # 8 + 5 x ceil((8 x 33 - 40 + 28) / 40) = 43 symbols and 12.25 of preamble, of 2^10 / 500 kHz =
    # 2.048 ms.
    assert float(accept.time_ms) == pytest.approx((12.25 + 43) * 2.048)


def test_a_setting_in_bytes_may_have_a_unit():
    suit = find("suit-ecdsa").protocol
    assert (
        exchange(suit, {"image": "100KiB"}).lengths() == exchange(suit, {"image": 102400}).lengths()
    )
    with pytest.raises(InputError, match="image=lots"):
        exchange(suit, {"image": "lots"})


def test_settings_unlike_those_of_published_figures_are_told_with_the_ones_that_compare():
    from click.testing import CliRunner

    from motebench.cli.commands.protocol import command

    def last(*options: str) -> str:
        return CliRunner().invoke(command, options).output.splitlines()[-1]

    line = last("dtls13-psk-ecdhe")
    assert "has group=x25519, psk_identity=8, unlike draft-ietf-iotops" in line
    same = ("--set", "group=secp256r1", "--set", "psk_identity=1")
    assert "unlike" not in last("dtls13-psk-ecdhe", *same)
    assert "--set group=secp256r1 compares" in last("tls13-raw-keys"), (
        "no key has an identity there"
    )
