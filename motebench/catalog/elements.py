"""Secure elements: chips beside the processor that hold keys, one file each, ``catalog/elements/<id>.toml``."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from motebench.catalog.quantities import Draw, Known, PositiveBounds, State, Supply
from motebench.catalog.schema import Count, Source, Text
from motebench.catalog.shelf import Entry, Shelf
from motebench.model import Operation


class Bus(Known):
    """How the processor reaches the element: bits a second, and seconds from sleep to the first command."""

    name: Text
    hz: PositiveBounds
    wake_seconds: PositiveBounds


class Task(Known):
    """An operation of schemes: its commands, the bytes that the processor writes and reads for all of them without the
    addresses of the bus, and the seconds that the element computes."""

    schemes: tuple[Text, ...] = Field(min_length=1)
    operation: Operation
    commands: Count
    written: Count
    read: Count
    seconds: PositiveBounds


class Element(Entry):
    """A secure element. ``currents``: of states sleep, standby (awake, on the bus) and active (computing)."""

    source: Source
    unverified: bool = False
    supply: Supply
    currents: tuple[Draw, ...]
    bus: Bus
    operations: tuple[Task, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _drawn(self) -> Self:
        lacking = [state.value for state in STATES if self.draw(state) is None]
        if lacking:
            raise ValueError(f"currents of {', '.join(lacking)} are missing")
        return self

    def draw(self, state: State) -> Draw | None:
        """The current of a state."""
        return next((draw for draw in self.currents if draw.state is state), None)

    def task(self, scheme: str, operation: Operation) -> Task | None:
        """What it does for an operation of a scheme; None if it does not have it."""
        return next((one for one in self.operations if one.operation is operation and scheme in one.schemes), None)

    @property
    def implementation(self) -> str:
        """Its name among implementations."""
        return f"element/{self.id}"


STATES = (State.SLEEP, State.STANDBY, State.ACTIVE)
ELEMENTS = Shelf("elements", "element", "elements", Element)
