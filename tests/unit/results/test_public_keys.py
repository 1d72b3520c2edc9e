"""Sizes of keys, signatures and ciphertexts beside the names of schemes."""

from motebench.results.presentation.schemes import category_of, category_words, sizes_of_schemes


def test_sizes_and_category_of_a_kem_are_those_of_fips_203():
    (sizes,) = sizes_of_schemes(["ml-kem-768"])
    assert sizes.category == 3
    assert dict(sizes.parts) == {
        "public key": 1184,
        "private key": 2400,
        "signature": None,
        "ciphertext": 1088,
        "shared secret": 32,
    }
    assert sizes.words == (
        "ml-kem-768: NIST category 3, public key 1,184 B, private key 2,400 B, ciphertext 1,088 "
        "B, shared secret 32 B"
    )


def test_sizes_and_category_of_a_signature_are_those_of_fips_204():
    (sizes,) = sizes_of_schemes(["ml-dsa-44"])
    assert (sizes.category, sizes.public_key, sizes.private_key, sizes.signature) == (
        2,
        1312,
        2560,
        2420,
    )


def test_a_scheme_that_a_quantum_computer_breaks_has_sizes_and_no_category():
    (sizes,) = sizes_of_schemes(["x25519"])
    assert (sizes.category, sizes.public_key, sizes.secret) == (None, 32, 32)
    assert "category" not in sizes.words and category_words(None) == ""


def test_schemes_without_public_keys_and_unknown_names_have_no_sizes():
    assert sizes_of_schemes(
        ["aes-128-gcm", "no-such-scheme", "ml-kem-512", "ml-kem-512"]
    ) == sizes_of_schemes(["ml-kem-512"])
    assert category_of("no-such-scheme") is None and category_of("aes-128-gcm") is None
