"""Names of compilers, and of what they make."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.base.model import FailureKind
from motebench.base.naming import baseline, chooses, is_variant, plain
from motebench.catalog.devices import programmable
from motebench.targets.board.board import firmware_providers
from motebench.targets.firmware.build import made
from motebench.targets.firmware.toolchain import compiler_hint, compilers, named, toolchain
from motebench.targets.wire.messages import ProbeFailure

NAMES = ("mote/aes", "mote/aes@O2", "mote/aes+clang", "mote/aes@O2+clang", "mote/aes+gcc-14")


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("*", ["mote/aes"]),
        ("mote/*@*", ["mote/aes@O2"]),
        ("mote/*+clang", ["mote/aes+clang"]),
        ("*+*", ["mote/aes+clang", "mote/aes+gcc-14"]),
        ("*@*+*", ["mote/aes@O2+clang"]),
        ("mote/aes@O2+clang", ["mote/aes@O2+clang"]),
    ],
)
def test_another_compiler_is_only_meant_by_a_pattern_that_says_so(pattern, meant):
    assert [name for name in NAMES if chooses(pattern, name)] == meant


def test_what_a_variant_is_of_and_what_it_is_held_against():
    assert [plain(name) for name in NAMES] == ["mote/aes"] * 5
    assert [baseline(name) for name in NAMES] == [
        "mote/aes",
        "mote/aes",
        "mote/aes",
        "mote/aes@O2",
        "mote/aes",
    ]
    assert [is_variant(name) for name in NAMES] == [False, True, True, True, True]


def test_compilers_that_the_user_names(programs):
    programs()
    found = named("gcc-14=/usr/local/avr-14/bin/avr-, clang=clang-19")
    assert {name: (tool.program, tool.is_gcc) for name, tool in found.items()} == {
        "gcc-14": ("/usr/local/avr-14/bin/avr-gcc", True),
        "clang": ("clang-19", False),
    }


@pytest.fixture
def programs(monkeypatch, tmp_path):
    """Programs that are installed, in place of those of this machine, with what they print."""

    def install(**printed):
        for name, text in printed.items():
            program = tmp_path / name.replace("_", "-")
            machine = program.name.removesuffix("-gcc")
            program.write_text(
                f'#!/bin/sh\ncase "$*" in -dumpmachine) echo {machine};; *) echo {text};; esac\n'
            )
            program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("MOTEBENCH_COMPILERS", raising=False)
        monkeypatch.setattr("motebench.targets.firmware.toolchain.data_root", lambda: tmp_path)

    return install


def test_versions_of_clang_that_are_installed_have_names(programs):
    programs()
    assert set(named("")) == {"clang"}
    programs(clang_14="", clang_19="")
    assert set(named("")) == {"clang", "clang-14", "clang-19"}


def test_the_default_compiler_has_a_name_with_its_version(programs):
    programs(avr_gcc="7.3.0", avr_size="", clang_16="")
    board = programmable()["atmega2560"]
    assert set(compilers(board)) == {"gcc-7.3", "clang", "clang-16"}
    assert "gcc-7.3" not in compilers(programmable()["samd21g18a"])
    assert toolchain(board, "gcc-7.3") == toolchain(board)


def test_a_version_that_is_not_installed_is_named_with_those_that_are(programs):
    programs(avr_gcc="7.3.0", clang_16="", apt_get="")
    board = programmable()["atmega2560"]
    there = "is not installed, but gcc-7.3, clang-16; "
    assert (compiler_hint("mote/xtea@O2+clang-13", board) or "").startswith(f"clang-13 {there}")
    assert "apt-get install -y clang-13" in (compiler_hint("mote/xtea+clang-13", board) or "")
    assert "MOTEBENCH_COMPILERS" in (compiler_hint("mote/xtea+gcc-10.3", board) or "")
    assert compiler_hint("mote/xtea+klang", board) is None
    assert compiler_hint("mote/xtea@O1", board) is None


def test_compilers_of_other_releases_have_names_once_they_are_fetched(programs, tmp_path):
    programs(avr_gcc="7.3.0", avr_size="", clang_16="")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "compilers.txt").write_text("# names\ngcc-14.2 trixie gcc-avr=1\n")
    board = programmable()["atmega2560"]
    assert "gcc-14.2" not in compilers(board)
    hint = compiler_hint("mote/xtea+gcc-14.2", board) or ""
    assert hint.endswith("; motebench setup --compiler gcc-14.2 fetches it")
    fetched = tmp_path / "build" / "compilers" / "gcc-14.2" / "usr" / "bin" / "avr-gcc"
    fetched.parent.mkdir(parents=True)
    fetched.write_text(
        "#!/bin/sh\ncase $1 in -dumpmachine) echo avr;; *) echo avr-gcc 14.2;; esac\n"
    )
    fetched.chmod(0o755)
    tools = toolchain(board, "gcc-14.2")
    assert tools.compiler == str(fetched) and tools.driver.endswith("/avr-gcc") and not tools.is_gcc
    assert tools.version == "avr-gcc 14.2; assembled and linked by 7.3.0"
    assert "gcc-14.2" not in compilers(programmable()["samd21g18a"])


def test_a_gcc_may_compile_alone(programs, tmp_path):
    programs(arm_none_eabi_gcc="arm-none-eabi", arm_none_eabi_size="", avr_gcc="avr", avr_size="")
    other = tmp_path / "other-gcc"
    other.write_text("#!/bin/sh\necho arm-none-eabi\n")
    other.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOTEBENCH_COMPILERS", f"gcc-13.2={other}")
        tools = toolchain(programmable()["samd21g18a"], "gcc-13.2")
        assert (tools.compiler, tools.driver) == (str(other), str(tmp_path / "arm-none-eabi-gcc"))
        assert "-mcpu=cortex-m0plus" in tools.device_flags
        assert not any(flag.startswith(("--target", "--specs")) for flag in tools.device_flags)
        assert "; assembled and linked by arm-none-eabi" in tools.version
        with pytest.raises(ProbeFailure, match=r"gcc-13\.2 cannot build firmware for atmega2560"):
            toolchain(programmable()["atmega2560"], "gcc-13.2")


@pytest.mark.parametrize(
    "text", ["gcc-14", "=avr-", "a=", "a+b=avr-", "a@b=avr-", "gcc=avr-", "a b=avr-"]
)
def test_what_names_no_compiler_is_refused_with_what_is_valid(text):
    with pytest.raises(InputError) as caught:
        named(text)
    assert caught.value.where == "MOTEBENCH_COMPILERS" and "NAME=PREFIX" in str(caught.value.valid)


def test_boards_know_every_level_of_every_compiler(monkeypatch, programs):
    programs()
    monkeypatch.setenv("MOTEBENCH_COMPILERS", "other=/nowhere/avr-")
    found = firmware_providers(programmable()["atmega2560"])
    suffixes = [
        f"{level}{compiler}"
        for compiler in ("", "+clang", "+other")
        for level in ("", "@O0", "@O1", "@O2", "@O3")
    ]
    assert [
        name.removeprefix("mote/xtea") for name in found if plain(name) == "mote/xtea"
    ] == suffixes
    assert (found["mote/xtea@O2+other"].level, found["mote/xtea@O2+other"].compiler) == (
        "O2",
        "other",
    )


def test_why_a_compiler_cannot_be_had_is_a_failure_of_its_kind(monkeypatch, tmp_path):
    foreign = tmp_path / "foreign-gcc"
    foreign.write_text("#!/bin/sh\necho x86_64-linux-gnu\n")
    foreign.chmod(0o755)
    monkeypatch.setenv(
        "MOTEBENCH_COMPILERS", f"gone=/nowhere/avr-,foreign={tmp_path}/foreign-,far=/nowhere/clang"
    )

    def failure(device, name):
        with pytest.raises(ProbeFailure) as caught:
            toolchain(programmable()[device], name)
        return caught.value.kind, caught.value.message

    assert failure("atmega2560", "gone") == (
        FailureKind.BUILD,
        "/nowhere/avr-gcc is not installed; MOTEBENCH_COMPILERS says where it is",
    )
    assert failure("atmega2560", "foreign")[0] is FailureKind.UNSUPPORTED
    assert "x86_64-linux-gnu" in failure("atmega2560", "foreign")[1]
    kind, words = failure("atmega2560", "far")
    assert kind is FailureKind.UNSUPPORTED and "flash" in words


GCC = """\
In file included from /code/a.h:1,
                 from /code/hash.c:1:
