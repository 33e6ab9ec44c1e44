"""The port to embedding models, local or remote."""

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from judge.domain.greedy_match import Matrix


@dataclass(frozen=True)
class Embedded:
    """The vector of a text. The model read `tokens` of its `tokens_in_all` tokens; both are null if unknown."""

    vector: tuple[float, ...]
    tokens: int | None = None
    tokens_in_all: int | None = None


@dataclass(frozen=True)
class EmbeddedTokens:
    """A vector for each token in its context: the token `ids`, and the rows of `vectors`. Special tokens are left
    out."""

    ids: tuple[int, ...]
    vectors: "Matrix"
    tokens_in_all: int


class Embedding(Protocol):
    """A function that embeds complete texts. `part` names the step: for a provider's model it is part of the calls'
    identity."""

    async def __call__(self, part: str, texts: Sequence[str]) -> list[Embedded]: ...


class LocalModel(ABC):
    """A model that runs in this process. Its name stands for exact weights; other weights need another name."""

    name: ClassVar[str]

    @abstractmethod
    def lacking(self) -> str | None:
        """Return a sentence about the missing installation; None if the model can be used."""

    @abstractmethod
    def embed(self, text: str) -> Embedded:
        """Embed a text. Blocks for some milliseconds; calls run one at a time."""

    @abstractmethod
    def embed_tokens(self, text: str) -> EmbeddedTokens:
        """Embed each token of a text. Blocks for some milliseconds; calls run one at a time."""

    @abstractmethod
    def tokenize(self, text: str) -> tuple[int, ...]:
        """Return the token ids, without special tokens."""


def not_installed(model: str, packages: Sequence[str]) -> str | None:
    """Return the message for `lacking`, or None. Packages are looked up, not imported."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    return (
        f"the embedding model {model} is not installed here (missing: {', '.join(missing)}): run `make embeddings` "
        "where the judge runs, then start it again"
    )
