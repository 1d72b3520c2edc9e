/*
 * Monte Carlo tests: many blocks, or bytes for CFB8, each made of those before.
 *
 * AES: NIST, The Advanced Encryption Standard Algorithm Validation Suite (AESAVS), 6.4. The values
 * are COUNT 0 of its files CBCMCT128.rsp and so on (CAVS 11.1). 3DES: NIST, ACVP TDES algorithm
 * specification, Monte Carlo tests for TDES. The values are the first of each test in
 * gen-val/json-files/ACVP-TDES-<mode>-1.0/expectedResults.json of NIST's ACVP-Server.
 */
#include <stdlib.h>
#include <string.h>

#include "mote/modes.h"
#include "work.h"

enum { AES_STEPS = 1000, TDES_STEPS = 10000 };

struct record {
    const mote_mode *mode;
    uint8_t decrypts;
    const char *key, *iv, *in, *out; /* hexadecimal */
};

static const struct record AES[] = {
    {&mote_cbc, 0, "8809e7dd3a959ee5d8dbb13f501f2274", "e5c0bb535d7d54572ad06d170a0e58ae",
     "1fd4ee65603e6130cfc2a82ab3d56c24", "b127a5b4c4692d87483db0c3b0d11e64"},
    {&mote_cbc, 1, "287b07c78f8e3e1be7c41b3d96c04e6e", "41b461f9464fd515d25413b4241002b8",
     "7c54923b0490a9d4de4ec1ce6790aa4d", "2805d10b127fcd1da528faad4eb2e10b"},
    {&mote_cbc, 0, "dea64f83cfe6a0a183ddbe865cfca059b3c615c1623d63fc",
     "426fbc087b50b395c0fc81ef9fd6d1aa", "cd0b8c8a8179ecb171b64c894a4d60fd",
     "ae6302d22da9458117f5681431fc80df"},
    {&mote_cbc, 1, "a24ebd4d7a080c28caae984b5098a9ea38cf7280e2c5f122",
     "c5aeb9b51ad5108371c59d0b90816310", "eb2c4e2712591ff13b8ac7870c9c404c",
     "886dc6ee8774e7a5b378ac8a2b637e50"},
    {&mote_cbc, 0, "632bac4fe4db44cfcf18cfa90b43f86f378611b8d968595eb89e7ae98624564a",
     "ff8127621be616803e3f002377730185", "90ed17475f0a62bc381ba1f3ffbfff33",
     "4494030b1e828f57e349cbde6499abf3"},
    {&mote_cbc, 1, "31397ad8cc79c519e0f46e0f70303587e38958d70723b771552336b7771f6311",
     "4139cb54eeac3fcf36ed72941122c40f", "27a1d5c10fe45b801d15f56e654a70f0",
     "f0e50e036baf80cef566d3f9eaa2a9a7"},
    {&mote_cfb, 0, "3d2013d183970f00d3551281f2543fbd", "953eb9921a7ae4b9ec6d115eb720f7f0",
     "2590ad2e5455a6a5fe61a09ea4033c81", "72beed95ea2239d3d087cba751e3769e"},
    {&mote_cfb, 1, "57c4964283ddaa25c2b2ba8b0aad92e3", "de5916c8a620a4b462ab01d9771fd613",
     "33d89bb0043e1f432e5c37e2d60e61e6", "59cdd6cdff128f0a8edca9c8b67abb3a"},
    {&mote_cfb, 0, "178490e1450339b39fbfe93e780fa73344e5b3aa50aed221",
     "f36c375fbcd9d41a16698b03715ce889", "d6666b2bad548b51eebd0ed0a0595cba",
     "3bfa4b5759346aaae16ff6f8d2500027"},
    {&mote_cfb, 1, "67c2eda508ad0513d736c8f4f9bea15260422bae9cdea4a0",
     "0f126257f517711445d665e121bc8a2e", "237b9d266edcf5eee7438721d137cf1d",
     "cf7b24a39dd5442e25b20f29e8a2ef8d"},
    {&mote_cfb, 0, "3bfe82b841d969e462c9e0e95146d120d28ecfdac49b42f45e53c5abb900ccb2",
     "bea7ae84b0d16bd65e1fc05d74186601", "08cb9f7ebf92c4df696de5a2edb7c313",
     "61a721d192b0ad2ad2c33afe742fec48"},
    {&mote_cfb, 1, "37664842a5f64779a06bfb640ae88cdb6ea3e7634beab552b0648d34099a686e",
     "bb1802f8eac784ff66dbf2fbe63f5755", "b20d5526aa68bfb5d2afed5d80ef8aae",
     "3d273aa41e658d8ab5bc681d43b595c2"},
    {&mote_cfb8, 0, "4f139e69f5f6b81258fb612efc6464ae", "150af93612b3630f898e52febf1e4e41", "b7",
     "fa"},
    {&mote_cfb8, 1, "78180bac8a1c9782d705a82c8632b0a0", "41c7c979f3d184f7aa61fb5c5ed6219d", "c9",
     "e2"},
    {&mote_cfb8, 0, "dc66d5ccce06d47fee3fa2eb65e2dc0bd8536df29ae85c54",
     "c3caee0b8e23f400cd472daefc4ba204", "92", "ce"},
    {&mote_cfb8, 1, "d86b0dc7a9016a8ff57840a0443e1108c0ebe33f52d58b5a",
     "d5fc3d0cdce1e64da43049776e32593e", "33", "11"},
    {&mote_cfb8, 0, "7c046546c5542ff9c06823cc78efc28e8fd1e8ffd56ffc36192c6a40402c530a",
     "ea42a2fb73b36b8951c187a10205fcc4", "b9", "5a"},
    {&mote_cfb8, 1, "39b7297f2d0504dc87e1f4c5e2ca8a567c580b8de723c55102e0a3b328cd0073",
     "ffe3c1b78e92e01779f29a9349f76bc8", "aa", "2a"},
    {&mote_ofb, 0, "89f6806368c130627a98bfb6bb5b1fd7", "b24d13affed86717df32a5b43fa9b859",
     "056f3063170450a5ac72c15caa54c690", "b0e7562dac92f90d5935c57baf336204"},
    {&mote_ofb, 1, "6ec8f8db4b5eec1f64a799c1bb29b9aa", "b2321765f48eddc7f84b9423a540003c",
     "0dda834adaec203904d288f43263c4b7", "9c1037b77f32bd314929cea95a39bcdc"},
    {&mote_ofb, 0, "3264e48dc08e22e3d83f664c3a81a7b9a46da5b70093c2f2",
     "cd5db293836a44f55647eb8844ccad8d", "be25385d443c3eab7c6f4fb4eac7a5db",
     "394655a878ac85fee108f3cb5cbb4350"},
    {&mote_ofb, 1, "c79765ec6ed647aa5023c730e71cde2989d225534820e078",
     "4f032ffe0b2ae69847987b82cd7caa99", "9983ce048f19ef4043054c03aa010bee",
     "280dab0a264179ddc7a5564518ddf641"},
    {&mote_ofb, 0, "b46129976d3fb9a83b10d3f6bb928a5b2e8fd00ec10fdf7513ccd83af1e6aaa1",
     "39c6a3ab26ae170921c503fc62ec0ba9", "7a644b53ef2cb607328c63dd61321515",
     "0e865252917d7a10547480988fe3f80e"},
    {&mote_ofb, 1, "8eda005a16f5d0cc62727e92ded412e8e7d9e01f98000043e049fffcd83cd4b2",
     "57d404ae6da97c9ed315a13739954cf9", "53de1c313745ecf39963059435541fba",
     "e68ee3c8cabb00e41be436499ac47d5c"},
};

