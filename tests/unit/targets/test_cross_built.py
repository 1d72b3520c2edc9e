"""Builds for other machines: libraries from pinned sources, symbols of user code, features of a
machine.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from motebench.base.files import elf
from motebench.targets.host.cross_machines import cross_machines
from motebench.targets.host.emulated import Emulation
from motebench.targets.host.machine import Program
from motebench.targets.registry import open_target
from motebench.targets.setup import building
from motebench.targets.setup.vendor import source as fetching
from motebench.targets.setup.vendor.__main__ import main as vendor_main
from motebench.targets.setup.vendor.source import adapters_dir, libraries, sources, vendor_dir

LIBRARIES = {"openssl", "libsodium", "mbedtls"}


def test_whole_libraries_have_a_script_and_pinned_sources() -> None:
    assert set(libraries()) == LIBRARIES
    for name, source in libraries().items():
        assert source.name == name
        assert os.access(adapters_dir() / name / "cross.sh", os.X_OK)
    assert libraries()["mbedtls"] is sources()["mbedtls"]  # the sources that boards are built of
    assert not {"openssl", "libsodium"} & set(sources())  # make setup does not fetch them
    assert libraries()["openssl"].wrappers == adapters_dir() / "openssl"
    assert libraries()["mbedtls"].wrappers == vendor_dir() / "mbedtls"


def test_libraries_are_offered_for_every_machine_but_not_built_without_being_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[Sequence[str]] = []
    monkeypatch.setattr(building, "build_cross", lambda _, names: built.append(list(names)))
    monkeypatch.setattr("motebench.targets.host.emulated.cross_probes", lambda _: {})
    monkeypatch.setattr(building, "_tools_lack", lambda: None)
    target = open_target("emu:aarch64")
    offered = target.implementations()
    assert set(offered) >= {*LIBRARIES, "openssl@no-crypto", "mbedtls/aes", "mote/aes-fast"}
    assert not {"botan", "libgcrypt", "nettle"} & set(offered)  # no sources of these are pinned
    assert not {name for name in target.ready() if name.partition("@")[0] in LIBRARIES}
    assert "mote/aes-fast" in target.ready()
    target.prepare(["openssl", "openssl@no-crypto"])
    assert built == [["openssl"]]


def test_sources_are_fetched_before_what_is_built_from_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(building, "_make", lambda _, parts: asked.append(list(parts)))
    building.build_cross("armv6", ["openssl", "mote/aes-fast", "mbedtls/aes"])
    assert asked == [
        [
            "sources/openssl",
            "sources/mbedtls",
            "cross/armv6/openssl",
            "cross/armv6/mote/aes-fast",
            "cross/armv6/mbedtls/aes",
        ]
    ]


def test_probes_of_a_machine_are_told_what_the_emulator_cannot_leave_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[dict[str, str]] = []

    class Stream:
        def __init__(self, command: list[str], environment: dict[str, str], alone: bool) -> None:
            del command, alone
            given.append(environment)

    monkeypatch.setattr("motebench.targets.host.emulated.ProcessStream", Stream)
    monkeypatch.setattr(Emulation, "_check", lambda _: None)
    target = open_target("emu:aarch64")
    place = target.place
    assert isinstance(place, Emulation)
    variant = dict(target._offered())["openssl@no-crypto"]
    environment = variant.environment  # type: ignore[attr-defined]
    place.connect(Program(("probe",), environment))
    (seen,) = given
    assert seen["OPENSSL_armcap"] == "0x1"
    # AES PMULL SHA1 SHA2
    assert int(seen["MOTEBENCH_HWCAP_WITHOUT"], 16) == sum(1 << bit for bit in (3, 4, 5, 6))
    assert "environment" not in cross_machines()["aarch64-crypto"].emulator.model_fields_set


def test_crate_comes_from_the_cache_of_cargo_and_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = libraries()["openssl"]
    home = tmp_path / "home"
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text(
        "#!/bin/sh\ngrep -q 'openssl-src = \"=300.5.4\"' Cargo.toml || exit 1\n"
        f"mkdir -p {home}/registry/cache/one && printf other "
        f'>"{home}/registry/cache/one/{source.file}"\n'
    )
    cargo.chmod(cargo.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{cargo.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("CARGO_HOME", str(home))
    monkeypatch.setattr(fetching, "unpacked_dir", lambda: tmp_path / "vendor")
    with pytest.raises(fetching.FetchError, match="is pinned; the file was removed"):
        fetching.download(source)
    assert not (tmp_path / "vendor" / "downloads" / source.file).exists()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(fetching.FetchError, match="no cargo") as caught:
        fetching.download(source)
    assert "downloads" in (caught.value.hint or "")


def test_library_that_is_not_pinned_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["vendor", "opensll"])
    assert vendor_main() == 2
    assert "no sources are pinned for opensll; valid: aws-lc, bearssl," in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("ld") is None, reason="no compiler")
def test_symbols_of_an_object_get_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "int shared = 3;\nstatic int own = 4;\n__attribute__((weak)) int helper(int x) { return "
        "x + shared + own; }\n"
    )
    (tmp_path / "b.c").write_text("int helper(int);\nint wanted(int x) { return helper(x); }\n")
    (tmp_path / "main.c").write_text(
        "int wanted(int);\nint shared = 50;\nint helper(int x) { return -x; }\n"
        "int main(void) { return wanted(1) + shared + helper(8); }\n"
    )
    run = lambda *words: subprocess.run(words, cwd=tmp_path, check=True)  # noqa: E731
    for name in ("a", "b"):
        run("cc", "-O1", "-c", f"{name}.c")
    run("ld", "-r", "-o", "whole.o", "a.o", "b.o")
    changed = elf.keep_only(tmp_path / "whole.o", {"wanted"}, ".code")
    (tmp_path / "changed.o").write_bytes(changed)
    run("cc", "-o", "program", "main.c", "changed.o")
    assert subprocess.run([tmp_path / "program"], check=False).returncode == 1 + 3 + 4 + 50 - 8
    assert ".text" in elf.sections(tmp_path / "changed.o")


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF", b"\x7fELF\x02\x01" + b"\xff" * 200, b"!<arch>\n" + b" " * 100]
)
def test_file_that_is_no_object_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "thing.o"
    path.write_bytes(content)
    for work in (lambda: elf.keep_only(path, (), ".code"), lambda: elf.sections(path)):
        with pytest.raises(elf.ObjectError, match=r"thing\.o: it is not"):
            work()
