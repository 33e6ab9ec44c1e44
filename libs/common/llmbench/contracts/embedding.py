"""The texts to embed, and the format of vectors in a stored call."""

import base64
import math
import struct
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from llmbench.contracts.base import Value

MOST_TEXTS = 16
"""The maximum number of texts per call. Their vectors (about 60 KB each as decimals, at 3072 dimensions) stay below the
gateway's limit for an answer's size."""

LONGEST_TEXT_CHARS = 100_000
"""The maximum length of a text, far above the limits of embedding models. A provider may refuse shorter texts, too."""

MOST_DIMENSIONS = 16_384

EmbeddedText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT_CHARS)]


class EmbeddingRequest(Value):
    """The texts to embed. `options` are passed to the provider unchanged (for example "dimensions")."""

    model: str
    texts: tuple[EmbeddedText, ...] = Field(min_length=1, max_length=MOST_TEXTS)
    options: dict[str, Any] = Field(default_factory=dict)


class Embeddings(Value):
    """One vector per text, in the order of the texts.

    Vectors are float32, little-endian, in base64, like OpenAI's `encoding_format: base64`. A vector of 1536 numbers
    takes 8 KB in this format, a third of its size as decimals.
    """

    dimensions: int = Field(ge=1, le=MOST_DIMENSIONS)
    vectors: tuple[str, ...] = Field(min_length=1, max_length=MOST_TEXTS)

    @classmethod
    def of(cls, vectors: Sequence[Sequence[float]]) -> "Embeddings":
        """Encode vectors.

        Raises `ValueError` if there are none or too many, or if they differ in length or are too long. Raises it also
        if a number is not finite or too large for float32.
        """
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
        """Decode the vectors. Raises `ValueError` for a vector that is not base64 or does not have `dimensions`
        numbers."""
        try:
            return tuple(
                struct.unpack(f"<{self.dimensions}f", base64.b64decode(each, validate=True)) for each in self.vectors
            )
        except struct.error:
            raise ValueError("a vector has not as many numbers as it should") from None
