"""Protocols as files: lengths against RFC traces and drafts, field by field, and what is said of
wrong files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.catalog.protocolfile import bstr, der, evaluate
from motebench.catalog.protocols import PROTOCOLS, every, exchange, find, size_of


def lengths(name: str, **settings: int | str) -> dict[str, int]:
    named = find(name)
    return exchange(named.protocol, {**named.settings, **settings}).lengths()


def test_edhoc_with_static_keys_has_the_lengths_of_the_trace():
    # RFC 9529, 3: message_1 (second time) 39, with SUITES_I = [6, 2]; message_2 45, message_3 19,
    # message_4 9.
    assert lengths("edhoc-suite2-static-dh", suites_i=3, message_4=1) == {
        "message_1": 39,
        "message_2": 45,
        "message_3": 19,
        "message_4": 9,
    }


def test_edhoc_with_signatures_has_the_lengths_of_the_trace():
    # RFC 9529, 2: C_R is h'18', so 2 bytes; certificates by x5t.
    found = lengths("edhoc-suite0-signatures", credentials="x5t", c_r=2)
    assert found == {"message_1": 37, "message_2": 116, "message_3": 90}


@pytest.mark.parametrize(
    ("method", "credentials", "total"),
    [("3", "kid", 101), ("3", "x5t", 128), ("0", "kid", 216), ("0", "x5t", 242)],
)
def test_edhoc_in_total(method: str, credentials: str, total: int):
    # RFC 9528, section 1.2.
    assert sum(lengths("edhoc", method=method, credentials=credentials).values()) == total


def test_edhoc_over_coap_adds_what_the_draft_counts():
    # draft-ietf-iotops-security-protocol-comparison, section 1.1: 12, 5 and 12 bytes.
    found = exchange(find("edhoc").protocol, {"carrier": "coap"})
    assert [each.carried_bytes - each.bytes for each in found.messages] == [12, 5, 12]


def test_tls_has_the_lengths_of_rfc_8448():
    # RFC 8448, 3: records of 201, 95 + 679 and 58 bytes; messages of 196, 90, 40, 445, 136 and 36.
    settings = {
        "signature": "rsa-1024",
        "suite": "aes-128-gcm",
        "mutual": 0,
        "certificate": 432,
        "cipher_suites": 3,
        "groups": 9,
        "signature_schemes": 15,
        "server_name": 6,
        "offers_psk_modes": 1,
        "client_extensions": 15,
        "server_extensions": 30,
    }
    named = find("tls13-certificates")
    found = exchange(named.protocol, {**named.settings, **settings})
    assert found.lengths() == {"flight_1": 201, "flight_2": 95 + 679, "flight_3": 58}
    values = found.values
    assert [values[name] for name in ("client_hello", "server_hello", "encrypted_extensions")] == [
        196,
        90,
        40,
    ]
    assert [
        values[name] for name in ("server_certificate", "server_verify", "server_finished")
    ] == [445, 136, 36]


@pytest.mark.parametrize(
    ("name", "group", "signature", "flights"),
    [
        # Figures 1 to 3 of the draft. Of raw keys flight 2 is 2 bytes shorter: see `reason` in the
        # file.
        ("dtls13-raw-keys", "secp256r1", "ecdsa-p256", (185, 454 - 2, 255)),
        ("dtls13-psk-ecdhe", "secp256r1", "ecdsa-p256", (219, 226, 56)),
        ("dtls13-psk", "secp256r1", "ecdsa-p256", (136, 153, 56)),
        ("tls13-raw-keys", "secp256r1", "ecdsa-p256", (162, 394 - 2, 233)),
        ("tls13-raw-keys", "x25519", "ed25519", (129, 307 - 2, 179)),
        ("tls13-psk-ecdhe", "x25519", "ed25519", (163, 157, 50)),
        ("tls13-psk", "x25519", "ed25519", (113, 117, 50)),
    ],
)
def test_tls_and_dtls_have_the_lengths_of_the_draft(
    name: str, group: str, signature: str, flights: tuple[int, ...]
):
    found = lengths(name, group=group, signature=signature, psk_identity=1)
    assert (found["flight_1"], found["flight_2"], found["flight_3"]) == flights


def test_a_hybrid_group_adds_its_keys():
    # draft-ietf-tls-ecdhe-mlkem: shares of 1184 + 32 and 1088 + 32 bytes in place of 32.
    plain, hybrid = lengths("tls13-raw-keys"), lengths("tls13-raw-keys", group="x25519mlkem768")
    assert hybrid["flight_1"] - plain["flight_1"] == 1184
    assert hybrid["flight_2"] - plain["flight_2"] == 1088


def test_the_device_of_static_diffie_hellman_agrees_three_times():
    named = find("edhoc-suite2-static-dh")
    work = exchange(named.protocol, named.settings).operations
    assert sum(each.count for each in work if each.operation == "agree") == 3
    signing = find("edhoc-suite2-signatures")
    work = exchange(signing.protocol, signing.settings).operations
    assert {each.operation.value: each.count for each in work if each.scheme.startswith("ecd")} == {
        "keygen": 1,
        "agree": 1,
        "sign": 1,
        "verify": 1,
    }


def test_every_field_says_where_it_stands():
    assert len(PROTOCOLS.all()) >= 7
    for protocol in PROTOCOLS.all().values():
        assert exchange(protocol).messages, protocol.id
        for message in exchange(protocol).messages:
            assert message.parts, (protocol.id, message.name)
            assert all(part.source.document for part in message.parts), (protocol.id, message.name)
            assert sum(part.bytes for part in message.parts) == message.carried_bytes


def test_every_protocol_is_compared_with_something_published():
    assert len(PROTOCOLS.all()) >= 7
    for protocol in PROTOCOLS.all().values():
        assert protocol.published, protocol.id
        assert not any(
            part.unverified for message in protocol.messages for part in message.fields
        ), protocol.id


def test_names_are_unique_and_found_in_any_case():
    assert find("EDHOC-Suite0").settings == {"suite": "0", "method": "3"}
    names = [*every()]
    assert len(set(names)) == len(names)
    with pytest.raises(InputError) as caught:
        find("edhoc-suite9")
    assert "did you mean" in str(caught.value)


def test_settings_are_checked():
    protocol = find("edhoc").protocol
    for settings, words in (
        ({"c_q": 1}, "edhoc has no setting 'c_q'"),
        ({"c_i": 0}, "c_i=0 is not possible"),
        ({"c_i": "x"}, "c_i=x is not possible"),
        ({"suite": "9"}, "suite=9 is not possible"),
    ):
        with pytest.raises(InputError) as caught:
            exchange(protocol, settings)
        assert words in str(caught.value)


def test_lengths_of_encodings():
    assert [bstr(length) for length in (0, 23, 24, 255, 256)] == [1, 24, 26, 257, 259]
    # A P-256 key as SubjectPublicKeyInfo has 91 bytes (RFC 5480), an Ed25519 one 44 (RFC 8410).
    assert der(der(19) + der(1 + 65)) == 91
    assert der(der(5) + der(1 + 32)) == 44
    assert der(der(11) + der(1 + size_of("ml-dsa-44", "public"))) == 1334


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')",
        "a.b.c",
        "1.5",
        "[1]",
        "lambda: 1",
        "2 ** 9",
        "True",
        "cbor(1, 2)",
        "1 // 0",
        "(",
    ],
)
def test_expressions_are_arithmetic_and_nothing_else(expression: str):
    with pytest.raises(InputError):
        evaluate(expression, lambda name: 1, size_of)


FILE = """id = "mine"
name = "Mine"
purpose = "message"
summary = "One message."
roles = { device = "client", peer = "server" }

