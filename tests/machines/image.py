"""Image that a machine boots from: Debian's kernel, an initramfs with the drivers of QEMU's
devices, and a disk with OpenSSH, the ``openssl`` program and busybox. Made once, and again when
these modules or the machine's files change.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import re
import shutil
import stat
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from . import Unavailable, packages

HERE = Path(__file__).parent
IMAGES = HERE.parents[1] / "build" / "machines"
DISK_BYTES = 192 << 20
DRIVERS = ("virtio_mmio", "virtio_net", "virtio_blk", "crc32c_generic", "ext4")
LEFT_OUT = (
    "./usr/share/doc/",
    "./usr/share/man/",
    "./usr/share/locale/",
    "./usr/lib/systemd/",
    "./lib/systemd/",
)
USER = "mote"
ACCOUNTS = {
    "etc/passwd": f"root:x:0:0:root:/root:/bin/sh\nsshd:x:101:101::/run/sshd:/bin/false\n"
    f"{USER}:x:1000:1000::/home/{USER}:/bin/sh\n",
    "etc/group": f"root:x:0:\nsshd:x:101:\n{USER}:x:1000:\n",
    # a key opens it, no password
    "etc/shadow": f"root:*:1::::::\nsshd:*:1::::::\n{USER}:*:1::::::\n",
}
SETTINGS = {
    "etc/inittab": "::sysinit:/etc/boot\n::respawn:/usr/sbin/sshd -D "
    "-e\n::ctrlaltdel:/sbin/reboot\n"
    "::shutdown:/bin/umount -a -r\n",
    "etc/ssh/sshd_config": "HostKey /etc/ssh/ssh_host_ed25519_key\nUsePAM no\nUseDNS no\n"
    "PermitRootLogin prohibit-password\nPasswordAuthentication no\nMaxStartups 100\n"
    "Subsystem sftp /usr/lib/openssh/sftp-server\n",
}


@dataclass(frozen=True)
class Image:
    """The files that QEMU is given. The disk is copied for each machine."""

    kernel: Path
    initramfs: Path
    disk: Path


def made() -> Image:
    """The image; the first call takes about 20 s. Raises `Unavailable`."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (IMAGES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = IMAGES / _version()
        image = Image(folder / "kernel", folder / "initramfs", folder / "disk")
        if not folder.exists():
            for old in IMAGES.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            new = IMAGES / "new"
            new.mkdir()
            _make(new)
            new.rename(folder)
        return image


def _version() -> str:
    """Changes with everything that the image is made of but Debian's updates, which ``make clean``
    lets in.
    """
    parts = [*sorted(HERE.glob("files/*")), HERE / "image.py", HERE / "packages.py"]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:16]


def _make(folder: Path) -> None:
    """Kernel, initramfs and disk in ``folder``."""
    fetched, tree = folder / "packages", folder / "tree"
    fetched.mkdir()
    tree.mkdir()
    drivers: dict[str, bytes] = {}
    for package in packages.fetch(fetched):
        if package.name.startswith("linux-image-"):
            drivers |= _kernel(package, folder / "kernel")
        else:
            _unpack(package, tree)
    busybox = _furnish(tree)
    (folder / "initramfs").write_bytes(_initramfs(drivers, busybox))
    _disk(tree, folder / "disk")
    shutil.rmtree(fetched)
    shutil.rmtree(tree)


def _kernel(package: Path, kernel: Path) -> dict[str, bytes]:
    """Write the kernel of a package. Return `DRIVERS` and their dependencies, by name, in loading
    order.
    """
    found: dict[str, bytes] = {}
    with packages.opened(package) as files:
        for file in files:
            content = files.extractfile(file) if file.isfile() else None
            if content is None:
                continue
            if file.name.startswith("./boot/vmlinuz-"):
                kernel.write_bytes(content.read())
            elif driver := re.search(r"/([\w-]+)\.ko$", file.name):
                found[driver[1].replace("-", "_")] = content.read()
    ordered: dict[str, bytes] = {}

    def load(name: str) -> None:
        # Part of the kernel itself, or not there: then the machine does not boot
        if name not in found:
            return
        needs = re.search(rb"\0depends=([\w,-]*)\0", found[name])
        for other in needs[1].decode().split(",") if needs else ():
            load(other.replace("-", "_"))
        ordered[name] = found[name]

    for name in DRIVERS if found else ():
        load(name)
    return ordered


