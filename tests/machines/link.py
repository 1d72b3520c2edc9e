"""Network between motebench and a machine: a TCP proxy that can hold data, cut connections, or be
slow.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"
CHUNK = 1 << 16


def free_port() -> int:
    """A port that nothing uses now."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


class Network:
    """Connection between motebench and a machine, which can be held."""

    def hold(self) -> None:
        """Hold all data from now on."""
        raise NotImplementedError

    def release(self) -> None:
        """Everything passes again."""
        raise NotImplementedError

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within the context nothing passes."""
        self.hold()
        try:
            yield
        finally:
            self.release()


class Link(Network):
    """Forwards connections to ``port`` on this computer to the port ``to``, which may change when a
    machine boots.
    """

    def __init__(self) -> None:
        self.host = self.listens = HOST
        self.inside: list[str] = []
        """Beginning of a command that runs where the machine is: here."""
        self.to = 0
        """The port of the machine."""
        self.delay = 0.0
        """Seconds that each piece of data takes in each direction."""
        self.connections = 0
        """Number of connections so far."""
        self._flows = threading.Event()
        self._flows.set()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.port = 0
        self.up()

    def direct(self) -> int:
        """The port of a machine that boots now."""
        self.to = free_port()
        return self.to

    def up(self) -> None:
        """Take connections again, on the same port as before."""
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, self.port))
        listener.listen(64)
        self.port, self._listener = listener.getsockname()[1], listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def down(self) -> None:
        """Refuse new connections and end those there are."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
            listener.close()
        self.cut()

    def cut(self) -> None:
        """End every connection now, as a router that restarts does."""
        with self._lock:
            ending = list(self._open)
        for end in ending:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hold(self) -> None:
        """Keep all data from now on, and lose none: an unplugged cable, for a sender that repeats
        lost data.
        """
        self._flows.clear()

    def release(self) -> None:
        """Let everything through again."""
        self._flows.set()

    def close(self) -> None:
        """Stop all forwarding."""
        self.down()
        self.release()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        """Forward one connection in both directions, until either end closes it."""
        with self._lock:
            self._open.add(near)
            self.connections += 1
        self._flows.wait()
        with contextlib.suppress(OSError), socket.create_connection((HOST, self.to)) as far, near:
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open.add(far)
            back = threading.Thread(target=self._pump, args=(far, near), daemon=True)
            back.start()
            self._pump(near, far)
            back.join()
            with self._lock:
                self._open.discard(far)
        near.close()
        with self._lock:
            self._open.discard(near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        """Forward one direction. Its end, too, arrives only while the link is there."""
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                time.sleep(self.delay)
                self._flows.wait()
                sink.sendall(data)
        self._flows.wait()
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
