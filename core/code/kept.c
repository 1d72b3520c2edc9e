/*
 * Part of code that its compiler optimises as one program (-flto): says that these functions are called from outside, by
 * their addresses, and that nothing else is. Their types do not matter here.
 */
#ifdef MB_CODE_AEAD
int crypto_aead_encrypt(void);
int crypto_aead_decrypt(void);
#endif
#ifdef MB_CODE_HASH
int crypto_hash(void);
#endif

extern int (*const mb_code_kept[])(void);
__attribute__((externally_visible)) int (*const mb_code_kept[])(void) = {
#ifdef MB_CODE_AEAD
    crypto_aead_encrypt, crypto_aead_decrypt,
#endif
#ifdef MB_CODE_HASH
    crypto_hash,
#endif
};
