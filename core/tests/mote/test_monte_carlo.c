/*
 * Monte Carlo tests of AES: NIST, The Advanced Encryption Standard Algorithm Validation Suite (AESAVS), 6.4. The values are
 * COUNT 0 of its files CBCMCT128.rsp and so on (CAVS 11.1): 1,000 blocks, or bytes for CFB8, each made of those before.
 */
#include <stdlib.h>
#include <string.h>

#include "mote/modes.h"
#include "work.h"

enum { STEPS = 1000 };

static const struct record {
    const mote_mode *mode;
    uint8_t decrypts;
    const char *key, *iv, *in, *out; /* hexadecimal */
} RECORDS[] = {
    {&mote_cbc, 0, "8809e7dd3a959ee5d8dbb13f501f2274",
     "e5c0bb535d7d54572ad06d170a0e58ae", "1fd4ee65603e6130cfc2a82ab3d56c24", "b127a5b4c4692d87483db0c3b0d11e64"},
    {&mote_cbc, 1, "287b07c78f8e3e1be7c41b3d96c04e6e",
     "41b461f9464fd515d25413b4241002b8", "7c54923b0490a9d4de4ec1ce6790aa4d", "2805d10b127fcd1da528faad4eb2e10b"},
    {&mote_cbc, 0, "dea64f83cfe6a0a183ddbe865cfca059b3c615c1623d63fc",
     "426fbc087b50b395c0fc81ef9fd6d1aa", "cd0b8c8a8179ecb171b64c894a4d60fd", "ae6302d22da9458117f5681431fc80df"},
    {&mote_cbc, 1, "a24ebd4d7a080c28caae984b5098a9ea38cf7280e2c5f122",
     "c5aeb9b51ad5108371c59d0b90816310", "eb2c4e2712591ff13b8ac7870c9c404c", "886dc6ee8774e7a5b378ac8a2b637e50"},
    {&mote_cbc, 0, "632bac4fe4db44cfcf18cfa90b43f86f378611b8d968595eb89e7ae98624564a",
     "ff8127621be616803e3f002377730185", "90ed17475f0a62bc381ba1f3ffbfff33", "4494030b1e828f57e349cbde6499abf3"},
    {&mote_cbc, 1, "31397ad8cc79c519e0f46e0f70303587e38958d70723b771552336b7771f6311",
     "4139cb54eeac3fcf36ed72941122c40f", "27a1d5c10fe45b801d15f56e654a70f0", "f0e50e036baf80cef566d3f9eaa2a9a7"},
    {&mote_cfb, 0, "3d2013d183970f00d3551281f2543fbd",
     "953eb9921a7ae4b9ec6d115eb720f7f0", "2590ad2e5455a6a5fe61a09ea4033c81", "72beed95ea2239d3d087cba751e3769e"},
    {&mote_cfb, 1, "57c4964283ddaa25c2b2ba8b0aad92e3",
     "de5916c8a620a4b462ab01d9771fd613", "33d89bb0043e1f432e5c37e2d60e61e6", "59cdd6cdff128f0a8edca9c8b67abb3a"},
    {&mote_cfb, 0, "178490e1450339b39fbfe93e780fa73344e5b3aa50aed221",
     "f36c375fbcd9d41a16698b03715ce889", "d6666b2bad548b51eebd0ed0a0595cba", "3bfa4b5759346aaae16ff6f8d2500027"},
    {&mote_cfb, 1, "67c2eda508ad0513d736c8f4f9bea15260422bae9cdea4a0",
     "0f126257f517711445d665e121bc8a2e", "237b9d266edcf5eee7438721d137cf1d", "cf7b24a39dd5442e25b20f29e8a2ef8d"},
    {&mote_cfb, 0, "3bfe82b841d969e462c9e0e95146d120d28ecfdac49b42f45e53c5abb900ccb2",
     "bea7ae84b0d16bd65e1fc05d74186601", "08cb9f7ebf92c4df696de5a2edb7c313", "61a721d192b0ad2ad2c33afe742fec48"},
    {&mote_cfb, 1, "37664842a5f64779a06bfb640ae88cdb6ea3e7634beab552b0648d34099a686e",
     "bb1802f8eac784ff66dbf2fbe63f5755", "b20d5526aa68bfb5d2afed5d80ef8aae", "3d273aa41e658d8ab5bc681d43b595c2"},
    {&mote_cfb8, 0, "4f139e69f5f6b81258fb612efc6464ae",
     "150af93612b3630f898e52febf1e4e41", "b7", "fa"},
    {&mote_cfb8, 1, "78180bac8a1c9782d705a82c8632b0a0",
     "41c7c979f3d184f7aa61fb5c5ed6219d", "c9", "e2"},
    {&mote_cfb8, 0, "dc66d5ccce06d47fee3fa2eb65e2dc0bd8536df29ae85c54",
     "c3caee0b8e23f400cd472daefc4ba204", "92", "ce"},
    {&mote_cfb8, 1, "d86b0dc7a9016a8ff57840a0443e1108c0ebe33f52d58b5a",
     "d5fc3d0cdce1e64da43049776e32593e", "33", "11"},
    {&mote_cfb8, 0, "7c046546c5542ff9c06823cc78efc28e8fd1e8ffd56ffc36192c6a40402c530a",
     "ea42a2fb73b36b8951c187a10205fcc4", "b9", "5a"},
    {&mote_cfb8, 1, "39b7297f2d0504dc87e1f4c5e2ca8a567c580b8de723c55102e0a3b328cd0073",
     "ffe3c1b78e92e01779f29a9349f76bc8", "aa", "2a"},
    {&mote_ofb, 0, "89f6806368c130627a98bfb6bb5b1fd7",
     "b24d13affed86717df32a5b43fa9b859", "056f3063170450a5ac72c15caa54c690", "b0e7562dac92f90d5935c57baf336204"},
    {&mote_ofb, 1, "6ec8f8db4b5eec1f64a799c1bb29b9aa",
     "b2321765f48eddc7f84b9423a540003c", "0dda834adaec203904d288f43263c4b7", "9c1037b77f32bd314929cea95a39bcdc"},
    {&mote_ofb, 0, "3264e48dc08e22e3d83f664c3a81a7b9a46da5b70093c2f2",
     "cd5db293836a44f55647eb8844ccad8d", "be25385d443c3eab7c6f4fb4eac7a5db", "394655a878ac85fee108f3cb5cbb4350"},
    {&mote_ofb, 1, "c79765ec6ed647aa5023c730e71cde2989d225534820e078",
     "4f032ffe0b2ae69847987b82cd7caa99", "9983ce048f19ef4043054c03aa010bee", "280dab0a264179ddc7a5564518ddf641"},
    {&mote_ofb, 0, "b46129976d3fb9a83b10d3f6bb928a5b2e8fd00ec10fdf7513ccd83af1e6aaa1",
     "39c6a3ab26ae170921c503fc62ec0ba9", "7a644b53ef2cb607328c63dd61321515", "0e865252917d7a10547480988fe3f80e"},
    {&mote_ofb, 1, "8eda005a16f5d0cc62727e92ded412e8e7d9e01f98000043e049fffcd83cd4b2",
     "57d404ae6da97c9ed315a13739954cf9", "53de1c313745ecf39963059435541fba", "e68ee3c8cabb00e41be436499ac47d5c"},
};

