"""Names of boards behind SSH: what becomes an argument of ssh, and what is refused."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.targets.ssh.link import reading
from motebench.targets.ssh.name import natively, parse


@pytest.mark.parametrize(
    ("name", "arguments", "machine"),
    [
        ("ssh:pi", ["--", "pi"], None),
        ("ssh:pi@raspberrypi", ["-l", "pi", "--", "raspberrypi"], None),
        (
            "ssh:pi@raspberrypi.local:2222",
            ["-l", "pi", "-p", "2222", "--", "raspberrypi.local"],
            None,
        ),
        ("ssh:10.0.0.7+armv7", ["--", "10.0.0.7"], "armv7"),
        ("ssh:a_b@[fe80::1%eth0]:22", ["-l", "a_b", "-p", "22", "--", "fe80::1%eth0"], None),
        ("ssh:[::1]", ["--", "::1"], None),
    ],
)
def test_a_name_becomes_arguments_of_ssh(
    name: str, arguments: list[str], machine: str | None
) -> None:
    found = parse(name)
    assert (found.address.arguments(), found.machine) == (arguments, machine)


@pytest.mark.parametrize(
    "place",
    [
        "",
        "@",
        "pi@",
        "@pi",
        "-oProxyCommand=true",
        "pi@-oProxyCommand=true",
        "-l@pi",
        "a b",
        "pi@a b",
        "pi;id",
        "$(id)",
        "`id`",
        "a'b",
        'a"b',
        "pi:",
        "pi:0",
        "pi:65536",
        "pi:22x",
        "pi:٣",
        "pi:-1",
        "[::1",
        "[::1]x",
        "[::1]22",
        "::1",
        "pi\n",
        "pi\x1b[2J",
        "pi@h@i j",
        "a" * 300,
        "pi\\x@h",
        "%h",
        "../pi",
        "pi/x",
    ],
)
def test_what_is_no_user_or_host_is_refused_and_says_the_form(place: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(f"ssh:{place}", "--target")
    assert "[USER@]HOST" in str(caught.value) and str(caught.value).startswith("--target: ")


def test_an_unknown_kind_of_machine_names_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'armv77'.*\n.*armv7") as caught:
        parse("ssh:pi+armv77")
    assert "+aarch64" in (caught.value.valid or "")
    with pytest.raises(InputError, match="2 kinds of machine"):
        parse("ssh:pi+armv7+armv6")


@pytest.mark.parametrize(
    ("said", "means", "do"),
    [
        (
            "ssh: Could not resolve hostname pi: Name or service not known",
            "no host of that name",
            "ssh pi@pi",
        ),
        (
            "ssh: connect to host pi port 22: Connection refused",
            "no SSH server",
            "systemctl status ssh",
        ),
        ("ssh: connect to host pi port 22: No route to host", "does not answer", "ssh pi@pi"),
        (
            "pi@pi: Permission denied (publickey,password).",
            "does not accept your key",
            "ssh-copy-id pi@pi",
        ),
        ("pi@pi: Permission denied (password).", "password only", "ssh-copy-id pi@pi"),
        (
            "No ED25519 host key is known for pi and you have requested strict checking.\r\nHost "
            "key verification failed.",
            "not known on this machine",
            "ssh pi@pi",
        ),
        (
            "@@@@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key "
            "verification failed.",
            "has changed",
            "ssh-keygen -R pi",
        ),
        (
            "/home/me/.ssh/config: line 3: Bad configuration option: hots",
            "refuses your configuration",
            "mend the file",
        ),
        ("", "ended before", "uname -m"),
    ],
)
def test_what_ssh_says_becomes_what_to_do(said: str, means: str, do: str) -> None:
    trouble = reading(f"{said}\n", parse("ssh:pi@pi").address)
    assert means in trouble.what and do in (trouble.hint or "")
    if said:
        assert "ssh: " in trouble.what, "its own words are quoted"


def test_control_characters_of_a_board_are_not_shown() -> None:
    trouble = reading(
        "\x1b]0;owned\x07pi: Permission denied (publickey)\x1b[2J", parse("ssh:pi").address
    )
    assert trouble.what.isprintable() and "Permission denied" in trouble.what


def test_boards_that_build_their_own_probes():
    assert natively(["ssh:pi@a", "sim:atmega2560", "ssh:b+native"], "--native") == (
        "ssh:pi@a+native",
        "sim:atmega2560",
        "ssh:b+native",
    )
    for names, said in (
        (["host"], "no target is a board behind SSH"),
        (["ssh:a+armv6"], "names a kind of machine"),
    ):
        with pytest.raises(InputError, match=said) as refused:
            natively(names, "--native")
        assert refused.value.where == "--native"
