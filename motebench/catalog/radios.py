"""Radios: LoRa transceivers, one file each, ``catalog/radios/<id>.toml``; ``docs/catalog.md`` describes the keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from motebench.catalog.quantities import Draw, State, Supply
from motebench.catalog.schema import Source
from motebench.catalog.shelf import CatalogEntry, Shelf

SpreadingFactor = Annotated[int, Field(strict=True, ge=5, le=12)]
Kilohertz = Annotated[float, Field(gt=0)]


class Radio(CatalogEntry):
    """What a transceiver can do and what it draws doing it.

    ``long_sync``: spreading factors whose preamble is 2 symbols longer (SF5 and SF6 of the SX126x family).
    ``min_preamble_symbols``: the fewest preamble symbols that can be programmed.
    ``includes_mcu``: the currents are those of a module whose processor runs meanwhile.
    """

    spreading_factors: tuple[SpreadingFactor, ...] = Field(min_length=1)
    implicit_only: tuple[SpreadingFactor, ...] = ()
    long_sync: tuple[SpreadingFactor, ...] = ()
    bandwidths_khz: tuple[Kilohertz, ...] = Field(min_length=1)
    min_preamble_symbols: Annotated[int, Field(strict=True, ge=1, le=65535)] = 6
    max_payload_bytes: Annotated[int, Field(strict=True, ge=1, le=255)]
    modulations: tuple[Literal["lora", "fsk"], ...] = ("lora",)
    includes_mcu: bool = False
    supply: Supply
    currents: tuple[Draw, ...]
    source: Source

    def draw(self, state: State) -> Draw | None:
        """The current of a state; None if the file does not have it."""
        return next((draw for draw in self.currents if draw.state is state), None)

    @property
    def transmitting(self) -> list[Draw]:
        """Transmit currents by rising output power."""
        return sorted((draw for draw in self.currents if draw.state is State.TRANSMIT), key=lambda d: d.power_dbm or 0)


RADIOS = Shelf("radios", "radio", "radios", Radio)
