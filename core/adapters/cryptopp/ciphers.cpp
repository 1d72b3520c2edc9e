/*
 * The ciphers and their modes, under the catalog's names.
 *
 * RC2: Crypto++ takes an effective key length of 1024 bits unless told; here it is that of the key
 * (RFC 2268), as in the catalog. RC5: 12 rounds, where Crypto++ takes 16 unless told.
 *
 * What the library answers wrongly is not offered (seen in 8.7.0, each in a program without this
 * adapter):
 *   ARIA and HIGHT in CTR, CFB, GCM, CCM, EAX, in place
 *     ProcessAndXorBlock writes the output before it reads what is to be xored, though ProcessData
 *     may be called in place; ARIA: on processors with SSSE3. Mended in 8.9
 *     (https://github.com/weidai11/cryptopp/issues/1235 and 1234)
 *   SPECK and SIMON with 128-bit blocks in CFB, CFB8, OFB
 *     The key schedule is stored twice over for SSSE3, and ProcessBlock, which these modes call,
 *     does not know; ECB, CBC and CTR take many blocks at once and are right
 */
#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <cryptopp/aes.h>
#include <cryptopp/arc4.h>
#include <cryptopp/aria.h>
#include <cryptopp/blowfish.h>
#include <cryptopp/camellia.h>
#include <cryptopp/cast.h>
#include <cryptopp/ccm.h>
#include <cryptopp/chacha.h>
#include <cryptopp/chachapoly.h>
#include <cryptopp/des.h>
#include <cryptopp/eax.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hight.h>
#include <cryptopp/idea.h>
#include <cryptopp/lea.h>
#include <cryptopp/modes.h>
#include <cryptopp/rc2.h>
#include <cryptopp/rc5.h>
#include <cryptopp/rc6.h>
#include <cryptopp/salsa.h>
#include <cryptopp/seed.h>
#include <cryptopp/serpent.h>
#include <cryptopp/simon.h>
#include <cryptopp/speck.h>
#include <cryptopp/tea.h>
#include <cryptopp/twofish.h>
#include <cryptopp/xts.h>

#include <algorithm>
#include <initializer_list>

#include "cryptopp_adapter.hpp"

