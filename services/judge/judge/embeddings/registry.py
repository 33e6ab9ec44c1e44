"""Finds every local model in this folder."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

import judge.embeddings
from judge.embeddings.base import Embedded, Embedding, LocalModel
from llmbench.plugins import BASE, plugins


@cache
def local_models() -> dict[str, LocalModel]:
    """By name."""
    beside = BASE | {"by_provider"}
    # Only asked about by isinstance, never made.
    return plugins(judge.embeddings, "MODEL", LocalModel, key=lambda one: one.name, beside=beside)  # type: ignore[type-abstract]


def local(name: str) -> LocalModel:
    """Raises `ValueError`, with what to do, for one that is unknown or not installed."""
    model = local_models().get(name)
    if model is None:
        raise ValueError(f"there is no embedding model {name!r} here; known are: {', '.join(sorted(local_models()))}")
    if (lacking := model.lacking()) is not None:
        raise ValueError(lacking)
    return model


def one_of_them(*more: str) -> dict[str, Any]:
    """For a parameter's JSON Schema."""
    return {"enum": [*sorted(local_models()), *more]}


def embedding_here(name: str) -> Embedding:
    """Raises `ValueError`, as `local`."""
    model = local(name)

    async def embed(part: str, texts: Sequence[str]) -> list[Embedded]:
        return [await asyncio.to_thread(model.embed, text) for text in texts]

    return embed
