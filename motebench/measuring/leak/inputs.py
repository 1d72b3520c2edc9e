"""Inputs that vary at random while all others stay the same, and special values with separate paths
in code.

Random inputs practically never reach the special values: weak and semi-weak keys of DES (NIST SP
800-67 rev. 2, 3.4.2); scalars and points of X25519 (RFC 7748, 5); points of small order (Bernstein,
*Curve25519: new Diffie-Hellman speed records*, PKC 2006). Private keys of P-256 are in the range 1
to n - 1 (NIST SP 800-56A rev. 3, 5.6.1.2; n: NIST SP 800-186, 3.2.1.3).

For a key encapsulation, coins, ciphertexts and private keys vary; the implementation itself
encapsulates. A ciphertext that was changed must take the time of a good one, or it says what
implicit rejection hides (FIPS 203, 6.3). Private keys share one public matrix: FIPS 203, algorithm
13, from the seed of the matrix on. The matrix is sampled until there are enough coefficients, so
another matrix takes another time, and it is public. Keys with one matrix differ in what is secret,
and in what the secret decides.

Messages that a decryption must reject are forged tags, and padding that is wrong in different
positions. The time must not show where a forged tag is wrong: an attacker who knows how many bytes
are right forges a tag byte by byte. It is no secret that the tag is wrong, and the right tag is
timed for comparison only. For padding (PKCS#7, RFC 5652, 6.3) the time must show neither the
position nor the result: a padding oracle needs only the result (Vaudenay, EUROCRYPT 2002).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from motebench.base.model import FailureKind, Kind, Operation, Scheme
from motebench.measuring.work.jobs import by_seed, derived, encapsulated, public_key
from motebench.targets.base import Session
from motebench.targets.wire.messages import Fill, Job, Offer, ProbeFailure, fill

_DES_WEAK = ("0101010101010101", "fefefefefefefefe", "e0e0e0e0f1f1f1f1", "1f1f1f1f0e0e0e0e")
_DES_SEMI_WEAK = (
    "01fe01fe01fe01fe",
    "fe01fe01fe01fe01",
    "1fe01fe00ef10ef1",
    "e01fe01ff10ef10e",
    "01e001e001f101f1",
    "e001e001f101f101",
    "1ffe1ffe0efe0efe",
    "fe1ffe1ffe0efe0e",
    "011f011f010e010e",
    "1f011f010e010e01",
    "e0fee0fef1fef1fe",
    "fee0fee0fef1fef1",
)
_P25519 = 2**255 - 19
_CURVE_BYTES = 32
_P256 = ("ecdh", "ecdsa")
"""Algorithms whose private keys are numbers below the order of P-256."""
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_ORDER_25519 = 2**252 + 27742317777372353535851937790883648493
"""Order of the base point of Curve25519 (RFC 7748, 4.1)."""
_RUNS = {
    "ones below bit 128": 2**128 - 1,
    "ones from bit 64 to 191": 2**192 - 2**64,
    "ones from bit 128 to 254": 2**255 - 2**128,
    "zeros from bit 64 to 191": 2**255 - 2**192 + 2**64 - 1,
}
"""Scalars of long runs of equal bits, where windows and digits of a ladder repeat."""


def patterns(length: int) -> dict[str, bytes]:
    """Special values of any secret of that length (not 0), by name."""
    top, ones = b"\x80" + bytes(length - 1), b"\xff" * length
    by_name = {
        "all zero": bytes(length),
        "all ones": ones,
        "first bit alone": top,
        "last bit alone": bytes(length - 1) + b"\x01",
        "all but the first bit": b"\x7f" + ones[1:],
        "all but the last bit": ones[1:] + b"\xfe",
        "two bits": bytes(length - 1) + b"\x81",
        "one byte repeated": b"\xa5" * length,
        "every other bit": b"\x55" * length,
    }
    return _distinct(by_name)


def keys(algorithm: str, length: int) -> dict[str, bytes]:
    """Special keys of that length (not 0): patterns, and known special keys of the algorithm."""
    by_name = patterns(length)
    if algorithm in ("des", "3des"):
        for kind, listed in (("weak", _DES_WEAK), ("semi-weak", _DES_SEMI_WEAK)):
            by_name |= {f"{kind} {key}": bytes.fromhex(key) * (length // 8) for key in listed}
    if algorithm == "x25519":
        middle = bytes(_CURVE_BYTES - 2)
        by_name |= {
            "one": b"\x01" + middle + b"\x00",
            "smallest after clamping": bytes(_CURVE_BYTES - 1) + b"\x40",
            "largest after clamping": b"\xf8" + b"\xff" * (_CURVE_BYTES - 2) + b"\x7f",
            "order minus one": (_ORDER_25519 - 1).to_bytes(_CURVE_BYTES, "little"),
            "order": _ORDER_25519.to_bytes(_CURVE_BYTES, "little"),
        }
        by_name |= {name: scalar.to_bytes(_CURVE_BYTES, "little") for name, scalar in _RUNS.items()}
    if algorithm in _P256:
        by_name |= {name: scalar.to_bytes(length, "big") for name, scalar in _RUNS.items()}
        by_name = {
            name: key
            for name, key in by_name.items()
            if 0 < int.from_bytes(key, "big") < _P256_ORDER
        }
        by_name["order minus one"] = (_P256_ORDER - 1).to_bytes(length, "big")
    return _distinct(by_name)


def random_key(algorithm: str, length: int, source: random.Random) -> bytes:
    """A random key of that length which the algorithm takes."""
    if algorithm in _P256:
        return source.randrange(1, _P256_ORDER).to_bytes(length, "big")
    return source.randbytes(length)


def points(algorithm: str) -> dict[str, bytes]:
    """Public keys of a peer by name, some of small order; empty for other schemes."""
    if algorithm != "x25519":
        return {}
    numbers = {
        "u = 0": 0,
        "u = 1": 1,
        "u = 9": 9,
        "u = p-1": _P25519 - 1,
        "u = p": _P25519,
        "u = 2^255-1": 2**255 - 1,
    }
    return {name: number.to_bytes(_CURVE_BYTES, "little") for name, number in numbers.items()}


def _distinct(values: dict[str, bytes]) -> dict[str, bytes]:
    """The same without values that occur under another name."""
    seen: dict[bytes, str] = {}
    for name, value in values.items():
        seen.setdefault(value, name)
    return {name: value for value, name in seen.items()}


_KEYED = (Kind.CIPHER, Kind.STREAM, Kind.AEAD, Kind.MAC, Kind.AGREEMENT)
"""Kinds of schemes whose keys are bytes that can be drawn: any, or those in a range
(`special.random_key`).
"""
_OF_THE_KEY = (Operation.KEY_SETUP, Operation.AGREE)
"""Operations without a message."""
FIXED = 2
"""Number of random inputs that are also tried as fixed ones, in addition to the special ones."""


class Varied(StrEnum):
    """The input that varies."""

    KEY = "key"
    MESSAGE = "message"
    BOTH = "key and message"
    PEER = "peer's key"
    """The peer's public key: not secret, but chosen by a peer who may learn something of the own
    key from the time.
    """
    TAG = "forged tag"
    """A forged tag: a forger must not learn how much of it is right."""
    BAD_PADDING = "bad padding"
    """Bad padding: its position is secret."""
    PADDING = "padding, good or bad"
    """Good and bad padding: whether it is good is the answer of a padding oracle."""
    COINS = "coins"
    """The seed of an encapsulation: its secret follows from it."""
    CIPHERTEXT = "ciphertext"
    """Good ciphertexts of one key: each has another secret."""
    CHANGED = "ciphertext, good or changed"
    """Good and changed ciphertexts: implicit rejection hides which it is."""
    KEY_CIPHERTEXT = "key and ciphertext"
    """Private keys of a KEM, each with a good ciphertext."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input, with its name."""

    name: str
    job: Job


