"""User code: folders with the functions of crypto_aead.h and crypto_hash.h, built, checked and
measured.
"""
