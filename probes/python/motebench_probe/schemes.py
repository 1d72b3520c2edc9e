"""What an adapter offers, and what it is asked to do."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from motebench_probe.tasks import Stream, Task

CIPHER = ("key-setup", "encrypt", "decrypt", "encrypt-message", "decrypt-message", "encrypt-new-key")
MESSAGES = ("key-setup", "encrypt-message", "decrypt-message", "encrypt-new-key")
DIGEST = ("digest",)
MAC = ("key-setup", "mac")
SIGNATURE = ("keygen", "sign", "verify")
AGREEMENT = ("keygen", "agree")

IN_PLACE = frozenset({"encrypt", "decrypt"})
WITH_NONCE = frozenset({"encrypt", "decrypt", "encrypt-message", "decrypt-message", "encrypt-new-key"})
TAG_MAKING = frozenset({"encrypt-message", "encrypt-new-key"})
RANDOM = frozenset({"keygen", "sign"})

NONE = (0, 0)


class Scheme:
    """One scheme as an adapter offers it; ranges in bytes, both ends included.

    family: the module of the adapter that knows how to do it. param: what that module needs to know of the scheme.
    """

    __slots__ = ("block", "family", "key", "name", "nonce", "ops", "param", "stream", "tag")

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

    def entry(self) -> dict[str, Any]:
        """As ``list`` replies it."""
        return {
            "name": self.name,
            "ops": self.ops,
            "key": self.key,
            "nonce": self.nonce,
            "tag": self.tag,
            "block": self.block,
            "stream": self.stream,
        }


class Job:
    """One operation with its inputs. ``tag``: to be checked, or a signature. ``tag_len``: wanted from encryption.

    ``total``: length of the whole message where it comes in pieces.
    """

    __slots__ = ("aad", "data", "key", "nonce", "op", "scheme", "tag", "tag_len", "total")

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


class Adapter:
    """A library behind the probe.

    version: its own words, and those of what it is built on. schemes: what it offers, asked once; must be quick.
    family: imports and returns the module that a scheme names; it has ``open_task(job)``, ``open_stream(job)`` and
    ``public_key(job)``, which raise Failure for what is not offered.
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
        """What a module of an adapter provides."""

        def open_task(self, job: Job) -> Task:
            """The operation in memory, made ready."""

        def open_stream(self, job: Job) -> Stream:
            """The operation on a file, piece by piece."""

        def public_key(self, job: Job) -> bytes:
            """The public key that belongs to ``job.key``."""
