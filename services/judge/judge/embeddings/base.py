"""The port: what an evaluator wants of an embedding model, wherever that runs."""

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from judge.domain.greedy_match import Matrix


@dataclass(frozen=True)
class Embedded:
    """A text's vector. `tokens` are those it was made of, of `tokens_in_all`; both null where that is not told."""

    vector: tuple[float, ...]
    tokens: int | None = None
    tokens_in_all: int | None = None


@dataclass(frozen=True)
class EmbeddedTokens:
    """A vector for each token, in its context: `ids` and rows of `vectors`, without special tokens."""

    ids: tuple[int, ...]
    vectors: "Matrix"
    tokens_in_all: int


class Embedding(Protocol):
    """Whole texts into vectors. `part` names the step: for a model that is asked, part of its calls' identity."""

    async def __call__(self, part: str, texts: Sequence[str]) -> list[Embedded]: ...


class LocalModel(ABC):
    """A model that runs in this process. Its name stands for exact weights: others are another model."""

    name: ClassVar[str]

    @abstractmethod
    def lacking(self) -> str | None:
        """What has to be installed before it can be used, as a sentence; None when nothing."""

    @abstractmethod
    def embed(self, text: str) -> Embedded:
        """Blocks for some milliseconds; one at a time."""

    @abstractmethod
    def embed_tokens(self, text: str) -> EmbeddedTokens:
        """Blocks for some milliseconds; one at a time."""

    @abstractmethod
    def tokenize(self, text: str) -> tuple[int, ...]:
        """Ids, without special tokens."""


def not_installed(model: str, packages: Sequence[str]) -> str | None:
    """For `lacking`. The packages are looked for, not imported."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    return (
        f"the embedding model {model} is not installed here (missing: {', '.join(missing)}): run `make embeddings` "
        "where the judge runs, then start it again"
    )