def _unpack(package: Path, tree: Path) -> None:
    """The files of a package, without its pages and translations."""
    with packages.opened(package) as files:
        for file in files:
            if not file.name.startswith(LEFT_OUT):
                files.extract(file, tree, filter=_without_owner)


def _without_owner(file: tarfile.TarInfo, _path: str) -> tarfile.TarInfo:
    """Files belong to whoever builds the image; the machine gives them to root when it boots."""
    return file.replace(
        uid=None,
        gid=None,
        uname=None,
        gname=None,
        mode=file.mode & ~(stat.S_ISUID | stat.S_ISGID),
        deep=False,
    )


def _furnish(tree: Path) -> bytes:
    """Add parts that no package contains: accounts, settings, the links of busybox and of its
    tools. Return busybox.
    """
    for name in (
        "dev",
        "proc",
        "sys",
        "run",
        "tmp",
        "root",
        f"home/{USER}",
        "var/tmp",
        "var/log",
        "etc/ssh",
        "sbin",
    ):
        (tree / name).mkdir(parents=True, exist_ok=True)
    for name, text in (ACCOUNTS | SETTINGS).items():
        (tree / name).write_text(text)
    shutil.copy(HERE / "files" / "boot", tree / "etc" / "boot")
    (tree / "etc" / "boot").chmod(0o755)
    for folder in (
        tree,
        *(path for path in tree.rglob("*") if path.is_dir() and not path.is_symlink()),
    ):
        folder.chmod(0o755)
    for name in ("root", f"home/{USER}"):
        (tree / name).chmod(0o700)
    busybox = tree / "bin" / "busybox"
    for tool in _tools(busybox.read_bytes()):
        if not any(
            (tree / folder / tool).is_symlink() or (tree / folder / tool).exists()
            for folder in FOLDERS
        ):
            (tree / "bin" / tool).symlink_to("/bin/busybox")
    for name, target in {"bin/sh": "dash", "sbin/init": "/bin/busybox"}.items():
        (tree / name).unlink(missing_ok=True)
        (tree / name).symlink_to(target)
    return busybox.read_bytes()


FOLDERS = ("bin", "sbin", "usr/bin", "usr/sbin")


def _tools(busybox: bytes) -> list[str]:
    """The names of busybox's tools, which stand in it one after the other, sorted."""
    table = re.search(rb"\[\0\[\[\0(?:[a-z0-9_.-]+\0)+", busybox)
    if table is None:
        raise Unavailable("Debian's busybox has no table of tools where this fixture looks for it")
    return [name.decode() for name in table[0].split(b"\0")[2:] if name]


def _initramfs(drivers: dict[str, bytes], busybox: bytes) -> bytes:
    """A cpio archive in the kernel's `newc` form
    (Documentation/driver-api/early-userspace/buffer-format.rst).
    """
    archive = io.BytesIO()

    def add(name: str, mode: int, content: bytes = b"") -> None:
        fields = (archive.tell() + 1, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        archive.write(
            b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        )
        archive.write(bytes(-archive.tell() % 4) + content)
        archive.write(bytes(-archive.tell() % 4))

    for folder in ("bin", "dev", "modules", "root", "sys"):
        add(folder, stat.S_IFDIR | 0o755)
    add("bin/busybox", stat.S_IFREG | 0o755, busybox)
    add("init", stat.S_IFREG | 0o755, (HERE / "files" / "init").read_bytes())
    for name, driver in drivers.items():
        add(f"modules/{name}.ko", stat.S_IFREG | 0o644, driver)
    add("modules/order", stat.S_IFREG | 0o644, "".join(f"{name}.ko\n" for name in drivers).encode())
    add("TRAILER!!!", 0)
    return archive.getvalue()


def _disk(tree: Path, disk: Path) -> None:
    """An ext4 file system with the files of ``tree``."""
    program = shutil.which("mkfs.ext4") or "/usr/sbin/mkfs.ext4"
    with disk.open("wb") as file:
        file.truncate(DISK_BYTES)
    try:
        done = subprocess.run(
            [program, "-q", "-F", "-d", tree, disk], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise Unavailable("mkfs.ext4 is missing (Debian: e2fsprogs)") from None
    if done.returncode:
        raise Unavailable(f"mkfs.ext4 failed: {done.stderr.strip()}")
