"""Call a provider's embedding model through the inference gateway: each batch is a stored call, paid once."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from typing import Any

from judge.domain.cannot_score import CannotScore
from judge.embeddings.base import Embedded
from llmbench.contracts.embedding import LONGEST_TEXT_CHARS, MOST_TEXTS, EmbeddingRequest, Embeddings

Fetch = Callable[[str, EmbeddingRequest], Awaitable[str]]
"""A function that sends a request and returns the content of the reply: `Embeddings` as JSON. Its first argument names
the call, so that calls for the same score have different ids."""

MOST_CHARS_IN_A_BATCH = 400_000


class ByProvider:
    """Embeds texts with a provider's model. Implements the port `judge.embeddings.base.Embedding`.

    Every request contains `model` and `options`. `fetch` makes the calls.
    """

    def __init__(self, fetch: Fetch, *, model: str, options: Mapping[str, Any]) -> None:
        self._fetch = fetch
        self._model = model
        self._options = dict(options)

    async def __call__(self, part: str, texts: Sequence[str]) -> list[Embedded]:
        """Return the vectors of the texts, in the order of `texts`. The texts are sent in batches. `part`
        distinguishes the calls for one score, such as "references" and "answer"; their ids are derived from it.

        Raises `CannotScore` for a text of more than `LONGEST_TEXT_CHARS` characters, or an unusable reply. The errors
        of `fetch` pass through.
        """
        for text in texts:
            if len(text) > LONGEST_TEXT_CHARS:
                raise CannotScore(
                    f"A text of {len(text):,} characters is too long to embed; the limit is {LONGEST_TEXT_CHARS:,}."
                )
        # Replace lone surrogates: JSON cannot encode them.
        texts = [text.encode("utf-8", "replace").decode() for text in texts]
        vectors: list[Embedded] = []
        for number, batch in zip(count(1), batches(texts), strict=False):
            request = EmbeddingRequest(model=self._model, texts=tuple(batch), options=self._options)
            vectors += _read(await self._fetch(f"{part}.{number}", request), len(batch))
        return vectors


def batches(texts: Sequence[str]) -> list[list[str]]:
    """Split texts into batches of at most `MOST_TEXTS` texts and `MOST_CHARS_IN_A_BATCH` characters, in order.

    A longer text is a batch of its own. The result is deterministic, so that a repeated command makes the same calls.
    """
    cut: list[list[str]] = []
    characters = 0
    for text in texts:
        if not cut or len(cut[-1]) == MOST_TEXTS or characters + len(text) > MOST_CHARS_IN_A_BATCH:
            cut.append([])
            characters = 0
        cut[-1].append(text)
        characters += len(text)
    return cut


def _read(content: str, texts: int) -> list[Embedded]:
    try:
        vectors = Embeddings.model_validate_json(content).unpacked()
    except ValueError:
        raise CannotScore("The remembered answer of the embedding model holds no vectors.") from None
    if len(vectors) != texts:
        raise CannotScore(f"The embedding model gave {len(vectors)} vectors for {texts} texts.")
    return [Embedded(vector) for vector in vectors]
