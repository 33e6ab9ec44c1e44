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
    """The vector of a text. The model read `tokens` of the text's `tokens_in_all` tokens; both are `None` if
    unknown."""

    vector: tuple[float, ...]
    tokens: int | None = None
    tokens_in_all: int | None = None


@dataclass(frozen=True)
class EmbeddedTokens:
    """The token ids of a text and their vectors, one row each, without special tokens.

    A long text is cut; `tokens_in_all` is the number of its tokens before that. Each vector depends on the context of
    its token.
    """

    ids: tuple[int, ...]
    vectors: "Matrix"
    tokens_in_all: int


class Embedding(Protocol):
    """A function that embeds each text as one vector.

    `part` names the step within the scoring of an answer; for a provider's model it becomes part of the call ids.
    """

    async def __call__(self, part: str, texts: Sequence[str]) -> list[Embedded]: ...


class LocalModel(ABC):
    """A model that runs in this process. Its name stands for exact weights; other weights need another name."""

    name: ClassVar[str]

    @abstractmethod
    def lacking(self) -> str | None:
        """Return why the model cannot be used (which packages are missing); `None` if it can."""

    @abstractmethod
    def embed(self, text: str) -> Embedded:
        """Embed a text. Blocks for some milliseconds; concurrent calls run one after another."""

    @abstractmethod
    def embed_tokens(self, text: str) -> EmbeddedTokens:
        """Embed each token of a text. Blocks for some milliseconds; concurrent calls run one after another."""

    @abstractmethod
    def tokenize(self, text: str) -> tuple[int, ...]:
        """Return the ids of the text's tokens, without special tokens."""


def not_installed(model: str, packages: Sequence[str]) -> str | None:
    """Return the message that `lacking` returns if packages are missing, else `None`. Imports no package."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    return (
        f"the embedding model {model} is not installed here (missing: {', '.join(missing)}): run `make embeddings` "
        "where the judge runs, then start it again"
    )