@dataclass(frozen=True, slots=True)
class Variation:
    """A job and the input that varies.

    ``draw``: a new random input. ``specials``: inputs that are all tried. ``chosen``: number of
    random inputs that are also tried as fixed ones. ``accepted``: an input that is timed for
    comparison only, since its result is no secret.
    """

    varied: Varied
    job: Job
    draw: Callable[[random.Random], Job]
    specials: Sequence[Input] = ()
    chosen: int = FIXED
    accepted: Job | None = None


@dataclass(frozen=True, slots=True)
class NotVaried:
    """A secret that is not varied, and why."""

    varied: Varied
    reason: str


def pooled(jobs: list[Job]) -> Callable[[random.Random], Job]:
    """Draws from inputs that are made already."""
    return lambda source: source.choice(jobs)


def data_of(job: Job) -> bytes:
    """The message of a job as bytes."""
    return fill(job.data.seed, job.data.length) if isinstance(job.data, Fill) else job.data


def anew(job: Job, decoy: bytes = b"") -> Job:
    """The same input, copied to separate memory."""
    return replace(
        job,
        key=bytes(bytearray(job.key)),
        data=bytes(bytearray(data_of(job))),
        tag=bytes(bytearray(job.tag)),
        peer=bytes(bytearray(job.peer)),
        ciphertext=bytes(bytearray(job.ciphertext)),
        seed=bytes(bytearray(job.seed)),
        decoy=decoy,
    )


