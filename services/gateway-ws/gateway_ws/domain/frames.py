"""Parse a client's STOMP 1.2 frames strictly, and write the gateway's own frames.

stompman parses leniently (it drops an unknown command or a bad escape), so each frame is checked here before stompman
parses it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from stompman.frames import ConnectedFrame, ErrorFrame, ErrorHeaders, HeartbeatFrame, ReceiptFrame
from stompman.serde import FrameParser, dump_frame, dump_header

MAX_FRAME_BYTES = 16 * 1024
MAX_HEADERS = 32
MAX_HEADER_BYTES = 2048
_COMMANDS = frozenset(
    {
        *("CONNECT", "STOMP", "SUBSCRIBE", "UNSUBSCRIBE", "DISCONNECT"),
        *("SEND", "ACK", "NACK", "BEGIN", "COMMIT", "ABORT"),
    }
)
_ESCAPED = rb"(?:[^:\\]|\\[nc\\])"
"""Matches one character or escape in a header. The escape `\\r` is refused, because stompman would drop it."""
_HEADER = re.compile(_ESCAPED + rb"+:" + _ESCAPED + rb"*")
_CONNECT_HEADER = re.compile(rb"[^:]+:.*")
"""CONNECT headers are not escaped (STOMP 1.2, for compatibility with 1.0)."""
HEARTBEAT = "\n"


class ProtocolError(Exception):
    """Raised when a client violates the protocol. The gateway then closes the connection.

    `message` is written for the client's developer. `receipt` is the receipt id that the faulty frame requested, or
    `None`.
    """

    def __init__(self, message: str, *, receipt: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.receipt = receipt


@dataclass(frozen=True)
class ClientFrame:
    command: str
    headers: dict[str, str]

    @property
    def receipt(self) -> str | None:
        return self.headers.get("receipt")


class FrameCutter:
    """Splits the received bytes into frames. A frame may arrive in pieces, and several frames may arrive at once."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> Iterator[ClientFrame]:
        """Yield the frames that a chunk completes. Raises `ProtocolError` after yielding the valid frames that precede
        the fault."""
        self._buffer += chunk
        while True:
            # Line ends between frames are heartbeats.
            del self._buffer[: len(self._buffer) - len(self._buffer.lstrip(b"\r\n"))]
            # No supported frame has a body, so the first NUL ends the frame.
            end = self._buffer.find(b"\x00")
            if max(end, 0) > MAX_FRAME_BYTES or (end == -1 and len(self._buffer) > MAX_FRAME_BYTES):
                raise ProtocolError(f"A frame exceeds the limit of {MAX_FRAME_BYTES} bytes.")
            if end == -1:
                return
            raw = bytes(self._buffer[: end + 1])
            del self._buffer[: end + 1]
            yield _parse(raw)


def _parse(raw: bytes) -> ClientFrame:
    head, separator, _ = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    command, *lines = head.rstrip(b"\n\x00").split(b"\n")
    name = command.decode("ascii", errors="replace")
    if name not in _COMMANDS:
        raise ProtocolError(f"{name[:40]!r} is not a STOMP command.")
    if not separator:
        raise ProtocolError(f"The {name} frame has no empty line after its headers.")
    if len(lines) > MAX_HEADERS:
        raise ProtocolError(f"The {name} frame has more than {MAX_HEADERS} headers.")
    for line in lines:
        _check_header(name, line)
    # The length of a body is not needed: frames with a body are refused.
    kept = [line for line in lines if not line.lower().startswith(b"content-length:")]
    [frame] = FrameParser().parse_frames_from_chunk(b"\n".join((command, *kept, b"", b"\x00")))
    assert not isinstance(frame, HeartbeatFrame)
    return ClientFrame(command=name, headers={str(key): str(value) for key, value in frame.headers.items()})


def _check_header(command: str, line: bytes) -> None:
    if len(line) > MAX_HEADER_BYTES:
        raise ProtocolError(f"A header of the {command} frame exceeds the limit of {MAX_HEADER_BYTES} bytes.")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise ProtocolError(f"A header of the {command} frame is not UTF-8.") from None
    grammar = _CONNECT_HEADER if command in ("CONNECT", "STOMP") else _HEADER
    if not grammar.fullmatch(line):
        raise ProtocolError(f"{text[:80]!r} is not a header of STOMP 1.2.")


def connected(*, server: str, heartbeat: str) -> bytes:
    frame = ConnectedFrame(headers={"version": "1.2", "server": server, "heart-beat": heartbeat})
    return _written(frame)


def receipt(receipt_id: str) -> bytes:
    return _written(ReceiptFrame(headers={"receipt-id": receipt_id}))


def error(message: str, *, receipt_id: str | None, retry: bool) -> bytes:
    """Return an ERROR frame. `retry` says whether the same request may succeed on a new connection."""
    body = message.encode()
    headers = {
        "message": message,
        "content-type": "text/plain",
        "content-length": str(len(body)),
        "version": "1.2",
        "retry": "true" if retry else "false",
    }
    if receipt_id is not None:
        headers["receipt-id"] = receipt_id
    return _written(ErrorFrame(headers=cast("ErrorHeaders", headers), body=body))


def message(subscription_id: str, rest: bytes) -> bytes:
    """Return a MESSAGE frame for one subscription.

    `rest` is the part that follows the header `subscription`. It is the same for all subscriptions to a topic.
    """
    return b"MESSAGE\n" + dump_header("subscription", subscription_id) + rest


def _written(frame: ConnectedFrame | ReceiptFrame | ErrorFrame) -> bytes:
    written: bytes = dump_frame(frame)
    return written
