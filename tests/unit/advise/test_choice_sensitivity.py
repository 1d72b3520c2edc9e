"""The input that decides, and the values at which the answer flips: against the whole choice, asked
again at many values.
"""

from __future__ import annotations

import pytest
from choice_fixtures import SIZES, ask, keep, message, operation, own_place, text

from motebench.advise.reference import table

NODE = (
    "--device samd21g18a --message 24 --battery cr2032 --every 10min --lorawan EU868 --dr 5 "
    "--include research"
)
_DAY_S = 86400


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)
    grows = {size: 30_000_000 + 400_000 * size for size in SIZES}
    keep(
        "sim:samd21g18a",
        [
            *message(
                "aes-128-ccm",
                "mote/aes-ct",
                {size: 2 * count for size, count in grows.items()},
                flash_net=4_000,
            ),
            *message(
                "aes-128-gcm",
                "mote/aes-ct",
                {size: 3 * count for size, count in grows.items()},
                flash_net=3_000,
            ),
            *message("ascon-aead128", "mote/ascon", grows, flash=23_000, flash_net=3_500),
            *message(
                "aes-256-ccm", "mote/aes-ct", {size: 5_000 * size for size in SIZES}, flash=99_000
            ),
            *message("present-128-ctr", "mote/present", 90_000, flash_net=1_000),
            *operation(
                "mac",
                "hmac-sha256",
                "mote/sha256",
                dict.fromkeys(SIZES, 9_000_000),
                flash_net=2_000,
            ),
        ],
    )
    yield
    table.references.cache_clear()


def _sensitivity(line: str) -> dict:
    return ask(f"{line} --sensitivity").document["sensitivity"]


def _first(line: str) -> str | None:
    return ask(line).document["chosen"]


def _along(found: dict, name: str, value: float) -> str | None:
    """The first candidate at a value, by the flips."""
    flips = [flip for flip in found["flips"] if flip["input"] == name]
    if not flips:
        return found["first"]
    below = [flip for flip in flips if flip["value"] <= value]
    return below[-1]["above"] if below else flips[0]["below"]


@pytest.mark.parametrize("equal", ["1%", "none"])
def test_flips_of_the_rate_are_those_of_the_whole_choice(equal):
    line = f"{NODE} --equal {equal}".replace(" --every 10min", "")
    found = _sensitivity(f"{line} --every 10min")
    firsts = set()
    for every in (20, 60, 150, 240, 420, 1000, 2500, 7200, 28800, 86000):
        first = _first(f"{line} --every {every}s")
        assert first == _along(found, "rate", _DAY_S / every), every
        firsts.add(first)
    assert len(firsts) > (1 if equal != "none" else 0), "the fixture has something to find"


def test_flips_of_the_length_are_those_of_the_whole_choice():
    line = NODE.replace(" --message 24", "") + " --equal 1%"
    found = _sensitivity(f"{line} --message 24")
    for size in (1, 9, 16, 17, 47, 90, 180, 206, 214):
        assert _first(f"{line} --message {size}") == _along(found, "length", size), size


def test_the_ends_are_those_of_the_whole_choice():
    found = _sensitivity(f"{NODE} --equal 1%")
    rows = {row["input"]: row for row in found["inputs"]}

    def life(line: str) -> float:
        document = ask(f"{line} --equal 1%").document
        name = found["first"].split(" by ")[0]
        return next(one for one in document["candidates"] if one["scheme"] == name)["life"][
            "typical"
        ]

    for name, value, changed in (
        ("rate", "low", NODE.replace("10min", "20min")),
        ("rate", "high", NODE.replace("10min", "5min")),
        ("length", "high", NODE.replace("--message 24", "--message 48")),
        ("transmissions", "high", f"{NODE} --transmissions 2"),
        ("data-rate", "low", NODE.replace("--dr 5", "--dr 0")),
        ("power", "low", f"{NODE} --power {rows['power']['low']['value']}"),
        ("nonce", "high", f"{NODE} --nonce carried"),
    ):
        assert rows[name][value]["criterion"] == pytest.approx(life(changed), rel=1e-12), name
    factors = [row["factor"] for row in found["inputs"] if row["factor"]]
    assert factors == sorted(factors, reverse=True)


def test_capacity_by_hand():
    rows = {row["input"]: row for row in _sensitivity(f"{NODE} --sleep-current 5uA")["inputs"]}
    capacity, sleep = rows["capacity"], rows["sleep-current"]
    # Half and double of what was given.
    assert (sleep["low"]["value"], sleep["high"]["value"]) == (2.5e-6, 10e-6) and sleep[
        "basis"
    ] == "chosen"
    # Loss and current are the same; without the loss, life would go with the capacity.
    share = capacity["high"]["value"] / capacity["low"]["value"]
    assert 1 < capacity["high"]["criterion"] / capacity["low"]["criterion"] <= share
    assert capacity["high"]["criterion"] / capacity["low"]["criterion"] == pytest.approx(
        share, rel=0.02
    )


def test_the_time_at_which_the_first_is_no_longer_first():
    line = (
        "--device samd21g18a --message 24 --rank latency --need aead --scheme "
        "aes-128-*,ascon-aead128"
    )
    found = _sensitivity(line)
    flips = [flip for flip in found["flips"] if flip["input"] == "cipher-time"]
    # Ascon takes 30,000,000 + 400,000 x 24 cycles at 48 MHz, and CCM twice that.
    equal = 2 * 39_600_000 / 48e6
    assert flips[0]["value"] == pytest.approx(equal, rel=1e-5)
    assert flips[-1]["value"] == pytest.approx(equal, rel=1e-5)
    assert (flips[0]["below"], flips[-1]["above"]) == (
        "ascon-aead128 by mote/ascon",
        "aes-128-ccm by mote/aes-ct",
    )
    # With an indifference of 10 %, CCM is equal earlier, and more flash puts it second until Ascon
    # is no longer equal.
    values = [
        flip["value"]
        for flip in _sensitivity(f"{line} --equal 10%")["flips"]
        if flip["input"] == "cipher-time"
    ]
    assert values[0] == pytest.approx(2 * 39_600_000 / 48e6 / 1.1, rel=1e-5)
    assert values[-1] == pytest.approx(2 * 39_600_000 / 48e6 * 1.1, rel=1e-5)


def test_it_is_the_same_each_time_and_left_out_unless_asked_for():
    assert ask(f"{NODE} --sensitivity").out == ask(f"{NODE} --sensitivity").out
    assert ask(NODE).document["sensitivity"] is None
    assert ask(f"{NODE} --flash 10B --sensitivity").document["sensitivity"] is None


def test_the_text_says_what_decides_on_either_side():
    said = text(f"{NODE} --equal 1% --sensitivity")
    assert "which input decides" in said and "rate of messages" in said
    assert "equal for you, and less flash decides" in said
