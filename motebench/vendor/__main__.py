"""``python -m motebench.vendor``: fetch what is pinned, for ``make setup``. What cannot be had costs only itself."""

from __future__ import annotations

import sys

from motebench.errors import MotebenchError
from motebench.vendor.fetch import fetch
from motebench.vendor.flash import prepare
from motebench.vendor.source import sources


def main() -> int:
    """0: all are there; 1: some are not, and what is wrong was said on standard error."""
    code = 0
    for source in sources().values():
        try:
            if fetch(source):
                print(f"fetched the sources of {source.library} {source.version}", file=sys.stderr)
            prepare(source)
        except MotebenchError as error:
            print(f"going on without the sources of {source.library} {source.version}: {error}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
