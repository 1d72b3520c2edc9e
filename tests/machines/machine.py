"""One machine: boots, runs commands, loses its power."""

from __future__ import annotations

import contextlib
import io
import shutil
import socket
import subprocess
import tarfile
import time

from motebench.base.process import Cleanup, killed_with_us

from . import Unavailable
from .cable import Cable
from .image import USER, Image, made
from .lab import Lab, new_key
from .link import HOST, Link

EMULATOR = "qemu-system-aarch64"
BOOT_SECONDS = 300
"""Enough on a busy computer; an idle one takes about 9."""


class Linux:
    """An ARM computer of the lab ``lab``, called ``name`` there. As a context it is booted, and
    gone at the end.

    Over `link`, ``ssh name`` logs in as an ordinary user. `run` goes past the link, as root: it
    still works while the link is cut. The disk is kept over `power_off` and `boot`.
    """

    def __init__(
        self,
        lab: Lab,
        name: str,
        *,
        link: Link | Cable | None = None,
        cpu: str = "cortex-a53",
        cores: int = 2,
        memory_mib: int = 512,
    ) -> None:
        if shutil.which(EMULATOR) is None:
            raise Unavailable(f"{EMULATOR} is missing (Debian: qemu-system-arm)")
        self.name, self.lab, self.link = name, lab, link or Link()
        self.target = f"ssh:{name}"
        """Name of the machine for motebench."""
        self._image: Image = made()
        self._folder = lab.folder / name
        self._folder.mkdir()
        self._options = ["-cpu", cpu, "-smp", str(cores), "-m", str(memory_mib)]
        self._disk, self._given = self._folder / "disk", self._folder / "given"
        self.console = self._folder / "console"
        """Output of the kernel and the boot script."""
        subprocess.run(
            ["cp", "--sparse=always", "--reflink=auto", self._image.disk, self._disk], check=True
        )
        self.host_key = self._folder / "host_key"
        new_key(self.host_key)
        self._give()
        self._process: subprocess.Popen[bytes] | None = None
        self._cleanup: Cleanup | None = None
        self._direct = 0

    def boot(self) -> None:
        """Switch it on, and wait until it takes log-ins."""
        self._direct = self.link.direct()
        self.lab.add(self.name, self.link.host, self.link.port, USER)
        self.lab.add(f"{self.name}-direct", HOST, self._direct, "root")
        for host, port in ((self.link.host, self.link.port), (HOST, self._direct)):
            self.lab.trust(host, port, self.host_key)
        self.console.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            self._emulator(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=(self._folder / "emulator").open("wb"),
            start_new_session=True,
        )
        self._cleanup = killed_with_us(self._process.pid)
        self.wait()

    def _emulator(self) -> list[str]:
        """Arguments of QEMU for a machine with two disks and a network card."""
        words = [
            *self.link.inside,
            *f"{EMULATOR} -M virt -nodefaults -display none -monitor none -netdev".split(),
        ]
        words += [
            f"user,id=net,restrict=on,hostfwd=tcp:{self.link.listens}:{self._direct}-:22",
            "-device",
        ]
        words += ["virtio-net-device,netdev=net", *self._options, "-serial", f"file:{self.console}"]
        words += ["-kernel", str(self._image.kernel), "-initrd", str(self._image.initramfs)]
        words += ["-append", "console=ttyAMA0 quiet panic=1"]
        for name, file in {"disk": self._disk, "given": self._given}.items():
            words += ["-drive", f"if=none,id={name},format=raw,file={file}"]
            words += ["-device", f"virtio-blk-device,drive={name},serial={name}"]
        return words

    def reboot(self) -> None:
        """Restart it in an orderly way, and wait until it takes log-ins."""
        boots = self._boots()
        self.run("reboot")
        self.wait(boots + 1)

    def wait(self, boots: int = 1) -> None:
        """Wait until it takes log-ins, after so many starts since it was switched on."""
        until = time.monotonic() + BOOT_SECONDS
        while self._boots() < boots or not self._greets():
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > until:
                said = [
                    (self._folder / "emulator").read_text("utf-8", "replace"),
                    self.console_end(),
                ]
                self.power_off()
                raise AssertionError(f"{self.name} does not boot: {' '.join(said)}")
            time.sleep(0.1)

    def console_end(self) -> str:
        """The last lines of the console."""
        return self.console.read_text("utf-8", "replace")[-1000:] if self.console.exists() else ""

    def _boots(self) -> int:
        """Number of times that sshd reported listening."""
        return (
            self.console.read_text("utf-8", "replace").count("listening on 0.0.0.0")
            if self.console.exists()
            else 0
        )

    def power_off(self) -> None:
        """Take its power away at once: nothing is written to the disk any more."""
        process, self._process = self._process, None
        cleanup, self._cleanup = self._cleanup, None
        if process is not None:
            process.kill()
            process.wait()
        if cleanup is not None:
            cleanup.cancel()

    def restart(self) -> None:
        """Power off and on again."""
        self.power_off()
        self.boot()

    def run(
        self, command: str, *, seconds: float = 300, check: bool = True, user: str = "root"
    ) -> str:
        """Output of a shell of ``user`` on the machine, without the link."""
        done = subprocess.run(
            [
                *self.link.inside,
                self.lab.ssh,
                "-l",
                user,
                "-o",
                "BatchMode=yes",
                f"{self.name}-direct",
                command,
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(
                f"{command!r} on {self.name}: {done.returncode}: {done.stdout}{done.stderr}"
            )
        return done.stdout

    def put(self, path: str, content: bytes, *, mode: str = "755") -> None:
        """Write a file on it, as root."""
        subprocess.run(
            [
                *self.link.inside,
                self.lab.ssh,
                f"{self.name}-direct",
                f"cat >{path} && chmod {mode} {path}",
            ],
            input=content,
            capture_output=True,
            timeout=300,
            check=True,
        )

    def files(self) -> set[str]:
        """Every file and folder that a user could leave behind."""
        found = self.run(
            "find /tmp /var/tmp /dev/shm /run/user /home /root /var/log -print 2>/dev/null",
            check=False,
        )
        return set(found.splitlines())

    def programs(self) -> list[str]:
        """Command lines of the ordinary user's processes, without those of sshd itself."""
        lines = self.run("ps -o user,pid,args").splitlines()[1:]
        return sorted(
            line.split(None, 2)[2]
            for line in lines
            if line.startswith(f"{USER} ") and "sshd:" not in line
        )

    def fill_disk(self) -> None:
        """Fill the disk, for all users."""
        for size in ("64k", "1"):
            self.run(
                f"dd if=/dev/zero of=/var/full-{size} bs={size} 2>/dev/null; sync", check=False
            )

    def free_disk(self) -> None:
        """Give the room back."""
        self.run("rm -f /var/full-* && sync")

    def forbid_programs(self, *folders: str) -> None:
        """Forbid starting programs in these folders until the next boot (mount option
        ``noexec``).
        """
        for folder in folders:
            self.run(f"mount --bind {folder} {folder}; mount -o remount,bind,noexec {folder}")

    def shift_clock(self, seconds: int) -> None:
        """Move its clock by ``seconds``, as an NTP client that starts late does."""
        self.run(f"date -s @$(($(date +%s) + {seconds}))")

    def close(self) -> None:
        """Remove the machine with its disk."""
        self.power_off()
        self.link.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Linux:
        self.boot()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _give(self) -> None:
        """The archive that the machine unpacks when it boots: its name, its keys, and who may log
        in.
        """
        public = self.lab.key.with_suffix(".pub").read_bytes()
        files = {
            "etc/hostname": (0o644, f"{self.name}\n".encode()),
            "etc/ssh/ssh_host_ed25519_key": (0o600, self.host_key.read_bytes()),
            "root/.ssh/authorized_keys": (0o600, public),
            f"home/{USER}/.ssh/authorized_keys": (0o600, public),
        }
        with tarfile.open(self._given, "w") as archive:
            for folder in ("root/.ssh", f"home/{USER}/.ssh"):
                entry = tarfile.TarInfo(folder)
                entry.type, entry.mode = tarfile.DIRTYPE, 0o700
                archive.addfile(entry)
            for name, (mode, content) in files.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(content), mode
                archive.addfile(entry, io.BytesIO(content))

    def _door(self) -> tuple[str, int]:
        """Address at which this process reaches the machine: past the link, if it can."""
        return (self.link.host, self.link.port) if self.link.inside else (HOST, self._direct)

    def _greets(self) -> bool:
        with (
            contextlib.suppress(OSError),
            socket.create_connection(self._door(), timeout=30) as connection,
        ):
            return connection.recv(4) == b"SSH-"
        return False
