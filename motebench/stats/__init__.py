"""Pure functions on arrays of samples.

Methods and their sources: ``docs/explain/statistics.md`` and the modules themselves.
"""

from motebench.stats.compare import (
    ALPHA,
    EQUIVALENT,
    MARGIN_PAIRED,
    MARGIN_UNPAIRED,
    ComparisonVerdict,
    GeometricMean,
    Outcome,
    benjamini_hochberg,
    compare_groups,
    compare_paired,
    compare_unpaired,
    geometric_mean,
    holm,
    judged,
    judged_beside,
    pairs_for,
)
from motebench.stats.dependence import Dependence, dependence
from motebench.stats.describe import (
    FEWEST_EQUAL,
    Description,
    Outliers,
    converged,
    describe,
    half_width,
    interval_ranks,
    median_ranks,
    outliers,
    repeats_exactly,
)
from motebench.stats.levels import (
    BLOCK,
    SHORTEST,
    Course,
    agree,
    changes,
    course,
    overall,
    steady_from,
)
from motebench.stats.levels import LevelKind as CourseKind
from motebench.stats.runs import RunSpread
from motebench.stats.shift import Between

__all__ = [
    "ALPHA",
    "BLOCK",
    "EQUIVALENT",
    "FEWEST_EQUAL",
    "MARGIN_PAIRED",
    "MARGIN_UNPAIRED",
    "SHORTEST",
    "Between",
    "ComparisonVerdict",
    "Course",
    "CourseKind",
    "Dependence",
    "Description",
    "GeometricMean",
    "Outcome",
    "Outliers",
    "RunSpread",
    "agree",
    "benjamini_hochberg",
    "changes",
    "compare_groups",
    "compare_paired",
    "compare_unpaired",
    "converged",
    "course",
    "dependence",
    "describe",
    "geometric_mean",
    "half_width",
    "holm",
    "interval_ranks",
    "judged",
    "judged_beside",
    "median_ranks",
    "outliers",
    "overall",
    "pairs_for",
    "repeats_exactly",
    "steady_from",
]
