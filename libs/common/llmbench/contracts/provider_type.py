"""The description of a provider type. Forms, the documentation and the checks of options use it."""

import re
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field

from llmbench.contracts.base import Value
from llmbench.contracts.reserved_options import RESERVED

API_PREFIX: Final = "/v1"
MODELS_PATH: Final = "/models"
INFERENCE_PATH: Final = "/chat/completions"


class HeaderInfo(Value):
    """A header that requests to providers of this type usually have.

    For a secret header, the user enters the secret, and `value` is a prefix that is sent before it (`Bearer `). Any
    other header is sent with `value`, unless the user sets that header.
    """

    name: str
    is_secret: bool = False
    value: str = ""


class OptionRule(Value):
    """The JSON type and the bounds of an option's value. Any other value is refused, and `message` says why.

    `minimum` and `maximum` bound a number. `pattern` is a regular expression that must match an entire text.
    """

    json_type: Literal["boolean", "integer", "number", "string"]
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    message: str

    def allows(self, value: object) -> bool:
        """Return whether the rule allows the value.

        >>> percent = OptionRule(json_type="integer", minimum=0, maximum=100, message="must be from 0 to 100")
        >>> percent.allows(100), percent.allows(101), percent.allows(True), percent.allows("7")
        (True, False, False, False)
        """
        if isinstance(value, bool):
            return self.json_type == "boolean"
        if isinstance(value, str):
            return self.json_type == "string" and (
                self.pattern is None or re.fullmatch(self.pattern, value) is not None
            )
        if not isinstance(value, int | float) or self.json_type not in ("number", "integer"):
            return False
        if self.json_type == "integer" and not isinstance(value, int):
            return False
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)


class OptionInfo(Value):
    """An option of a provider type. `kind` describes its values to people; `example` is a valid value.

    Without a rule, any value is accepted and sent to the provider.
    """

    name: str
    kind: str
    description: str
    example: Any
    rule: OptionRule | None = None


class ProviderTypeInfo(Value):
    """A provider type.

    `position` orders the types in a form: 10 and 20 for local servers, 60 and 70 for generic types. `base_url` is null
    where only the user knows it. `reserved` are options that users cannot set. `quirks` are sentences about what
    differs from OpenAI's API. `list_prices` is the provider's id in the library `genai-prices`; null if no list price
    applies. `reports_cost` is true when the provider returns the cost of each answer.
    """

    type: str = Field(pattern=r"^[A-Z][A-Z0-9_]{0,63}$")
    title: str
    description: str
    position: int = 55
    base_url: str | None = None
    base_url_example: str
    api_prefix: str = API_PREFIX
    models_path: str = MODELS_PATH
    inference_path: str = INFERENCE_PATH
    lists_models: bool = True
    headers: tuple[HeaderInfo, ...] = ()
    options: tuple[OptionInfo, ...] = ()
    reserved: tuple[str, ...] = RESERVED
    quirks: tuple[str, ...] = ()
    list_prices: str | None = None
    reports_cost: bool = False

    def endpoints(self, base_url: str) -> tuple[str, str]:
        """Return two paths relative to `base_url`: the path that lists models, and the path that answers questions."""
        return endpoints(base_url, self.api_prefix, self.models_path, self.inference_path)


def endpoints(
    base_url: str, prefix: str = API_PREFIX, models: str = MODELS_PATH, inference: str = INFERENCE_PATH
) -> tuple[str, str]:
    """Return two paths relative to `base_url`: the path that lists models, and the path that answers questions.

    Each begins with `prefix`, unless `base_url` ends with `/v1`: users enter base URLs with or without it.

    >>> endpoints("http://127.0.0.1:11434"), endpoints("https://openrouter.ai/api/v1")
    (('/v1/models', '/v1/chat/completions'), ('/models', '/chat/completions'))
    """
    path_prefix = "" if urlsplit(base_url).path.endswith("/v1") else prefix
    return f"{path_prefix}{models}", f"{path_prefix}{inference}"
