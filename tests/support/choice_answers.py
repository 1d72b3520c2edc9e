"""Answers of ``choose`` to questions on made-up reference results, word by word.

``tests/recordings/choice_answers.txt`` has what they say. After a change of words, write it again
with ``python tests/support/choice_answers.py`` and read the difference.
"""

from __future__ import annotations

import datetime
import tempfile
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from choice_fixtures import Reply, ask, keep, message, operation

from motebench.advise.choice import choosing, request
from motebench.advise.reference import table
from motebench.advise.reference.table import ReferenceCase
from motebench.base.errors import MotebenchError

RECORDING = Path(__file__).parents[1] / "recordings" / "choice_answers.txt"
_BOARDS = ("samd21g18a", "atmega4809")


class _Day(datetime.datetime):
    """Clock that stands still: verdicts of standards bodies depend on the day of the question."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> _Day:
        return cls(2026, 11, 1, tzinfo=tz)


class _Dates:
    """The names of ``datetime`` that the choice uses."""

    UTC, date, datetime = datetime.UTC, datetime.date, _Day


def _net(flash: int, ram: int) -> dict[str, int]:
    """Memory that is known exactly: the operation's own flash and static RAM."""
    return {
        "stack": 300,
        "state": 200,
        "static_ram": ram,
        "static_ram_net": ram,
        "flash": flash + 4000,
        "flash_net": flash,
    }


