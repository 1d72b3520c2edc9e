"""What several machines and motebench share: keys, known hosts, and an ``ssh`` program that uses only these."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from . import Unavailable
from .link import HOST


class Lab:
    """A folder with a client's key, a configuration of SSH and a list of known hosts.

    ``ssh`` is a program that calls the system's with this configuration: what ``MOTEBENCH_SSH`` is set to. The user's
    own keys, agent and configuration are not used.
    """

    def __init__(self, folder: Path) -> None:
        program = shutil.which("ssh")
        if program is None or shutil.which("ssh-keygen") is None:
            raise Unavailable("ssh and ssh-keygen are missing (Debian: openssh-client)")
        self.folder = folder
        self.key = folder / "id_ed25519"
        self.config = folder / "config"
        self.known_hosts = folder / "known_hosts"
        self.ssh = folder / "ssh"
        new_key(self.key)
        self.known_hosts.touch()
        self.config.touch()
        self.ssh.write_text(f'#!/bin/sh\nunset SSH_AUTH_SOCK\nexec {program} -F {self.config} "$@"\n')
        self.ssh.chmod(0o755)
        self._hosts: dict[str, str] = {}
        self._keys: dict[int, str] = {}

    def add(self, name: str, port: int, user: str, *, direct: int) -> None:
        """The machine ``name``: over its link (``port``) with its name, and past the link (``direct``) as
        ``name-direct``, as root."""
        self._hosts[name] = self._host(name, port, user)
        self._hosts[f"{name}-direct"] = self._host(f"{name}-direct", direct, "root")
        self.config.write_text("".join(self._hosts.values()))

    def _host(self, name: str, port: int, user: str) -> str:
        lines = (
            f"HostName {HOST}",
            f"Port {port}",
            f"User {user}",
            f"IdentityFile {self.key}",
            "IdentitiesOnly yes",
            f"UserKnownHostsFile {self.known_hosts}",
            "GlobalKnownHostsFile /dev/null",
            "StrictHostKeyChecking yes",
            "LogLevel ERROR",
        )
        return f"Host {name}\n" + "".join(f"  {line}\n" for line in lines)

    def trust(self, ports: tuple[int, ...], key: Path) -> None:
        """Know the host behind these ports by its public key."""
        words = key.with_suffix(".pub").read_text().split()[:2]
        self._keys |= {port: " ".join(words) for port in ports}
        self._write()

    def distrust(self, port: int) -> None:
        """Know the host behind this port no longer."""
        self._keys.pop(port, None)
        self._write()

    def _write(self) -> None:
        lines = [f"[{HOST}]:{port} {key}\n" for port, key in self._keys.items()]
        self.known_hosts.write_text("".join(lines))


def new_key(path: Path) -> None:
    """A pair of keys without a password, in ``path`` and ``path``.pub."""
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "motebench tests", "-f", path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
