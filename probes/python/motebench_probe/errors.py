"""Errors for which a request has no result: the kinds of ``docs/reference/probe-protocol.md``."""

BAD_REQUEST = "bad-request"
UNSUPPORTED = "unsupported"
TOO_BIG = "too-big"
ERROR = "error"
WRONG_ANSWER = "wrong-answer"


class Failure(Exception):  # noqa: N818 - the protocol's word for it
    """The request cannot be done: kind and text of the reply."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


class Rejected(Exception):  # noqa: N818 - an answer, not an error
    """A tag, padding or signature did not verify."""


def describe(problem: BaseException) -> str:
    """The library's own words."""
    return f"{type(problem).__name__}: {problem}"
