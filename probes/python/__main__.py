"""Start of a probe: ``python probes/python IMPLEMENTATION``."""

import signal
import sys

# An interrupted probe ends silently, as a C program does.
signal.signal(signal.SIGINT, signal.SIG_DFL)

try:  # interruptions must be quiet while modules are loaded, too
    from motebench_probe.loop import main
except ImportError as problem:
    sys.exit(
        f"probes/python: {problem}; for this interpreter: {sys.executable} -m pip install "
        f"'{problem.name}'"
    )

sys.exit(main(sys.argv[1:]))
