"""Model of a study file, and the sampling policy that its ``[sampling]`` gives.

Strict: an unknown key is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
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
        raise ValueError("an input of 0 B cannot be timed, one of 1 B and more can")
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
    # A command uses few of the models that it imports: each is built when it is used first.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


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
    (`motebench.targets.base.Place`). ``placements``: of the code of simulated boards; None: as each board needs
    (`motebench.targets.settings.everywhere`).
    """

    schemes: Patterns
    implementations: Annotated[tuple[str, ...], _Many] = ()
    targets: Patterns = ("host",)
    placements: Annotated[int, Field(strict=True, ge=1, le=16)] | None = None
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


# Sampling policy


BATCHES = 40
"""Samples of a case in one process with a just-in-time compiler, if an operation is shorter than a
batch."""
UNTIMED_SECONDS = 0.005
"""Least untimed work before a batch. A process that has just started, or has waited, is slower at
first: after 0.25 ms of work a batch of 2 ms reads 0.5 to 1 % too long, whatever it computes; after
5 ms no bias is visible (``benchmarks/warm_bias.py``)."""


@dataclass(frozen=True, slots=True)
class SamplingPolicy:
    """When enough has been seen.

    precision: half width of the median's interval, as a fraction of the median, at which a case is finished.
    budget: seconds for the whole run, or None for ``case_budget`` times the number of cases (at least 10 s).
    batch: seconds that one sample should last (calibrated on the target).
    timeout: the most seconds one request to a probe may take; more is a failure of kind timeout.
    warmup: the most seconds that a just-in-time compiler is given to reach its steady state, per case.
    runtime: ``shared``, one process of such a probe for all cases, or ``apart``, one per scheme.
    instrument: what reads the power of the target, or None; instruments: the same by target; voltage: of the supply,
    where the instrument reads none.
    energy: seconds that the batches of a case take while it does.
    invocations: how often such a process is started; each gives a case one value.
    cpu: the core that probes of this machine are pinned to; ``auto``, the least busy of each round; ``none``.
    min_samples, max_samples: per case. memory_samples: fresh processes per case for peak memory.
    """

    precision: float
    case_budget: float
    batch: float
    min_samples: int
    max_samples: int
    memory_samples: int
    timeout: float = 300.0
    warmup: float = 5.0
    runtime: str = "shared"
    invocations: int = 6
    budget: float | None = None
    energy: float = 10.0
    instrument: str | None = None
    instruments: Mapping[str, str] = field(default_factory=dict)
    voltage: float | None = None
    cpu: str | int = "auto"

    def seconds(self, cases: int) -> float:
        """The budget of a run of that many cases, in seconds."""
        return self.budget if self.budget is not None else max(10.0, self.case_budget * cases)

    def plain(self) -> dict[str, Any]:
        """The policy as plain data, for the store."""
        return asdict(self)


_RANGES = {
    "precision": (0, 1), "case_budget": (0, 1e9), "batch": (0, 1e6), "timeout": (0, 1e9), "warmup": (0, 1e9),
    "budget": (0, 1e9), "energy": (0, 1e9), "voltage": (0, 1e6), "min_samples": (1, 1e9), "max_samples": (1, 1e9),
    "memory_samples": (0, 1e9), "invocations": (2, 1e9),
}  # fmt: skip
_TEXTS = ("runtime", "instrument")
_OPTIONAL = ("budget", "instrument", "voltage")


def policy_from(plain: Mapping[str, object]) -> SamplingPolicy:
    """The policy from `SamplingPolicy.plain`; the data may come from an untrusted source.

    ValueError if they are invalid.
    """
    required = {
        item.name: item.default is MISSING and item.default_factory is MISSING for item in fields(SamplingPolicy)
    }
    if unknown := sorted(set(plain) - set(required)):
        raise ValueError(f"its policy has the unknown key {unknown[0][:40]!r}")
    for name, needed in required.items():
        if name not in plain:
            if needed:
                raise ValueError(f"its policy has no {name!r}")
        elif not _fits(name, plain[name]):
            raise ValueError(f"{name} of its policy is {str(plain[name])[:40]!r}")
    return SamplingPolicy(**plain)  # type: ignore[arg-type]  # `_fits` has checked each value


def _fits(name: str, value: object) -> bool:
    """Whether a stored value has the type and the range of its key."""
    if value is None and name in _OPTIONAL:
        return True
    if name == "cpu":
        return value in ("auto", "none") or (type(value) is int and 0 <= value < 2**16)
    if name == "instruments":
        return isinstance(value, dict) and all(isinstance(text, str) for pair in value.items() for text in pair)
    if name in _TEXTS:
        return isinstance(value, str) and (name != "runtime" or value in ("shared", "apart"))
    return _number_fits(name, value)


def _number_fits(name: str, value: object) -> bool:
    low, high = _RANGES.get(name, (0, 1e18))
    whole = name.endswith("_samples") or name == "invocations"
    return isinstance(value, int if whole else (int, float)) and type(value) is not bool and low <= value <= high


PRESETS = {
    "fast": SamplingPolicy(
        precision=0.03,
        case_budget=0.2,
        batch=0.001,
        min_samples=12,
        max_samples=1000,
        memory_samples=1,
        warmup=2.0,
        energy=2.0,
    ),
    "normal": SamplingPolicy(
        precision=0.01, case_budget=1.0, batch=0.002, min_samples=20, max_samples=10_000, memory_samples=8
    ),
    "rigorous": SamplingPolicy(
        precision=0.0025,
        case_budget=15.0,
        batch=0.005,
        min_samples=40,
        max_samples=100_000,
        memory_samples=12,
        warmup=20.0,
        invocations=10,
        energy=60.0,
    ),
}


def policy_of(sampling: Sampling) -> SamplingPolicy:
    """The preset with the study's own values."""
    own = sampling.model_dump(exclude={"preset", "seed"}, exclude_none=True)
    return replace(PRESETS[sampling.preset], **own)