def _digest(scheme: str, implementation: str, cycles: int) -> list[ReferenceCase]:
    sizes = (16, 64, 256, 1024, 4096)
    calls = {size: ((size + 8) // 64 + 1) * cycles for size in sizes}
    return operation("digest", scheme, implementation, calls, **_net(2000, 200))


_CCM = message("aes-128-ccm", "mbedtls/aes", 48_000)
_CCM_256 = message("aes-256-ccm", "mbedtls/aes", 60_000)
_GCM = message("aes-128-gcm", "bearssl/aes-small", 96_000, flash=30_000)
_ASCON = message("ascon-aead128", "mote/ascon", 24_000, flash=13_000)
_EXACT = [
    *message("aes-128-ccm", "mbedtls/aes", 48_000, **_net(9000, 100)),
    *message("aes-128-gcm", "bearssl/aes-ct", 51_000, **_net(8000, 100)),
    *message("chacha20-poly1305", "bearssl/chacha20", 40_000, **_net(6000, 400)),
    *message("ascon-aead128", "mote/ascon", 50_000, **_net(5000, 50)),
]
_PAIR = [
    *message("aes-128-ctr", "mbedtls/aes", 20_000, **_net(3000, 50)),
    *operation(
        "mac",
        "hmac-sha256",
        "mbedtls/hmac",
        {16: 30_000, 64: 40_000, 256: 80_000},
        **_net(2500, 90),
    ),
]
_MACS = [
    *operation("mac", "hmac-sha256", "mbedtls/hmac", {16: 30_000, 64: 40_000}, **_net(2500, 90)),
    *operation("mac", "aes-128-cmac", "mbedtls/cmac", {16: 20_000, 64: 60_000}, **_net(2600, 90)),
    *operation("mac", "aes-128-gmac", "mbedtls/gmac", {16: 30_200, 64: 60_000}, **_net(2700, 90)),
]
_OLD = [
    *message("3des-eax", "mote/des", 90_000, **_net(4000, 50)),
    *message("camellia-128-ccm", "mote/camellia", 30_000, **_net(4000, 50)),
    *message("hight-eax", "mote/hight", 25_000, **_net(2000, 50)),
]
_HASHES = [
    *_digest("sha256", "bearssl/sha256", 11_000),
    *_digest("sha512", "mote/sha-512", 52_000),
    *_digest("sha1", "bearssl/sha1", 9_000),
]
_SIGN, _BIG = _net(14_000, 700), _net(60_000, 2900)
_SIGNATURES = [
    *operation("sign", "ed25519", "monocypher/ed25519", {32: 8_400_000}, **_SIGN),
    *operation("verify", "ed25519", "monocypher/ed25519", {32: 28_950_000}, **_SIGN),
    *operation("sign", "ecdsa-p256-sha256", "bearssl/ecdsa", {32: 24_000_000}, **_SIGN),
    *operation("verify", "ecdsa-p256-sha256", "bearssl/ecdsa", {32: 48_000_000}, **_SIGN),
    *operation("verify", "ml-dsa-44", "mote/ml-dsa", {32: 9_000_000}, **_BIG),
    *operation("verify", "rsa-2048-pkcs1-sha256", "bearssl/rsa", {32: 5_000_000}, **_SIGN),
]
_AGREEMENTS = [
    *operation("agree", "x25519", "bearssl/x25519", {0: 9_540_000}, **_SIGN),
    *operation("agree", "x25519", "monocypher/x25519", {0: 9_700_000}, **_SIGN),
    *operation("agree", "ecdh-p256", "bearssl/ecdh", {0: 30_000_000}, **_SIGN),
    *operation("encapsulate", "ml-kem-512", "mote/ml-kem", {0: 1_200_000}, **_SIGN),
    *operation("encapsulate", "ml-kem-768", "mote/ml-kem", {0: 1_900_000}, **_SIGN),
    *operation("decapsulate", "ml-kem-512", "mote/ml-kem", {0: 1_500_000}, **_SIGN),
]
_COIN = "--battery cr2032 --sleep-current 5uA"
_BATTERY = f"--every 10min {_COIN}"
_RADIO = "--radio sx1276 --lorawan EU868"
_LOST = "--battery ls14500 --sleep-current 5uA"

SCENES: dict[str, tuple[list[ReferenceCase], str]] = {
    line: (results, line)
    for line, results in (
        (f"--message 24 {_BATTERY} --flash 15000", [*_CCM, *_GCM, *_ASCON, *_CCM_256]),
        (f"--message 24 {_BATTERY} {_RADIO} --dr 5 --nonce carried", [*_CCM, *_GCM, *_ASCON]),
        (f"--message 24 {_BATTERY} {_RADIO} --dr 5 --tag 8 --equal 1%", [*_CCM, *_GCM, *_ASCON]),
        (f"--message 24 {_BATTERY} {_RADIO} --dr 5 --tag 8 --equal 1% --has lorawan", _EXACT),
        ("--message 24 --rank latency --max-latency 1.5ms", [*_CCM, *_GCM, *_ASCON, *_PAIR]),
        ("--message 24 --max-latency 300us", [*_CCM, *_GCM]),
        ("--message 24 --max-latency 300us --flash 10000 --constant-time", _EXACT),
        ("--message 24 --rank flash,ram --equal 30%", [*_EXACT, *_PAIR]),
        ("--message 24 --rank latency=2,flash=1 --equal 20%", [*_EXACT, *_PAIR]),
        ("--message 24 --rank throughput", _EXACT),
        ("--message 24 --rank latency --strength 192", [*_CCM, *_CCM_256]),
        (f"--message 24 {_BATTERY} --policy nist --max-latency 2ms --ram 600", _EXACT),
        (f"--message 24 {_BATTERY} --constant-time", [*_EXACT, *_PAIR]),
        ("--message 24 --every 1ms", _EXACT),
        (f"--message 40 --every 10min {_LOST} {_RADIO} --dr 0", _EXACT),
        (f"--message 45 --every 10min {_LOST} {_RADIO} --dr 0 --nonce carried", _EXACT),
        (f"--message 24 --every 9s {_LOST} {_RADIO} --dr 5", _EXACT),
        (f"--message 24 --every 1h {_LOST} {_RADIO} --dr 0", _EXACT),
        ("--message 24 --policy legacy", _OLD),
        (f"--message 24 --policy legacy --every 100ms {_LOST} --scheme 3des*,hight*", _OLD),
        (f"--message 24 {_BATTERY} --policy current", _OLD),
        (f"--message 24 {_BATTERY} --need encryption", [*_PAIR, *_OLD]),
        (f"--message 24 {_BATTERY} --need mac --equal 1%", _MACS),
        ("--message 12 --every 10min --battery ls14500 --lorawan EU868 --dr 3 --need mac", _MACS),
        ("--need hash --message 64KiB", _HASHES),
        ("--need hash --message 64 --policy legacy --rank latency", _HASHES),
        (f"--need signature --message 32 --every 1d {_LOST}", _SIGNATURES),
        ("--need signature --message 32 --role verify --equal 90%", _SIGNATURES),
        ("--need signature --message 32 --until 2041", _SIGNATURES),
        (f"--need signature --message 32 --every 1d {_LOST} {_RADIO} --dr 3", _SIGNATURES),
        ("--need update --image 100KiB", [*_SIGNATURES, *_HASHES]),
        (f"--need update --image 100KiB --every 30d {_LOST}", [*_SIGNATURES, *_HASHES]),
        ("--need update --image 100KiB --until 2041", [*_SIGNATURES, *_HASHES]),
        ("--need update --image 100KiB --policy cnsa2", [*_SIGNATURES, *_HASHES]),
        (
            f"--need update --image 4KiB --every 30d {_LOST} {_RADIO} --dr 3",
            [*_SIGNATURES, *_HASHES],
        ),
        ("--need agreement", _AGREEMENTS),
        ("--need agreement --until 2041", _AGREEMENTS),
        ("--need kem", _AGREEMENTS),
        ("--need kem --role decapsulate --strength 192", _AGREEMENTS),
        (f"--need kem --every 1d {_LOST} --lorawan EU868 --dr 0 --fragment", _AGREEMENTS),
        ("--need signature --message 32 --with atecc608b --protect-key", _SIGNATURES),
        ("--need signature --message 32 --with atecc608b", _SIGNATURES),
        ("--message 24 --policy legacy --max-latency 300us", [*_OLD, *_CCM]),
        (f"--message 24 {_BATTERY} {_RADIO} --dr 5 --tag 8 --nonce carried", _EXACT),
        ("--need signature --message 32 --role verify --strength 112", _SIGNATURES),
        (
            f"--need signature --message 32 --role verify --every 1h --until 2034 {_BATTERY[14:]}",
            _SIGNATURES,
        ),
        ("--need signature --message 32 --role verify --strength 128 --policy legacy", _SIGNATURES),
        ("--message 24 --with atecc608b --rank energy", [*_EXACT, *_PAIR]),
        ("--message 24 --with atecc608b --need mac --protect-key", _MACS),
        (
            "--message 24 --device atmega4809 --flash 6000 --ram 300 --every 10s",
            [*_EXACT, *_CCM_256],
        ),
        ("--device atmega4809 --need signature --message 32 --rank latency", _SIGNATURES),
        ("--device atmega4809 --need signature --message 32 --scheme ecdsa*", _SIGNATURES),
    )
}
"""Results and options by scene. The board is a SAMD21G18A unless the options name another."""


def answer(results: list[ReferenceCase], line: str) -> str:
    """Answer as a text: decision, reasons and objections."""
    line = line if "--device" in line else f"--device samd21g18a {line}"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "reference").mkdir()
        stack.enter_context(patch.object(table, "catalog_dir", lambda: folder))
        for module in (choosing, request):
            stack.enter_context(patch.object(module, "datetime", _Dates))
        stack.callback(table.references.cache_clear)
        for board in _BOARDS:
            keep(f"sim:{board}", results)
        table.references.cache_clear()
        try:
            lines = _lines(ask(line))
        except MotebenchError as error:
            lines = [f"refused: {error}"]
    return "\n".join(lines)


def _lines(reply: Reply) -> list[str]:
    document = reply.document
    decision = document["decision"]
    lines = [f"{key}: {decision[key]}" for key in ("question", "verdict", "take", "standing")]
    lines += [f"figure: {figure['name']} {figure['words']}" for figure in decision["figures"]]
    for key in ("decides", "rests_on", "before_shipping"):
        lines += [f"{key}: {sentence}" for sentence in decision[key]]
    lines += [f"or: {other['words']} | {other['price']}" for other in decision["alternatives"]]
    lines += [f"caution: {document['caution']}"]
    for entry in document["candidates"]:
        status = entry["status"]
        lines.append(f"{entry['rank']}. {entry['scheme']} by {entry['implementation']}")
        lines += [f"   {'; '.join(status['words'])}; tier {status['tier']}"]
        lines += [f"   why: {reason}" for reason in entry["why"]]
    for key in ("remarks", "alternatives", "ways", "nearest"):
        lines += [f"{key}: {entry}" for entry in document[key]]
    for entry in document["rejected"]:
        if entry["implementation"] != "none":
            lines.append(f"rejected: {entry['scheme']} by {entry['implementation']}")
            lines += [
                f"   {broken['limit']}: {broken['words']} ({broken['option']})"
                for broken in entry["broken"]
            ]
    return lines


def recorded() -> dict[str, str]:
    """The recorded answers by scene."""
    parts = RECORDING.read_text(encoding="utf-8").split("\n== ")[1:]
    return {line: text.strip("\n") for line, _, text in (part.partition("\n") for part in parts)}


def main() -> None:
    """Write the recording again."""
    sections = [f"== {name}\n{answer(*scene)}\n" for name, scene in SCENES.items()]
    head = "Answers of `choose` on made-up results, written by tests/support/choice_answers.py.\n"
    RECORDING.write_text("\n".join([head, *sections]), encoding="utf-8")


if __name__ == "__main__":
    main()
