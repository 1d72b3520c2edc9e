"""Devices: kinds of hardware, one file each, ``catalog/devices/<id>.toml``;
``docs/reference/catalog.md`` describes the keys."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from motebench.base.files import toml
from motebench.base.model import Operation
from motebench.base.naming import squeezed
from motebench.base.paths import catalog_dir
from motebench.catalog.quantities import Draw, Known, PositiveBounds, State, Supply, Voltage
from motebench.catalog.radios import RADIOS, ModulationName
from motebench.catalog.schema import Count, Identifier, Record, Source, Text
from motebench.catalog.shelf import CatalogEntry, Shelf


class Upload(Record):
    """Upload of firmware onto a board.

    ``command`` is the programmer and its arguments, with ``{port}`` and ``{file}`` in them;
    ``package`` is what Debian and Ubuntu call its package, or ``install`` says how else it is
    installed; ``format`` is what it wants the firmware as. ``prepare`` is a command before it,
    which makes ``{package}`` from ``{file}``. ``touch``: opening the port at 1200 baud makes the
    board enter its boot loader.
    """

    command: tuple[Text, ...] = Field(min_length=1)
    package: Text | None = None
    install: Text | None = None
    format: Literal["ihex", "binary", "uf2"]
    prepare: tuple[Text, ...] = ()
    touch: bool = False

    @model_validator(mode="after")
    def _package_or_install(self) -> Upload:
        if (self.package is None) == (self.install is None):
            raise ValueError("package or install says how the program is installed, one of them")
        return self


Bytes = Annotated[int, Field(strict=True, ge=0)]
Usb = tuple[Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{4}:[0-9a-f]{4}$")], ...]
Family = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-f]{8}$")]
Pin = Annotated[int, Field(strict=True, ge=0, le=255)]


class Board(Record):
    """Board that is reached in another way than the first one with its device; `Serial` explains
    the keys they share.

    ``flash_begin_bytes``: what the boot loader takes of the start of flash, ``boot_loader_bytes``
    of its end. ``pins``: TX and RX of the serial line, as the port of the chip numbers them.
    """

    id: Identifier
    name: Text
    flash_begin_bytes: Bytes = 0
    boot_loader_bytes: Bytes = 0
    pins: tuple[Pin, Pin] | None = None
    boot_seconds: Annotated[float, Field(ge=0, le=60)]
    usb: Usb = ()
    own_port: bool = False
    uf2_family: Family | None = None
    upload: Upload
    source: Source


class Serial(Record):
    """Serial port of boards with the device.

    ``boot_seconds`` is how long the boot loader keeps the firmware waiting after a reset.
    ``boot_loader_bytes`` is what it takes of the end of flash. ``usb`` are the boards' USB ids,
    vendor and product. ``own_port``: the firmware's serial line is not the port that firmware is
    uploaded through. ``clock_origin`` says what the boards' clock comes from, ``clock_tolerance``
    how far from its nominal rate that may be, as a part of it. ``uf2_family``: the number of the
    family in UF2 files for its boot loader. ``boards``: other boards, which differ in how they are
    reached. ``pins``: TX and RX, if they are not those of the port.
    """

    baud: Count
    boot_seconds: Annotated[float, Field(ge=0, le=60)]
    boot_loader_bytes: Bytes = 0
    usb: Usb = ()
    own_port: bool = False
    clock_origin: Annotated[str, StringConstraints(min_length=3)]
    clock_tolerance: Annotated[float, Field(gt=0, lt=0.2)]
    uf2_family: Family | None = None
    pins: tuple[Pin, Pin] | None = None
    upload: Upload
    source: Source
    boards: tuple[Board, ...] = ()

    @property
    def uploads(self) -> tuple[Upload, ...]:
        """Every way to upload firmware."""
        return (self.upload, *(board.upload for board in self.boards))

    @model_validator(mode="after")
    def _each_board_once(self) -> Serial:
        if len({board.id for board in self.boards}) != len(self.boards):
            raise ValueError("two boards have the same id")
        return self


class CounterMemory(Known):
    """Memory that keeps a counter over a reset, such as EEPROM or a part of flash.

    ``cycles`` is how often its cells may be erased and written; ``erase_bytes`` is what is erased
    at once, and ``write_bytes`` what one write takes at least.
    """

    kind: Literal["eeprom", "flash"]
    cycles: Count
    erase_bytes: Count
    write_bytes: Count


class Unproven(Record):
    """Reason why the cycles of the simulated board are not proven on silicon. ``source``: the basis
    of the model.
    """

    why: Text
    source: Source


class Proven(Record):
    """Comparison of the simulated board's cycles with real chips, or with what describes them."""

    how: Text
    source: Source


class CodePlaces(Record):
    """Effect of the code's place in flash on the cycles of the simulated board: ``moves`` is most /
    least - 1 of the case that moved most, over ``places`` places; ``source`` says of which cases.
    """

    moves: Annotated[float, Field(ge=0)]
    places: Count
    source: Source