static const struct record TDES[] = {
    {&mote_ecb, 0, "a8a8b9e015e03807f1a1ad6437abdf85f494a42646492908", "", "c6d2efdb86473bb5",
     "71882fd737ca6510"},
    {&mote_ecb, 1, "2f2f526e687f5dae23fe73ad4a8fd5fe8fc40dfd23c2fb29", "", "fb540d43630fec3f",
     "c017e0c6aefdc324"},
    {&mote_cbc, 0, "dc92d629164f4085a8d07c295880a164267994c84cec4570", "487b95a602d0226b",
     "ced3fbd2deda9350", "798a05781d64f374"},
    {&mote_cbc, 1, "67494f9dc78feafe52c225d30497a4266da82c07858c914f", "d097cc53c0dafaad",
     "fae89ca4498b2249", "a88c11ae027e49ba"},
    {&mote_cfb, 0, "f429f8cd3497dfd534dc945eeaa7205be5d064d0c2bfb0b5", "fd822caeacdbf6d1",
     "8570bc7c0121d187", "79668141b382787b"},
    {&mote_cfb, 1, "0820c7b919624cd998e591b5163243928f7c8fc140862316", "c2e7db78a01113b1",
     "ecd11c16d4ca4d41", "2a53e2efa57211a9"},
    {&mote_cfb8, 0, "49a4bcc2fdc2c7df15024a349189570dcd0d8380b9d343d6", "d2d9f6b396280e20", "2d",
     "9b"},
    {&mote_cfb8, 1, "20ba080dea0dcebca834046d801391734362190bc42f897f", "43be38cef3a7becf", "b8",
     "39"},
    {&mote_ofb, 0, "fb01767a54f7bf3e682fb5455db389baae5bd6202f317067", "9e6fe5e28c178036",
     "7889c599c6e533f9", "dac8dec910a25447"},
    {&mote_ofb, 1, "6d437076c19291a74043ce733d9db5201397dc808f2acd01", "ab69aecdc705792b",
     "3fa454a935573403", "254c4d3ffd1aedb6"},
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

/*
 * True if a result, or with `stream` what was added to the input to make it, goes in at once; if
 * not, it goes in a block later, after the IV.
 */
static bool at_once(const struct record *r, bool tdes, bool *stream)
{
    *stream = tdes && (r->mode == &mote_ofb ||
                       (r->decrypts && (r->mode == &mote_cfb || r->mode == &mote_cfb8)));
    return tdes && (r->mode == &mote_ecb || (r->decrypts && r->mode != &mote_ofb));
}

static void record(const mote_implementation *impl, const mote_block_cipher *cipher,
                   const struct record *r, size_t steps)
{
    uint8_t key[32], expected[16], in[16], out[16];
    uint8_t later[16] = {0}; /* what goes in next: at first the IV */
    guarded schedule = guarded_new(cipher->schedule_len, 0);
    mote_chain chain;
    bool stream;
    const bool now = at_once(r, steps == TDES_STEPS, &stream);
    unhex(r->key, key);
    unhex(r->iv, later);
    unhex(r->out, expected);
    const size_t unit = unhex(r->in, in);
    (r->decrypts && r->mode->inverts && cipher->set_decrypt_key
         ? cipher->set_decrypt_key
         : cipher->set_key)(schedule.at, key);
    mote_chain_start(&chain, cipher, schedule.at, r->mode->has_iv ? later : NULL);
    for (size_t step = 0; step < steps; step++) {
        (r->decrypts ? r->mode->decrypt : r->mode->encrypt)(&chain, in, out, unit);
        uint8_t *const place = later + step * unit % cipher->block_len;
        for (size_t i = 0; i < unit; i++) {
            const uint8_t fed = stream ? in[i] ^ out[i] : out[i];
            in[i] = now ? fed : place[i];
            place[i] = fed;
        }
    }
    about(impl, cipher->name, r->mode->name);
    EXPECT(memcmp(out, expected, unit) == 0);
    guarded_free(&schedule);
}

static void records(const mote_implementation *impl, const mote_block_cipher *cipher)
{
    for (size_t n = 0; strncmp(cipher->name, "aes-", 4) == 0 && n < sizeof AES / sizeof AES[0];
         n++) {
        if (strlen(AES[n].key) == 2u * cipher->key_len)
            record(impl, cipher, &AES[n], AES_STEPS);
    }
    for (size_t n = 0; strcmp(cipher->name, "3des") == 0 && n < sizeof TDES / sizeof TDES[0]; n++)
        record(impl, cipher, &TDES[n], TDES_STEPS);
}

int main(void)
{
    check_begin();
    CHECK(implementations[0] != NULL);
    for (size_t i = 0; implementations[i] != NULL; i++) {
        for (uint8_t k = 0; k < implementations[i]->block_count; k++)
            records(implementations[i], &implementations[i]->blocks[k]);
    }
    return check_end();
}
