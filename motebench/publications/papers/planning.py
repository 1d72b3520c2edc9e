"""The plan of a small replication: the cells that claims compare, the samples that these
comparisons need, the time.

It works backwards from the claims. A claim names subjects, operations, sizes and devices; cells
that no claim compares are left out. Each claim is a family of comparisons (`judging.judge`), and
the family's level gives the number of pairs below which no test can decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from motebench.base.model import Case, Evidence, Operation
from motebench.base.naming import EMULATED
from motebench.base.units import MAIN
from motebench.measuring.plan.plan import Plan
from motebench.measuring.study.model import UNTIMED_SECONDS, Group, Study
from motebench.publications.papers.checks import (
    AirtimeStepsCheck,
    Check,
    ConstantCheck,
    ExampleCheck,
    FormulaCheck,
    GrowthCheck,
    LevelCheck,
    RatioCheck,
    SameOrderCheck,
    ScalingCheck,
    Selector,
    StandardCheck,
    WideningCheck,
    subjects_of,
)
from motebench.publications.papers.claims import ClaimsFile, PaperClaim
from motebench.publications.papers.judging import METERED, JudgedSide, family_of, untold
from motebench.publications.papers.values import STATIC, ClaimValue, mode_of, operation_of
from motebench.stats import ALPHA
from motebench.stats.shape import Bounded

LOOKS = 3
"""Largest number of times that the claims of a small replication are judged: each look has its
share of the level."""
RESOLUTION = 0.1
"""A difference that a small replication does not tell apart: a finer one needs more samples than it
has time for."""
PROCESSES = 6
"""Starts of a virtual machine: the fewest whose median has an interval. A t test of so few can have
any p."""
FEWEST_SAMPLES = 6
"""Fewer samples are not quoted."""
SPARE = 3
"""Largest factor of the needed samples, where a busy machine disturbs them."""
_SIZES = ("sizes", "file_sizes")
NO_SIZE = 0
"""Size of a block whose operations have no input."""
ENOUGH = 0.9
"""Precision of a median at which a case is finished: the number of samples is planned, not the
precision."""


@dataclass(frozen=True, slots=True)
class CellNeeds:
    """Cells of a block that claims compare: for scheme and operation, the published sizes."""

    sizes: Mapping[tuple[str, Operation], frozenset[int]]
    metrics: frozenset[str]

    def groups(self, group: Group) -> list[Group]:
        """The block with these cells alone: one for each set of schemes and sizes that operations
        share."""
        operations_by_need: dict[tuple[tuple[str, ...], frozenset[int]], list[Operation]] = {}
        for operation in group.operations:
            schemes = tuple(scheme for scheme in group.schemes if (scheme, operation) in self.sizes)
            sizes = frozenset().union(*(self.sizes[scheme, operation] for scheme in schemes))
            if schemes:
                operations_by_need.setdefault((schemes, sizes), []).append(operation)
        return [
            group.model_copy(
                update={
                    "schemes": schemes,
                    "operations": tuple(operations),
                    **{
                        key: tuple(size for size in getattr(group, key) if size in sizes)
                        for key in _SIZES
                    },
                }
            )
            for (schemes, sizes), operations in operations_by_need.items()
        ]


class ClaimPlanner:
    """Needs of a paper's claims from its parts. ``targets``: those that all parts of a method are
    measured on.
    """

    def __init__(self, claims: ClaimsFile, method: str, targets: Collection[str]) -> None:
        self._claims, self._targets = claims, targets
        self._side = JudgedSide((), True, claims.device, own=method == "own")

    def told(self) -> list[PaperClaim]:
        """The claims that this method can decide."""
        return [claim for claim in self._claims.claim if not untold(claim, self._side)]

    def needs(self, group: Group, claims: Iterable[PaperClaim] | None = None) -> CellNeeds:
        """The cells of a block that claims compare: those given, else all."""
        sizes_needed: dict[tuple[str, Operation], frozenset[int]] = {}
        whole: dict[str, tuple[Operation, int]] = {}
        metrics: set[str] = set()
        for claim in self.told() if claims is None else claims:
            for check in claim.check:
                for only in self._selectors(check, group):
                    cells = self._cells(check, only, group)
                    metrics |= {only.metric or "time"} if cells else set()
                    for (scheme, operation), sizes in cells.items():
                        if only.metric in STATIC:
                            whole.setdefault(scheme, (operation, min(sizes)))
                        else:
                            sizes_needed[scheme, operation] = (
                                sizes_needed.get((scheme, operation), frozenset()) | sizes
                            )
        for scheme, (
            operation,
            size,
        ) in whole.items():  # of a whole firmware: any case of a scheme has it
            if all(scheme != other for other, _ in sizes_needed):
                sizes_needed[scheme, operation] = frozenset((size,))
        return CellNeeds(sizes_needed, frozenset(metrics))

    def _selectors(self, check: Check, group: Group) -> Iterator[Selector]:
        """Selections of a block's values that a check looks at; none where these targets cannot
        decide it."""
        if isinstance(check, FormulaCheck | ExampleCheck | StandardCheck | AirtimeStepsCheck):
            return
        if check.only.metric in METERED:
            return
        here = group.targets
        if isinstance(check, WideningCheck | SameOrderCheck):
            names = (
                (*check.here, *check.there)
                if isinstance(check, WideningCheck)
                else check.only.devices
            )
            if not names or self._any_on(here, names):
                yield check.only
            return
        if isinstance(check, RatioCheck):
            yield from self._ratio_selectors(check, here)
            return
        named = check.only.devices
        if not named or self._any_on(here, named):
            yield check.only
        elif not isinstance(check, LevelCheck) and not self._any_on(self._targets, named):
            yield check.only  # its shape alone

    def _ratio_selectors(self, check: RatioCheck, here: Sequence[str]) -> Iterator[Selector]:
        apart = check.a.devices != check.b.devices
        if apart and not all(
            self._any_on(self._targets, side.devices) for side in (check.a, check.b)
        ):
            return
        named = check.only.devices
        if named and self._any_on(self._targets, named) and not self._any_on(here, named):
            return
        for side in (check.a, check.b):
            if apart and not self._any_on(here, side.devices):
                continue
            whole, part = check.only.model_dump(), side.model_dump()
            yield Selector(**{key: part[key] or whole[key] for key in whole})

    def _any_on(self, targets: Iterable[str], names: Collection[str]) -> bool:
        """True if one of these targets is one of these devices of the paper."""
        devices = [device for device in self._claims.device if device.name in names]
        return any(device.may_be(target) for target in targets for device in devices)

    def _cells(
        self, check: Check, only: Selector, group: Group
    ) -> dict[tuple[str, Operation], frozenset[int]]:
        sizes = sizes_for(check, only, (*group.sizes, *group.file_sizes) or (NO_SIZE,))
        if not sizes:
            return {}
        schemes = self._schemes(only.subjects or subjects_of(check), only.modes)
        fitting = [scheme for scheme in group.schemes if scheme in schemes]
        operations = [
            operation
            for operation in group.operations
            if not only.operations or operation_of(operation.value) in only.operations
        ]
        return dict.fromkeys(product(fitting, operations), frozenset(sizes))

    def _schemes(self, subjects: Collection[str], modes: Collection[str]) -> set[str]:
        """Schemes of these subjects, or of all, in these modes."""
        names = {
            scheme
            for subject in self._claims.subject
            if not subjects or subject.name in subjects
            for scheme in subject.schemes
        }
        return {
            name
            for name in names
            if not modes or any(fnmatchcase(mode_of(name), glob) for glob in modes)
        }


def sizes_for(check: Check, only: Selector, sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes of a block that decide a check: those that it names; the first and the last where
    it speaks of all.

    Steps from one size to the next need every size.
    """
    if only.sizes:
        return tuple(size for size in sizes if size in only.sizes)
    along = isinstance(check, ConstantCheck) and "size" in check.over
    if isinstance(check, ScalingCheck | GrowthCheck) or along or len(sizes) < 3:
        return tuple(sizes)
    return min(sizes), max(sizes)


