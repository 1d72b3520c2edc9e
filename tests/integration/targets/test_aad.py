"""Additional data as a dimension of cases: from the command line to the stored result."""

from __future__ import annotations

import pytest

from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Fill, Job, fill


def test_data_made_on_the_target_is_the_data_that_would_have_been_sent():
    session = this_machine().open("mote/ascon")
    try:
        job = Job(
            "ascon-aead128", "encrypt-message", key=bytes(16), nonce=bytes(16), data=b"motebench"
        )
        answers = [
            session.compute(
                Job(**{**{name: getattr(job, name) for name in job.__slots__}, "aad": aad})
            )
            for aad in (b"", fill(7, 40), Fill(7, 40), Fill(7, 41))
        ]
    finally:
        session.close()
    assert answers[1] == answers[2]
    assert len({answer.tag for answer in answers}) == 3


def test_sizes_of_message_and_additional_data_are_free(motebench):
    chosen = (
        "--scheme",
        "ascon-aead128",
        "--implementation",
        "mote/ascon",
        "--size",
        "0,16",
        "--aad",
        "0,33",
    )
    operations = ("--operation", "encrypt-message,decrypt-message")
    result = motebench("run", *chosen, *operations, "--fast", "--budget", "1s", "--json")
    assert result.code == 0, result.err
    rows = {
        (row["operation"], row["input_bytes"], row["aad_bytes"])
        for row in result.json["measurements"]
    }
    assert rows == {
        (name, size, aad)
        for name in ("encrypt-message", "decrypt-message")
        for size in (0, 16)
        for aad in (0, 33)
    }
    shown = motebench("show").out
    assert "no input, 33 B of AAD" in shown and "16 B, 33 B of AAD" in shown


@pytest.mark.parametrize(
    "arguments",
    [("--scheme", "sha256"), ("--scheme", "ascon-aead128", "--operation", "encrypt")],
)
def test_additional_data_that_nothing_takes_is_refused(motebench, arguments):
    result = motebench("run", *arguments, "--aad", "16")
    assert result.code == 2
    assert "--aad: no operation here takes additional data" in result.err
