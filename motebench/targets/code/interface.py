"""The functions of a KEM or a signature in compiled code: their symbols and integer types.

PQClean puts a prefix before every name, other folders rename them by macros, and lengths are
``size_t`` or ``unsigned long long``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from motebench.targets.code.folder import API, CodeFolder

_KEM = {"KEYPAIR": "crypto_kem_keypair", "ENC": "crypto_kem_enc", "DEC": "crypto_kem_dec"}
_SIGN = ("crypto_sign_signature", "crypto_sign_verify")
_WITH_CONTEXT = ("crypto_sign_signature_ctx", "crypto_sign_verify_ctx")
_WHOLE = ("crypto_sign", "crypto_sign_open")
_PAIRS = (_WITH_CONTEXT, _SIGN, _WHOLE)
_KEYPAIR = "crypto_sign_keypair"
_SIGNATURE_NAMES = (_KEYPAIR, *(name for pair in _PAIRS for name in pair))
_RANDOM = re.compile(r"\b(?:PQCLEAN_)?randombytes\s*\(([^()]+)\)\s*[;{]")
_OWN_RANDOM = re.compile(r"\bmb_code_randombytes\s*\(\s*uint8_t")
"""Declaration in motebench's own ``randombytes.h``."""
RANDOM = frozenset({"randombytes", "PQCLEAN_randombytes"})
"""Functions for random bytes that the probe provides."""
_CONTEXT_PARAMETERS, _LENGTH_AT = 7, 3
Preprocess = Callable[[str], str]
"""Text of a source file after preprocessing; ``text``: of this text instead of a file of the
folder.
"""


@dataclass(frozen=True, slots=True)
class KeyInterface:
    """Interface of KEM and signature code. ``symbols``: its functions, by the name that the adapter
    uses. ``length``, ``random``: types of message lengths and of the length given to randombytes.
    ``whole``: signatures contain their message. ``context``: they bind a context.
    """

    symbols: Mapping[str, str]
    length: str = "unsigned long long"
    random: str = "unsigned long long"
    whole: bool = False
    context: bool = False


def find(
    folder: CodeFolder,
    kind: str,
    defined: Collection[str],
    preprocess: Preprocess,
    integer: Callable[[str, str], str],
) -> KeyInterface | str:
    """The interface of the compiled code, which defines the symbols ``defined``; or the names of
    the functions that are missing. ``integer``: the type of a parameter in a text."""
    names = _KEM.values() if kind == "kem" else _SIGNATURE_NAMES
    renamed = _renamed(folder, names, preprocess)
    symbols = {name: symbol for name in names if (symbol := _symbol(name, renamed, defined))}
    random = random_type(folder, preprocess, integer)
    if kind == "kem":
        if missing := [name for name in names if name not in symbols]:
            return ", ".join(missing)
        return KeyInterface({role: symbols[name] for role, name in _KEM.items()}, random=random)
    pair = next((pair for pair in _PAIRS if all(name in symbols for name in pair)), None)
    if pair is None:
        return "crypto_sign_signature and crypto_sign_verify, or crypto_sign and crypto_sign_open"
    if _KEYPAIR not in symbols:
        return _KEYPAIR
    parameters, text = _parameters(folder, symbols[pair[0]], preprocess)
    length = (
        integer(parameters[_LENGTH_AT], text)
        if len(parameters) > _LENGTH_AT
        else "unsigned long long"
    )
    return KeyInterface(
        {"KEYPAIR": symbols[_KEYPAIR], "SIGNER": symbols[pair[0]], "VERIFIER": symbols[pair[1]]},
        length,
        random,
        whole=pair is _WHOLE,
        context=len(parameters) == _CONTEXT_PARAMETERS,
    )


def _symbol(name: str, renamed: Mapping[str, str], defined: Collection[str]) -> str | None:
    for symbol in (renamed.get(name, name), name):
        if symbol in defined:
            return symbol
    ends = [symbol for symbol in defined if symbol.endswith(f"_{name}")]
    return ends[0] if len(ends) == 1 else None


def _renamed(folder: CodeFolder, names: Collection[str], preprocess: Preprocess) -> dict[str, str]:
    """Symbols that the macros of the folder's headers make of the names."""
    headers = [
        API,
        *(name for name in folder.files if name.endswith(".h") and "/" not in name and name != API),
    ]
    plain = re.compile("|".join(rf"\b{name}\b" for name in names))
    mentioning = [
        name
        for name in headers
        if name == API or plain.search(folder.files[name].decode("latin-1"))
    ]
    includes = "".join(f'#include "{name}"\n' for name in mentioning)
    text = preprocess(includes + "".join(f"mb_name_{name} {name}\n" for name in names))
    return dict(re.findall(r"mb_name_(\w+) (\w+)", text))


def random_type(
    folder: CodeFolder, preprocess: Preprocess, integer: Callable[[str, str], str]
) -> str:
    """The integer type of the length that the code gives randombytes."""
    for source in folder.sources:
        if source.suffix == ".c" and b"randombytes" in folder.files[source.name]:
            text = preprocess(str(source))
            if _OWN_RANDOM.search(text):
                return "size_t"
            for match in _RANDOM.finditer(text):
                parameters = match[1].split(",")
                if len(parameters) == 2 and re.search(r"char|int|void", parameters[0]):
                    return integer(parameters[1], text)
    return "size_t"


def _parameters(folder: CodeFolder, symbol: str, preprocess: Preprocess) -> tuple[list[str], str]:
    """The parameters of the function's definition, else of its declaration, and the text that it is
    in.
    """
    sources = [source for source in folder.sources if source.suffix == ".c"]
    texts = [
        preprocess(str(source)) for source in sources if b"crypto_sign" in folder.files[source.name]
    ]
    for ending in (r"\{", ";"):
        pattern = re.compile(rf"\b{re.escape(symbol)}\s*\(([^()]*)\)\s*{ending}")
        for text in texts:
            if match := pattern.search(text):
                return match[1].split(","), text
    return [], ""
