"""``python -m motebench.vendor [LIBRARY...]``: fetch the pinned sources of these libraries, or of all.

One failure does not stop the rest.
"""

from __future__ import annotations

import sys

from motebench.errors import MotebenchError
from motebench.vendor.fetch import fetch
from motebench.vendor.flash import prepare
from motebench.vendor.source import sources


def main() -> int:
    """0 if all sources are present; 1 if some are missing, with the reason on standard error."""
    code = 0
    wanted = sys.argv[1:] or list(sources())
    for source in (sources()[name] for name in wanted):
        try:
            if fetch(source):
                print(f"fetched the sources of {source.library} {source.version}", file=sys.stderr)
            prepare(source)
        except MotebenchError as error:
            print(f"continuing without the sources of {source.library} {source.version}: {error}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
