"""tools/setup.sh on staged machines: its requests to apt, its output without permission, and that
it works once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Harmless programs the script is made of; everything else on a staged machine is a stand-in.
COMMON = (
    *(
        "bash",
        "sh",
        "cat",
        "chmod",
        "cut",
        "dirname",
        "env",
        "flock",
        "grep",
        "ln",
        "mkdir",
        "printf",
        "readlink",
        "rm",
        "sed",
        "tail",
    ),
    *("sha256sum", "sort", "touch", "tr", "true"),
)
PYTHON = r"""
case "$1" in
  -c) exit 0 ;;
  --version) echo "Python 3.11.2" ;;
  -m) shift
      if [ "$1" = venv ]; then
        mkdir -p .venv/bin; cat "$0" > .venv/bin/python; chmod +x .venv/bin/python
      elif [ "$2" = install ]; then
        touch .venv/bin/motebench; chmod +x .venv/bin/motebench
      fi ;;
esac
"""


class Staged:
    """A checkout in a folder with a space in its name, and a PATH of stand-ins that note how they
    were called.
    """

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "my checkout"
        self.bin = folder / "bin"
        self.log = folder / "log"
        self.bin.mkdir()
        for name in ("tools/setup.sh", "pyproject.toml", "constraints.txt"):
            target = self.checkout / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
        for path in (ROOT / "core" / "adapters").glob("*/adapter.toml"):
            target = self.checkout / "core" / "adapters" / path.parent.name
            target.mkdir(parents=True)
            shutil.copy(path, target)
        for path in (ROOT / "probes").glob("*/probe.toml"):
            target = self.checkout / "probes" / path.parent.name
            target.mkdir(parents=True)
            shutil.copy(path, target)
        for name in COMMON:
            if place := shutil.which(name):
                (self.bin / name).symlink_to(place)
        for name in ("cc", "c++", "make", "cmake", "pkg-config", "apt-cache", "javac", "mvn"):
            self.program(name)
        self.program("python3", PYTHON)
        self.program("id", "echo 0")
        self.program("apt-get")

    def program(self, name: str, script: str = "") -> None:
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.log}"\n{script}\n')
        path.chmod(0o755)

    def python_module(self, name: str, script: str) -> None:
        """Script that `python -m NAME` runs in .venv; $3 is its first argument."""
        path = self.checkout / ".venv" / "bin" / "python"
        path.write_text(
            f'#!/bin/sh\ncase "$2" in {name}) {script}; exit ;; esac\n' + path.read_text()
        )

    def without(self, *names: str) -> None:
        for name in names:
            (self.bin / name).unlink()

    def setup(self, *words: str, with_: str | None = None) -> subprocess.CompletedProcess[str]:
        self.log.write_text("")
        extra = {} if with_ is None else {"MOTEBENCH_WITH": with_}
        return subprocess.run(
            [self.checkout / "tools" / "setup.sh", *words],
            env={"PATH": str(self.bin), "HOME": os.environ.get("HOME", "/"), **extra},
            capture_output=True,
            text=True,
            timeout=1200,
            stdin=subprocess.DEVNULL,
        )

    def calls(self, program: str) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if line.split()[0] == program]

    def lack_libgcrypt(self) -> None:
        self.program("pkg-config", 'case "$*" in *libgcrypt*) exit 1 ;; esac')

    def apt_installs(self, *names: str) -> None:
        """Make these programs available from the next installation on."""
        lines = [f'ln -sf "{self.bin / "make"}" "{self.bin / name}"' for name in names]
        self.program("apt-get", 'case "$*" in *" install "*) ' + "; ".join(lines) + " ;; esac")


@pytest.fixture
def staged(tmp_path):
    return Staged(tmp_path)


def test_nothing_missing_asks_apt_for_nothing_and_works_once(staged):
    first = staged.setup()
    assert first.returncode == 0, first.stderr
    assert first.stdout == ""
    assert staged.calls("apt-get") == []
    installs = [line for line in staged.calls("python3") if "pip install" in line]
    assert len(installs) == 3 and all("-c constraints.txt" in line for line in installs)
    assert installs[0].endswith(" uv"), "if uv is not available, pip installs the packages"
    assert (staged.checkout / ".venv" / "bin" / "motebench").exists()
    again = staged.setup()
    assert (again.returncode, again.stderr) == (0, "")
    assert not [line for line in staged.calls("python3") if "pip" in line or "venv" in line]
    assert staged.calls("cmake"), "changed C files have to be built"


def test_quick_asks_for_what_the_quick_start_measures_only(staged):
    staged.without("c++", "mvn", "javac")
    staged.program("pkg-config", 'case "$*" in *libgcrypt*|*nettle*) exit 1 ;; esac')
    done = staged.setup("quick")
    assert done.returncode == 0, done.stderr
    assert staged.calls("apt-get")[-1].endswith(" libgcrypt20-dev")
    assert "no probe for libgcrypt: it needs Libgcrypt" in done.stderr
    installs = [line for line in staged.calls("python3") if "pip install" in line]
    assert installs[-1].endswith(" -e ."), "no tools of development"
    built = [line for line in staged.calls("cmake") if "--target" in line]
    assert [line.split("--target ")[1] for line in built] == [
        "motebench-probe-openssl motebench-probe-mbedtls"
    ]
    staged.setup("quick")
    assert not [line for line in staged.calls("python3") if "pip" in line or "venv" in line]
    assert staged.setup().returncode == 0
    assert any("dev,probes" in line for line in staged.calls("python3"))
    staged.setup("quick")
    assert not [line for line in staged.calls("python3") if "pip" in line], (
        "the whole has what a part of it needs"
    )


def test_quick_keeps_what_was_built_when_it_was_named(staged):
    for name in (
        "motebench-probe-nettle",
        "mote/motebench-probe-aes-small",
        "motebench-probe-sunjce",
    ):
        probe = staged.checkout / "build" / "probes" / name
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.touch(mode=0o755)
    assert staged.setup("quick").returncode == 0
    built = [line for line in staged.calls("cmake") if "--target" in line]
    wanted = {
        f"motebench-probe-{name}"
        for name in ("openssl", "libgcrypt", "mbedtls", "nettle", "aes-small")
    }
    assert {target for line in built for target in line.split("--target ")[1].split()} == wanted


def test_build_makes_what_is_named_and_installs_nothing(staged):
    script = staged.checkout / "probes" / "java" / "build.sh"
    script.write_text("#!/bin/sh\necho java >> ../../calls\n")
    script.chmod(0o755)
    done = staged.setup(
        "build", "mote/aes-small", "bearssl/aes-ct", "nettle", "sunjce", "motebench-launch"
    )
    assert done.returncode == 0, done.stderr
    (built,) = [line for line in staged.calls("cmake") if "--target" in line]
    targets = (
        "motebench-probe-aes-small motebench-probe-bearssl-aes-ct motebench-probe-nettle "
        "motebench-launch"
    )
    assert built.split("--target ")[1] == targets
    assert staged.calls("apt-get") == [] and staged.calls("python3") == []


def test_build_that_fails_tries_each_by_itself_and_says_so(staged):
    staged.program("cmake", 'case "$*" in *nettle*) echo no rule >&2; exit 1 ;; esac')
    done = staged.setup("build", "nettle", "openssl")
    assert done.returncode != 0
    built = [line.split("--target ")[1] for line in staged.calls("cmake") if "--target" in line]
    assert built[-2:] == ["motebench-probe-nettle", "motebench-probe-openssl"]
    assert "no rule" in (staged.checkout / ".setup" / "build.log").read_text()


def test_level_that_is_none_is_an_error(staged):
    done = staged.setup("quik")
    assert done.returncode != 0 and "there is no level quik; valid: quick," in done.stderr
    assert staged.calls("cmake") == []


def test_changed_pins_install_again_into_the_same_environment(staged):
    staged.setup()
    with (staged.checkout / "constraints.txt").open("a") as pins:
        pins.write("# another\n")
    assert staged.setup().returncode == 0
    calls = staged.calls("python3")
    assert [line for line in calls if "pip install" in line]
    assert not [line for line in calls if "-m venv" in line]


def test_moved_checkout_gets_a_new_environment(staged):
    staged.setup()
    moved = staged.checkout.with_name("moved")
    staged.checkout.rename(moved)
    staged.checkout = moved
    assert staged.setup().returncode == 0
    assert [line for line in staged.calls("python3") if "-m venv" in line]


def test_root_installs_just_what_is_missing(staged):
    staged.without("cmake")
    staged.lack_libgcrypt()
    staged.apt_installs("pkg-config", "cmake")
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    update, install = staged.calls("apt-get")
    assert update.endswith("update")
    assert install.split(" install ")[1].split()[3:] == ["cmake", "libgcrypt20-dev"]
    staged.setup()
    assert staged.calls("apt-get") == []


def test_libraries_in_cxx_need_their_compiler_once(staged):
    staged.without("c++")
    staged.apt_installs("pkg-config", "c++")
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    _, install = staged.calls("apt-get")
    assert install.split(" install ")[1].split()[3:] == ["g++"]


def test_package_that_brings_nothing_usable_is_an_error(staged):
    staged.without("cmake")
    done = staged.setup()
    assert done.returncode != 0
    assert "still not found or too old: cmake" in done.stderr


def test_library_that_apt_has_too_old_costs_its_probe_only(staged):
    staged.lack_libgcrypt()
    staged.program("dpkg-query", "printf installed")
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    assert "no probe for libgcrypt: it needs Libgcrypt" in done.stderr
    assert staged.calls("apt-get") == []


def test_user_is_told_the_line(staged):
    staged.program("id", "echo 1000")
    staged.without("cmake")
    staged.lack_libgcrypt()
    done = staged.setup()
    assert done.returncode != 0
    assert "apt-get install -y --no-install-recommends cmake libgcrypt20-dev" in done.stderr
    assert staged.calls("apt-get") == []
    assert not (staged.checkout / ".venv").exists()


def test_user_without_a_library_goes_on_and_is_told_the_line(staged):
    staged.program("id", "echo 1000")
    staged.lack_libgcrypt()
    staged.without("mvn")
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    assert (
        "apt-get install -y --no-install-recommends libgcrypt20-dev default-jdk-headless maven"
        in done.stderr
    )
    assert staged.calls("apt-get") == []
    assert (staged.checkout / ".venv").exists() and staged.calls("cmake")


def test_package_that_cannot_be_had_costs_neither_the_others_nor_time_again(staged):
    staged.without("cmake", "mvn")
    staged.lack_libgcrypt()
    link = f'ln -sf "{staged.bin / "make"}" "{staged.bin / "cmake"}"'
    staged.program(
        "apt-get", f'case "$*" in *maven*) exit 100 ;; *" install "*cmake*) {link} ;; esac'
    )
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    assert "continuing without maven" in done.stderr
    assert staged.calls("apt-get")[-3].endswith(" libgcrypt20-dev"), "each one by itself"
    staged.setup()
    assert staged.calls("apt-get") == []


def test_probe_in_another_language_that_fails_costs_its_own_probes(staged):
    script = staged.checkout / "probes" / "java" / "build.sh"
    script.write_text("#!/bin/sh\necho no network >&2\nexit 1\n")
    script.chmod(0o755)
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    assert "no network" in done.stderr and "continuing without its probes" in done.stderr


def test_user_who_may_use_sudo_without_a_password_need_not_type(staged):
    staged.program("id", "echo 1000")
    staged.program("sudo", 'shift; exec "$@"')
    staged.lack_libgcrypt()
    staged.apt_installs("pkg-config")
    done = staged.setup()
    assert done.returncode == 0, done.stderr
    assert "install" in staged.calls("apt-get")[-1]


def test_machine_without_apt_is_told_what_is_missing(staged):
    staged.without("apt-get", "cmake")
    staged.lack_libgcrypt()
    done = staged.setup()
    assert done.returncode != 0
    assert "missing Debian packages: cmake" in done.stderr and "no apt-get" in done.stderr


def test_apt_that_fails_is_an_error_with_the_line(staged):
    staged.program("apt-get", "exit 100")
    staged.without("cmake")
    done = staged.setup()
    assert done.returncode != 0
    assert "could not install: cmake" in done.stderr


def test_compiler_is_asked_for_headers_where_pkg_config_is_missing(staged):
    staged.without("pkg-config")
    staged.setup()
    assert staged.calls("apt-get")[-1].split()[-1] == "pkg-config"
    staged.program("cc", "exit 1")
    staged.setup()
    adapters = sorted((ROOT / "core" / "adapters").glob("*/adapter.toml"))
    packages = [
        re.search(r'^debian = "(.+)"$', path.read_text(), re.MULTILINE)[1]
        for path in adapters
        if "optional = true" not in path.read_text()
    ]
    asked = staged.calls("apt-get")[-1].split()
    assert len(packages) > 1
    assert asked[-len(packages) - 1 :] == ["pkg-config", *packages]


def test_optional_library_is_left_alone_until_it_is_asked_for(staged):
    staged.program("pkg-config", 'case "$*" in *wolfssl*) exit 1 ;; esac')
    done = staged.setup()
    assert (done.returncode, staged.calls("apt-get")) == (0, []), done.stderr
    assert "wolfssl" not in done.stderr.lower()
    assert "-DMOTEBENCH_WITH= " in staged.calls("cmake")[0] + " "

    staged.apt_installs("pkg-config")
    done = staged.setup(with_="wolfssl")
    assert done.returncode == 0, done.stderr
    assert staged.calls("apt-get")[-1].endswith(" libwolfssl-dev")
    assert "-DMOTEBENCH_WITH=wolfssl" in staged.calls("cmake")[0]


def test_choice_of_optional_libraries_is_remembered_until_taken_back(staged):
    probe = staged.checkout / "build" / "probes" / "motebench-probe-wolfssl"
    other = probe.with_name("motebench-probe-openssl")
    assert staged.setup(with_="wolfssl").returncode == 0
    probe.parent.mkdir(parents=True)
    probe.touch()
    other.touch()
    staged.setup()
    assert "-DMOTEBENCH_WITH=wolfssl" in staged.calls("cmake")[0]
    assert probe.exists()
    assert staged.setup(with_="none").returncode == 0
    assert "-DMOTEBENCH_WITH=wolfssl" not in staged.calls("cmake")[0]
    assert not probe.exists() and other.exists()
    staged.setup()
    assert "-DMOTEBENCH_WITH=wolfssl" not in staged.calls("cmake")[0]


@pytest.mark.parametrize("name", ["wolfsl", "openssl", "wolfssl,nothing"])
def test_optional_library_nobody_has_is_an_error(staged, name):
    done = staged.setup(with_=name)
    assert done.returncode != 0
    assert f"there is no optional adapter {name.split(',')[-1]}; valid: " in done.stderr
    assert " openssl4 wolfssl " in done.stderr and done.stderr.endswith(" none\n")
    assert staged.calls("cmake") == []


def test_library_from_sources_is_built_once_and_a_failure_costs_its_probe_alone(staged):
    staged.apt_installs("perl")
    done = staged.setup(with_="openssl4")
    assert done.returncode == 0, done.stderr
    assert staged.calls("apt-get")[-1].endswith(" perl")
    assert "no probe for openssl4: its sources are not here" in done.stderr

    sources = staged.checkout / "sources"
    sources.mkdir()
    (sources / ".sha256").touch()
    staged.python_module(
        "motebench.targets.setup.vendor", f'[ "$3" != --folder ] || echo "{sources}"'
    )
    script = staged.checkout / "core" / "adapters" / "openssl4" / "build.sh"
    script.write_text(
        '#!/bin/sh\necho "build.sh $SOURCE" >>"$LOG"\nexit 1\n'.replace("$LOG", str(staged.log))
    )
    script.chmod(0o755)
    done = staged.setup()
    assert done.returncode == 0 and "OpenSSL 4 could not be built" in done.stderr
    script.write_text(script.read_text().replace("exit 1", 'mkdir "$PREFIX/lib"'))
    done = staged.setup()
    assert staged.calls("build.sh") == [f"build.sh {sources}"] and "could not" not in done.stderr
    assert (staged.checkout / "build" / "libraries" / "openssl4" / "lib").is_dir()
    staged.setup()
    assert staged.calls("build.sh") == []
    script.write_text(script.read_text() + "# another\n")
    staged.setup()
    assert staged.calls("build.sh") == [f"build.sh {sources}"]


def test_cmake_builds_optional_adapters_by_name_only(tmp_path):
    def configure(*words):
        return subprocess.run(
            ["cmake", "-S", ROOT / "core", "-B", tmp_path, *words],
            capture_output=True,
            text=True,
            timeout=1200,
        )

    default = configure()
    assert default.returncode == 0, default.stderr
    assert "no probe for wolfssl: it is optional (-DMOTEBENCH_WITH=wolfssl)" in default.stdout
    assert "probe: wolfssl" not in default.stdout
    assert "wolfssl: it is optional" not in configure("-DMOTEBENCH_WITH=wolfssl").stdout
    wrong = configure("-DMOTEBENCH_WITH=nobody")
    assert wrong.returncode != 0 and "there is no optional adapter nobody" in wrong.stderr


def test_tools_of_tests_are_for_tests_and_optional(staged):
    assert staged.setup().returncode == 0
    assert staged.calls("apt-get") == []
    staged.program("apt-get", 'case "$*" in *qemu*) exit 100 ;; esac')
    done = staged.setup("tests")
    assert done.returncode == 0, done.stderr
    asked = next(call for call in staged.calls("apt-get") if " install " in call).split()
    assert {"valgrind", "qemu-user", "gcc-powerpc-linux-gnu", "libc6-dev-powerpc-cross"} <= set(
        asked
    )
    assert "--no-remove" in asked, (
        "a compiler for another machine may conflict with what is installed"
    )
    assert "continuing without qemu-user" in done.stderr
    staged.setup("tests")
    assert staged.calls("apt-get") == []


def test_chromium_is_for_tests_only(staged):
    others = (
        "qemu-ppc",
        "qemu-system-arm",
        "ssh",
        "mkfs.ext4",
        "i686-linux-gnu-gcc",
        "powerpc-linux-gnu-gcc",
        "clang-19",
        "avrdude",
        "bossac",
        "riscv64-unknown-elf-gcc",
        "riscv64-unknown-elf-size",
    )
    for name in ("valgrind", "simavr", *others):
        staged.program(name)
    assert staged.setup().returncode == 0
    assert staged.calls("apt-get") == []
    staged.setup("browser")
    assert "chromium" in staged.calls("apt-get")[-1]
    staged.program("chromium", "exit 1")
    staged.program("chromedriver")
    done = staged.setup("browser")
    assert done.returncode != 0 and "make test BROWSER=no" in done.stderr, (
        "a Chromium that does not start is none"
    )
    staged.program("chromium")
    assert staged.setup("browser").returncode == 0
    assert staged.calls("apt-get") == []


def test_failing_build_shows_why(staged):
    staged.program("cmake", "echo no such header; exit 1")
    done = staged.setup()
    assert done.returncode != 0
    assert "no such header" in done.stderr


def test_failing_pip_ends_setup_and_is_tried_again(staged):
    staged.program("python3", PYTHON.replace("touch .venv", "exit 1; touch .venv"))
    assert staged.setup().returncode != 0
    shutil.rmtree(staged.checkout / ".venv")
    staged.program("python3", PYTHON)
    assert staged.setup().returncode == 0
    assert (staged.checkout / ".venv" / "bin" / "motebench").exists()


def test_help_names_every_target_people_call():
    said = subprocess.run(
        ["make", "-C", str(ROOT)], capture_output=True, text=True, timeout=1200, check=True
    ).stdout
    for target in ("setup", "run", "test", "lint", "clean"):
        assert f"make {target} " in said


def test_every_pin_is_exact_and_covers_what_is_asked_for():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(line.count("==") == 1 for line in pins)
    names = {line.split("==")[0].lower().replace("_", "-") for line in pins}
    assert len(names) == len(pins)
    asked = (ROOT / "pyproject.toml").read_text()
    for wanted in ("altair", "cryptography-vectors", "hatchling", "pytest", "sqlalchemy"):
        assert wanted in names and wanted.replace("-", "") in asked.lower().replace(
            "_", ""
        ).replace("-", "")


def test_only_known_compilers_are_fetched(motebench):
    for wanted in ("klang-1", "", "gcc-14.2,klang-1"):
        done = motebench("setup", "--compiler", wanted)
        assert done.code == 2 and "gcc-14.2" in done.err, done.err


@pytest.fixture
def fetching(tmp_path):
    """``tools/compilers.sh`` in a checkout whose archive has one small package."""
    checkout, programs, package = (tmp_path / name for name in ("my checkout", "bin", "package"))
    (checkout / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "compilers.sh", checkout / "tools")
    (checkout / "tools" / "compilers.txt").write_text(
        "# names\ngcc-9.9 trixie gcc-avr=1:9.9 libc6\ngcc-9.9 trixie binutils-avr=2\n"
    )
    for name in ("usr/bin/avr-gcc", "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "usr/a.a"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("#!/bin/sh\n")
        (package / name).chmod(0o755)
    (package / "DEBIAN").mkdir()
    (package / "DEBIAN" / "control").write_text(
        "Package: gcc-avr\nVersion: 1\nArchitecture: all\nMaintainer: a\nDescription: b\n"
    )
    subprocess.run(["dpkg-deb", "--build", package, tmp_path / "x.deb"], check=True, timeout=60)
    programs.mkdir()
    for name, script in (
        (
            "apt-get",
            'case "$*" in *indextargets*) echo "Debian file:/of/debian/";;\n'
            f'*"download "*) [ ! -e "{tmp_path}/gone" ] || exit 9; cp "{tmp_path}/x.deb" .;; esac',
        ),
        ("patchelf", 'case "$*" in --print-interpreter*avr-gcc) echo /lib/ld.so;; esac'),
        ("uname", "echo x86_64"),
    ):
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{tmp_path}/log"\n{script}\n')
        (programs / name).chmod(0o755)

    def fetch(*names):
        (tmp_path / "log").write_text("")
        done = subprocess.run(
            [checkout / "tools" / "compilers.sh", *names],
            env={"PATH": f"{programs}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=600,
        )
        return done, (tmp_path / "log").read_text()

    fetch.folder = checkout / "build" / "compilers"
    fetch.gone = tmp_path / "gone"
    return fetch


def test_a_compiler_of_another_release_is_fetched_once(fetching):
    done, log = fetching("gcc-9.9")
    assert done.returncode == 0, done.stderr
    assert "download gcc-avr=1:9.9 libc6 binutils-avr=2" in log
    folder = fetching.folder / "gcc-9.9"
    assert (folder / "usr" / "bin" / "avr-gcc").exists() and not (folder / "usr" / "a.a").exists()
    loader = f"--set-interpreter {folder}/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
    assert f"patchelf {loader} --force-rpath" in log
    assert not (fetching.folder / "work").exists()
    assert fetching("gcc-9.9")[1].count("download") == 0


def test_a_compiler_that_cannot_be_fetched_leaves_nothing(fetching):
    fetching.gone.touch()
    done, _ = fetching("gcc-9.9")
    assert done.returncode == 1 and "the packages of gcc-9.9 cannot be fetched" in done.stderr
    assert list(fetching.folder.iterdir()) == []
    done, _ = fetching("gcc-1")
    assert done.returncode == 1 and "there is no compiler gcc-1; valid: gcc-9.9" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["gcc-8.3", "gcc-14.2", "clang-17"])
def test_compilers_of_debian_compile(tmp_path, name):
    """Fetched as users fetch them."""
    (tmp_path / "tools").mkdir()
    for part in ("compilers.sh", "compilers.txt"):
        shutil.copy(ROOT / "tools" / part, tmp_path / "tools")
    subprocess.run([tmp_path / "tools" / "compilers.sh", name], check=True, timeout=1800)
    program, *flags = {
        "gcc-8.3": ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"],
        "gcc-14.2": ["avr-gcc", "-mmcu=atmega2560"],
        "clang-17": ["clang-17", "--target=thumbv7em-none-eabi"],
    }[name]
    (tmp_path / "a.c").write_text("#include <stdint.h>\nuint32_t f(uint32_t a) { return a / 7; }\n")
    command = [tmp_path / "build" / "compilers" / name / "usr" / "bin" / program, *flags]
    command += ["-O2", "-ffreestanding", "-c", "a.c", "-o", "a.o"]
    subprocess.run(command, check=True, cwd=tmp_path, timeout=120)
    assert (tmp_path / "a.o").read_bytes()[:4] == b"\x7fELF"
