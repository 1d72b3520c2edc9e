"""Fleet files: names of boards and groups, mistakes with line and key, keys that fit together."""

from __future__ import annotations

import json
import ssl
from pathlib import Path

import pytest
from click.testing import CliRunner

from motebench.base.errors import InputError, SetupError
from motebench.cli.app import app
from motebench.measuring.fleet import serving as keys
from motebench.measuring.fleet.file import Fleet, load
from motebench.measuring.study.load import Options, from_file, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.measuring.study.question import with_instruments

FLEET = """
[board.big]
target = "sim:atmega2560"

[board.zero]
target = "sim:samd21g18a"
instrument = "ppk2"

[board.uno]
target = "serial:/dev/ttyACM0,atmega328p"

[group]
sims = ["big", "zero"]
"""


def written(folder: Path, text: str = FLEET) -> Path:
    path = folder / "fleet.toml"
    path.write_text(text)
    return path


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return load(written(tmp_path))


def test_names_of_boards_and_groups_are_targets(fleet: Fleet) -> None:
    assert fleet.targets(["zero", "host"]) == ("sim:samd21g18a", "host")
    assert fleet.targets(["@sims"]) == ("sim:atmega2560", "sim:samd21g18a")
    assert fleet.targets(["@sims", "big", "@all"]) == (
        "sim:atmega2560",
        "sim:samd21g18a",
        "serial:/dev/ttyACM0,atmega328p",
    )


@pytest.mark.parametrize(("name", "hint"), [("zeros", "zero"), ("@sim", "@sims")])
def test_a_name_that_nothing_has_is_told_with_what_was_meant(
    fleet: Fleet, name: str, hint: str
) -> None:
    with pytest.raises(InputError) as error:
        fleet.targets([name], "--target")
    assert error.value.where == "--target" and hint in str(error.value.hint)


def test_a_study_file_names_boards_and_mistakes_in_it_have_their_line(
    tmp_path: Path, fleet: Fleet
) -> None:
    study = tmp_path / "s.toml"
    study.write_text('[[measure]]\nschemes = ["aes-128-ecb"]\ntargets = ["@sims"]\n')
    question = from_file(study, fleet)
    assert question.study.measure[0].targets == ("sim:atmega2560", "sim:samd21g18a")
    assert question.boards == {"sim:atmega2560": "big", "sim:samd21g18a": "zero"}
    study.write_text('[[measure]]\nschemes = ["aes-128-ecb"]\ntargets = ["@simz"]\n')
    with pytest.raises(InputError, match="no group") as error:
        from_file(study, fleet)
    assert error.value.where == f"{study}:3: measure[0].targets"
    with pytest.raises(InputError, match="needs a fleet"):
        from_file(study)


def test_an_instrument_reads_a_board_by_its_name(fleet: Fleet) -> None:
    asked = Options(schemes=("aes-128-ecb",), targets=("uno", "zero"))
    question = from_options(asked, Sampling(), WholeFile(), fleet)
    found = with_instruments(question, ["uno=ina219:bus=1"]).study.sampling
    assert (
        found.instruments == {"serial:/dev/ttyACM0,atmega328p": "ina219:bus=1"}
        and found.instrument is None
    )
    assert with_instruments(question, ["rapl"]).study.sampling.instrument == "rapl"
    for wrong in (["rapl", "ppk2"], ["uno=rapl", "uno=ppk2"]):
        with pytest.raises(InputError):
            with_instruments(question, wrong)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[board.a]\ntarget = "sim:atmega256"\n', 2, "sim:atmega256"),
        ('[board.a]\ntarget = "host"\n[board.b]\ntarget = "host"\n', 4, "one target"),
        ('[board.a]\ntarget = "host"\nat = "lab"\n', 3, "no lab host"),
        ('[board.a]\ntarget = "host"\n[group]\nx = ["b"]\n', 4, "no board"),
        ('[board.a]\ntarget = "host"\n[group]\nall = ["a"]\n', 4, "every board already"),
        ('[board.a]\ntargets = "host"\n', 2, "targets"),
        ('[board."a b"]\ntarget = "host"\n', 1, "a name has"),
        ('[board.host]\ntarget = "host"\n', 1, "name of a target"),
        ('[board.a]\ntarget = "host"\n[host.lab]\n', 3, "need a scheduler"),
        (
            '[board.a]\ntarget = "host"\n[scheduler]\naddress = "tcp://10.0.0.1:8786"\n',
            4,
            "without TLS",
        ),
        (
            '[board.a]\ntarget = "host"\n[scheduler]\naddress = "tcp://0.0.0.0:8786"\n',
            4,
            "without TLS",
        ),
        ('[board.a]\ntarget = "host"\n[scheduler]\naddress = "tls://10.0.0.1:8786"\n', 4, "keys"),
        ('[board.a]\ntarget = "host"\n[scheduler]\naddress = "10.0.0.1"\n', 4, "tls://HOST:PORT"),
        (
            '[board.a]\ntarget = "host"\n[scheduler]\naddress = "tls://a:99999"\ntls = "k"\n',
            4,
            "port",
        ),
    ],
)
def test_mistakes_are_told_with_line_and_key(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value.where).startswith(f"{path}:{line}") and said in str(error.value)


