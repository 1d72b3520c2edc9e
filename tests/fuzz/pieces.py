"""Contents of hostile files, by their reader. The first of each tuple is valid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from folder import FIFO, FOLDER, SOCKET, Thing, Things, link, text

DIGITS = "9" * 5000
DEEP = "[" * 100_000

# Study files

_STUDY = '[[measure]]\nschemes = ["sha256"]\nimplementations = ["openssl"]\nsizes = [16]\n'
_BOM, _MANY = "\ufeff", ", ".join(map(str, range(1, 50_000)))
STUDIES: tuple[str | bytes, ...] = (
    _STUDY,
    *(f"{_STUDY}{more}\n" for more in (
        f"sizes = [{DIGITS}]", "sizes = [16]", "aad = [-1]", "placements = 3", "x = 1",
        f"x{'x' * 10_000} = 1",
        f"a = {DEEP}", "\x00",
        f"[sampling]\nseed = {DIGITS}", "[sampling]\nbudget = nan", "[sampling]\nbudget = '1e400s'",
        "[sampling]\nprecision = inf",
        "[sampling]\nmin_samples = -1", "[sampling]\nmin_samples = 9223372036854775807",
        "[sampling]\npreset = '\\u0000'",
        "[sampling]\nbudget = '0s'", "[whole_file]\nchunk = '0'", "[whole_file]\nchunk = '1TiB'",
        "[sampling]\nseed = true",
        "[whole_file]\ncache = []", "[[measure.exclude]]\nschemes = 5", "[measure]\n",
        "[[measure]]\n",
        "[[measure]]\nschemes = []", "[[measure]]\nfiles = ['/dev/zero']",
        "[[measure]]\nfiles = ['fifo']",
        "[[measure]]\nfiles = ['../../../../dev/full']", "[[measure]]\ncode = ['/']",
        "title = 1979-05-27T07:32:00Z",
        "a.b.c = 1\na.b = 2", "[a]\n[a]", "title = '\\ud800'", 'title = "\\ud800"',
        'title = "\\U00110000"', "= 1",
        "é = 1",
    )),
    *(_STUDY.replace("[16]", sizes) for sizes in (
        "[]", "[-1]", "[0]", "[true]", "[1.5]", "['x']", "['']", "[[]]", "{}", "16", "'16'",
        "[9223372036854775807]",
        "['9e99B']", f"[{_MANY}]", "[nan]", "[1979-05-27]",
    )),
    *(_STUDY.replace('"sha256"', name) for name in (
        '""', '"*"', '"\\u0000"', '"\\u001b[2J"', "5", "[]", '"' + "x" * 500_000 + '"',
        '"' + "*a" * 2000 + '"',
        '"[" , "]"', ", ".join(['"sha256"'] * 20_000),
    )),
    *(_STUDY + f"targets = [{target}]\n" for target in (
        '"host", "host"', '"sim:"', '"serial:/dev/full"', '"serial:"',
        '"sim:samd21g18a,x=y"', '"ssh:a"', "1", '"\\n"',
    )),
    _BOM + _STUDY, _BOM + _BOM + _STUDY, _STUDY.encode("utf-16"), _STUDY.encode("utf-32"),
    _STUDY.replace("\n", "\r"),
    _STUDY.replace("\n", "\r\n").encode() + b"\x1a", b"\xff" + _STUDY.encode(), _STUDY * 2000,
    _STUDY * 20_000, "",
    "\n" * 10**6,
    "x = " + "{a = " * 5000, "x." * 50_000 + "y = 1", "x = '''" + "'" * 10**5, "#" * 10**6,
    "[" * 10**5,
    "x = 1e" + DIGITS,
    "x = 0x" + "f" * 10**5, "x = 0b" + "1" * 10**6, "x = 12:99:99",
    "\n".join(f"k{n} = {n}" for n in range(50_000)),
    "\n".join(f"[t{n}]" for n in range(50_000)), "x = [" + "{}," * 200_000 + "]",
    "title = \"\"\"" + "\\\n" * 10**5,
)  # fmt: skip

# Vectors

OWN = '{"format": "motebench-vectors-1", "scheme": "%s", "source": "x", "vectors": [%s]}'
_GOOD = {
    "id": "1",
    "op": "digest",
    "data": "",
    "out": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
}
_AEAD = {
    "tcId": 1,
    "comment": "",
    "flags": [],
    "key": "00" * 16,
    "iv": "00" * 12,
    "aad": "",
    "msg": "00",
    "ct": "00",
    "tag": "00" * 16,
    "result": "valid",
}
_GROUP = {"type": "AeadTest", "ivSize": 96, "keySize": 128, "tagSize": 128, "tests": [_AEAD]}
_WYCHEPROOF = '{"algorithm": "AES-GCM", "testGroups": [%s]}'
_ODD_JSON = (
    "null",
    "true",
    "-1",
    "1e999",
    "NaN",
    "9" * 4000,
    '"\\ud800"',
    '"\\u0000"',
    '"zz"',
    '"0"',
    "[]",
    "{}",
    "[[]]",
    '"' + "0" * 200_000 + '"',
    "18446744073709551616",
    '"\\u001b[2J"',
    DEEP,
)


def _with(whole: dict[str, object], key: str, value: str) -> str:
    return json.dumps({**whole, key: "@"}).replace('"@"', value)


VECTORS: tuple[str | bytes, ...] = (
    OWN % ("sha256", json.dumps(_GOOD)),
    *(
        OWN % ("sha256", _with(_GOOD, key, odd))
        for key in (*_GOOD, "chain", "key", "tag_bytes")
        for odd in _ODD_JSON
    ),
    *(
        _WYCHEPROOF % json.dumps(_GROUP).replace(json.dumps(_AEAD), _with(_AEAD, key, odd))
        for key in _AEAD
        for odd in _ODD_JSON
    ),
    *(_WYCHEPROOF % _with(_GROUP, key, odd) for key in _GROUP for odd in _ODD_JSON),
    *(f'{{"algorithm": {odd}, "testGroups": {odd}}}' for odd in _ODD_JSON),
    *(
        OWN % (name, json.dumps(_GOOD))
        for name in ("", "no", "aes-128-gcm", "x" * 10_000, "\\u001b[2J", "\\ud800")
    ),
    OWN % ("sha256", ", ".join([json.dumps(_GOOD)] * 20_000)),
    DEEP,
    '{"a":' * 50_000,
    "[" * 10 + "]" * 10,
    "",
    "\x00",
    "# CBC\n[ENCRYPT]\n\nCOUNT = 0\nKEY = 00\n",
    "[ENCRYPT]\n" * 50_000,
    "COUNT = 0\nKEY = " + "0" * 500_000,
    "COUNT = 0\nKEY = 00\n" * 50_000,
    "COUNT = " + DIGITS,
    "[L = 32]\n\nLen = 8\nMsg = d3\nMD = 00\n",
    "[L = 999999999]\n\nLen = 99999999999\nMsg = d3\nMD = 00\n",
    "[L = -1]\nLen = -8\nMsg = d3\nMD = 00\n",
    b"\xff\xfe" + "COUNT = 0\n".encode("utf-16-le"),
    "\ufeff" + OWN % ("sha256", json.dumps(_GOOD)),
    b"\x1f\x8b" + b"\0" * 99,
)
KNOWN_ANSWERS: tuple[str, ...] = (
    "Count = 1\nKey = "
    + "00" * 16
    + "\nNonce = "
    + "00" * 16
    + "\nPT = \nAD = \nCT = "
    + "00" * 16
    + "\n",
    "",
    "\x00" * 999,
    "Count = 1\n",
    "Count = " + DIGITS + "\n",
    "Count = 1\nKey = zz\n",
    "Count = 1\nMsg = 00\nMD = 00\n",
    "Count = 1\nKey = 00\nNonce = 00\nPT = " + "0" * 10**6 + "\nAD = \nCT = 00\n",
    "Count = 1\n" * 10**5,
    "Count = 1\nKey = " + "00" * 16 + "\nNonce = \nPT = 0\nAD = \nCT = \n",
    DEEP,
)

# Recordings

_HEAD = {
    "motebench_recording": 1,
    "instrument": {
        "name": "i",
        "measures": "m",
        "shape": "point",
        "rate_hz": 100.0,
        "accuracy": 0.01,
        "accuracy_of": "x",
    },
    "columns": ["t_s", "watts", "volts", "amps", "lost"],
    "units": ["s", "W", "V", "A", "1"],
    "about": {},
}


def _recorded(watts: Callable[[float], float] = lambda t: 2.0 if 1 <= t < 2 else 1.0) -> list[str]:
    lines = [json.dumps(_HEAD)]
    lines += [
        json.dumps([n / 100, watts(n / 100), 3.3, watts(n / 100) / 3.3, 0]) for n in range(300)
    ]
    windows = (("idle", 0, 0.99, 0), ("batch", 1.0, 1.99, 1000), ("idle", 2.0, 2.99, 0))
    lines += [
        json.dumps({"window": name, "t0": t0, "t1": t1, "iterations": n})
        for name, t0, t1, n in windows
    ]
    return [*lines, '{"end": "complete"}']


_WHOLE = _recorded()
_LINES = (
    "[NaN, 1, 1, 1, 0]",
    "[1e999, 1, 1, 1, 0]",
    "[-5, 1, 1, 1, 0]",
    "[0.5, 1e308, 1e308, 1e308, 0]",
    "[0.5, -1e308, 1, 1, 0]",
    "[]",
    "[1]",
    "[0.5, 1, 1, 1, -1]",
    "[0.5, 1, 1, 1, 1e18]",
    "[0.5, null, null, null, 0]",
    "[true, true, true, true, true]",
    '["0.5", "1", "1", "1", "0"]',
    "{}",
    "null",
    DEEP,
    '{"window": "batch", "t0": 2, "t1": 1, "iterations": 5}',
    '{"window": "batch", "t0": 0, "t1": 1e308, "iterations": 5}',
    '{"window": "batch", "t0": 1, "t1": 2, "iterations": 1e99}',
    '{"window": "batch", "t0": 1, "t1": 1, "iterations": 1}',
    '{"window": "batch", "t0": 1, "t1": 2, "iterations": -1}',
    '{"window": "batch", "t0": 1, "t1": 2, "iterations": 1, "work_s": 0}',
    '{"window": "idle", "t0": -1e300, "t1": 1e300}',
    '{"window": "batch", "t0": 1, "t1": 2, "iterations": 1, "beside_s": 1e300, "edge_s": -1}',
    '{"window": 5}',
    '{"window": []}',
    '{"end": 5}',
    '{"end": "' + "x" * 10**5 + '"}',
    '{"rows": 1000000000}',
    "\x00",
    "[0.5, 1, 1, 1, 0] x",
    "9" * 10**5,
    "-" * 10**6,
)
RECORDINGS: tuple[str | bytes, ...] = (
    "\n".join(_WHOLE) + "\n",
    *("\n".join([*_WHOLE[:150], line, *_WHOLE[150:]]) for line in _LINES),
    *("\n".join([_with(_HEAD, key, odd), *_WHOLE[1:]]) for key in _HEAD for odd in _ODD_JSON),
    *(
        "\n".join([json.dumps(_HEAD).replace(json.dumps(value), odd, 1), *_WHOLE[1:]])
        for value in ("i", "m", "point", 100.0, 0.01)
        for odd in _ODD_JSON
    ),
    *(
        "\n".join(_recorded(watts))
        for watts in (
            lambda _: 0.0,
            lambda _: -1.0,
            lambda _: 1e14,
            lambda _: 1e-300,
            lambda t: 1e-12 if t < 1 else 1e12,
            lambda _: 1.0,
        )
    ),
    "\n".join(_WHOLE[:1]),
    "\n".join(_WHOLE[:2]),
    "\n".join(_WHOLE[:-1]),
    "\n".join(_WHOLE[:-4]),
    "\n".join(_WHOLE[::-1]),
    "\n".join([_WHOLE[0], *_WHOLE[300:0:-1], *_WHOLE[301:]]),
    "\n".join(_WHOLE * 2),
    "\r".join(_WHOLE),
    "\n".join(_WHOLE)[:5000],
    "\n".join(_WHOLE).encode("utf-16"),
    "\ufeff" + "\n".join(_WHOLE),
    "",
    "\x00" * 10**6,
    DEEP,
    "t,w\n0,1\n",
    "\n".join([_WHOLE[0], *["[0.5, 1, 1, 1, 0]"] * 20_000, *_WHOLE[301:]]),
    "\n\n".join(_WHOLE),
    "\n" * 10**6,
)

# A user's catalog files

_ROOT = Path(__file__).parent.parent.parent / "catalog"
_ODD_TOML = (
    "nan",
    "-inf",
    "-1",
    "0",
    "1e308",
    "1e-320",
    DIGITS,
    "[]",
    "{}",
    "true",
    "''",
    "'-1 V'",
    "'1e400 mA'",
    "'0 mAh'",
    "'" + "x" * 10**5 + "'",
    '"\\u001b[2J"',
    "[[[]]]",
    "1979-05-27",
)


def _catalogs() -> list[tuple[str, str]]:
    found = []
    for name in (
        "devices/samd21g18a",
        "batteries/cr2032",
        "lorawan/eu868",
        "radios/sx1276",
        "protocols/suit",
    ):
        whole = (_ROOT / f"{name}.toml").read_text(encoding="utf-8")
        mine = whole.replace(f'id = "{Path(name).name}"', 'id = "mine"', 1)
        path = f"{Path(name).parent}/mine.toml"
        found.append((path, mine))
        lines = mine.splitlines()
        for number, line in enumerate(lines):
            key, equals, _ = line.partition(" = ")
            if equals and not line.startswith("#"):
                found += [
                    (path, "\n".join([*lines[:number], f"{key} = {odd}", *lines[number + 1 :]]))
                    for odd in _ODD_TOML
                ]
        found += [
            (path, text)
            for text in (
                "",
                "\x00",
                mine * 2,
                DEEP,
                f"id = {DIGITS}",
                mine.encode("utf-16").decode("latin-1"),
            )
        ]
        found.append((f"{Path(name).parent}/\udcff.toml", mine))
        found.append((f"{name}.toml", whole))
    return found


CATALOGS = tuple(_catalogs())

# Folders of code

_API = (
    "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NSECBYTES 0\n#define CRYPTO_NPUBBYTES "
    "16\n#define CRYPTO_ABYTES 16\n"
)
_CODE = """
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
    unsigned long long mlen,
  const unsigned char *ad, unsigned long long adlen, const unsigned char *nsec,
      const unsigned char *npub,
  const unsigned char *k)
{ unsigned long long i; (void)ad; (void)adlen; (void)nsec; (void)npub; (void)k;
  for (i = 0; i < mlen; i++) c[i] = m[i]; for (i = 0; i < 16; i++) c[mlen + i] = 0;
      *clen = mlen + 16; return 0; }
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
    const unsigned char *c,
  unsigned long long clen, const unsigned char *ad, unsigned long long adlen,
      const unsigned char *npub,
  const unsigned char *k)
{ unsigned long long i; (void)ad; (void)adlen; (void)nsec; (void)npub; (void)k;
  for (i = 0; i + 16 < clen; i++) m[i] = c[i]; *mlen = clen - 16; return 0; }
