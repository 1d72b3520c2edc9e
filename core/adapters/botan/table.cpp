/*
 * The schemes: the catalog's names to the left, the library's to the right; what the library lacks
 * is left out.
 */
#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/hash.h>
#include <botan/mac.h>
#include <botan/stream_cipher.h>

#include "botan_adapter.hpp"

namespace motebench {

namespace {

using namespace motebench::botan;

/* Bits of the modes that a cipher is offered in, beside ECB, CBC, CFB, CFB8, OFB and CTR. */
enum : unsigned { GCM = 1, CCM = 2, OCB = 4, EAX = 8, XTS = 16 };
constexpr unsigned LARGE = GCM | CCM | OCB | EAX;

struct Cipher {
    const char *name, *library;
    size_t key, block;
    unsigned modes;
};

constexpr Cipher CIPHERS[] = {
    {"aes-128", "AES-128", 16, 16, LARGE | XTS},
    {"aes-192", "AES-192", 24, 16, LARGE},
    {"aes-256", "AES-256", 32, 16, LARGE | XTS},
    {"aria-128", "ARIA-128", 16, 16, GCM | CCM},
    {"aria-192", "ARIA-192", 24, 16, GCM | CCM},
    {"aria-256", "ARIA-256", 32, 16, GCM | CCM},
    {"camellia-128", "Camellia-128", 16, 16, LARGE | XTS},
    {"camellia-192", "Camellia-192", 24, 16, LARGE},
    {"camellia-256", "Camellia-256", 32, 16, LARGE | XTS},
    {"seed", "SEED", 16, 16, LARGE | XTS},
    {"serpent-128", "Serpent", 16, 16, LARGE | XTS},
    {"serpent-192", "Serpent", 24, 16, LARGE},
    {"serpent-256", "Serpent", 32, 16, LARGE | XTS},
    {"twofish-128", "Twofish", 16, 16, LARGE | XTS},
    {"twofish-192", "Twofish", 24, 16, LARGE},
    {"twofish-256", "Twofish", 32, 16, LARGE | XTS},
    {"des", "DES", 8, 8, EAX},
    {"3des", "TripleDES", 24, 8, EAX},
    {"blowfish-128", "Blowfish", 16, 8, EAX},
    {"blowfish-256", "Blowfish", 32, 8, EAX},
    {"blowfish-448", "Blowfish", 56, 8, EAX},
    {"cast-128", "CAST-128", 16, 8, EAX},
    {"idea", "IDEA", 16, 8, EAX},
    {"xtea", "XTEA", 16, 8, EAX},
};

struct StreamCipher {
    const char *name, *library;
    size_t key, nonce_min, nonce_max;
};

/* ChaCha: 8 bytes as Bernstein has it, 12 as RFC 8439 does. */
constexpr StreamCipher STREAMS[] = {
    {"rc4-40", "RC4", 5, 0, 0},
    {"rc4-128", "RC4", 16, 0, 0},
    {"salsa20", "Salsa20", 32, 8, 8},
    {"salsa20-128", "Salsa20", 16, 8, 8},
    {"chacha20", "ChaCha(20)", 32, 8, 12},
};

struct Hash {
    const char *name, *library;
    bool mac, rsa;
};

constexpr Hash HASHES[] = {
    {"md5", "MD5", true, false},
    {"sha1", "SHA-1", true, true},
    {"sha224", "SHA-224", true, false},
    {"sha256", "SHA-256", true, true},
    {"sha384", "SHA-384", true, true},
    {"sha512", "SHA-512", true, true},
    {"sha512-256", "SHA-512-256", false, false},
    {"sha3-224", "SHA-3(224)", false, false},
    {"sha3-256", "SHA-3(256)", true, false},
    {"sha3-384", "SHA-3(384)", false, false},
    {"sha3-512", "SHA-3(512)", false, false},
    {"shake128", "SHAKE-128(256)", false, false},
    {"shake256", "SHAKE-256(512)", false, false},
    {"blake2s-256", "BLAKE2s(256)", false, false},
    {"blake2b-512", "BLAKE2b(512)", false, false},
    {"ripemd160", "RIPEMD-160", false, false},
    {"ascon-hash256", "Ascon-Hash256", false, false},
};

constexpr size_t RSA_BITS[] = {1024, 2048, 3072, 4096};
constexpr size_t LONGEST_NONCE = 0xffff;

using Offers = std::vector<Offer>;

void add_mode(Offers &offers, const Cipher &cipher, const char *suffix, const std::string &mode,
              Style style, mb_scheme scheme)
{
    const std::string name = std::string(cipher.library) + mode;
    if (!Botan::Cipher_Mode::create(name, ENCRYPTION))
        return;
    if (style == Style::whole_aead || style == Style::ccm)
        scheme.operations &= static_cast<uint16_t>(~MB_CAN(MB_DECRYPT));
    offers.push_back({std::string(cipher.name) + suffix,
                      scheme,
                      [name, style](const mb_job &job) { return open_mode(job, name, style); },
                      {}});
}

void add_stream(Offers &offers, const std::string &scheme_name, const std::string &name,
                mb_scheme scheme)
{
    if (Botan::StreamCipher::create(name))
        offers.push_back({scheme_name,
                          scheme,
                          [name](const mb_job &job) { return open_stream(job, name); },
                          {}});
}

/*
 * Tag and nonce lengths: those Botan takes. GCM: it takes 64 bytes at a time; OCB and CCM: see
 * mode.cpp.
 */
void add_aeads(Offers &offers, const Cipher &cipher)
{
    const size_t key = cipher.key;
    if (cipher.modes & GCM) {
        const auto mode =
            Botan::Cipher_Mode::create(std::string(cipher.library) + "/GCM", ENCRYPTION);
        const size_t unit = mode ? mode->update_granularity() : 1;
        add_mode(offers, cipher, "-gcm", "/GCM", Style::continued_aead,
                 aead_scheme(cipher_scheme(key, 1, LONGEST_NONCE, unit, true), 8, 16));
    }
    if (cipher.modes & CCM)
        add_mode(offers, cipher, "-ccm", "/CCM", Style::ccm,
                 aead_scheme(cipher_scheme(key, 7, 13, 1, false), 4, 16));
    if (cipher.modes & OCB)
        add_mode(offers, cipher, "-ocb", "/OCB", Style::whole_aead,
                 aead_scheme(cipher_scheme(key, 1, 15, cipher.block, true), 8, 16));
    if (cipher.modes & EAX)
        add_mode(offers, cipher, "-eax", "/EAX", Style::continued_aead,
                 aead_scheme(cipher_scheme(key, 1, LONGEST_NONCE, 1, true), 8, cipher.block));
}

void add_cipher(Offers &offers, const Cipher &cipher)
{
    const size_t key = cipher.key;
    const size_t block = cipher.block;
    const std::string library = cipher.library;
    const std::string name = cipher.name;
    if (!Botan::BlockCipher::create(library))
        return;
    offers.push_back({name + "-ecb",
                      cipher_scheme(key, 0, 0, block, true),
                      [library](const mb_job &job) { return open_block(job, library); },
                      {}});
    add_mode(offers, cipher, "-cbc", "/CBC", Style::cbc,
             cipher_scheme(key, block, block, block, true));
    add_mode(offers, cipher, "-cfb", "/CFB", Style::cfb, cipher_scheme(key, block, block, 1, true));
    add_mode(offers, cipher, "-cfb8", "/CFB(8)", Style::cfb,
             cipher_scheme(key, block, block, 1, true));
    add_stream(offers, name + "-ofb", "OFB(" + library + ")",
               cipher_scheme(key, block, block, 1, true));
    add_stream(offers, name + "-ctr", "CTR-BE(" + library + ")",
               cipher_scheme(key, block, block, 1, true));
    add_aeads(offers, cipher);
    if (cipher.modes & XTS)
        add_mode(offers, cipher, "-xts", "/XTS", Style::xts,
                 cipher_scheme(2 * key, block, block, 1, false));
}

void add_chacha_poly(Offers &offers, const char *name, size_t nonce)
{
    const Cipher chacha = {name, "ChaCha20Poly1305", 32, 1, 0};
    add_mode(offers, chacha, "", "", Style::continued_aead,
             aead_scheme(cipher_scheme(chacha.key, nonce, nonce, 1, true), 16, 16));
}

void add_hash(Offers &offers, const Hash &hash)
{
    const std::string library = hash.library;
    const auto function = Botan::HashFunction::create(library);
    if (!function)
        return;
    const size_t len = function->output_length();
    offers.push_back({hash.name,
                      digest_scheme(len),
                      [library](const mb_job &job) { return open_digest(job, library); },
                      {}});
    const std::string mac = "HMAC(" + library + ")";
    if (hash.mac && Botan::MessageAuthenticationCode::create(mac))
        offers.push_back({std::string("hmac-") + hash.name,
                          mac_scheme(len),
                          [mac](const mb_job &job) { return open_mac(job, mac); },
                          {}});
}

void add_cmac(Offers &offers, size_t key)
{
    const std::string bits = std::to_string(8 * key), library = "CMAC(AES-" + bits + ")";
    if (!Botan::MessageAuthenticationCode::create(library))
        return;
    mb_scheme scheme = mac_scheme(16);
    scheme.key_min = scheme.key_max = static_cast<uint16_t>(key);
    offers.push_back({"aes-" + bits + "-cmac",
                      scheme,
                      [library](const mb_job &job) { return open_mac(job, library); },
                      {}});
}

void add_gmac(Offers &offers, size_t key)
{
    const std::string bits = std::to_string(8 * key), library = "GMAC(AES-" + bits + ")";
    if (!Botan::MessageAuthenticationCode::create(library))
        return;
    mb_scheme scheme = mac_scheme(16);
    scheme.key_min = scheme.key_max = static_cast<uint16_t>(key);
    scheme.nonce_min = scheme.nonce_max = 12;
    offers.push_back({"aes-" + bits + "-gmac",
                      scheme,
                      [library](const mb_job &job) { return open_gmac(job, library); },
                      {}});
}

void add_signature(Offers &offers, const std::string &name, mb_scheme scheme,
                   const SignatureKeys &keys)
{
    offers.push_back({name, scheme, [keys](const mb_job &job) { return open_signature(job, keys); },
                      [keys](mb_job &job) { write_public(job, *keys.read_private(job)); }});
}

/*
 * EMSA3 is PKCS#1 v1.5, EMSA4 is PSS; RFC 8017 9.1.1: a PSS block holds the hash, a salt as long,
 * and two bytes.
 */
void add_rsa(Offers &offers, size_t bits, const Hash &hash)
{
    const std::string library = hash.library;
    const auto function = Botan::HashFunction::create(library);
    if (!function)
        return;
    const size_t len = function->output_length();
    const std::string name = "rsa-" + std::to_string(bits);
    add_signature(offers, name + "-pkcs1-" + hash.name, rsa_scheme(bits),
                  rsa_keys(bits, "EMSA3(" + library + ")"));
    if (bits / 8 >= 2 * len + 2)
        add_signature(offers, name + "-pss-" + hash.name, rsa_scheme(bits),
                      rsa_keys(bits, "EMSA4(" + library + ",MGF1," + std::to_string(len) + ")"));
}

} // namespace

std::vector<Offer> library_offers()
{
    Offers offers;
    for (const Cipher &cipher : CIPHERS)
        add_cipher(offers, cipher);
    for (const StreamCipher &stream : STREAMS)
        add_stream(offers, stream.name, stream.library,
                   cipher_scheme(stream.key, stream.nonce_min, stream.nonce_max, 1, true));
    add_chacha_poly(offers, "chacha20-poly1305", 12);
    add_chacha_poly(offers, "xchacha20-poly1305", 24);
    add_mode(offers, {"ascon-aead128", "Ascon-AEAD128", 16, 1, 0}, "", "", Style::continued_aead,
             aead_scheme(cipher_scheme(16, 16, 16, 1, true), 16, 16));
    for (const Hash &hash : HASHES)
        add_hash(offers, hash);
    for (const size_t key : {16, 24, 32})
        add_cmac(offers, key);
    for (const size_t key : {16, 24, 32})
        add_gmac(offers, key);
    for (const size_t bits : RSA_BITS)
        for (const Hash &hash : HASHES)
            if (hash.rsa)
                add_rsa(offers, bits, hash);
    add_signature(offers, "ecdsa-p256-sha256", ecdsa_p256_scheme(), ecdsa_p256_keys());
    add_signature(offers, "ed25519", ed25519_scheme(), ed25519_keys());
    offers.push_back({"x25519", x25519_scheme(), open_x25519, x25519_public});
    offers.push_back({"ecdh-p256", x25519_scheme(), open_ecdh, ecdh_public});
    add_post_quantum(offers);
    return offers;
}

} // namespace motebench
