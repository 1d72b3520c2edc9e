"""Bytes that a cipher adds to a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.advise.radio.message import Nonce, Padding, protect
from motebench.base.errors import InputError
from motebench.base.model import Kind
from motebench.catalog import resolve, schemes


@pytest.mark.parametrize(
    ("scheme", "plaintext", "padding", "nonce", "tag"),
    [
        ("aes-128-gcm", 24, 0, 12, 16),
        ("aes-128-cbc", 24, 8, 16, 0),
        ("aes-128-cbc", 32, 16, 16, 0),
        ("aes-128-ecb", 20, 12, 0, 0),
        ("aes-128-ctr", 24, 0, 16, 0),
        ("present-80-cbc", 20, 4, 8, 0),
        ("xchacha20-poly1305", 24, 0, 24, 16),
        ("ascon-aead128", 24, 0, 16, 16),
        ("rc4-128", 24, 0, 0, 0),
        ("hmac-sha256", 24, 0, 0, 32),
        ("aes-128-gmac", 24, 0, 12, 16),
    ],
)
def test_lengths_by_hand(scheme, plaintext, padding, nonce, tag):
    found = protect(resolve(scheme), plaintext)
    assert (found.padding_bytes, found.nonce_bytes, found.tag_bytes) == (padding, nonce, tag)
    assert found.total_bytes == plaintext + padding + nonce + tag


def test_a_nonce_from_the_frame_counter_is_not_sent():
    assert protect(resolve("aes-128-gcm"), 24, nonce=Nonce.COUNTER).total_bytes == 40
    found = protect(resolve("aes-128-cbc"), 24, nonce=Nonce.COUNTER)
    assert found.total_bytes == 32
    assert any("unpredictable" in note for note in found.notes)
    assert any("reset" in note for note in found.notes)


def test_a_mac_with_a_nonce_is_counted_and_warned_of():
    """SP 800-38D, appendix A: a nonce that repeats gives away the hash key."""
    gmac, words = resolve("aes-128-gmac"), "gives away the key of the tag"
    assert protect(gmac, 24, nonce=Nonce.COUNTER).total_bytes == 40
    assert any(
        words in note and "survive a reset" in note
        for note in protect(gmac, 24, nonce=Nonce.COUNTER).notes
    )
    assert any(words in note for note in protect(gmac, 24).notes)
    assert not any(
        words in note for note in protect(resolve("aes-128-cmac"), 24, nonce=Nonce.COUNTER).notes
    )
    beside = protect(resolve("aes-128-ctr"), 24, mac=gmac)
    assert (beside.nonce_bytes, beside.tag_bytes) == (16 + 12, 16)
    assert protect(gmac, 24, tag_bytes=8).tag_bytes == 8
    with pytest.raises(InputError, match="has no tag"):
        protect(gmac, 24, tag_bytes=10)
    short = " ".join(protect(gmac, 24, tag_bytes=4).notes)
    assert "up to 3 x 2^-32" in short and "withdraw GMAC tags" in short


def test_whole_blocks_need_no_padding_where_none_is_asked_for():
    assert protect(resolve("aes-128-cbc"), 32, padding=Padding.NONE).padding_bytes == 0
    with pytest.raises(InputError, match="needs whole blocks"):
        protect(resolve("aes-128-cbc"), 33, padding=Padding.NONE)


def test_tags_are_shortened_as_far_as_the_standards_go():
    assert protect(resolve("aes-128-ccm"), 24, tag_bytes=4).tag_bytes == 4
    assert protect(resolve("aes-128-gcm"), 24, tag_bytes=8).tag_bytes == 8
    for scheme, wanted in (
        ("aes-128-gcm", 5),
        ("aes-128-ccm", 5),
        ("chacha20-poly1305", 8),
        ("aes-128-ctr", 4),
    ):
        with pytest.raises(InputError, match="has no tag"):
            protect(resolve(scheme), 24, tag_bytes=wanted)


def test_what_a_short_tag_means_is_said():
    """SP 800-232 lets Ascon's tag be cut down to 32 bits. GCM: 24 bytes are two blocks, and one
    holds the lengths.
    """
    assert protect(resolve("ascon-aead128"), 24, tag_bytes=8).notes == ()
    assert any(
        "analysis" in note for note in protect(resolve("ascon-aead128"), 24, tag_bytes=4).notes
    )
    with pytest.raises(InputError, match="has no tag"):
        protect(resolve("ascon-aead128"), 24, tag_bytes=3)
    short = " ".join(protect(resolve("aes-128-gcm"), 24, tag_bytes=4).notes)
    assert "3 x 2^-32" in short and "appendix C" in short and "withdraw" in short
    assert "withdraw" not in " ".join(protect(resolve("aes-128-gcm"), 24, tag_bytes=12).notes)


@pytest.mark.parametrize(
    ("tag", "length", "says"),
    [
        (4, 32, "2^22"),
        (4, 33, "2^20"),
        (4, 1024, "2^11"),
        (4, 1025, "at most 1,024 bytes"),
        (8, 24, "2^32"),
        (8, 2049, "2^29"),
    ],
)
def test_short_tags_of_gcm_follow_the_tables_of_the_standard(tag: int, length: int, says: str):
    """SP 800-38D, appendix C, tables 1 and 2."""
    assert says in " ".join(protect(resolve("aes-128-gcm"), length, tag_bytes=tag).notes)
    assert protect(resolve("aes-128-ccm"), 24, tag_bytes=8).notes == ()


def test_a_mac_beside_a_cipher():
    found = protect(
        resolve("speck-64-128-ctr"),
        24,
        nonce=Nonce.COUNTER,
        mac=resolve("hmac-sha256"),
        tag_bytes=8,
    )
    assert (found.scheme, found.total_bytes) == ("speck-64-128-ctr + hmac-sha256", 32)
    assert not any("changes" in note for note in found.notes)
    assert any("changes" in note for note in protect(resolve("speck-64-128-ctr"), 24).notes)
    with pytest.raises(InputError, match="cannot be added"):
        protect(resolve("aes-128-gcm"), 24, mac=resolve("hmac-sha256"))


@pytest.mark.parametrize("scheme", ["sha256", "ed25519", "rsa-2048-pss-sha256", "x25519"])
def test_what_protects_no_message_is_refused(scheme):
    with pytest.raises(InputError, match="does not protect a message"):
        protect(resolve(scheme), 24)


def test_a_negative_length_is_refused():
    with pytest.raises(InputError, match="not a possible length"):
        protect(resolve("aes-128-gcm"), -1)


PROTECTING = [
    scheme for scheme in schemes().values() if scheme.kind in (Kind.CIPHER, Kind.STREAM, Kind.AEAD)
]


@given(st.sampled_from(PROTECTING), st.integers(16, 242), st.sampled_from(list(Nonce)))
def test_every_scheme_says_what_it_adds(scheme, plaintext, nonce):
    found = protect(scheme, plaintext, nonce=nonce)
    assert found.added_bytes >= 0
    if scheme.block_bytes:
        assert (plaintext + found.padding_bytes) % scheme.block_bytes == 0
        assert 1 <= found.padding_bytes <= scheme.block_bytes
    assert found.nonce_bytes == (scheme.nonce_bytes if nonce is Nonce.CARRIED else 0)
    assert (found.tag_bytes > 0) == (scheme.kind is Kind.AEAD)
