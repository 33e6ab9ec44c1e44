"""Fill in request templates before they become JSON text, so that no prompt can change the structure."""

import json
from collections.abc import Mapping
from typing import Any

from llmbench.contracts.http_json import PLACEHOLDER, placeholder_name

_LEFT_OUT = object()


def filled(template: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the template with its placeholders replaced by their values.

    A string that is only one placeholder becomes the value itself; if there is no value, the field or list element is
    left out. A placeholder within a longer string becomes the value as text, or an empty text if there is no value.
    """
    return {name: part for name, each in template.items() if (part := _filled(each, values)) is not _LEFT_OUT}


def _filled(part: Any, values: Mapping[str, Any]) -> Any:
    match part:
        case str():
            match = PLACEHOLDER.fullmatch(part)
            if match is not None:
                return values.get(placeholder_name(match), _LEFT_OUT)
            return PLACEHOLDER.sub(lambda place: _as_text(values.get(placeholder_name(place), "")), part)
        case dict():
            return filled(part, values)
        case list():
            return [each for entry in part if (each := _filled(entry, values)) is not _LEFT_OUT]
    return part


def _as_text(value: Any) -> str:
    """Return a value as text; messages become lines of `role: content`."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return "\n".join(f"{each['role']}: {each['content']}" for each in value)
    return json.dumps(value)
