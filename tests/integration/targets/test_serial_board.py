"""Simulated board behind a serial port: right numbers, or failures of their kind."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import code_folders as folders
import pytest

from motebench.base.errors import InputError
from motebench.base.model import FailureKind
from motebench.base.paths import data_root
from motebench.catalog.devices import devices
from motebench.targets.board import serial_board
from motebench.targets.board.board import OwnFirmware
from motebench.targets.board.serial_board import SerialBoard, parse_address, upload
from motebench.targets.board.simulated import Simulation, simulation
from motebench.targets.firmware.forms import flashable
from motebench.targets.registry import open_target, split_names
from motebench.targets.settings import BoardSettings
from motebench.targets.wire import messages, replies
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from tests.support.serial_bridge import Bridge, Faults, patient, programmer, quick

DEVICE = devices()["atmega2560"]
XTEA = OwnFirmware("mote/xtea")
RUN = (
    "--implementation",
    "mote/xtea",
    "--scheme",
    "xtea-ecb,xtea-cbc",
    "--operation",
    "key-setup,encrypt",
    "--size",
    "16",
)


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    if (
        shutil.which("avr-gcc") is None
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")


@pytest.fixture(scope="module")
def image(tools):
    return XTEA.image(DEVICE, "xtea-ecb")


@pytest.fixture(name="quick")
def quick_device(monkeypatch):
    quick(monkeypatch, DEVICE)


@pytest.fixture
def boards(tmp_path, monkeypatch):
    """Makes boards behind ports: the bridge, the board host that reaches it, and the programmer's
    notes.
    """
    log = programmer(tmp_path, "avrdude", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    patient(monkeypatch)
    command = simulation(DEVICE, Path())[:-1]
    made: list[Bridge] = []

    def make(
        faults: Faults | None = None, *, holds=None, options: str = ",atmega2560"
    ) -> tuple[Bridge, SerialBoard, Path]:
        if holds is not None:
            (tmp_path / "holds").write_text(str(holds.path))
        made.append(Bridge(command, tmp_path / "holds", faults))
        return made[-1], SerialBoard(parse_address(f"serial:{made[-1].path}{options}")), log

    yield make
    for bridge in made:
        bridge.close()


def job(operation: str, size: int) -> Job:
    return Job("xtea-ecb", operation, key=bytes(range(16)), data=Fill(1, size))


def readings(session) -> list[object]:
    """Everything that a board tells, of a few jobs."""
    found: list[object] = []
    for operation, size in (("encrypt", 8), ("encrypt", 64), ("decrypt", 64), ("key-setup", 0)):
        found.append(session.compute(job(operation, size), timeout=120))
        found.append(session.measure(job(operation, size), batch=2, count=2, warm=1, timeout=120))
        found.append(session.memory(job(operation, size), timeout=120))
    return found


@pytest.fixture(scope="module")
def expected(image):
    session = Simulation(DEVICE, BoardSettings()).start(image)
    yield readings(session)
    session.close()


def test_a_board_behind_a_port_tells_what_it_tells_without_one(quick, boards, image, expected):
    _, board, _ = boards(holds=image)
    assert readings(board.start(image)) == expected


PATIENT = (8, 11)
"""Seeds whose noise makes the board wait often: minutes."""


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=[pytest.mark.long] if seed in PATIENT else []) for seed in range(12)],
)
def test_noise_changes_no_number(quick, boards, image, expected, seed):
    chance = (0.0003, 0.001, 0.003)[seed % 3]
    faults = Faults(
        lose=chance, damage=chance, double=chance, garbage=chance / 2, delay=0.1, seed=seed
    )
    _, board, _ = boards(faults, holds=image)
    session, done = None, 0
    for number, (operation, size) in enumerate(
        (("encrypt", 8), ("encrypt", 64), ("decrypt", 64), ("key-setup", 0))
    ):
        asks = (
            lambda talk_, what: talk_.compute(what, timeout=120),
            lambda talk_, what: talk_.measure(what, batch=2, count=2, warm=1, timeout=120),
            lambda talk_, what: talk_.memory(what, timeout=120),
        )
        for place, ask in enumerate(asks):
            try:
                session = session or board.start(image)
                assert ask(session, job(operation, size)) == expected[3 * number + place]
                done += 1
            except ProbeFailure as failure:
                assert failure.kind in (FailureKind.LOST, FailureKind.TIMEOUT)
    assert done >= (12, 10, 0)[seed % 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "faults",
    [
        Faults(bits=1e-4, seed=101),
        Faults(bits=1e-4, lose=2e-4, double=2e-4, garbage=2e-4, seed=102),
        Faults(burst=1e-3, seed=103),
    ],
    ids=["bit errors", "and lost and inserted bytes", "bursts"],
)
def test_two_hundred_requests_on_a_noisy_line_are_all_answered_right(
    quick, boards, image, expected, faults
):
    _, board, _ = boards(faults, holds=image)
    session = board.start(image)
    wanted = (("encrypt", 8), ("encrypt", 64), ("decrypt", 64), ("key-setup", 0))
    for number in range(200):
        which = number % 4
        what = job(*wanted[which])
        place = number // 4 % 3
        if place == 0:
            answer = session.compute(what, timeout=60)
        elif place == 1:
            answer = session.measure(what, batch=2, count=2, warm=1, timeout=60)
        else:
            answer = session.memory(what, timeout=60)
        assert answer == expected[3 * which + place], number


@pytest.mark.parametrize("moments", [[150], [60, 200, 300], list(range(50, 1200, 90))])
def test_a_board_that_resets_in_the_middle_is_asked_again(quick, boards, image, expected, moments):
    bridge, board, _ = boards(Faults(reset_at=moments), holds=image)
    assert readings(board.start(image)) == expected
    # How much is asked again is the clock's
    reached = [moment for moment in moments if moment <= bridge.requested]
    assert len(reached) >= min(len(moments), 6)
    assert bridge.resets >= 1 + len(reached)


def test_a_board_that_goes_silent_is_a_timeout_and_never_a_number(quick, boards, image, expected):
    bridge, board, _ = boards(Faults(silent_from=400), holds=image)
    session = board.start(image)
    assert session.compute(job("encrypt", 8)) == expected[0]
    kinds = []
    begun = bridge.seconds
    for _ in range(8):
        try:
            timing = session.measure(job("encrypt", 8), batch=2, count=2, warm=1, timeout=2)
            assert timing == expected[1]
        except ProbeFailure as failure:
            kinds.append(failure.kind)
    assert len(kinds) >= 4 and set(kinds) == {FailureKind.TIMEOUT}
    assert bridge.seconds - begun < 300


def test_a_board_that_is_unplugged_is_lost(quick, boards, image):
    bridge, board, _ = boards(Faults(unplug_at=300), holds=image)
    with pytest.raises(ProbeFailure) as caught:
        readings(board.start(image))
    assert caught.value.kind is FailureKind.LOST
    assert bridge.path in caught.value.message
    with pytest.raises(ProbeFailure) as caught:
        board.start(image)
    assert caught.value.kind is FailureKind.LOST
    assert "there is no port" in caught.value.message


def test_a_firmware_that_never_answers_is_asked_a_few_times_in_all(quick, boards, image):
    bridge, board, _ = boards(Faults(boots=False))
    kinds, begun = [], bridge.seconds
    for _ in range(20):
        with pytest.raises(ProbeFailure) as caught:
            board.start(image)
        kinds.append(caught.value.kind)
    assert set(kinds) == {FailureKind.TIMEOUT}
    assert bridge.seconds - begun < 30


def test_an_upload_that_changed_nothing_is_noticed(quick, boards, image, monkeypatch, tmp_path):
    other = XTEA.image(DEVICE, "xtea-cbc")
    _, board, _ = boards(holds=other)
    (tmp_path / "avrdude").write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(ProbeFailure) as caught:
        board.start(image)
    assert caught.value.kind is FailureKind.LOST
    assert image.identity.hex() in caught.value.message


def test_a_conversation_ends_when_another_firmware_comes(quick, boards, image, expected):
    bridge, board, log = boards()
    first = board.start(image)
    assert first.compute(job("encrypt", 8)) == expected[0]
    board.start(XTEA.image(DEVICE, "xtea-cbc"))
    assert first.compute(job("encrypt", 8)) == expected[0]  # which puts the first one back
    assert first.generation == 2
    assert len(log.read_text().splitlines()) == 3
    assert f"-P {bridge.path}" in log.read_text()


def test_a_failing_programmer_is_a_failure_with_its_words(quick, boards, image, tmp_path):
    _, board, _ = boards()
    (tmp_path / "avrdude").write_text("#!/bin/sh\necho 'not in sync' >&2\nexit 1\n")
    for _ in range(2):
        with pytest.raises(ProbeFailure, match="not in sync"):
            board.start(image)
    with pytest.raises(ProbeFailure, match="no further attempts are made"):
        board.start(image)


def test_a_firmware_that_is_too_big_does_not_count_against_the_programmer(
    quick, boards, image, monkeypatch, expected
):
    _, board, _ = boards()

    def refuse(*_):
        raise ProbeFailure(FailureKind.TOO_BIG, "5 B are missing")

    with monkeypatch.context() as changed:
        changed.setattr(serial_board, "upload", refuse)
        for _ in range(3):
            with pytest.raises(ProbeFailure) as caught:
                board.start(image)
            assert caught.value.kind is FailureKind.TOO_BIG
    assert board.start(image).compute(job("encrypt", 8)) == expected[0]


def test_no_flash_leaves_the_board_alone(quick, boards, image):
    _, board, log = boards(holds=image, options=",atmega2560,no-flash")
    assert board.start(image).compute(job("encrypt", 8), timeout=120).length == 8
    with pytest.raises(ProbeFailure) as caught:
        board.start(XTEA.image(DEVICE, "xtea-cbc"))
    assert caught.value.kind is FailureKind.UNSUPPORTED
    assert "motebench flash" in caught.value.message
    assert not log.exists()


def test_firmware_of_another_version_of_the_protocol_is_to_be_flashed_anew(
    quick, boards, image, monkeypatch
):
    monkeypatch.setattr(replies, "PROTOCOL", messages.PROTOCOL + 1)
    words = (
        r"atmega2560.* speaks version \d of the probe protocol.*: upload it again: motebench flash"
    )
    _, board, log = boards(holds=image, options=",atmega2560,no-flash")
    with pytest.raises(ProbeFailure, match=words) as caught:
        board.start(image)
    assert caught.value.kind is FailureKind.UNSUPPORTED and "no-flash" in caught.value.message
    assert not log.exists()
    _, board, _ = boards(holds=image, options="")
    with pytest.raises(InputError, match="does not identify its device") as refused:
        board.check()
    assert re.search(words, refused.value.hint or "")


def test_the_board_says_which_device_it_is(quick, boards, image):
    _, board, _ = boards(holds=image, options="")
    assert board.device.id == "atmega2560"
    _, silent, _ = boards(Faults(boots=False), options="")
    with pytest.raises(InputError, match="does not identify its device"):
        silent.check()


def test_a_board_that_is_something_else_is_refused(boards, image, monkeypatch):
    monkeypatch.setattr(serial_board, "_ASK_SECONDS", 2.0)
    _, board, _ = boards(holds=image, options=",atmega328p")
    with pytest.raises(InputError, match="identifies itself as atmega2560, not atmega328p"):
        board.check()
    monkeypatch.setattr(serial_board, "usb_of", lambda path: {"usb": "2341:0043"})
    _, board, _ = boards(holds=image, options=",atmega2560")
    with pytest.raises(InputError, match="carries atmega328p, not atmega2560"):
        board.check()


def test_a_port_that_is_in_use_is_refused(quick, boards, image):
    bridge, board, _ = boards(holds=image)
    with serial_board.open_port(bridge.path, 500000), pytest.raises(InputError, match="in use"):
        board.check()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (2, "there is no port"),
        (13, "no permission"),
        (16, "is in use"),
        (11, "is in use"),
        (5, "cannot be opened"),
    ],
)
def test_what_is_wrong_with_a_port_has_its_words(monkeypatch, number, words):
    from serial import SerialException

    def refuse(*arguments, **options):
        raise SerialException(number, "no")

    monkeypatch.setattr("serial.Serial", refuse)
    with pytest.raises(serial_board.PortError, match=words) as caught:
        serial_board.open_port("/dev/ttyACM0", 9600)
    assert caught.value.hint
    assert ("dialout" in caught.value.hint) == (number == 13)


def test_names_of_targets_keep_what_belongs_to_a_port_together():
    found = split_names(
        ["host,serial:/dev/ttyACM0,atmega2560,no-flash,sim:atmega2560", "serial:/dev/a"]
    )
    assert found == (
        "host",
        "serial:/dev/ttyACM0,atmega2560,no-flash",
        "sim:atmega2560",
        "serial:/dev/a",
    )
    assert parse_address("serial:/dev/a,samd21g18a,upload=/dev/b").upload_port == "/dev/b"
    for wrong in ("serial:", "serial:/dev/a,nonsense", "serial:/dev/a,rpi-3b"):
        with pytest.raises(InputError):
            open_target(wrong)


def test_the_programmer_is_called_as_the_catalog_says(image, tmp_path, monkeypatch):
    log = programmer(tmp_path, "avrdude", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    upload(DEVICE, image, "/dev/null")
    file = flashable(DEVICE, image, "ihex")
    assert (
        log.read_text()
        == f"-p atmega2560 -c wiring -P /dev/null -b 115200 -D -U flash:w:{file}:i\n"
    )
    assert file.read_text().startswith(":")


def test_a_board_with_usb_of_its_own_is_touched_before_it_is_written(image, tmp_path, monkeypatch):
    log = programmer(tmp_path, "bossac", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    touched = []

    class Port:
        def close(self) -> None:
            touched.append("closed")

    monkeypatch.setattr(
        "motebench.targets.board.serial_board.open_port",
        lambda path, baud: touched.append((path, baud)) or Port(),
    )
    monkeypatch.setattr(
        "motebench.targets.board.serial_board.flashable", lambda *_: tmp_path / "firmware.bin"
    )
    (tmp_path / "firmware.bin").write_bytes(b"x")
    port = tmp_path / "port"
    port.touch()
    upload(devices()["samd21g18a"], image, str(port))
    assert touched == [(str(port), 1200), "closed"]
    assert (
        log.read_text()
        == f"-i -e -w -v -R --offset=0x2000 --port={port} {tmp_path / 'firmware.bin'}\n"
    )


def test_a_board_whose_firmware_has_a_line_of_its_own(tmp_path, monkeypatch):
    device = devices()["samd21g18a"]
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is not installed; motebench doctor names the line")
    log = programmer(tmp_path, "bossac", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(serial_board, "_ASK_SECONDS", 1.0)
    patient(monkeypatch)
    image = XTEA.image(device, "xtea-ecb")
    expected = readings(Simulation(device, BoardSettings()).start(image))
    noise = Faults(lose=2e-4, damage=2e-4, double=2e-4, garbage=1e-4)
    line = Bridge(simulation(device, Path())[:-1], tmp_path / "holds", noise)
    with line, Bridge(["sleep"], tmp_path / "nothing") as usb:
        board = SerialBoard(parse_address(f"serial:{line.path},samd21g18a,upload={usb.path}"))
        assert readings(board.start(image)) == expected
        file = flashable(device, image, "binary")
        assert log.read_text() == f"-i -e -w -v -R --offset=0x2000 --port={usb.path} {file}\n"
        # The vectors come first: the top of the stack, in RAM, and where the program begins, behind
        # the boot loader.
        stack, begin = (int.from_bytes(file.read_bytes()[at : at + 4], "little") for at in (0, 4))
        assert 0x20000000 < stack <= 0x20008000 and 0x2000 < begin < 0x2000 + image.flash


def test_a_firmware_that_fits_the_part_but_not_beside_its_boot_loader_is_too_big(image):
    serial = DEVICE.serial.model_copy(
        update={"boot_loader_bytes": DEVICE.flash_bytes - image.flash + 5}
    )
    with pytest.raises(ProbeFailure, match="5 B of flash are missing") as caught:
        upload(DEVICE.model_copy(update={"serial": serial}), image, "/dev/ttyACM0")
    assert caught.value.kind is FailureKind.TOO_BIG


@pytest.mark.parametrize(
    ("name", "upload_"),
    [
        (name, each)
        for name, device in devices().items()
        if device.serial
        for each in device.serial.uploads
        if not each.prepare and any("{port}" in word for word in each.command)
    ],
)
def test_real_programmers_take_the_command(name, upload_, tmp_path):
    path = shutil.which(upload_.command[0])
    if path is None:
        pytest.skip(f"{upload_.command[0]} is not installed")
    (tmp_path / "firmware").write_text(":00000001FF\n")
    words = [
        word.replace("{port}", "/dev/nothing").replace("{file}", str(tmp_path / "firmware"))
        for word in upload_.command[1:]
    ]
    command = ["timeout", "3", path, *words]  # avrdude goes on trying a port that is not there
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=1200, stdin=subprocess.DEVNULL
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    # Part, programmer and options are known: only the port is not there
    assert "nothing" in said, said
    assert "sage" not in said


def numbers(done) -> dict[tuple[object, ...], object]:
    return {
        (row["scheme"], row["operation"], row["metric"]): row["median"]
        for row in done.json["measurements"]
        if row["metric"] in ("cycles", "time", "stack", "flash", "static_ram", "state")
    }


@pytest.mark.parametrize(
    "faults",
    [
        Faults(),
        pytest.param(
            Faults(lose=2e-4, damage=2e-4, double=2e-4, garbage=1e-4, reset_at=[3000]),
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_run_on_a_port_gives_the_numbers_of_the_simulation_and_calls_them_measured(
    boards, motebench, faults
):
    bridge, _, log = boards(faults)
    done = motebench(
        "run", "--target", f"serial:{bridge.path},atmega2560", *RUN, "--json", "--budget", "60s"
    )
    assert done.code == 0, done.err
    assert {
        row["evidence"] for row in done.json["measurements"] if row["metric"] in ("cycles", "stack")
    } == {"measured"}
    said = done.json["environment"]["boards"][f"serial:{bridge.path},atmega2560"]
    assert said == {"port": bridge.path, "device": "atmega2560"}
    assert len(log.read_text().splitlines()) == 2  # one for each scheme
    simulated = motebench("run", "--target", "sim:atmega2560", *RUN, "--json", "--budget", "60s")
    assert numbers(done) == numbers(simulated) and len(numbers(done)) == 24


def test_a_run_whose_board_goes_silent_ends_with_failures(boards, motebench, image):
    bridge, _, _ = boards(Faults(silent_from=5000), holds=image)
    done = motebench(
        "run",
        "--target",
        f"serial:{bridge.path},atmega2560,no-flash",
        *RUN,
        "--json",
        "--timeout",
        "2s",
    )
    assert done.code == 3, done.err
    assert {failure["kind"] for failure in done.json["failures"]} <= {"timeout", "unsupported"}


def test_flash_puts_a_firmware_onto_the_board_and_asks_it(boards, motebench):
    bridge, _, log = boards()
    chosen = ("--implementation", "mote/xtea", "--scheme", "xtea-ecb")
    done = motebench(
        "flash", "--target", f"serial:{bridge.path}", "--device", "atmega2560", *chosen
    )
    assert done.code == 0, done.err
    assert "mote/xtea xtea-ecb answers" in done.out
    assert "-c wiring" in log.read_text()


def test_flash_puts_user_code_onto_the_board(boards, motebench, tmp_path):
    bridge, _, _ = boards()
    code = ("--code", str(folders.submission(tmp_path)), "--scheme", "ascon-aead128")
    done = motebench("flash", "--target", f"serial:{bridge.path},atmega2560", *code)
    assert done.code == 0, done.err
    assert "code/ref ascon-aead128 answers" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ("run", "--target", "serial:/dev/nothing,atmega2560", *RUN),
            2,
            "there is no port /dev/nothing",
        ),
        (
            ("run", "--target", "serial:/dev/null,atmega2560", *RUN),
            2,
            "/dev/null is not a serial port",
        ),
        (
            ("run", "--target", "serial:/dev/null,atmega9", *RUN),
            2,
            "'atmega9' is not a setting of a board on a serial port",
        ),
        (("run", "--target", "serial:/dev/null,samd21g18a", *RUN), 2, "upload=/dev/null"),
        (("verify", "--target", "serial:/dev/nothing,atmega2560"), 2, "there is no port"),
        (("flash", "--implementation", "mote/xtea", "--scheme", "xtea-ecb"), 2, "--target"),
        (
            (
                "flash",
                "--target",
                "sim:atmega2560",
                "--implementation",
                "mote/xtea",
                "--scheme",
                "xtea-ecb",
            ),
            2,
            "serial:",
        ),
        (
            (
                "flash",
                "--target",
                "serial:/dev/nothing,atmega2560",
                "--implementation",
                "mote/xtea",
                "--scheme",
                "xtea-ecb",
            ),
            2,
            "there is no port",
        ),
        (
            (
                "flash",
                "--target",
                "serial:/dev/null,atmega2560",
                "--implementation",
                "mote/xte",
                "--scheme",
                "xtea-ecb",
            ),
            2,
            "did you mean 'mote/xtea'",
        ),
        (
            (
                "flash",
                "--target",
                "serial:/dev/null",
                "--device",
                "atmega9",
                "--implementation",
                "x",
                "--scheme",
                "xtea-ecb",
            ),
            2,
            "atmega9",
        ),
        (
            ("flash", "--target", "serial:/dev/null,atmega2560", "--scheme", "xtea-ecb"),
            2,
            "--implementation",
        ),
    ],
)
def test_bad_input_is_told_in_words(motebench, arguments, code, words):
    done = motebench(*arguments)
    assert done.code == code, done.err
    assert words in done.err
    assert "Traceback" not in done.err
