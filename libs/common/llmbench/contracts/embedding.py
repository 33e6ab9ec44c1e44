"""Texts to be turned into vectors, and the vectors as a call's remembered answer holds them."""

import base64
import math
import struct
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from llmbench.contracts.base import Value

MOST_TEXTS = 16
"""In one call. Their vectors as a provider writes them (some 60 KB each, at 3072 dimensions) stay below what the
gateway reads of an answer."""

LONGEST_TEXT_CHARS = 100_000
"""Far above what embedding models take; below it, it is the provider who says that a text is too long."""

MOST_DIMENSIONS = 16_384

EmbeddedText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT_CHARS)]


class EmbeddingRequest(Value):
    """`options` are sent as they are ("dimensions")."""

    model: str
    texts: tuple[EmbeddedText, ...] = Field(min_length=1, max_length=MOST_TEXTS)
    options: dict[str, Any] = Field(default_factory=dict)


class Embeddings(Value):
    """One vector per text, in their order: float32, little-endian, in base64, as OpenAI's `encoding_format: base64`.

    A vector of 1536 numbers takes 8 KB like this, three times as much in decimals.
    """

    dimensions: int = Field(ge=1, le=MOST_DIMENSIONS)
    vectors: tuple[str, ...] = Field(min_length=1, max_length=MOST_TEXTS)

    @classmethod
    def of(cls, vectors: Sequence[Sequence[float]]) -> "Embeddings":
        """Raises `ValueError` unless there are some, finite and of one length."""
        lengths = {len(vector) for vector in vectors}
        if len(lengths) != 1:
            raise ValueError("the vectors are not of one length")
        (dimensions,) = lengths
        if not all(math.isfinite(number) for vector in vectors for number in vector):
            raise ValueError("a vector holds a number that is not finite")
        try:
            packed = [struct.pack(f"<{dimensions}f", *vector) for vector in vectors]
        except OverflowError:
            raise ValueError("a vector holds a number too large for float32") from None
        return cls(dimensions=dimensions, vectors=tuple(base64.b64encode(each).decode() for each in packed))

    def unpacked(self) -> tuple[tuple[float, ...], ...]:
        """Raises `ValueError` for what `of` did not make."""
        try:
            return tuple(
                struct.unpack(f"<{self.dimensions}f", base64.b64decode(each, validate=True)) for each in self.vectors
            )
        except struct.error:
            raise ValueError("a vector has not as many numbers as it should") from None