def narrowed(study: Study, planner: ClaimPlanner) -> tuple[Study | None, frozenset[str]]:
    """The study with the cells alone that claims compare, and their metrics; None if there are
    none.

    Values that stand for one device have the cells of all claims: a claim about it looks at every
    size that was measured.
    """
    needs = [planner.needs(group) for group in study.measure]
    pairs = zip(study.measure, needs, strict=True)
    groups = tuple(group for whole, need in pairs for group in need.groups(whole))
    metrics = frozenset().union(*(need.metrics for need in needs))
    return (study.model_copy(update={"measure": groups}) if groups else None), metrics


def planned_cells(
    claims: ClaimsFile,
    cases: Iterable[Case],
    sizes: Mapping[int, int],
    metrics: Collection[str],
    devices: tuple[str, ...] = (),
) -> list[ClaimValue]:
    """A cell for each value that these cases will have, without the value: to count comparisons."""
    return [
        ClaimValue(
            subject=subject.name,
            operation="" if metric in STATIC else operation_of(case.operation.value),
            size=0 if metric in STATIC else sizes.get(case.input_bytes, case.input_bytes),
            device=case.target,
            mode=mode_of(case.scheme),
            implementation=case.provider,
            metric=metric,
            value=Bounded.exact(1.0),
            evidence=Evidence.MEASURED,
            source="",
            measured_size=case.input_bytes,
            scheme=case.scheme,
            case=case.id,
            stands_for=devices,
        )
        for case in cases
        for subject in claims.subject
        if case.scheme in subject.schemes
        for metric in sorted({*MAIN[:1], *metrics})
    ]


