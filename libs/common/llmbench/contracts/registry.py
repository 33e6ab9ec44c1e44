"""Discover every message class in this folder, and parse messages from bytes."""

import importlib
import json
import pkgutil
import re
from functools import cache

import llmbench.contracts
from llmbench.contracts.base import Message


@cache
def messages() -> dict[str, type[Message]]:
    """Return all message classes in `llmbench.contracts`, as a mapping from the value of the field `type` to its class,
    such as `RunLogged`."""
    for module in pkgutil.iter_modules(llmbench.contracts.__path__):
        importlib.import_module(f"{llmbench.contracts.__name__}.{module.name}")
    return {_type_of(message): message for message in Message.__subclasses__()}


def _type_of(message: type[Message]) -> str:
    name: str = message.model_fields["type"].default
    return name


class UnknownMessage(ValueError):
    """Raised when the body is no JSON object with a known `type`."""


_TYPE_FIRST = re.compile(rb'\{"type":"([a-z0-9_.]{1,100})"')
"""Matches the start of a body as llmbench writes it. Other writers may put `type` elsewhere in the body."""


def parse(raw: bytes) -> Message:
    """Parse the body of a message. Raises `UnknownMessage`, or pydantic's `ValidationError` if the body does not fit
    its `type`."""
    try:
        first = _TYPE_FIRST.match(raw)
        # Only find the class here. It then validates the complete body.
        message = messages()[first[1].decode() if first else json.loads(raw)["type"]]
    except (ValueError, TypeError, KeyError) as error:
        raise UnknownMessage(f"not a message of llmbench: {error!r}") from error
    return message.model_validate_json(raw)
