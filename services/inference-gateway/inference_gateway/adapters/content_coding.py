"""What a server compresses although it was asked not to: read in pieces, or refused.

An HTTP library would unpack whatever arrives at once, and as many layers as the server names: two kilobytes become a
gigabyte.
"""

import zlib
from collections.abc import AsyncIterator

import aiohttp

PIECE_BYTES = 64 * 1024
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_READ = frozenset({"gzip", "x-gzip", "deflate"})


class UnreadableCoding(Exception):
    """The text says what it is that is not read."""


async def unpacked(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The body in pieces: as it comes, or of at most `PIECE_BYTES` each. Raises `UnreadableCoding`, and what aiohttp
    raises."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        async for piece in response.content.iter_any():
            yield piece
        return
    if coding not in _READ:
        raise UnreadableCoding(
            f"it is compressed as {coding[:40]!r}: only gzip and deflate are read, and none is asked for"
        )
    unpacking = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        async for packed in response.content.iter_any():
            while packed:
                yield unpacking.decompress(packed, PIECE_BYTES)
                packed = unpacking.unconsumed_tail
            if unpacking.eof:
                # What follows would be kept, all of it.
                return
    except zlib.error:
        raise UnreadableCoding(f"it is said to be compressed as {coding}, and is not") from None
