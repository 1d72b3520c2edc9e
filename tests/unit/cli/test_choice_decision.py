"""The decision of `motebench choose`: one screen whose sentences hold for the question."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from motebench.base.errors import MotebenchError
from motebench.cli.commands.choose import command

ROWS, COLUMNS = 24, 80
LORA = "--message 24 --every 10min --lorawan EU868 --battery ls14500"
SAMD21 = "--device samd21g18a"

# The line, what to take (empty: nothing), and words that the reason has to have.
QUESTIONS = [
    (f"--device stm32wle5 {LORA} --dr 0", "AES-128-CCM with the chip's AES engine", "sending is"),
    (
        "--device nrf52840 --message 24 --every 1min --battery cr2032",
        "AES-128-CCM with the chip",
        "sleep is",
    ),
    ("--device atmega328p --message 16 --every 1h --battery cr2032", "by Mbed TLS", "sleep is"),
    (
        "--device atmega2560 --message 24 --rank latency --policy nist",
        "AES-128-CCM by Mbed TLS",
        "time of",
    ),
    (
        f"{SAMD21} --need signature --message 32 --every 1d --battery cr2032",
        "sign with Ed25519",
        "sleep is",
    ),
    (
        f"{SAMD21} --need update --image 100KiB",
        "check ML-DSA-44 over SHA-256",
        "of the image takes",
    ),
    (
        f"{SAMD21} --need update --image 100KiB --policy cnsa2 --until 2041",
        "ML-DSA-87",
        "of the image",
    ),
    (f"{SAMD21} --need kem --role decapsulate --strength 192", "ML-KEM-768", "keep all limits"),
    (f"{SAMD21} --need agreement", "X25519", "next is X25519 by Mbed TLS 3.6"),
    (f"{SAMD21} --need agreement --until 2041", "", "until"),
    (
        "--device stm32wle5 --message 40 --every 30min --lorawan EU868 --dr 0 --battery ls14500",
        "",
        "payload",
    ),
    ("--device stm32l4 --need hash --message 64KiB", "SHA-256", "energy a message"),
    (
        f"{SAMD21} --need mac --message 24 --every 1h --battery cr2032",
        "HMAC-SHA-256 by Mbed TLS",
        "sleep is",
    ),
    (
        "--device nrf52840 --need mac --message 12 --every 10min --lorawan EU868 --dr 3 "
        "--battery cr2032",
        "AES-128-CMAC with the chip",
        "sending is",
    ),
    (
        "--device atmega4809 --need signature --message 32 --scheme rsa*,ecdsa*",
        "ECDSA",
        "no product waits so long",
    ),
    (
        f"{SAMD21} --message 24 --policy legacy --scheme 3des*",
        "advised against",
        "nothing recommended",
    ),
    ("--device atmega328p --need update --image 24KiB", "", "ram"),
    (
        f"{SAMD21} --need signature --message 32 --every 1d --battery cr2032 --with atecc608b "
        "--protect-key",
        "in the secure element Microchip ATECC608B",
        "the only candidate",
    ),
    (
        "--device rp2350-hazard3 --message 512 --every 1s",
        "ChaCha20-Poly1305",
        "time of the processor",
    ),
    (
        "--device atmega2560 --message 24 --rank latency --flash 9000",
        "AES-128-CCM by BearSSL",
        "flash (",
    ),
    (f"{SAMD21} --need encryption --message 24", "AES-128-CTR by Mbed TLS", "16 of 40 bytes"),
    (
        f"{SAMD21} {LORA} --dr 5 --tag 4",
        "AES-128-CCM by Mbed TLS",
        "4 of 28 bytes sent are the tag",
    ),
    (
        f"{SAMD21} --need kem --lorawan EU868 --dr 0 --fragment --every 1d --battery ls14500",
        "ML-KEM-512",
        "77 minutes by the duty cycle",
    ),
    (f"{SAMD21} --message 51 --every 1h --lorawan EU868 --dr 0 --battery ls14500", "", "payload"),
    (
        "--device atmega328p --message 16 --every 1h --battery cr2032 --flash 8KiB --ram 512B",
        "",
        "ram",
    ),
]


@cache
def screen(line: str) -> tuple[str, ...]:
    result = CliRunner().invoke(command, line.split(), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return tuple(result.stdout.splitlines())


@cache
def document(line: str) -> dict[str, Any]:
    result = CliRunner().invoke(command, [*line.split(), "--json"], standalone_mode=False)
    assert result.exception is None
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.mark.parametrize(("line", "take", "reason"), QUESTIONS)
def test_an_answer_is_one_screen_with_its_reason(line: str, take: str, reason: str) -> None:
    lines = screen(line)
    assert len(lines) <= ROWS and max(map(len, lines)) <= COLUMNS
    assert not [text for text in lines if text.strip() == "..."]
    text = " ".join(" ".join(lines).split())
    assert ("take nothing: no" in text) == (not take)
    assert take in text and reason in text
    assert lines[-1].startswith("more")


@pytest.mark.parametrize(
    "line",
    [
        "--device pc --message 24",
        "--device esp32 --message 24",
        "--device stm32wle5 --message 60 --every 10min --lorawan EU868 --dr 0",
    ],
)
def test_a_refusal_is_one_screen(line: str) -> None:
    with pytest.raises(MotebenchError) as error:
        screen(line)
    assert (
        sum(len(str(part or "")) // COLUMNS + 1 for part in (error.value, error.value.hint)) < ROWS
    )


def test_the_screen_the_document_and_the_markdown_say_the_same() -> None:
    line = QUESTIONS[0][0]
    decision = document(line)["decision"]
    marked = (
        CliRunner().invoke(command, [*line.split(), "--format", "md"], standalone_mode=False).stdout
    )
    plain = marked.replace("\\", "")
    assert plain.startswith(f"# Decision: {decision['take']}\n")
    sentences = [*decision["decides"], *decision["rests_on"], *decision["before_shipping"]]
    assert len(sentences) > 8 and [text for text in sentences if f"- {text}\n" not in plain] == []
    assert " ".join(decision["take"].split()) in " ".join(" ".join(screen(line)).split())


def test_shares_are_those_of_the_candidate() -> None:
    answer = document(QUESTIONS[0][0])
    energy = {name: part["typical"] for name, part in answer["candidates"][0]["energy"].items()}
    share = energy["transmit"] / sum(energy.values()) * 100
    assert answer["decision"]["decides"][0].startswith(f"sending is {share:.0f} % of the energy")
    sent = answer["candidates"][0]["sent"]
    added, total = sent["tag_bytes"], sent["total_bytes"]
    assert answer["decision"]["decides"][1].startswith(f"{added} of {total} bytes sent are the tag")


def test_each_scheme_and_library_is_named_once() -> None:
    alternatives = [
        other["words"] for other in document(QUESTIONS[3][0])["decision"]["alternatives"]
    ]
    kinds = [
        re.sub(r"-(128|192|256)\b", "", words)
        for words in ["AES-128-CCM by Mbed TLS", *alternatives]
    ]
    assert len(kinds) == len(set(kinds)) == 3


def test_what_nobody_notices_is_equal() -> None:
    answer = document(QUESTIONS[0][0])
    assert "equal life" in answer["decision"]["alternatives"][1]["price"]
    near = [entry for entry in answer["candidates"][1:] if abs(entry["worse"]["high"] - 1) < 4e-4]
    assert near and not [entry for entry in near if "life equal to rank 1" not in entry["why"]]


def test_headline_figures_have_their_bounds() -> None:
    figures = {
        figure["name"]: figure["words"]
        for figure in document(QUESTIONS[0][0])["decision"]["figures"]
    }
    assert re.fullmatch(r"[\d.]+ years \([\d.]+ to [\d.]+\)", figures["life"])
    assert "(" in figures["time"] and "(" in figures["flash"]


def test_limits_that_the_user_gave_are_in_the_question() -> None:
    question = document(QUESTIONS[24][0])["decision"]["question"]
    assert (
        "flash up to 8,192 B" in question
        and "RAM up to 512 B" in question
        and "every 1 h" in question
    )


@pytest.mark.parametrize("place", [9, 10, 16, 23, 24])
def test_without_a_candidate_the_answer_has_ways_out_that_were_tried(place: int) -> None:
    line = QUESTIONS[place][0]
    decision = document(line)["decision"]
    assert decision["verdict"] == "none" and decision["alternatives"]
    tried = [
        other["words"]
        for other in decision["alternatives"]
        if re.fullmatch(r"--[a-z-]+( \S+)?", other["words"])
    ]
    for option in tried[:2]:
        name = option.split()[0]
        asked = re.sub(rf"{name} \S+ ?", "", line) if name in ("--need", "--dr") else line
        asked = asked.replace("--until 2041", "") if name == "--until" else asked
        assert document(f"{asked} {option}")["chosen"] is not None
