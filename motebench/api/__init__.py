"""motebench for Python programs and notebooks. Import it as ``motebench``; docs/use/python.md
explains it.
"""

from motebench.api import choosing
from motebench.api.answers import ChoiceResult, ComparisonResult, StoredRun
from motebench.api.arguments import names_arguments
from motebench.api.measuring import Step, compare, load, measure, measure_runs, resume, stored_runs

choose = names_arguments(choosing.choose)

__all__ = [
    "ChoiceResult",
    "ComparisonResult",
    "Step",
    "StoredRun",
    "choose",
    "compare",
    "load",
    "measure",
    "measure_runs",
    "resume",
    "stored_runs",
]
