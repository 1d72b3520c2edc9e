"""The examples of docs/use/python.md: each block of Python with the output that the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

from docs_pages import page

PAGE = "docs/use/python.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```\n+```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Source and output, in the order of the page."""
    return [(source, output) for source, output in _BLOCK.findall(page(PAGE))]


def outputs() -> Iterator[str]:
    """Outputs of the blocks when they are run one after the other, as a reader would."""
    names: dict[str, object] = {}
    for source, _ in examples():
        out = StringIO()
        with redirect_stdout(out):
            exec(compile(source, PAGE, "exec"), names)
        yield "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
