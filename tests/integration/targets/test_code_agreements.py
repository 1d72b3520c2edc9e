"""Key agreement that users bring, through crypto_scalarmult and crypto_dh of SUPERCOP."""

from __future__ import annotations

from pathlib import Path

import agreement_folders as form
import pytest

from motebench.catalog.devices import devices
from tests.integration.conftest import Motebench, need_simulator

QUICK = ("--fast", "--budget", "100ms", "--json")
INTERFACES = {
    "scalarmult": (form.SCALARMULT, form.SCALARMULT_API),
    "dh": (form.DH, form.DH_API),
}


@pytest.mark.parametrize("interface", INTERFACES)
def test_it_passes_the_known_answers_of_its_scheme_and_is_measured(
    motebench: Motebench, tmp_path: Path, interface: str
) -> None:
    folder = form.folder(tmp_path / "ref", *INTERFACES[interface])
    result = motebench(
        "run", "--code", str(folder), "--code-flags=-DMOTE_PORTABLE", "--scheme", "x25519", *QUICK
    )
    assert result.code == 0, result.err
    (row,) = [row for row in result.json["measurements"] if row["metric"] == "time"]
    assert (row["scheme"], row["operation"]) == ("x25519", "agree")
    assert row["implementation"] == "code/ref"
    assert any("known answers of x25519" in note for note in result.json["run"]["notes"])


@pytest.mark.parametrize("interface", INTERFACES)
def test_on_a_board_it_takes_the_cycles_of_the_same_code_in_a_library(
    motebench: Motebench, tmp_path: Path, interface: str
) -> None:
    need_simulator(devices()["cortex-m3-nows"])
    folder = form.folder(tmp_path / "ref", *INTERFACES[interface])
    result = motebench(
        *("run", "--code", str(folder), "--code-flags=-DMOTE_PORTABLE", "--scheme", "x25519"),
        *("--target", "sim:cortex-m3-nows", "--json"),
    )
    assert result.code == 0, result.err
    (row,) = [row for row in result.json["measurements"] if row["metric"] == "cycles"]
    assert row["median"] > 1_000_000


def test_a_wrong_secret_is_a_failure_with_its_kind(motebench: Motebench, tmp_path: Path) -> None:
    source = form.SCALARMULT.replace(
        "mote_x25519(q, n, p);", "mote_x25519(q, n, p);\n    q[31] ^= p[0] == 0xe6;"
    )
    folder = form.folder(tmp_path / "ref", source, form.SCALARMULT_API)
    result = motebench(
        "run", "--code", str(folder), "--code-flags=-DMOTE_PORTABLE", "--scheme", "x25519", *QUICK
    )
    assert {failure["kind"] for failure in result.json["failures"]} == {"wrong-answer"}
    assert result.json["measurements"] == []


def test_without_a_scheme_the_message_names_the_ones_that_fit(
    motebench: Motebench, tmp_path: Path
) -> None:
    folder = form.folder(tmp_path / "ref", form.SCALARMULT, form.SCALARMULT_API)
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 2
    assert "ref is a key agreement" in result.err
    assert "valid: the scheme of the catalog that it computes: x25519" in result.err


def test_a_scheme_of_other_sizes_is_refused(motebench: Motebench, tmp_path: Path) -> None:
    folder = form.folder(tmp_path / "ref", form.DH, form.DH_API)
    result = motebench("run", "--code", str(folder), "--scheme", "ecdh-p256", *QUICK)
    assert result.code == 2
    assert "CRYPTO_PUBLICKEYBYTES is 32, ecdh-p256 has a public key of 64 B" in result.err


def test_sizes_that_are_no_sizes_are_refused(motebench: Motebench, tmp_path: Path) -> None:
    api = form.DH_API.replace("SECRETKEYBYTES 32", "SECRETKEYBYTES 0")
    folder = form.folder(tmp_path / "ref", form.DH, api)
    result = motebench("run", "--code", str(folder), "--scheme", "x25519", *QUICK)
    assert result.code == 2
    assert "CRYPTO_SECRETKEYBYTES is 0" in result.err
