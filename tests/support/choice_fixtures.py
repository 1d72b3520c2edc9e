"""Reference results made up for tests of the choice, and a way to ask. No measurement is behind
them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import jsonschema
from click.testing import CliRunner

from motebench.advise.choice.choosing import answer
from motebench.advise.choice.question import Chosen
from motebench.advise.choice.request import ChoiceRequest
from motebench.advise.radio.lorawan import link
from motebench.advise.reference import table
from motebench.advise.reference.table import METRICS_KEPT, ReferenceCase, write
from motebench.catalog.devices import devices
from motebench.catalog.parts import BATTERIES
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.cli.commands.choose import command
from motebench.documents import schema

SIZES = (8, 16, 24, 32, 48, 64, 128, 256)
MEMORY = {"stack": 300, "state": 200, "static_ram": 11000, "flash": 20000}


def message(
    scheme: str, implementation: str, cycles: Mapping[int, int] | int, **memory: int
) -> list[ReferenceCase]:
    """Results of `encrypt-message`: cycles by size, or the same at each."""
    by_size = cycles if isinstance(cycles, Mapping) else dict.fromkeys(SIZES, cycles)
    return operation("encrypt-message", scheme, implementation, by_size, **memory)


def operation(
    name: str, scheme: str, implementation: str, cycles: Mapping[int, int], **memory: int
) -> list[ReferenceCase]:
    """Results of an operation by size; memory beside that of ``MEMORY``, as far as this version
    keeps it.
    """
    kept = {key: value for key, value in {**MEMORY, **memory}.items() if key in METRICS_KEPT}
    return [
        ReferenceCase(scheme, implementation, name, size, {"cycles": count, **kept})
        for size, count in cycles.items()
    ]


def keep(target: str, entries: Iterable[ReferenceCase]) -> None:
    """Make these the reference results of a target."""
    write(target, {"compiler": "a compiler 1.0"}, entries)


@dataclass(frozen=True)
class Reply:
    """Exit code, output, and the document if JSON was requested."""

    code: int
    out: str
    document: dict[str, Any]

    @property
    def order(self) -> list[tuple[str, str]]:
        return [(entry["scheme"], entry["implementation"]) for entry in self.document["candidates"]]

    def candidate(self, scheme: str, implementation: str = "") -> dict[str, Any]:
        return _one(self.document["candidates"], scheme, implementation)

    def rejected(self, scheme: str, implementation: str = "") -> dict[str, dict[str, Any]]:
        """The broken limits of a rejected one, by name."""
        return {
            broken["limit"]: broken
            for broken in _one(self.document["rejected"], scheme, implementation)["broken"]
        }


def _one(entries: list[dict[str, Any]], scheme: str, implementation: str) -> dict[str, Any]:
    found = [
        entry
        for entry in entries
        if entry["scheme"] == scheme and implementation in ("", entry["implementation"])
    ]
    assert len(found) == 1, [entry["scheme"] for entry in entries]
    return found[0]


def _words(line: str) -> list[str]:
    """The options, with own implementations among the candidates and no indifference unless they
    say otherwise.
    """
    words = line.split()
    words += [] if "--include" in words else ["--include", "research"]
    return words if "--equal" in words else [*words, "--equal", "none"]


def ask(line: str, *more: str, plain: bool = False) -> Reply:
    """The answer as JSON, checked against its schema. What the command raises is raised. ``plain``:
    without the options that tests of other things take."""
    words = line.split() if plain else _words(line)
    result = CliRunner().invoke(command, [*words, *more, "--json"], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    document = json.loads(result.stdout)
    jsonschema.Draft202012Validator(schema("choice")).validate(document)
    return Reply(result.return_value, result.stdout, document)


def text(line: str) -> str:
    """The whole answer as a person reads it."""
    result = CliRunner().invoke(command, [*_words(line), "--details"], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def own_place(tmp_path: Any, monkeypatch: Any) -> None:
    """Reference results in a folder of the test's own."""
    monkeypatch.setattr(table, "catalog_dir", lambda: tmp_path)
    table.references.cache_clear()


def sensor(**changes: Any) -> ChoiceRequest:
    """A sensor with a radio and a battery, which sends a message every ten minutes."""
    request = ChoiceRequest(
        device=devices()["samd21g18a"],
        message_bytes=24,
        every_s=600.0,
        link=link(RADIOS.find("sx1276", None), REGIONS.find("EU868", None), 3),
        battery=BATTERIES.find("ls14500", None),
        research=True,
    )
    return replace(request, **changes)


def made_up(tmp_path: Any, monkeypatch: Any) -> Chosen:
    """The answer for the sensor from made-up results of several ciphers and MACs."""
    own_place(tmp_path, monkeypatch)
    chance = random.Random(3)

    def cycles(least: int) -> dict[int, int]:
        return {size: least + round(size * least / 30) + chance.randint(0, 99) for size in SIZES}

    entries = [
        entry
        for scheme, by in (
            ("aes-128-ccm", "mbedtls/aes"),
            ("aes-256-gcm", "mbedtls/aes"),
            ("aes-128-cbc", "mote/aes-ct"),
            ("ascon-aead128", "mote/ascon"),
            ("chacha20-poly1305", "mbedtls/chacha20"),
            ("3des-eax", "libtomcrypt/3des"),
            ("xtea-eax", "mote/xtea"),
            ("chacha20", "mote/chacha20"),
            ("aes-128-ctr", "mote/aes-fast"),
        )
        for entry in message(
            scheme,
            by,
            cycles(chance.randint(20_000, 900_000)),
            stack=chance.randint(100, 900),
            flash=22_000 + chance.randint(0, 4_000),
            flash_net=chance.randint(500, 5_000),
        )
    ]
    for name in ("hmac-sha256", "hmac-sha512", "hmac-sha3-256"):
        net = chance.randint(1_000, 6_000)
        entries += operation(
            "mac", name, f"mote/{name[5:]}", cycles(60_000), flash=20_000 + net, flash_net=net
        )
    keep("sim:samd21g18a", entries)
    return answer(sensor())