[[specifications]]
title = "Mine"
identifier = "RFC 1"

[[parameters]]
name = "payload"
default = 4
maximum = 100
statement = "bytes"

[values]
inner = "payload + 1"

[[messages]]
name = "one"
sender = "device"
source = { document = "RFC 1" }
fields = [
  { name = "head", bytes = 2 },
  { name = "body", bytes = "inner" },
]

[[operations]]
statement = "tag"
scheme = "hmac-sha256"
operation = "mac"
bytes = "payload"
"""


def read(folder: Path, text: str) -> None:
    path = folder / "mine.toml"
    path.write_text(text)
    PROTOCOLS.read(path)


def test_a_file_of_one_s_own(tmp_path: Path):
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "mine.toml").write_text(FILE)
    assert exchange(find("mine", tmp_path).protocol, {"payload": 9}).lengths() == {"one": 12}


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ('"inner" }', '"iner" }', 26, "unknown name 'iner'"),
        ('"payload + 1"', '"inner + 1"', 18, "this value needs itself: inner -> inner"),
        ('"payload + 1"', '"payload - 9"', 26, "this gives -5"),
        ('"hmac-sha256"', '"hmac-sha265"', 31, "unknown scheme 'hmac-sha265'"),
        ('"hmac-sha256"', '"{suite.mac}"', 31, "no choice has the scheme {suite.mac}"),
        ('"mac"', '"mack"', 32, "'mack' is not a possible value"),
        ("bytes = 2 }", "byte = 2 }", 25, "unknown key 'byte'"),
        ("bytes = 2 }", "bytes = 4294967296 }", 24, "are too many for a message of a device"),
        (
            '"payload + 1"',
            '"size(\\"x25519\\", \\"signature\\")"',
            18,
            "the catalog has no size 'signature' of x25519",
        ),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(
    tmp_path: Path, before: str, after: str, line: int, words: str
):
    assert before in FILE
    with pytest.raises(InputError) as caught:
        read(tmp_path, FILE.replace(before, after))
    assert words in str(caught.value)
    assert f"mine.toml:{line}" in str(caught.value)


def test_a_wrong_field_shows_against_the_published_length(tmp_path: Path):
    text = FILE + '\n[[published]]\nbytes = { one = 8 }\nsource = { document = "a trace" }\n'
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert "one has 7 bytes by its fields and 8 by a trace" in str(caught.value)


def test_a_changed_field_of_a_file_that_comes_with_motebench_is_refused(tmp_path: Path):
    text = (catalog_dir() / "protocols" / "edhoc.toml").read_text()
    wrong = text.replace('{ name = "METHOD", bytes = 1', '{ name = "METHOD", bytes = 2')
    assert wrong != text
    path = tmp_path / "edhoc.toml"
    path.write_text(wrong)
    with pytest.raises(InputError, match="message_1 has 40 bytes by its fields and 39 by RFC 9529"):
        PROTOCOLS.read(path)


def test_lorawan_has_the_lengths_of_its_frames():
    # A join-request of 23 bytes, a join-accept of 33 or 17; MHDR 1 + FHDR 7 + FPort 1 + MIC 4
    # around a payload.
    assert lengths("lorawan-join") == {"join-request": 23, "join-accept": 33}
    assert lengths("lorawan-join", cf_list=0)["join-accept"] == 17
    assert len(bytes.fromhex("00DC0000D07ED5B3701E6FEDF57CEEAF0085CC587FE913")) == 23
    assert lengths("lorawan-data", payload=24) == {"uplink": 13 + 24}


def test_the_cmac_of_a_join_request_takes_three_calls_of_aes():
    # RFC 4493: 19 bytes are two blocks, and the subkey is one more call.
    work = {
        each.statement: each.count for each in exchange(find("lorawan-join").protocol).operations
    }
    assert work["MIC of the join-request: CMAC"] == 3


def test_oscore_has_the_lengths_of_its_test_vectors():
    # RFC 8613, C.4 and C.5: the protected requests themselves.
    vectors = (
        ("44025d1f00003974396c6f63616c686f7374620914ff612f1092f1776f1c1668b3825e", 0),
        ("440271c30000b932396c6f63616c686f737463091400ff4ed339a5a379b0b8bc731fffb0", 1),
    )
    for vector, kid in vectors:
        found = lengths(
            "oscore", payload=0, token=4, outer_options=10, inner_options=4, partial_iv=1, kid=kid
        )
        assert found == {"request": len(bytes.fromhex(vector))}


def test_records_of_data_add_what_the_draft_counts():
    assert lengths("dtls13-record", payload=6, coap=0) == {"record": 6 + 11}
    assert lengths("tls13-record", payload=6, coap=0) == {"record": 6 + 14}


def test_suit_envelopes_have_the_lengths_of_the_examples():
    # draft-ietf-suit-manifest, appendix B: examples 0 and 1, 237 and 272 bytes.
    assert lengths("suit-ecdsa")["envelope"] == 237
    assert lengths("suit-ecdsa", uri=27, invoke=0)["envelope"] == 272
    # 1456 bytes of HSS in place of 64, with a longer length in three heads and one byte more of the
    # algorithm.
    assert lengths("suit-lms")["envelope"] == 237 + (1456 - 64) + 1 + 1 + 1 + 1


def test_the_file_of_the_page_is_a_protocol(tmp_path: Path):
    page = (catalog_dir().parent / "docs" / "reference" / "protocols.md").read_text()
    text = page.partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "mine.toml").write_text(text)
    protocol = PROTOCOLS.read(tmp_path / "mine.toml")
    assert exchange(protocol, {"mac": "long"}).lengths() == {"reading": 4 + 12 + 32}


def test_carriers_add_their_headers():
    # RFC 768: 8 bytes; RFC 8200: 40; TCP 20 (RFC 9293, 3.1). CoAP adds 12 to message_1 of EDHOC.
    def added(name: str, **settings: int | str) -> int:
        named = find(name)
        first = exchange(named.protocol, {**named.settings, **settings}).messages[0]
        return first.carried_bytes - first.bytes

    assert added("edhoc-suite0", carrier="coap-udp-ipv6") == 12 + 48
    assert added("edhoc-suite0", carrier="coap-compressed") == 12 + 6
    assert added("dtls13-psk", carrier="transport") == 8
    assert added("dtls13-psk", carrier="transport-ipv6") == 48
    assert added("tls13-psk", carrier="transport-ipv6") == 60
    assert added("oscore", carrier="compressed", compressed=3) == 3


def test_a_protocol_is_described_by_the_name_of_its_profile():
    from click.testing import CliRunner

    from motebench.cli.app import app

    answer = CliRunner().invoke(app, ["describe", "edhoc-suite0"])
    assert answer.exit_code == 0 and "RFC 9528" in answer.output
    listed = CliRunner().invoke(app, ["list", "protocols", "dtls13-*"])
    assert (
        listed.exit_code == 0
        and "dtls13-raw-keys" in listed.output
        and "edhoc" not in listed.output
    )
