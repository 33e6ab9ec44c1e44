"""Read OpenAI's list of embeddings, with the extensions of compatible servers."""

import base64
import binascii
import struct
from dataclasses import dataclass
from typing import Any

from inference_gateway.domain.draft import ReportedError, error_of
from inference_gateway.domain.json_of import TooDeep, json_of
from inference_gateway.domain.openai_answer import charge_of, usage_of
from llmbench.contracts.embedding import MOST_DIMENSIONS, Embeddings
from llmbench.contracts.outcome import Usage


class NoEmbeddings(ValueError):
    """Raised when the body does not have one valid vector per text; the message says why."""


@dataclass(frozen=True)
class EmbeddingAnswer:
    embeddings: Embeddings
    model: str | None
    usage: Usage | None
    reported_usd: float | None


def read_embeddings(body: bytes, *, texts: int) -> EmbeddingAnswer | ReportedError:
    """Return the answer with its vectors in the order of the texts, or the error that the body reports.

    `texts` is the number of texts. If the vectors do not have the indices from 0 on, they keep the order of the body.

    Raises `NoEmbeddings` if the body has neither valid vectors nor an error.
    """
    try:
        value = json_of(body)
    except TooDeep as error:
        raise NoEmbeddings(f"the body is {error}") from None
    except ValueError:
        raise NoEmbeddings("the body is not JSON") from None
    if not isinstance(value, dict):
        raise NoEmbeddings("the JSON is not an object")
    reported = error_of(value.get("error"))
    if reported is not None:
        return reported
    rows = value.get("data")
    if not isinstance(rows, list):
        raise NoEmbeddings("the JSON has no list `data`")
    if len(rows) != texts:
        raise NoEmbeddings(f"it has {len(rows)} vectors for {texts} texts")
    try:
        embeddings = Embeddings.of([_vector(row) for row in _in_order(rows)])
    except OverflowError:
        raise NoEmbeddings("a vector holds a number that is too large") from None
    except ValueError as error:
        raise NoEmbeddings(str(error)) from None
    model = value.get("model")
    return EmbeddingAnswer(
        embeddings,
        model=model if isinstance(model, str) else None,
        usage=usage_of(value.get("usage")),
        reported_usd=charge_of(value.get("usage")),
    )


def _in_order(rows: list[Any]) -> list[Any]:
    """Return the rows ordered by `index`. Keep their order unless the indices are the numbers from 0 on."""
    indices = [row.get("index") if isinstance(row, dict) else None for row in rows]
    if sorted(index for index in indices if isinstance(index, int)) != list(range(len(rows))):
        return rows
    return sorted(rows, key=lambda row: int(row["index"]))


def _vector(row: Any) -> tuple[float, ...]:
    """Return the vector of a row, which is a list of numbers, or float32 values in Base64.

    Raises `ValueError` if the row has no such vector, or a vector of more than `MOST_DIMENSIONS` numbers.
    """
    given = row.get("embedding") if isinstance(row, dict) else None
    if isinstance(given, str):
        try:
            packed = base64.b64decode(given, validate=True)
        except binascii.Error:
            raise ValueError("a vector is no base64") from None
        given = struct.unpack(f"<{len(packed) // 4}f", packed[: len(packed) // 4 * 4])
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= MOST_DIMENSIONS:
        raise ValueError(f"a vector is no list of 1 to {MOST_DIMENSIONS:,} numbers")
    if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in given):
        raise ValueError("a vector is no list of numbers")
    return tuple(float(number) for number in given)
