"""Another machine is described from the output of one script, which is not trusted; its clock is
watched.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from motebench.base.model import FailureKind
from motebench.targets.host.pinning import LOOK_AGAIN, CoreChooser, Pinning
from motebench.targets.machine import describe
from motebench.targets.machine.clock import ClockWatch, read_clock
from motebench.targets.machine.snapshot import MOST_BYTES, Snapshot, parse, script
from motebench.targets.wire.messages import ProbeFailure

RECORDINGS = Path(__file__).parents[2] / "recordings" / "environment"
CPU = "sys/devices/system/cpu"
SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox") if shutil.which(shell)]


class Board:
    """A machine whose files are in a folder, and whose script a shell runs."""

    def __init__(self, root: Path, recording: str = "", shell: str = "sh") -> None:
        self.root, self.shell = root, [shell, "sh"] if shell == "busybox" else [shell]
        self.asked = 0
        content = tomllib.loads((RECORDINGS / f"{recording}.toml").read_text()) if recording else {}
        for path, text in content.get("files", {}).items():
            self.write(path.lstrip("/"), text.lstrip("\n"))
        self.answers = dict(content.get("answers", {}))
        if recording:
            self.answers |= {
                "uname -m": content["machine"],
                "uname -sr": f"Linux {content['release']}",
            }
            self.answers["getconf GNU_LIBC_VERSION"] = content["libc"]

    def write(self, path: str, text: str | int) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}")

    def look(self, wanted: str) -> bytes:
        self.asked += 1
        assert wanted in (script(full=True), script(full=False))
        here = script(full=wanted == script(full=True), root=self.root)
        done = subprocess.run(
            self.shell, input=here.encode(), capture_output=True, check=True, timeout=1200
        )
        assert done.stderr == b""
        assert done.stdout.endswith(b"end=\n")
        said = "".join(f"{command}={answer}\n" for command, answer in self.answers.items())
        return said.encode() + done.stdout

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(self.look)

    def throttled(self, bits: int) -> None:
        self.write("sys/devices/platform/soc/soc:firmware/get_throttled", f"{bits:x}\n")

    def frequency(self, khz: int, core: int = 0) -> None:
        self.write(f"{CPU}/cpu{core}/cpufreq/scaling_cur_freq", f"{khz}\n")

    def stat(self, *cores: tuple[int, int, int]) -> None:
        """Ticks busy, idle and stolen of each core."""
        lines = [
            f"cpu{core} {busy} 0 0 {idle} 0 0 0 {gone} 0 0\n"
            for core, (busy, idle, gone) in enumerate(cores)
        ]
        self.write("proc/stat", "cpu  1 2 3 4\n" + "".join(lines) + "intr 5\n")


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_raspberry_pi_behind_a_shell_is_described_as_one(tmp_path: Path, shell: str) -> None:
    found = describe(Board(tmp_path, "raspberry-pi-3", shell).snapshot)["host"]
    assert (found["cpu_model"], found["board"]) == ("Cortex-A53", "Raspberry Pi 3 Model B Rev 1.2")
    assert (found["soc"], found["architecture"]) == ("brcm,bcm2837", "aarch64")
    assert (found["governor"], found["frequency_limits"]) == (
        "ondemand",
        {"min": 600000, "max": 1200000},
    )
    assert (found["frequency_now"], found["firmware_clock"]) == (600000, 600000)
    assert found["throttling"] == found["throttling_earlier"] == ["under-voltage", "throttled"]
    assert found["temperatures"] == {"cpu-thermal": 61.756}
    assert (found["memory_bytes"], found["swap_bytes"]) == (944264 * 1024, 524284 * 1024)
    assert (found["kernel"], found["libc"]) == ("Linux 6.6.51+rpt-rpi-v8", "glibc 2.36")
    assert (found["cores"], found["threads"], found["hardware_counters"]) == (4, 4, True)
    assert found["os"] == "Debian GNU/Linux 12 (bookworm)"
    assert found["python"] is None and found["motebench"] is None, "they run here, not there"


def test_other_boards_behind_a_shell(tmp_path: Path) -> None:
    bone = describe(Board(tmp_path / "bone", "beaglebone-black").snapshot)["host"]
    assert (bone["cpu_model"], bone["board"], bone["soc"]) == (
        "Cortex-A8",
        "TI AM335x BeagleBone Black",
        "ti,am33xx",
    )
    assert (bone["threads"], bone["usable_threads"], bone["governor"]) == (1, 1, "performance")
    assert bone["throttling"] is None and bone["temperatures"] is None, "nothing there tells"
    risc = describe(Board(tmp_path / "risc", "visionfive-2").snapshot)["host"]
    assert (risc["cpu_model"], risc["soc"], risc["threads"]) == (
        "sifive,u74-mc",
        "starfive,jh7110",
        4,
    )
    assert risc["temperatures"] == {"cpu-thermal": 45.12}
    assert (risc["swap_bytes"], risc["usable_threads"]) == (0, 4)


def test_a_board_without_glibc_says_so(board: Board) -> None:
    assert describe(board.snapshot)["host"]["libc"] is None
    board.write("lib/ld-musl-armhf.so.1", "")
    assert describe(board.snapshot)["host"]["libc"] == "musl"


def test_this_machine_behind_a_shell_says_what_its_files_say() -> None:
    def look(wanted: str) -> bytes:
        return subprocess.run(
            ["sh"], input=wanted.encode(), capture_output=True, check=True, timeout=1200
        ).stdout

    direct, asked = describe()["host"], describe(Snapshot(look))["host"]
    moving = {
        "load",
        "frequency_now",
        "temperatures",
        "python",
        "motebench",
        "libc",
        "firmware_clock",
    }
    assert {name: asked[name] for name in asked if name not in moving} == {
        name: direct[name] for name in direct if name not in moving
    }


@pytest.mark.parametrize(
    "output",
    [
        b"",
        b"\0" * 5000,
        b"=\n==\n===\nend=\n",
        b"no equals sign at all",
        b"/proc/cpuinfo=\xff\xfe\nend=\n",
        bytes(range(256)) * 50,
        b"end=\nend=\n",
    ],
)
def test_nonsense_says_nothing(output: bytes) -> None:
    found = describe(Snapshot(lambda _: output))["host"]
    assert {name: value for name, value in found.items() if value is not None} == {}
    watch = ClockWatch(Snapshot(lambda _: output))
    watch.begin(0)
    assert watch.end() == ""
    assert watch.facts() == {"rounds": 1, "rounds_slowed": 0}


@pytest.mark.parametrize(
    ("path", "lie"),
    [
        (f"{CPU}/cpu0/cpufreq/scaling_cur_freq", "0"),
        (f"{CPU}/cpu0/cpufreq/scaling_cur_freq", "-600000"),
        (f"{CPU}/cpu0/cpufreq/scaling_cur_freq", "<unknown>"),
        (f"{CPU}/cpu0/cpufreq/scaling_cur_freq", "9" * 19),
        (f"{CPU}/cpu0/cpufreq/scaling_cur_freq", "9" * 900),
        (f"{CPU}/cpu0x/cpufreq/scaling_cur_freq", "600000"),
        (f"{CPU}/cpu99999999/cpufreq/scaling_cur_freq", "600000"),
    ],
)
def test_a_clock_that_cannot_be_is_absent_and_not_0(board: Board, path: str, lie: str) -> None:
    board.write(path, lie)
    snapshot = board.snapshot
    assert read_clock(snapshot).frequency == {}
    assert describe(snapshot)["host"]["frequency_now"] is None


def test_lies_of_a_board_do_not_become_facts(board: Board) -> None:
    board.write("proc/device-tree/model", "Pi\x1b[2J\x07")
    board.write("proc/meminfo", "MemTotal: 99999999999999999999999 kB\nSwapTotal: -1 kB\n")
    board.write("proc/loadavg", "nan inf -1 1/1 1")
    board.write("sys/class/thermal/thermal_zone0/temp", "4000000")
    board.write("sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    board.write("sys/devices/platform/soc/soc:firmware/get_throttled", "cafe babe")
    board.write(f"{CPU}/online", "0-99999999999")
    board.write(f"{CPU}/cpu0/topology/thread_siblings_list", "0-4000000000")
    board.write("proc/self/status", "Cpus_allowed_list:\t0-8191999\n")
    board.write("etc/os-release", "PRETTY_NAME=" + "A" * 5000 + "\n")
    board.answers["uname -m"] = "\x9bmips"
    board.answers["vcgencmd measure_clock arm"] = "frequency(48)=1" + "0" * 30
    found = describe(board.snapshot)["host"]
    told = {name: value for name, value in found.items() if value is not None}
    assert told in ({}, {"container": "none"}, {"cores": 1}), told


def test_output_that_was_cut_off_loses_its_last_value() -> None:
    assert parse(b"/a=1\n/b=12") == {"/a": "1"}
    assert parse(b"/a=1\n/b=12\nend=\n") == {"/a": "1", "/b": "12"}
    assert parse(b"/a=1\n" + b"/b=" + b"x" * MOST_BYTES) == {"/a": "1"}
    assert parse(b"/a=one\n/a=two\nend=\n") == {"/a": "one\ntwo"}


def test_a_line_that_is_cut_off_says_nothing_old(board: Board) -> None:
    board.frequency(600000)
    snapshot = board.snapshot

    def cut(_: str) -> bytes:
        raise ProbeFailure(FailureKind.LOST, "the link is cut")

    snapshot._look = cut
    snapshot.refresh()
    assert read_clock(snapshot).frequency == {}


# The clock, from round to round


def watched(board: Board, core: int | None = 0) -> tuple[ClockWatch, Callable[[], str]]:
    watch = ClockWatch(board.snapshot)

    def a_round() -> str:
        watch.begin(core)
        return watch.end()

    watch.begin(core)
    return watch, a_round


def test_what_the_firmware_slows_marks_the_round(tmp_path: Path) -> None:
    board = Board(tmp_path, "raspberry-pi-3")
    del board.answers["vcgencmd get_throttled"]
    board.throttled(0x50000)
    watch, a_round = watched(board)
    assert a_round() == "", "it was slowed long before this run"
    board.throttled(0x50005)
    assert a_round() == "slowed: the firmware reports under-voltage, throttled"
    board.throttled(0x50000)
    assert "under-voltage" in a_round(), "it began slowed"
    assert a_round() == ""
    board.throttled(0xD0000)
    assert a_round() == "slowed: the firmware reports soft temperature limit", (
        "it came and went meanwhile"
    )
    assert a_round() == ""
    assert (watch.rounds, watch.slowed) == (6, 3)
    assert watch.facts()["throttling"] == {
        "before": [],
        "during": ["under-voltage", "throttled", "soft temperature limit"],
        "after": [],
    }
    (note,) = watch.notes()
    assert note.startswith(
        "clock: the times of 3 of 6 rounds are marked: slowed: the firmware reports under-voltage"
    )


def test_the_record_has_clock_and_temperature_before_during_and_after(tmp_path: Path) -> None:
    board = Board(tmp_path, "visionfive-2")
    watch, a_round = watched(board, 2)
    for khz, degrees in ((1500000, 50000), (375000, 71500), (1500000, 66000)):
        board.frequency(khz, core=2)
        board.write("sys/class/thermal/thermal_zone0/temp", degrees)
        assert a_round() == "", "a governor may choose another clock"
    found = watch.facts()
    assert found["frequency"] == {
        "before": 1500000,
        "lowest": 375000,
        "highest": 1500000,
        "after": 1500000,
    }
    assert found["temperature"] == {"before": 45.12, "lowest": 50.0, "highest": 71.5, "after": 66.0}
    assert "throttling" not in found, "unknown is not the same as none"
    assert watch.notes() == [
        "clock: it was between 375 MHz and 1500 MHz after the rounds: the governor, or the "
        "processor itself, changes it, and times change with it"
    ]


def test_a_clock_that_should_stay_and_does_not_marks_the_round(tmp_path: Path) -> None:
    board = Board(tmp_path, "beaglebone-black")
    watch, a_round = watched(board)
    board.frequency(990000)
    assert a_round() == "", "within 2 %"
    board.frequency(720000)
    assert a_round() == "slowed: the clock was 720 MHz, and 1000 MHz before the run"
    board.frequency(1000000)
    board.write(f"{CPU}/cpu0/cpufreq/scaling_max_freq", 800000)
    assert a_round() == "slowed: the highest clock was lowered from 1000 MHz to 800 MHz"
    assert watch.facts()["rounds_slowed"] == 2


@pytest.mark.parametrize(
    ("path", "before", "after", "reason"),
    [
        (
            f"{CPU}/cpu0/thermal_throttle/core_throttle_count",
            5,
            6,
            "slowed: the processor counted heat events",
        ),
        (
            "sys/class/thermal/cooling_device0/cur_state",
            0,
            2,
            "slowed: the kernel lowered the clock because of heat",
        ),
    ],
)
def test_what_the_kernel_says_of_heat_marks_the_round(
    tmp_path: Path, path: str, before: int, after: int, reason: str
) -> None:
    board = Board(tmp_path, "visionfive-2")
    board.write(path, before)
    _, a_round = watched(board)
    assert a_round() == ""
    board.write(path, after)
    assert a_round() == reason


def test_a_clock_that_moves_by_itself_is_not_held_against_the_round(tmp_path: Path) -> None:
    board = Board(tmp_path, "beaglebone-black")
    board.write(f"{CPU}/cpu0/cpufreq/scaling_driver", "intel_pstate")
    watch, a_round = watched(board)
    assert a_round() == ""
    board.frequency(800000)
    assert a_round() == ""
    assert "changes it" in watch.notes()[0]


def test_a_hypervisor_that_takes_the_core_of_another_machine_marks_the_round(board: Board) -> None:
    board.stat((0, 0, 0), (0, 0, 0))
    watch = ClockWatch(board.snapshot, steal=True)
    watch.begin(0)
    board.stat((50, 50, 1), (0, 100, 80))
    assert watch.end() == "", "one tick may have begun before, and the other core is not ours"
    watch.begin(0)
    board.stat((100, 100, 11), (0, 200, 80))
    assert "took the core away for up to 100 ms" in watch.end()


# The core of another machine


def placed(board: Board, seconds: list[float], cpu: str | int = "auto") -> CoreChooser:
    snapshot = board.snapshot
    return CoreChooser(
        cpu,
        snapshot,
        allowed=snapshot.allowed_cores(),
        sleep=lambda _: board.stat((90, 110, 0), (0, 200, 0)),
        own=None,
        now=lambda: seconds[0],
    )


def test_the_core_of_another_machine_is_the_least_busy_and_is_looked_at_now_and_then(
    board: Board,
) -> None:
    board.stat((0, 100, 0), (0, 100, 0))
    seconds = [0.0]
    placement = placed(board, seconds)
    assert placement.next_round() == 1
    asked = board.asked
    seconds[0] = LOOK_AGAIN - 1
    assert placement.next_round() == 1
    assert board.asked == asked, "not asked again so soon"
    seconds[0] = LOOK_AGAIN
    board.stat((0, 100, 0), (0, 100, 0))
    assert placement.next_round() == 1
    assert board.asked > asked
    assert placement.facts() == {
        "pinned": "auto",
        "rounds_by_core": {"1": 3},
        "rounds_not_pinned": 0,
    }


def test_a_machine_that_says_nothing_of_its_cores_is_not_pinned() -> None:
    pinned: list[int | None] = []
    conditions = Pinning("auto", 1, pinned.append, Snapshot(lambda _: b""))
    conditions.next_round()
    assert conditions.round_ended() == ""
    assert pinned == [None]
    assert conditions.stolen(pinned=True) is None
    assert conditions.facts()["conditions"] == {"rounds": 1, "rounds_slowed": 0}
