/*
 * Shared by the files of the Botan adapter; nothing outside of this folder includes it. The same
 * sources are the adapters of Botan 2 (botan) and 3 (botan3).
 *
 * Each function opens a job of one kind of scheme with the library's name of the algorithm.
 *
 * Beside `botan speed` (2.19), like for like:
 *   botan speed AES-128          encrypt_n on a buffer        aes-128-ecb  encrypt, decrypt
 *   botan speed AES-128/CBC      start and finish: a message  aes-128-cbc  encrypt-message,
 *   (and CFB, GCM, EAX, ChaCha20Poly1305)                     decrypt-message, which copy the
 *                                                             input into the message's buffer too
 *   botan speed AES-128/CCM      start and finish: a message  aes-128-ccm  encrypt (and OCB, XTS):
 *                                                             without that copy
 *   botan speed RC4, Salsa20     cipher1 in place             rc4-128, salsa20  encrypt
 *   botan speed SHA-256          update, final                sha256       digest
 *   botan speed "HMAC(SHA-256)"  update, final                hmac-sha256  mac
 *   botan speed AES-128 (key schedule), RSA, ECDSA, ...       key-setup, keygen, sign, verify
 *                                                             (input hashed as well)
 * It reads the clock around each single buffer, which is in its times: benchmarks/botan_speed.py,
 * docs/evidence/benchmarks.md.
 */
#ifndef MOTEBENCH_BOTAN_ADAPTER_HPP
#define MOTEBENCH_BOTAN_ADAPTER_HPP

#include <botan/bigint.h>
#include <botan/cipher_mode.h>
#include <botan/ec_group.h>
#include <botan/pk_keys.h>
#include <botan/rng.h>
#include <botan/version.h>

#include <memory>
#include <string>

#include "support/work.hpp"

namespace motebench::botan {

using WorkPtr = std::unique_ptr<Work>;

#if BOTAN_VERSION_MAJOR >= 3
constexpr auto ENCRYPTION = Botan::Cipher_Dir::Encryption;
constexpr auto DECRYPTION = Botan::Cipher_Dir::Decryption;
#else
constexpr auto ENCRYPTION = Botan::ENCRYPTION;
constexpr auto DECRYPTION = Botan::DECRYPTION;
#endif

/* block.cpp: ECB. */
WorkPtr open_block(const mb_job &job, const std::string &cipher);
/* Ways to drive a mode: see mode.cpp. */
enum class Style { cbc, cfb, xts, continued_aead, whole_aead, ccm };
/* mode.cpp: what Botan calls Cipher_Mode. `mode` as in "AES-128/GCM", without parameters. */
WorkPtr open_mode(const mb_job &job, const std::string &mode, Style style);
/* stream.cpp: CTR, OFB and the stream ciphers. */
WorkPtr open_stream(const mb_job &job, const std::string &cipher);
/* digest.cpp */
WorkPtr open_digest(const mb_job &job, const std::string &hash);
WorkPtr open_mac(const mb_job &job, const std::string &mac);
/* A MAC with a nonce. */
WorkPtr open_gmac(const mb_job &job, const std::string &mac);

/* Signature schemes: keys in the formats of mb_job. */
struct SignatureKeys {
    std::function<std::unique_ptr<Botan::Private_Key>(const mb_job &)> read_private;
    std::function<std::unique_ptr<Botan::Public_Key>(const mb_job &)> read_public;
    std::function<std::unique_ptr<Botan::Private_Key>()> generate;
    std::string padding;
    bool der; /* signatures are DER sequences */
};

/* keys.cpp. Results of write_* go to job.out. */
Botan::EC_Group p256();
Botan::BigInt p256_scalar(const mb_job &job); /* of the job's key */
SignatureKeys rsa_keys(size_t bits, const std::string &padding);
SignatureKeys ecdsa_p256_keys();
SignatureKeys ed25519_keys();
void write_private(mb_job &job, const Botan::Private_Key &key);
void write_public(mb_job &job, const Botan::Private_Key &key);
/* A seeded generator, the same for all. */
Botan::RandomNumberGenerator &rng();

/* sign.cpp */
WorkPtr open_signature(const mb_job &job, const SignatureKeys &keys);
/* agree.cpp */
WorkPtr open_x25519(const mb_job &job);
void x25519_public(mb_job &job);
WorkPtr open_ecdh(const mb_job &job);
void ecdh_public(mb_job &job);
/* postquantum.cpp */
void add_post_quantum(std::vector<Offer> &offers);

} // namespace motebench::botan

#endif