"""


def _sized(size: str) -> str:
    return _API.replace("16", size)


_KAT = ("LWC_AEAD_KAT_128_128.txt", text(KNOWN_ANSWERS[0]))


def _code(code: str | Thing = _CODE, api: str | Thing = _API, *more: tuple[str, Thing]) -> Things:
    return tuple(
        (name, thing if isinstance(thing, Thing) else text(thing))
        for name, thing in (("api.h", api), ("a.c", code), _KAT, *more)
    )


_TREE = "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 40))
CODES: tuple[Things, ...] = (
    _code(), (), (("api.h", text(_API)),), _code(more := ""), _code("#error no\n"),
    _code("#include \"a.c\"\n"),
    *(_code(f'#include "{path}"\n{_CODE}') for path in ("/dev/zero", "/dev/random", "fifo",
    "../fifo",
    "/proc/self/mem", "/",
                                                        "no.h", "loop.h", "/dev/stdin",
                                                            "x" * 5000)),
    *(_code(_CODE, api) for api in (
        "", "\x00", _sized(DIGITS), _sized("-1"), _sized("(1/0)"), _sized("0"),
        _sized("CRYPTO_KEYBYTES"), _sized("16ULL"), _sized("(" * 5000 + "16" + ")" * 5000),
        _sized("9**9**9**9"), _sized("2**62"), _sized("1e9"), _sized("0x"),
        _API * 20_000, _API + "#define X " + "1" * 10**6, _API + _TREE,
        "#include \"api.h\"\n" + _API,
        link("/dev/zero"), link("api.h"),
        FIFO, FOLDER, SOCKET, Thing("sparse", 2**31), link("/proc/self/environ"),
    )),
    _code(link("/dev/zero")), _code(FIFO), _code(FOLDER), _code(Thing("sparse", 2**31)),
    _code(link("a.c")),
    _code(f"{_TREE}\nint x[] = {{ A39 }};\n{_CODE}".replace("#define A1 ",
    "#define A0 1,\n#define A1 ")),
    _code(_CODE + "static const char big[] = {" + "1," * 10**6 + "};\n"),
    _code(_CODE + "char big[1ULL << 40] = {1};\n"),
    _code(_CODE + "(" * 10**5),
    _code(_CODE + "__attribute__((constructor)) static void f(void) { for (;;) {} }\n"),
    _code(_CODE + "#if " + "(" * 10**4 + "1" + ")" * 10**4 + "\n#endif\n"),
    _code(_CODE + '_Pragma("GCC system_header")\n'),
    _code(_CODE + '__asm__(".fill 1000000000, 8, 1\\n");\n'),
    _code(_CODE + '__asm__(".rept 100000000\\n.byte 1\\n.endr\\n");\n'),
    _code(_CODE + '__asm__(".incbin \\"/dev/zero\\"\\n");\n'),
    _code(_CODE + '__asm__(".include \\"/dev/zero\\"\\n");\n'),
    _code(_CODE, _API, ("b.S", text(".macro m\nm\n.endm\nm\n"))), _code(_CODE, _API, ("b.c",
    text("int main(void) { return 0; }\n"))),
    _code(_CODE, _API, ("b.cpp", text("template<int n> struct a { a<n+1> x; }; a<0> y;\n"))),
    _code(_CODE, _API,
    ("deep/loop", link(".."))),
    _code(_CODE, _API, ("caf\udce9.c", text("int caf;\n"))), _code(_CODE, _API, ("a\nb.c",
    text("int b;\n"))),
    _code(_CODE, _API, ("-o.c", text("int b;\n"))), _code(_CODE, _API, ("@file.c",
    text("int b;\n"))),
    _code(_CODE, _API, ("x" * 250 + ".c", text("int b;\n"))), _code(_CODE, _API, ("stdint.h",
    text("#error mine\n"))),
    _code(_CODE, _API, *((f"f{n}.c", text(f"int f{n};\n")) for n in range(60))), _code(_CODE,
    _API, ("zero",
    link("/dev/zero"))),
    _code(_CODE, _API, ("root", link("/"))), _code(_CODE, _API, ("config.mk",
    text("$(shell touch /tmp/made)\n"))),
    _code(_CODE, _API, *(("d/" * 300 + "x.h", text("")),)),
    _code(_CODE.encode("utf-16").decode("latin-1")),
)  # fmt: skip
