"""A network of one machine's own: a network namespace, and a cable (a pair of virtual Ethernet
devices) to it.

What is lost on the cable is lost for TCP at both its ends, which `link.Link` can only imitate. It
needs root.
"""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from motebench.base.process import Cleanup

from . import Unavailable
from .link import Network

_PORTS = itertools.count(22022)
"""Ports for log-ins in the namespaces of machines: one for each, because SSH tells hosts at
``127.0.0.1`` apart by port.
"""
_REMOVE = 'ip netns pids "$1" | xargs -r kill -KILL; ip link del "$2"; ip netns del "$1"'


class Cable(Network):
    """A namespace with a cable to this computer. In place of `link.Link`:
    ``Linux(lab, name, link=Cable())``.
    """

    def __init__(self) -> None:
        if os.geteuid() != 0 or shutil.which("ip") is None:
            raise Unavailable("network namespaces need root and ip (Debian: iproute2)")
        mark = secrets.token_hex(3)
        self.name, self._near, self._far = f"motebench-{mark}", f"mb{mark}", "eth0"
        net = f"10.{64 + secrets.randbelow(64)}.{secrets.randbelow(256)}"
        self.near, self.host = f"{net}.1", f"{net}.2"
        """Addresses of this computer and of the namespace."""
        self.port = next(_PORTS)
        self.listens = "0.0.0.0"
        self.inside = ["ip", "netns", "exec", self.name]
        """Beginning of a command that runs in the namespace."""
        self._cleanup = Cleanup(_REMOVE, self.name, self._near)
        try:
            _ip("netns", "add", self.name)
            _ip(
                "link",
                "add",
                self._near,
                "type",
                "veth",
                "peer",
                "name",
                self._far,
                "netns",
                self.name,
            )
            _ip("address", "add", f"{self.near}/30", "dev", self._near)
            _ip("link", "set", self._near, "up")
            _ip("-n", self.name, "address", "add", f"{self.host}/30", "dev", self._far)
            _ip("-n", self.name, "link", "set", "lo", "up")
            self.release()
        except Unavailable:
            self.close()
            raise

    def direct(self) -> int:
        """The port of the machine, in the namespace."""
        return self.port

    def hold(self) -> None:
        """Unplug the cable: data from now on are lost, and neither end is notified."""
        _ip("-n", self.name, "link", "set", self._far, "down")

    def release(self) -> None:
        """Plug it in. The namespace reaches every address of this computer, and nothing else."""
        _ip("-n", self.name, "link", "set", self._far, "up")
        _ip("-n", self.name, "route", "replace", "default", "via", self.near)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Within the context, programs of the namespace do not reach each other; the cable stays as
        it is.
        """
        _ip("-n", self.name, "link", "set", "lo", "down")
        try:
            yield
        finally:
            _ip("-n", self.name, "link", "set", "lo", "up")

    def close(self) -> None:
        """The namespace is gone, with everything that runs in it."""
        subprocess.run(
            ["/bin/sh", "-c", _REMOVE, "sh", self.name, self._near],
            capture_output=True,
            check=False,
        )
        self._cleanup.cancel()


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"ip {' '.join(words)}: {done.stderr.strip()}")
