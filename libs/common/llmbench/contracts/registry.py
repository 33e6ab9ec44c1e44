"""Finds every message in this folder; reads any of them from bytes."""

import importlib
import json
import pkgutil
import re
from functools import cache

import llmbench.contracts
from llmbench.contracts.base import Message


@cache
def messages() -> dict[str, type[Message]]:
    """Return every concrete message class by its `type`."""
    for module in pkgutil.iter_modules(llmbench.contracts.__path__):
        importlib.import_module(f"{llmbench.contracts.__name__}.{module.name}")
    return {_type_of(message): message for message in Message.__subclasses__()}


def _type_of(message: type[Message]) -> str:
    name: str = message.model_fields["type"].default
    return name


class UnknownMessage(ValueError):
    """The body is no JSON object, or its `type` is not in the registry."""


_TYPE_FIRST = re.compile(rb'\{"type":"([a-z0-9_.]{1,100})"')
"""The form in which llmbench writes messages. Other writers may put `type` elsewhere in the body."""


def parse(raw: bytes) -> Message:
    """Parse a message. Raises `UnknownMessage`, or pydantic's `ValidationError` for a known type with another body."""
    try:
        first = _TYPE_FIRST.match(raw)
        # Only finds the class, which then validates the complete body.
        message = messages()[first[1].decode() if first else json.loads(raw)["type"]]
    except (ValueError, TypeError, KeyError) as error:
        raise UnknownMessage(f"not a message of llmbench: {error!r}") from error
    return message.model_validate_json(raw)