/code/b.h:1:9: error: 'THING' undeclared here (not in a function)
    1 | int x = THING;
      |         ^~~~~
/code/hash.c: In function 'crypto_hash':
/code/hash.c:4:32: error: 'BAR' undeclared (first use in this function)
    4 | { return foo(out, in, inlen) + BAR; }
      |                                ^~~
"""


def test_a_compiler_that_is_not_installed_is_named_with_its_packages(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    both = {
        "samd21g18a": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
        "atmega2560": "gcc-avr avr-libc",
    }
    for device, packages in both.items():
        with pytest.raises(ProbeFailure, match=f"gcc is not installed; .*{packages}"):
            toolchain(programmable()[device])
    (tmp_path / "apt-get").write_text("#!/bin/sh\n")
    (tmp_path / "apt-get").chmod(0o755)
    with pytest.raises(
        ProbeFailure, match=r"avr-gcc is not installed; (sudo )?apt-get install -y gcc-avr avr-libc"
    ):
        toolchain(programmable()["atmega2560"])


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (
            GCC,
            "/code/b.h:1:9: error: 'THING' undeclared here (not in a function) "
            "/code/hash.c:4:32: error: 'BAR' undeclared (first use in this function)",
        ),
        ("In file included from /code/hash.c:1:\n", "In file included from /code/hash.c:1:"),
        ("", "the compiler failed without a message"),
    ],
)
def test_the_message_of_a_compiler_begins_with_its_error(tmp_path, printed, message):
    words = tmp_path / "words"
    words.write_text(printed)
    with pytest.raises(ProbeFailure) as refused:
        made(tmp_path / "out" / "x.o", ["/bin/sh", "-c", f"cat {words} >&2; exit 1"])
    assert refused.value.kind is FailureKind.BUILD and refused.value.message == message
