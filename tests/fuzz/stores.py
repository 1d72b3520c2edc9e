"""A store with something in every column, and ways to damage it that SQLite allows."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.model import (
    Case,
    Evidence,
    Failure,
    FailureKind,
    LeakRecord,
    Operation,
    Sample,
    Series,
)
from motebench.measuring.study.load import from_options
from motebench.measuring.study.model import PRESETS
from motebench.store import Store, schema

HOST = {
    "host": {
        "cpu_model": "A Processor",
        "architecture": "x86_64",
        "threads": 4,
        "load": [0.5, 0.2, 0.1],
        "kernel": "Linux 6",
        "governor": "powersave",
        "frequency_limits": {"min": 800000, "max": 3000000},
        "frequency_now": 2000000,
        "throttling": ["heat"],
        "battery_percent": 20,
        "on_battery": True,
        "virtualization": "kvm",
        "turbo": True,
    },
    "probes": {
        "openssl": {
            "version": "OpenSSL 3",
            "compiler": "gcc",
            "flags": "-O2",
            "cpu_features": "OPENSSL_ia32cap=0xff:0x1",
            "clock": {"name": "clock", "hz": 10**9, "resolution": 1, "overhead": 20.0},
            "counter": None,
            "loop": 1.0,
        },
        "openssl@no-aes": {"version": "OpenSSL 3", "cpu_features": "OPENSSL_ia32cap=0x1:0x0"},
        "sim:samd21g18a mote/aes": {"version": "1", "clock": {"name": "c", "hz": 48000000}},
    },
    "boards": {"sim:samd21g18a": {"simulator": "x"}},
    "machines": {"ssh:pi": {"host": {"cores": 4}}},
    "code": {"mine": {"folder": "/x", "files": ["a.c"]}},
}
TIME = Series("time", "tick", 1.0, 20.0, "clock", Evidence.MEASURED, type_b=0.5)
OTHERS = (
    Series("cycles", "count", 1.0, 0.0, "tsc", Evidence.MEASURED),
    Series("cpu_time", "ns", 1.0, 0.0, "thread CPU time", Evidence.MEASURED),
    Series("peak_rss", "B", 1.0, 0.0, "VmHWM", Evidence.MEASURED),
    Series("peak_rss_floor", "B", 1.0, 0.0, "VmHWM", Evidence.MEASURED),
    Series("energy", "J", 1e-3, 0.0, "an instrument", Evidence.MEASURED),
    Series("warmup_time", "tick", 1.0, 20.0, "clock", Evidence.MEASURED),
)
CASES = (
    Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl"),
    Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 1024, "host", "openssl"),
    Case("aes-128-cbc", "openssl@no-aes", Operation.ENCRYPT, 16, "host", "openssl"),
    Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl", aad_bytes=8),
    Case("aes-128-gcm", "mote/aes", Operation.ENCRYPT_MESSAGE, 16, "sim:samd21g18a", "mote/aes"),
    Case("sha256", "openssl", Operation.DIGEST_FILE, 4096, "host", "openssl", file="a.bin"),
    Case("rsa-2048-pss-sha256", "openssl", Operation.SIGN, 32, "host", "openssl"),
    Case("sha256", "openssl", Operation.DIGEST, 64, "host", "openssl"),
)
FAILED = CASES[-1]
NAMES = ("first", "second", "third")


def make(path: Path, names: tuple[str, ...] = NAMES, rounds: int = 9) -> None:
    """Write the store: ``first`` and ``second`` are finished, ``third`` is not."""
    question = from_options_text()
    settings = {
        "study": "made up",
        "file": "study.toml",
        "policy": PRESETS["fast"].plain(),
        "budget_seconds": 10.0,
        "question": question,
        "skipped": [{"scheme": "x", "reason": "y"}],
    }
    with Store.open(path, create=True) as store:
        for at, name in enumerate(names):
            run = store.create_run(
                name, 'title = "made up"\n', settings, HOST, 7 + at, "0.1.0", CASES
            )
            for number in range(rounds):
                for place, case in enumerate(CASES[:-1]):
                    base = 1000.0 * (place + 1) + (number * 37 % 11) + 50 * at
                    taken = [(TIME, base + 20), *((one, base) for one in OTHERS)]
                    entries = [
                        (
                            one,
                            Sample(
                                number,
                                raw,
                                1 + place,
                                place,
                                float(number),
                                None,
                                "busy" if number == 3 else "",
                            ),
                        )
                        for one, raw in taken
                    ]
                    store.add_samples(run, case, entries)
            for case in CASES[:-1]:
                store.finish_case(run, case, ["a note"])
            store.add_leak(run, CASES[0], LeakRecord("key", {"verdict": "leaks"}))
            failure = Failure.of_case(
                CaseId("sha256", "openssl", "digest", 64, "host"),
                FailureKind.WRONG_ANSWER,
                "no",
                "tc 1",
            )
            store.fail_case(run, FAILED, failure)
            store.add_failure(
                run, Failure("sha1", "mbedtls", "host", FailureKind.BUILD, "not built")
            )
            store.add_note(run, "a note on the run")
            store.set_environment_end(run, {"host": {**HOST["host"], "load": [2.0, 1.0, 0.5]}})
            if name != "third":
                store.finish_run(run, "finished")


def from_options_text() -> str:
    """A question, as a run stores it."""
    from motebench.measuring.study.load import Options
    from motebench.measuring.study.model import Sampling, WholeFile

    options = Options(schemes=("sha256",), implementations=("openssl",), sizes=("64",))
    return from_options(options, Sampling(), WholeFile()).study.model_dump_json()


def loosen(path: Path) -> None:
    """Take every constraint and type off the columns: whoever sends a store can do so."""
    with sqlite3.connect(path) as raw:
        for table in schema.METADATA.sorted_tables:
            names = ", ".join(f'"{name}"' for name in [each.name for each in table.columns])
            raw.execute(f"CREATE TABLE loose ({names})")
            raw.execute(f'INSERT INTO loose SELECT {names} FROM "{table.name}"')
            raw.execute(f'DROP TABLE "{table.name}"')
            raw.execute(f'ALTER TABLE loose RENAME TO "{table.name}"')
    raw.close()


def damage(path: Path, table: str, column: str, row: int, value: Any) -> bool:
    """Put a value into a column of a row (counted from 0, around the end). False if it cannot be
    put there.
    """
    key = "series_id, round" if table == "samples" else "id"
    with sqlite3.connect(path) as raw:
        keys = raw.execute(f'SELECT {key} FROM "{table}" ORDER BY {key}').fetchall()
        where = " AND ".join(f"{name} IS ?" for name in key.split(", "))
        try:
            raw.execute(
                f'UPDATE "{table}" SET "{column}" = ? WHERE {where}',
                (value, *keys[row % len(keys)]),
            )
        except sqlite3.IntegrityError:
            return False
    raw.close()
    return True
