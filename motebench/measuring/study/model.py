"""Model of a study file, and the sampling policy that its ``[sampling]`` gives.

Strict: an unknown key is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    model_validator,
)

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.base.units import parse_duration, parse_percent, parse_quantity, parse_size

WITH_AAD = (Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY)
"""Operations of an AEAD on a whole message with additional data."""
STORED = {"stored": True}
"""Validation context for a study that motebench wrote itself: its numbers are in base units
already.
"""


_LARGEST_STORED = 2**40


def _reader(parse: Any) -> BeforeValidator:
    def read(value: Any, info: ValidationInfo) -> Any:
        if info.context is STORED:
            # A store may come from an untrusted source. pydantic checks the types; these are the
            # largest values.
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
    """List of patterns: schemes of the cases. Default: all. Example: ["*-ecb"]."""
    implementations: tuple[str, ...] = ("*",)
    """List of patterns: implementations of the cases. Default: all. Example: ["libgcrypt"]."""
    targets: tuple[str, ...] = ("*",)
    """List of patterns: a board with its code at other places is left out with the board.
    Default: all. Example: ["host"]."""
    operations: tuple[str, ...] = ("*",)
    """List of patterns: operations of the cases. Default: all. Example: ["decrypt*"]."""
    sizes: tuple[SizeOrNone, ...] = ()
    """List of sizes: input sizes of the cases. Default: all. Example: ["16 KiB"]."""

    @model_validator(mode="after")
    def _says_something(self) -> Exclude:
        if not self.model_fields_set:
            raise ValueError("an exclude without keys would exclude everything")
        return self


class Group(_StrictTable):
    """One ``[[measure]]`` block: every combination of its values.

    Without ``implementations`` and ``sizes``, the place of the target has the usual ones
    (`motebench.targets.base.Place`). ``placements``: of the code of simulated boards; None: as each
    board needs (`motebench.targets.settings.everywhere`).
    """

    schemes: Patterns
    """List of patterns: schemes: names, aliases or patterns. Example: ["aes-*-gcm", "sha256"]."""
    implementations: Annotated[tuple[str, ...], _Many] = ()
    """List of patterns: implementations; `label=name` measures *name* under the name *label*.
    Default: the usual ones. Example: ["openssl", "second=openssl"]."""
    targets: Patterns = ("host",)
    """List of names: targets. Default: `host`. Example: ["host"]."""
    placements: Annotated[int, Field(strict=True, ge=1, le=16)] | None = None
    """1 to 16: places of the code of simulated boards; 1: the usual place only. Above 1,
    every target of the block must be such a board. Default: 8 where cycles depend on the
    place, else 1. Example: 4."""
    operations: tuple[Operation, ...] = ()
    """List of names: operations. Default: by kind of scheme. Example: ["encrypt-message"]."""
    sizes: Annotated[tuple[SizeOrNone, ...], _Many] = ()
    """List of sizes: input sizes. 0 is an empty message, which bulk operations do not
    accept. Default: the usual ones. Example: ["16 B", "1 KiB"]."""
    aad: Annotated[tuple[SizeOrNone, ...], _Many] = ()
    """List of sizes: additional data of AEAD schemes (`*-message`, `encrypt-new-key`), each with
    each of `sizes`. Default: 0. Example: [0, 16, "128 B"]."""
    cores: Literal["all"] | Annotated[tuple[CoreCount, ...], _Many] = ()
    """List of numbers, or `"all"`: each case as so many processes at once, each on a core of
    its own; `"all"`: 1, 2, 4, ... and all cores. Default: one process. Example: [1, 2]."""
    code: tuple[str, ...] = ()
    """List of paths: folders of your own code, relative to the study's folder. `schemes =
    ["code-*"]` selects its own schemes; a name of the catalog, the scheme that it claims to
    compute. Without `implementations`, only the code is measured. Default: none. Example:
    ["my-ascon"]."""
    kat: tuple[str, ...] = ()
    """List of paths: files with known answers of the code. Default: in the code's folder.
    Example: ["LWC_AEAD_KAT_128_128.txt"]."""
    code_name: str = ""
    """Text: name of the code and its schemes, with one folder: two folders of one name in
    two runs are one implementation. Default: name of the folder. Example: "my-ascon"."""
    code_flags: str = ""
    """Text: additional flags for the compiler. Default: empty. Example: "-DFAST"."""
    without_kat: bool = False
    """True or false: measure code without known answers; every result then says so. Default:
    `false`. Example: true."""
    files: Annotated[tuple[str, ...], _Many] = ()
    """List of paths: whole files, relative to the study's folder; not together with `sizes`.
    Default: none. Example: ["data/sample.bin"]."""
    file_sizes: Annotated[tuple[Size, ...], _Many] = ()
    """List of sizes: whole files of random bytes, made for the run; not together with `sizes`.
    Default: none. Example: ["10 MB"]."""
    exclude: tuple[Exclude, ...] = ()
    """Blocks: usually written as `[[measure.exclude]]`. Default: none. Example: [{ schemes =
    ["*-ecb"] }]."""

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
                raise ValueError(
                    f"{operation.value} does not work on files; use {operation.value}-file"
                )
        return self

    def _fits_whole_files(self) -> None:
        if self.code:
            raise ValueError(
                "user code works on messages in memory: code and files are mutually exclusive"
            )
        if self.sizes:
            raise ValueError("sizes and files need two separate [[measure]] blocks")
        if self.aad:
            raise ValueError(
                "whole files are processed without additional data: aad and files are mutually "
                "exclusive"
            )
        if self.cores:
            raise ValueError(
                "whole files are processed by one process: cores and files are mutually exclusive"
            )


class Sampling(_StrictTable):
    """Sampling of a study: precision, times and numbers. The preset gives the values of absent
    keys."""

    preset: PresetName = "normal"
    """`fast`, `normal` or `rigorous`: values of absent keys. Default: `normal`. Example:
    "rigorous"."""
    precision: Percent | None = None
    """Percentage: half width of a median's interval at which a case is finished. Default:
    preset. Example: "1%"."""
    budget: Seconds | None = None
    """Time: sampling of the whole run ends after this time. Default: preset, times cases, at
    least 10 s. Example: "10min"."""
    batch: Seconds | None = None
    """Time: duration of one sample. Default: preset. Example: "2ms"."""
    timeout: Seconds | None = None
    """Time: time limit of a request to a probe. Default: 5 min. Example: "60s"."""
    warmup: Seconds | None = None
    """Time: just-in-time compilers: longest warm-up of a case. Default: preset. Example: "10s"."""
    runtime: Literal["shared", "apart"] | None = None
    """`shared` or `apart`: just-in-time compilers: one process for all cases, or one per
    scheme. Default: `shared`. Example: "apart"."""
    invocations: Annotated[int, Field(ge=2, le=1000)] | None = None
    """2 to 1000: just-in-time compilers: processes, each with one value of a case. Default:
    preset: 6, 6, 10. Example: 10."""
    min_samples: Annotated[int, Field(ge=2, le=100_000)] | None = None
    """2 to 100 000: fewest samples of a case; without it, more where verdicts need them.
    Default: preset. Example: 20."""
    max_samples: Annotated[int, Field(ge=2, le=1_000_000)] | None = None
    """2 to 1 000 000: most samples of a case. Default: preset. Example: 5000."""
    memory_samples: Annotated[int, Field(ge=0, le=1000)] | None = None
    """0 to 1000: fresh processes per case that measure peak memory. Default: preset.
    Example: 3."""
    share: Literal["hash"] | None = None
    """`hash`: on simulated boards, also the part of the cycles that SHA, Keccak and AES take.
    Default: none. Example: "hash"."""
    instrument: str | None = None
    """Name: an instrument that measures the energy of each case. Default: none. Example:
    "joulescope"."""
    instruments: dict[str, str] | None = None
    """Table of names by target: of several targets, the instrument of each. Default: none.
    Example: {"serial:/dev/ttyACM0" = "ppk2"}."""
    voltage: Volts | None = None
    """Voltage: of the supply; required for a PPK2. Default: what the instrument reads.
    Example: "3.3V"."""
    energy: Seconds | None = None
    """Time: total time of all batches of a case while the instrument reads. Default: preset: 2,
    10, 60 s. Example: "10s"."""
    cpu: Literal["auto", "none"] | Annotated[int, Field(ge=0)] | None = None
    """`auto`, `none` or a number: the core of the probes on this machine; `auto`: the least
    busy one of each round. Default: `auto`. Example: 2."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    """0 to 2^63 - 1: seed of the random order and of the memory layouts. Default: random.
    Example: 42."""

    @model_validator(mode="after")
    def _one_way(self) -> Sampling:
        if self.instrument and self.instruments:
            raise ValueError("instrument and instruments are mutually exclusive")
        return self


class WholeFile(_StrictTable):
    """Treatment of whole files: page cache, synchronisation, chunks and folder."""

    cache: Literal["cold", "warm"] = "cold"
    """`cold` or `warm`: `cold`: the input is dropped from the page cache before each pass.
    Default: `cold`. Example: "warm"."""
    sync: bool = True
    """True or false: flush the output to the device before the clock stops. Default: true.
    Example: false."""
    chunk: Size = 65536
    """Size: bytes per read of a probe; no effect on the programs of target `command`. Default:
    `64 KiB`. Example: "1 MiB"."""
    folder: str | None = None
    """Path: folder for generated inputs and for outputs; it decides which disk is measured.
    Default: current folder. Example: "."."""


class Study(_StrictTable):
    """A study file."""

    title: str = "untitled"
    """Text: title of table and report. Default: `untitled`. Example: "Ciphers for a sensor"."""
    description: str = ""
    """Text: text for readers of the study. Default: empty. Example: "What does a 20-byte
    message cost?"."""
    measure: Annotated[tuple[Group, ...], Field(min_length=1)]
    """Blocks, at least one: usually written as `[[measure]]`. Example: [{ schemes = ["sha256"]
    }]."""
    sampling: Sampling = Sampling()
    """Table: usually written as `[sampling]`. Default: preset `normal`. Example: { preset =
    "fast" }."""
    whole_file: WholeFile = WholeFile()
    """Table: usually written as `[whole_file]`. Default: see below. Example: { cache = "warm"
    }."""


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
    """Criteria that end sampling.

    precision: half width of the median's interval, as a fraction of the median, at which a case is
    finished. budget: seconds for the whole run, or None for ``case_budget`` times the number of
    cases (at least 10 s). batch: seconds that one sample should last (calibrated on the target).
    timeout: the most seconds one request to a probe may take; more is a failure of kind timeout.
    warmup: the most seconds that a just-in-time compiler is given to reach its steady state, per
    case. runtime: ``shared``, one process of such a probe for all cases, or ``apart``, one per
    scheme. instrument: what reads the power of the target, or None; instruments: the same by
    target; voltage: of the supply, where the instrument reads none.
    energy: seconds that the batches of a case take while it does.
    invocations: how often such a process is started; each gives a case one value.
    cpu: the core that probes of this machine are pinned to; ``auto``, the least busy of each round;
    ``none``. min_samples, max_samples: per case. memory_samples: fresh processes per case for peak
    memory. share: ``hash``, the part of hash functions in the cycles of simulated boards, or None.
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
    share: str | None = None

    def seconds(self, cases: int) -> float:
        """The budget of a run of that many cases, in seconds."""
        return self.budget if self.budget is not None else max(10.0, self.case_budget * cases)

    def plain(self) -> dict[str, Any]:
        """The policy as plain data, for the store."""
        return asdict(self)


_RANGES = {
    "precision": (0, 1),
    "case_budget": (0, 1e9),
    "batch": (0, 1e6),
    "timeout": (0, 1e9),
    "warmup": (0, 1e9),
    "budget": (0, 1e9),
    "energy": (0, 1e9),
    "voltage": (0, 1e6),
    "min_samples": (1, 1e9),
    "max_samples": (1, 1e9),
    "memory_samples": (0, 1e9),
    "invocations": (2, 1e9),
}
_TEXTS = ("runtime", "instrument")
_OPTIONAL = ("budget", "instrument", "voltage", "share")


def policy_from(plain: Mapping[str, object]) -> SamplingPolicy:
    """The policy from `SamplingPolicy.plain`; the data may come from an untrusted source.

    ValueError if they are invalid.
    """
    required = {
        item.name: item.default is MISSING and item.default_factory is MISSING
        for item in fields(SamplingPolicy)
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
    """True if a stored value has the type and the range of its key."""
    if value is None and name in _OPTIONAL:
        return True
    if name == "cpu":
        return value in ("auto", "none") or (type(value) is int and 0 <= value < 2**16)
    if name == "share":
        return value == "hash"
    if name == "instruments":
        return isinstance(value, dict) and all(
            isinstance(text, str) for pair in value.items() for text in pair
        )
    if name in _TEXTS:
        return isinstance(value, str) and (name != "runtime" or value in ("shared", "apart"))
    return _number_fits(name, value)


def _number_fits(name: str, value: object) -> bool:
    low, high = _RANGES.get(name, (0, 1e18))
    whole = name.endswith("_samples") or name == "invocations"
    return (
        isinstance(value, int if whole else (int, float))
        and type(value) is not bool
        and low <= value <= high
    )


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
        precision=0.01,
        case_budget=1.0,
        batch=0.002,
        min_samples=20,
        max_samples=10_000,
        memory_samples=8,
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
