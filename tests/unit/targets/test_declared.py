"""Builds of needed parts only: the offers of implementations are declared, and the declarations are
true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Scheme
from motebench.base.naming import is_variant
from motebench.catalog import schemes
from motebench.measuring import signing
from motebench.measuring.leak.examination import LeakRequest, examine
from motebench.measuring.plan.plan import FoundTargets, find_targets
from motebench.measuring.study.load import Options, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.measuring.verify.verification import verify
from motebench.targets.board import simulated
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware import sources
from motebench.targets.firmware.sources import own_implementations
from motebench.targets.host import this_machine
from motebench.targets.host.this_machine import this_machine as host
from motebench.targets.registry import open_target
from motebench.targets.setup import building
from motebench.targets.setup.declared import declarations, may_offer
from motebench.targets.setup.vendor.source import implementations as pinned

ASCON = {"mote/ascon", "mote/ascon-bi32"}


class Built(list[str]):
    """Implementations that a fake builder was asked for."""

    def add(self, names: Sequence[str]) -> str:
        self.extend(names)
        return "not built by a test"


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Iterator[Built]:
    """A checkout in which nothing is built yet, and a builder that only records."""
    record = Built()
    monkeypatch.setattr(building, "_tools_lack", lambda: None)
    monkeypatch.setattr(this_machine, "probe_dirs", lambda: [])
    monkeypatch.setattr(this_machine, "build", record.add)
    monkeypatch.setattr("motebench.targets.host.emulated.cross_probes", lambda _: {})
    monkeypatch.setattr(building, "build_cross", lambda _, names: record.add(names))
    monkeypatch.setattr("motebench.targets.host.emulated.Emulation._check", lambda _: None)
    monkeypatch.setattr(simulated, "simulator", lambda _: None)
    building._recipes.cache_clear()
    yield record
    building._recipes.cache_clear()


def found(**options: str) -> FoundTargets:
    spelt = Options(**{key: (value,) for key, value in options.items()})
    return find_targets(from_options(spelt, Sampling(), WholeFile()))


def in_catalog(names: Sequence[str]) -> list[Scheme]:
    return [schemes()[name] for name in names]


# What is built


@pytest.mark.parametrize("target", ["sim:atmega328p", "emu:aarch64"])
def test_a_run_builds_the_implementations_that_offer_its_scheme_and_no_others(
    built: Built, target: str
) -> None:
    answers = found(targets=target, schemes="ascon-aead128").answers[target]
    assert set(built) == ASCON
    assert {
        failure.implementation for failure in answers.failures
    } == ASCON  # the fake builder built nothing
    assert "mote/aes-small" in answers.offers and answers.offers["mote/aes-small"] == {}


def test_patterns_of_implementations_build_only_those_that_offer_the_scheme(built: Built) -> None:
    found(targets="host", schemes="md5", implementations="mote/*")
    assert built == ["mote/md5"]


def test_a_named_implementation_without_the_scheme_is_answered_and_not_built(built: Built) -> None:
    answers = found(
        targets="sim:atmega328p", schemes="ascon-aead128", implementations="mote/aes-small"
    ).answers
    assert built == [] and answers["sim:atmega328p"].offers == {"mote/aes-small": {}}


def test_levels_and_compilers_of_an_implementation_are_declared_with_it(built: Built) -> None:
    found(targets="sim:atmega328p", schemes="ascon-aead128", implementations="mote/*@O2")
    assert set(built) == ASCON


def test_libraries_without_the_algorithm_are_not_built(built: Built) -> None:
    found(targets="host", schemes="ascon-aead128", implementations="mbed*,libgcry*,bouncy*")
    assert set(built) <= {"bouncycastle"}


def test_verify_leak_and_signing_build_only_what_offers_their_schemes(
    built: Built, tmp_path: Path
) -> None:
    workspace = Workspace()
    verify(workspace, ["sim:atmega328p"], [], ["ascon-aead128"], None)
    assert set(built) == ASCON
    built.clear()
    with pytest.raises(InputError, match="nothing that is selected") as refused:
        verify(workspace, ["sim:atmega328p"], ["mote/aes-*"], ["ascon-aead128"], None)
    assert refused.value.where == "--implementation"
    with pytest.raises(InputError, match="has none of these schemes") as refused:
        examine(
            tmp_path / "m.db",
            workspace,
            LeakRequest("sim:atmega328p", "mote/ascon", ["aes-128-ecb"], [], "16", None, 1),
            MagicMock(),
        )
    assert "ascon-aead128" in (refused.value.valid or "")
    assert signing.measure(["sim:atmega328p"], ["mote/a*"], ["ml-dsa-44"], 1, 1, print).rows == ()
    assert built == []


# Whether the declarations are true


@pytest.mark.skipif(not own_implementations(), reason="no sources")
def test_every_implementation_for_boards_is_declared() -> None:
    assert {*own_implementations(), *pinned()} <= set(declarations())
    assert all(declarations()[name].exact for name in (*own_implementations(), *pinned()))


def test_declarations_name_implementations_that_there_are() -> None:
    assert set(declarations()) <= {*own_implementations(), *pinned(), *_with_libraries()}


def _with_libraries() -> set[str]:
    return {name for name in building.known() if "/" not in name}


def test_probes_answer_what_is_declared() -> None:
    target = host()
    differ: dict[str, set[str]] = {}
    for name in target.ready():
        declaration = declarations().get(name)
        if is_variant(name) or declaration is None:
            continue
        session = target.open(name)
        try:
            offered = set(session.offers())
        finally:
            session.close()
        here = {scheme for scheme in offered if scheme in schemes()}
        allowed = {scheme.name for scheme in schemes().values() if declaration.allows(scheme)}
        wrong = here ^ allowed if declaration.exact else here - allowed
        if declaration.exact and declaration.names is not None:
            wrong |= {scheme for scheme in offered if not declaration.names.match(scheme)}
        if wrong:
            differ[name] = wrong
    assert not differ


def test_an_implementation_that_nothing_declares_may_offer_everything() -> None:
    assert may_offer("somebody/else", in_catalog(["md5"]))
    assert not may_offer("mote/aes-small", in_catalog(["md5"]))
    assert may_offer("mote/aes-small", in_catalog(["md5", "aes-128-ecb"]))


def test_a_probe_that_is_there_is_asked_whatever_is_declared() -> None:
    target = open_target("host")
    if "mote/aes-small" not in target.ready():
        pytest.skip("mote/aes-small is not built")
    assert target.may_offer("mote/aes-small", in_catalog(["md5"]))


# What is compiled for firmware


@pytest.mark.parametrize(
    ("implementation", "folders"),
    [
        ("mote/ascon", {"ascon"}),
        ("mote/aes-small", {"aes"}),
        ("mote/sha-1", {"sha1", "merkle_damgard"}),
        ("mote/ml-kem-small", {"ml-kem", "sha3"}),
        # Its adapter declares the implementation of SHA-512, for messages that are hashed before.
        ("mote/ml-dsa", {"ml-dsa", "sha3", "sha2", "merkle_damgard"}),
        # SLH-DSA calls SHA-256, SHA-512 (which share a frame) and SHAKE; its adapter includes their
        # headers too.
        ("mote/slh-dsa", {"slh_dsa", "sha2", "merkle_damgard", "sha3"}),
    ],
)
@pytest.mark.parametrize("architecture", ["avr", "armv7e-m"])
def test_firmware_of_an_own_implementation_has_the_sources_that_it_may_call(
    implementation, folders, architecture
):
    ciphers = sources.core_dir() / "ciphers"
    compiled = sources.own_sources(implementation, architecture)
    assert {path.parent.name for path in compiled if path.parent.parent == ciphers} == folders
    every = sources.cipher_sources(architecture)
    # In the order of all: an image is the same with and without what the linker leaves out of it.
    assert compiled == [path for path in every if path in compiled]
    assert [path for path in every if path.parent.parent != ciphers] == [
        path for path in compiled if path.parent.parent != ciphers
    ]


def test_every_own_implementation_is_compiled_for_its_firmware():
    assert len(own_implementations()) > 40
    for name, file in own_implementations().items():
        folder = file.parent.name.replace("public", Path(file).stem)
        compiled = {
            path.parent.name.replace("-", "_") for path in sources.own_sources(name, "armv7e-m")
        }
        folder = folder.replace("-", "_").removesuffix("_small")
        assert compiled & {folder, {"x25519": "curve25519"}.get(folder), "small_curves"}, name


# The list of shared sources


def listed() -> list[str]:
    lines = (sources.core_dir() / "sources.txt").read_text(encoding="utf-8").splitlines()
    return [line.split()[1] for line in lines if line and not line.startswith("#")]


def test_each_shared_source_is_listed_once() -> None:
    core = sources.core_dir()
    folders = {Path(path).parent for path in listed()}
    assert len(folders) == 7
    present = [path for folder in folders for path in (core / folder).glob("*.[cS]")]
    assert sorted(listed()) == sorted(str(path.relative_to(core)) for path in present)


def test_build_files_and_firmware_name_no_source_that_is_listed() -> None:
    core, firmware = sources.core_dir(), Path(sources.__file__).parent
    files = [*core.rglob("CMakeLists.txt"), *core.rglob("*.cmake")]
    files += [*firmware.glob("*.py"), *(firmware.parent / "code").glob("*.py")]
    assert len(files) > 35
    ends = {"/".join(Path(path).parts[-2:]) for path in listed()}
    named = {
        f"{file.name}: {path}"
        for file in files
        for path in re.findall(
            r"[\w.-]+/[\w.-]+\.[cS]\b", re.sub(r'[" ]', "", file.read_text(encoding="utf-8"))
        )
        if path in ends
    }
    assert not named
