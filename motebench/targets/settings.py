"""Settings of a simulated board: its memories, if they differ from the device's, the board whose
firmware it runs, and where that has its code.

Settings are part of a target's name, ``sim:samd21g18a+wait-states=0+no-cache``, so that results
with different settings are never mixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from motebench.base.errors import InputError
from motebench.base.naming import BOARD, PLACE, SIMULATED, unplaced
from motebench.catalog.devices import Device, programmable
from motebench.targets.firmware.forms import placeable

WAIT_STATES = (0, 1, 2, 3, 4)
"""Valid wait states of a simulated flash."""
PLACES = range(1, 16)
"""Valid places of code besides the default one."""
USUAL_PLACES = 8
"""Places of a board whose cycles depend on where its code lies, unless the user says how many."""
_AND = "+"
_WORDS: dict[str, dict[str, Any]] = {
    **{f"wait-states={count}": {"wait_states": count} for count in WAIT_STATES},
    "no-cache": {"no_cache": True},
    "far-ram": {"far_ram": True},
    "large-ram": {"large_ram": True},
}
_PLACES = {f"{PLACE.removeprefix(_AND)}{number}": {"place": number} for number in PLACES}


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Wait states of the flash (None: the device's), and True if its cache is off.

    ``far_ram``: RAM behind static data is far (``docs/explain/cortexm.md``), as the stack of some
    boards is. ``large_ram``: it has all RAM that the simulator can have (`large`). ``board``: the
    one of the device's other boards for which firmware is built; empty for none. ``place``: where
    the firmware has its code (`motebench.targets.firmware.forms`).
    """

    wait_states: int | None = None
    no_cache: bool = False
    far_ram: bool = False
    large_ram: bool = False
    board: str = ""
    place: int = 0

    def of(self, device: Device) -> BoardSettings:
        """Settings without those that equal the device's. InputError if the device lacks a
        setting.
        """
        lacks = {
            "wait states": self.wait_states is not None and device.wait_states is None,
            "cache": self.no_cache and device.cache is None,
        }
        for setting, lacking in lacks.items():
            if lacking:
                raise InputError(
                    f"the flash of {SIMULATED}{device.id} has no setting for {setting}"
                )
        if self.far_ram and not device.far_ram:
            able = [f"{SIMULATED}{other.id}" for other in programmable().values() if other.far_ram]
            raise InputError(f"{SIMULATED}{device.id} has no far RAM", valid=", ".join(able))
        if self.large_ram and not device.large_ram_bytes:
            able = [
                f"{SIMULATED}{other.id}"
                for other in programmable().values()
                if other.large_ram_bytes
            ]
            raise InputError(f"{SIMULATED}{device.id} has no large RAM", valid=", ".join(able))
        same = self.wait_states == device.wait_states
        return replace(
            self,
            wait_states=None if same else self.wait_states,
            no_cache=self.no_cache and device.cache is True,
        )

    def name(self, device: Device) -> str:
        """The name of the target with that device and these settings."""
        chosen = [word for word, change in _WORDS.items() if replace(self, **change) == self]
        chosen += [f"{BOARD}{self.board}"] if self.board else []
        return _AND.join((f"{SIMULATED}{device.id}", *chosen)) + (
            f"{PLACE}{self.place}" if self.place else ""
        )

    def arguments(self, device: Device) -> list[str]:
        """Arguments for the simulator."""
        wait_states = device.wait_states if self.wait_states is None else self.wait_states
        options = [] if wait_states is None else ["--wait-states", str(wait_states)]
        options += ["--no-cache"] if self.no_cache or device.cache is False else []
        options += ["--far-ram"] if self.far_ram else []
        return [*options, "--large-ram"] if self.large_ram else options


