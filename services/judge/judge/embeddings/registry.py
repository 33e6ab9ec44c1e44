"""Discovers every local model in this folder."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

import judge.embeddings
from judge.embeddings.base import Embedded, Embedding, LocalModel
from llmbench.plugins import BASE, plugins


@cache
def local_models() -> dict[str, LocalModel]:
    """Return every local model by its name."""
    beside = BASE | {"by_provider"}
    # Used for isinstance only, never instantiated.
    return plugins(judge.embeddings, "MODEL", LocalModel, key=lambda one: one.name, beside=beside)  # type: ignore[type-abstract]


def local(name: str) -> LocalModel:
    """Return a local model. Raises `ValueError`, with the remedy, for one that is unknown or not installed."""
    model = local_models().get(name)
    if model is None:
        raise ValueError(f"there is no embedding model {name!r} here; known are: {', '.join(sorted(local_models()))}")
    if (lacking := model.lacking()) is not None:
        raise ValueError(lacking)
    return model


def one_of_them(*more: str) -> dict[str, Any]:
    """Return the JSON Schema of a parameter that names a local model."""
    return {"enum": [*sorted(local_models()), *more]}


def embedding_here(name: str) -> Embedding:
    """Return the embedding of a local model. Raises `ValueError`, as `local`."""
    model = local(name)

    async def embed(part: str, texts: Sequence[str]) -> list[Embedded]:
        return [await asyncio.to_thread(model.embed, text) for text in texts]

    return embed
