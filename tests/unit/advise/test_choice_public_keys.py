"""Signatures, key agreement, KEMs and updates in `motebench choose`; arithmetic by hand, from
made-up results.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest
from choice_fixtures import Reply, ask, keep, operation, own_place
from click.testing import CliRunner

from motebench.advise.reference import table
from motebench.advise.reference.table import ReferenceCase
from motebench.base.errors import InputError
from motebench.cli.commands.choose import command

CLOCK = 48_000_000
"""Hz of the SAMD21G18A in its catalog file."""
MOVES = 1.017
"""The most by which the place of the code moved cycles on it: `code_places` of the same file."""
SIGN, VERIFY, AGREE = 8_400_000, 28_950_000, 9_540_000
BLOCK_256, BLOCK_512 = 11_000, 52_000
"""Made-up cycles of one compression function of SHA-256 and SHA-512."""
SMALL = {
    "stack": 1000,
    "state": 100,
    "static_ram": 700,
    "static_ram_net": 0,
    "flash": 30_000,
    "flash_net": 14_000,
}


def _digest(scheme: str, implementation: str, block: int, cycles: int) -> list[ReferenceCase]:
    """A hash whose time is exactly its blocks: 1 call for 16 B; 64-byte blocks give 2 calls for 64
    B, 65 for 4 KiB.
    """
    calls = {
        size: (size + (16 if block == 128 else 8)) // block + 1
        for size in (16, 64, 256, 1024, 4096)
    }
    return operation(
        "digest", scheme, implementation, {size: n * cycles for size, n in calls.items()}, **SMALL
    )


@pytest.fixture(autouse=True)
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    own_place(tmp_path, monkeypatch)
    keep(
        "sim:samd21g18a",
        [
            *operation("sign", "ed25519", "monocypher/ed25519", {32: SIGN}, **SMALL),
            *operation("verify", "ed25519", "monocypher/ed25519", {32: VERIFY}, **SMALL),
            *operation("sign", "ecdsa-p256-sha256", "bearssl/ecdsa", {32: 24_000_000}, **SMALL),
            *operation("verify", "ecdsa-p256-sha256", "bearssl/ecdsa", {32: 48_000_000}, **SMALL),
            *operation("agree", "x25519", "bearssl/x25519", {0: AGREE}, **SMALL),
            *_digest("sha256", "bearssl/sha256", 64, BLOCK_256),
            *_digest("sha512", "mote/sha-512", 128, BLOCK_512),
        ],
    )
    yield
    table.references.cache_clear()


def _choose(*words: str) -> Reply:
    return ask(f"--device samd21g18a {' '.join(words)}", plain=True)


def _seconds(reply: Reply, scheme: str) -> dict[str, float]:
    found: dict[str, float] = reply.candidate(scheme)["latency"]
    return found


def test_a_signature_of_the_measured_length_is_the_result_itself() -> None:
    figure = _seconds(_choose("--need", "signature", "--message", "32"), "ed25519")
    assert figure["typical"] == pytest.approx(SIGN / CLOCK)
    assert (figure["low"], figure["high"]) == pytest.approx(
        (SIGN / CLOCK / MOVES, SIGN / CLOCK * MOVES)
    )
    assert figure["evidence"] == "simulated"


def test_a_longer_message_costs_blocks_of_the_hash() -> None:
    # Ed25519 signs two passes of SHA-512 (RFC 8032, 5.1.6): 32 + M and 64 + M bytes, padded by 17
    # to blocks of 128. M = 32: ceil(81 / 128) + ceil(113 / 128) = 1 + 1; M = 1000: ceil(1049 / 128)
    # + ceil(1081 / 128) = 9 + 9.
    more = 18 - 2
    figure = _seconds(_choose("--need", "signature", "--message", "1000"), "ed25519")
    assert figure["typical"] == pytest.approx((SIGN + more * BLOCK_512) / CLOCK)
    assert figure["low"] == pytest.approx((SIGN + (more - 1) * BLOCK_512) / CLOCK / MOVES)
    assert figure["high"] == pytest.approx((SIGN + (more + 1) * BLOCK_512) / CLOCK * MOVES)
    assert figure["evidence"] == "modelled"
    # Verifying is one pass, of 64 + M bytes: 9 - 1 blocks. ECDSA hashes M alone: ceil(1009 / 64) -
    # 1 = 15.
    reply = _choose("--need", "signature", "--role", "verify", "--message", "1000")
    assert _seconds(reply, "ed25519")["typical"] == pytest.approx((VERIFY + 8 * BLOCK_512) / CLOCK)
    expected = (48_000_000 + 15 * BLOCK_256) / CLOCK
    assert _seconds(reply, "ecdsa-p256-sha256")["typical"] == pytest.approx(expected)


def test_a_shorter_message_of_as_many_blocks_costs_the_same() -> None:
    figure = _seconds(_choose("--need", "signature", "--message", "8"), "ed25519")
    assert figure["typical"] == pytest.approx(SIGN / CLOCK)
    assert (figure["low"], figure["high"]) == pytest.approx(
        (SIGN / CLOCK / MOVES, SIGN / CLOCK * MOVES)
    )


def test_memory_contains_what_the_caller_holds() -> None:
    # Stack 1000, state 100; the no-op firmware takes all of the static RAM. Signature 64 B (RFC
    # 8032), keys 32 B.
    signing = _choose("--need", "signature", "--message", "32").candidate("ed25519")
    assert signing["ram"]["typical"] == 1000 + 100 + 64
    assert signing["flash"]["typical"] == 14_000 + 32
    checking = _choose("--need", "signature", "--role", "verify", "--message", "32").candidate(
        "ed25519"
    )
    assert checking["ram"]["typical"] == 1000 + 100 + 64
    assert checking["flash"]["typical"] == 14_000 + 32
    # X25519 (RFC 7748): private key, two public keys and the secret, 32 B each, all in RAM.
    agreeing = _choose("--need", "agreement").candidate("x25519")
    assert agreeing["ram"]["typical"] == 1000 + 100 + 4 * 32
    assert agreeing["flash"]["typical"] == 14_000


def test_an_agreement_counts_a_key_pair_and_the_secret() -> None:
    figure = _seconds(_choose("--need", "agreement"), "x25519")
    assert figure["typical"] == pytest.approx(2 * AGREE / CLOCK)
    assert figure["evidence"] == "modelled" and "RFC 7748" in str(figure["note"])


def test_an_update_is_one_digest_of_the_image_and_one_signature() -> None:
    # SHA-256 of 102,400 B: floor((102400 + 8) / 64) + 1 = 1601 blocks. ECDSA takes the digest of 32
    # B.
    reply = _choose("--need", "update", "--image", "100KiB", "--within", "5s", "--ram", "8KiB")
    assert 102_408 // 64 + 1 == 1601
    found = reply.candidate("ecdsa-p256-sha256 + sha256")
    assert found["latency"]["typical"] == pytest.approx((48_000_000 + 1601 * BLOCK_256) / CLOCK)
    # One stack at a time, both states, signature 72 B (DER), digest 32 B.
    assert found["ram"]["typical"] == 1000 + 100 + 100 + 72 + 32
    # BearSSL's signature brings its SHA-256: at least once, at most twice.
    assert (found["flash"]["low"], found["flash"]["high"]) == (14_000 + 65, 14_000 + 65 + 14_000)
    assert found["sent"]["received_bytes"] == 102_400 + 72 and found["sent"]["total_bytes"] == 0
    late = _choose("--need", "update", "--image", "100KiB", "--max-latency", "5s", "--within", "1s")
    assert set(late.rejected("ecdsa-p256-sha256 + sha256")) == {"latency"}
    assert late.order[0][0] == "ed25519 + sha256"


def _airtime_ms(payload: int, sf: int, *, crc: int) -> Fraction:
    """Semtech AN1200.13 written out: 125 kHz, explicit header, coding rate 4/5, 8 symbols of
    preamble.
    """
    low_rate = 1 if sf >= 11 else 0
    symbols = 8 + max(
        ceil(Fraction(8 * payload - 4 * sf + 28 + 16 * crc, 4 * (sf - 2 * low_rate))) * 5, 0
    )
    return (symbols + Fraction(49, 4)) * Fraction(2**sf, 125)


def _fragments(length: int, longest: int) -> list[int]:
    """One byte of header in each, four of check in the last (RFC 9011, 5.6.2), 13 bytes of LoRaWAN
    around each.
    """
    whole = length + 4
    full = floor(Fraction(whole - 1, longest - 1))
    return [longest + 13] * full + [whole - full * (longest - 1) + 1 + 13]


@pytest.mark.parametrize(
    ("scheme", "bytes_up", "bytes_down", "seconds"),
    [("ml-kem-512", 768, 800, 43.9), ("ml-kem-768", 1088, 1184, None)],  # FIPS 203, table 3
)
def test_a_scheme_without_results_has_its_sizes_and_times_on_air(
    scheme: str, bytes_up: int, bytes_down: int, seconds: float | None
) -> None:
    reply = _choose(
        "--need", "kem", "--lorawan", "EU868", "--dr", "0", "--fragment", "--every", "1d"
    )
    assert reply.code == 9 and reply.order == []
    assert set(reply.rejected(scheme)) == {"result"}
    entry = next(each for each in reply.document["rejected"] if each["scheme"] == scheme)
    assert entry["implementation"] == "none" and entry["latency"] is None
    sent = entry["sent"]
    up = sum((_airtime_ms(each, 12, crc=1) for each in _fragments(bytes_up, 51)), Fraction(0))
    down = sum((_airtime_ms(each, 12, crc=0) for each in _fragments(bytes_down, 51)), Fraction(0))
    assert (sent["ciphertext_bytes"], sent["received_bytes"]) == (bytes_up, bytes_down)
    assert sent["time_on_air_ms"] == pytest.approx(float(up))
    assert sent["received_on_air_ms"] == pytest.approx(float(down))
    if seconds is not None:
        assert float(up) / 1000 == pytest.approx(seconds, abs=0.05)


def test_the_duty_cycle_counts_for_ciphertexts() -> None:
    # 43.9 s at 1 % need 4,388 s from one to the next: 73 minutes.
    close = _choose(
        "--need", "kem", "--lorawan", "EU868", "--dr", "0", "--fragment", "--every", "73min"
    )
    assert set(close.rejected("ml-kem-512")) == {"result", "duty-cycle"}
    far = _choose(
        "--need", "kem", "--lorawan", "EU868", "--dr", "0", "--fragment", "--every", "74min"
    )
    assert set(far.rejected("ml-kem-512")) == {"result"}


def test_a_message_is_sent_with_its_signature() -> None:
    reply = _choose(
        "--need", "signature", "--message", "24", "--lorawan", "EU868", "--dr", "3", "--every", "1h"
    )
    sent = reply.candidate("ed25519")["sent"]
    assert (sent["total_bytes"], sent["signature_bytes"], sent["received_bytes"]) == (
        24 + 64,
        64,
        0,
    )
    assert sent["time_on_air_ms"] == pytest.approx(float(_airtime_ms(24 + 64 + 13, 9, crc=1)))
    energy = reply.candidate("ed25519")["energy"]
    assert "download" not in energy and energy["transmit"]["typical"] > 0


def test_who_verifies_listens_for_message_and_signature() -> None:
    words = (
        "--need",
        "signature",
        "--role",
        "verify",
        "--message",
        "24",
        "--lorawan",
        "EU868",
        "--dr",
        "3",
    )
    reply = _choose(*words, "--every", "1h", "--battery", "cr2032")
    found = reply.candidate("ed25519")
    seconds = float(_airtime_ms(24 + 64 + 13, 9, crc=0)) / 1000
    assert found["sent"]["received_on_air_ms"] == pytest.approx(seconds * 1000)
    # 11.5 mA at 3.3 V: SX1276 data sheet, table 6.
    assert found["energy"]["download"]["typical"] == pytest.approx(0.0115 * 3.3 * seconds)
    assert "transmit" not in found["energy"] and found["life"]["typical"] > 0


def test_what_keeps_the_device_busy_for_too_long_is_rejected() -> None:
    # 24,000,000 cycles at 48 MHz are 0.5 s, longer than 400 ms; Ed25519 takes 0.175 s.
    reply = _choose(
        "--need", "signature", "--message", "32", "--every", "400ms", "--battery", "cr2032"
    )
    assert set(reply.rejected("ecdsa-p256-sha256")) == {"interval"}
    assert reply.order == [("ed25519", "monocypher/ed25519")]


def test_a_horizon_rejects_what_will_be_disallowed() -> None:
    # NIST IR 8547 (draft), tables 2 and 4: ECDSA, EdDSA and ECDH are disallowed after 2035.
    words = ("--need", "signature", "--message", "32", "--until")
    assert _choose(*words, "2035").order[0] == ("ed25519", "monocypher/ed25519")
    after = _choose(*words, "2041")
    assert after.order == [] and "until" in after.rejected("ed25519")
    assert set(after.rejected("ml-dsa-44")) == {"result"}


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("--need signature --role verify --message 32", "ed25519"),
        ("--need signature --role verify --message 32 --rank latency", "ed25519"),
        ("--need signature --role verify --message 32 --until 2035", "ed25519"),
        # IR 8547 (draft) disallows classical signatures from 2036 on.
        ("--need signature --role verify --message 32 --until 2036", "ml-dsa-87"),
        ("--need signature --role verify --message 32 --policy cnsa2", "ml-dsa-87"),
        # The BSI lists ML-DSA only together with a classical signature.
        ("--need signature --role verify --message 32 --policy bsi", "ecdsa-p256-sha256"),
        ("--need update --image 4KiB", "ml-dsa-87 + sha256"),
    ],
)
def test_classical_signatures_of_messages_come_first(asked: str, first: str) -> None:
    keep(
        "sim:samd21g18a",
        [
            *operation("verify", "ed25519", "monocypher/ed25519", {32: VERIFY}, **SMALL),
            *operation("verify", "ecdsa-p256-sha256", "bearssl/ecdsa", {32: 48_000_000}, **SMALL),
            *operation(
                "verify", "ml-dsa-87", "mldsa-native/ml-dsa-small", {32: 1_000_000}, **SMALL
            ),
            *_digest("sha256", "bearssl/sha256", 64, BLOCK_256),
        ],
    )
    table.references.cache_clear()
    reply = _choose(asked)
    assert reply.order[0][0] == first
    if first == "ed25519":
        assert [scheme for scheme, _ in reply.order] == [
            "ed25519",
            "ecdsa-p256-sha256",
            "ml-dsa-87",
        ]


def test_strength_of_post_quantum_schemes_is_their_category() -> None:
    # FIPS 203, section 8: categories 1, 3, 5.
    words = ("--need", "kem", "--strength")
    assert set(_choose(*words, "128").rejected("ml-kem-512")) == {"result"}
    assert set(_choose(*words, "192").rejected("ml-kem-512")) == {"result", "strength"}
    assert set(_choose(*words, "192").rejected("ml-kem-768")) == {"result"}
    assert set(_choose(*words, "256").rejected("ml-kem-768")) == {"result", "strength"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--need", "agreement", "--message", "24"), "no message"),
        (("--need", "kem", "--tag", "8"), "belong to ciphers"),
        (("--need", "signature", "--message", "24", "--nonce", "counter"), "belong to ciphers"),
        (
            ("--need", "signature", "--message", "24", "--role", "encapsulate"),
            "no role encapsulate",
        ),
        (("--need", "agreement", "--role", "sign"), "no role sign"),
        (("--message", "24", "--role", "sign"), "no role sign"),
        (("--need", "update"), "--image must be given"),
        (("--need", "update", "--message", "24"), "an update has an image"),
        (("--need", "update", "--image", "0"), "0 bytes is not an update"),
        (("--need", "signature", "--message", "24", "--image", "1KiB"), "needs --need update"),
        (("--need", "update", "--image", "1KiB", "--constant-time"), "handles no secret"),
        (("--need", "signature"), "--message must be given"),
    ],
)
def test_what_does_not_apply_is_refused(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError) as caught:
        _choose(*words)
    assert said in caught.value.what
    assert [text for text in (caught.value.valid, caught.value.hint) if text], "a way on"


def test_a_stateful_signature_is_not_for_messages() -> None:
    # SP 800-208, 8.1: keys of LMS sign a limited number of messages, each with a part of its own.
    signing = _choose("--need", "signature", "--message", "24")
    assert set(signing.rejected("lms-sha256-m32-h5-w8")) == {"result", "need"}
    updating = _choose("--need", "update", "--image", "1KiB")
    assert set(updating.rejected("lms-sha256-m32-h5-w8")) == {"result"}


def test_who_verifies_needs_no_constant_time() -> None:
    checked = _choose("--need", "signature", "--role", "verify", "--message", "24").candidate(
        "ecdsa-p256-sha256"
    )
    assert checked["status"]["constant_time"].startswith("not needed")


def test_from_python() -> None:
    import motebench

    update = motebench.choose("samd21g18a", 102_400, need="update", max_latency="5s")
    assert update.chosen is not None and "sha256" in update.chosen
    assert motebench.choose("samd21g18a", need="agreement").chosen == "x25519 by bearssl/x25519"
    assert (
        motebench.choose("samd21g18a", 24, need="signature", role="sign", until="2041").chosen
        is None
    )
    with pytest.raises(InputError, match="must be given"):
        motebench.choose("samd21g18a", need="signature")


def test_the_text_names_what_is_moved_and_what_is_unknown() -> None:
    line = "--device samd21g18a --need kem --lorawan EU868 --dr 0 --fragment"
    result = CliRunner().invoke(command, [*line.split(), "--details"], standalone_mode=False)
    assert "No scheme that serves this need has results on this device" in result.stdout
    assert (
        "ml-kem-512: public key 800 B, ciphertext 768 B, 43.9 s on air to send, 46.0 s on air"
        in result.stdout
    )


def test_sensitivity_of_a_signature_is_told() -> None:
    words = ("--need", "signature", "--message", "24", "--every", "1h", "--battery", "cr2032")
    found = _choose(*words, "--lorawan", "EU868", "--dr", "5", "--sensitivity").document[
        "sensitivity"
    ]
    assert {"rate", "length"} <= {each["input"] for each in found["inputs"]}


def _kem(target: str = "sim:samd21g18a") -> None:
    """A KEM with results: 1.6 million cycles to encapsulate, 1.3 to make keys, 2.0 to
    decapsulate.
    """
    cycles = {"keygen": 1_300_000, "encapsulate": 1_600_000, "decapsulate": 2_000_000}
    stacks = {"keygen": 5000, "encapsulate": 6000, "decapsulate": 7000}
    keep(
        target,
        [
            entry
            for name, count in cycles.items()
            for entry in operation(
                name,
                "ml-kem-512",
                "mlkem-native/ml-kem",
                {0: count},
                **{**SMALL, "stack": stacks[name]},
            )
        ],
    )


def test_a_kem_with_results_is_a_candidate() -> None:
    _kem()
    found = _choose("--need", "kem").candidate("ml-kem-512")
    assert found["latency"]["typical"] == pytest.approx(1_600_000 / CLOCK)
    # FIPS 203, table 3: public key 800 B, ciphertext 768 B, secret 32 B.
    assert found["ram"]["typical"] == 6000 + 100 + 800 + 768 + 32
    assert (found["sent"]["ciphertext_bytes"], found["sent"]["received_bytes"]) == (768, 800)


def test_who_decapsulates_makes_the_keys_first() -> None:
    _kem()
    found = _choose("--need", "kem", "--role", "decapsulate").candidate("ml-kem-512")
    assert found["latency"]["typical"] == pytest.approx((1_300_000 + 2_000_000) / CLOCK)
    # The deeper stack of both; private key 1632 B as well. Flash once.
    assert found["ram"]["typical"] == 7000 + 100 + 1632 + 800 + 768 + 32
    assert found["flash"]["typical"] == 14_000
    assert (found["sent"]["key_bytes"], found["sent"]["received_bytes"]) == (800, 768)
    assert {each["operation"] for each in found["latency"]["source"]} == {"keygen", "decapsulate"}


def test_a_length_that_follows_from_nothing_is_no_result() -> None:
    keep("sim:samd21g18a", operation("sign", "ed25519", "monocypher/ed25519", {32: SIGN}, **SMALL))
    near = _choose("--need", "signature", "--message", "40")
    assert near.order == [("ed25519", "monocypher/ed25519")]
    far = _choose("--need", "signature", "--message", "1000")
    assert set(far.rejected("ed25519")) == {"result"}
    checking = _choose("--need", "signature", "--role", "verify", "--message", "32")
    assert "there is sign" in checking.rejected("ed25519")["result"]["words"]


def test_the_hint_of_an_update_with_code_for_research_counts_no_bytes_to_send() -> None:
    keep(
        "sim:samd21g18a",
        [
            *operation("verify", "ecdsa-p256-sha256", "bearssl/ecdsa", {32: 48_000_000}, **SMALL),
            *operation("verify", "ecdsa-p256-sha256", "mote/p256", {32: 4_000_000}, **SMALL),
            *_digest("sha256", "bearssl/sha256", 64, BLOCK_256),
        ],
    )
    hints = _choose("--need", "update", "--image", "100KiB").document["alternatives"]
    (research,) = [hint for hint in hints if "--include research" in hint]
    assert "mote/p256" in research
    assert "to send" not in research


@pytest.mark.parametrize(("cycles", "named"), [(23_990_000, 1), (25_000_000, 0)])
def test_an_answer_names_code_for_research_that_is_twice_as_fast(cycles: int, named: int) -> None:
    keep(
        "sim:samd21g18a",
        [
            *operation("agree", "x25519", "bearssl/x25519", {0: 48_000_000}, **SMALL),
            *operation("agree", "x25519", "mote/x25519", {0: cycles}, **SMALL),
        ],
    )
    rests = _choose("--need", "agreement").document["decision"]["rests_on"]
    lines = [line for line in rests if line.startswith("research code is 2.0 times as fast")]
    assert len(lines) == named
    assert all("not for products: x25519 by mote/x25519" in line for line in lines)


def test_the_page_of_an_update(tmp_path: Path) -> None:
    page = tmp_path / "update.html"
    line = (
        "--device samd21g18a --need update --image 100KiB --every 30d --battery cr2032 --report "
        f"{page}"
    )
    result = CliRunner().invoke(command, line.split(), standalone_mode=False)
    assert result.exception is None
    text = page.read_text(encoding="utf-8")
    assert "Which check of an update" in text
    assert "image of 102,400 B, every 30 d" in text


def test_a_failure_of_another_operation_does_not_count() -> None:
    failed = ReferenceCase(
        "ml-kem-512",
        "mlkem-native/ml-kem",
        "decapsulate",
        0,
        {},
        "too-big",
        "the stack ran over its end",
    )
    given = [
        *operation("keygen", "ml-kem-512", "mlkem-native/ml-kem", {0: 1_300_000}, **SMALL),
        *operation("encapsulate", "ml-kem-512", "mlkem-native/ml-kem", {0: 1_600_000}, **SMALL),
    ]
    keep("sim:samd21g18a", [*given, failed])
    assert _choose("--need", "kem").order == [("ml-kem-512", "mlkem-native/ml-kem")]
    other = _choose("--need", "kem", "--role", "decapsulate")
    assert "too-big" in other.rejected("ml-kem-512")["result"]["words"]


def test_a_hybrid_is_a_candidate_of_its_own() -> None:
    # Made-up cycles. The shares of the drafts: 1216 and 1120 bytes; the secrets have 64 and 32.
    keep(
        "sim:samd21g18a",
        [
            *operation("encapsulate", "ml-kem-768", "mlkem-native/ml-kem", {0: 2_000_000}, **SMALL),
            *operation("encapsulate", "x25519mlkem768", "made/up", {0: 12_000_000}, **SMALL),
            *operation("encapsulate", "x-wing", "made/up", {0: 12_100_000}, **SMALL),
        ],
    )
    table.references.cache_clear()
    reply = _choose("--need", "kem", "--include", "research")
    assert [scheme for scheme, _ in reply.order] == ["ml-kem-768", "x25519mlkem768", "x-wing"]
    for scheme, secret in (("x25519mlkem768", 64), ("x-wing", 32)):
        found = reply.candidate(scheme)
        assert (found["sent"]["ciphertext_bytes"], found["sent"]["received_bytes"]) == (1120, 1216)
        assert found["ram"]["typical"] == 1000 + 100 + 1216 + 1120 + secret
