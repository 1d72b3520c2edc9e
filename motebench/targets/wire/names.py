"""What the protocol calls the outputs of each operation: ``docs/protocol.md``, "compute"."""

from __future__ import annotations

from motebench.base.model import Operation

_OUTPUT: dict[str, str] = {
    Operation.SIGN: "signature",
    Operation.KEYGEN: "private",
    Operation.AGREE: "secret",
    Operation.ENCAPSULATE: "ciphertext",
    Operation.DECAPSULATE: "secret",
}
PUBLIC = "public"
"""The output of a computation of a public key."""


def output_of(operation: str) -> str:
    """The key of the first output; the second one is ``tag``, ``secret`` or ``public``."""
    return _OUTPUT.get(operation, "out")
