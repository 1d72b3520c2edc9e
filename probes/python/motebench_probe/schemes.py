"""Schemes that an adapter offers, and jobs that it is given."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from motebench_probe.tasks import Stream, Task

CIPHER = (
    "key-setup",
    "encrypt",
    "decrypt",
    "encrypt-message",
    "decrypt-message",
    "encrypt-new-key",
)
MESSAGES = ("key-setup", "encrypt-message", "decrypt-message", "encrypt-new-key")
DIGEST = ("digest",)
MAC = ("key-setup", "mac")
SIGNATURE = ("keygen", "sign", "verify")
AGREEMENT = ("keygen", "agree")
KEM = ("keygen", "encapsulate", "decapsulate")

IN_PLACE = frozenset({"encrypt", "decrypt"})
WITH_NONCE = frozenset(
    {"encrypt", "decrypt", "encrypt-message", "decrypt-message", "encrypt-new-key"}
)
TAG_MAKING = frozenset({"encrypt-message", "encrypt-new-key"})
SEEDED = frozenset({"keygen", "encapsulate"})
RANDOM = frozenset({"keygen", "sign", "encapsulate"})

OUTPUTS = {
    "sign": ("signature", ""),
    "keygen": ("private", "public"),
    "agree": ("secret", ""),
    "encapsulate": ("ciphertext", "secret"),
    "decapsulate": ("secret", ""),
    "public": ("public", ""),
}
"""Keys of both outputs in a reply; `PLAIN` for all other operations."""
PLAIN = ("out", "tag")

NONE = (0, 0)


class Scheme:
    """One scheme as an adapter offers it; ranges in bytes, both ends included.

    family: the module of the adapter that knows how to do it. param: what that module needs to know
    of the scheme.

    pair and outputs: of a KEM, sizes of public and private key, and of ciphertext and secret.
    seeds: key generation and encapsulation take a seed.
    """

    __slots__ = (
        "block",
        "context",
        "family",
        "key",
        "name",
        "nonce",
        "ops",
        "outputs",
        "pair",
        "param",
        "seeds",
        "stream",
        "tag",
    )

    def __init__(
        self,
        name: str,
        family: str,
        param: Any,
        ops: tuple[str, ...],
        *,
        key: tuple[int, int] = NONE,
        nonce: tuple[int, int] = NONE,
        tag: tuple[int, int] = NONE,
        block: int = 1,
        stream: bool = True,
        context: tuple[int, int] = NONE,
        pair: tuple[int, int] = NONE,
        outputs: tuple[int, int] = NONE,
        seeds: bool = False,
    ) -> None:
        self.name = name
        self.family = family
        self.param = param
        self.ops = ops
        self.key = key
        self.nonce = nonce
        self.tag = tag
        self.block = block
        self.stream = stream
        self.context = context
        self.pair = pair
        self.outputs = outputs
        self.seeds = seeds

    def entry(self) -> dict[str, Any]:
        """Entry of the scheme in the reply to ``list``."""
        sizes = (
            {"pair": self.pair, "outputs": self.outputs}
            if self.kem
            else {"nonce": self.nonce, "tag": self.tag}
        )
        return {
            "name": self.name,
            "ops": self.ops,
            "key": self.key,
            **sizes,
            "block": self.block,
            "stream": self.stream,
            **({"needs_seed": False} if self.seeds else {}),
        }

    @property
    def kem(self) -> bool:
        """A key encapsulation mechanism: its results are pairs."""
        return "encapsulate" in self.ops or "decapsulate" in self.ops


class Job:
    """One operation with its inputs. ``tag``: to be checked. ``tag_len``: wanted from encryption.

    ``total``: length of the whole message where it comes in pieces. ``peer``: the other side's
    public key. ``seed``: what key generation or encapsulation is to draw; empty: whatever the
    library draws.
    """

    __slots__ = (
        "aad",
        "ciphertext",
        "context",
        "data",
        "key",
        "nonce",
        "op",
        "peer",
        "scheme",
        "seed",
        "signature",
        "tag",
        "tag_len",
        "total",
    )

    def __init__(
        self,
        scheme: Scheme,
        op: str,
        *,
        key: bytes = b"",
        nonce: bytes = b"",
        aad: bytes = b"",
        data: bytes = b"",
        tag: bytes = b"",
        tag_len: int = 0,
        total: int = 0,
        signature: bytes = b"",
        peer: bytes = b"",
        ciphertext: bytes = b"",
        context: bytes = b"",
        seed: bytes = b"",
    ) -> None:
        self.scheme = scheme
        self.op = op
        self.key = key
        self.nonce = nonce
        self.aad = aad
        self.data = data
        self.tag = tag
        self.tag_len = tag_len
        self.total = total
        self.signature = signature
        self.peer = peer
        self.ciphertext = ciphertext
        self.context = context
        self.seed = seed


class Adapter:
    """A library behind the probe.

    version: its own words, and those of what it is built on. schemes: what it offers, asked once;
    must be quick. family: imports and returns the module that a scheme names; it has
    ``open_task(job)``, ``open_stream(job)`` and ``public_key(job)``, which raise Failure for what
    is not offered.
    """

    __slots__ = ("family", "implementation", "schemes", "version")

    def __init__(
        self,
        implementation: str,
        version: Callable[[], str],
        schemes: Callable[[], Mapping[str, Scheme]],
        family: Callable[[str], Family],
    ) -> None:
        self.implementation = implementation
        self.version = version
        self.schemes = schemes
        self.family = family


if TYPE_CHECKING:
    from typing import Protocol

    class Family(Protocol):
        """Operations that a module of an adapter provides."""

        def open_task(self, job: Job) -> Task:
            """The operation in memory, made ready."""

        def open_stream(self, job: Job) -> Stream:
            """The operation on a file, piece by piece."""

        def public_key(self, job: Job) -> bytes:
            """The public key that belongs to ``job.key``."""
