/*
 * Shared by the files of the Crypto++ adapter; nothing outside of this folder includes it.
 *
 * Crypto++ is a library of templates: ciphers.cpp and the other files instantiate what the catalog
 * has, and the rest sees the library's abstract classes only.
 */
#ifndef MOTEBENCH_CRYPTOPP_ADAPTER_HPP
#define MOTEBENCH_CRYPTOPP_ADAPTER_HPP

#include <cryptopp/algparam.h>
#include <cryptopp/cryptlib.h>

#include <memory>
#include <string>

#include "support/work.hpp"

namespace motebench::cryptopp {

using WorkPtr = std::unique_ptr<Work>;
using Offers = std::vector<Offer>;

/* A cipher with its mode: one object, and the interface its key is set by. */
struct Cipher {
    std::unique_ptr<CryptoPP::StreamTransformation> data;
    CryptoPP::SimpleKeyingInterface *key;
};

/* Makes one, without a key. */
using MakeCipher = Cipher (*)(bool decrypts);

template <typename Direction> Cipher make_direction()
{
    auto object = std::make_unique<Direction>();
    CryptoPP::SimpleKeyingInterface *key = object.get();
    return {std::move(object), key};
}

template <typename Scheme> Cipher make_cipher(bool decrypts)
{
    return decrypts ? make_direction<typename Scheme::Decryption>()
                    : make_direction<typename Scheme::Encryption>();
}

/* Parameters set with the key beside the IV; 0: not set. */
struct Settings {
    int rounds;
    int effective_bits; /* RC2 */
    int feedback;       /* CFB, bytes */
};

/* A cipher object and its key. */
class Keyed {
public:
    /*
     * `tag` in bytes: CCM computes with it; 0 for what is no AEAD. An AEAD's key is set without a
     * nonce.
     */
    Keyed(const mb_job &job, MakeCipher make, const Settings &settings, size_t tag = 0);
    void set_key();
    /* Begins a message: the nonce, or the key again where there is none. */
    void begin();
    CryptoPP::StreamTransformation &cipher() { return *cipher_.data; }

private:
    Cipher cipher_;
    CryptoPP::AlgorithmParameters parameters_;
    const uint8_t *key_, *nonce_;
    size_t key_len_, nonce_len_;
    bool restarts_; /* no nonce, and a state that runs on: RC4 */
};

/* plain.cpp: CFB, OFB, CTR, XTS, stream ciphers. */
WorkPtr open_plain(const mb_job &job, MakeCipher make, const Settings &settings);
WorkPtr open_xts(const mb_job &job, MakeCipher make);
/* padded.cpp: ECB, CBC. */
WorkPtr open_padded(const mb_job &job, MakeCipher make, const Settings &settings);
/* aead.cpp */
WorkPtr open_aead(const mb_job &job, MakeCipher make, const Settings &settings);

/* Signature schemes: signatures as the library has them (ECDSA: r and s, 32 bytes each). */
struct SignatureKeys {
    std::function<std::unique_ptr<CryptoPP::PK_Signer>(const mb_job &)> signer;
    std::function<std::unique_ptr<CryptoPP::PK_Verifier>(const mb_job &)> verifier;
    std::function<void(mb_job &)> generate; /* a new private key to job.out */
    std::function<void(mb_job &)> public_key;
    bool der; /* signatures are DER sequences outside */
};

WorkPtr open_signature(const mb_job &job, const SignatureKeys &keys); /* sign.cpp */
/* sign.cpp: seeded, the same for all */
CryptoPP::RandomNumberGenerator &rng();

/* Each adds its schemes: ciphers.cpp, digest.cpp, rsa.cpp, ecc.cpp, agree.cpp. */
void add_ciphers(Offers &offers);
void add_digests(Offers &offers);
void add_rsa(Offers &offers);
void add_curves(Offers &offers);
void add_x25519(Offers &offers);
void add_ecdh(Offers &offers);
void add_signature(Offers &offers, const std::string &name, const mb_scheme &scheme,
                   const SignatureKeys &keys);

} // namespace motebench::cryptopp

#endif
