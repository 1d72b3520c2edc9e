"""The same firmware with its code at other places: a cache makes the place count, flash that never
waits hardly.
"""

from __future__ import annotations

import importlib
from hashlib import sha256

import pytest

from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware.forms import placeable, placed
from motebench.targets.session import ProbeSession
from motebench.targets.settings import USUAL_PLACES
from motebench.targets.wire.messages import Job
from motebench.targets.wire.stream import ProcessStream
from tests.integration.conftest import need_simulator

# The package has a function of that name
building = importlib.import_module("motebench.targets.firmware.build")
PLACES = 4


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    need_simulator(devices()["nrf52840"])


def at(device, image):
    """The answer, and its cycles."""
    session = ProbeSession(
        lambda: ProcessStream(simulation(device, image.path)), check=image.expect
    )
    try:
        job = Job("sha256", "digest", data=bytes(1024))
        timing = session.measure(job, batch=1, count=1, warm=0, timeout=60)
        return session.compute(job).out, timing.counts[0] - session.hello.counter.overhead
    finally:
        session.close()


@pytest.mark.parametrize(
    ("name", "least", "most"), [("nrf52840", 0.003, 0.3), ("cortex-m4-nows", 0, 0.002)]
)
def test_the_place_moves_cycles_where_a_cache_has_one_place_for_each_line_and_never_answers(
    name, least, most
):
    device = devices()[name]
    usual = building.build(device, "mote/sha-256", schemes()["sha256"], "Os")
    images = [placed(device, usual, place) for place in range(PLACES)]
    assert images[0] == usual and len({image.path for image in images}) == PLACES
    assert {(image.flash, image.static_ram) for image in images} == {
        (usual.flash, usual.static_ram)
    }
    answers, cycles = zip(*(at(device, image) for image in images), strict=True)
    assert len(set(answers)) == 1 and answers[0] == sha256(bytes(1024)).digest()
    assert least <= (max(cycles) - min(cycles)) / min(cycles) <= most
    assert placed(device, usual, 1) == images[1] and at(device, images[1])[1] == cycles[1]


def test_an_avr_has_no_places():
    assert not placeable(devices()["atmega2560"])
    assert all(
        placeable(devices()[name])
        for name in ("samd21g18a", "rp2040-xip", "stm32wl", "cortex-m3-nows")
    )


STUDY = """
[[measure]]
schemes = ["sha256"]
implementations = ["mote/sha-256"]
targets = ["sim:samd21g18a"]
operations = ["digest"]
sizes = [64]
placements = 3
"""


def test_a_study_says_at_how_many_places_and_an_option_overrides_it(motebench, tmp_path):
    study = tmp_path / "s.toml"
    study.write_text(STUDY)

    def places(*options):
        done = motebench("run", str(study), "--json", *options)
        assert done.code == 0, done.err
        found = [entry for entry in done.json.get("placements", []) if entry["metric"] == "cycles"]
        cycles = (
            found[0]
            if found
            else {"target": "sim:samd21g18a", "places": 1, "least": None, "most": None}
        )
        (row,) = (row for row in done.json["measurements"] if row["metric"] == "cycles")
        assert (row["target"], row["places"]) == (cycles["target"], cycles["places"])
        assert (row["places_least"], row["places_most"]) == (cycles["least"], cycles["most"])
        return cycles["target"], cycles["places"]

    assert places() == ("sim:samd21g18a", 3)
    assert places("--placements", "2", "--no-cache") == ("sim:samd21g18a+no-cache", 2)
    assert places("--placements", "1") == ("sim:samd21g18a", 1)
    listed = motebench("run", str(study), "--target", "sim:cortex-m0-nows", "--dry-run")
    assert listed.out.splitlines() == [
        "sha256 mote/sha-256 digest 64 B on sim:cortex-m0-nows, code at 3 places"
    ]


def test_a_board_with_a_cache_is_measured_at_several_places_by_itself_and_proven_once(motebench):
    done = motebench(
        "run",
        "--target",
        "sim:samd21g18a",
        "--scheme",
        "sha256",
        "--size",
        "64",
        "--json",
        "--implementation",
        "mote/sha-256",
    )
    assert done.code == 0, done.err
    (row,) = (row for row in done.json["measurements"] if row["metric"] == "cycles")
    assert (
        row["places"] == USUAL_PLACES and row["places_least"] <= row["median"] <= row["places_most"]
    )
    assert row["places_least"] < row["places_most"] and row["target"] == "sim:samd21g18a"
