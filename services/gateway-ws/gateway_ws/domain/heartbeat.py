"""Negotiate heartbeats by the rules of STOMP 1.2."""

import re
from dataclasses import dataclass

_VALUE = re.compile(r"(\d{1,9}),(\d{1,9})", re.ASCII)
TOLERANCE = 2.0
"""The number of intervals without a heartbeat after which the client counts as disconnected."""


@dataclass(frozen=True)
class Heartbeat:
    """The negotiated times in seconds; `None` means no heartbeats in that direction.

    The server sends a heartbeat every `send_every_s`. The client counts as disconnected after a silence of
    `expect_within_s`.
    """

    send_every_s: float | None
    expect_within_s: float | None


def negotiate(header: str | None, ours_ms: int) -> Heartbeat:
    """Return the heartbeat times that suit both the server and the client.

    `header` is the client's `heart-beat` header, such as "10000,10000"; `None` means "0,0". It has two intervals in
    milliseconds: how often the client can send, and how often it wants to receive. `ours_ms` is the server's interval
    for both directions. An interval of 0 means no heartbeats. Raises `ValueError` for a malformed header.
    """
    match = _VALUE.fullmatch(header or "0,0")
    if match is None:
        raise ValueError(f"heart-beat {header!r} is not two numbers of milliseconds, as 10000,10000")
    sends_ms, wants_ms = int(match[1]), int(match[2])
    return Heartbeat(
        send_every_s=max(ours_ms, wants_ms) / 1000 if wants_ms and ours_ms else None,
        expect_within_s=TOLERANCE * max(ours_ms, sends_ms) / 1000 if sends_ms and ours_ms else None,
    )
