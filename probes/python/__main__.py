"""Start of a probe: ``python probes/python IMPLEMENTATION``."""

import signal
import sys

# An interrupted probe ends silently, as a C program does.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from motebench_probe.loop import main  # noqa: E402 - interruptions must be quiet while modules are loaded, too

sys.exit(main(sys.argv[1:]))
