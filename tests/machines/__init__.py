"""ARM machines with Linux and an SSH server, under QEMU, for tests of Linux boards.

`packages` fetches Debian's arm64 packages, `image` makes a kernel, an initramfs and a disk of them
(once, into ``build/machines``), `machine` boots one, `link` is the network between it and motebench
(`cable`: a network namespace, for root), `lab` has the keys and the
configuration of SSH that several machines share. ``python -m tests.machines`` boots one by hand.
"""

from __future__ import annotations


class Unavailable(Exception):
    """Error: this computer cannot run such a machine; the text names the missing part."""
