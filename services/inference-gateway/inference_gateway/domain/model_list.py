"""Read a list of models, such as OpenAI's `data[].id` or Ollama's `models[].name`."""

import json


class NoModelList(ValueError):
    """Raised when the body is not a list of models in a known shape."""


def model_names(body: bytes) -> tuple[str, ...]:
    """Return the model names in the provider's order, without repetitions. Entries without a name are skipped.

    Raises `NoModelList` if the body is not JSON, or has no list in a known place.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise NoModelList("it is not JSON") from None
    rows = value.get("data", value.get("models")) if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise NoModelList("the JSON has no list of models")
    names = (row.get("id") or row.get("name") or row.get("model") for row in rows if isinstance(row, dict))
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))
