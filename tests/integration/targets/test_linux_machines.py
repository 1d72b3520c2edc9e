"""Machines for tests of Linux boards: they boot, keep their disk, and fail on request."""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
from conftest import Boards
from machines import Unavailable
from machines.cable import Cable
from machines.lab import Lab
from machines.link import HOST, Link
from machines.machine import Linux


@pytest.fixture
def link() -> Iterator[Link]:
    """Link to a server that echoes its input."""
    with closing(socket.create_server((HOST, 0))) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=echo, args=(connection,), daemon=True).start()

        def echo(connection: socket.socket) -> None:
            with connection:
                while data := connection.recv(100):
                    connection.sendall(data)

        threading.Thread(target=serve, daemon=True).start()
        with closing(Link()) as link:
            link.to = server.getsockname()[1]
            yield link


def test_a_link_that_is_held_loses_nothing(link):
    with socket.create_connection((HOST, link.port), timeout=10) as connection:
        connection.sendall(b"one")
        assert connection.recv(100) == b"one"
        with link.held():
            connection.sendall(b"two")
            connection.settimeout(0.2)
            with pytest.raises(TimeoutError):
                connection.recv(100)
        connection.settimeout(10)
        assert connection.recv(100) == b"two"


def test_a_link_that_is_cut_can_be_made_again(link):
    with socket.create_connection((HOST, link.port), timeout=10) as connection:
        connection.sendall(b"one")
        assert connection.recv(100) == b"one"
        link.cut()
        assert connection.recv(100) == b""
    link.down()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HOST, link.port), timeout=10)
    link.up()
    with socket.create_connection((HOST, link.port), timeout=10) as connection:
        connection.sendall(b"two")
        assert connection.recv(100) == b"two"


def ssh(lab: Lab, name: str, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [lab.ssh, "-o", "BatchMode=yes", name, command],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.long
def test_a_user_logs_in_over_the_link(lab: Lab, board: Linux):
    assert ssh(lab, "board", "uname -m; id -un").stdout.split() == ["aarch64", "mote"]
    assert board.run("cat /proc/device-tree/model").strip("\0") == "linux,dummy-virt"
    assert board.programs() == []
    assert (
        len(
            [
                line
                for line in board.run("cat /proc/cpuinfo").splitlines()
                if line.startswith("processor")
            ]
        )
        == 2
    )
    assert board.run("openssl version").startswith("OpenSSL ")


@pytest.mark.long
def test_a_machine_that_lost_its_power_has_its_files_and_its_key_again(lab: Lab, boards: Boards):
    machine = boards("lost")
    machine.run("echo kept >/var/tmp/kept && sync", user="mote")
    machine.restart()
    assert ssh(lab, "lost", "cat /var/tmp/kept").stdout == "kept\n"
    machine.reboot()
    assert ssh(lab, "lost", "cat /var/tmp/kept").stdout == "kept\n"


@pytest.mark.long
def test_a_machine_has_the_faults_that_it_is_told_to_have(lab: Lab, boards: Boards):
    machine = boards("faulty")
    machine.fill_disk()
    assert "No space left" in ssh(lab, "faulty", "cat /proc/self/status >/tmp/x").stderr
    machine.free_disk()
    machine.forbid_programs("/tmp")
    put = "printf '#!/bin/sh\necho ran\n' >/tmp/x && chmod +x /tmp/x && /tmp/x"
    assert "ermission denied" in ssh(lab, "faulty", put).stderr
    before = int(machine.run("date +%s"))
    machine.shift_clock(-86400)
    assert int(machine.run("date +%s")) < before - 80000
    machine.link.down()
    assert "refused" in ssh(lab, "faulty", "true").stderr
    machine.link.up()
    lab.distrust(HOST, machine.link.port)
    assert "Host key verification failed" in ssh(lab, "faulty", "true").stderr


@pytest.mark.long
def test_a_cable_that_is_unplugged_loses_nothing_for_tcp(lab: Lab, boards: Boards):
    """Network namespaces; skipped without root."""
    try:
        cable = Cable()
    except Unavailable as missing:
        pytest.skip(str(missing))
    with closing(cable):
        machine = boards("cabled", link=cable)
        command = [lab.ssh, "cabled", "while read -r line; do echo got $line; done"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as session:
            assert session.stdin is not None and session.stdout is not None
            session.stdin.write("one\n")
            session.stdin.flush()
            assert session.stdout.readline() == "got one\n"
            with cable.held():
                session.stdin.write("two\n")
                session.stdin.flush()
                assert "while read" in "".join(machine.programs()), (
                    "past the cable it can be looked at"
                )
                assert select.select([session.stdout], [], [], 1)[0] == []
            assert session.stdout.readline() == "got two\n"
            session.stdin.close()


def test_by_hand_says_what_is_missing(tmp_path):
    command = [sys.executable, "-m", "tests.machines"]
    done = subprocess.run(
        command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert (
        done.stderr.splitlines()[-1]
        == "error: ssh and ssh-keygen are missing (Debian: openssh-client)"
    )
