"""Places of the code in a choice: a result of one place has bounds, and what either may win is a
tie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from choice_fixtures import ask, keep, message, own_place, text
from click.testing import CliRunner

from motebench.advise.choice import measured
from motebench.advise.choice.candidate import Point, SchemeOffer
from motebench.advise.choice.estimates import cost
from motebench.advise.choice.known_costs import known_costs
from motebench.advise.reference import table
from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.base.quantities import Interval
from motebench.catalog import resolve
from motebench.catalog.devices import devices
from motebench.catalog.policies import choice
from motebench.catalog.proof import PlaceBounds
from motebench.cli.commands.cost import command as cost_command

LINE = "--device nrf52840 --message 24 --rank latency --implementation mote/*"
MOVES = 1.187
"""The most by which the place of the code moved cycles on the nRF52840: `code_places` of its
catalog file.
"""


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    own_place(tmp_path, monkeypatch)
    yield
    table.references.cache_clear()


def given(board: str, other: int) -> None:
    keep(
        board,
        [
            *message("aes-128-ccm", "mote/aes-ct", 100_000, flash=20_000, flash_net=2_000),
            *message("aes-128-ccm", "mote/aes-fast", other, flash=29_000, flash_net=11_000),
        ],
    )


@pytest.mark.parametrize(
    ("other", "ranks"), [(100_500, [1, 1]), (140_000, [1, 2]), (142_000, [1, 2])]
)
def test_two_that_may_change_places_are_said_to_be_open(other: int, ranks: list[int]) -> None:
    """Each may be 1.187 times as fast or slow elsewhere, and one place says nothing of the other:
    1.187^2 is 1.409.
    """
    given("sim:nrf52840", other)
    found = ask(f"{LINE} --equal 1%").document["candidates"]
    assert [entry["rank"] for entry in found] == ranks
    slower = next(entry for entry in found if entry["implementation"] == "mote/aes-fast")
    ratio = other / 100_000
    assert slower["worse"]["low"] == pytest.approx(ratio / MOVES**2)
    assert slower["worse"]["high"] == pytest.approx(ratio * MOVES**2)
    open_ = any("leave open which is better" in reason for reason in slower["why"])
    assert open_ == (ratio < MOVES**2)


def test_a_result_of_one_place_has_bounds_and_says_where_they_are_from() -> None:
    given("sim:nrf52840", 200_000)
    figure = ask(LINE).candidate("aes-128-ccm", "mote/aes-ct")["latency"]
    usual = 100_000 / 64e6
    assert (figure["low"], figure["typical"], figure["high"]) == pytest.approx(
        (usual / MOVES, usual, usual * MOVES)
    )
    assert (
        "one place of the code" in figure["note"]
        and "up to 19 % (catalog/devices/nrf52840.toml)" in figure["note"]
    )
    assert "1.56 ms (1.32 ms to 1.85 ms)" in text(LINE)


def test_where_no_place_moves_anything_a_result_is_exact() -> None:
    given("sim:rp2040", 101_000)
    found = ask("--device rp2040 --message 24 --rank latency").document["candidates"]
    assert [entry["rank"] for entry in found] == [1, 2]
    assert all(entry["latency"]["low"] == entry["latency"]["high"] for entry in found)
    assert not any("place" in entry["latency"]["note"] for entry in found)


def test_the_cost_of_a_scheme_has_the_same_bounds() -> None:
    given("sim:nrf52840", 200_000)
    entry = known_costs(resolve("aes-128-ccm"), devices()["nrf52840"], size=24).costs[0]
    assert (entry.cycles.low, entry.cycles.typical, entry.cycles.high) == (84_246, 100_000, 118_700)
    assert "one place of the code" in entry.note
    reply = CliRunner().invoke(
        cost_command, ["aes-128-ccm", "nrf52840", "--size", "24"], catch_exceptions=False
    )
    assert (
        "100,000 (84,246 to 118,700)" in reply.output
        and "1.56 ms (1.32 ms to 1.85 ms)" in reply.output
    )


def test_a_length_beyond_all_results_has_no_wider_bounds_than_places_give() -> None:
    """The place moves all lengths of an operation, so it does not count in the difference of two of
    them.
    """
    places = PlaceBounds(Interval(0.8, 1.0, 1.25), "bounds: of somewhere")

    def offer(bounds: PlaceBounds | None) -> SchemeOffer:
        points = {
            ("digest", size): Point(Interval.exact(calls), {}, {}, bounds)  # type: ignore[arg-type]
            for size, calls in ((64, 2.0), (256, 5.0))
        }
        return SchemeOffer("sha256", "mote/sha-256", Evidence.SIMULATED, points)

    for size in (100, 256, 100_000):
        without, moved = cost(offer(None), "digest", size), cost(offer(places), "digest", size)
        assert without is not None and moved is not None
        assert moved.seconds.typical == without.seconds.typical
        assert (moved.seconds.low, moved.seconds.high) == pytest.approx(
            (without.seconds.low * 0.8, without.seconds.high * 1.25)
        )
        assert (without.places, moved.places) == ("", "bounds: of somewhere")


def stored(*cycles: float) -> Run:
    """A run of one case on the nRF52840, with its code at so many places."""
    results = []
    for number, count in enumerate(cycles):
        target = "sim:nrf52840" + (f"+place={number}" if number else "")
        case = Case("sha256", "mote/sha-256", Operation.DIGEST, 64, target, "mote/sha-256")
        samples = tuple(Sample(index, count) for index in range(6))
        series = Series("time", "ns", 1e9 / 64e6, 0.0, "cycles", Evidence.SIMULATED, samples)
        results.append(CaseResult(case, (series,), finished=True))
    info = RunInfo(
        1, "r", "", "2026-01-01T00:00:00+00:00", None, "finished", "0", 1, {"study": "s"}
    )
    return Run(info, tuple(results))


def test_a_run_of_several_places_gives_its_own_range() -> None:
    device = devices()["nrf52840"]
    (offer,) = measured.of_runs([stored(12_000, 11_400, 12_100)], device, "own.db").offers
    found = cost(offer, "digest", 64)
    assert found is not None and found.places == "bounds: over 3 places of the code"
    cycles = [end * 64e6 for end in (found.seconds.low, found.seconds.typical, found.seconds.high)]
    assert cycles == pytest.approx([11_400, 12_000, 12_100])


def test_a_group_of_runs_gives_the_median_of_its_runs() -> None:
    session = {"groups": ["trio"], "runs": 3, "seed": 1, "builds": {}}
    runs = []
    for number, run in enumerate([stored(12_000), stored(12_600), stored(12_200)], 1):
        settings = {"group": {"name": "trio", "number": number, "session": session}}
        runs.append(replace(run, info=replace(run.info, id=number, settings=settings)))
    offers = measured.of_runs(runs, devices()["nrf52840"], "own.db")
    found = cost(offers.offers[0], "digest", 64)
    assert found is not None and found.seconds.typical * 64e6 == pytest.approx(12_200)
    assert offers.notes[0].startswith("3 runs (trio), each one value, of own.db")
    assert offers.offers[0].points["digest", 64].origin.run_name == "trio"  # type: ignore[union-attr]


def test_a_run_of_one_place_has_the_bounds_of_the_board() -> None:
    (offer,) = measured.of_runs([stored(12_000)], devices()["nrf52840"], "own.db").offers
    found = cost(offer, "digest", 64)
    assert found is not None and "one place of the code" in found.places
    assert found.seconds.high * 64e6 == pytest.approx(12_000 * MOVES)


def test_the_bounds_of_a_device_that_stands_in_for_itself_allow_for_its_places() -> None:
    stand_ins = {
        entry: devices()[entry.target.removeprefix("sim:")].code_places
        for entry in choice().stand_ins
    }
    moving = {entry: code for entry, code in stand_ins.items() if code is not None}
    assert moving
    for stand_in, code in moving.items():
        assert stand_in.time("digest").high >= 1 + code.moves, stand_in.device
