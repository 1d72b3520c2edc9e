"""XChaCha20-Poly1305: the vector of the Internet-Draft, and a choice of Wycheproof's."""

from __future__ import annotations

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.writing import Collection

_SCHEME = "xchacha20-poly1305"
_DRAFT = "draft-irtf-cfrg-xchacha-03 appendix A.3.1"
_TEXT = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
_DRAFT_AAD = "50515253c0c1c2c3c4c5c6c7"
_DRAFT_OUT = (
    "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b"
    "0b4aa6440bf3a82f4eda7e39ae64c670"
    "8c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f"
    "76b2383565d3fff921f9664c97637da9"
    "768812f615c68b13b52e"
)
_DRAFT_TAG = "c0875924c1c7987947deafd8780acf49"
# tcId of xchacha20_poly1305_test.json, key, nonce, AAD, message, ciphertext, tag. Those without a
# message must be rejected.
_WYCHEPROOF = [
    (2,
         "ab1562faea9f47af3ae1c3d6d030e3af230255dff3df583ced6fbbcbf9d606a9",
         "6a5e0c4617e07091b605a4de2c02dde117de2ebd53b23497",
         "",
         "",
         "",
         "e2697ea6877aba39d9555a00e14db041"),
    (5,
         "697c197c9e0023c8eee42ddf08c12c46718a436561b0c66d998c81879f7cb74c",
         "cd78f4533c94648feacd5aef0291b00b454ee3dcdb76dcc8",
         "6384f4714ff18c18",
         "e1",
         "b0",
         "e5e35f5332f91bdd2d28e59d68a0b141"),
    (19,
         "d447796ed4ceb2e43942700e7759e335f67afa8653748db95f924c94488195db",
         "cc4781134455e89c836f7433bd0426776f945d82f6358276",
         "06947c3afa797e99",
         "77c46ada19c81849",
         "80c8e9ac2cec97ce",
         "9b62dcc8076098affcb6e7995aaa99a6"),
    (33,
         "51a99f0646767fbc01d7736df0340191acfbb5ae0288ed6fff2d34f0ea31470f",
         "ffdca5c51a0852ab18dd484af6664b63ab4097d303450837",
         "a2e44e165e7ca5f7",
         "93553954f0be4e24185601ce5c3c34",
         "f91d01453f568774115f75b5dad642",
         "8fc36af6ae5ee3e05b38ed43598bbfcd"),
    (34,
         "6a1f808358461e75072a054e2fc4e4c3e7f882c57920dda3278d0c860ca704e3",
         "25dc279923c1bcdaa7a36e7b884b51f62343abad71986037",
         "",
         "f242209c67698ea32c2152f8785b7d82",
         "732715c60018fb0ed55c14c1fa9a5273",
         "afe3c4f050bf001e1dfcb2313dd8edd2"),
    (65,
         "8e1fb8cc57ca60ae091d27e292923272439c37f2dede36b2c2aaee96439d5a31",
         "c306b69443bfdbedb5ce9f9bb6088132a88e8a175d3bd769",
         "3fe9ad465d0aa3fa",
         "1d884a83a5f9b00b8951ef81778bd7c991cdc911127eee9dfeff82c48ca937",
         "e8ae311bf2e80d696c543cd272d3e50dc968a0ab47259c461e0dec35f77530",
         "906de4c31eb2ce283eeb95388b0d83ce"),
    (73,
         "50a1b2b155150936609d45596e9175f3271be548574405f827593fc5a0578c3a",
         "f357e3b3d3d5e4187e34da08afd4817635adde91b676da1d",
         "dc514d540551b9dc",
         "e854b8531ace95c975a5b1497f3dec6d80b29ca673690411abe277bbfd29fa00133ee175"
         "70805c1c605452d648581be8db878e78"
         "2f217b481b1268591593efc0",
         "de03f775aee744e4148e008dfefa7156ce2a23a613d4d9cae99c3164f54a173f895a9466"
         "ef046c020179383d70c813e765f20786"
         "0c79dcf627f17663ea76af20",
         "b473a9f1d5312d556bd0b62d84bb0803"),
    (77,
         "041ed22e58e79cc56f1097ebc8fd90aa45c785581ff8ee8cbc095edc1aff31ba",
         "54e4a681f0b6fe4829518bb630ac8875d805cdecb083cf6c",
         "419a5fc35953477d",
         "e6165f2968cf80ecccdcf6a17e35691d7dd7877fd6381c119d6be7d857e108f835bb13a3"
         "7ba3c0b8418955ac29858188e298758d"
         "f9b99351689443a7c085dfd391f1d270cc97e9a384c78bada2f16dabc65e3994f50cc471"
         "a54937e94fef5b0e8e4a2a8289d1402a"
         "8a21fb16883aa956cf66308dbca54ddea9c8860bf9a352",
         "931e6478bc3628ae7b4a59740f397fd85276bdd481a7b5d242997d66838d3d774aab627a"
         "f11df254eee7499cd00e55768fb51211"
         "61c4d7a28da7f82cdc2858e8ca4303560a6cfba61295a0147c4b05e5b5bcfc016bbd5242"
         "20080baa982537c505139545294f4b69"
         "637d8ccd56804f7adcf118ce2b5a080663389c1f7313cc",
         "985c0f3821e707ce7814c08f23a1da31"),
    (95,
         "85b2f31409600b36ba8013f79b6aa84c9509546e218edb75c77d743a781c9bf4",
         "95150d436a72c173e502ac22df904f26c0f4edffc29ca98b",
         "6cb8a59b",
         "44872f0602c76c1d4d36fd462cc886f0",
         "9d2527bc8df2e71d20864e7789ce2a84",
         "acd61c1b526988ec6105855ebdb7533a"),
    (113,
         "ef72ae93643c8c4d2a0e9400e75077e451d9631cce343bcd5baabb092db9948b",
         "a7b7bf6d320cfd2b351e5a4224631811a228938f841d8e21",
         "1833c1458212c35798782337310f2b188fef2616aed491614dea16a2b35bf93ebddacf3a"
         "b5c64c2f7dc8b97d43ea150f18bd1243"
         "1177eebd8ff870e415b53676f27f8785ee402fb6d0c0c82645475aa4c81d61a53090c4db"
         "1ed03389b6375a0fa0a69b26f8d8501a"
         "7fdf96f4f4e7cbbbcdcba8378550073f82c34cefed5918",
         "90a964825e207d675bd794ee417b9d24",
         "af1fe25e716e2f418bd83a47271a096c",
         "152f7b1fea4c552ad5f613adfc3f067c"),
    (122,
         "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "00000000000000000000000000000000",
         "60e28a8f89adf230daab792c94dfebe766eda542d7c092d97ccb7501486fc6a3",
         "0000000000000000000000000000000000000000000000000000000000000000",
         "52ca5edfb3c4fca83d5776154188a08d"),
    (206,
         "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f",
         "000102030405060708090a0b0c0d0e0f101112133e8775b2",
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffff",
         "7ee395bd21ada42ed12310d34918a28e596a49ee7a22f623d756b896663f68733e6c71a3"
         "44f4726ac24e330679f25e492be08603"
         "aaa23f1e88c10299047c8e585983332a8b6eadcd9b6061b63fe3b58a2021b38c7cf379fe"
         "9a9f6d114f3cfe422f91af78c6fd87d4"
         "269af0e3e471abed457ae75c027e134c96cf4d9a4a646288",
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffffffffffffffffffffffffffff",
         "4921f7c24a2d42f4da7ad9d45e8ec26c"),
    (216,
         "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "abffffffffffffffffffffffffffffff5a20e89e14ed5af85da66b5e4bdbe002",
         "660336ffb732a4dcda556c2539d3d2de6cdaed0d7d9104593f8ed69bf0db8aa33c0e7464"
         "82b7dc53d40b8a5331ca33b874639cdc"
         "7a787badd436bcd56e798af3",
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffffffffffff"
         "ffffffffffffffffffffffff",
         "000102030405060708090a0b0c0d0e0f"),
    (223,
         "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
         "000102030405060708090a0b0c0d0e0f101112130bc672c3",
         "ffffffff",
         "ceb62cbb6fdf40d883c45cb4b0a82da13e4866c40629725ae6d371e4d8ad3a8f0cc55328"
         "7840e73cc66c3066e115108b995d6f89"
         "90f1b8db1b0c1d14b5157441789895de7fe538acf5c6ceb56e54a73d",
         "113caf3ebbe98a82548702641e4b4fbaffffffffffffffffffffffffffffffff3708d0f8"
         "f5cf1fea3d966ff22dac4cf1ffffffff"
         "ffffffffffffffffffffffff3708d0f8f5cf1fea3d966ff22dac4cf1",
         "e0f1d382b53c44a2e7228920468fc301"),
    (146,
         "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "000102",
         "",
         "",
         "0418b3e73e52c3be2eaba76807b784e1"),
    (164,
         "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "000102",
         "",
         "",
         "00000000000000000000000000000000"),
    (170,
         "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "000102",
         "",
         "b70886f2313d015e1fe741365f5e35f1",
         "2564a84e1a360e8352971c8110885031"),
    (182,
         "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "000102",
         "",
         "b70886f2313d015e1fe741365f5e35f1",
         "2564a8ce1a360e8352971c81108850b1"),
    (200,
         "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
         "000102030405060708090a0b0c0d0e0f1011121314151617",
         "000102",
         "",
         "b70886f2313d015e1fe741365f5e35f1080e0f78ccfb51809417e879689418ef98",
         "8061d3df064071df8082a0f813417f07"),
]  # fmt: skip
_INVALID = {146, 164, 170, 182, 200}


