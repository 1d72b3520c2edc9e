"""Result documents of tests: plain data read into `Result`, and a run as the plain data that JSON
would hold.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from motebench.base.model import Run
from motebench.base.shapes import as_document
from motebench.documents.result import Result
from motebench.results.document import result


@cache
def _adapter() -> TypeAdapter[Result]:
    return TypeAdapter(Result)


def read(document: dict[str, Any]) -> Result:
    """The result that a document is of; ValidationError where a key is missing or of another
    type.
    """
    return _adapter().validate_python(document)


def document(run: Run, **options: Any) -> dict[str, Any]:
    """Document of a run as ``motebench show --json`` prints it. ``options``: of
    `motebench.results.document.result`.
    """
    return as_document(result(run, **options))