def test_loopback_needs_no_keys(tmp_path: Path) -> None:
    for host in ("127.0.0.1", "[::1]", "localhost"):
        text = f'[board.a]\ntarget = "host"\n[scheduler]\naddress = "tcp://{host}:8786"\n'
        assert load(written(tmp_path, text)).tls is None


def test_keys_are_private_are_made_once_and_members_trust_each_other(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    folder = tmp_path / "keys"
    made = keys.make(folder, ["lab1"])
    assert {path.name for path in made} == {
        f"{name}.{end}" for name in ("ca", "scheduler", "client", "lab1") for end in ("pem", "key")
    }
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.glob("*.key"))
    assert [path.name for path in keys.make(folder, ["lab1", "lab2"])] == ["lab2.key", "lab2.pem"]
    assert handshake(keys.files(folder, "lab2"), keys.files(folder, "scheduler"))
    keys.make(tmp_path / "other", [])
    stranger = keys.files(tmp_path / "other", "client")
    with pytest.raises(ssl.SSLError):
        handshake(stranger, keys.files(folder, "scheduler"))
    (folder / "lab1.key").chmod(0o644)
    with pytest.raises(SetupError, match="other users can read"):
        keys.files(folder, "lab1")
    with pytest.raises(SetupError, match="is missing"):
        keys.files(folder, "lab3")


def handshake(client: keys.Files, server: keys.Files) -> bool:
    """A TLS handshake in memory in which both sides ask for a certificate."""
    sides = []
    for files, purpose in ((client, ssl.Purpose.SERVER_AUTH), (server, ssl.Purpose.CLIENT_AUTH)):
        context = ssl.create_default_context(purpose, cafile=str(files.ca))
        context.check_hostname, context.verify_mode = False, ssl.CERT_REQUIRED
        context.load_cert_chain(str(files.certificate), str(files.key))
        received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        sides.append(
            (context.wrap_bio(received, sent, server_side=files is server), received, sent)
        )
    (one, one_in, one_out), (two, two_in, two_out) = sides
    done = set()
    for _ in range(10):
        for each in (one, two):
            try:
                each.do_handshake()
                done.add(each)
            except ssl.SSLWantReadError:
                pass
            two_in.write(one_out.read())
            one_in.write(two_out.read())
    return len(done) == 2


def test_boards_are_looked_at_and_one_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, FLEET.replace("/dev/ttyACM0", str(tmp_path / "nothing")))
    done = CliRunner().invoke(app, ["fleet", "boards", str(path), "--json"], standalone_mode=False)
    found = {each["board"]: each for each in json.loads(done.stdout)["boards"]}
    assert (
        found["zero"]["reachable"]
        and found["zero"]["groups"] == ["sims"]
        and found["zero"]["instrument"] == "ppk2"
    )
    assert "SAMD21" in found["zero"]["model"]
    assert (
        found["uno"]["reachable"] is False
        and "nothing" in found["uno"]["problem"]
        and done.return_value == 3
    )