static size_t unhex(const char *text, uint8_t *out)
{
    size_t len = strlen(text) / 2;
    for (size_t i = 0; i < len; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return len;
}

static void record(const mote_implementation *impl, const mote_block_cipher *cipher, const struct record *r)
{
    uint8_t key[32], iv[16], expected[16], out[2][16], next[16];
    uint8_t before[16]; /* CFB8: the last 16 results, after what is left of the IV */
    guarded schedule = guarded_new(cipher->schedule_len, 0);
    mote_chain chain;
    unhex(r->key, key);
    unhex(r->iv, iv);
    unhex(r->out, expected);
    const size_t unit = unhex(r->in, next);
    memcpy(before, iv, sizeof before);
    (r->decrypts && r->mode->inverts && cipher->set_decrypt_key ? cipher->set_decrypt_key : cipher->set_key)(schedule.at,
                                                                                                             key);
    mote_chain_start(&chain, cipher, schedule.at, iv);
    for (size_t step = 0; step < STEPS; step++) {
        uint8_t *result = out[step % 2], *last = out[(step + 1) % 2];
        (r->decrypts ? r->mode->decrypt : r->mode->encrypt)(&chain, next, result, unit);
        /* What goes in next: first the IV, then what came out a block before. */
        if (unit == 1) {
            next[0] = before[step % 16];
            before[step % 16] = result[0];
        } else {
            memcpy(next, step == 0 ? iv : last, unit);
        }
    }
    about(impl, cipher->name, r->mode->name);
    EXPECT(memcmp(out[(STEPS - 1) % 2], expected, unit) == 0);
    guarded_free(&schedule);
}

int main(void)
{
    check_begin();
    CHECK(implementations[0] != NULL);
    for (size_t i = 0; implementations[i] != NULL; i++) {
        for (uint8_t k = 0; k < implementations[i]->block_count; k++) {
            const mote_block_cipher *cipher = &implementations[i]->blocks[k];
            for (size_t n = 0; n < sizeof RECORDS / sizeof RECORDS[0]; n++) {
                if (strncmp(cipher->name, "aes-", 4) == 0 && strlen(RECORDS[n].key) == 2u * cipher->key_len)
                    record(implementations[i], cipher, &RECORDS[n]);
            }
        }
    }
    return check_end();
}
