"""Finds every message in this folder; reads any of them from bytes."""

import importlib
import json
import pkgutil
from functools import cache

import llmbench.contracts
from llmbench.contracts.base import Message


@cache
def messages() -> dict[str, type[Message]]:
    """Every concrete message by its `type`."""
    for module in pkgutil.iter_modules(llmbench.contracts.__path__):
        importlib.import_module(f"{llmbench.contracts.__name__}.{module.name}")
    return {_type_of(message): message for message in Message.__subclasses__()}


def _type_of(message: type[Message]) -> str:
    name: str = message.model_fields["type"].default
    return name


class UnknownMessage(ValueError):
    """The body is no JSON object, or its `type` is not in the registry."""


def parse(raw: bytes) -> Message:
    """Raises `UnknownMessage`, or pydantic's `ValidationError` for a known type with a wrong body."""
    try:
        name = json.loads(raw)["type"]
        message = messages()[name]
    except (ValueError, TypeError, KeyError) as error:
        raise UnknownMessage(f"not a message of llmbench: {error!r}") from error
    return message.model_validate_json(raw)
