"""Answers of ``motebench.stats`` to made-up samples, number by number.

``tests/recordings/stats_answers.txt`` has them, with seven digits. The other tests of ``stats`` say
what is right; this recording shows any change of a number. After a change that is meant, write it
again with ``python tests/support/stats_answers.py`` and read the difference.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from pathlib import Path

import numpy as np

from motebench import stats
from motebench.stats import leak, phases, runs, shape, shift, uncertainty
from motebench.stats.dependence import Hidden

RECORDING = Path(__file__).parents[1] / "recordings" / "stats_answers.txt"
Answer = tuple[str, object]


def samples(kind: str, n: int, seed: int, level: float = 1000.0) -> list[float]:
    """Made-up samples around a level: noise of 1 % of one kind, in the order of time."""
    source = random.Random(f"{kind} {n} {seed}")
    noise = [source.gauss(0, 0.01) for _ in range(n)]
    if kind == "memory":
        for place in range(1, n):
            noise[place] += 0.8 * noise[place - 1]
    if kind == "drift":
        noise = [value + 0.05 * place / n for place, value in enumerate(noise)]
    if kind == "step":
        noise = [value + 0.04 * (place >= n // 2) for place, value in enumerate(noise)]
    if kind == "tail":
        noise = [value + 0.3 * (source.random() < 0.1) for value in noise]
    values = [level * math.exp(value) for value in noise]
    return [float(round(value, -1)) for value in values] if kind == "coarse" else values


KINDS = ("plain", "memory", "drift", "step", "tail", "coarse")
LEVELS = (0.1, 0.05, 0.01, 0.001)


def _described() -> Iterator[Answer]:
    for kind in KINDS:
        for n in (1, 2, 5, 6, 8, 9, 15, 20, 31, 60, 150):
            values = samples(kind, n, 1)
            yield f"describe {kind} {n}", stats.describe(values)
            yield (
                f"converged {kind} {n}",
                [stats.converged(values, share) for share in (0.002, 0.005, 0.01, 0.02, 0.05)],
            )
        values = samples(kind, 30, 2)
        yield f"describe inflated {kind}", stats.describe(values, 0.99, inflation=2.5)
        series = stats.dependence(np.asarray(values), 0.2)
        yield f"dependence {kind}", (series, series.cautious, series.effective_n)
    for n in (5, 6, 7, 8, 9):
        yield f"describe equal {n}", stats.describe([7.0] * n, simulated=True)
        yield f"describe equal, measured {n}", stats.describe([7.0] * n)
    for n in (*range(1, 42), 59, 60, 61, 99, 100, 101):
        reached = [kind.confidence(n, 0.99) for kind in Hidden]
        yield f"hidden {n}", [*reached, Hidden.MEDIAN.confidence(n, 0.3)]
    for n in (*range(1, 40), 999, 1000, 1001, 1002, 5000):
        yield (
            f"ranks {n}",
            [
                stats.median_ranks(n),
                stats.median_ranks(n, 0.8),
                stats.interval_ranks(n, 1.5),
                stats.interval_ranks(n, 3.0, 0.99, 3.0),
                stats.interval_ranks(n, 1.2, 0.9, 9.0),
            ],
        )


def _of_shift(moved: shift.Shift) -> list[object]:
    limits = (-0.1, -0.01, 0.0, 0.003, 0.02, 0.2)
    return [
        moved.test,
        moved.estimate,
        moved.inflation,
        [moved.above(limit) for limit in limits],
        [moved.below(limit) for limit in limits],
        [moved.interval(alpha) for alpha in LEVELS],
        [moved.needed(alpha) for alpha in (*LEVELS, 1e-6)],
        [shift.inverted(moved, alpha, math.log(1000)) for alpha in LEVELS],
    ]


def _shifts() -> Iterator[Answer]:
    for kind in KINDS:
        for n in (4, 6, 12, 26, 64, 65):
            first = np.log(samples(kind, n, 1))
            second = np.log(samples(kind, n, 2, 1010.0))
            yield f"paired {kind} {n}", _of_shift(shift.paired(second - first))
            yield f"unpaired {kind} {n}", _of_shift(shift.unpaired(first, second))
    for sizes in ((2, 2), (2, 3), (3, 3), (5, 4), (24, 26), (25, 26), (30, 7), (9, 90)):
        first, second = (
            np.log(samples("plain", n, seed, 1000.0 + 15 * seed)) for seed, n in enumerate(sizes)
        )
        yield f"unpaired {sizes}", _of_shift(shift.unpaired(first, second))
        yield f"units {sizes}", _of_shift(shift.units(first, second))
        turns = (np.arange(sizes[0]) * 2.0, np.arange(sizes[1]) * 2.0 + 1)
        yield f"units in turn {sizes}", _of_shift(shift.units(first, second, turns))
        yield f"without trend {sizes}", shift.without_trend(first, second, turns)
    same = np.log([5.0] * 4)
    yield "units all alike", _of_shift(shift.units(same, same + 0.1))
    for freedom in (1.0, 3.0, 9.0, math.inf):
        moves = stats.Between(0.02, freedom)
        yield (
            f"between {freedom}",
            [
                [moves.above(0.05, limit) for limit in (-0.1, 0.0, 0.04, 0.2)],
                [moves.reach(alpha) for alpha in LEVELS],
                [moves.detectable(alpha, 0.9) for alpha in LEVELS],
            ],
        )
    for n in (3, 5, 20, 49, 50, 51, 70):
        ranks = shift.signed_rank(n)
        counts = (-1, 0, 1, ranks.total // 4, ranks.total // 2, ranks.total - 1, ranks.total)
        cuts = [ranks.cut(alpha) for alpha in LEVELS]
        yield (
            f"signed ranks {n}",
            [[ranks.tail(count) for count in counts], cuts, [ranks.reached(cut) for cut in cuts]],
        )
    for n, m in ((3, 4), (25, 25), (24, 27), (40, 60)):
        ranks = shift.rank_sum(n, m)
        counts = (-1, 0, 1, ranks.total // 4, ranks.total // 2, ranks.total - 1, ranks.total)
        cuts = [ranks.cut(alpha) for alpha in LEVELS]
        yield (
            f"sum of ranks {n} {m}",
            [[ranks.tail(count) for count in counts], cuts, [ranks.reached(cut) for cut in cuts]],
        )
    yield "pairs needed", [shift.pairs_needed(alpha) for alpha in (*LEVELS, 0.5, 1e-6, 1e-9)]
    yield "gross", [shift.Gross.of(same, np.log(samples("plain", n, 1))) for n in (3, 9)]


def _verdicts() -> Iterator[Answer]:
    moves = stats.Between(0.004, 5.0)
    ways = {
        "paired": stats.compare_paired,
        "unpaired": stats.compare_unpaired,
        "paired, spread known": partial(stats.compare_paired, between=moves),
        "unpaired, spread known": partial(stats.compare_unpaired, between=moves),
        "groups": stats.compare_groups,
        "groups, margin": partial(stats.compare_groups, margin=0.01),
        "exact": partial(stats.compare_paired, exact=True),
    }
    for name, compare in ways.items():
        family = []
        for kind in ("plain", "memory"):
            for n in (1, 2, 3, 5, 6, 12, 30):
                for level in (1000.0, 1020.0, 900.0):
                    verdict = compare(samples(kind, n, 1), samples(kind, n, 2, level))
                    family.append(verdict)
                    beyond = [verdict.beyond(0.01), verdict.beyond(0.01, upwards=False)]
                    bounds = [verdict.bounds(alpha) for alpha in (0.05, 0.01)]
                    yield f"{name} {kind} {n} {level}", [verdict, beyond, bounds]
        yield f"{name}, judged", stats.judged(family)
        yield f"{name}, judged beside", stats.judged_beside(family[5], family[12:])
    shares = [0.001, 0.2, 0.04, 0.012, 0.9, 0.04]
    yield "families", [stats.holm(shares), stats.benjamini_hochberg(shares)]
    yield "pairs for", [stats.pairs_for(family) for family in (1, 2, 10, 100, 1000)]
    yield (
        "geometric mean",
        [stats.geometric_mean(rows) for rows in ([], [2.0], [2.0, 3.0], [0.5, 0.8, 1.7, 1.1])],
    )


def _of_runs() -> Iterator[Answer]:
    for cases in (1, 3, 4, 9):
        groups = {
            case: {
                group: samples("plain", 5, 10 * case + place, 100.0 * 3**case)
                for place, group in enumerate("ab")
            }
            for case in range(cases)
        }
        groups[0]["a"] = samples("tail", 9, 4)
        groups[cases] = {"a": [1.0], "b": [0.0, 1.0]}
        moved = runs.spread(groups)
        assert moved is not None
        yield (
            f"spread {cases}",
            [
                moved,
                moved.of(0),
                moved.of("none"),
                moved.between(0),
                moved.between(),
                moved.margin(0),
                moved.margin(alpha=0.05),
            ],
        )
    for count in (1, 2, 3, 4):
        yield f"spread of {count} runs", runs.spread({"x": {"a": samples("plain", count, 1)}})
    for sd, moved_by in ((0.0, 0.01), (0.0, -0.01), (0.01, 0.03), (0.01, 0.1), (0.02, 0.02)):
        yield (
            f"power {sd} {moved_by}",
            [
                [runs.power(sd, moved_by, count) for count in (1, 2, 3, 5, 20, 400)],
                runs.runs_needed(sd, moved_by),
                runs.runs_needed(sd, moved_by, alpha=0.05, power=0.5),
                [runs.runs_needed(sd, moved_by / divided) for divided in (6, 10, 11, 12, 20)],
                [runs.detectable(sd, count) for count in (1, 2, 3, 5, 20)],
            ],
        )


def _of_phases() -> Iterator[Answer]:
    for kind in KINDS:
        for n in (5, 6, 7, 8, 9, 31, 32, 33, 80):
            loops = samples(kind, n, 3)
            logs = np.log(loops)
            yield f"slow variance {kind} {n}", phases.slow_variance(logs, float(np.median(logs)))
            yield f"slow variance beside {kind} {n}", phases.slow_variance(logs, 6.8)
            yield f"moved {kind} {n}", phases.moved(loops, samples(kind, n, 4, 1030.0))
    for kind in KINDS:
        for n in (1, 2, 3, 4, 20, 80):
            readings = {
                case: phases.LoopReadings(
                    f"program {case % 2}",
                    [float(3 * place + case) for place in range(n)],
                    samples(kind, n, case, 1000.0 + 100 * case),
                )
                for case in range(3)
            }
            readings[7] = phases.LoopReadings("program 0", [], [])
            course = phases.MachineCourse(readings)
            yield f"machine {kind} {n}", [course.during(case) for case in (0, 1, 2, 7, 9)]
    still, moving = phases.STEADY_MACHINE, phases.SlowPhases(9, 2, 0.1, 0.0004)
    loops = (samples("plain", 9, 5), samples("plain", 9, 6, 1100.0))
    yield (
        "margins",
        [
            phases.machine_margin(still, moving, loops),
            phases.machine_margin(moving, moving, (loops[0], loops[0])),
            phases.machine_margin(still, still, ([], [])),
            phases.widened(90.0, 100.0, 115.0, 0.0004),
            phases.widened(90.0, 100.0, 115.0, 0.0, 0.99),
        ],
    )


def _of_shape() -> Iterator[Answer]:
    rows = [
        shape.Bounded(value, value * (1 - width), value * (1 + width))
        for value, width in ((10.0, 0.1), (11.0, 0.02), (25.0, 0.3), (24.0, 0.01), (90.0, 0.05))
    ]
    other = [shape.Bounded.exact(value) for value in (1.0, 2.0, 2.0, 5.0, 4.0)]
    bare = [shape.Bounded(value.value) for value in rows]
    zero = shape.Bounded.exact(0.0)
    yield "kendall", [shape.kendall(a, b) for a in (rows, bare, other) for b in (rows, other)]
    yield (
        "scaling",
        [
            shape.scaling([4, 1, 16, 64, 16], values)
            for values in (rows, bare, other, [*rows[:4], zero])
        ],
    )
    yield (
        "quotients",
        [
            [a.over(b), a.known]
            for a in (rows[0], bare[0], other[1], zero)
            for b in (rows[1], bare[1], other[1], zero)
        ],
    )


def _of_courses() -> Iterator[Answer]:
    for name, levels in {
        "flat": (1.0,),
        "warm-up": (3.0, 1.5, 1.0),
        "warm-up, small": (1.06, 1.0),
        "slowdown": (1.0, 1.3),
        "there and back": (1.0, 1.4, 1.0, 1.4, 1.0, 1.4, 1.0),
        "once": (1.0, 1.4, 1.0),
    }.items():
        for length in (10, 39, 60, 150, 400):
            source = random.Random(f"{name} {length}")
            times = [
                1000 * level * math.exp(source.gauss(0, 0.01)) + 400 * (source.random() < 0.02)
                for level in levels
                for _ in range(length)
            ]
            yield f"course {name} {length}", stats.course(times)
            yield f"steady {name} {length}", stats.steady_from(times)
    kinds = tuple(stats.CourseKind)
    yield "overall", [stats.overall((a, b)) for a in kinds for b in kinds]
    rows = ([1.0, 1.01, 1.02], [1.0, 1.05, 1.0], [1.0, 1.1, 1.2], [3.0, 3.02, 3.0, 3.01, 3.0])
    yield "agree", [stats.agree(row) for row in rows]


def _of_leaks() -> Iterator[Answer]:
    for kind in ("plain", "tail", "coarse", "memory"):
        for step in (0.0, 1.0, 10.0):
            halves = [
                tuple(
                    np.asarray(samples(kind, n, 7 * which + half, 1000.0 + more))
                    for half, n in enumerate((40, 55))
                )
                for which, more in enumerate((0.0, 0.0, 4.0, 40.0))
            ]
            for fixed in ([1], [1, 2], [1, 2, 3]):
                judgement = leak.judge(
                    halves[0], [halves[at] for at in fixed], step=step, arms=len(fixed)
                )
                yield (
                    f"leak {kind} {step} {fixed}",
                    [judgement, judgement.fit, judgement.leaks],
                )
            yield (
                f"shift {kind} {step}",
                [leak.shift(halves[0][0], halves[at][1], step=step) for at in (1, 2, 3)],
            )
            yield (
                f"classes {kind} {step}",
                [leak.compare(halves[0][0], halves[at][1]) for at in (1, 2, 3)],
            )
    equal = np.full(30, 5.0)
    yield "classes all alike", leak.compare(equal, equal)
    rare = np.asarray([5.0] * 27 + [9.0] * 3)
    yield "classes with rare readings", [leak.compare(equal, rare), leak.compare(rare, equal)]
    for n in (2, 5, 8, 12):
        same = samples("plain", n, 1, 100.0)
        for level in (100.0, 104.0, 106.0, 120.0, 90.0):
            other = samples("plain", n, 2, level)
            differences = [b - a for a, b in zip(same, other, strict=True)]
            yield (
                f"inputs {n} {level}",
                [
                    shift.look_different(same, other),
                    shift.differ(same, other),
                    shift.differ(other, same),
                    shift.repeated(differences, 100.0),
                ],
            )
    yield "inputs, none", [shift.differ([], [1.0]), shift.repeated([], 1.0)]


def _of_uncertainty() -> Iterator[Answer]:
    for kind in KINDS:
        for n in (1, 2, 3, 10, 40):
            values = samples(kind, n, 8)
            yield (
                f"uncertainty {kind} {n}",
                [uncertainty.expanded(values, 0.0), uncertainty.expanded(values, 5.0, 0.99)],
            )


def plain(value: object) -> str:
    """Text of a value: numbers with seven digits, records with the names of their fields."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if value is None:
        return "none"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return f"{float(value):.7g}"
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return "[" + ", ".join(plain(part) for part in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {plain(part)}" for key, part in value.items()) + "}"
    if is_dataclass(value):
        named = {
            field.name: getattr(value, field.name)
            for field in fields(value)
            if field.compare and field.repr
        }
        return plain(named)
    return str(value)


AREAS = {
    "describe": _described,
    "shift": _shifts,
    "compare": _verdicts,
    "runs": _of_runs,
    "phases": _of_phases,
    "shape": _of_shape,
    "levels": _of_courses,
    "leak": _of_leaks,
    "uncertainty": _of_uncertainty,
}
"""Questions by area."""


def answers(area: str) -> dict[str, str]:
    """All answers of an area, by the name of the question."""
    return {name: plain(value) for name, value in AREAS[area]()}


if __name__ == "__main__":
    RECORDING.write_text(
        "".join(f"{name} = {text}\n" for area in AREAS for name, text in answers(area).items()),
        encoding="utf-8",
    )
