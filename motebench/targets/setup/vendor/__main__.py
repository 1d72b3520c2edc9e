"""``python -m motebench.targets.setup.vendor [LIBRARY...]``: fetch pinned sources: these, or all that boards use.

One failure does not stop the rest. ``--folder LIBRARY`` prints the folder of its unpacked sources.
"""

from __future__ import annotations

import sys

from motebench.base.errors import MotebenchError
from motebench.targets.setup.vendor.source import built, fetch, libraries, prepare, sources


def main() -> int:
    """0 if all sources are present; 1 if some are missing, with the reason on standard error; 2 for an unknown name."""
    code = 0
    known = {**built(), **libraries(), **sources()}
    wanted = [word for word in sys.argv[1:] if word != "--folder"] or list(sources())
    if unknown := [name for name in wanted if name not in known]:
        print(f"no sources are pinned for {', '.join(unknown)}; valid: {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    if "--folder" in sys.argv:
        print(*(known[name].folder for name in wanted), sep="\n")
        return 0
    for source in (known[name] for name in wanted):
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