def variations(scheme: Scheme, job: Job) -> list[Variation]:
    """The secrets of the job that can be varied; empty if it has none, or none that may be any
    bytes.

    Module `secrets` has the keys of signatures, and KEMs; `rejections` the inputs that a
    decryption rejects.
    """
    fixed = replace(job, data=data_of(job))
    operation = Operation(job.operation)
    if operation in (Operation.VERIFY, Operation.KEYGEN):
        return []
    key = scheme.kind in _KEYED and bool(job.key)
    message = operation not in _OF_THE_KEY and bool(fixed.data)
    varied = []
    if key:
        varied.append(_of_keys(scheme, fixed))
    if message:
        varied.append(_of_messages(fixed))
    if key and message:
        varied.append(_of_both(fixed))
    if operation is Operation.AGREE and points(scheme.algorithm):
        varied.append(_of_peers(scheme, fixed))
    return varied


def _of_keys(scheme: Scheme, job: Job) -> Variation:
    length = len(job.key)
    named = keys(scheme.algorithm, length)
    tried = [Input(name, replace(job, key=key)) for name, key in named.items()]
    return Variation(
        Varied.KEY,
        job,
        lambda source: replace(job, key=random_key(scheme.algorithm, length, source)),
        tried,
    )


def _of_messages(job: Job) -> Variation:
    length = len(data_of(job))
    tried = [Input(name, replace(job, data=data)) for name, data in patterns(length).items()]
    return Variation(
        Varied.MESSAGE, job, lambda source: replace(job, data=source.randbytes(length)), tried
    )


def _of_peers(scheme: Scheme, job: Job) -> Variation:
    length = len(job.peer)
    tried = [
        Input(name, replace(job, peer=point)) for name, point in points(scheme.algorithm).items()
    ]
    return Variation(
        Varied.PEER, job, lambda source: replace(job, peer=source.randbytes(length)), tried
    )


def _of_both(job: Job) -> Variation:
    of_key, of_data = len(job.key), len(data_of(job))

    def drawn(source: random.Random) -> Job:
        return replace(job, key=source.randbytes(of_key), data=source.randbytes(of_data))

    tried = [
        Input(
            f"key all {key_name}, message all {message_name}",
            replace(job, key=first * of_key, data=second * of_data),
        )
        for key_name, first in (("zero", b"\x00"), ("ones", b"\xff"))
        for message_name, second in (("zero", b"\x00"), ("ones", b"\xff"))
    ]
    return Variation(Varied.BOTH, job, drawn, tried)


# Key encapsulation


Polynomial = list[int]
_Q, _N = 3329, 256
_RANKS = {512: (2, 3), 768: (3, 2), 1024: (4, 2)}
"""Rank of the matrix, and bound of a secret coefficient (eta 1): FIPS 203, table 2."""
SEED = 32
"""Bytes of each seed."""


def pair(
    scheme: Scheme, matrix: bytes, noise: bytes, rejection: bytes, *, zero: bool = False
) -> tuple[bytes, bytes]:
    """Private and public key of seeds of 32 bytes: of the matrix (rho), of the noise (sigma), and
    z.

    ``zero``: all secret coefficients are 0. The key is as valid as another, and practically never
    drawn.
    """
    rank, eta = _RANKS[scheme.bits or 0]
    drawn = [_ntt(_small(noise, number, eta)) for number in range(2 * rank)]
    secret, error = drawn[:rank], drawn[rank:]
    if zero:
        secret = [[0] * _N for _ in secret]
    rows = _matrix(matrix, rank)
    sums = [_row(row, secret, start) for row, start in zip(rows, error, strict=True)]
    public = b"".join(map(_encoded, sums)) + matrix
    private = (
        b"".join(map(_encoded, secret)) + public + hashlib.sha3_256(public).digest() + rejection
    )
    return private, public


def _reversed(number: int) -> int:
    return int(f"{number:07b}"[::-1], 2)


_ZETAS = [pow(17, _reversed(number), _Q) for number in range(128)]
_GAMMAS = [pow(17, 2 * _reversed(number) + 1, _Q) for number in range(128)]


