"""``python -m motebench.targets.setup.vendor [LIBRARY...]``: fetch pinned sources: these, or all
that boards use.

One failure does not stop the rest. ``--folder LIBRARY`` prints the folder of its unpacked sources.
"""

from __future__ import annotations

import sys

from motebench.base.errors import MotebenchError
from motebench.targets.setup.vendor.source import built, fetch, libraries, prepare, sources


def main() -> int:
    """0 if all sources are present; 1 if some are missing, with the reason on standard error; 2 for
    an unknown name.
    """
    code = 0
    pins = {**built(), **libraries(), **sources()}
    names = [word for word in sys.argv[1:] if word != "--folder"] or list(sources())
    if unknown := [name for name in names if name not in pins]:
        print(
            f"no sources are pinned for {', '.join(unknown)}; valid: {', '.join(sorted(pins))}",
            file=sys.stderr,
        )
        return 2
    if "--folder" in sys.argv:
        print(*(pins[name].folder for name in names), sep="\n")
        return 0
    for source in (pins[name] for name in names):
        try:
            if fetch(source):
                print(f"fetched the sources of {source.library} {source.version}", file=sys.stderr)
            prepare(source)
        except MotebenchError as error:
            print(
                f"continuing without the sources of {source.library} {source.version}: {error}",
                file=sys.stderr,
            )
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