def parse(name: str) -> tuple[Device, BoardSettings] | None:
    """Device, as its board has it, and the settings in the name of a target; None if it is not a
    simulated board.

    InputError if there is no such setting, or the device does not have it.
    """
    plain, *changes = name.removeprefix(SIMULATED).split(_AND)
    if not name.startswith(SIMULATED) or plain not in programmable():
        return None
    device = programmable()[plain]
    boards = {f"{BOARD}{board.id}": {"board": board.id} for board in device.other_boards}
    settings, settings_by_name = (
        BoardSettings(),
        {**_WORDS, **boards, **(_PLACES if placeable(device) else {})},
    )
    for change in changes:
        if change not in settings_by_name:
            places = [f"place={PLACES[0]} to place={PLACES[-1]}"] if placeable(device) else []
            valid = ", ".join([*_WORDS, *boards, *places])
            raise InputError(
                f"{change!r} in {name!r} is not a setting of a simulated board", valid=valid
            )
        settings = replace(settings, **settings_by_name[change])
    settings = settings.of(device)
    device = device.on(settings.board) if settings.board else device
    return (large(device) if settings.large_ram else device), settings


def large(device: Device) -> Device:
    """The device with all RAM that its simulator can have."""
    return device.model_copy(update={"ram_bytes": device.large_ram_bytes})


def changed(names: Sequence[str], wait_states: int | None, no_cache: bool) -> tuple[str, ...]:
    """The names of simulated boards with other settings of the flash; None and False change
    nothing.

    InputError if one of them is not a simulated board, or does not have the setting.
    """
    if wait_states is None and not no_cache:
        return tuple(names)
    where = "--no-cache" if wait_states is None else "--wait-states"
    renamed = []
    for name in names:
        board = parse(name)
        try:
            if board is None:
                raise InputError(f"target {name!r} is not a simulated board")
            device, now = board
            states = now.wait_states if wait_states is None else wait_states
            new_settings = replace(now, wait_states=states, no_cache=no_cache or now.no_cache)
            renamed.append(new_settings.of(device).name(device))
        except InputError as error:
            key = "wait_states" if wait_states is not None else "cache"
            able = [
                f"{SIMULATED}{device.id}"
                for device in programmable().values()
                if getattr(device, key) is not None
            ]
            raise InputError(error.what, where=where, valid=", ".join(able)) from None
    return tuple(renamed)


def moved(name: str) -> bool:
    """True if cycles on the target depend on where its code lies, by the description of its board:
    flash that waits, or a cache before it, and firmware that can be placed elsewhere.
    """
    board = parse(name)
    if board is None or not placeable(board[0]):
        return False
    device, settings = board
    wait_states = device.wait_states if settings.wait_states is None else settings.wait_states
    if device.wait_states is not None and not wait_states:
        return False
    return bool(wait_states) or (device.cache is True and not settings.no_cache)


def everywhere(names: Sequence[str], placements: int | None, where: str | None) -> tuple[str, ...]:
    """Each simulated board, and the same with its code at other places: ``placements`` of them
    together. None: `USUAL_PLACES` of each board that is `moved`, unless one of the names says a
    place of it.

    InputError at ``where`` if one of them is not a simulated board, its code cannot be placed, or
    its name says a place.
    """
    if placements == 1:
        return tuple(names)
    if placements is None:
        return _usually_placed(names)
    placed = []
    for name in names:
        board = parse(name)
        problem = (
            f"target {name!r} is not a simulated board"
            if board is None
            else f"{name!r} says the place of its code already"
            if board[1].place
            else f"nothing on {name!r} depends on the place of its code"
            if not placeable(board[0])
            else ""
        )
        if board is None or problem:
            able = [
                f"{SIMULATED}{device.id}" for device in programmable().values() if placeable(device)
            ]
            raise InputError(problem, where=where, valid=", ".join(able))
        device, settings = board
        placed += [replace(settings, place=number).name(device) for number in range(placements)]
    return tuple(placed)


def _usually_placed(names: Sequence[str]) -> tuple[str, ...]:
    elsewhere = {unplaced(name) for name in names if unplaced(name) != name}
    placed: list[str] = []
    for name in names:
        several = unplaced(name) not in elsewhere and moved(name)
        placed += everywhere([name], USUAL_PLACES, None) if several else [name]
    return tuple(placed)
