"""Reference results of motebench: they exist, equal those of the code, and `choose` uses them."""

from __future__ import annotations

import re

import pytest

from motebench.advise.choice.measured import has_results
from motebench.advise.reference.make import FLOW_TARGETS, targets
from motebench.advise.reference.table import flows, followed_targets, references
from motebench.catalog.currents import supply_current
from motebench.catalog.devices import devices, programmable
from motebench.catalog.policies import choice, claim
from motebench.catalog.quantities import State
from motebench.targets.firmware import own_implementations
from tests.integration.conftest import need_simulator

LONG = {
    f"sim:{name}"
    for name in (
        "atmega328p",
        "atmega4809",
        "nrf52840",
        "cortex-m3-nows",
        "cortex-m4-nows",
        "rp2040",
        "rp2040-xip",
        "rp2350-hazard3",
        "rp2350-m33",
        "sam3x8e",
        "stm32f407",
        "stm32l4",
        "stm32wl",
    )
}
"""Further targets of an architecture that another target stands for."""


BOARDS = [name for name in targets() if name.startswith("sim:")]
"""The simulated ones; the others are processors of Linux boards."""


def test_every_board_has_results_of_every_own_implementation():
    assert sorted(references()) == targets()
    for reference in (references()[name] for name in BOARDS):
        there = {entry.implementation for entry in reference.entries.values()}
        lacks = set(own_implementations()) - there
        # No set of these fits the smallest board
        missing = {"sim:atmega328p": {"mote/slh-dsa", "mote/xmss"}}
        assert lacks <= missing.get(reference.target, set())
        assert reference.provenance["compiler"] and reference.provenance["motebench"]
        measured = [entry for entry in reference.entries.values() if not entry.failure]
        assert len(measured) > 800 and all(entry.values["cycles"] > 0 for entry in measured)


WITHOUT_RESULTS = {"ch32v003"}
"""Parts whose core no reference results are of: `choose` says so."""
WITHOUT_CURRENTS = {
    "ch32v003", "rp2350-hazard3", "cortex-m0-nows", "cortex-m3-nows", "cortex-m33-nows",
    "cortex-m4-nows",
}  # fmt: skip


def test_choose_has_results_for_every_simulated_part():
    assert {name for name, part in programmable().items() if not has_results(part)} == (
        WITHOUT_RESULTS
    )
    unproven = {name for name, part in programmable().items() if part.unproven is not None}
    assert unproven <= {
        entry.device for entry in choice().stand_ins if entry.target == f"sim:{entry.device}"
    }


def test_battery_has_currents_of_every_simulated_part():
    assert {
        name
        for name, part in programmable().items()
        if not all(supply_current(part, state) for state in (State.ACTIVE, State.SLEEP))
    } == WITHOUT_CURRENTS


@pytest.mark.parametrize(
    "target",
    [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in BOARDS],
)
def test_they_are_what_the_code_gives(target, motebench):
    need_simulator(programmable()[target.removeprefix("sim:")])
    asked = ("--target", target, "--implementation", "mote/xtea,mote/ascon,mote/sha-256-small")
    done = motebench("reference", "check", *asked)
    assert done.code == 0, done.out
    assert "3 implementations checked: 0 cases changed" in done.out


@pytest.mark.parametrize("target", sorted(set(targets()) - set(BOARDS)))
def test_processors_have_counts_of_a_whole_library_and_of_own_code(target):
    reference = references()[target]
    counted = [entry for entry in reference.entries.values() if not entry.failure]
    assert len(counted) > 300 and all(entry.values["instructions"] > 0 for entry in counted)
    assert {"openssl", "mote/aes-small"} <= {entry.implementation for entry in counted}
    assert reference.provenance["compiler"].startswith("Clang")


def test_flows_of_secrets_are_whole_and_cover_every_core():
    assert set(followed_targets()) == set(FLOW_TARGETS)
    cores = {programmable()[name.removeprefix("sim:")].architecture for name in FLOW_TARGETS}
    assert cores == {"avr", "avrxt", "armv6-m", "armv7-m", "armv7e-m", "armv8-m.main", "riscv32"}
    for target in FLOW_TARGETS:
        results = [result for some in flows(target).values() for result in some]
        assert len(results) > 40
        assert all(result.code and result.commit for result in results)
        assert all(result.ran <= result.lines for result in results)


@pytest.mark.parametrize("target", FLOW_TARGETS)
def test_flows_of_secrets_are_what_the_code_gives(target, motebench):
    need_simulator(programmable()[target.removeprefix("sim:")])
    asked = ("--target", target, "--implementation", "mote/ascon", "--scheme", "ascon-aead128")
    done = motebench("reference", "check", "--secret-flow", *asked)
    assert done.code == 0, done.out
    assert "1 schemes followed: 0 changed" in done.out


def test_own_claims_of_constant_time_are_not_refuted():
    own = [name for name in own_implementations() if claim(name) is not None]
    errors = [
        f"{target} {result.scheme} {result.implementation} {result.operation}: {result.first}"
        for target in FLOW_TARGETS
        for (_, implementation), results in flows(target).items()
        if implementation in own
        for result in results
        if result.errors
    ]
    assert errors == []


def test_a_choice_needs_no_compiler(motebench):
    asked = (
        "--message",
        "24",
        "--every",
        "10min",
        "--radio",
        "sx1276",
        "--lorawan",
        "EU868",
        "--dr",
        "3",
    )
    limits = (
        "--need",
        "aead",
        "--strength",
        "128",
        "--flash",
        "16KiB",
        "--ram",
        "1KiB",
        "--max-latency",
        "50ms",
    )
    for device in ("samd21g18a", "atmega2560", "atmega328p"):
        done = motebench(
            "choose", "--device", device, *asked, "--battery", "cr2032", *limits, PATH="/nowhere"
        )
        assert done.code == 0, done.err
        assert re.search(r"life [\d.]+ (days|years) \(", done.out)


def test_results_of_boards_with_one_core_are_within_the_factors_between_them():
    compared = 0
    for entry in choice().same_cores:
        core = devices()[entry.target.removeprefix("sim:")].core
        for name in entry.devices:
            assert devices()[name].core == core
            own = references().get(f"sim:{name}")
            for key, case in (own.entries if own else {}).items():
                other = references()[entry.target].entries.get(key)
                if other is None or case.failure or other.failure:
                    continue
                bounds = entry.time(case.operation)
                ratio = case.values["cycles"] / other.values["cycles"]
                assert bounds.low <= ratio <= bounds.high, (name, key)
                compared += 1
    assert compared > 15_000