@cache
def _matrix(seed: bytes, rank: int) -> list[list[Polynomial]]:
    return [
        [_uniform(seed + bytes((column, row))) for column in range(rank)] for row in range(rank)
    ]


def _uniform(seed: bytes) -> Polynomial:
    """Algorithm 7. The stream is longer than any that was ever needed; an exception if it is
    not.
    """
    stream = hashlib.shake_128(seed).digest(168 * 8)
    values = []
    for low, middle, high in zip(stream[::3], stream[1::3], stream[2::3], strict=True):
        values += [low | (middle & 15) << 8, middle >> 4 | high << 4]
    taken = [value for value in values if value < _Q][:_N]
    assert len(taken) == _N
    return taken


def _small(seed: bytes, number: int, eta: int) -> Polynomial:
    """Algorithm 8: differences of two sums of ``eta`` bits."""
    bits = int.from_bytes(hashlib.shake_256(seed + bytes((number,))).digest(64 * eta), "little")
    mask = (1 << eta) - 1
    parts = [bits >> eta * place & mask for place in range(2 * _N)]
    return [
        (plus.bit_count() - minus.bit_count()) % _Q
        for plus, minus in zip(parts[::2], parts[1::2], strict=True)
    ]


def _ntt(values: Polynomial) -> Polynomial:
    """Algorithm 9."""
    out, number, length = list(values), 1, 128
    while length >= 2:
        for start in range(0, _N, 2 * length):
            for place in range(start, start + length):
                turned = _ZETAS[number] * out[place + length] % _Q
                out[place + length] = (out[place] - turned) % _Q
                out[place] = (out[place] + turned) % _Q
            number += 1
        length //= 2
    return out


def _row(row: list[Polynomial], secret: list[Polynomial], start: Polynomial) -> Polynomial:
    """A row of the matrix times the secret (algorithm 11), added to ``start``."""
    out = list(start)
    for a, b in zip(row, secret, strict=True):
        for place, gamma in zip(range(0, _N, 2), _GAMMAS, strict=True):
            out[place] += a[place] * b[place] + a[place + 1] * b[place + 1] * gamma
            out[place + 1] += a[place] * b[place + 1] + a[place + 1] * b[place]
    return [value % _Q for value in out]


def _encoded(values: Polynomial) -> bytes:
    """Twelve bits for each coefficient (algorithm 5)."""
    return sum(value << 12 * place for place, value in enumerate(values)).to_bytes(
        _N * 12 // 8, "little"
    )


POOL = 128
"""Number of random inputs that are made before noisy readings."""
_NO_COINS = "the implementation draws its coins itself"
_SEEDS = (
    "its private keys are seeds: another seed gives another public matrix, whose sampling takes "
    "another time for each"
)
_STRUCTURE = (
    "its private keys have a structure, and motebench cannot make keys that share their public part"
)
_OPEN = "the scheme may reject a changed ciphertext openly, so that it was changed is no secret"


def of_kem(
    session: Session,
    scheme: Scheme,
    offer: Offer,
    job: Job,
    *,
    seed: int,
    timeout: float,
    exact: bool,
) -> tuple[list[Variation], list[NotVaried]]:
    """The secrets of a job of a KEM. ProbeFailure if the implementation cannot make the inputs."""
    if job.operation == Operation.ENCAPSULATE.value:
        return _of_coins(session, scheme, offer, job, timeout)
    maker = _Maker(session, scheme, offer, job, timeout)
    source = random.Random(f"{seed} kem")

    def prepared(draw: Callable[[random.Random], Job]) -> Callable[[random.Random], Job]:
        return draw if exact else pooled([draw(source) for _ in range(POOL)])

    good = prepared(maker.good)
    varied, left = [Variation(Varied.CIPHERTEXT, job, good)], []
    assert scheme.kem is not None
    if scheme.kem.implicit_rejection:
        varied.append(_of_changed(job, maker, source))
    else:
        left.append(NotVaried(Varied.CHANGED, _OPEN))
    if scheme.algorithm != "ml-kem":
        left.append(NotVaried(Varied.KEY, _STRUCTURE))
    elif by_seed(scheme, offer):
        left.append(NotVaried(Varied.KEY, _SEEDS))
    else:
        tried = [Input("secret all zero", maker.keyed(source, zero=True))]
        varied.append(Variation(Varied.KEY_CIPHERTEXT, job, prepared(maker.keyed), tried))
    return varied, left


