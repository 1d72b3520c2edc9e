/*
 * Every block cipher against Crypto++, with random keys and blocks; encrypt_blocks and
 * decrypt_blocks too.
 *
 *     test-mote-blocks [cases [implementation]]
 *
 * takes this many cases (keys, with one to nine blocks each) of every cipher, 2,000 if not given.
 */
#include <cryptopp/aes.h>
#include <cryptopp/algparam.h>
#include <cryptopp/argnames.h>
#include <cryptopp/blowfish.h>
#include <cryptopp/camellia.h>
#include <cryptopp/cast.h>
#include <cryptopp/des.h>
#include <cryptopp/hight.h>
#include <cryptopp/idea.h>
#include <cryptopp/lea.h>
#include <cryptopp/rc2.h>
#include <cryptopp/rc5.h>
#include <cryptopp/rc6.h>
#include <cryptopp/seed.h>
#include <cryptopp/serpent.h>
#include <cryptopp/simon.h>
#include <cryptopp/speck.h>
#include <cryptopp/twofish.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

extern "C" {
#include "work.h"
}

namespace {

using Cipher = std::unique_ptr<CryptoPP::BlockCipher>;

template <class T> Cipher make(bool decrypts)
{
    if (decrypts)
        return Cipher(new typename T::Decryption);
    return Cipher(new typename T::Encryption);
}

struct Other {
    const char *name; /* the scheme's, up to its key length */
    Cipher (*make)(bool decrypts);
    bool met;
};

Other others[] = {
    {"3des", make<CryptoPP::DES_EDE3>, false},
    {"aes", make<CryptoPP::AES>, false},
    {"blowfish", make<CryptoPP::Blowfish>, false},
    {"camellia", make<CryptoPP::Camellia>, false},
    {"cast-128", make<CryptoPP::CAST128>, false},
    {"des", make<CryptoPP::DES>, false},
    {"hight", make<CryptoPP::HIGHT>, false},
    {"idea", make<CryptoPP::IDEA>, false},
    {"lea", make<CryptoPP::LEA>, false},
    {"rc2", make<CryptoPP::RC2>, false},
    {"rc5", make<CryptoPP::RC5>, false},
    {"rc6", make<CryptoPP::RC6>, false},
    {"seed", make<CryptoPP::SEED>, false},
    {"serpent", make<CryptoPP::Serpent>, false},
    /*
     * Of blocks of 128 bits Crypto++ makes something else one by one (8.7 with SSSE3): probes
     * compare those, in ECB.
     */
    {"simon-64", make<CryptoPP::SIMON64>, false},
    {"speck-64", make<CryptoPP::SPECK64>, false},
    {"twofish", make<CryptoPP::Twofish>, false},
};

Other *find(const std::string &scheme)
{
    for (Other &other : others) {
        const std::string name = other.name;
        if (scheme == name || scheme.rfind(name + "-", 0) == 0)
            return &other;
    }
    return nullptr;
}

/* Facts about one direction of a cipher. */
struct Direction {
    void (*set_key)(void *schedule, const uint8_t *key);
    void (*one)(const void *schedule, const uint8_t *in, uint8_t *out);
    void (*many)(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks);
};

void set_key(CryptoPP::BlockCipher &cipher, const std::string &scheme, const uint8_t *key,
             size_t len)
{
    const int rounds = 12, bits = static_cast<int>(8 * len);
    if (scheme.rfind("rc5", 0) == 0)
        cipher.SetKey(key, len, CryptoPP::MakeParameters(CryptoPP::Name::Rounds(), rounds));
    else if (scheme.rfind("rc2", 0) == 0)
        cipher.SetKey(key, len,
                      CryptoPP::MakeParameters(CryptoPP::Name::EffectiveKeyLength(), bits));
    else
        cipher.SetKey(key, len);
}

void compare(const mote_block_cipher &cipher, const Direction &own, CryptoPP::BlockCipher &other,
             size_t cases)
{
    constexpr size_t most = 9;
    guarded schedule = guarded_new(cipher.schedule_len, 0);
    for (size_t i = 0; i < cases; i++) {
        uint8_t key[64], in[16 * most], expected[16 * most], out[16 * most];
        const size_t blocks = 1 + number(most), len = blocks * cipher.block_len;
        fill(key, cipher.key_len);
        fill(in, len);
        fill(schedule.at, schedule.len);
        own.set_key(schedule.at, key);
        set_key(other, cipher.name, key, cipher.key_len);
        for (size_t at = 0; at < len; at += cipher.block_len) {
            other.ProcessBlock(in + at, expected + at);
            own.one(schedule.at, in + at, out + at);
        }
        EXPECT(std::memcmp(out, expected, len) == 0);
        if (own.many != nullptr) {
            own.many(schedule.at, in, out, blocks);
            EXPECT(std::memcmp(out, expected, len) == 0);
            std::memcpy(out, in, len);
            own.many(schedule.at, out, out, blocks);
            EXPECT(std::memcmp(out, expected, len) == 0);
        }
        EXPECT(guarded_whole(&schedule));
    }
    guarded_free(&schedule);
}

} // namespace

int main(int count, char **args)
{
    const size_t cases = count > 1 ? std::strtoul(args[1], nullptr, 10) : 2000;
    check_begin();
    for (size_t i = 0; implementations[i] != nullptr; i++) {
        const mote_implementation &implementation = *implementations[i];
        for (uint8_t k = 0; k < implementation.block_count; k++) {
            const mote_block_cipher &cipher = implementation.blocks[k];
            Other *other = find(cipher.name);
            if (other == nullptr || (count > 2 && std::strcmp(args[2], implementation.name) != 0))
                continue;
            about(&implementation, cipher.name, "");
            const auto set_decrypt_key =
                cipher.set_decrypt_key != nullptr ? cipher.set_decrypt_key : cipher.set_key;
            compare(cipher, {cipher.set_key, cipher.encrypt, cipher.encrypt_blocks},
                    *other->make(false), cases);
            compare(cipher, {set_decrypt_key, cipher.decrypt, cipher.decrypt_blocks},
                    *other->make(true), cases);
            other->met = true;
            std::printf("%s %s: %zu cases each way\n", implementation.name, cipher.name, cases);
        }
    }
    for (const Other &other : others) {
        if (!CHECK(other.met || count > 2))
            std::printf("no implementation of %s\n", other.name);
    }
    return check_end();
}
