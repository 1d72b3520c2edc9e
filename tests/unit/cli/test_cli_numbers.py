"""Commands that compute refuse texts that are no number, and impossible numbers: they say where,
and what is valid.
"""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from motebench.base.errors import MotebenchError
from motebench.cli.app import app

_SENSOR = (
    "--battery cr2032 --every 1h --device samd21g18a --time 1ms --lorawan EU868 --dr 0 --message 24"
)


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("airtime --sf 12 --bw 1e400 --payload 51", "--bw"),
        ("airtime --sf 12 --bw -125 --payload 51", "--bw"),
        ("airtime --sf 12 --bw nan --payload 51", "--bw"),
        ("airtime --sf 5 --bw 125 --payload 5 --radio sx1262 --preamble 0", "--preamble"),
        ("airtime --lorawan EU868 --dr 0 --app-payload 99999999999 --fragment", "--app-payload"),
        ("energy --device samd21g18a --cycles nan", "--cycles"),
        ("energy --device samd21g18a --cycles 1e400", "--cycles"),
        ("energy --device samd21g18a --cycles 5 --clock 0", "--clock"),
        ("energy --device samd21g18a --cycles 5 --clock nan", "--clock"),
        ("energy --device samd21g18a --cycles 5 --voltage 0V", "--voltage"),
        ("battery --battery cr2032 --every 1h --device samd21g18a --cycles inf", "--cycles"),
        (f"battery {_SENSOR} --transmissions nan", "--transmissions"),
        (f"battery {_SENSOR} --power nan", "--power"),
        (
            "choose --device samd21g18a --message 24 --lorawan EU868 --dr 0 --transmissions nan",
            "--transmissions",
        ),
        ("choose --device samd21g18a --message 24 --lorawan EU868 --dr 0 --power -inf", "--power"),
    ],
)
def test_what_is_no_number(line, where):
    result = CliRunner().invoke(app, line.split())
    error = result.exception
    said = f"{result.output} {getattr(error, 'where', '')} {error}"
    assert isinstance(error, MotebenchError | SystemExit) and where in said, said
