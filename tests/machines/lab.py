"""Shared files of several machines and motebench: keys, known hosts, and an ``ssh`` program that
uses only these.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from . import Unavailable


class Lab:
    """A folder with a client's key, a configuration of SSH and a list of known hosts.

    ``ssh`` is a program that calls the system's with this configuration: what ``MOTEBENCH_SSH`` is
    set to. The user's own keys, agent and configuration are not used.
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
        self.ssh.write_text(
            f'#!/bin/sh\nunset SSH_AUTH_SOCK\nexec {program} -F {self.config} "$@"\n'
        )
        self.ssh.chmod(0o755)
        self._hosts: dict[str, str] = {}
        self._keys: dict[str, str] = {}

    def add(self, name: str, host: str, port: int, user: str) -> None:
        """The machine that ``user`` reaches as ``name``."""
        self._hosts[name] = self._host(name, host, port, user)
        self.config.write_text("".join(self._hosts.values()))

    def _host(self, name: str, host: str, port: int, user: str) -> str:
        lines = (
            f"HostName {host}",
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

    def trust(self, host: str, port: int, key: Path) -> None:
        """Know the host behind this port by its public key."""
        words = key.with_suffix(".pub").read_text().split()[:2]
        self._keys[f"[{host}]:{port}"] = " ".join(words)
        self._write()

    def distrust(self, host: str, port: int) -> None:
        """Know the host behind this port no longer."""
        self._keys.pop(f"[{host}]:{port}", None)
        self._write()

    def _write(self) -> None:
        self.known_hosts.write_text(
            "".join(f"{place} {key}\n" for place, key in self._keys.items())
        )


def new_key(path: Path) -> None:
    """A pair of keys without a password, in ``path`` and ``path``.pub."""
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "motebench tests", "-f", path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
