"""The model of a study file. Strict: an unknown key is an error."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.base.units import parse_duration, parse_percent, parse_quantity, parse_size

WITH_AAD = (Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY)
"""Operations of an AEAD on a whole message with additional data."""
STORED = {"stored": True}
"""Validation context for a study that motebench wrote itself: its numbers are in base units already."""


_LARGEST_STORED = 2**40


def _reader(parse: Any) -> BeforeValidator:
    def read(value: Any, info: ValidationInfo) -> Any:
        if info.context is STORED:
            # A store may come from an untrusted source. pydantic checks the types; these are the largest values.
            if isinstance(value, int | float) and not 0 <= value <= _LARGEST_STORED:
                raise ValueError("is not a number")
            return value
        try:
            return parse(value)
        except InputError as error:
            raise ValueError(error) from None

    return BeforeValidator(read)


def _volts(value: Any) -> float:
    volts = parse_quantity(str(value), "V")
    if volts <= 0:
        raise InputError("a voltage of 0 V gives no power", valid="more than 0: 3.3V")
    return volts


def _at_least_one(value: int) -> int:
    if value < 1:
        raise ValueError("an input of 0 B cannot be timed")
    return value


Size = Annotated[int, _reader(parse_size), AfterValidator(_at_least_one)]
SizeOrNone = Annotated[int, _reader(parse_size)]
"""The size of a whole message or of additional data, which may be empty."""
CoreCount = Annotated[int, Field(ge=1, le=8192)]
Percent = Annotated[float, _reader(parse_percent)]
Seconds = Annotated[float, _reader(parse_duration)]
Volts = Annotated[float, _reader(_volts)]
_Many = Field(max_length=10_000)
Patterns = Annotated[tuple[str, ...], Field(min_length=1, max_length=10_000)]
PresetName = Literal["fast", "normal", "rigorous"]


class _StrictTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exclude(_StrictTable):
    """Cases to leave out: those that match every key of the block."""

    schemes: tuple[str, ...] = ("*",)
    implementations: tuple[str, ...] = ("*",)
    targets: tuple[str, ...] = ("*",)
    operations: tuple[str, ...] = ("*",)
    sizes: tuple[SizeOrNone, ...] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Exclude:
        if not self.model_fields_set:
            raise ValueError("an exclude without keys would exclude everything")
        return self


class Group(_StrictTable):
    """One ``[[measure]]`` block: every combination of its values.

    Without ``implementations`` and ``sizes``, the place of the target has the usual ones
    (`motebench.targets.base.Place`).
    """

    schemes: Patterns
    implementations: Annotated[tuple[str, ...], _Many] = ()
    targets: Patterns = ("host",)
    placements: Annotated[int, Field(ge=2, le=16)] | None = None
    operations: tuple[Operation, ...] = ()
    sizes: Annotated[tuple[SizeOrNone, ...], _Many] = ()
    aad: Annotated[tuple[SizeOrNone, ...], _Many] = ()
    cores: Literal["all"] | Annotated[tuple[CoreCount, ...], _Many] = ()
    code: tuple[str, ...] = ()
    kat: tuple[str, ...] = ()
    code_name: str = ""
    code_flags: str = ""
    without_kat: bool = False
    files: Annotated[tuple[str, ...], _Many] = ()
    file_sizes: Annotated[tuple[Size, ...], _Many] = ()
    exclude: tuple[Exclude, ...] = ()

    @model_validator(mode="after")
    def _fits_together(self) -> Group:
        if self.code_name and len(self.code) > 1:
            raise ValueError("code_name names one folder, but several are given")
        whole = bool(self.files or self.file_sizes)
        if whole:
            self._fits_whole_files()
        for operation in self.operations:
            if operation is Operation.COPY_FILE:
                raise ValueError("copy-file is added automatically to whole-file operations")
            if operation.on_file and not whole:
                raise ValueError(f"{operation.value} needs files or file_sizes")
            if whole and not operation.on_file:
                raise ValueError(f"{operation.value} does not work on files; use {operation.value}-file")
        return self

    def _fits_whole_files(self) -> None:
        if self.code:
            raise ValueError("user code works on messages in memory: code and files are mutually exclusive")
        if self.sizes:
            raise ValueError("sizes and files need two separate [[measure]] blocks")
        if self.aad:
            raise ValueError("whole files are processed without additional data: aad and files are mutually exclusive")
        if self.cores:
            raise ValueError("whole files are processed by one process: cores and files are mutually exclusive")


class Sampling(_StrictTable):
    """How long to measure. The preset gives the values of absent keys."""

    preset: PresetName = "normal"
    precision: Percent | None = None
    budget: Seconds | None = None
    batch: Seconds | None = None
    timeout: Seconds | None = None
    warmup: Seconds | None = None
    runtime: Literal["shared", "apart"] | None = None
    invocations: Annotated[int, Field(ge=2, le=1000)] | None = None
    min_samples: Annotated[int, Field(ge=2, le=100_000)] | None = None
    max_samples: Annotated[int, Field(ge=2, le=1_000_000)] | None = None
    memory_samples: Annotated[int, Field(ge=0, le=1000)] | None = None
    instrument: str | None = None
    instruments: dict[str, str] | None = None
    voltage: Volts | None = None
    energy: Seconds | None = None
    cpu: Literal["auto", "none"] | Annotated[int, Field(ge=0)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Sampling:
        if self.instrument and self.instruments:
            raise ValueError("instrument and instruments are mutually exclusive")
        return self


class WholeFile(_StrictTable):
    """How files are read and written."""

    cache: Literal["cold", "warm"] = "cold"
    sync: bool = True
    chunk: Size = 65536
    folder: str | None = None


class Study(_StrictTable):
    """A study file."""

    title: str = "untitled"
    description: str = ""
    measure: Annotated[tuple[Group, ...], Field(min_length=1)]
    sampling: Sampling = Sampling()
    whole_file: WholeFile = WholeFile()