def _of_coins(
    session: Session, scheme: Scheme, offer: Offer, job: Job, timeout: float
) -> tuple[list[Variation], list[NotVaried]]:
    assert scheme.kem is not None
    length = scheme.kem.encapsulate_seed
    if not offer.seeds or not length:
        return [], [NotVaried(Varied.COINS, _NO_COINS)]
    tried = [Input(name, replace(job, seed=coins)) for name, coins in patterns(length).items()]
    first = replace(job, seed=derived(f"seed {scheme.name}", length))
    try:
        session.compute(first, timeout=timeout)
    except ProbeFailure as failure:
        if failure.kind is not FailureKind.UNSUPPORTED:
            raise
        return [], [NotVaried(Varied.COINS, f"{_NO_COINS}: {failure.message}")]
    return [
        Variation(
            Varied.COINS, first, lambda source: replace(job, seed=source.randbytes(length)), tried
        )
    ], []


class _Maker:
    """Makes jobs of ``decapsulate`` like one that is there."""

    def __init__(
        self, session: Session, scheme: Scheme, offer: Offer, job: Job, timeout: float
    ) -> None:
        self._session, self._scheme, self._offer, self._job, self._timeout = (
            session,
            scheme,
            offer,
            job,
            timeout,
        )
        self._public = public_key(scheme, offer)

    def good(self, source: random.Random) -> Job:
        """Another ciphertext for the same key."""
        return self._for(self._public, self._job.key, source)

    def keyed(self, source: random.Random, *, zero: bool = False) -> Job:
        """Another key with the same public matrix, and a ciphertext for it."""

        matrix, noise, rejection = (
            self._public[-SEED:],
            source.randbytes(SEED),
            source.randbytes(SEED),
        )
        private, public = pair(self._scheme, matrix, noise, rejection, zero=zero)
        return self._for(public, private, source)

    def changed(self, source: random.Random) -> Job:
        """The ciphertext with one byte changed, anywhere."""
        place = source.randrange(len(self._job.ciphertext))
        return self.at(place, source.randrange(1, 256))

    def at(self, place: int, change: int) -> Job:
        """The ciphertext with that byte changed."""
        out = bytearray(self._job.ciphertext)
        out[place] ^= change
        return self.of(bytes(out))

    def of(self, ciphertext: bytes) -> Job:
        """Job for that ciphertext, whose secret is unknown."""
        return replace(self._job, ciphertext=ciphertext, answer=b"")

    def _for(self, public: bytes, private: bytes, source: random.Random) -> Job:
        assert self._scheme.kem is not None
        encapsulation = Job(self._scheme.name, Operation.ENCAPSULATE.value, key=public)
        coins = source.randbytes(self._scheme.kem.encapsulate_seed)
        made = encapsulated(encapsulation, coins, self._offer, self._session, self._timeout)
        if made.out is None:
            raise ProbeFailure(FailureKind.TOO_BIG, "the ciphertext does not fit a reply")
        return replace(self._job, key=private, ciphertext=made.out, answer=made.secret)