def level_of(claims: Iterable[PaperClaim], side: JudgedSide) -> float:
    """Smallest level of a comparison of these claims."""
    return ALPHA / LOOKS / max([1, *(family_of(claim, side) for claim in claims)])


def samples_for(level: float) -> int:
    """The fewest samples a side of which a rank test can have a p of half of ``level`` on each
    side.

    Those of two sets: a busy machine disturbs other rounds of each, and leaves few pairs.
    """
    return next(
        count
        for count in range(FEWEST_SAMPLES, 1000)
        if 1 / math.comb(2 * count, count) <= level / 2
    )


# Times


START_SECONDS = 0.5
"""Assumed for the start of a virtual machine."""
WARM_SECONDS = 0.8
"""Assumed for both warm-ups of a case, if their limit allows it. The limit is of elapsed time."""
BATCH_SECONDS = 0.1
"""Assumed for the batches of a case after them."""
PROBE_SECONDS = 0.05
"""Assumed for the start of a probe, in each round."""
FILE_START_SECONDS = 0.02
"""Assumed for a process that works on a file, from its start to its flushed output."""
FILE_RATE = 100e6
"""Assumed bytes per second of a whole-file operation, reading and writing included."""
SIMULATED_SECONDS = 0.025
"""Assumed for a case of a simulated board."""
SIMULATED_KEY_SECONDS = 1.0
"""The same for a case with a private or public key."""
EMULATED_SECONDS = 0.2
"""Assumed for a case of an emulated processor."""
PROOF_SECONDS = 0.04
"""Assumed for the known answers of an implementation of a scheme."""
ASK_SECONDS = 2.0
"""Assumed seconds before every run: opening targets, asking implementations, storing the run."""
MEMORY_SECONDS = 0.02
"""Assumed for a fresh process whose peak memory is read."""
_DISTURBED = 0.5
"""Repeated samples, as a part of the needed ones, for each unit of slowdown of the machine."""
_ASYMMETRIC = frozenset(
    (
        Operation.SIGN,
        Operation.VERIFY,
        Operation.KEYGEN,
        Operation.ENCAPSULATE,
        Operation.DECAPSULATE,
    )
)


def seconds_of(plan: Plan, samples: int, memory: int, busy: float) -> float:
    """Seconds of a run with so many samples of each case: a model of the work, not a measurement.

    ``busy``: how many times longer work takes than on an idle machine.
    """
    policy = plan.policy
    checked = {(case.target, case.provider, case.scheme) for case in plan.cases}
    jit = [case for case in plan.cases if plan.jit(case)]
    machines = {(case.target, case.provider) for case in jit}
    work = ASK_SECONDS + PROOF_SECONDS * len(checked)
    work += policy.invocations * (START_SECONDS * len(machines) + BATCH_SECONDS * len(jit))
    warm = policy.invocations * len(jit) * min(2 * policy.warmup, WARM_SECONDS * busy)
    again = 1 + min(SPARE - 1.0, _DISTURBED * (busy - 1))
    probes = set()
    for case in plan.cases:
        if case.operation.on_file:
            work += (samples + 1) * (FILE_START_SECONDS + case.input_bytes / FILE_RATE)
        elif plan.targets[case.target].place.evidence is Evidence.SIMULATED:
            work += _simulated(case)
        elif not plan.jit(case):
            probes.add((case.target, case.provider))
            work += (
                again * samples * (policy.batch * 1.3 + UNTIMED_SECONDS) + memory * MEMORY_SECONDS
            )
    work += again * samples * PROBE_SECONDS * len(probes)
    return work * busy + warm


def _simulated(case: Case) -> float:
    if case.target.startswith(EMULATED):
        return EMULATED_SECONDS
    return SIMULATED_KEY_SECONDS if case.operation in _ASYMMETRIC else SIMULATED_SECONDS


def slowdown(
    now: Callable[[], float], worked: Callable[[], float], least: float = 0.5, most: float = 5.0
) -> float:
    """Factor by which work takes longer than with a processor of its own, at least 1.

    ``now``: a clock; ``worked``: processor time of this process. It computes for ``least`` seconds
    of processor time, or until ``most`` seconds have passed.
    """
    begun, before = now(), worked()
    while (spent := worked() - before) < least and now() - begun < most:
        sum(range(1000))
    return max(1.0, (now() - begun) / max(spent, 1e-3))
