/* Sizes in bytes, for `motebench run --code`. */
#define CRYPTO_KEYBYTES 16
#define CRYPTO_BLOCKBYTES 16
#define CRYPTO_STATEBYTES 176
