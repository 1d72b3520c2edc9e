"""Functions in assembly give the answers of the C that they replace, and of the host; simulated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from motebench.base.model import Kind, Operation
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.vectors import vectors_for
from motebench.catalog.vectors.model import Validity
from motebench.measuring.verify import AnswerVerdict, check
from motebench.targets.base import Session
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.sources import core_dir
from motebench.targets.host.this_machine import this_machine
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Fill, Job
from tests.integration.conftest import need_simulator
from tests.support.cross_check import disagreements

CASES = 4
AES = ("aes-128-ecb", "aes-192-ecb", "aes-256-ecb")
ASCON = ("ascon-aead128", "ascon-hash256", "ascon-xof128")
LEA = ("lea-128-ecb", "lea-192-ecb", "lea-256-ecb")
PRESENT = ("present-80-ecb", "present-128-ecb")
SHA3 = ("sha3-224", "sha3-512", "shake128", "shake256")
SPECK = ("speck-64-128-ecb", "speck-64-128-cbc")
USED = {
    "avr": {
        "aes/aes_fast_avr.S": ("mote/aes-fast", AES),
        "ascon/ascon_avr.S": ("mote/ascon", ASCON),
        "chacha20/chacha20_core_avr.S": ("mote/chacha20", ("chacha20",)),
        "chacha20/poly1305_avr.S": ("mote/chacha20-poly1305", ("chacha20-poly1305",)),
        "des/des_avr.S": ("mote/des", ("des-ecb", "3des-ecb")),
        "hight/hight_avr.S": ("mote/hight", ("hight-ecb",)),
        "lea/lea_avr.S": ("mote/lea", LEA),
        "modes/ghash_avr.S": ("mote/aes-fast", ("aes-128-gcm",)),
        "present/present_avr.S": ("mote/present", PRESENT),
        "present/present_schedule_avr.S": ("mote/present-small", PRESENT),
        "sha2/sha256_avr.S": ("mote/sha-256", ("sha224", "sha256")),
        "sha3/keccak_avr.S": ("mote/sha-3", SHA3),
        "simon/simon_avr.S": ("mote/simon", ("simon-64-128-ecb", "simon-64-128-ctr")),
        "speck/speck_avr.S": ("mote/speck", SPECK),
        "twine/twine_avr.S": ("mote/twine", ("twine-80-ecb", "twine-128-ecb")),
    },
    "armv6m": {
        "aes/aes_fast_armv6m.S": ("mote/aes-fast", (*AES, "aes-128-ctr")),
        "aes/aes_keys_armv6m.S": ("mote/aes-fast", ("aes-128-cbc", "aes-192-cbc", "aes-256-cbc")),
        "aes/aes_sbox_armv6m.S": ("mote/aes-sbox", (*AES, "aes-128-ctr")),
        "ascon/ascon_armv6m.S": ("mote/ascon", ASCON),
        "chacha20/chacha20_core_armv6m.S": ("mote/xchacha20-poly1305", ("xchacha20-poly1305",)),
        "chacha20/poly1305_armv6m.S": ("mote/chacha20-poly1305", ("chacha20-poly1305",)),
        "modes/ghash_armv6m.S": ("mote/aes-sbox", ("aes-128-gcm",)),
        "sha2/sha256_armv6m.S": ("mote/sha-256", ("sha224", "sha256")),
        "sha3/keccak_armv6m.S": ("mote/sha-3", SHA3),
        "present/present_armv6m.S": ("mote/present", (*PRESENT, "present-80-cbc")),
        "speck/speck_armv6m.S": ("mote/speck", (*SPECK, "speck-128-128-ecb")),
    },
    "armv7m": {
        "aes/aes_ct_armv7m.S": ("mote/aes-ct", (*AES, "aes-128-ctr", "aes-128-ccm")),
        "aes/aes_fast_armv7m.S": ("mote/aes-fast", (*AES, "aes-128-ctr")),
        "aes/aes_keys_armv7m.S": ("mote/aes-fast", ("aes-128-cbc", "aes-192-cbc", "aes-256-cbc")),
        "chacha20/chacha20_core_armv7m.S": ("mote/xchacha20-poly1305", ("xchacha20-poly1305",)),
        "modes/ctr_armv7m.S": ("mote/aes-ct", ("aes-128-ctr", "aes-128-ccm")),
        "modes/ghash_armv7m.S": ("mote/aes-sbox", ("aes-128-gcm",)),
        "chacha20/poly1305_armv7m.S": ("mote/chacha20-poly1305", ("chacha20-poly1305",)),
        "ascon/ascon_armv7m.S": ("mote/ascon", ASCON),
        "sha3/keccak_armv7m.S": ("mote/sha-3", SHA3),
        "sha2/sha256_armv7m.S": ("mote/sha-256", ("sha224", "sha256")),
        "lea/lea_armv7m.S": ("mote/lea", LEA),
        "simon/simon_armv7m.S": ("mote/simon", ("simon-64-128-ecb", "simon-64-128-ctr")),
        "speck/speck_armv7m.S": ("mote/speck", (*SPECK, "speck-128-128-ecb")),
    },
    "riscv32": {
        "aes/aes_fast_riscv32.S": ("mote/aes-fast", (*AES, "aes-128-ctr")),
        "aes/aes_keys_riscv32.S": ("mote/aes-fast", ("aes-128-cbc", "aes-192-cbc", "aes-256-cbc")),
        "chacha20/chacha20_core_riscv32.S": ("mote/xchacha20-poly1305", ("xchacha20-poly1305",)),
        "sha3/keccak_riscv32.S": ("mote/sha-3", SHA3),
        "speck/speck_riscv32.S": ("mote/speck", (*SPECK, "speck-128-128-ecb")),
    },
    "armv7m without UMAAL": {
        "modes/ghash_armv7m.S": ("mote/aes-sbox", ("aes-128-gcm",)),
        "chacha20/poly1305_armv7m.S": ("mote/chacha20-poly1305", ("chacha20-poly1305",)),
    },
}
"""Files in assembly by architecture, each with an implementation and the tested schemes."""
PUBLIC = {
    "avr": {
        "curve25519/field_avr.S": ("mote/x25519", "x25519"),
        "ml-dsa/ring_avr.S": ("mote/ml-dsa", "ml-dsa-44"),
        "ml-kem/ml_kem_ring_avr.S": ("mote/ml-kem", "ml-kem-512"),
        "p256/p256_field_avr.S": ("mote/p256", "ecdh-p256"),
        "small_curves/numbers_avr.S": ("mote/x25519-small", "x25519"),
    },
    "armv6m": {
        "curve25519/field_armv6m.S": ("mote/x25519", "x25519"),
        "ml-dsa/ring_armv6m.S": ("mote/ml-dsa", "ml-dsa-44"),
        "ml-kem/ml_kem_ring_armv6m.S": ("mote/ml-kem", "ml-kem-512"),
        "p256/p256_thumb_armv6m.S": ("mote/p256", "ecdh-p256"),
        "small_curves/numbers_armv6m.S": ("mote/x25519-small", "x25519"),
    },
    "armv7m": {
        "curve25519/field_armv7m.S": ("mote/x25519", "x25519"),
        "ml-dsa/ring_armv7m.S": ("mote/ml-dsa", "ml-dsa-44"),
        "ml-kem/ml_kem_coding_armv7m.S": ("mote/ml-kem", "ml-kem-512"),
        "ml-kem/ml_kem_ring_armv7m.S": ("mote/ml-kem", "ml-kem-768"),
        "p256/p256_field_armv7m.S": ("mote/p256", "ecdh-p256"),
        "small_curves/numbers_armv7m.S": ("mote/x25519-small", "x25519"),
    },
    "armv7m without UMAAL": {
        "ml-dsa/ring_thumb_armv7m.S": ("mote/ml-dsa", "ml-dsa-44"),
        "p256/p256_thumb_armv7m.S": ("mote/p256", "ecdh-p256"),
    },
    "riscv32": {
        "curve25519/field_riscv32.S": ("mote/x25519", "x25519"),
        "p256/p256_field_riscv32.S": ("mote/p256", "ecdh-p256"),
    },
}
"""The same with public keys: one scheme each."""
DEVICES = {
    "avr": devices()["atmega2560"],
    "armv6m": devices()["cortex-m0-nows"],
    "armv7m": devices()["cortex-m4-nows"],
    "armv7m without UMAAL": devices()["cortex-m3-nows"],
    "riscv32": devices()["rp2350-hazard3"],
}
ASKED = [
    pytest.param(
        (of, name, scheme),
        id=f"{of} {name} {scheme}",
        marks=[pytest.mark.long] * of.startswith(("armv7m", "riscv")),
    )
    for of, files in USED.items()
    for name, schemes in files.values()
    for scheme in schemes
]


@pytest.fixture(params=ASKED)
def asked(request) -> Iterator[tuple[str, dict[str, Session]]]:
    architecture, implementation, scheme = request.param
    device = DEVICES[architecture]
    need_simulator(device)
    opened: dict[str, Session] = {
        "host": this_machine().open(implementation),
        "assembly": BoardSession(Simulation(device, BoardSettings()), OwnFirmware(implementation)),
        "C": BoardSession(
            Simulation(device, BoardSettings()), OwnFirmware(implementation, portable=True)
        ),
    }
    yield scheme, opened
    for session in opened.values():
        session.close()


def test_every_file_in_assembly_is_asked():
    folders = [core_dir() / name for name in ("ciphers", "mote")]
    found = {str(path.relative_to(folder)) for folder in folders for path in folder.glob("*/*.S")}
    assert found == {path for used in (USED, PUBLIC) for files in used.values() for path in files}


def test_assembly_gives_the_known_answers(asked):
    scheme, sessions = asked
    outcomes = check(sessions["assembly"], scheme, vectors_for(scheme)[:20])
    assert {AnswerVerdict.PASSED} <= {outcome.verdict for outcome in outcomes}
    assert [outcome for outcome in outcomes if outcome.verdict is AnswerVerdict.FAILED] == []


def test_assembly_agrees_with_c_and_with_the_host(asked):
    scheme, sessions = asked
    assert list(disagreements(schemes()[scheme], sessions, seed=1, cases=CASES)) == []


def test_assembly_takes_fewer_cycles_than_c(asked):
    scheme, sessions = asked
    info = schemes()[scheme]
    operations = ("digest",) if info.kind is Kind.HASH else ("key-setup", "encrypt")

    def took(name):
        jobs = [
            Job(
                scheme,
                operation,
                bytes(info.key_bytes or 0),
                bytes(info.nonce_bytes or 0),
                data=Fill(1, 64),
            )
            for operation in operations
        ]
        return sum(
            sessions[name].measure(job, batch=1, count=1, warm=0, timeout=60).counts[0]
            for job in jobs
        )

    assert took("assembly") < took("C")


@pytest.mark.parametrize(
    ("architecture", "implementation", "scheme"),
    [(of, *asked) for of, files in PUBLIC.items() for asked in files.values()],
)
def test_public_keys_in_assembly_give_the_known_answers_of_c_in_fewer_cycles(
    architecture, implementation, scheme
):
    device = DEVICES[architecture]
    need_simulator(device)
    took = []
    for portable in (True, False):
        session = BoardSession(
            Simulation(device, BoardSettings()), OwnFirmware(implementation, portable=portable)
        )
        try:
            outcomes = check(session, scheme, vectors_for(scheme))
            assert {AnswerVerdict.PASSED} <= {outcome.verdict for outcome in outcomes}
            assert [
                outcome for outcome in outcomes if outcome.verdict is AnswerVerdict.FAILED
            ] == []
            kinds = {Kind.KEM: Operation.DECAPSULATE, Kind.AGREEMENT: Operation.AGREE}
            operation = kinds.get(schemes()[scheme].kind, Operation.VERIFY)
            valid = next(
                one
                for one in vectors_for(scheme)
                if one.operation is operation and one.result is Validity.VALID
            )
            if operation is Operation.VERIFY:
                job = Job(
                    scheme,
                    "verify",
                    valid.key,
                    context=valid.context,
                    data=valid.data,
                    signature=valid.tag,
                )
            elif operation is Operation.AGREE:
                job = Job(scheme, "agree", valid.key, peer=valid.data)
            else:
                job = Job(scheme, "decapsulate", valid.key, ciphertext=valid.ciphertext)
            took.append(session.measure(job, batch=1, count=1, warm=0, timeout=60).counts[0])
        finally:
            session.close()
    assert took[1] < took[0]