WaitStates = Annotated[int, Field(strict=True, ge=0, le=15)]
_NEARLY = 1 + 1e-9
"""Factor by which a clock on a limit may exceed it, because of rounding."""


class SpeedGrade(Record):
    """Highest clock from a supply voltage up, with the fewest wait states of the flash at it.
    ``part``: the ordering code that it belongs to, where the device's own part does not have it.
    """

    voltage: Voltage
    clock_hz: Count
    wait_states: WaitStates | None = None
    part: Text | None = None


class Speeds(Known):
    """Clocks that a part is made for, by supply voltage.

    ``linear``: between two grades the highest clock lies on the line. ``least_hz``: the lowest
    clock. ``regulator``: between supply and core; without one (``none``) the current is in
    proportion to the supply voltage, behind a linear one it does not depend on it, behind a
    switching one it is in inverse proportion to it.
    """

    grades: tuple[SpeedGrade, ...] = Field(min_length=1)
    linear: bool = False
    least_hz: Count | None = None
    regulator: Literal["none", "linear", "switching"] | None = None

    @model_validator(mode="after")
    def _rising(self) -> Speeds:
        order = [(grade.voltage, grade.clock_hz) for grade in self.grades]
        if order != sorted(order):
            raise ValueError("grades are not in the order of their voltages and clocks")
        if self.linear and any(grade.wait_states is not None for grade in self.grades):
            raise ValueError("wait states have steps: leave linear out")
        return self

    def highest_hz(self, volts: float) -> float:
        """Highest clock at a supply voltage; 0 below the first grade."""
        reached = [grade for grade in self.grades if grade.voltage <= volts * _NEARLY]
        beyond = [grade for grade in self.grades if grade.voltage > volts * _NEARLY]
        if not reached:
            return 0.0
        highest = max(reached, key=lambda grade: grade.clock_hz)
        if not self.linear or not beyond:
            return float(highest.clock_hz)
        slope = (beyond[0].clock_hz - highest.clock_hz) / (beyond[0].voltage - highest.voltage)
        return highest.clock_hz + slope * (volts - highest.voltage)

    def least_volts(self, clock_hz: float) -> float | None:
        """Lowest supply voltage for a clock; None if no voltage allows it."""
        fast = [grade for grade in self.grades if grade.clock_hz * _NEARLY >= clock_hz]
        slow = [grade for grade in self.grades if grade.clock_hz * _NEARLY < clock_hz]
        if not fast:
            return None
        grade = min(fast, key=lambda grade: grade.voltage)
        if not self.linear or not slow:
            return grade.voltage
        slope = (grade.voltage - slow[-1].voltage) / (grade.clock_hz - slow[-1].clock_hz)
        return slow[-1].voltage + slope * (clock_hz - slow[-1].clock_hz)

    def grade(self, clock_hz: float, volts: float) -> SpeedGrade | None:
        """Grade that allows the clock with the fewest wait states; None if none does by itself, so
        that the clock lies between two grades. One of the device's own part comes first."""
        allowed = [
            grade
            for grade in self.grades
            if grade.voltage <= volts * _NEARLY and grade.clock_hz * _NEARLY >= clock_hz
        ]
        return min(
            allowed,
            key=lambda grade: (grade.part is not None, grade.wait_states or 0),
            default=None,
        )


class Accelerator(Known):
    """An engine on the chip that computes one block of a cipher or hash. ``block_cycles``: cycles
    of the device's clock for a block, by length of the key or digest in bits."""

    id: Identifier
    algorithm: Identifier
    block_cycles: dict[str, Count] = Field(min_length=1)

    def __hash__(self) -> int:
        """A device is the key under which its firmware is kept, and a dict has no hash."""
        return hash((self.id, self.algorithm, tuple(sorted(self.block_cycles.items()))))


class EngineOperation(Record):
    """Operation that an engine on the chip computes by itself: ``cycles`` of the device's clock."""

    schemes: tuple[Text, ...] = Field(min_length=1)
    operation: Operation
    cycles: PositiveBounds


class KeyEngine(Known):
    """Engine on the chip for public keys. Hashes of messages are the processor's."""

    id: Identifier
    operations: tuple[EngineOperation, ...] = Field(min_length=1)


