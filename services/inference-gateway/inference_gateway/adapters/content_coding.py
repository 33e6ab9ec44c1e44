"""Decompress responses in pieces of limited size. Some servers compress although the request asks them not to.

The HTTP library would decompress a response at once, in as many layers as the server declares: two kilobytes could
become a gigabyte.
"""

import zlib
from collections.abc import AsyncIterator

import aiohttp

PIECE_BYTES = 64 * 1024
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_READ = frozenset({"gzip", "x-gzip", "deflate"})


class UnreadableCoding(Exception):
    """Raised when the declared content encoding is unsupported, or when the body is not in that encoding. The message
    says which of the two happened."""


async def unpacked(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Yield the body in pieces. A compressed body is decompressed into pieces of at most `PIECE_BYTES`.

    Data after the end of a compressed body is ignored. Raises `UnreadableCoding` if the body cannot be decompressed,
    and aiohttp's errors if it cannot be read.
    """
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
                # Ignore data after the end of the compressed body: the decompressor would keep all of it in memory.
                return
    except zlib.error:
        raise UnreadableCoding(f"it is said to be compressed as {coding}, and is not") from None
