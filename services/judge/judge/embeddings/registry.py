"""Discover the local embedding models in this folder."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

import judge.embeddings
from judge.embeddings.base import Embedded, Embedding, LocalModel
from llmbench.plugins import BASE, plugins


@cache
def local_models() -> dict[str, LocalModel]:
    """Return all local models, keyed by name."""
    skipped = BASE | {"by_provider"}
    # `plugins` uses the abstract class for isinstance only and never instantiates it.
    return plugins(judge.embeddings, "MODEL", LocalModel, key=lambda model: model.name, skipped=skipped)  # type: ignore[type-abstract]


def local_model(name: str) -> LocalModel:
    """Return the local model of this name.

    Raises `ValueError` if the model is unknown or not installed. The message lists the known models, or says how to
    install this one.
    """
    model = local_models().get(name)
    if model is None:
        raise ValueError(f"there is no embedding model {name!r} here; known are: {', '.join(sorted(local_models()))}")
    if (lacking := model.lacking()) is not None:
        raise ValueError(lacking)
    return model


def name_schema(*more: str) -> dict[str, Any]:
    """Return the JSON Schema of a parameter whose value is the name of a local model or one of `more`."""
    return {"enum": [*sorted(local_models()), *more]}


def local_embedding(name: str) -> Embedding:
    """Return a function that embeds texts with a local model, in threads. Raises `ValueError` if the model is unknown
    or not installed."""
    model = local_model(name)

    async def embed(part: str, texts: Sequence[str]) -> list[Embedded]:
        return [await asyncio.to_thread(model.embed, text) for text in texts]

    return embed
