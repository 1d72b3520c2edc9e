"""The choice as text."""

from __future__ import annotations

import re

from click.testing import CliRunner

from motebench.cli.commands.choose import command


def test_reasons_that_candidates_share_are_told_once() -> None:
    asked = (
        "--device samd21g18a --message 24 --every 10min --lorawan EU868 --dr 3 --battery cr2032 "
        "--details --show 6"
    )
    done = CliRunner().invoke(command, asked.split())
    assert done.exit_code == 0, done.output
    reasons = [
        line
        for line in done.output.partition("\n1 (tied)")[2].split("\n\n")[0].splitlines()
        if line.startswith("    ")
    ]
    assert len(reasons) == len(set(reasons))
    assert sum("equal for you" in line for line in reasons) == 1
    measured = re.compile(r"simulated: encrypt-message of 24 B: [\d,]+ cycles")
    assert sum(measured.search(line) is not None for line in reasons) == 6
    assert sum("made at one place of the code" in line for line in reasons) == 1


def test_a_tied_candidate_says_what_puts_another_one_before_it() -> None:
    asked = (
        "--device samd21g18a --message 24 --scheme aes-128-ccm,aes-256-ccm --implementation "
        "mbedtls/* --rank flash"
    )
    done = CliRunner().invoke(command, [*asked.split(), "--details"])
    assert done.exit_code == 0, done.output
    assert "tied: less time puts aes-128-ccm by mbedtls/aes-fewer first" in done.output


def test_a_less_recommended_candidate_has_its_status_in_the_table() -> None:
    asked = "--device samd21g18a --message 24 --scheme rc2*,aes-128-ccm --details --show 0"
    done = CliRunner().invoke(command, asked.split())
    table = done.output.split("\n\n")[1].splitlines()
    rows = [line for line in table if "rc2-" in line]
    assert "status" in table[0] and rows
    status = re.compile("not recommended|advised against")
    assert not [line for line in rows if status.search(line) is None]
    assert not [line for line in table if "aes-128-ccm" in line and status.search(line)]
