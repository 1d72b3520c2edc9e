"""A store for views of the explorer: two devices and a host, seven months, four schemes.

Sizes and cycles are made up for tests: no number of a measurement is in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.store import Store

SAMD, AVR = "sim:samd21g18a", "sim:atmega328p"
MONTHS = 12
"""Runs of the months of a year, the first of them in January."""
FIRST_SLOWER = 9
"""The number of the run with which a new compiler makes one case slower."""
UNITS = {"time": "ns", "cycles": "cycles", "flash_net": "B", "static_ram_net": "B", "stack": "B"}


def case(scheme: str, implementation: str, target: str, size: int = 64) -> Case:
    """A case of authenticated encryption."""
    return Case(scheme, implementation, Operation.ENCRYPT_MESSAGE, size, target, implementation)


ASCON, BITS = case("ascon-aead128", "mote/ascon", SAMD), case("ascon-aead128", "mote/bi32", SAMD)
GCM, SLOW = case("aes-128-gcm", "mote/gcm", SAMD), case("aes-128-ccm", "mote/ccm", SAMD)
ON_AVR = case("ascon-aead128", "mote/ascon", AVR)
HOST = case("aes-128-gcm", "openssl", "host")
LEVELS: dict[Case, dict[str, float]] = {
    ASCON: {"cycles": 12000, "flash_net": 2048, "static_ram_net": 16, "stack": 200},
    BITS: {"cycles": 9000, "flash_net": 4096, "static_ram_net": 16, "stack": 200},
    GCM: {"cycles": 30000, "flash_net": 6000, "static_ram_net": 32, "stack": 500},
    SLOW: {"cycles": 31000, "flash_net": 7000, "static_ram_net": 40, "stack": 510},
    ON_AVR: {"cycles": 90000, "flash_net": 3000, "static_ram_net": 16, "stack": 150},
}


def add_run(
    store: Store,
    name: str,
    levels: dict[Case, dict[str, float]],
    *,
    environment: dict[str, Any] | None = None,
    evidence: Evidence | None = None,
) -> int:
    """A run in which each metric of a case has six samples, equal if a simulator counts."""
    run = store.create_run(
        name, "", {"command": "motebench run"}, environment or {}, 1, "1.0", levels
    )
    for of_case, metrics in levels.items():
        for metric, level in metrics.items():
            simulated = of_case.target.startswith("sim:")
            kind = evidence or (Evidence.SIMULATED if simulated else Evidence.MEASURED)
            series = Series(metric, UNITS[metric], 1.0, 0.0, "counter", kind)
            for number in range(6):
                raw = level if simulated else level * (1 + 0.001 * (number % 3))
                store.add_samples(run, of_case, [(series, Sample(number, raw, at=float(number)))])
        store.finish_case(run, of_case)
    store.finish_run(run, "finished")
    return run


def environment_of(compiler: str) -> dict[str, Any]:
    """Facts that a run recorded of its host and probes."""
    facts = {"version": "1.2", "compiler": compiler}
    probes = {
        f"{SAMD} {name}": facts for name in ("mote/ascon", "mote/bi32", "mote/gcm", "mote/ccm")
    }
    return {
        "host": {"cpu_model": "Core", "os": "Debian"},
        "probes": {**probes, "openssl": {"version": "3.0.1", "compiler": compiler}},
    }


def make(path: Path) -> Path:
    """The store: a run of each month. From `FIRST_SLOWER` on, another compiler makes `ASCON` need
    more cycles and flash, and `BITS` fewer; the host is slower, too."""
    with Store.open(path, create=True) as store:
        for month in range(1, MONTHS + 1):
            levels = {of_case: dict(metrics) for of_case, metrics in LEVELS.items()}
            later = month >= FIRST_SLOWER
            if later:
                levels[ASCON] |= {"cycles": 13200, "flash_net": 2200}
                levels[BITS] |= {"cycles": 8000}
            noise = 1 + 0.002 * (month * 7 % 5 - 2)
            levels[HOST] = {"time": 500.0 * noise * (1.2 if later else 1.0)}
            compiler = "gcc 13.2" if later else "gcc 12.2"
            run = add_run(store, f"month-{month:02}", levels, environment=environment_of(compiler))
            if later:
                store.set_tags(run, ["gcc13"])
        store.add_note(run, "the newest run of the year")
    date(path, {f"month-{month:02}": f"2026-{month:02}-15" for month in range(1, MONTHS + 1)})
    return path


def date(path: Path, days: dict[str, str]) -> None:
    """The days on which runs began, by their names."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        for name, day in days.items():
            connection.execute(
                text("UPDATE runs SET started = :moment WHERE name = :name"),
                {"moment": f"{day}T10:00:00+00:00", "name": name},
            )
    engine.dispose()
