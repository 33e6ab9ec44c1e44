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
    """The vector of a text. The text has `tokens_in_all` tokens, of which the model read the first `tokens`; both are
    `None` if unknown."""

    vector: tuple[float, ...]
    tokens: int | None = None
    tokens_in_all: int | None = None


@dataclass(frozen=True)
class EmbeddedTokens:
    """The token ids of a text and their vectors, one row each, without special tokens.

    A long text is cut; `tokens_in_all` is the number of its tokens before the cut. Each vector depends on the context
    of its token.
    """

    ids: tuple[int, ...]
    vectors: "Matrix"
    tokens_in_all: int


class Embedding(Protocol):
    """A function that returns one vector for each text, in the same order.

    `part` distinguishes the calls for one score, such as "references" and "answer". The ids of calls to a provider's
    model are derived from it.
    """

    async def __call__(self, part: str, texts: Sequence[str]) -> list[Embedded]: ...


class LocalModel(ABC):
    """An embedding model that runs in this process. Its name identifies its exact weights: other weights need another
    name."""

    name: ClassVar[str]

    @abstractmethod
    def lacking(self) -> str | None:
        """Return a message that names missing packages and says how to install them; `None` if none is missing."""

    @abstractmethod
    def embed(self, text: str) -> Embedded:
        """Return the vector of a text. Blocks: call it in a thread. Parallel calls run one after another."""

    @abstractmethod
    def embed_tokens(self, text: str) -> EmbeddedTokens:
        """Return the vectors of a text's tokens. Blocks: call it in a thread. Parallel calls run one after another."""

    @abstractmethod
    def tokenize(self, text: str) -> tuple[int, ...]:
        """Return the ids of the text's tokens, without special tokens."""


def not_installed(model: str, packages: Sequence[str]) -> str | None:
    """Return a message about those of `packages` that are missing, and how to install them; `None` if none is.

    The packages are searched, but not imported.
    """
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    return (
        f"the embedding model {model} is not installed here (missing: {', '.join(missing)}): run `make embeddings` "
        "where the judge runs, then start it again"
    )
