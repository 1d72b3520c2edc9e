"""Greeting every probe of this host: who answers, and what is wrong with those that do not."""

from __future__ import annotations

from motebench.wire.messages import Hello, ProbeFailure


def greetings() -> dict[str, Hello | str]:
    """What each host probe says of itself, or why it does not answer."""
    from motebench.targets.host import HostTarget

    target = HostTarget()
    answers: dict[str, Hello | str] = {}
    for implementation in target.implementations():
        try:
            session = target.open(implementation)
        except ProbeFailure as failure:
            answers[implementation] = failure.message
            continue
        answers[implementation] = session.hello
        session.close()
    return answers