def collect(into: Collection) -> None:
    """Add everything."""
    hexed = bytes.fromhex
    key, nonce = bytes(range(0x80, 0xA0)), bytes(range(0x40, 0x58))
    vectors = [
        Vector(
            "A.3.1",
            _SCHEME,
            Operation.ENCRYPT_MESSAGE,
            key,
            nonce,
            hexed(_DRAFT_AAD),
            _TEXT,
            expect_out=hexed(_DRAFT_OUT),
            expect_tag=hexed(_DRAFT_TAG),
            source=_DRAFT,
        )
    ]
    for case, *texts in _WYCHEPROOF:
        key, nonce, aad, message, sealed, tag = (hexed(str(text)) for text in texts)
        source = f"Wycheproof xchacha20_poly1305_test.json tcId {case}"
        if case in _INVALID:
            vector = Vector(
                f"Wycheproof {case}",
                _SCHEME,
                Operation.DECRYPT_MESSAGE,
                key,
                nonce,
                aad,
                sealed,
                tag=tag,
                result=Validity.INVALID,
                source=source,
            )
        else:
            vector = Vector(
                f"Wycheproof {case}",
                _SCHEME,
                Operation.ENCRYPT_MESSAGE,
                key,
                nonce,
                aad,
                message,
                expect_out=sealed,
                expect_tag=tag,
                source=source,
            )
        vectors.append(vector)
    into.add(_SCHEME, vectors)
