"""The options of an HTTP_JSON provider, a service with its own JSON API: how to build a request, and how to find the
answer in the response.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final

from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from llmbench.contracts.base import Value
from llmbench.json_path import json_path

HTTP_JSON: Final = "HTTP_JSON"
"""The provider type with these options."""

PLACEHOLDERS: Final = (
    "question",
    "messages",
    "history",
    "system_prompt",
    "model",
    "temperature",
    "top_p",
    "max_tokens",
    "seed",
    "stop",
)
"""The placeholders of a request template.

`history` are the messages before the question, without the system message.
"""

PLACEHOLDER: Final = re.compile(r"\{\{([^{}]*)\}\}")
"""The pattern of a placeholder in a text. `placeholder_name` returns the name without spaces around it; a pattern that
leaves them out would take cubic time."""
MOST_PLACES: Final = 30
"""The maximum number of placeholders in a template, because each may expand to a complete prompt."""
DEFAULT_MODEL: Final = "default"


def _readable(path: str) -> str:
    json_path(path)
    return path


Path = Annotated[str, Field(min_length=1), AfterValidator(_readable)]
ModelName = Annotated[str, Field(min_length=1, max_length=255)]


class HttpJsonOptions(Value):
    """The options of an HTTP_JSON provider. `request` is the template of the request's body, with `{{placeholders}}` in
    its strings. The paths are JSONPath (`llmbench.json_path`).

    A string that consists of one placeholder becomes the value itself (such as a list). Without a value, the
    field or list element is left out. A placeholder within a longer string is replaced by its value as text. Values are
    inserted before the body is serialised, so no prompt can change the body's structure.

    `citations_path` leads to one citation or to a list of citations. The paths to document, section and relevance start
    at a citation and lead to these parts of it. A citation that is a plain string is the name of its document.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    request: dict[str, Any] = Field(default_factory=lambda: {"question": "{{question}}"}, min_length=1)
    answer_path: Path = "$.answer"
    citations_path: Path | None = None
    citation_document_path: Path = "$.document"
    citation_section_path: Path = "$.section"
    citation_relevance_path: Path = "$.relevance_score"
    models: Annotated[list[ModelName], Field(min_length=1, max_length=200)] = Field(
        default_factory=lambda: [DEFAULT_MODEL]
    )

    @field_validator("request")
    @classmethod
    def _asks(cls, template: dict[str, Any]) -> dict[str, Any]:
        """Return the template. Raises `ValueError` if it has no placeholder for the question, an unknown placeholder,
        or too many placeholders."""
        named = list(placeholders(template))
        if len(named) > MOST_PLACES:
            raise ValueError(f"must not have more than {MOST_PLACES} placeholders")
        for name in named:
            if name not in PLACEHOLDERS:
                known = ", ".join(PLACEHOLDERS)
                raise ValueError(f"has the placeholder {{{{{name[:60]}}}}}, which does not exist; those are {known}")
        if not {"question", "messages"} & set(named):
            raise ValueError("must have a place for the question: {{question}} or {{messages}}")
        return template

    @field_validator("models")
    @classmethod
    def _once_each(cls, models: list[str]) -> list[str]:
        if len(set(models)) < len(models):
            raise ValueError("must not name a model twice")
        return models

    @model_validator(mode="after")
    def _no_placeholder_in_a_name(self) -> "HttpJsonOptions":
        for name in _names(self.request):
            if PLACEHOLDER.search(name):
                raise ValueError(f"request: placeholders stand in values; {name[:60]!r} is the name of a field")
        return self


OPTION_NAMES: Final = tuple(HttpJsonOptions.model_fields)


def placeholder_name(place: re.Match[str]) -> str:
    """Return the name in a match of `PLACEHOLDER`.

    >>> placeholder_name(PLACEHOLDER.fullmatch("{{ question }}"))
    'question'
    """
    return place[1].strip()


def placeholders(part: Any) -> Iterator[str]:
    """Yield the names of the placeholders in all string values of a template, with repetitions. Names of fields are not
    searched."""
    match part:
        case str():
            yield from map(placeholder_name, PLACEHOLDER.finditer(part))
        case dict():
            for each in part.values():
                yield from placeholders(each)
        case list():
            for each in part:
                yield from placeholders(each)


def _names(part: Any) -> Iterator[str]:
    match part:
        case dict():
            for name, each in part.items():
                yield name
                yield from _names(each)
        case list():
            for each in part:
                yield from _names(each)
