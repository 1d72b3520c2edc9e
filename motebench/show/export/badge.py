"""A badge of one number, as the JSON that shields.io reads
(https://shields.io/badges/endpoint-badge).
"""

from __future__ import annotations

import json

from motebench.base.files.access import FileKind
from motebench.documents.result import Result
from motebench.show.export._common import badge_words

FORM = FileKind.JSON


def render(result: Result) -> str:
    """Badge of the only case of the result. InputError for several cases."""
    label, message = badge_words(result)
    badge = {"schemaVersion": 1, "label": label, "message": message, "color": "blue"}
    return json.dumps(badge, indent=2, ensure_ascii=False) + "\n"