def _of_changed(job: Job, maker: _Maker, source: random.Random) -> Variation:
    length = len(job.ciphertext)
    last = length - 1
    tried = [
        Input("good", job),
        Input("another good one", maker.good(source)),
        Input("first bit changed", maker.at(0, 0x80)),
        Input("middle byte changed", maker.at(last // 2, 0xFF)),
        Input("last bit changed", maker.at(last, 0x01)),
        Input("all zero", maker.of(bytes(length))),
        Input("all ones", maker.of(b"\xff" * length)),
        Input("random bytes", maker.of(source.randbytes(length))),
    ]
    return Variation(Varied.CHANGED, maker.changed(source), maker.changed, tried, chosen=0)


_PADDED = ("ecb", "cbc")
"""Modes whose messages are padded."""
_REJECTED_POOL = 64
"""Number of last blocks with random bad padding that are prepared: each costs an encryption."""


def rejections(
    session: Session, scheme: Scheme, offer: Offer, job: Job, *, seed: int, timeout: float
) -> list[Variation]:
    """Variations of a decryption of whole messages; empty for other operations, or if nothing is
    checked.

    The target makes the ciphertexts. ProbeFailure from the session.
    """
    if job.operation != Operation.DECRYPT_MESSAGE.value:
        return []
    if scheme.kind is Kind.AEAD:
        return [_forged(session, job, timeout)]
    if scheme.mode in _PADDED and Operation.ENCRYPT.value in offer.operations and offer.block > 1:
        return _badly_padded(session, offer.block, job, seed, timeout)
    return []


def _computed(session: Session, job: Job, timeout: float) -> tuple[bytes, bytes]:
    answer = session.compute(job, timeout=timeout)
    if answer.out is None:
        raise ProbeFailure(
            FailureKind.TOO_BIG, "the ciphertext does not fit a reply: give a smaller --size"
        )
    return answer.out, answer.tag


def _forged(session: Session, job: Job, timeout: float) -> Variation:
    plain = replace(job, operation=Operation.ENCRYPT_MESSAGE.value, inverse=False)
    sealed, tag = _computed(session, plain, timeout)
    right = replace(job, data=sealed, tag=tag, inverse=False)

    def wrong(changes: bytes) -> Job:
        return replace(
            right, tag=bytes(a ^ b for a, b in zip(tag, changes, strict=True)), reject=True
        )

    def at(place: int, change: int) -> Job:
        return wrong(bytes(change if number == place else 0 for number in range(len(tag))))

    def drawn(source: random.Random) -> Job:
        # The first byte is always wrong, so that no random tag is right.
        return wrong(bytes((source.randrange(1, 256),)) + source.randbytes(len(tag) - 1))

    last = len(tag) - 1
    tried = [
        Input("first byte wrong", at(0, 0xFF)),
        Input("first bit wrong", at(0, 0x80)),
        Input("middle byte wrong", at(last // 2, 0xFF)),
        Input("last byte wrong", at(last, 0xFF)),
        Input("last bit wrong", at(last, 0x01)),
        Input("all bytes wrong", wrong(b"\xff" * len(tag))),
    ]
    return Variation(Varied.TAG, drawn(random.Random(0)), drawn, tried, chosen=0, accepted=right)


def good_padding(last: bytes) -> bool:
    """True if a last block ends with PKCS#7 padding."""
    count = last[-1]
    return 1 <= count <= len(last) and last.endswith(bytes((count,)) * count)


def _badly_padded(
    session: Session, block: int, job: Job, seed: int, timeout: float
) -> list[Variation]:
    message = data_of(job)
    head = message[: len(message) // block * block]
    plain = replace(job, operation=Operation.ENCRYPT.value, inverse=False)

    def ending(last: bytes) -> Job:
        sealed, _ = _computed(session, replace(plain, data=head + last), timeout)
        return replace(job, data=sealed, inverse=False, reject=not good_padding(last))

    source = random.Random(f"{seed} padding")
    drawn = pooled([ending(_bad(source, block)) for _ in range(_REJECTED_POOL)])
    text = source.randbytes(block)
    half = block // 2
    wrong = {
        "last byte 0": text[:-1] + b"\x00",
        "last byte too large": text[:-1] + bytes((block + 1,)),
        "last byte 0xff": text[:-1] + b"\xff",
        "last but one of 2 wrong": text[:-2] + b"\x01\x02",
        "first of half a block wrong": text[: block - half] + b"\x00" + bytes((half,)) * (half - 1),
        "first of a whole block wrong": b"\x00" + bytes((block,)) * (block - 1),
        "middle of a whole block wrong": bytes((block,)) * half
        + b"\x00"
        + bytes((block,)) * (block - half - 1),
    }
    tried = [Input(name, ending(last)) for name, last in wrong.items()]
    good = [Input("good", ending(text[: block - half] + bytes((half,)) * half))]
    first = drawn(source)
    return [
        Variation(Varied.BAD_PADDING, first, drawn, tried, chosen=0),
        Variation(Varied.PADDING, first, drawn, good, chosen=0),
    ]


def _bad(source: random.Random, block: int) -> bytes:
    while good_padding(last := source.randbytes(block)):
        pass
    return last


_REFUSAL = (FailureKind.ERROR, FailureKind.UNSUPPORTED, FailureKind.WRONG_ANSWER)
"""Kinds of failure that may be the answer to one input; all others end the examination."""


def accepted_by(
    session: Session, inputs: Sequence[Input], timeout: float
) -> tuple[list[Input], dict[str, str]]:
    """The inputs that can be timed, and the names of the others with the message of the
    implementation.

    ProbeFailure if the probe dies on an input, or accepts one that it must reject.
    """
    taken, refused = [], {}
    for item in inputs:
        try:
            session.measure(item.job, batch=1, count=1, warm=0, timeout=timeout)
            taken.append(item)
        except ProbeFailure as failure:
            if failure.kind not in _REFUSAL or item.job.reject:
                raise
            refused[item.name] = failure.message
    return taken, refused