class Device(CatalogEntry):
    """Kind of hardware.

    ``clock_hz`` is the clock of its firmware, with which cycles become time; ``flash_bytes`` and
    ``ram_bytes`` are what the part has, of which a boot loader takes the first
    ``boot_loader_bytes`` of flash; ``mcu`` is its name for compiler and simulator, empty where no
    firmware can be built for it, ``core`` that of its core, where the compiler asks for one.
    ``port`` names the chip's own part of the port of the probe, where the architecture alone does
    not say it. ``boards`` are those that carry the part.

    ``serial``: how real boards are reached; None if nobody said.

    ``wait_states`` and ``cache``: of its flash at that clock; None where it has no such settings.
    ``far_ram``: its simulator can have RAM that answers later (``+far-ram``). ``large_ram_bytes``:
    RAM that it can have instead (``+large-ram``); 0 for no other. ``unproven``: its cycles as
    simulated are not proven on silicon; ``proven``: how near they are. ``code_places``: how far the
    place of code moves them.

    ``radio``: the one on the chip, or in its package.

    ``speeds``: other clocks and voltages that it can have; None if its file does not say.
    ``currents`` name the state, and whether of the chip or of the board; the first that fits a
    question counts.
    """

    architecture: Text
    clock_hz: Count
    flash_bytes: Annotated[int, Field(strict=True, ge=0)] = 0
    ram_bytes: Count
    mcu: str = ""
    features: tuple[Text, ...] = ()
    supply: Supply | None = None
    currents: tuple[Draw, ...] = ()
    accelerators: tuple[Accelerator, ...] = ()
    key_engines: tuple[KeyEngine, ...] = ()
    source: Source
    speeds: Speeds | None = None
    core: Text | None = None
    port: Identifier | None = None
    boards: tuple[Text, ...] = ()
    boot_loader_bytes: Annotated[int, Field(strict=True, ge=0)] = 0
    wait_states: WaitStates | None = None
    cache: bool | None = None
    far_ram: bool = False
    large_ram_bytes: Bytes = 0
    unproven: Unproven | None = None
    proven: Proven | None = None
    code_places: CodePlaces | None = None
    serial: Serial | None = None
    counter_memory: CounterMemory | None = None
    radio: Identifier | None = None

    @property
    def called(self) -> tuple[str, ...]:
        """Names of the device: its own, and those of its boards."""
        return (self.name, *self.boards, *(board.name for board in self.other_boards))

    @property
    def other_boards(self) -> tuple[Board, ...]:
        """Boards that are reached in another way than ``serial`` itself says."""
        return self.serial.boards if self.serial is not None else ()

    def on(self, board: str) -> Device:
        """Device as on that one of its other boards. KeyError for an unknown board."""
        board_file = {other.id: other for other in self.other_boards}[board]
        assert self.serial is not None
        shared = {
            name: getattr(board_file, name)
            for name in Board.model_fields.keys() & Serial.model_fields.keys()
        }
        serial = self.serial.model_copy(update={**shared, "boards": ()})
        return self.model_copy(
            update={"boot_loader_bytes": board_file.flash_begin_bytes, "serial": serial}
        )

    def draws(self, state: State, part: str | None = None) -> list[Draw]:
        """The currents of a state, in the order of the file; of chip or board only where ``part``
        says which.
        """
        return [draw for draw in self.currents if draw.state is state and part in (None, draw.of)]


class OperatedDevice(Device):
    """Device at a clock and supply voltage of a question, instead of those of its file.

    ``volts``: its supply. ``fewest_waits``: wait states of the flash that this clock needs at
    least; ``wait_states`` are those that results were measured with. ``remarks``: for readers.
    """

    volts: Voltage
    fewest_waits: WaitStates | None = None
    remarks: tuple[Text, ...] = ()


_USUAL_RADIOS: dict[ModulationName, str] = {
    "lora": "sx1276",
    "fsk": "sx1276",
    "ble": "nrf52840",
    "ieee802154": "nrf52840",
    "nbiot": "nrf9160",
    "ltem": "nrf9160",
    "wifi": "esp32c3",
}


def usual_radio(device: Device | None, modulation: ModulationName = "lora") -> str:
    """The radio that is meant where none is named: the device's own if it has that modulation, or
    one that most boards carry.
    """
    if device is None or device.radio is None:
        return _USUAL_RADIOS[modulation]
    own = RADIOS.entry(device.radio)
    return (
        device.radio if own is None or modulation in own.modulations else _USUAL_RADIOS[modulation]
    )


class MissingBoard(Record):
    """Boards without results: what is missing, and the nearest device with results."""

    names: tuple[Text, ...]
    statement: Text
    nearest: Identifier | None = None


class MissingBoards(Record):
    """``catalog/policies/boards.toml``."""

    missing: tuple[MissingBoard, ...]


def missing_board(name: str) -> str | None:
    """Message on a board that people know but the catalog lacks, with the nearest device; None if
    the catalog does not name it.
    """
    file = toml.validate(toml.load(catalog_dir() / "policies" / "boards.toml"), MissingBoards)
    missing = next((entry for entry in file.missing if squeezed(name) in entry.names), None)
    if missing is None:
        return None
    return missing.statement + (
        f": name {missing.nearest!r} to get its results." if missing.nearest else "."
    )


DEVICES = Shelf("devices", "device", "devices", Device, missing=missing_board)


def devices(own: Path | None = None) -> Mapping[str, Device]:
    """Every device by id."""
    return DEVICES.all(own)


def device_with(board: str) -> Device | None:
    """The device of that other board; None if none has it."""
    return next(
        (
            device
            for device in devices().values()
            if any(board == other.id for other in device.other_boards)
        ),
        None,
    )


def programmable(own: Path | None = None) -> Mapping[str, Device]:
    """Every device that firmware is built for, by id."""
    return {name: device for name, device in devices(own).items() if device.mcu}
