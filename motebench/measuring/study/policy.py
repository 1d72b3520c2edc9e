"""The sampling policy: presets, with the changes of a study or of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import Any

from motebench.measuring.study.model import Sampling

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


def policy_from(plain: Mapping[str, Any]) -> SamplingPolicy:
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
    return SamplingPolicy(**plain)


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
