"""Read a list of models, such as OpenAI's `data[].id` or Ollama's `models[].name`."""

import json


class NoModelList(ValueError):
    """Raised when the body is no list of models in a known shape."""


def model_names(body: bytes) -> tuple[str, ...]:
    """Return the model names in the provider's order, without repetitions. Entries without a name are skipped.

    Raises `NoModelList`.
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
