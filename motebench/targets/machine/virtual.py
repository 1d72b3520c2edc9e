"""Whether this machine is virtual, and whether it is a container: as systemd reports, else from files and flags."""

from __future__ import annotations

from motebench.targets.machine.machine import LinuxSystem

# Words in the DMI tables of virtual machines, as their hypervisors write them.
_DMI = (
    ("kvm", "kvm"),
    ("qemu", "qemu"),
    ("vmware", "vmware"),
    ("virtualbox", "virtualbox"),
    ("innotek", "virtualbox"),
    ("xen", "xen"),
    ("microsoft corporation virtual machine", "hyper-v"),
    ("amazon ec2", "amazon"),
    ("google compute engine", "google"),
    ("parallels", "parallels"),
    ("bhyve", "bhyve"),
    ("openstack", "openstack"),
    ("apple virtualization", "apple"),
)
_CGROUPS = (
    ("docker", "docker"),
    ("kubepods", "kubernetes"),
    ("libpod", "podman"),
    ("containerd", "containerd"),
    ("lxc", "lxc"),
    ("machine.slice", "systemd-nspawn"),
)


def virtualization(machine: LinuxSystem, cpu_flags: frozenset[str]) -> str | None:
    """Name of the hypervisor; ``unnamed`` if it gives no name; ``none``; None if unknown."""
    if "microsoft" in (machine.text("/proc/sys/kernel/osrelease") or "").lower():
        return "wsl"
    said = _systemd(machine, "--vm")
    if said and said != "none":
        return said
    found = _by_traces(machine)
    if found:
        return found
    if "hypervisor" in cpu_flags:
        return "unnamed"
    # Only x86 has the flag; on other processors its absence says nothing.
    return "none" if said == "none" or (_is_x86(machine) and cpu_flags) else None


def container(machine: LinuxSystem) -> str | None:
    """Kind of container, ``none``, or None if unknown."""
    if machine.exists("/.dockerenv"):
        return "docker"
    if machine.exists("/run/.containerenv"):
        return "podman"
    said = machine.text("/run/systemd/container") or _systemd(machine, "--container")
    if said and said not in ("none", "wsl"):
        return said
    groups = machine.text("/proc/1/cgroup")
    for word, name in _CGROUPS:
        if groups and word in groups:
            return name
    return "none" if said == "none" or groups is not None else None


def _systemd(machine: LinuxSystem, kind: str) -> str | None:
    if not machine.which("systemd-detect-virt"):
        return None
    # It exits with status 1 when it prints "none".
    return machine.run(["systemd-detect-virt", kind], codes=(0, 1)) or None


def _by_traces(machine: LinuxSystem) -> str | None:
    hypervisor = machine.text("/sys/hypervisor/type")
    if hypervisor:
        return hypervisor
    tree = machine.text("/proc/device-tree/hypervisor/compatible")
    if tree:
        return tree.split(",")[-1]
    names = ("sys_vendor", "product_name", "board_vendor", "bios_vendor")
    dmi = " ".join(machine.text(f"/sys/class/dmi/id/{name}") or "" for name in names).lower()
    return next((name for word, name in _DMI if word in dmi), None)


def _is_x86(machine: LinuxSystem) -> bool:
    return (machine.architecture() or "") in ("x86_64", "i686", "i586", "i386")
