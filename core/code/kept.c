/*
 * Part of code that its compiler optimises as one program (-flto): says that these functions are
 * called from outside, by their addresses, and that nothing else is. Their types do not matter
 * here.
 */
#if defined(MB_CODE_AEAD) && !defined(MB_CODE_AEAD_STRUCTURE)
int crypto_aead_encrypt(void);
int crypto_aead_decrypt(void);
#endif
#if defined(MB_CODE_HASH) && !defined(MB_CODE_HASH_STRUCTURE)
int crypto_hash(void);
#endif
#ifdef MB_CODE_KEM
int MB_CODE_KEYPAIR(void);
int MB_CODE_ENC(void);
int MB_CODE_DEC(void);
#endif
#ifdef MB_CODE_SIGN
int MB_CODE_KEYPAIR(void);
int MB_CODE_SIGNER(void);
int MB_CODE_VERIFIER(void);
#endif
#ifdef MB_CODE_SCALARMULT
int crypto_scalarmult(void);
int crypto_scalarmult_base(void);
#endif
#ifdef MB_CODE_DH
int crypto_dh(void);
int crypto_dh_keypair(void);
#endif
#ifdef MB_CODE_CIPHER
int crypto_cipher_key(void);
int crypto_cipher_encrypt(void);
#ifdef MB_CODE_DECRYPTS
int crypto_cipher_decrypt(void);
#endif
#endif

extern int (*const mb_code_kept[])(void);
__attribute__((externally_visible)) int (*const mb_code_kept[])(void) = {
#if defined(MB_CODE_AEAD) && !defined(MB_CODE_AEAD_STRUCTURE)
    crypto_aead_encrypt,
    crypto_aead_decrypt,
#endif
#if defined(MB_CODE_HASH) && !defined(MB_CODE_HASH_STRUCTURE)
    crypto_hash,
#endif
#ifdef MB_CODE_KEM
    MB_CODE_KEYPAIR,
    MB_CODE_ENC,
    MB_CODE_DEC,
#endif
#ifdef MB_CODE_SIGN
    MB_CODE_KEYPAIR,
    MB_CODE_SIGNER,
    MB_CODE_VERIFIER,
#endif
#ifdef MB_CODE_SCALARMULT
    crypto_scalarmult,
    crypto_scalarmult_base,
#endif
#ifdef MB_CODE_DH
    crypto_dh,
    crypto_dh_keypair,
#endif
#ifdef MB_CODE_CIPHER
    crypto_cipher_key,
    crypto_cipher_encrypt,
#ifdef MB_CODE_DECRYPTS
    crypto_cipher_decrypt,
#endif
#endif
    0,
};

/* NIST's structures: their type does not matter either. */
#ifdef MB_CODE_AEAD_STRUCTURE
extern char lwc_aead_cipher;
extern const void *const mb_code_kept_aead;
__attribute__((externally_visible)) const void *const mb_code_kept_aead = &lwc_aead_cipher;
#endif
#ifdef MB_CODE_HASH_STRUCTURE
extern char lwc_hash_ctx;
extern const void *const mb_code_kept_hash;
__attribute__((externally_visible)) const void *const mb_code_kept_hash = &lwc_hash_ctx;
#endif
