"""Share of hash functions in the cycles of an operation, by the names of functions."""

from __future__ import annotations

import pytest

from motebench.base.model import Evidence
from motebench.measuring.work.readings import hashes, of_profile
from motebench.targets.board.board import CallProfile


@pytest.mark.parametrize(
    "name",
    [
        "KeccakF1600_StatePermute",
        "mlk_keccakf1600_permute_c",
        "shake128_absorb",
        "PQCLEAN_MLKEM512_CLEAN_kyber_shake128_absorb",
        "falcon_inner_shake256_inject",
        "cshake128_simple",
        "sha3_512",
        "mote_sha256_update",
        "sha512",
        "aes256_ctr_publicinputs",
        "br_aes_ct_ctr_run",
    ],
)
def test_names_of_hash_functions_and_of_aes(name):
    assert hashes(name)


@pytest.mark.parametrize(
    "name",
    [
        "PQCLEAN_SPHINCSSHAKE128SSIMPLE_CLEAN_crypto_sign",
        "thash",
        "poly_ntt",
        "share_secret",
        "shape",
        "memcpy",
        "?",
    ],
)
def test_other_names(name):
    assert not hashes(name)


PROFILE = CallProfile(
    {
        ("sign",): 100.0,
        ("sign", "sha512"): 150.0,
        ("sign", "sha512", "memcpy"): 50.0,
        ("sign", "memcpy"): 200.0,
        ("sign", "rarely"): 0.25,
    }
)


def test_what_a_hash_function_calls_counts_as_hashing():
    ((series, share, _),) = of_profile(PROFILE, Evidence.SIMULATED)
    assert (series.metric, series.raw_unit) == ("hash_share", "1")
    assert share == 200 / 500.25


def test_each_function_itself_has_whole_cycles():
    assert PROFILE.by_function() == {"sign": 100, "sha512": 150, "memcpy": 250}


def test_nothing_has_no_share():
    assert CallProfile({}).share(hashes) == 0