namespace motebench::cryptopp {

namespace {

constexpr size_t LONGEST_NONCE = 0xffff;

/* A cipher with one key length, in bytes. */
struct Variant {
    std::string name;
    size_t key;
    Settings settings;
};

using Open = WorkPtr (*)(const mb_job &, MakeCipher, const Settings &);

void add(Offers &offers, const std::string &name, const mb_scheme &scheme, Open open,
         MakeCipher make, const Settings &settings = {})
{
    offers.push_back(
        {name, scheme, [=](const mb_job &job) { return open(job, make, settings); }, {}});
}

template <typename Cipher> void add_ecb(Offers &offers, const Variant &v)
{
    constexpr size_t block = Cipher::BLOCKSIZE;
    add(offers, v.name + "-ecb", cipher_scheme(v.key, 0, 0, block, true), open_padded,
        make_cipher<CryptoPP::ECB_Mode<Cipher>>, v.settings);
}

template <typename Cipher> void add_modes(Offers &offers, const Variant &v)
{
    constexpr size_t block = Cipher::BLOCKSIZE;
    const mb_scheme streaming = cipher_scheme(v.key, block, block, 1, true);
    Settings byte_feedback = v.settings;
    byte_feedback.feedback = 1;
    add_ecb<Cipher>(offers, v);
    add(offers, v.name + "-cbc", cipher_scheme(v.key, block, block, block, true), open_padded,
        make_cipher<CryptoPP::CBC_Mode<Cipher>>, v.settings);
    add(offers, v.name + "-cfb", streaming, open_plain, make_cipher<CryptoPP::CFB_Mode<Cipher>>,
        v.settings);
    add(offers, v.name + "-cfb8", streaming, open_plain, make_cipher<CryptoPP::CFB_Mode<Cipher>>,
        byte_feedback);
    add(offers, v.name + "-ofb", streaming, open_plain, make_cipher<CryptoPP::OFB_Mode<Cipher>>,
        v.settings);
    add(offers, v.name + "-ctr", streaming, open_plain, make_cipher<CryptoPP::CTR_Mode<Cipher>>,
        v.settings);
}

template <typename Cipher> void add_eax(Offers &offers, const Variant &v)
{
    add(offers, v.name + "-eax",
        aead_scheme(cipher_scheme(v.key, 1, LONGEST_NONCE, 1, true), 1, Cipher::BLOCKSIZE),
        open_aead, make_cipher<CryptoPP::EAX<Cipher>>, v.settings);
}

/* GCM and CCM: tags of SP 800-38D and C. */
template <typename Cipher> void add_gcm_ccm(Offers &offers, const Variant &v)
{
    add(offers, v.name + "-gcm",
        aead_scheme(cipher_scheme(v.key, 1, LONGEST_NONCE, 1, true), 4, 16), open_aead,
        make_cipher<CryptoPP::GCM<Cipher>>, v.settings);
    add(offers, v.name + "-ccm", aead_scheme(cipher_scheme(v.key, 7, 13, 1, true), 4, 16),
        open_aead, make_cipher<CryptoPP::CCM<Cipher>>, v.settings);
}

template <typename Cipher> void add_xts(Offers &offers, const Variant &v)
{
    offers.push_back(
        {v.name + "-xts",
         cipher_scheme(2 * v.key, 16, 16, 1, false),
         [](const mb_job &job) { return open_xts(job, make_cipher<CryptoPP::XTS<Cipher>>); },
         {}});
}

/* 64-bit blocks: no GCM, CCM, XTS. */
template <typename Cipher> void add_small(Offers &offers, const Variant &v)
{
    add_modes<Cipher>(offers, v);
    add_eax<Cipher>(offers, v);
}

template <typename Cipher> void add_large(Offers &offers, const char *name)
{
    for (const size_t bits : {128u, 192u, 256u}) {
        const Variant v = {name + ("-" + std::to_string(bits)), bits / 8, {}};
        add_modes<Cipher>(offers, v);
        add_gcm_ccm<Cipher>(offers, v);
        add_eax<Cipher>(offers, v);
        if (bits != 192)
            add_xts<Cipher>(offers, v);
    }
}

void add_large_blocks(Offers &offers)
{
    add_large<CryptoPP::AES>(offers, "aes");
    add_large<CryptoPP::Camellia>(offers, "camellia");
    add_large<CryptoPP::Serpent>(offers, "serpent");
    add_large<CryptoPP::Twofish>(offers, "twofish");
    const Variant seed = {"seed", 16, {}};
    add_modes<CryptoPP::SEED>(offers, seed);
    add_gcm_ccm<CryptoPP::SEED>(offers, seed);
    add_eax<CryptoPP::SEED>(offers, seed);
    add_xts<CryptoPP::SEED>(offers, seed);
    for (const size_t bits : {128u, 192u, 256u}) {
        const std::string size = "-" + std::to_string(bits);
        const Variant aria = {"aria" + size, bits / 8, {}};
        add_modes<CryptoPP::ARIA>(offers, aria);
        add_gcm_ccm<CryptoPP::ARIA>(offers, aria);
        add_modes<CryptoPP::LEA>(offers, {"lea" + size, bits / 8, {}});
        add_modes<CryptoPP::RC6>(offers, {"rc6" + size, bits / 8, {}});
    }
    add_modes<CryptoPP::SPECK128>(offers, {"speck-128-128", 16, {}});
    add_modes<CryptoPP::SIMON128>(offers, {"simon-128-128", 16, {}});
}

void add_small_blocks(Offers &offers)
{
    add_small<CryptoPP::DES>(offers, {"des", 8, {}});
    add_small<CryptoPP::DES_EDE3>(offers, {"3des", 24, {}});
    add_small<CryptoPP::Blowfish>(offers, {"blowfish-128", 16, {}});
    add_small<CryptoPP::Blowfish>(offers, {"blowfish-256", 32, {}});
    add_small<CryptoPP::Blowfish>(offers, {"blowfish-448", 56, {}});
    add_small<CryptoPP::CAST128>(offers, {"cast-128", 16, {}});
    add_small<CryptoPP::IDEA>(offers, {"idea", 16, {}});
    for (const int bits : {40, 64, 128})
        add_small<CryptoPP::RC2>(
            offers, {"rc2-" + std::to_string(bits), static_cast<size_t>(bits) / 8, {0, bits, 0}});
    add_small<CryptoPP::RC5>(offers, {"rc5-128", 16, {12, 0, 0}});
    add_small<CryptoPP::XTEA>(offers, {"xtea", 16, {}});
    add_small<CryptoPP::HIGHT>(offers, {"hight", 16, {}});
    add_small<CryptoPP::SPECK64>(offers, {"speck-64-128", 16, {}});
    add_small<CryptoPP::SIMON64>(offers, {"simon-64-128", 16, {}});
}

/* ChaCha: Bernstein's with 8 bytes of nonce, that of RFC 8439 with 12. */
WorkPtr open_chacha(const mb_job &job, MakeCipher, const Settings &settings)
{
    if (job.nonce_len == 8)
        return open_plain(job, make_cipher<CryptoPP::ChaCha>, settings);
    if (job.nonce_len == 12 || job.op == MB_KEY_SETUP)
        return open_plain(job, make_cipher<CryptoPP::ChaChaTLS>, settings);
    throw Unsupported("the nonce has 8 or 12 bytes");
}

void add_streams(Offers &offers)
{
    const mb_scheme salsa = cipher_scheme(32, 8, 8, 1, true);
    const mb_scheme short_salsa = cipher_scheme(16, 8, 8, 1, true);
    for (const int bits : {40, 128})
        add(offers, "rc4-" + std::to_string(bits),
            cipher_scheme(static_cast<size_t>(bits) / 8, 0, 0, 1, true), open_plain,
            make_cipher<CryptoPP::Weak::ARC4>);
    add(offers, "salsa20", salsa, open_plain, make_cipher<CryptoPP::Salsa20>);
    add(offers, "salsa20-128", short_salsa, open_plain, make_cipher<CryptoPP::Salsa20>);
    add(offers, "salsa20-12", salsa, open_plain, make_cipher<CryptoPP::Salsa20>, {12, 0, 0});
    add(offers, "chacha20", cipher_scheme(32, 8, 12, 1, true), open_chacha,
        make_cipher<CryptoPP::ChaChaTLS>);
    add(offers, "chacha20-poly1305", aead_scheme(cipher_scheme(32, 12, 12, 1, true), 16, 16),
        open_aead, make_cipher<CryptoPP::ChaCha20Poly1305>);
    add(offers, "xchacha20-poly1305", aead_scheme(cipher_scheme(32, 24, 24, 1, true), 16, 16),
        open_aead, make_cipher<CryptoPP::XChaCha20Poly1305>);
}

bool is_one_of(const std::string &name, const char *cipher,
               std::initializer_list<const char *> modes)
{
    return name.rfind(cipher, 0) == 0 &&
           std::any_of(modes.begin(), modes.end(), [&](const std::string &mode) {
               return name.size() > mode.size() &&
                      name.compare(name.size() - mode.size(), mode.size(), mode) == 0;
           });
}

/* True if the library is known to give wrong answers for this scheme: see the top of this file. */
bool is_wrong(const Offer &offer)
{
    const bool in_place = CryptoPP::LibraryVersion() < 890 &&
                          (is_one_of(offer.name, "aria-", {"-ctr", "-cfb", "-gcm", "-ccm"}) ||
                           is_one_of(offer.name, "hight-", {"-ctr", "-cfb", "-eax"}));
    return in_place || is_one_of(offer.name, "speck-128-128-", {"-cfb", "-cfb8", "-ofb"}) ||
           is_one_of(offer.name, "simon-128-128-", {"-cfb", "-cfb8", "-ofb"});
}

} // namespace

void add_ciphers(Offers &offers)
{
    add_large_blocks(offers);
    add_small_blocks(offers);
    add_streams(offers);
    offers.erase(std::remove_if(offers.begin(), offers.end(), is_wrong), offers.end());
}

} // namespace motebench::cryptopp
