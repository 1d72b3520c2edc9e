"""A small collection on a fleet of real boards, as far as motebench can tell: simulated ones behind
ports.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import code_folders as folders
import pytest

from motebench.catalog.devices import devices
from motebench.targets.board.simulated import simulation
from tests.integration.conftest import need_simulator
from tests.support.serial_bridge import Bridge, Faults, patient, programmer, quick

DEVICE = "atmega2560"
FILE = """\
name = "lab"
title = "a collection on boards"
targets = ["sim:atmega2560"]
timeout = "20s"

[[folders]]
match = ["Implementations/crypto_aead/{scheme}/{implementation}"]
variants = ["Os"]
sizes = [8]
aad = [0]
schemes = { "ascon-aead128" = "" }

[[tables]]
kind = "aead"

[tables.columns]
"implementation" = "implementation"
"enc" = "encrypt-message cycles"
"dec" = "decrypt-message cycles"
"""


@dataclass
class Lab:
    """Boards by name, and the call that measures the collection on all of them."""

    folder: Path
    motebench: Callable[..., object]
    bridges: dict[str, Bridge] = field(default_factory=dict)

    def plug(self, name: str, faults: Faults | None = None) -> None:
        """Connect a board; its port has the board's name."""
        command = simulation(devices()[DEVICE], Path())[:-1]
        port = self.folder / f"holds-{name}"
        self.bridges[name] = Bridge(command, Path(f"{port}.firmware"), faults, port)

    def unplug(self, name: str) -> None:
        """Disconnect a board."""
        self.bridges[name].close()

    def target(self, name: str) -> str:
        return f"serial:{self.bridges[name].path},{DEVICE}"

    def collection(self, *options: str, members: str = "@all"):
        """The command; ``members``: of the fleet."""
        boards = [f'[board.{name}]\ntarget = "{self.target(name)}"\n' for name in self.bridges]
        (self.folder / "fleet.toml").write_text("\n".join(boards))
        tree = str(self.folder / "tree")
        asked = ("--from", tree, "--fleet", "fleet.toml", "--target", members, *options)
        return self.motebench("collection", "lab.toml", *asked)

    def outcomes(self, document) -> dict[tuple[str, str], tuple[str, set[str]]]:
        """State and kinds of causes, by folder and name of the board."""
        names = {self.target(name): name for name in self.bridges}
        return {
            (entry["names"]["implementation"], names[entry["target"]]): (
                entry["state"],
                {cause["kind"] for cause in entry["causes"]},
            )
            for entry in document["entries"]
        }


@pytest.fixture
def lab(tmp_path, monkeypatch, motebench) -> Iterator[Lab]:
    """A folder of code that works, and boards on whose ports a programmer writes."""
    need_simulator(devices()[DEVICE])
    quick(monkeypatch, devices()[DEVICE])
    patient(monkeypatch)
    programmer(tmp_path, "avrdude", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    folders.submission(tmp_path / "tree")
    (tmp_path / "lab.toml").write_text(FILE)
    made = Lab(tmp_path, motebench)
    yield made
    for bridge in made.bridges.values():
        bridge.close()


def test_each_folder_has_the_numbers_of_each_board_also_when_all_were_unplugged_later(lab):
    good = lab.folder / "tree/Implementations/crypto_aead/ascon-aead128/ref"
    shutil.copytree(good, good.parent / "liar")
    source = good.parent / "liar/encrypt.c"
    source.write_text(source.read_text().replace("return 0;", "c[0] ^= 1; return 0;", 1))
    lab.plug("one")
    lab.plug("two")
    done = lab.collection("--json")
    assert done.code == 3, done.err
    good, wrong = ("measured", set()), ("failed", {"wrong-answer"})
    assert lab.outcomes(done.json) == {
        ("ref", "one"): good,
        ("ref", "two"): good,
        ("liar", "one"): wrong,
        ("liar", "two"): wrong,
    }
    figures = [entry["figures"] for entry in done.json["entries"] if entry["state"] == "measured"]
    assert figures[0] == figures[1]
    run = lab.motebench("show", "lab-ascon-aead128-ref", "--json").json
    cycles = [row for row in run["measurements"] if row["metric"] == "cycles"]
    assert {row["evidence"] for row in cycles} == {"measured"}
    assert run["environment"]["boards"] == {
        lab.target(name): {"port": bridge.path, "device": DEVICE}
        for name, bridge in lab.bridges.items()
    }

    for name in lab.bridges:
        lab.unplug(name)
    table = list(csv.reader(lab.collection("--format", "csv").out.splitlines()))
    assert [row for row in table if len(row) == 1] == [[lab.target(name)] for name in lab.bridges]
    assert table[1] == ["implementation", "enc", "dec", "cause"]
    kept = lab.collection("--json")
    assert kept.code == 3, kept.err
    assert lab.outcomes(kept.json)["ref", "two"] == ("kept", set())
    assert [entry["figures"] for entry in kept.json["entries"]] == [
        entry["figures"] for entry in done.json["entries"]
    ]


def test_a_board_that_is_unplugged_costs_its_own_rows_and_alone_is_measured_later(lab):
    lab.plug("one")
    lab.plug("two")
    lab.unplug("two")
    absent = lab.collection("--json")
    assert absent.code == 3, absent.err
    assert lab.outcomes(absent.json) == {
        ("ref", "one"): ("measured", set()),
        ("ref", "two"): ("failed", {"lost"}),
    }
    assert f"{lab.target('one')}: measured" in absent.err
    assert f"{lab.target('two')}: failed" in absent.err
    settings = lab.motebench("show", "latest", "--json").json["run"]["settings"]
    assert settings["boards"] == {lab.target(name): name for name in lab.bridges}
    port = lab.bridges["two"].path
    (cause,) = next(entry["causes"] for entry in absent.json["entries"] if port in entry["target"])
    assert cause["message"].startswith(f"there is no port {port}: plug the board in")

    uploads = (lab.folder / "avrdude.log").read_text()
    lab.plug("two")
    plugged = lab.collection("--json")
    assert plugged.code == 0, plugged.err
    assert lab.outcomes(plugged.json) == {
        ("ref", "one"): ("kept", set()),
        ("ref", "two"): ("measured", set()),
    }
    later = (lab.folder / "avrdude.log").read_text().removeprefix(uploads)
    assert lab.bridges["one"].path not in later


def test_a_board_that_goes_in_the_middle_is_lost_from_there_on(lab):
    lab.plug("one")
    lab.plug("two", Faults(unplug_at=2500))
    done = lab.collection("--json")
    assert done.code == 3, done.err
    assert lab.outcomes(done.json) == {
        ("ref", "one"): ("measured", set()),
        ("ref", "two"): ("failed", {"lost"}),
    }


def test_no_board_at_all_is_refused_before_anything_is_measured(lab):
    lab.plug("one")
    lab.unplug("one")
    done = lab.collection("--json", members="one")
    assert done.code == 2, done.err
    assert "there is no port" in done.err
